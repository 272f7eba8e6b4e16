"""The study of the pursuit game: R. Husa's thesis (Brno, 2022) played again, and measurements beyond it.

Rates are those of the phantom. Where the thesis's figures stand beside ours, its own readings of the rules are used:
stops are ruled out at the end of a round, the phantom moves once more at the end, a detective chooses its target first.
Ties are broken at random there: with the thesis's hash, the number of different games would be that of the placements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from ludens.core.registry import make_agent, make_game
from ludens.games.pursuit.board_file import find_board
from ludens.games.pursuit.perfect import perfect_bound
from ludens.studies import pursuit_nets as nets
from ludens.studies.meeting import SEED, Meeting
from ludens.studies.pursuit_match import THESIS, cell, measure
from ludens.studies.pursuit_plots import curves, heat_maps, networks, shares, timed
from ludens.studies.study import RUNS, Finding, Report, Row, Study

BOARDS = ("plan1", "square1")
_THESIS = "thesis, 100 games"
_CHECK = "reference, 1,500 games"
_WANTED = "our bar"
_RANDOM, _NEAREST, _SEARCH, _SCRIPTED = (
    "random",
    "nearest:ties=random",
    "mcts-thesis:sims=5000",
    "mcts-thesis:playout=heuristic,sims=5000",
)
_STRONG = "mcts:sims=1000"

RANDOM_RANDOM = "Table 6.1: random against random"
CHASE, FLIGHT = "Table 6.2: a random phantom", "Table 6.3: random detectives"
VARIANTS = {board: f"Variants of the heuristic, {board}" for board in BOARDS}
CONSTANT = {board: f"Influence of C, {board}" for board in BOARDS}
BUDGET = "Influence of the budget"
ALL = {board: f"All against all, {board}" for board in BOARDS}
TEAMS = {(board, team): f"{team} detectives, {board}" for board in BOARDS for team in (2, 3, 4)}
LEANS = {board: f"Where to expect it, {board}" for board in BOARDS}
LONDON, LADDER, PERFECT = "London, 5 detectives", "Four times the thought", "Perfect information"


def _row(section: str, meeting: Meeting, grid: tuple[str, str], published: str = "", source: str = "") -> Row:
    """Make a row of the study that is a cell of a table; ``grid`` is its line and column.

    It measures how often the first player of ``meeting`` won.
    """
    return meeting.row(section, grid, measure, published, source, between=" v ")


def _roles(phantom: str, detectives: str) -> tuple[str, str]:
    """The agent specs of two players with their roles before them: ('phantom=...', 'detectives=...')."""
    return f"phantom={phantom}", f"detectives={detectives}"


# the thesis's tables


def _random_rows() -> list[Row]:
    """The rows of random play, by the number of detectives.

    Their published figures are the thesis's, in brackets those of a reference run (8,000 games).
    """
    published = {"plan1": ("68 (62.5)", "36 (37.1)", "21 (22.0)", "6 (11.7)")}
    published["square1"] = ("66 (65.8)", "41 (41.6)", "24 (26.4)", "12 (16.4)")
    source = "thesis, 100 games (reference, 8,000)"
    return [
        _row(
            RANDOM_RANDOM,
            cell(board, team, _roles(_RANDOM, _RANDOM), 8000, THESIS),
            (board, f"{team} detective{'s' * (team > 1)}"),
            published[board][team - 1],
            source,
        )
        for board in BOARDS
        for team in (1, 2, 3, 4)
    ]


def _games_of(phantom: str, detectives: str) -> int:
    """The number of games of two players (by their specs): fewer with a search, fewer still with two."""
    return {0: 2000, 1: 200, 2: 100}[sum("mcts" in spec for spec in (phantom, detectives))]


def _thesis_cell(board: str, phantom: str, detectives: str) -> Meeting:
    """The meeting of two players (by their specs) with three detectives, by the thesis's readings of the rules."""
    return cell(board, 3, _roles(phantom, detectives), _games_of(phantom, detectives), THESIS)


