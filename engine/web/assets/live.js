// A match that is still being played comes piece by piece.

/** Hands on what the server tells until the match is over. After an interruption the browser asks for the rest. */
function listen(address, told, connected) {
  const source = new EventSource(address);
  source.addEventListener('setup', (event) => told.setup(JSON.parse(event.data)));
  source.addEventListener('frame', (event) => told.frame(JSON.parse(event.data)));
  source.addEventListener('over', (event) => {
    // Else the browser would come back for more, for ever.
    source.close();
    told.over(JSON.parse(event.data));
  });
  source.onopen = () => connected(true);
  source.onerror = () => connected(false);
}
