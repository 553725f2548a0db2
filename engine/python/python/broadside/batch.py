"""Many matches at once, for self-play and search."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from broadside import _engine, games

_MOST_SEED = 2**64 - 1


class Batch:
    """Many matches that one call moves on, in threads and without the interpreter's lock.

    All arrays are views of the memory that the matches are written to: each :meth:`step` changes them. Copy what you keep.
    They are read-only for good, and keep their shapes and types: a batch whose arrays were reshaped or retyped in place refuses to
    go on.

    Attributes:
        observation: Planes, ``uint8``: matches x seats x planes x columns x rows.
        scalars: ``float32``: matches x seats x scalars.
        action_mask: ``int8``: matches x seats x actions; 1 for allowed actions. A seat that is not to act may only take 0.
        rewards: ``float32``: matches x seats; of the last step.
        terminated: ``bool``: matches; true for those that ended in the last step.
        truncated: ``bool``: matches; true for those that were cut off in the last step.
        to_act: ``bool``: matches x seats; true for seats whose actions count.
        winners: ``int8``: matches; the seat that won the match that ended in the last step, else -1.
        steps: ``uint32``: matches; the steps of the match so far, or of that which ended in the last step.
        layout: The meaning of the numbers, see :func:`broadside.layout`.

    Example:
        >>> many = Batch("entelect-2017", 4, seed=1, size=1)
        >>> many.observation.shape, many.action_mask.shape
        ((4, 2, 7, 7, 7), (4, 2, 393))
        >>> many.step(many.sample())
        >>> int(many.steps[0])
        1
    """

    def __init__(
        self,
        game: str,
        matches: int,
        *,
        players: int | None = None,
        seed: int = 0,
        placement: str = "random",
        mask: str = "useful",
        reward: str = "outcome",
        threads: int = 0,
        autoreset: str = "same-step",
        max_steps: int | None = None,
        opponent: str | None = None,
        seat: int | None = None,
        **of_game: Any,
    ) -> None:
        """Begin the matches.

        Args:
            game: The name of the game.
            matches: The number of matches, 65536 at most.
            players: The number of players of each, for ``salvo`` 2 to 16 and for ``battleship`` as its rules say.
            seed: The base of all seeds: match number n of place i has the seed ``seed + n * matches + i``.
            placement: See :func:`broadside.match`.
            mask: See :func:`broadside.match`.
            reward: See :func:`broadside.match`.
            threads: The number of threads; 0 for one on each processor.
            autoreset: ``same-step``: a match that is over is followed by the next one in the same step, whose observation is seen
                then. ``next-step``: in the step after it, whose actions are not looked at.
            max_steps: The number of steps after which a match is cut off.
            opponent: One of :data:`broadside.BUILT_INS` for all seats but the learner's; then arrays have one seat.
            seat: The learner's seat; without one, another one in each match.
            **of_game: The settings of the game, see :func:`broadside.settings`.
        """
        self._engine = _engine.Batch(
            game,
            matches,
            settings=games.settings(game, **of_game),
            players=players,
            seed=seed % (_MOST_SEED + 1),
            placement=placement,
            mask=mask,
            reward=reward,
            threads=threads,
            autoreset=autoreset,
            max_steps=max_steps,
            opponent=opponent,
            seat=seat,
        )
        self.game = game
        self.matches = matches
        self.seats = self._engine.seen
        self.layout: dict[str, Any] = self._engine.layout
        arrays = self._engine.arrays()
        self.observation: NDArray[np.uint8] = _read_only(arrays["observation"])
        self.scalars: NDArray[np.float32] = _read_only(arrays["scalars"])
        self.action_mask: NDArray[np.int8] = _read_only(arrays["action_mask"])
        self.rewards: NDArray[np.float32] = _read_only(arrays["rewards"])
        self.terminated: NDArray[np.bool_] = _read_only(arrays["terminated"])
        self.truncated: NDArray[np.bool_] = _read_only(arrays["truncated"])
        self.to_act: NDArray[np.bool_] = _read_only(arrays["to_act"])
        self.winners: NDArray[np.int8] = _read_only(arrays["winners"])
        self.steps: NDArray[np.uint32] = _read_only(arrays["steps"])
        self._made = {name: (array.shape, array.dtype) for name, array in vars(self).items() if isinstance(array, np.ndarray)}
        self.reset()

    def _check(self) -> None:
        for name, made in self._made.items():
            array = getattr(self, name)
            if (array.shape, array.dtype) != made:
                raise ValueError(f"{name} was reshaped or retyped in place: begin another batch, and change a copy of it")

    def reset(self, seed: int | None = None) -> None:
        """Begin all matches anew: with this base of seeds, or the same matches again."""
        self._check()
        self._engine.reset(None if seed is None else seed % (_MOST_SEED + 1))

    def step(self, actions: ArrayLike, only: ArrayLike | None = None) -> None:
        """Take one action for every seat, and move every match on.

        Args:
            actions: matches x seats. Any action will do for a seat that is not to act.
            only: The matches that are moved on; the others stay as they are, and so do their rewards.

        Raises:
            ValueError: There is no such action, or an array of the batch was reshaped or retyped. Nothing has changed then.
        """
        self._check()
        # Copies, because the caller may give an array of this batch, which the step writes to.
        moved = None if only is None else np.array(only, dtype=np.bool_).reshape(-1)
        self._engine.step(np.array(actions, dtype=np.int64).reshape(-1), moved)

    def sample(self) -> NDArray[np.int64]:
        """Choose one of the allowed actions of each seat with equal chances: matches x seats."""
        self._check()
        return self._engine.sample().reshape(self.matches, self.seats)

    @property
    def seeds(self) -> list[int]:
        """The seeds of the matches that are played now."""
        return self._engine.seeds

    @property
    def learners(self) -> list[int]:
        """The seats of the learners; empty without an opponent."""
        return self._engine.learners

    def text(self, number: int, seat: int | None = None) -> str:
        """Return a match as text, as a seat sees it or, without one, as it is."""
        return self._engine.text(number, seat)

    def pixels(self, number: int, seat: int | None = None) -> NDArray[np.uint8]:
        """Return a match as pixels: rows x columns x 3."""
        return self._engine.pixels(number, seat)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    # Numpy makes a view writeable again if its base is; that of a read-only buffer it does not.
    return np.asarray(array.data.toreadonly())