def _against_random_rows() -> list[Row]:
    """The rows of tables 6.2 and 6.3, with the shipped network of the board as the thesis's."""
    kinds = {"heuristic": _NEAREST, "mcts": _SEARCH, "mctshe": _SCRIPTED}
    chased = {"plan1": ("2", "7", "3", "5"), "square1": ("0", "14", "23", "2")}
    fled = {"plan1": ("97", "65", "77", "98"), "square1": ("96", "86", "95", "96")}
    rows: list[Row] = []
    for section, figures in ((CHASE, chased), (FLIGHT, fled)):
        for board in BOARDS:
            players = kinds | {"nn": f"nn-{board}"}
            for (kind, spec), figure in zip(players.items(), figures[board], strict=True):
                pair = (_RANDOM, spec) if section == CHASE else (spec, _RANDOM)
                rows.append(_row(section, _thesis_cell(board, *pair), (board, kind), figure, _THESIS))
    return rows


def _variant_rows() -> list[Row]:
    """The rows of the variants of the heuristic against each other.

    (Figures 6.1 and 6.2 of the thesis, which give no numbers.)
    """
    chasers = ("random", "nearest", "farthest", "conditional")
    reference = {
        ("plan1", "random"): "21 0 0 0",
        ("plan1", "nearest"): "98 27 27 27",
        ("plan1", "sum"): "84 18 18 19",
        ("plan1", "weighted"): "94 27 24 23",
        ("square1", "random"): "28 0 0 0",
        ("square1", "nearest"): "99 40 47 45",
        ("square1", "sum"): "85 19 30 32",
        ("square1", "weighted"): "96 34 40 38",
    }
    return [
        _row(
            VARIANTS[board],
            cell(board, 3, _roles(_tied(phantom), _tied(chaser)), 4000, THESIS),
            (phantom, chaser),
            figure,
            _CHECK,
        )
        for (board, phantom), figures in reference.items()
        for chaser, figure in zip(chasers, figures.split(), strict=True)
    ]


def _tied(name: str) -> str:
    """The agent spec of a heuristic player, by its name, that breaks ties at random."""
    return name if name == _RANDOM else f"{name}:ties=random"


def _all_rows() -> list[Row]:
    """The rows of figures 6.10 and 6.11, with our search beside the thesis's players."""
    players = {
        "random": _RANDOM,
        "nearest": _NEAREST,
        "mcts-thesis, random": _SEARCH,
        "mcts-thesis, heuristic": _SCRIPTED,
        "mcts, 1,000": _STRONG,
    }
    return [
        _row(ALL[board], _thesis_cell(board, phantom, detectives), (f"phantom {one}", other))
        for board in BOARDS
        for one, phantom in players.items()
        for other, detectives in players.items()
    ]


# the thesis's curves

_PLACED = {"plan1": (15, 1, 5, 22), "square1": (15, 2, 23, 34)}  # the phantom, then the detectives
_CONSTANTS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 3.2)
_SEARCHES = 50


def _shares(board: str, c: float, quick: bool) -> Finding:
    """The finding of the share of visits of the most visited move when the same position is searched many times.

    The mean over the searches; its figures are the mean shares of each move. ``c`` is the search's constant, ``quick``
    makes few searches.
    """
    game = make_game("pursuit", board=board, detectives=3, **dict(THESIS))
    agent = make_agent(f"mcts-thesis:sims={100 if quick else 1000},c={c:g}", game)
    shares: list[dict[int, float]] = []
    for number in range(2 if quick else _SEARCHES):
        view = game.start(seed=SEED + number, fields={"stop": list(_PLACED[board])}).view()
        rows = agent.search(view.array)  # type: ignore[attr-defined]
        shares.append(dict(zip(rows[:, 0].astype(int).tolist(), rows[:, 1] / rows[:, 1].sum(), strict=True)))
    means = {move: float(np.mean([share.get(move, 0.0) for share in shares])) for move in sorted(set().union(*shares))}
    figures = {game.rules.action_text(move): f"{100 * mean:.1f} %" for move, mean in means.items()}
    return Finding(float(np.mean([max(share.values()) for share in shares])), figures=figures)


