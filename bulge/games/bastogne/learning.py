"""What to know before the first game, and a guided first turn."""

from __future__ import annotations

from bulge.core.look import Briefing, Lesson, Wish
from bulge.games.bastogne.facts import GERMAN, US

BRIEFING = Briefing(
    wants=(
        (
            US,
            (
                Wish("Hold the Center until Third Army comes", "3.1"),
                Wish("Relief wins at once; so does German morale at one", "3.1"),
            ),
        ),
        (
            GERMAN,
            (
                Wish("A unit in the Center while there is no relief: that ends the siege", "3.1"),
                Wish("Or that nobody has relieved the town by the end of turn 8", "3.2"),
            ),
        ),
    ),
    mistakes=(
        Wish("All in front: without a reserve nobody can close a gap on another track.", "2.3"),
        Wish("Supply spent early: the weather may give nothing for days.", "27.0"),
        Wish("Strong units lost: what is eliminated never comes back.", "20.2"),
    ),
    victory=(
        Wish("Sudden death is looked for at the end of each turn.", "3.0"),
        Wish("After turn 8 the Germans have won, unless the US has.", "3.2"),
    ),
)

LESSONS = (
    Lesson(
        "The siege",
        "You hold Bastogne; the rules themselves play the Germans (3.0). Four tracks of spaces meet in the "
        "Center. Put every unit where you like, or all as planned at the foot; then McAuliffe, who helps whom he "
        "is with.",
        US,
        "step airstrike_assignment",
    ),
    Lesson(
        "In the air",
        "Airstrikes interdict first: guns and troops in their staging areas. What is left strikes Germans on the "
        "tracks later (27.1). Half and half is sound. Choose a number.",
        US,
        "step artillery_assignment",
    ),
    Lesson(
        "Supply and guns",
        "Artillery costs supply, which comes by air when the sky is clear (27.0). Buy some close support for "
        "the tracks on which you expect an assault, or none, and go on.",
        US,
        "rolled",
    ),
    Lesson(
        "Their turn",
        "German divisions come down their tracks by fixed lists and dice; the log has each step with its rule."
        " You are asked only where you have a say. Answer until you may move.",
        US,
        "step us_movement",
    ),
    Lesson(
        "Your move",
        "Send help along the tracks; the Center holds only so many. A unit in reserve can still go anywhere. "
        "Move, then end movement.",
        US,
        "step us_closing",
    ),
    Lesson(
        "Counter-attack",
        "You may assault a space that the Germans hold: it costs, but space is time. Go on until the day ends.",
        US,
        "turn 2",
    ),
    Lesson(
        "The second day",
        "Eight days in all. German morale falls with losses; at one they give up (3.1). Go on.",
        US,
        "read",
    ),
)
