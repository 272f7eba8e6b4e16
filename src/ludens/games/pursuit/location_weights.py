"""Where the phantom probably is: weights for its possible stops, which an agent writes into its copy of a view.

The possible set holds what can be true; the weights say what is likely. Each function rewrites ``weight`` for the stops
at which the phantom may be, as whole numbers, and sets ``is_weighted``; guesses (`view.py`) are then drawn by weight.

* `by_distance`: the further from the nearest detective, the likelier (the thesis's roulette).
* `by_place`: by how often phantoms were found so many moves from the nearest detective (location categories; Nijssen,
  Winands 2012). The frequencies were counted in games of our own and are in ``places.json``.
* `by_model`: the exact posterior if the phantom plays a known policy, but any move at all with a small probability:
  b'(w) = sum over v of b(v) * p(v to w), move by move from the start or from where it was last seen. The declaration
  of a double move is not used as information on where it began.
"""

from __future__ import annotations

from typing import Any

from ludens.core.kernel import int64, kernel
from ludens.core.ops import open_constants
from ludens.core.rng import below
from ludens.games.pursuit.belief import holds
from ludens.games.pursuit.judgement import danger, ways_on
from ludens.games.pursuit.record import BLACK, KINDS, MODES, STOPS, PursuitConstants, is_held

PLACES = 8  # moves of the nearest detective: 0, 1, ... 6, and more
_SCALE = 1 << 20


@kernel
def _may_be(g: PursuitConstants, v: Any, stop: int) -> bool:
    """Whether the phantom may be at ``stop`` now, by what is public.

    With option ``prune=round`` a detective may be on a stop that is still in the possible set; such a stop does not
    count.
    """
    return holds(v, stop) and not is_held(g, v, stop)


@kernel
def by_distance(constants: Any, views: Any) -> None:
    """Set the weight of each possible stop in a view to the number of moves the nearest detective needs to it.

    ``views`` is an array of one view, rewritten in place.
    """
    g = open_constants(constants)
    v = views[0]
    v.is_weighted = 1
    for stop in range(1, int64(g.c.stops) + 1):
        v.weight[stop] = min(danger(g, v, stop), int64(g.c.stops)) if _may_be(g, v, stop) else 0


@kernel
def fix_one(constants: Any, views: Any) -> None:
    """Draw one possible stop in a view and set its weight to 1, all others to 0, so that every guess is that stop.

    It is drawn by the view's weights if an agent wrote some. ``views`` is an array of one view, rewritten in place.
    """
    g = open_constants(constants)
    v = views[0]
    chosen, total = 0, 0
    for stop in range(1, int64(g.c.stops) + 1):
        weight = int64(v.weight[stop]) if v.is_weighted else 1
        if _may_be(g, v, stop) and weight:
            total += weight
            if below(v, total) < weight:
                chosen = stop
        v.weight[stop] = 0
    v.is_weighted = 1
    v.weight[chosen] = 1


@kernel
def place_of(g: PursuitConstants, v: Any, stop: int) -> int:
    """The category of a stop: how many moves the nearest detective needs to it, at most PLACES - 1."""
    return min(danger(g, v, stop), PLACES - 1)


@kernel
def by_place(constants: Any, views: Any, often: Any, count: Any) -> None:
    """Set the weight of each possible stop to the frequency of its category, divided by the category's number of stops.

    The category is that of `place_of`. ``views`` is an array of one view, rewritten in place; ``often`` [PLACES] are
    the frequencies (`places.frequencies`), ``count`` [PLACES] is a workspace.
    """
    g = open_constants(constants)
    v = views[0]
    count[:] = 0
    for stop in range(1, int64(g.c.stops) + 1):
        if _may_be(g, v, stop):
            count[place_of(g, v, stop)] += 1
    v.is_weighted = 1
    for stop in range(1, int64(g.c.stops) + 1):
        v.weight[stop] = 0
        if _may_be(g, v, stop):
            place = place_of(g, v, stop)
            v.weight[stop] = 1 + int64(_SCALE * often[place] / count[place])


