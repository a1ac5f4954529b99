"""Why something cannot be done that is no movement: attacks, support, retreats, arrivals, the drop."""

from __future__ import annotations

from bulge.core.decision import Refusal
from bulge.games.the_bulge.battle import VAK_RANGE, Battle
from bulge.games.the_bulge.facts import ALLIED, Facts, other
from bulge.games.the_bulge.movement import enemy_at_entry
from bulge.games.the_bulge.phases import DROP_DISTANCE
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.results import Retreat
from bulge.games.the_bulge.situation import Situation


def why_not_attack(facts: Facts, p: BulgePosition, side: str, hex_: int) -> Refusal:
    """Why nobody may attack a hex."""
    s = Situation(facts, p)
    if side == ALLIED and s.vdh >> hex_ & 1:
        return Refusal("14.5", "von der Heydte's men are not attacked: whoever enters their hex rounds them up")
    if not s.occupied[other(side)] >> hex_ & 1:
        return Refusal("13.1", "no enemy unit stands there")
    if all(p.defended >> unit & 1 for unit in s.stack(hex_)):
        return Refusal("13.3", "its defenders have been attacked already in this phase")
    near = [unit for by in facts.board.neighbours(hex_) for unit in s.stack(by) if unit in facts.units_of[side]]
    if not near:
        return Refusal("13.2", "no unit of yours is next to it")
    return why_not_join(facts, p, Battle(side, hex_, before_movement=True), near[0])


def why_not_join(facts: Facts, p: BulgePosition, battle: Battle, unit: int) -> Refusal:
    """Why a unit may not take part in an attack."""
    if unit in battle.attackers:
        return Refusal("13.5", "it takes part already")
    if not facts.fighting[unit]:
        return Refusal("14.4" if unit == facts.sses else "14.5", "it has no strength to fight with")
    if facts.special[unit] == "vak":
        return Refusal("14.7", "artillery corps do not attack; they fire in support")
    if p.attacked >> unit & 1:
        return Refusal("13.5", "it has attacked already in this phase")
    if not facts.board.adjacent(p.where[unit], battle.target):
        return Refusal("13.2", "it is not next to the hex")
    if unit == facts.flak:
        return Refusal("14.6", "the flak division attacks neither alone nor out of supply")
    if facts.british(unit) and not facts.west_of_meuse >> battle.target & 1:
        return Refusal("9.8", "British units attack only west and north of the Meuse")
    return Refusal("13.24", "US and British units do not attack together")


def why_not_fire(facts: Facts, p: BulgePosition, battle: Battle, unit: int) -> Refusal:
    """Why a unit may not fire in support."""
    if facts.special[unit] != "vak":
        return Refusal("14.7", "only artillery corps fire in support")
    if p.attacked >> unit & 1:
        return Refusal("14.7", "it has fired already in this phase")
    if facts.board.distance(p.where[unit], battle.target) != VAK_RANGE:
        return Refusal("14.7", f"it is not {VAK_RANGE} hexes from the target")
    if Situation(facts, p).zones[ALLIED] >> p.where[unit] & 1:
        return Refusal("14.7", "an enemy unit is next to it")
    return Refusal("14.7", "it is out of supply")


def why_not_retreat(facts: Facts, p: BulgePosition, about: Retreat, hex_: int) -> Refusal:
    s, unit, side = Situation(facts, p), about.unit, facts.side_of(about.unit)
    if not facts.board.adjacent(about.from_, hex_):
        return Refusal("13.17", "a retreat goes one hex")
    if s.occupied[other(side)] >> hex_ & 1:
        return Refusal("13.17", "an enemy unit stands there")
    if s.unnegated(side) >> hex_ & 1:
        return Refusal("13.17", "it lies in an enemy zone, and no friendly unit stands there")
    if about.not_into >> hex_ & 1:
        return Refusal("14.2", "cavalry does not retreat before combat into the West Wall")
    if s.other_ally(unit) >> hex_ & 1:
        return Refusal("6.10", "US and British units may not stop in the same hex")
    if facts.british(unit) and not facts.west_of_meuse >> hex_ & 1:
        return Refusal("9.8", "British units stay west and north of the Meuse")
    if s.crowded(facts.thirds[unit]) >> hex_ & 1:
        return Refusal("13.17", "the hex would be overstacked")
    return Refusal("13.17", "it is no nearer to a supply source, or has no room for the whole stack")


def why_not_come_on(facts: Facts, p: BulgePosition, unit: int, hex_: int) -> Refusal:
    """Why a reinforcement may not enter there."""
    s = Situation(facts, p)
    if not facts.entries[facts.rows[unit].edge] >> hex_ & 1:
        return Refusal("12.1", "no road leads on there from the side by which it comes")
    if enemy_at_entry(facts, s, unit) >> hex_ & 1:
        return Refusal("12.3", "an enemy unit or its zone is there")
    if s.crowded(facts.thirds[unit]) >> hex_ & 1:
        return Refusal("6.5", "the hex would be overstacked: two divisions is the limit")
    return Refusal("12.2", "it could not pay for the hex and end its move where it may stop")


def why_not_drop(facts: Facts, p: BulgePosition, hex_: int) -> Refusal:
    """Why the paratroopers may not land there."""
    if (facts.towns | facts.by_terrain["heavy_woods"]) >> hex_ & 1:
        return Refusal("14.5", "they land neither in a town nor in heavy woods")
    if Situation(facts, p).occupied[ALLIED] >> hex_ & 1:
        return Refusal("6.9", "an Allied unit stands there")
    return Refusal("14.5", f"a German unit is within {DROP_DISTANCE} hexes")
