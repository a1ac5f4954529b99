"""A match in plain lines of text: no frames, no colour, one thing a line, fit to be read aloud."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from bulge.core.decision import Decision, Option, Preview, Spread
from bulge.core.game import Game
from bulge.core.look import Scene
from bulge.core.match import Match
from bulge.core.table import Event

SHOWN_AT_FIRST = 20
FEW_WORDS = 6
"""Of a longer list, only so many options are shown unasked."""
TELLS_STRENGTH = re.compile(r"strength|\d-\d")
"""How the words of most games for a unit say how strong it is; where they do not, its steps do."""


def cited(game: Game[Any], number: str) -> str:
    """`rule 4.1 Movement`; what is no rule of the rulebook (a card, say) stands for itself."""
    return f"rule {game.rulebook.cite(number)}" if number in game.rulebook else number


def rule_line(game: Game[Any], number: str) -> str:
    """A rule with what it says, in our words."""
    if number not in game.rulebook:
        return f"{number}."
    return f"Rule {game.rulebook.cite(number)}: {game.rulebook[number].words}"


def rule_lines(game: Game[Any], number: str) -> list[str]:
    """A rule, and the cases that stand under it."""
    return [
        rule_line(game, number),
        *(f"  {rule_line(game, case.number)}" for case in game.rulebook.cases(number)),
    ]


def sentence(words: str) -> str:
    """Words that begin like a sentence and end without a stop."""
    return words[:1].upper() + words[1:].rstrip(".")


# ---------------------------------------------------------------------- questions


class OptionWords:
    """Puts options into words: what the game says, and of a hex also its ground and who stands there."""

    def __init__(self, match: Match[Any], reader: str | None) -> None:
        self._game = match.game
        self._where = whereabouts(match, reader) or []
        self._hexes: dict[str, dict[str, Any]] = _raw_map(match.game).get("hexes", {})

    def __call__(self, option: Option) -> str:
        """The option's words, with its id in front unless they begin with it anyway."""
        id_ = option.id.replace("_", " ")
        words = option.words if option.words.lower().startswith(id_.lower()) else f"{option.id}: {option.words}"
        parts = [words, *self._about_hex(option)]
        if option.cost:
            parts.append(f"cost {option.cost}")
        return ", ".join(parts)

    def lines(self, options: list[Option], most: int | None = None) -> list[str]:
        return [f"{number}. {self(option)}" for number, option in enumerate(options[:most], start=1)]

    def _about_hex(self, option: Option) -> Iterator[str]:
        if len(option.spaces) != 1 or option.units:
            return
        ground = self._hexes.get(option.spaces[0], {})
        yield from (str(ground[key]).replace("_", " ") for key in ("terrain", "kind") if ground.get(key))
        here = self._game.board.at(option.spaces[0])
        if there := [self._game.units[unit].id for unit, at in enumerate(self._where) if at == here]:
            yield f"holds {' and '.join(there)}"


def phase_words(step: str) -> str:
    """Where in the sequence of play: `german_combat_2` is not `german_combat_1`."""
    side, _, rest = step.partition("_")
    return f"{side.upper() if side == 'us' else side.capitalize()} {rest.replace('_', ' ')}".strip()


def question_lines(match: Match[Any], decision: Decision, in_words: OptionWords) -> list[str]:
    lines = [f"Turn {match.position.turn}, {phase_words(match.position.step)}. {decision.side} decides."]
    lines.append(f"{decision.prompt.rstrip('.')} ({cited(match.game, decision.rule)})")
    reach = match.game.reachable(match.table, decision)
    lines += [f"{sentence(reach.words)}."] if reach is not None and reach.words else []
    options = match.options()
    lines += _option_lines(options, in_words)
    if numbers_mislead(options):
        lines.append("Answer with the number at the start of the line, not with the one after it.")
    return lines


def _option_lines(options: list[Option], in_words: OptionWords) -> list[str]:
    """All options; of a long list the first, after the few words that end or do something."""
    lines = in_words.lines(options)
    if len(options) <= SHOWN_AT_FIRST:
        return lines
    words = [line for line, option in zip(lines, options, strict=True) if _is_word(option)]
    words = words if len(words) <= FEW_WORDS else []
    shown = [line for line in lines if line not in words][:SHOWN_AT_FIRST]
    left_out = len(options) - len(words) - len(shown)
    return [*words, *shown, f"{left_out} more: type options for all {len(options)}."]


def _is_word(option: Option) -> bool:
    return not (option.spaces or option.units or option.sides or option.cards or option.id.isdigit())


def numbers_mislead(options: list[Option]) -> bool:
    """Whether an option is itself a number that is another option's place in the list."""
    places = {str(place) for place in range(1, len(options) + 1)}
    return any(option.id in places and option.id != str(place) for place, option in enumerate(options, start=1))


