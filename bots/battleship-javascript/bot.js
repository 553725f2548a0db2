// A bot that plays Battleship by any rules: a program that the engine starts and asks line by line.
//
// Every question has the rules and all that the bot knows, so nothing is remembered between questions.
'use strict';
const readline = require('readline');

const EDGES = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const CORNERS = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
// The cells beside a ship in which no other may lie.
const KEPT_FREE = { allowed: [], corners: EDGES, none: [...EDGES, ...CORNERS] };
const key = (cell) => cell.join();

// Placing

/** A fleet at random, largest ships first. */
function place({ rules }, roll) {
  const kinds = rules.fleet.flatMap((kind) => Array(kind.count).fill([kind.name, waysToLie(kind, rules.mirror)]));
  kinds.sort(([, ways], [, others]) => others[0].length - ways[0].length);
  for (;;) {
    const [ships, closed] = [[], new Set()];
    for (const [name, ways] of kinds) {
      const cells = freePlace(rules.board, ways, closed, roll);
      if (!cells) break; // There may be no room for this ship. Begin anew.
      ships.push({ name, cells });
      for (const [x, y] of cells) {
        for (const [dx, dy] of [[0, 0], ...KEPT_FREE[rules.touching]]) closed.add(key([x + dx, y + dy]));
      }
    }
    if (ships.length === kinds.length) return { ships };
  }
}

/** All ways in which a ship can be turned, and mirrored if that is allowed. Each is a list of cells from 0,0 on. */
function waysToLie(kind, mirror) {
  const rows = kind.shape || ['#'.repeat(kind.size)];
  const drawn = rows.flatMap((row, y) => [...row].flatMap((sign, x) => (sign === '#' ? [[x, y]] : [])));
  const ways = new Map();
  for (let cells of mirror ? [drawn, drawn.map(([x, y]) => [-x, y])] : [drawn]) {
    for (let turn = 0; turn < 4; turn += 1) {
      const [left, top] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
      const way = cells.map(([x, y]) => [x - left, y - top]);
      ways.set(way.map(key).sort().join(' '), way);
      cells = cells.map(([x, y]) => [-y, x]);
    }
  }
  return [...ways.values()];
}

/** A place at random where all cells are free; undefined if none was found. */
function freePlace({ width, height }, ways, closed, roll) {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const way = ways[roll(ways.length)];
    const [right, bottom] = [0, 1].map((axis) => Math.max(...way.map((cell) => cell[axis])));
    if (right < width && bottom < height) {
      const [left, top] = [roll(width - right), roll(height - bottom)];
      const cells = way.map(([x, y]) => [left + x, top + y]);
      if (cells.every((cell) => !closed.has(key(cell)))) return cells;
    }
  }
  return undefined;
}

// Firing

// The value of a cell by its sign on the board: a ship that radar saw, a cell with armour left, and an unknown cell. Of shots with
// an untold result, '?', only armour leaves something. In all others there is nothing left to hit.
const SIGNS = { '#': 6, d: 5, '.': 1 };
const BESIDE_HIT = 3;

/** The best cells of all boards, or a special action while no ship is known that could be sunk. */
function fire(question, roll) {
  const { rules } = question;
  // Every shape of two cells or more covers two cells that are neighbours.
  const shortest = Math.min(...rules.fleet.map(({ size, shape }) => size || Math.min(2, shape.join('').split('#').length - 1)));
  const signs = rules.fleet.some(({ armour }) => armour > 1) ? { ...SIGNS, '?': 0 } : SIGNS;
  const boards = question.boards.filter((board) => board.target);
  const cells = boards.flatMap((board) => values(board, signs, shortest)
    .map(([x, y, value]) => ({ cell: [x, y, board.seat], value, order: value + roll(1e6) / 1e6 })));
  cells.sort((one, other) => other.order - one.order);
  const [best] = cells;
  // question.specials has those that can be taken now.
  const special = rules.specials.find(({ name, kind }) => kind !== 'sonar' && name in question.specials);
  if (special && best.value < BESIDE_HIT) return { special: special.name, aim: best.cell };
  const targets = cells.slice(0, question.shots).filter(({ value }) => value >= 0);
  return { shots: (targets.length ? targets : [best]).map(({ cell }) => cell) };
}

/** The cells of a board with their values. */
function values({ rows, sunk }, signs, shortest) {
  const sign = (x, y) => (rows[y] || '')[x];
  const wounds = findWounds(rows, sunk.map(({ size }) => size || 100));
  const isWound = (x, y) => wounds.has(key([x, y]));
  const value = (x, y) => {
    if (sign(x, y) !== '.') return signs[sign(x, y)] ?? -1;
    const beside = EDGES.filter(([dx, dy]) => isWound(x + dx, y + dy));
    const inLine = beside.some(([dx, dy]) => isWound(x + 2 * dx, y + 2 * dy));
    if (beside.length) return BESIDE_HIT + Number(inLine);
    // No ship can evade all cells of this lattice.
    return (x + y) % shortest === 0 ? 2 : SIGNS['.'];
  };
  return rows.flatMap((row, y) => [...row].map((_, x) => [x, y, value(x, y)]));
}

/** The cells that were hit of ships afloat: those that are not joined to a cell of a sunk ship, of which all may not be told. */
function findWounds(rows, sunkSizes) {
  const cellsOf = (signs) => rows.flatMap((row, y) => [...row].flatMap((sign, x) => (signs.includes(sign) ? [[x, y]] : [])));
  const [hits, sunk] = [cellsOf('xd'), cellsOf('s')];
  const wounds = new Set(hits.map(key));
  const mostOfSunk = sunkSizes.reduce((sum, size) => sum + size, -sunk.length);
  while (sunk.length) {
    const [x, y] = sunk.pop();
    for (const near of EDGES.map(([dx, dy]) => [x + dx, y + dy])) if (wounds.delete(key(near))) sunk.push(near);
  }
  // More hits than the sunk ships have cells: ships touch, and some of those hits are of another one.
  return wounds.size || hits.length <= mostOfSunk ? wounds : new Set(hits.map(key));
}

// The program

/** Returns roll(n): a random whole number from 0 to n - 1. Repeatable if BROADSIDE_SEED is set. */
function makeDice(question) {
  const seed = process.env.BROADSIDE_SEED;
  if (seed === undefined) return (n) => Math.floor(Math.random() * n);
  let state = 1;
  for (const letter of `${seed} ${question.match} ${question.seat} ${question.turn}`) {
    state = Math.imul(state ^ letter.codePointAt(0), 0x01000193);
  }
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  if (!line.startsWith('{')) {
    console.error('Error: this is another game; play Battleship by --rules classic, or by --rules and a file');
    process.exit(1);
  }
  const question = JSON.parse(line);
  const answer = (question.act === 'place' ? place : fire)(question, makeDice(question));
  // Nothing else may be written to standard output; print what you want to know with console.error.
  console.log(JSON.stringify(answer));
});
