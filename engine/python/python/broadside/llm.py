"""Language models as policies: texts, tool schemas, and the reading of answers. The call of a model is the user's.

A function ``ask(messages, tools)`` calls the model. It is given the messages of one decision and the tools, and returns the arguments of
the tool that the model called, as a dictionary or as JSON, or the text that it answered instead. Nothing here opens a connection.

Example:
    >>> import broadside
    >>> def ask(messages, tools):
    ...     return 'I fire at the middle: {"order": "strike", "x": 4, "y": 5}'
    >>> policy = ModelPolicy(ask, "bots-arena")
    >>> policy.decide(broadside.match("bots-arena", seed=1).view(0))
    46
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from broadside import games
from broadside.policies import SeenView

Message = dict[str, str]
"""``role`` (``system``, ``user`` or ``assistant``) and ``content``."""

Ask = Callable[[list[Message], list[dict[str, Any]]], Mapping[str, Any] | str]
"""Calls a model: from messages and tools to the arguments of the tool that it called, or to its text."""

TOOL = "act"
"""The name of the tool."""

NOTHING = "nothing"
"""The order of a player that does nothing in a turn."""

_SIGNS = (
    "Signs: ~ water that nobody has fired at, ! a miss, * a hit, a capital letter one of your ships, a small letter a cell of it "
    "that was hit, ^ a shot whose result you are not told, @ a shot that a shield caught, % armour that was hit and holds. "
    "The number before a row is its y, the number below a column its x."
)

RULES = {
    "entelect-2017": (
        "Two players act at the same time in each round. Energy comes with every round and adds up. A single shot costs 1. Special "
        "weapons cost more, and need a ship that is afloat: double shots hit the cells above and below, or left and right of their "
        "centre; a corner shot its four diagonal neighbours; a diagonal cross shot these and the centre; a cross shot the centre and "
        "its four straight neighbours; a seeker missile the nearest ship within a distance of 2. A shield protects a square of your "
        "own board for as many rounds as it has charges. Row 0 is at the bottom. Whoever sinks all ships wins."
    ),
    "sea-battle": (
        "The players move in turn; a hit gives no other move. No two ships touch, not even by a corner. The battleship (3 cells) has "
        "armour: each of its cells takes two hits, and only a second shot at a hit cell that is not sunk tells. Once in a match you "
        "can use radar in place of a shot: it shows the ships, but for the submarine, in the 3 x 3 cells around a cell. Row 0 is at "
        "the top. Whoever has hit everything wins; after the last move the one with more hits."
    ),
    "bots-arena": (
        "The players strike one cell each in turn; a hit gives no other strike. Ships may touch. Row 0 is at the top. Whoever has hit "
        "all cells of the opponent's ships wins."
    ),
    "salvo": (
        "The players fire in turn. A salvo has a shot for each ship that the shooter has afloat, and each shot names its target. You "
        "are told how many shots of a salvo hit, and which ship sank, but not which shot it was. Row 0 is at the top. The last player "
        "with ships wins."
    ),
    "battleship": (
        "The rules are the choices of a file: see the JSON object at the end. Row 0 is at the top. In solo each player fires at a fleet of "
        "its own, and the fewest shots win; otherwise the last player with ships wins. Where a move has several shots, you give one after "
        "the other."
    ),
}
"""The rules of each game in short, as they are told to a model."""


@dataclass
class Decided:
    """A decision, with all that was said.

    Attributes:
        seat: The number of the seat.
        turn: The turn, counted from 0.
        messages: All that was said between the two.
        action: The number of the action; ``None`` if the model gave none in all its attempts.
    """

    seat: int
    turn: int
    messages: list[Message]
    action: int | None


@dataclass(frozen=True)
class Choices:
    """The actions that are allowed in a view, by the names that a model uses.

    Attributes:
        kinds: The names of kinds of orders, in the order of their numbers.
        board: Columns and rows.
        allowed: 1 for each action that is allowed.
    """

    kinds: Sequence[str]
    board: tuple[int, int]
    allowed: np.ndarray[Any, Any] = field(repr=False)

    @property
    def orders(self) -> list[str]:
        """The kinds of orders that are allowed somewhere."""
        cells = self.board[0] * self.board[1]
        # The mask of a match whose fleets are placed at random has no kinds that place ships.
        by_kind = self.allowed[1:].reshape(-1, cells)
        named = [kind for kind, allowed in zip(self.kinds, by_kind, strict=False) if allowed.any()]
        return [NOTHING, *named] if self.allowed[0] else named

    def tool(self, form: str = "openai") -> dict[str, Any]:
        """Return the schema of the tool.

        Args:
            form: ``openai`` (``{"type": "function", "function": …}``), ``anthropic`` (``input_schema``) or ``schema`` (the schema of
                the arguments alone).

        Raises:
            ValueError: There is no such form.
        """
        width, height = self.board
        schema = {
            "type": "object",
            "properties": {
                "order": {"type": "string", "enum": self.orders, "description": "The thing to do"},
                "x": {"type": "integer", "minimum": 0, "maximum": width - 1, "description": "The column"},
                "y": {"type": "integer", "minimum": 0, "maximum": height - 1, "description": "The row"},
            },
            "required": ["order", "x", "y"],
            "additionalProperties": False,
        }
        about = "Do one thing in this turn, at one cell."
        if form == "openai":
            return {"type": "function", "function": {"name": TOOL, "description": about, "parameters": schema}}
        if form == "anthropic":
            return {"name": TOOL, "description": about, "input_schema": schema}
        if form == "schema":
            return schema
        raise ValueError(f"the forms are 'openai', 'anthropic' and 'schema', not {form!r}")

    def read(self, answer: Mapping[str, Any] | str) -> int:
        """Return the number of the action that an answer means.

        Args:
            answer: The arguments of the tool, or a text in which they are the last JSON object.

        Raises:
            ValueError: The answer means none, or one that is not allowed. The message is for the model.
        """
        arguments = _last_object(answer) if isinstance(answer, str) else answer
        order = arguments.get("order")
        if order == NOTHING:
            number = 0
        elif order in self.kinds:
            x, y = (_whole(arguments, name) for name in ("x", "y"))
            width, height = self.board
            if not (0 <= x < width and 0 <= y < height):
                raise ValueError(f"x goes from 0 to {width - 1} and y from 0 to {height - 1}; ({x}, {y}) is off the board")
            number = 1 + self.kinds.index(str(order)) * width * height + x * height + y
        else:
            raise ValueError(f"order must be one of {self.orders}, not {order!r}")
        if not self.allowed[number]:
            where = "" if number == 0 else f" at ({x}, {y})"
            raise ValueError(f"{order}{where} is not possible now, or changes nothing; choose another cell or order")
        return number


class ModelPolicy:
    """A policy that asks a language model.

    Attributes:
        decided: The last decisions, with all that was said; ``kept`` of them.
        counts: ``decisions``, ``asked`` (calls of the model), ``refused`` (answers that meant no allowed action) and ``given up``
            (decisions without an order after all attempts).
    """

    def __init__(
        self,
        ask: Ask,
        game: str,
        *,
        players: int | None = None,
        placement: str = "random",
        attempts: int = 3,
        form: str = "openai",
        kept: int = 1000,
        **of_game: Any,
    ) -> None:
        """Make a policy.

        Args:
            ask: Calls the model (:data:`Ask`). An exception in it ends the match and is raised again.
            game: The name of the game.
            players: The number of players, for ``salvo``.
            placement: ``random`` or ``agents``, as in the match.
            attempts: How often the model is asked for one decision; after a refused answer it is told the reason.
            form: The form of the tool, see :meth:`Choices.tool`.
            kept: How many decisions are kept.
            **of_game: The settings of the game, see :func:`broadside.settings`.
        """
        if attempts < 1:
            raise ValueError(f"a model must be asked at least once, not {attempts} times")
        self.layout = games.layout(game, players=players, placement=placement, **of_game)
        self.game = game
        self._choices = f" {games.match(game, players=players, **of_game).settings}" if game == "battleship" else ""
        self.decided: list[Decided] = []
        self.counts: Counter[str] = Counter()
        self._ask, self._attempts, self._form, self._kept = ask, attempts, form, kept

    def decide(self, view: SeenView) -> int | None:
        """Ask the model until it names an allowed action; no order after the last attempt."""
        choices = self.choices(view)
        messages = [
            {"role": "system", "content": self.rules()},
            {"role": "user", "content": self.describe(view)},
        ]
        self.counts["decisions"] += 1
        action = None
        for _ in range(self._attempts):
            self.counts["asked"] += 1
            answer = self._ask([dict(message) for message in messages], [choices.tool(self._form)])
            told = answer if isinstance(answer, str) else json.dumps(dict(answer))
            messages.append({"role": "assistant", "content": told})
            try:
                action = choices.read(answer)
                break
            except ValueError as mistake:
                self.counts["refused"] += 1
                messages.append({"role": "user", "content": f"That cannot be done: {mistake}."})
        else:
            self.counts["given up"] += 1
        self.decided.append(Decided(view.seat, view.turn, messages, action))
        del self.decided[: -self._kept]
        return action

    def choices(self, view: SeenView) -> Choices:
        """Return the actions that are allowed in a view."""
        return Choices(self.layout["kinds"], tuple(self.layout["board"]), view.action_mask)

    def rules(self) -> str:
        """Return the rules, the fleet and the signs of the boards, for the system's message."""
        columns, rows = self.layout["board"]
        fleet = ", ".join(f"{name} ({length})" for name, length in self.layout["ships"])
        return (
            f"You play a game of Battleship on boards of {columns} columns and {rows} rows. {RULES[self.game]} "
            f"A fleet has these ships (cells): {fleet}. {_SIGNS} Answer with the tool {TOOL!r}.{self._choices}"
        )

    def describe(self, view: SeenView) -> str:
        """Return what a seat may know now, and what it is asked for."""
        if view.scalars[0] > 0:
            # The second scalar of all games is the share of ships that are placed.
            placed = round(float(view.scalars[1]) * len(self.layout["ships"]))
            name, length = self.layout["ships"][placed]
            asked = (
                f"Place the {name}, which has {length} cells. "
                "The cell you name has its least x and y; a straight ship grows to x + 1 (east) or y + 1 (north)."
            )
        else:
            asked = f"What do you do? You can: {', '.join(self.choices(view).orders)}."
        seat = chr(ord("A") + view.seat)
        return f"You are player {seat}.\n\n{view.text}\n{asked}"


def _whole(arguments: Mapping[str, Any], name: str) -> int:
    value = arguments.get(name)
    if isinstance(value, str):
        value = value.strip()
    try:
        whole = int(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None
    if isinstance(value, float) and value != whole:
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    return whole


def _last_object(text: str) -> Mapping[str, Any]:
    """Return the last JSON object of a text."""
    decoder = json.JSONDecoder()
    for start in range(len(text) - 1, -1, -1):
        if text[start] != "{":
            continue
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise ValueError('there is no call of the tool and no JSON object such as {"order": …, "x": 3, "y": 4} in it')
