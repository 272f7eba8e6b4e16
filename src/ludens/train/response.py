"""Trained best responses: how far an agent can be exploited, as a lower bound found by somebody who learns to beat it.

A *response* is an agent that plays against copies of another one, the *target*, which have all other seats. Where a
best response cannot be computed, one is trained: a learner of the usual kind whose only opponent is the target. Its
mean return is a lower bound of what a best response gets, and so, in games in which one side wins what the others lose,
of the target's exploitability.

Other agents may respond better than what was trained; such *candidates* are tried too. Who responds best is chosen on
games of their own, in games with roles for each role, and reported on others, so the choice does not flatter the
report. All these games are played by the arena, on seeds that training never draws.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludens.core.error import BadOption, LudensError
from ludens.core.file import write_json
from ludens.core.option import closest
from ludens.core.registry import is_file_spec, make_agent, quick_spec
from ludens.learn.learner import learner_class
from ludens.learn.rollout import agents_of
from ludens.train.exam import Table, command_of, play, tables_of, ways_to_play
from ludens.train.plan import Plan, make_plan

if TYPE_CHECKING:
    from ludens.core.game import Game

CHOICE_SEED, REPORT_SEED = 1_600_000_003, 1_600_000_004  # of the arena; exams have others
REPORT = "exploit.json"  # what was found, in the folder of the run
GAMES, _FEWEST = 2000, 100  # of the report: usually, and where games are slow
_MOST_LANES, _FEW_LANES, _UPDATES = 512, 32, 100  # games at once; of the first trial; updates a run should have
_SHARE = 0.7  # of the minutes are planned for learning, the rest for exams

_SMALL_UPDATES = {"hidden": "128-128", "groups": 2, "horizon": 16, "epochs": 2, "minibatches": 8}
_USUAL: Mapping[str, Mapping[str, Any]] = {
    "ppo": {**_SMALL_UPDATES, "rate": 3e-3, "entropy": 0.05},  # with less it keeps to the first answer that works
}
Say = Callable[[str], None]


@dataclass(frozen=True)
class Response:
    """How an agent did against copies of the target, in one role or in all seats in turn; with 95 % intervals."""

    spec: str
    seat: str  # the name of its seat, where seats have different roles
    rate: float  # of games won
    low: float
    high: float
    gain: float  # mean return
    least: float
    most: float
    games: int
    command: str  # plays these games again

    def text(self) -> str:
        """How it did, for people: '71.3 % [69.2, 73.3], return +0.43 [+0.38, +0.47]'."""
        won = f"{100 * self.rate:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"
        return f"{won}, return {self.gain:+.3f} [{self.least:+.3f}, {self.most:+.3f}]"


@dataclass(frozen=True)
class Role:
    """What was found for one role, or for a game without roles: all that were tried, and the best on other games."""

    tried: list[Response]  # on the games of the choice
    best: Response
    trained: Response  # what was trained, played in its better way, on the games of the report
    even: float  # share of games that the target wins in this role against its copies


@dataclass(frozen=True)
class Exploit:
    """What is known of how far an agent can be exploited."""

    game: str
    target: str
    steps: int
    unit: str
    seconds: float
    folder: str
    roles: list[Role]

    @property
    def bound(self) -> tuple[float, float, float]:
        """The mean return of the best responses, over all seats, with an interval that is rather too wide."""
        best = [role.best for role in self.roles]
        low, mean, high = (sum(getattr(one, part) for one in best) / len(best) for part in ("least", "gain", "most"))
        return low, mean, high

    def lines(self) -> list[str]:
        """What was found, as sentences for people."""
        lines = [self._line(role) for role in self.roles]
        low, mean, high = self.bound
        said = f"expected return {mean:+.3f} [{low:+.3f}, {high:+.3f}] a game (even: 0)"
        if low > 0:
            return [*lines, f"{said}: a lower bound of how far {self.target} can be exploited"]
        return [*lines, f"{said}: nobody was found who surely beats it, which does not mean that nobody can"]

    def _line(self, role: Role) -> str:
        """What was found for a role, as a sentence for people."""
        best, learned = role.best, f"{self.steps:,} {self.unit} and {self.seconds:,.0f} s of learning"
        won = f"{100 * best.rate:.1f} % [{100 * best.low:.1f}, {100 * best.high:.1f}] of {best.games:,} games"
        where = f" as {best.seat}" if best.seat else ""
        beaten = f"beats {self.target}{where} in {won} (even: {100 * role.even:.1f} %)"
        if best.spec == role.trained.spec:
            return f"after {learned} somebody {beaten}: {best.spec}"
        if best.spec == self.target:
            better = f"nobody was found who does better against {self.target}{where} than it does itself: {won}"
            return f"{better}; what was trained, after {learned}: {role.trained.text()}"
        return (
            f"{best.spec}, which was there before, {beaten}; what was trained, after {learned}: {role.trained.text()}"
        )

    def to_json(self) -> dict[str, Any]:
        """What was found as JSON types."""
        low, mean, high = self.bound
        return {**dataclasses.asdict(self), "exploitability": mean, "ci95": [low, high]}


def check_target(game: Game, spec: str) -> None:
    """Raise BadOption or another LudensError, in a sentence, if nobody can learn to beat this agent here."""
    if game.rules.seats < 2:
        raise BadOption(f"{game.id} has one seat: there is nobody to exploit")
    agents_of(spec, game)


def candidates_of(game: Game, target: str, named: Sequence[str] | None) -> list[str]:
    """The specs of agents that may respond better than what is trained, without the target itself.

    None named: the game's levels that play at once, without a budget for a search. BadOption or UnknownName if one that
    is named cannot play.
    """
    if named is not None:
        for spec in named:
            if not is_file_spec(spec):
                make_agent(spec, game)
        return [spec for spec in named if spec != target]
    return [spec for spec in game.roster.levels if spec not in ("random", target) and _is_quick(spec, game)]


def _is_quick(spec: str, game: Game) -> bool:
    """Whether a level plays this game, and has no budget to search with."""
    try:
        make_agent(spec, game)
        return quick_spec(spec, game) == spec
    except LudensError:
        return False


def settings_for(game: Game, target: str, learner: str, typed: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a learner that is to beat the target: what was typed, else what suits the learner and the game.

    Where points decide who wins, the lead is paid as it comes. BadOption if the opponent is typed: it is the target.
    """
    known = {field.name.removesuffix("_") for field in dataclasses.fields(learner_class(game, learner).Settings)}
    if "opponent" not in known:
        raise BadOption(f"{learner} cannot be told whom to play against: name another learner, such as ppo")
    for name in typed:
        if name in ("opponent", "exam", "steps", "seed"):
            raise BadOption(f"--set {name} is not possible: name the agent, --steps and --seed on their own")
        if name not in known:
            raise BadOption(f"{learner} has no setting '{name}'{closest(name, known)}")
    pays = {"reward": "lead=0.05+return=0.5"} if game.face.scores_decide else {}
    features = [*game.roster.features]
    sees = {} if game.rules.can("encode") or not features else {"features": features[0]}
    usual = {**_USUAL.get(learner, {}), **pays, **sees}
    return {**{name: value for name, value in usual.items() if name in known}, **typed, "opponent": target}


