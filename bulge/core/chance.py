"""Dice and draws. Every random number is a function of a secret seed and of how many were taken before it.

So a match replays to the same dice from its seed and its choices alone; the seed's hash, published before the
first choice, lets every player check afterwards that no die was chosen late.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Protocol

from bulge.core.errors import BadJournal, BulgeError

SEED = re.compile("[0-9a-fA-F]{32}")


class Chance(Protocol):
    """A source of raw numbers, by their count."""

    def raw(self, count: int, size: int) -> int:
        """The number at this count, from 0 to size - 1."""


class Keyed:
    """Numbers keyed by a seed. 64 bits a number: the bias of a die is below one part in 10^18."""

    __slots__ = ("_keyed", "_seed")

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._keyed = hashlib.blake2b(key=seed_bytes(seed), digest_size=8)

    def __reduce__(self) -> tuple[type[Keyed], tuple[str]]:
        return Keyed, (self._seed,)

    def raw(self, count: int, size: int) -> int:
        hashed = self._keyed.copy()
        hashed.update(count.to_bytes(8, "big"))
        return int.from_bytes(hashed.digest(), "big") % size


class Scripted:
    """Numbers given in advance, for tests: dice as they would be read off the table (1 to 6)."""

    def __init__(self, dice: Sequence[int]) -> None:
        self._dice = dice

    def raw(self, count: int, size: int) -> int:
        if count >= len(self._dice):
            raise BulgeError(f"the script holds {len(self._dice)} dice; number {count + 1} was rolled")
        if not 1 <= self._dice[count] <= size:
            raise BulgeError(f"the script's die number {count + 1} is {self._dice[count]}; it has {size} sides")
        return self._dice[count] - 1


class Rekeyed:
    """Numbers already taken stay as they were; all later ones come from a new key."""

    def __init__(self, taken: dict[int, tuple[int, int]], fresh: Chance) -> None:
        self._taken = taken
        self._fresh = fresh

    def raw(self, count: int, size: int) -> int:
        known = self._taken.get(count)
        if known is not None and known[0] == size:
            return known[1]
        return self._fresh.raw(count, size)


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(16)


def seed_of(words: str) -> str:
    """A seed from a short text or number, for games that are to be repeated."""
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def seed_meant(text: str) -> str:
    """A seed as such (32 hexadecimal digits, as shown at the end of a game), or what any other text stands for."""
    return text.lower() if SEED.fullmatch(text) else seed_of(text)


def shared_seed(parts: Mapping[str, str]) -> str:
    """A seed of which each has given a part. Whoever lacks a single part knows nothing of it."""
    whole = hashlib.sha256(b"bulge shared seed")
    for name in sorted(parts):
        whole.update(f"\n{name}=".encode() + seed_bytes(parts[name]))
    return whole.hexdigest()[:32]


def seed_bytes(seed: str) -> bytes:
    if not SEED.fullmatch(seed):  # `fromhex` alone would let any number of spaces in between
        raise BadJournal(f"a seed is 32 hexadecimal digits, not {seed[:40]!r}")
    return bytes.fromhex(seed)


def commitment(seed: str) -> str:
    """What is published of a seed before the first choice."""
    return hashlib.sha256(b"bulge seed " + seed_bytes(seed)).hexdigest()
