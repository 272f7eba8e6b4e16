"""The study of Liar's Dice: the learning agents of M. Lohn's thesis (Brno, 2024), played again.

The thesis's own results are only recalculated from its counts. Its pairings are played again as independent learning
runs, one for each seed, each starting from empty tables: the rate is over all their games, the interval is that of the
mean of the runs, and the range is from the lowest to the highest run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ludens.arena.series import Series, series
from ludens.arena.statistics import wilson
from ludens.core.registry import make_game
from ludens.games.liars_dice.rules import BID, KINDS, LIAR
from ludens.studies.liars_dice_learners import (
    cfr_rows,
    explore_rows,
    net_rows,
    profile_rows,
    safe_rows,
)
from ludens.studies.liars_dice_match import exploit_rows, league_rows, leaning_rows, value_rows
from ludens.studies.liars_dice_plots import draw
from ludens.studies.liars_dice_tables import table_rows
from ludens.studies.study import Finding, Row, Study, over_runs

_GAME = "liars-dice"
_DICE = 5
_SEEDS, _GAMES, _BLOCK = (1, 2, 3, 4), 2000, 100
_QUICK_SEEDS, _QUICK_GAMES, _QUICK_BLOCK = (1, 2), 20, 10
_COUNTS, _AGAIN, _OTHERS = "The thesis's own counts", "The thesis's pairings, played again", "Other opponents"
_PLAIN, _PROFILE = "52.6 %", "68.1 %"  # pooled over its runs
_SOURCE = "the thesis's chapter of results"
_TRAINED = ("q-table", "imitation", "imitation:play=sample", "ppo", "ppo:play=sample")  # that ship with the game


@dataclass(frozen=True)
class Counts:
    """What the thesis counted in a run: matches won and rounds lost by the first player and by the other."""

    title: str
    won: int
    rounds_lost: int
    other_won: int
    other_rounds_lost: int

    @property
    def matches(self) -> int:
        """The number of matches: those won by either player."""
        return self.won + self.other_won


_RUNS = {
    "sarsa-q-1": Counts("sarsa v q, run 1", 4, 43, 7, 34),
    "sarsa-q-2": Counts("sarsa v q, run 2", 46, 290, 38, 317),
    "sarsa-q-pooled": Counts("sarsa v q, both runs pooled", 50, 333, 45, 351),
    "profile-q-1": Counts("sarsa-profile v q, run 1", 1610, 6461, 700, 9824),
    "profile-q-2": Counts("sarsa-profile v q, run 2", 1447, 6282, 751, 9127),
    "profile-q-3": Counts("sarsa-profile v q, run 3 (the headline)", 697, 2624, 311, 4245),
    "profile-q-pooled": Counts("sarsa-profile v q, three runs pooled", 3754, 15367, 1762, 23196),
}


def _dice_left(won: int, rounds_lost: int, other_won: int) -> str:
    """One player's mean number of dice left in the matches it won, as text; '-' if it won none.

    In each match that the other won it lost all its dice.
    """
    return f"{_DICE - (rounds_lost - _DICE * other_won) / won:.2f}" if won else "-"


def _figures(counts: Counts) -> dict[str, str]:
    """The counts as figures of a finding: rounds lost by each side, and dice left to each when it wins."""
    return {
        "rounds lost by first": f"{counts.rounds_lost:,}",
        "by second": f"{counts.other_rounds_lost:,}",
        "dice left to first when it wins": _dice_left(counts.won, counts.rounds_lost, counts.other_won),
        "to second": _dice_left(counts.other_won, counts.other_rounds_lost, counts.won),
    }


def _work_out(counts: Counts, quick: bool) -> Finding:
    """The finding of the thesis's rate, recalculated from its counts, with an interval that the thesis does not give.

    Nothing is played, so ``quick`` changes nothing.
    """
    rate = counts.won / counts.matches
    return Finding(rate, counts.matches, interval=wilson(rate, counts.matches), figures=_figures(counts))


def _thesis_rows() -> list[Row]:
    """The rows of the thesis's own counts."""
    return [
        Row(
            _COUNTS,
            counts.title,
            "worked out from the counts; Wilson's interval",
            partial(_work_out, counts),
            f"{counts.won:,} of {counts.matches:,}",
            _SOURCE,
            key=f"thesis-{name}",
        )
        for name, counts in _RUNS.items()
    ]


def _play_again(first: str, second: str, quick: bool) -> Finding:
    """The finding of independent learning runs of two agents (by their specs), played as ``ludens arena`` would.

    ``quick`` plays fewer and shorter runs.
    """
    game = make_game(_GAME)
    seeds, games = (_QUICK_SEEDS, _QUICK_GAMES) if quick else (_SEEDS, _GAMES)
    runs = [series(game, [first, second], games=games, seed=seed, kinds=len(KINDS)) for seed in seeds]
    wins = np.array([run.of(run.returns) > 0 for run in runs])
    rates = wins.mean(axis=1).tolist()
    return Finding(
        float(wins.mean()),
        wins.size,
        seeds,
        over_runs(rates),
        (min(rates), max(rates)),
        _counted(runs, wins),
        wins.reshape(len(seeds), -1, _QUICK_BLOCK if quick else _BLOCK).mean(axis=(0, 2)).tolist(),
    )


