"""What to know before the first game, and a guided first turn for the Allies."""

from __future__ import annotations

from bulge.core.look import Briefing, Lesson, Wish
from bulge.games.enemy_action.facts import ALLIED, GERMAN

BRIEFING = Briefing(
    wants=(
        (
            ALLIED,
            (
                Wish("Few German victory points at the end", "17.0"),
                Wish("The crossroads: whoever entered a town last owns it", "14.1", ("1108", "1814")),
                Wish("Units kept in supply and out of pockets", "10.6"),
            ),
        ),
        (
            GERMAN,
            (
                Wish("Towns and cities, and units off the map beyond the Meuse", "10.93"),
                Wish("Malmedy, Houffalize and Bastogne lie on their first ways", "17.0", ("0709", "1412", "1814")),
            ),
        ),
    ),
    mistakes=(
        Wish("Standing one hit too long: a retreat keeps the unit, a lost step never comes back alone.", "12.51"),
        Wish("All cards played for moves: tactics decide defences.", "12.3"),
        Wish("Bridges left whole behind you.", "14.21"),
    ),
    victory=(Wish("The score is German victory points, from strategic defeat to strategic victory.", "17.3"),),
)

LESSONS = (
    Lesson(
        "A deck is a day",
        "You play the Allies; a deck and a list of priorities play the Germans. The day ends with the German "
        "pile. Point at a card to read its commands (2.31). Go on.",
        ALLIED,
        "read",
    ),
    Lesson(
        "Your impulse",
        "Lift a card by a click and play it at the foot, or pass. Units of its formation may then act. Play a "
        "card, or pass and let them come.",
        ALLIED,
        "rolled",
    ),
    Lesson(
        "Chits, not odds",
        "A battle draws chits; each counts if its situation holds (12.41). Cards in hand may add a tactic. "
        "Answer for the first attack on you.",
        ALLIED,
        "read",
    ),
    Lesson(
        "Hits",
        "A hit is a lost step, unless all retreat (12.51). Towns hold better than fields. The log says why the"
        " Germans did what they did. Play on until the day ends.",
        ALLIED,
        "turn 2",
    ),
    Lesson(
        "The next day",
        "Reserves come, supply is judged, and a new pile is dealt. German points stand at the lower edge. Go on.",
        ALLIED,
        "read",
    ),
)
