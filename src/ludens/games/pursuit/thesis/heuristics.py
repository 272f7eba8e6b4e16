"""The scripted agents of the thesis: a phantom that keeps its distance, detectives who head for where it may be.

*Phantom.* Every move is valued by how far the detectives are from its destination, each with its own tickets: by the
nearest of them, by the sum, or by a sum that counts only those within six moves and near ones most. Of equals it takes
the move with more links leading on that it could still pay for. It pays with ordinary tickets, with a black one only
if it has no other move, and never declares a double move (the thesis has neither).

*Detectives.* Each in turn, without coordination: first a target among the stops where the phantom may be, then the
first step of a cheapest way there that its tickets pay for and that does not end on another detective. The target is
the nearest stop, the farthest (one that its tickets do not reach is farthest of all), or the farthest that they reach.
A target out of reach, and the nearest one if all are, is headed for as if tickets did not matter, if there is one for
the first step; when that is not possible either the detective makes any move.

*Ties* are broken by dice, or by a hash, so that nothing is random: the CRC-32 of the pieces' stops, a byte each, the
phantom's first, modulo the number of equals, which are in ascending order. Detectives do not know the phantom's stop:
theirs is the CRC-32 of a 0, their stops, and all stops where it may be, ascending.

*Ways.* ``paths=all`` uses every cheapest way. ``paths=single`` uses what the thesis stored: for every price (tickets
of each mode) of which no ticket can be saved one first step only, the first by mode and then by stop; if a detective is
on that stop the next dearer price is taken, although another way of the same price might be free.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.rng import below
from ludens.games.pursuit.distance import FAR, free_row, row, ticket_index
from ludens.games.pursuit.judgement import ways_on
from ludens.games.pursuit.record import BLACK, MODES, is_held

BY_NEAREST, BY_SUM, BY_WEIGHT = range(3)  # how the phantom values a move
TO_NEAREST, TO_FARTHEST, TO_FARTHEST_REACHABLE = range(3)  # which stop a detective heads for
_NEAR = 6  # BY_WEIGHT ignores detectives this far away or farther
_ONE = np.uint64(1)
_ALL_ONES, _POLYNOMIAL = 0xFFFFFFFF, 0xEDB88320  # of CRC-32


class ScriptedRule(NamedTuple):
    """The settings of a scripted agent's rule, for both seats."""

    flight: int  # BY_...
    chase: int  # TO_...
    dice: int  # 1: ties are broken by dice, 0: by the hash
    single: int  # 1: one stored way for each price
    room: np.ndarray  # buffer for actions or stops that are equally good


@implements(ops.rule, ScriptedRule)
@kernel
def _play(r: ScriptedRule, g: Any, v: Any, m: Any) -> int:
    """The action that a scripted agent chooses for the piece to move in view ``v``."""
    return chase(r, g, v) if v.piece else flee(r, g, v)


@large_kernel
def flee(r: ScriptedRule, g: Any, v: Any) -> int:
    """The phantom's action by the rule ``r.flight``, ties broken as ``r.dice`` says."""
    return _one_of(r, g, v, flights(r, g, v))


@large_kernel
def chase(r: ScriptedRule, g: Any, v: Any) -> int:
    """The action of the detective to move by the rule ``r.chase``, ties broken as ``r.dice`` says."""
    target = _one_of(r, g, v, targets(r, g, v))
    n = steps_towards(r, g, v, target)
    return _one_of(r, g, v, n if n else ops.legal(g, v, r.room))


# ties


@kernel
def _one_of(r: ScriptedRule, g: Any, v: Any, n: int) -> int:
    """Choose one of the first ``n`` entries of ``r.room``: by the view's dice if ``r.dice``, else by `crc_of`."""
    if n == 1:
        return int64(r.room[0])
    return int64(r.room[below(v, n) if r.dice else crc_of(g, v) % n])


