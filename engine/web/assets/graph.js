// Graphs over time: their size, and the one of who is likely to win, as far as the match is shown, with the turning points so far.

import { svg } from './elements.js';
import { Match, letter, seenBy } from './match.js';

/** Size of a chart and of its plot, in the units of the drawing. */
export const CHART = { width: 320, height: 118, left: 34, right: 304, top: 8, bottom: 98 };

/** The least change of a probability that makes a turning point, in per mille, and the most turning points. As in the crate `analysis`. */
const LEAST_TURN = 80;
const MOST_TURNS = 5;
/** The most characters of a name in the graph. */
const MOST_OF_NAME = 24;

/** The probabilities to win at each moment up to one, in per mille by seat: as spectators know it (`seen`), or by where the ships lie.
 * @param {Match} match @param {number} eye @param {'seen' | 'truth'} kind @param {number} until @returns {WinCurve} */
export const winCurve = (match, eye, kind, until) => Array.from({ length: until + 1 }, (_, at) => seenBy(eye, match.analysis[at]?.[kind]));

/** The turning points of a curve, in their order: the greatest changes so far.
 * @param {WinCurve} curve */
export function turningPoints(curve) {
  /** @type {TurningPoint[]} */
  const points = [];
  for (let moment = 1; moment < curve.length; moment += 1) {
    const [before, after] = [curve[moment - 1], curve[moment]];
    if (!before || !after) continue;
    const grown = after.map((value, seat) => value - before[seat]);
    const seat = grown.indexOf(Math.max(...grown));
    if (grown[seat] >= LEAST_TURN) points.push({ moment, seat, before: before[seat], after: after[seat] });
  }
  points.sort((one, other) => (other.after - other.before) - (one.after - one.before));
  return points.slice(0, MOST_TURNS).sort((one, other) => one.moment - other.moment);
}

/** @param {number} value */
const winPercent = (value) => `${Math.round(value / 10)} %`;
/** The probabilities of all seats in per cent. Those of two players add up to 100.
 * @param {number[]} values */
export const winShares = (values) => {
  const shares = values.map((value) => Math.round(value / 10));
  return shares.length === 2 ? [shares[0], 100 - shares[0]] : shares;
};
/** @param {number} value */
const winY = (value) => CHART.bottom - (value / 1000) * (CHART.bottom - CHART.top);

/** The probabilities of a moment, for spoken text.
 * @param {number[] | undefined} values */
const winSpoken = (values) => winShares(values ?? []).map((share, seat) => `${letter(seat)} ${share} %`).join(', ') || 'not known';

/** The fewest moments for which a plain graph has room. */
const LEAST_ROOM = 20;

/** The graph of who is likely to win, up to a moment. With `isPlain`, it has nothing but curves, which take all of its room, so that it does
 * not tell how long the match goes on; and it takes any shape.
 * @param {Match} match @param {number} eye @param {number} at */
