"""What must hold after every choice of every game, as functions that find fault with a match in play."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from bulge.core.journal import decode, encode, journal_of, verify
from bulge.core.match import Match


class Fault(Exception):
    """Something that the engine promises did not hold. `kind` is one word or two; the text says what."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind


# ---------------------------------------------------------------------- cheap ones, for every choice


def probe_question(match: Match[Any]) -> None:
    """A decision offers something, each thing once, to a side that people play, under a rule that exists."""
    game, decision = match.game, match.asked()
    if not decision.options:
        raise Fault("dead end", f"{decision.side} has no option for {decision.prompt!r} (rule {decision.rule})")
    ids = Counter(game.id_of(decision, choice) for choice in decision.options)
    twice = [id_ for id_, times in ids.items() if times > 1]
    if twice:
        raise Fault("option twice", f"{decision.prompt!r} offers {', '.join(twice)} more than once")
    if decision.side not in game.players_in(match.start.scenario):
        raise Fault("wrong side", f"{decision.prompt!r} is asked of {decision.side!r}, for whom nobody plays")
    if decision.rule not in game.rulebook:
        raise Fault("unknown rule", f"{decision.prompt!r} cites rule {decision.rule!r}, which does not exist")


def probe_log(match: Match[Any], since: int) -> None:
    """What the log has gained cites rules that exist and is meant for eyes that exist."""
    for event in match.log[since:]:
        if event.rule not in match.game.rulebook:
            raise Fault("unknown rule", f"the log cites rule {event.rule!r}, which does not exist: {event.words}")
        if event.side is not None and event.side not in match.game.sides:
            raise Fault("wrong side", f"the log has a line for {event.side!r}, who is no side: {event.words}")


def probe_position(match: Match[Any]) -> bytes:
    """The game's own invariants, JSON there and back, and a copy that is equal and shares nothing."""
    position = match.position
    try:
        match.game.check(position)
    except AssertionError as error:
        raise Fault("invariant", f"an invariant is broken: {error} {place_of(error)}") from error
    text: bytes = position.to_json()
    try:
        back = msgspec.json.decode(text, type=match.game.position_type)
    except msgspec.ValidationError as error:
        raise Fault("JSON", f"the position does not come back from JSON: {error}") from error
    if back != position or back.to_json() != text:
        raise Fault("JSON", f"the position comes back from JSON changed: {_difference(position, back)}")
    twin = position.copy()
    if twin != position:
        raise Fault("copy", f"a copy of the position is not equal to it: {_difference(position, twin)}")
    if shared := set(_mutable_parts(position)) & set(_mutable_parts(twin)):
        names = sorted(name for name, _ in shared)
        raise Fault("copy", f"a copy of the position shares {', '.join(names)} with it")
    return text


def _mutable_parts(position: Any) -> Iterator[tuple[str, int]]:
    """Everything in a position that can be changed in place, by the name of its field and its identity."""
    for name in position.__struct_fields__:
        pending = [getattr(position, name)]
        while pending:
            part = pending.pop()
            if isinstance(part, (list, dict, set)) or _is_open_struct(part):
                yield name, id(part)
            if isinstance(part, dict):
                pending += _no_plain(part.values())
            elif isinstance(part, (list, tuple, set)):
                pending += _no_plain(part)
            elif isinstance(part, msgspec.Struct):
                pending += msgspec.structs.astuple(part)


def _no_plain(parts: Iterable[object]) -> list[object]:
    """Without numbers and words, which most lists hold and which cannot be changed in place."""
    return [part for part in parts if type(part) not in (int, str, bool)]


def _is_open_struct(part: object) -> bool:
    return isinstance(part, msgspec.Struct) and not part.__struct_config__.frozen


def probe_resume(match: Match[Any]) -> None:
    """A match resumed from its last checkpoint asks the same question in the same position."""
    twin = match.copy()
    if twin.position != match.position:
        raise Fault("resume", f"a resumed match differs: {_difference(match.position, twin.position)}")
    _same_question("resume", "a resumed match", match, twin)


def probe_views(match: Match[Any], rng: random.Random) -> None:
    """No side's view, and no spectator's, changes when what is hidden from that side is dealt anew."""
    game = match.game
    for side in game.players_in(match.start.scenario):
        other_deal = match.position.copy()
        game.deal_anew(other_deal, side, rng)
        for viewer in (side, None):
            seen, seen_then = game.view(match.position, viewer), game.view(other_deal, viewer)
            msgspec.json.encode(seen)  # a view that cannot be sent is no view
            if seen != seen_then:
                leaked = ", ".join(key for key in seen if seen[key] != seen_then.get(key))
                whose = f"{viewer}'s view" if viewer else "a spectator's view"
                raise Fault("leak", f"{whose} shows what {side} may not see: {leaked}")


# ---------------------------------------------------------------------- costly ones, for some choices


