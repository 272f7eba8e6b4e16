"""Azul for the eye: one SVG, one text picture, the picks of each action, events in words.

Tiles differ by pattern and letter as well as by colour. The SVG uses classes and presentation attributes only, so that
a strict Content-Security-Policy holds and a style sheet may still repaint it. What a person can pick has an id: tiles
of a colour on a source (``source-3-red``, ``source-centre-red``), and on the viewer's own board ``line-2``, ``floor``,
``cell-2-4`` (row, column).
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from ludens.games.azul import rules
from ludens.games.azul.game import COLOUR_NAMES

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.game import View
    from ludens.games.azul.game import Azul

__all__ = ["picks", "svg", "text", "words"]

LETTERS = "BYRKW"
SINGLE_PENALTIES = (1, 1, 2, 2, 2, 3, 3)  # of each floor space


# What both pictures say


def _source_name(game: Azul, source: int) -> str:
    return "the centre" if source == game.factories else f"factory {source + 1}"


def _tiles(counts: Any) -> str:
    """'2 red and 1 blue'."""
    named = [f"{int(n)} {COLOUR_NAMES[colour]}" for colour, n in enumerate(counts[:5]) if n]
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def _points(n: int) -> str:
    return "1 point" if n == 1 else f"{n} points"


def _winners(game: Azul, s: Any) -> list[int]:
    """Most points, then most complete rows."""
    standing = [(int(s.score[seat]), int(rules.complete_rows(s, seat))) for seat in range(game.seats)]
    return [seat for seat in range(game.seats) if standing[seat] == max(standing)]


def _headline(game: Azul, s: Any) -> str:
    """Round and what is to be done, in a sentence."""
    player = f"player {int(s.turn) + 1}"
    if s.phase == rules.ENDED:
        winners = [f"player {seat + 1}" for seat in _winners(game, s)]
        verb = "wins" if len(winners) == 1 else "share the victory"
        return f"Game over after {int(s.rounds)} rounds: {' and '.join(winners)} {verb}"
    if s.phase == rules.TILING:
        colour = COLOUR_NAMES[s.line_colour[s.turn, s.row]]
        return f"Round {int(s.rounds) + 1}: {player} chooses a column for line {int(s.row) + 1} ({colour})"
    return f"Round {int(s.rounds) + 1}: {player} takes tiles"


def _player(view: View, seat: int) -> str:
    """'Player 1 (you), starts next'."""
    starts = ", starts next" if view.raw.marker == seat else ""
    return f"Player {seat + 1}{' (you)' if seat == view.seat else ''}{starts}"


def _is_turn(s: Any, seat: int) -> bool:
    return bool(s.phase <= rules.TILING and s.turn == seat)


def _floor_spaces(s: Any, seat: int) -> list[int]:
    """What lies on a floor line from the left: colours, or MARKER, which is shown first."""
    marker = [rules.MARKER] * int(s.floor[seat, rules.MARKER])
    return marker + [colour for colour in range(5) for _ in range(int(s.floor[seat, colour]))]


def _place_colour(game: Azul, row: int, column: int) -> int:
    """The colour printed on a place of the wall, -1 on the grey side."""
    return -1 if game.options.wall == "grey" else (column - row) % 5


def _open_cells(view: View) -> set[tuple[int, int]]:
    """Grey wall, the viewer chooses: the places the tile may go."""
    s, game = view.raw, view.game
    if s.phase != rules.TILING or s.turn != view.seat:
        return set()
    first = game.actions - 5
    return {(int(s.row), action - first) for action in view.legal}


# Picks and words


def picks(game: Azul, view: View, action: int) -> list[str]:
    """The path of element ids a person picks to play the action: tiles then a place, or a place of the grey wall."""
    if action >= game.first_column_action:
        return [f"cell-{int(view.raw.row) + 1}-{action - game.first_column_action + 1}"]
    group, dest = divmod(action, 6)
    source, colour = divmod(group, 5)
    return [_source_id(game, source, colour), "floor" if dest == rules.FLOOR else f"line-{dest + 1}"]


def _source_id(game: Azul, source: int, colour: int) -> str:
    return f"source-{'centre' if source == game.factories else source + 1}-{COLOUR_NAMES[colour]}"


def words(game: Azul, event: Event) -> str:
    """An event in a plain sentence."""
    a, b, c = event.a, event.b, event.c
    player = f"Player {a + 1}"
    match event.kind:
        case rules.ROUND:
            return f"Round {a} begins, player {b + 1} starts"
        case rules.DEAL:
            return f"Factory {a + 1} gets {_tiles([b >> 5 * colour & 31 for colour in range(5)]) or 'nothing'}"
        case rules.TAKE:
            return f"{player} takes {c} {COLOUR_NAMES[b % 5]} from {_source_name(game, b // 5)}"
        case rules.PLACE:
            return f"{player} places {c} {COLOUR_NAMES[b % 5]} in line {b // 5 + 1}"
        case rules.DROP:
            return f"{c} {COLOUR_NAMES[b]} {'falls' if c == 1 else 'fall'} to player {a + 1}'s floor"
        case rules.TAKE_MARKER:
            return f"{player} takes the starting-player marker" + (
                "" if b else ", for which the floor has no space left"
            )
        case rules.TILE:
            return f"{player} tiles line {b // 25 + 1}: {COLOUR_NAMES[b % 5]} in column {b // 5 % 5 + 1}, {_points(c)}"
        case rules.STUCK:
            return f"{player}'s {COLOUR_NAMES[c]} in line {b + 1} fits nowhere on the wall"
        case rules.CHARGE:
            return f"{player}'s floor of {b} costs {_points(c)}"
        case rules.ROW_BONUS:
            return f"{player} gets {_points(c)} for {b} complete row{'s' * (b > 1)}"
        case rules.COLUMN_BONUS:
            return f"{player} gets {_points(c)} for {b} complete column{'s' * (b > 1)}"
        case rules.COLOUR_BONUS:
            return f"{player} gets {_points(c)} for {b} complete colour{'s' * (b > 1)}"
        case rules.CAPPED:
            return f"The game ends at its limit of {a} rounds"
    return ""


# The text picture


def text(game: Azul, view: View) -> str:
    """A picture for the terminal: the offer, then the boards, the viewer's first, two beside each other."""
    order = [(max(view.seat, 0) + i) % game.seats for i in range(game.seats)]
    boards = [_text_board(game, view, seat) for seat in order]
    parts = [_headline(game, view.raw), _text_offer(game, view.raw)]
    for i in range(0, len(boards), 2):
        pair = boards[i : i + 2]
        parts.append(
            "\n".join("   ".join(f"{line:<38}" for line in lines).rstrip() for lines in zip(*pair, strict=True))
        )
    parts.append("B blue  Y yellow  R red  K black  W white  1 starting-player marker  [B] on the wall")
    return "\n\n".join(parts)


