// The page before the first tournament: the address for teams, and the teams that have joined.

import { $, foreign, html, show } from '../elements.js';

/** The teams as they come. */
export class Teams {
  /** @type {BotView[]} */
  #bots = [];

  /** Shows these teams.
   * @param {BotView[]} bots */
  update(bots) {
    this.#bots = bots;
    this.fill();
  }

  /** Shows as many teams as fit, the last ones first to stay; where the page can be scrolled, all. */
  fill() {
    const list = $('teams');
    const item = (/** @type {BotView} */ bot) => html('li', { class: `state ${bot.state}` }, html('span', { class: 'name', title: bot.name }, foreign(bot.name)));
    $('team-count').textContent = String(this.#bots.length);
    $('more-teams').textContent = '';
    list.replaceChildren(...this.#bots.map(item));
    let left = 0;
    while (list.childElementCount > 1 && list.scrollHeight > list.clientHeight + 1) {
      list.firstElementChild?.remove();
      left += 1;
    }
    if (left > 0) $('more-teams').textContent = `${left} before these`;
  }
}

/** Fits the size of the address to its length. */
export function fitAddress() {
  const address = document.querySelector('#joining .address');
  address.style.setProperty('--letters', (address.textContent ?? '').length);
}

/** Shows the page before the start, or the matches.
 * @param {boolean} isStart */
export function showStart(isStart) {
  for (const part of [$('match'), document.querySelector('aside')]) show(part, !isStart);
  show($('joining'), isStart);
  document.body.classList.toggle('starting', isStart);
}
