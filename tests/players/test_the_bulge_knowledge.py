"""What the players know of The Bulge: odds, traps, supply and ways out, each on a board with a few units."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from bulge.core.chance import seed_of
from bulge.core.match import Match
from bulge.core.movement import Limits, reach
from bulge.core.spaces import members, union
from bulge.games import load_game
from bulge.games.hexes.roster import DUE, GONE
from bulge.games.the_bulge.facts import ALLIED, GERMAN, LAST_TURN, POINT
from bulge.games.the_bulge.game import TheBulge
from bulge.games.the_bulge.movement import Walk, steps_of
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation
from bulge.players.knowledge.the_bulge import MOST_TAKEN, POINT_WORTH, BulgeKnowledge
from bulge.players.knowledge.the_bulge.fields import STOPPER, AlliedFields, GermanFields
from bulge.players.knowledge.the_bulge.ground import BUDGET, CONCENTRIC
from bulge.players.knowledge.the_bulge.tally import Offensive, Tally
from bulge.players.looking import Moves, Way, with_detours


@pytest.fixture(scope="module")
def game() -> TheBulge:
    game = load_game("the_bulge")
    assert isinstance(game, TheBulge)
    return game


@pytest.fixture(scope="module")
def knowledge(game: TheBulge) -> BulgeKnowledge:
    return BulgeKnowledge(game)


def board_with(game: TheBulge, step: str, turn: int, **units: str) -> BulgePosition:
    """A position in which nobody is on the map but these, each named by its counter (a figure after `u`)."""
    p = Match(game, keep_log=False).position.copy()
    p.step, p.turn = step, turn
    p.where = [GONE] * len(p.where)
    ids = [row.id for row in game.facts.rows]
    for name, hex_ in units.items():
        p.where[ids.index(name.removeprefix("u"))] = game.facts.board.at(hex_)
    return p


def prospects(knowledge: BulgeKnowledge, p: BulgePosition, side: str) -> float:
    s = Situation(knowledge.facts, p)
    return knowledge.ground.attack_prospects(s, Tally(knowledge.facts, s), side, POINT_WORTH)[0]


def clear_hex(game: TheBulge) -> tuple[str, list[str]]:
    """A clear hex off the roads with six neighbours, none behind a river, and those neighbours in turn."""
    facts = game.facts
    for hex_ in facts.board.names_of(facts.by_terrain["clear"] & ~facts.towns & ~facts.west_of_meuse):
        at = facts.board.at(hex_)
        near = facts.board.neighbours(at)
        if len(near) == 6 and not any(facts.rivers.between(at, to) for to in near):
            around = sorted(near, key=lambda to: facts.board.direction(at, to))
            return hex_, [facts.board.name(to) for to in around]
    raise AssertionError("there is no such hex")


def test_opposite_sides_or_three_in_turn_are_concentric() -> None:
    assert {0b001001, 0b010010, 0b100100, 0b010101, 0b101010, 0b111111} <= CONCENTRIC
    assert not {0, 0b1, 0b11, 0b111, 0b101, 0b100001} & CONCENTRIC


def test_who_is_between_two_enemies_is_worth_more_than_who_faces_both(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """No way of retreat: the same strength from both sides kills where from one side it pushes back."""
    hex_, around = clear_hex(game)
    beside = board_with(game, "german_movement", 2, u422=hex_, u2Pz=around[0], u116Pz=around[1])
    between = board_with(game, "german_movement", 2, u422=hex_, u2Pz=around[0], u116Pz=around[3])
    assert prospects(knowledge, between, GERMAN) > prospects(knowledge, beside, GERMAN) + 0.5


def test_a_trap_is_sprung_on_the_column_that_never_fails(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """However strong, a bloodbath in one of six is the least that it costs (13.14)."""
    hex_, around = clear_hex(game)
    some = board_with(game, "german_movement", 2, u422=hex_, u116Pz=around[0], u62VG=around[3])
    more = board_with(game, "german_movement", 2, u422=hex_, u12SS=around[0], u2SS=around[3])
    assert prospects(knowledge, more, GERMAN) == pytest.approx(prospects(knowledge, some, GERMAN))


def test_supply_of_both_sides_counts_by_the_turn(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """Germans are in supply for three turns whatever happens, Allies never without a line (5.5, 7.1)."""
    hex_, around = clear_hex(game)
    for turn, fed in ((3, True), (4, False)):
        americans = board_with(game, "german_movement", turn, u422=hex_, u2Pz=around[0], u116Pz=around[3])
        germans = board_with(game, "allied_movement", turn, u62VG=hex_, u1ID=around[0], u2ID=around[3])
        for p, attacker, foes_fed in ((americans, GERMAN, False), (germans, ALLIED, fed)):
            s = Situation(knowledge.facts, p)
            offensive = Offensive(s, Tally(knowledge.facts, s), attacker, POINT_WORTH)
            assert bool(offensive.foes_fed) is foes_fed, (turn, attacker)


def test_combat_support_is_for_the_right_phase(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    hex_, around = clear_hex(game)
    shifts = {}
    for step, side in (
        ("german_movement", GERMAN),
        ("german_movement", ALLIED),
        ("allied_movement", ALLIED),
        ("allied_movement", GERMAN),
    ):
        p = board_with(game, step, 8, u422=hex_, u2Pz=around[0])
        s = Situation(knowledge.facts, p)
        shifts[step, side] = Offensive(s, Tally(knowledge.facts, s), side, POINT_WORTH).shift
    assert list(shifts.values()) == [-2, 2, 1, -1]


def test_peiper_drives_without_a_line_of_supply(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """With Americans on every German source, 1st SS creeps from Bastogne; Peiper does not mind (14.3)."""
    facts, spread = game.facts, {}
    for unit in ("SSP", "1SS"):
        p = board_with(game, "allied_movement", 5, **{f"u{unit}": "1412"})
        for guard, source in zip(facts.us_units, members(facts.sources[GERMAN]), strict=False):
            p.where[guard] = source
        s = Situation(facts, p)
        assert not s.live_sources(GERMAN)
        spread[unit] = knowledge.ground.panzer_reach(s, against=0).spaces.bit_count()
    assert spread["SSP"] > 2 * spread["1SS"]


def test_whoever_could_drive_off_the_map_runs_short_of_supply_first(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """The Führer Grenadiers at Bastogne have every road before them; 12th SS Panzer is off the roads (7.11)."""
    assert not game.facts.road_hexes >> game.facts.board.at("0703") & 1
    p = board_with(game, "shortages", 8, uFG="1412", u12SS="0703")
    ids = [row.id for row in game.facts.rows]
    brigade, division = ids.index("FG"), ids.index("12SS")
    assert knowledge.priors["7.11"](p, brigade) > knowledge.priors["7.11"](p, division)


def test_who_is_marked_short_of_supply_does_not_drive(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    ids = [row.id for row in game.facts.rows]
    p = board_with(game, "shortages", 8, uLehr="1412", uFE="1412")
    reached = []
    for marked in ((), ("Lehr",), ("Lehr", "FE")):
        p.short = union([ids.index(name) for name in marked])
        reached.append(knowledge.ground.panzer_reach(Situation(game.facts, p), against=0).spaces.bit_count())
    assert reached[0] == reached[1], "the other one in that hex still drives"
    assert reached[0] > 2 * reached[2]


def test_leaving_from_an_enemy_zone_costs_more(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """With one point left a panzer unit leaves the map, but not with an Allied unit next to it (9.7)."""
    facts = game.facts
    late = reach(facts.on_road, {BUDGET - POINT: 1 << facts.board.at("0110")}, BUDGET)
    can_exit = [knowledge.ways_out.can_exit(late, against) for against in (0, 1 << facts.board.at("0111"))]
    assert can_exit == [True, False]


def test_the_way_out_is_driven_until_somebody_stands_in_it(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    facts, out = game.facts, knowledge.ways_out
    p = board_with(game, "german_combat_1", 2, u2Pz="1309")
    s = Situation(facts, p)
    way = out.way_out(s, against=0)
    assert way[0] == facts.board.at("1309")
    assert facts.exits >> way[-1] & 1
    assert all(to in facts.board.neighbours(from_) for from_, to in pairwise(way))
    assert out.way_out(s, against=1 << way[1]) == []


def test_where_the_way_out_is_too_long_the_edge_may_still_be_reached(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """From somewhere off the roads a panzer unit gets to the edge with nothing left to leave the map."""
    facts, out = game.facts, knowledge.ways_out
    for hex_ in facts.board.names_of(facts.board.within(facts.exits, 4) & ~facts.road_hexes):
        s = Situation(facts, board_with(game, "german_combat_1", 2, u2Pz=hex_))
        if not out.way_out(s, against=0) and (way := out.way_to_the_edge(s, against=0)):
            assert way[0] == facts.board.at(hex_)
            assert facts.exits >> way[-1] & 1
            return
    raise AssertionError("there is no such hex")


def test_a_way_out_on_foot_has_no_part_that_was_driven(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """From a hex off the road, two hexes from the edge, a panzer unit walks off the map."""
    facts = game.facts
    near = facts.board.within(facts.exits, 1) & ~facts.exits & ~facts.road_hexes & facts.by_terrain["clear"]
    hex_ = facts.board.name(members(near)[0])
    way = knowledge.ways_out.way_out(
        Situation(facts, board_with(game, "german_combat_1", 2, u2Pz=hex_)), against=0
    )
    assert [facts.board.at(hex_), len(way)] == [way[0], 2]


def test_a_breakthrough_is_as_likely_as_the_attack_that_opens_the_way(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """The one unit in the way counts, one that nobody has to pass does not."""
    facts, out = game.facts, knowledge.ways_out
    in_the_way, aside = facts.board.at("1310"), facts.board.at("1803")
    p = board_with(game, "german_combat_1", 2, u2Pz="1309", uCCR9="1310", u4ID="1803")
    s = Situation(facts, p)
    assert out.breakthrough(s, {in_the_way: 0.25, aside: 0.5}) == pytest.approx(0.25)
    assert out.breakthrough(s, {aside: 0.5}) == 0.0


def test_two_in_the_way_must_both_give_way(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    facts = game.facts
    first, second = facts.board.at("1310"), facts.board.at("1412")
    p = board_with(game, "german_combat_1", 2, u2Pz="1309", uCCR9="1310", uCCB10="1412", u1ID="0110")
    out, s = knowledge.ways_out, Situation(facts, p)
    chances = {first: 0.5, second: 0.4, facts.board.at("0110"): 0.3}
    assert 0.0 < out.breakthrough(s, chances) < 0.3


def test_an_attack_at_any_price_may_empty_a_hex(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """One that is not worth its risk counts nothing as a prospect, but its chance is known."""
    hex_, around = clear_hex(game)
    p = board_with(game, "german_combat_1", 2, uFG=around[0], u1ID=hex_)
    s = Situation(game.facts, p)
    gain, emptied = knowledge.ground.attack_prospects(s, Tally(game.facts, s), GERMAN, POINT_WORTH)
    assert gain == 0.0
    assert list(emptied) == [game.facts.board.at(hex_)]


def test_who_can_close_the_way_out_is_sent_there(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """Hexes on the way count until another unit has been sent into it."""
    facts = game.facts
    ids = [row.id for row in facts.rows]
    p = board_with(game, "allied_movement", 2, u2Pz="1309", uCCR9="1109", uCCB10="1812")
    fields = knowledge.fields(p, ALLIED)
    assert isinstance(fields, AlliedFields)
    one, other = ids.index("CCR9"), ids.index("CCB10")
    on_the_way, off_it = facts.board.at("1311"), facts.board.at("1601")
    assert fields.guards(one, on_the_way) > fields.guards(one, off_it) == 0.0
    fields.send(one, on_the_way)
    assert fields.guards(other, facts.board.at("1412")) == 0.0


def test_at_the_last_moment_the_hex_that_stops_the_panzers_counts_most(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """Two hexes from the edge some hexes beside the way close it, others do not; on the last turn nothing does."""
    facts, out = game.facts, knowledge.ways_out
    p = board_with(game, "allied_movement", 6, u3PG="0310", uCCB3="0513")
    unit = [row.id for row in facts.rows].index("CCB3")
    fields, s = knowledge.fields(p, ALLIED), Situation(facts, p)
    assert isinstance(fields, AlliedFields)
    near = members(facts.board.within(1 << facts.board.at("0210"), 2) & ~s.occupied[GERMAN])
    worth = {hex_: fields.guards(unit, hex_) for hex_ in near}
    stoppers = {hex_ for hex_ in near if not out.way_out(s, 1 << hex_)}
    assert {hex_ for hex_, guard in worth.items() if guard == STOPPER} == stoppers
    assert 0 < len(stoppers) < len([guard for guard in worth.values() if guard])
    p.turn = LAST_TURN
    too_late = knowledge.fields(p, ALLIED)
    assert isinstance(too_late, AlliedFields)
    assert not any(too_late.guards(unit, hex_) for hex_ in near)


def test_on_the_last_turn_ways_out_count_no_more(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """Panzers at the edge are worth much before the Allies move on turn 9; on turn 10 they come too late."""
    gained = []
    for turn in (LAST_TURN - 1, LAST_TURN):
        values = [
            knowledge.value(board_with(game, "german_movement", turn, u2Pz=hex_, u1ID="1812"), GERMAN)
            for hex_ in ("0116", "0603")
        ]
        gained.append(values[0] - values[1])
    assert gained[0] > 10.0 > gained[1]


def test_infantry_near_an_empty_town_is_worth_more(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """By road infantry comes six hexes far; a garrison makes an end of the prospect."""
    facts = game.facts
    s = Situation(facts, board_with(game, "german_movement", 3, u26VG="1409"))
    at_bastogne = Situation(facts, board_with(game, "german_movement", 3, u26VG="1409", uCCB10="1412"))
    points = [open_towns(knowledge, s) for s in (s, at_bastogne)]
    assert points[0] >= points[1] + 1.0


def open_towns(knowledge: BulgeKnowledge, s: Situation) -> float:
    return knowledge._open_towns(s, knowledge.ground.panzer_reach(s, s.occupied[ALLIED]))


def test_of_all_towns_that_lie_open_only_some_are_taken(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """One panzer division can drive into any of a dozen towns, but not into all of them."""
    s = Situation(game.facts, board_with(game, "german_movement", 2, u2Pz="1309"))
    reached = knowledge.ground.panzer_reach(s, against=0).spaces & game.facts.towns
    assert knowledge.ground.points_in(reached) > 2 * MOST_TAKEN
    assert 0.8 * MOST_TAKEN < open_towns(knowledge, s) <= MOST_TAKEN


def test_reinforcements_of_this_turn_are_reckoned_with(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """The 26th Division comes on in the south on turn 7, and drives to Bastogne unless Germans bar the way."""
    facts = game.facts
    unit, bastogne = [row.id for row in facts.rows].index("26ID"), facts.board.at("1412")
    reaches = []
    for turn, barred in ((6, False), (7, False), (7, True)):
        p = board_with(game, "german_movement", turn)
        p.where[unit] = DUE
        if barred:
            for guard, entry in zip(facts.german_units, members(facts.entries["S"]), strict=False):
                p.where[guard] = entry
        reaches.append(knowledge.ground.allied_reach(Situation(facts, p)) >> bastogne & 1)
    assert reaches == [0, 1, 0]


def test_whoever_stands_between_panzers_and_the_edge_counts_by_how_well_he_holds(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """Distance, a zone, a weak unit and a strong one: each keeps panzers further from the edge."""
    boards: list[dict[str, str]] = [
        {"u2Pz": "0310"},
        {"u2Pz": "0408"},
        {"u2Pz": "0408", "u102Cav": "0310"},
        {"u2Pz": "0408", "u102Cav": "0310", "u1ID": "0409"},
    ]
    eases = []
    for units in boards:
        s = Situation(game.facts, board_with(game, "german_combat_1", 4, **units))
        eases.append(knowledge.ways_out.ease(s, Tally(game.facts, s)))
    assert 1.0 > eases[0] > eases[1] > eases[2] > eases[3] > 0.0


def test_a_detour_takes_towns_on_the_way(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """From Clervaux to Houffalize by Bastogne if that is wanted; to where it may win a unit goes straight."""
    facts = game.facts
    unit, goal, town = [row.id for row in facts.rows].index("2Pz"), facts.board.at("1111"), facts.board.at("1412")
    p = board_with(game, "german_movement", 2, u2Pz="1308")
    walk = Walk(Situation(facts, p), unit, p.where[unit], BUDGET, True)
    moves = Moves({unit: {goal: Way(unit, goal, walk.reach())}})
    passes = {}
    for name, wanted, straight in (("bent", 1 << town, 0), ("nothing", 0, 0), ("straight", 1 << town, 1 << goal)):
        path = with_detours(moves, {unit: wanted}.__getitem__, {unit: straight}.__getitem__).ways[unit][goal].path
        assert path[-1] == goal
        passes[name] = town in path
    assert passes == {"bent": True, "nothing": False, "straight": False}


def test_an_empty_town_that_americans_can_reach_is_as_good_as_lost(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """A garrison is worth more to the Germans in Bastogne than a hex beside it, if Americans are near."""
    worth = {}
    for american in ("1812", "0126"):
        values = []
        for garrison in ("1412", "1411"):
            p = board_with(game, "german_movement", 8, u26VG=garrison, u1ID=american)
            p.german |= 1 << game.facts.board.at("1412")
            values.append(knowledge.value(p, GERMAN))
        worth[american] = values[0] - values[1]
    assert worth["1812"] > worth["0126"] + 2.0


def test_a_town_within_the_enemys_reach_is_to_be_held(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    bastogne = game.facts.board.at("1412")
    held = []
    for american in ("1812", "0126"):
        p = board_with(game, "german_movement", 8, u26VG="1411", u1ID=american)
        p.german |= 1 << bastogne
        fields = knowledge.fields(p, GERMAN)
        assert isinstance(fields, GermanFields)
        held.append(fields.to_hold >> bastogne & 1)
    assert held == [1, 0]


def test_who_could_be_surrounded_is_in_danger(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    hex_, around = clear_hex(game)
    away = next(name for name in game.facts.board.names_of(game.facts.west_of_meuse))
    for place, in_danger in ((hex_, True), (away, False)):
        p = board_with(game, "allied_movement", 4, uCCA7=place, u2Pz=around[0], u12SS=around[1])
        tally = Tally(game.facts, Situation(game.facts, p))
        assert (knowledge.ground.menace(tally, GERMAN) > 0) is in_danger


def test_a_unit_bars_its_own_row_and_those_beside_it_but_not_from_behind_the_wall(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    rows = [
        knowledge.ground.barred_rows(Situation(game.facts, board_with(game, "german_movement", 4, u2Pz=hex_)))
        for hex_ in ("0909", "0902")
    ]
    assert rows == [3, 0]


def test_a_division_in_the_way_closes_the_rear(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    """A combat command at St. Vith can drive through to the Wall until a division stands in its way."""
    alone = board_with(game, "german_combat_2", 4, uCCB7="0707")
    faced = board_with(game, "german_combat_2", 4, uCCB7="0707", u18VG="0706")
    open_ = [knowledge.ground.open_rear(Situation(game.facts, p)) for p in (alone, faced)]
    assert open_[0] > open_[1]


def test_retreats_are_reckoned_by_the_same_laws_as_they_are_made(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """The British do not fall back over the Meuse, nor anybody into the other ally's hex (9.8, 6.10)."""
    facts, board = game.facts, game.facts.board
    bank = next(
        hex_ for hex_ in members(facts.west_of_meuse) if len(members(board.next_to(hex_) & facts.beyond_meuse)) > 1
    )
    free = members(board.next_to(bank) & facts.west_of_meuse)
    p = board_with(game, "german_combat_2", 6, u43Br=board.name(bank), u2ID=board.name(free[0]))
    found = knowledge.ground.refuge(Situation(facts, p), bank)
    assert members(found) == free[1:]


