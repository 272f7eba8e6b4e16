"""Runs a tournament: plan it, play what is missing, store it, work out the tables."""

from __future__ import annotations

import contextlib
import dataclasses
import platform
import secrets
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ludens.arena.child import check_move_limit
from ludens.arena.clock import read_clock
from ludens.arena.executor import Executor, Here, Job, Room, Workers, clock_of, is_series, jobs_of, plan_of
from ludens.arena.result import Result, build_result
from ludens.arena.statistics import Sprt, outcomes
from ludens.arena.store import GameRow, Run, Store, default_path, new_run
from ludens.core.error import BadOption, BadStore, LudensError
from ludens.core.game import Game
from ludens.core.registry import game_names, make_game
from ludens.core.seed import as_seed

__all__ = ["Interrupted", "arena"]

Progress = Callable[[int, int, str], None]
StorePlace = str | Path | None | Literal[False]

_MOST_GAMES = 10_000_000


class Interrupted(LudensError):
    """Ctrl-C in the middle of a run; the message says how to go on."""


def arena(
    game: Game | str | None = None,
    specs: Sequence[str] = (),
    *,
    games: int = 100,
    seed: int | None = None,
    workers: int = 1,
    format: str | None = None,
    gauntlet: bool = False,
    pool: Sequence[str] | None = None,
    size: int | None = None,
    repeats: int = 1,
    move_limit: float = 10.0,
    clock: str | None = None,
    sprt: tuple[float, float] | None = None,
    store: StorePlace = None,
    resume: str | None = None,
    progress: Progress | None = None,
    on_start: Callable[[str], None] | None = None,
) -> Result:
    """Let agents meet and tell how they fared.

    ``games`` are those of each pairing (of each table with more than two seats), rounded up to whole deals; ``seed``
    None draws one, which the result keeps. ``store`` names the SQLite file (None: the user's own, False: none).
    ``clock`` '10+0.25' gives every seat 10 s a game and a quarter of a second after each decision.
    ``resume`` goes on with a run of that store; what is asked for then comes from there. ``on_start`` is told the run's
    name and seed before the first game, so that a killed run can be found again.
    """
    if not 1 <= workers <= 1024:
        raise BadOption(f"workers={workers} is not possible: give a number of processes from 1 to 1,024")
    if isinstance(specs, str) or not all(isinstance(spec, str) for spec in specs):
        raise BadOption("specs must be a list of texts such as ['heuristic', 'mcts:sims=500', './mine.py:act']")
    check_move_limit(move_limit)
    if games > _MOST_GAMES:
        raise BadOption(f"games={games} is not possible: at most {_MOST_GAMES:,} games a pairing")
    if resume is not None:
        return _resume(game, resume, store, workers, progress, on_start)
    if game is None:
        raise BadOption("name a game to play, or a run to resume")
    game = make_game(game) if isinstance(game, str) else game
    request = {
        "game": game.id,
        "options": game.option_values(),
        "specs": list(specs),
        "games": games,
        "seed": secrets.randbits(64) if seed is None else as_seed(seed),
        "format": format,
        "gauntlet": gauntlet,
        "pool": list(pool) if pool else None,
        "size": size,
        "repeats": repeats,
        "move_limit": move_limit,
        "clock": str(read_clock(clock)) if clock else None,
        "sprt": list(sprt) if sprt else None,
    }
    tournament = _Tournament(game, request, workers, progress)
    tournament.prepare()
    tournament.open_store(store)
    tournament.announce(on_start)
    return tournament.play()


