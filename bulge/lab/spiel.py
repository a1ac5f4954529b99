"""Every game for OpenSpiel, with each die and each draw as a chance node of its own.

    game = bulge.lab.spiel.load("ford")
    state = game.new_initial_state()

A state never changes what it was made from: it keeps a match and goes on with a copy of it, so clones cost
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from bulge.core.decision import Choice, Decision
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.games import load_game
from bulge.lab.actions import Actions
from bulge.lab.extras import needed
from bulge.lab.planes import Planes
from bulge.lab.rewards import reward_of

pyspiel = needed("pyspiel", "rl", "the OpenSpiel adapter")

MOST_OUTCOMES = 128
"""No die has more sides than this, and no cup more lots."""


def load(game: str, scenario: str | None = None) -> Any:
    """A game as OpenSpiel knows it, by the name `bulge_the_bulge`, `bulge_ford`, ..."""
    kind = _registered(game)
    chosen = _parts(game).game.scenario(scenario).id if scenario else ""
    return pyspiel.load_game(kind, {"scenario": chosen})


@dataclass(frozen=True)
class _Parts:
    """What all states of a game share."""

    game: Game[Any]
    actions: Actions
    planes: Planes


@cache
def _parts(game: str) -> _Parts:
    loaded = load_game(game)
    return _Parts(loaded, Actions(loaded), Planes(loaded))


# ---------------------------------------------------------------------- chance


class Unrolled(Exception):
    """The game wants a number that chance has not given yet."""

    def __init__(self, count: int, size: int) -> None:
        super().__init__(f"number {count} is not known yet")
        self.count, self.size = count, size


class Told:
    """Chance that has been told its numbers one by one."""

    def __init__(self, numbers: Mapping[int, int]) -> None:
        self._numbers = numbers

    def raw(self, count: int, size: int) -> int:
        try:
            return self._numbers[count]
        except KeyError:
            raise Unrolled(count, size) from None

    def with_number(self, count: int, value: int) -> Told:
        return Told({**self._numbers, count: value})


Trail = tuple["Trail", Choice | int] | None
"""All that was chosen and rolled so far, the last first: each node shares its predecessor's."""


