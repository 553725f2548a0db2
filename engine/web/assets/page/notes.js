// Notes of bots beside the truth: numbers of cells in one colour, marks and the guessed fleet on the board that they are about,
// and below it their text with the meaning of the colour. They are shown when they are asked for, and never to eyes that may not
// see them.

import { $, badge, foreign, html, listKeys, show, svg } from '../elements.js';
import { seatOf } from '../match.js';
import { CELL } from '../board.js';
import { boards, eye, match, playback, sceneReader } from './page.js';
import { KEYS } from './controls.js';

/** True if notes are shown, where there are any. */
let notesWanted = false;

const notesButton = html('button', {
  id: 'notes', class: 'pill', 'aria-pressed': 'false', 'aria-keyshortcuts': 't', title: 'What the bots noted (t)', hidden: true,
}, 'Notes');
const notesTexts = html('section', { id: 'thoughts', 'aria-label': 'Notes of the bots', tabindex: 0, hidden: true });
$('density').after(notesButton);
$('boards').after(notesTexts);

function toggleNotes() {
  notesWanted = !notesWanted;
  notesButton.setAttribute('aria-pressed', notesWanted);
  renderNotes(playback.at);
}

/** The notes in a frame that the chosen eye may see.
 * @param {Frame} frame */
const seenNotes = (frame) => (frame.notes ?? []).filter(([eyes]) => eyes & (1 << eye)).map(([, notes]) => notes);

/** The seat whose board notes are about: that of the opponent, or of who plays alone.
 * @param {NotesView} notes */
const subject = ({ seat }) => (boards[seatOf(seat) ^ 1] ? seatOf(seat) ^ 1 : seatOf(seat));

/** Shows the notes on the turn before a moment.
 * @param {number} at */
export function renderNotes(at) {
  show(notesButton, match.frames.some((frame) => seenNotes(frame).length > 0));
  const isShown = notesWanted && !notesButton.hidden;
  const notes = isShown ? seenNotes(match.frames[at]).sort((one, other) => subject(one) - subject(other)) : [];
  for (const layer of document.querySelectorAll('.notes')) layer.remove();
  for (const cell of document.querySelectorAll('.cell[style]')) {
    cell.style.removeProperty('--guess');
    if (cell.style.length === 0) cell.removeAttribute('style');
  }
  boards.forEach(({ element }, seat) => element.classList.toggle('noted', notes.some((one) => subject(one) === seat)));
  for (const one of notes) noteBoard(subject(one), one);
  notesTexts.replaceChildren(...notes.map(noteText));
  // The place of the texts stays, so that the boards keep their size.
  show(notesTexts, isShown);
}

/** Draws notes on a board: numbers below its signs, marks and guessed ships above them.
 * @param {number} seat @param {NotesView} notes */
function noteBoard(seat, { numbers = [], marks = [], fleet = [] }) {
  const drawing = boards[seat].element.querySelector('.grid');
  const cells = /** @type {SVGElement[]} */ ([...drawing.querySelectorAll('.cell')]);
  /** @param {number} cell @param {Node[]} parts */
  const at = (cell, ...parts) => svg('g', { transform: cells[cell].getAttribute('transform') }, ...parts);
  const hint = (/** @type {number} */ cell, /** @type {string | number} */ text) => svg('title', {}, `${cells[cell].querySelector('title')?.textContent}; noted: ${text}`);
  const { height } = sceneReader.scene(playback.at).boards[seat];
  for (const [cell, , percent] of numbers) cells[cell].style.setProperty('--guess', `${percent}%`);
  drawing.append(svg('g', { class: 'notes' },
    ...numbers.map(([cell, number]) => at(cell, hint(cell, number), svg('rect', { class: 'guess', width: CELL, height: CELL }))),
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

/** The text of a bot and what it printed, below the board that they are about, with the meaning of what is drawn there.
 * @param {NotesView} notes */
function noteText(notes) {
  const { seat, text = '', output = [], numbers = [], marks = [], fleet = [] } = notes;
  const values = numbers.map(([, number]) => number);
  const meanings = [
    ...(values.length > 0 ? [html('span', { class: 'scale' }, `${Math.min(...values)} `, html('i'), ` ${Math.max(...values)}`)] : []),
    ...(fleet.length > 0 ? [html('span', {}, html('i', { class: 'dashes' }), ' guessed ship')] : []),
    ...(marks.length > 0 ? [html('span', {}, html('b', {}, [...marks[0][1]].slice(0, 2).join('')), ' mark')] : []),
  ];
  const printed = output.length > 0 ? [html('pre', {}, foreign(output.join('\n')))] : [];
  const thought = html('div', { class: 'thought' },
    html('h3', {}, badge(seatOf(seat)), ' notes on the board of ', badge(subject(notes))),
    ...(meanings.length > 0 ? [html('div', { class: 'meanings' }, ...meanings)] : []),
    ...(text ? [html('p', {}, foreign(text))] : []), ...printed);
  thought.style.setProperty('grid-column', String(subject(notes) + 1));
  return thought;
}

notesButton.onclick = toggleNotes;
/** @type {Key} */
const NOTES_KEY = [['t'], 't', 'what the bots noted', toggleNotes];
KEYS.push(NOTES_KEY);
listKeys([NOTES_KEY]);
