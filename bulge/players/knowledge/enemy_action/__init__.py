"""What players know of Enemy Action: rules of thumb for every question that its Allied player is asked.

The rules play the Germans, so there is nobody to outguess: hold the towns and the roads ahead of them, bring
reserves on as soon as they are there, dig in, and strike back only where the odds are good.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from bulge.core.decision import DONE, Choice, Decision, Kind
from bulge.core.game import Game
from bulge.core.spaces import members
from bulge.games.enemy_action import allied_cards, allied_events, allied_losses, allied_tactics
from bulge.games.enemy_action.allied_activation import ATTACK, CANCEL, able_to_attack
from bulge.games.enemy_action.days import NO_STRIKE
from bulge.games.enemy_action.facts import ALLIED, mask
from bulge.games.enemy_action.game import EnemyAction
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import attack_strength, defence_strength, defending
from bulge.games.enemy_action.victory import points
from bulge.players.knowledge.enemy_action.ground import Ground

ODDS_TO_ATTACK = 2.5
ODDS_TO_DRAW_ON = 1.5
LEAST_GAIN = 0.4
"""A move must better a unit's place by this much."""
INTERDICT_WORTH = 2.0


class EnemyActionKnowledge:
    at_once: ClassVar[tuple[str, ...]] = ()

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
        """Few German points, Allied steps left, German steps gone."""
        facts = self.facts
        allied = sum(p.steps[unit] for unit in facts.allied_units if p.where[unit] >= 0)
        german = sum(p.steps[unit] for unit in facts.german_units if p.where[unit] >= 0)
        return 0.3 * allied - 0.2 * german - 2.0 * points(facts, p).total

    def _ground(self, p: EnemyActionPosition) -> Ground:
        """The ground as things stand; kept, since every option of a question asks for it."""
        key = (
            tuple(p.where),
            p.moved,
            p.active,
            p.step,
            p.turn,
            p.german_towns,
            p.detachments,
            p.roadblocks,
            p.blown,
        )
        if self._kept is None or self._kept[0] != key:
            self._kept = key, Ground(self.facts, p.copy())
        return self._kept[1]

    # ------------------------------------------------------------------ cards

    def _play(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """The card with the most useful command; then that command; Airpower early in a day interdicts."""
        if NO_STRIKE in decision.options:
            return INTERDICT_WORTH if isinstance(choice, int) else 0.0
        if isinstance(choice, int):
            words = allied_cards.commands_of(self.facts, p, choice)
            return max((self._command(p, choice, word) for word in words), default=-1.0)
        if choice == allied_cards.PASS:
            return 0.3
        if choice == allied_cards.BACK:
            return -5.0
        title = decision.prompt.partition(":")[0]
        card = next(card for card in members(p.hand) if self.facts.allied[card].title == title)
        return self._command(p, card, str(choice))

    def _command(self, p: EnemyActionPosition, card: int, word: str) -> float:
        facts, ground = self.facts, self._ground(p)
        if word in allied_cards.DEPLOYMENTS:
            count = len(allied_cards.reserve_units(facts, p, card, word))
            return 2.5 * (1 if word == "deploy_one_of_corps" else count)
        if word == "activate_one_unit":
            return max((ground.gain(unit) for unit in allied_cards.single_units(facts, p)), default=0.0) - 0.5
        if word in allied_cards.ACTIVATIONS:
            groups = allied_cards.formations_of(facts, p, card, word)
            return max((ground.worth_of(units) for units in groups.values()), default=0.0)
        if word == "replacements":
            return 1.5
        return {"engineers": 0.8, "airpower": 1.2, "raise_the_alarm": 1.0}.get(word, 0.0)

    def _formation(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if choice == allied_cards.BACK:
            return -5.0
        facts = self.facts
        units = facts.corps_units.get(str(choice)) or next(
            (units for groups in facts.allied.formations for name, units in groups if name == choice), []
        )
        return self._ground(p).worth_of([unit for unit in units if p.where[unit] >= 0])

    def _one_unit(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return self._ground(p).gain(choice) if isinstance(choice, int) else -5.0

    def _give_up(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """The least valuable card, or the 82nd rather than the 101st."""
        card = self.facts.allied.of.get(str(choice))
        return -float(self.facts.allied[card].cv) if card is not None else float(choice == "82")

    # ------------------------------------------------------------------ places

    def _depot(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return -float(self.facts.east[int(choice)])

    def _move(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """Who gains most by a move, and where to."""
        ground = self._ground(p)
        if decision.kind is Kind.UNIT:
            return ground.gain(choice) - LEAST_GAIN if isinstance(choice, int) else 0.0
        if choice == CANCEL:
            return -50.0
        return ground.score(int(choice), self._mover(decision))

    def _mover(self, decision: Decision) -> int:
        name = decision.prompt.removeprefix("Where does ").removesuffix(" go?").removesuffix(" come on?")
        return next(unit for unit in self.facts.allied_units if self.facts.name_of(unit) == name)

    def _deploy(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if decision.kind is Kind.UNIT:
            return 1.0 + self.facts.strengths[choice][p.steps[choice]] if isinstance(choice, int) else 0.0
        return self._ground(p).score(int(choice), self._mover(decision))

    def _roadblock(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return self._ground(p).blocks(choice) if isinstance(choice, int) else 0.0

    def _dig(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return float(isinstance(choice, int))

    def _task(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        order = (allied_events.BUILD, allied_events.REPAIR, allied_events.ROADBLOCKS, allied_events.BLOW)
        return float(order.index(str(choice)))

    def _bridge(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """The bridge that the Germans are nearest to."""
        hexes = self.facts.board.side_hexes(int(choice))
        return -float(min(self._ground(p).to_germans(hex_) for hex_ in hexes))

    def _fly(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        s = Situation(self.facts, p)
        return float(sum(s.strength(unit) for unit in s.stack(int(choice))))

    def _replace(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if not isinstance(choice, int):
            return 0.0
        gained = self.facts.strengths[choice][p.steps[choice] + 1] - self.facts.strengths[choice][p.steps[choice]]
        return 1.0 + gained

    # ------------------------------------------------------------------ combat

    def _odds(self, p: EnemyActionPosition, target: int, units: list[int]) -> float:
        s = Situation(self.facts, p)
        return attack_strength(s, units, target) / max(1, defence_strength(s, defending(s, target), target))

    def _target(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if not isinstance(choice, int):
            return 0.0
        s = Situation(self.facts, p)
        odds = self._odds(p, choice, able_to_attack(s, choice))
        return odds - ODDS_TO_ATTACK + 0.3 * self.facts.vp.get(choice, 0)

    def _join(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """Everybody who can; then go."""
        if isinstance(choice, int):
            return 1.0
        return {ATTACK: 0.5, DONE: 0.0}.get(choice, -1.0)

    def _tactic(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """A card for a fight that matters, as long as the hand is not short."""
        if choice == allied_tactics.BONUS:
            return 5.0
        if not isinstance(choice, int):
            return 0.0
        if decision.kind is not Kind.CARD:
            return 1.0
        battle = p.battle
        assert battle is not None
        used = len(battle.attack_tactics if battle.side == ALLIED else battle.defence_tactics)
        matters = 1.0 if self.facts.vp.get(battle.target, 0) else 0.4
        spare = p.hand.bit_count() + p.allied_pile.bit_count() - 3
        return matters + 0.1 * spare - used - 0.3 * self.facts.allied[choice].cv

    def _name_tactic(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        order = ("screen", "engineers_tactic", "reinforce_battle", "assault_coordination", "tank_battalion")
        better = (*order, "artillery", "airpower_tactic")
        return float(better.index(str(choice))) if choice in better else 0.0

    def _draw_on(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        battle = p.battle
        assert battle is not None
        odds = self._odds(p, battle.target, members(battle.attackers))
        return float(int(choice)) if odds >= ODDS_TO_DRAW_ON else -float(int(choice))

    def _loss(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        """Hold what is worth points with the fullest unit; elsewhere fall back; disperse rather than bleed."""
        battle = p.battle
        assert battle is not None
        if choice == allied_losses.RETREAT:
            steps = sum(p.steps[unit] for unit in members(battle.defenders))
            in_town = bool(self.facts.towns >> battle.target & 1)
            return 5.0 if battle.defender_hits >= steps or not in_town else 0.5
        if choice == allied_losses.DISPERSE:
            return 4.0 if battle.attacker_hits > 1 else 0.0
        return float(p.steps[int(choice)]) if p.steps[int(choice)] > 1 else 0.2

    def _retreat(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        if decision.kind is Kind.UNIT:
            return float(p.steps[int(choice)])
        ground = self._ground(p)
        return ground.cover(int(choice)) + 0.3 * ground.to_germans(int(choice))

    def _advance(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        battle = p.battle
        assert battle is not None
        if not isinstance(choice, int):
            return 0.0
        crowd = mask([choice])
        worth = self.facts.vp.get(battle.target, 0) + bool(self.facts.towns >> battle.target & 1)
        return worth - 0.5 if battle.attackers & crowd else -1.0

    def _second_hex(self, p: EnemyActionPosition, decision: Decision, choice: Choice) -> float:
        return float(self.facts.vp.get(choice, 0)) - 0.5 if isinstance(choice, int) else 0.0


def make(game: Game[Any]) -> EnemyActionKnowledge:
    assert isinstance(game, EnemyAction)
    return EnemyActionKnowledge(game)
