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
        "picked B1",
        units=("B1",),
    ),
    Lesson(
        "Where it can go",
        "The gold area is in reach; the numbers are what each hex costs (4.1). Point at a hex to see the way. "
        "Send the unit across the river, into the marked woods.",
        BLUE,
        "went B1",
        spaces=("0303",),
    ),
    Lesson(
        "Zones",
        "Next to an enemy a unit must stop (3.2); the button at the lower left of the map, or the key M, shows "
        "such zones. Two attack better than one: move 2nd Blue to the bridge.",
        BLUE,
        "went B2",
        spaces=("0202",),
        units=("B2",),
    ),
    Lesson(
        "What comes next",
        "The third unit may move too, or stay. Whatever you do next is at the foot of the panel, always there. "
        "End movement.",
        BLUE,
        "step blue_fight",
    ),
    Lesson(
        "An attack",
        "Ringed enemies can be attacked. The town takes one off your strength, and so does the river where all "
        "come across it (6.3): that is why one of yours is over already. Choose the marked hex.",
        BLUE,
        "battle",
        spaces=("0203",),
    ),
    Lesson(
        "The odds",
        "Name both attackers: each adds its strength. The bar at the foot shows the chance of every result. "
        "Fight; a support chit may help (7.2). What has a die, rolls.",
        BLUE,
        "rolled",
    ),
    Lesson(
        "The result",
        "The plate over the hex says what the die brought. If they have gone, advance into the town; "
        "then end your turn.",
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
        "A unit must trace a line to the road and along it to its own edge (5.1); otherwise it hardly "
        "moves, and attacks one lower (5.2). A red mark shows who has none; S shows more. Go on.",
        BLUE,
        "read",
    ),
    Lesson(
        "Why not?",
        "Whatever cannot be chosen has a reason. Right-click it, or press long on a phone, and the rule answers. "
        "Choose a unit, ask about a hex beyond its reach, then go on.",
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
