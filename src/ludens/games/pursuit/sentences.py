"""Texts of the pursuit game: events, questions, why a move is refused or a game is over, and the text picture.

The sentences themselves are in ``text/``, one file for each language. A mode that is not in the catalogue (of a user's
board) is called what the board calls it.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.columns import in_columns
from ludens.games.pursuit import record
from ludens.games.pursuit.record import BLACK, PHANTOM, TWICE

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.pursuit.face import PursuitFace

LINE = 96  # letters in a line of the text picture


# Names


def mode_name(face: PursuitFace, mode: str) -> str:
    """The name of a mode, or of the ticket 'black' or 'double', in the face's language."""
    return face.said(f"mode.{mode}", mode)


def kind_name(face: PursuitFace, kind: int, twice: bool = False) -> str:
    """What a move was paid with, in words: 'bus', 'black', 'double move, bus', 'no move' (kind 0)."""
    name = mode_name(face, face.rules.kinds[kind - 1]) if kind else face.say("ticket.pass")
    return face.say("ticket.twice", ticket=name) if twice else name


def tag(piece: int) -> str:
    """The short name on a piece, in every language: 'PH' for the phantom (0), 'D1', 'D2', ... for detectives."""
    return f"D{piece}" if piece else "PH"


def piece_name(face: PursuitFace, piece: int) -> str:
    """'detective 2' or 'the phantom', in the face's language."""
    return face.say("piece.detective", n=piece) if piece else face.say("piece.phantom")


def played_kinds(face: PursuitFace, piece: int) -> list[int]:
    """The kinds of tickets a piece can ever have in this game, the double ticket included."""
    given = face.rules.constants.c["tickets"][0]
    kinds = list(range(1, len(face.rules.board.modes) + 1))
    return kinds if piece else [*kinds, *(kind for kind in (BLACK, TWICE) if given[0, kind - 1])]


# What the position is


def possible_stops(s: Any) -> list[int]:
    """The stops at which the phantom may be, ascending."""
    return [int(stop) for stop in np.flatnonzero(np.unpackbits(s.possible.view(np.uint8), bitorder="little"))]


def phantom_stop(s: Any) -> int:
    """The phantom's stop if the viewer knows it (it is its own, or was seen after the last move), else 0."""
    if s.stop[0] or not s.made:
        return int(s.stop[0])
    return int(s.shown[int(s.made) - 1])


def last_seen(s: Any) -> tuple[int, int]:
    """The stop at which the phantom was last seen, and the number of that move; (0, 0) if it never was."""
    for move in range(int(s.made), 0, -1):
        if s.shown[move - 1]:
            return int(s.shown[move - 1]), move
    return 0, 0


def next_reveal(face: PursuitFace, s: Any) -> int:
    """The number of the next phantom move after which it is seen; 0 if there is none."""
    return next((move for move in face.rules.reveals if move > s.made), 0)


def log_length(face: PursuitFace) -> int:
    """The largest number of moves the phantom can make in this game."""
    doubles = int(face.rules.constants.c["tickets"][0, 0, TWICE - 1])
    return face.rules.rounds + doubles + face.rules.options.final_phantom_move


def headline(face: PursuitFace, s: Any) -> str:
    """One line: which round it is and which piece moves, or which side won."""
    if s.phase == record.ENDED:
        return face.say("headline.escaped" if s.winner == PHANTOM else "headline.caught")
    who = piece_name(face, int(s.piece))
    if s.rounds == face.rules.rounds:
        return face.say("headline.final")
    if s.doubling:
        return face.say("headline.second", round=int(s.rounds) + 1, rounds=face.rules.rounds)
    return face.say("headline.moves", round=int(s.rounds) + 1, rounds=face.rules.rounds, piece=who)


def status(face: PursuitFace, s: Any) -> list[str]:
    """Rounds left, the next reveal and the number of possible stops, each in words; when it is over, why."""
    if s.phase == record.ENDED:
        return [_why_over(face, s)]
    told = [face.say("status.left", n=face.rules.rounds - int(s.rounds))]
    move = next_reveal(face, s)
    told.append(face.say("status.reveal", move=move) if move else face.say("status.no-reveal"))
    if face.rules.options.aid:
        told.append(face.say("status.possible", n=len(possible_stops(s))))
    return told


