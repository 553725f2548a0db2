// Shows the current moment in all parts of the page.

function render() {
  const { at } = playback;
  const entry = matchEvents?.entries[at];
  if (!entry) return;
  const scene = sceneReader.scene(at);
  const ended = match.over !== null && at === match.last;
  $('moment').textContent = scene.title;
  document.body.dataset.moment = at;
  boards.forEach((board, seat) => {
    board.update(scene.boards[seat], scene.times[letter(seat)], ended && match.over.winner === letter(seat));
  });
  charts.point(at);
  timeline.point(at, entry.title);
  log.point(at);
  renderControls();
  renderNotes(at);
  renderBanner(ended);
  announce(at, entry);
  remember(at);
}

function renderControls() {
  const { at, playing, following, speed } = playback;
  const going = playing || following;
  $('play').setAttribute('aria-label', going ? 'Pause' : 'Play');
  document.body.classList.toggle('playing', going);
  $('speed').textContent = pace(speed);
  $('live').setAttribute('aria-pressed', following);
  for (const id of ['live', 'save']) show($(id), Boolean(data.events) && match.over === null);
  const dead = (id, off) => $(id).setAttribute('aria-disabled', off);
  dead('start', at === 0);
  dead('back', at === 0);
  dead('forward', at === match.last);
  dead('end', at === match.last);
  dead('previous-hit', matchEvents.nearest(at, 'hit', -1) === undefined);
  dead('next-hit', matchEvents.nearest(at, 'hit', 1) === undefined);
  dead('previous-sinking', matchEvents.nearest(at, 'sinking', -1) === undefined);
  dead('next-sinking', matchEvents.nearest(at, 'sinking', 1) === undefined);
}

/** Shows the winner, at the end only. */
function renderBanner(ended) {
  show($('banner'), ended);
  if (!ended) return;
  const { finished, winner, points, why } = match.over;
  const reason = html('span', { class: 'why' }, why);
  const sums = html('span', { class: 'sums' }, ...(points ?? []).map((sum, seat) => html('span', {}, badge(seat), ` ${sum}`)));
  if (!finished) $('banner').replaceChildren(html('strong', {}, 'The match was not played to its end'));
  else if (winner === undefined) $('banner').replaceChildren(html('strong', {}, 'A draw'), reason, sums);
  else {
    const name = match.setup.names[seatOf(winner)];
    $('banner').replaceChildren(
      html('strong', {}, badge(seatOf(winner)), html('span', { class: 'name' }, foreign(name)), html('span', {}, 'wins')),
      reason, sums,
    );
  }
}

/** Announces the moment to screen readers; at high speed, only sinkings and the end. */
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

