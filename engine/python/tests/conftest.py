"""What all tests share: the games with settings, and the program."""

import os
import shutil
from pathlib import Path

import pytest

GAMES = [
    ("entelect-2017", {"size": 1}),
    ("entelect-2017", {"size": 2}),
    ("sea-battle", {}),
    ("bots-arena", {}),
    ("salvo", {"players": 2}),
    ("salvo", {"players": 4}),
]
"""All games with options of environments."""

REPOSITORY = Path(__file__).parents[3]


def name_of(value: object) -> str:
    """Return the name of a parameter in the names of tests."""
    return "-".join(map(str, value.values())) if isinstance(value, dict) else str(value)


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
