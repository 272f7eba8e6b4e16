"""Where games are played: in this process, in threads of it, or in processes of their own, behind one small interface.

An executor is handed jobs and yields each with its games when it is done, in any order. Whoever does the work, and
however many do, the games are the same. Run as a module this file is a worker.
"""

from __future__ import annotations

import contextlib
import itertools
import queue
import subprocess
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludens.arena.pipe import Frames, join_parent, read_into, send, start_module, stop, wait_for
from ludens.arena.request import Request
from ludens.arena.runner import Job, Runner, jobs_of
from ludens.arena.store import GameRow
from ludens.core import error
from ludens.core.error import AgentFailure, BadOption, LudensError
from ludens.core.registry import make_game
from ludens.core.system import ending_text

Played = Generator[tuple[Job, list[GameRow]], None, None]


class Executor(Protocol):
    """Somewhere jobs are played."""

    def run(self, runner: Runner, jobs: Iterable[Job]) -> Played:
        """Play the jobs as the runner would; each comes with its games when it is done, in any order."""

    def close(self) -> None:
        """Stop as soon as possible and let go of everything."""


class ThisProcess:
    """Plays the jobs in order, one after another."""

    def run(self, runner: Runner, jobs: Iterable[Job]) -> Played:
        for job in jobs:
            yield job, runner.play(job)

    def close(self) -> None:
        """Nothing is left behind: the runner belongs to somebody else."""


class Threads:
    """Plays in threads of this process. Kernels let go of the interpreter: agents that are kernels play side by side,
    and nothing has to be started or loaded again. Each thread has its own agents."""

    def __init__(self, count: int) -> None:
        self.count = _counted(count, "threads")

    def run(self, runner: Runner, jobs: Iterable[Job]) -> Played:
        waiting, here = iter(jobs), threading.local()
        twins: list[Runner] = []

        def play(job: Job) -> list[GameRow]:
            if not hasattr(here, "runner"):
                here.runner = runner.for_another_thread()
                twins.append(here.runner)
            rows: list[GameRow] = here.runner.play(job)
            return rows

        try:
            with ThreadPoolExecutor(self.count) as pool:
                going = {pool.submit(play, job): job for job in itertools.islice(waiting, self.count)}
                while going:
                    for future in wait(going, return_when=FIRST_COMPLETED).done:
                        job = going.pop(future)
                        going |= {pool.submit(play, another): another for another in itertools.islice(waiting, 1)}
                        yield job, future.result()
        finally:
            for one in twins:
                one.close()

    def close(self) -> None:
        """The threads end with `run`: code that is running in one cannot be stopped."""


@dataclass(frozen=True)
class _Answer:
    """What a worker makes of a job: its games, or what went wrong."""

    rows: list[GameRow] = field(default_factory=list)
    error: str = ""  # the name of the exception
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "rows": [vars(row) for row in self.rows]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> _Answer:
        return cls(**{**data, "rows": [GameRow(**row) for row in data["rows"]]})


class Processes:
    """Plays in processes of their own, which get the request and build the same plan from it."""

    def __init__(self, count: int) -> None:
        self.count = _counted(count, "processes")
        self._processes: list[subprocess.Popen[bytes]] = []

    def run(self, runner: Runner, jobs: Iterable[Job]) -> Played:
        """Keep every worker busy."""
        frames: Frames = queue.SimpleQueue()
        for place in range(self.count):
            self._processes.append(start_module("ludens.arena.executor", silent=False))
            read_into(frames, self._processes[place].stdout, place)
            self._send(place, runner.request.to_json())
        waiting: Iterator[Job] = iter(jobs)
        going: dict[int, Job] = {}
        for place in range(self.count):
            self._hand_out(place, waiting, going)
        while going:
            place, frame = wait_for(frames)
            if place not in going:
                continue
            job = going.pop(place)
            rows = _read_rows(frame, self._processes[place])
            self._hand_out(place, waiting, going)
            yield job, rows

    def _hand_out(self, place: int, waiting: Iterator[Job], going: dict[int, Job]) -> None:
        job = next(waiting, None)
        if job is not None:
            going[place] = job
            self._send(place, vars(job))

    def _send(self, place: int, header: dict[str, Any]) -> None:
        pipe = self._processes[place].stdin
        assert pipe is not None
        with contextlib.suppress(OSError):  # a worker that died is noticed when its answer does not come
            send(pipe, header)

    def close(self) -> None:
        """End the workers."""
        for process in self._processes:
            stop(process)
        self._processes = []


def _counted(count: int, what: str) -> int:
    if not 1 <= count <= 1024:
        raise BadOption(f"workers={count} is not possible: give a number of {what} from 1 to 1,024")
    return count


def executor_of(workers: int | Executor) -> Executor:
    """A number stands for as many processes, 1 for this one."""
    if not isinstance(workers, int):
        return workers
    return ThisProcess() if workers == 1 else Processes(workers)


def play_request(request: Request, executor: Executor) -> list[GameRow]:
    """All games of a request, in order, kept nowhere; AgentFailure if an agent fails in one of them."""
    runner = Runner(make_game(request.game, **request.options), request)
    jobs = jobs_of(runner.game, runner.schedule, runner.compile_all())
    rows: list[GameRow] = []
    try:
        with contextlib.closing(executor.run(runner, jobs)) as played:
            for _, some in played:
                for row in some:
                    if row.failure:
                        raise AgentFailure(f"{row.specs[row.failure[0]]} failed: {row.failure[2]}", row.failure[1])
                rows += some
    finally:
        executor.close()
        runner.close()
    return sorted(rows, key=lambda row: row.number)


def _read_rows(frame: Any, process: subprocess.Popen[bytes]) -> list[GameRow]:
    if frame is None:
        raise LudensError(f"a worker process died ({ending_text(process.wait())}): try again with fewer workers")
    answer = _Answer.from_json(frame[0])
    if answer.error:
        raise getattr(error, answer.error, LudensError)(answer.message)
    return answer.rows


def _answer(runner: Runner, job: Job) -> _Answer:
    try:
        return _Answer(runner.play(job))
    except LudensError as why:
        return _Answer(error=type(why).__name__, message=str(why))
    except Exception as why:
        return _Answer(error="LudensError", message=f"a worker failed with {type(why).__name__}: {why}")


def main() -> None:
    """A worker: play the jobs that come until the parent goes away."""
    frames, sink = join_parent(silent=False)
    request = Request.from_json(frames.get()[0])
    runner = Runner(make_game(request.game, **request.options), request)
    runner.warm_up()
    while True:
        send(sink, _answer(runner, Job(**frames.get()[0])).to_json())


if __name__ == "__main__":
    main()
