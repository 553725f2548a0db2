// JavaScript Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the
// energy it has saved on seeker missiles.
//
// The engine starts it with  node bot.js KEY FOLDER  and asks it for each turn by a line on standard input. Without
// BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');

const SHIPS = { Carrier: 5, Battleship: 4, Cruiser: 3, Submarine: 3, Destroyer: 2 };
const STEPS = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const DO_NOTHING = '0,0,0\n';
// The orders that fire: their code, and the cells they may hit as seen from their centre.
const SINGLE_SHOT = { code: 1, offsets: [[0, 0]] };
const SEEKER_MISSILE = { code: 7, offsets: cellsWithin(2) };

function main(key, folder) {
  if (folder === undefined) {
    console.error('usage: bot.js KEY FOLDER');
    process.exit(1);
  }
  if (!process.env.BROADSIDE_STAY) return takeTurn(key, folder);
  readline.createInterface({ input: process.stdin }).on('line', (line) => {
    takeTurn(key, folder);
    console.log(line); // the same line says that the answer is written
  });
}

function takeTurn(key, folder) {
  const state = readState(path.join(folder, 'state.json'));
  const roll = makeDice(state.Round, key);
  if (state.Phase === 1) {
    fs.writeFileSync(path.join(folder, 'place.txt'), placeFleet(state.MapDimension, roll));
  } else {
    const weapon = canSeek(state.PlayerMap.Owner) ? SEEKER_MISSILE : SINGLE_SHOT;
    fs.writeFileSync(path.join(folder, 'command.txt'), chooseOrder(weapon, state.OpponentMap, roll));
    note(folder, state);
  }
}

/** What this player may know. Ends the program if it cannot be read. */
function readState(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    console.error(`cannot read ${file}: ${error}`);
    return process.exit(1);
  }
}

/** Notes for you, which the viewers show beside the match: the value of each cell, by rows from y = 0. */
function note(folder, state) {
  const [value, places] = [valuer(state.OpponentMap), [...Array(state.MapDimension).keys()]];
  const numbers = places.map((y) => places.map((x) => value(x, y) || null));
  const text = `${numbers.flat().filter(Boolean).length} cells are worth a shot`;
  fs.writeFileSync(path.join(folder, 'notes.json'), JSON.stringify({ text, numbers }));
}

/** Returns roll(n): a random whole number from 0 to n - 1. Repeatable if BROADSIDE_SEED is set. */
function makeDice(round, key) {
  const seed = process.env.BROADSIDE_SEED;
  if (!seed) return (sides) => Math.floor(Math.random() * sides);
  let number = 2166136261;
  for (const char of `${seed} ${round} ${key}`) number = Math.imul(number ^ char.codePointAt(0), 16777619);
  return (sides) => {
    // The mulberry32 generator: short, and good enough for a game.
    number = (number + 0x6d2b79f5) | 0;
    let mixed = Math.imul(number ^ (number >>> 15), number | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** Tries random places, longest ship first: then there is always room for the next one. */
function placeFleet(size, roll) {
  if (![7, 10, 14].includes(size)) throw new Error('state.json: a board of the wrong size');
  const taken = new Set();
  let lines = '';
  for (const [name, length] of Object.entries(SHIPS)) {
    let x, y, east, cells;
    do {
      east = roll(2) === 0;
      x = roll(east ? size - length + 1 : size);
      y = roll(east ? size : size - length + 1);
      cells = Array.from({ length }, (_, i) => (east ? `${x + i},${y}` : `${x},${y + i}`));
    } while (cells.some((cell) => taken.has(cell)));
    cells.forEach((cell) => taken.add(cell));
    lines += `${name} ${x} ${y} ${east ? 'east' : 'north'}\n`;
  }
  return lines;
}

/** All offsets that are no farther away than this. */
function cellsWithin(distance) {
  const offsets = [];
  for (let dx = -distance; dx <= distance; dx++) {
    for (let dy = -distance; dy <= distance; dy++) {
      if (dx * dx + dy * dy <= distance * distance) offsets.push([dx, dy]);
    }
  }
  return offsets;
}

/** Whether the ship that carries the seeker missile is afloat, and the energy is there. */
function canSeek(me) {
  return me.Ships.some((ship) => !ship.Destroyed && ship.Weapons.some(
    (weapon) => weapon.WeaponType === 'SeekerMissile' && weapon.EnergyRequired <= me.Energy));
}

/** Returns value(x, y): how much a shot at this cell is worth. */
function valuer(opponent) {
  const cells = new Map(opponent.Cells.map((cell) => [`${cell.X},${cell.Y}`, cell]));
  const isHit = (x, y) => cells.get(`${x},${y}`)?.Damaged === true;
  const hits = opponent.Cells.filter((cell) => cell.Damaged).length;
  const sunk = opponent.Ships.filter((ship) => ship.Destroyed);
  const wounded = hits > sunk.reduce((sum, ship) => sum + SHIPS[ship.ShipType], 0); // hits on ships still afloat
  return (x, y) => {
    const cell = cells.get(`${x},${y}`);
    if (!cell || cell.Damaged || cell.Missed) return 0;
    if (cell.ShieldHit) return 1; // shielded for now; better than nothing
    let best = (x + y) % 2 === 0 ? 3 : 2; // every ship has a cell on the black squares of a checkerboard
    if (!wounded) return best;
    for (const [dx, dy] of STEPS) {
      if (isHit(x + dx, y + dy)) best = Math.max(best, isHit(x + 2 * dx, y + 2 * dy) ? 40 : 20);
    }
    return best;
  };
}

/** The weapon on the centre where it is worth most; a random one of those that are equally good. */
function chooseOrder(weapon, opponent, roll) {
  const value = valuer(opponent);
  let best = 1;
  let centres = [];
  for (const { X, Y } of opponent.Cells) {
    const worth = weapon.offsets.reduce((sum, [dx, dy]) => sum + value(X + dx, Y + dy), 0);
    if (worth > best) centres = [];
    best = Math.max(best, worth);
    if (worth === best) centres.push({ X, Y });
  }
  if (centres.length === 0) return DO_NOTHING;
  const { X, Y } = centres[roll(centres.length)];
  return `${weapon.code},${X},${Y}\n`;
}

main(process.argv[2], process.argv[3]);
