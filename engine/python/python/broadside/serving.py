"""Policies as bots of the Entelect Challenge 2017, which read and write files."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from broadside import _engine
from broadside.policies import ComposedView, Policy, parts_of


def serve_policy(policy: Policy | type[Policy], *, placement: str = "random", mask: str = "useful") -> None:
    """Play as a bot of the Entelect Challenge 2017 whose program calls this.

    The program is started as ``bot.json`` says: with ``"Stay": true`` once a match, else once a round.

    Args:
        policy: An object or a class with ``decide(view)``.
        placement: ``random``: the fleet is placed at random. ``agents``: the policy places it.
        mask: See :func:`broadside.match`.
    """
    deciding = policy() if isinstance(policy, type) else policy
    key, folder = sys.argv[1], Path(sys.argv[2])
    seat = 1 if key == "B" else 0
    if not os.environ.get("BROADSIDE_STAY"):
        _take_turn(deciding, seat, folder, placement, mask)
        return
    for line in sys.stdin:
        _take_turn(deciding, seat, folder, placement, mask)
        print(line, end="", flush=True)


def _take_turn(policy: Policy, seat: int, folder: Path, placement: str, mask: str) -> None:
    message = (folder / "state.json").read_text(encoding="utf-8")
    drawn = (folder / "map.txt").read_text(encoding="utf-8")
    placed: list[int] = []
    while True:
        arrays, phase, number, side = _engine.observe_state(message, placed, placement, mask)
        if phase == 1 and placement == "random":
            name, answer = _engine.write_answer(side, phase, [], int(os.environ.get("BROADSIDE_SEED", "0")))
            break
        view = ComposedView("entelect-2017", seat, number, arrays, message, drawn)
        decision = policy.decide(view)
        if decision is None:
            return
        if isinstance(decision, str | Mapping):
            for part, value in parts_of("entelect-2017", phase == 1, decision):
                (folder / part).write_bytes(value)
            return
        placed.append(int(decision))
        if phase != 1 or len(placed) == 5:
            name, answer = _engine.write_answer(side, phase, placed, 0)
            break
    (folder / name).write_bytes(answer)
