"""What players know of Enemy Action: rules of thumb for every question that its Allied player is asked.

The rules play the Germans, so there is nobody to outguess: stand in the way of what they want and in the towns
that count, keep together, dig in, bring reserves on as soon as they are there, and strike where the exact chances
are good. Every German attack, and every attack on supplied Germans, takes a card out of the German day.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from bulge.core.decision import DONE, Choice, Decision, Kind
from bulge.core.game import Game
from bulge.core.spaces import members
from bulge.games.enemy_action import allied_cards, allied_events, allied_losses, allied_tactics
from bulge.games.enemy_action.allied_activation import ATTACK, CANCEL, GoalQuestion, able_to_attack
from bulge.games.enemy_action.allied_cards import CommandQuestion
from bulge.games.enemy_action.days import NO_STRIKE
from bulge.games.enemy_action.facts import ALLIED, GERMAN
from bulge.games.enemy_action.game import EnemyAction
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.reserves import EntryQuestion
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.tactics import the_battle
from bulge.games.enemy_action.victory import points
from bulge.players.knowledge.enemy_action import fights
from bulge.players.knowledge.enemy_action.ground import Ground

LEAST_GAIN = 0.25
"""A move must better a unit's place by this much."""
LEAST_ATTACK = 0.3
RESERVES = 0.8
"""What a point of strength is worth that comes on."""
AS_PLANNED = 50.0
"""Whoever is to attack comes up first."""
INTERDICTION = 4.0
PASS_WORTH = 0.05
CARDS_A_GERMAN_IMPULSE = 3.3
"""Two for the impulse, the rest for its attacks."""
SCARCE, PLENTY = 0.9, 0.15
"""What a card is worth as a command to come, if there are fewer cards than impulses left, or more."""


