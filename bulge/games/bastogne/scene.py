"""What lies where in Bastogne now. Nothing is hidden: chits and units are drawn when they are drawn."""

from __future__ import annotations

from bulge.core.look import Mark, Piece, Scene, Score, Waiting
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.bastogne.facts import GONE, SUPPLY_LIMIT, WAITING, Facts
from bulge.games.bastogne.morale import COLLAPSE, HIGHEST, level
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import in_range

FLAG_OF_STEP = {
    "us_movement": "moved",
    "us_fire": "attacked",
    "us_closing": "attacked",
    "us_redeployment": "moved",
}


def scene(facts: Facts, p: BastognePosition) -> Scene:
    name = facts.board.name
    return Scene(
        turn=p.turn,
        step=p.step,
        pieces=tuple(
            Piece(facts.id_of(unit), name(at), p.steps[unit], _flags(facts, p, unit))
            for unit, at in enumerate(p.where)
            if at >= 0
        ),
        marks=_marks(facts, p),
        waiting=_waiting(facts, p),
        scores=(
            Score("Third Army", p.patton, facts.relief, "3.1"),
            Score("German morale", p.morale, HIGHEST, "6.3"),
            Score("US supply", p.supply, SUPPLY_LIMIT, "19.1"),
        ),
    )


def _flags(facts: Facts, p: BastognePosition, unit: int) -> tuple[str, ...]:
    flags = []
    if p.done >> unit & 1 and p.step in FLAG_OF_STEP:
        flags.append(FLAG_OF_STEP[p.step])
    if unit in facts.german_guns and p.steps[unit] == 1:
        flags.append("suppressed")
    return tuple(flags)


@rule("2.7", "2.8", "8.4", "9.3", "24.1")
def _marks(facts: Facts, p: BastognePosition) -> tuple[Mark, ...]:
    name = facts.board.name
    found = [Mark("entrenchment", name(space), "entrenched", "entrenched") for space in members(p.entrenched)]
    for track, division in enumerate(p.division):
        mode = "assault" if p.assault >> track & 1 else "refit"
        words = facts.formations[division].name + (f", {mode} mode" if p.weather else "")
        found.append(Mark(f"division_{mode}", name(facts.staging[track]), words, mode))
    if p.weather:
        found.append(Mark("weather", "", f"Weather: {facts.weather[p.weather].name}"))
    found.append(Mark("morale", "", f"German morale: {level(p)[0] if p.morale > COLLAPSE else 'collapse'}"))
    found.append(Mark("cup", "", f"{len(p.cup)} Fortunes of War chits in the cup"))
    if p.drawn_events:
        found.append(Mark("event", "", f"Last chit: {facts.events[p.drawn_events[-1]].name}"))
    for held, words in ((p.intelligence, "Intelligence, to be used"), (p.malmedy, "Malmedy: US edge +1")):
        if held:
            found.append(Mark("event_in_effect", "", words))
    if p.ardor:
        found.append(Mark("event_in_effect", "", "National Socialist Ardor: German edge +1"))
    return tuple(found)


@rule("2.4", "2.5", "9.2", "21.0")
def _waiting(facts: Facts, p: BastognePosition) -> tuple[Waiting, ...]:
    boxes: dict[str, list[str]] = {}
    for unit, at in enumerate(p.where):
        if at in (GONE, WAITING):
            boxes.setdefault(_box_of(facts, unit, at), []).append(facts.id_of(unit))
    return tuple(Waiting(box, tuple(units)) for box, units in boxes.items())


def _box_of(facts: Facts, unit: int, at: int) -> str:
    if unit in facts.airstrikes:
        return "airstrike pool"
    if at == GONE:
        return "lost"
    if unit in facts.german_units:
        formation = facts.formation_named[facts.german_rows[unit - facts.german_units.start].formation]
        return f"{facts.formations[formation].name} reinforcements"
    return "to deploy" if facts.us_rows[unit].formation != "event" else "US reinforcements"


def overlays(facts: Facts, p: BastognePosition) -> dict[str, tuple[str, ...]]:
    names = facts.board.names_of
    reached = 0
    for unit in facts.shooters if p.weather else ():
        if p.where[unit] >= 0:
            reached |= in_range(facts, p, p.where[unit])
    return {
        "control_german": tuple(names(p.german)),
        "control_us": tuple(names(facts.spaces & ~p.german)),
        "entrenched": tuple(names(p.entrenched)),
        "us_range": tuple(names(reached)),
    }
