"""Distances with the tickets a detective has: a lookup table over all numbers of tickets and every two stops.

``dist[c, a, b]`` is the least number of moves from stop a to stop b that the tickets ``c`` (a number for each mode) pay
for, or FAR. It replaces a list of Pareto-optimal prices for every pair of stops: a distance is one lookup, and the
first steps of the cheapest ways follow from it. More than ``most`` tickets of a mode count as ``most``; this matters
only on boards for which the whole table would be too large (London's fits).
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
    """The index of a number of tickets for each mode (``taxi``, ``second``, ``third``) in the table of distances.

    It is the ``c`` of ``dist[c, a, b]``.
    """
    most = g.c.most
    taxi, second, third = min(taxi, int64(most[0])), min(second, int64(most[1])), min(third, int64(most[2]))
    return (taxi * (int64(most[1]) + 1) + second) * (int64(most[2]) + 1) + third


@kernel
def row(g: Any, s: Any, piece: int) -> int:
    """The index in ``g.c.dist`` at which a detective's distances begin, from its stop and with its tickets.

    The distance to a stop is ``g.c.dist[row + stop]``, in moves.
    """
    size = int64(g.c.stops) + 1
    tickets = ticket_index(g, int64(s.tickets[piece, 0]), int64(s.tickets[piece, 1]), int64(s.tickets[piece, 2]))
    return (tickets * size + int64(s.stop[piece])) * size


@kernel
def free_row(g: Any, at: int) -> int:
    """The index in ``g.c.dist`` at which the distances from stop ``at`` begin, as if tickets did not matter."""
    size = int64(g.c.stops) + 1
    return (ticket_index(g, FAR, FAR, FAR) * size + at) * size


@kernel
def distance(g: Any, s: Any, piece: int, stop: int) -> int:
    """The number of moves that detective ``piece`` needs to a stop with its own tickets; FAR if out of its reach."""
    return int64(g.c.dist[row(g, s, piece) + stop])


def most_tickets(stops: int, tickets: np.ndarray) -> np.ndarray:
    """The largest number of tickets of each mode that the table of distances has entries for, [MODES].

    All that a detective has (``tickets``), but no more than there are stops, and fewer where the table would be too
    large.
    """
    most = np.minimum(tickets[:MODES].astype(np.int64), stops)
    while (most + 1).prod() * (stops + 1) ** 2 > DISTANCES:
        most[np.argmax(most)] -= 1
    return most


def fill(constants: np.ndarray) -> None:
    """Compute the table of distances for all tickets and stops, in place, from the links in ``constants``.

    ``constants`` is an array of one record.
    """
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
                beyond = fewer[reach[mode]].min(axis=1)  # unused links lead to stop 0, from which there is no way
                np.minimum(dist[have], np.minimum(beyond, FAR - 1) + np.uint8(1), out=dist[have])
