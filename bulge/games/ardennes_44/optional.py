"""The optional rules that both players may agree on (31 to 36)."""

from __future__ import annotations

from bulge.core.options import GameOption

OPTIONS = (
    GameOption(
        id="night_infiltration",
        title="Night Infiltration",
        words="Night markers that were not laid move other stacks one hex.",
        rule="31.0",
    ),
    GameOption(
        id="fuel_dumps",
        title="Hidden fuel dumps",
        words="Three dumps, one of them real: captured, it spares the Germans two turns of shortage.",
        rule="32.0",
        scenarios=("S1", "S3", "S5"),
    ),
    GameOption(
        id="roadblocks",
        title="Roadblocks",
        words="Each side has two markers that hold road hexes and block supply.",
        rule="33.0",
    ),
    GameOption(id="factor_limit", title="18 factors", words="No attack counts more than 18 factors.", rule="34.0"),
    GameOption(
        id="bodenplatte",
        title="Bodenplatte",
        words="On turn 15 a die may cost the Allies air power.",
        rule="35.0",
        scenarios=("S1", "S4", "S5"),
        idle=("S2", "S3"),
    ),
    GameOption(
        id="greif_commando",
        title="Greif Commando",
        words="Once before turn 7 the Germans may hinder a demolition.",
        rule="36.0",
        scenarios=("S2", "S3", "S1", "S5"),
        idle=("S4",),
    ),
)
