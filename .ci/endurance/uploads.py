"""The subcommand `uploads`: answers while builds are long and teams hand in all the time."""
import collections
import itertools
import threading
import time

from . import bots, processes
from .report import Checks, quantile, say, table
from .server import BROKEN, NAME, Server, Team


class Load:
    """Teams that hand in, and clients that look on."""

    def __init__(self, server: Server):
        self.server = server
        self.ends = threading.Event()
        self.statuses = collections.Counter()
        self.seconds = collections.defaultdict(list)
        self.wrong = collections.Counter()
        self._lock = threading.Lock()

    def timed(self, kind: str, ask) -> int:
        """Asks, and counts how long that takes."""
        begin = time.monotonic()
        try:
            status = ask()[0]
        except BROKEN as error:
            status = repr(error)
        with self._lock:
            self.seconds[kind].append(time.monotonic() - begin)
            if kind == "upload":
                self.statuses[status] += 1
            elif status != 200:
                self.wrong[f"{kind}: {status}"] += 1
        return status

    def hand_in(self, team: Team, data: bytes) -> None:
        """Hands an archive in; after a refusal again a second later."""
        while self.timed("upload", lambda: team.ask("POST", "", data)) not in (200, 201):
            if self.ends.wait(1):
                return

    def keep_on(self, team: Team) -> None:
        """Hands in until the end."""
        for number in itertools.count():
            if self.ends.is_set():
                return
            self.hand_in(team, bots.packed(bots.built("sleep 5"), number))

    def look_on(self, honest: Team) -> None:
        """Loads four things each second."""
        looks = {"page of the contest": lambda: self.server.ask("GET", f"/c/{NAME}"),
                 "page of a bot": lambda: self.server.ask("GET", f"/c/{NAME}/bots/honest"),
                 "contest by the API": lambda: self.server.ask("GET", f"/api/contests/{NAME}"),
                 "log of a team": lambda: honest.ask("GET", "/1/log")}
        while not self.ends.is_set():
            begin = time.monotonic()
            for kind, look in looks.items():
                self.timed(kind, look)
            self.ends.wait(max(0.0, 1 - (time.monotonic() - begin)))


def run(arguments) -> int:
    """Runs the subcommand."""
    if (arguments.dir / "arena.jsonl").exists():
        raise SystemExit(f"{arguments.dir} has a contest already; name another folder")
    processes.adopt_orphans()
    server = Server(arguments.program, arguments.dir, arguments.port, baselines=["builtin:random"], games=1000)
    say("folder:", arguments.dir, "first start:", f"{server.start():.2f} s")
    honest = Team(server, "honest")
    status, answer = honest.ask("POST", "", bots.packed(bots.plain("hunt")))
    if status != 201:
        raise SystemExit(f"the honest bot was not taken: {status} {answer}")
    while honest.insist("GET", "/1")[1]["state"] not in ("accepted", "rejected"):
        time.sleep(0.5)
    teams = [Team(server, f"team-{number}") for number in range(arguments.teams)]
    load = Load(server)
    before = processes.memory(server.process.pid)
    threads = [threading.Thread(target=load.keep_on, args=(team,), daemon=True) for team in teams]
    threads += [threading.Thread(target=load.look_on, args=(honest,), daemon=True) for _ in range(4)]
    say(len(teams), "teams hand in, 4 clients look on")
    begin, known = time.monotonic(), len(server.journal())
    for thread in threads:
        thread.start()
    # A second version of the honest team waits in the same queue.
    load.hand_in(honest, bots.packed(bots.plain("hunt"), 2))
    waited, largest = None, 0
    while (passed := time.monotonic() - begin) < arguments.minutes * 60:
        largest = max(largest, processes.memory(server.process.pid)["now"])
        if waited is None and honest.insist("GET", "/2")[1]["state"] in ("accepted", "rejected"):
            waited = passed
            say(f"the second version of the honest team waited {waited:.0f} s for its verdict")
        time.sleep(1)
    load.ends.set()
    for thread in threads:
        thread.join(90)
    minutes = (time.monotonic() - begin) / 60
    verdicts = collections.Counter(line["what"] for line in server.journal()[known:]
                                   if line.get("what") in ("accepted", "rejected"))
    after = processes.memory(server.process.pid)
    queue = len(server.view()["queue"])
    status = server.stop()
    left = processes.wait_for_end(lambda: processes.orphans(set()), 10)
    return judge(load, minutes, verdicts, (before, largest, after), queue, waited, status, left)


def judge(load: Load, minutes: float, verdicts, memory: tuple, queue: int, waited, status: int, left: set) -> int:
    """Prints what was measured."""
    table("answers, in milliseconds", ["request", "number", "p50", "p99", "longest"],
          [(kind, len(values), *(f"{1000 * quantile(sorted(values), share):.0f}" for share in (0.5, 0.99, 1.0)))
           for kind, values in sorted(load.seconds.items())])
    before, largest, after = memory
    count = sum(verdicts.values())
    table("server", ["", ""], [
        ("verdicts a minute", f"{count / minutes:.1f} ({verdicts['accepted']} accepted, {verdicts['rejected']} rejected)"),
        ("uploads by answer", ", ".join(f"{number} times {answer}" for answer, number in load.statuses.most_common())),
        ("versions that wait at the end", queue),
        ("an honest version waited", f"{waited:.0f} s" if waited is not None else "until the end"),
        ("memory in MB", f"{before['now']} before, {largest} at most, {after['now']} at the end, {after['most']} ever"),
        ("open files", f"{before['files']} before, {after['files']} at the end")])
    checks = Checks()
    checks.holds("all pages were answered", [f"{number} times {what}" for what, number in load.wrong.items()])
    odd = [f"{number} times {answer}" for answer, number in load.statuses.items() if answer not in (200, 201, 409, 429, 503)]
    checks.holds("uploads were taken, or refused as too many", odd)
    checks.holds("there are verdicts, and none against a bot that plays", count == 0 or verdicts["rejected"] > 0, count)
    checks.holds("the server ends when it is asked to", status not in (0, 130, -15), f"status {status}")
    checks.holds("no process is left over", [processes.command(pid) for pid in left])
    processes.end(left)
    return checks.end()
