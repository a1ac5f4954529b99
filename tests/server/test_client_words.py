"""The client knows no game: nothing of a game's own vocabulary stands in its source."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from bulge.core.game import Game
from bulge.games import GAMES, load_game
from tests.games.test_looks import look_of

SOURCE = Path(__file__).parents[2] / "web/src"
WORDS_OF_CHOICES = {"done", "stop", "stay", "attack", "fight", "roll", "exit", "hold"}
"""Some that games offer: what they do is told by an option's role."""
OF_THE_PROTOCOL = {"none", "supply"}
"""A tone of results, a pattern of overlays."""


def vocabulary(game: Game[Any]) -> set[str]:
    """Names that only the game may know: of sides, colours, flags, results, overlays, phases."""
    look = look_of(game)
    named = (look.sides, look.styles, look.flags, look.results, look.overlays, look.charts, look.faces)
    words = {each.id for group in named for each in group}
    return (
        words | {phase.step for phase in look.phases} | {game.id, game.title} | {face.style for face in look.faces}
    )


def sources() -> dict[str, str]:
    """What people wrote: not the tests, nor what is made from the server's types."""
    files = [path for ending in ("ts", "svelte") for path in SOURCE.rglob(f"*.{ending}")]
    written = [path for path in files if ".test." not in path.name and path.name != "protocol.ts"]
    return {str(path.relative_to(SOURCE)): path.read_text("utf-8") for path in written}


def test_no_word_of_a_game_is_written_in_the_client() -> None:
    words = set().union(*(vocabulary(load_game(id_)) for id_ in GAMES)) | WORDS_OF_CHOICES
    quoted = re.compile(r"""["'`]([^"'`\n]+)["'`]""")
    said = {
        (name, word)
        for name, text in sources().items()
        for word in quoted.findall(text)
        if word in words - OF_THE_PROTOCOL
    }
    assert not said


def test_no_side_is_named_in_the_client() -> None:
    sides = {side.name for id_ in GAMES for side in look_of(load_game(id_)).sides} - {"US", "Red", "Blue"}
    named = re.compile(rf"\b({'|'.join(sides)}|Peiper|Bastogne|panzer)\b", re.IGNORECASE)
    found = {name: match.group() for name, text in sources().items() if (match := named.search(text))}
    assert not found
