// The current moment, and playing.

import { Match } from './match.js';

/** Multiples of the usual speed. */
const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16];
/** The time between two looks at whether a further moment may be shown, in milliseconds. */
const LOOK_MS = 50;

/** The moment that is shown. */
export class Playback {
  at = 0;
  playing = false;
  /** True if each new moment is shown at once. */
  following = false;
  /** The time for which a moment is shown at the usual speed, in milliseconds. */
  period = 250;
  #match;
  #changed;
  #limit;
  #speed = SPEEDS.indexOf(1);
  /** The moment that was asked for; it may not exist yet. */
  #wanted = 0;
  /** @type {number | undefined} */
  #timer;

  /** Calls `changed` after every change, with true if the next moment was reached by itself or by a step. `limit` is the last
   * moment that may be shown now.
   * @param {Match} match @param {(isNext: boolean) => void} changed @param {() => number} limit */
  constructor(match, changed, limit = () => match.last) {
    this.#match = match;
    this.#changed = changed;
    this.#limit = limit;
  }

  /** The multiple of the usual speed. */
  get speed() {
    return SPEEDS[this.#speed];
  }

  /** True if the last moment of the match is shown, and no other comes. */
  get isOver() {
    return this.#match.over !== null && this.at === this.#match.last;
  }

  /** Shows a moment; stops playing and following.
   * @param {number} at */
  go(at) {
    this.#stop();
    this.#show(at);
  }

  /** Shows the moment some turns forward or back.
   * @param {number} by */
  step(by) {
    this.#stop();
    this.#show(Math.min(this.#limit(), this.at + by), by === 1);
  }

  /** Plays from a moment on.
   * @param {number} at */
  play(at) {
    this.#stop();
    this.playing = true;
    this.#wait();
    this.#show(at);
  }

  /** Plays, from the start if the end is shown; or pauses. */
  toggle() {
    if (this.playing || this.following) this.go(this.at);
    else this.play(this.isOver ? 0 : this.at);
  }

  /** Shows the newest moment, now and whenever a new one comes. */
  follow() {
    this.#stop();
    this.following = this.#match.over === null;
    this.#show(this.#limit());
  }

  /** Changes the speed.
   * @param {number} by */
  change(by) {
    this.#speed = Math.min(SPEEDS.length - 1, Math.max(0, this.#speed + by));
    if (this.playing) this.#wait();
    this.#changed(false);
  }

  /** Shows new moments if the newest is to be shown, or the end. */
  grown() {
    if (this.following) this.at = this.#limit();
    else if (!this.playing) this.at = Math.min(this.#limit(), Math.max(this.at, this.#wanted));
    if (this.#match.over) this.following = false;
    this.#changed(false);
  }

  /** @param {number} at @param {boolean} isNext */
  #show(at, isNext = false) {
    this.#wanted = at;
    this.at = Math.min(this.#limit(), Math.max(0, at));
    this.#changed(isNext);
  }

  #wait() {
    clearTimeout(this.#timer);
    const period = this.period / this.speed;
    this.#timer = setTimeout(() => this.#tick(), this.at < this.#limit() ? period : Math.max(LOOK_MS, period));
  }

  /** Shows the next moment as soon as it may be shown. */
  #tick() {
    const isNext = this.at < this.#limit();
    if (isNext) this.at = this.period === 0 ? this.#limit() : this.at + 1;
    this.#wanted = this.at;
    if (this.isOver) this.#stop();
    else this.#wait();
    if (isNext || !this.playing) this.#changed(isNext);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.playing = false;
    this.following = false;
  }
}
