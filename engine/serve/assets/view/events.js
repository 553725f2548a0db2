// The event stream of the server.

/** The time after which a browser that the server refused connects again. */
const AWAY_MS = 3000;

/** Calls the handlers of the events, by their kinds. `connected` is told if the connection is there.
 * @param {Record<string, (data: any) => unknown>} handlers @param {(is: boolean) => void} connected */
function listen(handlers, connected) {
  const source = new EventSource('/api/events');
  for (const [kind, hear] of Object.entries(handlers)) {
    source.addEventListener(kind, (event) => hear(JSON.parse(event.data)));
  }
  source.onopen = () => connected(true);
  source.onerror = () => {
    connected(false);
    // The browser itself connects again after an interruption, but not if the server refused it.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(handlers, connected), AWAY_MS);
  };
}

/** The handlers of the events about matches.
 * @param {MatchList} matchList @param {Playback} playback @returns {MatchHandlers} */
const matchHandlers = (matchList, playback) => ({
  'match-begun': (begun) => {
    if (begun.screening) setClock();
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
});

/** Takes over the matches of a state: goes on with the current match, or begins with the newest.
 * @param {RunningMatch[]} matches @param {MatchList} matchList @param {Playback} playback @param {() => Promise<boolean>} linked */
async function resumeMatches(matches, matchList, playback, linked) {
  if (matches.some(({ begun }) => begun.screening)) await setClock();
  await matchList.resume(matches);
  playback.grown();
  if (playback.feed || (await linked())) return;
  const newest = matchList.next(null);
  const last = newest ?? (await matchList.last());
  if (last && !playback.feed) playback.show(last, { at: newest ? newest.last : 0, again: !newest });
}
