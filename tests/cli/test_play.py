"""`bulge play`: whole sessions, typed in advance."""

from __future__ import annotations

import random
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from bulge.cli.answers import option_meant, spaces_meant
from bulge.cli.describe import event_line, numbers_mislead
from bulge.core.chance import commitment, seed_of
from bulge.core.decision import Option
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.core.table import Event
from bulge.games import GAMES, load_game
from bulge.players.random_player import RandomPlayer
from tests.cli.conftest import Bulge, after, files_in, saved, typed
from tests.helpers import large_ones_slow

SEED = ("--seed", "4")


# ---------------------------------------------------------------------- beginning


@pytest.mark.usefixtures("only_the_ford")
def test_a_game_is_picked_from_a_list(bulge: Bulge) -> None:
    outcome = bulge("play", typed=typed("7", "the ford", "the bridge", "quit"))
    assert outcome.code == 0
    assert outcome.lines[1].startswith("1. The Ford (ford).")
    assert "There is no '7' in the list. Type a number from 1 to 1, or a name." in outcome.lines
    assert "Turn 1, Blue move. Blue decides." in outcome.lines


@pytest.mark.usefixtures("only_the_ford")
@pytest.mark.parametrize("answer", ["", "quit\n"])
def test_nothing_need_be_picked(bulge: Bulge, home: Path, answer: str) -> None:
    outcome = bulge("play", typed=answer)
    assert (outcome.code, outcome.err) == (0, "")
    assert "decides" not in outcome.out
    assert files_in(home) == {}


def test_the_commitment_is_shown_first_and_the_seed_is_not(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", *SEED, typed="quit\n")
    assert f"Commitment to the dice: {commitment(seed_of('4'))}" in outcome.lines
    assert seed_of("4") not in outcome.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("ford", "--red", "random"),
        ("--red", "random", "ford"),
        ("ford", "--red=random"),
        ("ford", "--RED", "random"),
        ("ford", "--side", "red=random"),
        ("ford", "--side", "Red=random", "--blue", "human"),
    ],
)
def test_a_side_is_given_to_the_computer(bulge: Bulge, arguments: tuple[str, ...]) -> None:
    outcome = bulge("play", *arguments, typed="quit\n")
    assert outcome.code == 0
    assert "Blue: human" in outcome.lines
    assert "Red: random" in outcome.lines


# ---------------------------------------------------------------------- questions and answers


def test_a_question_gives_turn_side_rule_and_numbered_options(bulge: Bulge) -> None:
    lines = bulge("play", "ford", typed="quit\n").lines
    at = lines.index("Turn 1, Blue move. Blue decides.")
    assert lines[at + 1 : at + 6] == [
        "Move a unit, or end your movement (rule 4.5 Once a turn)",
        "1. B1: 1st Blue, strength 3, in 0202",
        "2. B2: 2nd Blue, strength 3, in 0201",
        "3. B3: 3rd Blue, strength 2, in 0301",
        "4. done",
    ]


@pytest.mark.parametrize("answer", ["2", "B2", "b2", "2nd Blue", "2ND  blue", "2nd", "0201"])
def test_a_unit_is_chosen_by_number_id_name_beginning_or_place(bulge: Bulge, answer: str) -> None:
    outcome = bulge("play", "ford", typed=typed(answer))
    assert "You chose: B2: 2nd Blue, strength 3, in 0201" in outcome.lines
    assert "Where does 2nd Blue go? (rule 4.1 Movement)" in outcome.lines


@pytest.mark.parametrize("answer", ["3", "0201"])
def test_a_hex_is_chosen_by_number_or_name(bulge: Bulge, answer: str) -> None:
    outcome = bulge("play", "ford", typed=typed("1", answer))
    assert "3. 0201, clear, holds B2, cost 1" in outcome.lines
    assert "1st Blue moves 0202 - 0201 (rule 4.1)" in outcome.lines


