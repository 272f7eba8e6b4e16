"""Alpha-beta search up to the next draw, for games of two seats without hidden information.

Iterative deepening over the decisions before the next draw (or the end of the game). A position where a draw is due or
at the depth limit is worth what `value` gives; a finished game is worth its returns. Moves are tried in the order of
the transposition table and then of `order`, and only the first ``width`` of them, except where at most ``exact``
decisions are left (`horizon`): there all are tried. Moves of weight 0 are skipped.

`value` and `order` are those of the agent's evaluator (`AlphaBeta.evaluator`), by default the game's own; `key` and
`horizon` are the game's. Assumes: two seats, zero-sum, nothing hidden but future draws. Not handled: averaging over
draws (the value of a position stands for what follows), quiescence. Cost: 12 MB of memory for the table.
The kernels use an explicit stack, not recursion. Reference: Knuth, Moore 1975; Zobrist 1970 for the table.
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import DeterministicAgent
from ludens.core.drive import seats_to_move
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.option import option
from ludens.core.refcount import without_refcount
from ludens.search.contract import evaluator_of, horizon, key

if TYPE_CHECKING:
    from ludens.core.game import Game

_TABLE_BITS = 19  # the transposition table has 2 ** 19 entries
_MAX_DEPTH = 64
_EXACT, _LOWER, _UPPER = 0, 1, 2  # kinds of bounds in the table
_FULL, _TRIAL, _AGAIN = 0, 1, 2  # how a move is being searched: in full, on trial, or in full after a trial
_NARROW = 1e-9  # a window that only tells whether a value is above it
_FAR = 10.0  # larger than any value
_FIRST_SPEED = 500_000  # positions a second, assumed until the speed is measured

Entry = np.dtype(
    (
        np.record,
        [("lock", np.int64), ("value", np.float64), ("move", np.int32), ("depth", np.int16), ("bound", np.int8)],
    )
)

Level = np.dtype(
    (
        np.record,
        [
            ("alpha", np.float64),
            ("beta", np.float64),
            ("best", np.float64),
            ("lock", np.int64),
            ("alpha0", np.float64),  # the window on entry, which decides what kind of bound the result is
            ("beta0", np.float64),
            ("count", np.int32),  # legal moves
            ("left", np.int32),  # moves still to be tried
            ("move", np.int32),  # the move being tried
            ("best_move", np.int32),
            ("limit", np.int16),  # the ply at which the search below ends
            ("tried", np.int16),  # moves
            ("trial", np.int8),  # how the move is being tried: FULL, TRIAL or AGAIN
            ("seat", np.int8),
        ],
    )
)

Control = np.dtype(
    (
        np.record,
        [
            ("nodes", np.int64),  # positions searched
            ("budget", np.int64),  # positions after which the search stops
            ("width", np.int64),
            ("exact", np.int64),
            ("late", np.int64),  # moves after so many are tried less deep first, 0: none
            ("salt", np.int64),  # xor-ed into keys, so that entries of earlier searches match no more
            ("depth", np.int64),  # plies of the last search that was completed
            ("best_move", np.int64),
            ("value", np.float64),
            ("root", np.int64),  # the seat whose value is maximised
        ],
    )
)


class Workspace(NamedTuple):
    """The working memory of a search: settings and result in ``control``, and scratch arrays, a row for each ply."""

    control: np.ndarray  # [1]
    stack: np.ndarray  # [plies]: positions; the root stands first
    levels: np.ndarray  # [plies]: the nodes on the path
    moves: np.ndarray  # [plies, most legal moves]
    weights: np.ndarray  # [plies, most legal moves]: by `order`
    entries: np.ndarray  # the transposition table
    actions: np.ndarray  # [most legal moves]
    out: np.ndarray  # [seats]: where values are written


@kernel
def deepen(evaluator: Any, constants: Any, depth: int, owned: Workspace) -> bool:
    """Search the position in ``owned.stack[0]`` to ``depth`` plies.

    False if the budget of positions was used up before. ``evaluator`` are the settings whose `value` and `order` are
    used. The best move and its value are written to ``owned.control``. After False they are those of the unfinished
    search if it has a best move already, else of the search before.
    """
    g, r, d = ops.open_constants(constants), without_refcount(evaluator), without_refcount(owned)
    p, levels, stack = d.control[0], d.levels, d.stack
    levels[0].limit = depth
    _enter(r, g, 0, d, -_FAR, _FAR)
    ply = 0
    while True:
        level = levels[ply]
        if level.trial != _AGAIN and (level.left == 0 or level.alpha >= level.beta):
            _remember(d.entries, level, level.limit - ply)
            if ply == 0:
                p.best_move, p.value = level.best_move, level.best
                return True
            ply -= 1
            _update(levels[ply], levels[ply + 1].best, p.root)
            continue
        if level.trial != _AGAIN:
            _pick(level, d.moves[ply], d.weights[ply])
        stack[ply + 1] = stack[ply]
        child = stack[ply + 1]
        ops.decide(g, child, level.move, None)
        p.nodes += 1
        seat = ops.to_move(g, child)
        alpha, beta = _window(level, levels[ply + 1], ply, p)
        if seat >= 0 and ply + 1 < levels[ply + 1].limit:
            if _enter(r, g, ply + 1, d, alpha, beta):
                _update(level, levels[ply + 1].best, p.root)
            else:
                ply += 1
        else:
            level.trial = _FULL
            _update(level, _leaf(r, g, child, seat, d), p.root)
        if p.nodes >= p.budget:
            if levels[0].best_move >= 0:
                p.best_move, p.value = levels[0].best_move, levels[0].best
            return False


@kernel
def _leaf(r: Any, g: Any, s: Any, seat: int, d: Workspace) -> float:
    """The value for the root's seat of a position at which the search ends; ``seat`` is to move there, or OVER."""
    if seat == ops.OVER:
        ops.returns(g, s, d.out)
    else:
        ops.value(r, g, s, d.out)
    return np.float64(d.out[d.control[0].root])


