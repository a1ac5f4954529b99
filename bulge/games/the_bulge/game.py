"""The Bulge as a game: set-up, sequence of play, victory (rules 3, 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bulge.core.data import Overrides
from bulge.core.decision import GameOver, Result
from bulge.core.game import PhaseName, Scenario, Step
from bulge.core.look import Score
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.hexes.roster import DUE, GONE
from bulge.games.hexes.sequence import sequence
from bulge.games.the_bulge.combat import combat_phase
from bulge.games.the_bulge.facts import ALLIED, GERMAN, LAST_TURN, Facts
from bulge.games.the_bulge.look import BulgeLook
from bulge.games.the_bulge.phases import begin_turn, drop_paratroops, movement_phase, place_shortages
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

POINTS_TO_WIN = 12


class TheBulge(BulgeLook):
    id: ClassVar[str] = "the_bulge"
    title: ClassVar[str] = "The Bulge"
    words: ClassVar[str] = (
        "Ten days in December 1944, a turn a day, divisions on big hexes. The Germans must take twelve points of "
        "towns between the Our and the Meuse, or get one panzer unit off the map in the north or west; the Allies "
        "must hold. "
        "Two combat phases a turn, one before and one after movement. Two players, two to three hours."
    )
    most_choices: ClassVar[int] = 20_000
    last_turn: ClassVar[int] = LAST_TURN
    supply_rule: ClassVar[str] = "7.2"
    position_type = BulgePosition

    def __init__(self, overrides: Overrides | None = None) -> None:
        super().__init__(Facts(overrides))
        self.scenarios = {"campaign": Scenario("campaign", "16 to 25 December 1944", "The whole game: ten turns.")}
        self.sequence = self._sequence()

    @rule("3.1", "3.2", "3.3", "4.3", "2.11")
    def set_up(self, scenario: str, options: Mapping[str, str]) -> BulgePosition:
        """Every counter in its printed hex, or on the turn track; all at full strength."""
        rows = self.facts.rows
        return BulgePosition(
            step="shortage_roll",
            where=[self.board.at(row.hex) if row.hex else DUE for row in rows],
            steps=[row.steps for row in rows],
            german=self.facts.german_at_start,
        )

    # ------------------------------------------------------------------ the sequence of play

    @rule("5.1", "5.2", "5.3")
    def _sequence(self) -> dict[str, Step[BulgePosition]]:
        facts = self.facts
        return sequence(
            [
                ("shortage_roll", begin_turn),
                ("shortages", lambda t: place_shortages(t, facts)),
                ("german_combat_1", lambda t: combat_phase(t, facts, GERMAN, before_movement=True)),
                ("german_movement", lambda t: movement_phase(t, facts, GERMAN)),
                ("german_combat_2", lambda t: combat_phase(t, facts, GERMAN, before_movement=False)),
                ("allied_combat_1", lambda t: combat_phase(t, facts, ALLIED, before_movement=True)),
                ("allied_movement", lambda t: movement_phase(t, facts, ALLIED)),
                ("allied_combat_2", lambda t: combat_phase(t, facts, ALLIED, before_movement=False)),
                ("drop", lambda t: drop_paratroops(t, facts)),
                ("turn_end", self._turn_end),
            ],
            then="shortage_roll",
        )

    @rule("4.3", "4.4", "5.3")
    def _turn_end(self, t: Table[BulgePosition]) -> None:
        p = t.p
        if p.turn == LAST_TURN:
            raise GameOver(self.judge(p))
        p.turn += 1
        p.short = p.airlifted = p.air_strikes = 0
        p.air_hexes, p.air_room = [], []

    @rule("4.3", "4.4", "14.5")
    def judge(self, p: BulgePosition) -> Result:
        """The last turn is over: twelve points win for the Germans."""
        points = self.points(p)
        winner, number = (GERMAN, "4.3") if points >= POINTS_TO_WIN else (ALLIED, "4.4")
        words = f"The Germans hold {points} points; they needed {POINTS_TO_WIN}."
        return Result(winner, words, number, {GERMAN: points})

    def points(self, p: BulgePosition) -> int:
        """Towns under German control, and one for relieving the paratroopers."""
        towns = members(p.german & self.facts.towns)
        return sum(self.facts.town_points[hex_] for hex_ in towns) + p.paratroops_relieved

    def scores(self, s: Situation) -> tuple[Score, ...]:
        return (Score("German points", self.points(s.p), POINTS_TO_WIN, "4.3"),)

    # ------------------------------------------------------------------ what is never true, and what is imagined

    def check(self, p: BulgePosition) -> None:
        super().check(p)
        facts, s = self.facts, self.situation(p)
        british = s.held_by(facts.british_units)
        for hex_ in members(s.held_by(facts.us_units) & british):
            passing = p.step == "allied_movement" and not all(p.moved >> unit & 1 for unit in s.stack(hex_))
            assert passing, "US and British units stacked together (6.10)"
        assert not british & ~facts.west_of_meuse, "a British unit beyond the Meuse (9.8)"
        assert s.occupied[GERMAN] & ~p.german == 0, "a German unit in an Allied hex (3.3)"
        assert s.occupied[ALLIED] & p.german == 0, "an Allied unit in a German hex (3.3)"
        for unit, row in enumerate(facts.rows):
            assert 0 <= p.steps[unit] <= row.steps
            alive = p.steps[unit] or p.where[unit] == GONE or not facts.fighting[unit]
            assert alive, f"{row.name} is on the map without a step"
        assert len(p.air_hexes) == len(p.air_room) <= 3
        assert p.air_strikes <= 4

    def situation(self, p: BulgePosition) -> Situation:
        return Situation(self.facts, p)

    def step_of(self, side: str, phase: PhaseName) -> str:
        return f"{side.lower()}_{'movement' if phase == 'movement' else 'combat_2'}"