def _constant_rows() -> list[Row]:
    """The rows of the influence of the search's constant C on the shares of visits (figures 6.3 and 6.4)."""
    return [
        Row(
            CONSTANT[board],
            f"C = {c:g}",
            f"this study: {_SEARCHES} searches by mcts-thesis:sims=1000,c={c:g}, phantom on {_PLACED[board][0]},"
            f" detectives on {', '.join(map(str, _PLACED[board][1:]))}, seeds from {SEED}",
            partial(_shares, board, c),
            source="figures 6.3 and 6.4 of the thesis, which give no numbers",
            key=f"{CONSTANT[board]} / {c:g}",
        )
        for board in BOARDS
        for c in _CONSTANTS
    ]


BUDGETS = {
    10: 1000,
    30: 1000,
    100: 1000,
    300: 1000,
    1000: 400,
    3000: 400,
    10_000: 200,
    30_000: 100,
}  # iterations: games


def _budget_rows() -> list[Row]:
    """The rows of the influence of the iterations on the thesis's search against random play, on plan1 (figure 6.5)."""
    return [
        _row(
            BUDGET,
            cell("plan1", 3, _roles(*((spec, _RANDOM) if side == "phantom" else (_RANDOM, spec))), games, THESIS),
            (f"{side} by search", f"{sims:,}"),
        )
        for side in ("phantom", "detectives")
        for sims, games in BUDGETS.items()
        for spec in [f"mcts-thesis:sims={sims}"]
    ]


# beyond the thesis


def _team_rows() -> list[Row]:
    """The rows of two, three and four detectives with equal iterations, by our rules (not the thesis's readings)."""
    players = {"nearest": _NEAREST, "mcts-thesis": "mcts-thesis:sims=1000", "mcts": _STRONG}
    wanted = {
        ("plan1", 3, "nearest", "mcts"): "at most 3",
        ("square1", 3, "nearest", "mcts"): "at most 5",
        ("plan1", 2, "nearest", "mcts"): "at most 12",
        ("square1", 2, "nearest", "mcts"): "at most 28",
        ("plan1", 3, "mcts", "nearest"): "at least 48",
        ("square1", 3, "mcts", "nearest"): "at least 62",
        ("plan1", 2, "mcts", "nearest"): "at least 88",
        ("square1", 2, "mcts", "nearest"): "at least 92",
    }
    return [
        _row(
            TEAMS[board, team],
            cell(board, team, _roles(phantom, detectives), _team_games(one, other)),
            (f"phantom {one}", other),
            wanted.get((board, team, one, other), ""),
            _WANTED,
        )
        for team in (2, 3, 4)
        for board in BOARDS
        for one, phantom in players.items()
        for other, detectives in players.items()
    ]


def _team_games(phantom: str, detectives: str) -> int:
    """The number of games of two players, by their names in the rows; the bars are set for 400."""
    if phantom == detectives == "nearest":
        return 2000
    return 200 if "mcts-thesis" in (phantom, detectives) else 400


def _lean_rows() -> list[Row]:
    """The rows of detectives that expect the phantom at some of its possible stops more than at others.

    (The parameter ``lean`` of `mcts`.)
    """
    phantoms = {"random": _RANDOM, "nearest": _NEAREST, "weighted": "weighted:ties=random", "mcts": _STRONG}
    return [
        _row(
            LEANS[board],
            cell(board, 2, _roles(spec, f"{_STRONG},lean={lean}"), 400),
            (f"phantom {phantom}", f"lean={lean}"),
        )
        for board in BOARDS
        for phantom, spec in phantoms.items()
        for lean in ("none", "random", "places", "nearest", "both")
    ]


