"""What people see and are told: options in words, reach in two modes, previews, refusals, scenes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bulge.core.decision import IllegalChoice
from bulge.core.look import Subject
from bulge.core.match import Match
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.walking import point_words
from tests.games.ardennes_offensive.helpers import (
    STRONG,
    ardennes,
    at,
    beside,
    clockwise,
    distance,
    due,
    facts,
    fight,
    highway,
    in_road_mode,
    is_in,
    meadow,
    name_attack,
    names,
    play,
    position,
    refusal,
    ring,
    situation,
    start,
    unit,
    units,
    where,
)
from tests.helpers import answer, foresee, refused_by

GAME = "ardennes_offensive"


@pytest.mark.parametrize(
    ("tenths", "words"), [(10, "1"), (5, "1/2"), (1, "1/10"), (2, "1/5"), (15, "1 1/2"), (37, "3 7/10")]
)
def test_points_as_a_person_writes_them(tenths: int, words: str) -> None:
    assert point_words(tenths) == words


# ---------------------------------------------------------------------- two modes


@pytest.mark.rule(GAME, "6.3C", "6.5H")
def test_a_hex_that_only_a_column_can_reach_is_reached_by_changing_the_mode_on_the_way() -> None:
    way = highway(12)
    match = answer(play(position({"395Inf": way[0]}, step="allied_movement")), "395Inf")
    match.go(way[10])
    assert where(match.position, "395Inf") == way[10]
    assert in_road_mode(match.position, "395Inf")
    assert match.ids[1] == "enter_road_mode"


@pytest.mark.rule(GAME, "6.3C")
def test_a_column_deploys_on_the_way_to_a_hex_off_the_road() -> None:
    way = highway(12)
    match = answer(play(position({"CCB9": way[0]}, step="allied_movement", road=["CCB9"])), "CCB9")
    reach = ardennes().reachable(match.table, match.asked())
    assert reach is not None
    off_road = next(name for name in reach.costs if name not in reach.modes)
    match.go(off_road)
    assert where(match.position, "CCB9") == off_road
    assert not in_road_mode(match.position, "CCB9")


@pytest.mark.rule(GAME, "5.0", "6.3C")
@pytest.mark.parametrize("by_road", [False, True])
@pytest.mark.parametrize("id_", ["CCB9", "395Inf"])
def test_everywhere_that_is_shown_can_be_walked_to_at_that_cost(id_: str, by_road: bool) -> None:
    way = highway(12)
    friends = {"9Inf": way[6], "38Inf": "0710"}
    enemy = {"1SSPz": meadow()}

    def begun() -> Match:  # type: ignore[type-arg]
        p = position({id_: way[2]} | friends | enemy, step="allied_movement", road=[id_] if by_road else [])
        return answer(play(p), id_)

    match = begun()
    reach = ardennes().reachable(match.table, match.asked())
    assert reach is not None
    assert reach.costs
    total = facts().rows[match.asked().about.way.unit].movement * 10
    for name in sorted(reach.costs)[::9]:
        walked = begun()
        about = walked.asked().about.way
        walked.go(name)
        assert where(walked.position, id_) == name
        assert in_road_mode(walked.position, id_) is (reach.modes.get(name) == "in Road Mode")
        assert point_words(total - about.left) == reach.costs[name]


# ---------------------------------------------------------------------- previews


@pytest.mark.rule(GAME, "9.3K", "11.0", "9.4L")
def test_a_preview_gives_strengths_modifiers_with_rules_odds_and_chances() -> None:
    here = meadow()
    target = clockwise(here)[0]
    p = position({"1SSPz": here, "12SSPz": here, "38Inf": target}, step="german_combat")
    p.unsupplied = units("12SSPz")
    match = answer(play(p), target)
    seen = foresee(match, "1SSPz")
    assert (seen.attack, seen.defence, seen.column) == (9, 5, "1-1")
    assert seen.chances == (("Dr1", Fraction(1, 2)), ("Ar1", Fraction(1, 6)), ("Ar2", Fraction(1, 3)))
    match.answer("1SSPz")
    seen = foresee(match, "12SSPz")
    assert (seen.attack, seen.column) == (13, "2-1")
    assert [(line.amount, line.rule) for line in seen.modifiers] == [(-3, "12.6")]
    assert foresee(match, "attack").column == "1-1"


@pytest.mark.rule(GAME, "10.0", "10.3")
@pytest.mark.parametrize(
    ("attacker", "defender", "standard", "chart"),
    [
        ("1SSPz", "38Inf", False, "initial"),
        ("1SSPz", "38Inf", True, "standard"),
        ("38Inf", "5FJ", False, "standard"),
    ],
)
def test_a_preview_names_the_table_that_is_rolled_on(
    attacker: str, defender: str, standard: bool, chart: str
) -> None:
    here = meadow()
    target = clockwise(here)[0]
    side = "german" if attacker == "1SSPz" else "allied"
    p = position({attacker: here, defender: target}, step=f"{side}_combat")
    p.standard = standard
    seen = foresee(answer(play(p), target), attacker)
    assert seen.chart == chart
    table = next(found for found in ardennes().charts() if found.id == chart)
    column = table.columns.index(seen.column)
    assert {row[column] for row in table.rows} == {result for result, _ in seen.chances}


@pytest.mark.rule(GAME, "9.4L", "E11.0")
def test_whoever_may_stand_sees_the_odds_that_were_chosen() -> None:
    town = next(name for name in sorted(names(facts().towns)) if is_in(clockwise(name)[0], facts().passable))
    p = position({"38Inf": clockwise(town)[0], "39Inf": clockwise(town)[0], "5FJ": town}, step="allied_combat")
    match = name_attack(play(p), town, "38Inf", "39Inf")
    assert foresee(match, "2-1").column == "2-1"
    match.answer("2-1")
    assert match.asked().rule == "E11.0"
    assert foresee(match, "roll").column == "2-1"


# ---------------------------------------------------------------------- prompts


@pytest.mark.rule(GAME, "E4.2")
def test_the_first_attacks_are_counted_down() -> None:
    here = meadow()
    p = position({"1SSPz": here, "12SSPz": here, "38Inf": clockwise(here)[0]}, turn=1, step="german_combat")
    assert (
        play(p).asked().prompt
        == "Attack a hex: on the first turn 2 German units and 1 American hex must still fight"
    )


@pytest.mark.rule(GAME, "14.1A", "6.7N", "5.2K")
def test_a_movement_phase_says_what_must_be_done_first() -> None:
    way = highway(6)
    waiting = beside(position({"395Inf": meadow()}, step="allied_movement"), "CCA7", "0114")
    assert play(waiting).asked().prompt.endswith("reinforcements that can come on must: 1")
    crowded = position({"395Inf": way[1], "9Inf": way[2]}, step="allied_movement", road=["9Inf"])
    assert "away from its neighbour on the road" in play(crowded).asked().prompt
    mechanized = position({"CCB9": meadow(), "9Inf": way[2]}, step="allied_mechanized")
    assert play(mechanized).asked().prompt.startswith("Move a mechanized unit that has not fought")


@pytest.mark.rule(GAME, "6.3C", "8.1A", "7.1A")
def test_a_unit_on_its_way_says_what_it_has_left_and_why_its_mode_cannot_change() -> None:
    way = highway(6)

    def words(p: ArdennesPosition, id_: str) -> str:
        match = answer(play(p), id_)
        found = ardennes().reachable(match.table, match.asked())
        assert found is not None
        return found.words

    stacked = position({"395Inf": way[2], "9Inf": way[2]}, step="allied_movement")
    assert words(stacked, "395Inf") == (
        "4 movement points left; 2 to leave the stack; "
        "cannot enter Road Mode: there or next to it on the road: 9th Infantry Regiment (2nd Division)"
    )
    assert words(position({"CCB9": way[2]}, step="allied_movement"), "CCB9") == "12 movement points left"
    column = position({"395Inf": way[2]}, step="allied_movement", road=["395Inf"])
    assert words(column, "395Inf") == "4 movement points left; in Road Mode"


@pytest.mark.rule(GAME, "8.1A")
def test_what_a_stack_costs_is_told_where_one_is_joined() -> None:
    here = meadow()
    friend = clockwise(here)[0]
    match = answer(play(position({"5FJ": here, "8FJ": friend})), "5FJ")
    found = ardennes().reachable(match.table, match.asked())
    assert found is not None
    assert found.costs[friend] == "3"
    assert found.notes == {friend: "2 of it to join a stack"}


@pytest.mark.rule(GAME, "7.1A", "6.3C")
def test_a_unit_held_by_a_zone_is_asked_about_its_mode_alone() -> None:
    way = highway(6)
    enemy = next(name for name in ring(way[2]) if name not in way and is_in(name, facts().passable))
    match = answer(play(position({"CCB9": way[2], "5FJ": enemy}, step="allied_movement")), "CCB9")
    assert match.asked().prompt == "CCB, 9th Armored Division can enter no hex from here. Change its mode?"


@pytest.mark.rule(GAME, "9.6N", "10.2")
def test_questions_after_a_battle_say_which_hex_they_are_about() -> None:
    here = meadow()
    target = clockwise(here)[0]
    p = position({"1SSPz": here, "12SSPz": here, "16Pz": here, "1102Eng": target}, step="german_combat")
    match = fight(p, target, STRONG, "De")
    assert match.asked().rule == "9.6N"
    assert ardennes().subject(match.table, match.asked()) == Subject((target,))


# ---------------------------------------------------------------------- refusals


@pytest.mark.rule(GAME, "14.1A", "14.2B", "6.5G")
def test_a_reinforcement_that_cannot_come_on_says_why() -> None:
    p = beside(position({"395Inf": meadow()}, step="allied_movement"), "CCA7", "0114")
    p.where[unit("9Inf")] = at("0213")
    assert refusal(play(p), "CCA7") == (
        "6.5G",
        "it comes on in Road Mode, and there is 9th Infantry Regiment (2nd Division) in 0213 "
        "or next to it on the road",
    )
    p.where[unit("9Inf")] = at("0234")
    p.where[unit("1SSPz")] = at("0213")
    assert refusal(play(p), "CCA7")[0] == "14.1A"
    p.where[unit("1SSPz")] = at("3202")
    p.staged = {at("0114"): 12}
    assert refusal(play(p), "CCA7")[0] == "14.2B"


def test_a_hex_is_no_answer_to_who() -> None:
    match = play(position({"5FJ": meadow(), "395Inf": "0710"}))
    assert refusal(match, "0710") == ("5.0", "a unit is to be chosen now, not a hex")


def test_an_illegal_choice_changes_nothing_and_names_its_rule() -> None:
    here = meadow()
    match = answer(play(position({"5FJ": here, "8FJ": here, "395Inf": clockwise(here)[0]})), "5FJ")
    before = match.position.copy()
    with pytest.raises(IllegalChoice, match=r"the enemy is there: 395th Infantry .* \(rule 5.2F\)"):
        match.answer(clockwise(here)[0])
    assert match.position == before


def test_units_that_are_not_there_are_refused_with_the_reason() -> None:
    p = due(position({"5FJ": meadow(), "395Inf": "0710"}), "FG", "CCR5")
    p.lost = units("9FJ")
    p.where[[row.id for row in facts().rows].index("9FJ")] = -1
    match = play(p)
    assert refused_by(match, "FG") == "14.0"
    assert refused_by(match, "9FJ") == "16.0A"
    assert refused_by(match, "12VG") == "17.0"


@pytest.mark.rule(GAME, "5.0", "8.2C")
def test_ending_movement_passes_over_whoever_has_not_moved_and_is_not_hemmed_in() -> None:
    """Divisions stack with nobody; in the mechanized phase, which ends the turn, the end says so as before."""
    middle = meadow()
    divisions = zip(["272VG", "326VG", "12VG", "26VG", "276VG"], ring(middle), strict=False)
    p = position({"1SSPz": middle, "5FJ": meadow_far_from(middle), **dict(divisions)})
    assert {option.id: option.role for option in play(p).options()}["1SSPz"] == ""
    for regiment in ("989Gr", "990Gr", "991Gr"):
        p.where[unit(regiment)] = at(ring(middle)[5])
    roles = {option.id: option.role for option in play(p).options()}
    assert (roles["1SSPz"], roles["5FJ"], roles["done"]) == ("idle", "", "end_phase")
    p.step = "german_mechanized"
    assert {option.id: option.role for option in play(p).options()}["done"] == "end_turn"


def meadow_far_from(hex_: str) -> str:
    return next(name for name in names(facts().live & facts().clear) if distance(name, hex_) > 4)


def test_options_are_words_for_people() -> None:
    match = play(position({"1SSPz": highway(6)[2], "395Inf": "0710"}))
    words = {option.id: option.words for option in match.options()}
    assert words["1SSPz"].startswith("1st SS Panzer Regiment (1st SS Panzer Division), 9-10, in ")
    assert words["done"] == "end the phase"
    match.answer("1SSPz")
    words = {option.id: option.words for option in match.options()}
    assert words["enter_road_mode"] == "enter Road Mode"
    assert words["stop"] == "stop here"


# ---------------------------------------------------------------------- scenes


@pytest.mark.rule(GAME, "3.34")
def test_a_scene_shows_modes_supply_and_who_waits_beside_the_map() -> None:
    p = position({"1SSPz": highway(6)[2], "395Inf": "0710"}, road=["1SSPz"])
    p.unsupplied = units("1SSPz")
    beside(p, "CCA7", "0114")
    beside(p, "9Inf", "0118", dormant=True)
    beside(p, "FE", "1601")
    scene = ardennes().scene(p, None)
    pieces = {piece.unit: piece for piece in scene.pieces}
    assert set(pieces["1SSPz"].flags) == {"road_mode", "unsupplied"}
    assert (pieces["CCA7"].space, set(pieces["CCA7"].flags)) == ("0114", {"road_mode", "waiting"})
    assert (pieces["9Inf"].space, pieces["9Inf"].flags) == ("0118", ("dormant",))
    assert (pieces["FE"].space, set(pieces["FE"].flags)) == ("beside 1601", {"road_mode", "waiting"})
    assert not scene.waiting


@pytest.mark.rule(GAME, "16.0", "13.1A")
def test_a_scene_counts_points_and_shows_interdicted() -> None:
    p = position({"1SSPz": "0213", "395Inf": "3010"}, step="turn_end")
    scene = ardennes().scene(p, "German")
    assert [(score.label, score.value) for score in scene.scores] == [("German points", 2), ("Allied points", 0)]
    overlays = ardennes().overlays(p, "German")
    assert overlays["exits"] == ("0213",)
    assert scene.scores[0].words == "units 0, exits 2"
    words = {mark.space: (mark.kind, mark.words) for mark in scene.marks}
    assert words["0213"] == ("exit 2", "Road exit to Eupen, 2 points. It counts now.")
    assert "while a supplied German unit is in Bastogne" in words["3636"][1]
    assert len(words) == len(facts().exits)
    assert "3010/3111" in overlays["interdicted_german"]
    assert "3010/3111" not in overlays["interdicted_allied"]


@pytest.mark.rule(GAME, "12.1A")
def test_a_supply_line_runs_from_the_unit_to_a_source() -> None:
    p = start("1")
    p.step = "turn_end"
    line = ardennes().supply_line(p, 0)
    assert line[0] == facts().board.name(p.where[0])
    assert facts().sources["German"] >> at(line[-1]) & 1
    assert situation(p).lines("German").among(1 << p.where[0])
