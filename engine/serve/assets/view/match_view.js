// The match on the screen: both boards, whose turn it is, the last action, and the winner.

/** The view of a match. */
class MatchView {
  #game;
  /** @type {MatchFeed} */
  #feed = /** @type {any} */ (null);
  /** @type {BoardView[]} */
  #boards = [];
  /** @type {Fleet[]} */
  #fleets = [];
  /** @type {HTMLElement[]} */
  #counters = [];
  #at = 0;

  /** @param {GameFacts} game */
  constructor(game) {
    this.#game = game;
  }

  /** Prepares the view for a match.
   * @param {MatchFeed} feed @param {boolean} isAgain */
  begin(feed, isAgain) {
    this.#feed = feed;
    const { names, tournament, match: number, nth, of, final } = feed.begun;
    const match = new Match();
    match.begin({ ...this.#game, names, grids: names.map(() => this.#game.grid) });
    this.#boards = names.map((_, seat) => new BoardView(match, seat));
    this.#fleets = names.map(() => new Fleet(this.#game));
    this.#counters = names.map(() => html('dl', { class: 'counters' }));
    this.#boards.forEach((board, seat) => {
      board.element.append(this.#counters[seat], this.#fleets[seat].element);
      board.element.querySelector('h3').append(html('span', { class: 'mover-mark' }, 'to move'));
    });
    $('boards').replaceChildren(...this.#boards.map((board) => board.element));
    $('title').textContent = final ? `Final: ${final.round}, game ${final.game}` : `Tournament ${tournament} · match ${nth} of ${of}`;
    show($('again'), isAgain);
    document.body.dataset.match = String(number);
  }

  /** Shows a moment of the match, with effects if it is new.
   * @param {number} at @param {boolean} isFresh */
  show(at, isFresh) {
    const scene = this.#feed.scene(at);
    this.#boards.forEach((board, seat) => {
      const side = scene.sides[seat];
      board.update(scene.boards[seat], undefined, scene.ended && this.#winner() === seat);
      board.element.classList.toggle('mover', scene.mover === seat);
      board.element.classList.toggle('lost', side.hasLost);
      this.#fleets[seat].update(side);
      this.#counters[seat].replaceChildren(...this.#counts(side).map(([label, value]) =>
        html('div', {}, html('dt', {}, label), html('dd', {}, value))));
    });
    if (isFresh) play(this.#boards, scene);
    else if (at !== this.#at) calm(this.#boards);
    this.#at = at;
    const { maxMoves, together } = this.#feed.begun;
    const movers = together ? 1 : 2;
    $('count').textContent = `Move ${Math.ceil(scene.moves / movers)} of ${maxMoves}`;
    $('progress').max = maxMoves * movers;
    $('progress').value = scene.moves;
    this.#tell(scene);
    this.#finish(scene.ended);
    document.body.dataset.moment = String(at);
  }

  /** @param {Side} side @returns {[string, string | number][]} */
  #counts(side) {
    const all = this.#game.ships.reduce((sum, ship) => sum + ship.count, 0);
    return [
      ['hits', side.hits],
      ['radar', side.radar ? 'used' : 'ready'],
      ['afloat', `${all - side.sunk} of ${all}`],
    ];
  }

  /** Shows the last actions in words.
   * @param {MatchScene} scene */
  #tell(scene) {
    const { names } = this.#feed.begun;
    const sentences = scene.latest.map((deed) => {
      const seat = seatOf(deed.seat);
      return html('span', { class: `sentence ${deed.kind === 'shot' ? deed.result : deed.kind}` },
        badge(seat), html('span', { class: 'name' }, foreign(names[seat])), html('span', { class: 'what' }, foreign(wordsOf(deed))));
    });
    $('deed').replaceChildren(...sentences);
  }

  #winner() {
    const letter = this.#feed.over?.result?.winner;
    return letter ? seatOf(letter) : null;
  }

  /** Shows the winner at the end.
   * @param {boolean} ended */
  #finish(ended) {
    if ($('winner').hidden !== ended) return;
    show($('winner'), ended);
    $('winner').replaceChildren();
    if (!ended) return;
    const { result, brokenOff } = /** @type {MatchOver} */ (this.#feed.over);
    const seat = this.#winner();
    const head = seat === null
      ? [html('strong', {}, result ? outcomeWithoutWinner(result) : 'The match was broken off')]
      : [html('strong', {}, badge(seat), html('span', { class: 'name' }, foreign(this.#feed.begun.names[seat])), html('span', {}, 'wins'))];
    const sums = result ? [html('span', { class: 'sums' }, `${result.hits[0]} : ${result.hits[1]} hits in ${result.moves} moves`)] : [];
    $('winner').replaceChildren(...head, html('span', { class: 'why' }, foreign(result?.why ?? brokenOff ?? '')), ...sums);
  }
}

/** The outcome of a match without a winner.
 * @param {MatchResult} result */
const outcomeWithoutWinner = (result) => (result.results[0] === 'draw' ? 'A draw' : 'Both lose');
