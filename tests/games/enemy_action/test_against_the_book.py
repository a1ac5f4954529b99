"""The German side against a second reading of the rulebook, written without a look at the rules' code."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.game import EnemyAction
from bulge.games.enemy_action.position import Battle, EnemyActionPosition, day_of
from tests.games.enemy_action.helpers import the_game

GAME = "enemy_action"

FIRST = {
    "6PzA": "0709W 0408W 1108N",
    "5PzA": "1412W 1814N 1111W",
    "7A": "2208S 2508W 1911S",
}
SECOND = {
    "0709": "0512W 0812W 1014N",
    "0408": "0211W 0512W 0209W",
    "1108": "1014N 0812W 0512W",
    "1412": "1219W 0918W 1321N",
    "1814": "1321N 1219W 1719N",
    "1111": "0918W 1118S 1316W",
    "2208": "2314S 2513W 1916S",
    "2508": "2515W 2513W 2314S",
    "1911": "1916S 2218W 2314S",
}
THIRD = {
    "0512": "0117W 0319W 0117W",
    "0812": "0319W 0117W 0421W",
    "0211": "0117W 0113W 0319W",
    "0209": "0113W 0117W 0117W",
    "1014": "0319W 0421W 0821N",
    "0918": "0625N 0926N 0421W",
    "1118": "0926W 0625W 1126W",
    "1219": "0926W 1126W 0625W",
    "1321": "1126W 1326W 0926W",
    "1719": "1326W 1426N 1126W",
    "1316": "0821W 1126W 1321N",
    "1916": "1623S 1719S 2019W",
    "2218": "1623S 1719S 2220W",
    "2314": "1719S 2019W 2615W",
    "2515": "2019W 2220W 2615W",
    "2513": "2617W 2019W 2614W",
}
"""Where an objective goes on a die of 1 to 6, 7 to 9, and 10, and which way it faces."""


@pytest.mark.rule(GAME, "9.11")
def test_every_objective_stands_where_the_three_tables_put_it() -> None:
    found: dict[tuple[int, str], list[tuple[int, str]]] = {}
    for row in the_game().facts.objectives:
        found.setdefault((row.table, row.at or row.army), []).append((row.die_from, row.to + row.facing))
    told = {key: " ".join(to for _, to in sorted(rows)) for key, rows in found.items()}
    book = [FIRST, SECOND, THIRD]
    assert told == {(number + 1, key): line for number, table in enumerate(book) for key, line in table.items()}


class Reader:
    """One game in random play; what it does at each step is compared with the book."""

    def __init__(self, scenario: str, seed: int) -> None:
        self.game = EnemyAction()
        self.facts = self.game.facts
        self.chits = self.battles = self.impulses = self.queues = 0
        self.hits: tuple[int, int] | None = None
        self.game.sequence = {name: self._watched(name, step) for name, step in self.game.sequence.items()}
        match = Match(self.game, scenario, seed=f"{seed:032x}")
        rng = Random(seed)
        while match.decision is not None:
            match.choose(rng.choice(match.decision.options))

    def _watched(self, name: str, step: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def watched(t: Table[EnemyActionPosition]) -> Any:
            if name == "german_support":
                self.command_card(t.p)
            if name == "german_moves":
                self.order(t.p)
            if self.hits is not None and t.p.battle is not None:
                assert (t.p.battle.attacker_hits, t.p.battle.defender_hits) == self.hits
                self.hits = None
            if name == "battle_hits":
                self.battle(t.p)
            return step(t)

        return watched

    def command_card(self, p: EnemyActionPosition) -> None:
        """8.1: the primary card, else the higher command value, else the lower number."""
        if p.support < 0:
            return
        cards = [self.facts.german[card] for card in (p.command, p.support)]
        self.impulses += 1
        if day_of(p) in (17, 18) and any(card.number == 38 for card in cards):
            assert cards[0].number == 38
            return
        ranks = [(not card.primary, -card.cv, card.number) for card in cards]
        assert ranks[0] < ranks[1]

    def order(self, p: EnemyActionPosition) -> None:
        """9.2: special moves a and b, methods 2, 5 and 10 to 13 go up the selectors, the others down."""
        selectors = [self.facts.selectors[unit][p.steps[unit]] for unit in p.queue]
        self.queues += len(selectors) > 1
        down = p.method in (3, 5, 6, 8, 9, 10, 11)
        assert selectors == sorted(selectors, reverse=down)

    def battle(self, p: EnemyActionPosition) -> None:
        """12.41: which face of each chit holds, and what it does."""
        battle = p.battle
        assert battle is not None
        attacker = defender = 0
        for chit in battle.chits:
            front, back = self.facts.chits[chit]
            true = [face for face in (front, back) if self.holds(p, battle, face.situation)]
            face = next((face for face in true if face.priority or len(true) == 1), None)
            assert face is not None or not true
            if face is not None:
                german, allied = face.german, face.us
                attacker += face.attacker + (german if battle.side == "German" else allied)
                defender += face.defender + (allied if battle.side == "German" else german)
            self.chits += 1
        self.battles += 1
        self.hits = self.spared(p, battle, attacker, defender)

    def spared(self, p: EnemyActionPosition, battle: Battle, attacker: int, defender: int) -> tuple[int, int]:
        """12.5: cover takes a hit off the defender; a weak defender or a co-ordinated assault off the attacker."""
        facts, german = self.facts, battle.side == "German"
        cover = facts.towns | p.positions | (0 if german else facts.wall)
        defender -= cover >> battle.target & 1
        if not battle.defenders & ~p.isolated:
            attacker = 0
        elif not battle.defenders & ~(p.dispersed | p.out | p.isolated | p.no_fuel):
            attacker -= 1
        attacker -= german and "assault_coordination" in battle.attack_tactics
        return max(0, attacker), max(0, defender)

    def holds(self, p: EnemyActionPosition, battle: Battle, situation: str) -> bool:
        facts, german = self.facts, battle.side == "German"
        attackers, defenders = list(members(battle.attackers)), list(members(battle.defenders))
        ours, theirs = set(battle.attack_tactics), set(battle.defence_tactics)
        target, hexes = battle.target, {p.where[unit] for unit in attackers}
        in_town = bool(facts.towns >> target & 1)

        def quality(units: list[int], wanted: str) -> bool:
            return any(facts.qualities[unit][p.steps[unit]] == wanted for unit in units)

        def armor(units: list[int], tactics: set[str]) -> bool:
            return any(facts.armored[unit] for unit in units) or bool(
                tactics & {"panzer_battalion", "tank_battalion"}
            )

        def both_arms(units: list[int], tactics: set[str]) -> bool:
            return armor(units, tactics) and any(facts.rows[unit].type not in ("armor", "recon") for unit in units)

        def artillery(tactics: set[str]) -> bool:
            far = facts.calendar[day_of(p)].far
            near = min(facts.distance(target, wall) for wall in members(facts.wall)) <= far
            return bool(tactics & {"artillery", "corps_artillery"}) or ("fixed_artillery" in tactics and near)

        if situation.startswith("ratio"):
            return self.compares(p, battle, situation.removeprefix("ratio"))
        if situation.startswith("terrain:"):
            kinds = {facts.terrain_of(target)}
            kinds |= {"city" if facts.cities >> target & 1 else "town"} if in_town else set()
            return bool(kinds & set(situation.removeprefix("terrain:").split("/")))
        if situation.startswith("date:"):
            return day_of(p) == int(situation.removeprefix("date:"))
        apart = len(hexes) > 2 or (len(hexes) == 2 and facts.distance(*hexes) > 1)
        infiltrates = german and "infantry_infiltration" in ours
        supplied = ~(p.low | p.out | p.isolated | p.dispersed | p.defended)
        friends = facts.allied_units if german else facts.german_units
        poor = p.low | p.out | p.isolated | p.dispersed | p.no_fuel
        fifth = sum(facts.army_of[unit] == "5PzA" for unit in attackers)
        answers = {
            "allied_air": "airpower_tactic" in (theirs if german else ours),
            "german_air": "airpower_tactic" in (ours if german else theirs),
            "att_artillery": artillery(ours),
            "def_artillery": artillery(theirs),
            "att_elite": quality(attackers, "elite"),
            "def_elite": quality(defenders, "elite"),
            "att_green": quality(attackers, "green"),
            "def_green": quality(defenders, "green"),
            "combat_engineers": "combat_engineers" in ours,
            "def_adjacent": any(
                supplied >> unit & 1 and p.where[unit] >= 0 and facts.distance(p.where[unit], target) == 1
                for unit in friends
            ),
            "def_recon": german and any(facts.recon[unit] for unit in defenders),
            "def_dispersed_unsupplied": all(poor >> unit & 1 for unit in defenders),
            "flank": not in_town and (apart or infiltrates),
            "large": len(battle.chits) >= 7,
            "allied_attack": not german,
            "5pza_attack": german and 2 * fifth >= len(attackers),
            "ip_crossfire": bool(p.positions >> target & 1),
            "one_hex": len(hexes) == 1 and not infiltrates,
            "only_att_armor": armor(attackers, ours) and not armor(defenders, theirs),
            "only_def_armor": armor(defenders, theirs) and not armor(attackers, ours),
            "only_att_ca": both_arms(attackers, ours) and not both_arms(defenders, theirs),
            "only_def_ca": both_arms(defenders, theirs) and not both_arms(attackers, ours),
        }
        return answers[situation]

    def compares(self, p: EnemyActionPosition, battle: Battle, test: str) -> bool:
        """12.41: cities double, the Westwall doubles Germans, a river halves all that cross it together."""
        facts = self.facts
        over = {True: 0, False: 0}
        for unit in members(battle.attackers):
            across = facts.river_side(p.where[unit], battle.target) >= 0
            over[across] += facts.strengths[unit][p.steps[unit]]
        defence = sum(facts.strengths[unit][p.steps[unit]] for unit in members(battle.defenders))
        walled = battle.side != "German" and facts.wall >> battle.target & 1
        if facts.cities >> battle.target & 1 or walled:
            defence *= 2
        ratio = Fraction(over[False] + over[True] // 2, defence)
        sign = test.rstrip("0123456789.")
        wanted = Fraction(test.removeprefix(sign))
        return {">=": ratio >= wanted, "<=": ratio <= wanted, ">": ratio > wanted, "<": ratio < wanted}[sign]


@pytest.mark.rule(GAME, "8.1")
@pytest.mark.rule(GAME, "9.2")
@pytest.mark.rule(GAME, "12.41")
@pytest.mark.rule(GAME, "12.5")
def test_a_day_of_random_play_goes_by_the_book() -> None:
    read = Reader("initial_assault", 11)
    assert min(read.impulses, read.queues, read.battles, read.chits) > 0
