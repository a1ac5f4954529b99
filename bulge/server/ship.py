"""Draws the maps that a wheel carries, as a program of its own: `python -m bulge.server.ship`."""

from __future__ import annotations

import shutil

from bulge.games import GAMES
from bulge.server.draw import draw
from bulge.server.drawings import LAST_FILE, SHIPPED, folder_name


def ship() -> None:
    """Every game's drawing where the server looks first; drawings of older data go."""
    names = {folder_name(game): game for game in GAMES}
    for old in SHIPPED.glob("*"):
        if old.name not in names:
            shutil.rmtree(old)
    for name, game in names.items():
        if not (SHIPPED / name / LAST_FILE).exists():
            print(f"Drawing {game} ...", flush=True)
            draw(game, SHIPPED / name)


if __name__ == "__main__":
    ship()
