"""What a newcomer meets first: `import bulge`, and the example in the README."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import bulge
from bulge.core.chance import seed_of
from bulge.core.errors import BulgeError
from bulge.games import GAMES
from tests.helpers import SEED, complaint

README = Path(__file__).parent.parent / "README.md"


def test_the_example_in_the_readme_does_what_it_says() -> None:
    failures, tried = doctest.testfile(str(README), module_relative=False)
    assert tried >= 7
    assert failures == 0


def test_any_text_is_a_seed_as_in_the_terminal() -> None:
    assert bulge.match("ford", seed="tonight").seed == seed_of("tonight")
    assert bulge.match("ford", seed=SEED.upper()).seed == SEED


def test_a_match_follows_from_its_seed() -> None:
    one, same, other = (bulge.match("ford", seed=seed) for seed in (7, 7, 8))
    assert one.seed == same.seed != other.seed
    assert one.position == same.position
    assert bulge.match("ford", "cards", {"breakthrough": "yes"}).start.scenario == "cards"
    assert bulge.match("ford").seed != bulge.match("ford").seed


def test_the_largest_number_is_a_seed() -> None:
    assert bulge.match("ford", seed=2**128 - 1).seed == "f" * 32


def test_every_game_can_be_begun_by_its_name() -> None:
    for name in GAMES:
        assert bulge.match(name, seed=1).game.id == name


@pytest.mark.parametrize(
    ("game", "seed", "said"),
    [
        ("chess", 1, "there are: the_bulge"),
        ("ford", -1, "from 0 up, below 2 to the power of 128, not -1"),
        ("ford", 2**128, "from 0 up, below 2 to the power of 128, not 3402"),
    ],
)
def test_what_cannot_be_begun_is_refused_in_words(game: str, seed: int, said: str) -> None:
    with pytest.raises(BulgeError) as raised:
        bulge.match(game, seed=seed)
    assert said in complaint(raised)
