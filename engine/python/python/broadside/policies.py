"""Policies: what decides for a seat, and what can be done with one."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from broadside import _engine, games
from broadside._engine import BuiltIn, Match
from broadside.batch import Batch

Decision = int | str | Mapping[str, str | bytes] | None
"""A decision of a policy: the number of an action, the text of a bot's answer, its parts by name, or nothing."""


class SeenView(Protocol):
    """The view of a policy: :class:`broadside.View`, or the files of a bot with the same attributes."""

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def seat(self) -> int:
        """The number of the seat."""

    @property
    def turn(self) -> int:
        """The turn, counted from 0."""

    @property
    def observation(self) -> NDArray[np.uint8]:
        """The planes."""

    @property
    def scalars(self) -> NDArray[np.float32]:
        """The scalars."""

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """1 for each action that is allowed."""

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All three by their names."""

    @property
    def message(self) -> str:
        """The message that a bot of the game gets, as JSON."""

    @property
    def state(self) -> Any:
        """The message as Python objects."""

    @property
    def text(self) -> str:
        """The boards as text."""


@runtime_checkable
class Policy(Protocol):
    """Decides for a seat.

    While agents place their ships one by one, it is asked once for each ship.
    """

    def decide(self, view: SeenView) -> Decision:
        """Decide what to do in this turn."""


BatchPolicy = Callable[[dict[str, NDArray[Any]]], ArrayLike]
"""From observations, whose first axis is that of the matches, to one action for each."""


class RandomPolicy:
    """Takes one of the allowed actions with equal chances."""

    def __init__(self, seed: int = 0) -> None:
        """Make a policy whose choices depend on the seed."""
        self._random = np.random.default_rng(seed)

    def decide(self, view: SeenView) -> int:
        """Decide at random."""
        return int(self._random.choice(np.flatnonzero(view.action_mask)))


class BuiltInPolicy:
    """A built-in player as a policy for matches in Python: one of :data:`broadside.BUILT_INS`, such as ``hunter``."""

    def __init__(self, game: str, name: str, seed: int = 0) -> None:
        """Make the player: the same seed gives the same moves as in the program."""
        self.player = BuiltIn(game, name, seed)

    def answer(self, match: Match, seat: int) -> None:
        """Decide for a seat of a match that is to act, and take the answer."""
        match.answer(seat, self.player.answer(match, seat))


@dataclass(frozen=True)
class Result:
    """The results of games against an opponent.

    Example:
        >>> print(Result(wins=60, losses=38, draws=2))
        61.0 % of 100 games (95 %: 51.2 to 70.0)
    """

    wins: int
    losses: int
    draws: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.losses + self.draws

    @property
    def rate(self) -> float:
        """The share of points, 0 to 1: a win is a point, a draw half of one."""
        return (self.wins + self.draws / 2) / max(self.games, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the rate with a confidence of 95 %, by Wilson's method."""
        z, n, p = 1.959964, max(self.games, 1), self.rate
        centre, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)

    def __str__(self) -> str:
        """Return the rate with its bounds in percent."""
        low, high = self.interval
        return f"{100 * self.rate:.1f} % of {self.games} games (95 %: {100 * low:.1f} to {100 * high:.1f})"


