"""Exact answers for small games: expected returns, best response, exploitability.

The whole tree is built once and walked in plain Python. NashConv is the sum over seats of what each could gain by a
best response to the others; exploitability is NashConv divided by the number of seats (both as in OpenSpiel).

*Policies*: one for each seat, an agent with ``policy(views)`` or any callable ``view -> probabilities`` of all actions.

*Assumes* that all draws are listed by ``branches`` and none uses the record's generator (a draw inside ``setup`` or
``decide`` is refused). Also assumes perfect recall: an information set is the bytes of the seat's view without its
dice, so the view must tell apart whatever the seat saw and did before. A game that breaks this is refused too.

*Does not handle* games without ``branches``, agents with memory, nor trees beyond ``most_nodes``.

*Cost:* time and memory grow with the number of histories, about 20 microseconds and half a kilobyte each; every
information set asks its seat's policy once.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ludens.core import ops
from ludens.core.error import LudensError
from ludens.core.game import Game
from ludens.core.state import View

Policy = Any  # an Agent with `policy`, or a callable View -> probabilities of all actions
MOST_NODES = 2_000_000


@dataclasses.dataclass
class Node:
    """A history of a game, with all that follow it. ``seat`` is the seat to move, or CHANCE, or OVER.

    ``children[i]`` follows ``actions[i]`` where a seat is to move, and has probability ``probs[i]`` after CHANCE. Only
    the end of a game has ``returns`` [seats].
    """

    seat: int
    key: bytes = b""  # the information set, where a seat is to move
    actions: list[int] = dataclasses.field(default_factory=list)
    probs: list[float] = dataclasses.field(default_factory=list)
    children: list[Node] = dataclasses.field(default_factory=list)
    returns: np.ndarray | None = None


class Tree:
    """All histories of a game as a tree of `Node`; build it once to pass it to several of the functions below.

    LudensError if the game breaks an assumption of this module or has more than ``most_nodes`` histories.
    """

    def __init__(self, game: Game, most_nodes: int = MOST_NODES) -> None:
        if not game.rules.can("branches"):
            raise LudensError(f"{game.id} does not list the outcomes of its draws: exact answers need `branches`")
        self.game = game
        self.most_nodes = most_nodes
        self.nodes = 0
        self.views: dict[bytes, View] = {}
        self._pasts: dict[bytes, tuple[tuple[bytes, int], ...]] = {}
        self._g = ops.open_constants(game.rules.constants)
        start = np.zeros(1, game.rules.State)
        game.rules.place(start, np.zeros(1, np.uint64), {})
        _without_dice(game, start, lambda: ops.setup(self._g, start[0], None))
        self.root = self._build(start, ((),) * game.rules.seats)

    def _build(self, state: np.ndarray, pasts: tuple[tuple[tuple[bytes, int], ...], ...]) -> Node:
        """Build the node of a state (an array of one record) and everything below it.

        ``pasts`` are, for each seat, the pairs (information set, action) of its decisions so far.
        """
        self.nodes += 1
        if self.nodes > self.most_nodes:
            raise LudensError(f"{self.game.id} has more than {self.most_nodes} histories: too many for exact answers")
        seat = int(ops.to_move(self._g, state[0]))
        if seat == ops.OVER:
            return self._leaf(state)
        return self._draw(state, pasts) if seat == ops.CHANCE else self._choice(state, seat, pasts)

    def _leaf(self, state: np.ndarray) -> Node:
        """The node of a finished game; ``state`` is an array of one record."""
        returns = np.zeros(self.game.rules.seats)
        ops.returns(self._g, state[0], returns)
        return Node(ops.OVER, returns=returns)

    def _draw(self, state: np.ndarray, pasts: tuple[tuple[tuple[bytes, int], ...], ...]) -> Node:
        """The node of a state in which a draw is due, with everything below it; for ``pasts`` see `_build`."""
        outs, probs = (
            np.zeros(self.game.rules.max_branches, self.game.rules.State),
            np.zeros(self.game.rules.max_branches),
        )
        count = int(ops.branches(self._g, state[0], outs, probs))
        children = [self._build(outs[i : i + 1].copy(), pasts) for i in range(count)]
        return Node(ops.CHANCE, probs=probs[:count].tolist(), children=children)

    def _choice(self, state: np.ndarray, seat: int, pasts: tuple[tuple[tuple[bytes, int], ...], ...]) -> Node:
        """The node of a state in which ``seat`` is to move, with everything below it; for ``pasts`` see `_build`."""
        key = self._information_set(state, seat, pasts[seat])
        node = Node(seat, key, actions=self.views[key].legal)
        for action in node.actions:
            after = state.copy()
            _without_dice(self.game, after, lambda a=action, s=after: ops.decide(self._g, s[0], a, None))  # type: ignore[misc]
            extended = (*pasts[:seat], (*pasts[seat], (key, action)), *pasts[seat + 1 :])
            node.children.append(self._build(after, extended))
        return node

    def _information_set(self, state: np.ndarray, seat: int, past: tuple[tuple[bytes, int], ...]) -> bytes:
        """The information set of a seat to move: the bytes of its view without its dice.

        ``past`` are its earlier (information set, action) pairs. LudensError if the seat had another past in an earlier
        history of the same set, for then the game lacks perfect recall.
        """
        array = np.zeros(1, self.game.rules.State)
        ops.see(self._g, state[0], seat, array[0])
        array["seat"], array["rng"] = seat, 0
        key = array.tobytes()
        self.views.setdefault(key, View(self.game, array))
        if self._pasts.setdefault(key, past) != past:
            raise LudensError(
                f"seat {seat} of {self.game.id} forgets: one view follows different views or moves of its own"
            )
        return key


def _without_dice(game: Game, state: np.ndarray, rule: Callable[[], None]) -> None:
    """Call ``rule``, which changes ``state`` in place; LudensError if it used the state's random generator."""
    before = int(state["rng"][0])
    rule()
    if int(state["rng"][0]) != before:
        raise LudensError(f"{game.id} rolls dice outside its draws: exact answers need every chance in `branches`")


