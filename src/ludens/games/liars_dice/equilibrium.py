"""Agents that look up their moves in solved rounds, the one that plays the equilibrium, and where solutions are found.

The compressed strategies of all 25 positions of the two-player match are part of ludens. Full solutions, made by
``ludens solve liars-dice --all``, are used instead where they exist in the folder `solutions_folder`.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from platformdirs import user_data_path

from ludens.core import ops
from ludens.core.agent import RuleAgent, act_by_rule
from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.core.rng import uniform
from ludens.games.liars_dice import compact, solution
from ludens.games.liars_dice.book import Book, bind, odds_at
from ludens.games.liars_dice.solution import Solution
from ludens.games.liars_dice.tree import Round

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.games.liars_dice.game import LiarsDice

SHIPPED = Path(__file__).parent / "equilibrium.safetensors"
MOST_DICE = 5
SOLVED = {"players": 2, "faces": 6, "raise_rule": "monotone", "wild": "none", "exact": False, "loss": "one"}

Dice = tuple[int, int]


# Where solutions are found


def solutions_folder() -> Path:
    """The folder of full solutions: environment variable ``LUDENS_SOLUTIONS``, else one in the user's data folder."""
    named = os.environ.get("LUDENS_SOLUTIONS")
    return Path(named).expanduser() if named else user_data_path("ludens") / "liars-dice"


@functools.cache
def shipped() -> dict[Dice, Callable[[], Solution]]:
    """The solved rounds that come with ludens: functions that unpack them, by (opener's dice, other's dice)."""
    return compact.load_compact(SHIPPED)


@functools.lru_cache(32)
def _shipped(dice: Dice) -> Solution:
    """The solution of a round that comes with ludens, unpacked; the last 32 are cached.

    ``dice`` are (opener's dice, other's dice).
    """
    return shipped()[dice]()


@functools.lru_cache(32)
def _full(path: Path, changed: int) -> Solution:
    """Read a full solution from a file.

    Cached as long as the file's time of change, ``changed`` (ns), stays the same.
    """
    return solution.load(path)


def solved_round(dice: Dice, use: str = "best") -> Solution:
    """The solution of a round, by (opener's dice, other's dice).

    From a file in `solutions_folder`, if it exists and ``use`` is "best"; else the one that comes with ludens.
    """
    path = solutions_folder() / solution.file_name(Round(dice))
    if use == "best" and path.is_file():
        return _full(path, path.stat().st_mtime_ns)
    return _shipped(dice)


def is_solved(game: LiarsDice) -> bool:
    """Whether the solutions apply to the game: the solved match, also with fewer dice, or a single round of it."""
    values = game.rules.option_values()
    is_small = max(game.rules.start_dice) <= MOST_DICE
    return is_small and all(
        values[name] == value for name, value in SOLVED.items() if name != "loss" or not game.rules.options.single_round
    )


# Playing by the book


class BookRule(NamedTuple):
    """The settings of a rule that draws actions from a book, with buffers for probabilities and legal actions."""

    book: Book
    odds: np.ndarray
    actions: np.ndarray


@kernel
def draw(v: Any, odds: Any, count: int) -> int:
    """Draw an index below ``count`` with the probabilities ``odds``, using the generator of the view."""
    left = uniform(v)
    for place in range(count):
        left -= odds[place]
        if left < 0.0:
            return place
    place = count - 1
    while odds[place] == 0.0:  # rounding: the probabilities sum to slightly less than 1
        place -= 1
    return place


@implements(ops.rule, BookRule)
@kernel
def _by_the_book(r: BookRule, g: Any, v: Any, m: Any) -> int:
    """The action of an agent with a book in view ``v``: drawn by the book's probabilities.

    Where the book has none it is what the game suggests.
    """
    count = odds_at(r.book, v, r.odds)
    if count == 0:
        return ops.suggest(g, v)
    ops.legal(g, v, r.actions)  # raises in ascending order, then liar: as the odds are
    return int64(r.actions[draw(v, r.odds, count)])


@kernel
def show_odds(r: BookRule, constants: Any, views: Any, out: Any) -> None:
    """Write the probability of each action by a `BookRule`, in each of ``views``, to ``out``: [lanes, actions]."""
    g = ops.open_constants(constants)
    for lane in range(len(views)):
        v = views[lane]
        count = odds_at(r.book, v, r.odds)
        if count == 0:
            out[lane, ops.suggest(g, v)] = 1.0
        ops.legal(g, v, r.actions)
        for place in range(count):
            out[lane, int64(r.actions[place])] = r.odds[place]


