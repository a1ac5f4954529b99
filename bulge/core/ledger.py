"""The ledger of rules: for every rule of a game, the code that cites it and the tests that hold it.

Nothing is run for this: citations are read from the source, so that code which no test reaches counts too, and a
citation of a rule that does not exist is found before anybody is shown it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import bulge
from bulge.core.errors import BadData
from bulge.core.game import Game
from bulge.core.rulebook import Rule, Rulebook

NUMBERS_NOT_RULES = frozenset({"Decimal", "Fraction", "float", "int"})
"""Calls whose strings are numbers to reckon with: `Fraction("0.5")` cites nothing."""


class Found(NamedTuple):
    """A rule number as somebody wrote it, and where."""

    number: str
    place: str

    def __str__(self) -> str:
        return f"{self.number} at {self.place}"


class Line(msgspec.Struct, frozen=True):
    """One rule of the ledger."""

    rule: Rule
    code: tuple[str, ...]
    """Where code cites it, as `combat.py:_advance`."""
    tests: tuple[str, ...]

    @property
    def bare(self) -> bool:
        """Neither code nor test, and no reason why it needs none."""
        return not self.code and not self.tests and not self.rule.needs_nothing


class Ledger(msgspec.Struct, frozen=True):
    """All rules of a game, and the citations that lead nowhere."""

    game: str
    lines: tuple[Line, ...]
    unknown_citations: tuple[Found, ...]
    """Citations in code of rules that do not exist."""
    unknown_marks: tuple[Found, ...]
    """Marks on tests that name rules that do not exist, or that cannot be read from the source."""
    has_tests: bool
    """False where the program is installed without its tests."""

    @property
    def counts(self) -> dict[str, int]:
        """How many rules there are, need nothing, lack code, lack tests, lack both."""
        needing = [line for line in self.lines if not line.rule.needs_nothing]
        return {
            "rules": len(self.lines),
            "need nothing": len(self.lines) - len(needing),
            "lack code": sum(not line.code for line in needing),
            "lack tests": sum(not line.tests for line in needing),
            "lack both": sum(line.bare for line in needing),
        }


def ledger_of(game: Game[Any]) -> Ledger:
    """The ledger of a game, from its own package and this checkout's tests."""
    package = Path(inspect.getfile(type(game))).parent
    return read_ledger(game.rulebook, package, folder_of_tests())


def folder_of_tests() -> Path | None:
    """The tests of this checkout; None where the package is installed without them."""
    checkout = Path(bulge.__file__).parent.parent
    found = checkout / "tests"
    return found if found.is_dir() and (checkout / "pyproject.toml").is_file() else None


def read_ledger(rulebook: Rulebook, package: Path, tests: Path | None) -> Ledger:
    """The ledger of a rulebook, from the source of a package and of the tests."""
    cited = list(code_citations(rulebook, package))
    marked = list(marks_on_tests(rulebook.game, tests)) if tests else []
    return Ledger(
        game=rulebook.game,
        lines=tuple(
            Line(rule, _places(number, cited), _places(number, marked)) for number, rule in rulebook.rules.items()
        ),
        unknown_citations=tuple(found for found in cited if found.number not in rulebook),
        unknown_marks=tuple(found for found in marked if found.number not in rulebook),
        has_tests=tests is not None,
    )


def _places(number: str, found: Iterable[Found]) -> tuple[str, ...]:
    """Where a rule is cited, each place once, in the order of the files."""
    return tuple(dict.fromkeys(place for cited, place in found if cited == number))


# ---------------------------------------------------------------------- what looks like a rule's number


def number_pattern(rulebook: Rulebook) -> re.Pattern[str]:
    """What strings look like citations: the shapes of this rulebook's own numbers, with any digits.

    A number without a point or the like (`7`) looks like a thousand other strings: of those, only the rules
    that exist count.
    """
    shapes = {_shape(number) for number in rulebook.rules}
    return re.compile("|".join(sorted(shapes)) or r"(?!)")


def _shape(number: str) -> str:
    if number.isalnum():
        return re.escape(number)
    return "".join(_shape_of_part(part) for part in re.findall(r"\d+|[a-z]|.", number))


