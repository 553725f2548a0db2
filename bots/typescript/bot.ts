// TypeScript Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the
// energy it has saved on diagonal cross shots.
//
// tsc makes bot.js of it. The engine starts it with  node bot.js KEY FOLDER  and asks it for each turn by a line on
// standard input. Without BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process
// for every turn.

// What is used of Node.js. With the package @types/node this is not needed.
declare function require(name: string): any;
declare const process: {
  argv: string[];
  env: Record<string, string | undefined>;
  exit(code: number): never;
  stdin: unknown;
  stdout: { write(text: string): void };
  stderr: { write(text: string): void };
};

// What is used of state.json; there is more in it.
interface OpponentCell { X: number; Y: number; Damaged: boolean; Missed: boolean; ShieldHit: boolean }
interface OpponentMap { Cells: OpponentCell[]; Ships: { ShipType: ShipType; Destroyed: boolean }[] }
interface OwnShip { Destroyed: boolean; Weapons: { WeaponType: string; EnergyRequired: number }[] }
interface Owner { Energy: number; Ships: OwnShip[] }
interface State {
  Phase: number;
  Round: number;
  MapDimension: number;
  PlayerMap: { Owner: Owner };
  OpponentMap: OpponentMap;
}

type ShipType = 'Carrier' | 'Battleship' | 'Cruiser' | 'Submarine' | 'Destroyer';
type Offset = readonly [dx: number, dy: number];
/** An order that fires: its code, and the cells it hits as seen from its centre. */
interface Weapon { readonly code: number; readonly offsets: readonly Offset[] }
/** A random whole number from 0 to sides - 1. */
type Dice = (sides: number) => number;

const fs = require('fs');

const SHIPS: readonly (readonly [ShipType, number])[] =
  [['Carrier', 5], ['Battleship', 4], ['Cruiser', 3], ['Submarine', 3], ['Destroyer', 2]];
const LENGTHS = new Map(SHIPS);
const STEPS: readonly Offset[] = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const SINGLE_SHOT: Weapon = { code: 1, offsets: [[0, 0]] };
const DIAGONAL_CROSS_SHOT: Weapon = { code: 5, offsets: [[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]] };
const DO_NOTHING = '0,0,0\n';

function main(key?: string, folder?: string): void {
  if (key === undefined || folder === undefined) fail('usage: bot.js KEY FOLDER');
  if (!process.env.BROADSIDE_STAY) return takeTurn(key, folder);
  require('readline').createInterface({ input: process.stdin }).on('line', (line: string) => {
    takeTurn(key, folder);
    process.stdout.write(`${line}\n`); // the same line says that the answer is written
  });
}

function takeTurn(key: string, folder: string): void {
  const state = readState(`${folder}/state.json`);
  const dice = makeDice(state.Round, key);
  if (state.Phase === 1) {
    fs.writeFileSync(`${folder}/place.txt`, placeFleet(state.MapDimension, dice));
  } else {
    const weapon = canFireDiagonally(state.PlayerMap.Owner) ? DIAGONAL_CROSS_SHOT : SINGLE_SHOT;
    fs.writeFileSync(`${folder}/command.txt`, chooseOrder(weapon, state.OpponentMap, dice));
  }
}

/** What this player may know. Ends the program if it cannot be read. */
function readState(path: string): State {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8'));
  } catch (error) {
    fail(`cannot read ${path}: ${(error as Error).message}`);
  }
}

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/** Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones. */
function makeDice(round: number, key: string): Dice {
  const seed = process.env.BROADSIDE_SEED;
  if (!seed) return (sides) => Math.floor(Math.random() * sides);
  let number = 2166136261;
  for (const char of `${seed} ${round} ${key}`) number = Math.imul(number ^ char.charCodeAt(0), 16777619);
  return (sides) => {
    // The mulberry32 generator: short, and good enough for a game.
    number = (number + 0x6d2b79f5) | 0;
    let mixed = Math.imul(number ^ (number >>> 15), number | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** Tries random places, longest ship first: then there is always room for the next one. */
function placeFleet(size: number, dice: Dice): string {
  if (![7, 10, 14].includes(size)) throw new Error('state.json: a board of the wrong size');
  const taken = new Set<string>();
  let lines = '';
  for (const [name, length] of SHIPS) {
    let x: number, y: number, east: boolean, cells: string[];
    do {
      east = dice(2) === 0;
      x = dice(east ? size - length + 1 : size);
      y = dice(east ? size : size - length + 1);
      cells = [];
      for (let i = 0; i < length; i++) cells.push(east ? `${x + i},${y}` : `${x},${y + i}`);
    } while (cells.some((cell) => taken.has(cell)));
    cells.forEach((cell) => taken.add(cell));
    lines += `${name} ${x} ${y} ${east ? 'east' : 'north'}\n`;
  }
  return lines;
}

/** Whether the ship that carries the diagonal cross shot is afloat, and the energy is there. */
function canFireDiagonally(me: Owner): boolean {
  return me.Ships.some((ship) => !ship.Destroyed && ship.Weapons.some(
    (weapon) => weapon.WeaponType === 'DiagonalCrossShot' && weapon.EnergyRequired <= me.Energy));
}

/** Returns a function that tells how much a shot at a cell is worth. */
function makeValue(opponent: OpponentMap): (x: number, y: number) => number {
  const cells = new Map<string, OpponentCell>();
  for (const cell of opponent.Cells) cells.set(`${cell.X},${cell.Y}`, cell);
  const isHit = (x: number, y: number) => cells.get(`${x},${y}`)?.Damaged ?? false;
  let wounded = opponent.Cells.filter((cell) => cell.Damaged).length; // hits on ships that are still afloat
  for (const ship of opponent.Ships) if (ship.Destroyed) wounded -= LENGTHS.get(ship.ShipType) ?? 0;
  return (x, y) => {
    const cell = cells.get(`${x},${y}`);
    if (!cell || cell.Damaged || cell.Missed) return 0;
    if (cell.ShieldHit) return 1; // shielded for now; better than nothing
    let best = (x + y) % 2 === 0 ? 3 : 2; // every ship has a cell on the black squares of a checkerboard
    if (wounded <= 0) return best;
    for (const [dx, dy] of STEPS) {
      if (isHit(x + dx, y + dy)) best = Math.max(best, isHit(x + 2 * dx, y + 2 * dy) ? 40 : 20);
    }
    return best;
  };
}

/** The weapon on the centre where it is worth most; a random one of those that are equally good. */
function chooseOrder(weapon: Weapon, opponent: OpponentMap, dice: Dice): string {
  const value = makeValue(opponent);
  let best = 1;
  let centres: OpponentCell[] = [];
  for (const cell of opponent.Cells) {
    const worth = weapon.offsets.reduce((sum, [dx, dy]) => sum + value(cell.X + dx, cell.Y + dy), 0);
    if (worth > best) centres = [];
    best = Math.max(best, worth);
    if (worth === best) centres.push(cell);
  }
  if (centres.length === 0) return DO_NOTHING;
  const centre = centres[dice(centres.length)];
  return `${weapon.code},${centre.X},${centre.Y}\n`;
}

main(...process.argv.slice(2));
