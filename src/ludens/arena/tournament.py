"""Runs a tournament: schedules it, plays the games that are missing, stores them, and computes the tables."""

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

from ludens.arena.cage import digest, in_force
from ludens.arena.executor import Executor, Processes, executor_of
from ludens.arena.request import Request, ask
from ludens.arena.result import Result, add_deal_scores, build_result
from ludens.arena.row import BadRow
from ludens.arena.runner import Job, Runner, jobs_of
from ludens.arena.schedule import learning_pairings, make_schedule
from ludens.arena.statistics import Sprt
from ludens.arena.store import GameRow, Run, Store, default_path, new_run
from ludens.arena.version import present_versions, stale_text
from ludens.core.error import BadOption, BadStore, LudensError, Stopped
from ludens.core.game import Game
from ludens.core.registry import folder_digest, folders_in, game_names, is_file_spec, make_game
from ludens.core.system import command_text

Progress = Callable[[int, int, str], None]
StorePlace = str | Path | None | Literal[False]
_TRAINED = "agent "  # begins the name of an agent folder among the versions of a run


class Interrupted(Stopped):
    """Raised on Ctrl-C in the middle of a run; the message says how to continue it."""


def arena(
    game: Game | str | None = None,
    specs: Sequence[str] = (),
    *,
    workers: int | Executor = 1,
    store: StorePlace = None,
    resume: str | None = None,
    progress: Progress | None = None,
    on_start: Callable[[str], None] | None = None,
    **asked: Any,
) -> Result:
    """Play a tournament between agents and return its tables.

    ``asked`` are fields of `ludens.arena.request.Request`: games, seed, key, format, gauntlet, pool, size, repeats,
    move_limit, cage, clock, sprt. ``workers`` is a number of processes, or an executor such as ``Threads(4)``; the
    games do not depend on it. ``store`` names the SQLite file (None: the user's own, False: none). ``resume`` is the id
    of a run in that store to be continued; the request then comes from there. ``progress`` is called with the games
    done, their total and a text; ``on_start`` once with a line of text that names the run and its seed, so that a
    killed run can be found again.
    """
    executor, report = executor_of(workers), progress or (lambda done, total, text: None)
    if resume is not None:
        tournament = _resume(game, resume, store, executor, report)
    elif game is None:
        raise BadOption("name a game to play, or a run to resume")
    else:
        game = make_game(game) if isinstance(game, str) else game
        request = ask(game, specs, asked)
        tournament = _Tournament(game, new_run("", request, _versions(game, request)), executor, report)
        tournament.prepare()
        tournament.open_store(store)
    tournament.announce(on_start)
    return tournament.play()


def _resume(
    game: Game | str | None, run: str, place: StorePlace, executor: Executor, progress: Progress
) -> _Tournament:
    """Read the run with id ``run`` from the store at ``place``, and get it ready to be continued.

    UnknownName if there is none; BadOption if it is of another game than ``game`` (None: any), or its rules or agents
    have changed.
    """
    if place is False:
        raise BadOption("a run can only be resumed from a store: name the file it is in")
    store = Store(place, must_exist=True)
    kept = store.run(run)
    asked = game if isinstance(game, str) or game is None else game.id
    if asked not in (None, kept.game):
        raise BadOption(f"run {run} is of {kept.game}, not of {asked}: leave the game away or name that one")
    here = (
        game
        if isinstance(game, Game) and game.rules.option_values() == kept.options
        else make_game(kept.game, **kept.options)
    )
    versions = _versions(here, kept.request)
    tournament = _Tournament(here, dataclasses.replace(kept, versions=versions), executor, progress)
    _check_versions(kept.versions, here, run)
    _must_be_the_same_agents(kept, versions)
    if kept.versions != tournament.run.versions:
        changes = _differences(kept.versions, tournament.run.versions)
        tournament.notes.append(f"run {run} was begun with other versions: {changes}")
    tournament.prepare()
    tournament.resume(store)
    return tournament


def _check_versions(old: dict[str, Any], game: Game, run: str) -> None:
    """Raise BadOption if a resumed run would go on with other rules of ``game``, or dice, than it began with.

    ``old`` are the versions stored with it, ``run`` its id for the message.
    """
    if changes := stale_text(game, old):
        raise BadOption(
            f"run {run} was begun with ludens {old.get('ludens')} ({changes}): finish it with that release, or play a "
            "new run"
        )


