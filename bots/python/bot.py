"""Python Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy
it has saved on cross shots.

The engine starts it with  python3 bot.py KEY FOLDER  and asks it for each turn by a line on standard input. Without
BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
"""
import json
import os
import random
import sys

SHIPS = {"Carrier": 5, "Battleship": 4, "Cruiser": 3, "Submarine": 3, "Destroyer": 2}
STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DO_NOTHING = "0,0,0\n"
# The orders that fire: their code, and the cells they hit as seen from their centre.
SINGLE_SHOT = 1, [(0, 0)]
CROSS_SHOT = 6, [(0, 0), *STEPS]


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: bot.py KEY FOLDER")
    key, folder = sys.argv[1], sys.argv[2]
    if not os.environ.get("BROADSIDE_STAY"):
        return take_turn(key, folder)
    for line in sys.stdin:
        take_turn(key, folder)
        print(line, end="", flush=True)  # the same line says that the answer is written


def take_turn(key, folder):
    state = read_state(os.path.join(folder, "state.json"))
    name, text = answer(state, key)
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    if name == "command.txt":
        note(folder, state["MapDimension"], cell_values(state["OpponentMap"]))


def read_state(path):
    """What this player may know, as nested dicts and lists. Ends the program if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"cannot read {path}: {error}")


def note(folder, size, values):
    """Notes for you, which the viewers show beside the match: the value of each cell, by rows from y = 0."""
    numbers = [[values.get((x, y)) for x in range(size)] for y in range(size)]
    with open(os.path.join(folder, "notes.json"), "w", encoding="utf-8") as file:
        json.dump({"text": f"{len(values)} cells are worth a shot", "numbers": numbers}, file)


def answer(state, key):
    """The file to write and its text."""
    dice = make_dice(state["Round"], key)
    if state["Phase"] == 1:
        return "place.txt", place_fleet(state["MapDimension"], dice)
    weapon = CROSS_SHOT if can_cross(state["PlayerMap"]["Owner"]) else SINGLE_SHOT
    return "command.txt", choose_order(weapon, cell_values(state["OpponentMap"]), dice)


def make_dice(round_number, key):
    """Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones."""
    seed = os.environ.get("BROADSIDE_SEED")
    return random.Random(f"{seed} {round_number} {key}" if seed else None)


def place_fleet(size, dice):
    """Tries random places, longest ship first: then there is always room for the next one."""
    if size not in (7, 10, 14):
        raise ValueError("a board of the wrong size")
    taken = set()
    lines = []
    for name, length in SHIPS.items():
        while True:
            direction, (dx, dy) = dice.choice([("east", (1, 0)), ("north", (0, 1))])
            x = dice.randrange(size - dx * (length - 1))
            y = dice.randrange(size - dy * (length - 1))
            cells = {(x + dx * i, y + dy * i) for i in range(length)}
            if taken.isdisjoint(cells):
                break
        taken |= cells
        lines.append(f"{name} {x} {y} {direction}\n")
    return "".join(lines)


def can_cross(me):
    """Whether the ship that carries the cross shot is afloat, and the energy is there."""
    for ship in me["Ships"]:
        for weapon in ship["Weapons"]:
            if weapon["WeaponType"] == "CrossShot":
                return not ship["Destroyed"] and me["Energy"] >= weapon["EnergyRequired"]
    return False


def cell_values(opponent):
    """How much a shot at each cell is worth, as {(x, y): value}; cells not worth a shot are left out."""
    hits = {(cell["X"], cell["Y"]) for cell in opponent["Cells"] if cell["Damaged"]}
    sunk = sum(SHIPS[ship["ShipType"]] for ship in opponent["Ships"] if ship["Destroyed"])
    wounded = len(hits) > sunk  # some hits are on ships that are still afloat
    values = {}
    for cell in opponent["Cells"]:
        x, y = cell["X"], cell["Y"]
        if cell["Damaged"] or cell["Missed"]:
            continue
        if cell["ShieldHit"]:
            values[x, y] = 1  # shielded for now; better than nothing
            continue
        values[x, y] = 3 if (x + y) % 2 == 0 else 2  # every ship has a cell on the black squares of a checkerboard
        for dx, dy in STEPS:
            if wounded and (x + dx, y + dy) in hits:
                in_line = (x + 2 * dx, y + 2 * dy) in hits
                values[x, y] = max(values[x, y], 40 if in_line else 20)
    return values


def choose_order(weapon, values, dice):
    """The weapon on the centre where it is worth most; a random one of those that are equally good."""
    if not values:
        return DO_NOTHING
    code, offsets = weapon
    worth = {(x, y): sum(values.get((x + dx, y + dy), 0) for dx, dy in offsets) for x, y in values}
    best = max(worth.values())
    x, y = dice.choice([centre for centre in worth if worth[centre] == best])
    return f"{code},{x},{y}\n"


if __name__ == "__main__":
    main()
