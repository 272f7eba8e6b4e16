"""How `conqueror` judges and which moves it tries: the rules that the searches of one turn call."""

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
    """The network to judge by, and the least chance with which an attack is tried."""

    value: Value
    least: float


@implements(ops.value, Evaluator)
@kernel
def _value(r: Evaluator, g: Any, s: Any, out: Any) -> None:
    """Chances to win if the turn ended here: returns on a scale from 0 to 1, as its searches may have them."""
    chances(g, s, r.value, out)


@implements(candidates, Evaluator)
@large_kernel
def _candidates(r: Evaluator, g: Any, s: Any, seat: int, out: Any) -> int:
    """Attacks that are not hopeless, and transfers that bring dice to the border or take them out of danger."""
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
    return _add_transfers(g, s, mine, edge, out, n) if s.transfers < g.c.max_transfers else n


@kernel
def _add_transfers(g: Any, s: Any, mine: int, edge: int, out: Any, n: int) -> int:
    """Append every transfer of dice to or from a border area, and from the depth to areas behind the border."""
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
