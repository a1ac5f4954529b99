"""No player sees dice to come or what is hidden from its side."""

from __future__ import annotations

import gc
import math
import pickle
import random
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from bulge.core.chance import Chance, Keyed, seed_of
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import CommandKnowledge, knowledge_of
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.player import Player
from bulge.players.side_by_side import Company, OutOfTime

HASTY = Effort(evaluations=20, plans=2, replies=1, breadth=3, seconds=math.inf)
"""By counts alone: a helper on a busy machine takes no task for which there is no time left."""
SOME_POINTS = 12
FEW_POINTS = 4
"""Of games in which a player's one command is played on against all that the rules may do."""


KINDS = ["greedy", "planner", "planner in company"]


class Watched(Company):
    """All letters that went to helpers, who do all the work."""

    def __init__(self) -> None:
        super().__init__(lambda: 2)
        self._worth_it = True
        self.letters: list[bytes] = []

    def _work(self, agenda: Any, ready: Any, out_of_time: OutOfTime) -> None:
        self.letters.append(pickle.dumps((agenda.matter, agenda.tasks)))
        with self._changed:
            assert self._changed.wait_for(lambda: not agenda.left, 120), "no helper takes what there is to do"
        super()._work(agenda, ready, out_of_time)


@pytest.fixture(scope="module")
def company() -> Iterator[Watched]:
    found = Watched()
    yield found
    found.close()


def player(kind: str, seed: str, company: Company) -> Player:
    rng = random.Random(seed)
    if kind == "greedy":
        return GreedyPlayer(rng)
    planner = PlannerPlayer(rng, HASTY)
    if kind == "planner in company":
        planner.think_with(company)
    return planner


@cache
def some_moments(id_: str, every: int) -> list[Match[Any]]:
    """Top-level questions from all over a match of greedy players."""
    game: Game[Any] = load_game(id_)
    match = Match(game, seed=seed_of("moments"), keep_log=False)
    players = {side: GreedyPlayer(random.Random(side)) for side in game.players}
    found: list[Match[Any]] = []
    most = FEW_POINTS if isinstance(knowledge_of(game), CommandKnowledge) else SOME_POINTS
    while (decision := match.decision) is not None and len(found) < most:
        if decision.top and len(match.ids) % every == 0 and len(decision.options) > 1:
            found.append(Match.at(game, match.position.copy(), Keyed(seed_of("any")), keep_log=False))
        match.choose(players[decision.side].choose(match))
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("id_", "every"), [("ford", 1), ("the_bulge", 12), ("ardennes_offensive", 60), ("enemy_action", 1)]
)
def test_other_dice_and_other_secrets_never_change_a_choice(
    company: Watched, kind: str, id_: str, every: int
) -> None:
    game = load_game(id_)
    moments = some_moments(id_, every)
    assert len(moments) > 3
    for moment in moments:
        side = moment.asked().side
        choices = set()
        for deal in range(3):
            position = moment.position.copy()
            game.deal_anew(position, side, random.Random(deal))
            assert game.view(position, side) == game.view(moment.position, side)
            match = Match.at(game, position, Keyed(seed_of(f"dice {deal}")), keep_log=False)
            choices.add(player(kind, "same", company).choose(match))
        assert len(choices) == 1


class Untouchable:
    """Dice of which those to come may not even be looked at."""

    def __init__(self, chance: Chance, match: Match[Any]) -> None:
        self._chance, self._match = chance, match

    def raw(self, count: int, size: int) -> int:
        assert count < self._match.position.drawn, "a player has looked at a die that is still to come"
        return self._chance.raw(count, size)


@pytest.mark.parametrize("kind", KINDS)
def test_dice_to_come_are_not_even_looked_at(company: Watched, kind: str) -> None:
    match = Match(load_game("ford"), seed=seed_of("1"))
    players = {side: player(kind, side, company) for side in match.game.players}
    while match.decision is not None:
        true = match.table.chance
        match.table.chance = Untouchable(true, match)
        choice = players[match.decision.side].choose(match)
        match.table.chance = true
        match.choose(choice)


def reachable(root: object) -> list[object]:
    """Everything that can be got at from an object, but for modules, classes and functions."""
    seen, pending = {id(root): root}, [root]
    while pending:
        for part in gc.get_referents(pending.pop()):
            if id(part) not in seen and not isinstance(part, ModuleType | type) and not callable(part):
                seen[id(part)] = part
                pending.append(part)
    return list(seen.values())


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_player_keeps_holds_neither_the_seed_nor_the_match(company: Watched, kind: str) -> None:
    seed = seed_of("secret")
    match = Match(load_game("ford"), seed=seed)
    players = {side: player(kind, side, company) for side in match.game.players}
    for _ in range(12):
        choice = players[match.asked().side].choose(match)
        for one in players.values():
            kept = reachable(one)
            assert match not in kept
            assert seed not in [part for part in kept if isinstance(part, str)]
            assert bytes.fromhex(seed) not in [part for part in kept if isinstance(part, bytes)]
        match.choose(choice)


def test_what_goes_to_helpers_holds_neither_the_seed_nor_secrets() -> None:
    """The deals of a copy are not the true ones, and neither are its dice."""
    seed, told = seed_of("secret"), Watched()
    match = Match(load_game("ford"), seed=seed)
    players = {side: player("planner in company", side, told) for side in match.game.players}
    for _ in range(12):
        match.choose(players[match.asked().side].choose(match))
    told.close()
    assert told.letters
    assert not any(seed.encode() in letter or bytes.fromhex(seed) in letter for letter in told.letters)
