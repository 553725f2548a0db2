// The screen begins: it listens to what happens, and shows it.

/** After so long a browser that was sent away comes back. */
const AWAY_MS = 3000;

const game = JSON.parse($('boards').dataset.game);
const programme = new Programme(game);
const runner = new Runner(programme, new Stage(game), remotely);
const ranks = { tournament: new Ranks($('current')), all: new Ranks($('all')) };
let leaders = null;

/** The names of those on the stage. */
const playing = () => runner.course?.begun.names ?? [];

/** Shows on the buttons what goes on. */
function remotely() {
  $('play').setAttribute('aria-label', runner.paused ? 'Go on' : 'Stop');
  document.body.classList.toggle('paused', runner.paused);
  $('tempo').textContent = `${runner.tempo === 0.25 ? '¼' : runner.tempo === 0.5 ? '½' : runner.tempo}×`;
  $('live').setAttribute('aria-pressed', !runner.chosen && !runner.paused);
  Object.values(ranks).forEach((board) => board.mark(playing()));
}

/** Shows the match that the address asks for, if it does. */
async function obey() {
  const [word, id] = location.hash.slice(1).split('=');
  const course = word === 'match' && /^\d+$/.test(id) ? await programme.again(id) : null;
  if (course) runner.show(course, { chosen: true, again: true });
  return course !== null;
}

/** What the events tell. */
const HEARD = {
  state: async (state) => {
    HEARD.settings(state.settings);
    HEARD.tournament(state.tournament);
    HEARD.leaderboard(state.leaderboard);
    HEARD.bots(state.bots);
    await programme.resume(state.matches);
    runner.grown();
    if (runner.course || (await obey())) return;
    const newest = programme.next(null);
    const last = newest ?? (await programme.last());
    if (last && !runner.course) runner.show(last, { at: newest ? newest.last : 0, again: !newest });
  },
  settings: (settings) => { runner.pace = settings.pace; },
  tournament: (tournament) => {
    $('tournament').textContent = tournament.words;
    upcoming(tournament.next);
  },
  leaderboard: (boards) => {
    leaders = boards;
    for (const [kind, board] of Object.entries(ranks)) board.update(boards[kind], playing());
  },
  bots: (bots) => {
    parking(bots);
    // What is above may have less room now, or more.
    if (leaders) HEARD.leaderboard(leaders);
  },
  'match-begun': (begun) => {
    programme.begin(begun);
    runner.grown();
  },
  turn: (turn) => {
    programme.course(turn.match)?.hear(turn);
    runner.grown();
  },
  'match-over': (over) => {
    const course = programme.course(over.match);
    if (course) course.over = over;
    runner.grown();
  },
};

function listen() {
  const source = new EventSource('/api/events');
  for (const [kind, hear] of Object.entries(HEARD)) {
    source.addEventListener(kind, (event) => hear(JSON.parse(event.data)));
  }
  source.onopen = () => show($('connection'), false);
  source.onerror = () => {
    show($('connection'), true);
    // The browser itself comes back after an interruption, but not if it was sent away.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, AWAY_MS);
  };
}

window.onhashchange = () => obey();
window.onresize = () => leaders && HEARD.leaderboard(leaders);
setInterval(() => Object.values(ranks).forEach((board) => board.turn()), PAGE_MS);
remotely();
listen();
