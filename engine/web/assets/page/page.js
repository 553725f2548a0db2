// The page as a whole: the chosen eyes, and the parts that show the current moment.

import { $, badge, foreign, html, show } from '../elements.js';
import { Match, MatchEvents, SceneReader, letter, seatOf } from '../match.js';
import { SPOKEN, described, pace } from '../text.js';
import { BoardView, showLegend, signsOf } from '../board.js';
import { Charts } from './charts.js';
import { Timeline } from './timeline.js';
import { Log } from './log.js';
import { Playback } from '../playback.js';
import { remember } from './address.js';
import { renderNotes } from './notes.js';

/** @type {PageData} */
export const data = JSON.parse(/** @type {string} */ ($('match').textContent));
export const match = new Match();
export const playback = new Playback(match, render);

/** The eye with which the page sees. */
export let eye = 0;
/** @type {SceneReader} */
export let sceneReader;
/** @type {MatchEvents} */
export let matchEvents;
/** @type {BoardView[]} */
export let boards = [];
/** @type {Charts} */
let charts;
/** @type {Timeline} */
let timeline;
/** @type {Log} */
let log;
/** Parts that only some pages have, such as the table (table/main.js): what they do when a match begins, when an eye is chosen, when
 * more of the match has come, at each moment, and when a clock is started.
 * @type {FurtherPart[]} */
export const furtherParts = [];
/** The last moment that was shown so far: the page tells nothing that comes later. */
let seen = 0;
/** The moment that was announced last, so that nothing is announced twice.
 * @type {number | null} */
let announced = null;

/** Builds everything that depends on the seats. The frames may come later. */
export function build() {
  const { names, title, played, seed, engine, note } = match.setup;
  seen = 0;
  show($('lobby'), false);
  document.body.classList.remove('without-match');
  document.title = `${names.map((name) => [...name].slice(0, SPOKEN).join('')).join(' – ')} · Broadside`;
  $('players').replaceChildren(...names.flatMap((name, seat) => [
    ...(seat > 0 ? [html('span', { class: 'versus' }, names.length === 2 ? 'against' : '·')] : []),
    html('span', { class: 'player', title: name }, badge(seat), html('span', { class: 'name' }, foreign(name))),
  ]));
  // An imported match has neither a time nor a seed.
  const facts = [title, played, seed && `seed ${seed}`, `engine ${engine}`].filter(Boolean);
  const about = facts.map((text) => html('span', {}, foreign(text)));
  if (note) about.push(html('span', { class: 'note' }, foreign(note)));
  $('about').replaceChildren(...about);

  $('eyes').replaceChildren(/** @type {Element} */ ($('eyes').firstElementChild), ...match.eyes.map(eyeChoice));
  show($('eyes'), match.eyes.length > 1);
  boards = names.map((_, seat) => new BoardView(match, seat));
  $('boards').replaceChildren(...boards.map((board) => board.element));
  $('boards').classList.toggle('many', names.length > 2);
  charts = new Charts(match, $('charts'), (at) => playback.go(at));
  timeline = new Timeline(match, $('marks'), $('scrubber'), (at) => playback.go(at));
  log = new Log($('log'), (at) => playback.go(at));
  for (const part of furtherParts) part.build();
  look(Math.min(eye, match.eyes.length - 1));
}

/** Names of the eyes that are not a seat's.
 * @type {Record<string, string>} */
export const SHARED_EYES = { referee: 'Referee', everyone: 'Everyone' };

/** @param {string} whose @param {number} number */
function eyeChoice(whose, number) {
  const name = SHARED_EYES[whose] ?? match.setup.names[seatOf(whose)];
  const who = whose in SHARED_EYES ? [name] : [badge(seatOf(whose)), html('span', { class: 'name' }, foreign(name))];
  const radio = html('input', { type: 'radio', name: 'eye', value: number, checked: number === eye });
  return html('label', { title: `${name} (${number < 10 ? number : 'e'})` }, radio, html('span', {}, ...who));
}

/** Shows the lobby in place of a match.
 * @param {LobbyView} lobby */
export function showLobby({ teams, how }) {
  // Without letters: seats depend on which team is ready first.
  const entry = (/** @type {{ name: string, ready: boolean }} */ { name, ready }) => html('li', {}, html('span', { class: 'name' }, foreign(name)),
    html('span', { class: 'state' }, ready ? 'ready' : 'places its ships'));
  $('lobby').replaceChildren(
    html('h2', {}, teams.length === 0 ? 'The lobby is open' : 'In the lobby'),
    html('ol', {}, ...teams.map(entry)),
    html('p', {}, how),
  );
  show($('lobby'), true);
  if (match.setup === null) $('players').textContent = 'Lobby';
  document.body.classList.toggle('without-match', match.setup === null);
}

/** Changes the eye.
 * @param {number} other */
