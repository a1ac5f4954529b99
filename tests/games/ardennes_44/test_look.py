"""What is printed on counters and said of hexes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bulge.core.journal import read
from bulge.core.match import Match
from bulge.games.ardennes_44.position import Advantage
from tests.games.ardennes_44.helpers import ArdennesMatch, ardennes, at, facts, hexes, placed, units
from tests.games.test_looks import look_of

GAME = "ardennes_44"
KEPT = Path(__file__).parents[2] / "played/ardennes_44-greedy-1.json"
FIRST_MORNING = 960
"""So many choices of the kept game lead through its first night."""
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


@pytest.mark.rule(GAME, "2.12", "15.8.1", "15.8.2", "24.2", "33.1", "7.2", "7.8")
def test_markers_say_what_they_do_to_whom() -> None:
    p = placed(("12/48", "E2406"))
    p.traffic[2], p.greif[3] = at("E2405"), at("E2404")
    p.improved, p.digging = hexes("E2406"), hexes("E2305")
    p.blocks_german[0], p.blocks_allied[0] = at("E2008"), at("E2009")
    ouren, dasburg = (1 << facts().bridge(name) for name in ("E2020/E2119", "E2016/E2115"))
    p.blown, p.building = ouren | dasburg, dasburg
    said = {(mark.space, mark.words) for mark in ardennes().scene(p, None).marks}
    assert said >= {
        ("E2405", "Allied Traffic marker 3: Germans pay 2 points more to enter"),
        ("E2404", "Greif marker 4: Allies pay 2 points more to enter"),
        ("E2406", "Improved Position: a Combat Bonus of 2, where the ground gives less"),
        ("E2305", "Improved Position under construction: done once infantry has stayed for two Movement Phases"),
        ("E2008", "German Roadblock: Allies pay 2 points more to enter, and trace no supply through it"),
        ("E2009", "Allied Roadblock: Germans pay 2 points more to enter, and trace no supply through it"),
        ("E2020", "the bridge E2020/E2119 is blown: an unbridged river"),
        ("E2016", "the bridge E2016/E2115 is under construction: until it is done, an unbridged river"),
    }  # fmt: skip


@pytest.mark.rule(GAME, "2.12", "16.6")
def test_an_advantage_lies_with_its_bearers_and_names_its_target() -> None:
    p = placed(("12/48", "E2406"), ("99/394", "E2405"))
    p.advantages = [
        Advantage(units("12/48"), at("E2406"), at("E2405")),
        Advantage(units("12/89"), at("E2008"), at("E2009")),
    ]
    marks = [mark for mark in ardennes().scene(p, None).marks if mark.kind == "advantage"]
    words = "Attacker's Advantage: a column more in the next attack on E2405"
    assert [(mark.space, mark.words) for mark in marks] == [("E2406", words)], "of those who left, nothing is left"


@pytest.mark.rule(GAME, "24.7")
def test_the_bottleneck_says_whom_it_holds_up_and_until_when() -> None:
    words = {space.id: space.words for space in look_of(ardennes()).spaces}
    bottleneck = [words[name] for name in facts().board.names_of(facts().bottleneck)]
    told = "St-Vith bottleneck (Germans pay 4 points more to enter, 2 once they hold St-Vith)"
    assert len(bottleneck) == 3
    assert all(told in each for each in bottleneck)


@pytest.mark.rule(GAME, "25.1", "31.0")
def test_the_steps_of_the_night_are_shown_as_such() -> None:
    nights = set(look_of(ardennes()).at_night)
    assert nights <= set(ardennes().sequence)
    assert {"allied_infiltration", "german_infiltration"} <= nights, "which only some play"
    journal, asked = read(KEPT), set()
    match: ArdennesMatch = Match(ardennes(), journal.scenario, journal.options, seed=journal.seed)
    for choice in journal.choices[:FIRST_MORNING]:
        p = match.position
        assert (p.step in nights) == p.night, p.step
        asked |= {p.step} & nights
        match.answer(choice)
    assert asked >= {"allied_replacements", "german_night_movement", "german_night_combat"}
