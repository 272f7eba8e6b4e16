"""The value of a position and the moves worth a look, as `conqueror` and the searches of its turn use them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ludens.core import ops
from ludens.core.bits import lowest_bit
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.games.dicewars.judgement import attack_action, transfer_action
from ludens.games.dicewars.record import border
from ludens.games.dicewars.value import Value, chances
from ludens.search.contract import candidates


class Evaluator(NamedTuple):
    """The settings of the evaluator of `conqueror`: a value network, and which attacks it searches.

    ``least`` is the least chance of success of such an attack.
    """

    value: Value
    least: float


@implements(ops.value, Evaluator)
@kernel
def _value(r: Evaluator, g: Any, s: Any, out: Any) -> None:
    """Write each seat's chance to win if the turn ended here, from 0 to 1, into ``out`` [seats].

    (Searches that only compare accept any scale.)
    """
    chances(g, s, r.value, out)


@implements(candidates, Evaluator)
@large_kernel
def _candidates(r: Evaluator, g: Any, s: Any, seat: int, out: Any) -> int:
    """Write the moves worth searching into ``out`` and return their number.

    They are attacks with at least the chance ``r.least``, and transfers to, from and towards the border.
    """
    mine, n = s.lands[s.turn], 0
    edge = border(s, mine)
    rest = edge
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        targets = s.near[source] & ~mine if s.dice[source] > 1 else 0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            if g.c.odds[s.dice[source], s.dice[target]] >= r.least:
                out[n] = attack_action(g, source, target)
                n += 1
    return add_transfers(g, s, mine, edge, out, n) if s.transfers < g.c.max_transfers else n


@kernel
def add_transfers(g: Any, s: Any, mine: int, edge: int, out: Any, n: int) -> int:
    """Append useful transfers to ``out`` from index ``n`` on; returns the new number of moves.

    ``mine`` is the mover's set of areas, ``edge`` its border. Border areas may send dice to any own neighbour, areas
    just behind the border to the border, deeper ones to areas behind the border. Targets must not be full.
    """
    behind = edge
    rest = edge
    while rest:
        behind |= s.near[lowest_bit(rest)]
        rest &= rest - 1
    rest = mine
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        if s.dice[source] == 1:
            continue
        targets = s.near[source] & mine
        if not edge >> source & 1:
            targets &= edge if behind >> source & 1 else behind
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            if s.dice[target] < g.c.max_dice:
                out[n] = transfer_action(g, source, target)
                n += 1
    return n
