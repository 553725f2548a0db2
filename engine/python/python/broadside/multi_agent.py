"""PettingZoo environments: all seats of a match are agents, ``player_0``, ``player_1`` and so on.

Observations are dictionaries of ``observation`` (planes), ``scalars`` and ``action_mask``; ``broadside.layout`` says what they mean.
Illegal actions are not an error: they cost what the rules of the game say, for example the match.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from broadside import games
from broadside._engine import Match
from broadside.spaces import Observation, observation_space

class _Table:
    """The base of both environments: a match, the agents that are in it, and their spaces."""

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        placement: str = "random",
        mask: str = "useful",
        reward: str = "outcome",
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **of_game: Any,
    ) -> None:
        """Make the environment of a game.

        Args:
            game: The name of the game.
            players: The number of players, for ``salvo`` 2 to 16 and for ``battleship`` as its rules say.
            placement: See :func:`broadside.match`.
            mask: See :func:`broadside.match`.
            reward: See :func:`broadside.match`.
            render_mode: ``ansi`` for text, ``rgb_array`` for pixels, ``human`` for text on standard output.
            max_cycles: The number of actions of each agent after which a match is cut off.
            **of_game: The settings of the game, see :func:`broadside.settings`.
        """
        self.match: Match = games.match(
            game, players=players, placement=placement, mask=mask, reward=reward, **of_game
        )
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is 'human', 'ansi', 'rgb_array' or None, not {render_mode!r}")
        self.game = game
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = [f"player_{seat}" for seat in range(self.match.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        layout = self.match.layout
        self.observation_spaces = {agent: observation_space(layout) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(layout["actions"]) for agent in self.possible_agents}
        self._random, _ = seeding.np_random()

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 4}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        # The match of seed 7 is that of the program with seed 7.
        self.match.reset(int(self._random.integers(2**63)) if seed is None else seed)
        self.agents = self.possible_agents[:]

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the match as the referee sees it: text or pixels. In the mode ``human`` the text is printed."""
        if self.render_mode == "human":
            print(self.match.text())
        if self.render_mode == "ansi":
            return self.match.text()
        return self.match.pixels() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Do nothing: there is nothing to be closed."""

    def _observe(self, agent: str) -> Observation:
        return self.match.observe(self._seats[agent])

    def _is_out(self, agent: str) -> bool:
        return not self.match.is_in(self._seats[agent])


class BroadsideAECEnv(_Table, AECEnv):  # type: ignore[misc]
    """The PettingZoo environment of a game in which agents act one after the other.

    Where the game has players act at the same time, they act one after the other without seeing each other's actions.

    Example:
        >>> table = BroadsideAECEnv("bots-arena")
        >>> table.reset(seed=7)
        >>> for agent in table.agent_iter():
        ...     observation, reward, termination, truncation, info = table.last()
        ...     over = termination or truncation
        ...     table.step(None if over else int(observation["action_mask"].argmax()))
        >>> sorted(table._cumulative_rewards) == []
        True
    """

    metadata = {**_Table.metadata, "name": "broadside_aec_v0", "is_parallelizable": True}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match: that of this seed, or any."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._acted = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection: str | None = None
        self.agent_selection = self.possible_agents[self.match.current or 0]

    def observe(self, agent: str) -> Observation:
        """Return what an agent knows now."""
        return self._observe(agent)

    def step(self, action: int | None) -> None:
        """Take an action of the agent whose turn it is; ``None`` of one that is out of the match."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is in the match and needs an action")
        self._cumulative_rewards[agent] = 0.0
        self.match.act(self._seats[agent], int(action))
        self._acted[agent] += 1
        for other in self.agents:
            self.rewards[other] = self.match.take_reward(self._seats[other])
            self.terminations[other] = self.terminations[other] or self._is_out(other)
        still_in = [other for other in self.agents if not self.terminations[other]]
        if self.max_cycles is not None and all(self._acted[other] >= self.max_cycles for other in still_in):
            self.truncations.update(dict.fromkeys(still_in, True))
        self._accumulate_rewards()
        self._select_after(agent)
        self._deads_step_first()

    def _select_after(self, agent: str) -> None:
        """Select the next agent that is to act, in the order of the seats."""
        waiting = self.match.to_act
        if waiting:
            count, seat = len(self.possible_agents), self._seats[agent]
            after = min(waiting, key=lambda other: (other - seat - 1) % count)
            self.agent_selection = self.possible_agents[after]


class BroadsideParallelEnv(_Table, ParallelEnv):  # type: ignore[misc]
    """The PettingZoo environment of a game in which all agents act at the same time.

    Where the game has players move by turns, the masks of the others allow action 0 only, and what they do is not looked at.
    """

    metadata = {**_Table.metadata, "name": "broadside_parallel_v0"}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match: that of this seed, or any."""
        self._begin(seed)
        self._cycles = 0
        return {agent: self._observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Take one action of every agent."""
        chosen = {self._seats[agent]: int(actions[agent]) for agent in self.agents}
        waiting = [seat for seat in self.match.to_act if seat in chosen]
        # No agent has acted if one of them cannot.
        if wrong := [action for seat in waiting if not 0 <= (action := chosen[seat]) < self.match.layout["actions"]]:
            raise ValueError(f"there is no action {wrong[0]}; they go from 0 to {self.match.layout['actions'] - 1}")
        for seat in waiting:
            self.match.act(seat, chosen[seat])
        self._cycles += 1
        agents = self.agents
        terminations = {agent: self._is_out(agent) for agent in agents}
        is_cut_off = self.max_cycles is not None and self._cycles >= self.max_cycles
        truncations = {agent: is_cut_off and not terminations[agent] for agent in agents}
        rewards = {agent: self.match.take_reward(self._seats[agent]) for agent in agents}
        observations = {agent: self._observe(agent) for agent in agents}
        self.agents = [agent for agent in agents if not terminations[agent] and not truncations[agent]]
        return observations, rewards, terminations, truncations, {agent: {} for agent in agents}
