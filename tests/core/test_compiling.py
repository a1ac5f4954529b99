"""What is compiled (scripts/compiled.py) must not say anything that the compiler takes in another sense."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from bulge.games import GAMES, load_game

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def script() -> Any:
    spec = spec_from_file_location("compiled", ROOT / "scripts/compiled.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_all_that_is_to_be_compiled_is_there_and_read_alike(script: Any) -> None:
    paths = script.modules()
    assert len(paths) > 50
    sources = {str(path): (ROOT / path).read_text("utf-8") for path in paths}
    elsewhere = dict(each for source in sources.values() for each in script.declared(source))
    faults = {path: list(script.misread(source, elsewhere)) for path, source in sources.items()}
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
        (
            "@dataclass\nclass A(Above):\n    side: str\n    of: int = 1",
            "line 3: A.side would have what",
        ),
    ],
)
def test_what_the_compiler_would_misread_is_found(script: Any, source: str, said: str) -> None:
    (fault,) = script.misread(source, {"Above": {"side", "of"}})
    assert fault.startswith(said)


def test_citations_are_left_out_and_all_else_stays_on_its_line(script: Any) -> None:
    source = '@rule("1.1")\ndef a(): ...\n\n\n@cache\n@rule(\n    "2",\n    "3",\n)\ndef b(): ...\n'
    assert script.without_citations(source) == "\ndef a(): ...\n\n\n@cache\n\n\n\n\ndef b(): ...\n"


Called = Callable[[str, Path, Callable[[Path], None]], None]


@pytest.fixture
def called(script: Any, monkeypatch: pytest.MonkeyPatch) -> Called:
    """The script with these words, and something quicker in the place of the compiler."""

    def call(what: str, folder: Path, compile_into: Callable[[Path], None]) -> None:
        monkeypatch.setattr("sys.argv", ["compiled.py", what, str(folder)])
        monkeypatch.setattr(script, "compile_into", compile_into)
        monkeypatch.setattr(script, "played", lambda root: TOLD.get(root.name, ["ford bridge 4 abc"]))
        script.main()

    return call


TOLD = {"fails": ["TypeError: no list"], "differs": ["ford bridge 4 abd"]}
"""What copies in folders of these names print when they play."""


def half_done(folder: Path) -> None:
    (folder / "half").touch()


def broken_off(folder: Path) -> None:
    half_done(folder)
    raise KeyboardInterrupt


def test_a_folder_that_holds_anything_else_is_left_alone(called: Called, tmp_path: Path) -> None:
    """The folder is emptied for a copy: whoever names another one must not lose what is in it."""
    (tmp_path / "letter").touch()
    with pytest.raises(SystemExit, match="holds other things than a compiled copy"):
        called("make", tmp_path, half_done)
    assert (tmp_path / "letter").exists()
    for _ in range(2):
        called("make", tmp_path / "new" / "copy", half_done)
    assert (tmp_path / "new" / "copy" / "half").exists()


def test_a_copy_that_broke_off_is_not_made_and_may_be_made_again(called: Called, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    with pytest.raises(KeyboardInterrupt):
        called("make", copy, broken_off)
    with pytest.raises(SystemExit) as asked:
        called("is-made", copy, broken_off)
    assert asked.value.code
    called("make", copy, lambda folder: None)
    assert not (copy / "half").exists()
    with pytest.raises(SystemExit) as asked:
        called("is-made", copy, broken_off)
    assert not asked.value.code


@pytest.mark.parametrize("name", TOLD)
def test_a_copy_that_plays_otherwise_is_refused_and_not_made(called: Called, tmp_path: Path, name: str) -> None:
    with pytest.raises(SystemExit, match=f"does not play as the source does: {TOLD[name][0]}, where"):
        called("make", tmp_path / name, half_done)
    with pytest.raises(SystemExit) as asked:
        called("is-made", tmp_path / name, half_done)
    assert asked.value.code


@pytest.mark.slow
def test_what_a_copy_plays_is_every_scenario(script: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(script, "PLAYED", 5)
    script.play()
    played = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert played == [[id_, scenario] for id_ in GAMES for scenario in load_game(id_).scenarios]


def test_a_copy_is_of_the_source_as_it_is_with_its_names_and_its_compiler(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "ROOT", tmp_path)
    (tmp_path / "bulge").mkdir()
    (tmp_path / "requirements").mkdir()
    for name in ("bulge/a.py", "pyproject.toml", "requirements/test.txt"):
        (tmp_path / name).write_text(name)
    seen = [script.fingerprint()]
    (tmp_path / "bulge/a.py").rename(tmp_path / "bulge/b.py")
    seen.append(script.fingerprint())
    for name in ("bulge/b.py", "pyproject.toml", "requirements/test.txt"):
        (tmp_path / name).write_text(f"{name}, changed")
        seen.append(script.fingerprint())
    assert len(set(seen)) == len(seen)
    assert script.fingerprint() == seen[-1]