def asks(face: PursuitFace, view: View) -> str:
    """What the seat to move is asked to do, in a sentence; '' when the game is over."""
    s = view.raw
    if s.phase == record.ENDED:
        return ""
    if view.seat in (-1, view.to_move) and view.legal == [0]:
        return face.say("asks.pass", piece=piece_name(face, int(s.piece)))
    if s.piece:
        return face.say("asks.detective", n=int(s.piece))
    return face.say("asks.second" if s.doubling else "asks.phantom")


def why_over(face: PursuitFace, view: View) -> str:
    """How the game ended, in a sentence; '' while it goes on."""
    return _why_over(face, view.raw)


def _why_over(face: PursuitFace, s: Any) -> str:
    """How the game ended, from a raw record, in a sentence; '' while it goes on."""
    if s.phase != record.ENDED:
        return ""
    stop = int(s.stop[0])
    if s.caught:
        key = "over.entered" if s.piece == 0 else "over.caught"
        return face.say(key, n=int(s.caught), stop=stop)
    if s.winner != PHANTOM:
        return face.say("over.stuck", stop=stop)
    return face.say("over.escaped" if s.rounds == face.rules.rounds else "over.all-stuck", n=int(s.rounds), stop=stop)


def why_illegal(face: PursuitFace, position: Any, action: int) -> str:
    """The rule of the game that forbids this action here, in a sentence."""
    s = position.raw
    kind, stop, twice = face.rules.action_parts(action)
    piece = int(s.piece)
    if action == 0:
        return face.say("illegal.pass")
    if not face.rules.is_move(action):
        return face.say("illegal.nothing")
    if piece and (twice or kind == BLACK):
        return face.say("illegal.phantom-only")
    if not s.tickets[piece, kind - 1] or (twice and not s.tickets[0, TWICE - 1]):
        lacking = face.rules.kinds[kind - 1] if not s.tickets[piece, kind - 1] else face.rules.kinds[TWICE - 1]
        return face.say("illegal.ticket", ticket=mode_name(face, lacking))
    return _why_not_there(face, s, kind, stop, twice)


def _why_not_there(face: PursuitFace, s: Any, kind: int, stop: int, twice: bool) -> str:
    """Why the piece to move cannot go to a stop by a ticket it has, in a sentence.

    ``kind`` is the ticket, ``twice``: as the first half of a double move. '' if it could, or if its own stop is hidden.
    """
    piece = int(s.piece)
    at, t = int(s.stop[piece]), face.rules.constants.c[0]
    if not at:  # hidden from this viewer: the answer must not depend on it
        return ""
    if stop not in t.link[kind, at, : int(t.degree[kind, at])]:
        return face.say("illegal.link", at=at, stop=stop, ticket=kind_name(face, kind))
    if stop in s.stop[1 : face.rules.detectives + 1] and (piece or not t.enter):
        return face.say("illegal.held", stop=stop)
    if not twice:
        return ""
    key = "illegal.doubling" if s.doubling or s.rounds == face.rules.rounds else "illegal.second"
    return face.say(key, stop=stop)


# The rules


def rules(face: PursuitFace) -> list[str]:
    """Paragraphs on this board and these options: rounds, reveals, special tickets, and pieces that cannot move."""
    t = face.rules.constants.c[0]
    team, rounds = face.say("count.detectives", n=face.rules.detectives), face.say("count.rounds", n=face.rules.rounds)
    reveals = [str(move) for move in face.rules.reveals]
    seen = face.say("rules-with.reveals", moves=face.listed(reveals)) if reveals else face.say("rules-with.no-reveals")
    setup = face.say("rules-with.setup", team=team, rounds=rounds, stops=face.rules.board.stops)
    has = {
        "black": t.tickets[0, BLACK - 1],
        "ferry": t.tickets[0, BLACK - 1] and face.rules.board.black_only and face.rules.options.ferry != "no",
        "double": t.double,
        "stuck-loses": t.stuck_loses,
        "all-stuck": t.all_stuck,
    }
    also = [face.say(f"rules-with.{name}") for name, is_played in has.items() if is_played]
    return [" ".join(part.split()) for part in (f"{setup} {seen}", *also)]


