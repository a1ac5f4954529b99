"""A board for measuring frame times: the largest map, Ardennes '44 on both sheets, with 300 counters on it.

    python bench/largest_map.py FOLDER
    cd web && BULGE_SERVER=http://127.0.0.1:8765/ node scripts/frames.mjs FOLDER

It writes what a server would answer for such a match. The position means nothing: counters stand in stacks
of three along the middle of the map.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import msgspec

from bulge.core.look import Face, Look, Overlay, Piece, Scene, SideLook, SpaceLook, TurnLook
from bulge.games.drawn import centres
from bulge.server.draw import draw
from bulge.server.routes_games import BoardInfo, TilesInfo
from bulge.server.tiles import SHRUNK, TILE
from bulge.server.views import State

GAME = "ardennes_44"
COUNTERS = 300
STACK = 3
SIDES = ("German", "Allied")
SYMBOLS = ("armor", "infantry", "airborne", "artillery", "cavalry", "headquarters")


def _faces() -> tuple[Face, ...]:
    return tuple(
        Face(
            id=f"{number}",
            name=f"Unit {number}",
            short=f"{number}",
            side=SIDES[number % 2],
            style=("german_mechanized", "us")[number % 2],
            symbol=SYMBOLS[number % len(SYMBOLS)],
            size="III",
            band=f"{number % 6} Army",
            values=("0", "3", "6"),
        )
        for number in range(COUNTERS)
    )


def _look(drawn: dict[str, Any]) -> Look:
    return Look(
        game=GAME,
        title="Frame times",
        sides=(SideLook("German", "German", "dark"), SideLook("Allied", "Allied", "light")),
        spaces=tuple(SpaceLook(name, x, y) for name, (x, y) in centres(drawn).items()),
        hex_width=float(drawn["hex"]),
        pointy=bool(drawn["pointed"]),
        width=float(drawn["width"]),
        height=float(drawn["height"]),
        faces=_faces(),
        charts=(),
        turns=(TurnLook("1"),),
        phases=(),
        overlays=(Overlay("zones_german", "Zones", "1"), Overlay("zones_allied", "Zones", "1")),
    )


def _scene(look: Look) -> Scene:
    middle = look.width / 2
    nearest = sorted(look.spaces, key=lambda space: abs(space.x - middle))
    stacks = sorted(nearest[: COUNTERS // STACK * 2], key=lambda space: (space.y, space.x))[::2]
    pieces = tuple(Piece(face.id, stacks[number // STACK].id, 2) for number, face in enumerate(look.faces))
    return Scene(turn=1, step="", pieces=pieces, marks=(), waiting=(), scores=())


def _state(scene: Scene) -> State:
    return State(
        match="frames",
        game=GAME,
        n=0,
        rev=0,
        side=None,
        scene=scene,
        decision=None,
        events=(),
        events_from=0,
        skipped=0,
        undo=False,
        redo=False,
        thinking=None,
        result=None,
        commitment="",
        seed=None,
        seats=dict.fromkeys(SIDES, "human"),
        note=None,
        cut=False,
        curtain=False,
        hints=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    print("drawing both sheets, which takes most of a minute ...")
    draw(GAME, folder)
    drawn = json.loads((folder / "board.json").read_text("utf-8"))
    look = _look(drawn)
    (folder / "answer.json").write_bytes(msgspec.json.encode(BoardInfo(drawn["roads"], TilesInfo(TILE, SHRUNK))))
    (folder / "look.json").write_bytes(msgspec.json.encode(look))
    (folder / "state.json").write_bytes(msgspec.json.encode(_state(_scene(look))))
    print(f"{folder}: {look.width:.0f} by {look.height:.0f}, {len(look.spaces)} hexes, {len(look.faces)} counters")


if __name__ == "__main__":
    main()
