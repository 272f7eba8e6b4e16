"""The result of a tournament: tables of agents, pairs and seats, with intervals, computed from its games."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.arena.cage import IN_FORCE, what_is_missing
from ludens.arena.nash import NashRow, nash_rows
from ludens.arena.schedule import Entrant, Schedule, learning_pairings, make_schedule
from ludens.arena.statistics import Games, Rate, Sprt, elo_ratings, outcomes, rate, shared_ranks
from ludens.arena.store import GameRow, Run
from ludens.core.game import Game

KINDS = {"crashes": "crash", "timeouts": "timeout", "illegal": "illegal"}


@dataclass(frozen=True)
class AgentRow:
    """The results of an agent over all its games."""

    spec: str  # as it was entered
    games: int
    wins: int
    draws: int
    losses: int
    win_rate: float
    ci95: list[float]
    score: float | None
    margin: float | None
    elo: float
    elo_ci95: list[float] | None
    ms_per_move: dict[str, float | None]
    crashes: int
    timeouts: int
    illegal: int
    nobody_won: int  # those of its losses in which all seats lost
    oversteps: int  # decisions that exceeded the clock


@dataclass(frozen=True)
class PairRow:
    """The results of two agents in the games both played in."""

    first: str
    second: str
    games: int
    first_wins: int
    draws: int
    second_wins: int
    first_rate: float
    ci95: list[float]

    @property
    def second_rate(self) -> float:
        """The share of these games that the second agent won."""
        return self.second_wins / self.games


@dataclass(frozen=True)
class SeatRow:
    """The results of a seat, over all agents that sat there."""

    seat: int
    name: str
    games: int
    wins: int
    win_rate: float
    ci95: list[float]


@dataclass(frozen=True)
class RoleRow:
    """The results of an agent in a seat; seats with the same name count as one."""

    spec: str
    seat: str
    games: int
    wins: int
    win_rate: float
    ci95: list[float]


@dataclass(frozen=True)
class Result:
    """All tables of a tournament, and how it was played. ``to_json`` is the form for other programs."""

    agents: list[AgentRow]
    pairs: list[PairRow]
    seats: list[SeatRow]
    roles: list[RoleRow]
    ranks: list[int]  # of the agents; shared by those whose intervals overlap
    game: str
    options: dict[str, Any]
    seed: int
    key: str | None  # drawn for agents from files; with it the same seed gives the same games again
    versions: dict[str, Any]
    seconds: float  # of playing
    compile_s: float
    run: str
    notes: list[str]
    sprt: dict[str, Any] | None
    clock: str | None  # '10+0.25': seconds at the start and after each decision
    nash: list[NashRow] | None  # None: fewer than three agents, or not all met one another
    scores_decide: bool  # if not, people are shown neither scores nor margins

    def to_json(self) -> dict[str, Any]:
        """The result as JSON types, without ranks, results by role, and what is None (a test, a clock, `nash`)."""
        data = {name: value for name, value in vars(self).items() if name not in ("ranks", "roles", "scores_decide")}
        lists = [name for name in ("agents", "pairs", "seats", "nash") if data[name] is not None]
        tables = {name: [dict(vars(row)) for row in data[name]] for name in lists}
        for agent in tables["agents"]:
            if self.clock is None:
                del agent["oversteps"]
        return {name: value for name, value in (data | tables).items() if value is not None}

    def _repr_html_(self) -> str:
        """The result as an HTML page, shown by notebooks."""
        from ludens.arena.report import to_html

        return to_html(self)


def build_result(
    game: Game,
    run: Run,
    rows: Iterable[GameRow],
    *,
    seconds: float = 0.0,
    compile_s: float = 0.0,
    notes: Sequence[str] = (),
) -> Result:
    """Compute all tables of a run from its stored games, ``rows``, in any order; ``game`` is the one that is played.

    Of an unfinished run only the agents that have played are listed. The times and ``notes`` are passed on to the
    result.
    """
    request, schedule = run.request, make_schedule(game, run.request)
    rows = sorted(rows, key=lambda row: row.number)
    entrants, listed = _listed_entrants(rows, schedule, is_done=run.status == "done")
    learning = learning_pairings(game, schedule)
    games = games_of(listed, game.rules.seats, learning)
    agents, ranks = _agents(games, listed, entrants)
    seats = game.rules.seat_names
    scores = add_deal_scores([], {row.number: row for row in rows}, schedule) if request.sprt else []
    all_notes = [*notes, *_failure_notes(listed, entrants), *_notes(request.clock, agents, run.versions)]
    if any(learning) and schedule.repeats == 1:
        all_notes.append("one learning run tells nothing about others: its intervals need repeats")
    return Result(
        agents=agents,
        pairs=_pair_rows(games, entrants),
        seats=_seat_rows(games, seats) if agents else [],
        roles=_role_rows(games, entrants, seats),
        ranks=ranks,
        game=run.game,
        options=run.options,
        seed=request.seed,
        key=request.key,
        versions=run.versions,
        seconds=seconds,
        compile_s=compile_s,
        run=run.id,
        notes=all_notes,
        sprt=Sprt(*request.sprt).verdict(scores) if request.sprt else None,
        clock=request.clock,
        nash=nash_rows(games, [entrant.name for entrant in entrants]),
        scores_decide=game.face.scores_decide,
    )


def _listed_entrants(
    rows: Sequence[GameRow], schedule: Schedule, *, is_done: bool
) -> tuple[list[Entrant], Sequence[GameRow]]:
    """The entrants to list, and the games with ``seating`` as indices into them.

    These are all entrants of the schedule if ``is_done``, else those that have played in ``rows``.
    """
    here = sorted({i for row in rows for i in row.seating})
    if is_done or len(here) == len(schedule.entrants):
        return list(schedule.entrants), rows
    renumbered = [dataclasses.replace(row, seating=[here.index(i) for i in row.seating]) for row in rows]
    return [schedule.entrants[i] for i in here], renumbered


def add_deal_scores(scores: list[float], rows: Mapping[int, GameRow], schedule: Schedule) -> list[float]:
    """Append the first agent's mean score (0 to 1) of each further complete deal to ``scores``, and return this list.

    ``rows`` are the games by number. Stops before the first deal with a missing game, so that the scores are in deal
    order. Called for a sequential test, whose schedule has one pairing.
    """
    orders, first = len(schedule.pairings[0].orders), schedule.pairings[0].entrants[0]
    while True:
        numbers = range(len(scores) * orders, (len(scores) + 1) * orders)
        if any(number not in rows for number in numbers):
            return scores
        scores.append(sum(_points(rows[number], first) for number in numbers) / orders)


def _points(row: GameRow, entrant: int) -> float:
    """The score in a game of the entrant with this index: 1 for a win, a half for a draw, 0 otherwise."""
    won, drew = outcomes(np.array([row.returns]))
    seat = row.seating.index(entrant)
    return float(won[0, seat] + 0.5 * drew[0, seat])


def _agents(games: Games, rows: Sequence[GameRow], entrants: Sequence[Entrant]) -> tuple[list[AgentRow], list[int]]:
    """The table of agents and the rank of each, in the order of ``entrants``; two empty lists if there are none.

    ``games`` are the results as arrays, ``rows`` the same games as they are stored.
    """
    if not entrants:
        return [], []
    ratings, intervals = elo_ratings(games, len(entrants))
    bounds = None if intervals is None else intervals.tolist()
    agents = [
        _agent_row(games, rows, i, entrant.name, float(ratings[i]), bounds and bounds[i])
        for i, entrant in enumerate(entrants)
    ]
    shown = [agent.elo_ci95 for agent in agents if agent.elo_ci95 is not None]
    return agents, shared_ranks(ratings.tolist(), shown if len(shown) == len(agents) else None)


def elo_interval(elo: float, resampled: list[float], found: Rate, losses: int) -> list[float]:
    """The 95 % interval [low, high] of an agent's Elo.

    ``resampled``, the bootstrap's interval, is returned unless the agent won or lost all its games: then all resamples
    are alike, and the width comes from the interval of its win rate ``found``. ``losses`` is its number of lost games.
    """
    if not found.games or found.games not in (found.wins, losses):
        return resampled
    bound = found.ci95[0] if found.wins else found.ci95[1]
    shown = (found.wins + 0.5) / (found.games + 1)
    apart = 400 * abs(math.log10(shown / (1 - shown)) - math.log10(bound / (1 - bound)))
    return [elo - apart, elo + apart]


def games_of(rows: Sequence[GameRow], seats: int, learning: Sequence[bool]) -> Games:
    """The results of the stored games ``rows`` as arrays, for the statistics; ``seats`` is their number of seats.

    ``learning`` [pairings] says where an agent learns: there the unit is a whole repeat of the run, elsewhere the deal.
    The scores of games that ended by a failure are NaN.
    """
    keys = [("run", row.repeat) if learning[row.table_index] else ("deal", row.deal) for row in rows]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    scores = np.array([row.scores for row in rows], float).reshape(-1, seats)
    scores[[bool(row.failure) for row in rows]] = np.nan
    return Games(
        seating=np.array([row.seating for row in rows], np.int64).reshape(-1, seats),
        returns=np.array([row.returns for row in rows], float).reshape(-1, seats),
        scores=scores,
        units=np.array([numbers[key] for key in keys], np.int64),
    )


def _rate_fields(found: Rate) -> dict[str, Any]:
    """A rate as the fields (keyword arguments) that all kinds of rows have: games, wins, win_rate and ci95."""
    return {"games": found.games, "wins": found.wins, "win_rate": found.rate, "ci95": list(found.ci95)}


def _agent_row(
    games: Games, rows: Sequence[GameRow], agent: int, name: str, elo: float, resampled: list[float] | None
) -> AgentRow:
    """The row of an agent in the table of agents; ``agent`` is its index as an entrant, ``name`` what the table shows.

    ``games`` are the results as arrays, ``rows`` the same games as stored. ``resampled`` is the bootstrap interval of
    its ``elo``, None with a single unit.
    """
    mine = games.of(agent)
    found = games.rate(mine)
    draws = int((games.draws & mine).sum())
    losses = found.games - found.wins - draws
    finished = mine & ~np.isnan(games.scores)
    kinds = [row.failure[1] for row in rows if row.failure and row.seating[row.failure[0]] == agent]
    failed: dict[str, Any] = {field: kinds.count(kind) for field, kind in KINDS.items()}
    return AgentRow(
        spec=name,
        **_rate_fields(found),
        draws=draws,
        losses=losses,
        score=float(games.scores[finished].mean()) if finished.any() else None,
        margin=float(games.margins()[finished].mean()) if finished.any() else None,
        elo=elo,
        elo_ci95=None if resampled is None else elo_interval(elo, resampled, found, losses),
        ms_per_move=_ms_per_move(rows, agent),
        **failed,
        nobody_won=int((mine & games.unwon[:, None]).sum()),
        oversteps=sum(sum(time[3:]) for time in _times_of(rows, agent)),
    )


def _times_of(rows: Sequence[GameRow], agent: int) -> list[Any]:
    """The stored times of all seats that the entrant with index ``agent`` took, in all games.

    Each is [milliseconds, moves, times of single moves or None], on a clock followed by its oversteps.
    """
    return [time for row in rows for time, who in zip(row.times, row.seating, strict=True) if who == agent]


def _ms_per_move(rows: Sequence[GameRow], agent: int) -> dict[str, float | None]:
    """Milliseconds per decision of the entrant with index ``agent``: 'mean', 'p95' (95th percentile) and 'max'.

    None where unknown: an agent that is asked about many games at once has only a mean.
    """
    times = _times_of(rows, agent)
    moves = sum(time[1] for time in times)
    each = [ms for time in times for ms in time[2] or ()]
    return {
        "mean": sum(time[0] for time in times) / moves if moves else None,
        "p95": float(np.percentile(each, 95)) if each else None,
        "max": max(each) if each else None,
    }


def _pair_rows(games: Games, entrants: Sequence[Entrant]) -> list[PairRow]:
    """The rows of all pairs of entrants that met."""
    both = itertools.combinations(range(len(entrants)), 2)
    return [pair for i, j in both if (pair := _pair_row(games, i, j, entrants))]


def _pair_row(games: Games, i: int, j: int, entrants: Sequence[Entrant]) -> PairRow | None:
    """The row of the entrants with indices ``i`` and ``j``: their results where both played; None if they never met."""
    first, second = games.of(i), games.of(j)
    both: np.ndarray = np.logical_and(first.any(axis=1), second.any(axis=1))
    if not both.any():
        return None
    first_won = (games.wins & first).any(axis=1) & both
    found = rate(games.per_unit(first_won), games.per_unit(both))
    drawn = (games.draws & first).any(axis=1) & (games.draws & second).any(axis=1)
    second_won = (games.wins & second).any(axis=1) & both
    return PairRow(
        first=entrants[i].name,
        second=entrants[j].name,
        games=found.games,
        first_wins=found.wins,
        draws=int(drawn.sum()),
        second_wins=int(second_won.sum()),
        first_rate=found.rate,
        ci95=list(found.ci95),
    )


def _seat_rows(games: Games, names: Sequence[str]) -> list[SeatRow]:
    """The row of each seat, in order, over all games; ``names`` are the names of the seats."""
    places = np.arange(len(names))
    return [SeatRow(i, str(name), **_rate_fields(games.rate(places == i))) for i, name in enumerate(names)]


def _role_rows(games: Games, entrants: Sequence[Entrant], seat_names: Sequence[str]) -> list[RoleRow]:
    """A row for each agent in each seat that it took; seats with the same name in ``seat_names`` count as one."""
    rows = []
    for i, entrant in enumerate(entrants):
        for name in dict.fromkeys(map(str, seat_names)):
            mine = games.of(i) & np.array([str(other) == name for other in seat_names])
            if mine.any():
                rows.append(RoleRow(entrant.name, name, **_rate_fields(games.rate(mine))))
    return rows


def _notes(clock: str | None, agents: Sequence[AgentRow], versions: Mapping[str, Any]) -> list[str]:
    """Notes for people about how a run was played: on a clock, or with agents from files that had no cage.

    ``versions`` are those stored with the run, which also say what cage was in force.
    """
    cage = versions.get("cage", IN_FORCE)
    return [*_clock_notes(clock, agents), *([] if cage == IN_FORCE else [what_is_missing(cage)])]


def _clock_notes(clock: str | None, agents: Sequence[AgentRow]) -> list[str]:
    """Notes for people about a run on a clock, with the number of oversteps of each agent; [] without a clock."""
    if clock is None:
        return []
    late = ", ".join(f"{agent.spec} {agent.oversteps:,}" for agent in agents if agent.oversteps)
    told = f"played on a clock of {clock} s: times differ, so the same seed need not give this result again"
    return [told, f"decisions that exceeded the clock: {late}"] if late else [told]


def _failure_notes(rows: Sequence[GameRow], entrants: Sequence[Entrant]) -> list[str]:
    """A note for each agent that failed, with the message of its first failure."""
    notes: dict[int, str] = {}
    for row in rows:
        if row.failure:
            seat, kind, words = row.failure
            name = entrants[row.seating[seat]].name
            notes.setdefault(row.seating[seat], f"{name} first failed in game {row.number} ({kind}): {words}")
    return list(notes.values())