def _london_rows() -> list[Row]:
    """The rows of the whole board of London, black and double tickets included."""
    players = {"nearest": _NEAREST, "mcts-thesis": "mcts-thesis:sims=2000", "mcts": "mcts:sims=2000"}
    return [
        _row(
            LONDON,
            cell("london", 5, _roles(players[one], players[other]), _london_games(one, other)),
            (f"phantom {one}", other),
            "at most 8" if (one, other) == ("nearest", "mcts") else "",
            _WANTED,
        )
        for one in players
        for other in players
    ]


def _london_games(phantom: str, detectives: str) -> int:
    """The number of games of two players, by their names in the rows: fewer with two slow searches."""
    if phantom == detectives == "nearest":
        return 2000
    return 200 if "nearest" in (phantom, detectives) else 40


def _ladder_rows() -> list[Row]:
    """The rows of a search against itself with a quarter of its iterations; roles are swapped on every deal."""
    return [
        _row(
            LADDER,
            cell(board, 2, (f"mcts:sims={4 * sims}", f"mcts:sims={sims}"), 800),
            (f"{board}, 2 detectives", f"{4 * sims:,} v {sims:,}"),
            "at least 55",
            _WANTED,
        )
        for board in BOARDS
        for sims in (250, 1000)
    ]


def _bound(board: str, team: int, tickets: bool, quick: bool) -> Finding:
    """The finding of the share of starts from which detectives that see the phantom win; the rounds needed as figures.

    ``team`` is the number of detectives; with ``tickets`` they have those of the board, else unlimited ones. ``quick``
    looks only two rounds ahead.
    """
    found = perfect_bound(find_board(board), team, rounds=2 if quick else 0, tickets=tickets)
    by_round = " / ".join(map(str, found.won))
    figures = {"all starts within": f"{found.rounds} rounds" if found.rounds else "never", "won by round": by_round}
    return Finding(found.won[-1] / found.starts, found.starts, figures=figures)


def _perfect_rows() -> list[Row]:
    """The rows of detectives that always see the phantom, whose wins are computed exactly."""
    return [
        Row(
            PERFECT,
            f"{board}, {team} detective{'s' * (team > 1)}{', with their tickets' * tickets}: starts won",
            f"ludens pursuit perfect --board {board} --detectives {team}{' --tickets' * tickets}",
            partial(_bound, board, team, tickets),
            key=f"{PERFECT} / {board} {team}{' tickets' * tickets}",
        )
        for tickets, teams in ((False, (1, 2, 3, 4)), (True, (2, 3)))
        for board in BOARDS
        for team in teams
    ]


# pictures


def _draw(report: Report, folder: Path) -> list[Path]:
    """Draw the study's pictures into ``folder`` (the thesis's figures, and the influence of the team).

    Returns the files.
    """
    wanted = [draw for sections, draw in _pictures(report, folder) if _is_measured(report, sections)]
    return [draw() for draw in wanted]


def _is_measured(report: Report, sections: Iterable[str]) -> bool:
    """Whether something was measured in each of these sections."""
    return all(any(found != Finding() for found in report.of(report.study.of(section))) for section in sections)


