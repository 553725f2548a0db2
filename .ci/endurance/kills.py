"""The subcommand `kills`: teams hand in while the server is killed again and again."""
import hashlib
import pathlib
import random
import socket
import tempfile
import threading
import time

from . import bots, hostile, judgement, processes
from .report import Checks, say, table
from .server import BROKEN, Server, Team

# The moments at which the server is killed, in turn.
MOMENTS = ["upload", "unpacking", "building", "probing", "games"]
# What is handed in for those of them that may not come by themselves.
PREY = {"unpacking": bots.bulky(), "building": bots.built("sleep 5"), "probing": bots.plain("hunt")}
# Answers that ask to come again.
BUSY = (409, 429, 503)


class Run:
    """What is handed in, and what the server has answered."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.draw = random.Random(arguments.seed)
        self.begin = time.time()
        self.server = Server(arguments.program, arguments.dir, arguments.port, baselines=["builtin:random", "builtin:hunter"],
                             games=arguments.games, parallel=1)
        self.victim = hostile.Victim(arguments.dir)
        # Answered uploads: the team, the version, the SHA-256 of the archive, the status.
        self.answered = []
        # Answers that are nobody's fault but the server's.
        self.failures = []
        self.activations = 0
        self.unanswered = 0
        self.kills = []
        self.teams = {}
        self.bots = {}
        self._lock = threading.Lock()
        self.ends = threading.Event()

    def offer(self, team: Team, data: bytes) -> bool:
        """Hands an archive in; returns false if it has to be tried again."""
        try:
            status, answer = team.ask("POST", "", data)
        except BROKEN:
            self.unanswered += 1
            return False
        if status in BUSY:
            return False
        with self._lock:
            if status in (200, 201):
                self.answered.append((team.name, answer["version"], hashlib.sha256(data).hexdigest(), status))
            else:
                self.failures.append(f"{team.name}: {status} {answer}")
        return True

    def hand_in(self, team: Team, data: bytes) -> None:
        """Hands an archive in, again if there was no answer, and later if there were too many."""
        while not self.offer(team, data) and not self.ends.wait(3):
            pass

    def switch(self, team: Team, draw: random.Random) -> None:
        """Lets one of the accepted versions play."""
        try:
            accepted = [row["version"] for row in team.ask("GET", "")[1] if row["state"] == "accepted"]
            if accepted:
                self.activations += team.ask("POST", f"/{draw.choice(accepted)}/activate")[0] == 200
        except BROKEN:
            pass

    def play_team(self, bot: bots.Bot, draw: random.Random) -> None:
        """Hands versions in at random moments, and goes back to an earlier one now and then."""
        team, seconds = self.teams[bot.name], self.arguments.minutes * 60
        # Each team hands in early once, so that there is somebody to play.
        later = 0 if bot.is_slow else max(1, round(self.arguments.minutes / 10))
        moments = [(draw.uniform(0, seconds / 4), True)]
        moments += [(draw.uniform(seconds / 4, seconds), True) for _ in range(later)]
        moments += [(draw.uniform(seconds / 2, seconds), False) for _ in range(later)]
        number = 0
        for moment, is_new in sorted(moments):
            if self.ends.wait(max(0.0, self.begin + moment - time.time())):
                return
            if is_new:
                number += 1
                self.hand_in(team, bot.make(number))
            else:
                self.switch(team, draw)

    def judged_now(self) -> tuple:
        """The folder of the version that is being judged, and its step: the journal and the log tell both at once."""
        last = None
        for line in self.server.end_of_journal():
            if line.get("what") == "judged":
                last = line
            elif line.get("what") in ("accepted", "rejected", "queued"):
                last = None
        if last is None:
            return None, "idle"
        folder = self.server.contest / "versions" / f"{last['bot']}-{last['version']}"
        return folder, step_of(folder)

    def kill_at(self, moment: str, seconds: float) -> None:
        """Kills the server at such a moment, or after so many seconds; and starts it again."""
        until = time.monotonic() + seconds
        upload, is_playing = None, False
        if moment in PREY:
            self.offer(self.teams["prey"], bots.packed(PREY[moment], len(self.kills)))
        while time.monotonic() < until:
            if moment == "upload":
                upload = half_upload(self.server, self.draw.choice(list(self.teams.values())))
                break
            if moment == "games" and (is_playing := bool(self.server.view()["playing"])):
                break
            folder, step = self.judged_now()
            # Most archives are unpacked within milliseconds.
            if step == moment and (moment == "unpacking" or folder is not None):
                break
            time.sleep(0.003 if moment == "unpacking" else 0.05)
        self.server.kill()
        at_work = len(processes.orphans(set()))
        folder, step = self.judged_now()
        written = {path: complete(path) for path in (self.server.folder / "arena.jsonl", self.server.contest / "games.jsonl")}
        if upload:
            upload.close()
        restarted = self.server.start()
        begin = time.monotonic()
        left = processes.wait_for_end(lambda: processes.orphans({self.server.process.pid}), 10)
        gone = time.monotonic() - begin
        shortened = [path.name for path, lines in written.items() if not path.read_bytes().startswith(lines)]
        self.kills.append({"wanted": moment, "step": "upload" if upload else "games" if is_playing else step, "restart": restarted,
                           "processes": at_work, "gone": gone, "left": [processes.command(pid) for pid in left],
                           "shortened": shortened})
        processes.end(left)
        say(f"kill {len(self.kills)}: wanted {moment}, was {self.kills[-1]['step']}; {at_work} processes were gone after {gone:.1f} s")


def step_of(folder: pathlib.Path) -> str:
    """The step of a version, by its log."""
    try:
        log = (folder / "log.txt").read_text(errors="replace")
    except OSError:
        return "unpacking"
    if "\nit plays " in log:
        return "probing"
    return "unpacking" if log.strip() in ("", "the archive is unpacked") else "building"


def complete(path: pathlib.Path) -> bytes:
    """The complete lines of a file."""
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def half_upload(server: Server, team: Team):
    """The connection of an upload of which the half has been sent."""
    data = bots.packed({"noise": random.randbytes(3_000_000)})
    head = (f"POST {team.below} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {team.token}\r\n"
            f"Content-Type: application/zip\r\nContent-Length: {len(data)}\r\n\r\n")
    connection = socket.create_connection(("127.0.0.1", server.port), 5)
    connection.sendall(head.encode() + data[: len(data) // 2])
    time.sleep(0.3)
    return connection


def run(arguments) -> int:
    """Runs the subcommand."""
    processes.adopt_orphans()
    if (arguments.dir / "arena.jsonl").exists():
        raise SystemExit(f"{arguments.dir} has a contest already; name another folder")
    arguments.dir.mkdir(parents=True, exist_ok=True)
    run = Run(arguments)
    watch = processes.TemporaryFolders()
    with tempfile.TemporaryDirectory() as scratch:
        languages = bots.starters(arguments.program, pathlib.Path(scratch))
    say(len(languages), "languages:", *languages)
    say("folder:", arguments.dir, "first start:", f"{run.server.start():.2f} s")
    everyone = bots.all_bots(arguments.bots, languages, run.draw, run.victim)
    run.bots["prey"], run.teams["prey"] = bots.Bot("prey", "honest", bytes, "several"), Team(run.server, "prey")
    for bot in everyone:
        run.bots[bot.name] = bot
        run.teams[bot.name] = Team(run.server, bot.name)
    say(len(everyone), "teams are registered")

    run.begin, seconds = time.time(), arguments.minutes * 60
    threads = [threading.Thread(target=run.play_team, args=(bot, random.Random(f"{arguments.seed} {bot.name}")), daemon=True)
               for bot in everyone]
    for thread in threads:
        thread.start()
    missing = list(MOMENTS)
    for number in range(arguments.kills):
        # Not before there are bots that play.
        at = run.begin + seconds * (0.15 + 0.85 * (number + run.draw.random()) / arguments.kills)
        time.sleep(max(0.0, at - time.time()))
        wanted = missing[0] if missing else run.draw.choice(MOMENTS)
        # Those that wait before it have their turns first, and a build without end lasts two minutes.
        run.kill_at(wanted, 300)
        missing = [moment for moment in missing if moment != run.kills[-1]["step"]]
        # One that was missed comes later.
        if missing and missing[0] == wanted:
            missing.append(missing.pop(0))
    time.sleep(max(0.0, run.begin + seconds - time.time()))
    # Teams of which three versions wait try again.
    until = time.monotonic() + 300
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    run.ends.set()
    say("all is handed in; waits until the queue is empty")
    wait_for_queue(run, arguments.wait * 60)
    wait_for_ladder(run, arguments.settle * 60)

    checks = Checks()
    judgement.by_interface(run, checks)
    memory = processes.memory(run.server.process.pid)
    status = run.server.stop()
    left = processes.wait_for_end(lambda: processes.orphans(set()), 10)
    table("kills", ["wanted", "was", "restart", "processes", "gone after", "left"],
          [(kill["wanted"], kill["step"], f"{kill['restart']:.2f} s", kill["processes"], f"{kill['gone']:.1f} s", len(kill["left"]))
           for kill in run.kills])
    checks.holds("the server was killed at each moment", missing if arguments.kills >= len(MOMENTS) else [])
    checks.holds("processes end with a killed server", [line for kill in run.kills for line in kill["left"]])
    checks.holds("no line of a journal is lost by a kill", [name for kill in run.kills for name in kill["shortened"]])
    checks.holds("the server ends when it is asked to", status not in (0, 130, -15), f"status {status}, memory {memory}")
    checks.holds("no process is left over", [processes.command(pid) for pid in left])
    processes.end(left)
    folders = watch.left()
    checks.holds("no temporary folder is left over", folders, f"{len(watch.seen)} seen")
    judgement.by_files(run, checks)
    return checks.end()


def wait_for_queue(run: Run, seconds: float) -> None:
    """Waits until each version has its verdict."""
    until, told = time.monotonic() + seconds, 0.0
    while (view := run.server.view())["queue"] and time.monotonic() < until:
        if time.monotonic() > told:
            say(len(view["queue"]), "versions wait,", view["games"], "games were played; first:",
                view["queue"][0]["name"], view["queue"][0]["state"])
            told = time.monotonic() + 30
        time.sleep(1)


def wait_for_ladder(run: Run, seconds: float) -> None:
    """Waits until each version has its games, at most so long."""
    until, idle = time.monotonic() + seconds, 0
    while time.monotonic() < until and idle < 5:
        idle = 0 if run.server.view()["playing"] else idle + 1
        time.sleep(1)
