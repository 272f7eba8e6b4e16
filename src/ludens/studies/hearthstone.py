"""The study of Hearthstone: the decks and scripted players of a thesis (Ohman, 2016), and our search against them.

Rates are shares of games won; a game in which both heroes fall is won by nobody. Table 6.1 was measured on a simulator
that departs from the real rules in some points; ``compat=fireplace2016`` follows it. The rows about our search are
played by the real rules.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ludens.studies.hearthstone_match import COMPAT, Counted, count_differences, meet, pair
from ludens.studies.hearthstone_plots import cells_beside, curves, search_bars, two_heat_maps
from ludens.studies.hearthstone_q import Q_CURVES, TABLE_91, q_rows
from ludens.studies.hearthstone_thesis import (
    DECKS,
    PLAYERS,
    REFERENCE,
    SCRIPTS,
    THESIS_GAMES,
    TRY_OUT,
    in_reference,
    published,
)
from ludens.studies.meeting import SEED, Meeting, finding
from ludens.studies.study import Finding, Report, Row, Study

RANDOM, TABLE, BARS = "Random-action decks", "Table 6.1", "Scripted players against the thesis"
LARGEST, READINGS, SEATS = "Largest differences from table 6.1", "Readings and rules", "The first turn"
STYLES = "Scripted players for any deck"
SEARCH, BUDGETS, LEAKS = "Search against the scripted players", "Search against search", "Hidden cards dealt anew"

_GAMES = 20_000  # for a pair of scripted players
_STYLED = 2000  # of a scripted player for any deck
_LONG, _SHORT = 600, 200  # games of a search with 5,000 iterations a decision, and with fewer
_FEW, _MANY = 500, 5000
_RANKED = 8
_THESIS, _BARS_SET = "thesis, 1,000 games", "our bar (the thesis's best learner)"
_ROUNDING = 1 / 12  # the variance of rounding to whole percents
_MOST_POINTS, _MOST_ERRORS, _MOST_FROM_TRY_OUT = 4.0, 3.0, 1.5

Measure = Callable[[Counted], Finding]


def _run(meeting: Meeting, measure: Measure, quick: bool) -> Finding:
    """Play a meeting (with ``quick`` only a handful of games) and return what ``measure`` finds in it."""
    return measure(meet(meeting.quick() if quick else meeting))


def _first_wins(counted: Counted) -> Finding:
    """The finding of how often the first player won."""
    return finding(counted.share())


def _second_wins(counted: Counted) -> Finding:
    """The finding of how often the second player won."""
    return finding(counted.share(1))


def _wins_and_times(counted: Counted) -> Finding:
    """The finding of how often the first player won, with time of a decision and length of games as figures."""
    return finding(counted.share(), counted.times() | counted.lengths())


def _starter_wins(counted: Counted) -> Finding:
    """The finding of how often the player with the first turn won.

    The length of games and the time of a decision are added as figures.
    """
    return finding(counted.starters(), counted.lengths() | counted.times())


def _row(
    section: str, at: str | tuple[str, str], meeting: Meeting, measure: Measure, told: str = "", source: str = ""
) -> Row:
    """Make a row of the study: what ``measure`` finds in the games of ``meeting``.

    ``at`` is its title, or its line and column in a table; ``told`` is the published figure.
    """
    return meeting.row(section, at, lambda meeting: measure(meet(meeting)), told, source)


def _scripted(first: str, second: str, options: tuple[tuple[str, str], ...] = COMPAT, reading: str = "") -> Meeting:
    """The meeting of two of the thesis's players, by their names in its table.

    ``options`` are those of the game; ``reading`` sets the players' parameter ``as`` ("code" or "text"; '' leaves it).
    """
    specs = {**PLAYERS, "Average": "average"}
    one, two = (_reading(specs[name], reading) for name in (first, second))
    return pair(one, two, _GAMES, options)


def _reading(spec: str, reading: str) -> str:
    """The agent spec with the parameter ``as`` set to a reading ("code" or "text"); unchanged for ''."""
    return f"{spec}{',' if ':' in spec else ':'}as={reading}" if reading else spec


# table 6.1

_NAMES = [*PLAYERS, "Average"]


def _is_turned(first: str, second: str) -> bool:
    """Whether the second of two players stands before the first in the thesis's table."""
    return _NAMES.index(first) > _NAMES.index(second)


def _meeting_of(first: str, second: str) -> Meeting:
    """The meeting of two players of the thesis's table, in the table's order: every pair is played only once."""
    return _scripted(second, first) if _is_turned(first, second) else _scripted(first, second)


