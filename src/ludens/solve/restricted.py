"""The restricted Nash response: to exploit an opponent one has a model of, and still be safe (Johanson et al. 2007).

With probability ``trust`` the opponent plays as the model says, else as it likes. What is best against that is found by
fictitious play: in turn, a best response to the mixture of the model and all the opponent's answers so far, and the
opponent's best response to the average of ours. Averages are by reach, and later ones count more. With a trust of 1 the
result is a best response to the model, with 0 an equilibrium.

*Cost:* four walks of the tree an iteration. *Converges* slowly: measure what comes out, against the model with
`value_against` and against a perfect opponent with `vector_cfr.measure`; both are exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.solve import vector_cfr
from ludens.solve.vector_cfr import TreeWalker
from ludens.solve.vector_walk import ANSWER, COUNT, LEARN


def restricted_response(
    tree: Any, model: np.ndarray, trust: float, iterations: int, start: np.ndarray | None = None
) -> np.ndarray:
    """A strategy of both players against a model of both, as probabilities; all are tables over ``tree``.

    ``start``: a strategy with which both averages begin, such as an equilibrium; it counts as the last iteration does.
    """
    walker = TreeWalker(tree, model.dtype, 1)
    modelled, ours, theirs = (np.zeros_like(model) for _ in range(3))
    walker.walk(COUNT, model, modelled)
    total = 0.0  # the weight of all iterations so far; that of iteration t is t squared
    if start is not None:
        walker.walk(COUNT, start, ours, first=iterations)
        walker.walk(COUNT, start, theirs, first=iterations)
        total = float(iterations) ** 2
    for t in range(1, iterations + 1):
        mixture = trust * max(total, 1.0) * modelled + (1 - trust) * theirs
        walker.walk(COUNT, _answer(walker, mixture), ours, first=t)
        walker.walk(COUNT, _answer(walker, ours), theirs, first=t)
        total += float(t) ** 2
    walker.close()
    vector_cfr.normalise(tree, None, ours)
    return ours


def _answer(walker: TreeWalker, strategy: np.ndarray) -> np.ndarray:
    """The best responses of both players to a strategy of both, as a table of 0 and 1."""
    out = np.zeros_like(strategy)
    walker.walk(ANSWER, strategy, out)
    return out


def value_against(tree: Any, of_opener: np.ndarray, strategy: np.ndarray, opponent: np.ndarray) -> tuple[float, float]:
    """What a strategy gets on average against another, exactly: as opener, and as the other player.

    ``of_opener`` says which entries of a table over ``tree`` are the opener's.
    """
    walker = TreeWalker(tree, strategy.dtype, 1)
    found = []
    for opener, other in ((strategy, opponent), (opponent, strategy)):
        both = np.where(of_opener, opener, other)
        found.append(float(walker.walk(LEARN, both, np.zeros_like(both))[0]))  # the first walk only reads the opener's
    walker.close()
    return found[0], -found[1]
