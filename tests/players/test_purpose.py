"""Formations go for an objective together, keep it from turn to turn, and leave others to others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bulge.players.knowledge import Fields
from bulge.players.looking import Moves, Way
from bulge.players.purpose import Purposes

WEST, EAST = 0, 20
"""Objectives at either end of a road of 21 hexes."""


@dataclass
class Road:
    """A road on which each unit can go one hex to either side; units 0 and 1 belong together, so do 2 and 3."""

    at: dict[int, int]
    wanting: dict[int, float] = field(default_factory=lambda: {WEST: 4.0, EAST: 4.0})
    held_up: int = 0
    """Units that are not free."""
    own: dict[str, int] = field(default_factory=dict)
    """By formation what it may go for."""
    paces: dict[int, float] = field(default_factory=dict)
    """How fast units march who are slower than others."""

    def objectives(self, p: object, side: str) -> dict[int, float]:
        return dict(self.wanting)

    def own_objectives(self, p: object, side: str) -> dict[str, int]:
        return self.own

    def free_units(self, p: object, side: str) -> int:
        return sum(1 << unit for unit in self.at) & ~self.held_up

    def formation(self, unit: int) -> str:
        return "first" if unit < 2 else "second"

    def strength(self, p: object, unit: int) -> float:
        return 2.0

    def pace(self, unit: int) -> float:
        return self.paces.get(unit, 1.0)

    def where(self, p: object, unit: int) -> int:
        return self.at[unit]

    def far_from(self, p: object, objective: int) -> Mapping[int, int]:
        return {hex_: abs(hex_ - objective) for hex_ in range(21)}

    def fields(self, p: object, side: str) -> Fields:
        raise NotImplementedError

    def moves(self) -> Moves:
        return Moves({unit: {hex_: Way(unit, hex_, None)} for unit, hex_ in self.at.items()})


def renewed(purposes: Purposes, road: Road) -> dict[int, int]:
    return purposes.renewed(road, None, "Allied", road.moves())  # type: ignore[arg-type]


def test_a_formation_goes_for_what_is_nearest_to_all_of_it() -> None:
    assert renewed(Purposes(), Road({0: 9, 1: 6})) == {0: WEST, 1: WEST}


def test_where_enough_go_others_go_elsewhere() -> None:
    """Both are nearer to the west, but the first formation is all that it wants."""
    assert renewed(Purposes(), Road({0: 2, 1: 2, 2: 8, 3: 8})) == {0: WEST, 1: WEST, 2: EAST, 3: EAST}


def test_where_more_is_wanted_more_go() -> None:
    road = Road({0: 2, 1: 2, 2: 8, 3: 8}, wanting={WEST: 40.0, EAST: 4.0})
    assert set(renewed(Purposes(), road).values()) == {WEST}
    assert renewed(Purposes(), Road({0: 12, 1: 12}, wanting={WEST: 40.0, EAST: 4.0})) == {0: WEST, 1: WEST}


def test_whoever_is_slow_goes_for_what_is_near() -> None:
    """Infantry went to St. Vith, and the armour that could have been there first to Monschau."""
    there, wanting = {0: 4, 1: 4}, {WEST: 4.0, EAST: 20.0}
    fast, slow = Road(there, wanting), Road(there, wanting, paces={0: 0.5, 1: 0.5})
    assert renewed(Purposes(), fast) == {0: EAST, 1: EAST}
    assert renewed(Purposes(), slow) == {0: WEST, 1: WEST}


def test_an_objective_is_kept_when_another_comes_a_little_nearer() -> None:
    """Whoever judges anew each turn turns round in the middle of the road."""
    purposes = Purposes()
    renewed(purposes, Road({0: 9, 1: 9}))
    assert renewed(purposes, Road({0: 11, 1: 11})) == {0: WEST, 1: WEST}
    assert renewed(Purposes(), Road({0: 11, 1: 11})) == {0: EAST, 1: EAST}


def test_an_objective_is_changed_when_another_is_worth_much_more() -> None:
    purposes = Purposes()
    renewed(purposes, Road({0: 9, 1: 9}))
    assert renewed(purposes, Road({0: 19, 1: 19})) == {0: EAST, 1: EAST}


def test_what_is_hopeless_is_given_up() -> None:
    purposes = Purposes()
    renewed(purposes, Road({0: 2, 1: 2}))
    assert renewed(purposes, Road({0: 2, 1: 2}, wanting={EAST: 4.0})) == {0: EAST, 1: EAST}
    assert renewed(purposes, Road({0: 2, 1: 2}, wanting={})) == {}


def test_who_has_come_there_stays_for_it_with_the_enemy_before_him() -> None:
    """Unit 0 is no longer free, but near the objective of its formation; far from it the enemy comes first."""
    purposes = Purposes()
    renewed(purposes, Road({0: 5, 1: 5}))
    assert renewed(purposes, Road({0: 3, 1: 5}, held_up=0b01)) == {0: WEST, 1: WEST}
    assert renewed(purposes, Road({0: 3, 1: 5}, held_up=0b11)) == {0: WEST}


def test_a_formation_goes_only_for_what_lies_on_its_own_way() -> None:
    road = Road({0: 2, 1: 2, 2: 8, 3: 8}, wanting={WEST: 40.0, EAST: 4.0}, own={"first": 1 << EAST})
    assert renewed(Purposes(), road) == {0: EAST, 1: EAST, 2: WEST, 3: WEST}
