"""The thesis's two tables: one row for each game, and one row for each decision of a game."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ludens.core.game import Game
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import all_cards
from ludens.games.hearthstone.export import Finished, agent_ids, deck_id, numbers_of

SUMMARY_COLUMNS = (
    *("Player_1_id", "Player_1_deck_id", "Player_1_final_hp"),
    *("Player_2_id", "Player_2_deck_id", "Player_2_final_hp"),
    *("Coin", "Final_turn", "Winner"),
)

_MINION = ("id", "can_attack", "hp", "attack", "is_silenced", "has_taunt")
_CARD = ("id", "cost", "class")
_EMPTY = -1  # written for a minion or card that is not there
DECISION_COLUMNS = (
    *("current_minion_count", "opponent_minion_count", "current_taunt_count", "opponent_taunt_count"),
    *("current_hand_size", "opponent_hand_size", "current_mana_left", "current_max_mana", "opponent_max_mana"),
    *("current_hero_health", "opponent_hero_health"),
    *(f"minion_{i}_{name}" for i in range(1, 2 * k.BOARD + 1) for name in _MINION),
    *(f"card_{i}_{name}" for i in range(1, k.HAND + 1) for name in _CARD),
)


def as_csv(rows: Iterable[Sequence[Any]], columns: Sequence[str] | None = None) -> str:
    """Turn rows of values into CSV text, below a line with the column names unless ``columns`` is None."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if columns is not None:
        writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def summary_row(played: Finished) -> list[Any]:
    """Turn a finished game into one row of the summary, in the order of SUMMARY_COLUMNS.

    Player 1 has the first seat, even if the other one began; the health of a dead hero is 0; `Coin` is the player who
    received The Coin.
    """
    ids, last = agent_ids(played.record), played.last
    row: list[Any] = []
    for seat in range(2):
        row += [ids[seat], deck_id(last, seat), max(0, int(last["body"]["health"][0, seat]))]
    winner = "Draw" if played.winner == k.NOBODY else ids[played.winner]
    return [*row, ids[1 - int(last["first"][0])], int(last["turns"][0]), winner]


def decision_rows(played: Finished) -> list[list[Any]]:
    """Return a row for each decision of a game, mulligans included, in order.

    A row describes the position before the decision, from the side of who decides, in the order of DECISION_COLUMNS.
    """
    return [decision_row(played.game, step.before, step.seat) for step in played.steps]


def decision_row(game: Game, position: np.ndarray, seat: int) -> list[Any]:
    """Turn the state ``position`` [1] into a row in the order of DECISION_COLUMNS, as ``seat`` sees it.

    The row has counts, both sides' minions and the own hand; -1 where there is no minion or card.
    """
    sides, numbers = [position["side"][0, seat], position["side"][0, 1 - seat]], numbers_of(game, position)
    boards = [_minions(position, side, numbers.attacks, numbers.ready) for side in sides]
    cards = _cards(sides[0], numbers.costs[seat])
    health = [max(0, int(position["body"]["health"][0, p])) for p in (seat, 1 - seat)]
    return [
        *(len(board) for board in boards),
        *(sum(minion[-1] for minion in board) for board in boards),
        *(int(side["hand_size"]) for side in sides),
        int(sides[0]["mana"]),
        *(int(side["crystals"]) for side in sides),
        *health,
        *_filled(boards[0], k.BOARD, len(_MINION)),
        *_filled(boards[1], k.BOARD, len(_MINION)),
        *_filled(cards, k.HAND, len(_CARD)),
    ]


def _minions(position: np.ndarray, side: np.void, attacks: np.ndarray, ready: np.ndarray) -> list[list[Any]]:
    """Return the minions of a side from left to right, each as its six values in the order of `_MINION`.

    ``position`` is the state [1], ``side`` one of its sides; ``attacks`` and ``ready`` (may attack now) are indexed by
    body.
    """
    found = []
    for e in side["board"][: side["board_size"]].tolist():
        body = position["body"][0, e]
        bits = int(body["keywords"])
        is_silenced, has_taunt = int(bits & k.SILENCED != 0), int(bits & k.TAUNT != 0)
        id = all_cards()[int(body["card"])].id
        found.append([id, int(ready[e]), int(body["health"]), int(attacks[e]), is_silenced, has_taunt])
    return found


def _cards(side: np.void, costs: np.ndarray) -> list[list[Any]]:
    """Return the cards of a side's hand, each as id, current cost and class: 0 minion, 1 spell or secret, 2 weapon.

    ``costs`` has the current cost of each card of the hand, in the same order.
    """
    cards = [all_cards()[number] for number in side["hand"][: side["hand_size"]].tolist()]
    kinds = {k.MINION: 0, k.SPELL: 1, k.SECRET: 1}
    return [[card.id, int(cost), kinds.get(card.type, 2)] for card, cost in zip(cards, costs, strict=False)]


def _filled(parts: Sequence[Sequence[Any]], most: int, width: int) -> list[Any]:
    """Return the values of all parts one after another, with -1 appended up to ``most`` parts of ``width`` values."""
    row = [value for part in parts for value in part]
    return row + [_EMPTY] * (most * width - len(row))