@dataclass(frozen=True)
class Effort:
    """How much work a run is: its settings, and the number of games of the report."""

    settings: Mapping[str, Any]
    games: int = GAMES

    def plan(self, game: Game, learner: str) -> Plan:
        """The plan of the run; BadOption if a setting is wrong."""
        return make_plan(game, learner, self.settings)


def effort_of_steps(settings: Mapping[str, Any], steps: int) -> Effort:
    """The effort of a run of so many steps; if not typed, there are ten exams of 200 games."""
    usual = {"exam_games": 200, "final_games": 400, "exam_every": max(steps // 10, 1)}
    lanes = {"lanes": _MOST_LANES} if "horizon" in settings else {}
    return Effort({**usual, **lanes, **settings, "steps": steps})


def effort_of_minutes(game: Game, learner: str, settings: Mapping[str, Any], minutes: float, tell: Say) -> Effort:
    """The effort of a run that takes about so many minutes here, by trying how quick games and learning are."""
    target, seconds = str(settings["opponent"]), 60 * minutes
    tell("trying how long a game takes")
    each = _seconds_of_game(game, target)
    tell("trying how quick learning is")
    trial: dict[str, Any] = {"steps": 1 << 40, **settings}
    if "horizon" in settings and "lanes" not in settings:
        trial["lanes"] = _FEW_LANES
    speed = _speed(make_plan(game, learner, trial), 0.02 * seconds)
    if "lanes" in trial and "lanes" not in settings:
        most = _SHARE * seconds * speed / (_UPDATES * int(settings["horizon"]))
        while trial["lanes"] < min(most / 2, _MOST_LANES):
            trial["lanes"] *= 2
        if trial["lanes"] > _FEW_LANES:
            speed = _speed(make_plan(game, learner, trial), 0.02 * seconds)
    steps = max(int(_SHARE * seconds * speed), 1)
    tables = len(list(tables_of(game, target, [target], str(settings.get("seat", "")))))
    affordable = seconds / (each * tables)  # games at each table in all the time
    exams = {"exam_games": _between(20, 0.02 * affordable, 200), "final_games": _between(40, 0.05 * affordable, 400)}
    chosen = {**exams, "exam_every": max(steps // 10, 1), **trial, "steps": steps}
    return Effort(chosen, _between(_FEWEST, 0.5 * affordable, GAMES))


def _between(low: int, number: float, high: int) -> int:
    """The number as a whole one, not below ``low`` nor above ``high``."""
    return int(min(max(number, low), high))


def _seconds_of_game(game: Game, target: str) -> float:
    """How long a game of the target against its copies takes in an exam, about, once all is compiled."""
    table = next(tables_of(game, target, [target]))
    games, took = game.rules.seats, 0.0
    while took < 0.5 and games <= 256:
        start = time.perf_counter()
        play(game, target, table, games, CHOICE_SEED)
        took = time.perf_counter() - start if games > game.rules.seats else 0.0  # the first ones compile
        games *= 4
    return max(took / (games / 4), 1e-6)


def _speed(plan: Plan, seconds: float) -> float:
    """How many steps a second a learner makes, about: it is tried for at least so long, and then thrown away."""
    learner = plan.make()
    learner.update()
    before, start = learner.done, time.perf_counter()
    while learner.done == before or (time.perf_counter() - start < seconds and learner.done < before * 1000):
        learner.update()
    return (learner.done - before) / max(time.perf_counter() - start, 1e-9)


def measure(game: Game, spec: str, table: Table, games: int, seed: int) -> Response:
    """Let an agent play at a table where all others are the target, and count."""
    found, mine = play(game, spec, table, games, seed)
    won, gain = found.rate(mine), found.mean_return(mine)
    command = command_of(game, table, games, seed)
    return Response(spec, table.seat, won.rate, *won.ci95, gain.mean, *gain.ci95, won.games, command)


@dataclass(frozen=True)
class Search:
    """What is to be compared: the target, what was trained, and the candidates beside it."""

    game: Game
    target: str
    folder: Path
    candidates: Sequence[str]
    choice: int  # games to choose on
    games: int  # games to report on
    seat: str = ""  # the only role that was trained; '' for all

    def roles(self, tell: Say) -> list[Role]:
        """Choose the best response for each role and measure it on other games; ``tell`` is told what is done."""
        trained, specs = self.trained(), self.specs()
        tables = {spec: list(tables_of(self.game, spec, [self.target], self.seat)) for spec in specs}
        found = []
        for place in range(len(tables[trained[0]])):
            tried = []
            for spec in specs:
                tell(f"choosing: {spec}")
                tried.append(measure(self.game, spec, tables[spec][place], self.choice, CHOICE_SEED))
            best, own = _best(tried), _best([one for one in tried if one.spec in trained])
            tell(f"reporting: {best.spec}")
            best = measure(self.game, best.spec, tables[best.spec][place], self.games, REPORT_SEED)
            if own.spec != best.spec:
                own = measure(self.game, own.spec, tables[own.spec][place], self.games, REPORT_SEED)
            found.append(Role(tried, best, own if own.spec != best.spec else best, self.even(best.seat)))
        return found

    def trained(self) -> list[str]:
        """The specs of what was trained, one for each way in which it can play."""
        ways = ways_to_play(str(self.folder), self.game)
        return [f"{self.folder}:play={way}" for way in ways] or [str(self.folder)]

    def specs(self) -> list[str]:
        """The specs of all that are tried; in a game with roles the target too, for one role may be hard to win."""
        has_roles = next(tables_of(self.game, self.target, [self.target])).seat != ""
        return [*self.trained(), *self.candidates, *([self.target] if has_roles else [])]

    def even(self, seat: str) -> float:
        """The share of games that the target wins against its copies: measured for a role, else the same for all."""
        if not seat:
            return 1 / self.game.rules.seats
        table = next(tables_of(self.game, self.target, [self.target], seat))
        return measure(self.game, self.target, table, self.games, REPORT_SEED).rate


def _best(found: Sequence[Response]) -> Response:
    """The one with the largest mean return."""
    return max(found, key=lambda one: one.gain)


def keep(found: Exploit, folder: Path) -> None:
    """Write what was found into the folder of the run."""
    write_json(folder / REPORT, found.to_json())
