"""A book: the strategies of several rounds in one set of arrays, so that compiled rules can look up any of them.

A solved round (`Solution`) holds its tree and its table in arrays of its own. A rule that plays a whole match needs the
solutions of every position it may come to, and chooses among them while it runs: `bind` concatenates their arrays, and
`odds_at` looks up a position. A *page* is one round's part of the book. For a position that is not in the book, or a
hand with which its strategy never comes there, there are no probabilities: the player must choose in another way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.liars_dice.rules import MAX_DICE
from ludens.games.liars_dice.solution import Solution
from ludens.games.liars_dice.tree import look_up
from ludens.solve.contract import Recall

SEATS = 2


class Book(NamedTuple):
    """The solved strategies of several rounds (*pages*), each array flattened and concatenated for all pages.

    ``starts[array, page]`` is where a page's part begins.
    """

    page: np.ndarray  # int64 [opener's dice, other's dice]: the index of the page, -1: not in the book
    starts: np.ndarray  # int64 [arrays, pages + 1], arrays in the order of the fields from `table` on
    recall: np.ndarray  # int64 [pages]: number of last bids remembered, 0: all of them
    table: np.ndarray  # weights of actions, of the type the solutions have
    move_start: np.ndarray  # uint64, as are the next four
    move_to: np.ndarray
    classes: np.ndarray
    size: np.ndarray
    dice: np.ndarray
    hand_number: np.ndarray  # uint16
    hand_class: np.ndarray
    recall_start: np.ndarray  # uint64
    recall_size: np.ndarray


class Page(NamedTuple):
    """One page of a book: those fields of a `RoundTree` that looking up a strategy needs."""

    move_start: Any
    move_to: Any
    classes: Any
    size: Any
    need: Any
    dice: Any
    hand_number: Any
    hand_class: Any


_TYPES = (np.uint8, *[np.uint64] * 5, np.uint16, np.uint16, np.uint64, np.uint64)


def bind(solutions: Iterable[Solution]) -> Book:
    """Make a book of solved rounds, at most one for each pair of dice counts; an empty book if there are none.

    The table of a single solution is not copied.
    """
    pages = list(solutions)
    page = np.full((MAX_DICE + 1, MAX_DICE + 1), -1, np.int64)
    for number, solved in enumerate(pages):
        page[solved.game.dice] = number
    columns = list(zip(*map(_parts, pages), strict=True)) or [(np.zeros(0, kind),) for kind in _TYPES]
    starts = np.array([np.cumsum([0, *(part.size for part in column)]) for column in columns], np.int64)
    recall = np.array([solved.recall.last for solved in pages], np.int64)
    arrays = [column[0] if len(column) == 1 else np.concatenate(column) for column in columns]
    return Book(page, starts, recall, *arrays)


def _parts(solved: Solution) -> list[np.ndarray]:
    """The arrays of a solution, each flattened, in the order in which a book has them from ``table`` on."""
    tree, recall = solved.tree, solved.recall
    wide = [tree.move_start, tree.move_to, tree.classes, tree.size, tree.dice]
    parts = [solved.table, *wide, tree.hand_number, tree.hand_class, recall.start, recall.size]
    return [part.reshape(-1) for part in parts]


@kernel
def _part(book: Book, array: Any, which: int, page: int) -> Any:
    """The part of a book's ``array`` that belongs to a page.

    ``which`` is the index of this array in ``book.starts``.
    """
    return array[book.starts[which, page] : book.starts[which, page + 1]]


@large_kernel
def odds_at(book: Book, v: Any, odds: Any) -> int:
    """Look up the mover's strategy in view ``v`` of a two-player game: write action probabilities into ``odds``.

    The actions are the raises in ascending order, then liar. Returns their number, or 0 where the book has no strategy:
    these dice counts are not in it, or the strategy never comes there with these dice.
    """
    opener = int64(v.opener)
    page = book.page[int64(v.held[opener]), int64(v.held[1 - opener])]
    if page < 0:
        return 0
    move_start = _part(book, book.move_start, 1, page)
    states = move_start.size - 1
    numbers, classes = _part(book, book.hand_number, 6, page), _part(book, book.hand_class, 7, page)
    tree = Page(
        move_start,
        _part(book, book.move_to, 2, page),
        _part(book, book.classes, 3, page),
        _part(book, book.size, 4, page),
        move_start[1:],  # stands for `need`: `look_up` uses only its length, the number of states
        _part(book, book.dice, 5, page),
        numbers.reshape((SEATS, numbers.size // SEATS)),
        classes.reshape((SEATS, states, classes.size // (SEATS * states))),
    )
    last = book.recall[page]
    recall = Recall(
        last,
        0,
        _part(book, book.recall_start, 8, page).reshape((last + 1, SEATS)),
        _part(book, book.recall_size, 9, page).reshape((last + 1, SEATS, states)),
    )
    count = look_up(tree, recall, _part(book, book.table, 0, page), v.bids, int64(v.made), v.dice[v.turn], odds)
    return max(count, 0)
