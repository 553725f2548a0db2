// A board: its cells as SVG, and facts beside it. Row 0 is at the bottom, or at the top if the game says so.

import { $, badge, foreign, html, show, svg } from './elements.js';
import { Match, letter, point, seenBy, shipIn, written } from './match.js';
import { called, description, duration, meaning } from './text.js';

/** Side of a cell in the units of the drawing. */
export const CELL = 10;
/** Room for the numbers of the rows and columns. */
export const MARGIN = 8;

/** Names of looks, for the style.
 * @type {Record<string, string>} */
const MARKS = { '~': 'water', '#': 'ship', '%': 'dented', '*': 'hit', '!': 'miss', '^': 'shot', '@': 'caught' };

/** The board of one seat on the page. */
export class BoardView {
  element;
  #match;
  #seat;
  /** @type {{ element: SVGGElement, drawn: string | null }[]} */
  #cells = [];
  #drawing;
  #deed = html('p', { class: 'deed' });
  #time = html('span', { class: 'time' });
  #facts = html('dl', { class: 'facts' });
  /** @type {FleetShip[] | null} */
  #fleetShown = null;
  #fleet = html('ul', { class: 'ships', hidden: true });

  /** @param {Match} match @param {number} seat */
  constructor(match, seat) {
    this.#match = match;
    this.#seat = seat;
    const [width, height] = match.setup.grids[seat];
    this.#drawing = this.#draw(width, height);
    const name = match.setup.names[seat];
    const title = html('h3', { title: name }, badge(seat), html('span', { class: 'name' }, foreign(name)), this.#time);
    const parts = [title, this.#deed, this.#drawing, this.#fleet, this.#facts];
    this.element = html('article', { class: `board seat-${seat}`, 'data-seat': letter(seat) }, ...parts);
  }

  /** @param {number} width @param {number} height */
  #draw(width, height) {
    const wide = MARGIN + width * CELL + 1;
    const high = MARGIN + height * CELL + 1;
    const drawing = svg('svg', { class: 'grid', role: 'img', viewBox: `0 0 ${wide} ${high}` });
    const fromTop = this.#match.setup.first_row_on_top;
    const top = (/** @type {number} */ y) => (fromTop ? MARGIN - 0.5 + y * CELL : (height - 1 - y) * CELL + 0.5);
    const columns = fromTop ? MARGIN / 2 - 0.5 : height * CELL + MARGIN / 2 + 1;
    for (let x = 0; x < width; x += 1) {
      for (let y = 0; y < height; y += 1) {
        const place = `translate(${MARGIN + x * CELL} ${top(y)})`;
        const cell = svg('g', { class: 'cell', 'data-x': x, 'data-y': y, transform: place });
        this.#cells.push({ element: cell, drawn: null });
        drawing.append(cell);
      }
      drawing.append(number(MARGIN + x * CELL + CELL / 2, columns, x));
    }
    for (let y = 0; y < height; y += 1) {
      drawing.append(number(MARGIN / 2 - 0.5, top(y) + CELL / 2, y));
    }
    return drawing;
  }

  /**
   * Shows a board of a scene. `time` is the duration of the player's answer in milliseconds, or undefined; `shooter` the
   * seat that fired at the board, or undefined.
   * @param {Board} board @param {number | undefined} time @param {boolean} won @param {number=} shooter
   */
  update(board, time, won, shooter) {
    const most = Math.max(...board.shots);
    board.looks.forEach((look, at) => this.#paint(board, look, at, most, shooter));
    this.#drawing.setAttribute('aria-label', description(this.#match, this.#seat, board));
    this.#deed.replaceChildren(foreign(board.deed));
    this.#deed.title = board.deed;
    this.#time.textContent = time === undefined ? '' : duration(time);
    this.#showFleet(board.fleet);
    // The ships in words take the place of their letters.
    const facts = board.factLabels.map((label, at) => ({ label, value: board.facts[at] }))
      .filter(({ label }) => label !== 'ships' || this.#fleet.hidden);
    this.#facts.replaceChildren(...facts.map(({ label, value }) =>
      html('div', { title: `${label} ${value}` }, html('dt', {}, label), html('dd', {}, foreign(value)))));
    this.element.classList.toggle('won', won);
  }

  /** Lists the ships by their kinds; those that are sunk are struck out.
   * @param {FleetShip[]} fleet */
  #showFleet(fleet) {
    if (fleet === this.#fleetShown) return;
    this.#fleetShown = fleet;
    const nameOf = (/** @type {FleetShip} */ ship) => called(this.#match, ship.letter);
    const item = (/** @type {string} */ name) => {
      const ships = fleet.filter((ship) => nameOf(ship) === name);
      const afloat = ships.filter((ship) => !ship.sunk).length;
      const state = ships.length === 1 ? (afloat ? 'afloat' : 'sunk') : `${afloat} of ${ships.length} afloat`;
      const hulls = ships.map((ship) => html('i', { class: ship.sunk ? 'lost' : null },
        ...Array.from({ length: ship.length }, () => html('b'))));
      return html('li', { class: `${this.#match.ship(ships[0].letter)?.hue ?? 'plain'}${afloat ? '' : ' lost'}`, title: `${name}, ${state}` },
        html('span', { class: 'hulls', 'aria-hidden': 'true' }, ...hulls),
        html('span', { class: 'kind' }, name), html('span', { class: 'unseen' }, `, ${state}`));
    };
    show(this.#fleet, fleet.length > 0);
    this.#fleet.replaceChildren(...[...new Set(fleet.map(nameOf))].map(item));
    this.#fleet.setAttribute('aria-label', `${fleet.filter((ship) => !ship.sunk).length} of ${fleet.length} ships afloat`);
  }

  /** Draws a cell again if it looks different.
   * @param {Board} board @param {string} look @param {number} at @param {number} most @param {number | undefined} shooter */
  #paint(board, look, at, most, shooter) {
    const cell = this.#cells[at];
    const joined = joints(board, at, this.#match.setup.first_row_on_top);
    const fresh = board.fresh.has(at);
    const scanned = board.scanned.has(at);
    const drawn = [look, fresh, fresh && shooter, scanned, joined, board.shots[at], most].join();
    if (cell.drawn === drawn) return;
    cell.drawn = drawn;
    const { element } = cell;
    const shielded = look.endsWith('+');
    const ship = shipIn(look);
    element.setAttribute('data-mark', MARKS[look[0]]);
    attribute(element, 'data-letter', ship);
    element.toggleAttribute('data-shielded', shielded);
    element.toggleAttribute('data-fresh', fresh);
    element.toggleAttribute('data-scanned', scanned);
    for (const sign of rareSigns(look)) explain(sign);
    if (scanned) explain('scanned');
    element.setAttribute('data-shots', board.shots[at]);
    const hint = svg('title', {}, `${written(point(board, at))}: ${meaning(this.#match, look)}`);
    element.replaceChildren(hint, ...picture(look[0], ship, { shielded, fresh, scanned, shooter }, joined, this.#match.ship(ship)?.hue), ...heat(board.shots[at], most));
  }
}

/** Sets an attribute, or removes it if the text is empty.
 * @param {Element} element @param {string} name @param {string} text */
function attribute(element, name, text) {
  if (text) element.setAttribute(name, text);
  else element.removeAttribute(name);
}

/** @param {number} x @param {number} y @param {number} text */
function number(x, y, text) {
  return svg('text', { class: 'axis', x, y }, String(text));
}

/** The sides of a cell, as letters, on which the same ship goes on: the next cell has the same letter.
 * @param {Board} board @param {number} at @param {boolean} fromTop */
function joints(board, at, fromTop) {
  const ship = shipIn(board.looks[at]);
  if (!ship) return '';
  const { x, y } = point(board, at);
  const same = (/** @type {boolean} */ there, /** @type {number} */ other) => there && shipIn(board.looks[other]) === ship;
  return [
    same(y + 1 < board.height, at + 1) ? (fromTop ? 's' : 'n') : '',
    same(x + 1 < board.width, at + board.height) ? 'e' : '',
    same(y > 0, at - 1) ? (fromTop ? 'n' : 's') : '',
    same(x > 0, at - board.height) ? 'w' : '',
  ].join('');
}

/** The drawing of a cell. Every sign has a shape of its own, so that nobody depends on colours.
 * @param {string} sign @param {string} ship @param {{ shielded: boolean, fresh: boolean, scanned: boolean, shooter?: number }} over @param {string} joined @param {string=} hue */
function picture(sign, ship, { shielded, fresh, scanned, shooter }, joined, hue = 'plain') {
  /** @type {SVGElement[]} */
  const parts = [svg('rect', { class: 'water', width: CELL, height: CELL })];
  if (ship) parts.push(hull(joined, hue));
  if (shielded) parts.push(svg('rect', { class: 'shield', x: 0.7, y: 0.7, width: CELL - 1.4, height: CELL - 1.4 }));
  if (sign === '%') parts.push(use('dent'));
  if (sign === '*') parts.push(use('burst'));
  if (sign === '*' && !ship) parts.push(use('cross'));
  if (sign === '!') parts.push(use('miss'));
  if (sign === '^') parts.push(use('shot'));
  if (sign === '@') parts.push(use('caught'));
  if (ship) parts.push(svg('text', { class: 'letter', x: CELL / 2, y: CELL / 2 }, ship));
  if (scanned) parts.push(use('scan'));
  if (fresh) parts.push(use('sight', shooter === undefined ? '' : ` seat-${shooter}`));
  return parts;
}

/** @param {string} sign @param {string=} more */
const use = (sign, more = '') => svg('use', { class: sign + more, href: `#sign-${sign}`, width: CELL, height: CELL });

/** A piece of a ship: round where the ship ends, open where it goes on.
 * @param {string} joined @param {string} hue */
function hull(joined, hue) {
  const inset = 1.2;
  const side = (/** @type {string} */ letter) => (joined.includes(letter) ? 0 : inset);
  const [north, east, south, west] = ['n', 'e', 's', 'w'].map(side);
  const round = (/** @type {number} */ one, /** @type {number} */ other) => (one && other ? 2.6 : 0);
  const [top, right, bottom, left] = [north, CELL - east, CELL - south, west];
  const [nw, ne, se, sw] = [round(north, west), round(north, east), round(south, east), round(south, west)];
  const path = [
    `M${left + nw} ${top}H${right - ne}`, `q${ne} 0 ${ne} ${ne}`,
    `V${bottom - se}`, `q0 ${se} ${-se} ${se}`,
    `H${left + sw}`, `q${-sw} 0 ${-sw} ${-sw}`,
    `V${top + nw}`, `q0 ${-nw} ${nw} ${-nw}Z`,
  ];
  return svg('path', { class: `hull ${hue}`, d: path.join('') });
}

/** The number of shots at a cell, for the density view only.
 * @param {number} shots @param {number} most */
function heat(shots, most) {
  if (shots === 0) return [];
  const opacity = 0.3 + (0.7 * shots) / most;
  return [
    svg('rect', { class: 'heat', width: CELL, height: CELL, 'fill-opacity': opacity.toFixed(2) }),
    svg('text', { class: `count${opacity > 0.8 ? ' strong' : ''}`, x: CELL / 2, y: CELL / 2 }, String(shots)),
  ];
}

/** The signs and their meanings. Signs with a name are not in every game and are hidden until they are on a board. */
export function legend() {
  const signs = [
    ['#S', 'ship'],
    ['#?', 'ship seen by radar', 'unknown'],
    ['%S', 'armour hit, holds', 'dented'],
    ['*S', 'hit'],
    ['*', 'hit, ship not known', 'nameless'],
    ['!', 'miss'],
    ['^', 'shot, result not told', 'shot'],
    ['@', 'caught by a shield', 'caught'],
    ['~+', 'shielded', 'shielded'],
    ['~', 'radar looked here', 'scanned'],
    ['~', 'last shot', 'fresh'],
  ];
  return signs.map(([look, words, name]) => {
    const over = { shielded: look.endsWith('+'), fresh: name === 'fresh', scanned: name === 'scanned' };
    const cell = svg('g', { 'data-mark': MARKS[look[0]] }, ...picture(look[0], shipIn(look), over, ''));
    const item = html('li', {}, svg('svg', { class: 'grid', viewBox: '0 0 10 10', 'aria-hidden': 'true' }, cell), words);
    if (name && !over.fresh) {
      item.dataset.sign = name;
      item.hidden = true;
    }
    return item;
  });
}

/** Signs that are not in every game, with their names.
 * @type {Record<string, string | undefined>} */
const RARE = { '%': 'dented', '^': 'shot', '@': 'caught' };

/** The names of the signs in a cell's look that are not in every game.
 * @param {string} look @returns {string[]} */
function rareSigns(look) {
  const sign = RARE[look[0]] ?? (look === '*' || look === '*+' ? 'nameless' : null);
  return [sign ?? '', shipIn(look) === '?' ? 'unknown' : '', look.endsWith('+') ? 'shielded' : ''].filter(Boolean);
}

/** The names of the signs that this eye sees in the frames so far and that are not in every game.
 * @param {Match} match @param {number} eye @returns {Set<string>} */
export function signsOf(match, eye) {
  /** @type {Set<string>} */
  const signs = new Set();
  for (const board of match.frames.flatMap((frame) => frame.boards)) {
    const told = seenBy(eye, board) ?? {};
    for (const sign of Object.keys(told.cells ?? {}).flatMap(rareSigns)) signs.add(sign);
    if (told.scanned && told.scanned.length > 0) signs.add('scanned');
  }
  return signs;
}

/** Shows the meanings of these signs beside those that are in every game.
 * @param {Set<string>} signs */
export function showLegend(signs) {
  for (const item of $('legend').querySelectorAll('[data-sign]')) item.hidden = !signs.has(item.dataset.sign);
}

/** Shows the meaning of a sign, too.
 * @param {string} name */
function explain(name) {
  const item = $('legend')?.querySelector(`[data-sign=${name}]`);
  if (item) item.hidden = false;
}
