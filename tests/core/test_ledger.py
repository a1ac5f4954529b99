"""The ledger, on small packages made for the purpose."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from bulge.core.errors import BadData
from bulge.core.ledger import Ledger, folder_of_tests, number_pattern, read_ledger
from bulge.core.rulebook import Rule, Rulebook

BOOK = Rulebook(
    "toy",
    [
        Rule("1.0", "Introduction", "What this is.", needs_nothing="an introduction"),
        Rule("2.1", "Moving", "Units move."),
        Rule("2.2", "Stopping", "Units stop."),
        Rule("S3.1", "Snow", "Units freeze."),
    ],
)


def ledger(tmp_path: Path, code: str = "", tests: str | None = "") -> Ledger:
    package = tmp_path / "toy"
    package.mkdir()
    (package / "moving.py").write_text(dedent(code), "utf-8")
    folder = None
    if tests is not None:
        folder = tmp_path / "tests"
        folder.mkdir()
        (folder / "test_toy.py").write_text(dedent(tests), "utf-8")
    return read_ledger(BOOK, package, folder)


def code_of(found: Ledger, number: str) -> tuple[str, ...]:
    return next(line.code for line in found.lines if line.rule.number == number)


def held_by(found: Ledger, number: str) -> tuple[str, ...]:
    return next(line.tests for line in found.lines if line.rule.number == number)


# ---------------------------------------------------------------------- code


def test_a_decorator_cites_for_its_function(tmp_path: Path) -> None:
    found = ledger(tmp_path, '@rule("2.1", "S3.1")\ndef move(): pass\n')
    assert code_of(found, "2.1") == code_of(found, "S3.1") == ("moving.py:move",)
    assert code_of(found, "2.2") == ()


def test_a_method_is_named_with_its_class(tmp_path: Path) -> None:
    found = ledger(tmp_path, 'class Toy:\n    @rule("2.1")\n    def move(self): pass\n')
    assert code_of(found, "2.1") == ("moving.py:Toy.move",)


@pytest.mark.parametrize(
    "line",
    [
        'yield Decision(side, "Move?", options, "2.2", Kind.UNIT)',
        't.say("2.2", f"{unit} stops.")',
        't.roll(rule="2.2", what_for="a halt")',
        'return Refusal("2.2", "it must stop")',
        'found.append(Modifier("snow", -1, "2.2"))',
        'lose_step(t, unit, "2.2" if snow else "S3.1")',
        'return "it must stop", "2.2"',
        'explain({"stop": "2.2"})',
        'explain(["2.2"])',
    ],
)
def test_a_number_handed_to_a_call_or_given_as_an_answer_is_a_citation(tmp_path: Path, line: str) -> None:
    assert code_of(ledger(tmp_path, f"def stop(t):\n    {line}\n"), "2.2") == ("moving.py:stop",)


@pytest.mark.parametrize(
    "line",
    [
        'if decision.rule == "2.2": pass',
        '"""2.2"""',
        't.say(f"2.2")',
        't.say("See rule 2.2.")',
        'half = Fraction("2.2")',
        'ford = pytest.mark.anything("2.2".upper)',
    ],
)
def test_other_strings_are_no_citations(tmp_path: Path, line: str) -> None:
    found = ledger(tmp_path, f"def stop(t):\n    {line}\n")
    assert code_of(found, "2.2") == ()
    assert found.unknown_citations == ()


def test_a_place_is_listed_once(tmp_path: Path) -> None:
    found = ledger(tmp_path, '@rule("2.1")\ndef move(t):\n    t.say("2.1", "a")\n    t.say("2.1", "b")\n')
    assert code_of(found, "2.1") == ("moving.py:move",)


def test_code_in_folders_of_the_package_counts(tmp_path: Path) -> None:
    (tmp_path / "toy" / "deep").mkdir(parents=True)
    (tmp_path / "toy" / "deep" / "snow.py").write_text('t.say("S3.1", "It snows.")', "utf-8")
    found = read_ledger(BOOK, tmp_path / "toy", None)
    assert code_of(found, "S3.1") == ("deep/snow.py:module",)


def test_a_citation_of_a_rule_that_does_not_exist_is_found(tmp_path: Path) -> None:
    found = ledger(tmp_path, '@rule("2.9")\ndef move(t):\n    t.say("S4.44", "What?")\n')
    assert sorted(str(unknown) for unknown in found.unknown_citations) == [
        "2.9 at moving.py:move",
        "S4.44 at moving.py:move",
    ]


def test_whatever_stands_in_the_decorator_is_a_citation(tmp_path: Path) -> None:
    found = ledger(tmp_path, '@rule("two")\ndef move(t): pass\n')
    assert [unknown.number for unknown in found.unknown_citations] == ["two"]


def test_numbers_are_known_by_the_shapes_that_the_rulebook_uses() -> None:
    pattern = number_pattern(Rulebook("toy", [Rule(n, "", "") for n in ("1.2", "S3.1", "4.1a", "5.1.1", "7")]))
    for number in ("13.17", "S44.3", "6.2c", "9.8.12", "7"):
        assert pattern.fullmatch(number), number
    for other in ("8", "A1", "T4.3", "1.2.3.4", "1-2", "6.2C", "x 1.2"):
        assert not pattern.fullmatch(other), other


def test_source_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"moving\.py cannot be read"):
        ledger(tmp_path, "def (:\n")


# ---------------------------------------------------------------------- tests


def test_marks_count_for_the_test_that_carries_them(tmp_path: Path) -> None:
    tests = """
        import pytest
        GAME = "toy"

        @pytest.mark.rule("toy", "2.1")
        @pytest.mark.rule(GAME, "2.2")
        def test_moving(): pass

        @pytest.mark.rule("another", "S3.1")
        @pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("toy", "2.1"))])
        def test_more(n): pass
    """
    found = ledger(tmp_path, tests=tests)
    assert held_by(found, "2.1") == ("test_toy.py:test_moving", "test_toy.py:test_more")
    assert held_by(found, "2.2") == ("test_toy.py:test_moving",)
    assert held_by(found, "S3.1") == ()
    assert found.unknown_marks == ()


def test_a_mark_that_names_no_rule_is_found(tmp_path: Path) -> None:
    tests = """
        @pytest.mark.rule("toy", "8.8")
        def test_moving(): pass

        @pytest.mark.rule("toy", make_number())
        def test_more(): pass
    """
    found = ledger(tmp_path, tests=tests)
    assert [str(unknown) for unknown in found.unknown_marks] == [
        "8.8 at test_toy.py:test_moving",
        "a number that is no plain string at test_toy.py:test_more",
    ]


# ---------------------------------------------------------------------- what is lacking


def test_a_rule_is_bare_without_code_test_or_reason(tmp_path: Path) -> None:
    found = ledger(
        tmp_path, '@rule("2.1")\ndef move(): pass\n', '@pytest.mark.rule("toy", "2.2")\ndef test_stop(): pass\n'
    )
    assert [line.rule.number for line in found.lines if line.bare] == ["S3.1"]
    assert found.counts == {"rules": 4, "need nothing": 1, "lack code": 2, "lack tests": 2, "lack both": 1}


def test_without_tests_the_ledger_says_so(tmp_path: Path) -> None:
    found = ledger(tmp_path, '@rule("2.1")\ndef move(): pass\n', tests=None)
    assert not found.has_tests
    assert code_of(found, "2.1") == ("moving.py:move",)


def test_the_tests_of_this_checkout_are_found() -> None:
    folder = folder_of_tests()
    assert folder is not None
    assert folder == Path(__file__).parent.parent


# ---------------------------------------------------------------------- the hook in conftest.py


def test_a_run_stops_at_marks_that_name_no_rule(tmp_path: Path) -> None:
    wrong = {
        'rule("ford", "6.99")': "the rulebook of ford has no rule 6.99",
        'rule("fjord", "6.1")': "there is no game 'fjord'",
        'rule("6.1")': "write @pytest.mark.rule(game, number)",
        'rule("ford", 6.1)': "write @pytest.mark.rule(game, number)",
    }
    code, output = run_marked(tmp_path, *wrong, 'rule("ford", "6.1")')
    assert code == pytest.ExitCode.USAGE_ERROR
    for number, complaint in enumerate(wrong.values()):
        assert f"test_marked.py::test_{number}: {complaint}" in output
    assert "test_4" not in output


def test_a_run_with_proper_marks_goes_on(tmp_path: Path) -> None:
    code, output = run_marked(tmp_path, 'rule("ford", "6.1")')
    assert code == pytest.ExitCode.OK, output


def run_marked(tmp_path: Path, *marks: str) -> tuple[int, str]:
    """Run tests with these marks under this project's conftest.py."""
    shutil.copy(Path(__file__).parent.parent / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = rule(game, number): a rule\n", "utf-8")
    tests = [f"@pytest.mark.{mark}\ndef test_{number}(): pass\n" for number, mark in enumerate(marks)]
    (tmp_path / "test_marked.py").write_text("\n".join(["import pytest", *tests]), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    plain = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # the others take most of the time to load
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, env=plain)
    return done.returncode, done.stdout + done.stderr