class EnemyActionKnowledge:
    at_once: ClassVar[tuple[str, ...]] = ()
    command_rule: ClassVar[str] = "5.1"
    tried_out: ClassVar[tuple[str, ...]] = ("5.1", "6.1")

    def __init__(self, game: EnemyAction) -> None:
        self.facts = game.facts
        self._kept: tuple[tuple[object, ...], Ground] | None = None
        self._thumbs: dict[str, Callable[[EnemyActionPosition, Decision, Choice], float]] = {
            "3.0": self._depot,
            "4.12": self._move,
            "5.1": self._play,
            "6.1": self._formation,
            "6.3": self._one_unit,
            "7.1": self._deploy,
            "7.3": self._deploy,
            "8.11": self._give_up,
            "10.0": self._move,
            "10.4": self._weakest,
            "10.8": self._roadblock,
            "12.0": self._target,
            "12.1": self._join,
            "12.3": self._tactic,
            "12.33": self._name_tactic,
            "12.4": self._draw_on,
            "12.51": self._loss,
            "12.7": self._retreat,
            "12.8": self._advance,
            "12.81": self._second_hex,
            "13.4": self._fly,
            "14.2": self._task,
            "14.21": self._bridge,
            "14.22": self._bridge,
            "14.31": self._dig,
            "16.1": self._replace,
        }

    def prior(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float | None:
        thumb = self._thumbs.get(decision.rule)
        return thumb(p, decision, choice) if thumb is not None else 0.0

    def value(self, p: EnemyActionPosition, side: str) -> float:
        return sum(self.features(p).values())

    def features(self, p: EnemyActionPosition) -> dict[str, float]:
        """Few German points, Allied steps and cards left, German steps gone, little threatened and at risk."""
        facts, ground = self.facts, self._ground(p)
        stacks = ground.s.stacks[ALLIED].items()
        step = fights.STEP * fights.dear(facts, p)
        return {
            "points": -float(points(facts, p).total),
            "allied": step * sum(p.steps[unit] for unit in facts.allied_units if p.where[unit] >= 0),
            "german": -step * sum(p.steps[unit] for unit in facts.german_units if p.where[unit] >= 0),
            "threats": -ground.pressure.total,
            "risks": -sum(ground.stack_danger(hex_, units) for hex_, units in stacks),
            "cards": self._spare(p) * p.hand.bit_count(),
        }

    def _ground(self, p: EnemyActionPosition) -> Ground:
        """The ground as things stand; kept, since every option of a question asks for it."""
        key = (
            tuple(p.where),
            tuple(p.steps),
            p.moved,
            p.active,
            p.dispersed,
            p.step,
            p.turn,
            p.german_towns,
            p.detachments,
            p.roadblocks,
            p.positions,
            p.blown,
        )
        if self._kept is None or self._kept[0] != key:
            self._kept = key, Ground(self.facts, p.copy())
        return self._kept[1]

    # ------------------------------------------------------------------ cards

    def _play(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """The card with the most useful command; then that command; Airpower early in a day interdicts."""
        if NO_STRIKE in decision.options:
            return INTERDICTION if isinstance(choice, int) else 0.0
        if isinstance(decision.about, CommandQuestion):
            return -5.0 if choice == allied_cards.BACK else self._command(p, decision.about.card, str(choice))
        if isinstance(choice, int):
            words = allied_cards.commands_of(self.facts, p, choice)
            return max((self._command(p, choice, word) for word in words), default=-1.0)
        return PASS_WORTH

    def _command(self, p: EnemyActionPosition, card: int, word: str) -> float:
        facts, ground = self.facts, self._ground(p)
        if word in allied_cards.DEPLOYMENTS:
            units = allied_cards.reserve_units(facts, p, card, word)
            strengths = sorted((facts.strengths[unit][p.steps[unit]] for unit in units), reverse=True)
            return RESERVES * sum(strengths[: 1 if word == "deploy_one_of_corps" else None])
        if word == "activate_one_unit":
            units = allied_cards.single_units(facts, p)
            return max((ground.worth_of([unit], attack=False) for unit in units), default=0.0)
        if word in allied_cards.ACTIVATIONS:
            groups = allied_cards.formations_of(facts, p, card, word)
            return max((ground.worth_of(units) for units in groups.values()), default=0.0)
        if word == "replacements":
            return self._refit(p, card)
        if word == "engineers":
            return self._engineers(p)
        return {"airpower": 1.0, "raise_the_alarm": 0.8}.get(word, 0.0)

    def _refit(self, p: EnemyActionPosition, card: int) -> float:
        facts = self.facts
        row = facts.allied[card]
        most = next(one.points for one in row.commands if one.do == "replacements")
        reduced = [u for u in facts.corps_units[row.corps] if p.where[u] >= 0 and p.steps[u] < facts.full[u]]
        return fights.STEP * min(most, len(reduced))

    def _engineers(self, p: EnemyActionPosition) -> float:
        facts, pressure = self.facts, self._ground(p).pressure
        bridges = allied_events.bridge_sites(facts, p, allied_events.BLOW)
        best = max((pressure.across(*facts.river_sides[side]) for side in bridges), default=0.0)
        blocks = sorted(pressure.through(hex_) for hex_ in members(allied_events.roadblock_hexes(facts, p)))
        return max(best, sum(blocks[-2:]))

    def _formation(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if choice == allied_cards.BACK:
            return -5.0
        facts = self.facts
        units = facts.corps_units.get(str(choice)) or next(
            (units for groups in facts.allied.formations for name, units in groups if name == choice), []
        )
        return self._ground(p).worth_of([unit for unit in units if p.where[unit] >= 0])

    def _one_unit(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return self._ground(p).worth_of([choice], attack=False) if isinstance(choice, int) else -5.0

    def _give_up(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """The least valuable card, or the 82nd rather than the 101st."""
        card = self.facts.allied.of.get(str(choice))
        return -float(self.facts.allied[card].cv) if card is not None else float(choice == "82")

    # ------------------------------------------------------------------ places

    def _depot(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return -float(self.facts.east[int(choice)])

    def _move(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """Who gains most by a move, and where to; whoever had better attack from where he is stays."""
        ground = self._ground(p)
        if decision.kind is Kind.UNIT:
            return self._gain_by_move(ground, choice) if isinstance(choice, int) else 0.0
        if choice == CANCEL:
            return -50.0
        unit, hex_ = _mover(decision), int(choice)
        planned = ground.assault_with(unit) if p.may_attack else None
        if planned is not None:
            return AS_PLANNED if planned.places[unit] == hex_ else 0.0
        return ground.score(hex_, unit) - (90.0 if ground.full(hex_, unit) else 0.0)

    def _gain_by_move(self, ground: Ground, unit: int) -> float:
        p = ground.p
        planned = ground.assault_with(unit) if p.may_attack else None
        if planned is not None:
            return AS_PLANNED if planned.places[unit] != p.where[unit] else -1.0
        return ground.gain(unit) - LEAST_GAIN

    def _deploy(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if decision.kind is Kind.UNIT:
            return 1.0 + self.facts.strengths[choice][p.steps[choice]] if isinstance(choice, int) else 0.0
        return self._ground(p).score(int(choice), _mover(decision))

    def _weakest(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return -float(self.facts.strengths[int(choice)][p.steps[int(choice)]])

    def _roadblock(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return self._ground(p).pressure.through(choice) if isinstance(choice, int) else 0.0

    def _dig(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return float(isinstance(choice, int))

    def _task(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """Blow the bridge over which most comes, or bar the roads; the rest can wait."""
        facts, pressure = self.facts, self._ground(p).pressure
        if choice == allied_events.BLOW:
            sides = allied_events.bridge_sites(facts, p, allied_events.BLOW)
            return max(pressure.across(*facts.river_sides[side]) for side in sides)
        if choice == allied_events.ROADBLOCKS:
            hexes = members(allied_events.roadblock_hexes(facts, p))
            return sum(sorted(pressure.through(hex_) for hex_ in hexes)[-2:])
        return -1.0

    def _bridge(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """The bridge that most of what threatens runs over, then the one the Germans are nearest to."""
        hexes = self.facts.board.side_hexes(int(choice))
        ground = self._ground(p)
        return ground.pressure.across(*hexes) - 0.01 * min(ground.to_germans(hex_) for hex_ in hexes)

    def _fly(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        s = Situation(self.facts, p)
        return float(sum(s.strength(unit) for unit in s.stack(int(choice))))

    def _replace(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if not isinstance(choice, int):
            return 0.0
        gained = self.facts.strengths[choice][p.steps[choice] + 1] - self.facts.strengths[choice][p.steps[choice]]
        return 1.0 + gained

    # ------------------------------------------------------------------ combat

    def _target(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if not isinstance(choice, int):
            return 0.0
        ground = self._ground(p)
        return ground.attack(choice, set(able_to_attack(ground.s, choice))) - LEAST_ATTACK

    def _join(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """Everybody who can; then go."""
        if isinstance(choice, int):
            return 1.0
        return {ATTACK: 0.5, DONE: 0.0}.get(choice, -1.0)

    def _spare(self, p: EnemyActionPosition) -> float:
        """What a card is worth if it is kept for a command."""
        cards = p.hand.bit_count() + p.allied_pile.bit_count()
        return PLENTY if cards > 1 + p.pile.bit_count() / CARDS_A_GERMAN_IMPULSE else SCARCE

    def _tactic(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """A card if it betters the fight by more than it would do as a command."""
        if choice == allied_tactics.BONUS:
            return 5.0
        if not isinstance(choice, int):
            return 0.0
        if decision.kind is not Kind.CARD:
            return 1.0
        s, battle = Situation(self.facts, p), the_battle(p)
        names = allied_tactics.choices_of(s, battle, choice)
        return max(self._by_tactic(s, battle, name) for name in names) - self._spare(p)

    def _by_tactic(self, s: Situation, battle: Battle, name: str) -> float:
        if name == "reinforce_battle" and battle.side == GERMAN:
            return 0.5 * fights.worth_of_hex(self.facts, s.p, battle.target)
        return fights.gain_by_tactic(s, battle, name)

    def _name_tactic(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return self._by_tactic(Situation(self.facts, p), the_battle(p), str(choice))

    def _draw_on(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return fights.worth_of_attack(Situation(self.facts, p), the_battle(p), int(choice))

    def _loss(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """Hold what is worth its price in steps; elsewhere fall back; disperse rather than bleed."""
        battle = the_battle(p)
        if choice == allied_losses.RETREAT:
            units = members(battle.defenders)
            steps = sum(p.steps[unit] for unit in units)
            here = p.where[units[0]]
            hold = fights.worth_of_hex(self.facts, p, here) if here == battle.target else 0.0
            price = fights.STEP + (fights.UNIT if min(p.steps[unit] for unit in units) == 1 else 0.0)
            price -= fights.DISORDER * len(units) if battle.retreat else 0.0
            price *= fights.dear(self.facts, p)
            return 9.0 if battle.defender_hits >= steps else 5.0 * (price * battle.defender_hits - hold)
        if choice == allied_losses.DISPERSE:
            return 4.0 if battle.attacker_hits > 1 else 0.0
        return 0.1 * p.steps[int(choice)] if p.steps[int(choice)] > 1 else 0.0

    def _retreat(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if decision.kind is Kind.UNIT:
            return float(p.steps[int(choice)])
        battle = the_battle(p)
        unit = members(battle.defenders)[0]
        ground = self._ground(p)
        return ground.score(int(choice), unit) + 0.02 * ground.to_germans(int(choice))

    def _advance(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """Into what is worth holding, or where a unit stands better than it did."""
        if not isinstance(choice, int):
            return 0.0
        ground, target = self._ground(p), the_battle(p).target
        return ground.score(target, choice) - ground.score(p.where[choice], choice) - LEAST_GAIN

    def _second_hex(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return float(self.facts.vp.get(choice, 0)) - 0.5 if isinstance(choice, int) else 0.0


def _mover(decision: Decision) -> int:
    """The unit that a question of places is about."""
    about = decision.about
    if isinstance(about, GoalQuestion):
        return about.moves.unit
    assert isinstance(about, EntryQuestion)
    return about.unit


def make(game: Game[Any]) -> EnemyActionKnowledge:
    assert isinstance(game, EnemyAction)
    return EnemyActionKnowledge(game)
