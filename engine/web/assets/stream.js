// Events of the server as they come.

import { Match } from './match.js';

/** The difference of the server's clock to the one here, in milliseconds. */
let clockOffset = 0;

/** Takes over the time of the server's clock. The message was under way for a moment: the page is never ahead of the server.
 * @param {number} time */
export function setClock(time) {
  clockOffset = time - Date.now();
}

/** The time of the server's clock, in milliseconds since 1970. */
export const serverTime = () => Date.now() + clockOffset;

/**
 * Calls the handlers of the events at an address, by their kinds. After an interruption the browser asks for the rest. A handler
 * closes the source after the last event: otherwise the browser would connect again for ever.
 * @param {string} address @param {Record<string, (data: any, source: EventSource) => unknown>} handlers
 * @param {(is: boolean) => void} connected is told if the connection is there
 * @param {() => void} refused is called if the server answers without a stream; the browser does not connect again then
 */
export function follow(address, handlers, connected, refused = () => {}) {
  const source = new EventSource(address);
  source.addEventListener('now', (event) => setClock(Number(event.data)));
  for (const [kind, hear] of Object.entries(handlers)) {
    source.addEventListener(kind, (event) => hear(JSON.parse(event.data), source));
  }
  source.onopen = () => connected(true);
  source.onerror = () => {
    connected(false);
    if (source.readyState === EventSource.CLOSED) refused();
  };
  return source;
}

/**
 * Follows the match at an address: takes in its setup, its frames and its end. `begun` is called after each setup, `grown` after all
 * that comes at the same time. With `more`, other matches follow.
 * @param {string} address @param {Match} match @param {{ begun(): void, grown(): void, more?: boolean }} told
 * @param {(is: boolean) => void} connected @param {() => void=} refused
 * @param {Record<string, (data: any) => unknown>} further handlers of other events
 */
export function followMatch(address, match, { begun, grown, more = false }, connected, refused, further = {}) {
  const grow = together(grown);
  return follow(address, {
    ...further,
    setup: (setup) => {
      match.begin(setup);
      begun();
    },
    frame: (frame) => {
      match.frames.push(frame);
      grow();
    },
    over: (over, source) => {
      match.over = over;
      if (!more) source.close();
      connected(true);
      grow();
    },
  }, connected, refused);
}

/** A function that calls `act` a little later, once for all calls of that time.
 * @param {() => void} act */
export function together(act) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    // Not `requestAnimationFrame`, which waits until the page is visible.
    setTimeout(() => {
      isDue = false;
      act();
    }, 16);
  };
}
