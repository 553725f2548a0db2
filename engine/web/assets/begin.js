// The page begins: with the whole match, or with the address where its pieces come from.

const data = JSON.parse($('match').textContent);

if (data.events) {
  listen(data.events, {
    setup: (setup) => {
      match.begin(setup);
      build();
      if (!obeyAddress()) playback.follow();
    },
    frame: (frame) => {
      match.frames.push(frame);
      grow();
    },
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
  obeyAddress();
}
document.body.dataset.ready = '';
