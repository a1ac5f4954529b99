"""Under which names the server may be called, and which address invitations carry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bulge.core.errors import BulgeError
from bulge.server.settings import Settings, checked_url
from tests.server.guest import Client
from tests.server.serving import serving


def test_a_server_with_a_public_address_answers_to_it(quick: Settings) -> None:
    settings = replace(quick, public_url="https://games.example.org", host_names=("other.example",))
    with serving(settings, "http://games.example.org") as client:
        assert client.get("/api/server").json()["address"] == "https://games.example.org"
        assert not client.get("/api/server").json()["only_here"]
        assert client.get("/api/games", headers={"Host": "other.example"}).status_code == 200
        assert client.get("/api/games", headers={"Host": "evil.example"}).status_code == 403
        origin = {"Origin": "https://games.example.org"}
        assert client.post("/api/matches", json={"game": "ford"}, headers=origin).status_code == 201
        behind_a_proxy = {**origin, "Host": "127.0.0.1:8765"}
        assert client.post("/api/matches", json={"game": "ford"}, headers=behind_a_proxy).status_code == 201
        stranger = {"Origin": "https://evil.example"}
        assert client.post("/api/matches", json={"game": "ford"}, headers=stranger).status_code == 403


def test_without_one_invitations_carry_what_was_typed_and_say_if_that_is_only_here(client: Client) -> None:
    info = client.get("/api/server").json()
    assert info["address"] == "http://127.0.0.1"
    assert info["only_here"]
    elsewhere = client.get("/api/server", headers={"Host": "192.168.1.5:8765"}).json()
    assert elsewhere["address"] == "http://192.168.1.5:8765"
    assert not elsewhere["only_here"]


@pytest.mark.parametrize("text", ["games.example.org", "ftp://x", "https://", "https://x/path", "https://x/?q=1"])
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BulgeError, match="looks like"):
        checked_url(text)
    assert checked_url("https://games.example.org/") == "https://games.example.org"
