// All actions in their order, as far as the match was watched. Each entry leads to its moment. One entry is a stop of the
// tab key; arrows go to the others.

import { badge, foreign, html, svg } from '../elements.js';
import { MatchEvents } from '../match.js';

/** Sees when the list of the last log gets another size.
 * @type {ResizeObserver | undefined} */
let resized;

/** The log of a match. */
export class Log {
  #list;
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  #current = 0;

  /** @param {HTMLElement} list @param {(at: number) => void} choose */
  constructor(list, choose) {
    this.#list = list;
    list.onclick = (event) => {
      const button = event.target.closest?.('button');
      if (button) choose(this.#buttons.indexOf(button));
    };
    list.onkeydown = (event) => this.#move(event);
    // In a list of another size, the entry may be elsewhere.
    resized?.disconnect();
    resized = new ResizeObserver(() => this.#buttons[this.#current] && this.#reveal(this.#buttons[this.#current]));
    resized.observe(list);
  }

  /** Removes all entries. */
  clear() {
    this.#buttons = [];
    this.#list.replaceChildren();
  }

  /** Lists the entries up to a moment.
   * @param {MatchEvents} matchEvents @param {number} until */
  reveal(matchEvents, until) {
    const fresh = matchEvents.entries.slice(this.#buttons.length, until + 1).map((entry) => {
      const deeds = entry.deeds.map(({ seat, deed }) => this.#deed(seat, deed, entry.highlights));
      const button = html('button', { class: 'entry', tabindex: -1 }, html('span', { class: 'when' }, entry.title), ...deeds);
      this.#buttons.push(button);
      return html('li', {}, button);
    });
    this.#list.append(...fresh);
  }

  /** @param {number} seat @param {string} deed @param {Highlight[]} highlights */
  #deed(seat, deed, highlights) {
    const kinds = highlights.filter((highlight) => highlight.seat === seat).map((highlight) => highlight.kind);
    const signs = [...new Set(kinds)].map((kind) =>
      svg('svg', { class: `mark ${kind}`, viewBox: '0 0 10 10', 'aria-hidden': 'true' }, svg('use', { href: `#mark-${kind}` })));
    return html('span', { class: 'line' }, badge(seat), ' ', html('span', { class: 'what' }, foreign(deed)), html('span', { class: 'signs' }, ...signs));
  }

  /** Marks the entry of a moment, and scrolls the list to it without moving the page.
   * @param {number} at */
  point(at) {
    const old = this.#buttons[this.#current];
    old?.removeAttribute('aria-current');
    old?.setAttribute('tabindex', -1);
    this.#current = at;
    const button = this.#buttons[at];
    if (!button) return;
    button.setAttribute('aria-current', 'step');
    button.setAttribute('tabindex', 0);
    this.#reveal(button);
  }

  /** @param {HTMLElement} button */
  #reveal(button) {
    const list = this.#list.getBoundingClientRect();
    const entry = button.getBoundingClientRect();
    if (entry.top < list.top) this.#list.scrollTop += entry.top - list.top - list.height / 3;
    else if (entry.bottom > list.bottom) this.#list.scrollTop += entry.bottom - list.bottom + list.height / 3;
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const button = event.target.closest?.('button');
    const from = button ? this.#buttons.indexOf(button) : -1;
    const to = step && this.#buttons[from + step];
    if (from < 0 || !to) return;
    to.focus({ preventScroll: true });
    this.#reveal(to);
    event.preventDefault();
  }
}
