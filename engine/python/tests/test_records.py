"""Records that are read, and positions as arrays."""

import json
from pathlib import Path

import numpy as np
import pytest

import broadside
from broadside.policies import play_match

from .conftest import REPOSITORY

REPLAYS = sorted((REPOSITORY / "replays").glob("*.jsonl"))


def test_there_are_replays_of_all_games() -> None:
    assert {broadside.read(path).game for path in REPLAYS} == set(broadside.GAMES)


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.name)
def test_turns_lead_from_one_to_the_next(path: Path) -> None:
    record = broadside.read(path)
    match = None
    for turn in record:
        assert turn.number == turn.before.turn
        if match is not None:
            assert match.turn == turn.before.turn and match.text() == turn.before.text()
        match = turn.before.fork()
        assert set(turn.answers) == set(match.to_act)
        for seat, answer in turn.answers.items():
            if answer.fault is not None:
                assert answer.actions is None
                match.fail(seat, gave_up="gave up" in answer.fault)
            else:
                assert answer.parts
                match.answer(seat, list(answer.parts.items()))
    assert match is not None and record.outcome is not None
    assert match.outcome == record.outcome
    assert broadside.verify(path) == len(record)


@pytest.mark.parametrize("game", broadside.GAMES)
@pytest.mark.parametrize("placement", ["agents", "random"])
def test_positions_are_what_was_seen_and_done(game: str, placement: str, tmp_path: Path) -> None:
    paths = []
    for seed in range(3):
        paths.append(tmp_path / f"{seed}.jsonl")
        play_match(["builtin:hunter", "builtin:random"], game=game, seed=seed, record=paths[-1])
    arrays = broadside.positions(paths, placement=placement)
    count = len(arrays["action"])
    assert count > 100 and all(len(array) == count for array in arrays.values())
    assert set(arrays["record"]) == {0, 1, 2} and set(arrays["outcome"]) <= {-1, 0, 1}
    # What a built-in player does is legal.
    assert arrays["action_mask"][np.arange(count), arrays["action"]].all()
    at = 0
    for path in paths:
        record = broadside.read(path, placement=placement)
        for turn in record:
            for seat, answer in turn.answers.items():
                assert answer.actions is not None or placement == "random"
                for nth, action in enumerate(answer.actions or []):
                    assert (arrays["action"][at], arrays["seat"][at], arrays["turn"][at]) == (action, seat, turn.number)
                    if nth == 0:
                        for name, array in turn.observe(seat).items():
                            np.testing.assert_array_equal(array, arrays[name][at])
                    won = record.outcome is not None and record.outcome["winner"] == seat
                    assert (arrays["outcome"][at] == 1) == won
                    at += 1
    assert at == count


def test_positions_of_different_games_are_refused(tmp_path: Path) -> None:
    for size in (1, 2):
        play_match(["builtin:random"] * 2, game="entelect-2017", size=size, record=tmp_path / f"{size}.jsonl")
    with pytest.raises(ValueError, match=r"2\.jsonl is of another game, or has other settings, than .*1\.jsonl"):
        broadside.positions([tmp_path / "1.jsonl", tmp_path / "2.jsonl"])


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path, file = tmp_path / "match.jsonl", tmp_path / "positions.parquet"
    play_match(["builtin:random"] * 2, game="bots-arena", record=path)
    rows = broadside.to_parquet(path, file)
    table = parquet.read_table(file)
    arrays = broadside.positions(path)
    assert table.num_rows == rows == len(arrays["action"])
    np.testing.assert_array_equal(table["action"].to_numpy(), arrays["action"])
    shape = json.loads(table.schema.metadata[b"shape.observation"])
    planes = np.stack(table["observation"].to_numpy()).reshape(-1, *shape)
    np.testing.assert_array_equal(planes, arrays["observation"])


def test_a_recorded_match_can_be_saved_as_far_as_it_was_read(tmp_path: Path) -> None:
    """A turn's match has its past: its record verifies, and it can be played on."""
    path = REPOSITORY / "replays/bots-arena.jsonl"
    turn = list(broadside.read(path))[20]
    for match in (turn.before, turn.before.fork()):
        broadside.save(match, tmp_path / "part.jsonl")
        assert len(broadside.read(tmp_path / "part.jsonl")) == 20
    while (seat := match.current) is not None:
        match.act(seat, match.legal_actions(seat)[0])
    broadside.save(match, tmp_path / "whole.jsonl")
    assert broadside.verify(tmp_path / "whole.jsonl") == match.turn > 20


def test_parts_and_times_are_checked() -> None:
    match = broadside.match("entelect-2017", size=1, seed=1)
    for count in (2, 256):
        with pytest.raises(ValueError, match="the part 'command.txt' once only"):
            match.answer(0, [("command.txt", b"1,1,1")] * count)
    for time in ("yesterday", "2017-06-01T12:00:00.123456789+02:00", "2017-06-01T12:00:00.123Z"):
        for given in ({"started": time}, {"ended": time}):
            with pytest.raises(ValueError, match="not a time as records have it"):
                match.record(**given)
    with pytest.raises(ValueError, match="no records"):
        broadside.positions([])


def test_what_is_no_record_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "match.jsonl"
    with pytest.raises(ValueError, match="there is no such file or folder"):
        broadside.read(broken)
    broken.write_text("hello\n")
    with pytest.raises(ValueError, match="its first line is not that of a record"):
        broadside.read(broken)
    play_match(["builtin:random"] * 2, game="bots-arena", record=broken)
    lines = broken.read_bytes().splitlines(keepends=True)
    broken.write_bytes(b"".join(lines[:10] + lines[11:]))
    with pytest.raises(ValueError, match="turn 9 is missing; this is turn 10"):
        broadside.read(broken)
    # A record whose match was not played to its end can be read up to there.
    broken.write_bytes(b"".join(lines[:10]))
    record = broadside.read(broken)
    assert record.outcome is None and len(list(record)) == len(record) == 9
