"""Journals: saved, loaded, replayed to any point; damaged or altered ones refused in one line."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bulge.core import journal as journals
from bulge.core.chance import Scripted, commitment, seed_of
from bulge.core.data import Overrides
from bulge.core.errors import BadJournal, BulgeError
from bulge.core.journal import Journal, decode, encode, journal_of, read, replay, save, verify
from bulge.core.match import Match
from bulge.games import load_game
from bulge.games.ford import make
from bulge.games.ford.facts import FordPosition
from tests.helpers import SEED, complaint, play_on

FORD = make()


def played(choices: int = 1000, seed: str = SEED) -> Match[FordPosition]:
    match = Match(FORD, seed=seed)
    play_on(match, choices, random.Random(seed))
    return match


MATCH = played()
JOURNAL = journal_of(MATCH, "# überlegt: \U0001f3b2\n")
TEXT = encode(JOURNAL)


def altered(**fields: Any) -> str:
    """The file with some fields changed by hand, the check left as it was."""
    return json.dumps(json.loads(TEXT) | fields)


def forged(**fields: Any) -> Journal:
    """A journal with some fields changed by somebody who knows how to make the check fit."""
    journal = msgspec.structs.replace(JOURNAL, **fields)
    journal.check = journals._check_of(journal)
    return journal


# ---------------------------------------------------------------------- there and back


def test_a_journal_reads_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "match.json"
    save(JOURNAL, path)
    assert read(path) == JOURNAL
    assert decode(TEXT) == decode(TEXT.encode()) == JOURNAL
    assert path.read_text("utf-8") == TEXT
    assert TEXT.count("\n") == len(json.loads(TEXT)) + 2, "one line a key"


def test_a_replayed_match_is_the_same_to_the_byte() -> None:
    loaded = replay(FORD, decode(TEXT))
    assert loaded.stopped_at is None
    assert loaded.match.position.to_json() == MATCH.position.to_json()
    assert loaded.match.log == MATCH.log
    assert loaded.match.result == MATCH.result
    assert loaded.match.ids == MATCH.ids
    assert f"all {len(MATCH.ids)} choices" in loaded.words
    assert journal_of(loaded.match, JOURNAL.overrides) == JOURNAL


def test_replay_goes_to_any_point() -> None:
    match = Match(FORD, seed=SEED)
    prints = [match.position.fingerprint()]
    for id_ in JOURNAL.choices:
        match.answer(id_)
        prints.append(match.position.fingerprint())
    seen: list[str] = []
    replay(FORD, JOURNAL, each=lambda now: seen.append(now.position.fingerprint()))
    assert seen == prints[1:]
    for point in range(0, len(prints), 5):
        part = replay(FORD, JOURNAL, upto=point).match
        assert part.position.fingerprint() == prints[point]
        assert part.ids == JOURNAL.choices[:point]


def test_a_match_goes_on_after_loading() -> None:
    half = journal_of(played(12))
    match = replay(FORD, half).match
    for id_ in JOURNAL.choices[12:]:
        match.answer(id_)
    assert match.position == MATCH.position


def test_a_journal_written_after_undo_holds_only_what_stands() -> None:
    match = Match(FORD, seed=SEED)
    for id_ in ("B3", "0301", "done"):
        match.answer(id_)
    match.undo()
    match.undo()
    assert journal_of(match).choices == ["B3"]
    assert verify(FORD, journal_of(match)).faults == []


def test_overrides_travel_with_the_journal() -> None:
    text = "[ford.units.B1]\nstrength = 9\n"
    game = load_game("ford", Overrides(text))
    match = Match(game, seed=SEED)
    play_on(match, 40, random.Random(1))
    journal = decode(encode(journal_of(match, text)))
    again = load_game("ford", Overrides(journal.overrides))
    assert verify(again, journal).faults == []


def test_a_match_without_a_seed_of_its_own_has_no_journal() -> None:
    for match in (Match(FORD, chance=Scripted([1] * 9)), MATCH.copy()):
        with pytest.raises(BulgeError) as raised:
            journal_of(match)
        complaint(raised)


# ---------------------------------------------------------------------- damaged and altered files


def test_a_file_cut_off_anywhere_is_refused() -> None:
    data = TEXT.encode()
    whole = len(data.rstrip())
    for length in range(whole):
        with pytest.raises(BadJournal) as raised:
            decode(data[:length], "cut.json")
        assert complaint(raised).startswith("cut.json")
    assert decode(data[:whole]) == JOURNAL


def test_a_file_with_any_byte_changed_is_refused_or_says_the_same() -> None:
    data, rng = TEXT.encode(), random.Random(6)
    for at in range(0, len(data), 3):
        changed = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        try:
            assert decode(changed) == JOURNAL, at
        except BadJournal:
            continue


ALTERATIONS: list[dict[str, Any]] = [
    {"format": "another journal"},
    {"version": 2},
    {"version": 0},
    {"version": "1"},
    {"version": None},
    {"game": "the_bulge"},
    {"scenario": "other"},
    {"options": {"fog": "on"}},
    {"overrides": ""},
    {"seed": seed_of("another")},
    {"seed": "x"},
    {"seed": 5},
    {"commitment": commitment(seed_of("another"))},
    {"choices": JOURNAL.choices[:-1]},
    {"choices": [*JOURNAL.choices, "done"]},
    {"choices": list(reversed(JOURNAL.choices))},
    {"choices": [1, 2]},
    {"choices": None},
    {"dice": JOURNAL.dice + 1},
    {"dice": -1},
    {"dice": 10**40},
    {"parts": {"server": seed_of("another")}},
    {"commitments": {"server": commitment(seed_of("another"))}},
    {"fingerprint": "0" * 16},
    {"winner": "Blue" if JOURNAL.winner == "Red" else "Red"},
    {"winner": None},
    {"over": not JOURNAL.over},
    {"check": ""},
    {"check": "0" * 32},
    {"extra": 1},
]


@pytest.mark.parametrize("fields", ALTERATIONS, ids=lambda fields: "-".join(fields))
def test_any_altered_field_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadJournal) as raised:
        decode(altered(**fields), "mine.json")
    assert complaint(raised).startswith("mine.json")


def test_every_field_is_among_the_alterations() -> None:
    assert {name for fields in ALTERATIONS for name in fields} >= set(JOURNAL.__struct_fields__)


@pytest.mark.parametrize("field", [name for name in json.loads(TEXT) if name != "options"])
def test_a_missing_field_is_refused(field: str) -> None:
    body = json.loads(TEXT)
    del body[field]
    with pytest.raises(BadJournal) as raised:
        decode(json.dumps(body))
    complaint(raised)


def test_an_unknown_version_is_named() -> None:
    with pytest.raises(BadJournal) as raised:
        decode(altered(version=7))
    assert "version 7; this program reads version 1" in complaint(raised)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"null",
        b"[]",
        b"5",
        b'"bulge journal"',
        b"\xff\xfe\x00",
        b"\x00" * 100,
        b"PK\x03\x04",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"format": "bulge journal", "version": 1}',
        b'{"format": "\\ud800"}',
    ],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_no_journal_at_all_is_refused(data: bytes) -> None:
    with pytest.raises(BadJournal) as raised:
        decode(data)
    complaint(raised)


def test_a_path_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json", tmp_path / "no" / "folder.json"):
        with pytest.raises(BadJournal) as raised:
            read(path)
        assert str(path) in complaint(raised)


# ---------------------------------------------------------------------- choices that no longer fit


def test_a_choice_that_no_longer_fits_ends_the_replay_and_names_the_rule() -> None:
    journal = forged(choices=["B3", "0105", "done"])
    loaded = replay(FORD, journal)
    assert loaded.stopped_at == 2
    assert loaded.match.ids == ["B3"]
    assert loaded.refusal is not None
    assert loaded.refusal.rule == "4.1"
    assert "loaded 1 of 3 choices; number 2, '0105'" in loaded.words
    assert "(rule 4.1)" in loaded.words
    assert verify(FORD, journal).faults == [loaded.words]


def test_choices_after_the_end_are_not_played() -> None:
    loaded = replay(FORD, forged(choices=[*JOURNAL.choices, "done"]))
    assert loaded.stopped_at == len(JOURNAL.choices) + 1
    assert loaded.match.result == MATCH.result
    assert "over" in loaded.words


def test_rules_that_change_under_a_journal_stop_it_where_they_bite() -> None:
    """The same choices with a weaker unit: it still loads, up to the choice that no longer fits."""
    weaker = load_game("ford", Overrides('[ford.units.B1]\nhex = "0101"'))
    loaded = replay(weaker, JOURNAL)
    assert loaded.stopped_at is not None
    assert loaded.match.ids == JOURNAL.choices[: loaded.stopped_at - 1]
    assert loaded.refusal is not None
    assert loaded.refusal.rule in weaker.rulebook


def test_an_unknown_scenario_is_refused_in_one_line() -> None:
    with pytest.raises(BulgeError) as raised:
        replay(FORD, forged(scenario="other"))
    assert "no scenario 'other'" in complaint(raised)


# ---------------------------------------------------------------------- verifying


def test_an_honest_journal_has_no_faults() -> None:
    assert verify(FORD, JOURNAL).faults == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"dice": 99}, "claims 99 dice"),
        ({"fingerprint": "0" * 16}, "another position"),
        ({"winner": "Blue" if JOURNAL.winner == "Red" else "Red"}, "won"),
        ({"over": False}, "play ends before"),
        ({"choices": JOURNAL.choices[:-1]}, "does not reach"),
        ({"seed": seed_of("b"), "commitment": commitment(seed_of("b"))}, ""),
    ],
)
def test_what_a_forged_journal_claims_is_found_out(fields: dict[str, Any], words: str) -> None:
    journal = decode(encode(forged(**fields)))
    faults = verify(FORD, journal).faults
    assert faults
    assert any(words in fault for fault in faults)


def test_a_seed_other_than_the_committed_one_is_refused_even_if_the_check_fits() -> None:
    with pytest.raises(BadJournal) as raised:
        decode(encode(forged(seed=seed_of("another"))))
    assert "committed" in complaint(raised)


# ---------------------------------------------------------------------- saving


def test_an_interrupted_save_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.json"
    save(JOURNAL, path)

    def broken(*_: object) -> None:
        raise OSError("the disk is full")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, broken)
            with pytest.raises(OSError, match="full"):
                save(forged(dice=0), path)
        assert read(path) == JOURNAL
        assert [entry.name for entry in tmp_path.iterdir()] == ["match.json"]


def test_a_save_replaces_the_old_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text("x" * 100_000)
    save(JOURNAL, path)
    assert read(path) == JOURNAL