def _tree_of(game: Game | Tree) -> Tree:
    """The tree of a game; a tree is returned as it is."""
    return game if isinstance(game, Tree) else Tree(game)


class _Policies:
    """The policies of all seats, asked only once in each information set of a tree."""

    def __init__(self, tree: Tree, policies: Sequence[Policy]) -> None:
        if len(policies) != tree.game.rules.seats:
            raise LudensError(
                f"{tree.game.id} has {tree.game.rules.seats} seats but {len(policies)} policies were given"
            )
        self.tree = tree
        self.policies = policies
        self.known: dict[bytes, list[float]] = {}

    def odds(self, node: Node) -> list[float]:
        """The probability of each child of a node where a seat or chance is to move, in the order of ``children``."""
        if node.seat == ops.CHANCE:
            return node.probs
        if node.key not in self.known:
            self.known[node.key] = self._probabilities(node)
        return self.known[node.key]

    def _probabilities(self, node: Node) -> list[float]:
        """Ask the policy of the seat to move for the probability of each of a node's actions.

        LudensError if they do not sum to 1.
        """
        policy, view = self.policies[node.seat], self.tree.views[node.key]
        copy = View(view.game, view.array.copy())
        given = policy.policy(copy.array)[0] if hasattr(policy, "policy") else policy(copy)
        probs = [float(given[action]) for action in node.actions]
        if min(probs) < 0 or abs(sum(probs) - 1) > 1e-6:
            raise LudensError(f"the policy of seat {node.seat} gives its legal actions {node.actions} the odds {probs}")
        return probs


def expected_returns(game: Game | Tree, policies: Sequence[Policy]) -> np.ndarray:
    """The exact expected return of each seat, [seats], when seat i plays ``policies[i]``."""
    tree = _tree_of(game)
    return _expected(tree.root, _Policies(tree, policies))


