"""Rules 10, 19, 20, 22, 23 and 24: reinforcements, refit of both sides, redeployment, entrenchments."""

from __future__ import annotations

import pytest

from bulge.games.bastogne.movement import move_germans, move_us
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.reinforcements import refit_germans, reinforce
from bulge.games.bastogne.us_refit import Redeployment, WhoRedeploys, digging_cost, redeploy, refit_us
from tests.games.bastogne.helpers import Part, at, facts, place, position, spaces, unit, wait

# ---------------------------------------------------------------------- German reinforcements


LEHR = ("I-901", "II-901")
PANZER = ("I-2",)
BEGLEIT = ("I-FB", "FB-Art")


def waiting(*formations: tuple[str, ...], morale: int = 9, turn: int = 3) -> BastognePosition:
    p = position(morale=morale, turn=turn)
    for formation in formations:
        wait(p, *formation)
    return p


@pytest.mark.rule("bastogne", "10.1", "4.2")
@pytest.mark.parametrize(
    ("die", "morale", "turn", "arrive"),
    [
        (3, 12, 3, 0),
        (4, 12, 3, 1),
        (6, 12, 3, 1),
        (6, 12, 6, 2),
        (4, 8, 3, 0),
        (5, 8, 3, 1),
        (5, 4, 3, 0),
        (6, 4, 3, 1),
        (5, 4, 6, 1),
    ],
)
def test_a_die_by_morale_and_date_says_how_many_formations_come(
    die: int, morale: int, turn: int, arrive: int
) -> None:
    p = waiting(LEHR, PANZER, ("I-13-FJ",), morale=morale, turn=turn)
    part = Part(p, (die, *(1, 2)[:arrive])).play(reinforce)
    assert part.over
    found = [part.where(id_) != "waiting" for id_ in ("I-901", "I-2", "I-13-FJ")]
    assert found == [arrive > 0, arrive > 1, False]


@pytest.mark.rule("bastogne", "10.1")
def test_a_formation_without_waiting_units_is_rolled_again() -> None:
    part = Part(waiting(LEHR, PANZER), (4, 6, 3, 2)).play(reinforce)
    assert part.over
    assert (part.where("I-2"), part.where("I-901")) == ("E-STAGING", "waiting")


@pytest.mark.rule("bastogne", "10.1")
def test_where_no_more_wait_than_may_come_nothing_is_rolled() -> None:
    part = Part(waiting(LEHR, PANZER, turn=6), (6,)).play(reinforce)
    assert part.over
    found = [part.where(id_) for id_ in ("I-901", "II-901", "I-2")]
    assert found == ["N-STAGING", "N-STAGING", "E-STAGING"]
    assert Part(waiting(), (6,)).play(reinforce).over


@pytest.mark.rule("bastogne", "8.5", "10.3")
def test_a_new_formation_goes_as_a_whole_to_one_random_staging_area_and_stays_with_it() -> None:
    part = Part(waiting(BEGLEIT), (4, 5, 4)).play(reinforce)
    assert part.over
    assert part.where("I-FB") == part.where("FB-Art") == "W-STAGING"
    start = facts().german_units.start
    assert part.p.track[unit("III-FB") - start] == 3, "its other units too"


@pytest.mark.rule("bastogne", "10.2")
def test_corps_units_never_come_by_the_table() -> None:
    p = position()
    wait(p, "600-Pi")
    assert Part(p, (6,)).play(reinforce).over
    assert p.where[unit("600-Pi")] < 0


# ---------------------------------------------------------------------- German refit


@pytest.mark.rule("bastogne", "8.6", "9.6", "12.2", "22.0", "22.1", "22.2")
def test_only_staging_areas_in_refit_mode_rebuild_checks_first_then_the_eliminated() -> None:
    p = position(assault="ESW", morale=7)
    for id_, space in (("I-901", "N-STAGING"), ("II-901", "N-STAGING"), ("I-902", "N4"), ("I-2", "E-STAGING")):
        place(p, id_, space, steps=1)
    place(p, "130-PzArt", "N-STAGING", steps=1)
    part = Part(p, (3, 4, 6, 6, 1, 1)).play(refit_germans)
    assert part.steps("I-901", "II-901", "130-PzArt") == [2, 1, 2]
    assert part.steps("I-902", "I-2") == [1, 1], "not on the map, nor in assault mode"
    assert (part.where("II-902"), part.steps("II-902")) == ("N-STAGING", [1]), "eliminated before, back reduced"
    assert part.where("II-2") == "gone"
    assert part.over


