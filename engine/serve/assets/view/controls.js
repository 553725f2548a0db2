// Actions of buttons and keys.

import { $, foreign, html, keysOfButtons, listenToKeys, toggleFull, toggled } from '../elements.js';
import { legend, showLegend } from '../board.js';
import { seatOf } from '../match.js';
import { Playlist, ask } from '../screen/playlist.js';
import { hidesSpoilers } from '../spoilers.js';

/** Opens a list of the last matches, or closes it. */
async function openList() {
  if (toggled($('list'))) return;
  const matches = (await ask('/api/matches?most=60')) ?? [];
  const entry = (/** @type {MatchResult} */ { id, names, winner, tournament, final }) => {
    const how = winner ? [html('span', { class: 'name' }, foreign(names[seatOf(winner)])), ' wins'] : ['nobody wins'];
    return html('li', {}, html('a', { href: `#match=${id}` },
      html('span', { class: 'when' }, `Match ${id} · ${final ? `final, ${final.round}` : `tournament ${tournament}`}`),
      html('span', { class: 'pair' }, html('span', { class: 'name' }, foreign(names[0])), ' against ', html('span', { class: 'name' }, foreign(names[1]))),
      hidesSpoilers ? '' : html('span', { class: 'how' }, ...how)));
  };
  $('matches').replaceChildren(...(matches.length > 0 ? matches.map(entry) : [html('li', {}, 'None was played yet.')]));
}

/** The signs of Sea Battle that are not in every game: a radar finds ships, and armour takes a hit. */
const SIGNS = new Set(['unknown', 'scanned', 'dented', 'nameless']);

/** Acts on buttons and keys from now on.
 * @param {Playlist} playlist @param {() => void} toggleTotal */
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
    total: toggleTotal,
    full: toggleFull,
    help: () => toggled($('keys')),
  };
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
    [['a'], 'a', 'the leaderboard of all matches', buttons.total],
    [['f'], 'f', 'full screen', buttons.full],
    [['?'], '?', 'these keys', buttons.help, 'keys'],
  ];
  for (const [id, act] of Object.entries(buttons)) $(id).onclick = act;
  listenToKeys(keys, keysOfButtons);
  $('legend').append(...legend());
  showLegend(SIGNS);
  $('matches').onclick = () => $('list').close();
}
