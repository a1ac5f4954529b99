"""What the terminal says of a hex: as it is now, not as it was set up."""

from __future__ import annotations

import bulge
from bulge.cli.describe import board_lines, space_lines
from bulge.core.match import Match
from bulge.games.ford.facts import FordPosition
from bulge.games.ford.game import Ford
from tests.games.the_bulge.helpers import at, play, position
from tests.helpers import SEED, answer


def test_control_and_front_are_those_of_the_moment() -> None:
    match = play(position({"18VG": "0804", "30ID": "0619"}, turn=3))
    before = space_lines(match, at("0805"), None)
    assert before[0].endswith("Allied control.")
    assert any(line.startswith("Towards 0804:") and line.endswith("front.") for line in before)
    after = space_lines(answer(match, "18VG", "0805"), at("0805"), None)
    assert after[0].endswith("German control.")
    assert not any(line.startswith("Towards 0804:") and line.endswith("front.") for line in after)


def test_what_the_map_says_of_control_is_only_the_set_up() -> None:
    match = play(position({"30ID": "0302"}, turn=3))
    assert "german control" not in space_lines(match, at("0302"), None)[0]
    assert space_lines(match, at("0301"), None)[0].endswith("German control.")


def test_villages_are_named_without_brackets() -> None:
    first = space_lines(play(position({})), at("0101"), None)[0]
    assert "with Kall" in first
    assert "[" not in first


def test_supply_and_zones_are_told_of_a_hex_and_the_towns_that_are_held_of_the_board() -> None:
    match = play(position({"18VG": "0804", "30ID": "0619"}, turn=3))
    lines = space_lines(match, at("0805"), None)
    assert "Supply of: German and Allied." in lines
    assert "In zones of control of: German." in lines
    assert any(line.startswith("German control: ") for line in board_lines(match, None))


def test_ground_is_told_in_words() -> None:
    assert "light woods" in space_lines(play(position({})), at("1507"), None)[0]


def test_what_became_of_a_counter_its_steps_and_markers_are_on_the_board() -> None:
    match = bulge.match("enemy_action", seed=7)
    lines = board_lines(match, "Allied")
    assert "0305: 326.LXVII 326th Volksgrenadier Division, 4 steps, disrupted" in lines
    assert "0405: improved position" in lines[lines.index("Markers:") :]
    assert "Supply of: Allied." in space_lines(match, match.game.board.at("1814"), "Allied")


class Layered(Ford):
    def overlays(self, p: FordPosition, side: str | None) -> dict[str, tuple[str, ...]]:
        return {"zones_Blue": ("0202",), "zones_the_enemy": ()}


def test_a_layer_may_be_called_anything() -> None:
    match = Match(Layered(), seed=SEED)
    lines = space_lines(match, match.game.board.at("0202"), None)
    assert "In zones of control of: Blue." in lines
