"""The options of the pursuit game, and the record of constants made from them and a board."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludens.core.error import BadOption
from ludens.core.file import shortened
from ludens.core.option import option
from ludens.games.pursuit import record
from ludens.games.pursuit.board_check import MAX_DETECTIVES, MAX_ROUNDS, Board, counted
from ludens.games.pursuit.board_file import board_names, find_board
from ludens.games.pursuit.distance import fill, most_tickets
from ludens.games.pursuit.record import BLACK, TWICE

_USUAL_DOUBLES = 2
AS_BOARD = ("board", "yes", "no")


@dataclasses.dataclass(frozen=True)
class PursuitOptions:
    """The options of the pursuit game; the default of most is what the board file says."""

    board: str = option("plan1", "the board: plan1, square1, london, plan18, half, or a board file", offers=board_names)
    detectives: int = option(0, "how many detectives, 0: as many as the board says", low=0, high=MAX_DETECTIVES)
    rounds: int = option(0, "rounds to stay free, 0: as many as the board says", low=0, high=MAX_ROUNDS)
    reveals: str = option("board", "phantom moves after which it is seen: 3+8+13, none, or as the board says")
    black: str = option("board", "whether the phantom has black tickets", choices=AS_BOARD)
    double: str = option("board", "whether the phantom has double tickets", choices=AS_BOARD)
    ferry: str = option("board", "whether there are links that only black tickets pay for", choices=AS_BOARD)
    start_mode: str = option("shared18", "one deck of start stops, or one for each side", choices=("shared18", "split"))
    phantom_may_enter_detective: bool = option(True, "whether the phantom may move onto a detective's stop (and lose)")
    stuck_phantom: str = option(
        "board", "what happens to a phantom that cannot move", choices=("board", "loses", "pass")
    )
    final_phantom_move: bool = option(False, "whether the phantom moves once more after the last round")
    prune: str = option(
        "immediate",
        "when the stops detectives move to are ruled out for the phantom: after each move, or at the end of the round",
        choices=("immediate", "round"),
    )
    belief: str = option(
        "stops",
        "how guesses at the phantom's stop are drawn: each possible stop alike, or by the number of paths to it",
        choices=("stops", "paths"),
    )
    aid: bool = option(True, "whether the board shows where the phantom may be")


def reveals_of(options: PursuitOptions, board: Board) -> list[int]:
    """The numbers of the phantom moves after which it is seen, ascending.

    From option ``reveals`` or from the board; BadOption if the option names moves the phantom cannot make.
    """
    most = (options.rounds or board.rounds) + _doubles(options, board) + options.final_phantom_move
    if options.reveals == "board":
        return [move for move in board.reveals if move <= most]
    if options.reveals == "none":
        return []
    moves = sorted({_move_number(move) for move in options.reveals.split("+")})
    if not 1 <= moves[0] <= moves[-1] <= most:
        raise BadOption(
            f"pursuit: reveals={shortened(options.reveals)} is not possible; give phantom moves from 1 to {most} as"
            " 3+8+13, or none"
        )
    return moves


def _move_number(move: str) -> int:
    """The number of a phantom move as typed; 0, which no move has, for any other text."""
    return int(move) if re.fullmatch(r" *[0-9]{1,3} *", move) else 0


def _doubles(options: PursuitOptions, board: Board) -> int:
    """The number of the phantom's double tickets: as the board says, or by option ``double`` none or at least some."""
    given = int(board.phantom_tickets.get("double", 0))
    return {"board": given, "yes": given or _USUAL_DOUBLES, "no": 0}[options.double]


def _blacks(options: PursuitOptions, board: Board, team: int) -> int:
    """The number of the phantom's black tickets: as the board says, or by option ``black`` none or at least some.

    Where ``black=yes`` and the board gives none, it is the number of detectives, ``team``.
    """
    given = board.phantom_tickets.get("black", 0)
    given = team if given == "detectives" else int(given)
    return {"board": given, "yes": given or team, "no": 0}[options.black]


