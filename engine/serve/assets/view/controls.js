// Actions of buttons and keys.

/** Opens a list of the last matches, or closes it. */
async function openList() {
  if (toggled($('list'))) return;
  const matches = (await ask('/api/matches?most=60')) ?? [];
  const entry = (/** @type {MatchResult} */ { id, names, winner, tournament, final }) => {
    const how = winner ? [html('span', { class: 'name' }, foreign(names[seatOf(winner)])), ' wins'] : ['nobody wins'];
    return html('li', {}, html('a', { href: `#match=${id}` },
      html('span', { class: 'when' }, `Match ${id} · ${final ? `final, ${final.round}` : `tournament ${tournament}`}`),
      html('span', { class: 'pair' }, html('span', { class: 'name' }, foreign(names[0])), ' against ', html('span', { class: 'name' }, foreign(names[1]))),
      hidesSpoilers ? '' : html('span', { class: 'how' }, ...how)));
  };
  $('matches').replaceChildren(...(matches.length > 0 ? matches.map(entry) : [html('li', {}, 'None was played yet.')]));
}

/** Follows the matches that are being played. */
function goLive() {
  if (location.hash) history.replaceState(null, '', location.pathname);
  playback.live();
}

/** The actions of the buttons, by their ids. */
const BUTTONS = {
  play: () => playback.toggle(),
  back: () => playback.step(-1),
  forward: () => playback.step(1),
  slower: () => playback.change(-1),
  faster: () => playback.change(1),
  live: goLive,
  choose: openList,
  total: toggleTotal,
  full: toggleFull,
  help: () => toggled($('keys')),
};

/** The keys: the keys themselves, their names, what they do in words, and the action.
 * @type {Key[]} */
const KEYS = [
  [[' '], 'Space', 'stop or go on', BUTTONS.play],
  [['ArrowLeft'], '←', 'a move back', BUTTONS.back],
  [['ArrowRight'], '→', 'a move forward', BUTTONS.forward],
  [['+', '='], '+', 'faster', BUTTONS.faster],
  [['-'], '−', 'slower', BUTTONS.slower],
  [['l'], 'l', 'the newest match', BUTTONS.live],
  [['m'], 'm', 'an earlier match', BUTTONS.choose],
  [['a'], 'a', 'the leaderboard of all matches', BUTTONS.total],
  [['f'], 'f', 'full screen', BUTTONS.full],
  [['?'], '?', 'these keys', BUTTONS.help],
];

document.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const open = document.querySelector('dialog[open]');
  // An open dialog takes all keys but the one that closes it; a button takes the space bar.
  if (open && !(event.key === '?' && open.id === 'keys') && !(event.key === 'm' && open.id === 'list')) return;
  if (event.key === ' ' && event.target.matches('button, a')) return;
  const found = KEYS.find(([keys]) => keys.includes(event.key));
  if (!found) return;
  event.preventDefault();
  found[3](event.key);
};
for (const [id, act] of Object.entries(BUTTONS)) $(id).onclick = act;
listKeys(KEYS);
$('legend').append(...legend());
$('matches').onclick = () => $('list').close();
