// A web service that plays Sea Battle.
//
//     node bot.js [PORT]
//
// Every request has all that happened so far, so nothing is remembered between requests, and any number of matches can
// be played at the same time.
"use strict";

const { createHash } = require("node:crypto");
const http = require("node:http");

const SIZE = 10;
const CELLS = Array.from({ length: SIZE * SIZE }, (_, at) => ({ x: at % SIZE, y: Math.floor(at / SIZE) }));
/** @type {[string, number][]} */
const FLEET = [
  ["fourdeck", 4], ["battleship", 3], ["threeship", 3], ["submarine", 2], ["twoship", 2], ["twoship", 2],
  ["oneship", 1], ["oneship", 1], ["oneship", 1], ["oneship", 1],
];
// After so many shots radar is used, as soon as no ship is known of that is not sunk.
const SHOTS_BEFORE_RADAR = 4;

// Cells are compared by their keys.
const key = ({ x, y }) => `${x},${y}`;
const isOnBoard = ({ x, y }) => x >= 0 && x < SIZE && y >= 0 && y < SIZE;
const isNear = (a, b) => Math.abs(a.x - b.x) <= 1 && Math.abs(a.y - b.y) <= 1;

/** The cells of the board that touch one of these, and themselves. */
const around = (cells) => CELLS.filter((cell) => cells.some((other) => isNear(cell, other)));

/** All places where a ship of this length can lie, each as a list of cells. */
function places(length) {
  const steps = length === 1 ? [[1, 0]] : [[1, 0], [0, 1]];
  const all = CELLS.flatMap(({ x, y }) =>
    steps.map(([dx, dy]) => Array.from({ length }, (_, i) => ({ x: x + i * dx, y: y + i * dy }))));
  return all.filter((cells) => cells.every(isOnBoard));
}

const PLACES = new Map([1, 2, 3, 4].map((length) => [length, places(length)]));

/** A fleet at random, of which no two ships touch. */
function placeFleet(dice) {
  for (;;) {
    const ships = [];
    let taken = new Set();
    for (const [type, length] of FLEET) {
      const free = PLACES.get(length).filter((cells) => !cells.some((cell) => taken.has(key(cell))));
      if (free.length === 0) break; // Rarely there is no room for the last ships. Begin anew.
      const cells = dice(free);
      ships.push({ type, cells });
      taken = new Set([...taken, ...around(cells).map(key)]);
    }
    if (ships.length === FLEET.length) return { ships };
  }
}

/** What is known of the opponent's board. */
class Chart {
  constructor(request) {
    this.hits = new Map(); // How often each cell was hit.
    this.water = new Set(); // Cells in which no ship can be.
    this.sunk = new Set();
    this.afloat = FLEET.map(([, length]) => length);
    request.yourShots.forEach((shot) => this.add(shot));
    // Radar sees all ships but the submarine.
    this.seen = new Set();
    this.dark = new Set();
    for (const { center, visibleCells } of request.radarHistory) {
      visibleCells.forEach((cell) => this.seen.add(key(cell)));
      around([center]).map(key).filter((cell) => !this.seen.has(cell)).forEach((cell) => this.dark.add(cell));
    }
  }

  add({ x, y, result }) {
    const cell = { x, y };
    if (result === "miss") {
      // A second shot at a cell without armour is a miss, too, but there was a ship.
      if (!this.hits.has(key(cell))) this.water.add(key(cell));
      return;
    }
    this.hits.set(key(cell), (this.hits.get(key(cell)) ?? 0) + 1);
    if (result !== "sunk") return;
    const ship = this.wounds(cell);
    ship.forEach((part) => this.sunk.add(key(part)));
    around(ship).filter((near) => !this.hits.has(key(near))).forEach((near) => this.water.add(key(near)));
    const struck = this.afloat.indexOf(ship.length);
    if (struck >= 0) this.afloat.splice(struck, 1);
  }

  /** All cells that were hit of the ship in this cell. */
  wounds(cell) {
    let ship = [cell];
    for (;;) {
      const more = around(ship).filter((near) => this.hits.has(key(near)));
      if (more.length === ship.length) return more;
      ship = more;
    }
  }

  /** Whether a shot there may hit something, as far as is known. */
  isOpen(cell) {
    return isOnBoard(cell) && !this.hits.has(key(cell)) && !this.water.has(key(cell));
  }
}

