"""Azul for learners: the features of a view, action ids for any number of players, and step rewards.

*Features.* First the viewer's board, then those of the opponents in turn order, 54 numbers each (154 on the grey wall);
then what all share. Values are between about 0 and 1.

*Universal actions.* A game of n players numbers its sources 0 to 2n+1, the centre last, so action ids depend on n. In
universal ids the centre is source 9 for every n, so that one network can play with 2 to 4 players.

*Rewards.* r1, r2 and r3 are those of Sádovský's thesis: they rate a move by the mover's own board before it. ``-fixed``
repairs their fault of preferring the floor to a legal line late in the game. r0 is for comparison: points gained on
the best opponent. Learners take all of them by these names, the thesis's also in sums: ``--reward r3-fixed=0.1``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.kernel import kernel, large_kernel
from ludens.core.ops import implements
from ludens.games.azul.record import (
    CHARGE,
    COLOUR_BONUS,
    COLOURS,
    COLUMN_BONUS,
    FLOOR,
    FLOOR_SPACES,
    MAX_SOURCES,
    PENALTY,
    ROW_BONUS,
    TILE,
    TILES,
    TILING,
    AzulConstants,
    centre_of,
    next_seat,
    on_floor,
)
from ludens.games.azul.rules import placement_points, projected_points, wall_points

# Features


def pieces(players: int, grey: bool) -> list[tuple[str, int]]:
    """The names and lengths of the parts of the features, in order; ``grey`` games have some more."""
    named: list[tuple[str, int]] = []
    for place in ["own", *(f"opponent {i}" for i in range(1, players))]:
        named += [(f"{place} wall", 125 if grey else 25), (f"{place} lines", 25), (f"{place} floor", 1)]
        named += [(f"{place} marker", 1), (f"{place} score", 1), (f"{place} certain points", 1)]
    named += [("factories", (2 * players + 1) * COLOURS), ("centre", COLOURS), ("marker in centre", 1)]
    named += [("bag", COLOURS), ("lid", COLOURS), ("round", 1)]
    return [*named, ("row being tiled", 5)] if grey else named


@implements(ops.encode, AzulConstants)
@large_kernel
def encode(g: AzulConstants, v: Any, out: Any) -> None:
    """Write the features of a view into ``out``, float32 [features], in the order of `pieces`.

    The viewer's board comes first; for a full state, that of the seat to move.
    """
    seat: Any = np.int64(v.seat) if v.seat >= 0 else np.int64(v.turn)
    at = 0
    for _ in range(np.int64(g.c.players)):
        at = _encode_board(g, v, seat, out, at)
        seat = next_seat(g, seat)
    at = _encode_middle(g, v, out, at)
    if g.c.grey:
        for row in range(5):
            out[at + row] = v.phase == TILING and v.row == row


@kernel
def _encode_board(g: AzulConstants, v: Any, seat: int, out: Any, at: int) -> int:
    """Write the features of one seat's board into ``out`` from index ``at`` on; return the index after them."""
    at = _encode_wall(g, v, seat, out, at)
    for row in range(5):
        for colour in range(COLOURS):
            is_held = v.line_count[seat, row] > 0 and v.line_colour[seat, row] == colour
            out[at] = v.line_count[seat, row] / (row + 1) if is_held else 0.0
            at += 1
    out[at] = on_floor(v, seat) / FLOOR_SPACES
    out[at + 1] = v.marker == seat
    out[at + 2] = v.score[seat] / 100
    out[at + 3] = certain_points(g, v, seat) / 50
    return at + 4


@kernel
def _encode_wall(g: AzulConstants, v: Any, seat: int, out: Any, at: int) -> int:
    """Write the features of one seat's wall into ``out`` from index ``at`` on; return the index after them.

    One for each place; on the grey wall one for each place and colour.
    """
    for row in range(5):
        for column in range(5):
            tile = np.int64(v.wall[seat, row, column])
            if not g.c.grey:
                out[at] = tile > 0
                at += 1
                continue
            for colour in range(COLOURS):
                out[at + colour] = tile == 1 + colour
            at += COLOURS
    return at