def _text_offer(game: Azul, s: Any) -> str:
    factories = [f"F{f + 1} {_letters(s.sources[f]) or '-':<9}" for f in range(game.factories)]
    rows = ["".join(factories[i : i + 5]).rstrip() for i in range(0, len(factories), 5)]
    centre = ("1 " if s.marker < 0 and s.phase == rules.DRAFTING else "") + _letters(s.sources[game.factories])
    rows.append(f"C  {centre or '-'}".rstrip())
    return "\n".join([*rows, f"Bag {_count_line(s.bag)}   Lid {_count_line(s.lid)}"])


def _letters(counts: Any) -> str:
    return " ".join(LETTERS[colour] for colour in range(5) for _ in range(int(counts[colour])))


def _count_line(counts: Any) -> str:
    return f"{int(sum(counts[:5]))} ({' '.join(f'{LETTERS[colour]}{int(counts[colour])}' for colour in range(5))})"


def _text_board(game: Azul, view: View, seat: int) -> list[str]:
    s = view.raw
    spaces = "".join("BYRKW1"[tile] for tile in _floor_spaces(s, seat)).ljust(7, ".")
    floor = f"floor {' '.join(spaces)}  {-int(rules.PENALTY[rules.on_floor(s, seat)])}"
    title = f"{'> ' * _is_turn(s, seat)}{_player(view, seat)}: {_points(int(s.score[seat]))}"
    return [title, *(_text_row(game, s, seat, row) for row in range(5)), floor]


