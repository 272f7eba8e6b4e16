"""Reads stored runs: the tables of a run without playing it again, and lists of its games, a page at a time.

Only the columns that are needed are read. No agent is made and no agent's file is run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ludens.arena.result import Result, build_result
from ludens.arena.schedule import make_schedule
from ludens.arena.store import GameRow, Run, Store
from ludens.core.error import UnknownName
from ludens.core.registry import make_game

_PLACEHOLDERS = {"seed": "0", "start": "{}", "actions": "[]", "checksum": ""}  # unused in the tables of a run


@dataclass(frozen=True)
class PlayedGame:
    """A game of a run, as one line of a list shows it."""

    number: int
    deal: int
    players: list[str]  # [seat] -> the entrant's name
    returns: list[float]
    scores: list[float]
    failure: list[Any]  # [seat, kind, message], or empty


class Cache:
    """A cache of at most ``most`` values that drops the oldest first.

    Nothing expires: a key must contain whatever its value depends on, such as the number of games in a run.
    """

    def __init__(self, most: int) -> None:
        """Start an empty cache for at most ``most`` values."""
        self.most = most
        self._values: dict[Any, Any] = {}

    def get(self, key: Any) -> Any:
        """The value cached under ``key``, or None if there is none (any more)."""
        return self._values.get(key)

    def put(self, key: Any, value: Any) -> Any:
        """Cache ``value`` under ``key``, dropping the oldest values if the cache is full, and return ``value``."""
        while len(self._values) >= self.most:
            self._values.pop(next(iter(self._values)), None)
        self._values[key] = value
        return value


_results = Cache(16)


def count_games(store: Store) -> dict[str, int]:
    """The number of stored games of each run, by run id; runs without games are left out."""
    return dict(store.select("SELECT run, count(*) FROM games GROUP BY run"))


def run_result(store: Store, run: str) -> Result:
    """The tables of a stored run, computed from its games and cached until it has more of them.

    The result's times (``seconds``, ``compile_s``) are 0, because they are not stored. UnknownName if there is no such
    run.
    """
    asked = store.run(run)
    key = (str(store.path), run, store.select("SELECT count(*) FROM games WHERE run=?", run)[0][0])
    found: Result | None = _results.get(key)
    return found if found is not None else _results.put(key, _build(store, asked))


def _build(store: Store, run: Run) -> Result:
    """Compute the tables (a `Result`) of a stored run from its games, without looking into the cache.

    DamagedStore if a stored value cannot be read.
    """
    with store.errors_told():
        return build_result(make_game(run.game, **run.options), run, _rows(store, run.id))


def _rows(store: Store, run: str) -> Iterable[GameRow]:
    """Yield the games of the run with id ``run``, by number; only what its tables need is read.

    Seeds, start fields, actions and checksums are replaced by placeholders.
    """
    columns = ",".join(f"'{_PLACEHOLDERS[name]}'" if name in _PLACEHOLDERS else name for name in GameRow.columns())
    for values in store.select(f"SELECT {columns} FROM games WHERE run=? ORDER BY number", run):
        yield GameRow.from_values(values)


def games_between(
    store: Store, run: str, names: Sequence[str], first: int = 0, most: int = 50
) -> tuple[int, list[PlayedGame]]:
    """The games of the run with id ``run`` in which all the named entrants play: their number, and a list of some.

    The list is in order, leaves out the ``first`` games and has at most ``most``. UnknownName if nobody in the run has
    such a name.
    """
    asked = store.run(run)
    entrants = [one.name for one in make_schedule(make_game(asked.game, **asked.options), asked.request).entrants]
    sits = "AND EXISTS (SELECT 1 FROM json_each(seating) WHERE value=?)"
    which = f"FROM games WHERE run=? {' '.join([sits] * len(names))}"
    values = (run, *(_entrant_index(name, entrants, run) for name in names))
    count = int(store.select(f"SELECT count(*) {which}", *values)[0][0])
    columns = "number, deal, seating, returns, scores, failure"
    rows = store.select(f"SELECT {columns} {which} ORDER BY number LIMIT ? OFFSET ?", *values, most, first)
    with store.errors_told():
        return count, [_played(row, entrants) for row in rows]


def _entrant_index(name: str, entrants: Sequence[str], run: str) -> int:
    """The index of an entrant in the run's list of names; UnknownName, with these names, if there is none."""
    if name not in entrants:
        raise UnknownName(f"nobody called '{name[:60]}' played in run {run}; those who did are: {', '.join(entrants)}")
    return entrants.index(name)


def _played(values: Sequence[Any], entrants: Sequence[str]) -> PlayedGame:
    """Turn a database row into a `PlayedGame`.

    Its values are number, deal, and the JSON texts of seating, returns, scores and failure; ``entrants`` are the names
    by index.
    """
    number, deal, *structures = values
    seating, returns, scores, failure = map(json.loads, structures)
    return PlayedGame(number, deal, [entrants[i] for i in seating], returns, scores, failure)
