// The table: a match as all may follow it from afar. A card for each team, whose turn it is with the time left, the race for
// hits, who sank whom, and the last salvos in words. It takes the place of the boards while they can show nothing. When the
// match is over and the ships are known, the boards turn over.

import { $, badge, foreign, html, show } from '../elements.js';
import { Match, letter, seatOf } from '../match.js';
import { called } from '../text.js';
import { roundUp } from '../page/charts.js';
import { serverTime } from '../stream.js';
import { SHARED_EYES, boards, eye, furtherParts, match, matchEvents, playback, render } from '../page/page.js';
import { Tally, counted } from './tally.js';

/** The most entries of the list of salvos. */
const MOST_WORDS = 60;
/** Milliseconds left from which on the time is urgent. */
const URGENT = 5000;

/** The table of the current match; null if the page shows what single seats see, too.
 * @type {Table | null} */
let table = null;
/** @type {Tally | null} */
let tally = null;
/** The clock of the turn; null if none was started.
 * @type {ClockView | null} */
let clock = null;

const tableSection = html('section', { id: 'table', 'aria-label': 'The match at a glance', hidden: true });
document.querySelector('.deck').before(tableSection);

/** A name as text that cannot change the text around it.
 * @param {number} seat */
const nameTag = (seat) => html('span', { class: 'name', title: match.setup.names[seat] }, foreign(match.setup.names[seat]));

/** The ship of a sinking with its owner.
 * @param {Sinking} sinking */
const loss = ({ target, letter }) => [nameTag(target), `’s ${called(match, letter)}`];

/** Words with commas between them.
 * @param {(Node | string)[][]} parts */
const listed = (parts) => parts.flatMap((part, nth) => (nth > 0 ? [', ', ...part] : part));

/** The parts of the table. */
class Table {
  #seats;
  #turn = html('section', { id: 'turn', 'aria-label': 'Turn' });
  #turnShown = '';
  #time = html('span', { class: 'bar-left' });
  #seconds = html('p', { class: 'seconds', role: 'timer', 'aria-label': 'Time left' });
  #cards;
  #race;
  #words = html('ol', { class: 'words', tabindex: 0, 'aria-label': 'Last salvos' });
  #wordsShown = '';
  #matrix;
  #matrixShown = '';