@kernel
def certain_points(g: AzulConstants, v: Any, seat: int) -> int:
    """The points that tiling would bring a seat now: those of full lines, less the cost of the floor.

    Grey wall: each line in its best column on the wall as it stands.
    """
    points: Any = -PENALTY[on_floor(v, seat)]
    for row in range(5):
        if v.line_count[seat, row] > row:
            points += projected_points(g, v, seat, row, v.line_colour[seat, row])
    return points


@kernel
def _encode_middle(g: AzulConstants, v: Any, out: Any, at: int) -> int:
    """Write the features of sources, marker, bag, lid and round into ``out`` from index ``at`` on.

    Returns the index after them.
    """
    centre = centre_of(g)
    for source in range(centre + 1):
        for colour in range(COLOURS):
            out[at] = v.sources[source, colour] / (10 if source == centre else 4)
            at += 1
    out[at] = v.marker < 0
    for colour in range(COLOURS):
        out[at + 1 + colour] = v.bag[colour] / 20
        out[at + 6 + colour] = v.lid[colour] / 20
    out[at + 11] = (v.rounds + 1) / 10
    return at + 12


# Universal actions

UNIVERSAL_DRAFTS = MAX_SOURCES * COLOURS * 6
UNIVERSAL_ACTIONS = UNIVERSAL_DRAFTS + 5  # 300 drafts, the centre being source 9; then the columns of the grey wall


@kernel
def universal_of(action: int, factories: int) -> int:
    """The universal id of an action: the same for any number of players. ``factories`` is the game's number of them.

    Universal ids are for agents that learn games with several numbers of players at once.
    """
    return action if action < factories * 30 else action + (MAX_SOURCES - 1 - factories) * 30


@kernel
def compact_of(universal: int, factories: int) -> int:
    """The action id, in a game with ``factories`` factories, of a universal id; -1 if that game has no such source."""
    if universal < factories * 30:
        return universal
    return universal - (MAX_SOURCES - 1 - factories) * 30 if universal >= (MAX_SOURCES - 1) * 30 else -1


def universal_ids(players: int, grey: bool) -> np.ndarray:
    """The universal id of every action of a game: int64 [actions], to index arrays by universal id with."""
    factories = 2 * players + 1
    actions = np.arange((factories + 1) * 30 + (5 if grey else 0))
    return actions + np.where(actions < factories * 30, 0, (MAX_SOURCES - 1 - factories) * 30)


def compact_ids(players: int, grey: bool) -> np.ndarray:
    """The action id of every universal id, -1 where a game of these options has none: int64 [305]."""
    known = universal_ids(players, grey)
    ids = np.full(UNIVERSAL_ACTIONS, -1, np.int64)
    ids[known] = np.arange(len(known))
    return ids


# Step rewards

C, C1, C2, C3 = 5.0, 1.0, 2.0, 0.5  # see `step_reward`; of 72 settings the best for greedy play
FLOOR_REWARD = -10.0


@kernel
def tiles_on_wall(s: Any, seat: int) -> int:
    """The number of tiles on a seat's wall."""
    tiles: Any = np.int64(0)
    for row in range(5):
        tiles += TILES[s.built[seat, row]]
    return tiles