def _differences(old: dict[str, Any], new: dict[str, Any]) -> str:
    """The versions that differ between ``old`` and ``new`` (by name), as text: 'numba 0.61 then, 0.62 now'."""
    return ", ".join(f"{n} {old.get(n)} then, {new.get(n)} now" for n in {**old, **new} if old.get(n) != new.get(n))


def _versions(game: Game, request: Request) -> dict[str, Any]:
    """What the games of a request depend on: versions of ludens, rules, agents' dice, Python, NumPy and Numba, by name.

    With agents from files also a digest of each and the cage in force; with trained agents a digest of each folder.
    """
    import numba

    import ludens

    libraries = {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}
    specs = [one.spec for one in make_schedule(game, request).entrants]
    files = {spec: digest(spec) for spec in specs if is_file_spec(spec)}
    folders = {name: folder for spec in specs for name, folder in folders_in(spec, game).items()}
    trained = {f"{_TRAINED}{name}": folder_digest(folder) for name, folder in folders.items()}
    cage = {"cage": in_force(request.cage)} if files else {}
    return {"ludens": ludens.__version__, **present_versions(game), **libraries, **files, **trained, **cage}


def _must_be_the_same_agents(kept: Run, versions: dict[str, Any]) -> None:
    """Raise BadOption if an agent's file or folder has changed since the stored run ``kept`` began.

    Its games would be those of two agents. ``versions`` are the present ones, with digests of files.
    """
    for name in versions:
        is_agent = is_file_spec(name) or name.startswith(_TRAINED)
        if is_agent and kept.versions.get(name, versions[name]) != versions[name]:
            spec, what = name.removeprefix(_TRAINED), "file" if is_file_spec(name) else "folder"
            raise BadOption(
                f"{spec} has changed since run {kept.id} began: restore the {what} to go on, or begin a new run"
            )


