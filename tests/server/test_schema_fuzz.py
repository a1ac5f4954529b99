"""Random requests over all that the OpenAPI description offers: no server error, words for every refusal."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import quote

import pytest

from tests.server.guest import Client
from tests.server.table import Table

Json = dict[str, Any]

STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**40, -(2**63), float("1e308"), "", " ", "x", "é", "\u0000", "\u202e", "😀",
    "../..", "%00", "<script>alert(1)</script>", "' or 1=1 --", "x" * 5000, [], [[]], {}, {"a": {"b": []}},
    "ford", "the_bulge", "Blue", "human", "random", "bridge",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_no_request_leads_to_a_server_error(client: Client, seed: int) -> None:
    rng = random.Random(seed)
    schema: Json = client.get("/api/schema").json()
    table = Table.make(client, {"game": "ford"})
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            for _ in range(12):
                _try(client, table, rng, path, method, operation)
    assert table.state()["n"] == 0


def _try(client: Client, table: Table, rng: random.Random, path: str, method: str, operation: Json) -> None:
    query, headers = {}, {}
    for parameter in operation.get("parameters", []):
        name, value = parameter["name"], _value(rng, parameter["name"], table)
        if (name, method) == ("X-Token", "delete"):
            continue  # whoever made the match may delete it, and it is wanted
        if parameter["in"] == "path":
            path = path.replace("{" + name + "}", quote(str(value), safe=rng.choice(["", "/"])) or "x")
        elif parameter["in"] == "query" and rng.random() < 0.8:
            query[name] = str(value)
        elif parameter["in"] == "header" and rng.random() < 0.8:
            headers[name] = str(value).encode("ascii", "replace").decode().replace("\x00", "")
    content = _body(rng, operation) if method in ("post", "put", "patch") else None
    if content is not None and rng.random() < 0.8:
        headers["Content-Type"] = "application/json"
    answer = client.request(method.upper(), path, params=query, headers=headers, content=content)
    said = f"{method} {path} {query} {content!r}: {answer.status_code} {answer.text[:200]}"
    assert answer.status_code < 500, said
    if answer.status_code >= 400:
        assert answer.json()["words"], said
    assert "Traceback" not in answer.text, said


def _value(rng: random.Random, name: str, table: Table) -> Any:
    likely = {"game": "ford", "match_id": table.id, "n": 0, "X-Token": table.host, "X-Tokens": table.host}
    return likely[name] if name in likely and rng.random() < 0.5 else rng.choice(STRANGE)


def _body(rng: random.Random, operation: Json) -> bytes:
    if rng.random() < 0.15:
        return rng.randbytes(rng.randrange(50))
    fields = ["game", "scenario", "options", "seed", "seats", "journal", "format", "choices", "more"]
    body: Any = {field: rng.choice(STRANGE) for field in fields if rng.random() < 0.4}
    if rng.random() < 0.5:
        body["game"] = "ford"
    if rng.random() < 0.1:
        body = rng.choice(STRANGE)
    return json.dumps(body).encode()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"])
def test_other_methods_do_nothing(client: Client, table: Table, method: str) -> None:
    for path in ("/", "/api/games", "/api/matches", f"/api/matches/{table.id}"):
        assert client.request(method, path, headers={"X-Token": table.tokens["Red"]}).status_code < 500
    assert table.state()["n"] == 0


DEEDS = ("sit", "leave", "reveal", "offer", "back", "answer", "resign", "claim", "talk", "notes", "shared")


def test_the_description_names_every_way_in(client: Client) -> None:
    paths = set(client.get("/api/schema").json()["paths"])
    assert paths == {
        "/api/games",
        "/api/games/{game}/look",
        "/api/games/{game}/board",
        "/api/games/{game}/tiles/{shrunk}/{column}/{row}",
        "/api/games/{game}/map.svg",
        "/api/games/{game}/map.webp",
        "/api/games/{game}/rules",
        "/api/matches",
        "/api/matches/import",
        "/api/matches/{match_id}",
        "/api/matches/{match_id}/look",
        "/api/matches/{match_id}/journal",
        "/api/matches/{match_id}/replay/{n}",
        "/api/matches/{match_id}/review",
        "/api/matches/{match_id}/told/{n}",
        "/api/games/drawings",
        "/api/atlas/{game}/{name}",
        "/api/server",
        "/api/health",
        "/api/people",
        "/api/people/{name}",
        "/api/session",
        "/api/me",
        "/api/me/export",
        "/api/me/sessions",
        "/api/me/sessions/{session_id}",
        "/api/me/uses",
        "/api/tables",
        "/api/tables/mine",
        "/api/tables/of/{name}",
        "/api/tables/{table_id}",
        "/api/tables/{table_id}/notes/{turn}",
        "/api/matches/{match_id}/branch/{n}",
        "/api/me/holiday",
        "/api/me/notices",
        "/api/me/notices/quiet",
        "/api/me/passkeys",
        "/api/me/passkeys/options",
        "/api/me/passkeys/{passkey_id}",
        "/api/session/passkey",
        "/api/session/passkey/options",
        "/api/people/passkey",
        "/api/people/passkey/options",
        "/api/matches/{match_id}/kept",
        "/api/me/notices/{channel_id}",
        "/api/me/notices/{channel_id}/confirm",
        "/api/me/notices/{channel_id}/test",
        "/api/reports",
        "/api/moderation/reports",
        "/api/moderation/reports/{number}",
        "/api/moderation/tables",
        "/api/moderation/deeds",
        "/api/moderation/people",
        "/api/moderation/people/{name}",
        "/api/moderation/tables/{table_id}",
        "/api/moderation/tables/{table_id}/talk",
        "/api/moderation/tables/{table_id}/talk/{number}",
        *(f"/api/tables/{{table_id}}/{deed}" for deed in DEEDS),
    }
