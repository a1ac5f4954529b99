"""Bastogne as a game: set-up, sequence of play, Patton, victory (rules 3, 4, 28)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from bulge.core.data import Overrides
from bulge.core.decision import GameOver, Play, Result
from bulge.core.foreseen import Threat
from bulge.core.game import Game, Scenario, Step, Unit
from bulge.core.look import Look, Scene
from bulge.core.options import GameOption
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.bastogne import assault, barrage, closing, fire, look, movement, preparation, scene, us_refit
from bulge.games.bastogne.asked import unit_words
from bulge.games.bastogne.deployment import deploy_us
from bulge.games.bastogne.events import move_patton
from bulge.games.bastogne.facts import (
    FIRES,
    GERMAN,
    GONE,
    LAST_TURN,
    NO_TRACK,
    PATTON_ATTACKS_FROM,
    RESERVE,
    SECTORS,
    SIDES,
    SOUTH,
    SUPPLY_LIMIT,
    US,
    WAITING,
    Facts,
)
from bulge.games.bastogne.foreseeing import german_threat, us_threat
from bulge.games.bastogne.morale import HIGHEST, adjust_morale
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.reinforcements import deploy_germans, refit_germans, reinforce
from bulge.games.bastogne.situation import german_spaces, german_track, us_spaces

Phase = Callable[[SiegeTable, Facts], Play | None]
"""A part of the turn; one that asks is a generator, which says whether it comes round again."""

SIEGE, SECTOR_COMMAND = "siege", "sectors"
GERMAN_LOSSES = "german_losses"


class Bastogne(Game[BastognePosition]):
    id: ClassVar[str] = "bastogne"
    title: ClassVar[str] = "Bastogne"
    words: ClassVar[str] = (
        "The siege, 19 to 26 December 1944, a turn a day, battalions on four roads into the town. You command the "
        "Americans; the rules play four German divisions. Hold until Patton's Third Army gets through, or German "
        "morale breaks. One player, or several who share the command; one to two hours."
    )
    sides: ClassVar[tuple[str, ...]] = SIDES
    players: ClassVar[tuple[str, ...]] = (US,)
    most_choices: ClassVar[int] = 6_000
    options = (
        GameOption(
            id=GERMAN_LOSSES,
            title="German losses",
            words="Who names the German units that are hit and driven out; it can be changed in play.",
            rule="16.7",
            values=(("strongest", "the strongest, by standing order"), ("asked", "you, one by one")),
            default="strongest",
        ),
    )
    tries_rolls: ClassVar[bool] = True
    position_type = BastognePosition

    def __init__(self, overrides: Overrides | None = None) -> None:
        self.facts = facts = Facts(overrides)
        self.data, self.board = facts.data, facts.board
        self.units = [Unit(facts.id_of(u), facts.name_of(u), facts.side_of(u)) for u in range(facts.counters)]
        self.scenarios = {
            SIEGE: Scenario(SIEGE, "The siege, 19 to 26 December 1944", "The whole game, one US player."),
            SECTOR_COMMAND: Scenario(
                SECTOR_COMMAND,
                "The siege, several commanders",
                "The whole game with the US command shared: an overall commander, one for each track, and one for "
                "air and artillery.",
                players=(US, *SECTORS, FIRES),
            ),
        }
        self.sequence = self._sequence()

    @rule("1.0", "5.2", "28.0", "28.1", "28.2")
    def set_up(self, scenario: str, options: Mapping[str, str]) -> BastognePosition:
        """Nothing is deployed yet; every space is the US's, morale is 12 and there is no supply."""
        facts = self.facts
        where = [WAITING] * facts.counters
        markers = len(facts.impacts) + len(facts.airstrikes)
        for marker in facts.impacts:
            where[marker] = facts.board.at(RESERVE)
        for marker in facts.airstrikes:
            where[marker] = GONE
        return BastognePosition(
            step="deploy",
            where=where,
            steps=[*facts.us_full, *facts.german_full.values(), *[1] * markers],
            track=[NO_TRACK] * len(facts.german_units),
            cup=[at for at, row in enumerate(facts.events) for _ in range(row.chits)],
            shared=scenario == SECTOR_COMMAND,
            german_losses_asked=options.get(GERMAN_LOSSES) == "asked",
        )

    # ------------------------------------------------------------------ the sequence of play

    @rule("4.1", "4.2")
    def _sequence(self) -> dict[str, Step[BastognePosition]]:
        """The five phases; a step that a track, or an assault, has to itself comes round until all are done."""
        phases: list[tuple[str, Phase]] = [
            ("deploy", deploy_us),
            ("german_deployment", deploy_germans),
            ("weather", preparation.determine_weather),
            ("activation", preparation.activate_divisions),
            ("airstrike_assignment", preparation.assign_airstrikes),
            ("artillery_assignment", preparation.assign_artillery),
            ("interdiction", barrage.interdict),
            ("german_artillery", _each_track(barrage.fire_german_artillery)),
            ("counterbattery", barrage.counterbattery),
            ("german_movement", movement.move_germans),
            ("us_support", fire.place_support),
            ("us_fire", fire.us_fire),
            ("german_closing", closing.close_in_germans),
            ("german_assault", assault.german_assaults),
            ("us_movement", movement.move_us),
            ("german_fire", _each_track(fire.german_fire)),
            ("us_closing", closing.close_in_us),
            ("us_assault", assault.us_assaults),
            ("morale", adjust_morale),
            ("us_redeployment", us_refit.redeploy),
            ("us_refit", us_refit.refit_us),
            ("german_refit", refit_germans),
            ("german_reinforcement", reinforce),
            ("patton", advance_patton),
        ]
        following = [name for name, _ in phases[1:]] + ["turn_end"]
        steps: dict[str, Step[BastognePosition]] = {
            name: self._step(phase, name, then) for (name, phase), then in zip(phases, following, strict=True)
        }
        steps["turn_end"] = self._turn_end
        return steps

    def _step(self, phase: Phase, name: str, then: str) -> Step[BastognePosition]:
        def run(t: SiegeTable) -> Play | str:
            asking = phase(t, self.facts)
            return then if asking is None else _asked(asking, name, then)

        return run

    @rule("3.0", "3.1", "3.2", "4.3")
    def _turn_end(self, t: SiegeTable) -> str:
        """Sudden death, the last turn, or the next one."""
        p, facts = t.p, self.facts
        if p.patton >= facts.relief:
            raise GameOver(Result(US, "Patton's Third Army has relieved Bastogne.", "3.1"))
        if p.german >> facts.center & 1:
            raise GameOver(Result(GERMAN, "The Germans hold Bastogne at the end of a turn.", "3.1"))
        if p.turn == LAST_TURN:
            raise GameOver(Result(GERMAN, "Bastogne has not been relieved by 26 December.", "3.2"))
        p.turn += 1
        p.weather = ""
        p.assault = 0
        p.morale_struck = p.malmedy = p.ardor = False
        return "weather"

    # ------------------------------------------------------------------ words and looks

    def space_words(self, space: int) -> str:
        return self.facts.at(space)

    def ground_words(self, space: int) -> str:
        return look.space_words(self.facts, self.board.name(space))

    def unit_words(self, p: BastognePosition, unit: int) -> str:
        return unit_words(self.facts, p, unit)

    def look(self, drawing: Mapping[str, Any] | None = None) -> Look:
        return look.look(self.facts, self.rulebook, self.title, drawing)

    def scene(self, p: BastognePosition, side: str | None) -> Scene:
        return scene.scene(self.facts, p)

    def overlays(self, p: BastognePosition, side: str | None) -> dict[str, tuple[str, ...]]:
        return scene.overlays(self.facts, p)

    def foreseen(self, p: BastognePosition, unit: int) -> Threat:
        german = self.units[unit].side == GERMAN
        return german_threat(self, self.facts, p, unit) if german else us_threat(self.facts, p, unit)

    # ------------------------------------------------------------------ invariants

    def check(self, p: BastognePosition) -> None:
        facts = self.facts
        if p.step not in ("german_assault", "us_closing", "us_assault"):
            assert not us_spaces(facts, p) & german_spaces(facts, p), "both sides in one space (5.2)"
            for space in members(us_spaces(facts, p)):
                assert not p.german >> space & 1, "a US unit in a German space (5.2)"
            for space in members(german_spaces(facts, p) & facts.spaces):
                assert p.german >> space & 1, "a German unit in a US space (5.2)"
        assert set(assault.overstacked(facts, p)) <= {facts.center}, "overstacked (14.1)"
        assert not us_spaces(facts, p) & ~facts.spaces, "a US unit off the map (15.10)"
        assert not p.entrenched & p.german, "an entrenchment in a German space (24.1)"
        assert 1 <= p.morale <= HIGHEST
        assert 0 <= p.supply <= SUPPLY_LIMIT
        assert 1 <= p.patton <= facts.relief
        assert 1 <= p.turn <= LAST_TURN
        for unit in range(facts.german_units.stop):
            at, steps = p.where[unit], p.steps[unit]
            assert steps <= facts.full(unit)
            assert at < 0 or steps, f"{facts.name_of(unit)} is on the map without a step"
        for at, unit in enumerate(facts.german_units):
            assert p.where[unit] < 0 or facts.number_of[p.where[unit]] == 0 or (
                facts.track_of[p.where[unit]] == p.track[at]
            ), f"{facts.name_of(unit)} has left its track (9.2)"  # fmt: skip


@rule("4.2", "3.1")
def advance_patton(t: SiegeTable, facts: Facts) -> None:
    """A die for Third Army, modified by the weather and by who holds the South Track."""
    p = t.p
    column = "patton_attacking" if p.turn >= PATTON_ATTACKS_FROM else "patton_turning"
    weather = facts.numbers.get(f"patton_{p.weather}", 0)
    south = facts.numbers["patton_south_lost"] if german_track(facts, p, SOUTH) else 0
    die = t.roll("4.2", f"Third Army (weather {weather:+d}, South Track {south:+d})")
    move_patton(t, facts, int(facts.dice[column].result(die + weather + south)), "its own advance", "4.2")


def _asked(asking: Play, name: str, then: str) -> Play:
    """Whether a phase that asks comes round again is known when it is done."""
    again = yield from asking
    return name if again else then


def _each_track(phase: Callable[[SiegeTable, Facts, int], Play]) -> Phase:
    """A phase that goes clockwise from the north, a track at a time."""

    def run(t: SiegeTable, facts: Facts) -> Play:
        yield from phase(t, facts, t.p.cursor)
        t.p.cursor = (t.p.cursor + 1) % len(facts.tracks)
        return t.p.cursor != 0

    return run
