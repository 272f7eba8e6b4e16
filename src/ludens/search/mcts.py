"""Monte Carlo tree search over guessed worlds, for any game and any number of seats.

Every iteration draws a fresh world consistent with the view (`guess`), walks down the tree by the moves that are
legal in that world, adds one node, plays the game out and gives every node on the way the result of the seat that
moved into it. Where nothing is hidden this is plain open-loop MCTS: draws happen while walking, nodes stand for
sequences of decisions. Where something is hidden it is single-observer information-set MCTS: moves are compared by
how often they were possible.

Selection is UCB1, or PUCT with the game's `suggest` as prior. Playouts are random, or by `suggest` with a share of
random moves. ``cut`` ends a playout at the n-th draw with the game's `estimate` instead of playing to the end. Moves
that the game does not hold worth a thought (`sift`) get no node. Where a seat has several pieces, a node is credited
with what its own piece achieved (`credit`).

A move is a node by its number, or by its `label` where the same number means different things in different worlds (the
third card of a hand).

Opponents in the tree are modelled as knowing the guessed world. With ``others=suggest`` they get no nodes and play as
the game suggests, from what they may know: this models their ignorance, and takes them for no better than that. For
rivals that know less and think all the same see observers.py. Not handled: simultaneous moves.
Cost: one playout an iteration; memory 48 bytes an iteration.
References: Kocsis, Szepesvari 2006 (UCT); Cowling, Powley, Whitehouse 2012 (ISMCTS); Silver et al. 2017 (PUCT).
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import NO_MEMORY, Agent
from ludens.core.drive import imagine, legal_of, whose_turn
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.option import option
from ludens.core.rng import below, uniform

if TYPE_CHECKING:
    from ludens.core.game import Game

__all__ = ["Mcts", "MctsSettings", "PlayoutRule", "add_child", "grow", "play_out", "select"]

MAX_PIECES = 16  # that `credit` can tell apart
_CHUNK = 64  # iterations between two looks at the clock
_MOST_NODES = 1 << 21

Node = np.dtype(
    (
        np.record,
        [
            ("total", np.float64),  # results of the seat that moved into the node
            ("worth", np.float64),  # results of the seat to move in the node
            ("visits", np.int32),
            ("possible", np.int32),  # how often the move was legal when its parent was visited
            ("action", np.uint32),  # the move into the node, or its label
            ("child", np.int32),  # the first child, 0: none
            ("sibling", np.int32),  # the next child of the same parent, 0: none
        ],
    )
)

Plan = np.dtype(
    (
        np.record,
        [
            ("used", np.int64),  # nodes in use; node 0 is the root
            ("stamp", np.uint64),  # marks the moves legal at the node being looked at
            ("c", np.float64),
            ("is_puct", np.int8),
            ("prior", np.float64),  # the share of the prior that the suggested move gets
            ("cut", np.int64),
            ("root", np.int64),  # the seat that thinks
            ("models", np.int8),  # 1: the other seats play by the playout's rule in the tree too
            ("labels", np.int64),  # how many labels of moves there are, 0: moves go by their numbers
            ("sifts", np.int8),  # 1: moves not worth a thought get no node
            ("elsewhere", np.float64),  # share of iterations in worlds only the rival believes in (observers.py)
            ("share", np.float64),  # what a piece loses when a colleague did it
            ("won", np.float64),  # results of the thinking seat
        ],
    )
)


class PlayoutRule(NamedTuple):
    """Playouts by the game's `suggest` with a share of random moves; all of them random where the game has none."""

    noise: float
    actions: np.ndarray


@implements(ops.rule, PlayoutRule)
@kernel
def _suggest_or_random(r: PlayoutRule, g: Any, v: Any, m: Any) -> int:
    if r.noise >= 1.0 or uniform(v) < r.noise:
        n = ops.legal(g, v, r.actions)
        return int64(r.actions[below(v, n)])
    return ops.suggest(g, v)


