"""The arithmetic of battles once more, written from the rulebook alone and as plainly as can be.

Nothing of the game's rules is used here but the printed data: a second opinion on strengths, shifts and columns.
"""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.games import ardennes_44
from tests.games.ardennes_44.helpers import ardennes, facts

GAME = "ardennes_44"
HOME = Path(ardennes_44.__file__).parent
MAP = json.loads((HOME / "map.json").read_text())
HEX: dict[str, dict[str, Any]] = MAP["hexes"]
SIDES: dict[frozenset[str], dict[str, Any]] = {
    frozenset(name.split("/")): side for name, side in MAP["sides"].items()
}
BONUS = {row["id"]: int(row["bonus"]) for row in csv.DictReader((HOME / "terrain.csv").read_text().splitlines())}
ROWS = list(csv.DictReader((HOME / "units.csv").read_text().splitlines()))
COLUMNS = ("1-3", "1-2", "1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1")
SILHOUETTES, GUNS, TANKS = (
    ("tank", "td", "flak", "special"),
    ("artillery", "nebelwerfer"),
    ("tank", "td", "tank_nato"),
)
ON_FOOT = ("infantry", "parachute", "glider", "engineer", "fortress", "mech_infantry")


class Unit:
    """A counter as it lies on the map."""

    def __init__(self, match: Match[Any], number: int) -> None:
        p, row = match.position, ROWS[number]
        self.row, self.type, self.number = row, row["type"], number
        self.at = match.game.board.name(p.where[number]) if p.where[number] >= 0 else ""
        side = "_reduced" if p.reduced >> number & 1 and row["attack_reduced"] else ""
        self.attack, self.defence = int(row["attack" + side]), int(row["defence" + side])
        self.hurt = bool((p.disrupted | p.broken) >> number & 1)
        self.unsupplied, self.column = bool(p.unsupplied >> number & 1), bool(p.columns >> number & 1)
        self.idle = bool(p.joined >> number & 1)
        self.quality = int(row["tq"] or 0)

    def drives_into(self, target: str, blown: set[frozenset[str]]) -> bool:
        """11.4, 11.5, 11.6: whether a vehicle could cross the hexside."""
        side = SIDES.get(frozenset((self.at, target)), {})
        if "river" in side and ("bridge" not in side or frozenset((self.at, target)) in blown):
            return False
        shut = any(
            HEX[h]["terrain"] in ("forest", "wooded_rough") or HEX[h].get("west_wall") for h in (self.at, target)
        )
        return "road" in side or not shut

    def strength_against(self, target: str, blown: set[frozenset[str]]) -> int:
        """15.2 to 15.5, 15.7, 23.4, 27.4: halved once at most, by itself, fractions up."""
        strength = self.attack * (2 if self.type == "special" and "kind" in HEX[target] else 1)
        vehicle = self.type not in ON_FOOT
        halved = (
            self.unsupplied
            or "river" in SIDES.get(frozenset((self.at, target)), {})
            or HEX[self.at]["terrain"] == "wooded_rough"
            or (vehicle and (not self.drives_into(target, blown) or "west_wall" in HEX[target]))
        )
        return -(-strength // 2) if halved else strength


def bonus(units: list[Unit], target: str, improved: bool) -> int:
    """15.1, 15.7, 15.8: the best one, never above the strength of those who can use it; 1 for bare vehicles."""
    takers = [unit for unit in units if not unit.row["parentheses"] and not unit.column]
    if not takers:
        return 0
    ground = HEX[target]
    best = max(BONUS[ground["terrain"]], BONUS.get(ground.get("kind", ""), 0), 2 if improved else 0)
    if ground.get("west_wall") and units[0].row["side"] == "German":
        best = max(best, 3)
    if all(unit.type in SILHOUETTES + GUNS for unit in units):
        best = min(best, 1)
    return min(best, sum(unit.defence for unit in takers))


def armour(attackers: list[Unit], defenders: list[Unit], target: str, blown: set[frozenset[str]]) -> int:
    """21.1 to 21.3."""
    ground = HEX[target]
    if ground["terrain"] in ("forest", "wooded_rough") or ground.get("west_wall") or ground.get("kind") == "city":
        return 0
    tanks = [unit for unit in attackers if unit.type in TANKS]
    best = max(unit.quality for unit in defenders)
    for tank in tanks:
        if tank.drives_into(target, blown) and tank.quality - (tank.row["tq_kind"] == "red") > best:
            return 1
    both = any(unit.type in TANKS for unit in defenders) and any(
        unit.type in (*ON_FOOT, "tank_nato") for unit in defenders
    )
    return -1 if both and not tanks else 0


def column(attack: int, defence: int, shift: int) -> int:
    """14.4, 14.5: the column by number, 1-1 being 2; below 0 is off the table."""
    if attack < defence:
        start = 3 - -(-defence // attack)
    elif 2 * attack < 3 * defence:
        start = 2
    else:
        start = max(3, attack // defence + 2)
    return min(start + shift, 9)


def battle(match: Match[Any], target: str, attackers: list[Unit]) -> tuple[int, int, int]:
    """Attack, defence and shifts, before guns and aircraft."""
    p, board = match.position, match.game.board
    here = [Unit(match, number) for number, space in enumerate(p.where) if space == board.at(target)]
    fit = [unit for unit in here if not unit.idle]
    blown = {
        frozenset(facts().ground.bridge_name(number).split("/"))
        for number in range(p.blown.bit_length())
        if p.blown >> number & 1
    }
    defence = sum(-(-unit.defence // 2) if unit.column else unit.defence for unit in fit)
    defence += bonus(fit, target, bool(p.improved >> board.at(target) & 1))
    shift = armour(attackers, here, target, blown) + any(unit.hurt for unit in here)
    marked = {unit.number for unit in attackers}
    shift += any(
        advantage.target == board.at(target) and any(advantage.units >> number & 1 for number in marked)
        for advantage in p.advantages
    )
    return sum(unit.strength_against(target, blown) for unit in attackers), defence, shift


@pytest.mark.rule(
    GAME, "14.4", "14.5", "15.1", "15.2", "15.3", "15.4", "15.5.1", "15.7", "18.3", "21.1", "21.2", "21.3"
)
@pytest.mark.parametrize("scenario", ["S4", "S2"])
def test_odds_in_play_are_those_of_a_plain_second_reckoning(scenario: str) -> None:
    rng, checked = random.Random(18), 0
    match = Match(ardennes(), scenario, seed=seed_of("second reckoning"), keep_log=False)
    while match.decision is not None and checked < 80:
        decision = match.decision
        if decision.rule == "14.2":
            target = match.game.board.name(match.position.target)
            chosen = [n for n in range(len(ROWS)) if match.position.attackers >> n & 1]
            for option in decision.options:
                if isinstance(option, int) and (preview := match.preview(option)):
                    attackers = [Unit(match, number) for number in (*chosen, option)]
                    if all(unit.at in HEX for unit in attackers):
                        attack, defence, shift = battle(match, target, attackers)
                        shown = sum(modifier.amount for modifier in preview.modifiers if modifier.to == "column")
                        assert (preview.attack, preview.defence, shown) == (attack, defence, shift), (
                            target,
                            option,
                        )
                        number = column(attack, defence, shift)
                        assert number < 0 or preview.column == COLUMNS[number]
                        checked += 1
        options = [option for option in decision.options if option != "done"] or list(decision.options)
        match.choose("done" if "done" in decision.options and rng.random() < 0.12 else rng.choice(options))
    assert checked >= 80
