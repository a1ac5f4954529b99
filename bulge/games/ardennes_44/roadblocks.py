"""Roadblocks, an optional rule (33)."""

from __future__ import annotations

from bulge.core.decision import Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import road_bound

IN_HAND = -1
ROAD_HEXES = 4
GERMAN_FROM = 3
LEAVE, TAKE = "leave_it", "take_it_back"


def blocks_of(p: Ardennes44, side: str) -> list[int]:
    return p.blocks_german if side == GERMAN else p.blocks_allied


@rule("33.2")
def places_for_block(s: Situation, side: str, number: int) -> int:
    """Road hexes within four of a friend and on a road to supply, away from enemies, jams and other blocks."""
    facts, p = s.facts, s.p
    roads = facts.ground.open_roads(p.blown)
    net = road_bound(s, side)
    near = s.occupied[side] & net
    for _ in range(ROAD_HEXES):
        near |= roads.across(near) & s.field.hexes & ~s.occupied[other(side)]
    near &= net | roads.across(net)
    others = [hex_ for at, hex_ in enumerate(blocks_of(p, side)) if at != number]
    laid = union([*others, *blocks_of(p, other(side)), *(p.traffic if side == ALLIED else p.greif)])
    return near & ~s.next_to_enemy(side) & ~laid & ~facts.board.around(laid) & ~s.occupied[other(side)]


@rule("33.0", "33.1", "33.2", "33.3", "33.4")
def roadblock_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """Each of the two markers is laid, moved, left or taken back; one that is cut off goes first."""
    p = t.p
    if not p.roadblocks or (side == GERMAN and p.turn < GERMAN_FROM):
        return
    _drop_cut_off(facts, p, side)
    while p.blocks_done < len(blocks_of(p, side)):
        number, blocks = p.blocks_done, blocks_of(p, side)
        options: list[Choice] = [*members(places_for_block(Situation(facts, p), side, number)), LEAVE]
        if blocks[number] >= 0:
            options.append(TAKE)
        prompt = f"Roadblock {number + 1}: lay it, or leave it"
        choice = yield Decision(side, prompt, options, "33.2", Kind.SPACE, top=True)
        p.blocks_done += 1
        if choice == TAKE:
            blocks[number] = IN_HAND
        elif choice != LEAVE:
            blocks[number] = choice
            p.german_held = p.german_held | 1 << choice if side == GERMAN else p.german_held & ~(1 << choice)
            t.say("33.2", f"Roadblock in {facts.words(choice)}.", spaces=(choice,))
    p.blocks_done = 0


@rule("33.3")
def _drop_cut_off(facts: Facts, p: Ardennes44, side: str) -> None:
    net = road_bound(Situation(facts, p), side)
    blocks = blocks_of(p, side)
    blocks[:] = [hex_ if hex_ >= 0 and net >> hex_ & 1 else IN_HAND for hex_ in blocks]


@rule("33.3")
def remove_overrun(p: Ardennes44, side: str) -> None:
    """At the end of a phase the blocks go that units of this side entered or passed."""
    blocks = blocks_of(p, other(side))
    blocks[:] = [IN_HAND if hex_ >= 0 and p.overrun >> hex_ & 1 else hex_ for hex_ in blocks]
    p.overrun = 0
