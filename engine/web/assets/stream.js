// Events of the server as they come.

import { Match } from './match.js';

/** The time after which a page connects again to a server that has answered without a stream, in milliseconds. */
const AWAY_MS = 3000;

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
 * Calls the handlers of the events at an address, by their kinds. After an interruption the page connects again. A handler closes the
 * stream after the last event: otherwise the page would connect again for ever.
 * @param {string} address @param {Record<string, (data: any, stream: { close(): void }) => unknown>} handlers
 * @param {(is: boolean) => void} connected is called when the connection is there, and when it is lost
 * @param {() => void} gone is called once the server has no such stream
 */
export function follow(address, handlers, connected, gone = () => {}) {
  let isClosed = false;
  /** @type {EventSource} */
  let source;
  const stream = {
    close() {
      isClosed = true;
      source.close();
    },
  };
  const open = () => {
    if (isClosed) return;
    source = new EventSource(address);
    source.addEventListener('now', (event) => setClock(Number(event.data)));
    for (const [kind, hear] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => hear(JSON.parse(event.data), stream));
    }
    source.onopen = () => connected(true);
    source.onerror = async () => {
      connected(false);
      // The browser itself asks for the rest after an interruption, but not if the server has answered without a stream.
      if (source.readyState !== EventSource.CLOSED) return;
      if (await isThere(address)) setTimeout(open, AWAY_MS);
      else if (!isClosed) gone();
    };
  };
  open();
  return stream;
}

/** False if the server has no stream at this address. A server that has too much to do, or is away, says nothing about it, and a proxy
 * before a server that is away may say 404; unlike this server, it does not know of resources of the same origin.
 * @param {string} address */
async function isThere(address) {
  const request = new AbortController();
  try {
    const { status, headers } = await fetch(address, { signal: request.signal });
    request.abort();
    return !headers.has('cross-origin-resource-policy') || (status !== 404 && status !== 204);
  } catch {
    return true;
  }
}

/**
 * Follows the match at an address: takes in its setup, its frames, its analysis, which may come later, and its end. `begun` is called after
 * each setup, `grown` after all that comes at the same time. Other matches may follow, until the server says that nothing more comes.
 * @param {string} address @param {Match} match @param {{ begun(): void, grown(): void }} told
 * @param {(is: boolean) => void} connected @param {() => void=} gone
 * @param {Record<string, (data: any) => unknown>} further handlers of other events
 */
export function followMatch(address, match, { begun, grown }, connected, gone, further = {}) {
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
    analysis: (view) => {
      match.analysis[view.moment] = view;
      grow();
    },
    over: (over) => {
      match.over = over;
      grow();
    },
    end: (_, stream) => {
      stream.close();
      connected(true);
    },
  }, connected, gone);
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
