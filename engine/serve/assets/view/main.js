// The start of the big screen: listens to the events, and shows the matches.

import { $, show } from '../elements.js';
import { followEvents } from '../screen/events.js';
import { Playlist, matchHandlers } from '../screen/playlist.js';
import { listenToControls } from './controls.js';
import { Teams, fitAddress, showStart } from './joining.js';
import { Leaderboard, PAGE_MS, parking, upcoming } from './leaderboards.js';

const playlist = new Playlist(renderControls);
const leaderboard = new Leaderboard();
const teams = new Teams();
/** True before the first tournament. */
let isBeforeStart = document.body.classList.contains('starting');

/** Leaderboards that are not shown yet, each with the newest match that was over before.
 * @type {{ match: number, boards: Leaderboards }[]} */
const held = [];
/** The most of them; a screen that is stopped for longer shows a later one first. */
const MOST_HELD = 100;
let lastOver = 0;

/** The names of the bots in the current match. */
const playing = () => playlist.match.setup?.names ?? [];

/** The speed of the screen, as a multiple of the administrator's pace.
 * @type {Record<number, string>} */
const FRACTIONS = { 0.125: '⅛', 0.25: '¼', 0.5: '½' };

/** Shows the state of the playback on the buttons. */
function renderControls() {
  const { speed } = playlist.playback;
  $('play').setAttribute('aria-label', playlist.isPaused ? 'Go on' : 'Stop');
  document.body.classList.toggle('paused', playlist.isPaused);
  $('tempo').textContent = `${FRACTIONS[speed] ?? speed}×`;
  $('live').setAttribute('aria-pressed', playlist.isLive && $('connection').hidden);
  $('title').textContent = playlist.match.setup?.title ?? 'Sea Battle';
  show($('again'), playlist.again);
  showResults();
  leaderboard.mark(playing());
  renderStage();
}

/** Shows the newest leaderboard that does not tell how the match on the screen ends. */
function showResults() {
  const { number, isOver, chosen, again } = playlist;
  const newest = number === null || chosen || again ? Infinity : number - (isOver ? 0 : 1);
  const at = held.findLastIndex(({ match }) => match <= newest);
  if (at >= 0) leaderboard.update(held.splice(0, at + 1)[at].boards, playing());
}

/** Shows the matches once there is a tournament, or if somebody has chosen one. */
function renderStage() {
  const isStart = isBeforeStart && !playlist.chosen;
  if (isStart === !$('joining').hidden) return;
  showStart(isStart);
  fillAll();
}

/** Fits the lists to their room. */
function fillAll() {
  leaderboard.fill();
  teams.fill();
}

/** Shows the match in the address, if there is one. */
function showLinkedMatch() {
  const [word, id] = location.hash.slice(1).split('=');
  if (word === 'match' && /^\d+$/.test(id)) playlist.show(Number(id), { chosen: true, again: true });
}

/** Shows the leaderboard of all matches, or that of the tournament. */
function toggleTotal() {
  leaderboard.toggle(playing());
  $('total').setAttribute('aria-pressed', leaderboard.isTotal);
}

/** The handlers of the events. */
const HANDLERS = {
  ...matchHandlers(playlist),
  state: async (/** @type {ServerState} */ state) => {
    HANDLERS.settings(state.settings);
    HANDLERS.tournament(state.tournament);
    HANDLERS.leaderboard(state.leaderboard);
    HANDLERS.bots(state.bots);
    if (playlist.number === null) showLinkedMatch();
    await playlist.resume(state.matches);
  },
  tournament: (/** @type {TournamentView} */ tournament) => {
    isBeforeStart = tournament.number === 0;
    $('remark').textContent = remark(tournament);
    leaderboard.tournament(tournament.number);
    upcoming(tournament);
    renderStage();
  },
  leaderboard: (/** @type {Leaderboards} */ boards) => {
    // Of leaderboards after the same match, only the last one can come to be shown.
    if (held.at(-1)?.match === lastOver) held.pop();
    held.push({ match: lastOver, boards });
    if (held.length > MOST_HELD) held.shift();
    showResults();
  },
  bots: (/** @type {BotView[]} */ bots) => {
    parking(bots);
    teams.update(bots);
  },
  'match-over': (/** @type {MatchOver} */ over) => {
    lastOver = Math.max(lastOver, over.match);
  },
};

/** Shows the next rows of the leaderboard, again and again. */
function turnPages() {
  leaderboard.turn();
  setTimeout(turnPages, PAGE_MS);
}

/** The state of the tournament in words, as the server has them in the page.
 * @param {TournamentView} tournament */
function remark({ number, over, paused, waiting }) {
  const told = [over && number > 0 ? `Tournament ${number} is over.` : '', paused ? 'Paused.' : '', waiting ? `Waiting: ${waiting}.` : ''];
  return told.filter((part) => part).join(' ');
}

window.onhashchange = showLinkedMatch;
window.onresize = fillAll;
setTimeout(turnPages, PAGE_MS);
fitAddress();
listenToControls(playlist, toggleTotal);
renderControls();
fillAll();
followEvents(HANDLERS, (connected) => {
  show($('connection'), !connected);
  renderControls();
});
