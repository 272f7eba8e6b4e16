"""The study of Dicewars: the course's bots, the thesis's player (team xkuder04, SUI 2021), and ours.

Rates are shares of games won. *Evaluation mode* is the thesis's protocol: the player under test and three others from
the course's pool, drawn anew for each board, every board in all four rotations of the seats. The thesis dealt areas and
dice with one fixed seed (42) on all its boards; here every board has a deal of its own, unless a row says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from ludens.studies.dicewars_learned import HARDEST as AT_HARDEST
from ludens.studies.dicewars_learned import STRANGERS as V_THESIS
from ludens.studies.dicewars_learned import learned_rows
from ludens.studies.dicewars_match import Counted, meet, time_decisions
from ludens.studies.dicewars_plots import depth_curves, win_shares
from ludens.studies.meeting import Meeting
from ludens.studies.study import Finding, Report, Row, Study

POOL = ("stei-adt", "stei-at", "sdc-pre-at", "stei", "stei-dt")
HARDEST = ("stei-adt", "stei-at", "sdc-pre-at")
_SEED_42 = (("ownership_seed", "42"), ("strength_seed", "42"))
_GAMES, _TABLE_GAMES = 2000, 1600  # for a row; for each of the five tables of four bots, 8,000 in all
_LARGE = "conqueror:sims=2500,depth=3,choices=8"
_BAR = "our bar"
_ONE_PROCESS = "the course's program, 380 games"

REFERENCE, SEATS, LENGTH = "The course's bots", "Seats", "Length of games"
DEPTH, PRUNING, CLASSIFIERS = "Depth of the search", "Pruning", "Classifiers against each other"
PARTS = "What the thesis's player is made of"
CONQUEROR, TIMES = "Conqueror in evaluation mode and at the hardest table", "Time of a decision"
STRANGERS, ELSEWHERE = "Players it was not modelled on", "Other tables, other rules"

_meeting = partial(Meeting, "dicewars")
Measure = Callable[[Counted], Finding]


def evaluation(spec: str, games: int = _GAMES, options: tuple[tuple[str, str], ...] = ()) -> Meeting:
    """The meeting of a player in evaluation mode: ``games`` games against others drawn from the course's pool.

    ``spec`` is the player's agent spec, ``options`` are pairs (name, value) of the game's options.
    """
    return _meeting((spec,), games, POOL, options)


def _first(counted: Counted) -> Finding:
    """The finding of how often the first agent, the player under test, won."""
    return counted.finding(counted.played.names[0])


def _row(
    section: str,
    meeting: Meeting,
    at: str | tuple[str, str],
    measure: Measure = _first,
    published: str = "",
    source: str = "",
) -> Row:
    """Make a row of the study: what ``measure`` finds in the games of ``meeting``, beside the ``published`` figure.

    ``at`` is its title, or its line and column in a table that leaves further figures out.
    """

    def found(meeting: Meeting) -> Finding:
        """Play the meeting and measure it; the further figures are dropped in a table of lines and columns."""
        counted = measure(meet(meeting))
        return counted if isinstance(at, str) else replace(counted, figures={})

    return meeting.row(section, at, found, published, source)


def _named(name: str) -> Measure:
    """Make a measure: the finding of how often the agent of this name won."""
    return lambda counted: counted.finding(name)


def _seat(seat: int) -> Measure:
    """Make a measure: the finding of how often this seat (from 0) won."""
    return lambda counted: counted.seat(seat)


# the course's bots

_DEALS: Mapping[str, Meeting] = {
    "a deal for each board": _meeting(POOL, _TABLE_GAMES),
    "deals of seed 42": _meeting(POOL, _TABLE_GAMES, options=_SEED_42),
}
_FIXED = "deals of seed 42"


def _reference_rows() -> list[Row]:
    """The rows of all games of four of the five bots.

    Their published figures are the course's program's, in brackets those of 100 games through the course's server.
    """
    published = {"stei-adt": "47.0 ± 5.6 (48.8)", "stei-at": "43.3 ± 5.6 (47.4)", "sdc-pre-at": "20.8 ± 4.5 (12.5)"}
    published |= {"stei-dt": "6.2 ± 2.7 (10.5)", "stei": "7.9 ± 3.0 (7.5)"}
    source = f"{_ONE_PROCESS} (its server, 100)"
    return [
        _row(REFERENCE, meeting, (bot, deals), _named(bot), figure if deals == _FIXED else "", source)
        for bot, figure in published.items()
        for deals, meeting in _DEALS.items()
    ]


def _seat_rows() -> list[Row]:
    """The rows of how often each seat won in the games of the bots."""
    published = ("37", "24", "26", "14")
    return [
        _row(SEATS, meeting, (f"seat {seat + 1}", deals), _seat(seat), figure if deals == _FIXED else "", _ONE_PROCESS)
        for seat, figure in enumerate(published)
        for deals, meeting in _DEALS.items()
    ]


def _length(counted: Counted) -> Finding:
    """The finding of the share of games with a winner; how long these games were is added as figures."""
    won: np.ndarray = np.any(counted.played.games.wins, axis=1)
    battles, transfers, turns = (values[won] for values in (counted.battles, counted.transfers, counted.turns))
    figures = {
        "battles, mean": f"{battles.mean():.0f}",
        "median": f"{np.median(battles):.0f}",
        "most": f"{battles.max():,}",
        "transfers, mean": f"{transfers.mean():.0f}",
        "turns of single players, mean": f"{turns.mean():.0f}",
    }
    return Finding(float(won.mean()), len(won), figures=figures)


def _length_rows() -> list[Row]:
    """The rows of how long the bots' games were."""
    told = "battles 141, median 122, most 1,525; transfers 124; turns 50; all won"
    return [
        _row(LENGTH, meeting, f"games with a winner, {deals}", _length, told if deals == _FIXED else "", _ONE_PROCESS)
        for deals, meeting in _DEALS.items()
    ]


