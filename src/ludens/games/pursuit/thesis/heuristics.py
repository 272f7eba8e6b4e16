"""The scripted players of the thesis: a phantom that keeps its distance, detectives who head for where it may be.

*Phantom.* Every move is judged by how far the detectives are from where it leads, each with its own tickets: by the
nearest of them, by the sum, or by a sum that counts only those within six moves and near ones most. Of equals the move
with more links leading on that it could still pay for. It pays with ordinary tickets, with a black one only when
nothing else would take it anywhere, and never declares a double move (the thesis has neither).

*Detectives.* Each in turn, without a plan in common: first a target among the stops where the phantom may be, then the
first step of a cheapest way there that its tickets pay for and that is not onto a colleague. The target is the nearest
stop, the farthest (one that its tickets do not reach is farthest of all), or the farthest that they reach. A target
out of reach, and the nearest one if all are, is headed for regardless of tickets, if there is one for the first step;
when that is not possible either the detective makes any move.

*Ties* are broken by dice, or by a hash, so that nothing is random: the CRC-32 of the pieces' stops, a byte each, the
phantom's first, modulo the number of equals, which are in ascending order. Detectives do not know the phantom's stop:
theirs is the CRC-32 of a 0, their stops, and all stops where it may be, ascending.

*Ways.* ``paths=all`` knows every cheapest way. ``paths=single`` knows what the thesis stored: for every price (tickets
of each mode) that nothing undercuts one first step only, the first by mode and then by stop; when a colleague stands
there the next dearer price is taken, although another way of the same price might be free.
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
from ludens.games.pursuit.distance import FAR, row, ticket_index
from ludens.games.pursuit.judgement import ways_on
from ludens.games.pursuit.record import BLACK, MODES, is_held

BY_NEAREST, BY_SUM, BY_WEIGHT = range(3)  # how the phantom judges a move
TO_NEAREST, TO_FARTHEST, TO_FARTHEST_REACHABLE = range(3)  # which stop a detective heads for
_NEAR = 6  # detectives this far away or farther do not worry a phantom that judges by weight
_ONE = np.uint64(1)
_ALL_ONES, _POLYNOMIAL = 0xFFFFFFFF, 0xEDB88320  # of CRC-32


class ScriptedRule(NamedTuple):
    """How a scripted player reads the rules of both seats, and room for the moves it finds equal."""

    flight: int
    chase: int
    dice: int  # 1: ties are broken by dice
    single: int  # 1: one stored way for each price
    room: np.ndarray


@implements(ops.rule, ScriptedRule)
@kernel
def _play(r: ScriptedRule, g: Any, v: Any, m: Any) -> int:
    return chase(r, g, v) if v.piece else flee(r, g, v)


@large_kernel
def flee(r: ScriptedRule, g: Any, v: Any) -> int:
    """The phantom's move."""
    return _one_of(r, g, v, flights(r, g, v))


@large_kernel
def chase(r: ScriptedRule, g: Any, v: Any) -> int:
    """The move of the detective to move."""
    target = _one_of(r, g, v, targets(r, g, v))
    n = steps_towards(r, g, v, target)
    return _one_of(r, g, v, n if n else ops.legal(g, v, r.room))


# ties


@kernel
def _one_of(r: ScriptedRule, g: Any, v: Any, n: int) -> int:
    """One of the first n of the room."""
    if n == 1:
        return int64(r.room[0])
    return int64(r.room[below(v, n) if r.dice else crc_of(g, v) % n])


@kernel
def crc_of(g: Any, v: Any) -> int:
    """CRC-32 of what the side to move knows of the stops of all pieces."""
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
    crc ^= byte
    for _ in range(8):
        crc = (crc >> 1) ^ (_POLYNOMIAL if crc & 1 else 0)
    return crc


# the phantom


@kernel
def flights(r: ScriptedRule, g: Any, v: Any) -> int:
    """Write the phantom's best moves, equal even in the links leading on, ascending; how many they are."""
    n = _best_flights(r, g, v, 1, MODES)
    if n == 0:
        n = _best_flights(r, g, v, BLACK, BLACK)
    if n == 0:
        r.room[0] = 0
        n = 1
    return n


@kernel
def _best_flights(r: ScriptedRule, g: Any, v: Any, first: int, last: int) -> int:
    """The best single moves by tickets of these kinds."""
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
    """How good a stop is by the distances of the detectives; larger is better, never below 0."""
    team, stops = int64(g.c.detectives), int64(g.c.stops)
    least, total, worry = FAR, 0, 0
    for piece in range(1, team + 1):
        far = int64(g.c.dist[row(g, v, piece) + to])
        least = min(least, far)
        total += min(far, stops)
        worry += max(0, _NEAR - far) ** 2
    if r.flight == BY_NEAREST:
        return least
    return total if r.flight == BY_SUM else _NEAR**2 * team - worry


# the detectives


@kernel
def targets(r: ScriptedRule, g: Any, v: Any) -> int:
    """Write the stops the detective to move would head for, all equally good, ascending; how many they are."""
    piece = int64(v.piece)
    start = row(g, v, piece)
    if not _is_any_reachable(g, v, start):
        return _ends(r, g, v, _free_row(g, int64(v.stop[piece])), 1)
    if r.chase == TO_NEAREST:
        return _ends(r, g, v, start, 1)
    return _ends(r, g, v, start, -1)


@kernel
def _free_row(g: Any, at: int) -> int:
    """Where the distances from a stop begin, as if tickets did not matter."""
    size = int64(g.c.stops) + 1
    return (ticket_index(g, FAR, FAR, FAR) * size + at) * size


