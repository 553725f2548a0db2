// The programme: all matches that were told of lately, and which of them comes next on the screen.
//
// Matches do not wait for the screen. What it has no time for is passed over; every match can be seen again.

/** So many matches are remembered. */
const REMEMBERED = 24;

/** What could be shown. */
class Programme {
  #game;
  #courses = new Map();

  constructor(game) {
    this.#game = game;
  }

  /** A match begins, or was found being played. */
  begin(begun, turns = []) {
    const course = new Course(this.#game, begun, turns);
    this.#courses.set(course.id, course);
    const over = [...this.#courses.values()].filter((known) => known.over);
    over.slice(0, Math.max(0, this.#courses.size - REMEMBERED)).forEach((known) => this.#courses.delete(known.id));
    return course;
  }

  /** What is known of a match. */
  course(id) {
    return this.#courses.get(id);
  }

  /** The newest match, if it is newer than this one. */
  next(course) {
    const newest = Math.max(...this.#courses.keys());
    return newest > (course?.id ?? 0) ? this.#courses.get(newest) : null;
  }

  /** Takes note of what is being played now: those matches, and no others. */
  async resume(matches) {
    const played = matches.map(({ begun, turns }) => {
      const known = this.#courses.get(begun.match);
      if (!known) return this.begin(begun, turns);
      turns.forEach((turn) => known.hear(turn));
      return known;
    });
    const missed = [...this.#courses.values()].filter((course) => !course.over && !played.includes(course));
    await Promise.all(missed.map((course) => this.#complete(course)));
  }

  /** Learns how a match ended whose end was not heard. */
  async #complete(course) {
    const whole = await ask(`/api/matches/${course.id}`);
    course.turns = whole?.turns ?? course.turns;
    course.over = whole?.over ?? { result: null, brokenOff: 'nothing more is known of it', fleets: [null, null] };
  }

  /** A match that is over; nothing if there is none of this number. */
  async again(id) {
    const whole = await ask(`/api/matches/${id}`);
    return whole && new Course(this.#game, whole.begun, whole.turns, whole.over);
  }

  /** The last match that was played, if there was one. */
  async last() {
    const [last] = (await ask('/api/matches?most=1')) ?? [];
    return last ? this.again(last.id) : null;
  }
}

/** What the server says at this address; nothing if it does not. */
async function ask(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
