"""What rolls says so, in every question of play; and no question is left without words of its own."""

from __future__ import annotations

from tests.games.bastogne.helpers import Siege, position, siege
from tests.games.test_refusals import _positions


def sampled(games: int) -> list[Siege]:
    return [match for number in range(games) for match in _positions("bastogne", number)]


def test_what_rolls_says_so_and_nothing_else() -> None:
    wrong, asked = [], 0
    for match in sampled(4):
        decision = match.asked()
        for choice, option in zip(decision.options, match.options(), strict=True):
            twin = match.copy()
            twin.choose(choice)
            asked += 1
            if (twin.position.drawn > match.position.drawn) != option.rolls:
                wrong.append(f"{type(decision.about).__name__}: {option.id}")
    assert asked > 1000
    assert wrong == []


def roles(match: Siege) -> dict[str, str]:
    return {option.id: option.role for option in match.options()}


def test_words_that_end_and_strike_have_their_role() -> None:
    fire = siege(position({"1-501": "N2", "HQ-101": "N2", "I-901": "N3"}, supply=3))
    assert roles(fire)["done"] == "end"
    assert roles(fire)["strongest_germans"] == "aside"  # a standing order answers nothing
    fire.answer("N3")
    assert roles(fire) == {"1-501": "", "HQ-101": "", "all": "strike", "all_enhanced": "strike"}
    last = siege(position({"1-501": "N2"}, step="us_refit", supply=3))
    assert roles(last) == {"N2": "", "done": "end_turn"}


def test_the_log_tells_moves_battles_results_and_losses_apart() -> None:
    p = position({"1-501": "N2", "I-901": "N3"}, morale=2)
    match = siege(p, (6, 6, 6, 1, *(1,) * 60))
    match.answer("N3")
    match.answer("all")
    found = {event.kind for event in match.log}
    assert {"battle", "result", "loss"} <= found


def test_a_refusal_names_who_or_what_is_in_the_way() -> None:
    crowd = dict.fromkeys(["2-501", "3-501", "1-502", "2-502"], "N1")
    match = siege(position({"1-501": "N2", "I-901": "N3"} | crowd, step="us_movement"))
    match.answer("1-501")
    assert match.why_not("N3").words == "I/901 Panzergrenadier is there"
    assert "3rd Battalion, 501st Parachute Infantry" in match.why_not("N1").words
    refit = siege(position({"HQ-101": "C", "1-501": "C", "I-901": "N2"}, step="us_redeployment", supply=2))
    refit.answer("1-501")
    assert refit.why_not("N1").words == "German units are next to it, in Foy (N2)"
