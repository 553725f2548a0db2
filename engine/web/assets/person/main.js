// The page of a person who plays: what is asked, the boards, and what has happened.

import { $, badge, foreign, html, show, toggled } from '../elements.js';
import { Match, MatchEvents, SceneReader, letter, seatOf } from '../match.js';
import { SPOKEN, meaning, spoken } from '../text.js';
import { BoardView, legend } from '../board.js';
import { followMatch, together } from '../stream.js';
import { CellGrid, overlay } from './grid.js';
import { FleetPlacing, letDrag } from './fleet.js';

const match = new Match();
/** The page sees with one eye. */
const EYE = 0;
/** @type {SceneReader} */
let sceneReader;
/** @type {MatchEvents} */
let matchEvents;
/** @type {BoardView[]} */
let boards = [];
/** @type {CellGrid[]} */
let grids = [];
/** The person's own seat. */
let me = 0;
/** @type {Question} */
let question = { kind: 'wait', others: [] };
/** @type {FleetPlacing | null} */
let placing = null;
/** The word of the chosen order.
 * @type {string | null} */
let word = null;
/** The shot about which the person was told that it is wasted.
 * @type {string | null} */
let doubted = null;
/** The cells that are chosen for an order of several.
 * @type {AimedAt[]} */
let chosenCells = [];
let sending = false;
/** The number of moments that are in the log. */
let logged = 0;

/** False on a device that has no keys and no mouse; person.css says the same. */
const hasKeys = !matchMedia('(hover: none) and (pointer: coarse)').matches;

/** @param {number} seat */
const nameOf = (seat) => match.setup.names[seat];

function build() {
  const { names, title, engine, grids: sizes, eyes, first_row_on_top: fromTop } = match.setup;
  me = seatOf(eyes[EYE]);
  logged = 0;
  $('log').replaceChildren();
  $('players').replaceChildren(...names.flatMap((name, seat) => [
    ...(seat > 0 ? [html('span', { class: 'versus' }, names.length === 2 ? 'against' : '·')] : []),
    html('span', { class: 'player', title: name }, badge(seat), html('span', { class: 'name' }, foreign(name)),
      ...(seat === me ? [html('span', { class: 'versus' }, '(you)')] : [])),
  ]));
  $('about').replaceChildren(...[title, `engine ${engine}`].map((text) => html('span', {}, foreign(text))));
  boards = names.map((_, seat) => new BoardView(match, seat));
  grids = names.map((_, seat) => {
    const name = seat === me ? 'Your board' : `Board of ${spoken(match, seat)}`;
    /** @type {GridListener} */
    const told = { choose: (x, y) => choose(seat, x, y), point: (x, y) => aimAt(seat, x, y) };
    const grid = new CellGrid(name, sizes[seat], fromTop, told);
    overlay(boards[seat].element, grid, sizes[seat], fromTop);
    boards[seat].element.classList.toggle('own', seat === me);
    return grid;
  });
  letDrag(grids[me], $('tray'), () => placing);
  const order = [...names.keys()].sort((one, other) => Number(other === me) - Number(one === me));
  $('boards').replaceChildren(...order.map((seat) => boards[seat].element));
  $('boards').classList.toggle('many', names.length > 2);
  sceneReader = new SceneReader(match, EYE);
  matchEvents = new MatchEvents(match, EYE);
}

// What the server tells.

const connected = (/** @type {boolean} */ is) => {
  $('connection').textContent = is ? '' : 'Connection lost, trying again …';
  show($('connection'), !is && match.over === null);
};
const gone = () => {
  $('connection').textContent = 'The match is gone: its server has ended it.';
};

/** Shows what is new. */
function grown() {
  if (match.frames.length > 0) render();
}
const grow = together(grown);

/** Fetches the page to keep while the server is there. */
async function offerToSave() {
  try {
    const answer = await fetch('match.html');
    if (!answer.ok) return;
    $('save').href = URL.createObjectURL(await answer.blob());
    show($('save'), true);
    show($('kept'), true);
  } catch {
    // The server has ended already: the record is where the program says.
  }
}

/** Takes in a question. After the last one, fetches the page to keep, and lets the server go.
 * @param {Question | EndOfQuestions} asked */
async function hear(asked) {
  if (asked.kind === 'end') {
    if (asked.record) $('record').textContent = `The record: ${asked.record}`;
    show($('kept'), Boolean(asked.record));
    if (match.over?.finished) await offerToSave();
    source.close();
    return;
  }
  // After an interruption, the question that is open comes again.
  if (asked.number !== undefined && asked.number === question.number) return;
  question = asked;
  doubted = null;
  chosenCells = [];
  $('reason').textContent = '';
  if (asked.kind === 'place' && match.setup) {
    placing = new FleetPlacing(asked, match.setup.grids[me], { changed: render, refused: refuse });
  } else if (placing) {
    placing.accepted();
    placing = null;
  }
  if (asked.kind === 'order') offerOrders(asked);
  grow();
}

