"""Players that look their moves up in solved rounds, the one that plays the equilibrium, and where solutions are found.

The packed strategies of all 25 positions of the two-player match are part of ludens. Full solutions, made by
``ludens solve liars-dice --all``, are used instead where they are present: in the folder `solutions_folder`.
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
    """Where full solutions are kept: ``LUDENS_SOLUTIONS``, else a folder of the user's data."""
    named = os.environ.get("LUDENS_SOLUTIONS")
    return Path(named).expanduser() if named else user_data_path("ludens") / "liars-dice"


@functools.cache
def shipped() -> dict[Dice, Callable[[], Solution]]:
    """The packed positions; each is unpacked when it is called."""
    return compact.load_compact(SHIPPED)


@functools.lru_cache(32)
def _shipped(dice: Dice) -> Solution:
    return shipped()[dice]()


@functools.lru_cache(32)
def _full(path: Path, changed: int) -> Solution:
    return solution.load(path)


def solved_round(dice: Dice, use: str = "best") -> Solution:
    """The strategies of a round, the opener's dice first: a full solution if there is one and it is wanted."""
    path = solutions_folder() / solution.file_name(Round(dice))
    if use == "best" and path.is_file():
        return _full(path, path.stat().st_mtime_ns)
    return _shipped(dice)


def is_solved(game: LiarsDice) -> bool:
    """Whether the game is the one that was solved (or begins with fewer dice, or is a single round of it)."""
    values = game.rules.option_values()
    is_small = max(game.rules.start_dice) <= MOST_DICE
    return is_small and all(
        values[name] == value for name, value in SOLVED.items() if name != "loss" or not game.rules.options.single_round
    )


# Playing by the book


class BookRule(NamedTuple):
    """A player by the book, and room to choose in."""

    book: Book
    odds: np.ndarray
    actions: np.ndarray


@kernel
def draw(v: Any, odds: Any, count: int) -> int:
    """The place of an action, drawn in proportion to the odds by the view's dice."""
    left = uniform(v)
    for place in range(count):
        left -= odds[place]
        if left < 0.0:
            return place
    place = count - 1
    while odds[place] == 0.0:  # the odds sum to a hair less than 1
        place -= 1
    return place


@implements(ops.rule, BookRule)
@kernel
def _by_the_book(r: BookRule, g: Any, v: Any, m: Any) -> int:
    count = odds_at(r.book, v, r.odds)
    if count == 0:
        return ops.suggest(g, v)
    ops.legal(g, v, r.actions)  # raises in ascending order, then liar: as the odds are
    return int64(r.actions[draw(v, r.odds, count)])


@kernel
def show_odds(r: BookRule, constants: Any, views: Any, out: Any) -> None:
    """The chance of each action in every view: [lanes, actions]."""
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
    """The lanes of each position of a game for two: dice of the opener, dice of the other."""
    lanes = np.arange(len(views))
    opener = views["opener"].astype(np.int64)
    code = views["held"][lanes, opener].astype(np.int64) * 16 + views["held"][lanes, 1 - opener]
    kinds = np.unique(code) if (code != code[:1]).any() else code[:1]  # mostly there is one
    return {(int(c) // 16, int(c) % 16): np.flatnonzero(code == c) for c in kinds}


class BookAgent(RuleAgent):
    """A player that looks up the odds of its moves in solved rounds, each fetched when a match first comes to it."""

    game: LiarsDice

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        self._pages: dict[Dice, Book] = {}
        self._room = np.zeros(self.game.rules.max_legal), self.game.rules.buffer()  # for odds and legal actions

    def has_book(self) -> bool:
        """Whether anything is solved in this game."""
        raise BadOption(f"{self.name} does not say where its book is: write has_book")

    def solution(self, dice: Dice) -> Solution:
        """The strategies of a round, the opener's dice first."""
        raise BadOption(f"{self.name} has no book: write solution")

    def rule_of(self, book: Book) -> Any:
        """The rule that plays by a book."""
        return BookRule(book, *self._room)

    def _page(self, dice: Dice) -> Book:
        if dice not in self._pages:
            self._pages[dice] = bind([self.solution(dice)])
        return self._pages[dice]

    def _shares(self, views: np.ndarray) -> list[tuple[Any, np.ndarray]]:
        """Which rule serves which lanes."""
        if not self.has_book():
            return [(self.rule_of(_empty()), np.arange(len(views)))]
        return [(self.rule_of(self._page(dice)), lanes) for dice, lanes in positions_of(views).items()]

    def rule_settings(self) -> Any:
        """The rule with the whole book, for those who play on in compiled code; every position is fetched."""
        return self.rule_of(self.whole_book() if self.has_book() else _empty())

    def whole_book(self) -> Book:
        """Every position a match can come to."""
        first, second = self.game.rules.start_dice
        pairs = [(k, m) for k in range(1, first + 1) for m in range(1, second + 1)]
        if self.game.rules.options.single_round:
            pairs = [(first, second)]
        return bind(map(self.solution, sorted({*pairs, *((m, k) for k, m in pairs)})))

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        out = np.zeros(len(views), np.int64)
        for rule, lanes in self._shares(views):
            chosen, kept = np.zeros(len(lanes), np.int64), memory[lanes]
            act_by_rule(rule, self.game.rules.constants, views[lanes], kept, chosen)
            out[lanes], memory[lanes] = chosen, kept
        return out

    def policy(self, views: np.ndarray) -> np.ndarray:
        """The chance of each action, [lanes, actions]: exactly what it draws from."""
        table = np.zeros((len(views), self.game.rules.actions))
        for rule, lanes in self._shares(views):
            part = np.zeros((len(lanes), self.game.rules.actions))
            self.show(rule, views[lanes], part)
            table[lanes] = part
        return table

    def show(self, rule: Any, views: np.ndarray, out: np.ndarray) -> None:
        """Write the chances of a rule."""
        show_odds(rule, self.game.rules.constants, views, out)


@functools.cache
def _empty() -> Book:
    return bind([])


@functools.cache
def shipped_book() -> Book:
    """All shipped positions, 100 MB: about a second of unpacking, done once."""
    return bind([shipped()[dice]() for dice in sorted(shipped())])


# The equilibrium


@dataclasses.dataclass(frozen=True)
class EquilibriumSettings:
    """Which solution is used."""

    use: str = option("best", "full solutions where they are present, or the shipped ones", choices=("best", "shipped"))


class Equilibrium(BookAgent):
    """Plays the solved strategy of the two-player match, which nobody beats in the long run; else it goes by the odds.

    Solved is the match of the thesis: two players, six faces, up to five dice each, ``monotone`` raises, no wild dice,
    no exact calls, one die lost a round (`is_solved` tells). With any other options, and where the strategy itself
    would never have come, it plays as ``odds`` does. Rounds are solved one by one; since a round only has a winner and
    a loser, that is the best in the match too.

    A position is unpacked when it is first met: a quarter of a second for five dice each. For play inside compiled code
    (a series, a rollout) all 25 are: a second, and 100 MB.
    """

    name = "equilibrium"
    Settings: ClassVar[type] = EquilibriumSettings

    def has_book(self) -> bool:
        return is_solved(self.game)

    @property
    def is_solved(self) -> bool:
        """Whether it plays the solution here, not ``odds``."""
        return self.has_book()

    def solution(self, dice: Dice) -> Solution:
        return solved_round(dice, self.settings.use)

    def whole_book(self) -> Book:
        has_full = self.settings.use == "best" and solutions_folder().is_dir()
        return super().whole_book() if has_full else shipped_book()
