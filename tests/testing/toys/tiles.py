"""Tiles: a small honest game with secrets, and a switch for each way of breaking the contract.

Two seats hold two of six tiles each; two stay in the bag. In turn each seat plays one of its tiles; the higher of two
wins the trick and its value in points. *Hidden:* the other hand and the bag. *Chance:* the deal.

``flaw`` names the promise to break. The switch is a value of the constants, so that all flaws compile once.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.bits import count_bits
from ludens.core.event import EVERYONE, tell
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.ops import CHANCE, OVER, implements
from ludens.core.option import option
from ludens.core.result import award
from ludens.core.rng import below
from ludens.core.rules import Rules

TILES = 6
ALL = (1 << TILES) - 1
DEALT, PLAYED, WON = range(3)  # events: (seat, tile), (seat, tile), (seat, value)

FLAWS = (
    "none",
    "view leaks",
    "leaks and never guesses",
    "guess is the truth",
    "guess never varies",
    "guess forgets own hand",
    "guess reuses spent tiles",
    "legal reads hidden fields",
    "deal heard by all",
    "hand heard after a move",
    "loses a tile",
    "not deterministic",
    "differs with the jit off",
    "wrong odds",
    "features read hidden fields",
    "writes out of bounds",
    "never ends",
)
(
    _,
    VIEW_LEAKS,
    NEVER_GUESSES,
    GUESS_TRUTH,
    GUESS_FIXED,
    GUESS_FORGETS,
    GUESS_REUSES,
    LEGAL_READS,
    DEAL_HEARD,
    HAND_HEARD,
    LOSES_TILE,
    RANDOM_RULE,
    JIT_DIFFERS,
    WRONG_ODDS,
    FEATURES_READ,
    OUT_OF_BOUNDS,
    NEVER_ENDS,
) = range(len(FLAWS))


class TilesConstants(NamedTuple):
    c: np.record


Constants = np.dtype((np.record, [("flaw", np.int64)]))
State = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64),
            ("seat", np.int8),
            ("dealt", np.int8),
            ("moves", np.int64),  # tiles played
            ("table", np.int8),  # the first tile of the trick, -1: none
            ("spent", np.int64),  # bit set: tiles played; everybody has seen them
            ("points", np.int16, (2,)),
            ("hands", np.int64, (2,)),  # bit sets, each its seat's secret
            ("bag", np.int64),  # bit set: hidden from both
        ],
    )
)


@kernel
def take(dice: Any, tiles: int) -> int:
    """A random tile of a bit set, as a bit."""
    skip = below(dice, count_bits(tiles))
    for _ in range(skip):
        tiles &= tiles - 1
    return tiles & -tiles


@kernel
def number(bit: int) -> int:
    """The tile that a bit stands for."""
    tile = 0
    while bit >> tile != 1:
        tile += 1
    return tile


@implements(ops.setup, TilesConstants)
@kernel
def setup(g: TilesConstants, s: Any, log: Any) -> None:
    s.table = -1
    s.bag = ALL


@implements(ops.legal, TilesConstants)
@kernel
def legal(g: TilesConstants, s: Any, out: Any) -> int:
    hand = s.hands[s.moves % 2]
    other = s.hands[1 - s.moves % 2]
    if g.c.flaw == LEGAL_READS and count_bits(hand) == 2 and other & 1:
        hand &= hand - 1
    n = 0
    for tile in range(TILES):
        if hand >> tile & 1:
            out[n] = tile
            n += 1
    return n


@implements(ops.decide, TilesConstants)
@kernel
def decide(g: TilesConstants, s: Any, action: int, log: Any) -> None:
    seat = s.moves % 2
    s.hands[seat] ^= 1 << action
    s.spent |= 0 if g.c.flaw == LOSES_TILE and action == 3 else 1 << action
    told = s.hands[seat] if g.c.flaw == HAND_HEARD else 0
    tell(log, PLAYED, EVERYONE, seat, action, told)
    if g.c.flaw == OUT_OF_BOUNDS and action == 5:
        s.points[2 + seat] += 0
    if g.c.flaw == NEVER_ENDS:
        s.hands[seat] ^= 1 << action
        s.moves ^= 1
        return
    s.moves += 1
    if s.table < 0:
        s.table = action
        return
    _score(g, s, seat if action > s.table else 1 - seat, action, log)


@kernel
def _score(g: TilesConstants, s: Any, winner: int, action: int, log: Any) -> None:
    value: int = max(action, int(s.table))
    if g.c.flaw == JIT_DIFFERS:
        value = s.table * 50  # plain NumPy keeps int8
    if g.c.flaw == RANDOM_RULE:
        value += np.random.randint(0, 100)  # noqa: NPY002
    s.points[winner] += value
    s.table = -1
    tell(log, WON, EVERYONE, winner, value, 0)


@implements(ops.to_move, TilesConstants)
@kernel
def to_move(g: TilesConstants, s: Any) -> int:
    if not s.dealt:
        return CHANCE
    return OVER if s.moves == 4 else s.moves % 2


@kernel
def _hand_out(s: Any, tiles: int, taken: int) -> None:
    """Move a tile from the bag to the hand that is next to get one."""
    seat = taken // 2
    s.hands[seat] |= tiles
    s.bag ^= tiles


@implements(ops.chance, TilesConstants)
@kernel
def chance(g: TilesConstants, s: Any, log: Any) -> None:
    """Deal one tile; four draws make a deal."""
    taken = TILES - count_bits(s.bag)
    tile = take(s, s.bag)
    _hand_out(s, tile, taken)
    seen_by = EVERYONE if g.c.flaw == DEAL_HEARD else 1 << (taken // 2)
    tell(log, DEALT, seen_by, taken // 2, number(tile), 0)
    s.dealt = taken == 3


@implements(ops.branches, TilesConstants)
@kernel
def branches(g: TilesConstants, s: Any, outs: Any, probs: Any) -> int:
    bag = s.bag
    taken = TILES - count_bits(bag)
    n, left = 0, count_bits(bag)
    for tile in range(TILES):
        if bag >> tile & 1:
            outs[n] = s
            _hand_out(outs[n], 1 << tile, taken)
            outs[n].dealt = taken == 3
            probs[n] = 1 / left
            n += 1
    if g.c.flaw == WRONG_ODDS:
        probs[0], probs[1] = 1.5 * probs[0], 0.5 * probs[1]
    return n


@implements(ops.returns, TilesConstants)
@kernel
def returns(g: TilesConstants, s: Any, out: Any) -> None:
    best = max(s.points[0], s.points[1])
    award(out, 2, (s.points[0] == best) + 2 * (s.points[1] == best))


@implements(ops.scores, TilesConstants)
@kernel
def scores(g: TilesConstants, s: Any, out: Any) -> None:
    out[0] = s.points[0]
    out[1] = s.points[1]


@implements(ops.see, TilesConstants)
@kernel
def see(g: TilesConstants, s: Any, seat: int, v: Any) -> None:
    v.dealt = s.dealt
    v.moves = s.moves
    v.table = s.table
    v.spent = s.spent
    v.points[:] = s.points
    v.hands[seat] = s.hands[seat]
    if g.c.flaw == VIEW_LEAKS or g.c.flaw == NEVER_GUESSES:
        v.hands[1 - seat] = s.hands[1 - seat]
    if g.c.flaw == NEVER_GUESSES or g.c.flaw == GUESS_TRUTH:
        v.bag = s.bag  # looks harmless, but the other hand follows from it


@implements(ops.guess, TilesConstants)
@kernel
def guess(g: TilesConstants, v: Any, dice: Any) -> None:
    if g.c.flaw == NEVER_GUESSES:
        return
    seat = v.seat
    if g.c.flaw == GUESS_FORGETS:
        v.hands[seat] = 0
    unseen = ALL & ~v.spent & ~v.hands[seat]
    if g.c.flaw == GUESS_REUSES:
        unseen |= v.spent
    if g.c.flaw == GUESS_TRUTH:
        v.hands[1 - seat] = unseen & ~v.bag
        return
    v.hands[1 - seat] = 0
    if g.c.flaw == GUESS_FORGETS:
        unseen = _fill(g, v, seat, unseen, dice)
    v.bag = _fill(g, v, 1 - seat, unseen, dice)


@kernel
def _fill(g: TilesConstants, v: Any, seat: int, unseen: int, dice: Any) -> int:
    """Draw a seat's hand from tiles it may hold; what is left of them."""
    played = (v.moves + 1 - seat) // 2
    for _ in range(2 - played):
        tile = unseen & -unseen if g.c.flaw == GUESS_FIXED else take(dice, unseen)
        v.hands[seat] |= tile
        unseen ^= tile
    return unseen


