"""Monte Carlo tree search over guessed worlds, for any game and any number of seats.

Every iteration draws a fresh world consistent with the view (`guess`), walks down the tree by the moves that are
legal in that world, adds one node, plays the game out and gives every node on the way the result of the seat that
moved into it. Where nothing is hidden this is plain open-loop MCTS: draws happen while walking, nodes stand for
sequences of decisions. Where something is hidden it is single-observer information-set MCTS: moves are compared by
how often they were possible.

Selection is UCB1, or PUCT with a prior: half of it to the move the game's `suggest` names, or shared by the weights of
`order`. Playouts are random, or by `suggest` with a share of random moves. ``cut`` ends a playout at the n-th draw with
`value` instead of playing to the end. Where the game's `order` prunes (`Rules.order_prunes`), moves without weight get
no node. Where a seat has several pieces, a node is credited with what its own piece achieved (`credit`).

`value` and `order` are the player's (`Mcts.evaluator`), the game's own unless it brings some.

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
from ludens.core.drive import legal_of, make_world, seats_to_move
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.option import option
from ludens.core.refcount import without_refcount
from ludens.core.rng import below, uniform
from ludens.search.contract import GameEvaluator, credit, label, piece
from ludens.search.tree import PRIORS, Control, Node, Tree, add_child, select

if TYPE_CHECKING:
    from ludens.core.game import Game

MAX_PIECES = 16  # that `credit` can tell apart
PRIOR_HELP = "what orders untried moves: nothing (UCB1), the game's suggest, or the weights of order (PUCT)"
_CHUNK = 64  # iterations between two looks at the clock
_MOST_NODES = 1 << 21


class PlayoutPlayer(NamedTuple):
    """Plays out by the game's `suggest` with a share of random moves (all, where the game has none); values are those
    of its judge. It orders no moves.
    """

    noise: float
    actions: np.ndarray
    evaluator: Any


class OrderingPlayer(NamedTuple):
    """The same, and orders moves as its judge does: a type of its own, so that others need not compile that."""

    noise: float
    actions: np.ndarray
    evaluator: Any


@implements(ops.rule, OrderingPlayer)
@implements(ops.rule, PlayoutPlayer)
@kernel
def _suggest_or_random(r: PlayoutPlayer, g: Any, v: Any, m: Any) -> int:
    if r.noise >= 1.0 or uniform(v) < r.noise:
        n = ops.legal(g, v, r.actions)
        return int64(r.actions[below(v, n)])
    return ops.suggest(g, v)


@implements(ops.value, OrderingPlayer)
@implements(ops.value, PlayoutPlayer)
@kernel
def _value(r: PlayoutPlayer, g: Any, s: Any, out: Any) -> None:
    ops.value(r.evaluator, g, s, out)


@implements(ops.order, PlayoutPlayer)
@kernel
def _no_order(r: PlayoutPlayer, g: Any, v: Any, actions: Any, n: int, out: Any) -> None: ...


@implements(ops.order, OrderingPlayer)
@kernel
def _order(r: OrderingPlayer, g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    ops.order(r.evaluator, g, v, actions, n, out)


@kernel
def run_iterations(player: Any, constants: Any, view: Any, sims: int, owned: Tree) -> None:
    """Run ``sims`` iterations from the view, whose dice they use up."""
    g, r, t = ops.open_constants(constants), without_refcount(player), without_refcount(owned)
    nodes, path, dice, p = t.nodes, t.path, view[0], t.control[0]
    for _ in range(sims):
        t.world[0] = view[0]
        make_world(g, t.world[0], dice)
        depth = _descend(r, g, t, dice)
        play_out(r, g, t.world[0], p.cut, t.memory[0], t.result)
        p.won += t.result[p.root]
        credit(g, t.world[0], p.share, t.result)
        nodes[0].visits += 1
        for d in range(depth, 0, -1):
            n, won = nodes[path[d, 0]], t.result[path[d, 1]]
            n.visits += 1
            n.total += won
            nodes[path[d - 1, 0]].worth += won


@kernel
def _descend(r: Any, g: Any, t: Any, dice: Any) -> int:
    """Walk down the tree and one move out of it; the length of the path."""
    world, nodes, path, p = t.world[0], t.nodes, t.path, t.control[0]
    depth, node, is_new = 0, int64(0), False
    while not is_new:
        seat = ops.to_move(g, world)
        if seat == OVER or depth + 1 >= len(path):
            break
        if p.models and seat != p.root:
            ops.apply(g, world, ops.rule(r, g, world, t.memory[0]), None)
            continue
        name, child = select(r, g, t, node, dice)
        if child == 0:
            if p.used >= len(nodes):
                break
            child = add_child(nodes, p, node, name)
            is_new = True
        who = piece(g, world) - 1
        ops.apply(g, world, int64(t.marks[p.labels + name]) if p.labels else name, None)
        depth += 1
        node = child
        path[depth, 0] = node
        path[depth, 1] = seat if who < 0 else who
    return depth


@large_kernel
def play_out(r: Any, g: Any, world: Any, cut: int, m: Any, result: Any) -> None:
    """Play on by rule ``r`` to the end, or to the ``cut``-th draw, where the player's value decides."""
    draws = 0
    while True:
        seat = ops.to_move(g, world)
        if seat == CHANCE:
            draws += 1
            if draws == cut:
                ops.value(r, g, world, result)
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
    prior: str = option("none", PRIOR_HELP, choices=PRIORS)
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
    roots: ClassVar[int] = 1  # nodes a search begins with
    prunes: ClassVar[bool] = True  # whether moves to which `order` gives no weight get no node
    settings: Any

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.how = s = self.search_settings()
        self._check()
        most = min(self.nodes_an_iteration * s.sims + 8, _MOST_NODES) if not s.seconds else _MOST_NODES
        self._labels = game.rules.labels if game.rules.can("label") else 0
        self.tree = Tree(
            control=np.zeros(1, Control),
            nodes=np.zeros(most, Node),
            world=np.zeros(1, game.rules.State),
            memory=np.zeros(1, NO_MEMORY),
            actions=game.rules.buffer(),
            marks=np.zeros(2 * self._labels or game.rules.actions, np.uint64),
            weights=np.zeros(game.rules.max_legal),
            prior=np.zeros(self._labels or game.rules.actions),
            path=np.zeros((512, 2), np.int64),
            result=np.zeros(max(game.rules.seats, MAX_PIECES)),
        )
        self._prunes = self.prunes and game.rules.order_prunes
        kind = OrderingPlayer if self._prunes or s.prior == "order" else PlayoutPlayer
        self.player = kind(1.0 if s.playout == "random" else s.noise, game.rules.buffer(), self.evaluator())

    def search_settings(self) -> MctsSettings:
        """The settings in the search's own terms."""
        return self.settings

    def evaluator(self) -> Any:
        """The settings (a NamedTuple) by whose `value` and `order` the search goes; the game's unless overridden."""
        return GameEvaluator()

    def _check(self) -> None:
        s, game, evaluator = self.how, self.game, type(self.evaluator())
        if "suggest" in (s.playout, s.prior, s.others) and not game.rules.can("suggest"):
            raise BadOption(f"mcts: {game.id} suggests no moves; use playout=random, prior=none and others=tree")
        if s.others == "suggest" and s.playout != "suggest":
            raise BadOption("mcts: others=suggest needs playout=suggest, by which they move; or use others=tree")
        if s.cut and not (game.rules.can("value") or ops.is_implemented("value", evaluator)):
            raise BadOption(f"mcts: {game.id} has no estimate; use cut=0")
        if s.prior == "order" and not (game.rules.can("order") or ops.is_implemented("order", evaluator)):
            raise BadOption(f"mcts: {game.id} does not order its moves; use prior=none")

    def search(self, view: np.ndarray) -> np.ndarray:
        """Think about one view; the root's children as rows of (action, visits, total of whoever moved)."""
        s, nodes = self.how, self.tree.nodes
        view = view.copy()  # the search uses up the view's dice
        self.new_tree(view)
        if s.seconds:
            end = time.perf_counter() + s.seconds
            self.iterate(view, _CHUNK)
            while time.perf_counter() < end:
                self.iterate(view, _CHUNK)
        else:
            self.iterate(view, s.sims)
        rows, child = [], int(nodes["child"][0])
        while child:
            kid = nodes[child]
            rows.append((self._move(view, int(kid["action"])), int(kid["visits"]), float(kid["total"])))
            child = int(kid["sibling"])
        return np.array(rows[::-1], np.float64)

    def _move(self, view: np.ndarray, name: int) -> int:
        """The move a node stands for."""
        if not self._labels:
            return name
        actions, g = self.tree.actions, ops.open_constants(self.game.rules.constants)
        n = legal_of(self.game.rules.constants, view, actions)
        return next(int(move) for move in actions[:n] if label(g, view[0], int(move)) == name)

    def new_tree(self, view: np.ndarray) -> None:
        """Begin a new search: nothing but roots, whatever was searched before."""
        self.prepare(view, self.tree.control)
        self.tree.nodes[: self.roots] = np.zeros(self.roots, Node)

    def prepare(self, view: np.ndarray, control: np.ndarray) -> None:
        """Fill in the plan before a search; a game's own search may also write into the view what it believes."""
        s = self.how
        control["used"], control["won"], control["share"] = self.roots, 0.0, 0.0
        control["c"], control["cut"], control["prior"] = s.c, s.cut, PRIORS.index(s.prior)
        control["root"], control["models"] = self._seat_to_move(view), s.others == "suggest"
        control["labels"], control["prunes"] = self._labels, self._prunes

    def iterate(self, view: np.ndarray, sims: int) -> None:
        """Run so many iterations more."""
        run_iterations(self.player, self.game.rules.constants, view, sims, self.tree)

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        return np.array([self._best(views[i : i + 1]) for i in range(len(views))], np.int64)

    def _best(self, view: np.ndarray) -> int:
        only = self._only_move(view)
        if only >= 0:
            return only
        rows = self.search(view)
        return int(rows[np.argmax(rows[:, 1]), 0])

    def _only_move(self, view: np.ndarray) -> int:
        actions = self.tree.actions
        return int(actions[0]) if legal_of(self.game.rules.constants, view, actions) == 1 else -1

    def policy(self, views: np.ndarray) -> np.ndarray:
        table = np.zeros((len(views), self.game.rules.actions))
        for i in range(len(views)):
            rows = self.search(views[i : i + 1])
            table[i, rows[:, 0].astype(np.int64)] = rows[:, 1] / rows[:, 1].sum()
        return table

    def value(self, views: np.ndarray) -> np.ndarray:
        """The mean result of the mover at the root; the others share its negative."""
        out = np.zeros((len(views), self.game.rules.seats))
        for i in range(len(views)):
            rows = self.search(views[i : i + 1])
            mine = float(self.tree.control["won"][0]) / max(rows[:, 1].sum(), 1)
            seat = self._seat_to_move(views[i : i + 1])
            out[i] = -mine / (self.game.rules.seats - 1)
            out[i, seat] = mine
        return out

    def _seat_to_move(self, view: np.ndarray) -> int:
        out = np.zeros(1, np.int64)
        seats_to_move(self.game.rules.constants, view, out)
        return int(out[0])
