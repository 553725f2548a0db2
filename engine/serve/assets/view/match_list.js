// The matches of late, and which of them comes next on the screen.
//
// Matches do not wait for the screen. The screen skips those for which it has no time; every match can be replayed.

/** The most matches that are remembered. */
const REMEMBERED = 24;

/** The matches that could be shown. */
class MatchList {
  #game;
  /** @type {Map<number, MatchFeed>} */
  #feeds = new Map();

  /** @param {GameFacts} game */
  constructor(game) {
    this.#game = game;
  }

  /** Adds a match that begins, or is already being played.
   * @param {MatchBegun} begun @param {MatchTurn[]} turns */
  begin(begun, turns = []) {
    const feed = new MatchFeed(this.#game, begun, turns);
    this.#feeds.set(feed.id, feed);
    const over = [...this.#feeds.values()].filter((known) => known.over);
    over.slice(0, Math.max(0, this.#feeds.size - REMEMBERED)).forEach((known) => this.#feeds.delete(known.id));
    return feed;
  }

  /** The match with this number.
   * @param {number} id */
  feed(id) {
    return this.#feeds.get(id);
  }

  /** The newest match, if it is newer than this one.
   * @param {MatchFeed | null} feed @returns {MatchFeed | null} */
  next(feed) {
    const newest = Math.max(...this.#feeds.keys());
    return newest > (feed?.id ?? 0) ? this.#feeds.get(newest) ?? null : null;
  }

  /** Takes over the matches that are being played: these, and no others.
   * @param {RunningMatch[]} matches */
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

  /** Loads the end of a match whose events were missed.
   * @param {MatchFeed} feed */
  async #complete(feed) {
    const whole = await ask(`/api/matches/${feed.id}`);
    feed.turns = whole?.turns ?? feed.turns;
    feed.over = whole?.over ?? { result: null, brokenOff: 'nothing more is known of it', fleets: [null, null] };
  }

  /** Loads a match that is over; null if there is none of this number.
   * @param {number | string} id */
  async again(id) {
    const whole = await ask(`/api/matches/${id}`);
    return whole && new MatchFeed(this.#game, whole.begun, whole.turns, whole.over);
  }

  /** Loads the last match; null if there is none. */
  async last() {
    const [last] = (await ask('/api/matches?most=1')) ?? [];
    return last ? this.again(last.id) : null;
  }
}

/** The JSON at this address; null if the request fails.
 * @param {string} address @returns {Promise<any>} */
async function ask(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
