"""``python -m ludens.games.liars_dice`` plays a random match and shows where it ends."""

from __future__ import annotations

from ludens.core.demo import show_random
from ludens.games.liars_dice.game import LiarsDice

if __name__ == "__main__":
    show_random(LiarsDice(), "dice left")
