"""Getting games ready: their kernels are compiled in a process of their own, then loaded here and where agents think.

A game that is still compiling blocks nothing: the lobby says so, its tables wait, every other game can be played.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

from ludens.core.error import LudensError
from ludens.core.registry import game_names, make_game

if TYPE_CHECKING:
    from ludens.web.think import Thinkers

WAITING, COMPILING, READY, BROKEN = "waiting", "compiling", "ready", "broken"


class Warmth:
    """How far each game is: waiting, compiling, ready, or broken (a plug-in that does not load)."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.thinkers = thinkers
        self.states = dict.fromkeys(game_names(), WAITING)
        self.reasons: dict[str, str] = {}
        self._done = {name: asyncio.Event() for name in self.states}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._warm_all())

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def is_ready(self, game: str) -> bool:
        return self.states.get(game) == READY

    async def wait(self, game: str) -> None:
        """Return when the game can be played; raises when it never will."""
        if game in self._done:
            await self._done[game].wait()
        self.must_work(game)

    def must_work(self, game: str) -> None:
        """Raise when the game will never be playable here: nobody is to wait for it."""
        if self.states.get(game) == BROKEN:
            raise LudensError(f"{game} cannot be played here: {self.reasons[game]}")

    async def _warm_all(self) -> None:
        for name in self.states:  # one after the other: people are playing meanwhile
            try:
                await self._warm(name)
                self.states[name] = READY
            except Exception as why:  # one broken plug-in must not keep the others waiting
                self.states[name], self.reasons[name] = BROKEN, str(why).strip()[:300]
            self._done[name].set()

    async def _warm(self, name: str) -> None:
        self.states[name] = COMPILING
        await _compile(name)
        levels, options = await asyncio.to_thread(_load, name)
        await self.thinkers.prepare(name, options, levels)


async def _compile(name: str) -> None:
    path = os.pathsep.join(filter(None, sys.path))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "ludens", "warm", name),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    try:
        _, said = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        raise LudensError(said.decode(errors="replace").strip().rpartition("\n")[2] or "its rules do not compile")


def _load(name: str) -> tuple[list[str], dict[str, object]]:
    """Load the kernels a table uses into this process, and one drawing; the specs and options to prepare."""
    game = make_game(name)
    state = game.start(seed=1)
    game.face.svg(state.view())
    state.play(state.legal[0])
    return list(game.roster.levels), game.rules.option_values()
