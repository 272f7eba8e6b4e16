"""How strong the agents of a game are: a leaderboard from every game in the store, and the ratings a game ships with.

*Store.* Runs of the arena and finished tables of the web app with exactly the same options are thrown together. The
unit is the deal of a run, or the table. All people are one entrant, ``person``. Games of an agent against itself say
nothing and are left out. To stay quick with any number of games, more than a thousand units are folded into a thousand
(unit ``u`` joins ``u mod 1000``): sums of independent deals are as good to resample as the deals themselves, and every
block holds its share of every run. Groups of agents that never met, not even through others, are both put around 0:
between them nothing is known.

*Shipped.* ``ludens rate GAME`` lets the game's levels meet and writes ``ratings.json`` beside the game's class.
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
from ludens.arena.result import KINDS, AgentRow, Result, elo_interval
from ludens.arena.statistics import Games, elo_ratings, shared_ranks
from ludens.arena.store import Run, Store
from ludens.arena.tournament import Progress, StorePlace, arena
from ludens.core.error import BadRecord, LudensError
from ludens.core.file import write_json
from ludens.core.game import Game
from ludens.core.option import spec_text
from ludens.core.registry import agent_class, is_file_spec, make_game, read_agent

PERSON = "person"
ENOUGH_GAMES = 100  # from here on the store knows better than the shipped file
MOST_ENTRANTS = 64  # on a leaderboard: those with the most games
_MOST_UNITS = 1000
_COUNTS = ("games", "wins", "draws", "losses", *KINDS)


@dataclass(frozen=True)
class Rating:
    """How strong an agent is, and how that is known."""

    spec: str
    elo: float
    low: float | None  # 95 % interval; None: a single deal tells nothing
    high: float | None
    games: int
    wins: int
    draws: int
    losses: int
    ms_per_move: float | None
    crashes: int
    timeouts: int
    illegal: int
    rank: int = 1  # shared; 1 is nobody clearly better
    source: Literal["store", "shipped"] = "store"


@dataclass(frozen=True)
class OptionSet:
    """Options of a game, and how many games the store has with them."""

    options: dict[str, Any]
    games: int


@dataclass(frozen=True)
class Level:
    """An agent people may play against; level 1 is the weakest."""

    number: int
    spec: str
    rating: Rating | None  # None: nobody has measured it with these options

    @property
    def seconds_per_move(self) -> float | None:
        ms = self.rating.ms_per_move if self.rating else None
        return None if ms is None else ms / 1000


@dataclass(frozen=True)
class Shipped:
    """A file of ratings: what was measured, and the command that did."""

    game: str
    command: str
    date: str
    versions: dict[str, Any]
    games: int  # of each pairing (or table)
    seed: int
    options: dict[str, Any]
    ratings: list[Rating]  # from weak to strong


# the store

_FINISHED = "FROM tables WHERE game=? AND practice='[]' AND returns<>'[]' AND status IN ('over','resigned','failed')"
_TIMES = "sum(json_extract(seat.value,'$[0]')), sum(json_extract(seat.value,'$[1]'))"

_boards = Cache(32)


def option_sets(store: Store, game: str) -> list[OptionSet]:
    """The options that games of the store were played with, those of most games first."""
    counts: Counter[str] = Counter()
    spelt: dict[str, dict[str, Any]] = {}
    games = count_games(store)
    played = [(run.options, games.get(run.id, 0)) for run in _runs(store, game)]
    tables = store.select(f"SELECT options, count(*) {_FINISHED} GROUP BY options", game)
    for options, count in [*played, *((json.loads(text), count) for text, count in tables)]:
        spelt.setdefault(_canonical(options), options)
        counts[_canonical(options)] += count
    return [OptionSet(spelt[key], count) for key, count in counts.most_common() if count]


def leaderboard(store: Store, game: str, options: Mapping[str, Any]) -> list[Rating]:
    """Everybody who played the game with exactly these options, the strongest first."""
    wanted = _canonical(options)
    runs = [run for run in _runs(store, game) if _canonical(run.options) == wanted]
    texts = [text for (text,) in store.select(f"SELECT DISTINCT options {_FINISHED}", game)]
    tables = _WebGames(store, game, [text for text in texts if _canonical(json.loads(text)) == wanted])
    games = count_games(store)
    stamp = (str(store.path), game, wanted, tables.count(), *((run.id, games.get(run.id)) for run in runs))
    found: list[Rating] | None = _boards.get(stamp)
    if found is not None:
        return found
    results = _Results(_normaliser(game, options))
    for run in runs:
        _add_run(results, store, run)
    tables.add_to(results)
    return _boards.put(stamp, results.ratings())


def _normaliser(game: str, options: Mapping[str, Any]) -> Callable[[str], str]:
    """A function that brings specs into their plain form, or leaves them where the game cannot be made any more."""
    try:
        return functools.cache(functools.partial(plain_spec, game=make_game(game, **options)))
    except (LudensError, ImportError):
        return str


def plain_spec(spec: str, game: Game) -> str:
    """A spec without what goes without saying: 'mcts:c=1,sims=1000' and 'mcts' may be the same agent."""
    if is_file_spec(spec):
        return spec
    try:
        _, settings = read_agent(spec, game)
    except LudensError:
        return spec  # an agent that is gone, or a person
    return spec_text(spec.strip().partition(":")[0], settings)


def _canonical(options: Mapping[str, Any]) -> str:
    return json.dumps(dict(options), sort_keys=True)


def _runs(store: Store, game: str) -> list[Run]:
    return [run for run in store.runs() if run.game == game]


def _add_run(results: _Results, store: Store, run: Run) -> None:
    for deal, specs, returns, failure in store.select(
        "SELECT deal, specs, returns, failure FROM games WHERE run=?", run.id
    ):
        results.add((run.id, deal), _parsed(specs), _parsed(returns), _parsed(failure))
    query = (
        f"SELECT specs, seat.key, {_TIMES} FROM games, json_each(times) AS seat WHERE run=? GROUP BY specs, seat.key"
    )
    for specs, seat, ms, moves in store.select(query, run.id):
        results.add_time(_parsed(specs)[seat], ms, moves)


class _WebGames:
    """The finished tables of a game with certain options, as far as they count."""

    def __init__(self, store: Store, game: str, options: Sequence[str]) -> None:
        self.store, self.values = store, (game, *options)
        self.which = f"{_FINISHED} AND options IN ({','.join('?' * len(options))})"

    def count(self) -> int:
        return int(self.store.select(f"SELECT count(*) {self.which}", *self.values)[0][0])

    def add_to(self, results: _Results) -> None:
        query = f"SELECT id, seats, returns, ending, status, times {self.which}"
        for table, seats, returns, ending, status, times in self.store.select(query, *self.values):
            specs = [seat["spec"] or PERSON for seat in json.loads(seats)]
            results.add(("table", table), specs, _parsed(returns), json.loads(ending) if status == "failed" else [])
            for spec, (ms, moves) in zip(specs, json.loads(times), strict=False):
                results.add_time(spec, ms, moves)


@functools.lru_cache(4096)
def _parsed(text: str) -> Any:
    """JSON that comes again and again: who sat where, who won."""
    return json.loads(text)


class _Results:
    """Results gathered game by game."""

    def __init__(self, normalise: Callable[[str], str]) -> None:
        self.spell = normalise
        self.entrants: dict[str, int] = {}
        self.units: dict[Any, int] = {}
        self.rows: list[tuple[int, list[int], list[float]]] = []  # unit, [seat] -> entrant, returns
        self.failures: Counter[tuple[str, str]] = Counter()
        self.times: dict[str, tuple[float, int]] = {}  # milliseconds, moves

    def add(self, unit: Any, specs: Sequence[str], returns: list[float], failure: Sequence[Any]) -> None:
        """A game; ``failure`` is [seat, kind, words] or empty."""
        specs = [self.spell(spec) for spec in specs]
        if len(set(specs)) < 2:
            return
        seating = [self.entrants.setdefault(spec, len(self.entrants)) for spec in specs]
        self.rows.append((self.units.setdefault(unit, len(self.units)), seating, returns))
        if failure:
            self.failures[specs[failure[0]], str(failure[1])] += 1

    def add_time(self, spec: str, ms: float, moves: int) -> None:
        before = self.times.get(spec := self.spell(spec), (0.0, 0))
        self.times[spec] = before[0] + ms, before[1] + moves

    def ratings(self) -> list[Rating]:
        """Everybody's rating, the strongest first."""
        self._keep_the_busiest()
        if not self.rows:
            return []
        units, seating, returns = zip(*self.rows, strict=True)
        games = Games(np.array(seating), np.array(returns, float), np.zeros(np.shape(returns)), _folded(units))
        elos, resampled = elo_ratings(games, len(self.entrants))
        bounds = [None] * len(elos) if resampled is None else resampled.tolist()
        return _ranked([self._rating(games, spec, float(elos[i]), bounds[i]) for spec, i in self.entrants.items()])

    def _keep_the_busiest(self) -> None:
        """With very many entrants, leave out those with the fewest games: the cost grows with the square."""
        if len(self.entrants) <= MOST_ENTRANTS:
            return
        games = Counter(i for _, seating, _ in self.rows for i in seating)
        busiest = {i for i, _ in games.most_common(MOST_ENTRANTS)}
        rows = [row for row in self.rows if busiest.issuperset(row[1])]
        # who only met those left out has no game any more
        places = {i: place for place, i in enumerate(sorted({i for _, seating, _ in rows for i in seating}))}
        self.rows = [(unit, [places[i] for i in seating], returns) for unit, seating, returns in rows]
        self.entrants = {spec: places[i] for spec, i in self.entrants.items() if i in places}

    def _rating(self, games: Games, spec: str, elo: float, bounds: list[float] | None) -> Rating:
        mine = games.of(self.entrants[spec])
        wins, draws, played = (int((some & mine).sum()) for some in (games.wins, games.draws, mine))
        ms, moves = self.times.get(spec, (0.0, 0))
        # resampling a rate is only worth it where it is used: where all games went one way
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
    """Unit numbers, at most a thousand and without gaps."""
    folded = np.array(list(units), np.int64) % _MOST_UNITS
    return np.unique(folded, return_inverse=True)[1].reshape(-1)


