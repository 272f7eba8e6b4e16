"""Rows of the study of Liar's Dice about learners beyond the thesis's pairings: what it reports without counts, and
what it proposes.

The weak CFR player, the profile on other learners, other ways to explore, trained agents, and how much of a known
opponent one can exploit at what price.
"""

from __future__ import annotations

import functools
import re
from functools import partial

import numpy as np

from ludens.arena.series import series
from ludens.core.registry import make_agent, make_game
from ludens.games.liars_dice.round_policy import agent_for, opener_entries, round_game, table_of_agent
from ludens.games.liars_dice.tree import Round
from ludens.solve import vector_cfr
from ludens.solve.restricted import restricted_response, value_against
from ludens.studies.meeting import Meeting, Played, finding
from ludens.studies.study import Finding, Row, over_runs

_GAME = "liars-dice"
_SEEDS, _GAMES = (1, 2, 3, 4), 2000
CFR, PROFILES, EXPLORE = (
    "Against a weak CFR player",
    "The lie profile on other learners, v q",
    "Other ways to explore, v q",
)
NETS, NET_GAPS = "Trained agents against fixed ones", "Exact exploitability of trained agents"
SAFE = "Exploiting a known opponent safely"
CURVE_SEEDS, CURVE_GAMES, CURVE_BLOCK = tuple(range(1, 21)), 600, 10  # the thesis's curve has a point every ten matches
WEAK = (
    *(f"sampled-cfr:deals={deals}" for deals in (30, 100, 200, 1000, 10_000)),
    *(f"cfr:iterations={iterations}" for iterations in (1, 2, 5, 10, 100)),
)
_SOURCE = "the thesis's chapter of results; no counts"


@functools.cache
def runs_of(first: str, second: str, seeds: tuple[int, ...], games: int) -> np.ndarray:
    """Which matches the first of two agents (specs) won in independent learning runs: bool [seeds, games]."""
    game, played = make_game(_GAME), []
    fixed = make_agent(second, game)  # solved once
    for seed in seeds:
        other = make_agent(second, game) if fixed.series else fixed
        played.append(series(game, [first, second], games=games, seed=seed, agents=[make_agent(first, game), other]))
    return np.array([run.of(run.returns) > 0 for run in played])


