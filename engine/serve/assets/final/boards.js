// The two boards of the game, the last action in words, and the winner.

/** The name of a bot.
 * @param {string} name */
const named = (name) => html('span', { class: 'name' }, foreign(name));

/** The view of one game. */
class GameView {
  #game;
  /** @type {MatchFeed} */
  #feed = /** @type {any} */ (null);
  /** @type {BoardView[]} */
  #boards = [];
  /** @type {Fleet[]} */
  #fleets = [];
  /** @type {HTMLElement[]} */
  #hits = [];
  /** @type {number | null} */
  #at = null;

  /** @param {GameFacts} game */
  constructor(game) {
    this.#game = game;
  }

  /** Prepares the boards of a game.
   * @param {MatchFeed} feed */
  begin(feed) {
    this.#feed = feed;
    this.#at = null;
    const { names } = feed.begun;
    const match = new Match();
    match.begin({ ...this.#game, names, grids: names.map(() => this.#game.grid) });
    this.#boards = names.map((_, seat) => new BoardView(match, seat));
    this.#fleets = names.map(() => new Fleet(this.#game));
    this.#hits = names.map(() => html('p', { class: 'hits' }));
    this.#boards.forEach((board, seat) => {
      board.element.append(html('div', { class: 'below' }, this.#fleets[seat].element, this.#hits[seat]));
      board.element.querySelector('h3').append(html('span', { class: 'mover-mark' }, 'to move'));
    });
    $('boards').replaceChildren(...this.#boards.map((board) => board.element));
    $('winner').replaceChildren();
    show($('winner'), false);
  }

  /** Shows the state after so many turns. `isOver` if the result may be told.
   * @param {number} at @param {boolean} isOver */
  show(at, isOver) {
    const isNext = this.#at !== null && at === this.#at + 1;
    const scene = this.#feed.scene(at);
    const winner = isOver ? this.#winner() : null;
    this.#boards.forEach((board, seat) => {
      board.update(scene.boards[seat], undefined, winner === seat, opposite(seat));
      board.element.classList.toggle('mover', !isOver && scene.mover === seat);
      board.element.classList.toggle('lost', scene.sides[seat].hasLost);
      this.#fleets[seat].update(scene.sides[seat]);
      const { hits } = scene.sides[seat];
      this.#hits[seat].textContent = `${hits} ${hits === 1 ? 'hit' : 'hits'}`;
    });
    if (isNext) play(this.#boards, scene);
    else if (at !== this.#at) calm(this.#boards);
    this.#at = at;
    this.#tell(scene);
    if (isOver) this.#finish();
    document.body.dataset.moment = String(at);
  }

  /** @param {MatchScene} scene */
  #tell(scene) {
    const { names, maxMoves, together } = this.#feed.begun;
    const sentences = scene.latest.map((deed) => {
      const seat = seatOf(deed.seat);
      return html('span', { class: `sentence ${deed.kind === 'shot' ? deed.result : deed.kind}` },
        badge(seat), named(names[seat]), html('span', { class: 'what' }, foreign(wordsOf(deed))));
    });
    $('deed').replaceChildren(...sentences);
    const movers = together ? 1 : 2;
    $('count').textContent = `Move ${Math.ceil(scene.moves / movers)} of ${maxMoves}`;
    $('progress').max = maxMoves * movers;
    $('progress').value = scene.moves;
  }

  #winner() {
    const letter = this.#feed.over?.result?.winner;
    return letter ? seatOf(letter) : null;
  }

  #finish() {
    const { result, brokenOff } = /** @type {MatchOver} */ (this.#feed.over);
    const seat = this.#winner();
    const head = seat === null
      ? html('strong', {}, result ? 'Nobody wins this game' : 'The game was broken off')
      : html('strong', {}, badge(seat), named(this.#feed.begun.names[seat]), html('span', {}, 'wins'));
    const sums = result ? `${result.hits[0]} : ${result.hits[1]} hits in ${result.moves} moves` : '';
    $('winner').replaceChildren(head, html('span', { class: 'why' }, foreign(result?.why ?? brokenOff ?? '')), html('span', { class: 'sums' }, sums));
    show($('winner'), true);
  }
}
