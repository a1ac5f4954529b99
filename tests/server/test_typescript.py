"""The client's shapes are those of the server."""

from __future__ import annotations

from pathlib import Path

from bulge.server.typescript import protocol

FILE = Path(__file__).parents[2] / "web/src/lib/protocol.ts"


def test_the_client_has_the_shapes_that_the_server_sends() -> None:
    made = "python -m bulge.server.typescript > web/src/lib/protocol.ts"
    assert FILE.read_text("utf-8") == protocol(), f"the protocol has changed: {made}"


def test_what_may_be_missing_says_so() -> None:
    said = protocol()
    assert "  decision: Decision | null;" in said
    assert "  scenario?: string | null;" in said
    assert "export interface Option {" in said
