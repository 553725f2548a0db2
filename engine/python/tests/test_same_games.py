"""The same games in Python and in the program: records equal to the byte."""

import json
import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import broadside
from broadside.policies import seat_seed

SEEDS = int(os.environ.get("BROADSIDE_SEEDS", "1000"))
"""The number of seeds for each game."""

PAIRS = [("hunter", "random"), ("random", "hunter"), ("hunter", "hunter"), ("random", "random")]

games = pytest.mark.parametrize("game", broadside.GAMES)


def recorded(program: str, game: str, seed: int, names: list[str], folder: Path) -> bytes:
    """Let the program play a match, and return its record."""
    command = [program, "play", "-b", *names, "--game", game, "--seed", str(seed), "--record", "compact", "-q", "-l", folder]
    subprocess.run(command, check=True, capture_output=True)
    return (folder / "match.jsonl").read_bytes()


def played(game: str, seed: int, names: list[str], record: bytes) -> bytes:
    """Play the same match in Python, with the numbers of actions where there are such, and return its record."""
    lines = record.splitlines()
    header, end = json.loads(lines[0]), json.loads(lines[-1])
    match = broadside.match(game, seed=seed, placement="agents")
    players = [broadside.BuiltIn(game, name, seat_seed(seed, seat)) for seat, name in enumerate(names)]
    while (seat := match.current) is not None:
        parts = players[seat].answer(match, seat)
        actions = match.actions_of(seat, parts)
        assert actions is not None
        if match.placing:
            # The actions give the same fleet in other words.
            match.answer(seat, parts)
        else:
            (action,) = actions
            match.act(seat, action)
    return match.record(names, sequence=header["sequence"], started=header["started"], ended=end["ended"])


@games
def test_records_are_equal_to_the_byte(program: str, game: str, tmp_path: Path) -> None:
    seeds = [random.Random(f"{game} {number}").randrange(2**64) for number in range(SEEDS)]

    def compare(number: int) -> None:
        names = [f"builtin:{name}" for name in PAIRS[number % len(PAIRS)]]
        record = recorded(program, game, seeds[number], names, tmp_path / str(number))
        assert played(game, seeds[number], names, record) == record, (seeds[number], names)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(compare, range(SEEDS)))


@games
@pytest.mark.parametrize("placement", ["random", "agents"])
def test_the_program_verifies_what_python_has_played(program: str, game: str, placement: str, tmp_path: Path) -> None:
    """Also games with illegal orders, faults and players who leave."""
    dice = np.random.default_rng(3)
    options: dict[str, Any] = {"players": 3} if game == "salvo" else {}
    for number in range(60):
        match = broadside.match(game, seed=number, placement=placement, mask="legal", **options)
        while (seat := match.current) is not None:
            if number % 3 == 0 and dice.random() < 0.02:
                match.fail(seat, gave_up=bool(dice.random() < 0.3))
            elif number % 3 == 1 and dice.random() < 0.05:
                match.act(seat, int(dice.integers(match.layout["actions"])))
            else:
                match.act(seat, int(dice.choice(match.legal_actions(seat))))
        name = f"{number}.jsonl.zst" if number % 2 else f"{number}.jsonl"
        broadside.save(match, tmp_path / name, [f"Player {seat}" for seat in range(match.seats)])
        assert broadside.verify(tmp_path / name) == match.turn
    told = subprocess.run([program, "verify", *sorted(tmp_path.iterdir())], check=True, capture_output=True, text=True)
    assert told.stdout.count("\n") >= 60
