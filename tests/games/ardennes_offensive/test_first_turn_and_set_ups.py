"""The first turn, set-ups and scenarios (rules 4.2, 17 and 18)."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.ardennes_offensive.facts import ABSENT
from bulge.games.ardennes_offensive.first_turn import Duties
from bulge.games.hexes.roster import DUE
from tests.games.ardennes_offensive.helpers import (
    ardennes,
    around,
    clockwise,
    facts,
    is_in,
    meadow,
    names,
    play,
    position,
    start,
    unit,
    where,
)
from tests.helpers import answer, offered, refused_by

GAME = "ardennes_offensive"


# ---------------------------------------------------------------------- the first turn


@pytest.mark.rule(GAME, "4.2", "4.1", "4.0")
def test_the_first_turn_begins_with_german_attacks() -> None:
    match = Match(ardennes(), "1", seed="0" * 32)
    assert (match.position.turn, match.asked().side) == (1, "German")
    match.choose(match.asked().options[0])
    assert match.position.step == "german_combat", "no initial movement"


@pytest.mark.rule(GAME, "4.2")
def test_neither_side_has_initial_movement_on_the_first_turn() -> None:
    p = position({"1SSPz": meadow(), "395Inf": "0710", "CCB9": "0711"}, turn=1, step="german_conversions")
    match = play(p)
    seen = set()
    while match.position.turn == 1:
        seen.add(match.position.step)
        match.choose("done")
    assert seen == {"german_mechanized", "allied_mechanized"}


@pytest.mark.rule(GAME, "E4.2")
def test_the_germans_may_not_end_the_first_combat_phase_before_all_are_attacked() -> None:
    here = meadow()
    match = play(position({"1SSPz": here, "395Inf": clockwise(here)[0]}, turn=1, step="german_combat"))
    assert offered(match) == {clockwise(here)[0]}
    assert refused_by(match, "done") == "E4.2"


@pytest.mark.rule(GAME, "E4.2")
def test_a_unit_with_one_target_must_take_part_in_the_attack_on_it() -> None:
    here = meadow()
    a, b, c, *_ = clockwise(here)
    p = position({"1SSPz": a, "12SSPz": c, "395Inf": here}, turn=1, step="german_combat")
    match = answer(play(p), here, "1SSPz")
    assert offered(match) == {"12SSPz"}, "the attack may not begin without it"
    assert b not in (a, c)


@pytest.mark.rule(GAME, "E4.2", "9.2D")
def test_a_unit_that_alone_touches_two_americans_attacks_both() -> None:
    here = meadow()
    a, _, c, *_ = clockwise(here)
    p = position({"1SSPz": here, "395Inf": a, "9Inf": c}, turn=1, step="german_combat")
    match = answer(play(p), a)
    assert offered(match) == {c}, "nobody else could attack the other"


@pytest.mark.rule(GAME, "E4.2")
def test_nobody_joins_an_attack_who_is_needed_elsewhere() -> None:
    here = meadow()
    a, b, c, *_ = clockwise(here)
    # 16Pz is next to both Americans, 1SSPz to the first alone.
    first, second = a, c
    lonely = next(
        name for name in sorted(around(first)) if name not in around(second) and name != here and name != b
    )
    p = position({"16Pz": here, "1SSPz": lonely, "395Inf": first, "9Inf": second}, turn=1, step="german_combat")
    match = answer(play(p), first)
    if match.asked().rule == "9.2D":
        match.answer("done")
    assert offered(match) == {"1SSPz"}
    assert refused_by(match, "16Pz") == "E4.2"


@pytest.mark.rule(GAME, "E4.2")
def test_however_the_first_attacks_are_made_nobody_is_left_out() -> None:
    """Any line of units and hexes, attacks named at random as the game offers them: in the end all have fought."""
    for seed in range(300):
        rng = random.Random(seed)
        duties = some_duties(rng)
        while duties.reach:
            hexes, fighters = random_attack(duties, rng)
            assert duties.fulfilled_by(hexes, fighters)
            left = {unit: near & ~hexes for unit, near in duties.reach.items() if unit not in fighters}
            assert all(left.values()), "a unit was left without anybody to attack"
            assert joined(left.values()) == joined(duties.reach.values()) & ~hexes, (
                "a hex was left without attackers"
            )
            duties.reach = left


def some_duties(rng: random.Random) -> Duties:
    """Up to seven units, each next to up to three of up to six hexes."""
    duties: Duties = object.__new__(Duties)
    duties.reach = {
        unit: joined(1 << hex_ for hex_ in rng.sample(range(6), rng.randint(1, 3)))
        for unit in range(rng.randint(1, 7))
    }
    return duties


def random_attack(duties: Duties, rng: random.Random) -> tuple[int, set[int]]:
    hexes = 1 << rng.choice(members(joined(duties.reach.values())))
    while True:
        near = joined(near for near in duties.reach.values() if not hexes & ~near)
        more = [hex_ for hex_ in members(near & ~hexes) if duties.extendable(hexes | 1 << hex_)]
        enough = duties.completable(hexes, set())
        assert more or enough
        if not more or (enough and rng.random() < 0.5):
            break
        hexes |= 1 << rng.choice(more)
    fighters: set[int] = set()
    while True:
        able = [
            unit for unit in duties.reach if unit not in fighters and duties.completable(hexes, fighters | {unit})
        ]
        ready = bool(fighters) and duties.fulfilled_by(hexes, fighters)
        assert able or ready
        if ready and (not able or rng.random() < 0.5):
            return hexes, fighters
        fighters.add(rng.choice(able))


def joined(sets: Iterable[int]) -> int:
    found = 0
    for hexes in sets:
        found |= hexes
    return found


@pytest.mark.rule(GAME, "4.2", "5.2K")
def test_those_who_fought_stay_and_the_others_drive_on() -> None:
    here = meadow()
    placed = {"1SSPz": here, "12SSPz": "2602", "1107Eng": clockwise(here)[0], "23Inf": "0710"}
    match = answer(play(position(placed, turn=1, step="german_combat"), [1]), clockwise(here)[0], "1SSPz")
    while match.position.step == "german_combat":
        match.choose(match.asked().options[-1])
    assert match.position.step == "german_mechanized"
    assert offered(match) == {"12SSPz", "done"}


# ---------------------------------------------------------------------- set-ups


@pytest.mark.rule(GAME, "18.0", "E18.0", "17.0")
def test_the_ten_scenarios() -> None:
    """Free or historical, and how fast: Allied set-up and schedule, then German."""
    table = "hhhh hhha hhfh fshh fsfh fsfa hsha hsfa hhfa fhfa"
    rows = [
        row.allied_set_up[0] + row.allied_schedule[0] + row.german_set_up[0] + row.german_schedule[0]
        for row in facts().scenarios
    ]
    assert rows == table.split()
    assert list(ardennes().scenarios) == [str(number) for number in range(1, 11)]


@pytest.mark.rule(GAME, "17.0", "E3.1-6", "4.2")
def test_the_historical_set_up() -> None:
    p = start("1")
    assert p.step == "german_table"
    on_map = [row.id for row, hex_ in zip(facts().rows, p.where, strict=True) if hex_ >= 0]
    assert len(on_map) == 67
    assert facts().places[p.where[unit("102Cav")]] == "Monschau"
    assert facts().places[p.where[unit("1107Eng")]] == "St. Vith"
    assert all(hex_ in (DUE, ABSENT) or hex_ >= 0 for hex_ in p.where)
    ardennes().check(p)


@pytest.mark.rule(GAME, "17.0", "4.2")
def test_the_allies_set_up_before_the_germans() -> None:
    match = Match(ardennes(), "5", seed="0" * 32)
    assert (match.asked().side, match.position.step) == ("Allied", "allied_setup")
    match.choose("done")
    assert (match.asked().side, match.position.step) == ("German", "german_setup")
    match.choose("done")
    assert match.position.step == "german_reinforcements"


@pytest.mark.rule(GAME, "17.0")
def test_front_and_rear_are_kept_apart() -> None:
    match = Match(ardennes(), "3", seed="0" * 32)
    front, rear = facts().front["German"], facts().rear["German"]
    match.answer("12VG")
    assert offered(match) == names(front) - {"0906"}
    assert refused_by(match, "1004") == "17.0"
    match.answer("0308")
    assert where(match.position, "12VG") == "0308"
    match.answer("1SSPz")
    assert offered(match) == names(rear) - {"1004"}
    assert refused_by(match, "0407") == "17.0"
    assert refused_by(match, "0710") == "17.0"


@pytest.mark.rule(GAME, "17.0")
def test_nobody_stacks_and_friends_change_places() -> None:
    match = Match(ardennes(), "3", seed="0" * 32)
    answer(match, "12VG", "0706")
    assert where(match.position, "12VG") == "0706"
    assert where(match.position, "990Gr") == "0906"
    answer(match, "12VG")
    assert match.asked().prompt == "Where on the front line does 12th Volksgrenadier Division start?"
    words = {option.id: option.words for option in match.options()}
    assert words["0906"].endswith("changing places with 990th Grenadier Regiment (277th Volksgrenadier Division)")
    answer(match, "0906", "12VG", "0706")
    assert refused_by(answer(match, "990Gr"), "0906") == "17.0", "it stands there already"
    ardennes().check(match.position)


@pytest.mark.rule(GAME, "17.0")
def test_units_are_put_elsewhere_until_their_owner_is_content() -> None:
    match = answer(Match(ardennes(), "3", seed="0" * 32), "12VG", "0706", "12VG", "0906")
    assert where(match.position, "12VG") == "0906"
    assert where(match.position, "990Gr") == "0706", "everybody is back where history put him"
    match.choose("done")
    assert match.position.step == "german_reinforcements"


@pytest.mark.rule(GAME, "17.0")
def test_the_front_line_is_what_touches_the_start_line() -> None:
    for side in ("German", "Allied"):
        assert facts().front[side] & ~facts().start_line.hexes == 0
    assert is_in("0208", facts().front["German"])
    assert is_in("0209", facts().front["Allied"])
    assert facts().front["German"] & facts().front["Allied"] == 0
