"""Ardennes '44 as a game: its sequence of play, by day and by night (rules 4 and 25.1)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from bulge.core.data import Overrides
from bulge.core.decision import GameOver, Play
from bulge.core.game import Game, PhaseName, Scenario, Unit
from bulge.core.look import Look, Scene
from bulge.core.options import YES
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ardennes_44 import look, scene
from bulge.games.ardennes_44.air import roll_for_air, roll_for_bodenplatte
from bulge.games.ardennes_44.antwerp import antwerp, divert
from bulge.games.ardennes_44.artillery import artillery_phase, begin_artillery
from bulge.games.ardennes_44.battle import combat_phase
from bulge.games.ardennes_44.bridges import bridge_phase, build
from bulge.games.ardennes_44.brigade import find_out
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, SIDES
from bulge.games.ardennes_44.dumps import HIDDEN, end_of_dumps, lay_dumps
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.fighting import prune_advantages
from bulge.games.ardennes_44.fuel import fuel_phase, roll_for_fuel
from bulge.games.ardennes_44.infiltration import infiltration_phase
from bulge.games.ardennes_44.moving import begin_movement, movement_phase
from bulge.games.ardennes_44.night import STACKS, begin_replacements, commandeer, replacement_phase
from bulge.games.ardennes_44.optional import OPTIONS
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.rally import rally
from bulge.games.ardennes_44.roadblocks import remove_overrun, roadblock_phase
from bulge.games.ardennes_44.setting_up import at_start, german_setup
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.special import roll_for_jagdtigers
from bulge.games.ardennes_44.stacking import fits
from bulge.games.ardennes_44.surrender import supply_phase
from bulge.games.ardennes_44.traffic import remove_traffic, traffic_phase
from bulge.games.ardennes_44.victory import check_victory, final_result
from bulge.games.hexes.imagining import as_if

Ask = Callable[[Table[Ardennes44], Facts, str], Play]
Act = Callable[[Table[Ardennes44], Facts, str], None]
Run = Callable[[Table[Ardennes44]], "Play | str"]


class Ardennes44Game(Game[Ardennes44]):
    id: ClassVar[str] = "ardennes_44"
    title: ClassVar[str] = "Ardennes '44"
    words: ClassVar[str] = (
        "Regiments and battalions on hexes of 2.6 km, eight hours a turn. Two units two hexes apart bar the way "
        "between them; tanks count by their quality; a shattered defender lets the attacker break through again "
        "and again; bridges blow, and nights belong to the few stacks marked for them. Two players, an evening "
        "for the short scenarios."
    )
    sides: ClassVar[tuple[str, ...]] = SIDES
    players: ClassVar[tuple[str, ...]] = SIDES
    most_choices: ClassVar[int] = 200_000
    supply_rule: ClassVar[str] = "23.3"
    position_type = Ardennes44
    options = OPTIONS

    def __init__(self, overrides: Overrides | None = None) -> None:
        self.facts = facts = Facts(overrides)
        self.data, self.map, self.board = facts.data, facts.map, facts.board
        self.units = [Unit(row.id, row.name, row.side) for row in facts.rows]
        self.scenarios = {row.id: Scenario(row.id, row.title, row.words) for row in facts.scenarios}
        self.sequence = self._sequence()

    @rule("31.0", "32.0", "33.0", "34.0", "35.0", "36.0")
    def set_up(self, scenario: str, options: Mapping[str, str]) -> Ardennes44:
        p = at_start(self.facts, scenario)
        p.night_infiltration = options.get("night_infiltration") == YES
        p.roadblocks = options.get("roadblocks") == YES
        p.factor_limit = options.get("factor_limit") == YES
        p.with_bodenplatte = options.get("bodenplatte") == YES
        p.greif_commando = options.get("greif_commando") == YES
        p.fuel_dumps = options.get("fuel_dumps") == YES
        if p.fuel_dumps:
            p.step = "allied_dumps"
        return p

    @rule("32.1")
    def view(self, p: Ardennes44, side: str | None) -> dict[str, Any]:
        """Which dump is real, only the Allies know until it is found."""
        view = super().view(p, side)
        if side != ALLIED and p.dump == HIDDEN:
            view["real_dump"] = "hidden"
        return view

    def has_secrets(self, p: Ardennes44) -> bool:
        """Only the option of rule 32 hides something."""
        return p.fuel_dumps

    def deal_anew(self, p: Ardennes44, side: str, rng: random.Random) -> None:
        if side != ALLIED and p.dump == HIDDEN:
            p.real_dump = rng.choice(members(p.dumps))

    # ------------------------------------------------------------------ the sequence of play

    @rule("4.0", "25.1")
    def _sequence(self) -> dict[str, Run]:
        steps: dict[str, Run] = {"german_setup": self._german_setup}
        steps |= self._chain("allied", [("dumps", lay_dumps)], "german_setup")
        first: list[tuple[str, Act | Ask]] = [("first_traffic", traffic_phase), ("first_jams", remove_traffic)]
        steps |= self._chain("allied", first, "german_artillery")
        steps |= self._player_turn(GERMAN, "allied_artillery")
        steps |= self._player_turn(ALLIED, "turn_end")
        steps |= self._night(ALLIED, "german_night")
        steps |= self._night(GERMAN, "night_end")
        steps["turn_end"] = self._turn_end
        steps["night_end"] = self._night_end
        return steps

    @rule("4.0", "5.1", "7.1", "11.1", "14.1", "18.6", "23.1", "24.3")
    def _player_turn(self, side: str, then: str) -> dict[str, Run]:
        phases: list[tuple[str, Act | Ask]] = [
            ("artillery", begin_artillery),
            ("guns", artillery_phase),
            ("fuel", roll_for_fuel),
            ("shortage", fuel_phase),
            ("building", build),
            ("bridges", bridge_phase),
            ("reinforcements", self._reinforcements),
            ("movement", movement_phase),
            ("rally", rally),
            ("advantages", self._begin_combat),
            ("combat", combat_phase),
            ("combat_end", self._end_combat),
            ("traffic", traffic_phase),
            ("roadblocks", roadblock_phase),
            ("jams", remove_traffic),
            ("supply", supply_phase),
            ("antwerp", antwerp),
            ("end", self._end_player_turn),
        ]
        if side == ALLIED:
            phases = [phase for phase in phases if phase[0] not in ("fuel", "shortage")]
        return self._chain(side.lower(), phases, then)

    @rule("25.1")
    def _night(self, side: str, then: str) -> dict[str, Run]:
        phases: list[tuple[str, Act | Ask]] = [
            ("night", self._begin_night),
            ("replacements", replacement_phase),
            ("infiltration", infiltration_phase),
            ("night_movement", movement_phase),
            ("night_start", self._begin_night_combat),
            ("night_combat", combat_phase),
            ("night_end", self._end_night),
        ]
        return self._chain(side.lower(), phases, then)

    def _chain(self, name: str, phases: list[tuple[str, Act | Ask]], then: str) -> dict[str, Run]:
        following = [f"{name}_{phase}" for phase, _ in phases[1:]] + [then]
        side = GERMAN if name == "german" else ALLIED
        return {
            f"{name}_{phase}": partial(self._run, run, side, next_)
            for (phase, run), next_ in zip(phases, following, strict=True)
        }

    def _run(self, run: Act | Ask, side: str, then: str, t: Table[Ardennes44]) -> Play | str:
        asked = run(t, self.facts, side)
        return then if asked is None else _and_then(asked, then)

    def _german_setup(self, t: Table[Ardennes44]) -> Play:
        yield from german_setup(t, self.facts)
        t.say("4.0", "Turn 1, 16 December, AM.", kind="turn")
        return "german_artillery"

    # ------------------------------------------------------------------ what asks nothing

    def _reinforcements(self, t: Table[Ardennes44], facts: Facts, side: str) -> None:
        begin_movement(t, facts, side)
        if side == GERMAN:
            roll_for_jagdtigers(t, facts)
        else:
            roll_for_air(t, facts)
            divert(t, facts)

    def _begin_combat(self, t: Table[Ardennes44], facts: Facts, side: str) -> None:
        prune_advantages(facts, t.p, side)

    @rule("20.5", "25.2.4", "25.3.7")
    def _end_combat(self, t: Table[Ardennes44], facts: Facts, side: str) -> None:
        """Engaged markers come off; what was counted for the phase is forgotten."""
        p, mine = t.p, facts.of_side[side]
        p.engaged &= ~(mine & p.night_marked if p.night else mine)
        if not p.night:
            p.replaced &= ~mine
        remove_overrun(p, side)
        p.attacked = p.remaining = p.defended = p.retreated = p.joined = p.breakers = p.dug = 0
        p.advanced = {}

    def _end_player_turn(self, t: Table[Ardennes44], facts: Facts, side: str) -> None:
        p = t.p
        if p.turn % 2 == 0:
            left = STACKS - p.night_stacks
            p.night_left_german, p.night_left_allied = (
                (left, p.night_left_allied) if side == GERMAN else (p.night_left_german, left)
            )
        p.tried = p.arrived = p.engineered = p.night_stacks = p.air = 0
        p.dump_tried = False
        find_out(p)

    def _begin_night(self, t: Table[Ardennes44], facts: Facts, side: str) -> None:
        begin_replacements(facts, t.p, side)

    def _begin_night_combat(self, t: Table[Ardennes44], facts: Facts, side: str) -> None:
        if side == GERMAN:
            commandeer(facts, t.p)
        prune_advantages(facts, t.p, side)

    def _end_night(self, t: Table[Ardennes44], facts: Facts, side: str) -> None:
        self._end_combat(t, facts, side)
        t.p.night_marked &= ~facts.of_side[side]
        t.p.tried = t.p.lent = t.p.infiltrated = 0
        t.p.dump_tried = False
        find_out(t.p)

    # ------------------------------------------------------------------ turns

    @rule("4.0", "25.1", "30.1", "30.1.1", "S2.1", "S3.1")
    def _turn_end(self, t: Table[Ardennes44]) -> str:
        """A night follows every PM turn but the last."""
        p, campaign = t.p, not self.facts.scenarios[t.p.scenario].points
        if campaign and (result := check_victory(self.facts, p)):
            raise GameOver(result)
        if p.turn >= self.facts.scenarios[p.scenario].last_turn:
            raise GameOver(final_result(self.facts, p))
        if p.turn % 2 == 0:
            p.night = True
            t.say("25.1", f"The night after turn {p.turn}.", kind="turn")
            return "allied_night"
        return self._next_turn(t)

    def _night_end(self, t: Table[Ardennes44]) -> str:
        t.p.night = False
        return self._next_turn(t)

    def _next_turn(self, t: Table[Ardennes44]) -> str:
        p = t.p
        end_of_dumps(self.facts, p)
        p.turn += 1
        day, part = 16 + (p.turn - 1) // 2, "AM" if p.turn % 2 else "PM"
        t.say("4.0", f"Turn {p.turn}, {day} December, {part}.", kind="turn")
        roll_for_bodenplatte(t, self.facts)
        return "german_artillery"

    # ------------------------------------------------------------------ invariants

    def check(self, p: Ardennes44) -> None:
        """What no rule can make true."""
        facts = self.facts
        s = Situation(facts, p)
        assert not s.occupied[GERMAN] & s.occupied[ALLIED], "enemies in one hex"
        assert not s.occupied[GERMAN] & ~s.field.hexes, "a German where none can be"
        assert not s.occupied[ALLIED] & ~s.field.hexes & ~facts.off_map, "an Allied unit where none can be"
        assert not p.disrupted & p.broken, "a unit both Disrupted and Broken"
        for hex_, stack in s.stacks.items():
            if len(stack) > 1 and not facts.off_map >> hex_ & 1:
                crowd = [unit for unit in stack if not facts.engineers >> unit & 1]
                assert fits(facts, p.reduced, crowd), f"overstacked: {facts.board.name(hex_)}"
        on_map = s.standing.on_map(GERMAN) | s.standing.on_map(ALLIED)
        assert not p.engaged & ~on_map, "a marker on a unit that is not there"
        assert all(p.where[unit] >= 0 for unit in members(p.columns)), "a column that is nowhere"

    # ------------------------------------------------------------------ words

    def look(self, drawing: Mapping[str, Any] | None = None) -> Look:
        return look.look(self, self.facts, drawing)

    def as_if(self, p: Ardennes44, side: str, phase: PhaseName, unit: int, at: int) -> Ardennes44:
        return as_if(p, f"{side.lower()}_{'movement' if phase == 'movement' else 'advantages'}", unit, at)

    def scene(self, p: Ardennes44, side: str | None) -> Scene:
        return scene.scene(self.facts, p)

    def overlays(self, p: Ardennes44, side: str | None) -> dict[str, tuple[str, ...]]:
        return scene.overlays(Situation(self.facts, p))

    def supply_line(self, p: Ardennes44, unit: int) -> tuple[str, ...]:
        return scene.supply_line(self.facts, p, unit)

    def unit_words(self, p: Ardennes44, unit: int) -> str:
        facts = self.facts
        row, at = facts.rows[unit], p.where[unit]
        values = (
            f"{facts.attack(unit, p.reduced)}-{facts.defence(unit, p.reduced)}-{facts.movement(unit, p.reduced)}"
        )
        states = [
            name
            for name, units in (
                *(("Disrupted", p.disrupted), ("Broken", p.broken), ("Engaged", p.engaged)),
                *(("Out of Supply", p.unsupplied), ("Fired", p.fired), ("in column", p.columns)),
            )
            if units >> unit & 1
        ]
        place = f", in {self.space_words(at)}" if at >= 0 else ""
        return ", ".join([f"{row.name} {values}", *states]) + place


def _and_then(asked: Play, then: str) -> Play:
    yield from asked
    return then
