// The chances of a hit on the boards (heat.js), which are shown when they are asked for.

import { $, html, listKeys, show } from '../elements.js';
import { hasChances, showChances } from '../heat.js';
import { boards, eye, furtherParts, match, playback } from './page.js';
import { KEYS } from './controls.js';

/** True if chances are shown, where there are any. */
let chancesWanted = false;

const chancesButton = html('button', {
  id: 'chances', class: 'pill', 'aria-pressed': 'false', 'aria-keyshortcuts': 'c', title: 'The chance of a hit in each cell (c)', hidden: true,
}, 'Chances');
$('density').after(chancesButton);

function toggleChances() {
  chancesWanted = !chancesWanted;
  chancesButton.setAttribute('aria-pressed', chancesWanted);
  renderChances(playback.at);
}

/** @param {number} at */
const renderChances = (at) => showChances(match, eye, boards, at, chancesWanted && !chancesButton.hidden);
const offerChances = () => show(chancesButton, hasChances(match, eye));

furtherParts.push({
  build() {},
  look: offerChances,
  grow: offerChances,
  render: renderChances,
  clock() {},
});

chancesButton.onclick = toggleChances;
/** @type {Key} */
const CHANCES_KEY = [['c'], 'c', 'the chance of a hit in each cell', () => chancesButton.hidden || toggleChances()];
KEYS.push(CHANCES_KEY);
listKeys([CHANCES_KEY]);
