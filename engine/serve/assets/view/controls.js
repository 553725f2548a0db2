// Actions of buttons and keys.

import { $, foreign, html, keysOfButtons, listenToKeys, show, toggleFull, toggled } from '../elements.js';
import { legend, showLegend } from '../board.js';
import { hasChances } from '../heat.js';
import { Playlist } from '../screen/playlist.js';
import { EYE } from '../screen/stage.js';
import { lastMatches } from '../screen/source.js';
import { hidesSpoilers } from '../spoilers.js';

/** Opens a list of the last matches, or closes it. */
async function openList() {
  if (toggled($('list'))) return;
  const entry = (/** @type {ListedMatch} */ { link, when, names, winner }) => {
    const how = winner ? [html('span', { class: 'name' }, foreign(winner)), ' wins'] : ['nobody wins'];
    return html('li', {}, html('a', { href: link },
      html('span', { class: 'when' }, when),
      html('span', { class: 'pair' }, html('span', { class: 'name' }, foreign(names[0])), ' against ', html('span', { class: 'name' }, foreign(names[1]))),
      hidesSpoilers ? '' : html('span', { class: 'how' }, ...how)));
  };
  const matches = await lastMatches(60);
  $('matches').replaceChildren(...(matches.length > 0 ? matches.map(entry) : [html('li', {}, 'None was played yet.')]));
}

/** The signs of Sea Battle that are not in every game: a radar finds ships, and armour takes a hit. */
const SIGNS = new Set(['unknown', 'scanned', 'dented', 'nameless']);

/** The speed of the screen, as a multiple of the administrator's pace.
 * @type {Record<number, string>} */
const FRACTIONS = { 0.125: '⅛', 0.25: '¼', 0.5: '½' };

/** Shows the state of the playback on the buttons, and which match is shown.
 * @param {Playlist} playlist @param {boolean} isNewest @param {string} title the title without a match */
export function renderPlayback(playlist, isNewest, title) {
  const { speed } = playlist.playback;
  $('play').setAttribute('aria-label', playlist.isPaused ? 'Go on' : 'Stop');
  document.body.classList.toggle('paused', playlist.isPaused);
  $('tempo').textContent = `${FRACTIONS[speed] ?? speed}×`;
  $('live').setAttribute('aria-pressed', isNewest);
  $('title').textContent = playlist.match.setup?.title ?? title;
  show($('again'), playlist.again);
  show($('chances'), hasChances(playlist.match, EYE));
  $('chances').setAttribute('aria-pressed', playlist.stage.wantsChances);
}

/** Acts on buttons and keys from now on. Without `toggleTotal`, there is one leaderboard only.
 * @param {Playlist} playlist @param {() => void=} toggleTotal */
export function listenToControls(playlist, toggleTotal) {
  const goLive = () => {
    if (location.hash) history.replaceState(null, '', location.pathname);
    playlist.live();
  };
  /** The actions of the buttons, by their ids. */
  const buttons = {
    play: () => playlist.toggle(),
    back: () => playlist.step(-1),
    forward: () => playlist.step(1),
    slower: () => playlist.playback.change(-1),
    faster: () => playlist.playback.change(1),
    live: goLive,
    choose: openList,
    ...(toggleTotal && { total: toggleTotal }),
    chances: () => {
      playlist.stage.toggleChances();
      $('chances').setAttribute('aria-pressed', playlist.stage.wantsChances);
    },
    full: toggleFull,
    help: () => toggled($('keys')),
  };
  /** @type {Key[]} */
  const total = toggleTotal ? [[['a'], 'a', 'the leaderboard of all matches', toggleTotal]] : [];
  /** The keys: the keys themselves, their names, what they do in words, and the action.
   * @type {Key[]} */
  const keys = [
    [[' '], 'Space', 'stop or go on', buttons.play],
    [['ArrowLeft'], '←', 'a move back', buttons.back],
    [['ArrowRight'], '→', 'a move forward', buttons.forward],
    [['+', '='], '+', 'faster', buttons.faster],
    [['-'], '−', 'slower', buttons.slower],
    [['l'], 'l', 'the newest match', buttons.live],
    [['m'], 'm', 'an earlier match', buttons.choose, 'list'],
    ...total,
    [['c'], 'c', 'the chance of a hit in each cell', buttons.chances],
    [['f'], 'f', 'full screen', buttons.full],
    [['?'], '?', 'these keys', buttons.help, 'keys'],
  ];
  for (const [id, act] of Object.entries(buttons)) $(id).onclick = act;
  listenToKeys(keys, keysOfButtons);
  $('legend').append(...legend());
  showLegend(SIGNS);
  $('matches').onclick = () => $('list').close();
}
