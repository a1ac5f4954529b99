"""The geography's data hold together, and agree with what is known of the Ardennes."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from shapely.geometry import LineString

from bulge.geo import geography as module
from bulge.geo.geography import (
    EDGES,
    Geography,
    GeographyError,
    Line,
    Point,
    bank_of,
    contains,
    distance_km,
    distance_to_course_km,
    geography,
    region_at,
)

SOUTH, NORTH, WEST, EAST = 49.55, 50.75, 4.6, 6.75


@pytest.fixture(scope="module")
def geo() -> Geography:
    return geography()


def theatre(step: float) -> list[Point]:
    rows = [SOUTH + step * number for number in range(int((NORTH - SOUTH) / step) + 1)]
    columns = [WEST + step * number for number in range(int((EAST - WEST) / step) + 1)]
    return [(lat, lon) for lat in rows for lon in columns]


def longitudes(line: Line, lat: float) -> list[float]:
    """Where a line crosses a parallel."""
    return [
        lon1 + (lat - lat1) / (lat2 - lat1) * (lon2 - lon1)
        for (lat1, lon1), (lat2, lon2) in pairwise(line.course)
        if (lat1 > lat) != (lat2 > lat)
    ]


class TestPlaces:
    def test_there_are_some_five_hundred_and_they_lie_about_the_theatre(self, geo: Geography) -> None:
        assert 400 <= len(geo.places) <= 600
        for place in geo.places.values():
            assert 49.4 < place.lat < 50.9, place
            assert 4.4 < place.lon < 7.0, place

    def test_sizes_thin_out_upwards(self, geo: Geography) -> None:
        count = Counter(place.size for place in geo.places.values())
        assert count[4] < count[3] < count[2] < count[1]
        assert geo.place("Liège").size == 4
        assert geo.place("Bastogne").size == 3
        assert geo.place("Houffalize").size == 2

    def test_no_name_or_spelling_means_two_places(self, geo: Geography) -> None:
        spellings = Counter(name for place in geo.places.values() for name in (place.name, *place.also))
        assert [name for name, count in spellings.items() if count > 1] == []

    def test_no_two_places_stand_on_one_spot(self, geo: Geography) -> None:
        points = Counter(place.point for place in geo.places.values())
        assert [point for point, count in points.items() if count > 1] == []

    @pytest.mark.parametrize(
        ("start", "end", "km"),
        [
            ("Bastogne", "Namur", 79.7),
            ("Bastogne", "Houffalize", 15.2),
            ("St. Vith", "Bastogne", 42.5),
            ("Bastogne", "Noville", 7.4),
            ("Bastogne", "Neffe", 2.5),
            ("Dinant", "Celles", 7.4),
            ("Monschau", "Echternach", 83.5),
            ("Liège", "Luxembourg", 120.8),
        ],
    )
    def test_known_distances(self, geo: Geography, start: str, end: str, km: float) -> None:
        measured = distance_km(geo.place(start).point, geo.place(end).point)
        assert measured == pytest.approx(km, rel=0.01, abs=0.15)

    def test_a_place_answers_to_its_other_spellings(self, geo: Geography) -> None:
        assert geo.place("Saint-Vith") is geo.place("St. Vith")
        assert geo.place("Parker's Crossroads").name == "Baraque de Fraiture"

    def test_an_unknown_place_is_refused_with_a_hint(self, geo: Geography) -> None:
        with pytest.raises(GeographyError, match=r"'Bastonge'.*do you mean Bastogne"):
            geo.place("Bastonge")


class TestRivers:
    def test_every_river_flows_into_a_river_or_off_an_edge(self, geo: Geography) -> None:
        for river in geo.rivers.values():
            assert river.flows_into in geo.rivers or river.flows_into in EDGES, river.name

    def test_tributaries_end_on_the_river_they_join(self, geo: Geography) -> None:
        for river in geo.rivers.values():
            if river.flows_into in geo.rivers:
                gap = distance_to_course_km(river.course[-1], geo.rivers[river.flows_into].course)
                assert gap < 0.01, river.name

    def test_mouths_are_short_of_no_long_leap(self, geo: Geography) -> None:
        """The last written point must lie near the parent, or the mouth would be a guess."""
        for river in geo.rivers.values():
            if river.flows_into in geo.rivers:
                assert distance_km(*river.course[-2:]) < 5, river.name

    def test_places_stand_on_their_bank_and_by_their_river(self, geo: Geography) -> None:
        for river in geo.rivers.values():
            for name, bank in river.banks.items():
                point = geo.place(name).point
                assert bank_of(point, river.course) == bank, (river.name, name)
                assert 0.05 < distance_to_course_km(point, river.course) < 2.0, (river.name, name)

    @pytest.mark.parametrize(
        ("river", "place", "bank"),
        [
            ("Meuse", "Dinant", "right"),
            ("Meuse", "Ciney", "right"),
            ("Meuse", "Namur", "left"),
            ("Our", "Dasburg", "left"),
            ("Our", "Hosingen", "right"),
            ("Our", "Vianden", "right"),
            ("Our", "St. Vith", "right"),
            ("Sauer", "Echternach", "right"),
            ("Sauer", "Diekirch", "left"),
            ("Sauer", "Bollendorf", "left"),
            ("Amblève", "Stavelot", "right"),
            ("Amblève", "Trois-Ponts", "left"),
            ("Amblève", "Malmedy", "right"),
            ("Salm", "Vielsalm", "right"),
            ("Salm", "Trois-Ponts", "left"),
            ("Ourthe", "Marche", "left"),
            ("Ourthe", "Samrée", "right"),
            ("Clerf", "Marnach", "left"),
        ],
    )
    def test_known_banks(self, geo: Geography, river: str, place: str, bank: str) -> None:
        assert bank_of(geo.place(place).point, geo.rivers[river].course) == bank

    def test_no_river_crosses_itself(self, geo: Geography) -> None:
        for river in geo.rivers.values():
            assert LineString(river.course).is_simple, river.name

    def test_rivers_meet_only_at_mouths(self, geo: Geography) -> None:
        rivers = list(geo.rivers.values())
        for number, one in enumerate(rivers):
            for other in rivers[number + 1 :]:
                mouths = [river.course[-1] for river in (one, other)]
                for part in _crossings(one.course, other.course):
                    assert min(distance_km(part, mouth) for mouth in mouths) < 0.1, (one.name, other.name)

    @pytest.mark.parametrize(("river", "km"), [("Our", 78), ("Salm", 28), ("Amblève", 88), ("Sauer", 173)])
    def test_lengths_are_of_the_right_order(self, geo: Geography, river: str, km: float) -> None:
        """A sparse course cuts the bends off, so it is shorter than the river, but not by much."""
        length = sum(distance_km(a, b) for a, b in pairwise(geo.rivers[river].course))
        assert 0.5 * km < length < 1.05 * km


def _crossings(one: tuple[Point, ...], other: tuple[Point, ...]) -> list[Point]:
    common = LineString(one).intersection(LineString(other))
    parts = getattr(common, "geoms", [common])
    return [(part.centroid.x, part.centroid.y) for part in parts if not part.is_empty]


class TestRoads:
    def test_the_net_is_one_and_reaches_every_place(self, geo: Geography) -> None:
        neighbours: dict[str, set[str]] = {name: set() for name in geo.places}
        for road in geo.roads:
            neighbours[road.start].add(road.end)
            neighbours[road.end].add(road.start)
        reached, waiting = {"Bastogne"}, ["Bastogne"]
        while waiting:
            fresh = neighbours[waiting.pop()] - reached
            reached |= fresh
            waiting += fresh
        assert set(geo.places) - reached == set()

    def test_no_road_stands_twice(self, geo: Geography) -> None:
        pairs = Counter(frozenset({road.start, road.end}) for road in geo.roads)
        assert [pair for pair, count in pairs.items() if count > 1 or len(pair) == 1] == []

    def test_about_a_third_is_primary(self, geo: Geography) -> None:
        share = sum(road.grade == "primary" for road in geo.roads) / len(geo.roads)
        assert 0.25 < share < 0.38

    def test_no_road_wanders(self, geo: Geography) -> None:
        for road in geo.roads:
            length = sum(distance_km(a, b) for a, b in pairwise(road.course))
            assert length < 30, road
            assert length < 1.4 * distance_km(road.course[0], road.course[-1]) + 0.5, road

    @pytest.mark.parametrize(
        ("name", "start", "end"),
        [
            ("N4", "Namur", "Arlon"),
            ("N15", "Liège", "Bastogne"),
            ("N28", "La Roche", "St. Vith"),
            ("N33", "Trois-Ponts", "Aywaille"),
            ("Skyline Drive", "Diekirch", "Weiswampach"),
            ("Rollbahn C", "Losheim", "Malmedy"),
            ("Rollbahn D", "Losheim", "Huy"),
            ("Rollbahn E", "Manderfeld", "Vielsalm"),
        ],
    )
    def test_named_roads_run_through(self, geo: Geography, name: str, start: str, end: str) -> None:
        reached = {start}
        roads = [road for road in geo.roads if name in road.names]
        for _ in roads:
            for road in roads:
                if reached & {road.start, road.end}:
                    reached |= {road.start, road.end}
        assert end in reached

    def test_bastogne_is_the_hub_of_the_south(self, geo: Geography) -> None:
        grades = Counter(road.grade for road in geo.roads if "Bastogne" in (road.start, road.end))
        assert grades["primary"] >= 6


class TestRegions:
    @pytest.mark.slow
    def test_they_cover_the_theatre(self, geo: Geography) -> None:
        bare = [point for point in theatre(0.02) if region_at(geo.regions, point) is None]
        assert bare == []

    def test_outlines_are_rough_but_sound(self, geo: Geography) -> None:
        for region in geo.regions:
            assert 6 <= len(region.outline) <= 20, region.name
            assert LineString([*region.outline, region.outline[0]]).is_simple, region.name

    def test_names_are_given_once(self, geo: Geography) -> None:
        assert len({region.name for region in geo.regions}) == len(geo.regions)

    @pytest.mark.parametrize(
        ("place", "region"),
        [
            ("Bastogne", "Bastogne plateau"),
            ("Marche", "Famenne"),
            ("Ciney", "Condroz"),
            ("Baraque Michel", "High Fens"),
            ("Schwarzer Mann", "Schnee Eifel"),
            ("Baraque de Fraiture", "Baraque de Fraiture heights"),
            ("Müllerthal", "Müllerthal"),
            ("Elsenborn", "Büllingen–Elsenborn ridge"),
            ("Lanzerath", "Losheim Gap"),
            ("Bitburg", "Bitburger Gutland"),
            ("Dasburg", "Our gorge"),
            ("Kautenbach", "Wiltz gorge"),
        ],
    )
    def test_places_lie_in_their_country(self, geo: Geography, place: str, region: str) -> None:
        found = region_at(geo.regions, geo.place(place).point)
        assert found is not None
        assert found.name == region

    def test_the_ardennes_are_near_half_wooded_and_the_famenne_and_condroz_open(self, geo: Geography) -> None:
        assert 0.38 < _wooded_share(geo, (49.8, 50.4), (5.3, 6.2)) < 0.52
        assert 0.40 < _wooded_share(geo, (50.1, 50.55), (6.2, 6.7)) < 0.60
        assert _wooded_share(geo, (50.2, 50.45), (5.0, 5.4)) < 0.15
        assert _wooded_share(geo, (49.6, 49.85), (5.9, 6.35)) < 0.30

    def test_contains_knows_inside_from_outside(self) -> None:
        square = ((50.0, 5.0), (50.0, 6.0), (51.0, 6.0), (51.0, 5.0))
        assert contains(square, (50.5, 5.5))
        assert not contains(square, (50.5, 6.5))
        assert not contains(square, (49.5, 5.5))


def _wooded_share(geo: Geography, lats: tuple[float, float], lons: tuple[float, float]) -> float:
    """Woods are woods and fields mixed, so they count half."""
    weight = {"forest": 1.0, "woods": 0.5}
    inside = [p for p in theatre(0.02) if lats[0] <= p[0] <= lats[1] and lons[0] <= p[1] <= lons[1]]
    regions = [region_at(geo.regions, point) for point in inside]
    return sum(weight.get(region.cover, 0.0) for region in regions if region) / len(inside)


class TestLines:
    def test_the_front_of_16_december_lies_west_of_the_westwall(self, geo: Geography) -> None:
        """Save on the Schnee Eifel and about Lammersdorf, where the Americans had pierced it."""
        front, wall = geo.line("Front, 16 December"), geo.line("Westwall")
        for hundredths in [*range(4974, 5020, 3), *range(5034, 5050, 3)]:
            lat = hundredths / 100
            assert max(longitudes(front, lat)) <= max(longitudes(wall, lat)) + 0.005, lat

    def test_the_front_moves_west_day_by_day(self, geo: Geography) -> None:
        fronts = [geo.line(f"Front, {day} December") for day in (16, 18, 20, 22, 24)]
        reach = [min(lon for _, lon in front.course) for front in fronts]
        assert reach == sorted(reach, reverse=True)
        assert len(set(reach)) == len(reach)

    @pytest.mark.parametrize(
        ("day", "place", "german"),
        [
            (16, "Clervaux", False),
            (18, "Clervaux", True),
            (18, "St. Vith", False),
            (20, "St. Vith", False),
            (22, "St. Vith", True),
            (18, "Bastogne", False),
            (20, "Bastogne", False),
            (20, "Houffalize", True),
            (22, "La Roche", True),
            (22, "Vielsalm", False),
            (24, "Vielsalm", True),
            (24, "Celles", True),
            (24, "Dinant", False),
            (24, "Marche", False),
            (24, "Rochefort", True),
            (24, "Hotton", False),
            (26, "Celles", False),
            (26, "Bastogne", False),
            (26, "Houffalize", True),
            (26, "Malmedy", False),
            (26, "Elsenborn", False),
            (26, "Büllingen", True),
            (26, "Monschau", False),
            (26, "Arlon", False),
        ],
    )
    def test_who_held_what(self, geo: Geography, day: int, place: str, german: bool) -> None:
        """The ground between a front and the east edge is German."""
        course = geo.line(f"Front, {day} December").course
        east = [*course, (course[-1][0], 7.5), (course[0][0], 7.5)]
        assert contains(east, geo.place(place).point) == german

    def test_bastogne_lies_within_its_perimeter(self, geo: Geography) -> None:
        for day in (22, 24):
            perimeter = geo.line(f"Bastogne perimeter, {day} December").course
            assert perimeter[0] == perimeter[-1]
            assert contains(perimeter, geo.place("Bastogne").point)
            assert not contains(perimeter, geo.place("Noville").point)

    def test_no_front_crosses_itself(self, geo: Geography) -> None:
        for line in geo.lines:
            assert LineString(line.course).is_simple, line.name

    def test_borders_part_the_countries(self, geo: Geography) -> None:
        """Places lie in their own country, save those within the borders' error of about 2.5 km."""
        outline = [
            *geo.line("Border of Luxembourg and Germany").course,
            *geo.line("Border of France and Luxembourg").course[::-1],
            *geo.line("Border of Belgium and Luxembourg").course[::-1],
        ]
        for place in geo.places.values():
            if distance_to_course_km(place.point, [*outline, outline[0]]) > 2.5:
                assert contains(outline, place.point) == (place.country == "LU"), place.name

    def test_every_line_says_where_it_is_from(self, geo: Geography) -> None:
        assert all(line.source for line in geo.lines)

    def test_an_unknown_line_is_refused(self, geo: Geography) -> None:
        with pytest.raises(GeographyError, match="no line"):
            geo.line("Maginot Line")


