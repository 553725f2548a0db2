// The data of a match, in the words of engine/web/src/wire.rs.
//
// Moments are counted from 0, the one before the first turn; moment n + 1 is the one after turn n. Eyes are numbers,
// too: their positions in the list of the setup.

/** All pieces so far. */
export class Match {
  /** Null until a match begins; scripts read it only then.
   * @type {Setup} */
  setup = /** @type {any} */ (null);
  /** @type {Frame[]} */
  frames = [];
  /** The analysis of moments, by their numbers. Some may be missing.
   * @type {(AnalysisView | undefined)[]} */
  analysis = [];
  /** @type {MatchEnd | null} */
  over = null;

  /** @param {Setup} setup */
  begin(setup) {
    this.setup = setup;
    this.frames = [];
    this.analysis = [];
    this.over = null;
  }

  /** The kind of ship with this letter; undefined if letters only tell ships apart.
   * @param {string} letter */
  ship(letter) {
    return this.setup.ships.find((ship) => ship.letter === letter);
  }

  /** The eyes that see the match: `referee`, `everyone`, or the letter of a seat. */
  get eyes() {
    return this.setup ? this.setup.eyes : [];
  }

  get seats() {
    return this.setup ? this.setup.names.length : 0;
  }

  /** The last moment so far. */
  get last() {
    return Math.max(0, this.frames.length - 1);
  }
}

/** The thing that `eye` sees, in a list of what each set of eyes sees.
 * @template T @param {number} eye @param {SeenBy<T>[]} list */
export function seenBy(eye, list = []) {
  return list.find(([eyes]) => eyes & (1 << eye))?.[1];
}

/** The letter of a seat.
 * @param {number} seat */
export const letter = (seat) => String.fromCharCode(65 + seat);

/** The seat with this letter.
 * @param {Letter} letter */
export const seatOf = (letter) => letter.charCodeAt(0) - 65;

/** The place of the cell with this number: cells are counted column by column from the west, each from the south.
 * @param {{ height: number }} board @param {number} cell */
export const point = (board, cell) => ({ x: Math.floor(cell / board.height), y: cell % board.height });

/** A point, for people.
 * @param {Point} point */
export const written = ({ x, y }) => `${x}, ${y}`;

/** The letter of the ship in a cell's look, or an empty text.
 * @param {string} look */
export const shipIn = (look) => look.slice(1).replace('+', '');

/** The number of moments between two stored scenes, from which a step back starts. */
const KEPT_EVERY = 32;

/** The scenes of a match for one eye. */
export class SceneReader {
  #match;
  #eye;
  /** @type {Scene} */
  #scene = /** @type {any} */ (null);
  #at = -1;
  /** @type {Map<number, Scene>} */
  #kept = new Map();

  /** @param {Match} match @param {number} eye */
  constructor(match, eye) {
    this.#match = match;
    this.#eye = eye;
  }

