"""What is printed on counters and said of hexes."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.ardennes_44.helpers import ardennes
from tests.games.test_looks import look_of

GAME = "ardennes_44"
ROOM = 10
"""So many letters can be read above a symbol."""


@pytest.mark.parametrize(
    ("id_", "printed"),
    [
        ("Lehr/130/PzIV", "Lehr/PzIV"),
        ("12SS/12PzJ", "12SS/PzJ"),
        ("116/116Rec", "116/Rec"),
        ("LXXXV/18Wf", "LXXXV/18Wf"),
        ("1SS/2/III", "1SS/2/III"),
        ("106/423(-)", "106/423-"),
        ("BD-GE-pzg-1", "BD pzg 1"),
        ("Rem-US-para-2", "Rem para 2"),
        ("99/394", "99/394"),
    ],
)
def test_ids_are_shortened_by_what_the_division_and_the_kind_tell(id_: str, printed: str) -> None:
    assert {face.id: face.short for face in look_of(ardennes()).faces}[id_] == printed


def test_no_id_is_cut_off_and_counters_of_one_colour_differ() -> None:
    faces = look_of(ardennes()).faces
    assert not [face.short for face in faces if len(face.short) > ROOM]
    colours = {"german_mechanized": "german", "german_foot": "german"}
    shown = Counter((colours.get(face.style, face.style), face.short) for face in faces)
    assert not [each for each, times in shown.items() if times > 1]
