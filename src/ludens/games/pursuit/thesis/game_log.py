"""The logs of the thesis's program: of a set of games and of one game, written and read back.

*Set log:* a head of three lines (board, phantom, detectives), an empty line, and how many games each side won.

*Game log:* the same head, a matrix of rounds + 3 rows, and the winner. Each piece has two columns, the phantom's first.
Row 0 holds the tickets left at the end, by taxi and by tram. From row 1, where the pieces start, each row holds a stop
and the mode by which the piece left it: 1 taxi, 2 tram, 0 for a pass or for staying where the game ended. Unused cells
are 0. Such a log shows everything, so it is written after the game only. It has no columns for a third mode nor for
black and double tickets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludens.core.error import BadOption, BadRecord, IllegalAction
from ludens.core.file import file_of, shortened
from ludens.core.state import State
from ludens.games.pursuit.board_check import MAX_DETECTIVES
from ludens.games.pursuit.board_file import board_names, kept_as
from ludens.games.pursuit.game import Pursuit
from ludens.games.pursuit.record import BLACK, PLACED

WINS = ("Phantom wins", "Detectives win")


class Head(NamedTuple):
    """The first three lines of every log: the board, and what plays the phantom and the detectives."""

    board: str
    phantom: str
    detectives: str

    def __str__(self) -> str:
        return f"Board: {self.board}\nPhantom: {self.phantom}\nDetectives: {self.detectives}\n"


class Played(NamedTuple):
    """What a log needs of a finished game."""

    starts: Sequence[int]  # the phantom's first
    actions: Sequence[int]
    tickets: np.ndarray  # left at the end, by piece and kind
    winner: int  # seat


@dataclass(frozen=True)
class SetLog:
    """The result of a set of games; ``str()`` gives the text of the log."""

    head: Head
    wins: tuple[int, int]  # of the phantom, of the detectives

    @property
    def summary(self) -> str:
        """The log without its head."""
        total = sum(self.wins)
        lines = [f"{name}: {won} ({100 * won / max(total, 1):.2f}%)" for name, won in zip(WINS, self.wins, strict=True)]
        return "\n".join([f"Total games: {total}", *lines, ""])

    def __str__(self) -> str:
        return f"{self.head}\n{self.summary}"


@dataclass(frozen=True)
class GameLog:
    """One game as the thesis writes it; ``str()`` gives the text of the log."""

    head: Head
    matrix: np.ndarray  # [rounds + 3, 2 * pieces]
    winner: int  # seat

    def __str__(self) -> str:
        return f"{self.head}{matrix_text(self.matrix)}\n{verdict(self.winner)}\n"


def verdict(winner: int) -> str:
    """Who won (a seat), in the thesis's words: 'Phantom wins' or 'Detectives win'."""
    return WINS[winner]


# writing


def must_fit_log(game: Pursuit) -> None:
    """Raise BadOption if games on this board cannot be written as game logs of the thesis."""
    t = game.rules.constants.c[0]
    if len(game.rules.board.modes) > 2 or t.tickets[0, BLACK - 1 :].any():
        raise BadOption(
            f"a game log of the thesis has no place for what is played on {game.rules.board.name} (a third mode, black"
            " or double tickets): use cmd=set and log=set"
        )


def played(state: State) -> Played:
    """Extract from a finished game what a log needs."""
    starts = [event.b for event in state.history[0] if event.kind == PLACED]
    return Played(starts, state.actions, state.raw.tickets, int(state.raw.winner))


def matrix_of(game: Pursuit, what: Played) -> np.ndarray:
    """The matrix of a game log, [rounds + 3, 2 * pieces]: tickets left, then each piece's stops and modes.

    The docstring of the module describes it.
    """
    pieces = len(what.starts)
    matrix = np.zeros((game.rules.rounds + 3, 2 * pieces), np.int64)
    matrix[0] = what.tickets[:pieces, :2].ravel()
    matrix[1, ::2] = what.starts
    for number, action in enumerate(what.actions):
        row, column = number // pieces + 1, number % pieces * 2
        kind, stop, _ = game.rules.action_parts(action)
        matrix[row, column + 1] = kind
        matrix[row + 1, column] = stop if kind else matrix[row, column]
    return matrix


def matrix_text(matrix: np.ndarray) -> str:
    """The matrix as NumPy prints it, without leaving out any numbers."""
    return np.array2string(matrix, threshold=matrix.size + 1, max_line_width=1000)


# reading


