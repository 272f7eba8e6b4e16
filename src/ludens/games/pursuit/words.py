"""The pursuit game in words: events, what is asked, why a move is refused or a game is over, and the text picture.

The sentences themselves stand in ``text/``, one file a language. A mode that only a user's board knows is called what
the board calls it.
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
    from ludens.core.game import View
    from ludens.games.pursuit.game import Pursuit

LINE = 96  # letters of a line in the terminal


# Names


def mode_name(game: Pursuit, mode: str) -> str:
    """'bus' in the game's language."""
    return game.said(f"mode.{mode}", mode)


def kind_name(game: Pursuit, kind: int, twice: bool = False) -> str:
    """What a move was paid with: 'bus', 'black ticket', 'double move by bus', 'pass'."""
    name = mode_name(game, game.kinds[kind - 1]) if kind else game.say("ticket.pass")
    return game.say("ticket.twice", ticket=name) if twice else name


def tag(piece: int) -> str:
    """What is written on a piece, the same in every language."""
    return f"D{piece}" if piece else "PH"


def piece_name(game: Pursuit, piece: int) -> str:
    """'detective 2' or 'the phantom'."""
    return game.say("piece.detective", n=piece) if piece else game.say("piece.phantom")


def played_kinds(game: Pursuit, piece: int) -> list[int]:
    """The kinds of tickets a piece can ever hold, the double ticket included."""
    given = game.table.t["tickets"][0]
    kinds = list(range(1, len(game.board.modes) + 1))
    return kinds if piece else [*kinds, *(kind for kind in (BLACK, TWICE) if given[0, kind - 1])]


# What the position is


def possible_stops(s: Any) -> list[int]:
    """The stops at which the phantom may be."""
    return [int(stop) for stop in np.flatnonzero(np.unpackbits(s.possible.view(np.uint8), bitorder="little"))]


def phantom_stop(s: Any) -> int:
    """Where the viewer knows the phantom to be: its own stop, or one it showed itself at just now; 0: hidden."""
    if s.stop[0] or not s.made:
        return int(s.stop[0])
    return int(s.shown[int(s.made) - 1])


def last_seen(s: Any) -> tuple[int, int]:
    """The last stop at which the phantom was seen and the number of that move, or two zeros."""
    for move in range(int(s.made), 0, -1):
        if s.shown[move - 1]:
            return int(s.shown[move - 1]), move
    return 0, 0


def next_reveal(game: Pursuit, s: Any) -> int:
    """The number of the next phantom move after which it is seen, 0 if there is none."""
    return next((move for move in game.reveals if move > s.made), 0)


def log_length(game: Pursuit) -> int:
    """The most moves the phantom can make."""
    doubles = int(game.table.t["tickets"][0, 0, TWICE - 1])
    return game.rounds + doubles + game.options.final_phantom_move


def headline(game: Pursuit, s: Any) -> str:
    """Which round it is and who moves, or who won."""
    if s.phase == record.ENDED:
        return game.say("headline.escaped" if s.winner == PHANTOM else "headline.caught")
    who = piece_name(game, int(s.piece))
    if s.rounds == game.rounds:
        return game.say("headline.final")
    if s.doubling:
        return game.say("headline.second", round=int(s.rounds) + 1, rounds=game.rounds)
    return game.say("headline.moves", round=int(s.rounds) + 1, rounds=game.rounds, piece=who)


def status(game: Pursuit, s: Any) -> list[str]:
    """How long it will go on, when the phantom is seen next, and at how many stops it may be."""
    if s.phase == record.ENDED:
        return [_why_over(game, s)]
    told = [game.say("status.left", n=game.rounds - int(s.rounds))]
    move = next_reveal(game, s)
    told.append(game.say("status.reveal", move=move) if move else game.say("status.no-reveal"))
    if game.options.aid:
        told.append(game.say("status.possible", n=len(possible_stops(s))))
    return told


def asks(game: Pursuit, view: View) -> str:
    """What the seat to move is asked to do."""
    s = view.raw
    if s.phase == record.ENDED:
        return ""
    if view.seat in (-1, view.to_move) and view.legal == [0]:
        return game.say("asks.pass", piece=piece_name(game, int(s.piece)))
    if s.piece:
        return game.say("asks.detective", n=int(s.piece))
    return game.say("asks.second" if s.doubling else "asks.phantom")


def why_over(game: Pursuit, view: View) -> str:
    """How the game ended."""
    return _why_over(game, view.raw)


def _why_over(game: Pursuit, s: Any) -> str:
    if s.phase != record.ENDED:
        return ""
    stop = int(s.stop[0])
    if s.caught:
        key = "over.entered" if s.piece == 0 else "over.caught"
        return game.say(key, n=int(s.caught), stop=stop)
    if s.winner != PHANTOM:
        return game.say("over.stuck", stop=stop)
    return game.say("over.escaped" if s.rounds == game.rounds else "over.all-stuck", n=int(s.rounds), stop=stop)


def why_illegal(game: Pursuit, position: Any, action: int) -> str:
    """The rule of the game that forbids this action here."""
    s = position.raw
    kind, stop, twice = game.action_parts(action)
    piece = int(s.piece)
    if action == 0:
        return game.say("illegal.pass")
    if not game.is_move(action):
        return game.say("illegal.nothing")
    if piece and (twice or kind == BLACK):
        return game.say("illegal.phantom-only")
    if not s.tickets[piece, kind - 1] or (twice and not s.tickets[0, TWICE - 1]):
        lacking = game.kinds[kind - 1] if not s.tickets[piece, kind - 1] else game.kinds[TWICE - 1]
        return game.say("illegal.ticket", ticket=mode_name(game, lacking))
    return _why_not_there(game, s, kind, stop, twice)


