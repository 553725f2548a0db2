"""Bots of teams: samples in all languages of the machine, variations that differ in strength, and broken and hostile ones."""
import dataclasses
import io
import json
import pathlib
import random
import subprocess
import zipfile
from collections.abc import Callable

from . import hostile

# A bot that places its fleet at random, and fires as STRATEGY says in all turns but a share of IDLE.
PLAIN = '''
import json, os, random, sys
STRATEGY, IDLE = "@strategy@", @idle@
SHIPS = {"Carrier": 5, "Battleship": 4, "Cruiser": 3, "Submarine": 3, "Destroyer": 2}

def place(size):
    taken, lines = set(), []
    for name, length in SHIPS.items():
        while True:
            dx, dy = random.choice([(1, 0), (0, 1)])
            x, y = random.randrange(size - dx * (length - 1)), random.randrange(size - dy * (length - 1))
            cells = {(x + dx * i, y + dy * i) for i in range(length)}
            if not cells & taken:
                break
        taken |= cells
        lines.append(f"{name} {x} {y} {'east' if dx else 'north'}")
    return "\\n".join(lines) + "\\n"

def fire(state):
    cells = state["OpponentMap"]["Cells"]
    open_cells = [(c["X"], c["Y"]) for c in cells if not c["Damaged"] and not c["Missed"]]
    hits = {(c["X"], c["Y"]) for c in cells if c["Damaged"]}
    if not open_cells or random.random() < IDLE:
        return "0,0,0\\n"
    beside = [(x, y) for x, y in open_cells if {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & hits]
    black = [(x, y) for x, y in open_cells if (x + y) % 2 == 0]
    if STRATEGY == "rows":
        x, y = min(open_cells, key=lambda c: (c[1], c[0]))
    elif STRATEGY == "hunt" and beside:
        x, y = random.choice(beside)
    elif STRATEGY in ("hunt", "checkerboard"):
        x, y = random.choice(black or open_cells)
    else:
        x, y = random.choice(open_cells)
    return f"1,{x},{y}\\n"

def turn(folder):
    with open(os.path.join(folder, "state.json")) as file:
        state = json.load(file)
    name, text = ("place.txt", place(state["MapDimension"])) if state["Phase"] == 1 else ("command.txt", fire(state))
    @turn@
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)

folder = sys.argv[2]
@begin@
if os.environ.get("BROADSIDE_STAY"):
    for line in sys.stdin:
        turn(folder)
        print(line, end="", flush=True)
else:
    turn(folder)
'''
# Fires row by row.
SHELL = r'''#!/bin/sh
case $2 in
*"Phase 1"*)
    printf '%s\n' 'Carrier 0 0 east' 'Battleship 0 1 east' 'Cruiser 0 2 east' 'Submarine 0 3 east' 'Destroyer 0 4 east' >"$2/place.txt" ;;
*)
    round=${2##*Round } && round=${round%%/*}
    echo "1,$((round % @size@)),$((round / @size@ % @size@))" >"$2/command.txt" ;;
esac
'''


@dataclasses.dataclass
class Bot:
    """A bot of a team."""

    name: str
    # honest: has to be accepted; broken: has to be rejected; hostile: may be either, and must reach nothing.
    kind: str
    # The archive of a version with this number.
    make: Callable[[int], bytes]
    language: str = ""
    # True if its builds or trial games are long.
    is_slow: bool = False


def manifest(language: str, run: str, **more) -> str:
    """A bot.json."""
    return json.dumps({"Author": "Endurance", "Email": "", "NickName": "N", "BotType": language, "ProjectLocation": "",
                       "RunFile": run, "RunArgs": "", **more})


def packed(files: dict, number: int = 0) -> bytes:
    """A zip with these files, and one that makes it another version."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, "VERSION.txt": f"{number}\n"}.items():
            archive.writestr(name, content)
    return memory.getvalue()


def plain(strategy="hunt", idle=0.0, begin="", turn="pass", stay=True) -> dict:
    """A bot in Python, with code of its own at its begin and in each turn."""
    code = PLAIN
    for key, value in (("strategy", strategy), ("idle", idle), ("begin", begin), ("turn", turn.replace("\n", "\n    "))):
        code = code.replace(f"@{key}@", str(value))
    return {"bot.json": manifest("Python3", "bot.py", Stay=stay), "bot.py": code}


def bulky() -> dict:
    """A bot that takes long to unpack."""
    return plain("hunt", 0.15) | {f"data/{number}": b"x" * 4000 for number in range(4500)}


def shell(size: int = 7) -> dict:
    """A bot of the shell."""
    return {"bot.json": manifest("Executable", "bot.sh"), "bot.sh": SHELL.replace("@size@", str(size))}


def built(recipe: str) -> dict:
    """A bot of the shell, as one that a Makefile makes in this way."""
    lines = "".join(f"\t{line}\n" for line in [*recipe.splitlines(), "cp source.sh bot", "chmod +x bot"])
    return {"bot.json": manifest("C", "bot"), "source.sh": SHELL.replace("@size@", "7"), "Makefile": "all: bot\nbot: source.sh\n" + lines}


def idle_c(starter: dict, share: int) -> dict:
    """The starter in C, which does nothing in so many of a hundred turns."""
    order = 'fprintf(out, "%d,%d,%d\\n", best_code'
    code = starter["bot.c"].decode()
    if order not in code:
        raise SystemExit("the starter in C has changed: `idle_c` does not find where it writes its order")
    return {**starter, "bot.c": code.replace(order, f"if (rand() % 100 < {share}) best_code = DO_NOTHING;\n    {order}")}


def starters(program: pathlib.Path, scratch: pathlib.Path) -> dict:
    """The files of a new bot in each language that this machine has, by language."""
    told = subprocess.run([program, "languages"], capture_output=True, text=True).stdout
    rows = [line.split(maxsplit=2) for line in told.splitlines()[1:]]
    found = {}
    for name in sorted(row[0] for row in rows if len(row) == 3 and row[1] == "yes" and "not found" not in row[2]):
        folder = scratch / name
        subprocess.run([program, "new", "--quiet", name, folder, "--name", name], check=True, capture_output=True)
        found[name] = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return found


def all_bots(count: int, languages: dict, draw: random.Random, victim: hostile.Victim) -> list:
    """So many bots, two fifths of them not honest."""
    bad = hostile.all_bots(victim)
    draw.shuffle(bad)
    wanted = count * 2 // 5
    bad = [bad[number % len(bad)] for number in range(wanted)]
    honest = [(name, name, files) for name, files in languages.items()]
    honest += [(strategy, "python", plain(strategy)) for strategy in ("hunt", "checkerboard", "random", "rows")]
    honest += [("shell", "executable", shell()), ("bulky", "python", bulky()), ("makefile", "c", built("sleep 2"))]
    honest += [(f"hunt-idle-{share}", "python", plain("hunt", share / 100, stay=share % 20 > 0)) for share in (10, 20, 30, 50, 70)]
    if "c" in languages:
        honest += [(f"c-idle-{share}", "c", idle_c(languages["c"], share)) for share in (10, 20, 40, 60)]
    honest += [(f"rows-idle-{share}", "python", plain("rows", share / 100)) for share in (20, 40)]
    draw.shuffle(honest)
    teams = []
    for number in range(count - len(bad)):
        name, language, files = honest[number % len(honest)]
        teams.append(Bot(f"{name}-{number}", "honest", lambda version, files=files: packed(files, version), language))
    for number, bot in enumerate(bad):
        teams.append(dataclasses.replace(bot, name=f"{bot.name}-{number}"))
    return teams
