// The start of the overlay: the matches as they are played, without anything to press.

/** @type {GameFacts} */
const game = JSON.parse(/** @type {string} */ ($('boards').dataset.game));
const matchList = new MatchList(game);
const playback = new Playback(matchList, new MatchView(game), renderScore);

/** Shows the score of the current moment. */
function renderScore() {
  const { feed, at } = playback;
  show($('match'), feed !== null);
  if (!feed) return;
  const { sides } = feed.scene(at);
  const side = (/** @type {number} */ seat) => [badge(seat), html('span', { class: 'name' }, foreign(feed.begun.names[seat]))];
  const count = html('span', { class: 'hits' }, `${sides[0].hits} : ${sides[1].hits}`);
  $('score').replaceChildren(html('span', { class: 'side' }, ...side(0)), count, html('span', { class: 'side' }, ...side(1)));
}

listen({
  state: async (state) => {
    playback.pace = state.settings.pace;
    await resumeMatches(state.matches, matchList, playback, async () => false);
  },
  settings: (settings) => { playback.pace = settings.pace; },
  ...matchHandlers(matchList, playback),
}, (connected) => document.body.classList.toggle('away', !connected));
