// The chances of a hit on the boards, as those know them who fire at them: colours below the signs, and numbers in per cent. They are
// shown when they are asked for, and never to eyes that may not see them.

import { $, html, listKeys, show, svg } from '../elements.js';
import { letter, seatOf } from '../match.js';
import { CELL } from '../board.js';
import { boards, eye, furtherParts, match, playback } from './page.js';
import { KEYS } from './controls.js';

/** The digits of chances, in steps of two per cent (wire.rs). */
const CHANCE_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno';

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

/** The chances that the chosen eye may see.
 * @param {AnalysisView | undefined} view */
const seenHeat = (view) => (view?.heat ?? []).filter(([eyes]) => eyes & (1 << eye)).map(([, heat]) => heat);

/** The last chances on a board up to a moment; undefined if there are none. Of several players who fire at it, those of the first
 * of whom they changed last.
 * @param {number} at @param {number} seat */
function chancesOn(at, seat) {
  for (let moment = at; moment >= 0; moment -= 1) {
    const found = seenHeat(match.analysis[moment]).filter((heat) => heat.at === letter(seat));
    if (found.length > 0) return found[0];
  }
  return undefined;
}

/** @param {number} at */
function renderChances(at) {
  const isShown = chancesWanted && !chancesButton.hidden;
  boards.forEach(({ element }, seat) => {
    element.querySelector('.chances')?.remove();
    const known = isShown ? chancesOn(at, seat) : undefined;
    element.classList.toggle('chanced', known !== undefined);
    if (known) drawChances(element, known);
  });
}

/** @param {HTMLElement} board @param {HeatView} heat */
function drawChances(board, { by, chances }) {
  const cells = [...board.querySelectorAll('.cell')];
  const percents = [...chances].map((digit) => 2 * CHANCE_DIGITS.indexOf(digit));
  const most = Math.max(...percents, 1);
  percents.forEach((percent, cell) => cells[cell].style.setProperty('--chance', `${Math.round((100 * percent) / most)}%`));
  const place = (/** @type {number} */ cell) => cells[cell].getAttribute('transform');
  const known = percents.flatMap((percent, cell) => (percent > 0 ? [cell] : []));
  board.querySelector('.grid').append(svg('g', { class: 'chances' }, ...known.map((cell) => svg('g', { transform: place(cell) },
    svg('title', {}, `${cells[cell].querySelector('title')?.textContent}; chance of a hit about ${percents[cell]} %, as ${letter(seatOf(by))} knows it`),
    svg('rect', { class: 'guess', width: CELL, height: CELL }),
    svg('text', { class: 'chance', x: CELL / 2, y: CELL / 2 }, String(percents[cell]))))));
}

furtherParts.push({
  build() {},
  look() {
    show(chancesButton, match.analysis.some((view) => seenHeat(view).length > 0));
  },
  render: renderChances,
  clock() {},
});

chancesButton.onclick = toggleChances;
/** @type {Key} */
const CHANCES_KEY = [['c'], 'c', 'the chance of a hit in each cell', () => chancesButton.hidden || toggleChances()];
KEYS.push(CHANCES_KEY);
listKeys([CHANCES_KEY]);
