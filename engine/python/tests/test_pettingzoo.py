"""The environments of PettingZoo, by its own tests."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
)

import broadside

from .conftest import all_games, both_placements


# Observations are dictionaries, as the documentation of PettingZoo advises for masks; before the first shot planes may be all zeros.
about_dictionaries = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably",
    "ignore:Observation numpy array is all zeros",
)


@all_games
@both_placements
@about_dictionaries
def test_api(game: str, options: dict[str, Any], placement: str) -> None:
    api_test(broadside.env(game, placement=placement, **options), num_cycles=300, verbose_progress=False)


@all_games
@both_placements
def test_parallel_api(game: str, options: dict[str, Any], placement: str) -> None:
    parallel_api_test(broadside.parallel_env(game, placement=placement, **options), num_cycles=300)


@all_games
def test_seeds(game: str, options: dict[str, Any]) -> None:
    seed_test(partial(broadside.env, game, **options), num_cycles=50)
    parallel_seed_test(partial(broadside.parallel_env, game, **options), num_cycles=50)


@all_games
def test_max_cycles(game: str, options: dict[str, Any]) -> None:
    """The test acts without masks, and in some games an illegal order loses: these seeds choose none."""

    def seeded(made: Any) -> Any:
        for number, agent in enumerate(made.possible_agents):
            made.action_space(agent).seed(SEEDS.get(game, 0) + number)
        return made

    def parallel(max_cycles: int) -> Any:
        return seeded(broadside.parallel_env(game, max_cycles=max_cycles, **options))

    def one_by_one(max_cycles: int) -> Any:
        if game == "salvo" or options.get("rules") == "salvo-classic":
            # A player has up to five shots in a row, and the test wants the same number of steps for all.
            return parallel_to_aec(parallel(max_cycles))
        return seeded(broadside.env(game, max_cycles=max_cycles, **options))

    max_cycles_test(SimpleNamespace(env=one_by_one, parallel_env=parallel))


SEEDS = {"sea-battle": 2}


@all_games
def test_render(game: str, options: dict[str, Any]) -> None:
    def make(render_mode: str | None = None) -> Any:
        return broadside.env(game, render_mode=render_mode, **options)

    render_test(make, {"ansi": lambda text: "\n" in text, "rgb_array": lambda pixels: pixels.shape[2] == 3})
    with pytest.raises(ValueError, match="render_mode is 'human', 'ansi', 'rgb_array' or None"):
        broadside.env(game, render_mode="gif", **options)


def test_performance(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(broadside.env("entelect-2017"))
    assert "turns per second" in capsys.readouterr().out


def play(table: Any, seed: int) -> dict[str, float]:
    """Play a match at random, and return the sums of the rewards."""
    random = np.random.default_rng(seed)
    table.reset(seed=seed)
    totals = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, termination, truncation, _ = table.last()
        totals[agent] += reward
        over = termination or truncation
        table.step(None if over else int(random.choice(np.flatnonzero(observation["action_mask"]))))
    return totals


@all_games
@both_placements
def test_rewards_are_those_of_the_outcome(game: str, options: dict[str, Any], placement: str) -> None:
    table = broadside.env(game, placement=placement, **options)
    for seed in range(3):
        totals = play(table, seed)
        outcome = table.match.outcome
        expected = dict.fromkeys(table.possible_agents, 0.0 if outcome["winner"] is None else -1.0)
        if outcome["winner"] is not None:
            expected[f"player_{outcome['winner']}"] = 1.0
        assert totals == expected


@all_games
def test_both_environments_play_the_same_match(game: str, options: dict[str, Any]) -> None:
    """Agents that act one after the other and at the same time see and do the same."""
    one, all_at_once = broadside.env(game, **options), broadside.parallel_env(game, **options)
    one.reset(seed=3)
    observations, _ = all_at_once.reset(seed=3)
    random = np.random.default_rng(5)
    for _ in range(60):
        waiting = [f"player_{seat}" for seat in all_at_once.match.to_act]
        actions = dict.fromkeys(all_at_once.agents, 0)
        for agent in waiting:
            assert one.agent_selection == agent
            seen = one.observe(agent)
            for name, array in observations[agent].items():
                np.testing.assert_array_equal(array, seen[name])
            actions[agent] = int(random.choice(np.flatnonzero(seen["action_mask"])))
            one.step(actions[agent])
        observations, rewards, terminations, *_ = all_at_once.step(actions)
        assert one.terminations == terminations
        if len(waiting) > 0 and not any(terminations.values()):
            assert one.rewards == rewards
        if all(terminations.values()):
            break


def test_an_action_that_is_none_changes_nothing() -> None:
    table = broadside.parallel_env("entelect-2017", size=1)
    table.reset(seed=1)
    for wrong in (393, -1):
        with pytest.raises(ValueError, match=f"there is no action {wrong}; they go from 0 to 392"):
            table.step({"player_0": 1, "player_1": wrong})
        assert table.match.to_act == [0, 1]
        with pytest.raises(ValueError, match=f"there is no action {wrong}"):
            table.match.act(0, wrong)


def test_illegal_actions_cost_what_the_rules_say() -> None:
    table = broadside.env("sea-battle")
    table.reset(seed=1)
    loser = table.agent_selection
    table.step(0)
    assert table.rewards == {agent: -1.0 if agent == loser else 1.0 for agent in table.possible_agents}
    assert "wrote nothing" in table.match.outcome["ending"]
    with pytest.raises(ValueError, match="there is no game 'chess'; the games are entelect-2017, sea-battle"):
        broadside.env("chess")
    table.reset(seed=1)
    with pytest.raises(ValueError, match="there is no action 201; they go from 0 to 200"):
        table.step(201)
