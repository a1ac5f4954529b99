"""Facts with sources, overrides laid over them, and clear words for what does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from bulge.core.data import GameData, Overrides, Row
from bulge.core.errors import BulgeError
from bulge.core.rulebook import Rulebook, load_rulebook
from bulge.core.tables import ResultsTable
from bulge.games import load_game
from bulge.games.ford import make
from tests.helpers import complaint


class Tank(Row, frozen=True, kw_only=True):
    name: str
    factor: int
    fast: bool = False
    note: str | None = None


CSV = "id,name,factor,fast,note,source\nT1,Tiger,8,,slow,rulebook 3.1\nT2,Panther,6,true,,reconstructed: a guess\n"
TOML = (
    '[T1]\nname = "Tiger"\nfactor = 8\nsource = "history"\n[T2]\nname = "Panther"\nfactor = 6\nsource = "ours"\n'
)


def load(folder: Path, file: str, text: str, overrides: str = "") -> GameData:
    (folder / file).write_text(text, "utf-8")
    data = GameData("toy", folder, Overrides(overrides, "my.toml"))
    data.rows(file, Tank)
    data.overrides.complain_of_unused("toy")
    return data


def test_rows_are_read_in_order_with_their_sources(tmp_path: Path) -> None:
    table = load(tmp_path, "tanks.csv", CSV).tables["tanks"]
    assert [row.id for row in table] == ["T1", "T2"]
    assert table["T1"] == Tank(id="T1", name="Tiger", factor=8, note="slow", source="rulebook 3.1")
    assert table["T2"] == Tank(id="T2", name="Panther", factor=6, fast=True, source="reconstructed: a guess")
    assert [row.reconstructed for row in table] == [False, True]
    assert len(table) == 2


def test_toml_gives_the_same_rows_as_csv(tmp_path: Path) -> None:
    table = load(tmp_path, "tanks.toml", TOML).tables["tanks"]
    assert [(row.id, row.name, row.factor) for row in table] == [("T1", "Tiger", 8), ("T2", "Panther", 6)]


@pytest.mark.parametrize(("file", "text"), [("tanks.csv", CSV), ("tanks.toml", TOML)])
def test_an_override_changes_one_field_and_says_so(tmp_path: Path, file: str, text: str) -> None:
    plain = load(tmp_path, file, text).tables["tanks"]
    table = load(tmp_path, file, text, "[toy.tanks.T2]\nfactor = 7").tables["tanks"]
    assert table["T1"] == plain["T1"]
    assert (table["T2"].factor, table["T2"].name) == (7, "Panther")
    assert table["T2"].source == "override: my.toml"


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ("[toy.tank.T1]\nfactor = 1", "no table 'tank'; it has: tanks"),
        ("[toy.tanks.T9]\nfactor = 1", "no row 'T9'"),
        ("[toy.tanks.T1]\nfaktor = 1", "faktor"),
        ('[toy.tanks.T1]\nfactor = "strong"', "int"),
        ("[toy.tanks.T1]\nfactor = 1.5", "int"),
        ("[toy.tanks.T1]\nfactor = [1]", "int"),
        ("[toy.tanks.T1]\nname = 5", "str"),
        ('[toy.tanks.T1]\nid = "T3"', "id"),
        ("[toy.tanks]\nT1 = 5", "must hold rows"),
        ("[toy]\ntanks = 5", "must be a section"),
        ("toy = 5", "must be a section"),
        ("[toy.tanks.T1", "not proper TOML"),
    ],
)
@pytest.mark.parametrize(("file", "text"), [("tanks.csv", CSV), ("tanks.toml", TOML)])
def test_a_wrong_override_is_refused_in_one_line(
    tmp_path: Path, file: str, text: str, overrides: str, words: str
) -> None:
    with pytest.raises(BulgeError) as raised:
        load(tmp_path, file, text, overrides)
    assert complaint(raised).startswith("my.toml")
    assert words in complaint(raised)


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("tanks.csv", CSV.replace("rulebook 3.1", ""), "source"),
        ("tanks.csv", CSV.replace("rulebook 3.1", "somewhere"), "source must begin with"),
        ("tanks.csv", CSV.replace("T2", "T1"), "one id to two rows"),
        ("tanks.csv", CSV.replace("8", "eight"), "int"),
        ("tanks.csv", CSV.replace("factor", "strength"), "strength"),
        ("tanks.csv", CSV.replace("Tiger", "Tiger,II"), "T1"),
        ("tanks.csv", CSV.replace("Tiger", ""), "name"),
        ("tanks.toml", TOML + "[", "not proper TOML"),
        ("tanks.toml", "T1 = 5", "T1"),
        ("tanks.toml", TOML.replace('source = "ours"', ""), "source"),
    ],
)
def test_a_wrong_data_file_is_refused_in_one_line(tmp_path: Path, file: str, text: str, words: str) -> None:
    with pytest.raises(BulgeError) as raised:
        load(tmp_path, file, text)
    assert words in complaint(raised)
    assert file in complaint(raised)


def test_a_missing_data_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BulgeError) as raised:
        GameData("toy", tmp_path).rows("tanks.csv", Tank)
    assert "toy lacks its file tanks.csv" in complaint(raised)


# ---------------------------------------------------------------------- results tables

CRT = "id,<=0,+1..+2,>=3,source\n1,,DR,DE,ours\n2,A1,,DR,ours\n"


def load_results(folder: Path, text: str, overrides: str = "") -> tuple[ResultsTable, GameData]:
    (folder / "combat.csv").write_text(text, "utf-8")
    data = GameData("toy", folder, Overrides(overrides, "my.toml"))
    return data.results("combat.csv"), data


def test_a_results_table_keeps_empty_cells(tmp_path: Path) -> None:
    table, _ = load_results(tmp_path, CRT)
    assert table.columns == ("<=0", "+1..+2", ">=3")
    assert table.rows == (("", "DR", "DE"), ("A1", "", "DR"))


def test_an_override_changes_one_result_and_says_so(tmp_path: Path) -> None:
    table, data = load_results(tmp_path, CRT, '[toy.combat.1]\n">=3" = "A1"')
    assert table.rows == (("", "DR", "A1"), ("A1", "", "DR"))
    assert [row.source for row in data.tables["combat"]] == ["override: my.toml", "ours"]


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ('[toy.combat.1]\n">=4" = "D9"', "no column '>=4'"),
        ('[toy.combat.7]\n">=3" = "D9"', "no row '7'"),
        ('[toy.combat.1]\n">=3" = 9', "str"),
    ],
)
def test_a_wrong_override_of_a_result_is_refused(tmp_path: Path, overrides: str, words: str) -> None:
    with pytest.raises(BulgeError) as raised:
        load_results(tmp_path, CRT, overrides)
    assert words in complaint(raised)


@pytest.mark.parametrize(
    "text",
    ["", "id,0,source\n", CRT.replace("\n2", "\n1"), CRT.replace("+1..+2", "odd"), "0,source\nA,ours\n"],
)
def test_a_wrong_results_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BulgeError) as raised:
        load_results(tmp_path, text)
    complaint(raised)


# ---------------------------------------------------------------------- overrides files, and games


def test_an_overrides_file_is_read_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text("[ford.units.B1]\nstrength = 5\n", "utf-8")
    overrides = Overrides.read(path)
    assert overrides.games() == ["ford"]
    assert make(overrides).facts.units[0].strength == 5
    assert make().facts.units[0].strength == 3


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"[ford"])
def test_an_overrides_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "my.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BulgeError) as raised:
        Overrides.read(path)
    assert "my.toml" in complaint(raised)


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ("[frod.units.B1]\nstrength = 5", "no game 'frod'"),
        ("[ford.unit.B1]\nstrength = 5", "no table 'unit'"),
        ("[ford.units.B7]\nstrength = 5", "no row 'B7'"),
        ("[ford.units.B1]\nstrenght = 5", "strenght"),
        ('[ford.units.B1]\nstrength = "five"', "int"),
    ],
)
def test_a_game_refuses_misspelt_overrides(overrides: str, words: str) -> None:
    with pytest.raises(BulgeError) as raised:
        load_game("ford", Overrides(overrides, "my.toml"))
    assert words in complaint(raised)


def test_overrides_of_another_game_do_no_harm() -> None:
    load_game("ford", Overrides("[the_bulge.anything.X]\nfactor = 1"))


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(BulgeError) as raised:
        load_game("frod")
    assert "there are:" in complaint(raised)


# ---------------------------------------------------------------------- rulebooks


def load_rules(folder: Path, text: str) -> Rulebook:
    (folder / "rulebook.toml").write_text(text, "utf-8")
    return load_rulebook("toy", folder)


RULE = '[[rule]]\nnumber = "1.1"\ntitle = "Stop"\nwords = "All stop."\n'


def test_rules_are_found_by_number(tmp_path: Path) -> None:
    rules = load_rules(tmp_path, RULE)
    assert "1.1" in rules
    assert rules["1.1"].words == "All stop."
    assert rules.cite("1.1") == "1.1 Stop"
    assert rules.cite("9.9") == "9.9"
    with pytest.raises(BulgeError) as raised:
        rules["9.9"]
    assert "no rule 9.9" in complaint(raised)


@pytest.mark.parametrize(
    "text", [RULE + RULE, RULE + 'color = "red"', "[[rule]]\nnumber = 1", "[[rule", "", 'rule = "1.1"']
)
def test_a_wrong_rulebook_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BulgeError) as raised:
        load_rules(tmp_path, text)
    complaint(raised)
