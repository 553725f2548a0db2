// The pieces of a match that is still being played, as they come.

/**
 * Hands on what the server tells, until the match is over; with `more`, for as long as the server lives. After an
 * interruption the browser asks for the rest.
 * @param {string} address @param {boolean} more @param {LiveHandlers} told @param {(is: boolean) => void} connected
 */
function listen(address, more, told, connected) {
  const source = new EventSource(address);
  for (const kind of /** @type {const} */ (['lobby', 'setup', 'frame', 'clock'])) {
    source.addEventListener(kind, (event) => told[kind](JSON.parse(event.data)));
  }
  source.addEventListener('over', (event) => {
    // Otherwise the browser would connect again for ever.
    if (!more) source.close();
    told.over(JSON.parse(event.data));
  });
  source.onopen = () => connected(true);
  source.onerror = () => connected(false);
}