def _share(first: str, second: str, quick: bool) -> Finding:
    """The finding of how often the first of two players of the thesis's table won; ``quick`` plays few games."""
    return _run(_meeting_of(first, second), _second_wins if _is_turned(first, second) else _first_wins, quick)


def _points(found: Finding, told: float) -> float:
    """By how many percentage points our rate is above the published one, ``told`` (in percent)."""
    return 100 * (found.rate or 0) - told


def _errors(found: Finding, told: float) -> float:
    """How far our rate is above the published one, ``told`` (in percent), in standard errors.

    The standard error is that of the difference of both runs: the thesis's share comes from 1,000 games and is rounded
    to whole percents.
    """
    share = found.rate or 0
    chance = 100**2 * share * (1 - share) * (1 / THESIS_GAMES + 1 / max(found.games, 1))
    return _points(found, told) / math.sqrt(chance + _ROUNDING)


def _yes(fact: bool) -> str:
    """A fact as text for a table: 'yes' or 'no'."""
    return "yes" if fact else "no"


def _deck_pair(first: str, second: str, quick: bool) -> Finding:
    """The finding of two decks in the hands of `random-action`: how often the first won.

    Its figures compare that with the thesis, with an earlier engine of ours ("try-out") and with the game's real rules.
    """
    names, tried = (f"A {first}", f"A {second}"), TRY_OUT[first, second]
    found, real = _run(_scripted(*names), _first_wins, quick), _run(_scripted(*names, ()), _first_wins, quick)
    told, is_near = published(*names), abs(_points(found, tried)) <= _MOST_FROM_TRY_OUT
    figures = {"try-out": f"{tried:.1f}", "within 1.5 points": _yes(is_near)}
    if told is not None:
        errors = _errors(found, told)
        figures |= {"thesis": str(told), "standard errors": f"{errors:+.1f}"}
        figures["within three"] = _yes(abs(errors) <= _MOST_ERRORS)
    figures["by the real rules"] = f"{100 * (real.rate or 0):.1f}"
    return replace(found, figures=figures)


def _random_rows() -> list[Row]:
    """The rows of decks played by `random-action`: only rules and decks matter there, so they test the engine best."""
    rows: list[Row] = []
    for first, second in TRY_OUT:
        told = published(f"A {first}", f"A {second}")
        run, title = _scripted(f"A {first}", f"A {second}").command, f"{first} - {second}"
        measure = partial(_deck_pair, first, second)
        rows.append(Row(RANDOM, title, run, measure, str(told or ""), _THESIS if told else ""))
    return rows


def _table_rows() -> list[Row]:
    """The rows of table 6.1: each player against each, itself included, and one figure of another thesis's player."""
    met = [*itertools.product(PLAYERS, repeat=2), ("A Liège", "Average"), ("Average", "A Liège")]
    met.sort(key=lambda pair: (_NAMES.index(pair[0]), _NAMES.index(pair[1])))
    return [
        Row(
            TABLE,
            f"{first}, {second}",
            _meeting_of(first, second).command,
            partial(_share, first, second),
            "" if first == second else str(published(first, second)),
            _THESIS,
            (first, second),
        )
        for first, second in met
    ]


def _against_bars(first: str, second: str, quick: bool) -> Finding:
    """The finding of how often ``first``, a scripted player, won, with figures that compare it with the bars.

    These say whether it is close enough to the thesis, or inside the interval of the reference run.
    """
    found, told, inside = _share(first, second, quick), published(first, second) or 0, in_reference(first, second)
    points = _points(found, told)
    figures = {"thesis": str(told), "points": f"{points:+.1f}"}
    is_held = abs(points) <= _MOST_POINTS
    if inside is not None:
        percent, games = REFERENCE[first, second]
        figures["reference run"] = f"{percent} of {games}"
        figures["its 99 % interval"] = f"{inside[0]:.1f}-{inside[1]:.1f}"
        is_held = is_held or inside[0] <= 100 * (found.rate or 0) <= inside[1]
    figures["within 4 points or that interval"] = _yes(is_held)
    return replace(found, figures=figures)


def _script_pairs() -> list[tuple[str, str]]:
    """All pairs of players that include a scripted one, which is named first."""
    others = [(script, other) for script in SCRIPTS for other in PLAYERS if other not in SCRIPTS]
    return [*itertools.combinations(SCRIPTS, 2), *others]


def _bar_rows() -> list[Row]:
    """The rows of the scripted players against all others, each compared with the thesis."""
    return [
        Row(
            BARS,
            f"{first} v {second}",
            _meeting_of(first, second).command,
            partial(_against_bars, first, second),
            str(published(first, second)),
            _THESIS,
        )
        for first, second in _script_pairs()
    ]


