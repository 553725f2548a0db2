"""Random Python: places its fleet at random and fires at random cells it has not shot at yet.

The engine starts it anew in every round:  python3 bot.py KEY FOLDER
"""
import json
import os
import random
import sys

SHIPS = {"Carrier": 5, "Battleship": 4, "Cruiser": 3, "Submarine": 3, "Destroyer": 2}
DIRECTIONS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
DO_NOTHING, SINGLE_SHOT = 0, 1


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: bot.py KEY FOLDER")
    key, folder = sys.argv[1], sys.argv[2]
    state = read_state(os.path.join(folder, "state.json"))
    dice = make_dice(state["Round"], key)
    if state["Phase"] == 1:
        write(os.path.join(folder, "place.txt"), place_fleet(state["MapDimension"], dice))
    else:
        write(os.path.join(folder, "command.txt"), choose_shot(state["OpponentMap"], dice))


def read_state(path):
    """What this player may know, as nested dicts and lists. Ends the program if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"cannot read {path}: {error}")


def make_dice(round_number, key):
    """Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones."""
    seed = os.environ.get("BROADSIDE_SEED")
    return random.Random(f"{seed} {round_number} {key}" if seed else None)


def place_fleet(size, dice):
    """Five lines "Ship x y direction". Longest first: then there is always room for the next ship."""
    taken = set()
    lines = []
    for name, length in SHIPS.items():
        options = []
        for x in range(size):
            for y in range(size):
                for direction, (dx, dy) in DIRECTIONS.items():
                    cells = [(x + dx * i, y + dy * i) for i in range(length)]
                    on_board = all(0 <= cx < size and 0 <= cy < size for cx, cy in cells)
                    if on_board and taken.isdisjoint(cells):
                        options.append((f"{name} {x} {y} {direction}", cells))
        line, cells = dice.choice(options)
        lines.append(line)
        taken.update(cells)
    return "\n".join(lines) + "\n"


def choose_shot(opponent, dice):
    """One line "code,x,y". A single shot costs 1 energy, less than a round brings in."""
    fresh = [cell for cell in opponent["Cells"]
             if not (cell["Damaged"] or cell["Missed"] or cell["ShieldHit"])]
    if not fresh:
        return f"{DO_NOTHING},0,0\n"
    target = dice.choice(fresh)
    return f"{SINGLE_SHOT},{target['X']},{target['Y']}\n"


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


if __name__ == "__main__":
    main()
