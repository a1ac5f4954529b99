"""What can be read beside the code: its tables are whole."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WRITTEN = sorted(path for folder in ("bulge", "docs", "bench") for path in (ROOT / folder).rglob("*.md"))


def cells(line: str) -> int:
    """How many bars a line of a table has; those in code do not count."""
    return len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", line)))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(ROOT)))
def test_all_rows_of_a_table_have_as_many_cells(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    torn = [
        after
        for before, after in pairwise(lines)
        if before[:1] == after[:1] == "|" and cells(before) != cells(after)
    ]
    assert torn == []


def test_there_is_something_to_read() -> None:
    assert len(WRITTEN) > 20