def _learning(first: str, second: str, quick: bool) -> Finding:
    """The finding of independent learning runs of two agents, by their specs."""
    seeds, games = ((1, 2), 20) if quick else (_SEEDS, _GAMES)
    other = re.sub("(iterations|deals)=[0-9]+", r"\1=1", second) if quick else second
    wins = runs_of(first, other, seeds, games)
    rates = wins.mean(axis=1).tolist()
    last = wins[:, games // 2 :].mean()
    figures = {"in the second half": f"{100 * last:.1f} %"}
    return Finding(float(wins.mean()), wins.size, seeds, over_runs(rates), (min(rates), max(rates)), figures)


def _learning_row(section: str, title: str, first: str, second: str, published: str = "", source: str = "") -> Row:
    """Make a row of independent learning runs of two agents, by their specs."""
    seeds = ", ".join(map(str, _SEEDS))
    run = f"ludens arena {_GAME} {first} {second} --games {_GAMES} --seed S, S = {seeds}"
    return Row(
        section, title, run, partial(_learning, first, second), published, source, key=f"{section}: {first} {second}"
    )


def cfr_rows() -> list[Row]:
    """The rows of ``sarsa-profile`` against CFR players that have learned little, and remember the last bid only."""
    rows = []
    for spec in WEAK:
        title = f"sarsa-profile v {spec}"
        rows.append(_learning_row(CFR, title, "sarsa-profile", spec, "about 25 %", _SOURCE))
    return rows


def profile_rows() -> list[Row]:
    """The rows of each learner with and without the lie profile, against ``q``."""
    rows = []
    for name in ("q", "sarsa", "expected-sarsa", "double-q"):
        if name != "q":  # which would be even against itself
            rows.append(_learning_row(PROFILES, f"{name} without", name, "q"))
        rows.append(_learning_row(PROFILES, f"{name} with profile", f"{name}:profile=yes", "q"))
    return rows


def explore_rows() -> list[Row]:
    """The rows of learners that explore in another way than by roulette, against ``q``."""
    found = []
    for name in ("q", "sarsa-profile"):
        for how in ("epsilon", "softmax", "vdbe"):
            found.append(_learning_row(EXPLORE, f"{name}, {how}", f"{name}:explore={how}", "q"))
    return found


def _shares(played: Played) -> Finding:
    """The finding of how often the first entrant won."""
    return finding(played.share_of(0))


# Networks


def net_rows(names: tuple[str, ...]) -> list[Row]:
    """The rows of the shipped agents against agents of the study, and of their exact exploitability."""
    rows = []
    for name in names:
        for other in ("odds", "honest", "equilibrium"):
            meeting = Meeting(_GAME, (name, other), 4000)
            rows.append(meeting.row(NETS, (name, other), lambda meeting: _shares(meeting.play()), between=" v "))
    return rows + [
        Row(
            NET_GAPS,
            name,
            f"ludens exploit {_GAME} {name} --dice K,K, K = 1, 2, 3",
            partial(_gaps, name),
            key=f"exploit {name}",
        )
        for name in names
    ]


def _gaps(spec: str, quick: bool) -> Finding:
    """The finding of the exact exploitability of an agent's policy in rounds of one, two and three dice a side."""
    figures = {}
    for dice in (1,) if quick else (1, 2, 3):
        round_ = Round((dice, dice))
        gap = vector_cfr.measure(*table_of_agent(agent_for(spec, round_), round_))
        figures[f"{dice} v {dice}"] = f"{gap.exploitability:.4f}"
    return Finding(figures=figures)


# Safe exploitation

TRUSTS = {2: (0.0, 0.5, 0.75, 0.9, 1.0), 3: (0.5, 0.9, 1.0)}  # by the dice of each side
KNOWN = {2: ("honest",), 3: ("odds", "honest")}  # with two dice or less these two play alike
_STEPS = {1: 200, 2: 400, 3: 40}  # iterations of fictitious play


@functools.cache
def _fair(dice: int) -> tuple[np.ndarray, np.ndarray]:
    """Of a round with so many dice a side: the equilibrium's policy, and the opener's entries."""
    round_ = Round((dice, dice))
    return table_of_agent(make_agent("equilibrium", round_game(round_)), round_)[1], opener_entries(round_)


def safe_point(target: str, dice: int, trust: float) -> tuple[float, float]:
    """What a restricted Nash response gains on an agent beyond the equilibrium, and its exploitability; both exact.

    Per round of so many dice a side, the mean of both seats; 1 is a round won instead of drawn.
    """
    round_, (fair, mine) = Round((dice, dice)), _fair(dice)
    tree, model = table_of_agent(make_agent(target, round_game(round_)), round_)
    answer = restricted_response(tree, model, trust, _STEPS[dice], fair)
    gain = (sum(value_against(tree, mine, answer, model)) - sum(value_against(tree, mine, fair, model))) / 2
    return gain, vector_cfr.measure(tree, answer).exploitability


def safe_name(target: str, dice: int, trust: float) -> str:
    """The name of a row of restricted Nash responses."""
    return f"safe {target} {dice} {trust:g}"


def _safe(target: str, dice: int, trust: float, quick: bool) -> Finding:
    """The finding of one trust: gain and exploitability."""
    gain, gap = safe_point(target, 1 if quick else dice, trust)
    return Finding(figures={"gain": f"{gain:+.4f}", "exploitability": f"{gap:.4f}"})


def safe_rows() -> list[Row]:
    """The rows of restricted Nash responses to ``odds`` and ``honest``."""
    return [
        Row(
            SAFE,
            f"v {target}, {dice} v {dice} dice, trust {trust:g}",
            f"this study: best-response:to={target},trust={trust:g},iterations={_STEPS[dice]}, from the equilibrium",
            partial(_safe, target, dice, trust),
            key=safe_name(target, dice, trust),
        )
        for dice, trusts in TRUSTS.items()
        for target in KNOWN[dice]
        for trust in trusts
    ]
