"""Hints and the win bar: what an agent thinks of the viewer's position, asked of the thinking processes.

Both make the game practice. An agent gets the viewer's own view, so that a hint knows no more than the player.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludens.core.error import AgentFailure
from ludens.core.registry import advisers
from ludens.web.question import Answer
from ludens.web.table import Refused

if TYPE_CHECKING:
    from ludens.web.viewer import Viewer


def shares(values: Sequence[float]) -> list[float]:
    """Expected returns as shares of a bar that add up to 1: +1 is the whole bar, a certain loss nothing."""
    lowest = -1 / max(len(values) - 1, 1)
    chances = [min(max(value - lowest, 0.0), 1 - lowest) for value in values]
    total = sum(chances)
    return [chance / total if total else 1 / len(values) for chance in chances]


class Adviser:
    """Asks on behalf of one viewer; a new question replaces the one before."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._tasks: dict[str, asyncio.Task[None]] = {}
        viewer.on_show = self._after_show

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    def _begin(self, name: str, work: Any) -> None:
        if name in self._tasks:
            self._tasks[name].cancel()
        self._tasks[name] = asyncio.create_task(work)

    async def hint(self, spec: str) -> None:
        """Ask what an agent would play here."""
        table = self.viewer.table
        if spec not in advisers(table.game, "policy"):
            raise Refused("error.no-adviser")
        is_turn = table.is_open and table.state.to_move == self.viewer.seat and not self.viewer.is_passing
        if not is_turn or not self.viewer.is_player:
            raise Refused("error.not-your-turn")
        await table.practise("hint")
        self._begin("hint", self._hint(spec, table.step))

    async def _ask(self, kind: str, spec: str, step: int) -> Answer | None:
        """The adviser's answer about the position at ``step``; None when it has none, or comes too late."""
        viewer, table = self.viewer, self.viewer.table
        try:
            reply = await table.agent_pool.ask(table.question(kind, viewer.seat, spec))
        except AgentFailure as why:
            viewer.send({"kind": "error", "text": viewer.say("error.adviser", name=spec, words=str(why))})
            return None
        return reply if table.step == step and not viewer.is_passing else None

    async def _hint(self, spec: str, step: int) -> None:
        reply, viewer = await self._ask("hint", spec, step), self.viewer
        if reply is None:
            return
        view = viewer.table.state.view(viewer.seat)
        moves = [
            {
                "text": viewer.game.rules.action_text(action),
                "path": viewer.game.face.picks(view, action),
                "chance": chance,
            }
            for action, chance in reply.moves
        ]
        viewer.send({"kind": "hint", "step": step, "agent": spec, "moves": moves})

    async def use_bar(self, spec: str) -> None:
        """Show the win bar of an agent from now on; '' for none."""
        table = self.viewer.table
        if spec and spec not in advisers(table.game, "value"):
            raise Refused("error.no-adviser")
        is_help = bool(spec) and table.has_people and table.is_open
        if is_help and not self.viewer.is_player:  # a stranger must not make it practice, nor help without a mark
            raise Refused("error.not-your-seat")
        self.viewer.bar_spec = spec
        if is_help:
            await table.practise("hint")
        self._after_show()

    def _after_show(self) -> None:
        if self.viewer.bar_spec and not self.viewer.is_passing:
            self._begin("bar", self._bar(self.viewer.bar_spec, self.viewer.table.step))

    async def _bar(self, spec: str, step: int) -> None:
        reply = await self._ask("value", spec, step)
        if reply is not None:
            self.viewer.send({"kind": "bar", "step": step, "agent": spec, "shares": shares(reply.values)})
