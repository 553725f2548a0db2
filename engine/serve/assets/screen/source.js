// Where the matches of a screen come from: the tournaments of the server, or the contest that the page names (`data-contest`).

import { seatOf } from '../match.js';

/** The name of the contest. */
export const { contest } = document.body.dataset;

/** The numbers of the games of a contest, by their names: in the order in which this page has heard of them.
 * @type {Map<string, number>} */
const numbers = new Map();
/** @type {string[]} */
const names = [];

/** The number of a game with this name.
 * @param {string} name */
export function numberOf(name) {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, names.push(name));
  return names.length;
}

/** The address of the games of the contest that this page shows: those of its ladder, or those of its final. */
const games = document.body.dataset.games ?? `/c/${contest}/games`;

/** The address of the stream of a match.
 * @param {number} number */
export const streamOf = (number) => (contest ? `${games}/${names[number - 1]}/events` : `/matches/${number}/events`);

/** The last matches that are over, the newest first.
 * @param {number} most @returns {Promise<ListedMatch[]>} */
export async function lastMatches(most) {
  if (contest) {
    const games = /** @type {GameEvent[]} */ (await ask(`/api/contests/${contest}/games?most=${most}`) ?? []);
    return games.map(({ id, names: pair, winner }) => ({ number: numberOf(id), link: `#game=${id}`, when: `Game ${id}`, names: pair, winner }));
  }
  const matches = /** @type {MatchResult[]} */ (await ask(`/api/matches?most=${most}`) ?? []);
  return matches.map(({ id, names: pair, winner, tournament, final }) => ({
    number: id, link: `#match=${id}`, when: `Match ${id} · ${final ? `final, ${final.round}` : `tournament ${tournament}`}`,
    names: pair, winner: winner && pair[seatOf(winner)],
  }));
}

/** The JSON at this address; null if the request fails.
 * @param {string} address @returns {Promise<any>} */
export async function ask(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