def _text_row(game: Azul, s: Any, seat: int, row: int) -> str:
    held = LETTERS[s.line_colour[seat, row]] * int(s.line_count[seat, row])
    line = " ".join(held.rjust(row + 1, "."))
    return f"L{row + 1}  {line:>9}  |{''.join(_text_place(game, s, seat, row, column) for column in range(5))}"


def _text_place(game: Azul, s: Any, seat: int, row: int, column: int) -> str:
    tile = int(s.wall[seat, row, column])
    if tile:
        return f"[{LETTERS[tile - 1]}]"
    printed = _place_colour(game, row, column)
    return " . " if printed < 0 else f" {LETTERS[printed].lower()} "


# The SVG


class Palette(NamedTuple):
    """Colours of one theme."""

    ground: str
    panel: str
    cell: str
    edge: str
    ink: str
    muted: str
    accent: str
    fade: float  # how strongly a place shows its printed colour


PALETTES = {
    "light": Palette("#f2ede4", "#fffdf8", "#ece5d8", "#b9ad99", "#2b2621", "#6b6257", "#0f766e", 0.3),
    "dark": Palette("#1b1d21", "#272a30", "#343840", "#5a606b", "#f1efe9", "#b3b1aa", "#5eead4", 0.34),
}


class Paint(NamedTuple):
    """How a colour of tile looks: fill, its pattern's and letter's ink, and the pattern on a square of 40."""

    fill: str
    ink: str
    pattern: str


PAINTS = (
    Paint(
        "#2f74c0",
        "#ffffff",
        "M0 13A13 13 0 0 0 13 0M27 0A13 13 0 0 0 40 13M40 27A13 13 0 0 0 27 40M13 40A13 13 0 0 0 0 27",
    ),
    Paint("#f0b92d", "#4a3300", "M4 5H36M4 10H36M4 30H36M4 35H36"),
    Paint("#c73e33", "#ffffff", "M20 2L38 20L20 38L2 20Z"),
    Paint("#2b2e34", "#ffffff", "M5 7h4M5 33h4M31 7h4M31 33h4M18 5h4M18 35h4M4 20h4M32 20h4"),
    Paint("#eaf4f4", "#0d5c63", "M4 4V36M8.5 4V36M31.5 4V36M36 4V36"),
)

SIZE = 52  # of a tile on the viewer's board
STEP = 57
BOARD_WIDTH, BOARD_HEIGHT = 650, 428
GAP = 14
TOP_HEIGHT, OFFER_HEIGHT, CENTRE_HEIGHT = 52, 132, 112
STOCK_WIDTH = 222
OPPONENT_SCALE = {2: 0.705, 3: 0.63, 4: 0.41}  # so that both columns end at the same height


def svg(game: Azul, view: View, theme: str = "light") -> str:
    """The view as one picture: the offer above, the viewer's board large, the opponents beside it in turn order."""
    look = PALETTES[theme]
    scale = OPPONENT_SCALE[game.seats]
    width = 3 * GAP + BOARD_WIDTH + BOARD_WIDTH * scale
    low = TOP_HEIGHT + OFFER_HEIGHT + GAP
    # two players: the centre lies above the one opponent; more: above the viewer's board
    centre_x, centre_width = (2 * GAP + BOARD_WIDTH, BOARD_WIDTH * scale) if game.seats == 2 else (GAP, BOARD_WIDTH)
    own_y = low if game.seats == 2 else low + CENTRE_HEIGHT + GAP
    parts = [
        f"<defs>{''.join(_tile_shape(colour) for colour in range(5))}</defs>",
        _rect(0, 0, width, own_y + BOARD_HEIGHT + GAP, look.ground, look.ground, kind="ground"),
        _top(game, view, width, look),
        _factories(game, view.raw, width, look),
        _stock(view.raw, width - GAP - STOCK_WIDTH, TOP_HEIGHT, look),
        _at(centre_x, low, 1, _centre(game, view.raw, centre_width, look)),
        _at(GAP, own_y, 1, _board(game, view, max(view.seat, 0), look)),
        *_opponents(game, view, low + (CENTRE_HEIGHT + GAP if game.seats == 2 else 0), own_y + BOARD_HEIGHT, look),
    ]
    return _page(game, view, width, own_y + BOARD_HEIGHT + GAP, parts)


