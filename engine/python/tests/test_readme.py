"""The code of the README and of docs/research.md runs as it stands there."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from .conftest import REPOSITORY


def blocks(page: str) -> list[str]:
    """Return the blocks of Python of a page, without those that a comment says are not run."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    found = re.findall(r"(?:<!-- (.*?) -->\n)?^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for note, block in found if not note.startswith("not run: the engine")]


def test_the_ten_lines_of_the_readme_train_a_policy_and_its_other_blocks_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ten_lines, *others = blocks("engine/python/README.md")
    assert "learner.train()" in ten_lines and len([line for line in ten_lines.splitlines() if line]) <= 10
    lines = run(ten_lines).splitlines()
    shares = [float(line.split(": ")[1].split(" %")[0]) for line in lines if line.startswith("against")]
    # The hunter is far stronger, and does not win all.
    assert shares[0] > 85 and 1 < shares[1] < 50
    assert [run(block) for block in others]


def test_the_blocks_of_the_page_for_research_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [run(block) for block in blocks("docs/research.md")]


def run(block: str) -> str:
    """Run a block, and return what it prints."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(block, "page", "exec"), {"__name__": "page"})
    return told.getvalue()