@kernel
def also_by_place(constants: Any, views: Any, often: Any) -> None:
    """Multiply the weights in a view by the frequency ``often[place]`` of each stop's category, in place.

    ``views`` is an array of one view; for categories see `place_of`.
    """
    g = open_constants(constants)
    v = views[0]
    for stop in range(1, int64(g.c.stops) + 1):
        if v.weight[stop]:
            v.weight[stop] = 1 + int64(v.weight[stop] * often[place_of(g, v, stop)])


@kernel
def by_model(constants: Any, views: Any, past: Any, noise: float, policy: int, belief: Any, after: Any) -> None:
    """Set the weight of each possible stop to its probability if the phantom plays ``policy``: 0 random, 1 nearest.

    With probability ``noise`` each of its moves is a random one. ``views`` is an array of one view, rewritten in place;
    ``past`` (one record), ``belief`` and ``after`` (both [STOPS]) are workspaces.
    """
    g = open_constants(constants)
    v, s = views[0], past[0]
    past[0] = views[0]
    _rewind(g, s)
    for stop in range(STOPS):
        belief[stop] = 0.0
    for i in range(int64(g.c.in_deck[0])):
        belief[g.c.deck[0, i]] = 1.0
    rounds = 0
    for move in range(int64(v.made)):
        _rule_out(g, s, belief)
        _foresee(g, s, int64(v.fare[move]), int64(v.twice[move]), noise, policy, belief, after)
        _see_again(int64(v.shown[move]), belief)
        if not v.twice[move]:
            _ride(g, s, v, rounds)
            rounds += 1
    _write(g, v, belief)


@kernel
def _rewind(g: PursuitConstants, s: Any) -> None:
    """Set the detectives' stops and all tickets in ``s`` back to the start of the game."""
    for piece in range(int64(g.c.detectives) + 1):
        for kind in range(KINDS):
            s.tickets[piece, kind] = g.c.tickets[piece, kind]
        if piece and (s.rounds or piece < s.piece):
            s.stop[piece] = s.track[0, piece - 1]


@kernel
def _rule_out(g: PursuitConstants, s: Any, belief: Any) -> None:
    """Set the probability of the detectives' stops to 0 in ``belief`` [STOPS], in place."""
    for piece in range(1, int64(g.c.detectives) + 1):
        belief[s.stop[piece]] = 0.0


@kernel
def _foresee(
    g: PursuitConstants, s: Any, fare: int, twice: int, noise: float, policy: int, belief: Any, after: Any
) -> None:
    """Update ``belief`` [STOPS] for one phantom move by ticket ``fare`` (0: a pass), and take the ticket away in ``s``.

    ``twice``: the move also cost a double ticket. The phantom plays ``policy``, but with probability ``noise`` at
    random. ``after`` [STOPS] is a workspace.
    """
    for stop in range(STOPS):
        after[stop] = 0.0
    for stop in range(1, int64(g.c.stops) + 1):
        if belief[stop] > 0.0:
            _leave(g, s, stop, fare, noise, policy, belief[stop], after)
    if fare:
        s.tickets[0, fare - 1] -= 1
    if twice:
        s.tickets[0, KINDS - 1] -= 1
    for stop in range(STOPS):
        belief[stop] = after[stop]
    _rule_out(g, s, belief)


@kernel
def _leave(
    g: PursuitConstants, s: Any, stop: int, fare: int, noise: float, policy: int, weight: float, after: Any
) -> None:
    """Distribute the ``weight`` of one stop over the destinations of its moves by ticket ``fare``, adding to ``after``.

    Each move gets its probability under ``policy`` and ``noise``; after a pass (0) the weight stays if there is no
    move. If the ticket cannot have been used at that stop the weight is lost.
    """
    moves = _count_moves(g, s, stop)
    if fare == 0 or moves == 0:
        after[stop] += weight if fare == moves else 0.0  # who passed could not move, who moved could
        return
    best, best_ways, ties = _safest(g, s, stop, 1, MODES) if policy else (0, 0, 1)
    is_usual = fare <= MODES
    if ties == 0:  # it pays black only where nothing else would take it anywhere
        best, best_ways, ties = _safest(g, s, stop, BLACK, BLACK)
        is_usual = True
    for i in range(int64(g.c.degree[fare, stop])):
        to = int64(g.c.link[fare, stop, i])
        chance = 1.0 / moves
        if policy:
            is_best = is_usual and danger(g, s, to) == best and ways_on(g, s, to, fare) == best_ways
            chance = noise / moves + ((1.0 - noise) / ties if is_best else 0.0)
        after[to] += weight * chance