def preview_lines(game: Game[Any], preview: Preview) -> list[str]:
    lines = [f"{sentence(preview.words)}."]
    lines += [
        f"{sentence(each.words)}: {each.amount:+d} {each.to} ({cited(game, each.rule)})"
        for each in preview.modifiers
    ]
    for spread in (Spread(preview.of, preview.chances), *preview.others):
        of = f" {spread.of}" if spread.of else ""
        lines += [f"Chance of {result}{of}: {_chance(chance)}" for result, chance in spread.chances]
    return lines


def _chance(chance: Fraction) -> str:
    percent = round(100 * chance)
    return f"{percent}%" if 100 * chance == percent else f"{chance}, about {percent}%"


# ---------------------------------------------------------------------- the log and the end


def event_line(game: Game[Any], event: Event) -> str:
    """What happened; a roll begins with its dice; a secret says whose it is."""
    words = sentence(event.words)
    if event.dice:
        rolled = " and ".join(str(die) for die in event.dice)
        words = f"{'Die' if len(event.dice) == 1 else 'Dice'}: {rolled} (d{event.sides}). {words}"
    line = f"{words} ({_short(game, event.rule)})"
    return f"Only for {event.side}: {line}" if event.side else line


def _short(game: Game[Any], number: str) -> str:
    return f"rule {number}" if number in game.rulebook else number


def result_lines(match: Match[Any]) -> list[str]:
    result = match.result
    assert result is not None
    winner = f"{result.winner} wins" if result.winner else "nobody wins"
    lines = [f"Result: {winner}. {result.words.rstrip('.')} ({cited(match.game, result.rule)})"]
    return [*lines, *(f"Points of {side}: {points}" for side, points in result.points.items())]


# ---------------------------------------------------------------------- the board


def whereabouts(match: Match[Any], reader: str | None) -> list[int | None] | None:
    """The space of each unit as this reader may know it (None: off the board); None if the game has no such list.

    It is read from the view, not from the position, so that nothing hidden can slip out.
    """
    where = match.game.view(match.position, reader).get("where")
    if not isinstance(where, list) or len(where) != len(match.game.units):
        return None
    return [at if isinstance(at, int) and at >= 0 and match.game.board.all >> at & 1 else None for at in where]


def board_lines(match: Match[Any], reader: str | None) -> list[str]:
    """How the game stands, and every unit, side by side and hex by hex."""
    game = match.game
    where = whereabouts(match, reader)
    scene = game.scene(match.position, reader)
    lines = [f"{score.label}: {score.value}{f' of {score.of}' if score.of else ''}" for score in scene.scores]
    lines += [f"{deck.name}: {deck.left} to draw, {len(deck.played)} played" for deck in scene.decks]
    lines += [mark.words for mark in scene.marks if not mark.space]
    lines += _held(game, game.overlays(match.position, reader))
    states = states_of(scene)
    for side in camps_of(game):
        lines.append(f"{side}:")
        mine = [number for number, unit in enumerate(game.units) if unit.side == side]
        if where is None:
            lines += [unit_line(match, number) for number in mine]
            continue
        placed = sorted((game.board.name(at), number) for number in mine if (at := where[number]) is not None)
        lines += [f"{name}: {_without_place(match, number, name, states)}" for name, number in placed]
        lines += [f"Not on the board: {unit_line(match, n)}" for n in mine if where[n] is None]
    marked = [f"{mark.space}: {mark.words}" for mark in scene.marks if mark.space]
    return [*lines, *(["Markers:", *sorted(marked)] if marked else [])]


def unit_line(match: Match[Any], unit: int) -> str:
    return f"{match.game.units[unit].id}: {match.game.unit_words(match.position, unit)}"


def camps_of(game: Game[Any]) -> list[str]:
    """Every side that has units, also one that the rules play."""
    return list(dict.fromkeys(unit.side for unit in game.units))


def states_of(scene: Scene) -> dict[str, tuple[int, list[str]]]:
    """What is true of each counter just now: how many steps it has, and what has become of it."""
    return {piece.unit: (piece.steps, [_in_words(flag) for flag in piece.flags]) for piece in scene.pieces}


def _in_words(name: str) -> str:
    return name.replace("_", " ")


def _without_place(match: Match[Any], unit: int, space: str, states: Mapping[str, tuple[int, list[str]]]) -> str:
    """A unit's line where its place has been said already, with what its own words leave out."""
    game = match.game
    words = f"{game.units[unit].id} {game.unit_words(match.position, unit)}"
    words = words.removesuffix(f", in {game.space_words(game.board.at(space))}")
    steps, more = states.get(game.units[unit].id, (0, []))
    if steps and not TELLS_STRENGTH.search(words):
        words += f", {steps} step{'' if steps == 1 else 's'}"
    return ", ".join([words, *(state for state in more if state not in words.lower())])


