"""Monte Carlo tree search over guessed worlds, for any game and any number of seats.

Every iteration guesses a world consistent with the view (`guess`), walks down the tree by moves that are legal in that
world, adds one node, plays the game out, and adds to every node on its path the result of the seat that moved into it.
Where nothing is hidden this is open-loop MCTS: draws happen while walking, and nodes stand for sequences of decisions.
Where something is hidden it is single-observer information-set MCTS: moves are compared by how often they were
possible.

Selection is UCB1, or PUCT with a prior: half of it for the move that the game's `suggest` names, or in proportion to
the weights of `order`. Playouts are random, or by `suggest` with a share of random moves. ``cut`` ends a playout at the
n-th draw with `value` instead of playing to the end. Where the game's `order` prunes (`Rules.order_prunes`), moves of
weight 0 get no node. Where a seat has several pieces, a node is credited with the result of its own piece (`credit`).

`value` and `order` are those of the agent's evaluator (`Mcts.evaluator`), by default the game's own.

A node stands for an action, or for a `label` in games where one action number means different moves in different
worlds (the third card of a hand).

Opponents in the tree are modelled as knowing the guessed world. With ``others=suggest`` they get no nodes and play as
the game suggests, from what they may know: this models their ignorance, but assumes that they play no better than that.
For opponents that know less and still search see observers.py. Not handled: simultaneous moves.
Cost: one playout an iteration; memory 36 bytes an iteration.
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
from ludens.search.contract import credit, evaluator_of, label, piece
from ludens.search.tree import PRIORS, Control, Node, Tree, add_child, select

if TYPE_CHECKING:
    from ludens.core.game import Game

MAX_PIECES = 16  # the largest number of pieces `credit` can write results of
PRIOR_HELP = "what orders untried moves: nothing (UCB1), the game's suggest, or the weights of order (PUCT)"
_CHUNK = 64  # iterations between two readings of the clock
_MOST_NODES = 1 << 21


class PlayoutPlayer(NamedTuple):
    """Settings of the player in playouts: a random move with probability ``noise``, else the game's `suggest`.

    Its `value` is that of ``evaluator``; it has no `order`. ``actions`` is a buffer for legal actions.
    """

    noise: float
    actions: np.ndarray
    evaluator: Any


class OrderingPlayer(NamedTuple):
    """Settings of a player in playouts that moves as `PlayoutPlayer` does and also has an `order`.

    Its `value` and `order` are those of ``evaluator``. A type of its own, so that searches without `order` need not
    compile it.
    """

    noise: float
    actions: np.ndarray
    evaluator: Any


@implements(ops.rule, OrderingPlayer)
@implements(ops.rule, PlayoutPlayer)
@kernel
def _suggest_or_random(r: PlayoutPlayer, g: Any, v: Any, m: Any) -> int:
    """The rule of playouts: a random legal action with probability ``r.noise``, else the action the game suggests."""
    if r.noise >= 1.0 or uniform(v) < r.noise:
        n = ops.legal(g, v, r.actions)
        return int64(r.actions[below(v, n)])
    return ops.suggest(g, v)


@implements(ops.value, OrderingPlayer)
@implements(ops.value, PlayoutPlayer)
@kernel
def _value(r: PlayoutPlayer, g: Any, s: Any, out: Any) -> None:
    """Write the expected return of each seat by ``r.evaluator`` into ``out`` [seats]."""
    ops.value(r.evaluator, g, s, out)


@implements(ops.order, PlayoutPlayer)
@kernel
def _no_order(r: PlayoutPlayer, g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    """Write nothing: a `PlayoutPlayer` has no order of moves."""


@implements(ops.order, OrderingPlayer)
@kernel
def _order(r: OrderingPlayer, g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    """Write the weights that ``r.evaluator`` gives the first ``n`` of ``actions`` into ``out``."""
    ops.order(r.evaluator, g, v, actions, n, out)


@kernel
def run_iterations(player: Any, constants: Any, view: Any, sims: int, owned: Tree) -> None:
    """Run ``sims`` iterations of MCTS from ``view`` (an array of one record) and add them to the tree ``owned``.

    ``player`` is a `PlayoutPlayer` or `OrderingPlayer`; ``constants`` are as Python passes them. The dice of ``view``
    are used up.
    """
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
def _descend(r: Any, g: Any, t: Tree, dice: Any) -> int:
    """Play ``t.world`` down the tree and one move out of it, adding a node for that; return the length of the path.

    Stops earlier at the end of the game or when the array of nodes or of the path is full. ``t.path[1:]`` then has the
    nodes passed, each with the seat (or piece) that moved into it. ``dice`` chooses among untried moves.
    """
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
        mover = piece(g, world) - 1
        ops.apply(g, world, int64(t.marks[p.labels + name]) if p.labels else name, None)
        depth += 1
        node = child
        path[depth, 0] = node
        path[depth, 1] = seat if mover < 0 else mover
    return depth


@large_kernel
def play_out(r: Any, g: Any, world: Any, cut: int, m: Any, result: Any) -> None:
    """Play ``world`` on, in place, by the rule of settings ``r`` to its end, or to the ``cut``-th draw (0: no limit).

    Writes the returns to ``result`` [seats], or at a cut what `value` gives. ``m`` is the memory given to the rule.
    """
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
    """How long an MCTS agent searches, how it selects moves, and how it plays games out."""

    sims: int = option(1000, "iterations a move", low=1, high=10_000_000)
    seconds: float = option(0.0, "seconds a move, 0: count iterations instead", low=0, high=3600)
    playout: str = option("random", "how games are played out", choices=("random", "suggest"))
    noise: float = option(0.2, "share of random moves in playouts by suggest", low=0, high=1)
    prior: str = option("none", PRIOR_HELP, choices=PRIORS)
    others: str = option(
        "tree",
        "how other seats move in the tree: searched as well, or as the game suggests",
        choices=("tree", "suggest"),
    )
    c: float = option(1.0, "how much to explore", low=0, high=100)
    model: str = option("", "a trained agent whose values and order of moves are used; '': those of the game")
    cut: int = option(0, "end playouts at this draw with the position's value, 0: play to the end", low=0, high=1000)


class Mcts(Agent):
    """Plays out many games from here, each with a new guess at what is hidden, and takes the most tried move."""

    name = "mcts"
    Settings: ClassVar[type] = MctsSettings
    one_by_one = True
    rolls_policy = True
    nodes_an_iteration: ClassVar[int] = 1  # the most that one iteration adds
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
        """The parameters of the search. To be overridden where the agent's own settings are of another type."""
        return self.settings

    def evaluator(self) -> Any:
        """The settings whose `value` and `order` the search uses.

        Those of the trained agent in ``model``, else of the game, unless a subclass overrides this.
        """
        s = self.how
        needs = [name for name, is_used in (("value", s.cut), ("order", s.prior == "order")) if is_used]
        return evaluator_of(getattr(s, "model", ""), self.game, *needs)

    def _check(self) -> None:
        """Raise BadOption if the parameters need an operation that the game does not have, or exclude each other."""
        s, game, evaluator = self.how, self.game, type(self.evaluator())
        if "suggest" in (s.playout, s.prior, s.others) and not game.rules.can("suggest"):
            raise BadOption(f"mcts: {game.id} suggests no moves; use playout=random, prior=none and others=tree")
        if s.others == "suggest" and s.playout != "suggest":
            raise BadOption("mcts: others=suggest needs playout=suggest too; or use others=tree")
        if s.cut and not (game.rules.can("value") or ops.is_implemented("value", evaluator)):
            raise BadOption(f"mcts: {game.id} has no value for positions; use cut=0")
        if s.prior == "order" and not (game.rules.can("order") or ops.is_implemented("order", evaluator)):
            raise BadOption(f"mcts: {game.id} does not order its moves; use prior=none")

    def search(self, view: np.ndarray) -> np.ndarray:
        """Search from one view (an array of one record); returns what was found of each move tried there.

        The result has a row (action, visits, sum of the mover's results) for each: [moves, 3]. The view is not changed.
        """
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
        """The action of a move at the root, given the action or label ``name`` of its node; ``view`` is the root's."""
        if not self._labels:
            return name
        actions, g = self.tree.actions, ops.open_constants(self.game.rules.constants)
        n = legal_of(self.game.rules.constants, view, actions)
        return next(int(move) for move in actions[:n] if label(g, view[0], int(move)) == name)

    def new_tree(self, view: np.ndarray) -> None:
        """Empty the tree and fill in its control record for a search from ``view`` (an array of one record)."""
        self.prepare(view, self.tree.control)
        self.tree.nodes[: self.roots] = np.zeros(self.roots, Node)

    def prepare(self, view: np.ndarray, control: np.ndarray) -> None:
        """Fill in ``control``, the control record of a search from ``view``, in place; called before each search.

        A subclass may also write its beliefs into ``view`` here.
        """
        s = self.how
        control["used"], control["won"], control["share"] = self.roots, 0.0, 0.0
        control["c"], control["cut"], control["prior"] = s.c, s.cut, PRIORS.index(s.prior)
        control["root"], control["models"] = self._seat_to_move(view), s.others == "suggest"
        control["labels"], control["prunes"] = self._labels, self._prunes

    def iterate(self, view: np.ndarray, sims: int) -> None:
        """Run ``sims`` further iterations from a view (an array of one record), whose dice are used up."""
        run_iterations(self.player, self.game.rules.constants, view, sims, self.tree)

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """The most visited move of a search from each view: [lanes]. ``memory`` is not used."""
        return np.array([self._best(views[i : i + 1]) for i in range(len(views))], np.int64)

    def _best(self, view: np.ndarray) -> int:
        """The most visited move of a search from a view; without a search if only one move is legal."""
        only = self._only_move(view)
        if only >= 0:
            return only
        rows = self.search(view)
        return int(rows[np.argmax(rows[:, 1]), 0])

    def _only_move(self, view: np.ndarray) -> int:
        """The only legal action of a view, or -1 if there are several."""
        actions = self.tree.actions
        return int(actions[0]) if legal_of(self.game.rules.constants, view, actions) == 1 else -1

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The share of iterations that went to each action, by a search from each view: [lanes, actions]."""
        table = np.zeros((len(views), self.game.rules.actions))
        for i in range(len(views)):
            rows = self.search(views[i : i + 1])
            table[i, rows[:, 0].astype(np.int64)] = rows[:, 1] / rows[:, 1].sum()
        return table

    def value(self, views: np.ndarray) -> np.ndarray:
        """The value of each seat by a search from each view: [lanes, seats].

        For the seat to move it is the mean result of the iterations; the others share its negative.
        """
        out = np.zeros((len(views), self.game.rules.seats))
        for i in range(len(views)):
            rows = self.search(views[i : i + 1])
            mine = float(self.tree.control["won"][0]) / max(rows[:, 1].sum(), 1)
            seat = self._seat_to_move(views[i : i + 1])
            out[i] = -mine / (self.game.rules.seats - 1)
            out[i, seat] = mine
        return out

    def _seat_to_move(self, view: np.ndarray) -> int:
        """The seat to move in a view (an array of one record)."""
        out = np.zeros(1, np.int64)
        seats_to_move(self.game.rules.constants, view, out)
        return int(out[0])
