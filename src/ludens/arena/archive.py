"""Reads stored runs back: the tables of a run without playing it, and its games, a page at a time.

Only the columns that are needed are read. No agent is made and no agent's file is run.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.arena.executor import plan_of
from ludens.arena.result import Result, build_result
from ludens.arena.schedule import Plan
from ludens.arena.statistics import Sprt, outcomes
from ludens.arena.store import GameRow, Run, Store
from ludens.core.error import UnknownName
from ludens.core.game import Game
from ludens.core.registry import agent_class, is_foreign, make_game

__all__ = ["Kept", "PlayedGame", "count_games", "games_between", "run_result"]

_NEEDLESS = {"seed": "0", "start": "{}", "actions": "[]", "checksum": ""}  # for the tables of a run
_COLUMNS = tuple(field.name for field in dataclasses.fields(GameRow))


@dataclass(frozen=True)
class PlayedGame:
    """A game of a run as a list shows it."""

    number: int
    deal: int
    players: list[str]  # [seat] -> the entrant's name
    returns: list[float]
    scores: list[float]
    failure: list[Any]  # [seat, kind, words], or empty


class Kept:
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


_results = Kept(16)


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
    game = make_game(run.game, **run.options)
    plan = plan_of(game, run.request)
    rows = list(_rows(store, run.id))
    result = _tables(rows, plan, game, run.request.get("clock"))
    result.game, result.options, result.versions = run.game, run.options, run.versions
    result.seed, result.run, result.scores_decide = run.seed, run.id, game.scores_decide
    if run.request.get("sprt"):
        first = plan.tables[0].entrants[0]
        result.sprt = Sprt(*run.request["sprt"]).verdict(_deal_scores(rows, first, len(plan.tables[0].orders)))
    return result


def _tables(rows: Sequence[GameRow], plan: Plan, game: Game, clock: str | None) -> Result:
    """The tables of those who have played: in a run on its way that need not be everybody."""
    here = sorted({i for row in rows for i in row.seating})
    if not here:
        return Result(agents=[], pairs=[], seats=[], roles=[], ranks=[])
    renumbered = [dataclasses.replace(row, seating=[here.index(i) for i in row.seating]) for row in rows]
    return build_result(renumbered, [plan.entrants[i] for i in here], game.seat_names, _series(game, plan), clock)


def _rows(store: Store, run: str) -> Iterable[GameRow]:
    """The games without their moves."""
    columns = ",".join(f"'{_NEEDLESS[name]}'" if name in _NEEDLESS else name for name in _COLUMNS)
    for values in store.select(f"SELECT {columns} FROM games WHERE run=? ORDER BY number", run):
        yield GameRow.from_values(values)


def _series(game: Game, plan: Plan) -> list[bool]:
    """For each table whether somebody learns there from game to game; agents from files never do."""
    learns = [
        not is_foreign(entrant.spec) and agent_class(entrant.spec.strip().partition(":")[0], game).series
        for entrant in plan.entrants
    ]
    return [any(learns) if plan.draws else any(learns[i] for i in table.entrants) for table in plan.tables]


def _deal_scores(rows: Sequence[GameRow], entrant: int, orders: int) -> list[float]:
    """An entrant's mean score in each deal, as far as no game is missing."""
    together = [row for place, row in enumerate(rows) if row.number == place]
    whole = together[: len(together) // orders * orders]
    if not whole:
        return []
    won, drew = outcomes(np.array([row.returns for row in whole], float))
    mine = np.array([row.seating for row in whole]) == entrant
    return [float(score) for score in ((won + 0.5 * drew) * mine).sum(axis=1).reshape(-1, orders).mean(axis=1)]


def games_between(
    store: Store, run: str, names: Sequence[str], first: int = 0, most: int = 50
) -> tuple[int, list[PlayedGame]]:
    """The games in which all the named entrants sit: how many there are, and some of them in order."""
    asked = store.run(run)
    entrants = [entrant.name for entrant in plan_of(make_game(asked.game, **asked.options), asked.request).entrants]
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
