"""The quick evaluator of Azul: `suggest`, `order`, `value`, and the position's `key` and `horizon` for alpha-beta.

Walls are bit boards here (bit ``row * 5 + column``), in which the length of a run is a table look-up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.bits import count_bits, lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.rng import below, mix
from ludens.games.azul.record import (
    COLOUR_POINTS,
    COLOURS,
    COLUMN_POINTS,
    ENDED,
    FLOOR,
    FULL,
    PENALTY,
    ROW_POINTS,
    SPREAD,
    TILES,
    TILING,
    AzulConstants,
    centre_of,
    free_columns,
    on_floor,
    open_rows,
)
from ludens.search import contract

_WORST = 1 << 14  # added to `draft_score` it makes a weight above 0
_COLUMN = 0x108421  # the five bits of column 0


def _runs() -> np.ndarray:
    """A table of run lengths: [bits of a row or column, place] -> tiles in the unbroken run through that place."""
    table = np.ones((32, 5), np.int64)
    for bits in range(32):
        for place in range(5):
            first = last = place
            while first > 0 and bits >> (first - 1) & 1:
                first -= 1
            while last < 4 and bits >> (last + 1) & 1:
                last += 1
            table[bits, place] = last - first + 1
    return table


_RUN = _runs()


def _worth(bonus: float, share: float) -> np.ndarray:
    """The value, in points, of having k of the five tiles that a bonus needs: [stage, k].

    Stage 0, before the last round, gives a ``share`` of the ``bonus``; stage 1, the last round, all or nothing.
    """
    return np.array([[share * bonus * (k / 5) ** 0.7 for k in range(6)], [0, 0, 0, 0, 0, bonus]])


# Weights of the value, in points; found by playing alphabeta with many settings against mcts.
_COLUMN_WORTH = _worth(COLUMN_POINTS, 0.5)
_COLOUR_WORTH = _worth(COLOUR_POINTS, 0.55)
_ROW_WORTH = _worth(ROW_POINTS, 1.0)
_LINE_SHARE = 0.35  # of the points a line will bring, by how far it is filled
_MARKER_WORTH = 1.4
_TEMPERATURE = 9.0  # with a lead of so many points the probability of winning is 73 %


@kernel
def wall_bits(g: AzulConstants, s: Any, seat: int) -> int:
    """A seat's wall as a bit board: bit 5 * row + column is set where a tile is."""
    board = int64(0)
    if g.c.grey:
        for row in range(5):
            for column in range(5):
                if s.wall[seat, row, column]:
                    board |= int64(1) << (row * 5 + column)
        return board
    for row in range(5):
        colours = int64(s.built[seat, row])
        board |= ((colours << row | colours >> (5 - row)) & FULL) << (5 * row)
    return board


@kernel
def column_of(board: int, column: int) -> int:
    """The five bits of one column of a bit board, the top row in bit 0."""
    bits = board >> column & _COLUMN
    return (bits | bits >> 4 | bits >> 8 | bits >> 12 | bits >> 16) & FULL


@kernel
def points_on(board: int, row: int, column: int) -> int:
    """The points of a tile placed at ``row``, ``column`` of the wall whose bit board is ``board``."""
    across = _RUN[board >> (5 * row) & FULL, column]
    down = _RUN[column_of(board, column), row]
    if across == 1:
        return down
    return across if down == 1 else across + down


@large_kernel
def best_column(s: Any, seat: int, board: int, row: int, colour: int) -> int:
    """Grey wall: the free column of a row with the most points for a tile at once; -1 if no column is free.

    Among equals the one with the most empty neighbours. ``board`` is the seat's wall as a bit board.
    """
    columns = free_columns(s, seat, row, colour)
    best, best_worth = -1, -1
    for column in range(5):
        if columns >> column & 1:
            worth = points_on(board, row, column) * 8 + _empty_neighbours(board, row, column)
            if worth > best_worth:
                best, best_worth = column, worth
    return best


@kernel
def _empty_neighbours(board: int, row: int, column: int) -> int:
    """The number of empty places beside, above and below a place of the bit board ``board``."""
    place = row * 5 + column
    empty = 0
    if row > 0:
        empty += ~(board >> (place - 5)) & 1
    if row < 4:
        empty += ~(board >> (place + 5)) & 1
    if column > 0:
        empty += ~(board >> (place - 1)) & 1
    if column < 4:
        empty += ~(board >> (place + 1)) & 1
    return empty


@kernel
def place_for(g: AzulConstants, s: Any, seat: int, board: int, row: int, colour: int) -> int:
    """The column of the wall that a tile of ``colour`` from line ``row`` goes to.

    Grey wall: the best one on the bit board ``board``, -1 if it fits nowhere.
    """
    if g.c.grey:
        return best_column(s, seat, board, row, colour)
    return row + colour if row + colour < 5 else row + colour - 5


