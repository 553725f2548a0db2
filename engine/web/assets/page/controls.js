// Actions of buttons and keys.

import { $, listenToKeys, toggleFull, toggled } from '../elements.js';
import { legend } from '../board.js';
import { eye, look, match, matchEvents, playback } from './page.js';
import { obeyAddress } from './address.js';

/** Goes to the nearest moment of a kind, or to the end if none comes.
 * @param {HighlightKind} kind @param {number} direction */
function seek(kind, direction) {
  const found = matchEvents.nearest(playback.at, kind, direction);
  if (found !== undefined) playback.go(found);
  else if (direction > 0) toEnd();
}

function toEnd() {
  if (match.over) playback.go(match.last);
  else playback.follow();
}

function toggleDensity() {
  const on = document.body.classList.toggle('density');
  $('density').setAttribute('aria-pressed', on);
}

/** The actions of the buttons, by their ids. */
const BUTTONS = {
  // Not `start`: the browser would give the button of that name the focus for the fragment `#start`.
  first: () => playback.go(0),
  back: () => playback.step(-1),
  play: () => playback.toggle(),
  forward: () => playback.step(1),
  last: toEnd,
  'previous-hit': () => seek('hit', -1),
  'next-hit': () => seek('hit', 1),
  'previous-sinking': () => seek('sinking', -1),
  'next-sinking': () => seek('sinking', 1),
  slower: () => playback.change(-1),
  faster: () => playback.change(1),
  density: toggleDensity,
  full: toggleFull,
  live: () => (playback.following ? playback.toggle() : playback.follow()),
  help: () => toggled($('keys')),
};

/** The keys: the keys themselves, their names, what they do in words, and the action.
 * @type {Key[]} */
export const KEYS = [
  [[' '], 'Space', 'play or pause', BUTTONS.play],
  [['ArrowLeft'], '←', 'step back', BUTTONS.back],
  [['ArrowRight'], '→', 'step forward', BUTTONS.forward],
  [['Home'], 'Home', 'to the start', BUTTONS.first],
  [['End'], 'End', 'to the end', BUTTONS.last],
  [['n'], 'n', 'next hit', BUTTONS['next-hit']],
  [['p'], 'p', 'previous hit', BUTTONS['previous-hit']],
  [['N'], 'N', 'next sinking', BUTTONS['next-sinking']],
  [['P'], 'P', 'previous sinking', BUTTONS['previous-sinking']],
  [['+', '='], '+', 'faster', BUTTONS.faster],
  [['-'], '−', 'slower', BUTTONS.slower],
  [['e'], 'e', 'the next eyes', () => look((eye + 1) % match.eyes.length)],
  [['0'], '0', 'the first eyes: those of the referee', () => look(0)],
  [[...'123456789'], '1 – 9', 'the eyes of A, B, C …', (key) => Number(key) < match.eyes.length && look(Number(key))],
  [['d'], 'd', 'how often each cell was shot at', BUTTONS.density],
  [['f'], 'f', 'full screen', BUTTONS.full],
  [['l'], 'l', 'follow a match that is being played', () => $('live').hidden || BUTTONS.live()],
  [['?'], '?', 'these keys', BUTTONS.help, 'keys'],
];

/** Keys that mean something to the element that has the focus.
 * @param {Element} element */
function ownKeys(element) {
  // Before the first match there is nothing to act on.
  if (!matchEvents) return KEYS.flatMap(([keys]) => keys);
  if (element.matches('button')) return [' '];
  if (element.matches('input[type=radio]')) return [' ', 'ArrowLeft', 'ArrowRight'];
  if (element.matches('input[type=range]')) return ['ArrowLeft', 'ArrowRight', 'Home', 'End'];
  return [];
}

for (const [id, act] of Object.entries(BUTTONS)) {
  $(id).onclick = () => matchEvents && $(id).getAttribute('aria-disabled') !== 'true' && act();
}
listenToKeys(KEYS, ownKeys);
$('eyes').onchange = (event) => look(Number(/** @type {HTMLInputElement} */ (event.target).value));
$('legend').append(...legend());
window.onhashchange = () => matchEvents && obeyAddress();

