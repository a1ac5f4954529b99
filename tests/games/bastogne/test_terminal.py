"""Bastogne in the terminal: its help speaks of spaces, and board and what tell how things stand now."""

from __future__ import annotations

from bulge.cli.describe import OptionWords, board_lines, question_lines, space_lines
from bulge.cli.session import help_words
from tests.games.bastogne.helpers import at, bastogne, place, position, siege, spaces


def test_the_help_does_not_speak_of_hexes() -> None:
    words = help_words(bastogne())
    assert "hex" not in words.lower()
    assert "what SPACE" in words


def test_the_board_tells_morale_supply_weather_and_third_army_as_they_are_now() -> None:
    p = position({"1-501": "N2"}, morale=7, supply=11, weather="socked_in")
    p.patton = 4
    lines = board_lines(siege(p), "US")
    for line in ("German morale: 7 of 12", "US supply: 11 of 49", "Third Army: 4 of 9", "Weather: Socked In"):
        assert line in lines


def test_a_space_is_told_with_its_ground_control_and_entrenchment_as_they_are_now() -> None:
    p = position({"1-501": "N2"})
    place(p, "I-901", "N3")
    p.entrenched = spaces("N2")
    foy = space_lines(siege(p), at("N2"), "US")
    assert foy[0].startswith("Foy (N2): town, North Track, lateral road to Neffe (E2)")
    assert foy[0].endswith("US control.")
    assert "entrenched" in foy
    assert space_lines(siege(p), at("N3"), "US")[0].endswith("German control.")


def test_words_are_shown_however_long_the_list_is() -> None:
    match = siege(bastogne().set_up("siege", {}))
    lines = question_lines(match, match.asked(), OptionWords(match, "US"))
    assert "41. as_planned: deploy all who wait as in our plan of defence" in lines
