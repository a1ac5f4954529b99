"""Exact odds of a combat: counting the chits in the cup by what each would do (rules 12.4 to 12.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb

from bulge.core.decision import Modifier, Preview, Spread
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.enemy_action.chits import Hits, Truths, face_of, hits_of, least_chits, most_chits
from bulge.games.enemy_action.facts import ALLIED, GERMAN
from bulge.games.enemy_action.position import Battle
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import ratio_words

MOST_SHOWN = 5
"""So many hits and more are shown together."""


def chits_by_effect(s: Situation, battle: Battle, total: int) -> Counter[Hits]:
    """How many chits of the cup would give what, if so many are drawn in all."""
    truths = Truths(s, battle, due=total)
    found: Counter[Hits] = Counter()
    for chit in members(s.p.cup):
        face = face_of(truths, s.facts.chits[chit])
        found[hits_of(face, battle.side) if face is not None else Hits(0, 0)] += 1
    return found


@rule("12.4", "12.41", "12.42")
def hit_chances(s: Situation, battle: Battle, total: int) -> dict[Hits, Fraction]:
    """The chance of every pair of hit totals on the chits, those drawn included, before 12.5 adjusts them."""
    truths = Truths(s, battle, due=total)
    faces = [face_of(truths, s.facts.chits[chit]) for chit in battle.chits]
    known = [hits_of(face, battle.side) for face in faces if face is not None]
    base = Hits(sum(hits.attacker for hits in known), sum(hits.defender for hits in known))
    effects = chits_by_effect(s, battle, total)
    draws = min(total - len(battle.chits), sum(effects.values()))
    ways = {(0, base.attacker, base.defender): 1}
    for (on_attacker, on_defender), count in effects.items():
        more: dict[tuple[int, int, int], int] = {}
        for (drawn, attacker, defender), number in ways.items():
            for taken in range(min(count, draws - drawn) + 1):
                key = drawn + taken, attacker + taken * on_attacker, defender + taken * on_defender
                more[key] = more.get(key, 0) + number * comb(count, taken)
        ways = more
    every = comb(sum(effects.values()), draws)
    return {Hits(*hits): Fraction(number, every) for (drawn, *hits), number in ways.items() if drawn == draws}


@rule("12.5")
def net_hits(s: Situation, battle: Battle, hits: Hits) -> Hits:
    """Hits as they will be applied: ground, supply and Assault Coordination taken off."""
    p, facts = s.p, s.facts
    attacker, defender = hits
    cover = facts.towns | p.positions | (facts.wall if battle.side == ALLIED else 0)
    defender -= bool(cover >> battle.target & 1)
    units = members(battle.defenders)
    weak = p.dispersed | p.out | p.isolated | p.no_fuel
    attacker -= bool(units) and all(weak >> unit & 1 for unit in units)
    attacker -= battle.side == GERMAN and "assault_coordination" in battle.attack_tactics
    if all(p.isolated >> unit & 1 for unit in units):
        attacker = 0
    return Hits(max(0, attacker), max(0, defender))


def preview(s: Situation, battle: Battle, total: int | None = None) -> Preview:
    """What a combat may bring, if so many chits are drawn in all; without a number, as many as may be."""
    most, parts = most_chits(s, battle)
    number = most if total is None else total
    truths = Truths(s, battle, due=number)
    sums = [(net_hits(s, battle, hits), chance) for hits, chance in hit_chances(s, battle, number).items()]
    mean_attacker = sum(hits.attacker * chance for hits, chance in sums)
    blue = any(s.facts.chits[chit][0].blue for chit in members(s.p.cup))
    out = s.p.cup.bit_count() + len(battle.chits) < len(s.facts.chits)
    words = (
        f"{ratio_words(truths.ratio)}, {number} chits; attackers take {float(mean_attacker):.1f} hits on average."
    )
    if blue and out:
        words += " An estimate: a blue chit would bring others back."
    short = least_chits(s, battle) - sum(more for more, _ in parts)
    if short > 0:
        parts.append((short, "at least as many as the defenders have steps"))
    modifiers = tuple(Modifier(part, more, "12.4", "chits") for more, part in parts)
    on_defender = _spread((hits.defender, chance) for hits, chance in sums)
    on_attacker = _spread((hits.attacker, chance) for hits, chance in sums)
    return Preview(
        words,
        truths.attack,
        truths.defence,
        modifiers,
        f"{number} chits",
        on_defender,
        of="hits on the defenders",
        others=(Spread("hits on the attackers", on_attacker),),
    )


def _spread(sums: Iterable[tuple[int, Fraction]]) -> tuple[tuple[str, Fraction], ...]:
    """The chance of each number of hits, from none on."""
    found = dict.fromkeys(range(MOST_SHOWN + 1), Fraction(0))
    for number, chance in sums:
        found[min(number, MOST_SHOWN)] += chance
    return tuple(
        (f"{number}+" if number == MOST_SHOWN else str(number), chance) for number, chance in found.items()
    )
