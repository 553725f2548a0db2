"""Makes the tables of docs/research.md: moves to sink all, and win rates, of three players in all games.

    python examples/baselines.py [--games 1000] [GAME ...]

The players are `builtin:random`, which fires at any cell that it has not fired at; `hunt-target`, which does the same until it has hit
something and then fires beside its hits; and `builtin:hunter`, which weighs fleets that fit all it knows. The same numbers come out
each time.
"""

import argparse
from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

import broadside
from broadside.policies import BuiltInPolicy, SeenView, decide, seat_seed

TABLES: list[tuple[str, str, dict[str, Any]]] = [
    ("Entelect 2017, 7 x 7", "entelect-2017", {"size": 1}),
    ("Entelect 2017, 10 x 10", "entelect-2017", {"size": 2}),
    ("Entelect 2017, 14 x 14", "entelect-2017", {"size": 3}),
    ("Sea Battle, 10 x 10", "sea-battle", {}),
    ("botsArena, 10 x 10", "bots-arena", {}),
    ("Salvo, two players", "salvo", {}),
]
HITS = {
    "entelect-2017": ("opponent hit", None),
    "sea-battle": ("own hits", "sunk here"),
    "bots-arena": ("own hits", "sunk here"),
    "salvo": ("opponent 1: hits of the salvo", None),
}
"""The planes with hits, and with sinkings where the game tells the cell."""
# Enough for the slowest player to sink all: with fewer moves a match of Sea Battle is counted out.
SOLO = {"sea-battle": {"moves": 1000}, "salvo": {"rounds_without_sinking": 1000}}


class HuntTarget:
    """Fires at random, and beside its hits once it has some. It fires single shots only."""

    def __init__(self, game: str, seed: int = 0) -> None:
        """Make a player whose choices depend on the seed."""
        planes = broadside.layout(game)["planes"]
        self.hit, self.sunk = (None if name is None else planes.index(name) for name in HITS[game])
        self.random = np.random.default_rng(seed)

    def decide(self, view: SeenView) -> int:
        """Decide by the planes."""
        board = view.observation[self.hit]
        open_cells = view.action_mask[1 : 1 + board.size].reshape(board.shape) != 0
        hits = board > 0
        if self.sunk is not None:
            hits &= view.observation[self.sunk] == 0
        targets = beside(hits) & ~hits & open_cells
        chosen = targets if targets.any() else open_cells
        return 1 + int(self.random.choice(np.flatnonzero(chosen)))


def beside(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells with a side in common with one of these."""
    found = np.zeros_like(cells)
    found[1:] |= cells[:-1]
    found[:-1] |= cells[1:]
    found[:, 1:] |= cells[:, :-1]
    found[:, :-1] |= cells[:, 1:]
    return found


def moves_to_sink_all(game: str, player: Callable[[int], Any], seed: int, **of_game: Any) -> int:
    """Return the moves of a player until it has sunk all ships of one that fires at the same cell in every turn."""
    match = broadside.match(game, seed=seed, placement="agents", **{**of_game, **SOLO.get(game, {})})
    mover = player(seat_seed(seed, 0))
    moves = 0
    while (seat := match.current) is not None:
        if match.placing:
            BuiltInPolicy(game, "random", seat_seed(seed, seat)).answer(match, seat)
        elif seat == 1:
            match.act(seat, 1)
        else:
            moves += 1
            if isinstance(mover, BuiltInPolicy):
                mover.answer(match, seat)
            else:
                decide(match, seat, mover, "random", ["A", "B"])
    outcome = match.outcome
    assert outcome is not None and outcome["winner"] == 0, outcome
    return moves


def table(title: str, game: str, of_game: dict[str, Any], games: int) -> list[str]:
    """Return the lines of a table."""
    players: dict[str, tuple[Callable[[int], Any], Any]] = {
        "random": (lambda seed: BuiltInPolicy(game, "random", seed), "builtin:random"),
        "hunt-target": (lambda seed: HuntTarget(game, seed % 2**63), HuntTarget(game, 7)),
        "hunter": (lambda seed: BuiltInPolicy(game, "hunter", seed), "builtin:hunter"),
    }
    heading = ["moves to sink all", *(f"% against {name}" for name in players)]
    lines = [f"| {title} | {' | '.join(heading)} |", "| --- |" + " --- |" * len(heading)]
    for name, (solo, player) in players.items():
        moves = np.array([moves_to_sink_all(game, solo, seed, **of_game) for seed in range(games)])
        cells = [f"{moves.mean():.1f} ± {1.96 * moves.std(ddof=1) / sqrt(games):.1f}"]
        for other, (_, opponent) in players.items():
            if other == name:
                cells.append("")
                continue
            result = broadside.evaluate(player, opponent, game=game, games=games, **of_game)
            low, high = result.interval
            cells.append(f"{100 * result.rate:.1f} ({100 * low:.1f} to {100 * high:.1f})")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=[], help="the games [default: all]")
    parser.add_argument("--games", type=int, default=1000, help="the games of each number")
    chosen = parser.parse_args()
    for title, game, of_game in TABLES:
        if not chosen.game or game in chosen.game:
            print("\n".join([*table(title, game, of_game, chosen.games), ""]), flush=True)


if __name__ == "__main__":
    main()