def read_log(text: str) -> SetLog | GameLog:
    """Parse the text of a set log or a game log; BadRecord says what is wrong with it.

    Moves are not checked, see `replay_log`.
    """
    lines = [_line(text, name) for name in ("Board", "Phantom", "Detectives")]
    head, body = Head(*(line[1].strip() for line in lines)), text[max(line.end() for line in lines) :]
    if re.search(r"^[ \t]*\[", body, re.MULTILINE):
        return GameLog(head, _read_matrix(body), _read_winner(body))
    return _read_set(body, head)


def _line(text: str, name: str) -> re.Match[str]:
    """Find the line '<name>: ...' of a log's head; group 1 of the match is the text behind the colon.

    BadRecord if there is none.
    """
    found = re.search(rf"^{name}:(.*)$", text, re.MULTILINE)
    if not found or not found[1].strip():
        raise BadRecord(f"this is no log of the thesis: it has no line '{name}: ...'")
    return found


def _read_set(text: str, head: Head) -> SetLog:
    """Parse the part of a set log below its head, and check that its counts and shares agree; else BadRecord."""
    total = _count(text, "Total games", r"(\d{1,15})$")
    wins = _count(text, WINS[0], r"(\d{1,15}) \(.*%\)$"), _count(text, WINS[1], r"(\d{1,15}) \(.*%\)$")
    log = SetLog(head, wins)
    if sum(wins) != total:
        raise BadRecord(f"the set log counts {total} games, but {wins[0]} and {wins[1]} were won")
    for line in filter(None, log.summary.splitlines()):
        if line not in text:
            raise BadRecord(f"the set log has wrong shares: it should say '{line}'")
    return log


def _count(text: str, name: str, pattern: str) -> int:
    """The number in the line '<name>: ...' of a set log, which must match ``pattern``; else BadRecord."""
    found = re.search(rf"^{name}: {pattern}", text.replace("\r", ""), re.MULTILINE)
    if not found:
        raise BadRecord(f"this is neither a set log nor a game log: it has no matrix and no line '{name}: ...'")
    return int(found[1])


def _read_winner(text: str) -> int:
    """The seat that won, from the last line of a game log; BadRecord if it does not say so."""
    last = text.strip().splitlines()[-1].strip()
    if last not in WINS:
        raise BadRecord(f"the game log must end with '{WINS[0]}' or '{WINS[1]}', not '{last[:40]}'")
    return WINS.index(last)


def _read_matrix(text: str) -> np.ndarray:
    """Parse the matrix of a game log and check its shape; else BadRecord."""
    block = text[text.index("[") : text.rindex("]") + 1] if "]" in text else ""
    found = (row.split() for row in re.findall(r"\[([0-9\s]+)\]", block))
    rows = [row for row in found if row]
    if not rows or re.sub(r"\[[0-9\s]+\]", "", block).split() not in (["[", "]"], ["[]"]):
        raise BadRecord("the game log has no whole matrix: rows of numbers in brackets, [[...] ... [...]]")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise BadRecord(f"row {number} of the game log has {len(row)} numbers, row 0 has {len(rows[0])}")
        if max(map(len, row)) > 3:
            raise BadRecord(f"row {number} of the game log has a number above 999")
    if len(rows[0]) % 2 or not 4 <= len(rows[0]) <= 2 * (MAX_DETECTIVES + 1):
        raise BadRecord(f"the game log has {len(rows[0])} columns: two are needed for each of 2 to 6 pieces")
    return np.array(rows, np.int64)


def board_of_log(head: Head, beside: Path) -> str:
    """The board that a log names, as a value of option ``board``; BadRecord if it is not found or not clear.

    It may be a file, seen from the current folder or from the log's (``beside``), or the name of a board.
    """
    file = file_of(head.board) or file_of(beside / head.board)
    if file:
        return str(file)
    stem = Path(head.board.replace("\\", "/")).stem
    for name in (head.board, stem):
        if name in board_names():
            return name
    kept = kept_as(stem)
    if len({name[-8:] for name in kept}) == 1:  # one board, under whatever names
        return kept[0]
    if kept:
        few = ", ".join(kept[:8])
        raise BadRecord(f"several boards are stored as '{shortened(stem)}': name one of {few} with --board")
    raise BadRecord(
        f"the board '{shortened(head.board)}' of the log is not here, nor in {beside.resolve()}: name it, or its file,"
        " with --board"
    )


