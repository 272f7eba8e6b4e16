"""Reads stored runs back: the tables of a run without playing it, and its games, a page at a time.

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

_NEEDLESS = {"seed": "0", "start": "{}", "actions": "[]", "checksum": ""}  # for the tables of a run


@dataclass(frozen=True)
class PlayedGame:
    """A game of a run as a list shows it."""

    number: int
    deal: int
    players: list[str]  # [seat] -> the entrant's name
    returns: list[float]
    scores: list[float]
    failure: list[Any]  # [seat, kind, words], or empty


class Cache:
    """Things that are slow to work out, under a key that changes when they do; the oldest are forgotten."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: dict[Any, Any] = {}

    def get(self, key: Any) -> Any:
        return self._values.get(key)

    def put(self, key: Any, value: Any) -> Any:
        """Keep a value and hand it back."""
        while len(self._values) >= self.most:
            self._values.pop(next(iter(self._values)), None)
        self._values[key] = value
        return value


_results = Cache(16)


def count_games(store: Store) -> dict[str, int]:
    """How many games of each run are stored; a run without any is left out."""
    return dict(store.select("SELECT run, count(*) FROM games GROUP BY run"))


def run_result(store: Store, run: str) -> Result:
    """The tables of a stored run, worked out once for each number of games; the time it took was not stored."""
    asked = store.run(run)
    key = (str(store.path), run, store.select("SELECT count(*) FROM games WHERE run=?", run)[0][0])
    found: Result | None = _results.get(key)
    return found if found is not None else _results.put(key, _work_out(store, asked))


def _work_out(store: Store, run: Run) -> Result:
    return build_result(make_game(run.game, **run.options), run, _rows(store, run.id))


def _rows(store: Store, run: str) -> Iterable[GameRow]:
    """The games without their moves."""
    columns = ",".join(f"'{_NEEDLESS[name]}'" if name in _NEEDLESS else name for name in GameRow.columns())
    for values in store.select(f"SELECT {columns} FROM games WHERE run=? ORDER BY number", run):
        yield GameRow.from_values(values)


def games_between(
    store: Store, run: str, names: Sequence[str], first: int = 0, most: int = 50
) -> tuple[int, list[PlayedGame]]:
    """The games in which all the named entrants sit: how many there are, and some of them in order."""
    asked = store.run(run)
    entrants = [one.name for one in make_schedule(make_game(asked.game, **asked.options), asked.request).entrants]
    sits = "AND EXISTS (SELECT 1 FROM json_each(seating) WHERE value=?)"
    which = f"FROM games WHERE run=? {' '.join([sits] * len(names))}"
    values = (run, *(_place(name, entrants, run) for name in names))
    count = int(store.select(f"SELECT count(*) {which}", *values)[0][0])
    columns = "number, deal, seating, returns, scores, failure"
    rows = store.select(f"SELECT {columns} {which} ORDER BY number LIMIT ? OFFSET ?", *values, most, first)
    return count, [_played(row, entrants) for row in rows]


def _place(name: str, entrants: Sequence[str], run: str) -> int:
    if name not in entrants:
        raise UnknownName(f"nobody called '{name[:60]}' played in run {run}; those who did are: {', '.join(entrants)}")
    return entrants.index(name)


def _played(values: Sequence[Any], entrants: Sequence[str]) -> PlayedGame:
    number, deal, *structures = values
    seating, returns, scores, failure = map(json.loads, structures)
    return PlayedGame(number, deal, [entrants[i] for i in seating], returns, scores, failure)
