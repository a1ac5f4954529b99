"""What goes over the wire stays small, even where a whole map is offered."""

from __future__ import annotations

import zlib

import msgspec
import pytest

from bulge.games import load_game
from bulge.server.views import MANY
from tests.games.test_looks import look_of
from tests.server.guest import Client
from tests.server.table import Table


def test_a_question_about_every_hex_is_small_on_the_wire(client: Client) -> None:
    table = Table.make(client, {"game": "ardennes_44", "scenario": "S4"})
    state = table.state(table.tokens["Allied"])
    decision = state["decision"]
    assert len(decision["bare"]) > 2700
    assert [option["id"] for option in decision["options"]] == ["done"]
    assert len(zlib.compress(msgspec.json.encode(state), 5)) < 12_000


@pytest.mark.parametrize("id_", ["the_bulge", "ardennes_offensive", "ardennes_44", "enemy_action"])
def test_the_words_of_a_bare_space_follow_from_the_look(id_: str) -> None:
    game = load_game(id_)
    spaces = look_of(game).spaces
    assert len(spaces) >= MANY
    for space in spaces:
        named = f"{space.id} {space.name}" if space.name and space.name != space.id else space.id
        assert game.space_words(game.board.at(space.id)) == named