@kernel
def _window(level: Any, below: Any, ply: int, p: Any) -> tuple[float, float]:
    """The window in which the next move of a node is searched; the ply where that ends is written to ``below``.

    A late move is tried first: a ply less deep, and only for whether it is better than the best so far. If it is, it is
    searched again in full (see `_update`).
    """
    is_trial = level.trial != _AGAIN and p.late > 0 and level.tried > p.late and level.limit - ply > 2
    below.limit = level.limit - is_trial
    level.trial = _TRIAL if is_trial else _FULL
    if not is_trial:
        return level.alpha, level.beta
    if level.seat == p.root:
        return level.alpha, level.alpha + _NARROW
    return level.beta - _NARROW, level.beta


@kernel
def search_each(evaluator: Any, constants: Any, views: Any, first: int, last: int, owned: Workspace, out: Any) -> None:
    """Search from each of ``views`` to ``first`` plies, then one more and so on up to ``last``, or the next draw.

    The best move and its value are written to ``out`` [views, 2]. A search ends early when its budget of positions is
    used up. With ``first`` above 1 it goes on with the one view that was searched before.
    """
    g, d = ops.open_constants(constants), without_refcount(owned)
    p = d.control[0]
    for i in range(len(views)):
        if first == 1:
            _begin(g, views[i], d)
        for depth in range(first, min(last, horizon(g, views[i])) + 1):
            if p.nodes >= p.budget or not deepen(evaluator, constants, depth, owned):
                break
            p.depth = depth
        out[i, 0], out[i, 1] = p.best_move, p.value


@kernel
def _begin(g: Any, view: Any, d: Workspace) -> None:
    """Prepare a search from a view. Its first legal move is the best one so far."""
    p = d.control[0]
    d.stack[0] = view
    p.nodes, p.depth, p.value = 0, 0, 0.0
    p.root = ops.to_move(g, view)
    p.salt = (p.salt + 0x2545F4914F6CDD1D) & ((1 << 62) - 1)
    ops.legal(g, view, d.actions)
    p.best_move = int64(d.actions[0])


