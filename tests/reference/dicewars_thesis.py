"""The thesis's player as section 9 of the specification tells it, slow and plain, written only to check the fast one.

It plays on the board of `tests.reference.dicewars` and shares no code with `ludens`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace

from tests.reference.dicewars import END, Move, Reference, border, hold, possible_attacks, success


@dataclass(frozen=True)
class Ways:
    """The options of the player."""

    depth: int = 6
    prune: str = "threshold"
    limit: float = 0.75
    nodes: int = 2000
    sure: float = 0.95
    renormalise: bool = False
    pass_move: bool = False
    layers: str = "code"
    strategy: str = "retreat"
    support: bool = True
    retreat: bool = True
    fallback: bool = True
    likely: float = 0.6
    gamble: float = 0.3
    route: str = "dfs"
    empty_route: bool = True


@dataclass
class Memory:
    """What is kept from one decision of a turn to the next. After each it must be told what was `played`."""

    turn: int = -1
    searches: int = 0
    steps: list[Move] = field(default_factory=list)  # of the route in progress
    plan: list[Move] = field(default_factory=list)  # the route that the next move goes on with or begins, if it does

    def note(self, turn: int) -> None:
        if turn != self.turn:
            self.turn, self.searches, self.steps = turn, 0, []

    def played(self, move: Move) -> None:
        """Go on with the plan if its first step was played. An attack instead of it begins no route."""
        if self.plan[:1] == [move]:
            self.steps = self.plan[1:]


# 9.1


def layers(b: Reference, player: int) -> dict[int, int]:
    """The layer of each area of a player; the border is 0."""
    mine = b.lands(player)
    found = {area: 0 for area in mine if b.enemies(area, player)}
    waiting = list(found)
    for area in waiting:
        for other in b.friends(area, player):
            if other not in found:
                found[other] = found[area] + 1
                waiting.append(other)
    return found


def weights(count: int, source: str) -> list[float]:
    if count > 5:
        return [0.5**i for i in range(1, count + 1)]
    if source == "text":
        return [2 ** (count - i) / (2**count - 1) for i in range(1, count + 1)]
    return [(2 ** (count - 1) / (2**count - 1)) ** i for i in range(1, count + 1)]


def evaluation(b: Reference, player: int, source: str) -> float:
    mine = b.lands(player)
    if not mine or len(mine) == len(b.owner):
        return 1.0 if mine else 0.0
    layer = layers(b, player)
    groups = [[area for area in mine if layer[area] == i] for i in range(max(layer.values()) + 1)]
    full = [sum(b.dice[area] for area in group) / (b.rules.max_dice * len(group)) for group in groups]
    parts = (
        len(mine) / len(b.owner),
        len(b.largest(player)) / len(mine),
        (len(mine) - len(groups[0])) / len(mine),
        sum(weight * ratio for weight, ratio in zip(weights(len(groups), source), full, strict=True)),
    )
    return (parts[0] + 10 * parts[1] + 4 * parts[2] + 8 * parts[3]) / 23


# 9.2


class Tree:
    """One search, by recursion."""

    def __init__(self, ways: Ways) -> None:
        self.ways, self.nodes = ways, 0

    def accepted(self, b: Reference) -> list[Move]:
        found = possible_attacks(b)
        if self.ways.prune == "none":
            return found
        return [a for a in found if success(b, a) * hold(b, a[2], b.dice[a[1]] - 1) >= self.ways.limit]

    def search(self, b: Reference, depth: int) -> tuple[list[float], dict[Move, float]]:
        """The vector of a node, and what each of its moves is worth to the mover."""
        self.nodes += 1
        moves = self.accepted(b) if depth and self.nodes <= self.ways.nodes else []
        standing = [evaluation(b, player, self.ways.layers) for player in range(b.rules.players)]
        if not moves:
            return standing, {}
        options: dict[Move, list[float]] = {END: standing} if self.ways.pass_move else {}
        options.update({move: self._follow(b, move, depth - 1) for move in moves})
        best = max(options, key=lambda move: options[move][b.turn])
        return options[best], {move: vector[b.turn] for move, vector in options.items()}

    def _follow(self, b: Reference, move: Move, depth: int) -> list[float]:
        p = success(b, move)
        won, _ = self.search(after(b, move, is_won=True), depth)
        if p > self.ways.sure:
            return won if self.ways.renormalise else [p * value for value in won]
        lost, _ = self.search(after(b, move, is_won=False), depth)
        return [p * x + (1 - p) * y for x, y in zip(won, lost, strict=True)]


def after(b: Reference, move: Move, *, is_won: bool) -> Reference:
    """The board after an attack, with the next player to move, alive or not."""
    child = replace(b, owner=dict(b.owner), dice=dict(b.dice))
    child.attack(move[1], move[2], is_won)
    child.turn = (b.turn + 1) % b.rules.players
    return child


# 9.4


def route(b: Reference, ways: Ways, steps: int) -> list[Move]:
    """The transfers of the best route, in the order they are played."""
    best: tuple[int, int] = (1 << 30, 0)
    chosen: list[int] = []
    for root in border(b):
        if b.dice[root] < b.rules.max_dice:
            space, path = _best_path(b, ways, root, steps)
            if path and (space, len(path)) < best:
                best, chosen = (space, len(path)), path
    return [("move", source, target) for target, source in reversed(list(itertools.pairwise(chosen)))]


def _best_path(b: Reference, ways: Ways, root: int, steps: int) -> tuple[int, list[int]]:
    layer, waiting = layers(b, b.turn), [[root]]
    least, best = 1 << 30, list[int]()
    while waiting and least > 0:
        path = waiting.pop(-1 if ways.route == "dfs" else 0)
        space = b.rules.max_dice - b.dice[root] - sum(b.dice[area] - 1 for area in path[1:])
        if space < least and (len(path) > 1 or ways.empty_route):
            least, best = space, path
        here = path[-1]
        if len(path) <= steps and b.dice[here] < b.rules.max_dice:
            wanted = {layer[here] + 1, layer[here] if layer[here] >= 2 else -1}
            waiting += [[*path, other] for other in b.friends(here, b.turn) if layer[other] in wanted]
    return least, best


# 9.5


def retreat(b: Reference) -> Move | None:
    edge, best, most = border(b), None, -1.0
    for source in edge:
        rivals = [("attack", other, source) for other in b.enemies(source, b.turn) if b.dice[other] >= 2]
        danger = sum(success(b, attack) for attack in rivals) / max(len(rivals), 1)
        for target in b.friends(source, b.turn):
            both = b.dice[source] + b.dice[target]
            if b.dice[source] >= 2 and target not in edge and both <= b.rules.max_dice and danger * both > most:
                best, most = ("move", source, target), danger * both
    return best


def answers(ways: Ways, b: Reference, memory: Memory) -> tuple[set[Move], int]:
    """The moves it may make here, several where it throws dice or values are equal, and the nodes it looked at."""
    memory.note(b.turns)
    left = b.rules.max_transfers - b.transfers
    if ways.support and left > 0 and (memory.steps or _may_begin(ways, b)):
        early = b.rules.max_transfers * 2 // 3 if ways.strategy == "split" else b.rules.max_transfers
        memory.plan = memory.steps or route(b, ways, min(early - b.transfers, 6))
        if memory.plan:
            return {memory.plan[0]}, 0
    found, nodes = set[Move](), 0
    if memory.searches < 16:
        memory.searches += 1
        found, nodes = _attacks(ways, b)
    if END not in found and found:
        return found, nodes
    return (found - {END}) | {_late(ways, b, memory, left)}, nodes


def _may_begin(ways: Ways, b: Reference) -> bool:
    limit = b.rules.max_transfers
    last = {"first": limit - 1, "split": limit * 2 // 3 - 1}.get(ways.strategy, limit // 2)
    return b.transfers <= last


def _attacks(ways: Ways, b: Reference) -> tuple[set[Move], int]:
    """The attacks it may choose, END among them where it may also choose none."""
    tree = Tree(ways)
    _, worth = tree.search(b, ways.depth)
    if worth:
        most = max(worth.values())
        best = {move for move, value in worth.items() if math.isclose(value, most, abs_tol=1e-12)}
        if best != {END}:
            return best, tree.nodes
    likeliest = max(possible_attacks(b), key=lambda attack: success(b, attack), default=None)
    if likeliest is None or not ways.fallback:
        return {END}, tree.nodes
    if success(b, likeliest) >= ways.likely:
        return {likeliest}, tree.nodes
    return {move for move, p in ((likeliest, ways.gamble), (END, 1 - ways.gamble)) if p}, tree.nodes


def _late(ways: Ways, b: Reference, memory: Memory, left: int) -> Move:
    """What comes when there is no attack."""
    if left <= 0 or not ways.retreat or ways.strategy == "first":
        return END
    if ways.strategy == "retreat":
        return retreat(b) or END
    memory.plan = memory.steps or route(b, ways, min(left, 6))
    return memory.plan[0] if memory.plan else END
