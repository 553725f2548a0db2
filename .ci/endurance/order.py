"""The subcommand `order`: is the order of a ladder that of a round robin?"""
import itertools
import json
import statistics
import subprocess

from .report import Checks, quantile, say, table
from .server import NAME, lines_of

# A bot is failing if it loses this share of its turns.
FAILING = 0.1
# The ladder plays those games that tell most, so numbers of games differ a bit; beyond this, failing bots would cost the others games.
MOST_OF_MEDIAN = 1.5


def standings(program, folder) -> list:
    """The rows of the standings of a tournament, or of a contest."""
    said = subprocess.run([program, "standings", folder, "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(said.stdout)["standings"]


def tau(one: dict, other: dict) -> float:
    """Kendall's tau of two ratings of the same names."""
    agreed = [(one[a] - one[b]) * (other[a] - other[b]) for a, b in itertools.combinations(sorted(one), 2)]
    return sum((value > 0) - (value < 0) for value in agreed) / len(agreed)


def apart(a: dict, b: dict) -> bool:
    """True if the intervals of 95 % of two rows do not overlap."""
    return abs(a["elo"] - b["elo"]) > a["elo_error_95"] + b["elo_error_95"]


def chosen(rows: list, most: int) -> list:
    """So many rows, spread over the order."""
    if not 1 < most < len(rows):
        return rows
    return [rows[round(number * (len(rows) - 1) / (most - 1))] for number in range(most)]


def run(arguments) -> int:
    """Runs the subcommand."""
    contest = arguments.dir / "contests" / NAME
    ladder = [row for row in standings(arguments.program, contest) if not row["retired"]]
    versions = [row for row in ladder if row["bot"].startswith("versions/") and row["games"]]
    played = chosen(versions, arguments.most)
    if len(played) < 2:
        raise SystemExit(f"fewer than two versions play in {contest}")
    folder = arguments.dir / f"order-{len(played)}-{arguments.seed}"
    size = {"small": "1", "medium": "2", "large": "3"}[lines_of(contest / "games.jsonl")[0]["settings"].get("size", "medium")]
    pairings = len(played) * (len(played) - 1) // 2
    say(f"{len(played)} of {len(versions)} versions, {pairings} pairings, {pairings * arguments.games} games, in {folder}")
    command = [arguments.program, "tournament", "--format", "round-robin", "--games", str(arguments.games), "--size", size,
               "--seed", str(arguments.seed), "--dir", folder, "--keep", "none", "--sandbox", "strict", "--warm", "off", "--strict",
               *itertools.chain.from_iterable(("--bot", f"{row['name']}={contest / row['bot'] / 'bot'}") for row in played)]
    said = subprocess.run(command, capture_output=True, text=True)
    if said.returncode:
        raise SystemExit(f"the round robin ended with {said.returncode}:\n{said.stderr[-2000:]}")
    by_name = {row["name"]: row for row in standings(arguments.program, folder)}
    return compare(versions, played, by_name)


def compare(versions: list, played: list, by_name: dict) -> int:
    """Prints both orders and what differs."""
    checks = Checks()
    places = {name: place for place, name in enumerate(sorted(by_name, key=lambda name: -by_name[name]["elo"]), 1)}
    table("orders", ["ladder", "bot", "games", "Elo", "round robin", "games", "Elo"],
          [(place, row["name"], row["games"], interval(row), places[row["name"]], by_name[row["name"]]["games"],
            interval(by_name[row["name"]])) for place, row in enumerate(sorted(played, key=lambda row: -row["elo"]), 1)])
    swapped, beyond = [], []
    for a, b in itertools.combinations(played, 2):
        c, d = by_name[a["name"]], by_name[b["name"]]
        if (a["elo"] - b["elo"]) * (c["elo"] - d["elo"]) < 0:
            is_beyond = apart(a, b) and apart(c, d)
            swapped.append((a["name"], b["name"], "no" if apart(a, b) else "yes", "no" if apart(c, d) else "yes"))
            if is_beyond:
                beyond.append(f"{a['name']} and {b['name']}")
    if swapped:
        table("pairs of which the order differs: do the intervals overlap?", ["bot", "other", "ladder", "round robin"], swapped)
    value = tau({row["name"]: row["elo"] for row in played}, {name: row["elo"] for name, row in by_name.items()})
    print(f"\nKendall's tau {value:.3f}; {len(swapped)} of {len(played) * (len(played) - 1) // 2} pairs differ, "
          f"{len(beyond)} of them beyond both intervals of 95 %")
    checks.holds("no pair differs beyond both intervals", beyond, f"tau {value:.3f}")
    failing, sound = [], []
    for row in versions:
        lost = sum(row["faults"].values()) / max(1, row["answers"] + sum(row["faults"].values()))
        (failing if lost > FAILING else sound).append((row, lost))
    median = statistics.median(row["games"] for row, _ in sound) if sound else 0
    shares = sorted(row["games"] for row, _ in sound)
    print(f"games on the ladder of versions that do not fail: median {median:.0f}, {quantile(shares, 0.05)} to {quantile(shares, 0.95)}")
    if failing:
        table("versions that fail", ["bot", "turns lost", "games", "of the median"],
              [(row["name"], f"{lost:.0%}", row["games"], f"{row['games'] / max(1, median):.2f}") for row, lost in failing])
    checks.holds("versions that fail play no more than their share",
                 [row["name"] for row, _ in failing if row["games"] > MOST_OF_MEDIAN * median], f"{len(failing)} fail")
    return checks.end()


def interval(row: dict) -> str:
    """A rating with its error."""
    return f"{row['elo']:.0f} ±{row['elo_error_95']:.0f}"
