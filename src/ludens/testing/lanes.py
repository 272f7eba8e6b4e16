"""Many games side by side, for the checks of leaks.

A lane is one game. Lanes are grouped by the events that one seat got, or by its view. Such a group is played on
together: it is a set of worlds that the seat cannot tell apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ludens.core.event import events_for
from ludens.core.lanes import Lanes
from ludens.core.state import View
from ludens.testing.report import Breach, finding
from ludens.testing.sample import Sample, bare, look


class Group(Lanes):
    """A batch of games with questions about single lanes, and about groups of lanes that look the same to a seat."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.movers: dict[int, int] = {}  # lane -> the seat that made its last move

    @classmethod
    def dealt(cls, sample: Sample, count: int) -> Group:
        """A batch of ``count`` new games, each dealt from a random seed of its own."""
        return cls(sample.game, [sample.new_seed() for _ in range(count)], listens=True)

    def one(self, lane: int) -> View:
        """The full state in a lane, as a View (seat -1)."""
        return View(self.game, self.states[lane : lane + 1])

    def heard(self, lane: int, seat: int) -> bytes:
        """The events of the last step of a lane that a seat was told, as bytes to compare."""
        return repr(events_for(self.events(lane), seat)).encode()

    def seen(self, lane: int, seat: int) -> bytes:
        """The view that a seat has in a lane, without its dice, as bytes to compare."""
        return bare(look(self.game, self.states[lane : lane + 1], seat)).tobytes()

    def play(self, lanes: list[int], chosen: list[int]) -> None:
        """Play ``chosen[i]`` in lane ``lanes[i]``, one action each, and note who moved."""
        self.movers.update(zip(lanes, self.turns[lanes].tolist(), strict=True))
        self.step(np.array(lanes, np.int64), np.array(chosen, np.int64))

    def marks(self, lane: int, seat: int) -> list[str]:
        """The ids of the elements that the face would mark for a seat after the last move of a lane.

        [] after the deal.
        """
        if not self.played(lane):
            return []
        view = View(self.game, look(self.game, self.states[lane : lane + 1], seat))
        told = events_for(self.events(lane), seat)
        return self.game.face.marks(view, self.movers[lane], self.played(lane)[-1], told)

    def says(self, lane: int, sentence: str) -> Breach:
        """A breach with this sentence about the game in a lane; without a seed if it was not dealt from one."""
        seed = int(self.seeds[lane]) if self.numbers[lane] >= 0 else None
        return finding(sentence, seed, tuple(self.played(lane)))

    def groups(self, lanes: Iterable[int], key: Callable[[int], bytes], most: int) -> list[list[int]]:
        """Groups of 2 to ``most`` lanes with equal ``key(lane)``, the largest first.

        Lanes without equals are left out.
        """
        alike = defaultdict(list)
        for lane in lanes:
            alike[key(lane)].append(lane)
        parts = [group[i : i + most] for group in alike.values() for i in range(0, len(group), most)]
        return sorted((part for part in parts if len(part) > 1), key=len, reverse=True)

    def choose(self, sample: Sample, group: list[int], seat: int) -> list[int]:
        """Choose an action for each lane of a group of games that look the same to ``seat``: a list like ``group``.

        If ``seat`` is to move, it plays the same action in all lanes. Other seats do so half of the time, where they
        can; else each lane gets a random action of its own, since ``seat`` may not see what others do.
        """
        first = self.one(group[0])
        common = sample.pick(first.legal)
        together = first.to_move == seat or sample.random.random() < 0.5
        chosen = []
        for lane in group:
            legal = self.one(lane).legal
            chosen.append(common if together and common in legal else sample.pick(legal))
        return chosen

    def running(self, group: list[int]) -> list[int]:
        """The lanes of a group whose games are not over."""
        return [lane for lane in group if not self.one(lane).over]


def field_labels(dtype: np.dtype, prefix: str = "") -> list[str]:
    """The name of the field to which each column of `elements` belongs; nested fields as 'outer.inner'."""
    labels: list[str] = []
    for name in dtype.names or ():
        if prefix or name not in ("rng", "seat"):
            labels += _labels_of(dtype[name], f"{prefix}{name}")
    return labels


def _labels_of(kind: np.dtype, label: str) -> list[str]:
    """The label of each number of one field of dtype ``kind``: ``label``, or for nested fields 'label.inner'."""
    count = int(np.prod(kind.shape, dtype=np.int64))
    if kind.base.names:
        return field_labels(kind.base, f"{label}.") * count
    return [label] * count


def elements(states: np.ndarray) -> np.ndarray:
    """Every number in some records, except ``rng`` and ``seat``: int64 [records, numbers]."""
    return np.concatenate(
        [_columns(states[name]) for name in states.dtype.names or () if name not in ("rng", "seat")], 1
    )


def _columns(values: np.ndarray) -> np.ndarray:
    """The numbers of one field, [records, numbers], in the order of `field_labels`."""
    if not values.dtype.names:
        return values.reshape(len(values), -1).astype(np.int64)
    flat = values.reshape(len(values), -1)
    inner = [_columns(flat[:, i][name]) for i in range(flat.shape[1]) for name in values.dtype.names]
    return np.concatenate(inner, 1)