def _ranked(ratings: Sequence[Rating]) -> list[Rating]:
    """The strongest first, with ranks that those share whose intervals do not tell them apart."""
    known = [(one.low, one.high) for one in ratings if one.low is not None and one.high is not None]
    ranks = shared_ranks([one.elo for one in ratings], known if len(known) == len(ratings) else None)
    found = [dataclasses.replace(one, rank=rank) for one, rank in zip(ratings, ranks, strict=True)]
    return sorted(found, key=lambda rating: (-rating.elo, rating.spec))


# the shipped file


def rate_levels(
    game: Game, *, games: int, seed: int, workers: int = 1, store: StorePlace = False, progress: Progress | None = None
) -> Result:
    """Let the game's levels meet; the result's agents stand in the order of the levels."""
    return arena(game, playable(game), games=games, seed=seed, workers=workers, store=store, progress=progress)


def playable(game: Game) -> list[str]:
    """The game's levels in plain form, less the agents that cannot play with these options."""
    able = [spec for spec in game.roster.levels if not agent_class(spec.partition(":")[0], game).refuses(game)]
    return [plain_spec(spec, game) for spec in able]


def ratings_file(game: Game) -> Path:
    """Where a game ships its ratings: beside the module of its class."""
    return Path(inspect.getfile(type(game))).parent / "ratings.json"