# What happened


def event_text(face: PursuitFace, event: Event) -> str:
    """An event in a sentence."""
    kind, a, b, c = event.kind, event.a, event.b, event.c
    match kind:
        case record.PLACED:
            return face.say("words.placed", stop=b, n=a) if a else face.say("words.placed-phantom", stop=b)
        case record.MOVED:
            return face.say("words.moved" if a else "words.stays", move=c, ticket=kind_name(face, a, bool(b)))
        case record.WENT:
            return face.say("words.went", stop=a)
        case record.SHOWN:
            return face.say("words.shown", stop=a, move=b)
        case record.RODE:
            key = "words.rode" if b else "words.waits"
            return face.say(key, n=a, stop=c, ticket=kind_name(face, b))
        case record.CAUGHT:
            return face.say("words.caught", n=a, stop=b, round=c)
        case record.ESCAPED:
            return face.say("words.all-stuck" if c else "words.escaped", stop=a, n=b)
    return face.say("words.stuck", stop=a)


# The text picture


def text(face: PursuitFace, view: View) -> str:
    """A text picture for the terminal: pieces, tickets, the travel log, where the phantom may be, and legal moves."""
    s = view.raw
    parts = [f"{headline(face, s)}\n{'; '.join(status(face, s))}", _text_pieces(face, view), _text_log(face, s)]
    if face.rules.options.aid and s.phase != record.ENDED:
        parts.append(_text_list(face.say("label.possible"), map(str, possible_stops(s))))
    if view.seat in (-1, view.to_move) and s.phase != record.ENDED:
        parts.append(_text_moves(face, view))
    return "\n\n".join(parts)


def _text_pieces(face: PursuitFace, view: View) -> str:
    """Rows and columns of text: piece, stop, tickets by kind; '>' marks the piece to move."""
    s, kinds = view.raw, played_kinds(face, PHANTOM)
    heads = [kind_name(face, kind) for kind in kinds]
    rows = [[" ", "", face.say("label.stop"), *heads]]
    for piece in range(face.rules.detectives + 1):
        is_next = s.phase != record.ENDED and s.piece == piece
        stop = int(s.stop[piece]) if piece else phantom_stop(s)
        held = [str(int(s.tickets[piece, kind - 1])) if kind in played_kinds(face, piece) else "" for kind in kinds]
        rows.append([">" if is_next else " ", tag(piece), str(stop or "?"), *held])
    return in_columns(rows, 2)


def _text_log(face: PursuitFace, s: Any) -> str:
    """The phantom's moves, each with ticket and the stop if seen, double moves in brackets; then reveals to come."""
    told, made = [], int(s.made)
    for i in range(made):
        ticket = kind_name(face, int(s.fare[i])) + (f" {s.shown[i]}" if s.shown[i] else " ?")
        is_last_half = (i and s.twice[i - 1]) or (s.twice[i] and i + 1 == made)  # the second half may still be to come
        told.append(f"{'(' if s.twice[i] else ''}{i + 1} {ticket}{')' if is_last_half else ''}")
    coming = [str(move) for move in face.rules.reveals if move > s.made and s.phase != record.ENDED]
    lines = [_text_list(face.say("label.log"), told or [face.say("label.no-moves")])]
    if coming:
        lines.append(f"{face.say('label.reveals')}: {', '.join(coming)}")
    return "\n".join(lines)


def _text_moves(face: PursuitFace, view: View) -> str:
    """The legal moves of the piece to move, one line for each kind of ticket: 'taxi 3 5 9'."""
    stops: dict[str, list[str]] = {}
    for action in view.legal:
        ticket, _, stop = face.rules.action_text(action).rpartition(" ")
        stops.setdefault(ticket or stop, []).append(stop if ticket else "")
    title = face.say("label.moves", piece=tag(int(view.raw.piece)))
    return "\n".join([f"{title}:", *(f"  {ticket} {' '.join(goals)}".rstrip() for ticket, goals in stops.items())])


def _text_list(title: str, items: Any) -> str:
    """A titled list as lines of text, of at most LINE letters."""
    return textwrap.fill(f"{title}: {', '.join(items)}", LINE, subsequent_indent="  ")
