"""CFR+ in vector form: solve two-player bluffing rounds given as a public tree (`solve.contract`).

*What it computes:* an approximate equilibrium, and exactly how far from one any strategy is. Regret matching+,
alternating updates, average strategy with weight t squared. All hand classes of a public node are handled at once.
Exploitability is (b1 + b2) / 2, b1 and b2 being the most each player can get against the other's strategy; the value
of the game lies between -b2 and b1.

*Assumes* a two-player zero-sum round, independent private hands, payoffs of a showdown only. *Does not handle* draws
during the round or more players. With limited recall CFR has no guarantee: measure the result on the whole tree.

*Cost:* about 3 ns an entry and iteration where everything is reached, much less once most moves are no longer played,
since what the opponent reaches with no hand is skipped; memory two tables (8 bytes an entry in float32; float64 for
games below two million entries). Results are the same bits for any number of threads, and after any stop and resume.

References: Zinkevich, Johanson, Bowling, Piccione, "Regret minimization in games with incomplete information" (2007);
Tammelin, "Solving large imperfect information games using CFR+" (2014); Johanson, Waugh, Bowling, Zinkevich,
"Accelerating best response calculation in large extensive games" (2011).
"""

from __future__ import annotations

import dataclasses
import hashlib
import queue
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import tensor_file
from ludens.core.error import BadRecord, LudensError
from ludens.solve import recall_walk, vector_graph, vector_walk
from ludens.solve.contract import recall_of
from ludens.solve.vector_walk import ANSWER, COUNT, LEARN

expand = vector_graph.expand
normalise = vector_graph.normalise

SMALL = 2_000_000  # entries: below this tables are float64
ONE_THREAD = 500_000  # entries: below this one thread is fastest
TRUNK_SHARE = 128  # a task is at most this part of a large tree
MOST_CELLS = 400_000_000  # pairs of hand classes in all nodes of a graph of limited recall
PIECE = 100_000_000  # entries walked in one kernel call, about half a second
CHUNKS = 8  # of tasks for each thread, so that all threads end at about the same time


@dataclasses.dataclass(frozen=True)
class Gap:
    """How far two players' strategies are from an equilibrium, and bounds on the value of the round for the opener."""

    exploitability: float
    value: float  # the middle of the bounds
    bounds: tuple[float, float]

    @classmethod
    def of(cls, opener_best: float, other_best: float) -> Gap:
        """The gap of two strategies, from the expected results of a best response by the opener and by the other."""
        low, high = -other_best, opener_best
        return cls((opener_best + other_best) / 2, (low + high) / 2, (low, high))


@dataclasses.dataclass(frozen=True)
class Answer:
    """A best response of one player: its expected result (``value``), and the responses of both players as one table.

    Entries of the table are 0 and 1, or all 0 where the other player's strategy never leads.
    """

    value: float
    table: np.ndarray


@dataclasses.dataclass(frozen=True)
class Progress:
    """What a solver reports while it works: the iteration reached, the last one planned, and the gap.

    The gap is None if it was not measured.
    """

    iteration: int
    iterations: int
    gap: Gap | None


Report = Callable[[Progress], None]


class _RecallLearner:
    """Runs CFR+ for strategies that remember the last ``recall`` public states, in one thread."""

    def __init__(self, tree: Any, recall: int) -> None:
        self.tree = tree
        self.graph = vector_graph.recall_graph(tree, recall)
        self.entries = recall_of(tree, recall).total
        classes = tree.classes.reshape(2, -1)
        cells = int((classes[0] * classes[1])[self.graph.state].sum())
        if cells > MOST_CELLS:
            raise LudensError(
                f"recall of {recall} needs payoffs of {cells:.1e} pairs of hands, more than the {MOST_CELLS:.0e} that "
                "fit: remember fewer bids"
            )
        self.dtype = np.dtype(np.float64 if cells < SMALL else np.float32)
        self.matrices = recall_walk.matrices_of(tree, self.graph, self.entries, self.dtype)

    def iterate(self, regrets: np.ndarray, average: np.ndarray, first: int, count: int) -> None:
        """Run ``count`` iterations from number ``first`` on, updating both tables in place.

        ``regrets`` and ``average`` (the strategy) have the layout of limited recall.
        """
        recall_walk.iterate_recall(self.tree, self.graph, self.matrices, regrets, average, first, count)

    def close(self) -> None:
        """Nothing to close: there are no threads."""


