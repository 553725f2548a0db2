"""A bot that plays Battleship by any rules: a program that the engine starts and asks line by line, or a web service.

    python3 bot.py [PORT]

Every question has the rules and all that the bot knows, so nothing is remembered between questions, and any number of matches can
be played at the same time.
"""
import json
import os
import random
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EDGES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
# The cells beside a ship in which no other may lie.
KEPT_FREE = {"allowed": [], "corners": EDGES, "none": EDGES + CORNERS}


# Placing

def place(question, dice):
    """A fleet at random, largest ships first."""
    rules = question["rules"]
    kinds = [(kind["name"], ways_to_lie(kind, rules["mirror"])) for kind in rules["fleet"] for _ in range(kind["count"])]
    kinds.sort(key=lambda kind: len(kind[1][0]), reverse=True)
    while True:
        ships, closed = [], set()
        for name, ways in kinds:
            cells = free_place(rules["board"], ways, closed, dice)
            if cells is None:
                break  # There may be no room for this ship. Begin anew.
            ships.append({"name": name, "cells": cells})
            closed.update(cells)
            closed.update((x + dx, y + dy) for x, y in cells for dx, dy in KEPT_FREE[rules["touching"]])
        else:
            return {"ships": ships}


def ways_to_lie(kind, mirror):
    """All ways in which a ship can be turned, and mirrored if that is allowed. Each is a list of cells from 0,0 on."""
    rows = kind.get("shape") or ["#" * kind["size"]]
    cells = [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#"]
    ways = []
    for cells in [cells, [(-x, y) for x, y in cells]] if mirror else [cells]:
        for _ in range(4):
            left, top = min(x for x, _ in cells), min(y for _, y in cells)
            way = sorted((x - left, y - top) for x, y in cells)
            if way not in ways:
                ways.append(way)
            cells = [(-y, x) for x, y in cells]
    return ways


def free_place(board, ways, closed, dice):
    """A place at random where all cells are free; None if none was found."""
    for _ in range(1000):
        way = dice.choice(ways)
        right, bottom = max(x for x, _ in way), max(y for _, y in way)
        if right < board["width"] and bottom < board["height"]:
            left, top = dice.randrange(board["width"] - right), dice.randrange(board["height"] - bottom)
            cells = [(left + x, top + y) for x, y in way]
            if closed.isdisjoint(cells):
                return cells
    return None


# Firing

# The value of a cell by its sign on the board: a ship that radar saw, a cell with armour left, and an unknown cell. Of shots with
# an untold result, "?", only armour leaves something. In all others there is nothing left to hit.
SIGNS = {"#": 6, "d": 5, ".": 1}
BESIDE_HIT = 3


def fire(question, dice):
    """The best cells of all boards, or a special action while no ship is known that could be sunk."""
    rules = question["rules"]
    # Every shape of two cells or more covers two cells that are neighbours.
    shortest = min(kind.get("size") or min(2, "".join(kind["shape"]).count("#")) for kind in rules["fleet"])
    signs = {**SIGNS, "?": 0} if any(kind.get("armour", 1) > 1 for kind in rules["fleet"]) else SIGNS
    cells = []
    for board in question["boards"]:
        if board["target"]:
            board_values = values(board, signs, shortest)
            cells += [(value, dice.random(), (x, y, board["seat"])) for (x, y), value in board_values]
    cells.sort(reverse=True)
    best, _, cell = cells[0]
    for special in rules["specials"]:
        # question["specials"] has those that can be taken now.
        if best < BESIDE_HIT and special["kind"] != "sonar" and special["name"] in question["specials"]:
            return {"special": special["name"], "aim": cell}
    targets = [cell for value, _, cell in cells if value >= 0] or [cell]
    return {"shots": targets[:question["shots"]]}


def values(board, sign_values, shortest):
    """The cells of a board with their values."""
    signs = {(x, y): sign for y, row in enumerate(board["rows"]) for x, sign in enumerate(row)}
    wounds = find_wounds(signs, [ship.get("size", 100) for ship in board["sunk"]])
    for (x, y), sign in signs.items():
        value = sign_values.get(sign, -1)
        if sign == ".":
            beside = [(dx, dy) for dx, dy in EDGES if (x + dx, y + dy) in wounds]
            in_line = any((x + 2 * dx, y + 2 * dy) in wounds for dx, dy in beside)
            if beside:
                value = BESIDE_HIT + in_line
            elif (x + y) % shortest == 0:
                value = 2  # No ship can evade all cells of this lattice.
        yield (x, y), value


def find_wounds(signs, sunk_sizes):
    """The cells that were hit of ships afloat: those that are not joined to a cell of a sunk ship, of which all may not be told."""
    hits = {cell for cell, sign in signs.items() if sign in "xd"}
    sunk = [cell for cell, sign in signs.items() if sign == "s"]
    most_of_sunk = sum(sunk_sizes) - len(sunk)
    wounds = set(hits)
    while sunk:
        x, y = sunk.pop()
        joined = {(x + dx, y + dy) for dx, dy in EDGES} & wounds
        sunk += joined
        wounds -= joined
    # More hits than the sunk ships have cells: ships touch, and some of those hits are of another one.
    return wounds or (hits if len(hits) > most_of_sunk else set())


# The program and the web service

def answer(question):
    # Random numbers: the same in every match of this name if BROADSIDE_SEED is set, else always new ones.
    seed = os.environ.get("BROADSIDE_SEED")
    dice = random.Random(f"{seed} {question['match']} {question['seat']} {question['turn']}" if seed else None)
    return place(question, dice) if question["act"] == "place" else fire(question, dice)


def answer_lines():
    """Answers a question a line: that is how the engine asks a bot in a folder."""
    for line in sys.stdin:
        if not line.startswith("{"):
            sys.exit("Error: this is another game; play Battleship by --rules classic, or by --rules and a file")
        # Nothing else may be written to standard output; print what you want to know to sys.stderr.
        print(json.dumps(answer(json.loads(line))), flush=True)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # Connections are kept.
    wbufsize = -1  # Head and body leave together; apart, the second waits for a receipt of the first.
    timeout = 120

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            question = json.loads(body)
        except ValueError as error:
            self.respond(400, {"error": f"the question is not JSON: {error}"})
            return
        try:
            result = answer(question)
        except Exception as error:  # An error in the code above: its place is shown here, and the server goes on.
            traceback.print_exc()
            self.respond(500, {"error": f"{type(error).__name__}: {error}"})
            return
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