@large_kernel
def projected_wall(g: AzulConstants, s: Any, seat: int, rows: int) -> int:
    """A seat's wall as a bit board once the full ones of its first ``rows`` lines are tiled."""
    board = wall_bits(g, s, seat)
    for row in range(rows):
        if s.line_count[seat, row] > row:
            column = place_for(g, s, seat, board, row, int64(s.line_colour[seat, row]))
            if column >= 0:
                board |= int64(1) << (row * 5 + column)
    return board


# A quick move


@kernel
def draft_score(g: AzulConstants, s: Any, seat: int, wall: int, group: int, dest: int) -> int:
    """How good a draft looks at once, as one number: points less floor cost, then tiles placed, then fewest dropped.

    ``group`` is 5 * source + colour, ``dest`` a line or FLOOR. ``wall`` is the bit board on which line ``dest`` will be
    tiled: the wall with the full lines above it placed.
    """
    source, colour = group // COLOURS, group % COLOURS
    taken = int64(s.sources[source, colour])
    placed, points = 0, 0
    if dest != FLOOR:
        missing = dest + 1 - int64(s.line_count[seat, dest])
        placed = min(taken, missing)
        if placed == missing:
            column = place_for(g, s, seat, wall, dest, colour)
            if column >= 0:
                points = points_on(wall, dest, column)
    dropped = taken - placed
    floor = on_floor(s, seat)
    marker = 1 if source == centre_of(g) and s.marker < 0 else 0
    cost = PENALTY[min(7, floor + dropped + marker)] - PENALTY[floor]
    return (points - cost) * 1024 + placed * 32 - dropped


@kernel
def _walls_by_row(g: AzulConstants, s: Any, seat: int) -> tuple[int, int, int, int, int]:
    """For each of a seat's five lines the bit board on which it will be tiled: with the full lines above it placed."""
    return (
        projected_wall(g, s, seat, 0),
        projected_wall(g, s, seat, 1),
        projected_wall(g, s, seat, 2),
        projected_wall(g, s, seat, 3),
        projected_wall(g, s, seat, 4),
    )


@implements(ops.suggest, AzulConstants)
@large_kernel
def suggest(g: AzulConstants, v: Any) -> int:
    """The action that the thesis's heuristic chooses: most points at once, then most tiles placed, then fewest dropped.

    Ties are broken by the dice of ``v``.
    """
    seat = int64(v.turn)
    first_column = centre_of(g) * 30 + 30
    if v.phase == TILING:
        board = wall_bits(g, v, seat)
        return first_column + best_column(v, seat, board, int64(v.row), int64(v.line_colour[seat, v.row]))
    rows_by_colour = open_rows(v, seat)
    walls = _walls_by_row(g, v, seat)
    offer = int64(v.offer)
    best, best_worth, tied = -1, int64(-(1 << 40)), 0
    while offer:
        group = lowest_bit(offer)
        offer &= offer - 1
        rows = rows_by_colour >> (5 * (group % COLOURS)) & FULL | 1 << FLOOR
        while rows:
            dest = lowest_bit(rows)
            rows &= rows - 1
            worth = draft_score(g, v, seat, walls[min(dest, 4)], group, dest)
            if worth > best_worth:
                best, best_worth, tied = group * 6 + dest, worth, 1
            elif worth == best_worth:
                tied += 1
                if below(v, tied) == 0:
                    best = group * 6 + dest
    return best


