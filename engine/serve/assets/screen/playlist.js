// Which match is on the screen, and which comes next.
//
// Matches do not wait for the screen. The screen skips those for which it has no time; every match can be replayed.

import { Playback } from '../playback.js';
import { MatchFollower } from './match_follower.js';
import { lastMatches } from './source.js';
import { Stage } from './stage.js';

/** The number of matches of which the facts are remembered. */
const REMEMBERED = 100;
/** The time for which a match that begins is awaited, in milliseconds. Most are over by then, and the ships of a match that is over
 * may be seen from the first move on. */
const AWAITED_MS = 3000;
/** The longest time for which the end of a match is shown, in milliseconds. */
const END_MS = 4000;

/** The matches of a screen, one after the other. */
export class Playlist {
  /** @type {MatchFollower} */
  #follower = new MatchFollower({
    at: () => this.playback.at,
    loaded: (isKnown) => this.#loaded(isKnown),
    grown: () => this.playback.grown(),
    gone: () => this.#gone(),
  });
  match = this.#follower.match;
  playback = new Playback(this.match, (isNext) => this.#draw(isNext), () => this.#due);
  stage = new Stage(this.match);
  /** The number of the match on the screen; null before the first.
   * @type {number | null} */
  number = null;
  /** True if the match is shown again, after its end. */
  again = false;
  /** True if somebody chose the match; then no other replaces it. */
  chosen = false;
  /** The facts about the last matches that have begun since this page was opened, by their numbers.
   * @type {Map<number, MatchBegun>} */
  #begun = new Map();
  /** The time until which the end of the match is awaited. */
  #awaitedUntil = 0;
  /** True if the match is to be shown from its newest moment. */
  #fromNewest = false;
  /** True while the screen plays on after the match, unless somebody has stopped it. */
  #isRunning = true;
  /** @type {number | undefined} */
  #endTimer;
  #changed;

  /** Calls `changed` after every change.
   * @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** The facts about the match on the screen; undefined if it was over before this page was opened. */
  get begun() {
    return this.#begun.get(this.number ?? 0);
  }

  /** True if somebody has stopped the screen. */
  get isPaused() {
    return !this.#isRunning;
  }

  /** True if the newest moment of a match that is being played is on the screen. */
  get isLive() {
    const isShown = this.#isRunning && !this.#follower.isLoading && !this.again && this.number !== null;
    return isShown && this.match.over === null && this.playback.at === this.#due;
  }

  /** True if the end of a match is on the screen. */
  get isOver() {
    return !this.#follower.isLoading && this.playback.isOver;
  }

  /** The last moment that the screen may show. */
  get #due() {
    return this.match.over === null && Date.now() < this.#awaitedUntil ? 0 : this.match.last;
  }

  /** The number of the newest match that has begun; 0 if there is none. */
  get #newest() {
    return Math.max(0, ...this.#begun.keys());
  }

  /** Adds a match that begins; shows it if nothing else is to be shown. A match that was broken off may begin once more.
   * @param {MatchBegun} begun */
  begin(begun) {
    this.#add(begun);
    const isAgain = begun.match === this.number && this.match.over?.finished === false;
    if (this.number === null || isAgain) this.show(begun.match);
    else this.#goOn();
  }

  /** Shows the next match, if the end of this one was shown long enough. */
  #goOn() {
    if (this.isOver && this.#endTimer === undefined) this.#next();
  }

  /** @param {MatchBegun} begun */
  #add(begun) {
    this.#begun.set(begun.match, begun);
    for (const known of this.#begun.keys()) if (known < begun.match - REMEMBERED) this.#begun.delete(known);
  }

  /** Takes over the matches that are being played. Begins with the newest, or else with the last one that is over.
   * @param {RunningMatch[]} matches */
  async resume(matches) {
    matches.forEach(({ begun }) => this.#add(begun));
    if (this.number !== null) this.#goOn();
    else if (this.#newest > 0) this.show(this.#newest, { isLive: true });
    else {
      const [last] = await lastMatches(1);
      if (last && this.number === null) this.show(last.number, { again: true });
    }
  }

  /** Shows a match: from its beginning, or from its newest moment.
   * @param {number} number @param {{ isLive?: boolean, chosen?: boolean, again?: boolean }} how */
  show(number, { isLive = false, chosen = false, again = false } = {}) {
    clearTimeout(this.#endTimer);
    this.#endTimer = undefined;
    Object.assign(this, { number, chosen, again });
    this.#fromNewest = isLive;
    const isFinal = this.begun?.screening !== undefined;
    this.#awaitedUntil = isLive || again || isFinal ? 0 : Date.now() + AWAITED_MS;
    this.#follower.follow(number);
  }

  /** @param {boolean} isKnown */
  #loaded(isKnown) {
    this.stage.begin(isKnown);
    // The end of a match that nobody has seen here is not the first thing to see of it.
    const first = this.#fromNewest && this.match.over === null ? this.#due : 0;
    const at = isKnown ? this.playback.at : first;
    if (this.#isRunning) this.playback.play(at);
    else this.playback.go(at);
  }

  /** Ends a match that the server does not know any more: there is none of this number, or it was broken off. */
  #gone() {
    if (!this.#follower.isLoading) {
      this.match.over ??= { finished: false, why: 'nothing more is known of it' };
      this.playback.grown();
      return;
    }
    const { number, chosen, again } = this;
    this.#begun.delete(number ?? 0);
    this.#follower.close();
    Object.assign(this, { number: null, chosen: false, again: false });
    if (!again || chosen) this.resume([]);
  }

  /** Stops, or continues. */
  toggle() {
    this.#isRunning = !this.#isRunning;
    if (this.#isRunning) this.playback.play(this.playback.at);
    else this.playback.go(this.playback.at);
    this.#finish();
  }

  /** Stops at a moment some turns forward or back.
   * @param {number} by */
  step(by) {
    this.#isRunning = false;
    this.playback.step(by);
  }

  /** Goes to the newest match. */
  live() {
    this.#isRunning = true;
    this.chosen = false;
    if (this.#newest > 0 && (this.number !== this.#newest || this.again)) this.show(this.#newest, { isLive: true });
    else this.playback.play(this.match.over ? this.playback.at : this.#due);
    this.#changed();
  }

  #next() {
    if (this.#newest > (this.number ?? 0) && !this.chosen && this.#isRunning) this.show(this.#newest);
  }

  /** @param {boolean} isNext */
  #draw(isNext) {
    if (this.#follower.isLoading || this.match.frames.length === 0) return;
    this.stage.show(this.playback.at, isNext, this.isOver);
    this.#finish();
    this.#changed();
  }

  /** Shows the next match, once the end of this one was shown long enough. */
  #finish() {
    if (!this.isOver || this.chosen || !this.#isRunning || this.#endTimer !== undefined) return;
    const shown = Math.min(END_MS, 400 + (15 * this.playback.period) / this.playback.speed);
    this.#endTimer = setTimeout(() => {
      this.#endTimer = undefined;
      this.#next();
    }, shown);
  }
}

/** The handlers of the events about matches and the pace, the same for all screens.
 * @param {Playlist} playlist */
export const matchHandlers = (playlist) => ({
  settings: (/** @type {Settings} */ { pace }) => { playlist.playback.period = pace; },
  'match-begun': (/** @type {MatchBegun} */ begun) => playlist.begin(begun),
});
