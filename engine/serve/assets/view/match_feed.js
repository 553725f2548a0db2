// A match made of events (engine/serve/src/state/wire.rs), and the boards at any moment of it.
//
// A moment is the number of turns that are shown; the first turn is the placement of both fleets.

/** The other seat of two.
 * @param {number} seat */
const opposite = (seat) => 1 - seat;

/** A match that is being played, or is over. */
class MatchFeed {
  begun;
  turns;
  over;
  #game;

  /** @param {GameFacts} game @param {MatchBegun} begun @param {MatchTurn[]} turns @param {MatchOver | null} over */
  constructor(game, begun, turns = [], over = null) {
    this.#game = game;
    this.begun = begun;
    this.turns = turns;
    this.over = over;
  }

  get id() {
    return this.begun.match;
  }

  /** The last moment so far. */
  get last() {
    return this.turns.length;
  }

  /**
   * The last moment that screens may show. That of a final follows the times of the server, so that all screens show the same and
   * none tells the result before the others.
   */
  get due() {
    const { screening } = this.begun;
    if (!screening || screening.pace === 0) return this.last;
    return Math.min(this.last, Math.max(0, 1 + Math.floor((now() - Date.parse(screening.begunAt)) / screening.pace)));
  }

  /** Adds a turn, if it is the next one.
   * @param {MatchTurn} turn */
  hear(turn) {
    if (turn.turn === this.turns.length) this.turns.push(turn);
  }

  /** Both boards, with the facts beside them.
   * @param {number} at @returns {MatchScene} */
  scene(at) {
    const sides = [0, 1].map((seat) => new Side(this.#game, this.#fleet(seat)));
    const shown = this.turns.slice(0, at);
    shown.forEach((turn) => turn.deeds.forEach((deed) => this.#do(deed, sides)));
    const latest = shown.at(-1)?.deeds ?? [];
    return {
      boards: sides.map((side, seat) => side.board(latest.filter((deed) => seatOf(deed.seat) !== seat))),
      sides,
      latest,
      moves: Math.max(0, shown.length - 1),
      mover: this.#mover(at, latest),
      ended: this.over !== null && at === this.last,
    };
  }

  /** The ships of a seat, if everyone may see them.
   * @param {number} seat */
  #fleet(seat) {
    const placed = this.turns[0]?.deeds.find((deed) => deed.kind === 'placed' && seatOf(deed.seat) === seat);
    return this.over?.fleets[seat] ?? (placed?.kind === 'placed' ? placed.ships : null) ?? null;
  }

  /** @param {PlayerAction} deed @param {Side[]} sides */
  #do(deed, sides) {
    const seat = seatOf(deed.seat);
    const [own, other] = [sides[seat], sides[opposite(seat)]];
    own.deed = wordsOf(deed);
    if (deed.kind === 'placed') return;
    if (deed.kind === 'lost') {
      own.hasLost = true;
      return;
    }
    own.moves += 1;
    if (deed.kind === 'radar') {
      own.radar = true;
      other.look(deed.seen);
    } else if (other.strike(deed)) own.hits += 1;
  }

  /** The seat whose turn it is; null before the first move and after the last.
   * @param {number} at @param {PlayerAction[]} latest */
  #mover(at, latest) {
    const next = this.turns[at]?.deeds[0];
    if (next && at > 0) return seatOf(next.seat);
    if (this.over || at < 2 || latest.length === 0) return null;
    return opposite(seatOf(latest[0].seat));
  }
}

/** An action in words that follow the player's name.
 * @param {PlayerAction} deed */
function wordsOf(deed) {
  switch (deed.kind) {
    case 'placed': return 'has placed its fleet';
    case 'shot': return `fires at ${written(deed)}: ${deed.result}`;
    case 'radar': return `uses radar around ${written(deed)}: ${deed.seen.length} cells seen`;
    default: return `loses: ${deed.why}`;
  }
}

/** A player and its board. */
class Side {
  deed = '';
  moves = 0;
  hits = 0;
  radar = false;
  hasLost = false;
  /** The number of its ships that were sunk. */
  sunk = 0;
  /** The ships, if they are known: the look of their kind, and their cells. */
  ships;
  #width;
  #height;
  /** The number of hits on each cell. */
  #struck;
  /** @type {Set<number>} */
  #missed = new Set();
  /** @type {Set<number>} */
  #seen = new Set();