// What the page shows.

function render() {
  matchEvents.extend();
  const at = match.last;
  const scene = sceneReader.scene(at);
  const ended = match.over !== null;
  const entry = matchEvents.entries[at];
  boards.forEach((board, seat) => {
    const shown = seat === me && placing ? withFleet(scene.boards[seat], placing) : scene.boards[seat];
    const shooters = entry.deeds.filter((deed) => deed.seat !== seat);
    const shooter = match.seats === 2 ? 1 - seat : shooters.length === 1 ? shooters[0].seat : undefined;
    board.update(shown, undefined, match.over?.winner === letter(seat), shooter);
    grids[seat].describe((x, y) => `${x}, ${y}: ${meaning(match, shown.looks[x * shown.height + y])}`);
  });
  renderTask();
  renderTray();
  mark();
  tell();
  document.body.dataset.moment = String(at);
  document.body.dataset.asked = ended ? 'over' : question.kind;
  document.body.dataset.question = String(question.number ?? '');
  document.body.dataset.ready = '';
}

/** The own board with the ships that are placed on this page only.
 * @param {Board} board @param {FleetPlacing} placing @returns {Board} */
function withFleet(board, placing) {
  const looks = [...board.looks];
  placing.places.forEach((there, ship) => {
    if (!there) return;
    for (const [x, y] of placing.cells(ship, there)) looks[x * board.height + y] = `#${placing.ships[ship].letter}`;
  });
  return { ...board, looks };
}

function renderTask() {
  const [title, text] = task();
  $('task-title').replaceChildren(...title);
  $('task-text').replaceChildren(...text);
  const ended = match.over !== null;
  show($('placing'), placing !== null && !ended);
  show($('firing'), question.kind === 'order' && !ended);
  $('task').classList.toggle('asked', !ended && question.kind !== 'wait');
  const names = match.setup.names.map((name) => [...name].slice(0, SPOKEN).join('')).join(' – ');
  document.title = `${!ended && question.kind !== 'wait' ? '● Your turn · ' : ''}${names} · Broadside`;
}

/** @param {number} seat */
const player = (seat) => html('span', { class: 'player' }, badge(seat), html('span', { class: 'name' }, foreign(nameOf(seat))));

/** The chosen one of the orders.
 * @param {OrderQuestion} question */
const chosenOf = (question) => /** @type {OrderChoice} */ (question.orders.find((order) => order.word === word));

/** The title and the text of what is asked.
 * @returns {[(Node | string)[], (Node | string)[]]} */
function task() {
  if (match.over !== null) {
    const { finished, winner, why } = match.over;
    if (!finished) return [['The match was not played to its end'], ['']];
    if (winner === undefined) return [[match.seats === 1 ? 'You lose' : 'A draw'], [why]];
    return [[winner === letter(me) ? 'You win' : 'You lose'], [player(seatOf(winner)), ` wins: ${why}`]];
  }
  if (question.kind === 'place') {
    return [['Place your fleet'],
      [hasKeys ? 'Drag the ships onto your board, or choose a cell with the arrow keys and press Enter. R turns a ship.'
        : 'Drag the ships onto your board, or tap a ship and then a cell. The button Turn turns a ship.']];
  }
  if (question.kind === 'order') {
    const chosen = chosenOf(question);
    const targets = chosen.targets.map(seatOf);
    const whose = targets.length === 1 && targets[0] === me ? ['your own board'] : targets.length === 1
      ? ['the board of ', player(targets[0])] : ['a board of another player'];
    const result = question.result ? [` ${question.result}`] : [];
    const cells = chosen.most > 1 ? `up to ${chosen.most} cells` : 'a cell';
    return [[`Your turn · ${question.moment}`], [`Choose ${cells} on `, ...whose, ` to ${chosen.word === 'fire' ? 'fire at' : `use: ${chosen.word}`}.`, ...result]];
  }
  const others = question.others.map(seatOf).filter((seat) => seat < match.seats);
  if (others.length === 0) return [['Please wait'], ['']];
  return [['Waiting'], [others.length === 1 ? 'It is the turn of ' : 'The others are asked: ', ...others.map(player)]];
}

