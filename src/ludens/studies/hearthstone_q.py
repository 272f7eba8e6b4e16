"""The Q agents of the thesis in the study of Hearthstone: its tables 9.1 and 9.2, and how they learn.

Each cell of a table is a set of training runs of its own: the agent learns in 5,000 games against the opponent of the
column and goes on learning in the 500 games of the test, as the published program does.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ludens.core.registry import make_agent, make_game
from ludens.core.seed import derived_seed
from ludens.games.hearthstone.thesis.q_learner import QFullSettings, QNetSettings, QSettings, learn_games, make_learning
from ludens.studies.hearthstone_match import COMPAT
from ludens.studies.hearthstone_thesis import PLAYERS, Q_GAMES, Q_TABLES, SCRIPTS
from ludens.studies.meeting import SEED
from ludens.studies.study import Finding, Row, over_runs

TABLE_91, TABLE_92 = "Table 9.1", "Table 9.2"
SHARED = "Table 9.2, if both agents had one table or network"
READINGS, CURVES, VARIANTS = "Other readings of the Q agents", "How the Q agents learn", "Double learning and SARSA"
FULL_NET = "The network that sees everything"
Q_CURVES = (CURVES, FULL_NET)

_TRAIN, _TEST, _RUNS = 5000, 500, 20
_BLOCK = 250  # games of a point of a curve
_FEW = 10  # runs of what is no cell of the thesis's tables
_Z95 = 1.96
_ROUNDING = 1 / 12  # variance of rounding to whole percents
_SOURCE = "thesis, one run and 500 games"


@dataclass(frozen=True)
class Way:
    """How an agent learns: its kind ('table', 'net' or 'full'), and the settings of its learner that it is given."""

    kind: str
    settings: tuple[tuple[str, float | str], ...]

    def with_(self, **more: float | str) -> Way:
        """The same with other settings."""
        return dataclasses.replace(self, settings=tuple({**dict(self.settings), **more}.items()))

    @property
    def command(self) -> str:
        """The command that trains one such agent, without opponent and seed."""
        words = [f"--{name.rstrip('_')} {value}" for name, value in self.settings]
        return f"ludens train hearthstone q-{self.kind} -o compat=fireplace2016 {' '.join(words)}"


AGENTS = {
    "Net .8/.8": Way("net", (("as_", "text"), ("alpha", 0.8), ("gamma", 0.8))),
    "Net .1/.01": Way("net", (("as_", "text"), ("alpha", 0.1), ("gamma", 0.01))),
    "Table .8/.8": Way("table", (("as_", "code"), ("alpha", 0.8), ("gamma", 0.8))),
    "Table .1/.01": Way("table", (("as_", "code"), ("alpha", 0.1), ("gamma", 0.01))),
}
_BEST = "Table .1/.01"


@dataclass(frozen=True)
class Trial:
    """Training runs of one agent against one opponent: another that learns, by its name in AGENTS, or a spec."""

    way: Way
    opponent: str
    runs: int = _RUNS
    train: int = _TRAIN
    test: int = _TEST
    shares: bool = False  # both agents keep their values in the same table or network

    def quick(self) -> Trial:
        """The same with a handful of games."""
        return dataclasses.replace(self, runs=2, train=4, test=4)

    def one(self, run: int) -> np.ndarray:
        """Make one run; returns whether the agent won each game, [train + test]."""
        game, seed = make_game("hearthstone", **dict(COMPAT)), derived_seed(SEED, run)
        learner = make_learning(game, self.way.kind, _settings(self.way, seed))
        rival: Any
        if self.opponent in AGENTS:
            way = AGENTS[self.opponent]
            rival = make_learning(game, way.kind, _settings(way, derived_seed(seed, 1)))
            if self.shares:
                rival.player = learner.player._replace(options=rival.player.options)
        else:
            rival = make_agent(self.opponent, game)
        return learn_games(learner, rival, seed, range(self.train + self.test))

    def play(self) -> np.ndarray:
        """Make all runs, several at a time; returns whether the agent won each game, [runs, train + test]."""
        with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
            first = self.one(0)  # compiles the kernels
            return np.stack([first, *threads.map(self.one, range(1, self.runs))])

    @property
    def command(self) -> str:
        """What is run, for people."""
        met = f"--opponent {self.opponent}" if self.opponent not in AGENTS else f"against {self.opponent}, learning too"
        met += ", both with the same values" * self.shares
        games = f"{self.train:,} games, then {self.test:,} that count"
        return f"this study: {self.runs} runs of {self.way.command} {met}: {games}; seeds from {SEED}"


def _settings(way: Way, seed: int) -> QSettings:
    """The learner's settings of a run."""
    cls = {"table": QSettings, "net": QNetSettings, "full": QFullSettings}[way.kind]
    return cls(seed=seed >> 2, **dict(way.settings))  # type: ignore[arg-type]


