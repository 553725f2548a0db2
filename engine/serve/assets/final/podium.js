// The podium: the third place first, then the second, then the winner.

import { $, html } from '../elements.js';
import { named } from '../screen/stage.js';
import { botOf } from './bracket.js';

/** The time between two places. */
const PLACE_MS = 2500;
const PLACES = ['first', 'second', 'third'];

/** @type {number | undefined} */
let podiumTimer;
/** The number of the final whose podium is shown.
 * @type {number | null} */
let podiumOf = null;

/** One place of the podium.
 * @param {FinalBot} bot @param {number} nth */
const placeOf = (bot, nth) => html('li', { class: `place ${PLACES[nth]}` },
  html('p', { class: 'who' }, named(bot.name)),
  html('p', { class: 'step' }, html('span', { class: 'unseen' }, 'Place '), nth + 1));

/** Shows the podium; one place after the other if it `isNews`. Places that are to come are not in the page.
 * @param {FinalView} view @param {boolean} isNews */
export function showPodium(view, isNews) {
  if (podiumOf === view.number) return;
  podiumOf = view.number;
  const best = view.ranking.slice(0, PLACES.length).flatMap((seed) => botOf(view, seed) ?? []);
  const shown = Array(best.length).fill(null);
  const tell = (/** @type {number} */ nth) => {
    shown[nth] = placeOf(best[nth], nth);
    $('places').replaceChildren(...shown.filter((place) => place !== null));
    document.body.dataset.places = String(shown.filter((place) => place !== null).length);
    if (nth === 0) {
      $('champion').replaceChildren(html('strong', {}, named(best[0].name), html('span', {}, 'wins the final')));
      return;
    }
    podiumTimer = setTimeout(() => tell(nth - 1), PLACE_MS);
  };
  $('places').replaceChildren();
  $('champion').replaceChildren();
  if (best.length === 0) return;
  if (isNews) podiumTimer = setTimeout(() => tell(best.length - 1), PLACE_MS / 2);
  else {
    best.forEach((bot, nth) => { shown[nth] = placeOf(bot, nth); });
    tell(0);
  }
}

/** Forgets the podium. */
export function hidePodium() {
  clearTimeout(podiumTimer);
  podiumOf = null;
  delete document.body.dataset.places;
}
