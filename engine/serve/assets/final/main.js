// The page of a final.
//
// The server plays a game out of sight and publishes one turn after the other, so that all screens show the same. This page shows
// what the server tells about results when it has itself shown the game. A page that is opened during a game continues where the
// others are.

import { $, html, keysOfButtons, listenToKeys, show, toggleFull, toggled } from '../elements.js';
import { legend } from '../board.js';
import { followFinal } from '../screen/events.js';
import { MatchFollower } from '../screen/match_follower.js';
import { Stage, named } from '../screen/stage.js';
import { serverTime } from '../stream.js';
import { botOf, capital, drawBracket } from './bracket.js';
import { hidePodium, showPodium } from './podium.js';

/** The time between two looks at the clock. */
const LOOK_MS = 250;

const follower = new MatchFollower({
  at: () => at ?? 0,
  loaded(isKnown) {
    stage.begin(isKnown);
    // Of a game without a longest length nobody knows how much is left.
    show($('progress'), typeof match.setup.most_turns === 'number');
    if (!isKnown) settle(true);
  },
  grown: look,
  gone() {
    // It was broken off: the server plays it again.
    drop();
    settle();
  },
});
const { match } = follower;
const stage = new Stage(match);
/** The final as the page shows it, and as the server told it last.
 * @type {FinalView} */
let shown = /** @type {any} */ (null);
/** @type {FinalView | null} */
let told = null;
/** The game on the boards, and the one that follows once all of it was shown.
 * @type {MatchBegun | null} */
let game = null;
/** @type {MatchBegun | null} */
let following = null;
/** True once all of the game was shown. */
let isFinished = true;
/** True if the administrator has paused everything. */
let isPaused = false;
/** The moment on the boards.
 * @type {number | null} */
let at = null;

/** Puts a game on the boards.
 * @param {MatchBegun} begun */
function begin(begun) {
  if (game && !isFinished) {
    following = begun;
    return;
  }
  [game, following, isFinished, at] = [begun, null, false, null];
  follower.follow(begun.match);
}

/** Takes the game from the boards. */
function drop() {
  follower.close();
  [game, isFinished] = [null, true];
  $('boards').replaceChildren();
  if (following) begin(following);
}

/** Shows the moments that are due, and the result after the last one. */
function look() {
  if (game && !isFinished && !follower.isLoading) {
    const next = match.last;
    const isLast = match.over !== null && next === match.last;
    if (next !== at || isLast) stage.show(next, at !== null && next === at + 1, isLast);
    at = next;
    if (isLast) {
      isFinished = true;
      settle();
      if (following) begin(following);
    }
  }
  countDown();
}

/** Shows what the server told last, unless that would tell the result of the game on the boards. */
function settle(isNewGame = false) {
  if (told === null || (!isFinished && !isNewGame)) return;
  const before = shown;
  shown = told;
  if (shown.number !== before?.number || shown.state === 'planned' || shown.state === 'none') {
    hidePodium();
    if (isFinished) drop();
  }
  render(before);
}

/** @param {FinalView | null} before */
function render(before) {
  const { state } = shown;
  document.body.dataset.state = state;
  show($('waiting'), state === 'planned' || (state === 'playing' && !game));
  show($('match'), state === 'playing' && game !== null);
  show($('podium'), state === 'over');
  show($('bracket'), state !== 'none' && shown.rounds.length > 0);
  $('words').replaceChildren(...words());
  // While a game is on the boards, it is the next one that was told.
  if (shown.rounds.length > 0) drawBracket(shown, state === 'playing' ? shown.next?.bots ?? null : null);
  if (state === 'over') showPodium(shown, before?.number === shown.number && before.state === 'playing');
  if (game?.final) $('caption').replaceChildren(...caption(game.final, game.names));
  countDown();
}

/** The final in words. */
function words() {
  const meetings = shown.bestOf === 1 ? 'one game a meeting' : `best of ${shown.bestOf} games`;
  if (shown.state === 'playing' && game && isFinished && shown.next) {
    const [one, other] = shown.next.bots.map((seed) => named(botOf(shown, seed)?.name ?? ''));
    return [`Next: ${shown.next.round}${shown.bestOf > 1 ? `, game ${shown.next.game}` : ''},`, one, 'against', other];
  }
  switch (shown.state) {
    case 'none': return ['No final is planned.'];
    case 'planned': return [`The best ${shown.entrants} bots, ${meetings}`];
    default: return [`The best ${shown.bots.length} bots, ${meetings}`];
  }
}