def _page(game: Azul, view: View, width: float, height: float, parts: list[str]) -> str:
    scores = ", ".join(f"player {seat + 1} {_points(int(view.raw.score[seat]))}" for seat in range(game.seats))
    label = escape(f"Azul. {_headline(game, view.raw)}. {scores}.", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{label}" '
        f'class="board azul" font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
    )


def _opponents(game: Azul, view: View, top: float, bottom: float, look: Palette) -> list[str]:
    """The other boards in turn order, spread from top to bottom."""
    scale, others = OPPONENT_SCALE[game.seats], game.seats - 1
    height = BOARD_HEIGHT * scale
    spare = (bottom - top - others * height) / max(others - 1, 1)
    boards = [_board(game, view, (max(view.seat, 0) + 1 + i) % game.seats, look) for i in range(others)]
    return [_at(2 * GAP + BOARD_WIDTH, top + i * (height + spare), scale, drawn) for i, drawn in enumerate(boards)]


def _top(game: Azul, view: View, width: float, look: Palette) -> str:
    wall = f"{game.options.wall} wall"
    return _text(GAP + 2, 34, _headline(game, view.raw), 22, look.ink, weight=700) + _text(
        width - GAP - 2, 34, wall, 15, look.muted, anchor="end"
    )


def _factories(game: Azul, s: Any, width: float, look: Palette) -> str:
    room = width - 3 * GAP - STOCK_WIDTH
    pitch = room / game.factories
    radius = min(54.0, pitch / 2 - 2)
    drawn = [_factory(game, s, f, radius, look) for f in range(game.factories)]
    middle = TOP_HEIGHT + OFFER_HEIGHT / 2 - 8
    return "".join(_at(GAP + pitch * (f + 0.5), middle, 1, body) for f, body in enumerate(drawn))


def _factory(game: Azul, s: Any, factory: int, radius: float, look: Palette) -> str:
    """A round plate with its tiles two by two, equal tiles in one group to pick."""
    size = radius * 0.62
    corners = iter([(-size - 2, -size - 2), (2, -size - 2), (-size - 2, 2), (2, 2)])
    groups = []
    for colour in range(5):
        count = int(s.sources[factory, colour])
        if count:
            tiles = "".join(_tile(*next(corners), size, colour) for _ in range(count))
            groups.append(
                _group(
                    _source_id(game, factory, colour), f"factory {factory + 1}: {count} {COLOUR_NAMES[colour]}", tiles
                )
            )
    plate = f'<circle class="plate" r="{radius:.5g}" fill="{look.panel}" stroke="{look.edge}"/>'
    return plate + "".join(groups) + _text(0, radius + 17, f"F{factory + 1}", 14, look.muted, anchor="middle")


def _centre(game: Azul, s: Any, width: float, look: Palette) -> str:
    """What slid to the middle: a tile for each colour and how many there are, and the marker while it lies there."""
    parts = [_rect(0, 0, width, CENTRE_HEIGHT, look.panel, look.edge), _text(14, 24, "Centre (C)", 15, look.muted)]
    pitch = (width - 20) / 6
    size = min(48.0, pitch - 30)
    if s.marker < 0 and s.phase == rules.DRAFTING:
        parts.append(_marker(14, 42, size, look))
    for colour in range(5):
        count = int(s.sources[game.factories, colour])
        if count:
            body = _tile(0, 0, size, colour) + _text(size + 5, size / 2 + 6, f"×{count}", 17, look.ink, weight=700)
            drawn = _at(14 + pitch * (colour + 1), 42, 1, body)
            parts.append(
                _group(_source_id(game, game.factories, colour), f"centre: {count} {COLOUR_NAMES[colour]}", drawn)
            )
    return "".join(parts)


