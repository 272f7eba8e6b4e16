"""The commands ``ludens azul ...``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from ludens.core.error import BadOption
from ludens.core.lanes import Lanes
from ludens.core.registry import make_agent, make_game
from ludens.core.seed import derived_seed

if TYPE_CHECKING:
    from ludens.core.game import Game

app = typer.Typer(help="Commands of Azul.", rich_markup_mode=None, add_completion=False)


@app.callback()
def _commands() -> None:
    """Commands of Azul."""


@app.command(name="statistics")
def show_statistics(
    agent: Annotated[str, typer.Argument(help="The agent in every seat.")] = "random",
    players: int = 2,
    wall: str = "coloured",
    games: int = 20_000,
    seed: int = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Rounds, moves, choices, scores and the starter's advantage when one agent plays every seat."""
    if games < 2:
        raise BadOption(f"--games {games} is not possible: an average needs at least 2 games")
    if not 0 <= seed < 1 << 64:
        raise BadOption(f"--seed {seed} is not possible: give a number from 0 to 2**64 - 1")
    rows = statistics(make_game("azul", players=players, wall=wall), agent, games, seed)
    if as_json:
        typer.echo(json.dumps(rows))
        return
    typer.echo(f"{agent}, {players} players, {wall} wall, {games} games, seed {seed} (mean +- standard error)")
    for name, (mean, error) in rows.items():
        typer.echo(f"{name:14} {mean:9.4f} +- {error:.4f}")


def statistics(game: Game, spec: str, games: int, seed: int) -> dict[str, tuple[float, float]]:
    """Play ``games`` games with the agent ``spec`` in every seat, seat 1 starting: {quantity: (mean, standard error)}.

    ``seed`` fixes the games.
    """
    agent = make_agent(spec, game)
    seeds = np.array([derived_seed(seed, number) for number in range(games)], np.uint64)
    lanes = Lanes(game, seeds)
    drafts, offered = np.zeros(games), np.zeros(games)
    while (lanes.turns >= 0).any():
        rows, seats = lanes.waiting()
        is_draft = lanes.states["phase"][rows] == 0
        drafts[rows] += is_draft
        offered[rows] += lanes.legal(rows)[1] * is_draft
        lanes.step(rows, agent.act(lanes.views(rows, seats), agent.new_memory(len(rows))))
    return _summary(lanes, drafts, offered)


def _summary(lanes: Lanes, drafts: np.ndarray, offered: np.ndarray) -> dict[str, tuple[float, float]]:
    """Means and standard errors over the finished games in ``lanes``.

    ``drafts`` [lanes] is the number of drafts of each game, ``offered`` [lanes] the sum of legal actions at them.
    """
    states, results, points = lanes.states, lanes.returns, lanes.scores
    is_shared = (results.max(axis=1) < 1).astype(float)
    choice = offered.sum() / drafts.sum()  # averaged over moves, not games; the samples below give its standard error
    samples = {
        "rounds": states["rounds"].astype(float),
        "moves": drafts,
        "legal moves": choice + (offered - choice * drafts) / drafts.mean(),
        "score": points.mean(axis=1),
        **{f"seat {seat + 1} wins": (results[:, seat] == 1).astype(float) for seat in range(lanes.game.rules.seats)},
        "ties": is_shared,
        "capped": states["capped"].astype(float),
    }
    return {name: (float(x.mean()), float(x.std(ddof=1) / len(x) ** 0.5)) for name, x in samples.items()}
