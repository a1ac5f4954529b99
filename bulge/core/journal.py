"""Journals: a match as one JSON file that replays to the same position, to the byte, on any machine."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bulge.core.chance import commitment, shared_seed
from bulge.core.decision import IllegalChoice, Refusal
from bulge.core.errors import BadJournal, BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.core.position import Position

P = TypeVar("P", bound=Position)

FORMAT = "bulge journal"
VERSION = 1
MOST_BYTES = 16_000_000
"""A file that is longer is no journal: those of the longest games are far shorter."""
SEALED = ""
"""Instead of a seed that nobody may know yet."""


class Journal(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What the file holds. `check` guards the rest against truncation and careless edits."""

    format: str = FORMAT
    version: int = VERSION
    game: str
    scenario: str
    options: dict[str, str] = {}
    overrides: str = ""
    """The text of the overrides file that was laid over the game's data, if any."""
    seed: str
    commitment: str
    choices: list[str]
    dice: int
    """How many random numbers were taken."""
    fingerprint: str
    """Of the position after the last choice."""
    winner: str | None = None
    over: bool = False
    check: str = ""
    parts: dict[str, str] = {}
    """What the server and each player gave to the seed of a match among people; nothing before its end."""
    commitments: dict[str, str] = {}
    """What each of them published of it before the first die."""


class Loaded(msgspec.Struct):
    """A journal brought back to life, perhaps only in part."""

    match: Match[Any]
    journal: Journal
    stopped_at: int | None = None
    """The number of the first choice that the rules no longer allow; None if all of them fit."""
    refusal: Refusal | None = None

    @property
    def words(self) -> str:
        """What a person should know about how much of it could be loaded."""
        if self.stopped_at is None:
            return f"all {len(self.journal.choices)} choices fit the rules"
        choice = self.journal.choices[self.stopped_at - 1]
        assert self.refusal is not None
        return (
            f"loaded {self.stopped_at - 1} of {len(self.journal.choices)} choices; number {self.stopped_at}, "
            f"{choice!r}, is no longer allowed: {self.refusal.words} (rule {self.refusal.rule})"
        )


def journal_of(
    match: Match[Any],
    overrides: str = "",
    *,
    sealed: bool = False,
    parts: Mapping[str, str] | None = None,
    commitments: Mapping[str, str] | None = None,
) -> Journal:
    """The journal of a match as it stands; a sealed one is for those who must not know the dice to come."""
    if match.seed is None:
        raise BulgeError("only a match with a seed of its own has a journal")
    journal = Journal(
        game=match.game.id,
        scenario=match.start.scenario,
        options=dict(match.start.options),
        overrides=overrides,
        seed=SEALED if sealed else match.seed,
        commitment=commitment(match.seed),
        choices=list(match.ids),
        dice=match.position.drawn,
        fingerprint=match.position.fingerprint(),
        winner=match.result.winner if match.result else None,
        over=match.result is not None,
        parts={} if sealed else dict(parts or {}),
        commitments=dict(commitments or {}),
    )
    journal.check = _check_of(journal)
    return journal


def before_a_change(journal: Journal, choices: list[str]) -> Journal:
    """A match as it stood under other rules or data: its choices; where they led cannot be known any more."""
    earlier = msgspec.structs.replace(journal, choices=choices, dice=0, fingerprint="", winner=None, over=False)
    earlier.check = _check_of(earlier)
    return earlier


def _check_of(journal: Journal) -> str:
    body = _body(journal)
    body.pop("check")
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:32]


def _body(journal: Journal) -> dict[str, Any]:
    """All fields; those of shared dice only where there are some."""
    body: dict[str, Any] = msgspec.to_builtins(journal)
    return {key: value for key, value in body.items() if value or key not in ("parts", "commitments")}