  /** @param {GameFacts} game @param {ShipView[] | null} fleet */
  constructor(game, fleet) {
    [this.#width, this.#height] = game.grid;
    this.#struck = Array(this.#width * this.#height).fill(0);
    this.ships = fleet?.map(({ type, cells }) => ({
      look: /** @type {GameShip} */ (game.ships.find((ship) => ship.name === type)),
      cells: cells.map(([x, y]) => this.#at({ x, y })),
    })) ?? null;
  }

  /** The number of a cell, as boards count them.
   * @param {Point} point */
  #at({ x, y }) {
    return x * this.#height + y;
  }

  /** Adds a shot. Returns true if it hit.
   * @param {ShotAction} shot */
  strike({ x, y, result }) {
    const at = this.#at({ x, y });
    if (result === 'miss') this.#missed.add(at);
    else this.#struck[at] += 1;
    if (result === 'sunk') this.sunk += 1;
    return result !== 'miss';
  }

  /** Adds the cells that a radar saw.
   * @param {Place[]} seen */
  look(seen) {
    seen.forEach(([x, y]) => this.#seen.add(this.#at({ x, y })));
  }

  /** The number of destroyed cells of a ship.
   * @param {SideShip} ship */
  destroyed({ look, cells }) {
    return cells.filter((at) => this.#struck[at] >= look.strength).length;
  }

  /** The cells that were hit and are connected with this one: those of the ship that was sunk there.
   * @param {Point} point */
  wreck({ x, y }) {
    const found = new Set([this.#at({ x, y })]);
    for (const at of found) {
      const cell = point({ height: this.#height }, at);
      const around = [[0, 1], [1, 0], [0, -1], [-1, 0]].map(([dx, dy]) => ({ x: cell.x + dx, y: cell.y + dy }));
      const on = around.filter((near) => near.x >= 0 && near.x < this.#width && near.y >= 0 && near.y < this.#height);
      on.map((near) => this.#at(near)).filter((near) => this.#struck[near] > 0).forEach((near) => found.add(near));
    }
    return [...found].map((at) => point({ height: this.#height }, at));
  }

  /** The board to draw; `latest` are the last actions of the opponent.
   * @param {PlayerAction[]} latest @returns {Board} */
  board(latest) {
    const [width, height] = [this.#width, this.#height];
    const shots = latest.flatMap((deed) => (deed.kind === 'shot' ? [this.#at(deed)] : []));
    const looks = latest.flatMap((deed) => (deed.kind === 'radar' ? this.#around(deed) : []));
    return {
      width,
      height,
      looks: this.#looks(),
      fresh: new Set(shots),
      scanned: new Set(looks),
      fleet: [],
      shots: Array(width * height).fill(0),
      factLabels: [],
      facts: [],
      deed: this.deed,
    };
  }

  /** The cells in reach of a radar that are on the board.
   * @param {Point} point */
  #around({ x, y }) {
    const cells = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => ({ x: x + dx, y: y + dy })));
    return cells.filter((cell) => cell.x >= 0 && cell.x < this.#width && cell.y >= 0 && cell.y < this.#height)
      .map((cell) => this.#at(cell));
  }

  #looks() {
    /** @type {string[]} */
    const looks = this.#struck.map((hits, at) => {
      if (hits > 0) return '*';
      if (this.#missed.has(at)) return '!';
      return this.#seen.has(at) ? '#?' : '~';
    });
    for (const { look, cells } of this.ships ?? []) {
      for (const at of cells) {
        const hits = this.#struck[at];
        const sign = hits >= look.strength ? '*' : hits > 0 ? '%' : '#';
        looks[at] = sign + look.letter;
      }
    }
    return looks;
  }
}
