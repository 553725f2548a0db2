// Notes of bots beside the truth: numbers of cells as a heat map, marks and the guessed fleet on the opponent's board, and
// text below the boards. They are hidden from eyes that may not see them.

import { $, badge, foreign, html, listKeys, show, svg } from '../elements.js';
import { seatOf } from '../match.js';
import { CELL } from '../board.js';
import { boards, eye, match, playback, sceneReader } from './page.js';
import { KEYS } from './controls.js';

/** True if notes are shown, where there are any. */
let notesWanted = true;

const notesButton = html('button', {
  id: 'notes', class: 'pill', 'aria-pressed': 'true', 'aria-keyshortcuts': 't', title: 'What the bots noted (t)', hidden: true,
}, 'Notes');
const notesTexts = html('section', { id: 'thoughts', 'aria-label': 'Notes of the bots', hidden: true });
$('density').after(notesButton);
$('boards').after(notesTexts);

function toggleNotes() {
  notesWanted = !notesWanted;
  notesButton.setAttribute('aria-pressed', notesWanted);
  renderNotes(playback.at);
}

/** Shows the notes on the turn before a moment.
 * @param {number} at */
export function renderNotes(at) {
  const seen = (/** @type {Frame} */ frame) => (frame.notes ?? []).filter(([eyes]) => eyes & (1 << eye)).map(([, notes]) => notes);
  const notes = seen(match.frames[at]);
  // Once there were notes, the button stays where it is.
  if (notes.length > 0) show(notesButton, true);
  for (const layer of document.querySelectorAll('.notes')) layer.remove();
  const shown = notesWanted ? notes : [];
  for (const one of shown) noteBoard(seatOf(one.seat) ^ 1, one);
  notesTexts.replaceChildren(...shown.filter(({ text, output }) => text || output).map(noteText));
  show(notesTexts, notesTexts.childElementCount > 0);
}

/** Draws notes on top of a board.
 * @param {number} seat @param {NotesView} notes */
function noteBoard(seat, { numbers = [], marks = [], fleet = [] }) {
  const drawing = boards[seat].element.querySelector('.grid');
  const cells = [...drawing.querySelectorAll('.cell')];
  /** @param {number} cell @param {Node[]} parts */
  const at = (cell, ...parts) => svg('g', { transform: cells[cell].getAttribute('transform') }, ...parts);
  const hint = (/** @type {number} */ cell, /** @type {string | number} */ text) => svg('title', {}, `${cells[cell].querySelector('title')?.textContent}; noted: ${text}`);
  const { height } = sceneReader.scene(playback.at).boards[seat];
  drawing.append(svg('g', { class: 'notes' },
    ...numbers.map(([cell, number, percent]) => at(cell, hint(cell, number),
      svg('rect', { class: 'guess', width: CELL, height: CELL, 'fill-opacity': (percent * 0.007).toFixed(3) }))),
    ...fleet.flatMap((ship) => ship.map((cell) => at(cell, guessedHull(ship, cell, height)))),
    ...marks.map(([cell, text]) => at(cell, hint(cell, text),
      svg('text', { class: 'note', x: CELL / 2, y: CELL / 2 }, [...text].slice(0, 2).join('')))),
  ));
}

/** The outline of a guessed ship around one of its cells: open where the ship goes on.
 * @param {number[]} ship @param {number} cell @param {number} height */
function guessedHull(ship, cell, height) {
  const goesOn = (/** @type {number} */ other) => ship.includes(other);
  const top = match.setup.first_row_on_top;
  const [up, down] = [cell % height < height - 1 && goesOn(cell + 1), cell % height > 0 && goesOn(cell - 1)];
  const [north, south] = top ? [down, up] : [up, down];
  const sides = [
    [north, 'M0 .8H10'], [goesOn(cell + height), 'M9.2 0V10'], [south, 'M0 9.2H10'], [goesOn(cell - height), 'M.8 0V10'],
  ];
  return svg('path', { class: 'guessed', d: sides.filter(([open]) => !open).map(([, side]) => side).join('') });
}

/** The text of a bot, and what it printed.
 * @param {NotesView} notes */
function noteText({ seat, text = '', output = [] }) {
  const printed = output.length > 0 ? [html('pre', {}, foreign(output.join('\n')))] : [];
  return html('div', { class: 'thought' }, badge(seatOf(seat)), html('div', {}, html('p', {}, foreign(text)), ...printed));
}

notesButton.onclick = toggleNotes;
/** @type {Key} */
const NOTES_KEY = [['t'], 't', 'what the bots noted', toggleNotes];
KEYS.push(NOTES_KEY);
listKeys([NOTES_KEY]);
