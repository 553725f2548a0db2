"""The learner in numpy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import broadside
from broadside import ppo

from .conftest import all_games

SMALL = {"width": 5, "height": 4, "ships": [0, 1, 1, 0, 0, 0]}


@all_games
def test_policies_take_allowed_actions(game: str, options: dict[str, Any]) -> None:
    batch = broadside.Batch(game, 16, seed=1, **options)
    policy = ppo.CellPolicy.of_layout(batch.layout, seed=2)
    for _ in range(20):
        actions = np.zeros(batch.to_act.shape, np.int64)
        for seat in range(batch.seats):
            arrays = (batch.observation, batch.scalars, batch.action_mask)
            names = ("observation", "scalars", "action_mask")
            seen = {name: array[:, seat] for name, array in zip(names, arrays, strict=True)}
            actions[:, seat] = policy.act(seen)
            assert np.take_along_axis(seen["action_mask"], actions[:, seat, None], axis=1).all()
        batch.step(actions)


def test_gradients_are_those_of_the_loss() -> None:
    """Each gradient is that which small changes of a weight show, in float64."""
    batch = broadside.Batch("bots-arena", 6, seed=3, opponent="builtin:random", **SMALL)
    batch.step(batch.sample())
    policy = ppo.CellPolicy.of_layout(batch.layout, hidden=5, seed=4)
    policy.weights = {name: array.astype(np.float64) for name, array in policy.weights.items()}  # type: ignore[misc]
    seen = (batch.observation[:, 0].copy(), batch.scalars[:, 0].astype(np.float64))
    random = np.random.default_rng(5)
    scores, values, passed = policy.forward(*seen)  # type: ignore[arg-type]
    by_score, by_value = random.standard_normal(scores.shape), random.standard_normal(values.shape)

    def loss() -> float:
        scores, values, _ = policy.forward(*seen)  # type: ignore[arg-type]
        return float((scores * by_score).sum() + (values * by_value).sum())

    gradients = policy.backward(passed, by_score, by_value)  # type: ignore[arg-type]
    assert gradients.keys() == policy.weights.keys()
    for name, array in policy.weights.items():
        assert gradients[name].shape == array.shape
        for _ in range(5):
            place = tuple(int(random.integers(size)) for size in array.shape)
            kept, small = array[place], 1e-6
            array[place] = kept + small
            above = loss()
            array[place] = kept - small
            below = loss()
            array[place] = kept
            # Rectified sums have corners, and a small board has sums that are 0 in floats of 32 bits.
            np.testing.assert_allclose(gradients[name][place], (above - below) / (2 * small), rtol=1e-3, atol=1e-4)


def test_the_same_seed_gives_the_same_policy_which_a_file_keeps(tmp_path: Path) -> None:
    def trained() -> ppo.CellPolicy:
        learner = ppo.Learner("bots-arena", matches=8, horizon=8, seed=6, **SMALL)
        learner.train(2)
        assert learner.steps == 128
        return learner.policy

    policy = trained()
    untrained = ppo.CellPolicy.of_layout(broadside.layout("bots-arena", **SMALL), seed=6)
    assert any((policy.weights[name] != array).any() for name, array in untrained.weights.items())
    path = tmp_path / "policy.npz"
    policy.save(path)
    for other in (trained(), ppo.CellPolicy.load(path)):
        assert policy.weights.keys() == other.weights.keys()
        for name, array in policy.weights.items():
            np.testing.assert_array_equal(array, other.weights[name])
    with pytest.raises(OSError):
        ppo.CellPolicy.load(tmp_path / "none.npz")


def test_a_policy_plays_on_boards_of_other_sizes() -> None:
    policy = ppo.CellPolicy.of_layout(broadside.layout("entelect-2017", size=1))
    for size in (1, 2, 3):
        view = broadside.match("entelect-2017", size=size, seed=1).view(0)
        assert view.action_mask[policy.decide(view)] == 1
