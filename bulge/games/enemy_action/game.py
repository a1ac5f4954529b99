"""Enemy Action: Ardennes as a game: scenarios, the sequence of play, what is hidden (rules 1 to 4)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import msgspec

from bulge.core.data import Overrides
from bulge.core.decision import Play
from bulge.core.foreseen import Threat
from bulge.core.game import Card, Game, Scenario, Step, Unit
from bulge.core.look import Look, Scene
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action import (
    allied_activation,
    allied_cards,
    allied_events,
    allied_tactics,
    battle,
    days,
    events,
    german_activation,
    german_attack,
    german_cards,
    german_moves,
    look,
    replacements,
    reserves,
    scene,
    setting_up,
)
from bulge.games.enemy_action.facts import ALLIED, BOX, GERMAN, SIDES, Facts, side_name
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.situation import STACK_STEPS, STACK_UNITS, Situation

Rules = Callable[[Table[EnemyActionPosition], Facts], Play | str]


class EnemyAction(Game[EnemyActionPosition]):
    id: ClassVar[str] = "enemy_action"
    title: ClassVar[str] = "Enemy Action: Ardennes"
    words: ClassVar[str] = (
        "The Ardennes offensive by cards, 16 to 29 December 1944, regiments on hexes of four kilometres. You "
        "command the Allies with a hand of cards; the rules play the Germans by theirs. A day lasts as long as "
        "the German deck. Hold the roads, keep them from the Meuse. One player, one to ten hours."
    )
    sides: ClassVar[tuple[str, ...]] = SIDES
    players: ClassVar[tuple[str, ...]] = (ALLIED,)
    most_choices: ClassVar[int] = 60_000
    supply_rule: ClassVar[str] = "13.1"
    position_type = EnemyActionPosition

    def __init__(self, overrides: Overrides | None = None) -> None:
        self.facts = facts = Facts(overrides)
        self.data, self.map, self.board = facts.data, facts.map, facts.board
        self.units = [Unit(row.id, row.name, side_name(facts.is_german(u))) for u, row in enumerate(facts.rows)]
        rows = [*facts.allied.rows, *facts.german.rows]
        self.cards = [Card(row.id, f"{row.number} {row.title}") for row in rows]
        self.scenarios = {row.id: Scenario(row.id, row.title, row.words) for row in facts.scenarios}
        self.sequence = self._sequence()

    @rule("3.0", "18.5")
    def set_up(self, scenario: str, options: Mapping[str, str]) -> EnemyActionPosition:
        row = self.facts.scenarios[scenario]
        return setting_up.set_up_crisis(self.facts, row) if row.set_up else setting_up.set_up(self.facts, row)

    @rule("4.0")
    def _sequence(self) -> dict[str, Step[EnemyActionPosition]]:
        """Every step of play by its name; each says which one follows."""
        rules: dict[str, Rules] = {
            "set_up_cards": setting_up.draw_set_up_cards,
            "depots": setting_up.place_depots,
            "first_hand": setting_up.deal_first_hand,
            "reserve_phase": days.reserve_phase,
            "delayed_reserves": reserves.delayed_reserves,
            "okw_release": days.okw_release,
            "card_phase": days.card_phase,
            "supply_phase": days.supply_phase,
            "interdiction": days.interdiction,
            "german_impulse": german_cards.german_impulse,
            "german_support": german_cards.german_support,
            "german_support_event": events.support_event,
            "german_command": german_cards.german_command,
            "german_event": events.german_event,
            "german_replacements": replacements.german_replacements,
            "german_activation": german_activation.german_activation,
            "german_arrival": german_activation.german_arrival,
            "german_move_order": german_moves.begin_moves,
            "german_moves": german_moves.german_moves,
            "german_detachments": german_activation.german_detachments,
            "german_attack_order": german_attack.order_attacks,
            "german_attacks": german_attack.german_attacks,
            "german_finish": german_activation.german_finish,
            "german_command_end": german_cards.german_command_end,
            "german_end": days.german_end,
            "battle_cards": battle.battle_cards,
            "battle_reserves": battle.battle_reserves,
            "battle_tactics": allied_tactics.battle_tactics,
            "battle_draw": battle.battle_draw,
            "battle_chits": battle.battle_chits,
            "battle_more_chits": battle.battle_more_chits,
            "battle_hits": battle.battle_hits,
            "battle_defence": battle.battle_defence,
            "battle_attackers": battle.battle_attackers,
            "battle_advance": battle.battle_advance,
            "battle_end": battle.battle_end,
            "allied_impulse": allied_cards.allied_impulse,
            "allied_start": allied_activation.allied_start,
            "allied_moves": allied_activation.allied_movement,
            "allied_stacking": allied_activation.allied_stacking,
            "allied_attacks": allied_activation.allied_attacks,
            "allied_finish": allied_activation.allied_finish,
            "allied_deploy": reserves.allied_deploy,
            "allied_replacements": replacements.allied_replacements,
            "engineers": allied_events.engineers,
            "roadblocks": allied_events.roadblocks,
            "airpower": allied_events.airpower,
            "raise_the_alarm": allied_events.raise_the_alarm,
            "alarm_moves": allied_events.alarm_moves,
            "allied_end": days.allied_end,
            "day_end": days.day_end,
        }
        return {name: partial(_run, step, self.facts) for name, step in rules.items()}

    # ------------------------------------------------------------------ what is hidden

    @rule("5.0")
    def view(self, p: EnemyActionPosition, side: str | None) -> dict[str, Any]:
        """Which supplementals lie in the Allied pile nobody knows; a spectator does not see the hand either."""
        view: dict[str, Any] = msgspec.to_builtins(p)
        unseen = p.allied_pile | p.available
        view["available"] = unseen
        view["allied_pile"] = p.allied_pile.bit_count()
        if side != ALLIED:
            view["available"] = unseen | p.hand
            view["hand"] = p.hand.bit_count()
        return view

    def deal_anew(self, p: EnemyActionPosition, side: str, rng: random.Random) -> None:
        """Cards of the Allied pile and those that rest might as well be exchanged; primaries are in the pile."""
        primary = self.facts.allied.primary
        hidden = (p.allied_pile | p.available) & ~primary
        if side != ALLIED:
            hidden |= p.hand
        loose = members(hidden)
        rng.shuffle(loose)
        if side != ALLIED:
            p.hand = sum(1 << loose.pop() for _ in range(p.hand.bit_count()))
        pile = p.allied_pile & primary
        count = (p.allied_pile & ~primary).bit_count()
        p.allied_pile = pile | sum(1 << loose.pop() for _ in range(count))
        p.available = sum(1 << card for card in loose)

    # ------------------------------------------------------------------ words

    def space_words(self, space: int) -> str:
        return self.facts.at(space)

    def foreseen(self, p: EnemyActionPosition, unit: int) -> Threat:
        """Cards say who moves next, on both sides: nobody can tell before one is turned up or chosen."""
        whose = "the next German card (9.0)" if self.units[unit].side == GERMAN else "the card that you play (6.0)"
        return Threat(self.units[unit].id, {}, (), f"who moves and attacks is decided by {whose}")

    def look(self, drawing: Mapping[str, Any] | None = None) -> Look:
        return look.look(self, self.facts, drawing)

    def scene(self, p: EnemyActionPosition, side: str | None) -> Scene:
        return scene.scene(self.facts, p, side)

    def overlays(self, p: EnemyActionPosition, side: str | None) -> dict[str, tuple[str, ...]]:
        return scene.overlays(self.facts, Situation(self.facts, p))

    def supply_line(self, p: EnemyActionPosition, unit: int) -> tuple[str, ...]:
        return scene.supply_line(self.facts, p, unit)

    # ------------------------------------------------------------------ invariants

    def check(self, p: EnemyActionPosition) -> None:
        facts = self.facts
        s = Situation(facts, p)
        assert not s.occupied[GERMAN] & s.occupied[ALLIED], "both sides in one hex (10.1)"
        assert not s.occupied[GERMAN] & facts.towns & ~p.german_towns, "a German unit in an Allied town (14.1)"
        assert not s.occupied[ALLIED] & p.german_towns, "an Allied unit in a German town (14.1)"
        # Who moves, or falls back through a full hex (12.75), is not yet where he will stand.
        under_way = p.step in ("allied_moves", "allied_stacking", "battle_defence")
        stacks = [*s.stacks[GERMAN].items(), *(() if under_way else s.stacks[ALLIED].items())]
        for hex_, units in stacks:
            inside = [unit for unit in units if unit != facts.heydte]
            assert len(inside) <= STACK_UNITS, f"too many units in {facts.at(hex_)} (10.4)"
            assert sum(p.steps[unit] for unit in inside) <= STACK_STEPS, (
                f"too many steps in {facts.at(hex_)} (10.4)"
            )
        for unit in range(len(facts.rows)):
            at, steps = p.where[unit], p.steps[unit]
            assert 0 <= steps <= facts.full[unit]
            assert steps or not (at >= 0 or at == BOX), f"{facts.name_of(unit)} is in play without a step"
        assert not p.positions & facts.towns, "an improved position in a town (14.32)"
        assert not p.positions & ~(s.occupied[GERMAN] | s.occupied[ALLIED]), (
            "an improved position left behind (14.34)"
        )
        assert not p.detachments & (s.occupied[GERMAN] | s.occupied[ALLIED]), "a detachment under a unit (15.3)"
        assert not p.roadblocks & (s.occupied[GERMAN] | s.occupied[ALLIED]), "a roadblock under a unit (10.8)"
        assert not p.low & p.out | (p.low | p.out) & p.isolated, "two states of supply (13.2)"
        piles = [p.pile, p.discards, german_cards.held_cards(p)]
        assert sum(pile.bit_count() for pile in piles) == (piles[0] | piles[1] | piles[2]).bit_count(), (
            "a card twice"
        )
        hands = [p.hand, p.allied_pile, p.available, p.used]
        assert sum(pile.bit_count() for pile in hands) == (hands[0] | hands[1] | hands[2] | hands[3]).bit_count()


def _run(step: Rules, facts: Facts, t: Table[EnemyActionPosition]) -> Play | str:
    return step(t, facts)
