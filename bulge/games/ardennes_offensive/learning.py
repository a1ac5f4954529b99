"""What to know before the first game, and a guided first turn for the Germans."""

from __future__ import annotations

from bulge.core.look import Briefing, Lesson, Wish
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN

BRIEFING = Briefing(
    wants=(
        (
            GERMAN,
            (
                Wish("Thirty-five points by the end of turn 6 win at once", "16.2"),
                Wish("Exits held by supplied units; each counts what its road is worth", "16.0B"),
                Wish("Bastogne, without which southern exits count nothing", "16.0D"),
                Wish("At the end, half as many points again as the Allies", "16.1"),
            ),
        ),
        (
            ALLIED,
            (
                Wish("Keep the Germans below 35 points to the end", "16.3"),
                Wish("Destroy units: each counts one, whatever its size", "16.0A"),
                Wish("Stand in the exits: a unit in the hex denies it", "16.0C"),
            ),
        ),
    ),
    mistakes=(
        Wish("Road mode too long: units in it fight badly and hold exits only by standing there.", "16.0H"),
        Wish("Exits without supply: they count nothing.", "16.0G"),
        Wish("The first turn alone has no movement before combat, and everybody adjacent must fight.", "9.2"),
    ),
    victory=(
        Wish("Points are counted at the end of every turn.", "16.0E"),
        Wish("An exit counts only while it is held.", "16.0F"),
    ),
)

LESSONS = (
    Lesson(
        "The surprise",
        "You play the Germans. On the first turn nobody moves before combat; later turns have movement, "
        "combat, and then movement for mechanized units (4.2). Answer where reinforcements arrive.",
        GERMAN,
        "step german_combat",
    ),
    Lesson(
        "Everybody fights",
        "On this turn all Germans and Americans that touch must take part. A battle may hold several hexes. "
        "Choose a ringed hex and name who attacks.",
        GERMAN,
        "battle",
    ),
    Lesson(
        "The odds",
        "The foot shows every result and its chance. You may take lower odds than you have. Attack.",
        GERMAN,
        "rolled",
    ),
    Lesson(
        "The rest of the line",
        "Fight the other battles; the prompt counts who still must. Whoever wins moves the loser's units away,"
        " so you choose where they go. Finish combat.",
        GERMAN,
        "step german_mechanized",
    ),
    Lesson(
        "Exploitation",
        "Mechanized units now move, also those that fought. In road mode they go farther along roads (6.7). "
        "Drive west, then end your turn.",
        GERMAN,
        "turn 2",
    ),
    Lesson(
        "The count",
        "Exits and losses are counted after every turn (16.0E); the overlay of exits shows which count. Go on.",
        GERMAN,
        "read",
    ),
)