  /** The scene at a moment. It changes with the next call.
   * @param {number} at */
  scene(at) {
    if (this.#scene === null || at < this.#at || at - this.#at > KEPT_EVERY) this.#rewind(at);
    while (this.#at < at) this.#advance();
    return this.#scene;
  }

  /** Goes back to the last stored scene before `at`, or to the blank boards.
   * @param {number} at */
  #rewind(at) {
    const from = Math.max(-1, ...[...this.#kept.keys()].filter((kept) => kept <= at));
    this.#at = from;
    this.#scene = from < 0 ? blank(this.#match.setup) : copy(/** @type {Scene} */ (this.#kept.get(from)));
  }

  #advance() {
    this.#at += 1;
    const frame = this.#match.frames[this.#at];
    const scene = this.#scene;
    scene.title = seenBy(this.#eye, frame.titles) ?? '';
    scene.times = frame.times ?? {};
    scene.boards.forEach((board, seat) => change(board, seenBy(this.#eye, frame.boards[seat]) ?? {}));
    if (this.#at % KEPT_EVERY === 0 && !this.#kept.has(this.#at)) this.#kept.set(this.#at, copy(scene));
  }
}

/** Boards of water about which nothing is known.
 * @param {Setup} setup @returns {Scene} */
function blank(setup) {
  const boards = setup.grids.map(([width, height]) => ({
    width,
    height,
    looks: Array(width * height).fill('~'),
    fresh: new Set(),
    scanned: new Set(),
    fleet: [],
    shots: Array(width * height).fill(0),
    factLabels: [],
    facts: [],
    deed: '',
  }));
  return { title: '', times: {}, boards };
}

/** Applies a frame to a board.
 * @param {Board} board @param {BoardChange} told */
function change(board, told) {
  for (const [look, cells] of Object.entries(told.cells ?? {})) {
    for (const cell of cells) board.looks[cell] = look;
  }
  board.fresh = new Set(told.fresh);
  board.scanned = new Set(told.scanned);
  for (const cell of board.fresh) board.shots[cell] += 1;
  board.fleet = told.fleet ?? board.fleet;
  if (told.fact_labels) {
    board.factLabels = told.fact_labels;
    board.facts = told.fact_labels.map(() => '');
  }
  for (const [at, value] of Object.entries(told.facts ?? {})) board.facts[Number(at)] = value;
  board.deed = told.deed ?? board.deed;
}

/** @param {Scene} scene @returns {Scene} */
function copy(scene) {
  const boards = scene.boards.map((board) => ({
    ...board,
    looks: [...board.looks],
    shots: [...board.shots],
    facts: [...board.facts],
  }));
  return { ...scene, boards };
}

/** The events of a match for one eye: the data of the log, the timeline and the charts. */
export class MatchEvents {
  /** One entry for every moment: its title, its highlights, and the actions that led to it.
   * @type {Entry[]} */
  entries = [];
  /** By label, by seat: the value at every moment, or null if it is not known.
   * @type {Map<string, (number | null)[][]>} */
  measures = new Map();
  #match;
  #eye;
  /** @type {string[]} */
  #deeds;
  /** @type {string[][]} */
  #labels;
  /** @type {number[][]} */
  #values;

  /** @param {Match} match @param {number} eye */
  constructor(match, eye) {
    this.#match = match;
    this.#eye = eye;
    this.#deeds = Array(match.seats).fill('');
    this.#labels = Array.from({ length: match.seats }, () => []);
    this.#values = Array.from({ length: match.seats }, () => []);
    this.extend();
  }

  /** Adds the new frames. */
  extend() {
    while (this.entries.length < this.#match.frames.length) this.#add(this.#match.frames[this.entries.length]);
  }

  /** @param {Frame} frame */
  #add(frame) {
    const at = this.entries.length;
    const measured = Object.keys(frame.times ?? {});
    /** @type {Deed[]} */
    const deeds = [];
    frame.boards.forEach((board, seat) => {
      const told = seenBy(this.#eye, board) ?? {};
      this.#measure(at, seat, told);
      const same = told.deed === undefined || told.deed === this.#deeds[seat];
      this.#deeds[seat] = told.deed ?? this.#deeds[seat];
      // Where only some seats were asked, the actions of the others are old.
      const idle = same && measured.length > 0 && !measured.includes(letter(seat));
      if (this.#deeds[seat] !== '' && !idle) deeds.push({ seat, deed: this.#deeds[seat] });
    });
    const highlights = (seenBy(this.#eye, frame.highlights) ?? []).map(([who, kind]) => ({ seat: seatOf(who), kind }));
    this.entries.push({ title: seenBy(this.#eye, frame.titles) ?? '', highlights, deeds });
  }

  /** @param {number} at @param {number} seat @param {BoardChange} told */
  #measure(at, seat, told) {
    this.#labels[seat] = told.measure_labels ?? this.#labels[seat];
    this.#values[seat] = told.measures ?? this.#values[seat];
    this.#labels[seat].forEach((label, nth) => {
      const measure = this.measures.get(label) ?? Array.from({ length: this.#match.seats }, () => /** @type {number[]} */ ([]));
      this.measures.set(label, measure);
      const values = measure[seat];
      while (values.length < at) values.push(null);
      values.push(this.#values[seat][nth]);
    });
  }

  /** The nearest moment before or after `at` with this kind of highlight; undefined if there is none.
   * @param {number} at @param {HighlightKind} kind @param {number} direction */
  nearest(at, kind, direction) {
    const has = (/** @type {number} */ moment) => this.entries[moment].highlights.some((highlight) => highlight.kind === kind);
    for (let moment = at + direction; moment >= 0 && moment < this.entries.length; moment += direction) {
      if (has(moment)) return moment;
    }
    return undefined;
  }
}
