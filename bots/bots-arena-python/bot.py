"""A bot that plays botsArena's Battleship: a web service, asked with forms of both encodings or with JSON, or a program that
the engine starts and asks line by line.

    python3 bot.py [PORT]

Every request has all that happened so far, so nothing is remembered between requests, and any number of matches can be
played at the same time.
"""
import json
import os
import random
import sys
import traceback
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

# What it is called: as its folder is.
NAME = os.path.basename(os.path.dirname(os.path.abspath(__file__)))
# How much likelier a place of a ship is with each cell of it that was hit.
EVIDENCE = 30


class Match:
    """What the arena tells of a match. `board` has it by the names of the form's parameters."""

    def __init__(self, board):
        self.width, self.height = int(board["width"]), int(board["height"])
        # The lengths of all ships, longest first.
        self.lengths = [length for length in range(6, 0, -1) for _ in range(int(board[f"ship{length}"]))]
        strikes = board.get("your_strikes", [])
        self.strikes = json.loads(strikes) if isinstance(strikes, str) else strikes
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]

    def places(self, length):
        """All places where a ship of this length can lie, each as a list of cells."""
        for x, y in self.cells:
            if x + length <= self.width:
                yield [(x + i, y) for i in range(length)]
            if length > 1 and y + length <= self.height:
                yield [(x, y + i) for i in range(length)]


def place_ships(match, dice):
    """The ends of all ships. Ships may touch, so they nearly always find room."""
    places = {length: list(match.places(length)) for length in set(match.lengths)}
    while True:
        ships, taken = [], set()
        for length in match.lengths:
            free = [cells for cells in places[length] if taken.isdisjoint(cells)]
            if not free:
                break  # Begin anew.
            cells = dice.choice(free)
            ships.append(f"{as_text(cells[0])}-{as_text(cells[-1])}")
            taken.update(cells)
        else:
            return ships


def choose_target(match, dice):
    """The cell in which most ways to place the ships afloat agree."""
    struck, wounds, afloat = read_strikes(match)
    if not match.cells or len(struck) == len(match.cells):
        return 0, 0
    closed = struck - wounds
    values = dict.fromkeys((cell for cell in match.cells if cell not in struck), 0)
    for length in set(afloat):
        for place in match.places(length):
            hits = sum(cell in wounds for cell in place)
            # A ship is not there if a strike missed it, nor if all of it was hit: then it would be sunk.
            if hits == length or not closed.isdisjoint(place):
                continue
            for cell in place:
                if cell in values:
                    values[cell] += afloat.count(length) * EVIDENCE ** hits
    if not wounds:
        values = on_lattice(values, min(afloat, default=1))
    most = max(values.values())
    return dice.choice([cell for cell, value in values.items() if value == most])


def on_lattice(values, shortest):
    """Only every second, third … cell along each row and column: no ship afloat is so short that it evades them all."""
    lattice = {cell: value for cell, value in values.items() if sum(cell) % shortest == 0}
    return lattice if any(lattice.values()) else values


def read_strikes(match):
    """The cells that were struck, those among them that belong to ships afloat, and the lengths of these ships."""
    struck, wounds, afloat = set(), set(), list(match.lengths)
    for strike in match.strikes:
        x, y = (int(number) for number in strike["target"].split(","))
        struck.add((x, y))
        if strike["result"]:
            wounds.add((x, y))
        if strike["result"] == "hit and sunk":
            ship = sunk_ship((x, y), wounds, afloat)
            wounds -= set(ship)
            if len(ship) in afloat:
                afloat.remove(len(ship))
    return struck, wounds, afloat


def sunk_ship(last, wounds, afloat):
    """The cells of a ship of which this one was hit last: a line of wounds. Ships may touch, so this is a guess."""
    lines = [line(last, wounds, step) for step in ((1, 0), (0, 1))]
    ships = [cells for cells in lines if len(cells) in afloat]
    return max(ships, key=len) if ships else min(lines, key=len)


def line(cell, wounds, step):
    """All wounds in a line through this cell, without a gap."""
    cells = [cell]
    for sign in (1, -1):
        x, y = cell[0] + sign * step[0], cell[1] + sign * step[1]
        while (x, y) in wounds:
            cells.append((x, y))
            x, y = x + sign * step[0], y + sign * step[1]
    return cells


def as_text(cell):
    return f"{cell[0]},{cell[1]}"


# The web service

def read_form(content_type, body):
    """The parameters of a form, in either encoding."""
    if content_type.lower().startswith("multipart/form-data"):
        # The parts of such a body are those of an e-mail with this header.
        mail = BytesParser().parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body)
        parts = mail.get_payload() if mail.is_multipart() else []
        return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True).decode()
                for part in parts}
    return {name: values[0] for name, values in parse_qs(body.decode()).items()}


def make_dice(match_id, match):
    """Random numbers: the same in every match of this name if BROADSIDE_SEED is set, else always new ones."""
    seed = os.environ.get("BROADSIDE_SEED")
    return random.Random(f"{seed} {match_id} {len(match.strikes)}" if seed else None)


def read_request(content_type, body):
    """The function that answers a request, and the request."""
    if body.lstrip().startswith(b"{"):
        return answer_json, json.loads(body)
    return answer_form, read_form(content_type, body)


def answer_form(form):
    """The text of the answer to a form."""
    match = Match(form)
    dice = make_dice(form["match_id"], match)
    return json.dumps(place_ships(match, dice)) if form["act"] == "init" else as_text(choose_target(match, dice))


def answer_json(request):
    """The text of the answer to JSON."""
    match = Match(request["board"])
    dice = make_dice(f"{request['game-id']}-{request['player-index']}", match)
    if request["action"] == "init":
        return json.dumps({"name": NAME, "boats": place_ships(match, dice)})
    return json.dumps({"play": as_text(choose_target(match, dice))})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # Connections are kept.
    wbufsize = -1  # Head and body leave together; apart, the second waits for a receipt of the first.
    timeout = 120

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            answer, request = read_request(self.headers.get("Content-Type", ""), body)
        except (ValueError, TypeError, AttributeError) as error:
            self.respond(400, f"the request cannot be read: {error}\n")
            return
        try:
            text = answer(request)
        except Exception as error:  # An error in the code above: its place is shown here, and the server goes on.
            traceback.print_exc()
            self.respond(500, f"{type(error).__name__}: {error}\n")
            return
        self.respond(200, text)

    def respond(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if text.startswith(("{", "[")) else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, *_):
        pass  # A line for every request is a lot. Print what you want to know.


def answer_lines():
    """Answers a request in JSON a line, without a server: that is how the engine asks a bot in a folder."""
    for line in sys.stdin:
        # Nothing else may be written to standard output; print what you want to know to sys.stderr.
        print(answer_json(json.loads(line)), flush=True)


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
