// The leaderboard, the next pairings, and the parked bots.

import { $, foreign, html, show } from '../elements.js';

/** The time for which some rows are shown before the next ones. */
export const PAGE_MS = 8000;
/** The number of rows that stay while the others are shown in turns. */
const PINNED = 3;
/** The number of pairings that are shown, so that nothing below them moves. */
const PAIRINGS = 4;

/** The leaderboard of the tournament, or that of all matches. Without this script, the table stays as the server made it. */
export class Leaderboard {
  #box = document.querySelector('.ranks');
  #note = document.querySelector('.ranks .note');
  #bodies = [$('first-three'), $('others')];
  /** Both leaderboards as they were last published.
   * @type {Leaderboards | null} */
  #boards = null;
  #number = 0;
  /** @type {HTMLTableRowElement[]} */
  #rows = [];
  #first = 0;
  #shown = 0;
  /** True if the leaderboard of all matches is shown. */
  isTotal = false;

  /** Shows new results.
   * @param {Leaderboards} boards @param {string[]} playing */
  update(boards, playing) {
    this.#boards = boards;
    this.#draw(playing);
  }

  /** Takes over the number of the current tournament, which is the title.
   * @param {number} number */
  tournament(number) {
    this.#number = number;
    this.#name();
  }

  /** Shows the other leaderboard.
   * @param {string[]} playing */
  toggle(playing) {
    this.isTotal = !this.isTotal;
    this.#first = 0;
    this.#name();
    this.#draw(playing);
  }

  /** Marks the bots with these names.
   * @param {string[]} playing */
  mark(playing) {
    for (const row of this.#rows) row.classList.toggle('playing', playing.includes(row.dataset.bot ?? ''));
  }

  /** Shows the next rows below the first three, and after the last ones the first. */
  turn() {
    if (this.#shown === this.#rows.length - PINNED) return;
    this.#first += this.#shown;
    this.fill();
  }

  #name() {
    $('ranks-title').textContent = this.isTotal ? 'All matches' : `Tournament ${this.#number}`;
  }

  /** @param {string[]} playing */
  #draw(playing) {
    const rows = this.#boards?.[this.isTotal ? 'all' : 'tournament'] ?? [];
    this.#rows = rows.map((row) => {
      const cells = [row.wins, row.draws, row.losses].map((value) => html('td', {}, value));
      const name = html('th', { scope: 'row' }, html('span', { class: 'name', title: row.name }, foreign(row.name)));
      return html('tr', { 'data-bot': row.name }, html('td', {}, row.rank), name, ...cells);
    });
    this.mark(playing);
    this.fill();
  }

  /** Shows as many rows as fit. Where the page can be scrolled, all rows fit. */
  fill() {
    if (!this.#boards) return;
    if (this.#first >= this.#rows.length - PINNED) this.#first = 0;
    const [top, rest] = this.#bodies;
    top.replaceChildren(...this.#rows.slice(0, PINNED));
    rest.replaceChildren(...this.#rows.slice(PINNED + this.#first));
    while (rest.rows.length > 1 && this.#box.scrollHeight > this.#box.clientHeight + 1) rest.rows[rest.rows.length - 1].remove();
    this.#shown = rest.rows.length;
    const from = PINNED + this.#first + 1;
    const all = PINNED + this.#shown >= this.#rows.length;
    this.#note.textContent = all ? '' : `${from} – ${from + this.#shown - 1} of ${this.#rows.length}`;
  }
}

const versus = () => html('span', { class: 'versus' }, '–', html('span', { class: 'unseen' }, ' against '));

/** Shows the next pairings, and the number of those that are left out.
 * @param {TournamentView} tournament */
export function upcoming({ next, leftOut }) {
  const item = (/** @type {[string, string]} */ [one, other]) => html('li', {},
    html('span', { class: 'name' }, foreign(one)), versus(), html('span', { class: 'name' }, foreign(other)));
  const shown = next.slice(0, PAIRINGS);
  $('next').replaceChildren(...(shown.length > 0 ? shown.map(item) : [html('li', { class: 'nobody' }, 'nobody yet')]));
  show($('left-out'), leftOut > 0);
  $('left-out').textContent = `Left out: ${leftOut} of parked bots`;
}

/** Shows the parked bots with their last faults.
 * @param {BotView[]} bots */
export function parking(bots) {
  const parked = bots.filter((bot) => bot.state === 'parked');
  const item = (/** @type {BotView} */ bot) => html('li', {}, html('span', { class: 'name' }, foreign(bot.name)), ' ', html('span', { class: 'why' }, foreign(bot.lastFault ?? '')));
  $('parked').replaceChildren(...parked.map(item));
  show(/** @type {HTMLElement} */ ($('parked').parentElement), parked.length > 0);
}
