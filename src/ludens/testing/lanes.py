"""Many games side by side: what the leak checks play.

A lane is one game. Lanes are compared by what one seat heard, or by what it sees; those alike form groups that are
played on together, so that a group is a set of worlds its seat cannot tell apart.
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
    """A batch of games as the checks ask it: lane by lane, and for lanes that are alike."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.movers: dict[int, int] = {}  # who made each lane's last move

    @classmethod
    def dealt(cls, sample: Sample, count: int) -> Group:
        """Fresh deals, each from a seed of its own."""
        return cls(sample.game, [sample.new_seed() for _ in range(count)], listens=True)

    def one(self, lane: int) -> View:
        """A lane's truth, with the questions one can ask of a position."""
        return View(self.game, self.states[lane : lane + 1])

    def heard(self, lane: int, seat: int) -> bytes:
        """What a seat heard of a lane's last step."""
        return repr(events_for(self.events(lane), seat)).encode()

    def seen(self, lane: int, seat: int) -> bytes:
        """What a seat sees of a lane."""
        return bare(look(self.game, self.states[lane : lane + 1], seat)).tobytes()

    def play(self, lanes: list[int], chosen: list[int]) -> None:
        """One move in each of the lanes."""
        self.movers.update(zip(lanes, self.turns[lanes].tolist(), strict=True))
        self.step(np.array(lanes, np.int64), np.array(chosen, np.int64))

    def marks(self, lane: int, seat: int) -> list[str]:
        """What the game would point at, for a seat, after a lane's last move."""
        if not self.played(lane):
            return []
        view = View(self.game, look(self.game, self.states[lane : lane + 1], seat))
        told = events_for(self.events(lane), seat)
        return self.game.face.marks(view, self.movers[lane], self.played(lane)[-1], told)

    def says(self, lane: int, sentence: str) -> Breach:
        """A finding about a lane."""
        seed = int(self.seeds[lane]) if self.numbers[lane] >= 0 else None
        return finding(sentence, seed, tuple(self.played(lane)))

    def groups(self, lanes: Iterable[int], key: Callable[[int], bytes], most: int) -> list[list[int]]:
        """Lanes with equal keys, in groups of 2 to ``most``, the largest first."""
        alike = defaultdict(list)
        for lane in lanes:
            alike[key(lane)].append(lane)
        parts = [group[i : i + most] for group in alike.values() for i in range(0, len(group), most)]
        return sorted((part for part in parts if len(part) > 1), key=len, reverse=True)

    def choose(self, sample: Sample, group: list[int], seat: int) -> list[int]:
        """A move for each lane of a group that ``seat`` cannot tell apart.

        The seat itself plays the same move everywhere. Others do so half of the time, where they can; else each lane
        plays a random move of its own, for what the others do in secret is part of what a seat cannot tell apart.
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
        """The lanes of a group whose games go on."""
        return [lane for lane in group if not self.one(lane).over]


def field_labels(dtype: np.dtype, prefix: str = "") -> list[str]:
    """A label for every column of ``elements``: the field it belongs to."""
    labels: list[str] = []
    for name in dtype.names or ():
        if prefix or name not in ("rng", "seat"):
            labels += _labels_of(dtype[name], f"{prefix}{name}")
    return labels


def _labels_of(kind: np.dtype, label: str) -> list[str]:
    count = int(np.prod(kind.shape, dtype=np.int64))
    if kind.base.names:
        return field_labels(kind.base, f"{label}.") * count
    return [label] * count


def elements(states: np.ndarray) -> np.ndarray:
    """Every number in the records, dice and seat apart: [records, numbers]."""
    return np.concatenate(
        [_columns(states[name]) for name in states.dtype.names or () if name not in ("rng", "seat")], 1
    )


def _columns(values: np.ndarray) -> np.ndarray:
    """The numbers of one field, as [records, numbers], in the order of ``field_labels``."""
    if not values.dtype.names:
        return values.reshape(len(values), -1).astype(np.int64)
    flat = values.reshape(len(values), -1)
    inner = [_columns(flat[:, i][name]) for i in range(flat.shape[1]) for name in values.dtype.names]
    return np.concatenate(inner, 1)
