// The chances of a hit on boards, as those know them who fire at them: colours below the signs, and numbers in per cent. They are never shown
// to eyes that may not see them.

import { svg } from './elements.js';
import { Match, letter, seatOf } from './match.js';
import { BoardView, CELL } from './board.js';

/** The digits of chances, in steps of two per cent (wire.rs). */
const CHANCE_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno';

/** The chances that an eye may see.
 * @param {number} eye @param {AnalysisView | undefined} view */
const seenHeat = (eye, view) => (view?.heat ?? []).filter(([eyes]) => eyes & (1 << eye)).map(([, heat]) => heat);

/** True if an eye may see chances, of some moment at least.
 * @param {Match} match @param {number} eye */
export const hasChances = (match, eye) => match.analysis.length > 0 && match.eyes[eye] !== 'everyone';

/** The last chances on a board up to a moment; undefined if there are none, or not yet. Of several players who fire at it, those of the
 * first of whom they changed last.
 * @param {Match} match @param {number} eye @param {number} at @param {number} seat */
function chancesOn(match, eye, at, seat) {
  if (at >= match.analysis.length) return undefined;
  for (let moment = at; moment >= 0; moment -= 1) {
    const found = seenHeat(eye, match.analysis[moment]).filter((heat) => heat.at === letter(seat));
    if (found.length > 0) return found[0];
  }
  return undefined;
}

/** Shows the chances of a moment on boards, or removes them.
 * @param {Match} match @param {number} eye @param {BoardView[]} boards @param {number} at @param {boolean} isShown */
export function showChances(match, eye, boards, at, isShown) {
  boards.forEach(({ element }, seat) => {
    element.querySelector('.chances')?.remove();
    const known = isShown ? chancesOn(match, eye, at, seat) : undefined;
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
