"""Rows of the study of the pursuit game about networks: the thesis's (its figures 6.6 to 6.9), and what goes beyond.

Rates are those of the phantom. A network for one side plays the thesis's heuristic on the other. Those that are trained
for a row stand in the folder of runs, which ``ludens study pursuit --train`` fills; the others ship with the game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ludens.studies.meeting import SEED, Meeting
from ludens.studies.pursuit_match import THESIS, Options, cell, measure
from ludens.studies.pursuit_plots import HEURISTIC, LEARNED
from ludens.studies.study import Finding, Row
from ludens.studies.training import Training

BOARDS = ("plan1", "square1")
SIDES = ("phantom", "detectives")
NEAREST = "nearest:ties=random"
_GAMES, _SEARCH_GAMES, _PLAYOUT_GAMES, _JOINT_GAMES, _SIMS = 2000, 100, 200, 200, 100
_LEARNED = {"phantom": (6_000_000, 256), "detectives": (2_000_000, 1024)}  # placements for the figures, in a minibatch

NETS = {(board, side): f"Networks of the {side}, {board}" for board in BOARDS for side in SIDES}
EVERYBODY = {board: f"The network against everybody, {board}" for board in BOARDS}
LONDON = "Networks on London"
BAR = "The network and the heuristic"
PLAYED = {board: f"Networks that learned in games, {board}" for board in BOARDS}
PLAYOUTS, JOINT, PRESETS = "Networks in the playouts, plan1", "Joint moves", "Larger games"


@dataclass(frozen=True)
class _Built:
    """How a network of the figures is built."""

    encoding: str
    layers: int
    shape: str = "equal"

    @property
    def line(self) -> str:
        """The name of its line in the tables."""
        return self.encoding if self.shape == "equal" else f"{self.encoding}, {self.shape}"

    def training(self, board: str, side: str) -> Training:
        """The training run of this network for one side on a board."""
        steps, batch = _LEARNED[side]
        settings = {
            "seat": side,
            side: self.encoding,
            "layers": str(self.layers),
            "shape": self.shape,
            "steps": str(steps),
            "batch": str(batch),
            "exam_games": "2",
            "final_games": "2",
            "exam_every": str(steps),
            "keep": "last",
        }
        name = f"pursuit-{board}-{side}-{self.encoding}-{self.shape}-{self.layers}"
        return Training("pursuit", "placements", name, tuple(settings.items()), _options(board))


def _options(board: str) -> Options:
    """The options of the game by the thesis's readings."""
    return (("board", board), ("detectives", "3"), *THESIS)


def _built(side: str) -> list[_Built]:
    """The networks of the figures for one side: encodings by layers, and other widths for the largest."""
    best, more = ("short", []) if side == "phantom" else ("long", [_Built("role", layers) for layers in (3, 4)])
    found = [_Built(encoding, layers) for encoding in ("short", "long") for layers in (1, 2, 3, 4)] + more
    return found + [_Built(best, 4, shape) for shape in ("halved", "shrinking")]


def _roles(side: str, spec: str, other: str) -> tuple[str, str]:
    """The specs of two players with their roles, the phantom first; ``spec`` plays ``side``."""
    pair = (spec, other) if side == "phantom" else (other, spec)
    return f"phantom={pair[0]}", f"detectives={pair[1]}"


def _trained(training: Training, side: str, runs: Path, quick: bool) -> Finding:
    """The finding of how often the phantom won where a trained network played one side, with how long it learned."""
    meeting = _meeting(training, side, runs)
    found = measure(meeting.quick() if quick else meeting)
    made, seconds = training.work(runs, 1)
    figures = {LEARNED: f"{seconds:.0f} s", training.plan(1).make().unit: f"{made:,}"}
    return Finding(found.rate, found.games, found.seeds, found.interval, figures=figures)


def _meeting(training: Training, side: str, runs: Path) -> Meeting:
    """The games of a trained network against the heuristic."""
    options = dict(training.options)
    board, team = options.pop("board"), int(options.pop("detectives"))
    players = _roles(side, str(training.folder(runs, 1)), NEAREST)
    return cell(board, team, players, _GAMES, tuple(options.items()))