def _differences(quick: bool) -> list[tuple[str, str, Finding, float]]:
    """Every pair of table 6.1 once, as (first, second, our finding, points above the thesis).

    Sorted, the largest difference first.
    """
    found = [(one, two, _share(one, two, quick), published(one, two) or 0) for one, two in _every_pair()]
    return sorted(
        ((one, two, share, _points(share, told)) for one, two, share, told in found), key=lambda row: -abs(row[3])
    )


def _every_pair() -> list[tuple[str, str]]:
    """Every pair of players that the thesis's table has a figure for, once."""
    return [*itertools.combinations(PLAYERS, 2), ("Average", "A Liège")]


def _ranked(rank: int, quick: bool) -> Finding:
    """The finding of the pair at place ``rank`` (from 0) among the largest differences from the thesis."""
    one, two, share, points = _differences(quick)[rank]
    told = published(one, two) or 0
    figures = {"pair": f"{one} - {two}", "thesis": str(told), "points": f"{points:+.1f}"}
    figures["standard errors"] = f"{_errors(share, told):+.1f}"
    return replace(share, figures=figures)


def _agreement(quick: bool) -> Finding:
    """The finding of how well the whole table agrees with the thesis.

    Its figures are the number of pairs that are close enough, and the mean difference.
    """
    rows = _differences(quick)
    near = sum(abs(points) <= _MOST_POINTS for *_, points in rows)
    sure = sum(abs(_errors(share, published(one, two) or 0)) <= _MOST_ERRORS for one, two, share, _ in rows)
    mean = sum(abs(points) for *_, points in rows) / len(rows)
    figures = {"pair": f"{len(rows)} pairs", "points": f"{mean:.1f} on average, {near} within 4"}
    return Finding(figures=figures | {"standard errors": f"{sure} within three"})


def _largest_rows() -> list[Row]:
    """The rows of the pairs that differ most from the thesis, and one that sums up all pairs."""
    run = f"this study: the pairs of {TABLE}, each once"
    ranks = [Row(LARGEST, f"{rank + 1}", run, partial(_ranked, rank)) for rank in range(_RANKED)]
    return [*ranks, Row(LARGEST, "all", run, _agreement)]


# readings, rules, and who begins


def _reading_rows() -> list[Row]:
    """The rows of scripted players by either reading and by either rules.

    A reading is how their programs play or how the thesis's text describes them; the rules are the simulator's or the
    real ones.
    """
    ways = {
        "code, fireplace2016": ("", COMPAT),
        "text, fireplace2016": ("text", COMPAT),
        "code, real rules": ("", ()),
        "text, real rules": ("text", ()),
    }
    return [
        _row(READINGS, (f"{one} v {two}", way), _scripted(one, two, options, reading), _first_wins)
        for one, two in _script_pairs()
        if not two.startswith("R ")
        for way, (reading, options) in ways.items()
    ]


def _seat_rows() -> list[Row]:
    """The rows of what the first turn is worth: players against themselves, and scripted ones against each other."""
    mirrors = [(name, name) for name in (*PLAYERS, "Average")]
    met = [*mirrors, *itertools.combinations(SCRIPTS, 2)]
    return [_row(SEATS, f"{one} v {two}", _scripted(one, two, ()), _starter_wins) for one, two in met]


def _style_rows() -> list[Row]:
    """The rows of the scripted player for any deck, in both styles and with every deck, against those of the thesis."""
    specs = [f"scripted:style={style},deck={deck}" for style in ("face", "control") for deck in DECKS.values()]
    rivals = (*SCRIPTS.values(), "greedy:deck=face")
    return [
        _row(STYLES, (spec, f"v {rival}"), pair(spec, rival, _STYLED), _first_wins)
        for spec in specs
        for rival in rivals
    ]


# our search


def _search(deck: str, sims: int) -> str:
    """The agent spec of our search with a deck and a number of iterations."""
    return f"mcts:sims={sims},deck={deck}"


def _search_rows() -> list[Row]:
    """The rows of our search against the scripted players: every deck with few iterations; Face also with many.

    Face is played with hidden deck lists too.
    """
    face, most, hidden = _search("face", _FEW), _search("face", _MANY), (("decklists", "hidden"),)
    lines = [(most, _LONG), *((_search(deck, _FEW), _SHORT) for deck in DECKS.values())]
    bars = {
        (most, "face-hunter"): "at least 88 (26)",
        (most, "secret-paladin"): "at least 84 (42)",
        (most, "malygos-mage"): "at least 95 (82)",
        (face, "face-hunter"): "at least 85",
        (face, "secret-paladin"): "at least 80",
    }
    known = [
        _row(
            SEARCH,
            (spec, f"v {rival}"),
            pair(spec, rival, games),
            _wins_and_times,
            bars.get((spec, rival), ""),
            _BARS_SET,
        )
        for spec, games in lines
        for rival in SCRIPTS.values()
    ]
    unknown = [
        _row(SEARCH, (f"{face}, hidden deck lists", f"v {rival}"), pair(face, rival, _SHORT, hidden), _wins_and_times)
        for rival in SCRIPTS.values()
    ]
    return [*known, *unknown]


