"""No rule of any game without code and test, and no citation of a rule that does not exist."""

from __future__ import annotations

import pytest

from bulge.core.ledger import Ledger, ledger_of
from bulge.games import GAMES, load_game


@pytest.fixture(params=GAMES, scope="module")
def ledger(request: pytest.FixtureRequest) -> Ledger:
    return ledger_of(load_game(request.param))


def test_the_ledger_reads_the_tests_of_this_checkout(ledger: Ledger) -> None:
    assert ledger.has_tests


@pytest.mark.parametrize("lacking", ["code", "tests"])
def test_every_rule_has_code_and_a_test_or_a_reason_to_need_none(ledger: Ledger, lacking: str) -> None:
    bare = [
        f"{line.rule.number} {line.rule.title}"
        for line in ledger.lines
        if not getattr(line, lacking) and not line.rule.needs_nothing
    ]
    assert not bare, f"rules of {ledger.game} with neither {lacking} nor a stated reason: {', '.join(bare)}"


def test_code_cites_only_rules_that_exist(ledger: Ledger) -> None:
    unknown = [str(found) for found in ledger.unknown_citations]
    assert not unknown, f"the code of {ledger.game} cites rules that do not exist: {', '.join(unknown)}"


def test_marks_name_only_rules_that_exist(ledger: Ledger) -> None:
    unknown = [str(found) for found in ledger.unknown_marks]
    assert not unknown, f"tests of {ledger.game} are marked with rules that do not exist: {', '.join(unknown)}"
