"""Trains a policy of the Entelect Challenge 2017 by self-made PPO, evaluates it, and writes it as a bot.

    python examples/ppo.py my-learner --size 1 --updates 150
    broadside compare my-learner builtin:random --size 1 --games 200

The bot needs the package and numpy in the Python that runs it (`python3`, or the one that broadside.toml names).
"""

import argparse
import json
import time
from pathlib import Path

import broadside
from broadside.ppo import Learner

BOT = """from pathlib import Path

import broadside
from broadside.ppo import CellPolicy

broadside.serve_policy(CellPolicy.load(Path(__file__).with_name("policy.npz")))
"""


def main() -> None:
    """Train, evaluate and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of the bot, which is made")
    parser.add_argument("--size", type=int, default=1, choices=[1, 2, 3], help="the map: 7 x 7, 10 x 10 or 14 x 14")
    parser.add_argument("--opponent", default="builtin:random", choices=broadside.BUILT_INS, help="a built-in player")
    parser.add_argument("--updates", type=int, default=150, help="how often 4,096 steps are played and learned from")
    parser.add_argument("--seed", type=int, default=1, help="the seed of weights and matches")
    parser.add_argument("--games", type=int, default=1000, help="the games of each evaluation")
    chosen = parser.parse_args()

    learner = Learner("entelect-2017", size=chosen.size, opponent=chosen.opponent, seed=chosen.seed)
    begun = time.perf_counter()
    for update in range(10, chosen.updates + 1, 10):
        share = learner.train(10)
        print(f"{update:5} updates, {learner.steps:9,} steps, {time.perf_counter() - begun:5.0f} s: {100 * share:.0f} % of points")
    for opponent in ("builtin:random", "builtin:hunter"):
        result = broadside.evaluate(learner.policy.act, opponent, size=chosen.size, games=chosen.games, seed=10**6)
        print(f"against {opponent}: {result}")

    chosen.folder.mkdir(parents=True, exist_ok=True)
    learner.policy.save(chosen.folder / "policy.npz")
    (chosen.folder / "bot.py").write_text(BOT)
    about = {"NickName": "Learner", "BotType": "Python3", "ProjectLocation": "", "RunFile": "bot.py", "Stay": True}
    (chosen.folder / "bot.json").write_text(json.dumps(about, indent=4) + "\n")
    print(f"the bot lies in {chosen.folder}: broadside compare {chosen.folder} builtin:random --size {chosen.size}")


if __name__ == "__main__":
    main()
