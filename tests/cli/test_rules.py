"""`bulge rules`: the ledger in words."""

from __future__ import annotations

import pytest

from bulge.cli import rules as rules_module
from bulge.core.ledger import Found, Ledger, Line
from bulge.core.rulebook import Rule
from tests.cli.conftest import Bulge

LINES = (
    Line(Rule("1.0", "Introduction", "What this is.", needs_nothing="an introduction"), (), ()),
    Line(Rule("2.1", "Moving", "Units move."), ("moving.py:move",), ("games/test_toy.py:test_moving",)),
    Line(Rule("2.2", "Stopping", "Units stop."), ("moving.py:stop",), ()),
    Line(Rule("2.3", "Snow", "Units freeze."), (), ()),
)


def use(monkeypatch: pytest.MonkeyPatch, ledger: Ledger) -> None:
    monkeypatch.setattr(rules_module, "ledger_of", lambda _: ledger)


def test_every_rule_is_listed_with_its_code_and_tests(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Ledger("ford", LINES, (), (), True))
    assert bulge("rules", "ford").lines == [
        "The rules of The Ford",
        "",
        "1.0 Introduction",
        "  What this is.",
        "  needs neither code nor test: an introduction",
        "",
        "2.1 Moving",
        "  Units move.",
        "  code: moving.py:move",
        "  tests: games/test_toy.py:test_moving",
        "",
        "2.2 Stopping",
        "  Units stop.",
        "  code: moving.py:stop",
        "  tests: none",
        "",
        "2.3 Snow",
        "  Units freeze.",
        "  code: none",
        "  tests: none",
        "",
        "4 rules: 1 need nothing, 1 lack code, 2 lack tests, 1 lack both.",
    ]


def test_a_rule_that_is_only_tested_says_why(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Rule("2.4", "Patience", "Nobody is lost by waiting.", "nothing takes anybody away")
    use(monkeypatch, Ledger("ford", (Line(kept, (), ("games/test_toy.py:test_waiting",)),), (), (), True))
    assert "  code: none: nothing takes anybody away" in bulge("rules", "ford").lines


def test_only_what_is_missing(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Ledger("ford", LINES, (), (), True))
    out = bulge("rules", "ford", "--missing").out
    assert "Stopping" in out
    assert "Snow" in out
    assert "Moving" not in out
    assert "Introduction" not in out
    assert "4 rules" in out


def test_where_tests_are_not_installed_it_says_so(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Ledger("ford", LINES, (), (), False))
    out = bulge("rules", "ford", "--missing").out
    assert "tests are not installed" in out
    assert "Snow" in out
    assert "Stopping" not in out
    assert "4 rules: 1 need nothing, 1 lack code.\n" in out


def test_what_leads_nowhere_is_named(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Ledger("ford", LINES, (Found("9.9", "a.py:b"),), (Found("8.8", "test_a.py:test_b"),), True))
    out = bulge("rules", "ford").out
    assert "The code cites a rule that does not exist: 9.9 at a.py:b" in out
    assert "A test is marked with a rule that does not exist: 8.8 at test_a.py:test_b" in out


def test_the_ford_has_a_ledger(bulge: Bulge) -> None:
    out = bulge("rules", "ford").out
    assert "6.1 Combat" in out
    assert "combat.py:may_not_join" in out


def test_an_unknown_game_is_refused(bulge: Bulge) -> None:
    outcome = bulge("rules", "fjord")
    assert outcome.code == 2
    assert "fjord" in outcome.err
