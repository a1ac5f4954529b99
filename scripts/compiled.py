"""Copies the package, its inner modules compiled to C by mypyc: `python scripts/compiled.py make FOLDER`.

`is-made` instead of `make` says by its exit code whether there is one of the source as it is now. A copy is whole
only when it has played games just as the source does; `play` prints what comes of them.
"""

from __future__ import annotations

import ast
import hashlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILED = {
    "core": "bars board deck hexes kept movement question retreat spaces steps supply tables zones",
    "games/hexes": "attackers facts imagining roster sequence sides situation",
    "games/the_bulge": "*",
    "games/ardennes_offensive": "*",
    "games/ardennes_44": "*",
    "games/bastogne": "facts morale situation",
}
"""What is compiled, by folder; an asterisk for all but these:"""
LEFT = ("__init__", "game", "look", "position", "rows", "scene")
PLAYED = 3_000
"""So many choices at random of every scenario are compared; in Ardennes '44 that is some turns."""
STAMP = "fingerprint"
"""The file that says which source a copy is of; empty until the copy is whole."""


def modules() -> list[Path]:
    """The files that are compiled, relative to the root."""
    found: list[Path] = []
    for folder, names in COMPILED.items():
        here = Path("bulge") / folder
        whole = sorted(path.stem for path in (ROOT / here).glob("*.py") if path.stem not in LEFT)
        found += [here / f"{name}.py" for name in (whole if names == "*" else names.split())]
    return found


def declared(source: str) -> Iterator[tuple[str, set[str]]]:
    """The classes of a module, and the attributes that each declares."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            yield node.name, {ast.unparse(held.target) for held in node.body if isinstance(held, ast.AnnAssign)}


def misread(source: str, elsewhere: Mapping[str, set[str]]) -> Iterator[str]:
    """What mypyc would compile without a word to something else than Python makes of it.

    `elsewhere` has what all classes that are compiled declare.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and "cached_property" in map(ast.unparse, node.decorator_list):
            yield f"line {node.lineno}: {node.name} would be worked out each time; use `kept`"
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "object.__new__":
            yield f"line {node.lineno}: a compiled class is made by its own __new__ alone"
        if isinstance(node, ast.ClassDef):
            if {"Keeps", "Generic"} & {ast.unparse(base).partition("[")[0] for base in node.bases}:
                yield from (
                    f"line {call.lineno}: a copy of {node.name} would share what it keeps"
                    for call in ast.walk(node)
                    if isinstance(call, ast.Call) and ast.unparse(call) == "copy(self)"
                )
            if node.keywords:
                yield f"line {node.lineno}: what the head of {node.name} says beside its bases would be forgotten"
            if any(ast.unparse(given).startswith("dataclass") for given in node.decorator_list):
                yield from (
                    f"line {held.lineno}: a variable of the dataclass {node.name} would be taken for a field"
                    for held in node.body
                    if isinstance(held, ast.Assign)
                    or (isinstance(held, ast.AnnAssign) and ast.unparse(held.annotation).startswith("ClassVar"))
                )
                above = {name for base in node.bases for name in elsewhere.get(ast.unparse(base), ())}
                yield from (
                    f"line {held.lineno}: {node.name}.{ast.unparse(held.target)} would have what the class above "
                    "declares for its default"
                    for held in node.body
                    if isinstance(held, ast.AnnAssign) and not held.value and ast.unparse(held.target) in above
                )


def without_citations(source: str) -> str:
    """A module without its `@rule`s, all else on the line where it was. They change nothing, but mypyc does not
    know that, and would call whatever has one the long way round."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        for given in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if ast.unparse(given).startswith("rule("):
                last = given.end_lineno or given.lineno
                lines[given.lineno - 1 : last] = ["\n"] * (last + 1 - given.lineno)
    return "".join(lines)


def fingerprint() -> str:
    """Of all that a compiled copy is made from, and by."""
    hashed = hashlib.sha256(sys.version.encode() + Path(__file__).read_bytes())
    source = sorted(path for path in (ROOT / "bulge").rglob("*") if path.is_file())
    for path in (ROOT / "pyproject.toml", ROOT / "requirements/test.txt", *source):
        if "__pycache__" not in path.parts:
            hashed.update(f"\n{path.relative_to(ROOT).as_posix()}\n".encode() + path.read_bytes())
    return hashed.hexdigest()


def make_room(folder: Path) -> None:
    """Empty the folder; one that holds anything but a copy, whole or broken off, is left alone."""
    if folder.exists() and not (folder / STAMP).is_file() and any(folder.iterdir()):
        sys.exit(
            f"{folder} holds other things than a compiled copy; name an empty folder, or one that is not there"
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / STAMP).touch()


def compile_into(folder: Path) -> None:
    from mypyc.build import mypycify
    from setuptools import Distribution

    shutil.copytree(ROOT / "bulge", folder / "bulge", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    sources = {folder / path: (folder / path).read_text("utf-8") for path in modules()}
    elsewhere = dict(each for source in sources.values() for each in declared(source))
    for path, source in sources.items():
        if faults := list(misread(source, elsewhere)):
            sys.exit(f"{path} cannot be compiled: {'; '.join(faults)}")
        path.write_text(without_citations(source), "utf-8")
    os.chdir(folder)
    names = [str(path.relative_to(folder)) for path in sources]
    made = Distribution({"ext_modules": mypycify(names, opt_level="2", debug_level="0", group_name="bulge")})
    made.get_command_obj("build_ext").inplace = True
    made.run_command("build_ext")
    for path, source in sources.items():
        path.write_text(source, "utf-8")
    shutil.rmtree(folder / "build")


def play() -> None:
    """Print for each scenario what comes of a game at random, with every option and every line of the log."""
    from bulge.core.chance import seed_of
    from bulge.core.match import Match
    from bulge.games import GAMES, load_game

    for id_ in GAMES:
        game = load_game(id_)
        for scenario in game.scenarios:
            rng, told = random.Random(scenario), hashlib.sha256()
            match = Match(game, scenario, seed=seed_of("compiled"))
            for _ in range(PLAYED):
                if match.decision is None:
                    break
                told.update(repr((match.decision.prompt, [*match.decision.options])).encode())
                match.choose(rng.choice(match.decision.options))
            told.update(repr([(event.rule, event.words) for event in match.log]).encode())
            print(id_, scenario, match.position.turn, told.hexdigest(), flush=True)


def plays_alike(folder: Path) -> None:
    """What the compiler takes in another sense without a word shows in play, if it shows at all."""
    source, copy = played(ROOT), played(folder)
    for asked, got in zip_longest(source, copy, fillvalue="nothing"):
        if asked != got:
            sys.exit(f"the compiled copy does not play as the source does: {got}, where the source has {asked}")


def played(root: Path) -> list[str]:
    """What is printed with the package in this folder; if it fails, its last line says how."""
    asked = [sys.executable, str(Path(__file__).resolve()), "play"]
    done = subprocess.run(
        asked, env=os.environ | {"PYTHONPATH": str(root)}, cwd=root, capture_output=True, text=True, check=False
    )
    return [*done.stdout.splitlines(), *done.stderr.strip().splitlines()[-1:]]


def main() -> None:
    what = sys.argv[1]
    if what == "play":
        play()
        return
    folder = Path(sys.argv[2]).resolve()
    stamp, now = folder / STAMP, fingerprint()
    if what == "is-made":
        sys.exit(not (stamp.is_file() and stamp.read_text("utf-8") == now))
    make_room(folder)
    compile_into(folder)
    plays_alike(folder)
    stamp.write_text(now, "utf-8")


if __name__ == "__main__":
    main()
