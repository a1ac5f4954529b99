"""Players of another checkout: they play as they do here, and what is wrong with them is said in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from bulge.core.chance import seed_of
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players.arena import Pairing, play_bout
from bulge.players.elsewhere import ElsewherePlayer, contender_for
from bulge.players.levels import player_for
from tests.cli.conftest import Bulge

HERE = Path(__file__).parents[2]
"""This checkout: players elsewhere who are the same players."""


def checkout(folder: Path, *, levels: str = "", games: str = "") -> Path:
    """A folder that looks like a checkout: ours, with other players or other rules."""
    package = folder / "bulge"
    (package / "players").mkdir(parents=True)
    (package / "games").mkdir()
    ours = HERE / "bulge"
    (package / "__init__.py").write_text("")
    (package / "core").symlink_to(ours / "core")
    (package / "players" / "__init__.py").write_text("")
    (package / "players" / "levels.py").write_text(levels or STUBBORN)
    (package / "games" / "__init__.py").write_text(games or f"__path__ = [{str(ours / 'games')!r}]\n{LOADING}")
    return folder


LOADING = """
from bulge.games.ford import make
load_game = lambda name: make(None)
"""
STUBBORN = """
class Stubborn:
    def choose(self, match):
        return match.asked().options[0]
    def why(self):
        return "always the first"
def player_for(level, game, side, seed, by_the_clock=True):
    return Stubborn()
"""
DYING = STUBBORN.replace("return match.asked().options[0]", "raise MemoryError('no more')")
OTHERWISE = f"""
__path__ = [{str(HERE / "bulge" / "games")!r}]
from bulge.games.ford import make
def load_game(name):
    game = make(None)
    name_of = game.id_of
    game.id_of = lambda decision, choice: name_of(decision, choice) + "!"
    return game
"""


def test_a_player_elsewhere_plays_as_the_same_player_does_here() -> None:
    game, label = load_game("ford"), "elsewhere"
    names = dict.fromkeys(game.players, f"{HERE}:greedy")
    ids = []
    for chosen in (dict.fromkeys(game.players, "greedy"), names):
        players = {side: contender_for(name, game, side, label) for side, name in chosen.items()}
        match = Match(game, seed=seed_of(label))
        while match.decision is not None:
            match.choose(players[match.decision.side].choose(match))
        ids.append(match.ids)
    assert ids[0] == ids[1]


def test_its_seconds_are_those_of_its_own_process(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ElsewherePlayer._ask
    monkeypatch.setattr(ElsewherePlayer, "_ask", lambda *one, **more: asked(*one, **more) | {"seconds": 1000.0})
    bout = play_bout(load_game("ford"), Pairing((f"{HERE}:random", "random")), 0)
    assert bout.seconds[0] >= 1000 > bout.seconds[1]


def test_players_of_two_checkouts_meet(bulge: Bulge, tmp_path: Path) -> None:
    stubborn = f"{checkout(tmp_path / 'stubborn')}:any"
    outcome = bulge("match", "greedy", stubborn, "ford", "--games", "2", "--jobs", "1")
    assert outcome.code == 0, outcome.err
    assert outcome.lines[0].endswith(f"against {stubborn}.")
    ranked = bulge("ladder", "ford", stubborn, "greedy", "--most", "2", "--jobs", "1")
    assert ranked.code == 0, ranked.err
    assert any(line.startswith(f"{stubborn}: 0") for line in ranked.lines)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("nowhere:regular", "nowhere is no checkout with players"),
        (f"{HERE}:marshal", "there is no player 'marshal'"),
    ],
)
def test_mistakes_are_refused_before_the_first_game(bulge: Bulge, name: str, complaint: str) -> None:
    for words in (("match", "greedy", name, "ford"), ("ladder", "ford", "greedy", name)):
        outcome = bulge(*words)
        assert outcome.code == 2
        assert complaint in outcome.err


def test_overrides_are_refused_since_the_other_checkout_would_not_know_of_them(
    bulge: Bulge, tmp_path: Path
) -> None:
    overrides = tmp_path / "mine.toml"
    overrides.write_text("")
    outcome = bulge("--overrides", str(overrides), "match", "greedy", f"{HERE}:greedy", "ford")
    assert outcome.code == 2
    assert "leave out --overrides" in outcome.err


def test_a_process_that_dies_is_told_of(tmp_path: Path) -> None:
    game = load_game("ford")
    match = Match(game, seed=seed_of("1"))
    player = ElsewherePlayer(checkout(tmp_path, levels=DYING), "any", game, match.asked().side, "1")
    with pytest.raises(BulgeError, match="any has ended: MemoryError: no more"):
        player.choose(match)


def test_a_checkout_whose_rules_disagree_is_told_of(tmp_path: Path) -> None:
    game = load_game("ford")
    match = Match(game, seed=seed_of("1"))
    side = match.asked().side
    player = ElsewherePlayer(checkout(tmp_path, games=OTHERWISE), "any", game, side, "1")
    with pytest.raises(BulgeError, match="its rules disagree: it offers other answers to"):
        player.choose(match)
    later = ElsewherePlayer(checkout(tmp_path / "later", games=OTHERWISE), "any", game, side, "1")
    match.choose(player_for("random", game, side, "1").choose(match))
    while match.asked().side != side:
        match.choose(match.asked().options[0])
    with pytest.raises(BulgeError, match="its rules disagree: "):
        later.choose(match)
