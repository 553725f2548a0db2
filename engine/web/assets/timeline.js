// The scrubber, and marks of events above it.

/** With more seats than this all marks share one lane. */
const LANES = 4;
/** Height of a lane in pixels. */
const LANE = 13;
/** Kinds of marks, from the least to the most important; later ones lie above earlier ones. */
const LOUDNESS = ['special', 'shield', 'fault', 'hit', 'sinking'];

/** The timeline of a match. */
class Timeline {
  #marks;
  #scrubber;
  #lanes;

  constructor(match, marks, scrubber, choose) {
    this.#marks = marks;
    this.#scrubber = scrubber;
    this.#lanes = match.seats <= LANES ? match.seats : 1;
    scrubber.oninput = () => choose(Number(scrubber.value));
  }

  /** Draws the marks. */
  draw(matchEvents) {
    const last = Math.max(1, matchEvents.entries.length - 1);
    this.#scrubber.max = Math.max(0, matchEvents.entries.length - 1);
    this.#marks.style.setProperty('height', `${this.#lanes * LANE}px`);
    const found = matchEvents.entries.flatMap(({ highlights }, at) => highlights.map((highlight) => ({ at, ...highlight })));
    found.sort((one, other) => LOUDNESS.indexOf(one.kind) - LOUDNESS.indexOf(other.kind));
    const lanes = Array.from({ length: this.#lanes }, (_, lane) => {
      const y = lane * LANE + LANE / 2;
      return svg('line', { class: `lane seat-${lane}`, x1: '0', x2: '100%', y1: y, y2: y });
    });
    this.#marks.replaceChildren(...lanes, ...found.map((mark) => this.#mark(mark, last)));
  }

  #mark({ at, seat, kind }, last) {
    const middle = (this.#lanes === 1 ? 0 : seat) * LANE + LANE / 2;
    const x = `${(100 * at) / last}%`;
    const look = `mark ${kind} seat-${seat}`;
    if (kind === 'hit') return svg('rect', { class: look, x, y: middle - 4, width: 2, height: 8, transform: 'translate(-1 0)' });
    const size = kind === 'sinking' ? 11 : 6;
    return svg('use', {
      class: look, href: `#mark-${kind}`, x, y: middle - size / 2, width: size, height: size,
      transform: `translate(${-size / 2} 0)`,
    });
  }

  /** Puts the scrubber on a moment, which has this title. */
  point(at, title) {
    this.#scrubber.value = at;
    this.#scrubber.setAttribute('aria-valuetext', title);
    const share = Number(this.#scrubber.max) > 0 ? at / Number(this.#scrubber.max) : 0;
    this.#scrubber.style.setProperty('--done', `${100 * share}%`);
  }
}
