"""What a run is: which game, who plays it, how often, from which seed. Two equal plans give equal results."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import bulge
from bulge.core.chance import seed_of
from bulge.core.data import Overrides
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.journal import Journal, journal_of
from bulge.core.match import Match
from bulge.core.options import check_options
from bulge.games import GAMES, load_game
from bulge.lab.record import Recorder, Row
from bulge.players.levels import player_for
from bulge.players.onward import onward

FORMAT, VERSION = "bulge run", 1
PARTS = 100
"""A run is kept in about so many parts: a kill loses less than a hundredth of it."""


AFTER_PLAY = ("players/weights", "players/strengths")
"""What was learned from games, and never changes how one is played."""


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that results follow from. It is kept with them, and nothing else may be run into the same folder."""

    game: str
    scenarios: tuple[str, ...]
    players: dict[str, str]
    """Who plays each side that people decide for."""
    games: int
    """Of each scenario."""
    seed: str = "1"
    journals: bool = False
    overrides: str = ""
    options: dict[str, str] = {}
    made_by: str = ""
    """A hash of the rules, the data and the players."""
    format: str = FORMAT
    version: int = VERSION

    @property
    def total(self) -> int:
        return self.games * len(self.scenarios)

    @property
    def part_size(self) -> int:
        return max(1, self.total // PARTS)

    def game_at(self, place: int) -> tuple[str, int]:
        """The scenario and the number in it of the game at a place in the whole run."""
        return self.scenarios[place // self.games], place % self.games

    def load(self) -> Game[Any]:
        overrides = Overrides(self.overrides, "the overrides of the run") if self.overrides else None
        return load_game(self.game, overrides)


def plan_of(
    game: Game[Any],
    players: Mapping[str, str],
    *,
    games: int,
    scenarios: tuple[str, ...] = (),
    seed: str = "1",
    options: Mapping[str, str] | None = None,
    journals: bool = False,
    overrides: str = "",
) -> Plan:
    """A plan, with every name in it checked before the first game is played."""
    chosen = scenarios or (next(iter(game.scenarios)),)
    for scenario in chosen:
        check_options(game.options, game.scenario(scenario).id, options or {})
    if len(set(chosen)) != len(chosen):
        raise BulgeError(f"a scenario is named twice: {', '.join(chosen)}")
    if games < 1:
        raise BulgeError(f"a run has at least one game, not {games}")
    for side, level in players.items():
        player_for(level, game, side, seed)
    if missing := [side for side in deciders(game, chosen) if side not in players]:
        raise BulgeError(f"nobody plays {', '.join(missing)}")
    agreed = dict(options or {})
    return Plan(game.id, chosen, dict(players), games, seed, journals, overrides, agreed, made_by(game.id))


def deciders(game: Game[Any], scenarios: Iterable[str]) -> tuple[str, ...]:
    """Whoever decides in some of these scenarios."""
    return tuple(dict.fromkeys(player for scenario in scenarios for player in game.players_in(scenario)))


def made_by(game: str) -> str:
    """A hash of everything that a result can depend on: the same plan with other rules is another run."""
    root = Path(bulge.__file__).parent
    hashed = hashlib.sha256()
    for path in files_behind(game):
        hashed.update(f"{path.relative_to(root).as_posix()}\n".encode())
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:16]


def files_behind(game: str) -> list[Path]:
    """The files that results follow from: a game's own, what it shares with others, the players, the measures."""
    root = Path(bulge.__file__).parent
    shared = [room for room in (root / "games").iterdir() if room.is_dir() and room.name not in GAMES]
    rooms = (root / "core", root / "games" / game, *shared, root / "players", root / "lab" / "measures")
    files = [
        path
        for room in rooms
        for path in room.rglob("*")
        if path.suffix in (".py", ".csv", ".json", ".toml")
        and not any(path.is_relative_to(root / folder) for folder in AFTER_PLAY)
    ]
    files += (root / "games").glob("*.py")
    return sorted([*files, root / "lab" / "ground.py", root / "lab" / "record.py", Path(__file__)])


class Played(NamedTuple):
    """One game of a run."""

    place: int
    """Where it stands in the whole run."""
    row: Row
    journal: Journal | None


class Laboratory:
    """Plays the games of one plan, one after the other, in one process."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._game = plan.load()
        self._recorder = Recorder(self._game)

    def play(self, place: int) -> Played:
        """The game at this place of the run: always the same one, whoever plays it and whatever came before."""
        plan = self.plan
        scenario, number = plan.game_at(place)
        label = f"{plan.seed}:{scenario}:{number}"
        began = time.perf_counter()
        try:
            match = self._play(label, scenario)
        except Exception as error:
            raise BulgeError(f"game {number} of {scenario} (seed {label}) failed: {error!r}") from error
        row = self._recorder.row(match, number)
        row.seconds = round(time.perf_counter() - began, 3)
        journal = journal_of(match, plan.overrides) if plan.journals else None
        return Played(place, row, journal)

    def _play(self, label: str, scenario: str) -> Match[Any]:
        game = self._game
        options = self.plan.options
        self._recorder.begin(scenario, options)
        match = Match(game, scenario, options, seed=seed_of(label))
        players = {
            side: onward(player_for(level, game, side, label, by_the_clock=False))
            for side, level in self.plan.players.items()
        }
        while match.decision is not None:
            match.choose(players[match.decision.side].choose(match))
            if len(match.ids) > game.most_choices:
                raise BulgeError(f"it does not end: {len(match.ids)} choices")
        return match