@kernel
def _may_enter(g: PursuitConstants, s: Any, stop: int) -> bool:
    """Whether the phantom may move onto ``stop`` as far as detectives go; links and tickets are not checked."""
    return g.c.enter or not is_held(g, s, stop)


@kernel
def _count_moves(g: PursuitConstants, s: Any, stop: int) -> int:
    """The number of single moves of a phantom at ``stop``, with its tickets in ``s``."""
    moves = 0
    for kind in range(1, BLACK + 1):
        for i in range(int64(g.c.degree[kind, stop]) if s.tickets[0, kind - 1] else 0):
            moves += 1 if _may_enter(g, s, int64(g.c.link[kind, stop, i])) else 0
    return moves


@kernel
def _safest(g: PursuitConstants, s: Any, stop: int, first: int, last: int) -> tuple[int, int, int]:
    """How good the best of a phantom's moves from ``stop`` by tickets of kinds ``first`` to ``last`` are.

    Returns their distance from the nearest detective, their number of links leading on, and how many such moves there
    are (0: there is no move).
    """
    best, best_ways, ties = -1, -1, 0
    for kind in range(first, last + 1):
        for i in range(int64(g.c.degree[kind, stop]) if s.tickets[0, kind - 1] else 0):
            to = int64(g.c.link[kind, stop, i])
            far, ways = danger(g, s, to), ways_on(g, s, to, kind)
            if _may_enter(g, s, to) and (far > best or (far == best and ways >= best_ways)):
                ties = 1 if far > best or ways > best_ways else ties + 1
                best, best_ways = far, ways
    return best, best_ways, ties


@kernel
def _see_again(shown: int, belief: Any) -> None:
    """Apply a reveal (``shown``: the stop, 0 if hidden) to ``belief`` [STOPS], and scale it to a sum of 1, in place."""
    total = 0.0
    for stop in range(STOPS):
        if shown:
            belief[stop] = 1.0 if stop == shown else 0.0
        total += belief[stop]
    for stop in range(STOPS):
        belief[stop] = belief[stop] / total if total > 0.0 else 0.0


@kernel
def _ride(g: PursuitConstants, s: Any, v: Any, rounds: int) -> None:
    """Replay in ``s`` the detectives' moves of one round (``rounds``, from 0), as far as the view ``v`` has them."""
    for piece in range(1, int64(g.c.detectives) + 1):
        if rounds < v.rounds or (v.piece and piece < v.piece):
            kind = int64(v.ride[rounds, piece - 1])
            if kind:
                s.tickets[piece, kind - 1] -= 1
                s.tickets[0, kind - 1] += 1
            s.stop[piece] = v.track[rounds + 1, piece - 1] if _moved_on(v, rounds, piece) else v.stop[piece]


@kernel
def _moved_on(v: Any, rounds: int, piece: int) -> bool:
    """Whether detective ``piece`` has already moved in the round after ``rounds``.

    Then ``v.track`` has where it went in this one.
    """
    return rounds + 1 < v.rounds or (rounds + 1 == v.rounds and v.piece > piece)


@kernel
def _write(g: PursuitConstants, v: Any, belief: Any) -> None:
    """Write ``belief`` [STOPS] into the view as weights: whole numbers, at least 1 for each possible stop."""
    v.is_weighted = 1
    most = 1e-300
    for stop in range(1, int64(g.c.stops) + 1):
        if _may_be(g, v, stop):
            most = max(most, belief[stop])
    for stop in range(1, int64(g.c.stops) + 1):
        v.weight[stop] = 1 + int64(_SCALE * min(belief[stop] / most, 1.0)) if _may_be(g, v, stop) else 0