def positions_of(views: np.ndarray) -> dict[Dice, np.ndarray]:
    """Group views of a two-player game by dice counts: (opener's dice, other's dice) -> indices of the views."""
    lanes = np.arange(len(views))
    opener = views["opener"].astype(np.int64)
    code = views["held"][lanes, opener].astype(np.int64) * 16 + views["held"][lanes, 1 - opener]
    kinds = np.unique(code) if (code != code[:1]).any() else code[:1]  # mostly there is only one
    return {(int(c) // 16, int(c) % 16): np.flatnonzero(code == c) for c in kinds}


class BookAgent(RuleAgent):
    """An agent that draws its actions from solved rounds, each loaded when a match first comes to it.

    A subclass implements `has_book` and `solution`. Where there is no solution it plays as ``odds`` does.
    """

    game: LiarsDice

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Make the agent without any solution loaded yet."""
        super().__init__(game, settings)
        self._pages: dict[Dice, Book] = {}
        self._buffers = np.zeros(self.game.rules.max_legal), self.game.rules.buffer()  # for odds and legal actions

    def has_book(self) -> bool:
        """Whether there are solutions for this game. A subclass must implement it."""
        raise BadOption(f"{self.name} does not say whether it has a book: implement has_book")

    def solution(self, dice: Dice) -> Solution:
        """The solution of a round, by (opener's dice, other's dice). A subclass must implement it."""
        raise BadOption(f"{self.name} has no book: implement solution")

    def rule_of(self, book: Book) -> Any:
        """The settings of the compiled rule that plays from this book; a subclass may return a rule of its own."""
        return BookRule(book, *self._buffers)

    def _page(self, dice: Dice) -> Book:
        """A book of this one round, by (opener's dice, other's dice); loaded at the first call."""
        if dice not in self._pages:
            self._pages[dice] = bind([self.solution(dice)])
        return self._pages[dice]

    def _rules_for(self, views: np.ndarray) -> list[tuple[Any, np.ndarray]]:
        """The settings of the rule for each round that ``views`` are of: (settings, indices of the views)."""
        if not self.has_book():
            return [(self.rule_of(_empty()), np.arange(len(views)))]
        return [(self.rule_of(self._page(dice)), lanes) for dice, lanes in positions_of(views).items()]

    def rule_settings(self) -> Any:
        """The settings of the rule with a book of every round, for play inside compiled code; loads all of them."""
        return self.rule_of(self.whole_book() if self.has_book() else _empty())

    def whole_book(self) -> Book:
        """A book of every round a match of this game can come to."""
        first, second = self.game.rules.start_dice
        pairs = [(k, m) for k in range(1, first + 1) for m in range(1, second + 1)]
        if self.game.rules.options.single_round:
            pairs = [(first, second)]
        return bind(map(self.solution, sorted({*pairs, *((m, k) for k, m in pairs)})))

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        """Choose an action for every view, [lanes], loading the rounds they need; ``memory`` is updated."""
        out = np.zeros(len(views), np.int64)
        for rule, lanes in self._rules_for(views):
            chosen, own = np.zeros(len(lanes), np.int64), memory[lanes]
            act_by_rule(rule, self.game.rules.constants, views[lanes], own, chosen)
            out[lanes], memory[lanes] = chosen, own
        return out

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The probability of each action in every view, [lanes, actions]: exactly what `act` draws from."""
        table = np.zeros((len(views), self.game.rules.actions))
        for rule, lanes in self._rules_for(views):
            part = np.zeros((len(lanes), self.game.rules.actions))
            self.show(rule, views[lanes], part)
            table[lanes] = part
        return table

    def show(self, rule: Any, views: np.ndarray, out: np.ndarray) -> None:
        """Write the probability of each action by a rule's settings, in each view, to ``out`` [lanes, actions]."""
        show_odds(rule, self.game.rules.constants, views, out)


@functools.cache
def _empty() -> Book:
    """A book without any round."""
    return bind([])


@functools.cache
def shipped_book() -> Book:
    """A book of all rounds that come with ludens: 100 MB, unpacked in about a second and cached."""
    return bind([shipped()[dice]() for dice in sorted(shipped())])


# The equilibrium


@dataclasses.dataclass(frozen=True)
class EquilibriumSettings:
    """Which solutions are used."""

    use: str = option(
        "best", "full solutions where there are any, or those that come with ludens", choices=("best", "shipped")
    )


class Equilibrium(BookAgent):
    """Plays the solved strategy of the two-player match, which nobody beats in the long run; else it goes by the odds.

    Solved is the match of the thesis: two players, six faces, up to five dice each, ``monotone`` raises, no wild dice,
    no exact calls, one die lost a round (see `is_solved`). With any other options, and in positions that the strategy
    itself never comes to, it plays as ``odds`` does. Rounds are solved one by one; since a round only has a winner and
    a loser, that is optimal in the match too.

    A position is unpacked when it first comes up, in a quarter of a second for five dice each. For play inside compiled
    code (a series, a rollout) all 25 are unpacked: a second, and 100 MB.
    """

    name = "equilibrium"
    Settings: ClassVar[type] = EquilibriumSettings

    def has_book(self) -> bool:
        """Whether the solutions apply to this game."""
        return is_solved(self.game)

    @property
    def is_solved(self) -> bool:
        """Whether it plays the solution in this game, not as ``odds`` does."""
        return self.has_book()

    def solution(self, dice: Dice) -> Solution:
        """The solution of a round, by (opener's dice, other's dice): full or as shipped, by the settings."""
        return solved_round(dice, self.settings.use)

    def whole_book(self) -> Book:
        """A book of every round, with full solutions where there are any; else the cached `shipped_book`."""
        has_full = self.settings.use == "best" and solutions_folder().is_dir()
        return super().whole_book() if has_full else shipped_book()