/** A shot or radar. */
function chooseMove(request, dice) {
  const chart = new Chart(request);
  const wounded = CELLS.find((cell) => chart.hits.has(key(cell)) && !chart.sunk.has(key(cell)));
  let targets;
  if (wounded) {
    targets = followUp(chart, chart.wounds(wounded));
  } else {
    targets = CELLS.filter((cell) => chart.seen.has(key(cell)) && chart.isOpen(cell));
    if (targets.length === 0 && !request.radarUsed && request.yourShots.length >= SHOTS_BEFORE_RADAR) {
      return { type: "radar", center: chooseCentre(chart, dice) };
    }
  }
  const fresh = CELLS.filter((cell) => !chart.hits.has(key(cell)));
  return { type: "shot", ...dice([targets, hunt(chart), fresh, CELLS].find((cells) => cells.length > 0)) };
}

/** The cells that may finish a ship of which these cells were hit. */
function followUp(chart, ship) {
  const xs = ship.map((cell) => cell.x);
  const ys = ship.map((cell) => cell.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const across = top === bottom ? [{ x: left - 1, y: top }, { x: right + 1, y: top }] : [];
  const down = left === right ? [{ x: left, y: top - 1 }, { x: left, y: bottom + 1 }] : [];
  const ends = [...across, ...down].filter((cell) => chart.isOpen(cell));
  const seen = ends.filter((cell) => chart.seen.has(key(cell)));
  const isWhole = ship.length >= Math.max(1, ...chart.afloat);
  const likely = ends.filter((cell) => !isWhole && !chart.dark.has(key(cell)));
  // Three hits, and it is longer nowhere: that is the battleship, whose armour takes a second hit in each cell.
  const armour = ship.filter((cell) => ship.length === 3 && chart.hits.get(key(cell)) === 1);
  return [seen, likely, armour].find((cells) => cells.length > 0) ?? ends;
}

/** The cell around which most is unknown. */
function chooseCentre(chart, dice) {
  return dice(best(CELLS, (cell) => around([cell]).filter((near) => chart.isOpen(near)).length));
}

/** The best cells of a checkerboard, which no ship but the smallest can evade. */
function hunt(chart) {
  const isOpen = (cell) => chart.isOpen(cell) && !chart.dark.has(key(cell));
  const ways = new Map();
  for (const length of chart.afloat) {
    for (const place of PLACES.get(length).filter((cells) => cells.every(isOpen))) {
      place.forEach((cell) => ways.set(key(cell), (ways.get(key(cell)) ?? 0) + 1));
    }
  }
  const possible = CELLS.filter((cell) => ways.has(key(cell)));
  const checkerboard = possible.filter((cell) => chart.afloat.some((length) => length > 1) && (cell.x + cell.y) % 2 === 0);
  const open = CELLS.filter((cell) => chart.isOpen(cell));
  const cells = [checkerboard, possible].find((some) => some.length > 0) ?? open;
  return best(cells, (cell) => ways.get(key(cell)) ?? 0);
}

/** Those with the highest value. */
function best(cells, value) {
  const values = cells.map(value);
  const most = Math.max(...values);
  return cells.filter((_, at) => values[at] === most);
}

/** Draws one of a list: in every match of this name the same if BROADSIDE_SEED is set, else always another. */
function makeDice({ gameId, turn = 0 }) {
  const seed = process.env.BROADSIDE_SEED;
  if (!seed) return (list) => list[Math.floor(Math.random() * list.length)];
  let count = 0;
  return (list) => {
    const hash = createHash("sha256").update(`${seed} ${gameId} ${turn} ${count++}`).digest();
    return list[hash.readUInt32BE(0) % list.length];
  };
}

/** What to answer to a request; undefined if there is nothing at this path. */
function answer(path, request) {
  const dice = makeDice(request);
  if (path.endsWith("/placement")) return placeFleet(dice);
  if (path.endsWith("/move")) return chooseMove(request, dice);
  return undefined;
}

const server = http.createServer(async (request, response) => {
  const respond = (status, value) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  let asked;
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    asked = JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    respond(400, { error: `the request is not JSON: ${error}` });
    return;
  }
  try {
    const path = request.url.split("?")[0]; // What follows it may be a secret of yours.
    const result = answer(path, asked);
    if (result === undefined) respond(404, { error: `there is nothing at ${path}` });
    else respond(200, result);
  } catch (error) {
    console.error(error); // An error in the code above: its place is shown here, and the server goes on.
    respond(500, { error: String(error) });
  }
});
// A connection stays for longer than moves are apart.
server.keepAliveTimeout = 120_000;

// Only this machine can call it; "0.0.0.0" would let others do so.
server.listen(Number(process.argv[2] ?? process.env.PORT ?? 4000), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
