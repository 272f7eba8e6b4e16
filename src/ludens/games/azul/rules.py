"""Azul, by the 2018 rulebook: 2 to 4 players draft tiles and build a wall.

*Round.* Four tiles from the bag lie on each of 2n+1 factories. A turn takes all tiles of one colour from a factory (the
rest slides to the centre) or from the centre (the first to do so also takes the starting-player marker) and puts them
in one pattern line or on the floor line. A line holds one colour, and none its wall row already has. What a line
cannot hold falls to the floor; what the floor cannot hold goes to the lid.

*Tiling.* When nothing is left on offer every full line, from the top, sends one tile to the wall and the rest to the
lid. A tile scores the lengths of the runs it stands in, across and down (1 if it stands alone). Then the floor costs
1, 2, 4, 6, 8, 11 or 14 points, never below 0. The marker's holder starts the next round.

*Wall.* ``coloured``: each colour has its place in each row. ``grey``: the owner chooses the column, no colour twice
in a row or column; a full line that fits nowhere falls to the floor. Grey tiling decisions are made in turn order
from the round's starter.

*End.* After a tiling that completed a row: +2 a row, +7 a column, +10 a colour. Most points win, then most complete
rows, then the victory is shared.

*Our rulings.* Nobody took the marker: the same seat starts again. Marker taken with a full floor: no further cost.
A round that could offer no tile ends the game, and so does the round cap (needed: with four players tiles can be
locked for ever).

*Hidden:* nothing but the draws to come. *Chance:* dealing the factories.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.result import award
from ludens.core.rng import below
from ludens.games.azul.record import (
    CAPPED,
    CHARGE,
    COLOUR_BONUS,
    COLOUR_POINTS,
    COLOURS,
    COLUMN_BONUS,
    COLUMN_POINTS,
    DEAL,
    DEALING,
    DRAFTING,
    DROP,
    ENDED,
    FLOOR,
    FLOOR_SPACES,
    FULL,
    MARKER,
    MAX_SOURCES,
    PENALTY,
    PLACE,
    ROUND,
    ROW_BONUS,
    ROW_POINTS,
    STUCK,
    TAKE,
    TAKE_MARKER,
    TILE,
    TILING,
    AzulConstants,
    centre_of,
    complete_colours,
    complete_columns,
    complete_rows,
    count,
    free_columns,
    next_seat,
    on_floor,
    open_rows,
)


def _destinations(rows: int) -> list[int]:
    """The legal destinations of a draft, given its open lines as a bit set: lines, then FLOOR; zeros up to length 8."""
    dests = [row for row in range(5) if rows >> row & 1] + [FLOOR]
    return dests + [0] * (8 - len(dests))


_DESTS = np.array([_destinations(rows) for rows in range(32)], np.uint8)
_DEST_COUNT = np.array([bin(rows).count("1") + 1 for rows in range(32)], np.uint8)
_SHIFT = np.array([5 * (group % COLOURS) for group in range(MAX_SOURCES * COLOURS)], np.uint8)  # into `open_rows`


@implements(ops.setup, AzulConstants)
@kernel
def setup(g: AzulConstants, s: Any, log: Any) -> None:
    """Fill the bag and set the first starter; `chance` deals the factories later."""
    for colour in range(COLOURS):
        s.bag[colour] = 20
    s.starter = below(s, g.c.players) if g.c.first < 0 else g.c.first
    s.marker = -1
    s.phase = DEALING


@implements(ops.legal, AzulConstants)
@kernel
def legal(g: AzulConstants, s: Any, out: Any) -> int:
    """Write the ids of the legal drafts, or columns of the grey wall, into ``out``, ascending; return their number."""
    if s.phase == TILING:
        return _legal_columns(g, s, out)
    rows_by_colour = open_rows(s, s.turn)
    offer = int64(s.offer)
    n = 0
    while offer:
        group = lowest_bit(offer)
        offer &= offer - 1
        rows = rows_by_colour >> _SHIFT[group] & FULL
        for i in range(6):  # always six, to avoid a branch: the next group overwrites those in excess
            out[n + i] = int64(_DESTS[rows, i]) + group * 6
        n += int64(_DEST_COUNT[rows])
    return n


@implements(ops.allows, AzulConstants)
@kernel
def allows(g: AzulConstants, s: Any, action: int) -> int:
    """1 if the seat to move may play ``action``, else -1; faster than listing all legal actions."""
    first_column = centre_of(g) * 30 + 30
    if s.phase == TILING:
        columns = free_columns(s, s.turn, s.row, int64(s.line_colour[s.turn, s.row]))
        return 1 if first_column <= action < first_column + 5 and columns >> (action - first_column) & 1 else -1
    group, dest = action // 6, action % 6
    if action >= first_column or not int64(s.offer) >> group & 1:
        return -1
    return 1 if dest == FLOOR or open_rows(s, s.turn) >> (5 * (group % COLOURS) + dest) & 1 else -1


@implements(ops.decide, AzulConstants)
@kernel
def decide(g: AzulConstants, s: Any, action: int, log: Any) -> None:
    """Play a draft, or choose a column of the grey wall.

    After the last draft of a round also tile as far as possible.
    """
    if s.phase == TILING:
        _tile(g, s, s.turn, s.row, action - centre_of(g) * 30 - 30, log)
        s.row += 1
        _tile_on(g, s, log)
        return
    _draft(g, s, action, log)
    if s.offer:
        s.turn = next_seat(g, s.turn)
        return
    s.phase = TILING
    s.turn = s.starter
    s.row = 0
    _tile_on(g, s, log)


@implements(ops.to_move, AzulConstants)
@kernel
def to_move(g: AzulConstants, s: Any) -> int:
    """The seat that must draft or choose a column.

    ``CHANCE`` when factories are to be dealt, ``OVER`` after the end.
    """
    if s.phase <= TILING:
        return int64(s.turn)
    return CHANCE if s.phase == DEALING else OVER


@implements(ops.chance, AzulConstants)
@kernel
def chance(g: AzulConstants, s: Any, log: Any) -> None:
    """Fill the factories and start the round; if there is no tile to deal, end the game."""
    tell(log, ROUND, EVERYONE, s.rounds + 1, s.starter, 0)
    offer = _fill_factories(g, s)
    if log is not None:
        for factory in range(int64(g.c.factories)):
            tell(log, DEAL, EVERYONE, factory, _packed(s.sources[factory]), 0)
    s.offer = offer
    if offer == 0:
        _end(g, s, log)
        return
    s.phase = DRAFTING
    s.turn = s.starter


@implements(ops.returns, AzulConstants)
@kernel
def returns(g: AzulConstants, s: Any, out: Any) -> None:
    """Write the result of each seat into ``out``: most points win, then most complete rows, then victory is shared."""
    best = int64(-1)
    winners = 0
    for seat in range(int64(g.c.players)):
        standing = int64(s.score[seat]) * 8 + complete_rows(s, seat)
        if standing > best:
            best = standing
            winners = 0
        if standing == best:
            winners |= 1 << seat
    award(out, int64(g.c.players), winners)


@implements(ops.scores, AzulConstants)
@kernel
def scores(g: AzulConstants, s: Any, out: Any) -> None:
    """Write the points of each seat into ``out`` [seats]."""
    for seat in range(int64(g.c.players)):
        out[seat] = s.score[seat]


@kernel
def _draft(g: AzulConstants, s: Any, action: int, log: Any) -> None:
    """Play a draft (an action): take all tiles of a colour from a source and put them in a line or on the floor."""
    seat, centre = int64(s.turn), centre_of(g)
    group, dest = action // 6, action % 6
    source, colour = group // COLOURS, group % COLOURS
    taken = int64(s.sources[source, colour])
    tell(log, TAKE, EVERYONE, seat, group, taken)
    s.sources[source, colour] = 0
    offer = int64(s.offer) ^ (int64(1) << group)
    if source == centre:
        if s.marker < 0:
            s.marker = seat
            s.floor[seat, MARKER] = 1 if on_floor(s, seat) < FLOOR_SPACES else 0
            tell(log, TAKE_MARKER, EVERYONE, seat, s.floor[seat, MARKER], 0)
    else:
        rest = offer >> (source * COLOURS) & FULL
        offer ^= rest << (source * COLOURS)
        offer |= rest << (centre * COLOURS)
        for c in range(COLOURS):
            s.sources[centre, c] += s.sources[source, c]
            s.sources[source, c] = 0
    s.offer = offer
    if dest != FLOOR:
        held = int64(s.line_count[seat, dest])
        placed = min(taken, dest + 1 - held)
        s.line_colour[seat, dest] = colour
        s.line_count[seat, dest] = held + placed
        taken -= placed
        tell(log, PLACE, EVERYONE, seat, dest * COLOURS + colour, placed)
    if taken:
        _drop(s, seat, colour, taken, log)


@kernel
def _drop(s: Any, seat: int, colour: int, tiles: int, log: Any) -> None:
    """Drop a number of ``tiles`` of a colour to a seat's floor; those beyond its seventh space go to the lid."""
    kept = min(tiles, FLOOR_SPACES - on_floor(s, seat))
    s.floor[seat, colour] += kept
    s.lid[colour] += tiles - kept
    tell(log, DROP, EVERYONE, seat, colour, tiles)


