"""Rows of the study of Liar's Dice about tables of 3 to 6 players, and the training runs they are about.

For each size of table there are a network trained by PPO, a table of values that knows its own dice, and the thesis's
two players as they are after as many decisions. All were trained with `odds` and `honest` in the other seats, and meet
the same two there, drawn for each game. These two play at such tables as well, for comparison.
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
_TABLE = {"steps": "4000000", "exam_every": "1000000", "reward": "round", "epsilon": "0.3"}
_THESIS = {"steps": "4000000", "exam_every": "1000000", "reward": "thesis", "explore": "roulette", "gamma": "0.5"}
_LEARNED: Mapping[str, tuple[str, Mapping[str, str]]] = {  # learner and settings of each line, by its name
    "ppo": (
        "ppo",
        {"steps": "5000000", "exam_every": "1000000", "reward": "round", "hidden": "128-128", "lanes": "1024"}
        | {"groups": "1", "horizon": "32", "entropy": "0.01", "last_entropy": "0.002"},
    ),
    "q-table": ("q", _TABLE | {"layout": "sight", "alpha": "0.05", "last_alpha": "0.005"}),
    "the thesis's sarsa with profile": ("sarsa", _THESIS | {"layout": "profile"}),
    "the thesis's q": ("q", _THESIS | {"layout": "thesis"}),
}


def training_of(line: str, players: int) -> Training:
    """The training run of a learner, by the name of its line, for tables of so many players."""
    learner, settings = _LEARNED[line]
    name = f"liars-dice-{line.rpartition(' ')[2]}-{players}"
    return Training(_GAME, learner, name, tuple((_ALIKE | dict(settings)).items()), (("players", str(players)),))


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
        for line in _LEARNED:
            training = training_of(line, players)
            told = _meeting(f"RUNS/{training.name}-1", players).command
            rows.append(
                Row(
                    TABLES,
                    f"{line}, {column}",
                    f"{told}, made by {training.command()}",
                    partial(_share, _meeting(str(training.folder(runs, 1)), players)),
                    grid=(line, column),
                    runs=((training, 1),),
                )
            )
    return sorted(rows, key=lambda row: [*_LEARNED, *_POOL].index(row.grid[0]))