@kernel
def _is_any_reachable(g: Any, v: Any, start: int) -> bool:
    for word in range(int64(g.c.words)):
        bits = v.possible[word]
        while bits:
            if g.c.dist[start + (word << 6) + int64(lowest_bit(bits))] < FAR:
                return True
            bits &= bits - _ONE
    return False


@kernel
def _ends(r: ScriptedRule, g: Any, v: Any, start: int, sign: int) -> int:
    """The nearest (sign 1) or farthest (sign -1) stops where the phantom may be, by distances from ``start`` on."""
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
    """Write the first steps of the detective to move on its cheapest ways to a stop, ascending; how many they are."""
    piece = int64(v.piece)
    if g.c.dist[row(g, v, piece) + target] == FAR:
        return _steps_regardless(r, g, v, piece, target)
    if r.single:
        return _stored_steps(r, g, v, piece, target)
    return _steps(r, g, v, piece, target)


@kernel
def _steps(r: ScriptedRule, g: Any, v: Any, piece: int, target: int) -> int:
    """The free steps after which the way is shortest."""
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
    """The place in the table of distances of what is left after a ticket of a kind was spent."""
    return ticket_index(
        g, int64(tickets[0]) - (kind == 1), int64(tickets[1]) - (kind == 2), int64(tickets[2]) - (kind == 3)
    )


@kernel
def _steps_regardless(r: ScriptedRule, g: Any, v: Any, piece: int, target: int) -> int:
    """The free steps for which there is a ticket on ways that are shortest if tickets do not matter."""
    at, size, n = int64(v.stop[piece]), int64(g.c.stops) + 1, 0
    far = int64(g.c.dist[_free_row(g, at) + target])
    for kind in range(1, MODES + 1):
        if v.tickets[piece, kind - 1] == 0:
            continue
        for i in range(int64(g.c.degree[kind, at])):
            to = int64(g.c.link[kind, at, i])
            if int64(g.c.dist[_free_row(g, to) + target]) < far and not is_held(g, v, to):
                r.room[n] = kind * size + to
                n += 1
    return n


@kernel
def _stored_steps(r: ScriptedRule, g: Any, v: Any, piece: int, target: int) -> int:
    """The stored first steps of the cheapest prices whose stored step is free."""
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
    """Whether these tickets pay for a way from a to b."""
    size = int64(g.c.stops) + 1
    return (
        min(taxi, second, third) >= 0 and g.c.dist[(ticket_index(g, taxi, second, third) * size + a) * size + b] < FAR
    )


@kernel
def _is_price(g: Any, taxi: int, second: int, third: int, a: int, b: int) -> bool:
    """Whether these tickets pay for a way from a to b, and none of them could be saved."""
    return _reaches(g, taxi, second, third, a, b) and not (
        _reaches(g, taxi - 1, second, third, a, b)
        or _reaches(g, taxi, second - 1, third, a, b)
        or _reaches(g, taxi, second, third - 1, a, b)
    )


@kernel
def _stored_step(g: Any, taxi: int, second: int, third: int, a: int, b: int) -> int:
    """The first step of the ways of a price: by the first mode that begins one, to the lowest stop."""
    size = int64(g.c.stops) + 1
    for kind in range(1, MODES + 1):
        for i in range(int64(g.c.degree[kind, a])):
            to = int64(g.c.link[kind, a, i])
            if _reaches(g, taxi - (kind == 1), second - (kind == 2), third - (kind == 3), to, b):
                return kind * size + to
    return 0


@kernel
def _insert(room: Any, n: int, step: int) -> int:
    """Put a step in its place among the first n, unless it is there already; how many they are then."""
    place = n
    for i in range(n - 1, -1, -1):
        if room[i] == step:
            return n
        if room[i] > step:
            place = i
    for i in range(n, place, -1):
        room[i] = room[i - 1]
    room[place] = step
    return n + 1


# the agents


@dataclasses.dataclass(frozen=True)
class ScriptedSettings:
    """How what the thesis leaves open is read."""

    ties: str = option("hash", "how equals are told apart", choices=("hash", "random"))
    paths: str = option("all", "the ways a detective knows: all, or one for each price", choices=("all", "single"))


class Scripted(RuleAgent):
    """A player of the thesis: one reading for the phantom, one for the detectives."""

    Settings = ScriptedSettings
    flight: ClassVar[int] = BY_NEAREST
    chase: ClassVar[int] = TO_NEAREST

    def rule_settings(self) -> ScriptedRule:
        is_random, is_single = self.settings.ties == "random", self.settings.paths == "single"
        return ScriptedRule(self.flight, self.chase, int(is_random), int(is_single), self.game.rules.buffer())


class Nearest(Scripted):
    """As phantom keeps away from the nearest detective; as detectives each heads for the nearest stop it may be at."""

    name = "nearest"


class Sum(Scripted):
    """As phantom keeps the sum of the detectives' distances large; as detectives plays `nearest`."""

    name = "sum"
    flight = BY_SUM


class Weighted(Scripted):
    """As phantom minds detectives within six moves, near ones most; as detectives plays `nearest`."""

    name = "weighted"
    flight = BY_WEIGHT


class Farthest(Scripted):
    """As detectives each heads for the farthest stop the phantom may be at; as phantom plays `nearest`."""

    name = "farthest"
    chase = TO_FARTHEST


class Conditional(Scripted):
    """As detectives each heads for the farthest stop its tickets reach; as phantom plays `nearest`."""

    name = "conditional"
    chase = TO_FARTHEST_REACHABLE