# the thesis's player


def _depth_rows() -> list[Row]:
    """The rows of the thesis's player with depth 1 to 10, each with two pruners.

    They are the exact rule and the neural network that the thesis submitted.
    """
    published = ["32.0", "37.0", "37.5", "34.0", "40.0", "41.5", "34.0", "39.5", "39.5", "33.5"]
    return [
        _row(
            DEPTH,
            evaluation(f"thesis:prune={prune},depth={depth}"),
            (f"prune={prune}", str(depth)),
            _first,
            figure if prune == "nn" else "",
            "thesis, 200 games",
        )
        for prune in ("threshold", "nn")
        for depth, figure in enumerate(published, 1)
    ]


def _pruning_rows() -> list[Row]:
    """The rows of the thesis's player with each pruner: its share of wins, and those of the bots against it."""
    filters = ("none", "threshold", "rf", "rf-std", "svm", "svm-std", "nn")
    published = {
        "thesis": {"none": "28.00", "rf": "38.50", "nn": "35.50"},
        "stei-adt": {"none": "45.16", "rf": "34.48", "nn": "39.50"},
        "stei-at": {"none": "37.93", "rf": "33.93", "nn": "41.04"},
        "sdc-pre-at": {"none": "26.61", "rf": "19.29", "nn": "17.62"},
        "stei": {"none": "5.00", "rf": "10.34", "nn": "4.58"},
        "stei-dt": {"none": "4.31", "rf": "5.17", "nn": "4.83"},
    }
    return [
        _row(
            PRUNING,
            evaluation(f"thesis:prune={prune}"),
            (player, prune),
            _first if player == "thesis" else _named(player),
            figures.get(prune, ""),
            "thesis, 200 games (nn 800)",
        )
        for player, figures in published.items()
        for prune in filters
    ]


def _classifier_rows() -> list[Row]:
    """The rows of four classifiers (pruners) against each other.

    Each is measured with every board in all rotations of the seats, and with the seats of the team's script.
    """
    published = {"rf": "44.8", "rf-std": "24.2", "svm": "17.5", "svm-std": "13.5"}
    specs = tuple(f"thesis:prune={model}" for model in published)
    fixed = tuple(f"{seat}={spec}" for seat, spec in enumerate(specs, 1))
    rotated, seated = _meeting(specs, _GAMES), _meeting(fixed, _GAMES)
    rows: list[Row] = []
    for (model, figure), spec, bound in zip(published.items(), specs, fixed, strict=True):
        rows.append(_row(CLASSIFIERS, rotated, (model, "seats rotated"), _named(spec)))
        column = (model, "seats in this order")
        rows.append(_row(CLASSIFIERS, seated, column, _named(bound), figure, "thesis, 400 games, seats as printed"))
    return rows


