// Placing the fleet: ships are dragged, or picked from the list and put down at a cell.

import { CellGrid } from './grid.js';

/** The distance in pixels from which on a press is a drag. */
const DRAGGED = 6;

/** The fleet that a person is placing on its own board. `told` hears `changed()` and `refused(why)`. */
export class FleetPlacing {
  ships;
  #near;
  #size;
  /** The places in the order of the ships; null for a ship that is not on the board.
   * @type {(ShipPlace | null)[]} */
  places;
  /** The number of the ship that is to be put down next; null if all are.
   * @type {number | null} */
  held;
  /** The number of times that the ship in the hand was turned. */
  #turn = 0;
  /** @type {number | null} */
  #last = null;
  /** @type {Place | null} */
  #pointed = null;
  #told;
  #key;

  /** @param {PlaceQuestion} question @param {[number, number]} size @param {{ changed(): void, refused(why: string): void }} told */
  constructor({ ships, near }, size, told) {
    this.ships = ships;
    this.#near = near;
    this.#size = size;
    this.#told = told;
    this.#key = `fleet ${location.pathname}`;
    this.places = ships.map(() => null);
    this.#remembered();
    this.held = this.#next();
  }

  get isComplete() {
    return this.places.every((place) => place !== null);
  }

  /** Takes up what was placed before the page was loaded again. */
  #remembered() {
    try {
      /** @type {(ShipPlace | null)[]} */
      const places = JSON.parse(sessionStorage.getItem(this.#key) ?? '[]');
      if (places.length !== this.ships.length) return;
      places.forEach((place, ship) => {
        if (place && this.#mistake(ship, place) === null) this.places[ship] = place;
      });
    } catch {
      // Without a memory, the fleet is placed anew.
    }
  }

  #changed() {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.places));
    } catch {
      // As above.
    }
    this.#told.changed();
  }

