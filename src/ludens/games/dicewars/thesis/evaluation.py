"""How the thesis evaluates a position, and the layers of a player's land that it uses.

The first layer is the border, the next one the own areas one step further inside, and so on.
"""

from __future__ import annotations

from typing import Any

from ludens.core.kernel import int64, kernel
from ludens.games.dicewars.record import around, border, dice_on, largest_region, size_of

_SHARE, _WHOLE, _INNER, _GUARD = 1.0, 10.0, 4.0, 8.0  # weights of the four parts
_FEW = 5  # layers at most, for weights that sum to 1; with more they are 1/2, 1/4, 1/8, ...


@kernel
def layers_of(s: Any, mine: int, out: Any) -> int:
    """Write the layers of the land ``mine`` (a set of areas) to ``out`` as sets, then an empty one.

    Returns their number. Layer 0 is the border, layer 1 the areas behind it, and so on.
    """
    n, layer, seen = 0, border(s, mine), int64(0)
    while layer:
        out[n] = layer
        n += 1
        seen |= layer
        layer = around(s, layer) & mine & ~seen
    out[n] = 0
    return n


@kernel
def _guard(g: Any, s: Any, mine: int, has_text_weights: bool, layers: Any) -> float:
    """How full the layers of the land ``mine`` are: a weighted sum of their shares of full dice.

    Outer layers count more; ``has_text_weights`` chooses between two readings, see `evaluate`. The layers are written
    to ``layers``.
    """
    n = layers_of(s, mine, layers)
    first = 0.5
    if n <= _FEW:
        first = 2.0 ** (n - 1) / (2.0**n - 1.0)
    step = 0.5 if has_text_weights else first
    weight = first
    total = 0.0
    for i in range(n):
        total += weight * dice_on(s, layers[i]) / (int64(g.c.max_dice) * size_of(layers[i]))
        weight *= step
    return total


@kernel
def evaluate(g: Any, s: Any, seat: int, has_text_weights: bool, layers: Any) -> float:
    """The value of a position for a player: 0 without land, 1 with all of it.

    It is a weighted mean of four parts: the share of the map, the share of the own land in its largest region, the
    share of inner areas, and how full the layers are. The thesis's text weighs layers so that each counts twice the
    next and all sum to 1 (``has_text_weights``); its code, which played the games, takes powers of the first weight
    instead, so that two to five layers sum to a little more. ``layers`` is a buffer.
    """
    mine = s.lands[seat]
    areas = size_of(mine)
    if areas == 0 or areas == g.c.areas:
        return 1.0 if areas else 0.0
    guard = _guard(g, s, mine, has_text_weights, layers)
    share = areas / float(g.c.areas)
    whole = size_of(largest_region(s, mine)) / areas
    inner = 1.0 - size_of(layers[0]) / areas
    total = _SHARE * share + _WHOLE * whole + _INNER * inner + _GUARD * guard
    return total / (_SHARE + _WHOLE + _INNER + _GUARD)
