"""Who may attack together: two formations, each with one attached unit (rules 14.3, 27.3.3)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from bulge.core.rulebook import rule
from bulge.games.ardennes_44.situation import Situation

FORMATIONS = 2


@rule("8.4", "14.3", "14.3.1", "14.3.2", "27.3.3")
def may_attack_together(s: Situation, units: Iterable[int]) -> bool:
    """Whether these units keep to two formations. A unit may be attached to one that it is stacked with."""
    facts, p = s.facts, s.p
    attackers = list(units)
    if len({facts.rows[unit].nation for unit in attackers}) > 1:
        return False
    formations = {facts.formation[unit] for unit in attackers}
    if len(formations) <= FORMATIONS:
        return True
    beside = {unit: {facts.formation[mate] for mate in s.stack(p.where[unit])} for unit in attackers}
    named = sorted(formations.union(*beside.values()))
    return any(_serve(facts.formation, attackers, beside, pair) for pair in combinations(named, FORMATIONS))


def _serve(of: list[str], attackers: list[int], beside: dict[int, set[str]], pair: tuple[str, ...]) -> bool:
    """Whether two formations take in all attackers, with one attached unit each."""
    left = [unit for unit in attackers if of[unit] not in pair]
    if len(left) > len(pair):
        return False
    if len(left) == 1:
        return any(name in beside[left[0]] for name in pair)
    one, two = left
    return any(a in beside[one] and b in beside[two] for a, b in (pair, pair[::-1]))
