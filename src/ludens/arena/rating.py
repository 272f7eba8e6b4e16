"""Ratings of a game's agents: a leaderboard from every run in the store, and the ratings a game ships with.

*Store.* Runs of the arena that were played with exactly the same options are pooled; the unit is the deal of a run.
Games of people are counted elsewhere (``ludens.arena.people``). Games of an agent against itself say nothing and are
left out. To keep the bootstrap quick with any number of games, more than 1,000 units are merged into 1,000 (unit ``u``
joins ``u mod 1000``): sums of independent deals can be resampled like single deals. Groups of agents that never met,
not even through others, each have mean 0: nothing is known about the difference between the groups.

*Shipped.* ``ludens rate GAME`` plays the game's levels against one another and writes ``ratings.json`` beside the
game's class.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ludens.arena.archive import Cache, count_games
from ludens.arena.people import PeopleResult, people_counts, people_results
from ludens.arena.result import KINDS, AgentRow, Result, elo_interval
from ludens.arena.statistics import Games, elo_ratings, shared_ranks
from ludens.arena.store import Run, Store
from ludens.arena.tournament import Progress, StorePlace, arena
from ludens.arena.version import stale_text
from ludens.core.error import BadRecord, LudensError
from ludens.core.file import write_json
from ludens.core.game import Game
from ludens.core.option import spec_text
from ludens.core.registry import agent_class, game_class, is_file_spec, make_game, read_agent

ENOUGH_GAMES = 100  # with so many, a rating from the store replaces the shipped one
MOST_ENTRANTS = 64  # on a leaderboard; those with the most games stay
_MOST_UNITS = 1000
_COUNTS = ("games", "wins", "draws", "losses", *KINDS)


@dataclass(frozen=True)
class Rating:
    """The strength of an agent in Elo, with the results and times of the games it comes from."""

    spec: str
    elo: float
    low: float | None  # 95 % interval; None if there is a single unit
    high: float | None
    games: int
    wins: int
    draws: int
    losses: int
    ms_per_move: float | None
    crashes: int
    timeouts: int
    illegal: int
    rank: int = 1  # shared by agents whose intervals overlap
    source: Literal["store", "shipped"] = "store"


@dataclass(frozen=True)
class OptionSet:
    """Options of a game, and the number of stored games played with them."""

    options: dict[str, Any]
    games: int


@dataclass(frozen=True)
class Level:
    """An agent people may play against, with its rating; number 1 is the weakest."""

    number: int
    spec: str
    rating: Rating | None  # None: not measured with these options

    @property
    def seconds_per_move(self) -> float | None:
        """The mean time of a decision; None if it was not measured."""
        ms = self.rating.ms_per_move if self.rating else None
        return None if ms is None else ms / 1000


@dataclass(frozen=True)
class Shipped:
    """The contents of a ratings file: the ratings, and how they were measured."""

    game: str
    command: str
    date: str
    versions: dict[str, Any]
    games: int  # of each pairing
    seed: int
    options: dict[str, Any]
    ratings: list[Rating]  # from weak to strong

    @property
    def stale(self) -> str:
        """How the ratings are out of date: 'rules 1, dice 1; now rules 2, dice 2'; '' if they are not."""
        return stale_text(game_class(self.game), self.versions)


# the store

_TIMES = "sum(json_extract(seat.value,'$[0]')), sum(json_extract(seat.value,'$[1]'))"

_boards = Cache(32)


def option_sets(store: Store, game: str) -> list[OptionSet]:
    """The option sets that the stored games of a game were played with, those with the most games first.

    Games are those of runs and those of people.
    """
    counts: Counter[str] = Counter()
    spelt: dict[str, dict[str, Any]] = {}
    games = count_games(store)
    played = [(run.options, games.get(run.id, 0)) for run in _runs(store, game)]
    with store.errors_told():
        people = [(json.loads(text), count) for text, count in people_counts(store, game)]
        for options, count in [*played, *people]:
            spelt.setdefault(_canonical(options), options)
            counts[_canonical(options)] += count
    return [OptionSet(spelt[key], count) for key, count in counts.most_common() if count]


def leaderboard(store: Store, game: str, options: Mapping[str, Any]) -> list[Rating]:
    """The ratings of all agents in the stored runs of a game with exactly these options, the strongest first.

    The list is cached until there are more games.
    """
    wanted = _canonical(options)
    runs = [run for run in _runs(store, game) if _canonical(run.options) == wanted]
    games = count_games(store)
    stamp = (str(store.path), game, wanted, *((run.id, games.get(run.id)) for run in runs))
    found: list[Rating] | None = _boards.get(stamp)
    if found is not None:
        return found
    results = _Results(_normaliser(game, options))
    with store.errors_told():
        for run in runs:
            _add_run(results, store, run)
        return _boards.put(stamp, results.ratings())


def people(store: Store, game: str, options: Mapping[str, Any]) -> list[PeopleResult]:
    """How people did against agents in the web app, in games with exactly these options."""
    wanted = _canonical(options)
    return people_results(store, game, lambda played: _canonical(played) == wanted, _normaliser(game, options))


def _normaliser(game: str, options: Mapping[str, Any]) -> Callable[[str], str]:
    """A function that applies `plain_spec` for the game with these options: specs of the same agent become equal.

    If the game no longer exists, it returns specs unchanged.
    """
    try:
        return functools.cache(functools.partial(plain_spec, game=make_game(game, **options)))
    except LudensError:
        return str


def plain_spec(spec: str, game: Game) -> str:
    """A spec without the parameters that have their default: 'mcts:sims=1000' becomes 'mcts' if 1000 is the default.

    So specs of the same agent become equal. Specs of files and of unknown agents are returned unchanged.
    """
    if is_file_spec(spec):
        return spec
    try:
        _, settings = read_agent(spec, game)
    except LudensError:
        return spec  # an agent that no longer exists
    return spec_text(spec.strip().partition(":")[0], settings)


def _canonical(options: Mapping[str, Any]) -> str:
    """Options as JSON text with sorted names, to compare them."""
    return json.dumps(dict(options), sort_keys=True)


def _runs(store: Store, game: str) -> list[Run]:
    """All stored runs of the game with this id, whatever its options."""
    return [run for run in store.runs() if run.game == game]


def _add_run(results: _Results, store: Store, run: Run) -> None:
    """Add all games of a run in the store to ``results``, from which ratings are computed.

    For each game: the entrants' specs and returns, who failed, and the time and number of their decisions.
    """
    for deal, specs, returns, failure in store.select(
        "SELECT deal, specs, returns, failure FROM games WHERE run=?", run.id
    ):
        results.add((run.id, deal), _parsed(specs), _parsed(returns), _parsed(failure))
    query = (
        f"SELECT specs, seat.key, {_TIMES} FROM games, json_each(times) AS seat WHERE run=? GROUP BY specs, seat.key"
    )
    for specs, seat, ms, moves in store.select(query, run.id):
        results.add_time(_parsed(specs)[seat], ms, moves)


@functools.lru_cache(4096)
def _parsed(text: str) -> Any:
    """Parse a JSON text.

    Cached, because the same seatings and returns occur again and again; the result must not be changed.
    """
    return json.loads(text)


class _Results:
    """Collects the results of games from any number of runs, then computes ratings.

    ``normalise`` turns every spec of the same agent into one text.
    """

    def __init__(self, normalise: Callable[[str], str]) -> None:
        """Start without games."""
        self.spell = normalise
        self.entrants: dict[str, int] = {}
        self.units: dict[Any, int] = {}
        self.rows: list[tuple[int, list[int], list[float]]] = []  # unit, [seat] -> entrant, returns
        self.failures: Counter[tuple[str, str]] = Counter()
        self.times: dict[str, tuple[float, int]] = {}  # milliseconds, moves

    def add(self, unit: Any, specs: Sequence[str], returns: list[float], failure: Sequence[Any]) -> None:
        """Add a game, unless all its seats are the same agent.

        ``unit`` identifies the deal, ``specs`` and ``returns`` are by seat, ``failure`` is [seat, kind,
        message] or [].
        """
        specs = [self.spell(spec) for spec in specs]
        if len(set(specs)) < 2:
            return
        seating = [self.entrants.setdefault(spec, len(self.entrants)) for spec in specs]
        self.rows.append((self.units.setdefault(unit, len(self.units)), seating, returns))
        if failure:
            self.failures[specs[failure[0]], str(failure[1])] += 1

    def add_time(self, spec: str, ms: float, moves: int) -> None:
        """Add ``ms`` milliseconds that the agent ``spec`` took for ``moves`` decisions to its totals."""
        before = self.times.get(spec := self.spell(spec), (0.0, 0))
        self.times[spec] = before[0] + ms, before[1] + moves

    def ratings(self) -> list[Rating]:
        """The rating of every agent, the strongest first; [] without games.

        Called once, when all games have been added.
        """
        self._drop_rare_entrants()
        if not self.rows:
            return []
        units, seating, returns = zip(*self.rows, strict=True)
        games = Games(np.array(seating), np.array(returns, float), np.zeros(np.shape(returns)), _folded(units))
        elos, resampled = elo_ratings(games, len(self.entrants))
        bounds = [None] * len(elos) if resampled is None else resampled.tolist()
        return _ranked([self._rating(games, spec, float(elos[i]), bounds[i]) for spec, i in self.entrants.items()])

    def _drop_rare_entrants(self) -> None:
        """With more than 64 entrants, keep those 64 with the most games, and the games among them.

        Called before rating. The time to compute ratings grows with the square of their number.
        """
        if len(self.entrants) <= MOST_ENTRANTS:
            return
        games = Counter(i for _, seating, _ in self.rows for i in seating)
        kept = {i for i, _ in games.most_common(MOST_ENTRANTS)}
        rows = [row for row in self.rows if kept.issuperset(row[1])]
        # an agent that only met those left out has no games any more
        places = {i: place for place, i in enumerate(sorted({i for _, seating, _ in rows for i in seating}))}
        self.rows = [(unit, [places[i] for i in seating], returns) for unit, seating, returns in rows]
        self.entrants = {spec: places[i] for spec, i in self.entrants.items() if i in places}

    def _rating(self, games: Games, spec: str, elo: float, bounds: list[float] | None) -> Rating:
        """The `Rating` of the agent ``spec``, from all ``games`` and its ``elo``.

        ``bounds`` is the bootstrap interval of its Elo, None with a single unit.
        """
        mine = games.of(self.entrants[spec])
        wins, draws, played = (int((some & mine).sum()) for some in (games.wins, games.draws, mine))
        ms, moves = self.times.get(spec, (0.0, 0))
        # the interval of the rate is costly, and needed only where all games were won or lost
        if bounds is not None and wins in (0, played) and not draws:
            bounds = elo_interval(elo, bounds, games.rate(mine), played - wins)
        low, high = bounds or (None, None)
        failed: dict[str, Any] = {field: self.failures[spec, kind] for field, kind in KINDS.items()}
        return Rating(
            spec=spec,
            elo=elo,
            low=low,
            high=high,
            games=played,
            wins=wins,
            draws=draws,
            losses=played - wins - draws,
            ms_per_move=ms / moves if moves else None,
            **failed,
        )


def _folded(units: Iterable[int]) -> np.ndarray:
    """Turn the unit of each game into an array [games] of numbers without gaps.

    They are merged into at most 1,000 units.
    """
    folded = np.array(list(units), np.int64) % _MOST_UNITS
    return np.unique(folded, return_inverse=True)[1].reshape(-1)


def _ranked(ratings: Sequence[Rating]) -> list[Rating]:
    """The ratings with their ranks filled in, the strongest first.

    Agents whose intervals overlap, directly or through others, share a rank.
    """
    known = [(one.low, one.high) for one in ratings if one.low is not None and one.high is not None]
    ranks = shared_ranks([one.elo for one in ratings], known if len(known) == len(ratings) else None)
    found = [dataclasses.replace(one, rank=rank) for one, rank in zip(ratings, ranks, strict=True)]
    return sorted(found, key=lambda rating: (-rating.elo, rating.spec))


# the shipped file


def rate_levels(
    game: Game, *, games: int, seed: int, workers: int = 1, store: StorePlace = False, progress: Progress | None = None
) -> Result:
    """Play the game's levels against one another and return the result, from which shipped ratings are made.

    ``games`` is the number for each pairing, ``workers`` that of processes; ``progress(done, total, text)`` is called
    now and then. ``store`` False: the games are not stored. Agents are in the order of `playable`.
    """
    return arena(game, playable(game), games=games, seed=seed, workers=workers, store=store, progress=progress)


def playable(game: Game) -> list[str]:
    """The specs of the game's levels, in the game's order, without parameters that have their default.

    Agents that cannot play with the game's options are left out.
    """
    able = [spec for spec in game.roster.levels if not agent_class(spec.partition(":")[0], game).refuses(game)]
    return [plain_spec(spec, game) for spec in able]


def ratings_file(game: Game) -> Path:
    """Where a game ships its ratings: ``ratings.json`` beside the module of its class. The file may be missing."""
    return Path(inspect.getfile(type(game))).parent / "ratings.json"


def write_ratings(file: Path, result: Result, *, games: int, command: str) -> None:
    """Write a result's ratings to a file, from weak to strong; the file is replaced as a whole or not at all.

    ``games`` (of each pairing) and ``command`` are noted in it.
    """
    data = {
        "game": result.game,
        "command": command,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "versions": result.versions,
        "games": games,
        "seed": result.seed,
        "options": result.options,
        "ratings": [_file_entry(agent) for agent in sorted(result.agents, key=lambda agent: agent.elo)],
    }
    write_json(file, data)


def _file_entry(agent: AgentRow) -> dict[str, Any]:
    """The entry (JSON object) of an agent in a ratings file, with rounded numbers; `_read_entry` reads it."""
    rounded = {"elo": round(agent.elo, 1), "interval": [round(bound, 1) for bound in agent.elo_ci95 or ()]}
    times = {name: ms and round(ms, 4) for name, ms in agent.ms_per_move.items() if name != "max"}
    counts = {name: getattr(agent, name) for name in _COUNTS}
    return {"spec": agent.spec, **rounded, **counts, "win_rate": round(agent.win_rate, 4), "ms_per_move": times}


def read_ratings(file: Path) -> Shipped:
    """Read a ratings file; BadRecord, saying what is wrong, if it is missing or damaged."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        ratings = [_read_entry(entry) for entry in data.pop("ratings")]
        return Shipped(**data, ratings=_ranked(ratings)[::-1])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as why:
        raise BadRecord(
            f"{file} is no ratings file ({type(why).__name__}: {why}): write it again with ludens rate"
        ) from None