  /** @param {Match} match */
  constructor(match) {
    this.#seats = match.setup.names.map((_, seat) => seat);
    const size = this.#seats.length === 2 ? 'two' : this.#seats.length > 4 ? 'crowded' : 'few';
    this.#matrix = html('section', { class: `matrix ${size}`, 'aria-label': 'Who against whom' });
    this.#cards = this.#seats.map((seat) => new Card(seat));
    this.#race = this.#seats.map((seat) => new Runner(seat));
    const race = html('ol', { class: 'runners' }, ...this.#race.map((runner) => runner.element));
    const cards = html('section', { class: 'cards', 'aria-label': 'Teams' }, ...this.#cards.map((card) => card.element));
    /** @param {string} title @param {Node[]} content */
    const part = (title, ...content) => html('section', { class: `part ${title.split(' ')[0].toLowerCase()}` }, html('h2', {}, title), ...content);
    tableSection.replaceChildren(this.#turn, cards, part('Race for hits', race), part('Last salvos', this.#words), this.#matrix);
    tableSection.style.setProperty('--teams', this.#seats.length);
    tableSection.style.setProperty('--columns', columns(this.#seats.length));
    tableSection.className = size;
    $('boards').style.setProperty('--open-columns', openColumns(this.#seats.length));
  }

  /** Puts the matrix beside the boards, or back into the table.
   * @param {boolean} covered */
  place(covered) {
    if (covered) tableSection.append(this.#matrix);
    else document.querySelector('.panel').before(this.#matrix);
  }

  remove() {
    this.#matrix.remove();
  }

  /** @param {number} at @param {Scene} scene @param {Tally} counts */
  update(at, scene, counts) {
    const hits = this.#seats.map((seat) => matchEvents.measures.get('hits')?.[seat][at] ?? 0);
    const most = roundUp(Math.max(10, ...hits));
    const order = [...this.#seats].sort((one, other) => hits[other] - hits[one] || one - other);
    for (const seat of this.#seats) {
      this.#race[seat].update(hits[seat], hits[seat] / most, order.indexOf(seat), isOut(scene, seat));
      this.#cards[seat].update(at, scene.boards[seat], counts);
    }
    this.#showTurn(counts, at);
    this.#showWords(counts);
    this.#showMatrix(counts);
  }

  /** @param {Tally} counts @param {number} at */
  #showTurn({ mover, sank }, at) {
    const over = match.over !== null && at === match.last;
    const key = JSON.stringify([mover, sank.length, over]);
    if (key === this.#turnShown) return;
    this.#turnShown = key;
    const seat = mover && !over ? seatOf(mover.seat) : null;
    this.#turn.className = seat === null ? '' : `seat-${seat}`;
    if (mover === null || seat === null) {
      const words = over ? (match.over?.finished ? 'The match is over' : 'The match was not played to its end') : 'The teams place their ships';
      this.#turn.replaceChildren(html('p', { class: 'whose' }, words));
      return;
    }
    const { shots, left } = mover;
    const pips = Array.from({ length: shots }, (_, nth) => html('i', { class: nth < left ? 'loaded' : null }));
    const found = sank.length === 0 ? [] : ['sank ', ...listed(sank.map(loss))];
    this.#turn.replaceChildren(
      html('p', { class: 'whose' }, badge(seat), nameTag(seat), html('span', { class: 'does' }, 'fires')),
      html('p', { class: 'pips' }, html('span', { 'aria-hidden': 'true' }, ...pips), html('b', {}, `${left} of ${counted(shots, 'shot')} left`)),
      html('p', { class: 'found' }, ...found),
      this.#seconds,
      html('div', { class: 'time', 'aria-hidden': 'true' }, this.#time),
    );
  }

  /** Shows the time that is left, or none.
   * @param {number | null} left @param {number=} limit */
  showTime(left, limit) {
    const known = left !== null;
    this.#seconds.replaceChildren(...(known ? [html('b', {}, String(Math.ceil(left / 1000))), ' s'] : []));
    this.#turn.classList.toggle('urgent', known && left <= URGENT);
    this.#turn.classList.toggle('timed', known);
    this.#time.style.setProperty('--left', known && limit ? Math.min(1, left / limit) : 0);
  }

  /** @param {Tally} counts */
  #showWords({ words }) {
    const last = words.slice(-MOST_WORDS);
    const key = `${words.length} ${last.at(-1)?.at}`;
    if (key === this.#wordsShown) return;
    this.#wordsShown = key;
    this.#words.replaceChildren(...last.reverse().map(salvoEntry));
    this.#words.scrollTop = 0;
  }

  /** The referee knows all shots; everyone knows the sinkings.
   * @param {Tally} counts */
  #showMatrix({ sunk, shots, hits, knowsCells }) {
    const counts = knowsCells ? shots : sunk;
    const key = JSON.stringify([knowsCells, counts]);
    if (key === this.#matrixShown) return;
    this.#matrixShown = key;
    const most = Math.max(1, ...counts.flat());
    const head = this.#seats.map((seat) => html('th', { scope: 'col', title: match.setup.names[seat] }, badge(seat)));
    const cell = (/** @type {number} */ by, /** @type {number} */ target) => {
      if (by === target) return html('td', { class: 'self' }, html('span', { class: 'unseen' }, 'itself'));
      const hint = knowsCells ? `${counted(shots[by][target], 'shot')}, ${counted(hits[by][target], 'hit')}, ${sunk[by][target]} sunk` : `${sunk[by][target]} sunk`;
      const title = `${letter(by)} against ${letter(target)}: ${hint}`;
      const found = html('td', { class: counts[by][target] > 0 ? 'some' : null, title }, String(counts[by][target] || '·'));
      found.style.setProperty('--share', counts[by][target] / most);
      return found;
    };
    const rows = this.#seats.map((by) => html('tr', { class: `seat-${by}` },
      html('th', { scope: 'row', title: match.setup.names[by] }, badge(by), nameTag(by)), ...this.#seats.map((target) => cell(by, target))));
    this.#matrix.replaceChildren(
      html('h2', {}, knowsCells ? 'Who shot at whom' : 'Who sank whom'),
      html('table', {},
        html('caption', {}, knowsCells ? 'Shots of each row at the fleet of each column' : 'Ships that each row sank of each column'),
        html('thead', {}, html('tr', {}, html('td', {}), ...head)), html('tbody', {}, ...rows)),
    );
  }
}

/** The number of columns of cards beside each other on a wide screen.
 * @param {number} teams */
const columns = (teams) => (teams <= 4 ? Math.min(teams, 2) : teams <= 9 ? 3 : 4);

/** The number of columns of open boards on a wide screen.
 * @param {number} teams */
const openColumns = (teams) => (teams <= 4 ? teams : ([6, 8, 10, 12, 18].find((most) => teams <= most) ?? 18) / (teams > 12 ? 3 : 2));

/** The reason why a player is out, from its facts; undefined while it is in.
 * @param {Scene} scene @param {number} seat */
function isOut(scene, seat) {
  const board = scene.boards[seat];
  const nth = board.factLabels.indexOf('out');
  return nth < 0 ? undefined : board.facts[nth];
}

/** An entry of the list of salvos.
 * @param {Salvo} salvo */
function salvoEntry({ seat, text, sank, out }) {
  const sunk = sank.length > 0 ? [html('strong', {}, ', sank ', ...listed(sank.map(loss)))] : [];
  const gone = out.map((who) => html('strong', { class: 'gone' }, '; ', nameTag(who), ' is out'));
  const colon = text === 'begins' ? ' ' : ': ';
  return html('li', { class: `seat-${seat}${sank.length > 0 ? ' sinking' : ''}` },
    badge(seat), html('span', { class: 'what' }, nameTag(seat), colon, foreign(text), ...sunk, ...gone));
}

/** The card of a team. */
class Card {
  element;
  #seat;
  #state = html('p', { class: 'state' });
  #fleet = html('ul', { class: 'fleet' });
  #facts = html('dl', {});
  #shown = '';

  /** @param {number} seat */
  constructor(seat) {
    this.#seat = seat;
    this.element = html('article', { class: `card seat-${seat}`, 'data-seat': letter(seat) },
      html('h3', {}, badge(seat), nameTag(seat)), this.#state, this.#fleet, this.#facts);
  }

  /** @param {number} at @param {Board} board @param {Tally} counts */
  update(at, board, { mover, sinkings }) {
    const moves = mover !== null && seatOf(mover.seat) === this.#seat;
    const lost = sinkings.filter(({ target }) => target === this.#seat);
    const fresh = lost.filter((sinking) => sinking.at === at).length;
    const key = JSON.stringify([moves, lost.length, fresh, board.fleet, board.facts]);
    if (key === this.#shown) return;
    this.#shown = key;
    const facts = board.factLabels.map((label, nth) => [label, board.facts[nth]]);
    const out = facts.find(([label]) => label === 'out')?.[1];
    const afloat = board.fleet.filter((ship) => !ship.sunk);
    this.element.classList.toggle('moves', moves && out === undefined);
    this.element.classList.toggle('out', out !== undefined);
    this.element.classList.toggle('struck', fresh > 0);
    this.#state.replaceChildren(...(out === undefined ? [html('b', {}, String(afloat.length)), ` of ${board.fleet.length}`, html('span', { class: 'more' }, ' afloat')] : ['out: ', foreign(out)]));
    this.#state.title = out ?? '';
    // Those afloat as the game lists them, then the others as they sank.
    const ship = (/** @type {string} */ letter) => board.fleet.find((one) => one.letter === letter);
    const sunk = lost.map(({ letter, by, at: when }) => shipItem(/** @type {FleetShip} */ (ship(letter)), by, when === at));
    this.#fleet.replaceChildren(...afloat.map((one) => shipItem(one)), ...sunk);
    this.#facts.replaceChildren(...facts.filter(([label]) => label !== 'ships' && label !== 'out')
      .map(([label, value]) => html('div', {}, html('dt', {}, label), html('dd', {}, foreign(value)))));
  }
}

/** A ship of a card; `by` is the seat that sank it, undefined while it is afloat.
 * @param {FleetShip} ship @param {number=} by @param {boolean=} fresh */
function shipItem(ship, by, fresh) {
  const name = called(match, ship.letter);
  const hull = html('span', { class: 'hull-cells', 'aria-hidden': 'true' }, ...Array.from({ length: ship.length }, () => html('i')));
  const state = by === undefined ? [html('span', { class: 'unseen' }, ' afloat')] : [html('span', { class: 'by' }, html('span', { class: 'unseen' }, ' sunk by '), badge(by))];
  return html('li', { class: `${by === undefined ? '' : 'lost'}${fresh ? ' fresh' : ''}`, title: name }, hull, html('span', { class: 'kind' }, name), ...state);
}

/** The row of a team in the race for hits. */
class Runner {
  element;
  #count = html('b', {});

  /** @param {number} seat */
  constructor(seat) {
    this.element = html('li', { class: `seat-${seat}` }, badge(seat), nameTag(seat), html('span', { class: 'track', 'aria-hidden': 'true' }), this.#count);
  }

  /** @param {number} hits @param {number} share @param {number} place @param {string | undefined} out */
  update(hits, share, place, out) {
    this.#count.textContent = String(hits);
    this.element.style.setProperty('--share', share);
    this.element.style.setProperty('--place', place);
    this.element.classList.toggle('out', out !== undefined);
  }
}

/** Builds the table of a match that one pair of shared eyes sees. */
function buildTable() {
  const wasCovered = document.body.classList.contains('covered');
  table?.remove();
  table = match.eyes.length === 1 && match.eyes[0] in SHARED_EYES ? new Table(match) : null;
  tally = null;
  clock = null;
  cover(table !== null && match.eyes[0] === 'everyone');
  document.body.classList.toggle('tabled', table !== null);
  document.body.classList.toggle('many-teams', table !== null && match.seats > 4);
  boards.forEach((board, nth) => board.element.style.setProperty('--nth', nth));
  $('boards').classList.toggle('uncovering', wasCovered && table !== null && !document.body.classList.contains('covered'));
}

/** Shows the table in place of the boards, or the boards.
 * @param {boolean} covered */
function cover(covered) {
  document.body.classList.toggle('covered', covered);
  show(tableSection, covered);
  show(document.querySelector('.deck'), !covered);
  table?.place(covered);
}

/** Begins to count for the chosen eye. */
function countTable() {
  tally = table && new Tally(match, eye, matchEvents);
}

/** @param {number} at @param {Scene} scene */
function renderTable(at, scene) {
  if (!table || !tally) return;
  const counts = tally.at(at);
  const covered = match.eyes[0] === 'everyone' && !counts.knowsCells;
  if (covered !== document.body.classList.contains('covered')) cover(covered);
  table.update(at, scene, counts);
  showClock();
}

/** Takes in the clock of a turn.
 * @param {ClockView} started */
function startClock(started) {
  clock = started;
  showClock();
}

/** @type {number | undefined} */
let ticking;

/** Shows the time left of the turn at the newest moment, again and again while it runs. */
function showClock() {
  clearTimeout(ticking);
  const isCurrent = tally?.mover?.seat === clock?.seat && playback.at === match.last && match.over === null;
  if (!table || !clock || !isCurrent) {
    table?.showTime(null);
    return;
  }
  const left = Math.min(clock.limit_ms, Math.max(0, clock.until_ms - serverTime()));
  table.showTime(left, clock.limit_ms);
  if (left > 0) ticking = setTimeout(showClock, 200);
}

furtherParts.push({ build: buildTable, look: countTable, grow() {}, render: renderTable, clock: startClock });
// A page that is not live was built before this part was there.
if (match.setup) {
  buildTable();
  countTable();
  render();
}
