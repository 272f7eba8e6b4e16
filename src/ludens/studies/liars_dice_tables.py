"""Rows of the study of Liar's Dice about tables of 3 to 6 players, and the training runs they are about.

For each size of table there are a network trained by PPO and a table of values that knows its own dice, both after four
million decisions, and the thesis's two players after a million. All were trained with `odds` and `honest` in the other
seats, and meet the same two there, drawn for each game. These two play at such tables as well, for comparison.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ludens.studies.meeting import Meeting, finding
from ludens.studies.study import Finding, Row
from ludens.studies.training import Training

TABLES = "Learners at larger tables"
_GAME, _GAMES, _POOL = "liars-dice", 4000, ("odds", "honest")
_SIZES = range(3, 7)
_ALIKE = {"opponent": ",".join(_POOL), "exam": ",".join(_POOL), "exam_games": "400", "final_games": "1000"}
_TABLE = {"steps": "4000000", "exam_every": "2000000", "reward": "round", "epsilon": "0.3"}
_THESIS = {"steps": "1000000", "exam_every": "500000", "reward": "thesis", "explore": "roulette", "gamma": "0.5"}
_THESIS |= {"alpha": "0.5", "last_alpha": "0.5", "average": "no"}
_LEARNED: Mapping[str, tuple[str, Mapping[str, str]]] = {  # learner and settings of each training, by its name
    "ppo": (
        "ppo",
        {"steps": "4000000", "exam_every": "1000000", "reward": "round", "hidden": "128-128", "lanes": "1024"}
        | {"groups": "1", "horizon": "32", "entropy": "0.01", "last_entropy": "0.002"},
    ),
    "q-table": ("q", _TABLE | {"layout": "sight", "alpha": "0.05", "last_alpha": "0.005"}),
    "sarsa-profile": ("sarsa", _THESIS | {"layout": "profile"}),
    "q": ("q", _THESIS | {"layout": "thesis"}),
}
_LINES = {  # which training, and how its agent plays
    "ppo": ("ppo", "argmax"),
    "q-table": ("q-table", "argmax"),
    "the thesis's sarsa-profile, by its roulette": ("sarsa-profile", "sample"),
    "the thesis's sarsa-profile, best action": ("sarsa-profile", "argmax"),
    "the thesis's q, by its roulette": ("q", "sample"),
    "the thesis's q, best action": ("q", "argmax"),
}


def training_of(name: str, players: int) -> Training:
    """The training run of a learner, by its name here, for tables of so many players."""
    learner, settings = _LEARNED[name]
    chosen = tuple((_ALIKE | dict(settings)).items())
    return Training(_GAME, learner, f"liars-dice-{name}-{players}", chosen, (("players", str(players)),))


def _meeting(spec: str, players: int) -> Meeting:
    """The games of an agent at tables of so many, where the others are drawn from the pool."""
    return Meeting(_GAME, (spec,), _GAMES, _POOL, (("players", str(players)),))


def _share(meeting: Meeting, quick: bool = False) -> Finding:
    """How often the first agent won: where all are equal, one game in as many as there are players."""
    return finding((meeting.quick() if quick else meeting).play().share_of(0))


def table_rows(runs: Path) -> list[Row]:
    """The rows of all players at tables of 3 to 6; the learners' folders stand in ``runs``."""
    rows = []
    for players in _SIZES:
        column = f"{players} players, even {100 / players:.1f} %"
        rows += [_meeting(spec, players).row(TABLES, (spec, column), _share) for spec in _POOL]
        rows += [_learned_row(line, players, column, runs) for line in _LINES]
    return sorted(rows, key=lambda row: [*_LINES, *_POOL].index(row.grid[0]))


def _learned_row(line: str, players: int, column: str, runs: Path) -> Row:
    """The row of a learner's agent at tables of so many."""
    name, play = _LINES[line]
    training = training_of(name, players)
    told = _meeting(f"RUNS/{training.name}-1:play={play}", players).command
    meeting = _meeting(f"{training.folder(runs, 1)}:play={play}", players)
    return Row(
        TABLES,
        f"{line}, {column}",
        f"{told}, made by {training.command()}",
        partial(_share, meeting),
        grid=(line, column),
        runs=((training, 1),),
    )
