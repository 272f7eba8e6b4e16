"""What detectives who always see the phantom could achieve: an exact bound, computed backwards over rounds.

For every placement of the detectives there is a set of *lost* stops: those from which a phantom to move is caught
within so many rounds, whatever it does. The sets for one round more follow from them. First the detectives move, the
last one first: the sets of all moves of a detective are united. Then the phantom moves: it is lost where every link
leads to a lost stop or onto a detective.

The phantom's tickets are taken as unlimited, double moves are left out. The detectives' are unlimited too, or those of
the board; lines in which a detective with tickets of its own cannot move are then not counted as won, so that they may
be a little better than this says. Detectives move in order and never share a stop: placements are ordered.

Cost: 8 bytes for every placement and every number of tickets spent, twice; seconds for four detectives on 36 stops.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludens.core.error import BadOption
from ludens.core.kernel import int64, kernel
from ludens.games.pursuit.board_check import Board, counted
from ludens.games.pursuit.record import MODES

_MOST_STOPS = 64  # bits of a word
_MOST_ENTRIES = 1 << 24  # of an array [fares, placements]
_ONE, _ZERO = np.uint64(1), np.uint64(0)


class BoardInFull(NamedTuple):
    """A board as arrays for this computation. Stops count from 0.

    A *fare* is an index of what one detective has spent on modes other than the first. Placements and fares of all
    detectives are numbered as one number each, the first detective the highest digit.
    """

    near: np.ndarray  # [stops] of bit sets: where the phantom can go
    link: np.ndarray  # [modes, stops, links] where a detective can go, -1: no more
    held: np.ndarray  # [placements] of bit sets: where the detectives stand, 0: two of them on one stop
    after: np.ndarray  # [fares, modes]: the fare after a ride, -1: no ticket left
    spent: np.ndarray  # [fares]: tickets of all modes but the first
    first: int  # tickets of the first mode
    team: int  # detectives


@kernel
def _ride(full: BoardInFull, piece: int, round_: int, later: Any, out: Any) -> None:
    """Go back over one detective's move: for each placement before it, unite the lost stops of all its moves.

    ``later`` and ``out`` [fares, placements] are sets of lost phantom stops, as bits, after and before the move of
    detective ``piece`` (from 0) in round ``round_``.
    """
    stops, fares = len(full.near), len(full.spent)
    step, price = stops ** (full.team - 1 - piece), fares ** (full.team - 1 - piece)
    for fare in range(out.shape[0]):
        own = fare // price % fares
        for place in range(out.shape[1]):
            out[fare, place] = _ZERO
            if full.held[place] == _ZERO:
                continue
            at = place // step % stops
            lost, moved = _ZERO, False
            for mode in range(full.link.shape[0]):
                left = int64(full.after[own, mode])
                if left < 0 or (mode == 0 and round_ - full.spent[own] >= full.first):
                    continue
                for i in range(full.link.shape[2]):
                    to = int64(full.link[mode, at, i])
                    if to < 0:
                        break
                    bit = _ONE << np.uint64(to)
                    if full.held[place] & bit:
                        continue
                    lost |= later[fare + (left - own) * price, place + (to - at) * step] | bit
                    moved = True
            if not moved and fares == 1:
                lost = later[fare, place]
            out[fare, place] = lost


@kernel
def _flee(full: BoardInFull, later: Any, out: Any) -> None:
    """Go back over the phantom's move: it is lost where all links lead to a lost stop or onto a detective.

    ``later`` and ``out`` [fares, placements] are sets of lost phantom stops, as bits, after and before the move.
    """
    for fare in range(out.shape[0]):
        for place in range(out.shape[1]):
            held = full.held[place]
            lost, bad = _ZERO, later[fare, place] | held
            for stop in range(len(full.near) if held else 0):
                bit = _ONE << np.uint64(stop)
                if held & bit == _ZERO and full.near[stop] & ~bad == _ZERO:
                    lost |= bit
            out[fare, place] = lost


@dataclass(frozen=True)
class Bound:
    """From how many of ``starts`` start placements detectives who see the phantom win within 1, 2, ... rounds."""

    starts: int
    won: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """The number of rounds within which every start is won; 0 if some never are."""
        return len(self.won) if self.won[-1] == self.starts else 0


def perfect_bound(board: Board, detectives: int, rounds: int = 0, *, tickets: bool = False) -> Bound:
    """Count the start placements from which detectives who see the phantom win within 1, 2, ... rounds.

    Placements are ordered. Counted until all are won or ``rounds`` (0: the board's) are over. With ``tickets``
    detectives have the board's tickets, else unlimited ones. Raises BadOption if the board or its number of placements
    does not allow it.
    """
    if len(board.starts) < detectives + 1:
        few = counted(len(board.starts), "start stop")
        raise BadOption(f"{board.id} has {few}: too few for {counted(detectives, 'detective')}")
    full = _board_in_full(board, detectives, tickets)
    starts, won = list(itertools.permutations(board.starts, detectives + 1)), []
    for lost in _horizons(full, rounds or board.rounds, tickets):
        won.append(sum(_is_lost(full, lost, start) for start in starts))
        if won[-1] == len(starts):
            break
    return Bound(len(starts), tuple(won))


def _horizons(full: BoardInFull, rounds: int, tickets: bool) -> Iterator[np.ndarray]:
    """Yield for 1, 2, ... rounds the lost stops of each placement before any ticket is spent, as bits [placements]."""
    lost = np.zeros((len(full.spent) ** full.team, len(full.held)), np.uint64)
    for horizon in range(1, rounds + 1):
        if tickets:  # what is left of the first mode depends on the round: begin anew at the last round
            lost[:] = 0
        for round_ in range(horizon - 1 if tickets else 0, -1, -1):
            lost = _one_round_more(full, lost, round_)
        yield lost[0]


def _one_round_more(full: BoardInFull, lost: np.ndarray, round_: int) -> np.ndarray:
    """The sets of lost stops for a phantom to move, from those one round later.

    ``lost`` [fares, placements] is overwritten; ``round_`` (from 0) is the round gone back over.
    """
    spare = np.empty_like(lost)
    for piece in range(full.team - 1, -1, -1):
        _ride(full, piece, round_, lost, spare)
        lost, spare = spare, lost
    _flee(full, lost, spare)
    return spare


def _is_lost(full: BoardInFull, lost: np.ndarray, start: Sequence[int]) -> bool:
    """Whether the phantom is lost from a start: its stop, then those of the detectives, all counted from 1.

    ``lost`` [placements] are the lost stops, as bits.
    """
    place = 0
    for stop in start[1:]:
        place = place * len(full.near) + stop - 1
    return bool(int(lost[place]) >> (start[0] - 1) & 1)


def _board_in_full(board: Board, team: int, tickets: bool) -> BoardInFull:
    """The board as arrays for ``team`` detectives, with its own tickets or with unlimited ones.

    BadOption if it is too large.
    """
    after, spent, first = _fares(board) if tickets else (np.zeros((1, MODES), np.int64), np.zeros(1, np.int64), 1)
    if board.stops > _MOST_STOPS or (board.stops * len(spent)) ** team > _MOST_ENTRIES:
        fewer = " and leave their tickets out" if tickets else f" and a board of at most {_MOST_STOPS} stops"
        raise BadOption(f"too many placements of {team} detectives on {board.id} to work out: name fewer{fewer}")
    near = np.zeros(board.stops, np.uint64)
    links: list[list[list[int]]] = [[[] for _ in near] for _ in board.modes]
    for mode, pairs in board.links.items():
        for a, b in (*pairs, *((b, a) for a, b in pairs)):
            near[a - 1] |= np.uint64(1 << b - 1)
            if mode in board.modes:
                links[board.modes.index(mode)][a - 1].append(b - 1)
    return BoardInFull(near, _filled_up(links), _held(board.stops, team), after, spent, first, team)


def _filled_up(links: Sequence[Sequence[Sequence[int]]]) -> np.ndarray:
    """Lists of neighbours by mode and stop as one array [modes, stops, links], short lists filled up with -1."""
    most = max(len(row) for mode in links for row in mode)
    return np.array([[[*row, *[-1] * (most + 1 - len(row))] for row in mode] for mode in links], np.int64)


def _held(stops: int, team: int) -> np.ndarray:
    """The stops of every ordered placement as a bit set, [placements]; 0 where two detectives share a stop."""
    held = np.zeros(1, np.uint64)
    bits = np.uint64(1) << np.arange(stops, dtype=np.uint64)
    for piece in range(team):
        is_free = (held[:, None] & bits) == 0
        if piece:
            is_free &= held[:, None] != 0
        held = np.where(is_free, held[:, None] | bits, 0).ravel()
    return held


def _fares(board: Board) -> tuple[np.ndarray, np.ndarray, int]:
    """What a detective can have spent on modes other than the first: ``after``, ``spent``, ``first`` of BoardInFull.

    What it has spent on the first mode follows from the round.
    """
    have = [board.detective_tickets.get(mode, 0) for mode in board.modes]
    fares = list(itertools.product(*(range(count + 1) for count in have[1:])))
    after = np.full((len(fares), MODES), -1, np.int64)
    for number, fare in enumerate(fares):
        after[number, 0] = number
        for mode in range(1, len(have)):
            more = tuple(count + (other == mode - 1) for other, count in enumerate(fare))
            after[number, mode] = fares.index(more) if more in fares else -1
    return after, np.array([sum(fare) for fare in fares], np.int64), have[0]
