// The cells of a board as a grid that can be reached by mouse, touch and keys. It lies over the drawing of the board.

import { html } from '../elements.js';
import { CELL, MARGIN } from '../board.js';

/** @type {Record<string, Place>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * A grid of cells. One cell is in the tab order; arrows lead to the others. `told` has the functions `choose(x, y)` and
 * `point(x, y)`, which hears over which cell the pointer or the focus is, or that it has left.
 */
export class CellGrid {
  element;
  /** @type {Map<string, HTMLElement>} */
  #cells = new Map();
  /** @type {HTMLElement[]} */
  #rows = [];
  #fromTop;
  #size;
  /** @type {Place} */
  #current;

  /** @param {string} name @param {[number, number]} size @param {boolean} fromTop @param {GridListener} told */
  constructor(name, [width, height], fromTop, told) {
    this.#size = [width, height];
    this.#fromTop = fromTop;
    this.element = html('div', { class: 'cells', role: 'grid', 'aria-label': name });
    const rows = Array.from({ length: height }, (_, at) => (fromTop ? at : height - 1 - at));
    for (const y of rows) {
      const row = html('div', { class: 'row', role: 'row' });
      for (let x = 0; x < width; x += 1) {
        const cell = html('div', { class: 'choice', role: 'gridcell', tabindex: '-1', 'data-x': x, 'data-y': y });
        this.#cells.set(`${x},${y}`, cell);
        row.append(cell);
      }
      this.#rows.push(row);
    }
    this.element.append(...this.#rows);
    this.#current = [0, rows[0]];
    this.#move(0, rows[0], false);
    this.element.onkeydown = (event) => this.#pressed(event, told);
    this.element.onclick = (event) => this.#at(event.target, (x, y) => {
      this.#move(x, y, true);
      told.choose(x, y);
    });
    this.element.onpointerover = (event) => this.#at(event.target, told.point);
    // Keys move the focus; a pointer has been heard already. There is no `onfocusin`.
    this.element.addEventListener('focusin', (event) => event.target.matches(':focus-visible') && this.#at(event.target, told.point));
    this.element.onpointerleave = () => told.point(null, null);
  }

  /** @param {Element} target @param {(x: number, y: number) => void} told */
  #at(target, told) {
    const cell = target.closest?.('.choice');
    if (cell) told(Number(cell.dataset.x), Number(cell.dataset.y));
  }

  /** @param {KeyboardEvent} event @param {GridListener} told */
  #pressed(event, told) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [x, y] = this.#current;
    const [width, height] = this.#size;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const up = this.#fromTop ? -arrow[1] : arrow[1];
      this.#move(Math.min(width - 1, Math.max(0, x + arrow[0])), Math.min(height - 1, Math.max(0, y + up)), true);
    } else if (event.key === 'Home') this.#move(0, y, true);
    else if (event.key === 'End') this.#move(width - 1, y, true);
    else if (event.key === 'Enter' || event.key === ' ') told.choose(x, y);
    else return;
    event.preventDefault();
  }

  /** @param {number} x @param {number} y @param {boolean} focus */
  #move(x, y, focus) {
    const old = this.cell(...this.#current);
    if (old) old.tabIndex = -1;
    this.#current = [x, y];
    const cell = /** @type {HTMLElement} */ (this.cell(x, y));
    cell.tabIndex = 0;
    if (focus) cell.focus({ preventScroll: false });
  }

  /** The element of a cell; undefined off the board.
   * @param {number} x @param {number} y */
  cell(x, y) {
    return this.#cells.get(`${x},${y}`);
  }

  /** Marks these cells with a class, and no others. Places off the board are left out.
   * @param {string} name @param {Place[]} places */
  mark(name, places) {
    for (const cell of this.element.querySelectorAll(`.${name}`)) cell.classList.remove(name);
    for (const [x, y] of places) this.cell(x, y)?.classList.add(name);
  }

  /** Names every cell for screen readers and as a hint.
   * @param {(x: number, y: number) => string} words */
  describe(words) {
    for (const cell of this.#cells.values()) {
      const text = words(Number(cell.dataset.x), Number(cell.dataset.y));
      if (cell.getAttribute('aria-label') === text) continue;
      cell.setAttribute('aria-label', text);
      cell.title = text;
    }
  }
}

/** Lays a grid over the drawing in a board's element.
 * @param {HTMLElement} board @param {CellGrid} grid @param {[number, number]} size @param {boolean} fromTop */
export function overlay(board, grid, [width, height], fromTop) {
  const drawing = board.querySelector('svg.grid');
  const field = html('div', { class: 'field' });
  drawing.replaceWith(field);
  field.append(drawing, grid.element);
  const wide = MARGIN + width * CELL + 1;
  const high = MARGIN + height * CELL + 1;
  field.style.setProperty('--ratio', wide / high);
  const top = fromTop ? MARGIN - 0.5 : 0.5;
  const inset = [top / high, 1 / wide, 1 - (top + height * CELL) / high, MARGIN / wide];
  grid.element.style.setProperty('inset', inset.map((part) => `${(100 * part).toFixed(3)}%`).join(' '));
}