def _expected(node: Node, table: _Policies) -> np.ndarray:
    """The expected return of each seat, [seats], from a node on; ``table`` gives the probabilities of moves."""
    if node.returns is not None:
        return node.returns
    total = np.zeros(table.tree.game.rules.seats)
    for child, prob in zip(node.children, table.odds(node), strict=True):
        if prob:
            total += prob * _expected(child, table)
    return total


@dataclasses.dataclass(frozen=True)
class BestResponse:
    """The largest expected return of a seat against given policies (``value``), and the action it takes in each set.

    It is itself a policy, ``view -> probabilities``.
    """

    value: float
    choices: dict[bytes, int]  # information set -> action
    actions: int

    def __call__(self, view: View) -> np.ndarray:
        """The probability of each action in a view, [actions]: 1 for the action chosen, 0 for the others.

        In information sets that the best response never reaches, the first legal action is chosen.
        """
        record = view.array.copy()
        record["rng"] = 0
        odds = np.zeros(self.actions)
        odds[self.choices.get(record.tobytes(), view.legal[0])] = 1
        return odds


def best_response(game: Game | Tree, policies: Sequence[Policy], seat: int) -> BestResponse:
    """Compute the best response of ``seat`` to the policies of the others; ``policies[seat]`` is not used."""
    tree = _tree_of(game)
    answer = _BestResponseSearch(tree, _Policies(tree, policies), seat)
    value = answer.value(tree.root)
    return BestResponse(value, dict(answer.choices), tree.game.rules.actions)


class _BestResponseSearch:
    """Computes the best response of a seat to the policies in ``table``.

    In each information set it is the action that is best on average over the set's histories.
    """

    def __init__(self, tree: Tree, table: _Policies, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.sets: dict[bytes, list[tuple[Node, float]]] = defaultdict(list)  # histories, reach of the others
        self.choices: dict[bytes, int] = {}
        self._values: dict[int, float] = {}
        self._collect(tree.root, 1.0)

    def _collect(self, node: Node, reach: float) -> None:
        """Note, for each information set of the seat, its histories with the reach of the others and of chance.

        It walks everything below ``node``, which they reach with probability ``reach``.
        """
        if node.seat == self.seat:
            self.sets[node.key].append((node, reach))
        if node.seat == ops.OVER:
            return
        odds = [1.0] * len(node.children) if node.seat == self.seat else self.table.odds(node)
        for child, prob in zip(node.children, odds, strict=True):
            self._collect(child, reach * prob)

    def value(self, node: Node) -> float:
        """The expected return of the seat from a node on if it plays the best response; computed once for each node."""
        if id(node) not in self._values:
            self._values[id(node)] = self._value(node)
        return self._values[id(node)]

    def _value(self, node: Node) -> float:
        """Compute what `value` returns for a node that is asked for the first time."""
        if node.returns is not None:
            return float(node.returns[self.seat])
        if node.seat == self.seat:
            return self.value(node.children[node.actions.index(self._choose(node))])
        pairs = zip(node.children, self.table.odds(node), strict=True)
        return sum(prob * self.value(child) for child, prob in pairs if prob)

    def _choose(self, node: Node) -> int:
        """The best action in the information set of a node where the seat is to move."""
        if node.key not in self.choices:
            worth = [
                sum(reach * self.value(history.children[i]) for history, reach in self.sets[node.key])
                for i in range(len(node.actions))
            ]
            self.choices[node.key] = node.actions[int(np.argmax(worth))]
        return self.choices[node.key]


def nash_conv(game: Game | Tree, policies: Sequence[Policy]) -> float:
    """The sum over seats of what each would gain by a best response to ``policies``; 0 exactly in an equilibrium."""
    tree = _tree_of(game)
    held = expected_returns(tree, policies)
    return float(sum(best_response(tree, policies, seat).value - held[seat] for seat in range(tree.game.rules.seats)))


def exploitability(game: Game | Tree, policies: Sequence[Policy]) -> float:
    """How much a best response gains against ``policies``, as the mean over the seats (NashConv / seats)."""
    tree = _tree_of(game)
    return nash_conv(tree, policies) / tree.game.rules.seats