# Tiling


@kernel
def _tile_on(g: AzulConstants, s: Any, log: Any) -> None:
    """Continue tiling, from line ``s.row`` of seat ``s.turn``, until a seat must choose a column or the round ends."""
    while True:
        seat = int64(s.turn)
        while s.row < 5:
            row = int64(s.row)
            if s.line_count[seat, row] > row:
                colour = int64(s.line_colour[seat, row])
                if not g.c.grey:
                    _tile(g, s, seat, row, (row + colour) % 5, log)
                elif free_columns(s, seat, row, colour):
                    return
                else:
                    _spill(s, seat, row, log)
            s.row += 1
        _charge(s, seat, log)
        s.turn = next_seat(g, seat)
        s.row = 0
        if s.turn == s.starter:
            _finish_round(g, s, log)
            return


@kernel
def _tile(g: AzulConstants, s: Any, seat: int, row: int, column: int, log: Any) -> None:
    """Tile the seat's full line ``row``: one tile goes to the wall and scores at once, the others go to the lid."""
    colour = int64(s.line_colour[seat, row])
    s.line_count[seat, row] = 0
    s.lid[colour] += row
    points = placement_points(s, seat, row, column)
    s.wall[seat, row, column] = 1 + colour
    s.built[seat, row] |= int64(1) << colour
    s.score[seat] += points
    tell(log, TILE, EVERYONE, seat, row * 25 + column * 5 + colour, points)


