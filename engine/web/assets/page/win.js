// Who is likely to win, as far as the match is shown: a graph with the turning points so far, and the words of the moment. Only matches
// that are analysed have it.

import { $, badge, foreign, html, listKeys, show, svg } from '../elements.js';
import { letter, seenBy } from '../match.js';
import { CHART, placeNames } from './charts.js';
import { eye, furtherParts, match, playback } from './page.js';
import { KEYS } from './controls.js';

/** The least change of a probability that makes a turning point, in per mille, and the most turning points. As in the crate `analysis`. */
const LEAST_TURN = 80;
const MOST_TURNS = 5;
/** The most characters of a name in the graph. */
const MOST_OF_NAME = 24;

const winSection = html('section', { id: 'win', 'aria-label': 'Chance to win', hidden: true });
/** The words of the moment. Their place keeps its size, so that nothing moves. */
const winWords = html('div', { id: 'words', tabindex: 0, role: 'group', 'aria-label': 'About this moment' });
const winFigure = html('figure');
winSection.append(winFigure, winWords);
$('charts').before(winSection);

/** The probabilities to win at each moment for the chosen eye, in per mille by seat: as spectators know it, and by where the ships lie.
 * @type {(number[] | undefined)[]} */
let winSeen = [];
/** @type {(number[] | undefined)[]} */
let winTruth = [];

/** The turning points up to a moment, in their order: the greatest changes so far.
 * @param {number} until */
function turningPoints(until) {
  /** @type {TurningPoint[]} */
  const points = [];
  for (let moment = 1; moment <= until; moment += 1) {
    const [before, after] = [winSeen[moment - 1], winSeen[moment]];
    if (!before || !after) continue;
    const grown = after.map((value, seat) => value - before[seat]);
    const seat = grown.indexOf(Math.max(...grown));
    if (grown[seat] >= LEAST_TURN) points.push({ moment, seat, before: before[seat], after: after[seat] });
  }
  points.sort((one, other) => (other.after - other.before) - (one.after - one.before));
  return points.slice(0, MOST_TURNS).sort((one, other) => one.moment - other.moment);
}

/** Goes to the nearest moment that was a turning point when it came, or to the end if none comes.
 * @param {number} direction */
function seekTurn(direction) {
  if (winSection.hidden) return;
  for (let at = playback.at + direction; at > 0 && at <= match.last; at += direction) {
    if (turningPoints(at).some(({ moment }) => moment === at)) {
      playback.go(at);
      return;
    }
  }
  if (direction > 0) playback.go(match.last);
}

/** @param {number} value */
const winPercent = (value) => `${Math.round(value / 10)} %`;
/** The probabilities of all seats in per cent. Those of two players add up to 100.
 * @param {number[]} values */
const winShares = (values) => {
  const shares = values.map((value) => Math.round(value / 10));
  return shares.length === 2 ? [shares[0], 100 - shares[0]] : shares;
};
/** @param {number} at */
const winX = (at) => CHART.left + (at / Math.max(1, match.last)) * (CHART.right - CHART.left);
/** @param {number} value */
const winY = (value) => CHART.bottom - (value / 1000) * (CHART.bottom - CHART.top);
/** @param {number} at */
const turnName = (at) => (at === 0 ? 'start' : `${match.setup.turn} ${at - 1}`);

/** The probabilities of a moment, for spoken text.
 * @param {number[] | undefined} values */
const winSpoken = (values) => winShares(values ?? []).map((share, seat) => `${letter(seat)} ${share} %`).join(', ') || 'not known';

/** The points of a line.
 * @param {(number[] | undefined)[]} values @param {number} seat @param {number} until */
const winPoints = (values, seat, until) => values.slice(0, until + 1)
  .flatMap((value, at) => (value ? [`${winX(at).toFixed(1)},${winY(value[seat]).toFixed(1)}`] : [])).join(' ');

