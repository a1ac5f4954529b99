"""For all tests: a mark that names a rule must name one that exists, and maps are drawn once for all."""

from __future__ import annotations

import gc
import getpass
import os
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from bulge.core.errors import BadData
from bulge.core.rulebook import Rulebook, load_rulebook


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Stop before the first test if a mark is wrong: a misspelt rule must not pass for a tested one."""
    wrong = [
        f"{item.nodeid}: {complaint}"
        for item in items
        for mark in item.iter_markers("rule")
        if (complaint := _complaint(mark))
    ]
    if wrong:
        raise pytest.UsageError("marks that name no rule:\n  " + "\n  ".join(wrong))


def _complaint(mark: pytest.Mark) -> str | None:
    words = [*mark.args, *mark.kwargs.values()]
    if len(words) < 2 or mark.kwargs or not all(isinstance(word, str) for word in words):
        return "write @pytest.mark.rule(game, number), both as strings"
    game, *numbers = words
    rulebook = _rulebook(game)
    if isinstance(rulebook, str):
        return rulebook
    unknown = [number for number in numbers if number not in rulebook]
    return f"the rulebook of {game} has no rule {', '.join(unknown)}" if unknown else None


@cache
def _rulebook(game: str) -> Rulebook | str:
    """A game's rulebook, or why there is none. The game need not be playable yet."""
    try:
        return load_rulebook(game, files(f"bulge.games.{game}"))
    except ModuleNotFoundError:
        return f"there is no game {game!r}"
    except BadData as error:
        return str(error)


@pytest.fixture(scope="session")
def maps() -> Path:
    """Where drawn maps are kept: outside of any one run, so that the next one finds them."""
    found = os.environ.get("BULGE_TEST_CACHE")
    return Path(found) if found else Path(tempfile.gettempdir()) / f"bulge-tests-{getpass.getuser()}" / "bulge"


def pytest_collection_finish() -> None:
    """What was gathered stays: nobody needs to look through all of it for rubbish again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
