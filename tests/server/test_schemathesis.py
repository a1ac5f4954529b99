"""Schemathesis over the OpenAPI description, against a real server: nothing it can think of is a server error."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.server.process import Server

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what it warns of when it is imported is not ours to mend
    schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis: pip install schemathesis")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

EXAMPLES = 25


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, maps: Path) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server"), maps.parent) as found:
        yield found


def test_nothing_leads_to_a_server_error_or_out_of_the_description(server: Server) -> None:
    schema = schemathesis.openapi.from_url(f"{server.address}/api/schema")
    match = server.make({"game": "ford"})
    known = {"game": "ford", "match_id": match["id"], "X-Token": match["host"], "n": 0}
    for operation in schema.get_all_operations():
        _attack(operation.ok(), known)
    assert server.journal(match)["choices"] == []


def _attack(operation: Any, known: dict[str, Any]) -> None:
    """Requests at random; half of them with names that are really there, or they would all end at the door."""
    rng = random.Random(operation.label)

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    def attack(case: Any) -> None:
        for parameters in (case.path_parameters, case.query, case.headers):
            for name in parameters or ():
                if name in known and operation.method != "delete" and rng.random() < 0.5:
                    parameters[name] = known[name]
        answer = case.call()
        case.validate_response(answer, checks=CHECKS)

    attack()


CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]
