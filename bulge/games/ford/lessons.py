"""A guided first game of The Ford, for Blue: a dozen steps, each one thing to do on the board."""

from __future__ import annotations

from bulge.core.look import Lesson
from bulge.games.ford.facts import BLUE

LESSONS = (
    Lesson(
        "The town beyond the ford",
        "You play Blue. When turn 4 ends, one of your units must stand in the marked town (1.1). "
        "Drag the map to look round, zoom by wheel or two fingers, then go on.",
        BLUE,
        "read",
        spaces=("0203",),
    ),
    Lesson(
        "A unit",
        "Gold rings mark what you can choose. The large number is strength, each dot a step it can lose. "
        "Choose the unit with the dark mark.",
        BLUE,
        "picked B3",
        units=("B3",),
    ),
    Lesson(
        "Where it can go",
        "The gold area is in reach; the numbers are what each hex costs (4.1). Point at a hex to see the way. "
        "Send the unit west.",
        BLUE,
        "went B3",
    ),
    Lesson(
        "Zones",
        "Next to an enemy a unit must stop (3.1). Zones of control can be shown at the lower left of the map, or "
        "by the key M. Switch them on and off, then go on.",
        BLUE,
        "read",
    ),
    Lesson(
        "What comes next",
        "The other units may move too, or stay. Whatever you do next is at the foot of the panel, always there. "
        "End movement.",
        BLUE,
        "step blue_fight",
    ),
    Lesson(
        "An attack",
        "Ringed enemies can be attacked. Town and river each take one off your strength (6.3); a support chit "
        "may make up for it (7.2). Choose the marked hex.",
        BLUE,
        "battle",
        spaces=("0203",),
    ),
    Lesson(
        "The odds",
        "Name your attackers: each adds its strength. The bar at the foot shows the chance of every result. "
        "Fight, and play your chit (7.2): see how the bar changes. What has a die, rolls.",
        BLUE,
        "rolled",
    ),
    Lesson(
        "The result",
        "The plate over the hex says what the die brought. Answer what you are asked, if anything, "
        "and end combat.",
        BLUE,
        "turn 2",
    ),
    Lesson(
        "Red's turn",
        "What Red did was told move by move. You can see it again at any time: open the menu and look for what "
        "changed since your last turn. Go on.",
        BLUE,
        "read",
    ),
    Lesson(
        "Supply",
        "A unit must trace a line to the road and along it to its own edge (5.1); otherwise it fights at a loss. "
        "The key S shows what is in supply. Go on.",
        BLUE,
        "read",
    ),
    Lesson(
        "Why not?",
        "Whatever cannot be chosen has a reason. Right-click it, or press long on a phone, and the rule answers. "
        "Try it on any hex, then go on.",
        BLUE,
        "read",
    ),
    Lesson(
        "On your own",
        "Take the town and hold it until turn 4 ends. The hint shows what a computer player would do, and Z takes "
        "back what no die has settled. Good luck.",
        BLUE,
        "read",
        spaces=("0203",),
    ),
)