def _resume(
    game: Game | str | None,
    run: str,
    place: StorePlace,
    workers: int,
    progress: Progress | None,
    on_start: Callable[[str], None] | None,
) -> Result:
    if place is False:
        raise BadOption("a run can only be resumed from a store: name the file it is in")
    store = Store(place, must_exist=True)
    kept = store.run(run)
    asked = game if isinstance(game, str) or game is None else game.id
    if asked not in (None, kept.game):
        raise BadOption(f"run {run} is of {kept.game}, not of {asked}: leave the game away or name that one")
    here = (
        game
        if isinstance(game, Game) and game.option_values() == kept.options
        else make_game(kept.game, **kept.options)
    )
    tournament = _Tournament(here, kept.request, workers, progress)
    if kept.versions != tournament.versions:
        tournament.notes.append(
            f"run {run} was begun with other versions: {_differences(kept.versions, tournament.versions)}"
        )
    tournament.prepare()
    tournament.take_up(store, kept)
    tournament.announce(on_start)
    return tournament.play()


def _differences(old: dict[str, Any], new: dict[str, Any]) -> str:
    return ", ".join(f"{n} {old.get(n)} then, {new.get(n)} now" for n in {**old, **new} if old.get(n) != new.get(n))


def _versions(game: Game) -> dict[str, Any]:
    import numba

    import ludens

    libraries = {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}
    return {"ludens": ludens.__version__, game.id: game.version, **libraries}