class TestBadData:
    """What is wrong in a file is said in words that lead to the row."""

    @pytest.fixture
    def edited(self, monkeypatch: pytest.MonkeyPatch) -> "Edits":
        edits = Edits()
        read = module._text
        monkeypatch.setattr(module, "_text", lambda name: edits.apply(name, read(name)))
        return edits

    @pytest.mark.parametrize(
        ("file", "old", "new", "message"),
        [
            ("places.csv", r",city,4,BE", ",metropolis,4,BE", r"places\.csv: .*: .*metropolis"),
            ("places.csv", r"(Bastogne,.*\n)", r"\1\1", "Bastogne stands twice"),
            ("roads.csv", r",primary,N15", ",motorway,N15", r"roads\.csv: .* to .*: .*motorway"),
            ("roads.csv", r"Bastogne,Foy,", "Bastonge,Foy,", "'Bastonge'"),
            ("rivers.toml", r'class = "major"', 'class = "huge"', r"rivers\.toml: .*huge"),
            ("rivers.toml", r'place = "Dinant"', 'place = "Dinnant"', "'Dinnant'"),
            ("rivers.toml", r'flows_into = "Meuse"', 'flows_into = "Maas"', "'Maas', no river and no edge"),
            ("rivers.toml", r'bank = "left"', 'bank = "far"', r"rivers\.toml: .*far"),
            ("regions.toml", r'cover = "fen"', 'cover = "bog"', r"regions\.toml: .*bog"),
            ("lines.toml", r'river = "Our"', 'river = "Ur"', "'Ur', which is no river"),
        ],
    )
    def test_is_refused(self, edited: "Edits", file: str, old: str, new: str, message: str) -> None:
        edited.change(file, old, new)
        with pytest.raises(GeographyError, match=message):
            geography.__wrapped__()


class Edits:
    """Changes laid over the data files for one test."""

    def __init__(self) -> None:
        self.changes: list[tuple[str, str, str]] = []

    def change(self, file: str, old: str, new: str) -> None:
        self.changes.append((file, old, new))

    def apply(self, file: str, text: str) -> str:
        for name, old, new in self.changes:
            if name == file:
                text, count = re.subn(old, new, text, count=1)
                assert count == 1, f"{old} is not in {file}"
        return text
