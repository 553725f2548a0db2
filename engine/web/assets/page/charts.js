// Values over time, such as points: a small chart for each measure, a line for each seat. The lines end at the moment that
// is shown, so that a chart does not tell how the match goes on.

import { badge, html, show, svg } from '../elements.js';
import { CHART, placeNames } from '../graph.js';
import { Match, MatchEvents, letter } from '../match.js';

/** The charts of all measures. */
export class Charts {
  #match;
  #section;
  /** @type {Chart[]} */
  #charts = [];
  #last = 0;

  /** @param {Match} match @param {HTMLElement} section @param {(at: number) => void} choose */
  constructor(match, section, choose) {
    this.#match = match;
    this.#section = section;
    section.onclick = (event) => {
      const plot = event.target.closest?.('svg.chart');
      if (plot) choose(this.#momentAt(plot, event.clientX));
    };
  }

  /** Prepares a chart for each measure.
   * @param {MatchEvents} matchEvents */
  draw(matchEvents) {
    this.#last = Math.max(1, matchEvents.entries.length - 1);
    this.#charts = [...matchEvents.measures].map(([label, seats]) => this.#chart(label, seats));
    this.#section.replaceChildren(...this.#charts.map((chart) => chart.element));
    show(this.#section, this.#charts.length > 0);
  }

  /** Draws the lines up to a moment.
   * @param {number} at */
  point(at) {
    for (const chart of this.#charts) {
      const now = chart.seats.map((values) => values[at]);
      const known = now.flatMap((value, seat) => (isKnown(value) ? [seat] : []));
      chart.values.replaceChildren(...known.map((seat) => html('span', {}, badge(seat), ` ${now[seat]}`)));
      const said = known.map((seat) => `${letter(seat)} ${now[seat]}`).join(', ');
      chart.plot.setAttribute('aria-label', `${chart.label} over time; now ${said || 'not known'}`);
      this.#drawTo(chart, at);
    }
  }

  /** @param {number} at */
  #x(at) {
    return CHART.left + (at / this.#last) * (CHART.right - CHART.left);
  }

  /** @param {Element} plot @param {number} clientX */
  #momentAt(plot, clientX) {
    const box = plot.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * CHART.width;
    return Math.round(((x - CHART.left) / (CHART.right - CHART.left)) * this.#last);
  }

  /** @param {string} label @param {(number | null)[][]} seats */
  #chart(label, seats) {
    const rule = (/** @type {number} */ y) => svg('path', { class: 'rule', d: `M${CHART.left} ${y}H${CHART.right}` });
    const tick = (/** @type {number} */ y) => svg('text', { class: 'tick', x: CHART.left - 5, y });
    const ticks = { low: tick(CHART.bottom), high: tick(CHART.top) };
    const lines = seats.map((_, seat) => svg('polyline', { class: `line seat-${seat}` }));
    const names = seats.map((_, seat) => svg('text', { class: `end seat-${seat}` }, letter(seat)));
    const cursor = svg('path', { class: 'cursor', d: `M0 ${CHART.top - 4}V${CHART.bottom + 3}` });
    const when = svg('text', { class: 'tick when', y: CHART.bottom + 13 });
    const plot = svg(
      'svg', { class: 'chart', role: 'img', viewBox: `0 0 ${CHART.width} ${CHART.height}` },
      rule(CHART.bottom), rule(CHART.top), ticks.low, ticks.high, ...lines, cursor, ...names, when,
    );
    const values = html('span', { class: 'values' });
    const element = html('figure', {}, html('figcaption', {}, html('span', { class: 'label' }, label), values), plot);
    return { element, plot, label, values, seats, ticks, lines, names, cursor, when };
  }

  /** @param {Chart} chart @param {number} at */
  #drawTo(chart, at) {
    const past = chart.seats.map((values) => values.slice(0, at + 1));
    const known = past.flat().filter(isKnown);
    const low = -roundUp(-Math.min(0, ...known));
    const high = roundUp(Math.max(low + 1, ...known));
    const y = (/** @type {number} */ value) => CHART.bottom - ((value - low) / (high - low)) * (CHART.bottom - CHART.top);
    chart.ticks.low.textContent = String(low);
    chart.ticks.high.textContent = String(high);
    past.forEach((values, seat) => {
      const points = values.flatMap((value, at) => (isKnown(value) ? [`${this.#x(at).toFixed(1)},${y(value).toFixed(1)}`] : []));
      chart.lines[seat].setAttribute('points', points.join(' '));
    });
    placeNames(chart.names, past.map((values) => values.findLast(isKnown)), y, this.#x(at) + 4);
    chart.cursor.setAttribute('transform', `translate(${this.#x(at)} 0)`);
    chart.when.textContent = at === 0 ? 'start' : `${this.#match.setup.turn} ${at - 1}`;
    chart.when.setAttribute('x', Math.min(Math.max(this.#x(at), CHART.left + 12), CHART.right - 20));
  }
}

/** @param {number | null | undefined} value @returns {value is number} */
const isKnown = (value) => value !== null && value !== undefined;

/** The next of 0, 1, 2, 5, 10, 20, 50 … that is not below the value: the end of an axis, which seldom changes.
 * @param {number} value */
export function roundUp(value) {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * /** @type {number} */ ([1, 2, 5, 10].find((step) => step * power >= value));
}
