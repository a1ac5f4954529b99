"""How The Ford looks, and what each side may see of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bulge.core.game import Game
from bulge.core.look import (
    CardLine,
    CardLook,
    Chart,
    Deck,
    Face,
    Hand,
    Look,
    Mark,
    Piece,
    Scene,
    Score,
    TurnLook,
    Waiting,
    results_chart,
)
from bulge.core.rulebook import Rulebook, rule
from bulge.core.spaces import members
from bulge.core.supply import whole_line
from bulge.games.drawn import hex_look
from bulge.games.ford.cards import deck_of
from bulge.games.ford.facts import BLUE, GONE, NO_CHIT, SIDES, CardRow, Facts, FordPosition
from bulge.games.ground import features, side_words


def look(game: Game[Any], facts: Facts, turns: int, drawing: Mapping[str, Any] | None) -> Look:
    return hex_look(
        game,
        drawing,
        words=partial(_space_words, facts),
        faces=(
            Face(
                row.id,
                row.name,
                row.id,
                row.side,
                row.side.lower(),
                "infantry",
                "III",
                values=("0", *(str(row.strength - lost) for lost in range(row.steps - 1, -1, -1))),
                arrives=row.hex,
                said=(
                    "",
                    *(f"strength {row.strength - lost}, movement 3" for lost in range(row.steps - 1, -1, -1)),
                ),
            )
            for row in facts.units
        ),
        charts=_charts(facts, game.rulebook),
        turns=(TurnLook(str(turn)) for turn in range(1, turns + 1)),
        cards=tuple(_card(row, game.rulebook) for row in facts.cards),
    )


CARD_RULES = {"support": "9.3", "pontoon": "9.4", "march": "9.5", "scouts": "9.6"}


def _card(row: CardRow, rulebook: Rulebook) -> CardLook:
    value = f"+{row.shift}" if row.shift else ""
    return CardLook(row.id, row.name, "", "blue", value, (CardLine(rulebook[CARD_RULES[row.kind]].words),))


def _space_words(facts: Facts, name: str) -> str:
    hex_ = facts.board.at(name)
    words = ["woods" if facts.woods >> hex_ & 1 else "town" if facts.town >> hex_ & 1 else "clear"]
    words += side_words(facts.map, name)
    words += features(hex_, {f"{side} edge": facts.edge[side] for side in SIDES})
    return ", ".join(words)


def _charts(facts: Facts, rulebook: Rulebook) -> tuple[Chart, ...]:
    ground = (
        ("clear", "1", "0"),
        ("woods", "2", "+1"),
        ("town", "1", "+1"),
        ("road", "½", "–"),
        ("river without a bridge", "+1", "+1"),
    )
    return (
        results_chart("combat", "Combat results", "6.4", facts.crt),
        Chart("results", "What the results mean", "6.4", ("Rule", "In short"), (("6.4", rulebook["6.4"].words),)),
        Chart("terrain", "Ground", "4.1", ("Ground", "Points to enter", "Defence"), ground),
    )


# ---------------------------------------------------------------------- what lies where


def scene(facts: Facts, p: FordPosition, side: str | None) -> Scene:
    name = facts.board.name
    supply = {each: facts.supply(p, each).spaces for each in SIDES}
    return Scene(
        turn=p.turn,
        step=_phase(p),
        pieces=tuple(
            Piece(row.id, name(p.where[unit]), p.steps[unit], _flags(p, unit, supply[row.side]))
            for unit, row in enumerate(facts.units)
            if p.where[unit] != GONE
        ),
        marks=_marks(facts, p, side),
        waiting=_lost(facts, p),
        scores=(Score("Blue in the town", int(bool(facts.occupied(p, BLUE) & facts.town)), 1, "1.1"),),
        hands=_hands(facts, p, side) if p.known else (),
        decks=(Deck("deck", "Deck", "blue", deck_of(p).left, _ids(facts, p.discards)),) if p.known else (),
    )


def _phase(p: FordPosition) -> str:
    """The step as the sequence of play has it: battles inside battles are combat, cards are support."""
    step = p.frames[0].then if p.frames else p.step
    return step.replace("cards", "support").replace("scouts", "support")


@rule("9.1")
def _hands(facts: Facts, p: FordPosition, side: str | None) -> tuple[Hand, ...]:
    deck = deck_of(p)
    known = {owner: [card for card in hand if deck.knows(side, card)] for owner, hand in deck.hands.items()}
    return tuple(
        Hand(owner, _ids(facts, cards), len(deck.hands[owner]) - len(cards)) for owner, cards in known.items()
    )


def _ids(facts: Facts, cards: list[int]) -> tuple[str, ...]:
    return tuple(facts.cards[card].id for card in cards)


def overlays(facts: Facts, p: FordPosition) -> dict[str, tuple[str, ...]]:
    return {
        f"{kind}_{side.lower()}": tuple(facts.board.names_of(spaces))
        for side in SIDES
        for kind, spaces in (("zones", facts.zone(p, side)), ("supply", facts.supply(p, side).spaces))
    }


def _flags(p: FordPosition, unit: int, supplied: int) -> tuple[str, ...]:
    flags = [flag for flag, units in (("moved", p.moved), ("attacked", p.attacked)) if units >> unit & 1]
    if not supplied >> p.where[unit] & 1:
        flags.append("out_of_supply")
    return tuple(flags)


@rule("7.1", "9.4")
def _marks(facts: Facts, p: FordPosition, side: str | None) -> tuple[Mark, ...]:
    """Bridges of boats, and the chits: a side reads its own; of the other's, it knows only that there is one."""
    board = facts.board
    found = [
        Mark("pontoon", board.name(board.side_hexes(at)[0]), f"a bridge of boats across {board.side_name(at)}")
        for at in members(p.pontoons)
    ]
    if p.known:
        return tuple(found)
    for seat, owner in enumerate(SIDES):
        if p.held[seat] != NO_CHIT:
            words = f"{owner} holds a support chit"
            if owner == side:
                words += f" that counts {facts.chits[p.held[seat]]}"
            found.append(Mark("support", "", words))
    found.append(Mark("cup", "", f"{len(p.cup)} support {'chit' if len(p.cup) == 1 else 'chits'} in the cup"))
    return tuple(found)


def _lost(facts: Facts, p: FordPosition) -> tuple[Waiting, ...]:
    lost = tuple(row.id for unit, row in enumerate(facts.units) if p.where[unit] == GONE)
    return (Waiting("lost", lost),) if lost else ()


def supply_line(facts: Facts, p: FordPosition, unit: int) -> tuple[str, ...]:
    """Overland to the road, then along it to the own edge."""
    side, here = facts.units[unit].side, p.where[unit]
    if here == GONE:
        return ()
    line = whole_line(facts.supply(p, side), facts.road, facts.edge[side] & facts.road.hexes, here)
    return tuple(facts.board.name(hex_) for hex_ in line)