export function winGraph(match, eye, at, isPlain = false) {
  const [seen, truth] = [winCurve(match, eye, 'seen', at), winCurve(match, eye, 'truth', at)];
  const isDuel = match.seats === 2;
  const most = isPlain ? Math.max(LEAST_ROOM, at) : Math.max(1, match.last);
  const x = (/** @type {number} */ moment) => CHART.left + (moment / most) * (CHART.right - CHART.left);
  const turnName = (/** @type {number} */ moment) => (moment === 0 ? 'start' : `${match.setup.turn} ${moment - 1}`);
  const points = (/** @type {WinCurve} */ values, /** @type {number} */ seat) => values
    .flatMap((value, moment) => (value ? [`${x(moment).toFixed(1)},${winY(value[seat]).toFixed(1)}`] : [])).join(' ');
  const rules = [CHART.top, CHART.bottom].map((y) => svg('path', { class: 'rule', d: `M${CHART.left} ${y}H${CHART.right}` }));
  const half = svg('path', { class: 'rule half', d: `M${CHART.left} ${winY(500)}H${CHART.right}` });
  const ticks = [0, 500, 1000].map((value) => svg('text', { class: 'tick', x: CHART.left - 5, y: winY(value) }, String(value / 10)));
  // Of two players, the curve is that of A; what is left above it is that of B.
  const seats = isDuel ? [0] : match.setup.names.map((_, seat) => seat);
  const lines = (/** @type {WinCurve} */ values, /** @type {string} */ look) => seats.map((seat) =>
    svg('polyline', { class: `line ${look} seat-${seat}`, points: points(values, seat) }));
  // The analysis of the newest moments may not be there yet.
  const [first, latest] = [seen.findIndex(Boolean), seen.findLastIndex(Boolean)];
  const sides = !isDuel || first < 0 ? [] : [
    svg('rect', { class: 'side seat-1', x: x(first), y: CHART.top, width: x(latest) - x(first), height: CHART.bottom - CHART.top }),
    svg('polygon', { class: 'side seat-0', points: `${x(first)},${CHART.bottom} ${points(seen, 0)} ${x(latest)},${CHART.bottom}` }),
  ];
  const name = (/** @type {number} */ seat, /** @type {number} */ y) => svg('text', { class: `side-name seat-${seat}`, x: CHART.left + 5, y },
    [...`${letter(seat)} ${match.setup.names[seat]}`].slice(0, MOST_OF_NAME).join(''));
  const letters = isDuel ? [] : seats.map((seat) => svg('text', { class: `end seat-${seat}` }, letter(seat)));
  placeNames(letters, letters.map((_, seat) => seen[latest]?.[seat]), winY, x(at) + 4);
  const turns = turningPoints(seen);
  const marks = turns.map(({ moment, seat, after }) => {
    const [cx, cy] = [x(moment), winY(isDuel ? /** @type {number[]} */ (seen[moment])[0] : after)];
    // A line without a length keeps its shape where the drawing is stretched.
    return isPlain ? svg('path', { class: `turn seat-${seat}`, d: `M${cx} ${cy}h0` }) : svg('circle', { class: `turn seat-${seat}`, cx, cy, r: 4 });
  });
  const told = turns.map(({ moment, seat, before, after }) => `${turnName(moment)}, ${letter(seat)} from ${winPercent(before)} to ${winPercent(after)}`);
  const label = [
    `Chance to win over time, as spectators know it; now ${winSpoken(seen[at])}`,
    ...(truth[at] ? [`by where the ships lie ${winSpoken(truth[at])}`] : []),
    `turning points: ${told.join('; ') || 'none so far'}`,
  ].join('. ');
  const curves = [...sides, ...rules, half, ...lines(truth, 'truth'), ...lines(seen, 'seen'), ...marks];
  if (isPlain) {
    const box = `${CHART.left} ${CHART.top - 2} ${CHART.right - CHART.left} ${CHART.bottom - CHART.top + 4}`;
    return svg('svg', { class: 'chart plain', role: 'img', 'aria-label': label, viewBox: box, preserveAspectRatio: 'none' }, ...curves);
  }
  const when = svg('text', { class: 'tick when', x: Math.min(Math.max(x(at), CHART.left + 12), CHART.right - 20), y: CHART.bottom + 13 }, turnName(at));
  return svg(
    'svg', { class: 'chart', role: 'img', 'aria-label': label, viewBox: `0 0 ${CHART.width} ${CHART.height}` },
    ...curves, ...ticks, ...(isDuel ? [name(0, CHART.top + 9), name(1, CHART.bottom - 8)] : letters),
    svg('path', { class: 'cursor', d: `M${x(at)} ${CHART.top - 4}V${CHART.bottom + 3}` }), when,
  );
}

/** Puts the letters at the ends of the lines, apart where they would cover each other.
 * @param {SVGElement[]} names @param {(number | undefined)[]} values @param {(value: number) => number} y @param {number} x */
export function placeNames(names, values, y, x) {
  const ends = values.flatMap((value, seat) => (value === undefined ? [] : [{ seat, y: y(value) }]));
  ends.sort((one, other) => one.y - other.y);
  const room = Math.min(11, (CHART.bottom - CHART.top) / ends.length);
  let above = -Infinity;
  for (const end of ends) {
    end.y = Math.max(end.y, above + room);
    above = end.y;
  }
  const over = Math.max(0, above - CHART.bottom);
  for (const end of ends) {
    names[end.seat].setAttribute('x', x);
    names[end.seat].setAttribute('y', end.y - over);
  }
  names.forEach((name, seat) => name.toggleAttribute('hidden', values[seat] === undefined));
}