/** @param {number} at */
function winPlot(at) {
  const isDuel = match.seats === 2;
  const rules = [CHART.top, CHART.bottom].map((y) => svg('path', { class: 'rule', d: `M${CHART.left} ${y}H${CHART.right}` }));
  const half = svg('path', { class: 'rule half', d: `M${CHART.left} ${winY(500)}H${CHART.right}` });
  const ticks = [0, 500, 1000].map((value) => svg('text', { class: 'tick', x: CHART.left - 5, y: winY(value) }, String(value / 10)));
  // Of two players, the curve is that of A; what is left above it is that of B.
  const seats = isDuel ? [0] : match.setup.names.map((_, seat) => seat);
  const lines = (/** @type {(number[] | undefined)[]} */ values, /** @type {string} */ look) => seats.map((seat) =>
    svg('polyline', { class: `line ${look} seat-${seat}`, points: winPoints(values, seat, at) }));
  const first = winSeen.findIndex(Boolean);
  const sides = !isDuel || first < 0 || first > at ? [] : [
    svg('rect', { class: 'side seat-1', x: winX(first), y: CHART.top, width: winX(at) - winX(first), height: CHART.bottom - CHART.top }),
    svg('polygon', { class: 'side seat-0', points: `${winX(first)},${CHART.bottom} ${winPoints(winSeen, 0, at)} ${winX(at)},${CHART.bottom}` }),
  ];
  const name = (/** @type {number} */ seat, /** @type {number} */ y) => svg('text', { class: `side-name seat-${seat}`, x: CHART.left + 5, y },
    [...`${letter(seat)} ${match.setup.names[seat]}`].slice(0, MOST_OF_NAME).join(''));
  const letters = isDuel ? [] : seats.map((seat) => svg('text', { class: `end seat-${seat}` }, letter(seat)));
  const latest = winSeen.slice(0, at + 1).findLast(Boolean);
  placeNames(letters, letters.map((_, seat) => latest?.[seat]), winY, winX(at) + 4);
  const points = turningPoints(at);
  const marks = points.map(({ moment, seat, after }) => svg('circle', {
    class: `turn seat-${seat}`, cx: winX(moment), cy: winY(isDuel ? /** @type {number[]} */ (winSeen[moment])[0] : after), r: 4,
  }));
  const when = svg('text', { class: 'tick when', x: Math.min(Math.max(winX(at), CHART.left + 12), CHART.right - 20), y: CHART.bottom + 13 }, turnName(at));
  const told = points.map(({ moment, seat, before, after }) => `${turnName(moment)}, ${letter(seat)} from ${winPercent(before)} to ${winPercent(after)}`);
  const label = [
    `Chance to win over time, as spectators know it; now ${winSpoken(winSeen[at])}`,
    ...(winTruth[at] ? [`by where the ships lie ${winSpoken(winTruth[at])}`] : []),
    `turning points: ${told.join('; ') || 'none so far'}`,
  ].join('. ');
  return svg(
    'svg', { class: 'chart', role: 'img', 'aria-label': label, viewBox: `0 0 ${CHART.width} ${CHART.height}` },
    ...sides, ...rules, half, ...ticks, ...lines(winTruth, 'truth'), ...lines(winSeen, 'seen'), ...marks,
    ...(isDuel ? [name(0, CHART.top + 9), name(1, CHART.bottom - 8)] : letters),
    svg('path', { class: 'cursor', d: `M${winX(at)} ${CHART.top - 4}V${CHART.bottom + 3}` }), when,
  );
}

/** @param {number} direction @param {string} text @param {string} key */
function turnButton(direction, text, key) {
  const shortcut = key === 'w' ? key : `Shift+${key}`;
  const button = html('button', { class: 'pill turn-button', 'aria-label': text, title: `${text} (${key})`, 'aria-keyshortcuts': shortcut }, direction < 0 ? '‹' : '›');
  button.onclick = () => seekTurn(direction);
  return button;
}
const winValues = html('span', { class: 'values' });
const winGraph = html('div');
/** @param {string} kind @param {string} text @param {string=} title */
const winKey = (kind, text, title) => html('span', { class: `of-${kind}`, title }, html('i', { class: `key ${kind}` }), ` ${text}`);
winFigure.append(
  html('figcaption', {}, html('span', { class: 'label' }, 'Chance to win'), winValues),
  winGraph,
  html('p', { class: 'win-keys' },
    winKey('seen', 'seen', 'By what all players know together'),
    winKey('truth', 'truth', 'By where the ships lie'),
    html('span', { class: 'turns' }, turnButton(-1, 'Previous turning point', 'W'),
      winKey('turn', 'turning point'), turnButton(1, 'Next turning point', 'w'))),
);
winGraph.onclick = (/** @type {MouseEvent} */ event) => {
  const box = winGraph.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * CHART.width;
  playback.go(Math.round(((x - CHART.left) / (CHART.right - CHART.left)) * match.last));
};

furtherParts.push({
  build() {},
  look() {
    const of = (/** @type {'seen' | 'truth'} */ kind) => match.frames.map((_, at) => seenBy(eye, match.analysis[at]?.[kind]));
    winSeen = of('seen');
    winTruth = of('truth');
    show(winSection, match.analysis.length > 0);
    show(winFigure, winSeen.some(Boolean));
    // Beside the graph, charts may have to be scrolled (analysis.css).
    if (winSection.hidden) $('charts').removeAttribute('tabindex');
    else $('charts').tabIndex = 0;
    winSection.classList.toggle('with-truth', winTruth.some(Boolean));
  },
  render(at) {
    if (winSection.hidden) return;
    const now = winSeen[at];
    winValues.replaceChildren(...match.setup.names.map((_, seat) => html('span', {}, badge(seat), ` ${now ? `${winShares(now)[seat]} %` : '–'}`)));
    winGraph.replaceChildren(winPlot(at));
    const sentences = seenBy(eye, match.analysis[at]?.words) ?? [];
    winWords.replaceChildren(...sentences.map((sentence) => html('p', {}, foreign(sentence))));
  },
  clock() {},
});

/** @type {Key[]} */
const WIN_KEYS = [
  [['w'], 'w', 'next turning point', () => seekTurn(1)],
  [['W'], 'W', 'previous turning point', () => seekTurn(-1)],
];
KEYS.push(...WIN_KEYS);
listKeys(WIN_KEYS);
