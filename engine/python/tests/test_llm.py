"""Language models as policies, with functions in their place."""

import json
import re
from typing import Any

import pytest

import broadside
from broadside import llm
from broadside.policies import play_match

from .conftest import GAMES, all_games, both_placements


class Scripted:
    """Answers as a model would: reads the board in the text, and fires at the first cell that is water."""

    def __init__(self, form: str = "openai", *, as_text: bool = False) -> None:
        self.form, self.as_text = form, as_text
        self.tried: set[tuple[str, int, int]] = set()
        self.heard: list[list[llm.Message]] = []

    def __call__(self, messages: list[llm.Message], tools: list[dict[str, Any]]) -> Any:
        self.heard.append(messages)
        (tool,) = tools
        schema = {"openai": lambda: tool["function"]["parameters"], "anthropic": lambda: tool["input_schema"]}[self.form]()
        properties = schema["properties"]
        columns, rows = (properties[name]["maximum"] + 1 for name in ("x", "y"))
        order = properties["order"]["enum"][0]
        if len(messages) == 2:
            self.tried.clear()
        signs = self.signs(messages[1]["content"], rows)
        cells = [(x, y) for x in range(columns) for y in range(rows)]
        # Armour that was hit once is no water any more.
        cells.sort(key=lambda cell: signs[cell[1]][cell[0]] != "~")
        for x, y in cells:
            if (order, x, y) not in self.tried:
                self.tried.add((order, x, y))
                arguments = {"order": order, "x": x, "y": y}
                return f"I choose {{well}} {json.dumps(arguments)}, hopefully." if self.as_text else arguments
        return "I give up."

    @staticmethod
    def signs(text: str, rows: int) -> dict[int, list[str]]:
        """Return the rows of the last board of a text."""
        found = re.findall(r"^ *(\d+)((?: [~!*^@%a-zA-Z])+)$", text, re.MULTILINE)[-rows:]
        return {int(number): row.split() for number, row in found}


@all_games
@both_placements
def test_a_model_plays_a_whole_game(game: str, options: dict[str, Any], placement: str) -> None:
    ask = Scripted()
    policy = llm.ModelPolicy(ask, game, placement=placement, attempts=200, kept=5, **options)
    players = options.get("players", 2)
    of_game = {name: value for name, value in options.items() if name != "players"}
    seats: list[Any] = [policy, *["builtin:random"] * (players - 1)]
    outcome = play_match(seats, game=game, seed=4, placement=placement, **of_game)
    assert sum(outcome["points"]) > 0
    counts = policy.counts
    assert counts["decisions"] > 10 and counts["given up"] == 0
    assert counts["asked"] == counts["decisions"] + counts["refused"] == len(ask.heard)
    system, user = ask.heard[-1][:2]
    assert (system["role"], user["role"]) == ("system", "user")
    for name, length in policy.layout["ships"]:
        assert f"{name} ({length})" in system["content"]
    assert user["content"].startswith("You are player A.")
    assert len(policy.decided) == 5 and policy.decided[-1].messages[:2] == [system, user]


def test_a_model_is_told_its_mistakes_and_may_try_again() -> None:
    answers: list[Any] = [
        "no idea",
        {"order": "swim", "x": 0, "y": 0},
        {"order": "shoot", "x": 10, "y": 0},
        {"order": "shoot", "x": "many", "y": 0},
        {"order": "shoot", "x": 1.5, "y": 0},
        'Let me think {"order": "radar", "x": 1, "y": 1} ... no: {"order": "shoot", "x": "2", "y": 3.0} it is',
    ]
    told: list[str] = []

    def ask(messages: list[llm.Message], tools: list[dict[str, Any]]) -> Any:
        told.append(messages[-1]["content"])
        return answers[len(told) - 1]

    policy = llm.ModelPolicy(ask, "sea-battle", attempts=6)
    action = policy.decide(broadside.match("sea-battle", seed=1).view(0))
    assert action == 1 + 2 * 10 + 3
    assert policy.counts == {"decisions": 1, "asked": 6, "refused": 5}
    for reason, text in zip(
        ["no JSON object", "order must be one of", "off the board", "not 'many'", "not 1.5"], told[1:], strict=True
    ):
        assert reason in text
    assert llm.ModelPolicy(lambda *_: "", "sea-battle", attempts=2).decide(broadside.match("sea-battle").view(0)) is None


def test_a_shot_that_changes_nothing_is_refused() -> None:
    match = broadside.match("bots-arena", seed=1)
    match.act(0, 1)
    match.act(1, 1)
    policy = llm.ModelPolicy(lambda *_: {"order": "strike", "x": 0, "y": 0}, "bots-arena", attempts=1)
    assert policy.decide(match.view(0)) is None
    assert "changes nothing" in policy.decided[0].messages[-1]["content"]


def test_tools_have_the_forms_of_several_makers() -> None:
    match = broadside.match("entelect-2017", size=1, seed=1)
    choices = llm.ModelPolicy(lambda *_: "", "entelect-2017", size=1).choices(match.view(0))
    assert choices.orders == ["single shot"]
    schema = choices.tool("schema")
    assert choices.tool("openai")["function"]["parameters"] == choices.tool("anthropic")["input_schema"] == schema
    assert schema["properties"]["x"]["maximum"] == 6 and schema["required"] == ["order", "x", "y"]
    with pytest.raises(ValueError, match="openai"):
        choices.tool("other")
    policy = llm.ModelPolicy(Scripted("anthropic", as_text=True), "bots-arena", form="anthropic")
    assert play_match([policy, "builtin:random"], game="bots-arena", seed=1)["turns"] > 10


def test_what_a_model_raises_ends_the_match() -> None:
    def ask(messages: list[llm.Message], tools: list[dict[str, Any]]) -> str:
        raise ConnectionError("no model")

    with pytest.raises(ConnectionError, match="no model"):
        broadside.play([llm.ModelPolicy(ask, "sea-battle"), "builtin:random"], game="sea-battle")
    with pytest.raises(ValueError, match="at least once"):
        llm.ModelPolicy(ask, "sea-battle", attempts=0)


def test_every_game_has_its_rules() -> None:
    assert set(llm.RULES) == set(broadside.GAMES) == {game for game, _ in GAMES}
