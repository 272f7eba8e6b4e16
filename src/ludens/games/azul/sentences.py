"""The sentences and the text picture of Azul: events, what is asked, why a move is illegal or a game is over.

The texts themselves are in ``text/``, one file for each language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludens.games.azul import record

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.azul.face import AzulFace

COLOUR_NAMES = ("blue", "yellow", "red", "black", "white")
LETTERS = "BYRKW"
BONUSES = {record.ROW_BONUS: "row-bonus", record.COLUMN_BONUS: "column-bonus", record.COLOUR_BONUS: "colour-bonus"}


# Names


def colour_name(face: AzulFace, colour: int) -> str:
    """The name of a colour in the face's language."""
    return face.say(f"colour.{COLOUR_NAMES[colour]}")


def tiles(face: AzulFace, n: int, colour: int) -> str:
    """A number of tiles with their colour in words, as in '2 red'."""
    return face.say("count.tiles", n=n, colour=colour_name(face, colour))


def points(face: AzulFace, n: int) -> str:
    """A number of points in words, as in '1 point'."""
    return face.say("count.points", n=n)


def _players(face: AzulFace, seats: list[int]) -> str:
    """The players in these seats, in words, as in 'player 1 and player 3'."""
    return face.listed([face.say("player.short", player=seat + 1) for seat in seats])


def player(face: AzulFace, view: View, seat: int) -> str:
    """The name of a seat, as people see it: 'Player 1 (you), starts next'."""
    who = face.say("player.you" if seat == view.seat else "player.name", player=seat + 1)
    return face.say("player.next", who=who) if view.raw.marker == seat else who


# The position


def winners(face: AzulFace, s: Any) -> list[int]:
    """The seats that have won a finished game: most points, then most complete rows."""
    standing = [(int(s.score[seat]), int(record.complete_rows(s, seat))) for seat in range(face.rules.seats)]
    return [seat for seat in range(face.rules.seats) if standing[seat] == max(standing)]


def headline(face: AzulFace, s: Any) -> str:
    """One sentence: the round and what is to be done now, or the result of the game."""
    if s.phase == record.ENDED:
        won = winners(face, s)
        names = {"winner": _players(face, won), "winners": _players(face, won)}
        return face.say("headline.won" if len(won) == 1 else "headline.shared", n=int(s.rounds), **names)
    values = {"round": int(s.rounds) + 1, "player": int(s.turn) + 1}
    if s.phase == record.TILING:
        return face.say("headline.tile", **values, **_tiled_line(face, s))
    return face.say("headline.draft", **values)


def _tiled_line(face: AzulFace, s: Any) -> dict[str, Any]:
    """The number of the line whose owner chooses a column now, and its colour: values to fill into catalogue texts."""
    return {"line": int(s.row) + 1, "colour": colour_name(face, int(s.line_colour[s.turn, s.row]))}


def asks(face: AzulFace, view: View) -> str:
    """What the seat to move is asked to do, in a sentence; '' if no seat is to move."""
    s = view.raw
    if s.phase == record.TILING:
        return face.say("asks.tile", **_tiled_line(face, s))
    return face.say("asks.draft") if s.phase == record.DRAFTING else ""


def why_over(face: AzulFace, view: View) -> str:
    """Why the game ended, in a sentence: a complete row, the limit of rounds, or no tile to deal; '' if it has not."""
    s = view.raw
    if s.phase != record.ENDED:
        return ""
    builders = [seat for seat in range(face.rules.seats) if record.complete_rows(s, seat)]
    if builders:
        return face.say("over.row", players=_players(face, builders))
    return face.say("over.cap", n=int(s.rounds)) if s.capped else face.say("over.empty")


def why_illegal(face: AzulFace, position: Any, action: int) -> str:
    """The rule of the game that forbids this action here, in a sentence."""
    s = position.raw
    is_tiling = s.phase == record.TILING
    if is_tiling != (action >= face.rules.first_column_action):
        return face.say("illegal.tiling" if is_tiling else "illegal.drafting")
    if is_tiling:
        return face.say("illegal.cell")
    group, dest = divmod(action, 6)
    source, colour = divmod(group, 5)
    name = colour_name(face, colour)
    if s.sources[source, colour] == 0:
        return face.say(
            "illegal.centre" if source == face.rules.factories else "illegal.factory", factory=source + 1, colour=name
        )
    if s.line_count[s.turn, dest] > dest:
        return face.say("illegal.full", line=dest + 1)
    if s.line_count[s.turn, dest]:
        return face.say("illegal.holds", line=dest + 1, colour=colour_name(face, int(s.line_colour[s.turn, dest])))
    return face.say("illegal.built", line=dest + 1, colour=name)


# What happened