@implements(ops.encode, TilesConstants)
@kernel
def encode(g: TilesConstants, v: Any, out: Any) -> None:
    for tile in range(TILES):
        out[tile] = v.hands[v.seat] >> tile & 1
        out[TILES + tile] = v.spent >> tile & 1
        if g.c.flaw == FEATURES_READ:
            out[TILES + tile] += 2 * (v.bag >> tile & 1)


@dataclasses.dataclass(frozen=True)
class TilesOptions:
    """Which promise to break."""

    flaw: str = option("none", "the promise to break", choices=FLAWS)


class TilesRules(Rules):
    """Play the higher tile."""

    id = "tiles"
    Options = TilesOptions
    State = State
    actions = TILES
    max_legal = 2
    max_events = 4
    max_branches = TILES
    has_secrets = True
    options: TilesOptions

    def make_constants(self) -> TilesConstants:
        constants = np.zeros(1, Constants)
        constants["flaw"] = FLAWS.index(self.options.flaw)
        return TilesConstants(constants)  # type: ignore[arg-type]

    def action_text(self, action: int) -> str:
        return f"tile {action + 1}"

    def feature_pieces(self) -> list[tuple[str, int]]:
        return [("hand", TILES), ("spent", TILES)]

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """Every tile is in one place."""
        s = states[0]
        places = [int(bits) for bits in (s.spent, s.hands[0], s.hands[1], s.bag)]
        return {"copies of each tile": [sum(bits >> tile & 1 for bits in places) for tile in range(TILES)]}


class Tiles(Game):
    """Play the higher tile."""

    Rules = TilesRules
    rules: TilesRules
