"""``python -m ludens.games.azul`` plays a random game and prints the final position."""

from __future__ import annotations

from ludens.core.demo import show_random
from ludens.games.azul.game import Azul

if __name__ == "__main__":
    show_random(Azul(), "scores")
