"""Flat Monte-Carlo search over OpenSpiel's game tree of The Ford, against a player that chooses at random.

Every die is a chance node, so the search rolls its own dice; nothing of the true ones can be seen.

pip install 'bulge[rl]'
python examples/open_spiel_search.py
"""

from __future__ import annotations

import random
from typing import Any

from bulge.lab import spiel

GAMES, PLAYOUTS, HORIZON = 4, 6, 400


def playout(state: Any, rng: random.Random) -> list[float]:
    """Go on at random to the end, dice included; the answer is what each player gets."""
    for _ in range(HORIZON):
        if state.is_terminal():
            break
        state.apply_action(any_action(state, rng))
    returns: list[float] = state.returns()
    return returns


def any_action(state: Any, rng: random.Random) -> int:
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(actions, chances)[0])
    return int(rng.choice(state.legal_actions()))


def searched(state: Any, rng: random.Random) -> int:
    """The action whose playouts end best for whoever is to choose."""
    player = state.current_player()
    worth: dict[int, float] = {}
    for action in state.legal_actions():
        worth[action] = sum(playout(state.child(action), rng)[player] for _ in range(PLAYOUTS))
    return max(worth, key=lambda action: worth[action])


def main() -> None:
    game = spiel.load("ford")
    rng = random.Random(1)
    won = 0
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            red = state.current_player() == 1
            state.apply_action(searched(state, rng) if red else any_action(state, rng))
        won += state.returns()[1] > 0
    print(f"Red, which searches, won {won} of {GAMES} games against a Blue that does not think.")


if __name__ == "__main__":
    main()
