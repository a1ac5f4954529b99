"""What units do to the hexes that they are in: control, Improved Positions (rules 15.8 and 30.1.2)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.allowance import held_back, in_good_order
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.dumps import CAPTURED, find_dumps, retake
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation


@rule("27.3.2", "30.1.2", "32.1", "32.2")
def pass_through(t: Table[Ardennes44], facts: Facts, side: str, hex_: int) -> bool:
    """A unit enters a hex: its side was the last there, an enemy Roadblock in it is overrun, dumps are found.

    True if guards of a dump stand where nobody did when it set out.
    """
    p, here = t.p, 1 << hex_
    if hex_ in (p.blocks_allied if side == GERMAN else p.blocks_german):
        p.overrun |= here
    if side == GERMAN:
        p.german_held |= here
        p.meuse_crossed = p.meuse_crossed or bool(facts.west_of_meuse & here)
        return bool(p.dumps) and find_dumps(t, facts, hex_)
    p.german_held &= ~here
    return p.dump == CAPTURED and retake(t, facts, hex_)


@rule("15.8.2", "16.5", "29.1.1")
def may_dig(s: Situation, unit: int) -> bool:
    """Whether a unit that has not moved may begin an Improved Position where it stands."""
    facts, p = s.facts, s.p
    if p.night or not facts.infantry >> unit & 1:
        return False
    kept = p.disrupted | p.broken | p.engaged | p.unsupplied | p.columns | held_back(facts, p)
    return not kept >> unit & 1 and not (p.improved | p.digging) & 1 << p.where[unit]


@rule("15.8.2", "15.8.3", "23.5")
def finish_digging(facts: Facts, p: Ardennes44, side: str) -> int:
    """Positions that a side's units complete as its Movement Phase begins; the hexes are told."""
    if not p.digging:
        return 0
    fit = facts.infantry & in_good_order(p) & ~p.engaged & ~p.columns
    held = union([p.where[unit] for unit in members(fit & facts.of_side[side])])
    done = p.digging & held
    p.digging &= ~done
    p.improved |= done
    return done


@rule("15.8.4")
def drop_vacant(s: Situation, among: int = -1) -> None:
    """Positions that nobody is in go, of these hexes or of all."""
    vacant = among & ~held(s)
    s.p.improved &= ~vacant
    s.p.digging &= ~vacant


def held(s: Situation) -> int:
    """Every space with somebody in it."""
    return s.occupied[GERMAN] | s.occupied[ALLIED]