class TreeWalker:
    """Runs CFR+, best responses and counts of reach over a whole tree, in one or more threads."""

    def __init__(self, tree: Any, dtype: Any, threads: int) -> None:
        self.tree = tree
        self.dtype = np.dtype(dtype)
        total = int(tree.size[len(tree.move_start) - 2])
        limit = total // TRUNK_SHARE if total > ONE_THREAD else total
        self.graph = vector_graph.trunk_graph(tree, limit)
        self.entries = total
        self.trunk = vector_graph.graph_workspace(tree, self.graph, dtype)
        nodes = len(self.graph.edge) - 1
        self.tasks = np.arange(nodes, len(self.graph.state), dtype=np.int64)
        self.threads = threads if len(self.tasks) and total > ONE_THREAD else 1
        self.workspaces: queue.SimpleQueue[vector_walk.Workspace] = queue.SimpleQueue()
        self.spare = vector_graph.thread_workspace(tree, dtype)
        for _ in range(self.threads):
            self.workspaces.put(vector_graph.thread_workspace(tree, dtype))
        self.chunks = self._chunks() if self.threads > 1 else []
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def _chunks(self) -> list[np.ndarray]:
        """The numbers of all tasks in chunks of about equal work, largest first; a thread takes a chunk at a time."""
        states = len(self.tree.move_start) - 1
        graph, tasks = self.graph, self.tasks
        size = self.tree.size[graph.actor[tasks] * np.uint64(states) + graph.state[tasks]]
        loads: list[list[int]] = [[] for _ in range(min(CHUNKS * self.threads, len(tasks)))]
        weight = np.zeros(len(loads))
        for i in np.argsort(-size.astype(np.int64), kind="stable"):
            lightest = int(np.argmin(weight))
            loads[lightest].append(int(tasks[i]))
            weight[lightest] += int(size[i])
        return [np.array(loads[i], np.int64) for i in np.argsort(-weight, kind="stable")]

    def close(self) -> None:
        """End the threads."""
        if self._pool:
            self._pool.shutdown()

    def iterate(self, regrets: np.ndarray, average: np.ndarray, first: int, count: int) -> None:
        """Run ``count`` iterations from number ``first`` on, updating both tables in place.

        ``regrets`` and ``average`` (the strategy) are tables of the whole tree.
        """
        self.walk(LEARN, regrets, average, first, count)

    def walk(self, purpose: int, table: np.ndarray, out: np.ndarray, first: int = 1, count: int = 1) -> np.ndarray:
        """Run ``count`` walks for each player, all for one purpose: ANSWER, LEARN or COUNT (see `vector_walk`).

        ``table`` is read (by LEARN also updated), ``out`` is written: for ANSWER the best actions, for LEARN the
        average strategy, for COUNT the reach. Walk t, from ``first`` on, adds with weight t squared. Returns what each
        player got in its last walk: [2].
        """
        gains = np.zeros(2)
        if self._pool is None:
            vector_walk.drive(
                self.tree, self.graph, self.trunk, self.spare, purpose, table, out, self.tasks, first, count, gains
            )
            return gains
        for t in range(first, first + count):
            for p in (0, 1):
                gains[p] = self._share(p, purpose, float(t) * float(t), table, out)
        return gains

    def _share(self, p: int, purpose: int, weight: float, table: np.ndarray, out: np.ndarray) -> float:
        """Run one walk of player ``p``, with the tasks shared among all threads; returns the player's expected result.

        ``purpose`` is ANSWER, LEARN or COUNT; ``table`` is read (by LEARN also updated), and what is added to ``out``
        is multiplied by ``weight``.
        """
        scaled, tree, graph, trunk = self.dtype.type(weight), self.tree, self.graph, self.trunk
        assert self._pool is not None

        def work(tasks: np.ndarray) -> None:
            work = self.workspaces.get()
            try:
                vector_walk.walk_tasks(tree, graph, trunk, work, p, purpose, scaled, table, out, tasks)
            finally:
                self.workspaces.put(work)

        vector_walk.advance(tree, graph, trunk, p, purpose, scaled, table, out)
        list(self._pool.map(work, self.chunks))
        return vector_walk.finish(tree, graph, trunk, p, purpose, table, out)

    def gap(self, strategy: np.ndarray) -> Gap:
        """Measure the exact exploitability of a strategy, given as a table of the whole tree."""
        nothing = np.zeros(0, strategy.dtype)
        opener, other = self.walk(ANSWER, strategy, nothing).tolist()
        return Gap.of(opener, other)


