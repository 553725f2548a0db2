"""What all tests share: the games with settings, and the program."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

SHAPES = {
    "name": "shapes",
    "board": {"width": 8, "height": 7},
    "fleet": [{"name": "bow", "shape": ["#..", "###"]}, {"name": "cross", "shape": [".#.", "###", ".#."]}, {"name": "boat", "size": 2}],
    "mirror": True,
    "touching": "corners",
    "told": {"sunk": "cells"},
    "specials": [{"name": "sonar", "kind": "sonar", "uses": 2}],
}

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("entelect-2017", {"size": 1}),
    ("entelect-2017", {"size": 2}),
    ("sea-battle", {}),
    ("bots-arena", {}),
    ("salvo", {"players": 2}),
    ("salvo", {"players": 4}),
    ("battleship", {}),
    ("battleship", {"rules": "salvo-classic"}),
    ("battleship", {"rules": SHAPES}),
]
"""All games with options of environments."""

REPOSITORY = Path(__file__).parents[3]


def name_of(value: object) -> str:
    """Return the name of a parameter in the names of tests."""
    if not isinstance(value, dict):
        return str(value)
    return "-".join(one["name"] if isinstance(one, dict) else str(one) for one in value.values())


all_games = pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)
both_placements = pytest.mark.parametrize("placement", ["random", "agents"])


@pytest.fixture(scope="session")
def program() -> str:
    """Return the path of the program ``broadside``, of BROADSIDE or of the release build."""
    found = os.environ.get("BROADSIDE") or shutil.which(REPOSITORY / "target/release/broadside")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("there is no program: cargo build --release")
        pytest.skip("there is no program: cargo build --release")
    return found
