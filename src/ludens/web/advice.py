"""Hints and the win bar: asks the agent processes for an agent's policy or value in the viewer's position.

Both make the game practice. The agent gets the viewer's own view, so that a hint uses only what the player may know.
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
    """Turn expected returns [seats] into the win bar's shares [seats], which add up to 1.

    A sure winner has the whole bar, a sure loser nothing; equal values give equal shares.
    """
    lowest = -1 / max(len(values) - 1, 1)
    chances = [min(max(value - lowest, 0.0), 1 - lowest) for value in values]
    total = sum(chances)
    return [chance / total if total else 1 / len(values) for chance in chances]


class Adviser:
    """Asks for hints and win bars for one viewer and sends it the answers.

    A new question of a kind cancels the unanswered one before it.
    """

    def __init__(self, viewer: Viewer) -> None:
        """Serve ``viewer``: from now on a win bar that is turned on is asked for after each position that is shown."""
        self.viewer = viewer
        self._tasks: dict[str, asyncio.Task[None]] = {}
        viewer.on_show = self._after_show

    def close(self) -> None:
        """Cancel what is being asked; called when the page is closed."""
        for task in self._tasks.values():
            task.cancel()

    def _begin(self, name: str, work: Any) -> None:
        """Run the coroutine ``work`` as the task ``name`` ('hint' or 'bar').

        The earlier task of that name is cancelled. Called for each new question.
        """
        if name in self._tasks:
            self._tasks[name].cancel()
        self._tasks[name] = asyncio.create_task(work)

    async def hint(self, spec: str) -> None:
        """Ask the agent ``spec`` for its policy here and mark the game as practice; the viewer gets the answer later.

        Refused if the agent cannot give hints or it is not the viewer's turn.
        """
        table = self.viewer.table
        if spec not in advisers(table.game, "policy"):
            raise Refused("error.no-adviser")
        is_turn = table.is_open and table.state.to_move == self.viewer.seat and not self.viewer.is_passing
        if not is_turn or not self.viewer.is_player:
            raise Refused("error.not-your-turn")
        await table.practise("hint")
        self._begin("hint", self._hint(spec, table.step))

    async def _ask(self, kind: str, spec: str, step: int) -> Answer | None:
        """Ask the agent ``spec`` about the position after ``step`` moves and return its answer.

        ``kind`` is 'hint' or 'value'. None if it failed (the viewer is told) or the game has moved on.
        """
        viewer, table = self.viewer, self.viewer.table
        try:
            reply = await table.agent_pool.ask(table.question(kind, viewer.seat, spec, viewer.visitor))
        except AgentFailure as why:
            viewer.send({"kind": "error", "text": viewer.say("error.adviser", name=spec, words=str(why))})
            return None
        return reply if table.step == step and not viewer.is_passing else None

    async def _hint(self, spec: str, step: int) -> None:
        """Ask ``spec`` for a hint at ``step`` and send it: moves as text, as ids to pick, and their probabilities."""
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
        """Show the win bar of the agent ``spec`` to this viewer from now on; '' turns it off.

        Marks an open game with people as practice, and is refused there to spectators. Refused if the agent cannot
        evaluate positions.
        """
        table = self.viewer.table
        if spec and spec not in advisers(table.game, "value"):
            raise Refused("error.no-adviser")
        is_help = bool(spec) and table.has_people and table.is_open
        if is_help and not self.viewer.is_player:  # spectators must not make a game practice
            raise Refused("error.not-your-seat")
        self.viewer.bar_spec = spec
        if is_help:
            await table.practise("hint")
        self._after_show()

    def _after_show(self) -> None:
        """Ask for the win bar of the position just sent to the viewer, if the bar is turned on."""
        if self.viewer.bar_spec and not self.viewer.is_passing:
            self._begin("bar", self._bar(self.viewer.bar_spec, self.viewer.table.step))

    async def _bar(self, spec: str, step: int) -> None:
        """Ask ``spec`` for the value of each seat at ``step`` and send it to the viewer as shares of the win bar."""
        reply = await self._ask("value", spec, step)
        if reply is not None:
            self.viewer.send({"kind": "bar", "step": step, "agent": spec, "shares": shares(reply.values)})