function renderTray() {
  if (!placing) return;
  if ($('tray').children.length !== placing.ships.length) {
    $('tray').replaceChildren(...placing.ships.map(({ name, letter, length, turns }, ship) => {
      const hull = html('span', { class: 'hulls', 'aria-hidden': 'true' }, ...hullOf(turns[0]));
      const button = html('button', { class: 'pill', 'data-ship': ship }, hull, `${name} ${length}`);
      button.onclick = () => {
        placing?.pick(ship);
        $('reason').textContent = '';
      };
      return html('li', { class: match.ship(letter)?.hue ?? 'plain' }, button);
    }));
  }
  for (const button of $('tray').querySelectorAll('button')) {
    const ship = Number(button.dataset.ship);
    button.setAttribute('aria-pressed', placing.held === ship);
    button.classList.toggle('placed', placing.places[ship] !== null);
    const { name, length } = placing.ships[ship];
    const state = placing.places[ship] ? 'on the board' : placing.held === ship ? 'chosen' : 'to be placed';
    button.setAttribute('aria-label', `${name}, ${length} cells, ${state}`);
  }
  $('ready').setAttribute('aria-disabled', !placing.isComplete);
  $('ready').classList.toggle('main', placing.isComplete);
}

/** The rows of a ship's cells, row 0 first, with gaps where it has none.
 * @param {Place[]} cells */
function hullOf(cells) {
  const most = (/** @type {0 | 1} */ along) => Math.max(...cells.map((cell) => cell[along]));
  return Array.from({ length: most(1) + 1 }, (_, y) => html('i', {}, ...Array.from({ length: most(0) + 1 }, (__, x) =>
    html('b', { class: cells.some(([cx, cy]) => cx === x && cy === y) ? null : 'gap' }))));
}

/** Marks the cells that the next act is about. */
function mark() {
  const ghost = placing?.ghost ?? { cells: [], fits: true };
  grids[me].mark('ghost', ghost.cells);
  grids[me].mark('wrong', ghost.fits ? [] : ghost.cells);
  const chosen = question.kind === 'order' ? chosenOf(question) : undefined;
  const targets = chosen?.targets ?? [];
  grids.forEach((grid, seat) => grid.mark('chosen', chosenCells.filter(({ target }) => seatOf(target) === seat).map(({ x, y }) => [x, y])));
  show($('fire'), (chosen?.most ?? 1) > 1);
  $('fire').textContent = chosenCells.length === 0 ? 'Fire' : `Fire ${chosenCells.length} of ${chosen?.most ?? 1}`;
  $('fire').setAttribute('aria-disabled', chosenCells.length === 0);
  boards.forEach((board, seat) => board.element.classList.toggle('target', match.over === null && targets.includes(letter(seat))));
}

/** Adds what has happened to the log, and tells the last of it. */
function tell() {
  const fresh = matchEvents.entries.slice(logged);
  fresh.forEach((entry, nth) => {
    if (logged + nth === 0 || entry.deeds.length === 0) return;
    $('log').prepend(html('li', {}, html('span', { class: 'when' }, entry.title), ...entry.deeds.map(line)));
  });
  if (fresh.some((entry) => entry.deeds.length > 0) && matchEvents.entries.length > 1) {
    const latest = (/** @type {(deed: Deed) => boolean} */ is) => matchEvents.entries.findLast((entry) => entry.deeds.some(is))?.deeds.filter(is) ?? [];
    // The own deed stays while others act.
    const deeds = [...latest(({ seat }) => seat === me), ...latest(({ seat }) => seat !== me)];
    $('result').replaceChildren(...deeds.map(line));
  }
  logged = matchEvents.entries.length;
}

/** @param {Deed} deed */
const line = ({ seat, deed }) => html('p', { class: `line${seat === me ? ' mine' : ''}` }, badge(seat),
  html('span', { class: 'what' }, foreign(deed), ...(seat === me ? [html('span', { class: 'unseen' }, ' (you)')] : [])));

// What the person does.

/** @param {string} why */
function refuse(why) {
  $('reason').textContent = why;
}

/** @param {number} seat @param {number | null} x @param {number | null} y */
function aimAt(seat, x, y) {
  if (placing && seat === me) return placing.point(x, y);
  if (question.kind !== 'order') return undefined;
  const chosen = chosenOf(question);
  /** @type {Place[]} */
  const aimed = x === null || y === null || !chosen.targets.includes(letter(seat)) ? [] : chosen.pattern.map(([dx, dy]) => [x + dx, y + dy]);
  return grids[seat].mark('aim', aimed);
}

/** @param {number} seat @param {number} x @param {number} y */
function choose(seat, x, y) {
  $('reason').textContent = '';
  if (match.over !== null) return;
  if (placing) {
    if (seat !== me) refuse('Place your ships on your own board.');
    else placing.choose(x, y);
    return;
  }
  if (question.kind !== 'order') {
    refuse('It is not your turn.');
    return;
  }
  const chosen = chosenOf(question);
  if (!chosen.targets.includes(letter(seat))) {
    if (seat === me) refuse(`Your own board is not a target of: ${word}.`);
    else refuse(chosen.targets.includes(letter(me)) ? `Choose a cell on your own board for: ${word}.` : 'This player cannot be fired at now.');
    return;
  }
  const aim = { target: letter(seat), x, y };
  if (chosen.most <= 1) {
    fire([aim]);
    return;
  }
  const others = chosenCells.filter((other) => other.target !== aim.target || other.x !== x || other.y !== y);
  chosenCells = others.length < chosenCells.length ? others : [...chosenCells, aim];
  render();
  if (chosenCells.length === chosen.most) fire(chosenCells);
}

