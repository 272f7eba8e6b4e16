"""How fast PPO and DQN play and learn: ``python bench/learning.py [--seconds 20] [--cpu]``.

Azul against ``heuristic``, 150 features, 256-256 units: the learner's own decisions a second, with the opponent's moves
included, first of rollouts alone, then with all updates. ``PPO`` has the learner's defaults, ``study`` and ``best`` the
settings of ``ludens study azul`` and of its best configurations. For a figure of two cores:
``taskset -c 0,1 python bench/learning.py --cpu``.

``--moves`` measures instead how long agents take for a move, on one core: those that ship, and searches beside them.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--cpu", action="store_true", help="leave a GPU alone")
    parser.add_argument("--moves", action="store_true", help="how long agents take for a move")
    asked, _ = parser.parse_known_args()
    if asked.moves:
        time_moves()
        return
    if asked.cpu:
        os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    from ludens.learn.dqn import Dqn
    from ludens.learn.ppo import Ppo
    from ludens.learn.rollout import processors
    from ludens.studies.azul import ALIKE, BEST_DQN, BEST_PPO

    print(f"{jax.default_backend()}, {processors()} cores, jax {jax.__version__}, hidden 256-256")
    paid = {"opponent": "heuristic", "reward": "lead=0.05+return=0.5", "steps": str(1 << 40)}
    half = {"half": "yes" if jax.default_backend() != "cpu" else "no"}
    measure("PPO", Ppo, paid | half, asked.seconds)
    measure("PPO, study", Ppo, {**ALIKE["ppo"], **paid, **half}, asked.seconds)
    measure("PPO, best", Ppo, {**ALIKE["ppo"], **BEST_PPO, **paid, **half}, asked.seconds)
    measure("DQN, study", Dqn, {**ALIKE["dqn"], **paid}, asked.seconds)
    measure("DQN, best", Dqn, {**ALIKE["dqn"], **BEST_DQN, **paid}, asked.seconds)


def time_moves() -> None:
    """Print the mean time of a move of each agent, in 8,000 positions of games of the heuristic."""
    import numpy as np

    import ludens
    from ludens.core.lanes import Lanes
    from ludens.core.registry import make_agent

    game = ludens.game("azul")
    lanes, heuristic, found = Lanes(game, list(range(400))), make_agent("heuristic", game), []
    rows = np.arange(len(lanes))
    for _ in range(20):
        found.append(lanes.views(rows, lanes.turns[rows]))
        lanes.step(rows, heuristic.act(found[-1].copy(), heuristic.new_memory(len(rows))))
    views = np.concatenate(found)
    for spec in ("ppo", "dqn", "heuristic", "alphabeta:nodes=200", "alphabeta:nodes=1000"):
        agent = make_agent(spec, game)
        memory = agent.new_memory(len(views))
        agent.act(views[:10].copy(), memory[:10])  # compiles
        began = time.perf_counter()
        agent.act(views.copy(), memory)
        print(f"{spec:22} {1000 * (time.perf_counter() - began) / len(views):.4f} ms a move")


def measure(title: str, cls: Any, settings: dict[str, str], seconds: float) -> None:
    """Print how many decisions a learner with these settings makes in a second."""
    import ludens
    from ludens.core.option import parse_options

    learner = cls(ludens.game("azul"), parse_options(cls.Settings, settings, title))
    size = learner.settings.lanes * learner.settings.horizon
    while learner.done <= getattr(learner.settings, "warm_up", 0) + size:
        learner.update()  # compiles
    ways = {"updates included": learner.update}
    if hasattr(learner, "play"):
        ways = {"rollouts alone": learner.play, **ways}
    for name, work in ways.items():
        began, decisions = time.monotonic(), 0
        while time.monotonic() < began + seconds:
            work()
            decisions += size
        print(f"{title:12} {name:20} {decisions / (time.monotonic() - began):>12,.0f} decisions/s", flush=True)


if __name__ == "__main__":
    main()
