"""The learned values of an agent of Liar's Dice in a JSON file that people can read.

Parallel arrays, one entry for each value, as in the thesis: ``kind`` (liar or call), ``quantity``, ``face``, ``value``;
for an agent that uses its own dice also ``others`` (dice of the opponent) and ``own`` (own dice that count). Then the
lie profile, the options of the game and the number of dice it was learned with.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.error import BadOption
from ludens.core.file import json_of, text_of, write_json
from ludens.games.liars_dice.thesis.learning import CALL, LIAR, OWN_COUNTS, Known

if TYPE_CHECKING:
    from ludens.games.liars_dice.game import LiarsDice

VERSION = 1
_MOST_BYTES = 1 << 20
_KINDS = {LIAR: "liar", CALL: "call"}
_CLASSES = ("low", "mid", "high")


class _BadFile(Exception):
    """Raised inside this module: why a file cannot be used."""


def write(file: Path, game: LiarsDice, name: str, q: np.ndarray, known: Any) -> None:
    """Write a learner's values ``q`` and lie profile ``known`` to a file, completely or not at all.

    ``name`` is the name of the agent. `BadOption` if writing fails.
    """
    try:
        write_json(file, _as_data(game, name, q, known))
    except OSError as why:
        raise BadOption(f"cannot write {file}: {why.strerror or why}") from None


def must_be_writable(file: Path) -> None:
    """Raise `BadOption` if the file cannot be written; called before the games, so that none are played in vain."""
    if not file.absolute().parent.is_dir() or file.is_dir():
        raise BadOption(f"cannot write {file}: name a file in an existing folder")


def read(file: Path, game: LiarsDice, q: np.ndarray, known: Any) -> None:
    """Read a file into a learner's values ``q`` and lie profile ``known``, in place.

    `BadOption` says why if that fails.
    """
    try:
        data = json_of(text_of(file, _MOST_BYTES, "learner"), f"the learner {file}")
        if not isinstance(data, dict):
            raise _BadFile("it is not a JSON object")
        _check_rules(data, game)
        _take_values(data, game, q)
        _take_profile(data, known)
    except _BadFile as why:
        raise BadOption(f"{file} holds no tables for this learner: {why}") from None


def _as_data(game: LiarsDice, name: str, q: np.ndarray, known: Any) -> dict[str, Any]:
    """The contents of the JSON file for the values ``q`` and the lie profile ``known`` of the agent ``name``."""
    keys = _keys(game, q)
    columns: dict[str, list[Any]] = {
        "kind": [_KINDS[kind] for _, kind, _ in keys],
        "quantity": [bid // game.rules.options.faces + 1 for *_, bid in keys],
        "face": [bid % game.rules.options.faces + 1 for *_, bid in keys],
    }
    if len(q) > 1:
        columns |= {"others": [c // OWN_COUNTS for c, *_ in keys], "own": [c % OWN_COUNTS for c, *_ in keys]}
    return {
        "version": VERSION,
        "game": game.id,
        "agent": name,
        "rules": game.rules.option_values(),
        "dice": sum(game.rules.start_dice),
        **columns,
        "value": [float(q[key]) for key in keys],
        "profile": {
            "classes": list(_CLASSES),
            **{field: known[field].tolist() for field in ("rates", "bids", "lies")},
            "rounds": int(known["rounds"]),
        },
    }


def _keys(game: LiarsDice, q: np.ndarray) -> list[tuple[int, int, int]]:
    """The indices (context, kind, bid) of the values ``q`` in the order of the file: for each bid liar, then call."""
    return [
        (context, kind, bid) for context in range(len(q)) for bid in range(game.rules.liar) for kind in (LIAR, CALL)
    ]


def _check_rules(data: dict[str, Any], game: LiarsDice) -> None:
    """Refuse data of another game or file version, or learned with another number of dice or faces.

    Raises `_BadFile`.
    """
    if data.get("version") != VERSION or data.get("game") != game.id:
        raise _BadFile(f"it is not of {game.id}, version {VERSION}")
    rules = data.get("rules")
    faces = rules.get("faces") if isinstance(rules, dict) else None
    if data.get("dice") != sum(game.rules.start_dice) or faces != game.rules.options.faces:
        raise _BadFile(
            f"it was learned with other dice, not {sum(game.rules.start_dice)} of {game.rules.options.faces} faces"
        )


def _take_values(data: dict[str, Any], game: LiarsDice, q: np.ndarray) -> None:
    """Copy the values in a file's data into ``q``; refuse data whose keys are not those of `_keys`, in that order."""
    keys = _keys(game, q)
    wanted = _as_data(game, "", q, np.zeros(1, Known)[0])
    columns = ["kind", "quantity", "face", *(["others", "own"] if len(q) > 1 else [])]
    if any(data.get(column) != wanted[column] for column in columns) or (len(q) == 1 and "own" in data):
        raise _BadFile("its keys are not those of this table")
    for key, value in zip(keys, _numbers(data.get("value"), len(keys), "value"), strict=True):
        q[key] = value


def _take_profile(data: dict[str, Any], known: Any) -> None:
    """Copy the lie profile in a file's data into ``known``; refuse counts or rates that are impossible."""
    profile = data.get("profile")
    if not isinstance(profile, dict):
        raise _BadFile("its profile is missing")
    rates, bids, lies = (_numbers(profile.get(name), 3, name) for name in ("rates", "bids", "lies"))
    (rounds,) = _numbers([profile.get("rounds")], 1, "rounds")
    counts = [*bids, *lies, rounds]
    is_sound = all(0 <= rate <= 1 for rate in rates) and all(count >= 0 and count == int(count) for count in counts)
    if not is_sound or any(lie > bid for lie, bid in zip(lies, bids, strict=True)):
        raise _BadFile("its profile has impossible counts or rates")
    known["rates"], known["bids"], known["lies"], known["rounds"] = rates, bids, lies, rounds


def _numbers(found: Any, count: int, name: str) -> list[float]:
    """Return ``found`` as a list of ``count`` finite numbers; refuse anything else. ``name`` is for the message."""
    if not isinstance(found, list) or len(found) != count:
        raise _BadFile(f"'{name}' is not a list of {count} numbers")
    if not all(type(x) in (int, float) and math.isfinite(x) and abs(x) < 1 << 53 for x in found):
        raise _BadFile(f"'{name}' holds something that is not a number")
    return [float(x) for x in found]
