// The event stream of the server, without the turns of matches: those come by a stream for each match.

import { follow, setClock } from '../stream.js';
import { Playlist, matchHandlers } from './playlist.js';
import { ask, contest, numberOf } from './source.js';

/** Calls the handlers of the events, by their kinds. `connected` is called when the connection is there, and when it is lost.
 * @param {Record<string, (data: any) => unknown>} handlers @param {(is: boolean) => void} connected */
export function followEvents(handlers, connected) {
  const state = (/** @type {ServerState} */ state) => {
    setClock(Date.parse(state.now));
    return handlers.state(state);
  };
  follow('/api/events?turns=no', { ...handlers, state }, connected);
}

/** Has a playlist follow the matches of the server, or of the contest that the page names. `connected` is called when the connection is
 * there, and when it is lost.
 * @param {Playlist} playlist @param {(is: boolean) => void} connected */
export function followMatches(playlist, connected) {
  const handlers = matchHandlers(playlist);
  if (contest) {
    handlers.settings({ pace: Number(document.body.dataset.pace) });
    const game = (/** @type {GameEvent} */ { id, names }) => playlist.begin({ match: numberOf(id), names });
    follow(`/c/${contest}/events`, { game }, (is) => {
      connected(is);
      if (is) playlist.resume([]);
    });
    return;
  }
  const state = async (/** @type {ServerState} */ { settings, matches }) => {
    handlers.settings(settings);
    await playlist.resume(matches);
  };
  followEvents({ ...handlers, state }, connected);
}

/** Has the page of a final follow that of the server, or of the contest that the page names. `connected` is called when the connection is
 * there, and when it is lost.
 * @param {{ state(state: ServerState): void, final(view: FinalView): void, live(begun: MatchBegun): void }
 *   & Record<string, (data: any) => unknown>} handlers
 * @param {(is: boolean) => void} connected */
export function followFinal(handlers, connected) {
  if (!contest) {
    followEvents(handlers, connected);
    return;
  }
  const begun = (/** @type {FinalGameEvent} */ { id, ...game }) => handlers.live({ match: numberOf(id), ...game });
  follow(`/c/${contest}/events`, { final: handlers.final, 'final-game': begun }, async (is) => {
    connected(is);
    const view = /** @type {FinalView | null} */ (is ? await ask(`/api/contests/${contest}/final`) : null);
    if (!view) return;
    setClock(Date.parse(view.now));
    handlers.final(view);
  });
}
