// Who is likely to win, as far as the match is shown: a graph with the turning points so far, and the words of the moment. Only matches
// that are analysed have it.

import { $, badge, foreign, html, listKeys, show } from '../elements.js';
import { seenBy } from '../match.js';
import { CHART, turningPoints, winCurve, winGraph, winShares } from '../graph.js';
import { eye, furtherParts, match, playback } from './page.js';
import { KEYS } from './controls.js';

const winSection = html('section', { id: 'win', 'aria-label': 'Chance to win', hidden: true });
/** The words of the moment. Their place keeps its size, so that nothing moves. */
const winWords = html('div', { id: 'words', tabindex: 0, role: 'group', 'aria-label': 'About this moment' });
const winFigure = html('figure');
winSection.append(winFigure, winWords);
$('charts').before(winSection);

/** Goes to the nearest moment that was a turning point when it came, or to the end if none comes.
 * @param {number} direction */
function seekTurn(direction) {
  if (winSection.hidden) return;
  const curve = winCurve(match, eye, 'seen', match.last);
  for (let at = playback.at + direction; at > 0 && at <= match.last; at += direction) {
    if (turningPoints(curve.slice(0, at + 1)).some(({ moment }) => moment === at)) {
      playback.go(at);
      return;
    }
  }
  if (direction > 0) playback.go(match.last);
}

/** @param {number} direction @param {string} text @param {string} key */
function turnButton(direction, text, key) {
  const shortcut = key === 'w' ? key : `Shift+${key}`;
  const button = html('button', { class: 'pill turn-button', 'aria-label': text, title: `${text} (${key})`, 'aria-keyshortcuts': shortcut }, direction < 0 ? '‹' : '›');
  button.onclick = () => seekTurn(direction);
  return button;
}
const winValues = html('span', { class: 'values' });
const winFigureGraph = html('div');
/** @param {string} kind @param {string} text @param {string=} title */
const winKey = (kind, text, title) => html('span', { class: `of-${kind}`, title }, html('i', { class: `key ${kind}` }), ` ${text}`);
winFigure.append(
  html('figcaption', {}, html('span', { class: 'label' }, 'Chance to win'), winValues),
  winFigureGraph,
  html('p', { class: 'win-keys' },
    winKey('seen', 'seen', 'By what all players know together'),
    winKey('truth', 'truth', 'By where the ships lie'),
    html('span', { class: 'turns' }, turnButton(-1, 'Previous turning point', 'W'),
      winKey('turn', 'turning point'), turnButton(1, 'Next turning point', 'w'))),
);
winFigureGraph.onclick = (/** @type {MouseEvent} */ event) => {
  const box = winFigureGraph.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * CHART.width;
  playback.go(Math.round(((x - CHART.left) / (CHART.right - CHART.left)) * match.last));
};

/** Shows what there is, which may be more than before. */
function offerWin() {
  show(winSection, match.analysis.length > 0);
  show(winFigure, match.seats > 1);
  // Beside the graph, charts may have to be scrolled (analysis.css).
  if (winSection.hidden) $('charts').removeAttribute('tabindex');
  else $('charts').tabIndex = 0;
  winSection.classList.toggle('with-truth', match.eyes[eye] === 'referee');
}

furtherParts.push({
  build() {},
  look: offerWin,
  grow: offerWin,
  render(at) {
    if (winSection.hidden) return;
    const now = winCurve(match, eye, 'seen', at)[at];
    winValues.replaceChildren(...match.setup.names.map((_, seat) => html('span', {}, badge(seat), ` ${now ? `${winShares(now)[seat]} %` : '–'}`)));
    winFigureGraph.replaceChildren(winGraph(match, eye, at));
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