@kernel
def placement_points(s: Any, seat: int, row: int, column: int) -> int:
    """The points of a tile placed at ``row``, ``column``: the runs it joins across and down, 1 if it is alone."""
    up = row
    while up > 0 and s.wall[seat, up - 1, column]:
        up -= 1
    return _run_points(s, seat, row, column, up)


@kernel
def projected_points(g: AzulConstants, s: Any, seat: int, row: int, colour: int) -> int:
    """The points of a tile of ``colour`` from line ``row`` after the seat's full lines above it are tiled.

    On the grey wall, where those columns are not chosen yet, the points on the wall as it stands.
    """
    if g.c.grey:
        return wall_points(g, s, seat, row, colour)
    column, up = (row + colour) % 5, row
    while up > 0 and (s.wall[seat, up - 1, column] or _is_due(s, seat, up - 1, column)):
        up -= 1
    return _run_points(s, seat, row, column, up)


@kernel
def wall_points(g: AzulConstants, s: Any, seat: int, row: int, colour: int) -> int:
    """The points of a tile of ``colour`` from line ``row`` on the seat's wall as it stands.

    Grey wall: in its best column, 0 if no column is free.
    """
    if not g.c.grey:
        return placement_points(s, seat, row, (row + colour) % 5)
    best: Any = int64(0)
    columns = free_columns(s, seat, row, colour)
    for column in range(5):
        if columns >> column & 1:
            best = max(best, int64(placement_points(s, seat, row, column)))
    return best


@kernel
def _is_due(s: Any, seat: int, row: int, column: int) -> bool:
    """Coloured wall: whether the seat's line ``row`` is full and its tile goes to this column."""
    return s.line_count[seat, row] > row and (row + int64(s.line_colour[seat, row])) % 5 == column


@kernel
def _run_points(s: Any, seat: int, row: int, column: int, up: int) -> int:
    """The points of a tile at ``row``, ``column``; ``up`` is the topmost row of the run it joins in its column."""
    wall = s.wall[seat]
    left, right, down = column, column, row
    while left > 0 and wall[row, left - 1]:
        left -= 1
    while right < 4 and wall[row, right + 1]:
        right += 1
    while down < 4 and wall[down + 1, column]:
        down += 1
    across, downwards = right - left + 1, down - up + 1
    if across == 1:
        return downwards
    return across if downwards == 1 else across + downwards


@large_kernel
def _legal_columns(g: AzulConstants, s: Any, out: Any) -> int:
    """Write the actions for the columns of the grey wall that a seat may choose now into ``out``.

    Return their number.
    """
    first_id = centre_of(g) * 30 + 30
    columns = free_columns(s, s.turn, s.row, int64(s.line_colour[s.turn, s.row]))
    n = 0
    for column in range(5):
        if columns >> column & 1:
            out[n] = first_id + column
            n += 1
    return n


@large_kernel
def _spill(s: Any, seat: int, row: int, log: Any) -> None:
    """Grey wall: drop all tiles of a full line to the floor, because its colour fits nowhere in the row."""
    colour = int64(s.line_colour[seat, row])
    tell(log, STUCK, EVERYONE, seat, row, colour)
    s.line_count[seat, row] = 0
    _drop(s, seat, colour, row + 1, log)


