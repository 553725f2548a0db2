// The event stream of the server, without the turns of matches: those come by a stream for each match.

import { follow, setClock } from '../stream.js';

/** Calls the handlers of the events, by their kinds. `connected` is called when the connection is there, and when it is lost.
 * @param {Record<string, (data: any) => unknown>} handlers @param {(is: boolean) => void} connected */
export function followEvents(handlers, connected) {
  const state = (/** @type {ServerState} */ state) => {
    setClock(Date.parse(state.now));
    return handlers.state(state);
  };
  follow('/api/events?turns=no', { ...handlers, state }, connected);
}
