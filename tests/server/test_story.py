"""A match is rebuilt from its story; memory is only a cache."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games import GAMES, load_game
from bulge.server.hub import Hub
from bulge.server.library import Library
from bulge.server.play import Action, Play, fold, replay
from bulge.server.seats import HOST, Seat
from bulge.server.settings import Settings
from bulge.server.storage import Entry, Overtaken, Storage
from bulge.server.views import state_of
from tests.helpers import SEED
from tests.server.guest import Client
from tests.server.serving import serving
from tests.server.table import Table, play_on

FORD = load_game("ford")


@given(st.randoms(use_true_random=False), st.integers(0, 80))
def test_a_story_with_undo_and_redo_leads_to_the_same_match(rng: random.Random, length: int) -> None:
    play = Play(Match(FORD, seed=SEED))
    story: list[Action] = []
    for _ in range(length):
        deeds: list[Any] = []
        if play.match.can_undo:
            deeds.append(play.undo)
        if play.match.can_redo:
            deeds.append(play.redo)
        if play.match.decision:
            decision = play.match.decision
            id_ = FORD.id_of(decision, rng.choice(list(decision.options)))
            deeds += [lambda id_=id_: play.choose(id_)] * 2
        if not deeds:
            break
        story += rng.choice(deeds)()
    again, note = replay(lambda: Match(FORD, seed=SEED), story)
    assert note is None
    assert again.match.ids == play.match.ids == [action.choice for action in fold(story)[0]]
    assert again.match.position == play.match.position
    assert again.match.can_redo == play.match.can_redo
    assert [(line.at, line.by, line.event) for line in again.lines()] == [
        (line.at, line.by, line.event) for line in play.lines()
    ]
    assert again.match.log == play.match.log


def test_a_fault_in_the_rules_does_not_make_a_match_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(Match(FORD, seed=SEED))
    story = [
        action
        for _ in range(4)
        for action in play.choose(FORD.id_of(play.match.asked(), play.match.asked().options[0]))
    ]
    third = story[2].choice
    find = Match.find

    def failing(match: Match[Any], id_: str) -> Any:
        if len(match.ids) == 2 and id_ == third:
            raise ZeroDivisionError
        return find(match, id_)

    monkeypatch.setattr(Match, "find", failing)
    again, note = replay(lambda: Match(FORD, seed=SEED), story)
    assert again.n == 2
    assert note is not None
    assert "loaded 2 of 4" in note


def test_a_cut_leaves_the_first_choices() -> None:
    story = [Action("choose", id_) for id_ in "abcd"]
    stands, undone = fold([*story, Action("cut", "2"), Action("choose", "e")])
    assert [action.choice for action in stands] == ["a", "b", "e"]
    assert not undone


def test_a_story_that_no_longer_fits_is_loaded_as_far_as_it_does(quick: Settings, tmp_path: Path) -> None:
    """As after a change of the rules: what still fits is there, and the match can be gone on with."""
    with serving(quick) as client:
        table = Table.make(client, {"game": "ford"})
        with table.page() as page:
            play_on(page, random.Random(1), 10)
        kept = table.journal()["choices"]
    with sqlite3.connect(tmp_path / "matches.sqlite") as database:
        database.execute("update bulge_action set choice = 'nonsense' where number = 6")
    database.close()
    with serving(quick) as client:
        again = Table(client, table.id, table.host, table.tokens)
        with again.page() as page:
            assert page.state["n"] == 5
            assert "loaded 5 of 10 choices" in page.state["note"]
            assert _before(again) == [*kept[:5], "nonsense", *kept[6:]]
            play_on(page, random.Random(2), 3)
            assert page.state["note"] is None
            assert page.state["n"] == 8
    with serving(quick) as client:
        last = Table(client, table.id, table.host, table.tokens)
        assert last.state()["note"] is None
        assert last.journal()["choices"][:5] == kept[:5]
        assert _before(last) == [*kept[:5], "nonsense", *kept[6:]], "what was cut short is kept for good"


def _before(table: Table) -> list[str]:
    assert table.state()["cut"]
    answer = table.client.get(f"/api/matches/{table.id}/journal?before=true", headers={"X-Token": table.host})
    choices: list[str] = answer.json()["choices"]
    return choices


def test_players_are_told_that_something_has_changed_though_all_choices_stand(
    quick: Settings, tmp_path: Path
) -> None:
    with serving(quick) as client:
        table = Table.make(client, {"game": "ford"})
        with table.page() as page:
            play_on(page, random.Random(1), 6)
            page.ask("undo")
        assert table.state()["note"] is None
    with sqlite3.connect(tmp_path / "matches.sqlite") as database:
        database.execute("update bulge_match set edition = 'older'")
    database.close()
    with serving(quick) as client:
        again = Table(client, table.id, table.host, table.tokens)
        refused = client.get(f"/api/matches/{table.id}/journal?before=true", headers={"X-Token": table.host})
        assert not again.state()["cut"]
        assert "nothing of this match was left behind" in refused.json()["words"]
        with again.page() as page:
            assert "have changed since this was played; all 5 choices stand" in page.state["note"]
            page.ask("redo")
            assert page.state["n"] == 6
        assert again.state()["note"] is None
    with serving(quick) as client:
        assert Table(client, table.id, table.host, table.tokens).state()["note"] is None


def test_players_are_told_which_of_rules_and_data_have_changed() -> None:
    edition = Library.edition("ford")
    data, rules = edition[:8], edition[8:]
    for older, words in (
        (edition, ""),
        ("", ""),  # from before editions were kept
        ("0" * 8 + rules, "data"),
        (data + "0" * 8, "rules"),
        ("0" * 16, "rules and data"),
    ):
        assert Library.changed_since("ford", older) == words


@pytest.mark.parametrize("game", GAMES)
def test_an_edition_is_of_a_game_s_rules_and_data(game: str) -> None:
    assert re.fullmatch("[0-9a-f]{16}", Library.edition(game))
    assert sum(Library.edition(other) == Library.edition(game) for other in GAMES) == 1


def test_two_servers_on_one_database_do_not_mix_up_a_match(quick: Settings) -> None:
    with (
        serving(quick) as one,
        serving(quick) as two,
    ):
        here = Table.make(one, {"game": "ford"})
        there = Table(two, here.id, here.host, here.tokens)
        with here.page() as mine, there.page() as other:
            mine.ask("choose", id="B1")
            refused = other.ask("choose", id="B2")
            assert refused["type"] == "error"
            assert "gone on" in refused["words"]
        assert here.journal()["choices"] == there.journal()["choices"] == ["B1"]
        with there.page() as other:
            assert other.ask("choose", id=other.options[0])["type"] == "state"
        assert here.journal()["choices"] == there.journal()["choices"]


def test_what_cannot_be_stored_is_not_shown(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.make(client, {"game": "ford"})
    hub: Hub = client.app.state.hub
    before = table.state()

    async def full(*_: Any) -> None:
        raise OSError("no space left on the disk")

    with table.page() as page, monkeypatch.context() as patch:
        patch.setattr(hub.storage, "append", full)
        answer = page.ask("choose", id="B1")
        assert answer["type"] == "error"
        assert "disk" not in answer["words"]
        assert {**table.state(), "here": before["here"]} == before
    with table.page() as page:
        assert page.ask("choose", id="B1")["type"] == "state"


def test_a_match_is_forgotten_and_read_again_when_memory_is_short(quick: Settings) -> None:
    from dataclasses import replace

    with serving(replace(quick, most_open=2)) as client:
        tables = [Table.make(client, {"game": "ford"}) for _ in range(6)]
        for table in tables:
            with table.page() as page:
                play_on(page, random.Random(3), 4)
        assert len(client.app.state.hub._lives) <= 3
        assert all(table.state()["n"] == 4 for table in tables)


def test_rows_of_one_number_exclude_each_other(database: str) -> None:
    async def run() -> None:
        storage = Storage(database)
        await storage.open()
        await storage.open()
        hub = Hub(storage, _library())
        id_, _ = await hub.create(Match(FORD, seed=SEED), {"Blue": "human", "Red": "human"})
        live = await hub.open(id_)
        async with live.lock:
            play = await hub.stories.play_of(live)
            await hub.stories.store(live, play, play.choose("B1"))
        with pytest.raises(Overtaken):
            await storage.append(Entry(id_, 1, [Action("choose", "B2")], _standing(), "", None))
        assert [action.choice for action in await storage.actions(id_)] == ["B1"]
        await hub.close()
        await storage.close()

    asyncio.run(run())


def _library() -> Any:
    from bulge.server.library import Library

    return Library()


def _standing() -> Any:
    from bulge.server.play import Standing

    return Standing(1, "Blue", False)


def test_a_database_that_cannot_be_used_is_said_in_words() -> None:
    with pytest.raises(BulgeError, match="cannot be used"):
        Storage("nonsense://x")
    with pytest.raises(BulgeError, match="cannot be used"):
        Storage("not a url")


@pytest.mark.parametrize(("game", "told"), [("the_bulge", True), ("ford", False)])
def test_what_the_computer_had_in_mind_is_kept(database: str, game: str, told: bool) -> None:
    """It is told with the first line that it led to; where a game has secrets, not before its end."""

    async def story() -> list[str]:
        storage = Storage(database)
        await storage.open()
        try:
            match: Match[Any] = Match(load_game(game), seed=SEED)
            id_, _ = await Hub(storage, Library()).create(match, dict.fromkeys(match.game.players, "human"))
            hub = Hub(storage, Library())
            live = await hub.open(id_)
            while live.play is None or not any(line.at for line in live.play.lines()):
                await hub.act(live, lambda play: play.choose(_first(play), "why not"), lambda _: None)
            again = await Hub(storage, Library()).open(id_)
            await hub.stories.load(again)
            assert again.play is not None
            whys = [line.why for line in again.play.lines() if line.at]
            assert whys == ["why not", *[""] * (len(whys) - 1)]
            seat = Seat(id_, HOST, again.players)
            state = state_of(again.play, seat, rev=0, thinking=None, note=None)
            return [event.why for event in state.events if event.why]
        finally:
            await storage.close()

    assert asyncio.run(story()) == (["why not"] if told else [])


def _first(play: Play) -> str:
    return play.game.id_of(play.match.asked(), play.match.asked().options[-1])
