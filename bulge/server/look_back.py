"""Reviews a game that is over, as a program of its own: `python -m bulge.server.look_back FILE`.

The game comes as JSON on the standard input; how far it has come, in percent, goes to the standard output. Looking
back takes minutes; in a process of its own it holds up nobody who plays.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from bulge.lab.follow import course_of
from bulge.players.review import review
from bulge.server.library import Library
from bulge.server.reviews import Reviewed, ToReview
from bulge.server.worker import POLITENESS, limit_memory

MOST_MEMORY = 2 * 1024**3
AFTER_COURSE = 3
"""Percent of the work: the course of the game is quickly told."""


def look_back(asked: ToReview) -> Reviewed:
    journal = asked.journal
    course = course_of(Library().game(journal.game, journal.overrides), journal)
    said, all_ = -1, len(journal.choices)

    def each(at: int) -> None:
        nonlocal said
        percent = AFTER_COURSE + (99 - AFTER_COURSE) * at // all_
        if percent > said:
            said = percent
            print(percent, flush=True)

    game = Library().game(journal.game, journal.overrides)  # the other one is watched
    return Reviewed(review(game, journal, each=each, ended=asked.ended), course)


def main(file: Path) -> None:
    with suppress(AttributeError, OSError):
        os.nice(POLITENESS)
    limit_memory(MOST_MEMORY)  # data of strangers may be in it
    found = look_back(msgspec.json.decode(sys.stdin.buffer.read(), type=ToReview))
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_bytes(msgspec.json.encode(found))
    part.replace(file)  # whole or not at all: another server may be reading


if __name__ == "__main__":
    main(Path(sys.argv[1]))
