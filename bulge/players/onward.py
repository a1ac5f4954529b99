"""A computer player that goes on: nobody may choose without end what leads back to where it stood.

Most players choose the same whenever they stand the same. Where one rule takes up what another lays down, such as
a card, one of them could do so for ever, and a match would only end at the most choices that its game allows.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import Any

import msgspec

from bulge.core.decision import Choice
from bulge.core.match import Match
from bulge.players.player import NothingToChoose, Player
from bulge.players.random_player import RandomPlayer

ENDS = ("end", "end_phase", "end_turn")
"""What an option's role is called that closes what is going on."""


class OnwardPlayer:
    """Asks a player, and remembers since the last die or draw what it said where.

    Whoever gives the same answer to the same words need not go in a circle, but only from then on it is looked at
    where the side stands. So a circle is left before it is gone round a third time, and elsewhere nothing is lost.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self._since: tuple[int, int] = (0, 0)
        """The turn, and how many dice had been thrown."""
        self._said: set[tuple[str, Choice]] = set()
        """Answers to questions in words."""
        self._chosen: defaultdict[bytes, set[Choice]] = defaultdict(set)
        """What was chosen at positions as the side sees them."""
        self._left = ""

    @property
    def name(self) -> str:
        return self.player.name

    def choose(self, match: Match[Any]) -> Choice:
        choice, p, asked = self.player.choose(match), match.position, match.asked()
        self._left = ""
        if self._since != (p.turn, p.drawn):
            self._since = p.turn, p.drawn
            self._said.clear()
            self._chosen.clear()
        said = asked.prompt, choice
        if said not in self._said:
            self._said.add(said)
            return choice
        chosen = self._chosen[_place(match)]
        if choice in chosen:
            choice = self._another(match, choice, chosen)
        chosen.add(choice)
        return choice

    def why(self) -> str:
        return self._left or self.player.why()

    def _another(self, match: Match[Any], again: Choice, chosen: set[Choice]) -> Choice:
        """What has not been chosen here, best of all what ends the matter."""
        asked = match.asked()
        others = [choice for choice in asked.options if choice not in chosen]
        if not others:
            raise NothingToChoose(
                f"{self.name} goes round in a circle: {asked.prompt!r} was answered in every way, and none led on"
            )
        options = zip(asked.options, match.options(), strict=True)
        ending = (choice for choice, option in options if choice in others and option.role in ENDS)
        self._left = f"{match.game.id_of(asked, again)} has led back to here"
        return next(ending, others[0])


def onward(player: Player) -> Player:
    """The same player, kept from circles; whoever chooses at random leaves each of them by itself."""
    return player if isinstance(player, RandomPlayer) else OnwardPlayer(player)


def _place(match: Match[Any]) -> bytes:
    """The question and all that its side can see, in a few bytes."""
    asked = match.asked()
    seen = msgspec.to_builtins((asked.key(), match.game.view(match.position, asked.side)), str_keys=True)
    return hashlib.blake2b(msgspec.json.encode(seen, order="deterministic"), digest_size=16).digest()
