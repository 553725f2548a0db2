// Values over time, such as points: a small chart for each measure, a line for each seat.

/** Size of a chart and of its plot, in the units of the drawing. */
const CHART = { width: 320, height: 118, left: 34, right: 304, top: 8, bottom: 98 };

/** The charts of all measures. */
class Charts {
  #match;
  #section;
  #charts = [];
  #last = 0;

  constructor(match, section, choose) {
    this.#match = match;
    this.#section = section;
    section.onclick = (event) => {
      const plot = event.target.closest?.('svg.chart');
      if (plot) choose(this.#momentAt(plot, event.clientX));
    };
  }

  /** Draws the lines. */
  draw(matchEvents) {
    this.#last = Math.max(1, matchEvents.entries.length - 1);
    this.#charts = [...matchEvents.measures].map(([label, seats]) => this.#chart(label, seats));
    this.#section.replaceChildren(...this.#charts.map((chart) => chart.element));
    show(this.#section, this.#charts.length > 0);
  }

  /** Puts the cursor on a moment. */
  point(at) {
    for (const chart of this.#charts) {
      chart.cursor.setAttribute('transform', `translate(${this.#x(at)} 0)`);
      const known = chart.seats.flatMap((values, seat) => (values[at] === undefined || values[at] === null ? [] : [seat]));
      chart.values.replaceChildren(...known.map((seat) =>
        html('span', {}, badge(seat), ` ${chart.seats[seat][at]}`)));
      const said = known.map((seat) => `${letter(seat)} ${chart.seats[seat][at]}`).join(', ');
      chart.plot.setAttribute('aria-label', `${chart.label} over time; now ${said || 'not known'}`);
    }
  }

  #x(at) {
    return CHART.left + (at / this.#last) * (CHART.right - CHART.left);
  }

  #momentAt(plot, clientX) {
    const box = plot.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * CHART.width;
    return Math.round(((x - CHART.left) / (CHART.right - CHART.left)) * this.#last);
  }

  #chart(label, seats) {
    const known = seats.flat().filter((value) => value !== null && value !== undefined);
    const low = Math.min(0, ...known);
    const high = Math.max(low + 1, ...known);
    const y = (value) => CHART.bottom - ((value - low) / (high - low)) * (CHART.bottom - CHART.top);
    const line = (value) => svg('path', { class: 'rule', d: `M${CHART.left} ${y(value)}H${CHART.right}` });
    const tick = (value) => svg('text', { class: 'tick', x: CHART.left - 5, y: y(value) }, String(value));
    const lines = seats.map((values, seat) => {
      const points = values.flatMap((value, at) => (value === null ? [] : [`${this.#x(at).toFixed(1)},${y(value).toFixed(1)}`]));
      return svg('polyline', { class: `line seat-${seat}`, points: points.join(' ') });
    });
    const cursor = svg('path', { class: 'cursor', d: `M0 ${CHART.top - 4}V${CHART.bottom + 3}` });
    const plot = svg(
      'svg', { class: 'chart', role: 'img', viewBox: `0 0 ${CHART.width} ${CHART.height}` },
      line(low), line(high), tick(low), tick(high), ...lines, ...this.#names(seats, y), cursor,
      svg('text', { class: 'tick from', x: CHART.left, y: CHART.bottom + 13 }, 'start'),
      svg('text', { class: 'tick', x: CHART.right, y: CHART.bottom + 13 }, `${this.#match.setup.turn} ${this.#last - 1}`),
    );
    const values = html('span', { class: 'values' });
    const element = html('figure', {}, html('figcaption', {}, html('span', { class: 'label' }, label), values), plot);
    return { element, plot, label, cursor, values, seats };
  }

  /** The letters at the ends of the lines, moved apart where they would cover each other. */
  #names(seats, y) {
    const ends = seats.flatMap((values, seat) => {
      const value = values.findLast((other) => other !== null);
      return value === undefined ? [] : [{ seat, y: y(value) }];
    });
    ends.sort((one, other) => one.y - other.y);
    const room = Math.min(11, (CHART.bottom - CHART.top) / ends.length);
    let above = -Infinity;
    for (const end of ends) {
      end.y = Math.max(end.y, above + room);
      above = end.y;
    }
    const over = Math.max(0, above - CHART.bottom);
    return ends.map((end) =>
      svg('text', { class: `end seat-${end.seat}`, x: CHART.right + 4, y: end.y - over }, letter(end.seat)));
  }
}
