"""Games and their settings."""

import json
import os
from collections.abc import Mapping
from typing import Any

from broadside import _engine
from broadside._engine import Match

_SIZES = {1: "small", 2: "medium", 3: "large", 7: "small", 10: "medium", 14: "large"}


def settings(
    game: str,
    *,
    size: int | str | None = None,
    moves: int | None = None,
    profile: str | None = None,
    width: int | None = None,
    height: int | None = None,
    ships: list[int] | None = None,
    rounds_without_sinking: int | None = None,
    rules: Mapping[str, Any] | str | os.PathLike[str] | None = None,
) -> str:
    """Return the settings of a game as JSON, as records have them. Settings that are not given have their usual values.

    Args:
        game: The name of the game.
        size: ``entelect-2017``: 1, 2 or 3 for maps of 7 x 7, 10 x 10 (usual) or 14 x 14; or ``small``, ``medium``, ``large``.
        moves: ``sea-battle``: the moves of each player, 120 as usual.
        profile: ``sea-battle``: ``text`` (usual) or ``public-server``.
        width: ``bots-arena``: the columns of a board, 1 to 100.
        height: ``bots-arena``: the rows of a board, 1 to 100.
        ships: ``bots-arena``: the numbers of ships of length 1 to 6.
        rounds_without_sinking: ``salvo``: after how many rounds without a sinking a match is over.
        rules: ``battleship``: the name of a preset, the path of a file of rules, or its keys with their values. The classic game as
            usual.

    Raises:
        ValueError: A setting is not one of the game's, or out of range.
    """
    given: dict[str, Any] = {}
    if size is not None:
        named = _SIZES.get(size) if isinstance(size, int) else size
        if named is None:
            raise ValueError(f"the sizes are 1 (7 x 7), 2 (10 x 10) and 3 (14 x 14), not {size}")
        given["size"] = named
    if moves is not None:
        given["max_moves_each"] = moves
    for key, value in {
        "profile": profile,
        "width": width,
        "height": height,
        "ships": ships,
        "rounds_without_sinking": rounds_without_sinking,
    }.items():
        if value is not None:
            given[key] = value
    if isinstance(rules, Mapping):
        given.update(rules)
    elif rules is not None:
        given.update(json.loads(_engine.rules_as_json(os.fspath(rules))))
    text = json.dumps(given)
    # Whoever makes a mistake hears of it here.
    _engine.layout(game, text)
    return text


def layout(game: str, *, players: int | None = None, placement: str = "random", **of_game: Any) -> dict[str, Any]:
    """Return what the numbers of actions and observations mean.

    The keys are ``board`` (columns, rows), ``actions`` (how many), ``kinds`` (of orders), ``place_kinds`` (how many of them, the last,
    place a ship), ``planes``, ``scalars``, ``ships`` (name, number of cells) and ``agents_place``. Action 0 is no order; the others are ``1 + kind * cells + x * rows + y``.

    Example:
        >>> layout("bots-arena", width=4, height=3, ships=[2, 0, 0, 0, 0, 0])["actions"]
        13
    """
    return _engine.layout(game, settings(game, **of_game), players, placement)


def match(
    game: str,
    *,
    players: int | None = None,
    seed: int = 0,
    placement: str = "random",
    mask: str = "useful",
    reward: str = "outcome",
    **of_game: Any,
) -> Match:
    """Begin one match.

    Args:
        game: The name of the game.
        players: The number of players, for ``salvo`` 2 to 16 and for ``battleship`` as its rules say; without one the least.
        seed: The seed of the match.
        placement: ``random``: fleets are placed at random by the seed. ``agents``: agents place them, a ship with each action.
        mask: ``useful``: the mask leaves out shots where nothing is left to be hit. ``legal``: it has all that the rules obey.
        reward: ``outcome``: 1 for the winner, -1 for the others, 0 after a draw. ``hits``: also the share of the opponents'
            ships that was hit in each step, less what the opponents hit.
        **of_game: The settings of the game, see :func:`settings`.

    Example:
        >>> one = match("bots-arena", seed=7)
        >>> while (seat := one.current) is not None:
        ...     one.act(seat, one.legal_actions(seat)[0])
        >>> sorted(one.outcome)
        ['ending', 'points', 'ranking', 'scoring', 'turns', 'winner']
    """
    return Match(
        game,
        settings=settings(game, **of_game),
        players=players,
        seed=seed,
        placement=placement,
        mask=mask,
        reward=reward,
    )