def decks_of(options: PursuitOptions, board: Board, team: int) -> Sequence[Sequence[int]]:
    """The start stops of the phantom and those of the detectives; the same ones twice if both sides share them.

    Raises BadOption if they are too few for ``team`` detectives.
    """
    if options.start_mode == "split":
        if board.decks is None:
            raise BadOption(f"pursuit: start_mode=split is not possible on {board.name}: it has no decks of its own")
        if len(board.decks[1]) < team:
            has = f"{board.name} has {counted(len(board.decks[1]), 'start stop')} for detectives"
            raise BadOption(f"pursuit: detectives={team} is not possible: {has}")
        return board.decks
    if len(board.starts) < team + 1:
        has = f"{board.name} has {counted(len(board.starts), 'start stop')}"
        raise BadOption(f"pursuit: detectives={team} is not possible: {has}")
    return board.starts, board.starts


@functools.lru_cache(maxsize=8)
def constants_of(options: PursuitOptions) -> np.ndarray:
    """Build the record of constants for these options, an array of one.

    Cached, so that games with the same options share it.
    """
    board = find_board(options.board)
    team, constants = options.detectives or board.detectives, np.zeros(1, record.Constants)
    t, decks = constants[0], decks_of(options, board, team)
    constants["stops"], constants["words"] = board.stops, board.stops // 64 + 1
    constants["detectives"], constants["rounds"] = team, options.rounds or board.rounds
    constants["final"], constants["enter"] = options.final_phantom_move, options.phantom_may_enter_detective
    constants["reveals"] = sum(1 << move for move in reveals_of(options, board))
    constants["double"] = _doubles(options, board) > 0
    constants["all_stuck"] = board.stuck_detectives == "lose"
    constants["stuck_loses"] = _stuck_loses(options, board)
    constants["late"], constants["by_path"] = options.prune == "round", options.belief == "paths"
    constants["split"] = options.start_mode == "split"
    for deck, stops in enumerate(decks):
        t.deck[deck, : len(stops)], t.in_deck[deck] = stops, len(stops)
    _write_tickets(t, options, board, team)
    _write_links(t, board, _has_ferry(options, board))
    constants["most"] = most_tickets(board.stops, t.tickets[1])
    fill(constants)
    return constants


def _has_ferry(options: PursuitOptions, board: Board) -> bool:
    """Whether links that only black tickets pay for are in the game; BadOption if wanted on a board without any."""
    if options.ferry == "yes" and not board.black_only:
        raise BadOption(f"pursuit: ferry=yes is not possible: {board.name} has no links for black tickets alone")
    return options.ferry != "no"


def _stuck_loses(options: PursuitOptions, board: Board) -> bool:
    """Whether a phantom that cannot move loses (else it passes), by these options and the board."""
    if options.stuck_phantom == "board":
        return board.stuck_phantom == "loses" or not options.phantom_may_enter_detective
    return options.stuck_phantom == "loses"


def _write_tickets(t: Any, options: PursuitOptions, board: Board, team: int) -> None:
    """Write the tickets that each piece has at the start into the record of constants ``t``.

    ``team`` is the number of detectives.
    """
    for number, mode in enumerate(board.modes):
        t.tickets[0, number] = board.phantom_tickets.get(mode, 0)
        t.tickets[1 : team + 1, number] = board.detective_tickets.get(mode, 0)
    t.tickets[0, BLACK - 1] = _blacks(options, board, team)
    t.tickets[0, TWICE - 1] = _doubles(options, board)


def _write_links(t: Any, board: Board, has_ferry: bool) -> None:
    """Write the neighbours of each stop into the record of constants ``t``, by kind of move (1 to 3 a mode, 4 black).

    As ascending lists and as bit sets; for black tickets also by how many modes each neighbour can be reached.
    ``has_ferry``: with links that only black tickets pay for.
    """
    ways = np.zeros((record.STOPS, record.STOPS), np.int64)
    for mode, links in board.links.items():
        kind = board.modes.index(mode) + 1 if mode in board.modes else 0
        for a, b in sorted(links + tuple((b, a) for a, b in links)):
            if kind:
                _write_link(t, kind, a, b)
            ways[a, b] += bool(kind or has_ferry)
    for a, b in np.argwhere(ways):
        t.ways[a, t.degree[BLACK, a]] = ways[a, b]
        _write_link(t, BLACK, int(a), int(b))


def _write_link(t: Any, kind: int, a: int, b: int) -> None:
    """Add stop ``b`` to the neighbours of stop ``a`` by this kind of move, in the record of constants ``t``."""
    t.link[kind, a, t.degree[kind, a]] = b
    t.degree[kind, a] += 1
    t.near[kind, a, b // 64] |= np.uint64(1 << b % 64)
