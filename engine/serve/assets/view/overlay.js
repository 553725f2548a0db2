// The start of the overlay: the matches as they are played, without anything to press. With `?chances=1` in its address, boards have the
// chances of a hit, where nothing is hidden.

import { $, badge, html, show } from '../elements.js';
import { followMatches } from '../screen/events.js';
import { Playlist } from '../screen/playlist.js';
import { named } from '../screen/stage.js';

const playlist = new Playlist(renderScore);
playlist.stage.wantsChances = new URLSearchParams(location.search).get('chances') === '1';

/** Shows the score of the current moment. */
function renderScore() {
  const { match, playback, stage } = playlist;
  show($('match'), match.setup !== null);
  if (match.setup === null || match.frames.length === 0) return;
  const side = (/** @type {number} */ seat) => html('span', { class: 'side' }, badge(seat), named(match.setup.names[seat]));
  const count = html('span', { class: 'hits' }, stage.score(playback.at).values.join(' : '));
  $('score').replaceChildren(side(0), count, ...match.setup.names.slice(1).map((_, nth) => side(nth + 1)));
  $('title').textContent = match.setup.title;
  show($('again'), playlist.again);
}

followMatches(playlist, (connected) => document.body.classList.toggle('away', !connected));
