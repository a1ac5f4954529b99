"""Dice and draws: the same for the same seed and count, even, scripted in tests, committed to by a hash."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b, sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.chance import Keyed, Rekeyed, Scripted, commitment, new_seed, seed_of
from bulge.core.errors import BadJournal, BulgeError
from bulge.core.match import Match
from tests.helpers import SEED, Toy, ToyPosition, complaint

SEEDS = st.binary(min_size=16, max_size=16).map(bytes.hex)


def test_known_numbers_never_change() -> None:
    """Every journal ever written depends on these."""
    chance = Keyed(SEED)
    assert [chance.raw(count, 6) + 1 for count in range(12)] == [4, 3, 4, 6, 6, 5, 5, 4, 6, 2, 1, 6]
    assert [chance.raw(count, 10) for count in range(12)] == [9, 8, 7, 1, 5, 0, 4, 1, 1, 9, 2, 1]
    assert commitment(SEED) == "43a8dfd4d7ab193756600e17b92cbfe0ae80e0bc4357e0f58921e2538e6c489d"
    assert seed_of("7") == "7902699be42c8a8e46fbbb4501726517"


@given(SEEDS, st.integers(0, 2**40), st.integers(1, 1000))
def test_a_number_depends_on_seed_and_count_alone(seed: str, count: int, size: int) -> None:
    digest = blake2b(count.to_bytes(8, "big"), key=bytes.fromhex(seed), digest_size=8).digest()
    assert Keyed(seed).raw(count, size) == int.from_bytes(digest, "big") % size
    assert commitment(seed) == sha256(b"bulge seed " + bytes.fromhex(seed)).hexdigest()


@pytest.mark.parametrize(("sides", "limit"), [(2, 10.8), (6, 20.5), (10, 27.9), (36, 66.6)])
def test_numbers_are_even(sides: int, limit: float) -> None:
    """Chi-square with sides - 1 degrees of freedom; each limit is passed by chance once in a thousand seeds."""
    rolls, chance = 30_000, Keyed(SEED)
    counts = Counter(chance.raw(count, sides) for count in range(rolls))
    expected = rolls / sides
    assert set(counts) == set(range(sides))
    assert sum((seen - expected) ** 2 / expected for seen in counts.values()) < limit


def test_one_number_says_nothing_about_the_next() -> None:
    chance = Keyed(SEED)
    dice = [chance.raw(count, 6) for count in range(36_000)]
    pairs = Counter(pairwise(dice))
    assert sum((pairs[a, b] - 1000) ** 2 / 1000 for a in range(6) for b in range(6)) < 66.6


@pytest.mark.parametrize("seed", ["", "12", "g" * 32, SEED + "00", "word", "é" * 32])
def test_what_is_no_seed_is_refused(seed: str) -> None:
    for use in (Keyed, commitment):
        with pytest.raises(BadJournal) as raised:
            use(seed)
        assert "32 hexadecimal digits" in complaint(raised)


def test_new_seeds_are_seeds_and_differ() -> None:
    seeds = {new_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert all(len(bytes.fromhex(seed)) == 16 for seed in seeds)


def test_seeds_of_words_differ_and_repeat() -> None:
    assert seed_of("a") != seed_of("b")
    assert seed_of("a") == seed_of("a")
    Keyed(seed_of("any words, at any length " * 10))


def test_a_script_gives_its_dice_and_no_more() -> None:
    script = Scripted([1, 6, 3])
    assert [script.raw(count, 6) for count in range(3)] == [0, 5, 2]
    with pytest.raises(BulgeError) as raised:
        script.raw(3, 6)
    assert "number 4 was rolled" in complaint(raised)


@pytest.mark.parametrize("die", [0, 7])
def test_a_script_with_a_die_that_has_no_such_face_is_refused(die: int) -> None:
    with pytest.raises(BulgeError) as raised:
        Scripted([die]).raw(0, 6)
    assert "6 sides" in complaint(raised)


def test_rekeyed_numbers_keep_the_past_and_change_the_future() -> None:
    fresh = Keyed(seed_of("fresh"))
    chance = Rekeyed({4: (6, 2), 5: (10, 9)}, fresh)
    assert (chance.raw(4, 6), chance.raw(5, 10)) == (2, 9)
    assert chance.raw(6, 6) == fresh.raw(6, 6)
    assert chance.raw(4, 10) == fresh.raw(4, 10), "a die of another size is another die"


# ---------------------------------------------------------------------- at the table


def table_of(*dice: int) -> Match[ToyPosition]:
    return Match(Toy(), chance=Scripted(dice))


def test_several_dice_are_added_or_read_one_by_one_and_logged() -> None:
    table = table_of(2, 5, 10, 1).table
    assert table.roll("1", "both", count=2) == 7
    assert table.roll_each("1", "tens", sides=10, count=2) == [10, 1]
    assert [(event.dice, event.sides) for event in table.events or []] == [((2, 5), 6), ((10, 1), 10)]
    assert table.p.drawn == 4


def test_a_draw_takes_out_what_it_draws() -> None:
    table = table_of(2, 2, 1).table
    cup = ["a", "b", "c"]
    assert [table.draw(cup) for _ in range(3)] == ["b", "c", "a"]
    assert cup == []


def test_a_shuffle_reaches_every_order_equally() -> None:
    orders: Counter[str] = Counter()
    table = Match(Toy(), seed=SEED).table
    for _ in range(6000):
        deck = list("abc")
        table.shuffle(deck)
        orders["".join(deck)] += 1
    assert len(orders) == 6
    assert sum((seen - 1000) ** 2 / 1000 for seen in orders.values()) < 20.5


def test_a_shuffle_of_one_or_none_takes_no_number() -> None:
    table = table_of().table
    for deck in ([], ["a"]):
        table.shuffle(deck)
    assert table.p.drawn == 0
