// Effects on a board. board.js draws everything that matters, too, and that stays: visitors who prefer no motion
// (`prefers-reduced-motion`) see only that.

import { svg } from '../elements.js';
import { shipIn } from '../match.js';
import { BoardView } from '../board.js';

/** The most turns whose effects stay on a board. */
const AT_ONCE = 4;

/** Shows the last actions on the boards.
 * @param {BoardView[]} boards @param {Scene} scene @param {Entry} entry */
export function play(boards, scene, { highlights }) {
  boards.forEach((board, seat) => {
    const layer = layerOf(board);
    const isSinking = highlights.some((one) => one.seat !== seat && one.kind === 'sinking');
    const fresh = effectsOf(scene.boards[seat], isSinking);
    if (fresh.length > 0) layer.append(svg('g', {}, ...fresh.map(([cell, effect]) => placed(board, cell, effect))));
    while (layer.childElementCount > AT_ONCE) layer.firstElementChild?.remove();
  });
}

/** Removes all effects from the boards.
 * @param {BoardView[]} boards */
export function calm(boards) {
  boards.forEach((board) => layerOf(board).replaceChildren());
}

/** @param {BoardView} board @returns {Element} */
function layerOf(board) {
  const drawing = board.element.querySelector('.grid');
  const there = drawing.querySelector('.effects');
  if (there) return there;
  const layer = svg('g', { class: 'effects', 'aria-hidden': 'true' });
  drawing.append(layer);
  return layer;
}

/** The effects of the last turn on a board, with the numbers of their cells.
 * @param {Board} board @param {boolean} isSinking @returns {[number, SVGElement][]} */
function effectsOf(board, isSinking) {
  /** @param {number} cell @returns {[number, SVGElement][]} */
  const shot = (cell) => {
    if (!'*%'.includes(board.looks[cell][0])) return [[cell, splash()]];
    if (!isSinking) return [[cell, explosion(0)]];
    return [...wreck(board, cell).map((at, nth) => inCell(at, explosion(nth))), [cell, shock()]];
  };
  const scanned = [...board.scanned];
  const seen = scanned.filter((cell) => board.looks[cell][0] === '#').map((cell) => inCell(cell, blip()));
  const sweeps = scanned.length > 0 ? [inCell(scanned[Math.floor(scanned.length / 2)], sweep())] : [];
  return [...[...board.fresh].flatMap(shot), ...sweeps, ...seen];
}

/** @param {number} cell @param {SVGElement} effect @returns {[number, SVGElement]} */
const inCell = (cell, effect) => [cell, effect];

/** The cells that were hit and are connected with this one: those of the ship that was sunk there.
 * @param {Board} board @param {number} cell */
function wreck(board, cell) {
  const { height, looks } = board;
  const found = new Set([cell]);
  for (const at of found) {
    const inColumn = [at - 1, at + 1].filter((near) => Math.floor(near / height) === Math.floor(at / height));
    for (const near of [...inColumn, at - height, at + height]) {
      if (looks[near]?.[0] === '*' && shipIn(looks[near]) === shipIn(looks[cell])) found.add(near);
    }
  }
  return [...found];
}

/** An effect in a cell of a board.
 * @param {BoardView} board @param {number} cell @param {SVGElement} effect */
function placed(board, cell, effect) {
  const place = board.element.querySelectorAll('.cell')[cell].getAttribute('transform');
  return svg('g', { transform: place }, effect);
}

/** @param {string} name @param {number} r */
const circle = (name, r) => svg('circle', { class: name, cx: 5, cy: 5, r });

const splash = () => svg('g', { class: 'effect splash' }, circle('ring', 4), circle('ring late', 4));

const blip = () => svg('g', { class: 'effect blip' }, circle('ring', 4));

const shock = () => svg('g', { class: 'effect shock' }, circle('ring', 14));

/** Fire and sparks. `nth` counts the cells of a ship, which burn one after the other.
 * @param {number} nth */
function explosion(nth) {
  const sparks = Array.from({ length: 8 }, (_, at) => {
    const turn = (at * Math.PI) / 4 + 0.3;
    const on = (/** @type {number} */ far) => `${(5 + far * Math.cos(turn)).toFixed(2)} ${(5 + far * Math.sin(turn)).toFixed(2)}`;
    return svg('path', { class: 'spark', d: `M${on(3)}L${on(11)}` });
  });
  const effect = svg('g', { class: 'effect explosion' }, circle('fire', 6), circle('core', 3.2), ...sparks);
  effect.style.setProperty('--nth', nth);
  return effect;
}

/** The beam of the radar over its nine cells. */
function sweep() {
  const beam = svg('path', { class: 'beam', d: 'M5 5V-10A15 15 0 0 1 15.6 -5.6Z' });
  return svg('g', { class: 'effect sweep' }, circle('ring', 15), circle('ring', 8), beam);
}
