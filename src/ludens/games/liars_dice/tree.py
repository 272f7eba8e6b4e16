"""The public tree of one two-player round of Liar's Dice, for `ludens.solve.vector_cfr`.

A public state is the last bid. Two merges make the tree small without changing any result (they follow from one rule):
a hand matters only through its *support* of each face, the number of its dice that count for a bid on that face, and

* the support of a face that no later bid can name does not matter,
* supports so small that every later bid on the face must be false, whatever the opponent holds, are treated as equal.

Both follow from the smallest quantity ``least(b, g)`` of a bid on face g that is the last bid b or can still follow it:
hands whose supports, raised to at least ``least - opponent's dice - 1``, agree have equal values, regrets and best
responses. With wild dice the supports of the faces are no longer counts of the faces, but the argument is the same.

*Handles* all four raise rules, wild none, low or high, 1 to 5 dice a side (any numbers whose hands and tables fit), the
round counted +1 and -1. *Does not handle* ``exact``, ``loss = difference``, wild dice that are switched off by a bid,
or three players.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.solve import contract

RAISE_RULES = ("reset_face", "reset_quantity", "monotone", "single_step_axis")
WILDS = ("none", "low", "high")

_SIZE_CAP = 2**62  # stands for all larger numbers of entries, which uint64 arrays could not hold

Bid = tuple[int, int]
Hand = tuple[int, ...]
Policy = Callable[[tuple[int, ...], np.ndarray], np.ndarray]


@dataclasses.dataclass(frozen=True)
class Round:
    """A two-player round to be solved: the dice of the opener and of the other player, and the rules that affect it."""

    dice: tuple[int, int] = (5, 5)
    faces: int = 6
    raise_rule: str = "monotone"
    wild: str = "none"

    def __post_init__(self) -> None:
        """Raise `BadOption` for numbers of dice or faces, or names of rules, that no round can have."""
        if len(self.dice) != 2 or min(self.dice) < 1:
            raise BadOption(f"dice {self.dice}: a round has two players with at least one die each, as in 5,4")
        if not 2 <= self.faces <= 6:
            raise BadOption(f"faces {self.faces}: 2 to 6")
        if self.raise_rule not in RAISE_RULES:
            raise BadOption(f"raise rule {self.raise_rule!r}: one of {', '.join(RAISE_RULES)}")
        if self.wild not in WILDS:
            raise BadOption(f"wild {self.wild!r}: one of {', '.join(WILDS)}")

    @property
    def total(self) -> int:
        """The number of dice on the table."""
        return self.dice[0] + self.dice[1]

    @property
    def opening(self) -> int:
        """The id of the public state before any bid; it follows the ids of all bids."""
        return self.total * self.faces

    def bid(self, bid_id: int) -> Bid:
        """The quantity and the face (both from 1) of a bid, given its id (q - 1) * faces + (f - 1)."""
        return bid_id // self.faces + 1, bid_id % self.faces + 1

    def __str__(self) -> str:
        """The round in short, for messages and file names: '5v4 monotone', '2v2 reset_face wild low'."""
        extras = [self.raise_rule] + ([f"wild {self.wild}"] if self.wild != "none" else [])
        extras += [f"{self.faces} faces"] if self.faces != 6 else []
        return f"{self.dice[0]}v{self.dice[1]} {' '.join(extras)}"


def can_raise(rule: str, old: Bid, new: Bid) -> bool:
    """Whether the bid ``new`` may follow the bid ``old`` under a raise rule; a bid is (quantity, face), both from 1."""
    (q, f), (higher, face) = old, new
    if rule == "reset_face":
        return higher > q or (higher == q and face > f)
    if rule == "reset_quantity":
        return face > f or (face == f and higher > q)
    if rule == "monotone":
        return higher >= q and face >= f and new != old
    return (higher > q and face == f) or (higher == q and face > f)


class RoundTree(NamedTuple):
    """The public tree of a round as arrays: the fields of `solve.contract`, then those for showdowns and hands."""

    move_start: np.ndarray
    move_to: np.ndarray
    classes: np.ndarray
    size: np.ndarray
    map_start: np.ndarray
    maps: np.ndarray
    chance: np.ndarray
    support_start: np.ndarray  # uint64, by player and state: where the supports of the classes begin in `support`
    support: np.ndarray  # uint16: dice of the class that count for the last bid
    need: np.ndarray  # uint64 [states]: quantity of the last bid
    dice: np.ndarray  # uint64 [2]
    hand_number: np.ndarray  # uint16 [2, codes]: index of a hand in `hands_of` by its code, see `number_of`
    hand_class: np.ndarray  # uint16 [2, states, hands]: class of each hand by that index
    widest: int
    deepest: int


@functools.cache
def hands_of(dice: int, faces: int) -> list[Hand]:
    """All hands of so many dice in a fixed order; a hand is the number of its dice that show each face."""
    rolls = itertools.combinations_with_replacement(range(faces), dice)
    return [tuple(roll.count(face) for face in range(faces)) for roll in rolls]


def chance_of(hand: Hand) -> float:
    """The probability of rolling a hand (the number of its dice that show each face)."""
    ways = math.factorial(sum(hand))
    for count in hand:
        ways //= math.factorial(count)
    return float(ways / len(hand) ** sum(hand))


def supports_of(hand: Hand, wild: str) -> Hand:
    """For each face, the number of dice of the hand that count for a bid on it, wild dice included."""
    if wild == "none":
        return hand
    joker = 0 if wild == "low" else len(hand) - 1
    return tuple(count if face == joker else count + hand[joker] for face, count in enumerate(hand))


class _TreeShape:
    """The moves, hand classes and sizes of a round's public tree, computed before any array is filled.

    Public states are bid ids and the opening; players are 0 (the opener) and 1. With ``merge``, hands that have equal
    values belong to one class; without it every hand is a class of its own.
    """

    def __init__(self, game: Round, merge: bool) -> None:
        """List the moves of every state, and group the hands of each player into classes in every state."""
        self.game = game
        self.merge = merge
        self.states = game.opening + 1
        bids = [game.bid(i) for i in range(game.opening)]
        self.moves = [[j for j, new in enumerate(bids) if can_raise(game.raise_rule, old, new)] for old in bids]
        self.moves.append(list(range(game.opening)))
        self.least = [self._least(x) for x in range(self.states)]
        self.hands = [hands_of(dice, game.faces) for dice in game.dice]
        grouped = [[self._group(p, x) for x in range(self.states)] for p in (0, 1)]
        self.keys = [[keys for keys, _ in row] for row in grouped]
        self.hand_class = [[of for _, of in row] for row in grouped]

    def _least(self, x: int) -> list[int]:
        """For each face the smallest quantity it is bid with in public state ``x`` or after it.

        0 if it cannot be bid.
        """
        found = [0] * self.game.faces
        reachable, frontier = {x} - {self.game.opening}, [x]
        while frontier:
            frontier = [y for y in {y for w in frontier for y in self.moves[w]} if y not in reachable]
            reachable |= set(frontier)
        for q, face in map(self.game.bid, reachable):
            found[face - 1] = min(q, found[face - 1] or q)
        return found

    def _group(self, p: int, x: int) -> tuple[list[Hand], list[int]]:
        """Group the hands of player ``p`` in public state ``x`` into classes.

        Returns the supports (by face) of each class, and the class of each hand. Supports too small to matter are
        raised to the largest value that still makes every later bid on the face false, and are -1 for a face that no
        later bid can name.
        """
        other = self.game.dice[1 - p]
        keys: dict[Any, int] = {}
        of = []
        for hand in self.hands[p]:
            supports = supports_of(hand, self.game.wild)
            clamped = tuple(max(s, n - other - 1) if n else -1 for s, n in zip(supports, self.least[x], strict=True))
            of.append(keys.setdefault(clamped if self.merge else (clamped, hand), len(keys)))
        return [key if self.merge else key[0] for key in keys], of

    def sizes(self, is_forced_counted: bool) -> list[list[int]]:
        """The number of table entries at and below each public state: ``[player to act there][state]``.

        In a state whose bid cannot be raised the only action is to call; its entries count only if
        ``is_forced_counted``.
        """
        done: dict[tuple[int, int], int] = {}

        def size(p: int, x: int) -> int:
            """The entries at and below state ``x`` where player ``p`` is to act."""
            if (p, x) not in done:
                actions = len(self.moves[x]) + (x != self.game.opening)
                own = len(self.keys[p][x]) * actions if self.moves[x] or is_forced_counted else 0
                done[p, x] = own + sum(size(1 - p, y) for y in self.moves[x])
            return done[p, x]

        return [[size(p, x) for x in range(self.states)] for p in (0, 1)]

    def paths(self) -> tuple[int, int]:
        """The number of bid sequences of the round (the empty one included), and the length of the longest."""
        done: dict[int, tuple[int, int]] = {}

        def below(x: int) -> tuple[int, int]:
            """The number of bid sequences that continue from state ``x``, and the length of the longest."""
            if x not in done:
                found = [below(y) for y in self.moves[x]]
                done[x] = 1 + sum(n for n, _ in found), 1 + max((d for _, d in found), default=-1)
            return done[x]

        return below(self.game.opening)


@functools.lru_cache(maxsize=64)
def _shape_of(game: Round, merge: bool) -> _TreeShape:
    """The shape of a round's tree, cached."""
    return _TreeShape(game, merge)


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a round's public tree, computed without building the tree."""

    histories: int  # number of bid sequences, the empty one included
    entries: int  # (node, class, action), the forced call after the highest bid included
    stored: int  # the same without that call: the length of a table


