"""Pictures of the study of Liar's Dice: the thesis's curve against a CFR player, and what safety costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ludens.studies.liars_dice_learners import (
    CFR,
    CURVE_BLOCK,
    CURVE_GAMES,
    CURVE_SEEDS,
    KNOWN,
    SAFE,
    TRUSTS,
    WEAK,
    runs_of,
    safe_name,
)
from ludens.studies.picture import COLOURS, MARKERS, new_figure, save
from ludens.studies.study import Report, over_runs

_THESIS_RATE = 25
_CURVES = (*WEAK[:4], WEAK[5])  # the strongest are left out


def draw(report: Report, folder: Path) -> list[Path]:
    """Draw all pictures of the study into a folder; returns the files."""
    seeds, games, specs = (CURVE_SEEDS, CURVE_GAMES, _CURVES)
    if report.quick:
        seeds, games, specs = CURVE_SEEDS[:2], 40, _CURVES[:1]
    cfr = cfr_curves(specs, seeds, games, folder / "liars-dice-cfr.png")
    return [cfr, safety(report, folder / "liars-dice-safe.png")]


def cfr_curves(specs: Sequence[str], seeds: tuple[int, ...], games: int, file: Path) -> Path:
    """Draw how often ``sarsa-profile`` wins against CFR players (``specs``) in each ten matches; returns the file.

    The mean of independent learning runs, one for each seed, with a band of 95 %.
    """
    figure = new_figure(8, 4.4)
    axis = figure.subplots()
    for place, spec in enumerate(specs):
        wins = runs_of("sarsa-profile", spec, seeds, games)
        blocks = wins.reshape(len(seeds), -1, CURVE_BLOCK).mean(axis=2)
        at = CURVE_BLOCK * np.arange(1, blocks.shape[1] + 1)
        bands = np.array([over_runs(block) or (0.0, 1.0) for block in blocks.T.tolist()])
        axis.plot(at, 100 * blocks.mean(axis=0), color=COLOURS[place], label=f"v {spec}")
        axis.fill_between(at, 100 * bands[:, 0], 100 * bands[:, 1], color=COLOURS[place], alpha=0.18, linewidth=0)
    axis.axhline(_THESIS_RATE, color="grey", linestyle=":", label="where the thesis's curve settles")
    axis.set(
        ylim=(0, 100), xlabel="matches", ylabel="matches won in each ten, %", title=f"sarsa-profile: {CFR.lower()}"
    )
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    return save(figure, file)


def safety(report: Report, file: Path) -> Path:
    """Draw the gain on a known opponent over the exploitability that it costs, a curve for each; returns the file."""
    figure = new_figure(8, 4.4)
    axis = figure.subplots()
    curves = [(target, dice) for dice in TRUSTS for target in KNOWN[dice]]
    for place, (target, dice) in enumerate(curves):
        every = [report.findings[safe_name(target, dice, trust)].figures for trust in TRUSTS[dice]]
        found = [figures for figures in every if figures]  # of those that were measured
        costs, gains = ([float(figures[name]) for figures in found] for name in ("exploitability", "gain"))
        label = f"{target}, {dice} v {dice} dice"
        axis.plot(costs, gains, color=COLOURS[place], marker=MARKERS[place], label=label)
    axis.set(xlabel="exploitability", ylabel="gain beyond the equilibrium", title=SAFE)
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    return save(figure, file)