def _trained_row(section: str, grid: tuple[str, str], training: Training, side: str, runs: Path) -> Row:
    """The row of one training run."""
    command = f"{training.command(str(runs))}; {_meeting(training, side, runs).command}"
    source = "the thesis's figures give no numbers"
    measured = partial(_trained, training, side, runs)
    return Row(section, " v ".join(grid), command, measured, "", source, grid, runs=((training, 1),))


def figure_rows(runs: Path) -> list[Row]:
    """The rows of figures 6.6 to 6.9: networks of each side by encoding and layers, and the heuristic instead."""
    rows = []
    for board in BOARDS:
        for side in SIDES:
            section = NETS[board, side]
            heuristic = cell(board, 3, _roles(side, NEAREST, NEAREST), _GAMES, THESIS)
            for one in _built(side):
                grid = one.line, f"{one.layers} layer{'s' * (one.layers > 1)}"
                rows.append(_trained_row(section, grid, one.training(board, side), side, runs))
            rows.append(heuristic.row(section, (HEURISTIC, "4 layers"), measure, between=", "))
    return rows


# against the heuristic


def _less(meeting: Meeting, other: Meeting, sign: int, quick: bool) -> Finding:
    """By how much one player does better than another in its place, on the same deals, with a 95 % interval.

    ``sign``: 1 for phantoms, -1 for detectives. The figures are the rates of both.
    """
    played = [(one.quick() if quick else one).play() for one in (meeting, other)]
    rates = [one.share_of(0) for one in played]
    wins = [one.games.wins[:, 0].astype(float) for one in played]
    ahead = sign * (wins[0] - wins[1])
    reach = 1.96 * float(ahead.std(ddof=1)) / math.sqrt(len(ahead))
    mean = float(ahead.mean())
    shown = {name: f"{100 * rate.rate:.1f} %" for name, rate in zip(("network", "heuristic"), rates, strict=True)}
    return Finding(mean, len(ahead), (SEED,), (mean - reach, mean + reach), figures=shown)


def bar_rows() -> list[Row]:
    """The rows of the shipped networks against the heuristic, compared with the heuristic in their place."""
    rows = []
    for board in BOARDS:
        for side in SIDES:
            pair = [cell(board, 3, _roles(side, spec, NEAREST), _GAMES, THESIS) for spec in (f"nn-{board}", NEAREST)]
            how = f"{pair[0].command} less {pair[1].command}"
            measured = partial(_less, pair[0], pair[1], 1 if side == "phantom" else -1)
            title = f"{board}, {side}: the network less the heuristic"
            rows.append(Row(BAR, title, how, measured, "lower bound at least -3", "our bar"))
    return rows


def london_rows(runs: Path) -> list[Row]:
    """The rows of London: a network of half the width, since one as wide as the input would have megabytes."""
    settings = {
        "phantom": "role",
        "detectives": "role",
        "layers": "3",
        "shape": "halved",
        "unseen": "4",
        "steps": "2500000",
        "exam_games": "2",
        "final_games": "2",
        "exam_every": "2500000",
        "keep": "last",
    }
    options = (("board", "london"), ("detectives", "5"))
    training = Training("pursuit", "placements", "pursuit-london", tuple(settings.items()), options)
    heuristic = cell("london", 5, _roles("phantom", NEAREST, NEAREST), _GAMES)
    rows = [heuristic.row(LONDON, ("the phantom's wins", "the heuristic on both sides"), measure, between=", ")]
    for side in SIDES:
        rows.append(_trained_row(LONDON, ("the phantom's wins", f"network as {side}"), training, side, runs))
    return rows


def everybody_rows() -> list[Row]:
    """The rows of the shipped networks against everybody: the network's part of figures 6.10 and 6.11."""
    others = {
        "random": "random",
        "nearest": NEAREST,
        "mcts-thesis, random": "mcts-thesis:sims=5000",
        "mcts-thesis, heuristic": "mcts-thesis:playout=heuristic,sims=5000",
        "nn": "",
        "mcts, 1,000": "mcts:sims=1000",
    }
    return [
        cell(board, 3, _roles(side, net, spec or net), _SEARCH_GAMES if "mcts" in spec else _GAMES, THESIS).row(
            EVERYBODY[board], (f"the network as {side}", other), measure, between=" v "
        )
        for board in BOARDS
        for net in [f"nn-{board}"]
        for side in SIDES
        for other, spec in others.items()
    ]


