// The start of the big screen: listens to the events, and shows the matches.

import { $, show } from '../elements.js';
import { followEvents } from '../screen/events.js';
import { Playlist, matchHandlers } from '../screen/playlist.js';
import { listenToControls, renderPlayback } from './controls.js';
import { Teams, fitAddress, showStart } from './joining.js';
import { Leaderboard, PAGE_MS, parking, upcoming } from './leaderboards.js';

const playlist = new Playlist(renderControls);
const leaderboard = new Leaderboard();
const teams = new Teams();
/** True before the first tournament. */
let isBeforeStart = document.body.classList.contains('starting');

/** News that are not shown yet: leaderboards and states of the tournament, with the newest match that was over before.
 * @type {News[]} */
const held = [];
/** The tournament as it is now, and as it was when the leaderboard on the screen was made.
 * @type {{ now?: TournamentView, shown?: TournamentView }} */
const tournaments = {};
/** The most of them; a screen that is stopped for longer shows a later one first. */
const MOST_HELD = 100;
let lastOver = 0;

/** The names of the bots in the current match. */
const playing = () => playlist.match.setup?.names ?? [];

/** Shows the state of the playback on the buttons. */
function renderControls() {
  renderPlayback(playlist, playlist.isLive && $('connection').hidden, 'Sea Battle');
  showResults();
  leaderboard.mark(playing());
  renderStage();
}

/** Shows the newest of the news that does not tell how the match on the screen ends. */
function showResults() {
  const { number, isOver, chosen, again } = playlist;
  const newest = number === null || chosen || again ? Infinity : number - (isOver ? 0 : 1);
  const at = held.findLastIndex(({ match }) => match <= newest);
  const due = held.splice(0, at + 1);
  const boards = due.findLast((news) => news.boards)?.boards;
  tournaments.shown = due.findLast((news) => news.tournament)?.tournament ?? tournaments.shown;
  if (tournaments.shown) leaderboard.tournament(tournaments.shown.number);
  if (boards) leaderboard.update(boards, playing());
  $('remark').textContent = remark();
}

/** Keeps news until they do not tell how the match on the screen ends.
 * @param {Omit<News, 'match'>} news */
function hold(news) {
  // Of news after the same match, only the last ones can come to be shown.
  const last = held.at(-1);
  if (last?.match === lastOver) Object.assign(last, news);
  else held.push({ match: lastOver, ...news });
  if (held.length > MOST_HELD) held.shift();
  showResults();
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
    tournaments.now = tournament;
    hold({ tournament });
    upcoming(tournament);
    renderStage();
  },
  leaderboard: (/** @type {Leaderboards} */ boards) => hold({ boards }),
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

/** The state of the tournament in words, as the server has them in the page. The end of a tournament is not told beside a match of
 * another one. */
function remark() {
  const { number = 0, over = false } = tournaments.shown ?? {};
  const { paused = false, waiting = '' } = tournaments.now ?? {};
  const other = /^Tournament (\d+) /.exec(playlist.match.setup?.title ?? '');
  const isTold = over && number > 0 && (!other || Number(other[1]) === number);
  const told = [isTold ? `Tournament ${number} is over.` : '', paused ? 'Paused.' : '', waiting ? `Waiting: ${waiting}.` : ''];
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
