// The match in words, for names, labels and screen readers.

import { Match, letter, point, shipIn, written } from './match.js';

/** The longest name in spoken text, in characters; longer names are cut. They are shown whole elsewhere. */
export const SPOKEN = 40;
/** The most cells that are listed; more are only counted. */
const LISTED = 24;

/** A seat and its player's name, for spoken text.
 * @param {Match} match @param {number} seat */
export function spoken(match, seat) {
  const name = [...match.setup.names[seat]];
  return `${letter(seat)} ${name.length > SPOKEN ? `${name.slice(0, SPOKEN).join('')}…` : name.join('')}`;
}

/** A ship, from its letter.
 * @param {Match} match @param {string} letter */
export const called = (match, letter) => match.ship(letter)?.name ?? (letter === '?' ? 'ship of unknown kind' : `ship ${letter}`);

/** The meaning of a cell's look.
 * @param {Match} match @param {string} look */
export function meaning(match, look) {
  const ship = shipIn(look);
  const words = /** @type {Record<string, string>} */ ({
    '~': 'water',
    '#': called(match, ship),
    '%': `armour of ${called(match, ship)}, hit and holding`,
    '*': ship ? `hit on ${called(match, ship)}` : 'hit',
    '!': 'miss',
    '^': 'shot, result not told',
    '@': 'shot caught by a shield',
  })[look[0]];
  return look.endsWith('+') ? `${words}, shielded` : words;
}

/** A board as sentences.
 * @param {Match} match @param {number} seat @param {Board} board */
export function description(match, seat, board) {
  const at = (/** @type {number} */ cell) => written(point(board, cell));
  const cells = (/** @type {string} */ sign) => board.looks.flatMap((look, cell) => (look[0] === sign ? [cell] : []));
  const list = (/** @type {string} */ name, /** @type {number[]} */ found) => {
    if (found.length === 0) return [];
    return [`${found.length} ${name}${found.length > LISTED ? '' : `: ${found.map(at).join('; ')}`}.`];
  };
  const shielded = board.looks.flatMap((look, cell) => (look.endsWith('+') ? [cell] : []));
  return [
    `Board of ${spoken(match, seat)}, ${board.width} by ${board.height}.`,
    ...list('sound cells of ships', cells('#')),
    ...list('armoured cells that were hit and hold', cells('%')),
    ...list('hits', cells('*')),
    ...list('misses', cells('!')),
    ...list('shots of which the result is not told', cells('^')),
    ...list('shots caught by a shield', cells('@')),
    ...list('shielded cells', shielded),
    ...list('cells in sight of the radar', [...board.scanned]),
    ...[...board.fresh].map((cell) => `Shot at ${at(cell)}: ${meaning(match, board.looks[cell])}.`),
  ].join(' ');
}

/** The actions that led to a moment.
 * @param {Match} match @param {Entry} entry */
export function described(match, entry) {
  return [entry.title, ...entry.deeds.map(({ seat, deed }) => `${spoken(match, seat)}: ${deed}`)].join('. ');
}

/** The duration of an answer.
 * @param {number} milliseconds */
export function duration(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds >= 10 ? milliseconds.toFixed(0) : milliseconds.toFixed(1)} ms`;
}

/** The speed of playing, in moments a second.
 * @param {number} speed */
export const pace = (speed) => `${speed < 1 ? '½' : speed}/s`;
