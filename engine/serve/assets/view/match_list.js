// The matchList: all matches that were told of lately, and which of them comes next on the screen.
//
// Matches do not wait for the screen. What it has no time for is passed over; every match can be seen again.

/** So many matches are remembered. */
const REMEMBERED = 24;

/** What could be shown. */
class MatchList {
  #game;
  #feeds = new Map();

  constructor(game) {
    this.#game = game;
  }

  /** A match begins, or was found being played. */
  begin(begun, turns = []) {
    const feed = new MatchFeed(this.#game, begun, turns);
    this.#feeds.set(feed.id, feed);
    const over = [...this.#feeds.values()].filter((known) => known.over);
    over.slice(0, Math.max(0, this.#feeds.size - REMEMBERED)).forEach((known) => this.#feeds.delete(known.id));
    return feed;
  }

  /** What is known of a match. */
  feed(id) {
    return this.#feeds.get(id);
  }

  /** The newest match, if it is newer than this one. */
  next(feed) {
    const newest = Math.max(...this.#feeds.keys());
    return newest > (feed?.id ?? 0) ? this.#feeds.get(newest) : null;
  }

  /** Takes note of what is being played now: those matches, and no others. */
  async resume(matches) {
    const played = matches.map(({ begun, turns }) => {
      const known = this.#feeds.get(begun.match);
      if (!known) return this.begin(begun, turns);
      turns.forEach((turn) => known.hear(turn));
      return known;
    });
    const missed = [...this.#feeds.values()].filter((feed) => !feed.over && !played.includes(feed));
    await Promise.all(missed.map((feed) => this.#complete(feed)));
  }

  /** Learns how a match ended whose end was not heard. */
  async #complete(feed) {
    const whole = await ask(`/api/matches/${feed.id}`);
    feed.turns = whole?.turns ?? feed.turns;
    feed.over = whole?.over ?? { result: null, brokenOff: 'nothing more is known of it', fleets: [null, null] };
  }

  /** A match that is over; nothing if there is none of this number. */
  async again(id) {
    const whole = await ask(`/api/matches/${id}`);
    return whole && new MatchFeed(this.#game, whole.begun, whole.turns, whole.over);
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
