"""How fast PPO plays and learns: ``python bench/learning.py [--seconds 20] [--cpu]``.

Azul against ``heuristic``, 150 features, 256-256 units: the learner's own decisions a second, with the opponent's moves
included, first of rollouts alone, then with all updates. For a figure of two cores: ``taskset -c 0,1 ...``.
"""

from __future__ import annotations

import argparse
import os
import time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--cpu", action="store_true", help="leave a GPU alone")
    asked, _ = parser.parse_known_args()
    if asked.cpu:
        os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    import ludens
    from ludens.learn.ppo import Ppo, PpoSettings
    from ludens.learn.rollout import processors

    half = jax.default_backend() != "cpu"
    settings = PpoSettings(opponent="heuristic", reward="lead=0.05+return=0.5", steps=1 << 40, half=half)
    learner = Ppo(ludens.game("azul"), settings)
    print(f"{jax.default_backend()}, {processors()} cores, jax {jax.__version__}, hidden {settings.hidden}")
    learner.update()  # compiles
    for title, work in (("rollouts alone", learner.play), ("updates included", learner.update)):
        began, decisions = time.monotonic(), 0
        while time.monotonic() < began + asked.seconds:
            work()
            decisions += settings.lanes * settings.horizon
        print(f"{title:20} {decisions / (time.monotonic() - began):>12,.0f} decisions/s")


if __name__ == "__main__":
    main()