def _stock(s: Any, x: float, y: float, look: Palette) -> str:
    """How many tiles of each colour are in the bag and in the lid."""
    parts = [_rect(0, 0, STOCK_WIDTH, OFFER_HEIGHT - 14, look.panel, look.edge)]
    for colour in range(5):
        parts.append(_tile(60 + 31 * colour, 10, 24, colour))
    for row, (name, counts) in enumerate((("Bag", s.bag), ("Lid", s.lid))):
        height = 62 + 36 * row
        parts.append(_text(12, height - 6, name, 15, look.ink, weight=700))
        parts.append(_text(12, height + 10, f"{int(sum(counts))} tiles", 11, look.muted))
        parts += [
            _text(72 + 31 * colour, height, str(int(counts[colour])), 16, look.ink, anchor="middle")
            for colour in range(5)
        ]
    return _at(x, y, 1, "".join(parts))


def _board(game: Azul, view: View, seat: int, look: Palette) -> str:
    """One player's board: lines, wall, floor, score. Only the viewer's own can be picked from."""
    s = view.raw
    is_own = seat == max(view.seat, 0)
    is_turn = _is_turn(s, seat)
    title = 22 if is_own else 27
    parts = [
        _rect(0, 0, BOARD_WIDTH, BOARD_HEIGHT, look.panel, look.accent if is_turn else look.edge, 3 if is_turn else 1),
        _text(18, 34, _player(view, seat), title, look.accent if is_turn else look.ink, weight=700),
        _text(BOARD_WIDTH - 18, 34, _points(int(s.score[seat])), title, look.ink, weight=700, anchor="end"),
        *(_line(s, seat, row, look, is_own) for row in range(5)),
        *(_wall_row(game, view, seat, row, look, is_own) for row in range(5)),
        _floor(s, seat, look, is_own),
    ]
    return f'<g class="player{" own" if is_own else ""}">{"".join(parts)}</g>'


def _line(s: Any, seat: int, row: int, look: Palette, is_own: bool) -> str:
    """A pattern line, filled from the right, with an arrow to its wall row."""
    held, colour = int(s.line_count[seat, row]), int(s.line_colour[seat, row])
    y = 50 + STEP * row
    cells = [_hit(18 + STEP * (4 - row), y, STEP * (row + 1) + 25, SIZE)] if is_own else []
    for i in range(row + 1):
        x = 18 + STEP * (4 - i)
        cells.append(_tile(x, y, SIZE, colour) if i < held else _cell(x, y, SIZE, look))
    cells.append(_text(18 + STEP * 5 + 11, y + 32, f"L{row + 1}", 16, look.muted, anchor="middle"))
    cells.append(f'<path d="M335 {y + 19}l8 7l-8 7" fill="none" stroke="{look.muted}" stroke-width="2.5"/>')
    title = f"line {row + 1}: {f'{held} of {row + 1} {COLOUR_NAMES[colour]}' if held else 'empty'}"
    return _group(f"line-{row + 1}" if is_own else "", title, "".join(cells))


def _wall_row(game: Azul, view: View, seat: int, row: int, look: Palette, is_own: bool) -> str:
    s, open_cells = view.raw, _open_cells(view) if is_own else set()
    drawn = []
    for column in range(5):
        x, y = BOARD_WIDTH - 18 - STEP * 5 + 5 + STEP * column, 50 + STEP * row
        body = _place(game, int(s.wall[seat, row, column]), row, column, x, y, look)
        if (row, column) in open_cells:
            body += _rect(x, y, SIZE, SIZE, "none", look.accent, 4)
        drawn.append(
            _group(f"cell-{row + 1}-{column + 1}", _place_title(game, s, seat, row, column), body) if is_own else body
        )
    return "".join(drawn)


def _place(game: Azul, tile: int, row: int, column: int, x: float, y: float, look: Palette) -> str:
    """A place of the wall: its tile, or the faint colour printed there."""
    if tile:
        return _tile(x, y, SIZE, tile - 1)
    printed = _place_colour(game, row, column)
    faint = "" if printed < 0 else _tile(x, y, SIZE, printed, look.fade)
    return _cell(x, y, SIZE, look) + faint


def _place_title(game: Azul, s: Any, seat: int, row: int, column: int) -> str:
    tile, printed = int(s.wall[seat, row, column]), _place_colour(game, row, column)
    state = COLOUR_NAMES[tile - 1] if tile else "empty" if printed < 0 else f"empty, for {COLOUR_NAMES[printed]}"
    return f"wall row {row + 1}, column {column + 1}: {state}"


