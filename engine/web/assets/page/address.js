// The fragment of the address is the moment that is shown, so that a link can lead to it: `#round=12` is the moment
// after round 12, in a game whose turns are called rounds. `#turn=12` is understood in all games.

import { match, playback } from './page.js';

/** The fragment as the page last read or wrote it. */
let known = location.hash;
/** @type {number | undefined} */
let writing;

/** Writes the moment into the address, a little later: browsers limit how often a page may do so.
 * @param {number} at */
export function remember(at) {
  clearTimeout(writing);
  if (playback.following) return;
  writing = setTimeout(() => {
    const hash = at === 0 ? '#start' : `#${match.setup.turn}=${at - 1}`;
    // Another fragment was given meanwhile, and is about to be followed.
    if (location.hash !== known || hash === known || (at === 0 && !known)) return;
    history.replaceState(null, '', hash);
    known = hash;
  }, 150);
}

/** Removes the moment from the address, because it is not one of this match. */
export function forgetAddress() {
  clearTimeout(writing);
  history.replaceState(null, '', location.pathname);
  known = location.hash;
}

/** Goes to the moment in the address. Returns false if there is none. */
export function obeyAddress() {
  known = location.hash;
  const [word, number] = known.slice(1).split('=');
  if ((word === match.setup.turn || word === 'turn') && /^\d+$/.test(number)) playback.go(Number(number) + 1);
  else if (known === '#start') playback.go(0);
  else return false;
  return true;
}
