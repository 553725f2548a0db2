"""Histories of a contest of any length: lines of a short real contest, multiplied with other names, numbers and results."""
import datetime
import hashlib
import json
import pathlib
import random
import time

from . import bots
from .report import say
from .server import NAME, Server, Team, lines_of

# The settings of the real contest, and of each one that is made from it.
SETTINGS = {"baselines": ["builtin:random", "builtin:hunter"]}
# The teams of the real contest, named after their strategies.
STRATEGIES = ("hunt", "checkerboard", "random", "rows")
# The strengths of the baselines in made results, in Elo.
BASELINES = (-300.0, 300.0)
# The standard deviation of the strengths of teams, and the gain of a team with each version, in Elo.
SPREAD, GAIN = 150.0, 30.0
# The games for each version, and the least number of versions.
GAMES_OF_VERSION, LEAST = 50, 20
OTHER = {"A": "B", "B": "A"}


class RealLines:
    """The lines of the two journals of a real contest, by kind."""

    def __init__(self, folder: pathlib.Path):
        server, ladder = lines_of(folder / "arena.jsonl"), lines_of(folder / "contests" / NAME / "games.jsonl")
        self.of_server = {kind: [line for line in server if line["line"] == kind] for kind in ("arena", "registered", "token-set")}
        kinds = ("settings", "submitted", "judged", "accepted", "ranked")
        self.of_contest = {kind: [line for line in server if line.get("what") == kind] for kind in kinds}
        kinds = ("tournament", "entrant", "retired", "game")
        self.of_ladder = {kind: [line for line in ladder if line["line"] == kind] for kind in kinds}
        self.baselines = [line for line in self.of_ladder["entrant"] if line["bot"].startswith("builtin:")]
        self.entrants = [line for line in self.of_ladder["entrant"] if not line["bot"].startswith("builtin:")]
        found = self.of_server | self.of_contest | self.of_ladder | {"baseline": self.baselines, "version": self.entrants}
        missing = [kind for kind, lines in found.items() if not lines]
        if missing or len(self.baselines) != len(BASELINES):
            raise SystemExit(f"the journals in {folder} lack lines: {', '.join(missing) or 'baselines'}")


def play_real(program: pathlib.Path, folder: pathlib.Path, port: int, games: int) -> RealLines:
    """Plays a real contest of this number of ranked games or more, and returns its lines."""
    server = Server(program, folder, port, **SETTINGS)
    server.start()
    teams = [Team(server, strategy) for strategy in STRATEGIES]
    # The first team hands in twice, so that a version retires.
    for number, team in enumerate([*teams, teams[0]]):
        hand_in(team, bots.packed(bots.plain(team.name), number))
    while (played := server.view()["games"]) < games:
        time.sleep(0.5)
    server.stop_games()
    say(f"a real contest has played {played} games")
    server.stop()
    return RealLines(folder)


def hand_in(team: Team, data: bytes) -> None:
    """Hands an archive in, and waits until it is accepted."""
    while (answer := team.ask("POST", "", data))[0] == 429:
        time.sleep(1)
    if answer[0] != 201:
        raise SystemExit(f"the bot {team.name} was not taken: {answer[0]} {answer[1]}")
    path = f"/{answer[1]['version']}"
    while (version := team.insist("GET", path)[1])["state"] != "accepted":
        if version["state"] == "rejected":
            raise SystemExit(f"the bot {team.name} was rejected: {version}")
        time.sleep(0.2)


class Clock:
    """The times of lines, ten seconds apart. The last one is not later than now."""

    def __init__(self, lines: int):
        self._next = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=10 * lines)

    def tick(self, form: str) -> str:
        """The next time, with the zone as in `form`."""
        self._next += datetime.timedelta(seconds=10)
        text = self._next.isoformat(timespec="milliseconds")
        return text.replace("+00:00", "Z") if form.endswith("Z") else text