@kernel
def grow(
    r: Any,
    table: Any,
    view: Any,
    sims: int,
    nodes: Any,
    plan: Any,
    work: Any,
    m: Any,
    actions: Any,
    marks: Any,
    path: Any,
    result: Any,
) -> None:
    """Run ``sims`` iterations from the view, whose dice they use up. ``path`` holds (node, who moved into it)."""
    g = ops.open_table(table)
    world, dice, p = work[0], view[0], plan[0]
    for _ in range(sims):
        work[0] = view[0]
        imagine(g, world, dice)
        depth, node, is_new = 0, int64(0), False
        while not is_new:
            seat = ops.to_move(g, world)
            if seat == OVER or depth + 1 >= len(path):
                break
            if p.models and seat != p.root:
                ops.apply(g, world, ops.rule(r, g, world, m[0]), None)
                continue
            name, child = select(g, world, node, nodes, p, actions, marks, dice)
            if child == 0:
                if p.used >= len(nodes):
                    break
                child = add_child(nodes, p, node, name)
                is_new = True
            who = ops.mover(g, world) - 1
            ops.apply(g, world, int64(marks[p.labels + name]) if p.labels else name, None)
            depth += 1
            node = child
            path[depth, 0] = node
            path[depth, 1] = seat if who < 0 else who
        play_out(r, g, world, p.cut, m[0], result)
        p.won += result[p.root]
        ops.credit(g, world, p.share, result)
        nodes[0].visits += 1
        for d in range(depth, 0, -1):
            n = nodes[path[d, 0]]
            n.visits += 1
            n.total += result[path[d, 1]]
            nodes[path[d - 1, 0]].worth += result[path[d, 1]]


@large_kernel
def select(g: Any, world: Any, node: int, nodes: Any, p: Any, actions: Any, marks: Any, dice: Any) -> tuple[int, int]:
    """The move to walk down by, or its label, and its child node (0 if it has none yet)."""
    n = ops.legal(g, world, actions)
    if p.sifts:
        kept = ops.sift(g, world, actions, n)
        n = kept if kept > 0 else n
    is_legal, is_tried = np.uint64(p.stamp) + np.uint64(1), np.uint64(p.stamp) + np.uint64(2)
    p.stamp = is_tried
    if p.labels:
        n = _relabel(g, world, actions, n, marks, p.labels, is_tried)
    for i in range(n):
        marks[actions[i]] = is_legal
    suggested, few, many = -1, 1.0 / n, 1.0 / n
    if p.is_puct and n > 1:
        suggested = ops.suggest(g, world)
        suggested = ops.label(g, world, suggested) if p.labels else suggested
        few, many = p.prior, (1.0 - p.prior) / (n - 1)
    root = np.sqrt(nodes[node].visits + 1.0) * p.c
    best, best_action, best_score, tried = 0, int64(0), -1e300, 0
    child = int64(nodes[node].child)
    while child:
        kid = nodes[child]
        action = int64(kid.action)
        if marks[action] == is_legal:
            marks[action] = is_tried
            tried += 1
            kid.possible += 1
            if p.is_puct:
                bonus = root * (few if action == suggested else many) / (1.0 + kid.visits)
            else:
                bonus = p.c * np.sqrt(np.log(np.float64(kid.possible)) / kid.visits)
            score = kid.total / kid.visits + bonus
            if score > best_score:
                best, best_action, best_score = child, action, score
        child = int64(kid.sibling)
    if tried == n:
        return best_action, best
    if p.is_puct:
        passed_on = nodes[node].visits - (1 if node else 0)  # a node's first visit ends there
        hope = nodes[node].worth / max(passed_on, 1)
        if suggested >= 0 and marks[suggested] == is_legal:
            return (suggested, 0) if hope + root * few > best_score else (best_action, best)
        if hope + root * many <= best_score:
            return best_action, best
    return _untried(actions, n, marks, is_legal, below(dice, n - tried)), 0


