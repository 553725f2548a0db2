// Who is likely to win, beside the boards of a screen: the probabilities, their graph as far as the match is shown, and the words of the
// moment. A screen has a place for it, or shows nothing.

import { $, badge, foreign, html } from '../elements.js';
import { Match, seenBy } from '../match.js';
import { winGraph, winShares } from '../graph.js';

/** Shows a moment as an eye knows it.
 * @param {Match} match @param {number} eye @param {number} at */
export function showOutlook(match, eye, at) {
  if (!$('outlook')) return;
  const view = match.analysis[at];
  const values = winShares(seenBy(eye, view?.seen) ?? []);
  $('shares').replaceChildren(...match.setup.names.map((_, seat) => html('span', {}, badge(seat), ` ${values[seat] ?? '–'} %`)));
  $('graph').replaceChildren(winGraph(match, eye, at, true));
  $('words').replaceChildren(...(seenBy(eye, view?.words) ?? []).flatMap((sentence) => [foreign(sentence), ' ']));
}