@kernel
def _charge(s: Any, seat: int, log: Any) -> None:
    """Subtract the cost of a seat's floor from its score (not below 0) and clear the floor into the lid."""
    spaces = on_floor(s, seat)
    if spaces == 0:
        return
    cost = min(int64(s.score[seat]), PENALTY[spaces])
    s.score[seat] -= cost
    tell(log, CHARGE, EVERYONE, seat, spaces, cost)
    for colour in range(COLOURS):
        s.lid[colour] += s.floor[seat, colour]
        s.floor[seat, colour] = 0
    s.floor[seat, MARKER] = 0


# Rounds


@kernel
def _finish_round(g: AzulConstants, s: Any, log: Any) -> None:
    """End a round: count it and set the next starter; end the game after a complete row or at the round cap."""
    s.rounds += 1
    if s.marker >= 0:
        s.starter = s.marker
    s.marker = -1
    s.phase = DEALING
    for seat in range(int64(g.c.players)):
        if complete_rows(s, seat):
            _end(g, s, log)
            return
    if s.rounds >= g.c.cap:
        s.capped = 1
        tell(log, CAPPED, EVERYONE, s.rounds, 0, 0)
        _end(g, s, log)


@large_kernel
def _end(g: AzulConstants, s: Any, log: Any) -> None:
    """End the game and add the final bonuses: 2 points a row, 7 a column, 10 a colour."""
    s.phase = ENDED
    for seat in range(int64(g.c.players)):
        rows, columns, colours = complete_rows(s, seat), complete_columns(s, seat), complete_colours(s, seat)
        s.score[seat] += ROW_POINTS * rows + COLUMN_POINTS * columns + COLOUR_POINTS * colours
        if rows:
            tell(log, ROW_BONUS, EVERYONE, seat, rows, ROW_POINTS * rows)
        if columns:
            tell(log, COLUMN_BONUS, EVERYONE, seat, columns, COLUMN_POINTS * columns)
        if colours:
            tell(log, COLOUR_BONUS, EVERYONE, seat, colours, COLOUR_POINTS * colours)


@kernel
def _fill_factories(g: AzulConstants, s: Any) -> int:
    """Draw four tiles for each factory and return the bit set of what is on offer: bit 5 * source + colour.

    Whenever the bag is empty it is filled from the lid. The bag is held in running totals meanwhile: a random number
    belongs to the first colour whose total exceeds it. This needs no branches.
    """
    _empty_lid_if_needed(s)
    upto0, upto1, upto2, upto3, upto4 = _running_totals(s.bag)
    offer = int64(0)
    for factory in range(int64(g.c.factories)):
        for _ in range(4):
            if upto4 == 0:
                _set_counts(s.bag, 0, 0, 0, 0, 0)
                _empty_lid_if_needed(s)
                upto0, upto1, upto2, upto3, upto4 = _running_totals(s.bag)
                if upto4 == 0:
                    break
            pick = below(s, upto4)
            colour = int64(pick >= upto0) + int64(pick >= upto1) + int64(pick >= upto2) + int64(pick >= upto3)
            upto0 -= pick < upto0
            upto1 -= pick < upto1
            upto2 -= pick < upto2
            upto3 -= pick < upto3
            upto4 -= 1
            s.sources[factory, colour] += 1
            offer |= int64(1) << (factory * COLOURS + colour)
    _set_counts(s.bag, upto0, upto1 - upto0, upto2 - upto1, upto3 - upto2, upto4 - upto3)
    return offer


@kernel
def _empty_lid_if_needed(s: Any) -> None:
    """Move all tiles of the lid to the bag if the bag is empty."""
    if count(s.bag) == 0:
        for colour in range(COLOURS):
            s.bag[colour] = s.lid[colour]
            s.lid[colour] = 0


@kernel
def _running_totals(tiles: Any) -> tuple[int, int, int, int, int]:
    """The sums of the first one, two, ... five of an array of counts by colour."""
    upto0 = int64(tiles[0])
    upto1 = upto0 + int64(tiles[1])
    upto2 = upto1 + int64(tiles[2])
    upto3 = upto2 + int64(tiles[3])
    return upto0, upto1, upto2, upto3, upto3 + int64(tiles[4])


@kernel
def _set_counts(tiles: Any, n0: int, n1: int, n2: int, n3: int, n4: int) -> None:
    """Write five counts (``n0`` to ``n4``) into ``tiles``, an array of counts by colour."""
    tiles[0] = n0
    tiles[1] = n1
    tiles[2] = n2
    tiles[3] = n3
    tiles[4] = n4


@kernel
def _packed(tiles: Any) -> int:
    """An array of counts by colour in one number, five bits a count, as the event DEAL carries them."""
    word = int64(0)
    for colour in range(COLOURS):
        word |= int64(tiles[colour]) << (5 * colour)
    return word