def best_response(tree: Any, strategy: np.ndarray, player: int, threads: int = 1) -> Answer:
    """Compute the best response of ``player`` to the other's strategy, read from the other's entries of ``strategy``.

    The table's probabilities need not sum to 1: they are normalised, and where all are 0 all actions are equally
    likely.
    """
    walker = TreeWalker(tree, strategy.dtype, threads)
    out = np.zeros_like(strategy)
    gains = walker.walk(ANSWER, strategy, out)
    walker.close()
    return Answer(float(gains[player]), out)


def measure(tree: Any, strategy: np.ndarray, threads: int = 1, recall: int | None = None) -> Gap:
    """Measure the exact exploitability of a strategy table, which holds the strategies of both players.

    With ``recall`` the table is one of limited recall; it is first written out for the whole tree.
    """
    if recall:
        whole = int(tree.size[len(tree.move_start) - 2])
        strategy = expand(tree, recall, strategy.astype(np.float64 if whole < SMALL else np.float32))
    walker = TreeWalker(tree, strategy.dtype, threads)
    gap = walker.gap(strategy)
    walker.close()
    return gap


def shrink(tree: Any, strategy: np.ndarray, recall: int | None, threshold: float = 0.0, threads: int = 1) -> np.ndarray:
    """The strategy that results if only the last ``recall`` states are remembered (None: all); probabilities.

    ``strategy`` is a table of the whole tree. Histories that can no longer be told apart are averaged, weighted by
    their player's own reach. Where this reach is at most ``threshold``, entries become 0: the player itself hardly ever
    gets there.
    """
    weights = np.zeros_like(strategy)
    walker = TreeWalker(tree, strategy.dtype, threads)
    walker.walk(COUNT, strategy, weights)
    walker.close()
    small = vector_graph.fold(tree, recall, weights) if recall else weights
    vector_graph.normalise(tree, recall, small, threshold)
    return small