# learning in games


def _played(board: str) -> dict[tuple[str, str, str], Training]:
    """The training runs in games on a board, by side, line and column of the table."""
    options, found = _options(board), {}
    alike = {"exam_games": "200", "final_games": "2", "keep": "last", "hidden": "128-128"}
    taught = {**alike, "teacher": NEAREST, "steps": "200000", "exam_every": "100000"}
    paid = {**alike, "opponent": NEAREST, "steps": "1500000", "exam_every": "500000"}
    paid |= {"lanes": "512", "groups": "2", "horizon": "16"}
    for side, base in (("phantom", "short"), ("detectives", "long")):
        for features in (base, f"{base}-seen", "default"):
            name, seen = f"pursuit-{board}-{side}-{features}", {"seat": side, "features": features}
            found[side, f"{side}, imitating", features] = Training(
                "pursuit", "imitate", f"{name}-imitate", tuple((seen | taught).items()), options
            )
            for reward in ("return", "steps"):
                settings = seen | paid | {"reward": reward}
                found[side, f"{side}, rewards: {reward}", features] = Training(
                    "pursuit", "ppo", f"{name}-{reward}", tuple(settings.items()), options
                )
    return found


def played_rows(runs: Path) -> list[Row]:
    """The rows of networks that learned in games: imitating the heuristic, and by rewards."""
    columns = {"short": "stops", "long": "stops", "default": "all features"}
    rows = []
    for board in BOARDS:
        for (side, line, features), training in _played(board).items():
            column = columns[features.removesuffix("-seen")] + ", last sighting" * features.endswith("-seen")
            rows.append(_trained_row(PLAYED[board], (line, column), training, side, runs))
    return rows


def network_rows(runs: Path) -> list[Row]:
    """All rows about networks that play without a search."""
    return [*bar_rows(), *everybody_rows(), *figure_rows(runs), *london_rows(runs), *played_rows(runs)]


# searches


def playout_rows() -> list[Row]:
    """The rows of the thesis's search with the network in its playouts."""
    net = "model=nn-plan1"
    ways = {
        "random": "",
        "heuristic": ",playout=heuristic",
        "network, both sides": f",{net}",
        "network for the phantom": f",{net},side=phantom",
        "network for the detectives": f",{net},side=detectives",
    }
    rows = []
    for side in SIDES:
        for way, settings in ways.items():
            players = _roles(side, f"mcts-thesis:sims={_SIMS}{settings}", NEAREST)
            meeting = cell("plan1", 3, players, _PLAYOUT_GAMES, THESIS)
            rows.append(meeting.row(PLAYOUTS, (f"{side} by search", way), measure, between=", "))
    return rows


def joint_rows() -> list[Row]:
    """The rows of detectives that move as a team by alpha-beta, with and without a penalty for standing close."""
    ways = {"each alone": NEAREST}
    ways |= {f"jointly, penalty {penalty}": f"joint:penalty={penalty},ties=random" for penalty in ("0", "0.1", "0.3")}
    return [
        cell(board, 3, _roles("detectives", spec, NEAREST), _JOINT_GAMES, THESIS).row(
            JOINT, (f"{board}, phantom nearest", way), measure, between=", "
        )
        for board in BOARDS
        for way, spec in ways.items()
    ]


def preset_rows() -> list[Row]:
    """The rows of the games that the thesis had in mind first or for later: 18 rounds, and 100 stops."""
    players = {"random": "random", "nearest": NEAREST}
    return [
        cell(board, team, _roles("phantom", players[one], spec), _GAMES).row(
            PRESETS, (f"{board}, phantom {one}", other), measure, between=" v "
        )
        for board, team in (("plan18", 3), ("half", 4))
        for one in players
        for other, spec in players.items()
    ]
