"""What a turning point is told as: whole where that is short, else one sentence with the rest behind it."""

from __future__ import annotations

from bulge.core.table import NEAREST, Event
from bulge.players.headlines import SHORT, told

LONG = Event("1.1", "A regiment comes closer to its objective " + SHORT * "x")


def test_what_is_short_is_told_whole() -> None:
    assert told([Event("1.1", "attack on 0708", dice=(4,)), Event("1.1", "It gives DR.")]) == (
        "attack on 0708. It gives DR.",
        "",
    )


def test_one_long_line_is_its_own_headline() -> None:
    assert told([LONG]) == (f"{LONG.words}.", "")


def test_a_long_story_has_its_result_for_a_headline() -> None:
    battle, result = Event("1.1", "Attack on 0705", kind="battle"), Event("1.1", "A draw.", kind="result")
    headline, detail = told([LONG, battle, result])
    assert headline == "A draw."
    assert detail.splitlines() == [f"{LONG.words}.", "Attack on 0705.", "A draw."]
    assert told([LONG, battle])[0] == "Attack on 0705."


def test_a_headline_names_the_phase_in_which_it_happened() -> None:
    impulse = Event("1.1", "German impulse.", kind="phase")
    assert (
        told([impulse, LONG, Event("1.1", "Attack on 0705", kind="battle")])[0]
        == "German impulse: Attack on 0705."
    )


def test_without_a_fight_the_headline_is_what_came_of_the_die() -> None:
    die, reason = Event("1.1", "surrender", dice=(3,)), Event("1.1", "It is alone.", depth=2)
    assert told([LONG, die, reason, Event("1.1", "Two surrender.")])[0] == "Two surrender."
    assert told([LONG, die])[0] == f"{LONG.words}."


def test_what_one_side_alone_may_read_is_not_told_nor_are_the_nearest_reasons() -> None:
    secret, near = (
        Event("1.1", "You draw card 32.", side="Allied"),
        Event("1.1", "Preferred: west.", depth=NEAREST),
    )
    assert told([secret, near, LONG, Event("1.1", "They move.")])[1].splitlines() == [
        f"{LONG.words}.",
        "They move.",
    ]
