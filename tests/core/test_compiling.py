"""What is compiled (scripts/compiled.py) must not say anything that the compiler takes in another sense."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def script() -> Any:
    spec = spec_from_file_location("compiled", ROOT / "scripts/compiled.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_that_is_to_be_compiled_is_there_and_read_alike(script: Any) -> None:
    paths = script.modules()
    assert len(paths) > 50
    faults = {str(path): list(script.misread((ROOT / path).read_text("utf-8"))) for path in paths}
    assert not {path: found for path, found in faults.items() if found}


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("class Row(Struct, frozen=True):\n    a: int", "line 1: what the head of Row says"),
        ("class A:\n    @cached_property\n    def b(self): ...", "line 3: b would be worked out each time"),
        ("@dataclass(frozen=True)\nclass A:\n    said = {}", "line 3: a variable of the dataclass A"),
        ("@dataclass\nclass A:\n    said: ClassVar[int] = 1", "line 3: a variable of the dataclass A"),
        ("class A(Keeps):\n    def b(self): return copy(self)", "line 2: a copy of A would share what it keeps"),
        ("a = object.__new__(A)", "line 1: a compiled class is made by its own __new__"),
    ],
)
def test_what_the_compiler_would_misread_is_found(script: Any, source: str, said: str) -> None:
    (fault,) = script.misread(source)
    assert fault.startswith(said)


def test_citations_are_left_out_and_all_else_stays_on_its_line(script: Any) -> None:
    source = '@rule("1.1")\ndef a(): ...\n\n\n@cache\n@rule(\n    "2",\n    "3",\n)\ndef b(): ...\n'
    assert script.without_citations(source) == "\ndef a(): ...\n\n\n@cache\n\n\n\n\ndef b(): ...\n"
