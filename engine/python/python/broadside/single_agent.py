"""Gymnasium environments: one agent against built-in players or a policy."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from broadside._engine import GAMES
from broadside.batch import Batch
from broadside.spaces import Observation, observation_space

BatchPolicy = Callable[[Observation], ArrayLike]
"""From observations (with a first axis for the matches) to one action for each."""

_ARRAYS = ("observation", "scalars", "action_mask")


class BroadsideVectorEnv(VectorEnv[Observation, NDArray[np.int64], ArrayLike]):
    """Many matches of one agent against built-in players or a policy, as a Gymnasium vector environment.

    A match that is over is followed by the next one in the step after it (``AutoresetMode.NEXT_STEP``).

    Example:
        >>> envs = BroadsideVectorEnv("sea-battle", 8, opponent="builtin:random")
        >>> observations, infos = envs.reset(seed=1)
        >>> observations, rewards, terminated, truncated, infos = envs.step(envs.sample_actions())
        >>> observations["observation"].shape
        (8, 8, 10, 10)
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        opponent: str | BatchPolicy = "builtin:random",
        seat: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make the matches.

        Args:
            game: The name of the game.
            num_envs: The number of matches.
            opponent: One of :data:`broadside.BUILT_INS`, or a function from observations to actions (:data:`BatchPolicy`).
            seat: The learner's seat; without one, another one in each match.
            copy: True for observations that are copies. Without, they are views of memory that the next step changes.
            render_mode: ``ansi`` for text, ``rgb_array`` for pixels, of each match.
            **options: Those of :class:`broadside.Batch`: ``placement``, ``mask``, ``reward``, ``threads``, ``max_steps``, and the
                settings of the game. ``max_steps`` counts the steps of a function that is the opponent, too.
        """
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is 'ansi', 'rgb_array' or None, not {render_mode!r}")
        named = opponent if isinstance(opponent, str) else None
        self.batch = Batch(game, num_envs, autoreset="next-step", opponent=named, seat=seat, **options)
        self._policy: BatchPolicy | None = None if isinstance(opponent, str) else opponent
        self._seat = seat
        self._copy = copy
        self.game = game
        self.num_envs = num_envs
        self.render_mode = render_mode
        layout = self.batch.layout
        self.single_observation_space = observation_space(layout)
        self.single_action_space = spaces.Discrete(layout["actions"])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.arange(num_envs)
        self._learners = np.zeros(num_envs, np.int64)
        self._episodes = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all matches: that of place i has the seed ``seed + i``. Without a seed, other matches than before."""
        if isinstance(seed, list):
            first = seed[0]
            if first is None or seed != list(range(first, first + self.num_envs)):
                raise ValueError("give one seed: the matches have it and those that follow")
            seed = first
        super().reset(seed=seed)
        # Without a seed other matches follow, which the last seed determines.
        self.batch.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._episodes[:] = 0
        self._over[:] = False
        self._seat_learners(np.ones(self.num_envs, np.bool_))
        rewards = np.zeros(self.num_envs, np.float32)
        self._play_opponents(np.zeros(self.num_envs, np.bool_), rewards)
        return self._observations(), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take one action for each match."""
        chosen = np.asarray(actions, dtype=np.int64).reshape(self.num_envs)
        batch = self.batch
        if self._policy is None:
            batch.step(chosen)
            rewards = batch.rewards[:, 0].copy()
        else:
            all_actions = self._opponents_actions()
            all_actions[self._all, self._learners] = chosen
            begins = self._over.copy()
            batch.step(all_actions)
            self._episodes[begins] += 1
            self._seat_learners(begins)
            rewards = batch.rewards[self._all, self._learners].copy()
        self._over = batch.terminated | batch.truncated
        if self._policy is not None:
            self._play_opponents(self._over, rewards)
        terminated, truncated = batch.terminated & self._over, batch.truncated & self._over
        infos: dict[str, Any] = {}
        if self._over.any():
            infos["winner"] = np.where(self._over, batch.winners, -1).astype(np.int64)
            infos["_winner"] = self._over.copy()
        return self._observations(), rewards, terminated, truncated, infos

    def sample_actions(self) -> NDArray[np.int64]:
        """Choose one of the allowed actions of each match with equal chances."""
        return self.batch.sample()[self._all, self._seen()]

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks of all matches, as ``sb3_contrib`` asks for them: matches x actions."""
        masks: NDArray[np.bool_] = self.batch.action_mask[self._all, self._seen()].astype(np.bool_)
        return masks

    def render(self) -> tuple[Any, ...] | None:
        """Return each match as its learner sees it."""
        seats = self._learners if self._policy is not None else np.asarray(self.batch.learners)
        if self.render_mode == "ansi":
            return tuple(self.batch.text(n, int(seats[n])) for n in range(self.num_envs))
        if self.render_mode == "rgb_array":
            return tuple(self.batch.pixels(n, int(seats[n])) for n in range(self.num_envs))
        return None

    def _seen(self) -> NDArray[np.int64]:
        """The learners' places on the axis of seats."""
        return self._learners if self._policy is not None else np.zeros(self.num_envs, np.int64)

    def _seat_learners(self, which: NDArray[np.bool_]) -> None:
        if self._policy is None:
            return
        seats = (self._all + self._episodes) % self.batch.seats if self._seat is None else self._seat
        self._learners = np.where(which, seats, self._learners)

    def _observations(self) -> Observation:
        seen = self._seen()
        arrays = {name: getattr(self.batch, name) for name in _ARRAYS}
        if self._policy is None:
            return {name: array[:, 0].copy() if self._copy else array[:, 0] for name, array in arrays.items()}
        # To choose by learner makes a copy.
        return {name: array[self._all, seen] for name, array in arrays.items()}

    def _opponents_actions(self) -> NDArray[np.int64]:
        """The actions of all opponents that are to act; 0 for all other seats."""
        actions = np.zeros((self.num_envs, self.batch.seats), np.int64)
        acting = self.batch.to_act.copy()
        acting[self._all, self._learners] = False
        if acting.any() and self._policy is not None:
            observed = {name: getattr(self.batch, name)[acting] for name in _ARRAYS}
            actions[acting] = np.asarray(self._policy(observed), dtype=np.int64)
        return actions

    def _play_opponents(self, over: NDArray[np.bool_], rewards: NDArray[np.float32]) -> None:
        """Let opponents act until every learner is to act, or its match is over. Rewards and ends are added up."""
        if self._policy is None:
            return
        batch = self.batch
        terminated = batch.terminated & over
        truncated = batch.truncated & over
        while True:
            waits = ~over & ~batch.to_act[self._all, self._learners]
            if not waits.any():
                break
            batch.step(self._opponents_actions(), waits)
            rewards += np.where(waits, batch.rewards[self._all, self._learners], 0.0).astype(np.float32)
            terminated |= batch.terminated & waits
            truncated |= batch.truncated & waits
            over |= terminated | truncated
        self._over = over


