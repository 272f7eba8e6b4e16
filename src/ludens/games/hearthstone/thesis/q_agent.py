"""Q agents as players: one that learns in a series of games, and one that plays from a folder.

The values of a folder are read by the reading, the kind and the deck that its card names. A table is kept as the
entries that are not 0; both values of double learning are kept as their sum, which is what they play by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.core.agent import RuleAgent
from ludens.core.error import BadOption, BadRecord
from ludens.core.game import Game
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.deck import look_up
from ludens.games.hearthstone.thesis import q_player as q
from ludens.games.hearthstone.thesis import q_rule as _q_rule  # noqa: F401  (the rule registers itself)
from ludens.games.hearthstone.thesis.bots import deck_fields
from ludens.games.hearthstone.thesis.q_player import QPlayer
from ludens.learn.agent import FolderAgent
from ludens.learn.model import Model

KIND = "hearthstone-q"  # of folders
KINDS = ("table", "net", "full")
_PROGRAM = {"early": -10, "mana": 0, "card": 0, "even_survives": 1, "copies_confuse": 1}
_LATE = {"damage": 0, "any_damage": 10, "hurt": 0, "judged_late": 1, "at_end": q.NO_UPDATE, "coin_is_mana": 1}
_TABLE = {"at_end": q.NOTHING_MORE, "strength": 1, "no_mana": 10, "caps": (10, 5, 5, 4, 3, 2, 1, 1, 1, 1, 1)}
_READINGS: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("table", "code"): {**_PROGRAM, **_TABLE},
    ("net", "code"): {
        **_PROGRAM,
        **_LATE,
    },
}


def options_of(kind: str, reading: str, **more: Any) -> np.ndarray:
    """The options of a Q agent: ``kind`` is 'table', 'net' or 'full', ``reading`` 'code' or 'text'."""
    sight = q.FULL if kind == "full" else q.REDUCED
    return q.new_options(sight, is_net=kind != "table", **{**_READINGS.get((kind, reading), {}), **more})


class LearningQ(RuleAgent):
    """A Q agent that learns from every game of a series."""

    name = "q"
    memory = q.QMemory
    wants_events = True

    def __init__(self, game: Game, player: QPlayer, deck: str) -> None:
        """``player``: its values, which it changes; ``deck``: the name of the deck that it plays."""
        super().__init__(game)
        self.player, self.deck = player, deck

    def rule_settings(self) -> QPlayer:
        """The settings of its rule."""
        return self.player

    def start_fields(self) -> dict[str, Any]:
        """Its deck."""
        return deck_fields(self.deck)


class FolderQ(FolderAgent):
    """Plays the action with the largest learned value, with the deck that it was trained with."""

    memory = q.QMemory

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Read the values of the folder; BadOption or BadRecord if they do not fit."""
        super().__init__(game, settings)
        self.player, self.deck = read_player(self.model, str(self.folder))

    def rule_settings(self) -> QPlayer:
        """The settings of its rule."""
        return self.player

    def start_fields(self) -> dict[str, Any]:
        """The deck that it was trained with."""
        return dict(self.deck)


# Folders


def arrays_of(player: QPlayer, deck: str) -> dict[str, np.ndarray]:
    """What a folder keeps of a player with this deck."""
    found = look_up(deck)
    about: dict[str, np.ndarray] = {
        "deck": np.array(found.cards, np.uint16),
        "class": np.array([found.class_number], np.uint8),
    }
    if player.options[0]["is_net"]:
        names = ("inner", "bias", "outer", "offset")
        return about | {name: getattr(player, name).astype(np.float32) for name in names}
    states = np.flatnonzero(player.places >= 0)
    values = player.rows.sum(axis=0)[player.places[states]].astype(np.float32)
    rows, actions = np.nonzero(values)
    return about | {
        "state": states[rows].astype(np.uint32),
        "action": actions.astype(np.uint8),
        "value": values[rows, actions],
    }


def read_player(model: Model, where: str) -> tuple[QPlayer, dict[str, Any]]:
    """The player that a model describes, and the start fields with its deck; ``where`` names it in messages.

    BadOption or BadRecord if something is missing or out of range.
    """
    kind, reading, hidden = model.card.get("q"), model.card.get("as"), model.card.get("hidden", 1)
    if kind not in KINDS or reading not in ("code", "text") or type(hidden) is not int or not 0 < hidden <= 4096:
        raise BadOption(f"the card of {where} is broken: train the agent again")
    arrays, options = model.arrays, options_of(kind, reading)
    try:
        deck = {"lists": _numbers(arrays["deck"], k.DECK), "classes": int(_numbers(arrays["class"], 1)[0])}
        player = _net_player(arrays, options, hidden) if kind != "table" else _table_player(arrays, options)
    except (KeyError, ValueError, IndexError):
        raise BadRecord(f"{where} is damaged: its values do not fit what its card says") from None
    return player, deck


def _numbers(array: np.ndarray, length: int) -> np.ndarray:
    """An array of so many whole numbers; ValueError if it is none, or a number is no card's."""
    if array.shape != (length,) or array.dtype.kind != "u" or (array >= k.CARDS).any():
        raise ValueError
    return array


def _net_player(arrays: Mapping[str, np.ndarray], options: np.ndarray, hidden: int) -> QPlayer:
    """A player with the network in ``arrays``; KeyError or ValueError if it does not fit."""
    options["method"] = q.DOUBLE if len(arrays["offset"]) == 2 else q.Q_LEARNING
    player = q.new_player(options, hidden, 1)
    for name in ("inner", "bias", "outer", "offset"):
        mine, given = getattr(player, name), arrays[name]
        if mine.shape != given.shape or given.dtype != np.float32 or not np.isfinite(given).all():
            raise ValueError
        mine[:] = given
    return player


def _table_player(arrays: Mapping[str, np.ndarray], options: np.ndarray) -> QPlayer:
    """A player with the table in ``arrays``; KeyError, ValueError or IndexError if it does not fit."""
    state, action, value = arrays["state"], arrays["action"], arrays["value"]
    kinds = state.dtype == np.uint32, action.dtype == np.uint8, value.dtype == np.float32
    if (
        not state.shape == action.shape == value.shape == (len(state),)
        or not all(kinds)
        or not np.isfinite(value).all()
    ):
        raise ValueError
    states, rows = np.unique(state, return_inverse=True)
    player = q.new_player(options, 1, max(len(states), 1))
    player.places[states] = np.arange(len(states), dtype=np.int32)
    player.rows[0, rows, action] = value
    player.used[0] = len(states)
    return player
