"""Whatever is pointed at and cannot be chosen gets an answer of its own."""

from __future__ import annotations

import random

import pytest

from bulge.core.match import Match
from tests.games.hexes.bench import asked_about, unexplained
from tests.games.the_bulge.helpers import bulge, play, position
from tests.helpers import answer


@pytest.mark.slow
def test_hardly_any_question_is_answered_with_not_among_the_options() -> None:
    """Every hex and every unit that is of the kind to be chosen, in positions from random games."""
    asked, said_nothing, kinds = 0, [], set()
    for seed in range(4):
        rng = random.Random(seed)
        match = Match(bulge(), seed=f"{seed:032x}", keep_log=False)
        count = 0
        while (decision := match.decision) is not None:
            if count % 41 == 0 or (decision.rule not in kinds and not decision.top):
                kinds.add(decision.rule)
                asked += len(asked_about(match))
                said_nothing += [(decision.rule, name) for decision, name in unexplained(match)]
            numbers = [choice for choice in decision.options if isinstance(choice, int)]
            match.choose(rng.choice(numbers if numbers and rng.random() < 0.7 else list(decision.options)))
            count += 1
    assert asked > 5_000
    assert len(said_nothing) <= 0.02 * asked, sorted(set(said_nothing))[:20]
    assert {"9.2", "12.1", "13.4", "13.17", "13.22"} <= kinds


def test_an_answer_names_who_is_in_the_way() -> None:
    match = answer(play(position({"1SS": "0618", "30ID": "0619"}, turn=3)), "1SS")
    assert match.why_not("0619").words == "30th Infantry Division stands there"
    p = position({"1SS": "0618", "30ID": "0619", "2ID": "0519"}, turn=3, step="german_combat_1")
    assert match.why_not("2ID").rule == "6.3"
    assert "2nd" in answer(play(p), "0619").why_not("2ID").words


@pytest.mark.rule("the_bulge", "9.2", "9.3", "9.4")
def test_a_far_hex_is_refused_by_what_keeps_the_unit_from_it() -> None:
    def asked(hex_: str, **others: str) -> tuple[str, str]:
        match = answer(play(position({"26VG": "0606", **others}, turn=3)), "26VG")
        refusal = match.why_not(hex_)
        return refusal.rule, refusal.words

    assert asked("0604") == ("9.2", "it can go there, hex by hex")
    assert asked("0612") == ("9.3", "the cheapest way there costs 9 movement points, and 6 are left")
    ring = {"2ID": "0512", "99ID": "0513", "422": "0611", "423": "0613", "424": "0712", "14Cav": "0713"}
    closed = "no way leads there: the enemy, full hexes and closed ground bar every one"
    assert asked("0612", **ring) == ("9.4", closed)
    assert asked("0512", **ring) == ("9.4", "2nd Infantry Division stands there")
