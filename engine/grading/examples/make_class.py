"""Makes a class of bots for `broadside grade` from the samples in bots/, with what is expected of each, and checks the marks.

    python3 engine/grading/examples/make_class.py class
    broadside grade class/submissions --plan class/plan.toml
    python3 engine/grading/examples/make_class.py class --check

Of 200 students 60 have variations of the samples, 40 have bots that are broken in ten ways, 20 have a bot or its copy with renamed
variables, and the others handed in the starters of `broadside new`, nearly all unchanged. The same seed makes the same class.
"""

import argparse
import csv
import io
import itertools
import json
import random
import re
import shutil
import stat
import sys
import zipfile
from pathlib import Path

BOTS = Path(__file__).resolve().parents[3] / "bots"
LANGUAGES = ["python", "javascript", "python", "cpp", "javascript", "python", "cpp", "rust"]
CODE = {"python": "bot.py", "javascript": "bot.js", "cpp": "bot.cpp", "rust": "src/main.rs"}
FIRST = ["Zoë", "José", "Anne-Marie", "Łukasz", "Nguyễn Văn", "Jürgen", "Mary Jane", "Øyvind", "Sean", "Amélie", "İbrahim", "Bob",
         "伟", "さくら", "Мария", "Ana", "Günther"]
LAST = ["Müller", "O'Neill", "Strauß", "Smith", "García López", "李", "山田", "Ångström", "van der Berg", "Иванова", "Kowalska", "Doe",
        "Nguyễn"]
PLAN = """\
title = "Battleship, a class of {size}"
rules = "classic"
seed = {seed}
games = {{ at-least = {least}, at-most = {games} }}
limits = {{ memory = 256, build-time = 120 }}

[[baseline]]
name = "random"
bot = "builtin:random"

[[baseline]]
name = "target"
bot = "builtin:hunt-and-target"

[[baseline]]
name = "hunter"
bot = "builtin:hunter"
hidden = true

[[criterion]]
name = "No lost turns"
points = 10
lost-turns = 0

[[criterion]]
name = "Beats random"
points = 10
against = "random"
score = 0.7

[[criterion]]
name = "Beats the target"
points = 10
against = "target"
score = 0.4

[[criterion]]
name = "Few shots"
points = 5
against = "target"
shots = 70

[[criterion]]
name = "Final"
points = 5
against = "hunter"
score = 0.2
"""

# Variations. The samples have the same expressions in all languages, which are replaced by others.

LATTICES = ["(x + y) % 3", "(x + 2 * y) % 5", "(3 * x + y) % 4", "x % 2", "y % 3", "(2 * x + y) % 3", "(x + 3 * y) % 5"]
IN_LINE = ["BESIDE_HIT + ", "BESIDE_HIT + 0 * ", "2 - "]
HALVES = [(), ("width",), ("height",), ("width", "height")]


def varied(code, lattice, in_line, halves):
    """The code with another lattice, another value of cells in line with hits, and a fleet in a half of the board."""
    code = code.replace("(x + y) % shortest", lattice).replace("BESIDE_HIT + ", in_line)
    for side in halves:
        code = re.sub(rf'((?:board\[")?{side}(?:"\])?) - (right|bottom)\b', r"(\1 - \2 + 1 >> 1)", code)
    return code


RENAMED = dict(wounds="damaged", find_wounds="search_damage", findWounds="searchDamage", ways_to_lie="rotations", dice="chance",
               waysToLie="rotations", free_place="spot", freePlace="spot", kept_free="margin", closed="blocked", beside="near_hits",
               attempt="nth", shortest="smallest", hits="struck", is_wound="is_damage", isWound="isDamage", best="top_value")


def copied(code, language):
    """The code with other names of variables, and all whole-line comments at its end."""
    code = re.sub(r"\b\w+\b", lambda word: RENAMED.get(word[0], word[0]), code)
    sign = "#" if language == "python" else "//"
    is_comment = re.compile(r"\s*(#|///?!?|/\*\*)\s" if language != "python" else r"\s*#\s").match
    lines = code.splitlines()
    comments = [f"{sign} {line.strip(' #/!*')}" for line in lines if is_comment(line)]
    return "\n".join([line for line in lines if not is_comment(line)] + comments) + "\n"


# Bots. Each is a dict of texts by the names of files.