@kernel
def _relabel(g: Any, world: Any, actions: Any, n: int, marks: Any, labels: int, stamp: Any) -> int:
    """Put labels, which lead back to their moves, in the place of moves; of moves with one label the first counts."""
    kept = int64(0)
    for i in range(n):
        name = ops.label(g, world, int64(actions[i]))
        if marks[name] != stamp:
            marks[name] = stamp
            marks[labels + name] = actions[i]
            actions[kept] = name
            kept += 1
    return kept


@kernel
def _untried(actions: Any, n: int, marks: Any, is_legal: Any, skip: int) -> int:
    """The legal move without a node that stands after ``skip`` others."""
    for i in range(n):
        if marks[actions[i]] == is_legal:
            if skip == 0:
                return int64(actions[i])
            skip -= 1
    return int64(actions[0])


@kernel
def add_child(nodes: Any, p: Any, parent: int, action: int) -> int:
    """A new node below another."""
    child = int64(p.used)
    p.used += 1
    kid = nodes[child]
    kid.total = 0.0
    kid.worth = 0.0
    kid.visits = 0
    kid.possible = 1
    kid.action = action
    kid.child = 0
    kid.sibling = nodes[parent].child
    nodes[parent].child = child
    return child


@large_kernel
def play_out(r: Any, g: Any, world: Any, cut: int, m: Any, result: Any) -> None:
    """Play on by rule ``r`` to the end, or to the ``cut``-th draw, where the game's estimate decides."""
    draws = 0
    while True:
        seat = ops.to_move(g, world)
        if seat == CHANCE:
            draws += 1
            if draws == cut:
                ops.estimate(g, world, result)
                return
            ops.chance(g, world, None)
        elif seat == OVER:
            ops.returns(g, world, result)
            return
        else:
            ops.decide(g, world, ops.rule(r, g, world, m), None)


@dataclasses.dataclass(frozen=True)
class MctsSettings:
    """How long and by which rules the search thinks."""

    sims: int = option(1000, "iterations a move", low=1, high=10_000_000)
    seconds: float = option(0.0, "time a move instead of iterations, 0: count iterations", low=0, high=3600)
    playout: str = option("random", "how games are played out", choices=("random", "suggest"))
    noise: float = option(0.2, "share of random moves in playouts by suggest", low=0, high=1)
    prior: str = option(
        "none", "what orders untried moves: nothing (UCB1) or the game's suggest (PUCT)", choices=("none", "suggest")
    )
    others: str = option(
        "tree",
        "how others move in the tree: searched like oneself, or as the game suggests",
        choices=("tree", "suggest"),
    )
    c: float = option(1.0, "how much to explore", low=0, high=100)
    cut: int = option(0, "end playouts at this draw with the game's estimate, 0: play to the end", low=0, high=1000)