export function look(other) {
  eye = other;
  sceneReader = new SceneReader(match, eye);
  matchEvents = new MatchEvents(match, eye);
  for (const radio of $('eyes').querySelectorAll('input')) radio.checked = Number(radio.value) === eye;
  showLegend(signsOf(match, eye));
  charts.draw(matchEvents);
  timeline.draw(matchEvents);
  log.clear();
  announced = null;
  for (const part of furtherParts) part.look();
  render();
}

/** The first moment at which all fleets lie on their boards; the start if there is none soon. */
function placed() {
  const isPlaced = (/** @type {number} */ at) => sceneReader.scene(at).boards.every((board) => board.looks.some((look) => look[0] === '#'));
  const soon = Array.from({ length: Math.min(match.last, 2 * match.seats) }, (_, at) => at + 1);
  return soon.find(isPlaced) ?? 0;
}

/** Plays from where the fleets are placed. A visitor who prefers less motion starts the match by hand. */
export function start() {
  playback.go(placed());
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) playback.toggle();
}

/** Shows new frames. */
export function grow() {
  matchEvents.extend();
  charts.draw(matchEvents);
  timeline.draw(matchEvents);
  for (const part of furtherParts) part.grow();
  playback.grown();
}

/** Shows the current moment in all parts of the page. */
export function render() {
  const { at } = playback;
  const entry = matchEvents?.entries[at];
  if (!entry) return;
  const scene = sceneReader.scene(at);
  const ended = match.over !== null && at === match.last;
  seen = Math.max(seen, at);
  $('moment').textContent = scene.title;
  document.body.dataset.moment = String(at);
  boards.forEach((board, seat) => {
    const won = ended && match.over?.winner === letter(seat);
    board.update(scene.boards[seat], scene.times[letter(seat)], won, shooter(seat, entry));
  });
  for (const part of furtherParts) part.render(at, scene);
  charts.point(at);
  timeline.reveal(matchEvents, seen);
  timeline.point(at, entry.title);
  log.reveal(matchEvents, seen);
  log.point(at);
  renderControls();
  renderNotes(at);
  renderBanner(ended);
  announce(at, entry);
  remember(at);
}

/** The seat that fired at the board of another; undefined if it is not known.
 * @param {number} seat @param {Entry} entry */
function shooter(seat, { deeds }) {
  if (match.seats === 2) return 1 - seat;
  return deeds.length === 1 ? deeds[0].seat : undefined;
}

function renderControls() {
  const { at, playing, following, speed, period } = playback;
  const going = playing || following;
  $('play').setAttribute('aria-label', going ? 'Pause' : 'Play');
  document.body.classList.toggle('playing', going);
  $('speed').textContent = pace((1000 / period) * speed);
  $('live').setAttribute('aria-pressed', following || (playing && at === match.last));
  for (const id of ['live', 'save']) show($(id), Boolean(data.events) && match.over === null);
  const dead = (/** @type {string} */ id, /** @type {boolean} */ off) => $(id).setAttribute('aria-disabled', off);
  dead('first', at === 0);
  dead('back', at === 0);
  dead('forward', at === match.last);
  dead('last', at === match.last);
  dead('previous-hit', matchEvents.nearest(at, 'hit', -1) === undefined);
  // They lead to the end where nothing of the kind comes: a button that is off would tell so.
  dead('next-hit', at === match.last);
  dead('previous-sinking', matchEvents.nearest(at, 'sinking', -1) === undefined);
  dead('next-sinking', at === match.last);
}

/** Shows the winner, at the end only.
 * @param {boolean} ended */
function renderBanner(ended) {
  show($('banner'), ended);
  $('banner').replaceChildren();
  if (!ended || !match.over) return;
  const { finished, winner, points, scoring, why } = match.over;
  const unit = scoring === undefined ? '' : ` ${scoring}`;
  const reason = html('span', { class: 'why' }, why);
  const sums = html('span', { class: 'sums' }, ...(points ?? []).map((sum, seat) => html('span', {}, badge(seat), ` ${sum}${unit}`)));
  if (!finished) $('banner').replaceChildren(html('strong', {}, 'The match was not played to its end'));
  else if (winner === undefined) $('banner').replaceChildren(html('strong', {}, 'A draw'), reason, sums);
  else {
    const name = match.setup.names[seatOf(winner)];
    $('banner').className = `seat-${seatOf(winner)}`;
    $('banner').replaceChildren(
      html('strong', {}, badge(seatOf(winner)), html('span', { class: 'name' }, foreign(name)), html('span', {}, 'wins')),
      reason, sums,
    );
  }
}

/** Announces the moment to screen readers; at high speed, only sinkings and the end.
 * @param {number} at @param {Entry} entry */
function announce(at, entry) {
  const hurried = (playback.playing || playback.following) && playback.period < 1000 * playback.speed;
  const ended = !$('banner').hidden;
  const worthIt = !hurried || ended || entry.highlights.some(({ kind }) => kind === 'sinking');
  if (announced !== null && announced !== at && worthIt) {
    const over = ended ? `. ${$('banner').innerText}` : '';
    $('announcement').textContent = described(match, entry) + over;
  }
  announced = at;
}
