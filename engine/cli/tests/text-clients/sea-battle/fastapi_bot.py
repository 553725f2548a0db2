import random
import sys
from typing import List, Optional

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel


class Cell(BaseModel):
    x: int
    y: int


class Ship(BaseModel):
    type: str
    cells: List[Cell]


class PlacementRequest(BaseModel):
    gameId: str
    boardSize: int


class PlacementResponse(BaseModel):
    ships: List[Ship]


class ShotResult(Cell):
    result: str


class Radar(BaseModel):
    center: Cell
    visibleCells: List[Cell]


class MoveRequest(BaseModel):
    gameId: str
    turn: int
    yourShots: List[ShotResult]
    opponentShots: List[ShotResult]
    radarUsed: bool
    radarHistory: List[Radar]


class MoveResponse(BaseModel):
    type: str
    x: Optional[int] = None
    y: Optional[int] = None
    center: Optional[Cell] = None


app = FastAPI()
LENGTHS = {"fourdeck": 4, "battleship": 3, "threeship": 3, "submarine": 2, "twoship": 2, "oneship": 1}
FLEET = ["fourdeck", "battleship", "threeship", "submarine"] + ["twoship"] * 2 + ["oneship"] * 4
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1)]


@app.post("/placement", response_model=PlacementResponse)
async def placement(req: PlacementRequest):
    fleet = None
    while fleet is None:
        fleet = try_fleet(req.boardSize)
    return PlacementResponse(ships=fleet)


def try_fleet(size):
    free = {(x, y) for x in range(size) for y in range(size)}
    fleet = []
    for kind in FLEET:
        n = LENGTHS[kind]
        spots = []
        for x, y in free:
            for dx, dy in ((1, 0), (0, 1)):
                cells = [(x + dx * i, y + dy * i) for i in range(n)]
                if free.issuperset(cells):
                    spots.append(cells)
        if not spots:
            return None
        cells = random.choice(spots)
        fleet.append(Ship(type=kind, cells=[Cell(x=x, y=y) for x, y in cells]))
        for x, y in cells:
            free -= {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
    return fleet


@app.post("/move", response_model=MoveResponse, response_model_exclude_none=True)
async def move(req: MoveRequest):
    grid = {}  # (x, y) -> "miss", "hit" or "sunk"
    for s in req.yourShots:
        c = (s.x, s.y)
        # a later miss on a cell that was hit before changes nothing
        if grid.get(c, "miss") == "miss" or s.result == "sunk":
            grid[c] = s.result
    shots = [(s.x, s.y) for s in req.yourShots]

    # spread "sunk" over the whole ship, then mark the water around it
    todo = [c for c in grid if grid[c] == "sunk"]
    while todo:
        x, y = todo.pop()
        for dx, dy in SIDES:
            n = (x + dx, y + dy)
            if grid.get(n) == "hit":
                grid[n] = "sunk"
                todo.append(n)
    wet = {(x + i, y + j) for (x, y), r in grid.items() if r == "sunk"
           for i in (-1, 0, 1) for j in (-1, 0, 1)}
    # ships are straight and do not touch: corners of a hit are water too
    wet |= {(x + i, y + j) for (x, y), r in grid.items() if r == "hit"
            for i in (-1, 1) for j in (-1, 1)}
    open_cells = [(x, y) for x in range(10) for y in range(10)
                  if (x, y) not in grid and (x, y) not in wet]

    wounded = [c for c in grid if grid[c] == "hit"]
    for x, y in wounded:
        for dx, dy in SIDES:
            if (x + dx, y + dy) in open_cells:
                return MoveResponse(type="shot", x=x + dx, y=y + dy)
    if wounded:
        # nothing left around a wounded ship: it is the battleship, fire again
        x, y = min(wounded, key=lambda c: (shots.count(c), random.random()))
        return MoveResponse(type="shot", x=x, y=y)

    for r in req.radarHistory:
        for c in r.visibleCells:
            if (c.x, c.y) in open_cells:
                return MoveResponse(type="shot", x=c.x, y=c.y)
    if not req.radarUsed and req.turn > 10:
        return MoveResponse(type="radar", center=best_center(open_cells))
    x, y = random.choice(open_cells) if open_cells else (0, 0)
    return MoveResponse(type="shot", x=x, y=y)


def best_center(open_cells):
    def unknown(c):
        return sum(abs(c[0] - x) <= 1 and abs(c[1] - y) <= 1 for x, y in open_cells)
    x, y = max(((x, y) for x in range(10) for y in range(10)), key=unknown)
    return Cell(x=x, y=y)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]))