def _shape_of_part(part: str) -> str:
    if part.isdecimal():
        return r"\d+"
    return "[a-z]" if part.islower() else re.escape(part)


# ---------------------------------------------------------------------- citations in code


def code_citations(rulebook: Rulebook, package: Path) -> Iterator[Found]:
    """Every citation in a game's package: `@rule(...)`, and numbers handed to calls or given as answers."""
    pattern = number_pattern(rulebook)
    for path in sorted(package.rglob("*.py")):
        file = path.relative_to(package).as_posix()
        for function, node in _with_function(_parse(path)):
            yield from (Found(number, f"{file}:{function}") for number in _cited_by(node, pattern))


def _cited_by(node: ast.AST, pattern: re.Pattern[str]) -> Iterator[str]:
    """The rules that one call, `return` or `yield` cites by itself."""
    if isinstance(node, ast.Call):
        name = _name_of(node.func)
        if name in NUMBERS_NOT_RULES:
            return
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        found = [text for value in values for text in _strings(value)]
        # What stands in @rule is a citation, whatever it looks like.
        yield from found if name == "rule" else filter(pattern.fullmatch, found)
    elif isinstance(node, (ast.Return, ast.Yield)) and node.value is not None:
        yield from filter(pattern.fullmatch, _strings(node.value))


def _strings(value: ast.expr) -> Iterator[str]:
    """The plain strings that an expression may come to, without what calls in it are handed."""
    if isinstance(value, ast.Constant):
        if isinstance(value.value, str):
            yield value.value
    elif isinstance(value, ast.IfExp):
        yield from _strings(value.body)
        yield from _strings(value.orelse)
    elif isinstance(value, ast.Dict):
        for part in value.values:
            yield from _strings(part)
    elif isinstance(value, ast.Starred):
        yield from _strings(value.value)
    elif isinstance(value, (ast.Tuple, ast.List, ast.Set)):
        for part in value.elts:
            yield from _strings(part)
    elif isinstance(value, ast.BoolOp):
        for part in value.values:
            yield from _strings(part)


# ---------------------------------------------------------------------- marks on tests


def marks_on_tests(game: str, tests: Path) -> Iterator[Found]:
    """Every `pytest.mark.rule(game, number)` of one game, by the test that carries it."""
    for path in sorted(tests.rglob("*.py")):
        for function, of, *numbers in _marks_in(path, path.stat().st_mtime_ns):
            if of in (game, None):
                place = f"{path.relative_to(tests).as_posix()}:{function}"
                yield from (Found(number or "a number that is no plain string", place) for number in numbers)


@cache
def _marks_in(path: Path, _changed: int) -> list[tuple[str | None, ...]]:
    """Each mark of a file: its test, its game, its numbers. Kept: every game's ledger reads all tests."""
    tree = _parse(path)
    constants = _constants(tree)
    return [
        (function, *([_text(arg, constants) for arg in node.args] or [None]))
        for function, node in _with_function(tree)
        if isinstance(node, ast.Call) and _is_rule_mark(node.func)
    ]


def _is_rule_mark(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "rule"
        and isinstance(function.value, ast.Attribute)
        and function.value.attr == "mark"
    )


def _constants(tree: ast.Module) -> dict[str, str]:
    """Names that a module gives to plain strings: `GAME = "ford"`."""
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _text(value: ast.expr, constants: dict[str, str]) -> str | None:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    return constants.get(value.id) if isinstance(value, ast.Name) else None


# ---------------------------------------------------------------------- reading source


def _parse(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text("utf-8"), str(path))
    except (SyntaxError, UnicodeDecodeError) as error:
        raise BadData(f"{path} cannot be read for the ledger: {error}") from None


def _with_function(tree: ast.AST, function: str = "module") -> Iterator[tuple[str, ast.AST]]:
    """Every node with the function or class around it; a decorator belongs to what it decorates."""
    for node in ast.iter_child_nodes(tree):
        inside = function
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inside = node.name if function == "module" else f"{function}.{node.name}"
        yield inside, node
        yield from _with_function(node, inside)


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