def _budget_rows() -> list[Row]:
    """The rows of the search against itself: what the first turn and what four times the iterations are worth."""
    few, more = _search("face", _FEW), _search("face", 4 * _FEW)
    rows = [
        _row(BUDGETS, f"{spec} v itself: whoever begins", pair(spec, spec, _SHORT), _starter_wins)
        for spec in (few, _search("secret", _FEW))
    ]
    return [*rows, _row(BUDGETS, f"{more} v {few}", pair(more, few, _SHORT), _wins_and_times)]


def _leaks(rival: str, quick: bool) -> Finding:
    """The finding of how often the search changes when the rival's hidden cards are dealt anew: it must be never.

    ``rival`` is the agent spec of the other player; the counts are figures.
    """
    meeting = pair(_search("face", _FEW), rival, _SHORT)
    found = count_differences(meeting.quick() if quick else meeting, 10 if quick else 200, 3)
    figures = {"decisions": f"{found.decisions}", "deals of each": f"{found.deals}"}
    changed = {"views that differ": found.views, "moves": found.moves, "trees": found.trees}
    return Finding(seeds=(SEED,), figures=figures | {name: str(count) for name, count in changed.items()})


def _leak_rows() -> list[Row]:
    """The rows that show that the search does not know hidden cards, one for each scripted player."""
    run = f"this study: 200 decisions of {_search('face', _FEW)} in games of seed {SEED}, three other deals for each"
    return [Row(LEAKS, f"v {rival}", run, partial(_leaks, rival)) for rival in SCRIPTS.values()]


def _draw(report: Report, folder: Path) -> list[Path]:
    """Draw the study's pictures into ``folder``, those of sections that were measured; returns the files."""
    pictures: list[tuple[Sequence[str], Callable[[Path], Path]]] = [
        ([TABLE], lambda folder: two_heat_maps(report, TABLE, list(PLAYERS), folder / "hearthstone-table.png")),
        ([SEARCH], lambda folder: search_bars(report, SEARCH, folder / "hearthstone-search.png")),
        ([TABLE_91], lambda folder: cells_beside(report, TABLE_91, folder / "hearthstone-q.png")),
        (Q_CURVES, lambda folder: curves(report, Q_CURVES, folder / "hearthstone-q-curves.png")),
    ]
    return [draw(folder) for sections, draw in pictures if not set(sections) & set(report.left_out)]


STUDY = Study(
    game="hearthstone",
    title="Hearthstone: the thesis's decks and scripted players, and our search",
    notes=(
        "Rates are shares of games won by the player named first (of lines over columns), with 95 % intervals"
        " bootstrapped over deals: a deal is played twice, with the seats swapped. A game in which both heroes fall is"
        " won by nobody.",
        "R is `random`, A `random-action`, with the deck that is named; the scripted players bring their own. They play"
        " as the published programs did (`as=code`) unless a row says otherwise.",
        "Table 6.1, the random-action decks and the comparison with the thesis are played with `compat=fireplace2016`,"
        " the first turn and the search by the real rules.",
        "The thesis gives whole percents of 1,000 games and no intervals. Standard errors are those of the difference"
        " of both runs, rounding included. The reference run is the thesis's programs on a present-day Fireplace with"
        " the cards of 2016; the try-out is an earlier engine of ours, 100,000 games a pair.",
        "The Q agents play by `compat=fireplace2016` with the deck Face. Their rates are means over training runs, with"
        " Student's 95 % interval over runs. A cell of table 9.1 is 20 runs: 5,000 games against the opponent of the"
        " column, then 500 games, in which they go on learning, that count; in table 9.2 both learn. 'Inside': the"
        " thesis's figure lies in the 95 % range of our runs, widened by its own noise; 'together': the variances of"
        " both are added instead.",
        "Milliseconds are by the clock, of decisions that left a choice, while as many games ran side by side as the"
        " machine has cores.",
    ),
    rows=(
        *_random_rows(),
        *_table_rows(),
        *_bar_rows(),
        *_largest_rows(),
        *_reading_rows(),
        *_seat_rows(),
        *_style_rows(),
        *q_rows(),
        *_search_rows(),
        *_budget_rows(),
        *_leak_rows(),
    ),
    plots=_draw,
)