def _why_not_there(game: Pursuit, s: Any, kind: int, stop: int, twice: bool) -> str:
    piece = int(s.piece)
    at, t = int(s.stop[piece]), game.table.t[0]
    if not at:  # somebody else's hidden piece: nothing may be said that depends on it
        return ""
    if stop not in t.link[kind, at, : int(t.degree[kind, at])]:
        return game.say("illegal.link", at=at, stop=stop, ticket=kind_name(game, kind))
    if stop in s.stop[1 : game.detectives + 1] and (piece or not t.enter):
        return game.say("illegal.held", stop=stop)
    if not twice:
        return ""
    key = "illegal.doubling" if s.doubling or s.rounds == game.rounds else "illegal.second"
    return game.say(key, stop=stop)


# The rules


def rules(game: Pursuit) -> list[str]:
    """What this very game is played with: the board's settings and the tickets there are, in paragraphs."""
    t = game.table.t[0]
    team, rounds = game.say("count.detectives", n=game.detectives), game.say("count.rounds", n=game.rounds)
    reveals = [str(move) for move in game.reveals]
    seen = game.say("rules-with.reveals", moves=game.listed(reveals)) if reveals else game.say("rules-with.no-reveals")
    setup = game.say("rules-with.setup", team=team, rounds=rounds, stops=game.board.stops)
    has = {
        "black": t.tickets[0, BLACK - 1],
        "ferry": t.tickets[0, BLACK - 1] and game.board.black_only and game.options.ferry != "no",
        "double": t.double,
        "stuck-loses": t.stuck_loses,
        "all-stuck": t.all_stuck,
    }
    also = [game.say(f"rules-with.{name}") for name, is_played in has.items() if is_played]
    return [" ".join(part.split()) for part in (f"{setup} {seen}", *also)]


# What happened


def words(game: Pursuit, event: Event) -> str:
    """An event in a plain sentence."""
    kind, a, b, c = event.kind, event.a, event.b, event.c
    match kind:
        case record.PLACED:
            return game.say("words.placed", stop=b, n=a) if a else game.say("words.placed-phantom", stop=b)
        case record.MOVED:
            return game.say("words.moved" if a else "words.stays", move=c, ticket=kind_name(game, a, bool(b)))
        case record.WENT:
            return game.say("words.went", stop=a)
        case record.SHOWN:
            return game.say("words.shown", stop=a, move=b)
        case record.RODE:
            key = "words.rode" if b else "words.waits"
            return game.say(key, n=a, stop=c, ticket=kind_name(game, b))
        case record.CAUGHT:
            return game.say("words.caught", n=a, stop=b, round=c)
        case record.ESCAPED:
            return game.say("words.all-stuck" if c else "words.escaped", stop=a, n=b)
    return game.say("words.stuck", stop=a)


# The text picture


def text(game: Pursuit, view: View) -> str:
    """A picture for the terminal: who is where with which tickets, the travel log, where the phantom may be, moves."""
    s = view.raw
    parts = [f"{headline(game, s)}\n{'; '.join(status(game, s))}", _text_pieces(game, view), _text_log(game, s)]
    if game.options.aid and s.phase != record.ENDED:
        parts.append(_text_list(game.say("label.possible"), map(str, possible_stops(s))))
    if view.seat in (-1, view.to_move) and s.phase != record.ENDED:
        parts.append(_text_moves(game, view))
    return "\n\n".join(parts)


def _text_pieces(game: Pursuit, view: View) -> str:
    """A table: piece, stop, tickets by kind."""
    s, kinds = view.raw, played_kinds(game, PHANTOM)
    heads = [kind_name(game, kind) for kind in kinds]
    rows = [[" ", "", game.say("label.stop"), *heads]]
    for piece in range(game.detectives + 1):
        is_next = s.phase != record.ENDED and s.piece == piece
        stop = int(s.stop[piece]) if piece else phantom_stop(s)
        held = [str(int(s.tickets[piece, kind - 1])) if kind in played_kinds(game, piece) else "" for kind in kinds]
        rows.append([">" if is_next else " ", tag(piece), str(stop or "?"), *held])
    return in_columns(rows, 2)


def _text_log(game: Pursuit, s: Any) -> str:
    """The phantom's moves: ticket, and the stop where it was seen; the two halves of a double move in brackets."""
    told, made = [], int(s.made)
    for i in range(made):
        ticket = kind_name(game, int(s.fare[i])) + (f" {s.shown[i]}" if s.shown[i] else " ?")
        is_last_half = (i and s.twice[i - 1]) or (s.twice[i] and i + 1 == made)  # a double move may not be whole yet
        told.append(f"{'(' if s.twice[i] else ''}{i + 1} {ticket}{')' if is_last_half else ''}")
    coming = [str(move) for move in game.reveals if move > s.made and s.phase != record.ENDED]
    lines = [_text_list(game.say("label.log"), told or [game.say("label.no-moves")])]
    if coming:
        lines.append(f"{game.say('label.reveals')}: {', '.join(coming)}")
    return "\n".join(lines)


def _text_moves(game: Pursuit, view: View) -> str:
    """The legal moves of the piece to move, by ticket: 'taxi 3 5 9'."""
    stops: dict[str, list[str]] = {}
    for action in view.legal:
        ticket, _, stop = game.action_text(action).rpartition(" ")
        stops.setdefault(ticket or stop, []).append(stop if ticket else "")
    title = game.say("label.moves", piece=tag(int(view.raw.piece)))
    return "\n".join([f"{title}:", *(f"  {ticket} {' '.join(goals)}".rstrip() for ticket, goals in stops.items())])


def _text_list(title: str, items: Any) -> str:
    return textwrap.fill(f"{title}: {', '.join(items)}", LINE, subsequent_indent="  ")
