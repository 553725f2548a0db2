// The start of the big screen: listens to the events, and shows the matches.

/** The time after which a browser that the server refused connects again. */
const AWAY_MS = 3000;

const game = JSON.parse($('boards').dataset.game);
const matchList = new MatchList(game);
const playback = new Playback(matchList, new MatchView(game), renderControls);
const leaderboards = { tournament: new Leaderboard($('current')), all: new Leaderboard($('all')) };
let lastRows = null;

/** The names of the bots in the current match. */
const playing = () => playback.feed?.begun.names ?? [];

/** Shows the state of the playback on the buttons. */
function renderControls() {
  $('play').setAttribute('aria-label', playback.paused ? 'Go on' : 'Stop');
  document.body.classList.toggle('paused', playback.paused);
  $('tempo').textContent = `${playback.speed === 0.25 ? '¼' : playback.speed === 0.5 ? '½' : playback.speed}×`;
  $('live').setAttribute('aria-pressed', !playback.chosen && !playback.paused);
  Object.values(leaderboards).forEach((board) => board.mark(playing()));
}

/** Shows the match in the address. Returns false if there is none. */
async function showLinkedMatch() {
  const [word, id] = location.hash.slice(1).split('=');
  const feed = word === 'match' && /^\d+$/.test(id) ? await matchList.again(id) : null;
  if (feed) playback.show(feed, { chosen: true, again: true });
  return feed !== null;
}

/** The handlers of the events. */
const HANDLERS = {
  state: async (state) => {
    HANDLERS.settings(state.settings);
    HANDLERS.tournament(state.tournament);
    HANDLERS.leaderboard(state.leaderboard);
    HANDLERS.bots(state.bots);
    await matchList.resume(state.matches);
    playback.grown();
    if (playback.feed || (await showLinkedMatch())) return;
    const newest = matchList.next(null);
    const last = newest ?? (await matchList.last());
    if (last && !playback.feed) playback.show(last, { at: newest ? newest.last : 0, again: !newest });
  },
  settings: (settings) => { playback.pace = settings.pace; },
  tournament: (tournament) => {
    $('tournament').textContent = tournament.words;
    upcoming(tournament.next);
  },
  leaderboard: (boards) => {
    lastRows = boards;
    for (const [kind, board] of Object.entries(leaderboards)) board.update(boards[kind], playing());
  },
  bots: (bots) => {
    parking(bots);
    // The leaderboards may have less room now, or more.
    if (lastRows) HANDLERS.leaderboard(lastRows);
  },
  'match-begun': (begun) => {
    matchList.begin(begun);
    playback.grown();
  },
  turn: (turn) => {
    matchList.feed(turn.match)?.hear(turn);
    playback.grown();
  },
  'match-over': (over) => {
    const feed = matchList.feed(over.match);
    if (feed) feed.over = over;
    playback.grown();
  },
};

function listen() {
  const source = new EventSource('/api/events');
  for (const [kind, hear] of Object.entries(HANDLERS)) {
    source.addEventListener(kind, (event) => hear(JSON.parse(event.data)));
  }
  source.onopen = () => show($('connection'), false);
  source.onerror = () => {
    show($('connection'), true);
    // The browser itself connects again after an interruption, but not if the server refused it.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, AWAY_MS);
  };
}

window.onhashchange = () => showLinkedMatch();
window.onresize = () => lastRows && HANDLERS.leaderboard(lastRows);
setInterval(() => Object.values(leaderboards).forEach((board) => board.turn()), PAGE_MS);
renderControls();
listen();