class History:
    """A folder of a server whose contest has this number of games, in pairs with seats swapped as on a real ladder.

    Each team has `per_team` versions. A version enters, plays its games, and retires when the next one enters. The newest one plays on.
    """

    def __init__(self, real: RealLines, folder: pathlib.Path, games: int, per_team: int, seed: int):
        self.real, self.folder, self.games, self.per_team = real, folder, games, per_team
        # Pairings and winners depend on the seed alone; the choice of lines depends on the number of real ones, too.
        self.draw, self.lines = (random.Random(f"{seed} {games} {what}") for what in ("results", "lines"))
        wanted = max(LEAST, games // GAMES_OF_VERSION)
        # The numbers of the teams, counted from 1.
        self.teams = range(1, max(2, wanted // per_team) + 1)
        # The number of entrants, and of those that play at the end.
        self.versions, self.active = len(BASELINES) + len(self.teams) * per_team, len(BASELINES) + len(self.teams)
        self.talent = {team: self.draw.gauss(0, SPREAD) for team in self.teams}
        self.journals = [folder / "arena.jsonl", folder / "contests" / NAME / "games.jsonl"]
        self._counts = {}

    def name(self, team: int) -> str:
        """The name of a team."""
        registered = self.real.of_server["registered"]
        return f"{registered[team % len(registered)]['name']}-{team}"

    def strengths(self) -> dict:
        """The strengths of those that play, in Elo, by the names of teams."""
        return {self.name(team): self.strength(team, self.per_team) for team in self.teams}

    def strength(self, team: int, version: int) -> float:
        """The strength of a version, in Elo."""
        return self.talent[team] + GAIN * version

    def write(self) -> None:
        """Writes both journals."""
        self.journals[1].parent.mkdir(parents=True)
        for path, lines in zip(self.journals, (self._server_lines(), self._ladder_lines())):
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
            path.chmod(0o600)

    def _content(self, team: int, version: int) -> str:
        """A hash in the place of that of the files of a version."""
        return hashlib.sha256(f"{team} {version}".encode()).hexdigest()

    def _server_lines(self):
        """The lines of `arena.jsonl`."""
        server, contest = self.real.of_server, self.real.of_contest
        clock = Clock((2 + 3 * self.per_team) * len(self.teams) + 3)

        def line(real: dict, **other) -> dict:
            return {**real, **other, "at": clock.tick(real["at"])}

        yield line(server["arena"][0])
        yield line(contest["settings"][-1])
        for team in self.teams:
            yield line(self.lines.choice(server["registered"]), bot=team, name=self.name(team))
            yield line(self.lines.choice(server["token-set"]), bot=team, token=self._content(team, 0))
        for version in range(1, self.per_team + 1):
            for team in self.teams:
                key = {"bot": team, "version": version}
                yield line(self.lines.choice(contest["submitted"]), archive=self._content(-team, version), activates=True, **key)
                yield line(self.lines.choice(contest["judged"]), **key)
                yield line(self.lines.choice(contest["accepted"]), content=self._content(team, version), **key)
        yield line(contest["ranked"][-1], on=False)

    def _ladder_lines(self):
        """The lines of `games.jsonl`."""
        ladder, pairs = self.real.of_ladder, self.games // 2
        clock = Clock(self.games)
        yield ladder["tournament"][0]
        yield from self.real.baselines
        for version in range(1, self.per_team + 1):
            first = len(BASELINES) + (version - 1) * len(self.teams)
            for team in self.teams:
                if version > 1:
                    yield {**ladder["retired"][0], "name": f"{self.name(team)} v{version - 1}"}
                real = self.lines.choice(self.real.entrants)
                details = {**real["details"], "NickName": self.name(team), "Email": self.name(team)}
                yield {**real, "name": f"{self.name(team)} v{version}", "bot": f"versions/{team}-{version}", "details": details,
                       "content": self._content(team, version)}
            playing = dict(enumerate(BASELINES)) | {first + team - 1: self.strength(team, version) for team in self.teams}
            until = pairs * version // self.per_team
            for one, other in self._pairings(playing, until - pairs * (version - 1) // self.per_team):
                yield from self._pair(one, other, playing[one] - playing[other], clock)

    def _pairings(self, playing: dict, count: int):
        """This number of pairings. All entrants begin equally many; of three opponents, the nearest in strength is taken."""
        everyone = list(playing)
        for number in range(count):
            if number % len(everyone) == 0:
                self.draw.shuffle(everyone)
            one = everyone[number % len(everyone)]
            near = self.draw.sample([at for at in self.draw.sample(everyone, 4) if at != one], 3)
            other = min(near, key=lambda at: abs(playing[at] - playing[one]))
            yield min(one, other), max(one, other)

    def _pair(self, first: int, second: int, lead: float, clock: Clock):
        """The next two games of a pairing: real ones with other entrants, and with winners drawn from the strengths. Draws stay draws."""
        number = self._counts.get((first, second), 0)
        self._counts[first, second] = number + 2
        seed = str(self.draw.getrandbits(64))
        for game in (number, number + 1):
            winner = "first" if self.draw.random() < 1 / (1 + 10 ** (-lead / 400)) else "second"
            seat = "A" if (winner == "first") == (game % 2 == 0) else "B"
            real = self.lines.choice(self.real.of_ladder["game"])
            if real["outcome"].get("winner") == OTHER[seat]:
                real = swapped(real)
            line = {**real, "first": first, "second": second, "number": game, "seed": seed, "ended": clock.tick(real["ended"])}
            if "record" in line:
                line["record"] = f"records/{first}-{second}-{game:05}.jsonl.zst"
            yield line


def swapped(game: dict) -> dict:
    """The same game with the seats swapped."""
    outcome = game["outcome"]
    ending = {key: other_seats(value) if key == "seats" else value for key, value in outcome["ending"].items()}
    outcome = {**outcome, "winner": OTHER[outcome["winner"]], "ranking": other_seats(outcome["ranking"]),
               "points": outcome["points"][::-1], "ending": ending}
    return {**game, "outcome": outcome, "players": game["players"][::-1]}


def other_seats(value):
    """The same with each seat swapped. In a list, a seat may have a reason beside it."""
    return [other_seats(one) for one in value] if isinstance(value, list) else OTHER.get(value, value)
