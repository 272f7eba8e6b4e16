"""Rows of the study of Liar's Dice about the solved match: who beats whom, and how exploitable each agent is."""

from __future__ import annotations

import functools
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from ludens.arena.result import Result
from ludens.arena.series import Series, series
from ludens.arena.tournament import arena
from ludens.core.agent import Agent
from ludens.core.registry import make_agent, make_game
from ludens.games.liars_dice.equilibrium import shipped
from ludens.games.liars_dice.round_policy import table_of_agent
from ludens.games.liars_dice.solution import match_values
from ludens.games.liars_dice.tree import Round
from ludens.solve import vector_cfr
from ludens.studies.study import Finding, Row, over_runs

_GAME = "liars-dice"
_LEARNERS = ("q", "sarsa", "sarsa-profile", "tabular")
PLAYERS = ("equilibrium", "honest", "odds", "tabular", "sarsa-profile", "sarsa", "q", "random")
_LEAGUE_GAMES, _TRAINING, _SEED = 1000, 2000, 1
_LEAGUE, _EXPLOIT, _VALUES, _LEAN = (
    "Everybody against everybody",
    "Exact exploitability of a round",
    "The solved match",
    "What leaning brings and costs",
)


@functools.cache
def _league(games: int) -> Result:
    """The result of a tournament of all agents of the study, ``games`` games a pair.

    Cached, so it is played only once.
    """
    return arena(make_game(_GAME), list(PLAYERS), games=games, seed=_SEED, store=False)


def _standing(spec: str, quick: bool) -> Finding:
    """The finding of an agent's rate over all its games in the tournament; its rates against each other are figures."""
    result = _league(20 if quick else _LEAGUE_GAMES)
    row = next(agent for agent in result.agents if agent.spec == spec)
    rates: dict[str, str] = {}
    for pair in result.pairs:
        if spec == pair.first:
            rates[f"v {pair.second}"] = f"{100 * pair.first_rate:.1f} %"
        elif spec == pair.second:
            rates[f"v {pair.first}"] = f"{100 * pair.second_rate:.1f} %"
    return Finding(row.win_rate, row.games, (_SEED,), row.ci95, figures=rates)


def league_rows() -> list[Row]:
    """The rows of the table of everybody against everybody, one for each agent."""
    run = f"ludens arena {_GAME} {' '.join(PLAYERS)} --games {_LEAGUE_GAMES} --seed {_SEED}"
    return [Row(_LEAGUE, spec, run, partial(_standing, spec), key=f"league {spec}") for spec in PLAYERS]


def _frozen(spec: str, dice: int, games: int, folder: Path) -> Agent:
    """An agent that no longer changes, for rounds with ``dice`` dice each.

    A learner is first trained against `q` in ``games`` matches, stored in ``folder`` and loaded without learning.
    """
    game = make_game(_GAME, dice=dice)
    if spec not in _LEARNERS:
        return make_agent(spec, game)
    file = folder / f"{spec}-{dice}.json"
    learner: Any = make_agent(spec, game)
    specs = [spec, "q:alpha=0.4" if spec == "q" else "q"]  # two agents of one series need different specs
    series(game, specs, games=games, seed=_SEED, agents=[learner, make_agent("q", game)])
    learner.save(file)
    return make_agent(f"{spec}:learn=no,load={file}", game)


def _exploitability(spec: str, quick: bool) -> Finding:
    """The finding of the exact exploitability of an agent's policy in rounds of one, two and three dice a side.

    The exploitabilities are its figures; ``quick`` measures one die only.
    """
    sizes = (1,) if quick else (1, 2, 3)
    with tempfile.TemporaryDirectory() as folder:
        agents = {dice: _frozen(spec, dice, 20 if quick else _TRAINING, Path(folder)) for dice in sizes}
        gaps = {dice: vector_cfr.measure(*table_of_agent(agent, Round((dice, dice)))) for dice, agent in agents.items()}
    return Finding(figures={f"{dice} v {dice}": f"{gap.exploitability:.4f}" for dice, gap in gaps.items()})


