"""`bulge sim` and `bulge report` as typed, and what they say where a library is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bulge.cli.sim import _ray_address
from bulge.lab.extras import MissingExtra, needed
from tests.cli.conftest import Bulge
from tests.lab.conftest import rows


def test_a_run_is_summed_up_by_scenario(bulge: Bulge, home: Path) -> None:
    outcome = bulge("sim", "ford", "--games", "12", "--jobs", "1", "--blue", "random", "--out", "run")
    assert outcome.code == 0
    won = sum(row["winner"] == "Blue" for row in rows(home / "run"))
    assert outcome.lines[0].startswith(f"The bridge: Blue won {won} of 12, ")
    assert outcome.lines[-1] == "Wrote run/results.parquet. What it says: bulge report run"
    assert "10 of 12 games, about" in outcome.err


def test_the_same_command_again_finds_everything_done(bulge: Bulge) -> None:
    command = ("sim", "ford", "--games", "3", "--jobs", "1", "--scenario", "all", "--out", "run")
    first, second = bulge(*command), bulge(*command)
    assert second.lines == ["6 of 6 games are there already.", *first.lines]


HOLD = """
import sys
from pathlib import Path
from bulge.lab.locking import alone_in
with alone_in(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_folder_holds_one_run_at_a_time(bulge: Bulge, home: Path) -> None:
    command = ("sim", "ford", "--games", "2", "--jobs", "1", "--out", "run")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home / "run")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        outcome = bulge(*command)
        assert outcome.code == 2
        assert "another process is at work in run" in outcome.err
        assert not (home / "run" / "run.json").exists()
        other.kill()
    assert bulge(*command).code == 0, "a lock ends with its process"
    assert not (home / "run" / "run.lock").exists()


def test_names_of_sides_are_options(bulge: Bulge, home: Path) -> None:
    bulge("sim", "--red=random", "ford", "--games", "2", "--jobs", "1", "--out", "run")
    assert '"Red": "random"' in (home / "run" / "run.json").read_text()
    assert '"Blue": "greedy"' in (home / "run" / "run.json").read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("ford",), "missing option '--out'"),
        (("chess", "--out", "run"), "there is no game 'chess'"),
        (
            ("ford", "--german", "greedy", "--out", "run"),
            "no such option or side: --german; The Ford allows: --blue",
        ),
        (("ford", "--blue", "genius", "--out", "run"), "--blue wants a player, not 'genius'; there are: random"),
        (("ford", "--blue", "--out", "run"), "--blue wants a player, and nothing follows it"),
        (("ford", "--scenario", "moon", "--out", "run"), "has no scenario 'moon'"),
        (("ford", "--games", "0", "--out", "run"), "invalid value for '--games'"),
        (("ford", "bulge", "--out", "run"), "one game at a time"),
        (
            ("--ray", "ford", "--out", "run"),
            "bulge sim GAME --out DIR ... ('ford' was taken for the address of a cluster)",
        ),
        (("--ray", "--out", "run"), "which game? It comes before the options: bulge sim GAME --out DIR ...\n"),
    ],
)
def test_mistakes_are_refused_before_anything_is_written(
    bulge: Bulge, home: Path, words: tuple[str, ...], complaint: str
) -> None:
    outcome = bulge("sim", *words)
    assert outcome.code == 2
    assert complaint in outcome.err
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "address", "rest"),
    [
        (["ford"], None, ["ford"]),
        (["ford", "--ray"], "local", ["ford"]),
        (["ford", "--ray", "10.0.0.1:6379", "--blue", "random"], "10.0.0.1:6379", ["ford", "--blue", "random"]),
        (["ford", "--ray=auto"], "auto", ["ford"]),
        (["ford", "--ray", "--blue", "random"], "local", ["ford", "--blue", "random"]),
    ],
)
def test_an_address_may_follow_ray(words: list[str], address: str | None, rest: list[str]) -> None:
    assert _ray_address(words) == (address, rest)


def test_a_report_needs_a_complete_run(bulge: Bulge, home: Path) -> None:
    outcome = bulge("report", "nowhere")
    assert outcome.code == 2
    assert "nowhere holds no run" in outcome.err
    assert list(home.iterdir()) == []


# ---------------------------------------------------------------------- missing libraries


def test_a_missing_library_is_named_with_its_extra() -> None:
    with pytest.raises(
        MissingExtra, match=r"ray needs the Python package nowhere_lib.*pip install 'bulge\[ray\]'"
    ):
        needed("nowhere_lib.part", "ray", "ray")


WITHOUT = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"pyarrow", "ray", "pettingzoo", "gymnasium", "pyspiel", "open_spiel"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
from bulge.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("match", "random", "random", "ford", "--games", "2", "--jobs", "1"), 0, ""),
        (("sim", "ford", "--out", "run"), 2, "bulge sim needs the Python package pyarrow"),
        (("report", "run"), 2, "bulge report needs the Python package pyarrow"),
    ],
)
def test_playing_needs_none_of_the_libraries(
    home: Path, ford_run: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    (home / "run").symlink_to(ford_run)
    words = tuple(word.replace("run", "new") if words[0] == "sim" else word for word in words)
    done = subprocess.run([sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert said in done.stderr


def test_the_environment_says_what_it_needs() -> None:
    program = WITHOUT.rpartition("from bulge")[0] + "import bulge\nbulge.env('ford')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "bulge.env needs the Python package pettingzoo" in done.stderr
    assert "pip install 'bulge[rl]'" in done.stderr


# ---------------------------------------------------------------------- examples

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "said"),
    [
        ("pettingzoo_env.py", "In 20 random games: Blue won"),
        ("open_spiel_search.py", "Red, which searches, won"),
        ("read_results.py", "Red lost"),
    ],
)
def test_the_examples_run(example: str, said: str, home: Path) -> None:
    done = subprocess.run([sys.executable, "-W", "error", EXAMPLES / example], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith(said)


def test_every_example_is_run() -> None:
    marks = test_the_examples_run.pytestmark  # type: ignore[attr-defined]
    listed = {row[0] for mark in marks if mark.name == "parametrize" for row in mark.args[1]}
    assert {path.name for path in EXAMPLES.glob("*.py")} == listed
