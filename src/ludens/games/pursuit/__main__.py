"""``python -m ludens.games.pursuit`` plays a random game and shows where it ends."""

from __future__ import annotations

from ludens.core.demo import show_random
from ludens.games.pursuit.game import Pursuit

if __name__ == "__main__":
    show_random(Pursuit(), "rounds")
