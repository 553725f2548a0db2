// The match on a screen: the boards, whose turn it is, the last actions in words, and the winner.

import { $, badge, foreign, html, show } from '../elements.js';
import { Match, MatchEvents, SceneReader, letter, seatOf, seenBy } from '../match.js';
import { BoardView } from '../board.js';
import { showChances } from '../heat.js';
import { calm, play } from './effects.js';
import { showOutlook } from './outlook.js';

/** A screen sees with one eye: that of everyone, or, where nothing is hidden any more, that of the referee. */
export const EYE = 0;
/** The longest deed for which the name of a player gives way, in letters. */
const MOST_OF_LINE = 40;

/** The name of a player.
 * @param {string} name */
export const named = (name) => html('span', { class: 'name' }, foreign(name));

/** The view of a match on a screen. */
export class Stage {
  /** True if the chances of a hit are shown on the boards, where the screen may know them. */
  wantsChances = false;
  #match;
  /** @type {SceneReader} */
  #reader = /** @type {any} */ (null);
  /** @type {MatchEvents} */
  #events = /** @type {any} */ (null);
  /** @type {BoardView[]} */
  #boards = [];
  /** @type {number | null} */
  #at = null;

  /** @param {Match} match */
  constructor(match) {
    this.#match = match;
  }

  /** Prepares the boards of a match. With `isKnown`, the match is on the boards already, and what is known of it has changed.
   * @param {boolean} isKnown */
  begin(isKnown) {
    this.#reader = new SceneReader(this.#match, EYE);
    this.#events = new MatchEvents(this.#match, EYE);
    if (isKnown) return;
    this.#at = null;
    this.#boards = this.#match.setup.names.map((_, seat) => new BoardView(this.#match, seat));
    for (const { element } of this.#boards) element.querySelector('h3').append(html('span', { class: 'mover-mark' }, 'to move'));
    $('boards').classList.remove('long');
    $('boards').replaceChildren(...this.#boards.map((board) => board.element));
    // Names that need a second line get one, on both boards, so that these stay equal.
    const names = [...$('boards').querySelectorAll('h3 .name')];
    $('boards').classList.toggle('long', names.some((name) => name.scrollWidth > name.clientWidth));
    $('kinds')?.replaceChildren(...this.#match.setup.ships.map(({ letter: sign, name, hue }) =>
      html('span', {}, html('b', { class: hue ?? 'plain' }, sign), ` ${name}`)));
    this.#finish(false);
  }

  /** The value of each seat that is followed over time, such as hits, at a moment; and its name.
   * @param {number} at @returns {{ label: string, values: (number | null)[] }} */
  score(at) {
    this.#events.extend();
    const [label, values] = [...this.#events.measures][0] ?? ['', []];
    return { label, values: values.map((series) => series[at] ?? null) };
  }

  /** Shows a moment, with effects if it is the one after the moment before.
   * @param {number} at @param {boolean} isNext @param {boolean} isOver true if the result may be shown */
  show(at, isNext, isOver) {
    this.#events.extend();
    const scene = this.#reader.scene(at);
    const entry = this.#events.entries[at];
    const mover = isOver ? undefined : seenBy(EYE, this.#match.frames[at].mover);
    const winner = isOver ? this.#match.over?.winner : undefined;
    this.#boards.forEach(({ element }, seat) => {
      const shooter = this.#match.seats === 2 ? 1 - seat : undefined;
      this.#boards[seat].update(scene.boards[seat], undefined, winner === letter(seat), shooter);
      element.classList.toggle('mover', mover !== undefined && seatOf(mover.seat) === seat);
      element.classList.toggle('lost', isOver && entry.highlights.some((one) => one.seat === seat && one.kind === 'fault'));
    });
    if (isNext) play(this.#boards, scene, entry);
    else if (at !== this.#at) calm(this.#boards);
    this.#at = at;
    this.#showChances();
    showOutlook(this.#match, EYE, at);
    this.#tell(scene, entry);
    $('progress').max = this.#match.setup.most_turns ?? Math.max(1, this.#match.last);
    $('progress').value = at;
    this.#finish(isOver);
    document.body.dataset.moment = String(at);
  }

  /** Shows the chances of a hit on the boards, or hides them. */
  toggleChances() {
    this.wantsChances = !this.wantsChances;
    this.#showChances();
  }

  #showChances() {
    if (this.#at !== null) showChances(this.#match, EYE, this.#boards, this.#at, this.wantsChances);
  }

  /** Shows the last actions in words.
   * @param {Scene} scene @param {Entry} entry */
  #tell(scene, { deeds, highlights }) {
    const sentences = deeds.map(({ seat, deed }) => {
      const kinds = highlights.filter((one) => one.seat === seat).map((one) => one.kind);
      const long = deed.length > MOST_OF_LINE ? ' long' : '';
      return html('span', { class: `sentence ${kinds.join(' ')}${long}` },
        badge(seat), named(this.#match.setup.names[seat]), html('span', { class: 'what' }, foreign(deed)));
    });
    $('deed').replaceChildren(...sentences);
    $('count').textContent = scene.title;
  }

  /** Shows the winner at the end.
   * @param {boolean} isOver */
  #finish(isOver) {
    if ($('winner').hidden !== isOver) return;
    show($('winner'), isOver);
    $('winner').replaceChildren();
    if (!isOver) return;
    const { finished, winner, why } = /** @type {MatchEnd} */ (this.#match.over);
    const head = winner === undefined
      ? html('strong', {}, finished ? 'Nobody wins' : 'The match was broken off')
      : html('strong', {}, badge(seatOf(winner)), named(this.#match.setup.names[seatOf(winner)]), html('span', {}, 'wins'));
    const { label, values } = this.score(this.#match.last);
    const sums = finished ? `${values.join(' : ')} ${label}` : '';
    $('winner').replaceChildren(head, html('span', { class: 'why' }, foreign(why ?? '')), html('span', { class: 'sums' }, sums));
  }
}
