"""Records of matches: read, written, and as arrays for supervised learning."""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadside import _engine
from broadside._engine import Match

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Answer:
    """The answer of a player in a turn.

    Attributes:
        parts: Its parts exactly as the player gave them.
        actions: The actions that stand for it: one, or one for each ship. ``None`` if it was no order, or none that an action
            stands for.
        fault: Why there was no usable order.
        ms: The time it took in milliseconds, where it was measured.
    """

    parts: dict[str, bytes]
    actions: list[int] | None
    fault: str | None
    ms: float | None


@dataclass(frozen=True)
class Turn:
    """A turn of a record.

    Attributes:
        number: The turn, counted from 0.
        before: The match before the turn.
        answers: The answers by seat.
    """

    number: int
    before: Match
    answers: dict[int, Answer]

    def observe(self, seat: int) -> dict[str, NDArray[Any]]:
        """Return what a seat knew before the turn: ``observation``, ``scalars`` and ``action_mask``."""
        return self.before.observe(seat)


class Record:
    """A record, whose turns are read one after the other. It is played again while it is read, and must follow the rules.

    Example:
        >>> record = read("replays/sea-battle.jsonl")  # doctest: +SKIP
        >>> for turn in record:  # doctest: +SKIP
        ...     print(turn.number, turn.answers)
    """

    def __init__(self, path: Path, placement: str = "agents", mask: str = "legal") -> None:
        """Open a record, see :func:`read`."""
        self._path = path
        self._options = (placement, mask)
        reader = _engine.Reader(path, *self._options)
        self.game: str = reader.game
        self.settings: str = reader.settings
        self.seed: int = reader.seed
        self.names: list[str] = reader.names
        self.header: dict[str, Any] = json.loads(reader.header)
        self.ended: str | None = reader.ended
        self.outcome: dict[str, Any] | None = reader.outcome
        self._turns = len(reader)

    def __len__(self) -> int:
        """Return the number of turns."""
        return self._turns

    def __iter__(self) -> Iterator[Turn]:
        """Return the turns in which somebody was asked."""
        reader = _engine.Reader(self._path, *self._options)
        while (turn := reader.next_turn()) is not None:
            number, before, answers = turn
            yield Turn(number, before, {seat: Answer(**answer) for seat, answer in answers.items()})


def read(path: Path, *, placement: str = "agents", mask: str = "legal") -> Record:
    """Read the record of a match: a file, plain or compressed, or the folder of a match.

    Args:
        path: The file or folder.
        placement: ``agents``: actions and masks include those that place ships. ``random``: they do not, as in environments whose
            fleets are placed at random.
        mask: See :func:`broadside.match`. Players may have done what ``useful`` leaves out.

    Raises:
        ValueError: It is not a record, is damaged, or does not follow the rules.
    """
    return Record(path, placement, mask)


def verify(path: Path) -> int:
    """Play a recorded match again, compare it with the record, and return the number of turns.

    Raises:
        ValueError: With the first difference.
    """
    return _engine.Reader(path).verify()


def save(match: Match, path: Path, names: list[str] | None = None) -> None:
    """Write the record of a match, which ``broadside verify`` and ``broadside replay`` read; compressed if it ends with ``.zst``."""
    _engine.save(path, match.record(names))


def positions(
    paths: Path | Iterable[Path], *, placement: str = "agents", mask: str = "legal"
) -> dict[str, NDArray[Any]]:
    """Return all positions of records in which an action was taken, as arrays. The records must be of the same game and settings.

    Args:
        paths: A record or several.
        placement: As for :func:`read`; with ``random`` the placing of ships is left out.
        mask: As for :func:`read`.

    Returns:
        ``observation``, ``scalars``, ``action_mask``, ``action``, ``seat``, ``turn``, ``record`` (its number) and ``outcome`` (1 if
        the seat won the match, -1 if it lost it, 0 after a draw or without an outcome); the first axis is that of the positions.
    """
    all_paths: list[Path] = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not all_paths:
        raise ValueError("there are no records: the shapes of positions are those of their game")
    found: dict[str, list[NDArray[Any]]] = {}
    kind: tuple[str, str, int] | None = None
    for number, path in enumerate(all_paths):
        reader = _engine.Reader(path, placement, mask)
        this = (reader.game, reader.settings, len(reader.names))
        kind = kind or this
        if this != kind:
            raise ValueError(f"{os.fspath(path)} is of another game, or has other settings, than {os.fspath(all_paths[0])}")
        arrays = reader.positions()
        seats = arrays["seat"]
        outcome = np.zeros(len(seats), np.int8)
        if reader.outcome is not None and reader.outcome["winner"] is not None:
            outcome = np.where(seats == reader.outcome["winner"], 1, -1).astype(np.int8)
        arrays["outcome"] = outcome
        arrays["record"] = np.full(len(seats), number)
        for name, array in arrays.items():
            found.setdefault(name, []).append(array)
    return {name: np.concatenate(parts) for name, parts in found.items()}


def to_parquet(
    paths: Path | Iterable[Path], file: Path, *, placement: str = "agents", mask: str = "legal"
) -> int:
    """Write the positions of records to a Parquet file, a row for each, and return their number.

    Arrays are lists; their sides are in the metadata of the file (``shape.observation`` and so on). Needs
    ``pip install 'broadside[parquet]'``.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("to_parquet needs pyarrow: pip install 'broadside[parquet]'") from error
    arrays = positions(paths, placement=placement, mask=mask)
    columns = {
        name: pyarrow.array(list(array.reshape(len(array), -1)) if array.ndim > 1 else array)
        for name, array in arrays.items()
    }
    shapes = {f"shape.{name}": json.dumps(array.shape[1:]) for name, array in arrays.items() if array.ndim > 1}
    table = pyarrow.table(columns).replace_schema_metadata(shapes)
    pyarrow.parquet.write_table(table, file)
    return int(table.num_rows)
