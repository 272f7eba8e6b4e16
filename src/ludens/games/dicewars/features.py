"""Features of Dicewars views for learners; a whole state is encoded as its seat to move sees it."""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.dicewars.record import DicewarsConstants, dice_on, largest_region, size_of

_OF_SEAT, _OF_TURN = 6, 5  # number of features of each seat, and of the turn


def pieces(areas: int, players: int) -> list[tuple[str, int]]:
    """The names and lengths of the blocks of features, in order. All values lie between 0 and 1.

    Seats are counted from the viewer's own, in turn order. For each area: ``owner`` (one value for each seat, 1 for the
    owner), ``dice`` (a share of the maximum), ``border`` (1 if a neighbour has another owner), ``threat`` (the most
    dice on such a neighbour, a share of the maximum), ``region`` (1 if it is in its owner's largest region). ``seats``,
    for each seat: shares of areas and of dice, size of the largest region, reserve if public, whether it is its turn,
    whether it is still in the game. ``turn``: the share of transfers left, whether nothing was played in this turn yet,
    and how near the limits of rounds without moves, of battles and of turns are.
    """
    return [
        ("owner", areas * players),
        ("dice", areas),
        ("border", areas),
        ("threat", areas),
        ("region", areas),
        ("seats", players * _OF_SEAT),
        ("turn", _OF_TURN),
    ]


@implements(ops.encode, DicewarsConstants)
@kernel
def encode(g: DicewarsConstants, v: Any, out: Any) -> None:
    """Write the features of a view into ``out``, in the order of `pieces`.

    A state is encoded as its seat to move sees it.
    """
    areas, players = int64(g.c.areas), int64(g.c.players)
    seat = int64(v.seat) if v.seat >= 0 else int64(v.turn)
    for area in range(areas):
        for other in range(players):
            out[area * players + other] = (int64(v.owner[area]) - seat) % players == other
    at = areas * players
    for area in range(areas):
        out[at + area] = v.dice[area] / g.c.max_dice
        threat = _threat(v, area)
        out[at + areas + area] = threat > 0
        out[at + 2 * areas + area] = threat / g.c.max_dice
        out[at + 3 * areas + area] = 0.0
    at += 4 * areas
    for i in range(players):
        _encode_seat(g, v, (seat + i) % players, out, at - areas, at + i * _OF_SEAT)
    _encode_turn(g, v, out, at + players * _OF_SEAT)


@kernel
def _threat(v: Any, area: int) -> int:
    """The most dice on a neighbour of an area that has another owner; 0 if there is none."""
    rest = v.near[area] & ~v.lands[v.owner[area]]
    most = int64(0)
    while rest:
        most = max(most, int64(v.dice[lowest_bit(rest)]))
        rest &= rest - 1
    return most


@kernel
def _encode_seat(g: DicewarsConstants, v: Any, seat: int, out: Any, regions: int, at: int) -> None:
    """Write the features of one seat's row into ``out`` from index ``at`` on.

    Also ``out[regions + area]`` becomes 1 for each area of its largest region.
    """
    areas, mine = int64(g.c.areas), v.lands[seat]
    best = largest_region(v, mine)
    out[at] = size_of(mine) / areas
    out[at + 1] = dice_on(v, mine) / (areas * int64(g.c.max_dice))
    out[at + 2] = size_of(best) / areas
    out[at + 3] = int64(v.reserve[seat]) / max(int64(g.c.reserve_cap), 1) if g.c.public else 0.0
    out[at + 4] = v.turn == seat
    out[at + 5] = mine != 0
    while best:
        out[regions + int64(lowest_bit(best))] = 1.0
        best &= best - 1


@kernel
def _encode_turn(g: DicewarsConstants, v: Any, out: Any, at: int) -> None:
    """Write the features of the turn into ``out`` from index ``at`` on."""
    most = int64(g.c.max_transfers)
    out[at] = (most - int64(v.transfers)) / most if most else 0.0
    out[at + 1] = v.attacks == 0 and v.transfers == 0
    out[at + 2] = min(1.0, v.passes / (int64(g.c.max_pass_rounds) * int64(g.c.players)))
    out[at + 3] = v.battles / int64(g.c.max_battles)
    out[at + 4] = v.turns / int64(g.c.max_turns)