def encode(journal: Journal) -> str:
    """The file's text: one line a key, so that it can be read and compared."""
    body = _body(journal)
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in body.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def decode(text: str | bytes, name: str = "the journal") -> Journal:
    """Read a journal; whatever is wrong with it is said in one line."""
    try:
        raw = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadJournal(f"{name} is not a complete JSON file: {error}") from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise BadJournal(f"{name} is not a journal of this program")
    if raw.get("version") != VERSION:
        raise BadJournal(f"{name} has version {raw.get('version')!r}; this program reads version {VERSION}")
    try:
        journal = msgspec.convert(raw, Journal)
    except msgspec.ValidationError as error:
        raise BadJournal(f"{name} is not a proper journal: {error}") from None
    if journal.check != _check_of(journal):
        raise BadJournal(f"{name} was altered: its check does not fit what it says")
    if journal.seed == SEALED:
        raise BadJournal(f"{name} was taken in mid-match by somebody who must not know the dice: it has no seed")
    if journal.commitment != commitment(journal.seed):
        raise BadJournal(f"{name} has a seed that is not the one committed to")
    return journal


def save(journal: Journal, path: Path) -> None:
    """Write the file whole or not at all: an interrupted save leaves what was there before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(encode(journal))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read(path: Path) -> Journal:
    """Read a journal file."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadJournal(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise BadJournal(f"{path} is no journal of this program: it is longer than {MOST_BYTES} bytes")
    return decode(data, str(path))


def replay(
    game: Game[P],
    journal: Journal,
    *,
    upto: int | None = None,
    each: Callable[[Match[P]], None] | None = None,
) -> Loaded:
    """Play a journal again, up to a number of choices. A choice that the rules refuse now ends it there."""
    match = Match(game, journal.scenario, journal.options, seed=journal.seed)
    for number, id_ in enumerate(journal.choices[:upto], start=1):
        try:
            if match.decision is None:
                raise IllegalChoice(id_, Refusal("the journal", "the game was over before it"))
            match.answer(id_)
        except IllegalChoice as illegal:
            return Loaded(match, journal, number, illegal.refusal)
        if each is not None:
            each(match)
    return Loaded(match, journal)


def faults_of_dice(journal: Journal) -> list[str]:
    """What is wrong with dice of which several have given a part."""
    if not journal.parts and not journal.commitments:
        return []
    names = sorted(journal.parts.keys() | journal.commitments.keys())
    faults = [f"the part of {name} {wrong}" for name in names if (wrong := _wrong_with_part(journal, name))]
    if not faults and shared_seed(journal.parts) != journal.seed:
        faults.append("the seed is not made of the parts that all committed to")
    return faults


def _wrong_with_part(journal: Journal, name: str) -> str:
    """What is wrong with what one of several has given to the dice; nothing if it is as it was promised."""
    part = journal.parts.get(name)
    try:
        kept = part is not None and journal.commitments.get(name) == commitment(part)
    except BadJournal as error:
        return f"is none: {error}"
    return "" if kept else "is not the one committed to"


class Verdict(msgspec.Struct):
    """What verifying a journal found."""

    match: Match[Any]
    faults: list[str]


def verify(game: Game[P], journal: Journal) -> Verdict:
    """Play a journal again and compare all that it claims: seed, dice, every choice, result and position."""
    loaded = replay(game, journal)
    match = loaded.match
    if loaded.stopped_at is not None:
        return Verdict(match, [loaded.words])
    faults = faults_of_dice(journal)
    if match.position.drawn != journal.dice:
        faults.append(f"it claims {journal.dice} dice and draws; {match.position.drawn} were taken")
    if match.position.fingerprint() != journal.fingerprint:
        faults.append("it ends in another position than it claims")
    if (match.result is not None) != journal.over:
        faults.append("it claims an end that play does not reach" if journal.over else "play ends before it says")
    winner = match.result.winner if match.result else None
    if winner != journal.winner:
        faults.append(f"it claims that {journal.winner} won; play says {winner}")
    return Verdict(match, faults)