def _read_entry(entry: Mapping[str, Any]) -> Rating:
    """The rating in an entry of a ratings file, without its rank; KeyError or TypeError if the entry is damaged."""
    low, high = entry["interval"] or (None, None)
    counts = {name: entry[name] for name in _COUNTS}
    ms = entry["ms_per_move"]["mean"]
    return Rating(entry["spec"], entry["elo"], low, high, **counts, ms_per_move=ms, source="shipped")


def shipped_file(game: Game) -> Shipped | None:
    """The contents of the game's ratings file; None if it is missing, damaged, or about other options."""
    try:
        found = read_ratings(ratings_file(game))
    except (BadRecord, OSError):
        return None  # the app works without ratings; a damaged file is found by the tests
    is_of_this = found.game == game.id and _canonical(found.options) == _canonical(game.rules.option_values())
    return found if is_of_this else None


def shipped(game: Game) -> list[Rating]:
    """The ratings the game ships with for these options, the strongest first; [] if there are none."""
    found = shipped_file(game)
    return found.ratings[::-1] if found else []


# both


def ratings_for(store: Store, game: Game) -> dict[str, Rating]:
    """The best known rating of each agent, by spec: the store's if it has 100 games, else the shipped one.

    Each list of ratings has mean 0, so the store's are shifted to the shipped scale by the agents that are in both.
    """
    found = {rating.spec: rating for rating in shipped(game)}
    board = leaderboard(store, game.id, game.rules.option_values())
    own = {rating.spec: rating for rating in board if rating.games >= ENOUGH_GAMES}
    common = [found[spec].elo - own[spec].elo for spec in own if spec in found]
    shift = sum(common) / len(common) if common else 0.0
    return {**found, **{spec: _moved(rating, shift) for spec, rating in own.items()}}


def _moved(rating: Rating, shift: float) -> Rating:
    """A copy of a rating whose Elo and interval are higher by ``shift``."""
    low, high = (None if bound is None else bound + shift for bound in (rating.low, rating.high))
    return dataclasses.replace(rating, elo=rating.elo + shift, low=low, high=high)


def levels(game: Game, ratings: Mapping[str, Rating]) -> list[Level]:
    """The game's levels, numbered from 1, with their ratings by spec from ``ratings``, or None.

    They are sorted from weak to strong, or in the game's own order if not all of them are rated.
    """
    specs = playable(game)
    if all(spec in ratings for spec in specs):
        specs.sort(key=lambda spec: ratings[spec].elo)
    return [Level(number, spec, ratings.get(spec)) for number, spec in enumerate(specs, 1)]
