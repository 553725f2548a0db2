// The start of the page: with the whole match, or with the address of the event stream.

/** @type {PageData} */
const data = JSON.parse(/** @type {string} */ ($('match').textContent));

if (data.events) {
  listen(data.events, data.more, {
    lobby: showLobby,
    setup: (setup) => {
      const isAnother = match.setup !== null;
      match.begin(setup);
      build();
      // The address is about the first match that was shown.
      if (isAnother) forgetAddress();
      if (isAnother || !obeyAddress()) playback.follow();
    },
    frame: (frame) => {
      match.frames.push(frame);
      grow();
    },
    clock: (clock) => furtherParts.forEach((part) => part.clock(clock)),
    over: (over) => {
      match.over = over;
      show($('connection'), false);
      grow();
    },
  }, (connected) => {
    $('connection').textContent = connected ? '' : 'Connection lost, trying again …';
    show($('connection'), !connected);
  });
} else {
  match.begin(data.setup);
  match.frames = data.frames;
  match.over = data.over;
  build();
  if (!obeyAddress()) start();
}
// The text of the page does not tell the end of the match. Without this element the page is visible: it is whole now.
$('match').remove();
document.body.dataset.ready = '';