class BroadsideEnv(gymnasium.Env[Observation, int]):
    """A Gymnasium environment: one agent against built-in players or a policy.

    Example:
        >>> table = BroadsideEnv("bots-arena", opponent="builtin:random", seat=0)
        >>> observation, info = table.reset(seed=3)
        >>> table.observation_space.contains(observation)
        True
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(self, game: str, *, render_mode: str | None = None, **options: Any) -> None:
        """Make the environment. The options are those of :class:`BroadsideVectorEnv`, but for ``threads``."""
        self._many = BroadsideVectorEnv(game, 1, render_mode=render_mode, threads=1, **options)
        self.render_mode = render_mode
        self.observation_space = self._many.single_observation_space
        self.action_space = self._many.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match: that of this seed, or any."""
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(2**63)) if seed is None else seed
        observations, _ = self._many.reset(seed=chosen)
        return {name: array[0].copy() for name, array in observations.items()}, {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action."""
        observations, rewards, terminated, truncated, infos = self._many.step([action])
        observation = {name: array[0].copy() for name, array in observations.items()}
        info = {"winner": int(infos["winner"][0])} if "winner" in infos else {}
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask, as ``sb3_contrib`` asks for it."""
        masks: NDArray[np.bool_] = self._many.action_masks()[0]
        return masks

    def render(self) -> Any:
        """Return the match as the learner sees it: text or pixels."""
        rendered = self._many.render()
        return None if rendered is None else rendered[0]


def register() -> None:
    """Register the games with Gymnasium: ``gymnasium.make("broadside/sea-battle-v0")``."""
    for game in GAMES:
        name = f"broadside/{game}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="broadside.single_agent:BroadsideEnv",
                vector_entry_point="broadside.single_agent:_make_vector",
                kwargs={"game": game},
            )


def _make_vector(num_envs: int, game: str, **options: Any) -> BroadsideVectorEnv:
    return BroadsideVectorEnv(game, num_envs, **options)
