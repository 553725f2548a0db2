const express = require('express');
const app = express();
app.use(express.json());

const SIZE = 10;
const FLEET = [
  ['fourdeck', 4], ['battleship', 3], ['threeship', 3], ['submarine', 2],
  ['twoship', 2], ['twoship', 2],
  ['oneship', 1], ['oneship', 1], ['oneship', 1], ['oneship', 1],
];
const games = {}; // gameId -> { radarSent, plan }

const rnd = (n) => Math.floor(Math.random() * n);
const pick = (list) => list[rnd(list.length)];
const key = (c) => `${c.x},${c.y}`;
const inside = (c) => c.x >= 0 && c.x < SIZE && c.y >= 0 && c.y < SIZE;
const sides = (c) => [
  { x: c.x + 1, y: c.y }, { x: c.x - 1, y: c.y },
  { x: c.x, y: c.y + 1 }, { x: c.x, y: c.y - 1 },
].filter(inside);
const box = (c) => {
  const cells = [];
  for (let x = c.x - 1; x <= c.x + 1; x++) for (let y = c.y - 1; y <= c.y + 1; y++) cells.push({ x, y });
  return cells.filter(inside);
};

function placeFleet() {
  for (;;) {
    const blocked = new Set();
    const ships = [];
    for (let tries = 0; tries < 2000 && ships.length < FLEET.length; tries++) {
      const [type, length] = FLEET[ships.length];
      const flat = Math.random() < 0.5;
      const x = rnd(flat ? SIZE - length + 1 : SIZE);
      const y = rnd(flat ? SIZE : SIZE - length + 1);
      const cells = [...Array(length).keys()].map((i) => (flat ? { x: x + i, y } : { x, y: y + i }));
      if (cells.some((c) => blocked.has(key(c)))) continue;
      cells.flatMap(box).forEach((c) => blocked.add(key(c)));
      ships.push({ type, cells });
    }
    if (ships.length === FLEET.length) return ships;
  }
}

function nextMove(req, game) {
  const times = {};
  const board = {}; // "x,y" -> best result so far
  for (const s of req.yourShots) {
    times[key(s)] = (times[key(s)] || 0) + 1;
    if (board[key(s)] === undefined || s.result !== 'miss') board[key(s)] = s.result;
  }

  // Walk over every group of hits; a group holding a "sunk" is a dead ship.
  const seen = new Set();
  const wounded = [];
  const water = new Set();
  for (const s of req.yourShots) {
    if (board[key(s)] === 'miss' || seen.has(key(s))) continue;
    const ship = [];
    const todo = [{ x: s.x, y: s.y }];
    seen.add(key(s));
    while (todo.length) {
      const c = todo.pop();
      ship.push(c);
      for (const n of sides(c)) {
        if (board[key(n)] && board[key(n)] !== 'miss' && !seen.has(key(n))) {
          seen.add(key(n));
          todo.push(n);
        }
      }
    }
    if (ship.some((c) => board[key(c)] === 'sunk')) ship.flatMap(box).forEach((c) => water.add(key(c)));
    else wounded.push(ship);
  }
  const unknown = (c) => inside(c) && !board[key(c)] && !water.has(key(c));

  for (const ship of wounded) {
    let next = ship.flatMap(sides).filter(unknown);
    if (ship.length > 1) {
      const flat = ship[0].y === ship[1].y;
      next = next.filter((c) => (flat ? c.y === ship[0].y : c.x === ship[0].x));
    }
    if (next.length) return { type: 'shot', ...pick(next) };
    // Ends are closed but it swims: battleship, every cell wants a second hit.
    ship.sort((a, b) => times[key(a)] - times[key(b)]);
    return { type: 'shot', ...ship[0] };
  }

  const spotted = req.radarHistory.flatMap((r) => r.visibleCells).filter(unknown);
  if (spotted.length) return { type: 'shot', x: spotted[0].x, y: spotted[0].y };

  const all = [];
  for (let x = 0; x < SIZE; x++) for (let y = 0; y < SIZE; y++) all.push({ x, y });
  const open = all.filter(unknown);

  if (!req.radarUsed && !game.radarSent && req.yourShots.length > 12) {
    game.radarSent = true;
    const score = (c) => box(c).filter(unknown).length;
    const center = all.reduce((a, b) => (score(b) > score(a) ? b : a));
    return { type: 'radar', center };
  }
  // Checkerboard first, it finds every ship of two or more cells.
  const dark = open.filter((c) => (c.x + c.y) % 2 === 0);
  return { type: 'shot', ...(pick(dark) || pick(open) || { x: 0, y: 0 }) };
}

app.post('/placement', (req, res) => {
  games[req.body.gameId] = { radarSent: false };
  res.json({ ships: placeFleet() });
});

app.post('/move', (req, res) => {
  const game = games[req.body.gameId] || (games[req.body.gameId] = { radarSent: false });
  res.json(nextMove(req.body, game));
});

const port = Number(process.argv[2]);
app.listen(port, '127.0.0.1', () => console.log(`bot listens on ${port}`));