def probe_copies_for_players(match: Match[Any], rng: random.Random) -> None:
    """What a player may search on looks to him like the match itself, and knows no seed."""
    for side in match.game.players_in(match.start.scenario):
        twin = match.copy_for(side, rng)
        if twin.seed is not None:
            raise Fault("leak", f"the copy for {side} knows the seed")
        if match.game.view(twin.position, side) != match.game.view(match.position, side):
            raise Fault("copy for", f"the copy for {side} looks different to {side}")
        if match.asked().side == side:
            _same_question("copy for", f"the copy for {side}", match, twin)


def probe_question_for_secrets(match: Match[Any], rng: random.Random) -> None:
    """What a side is asked does not depend on what is hidden from it."""
    decision = match.asked()
    if not decision.top:
        return  # only from a top-level question can another deal be played on by itself
    other_deal = match.position.copy()
    match.game.deal_anew(other_deal, decision.side, rng)
    twin = Match.at(match.game, other_deal, match.table.chance, keep_log=False)
    _same_question("leak", f"{decision.side}, if hidden things were otherwise,", match, twin)


def probe_words(match: Match[Any], rng: random.Random) -> None:
    """Every option can be put into words and previewed; a refusal cites a rule that exists."""
    decision, game = match.asked(), match.game
    for choice, option in zip(decision.options, match.options(), strict=True):
        if option.id != game.id_of(decision, choice) or not option.words:
            raise Fault("words", f"option {game.id_of(decision, choice)!r} is described as {option!r}")
        match.preview(choice)
    asked = rng.choice(["nonsense", *(unit.id for unit in game.units), *game.board.names_of(game.board.all)])
    refusal = match.why_not(asked)
    if refusal.rule not in game.rulebook:
        raise Fault("unknown rule", f"refusing {asked!r} cites rule {refusal.rule!r}, which does not exist")


def probe_journal(match: Match[Any], overrides: str = "") -> None:
    """The journal reads back as it was written, and replays to this very end."""
    journal = journal_of(match, overrides)
    if decode(encode(journal)) != journal:
        raise Fault("journal", "the journal reads back changed")
    faults = verify(match.game, journal).faults
    if faults:
        raise Fault("journal", f"the journal does not verify: {faults[0]}")


# ---------------------------------------------------------------------- undo


class Moment(msgspec.Struct, frozen=True):
    """All that undo must bring back."""

    position: bytes
    question: tuple[Any, ...] | None
    log: int

    @classmethod
    def of(cls, match: Match[Any]) -> Moment:
        question = match.decision.key() if match.decision else None
        return cls(match.position.to_json(), question, len(match.log))


class UndoProbe:
    """Remembers the moments that undo may go back to, and tries to go back to them, and to earlier ones."""

    def __init__(self, match: Match[Any]) -> None:
        self.match = match
        self._begin()

    def _begin(self) -> None:
        self._moments = [Moment.of(self.match)]
        self._drawn = self.match.position.drawn

    def after_choice(self, chooser: str) -> None:
        """Take note of a choice. After a die, a draw, another side's turn to choose or the end, none is undone."""
        decision = self.match.decision
        drawn = self.match.position.drawn > self._drawn
        if not drawn and decision is not None and decision.side == chooser:
            self._moments.append(Moment.of(self.match))
            return
        if self.match.can_undo:
            after = (
                "a die or draw"
                if drawn
                else "the end"
                if decision is None
                else f"{decision.side}'s turn to choose"
            )
            raise Fault("undo", f"a choice can be undone after {after}")
        self._begin()

    def there_and_back(self, most: int | None = None) -> None:
        """Undo all that can be undone, or at most so many choices, one by one, and redo it."""
        match, moments = self.match, self._moments
        back = len(moments) - 1
        stop = 0 if most is None else max(0, back - most)
        while match.can_undo and (back > stop or not stop):
            if not back:
                raise Fault("undo", "undo goes back beyond a die, a draw or another side's choice")
            match.undo()
            back -= 1
            self._compare("undo", moments[back])
        while match.can_redo:
            match.redo()
            back += 1
            self._compare("redo", moments[back])
        if back != len(moments) - 1:
            raise Fault("redo", f"{len(moments) - 1 - back} undone choices cannot be made again")

    def _compare(self, what: str, before: Moment) -> None:
        now = Moment.of(self.match)
        if now != before:
            names = [name for name in now.__struct_fields__ if getattr(now, name) != getattr(before, name)]
            raise Fault(what, f"{what} does not bring back the {' and the '.join(names)}")


# ---------------------------------------------------------------------- what differs, and where, in a few words


def place_of(error: BaseException) -> str:
    """Where an exception was raised, for whoever must mend it."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"(at {Path(frames[-1].filename).name}:{frames[-1].lineno}, {frames[-1].line})" if frames else ""


def _same_question(kind: str, who: str, match: Match[Any], twin: Match[Any]) -> None:
    one, other = match.decision, twin.decision
    if (one and one.key()) != (other and other.key()):
        raise Fault(kind, f"{who} has another question to answer: {other!r} instead of {one!r}")


def _difference(one: Any, other: Any) -> str:
    names = [n for n in one.__struct_fields__ if getattr(one, n) != getattr(other, n, None)]
    if not names:
        return "in the order or type of what it holds"
    name = names[0]
    return f"{name} is {str(getattr(other, name, None))[:80]} instead of {str(getattr(one, name))[:80]}"