class Solver:
    """Computes an approximate equilibrium of a public tree by CFR+; can be stopped and resumed from a checkpoint.

    With ``recall=k`` strategies remember only the last k public states, for trees too large for memory. `gap` then
    writes the strategy out for the whole tree, if that has at most ``most_entries`` table entries.
    """

    def __init__(
        self, tree: Any, *, threads: int = 1, recall: int | None = None, most_entries: int = 400_000_000
    ) -> None:
        states = len(tree.move_start) - 1
        self.whole = int(tree.size[states - 1])
        if recall is None and self.whole > most_entries:
            raise LudensError(
                f"the public tree has {self.whole:.2e} table entries, more than the {most_entries:.2e} that fit: "
                "remember only the last bids (recall 1 to 3)"
            )
        self.tree, self.recall = tree, recall
        self.can_measure = self.whole <= most_entries
        self._learner: TreeWalker | _RecallLearner
        if recall is None:
            self._learner = TreeWalker(tree, np.float64 if self.whole < SMALL else np.float32, threads)
        else:
            self._learner = _RecallLearner(tree, recall)
        self.dtype = self._learner.dtype
        self.threads = threads
        self.regrets = np.zeros(self._learner.entries, self.dtype)
        self.average = np.zeros(self._learner.entries, self.dtype)
        self.iteration = 0

    def run(self, iterations: int) -> None:
        """Run ``iterations`` more; between the kernel calls that do so the program can be interrupted with Ctrl-C."""
        most = max(1, PIECE // max(1, self.whole if self.recall is None else self.average.size))
        end = self.iteration + iterations
        while self.iteration < end:
            count = min(most, end - self.iteration)
            self._learner.iterate(self.regrets, self.average, self.iteration + 1, count)
            self.iteration += count

    def gap(self) -> Gap | None:
        """The exact exploitability of the average strategy so far; None if the whole tree is too large for that."""
        if not self.can_measure:
            return None
        if isinstance(self._learner, _RecallLearner):
            return measure(self.tree, self.average, self.threads, self.recall)
        return self._learner.gap(self.average)

    def solve(
        self,
        iterations: int,
        *,
        target: float = 0.0,
        checks: int = 20,
        report: Report | None = None,
        checkpoint: Path | None = None,
    ) -> Gap | None:
        """Run up to iteration ``iterations`` or an exploitability of at most ``target``; return the last gap measured.

        About ``checks`` times the exploitability is measured and reported and, with ``checkpoint``, everything is
        saved. When this happens depends on ``iterations`` alone, so a resumed run does the same as an uninterrupted
        one. An existing checkpoint is loaded first.
        """
        if checkpoint is not None and checkpoint.exists():
            self.load(checkpoint)
        gap = self.gap() if self.iteration else None
        for stop in _stops(iterations, checks):
            if stop <= self.iteration:
                continue
            if gap is not None and gap.exploitability <= target:
                break
            self.run(stop - self.iteration)
            gap = self.gap()
            if report:
                report(Progress(self.iteration, iterations, gap))
            if checkpoint is not None:
                self.save(checkpoint)
        return gap

    def _notes(self) -> dict[str, str]:
        """What identifies the solver's checkpoints: a hash of the tree, the recall, the type of floats."""
        tree = hashlib.blake2b(digest_size=16)
        for array in (self.tree.move_start, self.tree.move_to, self.tree.maps, self.tree.chance):
            tree.update(array.tobytes())
        return {"tree": tree.hexdigest(), "recall": str(self.recall), "type": self.dtype.name}

    def save(self, path: Path) -> None:
        """Write a checkpoint: the tables of regrets and average strategy, and the number of the iteration."""
        arrays = {"regrets": self.regrets, "average": self.average}
        tensor_file.write(path, arrays, {**self._notes(), "iteration": str(self.iteration)})

    def load(self, path: Path) -> None:
        """Resume from a checkpoint; BadRecord if it was written for another tree, recall or type of floats."""
        arrays, notes = tensor_file.read(path)
        at = notes.pop("iteration", "")
        mine = {"regrets": self.regrets, "average": self.average}
        wanted = {name: (array.shape, array.dtype) for name, array in mine.items()}
        if notes != self._notes() or {name: (a.shape, a.dtype) for name, a in arrays.items()} != wanted:
            raise BadRecord(f"{path} is a checkpoint of another game: name another file or delete it")
        if not re.fullmatch("[0-9]{1,15}", at) or not all(np.isfinite(array).all() for array in arrays.values()):
            raise BadRecord(f"{path} is a damaged checkpoint: delete it")
        self.regrets, self.average, self.iteration = arrays["regrets"], arrays["average"], int(at)

    def close(self) -> None:
        """End the threads."""
        self._learner.close()


def _stops(iterations: int, checks: int) -> list[int]:
    """The iterations at which a solver measures: about ``checks`` evenly spaced ones up to ``iterations``.

    Before the first of these also powers of two from 16 on. Ascending.
    """
    step = max(1, -(-iterations // checks))
    early = {2**i for i in range(4, 30) if 2**i < step}
    return sorted(early | {min(i, iterations) for i in range(step, iterations + step, step)})
