"""Matches between policies, bots and built-in players."""

import json
import shutil
import subprocess
import sys
import sysconfig
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import broadside
from broadside.policies import SeenView, play_match

from .conftest import REPOSITORY


class Watchful:
    """Decides at random, and keeps what it has seen."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.seen: list[SeenView] = []

    def decide(self, view: SeenView) -> int:
        self.seen.append(view)
        return int(self.random.choice(np.flatnonzero(view.action_mask)))


@pytest.mark.parametrize("game", broadside.GAMES)
@pytest.mark.parametrize("placement", ["random", "agents"])
def test_a_match_of_the_runner_is_one_of_this_process(game: str, placement: str, tmp_path: Path) -> None:
    """The same policies give the same match in both, and see the same."""
    one, other = Watchful(1), Watchful(1)
    told = broadside.play([one, "builtin:hunter"], game=game, seed=5, placement=placement, folder=tmp_path)
    outcome = play_match([other, "builtin:hunter"], game=game, seed=5, placement=placement)
    assert {key: told[key] for key in outcome} == outcome
    assert told["names"] == ["Watchful", "builtin:hunter"] and told["seed"] == 5
    assert len(one.seen) == len(other.seen) > 10
    for here, there in zip(one.seen, other.seen, strict=True):
        assert (here.game, here.seat, here.turn, here.text) == (there.game, there.seat, there.turn, there.text)
        # Bots of Sea Battle are told a name of the match.
        assert game == "sea-battle" or here.state == there.state
        for name, array in here.arrays.items():
            np.testing.assert_array_equal(array, there.arrays[name])
    assert broadside.verify(tmp_path) == told["turns"]


def test_a_policy_meets_a_bot_in_a_folder(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    shutil.copytree(REPOSITORY / "bots/random-python", bot)
    told = broadside.play([Watchful(), str(bot)], size=1, seed=2, folder=tmp_path / "match", rounds=True)
    assert told["winner"] in (0, 1) and told["without_order"][1] == 0
    assert (tmp_path / "match/Phase 1 - Round 0/B/place.txt").is_file()
    with pytest.raises(ValueError, match="nowhere"):
        broadside.play([Watchful(), str(tmp_path / "nowhere")])


class SeaBattleBot(BaseHTTPRequestHandler):
    """Answers as a bot of Sea Battle does: its fleet lies in the same place, and it fires row by row."""

    FLEET = {
        "fourdeck": [[(0, 0), (1, 0), (2, 0), (3, 0)]],
        "battleship": [[(5, 0), (6, 0), (7, 0)]],
        "threeship": [[(0, 2), (1, 2), (2, 2)]],
        "submarine": [[(4, 2), (5, 2)]],
        "twoship": [[(7, 2), (8, 2)], [(0, 4), (1, 4)]],
        "oneship": [[(3, 4)], [(5, 4)], [(7, 4)], [(9, 4)]],
    }
    asked: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(question)
        if self.path.endswith("placement"):
            ships = [
                {"type": kind, "cells": [{"x": x, "y": y} for x, y in cells]}
                for kind, all_ships in self.FLEET.items()
                for cells in all_ships
            ]
            answer: dict[str, Any] = {"ships": ships}
        else:
            cell = len(question["yourShots"])
            answer = {"type": "shot", "x": cell % 10, "y": cell // 10 % 10}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


def test_a_policy_meets_a_bot_by_its_url() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), SeaBattleBot)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        told = broadside.play([Watchful(), f"Rows={url}"], game="sea-battle", seed=1)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert told["without_order"] == [0, 0], told
    assert len(SeaBattleBot.asked) > 10 and told["turns"] > 20


def test_what_a_policy_raises_is_raised() -> None:
    class Broken:
        def decide(self, view: SeenView) -> int:
            if view.turn == 3:
                raise KeyError("no idea")
            return int(view.action_mask.argmax())

    with pytest.raises(KeyError, match="no idea"):
        broadside.play([Broken(), "builtin:random"], game="bots-arena", seed=1)

    class Wild:
        def decide(self, view: SeenView) -> int:
            return 5000

    with pytest.raises(ValueError, match="there is no action 5000; they go from 0 to 100"):
        broadside.play([Wild(), "builtin:random"], game="bots-arena", seed=1)


def test_decisions_may_be_the_text_of_bots() -> None:
    class Texts:
        def decide(self, view: SeenView) -> Any:
            if view.game != "entelect-2017":
                return "3,4"
            if view.state["Phase"] == 1:
                return "Carrier 0 0 East\nBattleship 0 1 East\nCruiser 0 2 East\nSubmarine 0 3 East\nDestroyer 0 4 East\n"
            return {"command.txt": f"1,{view.turn % 7},{view.turn // 7 % 7}"} if view.turn % 2 else None

    told = broadside.play([Texts(), "builtin:random"], size=1, seed=3, placement="agents")
    outcome = play_match([Texts(), "builtin:random"], game="entelect-2017", size=1, seed=3, placement="agents")
    assert told["points"] == outcome["points"] and told["without_order"][0] > 5
    with pytest.raises(ValueError, match="an answer of salvo has several parts: give a dict"):
        play_match([Texts(), "builtin:random"], game="salvo")
    with pytest.raises(ValueError, match="an answer of salvo is a dict of parts, which are carrier, battleship"):
        broadside.play([Texts(), "builtin:random"], game="salvo")


def test_results_have_intervals() -> None:
    result = broadside.evaluate("builtin:hunter", "builtin:random", game="sea-battle", games=40)
    assert result.games == 40 and result.rate > 0.8
    low, high = result.interval
    assert 0 < low < result.rate <= high <= 1

    def first(observed: dict[str, np.ndarray]) -> np.ndarray:
        return observed["action_mask"].argmax(axis=1)

    class First:
        def decide(self, view: SeenView) -> int:
            return int(view.action_mask.argmax())

    # A function of many observations plays the same games as an object that is asked one by one.
    many = broadside.evaluate(first, game="bots-arena", games=20, seed=3)
    assert many == broadside.evaluate(First(), game="bots-arena", games=20, seed=3)
    with pytest.raises(TypeError, match="built-in players only"):
        broadside.evaluate(first, First())


BOT = """
import sys
sys.path[:0] = {paths!r}
import numpy as np
import broadside

