"""Pictures of the study of Azul: learning curves, with bands over the training seeds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ludens.studies.picture import COLOURS, new_figure, save
from ludens.studies.study import over_runs
from ludens.studies.training import Training

Panels = Mapping[tuple[str, str], Mapping[str, Training]]  # (reward, opponent) -> version of the reward -> training


def curves_by_reward(panels: Panels, runs: Path, learner: str, file: Path) -> Path:
    """Draw the thesis's six graphs to ``file``: a line of panels for each opponent, in each a curve for each version.

    The share of exam games won against the opponent of the training; where that is not the heuristic, the share against
    the heuristic is dashed. Trainings whose runs are missing are left out, and opponents without any. Returns the file.
    """
    rewards, opponents = (list(dict.fromkeys(place[i] for place in panels)) for i in (0, 1))
    trained = [place for place, versions in panels.items() if not all(one.missing(runs) for one in versions.values())]
    opponents = [one for one in opponents if one in {opponent for _, opponent in trained}] or opponents
    figure = new_figure(4.2 * len(rewards), 3.2 * len(opponents))
    axes = figure.subplots(len(opponents), len(rewards), squeeze=False, sharey=True)
    for (reward, opponent), versions in panels.items():
        if opponent not in opponents:
            continue
        axis = axes[opponents.index(opponent)][rewards.index(reward)]
        axis.set_title(f"{learner} {reward}, trained against {opponent}")
        for place, (version, training) in enumerate(versions.items()):
            _draw_curve(axis, training, runs, opponent, COLOURS[place], version)
            if opponent != "heuristic":
                _draw_curve(axis, training, runs, "heuristic", COLOURS[place], f"{version}, v heuristic", "--")
        _finish(axis)
    return save(figure, file)


def curves_of(trainings: Mapping[str, Training], runs: Path, title: str, file: Path) -> Path:
    """Draw the curves of some trainings, each by its name, against the heuristic in one panel; returns the file."""
    figure = new_figure(8, 4.4)
    axis = figure.subplots()
    axis.set_title(title)
    for place, (name, training) in enumerate(trainings.items()):
        _draw_curve(axis, training, runs, "heuristic", COLOURS[place], name)
    _finish(axis)
    return save(figure, file)


def _draw_curve(
    axis: Any, training: Training, runs: Path, opponent: str, colour: str, label: str, style: str = "-"
) -> None:
    """Draw the mean curve of a training against ``opponent``, with a band over its seeds if it has several."""
    if training.missing(runs):
        return
    curves = [training.curve(runs, seed, opponent) for seed in training.seeds]
    length = min(map(len, curves))
    steps = [done / 1e6 for done, _ in curves[0][:length]]
    rates = 100 * np.array([[rate for _, rate in curve[:length]] for curve in curves])
    axis.plot(steps, rates.mean(axis=0), style, color=colour, label=label)
    bands = [over_runs(column) for column in (rates / 100).T.tolist()]
    if len(curves) > 1:
        low, high = (100 * np.array([band[end] if band else 0.0 for band in bands]) for end in (0, 1))
        axis.fill_between(steps, low, high, color=colour, alpha=0.18, linewidth=0)


def _finish(axis: Any) -> None:
    """Label an axis with curves."""
    axis.set(ylim=(0, 100), xlabel="million own decisions", ylabel="exam games won, %")
    axis.grid(alpha=0.3)
    if axis.get_legend_handles_labels()[0]:
        axis.legend(frameon=False, fontsize=8)
