"""Replays games in a process of its own, for the checks that need other Numba settings. Reads and writes JSON.

``python -m ludens.testing.child`` takes on standard input
``{"game": "module:Class", "options": {}, "plans": [{"seed": 1, "actions": []}]}``
and answers a list with ``{"trace": [...]}`` or ``{"error": "...", "moves": n}`` for each plan.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ludens.core.game import Game
from ludens.testing.replay import find_game, trace


def _answer(game: Game, plan: dict[str, Any]) -> dict[str, Any]:
    marks: list[dict[str, str]] = []
    try:
        marks.extend(trace(game, plan["seed"], plan["actions"]))
    except Exception as why:
        return {"error": f"{type(why).__name__}: {why}", "moves": len(marks)}
    return {"trace": marks}


def main() -> None:
    """Answer one task."""
    task = json.load(sys.stdin)
    game = find_game(task["game"])(**task["options"])
    json.dump([_answer(game, plan) for plan in task["plans"]], sys.stdout)


if __name__ == "__main__":
    main()
