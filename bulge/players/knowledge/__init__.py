"""What players know about each game: a small evaluation, and what its questions are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from bulge.core.decision import Choice, Decision
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match


class Fields(Protocol):
    """How good it is for a unit to stand somewhere, as things are at the start of a phase."""

    def score(self, unit: int, hex_: int, manner: str) -> float:
        """The worth of ending there in this manner (most games know only one: an empty word), given where others
        have been sent so far."""

    def send(self, unit: int, hex_: int) -> None:
        """A unit has been sent there: what others find there changes."""

    def reason(self, unit: int, hex_: int) -> str:
        """In a few words, why a unit goes there."""


class Knowledge(Protocol):
    """All that a player must be told about any game. Positions are those of copies made for the player."""

    at_once: ClassVar[tuple[str, ...]]
    """Words that are always worth saying when they are offered (one that wins, one that costs nothing)."""

    def value(self, p: Any, side: str) -> float:
        """The position for this side, in points of strength, as it stands in its step of the sequence of play."""

    def features(self, p: Any) -> dict[str, float]:
        """What both sides can see of that value, in named terms, for the first side that people play."""

    def prior(self, p: Any, decision: Decision, choice: Choice) -> float | None:
        """The worth of a choice where rules of thumb know better than looking one move ahead; or None."""


class Spread(NamedTuple):
    """How a planner's effort is spread where units or phases are many, as multiples of what its level gives."""

    evaluations: float = 1.0
    plans: float = 1.0
    replies: float = 1.0
    breadth: float = 1.0
    at_a_glance: float = 1.0
    """Of the evaluations, what is left to lower levels: where a hundred find what thousands do, levels would be
    one."""


@runtime_checkable
class ArmyKnowledge(Knowledge, Protocol):
    """What a player must be told besides where armies march and attack hexes."""

    move_rule: ClassVar[str]
    """The rule of the top-level question which unit moves."""
    attack_rules: ClassVar[tuple[str, ...]]
    """The rules of the top-level questions which hex is attacked, or attacked again."""
    launch: ClassVar[str]
    """The word that begins an attack once its units are named."""

    def spread(self, p: Any) -> Spread:
        """How a planner spreads its effort in a phase of this game."""

    def fields(self, p: Any, side: str) -> Fields:
        """What draws and repels the units of a side now."""

    def place(self, p: Any, unit: int, way: Sequence[Choice]) -> None:
        """Put a unit at the end of a way, with all that entering those hexes, and words on the way, change."""

    def room(self, p: Any, unit: int, hex_: int) -> bool:
        """Whether a unit may end its move there as far as stacking goes."""

    def ways_to_win(self, p: Any, unit: int) -> int:
        """The hexes from which a unit may win the game by its move, as a set."""

    def worth_passing(self, p: Any, unit: int) -> int:
        """The hexes that a unit had better pass on its way: they change hands when they are entered. As a set."""

    def enemies(self, p: Any, side: str) -> int:
        """The hexes where enemies of a side stand, as a set."""

    def where(self, p: Any, unit: int) -> int:
        """The hex of a unit; negative if it is not on the board."""

    def worth(self, p: Any, side: str, target: int, attackers: Sequence[int], result: str) -> float:
        """What a result of an attack would be worth to the attacker."""

    def words_of(self, hex_: int) -> str:
        """A hex as people call it."""


@runtime_checkable
class StayingKnowledge(Protocol):
    """What a player must be told where units that stay have something better to do than nothing."""

    def while_staying(self, p: Any, side: str, units: Sequence[int]) -> dict[int, str]:
        """The word that each of these units, which are to stay, had better say: to dig in, say."""


@runtime_checkable
class PurposefulFields(Fields, Protocol):
    """Fields that know what each unit is after."""

    def pursuit(self, p: Any) -> float:
        """What it counts, in points of strength, how near units have come to what they are after."""

    def pursue(self, objectives: Mapping[int, int]) -> None:
        """From now on each of these units is drawn to its objective."""

    def in_turn(self, ways: Mapping[int, Mapping[int, object]]) -> Sequence[int]:
        """In which order units are sent, by the hexes that each can go to."""

    def marching(self, units: Iterable[int]) -> frozenset[int]:
        """Which of these units are on their way to what they are after, and not to be held up by anything else."""


