"""The atlas as a page of the server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bulge.lab.atlas import shipped as results
from bulge.lab.atlas.shipped import Shipped, all_shipped
from bulge.server.settings import Settings
from tests.server.guest import Client
from tests.server.serving import serving


@pytest.fixture
def client(sqlite: str, tmp_path: Path, quick: Settings) -> Iterator[Client]:
    """Nothing has been drawn before."""
    settings = Settings(sqlite, tmp_path / "cache", quick.static)
    with serving(settings) as found:
        yield found


@pytest.mark.slow
def test_the_atlas_is_drawn_when_somebody_asks(client: Client) -> None:
    first = client.get("/atlas")
    assert "being drawn" in first.text
    assert client.get("/atlas/figures.csv").status_code == 404
    until = time.monotonic() + 120
    while "being drawn" in (page := client.get("/atlas")).text:
        assert time.monotonic() < until, "the atlas never came"
        time.sleep(0.2)
    assert "One battle" in page.text
    assert "<script>" not in page.text, "scripts of its own are forbidden by the content policy"
    assert client.get("/atlas/page.js").headers["content-type"].startswith("text/javascript")
    assert client.get("/atlas/figures.csv").text.startswith("game,scenario,")
    assert client.get("/atlas/..%2f..%2fmatches.sqlite").status_code in (400, 404)


def test_games_of_the_atlas_can_be_replayed(client: Client) -> None:
    shipped = next(found for found in all_shipped() if found.kept)
    kept = shipped.kept[0]
    journal = client.get(f"/api/atlas/{shipped.plan.game}/{kept.number}")
    assert journal.status_code == 200
    made = client.post("/api/matches/import", content=journal.content)
    assert made.status_code == 201, made.text
    token = {"X-Token": made.json()["host"]}
    at = next(iter(kept.evenings.values()))
    assert client.get(f"/api/matches/{made.json()['id']}/replay/{at}", headers=token).json()["n"] == at
    assert client.get(f"/api/atlas/{shipped.plan.game}/999999").status_code == 404


def test_games_by_players_that_plan_ahead_have_names_of_their_own(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = next(found for found in all_shipped() if found.kept and found.plan.game == "the_bulge")
    plan = msgspec.structs.replace(plain.plan, players={"German": "veteran", "Allied": "veteran"})
    one, other = plain.kept[:2]
    ahead = Shipped(plain.version, plan, plain.rows, [msgspec.structs.replace(other, number=one.number)])
    monkeypatch.setattr(results, "all_shipped", lambda: [plain, ahead])
    results.kept_games.cache_clear()
    try:
        journals = [
            client.get(f"/api/atlas/the_bulge/{by}{one.number}").json()["seed"] for by in ("", "by-veteran-")
        ]
        assert client.get(f"/api/atlas/the_bulge/by-regular-{one.number}").status_code == 404
    finally:
        results.kept_games.cache_clear()
    assert journals == [one.journal.seed, other.journal.seed]
