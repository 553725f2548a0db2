// The scrubber, and marks of events above it. Marks appear as far as the match was watched.

import { svg } from '../elements.js';
import { Match, MatchEvents } from '../match.js';

/** With more seats than this all marks share one lane. */
const LANES = 4;
/** Height of a lane in pixels. */
const LANE = 13;
/** Kinds of marks, from the least to the most important; later ones lie above earlier ones.
 * @type {HighlightKind[]} */
const LOUDNESS = ['special', 'shield', 'fault', 'hit', 'sinking'];

/** The timeline of a match. */
export class Timeline {
  #marks;
  #scrubber;
  #lanes;
  /** By kind: the group of its marks.
   * @type {Record<string, SVGGElement>} */
  #groups = {};
  #last = 1;
  /** The number of moments of which the marks are shown. */
  #shown = 0;

  /** @param {Match} match @param {SVGElement} marks @param {HTMLInputElement} scrubber @param {(at: number) => void} choose */
  constructor(match, marks, scrubber, choose) {
    this.#marks = marks;
    this.#scrubber = scrubber;
    this.#lanes = match.seats <= LANES ? match.seats : 1;
    scrubber.oninput = () => choose(Number(scrubber.value));
  }

  /** Draws the timeline without marks.
   * @param {MatchEvents} matchEvents */
  draw(matchEvents) {
    this.#last = Math.max(1, matchEvents.entries.length - 1);
    this.#shown = 0;
    this.#scrubber.max = String(Math.max(0, matchEvents.entries.length - 1));
    this.#marks.style.setProperty('height', `${this.#lanes * LANE}px`);
    const lanes = Array.from({ length: this.#lanes }, (_, lane) => {
      const y = lane * LANE + LANE / 2;
      return svg('line', { class: `lane seat-${lane}`, x1: '0', x2: '100%', y1: y, y2: y });
    });
    this.#groups = Object.fromEntries(LOUDNESS.map((kind) => [kind, svg('g')]));
    this.#marks.replaceChildren(...lanes, ...Object.values(this.#groups));
  }

  /** Draws the marks up to a moment.
   * @param {MatchEvents} matchEvents @param {number} until */
  reveal(matchEvents, until) {
    for (; this.#shown <= until; this.#shown += 1) {
      for (const { seat, kind } of matchEvents.entries[this.#shown].highlights) {
        this.#groups[kind].append(this.#mark(this.#shown, seat, kind));
      }
    }
  }

  /** @param {number} at @param {number} seat @param {HighlightKind} kind */
  #mark(at, seat, kind) {
    const middle = (this.#lanes === 1 ? 0 : seat) * LANE + LANE / 2;
    const x = `${(100 * at) / this.#last}%`;
    const look = `mark ${kind} seat-${seat}`;
    if (kind === 'hit') return svg('rect', { class: look, x, y: middle - 4, width: 2, height: 8, transform: 'translate(-1 0)' });
    const size = kind === 'sinking' ? 11 : 6;
    return svg('use', {
      class: look, href: `#mark-${kind}`, x, y: middle - size / 2, width: size, height: size,
      transform: `translate(${-size / 2} 0)`,
    });
  }

  /** Puts the scrubber on a moment, which has this title.
   * @param {number} at @param {string} title */
  point(at, title) {
    this.#scrubber.value = String(at);
    this.#scrubber.setAttribute('aria-valuetext', title);
    const share = Number(this.#scrubber.max) > 0 ? at / Number(this.#scrubber.max) : 0;
    this.#scrubber.style.setProperty('--done', `${100 * share}%`);
  }
}
