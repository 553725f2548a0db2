"""A small learner: proximal policy optimization with action masks, in numpy alone.

The method is that of Schulman et al. 2017 (arXiv:1707.06347) with generalized advantages (arXiv:1506.02438); invalid actions have no
chance (arXiv:2006.14171). It is meant to be read and to train a first policy in a minute; larger networks need a library for them.
"""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadside.batch import Batch
from broadside.policies import SeenView

Floats = NDArray[np.float32]
_Passed = dict[str, Floats]

_REACH = 2
"""How far a cell's window reaches: 2 for 5 x 5 cells."""


class CellPolicy:
    """A network that scores every cell by the 5 x 5 cells around it and by the scalars, with the same weights for all cells.

    Because the weights do not depend on the place, a policy of one board size plays on all others.

    Attributes:
        weights: The arrays of the network, by name.

    Example:
        >>> from broadside import layout, match
        >>> policy = CellPolicy.of_layout(layout("bots-arena"), seed=1)
        >>> one = match("bots-arena", seed=1)
        >>> one.action_mask(0)[policy.decide(one.view(0))]
        np.int8(1)
    """

    def __init__(self, weights: dict[str, Floats]) -> None:
        """Make a policy of the arrays of a network."""
        self.weights = weights

    @classmethod
    def of_layout(cls, layout: dict[str, Any], *, hidden: int = 32, seed: int = 0) -> "CellPolicy":
        """Make an untrained policy for a game.

        Args:
            layout: That of the game, see :func:`broadside.layout`.
            hidden: The width of the layers.
            seed: The seed of the first weights.
        """
        random = np.random.default_rng(seed)
        scalars, kinds = len(layout["scalars"]), len(layout["kinds"])
        window = (len(layout["planes"]) + 1) * (2 * _REACH + 1) ** 2

        def weights(rows: int, columns: int, gain: float) -> Floats:
            drawn: Floats = (random.standard_normal((rows, columns)) * gain / np.sqrt(rows)).astype(np.float32)
            return drawn

        def zeros(count: int) -> Floats:
            return np.zeros(count, np.float32)

        gain = float(np.sqrt(2))
        return cls(
            {
                "window": weights(window, hidden, gain),
                "scalars": weights(scalars, hidden, gain),
                "window_bias": zeros(hidden),
                "cell": weights(hidden, hidden, gain),
                "cell_bias": zeros(hidden),
                "kinds": weights(hidden, kinds, 0.01),
                "kinds_bias": zeros(kinds),
                "idle": weights(hidden, 1, 0.01),
                "idle_bias": zeros(1),
                "board": weights(hidden + scalars, hidden, gain),
                "board_bias": zeros(hidden),
                "value": weights(hidden, 1, 1.0),
                "value_bias": zeros(1),
            }
        )

    def act(self, observed: dict[str, NDArray[Any]]) -> NDArray[np.int64]:
        """Choose the best action for each observation; the first axis of the arrays is that of the observations."""
        best: NDArray[np.int64] = self.scores(observed).argmax(axis=1)
        return best

    def decide(self, view: SeenView) -> int:
        """Choose the best action."""
        return int(self.act({name: array[None] for name, array in view.arrays.items()})[0])

    def scores(self, observed: dict[str, NDArray[Any]]) -> Floats:
        """Return the logarithms of the odds of all actions: observations x actions, and -inf for those that are not allowed."""
        scores, _, _ = self.forward(observed["observation"], observed["scalars"])
        return np.where(observed["action_mask"] != 0, scores, -np.inf).astype(np.float32)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the weights to a file of numpy (``.npz``)."""
        with open(path, "wb") as file:
            np.savez(file, allow_pickle=False, **self.weights)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "CellPolicy":
        """Read a policy that was saved.

        Raises:
            OSError: The file cannot be read.
            ValueError: It is not a file of arrays.
        """
        with np.load(path, allow_pickle=False) as arrays:
            return cls({name: arrays[name] for name in arrays.files})

    def forward(self, planes: NDArray[Any], scalars: Floats) -> tuple[Floats, Floats, _Passed]:
        """Return the scores of all actions (observations x actions), the values (observations), and what :meth:`backward` needs."""
        w = self.weights
        window = _windows(planes)
        first = np.maximum(window @ w["window"] + (scalars @ w["scalars"] + w["window_bias"])[:, None], 0)
        second = np.maximum(first @ w["cell"] + w["cell_bias"], 0)
        pooled = second.mean(axis=1)
        board = np.concatenate([pooled, scalars], axis=1)
        judged = np.maximum(board @ w["board"] + w["board_bias"], 0)
        by_kind = (second @ w["kinds"] + w["kinds_bias"]).transpose(0, 2, 1).reshape(len(planes), -1)
        scores = np.concatenate([pooled @ w["idle"] + w["idle_bias"], by_kind], axis=1)
        values = (judged @ w["value"] + w["value_bias"])[:, 0]
        passed = {"window": window, "scalars": scalars, "first": first, "second": second, "board": board, "judged": judged}
        return scores, values, passed

    def backward(self, passed: _Passed, scores: Floats, values: Floats) -> _Passed:
        """Return the gradients of all weights, given those of the scores and of the values of a :meth:`forward`."""
        w = self.weights
        first, second, pooled_width = passed["first"], passed["second"], w["idle"].shape[0]
        cells = second.shape[1]
        by_kind = scores[:, 1:].reshape(len(scores), -1, cells).transpose(0, 2, 1)
        judged = values[:, None] @ w["value"].T * (passed["judged"] > 0)
        board = judged @ w["board"].T
        pooled = board[:, :pooled_width] + scores[:, :1] @ w["idle"].T
        cell = (by_kind @ w["kinds"].T + pooled[:, None] / cells) * (second > 0)
        window = cell @ w["cell"].T * (first > 0)
        of_board = window.sum(axis=1)
        return {
            "window": _product(passed["window"], window),
            "scalars": passed["scalars"].T @ of_board,
            "window_bias": of_board.sum(axis=0),
            "cell": _product(first, cell),
            "cell_bias": cell.sum(axis=(0, 1)),
            "kinds": _product(second, by_kind),
            "kinds_bias": by_kind.sum(axis=(0, 1)),
            "idle": second.mean(axis=1).T @ scores[:, :1],
            "idle_bias": scores[:, :1].sum(axis=0),
            "board": passed["board"].T @ judged,
            "board_bias": judged.sum(axis=0),
            "value": passed["judged"].T @ values[:, None],
            "value_bias": values.sum(keepdims=True),
        }


def _windows(planes: NDArray[Any]) -> Floats:
    """The planes around every cell, and one that is 1 on the board: observations x cells x values."""
    count, _, width, height = planes.shape
    inside = np.ones((count, 1, width, height), np.float32)
    all_planes = np.concatenate([planes.astype(np.float32), inside], axis=1)
    margin = (_REACH, _REACH)
    padded = np.pad(all_planes, ((0, 0), (0, 0), margin, margin))
    side = 2 * _REACH + 1
    windows = np.lib.stride_tricks.sliding_window_view(padded, (side, side), axis=(2, 3))
    flat: Floats = windows.transpose(0, 2, 3, 1, 4, 5).reshape(count, width * height, -1)
    return flat


def _product(left: Floats, right: Floats) -> Floats:
    """The gradient of weights that are the same for all cells."""
    product: Floats = left.reshape(-1, left.shape[-1]).T @ right.reshape(-1, right.shape[-1])
    return product


class Learner:
    """Trains a :class:`CellPolicy` against a built-in player.

    Attributes:
        policy: The policy, which every :meth:`train` changes.
        steps: The steps that were taken so far, of all matches.

    Example:
        >>> learner = Learner("bots-arena", matches=8, horizon=4, width=4, height=4, ships=[1, 1, 0, 0, 0, 0])
        >>> 0 <= learner.train() <= 1, learner.steps
        (True, 32)
    """

    def __init__(
        self,
        game: str,
        *,
        opponent: str = "builtin:random",
        matches: int = 128,
        horizon: int = 32,
        hidden: int = 32,
        seed: int = 0,
        reward: str = "hits",
        rate: float = 4e-3,
        discount: float = 0.98,
        trace: float = 0.95,
        clip: float = 0.2,
        entropy: float = 0.01,
        epochs: int = 3,
        minibatch: int = 1024,
        **options: Any,
    ) -> None:
        """Begin with an untrained policy.

        Args:
            game: The name of the game.
            opponent: One of :data:`broadside.BUILT_INS`.
            matches: The number of matches that are played at once.
            horizon: The steps of each match in an update.
            hidden: The width of the network.
            seed: The seed of weights, matches and choices: the same seed gives the same policy on the same machine.
            reward: See :func:`broadside.match`.
            rate: The rate of learning (Adam).
            discount: The worth of a reward in the next step, 0 to 1.
            trace: The lambda of the advantages, 0 to 1.
            clip: How far the odds of an action may change in an update.
            entropy: The weight of the entropy.
            epochs: How often each step is learned from.
            minibatch: The steps of one change of the weights.
            **options: ``placement``, ``mask``, ``threads``, ``seat`` and the settings of the game, see :class:`broadside.Batch`.
        """
        self._batch = Batch(game, matches, opponent=opponent, seed=seed, reward=reward, **options)
        self.policy = CellPolicy.of_layout(self._batch.layout, hidden=hidden, seed=seed)
        self.steps = 0
        self._horizon, self._rate, self._discount, self._trace = horizon, rate, discount, trace
        self._clip, self._entropy, self._epochs, self._minibatch = clip, entropy, epochs, minibatch
        self._random = np.random.default_rng(seed)
        self._changes = 0
        self._means = {name: np.zeros_like(array) for name, array in self.policy.weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in self.policy.weights.items()}

    def train(self, updates: int = 1) -> float:
        """Play and learn.

        Args:
            updates: How often ``horizon`` steps of every match are played and learned from.

        Returns:
            The share of points in the matches that ended meanwhile, 0 to 1; 0.5 if none did.
        """
        points: list[float] = []
        for _ in range(updates):
            self._learn(self._play(points))
        return float(np.mean(points)) if points else 0.5

    def _play(self, points: list[float]) -> dict[str, NDArray[Any]]:
        batch = self._batch
        names = ("observation", "scalars", "action_mask")
        kept: dict[str, list[NDArray[Any]]] = {
            name: [] for name in (*names, "action", "log_odds", "value", "reward", "over")
        }
        for _ in range(self._horizon):
            seen = {name: getattr(batch, name)[:, 0].copy() for name in names}
            scores, values, _ = self.policy.forward(seen["observation"], seen["scalars"])
            log_odds = _log_softmax(scores, seen["action_mask"])
            # The largest of the sums with Gumbel's noise is drawn with the odds.
            actions = (log_odds + self._random.gumbel(size=log_odds.shape)).argmax(axis=1)
            learners = np.asarray(batch.learners)
            batch.step(actions[:, None])
            over = batch.terminated | batch.truncated
            winners = batch.winners[batch.terminated]
            points += list(np.where(winners < 0, 0.5, winners == learners[batch.terminated]).astype(float))
            chosen = np.take_along_axis(log_odds, actions[:, None], axis=1)[:, 0]
            step = {
                **seen,
                "action": actions,
                "log_odds": chosen,
                "value": values,
                "reward": batch.rewards[:, 0].copy(),
                "over": over.copy(),
            }
            for name, array in step.items():
                kept[name].append(array)
        self.steps += self._horizon * batch.matches
        _, last, _ = self.policy.forward(batch.observation[:, 0], batch.scalars[:, 0])
        played = {name: np.stack(arrays) for name, arrays in kept.items()}
        advantages = np.zeros_like(played["value"])
        ahead, following = np.zeros_like(last), last
        for step_number in reversed(range(self._horizon)):
            goes_on = ~played["over"][step_number]
            surprise = (
                played["reward"][step_number] + self._discount * following * goes_on - played["value"][step_number]
            )
            ahead = surprise + self._discount * self._trace * ahead * goes_on
            advantages[step_number] = ahead
            following = played["value"][step_number]
        played["advantage"] = advantages
        played["target"] = advantages + played["value"]
        return {name: array.reshape(-1, *array.shape[2:]) for name, array in played.items()}

    def _learn(self, played: dict[str, NDArray[Any]]) -> None:
        advantages = played["advantage"]
        played["advantage"] = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        count = len(advantages)
        for _ in range(self._epochs):
            order = self._random.permutation(count)
            for begin in range(0, count, self._minibatch):
                chosen = order[begin : begin + self._minibatch]
                self._change({name: array[chosen] for name, array in played.items()})

    def _change(self, part: dict[str, NDArray[Any]]) -> None:
        """Change the weights by the gradient of the clipped objective, of the value's error and of the entropy."""
        scores, values, passed = self.policy.forward(part["observation"], part["scalars"])
        gradients = self.policy.backward(passed, *self._gradients(scores, values, part))
        norm = float(np.sqrt(sum(float((g * g).sum()) for g in gradients.values())))
        shrink = min(1.0, 0.5 / (norm + 1e-8))
        self._changes += 1
        for name, gradient in gradients.items():
            gradient *= shrink
            mean, square = self._means[name], self._squares[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            step = mean / (1 - 0.9**self._changes) / (np.sqrt(square / (1 - 0.999**self._changes)) + 1e-8)
            self.policy.weights[name] -= (self._rate * step).astype(np.float32)

    def _gradients(self, scores: Floats, values: Floats, part: dict[str, NDArray[Any]]) -> tuple[Floats, Floats]:
        """Return the gradients of the loss by scores and values."""
        count = len(values)
        log_odds = _log_softmax(scores, part["action_mask"])
        odds = np.exp(log_odds)
        rows = np.arange(count)
        ratio = np.exp(log_odds[rows, part["action"]] - part["log_odds"])
        advantage = part["advantage"]
        is_clipped = np.where(advantage > 0, ratio > 1 + self._clip, ratio < 1 - self._clip)
        pull = np.where(is_clipped, 0, -advantage * ratio)
        by_score = -pull[:, None] * odds
        by_score[rows, part["action"]] += pull
        log_odds = np.where(odds > 0, log_odds, 0)
        entropy = -(odds * log_odds).sum(axis=1, keepdims=True)
        by_score += self._entropy * odds * (log_odds + entropy)
        return (by_score / count).astype(np.float32), (0.5 * (values - part["target"]) / count).astype(np.float32)


def _log_softmax(scores: Floats, mask: NDArray[Any]) -> Floats:
    masked = np.where(mask != 0, scores, -np.inf)
    masked = masked - masked.max(axis=1, keepdims=True)
    log_odds: Floats = (masked - np.log(np.exp(masked).sum(axis=1, keepdims=True))).astype(np.float32)
    return log_odds