_EXACT, _OPEN = "prune=threshold", "prune=none,depth=1"
_CHANGES: Mapping[str, str] = {
    "as it is": "",
    "a pass move in the tree": "pass_move=yes",
    "no support": "support=no",
    "no retreat": "retreat=no",
    "no fallback": "fallback=no",
    "no support, no retreat": "support=no,retreat=no",
    "no support, retreat or fallback": "support=no,retreat=no,fallback=no",
    "pass move, no fallback": "pass_move=yes,fallback=no",
    "sure attacks counted as certain": "renormalise=yes",
    "weights of layers as in the text": "layers=text",
    "all transfers first": "strategy=first",
    "transfers 4 : 2": "strategy=split",
    "final support": "strategy=final",
}


def _part_rows() -> list[Row]:
    """The rows of the thesis's player with one thing changed, each with the exact pruner and (depth 1) without any."""
    measured = {("as it is", _EXACT): "38.5 ± 6.7", ("as it is", _OPEN): "26.9 ± 8.4"}
    return [
        _row(
            PARTS,
            evaluation(f"thesis:{prune}{change and ','}{change}"),
            (title, prune),
            _first,
            measured.get((title, prune), ""),
            "the team's program changed likewise, 108 and 200 games",
        )
        for title, change in _CHANGES.items()
        for prune in (_EXACT, _OPEN)
    ]


def _learned_row(section: str, spec: str, at: tuple[str, str]) -> Row:
    """Make a row of what was learned, against the players that its column says."""
    tables = {AT_HARDEST: (spec, *HARDEST), V_THESIS: (spec, *("thesis",) * 3)}
    return _row(section, _meeting(tables[at[1]], _GAMES) if at[1] in tables else evaluation(spec), at)


# ours


def _conqueror_rows() -> list[Row]:
    """The rows of our agent `conqueror` with three budgets, and of the best of the others beside it."""
    bars = {("conqueror:sims=0", 0): "at least 62", ("conqueror", 0): "at least 72", ("conqueror", 1): "at least 68"}
    bars[_LARGE, 0] = "at least 80"
    rows: list[Row] = []
    for spec, games, at_hardest in (
        ("conqueror:sims=0", _GAMES, 1000),
        ("conqueror", _GAMES, _GAMES),
        (_LARGE, 400, 0),
        ("thesis:prune=threshold", _GAMES, _GAMES),
    ):
        for column, meeting in enumerate((evaluation(spec, games), _meeting((spec, *HARDEST), at_hardest))):
            where = ("evaluation mode", "hardest table")[column]
            if meeting.games:
                rows.append(_row(CONQUEROR, meeting, (spec, where), _first, bars.get((spec, column), ""), _BAR))
    fixed = evaluation("conqueror", 400, _SEED_42)
    return [*rows, _row(CONQUEROR, fixed, ("conqueror, deals of seed 42", "evaluation mode"))]


def _times(meeting: Meeting, bar: str, quick: bool) -> Finding:
    """The finding of the mean, 99th percentile and longest time of the first agent's decisions, in milliseconds.

    ``bar`` is what they must meet, as text to be shown beside them; ``quick`` plays few games.
    """
    ms = time_decisions(meeting.quick() if quick else meeting)
    shown = {"mean ms": ms.mean(), "p99": np.percentile(ms, 99), "longest": ms.max()}
    figures = {name: f"{value:.3g}" for name, value in shown.items()}
    return Finding(figures={"decisions": f"{len(ms):,}", **figures, _BAR: bar})


def _time_rows() -> list[Row]:
    """The rows of how long agents take for a decision."""
    bars = {"conqueror:sims=0": "mean below 2", "conqueror": "mean below 5, none above 100", _LARGE: "mean below 50"}
    return [
        Row(
            TIMES,
            spec,
            f"this study: one thread, asked one by one in the games of {meeting.command}",
            partial(_times, meeting, bars.get(spec, "")),
        )
        for spec in ("stei-adt", "thesis", "thesis:prune=none", "conqueror:sims=0", "conqueror", _LARGE)
        for meeting in (evaluation(spec, 12),)
    ]