def _pictures(report: Report, folder: Path) -> list[tuple[Iterable[str], Callable[[], Path]]]:
    """The pictures of the study: the sections that each needs, and the function that draws it."""
    visits = "Root visits of the thesis's search, 1,000 iterations"
    every = {f"{board}, {side}": section for (board, side), section in nets.NETS.items()}
    figures = {name: section for name, section in every.items() if _is_measured(report, [section])}
    learned, took = folder / "pursuit-networks.png", folder / "pursuit-networks-time.png"
    variants, everybody, teams = (folder / f"pursuit-{name}.png" for name in ("variants", "all", "detectives"))
    flat, constant = "Variants of the heuristic: phantom wins, %", folder / "pursuit-constant.png"
    return [
        (VARIANTS.values(), partial(heat_maps, report, VARIANTS, flat, variants)),
        (CONSTANT.values(), partial(shares, report, CONSTANT, visits, constant)),
        ([BUDGET], partial(_draw_budget, report, folder / "pursuit-budget.png")),
        (ALL.values(), partial(heat_maps, report, ALL, "All against all: phantom wins, %", everybody)),
        (TEAMS.values(), partial(_draw_teams, report, teams)),
        (
            figures.values() or every.values(),
            partial(networks, report, figures, "Networks against the heuristic", learned),
        ),
        (
            figures.values() or every.values(),
            partial(networks, report, figures, "Networks: time to learn", took, time=True),
        ),
    ]


def _draw_budget(report: Report, file: Path) -> Path:
    """Draw the influence of the budget to ``file``; returns the file."""
    budget = {line: list(cells.values()) for line, cells in STUDY.lines(BUDGET).items()}
    thought = {"plan1, 3 detectives, one side random": budget}
    marks = timed(report, next(iter(budget.values())))
    return curves(report, thought, marks, "Iterations and time of a decision", file)


def _draw_teams(report: Report, file: Path) -> Path:
    """Draw the influence of the number of detectives to ``file``; returns the file."""
    counts = [f"{team} detectives" for team in (2, 3, 4)]
    return curves(report, {board: _by_team(board) for board in BOARDS}, counts, "Phantom v detectives", file)


def _by_team(board: str) -> dict[str, list[Row]]:
    """The rows of some pairings on a board, by name; each list has them for 2, 3 and 4 detectives."""
    pairs = (("nearest", "nearest"), ("mcts", "nearest"), ("nearest", "mcts"), ("mcts", "mcts"))
    teams = [STUDY.lines(TEAMS[board, team]) for team in (2, 3, 4)]
    return {f"{one} v {other}": [team[f"phantom {one}"][other] for team in teams] for one, other in pairs}


_PLAYED = (
    *_random_rows(),
    *_against_random_rows(),
    *_variant_rows(),
    *_constant_rows(),
    *_budget_rows(),
    *_all_rows(),
    *_team_rows(),
    *_lean_rows(),
    *_london_rows(),
    *_ladder_rows(),
    *_perfect_rows(),
)
_SEARCHED = (*nets.playout_rows(), *nets.joint_rows(), *nets.preset_rows())

STUDY = Study(
    game="pursuit",
    title="The pursuit game: the thesis's players, played again, and beyond",
    notes=(
        "Rates are those of the phantom in percent, with 95 % intervals; in the last table but one those of the side"
        " that thinks longer.",
        "Where the thesis's figures stand beside ours: prune=round, final_phantom_move=yes, target first, 3 detectives."
        " The other tables are played with the default options. `nearest` breaks ties at random, except where a command"
        " says otherwise.",
        "mcts-thesis with random playouts is the thesis's mcts, with playout=heuristic its mctshe; 5,000 iterations a"
        " decision was what the thesis aimed at in 5 s. In the phantom's own tree our mcts takes the detectives for"
        " players who go for the nearest stop at which it may be.",
        "Influence of C: the share of root visits that fell on the most visited move, and (counted) on each move, both"
        " means over searches.",
        "nn is the thesis's neural network as it ships for the board; those of figures 6.6 to 6.9 are trained for the"
        " study (--train), and play the heuristic on the other side.",
    ),
    rows=(
        *_PLAYED,
        *nets.network_rows(RUNS),
        *_SEARCHED,
    ),
    plots=_draw,
)


def study_of(runs: Path) -> Study:
    """The study, with the networks that it trains in the folder ``runs``."""
    rows = (
        *_PLAYED,
        *nets.network_rows(runs),
        *_SEARCHED,
    )
    return replace(STUDY, rows=rows, runs=runs)
