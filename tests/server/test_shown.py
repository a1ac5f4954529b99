"""What is the same for several pages is worked out once, and only for those with the same eyes."""

from __future__ import annotations

import pytest

from bulge.games.ford.game import Ford
from tests.server.table import Table


def test_a_scene_is_built_once_for_all_with_the_same_eyes(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str | None] = []
    plain = Ford.scene

    def scene(game: Ford, position: object, eyes: str | None) -> object:
        built.append(eyes)
        return plain(game, position, eyes)  # type: ignore[arg-type]

    (blue, token), (red, other) = table.tokens.items()
    with table.page(token) as one, table.page(token) as two, table.page(other) as three:
        monkeypatch.setattr(Ford, "scene", scene)
        one.ask("choose", id="B1")
        for page in (two, three):
            page.until(1)
        assert built == [], "naming a unit moves nothing"
        one.ask("choose", id=next(option["id"] for option in one.state["decision"]["options"] if option["spaces"]))
        for page in (two, three):
            page.until(2)
        assert sorted(built, key=str) == [blue, red]
        assert one.state["scene"] == two.state["scene"]
        assert one.state["decision"] == two.state["decision"] != three.state["decision"]
        over_http = table.state(token)
        for key in ("scene", "decision", "events"):
            assert one.state[key] == over_http[key]
        one.ask("undo")
        two.until_rev(3)
        assert two.state["scene"] == table.state(token)["scene"]
