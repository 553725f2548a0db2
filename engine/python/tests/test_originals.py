"""The same games by our rules and in public originals: OpenSpiel, TextArena, and the rules of gym-battleship.

Every message of the original is made again of nothing but the message that our player gets, so that the tests find what is told too
much, too little or too late. BROADSIDE_GAMES is the number of games with each original.
"""

import json
import os
import random
import re
import string
from typing import Any

import numpy as np
import pytest

import broadside

GAMES = int(os.environ.get("BROADSIDE_GAMES", "300"))

Cell = tuple[int, int]
"""Column and row."""


def preset(name: str, **others: Any) -> dict[str, Any]:
    """Return the rules of a preset, with some changed."""
    rules: dict[str, Any] = json.loads(broadside.settings("battleship", rules=name))
    return {**rules, **others}


class Ours:
    """A match by our rules, of which a test sees what the players are told."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.match = broadside.match("battleship", rules=rules, placement="agents", mask="legal")
        self.width, self.height = rules["board"]["width"], rules["board"]["height"]

    def place(self, seat: int, ships: list[tuple[str, list[Cell]]]) -> None:
        self.answer(seat, "place", {"ships": [{"name": name, "cells": cells} for name, cells in ships]})

    def fire(self, seat: int, cell: Cell) -> None:
        self.answer(seat, "fire", {"shots": [cell]})

    def answer(self, seat: int, part: str, answer: Any) -> None:
        self.match.answer(seat, [(part, json.dumps(answer).encode())])

    def view(self, seat: int) -> dict[str, Any]:
        """Return the message that a player gets."""
        view: dict[str, Any] = self.match.view(seat).state
        return view

    def actions(self, kind: int, cells: list[Cell]) -> list[int]:
        """Return the actions of a kind at these cells."""
        return [1 + kind * self.width * self.height + x * self.height + y for x, y in cells]


def cells_of(ship: dict[str, Any]) -> list[Cell]:
    """Return the cells of a ship of a message."""
    return [(x, y) for x, y in ship["cells"]]


# OpenSpiel

FRAME = "+{}+\n"


class OpenSpiel:
    """A game of OpenSpiel, and the same by our rules."""

    def __init__(self, pyspiel: Any, dice: random.Random) -> None:
        while True:
            w, h = dice.randint(1, 10), dice.randint(1, 10)
            sizes = [dice.randint(1, min(5, max(w, h))) for _ in range(dice.randint(1, 5))]
            if sum(sizes) * 2 <= w * h or len(sizes) == 1:
                break
        if dice.random() < 0.15:
            w, h, sizes = 10, 10, [2, 3, 3, 4, 5]
        self.w, self.h, self.sizes = w, h, sizes
        self.values = [1.0] * len(sizes) if dice.random() < 0.5 else [dice.choice([0, 0.5, 1, 2, 3]) for _ in sizes]
        self.loss = dice.choice([1.0, 1.0, 2.0, 0.5, 0.0, -1.0])
        self.repeats = dice.random() < 0.5
        self.shots = dice.randint(1, w * h + (20 if self.repeats else 0))
        # Of a sunk ship OpenSpiel tells only that it sank. A shot at a cell of it tells it again, which ours does not, so in
        # half of the games ours tells the cells.
        self.told = dice.choice(["that", "cells"])
        self.state = pyspiel.load_game(
            "battleship",
            {
                "board_width": w,
                "board_height": h,
                "ship_sizes": f"[{';'.join(map(str, sizes))}]",
                "ship_values": f"[{';'.join(map(str, self.values))}]",
                "num_shots": self.shots,
                "allow_repeated_shots": self.repeats,
                "loss_multiplier": self.loss,
            },
        ).new_initial_state()
        self.ours = Ours(
            preset(
                "openspiel",
                board={"width": w, "height": h},
                fleet=[{"name": string.ascii_lowercase[nth], "size": size} for nth, size in enumerate(sizes)],
                told={"hit": "each", "sunk": self.told},
                repeated="wasted" if self.repeats else "refused",
                limit={"turns": self.shots, "then": "ships-sunk"},
            )
        )

    def place(self, dice: random.Random) -> None:
        """Place all ships in both: OpenSpiel's players one ship each in turn, ours by the same actions."""
        match, cells = self.ours.match, self.w * self.h
        for _ in range(2 * len(self.sizes)):
            seat = self.state.current_player()
            legal = self.state.legal_actions()
            # OpenSpiel leaves places out beside which the other ships would have no room.
            allowed = {self.our_place(action) for action in legal}
            assert allowed <= set(match.legal_actions(seat))
            action = dice.choice(legal)
            self.state.apply_action(action)
            match.act(seat, self.our_place(action))
        assert not match.placing and cells == self.w * self.h

    def our_place(self, action: int) -> int:
        """Return our action for one of OpenSpiel that places a ship: kinds are shot, place east, place north."""
        kind, at = divmod(action, self.w * self.h)
        row, column = divmod(at, self.w)
        return self.ours.actions(kind, [(column, row)])[0]

    def board(self, rows: list[list[str]]) -> str:
        edge = FRAME.format("-" * self.w)
        return edge + "".join(f"|{''.join(row)}|\n" for row in rows) + edge

    def observation(self, view: dict[str, Any]) -> str:
        own = [[" "] * self.w for _ in range(self.h)]
        shots = [[" "] * self.w for _ in range(self.h)]
        for letter, ship in zip(string.ascii_lowercase, view["ships"], strict=False):
            for x, y in cells_of(ship):
                own[y][x] = letter
        for shot in view["seen"]:
            x, y = shot["cell"]
            # The result that is told is that of the own board.
            assert (own[y][x] not in " *") == (shot["result"] != "miss")
            own[y][x] = "*" if own[y][x] in " *" else own[y][x].upper()
        for shot in view["fired"]:
            x, y = shot["cell"]
            shots[y][x] = "@" if shot["result"] == "miss" else "#"
        return f"State of player's ships:\n{self.board(own)}\nPlayer's shot outcomes:\n{self.board(shots)}"

    def information(self, view: dict[str, Any], again: dict[int, str]) -> str:
        """Return the information state. `again` are the results of repeated shots by turn, where ours does not tell enough."""
        parts = []
        for ship in view["ships"]:
            (x, y), *others = cells_of(ship)
            parts.append(f"/{'v' if others and others[0][0] == x else 'h'}_{y}_{x}")
        shots = sorted(view["fired"] + view["seen"], key=lambda shot: shot["turn"])
        (target,) = (board for board in view["boards"] if board["seat"] != view["seat"])
        sunk = [(sinking["turn"], sinking.get("cells", [])) for sinking in target["sunk"]]
        for shot in shots:
            x, y = shot["cell"]
            if shot["by"] != view["seat"]:
                parts.append(f"/oppshot_{y}_{x}")
                continue
            result = {"miss": "W", "hit": "H", "sunk": "S", "hit-before": "?"}[shot["result"]]
            if result == "?" and self.told == "cells":
                result = "S" if any(turn <= shot["turn"] and [x, y] in cells for turn, cells in sunk) else "H"
            elif result == "?":
                result = again[shot["turn"]]
            parts.append(f"/shot_{y}_{x}:{result}")
        return f"T={2 * len(self.sizes) + len(shots)} {''.join(parts)}"

    def sunk(self, view: dict[str, Any]) -> list[bool]:
        """Return which of the own ships are sunk, as the player sees it."""
        hits = {tuple(shot["cell"]) for shot in view["seen"]}
        return [set(cells_of(ship)) <= hits for ship in view["ships"]]

    def returns(self, views: list[dict[str, Any]]) -> list[float]:
        lost = [sum(value for value, sunk in zip(self.values, self.sunk(view), strict=True) if sunk) for view in views]
        return [lost[1] - self.loss * lost[0], lost[0] - self.loss * lost[1]]


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    dice = random.Random(38)
    ends = {"sunk": 0, "shots": 0}
    repeated = 0
    for _ in range(GAMES):
        game = OpenSpiel(pyspiel, dice)
        game.place(dice)
        match, state = game.ours.match, game.state
        aims_well = dice.random() < 0.5
        again: dict[int, str] = {}
        while True:
            views = [game.ours.view(seat) for seat in (0, 1)]
            for seat, view in enumerate(views):
                assert game.observation(view) == state.observation_string(seat)
                assert game.information(view, again) == state.information_state_string(seat)
            assert match.over == state.is_terminal()
            if match.over:
                break
            seat = state.current_player()
            assert match.to_act == [seat]
            legal = state.legal_actions()
            cells = [(at % game.w, at // game.w) for at in legal]
            assert match.legal_actions(seat) == sorted(game.ours.actions(0, cells))
            ships = [cell for ship in views[1 - seat]["ships"] for cell in cells_of(ship)]
            fired = {tuple(shot["cell"]) for shot in views[seat]["fired"]}
            left = [cell for cell in ships if cell not in fired]
            cell = dice.choice(left) if aims_well and left and dice.random() < 0.7 else dice.choice(cells)
            repeated += cell in fired
            turn = match.turn
            game.ours.fire(seat, cell)
            state.apply_action(cell[1] * game.w + cell[0])
            told = state.information_state_string(seat).rsplit(":", 1)[1]
            if cell in fired and cell in ships:
                (nth,) = (nth for nth, ship in enumerate(views[1 - seat]["ships"]) if cell in cells_of(ship))
                assert told == ("S" if game.sunk(views[1 - seat])[nth] else "H")
                again[turn] = told
        assert game.returns(views) == state.returns()
        sunk = [sum(game.sunk(view)) for view in views]
        assert match.outcome is not None
        winner = None if sunk[0] == sunk[1] else int(sunk[0] > sunk[1])
        ended_by_sinking = len(game.sizes) in sunk
        if ended_by_sinking:
            winner = sunk.index(min(sunk))
        assert match.outcome["winner"] == winner
        if game.loss == 1.0 and set(game.values) == {1.0}:
            assert np.sign(state.returns()).tolist() == [0, 0] if winner is None else state.returns()[winner] > 0
        ends["sunk" if ended_by_sinking else "shots"] += 1
    assert min(ends.values()) > GAMES // 5 and repeated > GAMES, (ends, repeated)


def test_openspiel_in_words() -> None:
    """A game of OpenSpiel that was written down, for machines without it."""
    fleet = [{"name": "a", "size": 2}, {"name": "b", "size": 3}]
    limit = {"turns": 6, "then": "ships-sunk"}
    ours = Ours(preset("openspiel", board={"width": 4, "height": 3}, fleet=fleet, limit=limit))
    ours.place(0, [("a", [(0, 0), (1, 0)]), ("b", [(0, 1), (1, 1), (2, 1)])])
    ours.place(1, [("a", [(2, 0), (3, 0)]), ("b", [(0, 1), (1, 1), (2, 1)])])
    results = []
    for number, at in enumerate([2, 0, 3, 0, 3, 11, 2, 1, 4, 9, 5, 10]):
        assert ours.match.to_act == [number % 2]
        ours.fire(number % 2, (at % 4, at // 4))
        results.append(ours.view(number % 2)["fired"][-1]["result"])
    # H H S H S W S S H W H W, where a hit of a cell that was hit before is one of a ship that is sunk or not.
    assert results == ["hit", "hit", "sunk", "hit-before", "hit-before", "miss", "hit-before", "sunk", "hit", "miss", "hit", "miss"]
    assert ours.match.outcome is not None and ours.match.outcome["winner"] is None


# TextArena

TEXTARENA = {
    5: "Battleship-v0-raw",
    10: "Battleship-v0-standard-raw",
    14: "Battleship-v0-large-raw",
    20: "Battleship-v0-extreme-raw",
}
SHIPS = {"Aircraft Carrier": 5, "Battleship": 4, "Submarine": 3, "Destroyer": 3, "Patrol Boat": 2}
NO_MOVE = "The player did not respond with a valid coordinate in square brackets."
ASKED_AGAIN = (
    "Player {} attempted an invalid move. Reason: {} Please resubmit a valid move and remember to follow the game rules to avoid "
    "penalties."
)


def textarena_rules(size: int) -> dict[str, Any]:
    """Return the rules of TextArena, but that the fleets are given: its seed is that of another generator."""
    return preset("textarena", board={"width": size, "height": size}, fleets="placed")


def textarena_board(seat: int, view: dict[str, Any]) -> str:
    """Return the boards that TextArena shows a player."""
    size = view["rules"]["board"]["width"]
    own = [["~"] * size for _ in range(size)]
    tracked = [["~"] * size for _ in range(size)]
    for ship in view["ships"]:
        for x, y in cells_of(ship):
            own[y][x] = ship["name"][0]
    for board, shots in ((own, view["seen"]), (tracked, view["fired"])):
        for shot in shots:
            x, y = shot["cell"]
            board[y][x] = "O" if shot["result"] == "miss" else "X"
    numbers = " ".join(f"{number:2}" for number in range(size))

    def row(cells: list[str]) -> str:
        return " ".join(f"{cell:2}" for cell in cells)

    lines = [
        f"\nPlayer {seat}'s View".center(size * 4 + 15),
        f"   {'Your Ships'.center(size * 3)}{' ' * 8}{'Your Hits on Opponent'.center(size * 3)}",
        f"   {numbers}{' ' * 9}{numbers}",
    ]
    for letter, left, right in zip(string.ascii_uppercase, own, tracked, strict=False):
        lines.append(f"{letter}   {row(left)}     {letter}   {row(right)}")
    return "\n".join(lines)


def textarena_result(seat: int, view: dict[str, Any], said: str) -> str:
    """Return the message about the last shot, of which a player said the cell like this."""
    last = max(view["fired"] + view["seen"], key=lambda shot: shot["turn"])
    words = {"miss": ("Miss! You missed the", "missed"), "hit": ("Hit! You hit a", "hit"), "sunk": ("Sunk! You sunk a", "sunk")}
    mine, theirs = words[last["result"]]
    begin = f"{mine} ship" if last["by"] == view["seat"] else f"Opponent {theirs} your ship"
    return f"{begin} at {said}! Your updated board:\n{textarena_board(seat, view)}"


def textarena_reason(view: dict[str, Any], said: str) -> str:
    """Return why a move is bad, by what the player is told."""
    if view["refused"].endswith("is off the board"):
        return f"The coordinate {said} is outside the board."
    if view["refused"].endswith("was fired at before"):
        return f"The coordinate {said} has already been fired upon."
    return NO_MOVE


def line(ends: list[Cell]) -> list[Cell]:
    """Return the cells of a ship from its ends, which are rows and columns."""
    (r, c), (s, d) = sorted(ends)
    return [(x, y) for y in range(r, s + 1) for x in range(c, d + 1)]


def textarena_action(dice: random.Random, env: Any, player: int, bad: float) -> str:
    """Return a move: more than half of them at ships, some of them bad."""
    size = env.grid_size
    tracked, ships = (env.state.game_state[key][seat] for key, seat in (("tracking_board", player), ("board", 1 - player)))
    all_cells = [(r, c) for r in range(size) for c in range(size)]
    free = [(r, c) for r, c in all_cells if tracked[r][c] == "~"]
    ship = [(r, c) for r, c in free if ships[r][c] != "~"]
    if dice.random() < bad:
        used = [f"[{string.ascii_lowercase[r]}{c}]" for r, c in all_cells if tracked[r][c] != "~"]
        off = [f"[a{size}]", f"[{string.ascii_letters[size]}0]", "[z99]"]
        return dice.choice(["", "A1", "[a 1]", "[a-1]", "[1a]", "[Player 0]", "[a1,b2]", *off, *used[:3]])
    r, c = dice.choice(ship if dice.random() < 0.6 else free)
    letter = dice.choice([string.ascii_lowercase, string.ascii_uppercase])[r]
    return dice.choice(["[{}{}]", "I fire at [{}{}] now"]).format(letter, c)


def test_textarena() -> None:
    ta = pytest.importorskip("textarena")
    kind = ta.ObservationType
    dice = random.Random(38)
    ends = {"sunk": 0, "bad": 0}
    refused = 0
    for seed in range(max(GAMES // 2, 1)):
        size = dice.choice([5, 5, 10, 10, 14, 20])
        env = ta.make(TEXTARENA[size])
        env.reset(num_players=2, seed=seed)
        ours = Ours(textarena_rules(size))
        for seat in (0, 1):
            placed = env.state.game_state["ship_placements"][seat]
            ours.place(seat, [(name, line(cells)) for name, cells in placed.items()])
        bad = dice.choice([0, 0, 0.02, 0.2])
        # What a player was told since it was last asked, apart from the texts of moves.
        told: list[list[tuple[int, str, Any]]] = [[(-1, textarena_board(0, ours.view(0)), kind.GAME_BOARD)], []]
        while True:
            player, messages = env.get_observation()
            assert ours.match.to_act == [player]
            heard = [message for message in messages if message[2] not in (kind.PROMPT, kind.PLAYER_ACTION)]
            assert heard == told[player], seed
            told[player] = []
            action = textarena_action(dice, env, player, bad)
            done, _ = env.step(action)
            read = re.search(r"\[([A-Z])(\d+)\]", action, re.IGNORECASE)
            said = read.group()[1:3] if read else ""
            before = len(ours.view(player)["fired"])
            if read:
                ours.fire(player, (int(read[2]), ord(read[1].upper()) - ord("A")))
            else:
                ours.answer(player, "fire", action)
            views = [ours.view(seat) for seat in (0, 1)]
            assert ours.match.over == done, seed
            if len(views[player]["fired"]) > before:
                for seat, view in enumerate(views):
                    told[seat].append((-1, textarena_result(seat, view, said), kind.GAME_ACTION_DESCRIPTION))
            elif not done:
                refused += 1
                reason = textarena_reason(views[player], said)
                told[player].append((-1, ASKED_AGAIN.format(player, reason), kind.GAME_ADMIN))
            if done:
                break
        rewards, info = env.close()
        outcome = ours.match.outcome
        assert outcome is not None
        assert rewards == {outcome["winner"]: 1, 1 - outcome["winner"]: -1}
        has_sunk = outcome["winner"] == player
        reason = f"Player {player} has sunk all of their opponent's ships!"
        for seat in (0, 1):
            assert info[seat]["reason"] == (reason if has_sunk else textarena_reason(views[player], said))
            assert info[seat]["invalid_move"] == (not has_sunk and seat == player)
            moves = len(views[seat]["fired"]) + (not has_sunk and seat == player)
            assert info[seat]["turn_count"] == moves
        ends["sunk" if has_sunk else "bad"] += 1
    assert min(ends.values()) > GAMES // 20 and refused > GAMES // 4, (ends, refused)


def test_textarena_draws_these_fleets() -> None:
    """The fleets of seed 42, which its generator draws, fit ours."""
    ours = Ours(textarena_rules(5))
    ends = [
        [((0, 0), (0, 4)), ((1, 3), (1, 0)), ((4, 0), (4, 2)), ((2, 1), (2, 3)), ((3, 0), (3, 1))],
        [((0, 4), (4, 4)), ((0, 3), (0, 0)), ((2, 2), (2, 0)), ((1, 3), (1, 1)), ((4, 3), (4, 2))],
    ]
    for seat in (0, 1):
        ours.place(seat, [(name, line(list(cells))) for name, cells in zip(SHIPS, ends[seat], strict=True)])
    ours.fire(0, (0, 0))
    assert textarena_board(0, ours.view(0)).splitlines()[4:7] == [
        "A   A  A  A  A  A      A   X  ~  ~  ~  ~ ",
        "B   B  B  B  B  ~      B   ~  ~  ~  ~  ~ ",
        "C   ~  D  D  D  ~      C   ~  ~  ~  ~  ~ ",
    ]


# gym-battleship, which no registry has: its rules as its source says them.

GYM_REWARDS = {"missed": 0.0, "touched": 1.0, "repeat_missed": -1.0, "repeat_touched": -0.5, "win": 100.0}


def gym_reward(view: dict[str, Any], is_won: bool) -> float:
    """Return the reward of the last shot, by what the player is told."""
    *before, last = view["fired"]
    is_hit = last["result"] != "miss"
    if last["cell"] in [shot["cell"] for shot in before]:
        return GYM_REWARDS["repeat_touched" if is_hit else "repeat_missed"]
    return GYM_REWARDS["win" if is_won else "touched" if is_hit else "missed"]


def test_the_rules_of_gym_battleship() -> None:
    """One player against a drawn fleet, at most a hundred shots. Repeated shots count; sinking is not told."""
    layout = broadside.layout("battleship", rules="gym-battleship")
    assert layout["planes"] == ["missed", "hit"] and layout["board"] == (10, 10)
    dice = random.Random(38)
    for seed in range(20):
        match = broadside.match("battleship", rules="gym-battleship", mask="legal", seed=seed)
        assert match.seats == 1 and not match.placing
        rows = [line.split()[1:] for line in match.text().splitlines() if re.match(r" ?\d( \S)+$", line)]
        left = {(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "~"}
        assert len(left) == 17
        board = np.zeros((2, 10, 10), np.uint8)
        steps = 0
        done = False
        while not done:
            aimed = [cell for cell in left if dice.random() < 0.5 and seed % 2]
            x, y = dice.choice(aimed or [(x, y) for x in range(10) for y in range(10)])
            steps += 1
            before = match.observe(0)["observation"]
            match.act(0, 1 + x * 10 + y)
            after = match.observe(0)["observation"]
            if board[:, x, y].any():
                reward = GYM_REWARDS["repeat_touched" if board[1, x, y] else "repeat_missed"]
                assert (before == after).all()
            else:
                board[int((x, y) in left), x, y] = 1
                reward = GYM_REWARDS["missed" if board[0, x, y] else "touched" if len(left) > 1 else "win"]
            left.discard((x, y))
            done = not left or steps == 100
            assert (after == board).all() and match.over == done
            is_won = match.outcome is not None and match.outcome["winner"] == 0
            assert gym_reward(match.view(0).state, is_won) == reward
        assert match.outcome is not None and match.turn == steps
        assert match.outcome["winner"] == (None if left else 0)
        with pytest.raises(ValueError, match="not to act"):
            match.act(0, 1)
