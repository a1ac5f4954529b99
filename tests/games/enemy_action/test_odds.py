"""The odds of a combat are a count over the chits, not an estimate (rules 12.4 to 12.5)."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from msgspec.structs import replace

from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.enemy_action.chits import Hits, Truths, face_of, hits_of
from bulge.games.enemy_action.facts import GERMAN, mask
from bulge.games.enemy_action.odds import hit_chances, net_hits, preview
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.players.random_player import RandomPlayer
from tests.games.enemy_action.helpers import at, empty, place, sit, the_game, unit

GAME = "enemy_action"


def a_fight() -> tuple[EnemyActionPosition, Battle]:
    p = empty(18)
    place(p, **{"48.12.ISS": "0805", "27.12.ISS": "0805", "12.12SS.ISS": "0905", "16.1.V": "0806"})
    attackers = mask(map(unit, ["48.12.ISS", "27.12.ISS", "12.12SS.ISS"]))
    return p, Battle(GERMAN, at("0806"), attackers, 1 << unit("16.1.V"), attack_tactics=("artillery",))


@pytest.mark.rule(GAME, "12.4")
@pytest.mark.rule(GAME, "12.41")
def test_the_chances_are_those_of_every_way_to_draw() -> None:
    p, battle = a_fight()
    p.cup = mask(range(0, 60, 5))
    s = sit(p)
    truths = Truths(s, battle, due=3)
    counted: Counter[Hits] = Counter()
    for drawn in combinations(members(p.cup), 3):
        faces = [face_of(truths, the_game().facts.chits[chit]) for chit in drawn]
        hits = [hits_of(face, GERMAN) for face in faces if face]
        counted[Hits(sum(h.attacker for h in hits), sum(h.defender for h in hits))] += 1
    every = sum(counted.values())
    assert hit_chances(s, battle, 3) == {hits: Fraction(number, every) for hits, number in counted.items()}


@pytest.mark.rule(GAME, "12.5")
def test_chances_add_up_and_ground_takes_hits_off() -> None:
    p, battle = a_fight()
    found = preview(sit(p), battle)
    assert sum(chance for _, chance in found.chances) == 1
    assert found.column == "5 chits" or found.column.endswith("chits")
    assert net_hits(sit(p), battle, Hits(2, 2)) == Hits(2, 2)
    p.positions = 1 << at("0806")
    assert net_hits(sit(p), battle, Hits(2, 2)) == Hits(2, 1)
    p.isolated = 1 << unit("16.1.V")
    assert net_hits(sit(p), battle, Hits(2, 2)) == Hits(0, 1)
    coordinated = replace(battle, attack_tactics=("assault_coordination",))
    p.isolated = 0
    assert net_hits(sit(p), coordinated, Hits(2, 2)) == Hits(1, 1)


@pytest.mark.rule(GAME, "12.42")
def test_an_estimate_is_said_to_be_one() -> None:
    p, battle = a_fight()
    assert "estimate" not in preview(sit(p), battle).words
    p.cup &= ~0b111
    assert "estimate" in preview(sit(p), battle).words


@pytest.mark.rule(GAME, "12.0")
def test_every_offered_preview_can_be_made() -> None:
    match = Match(the_game(), "initial_assault", seed="0f" * 16)
    player, seen = RandomPlayer(random.Random(3)), 0
    while match.decision is not None and seen < 5:
        for choice in match.decision.options:
            option = the_game().option(match.table, match.decision, choice)
            if option.has_preview:
                found = the_game().preview(match.table, match.decision, choice)
                assert found is None or sum(chance for _, chance in found.chances) == 1
                seen += found is not None
        match.choose(player.choose(match))
    assert seen
