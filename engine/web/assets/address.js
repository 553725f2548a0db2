// The address tells the moment, so that it can be passed on: `#round=12` is the moment after round 12, in a game whose
// turns are called rounds.

/** The address as the page last read or wrote it. */
let known = location.hash;
let writing = null;

/** Writes the moment into the address, a little later: browsers do not like this often. */
function remember(at) {
  clearTimeout(writing);
  if (playback.following) return;
  writing = setTimeout(() => {
    const hash = at === 0 ? '#start' : `#${match.setup.turn}=${at - 1}`;
    // If another address was given meanwhile, it is about to be obeyed.
    if (location.hash !== known || hash === known || (at === 0 && !known)) return;
    history.replaceState(null, '', hash);
    known = hash;
  }, 150);
}

/** The moment that the address tells is none of this match. */
function forgetAddress() {
  clearTimeout(writing);
  history.replaceState(null, '', location.pathname);
  known = location.hash;
}

/** Goes where the address says; whether it says anything. */
function obeyAddress() {
  known = location.hash;
  const [word, number] = known.slice(1).split('=');
  if (word === match.setup.turn && /^\d+$/.test(number)) playback.go(Number(number) + 1);
  else if (known === '#start') playback.go(0);
  else return false;
  return true;
}
