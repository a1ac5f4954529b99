"""What to know before the first game, and a guided first turn for the Germans."""

from __future__ import annotations

from bulge.core.look import Briefing, Lesson, Wish
from bulge.games.ardennes_44.counters import ALLIED, GERMAN

BRIEFING = Briefing(
    wants=(
        (
            GERMAN,
            (
                Wish(
                    "In the campaign: off the map towards Antwerp, Liège, four Meuse towns, or six western hexes",
                    "30.2",
                ),
                Wish("To 18 December: ten points of hexes and of factors off the west edge", "S2.4"),
                Wish("Bastogne is two hexes of town", "S4.4", ("E3313", "E3414")),
            ),
        ),
        (
            ALLIED,
            (
                Wish("Prevent that; or hold three German areas in two checks running", "30.3"),
                Wish("Time: traffic markers and blown bridges cost the Germans hours", "24.3"),
            ),
        ),
    ),
    mistakes=(
        Wish("Moving next to the enemy by strategic movement: columns keep their distance.", "13.1"),
        Wish("Attacks that stop the attacker too: look at what each result means before the die.", "14.1"),
        Wish("Out of supply at the end of a turn: the marker comes at once.", "23.1"),
    ),
    victory=(
        Wish("A hex belongs to whoever is in it or went through it last, with a road to supply.", "30.1.2"),
        Wish("A German victory ends the game at once.", "30.1.1"),
    ),
)

LESSONS = (
    Lesson(
        "The eve",
        "You play the Germans. Each regiment may be put elsewhere within its area (S1.3); as they stand, they "
        "stand well. Begin.",
        GERMAN,
        "step german_movement",
    ),
    Lesson(
        "Who moves",
        "On the first turn most may not move; a right-click or a long press gives the reason. Zones can be bonds: "
        "two units two hexes apart close the gap. Move somebody, or end movement.",
        GERMAN,
        "step german_combat",
    ),
    Lesson(
        "An attack",
        "Choose a ringed hex, then name the attackers; artillery and armour change the column. Every modifier "
        "stands in the panel with its rule.",
        GERMAN,
        "battle",
    ),
    Lesson("The die", "Attack, and answer what the result asks: losses, retreats, advances.", GERMAN, "rolled"),
    Lesson(
        "Breakthrough",
        "Units that advance may attack again at once, as long as the results allow it. Go on attacking, then "
        "end combat and your turn.",
        GERMAN,
        "turn 2",
    ),
    Lesson(
        "Day and night",
        "Two turns make a day; after the second comes a night in which few may move (25.1). Go on.",
        GERMAN,
        "read",
    ),
)
