// The start of the page: with the whole match, or with the address of the event stream.

import { $, show } from '../elements.js';
import { followMatch } from '../stream.js';
import { build, data, furtherParts, grow, match, playback, showLobby, start } from './page.js';
import { forgetAddress, obeyAddress } from './address.js';

if (data.events) {
  let isFirst = true;
  const begun = () => {
    build();
    // The address is about the first match that was shown.
    if (!isFirst) forgetAddress();
    if (!isFirst || !obeyAddress()) playback.follow();
    isFirst = false;
  };
  const connected = (/** @type {boolean} */ is) => {
    $('connection').textContent = is ? '' : 'Connection lost, trying again …';
    show($('connection'), !is);
  };
  followMatch(data.events, match, { begun, grown: grow }, connected, undefined, {
    lobby: showLobby,
    clock: (clock) => furtherParts.forEach((part) => part.clock(clock)),
  });
} else {
  match.begin(data.setup);
  match.frames = data.frames;
  for (const view of data.analysis ?? []) match.analysis[view.moment] = view;
  match.over = data.over;
  build();
  if (!obeyAddress()) start();
}
// The text of the page does not tell the end of the match. Without this element the page is visible: it is whole now.
$('match').remove();
document.body.dataset.ready = '';