@large_kernel
def _enter(r: Any, g: Any, ply: int, d: Workspace, alpha: float, beta: float) -> bool:
    """Open the node of a ply: look its position up in the transposition table, list its moves, set its window.

    The position is ``d.stack[ply]``, the window ``alpha`` to ``beta``; the search ends at ply ``d.levels[ply].limit``.
    Returns True if the table settles the value (then in ``d.levels[ply].best``), so that no move need be
    searched.
    """
    s, level, p = d.stack[ply], d.levels[ply], d.control[0]
    level.seat = ops.to_move(g, s)
    level.lock = key(g, s) ^ p.salt
    entry = d.entries[level.lock & (len(d.entries) - 1)]
    known = -1
    if entry.lock == level.lock:
        known = int64(entry.move)
        if entry.depth >= level.limit - ply and ply > 0:
            is_low = entry.bound == _LOWER and entry.value >= beta
            is_high = entry.bound == _UPPER and entry.value <= alpha
            if entry.bound == _EXACT or is_low or is_high:
                level.best = entry.value
                return True
    n = _list_moves(r, g, d, ply, known)
    level.left = n if horizon(g, s) <= p.exact else min(n, p.width)
    level.alpha, level.alpha0 = alpha, alpha
    level.beta, level.beta0 = beta, beta
    level.best = -_FAR if level.seat == p.root else _FAR
    level.best_move = -1
    level.tried, level.trial = 0, _FULL
    return False


@kernel
def _list_moves(r: Any, g: Any, d: Workspace, ply: int, known: int) -> int:
    """Write the legal moves of the position at ``ply`` and their weights to ``d``; return the number to consider.

    To be considered are the moves of weight above 0, or all if there are none. ``known``, the move from the
    transposition table (-1: none), gets the largest weight.
    """
    moves, weights = d.moves[ply], d.weights[ply]
    n, thought = ops.legal(g, d.stack[ply], d.actions), 0
    ops.order(r, g, d.stack[ply], d.actions, n, weights)
    for i in range(n):
        moves[i] = d.actions[i]
        thought += weights[i] > 0
        if moves[i] == known:
            weights[i] = 1e18
    d.levels[ply].count = n
    return thought if thought else n


@kernel
def _pick(level: Any, moves: Any, weights: Any) -> None:
    """Choose the remaining move with the largest weight as the next one to try, and set its weight to -1e300.

    The move is written to ``level``, the node; ``moves`` and ``weights`` are the node's rows. Moves are not sorted in
    advance, because most nodes are cut off after a few.
    """
    best = 0
    for i in range(1, int64(level.count)):
        if weights[i] > weights[best]:
            best = i
    weights[best] = -1e300
    level.move = moves[best]
    level.left -= 1
    level.tried += 1


@kernel
def _update(level: Any, value: float, root: int) -> None:
    """Update a node's alpha-beta window and best move, given the ``value`` that its last searched child returned.

    ``level`` is the node. ``root`` is the seat whose value is maximised; at nodes of the other seat it is minimised.
    A move that was only tried and is better than the best so far is to be searched again instead.
    """
    if level.trial == _TRIAL:
        is_better = value > level.alpha if level.seat == root else value < level.beta
        level.trial = _AGAIN if is_better else _FULL
        if is_better:
            return
    else:
        level.trial = _FULL
    if level.seat == root:
        if value > level.best:
            level.best = value
            level.best_move = level.move
        level.alpha = max(level.alpha, value)
    else:
        if value < level.best:
            level.best = value
            level.best_move = level.move
        level.beta = min(level.beta, value)


@kernel
def _remember(entries: Any, level: Any, depth: int) -> None:
    """Store a searched node (value, best move, kind of bound) in the transposition table ``entries``.

    ``level`` is the node, ``depth`` the number of plies searched below it; a deeper entry of the same position stays.
    """
    entry = entries[level.lock & (len(entries) - 1)]
    if entry.lock == level.lock and entry.depth > depth:
        return
    entry.lock = level.lock
    entry.value = level.best
    entry.move = level.best_move
    entry.depth = depth
    entry.bound = _UPPER if level.best <= level.alpha0 else _LOWER if level.best >= level.beta0 else _EXACT


@dataclasses.dataclass(frozen=True)
class AlphaBetaSettings:
    """How many positions the search may look at, and how many moves in each."""

    nodes: int = option(20_000, "positions a move", low=1, high=1_000_000_000)
    seconds: float = option(0.0, "seconds a move, 0: count positions instead", low=0, high=3600)
    width: int = option(12, "moves looked at in each position, those of the largest weight", low=1, high=1000)
    model: str = option("", "a trained agent whose values and order of moves are used; '' or hand: those of the game")
    late: int = option(0, "moves after so many are first tried a ply less deep, 0: none", low=0, high=1000)
    exact: int = option(9, "look at all moves when at most this many decisions are left in the round", low=0, high=64)


