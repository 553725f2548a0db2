// Where the screen is in which match, and how fast it goes on.

/** How many times faster than the administrator's pace. */
const TEMPI = [0.25, 0.5, 1, 2, 4, 8, 16];
/** How long the end of a match is shown at most. */
const CURTAIN_MS = 4000;

/** Shows one match after the other. */
class Runner {
  course = null;
  at = 0;
  paused = false;
  /** Whether the match was chosen by somebody; then no other takes its place. */
  chosen = false;
  #programme;
  #stage;
  #changed;
  #tempo = TEMPI.indexOf(1);
  /** How long a move is shown, in milliseconds. */
  #pace = 300;
  #timer = null;
  /** Whether the end of the match has been shown long enough. */
  #done = false;

  /** Calls `changed` after every change. */
  constructor(programme, stage, changed) {
    this.#programme = programme;
    this.#stage = stage;
    this.#changed = changed;
  }

  get tempo() {
    return TEMPI[this.#tempo];
  }

  get #beat() {
    return this.#pace / this.tempo;
  }

  set pace(milliseconds) {
    this.#pace = milliseconds;
    this.#wait();
  }

  /** Goes faster or slower. */
  change(by) {
    this.#tempo = Math.min(TEMPI.length - 1, Math.max(0, this.#tempo + by));
    this.#wait();
    this.#changed();
  }

  /** Shows a match from this moment on. */
  show(course, { at = 0, chosen = false, again = false } = {}) {
    this.course = course;
    this.at = Math.min(at, course.last);
    this.chosen = chosen;
    this.#done = false;
    this.#stage.begin(course, again);
    this.#draw(false);
    this.#wait();
  }

  /** Takes note that there is more to show. */
  grown() {
    if (this.course?.over && this.at === this.course.last) this.#draw(false);
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
    if (!this.course) return;
    this.paused = true;
    this.at = Math.min(this.course.last, Math.max(0, this.at + by));
    this.#draw(by === 1);
    this.#wait();
  }

  /** Goes to the newest match. Whether there is one. */
  live() {
    this.paused = false;
    this.chosen = false;
    const next = this.#programme.next(null);
    if (next && next !== this.course) this.show(next);
    else this.#wait();
    this.#changed();
    return next !== null;
  }

  #draw(isFresh) {
    this.#stage.show(this.at, isFresh);
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
    const { course } = this;
    if (!course) return this.#programme.next(null) ? 0 : null;
    if (this.at < course.last) return this.#beat;
    if (!course.over || this.chosen) return null;
    if (!this.#done) return Math.min(CURTAIN_MS, 400 + 15 * this.#beat);
    return this.#programme.next(course) ? 0 : null;
  }

  #tick() {
    this.#timer = null;
    const { course } = this;
    if (course && this.at < course.last) {
      this.at = this.#beat === 0 ? course.last : this.at + 1;
      this.#draw(true);
    } else if (course && !this.#done) {
      this.#done = true;
    } else {
      this.show(this.#programme.next(course));
      return;
    }
    this.#wait();
  }
}
