"""Strengths compared: the combat ratio of the chits and the situational ratio of the attack check (9.5, 12.41)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from bulge.core.rulebook import rule
from bulge.games.enemy_action.facts import ALLIED
from bulge.games.enemy_action.situation import Situation


@rule("9.5", "12.41")
def attack_strength(s: Situation, units: Iterable[int], target: int, at: dict[int, int] | None = None) -> int:
    """The whole strength, what attacks across a river halved in total and rounded down; `at` imagines places."""
    facts, dry, wet = s.facts, 0, 0
    places = at or {}
    for unit in units:
        hex_ = places.get(unit, s.where[unit])
        if hex_ >= 0 and facts.river_side(hex_, target) >= 0:
            wet += s.strength(unit)
        else:
            dry += s.strength(unit)
    return dry + wet // 2


@rule("12.41")
def defence_strength(s: Situation, units: Iterable[int], target: int) -> int:
    """Doubled in a city, and for Germans on the Westwall."""
    units = list(units)
    strength = sum(s.strength(unit) for unit in units)
    german = bool(units) and s.facts.is_german(units[0])
    doubled = s.facts.cities >> target & 1 or (german and s.facts.wall >> target & 1)
    return strength * 2 if doubled else strength


@rule("9.5")
def situational_defence(s: Situation, target: int) -> tuple[int, list[str]]:
    """What an Allied stack is worth in the attack check, and why; at least 1."""
    facts, p = s.facts, s.p
    units = defending(s, target)
    strength = sum(s.strength(unit) for unit in units)
    why = []
    if facts.cities >> target & 1:
        strength *= 2
        why.append("city, doubled")
    if facts.by_terrain["forest"] >> target & 1:
        strength += 1
        why.append("forest +1")
    if p.positions >> target & 1:
        strength += 1
        why.append("improved position +1")
    beside = s.units_in(facts.board.next_to(target), ALLIED)
    if any(s.supplied(unit) for unit in beside):
        strength += 1
        why.append("supplied neighbour +1")
    if facts.by_terrain["clear"] >> target & 1 and not facts.cities >> target & 1:
        strength -= 1
        why.append("clear -1")
    if any((p.dispersed | p.low | p.out) >> unit & 1 for unit in units):
        strength -= 1
        why.append("dispersed or short of supply -1")
    return max(1, strength), why


@rule("12.74")
def defending(s: Situation, hex_: int) -> list[int]:
    """Who defends a hex: not those who fell back into it in this activation, while others stand there."""
    stack = s.stack(hex_)
    return [unit for unit in stack if not s.p.fell_back >> unit & 1] or stack


def ratio(attack: int, defence: int) -> Fraction:
    return Fraction(attack, max(1, defence))


def ratio_words(found: Fraction) -> str:
    """A ratio as it is spoken of: 3:1, 2.5:1."""
    whole = float(found)
    return f"{whole:.2f}".rstrip("0").rstrip(".") + ":1"
