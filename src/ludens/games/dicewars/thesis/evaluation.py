"""How the thesis judges a board, and the layers of a player's land that it thinks in.

The first layer is the border, the next one the own areas one step further inside, and so on.
"""

from __future__ import annotations

from typing import Any

from ludens.core.kernel import int64, kernel
from ludens.games.dicewars.record import around, border, dice_on, largest_region, size_of

_SHARE, _WHOLE, _INNER, _GUARD = 1.0, 10.0, 4.0, 8.0  # weights of the four parts
_FEW = 5  # layers; with more, weights halve from layer to layer whatever their sum


@kernel
def layers_of(s: Any, mine: int, out: Any) -> int:
    """Write the layers of a player's land, as sets, and an empty one; how many they are without it."""
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
    """How full the layers are, the outer ones counting more."""
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
    """What a board is worth to a player: 0 without land, 1 with all of it. ``layers`` is scratch room.

    Four parts: its share of the map, how much of its land holds together, how much lies inside, and how well its layers
    are filled. The thesis's text weighs layers so that each counts twice the next and all sum to 1; its code, which
    played, takes powers of the first weight instead, so that two to five layers sum to a little more.
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
