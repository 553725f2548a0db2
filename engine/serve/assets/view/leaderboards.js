// Both leaderboards, the next pairings, and the parked bots. Rows that do not fit are shown in turns.

/** The time for which some rows are shown before the next ones. */
const PAGE_MS = 8000;

/** A leaderboard. Without this script, the table stays as the server made it. */
class Leaderboard {
  #table;
  #box;
  #note;
  #rows = [];
  #first = 0;
  #shown = [];

  constructor(table) {
    this.#table = table;
    this.#box = table.parentElement;
    this.#note = this.#box.querySelector('.note');
    this.#rows = [...table.tBodies[0].rows].filter((row) => row.querySelector('th'));
  }

  /** Shows these rows, and marks the bots of the current match. */
  update(rows, playing) {
    this.#rows = rows.map((row) => {
      const cells = [row.wins, row.draws, row.losses].map((value) => html('td', {}, value));
      const name = html('th', { scope: 'row' }, html('span', { class: 'name' }, foreign(row.name)));
      return html('tr', { 'data-bot': row.name }, html('td', {}, row.rank), name, ...cells);
    });
    this.mark(playing);
    this.#fill();
  }

  /** Marks the bots with these names. */
  mark(playing) {
    for (const row of this.#rows) row.classList.toggle('playing', playing.includes(row.dataset.bot));
  }

  /** Shows the next rows, and after the last ones the first. */
  turn() {
    this.#first += this.#shown.length;
    this.#fill();
  }

  /** Shows as many rows as fit. Where the page can be scrolled, all rows fit. */
  #fill() {
    if (this.#first >= this.#rows.length) this.#first = 0;
    const body = this.#table.tBodies[0];
    body.replaceChildren(...this.#rows.slice(this.#first));
    while (body.rows.length > 1 && this.#box.scrollHeight > this.#box.clientHeight + 1) body.rows[body.rows.length - 1].remove();
    this.#shown = [...body.rows];
    const all = this.#shown.length === this.#rows.length;
    this.#note.textContent = all ? '' : `${this.#first + 1} – ${this.#first + this.#shown.length} of ${this.#rows.length}`;
  }
}

/** Shows the next pairings. */
function upcoming(pairings) {
  const item = ([one, other]) => html('li', {},
    html('span', { class: 'name' }, foreign(one)), html('span', { class: 'versus' }, 'against'), html('span', { class: 'name' }, foreign(other)));
  $('next').replaceChildren(...(pairings.length > 0 ? pairings.map(item) : [html('li', { class: 'nobody' }, 'nobody yet')]));
}

/** Shows the parked bots with their last faults. */
function parking(bots) {
  const parked = bots.filter((bot) => bot.state === 'parked');
  const item = (bot) => html('li', {}, html('span', { class: 'name' }, foreign(bot.name)), ' ', html('span', { class: 'why' }, foreign(bot.lastFault ?? '')));
  $('parked').replaceChildren(...parked.map(item));
  show($('parked').parentElement, parked.length > 0);
}