def size_of(game: Round, merge: bool = True) -> Size:
    """Count the bid sequences and table entries of a round without building its tree; ``merge`` as for `build_tree`."""
    shape = _shape_of(game, merge)
    opening = shape.game.opening
    return Size(shape.paths()[0], shape.sizes(True)[0][opening], shape.sizes(False)[0][opening])


def build_tree(game: Round, merge: bool = True) -> RoundTree:
    """Build the public tree of a round; with ``merge=False`` every hand is a class of its own.

    Cost: milliseconds to a second, and less than 3 MB. It holds no strategy: tables are made by the solver.
    """
    shape = _shape_of(game, merge)
    pairs = [(p, x) for p in (0, 1) for x in range(shape.states)]
    edges = [(x, y) for x in range(shape.states) for y in shape.moves[x]]
    maps = [_class_map(shape, p, x, y) for p in (0, 1) for x, y in edges]
    faces = [x % game.faces for x in range(shape.states)]
    supports = [[max(key[faces[x]], 0) if x < game.opening else 0 for key in shape.keys[p][x]] for p, x in pairs]
    classes = [len(shape.keys[p][x]) for p, x in pairs]
    sizes = shape.sizes(False)
    hands = np.zeros((2, shape.states, max(map(len, shape.hands))), np.uint16)
    for p, x in pairs:
        hands[p, x, : len(shape.hands[p])] = shape.hand_class[p][x]
    return RoundTree(
        move_start=_starts([len(moves) for moves in shape.moves]),
        move_to=np.array([y for _, y in edges], np.uint64),
        classes=np.array(classes, np.uint64),
        size=np.array([min(sizes[p][x], _SIZE_CAP) for p, x in pairs], np.uint64),
        map_start=_starts([len(m) for m in maps]),
        maps=np.concatenate([np.array(m, np.uint16) for m in maps]),
        chance=np.concatenate([_opening_chances(shape, p) for p in (0, 1)]),
        support_start=_starts([len(s) for s in supports]),
        support=np.concatenate([np.array(s, np.uint16) for s in supports]),
        need=np.array([x // game.faces + 1 for x in range(shape.states)], np.uint64),
        dice=np.array(game.dice, np.uint64),
        hand_number=_hand_numbers(shape),
        hand_class=hands,
        widest=max(classes),
        deepest=shape.paths()[1],
    )


def code_of(hand: Hand, dice: int) -> int:
    """A number that identifies a hand of ``dice`` dice: its counts as digits in base dice + 1, first face lowest."""
    return sum(count * (dice + 1) ** face for face, count in enumerate(hand))


def _hand_numbers(shape: _TreeShape) -> np.ndarray:
    """The index in `hands_of` of the hand with each code (see `code_of`), by player: [2, codes]."""
    numbers = np.zeros((2, (max(shape.game.dice) + 1) ** shape.game.faces), np.uint16)
    for p, dice in enumerate(shape.game.dice):
        for i, hand in enumerate(shape.hands[p]):
            numbers[p, code_of(hand, dice)] = i
    return numbers


@kernel
def number_of(tree: Any, player: int, counts: Any) -> int:
    """The index in `hands_of` of a player's hand; ``counts`` is the number of its dice that show each face."""
    code = 0
    for face in range(len(counts) - 1, -1, -1):
        code = code * (int64(tree.dice[player]) + 1) + int64(counts[face])
    return int64(tree.hand_number[player, code])


@kernel
def look_up(tree: Any, recall: Any, table: Any, path: Any, count: int, counts: Any, odds: Any) -> int:
    """Look up the strategy of the player to act: write the probability of each action to ``odds``, return their number.

    ``recall`` is the layout of ``table``; ``path[:count]`` are the ids of the bids so far, ``counts`` is the player's
    hand (dice per face). The actions are the raises in ascending order of their ids, then liar (not at the opening);
    after the highest bid only liar is left. Where the strategy itself never comes with this hand, all actions get equal
    probabilities and the number is negative.
    """
    states = int64(tree.need.size)
    player = count % 2
    x = int64(path[count - 1]) if count else states - 1
    moves = int64(tree.move_start[x + 1] - tree.move_start[x])
    actions = moves + 1 if count else moves
    if moves == 0:
        odds[0] = 1.0
        return 1
    width = int64(tree.classes[player * states + x])
    at = int64(contract.locate(tree, recall, path, count))
    at += int64(tree.hand_class[player, x, number_of(tree, player, counts)])
    total = 0.0
    for a in range(actions):
        odds[a] = table[at + a * width]
        total += odds[a]
    for a in range(actions):
        odds[a] = odds[a] / total if total > 0.0 else 1.0 / actions
    return actions if total > 0.0 else -actions


def _starts(lengths: list[int]) -> np.ndarray:
    """Where each of several parts of these lengths begins in one flat array, and the total length."""
    return np.cumsum([0, *lengths]).astype(np.uint64)


def _class_map(shape: _TreeShape, p: int, x: int, y: int) -> list[int]:
    """For each class of player ``p`` in state ``x``, its class after the move to state ``y``.

    Classes only become coarser, so that every hand of a class leads to the same one.
    """
    found = [0] * len(shape.keys[p][x])
    for before, after in zip(shape.hand_class[p][x], shape.hand_class[p][y], strict=True):
        found[before] = after
    return found


def _opening_chances(shape: _TreeShape, p: int) -> np.ndarray:
    """The probability that player ``p`` is dealt a hand of each class of the opening."""
    chances = np.zeros(len(shape.keys[p][shape.game.opening]))
    for hand, of in zip(shape.hands[p], shape.hand_class[p][shape.game.opening], strict=True):
        chances[of] += chance_of(hand)
    return chances


@implements(contract.showdown, RoundTree)
@kernel
def showdown(tree: Any, x: Any, p: Any, caller: Any, reach: Any, at: Any, value: Any, to: Any, sums: Any) -> None:
    """Write the value of each class of player ``p`` to ``value[to:]`` when ``caller`` doubts the bid ``x``.

    A hand counts +1 for each opponent it beats and -1 for each it loses to, weighted with their reach, ``reach[at:]``
    (by class). ``sums`` is a buffer: ``sums[i]`` becomes the reach of opponents with at least i dice for the bid, so a
    class that holds s of the q dice bid finds the bid true with weight ``sums[q - s]``. The cost is linear in the
    number of classes of both players and the opponent's dice.
    """
    states = np.uint64(tree.need.size)
    zero = value.dtype.type(0)
    most = tree.dice[1 - p]
    for i in range(most + np.uint64(2)):
        sums[i] = zero
    mine, theirs = np.uint64(p) * states + x, np.uint64(1 - p) * states + x
    first = tree.support_start[theirs]
    for o in range(tree.classes[theirs]):
        sums[min(np.uint64(tree.support[first + o]), most)] += reach[at + o]
    for i in range(most):
        sums[most - np.uint64(1) - i] += sums[most - i]
    all_of_them = sums[np.uint64(0)]
    sign = value.dtype.type(-1 if caller == p else 1)
    first = tree.support_start[mine]
    need = tree.need[x]
    for h in range(tree.classes[mine]):
        have = np.uint64(tree.support[first + h])
        short = need - min(need, have)
        true = sums[min(short, most + np.uint64(1))]
        value[to + h] = sign * (true + true - all_of_them)


def table_of(game: Round, policy: Policy) -> tuple[RoundTree, np.ndarray]:
    """Write a policy of both players as a strategy table; returns the public tree, with no hands merged, and the table.

    ``policy(history, hands)`` is called once for every public history where a choice is left, with the ids of the bids
    so far and all hands of the player to act ([hands, faces], dice per face). It must return probabilities [hands,
    actions]: the raises in ascending order of their ids, then liar (not at the opening).

    Cost: one call for each public history, so rounds up to about 3v3 (107,712 histories under ``monotone``).
    """
    tree = build_tree(game, merge=False)
    states = game.opening + 1
    table = np.zeros(int(tree.size[game.opening]), np.float64 if tree.size[game.opening] < 2_000_000 else np.float32)
    hands = [np.array(hands_of(dice, game.faces)) for dice in game.dice]
    starts, to = tree.move_start.tolist(), tree.move_to.tolist()
    stack: list[tuple[int, ...]] = [()]
    at = 0
    while stack:  # in the order of the table: a node, then the subtrees of its raises
        history = stack.pop()
        player, x = len(history) % 2, history[-1] if history else states - 1
        moves = to[starts[x] : starts[x + 1]]
        if not moves:
            continue
        odds = np.asarray(policy(history, hands[player]), float)
        wanted = (len(hands[player]), len(moves) + (len(history) > 0))
        if odds.shape != wanted or odds.min() < 0 or abs(odds.sum(1) - 1).max() > 1e-6:
            raise BadOption(f"after the bids {history} a policy must give odds of shape {wanted} whose rows sum to 1")
        table[at : at + odds.size] = odds.T.reshape(-1)
        at += odds.size
        stack.extend((*history, y) for y in reversed(moves))
    return tree, table
