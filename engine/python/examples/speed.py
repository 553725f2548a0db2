"""Measures games and actions a second, beside OpenSpiel's Battleship if it is installed, in turns and in one run.

    python examples/speed.py [SECONDS]

A game is played from its first ship or shot to its end by agents that choose among the allowed actions at random. OpenSpiel's game has
the size, ships and number of shots that it has without parameters. An action is that of one agent. Batches write the observations of all
agents in every step; the other rows do so where they say it. One thread, except where threads are named.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import broadside

ROUNDS = 5


def one_at_a_time(game: str, observes: bool = False, **options: Any) -> Iterator[int]:
    """Plays matches one by one, action by action, and yields the actions of each."""
    match = broadside.match(game, **options)
    seed = 0
    while True:
        seed += 1
        match.reset(seed)
        actions = 0
        while (seat := match.current) is not None:
            if observes:
                match.observe(seat)
            match.act(seat, random.choice(match.legal_actions(seat)))
            actions += 1
        yield actions


def openspiel(observes: bool = False) -> Iterator[int]:
    """Plays OpenSpiel's Battleship in the same way."""
    import pyspiel

    game = pyspiel.load_game("battleship")
    while True:
        state = game.new_initial_state()
        actions = 0
        while not state.is_terminal():
            if observes:
                # Its observation has no tensor.
                state.information_state_tensor(state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
            actions += 1
        yield actions


def batched(game: str, matches: int, threads: int, **options: Any) -> Iterator[tuple[int, int]]:
    """Steps many matches, and yields the games that ended and the actions that were taken."""
    batch = broadside.Batch(game, matches, threads=threads, **options)
    while True:
        acting = int(np.count_nonzero(batch.to_act))
        batch.step(batch.sample())
        yield int(np.count_nonzero(batch.terminated)), acting


def rate(plays: Callable[[], tuple[float, float]], seconds: float) -> tuple[float, float]:
    """Returns games and actions a second."""
    begun = time.perf_counter()
    games = actions = 0.0
    while time.perf_counter() - begun < seconds:
        more_games, more_actions = plays()
        games += more_games
        actions += more_actions
    took = time.perf_counter() - begun
    return games / took, actions / took


def main() -> None:
    """Measures all in turns, and prints medians."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    measured: dict[str, Callable[[], tuple[float, float]]] = {}

    def add(name: str, plays: Iterator[Any]) -> None:
        def play() -> tuple[float, float]:
            played = next(plays)
            return played if isinstance(played, tuple) else (1, played)

        measured[name] = play

    try:
        import pyspiel  # noqa: F401

        add("openspiel battleship", openspiel())
        add("openspiel battleship, with observations", openspiel(observes=True))
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel", file=sys.stderr)
    add("battleship by the rules of openspiel, one at a time", one_at_a_time("battleship", rules="openspiel"))
    add("battleship by the rules of openspiel, 512 at once, 1 thread", batched("battleship", 512, 1, rules="openspiel"))
    for game in broadside.GAMES:
        add(f"{game}, one at a time", one_at_a_time(game))
        add(f"{game}, one at a time, with observations", one_at_a_time(game, observes=True))
        add(f"{game}, one at a time, ships placed by agents", one_at_a_time(game, placement="agents"))
        add(f"{game}, 512 at once, 1 thread", batched(game, 512, 1))
        add(f"{game}, 512 at once, 2 threads", batched(game, 512, 2))
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in measured}
    for _ in range(ROUNDS):
        for name, plays in measured.items():
            rates[name].append(rate(plays, seconds))
    print(f"{'':58}{'games/s':>12}{'actions/s':>14}")
    for name, found in rates.items():
        games, actions = (statistics.median(values) for values in zip(*found, strict=True))
        print(f"{name:58}{games:12,.0f}{actions:14,.0f}")


if __name__ == "__main__":
    main()