@large_kernel
def step_reward(
    g: AzulConstants, s: Any, action: int, kind: int, fixed: int, c: float, c1: float, c2: float, c3: float
) -> float:
    """The thesis's reward number ``kind`` (1, 2 or 3) for an action of the seat to move, before it is played.

    ``fixed`` 1 repairs the reward of floor moves. ``c``: for a full line, ``c1``: for each of its points, ``c2``: for a
    line begun, ``c3``: for each of its points. A column of the grey wall earns the points it scores.
    """
    seat: Any = np.int64(s.turn)
    if s.phase == TILING:
        return np.float64(placement_points(s, seat, s.row, action - centre_of(g) * 30 - 30))
    group, row = action // 6, action % 6
    taken: Any = np.int64(s.sources[group // COLOURS, group % COLOURS])
    if row == FLOOR:
        return FLOOR_REWARD - _floor_mend(s, seat, taken, kind, fixed)
    over = np.int64(s.line_count[seat, row]) + taken - (row + 1)
    if kind == 1:
        return np.float64(5 - over if over >= 0 else taken)
    if kind == 2:
        points = wall_points(g, s, seat, row, group % COLOURS)
    else:
        points = projected_points(g, s, seat, row, group % COLOURS)
    gain = c + c1 * points - over if over >= 0 else c2 + c3 * points
    return gain - tiles_on_wall(s, seat)


@kernel
def _floor_mend(s: Any, seat: int, taken: int, kind: int, fixed: int) -> int:
    """What ``fixed`` 1 in `step_reward` subtracts from the reward of a floor move; 0 if ``fixed`` is 0.

    The tiles ``taken`` for reward 1; the tiles on the seat's wall for rewards 2 and 3, as for moves to a line.
    """
    if not fixed:
        return 0
    return taken if kind == 1 else tiles_on_wall(s, seat)


@implements(ops.reward, AzulConstants)
@kernel
def reward(g: AzulConstants, s: Any, action: int, out: Any) -> None:
    """Write r1, r2, r3, then the three with ``-fixed``, for an action, before it is played, into ``out`` [6]."""
    is_floor = s.phase != TILING and action % 6 == FLOOR
    for kind in range(1, 4):
        out[kind - 1] = step_reward(g, s, action, kind, 0, C, C1, C2, C3)
        out[kind + 2] = step_reward(g, s, action, kind, 1, C, C1, C2, C3) if is_floor else out[kind - 1]


@kernel
def points_in(log: Any, seat: int) -> int:
    """The points that a seat won less those it lost, as a log of events tells; bonuses and floor costs included."""
    points: Any = np.int64(0)
    for i in range(1, np.int64(min(log[0, 0] + 1, len(log)))):
        kind = log[i, 0]
        if log[i, 2] != seat:
            continue
        if kind in (TILE, ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS):
            points += log[i, 4]
        elif kind == CHARGE:
            points -= log[i, 4]
    return points


@kernel
def margin_reward(g: AzulConstants, before: Any, log: Any, seat: int) -> float:
    """The reward r0: the change in a seat's lead over its best opponent, divided by 20.

    ``before`` is an earlier state, ``log`` has the events since then.
    """
    was, now = np.int64(-1), np.int64(-1)
    for other in range(np.int64(g.c.players)):
        if other != seat:
            was = max(was, np.int64(before.score[other]))
            now = max(now, np.int64(before.score[other]) + points_in(log, other))
    return (points_in(log, seat) - (now - was)) / 20


def _of_move(kind: int, fixed: int = 0) -> Callable[[AzulConstants, Any, int], float]:
    """The thesis's reward number ``kind`` with the usual constants, as a function (g, s, action).

    ``fixed`` 1 repairs the reward of floor moves.
    """
    return lambda g, s, action: step_reward(g, s, action, kind, fixed, C, C1, C2, C3)


class StepReward(NamedTuple):
    """A named reward: a sentence about it, and either a function of the move or one of the events it caused."""

    sentence: str
    of_move: Callable[[AzulConstants, Any, int], float] | None = None  # (g, position before, action), for the mover
    of_events: Callable[[AzulConstants, Any, Any, int], float] | None = None  # (g, position before, log, seat)


REWARDS: dict[str, StepReward] = {
    "r0": StepReward(
        "What tiling and bonuses change in the lead on the best opponent, divided by 20.", of_events=margin_reward
    ),
    "r1": StepReward("5 less the overflow for filling a line, else the tiles taken; -10 for the floor.", _of_move(1)),
    "r1-fixed": StepReward("r1, but a floor move costs 1 more for each tile taken.", _of_move(1, 1)),
    "r2": StepReward(
        "A filled or begun line and what its tile scores on the wall, less the wall's tiles.", _of_move(2)
    ),
    "r2-fixed": StepReward("r2, but a floor move costs the wall's tiles as well, as line moves do.", _of_move(2, 1)),
    "r3": StepReward("r2 on the wall as it will stand once the full lines above are tiled.", _of_move(3)),
    "r3-fixed": StepReward("r3, but a floor move costs the wall's tiles as well, as line moves do.", _of_move(3, 1)),
}