class _Tournament:
    """One run on its way: what was asked for, what is done, and where it is kept."""

    def __init__(self, game: Game, request: dict[str, Any], workers: int, progress: Progress | None) -> None:
        self.game, self.request, self.workers = game, request, workers
        self.progress = progress or (lambda done, total, text: None)
        self.plan = plan_of(game, request)
        self.versions = _versions(game)
        self.sprt = self._test()
        self.rows: dict[int, GameRow] = {}
        self.scores: list[float] = []  # of the deals a sequential test looks at
        self.notes: list[str] = []
        self.store: Store | None = None
        self.run = ""

    def _test(self) -> Sprt | None:
        if self.request["sprt"] is None:
            return None
        elo0, elo1 = self.request["sprt"]
        if not elo0 < elo1:
            raise BadOption(f"the test needs two Elo differences, the smaller first, not {elo0:g},{elo1:g}")
        if len(self.plan.tables) != 1 or len(self.plan.tables[0].entrants) != 2 or self.plan.draws:
            raise BadOption("a sequential test compares two agents: name exactly two")
        return Sprt(elo0, elo1)

    def prepare(self) -> None:
        """Compile what is needed and find out about the agents, before anything is played or stored."""
        self.progress(0, self.plan.total, "getting ready")
        start = time.perf_counter()
        self.room = Room(self.game, self.plan, self.request["move_limit"], clock_of(self.request))
        self.traits = self.room.rehearse()
        self.compile_s = time.perf_counter() - start
        if self.sprt and any(traits.series for traits in self.traits):
            raise BadOption("a sequential test needs independent deals: agents that learn from game to game have none")
        if self.workers > 1 and self.game.id not in game_names():
            raise BadOption(f"{self.game.id} is not installed, so other processes cannot find it: use workers=1")

    def open_store(self, place: StorePlace) -> None:
        """Note the run in the store. Without the default store the run goes on; a named one must work."""
        if place is False:
            return
        try:
            self.store = Store(place)
        except BadStore as why:
            if place is not None:
                raise
            self.notes.append(f"played without a store: {why}")
            return
        run = new_run(secrets.token_hex(4), self.game.id, self.game.option_values(), self.request, self.versions)
        self.store.add_run(run)
        self.run = run.id

    def take_up(self, store: Store, kept: Run) -> None:
        """Go on with a run: what is stored is not played again."""
        self.store, self.run = store, kept.id
        for row in store.games(kept.id):
            self._keep(row)

    def _keep(self, row: GameRow) -> None:
        # the moves are in the store: the tables do not need them
        self.rows[row.number] = dataclasses.replace(row, actions=[], start={})

    def play(self) -> Result:
        """Play what is missing and work out the tables."""
        start = time.perf_counter()
        executor: Executor = Here(self.room) if self.workers == 1 else Workers(self.request, self.workers)
        try:
            with contextlib.closing(self._play_missing(executor)) as played:
                for done in played:
                    self.progress(done, self.plan.total, f"{done} of {self.plan.total} games")
        except KeyboardInterrupt:
            raise Interrupted(self._how_to_go_on()) from None
        except LudensError as why:
            raise LudensError(f"{why}; {self._how_to_go_on()}") from why
        finally:
            executor.close()
            self.room.close()
        return self._finish(time.perf_counter() - start)

    def _play_missing(self, executor: Executor) -> Generator[int, None, None]:
        """Play job after job until all is done or the test has decided; yields the number of games done."""
        if self._decided():
            return
        missing = (job for job in jobs_of(self.plan, self.traits) if not self._has(job))
        with contextlib.closing(executor.run(missing)) as done:
            for _, rows in done:
                if self.store:
                    self.store.add_games(self.run, rows)
                for row in rows:
                    self._keep(row)
                yield len(self.rows)
                if self._decided():
                    return

    def _has(self, job: Job) -> bool:
        fixtures = self.plan.fixtures(job.table, job.repeat, job.first, job.deals)
        return all(fixture.number in self.rows for fixture in fixtures)

    def _deal_scores(self) -> list[float]:
        """The first agent's mean score in each deal, in order, as far as no deal is missing."""
        orders, first = len(self.plan.tables[0].orders), self.plan.tables[0].entrants[0]
        while True:
            numbers = range(len(self.scores) * orders, (len(self.scores) + 1) * orders)
            if any(number not in self.rows for number in numbers):
                return self.scores
            self.scores.append(sum(_points(self.rows[number], first) for number in numbers) / orders)

    def _decided(self) -> bool:
        if self.sprt is None:
            return False
        return bool(self.sprt.verdict(self._deal_scores())["verdict"] != "undecided")

    def _how_to_go_on(self) -> str:
        stopped = f"stopped after {len(self.rows)} of {self.plan.total} games"
        if not self.store:
            return f"{stopped}, and nothing is kept: name a store to be able to resume"
        return f"{stopped}; go on with: {self._resume_command()}"

    def _resume_command(self) -> str:
        place = f" --store {self.store.path}" if self.store and self.store.path != default_path() else ""
        return f"ludens arena --resume {self.run}{place}"

    def announce(self, tell: Callable[[str], None] | None) -> None:
        """Say which run this is, before it can be killed."""
        if tell:
            kept = f"run {self.run}; if it is stopped: {self._resume_command()}" if self.store else "not stored"
            tell(f"seed {self.request['seed']}, {self.plan.total} games, {kept}")

    def _finish(self, seconds: float) -> Result:
        verdict = self.sprt.verdict(self._deal_scores()) if self.sprt else None
        if verdict:
            self._drop_after(verdict["deals"] * len(self.plan.tables[0].orders))
        if self.store:
            self.store.set_status(self.run, "done")
            self.store.close()
        series = [is_series(self.plan, self.traits, table) for table in range(len(self.plan.tables))]
        clock = self.request.get("clock")
        result = build_result(list(self.rows.values()), self.plan.entrants, self.game.seat_names, series, clock)
        result.game, result.options, result.versions = self.game.id, self.game.option_values(), self.versions
        result.scores_decide = self.game.scores_decide
        result.seed, result.run, result.sprt = self.request["seed"], self.run, verdict
        result.seconds, result.compile_s = seconds, self.compile_s
        result.notes = self.notes + result.notes
        if any(series) and self.plan.repeats == 1:
            result.notes.append("one learning run tells nothing about others: its intervals need repeats")
        return result

    def _drop_after(self, count: int) -> None:
        """Games beyond the deal where the test stopped do not count, however many workers had begun them."""
        extra = [number for number in self.rows if number >= count]
        for number in extra:
            del self.rows[number]
        if self.store and extra:
            self.store.drop_games(self.run, extra)


def _points(row: GameRow, entrant: int) -> float:
    """1 for a win, a half for a draw."""
    won, drew = outcomes(np.array([row.returns]))
    seat = row.seating.index(entrant)
    return float(won[0, seat] + 0.5 * drew[0, seat])