def replay_log(log: GameLog, board: str) -> State:
    """Play a game log through the rules on ``board`` and return the finished game.

    Raises BadRecord with the row and piece of whatever does not agree with the rules.
    """
    matrix, pieces = log.matrix, log.matrix.shape[1] // 2
    game = Pursuit(board=board, detectives=pieces - 1, prune="round")
    must_fit_log(game)
    if len(matrix) != game.rules.rounds + 3:
        raise BadRecord(
            f"the game log has {len(matrix)} rows, but {game.rules.board.name} is played for {game.rules.rounds}"
            f" rounds: {game.rules.rounds + 3} rows are needed"
        )
    moves = [_moves(matrix, piece) for piece in range(pieces)]
    if any(made != game.rules.rounds for made in moves):  # else it ended without the phantom's last move
        game = Pursuit(board=board, detectives=pieces - 1, prune="round", final_phantom_move=True)
    state = game.start(seed=0, fields={"stop": _starts(game, matrix)})
    state.players = [log.head.phantom, log.head.detectives]
    for number in range(_in_order(moves)):
        _play(state, matrix, number // pieces + 1, number % pieces)
    _check_end(state, log)
    return state


def _name(piece: int) -> str:
    """A piece in words for messages: 'the phantom' or 'detective 2'."""
    return f"detective {piece}" if piece else "the phantom"


def _wrong(row: int, piece: int, why: str) -> BadRecord:
    """A BadRecord that names a row of the matrix and a piece, to be raised by the caller."""
    return BadRecord(f"row {row}, {_name(piece)}: {why}")


def _moves(matrix: np.ndarray, piece: int) -> int:
    """The number of moves a piece made, by the matrix.

    BadRecord if its column has gaps or a mode without a destination.
    """
    stops, modes = matrix[1:, 2 * piece], matrix[1:, 2 * piece + 1]
    last = int(np.count_nonzero(stops))
    if not last or not stops[:last].all():
        raise _wrong(1 + int(np.argmin(stops > 0)), piece, "it is nowhere, though it moves on later")
    if modes[last - 1 :].any():
        row = last + int(np.argmax(modes[last - 1 :] > 0))
        raise _wrong(row, piece, "it leaves, but the next row does not say where to")
    return last - 1


def _in_order(moves: Sequence[int]) -> int:
    """The number of moves of all pieces; BadRecord unless they took turns (``moves``: how many each made)."""
    total, pieces = sum(moves), len(moves)
    for piece, made in enumerate(moves):
        due = (total - piece + pieces - 1) // pieces
        if made < due:
            raise _wrong(made + 1, piece, "it does not move on, though other pieces do")
    return total


def _starts(game: Pursuit, matrix: np.ndarray) -> list[int]:
    """The start stops of all pieces; BadRecord if one is no start stop of the board, or taken twice."""
    starts = [int(stop) for stop in matrix[1, ::2]]
    for piece, stop in enumerate(starts):
        if stop not in game.rules.board.starts:
            known = ", ".join(map(str, game.rules.board.starts))
            raise _wrong(1, piece, f"{stop} is no start stop of {game.rules.board.name}, which are {known}")
        if stop in starts[:piece]:
            raise _wrong(1, piece, f"it starts on {stop}, where {_name(starts.index(stop))} starts")
    return starts


def _play(state: State, matrix: np.ndarray, row: int, piece: int) -> None:
    """Play the move by which a piece leaves the stop it has in ``row``; BadRecord if it is not legal."""
    game = state.game
    assert isinstance(game, Pursuit)
    (stop, kind), to = matrix[row, 2 * piece : 2 * piece + 2].tolist(), int(matrix[row + 1, 2 * piece])
    if state.over:
        raise _wrong(row, piece, "it moves on, but the game was over")
    if kind > len(game.rules.board.modes):
        raise _wrong(row, piece, f"there is no mode {kind} on {game.rules.board.name}")
    if kind == 0 and stop != to:
        raise _wrong(row, piece, f"it passes on {stop}, but is on {to} then")
    if to > game.rules.board.stops:
        raise _wrong(row + 1, piece, f"there is no stop {to} on {game.rules.board.name}")
    try:
        state.play(kind * (game.rules.board.stops + 1) + to if kind else 0)
    except IllegalAction as why:
        raise _wrong(row, piece, str(why)) from None


def _check_end(state: State, log: GameLog) -> None:
    """Raise BadRecord unless the game is over, with the winner and the tickets left that the log has."""
    if not state.over:
        raise BadRecord(f"the game log ends after {len(state.actions)} moves, but the game is not over then")
    if state.raw.winner != log.winner:
        raise BadRecord(f"the game log says '{verdict(log.winner)}', but by its moves: {verdict(state.raw.winner)}")
    for piece in range(log.matrix.shape[1] // 2):
        left, told = state.raw.tickets[piece, :2].tolist(), log.matrix[0, 2 * piece : 2 * piece + 2].tolist()
        if left != told:
            raise _wrong(0, piece, f"it has {left[0]} and {left[1]} tickets left, not {told[0]} and {told[1]}")
