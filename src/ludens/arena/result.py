"""The result of a tournament: who won how often, with intervals, in the order the agents were entered."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludens.arena.schedule import Entrant
from ludens.arena.statistics import Games, elo_ratings, rate, shared_ranks
from ludens.arena.store import GameRow

__all__ = ["Result", "build_result", "elo_interval"]

_KINDS = {"crashes": "crash", "timeouts": "timeout", "illegal": "illegal"}
_JSON = ("agents", "pairs", "seats", "game", "options", "seed", "versions", "seconds", "compile_s", "run", "notes")


@dataclass
class Result:
    """Tables of a tournament, as plain data. ``to_json`` is what programs read."""

    agents: list[dict[str, Any]]
    pairs: list[dict[str, Any]]
    seats: list[dict[str, Any]]
    roles: list[dict[str, Any]]  # agent by seat
    ranks: list[int]  # of the agents; 1 is nobody clearly better
    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    versions: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0  # of playing
    compile_s: float = 0.0
    run: str = ""
    notes: list[str] = field(default_factory=list)
    sprt: dict[str, Any] | None = None
    clock: str | None = None  # '10+0.25': seconds at the start and after each decision
    scores_decide: bool = True  # if not, people are shown neither scores nor margins

    def to_json(self) -> dict[str, Any]:
        """The result as JSON types; the test's verdict and the clock only if there was one."""
        data = {name: getattr(self, name) for name in _JSON}
        extras = {"sprt": self.sprt, "clock": self.clock}
        return {**data, **{name: value for name, value in extras.items() if value is not None}}

    def _repr_html_(self) -> str:
        from ludens.arena.report import to_html

        return to_html(self)


def build_result(
    rows: Sequence[GameRow],
    entrants: Sequence[Entrant],
    seat_names: Sequence[str],
    series: Sequence[bool],
    clock: str | None = None,
) -> Result:
    """Work out every table from the games; ``series`` says for each table whether somebody learns there."""
    rows = sorted(rows, key=lambda row: row.number)
    games = _games(rows, len(seat_names), series)
    ratings, intervals = elo_ratings(games, len(entrants))
    agents = [_agent_row(games, rows, i, entrant.name) for i, entrant in enumerate(entrants)]
    for i, agent in enumerate(agents):
        agent["elo"] = float(ratings[i])
        agent["elo_ci95"] = None if intervals is None else elo_interval(agent, intervals[i].tolist())
    both = itertools.combinations(range(len(entrants)), 2)
    fields = (*_AGENT_FIELDS, "oversteps") if clock else _AGENT_FIELDS
    return Result(
        agents=[{name: agent[name] for name in fields} for agent in agents],
        pairs=[pair for i, j in both if (pair := _pair_row(games, i, j, entrants))],
        seats=[_seat_row(games, seat, name) for seat, name in enumerate(seat_names)],
        roles=_role_rows(games, entrants, seat_names),
        ranks=shared_ranks(ratings.tolist(), None if intervals is None else [(a, b) for a, b in intervals.tolist()]),
        notes=_failure_notes(rows, entrants) + (_clock_notes(clock, agents) if clock else []),
        clock=clock,
    )


_AGENT_FIELDS = (
    *("spec", "games", "wins", "draws", "losses", "win_rate", "ci95", "score", "margin", "elo", "elo_ci95"),
    *("ms_per_move", "crashes", "timeouts", "illegal", "nobody_won"),
)


def elo_interval(agent: dict[str, Any], resampled: list[float]) -> list[float]:
    """The bootstrap's interval; where all games went one way no resample can tell, and the win rate's bound must do."""
    if not agent["games"] or agent["games"] not in (agent["wins"], agent["losses"]):
        return resampled
    bound = agent["ci95"][0] if agent["wins"] else agent["ci95"][1]
    shown = (agent["wins"] + 0.5) / (agent["games"] + 1)
    apart = 400 * abs(math.log10(shown / (1 - shown)) - math.log10(bound / (1 - bound)))
    return [agent["elo"] - apart, agent["elo"] + apart]


def _games(rows: Sequence[GameRow], seats: int, series: Sequence[bool]) -> Games:
    keys = [("run", row.repeat) if series[row.table_index] else ("deal", row.deal) for row in rows]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    scores = np.array([row.scores for row in rows], float).reshape(-1, seats)
    scores[[bool(row.failure) for row in rows]] = np.nan
    return Games(
        seating=np.array([row.seating for row in rows], np.int64).reshape(-1, seats),
        returns=np.array([row.returns for row in rows], float).reshape(-1, seats),
        scores=scores,
        units=np.array([numbers[key] for key in keys], np.int64),
    )