def _measure(trial: Trial, told: float | None, quick: bool) -> Finding:
    """The finding of a trial: the share of the test's games that was won, over runs; ``told`` is the thesis's figure.

    Its figures say whether that lies in the range of our runs.
    """
    trial = trial.quick() if quick else trial
    rates = trial.play()[:, -trial.test :].mean(axis=1)
    figures = {} if told is None else range_of(rates, told)
    return _finding(rates, trial, figures)


def _finding(rates: np.ndarray, trial: Trial, figures: dict[str, str], curve: Iterable[float] = ()) -> Finding:
    """A finding from the rate of each run."""
    spread = float(rates.min()), float(rates.max())
    return Finding(
        float(rates.mean()),
        len(rates) * trial.test,
        (SEED,),
        over_runs(rates.tolist()),
        spread,
        figures,
        tuple(curve),
    )


def range_of(rates: np.ndarray, told: float) -> dict[str, str]:
    """Whether the thesis's figure ``told`` (in percent) lies in the 95 % range of runs, widened by its own noise.

    The noise is that of its 500 games and of rounding. It is added to the range ('widened'), or, for a stricter
    answer, its variance to that of the runs ('together').
    """
    middle, spread = 100 * float(rates.mean()), 100 * float(rates.std(ddof=1))
    noise = math.sqrt(told * (100 - told) / Q_GAMES + _ROUNDING)
    expected = math.sqrt(middle * (100 - middle) / Q_GAMES + _ROUNDING)
    widened, together = _Z95 * (spread + noise), _Z95 * math.hypot(spread, expected)
    return {
        "thesis": f"{told:g}",
        "95 % of runs": f"{middle - _Z95 * spread:.1f} to {middle + _Z95 * spread:.1f}",
        "widened": f"{middle - widened:.1f} to {middle + widened:.1f}",
        "inside": "yes" if abs(middle - told) <= widened else "no",
        "inside, together": "yes" if abs(middle - told) <= together else "no",
    }


# Tables 9.1 and 9.2


def _cell(section: str, agent: str, rival: str, spec: str) -> Row:
    """The row of one cell of a table."""
    told, trial = Q_TABLES[agent, rival], Trial(AGENTS[agent], spec)
    return Row(
        section, f"{agent}, {rival}", trial.command, partial(_measure, trial, told), f"{told}", _SOURCE, (agent, rival)
    )


def _tables() -> list[Row]:
    """The rows of tables 9.1 and 9.2."""
    first = [_cell(TABLE_91, agent, rival, spec) for agent in AGENTS for rival, spec in PLAYERS.items()]
    names = list(AGENTS)
    met = [(one, two) for i, one in enumerate(names) for two in names[i + 1 :]]
    return [*first, *(_cell(TABLE_92, one, two, two) for one, two in met), *map(_shared, (names[0], names[2]))]