def _stranger_rows() -> list[Row]:
    """The rows of `conqueror` against players unlike stei-adt, which it takes its rivals for.

    The last has `conqueror` take them for another bot.
    """
    both, alone = ("conqueror", "conqueror:sims=0"), ("conqueror",)
    tables = (
        (both, ("thesis",) * 3),
        (both, ("thesis", "sdc", "xlogin42")),
        (both, ("wpm-d", "wpm-s", "wpm-c")),
        (alone, ("conqueror:sims=0",) * 3),
        (alone, ("conqueror",) * 3),
        (("conqueror:model=sdc-pre-at",), HARDEST),
    )
    return [
        _row(
            STRANGERS,
            _meeting((spec, *others), 80 if "conqueror" in others[0] else 160),
            f"{spec} v {_together(others)}",
        )
        for specs, others in tables
        for spec in specs
    ]


def _together(specs: Sequence[str]) -> str:
    """Agent specs as text for a title: '3 x thesis' if they are all the same, else a list with commas."""
    return f"{len(specs)} x {specs[0]}" if len(set(specs)) == 1 else ", ".join(specs)


def _elsewhere_rows() -> list[Row]:
    """The rows of `conqueror` with other numbers of players and by other rules.

    Two and eight players, a fair deal, open reserves, and the older rules without transfers.
    """
    plain = ("stei", "ste", "sdc", "xlogin42", "wpm-c")
    everybody = (*POOL, "sdc", "xlogin42")
    meetings = {
        "2 players, v stei-adt": _meeting(("conqueror", "stei-adt"), 160, options=(("players", "2"),)),
        "2 players, v thesis": _meeting(("conqueror", "thesis"), 160, options=(("players", "2"),)),
        "8 players, v the pool, sdc and xlogin42": _meeting(
            ("conqueror", *everybody), 160, options=(("players", "8"),)
        ),
        "fair deal": evaluation("conqueror", 160, (("fair", "yes"),)),
        "open reserves": evaluation("conqueror", 160, (("reserves", "public"),)),
        "sui2020": _meeting(("conqueror",), 160, plain, (("rules", "sui2020"),)),
        "classic": _meeting(("conqueror",), 160, plain, (("rules", "classic"),)),
    }
    return [_row(ELSEWHERE, meeting, title) for title, meeting in meetings.items()]


def _draw(report: Report, folder: Path) -> list[Path]:
    """Draw the study's pictures into ``folder``: rates by depth, and shares of wins; returns the files."""
    bots, filters, ours = map(report.study.lines, (REFERENCE, PRUNING, CONQUEROR))
    shown = {bot: bots[bot]["a deal for each board"] for bot in POOL}
    shown |= {f"thesis, prune={prune}": filters["thesis"][prune] for prune in ("none", "threshold", "rf", "nn")}
    shown |= {spec: ours[spec]["evaluation mode"] for spec in ("conqueror:sims=0", "conqueror", _LARGE)}
    return [
        depth_curves(report, DEPTH, folder / "dicewars-depth.png"),
        win_shares(report, shown, folder / "dicewars-shares.png"),
    ]


STUDY = Study(
    game="dicewars",
    title="Dicewars: the course's bots, the thesis's player and ours",
    notes=(
        "Rates are shares of games won, with 95 % intervals bootstrapped over boards: a board with its rotations is the"
        " unit. A quarter would be even among four players.",
        f"Evaluation mode: the player under test and three of {', '.join(POOL)}, drawn anew for each board, which is"
        f" played in all four rotations. Hardest table: {', '.join(HARDEST)}.",
        "Every board has its own deal of areas and dice. The thesis dealt both by seed 42 on all its boards; `deals of"
        " seed 42` does so too (-o ownership_seed=42 -o strength_seed=42).",
        "Published figures are the thesis's, or come from the course's program run in one process; what stands after ±"
        " is the half-width of a 95 % interval that takes games for independent.",
    ),
    rows=(
        *_reference_rows(),
        *_seat_rows(),
        *_length_rows(),
        *_depth_rows(),
        *_pruning_rows(),
        *_classifier_rows(),
        *_part_rows(),
        *learned_rows(_learned_row),
        *_conqueror_rows(),
        *_time_rows(),
        *_stranger_rows(),
        *_elsewhere_rows(),
    ),
    plots=_draw,
)