class _Tournament:
    """A run in progress: its request, the games played so far, and its store."""

    def __init__(self, game: Game, run: Run, executor: Executor, progress: Progress) -> None:
        """Make the schedule of ``run``; nothing is compiled or played yet.

        ``progress(done, total, text)`` is called now and then.
        """
        self.game, self.run, self.executor, self.progress = game, run, executor, progress
        self.schedule = make_schedule(game, run.request)
        self.sprt = self._test()
        self.rows: dict[int, GameRow] = {}
        self.scores: list[float] = []  # of the deals in a sequential test, in order
        self.notes: list[str] = []
        self.store: Store | None = None

    def _test(self) -> Sprt | None:
        """Make the sequential test that was asked for, or None; BadOption if it cannot be made with these agents."""
        if self.run.request.sprt is None:
            return None
        if len(self.schedule.pairings) != 1 or len(self.schedule.pairings[0].entrants) != 2 or self.schedule.draws:
            raise BadOption("a sequential test compares two agents: name exactly two")
        if any(learning_pairings(self.game, self.schedule)):
            raise BadOption("a sequential test needs independent deals: agents that learn from game to game have none")
        return Sprt(*self.run.request.sprt)

    def prepare(self) -> None:
        """Compile what is needed and check the agents, before anything is played or stored."""
        self.progress(0, self.schedule.total, "getting ready")
        start = time.perf_counter()
        self.runner = Runner(self.game, self.run.request, self.schedule)
        self.one_by_one = self.runner.compile_all()
        self.compile_s = time.perf_counter() - start
        if isinstance(self.executor, Processes) and self.game.id not in game_names():
            raise BadOption(f"{self.game.id} is not installed, so other processes cannot find it: use workers=1")

    def open_store(self, place: StorePlace) -> None:
        """Add the run to the store named by ``place``; False: it is not stored.

        If the user's own store (None) cannot be used, the run goes on without one; BadStore for a named one.
        """
        if place is False:
            return
        try:
            self.store = Store(place)
        except BadStore as why:
            if place is not None:
                raise
            self.notes.append(f"played without a store: {why}")
            return
        self.run = dataclasses.replace(self.run, id=secrets.token_hex(4))
        self.store.add_run(self.run)

    def resume(self, store: Store) -> None:
        """Read what ``store`` has of this run: games that are stored are not played again."""
        self.store = store
        with store.errors_told():
            for row in store.games(self.run.id):
                if not set(row.seating) <= set(self.schedule.sitting(row.table_index)):
                    raise BadRow(f"seating of game {row.number}")
                self._keep(row)

    def _keep(self, row: GameRow) -> None:
        """Note the result of a game that was played, for the tables.

        Its moves are not needed there and are left out.
        """
        self.rows[row.number] = dataclasses.replace(row, actions=[], start={})

    def play(self) -> Result:
        """Play the games that are missing and return the result.

        Interrupted on Ctrl-C; its message and that of any other error say how to continue.
        """
        start = time.perf_counter()
        try:
            with contextlib.closing(self._play_missing()) as played:
                for done in played:
                    self.progress(done, self.schedule.total, f"{done} of {self.schedule.total} games")
        except KeyboardInterrupt:
            raise Interrupted(self._how_to_continue()) from None
        except LudensError as why:
            raise Stopped(f"{why}; {self._how_to_continue()}") from why
        finally:
            self.executor.close()
            self.runner.close()
        return self._finish(time.perf_counter() - start)

    def _play_missing(self) -> Generator[int, None, None]:
        """Play job after job until all are done or the test has decided; yields the number of games played so far."""
        if self._decided():
            return
        missing = (job for job in jobs_of(self.game, self.schedule, self.one_by_one) if not self._has(job))
        with contextlib.closing(self.executor.run(self.runner, missing)) as done:
            for _, rows in done:
                if self.store:
                    self.store.add_games(self.run.id, rows)
                for row in rows:
                    self._keep(row)
                yield len(self.rows)
                if self._decided():
                    return

    def _has(self, job: Job) -> bool:
        """Whether all games of a job have been played."""
        fixtures = self.schedule.fixtures(job.pairing, job.repeat, job.first, job.deals)
        return all(scheduled.number in self.rows for scheduled in fixtures)

    def _verdict(self) -> dict[str, Any] | None:
        """The state of the sequential test after the games so far, as the dict of `Sprt.verdict`.

        None if there is no test.
        """
        return self.sprt.verdict(add_deal_scores(self.scores, self.rows, self.schedule)) if self.sprt else None

    def _decided(self) -> bool:
        """Whether there is a sequential test that has decided."""
        verdict = self._verdict()
        return verdict is not None and verdict["verdict"] != "undecided"

    def _how_to_continue(self) -> str:
        """A sentence for people whose run was stopped: the games played, and the command that continues it."""
        stopped = f"stopped after {len(self.rows)} of {self.schedule.total} games"
        if not self.store:
            return f"{stopped}, and nothing is stored: name a store to be able to resume"
        return f"{stopped}; go on with: {self._resume_command()}"

    def _resume_command(self) -> str:
        """The shell command that continues this run."""
        place = ["--store", str(self.store.path)] if self.store and self.store.path != default_path() else []
        return command_text(["ludens", "arena", "--resume", self.run.id, *place])

    def announce(self, report: Callable[[str], None] | None) -> None:
        """Call ``report``, if given, with a line of text before the first game.

        It names the run's id, seed and number of games, and the command that continues it.
        """
        if report:
            kept = f"run {self.run.id}; if it is stopped: {self._resume_command()}" if self.store else "not stored"
            key = f", key {self.run.request.key}" if self.run.request.key else ""
            cage = f"; cage: {self.run.versions['cage']}" if "cage" in self.run.versions else ""
            report(f"seed {self.run.request.seed}{key}, {self.schedule.total} games, {kept}{cage}")

    def _finish(self, seconds: float) -> Result:
        """Mark the run as done, close the store and compute the result; ``seconds`` is the time of playing.

        Games after the decision of a sequential test are dropped.
        """
        if verdict := self._verdict():
            self._drop_after(verdict["deals"] * len(self.schedule.pairings[0].orders))
        done = dataclasses.replace(self.run, status="done")
        if self.store:
            self.store.set_status(done.id, done.status)
            self.store.close()
        return build_result(
            self.game, done, self.rows.values(), seconds=seconds, compile_s=self.compile_s, notes=self.notes
        )

    def _drop_after(self, count: int) -> None:
        """Delete the games from number ``count`` on, in the store too.

        They follow the deal at which the sequential test stopped, so they do not count.
        """
        extra = [number for number in self.rows if number >= count]
        for number in extra:
            del self.rows[number]
        if self.store and extra:
            self.store.drop_games(self.run.id, extra)
