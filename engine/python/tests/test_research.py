"""docs/research.md names all planes and scalars."""

import re

import pytest

import broadside

from .conftest import REPOSITORY

PLAYERS = 3


def names(rows: list[str], game: str) -> list[str]:
    """Return the names in the first column of a table, with all ships, weapons and opponents in the place of the words for them."""
    layout = broadside.layout(game, players=PLAYERS if game == "salvo" else None)
    words = {
        "SHIP": [name for name, _ in layout["ships"]],
        "WEAPON": layout["kinds"][:-1],
        "N": [str(number) for number in range(1, PLAYERS)],
    }
    found = re.findall(r"`([^`]+)`", "".join(row.split("|")[1] for row in rows))
    for word, values in words.items():
        found = [
            re.sub(rf"\b{word}\b", value, name)
            for name in found
            for value in (values if re.search(rf"\b{word}\b", name) else [""])
        ]
    return found


@pytest.mark.parametrize("game", broadside.GAMES)
def test_tables_name_all_planes_and_scalars(game: str) -> None:
    page = (REPOSITORY / "docs/research.md").read_text(encoding="utf-8")
    common = page.split("Every game has these scalars first:")[1].split("###")[0]
    section = page.split(f"### {game}\n")[1].split("\n#")[0]
    layout = broadside.layout(game, players=PLAYERS if game == "salvo" else None)
    rows = {kind: [row for row in text.splitlines() if row.startswith("| `")] for kind, text in tables(section).items()}
    planes = names(rows["plane"], game)
    scalars = names([row for row in common.splitlines() if row.startswith("| `")] + rows["scalar"], game)
    if game == "salvo":
        # The planes and scalars of an opponent follow each other.
        planes, scalars = sorted(planes), sorted(scalars)
        layout = {**layout, "planes": sorted(layout["planes"]), "scalars": sorted(layout["scalars"])}
    assert planes == layout["planes"]
    assert scalars == layout["scalars"]


def tables(section: str) -> dict[str, str]:
    """Return the tables of a section by the headings of their first columns."""
    return {heading: text for heading, text in re.findall(r"^\| (\w+) \|.*\n((?:\|.*\n)+)", section + "\n", re.MULTILINE)}
