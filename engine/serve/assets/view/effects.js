// Effects on a board. board.js draws everything that matters, too, and that stays: visitors who prefer no motion
// (`prefers-reduced-motion`) see only that.

/** The most turns whose effects stay on a board. */
const AT_ONCE = 4;

/** Shows the last actions on the boards.
 * @param {BoardView[]} boards @param {MatchScene} scene */
function play(boards, scene) {
  boards.forEach((board, seat) => {
    const layer = layerOf(board);
    const fresh = scene.latest.filter((deed) => seatOf(deed.seat) !== seat).flatMap((deed) => effectsOf(deed, scene.sides[seat]));
    if (fresh.length > 0) layer.append(svg('g', {}, ...fresh.map(([cell, effect]) => placed(board, cell, effect))));
    while (layer.childElementCount > AT_ONCE) layer.firstElementChild?.remove();
  });
}

/** Removes all effects from the boards.
 * @param {BoardView[]} boards */
function calm(boards) {
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

/** @param {Point} cell @param {SVGElement} effect @returns {[Point, SVGElement]} */
const inCell = (cell, effect) => [cell, effect];

/** The effects of an action, with their cells.
 * @param {PlayerAction} deed @param {Side} side @returns {[Point, SVGElement][]} */
function effectsOf(deed, side) {
  if (deed.kind === 'radar') return [[deed, sweep()], ...deed.seen.map(([x, y]) => inCell({ x, y }, blip()))];
  if (deed.kind !== 'shot') return [];
  if (deed.result === 'miss') return [[deed, splash()]];
  if (deed.result === 'hit') return [[deed, explosion(0)]];
  const rest = side.wreck(deed).filter((cell) => cell.x !== deed.x || cell.y !== deed.y);
  return [[deed, explosion(0)], ...rest.map((cell, nth) => inCell(cell, explosion(nth + 1))), [deed, shock()]];
}

/** An effect in a cell of a board.
 * @param {BoardView} board @param {Point} cell @param {SVGElement} effect */
function placed(board, { x, y }, effect) {
  const cell = board.element.querySelector(`.cell[data-x="${x}"][data-y="${y}"]`);
  return svg('g', { transform: cell.getAttribute('transform') }, effect);
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
