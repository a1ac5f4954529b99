"""The Ardennes Offensive as a game: set-up and sequence of play (rules 4, 17 and 18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bulge.core.data import Overrides
from bulge.core.decision import GameOver, Play
from bulge.core.game import PhaseName, Scenario, Step
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ardennes_offensive.arrivals import place_again, reinforcements
from bulge.games.ardennes_offensive.combat import combat_phase
from bulge.games.ardennes_offensive.facts import ABSENT, ALLIED, GERMAN, LAST_TURN, Facts
from bulge.games.ardennes_offensive.look import ArdennesLook
from bulge.games.ardennes_offensive.paradrop import paradrop
from bulge.games.ardennes_offensive.phases import convert, judge_supply, movement_phase, wake
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.setting_up import set_up_freely
from bulge.games.ardennes_offensive.situation import Situation
from bulge.games.ardennes_offensive.victory import BRITISH_FREE_FROM, final_judgment, immediate_victory, points
from bulge.games.hexes.roster import DUE
from bulge.games.hexes.sequence import Phase, sequence

TABLE_ROLL_FROM = 6
"""From this turn on a die may take the better table from the Germans (10.3)."""


class ArdennesOffensive(ArdennesLook):
    id: ClassVar[str] = "ardennes_offensive"
    title: ClassVar[str] = "The Ardennes Offensive"
    words: ClassVar[str] = (
        "Eighteen days from 16 December 1944, regiments on hexes of three kilometres, and the road net above all: "
        "columns in Road Mode are fast and helpless. The Germans score for Allied units destroyed and for roads "
        "off the map; 35 points by turn 6 win at once. The victor moves the beaten. Ten scenarios, two players, "
        "four hours and more."
    )
    most_choices: ClassVar[int] = 60_000
    last_turn: ClassVar[int] = LAST_TURN
    supply_rule: ClassVar[str] = "12.1A"
    position_type = ArdennesPosition

    def __init__(self, overrides: Overrides | None = None) -> None:
        super().__init__(Facts(overrides))
        self.scenarios = {row.id: Scenario(row.id, row.title, row.words) for row in self.facts.scenarios}
        self.sequence = self._sequence()

    @rule("4.2", "17.0", "18.0", "E3.1-6")
    def set_up(self, scenario: str, options: Mapping[str, str]) -> ArdennesPosition:
        """Every counter in its historical hex, or due to arrive; then whoever may rearranges his, Allies first."""
        row, arrivals = self.facts.scenarios[scenario], self.facts.arrivals[scenario]
        step = "german_table"
        if row.german_set_up == "free":
            step = "german_setup"
        if row.allied_set_up == "free":
            step = "allied_setup"
        where = [
            self.board.at(unit.hex) if unit.hex else DUE if arrives.turn else ABSENT
            for unit, arrives in zip(self.facts.rows, arrivals, strict=True)
        ]
        return ArdennesPosition(step=step, scenario=scenario, where=where)

    def situation(self, p: ArdennesPosition) -> Situation:
        return Situation(self.facts, p)

    # ------------------------------------------------------------------ the sequence of play

    @rule("4.0", "4.1", "4.2")
    def _sequence(self) -> dict[str, Step[ArdennesPosition]]:
        steps: dict[str, Step[ArdennesPosition]] = {
            "allied_setup": self._allied_setup,
            "german_setup": self._german_setup,
            "german_table": self._german_table,
        }
        for side, then in ((GERMAN, "allied_reinforcements"), (ALLIED, "turn_end")):
            steps |= self._player_turn(side, then)
        steps["turn_end"] = self._turn_end
        return steps

    def _player_turn(self, side: str, then: str) -> dict[str, Step[ArdennesPosition]]:
        facts = self.facts
        phases: list[tuple[str, Phase[ArdennesPosition]]] = [
            ("reinforcements", lambda t: reinforcements(t, facts, side)),
            ("supply", lambda t: judge_supply(t, facts, side)),
            ("conversions", not_on_the_first_turn(lambda t: self._conversions(t, side))),
            ("movement", not_on_the_first_turn(lambda t: movement_phase(t, facts, side, initial=True))),
            ("combat", lambda t: combat_phase(t, facts, side)),
            ("waking", lambda t: self._waking(t, side)),
            ("mechanized", lambda t: movement_phase(t, facts, side, initial=False)),
            ("end", lambda t: self._end_player_turn(t, side)),
        ]
        if side == GERMAN:
            phases.insert(3, ("paradrop", lambda t: paradrop(t, facts)))
        return sequence([(f"{side.lower()}_{name}", phase) for name, phase in phases], then)

    @rule("6.7L", "5.3M")
    def _conversions(self, t: Table[ArdennesPosition], side: str) -> None:
        """First who is in play, since one who is lost now wakes nobody; then the woken; sleepers are let off."""
        convert(t, self.facts, side)
        self._waking(t, side)
        convert(t, self.facts, side)
        t.p.fought_on_road &= ~self.facts.sets[side]

    def _waking(self, t: Table[ArdennesPosition], side: str) -> None:
        if side == ALLIED:
            wake(t, self.facts)

    def _allied_setup(self, t: Table[ArdennesPosition]) -> Play:
        yield from set_up_freely(t, self.facts, ALLIED)
        free = self.facts.scenarios[t.p.scenario].german_set_up == "free"
        return "german_setup" if free else "german_table"

    def _german_setup(self, t: Table[ArdennesPosition]) -> Play:
        yield from set_up_freely(t, self.facts, GERMAN)
        return "german_table"

    @rule("2.1", "10.3")
    def _german_table(self, t: Table[ArdennesPosition]) -> str:
        """From Turn 6 the Germans roll, until a 1 puts them on the Standard table."""
        p = t.p
        day = 15 + p.turn
        date = f"{day} December" if day <= 31 else f"{day - 31} January"
        t.say("4.1", f"Turn {p.turn}, {date}.", kind="turn")
        if p.turn >= TABLE_ROLL_FROM and not p.standard:
            p.standard = t.roll("10.3", "which results table the Germans use (1: the Standard table)") == 1
        place_again(t, self.facts, GERMAN)
        return "german_reinforcements"

    @rule("4.1", "13.2C", "E12.0-1")
    def _end_player_turn(self, t: Table[ArdennesPosition], side: str) -> None:
        """Supply and interdiction markers come off."""
        p = t.p
        p.unsupplied = p.isolated = p.interdicting = p.attacked = 0
        if side == GERMAN:
            place_again(t, self.facts, ALLIED)

    @rule("4.1", "14.3C", "16.0E", "16.2", "16.3")
    def _turn_end(self, t: Table[ArdennesPosition]) -> str:
        p = t.p
        found = points(self.facts, Situation(self.facts, p))
        t.say("16.0E", f"Points: {found[GERMAN]} German, {found[ALLIED]} Allied.")
        if result := immediate_victory(found, p.turn):
            raise GameOver(result)
        if p.turn == LAST_TURN:
            raise GameOver(final_judgment(found))
        if found[GERMAN] >= BRITISH_FREE_FROM:
            p.british_free = True
        p.turn += 1
        return "german_table"

    # ------------------------------------------------------------------ checks

    def check(self, p: ArdennesPosition) -> None:
        """What no rule can make true."""
        super().check(p)
        facts, s = self.facts, self.situation(p)
        assert not (s.occupied[GERMAN] | s.occupied[ALLIED]) & ~facts.passable, "a unit where nobody can be"
        for unit, at in enumerate(p.where):
            if not (at >= 0 and facts.edge >> at & 1):
                assert not p.dormant >> unit & 1, f"{facts.rows[unit].name} is dormant, and not on the map's edge"
            if p.road >> unit & 1 and facts.on_map[at]:
                assert facts.road_hexes >> at & 1, f"{facts.rows[unit].name} is in Road Mode off the road"
                assert s.loads[at] == facts.size[unit], f"{facts.rows[unit].name} is stacked in Road Mode"

    # ------------------------------------------------------------------ what is imagined

    def step_of(self, side: str, phase: PhaseName) -> str:
        """Supply and interdiction are judged first."""
        return f"{side.lower()}_supply"

    def as_if(self, p: ArdennesPosition, side: str, phase: PhaseName, unit: int, at: int) -> ArdennesPosition:
        """On the first turn nobody moves before combat: that is past."""
        twin = super().as_if(p, side, phase, unit, at)
        twin.turn = max(2, twin.turn)
        return twin


@rule("4.2")
def not_on_the_first_turn(phase: Phase[ArdennesPosition]) -> Phase[ArdennesPosition]:
    """Nobody has an initial movement phase on turn 1."""
    return lambda t: phase(t) if t.p.turn > 1 else None