def _shared(agent: str) -> Row:
    """The row of an agent against the one of its kind with other rates, if both change the same values."""
    rival = list(AGENTS)[list(AGENTS).index(agent) + 1]
    trial, told = Trial(AGENTS[agent], rival, shares=True), Q_TABLES[agent, rival]
    return Row(SHARED, f"{agent} v {rival}", trial.command, partial(_measure, trial, told), f"{told}", _SOURCE)


# Readings, variants, curves

_OTHERS = {
    "Net .8/.8, as the program": AGENTS["Net .8/.8"].with_(as_="code"),
    "Net .1/.01, as the program": AGENTS["Net .1/.01"].with_(as_="code"),
    "Table .8/.8, as the text": AGENTS["Table .8/.8"].with_(as_="text"),
    "Table .1/.01, as the text": AGENTS["Table .1/.01"].with_(as_="text"),
}
_METHODS: dict[str, dict[str, float | str]] = {
    "Q-learning,": {},
    "Q-learning, 5 % explored,": {"explore": 0.05},
    "SARSA, 5 % explored,": {"explore": 0.05, "method": "sarsa"},
    "double Q-learning,": {"method": "double"},
}
_LEARNERS = {
    f"{title} {name}": AGENTS[name].with_(**more)
    for name in ("Table .8/.8", "Table .1/.01")
    for title, more in _METHODS.items()
}


def _against_scripts(section: str, ways: dict[str, Way]) -> list[Row]:
    """The rows of agents against the scripted players."""
    rows = []
    for title, way in ways.items():
        for rival, spec in SCRIPTS.items():
            trial = Trial(way, spec, _FEW)
            measure = partial(_measure, trial, None)
            rows.append(Row(section, f"{title}, {rival}", trial.command, measure, grid=(title, rival)))
    return rows


def _learn(trial: Trial, block: int, quick: bool) -> Finding:
    """The finding of how a trial went: the rate in each block of games, with the interval over runs as figures."""
    if quick:
        trial, block = trial.quick(), 2
    won = trial.play()
    blocks = won[:, : won.shape[1] // block * block].reshape(len(won), -1, block).mean(axis=2)
    reach = [over_runs(each.tolist()) or (0.0, 0.0) for each in blocks.T]
    figures = {"games of a block": f"{block}", "first": f"{100 * blocks[:, 0].mean():.2f} %"}
    figures |= {"last": f"{100 * blocks[:, -1].mean():.2f} %"}
    figures |= {f"{name} end of the interval": " ".join(f"{100 * each[side]:.2f}" for each in reach)
                for side, name in enumerate(("lower", "upper"))}  # fmt: skip
    return _finding(won.mean(axis=1), dataclasses.replace(trial, test=won.shape[1]), figures, blocks.mean(axis=0))


def _curve_rows() -> list[Row]:
    """The rows of how the four agents learn against Face hunter, and the network that sees everything."""
    rows = []
    for name, way in AGENTS.items():
        trial = Trial(way, "face-hunter", test=0)
        told = ("22.1", "the program's file of 5,000 games") if name == _BEST else ("", "")
        rows.append(Row(CURVES, name, trial.command, partial(_learn, trial, _BLOCK), *told))
    for pair in ((0.8, 0.8), (0.1, 0.01)):
        way = Way("full", (("as_", "text"), ("alpha", pair[0]), ("gamma", pair[1])))
        trial = Trial(way, "face-hunter", 3, 10_000, 0)
        title, source = f"alpha {pair[0]}, gamma {pair[1]}", "thesis, figure 7.1, one run of 10,000 games"
        rows.append(Row(FULL_NET, title, trial.command, partial(_learn, trial, 1000), "0.04", source))
    return rows


def q_rows() -> list[Row]:
    """All rows about the Q agents."""
    return [*_tables(), *_curve_rows(), *_against_scripts(READINGS, _OTHERS), *_against_scripts(VARIANTS, _LEARNERS)]