@kernel
def crc_of(g: Any, v: Any) -> int:
    """CRC-32 of the stops of all pieces as far as the side to move knows them: a number to break ties by."""
    crc = _add_byte(_ALL_ONES, 0 if v.piece else int64(v.stop[0]))
    for piece in range(1, int64(g.c.detectives) + 1):
        crc = _add_byte(crc, int64(v.stop[piece]))
    if v.piece:
        for word in range(int64(g.c.words)):
            bits = v.possible[word]
            while bits:
                crc = _add_byte(crc, (word << 6) + int64(lowest_bit(bits)))
                bits &= bits - _ONE
    return crc ^ _ALL_ONES


@kernel
def _add_byte(crc: int, byte: int) -> int:
    """The register of a CRC-32 computation after one more byte."""
    crc ^= byte
    for _ in range(8):
        crc = (crc >> 1) ^ (_POLYNOMIAL if crc & 1 else 0)
    return crc


# the phantom


@kernel
def flights(r: ScriptedRule, g: Any, v: Any) -> int:
    """Write the phantom's best moves to ``r.room`` as actions, ascending, and return their number (at least 1).

    They are equal in their distances from detectives and in the links leading on. The pass (0) if there is no move.
    """
    n = _best_flights(r, g, v, 1, MODES)
    if n == 0:
        n = _best_flights(r, g, v, BLACK, BLACK)
    if n == 0:
        r.room[0] = 0
        n = 1
    return n


@kernel
def _best_flights(r: ScriptedRule, g: Any, v: Any, first: int, last: int) -> int:
    """Write the phantom's best single moves by tickets of kinds ``first`` to ``last`` to ``r.room``.

    Return their number. They are actions, ascending; 0 if there is none.
    """
    at, size, n, best = int64(v.stop[0]), int64(g.c.stops) + 1, 0, int64(-1)
    for kind in range(first, last + 1):
        if v.tickets[0, kind - 1] == 0:
            continue
        for i in range(int64(g.c.degree[kind, at])):
            to = int64(g.c.link[kind, at, i])
            if g.c.enter == 0 and is_held(g, v, to):
                continue
            worth = (_safety(r, g, v, to) << 8) + ways_on(g, v, to, kind)
            if worth > best:
                best, n = worth, 0
            if worth == best:
                r.room[n] = kind * size + to
                n += 1
    return n


@kernel
def _safety(r: ScriptedRule, g: Any, v: Any, to: int) -> int:
    """How good stop ``to`` is for the phantom by the distances of the detectives; larger is better, never below 0."""
    team, stops = int64(g.c.detectives), int64(g.c.stops)
    least, total, penalty = FAR, 0, 0
    for piece in range(1, team + 1):
        far = int64(g.c.dist[row(g, v, piece) + to])
        least = min(least, far)
        total += min(far, stops)
        penalty += max(0, _NEAR - far) ** 2
    if r.flight == BY_NEAREST:
        return least
    return total if r.flight == BY_SUM else _NEAR**2 * team - penalty


# the detectives


@kernel
def targets(r: ScriptedRule, g: Any, v: Any) -> int:
    """Write the stops that the detective to move could head for to ``r.room``, ascending, and return their number.

    All are equally good by the rule ``r.chase``.
    """
    piece = int64(v.piece)
    start = row(g, v, piece)
    if not _is_any_reachable(g, v, start):
        return _ends(r, g, v, free_row(g, int64(v.stop[piece])), 1)
    if r.chase == TO_NEAREST:
        return _ends(r, g, v, start, 1)
    return _ends(r, g, v, start, -1)


@kernel
def _is_any_reachable(g: Any, v: Any, start: int) -> bool:
    """Whether the distances that begin at index ``start`` of ``g.c.dist`` reach any stop where the phantom may be."""
    for word in range(int64(g.c.words)):
        bits = v.possible[word]
        while bits:
            if g.c.dist[start + (word << 6) + int64(lowest_bit(bits))] < FAR:
                return True
            bits &= bits - _ONE
    return False


