"""Overrides by strangers: whatever they say, a game is refused in words or can be played."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from bulge.core.data import MOST_DOTS, MOST_LINES, MOST_TEXT, Overrides, ResultRow, Row
from bulge.core.errors import BadData, BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.games import GAMES, load_game
from tests.helpers import large_ones_slow

TRIED = 60
WILD: list[Any] = [
    0, 1, -1, 2, 10, 99, 10**6, 10**10, 2**63, -(2**63), 10**30, 1.5, float("inf"), float("nan"),
    "", "x", "9999", "0101", "C", "x" * 5000, [], [1], ["x"], ["x"] * 5000, {}, {"a": 1}, True, False,
]  # fmt: skip


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(key)} = {toml(part)}" for key, part in value.items() if part is not None)
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    return str(value) if isinstance(value, float) else json.dumps(value)


def override(game: Game[Any], rng: random.Random) -> str:
    """Change one field to something likely or to something wild."""
    name = rng.choice(list(game.data.tables))
    table = game.data.tables[name]
    row: Row = rng.choice(list(table))
    if isinstance(row, ResultRow):
        field = rng.choice(list(row.results))
        likely: list[Any] = [each.results[field] for each in table]
    else:
        field = rng.choice([each for each in row.__struct_fields__ if each not in ("id", "source")])
        likely = [getattr(each, field) for each in table]
        likely = [part for part in likely if part is not None] or [0]
        likely += [3 * part + 1 for part in likely if type(part) is int] + [-1, 0, 10]
    value = msgspec.to_builtins(rng.choice(likely if rng.random() < 0.5 else WILD))
    return f"[{game.id}.{name}.{json.dumps(row.id)}]\n{json.dumps(field)} = {toml(value)}\n"


@pytest.mark.parametrize("id_", large_ones_slow(GAMES))
def test_overrides_are_refused_or_can_be_played(id_: str) -> None:
    plain, rng = load_game(id_), random.Random(id_)
    played, refused = 0, []
    for number in range(TRIED):
        text = override(plain, rng)
        try:
            game = load_game(id_, Overrides(text))
            match: Match[Any] = Match(game, rng.choice(list(game.scenarios)), seed=f"{number:032x}")
            for _ in range(20):
                if match.decision is not None:
                    match.choose(rng.choice(match.decision.options))
            played += 1
        except BulgeError as error:
            refused.append(str(error))
    assert played
    assert refused
    assert not [words for words in refused if "\n" in words]


def test_a_first_position_that_the_rules_do_not_know_is_refused() -> None:
    """Two enemies in one hex are no position of the game, however well the file reads."""
    with pytest.raises(BadData, match=r"mine\.toml does not fit the game: both sides in one hex"):
        load_game("ford", Overrides('[ford.units.B1]\nhex = "0203"\n', "mine.toml"))


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("bastogne", "[bastogne.weather.good]\nsupply_dice = 10000000000", "supply_dice must be from 1 to 10"),
        ("bastogne", "[bastogne.events.fog_of_war]\nchits = 1000000000", "chits must be from 1 to 10"),
        ("bastogne", "[bastogne.numbers.patton_relief]\nvalue = -9999", "value must be from"),
        ("bastogne", "[bastogne.us_units.HQ-101]\ntype = 'ghost'", "type must be one of"),
        ("bastogne", "[bastogne.dice.fire_open]\nfaces = []", "faces must hold 1 to"),
        ("the_bulge", "[the_bulge.units.SSP]\nfactor = 99999", "factor must be from"),
        ("the_bulge", "[the_bulge.units.SSP]\nhex = '9999'", "9999"),
        ("the_bulge", "[the_bulge.units.FE]\nedge = ''", "FE comes on in play, and needs an edge"),
        ("the_bulge", "[the_bulge.units.SSP]\nname = '" + "x" * 201 + "'", "200"),
        ("enemy_action", "[enemy_action.allied_cards.A19]\ncorps = ''", "corps cannot be changed"),
        ("ardennes_44", "[ardennes_44.terrain.forest]\nfoot = 0", "entering forest must cost at least 1"),
        ("ardennes_offensive", "[ardennes_offensive.units.272VG]\nmovement = 100000", "movement must be from"),
    ],
)  # fmt: skip
def test_what_lies_beyond_its_range_is_named_with_what_is_allowed(game: str, text: str, words: str) -> None:
    with pytest.raises(BulgeError) as raised:
        load_game(game, Overrides(text))
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a." * 40_000 + "b = 1", "dots"),
        ("\n".join(f"ford.k{n} = 1" for n in range(MOST_LINES + 1)), "too long"),
        ("#" * (MOST_TEXT + 1), "too long"),
        ("a = " + "[" * 20_000, "not proper TOML"),
        ("a = " + "9" * 10_000, "not proper TOML"),
        ("." * (MOST_DOTS + 1), "dots"),
    ],
)
def test_a_file_beyond_its_budget_is_refused_unread(text: str, words: str) -> None:
    with pytest.raises(BulgeError) as raised:
        Overrides(text)
    assert words in str(raised.value)
    assert len(str(raised.value)) < 500
