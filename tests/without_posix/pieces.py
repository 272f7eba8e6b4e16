"""Pieces of ludens that run in a Python without POSIX: ``python -m tests.without_posix.pieces NAME FOLDER``."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from ludens.arena.child import ChildAgent
from ludens.arena.store import Store
from ludens.arena.tournament import Interrupted, arena
from ludens.core import kernel
from ludens.core.error import AgentFailure
from ludens.core.listen import on_compile
from ludens.core.registry import make_game

GAMES = 4000


def clock(folder: Path) -> None:
    """Code that no alarm can interrupt: its process is killed from outside, and started again for the next decision."""
    agent = ChildAgent(make_game("kuhn"), f"{folder / 'bots.py'}:hangs")
    view = agent.game.start(seed=1).view()
    agent.seconds_left = 0.1
    with pytest.raises(AgentFailure, match="took longer than"):
        agent.choose(view)
    assert agent._process is None
    agent.path, agent.seconds_left = f"{folder / 'bots.py'}:plays", 60.0
    assert agent.choose(view) in view.legal
    agent.close()


def resume(folder: Path) -> None:
    """A run that is stopped in the middle goes on, and ends as one that was not."""

    def stop(done: int, total: int, words: str) -> None:
        if done:
            raise KeyboardInterrupt

    file = folder / "with a blank.db"
    with pytest.raises(Interrupted, match=r"--store ['\"].*with a blank\.db['\"]"):
        arena("kuhn", ["random", "random"], games=GAMES, seed=1, workers=2, store=file, progress=stop)
    store = Store(file)
    (run,) = store.runs()
    assert 0 < len(list(store.games(run.id))) < GAMES
    resumed = arena(resume=run.id, store=file, workers=2)
    whole = arena("kuhn", ["random", "random"], games=GAMES, seed=1, store=False)
    assert [(one.wins, one.losses) for one in resumed.agents] == [(one.wins, one.losses) for one in whole.agents]


def compiled(folder: Path) -> None:
    """Says how many kernels had to be compiled for one in a file of a user's."""
    said: list[str] = []
    on_compile(lambda name, package: said.append(name))
    sys.path.insert(0, str(folder))
    import mine  # type: ignore[import-not-found]  # the test has written it

    assert mine.twice(21) == 42
    assert kernel.cache_dir() == Path(os.environ["LUDENS_CACHE"])
    print(len(said))


if __name__ == "__main__":
    assert not hasattr(os, "fork")
    assert not hasattr(signal, "SIGALRM")
    {piece.__name__: piece for piece in (clock, resume, compiled)}[sys.argv[1]](Path(sys.argv[2]))
