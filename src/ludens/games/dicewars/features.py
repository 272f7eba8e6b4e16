"""Dicewars for learners: the features of a view, the same for a state as its mover sees it."""

from __future__ import annotations

from typing import Any

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.games.dicewars.record import DicewarsConstants, dice_on, largest_region, size_of

_OF_SEAT, _OF_TURN = 6, 5


def pieces(areas: int, players: int) -> list[tuple[str, int]]:
    """The named pieces of the features, in order, with their lengths. All values lie between 0 and 1.

    Seats are counted from the viewer's own, in the order of turns. Of each area: ``owner`` (one of the seats), ``dice``
    as a share of the most, ``border`` (a neighbour is somebody else's), ``threat`` (the most dice on such a neighbour),
    ``region`` (it is in its owner's largest region). Of each seat: shares of areas, of dice, the largest region, the
    reserve as far as it is known, whether it is its turn, whether it is in the game. ``turn`` is the share of transfers
    left, whether the turn is fresh, and how near the three ends without a winner are.
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
    """The most dice on a neighbour of somebody else, 0 if there is none."""
    rest = v.near[area] & ~v.lands[v.owner[area]]
    most = int64(0)
    while rest:
        most = max(most, int64(v.dice[lowest_bit(rest)]))
        rest &= rest - 1
    return most


@kernel
def _encode_seat(g: DicewarsConstants, v: Any, seat: int, out: Any, regions: int, at: int) -> None:
    """A seat's summary, and the areas of its largest region in the piece ``region``."""
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
    most = int64(g.c.max_transfers)
    out[at] = (most - int64(v.transfers)) / most if most else 0.0
    out[at + 1] = v.attacks == 0 and v.transfers == 0
    out[at + 2] = min(1.0, v.passes / (int64(g.c.max_pass_rounds) * int64(g.c.players)))
    out[at + 3] = v.battles / int64(g.c.max_battles)
    out[at + 4] = v.turns / int64(g.c.max_turns)
