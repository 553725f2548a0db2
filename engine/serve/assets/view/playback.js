// The current match and moment, and the speed.

/** Multiples of the administrator's pace. */
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** The longest time for the end of a match. */
const END_MS = 4000;
/** The time between two looks at whether the next turn may be shown. */
const LOOK_MS = 50;

/** Shows one match after the other. */
class Playback {
  /** @type {MatchFeed | null} */
  feed = null;
  at = 0;
  paused = false;
  /** True if the match is shown again, after its end. */
  again = false;
  /** True if somebody chose the match; then no other replaces it. */
  chosen = false;
  #matches;
  #view;
  #changed;
  #speed = SPEEDS.indexOf(1);
  /** The time for which a move is shown, in milliseconds. */
  #pace = 300;
  /** @type {number | null} */
  #timer = null;
  /** True once the end of the match was shown long enough. */
  #done = false;

  /** Calls `changed` after every change.
   * @param {MatchList} matchList @param {Shows} view @param {() => void} changed */
  constructor(matchList, view, changed) {
    this.#matches = matchList;
    this.#view = view;
    this.#changed = changed;
  }

  get speed() {
    return SPEEDS[this.#speed];
  }

  /** True if the last turn of a match that is being played is on the screen. */
  get isLive() {
    const { feed } = this;
    return !this.paused && !this.again && feed !== null && feed.over === null && this.at === feed.due;
  }

  /** True if the end of a match is on the screen. */
  get isOver() {
    return Boolean(this.feed?.over) && this.at === this.feed?.last;
  }

  get #moveMs() {
    return this.#pace / this.speed;
  }

  /** @param {number} milliseconds */
  set pace(milliseconds) {
    this.#pace = milliseconds;
    this.#wait();
  }

  /** Changes the speed.
   * @param {number} by */
  change(by) {
    this.#speed = Math.min(SPEEDS.length - 1, Math.max(0, this.#speed + by));
    this.#wait();
    this.#changed();
  }

  /** Shows a match from this moment on.
   * @param {MatchFeed} feed @param {{ at?: number, chosen?: boolean, again?: boolean }} how */
  show(feed, { at = 0, chosen = false, again = false } = {}) {
    this.feed = feed;
    this.at = Math.min(at, feed.due);
    this.chosen = chosen;
    this.again = again;
    this.#done = false;
    this.#view.begin(feed, again);
    this.#draw(false);
    this.#wait();
  }

  /** Shows new turns, or waits for them. */
  grown() {
    if (this.feed?.over && this.at === this.feed.last) this.#draw(false);
    if (this.#timer === null) this.#wait();
  }

  /** Stops, or continues. */
  toggle() {
    this.paused = !this.paused;
    this.#wait();
    this.#changed();
  }

  /** Stops at a moment some turns forward or back.
   * @param {number} by */
  step(by) {
    if (!this.feed) return;
    this.paused = true;
    this.at = Math.min(this.feed.due, Math.max(0, this.at + by));
    this.#draw(by === 1);
    this.#wait();
  }

  /** Goes to the newest match. Returns false if there is none. */
  live() {
    this.paused = false;
    this.chosen = false;
    const next = this.#matches.next(null);
    if (next && !next.over) this.show(next, { at: next.last });
    else if (next && next !== this.feed) this.show(next);
    else this.#wait();
    this.#changed();
    return next !== null;
  }

  /** @param {boolean} isFresh */
  #draw(isFresh) {
    this.#view.show(this.at, isFresh);
    this.#changed();
  }

  /** Starts the timer for the next step, if there is one. */
  #wait() {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    const after = this.#next();
    if (after !== null && !this.paused) this.#timer = setTimeout(() => this.#tick(), after);
  }

  /** The time until the next step in milliseconds; null if something has to happen first. */
  #next() {
    const { feed } = this;
    if (!feed) return this.#matches.next(null) ? 0 : null;
    if (this.at < feed.due) return this.#moveMs;
    if (this.at < feed.last) return LOOK_MS;
    if (!feed.over || this.chosen) return null;
    if (!this.#done) return Math.min(END_MS, 400 + 15 * this.#moveMs);
    return this.#matches.next(feed) ? 0 : null;
  }

  #tick() {
    this.#timer = null;
    const { feed } = this;
    if (feed && this.at < feed.last) {
      if (this.at < feed.due) {
        this.at = this.#moveMs === 0 ? feed.due : this.at + 1;
        this.#draw(true);
      }
    } else if (feed && !this.#done) {
      this.#done = true;
    } else {
      const next = this.#matches.next(feed);
      if (next) this.show(next);
      return;
    }
    this.#wait();
  }
}
