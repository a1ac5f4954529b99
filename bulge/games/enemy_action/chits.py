"""Combat chits: how many, which situations are true, and the hits they give (rules 12.4, 12.41, 12.42, 12.5)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Condition, Table
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts, other
from bulge.games.enemy_action.position import Battle, EnemyActionPosition, day_of
from bulge.games.enemy_action.rows import ChitRow
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import attack_strength, defence_strength, ratio
from bulge.games.enemy_action.tactics import attack_hexes, has_artillery, is_flank

LARGE = 7
SCREEN = 2
FURY = 2
TANKS = ("tank_battalion", "panzer_battalion")


@rule("12.4")
def least_chits(s: Situation, battle: Battle) -> int:
    """As many as the defenders have steps."""
    return sum(s.p.steps[unit] for unit in members(battle.defenders))


@rule("12.4", "12.34", "12.35")
def most_chits(s: Situation, battle: Battle) -> tuple[int, list[tuple[int, str]]]:
    """How many chits may be drawn at most, and what they come from."""
    p, units = s.p, members(battle.attackers)
    strong = sum(not s.bracketed(unit) for unit in units)
    parts = [(strong, "units without brackets"), (len(battle.attack_tactics), "tactics")]
    parts.append((int(s.elite(units)), "elite"))
    parts.append((sum(p.steps[unit] >= 3 for unit in units), "units of three or four steps"))
    defenders = members(battle.defenders)
    if all(p.isolated >> unit & 1 for unit in defenders):
        parts.append((2, "isolated defender"))
    elif all((p.out | p.isolated) >> unit & 1 for unit in defenders):
        parts.append((1, "defender out of supply"))
    if "screen" in battle.defence_tactics:
        parts.append((-SCREEN, "Screen"))
    if p.fury and battle.side == GERMAN:
        parts.append((FURY if s.vp_value(battle.target) else -FURY, "Fury of Bastogne"))
    total = max(least_chits(s, battle), sum(number for number, _ in parts))
    return total, [(number, words) for number, words in parts if number]


class Truths:
    """Which situations hold in a combat; each is worked out when a chit asks for it."""

    def __init__(self, s: Situation, battle: Battle, *, due: int) -> None:
        self.s, self.battle, self.due = s, battle, due
        self.attackers, self.defenders = members(battle.attackers), members(battle.defenders)
        attack = attack_strength(s, self.attackers, battle.target)
        self.attack, self.defence = attack, defence_strength(s, self.defenders, battle.target)
        self.ratio = ratio(attack, self.defence)
        self._known: dict[str, bool] = {}

    def holds(self, situation: str) -> bool:
        found = self._known.get(situation)
        if found is None:
            found = self._known[situation] = bool(self._find(situation))
        return found

    @rule("12.41")
    def _find(self, situation: str) -> object:
        s, battle, facts = self.s, self.battle, self.s.facts
        if situation.startswith("ratio"):
            return self._ratio_holds(situation.removeprefix("ratio"))
        if situation.startswith("terrain:"):
            return self._terrain_holds(situation.removeprefix("terrain:").split("/"))
        if situation.startswith("date:"):
            return day_of(s.p) == int(situation.removeprefix("date:"))
        hexes = attack_hexes(s, self.attackers)
        infiltrates = "infantry_infiltration" in battle.attack_tactics
        german_defence = battle.side == ALLIED
        both = battle.attack_tactics if battle.side == ALLIED else battle.defence_tactics
        german = battle.attack_tactics if battle.side == GERMAN else battle.defence_tactics
        town = facts.towns >> battle.target & 1
        attacker, defender = self._arms()
        tests: dict[str, Callable[[], object]] = {
            "allied_air": lambda: "airpower_tactic" in both,
            "german_air": lambda: "airpower_tactic" in german,
            "att_artillery": lambda: has_artillery(s, battle.attack_tactics, battle.target),
            "def_artillery": lambda: has_artillery(s, battle.defence_tactics, battle.target),
            "att_elite": lambda: s.elite(self.attackers),
            "def_elite": lambda: s.elite(self.defenders),
            "att_green": lambda: any(s.quality(unit) == "green" for unit in self.attackers),
            "def_green": lambda: any(s.quality(unit) == "green" for unit in self.defenders),
            "combat_engineers": lambda: "combat_engineers" in battle.attack_tactics,
            "def_adjacent": lambda: self._has_neighbour(),
            "def_recon": lambda: not german_defence and any(facts.recon[unit] for unit in self.defenders),
            "def_dispersed_unsupplied": lambda: self._defenders_weak(),
            "flank": lambda: not town and (infiltrates or is_flank(s, hexes, battle.target)),
            "large": lambda: self.due >= LARGE,
            "allied_attack": lambda: battle.side == ALLIED,
            "5pza_attack": lambda: self._by_fifth_army(),
            "ip_crossfire": lambda: s.p.positions >> battle.target & 1,
            "one_hex": lambda: len(hexes) == 1 and not infiltrates,
            "only_att_armor": lambda: attacker[0] and not defender[0],
            "only_def_armor": lambda: defender[0] and not attacker[0],
            "only_att_ca": lambda: attacker[1] and not defender[1],
            "only_def_ca": lambda: defender[1] and not attacker[1],
        }
        return tests[situation]()

    def _ratio_holds(self, test: str) -> bool:
        for sign in (">=", "<=", ">", "<"):
            if test.startswith(sign):
                number = Fraction(test.removeprefix(sign))
                return {
                    ">=": self.ratio >= number, "<=": self.ratio <= number,
                    ">": self.ratio > number, "<": self.ratio < number,
                }[sign]  # fmt: skip
        raise AssertionError(f"{test!r} is no test of a ratio")

    def _terrain_holds(self, wanted: list[str]) -> bool:
        facts, target = self.s.facts, self.battle.target
        here = {facts.terrain_of(target)}
        if facts.towns >> target & 1:
            here.add("city" if facts.cities >> target & 1 else "town")
        return bool(here & set(wanted))

    def _arms(self) -> tuple[tuple[bool, bool], tuple[bool, bool]]:
        """For attacker and defender: armor, and combined arms."""
        battle = self.battle
        return (
            self._arms_of(self.attackers, battle.attack_tactics),
            self._arms_of(self.defenders, battle.defence_tactics),
        )

    def _arms_of(self, units: list[int], tactics: tuple[str, ...]) -> tuple[bool, bool]:
        facts = self.s.facts
        armor = any(facts.armored[unit] for unit in units) or any(tactic in TANKS for tactic in tactics)
        return armor, armor and any(facts.brings_infantry[unit] for unit in units)

    def _has_neighbour(self) -> bool:
        s, battle = self.s, self.battle
        friends = s.units_in(s.facts.board.next_to(battle.target), ALLIED if battle.side == GERMAN else GERMAN)
        return any(s.supplied(unit) and not (s.p.dispersed | s.p.defended) >> unit & 1 for unit in friends)

    def _defenders_weak(self) -> bool:
        p = self.s.p
        weak = p.dispersed | p.low | p.out | p.isolated | p.no_fuel
        return all(weak >> unit & 1 for unit in self.defenders)

    def _by_fifth_army(self) -> bool:
        fifth = sum(self.s.facts.army_of[unit] == "5PzA" for unit in self.attackers)
        return self.battle.side == GERMAN and 2 * fifth >= len(self.attackers)


@rule("12.41", "2.22")
def face_of(truths: Truths, faces: tuple[ChitRow, ChitRow]) -> ChitRow | None:
    """The face that applies: the one whose situation holds; if both do, the one with priority."""
    true = [face for face in faces if truths.holds(face.situation)]
    if len(true) == 2:
        return next((face for face in true if face.priority), true[0])
    return true[0] if true else None


class Hits(NamedTuple):
    attacker: int
    defender: int


@rule("12.5")
def hits_of(face: ChitRow, attacker: str) -> Hits:
    """G and U hits belong to a nation, whichever side of the combat it is on."""
    german_attacks = attacker == GERMAN
    own = face.german if german_attacks else face.us
    theirs = face.us if german_attacks else face.german
    return Hits(face.attacker + own, face.defender + theirs)


@rule("12.42", "12.4")
def draw_chits(t: Table[EnemyActionPosition], facts: Facts, battle: Battle, number: int) -> Battle:
    """One after the other; a blue chit brings those of earlier combats back into the cup."""
    p = t.p
    truths = Truths(Situation(facts, p), battle, due=battle.due)
    drawn = list(battle.chits)
    for _ in range(number):
        if not p.cup:
            _replenish(p, facts, drawn)
        chit = t.draw(members(p.cup))
        p.cup &= ~(1 << chit)
        drawn.append(chit)
        faces = facts.chits[chit]
        if t.keeps_log:
            t.say(
                "12.41",
                _chit_words(facts, truths, faces, battle.side),
                spaces=(battle.target,),
                kind="draw",
                conditions=chit_conditions(facts, truths, faces, battle.side),
                depth=4,
            )
        if faces[0].blue:
            _replenish(p, facts, drawn)
            t.say(
                "12.42", "A blue chit: all chits of earlier combats go back into the cup.", kind="aside", depth=4
            )
    return replace(battle, chits=tuple(drawn))


def _replenish(p: EnemyActionPosition, facts: Facts, drawn: list[int]) -> None:
    p.cup = (1 << len(facts.chits)) - 1 & ~sum(1 << chit for chit in drawn)


def chit_conditions(
    facts: Facts, truths: Truths, faces: tuple[ChitRow, ChitRow], side: str
) -> tuple[Condition, ...]:
    """Both faces of a chit: their situations, and whether it lies with this one up."""
    up = face_of(truths, faces)
    found = []
    for face in faces:
        words = situation_words(facts, face.situation)
        if face is not up and truths.holds(face.situation):
            words += ", but the other goes first"
        hits = hits_of(face, side)
        found.append(Condition(words, face is up, _effect(hits), _by_side(hits, side)))
    return tuple(found)


def _effect(hits: Hits) -> str:
    """As it is printed: A for the attacker, D for the defender."""
    parts = [f"{letter}{number:+d}" for letter, number in (("A", hits.attacker), ("D", hits.defender)) if number]
    return " ".join(parts) or "no hit"


def _by_side(hits: Hits, attacker: str) -> tuple[tuple[str, int], ...]:
    return (attacker, hits.attacker), (other(attacker), hits.defender)


def _chit_words(facts: Facts, truths: Truths, faces: tuple[ChitRow, ChitRow], side: str) -> str:
    face = face_of(truths, faces)
    told = ", ".join(
        f"{situation_words(facts, one.situation)} {'true' if truths.holds(one.situation) else 'false'}"
        for one in faces
    )
    if face is None:
        return f"Chit {faces[0].chit}: {told}; no effect."
    return f"Chit {face.chit}: {told}; {_effect(hits_of(face, side))}."


def situation_words(facts: Facts, situation: str) -> str:
    """A situation as a chit would print it."""
    if situation.startswith("ratio"):
        sign = next(sign for sign in RATIOS if situation.removeprefix("ratio").startswith(sign))
        return RATIOS[sign].format(situation.removeprefix(f"ratio{sign}"))
    if situation.startswith("terrain:"):
        return situation.removeprefix("terrain:").replace("/", " or ")
    if situation.startswith("date:"):
        return "December " + situation.removeprefix("date:")
    return NAMES[situation]


RATIOS = {">=": "{}:1 or better", "<=": "{}:1 or worse", ">": "better than {}:1", "<": "below {}:1"}
NAMES = {
    "allied_air": "Allied airpower",
    "german_air": "German airpower",
    "att_artillery": "attacker artillery",
    "def_artillery": "defender artillery",
    "att_elite": "attacker elite",
    "def_elite": "defender elite",
    "att_green": "attacker green",
    "def_green": "defender green",
    "combat_engineers": "combat engineers",
    "def_adjacent": "defender adjacent",
    "def_recon": "defender recon",
    "def_dispersed_unsupplied": "defender dispersed or unsupplied",
    "flank": "flank attack",
    "large": "large attack",
    "allied_attack": "Allied attack",
    "5pza_attack": "5th Panzer Army attack",
    "ip_crossfire": "improved position",
    "one_hex": "attack from one hex",
    "only_att_armor": "only attacker armor",
    "only_def_armor": "only defender armor",
    "only_att_ca": "only attacker combined arms",
    "only_def_ca": "only defender combined arms",
}


@rule("12.5", "12.51", "14.3", "14.34", "13.22", "13.23")
def count_hits(t: Table[EnemyActionPosition], facts: Facts, battle: Battle) -> Battle:
    """Add up the chits, then what ground, supply and Assault Coordination take off."""
    p = t.p
    s = Situation(facts, p)
    truths = Truths(s, battle, due=battle.due)
    found = [face for chit in battle.chits if (face := face_of(truths, facts.chits[chit])) is not None]
    attacker = sum(hits_of(face, battle.side).attacker for face in found)
    defender = sum(hits_of(face, battle.side).defender for face in found)
    parts = [("chits", Hits(attacker, defender))]
    cover = facts.towns | p.positions | (facts.wall if battle.side == ALLIED else 0)
    if cover >> battle.target & 1 and defender > 0:
        parts.append(("town, Westwall or position", Hits(0, -1)))
        p.positions &= ~(1 << battle.target)
    units = members(battle.defenders)
    if all(p.isolated >> unit & 1 for unit in units):
        parts.append(("isolated defender, no attacker hits", Hits(-attacker, 0)))
    elif all((p.dispersed | p.out | p.isolated | p.no_fuel) >> unit & 1 for unit in units):
        parts.append(("defender dispersed, out of supply or fuel", Hits(-1, 0)))
    if battle.side == GERMAN and "assault_coordination" in battle.attack_tactics:
        parts.append(("Assault Coordination", Hits(-1, 0)))
    attacker = max(0, sum(hits.attacker for _, hits in parts))
    defender = max(0, sum(hits.defender for _, hits in parts))
    told = "; ".join(f"{words} {_effect(hits)}" for words, hits in parts)
    sums = tuple(
        Condition(words, holds=True, effect=_effect(hits), counts=_by_side(hits, battle.side))
        for words, hits in parts
    )
    words = f"Hits: {told}: attacker {attacker}, defender {defender}."
    t.say("12.5", words, spaces=(battle.target,), kind="result", conditions=sums, depth=4)
    return replace(battle, attacker_hits=attacker, defender_hits=defender)