@kernel
def _ends(r: ScriptedRule, g: Any, v: Any, start: int, sign: int) -> int:
    """Write the nearest (``sign`` 1) or farthest (-1) possible stops to ``r.room`` and return their number.

    Distances are those that begin at index ``start`` of ``g.c.dist``. Stops out of reach count only for TO_FARTHEST.
    """
    n, best = 0, 2 * FAR
    for word in range(int64(g.c.words)):
        bits = v.possible[word]
        while bits:
            stop = (word << 6) + int64(lowest_bit(bits))
            bits &= bits - _ONE
            far = int64(g.c.dist[start + stop])
            if far == FAR and r.chase != TO_FARTHEST:
                continue
            if sign * far < best:
                best, n = sign * far, 0
            if sign * far == best:
                r.room[n] = stop
                n += 1
    return n


@kernel
def steps_towards(r: ScriptedRule, g: Any, v: Any, target: int) -> int:
    """Write the first steps of the detective to move on its cheapest ways to stop ``target`` to ``r.room``.

    They are actions, ascending. Returns their number, 0 if no such step is free.
    """
    piece = int64(v.piece)
    if g.c.dist[row(g, v, piece) + target] == FAR:
        return _steps_regardless(r, g, v, piece, target)
    if r.single:
        return _stored_steps(r, g, v, piece, target)
    return _steps(r, g, v, piece, target)


@kernel
def _steps(r: ScriptedRule, g: Any, v: Any, piece: int, target: int) -> int:
    """Write the free steps of detective ``piece`` after which the way to ``target`` is shortest to ``r.room``.

    They are actions. Returns their number; used with ``paths=all``.
    """
    at, size, n, best = int64(v.stop[piece]), int64(g.c.stops) + 1, 0, int64(FAR - 1)
    for kind in range(1, MODES + 1):
        if v.tickets[piece, kind - 1] == 0:
            continue
        after = _fold_after(g, v.tickets[piece], kind) * size
        for i in range(int64(g.c.degree[kind, at])):
            to = int64(g.c.link[kind, at, i])
            far = int64(g.c.dist[(after + to) * size + target])
            if far > best or is_held(g, v, to):
                continue
            if far < best:
                best, n = far, 0
            r.room[n] = kind * size + to
            n += 1
    return n


@kernel
def _fold_after(g: Any, tickets: Any, kind: int) -> int:
    """The index in the table of distances (see `ticket_index`) for ``tickets`` after one of this kind was spent."""
    return ticket_index(
        g, int64(tickets[0]) - (kind == 1), int64(tickets[1]) - (kind == 2), int64(tickets[2]) - (kind == 3)
    )


@kernel
def _steps_regardless(r: ScriptedRule, g: Any, v: Any, piece: int, target: int) -> int:
    """Write the steps of detective ``piece`` towards a ``target`` out of its reach to ``r.room``; return their number.

    They are the free steps a ticket is left for, on ways that would be shortest if tickets did not matter, as actions.
    """
    at, size, n = int64(v.stop[piece]), int64(g.c.stops) + 1, 0
    far = int64(g.c.dist[free_row(g, at) + target])
    for kind in range(1, MODES + 1):
        if v.tickets[piece, kind - 1] == 0:
            continue
        for i in range(int64(g.c.degree[kind, at])):
            to = int64(g.c.link[kind, at, i])
            if int64(g.c.dist[free_row(g, to) + target]) < far and not is_held(g, v, to):
                r.room[n] = kind * size + to
                n += 1
    return n


@kernel
def _stored_steps(r: ScriptedRule, g: Any, v: Any, piece: int, target: int) -> int:
    """Write the stored first steps of detective ``piece`` for the cheapest prices of a way to ``target`` to ``r.room``.

    They are actions; a price is how many tickets of each mode a way costs. Returns their number; used with
    ``paths=single``. Prices whose stored step leads to a detective's stop are left out.
    """
    size, n, best, at = int64(g.c.stops) + 1, 0, int64(FAR), int64(v.stop[piece])
    have = v.tickets[piece]
    for taxi in range(min(int64(have[0]), int64(g.c.most[0])) + 1):
        for second in range(min(int64(have[1]), int64(g.c.most[1])) + 1):
            for third in range(min(int64(have[2]), int64(g.c.most[2])) + 1):
                price = taxi + second + third
                if price == 0 or price > best or not _is_price(g, taxi, second, third, at, target):
                    continue
                step = _stored_step(g, taxi, second, third, at, target)
                if is_held(g, v, step % size):
                    continue
                if price < best:
                    best, n = price, 0
                n = _insert(r.room, n, step)
    return n


