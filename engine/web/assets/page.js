// The page as a whole: the chosen eyes, and the parts that show the match.

const match = new Match();
const playback = new Playback(match, render);

/** The eye with which the page sees. */
let eye = 0;
/** @type {SceneReader} */
let sceneReader;
/** @type {MatchEvents} */
let matchEvents;
/** @type {BoardView[]} */
let boards = [];
/** @type {Charts} */
let charts;
/** @type {Timeline} */
let timeline;
/** @type {Log} */
let log;
/** Parts that only some pages have, such as the table (table.js): what they do when a match begins, when an eye is chosen, at
 * each moment, and when a clock is started.
 * @type {FurtherPart[]} */
const furtherParts = [];
/** The last moment that was shown so far: the page tells nothing that comes later. */
let seen = 0;
/** The moment that was announced last, so that nothing is announced twice.
 * @type {number | null} */
let announced = null;

/** Builds everything that depends on the seats. The frames may come later. */
function build() {
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
const SHARED_EYES = { referee: 'Referee', everyone: 'Everyone' };

/** @param {string} whose @param {number} number */
function eyeChoice(whose, number) {
  const name = SHARED_EYES[whose] ?? match.setup.names[seatOf(whose)];
  const who = whose in SHARED_EYES ? [name] : [badge(seatOf(whose)), html('span', { class: 'name' }, foreign(name))];
  const radio = html('input', { type: 'radio', name: 'eye', value: number, checked: number === eye });
  return html('label', { title: `${name} (${number < 10 ? number : 'e'})` }, radio, html('span', {}, ...who));
}

/** Shows the lobby in place of a match.
 * @param {LobbyView} lobby */
function showLobby({ teams, how }) {
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
function look(other) {
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
function start() {
  playback.go(placed());
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) playback.toggle();
}

/** True while an update of the page is due. */
let growing = false;

/** Shows new frames, together with others that come at the same time. */
function grow() {
  if (growing) return;
  growing = true;
  // Not `requestAnimationFrame`, which waits until the page is visible.
  setTimeout(() => {
    growing = false;
    matchEvents.extend();
    charts.draw(matchEvents);
    timeline.draw(matchEvents);
    playback.grown();
  }, 16);
}
