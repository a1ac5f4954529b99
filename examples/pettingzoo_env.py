"""Two agents that choose at random play The Ford in its PettingZoo environment, guided by the action masks.

pip install 'bulge[rl]'
python examples/pettingzoo_env.py
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import bulge

GAMES = 20


def play(env: Any, seed: int) -> dict[str, float]:
    """One game; the answer is what each agent got in the end."""
    env.reset(seed=seed)
    rewards: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _info = env.last()
        if termination or truncation:
            rewards[agent] = reward
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))
    return rewards


def main() -> None:
    env = bulge.env("ford")
    env.reset(seed=0)
    agent = env.agent_selection
    observation, *_, info = env.last()
    bare = env.unwrapped
    print(f"{agent} is asked: {info['prompt']} (rule {info['rule']})")
    for action in observation["action_mask"].nonzero()[0]:
        print(f"  action {action}: {bare.words(action)}")
    print(f"It sees {len(bare.plane_names)} planes of {observation['observation'].shape[1:]} hexes, such as:")
    for name in ("terrain woods", "Blue strength", "overlay zones_red", "units offered"):
        print(f"  {name}\n{observation['observation'][bare.plane_names.index(name)]}")
    for one in env.agents:
        env.action_space(one).seed(0)
    won = Counter(agent for seed in range(GAMES) for agent, reward in play(env, seed).items() if reward > 0)
    print(f"In {GAMES} random games: " + ", ".join(f"{agent} won {won[agent]}" for agent in env.possible_agents))


if __name__ == "__main__":
    main()