@implements(ops.order, AzulConstants)
@large_kernel
def order(g: AzulConstants, v: Any, actions: Any, n: int, out: Any) -> None:
    """Write a weight for each of the first ``n`` of ``actions`` into ``out``: how good the move looks at once.

    Drafts by `draft_score`, columns of the grey wall by their points.
    """
    seat = int64(v.turn)
    if v.phase == TILING:
        board = wall_bits(g, v, seat)
        for i in range(n):
            out[i] = points_on(board, int64(v.row), int64(actions[i]) - centre_of(g) * 30 - 30)
        return
    walls = _walls_by_row(g, v, seat)
    for i in range(n):
        action = int64(actions[i])
        out[i] = _WORST + draft_score(g, v, seat, walls[min(action % 6, 4)], action // 6, action % 6)


# A value


@kernel
def expected_points(g: AzulConstants, s: Any, seat: int, is_last: bool) -> float:
    """The points a seat can expect: its score after tiling the full lines now, plus shares of what is begun.

    With ``is_last`` nothing begun will be finished, so bonuses count only if they are complete.
    """
    board = wall_bits(g, s, seat)
    score, begun = int64(s.score[seat]), 0.0
    for row in range(5):
        held = int64(s.line_count[seat, row])
        if held == 0:
            continue
        column = place_for(g, s, seat, board, row, int64(s.line_colour[seat, row]))
        if column < 0:
            continue
        points = points_on(board, row, column)
        if held > row:
            board |= int64(1) << (row * 5 + column)
            score += points
        elif not is_last:
            begun += _LINE_SHARE * points * held / (row + 1)
    score = max(0, score - PENALTY[on_floor(s, seat)])
    stage = 1 if is_last else 0
    for i in range(5):
        begun += _COLUMN_WORTH[stage, TILES[column_of(board, i)]] + _ROW_WORTH[stage, TILES[board >> (5 * i) & FULL]]
    begun += _colour_prospects(s, seat, stage)
    if not is_last and (s.marker == seat or (s.marker < 0 and s.starter == seat and s.offer == 0)):
        begun += _MARKER_WORTH
    return score + begun


@kernel
def _colour_prospects(s: Any, seat: int, stage: int) -> float:
    """The value, in points, of a seat's tiles towards colour bonuses; tiles of full lines count as placed.

    ``stage`` is 1 in the last round, else 0.
    """
    counts = int64(0)  # five bits a colour
    for row in range(5):
        counts += SPREAD[_colours_after_tiling(s, seat, row)]
    worth = 0.0
    for colour in range(COLOURS):
        worth += _COLOUR_WORTH[stage, counts >> (5 * colour) & 7]
    return worth


@kernel
def _colours_after_tiling(s: Any, seat: int, row: int) -> int:
    """The colours in a row of a seat's wall as a bit set, with the tile of its line if that is full."""
    colours = int64(s.built[seat, row])
    if s.line_count[seat, row] > row:
        colours |= int64(1) << int64(s.line_colour[seat, row])
    return colours


@kernel
def is_last_round(g: AzulConstants, s: Any) -> bool:
    """Whether some wall will have a complete row, which ends the game, when the full lines are tiled."""
    for seat in range(int64(g.c.players)):
        for row in range(5):
            if _colours_after_tiling(s, seat, row) == FULL:
                return True
    return False


@implements(ops.value, AzulConstants)
@large_kernel
def value(g: AzulConstants, v: Any, out: Any) -> None:
    """Write the expected return of each seat into ``out`` [seats].

    The probability of winning grows exponentially with `expected_points`.
    """
    if v.phase == ENDED:
        ops.returns(g, v, out)
        return
    seats = int64(g.c.players)
    is_last = is_last_round(g, v)
    best = -1e9
    for seat in range(seats):
        out[seat] = expected_points(g, v, seat, is_last)
        best = max(best, out[seat])
    total = 0.0
    for seat in range(seats):
        out[seat] = np.exp((out[seat] - best) / _TEMPERATURE)
        total += out[seat]
    for seat in range(seats):
        out[seat] = (out[seat] / total * seats - 1) / (seats - 1)


# The canonical position


@implements(contract.key, AzulConstants)
@large_kernel
def key(g: AzulConstants, s: Any) -> int:
    """A 64-bit hash of the position for alpha-beta.

    It is equal for positions which differ only in the order of the factories.
    """
    sources = np.uint64(0)
    for source in range(int64(g.c.factories)):
        word = _word(s.sources[source])
        if word:
            sources += mix(word, 0)  # a sum, which does not depend on the order
    word = mix(_word(s.sources[centre_of(g)]), sources)
    word = mix(word, int64(s.turn) | int64(s.phase) << 4 | int64(s.row) << 8 | (int64(s.marker) & 15) << 12)
    for seat in range(int64(g.c.players)):
        lines, wall = int64(0), wall_bits(g, s, seat)
        for row in range(5):
            held = int64(s.line_count[seat, row])
            colour = int64(s.line_colour[seat, row]) if held else 0
            lines = lines << 6 | held << 3 | colour
        word = mix(word, lines | int64(s.score[seat]) << 30 | on_floor(s, seat) << 46)
        word = mix(word, wall)
        if g.c.grey:
            for row in range(5):
                word = mix(word, _word(s.wall[seat, row]))
    return int64(word)


@kernel
def _word(tiles: Any) -> int:
    """An array of counts by colour as one number, six bits a count."""
    word = int64(0)
    for colour in range(COLOURS):
        word = word << 6 | int64(tiles[colour])
    return word


@implements(contract.horizon, AzulConstants)
@kernel
def horizon(g: AzulConstants, s: Any) -> int:
    """The number of decisions that can come before the next draw: one for each group of tiles on offer.

    Grey wall: plus the number of lines that are or may become full, since each is a decision more.
    """
    groups = count_bits(int64(s.offer))
    if not g.c.grey:
        return groups
    full = 0
    for seat in range(int64(g.c.players)):
        for row in range(5):
            full += s.line_count[seat, row] > row
    return groups + full + min(groups, 5 * int64(g.c.players) - full)