  #next() {
    const next = this.places.indexOf(null);
    return next < 0 ? null : next;
  }

  /** The cells of a ship at a place.
   * @param {number} ship @param {ShipPlace} place @returns {Place[]} */
  cells(ship, { x, y, turn }) {
    return this.#steps(ship, turn).map(([dx, dy]) => [x + dx, y + dy]);
  }

  /** The cells of a ship that was turned so many times, as steps from the least column and row.
   * @param {number} ship @param {number} turn */
  #steps(ship, turn) {
    const { turns } = this.ships[ship];
    return turns[turn % turns.length];
  }

  /** The ship in a cell; undefined if there is none.
   * @param {number} x @param {number} y */
  shipAt(x, y) {
    const found = this.places.findIndex((place, ship) =>
      place && this.cells(ship, place).some(([cx, cy]) => cx === x && cy === y));
    return found < 0 ? undefined : found;
  }

  /** The reason why a ship cannot lie at a place; null if it can.
   * @param {number} ship @param {ShipPlace} place */
  #mistake(ship, place) {
    const cells = this.cells(ship, place);
    const [width, height] = this.#size;
    const { name, length } = this.ships[ship];
    if (cells.some(([x, y]) => x < 0 || y < 0 || x >= width || y >= height)) {
      return `The ${name} is ${length} cells long and would run off the board.`;
    }
    for (const [other, there] of this.places.entries()) {
      if (other === ship || !there) continue;
      const taken = this.cells(other, there);
      const meets = (/** @type {number} */ dx, /** @type {number} */ dy) => cells.some(([x, y]) => taken.some(([ox, oy]) => ox === x + dx && oy === y + dy));
      if (meets(0, 0)) return `The ${name} would lie on the ${this.ships[other].name}.`;
      if (this.#near.some(([dx, dy]) => meets(dx, dy))) return `The ${name} would touch the ${this.ships[other].name}.`;
    }
    return null;
  }

  /** The place of a ship that begins at a cell, moved so that the ship stays on the board.
   * @param {number} ship @param {number} x @param {number} y @param {number} turn */
  #fitted(ship, x, y, turn) {
    const [width, height] = this.#size;
    const steps = this.#steps(ship, turn);
    const within = (/** @type {number} */ at, /** @type {number} */ side, /** @type {number[]} */ along) => Math.max(0, Math.min(at, side - 1 - Math.max(...along)));
    return {
      x: within(x, width, steps.map(([dx]) => dx)),
      y: within(y, height, steps.map(([, dy]) => dy)),
      turn: turn % this.ships[ship].turns.length,
    };
  }

  /** The cells in which the held ship would lie, and whether it may.
   * @returns {{ cells: Place[], fits: boolean }} */
  get ghost() {
    if (this.held === null || this.#pointed === null) return { cells: [], fits: true };
    const place = this.#fitted(this.held, ...this.#pointed, this.#turn);
    return { cells: this.cells(this.held, place), fits: this.#mistake(this.held, place) === null };
  }

  /** Hears over which cell the held ship is; null for none.
   * @param {number | null} x @param {number | null} y */
  point(x, y) {
    this.#pointed = x === null || y === null ? null : [x, y];
    this.#told.changed();
  }

  /** Takes a ship into the hand: from the list, or from the board.
   * @param {number} ship */
  pick(ship) {
    const place = this.places[ship];
    if (place) {
      this.#turn = place.turn;
      this.#pointed = [place.x, place.y];
    }
    this.places[ship] = null;
    this.held = ship;
    this.#changed();
  }

  /** Puts the held ship down at a cell, or picks up the ship that lies there. Returns true if a ship was put down.
   * @param {number} x @param {number} y */
  choose(x, y) {
    if (this.held === null) {
      const ship = this.shipAt(x, y);
      if (ship !== undefined) this.pick(ship);
      return false;
    }
    const place = this.#fitted(this.held, x, y, this.#turn);
    const mistake = this.#mistake(this.held, place);
    if (mistake) {
      this.#told.refused(mistake);
      return false;
    }
    this.places[this.held] = place;
    this.#last = this.held;
    this.held = this.#next();
    this.#changed();
    return true;
  }

  /** Turns the held ship, or the one that was put down last. */
  turn() {
    const lies = this.#last === null ? null : this.places[this.#last];
    if (this.held !== null || this.#last === null || lies === null) {
      this.#turn += 1;
      this.#told.changed();
      return;
    }
    const last = this.#last;
    const others = this.ships[last].turns.slice(1).map((_, more) => this.#fitted(last, lies.x, lies.y, lies.turn + 1 + more));
    const place = others.find((other) => this.#mistake(last, other) === null);
    if (!place) {
      if (others.length > 0) this.#told.refused(/** @type {string} */ (this.#mistake(last, others[0])));
      return;
    }
    this.places[last] = place;
    this.#turn = place.turn;
    this.#changed();
  }

  clear() {
    this.take(this.ships.map(() => null));
  }

  /** Takes the places of all ships.
   * @param {(ShipPlace | null)[]} places */
  take(places) {
    this.places = places;
    this.held = this.#next();
    this.#last = null;
    this.#changed();
  }

  /** Forgets what was placed, because it was accepted. */
  accepted() {
    try {
      sessionStorage.removeItem(this.#key);
    } catch {
      // As above.
    }
  }
}

/**
 * Lets ships be dragged onto a grid, from the list or from elsewhere on the grid. `placing()` is the fleet that is being
 * placed, or null.
 * @param {CellGrid} grid @param {HTMLElement} tray @param {() => FleetPlacing | null} placing
 */
export function letDrag(grid, tray, placing) {
  /** @type {{ ship: number, offset: Place, x: number, y: number, dragged: boolean } | null} */
  let press = null;
  const cellAt = (/** @type {PointerEvent} */ event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.('.choice');
  /** @param {HTMLElement} cell @returns {Place} */
  const place = (cell) => [Number(cell.dataset.x), Number(cell.dataset.y)];
  /** @param {PointerEvent} event @param {number | undefined} ship @param {Place} offset */
  const begin = (event, ship, offset) => {
    if (!placing() || ship === undefined || event.button > 0) return;
    press = { ship, offset, x: event.clientX, y: event.clientY, dragged: false };
  };
  grid.element.addEventListener('pointerdown', (event) => {
    const cell = event.target.closest('.choice');
    // Otherwise a touch would keep the first cell as the target of all that follows.
    if (cell?.hasPointerCapture?.(event.pointerId)) cell.releasePointerCapture(event.pointerId);
    const fleet = placing();
    if (!cell || !fleet) return;
    const [x, y] = place(cell);
    const ship = fleet.shipAt(x, y);
    const start = ship === undefined ? null : fleet.places[ship];
    begin(event, ship, start ? [x - start.x, y - start.y] : [0, 0]);
  });
  tray.addEventListener('pointerdown', (event) => {
    const button = event.target.closest('button');
    if (button?.hasPointerCapture?.(event.pointerId)) button.releasePointerCapture(event.pointerId);
    if (button) begin(event, Number(button.dataset.ship), [0, 0]);
  });
  document.addEventListener('pointermove', (event) => {
    const fleet = placing();
    if (!press || !fleet) return;
    if (!press.dragged && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAGGED) return;
    if (!press.dragged) fleet.pick(press.ship);
    press.dragged = true;
    const cell = cellAt(event);
    if (!cell || !grid.element.contains(cell)) return;
    const [x, y] = place(cell);
    fleet.point(x - press.offset[0], y - press.offset[1]);
  });
  document.addEventListener('pointerup', (event) => {
    const done = press;
    press = null;
    const fleet = placing();
    if (!done?.dragged || !fleet) return;
    const cell = cellAt(event);
    if (cell && grid.element.contains(cell)) {
      const [x, y] = place(cell);
      fleet.choose(x - done.offset[0], y - done.offset[1]);
    }
    // The click that a drag with the mouse ends with is not a choice.
    const swallow = (/** @type {Event} */ click) => click.stopPropagation();
    document.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => document.removeEventListener('click', swallow, { capture: true }));
  });
  document.addEventListener('pointercancel', () => { press = null; });
}
