"""What a side may not know never leaves the server for it: every byte that was sent is looked through."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
import pytest

from bulge.core import journal as journals
from bulge.core.data import Overrides
from bulge.core.match import Match
from bulge.games import load_game
from bulge.server.inquiries import as_seen
from bulge.server.play import Play
from tests.server.guest import Client
from tests.server.table import Page, Table

CHITS = {
    "none-1": 71001,
    "none-2": 71002,
    "mortars-1": 71003,
    "mortars-2": 71004,
    "guns-1": 71005,
    "guns-2": 71006,
}
"""Numbers that occur nowhere else, so that a chit can be recognised wherever it turns up."""
OVERRIDES = "\n".join(f"[ford.chits.{chit}]\nshift = {number}" for chit, number in CHITS.items())


def marked_journal() -> Any:
    match: Match[Any] = Match(load_game("ford", Overrides(OVERRIDES)))
    return msgspec.to_builtins(journals.journal_of(match, OVERRIDES))


@pytest.mark.parametrize("seed", [0, 3])
def test_no_chit_and_no_seed_leaks(client: Client, seed: int) -> None:
    journal = marked_journal()
    made = client.post("/api/matches/import", json=journal)
    assert made.status_code == 201, made.text
    table = Table(client, **made.json())
    rng = random.Random(seed)
    with table.page(table.tokens["Blue"]) as blue, table.page(table.tokens["Red"], "?events=new") as red:
        pages = {"Blue": blue, "Red": red}
        while pages["Blue"].state["decision"]:
            mine = pages[blue.state["decision"]["side"]]
            other = blue if mine is red else red
            mine.until(blue.state["n"])
            _ask_around(mine, other, rng)
            _check(table, pages, journal["seed"])
            mine.ask("choose", id=rng.choice(mine.options))
            other.until(mine.state["n"])
        assert blue.state["seed"]


def _ask_around(mine: Page, other: Page, rng: random.Random) -> None:
    """Both sides ask whatever can be asked, in or out of turn."""
    for page in (mine, other):
        page.ask("why", about=rng.choice(["B1", "R1", "0203", "play_support"]))
        page.ask("preview", id=rng.choice(mine.options))
        page.ask("reach")
        page.ask("trace", unit="R1")
        page.ask("overlays", ids=["zones_blue", "supply_red"])
        page.ask("log", before=len(mine.state["events"]))
        page.ask("hint")


IMAGINED = re.compile(r"[+-][0-9.]+ better than the worst")
"""A figure that a hint gives: it adds up chits dealt anew for the asker, and may come to anything."""


def _check(table: Table, pages: dict[str, Page], seed: str) -> None:
    """At every moment: what each side was sent so far holds no chit but its own and those that were played."""
    # Over HTTP too, the past included.
    sent: dict[str, list[str]] = {side: list(page.received) for side, page in pages.items()}
    for side, token in table.tokens.items():
        answers = [
            table.client.get(f"/api/matches/{table.id}{path}", headers={"X-Token": token})
            for path in ("", "/journal", "/replay/0", "/look")
        ]
        sent[side] += [answer.text for answer in answers]
    played = set()
    for text in (text for texts in sent.values() for text in texts):
        played |= set(re.findall(r"plays support of (\d+)", text))
    owns = {side: set(re.findall(r"chit counts (\d+)", "".join(texts))) for side, texts in sent.items()}
    for side, texts in sent.items():
        everything = IMAGINED.sub("", "".join(texts))
        assert seed not in everything
        other = "Red" if side == "Blue" else "Blue"
        for number in CHITS.values():
            if str(number) in everything:
                assert str(number) in owns[side] | played, f"{side} was sent a chit that is not its own"
        assert not owns[side] & (owns[other] - played), "one chit in two hands"
        assert OVERRIDES not in everything


def test_at_a_hot_seat_only_the_side_to_play_reads_its_chit(client: Client) -> None:
    made = client.post("/api/matches/import", json=marked_journal())
    table = Table(client, **made.json())
    rng = random.Random(1)
    with table.page() as page:
        while page.state["decision"]:
            side = page.state["decision"]["side"]
            assert page.state["side"] == side
            words = [mark["words"] for mark in page.state["scene"]["marks"] if "counts" in mark["words"]]
            assert all(word.startswith(side) for word in words)
            page.ask("choose", id=rng.choice(page.options))


def test_a_solitary_player_keeps_his_own_eyes(client: Client) -> None:
    table = Table.make(client, {"game": "ford", "seats": {"Blue": "random"}})
    with table.page() as page:
        assert page.state["side"] == "Red"


def test_options_go_only_to_the_side_that_decides(table: Table) -> None:
    blue, red = (table.state(table.tokens[side]) for side in ("Blue", "Red"))
    assert blue["decision"]["options"]
    assert red["decision"]["options"] == []
    assert not red["decision"]["mine"]
    assert red["decision"]["about"] is None


def test_tokens_are_not_stored(table: Table, tmp_path: Any) -> None:
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("matches.sqlite*"))
    assert table.id.encode() in stored
    for token in (table.host, *table.tokens.values()):
        assert token.encode() not in stored


@pytest.mark.parametrize(
    ("wish", "host", "side"),
    [
        ({"game": "ford"}, True, False),
        ({"game": "ford", "seats": {"Red": "random"}}, False, False),
        ({"game": "the_bulge"}, False, False),
        ({"game": "ardennes_44"}, False, False),
        ({"game": "ardennes_44", "scenario": "S1", "options": {"fuel_dumps": "yes"}}, True, False),
    ],
)
def test_a_page_shared_by_people_with_secrets_has_a_curtain(
    client: Client, wish: dict[str, Any], host: bool, side: bool
) -> None:
    table = Table.make(client, wish)
    assert table.state()["curtain"] is host
    assert table.state(next(iter(table.tokens.values())))["curtain"] is side


@pytest.mark.parametrize("game_id", ["ford", "enemy_action"])
def test_what_is_taken_back_and_done_again_is_read_by_nobody_else(game_id: str) -> None:
    play, rng, hidden = Play(Match(load_game(game_id), seed="0" * 32)), random.Random(2), 0
    for _ in range(60):
        if play.match.decision is None:
            break
        play.choose(play.match.options()[rng.randrange(len(play.match.options()))].id)
        for back in range(rng.randrange(4)):
            if rng.random() < 0.5 and play.match.can_undo:
                play.undo()
            elif back and play.match.can_redo:
                play.redo()
            for eyes in (None, *play.game.sides):
                read = [line.event for line in play.readable(eyes)]
                assert read == [event for event in play.match.log if event.side in (None, eyes)]
                hidden += len(play.match.log) - len(read)
    assert hidden, "nothing was hidden, so that nothing was tried"


@pytest.mark.parametrize(("game_id", "options"), [("ford", {}), ("ardennes_44", {"fuel_dumps": "yes"})])
def test_threats_tell_nothing_hidden(game_id: str, options: dict[str, str]) -> None:
    """Two positions that a side cannot tell apart are imagined from the same copy."""
    game = load_game(game_id)
    match = Match(game, "S1" if game_id == "ardennes_44" else None, options, seed="0" * 32)
    rng, told_apart = random.Random(4), 0
    for _ in range(40):
        match.choose(rng.choice(list(match.asked().options)))
        position = match.position
        for side in game.sides:
            other = position.copy()
            game.deal_anew(other, side, rng)
            told_apart += other != position
            assert as_seen(game, other, side, random.Random(9)) == as_seen(game, position, side, random.Random(9))
        if match.decision is None:
            break
    assert told_apart, "nothing was hidden, so that nothing was tried"
    assert position == match.position, "imagining changed the match"