def _counted(runs: Sequence[Series], wins: np.ndarray) -> dict[str, str]:
    """Further figures of two agents' runs: rounds, dice left, bids and calls, and a test of the counts.

    ``wins`` [runs, matches] tells which matches the first won. The test: in how many matches the rounds add up to the
    dice lost.
    """
    left, other_left = (np.concatenate([run.of(run.scores, agent) for run in runs]) for agent in (0, 1))
    bids, calls = (np.concatenate([run.told[..., kind] for run in runs]).sum() for kind in (BID, LIAR))
    own_bids, own_calls = (sum(run.of(run.told[..., kind]).sum() for run in runs) for kind in (BID, LIAR))
    rounds = np.concatenate([run.told[..., LIAR].sum(axis=1) for run in runs])  # each ends with a call
    opens = np.array([run.seat_of(0) == run.first for run in runs])
    won = int(wins.sum())
    counts = Counts("", won, int((_DICE - left).sum()), wins.size - won, int((_DICE - other_left).sum()))
    return {
        **_figures(counts),
        "first wins when it opens": f"{100 * wins[opens].mean():.1f} %",
        "bids a round": f"{bids / calls:.2f}",
        "first calls": f"{100 * own_calls / (own_calls + own_bids):.1f} % of its turns",
        "rounds = 10 - dice left": f"{(rounds == 2 * _DICE - left - other_left).sum():,} of {len(rounds):,}",
    }


def _again(section: str, title: str, first: str, second: str, published: str = "", source: str = "") -> Row:
    """Make a row that plays independent learning runs of two agents, given by their specs.

    ``published`` is the figure to be shown beside ours, ``source`` where it stands.
    """
    seeds = ", ".join(map(str, _SEEDS))
    run = f"ludens arena {_GAME} {first} {second} --games {_GAMES} --seed S, S = {seeds}"
    measure = partial(_play_again, first, second)
    return Row(section, title, run, measure, published, source, key=f"{first} {second}")


def _spec(name: str, setting: str) -> str:
    """The agent spec of ``name`` with a parameter, such as 'alpha=0.4'; without one if it is ''."""
    return f"{name}:{setting}" if setting else name


def _pairing(first: str, published: str, first_set: str = "", second_set: str = "") -> Row:
    """Make a row of one of the thesis's learners, ``first``, against ``q``.

    ``first_set`` and ``second_set`` are parameters for either agent, as in its spec; ``published`` is the thesis's
    figure.
    """
    one, other = _spec(first, first_set), _spec("q", second_set)
    which = f", {'both' if second_set else 'first'} {first_set.replace(',', ', ')}" if first_set else ""
    return _again(_AGAIN, f"{first} v q{which}", one, other, published, _SOURCE)


def _pairing_rows() -> list[Row]:
    """The rows of the thesis's pairings, first as the thesis has them, then with other readings of it."""
    plain, profile = partial(_pairing, "sarsa", _PLAIN), partial(_pairing, "sarsa-profile", _PROFILE)
    last, literal, old, end = "learn_last_round=yes", "update=literal", "remembered=yes", "terminal=yes"
    return [
        plain(),
        plain(last, last),
        profile(),
        profile(last, last),
        profile("qmax=legal"),
        profile("reset=text"),
        profile(literal, literal),
        profile(literal),
        profile(old, old),
        profile(end, end),
        profile(f"{end},{last}", f"{end},{last}"),
        profile(end),
    ]


def _opponent_rows() -> list[Row]:
    """The rows of ``sarsa-profile`` against agents that the thesis did not play."""
    return [
        _again(_OTHERS, f"sarsa-profile v {other}", "sarsa-profile", other)
        for other in ("random", "odds", "honest", "tabular")
    ]


_NOTES = (
    "Rates are those of the first player. Ours are independent learning runs of 2,000 matches, each from empty "
    "tables; the interval is of the mean of the runs. Of the thesis's runs the pooled rate is given.",
    "The printed parts of the thesis do not fix its game loop: ours is reported beside it and not tuned to it.",
    "The thesis also gives about 25 % for sarsa-profile against its CFR player, without counts. Ours remembers the "
    "last bid only and has made the iterations that its row names.",
    "terminal: the last action of a round learns from its result alone. learn_last_round: the round that decides a "
    "match is learned too, at the first turn of the next one. qmax, reset, update, remembered: other readings of "
    "the thesis, see `ludens agents liars-dice`.",
)


def study_of(runs: Path) -> Study:
    """The study, of the training runs in the folder ``runs``."""
    return Study(
        game=_GAME,
        title="Liar's Dice: the thesis's learners, played again",
        notes=_NOTES,
        rows=(
            *_thesis_rows(),
            *_pairing_rows(),
            *_opponent_rows(),
            *league_rows(),
            *exploit_rows(),
            *leaning_rows(),
            *value_rows(),
            *cfr_rows(),
            *profile_rows(),
            *explore_rows(),
            *table_rows(runs),
            *net_rows(_TRAINED),
            *safe_rows(),
        ),
        plots=draw,
        runs=runs,
    )
