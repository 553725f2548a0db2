// The event stream of the server, without the turns of matches: those come by a stream for each match.

import { follow, setClock } from '../stream.js';

/** The time after which a browser that the server refused connects again. */
const AWAY_MS = 3000;

/** Calls the handlers of the events, by their kinds. `connected` is told if the connection is there.
 * @param {Record<string, (data: any) => unknown>} handlers @param {(is: boolean) => void} connected */
export function followEvents(handlers, connected) {
  const state = (/** @type {ServerState} */ state) => {
    setClock(Date.parse(state.now));
    return handlers.state(state);
  };
  // The browser itself connects again after an interruption, but not if the server refused it.
  follow('/api/events?turns=no', { ...handlers, state }, connected, () => setTimeout(() => followEvents(handlers, connected), AWAY_MS));
}
