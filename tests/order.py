"""Which worker runs which tests, and in which order: slow ones first, those of one game in one process.

A process that has compiled one kernel of a game compiles the next in a tenth of the time, and one server and one
Chromium serve all tests in a browser. So a worker that has begun with a game (or with the browser) goes on with it as
long as there is something left of it; tests are handed out by the file, the longest first (``durations.json``).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler.loadfile import LoadFileScheduling
from xdist.workermanage import WorkerController

__all__ = ["DURATIONS", "Companions", "known_seconds", "rank", "scope_of"]

DURATIONS = Path(__file__).parent / "durations.json"  # scope -> seconds
BY_GAME = "tests/testing/test_contract.py"  # its tests are handed out game by game
GROUPS = ("test_e2e_", "hearthstone", "dicewars", "pursuit", "liars", "azul", "tests/arena/")


def scope_of(id: str) -> str:
    """What is handed out together: a file of tests, of the contract's those of one game."""
    file = id.partition("::")[0]
    game = re.search(r"\[([\w-]+)", id) if file == BY_GAME else None
    return f"{file} {game[1]}" if game else file


def group_of(scope: str) -> str:
    """What a process should go on with: the browser, a game, or the file alone."""
    return next((group for group in GROUPS if group in scope), scope)


def known_seconds() -> dict[str, float]:
    return json.loads(DURATIONS.read_text(encoding="utf-8"))


def rank(id: str, seconds: dict[str, float]) -> tuple[bool, float, str]:
    """Sorts: the browser first, then what nobody has timed yet, then the slowest. Equal in all workers."""
    scope = scope_of(id)
    return group_of(scope) != GROUPS[0], -seconds.get(scope, float("inf")), scope


class Companions(LoadFileScheduling):
    """Hands out scopes in their order, but to a worker first those of the group it has last worked on."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # the order is ours
        self.last: dict[WorkerController, str] = {}

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        scope = self.choose(node)
        self.workqueue.move_to_end(scope, last=False)
        self.last[node] = group_of(scope)
        super()._assign_work_unit(node)

    def choose(self, node: WorkerController) -> str:
        """Of its own group, else of one nobody works on, else the next."""
        others = {group for worker, group in self.last.items() if worker is not node}
        mine = (scope for scope in self.workqueue if group_of(scope) == self.last.get(node))
        free = (scope for scope in self.workqueue if group_of(scope) not in others)
        return next(mine, None) or next(free, None) or next(iter(self.workqueue))