def event_text(face: AzulFace, event: Event) -> str:
    """An event in a sentence."""
    kind, a, b, c = event.kind, event.a, event.b, event.c
    match kind:
        case record.ROUND:
            return face.say("words.round", round=a, player=b + 1)
        case record.DEAL:
            return _dealt(face, a, [b >> 5 * colour & 31 for colour in range(5)])
        case record.TAKE:
            key = "words.take-centre" if b // 5 == face.rules.factories else "words.take-factory"
            return face.say(key, player=a + 1, tiles=tiles(face, c, b % 5), factory=b // 5 + 1)
        case record.PLACE:
            return face.say("words.place", player=a + 1, tiles=tiles(face, c, b % 5), line=b // 5 + 1)
        case record.DROP:
            return face.say("words.drop", n=c, player=a + 1, tiles=tiles(face, c, b))
        case record.TAKE_MARKER:
            return face.say("words.marker" if b else "words.marker-full", player=a + 1)
        case record.CAPPED:
            return face.say("words.capped", n=a)
    return _scored(face, event)


def _dealt(face: AzulFace, factory: int, counts: list[int]) -> str:
    """The sentence about the tiles dealt to a factory, from their counts by colour."""
    named = [tiles(face, n, colour) for colour, n in enumerate(counts) if n]
    if not named:
        return face.say("words.deal-nothing", factory=factory + 1)
    return face.say("words.deal", factory=factory + 1, tiles=face.listed(named))


def _scored(face: AzulFace, event: Event) -> str:
    """The sentence about an event of tiling or of the final bonuses; '' for events of any other kind."""
    kind, a, b, c = event.kind, event.a, event.b, event.c
    match kind:
        case record.TILE:
            place = {"line": b // 25 + 1, "column": b // 5 % 5 + 1, "colour": colour_name(face, b % 5)}
            return face.say("words.tile", player=a + 1, points=points(face, c), **place)
        case record.STUCK:
            return face.say("words.stuck", player=a + 1, line=b + 1, colour=colour_name(face, c))
        case record.CHARGE:
            return face.say("words.charge", player=a + 1, n=b, points=points(face, c))
    if kind in BONUSES:
        return face.say(f"words.{BONUSES[kind]}", player=a + 1, n=b, points=points(face, c))
    return ""


# The text picture


def text(face: AzulFace, view: View) -> str:
    """A text picture for the terminal: the offer, then the boards two by two, the viewer's first."""
    order = [(max(view.seat, 0) + i) % face.rules.seats for i in range(face.rules.seats)]
    boards = [_text_board(face, view, seat) for seat in order]
    parts = [headline(face, view.raw), _text_offer(face, view.raw)]
    for i in range(0, len(boards), 2):
        pair = boards[i : i + 2]
        parts.append(
            "\n".join("   ".join(f"{line:<38}" for line in lines).rstrip() for lines in zip(*pair, strict=True))
        )
    return "\n\n".join([*parts, face.say("text.legend")])


def _text_offer(face: AzulFace, s: Any) -> str:
    """The factories, the centre, the bag and the lid, as lines of text."""
    factories = [f"F{f + 1} {_letters(s.sources[f]) or '-':<9}" for f in range(face.rules.factories)]
    rows = ["".join(factories[i : i + 5]).rstrip() for i in range(0, len(factories), 5)]
    centre = ("1 " if marker_in_centre(s) else "") + _letters(s.sources[face.rules.factories])
    rows.append(f"C  {centre or '-'}".rstrip())
    stock = [f"{face.say(f'label.{name}')} {_count_line(s[name])}" for name in ("bag", "lid")]
    return "\n".join([*rows, "   ".join(stock)])


def _letters(counts: Any) -> str:
    """An array of counts by colour as letters, one for each tile: 'B B Y'."""
    return " ".join(LETTERS[colour] for colour in range(5) for _ in range(int(counts[colour])))


def _count_line(counts: Any) -> str:
    """An array of counts by colour as text, with their sum: '3 (B2 Y1 R0 K0 W0)'."""
    return f"{int(sum(counts[:5]))} ({' '.join(f'{LETTERS[colour]}{int(counts[colour])}' for colour in range(5))})"


def _text_board(face: AzulFace, view: View, seat: int) -> list[str]:
    """The board of a seat as seven lines: name and score, five rows, the floor."""
    s = view.raw
    spaces = "".join("BYRKW1"[tile] for tile in floor_spaces(s, seat)).ljust(7, ".")
    floor = f"{face.say('text.floor')} {' '.join(spaces)}  {-int(record.PENALTY[record.on_floor(s, seat)])}"
    title = f"{'> ' * is_turn(s, seat)}{player(face, view, seat)}: {points(face, int(s.score[seat]))}"
    return [title, *(_text_row(face, s, seat, row) for row in range(5)), floor]


def _text_row(face: AzulFace, s: Any, seat: int, row: int) -> str:
    """A pattern line (``row`` from 0) of a seat and its row of the wall as one line of text."""
    held = LETTERS[s.line_colour[seat, row]] * int(s.line_count[seat, row])
    line = " ".join(held.rjust(row + 1, "."))
    return f"L{row + 1}  {line:>9}  |{''.join(_text_place(face, s, seat, row, column) for column in range(5))}"


def _text_place(face: AzulFace, s: Any, seat: int, row: int, column: int) -> str:
    """A place of the wall as three characters: '[B]' with a tile, ' b ' with a printed colour, ' . ' empty."""
    tile = int(s.wall[seat, row, column])
    if tile:
        return f"[{LETTERS[tile - 1]}]"
    printed = printed_colour(face, row, column)
    return " . " if printed < 0 else f" {LETTERS[printed].lower()} "


# For both pictures


def is_turn(s: Any, seat: int) -> bool:
    """Whether the seat is to move."""
    return bool(s.phase <= record.TILING and s.turn == seat)


def marker_in_centre(s: Any) -> bool:
    """Whether the starting-player marker is still to be taken from the centre."""
    return bool(s.marker < 0 and s.phase == record.DRAFTING)


def floor_spaces(s: Any, seat: int) -> list[int]:
    """What lies on a seat's floor line from the left: MARKER first if it is there, then colours."""
    marker = [record.MARKER] * int(s.floor[seat, record.MARKER])
    return marker + [colour for colour in range(5) for _ in range(int(s.floor[seat, colour]))]


def printed_colour(face: AzulFace, row: int, column: int) -> int:
    """The colour printed on the wall at ``row``, ``column``; -1 on the grey wall."""
    return -1 if face.rules.options.wall == "grey" else (column - row) % 5