@kernel
def _reaches(g: Any, taxi: int, second: int, third: int, a: int, b: int) -> bool:
    """Whether some tickets pay for a way from stop ``a`` to stop ``b``.

    ``taxi``, ``second`` and ``third`` are their numbers for each mode.
    """
    size = int64(g.c.stops) + 1
    return (
        min(taxi, second, third) >= 0 and g.c.dist[(ticket_index(g, taxi, second, third) * size + a) * size + b] < FAR
    )


@kernel
def _is_price(g: Any, taxi: int, second: int, third: int, a: int, b: int) -> bool:
    """Whether these tickets, so many for each mode, pay for a way from stop ``a`` to ``b``, and none can be saved."""
    return _reaches(g, taxi, second, third, a, b) and not (
        _reaches(g, taxi - 1, second, third, a, b)
        or _reaches(g, taxi, second - 1, third, a, b)
        or _reaches(g, taxi, second, third - 1, a, b)
    )


@kernel
def _stored_step(g: Any, taxi: int, second: int, third: int, a: int, b: int) -> int:
    """The first step from stop ``a`` to ``b`` that is stored for a price, as an action.

    The price is a number of tickets for each mode (``taxi``, ``second``, ``third``). The step is by the first mode that
    begins such a way, to the lowest stop.
    """
    size = int64(g.c.stops) + 1
    for kind in range(1, MODES + 1):
        for i in range(int64(g.c.degree[kind, a])):
            to = int64(g.c.link[kind, a, i])
            if _reaches(g, taxi - (kind == 1), second - (kind == 2), third - (kind == 3), to, b):
                return kind * size + to
    return 0


@kernel
def _insert(buffer: Any, n: int, step: int) -> int:
    """Insert the action ``step`` into the ascending first ``n`` entries of ``buffer``, in place, unless it is there.

    Returns the number of entries then.
    """
    place = n
    for i in range(n - 1, -1, -1):
        if buffer[i] == step:
            return n
        if buffer[i] > step:
            place = i
    for i in range(n, place, -1):
        buffer[i] = buffer[i - 1]
    buffer[place] = step
    return n + 1


# the agents


@dataclasses.dataclass(frozen=True)
class ScriptedSettings:
    """The parameters of the scripted agents: readings of what the thesis leaves open."""

    ties: str = option(
        "hash",
        "how it chooses among equally good moves: by a hash of the position, or at random",
        choices=("hash", "random"),
    )
    paths: str = option(
        "all", "the cheapest ways a detective knows: all, or one for each price in tickets", choices=("all", "single")
    )


class Scripted(RuleAgent):
    """Base of the thesis's scripted agents: one way to play the phantom, one to play the detectives."""

    Settings = ScriptedSettings
    flight: ClassVar[int] = BY_NEAREST
    chase: ClassVar[int] = TO_NEAREST

    def rule_settings(self) -> ScriptedRule:
        """The settings of its rule: how it plays either side, and how it breaks ties."""
        is_random, is_single = self.settings.ties == "random", self.settings.paths == "single"
        return ScriptedRule(self.flight, self.chase, int(is_random), int(is_single), self.game.rules.buffer())


class Nearest(Scripted):
    """The phantom keeps away from the nearest detective; each detective heads for the nearest stop it may be at."""

    name = "nearest"


class Sum(Scripted):
    """The phantom keeps the sum of the detectives' distances large; detectives play as `nearest`."""

    name = "sum"
    flight = BY_SUM


class Weighted(Scripted):
    """The phantom keeps away from detectives within six moves, most from near ones; detectives play as `nearest`."""

    name = "weighted"
    flight = BY_WEIGHT


class Farthest(Scripted):
    """Each detective heads for the farthest stop the phantom may be at; the phantom plays as `nearest`."""

    name = "farthest"
    chase = TO_FARTHEST


class Conditional(Scripted):
    """Each detective heads for the farthest possible stop its tickets reach; the phantom plays as `nearest`."""

    name = "conditional"
    chase = TO_FARTHEST_REACHABLE
