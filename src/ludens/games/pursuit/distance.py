"""How far it is with the tickets one has: a table over every number of tickets and every two stops.

``dist[c, a, b]`` is the least number of moves from a to b that the tickets ``c`` (one number a mode) can pay for, or
FAR. It replaces the list of Pareto-optimal prices of every pair of stops: one look-up, and the first steps of the
cheapest ways follow from it. Tickets beyond ``most`` are not told apart, which matters only on boards whose table would
be too large; London's fits whole.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludens.core.kernel import int64, kernel
from ludens.games.pursuit.record import DISTANCES, MODES

FAR = 255


@kernel
def ticket_index(g: Any, taxi: int, second: int, third: int) -> int:
    """The place of numbers of tickets in the table."""
    most = g.c.most
    taxi, second, third = min(taxi, int64(most[0])), min(second, int64(most[1])), min(third, int64(most[2]))
    return (taxi * (int64(most[1]) + 1) + second) * (int64(most[2]) + 1) + third


@kernel
def row(g: Any, s: Any, piece: int) -> int:
    """Where the distances of a detective from its stop begin: ``g.c.dist[row + stop]``."""
    size = int64(g.c.stops) + 1
    tickets = ticket_index(g, int64(s.tickets[piece, 0]), int64(s.tickets[piece, 1]), int64(s.tickets[piece, 2]))
    return (tickets * size + int64(s.stop[piece])) * size


@kernel
def distance(g: Any, s: Any, piece: int, stop: int) -> int:
    """Moves a detective needs to a stop with its own tickets, or FAR."""
    return int64(g.c.dist[row(g, s, piece) + stop])


def most_tickets(stops: int, tickets: np.ndarray) -> np.ndarray:
    """How many tickets of each mode the table tells apart: all a detective has, or as many as fit."""
    most = np.minimum(tickets[:MODES].astype(np.int64), stops)
    while (most + 1).prod() * (stops + 1) ** 2 > DISTANCES:
        most[np.argmax(most)] -= 1
    return most


def fill(constants: np.ndarray) -> None:
    """Work out all distances, fewer tickets first."""
    t, size = constants[0], int(constants["stops"][0]) + 1
    shape = tuple(int(most) + 1 for most in t.most)
    dist = t.dist[: math.prod(shape) * size * size].reshape(*shape, size, size)
    reach = [t.link[kind + 1, :size, : max(1, t.degree[kind + 1].max())] for kind in range(MODES)]
    dist[...] = FAR
    dist[..., np.arange(size), np.arange(size)] = 0
    for have in np.ndindex(shape):
        for mode in range(MODES):
            if have[mode]:
                fewer = dist[tuple(count - (kind == mode) for kind, count in enumerate(have))]
                beyond = fewer[reach[mode]].min(axis=1)  # a stop with fewer links is filled up with stop 0, nowhere
                np.minimum(dist[have], np.minimum(beyond, FAR - 1) + np.uint8(1), out=dist[have])
