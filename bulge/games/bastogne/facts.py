"""The map, the counters and the tables of Bastogne, read from its data; nothing here changes in play."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from operator import itemgetter

from bulge.core.data import GameData, Overrides
from bulge.core.errors import BadData
from bulge.core.mapfile import load_space_map
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.bastogne.rows import (
    DieRow,
    EventRow,
    FormationRow,
    GermanRow,
    NumberRow,
    USRow,
    WeatherRow,
)

US, GERMAN = "US", "German"
SIDES = (US, GERMAN)
SECTORS = ("US North", "US East", "US South", "US West")
FIRES = "US Fires"
"""Who holds a sector, and who directs air and artillery, where several people share the command (1.0)."""

TRACKS = ("North", "East", "South", "West")
NORTH, EAST, SOUTH, WEST = range(4)
NO_TRACK = -1

LAST_TURN = 8
CLEAR_FROM = 5
"""23 December: the skies clear."""
PATTON_ATTACKS_FROM = 4
LATE_FROM = 6
STACK_LIMIT = 4
SUPPLY_LIMIT = 49
AIRSTRIKES = 12
ALLOWED_MOST = 4
LEADER_MOVES = 3
COMPANIES_TO_A_BATTALION = 3

GONE, WAITING = -1, -2
"""Where a counter is that is lost (or not in play), and one that waits in a reinforcement box."""

READY, INTERDICTION, TACTICAL = "Ready", "Interdiction", "Tactical"
RESERVE, COUNTERBATTERY, CLOSE_SUPPORT = "Reserve", "Counterbattery", "Close Support"
BOXES = (READY, INTERDICTION, TACTICAL, RESERVE, COUNTERBATTERY, CLOSE_SUPPORT)


class Facts:
    """Everything that is printed, or would be, on the map, the counters and the charts."""

    def __init__(self, overrides: Overrides | None) -> None:
        folder = files("bulge.games.bastogne")
        self.data = GameData("bastogne", folder, overrides)
        self.us_rows = list(self.data.rows("us_units.csv", USRow))
        self.german_rows = list(self.data.rows("german_units.csv", GermanRow))
        self.events = list(self.data.rows("events.csv", EventRow))
        self.formations = list(self.data.rows("formations.csv", FormationRow))
        self.weather = self.data.rows("weather.csv", WeatherRow).rows
        self.dice = self.data.rows("dice.toml", DieRow).rows
        self.numbers = {row.id: row.value for row in self.data.rows("numbers.toml", NumberRow)}
        self.relief = self.numbers["patton_relief"]
        self.map = load_space_map("bastogne", folder)
        self._read_map()
        self._read_us()
        self._read_germans()
        self._read_markers()
        self.data.overrides.complain_of_unused("bastogne")

    # ------------------------------------------------------------------ map

    @rule("2.3", "5.1", "8.2", "8.7")
    def _read_map(self) -> None:
        spaces = self.map.raw["spaces"]
        numbered = sorted((s for s in spaces if "number" in spaces[s]), key=lambda s: spaces[s]["number"])
        staging = {spaces[s]["track"]: s for s in spaces if spaces[s]["terrain"] == "staging"}
        by_track = {t: [s for s in numbered if spaces[s].get("track") == t] for t in TRACKS}
        (center,) = (s for s in numbered if spaces[s]["terrain"] == "center")
        names = [center, *(s for t in TRACKS for s in by_track[t]), *(staging[t] for t in TRACKS), *BOXES]
        self.board = board = self.map.board(names)
        self.center = board.at(center)
        self.tracks = [[self.center, *(board.at(s) for s in by_track[t]), board.at(staging[t])] for t in TRACKS]
        """The spaces of each track by number: the Center is 0, the staging area comes last."""
        self.staging = [line[-1] for line in self.tracks]
        self.staging_areas = union(self.staging)
        self.track_of = {space: track for track, line in enumerate(self.tracks) for space in line[1:]}
        self.number_of = {space: number for line in self.tracks for number, space in enumerate(line)}
        self.spaces = union(space for line in self.tracks for space in line[:-1])
        """Where US units can be; staging areas and boxes are no spaces (5.2)."""
        self.track_spaces = [union(line[1:-1]) for line in self.tracks]
        self.towns = board.set_of(s for s in numbered if spaces[s]["terrain"] == "town")
        self.names = {board.at(s): spaces[s]["name"] for s in spaces} | {board.at(box): box for box in BOXES}
        self.called = {
            space: name if space in self.staging or board.name(space) == name else f"{name} ({board.name(space)})"
            for space, name in self.names.items()
        }
        self.beside = {space: union(self._along(space)) for space in self.number_of}
        """The spaces next to each along the tracks, staging areas included; lateral roads are no contact."""
        self.rays = {space: self._rays(space) for space in members(self.spaces)}
        """From each space the ways in every direction along its track, shortest first, none beyond the Center."""
        self._within: dict[tuple[int, int], int] = {}
        self.laterals: dict[int, list[int]] = {}
        for one, other in self.map.links("lateral"):
            self.laterals.setdefault(board.at(one), []).append(board.at(other))
            self.laterals.setdefault(board.at(other), []).append(board.at(one))

    def around(self, spaces: int) -> int:
        """The spaces next to some of these along the tracks."""
        found = 0
        for space in members(spaces):
            found |= self.beside[space]
        return found

    @rule("16.3", "16.5")
    def within(self, space: int, distance: int) -> int:
        """The spaces of its track, and from the Center of all tracks, at most so far off; no staging areas."""
        if (space, distance) not in self._within:
            number, found = self.number_of[space], 0
            for track in range(len(TRACKS)) if space == self.center else [self.track_of[space]]:
                found |= union(self.tracks[track][:-1][max(0, number - distance) : number + distance + 1])
            self._within[space, distance] = found & ~(1 << space)
        return self._within[space, distance]

    def _along(self, space: int) -> list[int]:
        if space == self.center:
            return [line[1] for line in self.tracks]
        line, number = self.tracks[self.track_of[space]], self.number_of[space]
        return [line[number - 1], *line[number + 1 : number + 2]]

    def _rays(self, space: int) -> list[list[tuple[int, ...]]]:
        number = self.number_of[space]
        tracks = [self.tracks[self.track_of[space]]] if space != self.center else self.tracks
        lines = [line[number:-1] for line in tracks] + ([tracks[0][number::-1]] if number else [])
        return [[tuple(line[: end + 1]) for end in range(1, len(line))] for line in lines]

    def inward(self, space: int) -> int:
        """The next space towards the Center."""
        return self.tracks[self.track_of[space]][self.number_of[space] - 1]

    # ------------------------------------------------------------------ counters

    @rule("2.61", "2.62", "2.63", "2.64", "13.0", "14.2")
    def _read_us(self) -> None:
        rows = self.us_rows
        count = sum(row.type != "leader" for row in rows)
        if any(row.type == "leader" for row in rows[:count]):
            raise BadData("us_units.csv of bastogne must list the leaders last")
        self.us_units = range(count)
        self.leaders = range(count, len(rows))
        self.rank = range(len(rows))
        """The US combat units and, after them, the leaders."""
        self.us_set, self.led_set = set_of(self.us_units), set_of(self.rank)
        self.mcauliffe = self._us("McAuliffe")
        self.hqs = [unit for unit in self.us_units if rows[unit].type == "hq"]
        self.guns = [unit for unit in self.us_units if rows[unit].impact]
        self.gun_set = union(self.guns)
        self.shooters = [unit for unit in self.us_units if not rows[unit].impact]
        """Who fires for itself; artillery fires by its impact markers (13.5)."""
        self.engineers = [unit for unit in self.us_units if rows[unit].type == "engineer"]
        self.battalions = [int(row.size in ("II", "TF")) for row in rows]
        """Battalion equivalents for stacking: companies, HQs and leaders are free (14.2)."""
        self.stacking = [unit for unit in self.us_units if self.battalions[unit]]
        self.places_of_stacking: Callable[[list[int]], tuple[int, ...]] = itemgetter(*self.stacking)
        self.companies = [int(row.size == "I") for row in rows]
        self.us_full = [1 if row.back is None else 2 for row in rows]
        self.factors = [_factors(row.front, row.back) for row in rows]
        """Combat strength of each unit, US and then German, by steps left."""
        self.planned = {unit: self.board.at(rows[unit].start) for unit in self.us_units if rows[unit].start}
        """Where our own plan of defence puts everybody."""
        self.airborne = [unit for unit in self.us_units if rows[unit].formation == "101"]
        self.task_forces = [unit for unit in self.us_units if rows[unit].formation == "event"]
        self.late_set = union([*self.task_forces, *self.leaders])
        """Who is not deployed with the others (28.1)."""
        self.pace = [2 if unit in self.leaders else int(unit in self.hqs) for unit in self.rank]
        """Which of three movement allowances each has: by weather, an HQ's, a leader's."""
        self.event_leaders = [unit for unit in self.leaders if rows[unit].formation == "event"]
        if any(event.id == "leader" and event.chits > len(self.event_leaders) for event in self.events):
            raise BadData(f"there are counters for {len(self.event_leaders)} leaders of events, and no more")

    def _us(self, id_: str) -> int:
        return next(unit for unit, row in enumerate(self.us_rows) if row.id == id_)

    @rule("8.1", "8.5", "12.1")
    def _read_germans(self) -> None:
        first = len(self.us_rows)
        self.german_units = range(first, first + len(self.german_rows))
        self.german_set = set_of(self.german_units)
        german = dict(zip(self.german_units, self.german_rows, strict=True))
        self.german_guns = [unit for unit, row in german.items() if row.artillery]
        self.mobile = [unit for unit, row in german.items() if not row.artillery]
        self.mobile_set = union(self.mobile)
        self.places_of_mobile: Callable[[list[int]], tuple[int, ...]] = itemgetter(*self.mobile)
        self.formation_units = [
            [unit for unit, row in german.items() if row.formation == formation.id]
            for formation in self.formations
        ]
        self.divisions = [at for at, row in enumerate(self.formations) if row.kind == "division"]
        self.corps = next(at for at, row in enumerate(self.formations) if row.kind == "corps")
        self.formation_named = {row.id: at for at, row in enumerate(self.formations)}
        self.german_full = {
            unit: 2 if row.artillery or row.back is not None else 1 for unit, row in german.items()
        }
        self.factors += [
            (0, 0, row.front) if row.artillery else _factors(row.front, row.back) for row in self.german_rows
        ]

    @rule("2.1", "2.7", "11.3", "13.0")
    def _read_markers(self) -> None:
        first = self.german_units.stop
        self.impacts = range(first, first + len(self.guns))
        self.heaviest = sorted(self.impacts, key=lambda marker: -self.us_rows[self.guns[marker - first]].impact)
        """The impact markers, the strongest first."""
        self.impact_of = dict(zip(self.guns, self.impacts, strict=True))
        self.gun_of = dict(zip(self.impacts, self.guns, strict=True))
        self.airstrikes = range(self.impacts.stop, self.impacts.stop + AIRSTRIKES)
        self.impact_set, self.airstrike_set = set_of(self.impacts), set_of(self.airstrikes)
        self.counters = self.airstrikes.stop
        self.alike = [
            (row.front, row.back, row.size, row.impact, row.edge, row.type in ("engineer", "hq"))
            for row in self.us_rows
        ] + [(row.front, row.back, row.formation) for row in self.german_rows]
        """What the rules know of each unit: units for which it is the same differ in name only."""
        known = [(row.id, row.name) for row in self.us_rows] + [(row.id, row.name) for row in self.german_rows]
        known += [(f"{known[gun][0]}-impact", f"impact of {known[gun][1]}") for gun in self.guns]
        known += [(f"AIR-{number}", f"airstrike {number}") for number in range(1, AIRSTRIKES + 1)]
        self.ids, self.unit_names = [id_ for id_, _ in known], [name for _, name in known]

    def id_of(self, unit: int) -> str:
        return self.ids[unit]

    def name_of(self, unit: int) -> str:
        return self.unit_names[unit]

    def side_of(self, unit: int) -> str:
        return GERMAN if unit in self.german_units else US

    def full(self, unit: int) -> int:
        return self.german_full[unit] if unit in self.german_units else self.us_full[unit]

    def at(self, space: int) -> str:
        """A space as people call it: `Foy (N2)`."""
        return self.called[space]


def set_of(units: range) -> int:
    """Units that follow one another, as a set."""
    return (1 << units.stop) - (1 << units.start)


def counted(number: int, thing: str, things: str = "") -> str:
    """`1 hit`, `2 hits`, `1 die`, `2 dice`."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def _factors(front: int, back: int | None) -> tuple[int, ...]:
    """Combat strength by steps left."""
    return (0, front) if back is None else (0, back, front)
