"""What to know before the first game, and a guided first turn for the Germans."""

from __future__ import annotations

from bulge.core.look import Briefing, Lesson, Wish
from bulge.games.the_bulge.facts import ALLIED, GERMAN

BRIEFING = Briefing(
    wants=(
        (
            GERMAN,
            (
                Wish("Twelve points of towns after turn 10", "4.3"),
                Wish("Bastogne, where the roads meet: three points", "4.3", ("1412",)),
                Wish("Namur, far off on the Meuse: four points", "4.3", ("0324",)),
                Wish("Or one mechanized unit off the map in the north or west: that wins at once", "4.2"),
            ),
        ),
        (
            ALLIED,
            (
                Wish("Hold the road junctions until help comes", "12.1", ("0707", "1412", "1308")),
                Wish("Whatever is not German after turn 10 counts for nobody: the Allies then win", "4.4"),
            ),
        ),
    ),
    mistakes=(
        Wish("Tanks behind infantry: a road is full before it is long. Move the leaders first.", "10.3"),
        Wish("No way back: whoever must retreat and cannot is destroyed. Look behind your line.", "13.17"),
        Wish("Open towns: Malmedy and Stavelot are empty on the first day.", "3.3", ("0408", "0510")),
        Wish("Supply forgotten: from turn 4 the Germans need roads too.", "5.5"),
    ),
    victory=(
        Wish("A town belongs to whoever entered it last.", "3.3"),
        Wish("Bastogne counts 3, Namur 4, every other town 1; they are counted once, after turn 10.", "4.3"),
    ),
)

LESSONS = (
    Lesson(
        "Before dawn",
        "You play the Germans. Each day has a combat phase, movement, and another combat phase (5.1). Twelve "
        "points of towns win after ten days; Bastogne alone counts three (4.3). Go on.",
        GERMAN,
        "read",
        spaces=("1412",),
    ),
    Lesson(
        "A thin line",
        "Ringed hexes can be attacked (13.1). Before movement the odds are better than later. Choose the "
        "marked hex.",
        GERMAN,
        "battle",
        spaces=("0503",),
    ),
    Lesson(
        "Who attacks",
        "Name divisions one by one; the bar at the foot shows what the die may bring. Attack, and choose your "
        "column of the table (13.14).",
        GERMAN,
        "rolled",
    ),
    Lesson(
        "Into the gap",
        "Who took part may advance into an empty hex (13.22): choose a ringed division, or nobody. Attack "
        "elsewhere as you like; two more weak hexes get a mark. Then end the first combat phase.",
        GERMAN,
        "step german_movement",
        spaces=("0804", "1005"),
    ),
    Lesson(
        "Mechanized movement",
        "Panzers drive along roads at a fifth of a point a hex, but only before they do anything else (10.3). "
        "Choose the marked division.",
        GERMAN,
        "picked Lehr",
        units=("Lehr",),
    ),
    Lesson(
        "Zones and stacks",
        "Enemy zones cost a point to enter and to leave (8.5), and so does stacking (6.4). Point at a hex for "
        "its cost and way. Send it to the marked hex, next to the 110th.",
        GERMAN,
        "went Lehr",
        spaces=("1406",),
    ),
    Lesson(
        "The second blow",
        "Move the others; those in front first, since roads fill. Then end movement and fight the second combat "
        "phase: what you surrounded has no retreat. End your turn.",
        GERMAN,
        "step drop",
    ),
    Lesson(
        "By night",
        "Von der Heydte's paratroopers land once, behind the Allied lines (14.5): on a road they bar the way to "
        "whoever wants to use it. Choose a hex, or ask for a hint.",
        GERMAN,
        "turn 2",
    ),
    Lesson(
        "What they did",
        "The Allied turn was told move by move; the menu tells it again. W over a unit, or its card, shows what "
        "it could do, were it its turn now. Good luck.",
        GERMAN,
        "read",
    ),
)
