// Where the screen is in which match, and how fast it goes on.

/** How many times faster than the administrator's pace. */
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** How long the end of a match is shown at most. */
const END_MS = 4000;

/** Shows one match after the other. */
class Playback {
  feed = null;
  at = 0;
  paused = false;
  /** Whether the match was chosen by somebody; then no other takes its place. */
  chosen = false;
  #matches;
  #view;
  #changed;
  #speed = SPEEDS.indexOf(1);
  /** How long a move is shown, in milliseconds. */
  #pace = 300;
  #timer = null;
  /** Whether the end of the match has been shown long enough. */
  #done = false;

  /** Calls `changed` after every change. */
  constructor(matchList, view, changed) {
    this.#matches = matchList;
    this.#view = view;
    this.#changed = changed;
  }

  get speed() {
    return SPEEDS[this.#speed];
  }

  get #moveMs() {
    return this.#pace / this.speed;
  }

  set pace(milliseconds) {
    this.#pace = milliseconds;
    this.#wait();
  }

  /** Goes faster or slower. */
  change(by) {
    this.#speed = Math.min(SPEEDS.length - 1, Math.max(0, this.#speed + by));
    this.#wait();
    this.#changed();
  }

  /** Shows a match from this moment on. */
  show(feed, { at = 0, chosen = false, again = false } = {}) {
    this.feed = feed;
    this.at = Math.min(at, feed.last);
    this.chosen = chosen;
    this.#done = false;
    this.#view.begin(feed, again);
    this.#draw(false);
    this.#wait();
  }

  /** Takes note that there is more to show. */
  grown() {
    if (this.feed?.over && this.at === this.feed.last) this.#draw(false);
    if (this.#timer === null) this.#wait();
  }

  /** Stops, or goes on. */
  toggle() {
    this.paused = !this.paused;
    this.#wait();
    this.#changed();
  }

  /** Stops some turns further on or back. */
  step(by) {
    if (!this.feed) return;
    this.paused = true;
    this.at = Math.min(this.feed.last, Math.max(0, this.at + by));
    this.#draw(by === 1);
    this.#wait();
  }

  /** Goes to the newest match. Whether there is one. */
  live() {
    this.paused = false;
    this.chosen = false;
    const next = this.#matches.next(null);
    if (next && next !== this.feed) this.show(next);
    else this.#wait();
    this.#changed();
    return next !== null;
  }

  #draw(isFresh) {
    this.#view.show(this.at, isFresh);
    this.#changed();
  }

  /** Waits for the time of the next step, if there is one. */
  #wait() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const after = this.#next();
    if (after !== null && !this.paused) this.#timer = setTimeout(() => this.#tick(), after);
  }

  /** After how many milliseconds there is something to do; nothing if something has to happen first. */
  #next() {
    const { feed } = this;
    if (!feed) return this.#matches.next(null) ? 0 : null;
    if (this.at < feed.last) return this.#moveMs;
    if (!feed.over || this.chosen) return null;
    if (!this.#done) return Math.min(END_MS, 400 + 15 * this.#moveMs);
    return this.#matches.next(feed) ? 0 : null;
  }

  #tick() {
    this.#timer = null;
    const { feed } = this;
    if (feed && this.at < feed.last) {
      this.at = this.#moveMs === 0 ? feed.last : this.at + 1;
      this.#draw(true);
    } else if (feed && !this.#done) {
      this.#done = true;
    } else {
      this.show(this.#matches.next(feed));
      return;
    }
    this.#wait();
  }
}
