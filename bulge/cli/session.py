"""A game in the terminal: ask, understand the answer, say what happened."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from bulge.cli import describe
from bulge.cli.answers import Meant, option_meant, space_meant, spaces_meant, unit_meant
from bulge.cli.saving import Keeper, command_for, typed_path
from bulge.core.chance import commitment
from bulge.core.decision import Decision, Option, Refusal
from bulge.core.errors import BulgeError
from bulge.core.game import Game, question_of
from bulge.core.match import Match
from bulge.core.table import Event
from bulge.players.levels import HINTS_BY, player_for
from bulge.players.player import Player
from bulge.players.side_by_side import Company

Seats: TypeAlias = Mapping[str, Player | None]
"""Who decides for each side; None for a person at this keyboard."""

LOG_LINES = 10
MOST_REASONS = 200
MOST_SPACES = 6
"""No city fills more hexes; what fits more is too vague to be told of."""

HELP = """\
Answer a question with one of these:
the number at the start of an option's line
a {noun}, such as {example}, or the name of a place
a unit's id or name, or the beginning of it
A number that is in the list always means that line of the list.

Or type one of these words:
options: show all options again
why: the rule behind the question
why X: why X can or cannot be chosen, or what rule X says, such as why 4.1
preview X: what choosing X would lead to, with the chances
undo: take back your last choice, until a die is rolled or another side decides
redo: make it again
log: the last lines of the log; log 50 shows more
reasons: why the computer did what it did lately; reasons 50 shows more
hint: what the computer would do in your place, and why
board: how the game stands, every unit and where it is
what {place}: what is in a {noun} and around it
where UNIT: a unit and where it stands
save: save the game; save FILE saves it in that file
quit: leave the game
help: this list"""


def help_words(game: Game[Any]) -> str:
    """The help, in the words of this game's board."""
    noun, some = game.board.noun, game.board.names_of(game.board.all)
    return HELP.format(noun=noun, place=noun.upper(), example=some[len(some) // 2])


def say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def ask(prompt: str) -> str | None:
    """A line from the keyboard; None at its end. A line from a file is repeated, so that a record reads well."""
    try:
        text = input(prompt).strip()
    except EOFError:
        print()
        return None
    if not sys.stdin.isatty():
        print(text)
    return text


class Session:
    """One match, at one keyboard."""

    def __init__(self, match: Match[Any], seats: Seats, keeper: Keeper, company: Company) -> None:
        self.match = match
        self.game = match.game
        self.keeper = keeper
        self._seats = seats
        self._humans = [side for side, player in seats.items() if player is None]
        self._read_to = 0
        """How much of the log has been gone through."""
        self._waiting: list[int] = []
        """Lines of the log before that, by number, that wait for the only side that may read them."""
        self._leaving = False
        self._reasons: deque[str] = deque(maxlen=MOST_REASONS)
        self._advisers: dict[str, Player] = {}
        self._company = company
        """Helps those who think."""
        self._words: dict[str, Callable[[str], bool]] = {
            "options": self._options,
            "why": self._why,
            "preview": self._preview,
            "undo": self._undo,
            "redo": self._redo,
            "log": self._log,
            "reasons": self._say_reasons,
            "hint": self._hint,
            "board": self._board,
            "what": self._what,
            "where": self._where,
            "save": self._save,
            "quit": self._quit,
            "help": self._help,
        }

    # ------------------------------------------------------------------ the course of a match

    def run(self) -> None:
        """Play until the match is over or the person leaves."""
        while not self._leaving:
            decision = self.match.decision
            self._tell_news()
            if decision is None:
                self._finish()
                return
            player = self._seats.get(decision.side)
            if player is not None:
                self._let_choose(player, decision)
            else:
                self._ask_person(decision)

    def _let_choose(self, player: Player, decision: Decision) -> None:
        """A computer player chooses; why it did so is kept, where it says something new."""
        choice = player.choose(self.match)
        said = f"{decision.side}: {player.why()}"
        if not self._reasons or self._reasons[-1] != said:
            self._reasons.append(said)
        self.match.choose(choice)

    def already_told(self) -> None:
        """What the log says so far is old news (of a loaded game); secrets still wait for their readers."""
        self._read_to = len(self.match.log)
        self._waiting = [number for number, event in enumerate(self.match.log) if event.side is not None]

    def rescue(self) -> None:
        """Something ends the program: save what people have put into the game."""
        if self._humans and self.keeper.unsaved(self.match):
            say(self._saved_lines())

    def close(self) -> None:
        self._company.close()

    @property
    def reader(self) -> str | None:
        """Whose secrets may be on the screen now."""
        decision = self.match.decision
        if decision is not None and decision.side in self._humans:
            return decision.side
        return self._humans[0] if len(self._humans) == 1 else None

    @property
    def _in_words(self) -> describe.OptionWords:
        return describe.OptionWords(self.match, self.reader)

    def _may_read(self, event: Event) -> bool:
        return event.side is None or event.side == self.reader

    def _tell_news(self) -> None:
        """Show what has happened since, and the secrets that have waited for whoever reads now."""
        log = self.match.log
        still_waiting = []
        for number in [*self._waiting, *range(self._read_to, len(log))]:
            if self._may_read(log[number]):
                print(describe.event_line(self.game, log[number]))
            else:
                still_waiting.append(number)
        self._read_to, self._waiting = len(log), still_waiting

    def _ask_person(self, decision: Decision) -> None:
        """Ask until a choice is made or taken back, or the person leaves."""
        print()
        say(describe.question_lines(self.match, decision, self._in_words))
        settled = False
        while not settled:
            text = ask(f"{decision.side}> ")
            if text is None:
                say(self._saved_lines() if self.keeper.unsaved(self.match) else ["Goodbye."])
                self._leaving = True
                return
            try:
                settled = self._handle(text)
            except BulgeError as error:
                print(f"Not done: {str(error).rstrip('.')}.")

    def _handle(self, text: str) -> bool:
        """Do what was typed. True if the question is settled."""
        if not text:
            print("Type a number from the list, options to see it again, or help.")
            return False
        word, _, rest = text.partition(" ")
        command = self._words.get(word.lower())
        if command is not None:
            return command(rest.strip())
        return self._choose(text)

    def _finish(self) -> None:
        seed = self.match.seed
        assert seed is not None
        print()
        say(describe.result_lines(self.match))
        print(f"Seed: {seed}")
        print(f"Commitment: {commitment(seed)}")
        if self._humans or self.keeper.path is not None:
            path = self.keeper.save_somewhere(self.match)
            print(f"Saved: {path}")
            print(f"To check every die and every choice: {command_for('bulge verify', path)}")
        else:
            print("Not saved. To keep such a game and check it with bulge verify, play it with --save FILE")

    # ------------------------------------------------------------------ choosing

    def _choose(self, text: str) -> bool:
        if self._walks_to(text):
            return True
        options = self.match.options()
        place = self._one_option(options, text)
        if place is None:
            return False
        print(f"You chose: {self._in_words(options[place])}")
        self.match.choose(self.match.asked().options[place])
        return True

    def _walks_to(self, text: str) -> bool:
        """Go the cheapest way to a hex farther off than the next one, if that is what was typed."""
        space = self._space_named(text)
        way = self.game.way_to(self.match.table, self.match.asked(), space) if space else []
        if space is None or len(way) < 2:
            return False
        self.match.go(space)
        print(f"You went to {space} by the cheapest way, {len(way)} steps.")
        return True

    def _space_named(self, text: str) -> str | None:
        """The hex that was typed, by its number or its name; what fits an option of the list means that."""
        if self.game.board.has(text):
            return text
        space = space_meant(self.game, text)
        if space is None or option_meant(self.game, self.match.options(), text).places:
            return None
        return self.game.board.name(space)

    def _one_option(self, options: list[Option], text: str) -> int | None:
        """The option that is meant; else say why there is none."""
        meant = option_meant(self.game, options, text)
        if meant.one is None:
            say(self._too_many(options, meant, text) if meant.places else self._not_offered(text))
        return meant.one

    def _too_many(self, options: list[Option], meant: Meant, text: str) -> list[str]:
        in_words = self._in_words
        fitting = [f"{place + 1}. {in_words(options[place])}" for place in meant.places]
        return [f"{text!r} fits {len(fitting)} options:", *fitting[: describe.SHOWN_AT_FIRST]]

    def _not_offered(self, text: str) -> list[str]:
        """Why something that exists cannot be chosen; or that there is no such thing."""
        if refused := self._refused(text):
            known, refusal = refused
            return [f"{known} cannot be chosen now: {refusal.words} ({describe.cited(self.game, refusal.rule)})"]
        spaces = spaces_meant(self.game, text)
        if 1 < len(spaces) <= MOST_SPACES:
            names = ", ".join(self.game.space_words(space) for space in spaces)
            return [f"{text!r} fits {len(spaces)} places: {names}. Type the one you mean."]
        back = "undo to take back your last choice, " if self.match.can_undo else ""
        return [f"There is no {text!r} here. Type a number from the list, options to see it, {back}or help."]

    def _refused(self, text: str) -> tuple[str, Refusal] | None:
        """What exists but is not offered, as journals write it, and why not; None if there is no such thing."""
        known = self._id_meant(text)
        if known is not None:
            return known, self.match.why_not(known)
        decision, word = self.match.asked(), text.replace(" ", "_")
        refusal = question_of(decision).why_not_word(self.match.table, decision, word)
        return (word, refusal) if refusal else None

    def _id_meant(self, text: str) -> str | None:
        """What is meant (a hex, a hexside, a unit, a card), as journals write it."""
        if self.game.meant_by(text):
            return text
        unit = unit_meant(self.game, text).one
        if unit is not None:
            return self.game.units[unit].id
        space = space_meant(self.game, text)
        return None if space is None else self.game.board.name(space)

    # ---------------------------------------------------------- words; each says whether the question is settled

    def _options(self, _: str) -> bool:
        say(self._in_words.lines(self.match.options()))
        return False

    def _why(self, text: str) -> bool:
        decision = self.match.asked()
        if not text:
            print(describe.rule_line(self.game, decision.rule))
            return False
        if text in self.game.rulebook:
            say(describe.rule_lines(self.game, text))
            return False
        options = self.match.options()
        meant = option_meant(self.game, options, text)
        if meant.one is not None:
            print(f"It can be chosen: {self._in_words(options[meant.one])}")
            print(describe.rule_line(self.game, decision.rule))
        elif meant.places:
            say(self._too_many(options, meant, text))
        else:
            self._why_not(text)
        return False

    def _why_not(self, text: str) -> None:
        refused = self._refused(text)
        if refused is None:
            say(self._not_offered(text))
            return
        known, refusal = refused
        print(f"{known} cannot be chosen now: {refusal.words}.")
        print(describe.rule_line(self.game, refusal.rule))

    def _preview(self, text: str) -> bool:
        if not text:
            print("Say what to preview, such as preview 1.")
            return False
        options = self.match.options()
        place = self._one_option(options, text)
        if place is None:
            return False
        preview = self.match.preview(self.match.asked().options[place])
        if preview is None:
            print(f"There is nothing to work out for: {self._in_words(options[place])}")
        else:
            say(describe.preview_lines(self.game, preview))
        return False

    def _undo(self, _: str) -> bool:
        self.match.undo()
        self._waiting = [number for number in self._waiting if number < len(self.match.log)]
        print("Taken back.")
        return True

    def _redo(self, _: str) -> bool:
        self.match.redo()
        print("Made again.")
        return True

    def _log(self, text: str) -> bool:
        if text and not (text.isascii() and text.isdigit()):
            print(f"Say how many lines, such as log 50, not {text!r}.")
            return False
        count = min(int(text), len(self.match.log)) if text else LOG_LINES
        lines = [describe.event_line(self.game, event) for event in self.match.log if self._may_read(event)]
        say(lines[-count:] if count and lines else ["The log is empty."])
        return False

    def _say_reasons(self, text: str) -> bool:
        count = int(text) if text.isascii() and text.isdigit() else LOG_LINES
        say(list(self._reasons)[-count:] if count and self._reasons else ["The computer has decided nothing yet."])
        return False

    def _hint(self, _: str) -> bool:
        decision = self.match.asked()
        adviser = self._advisers.get(decision.side)
        if adviser is None:
            adviser = player_for(HINTS_BY, self.game, decision.side, "hints", company=self._company)
            self._advisers[decision.side] = adviser
        choice = adviser.choose(self.match)
        option = self.game.option(self.match.table, decision, choice)
        print(f"The computer would choose: {self._in_words(option)}. Its reason: {adviser.why()}")
        return False

    def _board(self, _: str) -> bool:
        say(describe.board_lines(self.match, self.reader))
        return False

    def _what(self, text: str) -> bool:
        spaces = spaces_meant(self.game, re.sub(r"^(is )?(in|at) ", "", text))
        if not 0 < len(spaces) <= MOST_SPACES:
            names = self.game.board.names_of(self.game.board.all)
            noun = self.game.board.noun
            of_units = "Of a unit, where tells."
            print(
                f"Say which {noun}, such as what {names[0]}."
                if not text
                else f"There is no {noun} {text!r}. {of_units}"
            )
            return False
        for space in spaces:
            say(describe.space_lines(self.match, space, self.reader))
        return False

    def _where(self, text: str) -> bool:
        meant = unit_meant(self.game, text)
        if meant.places:
            say(describe.unit_line(self.match, unit) for unit in meant.places)
        else:
            some = self.game.units[0].id if self.game.units else "UNIT"
            print(f"There is no unit {text!r}." if text else f"Say which unit, such as where {some}.")
        return False

    def _help(self, _: str) -> bool:
        print(help_words(self.game))
        return False

    # ------------------------------------------------------------------ saving and leaving

    def _save(self, text: str) -> bool:
        path = self.keeper.save(self.match, typed_path(text) if text else None)
        print(f"Saved: {path}")
        print(f"To go on with it another time: {command_for('bulge play --load', path)}")
        return False

    def _quit(self, _: str) -> bool:
        if self.keeper.unsaved(self.match):
            answer = ask("Save the game? Type yes, no, or cancel: ")
            while answer is not None and answer.lower() not in ("y", "yes", "n", "no", "c", "cancel"):
                answer = ask("Type yes, no, or cancel: ")
            if answer is not None and answer.lower().startswith("c"):
                return False
            if answer is None or answer.lower().startswith("y"):
                say(self._saved_lines())
        print("Goodbye.")
        self._leaving = True
        return True

    def _saved_lines(self) -> list[str]:
        """Save on the way out, and say where."""
        path = self.keeper.save_somewhere(self.match)
        return [f"Saved: {path}", f"To go on with it: {command_for('bulge play --load', path)}"]
