"""``python -m ludens.games.dicewars`` plays a random game and prints its final position."""

from __future__ import annotations

from ludens.core.demo import show_random
from ludens.games.dicewars.game import Dicewars

if __name__ == "__main__":
    show_random(Dicewars(), "areas")
