"""The environments of Gymnasium, by its own tests and others."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.performance import benchmark_vector_step
from gymnasium.vector import AutoresetMode

import broadside
from broadside import single_agent

from .conftest import all_games, both_placements


@all_games
@both_placements
def test_check_env(game: str, options: dict[str, Any], placement: str) -> None:
    single_agent.register()
    made = gymnasium.make(
        f"broadside/{game}-v0", placement=placement, render_mode="rgb_array", disable_env_checker=True, **options
    )
    check_env(made.unwrapped)


@all_games
def test_vector_spaces_and_steps(game: str, options: dict[str, Any]) -> None:
    single_agent.register()
    envs = gymnasium.make_vec(f"broadside/{game}-v0", num_envs=5, **options)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observations, _ = envs.reset(seed=4)
    assert envs.observation_space.contains(observations)
    assert benchmark_vector_step(envs, target_duration=1, seed=3) > 100


def first(envs: Any, observations: Any) -> np.ndarray:
    return observations["action_mask"].argmax(axis=1)


@all_games
@pytest.mark.parametrize("opponent", ["builtin:random", "policy"])
def test_a_vector_is_its_environments(game: str, options: dict[str, Any], opponent: str) -> None:
    """Each match of a vector is that of an environment with its seed, up to its end."""

    def last(observed: dict[str, np.ndarray]) -> np.ndarray:
        mask = observed["action_mask"]
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)

    rival: Any = last if opponent == "policy" else opponent
    envs = broadside.vector_env(game, 3, opponent=rival, seat=1, reward="hits", **options)
    alone = [broadside.single_env(game, opponent=rival, seat=1, reward="hits", **options) for _ in range(3)]
    observations, _ = envs.reset(seed=20)
    own = [one.reset(seed=20 + number)[0] for number, one in enumerate(alone)]
    open_games = [True] * 3
    for _ in range(1000):
        actions = first(envs, observations)
        np.testing.assert_array_equal(envs.action_masks(), observations["action_mask"].astype(bool))
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for number, one in enumerate(alone):
            if not open_games[number]:
                continue
            own[number], reward, ended, cut_off, info = one.step(int(actions[number]))
            for name, array in own[number].items():
                np.testing.assert_array_equal(array, observations[name][number])
            assert (reward, ended, cut_off) == (rewards[number], terminated[number], truncated[number])
            if ended:
                assert info["winner"] == infos["winner"][number]
                open_games[number] = False
        if not any(open_games):
            break
    assert not any(open_games)


def test_learners_change_seats_and_matches_follow_each_other() -> None:
    envs = broadside.vector_env("bots-arena", 4, opponent="builtin:random")
    observations, _ = envs.reset(seed=1)
    assert envs.batch.learners == [0, 1, 0, 1]
    wins = games = 0
    was_over = np.zeros(4, bool)
    for _ in range(600):
        observations, rewards, terminated, truncated, infos = envs.step(envs.sample_actions())
        assert not truncated.any() and (rewards[was_over] == 0).all() and not (terminated & was_over).any()
        games += int(terminated.sum())
        wins += int((rewards > 0).sum())
        was_over = terminated
    assert 8 < games and 0 < wins < games
    assert envs.batch.seeds != [1, 2, 3, 4]


def test_a_reset_without_a_seed_begins_other_matches() -> None:
    """They are the same others each time, because the last seed determines them."""

    def seeds() -> list[list[int]]:
        envs = broadside.vector_env("bots-arena", 2)
        found = []
        for seed in (5, None, None, 6):
            envs.reset(seed=seed)
            found.append(envs.batch.seeds)
        return found

    found = seeds()
    assert found[0] == [5, 6] and found[3] == [6, 7] and found == seeds()
    assert len({tuple(pair) for pair in found}) == 4
    one, other = (broadside.vector_env("bots-arena", 2) for _ in range(2))
    one.reset(), other.reset()
    assert one.batch.seeds != other.batch.seeds


def test_arrays_of_a_batch_may_be_given_back_to_it() -> None:
    batch = broadside.Batch("bots-arena", 3, seed=1)
    batch.step(batch.sample(), batch.to_act[:, 1])
    assert batch.steps.tolist() == [0, 0, 0] and batch.to_act[:, 0].all()
    batch.step(batch.sample(), batch.to_act[:, 0])
    batch.step(batch.sample(), [False, True, False])
    assert batch.steps.tolist() == [1, 2, 1]
    with pytest.raises(ValueError, match="there is no seat 2; they go from 0 to 1"):
        batch.text(0, 2)
    with pytest.raises(ValueError, match="there is no match 3"):
        batch.pixels(3)


def test_views_are_not_copies_if_asked() -> None:
    envs = broadside.vector_env("entelect-2017", 2, copy=False)
    observations, _ = envs.reset(seed=1)
    before = observations["observation"].copy()
    for _ in range(30):
        envs.step(envs.sample_actions())
    assert np.shares_memory(observations["observation"], envs.batch.observation)
    assert (observations["observation"] != before).any()
    with pytest.raises(ValueError, match="read-only"):
        observations["observation"][0] = 1


ARRAYS = (
    "observation",
    "scalars",
    "action_mask",
    "rewards",
    "terminated",
    "truncated",
    "to_act",
    "winners",
    "steps",
)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_a_batch_are_read_only_for_good(name: str) -> None:
    batch = broadside.Batch("entelect-2017", 2, seed=1)
    array = getattr(batch, name)
    for seen in (array, array.view(), array[:1], array.base if isinstance(array.base, np.ndarray) else array):
        with pytest.raises(ValueError, match="WRITEABLE"):
            seen.setflags(write=True)
        with pytest.raises(ValueError, match="read-only"):
            seen[...] = 1
    with pytest.raises(ValueError, match="resize"):
        array.resize(7, refcheck=False)
    batch.step(batch.sample())


@pytest.mark.parametrize("name", ARRAYS)
def test_a_batch_whose_arrays_were_reshaped_or_retyped_refuses_to_go_on(name: str) -> None:
    def retype(array: Any) -> None:
        array.dtype = {"u": "b1", "f": "i4", "i": "u1", "b": "u1"}[array.dtype.kind] if array.itemsize != 4 else "i2"

    def reshape(array: Any) -> None:
        array.shape = (-1, 1, 1)

    def resize(array: Any) -> None:
        array.resize(1, refcheck=False)

    for change, of_engine in ((retype, False), (reshape, False), (retype, True), (reshape, True), (resize, True)):
        batch = broadside.Batch("entelect-2017", 2, seed=1)
        actions = batch.sample()
        # The engine's own arrays are hidden, but whoever looks for them finds them.
        change(batch._engine.arrays()[name] if of_engine else getattr(batch, name))
        for call in (lambda: batch.step(actions), batch.reset):
            with pytest.raises(ValueError, match="reshaped or retyped in place"):
                call()


def test_a_batch_has_a_bound() -> None:
    for many in (0, 65_537, 2**40):
        with pytest.raises(ValueError, match=f"a batch has 1 to 65536 matches, not {many}"):
            broadside.Batch("bots-arena", many)


def test_mistakes_are_told() -> None:
    envs = broadside.vector_env("entelect-2017", 2)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="match 1, seat 0: there is no action 801; they go from 0 to 800"):
        envs.step([0, 801])
    with pytest.raises(ValueError, match="there is no action -1"):
        envs.step([-1, 0])
    with pytest.raises(ValueError, match="render_mode"):
        broadside.vector_env("entelect-2017", 2, render_mode="human")
    with pytest.raises(ValueError, match="give one seed"):
        envs.reset(seed=[1, 5])
    with pytest.raises(ValueError, match="there is no built-in player 'builtin:expert'; there are builtin:random, .*builtin:hunter"):
        broadside.vector_env("entelect-2017", 2, opponent="builtin:expert")
    with pytest.raises(ValueError, match="the sizes are 1"):
        broadside.vector_env("entelect-2017", 2, size=4)
    with pytest.raises(ValueError, match="salvo is a game for two to sixteen, not 17 players"):
        broadside.vector_env("salvo", 2, players=17)


def test_a_player_alone_is_a_single_agent() -> None:
    """In solo a match has one seat, and sinking all ships is worth 1."""
    rules = {"turns": "solo", "board": {"width": 5, "height": 5}, "fleet": [{"name": "boat", "size": 2}]}
    one = broadside.single_env("battleship", rules=rules)
    assert one.observation_space["observation"].shape == (3, 5, 5) and one.action_space.n == 26
    observation, _ = one.reset(seed=3)
    assert one.observation_space.contains(observation)
    steps, ended = 0, False
    while not ended:
        observation, reward, ended, _, info = one.step(int(observation["action_mask"].argmax()))
        steps += 1
        assert reward == (1.0 if ended else 0.0)
    assert steps <= 25 and info["winner"] == 0


def test_the_shots_of_a_move_are_actions_one_after_the_other() -> None:
    match = broadside.match("battleship", rules={"shots": 3, "first": "a"}, seed=1)
    layout = match.layout
    aimed = layout["planes"].index("aimed at")
    left = layout["scalars"].index("shots left")
    for shot in range(3):
        seen = match.observe(0)
        assert match.current == 0 and seen["observation"][aimed].sum() == shot
        assert seen["scalars"][left] == pytest.approx((3 - shot) / 3)
        assert seen["action_mask"][1 : 1 + shot].sum() == 0, "no shot twice"
        match.act(0, 1 + shot)
    assert match.current == 1
    assert [shot["cell"] for shot in match.view(1).state["seen"]] == [[0, 0], [0, 1], [0, 2]]
    match.act(1, 5)
    match.act(1, 0)
    assert match.current == 0 and len(match.view(1).state["fired"]) == 1, "action 0 ends a move"
