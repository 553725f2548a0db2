// The clock of the server.

/** The difference of the server's clock to the one here. */
let clockOffset = 0;

const now = () => Date.now() + clockOffset;

/** Reads the server's clock. */
async function setClock() {
  try {
    const answer = await fetch('/api/final', { cache: 'no-store' });
    // The answer was under way for a moment: the page is never ahead of the server.
    if (answer.ok) clockOffset = Date.parse((await answer.json()).now) - Date.now();
  } catch {
    // The event stream reports that the connection is lost.
  }
}