def space_lines(match: Match[Any], space: int, reader: str | None) -> list[str]:
    """What is at a space: ground, hexsides, what is next to it, and who stands there."""
    game = match.game
    name = game.board.name(space)
    now = game.overlays(match.position, reader)
    lines = [f"{game.space_words(space)}{_ground(game, name, now)}."]
    lines += _side_lines(game, name, now.get("front", ()))
    beside = ", ".join(game.space_words(near) for near in game.board.neighbours(space))
    lines.append(f"Next to it: {beside or 'nothing'}.")
    lines += _reached(name, now)
    scene = game.scene(match.position, reader)
    lines += [mark.words for mark in scene.marks if mark.space == name]
    where = whereabouts(match, reader)
    if where is not None:
        here = [number for number, at in enumerate(where) if at == space]
        states = states_of(scene)
        lines += [_without_place(match, number, name, states) for number in here] or ["No unit is there."]
    return lines


def _raw_map(game: Game[Any]) -> dict[str, Any]:
    raw = getattr(getattr(getattr(game, "facts", None), "map", None), "raw", {})
    return raw if isinstance(raw, dict) else {}


def _ground(game: Game[Any], name: str, now: Mapping[str, Sequence[str]]) -> str:
    raw = _raw_map(game)
    found = dict(raw.get("hexes", {}).get(name, {}))
    found.pop("place", None)  # the space's own words give it
    words = [", ".join(_features(found, bare=("terrain", "kind")))] if found else []
    if said := game.ground_words(game.board.at(name)):
        words.append(said)
    else:
        # What a map says of control is the set-up; who has a hex now is in the overlays.
        areas = [area for area, names in raw.get("areas", {}).items() if name in names]
        words += [area.replace("_", " ") for area in areas if not area.endswith("_control")]
    words += _control(game, name, now)
    return ": " + ", ".join(words) if words else ""


def _control(game: Game[Any], name: str, now: Mapping[str, Sequence[str]]) -> list[str]:
    """Who controls a space now; where only one side's control is kept, the rest is the other's."""
    kept = {side: now[key] for side in camps_of(game) if (key := f"control_{side.lower()}") in now}
    owners = [side for side, names in (kept or _holdings(game, now)).items() if name in names]
    if len(kept) == 1 and len(game.sides) == 2 and not owners:
        owners = [side for side in game.sides if side not in kept]
    return [f"{owner} control" for owner in owners]


def _holdings(game: Game[Any], now: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """What each side is known to hold: ground, or the places that count."""
    kinds = ("control", "towns", "victory")
    keys = {side: [key for kind in kinds if (key := f"{kind}_{side.lower()}") in now] for side in camps_of(game)}
    return {side: [name for key in found for name in now[key]] for side, found in keys.items() if found}


def _held(game: Game[Any], now: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The places with a name that each side holds now."""
    for side, names in _holdings(game, now).items():
        named = [words for name in names if (words := game.space_words(game.board.at(name))) != name]
        yield f"{side} control: {', '.join(named) or 'no place with a name'}."


def _reached(name: str, now: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Whose supply comes here, and whose zones lie here."""
    for kind, words in (("supply", "Supply of"), ("zones", "In zones of control of")):
        layers = [key for key in now if key.startswith(f"{kind}_")]
        here = [key.removeprefix(f"{kind}_").capitalize() for key in layers if name in now[key]]
        if layers:
            yield f"{words}: {' and '.join(here) or 'nobody'}."


def _side_lines(game: Game[Any], name: str, front: Sequence[str]) -> Iterator[str]:
    raw = _raw_map(game)
    sides: dict[str, dict[str, Any]] = {side: dict(features) for side, features in raw.get("sides", {}).items()}
    for side in front:
        sides.setdefault(side, {})["front"] = True
    for side, features in sides.items():
        ends = side.split("/")
        if name in ends:
            other = ends[1 - ends.index(name)]
            yield f"Towards {other}: {', '.join(_features(features))}."
    if edge := raw.get("edges", {}).get(name):
        yield f"Map edge: {', '.join(_features(edge))}."


def _features(found: dict[str, Any], bare: tuple[str, ...] = ()) -> Iterator[str]:
    """A map's features in words; of those in `bare`, the value says enough. What is false is not there."""
    for key, value in found.items():
        if value is True:
            yield key.replace("_", " ")
        elif isinstance(value, list):
            yield f"with {' and '.join(value)}"
        elif value not in (False, None, ""):
            yield _in_words(str(value)) if key in bare else f"{_in_words(key)} {value}"
