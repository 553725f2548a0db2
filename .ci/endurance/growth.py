"""The subcommand `growth`: start, pages, memory and disk of a server with histories of several lengths."""
import argparse
import csv
import hashlib
import io
import statistics
import time
import urllib.parse

from . import history, processes
from .report import Checks, say, table
from .server import NAME, Server

# A request that makes no ratings, so that the first page after a start has to.
READY = "/api/contests"
# The least correlation of ratings with the strengths from which results were drawn, and the least number of games for that check.
FOLLOWS, TELLING = 0.5, 1000


def sizes(text: str) -> list:
    """The numbers of games of the histories, from an argument."""
    found = [int(size) for size in text.split(",")]
    if found != sorted(set(found)) or any(size < 100 or size % 2 for size in found):
        raise argparse.ArgumentTypeError("the sizes are even numbers in rising order, 100 or more")
    return found


class Measurement:
    """A server with a history: its times in milliseconds, its sizes in bytes, and the failures of checks."""

    def __init__(self, arguments, made: history.History):
        self.made, self.repeats = made, arguments.repeats
        self.server = Server(arguments.program, made.folder, arguments.port, **history.SETTINGS)
        self.times, self.bytes = {}, {}
        self.wrong = {"pages": [], "games": [], "ladder": [], "restart": [], "journals": [], "end": []}
        self.correlation = 0.0

    def run(self) -> None:
        """Measures a start, the pages, and a restart after a kill."""
        bot = urllib.parse.quote(self.made.name(self.made.teams[len(self.made.teams) // 2]))
        before = self._journals()
        self.times["start"] = 1000 * self.server.start(READY)
        page = self._timed("first page of the contest", f"/c/{NAME}", 1)
        self._timed("the same page again", f"/c/{NAME}")
        self._timed("page of a bot", f"/c/{NAME}/bots/{bot}")
        self._timed("bot by the API", f"/api/contests/{NAME}/bots/{bot}")
        ladder = self._timed("ladder.csv", f"/api/contests/{NAME}/ladder.csv")
        self.bytes["memory"] = 1024 * processes.status(self.server.process.pid, "VmRSS")
        self._compare(page, ladder)
        self.server.kill()
        self.times["restart after kill -9"] = 1000 * self.server.start(READY)
        again = self.server.ask("GET", f"/api/contests/{NAME}/ladder.csv", seconds=600)
        if again != (200, ladder):
            self.wrong["restart"].append(f"another ladder, with status {again[0]}")
        status = self.server.stop()
        if status not in (0, 130, -15):
            self.wrong["end"].append(f"status {status}")
        if self._journals() != before:
            self.wrong["journals"].append("other lines")
        self.bytes["folder"] = sum(path.stat().st_size for path in self.made.folder.rglob("*")
                                   if path.is_file() and "records" not in path.parts and path.name != "server.log")

    def _timed(self, what: str, path: str, repeats: int = 0) -> str:
        """Enters the median time of requests; returns the last answer."""
        seconds = []
        for _ in range(repeats or self.repeats):
            begin = time.monotonic()
            status, answer = self.server.ask("GET", path, seconds=600)
            seconds.append(time.monotonic() - begin)
            if status != 200:
                self.wrong["pages"].append(f"{what}: {status}")
        self.times[what] = 1000 * statistics.median(seconds)
        return answer

    def _compare(self, page: str, ladder: str) -> None:
        """Compares what the server tells with what was made."""
        made, view = self.made, self.server.view()
        if f"{made.games} ranked games so far" not in page or view["games"] != made.games:
            self.wrong["games"].append(f"the API tells {view['games']}")
        if view["isRanked"] or view["playing"]:
            self.wrong["games"].append("games are played")
        rows = list(csv.DictReader(io.StringIO(ladder)))
        if len(rows) != made.active:
            self.wrong["ladder"].append(f"{len(rows)} rows and not {made.active}")
        strengths = made.strengths()
        rated = [(strengths[row["bot"]], float(row["elo"])) for row in rows if row["bot"] in strengths and row["elo"]]
        self.correlation = statistics.correlation(*zip(*rated)) if len(rated) > 1 else 0.0
        if made.games >= TELLING and self.correlation < FOLLOWS:
            self.wrong["ladder"].append(f"correlation {self.correlation:.2f}")

    def _journals(self) -> list:
        """The hashes of both journals."""
        return [hashlib.sha256(path.read_bytes()).hexdigest() for path in self.made.journals]


def run(arguments) -> int:
    """Runs the subcommand."""
    real = arguments.dir / "real"
    if real.exists():
        raise SystemExit(f"{arguments.dir} has histories already; name another folder")
    say("folder:", arguments.dir)
    lines = history.play_real(arguments.program, real, arguments.port, arguments.real)
    measured = []
    for games in arguments.sizes:
        made = history.History(lines, arguments.dir / str(games), games, arguments.per_team, arguments.seed)
        made.write()
        measured.append(Measurement(arguments, made))
        measured[-1].run()
        say(f"{games:,} games of {made.versions:,} versions are measured")
    return judge(measured)


def judge(measured: list) -> int:
    """Prints what was measured."""
    games = [one.made.games for one in measured]
    rows = [counted("versions, with baselines", [one.made.versions for one in measured]),
            counted("of these play", [one.made.active for one in measured])]
    rows += [row(f"{what}, ms", [one.times[what] for one in measured], games, "µs", 1000) for what in measured[0].times]
    rows += [row(f"{what}, MB", [one.bytes[what] / 1e6 for one in measured], games, "B", 1e6) for what in measured[0].bytes]
    rows.append(("folder, B a game", *(f"{one.bytes['folder'] / one.made.games:,.0f}" for one in measured), "", ""))
    table("a server by the games of its history", ["games", *(f"{count:,}" for count in games), "growth", "each further game"], rows)
    print("\n  growth: the factors from column to column; x1.0 is flat, and "
          f"{factors(games) or 'the factor of the games'} is linear, as the games are\n"
          "  each further game: the difference of the last two columns, divided by the difference of their games")
    checks = Checks()
    for about, kind, seen in (
            ("all pages were answered", "pages", ""),
            ("the page and the API tell the number of games that were made, and no game is played", "games", ""),
            ("the ladder has all who play, and its ratings follow the strengths", "ladder",
             ", ".join(f"correlation {one.correlation:.2f}" for one in measured if one.made.games >= TELLING)),
            ("the server tells the same ladder after a kill", "restart", ""),
            ("the journals are as they were made", "journals", ""),
            ("the server ends when it is asked to", "end", "")):
        checks.holds(about, [f"{one.made.games:,} games: {wrong}" for one in measured for wrong in one.wrong[kind]], seen)
    return checks.end()


def counted(what: str, values: list) -> tuple:
    """A row of counts."""
    return what, *(f"{value:,}" for value in values), factors(values), ""


def row(what: str, values: list, games: list, unit: str, units: float) -> tuple:
    """A row of measured values, with their factors and the share of a game. `units` is the number of these units in a value of 1."""
    more = ""
    if len(values) > 1:
        more = f"{units * (values[-1] - values[-2]) / (games[-1] - games[-2]):,.2f} {unit}"
    return what, *(f"{value:,.1f}" for value in values), factors(values), more


def factors(values: list) -> str:
    """The factors from each value to the next."""
    return " ".join(f"x{after / before:.1f}" for before, after in zip(values, values[1:]))
