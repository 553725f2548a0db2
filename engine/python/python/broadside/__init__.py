"""Battleship for learning and research: the exact rules of five games, in Rust.

The games are ``entelect-2017``, ``sea-battle``, ``bots-arena``, ``salvo``, and ``battleship`` by any rules. The parts of the package:

========================= ==================================================================
:class:`Match`            one match, step by step; can be copied for a search
:func:`env`               a PettingZoo environment (AEC); :func:`parallel_env` the parallel one
:func:`single_env`        a Gymnasium environment: one agent against a built-in player or a policy
:func:`vector_env`        a Gymnasium vector environment: many of those at once
:class:`Batch`            many matches at once with all their seats, for self-play
:func:`read`              the turns of a record; :func:`positions` its positions as arrays
:func:`play`              a match between policies, bots in folders, bots by URL and built-in players
:func:`evaluate`          the share of games that a policy wins, with an interval
:func:`serve_policy`      makes a bot of the Entelect Challenge 2017 of a policy
:mod:`broadside.llm`      plays by language models
:mod:`broadside.ppo`      a small learner in numpy
========================= ==================================================================
"""

from typing import TYPE_CHECKING, Any

from broadside._engine import BUILT_INS, ENGINE, GAMES, BuiltIn, Match, View
from broadside.batch import Batch
from broadside.games import layout, match, settings
from broadside.policies import (
    BuiltInPolicy,
    Decision,
    Policy,
    RandomPolicy,
    Result,
    evaluate,
    play,
)
from broadside.records import Turn, positions, read, save, to_parquet, verify
from broadside.serving import serve_policy

if TYPE_CHECKING:
    from broadside.multi_agent import BroadsideAECEnv, BroadsideParallelEnv
    from broadside.single_agent import BroadsideEnv, BroadsideVectorEnv

__all__ = [
    "BUILT_INS",
    "ENGINE",
    "GAMES",
    "Batch",
    "BuiltIn",
    "BuiltInPolicy",
    "Decision",
    "Match",
    "Policy",
    "RandomPolicy",
    "Result",
    "Turn",
    "View",
    "env",
    "evaluate",
    "layout",
    "match",
    "parallel_env",
    "play",
    "positions",
    "read",
    "save",
    "serve_policy",
    "settings",
    "single_env",
    "to_parquet",
    "vector_env",
    "verify",
]


def env(game: str, **options: Any) -> "BroadsideAECEnv":
    """Return the PettingZoo environment of a game in which agents act one after the other.

    See :class:`broadside.multi_agent.BroadsideAECEnv` for the options. Needs ``pip install 'broadside[pettingzoo]'``.
    """
    from broadside.multi_agent import BroadsideAECEnv

    return BroadsideAECEnv(game, **options)


def parallel_env(game: str, **options: Any) -> "BroadsideParallelEnv":
    """Return the PettingZoo environment of a game in which all agents act at the same time.

    See :class:`broadside.multi_agent.BroadsideParallelEnv` for the options. Needs ``pip install 'broadside[pettingzoo]'``.
    """
    from broadside.multi_agent import BroadsideParallelEnv

    return BroadsideParallelEnv(game, **options)


def single_env(game: str, **options: Any) -> "BroadsideEnv":
    """Return the Gymnasium environment of one agent against built-in players or a policy.

    See :class:`broadside.single_agent.BroadsideEnv` for the options. Needs ``pip install 'broadside[gym]'``.
    """
    from broadside.single_agent import BroadsideEnv

    return BroadsideEnv(game, **options)


def vector_env(game: str, num_envs: int, **options: Any) -> "BroadsideVectorEnv":
    """Return many matches of one agent against built-in players or a policy, as a Gymnasium vector environment.

    See :class:`broadside.single_agent.BroadsideVectorEnv` for the options. Needs ``pip install 'broadside[gym]'``.
    """
    from broadside.single_agent import BroadsideVectorEnv

    return BroadsideVectorEnv(game, num_envs, **options)
