"""Replays games in a process of its own, for checks that need other Numba settings. Reads and writes JSON.

``python -m ludens.testing.child`` reads one task per line from standard input, such as ``{"game": "module:Class",
"options": {}, "kind": "traces", "plans": [[1, [actions]]]}``, and answers each with a list, one entry per plan (a seed
and its actions). For the kind ``traces`` an entry is ``{"trace": [...]}`` or ``{"error": "...", "moves": n}``; for
``details`` it holds the fingerprints of the last position.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from ludens.core.game import Game
from ludens.testing.replay import details, find_game, trace


def _trace(game: Game, seed: int, actions: Sequence[int]) -> dict[str, Any]:
    """Replay a game: ``{"trace": fingerprints of the position after the deal and after each action}``.

    If that raises an exception: ``{"error": its text, "moves": number of actions played before}``.
    """
    marks: list[str] = []
    try:
        marks.extend(trace(game, seed, actions))
    except Exception as why:
        return {"error": f"{type(why).__name__}: {why}", "moves": len(marks)}
    return {"trace": marks}


def main() -> None:
    """Answer tasks, one JSON line of standard input each, with one JSON line each, until standard input is closed.

    The docstring of the module says what tasks and answers look like. Other checks start this program as a process.
    """
    for line in sys.stdin:
        task = json.loads(line)
        game = find_game(task["game"])(**task["options"])
        answer = {"traces": _trace, "details": details}[task["kind"]]
        print(json.dumps([answer(game, *plan) for plan in task["plans"]]), flush=True)


if __name__ == "__main__":
    main()
