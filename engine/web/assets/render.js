// Shows the current moment in all parts of the page.

function render() {
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
  const { at, playing, following, speed } = playback;
  const going = playing || following;
  $('play').setAttribute('aria-label', going ? 'Pause' : 'Play');
  document.body.classList.toggle('playing', going);
  $('speed').textContent = pace(speed);
  $('live').setAttribute('aria-pressed', following);
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
  const { finished, winner, points, why } = match.over;
  const reason = html('span', { class: 'why' }, why);
  const sums = html('span', { class: 'sums' }, ...(points ?? []).map((sum, seat) => html('span', {}, badge(seat), ` ${sum}`)));
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
  const hurried = (playback.playing || playback.following) && playback.speed > 1;
  const ended = !$('banner').hidden;
  const worthIt = !hurried || ended || entry.highlights.some(({ kind }) => kind === 'sinking');
  if (announced !== null && announced !== at && worthIt) {
    const over = ended ? `. ${$('banner').innerText}` : '';
    $('announcement').textContent = described(match, entry) + over;
  }
  announced = at;
}