def evaluate(
    policy: Policy | BatchPolicy | str,
    opponent: Policy | str = "builtin:random",
    *,
    game: str = "entelect-2017",
    games: int = 200,
    seed: int = 0,
    placement: str = "random",
    **of_game: Any,
) -> Result:
    """Play games between two policies of a game of two players, and count.

    Every seed is played twice, with seats changed.

    Args:
        policy: An object with ``decide(view)``, a function from observations to actions (:data:`BatchPolicy`), or the name of a
            built-in player.
        opponent: The same, but no function.
        game: The name of the game.
        games: The number of games, rounded up to an even one.
        seed: The base of the seeds.
        placement: ``random`` or ``agents``, see :func:`broadside.match`. Built-in players always place their own fleets.
        **of_game: The settings of the game, see :func:`broadside.settings`.

    Example:
        >>> evaluate("builtin:hunter", "builtin:random", game="bots-arena", games=20).rate > 0.8
        True
    """
    if not isinstance(policy, str) and not isinstance(policy, Policy):
        if not isinstance(opponent, str):
            raise TypeError("a function of observations meets built-in players only; give it a method decide(view)")
        return _evaluate_batch(policy, opponent, game, games, seed, placement, of_game)
    counts = {"wins": 0, "losses": 0, "draws": 0}
    for number in range(games + games % 2):
        seat = number % 2
        players: list[Policy | str] = [policy, opponent] if seat == 0 else [opponent, policy]
        winner = play_match(players, game=game, seed=seed + number // 2, placement=placement, **of_game)["winner"]
        counts["draws" if winner is None else "wins" if winner == seat else "losses"] += 1
    return Result(**counts)


def _evaluate_batch(
    policy: BatchPolicy, opponent: str, game: str, count: int, seed: int, placement: str, of_game: dict[str, Any]
) -> Result:
    wins = losses = draws = 0
    half = (count + 1) // 2
    for seat in (0, 1):
        batch = Batch(
            game, half, seed=seed, placement=placement, opponent=opponent, seat=seat, autoreset="next-step", **of_game
        )
        open_games = np.ones(half, np.bool_)
        while open_games.any():
            observed = {
                "observation": batch.observation[open_games, 0],
                "scalars": batch.scalars[open_games, 0],
                "action_mask": batch.action_mask[open_games, 0],
            }
            actions = np.zeros((half, 1), np.int64)
            actions[open_games, 0] = np.asarray(policy(observed), dtype=np.int64)
            batch.step(actions, open_games)
            ended = batch.terminated & open_games
            wins += int((batch.winners[ended] == seat).sum())
            draws += int((batch.winners[ended] < 0).sum())
            losses += int(((batch.winners[ended] >= 0) & (batch.winners[ended] != seat)).sum())
            open_games &= ~ended
    return Result(wins, losses, draws)


def play_match(
    players: Sequence[Policy | str],
    *,
    game: str,
    seed: int = 0,
    placement: str = "random",
    record: str | os.PathLike[str] | None = None,
    **of_game: Any,
) -> dict[str, Any]:
    """Play one match in this process, between policies and built-in players (``builtin:NAME``), and return its outcome.

    It is the match that the program plays with the same seed, if the policies give the same answers. :func:`play` also takes bots.

    Args:
        players: The policies and built-in players, in the order of their seats.
        game: The name of the game.
        seed: The seed of the match.
        placement: ``random`` or ``agents``, see :func:`broadside.match`. Built-in players always place their own fleets.
        record: The path of the record that is written.
        **of_game: The settings of the game, see :func:`broadside.settings`.
    """
    match = games.match(game, players=len(players), seed=seed, placement="agents", **of_game)
    named = [player if isinstance(player, str) else type(player).__name__ for player in players]
    seated: list[Policy | BuiltInPolicy] = [
        BuiltInPolicy(game, player, seat_seed(seed, seat)) if isinstance(player, str) else player
        for seat, player in enumerate(players)
    ]
    while (seat := match.current) is not None:
        player = seated[seat]
        if isinstance(player, BuiltInPolicy):
            player.answer(match, seat)
        elif match.placing and placement == "random":
            # As the environments do it, and as builtin:random does.
            BuiltInPolicy(game, "random", seat_seed(seed, seat)).answer(match, seat)
        else:
            decide(match, seat, player, placement, named)
    if record is not None:
        Path(record).write_bytes(match.record(named))
    return cast("dict[str, Any]", match.outcome)


def decide(match: Match, seat: int, policy: Policy, placement: str, names: list[str]) -> None:
    """Ask a policy for a seat of a match, and take what it decides."""
    view: SeenView = match.view(seat, names)
    if placement == "random":
        view = _without_places(view, match.layout["place_kinds"])
    decision = policy.decide(view)
    if decision is None:
        match.fail(seat)
    elif isinstance(decision, str | Mapping):
        match.answer(seat, parts_of(view.game, match.placing, decision))
    else:
        match.act(seat, int(decision))


@dataclass(frozen=True)
class ComposedView:
    """A view that was put together in Python."""

    game: str
    seat: int
    turn: int
    arrays: dict[str, NDArray[Any]]
    message: str
    text: str

    @property
    def state(self) -> Any:
        return json.loads(self.message)

    @property
    def observation(self) -> NDArray[np.uint8]:
        return self.arrays["observation"]

    @property
    def scalars(self) -> NDArray[np.float32]:
        return self.arrays["scalars"]

    @property
    def action_mask(self) -> NDArray[np.int8]:
        return self.arrays["action_mask"]


def _without_places(view: SeenView, kinds: int) -> SeenView:
    """Return the view as it is where fleets are placed at random: without the actions of the kinds that place ships."""
    cells = view.observation[0].size
    mask = view.action_mask[: len(view.action_mask) - kinds * cells]
    return ComposedView(view.game, view.seat, view.turn, {**view.arrays, "action_mask": mask}, view.message, view.text)


_PARTS = {
    "entelect-2017": ("place.txt", "command.txt"),
    "sea-battle": ("placement", "move"),
    "bots-arena": ("init.json", "play-turn"),
    "battleship": ("place", "fire"),
}


def parts_of(game: str, placing: bool, decision: str | Mapping[str, str | bytes]) -> list[tuple[str, bytes]]:
    if isinstance(decision, str):
        if game not in _PARTS:
            raise ValueError(f"an answer of {game} has several parts: give a dict")
        decision = {_PARTS[game][0 if placing else 1]: decision}
    return [(name, part.encode() if isinstance(part, str) else part) for name, part in decision.items()]


def seat_seed(seed: int, seat: int) -> int:
    """Return the seed that the player in a seat is given in a match with this seed."""
    return _engine.seat_seed(seed, seat)


def play(
    players: Sequence[Policy | str],
    *,
    game: str = "entelect-2017",
    seed: int | None = None,
    placement: str = "random",
    folder: str | os.PathLike[str] | None = None,
    rounds: bool = False,
    sandbox: str = "on",
    time_limit: bool = True,
    hosts: str = "private",
    **of_game: Any,
) -> dict[str, Any]:
    """Play a match between policies, bots and built-in players, as the program does.

    Args:
        players: The players in the order of their seats. Each is a policy, the folder of a bot, the URL of a bot (``sea-battle``,
            ``bots-arena`` and ``battleship``), or ``builtin:NAME``.
        game: The name of the game.
        seed: The seed of the match; without one, any.
        placement: ``agents``: policies place their ships, a ship with each decision. ``random``: fleets of policies are placed at
            random by the seed.
        folder: The folder for the record (``match.jsonl``); without one nothing is kept.
        rounds: True to keep the files of all rounds as well (``entelect-2017``).
        sandbox: ``on``, ``off`` or ``strict``, for bots that are programs.
        time_limit: True if bots have a time limit. Policies have none.
        hosts: Which hosts may be called: ``private``, ``any`` or a list, see ``broadside play --help``.
        **of_game: The settings of the game, see :func:`broadside.settings`.

    Returns:
        ``winner`` (seat or ``None``), ``ranking``, ``points``, ``ending``, ``turns``, ``names``, ``seed``, ``without_order`` (turns
        of each player without an order that was obeyed) and ``folder``.

    Raises:
        ValueError: A bot cannot be found, built or started.
        RuntimeError: The engine failed. An exception in a policy ends the match and is raised again.
    """
    named = [(p, None) if isinstance(p, str) else (type(p).__name__, p.decide) for p in players]
    return _engine.play(
        game,
        cast("list[tuple[str, Callable[[_engine.View], Any] | None]]", named),
        settings=games.settings(game, **of_game),
        seed=seed,
        placement=placement,
        folder=folder,
        rounds=rounds,
        sandbox=sandbox,
        time_limit=time_limit,
        hosts=hosts,
    )
