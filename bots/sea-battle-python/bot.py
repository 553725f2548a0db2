"""A bot that plays Sea Battle: a web service, or a program that the engine starts and asks line by line.

    python3 bot.py [PORT]

Every request has all that happened so far, so nothing is remembered between requests, and any number of matches can be
played at the same time.
"""
import json
import os
import random
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SIZE = 10
CELLS = [(x, y) for y in range(SIZE) for x in range(SIZE)]
FLEET = [("fourdeck", 4), ("battleship", 3), ("threeship", 3), ("submarine", 2), ("twoship", 2), ("twoship", 2),
         ("oneship", 1), ("oneship", 1), ("oneship", 1), ("oneship", 1)]
# After so many shots radar is used, as soon as no ship is known of that is not sunk.
SHOTS_BEFORE_RADAR = 4


# Placing

def place_fleet(dice):
    """A fleet at random, of which no two ships touch."""
    while True:
        ships, taken = [], set()
        for kind, length in FLEET:
            free = [cells for cells in places(length) if taken.isdisjoint(cells)]
            if not free:
                break  # Rarely there is no room for the last ships. Begin anew.
            cells = dice.choice(free)
            ships.append({"type": kind, "cells": [as_json(cell) for cell in cells]})
            taken |= around(cells)
        else:
            return {"ships": ships}


def places(length):
    """All places where a ship of this length can lie, each as a list of cells."""
    across = [[(x + i, y) for i in range(length)] for x, y in CELLS if x + length <= SIZE]
    down = [[(x, y + i) for i in range(length)] for x, y in CELLS if y + length <= SIZE]
    return across if length == 1 else across + down


def around(cells):
    """These cells and all that touch them, on the board or not."""
    return {(x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


# Moving

class Chart:
    """What is known of the opponent's board."""

    def __init__(self, request):
        self.hits = {}  # How often each cell was hit.
        self.water = set()  # Cells in which no ship can be.
        self.sunk = set()
        self.afloat = [length for _, length in FLEET]
        for shot in request["yourShots"]:
            self.add(as_cell(shot), shot["result"])
        # Radar sees all ships but the submarine.
        self.seen, self.dark = set(), set()
        for look in request["radarHistory"]:
            visible = {as_cell(cell) for cell in look["visibleCells"]}
            self.seen |= visible
            self.dark |= around([as_cell(look["center"])]) - visible

    def add(self, cell, result):
        if result == "miss":
            # A second shot at a cell without armour is a miss, too, but there was a ship.
            if cell not in self.hits:
                self.water.add(cell)
            return
        self.hits[cell] = self.hits.get(cell, 0) + 1
        if result == "sunk":
            ship = self.wounds(cell)
            self.sunk |= ship
            self.water |= around(ship) - ship
            if len(ship) in self.afloat:
                self.afloat.remove(len(ship))

    def wounds(self, cell):
        """All cells that were hit of the ship in this cell."""
        ship, new = set(), {cell}
        while new:
            ship |= new
            new = {near for near in around(new) if near in self.hits} - ship
        return ship

    def is_open(self, cell):
        """Whether a shot there may hit something, as far as is known."""
        return cell in CELLS and cell not in self.hits and cell not in self.water


def choose_move(request, dice):
    """A shot or radar."""
    chart = Chart(request)
    wounded = sorted(set(chart.hits) - chart.sunk)
    if wounded:
        targets = follow_up(chart, chart.wounds(wounded[0]))
    else:
        targets = [cell for cell in chart.seen if chart.is_open(cell)]
        if not targets and not request["radarUsed"] and len(request["yourShots"]) >= SHOTS_BEFORE_RADAR:
            return {"type": "radar", "center": as_json(choose_centre(chart, dice))}
    targets = targets or hunt(chart) or [cell for cell in CELLS if cell not in chart.hits] or CELLS
    return {"type": "shot", **as_json(dice.choice(sorted(targets)))}


def follow_up(chart, ship):
    """The cells that may finish a ship of which these cells were hit."""
    xs, ys = {x for x, _ in ship}, {y for _, y in ship}
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    ends = []
    if len(ys) == 1:
        ends += [(left - 1, top), (right + 1, top)]
    if len(xs) == 1:
        ends += [(left, top - 1), (left, bottom + 1)]
    ends = [cell for cell in ends if chart.is_open(cell)]
    seen = [cell for cell in ends if cell in chart.seen]
    likely = [cell for cell in ends if cell not in chart.dark]
    if len(ship) >= max(chart.afloat, default=1):
        likely = []
    # Three hits, and it is longer nowhere: that is the battleship, whose armour takes a second hit in each cell.
    armour = [cell for cell in ship if len(ship) == 3 and chart.hits[cell] == 1]
    return seen or likely or armour or ends


def choose_centre(chart, dice):
    """The cell around which most is unknown."""
    unknown = {cell: sum(chart.is_open(near) for near in around([cell])) for cell in CELLS}
    return dice.choice([cell for cell in CELLS if unknown[cell] == max(unknown.values())])


def hunt(chart):
    """The best cells of a checkerboard, which no ship but the smallest can evade."""
    ways = dict.fromkeys(CELLS, 0)
    for length in chart.afloat:
        for place in places(length):
            if all(chart.is_open(cell) and cell not in chart.dark for cell in place):
                for cell in place:
                    ways[cell] += 1
    if max(chart.afloat, default=1) > 1:
        checkerboard = {cell: ways[cell] for cell in CELLS if sum(cell) % 2 == 0}
        ways = checkerboard if any(checkerboard.values()) else ways
    most = max(ways.values())
    return [cell for cell in ways if ways[cell] == most > 0] or [cell for cell in CELLS if chart.is_open(cell)]


# The web service

def as_cell(value):
    return value["x"], value["y"]


def as_json(cell):
    return {"x": cell[0], "y": cell[1]}


def answer(path, request):
    """What to answer to a request; None if there is nothing at this path."""
    # Random numbers: the same in every match of this name if BROADSIDE_SEED is set, else always new ones.
    seed = os.environ.get("BROADSIDE_SEED")
    dice = random.Random(f"{seed} {request['gameId']} {request.get('turn', 0)}" if seed else None)
    if path.endswith("/placement"):
        return place_fleet(dice)
    if path.endswith("/move"):
        return choose_move(request, dice)
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # Connections are kept.
    wbufsize = -1  # Head and body leave together; apart, the second waits for a receipt of the first.
    timeout = 120

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]  # What follows it may be a secret of yours.
        try:
            request = json.loads(body)
        except ValueError as error:
            self.respond(400, {"error": f"the request is not JSON: {error}"})
            return
        try:
            result = answer(path, request)
        except Exception as error:  # An error in the code above: its place is shown here, and the server goes on.
            traceback.print_exc()
            self.respond(500, {"error": f"{type(error).__name__}: {error}"})
            return
        if result is None:
            self.respond(404, {"error": f"there is nothing at {path}"})
        else:
            self.respond(200, result)

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, *_):
        pass  # A line for every request is a lot. Print what you want to know.


def answer_lines():
    """Answers a request a line, without a server: that is how the engine asks a bot in a folder."""
    for line in sys.stdin:
        request = json.loads(line)
        path = "/move" if "turn" in request else "/placement"
        # Nothing else may be written to standard output; print what you want to know to sys.stderr.
        print(json.dumps(answer(path, request)), flush=True)


def main():
    if "BROADSIDE_STAY" in os.environ:
        return answer_lines()
    port = int(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PORT", 4000))
    # Only this machine can call it; "0.0.0.0" would let others do so.
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