def _floor(s: Any, seat: int, look: Palette, is_own: bool) -> str:
    """Seven spaces, each with its cost."""
    lying = _floor_spaces(s, seat)
    spaces = [_hit(18, 346, BOARD_WIDTH - 36, 66)] if is_own else []
    small, large = (15, 20) if is_own else (20, 27)
    for i in range(rules.FLOOR_SPACES):
        x, y, size = 18 + 86 + STEP * i, 366, 46
        spaces.append(_text(x + size / 2, y - 5, f"-{SINGLE_PENALTIES[i]}", small, look.muted, anchor="middle"))
        if i >= len(lying):
            spaces.append(_cell(x, y, size, look))
        else:
            spaces.append(_marker(x, y, size, look) if lying[i] == rules.MARKER else _tile(x, y, size, lying[i]))
    cost = int(rules.PENALTY[len(lying)])
    spaces.append(_text(18, 394, "Floor", large, look.muted))
    spaces.append(
        _text(BOARD_WIDTH - 18, 395, f"-{cost}" if cost else "0", large + 2, look.ink, weight=700, anchor="end")
    )
    return _group("floor" if is_own else "", f"floor: {len(lying)} of 7 spaces, costs {_points(cost)}", "".join(spaces))


# Shapes


def _at(x: float, y: float, scale: float, body: str) -> str:
    zoom = "" if scale == 1 else f" scale({scale:g})"
    return f'<g transform="translate({x:.5g} {y:.5g}){zoom}">{body}</g>'


def _group(name: str, title: str, body: str) -> str:
    """Shapes that belong together, with words for those who cannot see them; with an id they can be picked."""
    pick = f' id="{name}" class="pick"' if name else ""
    return f"<g{pick}><title>{escape(title)}</title>{body}</g>"


def _rect(
    x: float, y: float, width: float, height: float, fill: str, edge: str, thick: float = 1, kind: str = "panel"
) -> str:
    return (
        f'<rect class="{kind}" x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}" rx="8" '
        f'fill="{fill}" stroke="{edge}" stroke-width="{thick}"/>'
    )


def _hit(x: float, y: float, width: float, height: float) -> str:
    """An unseen area that can be picked, so that the gaps between tiles can too."""
    return f'<rect x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}" fill="none" pointer-events="all"/>'


def _cell(x: float, y: float, size: float, look: Palette) -> str:
    return _rect(x, y, size, size, look.cell, look.edge, kind="cell")


def _tile(x: float, y: float, size: float, colour: int, fade: float = 1) -> str:
    name = COLOUR_NAMES[colour]
    faint = "" if fade == 1 else f' opacity="{fade}"'
    place = f"translate({x:.5g} {y:.5g}) scale({size / 40:.5g})"
    return f'<use href="#tile-{name}" class="tile {name}" transform="{place}"{faint}/>'


def _tile_shape(colour: int) -> str:
    """What every tile of a colour repeats."""
    paint = PAINTS[colour]
    body = (
        f'<rect width="40" height="40" rx="6" fill="{paint.fill}" stroke="#77736c" stroke-width="1.5"/>'
        f'<path d="{paint.pattern}" fill="none" stroke="{paint.ink}" stroke-width="2.5" opacity=".75"/>'
        + _text(20, 26.5, LETTERS[colour], 18, paint.ink, weight=700, anchor="middle")
    )
    return f'<g id="tile-{COLOUR_NAMES[colour]}">{body}</g>'


def _marker(x: float, y: float, size: float, look: Palette) -> str:
    """The starting-player marker."""
    body = f'<circle cx="20" cy="20" r="19" fill="{look.panel}" stroke="{look.accent}" stroke-width="3"/>'
    body += _text(20, 28, "1", 22, look.accent, weight=700, anchor="middle")
    place = f"translate({x:.5g} {y:.5g}) scale({size / 40:.5g})"
    return f'<g class="marker" transform="{place}"><title>starting-player marker</title>{body}</g>'


def _text(x: float, y: float, words: str, size: float, fill: str, weight: int = 400, anchor: str = "start") -> str:
    return (
        f'<text x="{x:.5g}" y="{y:.5g}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
        f'fill="{fill}">{escape(words)}</text>'
    )