class Policy:
    def __init__(self):
        self.random = np.random.default_rng(3)

    def decide(self, view):
        return int(self.random.choice(np.flatnonzero(view.action_mask)))

broadside.serve_policy(Policy, placement={placement!r})
"""


@pytest.mark.parametrize("placement", ["random", "agents"])
@pytest.mark.parametrize("stay", [True, False])
def test_a_policy_is_served_as_a_bot(placement: str, stay: bool, program: str, tmp_path: Path) -> None:
    """A bot whose program calls serve_policy plays in the program, without a fault."""
    bot = tmp_path / "bot"
    bot.mkdir()
    paths = [str(Path(broadside.__file__).parents[1]), sysconfig.get_path("purelib")]
    (bot / "bot.py").write_text(BOT.format(paths=paths, placement=placement))
    about = {"Author": "A", "NickName": "Served", "BotType": "Python3", "ProjectLocation": "", "RunFile": "bot.py"}
    (bot / "bot.json").write_text(json.dumps({**about, "Stay": stay}))
    folder = tmp_path / "match"
    command = [program, "play", "-b", bot, "builtin:random", "--size", "1", "--seed", "1", "--sandbox", "off", "-l", folder]
    subprocess.run([*command, "--nolimit"], check=True, capture_output=True)
    record = broadside.read(folder)
    turns = list(record)
    assert record.names == ["Served", "builtin:random"] and len(turns) > 10
    assert all(turn.answers[0].fault is None for turn in turns)
    if stay and placement == "agents":
        # It is the policy in this process.
        class Policy:
            def __init__(self) -> None:
                self.random = np.random.default_rng(3)

            def decide(self, view: SeenView) -> int:
                return int(self.random.choice(np.flatnonzero(view.action_mask)))

        outcome = play_match([Policy(), "builtin:random"], game="entelect-2017", size=1, seed=1, placement="agents")
        assert outcome == record.outcome


def test_the_names_in_a_message_are_those_of_the_outcome() -> None:
    one = Watchful()
    told = broadside.play([one, str(REPOSITORY / "bots/random-python")], size=1, seed=2, placement="agents")
    assert told["names"] == ["Watchful", "Random Python"]
    assert one.seen[-1].state["OpponentMap"]["Name"] == "Random Python"


def test_threads_share_a_match() -> None:
    """Arrays are made while a match is held, and the interpreter may run another thread meanwhile, which wants the match."""
    match = broadside.match("entelect-2017", size=3, seed=1)
    match.observe(0)

    def look() -> None:
        for _ in range(2000):
            match.observe(0)
            match.view(1)

    threads = [threading.Thread(target=look, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=100)
        assert not thread.is_alive()


def test_a_policy_that_does_not_return_is_stopped_by_a_signal(tmp_path: Path) -> None:
    script = tmp_path / "stuck.py"
    script.write_text(
        "import os, signal, threading, broadside\n"
        # A shell may have started the tests with this signal ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Policy:\n"
        "    def decide(self, view):\n"
        "        assert threading.current_thread() is threading.main_thread()\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        while True:\n"
        "            pass\n"
        "try:\n"
        "    broadside.play([Policy(), 'builtin:random'], game='bots-arena')\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert told.stdout == "stopped\n", told


def test_a_match_is_stopped_by_a_signal(tmp_path: Path) -> None:
    """Ctrl-C ends a match of the runner before its next turns."""
    script = tmp_path / "endless.py"
    script.write_text(
        "import os, signal, broadside\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "turns = 0\n"
        "class Policy:\n"
        "    def decide(self, view):\n"
        "        global turns\n"
        "        turns = max(turns, view.turn)\n"
        "        if view.turn == 5:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "        # Shots at the same cell sink nothing, so the match has 10,000 turns.\n"
        "        return 1 if view.turn else int(view.action_mask.argmax())\n"
        "try:\n"
        "    broadside.play([Policy(), Policy()], game='salvo', rounds_without_sinking=1000)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', turns)\n"
    )
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    word, turns = told.stdout.split()
    assert word == "stopped" and 5 <= int(turns) < 9_000, told