/** The round and the game, and the games that both have won before.
 * @param {FinalGame} final @param {string[]} names */
function caption({ round, game, bestOf }, names) {
  const meeting = [...shown.rounds.flatMap((one) => one.meetings), shown.third].find((one) =>
    one && names.every((name) => one.bots.some((seed) => botOf(shown, seed)?.name === name)));
  const first = meeting && botOf(shown, meeting.bots[0])?.name === names[0] ? 0 : 1;
  const score = meeting ? `${meeting.wins[first]} : ${meeting.wins[1 - first]}` : '';
  const nth = bestOf === 1 && game === 1 ? capital(round) : `${capital(round)}, game ${game}`;
  return [html('span', { class: 'which' }, nth), html('span', { class: 'pair' }, named(names[0]), html('span', { class: 'tally' }, bestOf > 1 && score ? score : 'against'), named(names[1]))];
}

/** A duration until something begins.
 * @param {number} milliseconds */
function remaining(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const clock = `${hours > 0 || days > 0 ? `${two(hours)}:` : ''}${two(minutes)}:${two(seconds % 60)}`;
  return days > 0 ? `${days} ${days === 1 ? 'day' : 'days'}, ${clock}` : clock;
}

/** Shows the time until the final begins, or the game that comes next. */
function countDown() {
  if (!shown || $('waiting').hidden) return;
  if (shown.state === 'playing') {
    const { next } = shown;
    const names = next?.bots.map((seed) => botOf(shown, seed)?.name ?? '') ?? [];
    const title = next ? `Next: ${next.round}${shown.bestOf > 1 ? `, game ${next.game}` : ''}` : 'All games were played';
    put($('waiting-title'), title);
    const key = names.join('\n');
    if ($('countdown').dataset.key !== key) {
      $('countdown').dataset.key = key;
      $('countdown').replaceChildren(...names.flatMap((name, nth) => [...(nth > 0 ? [html('span', { class: 'against' }, 'against')] : []), named(name)]));
    }
    put($('start'), '');
    return;
  }
  delete $('countdown').dataset.key;
  const start = Date.parse(shown.start ?? '');
  const left = start - serverTime();
  put($('waiting-title'), left > 0 ? 'It begins in' : 'It begins');
  put($('countdown'), left > 0 ? remaining(left) : 'now');
  const date = new Date(start);
  const isToday = date.toDateString() === new Date(serverTime()).toDateString();
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const day = isToday ? '' : `${date.toLocaleDateString([], { weekday: 'long', day: 'numeric', month: 'long' })}, `;
  put($('start'), left > 0 ? `${day}${time}` : delay());
}

/** The reason why a final does not begin at its time. */
function delay() {
  if (isPaused) return 'when the tournaments are not paused any more';
  return shown.bots.length < 2 ? 'as soon as two bots can play' : 'as soon as the matches that are being played are over';
}

/** Changes a text, if it differs.
 * @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Takes over the game that is being shown, after the page has connected again.
 * @param {MatchBegun | undefined} live */
function resume(live) {
  if (!live || (game?.match === live.match && game.screening?.begunAt === live.screening?.begunAt)) return;
  // A game that the server plays once more has the number of before.
  if (game?.match === live.match) isFinished = true;
  begin(live);
}

/** The handlers of the events. */
const HANDLERS = {
  state: (/** @type {ServerState} */ state) => {
    told = state.final;
    isPaused = state.tournament.paused;
    resume(state.matches.find(({ begun }) => begun.final)?.begun);
    settle();
    look();
    document.body.dataset.ready = '';
  },
  final: (/** @type {FinalView} */ view) => {
    told = view;
    settle();
    look();
    document.body.dataset.ready = '';
  },
  live: resume,
  tournament: (/** @type {TournamentView} */ { paused }) => { isPaused = paused; },
  'match-begun': (/** @type {MatchBegun} */ begun) => { if (begun.final) begin(begun); },
};

$('full').onclick = toggleFull;
$('help').onclick = () => toggled($('keys'));
listenToKeys([
  [['f'], 'f', 'full screen', toggleFull],
  [['?'], '?', 'these keys', () => toggled($('keys')), 'keys'],
], keysOfButtons);
$('legend').append(...legend());

setInterval(look, LOOK_MS);
followFinal(HANDLERS, (connected) => show($('connection'), !connected));
