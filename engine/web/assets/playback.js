// The current moment, and playing.

/** Turns a second. */
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];

/** The moment that is shown. */
class Playback {
  at = 0;
  playing = false;
  /** True if each new moment is shown at once. */
  following = false;
  #match;
  #changed;
  #speed = SPEEDS.indexOf(4);
  /** The moment that was asked for; it may not exist yet. */
  #wanted = 0;
  /** @type {number | undefined} */
  #timer;

  /** Calls `changed` after every change.
   * @param {Match} match @param {() => void} changed */
  constructor(match, changed) {
    this.#match = match;
    this.#changed = changed;
  }

  get speed() {
    return SPEEDS[this.#speed];
  }

  /** Shows a moment; stops playing and following.
   * @param {number} at */
  go(at) {
    this.#stop();
    this.following = false;
    this.#show(at);
  }

  /** @param {number} by */
  step(by) {
    this.go(Math.min(this.#match.last, this.at + by));
  }

  /** Plays, from the start if the end is shown; or pauses. */
  toggle() {
    if (this.playing || this.following) {
      this.go(this.at);
      return;
    }
    this.playing = true;
    this.#wait();
    this.#show(this.at >= this.#match.last && this.#match.over ? 0 : this.at);
  }

  /** Shows the newest moment, now and whenever a new one comes. */
  follow() {
    this.#stop();
    this.following = this.#match.over === null;
    this.#show(this.#match.last);
  }

  /** Changes the speed.
   * @param {number} by */
  change(by) {
    this.#speed = Math.min(SPEEDS.length - 1, Math.max(0, this.#speed + by));
    if (this.playing) this.#wait();
    this.#changed();
  }

  /** Shows new moments if the newest is to be shown, or the end. */
  grown() {
    if (this.following) this.at = this.#match.last;
    else if (!this.playing) this.at = Math.min(this.#match.last, Math.max(this.at, this.#wanted));
    if (this.#match.over) this.following = false;
    this.#changed();
  }

  /** @param {number} at */
  #show(at) {
    this.#wanted = at;
    this.at = Math.min(this.#match.last, Math.max(0, at));
    this.#changed();
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tick(), 1000 / this.speed);
  }

  #tick() {
    this.at = Math.min(this.#match.last, this.at + 1);
    this.#wanted = this.at;
    if (this.at < this.#match.last) {
      this.#wait();
    } else {
      this.#stop();
      this.following = this.#match.over === null;
    }
    this.#changed();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.playing = false;
  }
}