class Mcts(Agent):
    """Thinks by playing many games in its head from here, each in a fresh guess at what is hidden."""

    name = "mcts"
    Settings: ClassVar[type] = MctsSettings
    one_by_one = True
    rolls_policy = True
    nodes_an_iteration: ClassVar[int] = 1  # at most
    settings: MctsSettings

    def __init__(self, game: Game, settings: MctsSettings | None = None) -> None:
        super().__init__(game, settings)
        self._check()
        s = self.settings
        room = min(self.nodes_an_iteration * s.sims + 8, _MOST_NODES) if not s.seconds else _MOST_NODES
        self._nodes = np.zeros(room, Node)
        self._plan = np.zeros(1, Plan)
        self._work = np.zeros(1, game.State)
        self._actions = game.buffer()
        self._labels = game.labels if game.can("label") else 0
        self._marks = np.zeros(2 * self._labels or game.actions, np.uint64)
        self._path = np.zeros((512, 2), np.int64)
        self._result = np.zeros(max(game.seats, MAX_PIECES))
        self._no_memory = np.zeros(1, NO_MEMORY)
        self._rule = PlayoutRule(1.0 if s.playout == "random" else s.noise, game.buffer())
        self._desk = (
            self._nodes,
            self._plan,
            self._work,
            self._no_memory,
            self._actions,
            self._marks,
            self._path,
            self._result,
        )

    def _check(self) -> None:
        s, game = self.settings, self.game
        if "suggest" in (s.playout, s.prior, s.others) and not game.can("suggest"):
            raise BadOption(f"mcts: {game.id} suggests no moves; use playout=random, prior=none and others=tree")
        if s.others == "suggest" and s.playout != "suggest":
            raise BadOption("mcts: others=suggest needs playout=suggest, by which they move; or use others=tree")
        if s.cut and not game.can("estimate"):
            raise BadOption(f"mcts: {game.id} has no estimate; use cut=0")

    def search(self, view: np.ndarray) -> np.ndarray:
        """Think about one view; the root's children as rows of (action, visits, total of whoever moved)."""
        s = self.settings
        view = view.copy()  # the search uses up the view's dice
        self.plant(view)
        if s.seconds:
            end = time.perf_counter() + s.seconds
            self.iterate(view, _CHUNK)
            while time.perf_counter() < end:
                self.iterate(view, _CHUNK)
        else:
            self.iterate(view, s.sims)
        rows, child = [], int(self._nodes["child"][0])
        while child:
            kid = self._nodes[child]
            rows.append((self._move(view, int(kid["action"])), int(kid["visits"]), float(kid["total"])))
            child = int(kid["sibling"])
        return np.array(rows[::-1], np.float64)

    def _move(self, view: np.ndarray, name: int) -> int:
        """The move a node stands for."""
        if not self._labels:
            return name
        n = legal_of(self.game.table, view, self._actions)
        g = ops.open_table(self.game.table)
        return next(int(move) for move in self._actions[:n] if ops.label(g, view[0], int(move)) == name)

    def plant(self, view: np.ndarray) -> None:
        """Begin a new search: nothing but roots, whatever was searched before."""
        self.prepare(view, self._plan)
        roots = int(self._plan["used"][0])
        self._nodes[:roots] = np.zeros(roots, Node)

    def prepare(self, view: np.ndarray, plan: np.ndarray) -> None:
        """Fill in the plan before a search; a game's own search may also write into the view what it believes."""
        s = self.settings
        plan["used"], plan["c"], plan["cut"] = 1, s.c, s.cut
        plan["is_puct"], plan["prior"] = s.prior == "suggest", 0.5
        plan["root"], plan["models"] = self._seat_to_move(view), s.others == "suggest"
        plan["labels"] = self._labels
        plan["sifts"], plan["share"], plan["won"] = 1, 0.0, 0.0

    def iterate(self, view: np.ndarray, sims: int) -> None:
        """Run so many iterations more."""
        grow(self._rule, self.game.table, view, sims, *self._desk)

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        return np.array([self._best(views[i : i + 1]) for i in range(len(views))], np.int64)

    def _best(self, view: np.ndarray) -> int:
        only = self._only_move(view)
        if only >= 0:
            return only
        rows = self.search(view)
        return int(rows[np.argmax(rows[:, 1]), 0])

    def _only_move(self, view: np.ndarray) -> int:
        return int(self._actions[0]) if legal_of(self.game.table, view, self._actions) == 1 else -1

    def policy(self, views: np.ndarray) -> np.ndarray:
        table = np.zeros((len(views), self.game.actions))
        for i in range(len(views)):
            rows = self.search(views[i : i + 1])
            table[i, rows[:, 0].astype(np.int64)] = rows[:, 1] / rows[:, 1].sum()
        return table

    def value(self, views: np.ndarray) -> np.ndarray:
        """The mean result of the mover at the root; the others share its negative."""
        out = np.zeros((len(views), self.game.seats))
        for i in range(len(views)):
            rows = self.search(views[i : i + 1])
            mine = float(self._plan["won"][0]) / max(rows[:, 1].sum(), 1)
            seat = self._seat_to_move(views[i : i + 1])
            out[i] = -mine / (self.game.seats - 1)
            out[i, seat] = mine
        return out

    def _seat_to_move(self, view: np.ndarray) -> int:
        out = np.zeros(1, np.int64)
        whose_turn(self.game.table, view, out)
        return int(out[0])
