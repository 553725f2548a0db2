// The start of the big screen of a contest. The server's template makes the ladder and all that is beside the game.

import '../pages/refresh.js';
import { $, show } from '../elements.js';
import { followMatches } from '../screen/events.js';
import { Playlist } from '../screen/playlist.js';
import { numberOf } from '../screen/source.js';
import { listenToControls, renderPlayback } from './controls.js';

const contest = $('title').textContent ?? '';
const playlist = new Playlist(render);

/** Shows the state of the playback. Games are shown after they were played, so the newest one is always shown from its beginning. */
function render() {
  const isNewest = playlist.number !== null && !playlist.isPaused && !playlist.chosen && !playlist.again && $('connection').hidden;
  renderPlayback(playlist, isNewest, contest);
}

/** Shows the game in the address, if there is one. */
function showLinkedGame() {
  const [, id] = /^#game=([0-9-]+)$/.exec(location.hash) ?? [];
  if (id) playlist.show(numberOf(id), { chosen: true, again: true });
}

window.onhashchange = showLinkedGame;
listenToControls(playlist);
render();
showLinkedGame();
followMatches(playlist, (connected) => {
  show($('connection'), !connected);
  render();
});
