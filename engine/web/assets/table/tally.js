// Counts of a match up to a moment, for the table: who sank whom, who shot at whom, and each salvo in words.

import { Match, MatchEvents, seatOf, seenBy } from '../match.js';

/** The counts for one eye. */
export class Tally {
  #match;
  #eye;
  #matchEvents;
  /** The number of moments that are counted. */
  #done = 0;
  /** The fleets by seat.
   * @type {FleetShip[][]} */
  #fleets = [];
  /** Whose turn it is, with the shots that are left; null if it is nobody's.
   * @type {MoverView | null} */
  mover = null;
  /** All sinkings, first to last, each with its moment.
   * @type {Sinking[]} */
  sinkings = [];
  /** The sinkings of the salvo that is being fired.
   * @type {Sinking[]} */
  sank = [];
  /** By shooter, by target: ships sunk, shots, and shots that hit. The last two are known to the referee.
   * @type {number[][]} */
  sunk = [];
  /** @type {number[][]} */
  shots = [];
  /** @type {number[][]} */
  hits = [];
  /** What happened, a salvo at a time: the moment, the seat, the words, the ships it sank, the seats that are out.
   * @type {Salvo[]} */
  words = [];
  /** True if any cell of a board is known. */
  knowsCells = false;

  /** @param {Match} match @param {number} eye @param {MatchEvents} matchEvents */
  constructor(match, eye, matchEvents) {
    this.#match = match;
    this.#eye = eye;
    this.#matchEvents = matchEvents;
    this.#clear();
  }

  /** Counts up to a moment. Returns the counts, which change with the next call.
   * @param {number} moment */
  at(moment) {
    if (moment + 1 < this.#done) this.#clear();
    for (; this.#done <= moment; this.#done += 1) this.#add(this.#done);
    return this;
  }

  #clear() {
    const { seats } = this.#match;
    const matrix = () => Array.from({ length: seats }, () => Array(seats).fill(0));
    this.#done = 0;
    this.#fleets = Array.from({ length: seats }, () => []);
    this.mover = null;
    this.sinkings = [];
    this.sank = [];
    this.sunk = matrix();
    this.shots = matrix();
    this.hits = matrix();
    this.words = [];
    this.knowsCells = false;
  }

  /** @param {number} at */
  #add(at) {
    const frame = this.#match.frames[at];
    const shooter = this.mover;
    this.mover = seenBy(this.#eye, frame.mover) ?? null;
    frame.boards.forEach((board, target) => this.#addBoard(seenBy(this.#eye, board) ?? {}, target, shooter));
    for (const { by, target, letter } of seenBy(this.#eye, frame.sinkings) ?? []) {
      const sinking = { at, by: seatOf(by), target: seatOf(target), letter };
      this.sinkings.push(sinking);
      this.sank.push(sinking);
      this.sunk[sinking.by][sinking.target] += 1;
    }
    this.#tell(at, shooter, seenBy(this.#eye, frame.total));
  }

  /** @param {BoardChange} told @param {number} target @param {MoverView | null} shooter */
  #addBoard(told, target, shooter) {
    this.#fleets[target] = told.fleet ?? this.#fleets[target];
    const cells = Object.entries(told.cells ?? {});
    this.knowsCells ||= cells.length > 0;
    if (!shooter) return;
    const by = seatOf(shooter.seat);
    const hit = new Set(cells.filter(([look]) => look[0] === '*').flatMap(([, list]) => list));
    for (const cell of told.fresh ?? []) {
      this.shots[by][target] += 1;
      if (hit.has(cell)) this.hits[by][target] += 1;
    }
  }

  /** Adds words for a salvo that is over, for what went wrong, and for the beginning.
   * @param {number} at @param {MoverView | null} shooter @param {TotalView | undefined} total */
  #tell(at, shooter, total) {
    const { deeds, highlights } = this.#matchEvents.entries[at];
    const failed = highlights.filter(({ kind }) => kind === 'fault').map(({ seat }) => seat);
    for (const { seat, deed } of deeds.filter(({ seat }) => failed.includes(seat))) {
      // The salvo is in the same words.
      const sank = total ? this.sank : [];
      this.words.push({ at, seat, text: deed, sank, out: this.#out(sank) });
    }
    if (total) {
      const seat = seatOf(total.seat);
      if (!failed.includes(seat)) this.words.push({ at, seat, text: salvoWords(total, shooter), sank: this.sank, out: this.#out(this.sank) });
      this.sank = [];
    }
    if (!shooter && this.mover) this.words.push({ at, seat: seatOf(this.mover.seat), text: 'begins', sank: [], out: [] });
  }

  /** The seats whose last ship is one of these.
   * @param {Sinking[]} sank */
  #out(sank) {
    const lost = [...new Set(sank.map(({ target }) => target))];
    return lost.filter((seat) => this.#fleets[seat].every((ship) => ship.sunk));
  }
}

/** @param {number} count @param {string} word */
export const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A salvo in words. Without a hit there is no sinking.
 * @param {TotalView} total @param {MoverView | null} shooter */
function salvoWords({ shots, hits }, shooter) {
  const fired = shooter && shots < shooter.shots ? `${shots} of ${counted(shooter.shots, 'shot')}` : counted(shots, 'shot');
  return `${fired}, ${counted(hits, 'hit')}`;
}