# ---------------------------------------------------------------------- redeployment


def can_go(p: BastognePosition, id_: str) -> set[str]:
    if not WhoRedeploys(facts()).open(p, 1 << unit(id_)):
        return set()
    where = Redeployment(facts(), unit=unit(id_))
    return {facts().board.name(end) for end in where.open(p, facts().spaces)}


@pytest.mark.rule("bastogne", "23.0", "23.1")
def test_redeployment_goes_along_a_track_or_to_the_center_and_from_there_anywhere() -> None:
    p = position({"1-501": "N2", "HQ-101": "N2", "2-501": "C", "HQ-CCB": "C"})
    assert can_go(p, "1-501") == {"C", "N1", "N3", "N4", "N5"}
    assert can_go(p, "2-501") == {facts().board.name(s) for s in range(1, 22)}


@pytest.mark.rule("bastogne", "23.0")
def test_neither_from_nor_to_a_space_next_to_germans_or_that_they_control() -> None:
    p = position({"1-501": "N1", "HQ-101": "N1", "I-901": "N4", "2-501": "N3", "HQ-CCB": "N3"})
    p.german |= 1 << at("N2")
    assert can_go(p, "1-501") == {"C"}, "N2 is German, N3 next to them"
    assert can_go(p, "2-501") == set()


@pytest.mark.rule("bastogne", "19.2", "23.1")
def test_redeployment_needs_an_hq_at_its_start_and_a_supply_point_each() -> None:
    p = position({"1-501": "N2", "2-501": "N3", "HQ-101": "N2"}, supply=2)
    part = Part(p).play(redeploy)
    assert part.offered == {"1-501", "HQ-101", "done"}
    part.choose("1-501", "C", "HQ-101", "C")
    assert part.over, "no supply is left"
    assert (part.where("1-501"), p.supply) == ("C", 0)


@pytest.mark.rule("bastogne", "23.1")
def test_a_unit_redeploys_once_a_turn() -> None:
    p = position({"1-501": "N2", "HQ-101": "N2", "HQ-CCB": "C"}, supply=9)
    part = Part(p).play(redeploy).choose("1-501", "C")
    assert "1-501" not in part.offered
    part.choose("done")
    assert part.over
    assert p.done == 0


# ---------------------------------------------------------------------- refit and digging


@pytest.mark.rule("bastogne", "19.2", "20.1", "20.2")
def test_refit_in_the_center_or_an_entrenchment_with_an_hq() -> None:
    p = position({"HQ-101": "C", "HQ-CCB": "N2", "HQ-CCR": "E2"}, supply=9)
    for id_, space in (("1-501", "C"), ("2-501", "N2"), ("3-501", "E2"), ("1-502", "S2")):
        place(p, id_, space, steps=1)
    p.entrenched = spaces("N2", "S2")
    part = Part(p).play(refit_us).choose("refit")
    assert part.offered == {"1-501", "2-501"}
    part.choose("1-501")
    assert part.steps("1-501") == [2]
    assert p.supply == 8


@pytest.mark.rule("bastogne", "19.2", "24.1", "24.2")
@pytest.mark.parametrize(
    ("unit_id", "cost"),
    [("326-Eng", 1), ("C-9-Eng", 1), ("1-501", 2), ("TF-Rose", 2), ("321-GFA", None), ("C-609-TD", None),
     ("HQ-101", None)],
)  # fmt: skip
def test_engineers_dig_for_one_point_other_battalions_for_two(unit_id: str, cost: int | None) -> None:
    assert digging_cost(facts(), position({unit_id: "N2"}), at("N2")) == cost


@pytest.mark.rule("bastogne", "24.1")
def test_one_entrenchment_a_space_and_only_what_supply_pays() -> None:
    p = position({"1-501": "N2", "C-9-Eng": "E2"}, supply=1)
    part = Part(p).play(refit_us)
    assert part.offered == {"E2", "done"}, "with nobody to refit, what to spend on is not asked"
    part.choose("E2")
    assert part.over
    assert (p.entrenched, p.supply) == (spaces("E2"), 0)
    assert digging_cost(facts(), p, at("E2")) is None


@pytest.mark.rule("bastogne", "24.1")
def test_an_entrenchment_stays_when_its_garrison_leaves_until_germans_come() -> None:
    p = position({"1-501": "N2", "I-901": "N4"}, morale=5)
    p.entrenched = spaces("N2")
    Part(p).play(move_us).choose("1-501", "C")
    assert p.entrenched == spaces("N2")
    Part(p).play(move_germans)
    assert p.entrenched == 0