/** Gives the chosen order for these cells.
 * @param {AimedAt[]} aims */
async function fire(aims) {
  if (aims.length === 0) {
    refuse('No cell is chosen.');
    return;
  }
  const [first, ...more] = aims;
  const shot = JSON.stringify([question.number, word, aims]);
  if (await send({ act: 'order', word, ...first, more, sure: doubted === shot }, shot)) return;
  // The last cell can be chosen anew, or again if the shot is wanted all the same.
  if (chosenCells.length > 0 && aims === chosenCells && doubted === null) chosenCells = chosenCells.slice(0, -1);
  render();
}

/** Sends an answer to the question; the server says whether it counts.
 * @param {Record<string, unknown>} act @param {string=} shot @returns {Promise<Verdict | null>} */
async function send(act, shot) {
  if (sending) return null;
  sending = true;
  document.body.setAttribute('aria-busy', 'true');
  try {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch('order', { method: 'POST', headers, body: JSON.stringify({ ask: question.number, ...act }) });
    if (!answer.ok) throw new Error(await answer.text());
    const verdict = await answer.json();
    doubted = verdict.doubt ? shot ?? null : null;
    if (!verdict.ok) refuse(`${verdict.why[0].toUpperCase()}${verdict.why.slice(1)}.`);
    return verdict.ok ? verdict : null;
  } catch {
    refuse('The server did not take it. Try again.');
    return null;
  } finally {
    sending = false;
    document.body.removeAttribute('aria-busy');
  }
}

/** Offers the orders of a question. The chosen one stays chosen while it can be given.
 * @param {OrderQuestion} question */
function offerOrders({ orders, pass }) {
  const can = (/** @type {OrderChoice} */ order) => order.why === null;
  if (!orders.some((order) => order.word === word && can(order))) word = (orders.find(can) ?? orders[0]).word;
  const focused = /** @type {HTMLInputElement | null} */ (document.activeElement)?.value;
  const choices = orders.map((order, at) => {
    const radio = html('input', { type: 'radio', name: 'order', value: order.word, checked: order.word === word, disabled: !can(order) });
    const hints = [order.hint, order.why ?? ''].filter((hint) => hint);
    return html('label', { title: `${hints.join('; ')} (${at + 1})` }, radio,
      html('span', {}, html('b', {}, order.word), ...hints.map((hint) => html('span', { class: 'hint' }, hint))));
  });
  $('orders').replaceChildren(/** @type {Element} */ ($('orders').firstElementChild), ...choices);
  if (focused) $('orders').querySelector(`input[value="${CSS.escape(focused)}"]:enabled`)?.focus();
  show($('orders'), orders.length > 1);
  show($('pass'), pass);
}

/** @param {string} chosen */
function chooseOrder(chosen) {
  word = chosen;
  doubted = null;
  chosenCells = [];
  for (const radio of $('orders').querySelectorAll('input')) radio.checked = radio.value === word;
  grids.forEach((grid) => grid.mark('aim', []));
  render();
}

$('orders').onchange = (event) => chooseOrder(/** @type {HTMLInputElement} */ (event.target).value);
$('turn').onclick = () => placing?.turn();
$('clear').onclick = () => placing?.clear();
$('random').onclick = async () => {
  const verdict = await send({ act: 'random' });
  if (verdict?.ships) placing?.take(verdict.ships);
};
$('ready').onclick = () => {
  if (!placing) return;
  if (placing.isComplete) send({ act: 'fleet', ships: placing.places });
  else refuse('Some ships are not on the board yet.');
};
$('fire').onclick = () => fire(chosenCells);
$('pass').onclick = () => send({ act: 'pass' });
$('resign').onclick = () => $('giving-up').showModal();
$('resigned').onclick = () => send({ act: 'resign' });

$('help').onclick = () => toggled($('keys'));

document.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('giving-up').open) return;
  if (event.key === '?') toggled($('keys'));
  if ($('keys').open || event.target.matches?.('input')) return;
  if (placing && event.key.toLowerCase() === 'r') {
    placing.turn();
    event.preventDefault();
  }
  const order = question.kind === 'order' && question.orders[Number(event.key) - 1];
  if (order && order.why === null) chooseOrder(order.word);
};

$('legend').append(...legend());
const source = followMatch('events', match, { begun: build, grown }, connected, gone, { ask: hear });