@runtime_checkable
class PurposefulKnowledge(Protocol):
    """What a player must be told where formations have objectives that are kept from turn to turn."""

    def objectives(self, p: Any, side: str) -> dict[int, float]:
        """The hexes that formations may go for, and the strength that each wants of those who are free."""

    def own_objectives(self, p: Any, side: str) -> dict[str, int]:
        """By formation those of them that it may go for, as a set; who is not named may go for any."""

    def free_units(self, p: Any, side: str) -> int:
        """The units that nothing holds where they are, as a set."""

    def formation(self, unit: int) -> str:
        """To which formation a unit belongs."""

    def strength(self, p: Any, unit: int) -> float:
        """What a unit counts for where strength is wanted."""

    def pace(self, unit: int) -> float:
        """How fast a unit marches, beside the fastest."""

    def where(self, p: Any, unit: int) -> int:
        """The hex of a unit; negative if it is not on the board."""

    def far_from(self, p: Any, objective: int) -> Mapping[int, int]:
        """How many hexes each hex is from an objective."""

    def fields(self, p: Any, side: str) -> PurposefulFields:
        """What draws and repels the units of a side now."""


@runtime_checkable
class CommandKnowledge(Knowledge, Protocol):
    """What a player must be told besides where it commands against an enemy whom the rules play."""

    command_rule: ClassVar[str]
    """The rule of the top-level question which command is given next."""
    tried_out: ClassVar[tuple[str, ...]]
    """The rules of the questions whose likely answers are worth being played on up to the next command."""


@runtime_checkable
class BoundedKnowledge(Protocol):
    """What can be said of chances where something is as good as decided that happens too seldom to be learned."""

    def bounds(self, features: Mapping[str, float]) -> tuple[float, float]:
        """Between what the chance of the first side lies, by the terms of the evaluation."""


Maker = Callable[[Game[Any]], Knowledge]


@cache
def known(game: str) -> bool:
    """Whether anybody has written down what players should know of a game: in a module of its name."""
    return find_spec(f"{__name__}.{game}") is not None


def knowledge_of(game: Game[Any]) -> Knowledge:
    """What players know of this game; refused if nobody has written it down yet."""
    return _known(game).knowledge


def armies_of(game: Game[Any]) -> ArmyKnowledge | None:
    """The same knowledge where armies march and attack; None in a game without them."""
    return _known(game).armies


class _Known(NamedTuple):
    game: Game[Any]
    knowledge: Knowledge
    armies: ArmyKnowledge | None


_OF_ARMIES = [name for name in (*ArmyKnowledge.__annotations__, *vars(ArmyKnowledge)) if not name.startswith("_")]
_MOST_KEPT = 4
_KEPT: dict[int, _Known] = {}
"""Facts about a game are worked out once for each game object."""


def _known(game: Game[Any]) -> _Known:
    if not known(game.id):
        raise BulgeError(f"the computer does not know how to play {game.title} yet; random can play every game")
    found = _KEPT.get(id(game))
    if found is None or found.game is not game:
        make: Maker = import_module(f"bulge.players.knowledge.{game.id}").make
        knowledge = make(game)
        armies = knowledge if isinstance(knowledge, ArmyKnowledge) else None
        lacking = [name for name in _OF_ARMIES if not hasattr(knowledge, name)]
        if armies is None and len(lacking) < len(_OF_ARMIES):
            raise BulgeError(
                f"what players know of {game.title} speaks of armies, but lacks: {', '.join(lacking)}"
            )
        found = _KEPT[id(game)] = _Known(game, knowledge, armies)
        while len(_KEPT) > _MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
    return found


def unit_question(match: Match[Any], knowledge: ArmyKnowledge) -> str:
    """What a decision is about: `move`, `attack`, or `other`."""
    decision = match.asked()
    if decision.top and decision.rule == knowledge.move_rule:
        return "move"
    if decision.top and decision.rule in knowledge.attack_rules:
        return "attack"
    return "other"