@dataclass(frozen=True)
class Node:
    """A point of the game: a question, the end, or a number that chance must give before things go on."""

    parts: _Parts
    scenario: str
    chance: Told
    match: Match[Any] | None
    """As it stood before the choice that waits for chance, or as it stands; None before the first question."""
    trail: Trail
    choice: Choice | None = None
    awaited: Unrolled | None = None

    def __deepcopy__(self, memo: object) -> Node:
        return self  # nobody changes a node, so copies may share it

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the way here is enough, since a match is its choices and its dice."""
        steps, trail = [], self.trail
        while trail is not None:
            trail, step = trail
            steps.append(step)
        return _walked, (self.parts.game.id, self.scenario, steps[::-1])

    @classmethod
    def first(cls, parts: _Parts, scenario: str) -> Node:
        return cls(parts, scenario, Told({}), None, None)._go_on(Told({}))

    def choose(self, choice: Choice) -> Node:
        return replace(self, choice=choice, trail=(self.trail, choice))._go_on(self.chance)

    def roll(self, value: int) -> Node:
        assert self.awaited is not None
        chance = self.chance.with_number(self.awaited.count, value)
        return replace(self, trail=(self.trail, value))._go_on(chance)

    def _go_on(self, chance: Told) -> Node:
        """Make the choice that is waiting, or begin the match; perhaps chance must be asked first."""
        try:
            match = self._advanced(chance)
        except Unrolled as awaited:
            return replace(self, chance=chance, awaited=awaited)
        return replace(self, chance=chance, match=match, choice=None, awaited=None)

    def _advanced(self, chance: Told) -> Match[Any]:
        if self.match is None or self.choice is None:
            return Match(self.parts.game, self.scenario, chance=chance, keep_log=False)
        twin = self.match.copy(chance)
        twin.choose(self.choice)
        return twin

    @property
    def decision(self) -> Decision | None:
        return self.match.decision if self.match is not None and self.awaited is None else None

    @property
    def over(self) -> bool:
        return self.awaited is None and self.match is not None and self.match.result is not None


def _walked(game: str, scenario: str, steps: list[Any]) -> Node:
    """The node at the end of a way."""
    node = Node.first(_parts(game), scenario)
    for step in steps:
        node = node.roll(step) if node.awaited is not None else node.choose(step)
    return node


# ---------------------------------------------------------------------- for OpenSpiel


class BulgeState(pyspiel.State):  # type: ignore[misc, name-defined]
    def __init__(self, game: BulgeSpiel) -> None:
        super().__init__(game)
        self.node = Node.first(game.parts, game.scenario)
        self.players = game.players

    def current_player(self) -> Any:
        if self.node.over:
            return pyspiel.PlayerId.TERMINAL
        decision = self.node.decision
        return pyspiel.PlayerId.CHANCE if decision is None else self.players.index(decision.side)

    def _legal_actions(self, player: int) -> list[int]:
        decision = self.node.decision
        assert decision is not None
        return list(self.node.parts.actions.offered(decision))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self.node.awaited is not None
        size = self.node.awaited.size
        return [(value, 1 / size) for value in range(size)]

    def _apply_action(self, action: int) -> None:
        decision = self.node.decision
        if decision is None:
            self.node = self.node.roll(action)
        else:
            self.node = self.node.choose(self.node.parts.actions.offered(decision)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        decision = self.node.decision
        if player == pyspiel.PlayerId.CHANCE or decision is None:
            return f"chance gives {action + 1}"
        choice = self.node.parts.actions.offered(decision)[action]
        return self.node.parts.game.id_of(decision, choice)

    def is_terminal(self) -> bool:
        return self.node.over

    def returns(self) -> list[float]:
        if not self.node.over or self.node.match is None or self.node.match.result is None:
            return [0.0] * len(self.players)
        winner = self.node.match.result.winner
        return [reward_of(self.node.parts.game, winner, player) for player in self.players]

    def __str__(self) -> str:
        match = self.node.match
        if match is None:
            return "before the first question"
        if self.node.awaited is not None:
            return f"{match.decision!r}, {self.node.choice!r} waits for chance"
        return repr(match.decision) if match.decision else str(match.result)


class BulgeObserver:
    """What one player sees: the planes, the numbers beside them, and nothing that is hidden from it."""

    def __init__(self, parts: _Parts) -> None:
        planes, numbers = int(np.prod(parts.planes.shape)), len(parts.planes.numbers)
        self._parts = parts
        self.tensor = np.zeros(planes + numbers, np.float32)
        self.dict = {"planes": self.tensor[:planes].reshape(parts.planes.shape), "context": self.tensor[planes:]}

    def set_from(self, state: BulgeState, player: int) -> None:
        self.tensor.fill(0)
        if (match := state.node.match) is not None:
            side = state.players[player]
            self.dict["planes"][:] = self._parts.planes.planes(match, side)
            self.dict["context"][:] = self._parts.planes.context(match, side)

    def string_from(self, state: BulgeState, player: int) -> str:
        match = state.node.match
        if match is None:
            return ""
        return json.dumps(self._parts.game.view(match.position, state.players[player]), sort_keys=True)


class BulgeSpiel(pyspiel.Game):  # type: ignore[misc, name-defined]
    """The game to OpenSpiel. A subclass for each game says which."""

    parts: _Parts
    kind: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.scenario = given.get("scenario") or next(iter(self.parts.game.scenarios))
        self.players = self.parts.game.players_in(self.scenario)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.parts.actions.count,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=len(self.players),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if len(self.players) == 2 else None,
            max_game_length=2 * self.parts.game.most_choices,
        )
        super().__init__(self.kind, info, given)

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (self.parts.game.id, self.scenario)

    def new_initial_state(self) -> BulgeState:
        return BulgeState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BulgeObserver:
        return BulgeObserver(self.parts)


@cache
def _registered(game: str) -> str:
    """Make a game known to OpenSpiel, once."""
    parts = _parts(game)
    counts = [len(parts.game.players_in(scenario)) for scenario in parts.game.scenarios]
    zero_sum = set(counts) == {2}
    kind = pyspiel.GameType(
        short_name=f"bulge_{game}",
        long_name=parts.game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(counts),
        min_num_players=min(counts),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"scenario": ""},
    )
    made = type(f"BulgeSpiel_{game}", (BulgeSpiel,), {"parts": parts, "kind": kind})
    pyspiel.register_game(kind, made)
    return f"bulge_{game}"
