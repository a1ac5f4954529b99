"""Rules 1 to 5 and 28: parts, set-up, the turn, victory; several commanders; and what the log and the look say."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bulge.core.data import Overrides
from bulge.core.decision import GameOver
from bulge.core.errors import BulgeError
from bulge.core.match import Match
from bulge.games.bastogne.deployment import deploy_us
from bulge.games.bastogne.facts import FIRES, GERMAN, SECTORS, US, WAITING
from bulge.games.bastogne.game import Bastogne, advance_patton
from bulge.games.bastogne.look import face
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.reinforcements import deploy_germans
from bulge.games.bastogne.situation import has_room
from bulge.players.levels import player_for
from bulge.players.random_player import RandomPlayer
from tests.games.bastogne.helpers import Part, at, bastogne, facts, place, position, siege, unit, wait
from tests.helpers import SEED

# ---------------------------------------------------------------------- parts


@pytest.mark.rule("bastogne", "2.1", "2.7", "11.3")
def test_the_counters_are_176() -> None:
    f = facts()
    chits = sum(row.chits for row in f.events)
    entrenchments, control, tracks = 8, 4, 5
    units_and_markers = len(f.us_units) + 1 + len(f.impacts) + len(f.airstrikes) + len(f.german_units)
    assert (len(f.us_units), len(f.german_units), len(f.impacts), len(f.airstrikes), chits) == (42, 66, 9, 12, 25)
    assert units_and_markers + len(f.divisions) + chits + entrenchments + control + tracks == 176, (
        "Leaders A, B and C are their chits (7.4)"
    )


@pytest.mark.rule("bastogne", "2.3", "5.1", "8.2", "8.7")
def test_four_tracks_lead_from_the_center_to_a_staging_area_beside_open_ground() -> None:
    f = facts()
    names = [[f.board.name(space) for space in line] for line in f.tracks]
    assert [line[0] for line in names] == ["C"] * 4
    assert [line[-1] for line in names] == ["N-STAGING", "E-STAGING", "S-STAGING", "W-STAGING"]
    assert all(line[1:-1] == sorted(line[1:-1]) for line in names)
    assert not any(f.towns >> line[-2] & 1 for line in f.tracks)


@pytest.mark.rule("bastogne", "12.3", "13.5", "19.2", "25.2")
def test_the_strengths_that_the_rulebook_prints() -> None:
    f = facts()
    assert f.factors[unit("130-PzArt")][-1] == 6
    assert f.factors[unit("1-501")][-1] == 3
    assert (f.factors[unit("321-GFA")][-1], f.us_rows[unit("321-GFA")].impact) == (1, 2)
    assert f.us_rows[unit("McAuliffe")].edge == 2
    assert f.us_rows[unit("Leader-B")].edge == 1


@pytest.mark.rule("bastogne", "2.61", "2.62", "2.63", "2.64")
def test_counters_show_side_type_size_and_both_strengths() -> None:
    def shown(id_: str) -> tuple[str, str, str, tuple[str, ...]]:
        found = face(facts(), unit(id_))
        return found.side, found.symbol, found.size, found.values

    assert shown("1-501") == (US, "airborne", "II", ("0", "2", "3"))
    assert shown("C-9-Eng") == (US, "engineers", "I", ("0", "1"))
    assert shown("HQ-101") == (US, "headquarters", "XX", ("0", "1", "2"))
    assert shown("II-130-Pz") == (GERMAN, "armor", "II", ("0", "2", "4"))
    assert shown("130-PzArt") == (GERMAN, "artillery", "III", ("0", "-", "(6)")), "in brackets: it never moves"
    assert shown("321-GFA-impact") == (US, "artillery", "", ("0", "2"))


@pytest.mark.rule("bastogne", "8.1", "8.5")
def test_four_divisions_two_new_formations_and_corps_units() -> None:
    kinds = Counter(row.kind for row in facts().formations)
    assert kinds == {"division": 4, "new": 2, "corps": 1}
    assert [len(each) for each in facts().formation_units] == [12, 11, 13, 11, 7, 5, 7]


@pytest.mark.rule("bastogne", "2.4", "2.5")
def test_boxes_and_staging_areas_can_be_pointed_at() -> None:
    names = bastogne().board.names_of((1 << 26) - 1)
    drawing = {"width": 100, "height": 100, "spaces": dict.fromkeys(names, (1, 1)), "sizes": {}}
    kinds = Counter(space.kind for space in bastogne().look(drawing).spaces)
    assert kinds == {"space": 22, "staging": 4, "box": 6}


# ---------------------------------------------------------------------- set-up


@pytest.mark.rule("bastogne", "28.0", "28.1", "28.2", "5.2")
def test_the_game_begins_with_the_us_set_up_no_supply_and_morale_twelve() -> None:
    match = Match(bastogne(), seed=SEED)
    p = match.position
    assert (p.turn, p.morale, p.supply, p.patton, p.german, p.entrenched) == (1, 12, 0, 1, 0, 0)
    assert match.asked().rule == "28.1"
    assert "TF-Browne" not in {option.id for option in match.options()}


@pytest.mark.rule("bastogne", "28.1", "14.1")
def test_units_deploy_anywhere_within_stacking_and_mcauliffe_with_the_101st() -> None:
    p = bastogne().set_up("siege", {})
    part = Part(p).play(deploy_us).choose("TF-Rose", "C", "1-501", "N5", "2-501", "C", "3-501", "C", "1-502", "C")
    part.choose("2-502")
    assert "C" not in part.offered, "four battalions are there"
    assert len(part.offered) == 21
    part.choose("W5")
    for id_ in [facts().id_of(each) for each in facts().planned if p.where[each] == WAITING]:
        part.choose(id_, "N1" if id_.startswith(("C-", "D-", "B-", "A-", "HQ")) else roomy(p)[0])
    assert part.asked.prompt.startswith("Where do you put General McAuliffe")
    part.choose("W5")
    assert part.over
    assert part.where("McAuliffe") == "W5"


def roomy(p: BastognePosition) -> list[str]:
    """Spaces with room for a battalion."""
    return [facts().board.name(s) for s in range(22) if has_room(facts(), p, unit("1-501"), s)]


@pytest.mark.rule("bastogne", "28.1")
def test_the_plan_of_defence_deploys_everybody_at_once_and_legally() -> None:
    p = bastogne().set_up("siege", {})
    part = Part(p).play(deploy_us).choose("as_planned", "N2")
    assert part.over
    assert all(p.where[each] >= 0 for each in facts().planned)
    bastogne().check(p)


@pytest.mark.rule("bastogne", "8.3", "28.21", "28.22", "28.23", "28.24")
def test_german_divisions_and_units_are_drawn_by_lot() -> None:
    p = bastogne().set_up("siege", {})
    divisions, two_units = (4, 1, 2, 1), (1, 1, 1, 1)
    corps = (2, 1, 2, 6, 4, 1)
    dice = (*divisions, *two_units * 3, 6, 6, *(1,) * 11, *corps)
    part = Part(p, dice).play(deploy_germans)
    assert part.over, "of twelve units rolled for the 2nd Panzer there are eleven"
    assert [facts().formations[division].id for division in p.division] == ["26vg", "lehr", "5fj", "2pz"]
    assert (part.where("I-39"), part.where("I-77")) == ("N-STAGING", "waiting")
    assert part.where("I-766-VAK") == "W-STAGING", "a six is rolled again, a four is the West"
    assert part.where("55-Werfer") == "N-STAGING"
    assert part.where("I-FB") == "waiting"


# ---------------------------------------------------------------------- the turn

PHASES = [
    *("weather", "activation", "airstrike_assignment", "artillery_assignment"),
    *("interdiction", "german_artillery", "counterbattery"),
    *("german_movement", "us_support", "us_fire", "german_closing", "german_assault"),
    *("us_movement", "german_fire", "us_closing", "us_assault"),
    *("morale", "us_redeployment", "us_refit", "german_refit", "german_reinforcement"),
    *("patton", "turn_end"),
]


@pytest.mark.rule("bastogne", "4.1", "4.2", "15.1")
def test_the_segments_come_in_the_order_of_the_rulebook() -> None:
    match = Match(bastogne(), seed=SEED)
    steps = [match.position.step]
    rng = random.Random(3)
    while match.decision is not None and match.position.turn == 1:
        options = match.decision.options
        match.choose("as_planned" if "as_planned" in options else rng.choice(list(options)))
        if match.position.turn == 1:
            steps.append(match.position.step)
    order = list(bastogne().sequence)
    assert [order.index(step) for step in steps] == sorted(order.index(step) for step in steps)
    assert order[2:] == PHASES


@pytest.mark.rule("bastogne", "4.2", "3.1")
@pytest.mark.parametrize(
    ("turn", "weather", "south_lost", "die", "boxes"),
    [
        (1, "overcast", False, 3, 0),
        (1, "overcast", False, 4, 1),
        (1, "good", False, 3, 1),
        (3, "socked_in", False, 4, 0),
        (4, "overcast", False, 1, 0),
        (4, "overcast", False, 2, 1),
        (4, "overcast", False, 5, 2),
        (4, "good", False, 4, 2),
        (4, "socked_in", False, 5, 1),
        (4, "overcast", True, 5, 1),
        (4, "socked_in", True, 3, 0),
    ],
)
def test_third_army_advances_by_die_date_weather_and_the_south_track(
    turn: int, weather: str, south_lost: bool, die: int, boxes: int
) -> None:
    p = position(turn=turn, weather=weather)
    p.patton = 3
    if south_lost:
        p.german = facts().track_spaces[2]
    part = Part(p, (die,)).play(advance_patton)
    assert part.over
    assert p.patton == 3 + boxes


def end_of(turn: int, *, patton: int = 3, center_lost: bool = False) -> GameOver | None:
    p = position(turn=turn, step="turn_end", morale=9)
    p.patton = patton
    if center_lost:
        place(p, "I-901", "C")
    try:
        assert bastogne().sequence["turn_end"](Part(p).table) == "weather"
    except GameOver as over:
        return over
    assert p.turn == turn + 1
    return None


@pytest.mark.rule("bastogne", "3.0", "3.1", "3.2", "4.3")
def test_sudden_death_and_the_last_turn() -> None:
    assert end_of(3) is None
    found = [
        end_of(3, center_lost=True),
        end_of(3, patton=facts().relief),
        end_of(3, patton=facts().relief, center_lost=True),
        end_of(8),
        end_of(8, patton=facts().relief),
    ]
    assert [(over.result.winner, over.result.rule) for over in found if over] == [
        (GERMAN, "3.1"),
        (US, "3.1"),
        (US, "3.1"),
        (GERMAN, "3.2"),
        (US, "3.1"),
    ]


# ---------------------------------------------------------------------- several commanders


@pytest.mark.rule("bastogne", "1.0")
def test_the_command_may_be_shared_among_six() -> None:
    game = bastogne()
    assert game.players_in("siege") == (US,)
    assert game.players_in("sectors") == (US, *SECTORS, FIRES)
    match = Match(game, "sectors", seed=SEED)
    asked, rng = Counter[str](), random.Random(1)
    while match.decision is not None:
        options = match.decision.options
        asked[match.decision.side] += 1
        match.choose("as_planned" if "as_planned" in options else rng.choice(list(options)))
    assert set(asked) == {US, *SECTORS, FIRES}
    assert match.result is not None
    assert match.result.winner in (US, GERMAN)


@pytest.mark.rule("bastogne", "1.0")
def test_in_the_plain_siege_one_player_decides_everything() -> None:
    match: Match[BastognePosition] = Match(bastogne(), "siege", seed=SEED)
    player = RandomPlayer(random.Random(2))
    while match.decision is not None:
        assert match.decision.side == US
        match.choose(player.choose(match))


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(BulgeError, match="no option 'fog'"):
        Match(bastogne(), options={"fog": "thick"})


def test_a_table_can_be_overridden() -> None:
    game = Bastogne(Overrides("[bastogne.numbers.patton_relief]\nvalue = 7\n"))
    assert game.facts.relief == 7


# ---------------------------------------------------------------------- the log and the scene


@pytest.mark.rule("bastogne", "2.2", "4.2", "9.2", "12.3", "15.7", "17.3.1")
def test_every_german_step_is_logged_with_its_rule_and_dice() -> None:
    match = Match(bastogne(), seed=SEED)
    player = RandomPlayer(random.Random(5))
    while match.decision is not None:
        match.choose(player.choose(match))
    cited = {event.rule for event in match.log}
    assert cited >= {
        "28.21",
        "28.22",
        "28.23",
        "4.2",
        "9.2",
        "9.3",
        "12.3",
        "15.6",
        "15.7",
        "17.2",
        "17.3.1",
        "10.1",
    }
    rolled = {event.rule for event in match.log if event.dice}
    assert rolled >= {"4.2", "9.2", "12.3", "16.2", "17.3.1", "10.1", "28.22"}
    assert all(event.words for event in match.log)
    assert {event.sides for event in match.log if event.dice} == {6}


@pytest.mark.rule("bastogne", "8.4", "9.3", "19.1", "24.1")
def test_the_scene_shows_modes_entrenchments_tracks_and_boxes() -> None:
    p = position({"1-501": "N2", "130-PzArt": "N-STAGING"}, assault="N", morale=7, supply=3)
    wait(p, "I-901", "TF-Browne")
    p.steps[unit("130-PzArt")] = 1
    p.entrenched = 1 << at("N2")
    scene = bastogne().scene(p, US)
    marks = {(mark.kind, mark.space) for mark in scene.marks}
    assert {("entrenchment", "N2"), ("division_assault", "N-STAGING"), ("division_refit", "E-STAGING")} <= marks
    assert {score.label: score.value for score in scene.scores} == {
        "Third Army": 1,
        "German morale": 7,
        "US supply": 3,
    }
    guns = next(piece for piece in scene.pieces if piece.unit == "130-PzArt")
    assert guns.flags == ("suppressed",)
    boxes = {box.box: box.units for box in scene.waiting}
    assert boxes["Panzer Lehr reinforcements"] == ("I-901",)
    assert boxes["US reinforcements"] == ("TF-Browne",)


def test_the_greedy_player_plays_to_the_end_and_says_why() -> None:
    match = Match(bastogne(), seed=SEED, keep_log=False)
    player = player_for("greedy", bastogne(), US, "1")
    while match.decision is not None:
        match.choose(player.choose(match))
        assert player.why()
    assert match.position.turn >= 4, "rules of thumb hold out longer than chance does"


def test_a_match_goes_on_from_any_position() -> None:
    match = siege(position({"1-501": "N2", "I-901": "N3"}), (1,) * 3)
    assert match.asked().rule == "16.3"