def write_ratings(file: Path, result: Result, *, games: int, command: str) -> None:
    """Write the ratings of a result, from weak to strong; the file is there whole or not at all."""
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
    rounded = {"elo": round(agent.elo, 1), "interval": [round(bound, 1) for bound in agent.elo_ci95 or ()]}
    times = {name: ms and round(ms, 4) for name, ms in agent.ms_per_move.items() if name != "max"}
    counts = {name: getattr(agent, name) for name in _COUNTS}
    return {"spec": agent.spec, **rounded, **counts, "win_rate": round(agent.win_rate, 4), "ms_per_move": times}


def read_ratings(file: Path) -> Shipped:
    """Read a file of ratings, or raise BadRecord saying what is wrong with it."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        ratings = [_read_entry(entry) for entry in data.pop("ratings")]
        return Shipped(**data, ratings=_ranked(ratings)[::-1])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as why:
        raise BadRecord(
            f"{file} holds no ratings ({type(why).__name__}: {why}): write it anew with ludens rate"
        ) from None


def _read_entry(entry: Mapping[str, Any]) -> Rating:
    low, high = entry["interval"] or (None, None)
    counts = {name: entry[name] for name in _COUNTS}
    ms = entry["ms_per_move"]["mean"]
    return Rating(entry["spec"], entry["elo"], low, high, **counts, ms_per_move=ms, source="shipped")


def shipped_file(game: Game) -> Shipped | None:
    """The game's own file, if it is there, whole, and about this game with these options."""
    try:
        found = read_ratings(ratings_file(game))
    except (BadRecord, OSError):
        return None  # an app that has no ratings to show still plays; tests read the file and complain
    is_of_this = found.game == game.id and _canonical(found.options) == _canonical(game.rules.option_values())
    return found if is_of_this else None


def shipped(game: Game) -> list[Rating]:
    """The ratings the game ships with for these options, the strongest first; none if there are none."""
    found = shipped_file(game)
    return found.ratings[::-1] if found else []


# both


def ratings_for(store: Store, game: Game) -> dict[str, Rating]:
    """The best knowledge about each agent: the store's from a hundred games on, else the shipped one.

    The mean of every list is 0, so the store's numbers are moved to the shipped scale by the agents both know.
    """
    found = {rating.spec: rating for rating in shipped(game)}
    board = leaderboard(store, game.id, game.rules.option_values())
    own = {rating.spec: rating for rating in board if rating.games >= ENOUGH_GAMES}
    common = [found[spec].elo - own[spec].elo for spec in own if spec in found]
    shift = sum(common) / len(common) if common else 0.0
    return {**found, **{spec: _moved(rating, shift) for spec, rating in own.items()}}


def _moved(rating: Rating, shift: float) -> Rating:
    low, high = (None if bound is None else bound + shift for bound in (rating.low, rating.high))
    return dataclasses.replace(rating, elo=rating.elo + shift, low=low, high=high)


def levels(game: Game, ratings: Mapping[str, Rating]) -> list[Level]:
    """The game's levels from weak to strong; where not all are measured, in the order the game names them."""
    specs = playable(game)
    if all(spec in ratings for spec in specs):
        specs.sort(key=lambda spec: ratings[spec].elo)
    return [Level(number, spec, ratings.get(spec)) for number, spec in enumerate(specs, 1)]