def _rate_fields(games: Games, wins: np.ndarray, played: np.ndarray) -> dict[str, Any]:
    found = rate(games.per_unit(wins.astype(float)), games.per_unit(played.astype(float)))
    return {"games": found.games, "wins": found.wins, "win_rate": found.rate, "ci95": list(found.ci95)}


def _agent_row(games: Games, rows: Sequence[GameRow], agent: int, name: str) -> dict[str, Any]:
    mine = games.of(agent)
    data = _rate_fields(games, (games.wins & mine).sum(axis=1), mine.sum(axis=1))
    draws = int((games.draws & mine).sum())
    finished = mine & ~np.isnan(games.scores)
    failed = [row.failure[1] for row in rows if row.failure and row.seating[row.failure[0]] == agent]
    return {
        "spec": name,
        **data,
        "draws": draws,
        "losses": data["games"] - data["wins"] - draws,
        "score": float(games.scores[finished].mean()) if finished.any() else None,
        "margin": float(games.margins()[finished].mean()) if finished.any() else None,
        "ms_per_move": _ms_per_move(rows, agent),
        **{field: failed.count(kind) for field, kind in _KINDS.items()},
        "nobody_won": int((mine & games.unwon[:, None]).sum()),  # some of its losses: they are everybody's
        "oversteps": sum(sum(time[3:]) for time in _times_of(rows, agent)),
    }


def _times_of(rows: Sequence[GameRow], agent: int) -> list[Any]:
    return [time for row in rows for time, who in zip(row.times, row.seating, strict=True) if who == agent]


def _ms_per_move(rows: Sequence[GameRow], agent: int) -> dict[str, float | None]:
    """Mean, 95th percentile and longest; an agent that moves in many games at once has only a mean."""
    times = _times_of(rows, agent)
    moves = sum(time[1] for time in times)
    each = [ms for time in times for ms in time[2] or ()]
    return {
        "mean": sum(time[0] for time in times) / moves if moves else None,
        "p95": float(np.percentile(each, 95)) if each else None,
        "max": max(each) if each else None,
    }


def _pair_row(games: Games, i: int, j: int, entrants: Sequence[Entrant]) -> dict[str, Any] | None:
    """How two agents fared in the games they sat in together."""
    first, second = games.of(i), games.of(j)
    both: np.ndarray = np.logical_and(first.any(axis=1), second.any(axis=1))
    if not both.any():
        return None
    first_won = (games.wins & first).any(axis=1) & both
    data = _rate_fields(games, first_won, both)
    return {
        "first": entrants[i].name,
        "second": entrants[j].name,
        "games": data["games"],
        "first_wins": data["wins"],
        "draws": int(((games.draws & first).any(axis=1) & (games.draws & second).any(axis=1)).sum()),
        "second_wins": int(((games.wins & second).any(axis=1) & both).sum()),
        "first_rate": data["win_rate"],
        "ci95": data["ci95"],
    }


def _seat_row(games: Games, seat: int, name: str) -> dict[str, Any]:
    played = np.ones(len(games.units))
    return {"seat": seat, "name": str(name), **_rate_fields(games, games.wins[:, seat], played)}


def _role_rows(games: Games, entrants: Sequence[Entrant], seat_names: Sequence[str]) -> list[dict[str, Any]]:
    """Each agent in each seat it took; seats that share a name are one role."""
    rows = []
    for i, entrant in enumerate(entrants):
        for name in dict.fromkeys(map(str, seat_names)):
            mine = games.of(i) & np.array([str(other) == name for other in seat_names])
            if mine.any():
                fields = _rate_fields(games, (games.wins & mine).sum(axis=1), mine.sum(axis=1))
                rows.append({"spec": entrant.name, "seat": name, **fields})
    return rows


def _clock_notes(clock: str, agents: Sequence[dict[str, Any]]) -> list[str]:
    """What a clock means for the result, and who overstepped it how often."""
    late = ", ".join(f"{agent['spec']} {agent['oversteps']:,}" for agent in agents if agent["oversteps"])
    told = f"played on a clock of {clock} s: times differ, so the same seed need not give this result again"
    return [told, f"decisions beyond the clock: {late}"] if late else [told]


def _failure_notes(rows: Sequence[GameRow], entrants: Sequence[Entrant]) -> list[str]:
    """The first failure of each agent, in its own words."""
    notes: dict[int, str] = {}
    for row in rows:
        if row.failure:
            seat, kind, words = row.failure
            name = entrants[row.seating[seat]].name
            notes.setdefault(row.seating[seat], f"{name} first failed in game {row.number} ({kind}): {words}")
    return list(notes.values())