class AlphaBeta(DeterministicAgent):
    """Looks ahead to the end of the round, move by move, assuming the opponent answers best."""

    name = "alphabeta"
    Settings = AlphaBetaSettings
    one_by_one = True
    settings: AlphaBetaSettings

    def __init__(self, game: Game, settings: AlphaBetaSettings | None = None) -> None:
        super().__init__(game, settings)
        plies = _MAX_DEPTH + 1
        self._evaluator = self.evaluator()
        self._workspace = Workspace(
            control=np.zeros(1, Control),
            stack=np.zeros(plies, game.rules.State),
            levels=np.zeros(plies, Level),
            moves=np.zeros((plies, game.rules.max_legal), np.int64),
            weights=np.zeros((plies, game.rules.max_legal)),
            entries=np.zeros(1 << _TABLE_BITS, Entry),
            actions=game.rules.buffer(),
            out=np.zeros(game.rules.seats),
        )
        for limit in ("width", "exact", "late"):
            self._workspace.control[limit] = getattr(self.settings, limit)

    def evaluator(self) -> Any:
        """The settings whose `value` and `order` the search uses.

        Those of the trained agent in ``settings.model``, else of the game, unless a subclass overrides this.
        """
        return evaluator_of(self.settings.model, self.game, "value")

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why the game cannot be searched (seats, hidden information, missing operations), as text; '' if it can."""
        if game.rules.seats != 2:
            return "alphabeta plays two seats only; use mcts for more"
        if game.rules.has_secrets:
            return "alphabeta needs open information; use mcts where something is hidden"
        evaluated_by = ("value", "order") if cls.evaluator is AlphaBeta.evaluator else ()
        missing = [name for name in (*evaluated_by, "key", "horizon") if not game.rules.can(name)]
        return f"the game has no {', '.join(missing)}; use mcts" if missing else ""

    def search(self, views: np.ndarray) -> np.ndarray:
        """Search from each view (records): the best move found, and its value for the seat to move: [views, 2]."""
        s, control, found = self.settings, self._workspace.control, np.zeros((len(views), 2))
        if not s.seconds:
            control["budget"] = s.nodes
            search_each(self._evaluator, self.game.rules.constants, views, 1, _MAX_DEPTH, self._workspace, found)
            return found
        for i in range(len(views)):
            self._search_for_seconds(views[i : i + 1], found[i : i + 1])
        return found

    def _search_for_seconds(self, view: np.ndarray, found: np.ndarray) -> None:
        """Search from one view for ``settings.seconds``: at each depth as many positions as fit into what is left.

        Counted at the speed so far. Best move and value are written to ``found`` [1, 2].
        """
        control, begun = self._workspace.control, time.perf_counter()
        control["nodes"] = 0
        for depth in range(1, _MAX_DEPTH + 1):
            spent = time.perf_counter() - begun
            speed = self.nodes_searched / spent if self.nodes_searched > 1000 else _FIRST_SPEED
            control["budget"] = self.nodes_searched + int(speed * max(self.settings.seconds - spent, 0))
            search_each(self._evaluator, self.game.rules.constants, view, depth, depth, self._workspace, found)
            if control["depth"][0] < depth:
                return

    @property
    def nodes_searched(self) -> int:
        """The number of positions that the last search looked at."""
        return int(self._workspace.control["nodes"][0])

    @property
    def depth_searched(self) -> int:
        """The number of plies to which the last search was completed."""
        return int(self._workspace.control["depth"][0])

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """The best move found for each view: [lanes]. Each view is searched anew."""
        return self.search(views)[:, 0].astype(np.int64)

    def value(self, views: np.ndarray) -> np.ndarray:
        """The value of each seat by a search from each view: [lanes, 2]; the other seat has the mover's negative."""
        turns, mine, lanes = np.zeros(len(views), np.int64), self.search(views)[:, 1], np.arange(len(views))
        seats_to_move(self.game.rules.constants, views, turns)
        out = np.zeros((len(views), 2))
        out[lanes, turns], out[lanes, 1 - turns] = mine, -mine
        return out
