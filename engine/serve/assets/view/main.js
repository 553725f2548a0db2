// The start of the big screen: listens to the events, and shows the matches.

/** @type {GameFacts} */
const game = JSON.parse(/** @type {string} */ ($('boards').dataset.game));
const matchList = new MatchList(game);
const playback = new Playback(matchList, new MatchView(game), renderControls);
const leaderboard = new Leaderboard();
const teams = new Teams();
/** True before the first tournament. */
let isBeforeStart = document.body.classList.contains('starting');

/** Leaderboards that are not shown yet, each with the newest match that was over before.
 * @type {{ match: number, boards: Leaderboards }[]} */
const held = [];
let lastOver = 0;

/** The names of the bots in the current match. */
const playing = () => playback.feed?.begun.names ?? [];

/** Shows the state of the playback on the buttons. */
function renderControls() {
  $('play').setAttribute('aria-label', playback.paused ? 'Go on' : 'Stop');
  document.body.classList.toggle('paused', playback.paused);
  $('tempo').textContent = `${playback.speed === 0.25 ? '¼' : playback.speed === 0.5 ? '½' : playback.speed}×`;
  $('live').setAttribute('aria-pressed', playback.isLive && $('connection').hidden);
  showResults();
  leaderboard.mark(playing());
  renderStage();
}

/** Shows the newest leaderboard that does not tell how the match on the screen ends. */
function showResults() {
  const { feed, isOver, chosen, again } = playback;
  const newest = feed === null || chosen || again ? Infinity : feed.id - (isOver ? 0 : 1);
  const at = held.findLastIndex(({ match }) => match <= newest);
  if (at >= 0) leaderboard.update(held.splice(0, at + 1)[at].boards, playing());
}

/** Shows the matches once there is a tournament, or if somebody has chosen one. */
function renderStage() {
  const isStart = isBeforeStart && !playback.chosen;
  if (isStart === !$('joining').hidden) return;
  showStart(isStart);
  fillAll();
}

/** Fits the lists to their room. */
function fillAll() {
  leaderboard.fill();
  teams.fill();
}

/** Shows the match in the address. Returns false if there is none. */
async function showLinkedMatch() {
  const [word, id] = location.hash.slice(1).split('=');
  const feed = word === 'match' && /^\d+$/.test(id) ? await matchList.again(id) : null;
  if (feed) playback.show(feed, { chosen: true, again: true });
  return feed !== null;
}

/** Shows the leaderboard of all matches, or that of the tournament. */
function toggleTotal() {
  leaderboard.toggle(playing());
  $('total').setAttribute('aria-pressed', leaderboard.isTotal);
}

const matchEvents = matchHandlers(matchList, playback);

/** The handlers of the events.
 * @type {MatchHandlers & { state(state: ServerState): unknown, settings(settings: Settings): void, tournament(tournament: TournamentView): void, leaderboard(boards: Leaderboards): void, bots(bots: BotView[]): void }} */
const HANDLERS = {
  state: async (state) => {
    HANDLERS.settings(state.settings);
    HANDLERS.tournament(state.tournament);
    HANDLERS.leaderboard(state.leaderboard);
    HANDLERS.bots(state.bots);
    await resumeMatches(state.matches, matchList, playback, showLinkedMatch);
  },
  settings: (settings) => { playback.pace = settings.pace; },
  tournament: (tournament) => {
    isBeforeStart = tournament.number === 0;
    $('remark').textContent = remark(tournament);
    leaderboard.tournament(tournament.number);
    upcoming(tournament);
    renderStage();
  },
  leaderboard: (boards) => {
    held.push({ match: lastOver, boards });
    showResults();
  },
  bots: (bots) => {
    parking(bots);
    teams.update(bots);
  },
  ...matchEvents,
  'match-over': (over) => {
    lastOver = Math.max(lastOver, over.match);
    matchEvents['match-over'](over);
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

window.onhashchange = () => showLinkedMatch();
window.onresize = fillAll;
setTimeout(turnPages, PAGE_MS);
fitAddress();
renderControls();
fillAll();
listen({ ...HANDLERS }, (connected) => {
  show($('connection'), !connected);
  renderControls();
});