def test_a_place_is_chosen_by_its_name(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", typed=typed("done", "ettel"))
    assert "You chose: 0203 Ettelbrick, clear, town, holds R1" in outcome.lines


@pytest.mark.parametrize("id_", large_ones_slow(GAMES))
def test_every_place_of_every_game_is_known_by_its_name(id_: str) -> None:
    """Without capitals, accents and marks, too: St. Vith is st vith, Liège is liege."""
    game = load_game(id_)
    named = {space: game.space_words(space) for space in spaces_of(game) if not is_number(game, space)}
    assert named
    for space, words in named.items():
        id_of = game.board.name(space)
        name = words.removeprefix(id_of).removesuffix(f"({id_of})").strip()
        bare = unicodedata.normalize("NFKD", name.lower().replace(".", "")).encode("ascii", "ignore").decode()
        assert space in spaces_meant(game, name), f"{name} is not {words}"
        assert space in spaces_meant(game, bare), f"{bare} is not {words}"


def spaces_of(game: Game[Any]) -> list[int]:
    return [game.board.at(name) for name in game.board.names_of(game.board.all)]


def is_number(game: Game[Any], space: int) -> bool:
    return game.space_words(space) == game.board.name(space)


def test_a_unit_goes_to_a_far_place_by_its_name(bulge: Bulge) -> None:
    outcome = bulge("play", "ardennes_44", typed=typed("done", "LXVII/17Wf", "kesternich", "quit"))
    assert "You went to E1539 by the cheapest way, 3 steps." in outcome.lines


def test_a_city_of_several_hexes_is_told_whole_and_must_be_said_more_exactly_to_be_chosen(bulge: Bulge) -> None:
    outcome = bulge("play", "ardennes_44", typed=typed("what is in bastogne", "bastogne", "quit"))
    told = [line.split(":")[0] for line in after(outcome, "German> what is in bastogne") if "Bastogne:" in line]
    assert told == ["E3313 Bastogne", "E3414 Bastogne"]
    assert "'bastogne' fits 2 places: E3313 Bastogne, E3414 Bastogne. Type the one you mean." in outcome.out


def test_what_fits_several_options_lists_them(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", typed=typed("b"))
    assert after(outcome, "Blue> b")[:3] == [
        "'b' fits 3 options:",
        "1. B1: 1st Blue, strength 3, in 0202",
        "2. B2: 2nd Blue, strength 3, in 0201",
    ]


def test_what_cannot_be_chosen_is_refused_with_the_rule(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", typed=typed("1", "0203", "nonsense", "", "99"))
    assert after(outcome, "Blue> 0203") == ["0203 cannot be chosen now: 1st Red is there (rule 4.4 Enemy units)"]
    assert after(outcome, "Blue> nonsense")[0].startswith("There is no 'nonsense' here.")
    assert "undo to take back" in after(outcome, "Blue> nonsense")[0]
    assert after(outcome, "Blue> 99")[0].startswith("There is no '99' here.")
    assert after(outcome, "Blue> ")[0].startswith("Type a number from the list")


def options(*ids: str) -> list[Option]:
    return [Option(id_, id_) for id_ in ids]


def test_a_number_is_a_place_in_the_list_even_where_options_are_numbers() -> None:
    game = load_game("ford")
    numbers = options("0", "1", "2", "30")
    assert option_meant(game, numbers, "1").one == 0
    assert option_meant(game, numbers, "30").one == 3
    assert option_meant(game, numbers, "0").one == 0
    assert numbers_mislead(numbers)
    assert not numbers_mislead(options("1", "2"))
    assert not numbers_mislead(options("0203", "done"))


def test_the_whole_of_a_name_beats_the_beginning_of_another() -> None:
    meant = option_meant(load_game("ford"), options("stand", "stand_fast", "stay"), "STAND")
    assert meant.one == 0
    assert option_meant(load_game("ford"), options("stand", "stand_fast", "stay"), "sta").one is None
    assert option_meant(load_game("ford"), options("stand", "stand_fast", "stay"), "stand f").one == 1


def test_of_a_long_list_twenty_are_shown_until_asked(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [Option(f"x{number}", f"x{number}") for number in range(1, 31)]
    monkeypatch.setattr(Match, "options", lambda _: many)
    outcome = bulge("play", "ford", typed=typed("options", "quit"))
    before, _, listed = outcome.out.partition("Blue> options")
    assert "20. x20\n10 more: type options for all 30.\n" in before
    assert "21. x21" not in before
    assert "30. x30" in listed


def test_words_stand_before_a_long_list(bulge: Bulge, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [Option(f"x{n}", f"x{n}", spaces=("0202",)) for n in range(1, 31)]
    monkeypatch.setattr(Match, "options", lambda _: [*many, Option("done", "end the phase")])
    lines = bulge("play", "ford", typed=typed("quit")).out.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("1. x1,"))
    assert lines[first - 1] == "31. done: end the phase"
    assert lines[first + 20] == "10 more: type options for all 31."


def test_a_unit_on_its_way_says_what_it_has_left(bulge: Bulge) -> None:
    outcome = bulge("play", "the_bulge", typed=typed("done", "12SS", "1", "quit"))
    left = [line for line in outcome.out.splitlines() if line.endswith(" movement points left.")]
    assert left[0] == "6 movement points left."
    assert len(left) == 2
    assert left[1] < left[0], "and less after a step"


# ---------------------------------------------------------------------- words


def test_why(bulge: Bulge) -> None:
    words = ("why", "why 4.1", "why 5.0", "why R1", "why 1st blue", "why b", "why nonsense")
    outcome = bulge("play", "ford", typed=typed(*words))
    once = "Rule 4.5 Once a turn: A unit moves at most once in its own side's movement step."
    assert after(outcome, "Blue> why") == [once]
    assert after(outcome, "Blue> why 4.1")[0].startswith("Rule 4.1 Movement: Three points a turn")
    section = after(outcome, "Blue> why 5.0")
    assert section[0] == "Rule 5.0 Supply: Where it comes from, and what its want does."
    assert [line.split(":")[0] for line in section[1:3]] == ["  Rule 5.1 Supply", "  Rule 5.2 Out of supply"]
    assert after(outcome, "Blue> why R1")[0] == "R1 cannot be chosen now: 1st Red belongs to Red."
    assert after(outcome, "Blue> why 1st blue")[0].startswith("It can be chosen: B1")
    assert after(outcome, "Blue> why b")[0] == "'b' fits 3 options:"
    assert after(outcome, "Blue> why nonsense")[0].startswith("There is no 'nonsense' here.")


def test_a_word_that_is_not_offered_yet_a_hexside_and_a_card_are_refused_with_the_rule(bulge: Bulge) -> None:
    words = ("done", "done", "0203", "why fight", "fight", "why 0102/0202", "why scouts-1")
    outcome = bulge("play", "ford", "--scenario", "cards", "--seed", "1", typed=typed(*words))
    too_early = "fight cannot be chosen now: nobody attacks yet: name a unit first"
    assert after(outcome, "Blue> why fight")[0] == f"{too_early}."
    assert after(outcome, "Blue> fight")[0] == f"{too_early} (rule 6.1 Combat)"
    not_a_unit = "cannot be chosen now: a unit is to be chosen now, not a"
    assert after(outcome, "Blue> why 0102/0202")[0] == f"0102/0202 {not_a_unit} hexside."
    assert after(outcome, "Blue> why scouts-1")[0] == f"scouts-1 {not_a_unit} card."


def test_preview_gives_arithmetic_and_chances(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", typed=typed("preview 1", "preview", "done", "0203", "preview B1"))
    assert after(outcome, "Blue> preview 1") == [
        "There is nothing to work out for: B1: 1st Blue, strength 3, in 0202"
    ]
    assert after(outcome, "Blue> preview") == ["Say what to preview, such as preview 1."]
    assert after(outcome, "Blue> preview B1")[:5] == [
        "3 against 2, column <=-1.",
        "Town: -1 strength (rule 6.3 Ground)",
        "Across the river: -1 strength (rule 6.3 Ground)",
        "Chance of NE: 1/3, about 33%",
        "Chance of A1: 2/3, about 67%",
    ]


def test_undo_and_redo(bulge: Bulge) -> None:
    outcome = bulge(
        "play", "ford", typed=typed("undo", "1", "0201", "undo", "redo", "redo", "undo", "undo", "board")
    )
    assert after(outcome, "Blue> undo") == ["Not done: there is nothing to undo: no choice has been made."]
    assert outcome.out.count("1st Blue moves 0202 - 0201 (rule 4.1)") == 2
    assert outcome.out.count("Taken back.") == 3
    assert "Not done: there is nothing to redo." in outcome.lines
    assert "0202: B1 1st Blue, strength 3" in after(outcome, "Blue> board")


def test_news_is_told_once(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", typed=typed("1", "0201", "done", "done", "done"))
    for line in ("Blue draws a support chit (rule 7.1)", "1st Blue moves 0202 - 0201 (rule 4.1)"):
        assert outcome.lines.count(line) == 1


def test_undo_stops_at_another_sides_choice(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", typed=typed("done", "done", "undo"))
    assert after(outcome, "Red> undo")[0].startswith("Not done: there is nothing to undo: a die was rolled")


def test_log(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", *SEED, typed=typed("log", "1", "0201", "log 1", "log x", "log 0"))
    assert after(outcome, "Blue> log") == [
        "Blue draws a support chit (rule 7.1)",
        "Only for Blue: Your chit counts 2 (rule 7.1)",
    ]
    assert after(outcome, "Blue> log 1") == ["1st Blue moves 0202 - 0201 (rule 4.1)"]
    assert after(outcome, "Blue> log x")[0].startswith("Say how many lines")


def test_board_what_and_where(bulge: Bulge) -> None:
    words = ("board", "what 0203", "what ettelbrick", "what 9999", "what", "where r3", "where 1st", "where")
    outcome = bulge("play", "ford", typed=typed(*words))
    shown = after(outcome, "Blue> board")
    assert shown[0] == "Blue in the town: 0 of 1"
    assert shown[shown.index("Blue:") :] == [
        "Blue:",
        "0201: B2 2nd Blue, strength 3",
        "0202: B1 1st Blue, strength 3",
        "0301: B3 3rd Blue, strength 2",
        "Red:",
        "0103: R2 2nd Red, strength 2",
        "0203: R1 1st Red, strength 2",
        "0305: R3 3rd Red, strength 1",
    ]
    town = [
        "0203 Ettelbrick: clear, town.",
        "Towards 0202: bridge, river Ourlet, road primary.",
        "Towards 0204: road primary.",
        "Next to it: 0103, 0104, 0202, 0204, 0303, 0304.",
        "Supply of: Blue and Red.",
        "In zones of control of: Blue and Red.",
        "R1 1st Red, strength 2",
    ]
    assert after(outcome, "Blue> what 0203") == town
    assert after(outcome, "Blue> what ettelbrick") == town
    assert after(outcome, "Blue> what 9999") == ["There is no hex '9999'. Of a unit, where tells."]
    assert after(outcome, "Blue> what")[0].startswith("Say which hex")
    assert after(outcome, "Blue> where r3") == ["R3: 3rd Red, strength 1, in 0305"]
    assert len(after(outcome, "Blue> where 1st")) == 2
    assert after(outcome, "Blue> where")[0].startswith("Say which unit")


def test_help_names_every_word(bulge: Bulge) -> None:
    told = after(bulge("play", "ford", typed="help\n"), "Blue> help")
    for word in ("options", "why", "preview", "undo", "redo", "log", "board", "what", "where", "save", "quit"):
        assert any(line.startswith(word) for line in told), word


def test_dice_and_secrets_in_a_line_of_the_log() -> None:
    game = load_game("ford")
    assert event_line(game, Event("6.4", "attack", dice=(3,), sides=6)) == "Die: 3 (d6). Attack (rule 6.4)"
    assert event_line(game, Event("6.4", "a.", dice=(3, 5), sides=10)) == "Dice: 3 and 5 (d10). A (rule 6.4)"
    assert event_line(game, Event("Card 7", "x.", side="Red")) == "Only for Red: X (Card 7)"


def test_a_secret_waits_for_its_reader(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", *SEED, typed=typed("done", "done", "log", "done", "done", "log"))
    assert "Only for Blue" not in "\n".join(after(outcome, "Red> log"))
    assert "Only for Red" in "\n".join(after(outcome, "Red> log"))
    assert "Only for Red" not in "\n".join(after(outcome, "Blue> log"))
    assert any(line.startswith("This game has secrets.") for line in outcome.lines)


def test_the_computers_secrets_stay_secret(bulge: Bulge) -> None:
    for seed in "123":
        outcome = bulge("play", "ford", "--seed", seed, "--red", "random", typed=typed(*["done"] * 8))
        assert "Only for Blue" in outcome.out
        assert "Only for Red" not in outcome.out


# ---------------------------------------------------------------------- whole games

BOTH_RANDOM = ("play", "ford", "--blue", "random", "--red", "random")


def test_a_whole_game_at_random(bulge: Bulge, home: Path) -> None:
    outcome = bulge(*BOTH_RANDOM, *SEED, "--save", "game.json")
    assert outcome.code == 0
    assert any(re.match(r"Result: (Blue|Red) wins\. .* \(rule 1\.1 The object\)$", line) for line in outcome.lines)
    assert f"Seed: {seed_of('4')}" in outcome.lines
    assert f"Commitment: {commitment(seed_of('4'))}" in outcome.lines
    assert "To check every die and every choice: bulge verify game.json" in outcome.lines
    assert "Only for" not in outcome.out
    assert bulge("verify", "game.json").code == 0


def test_the_same_seed_gives_the_same_game(bulge: Bulge, home: Path) -> None:
    first = bulge(*BOTH_RANDOM, *SEED)
    assert bulge(*BOTH_RANDOM, *SEED).out == first.out
    assert bulge(*BOTH_RANDOM, "--seed", seed_of("4")).out == first.out
    assert bulge(*BOTH_RANDOM, "--seed", "5").out != first.out
    assert files_in(home) == {}


def test_a_person_who_plays_to_the_end_has_the_game_saved(bulge: Bulge, home: Path) -> None:
    outcome = bulge("play", "ford", typed=typed(*["done"] * 16))
    assert "Result: Red wins. Blue does not hold the town (rule 1.1 The object)" in outcome.lines
    (path,) = saved(home)
    assert bulge("verify", str(path)).code == 0
    again = bulge("play", "--load", str(path))
    assert "Result: Red wins. Blue does not hold the town (rule 1.1 The object)" in again.lines


def test_all_output_is_plain(bulge: Bulge) -> None:
    """No colour, no frames: nothing that a screen reader would stumble over."""
    words = ("help", "board", "what 0203", "why", "log", *["1"] * 40)
    told = bulge("play", "ford", *SEED, "--red", "random", typed=typed(*words)).out
    assert set(told) - {"\n"} <= {chr(code) for code in range(32, 127)} | {"½"}
    assert not any(line.startswith((" ", "\t")) for line in told.splitlines())


def test_the_random_player_takes_every_option_sooner_or_later() -> None:
    match = Match(load_game("ford"), seed=seed_of("x"))
    player = RandomPlayer(random.Random(1))
    assert {player.choose(match) for _ in range(200)} == set(match.asked().options)