def sample(language, name):
    """The starter of a language."""
    folder = BOTS / f"battleship-{language}"
    files = {path.relative_to(folder).as_posix(): path.read_text("utf-8")
             for path in sorted(folder.rglob("*")) if path.is_file() and "target" not in path.parts and path.name != "bot"}
    manifest = json.loads(files["bot.json"]) | {"Author": name, "NickName": f"{name}'s bot"}
    return files | {"bot.json": json.dumps(manifest, indent=4, ensure_ascii=False) + "\n"}


def with_code(files, language, change):
    return files | {CODE[language]: change(files[CODE[language]])}


def answering(body):
    """A program that does this with each line."""
    return lambda name, _: sample("python", name) | {"bot.py": f"import os, sys, time\nfor line in sys.stdin:\n    {body}\n"}


def with_manifest(**changes):
    def make(name, _):
        files = sample("python", name)
        return files | {"bot.json": json.dumps(json.loads(files["bot.json"]) | changes)}
    return make


def zipped(files, links=()):
    bytes_ = io.BytesIO()
    with zipfile.ZipFile(bytes_, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.create_system, mode = 3, stat.S_IFLNK | 0o777 if name in links else stat.S_IFREG | 0o644
            info.external_attr = mode << 16
            archive.writestr(info, text, zipfile.ZIP_DEFLATED)
    return bytes_.getvalue()


def broken_archive(name, at):
    """An archive that leads out of its folder, is cut off, is of another kind, or has a link to a file of the machine."""
    files = sample("python", name)
    return [zipped(files | {"../../escaped.txt": "out"}), zipped(files)[:-400], b"7z\xbc\xaf\x27\x1c\0\4" + bytes(100),
            zipped(files | {"passwd": "/etc/passwd"}, ["passwd"])][at % 4]


def without(file):
    return lambda name, at: {key: text for key, text in sample(LANGUAGES[at % 3], name).items() if key != file}


def misspelt(languages, end):
    def make(name, at):
        language = languages[at % len(languages)]
        return with_code(sample(language, name), language, lambda code: code + end)
    return make


CRASHES = ["raise ValueError('no idea')", "os._exit(3)", "os.abort()", "ships = bytearray(1 << 40)"]
# Each way to break a bot: its name, the step in which it fails, a pattern of the reason, and what makes it of a name and a number.
BROKEN = [
    ("no bot.json", "build|unpacking", "bot.json", without("bot.json")),
    ("bot.json is not JSON", "build", "bot.json", lambda name, _: sample("python", name) | {"bot.json": '{"Author": '}),
    ("syntax error, compiled", "build", "make|cargo|exit", misspelt(["cpp", "rust"], "\nint ) oops\n")),
    ("syntax error, Python", "build|trial", "lost .* of .* turns|exit", misspelt(["python"], "\ndef oops(:\n")),
    ("crash", "trial", "exit|ended|signal|abort|killed", lambda name, at: answering(CRASHES[at % 4])(name, at)),
    ("endless loop", "trial", "time|no answer| s ", answering("while True: pass")),
    ("nonsense", "trial", "lost .* of .* turns", answering("print('B4, please', flush=True)")),
    ("wrong RunFile", "build", "RunFile|no_such", with_manifest(RunFile="no_such.py")),
    ("silent", "trial", "time|no answer| s ", answering("sys.stdout.write('{}')")),
    ("archive", "unpacking", "outside|damaged|archive|zip|link|\\.\\.", broken_archive),
]


# The class

def students(size, seed):
    """The names of all, each with a bot (a dict of files, or the bytes of an archive) and what is expected."""
    dice = random.Random(seed)
    names = [f"{first} {last}" for first in FIRST for last in LAST][:max(size, 200)]
    dice.shuffle(names)
    names = iter(names)
    share = lambda of_200: max(1, of_200 * size // 200)
    variations = list(itertools.product(LATTICES[:5], IN_LINE, HALVES))
    dice.shuffle(variations)
    for at, variation in enumerate(variations[:share(60)]):
        name, language = next(names), LANGUAGES[at % len(LANGUAGES)]
        yield name, with_code(sample(language, name), language, lambda code: varied(code, *variation)), "good", "", ""
    for at in range(share(40)):
        way, step, reason, make = BROKEN[at % len(BROKEN)]
        name = next(names)
        yield name, make(name, at // len(BROKEN)), way, step, reason
    originals = list(itertools.product(LATTICES[5:], IN_LINE, HALVES))
    dice.shuffle(originals)
    for at, variation in enumerate(originals[:share(10)]):
        language, pair = LANGUAGES[at % len(LANGUAGES)], [next(names), next(names)]
        vary = lambda code: varied(code, *variation)
        yield pair[0], with_code(sample(language, pair[0]), language, vary), "pair", "", pair[1]
        yield pair[1], with_code(sample(language, pair[1]), language, lambda code: copied(vary(code), language)), "pair", "", pair[0]
    for at in range(size - share(60) - share(40) - 2 * share(10)):
        name, language = next(names), LANGUAGES[at % len(LANGUAGES)]
        sign = "#" if language == "python" else "//"
        change = (lambda code: f"{code}\n{sign} {name}\n") if at % 5 == 4 else str
        yield name, with_code(sample(language, name), language, change), "starter", "", language


def write_class(to, size, seed, games, plain):
    expected = [["student", "kind", "step", "detail"]]
    shutil.rmtree(to / "submissions", ignore_errors=True)
    for at, (name, bot, kind, step, detail) in enumerate(students(size, seed)):
        folder = to / "submissions" / (name if plain else f"{name}_{100_000 + at}_assignsubmission_file_")
        if isinstance(bot, bytes) or at % 2:
            archive = folder.with_name(f"{name}.zip") if plain else folder / ("bot.7z" if bytes(bot[:2]) == b"7z" else "bot.zip") \
                if isinstance(bot, bytes) else folder / "bot.zip"
            archive.parent.mkdir(parents=True, exist_ok=True)
            archive.write_bytes(bot if isinstance(bot, bytes) else zipped(bot))
        else:
            for file, text in bot.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(text, "utf-8")
        expected.append([name, kind, step, detail])
    (to / "plan.toml").write_text(PLAN.format(size=size, seed=seed, games=games, least=min(games, 6)), "utf-8")
    with (to / "expected.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(expected)


def check(to, results):
    """Prints the differences between what was expected and the marks, and returns their number."""
    marks = {one["student"]: one for one in json.loads((results / "marks.json").read_text("utf-8"))["students"]}
    alike = {frozenset((row["first"], row["second"])) for row in read_csv(results / "alike.csv")}
    counts, wrong = {}, []
    for row in read_csv(to / "expected.csv"):
        name, kind, failing = row["student"], row["kind"], marks.get(row["student"], {"failing": None})["failing"]
        counts[kind] = counts.get(kind, 0) + 1
        if name not in marks:
            wrong.append(f"{name} is missing")
        elif row["step"]:
            is_right = failing and re.search(row["step"], failing["step"]) and re.search(row["detail"], failing["reason"])
            if not is_right:
                wrong.append(f"{name} ({kind}): {failing and (failing['step'], failing['reason'])}")
        elif failing:
            wrong.append(f"{name} ({kind}) fails: {failing['step']}: {failing['reason']}")
        elif kind == "pair" and frozenset((name, row["detail"])) not in alike:
            wrong.append(f"{name} and {row['detail']} are not found to be alike")
    wrong += [f"{name} is not of the class" for name in marks.keys() - {row["student"] for row in read_csv(to / "expected.csv")}]
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), f"; {len(alike)} pairs alike")
    print("\n".join(wrong) or "all as expected")
    return len(wrong)


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path, help="the folder of the class")
    options.add_argument("--size", type=int, default=200, help="the number of students, 10 to 200")
    options.add_argument("--seed", type=int, default=2017, help="another seed makes another class")
    options.add_argument("--games", type=int, default=20, help="the most games of a student with a baseline")
    options.add_argument("--plain", action="store_true", help="entries named by students alone, and not as Moodle names them")
    options.add_argument("--check", type=Path, nargs="?", const=Path(), metavar="RESULTS",
                         help="compare the marks in this folder (default: OUT/marks) with what is expected")
    chosen = options.parse_args()
    if chosen.check is None:
        return write_class(chosen.out, chosen.size, chosen.seed, chosen.games, chosen.plain)
    results = chosen.out / "marks" if chosen.check == Path() else chosen.check
    sys.exit(1 if check(chosen.out, results) else 0)


if __name__ == "__main__":
    main()