# ---------------------------------------------------------------------- twelve points win


def with_points(game: TheBulge, turn: int, points: int) -> BulgePosition:
    """A position in which the Germans hold so many points of towns that count for one each."""
    p = board_with(game, "german_movement", turn)
    ones = [town for town, worth in game.facts.town_points.items() if worth == 1]
    p.german = union(ones[:points])
    assert game.points(p) == points
    return p


def test_a_point_is_worth_most_where_it_decides_the_game(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    def worth(turn: int, points: int) -> float:
        return knowledge._point_worth(with_points(game, turn, points))

    assert worth(LAST_TURN, 11) > 5 * worth(LAST_TURN, 5)
    assert worth(LAST_TURN, 12) > 5 * worth(LAST_TURN, 16)
    assert worth(LAST_TURN, 11) > 3 * worth(5, 11)
    assert worth(1, 0) == pytest.approx(POINT_WORTH, rel=0.2)


def test_who_attacks_a_town_reckons_with_what_its_points_decide(game: TheBulge, knowledge: BulgeKnowledge) -> None:
    held, decisive = with_points(game, LAST_TURN, 16), with_points(game, LAST_TURN, 11)
    town = next(
        town for town, worth in game.facts.town_points.items() if worth == 1 and not held.german >> town & 1
    )
    american = game.facts.us_units.start
    for p in (held, decisive):
        p.where[american], p.steps[american] = town, 1
    won, indifferent = (knowledge.worth(p, GERMAN, town, [], "DE") for p in (decisive, held))
    assert won > indifferent + 10


# ---------------------------------------------------------------------- what is remembered


def positions_like_each_other(game: TheBulge) -> list[BulgePosition]:
    """Positions of a random game, each followed by some with one unit elsewhere, as searches ask for them."""
    rng, match, found = random.Random(3), Match(game, seed=seed_of("alike"), keep_log=False), []
    while match.decision is not None:
        if match.decision.top and rng.random() < 0.1:
            found += [match.position.copy(), *(elsewhere(game, match.position, rng) for _ in range(4))]
        match.choose(rng.choice(match.decision.options))
    return found


def elsewhere(game: TheBulge, p: BulgePosition, rng: random.Random) -> BulgePosition:
    there, board = p.copy(), game.facts.board
    unit = rng.choice([unit for unit, at in enumerate(p.where) if at >= 0])
    empty = board.within(1 << p.where[unit], 3) & ~union(p.where)
    there.where[unit] = rng.choice(members(empty))
    return there


def test_what_is_remembered_of_one_position_is_true_of_the_next(game: TheBulge) -> None:
    remembers, forgets = BulgeKnowledge(game), BulgeKnowledge(game)
    positions = positions_like_each_other(game)
    assert len(positions) > 100
    for p in positions:
        forgets.ground._reaches.clear()
        forgets.ground._attacks.clear()
        forgets.ways_out._eases.clear()
        assert remembers.features(p) == forgets.features(p)
    assert any(len(found) > 1 for found in remembers.ground._reaches.values())


def test_driving_and_walking_lead_where_the_fifths_of_points_lead(
    game: TheBulge, knowledge: BulgeKnowledge
) -> None:
    """Whole points are what is counted off the road; a flood that counts every fifth finds the same hexes."""
    facts = game.facts
    for p in positions_like_each_other(game)[::7]:
        s = Situation(facts, p)
        panzers, enemies, broken = knowledge.ground.panzers(p), s.occupied[ALLIED], s.interdicted(GERMAN)
        zone = facts.board.around(enemies)
        regular, mechanized = steps_of(facts, GERMAN, False, broken, 0)
        on_road = panzers & facts.road_hexes & ~zone
        driven = reach(mechanized, {0: on_road}, BUDGET, Limits(blocked=enemies | zone))
        start = {cost: level for cost, level in enumerate(driven.levels) if level}
        start[0] = start.get(0, 0) | panzers
        walked = reach(
            regular, start, BUDGET, Limits(blocked=enemies, enter=((zone, POINT),), leave=((zone, POINT),))
        )
        found = knowledge.ground._flood(GERMAN, panzers, panzers, enemies, broken)
        assert found.spaces == walked.spaces
        assert (found.before.levels if found.before else [0]) == (driven.levels if on_road else [0])
