"""What lies where in Bastogne now. Nothing is hidden: chits and units are drawn when they are drawn."""

from __future__ import annotations

from bulge.core.decision import Decision
from bulge.core.look import Mark, Piece, Reachable, Scene, Score, Subject, Waiting
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.bastogne.assault import Assault
from bulge.games.bastogne.facts import GONE, SUPPLY_LIMIT, WAITING, Facts
from bulge.games.bastogne.fire import Volley
from bulge.games.bastogne.losses import Hit, Retreat
from bulge.games.bastogne.morale import COLLAPSE, HIGHEST, level
from bulge.games.bastogne.movement import Move
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import germans_in, in_range, us_in
from bulge.games.bastogne.us_refit import Redeployment

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
        overlays=_overlays(facts, p),
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
    found = [Mark("entrenchment", name(space), "entrenched") for space in members(p.entrenched)]
    for track, division in enumerate(p.division):
        mode = "assault" if p.assault >> track & 1 else "refit"
        words = facts.formations[division].name + (f", {mode} mode" if p.weather else "")
        found.append(Mark(f"division_{mode}", name(facts.staging[track]), words))
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


def _overlays(facts: Facts, p: BastognePosition) -> dict[str, tuple[str, ...]]:
    names = facts.board.names_of
    reached = 0
    for unit in facts.us_units if p.weather else ():
        if p.where[unit] >= 0 and unit not in facts.impact_of:
            reached |= in_range(facts, p, unit)
    return {
        "control_german": tuple(names(p.german)),
        "control_us": tuple(names(facts.spaces & ~p.german)),
        "entrenched": tuple(names(p.entrenched)),
        "us_range": tuple(names(reached)),
    }


# ---------------------------------------------------------------------- questions


def reachable(facts: Facts, p: BastognePosition, decision: Decision) -> Reachable | None:
    """Everywhere that the unit on its way can end."""
    about, name = decision.about, facts.board.name
    if isinstance(about, Move):
        costs = {name(end): about.cost(facts, end) for end in about.ways}
        return Reachable(costs, {name(end): tuple(map(name, way)) for end, way in about.ways.items()})
    if isinstance(about, Redeployment):
        here = name(p.where[about.unit])
        return Reachable(
            {name(end): "1 supply" for end in about.ends}, {name(end): (here, name(end)) for end in about.ends}
        )
    return None


def subject(facts: Facts, p: BastognePosition, decision: Decision) -> Subject | None:
    """The combat, move or retreat that a question belongs to."""
    about, name, id_of = decision.about, facts.board.name, facts.id_of
    if isinstance(about, Volley):
        return Subject((name(about.space),), tuple(map(id_of, about.units)))
    if isinstance(about, Assault):
        units = [*us_in(facts, p, about.space), *germans_in(facts, p, about.space)]
        return Subject((name(about.space),), tuple(map(id_of, units)))
    if isinstance(about, Hit):
        return Subject((name(about.space),), ())
    if isinstance(about, Retreat):
        return Subject((name(about.space),), (id_of(about.unit),))
    if isinstance(about, Move | Redeployment):
        return Subject((name(p.where[about.unit]),), (id_of(about.unit),))
    return None
