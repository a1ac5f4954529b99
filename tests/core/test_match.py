"""Matches: choosing, undo and its limits, copies, and copies that cannot peek."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.chance import Scripted, seed_bytes, seed_of
from bulge.core.decision import Decision, GameOver, IllegalChoice, Kind, Play, Refusal, Result
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.core.table import Table
from bulge.games.ford import make
from bulge.games.ford.facts import NO_CHIT, FordPosition
from tests.helpers import SEED, Toy, ToyPosition, complaint, examples, play_on

FORD = make()
TOY = Toy()


def toy(*choices: str, scenario: str = "plain") -> Match[ToyPosition]:
    match = Match(TOY, scenario, seed=SEED)
    for id_ in choices:
        match.answer(id_)
    return match


def state(match: Match[Any]) -> tuple[Any, ...]:
    """Everything about a match that a choice may change."""
    question = match.decision.key() if match.decision else None
    return match.position.to_json(), question, list(match.ids), list(match.log), match.can_undo, match.result


# ---------------------------------------------------------------------- choosing


def test_choices_are_kept_as_the_journal_writes_them() -> None:
    match = toy("add", "ask", "3", "hand_over", "yes")
    assert match.ids == ["add", "ask", "3", "hand_over", "yes"]
    assert match.position.score == 4


@pytest.mark.parametrize("choice", ["nonsense", "", 3, -1, 99, "3"])
@pytest.mark.parametrize("before", [(), ("add",), ("ask",), ("add", "die")])
def test_an_illegal_choice_is_refused_and_changes_nothing(before: tuple[str, ...], choice: int | str) -> None:
    match = toy(*before)
    if choice in match.asked().options:
        return
    was = state(match)
    with pytest.raises(IllegalChoice) as raised:
        match.choose(choice)
    assert state(match) == was
    assert raised.value.refusal.rule == "1"
    assert "(rule 1)" in complaint(raised)


def test_an_illegal_answer_names_what_was_asked_and_the_rule() -> None:
    match = Match(FORD, seed=SEED)
    was = state(match)
    with pytest.raises(IllegalChoice) as raised:
        match.answer("R1")
    assert raised.value.choice == "R1"
    assert raised.value.refusal == Refusal("2.1", "1st Red belongs to Red")
    assert state(match) == was
    with pytest.raises(IllegalChoice):
        match.choose(3)


def test_nothing_can_be_chosen_once_the_game_is_over() -> None:
    match = toy("add", "end")
    assert match.decision is None
    assert match.result is not None
    assert match.result.winner == "Ann"
    for use in (lambda: match.choose("add"), lambda: match.answer("add"), match.options, match.undo):
        with pytest.raises(BulgeError) as raised:
            use()
        complaint(raised)


@pytest.mark.parametrize(("scenario", "seed"), [("nowhere", SEED), ("plain", "not a seed")])
def test_a_match_with_a_wrong_scenario_or_seed_is_refused(scenario: str, seed: str) -> None:
    with pytest.raises(BulgeError) as raised:
        Match(TOY, scenario, seed=seed)
    complaint(raised)


def test_options_are_put_into_words_with_what_they_point_at() -> None:
    match = Match(FORD, seed=SEED)
    first = match.options()[0]
    assert (first.id, first.units) == ("B1", ("B1",))
    assert [option.id for option in match.options()] == ["B1", "B2", "B3", "done"]
    match.answer("B3")
    assert match.asked().kind is Kind.SPACE
    assert all(option.spaces == (option.id,) and option.cost is not None for option in match.options())


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("acct", "Toy: step 'act' leads to 'acct', which is no step; the steps are: act, deal"),
        (None, "Toy: step 'act' does not say which step follows it; the steps are: act, deal"),
    ],
)
def test_a_step_that_leads_nowhere_is_named(then: Any, words: str) -> None:
    game = Toy()

    def act(t: Table[ToyPosition]) -> Play:
        yield Decision("Ann", "Go on?", ["yes"], "1", top=True)
        return then

    game.sequence = {**game.sequence, "act": act}
    match = Match(game, seed=SEED)
    with pytest.raises(BulgeError) as raised:
        match.answer("yes")
    assert str(raised.value) == words


# ---------------------------------------------------------------------- undo and redo


@pytest.mark.parametrize(
    ("choices", "undoable"),
    [
        ((), 0),
        (("add",), 1),
        (("add", "add", "ask", "2"), 4),
        (("add", "ask"), 2),
        (("add", "die"), 0),
        (("add", "draw"), 0),
        (("add", "shuffle"), 0),
        (("add", "reveal"), 0),
        (("add", "hand_over"), 0),
        (("add", "hand_over", "yes"), 0),
        (("add", "die", "add", "ask"), 2),
        (("reveal", "ask", "2", "add"), 3),
        (("add", "deal"), 0),
        (("add", "deal", "1"), 1),
        (("add", "deal", "1", "0"), 2),
        (("deal", "1", "0", "add", "ask"), 4),
        (("end",), 0),
    ],
)
def test_undo_goes_back_to_the_last_die_reveal_or_other_sides_choice(
    choices: tuple[str, ...], undoable: int
) -> None:
    match = toy(*choices)
    states = [state(toy(*choices[:count]))[:4] for count in range(len(choices) + 1)]
    for taken_back in range(1, undoable + 1):
        assert match.can_undo
        match.undo()
        assert state(match)[:4] == states[len(choices) - taken_back]
    assert not match.can_undo
    with pytest.raises(BulgeError) as raised:
        match.undo()
    assert "nothing to undo" in complaint(raised)
    for count in range(len(choices) - undoable + 1, len(choices) + 1):
        assert match.can_redo
        match.redo()
        assert state(match)[:4] == states[count]
    assert not match.can_redo
    with pytest.raises(BulgeError):
        match.redo()


def test_undo_cuts_the_log_back() -> None:
    match = toy("die", "add", "ask", "2")
    words = [event.words for event in match.log]
    assert words == ["Ann chose die.", "for luck", "Ann chose add.", "Ann chose ask.", "Ann said how many."]
    match.undo()
    assert [event.words for event in match.log] == words[:4]
    match.undo()
    assert [event.words for event in match.log] == words[:3]
    match.answer("hand_over")
    assert [event.words for event in match.log] == [*words[:3], "Ann chose hand_over."]


def test_undo_within_a_step_that_began_with_a_draw_keeps_the_draw() -> None:
    match = toy("1", scenario="asked")
    hand = list(match.position.hand)
    match.undo()
    assert match.position.hand == hand
    assert [event.words for event in match.log] == ["A card is dealt."]
    assert match.position.drawn == 1
    match.answer("0")
    match.answer("1")
    assert (match.position.score, match.position.hand) == (1, hand)


def test_another_choice_after_undo_ends_redo() -> None:
    match = toy("add", "add")
    match.undo()
    with pytest.raises(IllegalChoice):
        match.answer("nonsense")
    assert match.can_redo, "a refused choice changes nothing"
    match.answer("ask")
    assert not match.can_redo


def test_a_match_without_a_log_undoes_all_the_same() -> None:
    match = Match(TOY, seed=SEED, keep_log=False)
    for id_ in ("add", "ask", "3"):
        match.answer(id_)
    match.undo()
    assert (match.position.score, match.log, match.ids) == (1, [], ["add", "ask"])


@examples(25)
@given(st.integers(0, 10**6), st.booleans())
def test_in_random_play_undo_and_redo_bring_everything_back(seed: int, keep_log: bool) -> None:
    rng = random.Random(seed)
    match: Match[FordPosition] = Match(FORD, seed=seed_of(str(seed)), keep_log=keep_log)
    for _ in range(40):
        play_on(match, rng.randrange(1, 8), rng)
        was, back = state(match), 0
        while match.can_undo:
            match.undo()
            back += 1
        for _ in range(back):
            match.redo()
        assert state(match) == was


# ---------------------------------------------------------------------- copies


@examples(15)
@given(st.integers(0, 10**6))
def test_a_copy_goes_on_just_as_the_match_does(seed: int) -> None:
    rng = random.Random(seed)
    match: Match[FordPosition] = Match(FORD, seed=seed_of(str(seed)))
    while match.decision is not None:
        twin = match.copy()
        assert state(twin)[:2] == state(match)[:2]
        play_on(match, 6, random.Random(seed + 1))
        play_on(twin, 6, random.Random(seed + 1))
        assert state(twin)[:2] == state(match)[:2]
        assert twin.result == match.result
        play_on(match, rng.randrange(3), rng)


def test_a_copy_leaves_the_match_alone() -> None:
    match = toy("add", "ask")
    was = state(match)
    twin = match.copy()
    for id_ in ("2", "draw", "add", "end"):
        twin.answer(id_)
    assert state(match) == was
    assert (twin.seed, twin.log) == (None, [])


def test_whether_a_choice_rolls_or_reveals_is_tried_on_a_copy() -> None:
    match = toy("add", "die", "add")
    before = state(match)
    found = {word: match.would_roll(word) for word in match.asked().options if isinstance(word, str)}
    assert (found["add"], found["die"], found["reveal"]) == (False, True, True)
    assert state(match) == before


def test_a_copy_of_a_finished_match_is_finished() -> None:
    twin = toy("add", "end").copy()
    assert twin.decision is None
    assert twin.result is not None


# ---------------------------------------------------------------------- copies that cannot peek


def reachable(root: object) -> Iterator[object]:
    """Everything that can be got at from an object: attributes, items, closures, and suspended generators."""
    pending, seen = [root], {}
    while pending:
        thing = pending.pop()
        if id(thing) in seen or isinstance(thing, type | ModuleType):
            continue
        seen[id(thing)] = thing
        yield thing
        if isinstance(thing, dict):
            pending += [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple | set | frozenset):
            pending += thing
        elif isinstance(thing, GeneratorType):
            pending += [thing.gi_yieldfrom, *(thing.gi_frame.f_locals.values() if thing.gi_frame else ())]
        elif isinstance(thing, MethodType):
            pending += [thing.__self__, thing.__func__]
        elif isinstance(thing, FunctionType):
            pending += [cell.cell_contents for cell in thing.__closure__ or ()]
            pending += [thing.__defaults__, thing.__kwdefaults__]
        else:
            pending += [getattr(thing, name, None) for name in ("func", "args", "keywords")]
            pending += vars(thing).values() if hasattr(thing, "__dict__") else ()
            names = [name for cls in type(thing).__mro__ for name in getattr(cls, "__slots__", ())]
            names += getattr(thing, "__struct_fields__", ())
            pending += [getattr(thing, name, None) for name in names]


def holds(root: object, seed: str) -> bool:
    key = seed_bytes(seed)
    number = int.from_bytes(key, "big")
    for thing in reachable(root):
        if isinstance(thing, str) and seed in thing.lower():
            return True
        if isinstance(thing, bytes | bytearray) and (key in thing or seed.encode() in thing):
            return True
        if isinstance(thing, int) and thing == number:
            return True
    return False


def ford_in_play(choices: int, seed: str = SEED) -> Match[FordPosition]:
    match = Match(FORD, seed=seed)
    play_on(match, choices, random.Random(5))
    return match


@pytest.mark.parametrize("choices", [0, 1, 7, 20, 33, 60])
@pytest.mark.parametrize("side", ["Blue", "Red"])
def test_the_seed_cannot_be_reached_from_a_copy_for_a_player(choices: int, side: str) -> None:
    match = ford_in_play(choices)
    assert holds(match, SEED), "the search itself would miss it"
    assert holds(match.copy(), SEED), "the search itself would miss it"
    twin = match.copy_for(side, random.Random(1))
    assert not holds(twin, SEED)
    assert not holds(twin.copy(), SEED)
    play_on(twin, 10, random.Random(2))
    assert not holds(twin, SEED)


def test_dice_to_come_are_not_the_true_ones() -> None:
    match = ford_in_play(9)
    twins = [match.copy_for("Blue", random.Random(number)) for number in range(6)]
    futures = [
        tuple(one.table.chance.raw(count, 6) for count in range(one.dice_taken, one.dice_taken + 30))
        for one in (match, *twins)
    ]
    assert len(set(futures)) == len(futures)


def test_over_many_copies_every_die_is_as_likely() -> None:
    match = toy("add")
    rng, counts = random.Random(3), [0] * 6
    for _ in range(600):
        twin = match.copy_for("Ann", rng)
        before = twin.position.score
        twin.answer("die")
        counts[twin.position.score - before - 1] += 1
    assert sum((count - 100) ** 2 / 100 for count in counts) < 20.5


@pytest.mark.parametrize("side", ["Blue", "Red"])
def test_hidden_things_are_dealt_anew_and_what_the_side_sees_stays(side: str) -> None:
    seat, other = (0, 1) if side == "Blue" else (1, 0)
    match = next(
        match
        for choices in range(10, 60)
        if NO_CHIT not in (match := ford_in_play(choices)).position.held and match.decision is not None
    )
    true = match.position
    rng = random.Random(4)
    twins = [match.copy_for(side, rng) for _ in range(60)]
    for twin in twins:
        FORD.check(twin.position)
        assert FORD.view(twin.position, side) == FORD.view(true, side)
        assert twin.position.held[seat] == true.held[seat]
        assert {*twin.position.cup, twin.position.held[other]} == {*true.cup, true.held[other]}
    assert {twin.position.held[other] for twin in twins} == {*true.cup, true.held[other]}


def test_dice_already_rolled_stay_in_a_copy_for_a_player() -> None:
    """A die rolled since the last checkpoint has been seen by all, and what it led to must not change."""
    match = Match(FORD, chance=Scripted([5, 1]))
    for id_ in ("done", "0203", "B1", "fight", "play_support"):
        match.answer(id_)
    assert match.asked().side == "Red", "the die gave a retreat"
    for number in range(20):
        for side in ("Blue", "Red"):
            twin = match.copy_for(side, random.Random(number))
            assert twin.asked().key() == match.asked().key()
            assert twin.position.steps == match.position.steps


class Rolled(Toy):
    """A step that rolls before its first question: all see the dice."""

    def _deal(self, t: Table[ToyPosition]) -> Play:
        t.p.score += t.roll("1", "for all to see", sides=1000, count=3)
        yield Decision("Ann", "Bid?", [0, 1], "1")
        return "act"


def test_dice_rolled_since_a_step_began_are_not_rolled_again_in_a_copy_for_a_player() -> None:
    match = Match(Rolled(), "asked", seed=SEED)
    for side in ("Ann", "Bob"):
        assert match.copy_for(side, random.Random(1)).position.score == match.position.score


def test_the_order_of_a_deck_is_dealt_anew_even_for_its_owner() -> None:
    match = toy("shuffle", "add")
    decks = {tuple(match.copy_for("Ann", random.Random(number)).position.deck) for number in range(20)}
    assert len(decks) > 15


class Doomed(Toy):
    """Ann's low cards would have ended the game before her second bid."""

    def _deal(self, t: Table[ToyPosition]) -> Play:
        card = t.draw(t.p.deck)
        t.p.hand.append(card)
        for question in ("Bid?", "Bid again?", "And once more?"):
            yield Decision("Ann", question, [0, 1], "1")
            if card < 8:
                raise GameOver(Result("Bob", "A low card.", "1"))
        return "act"


@pytest.mark.parametrize("bids", [1, 2])
def test_a_deal_that_would_have_ended_the_game_is_dealt_again(bids: int) -> None:
    match = Match(Doomed(), "asked", chance=Scripted([10]))
    for _ in range(bids):
        match.answer("1")
    for number in range(20):
        twin = match.copy_for("Bob", random.Random(number))
        assert twin.asked().key() == match.asked().key()
        assert twin.position.hand[0] >= 8


@pytest.mark.parametrize("choices", [("draw", "ask"), ("deal",), ("deal", "1")])
def test_a_card_drawn_in_secret_is_not_the_true_one_in_a_copy_for_the_other_side(choices: tuple[str, ...]) -> None:
    match = toy(*choices)
    hands = {tuple(match.copy_for("Bob", random.Random(number)).position.hand) for number in range(40)}
    assert len(hands) > 4