def exploit_rows() -> list[Row]:
    """The rows of the exploitability of each agent; learners are trained first, then no longer learn."""
    return [
        Row(
            _EXPLOIT,
            f"{spec}, frozen after {_TRAINING:,} matches against q" if spec in _LEARNERS else spec,
            "this study: trained, frozen, exploited"
            if spec in _LEARNERS
            else f"ludens exploit {_GAME} {spec} --dice 2,2",
            partial(_exploitability, spec),
            key=f"exploit {spec}",
        )
        for spec in PLAYERS
    ]


def _leaning(opponent: str, quick: bool) -> Finding:
    """The finding of how often `exploiter` beats ``opponent``, an agent spec.

    Its figures are how much more often it wins than `equilibrium` in the same matches, and how exploitable it is then.
    """
    game, seeds, games = make_game(_GAME), ((1,) if quick else (1, 2, 3, 4, 5)), (20 if quick else 10_000)
    rates = {
        spec: [float((run.of(run.returns) > 0).mean()) for run in _runs(game, spec, opponent, seeds, games)]
        for spec in ("exploiter", "equilibrium")
    }
    gains = [lean - plain for lean, plain in zip(rates["exploiter"], rates["equilibrium"], strict=True)]
    learner: Any = make_agent("exploiter", game)
    specs = ["exploiter", opponent]
    series(game, specs, games=20 if quick else _TRAINING, seed=_SEED, agents=[learner, make_agent(opponent, game)])
    price = {dice: learner.frozen(make_game(_GAME, dice=dice)) for dice in ((1,) if quick else (2, 3))}
    gaps = {dice: vector_cfr.measure(*table_of_agent(agent, Round((dice, dice)))) for dice, agent in price.items()}
    figures = {"points more than equilibrium": f"{100 * sum(gains) / len(gains):+.2f}"}
    figures |= {f"exploitability {dice} v {dice}": f"{gap.exploitability:.4f}" for dice, gap in gaps.items()}
    rate = sum(rates["exploiter"]) / len(seeds)
    return Finding(rate, games * len(seeds), seeds, over_runs(rates["exploiter"]), figures=figures)


def _runs(game: Any, spec: str, opponent: str, seeds: tuple[int, ...], games: int) -> list[Series]:
    """Play one series of ``games`` games of two agents (by their specs) for each seed."""
    return [series(game, [spec, opponent], games=games, seed=seed) for seed in seeds]


def leaning_rows() -> list[Row]:
    """The rows of `exploiter` against agents that it can learn from."""
    run = f"ludens arena {_GAME} exploiter {{}} --games 10000 --seed S, S = 1 to 5; frozen after 2,000 matches"
    return [
        Row(_LEAN, f"exploiter v {other}", run.format(other), partial(_leaning, other), key=f"lean {other}")
        for other in ("sarsa-profile", "odds", "honest")
    ]


@functools.cache
def _values() -> dict[tuple[int, int], float]:
    """The value of each of the 25 solved rounds for its opener, by (opener's dice, other's dice)."""
    return {dice: float(unpack().value) for dice, unpack in shipped().items()}


def _match_row(dice: int, quick: bool) -> Finding:
    """The finding of a match position: what an opener with ``dice`` dice can expect against 1 to 5 dice, as figures.

    A figure is the value of the round and the probability of winning the match; none in a quick run.
    """
    if quick:
        return Finding()
    chances = match_values(_values())
    cells = {f"v {m}": f"{_values()[dice, m]:+.4f} / {chances[dice, m]:.4f}" for m in range(1, 6)}
    return Finding(figures=cells)


def value_rows() -> list[Row]:
    """The rows of the 25 positions of the solved match, one for each number of the opener's dice."""
    run = "ludens solve liars-dice --all; here from the shipped, packed form"
    title = "opener with {} dice: round value / match chance"
    return [
        Row(_VALUES, title.format(dice), run, partial(_match_row, dice), key=f"values {dice}") for dice in range(1, 6)
    ]
