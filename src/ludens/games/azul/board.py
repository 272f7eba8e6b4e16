"""The drawing of Azul as SVG in two shapes, the elements to pick for each action, and those that a move touched.

Elements that a person can pick have ids: tiles of a colour on a source (``source-3-red``, ``source-centre-red``), and
on the viewer's own board ``line-2``, ``floor``, ``cell-2-4`` (row, column). The same places on other boards are
``player-2-line-2`` and so on; they cannot be picked, but marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludens.core import drawing
from ludens.core.drawing import at, check_shape, group, hit, palette, path, rect, wrap
from ludens.games.azul import record
from ludens.games.azul.board_style import (
    CENTRE_HEIGHT,
    GAP,
    OFFER_HEIGHT,
    OPPONENT_SCALE,
    SINGLE_PENALTIES,
    SOURCE_SIZE,
    STOCK_WIDTH,
    TALL_OTHER,
    TALL_OWN,
    TOP_HEIGHT,
    WIDE_OTHER,
    WIDE_OWN,
    Measures,
    Scene,
    draw_marker,
    draw_tile,
    empty_place,
    tile_shape,
)
from ludens.games.azul.sentences import (
    COLOUR_NAMES,
    colour_name,
    floor_spaces,
    headline,
    is_turn,
    marker_in_centre,
    player,
    points,
    printed_colour,
    tiles,
)

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.azul.face import AzulFace

# Picks and marks


def picks(face: AzulFace, view: View, action: int) -> list[str]:
    """The ids of the SVG elements a person clicks to play ``action``, in order: tiles, then a line or the floor.

    For a column of the grey wall: the place on the wall.
    """
    if action >= face.rules.first_column_action:
        return [f"cell-{int(view.raw.row) + 1}-{action - face.rules.first_column_action + 1}"]
    group, dest = divmod(action, 6)
    source, colour = divmod(group, 5)
    return [_source_id(face, source, colour), "floor" if dest == record.FLOOR else f"line-{dest + 1}"]


def marks(face: AzulFace, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
    """The ids of the SVG elements that a move touched: where the tiles came from and went.

    ``seat`` played ``action``; ``view`` shows the position after it. For a column of the grey wall the line is found in
    ``heard``, the events of the move.
    """
    if action < face.rules.first_column_action:
        source, place = picks(face, view, action)
        return [source, _place_id(view, seat, place)]
    for event in heard:
        if event.kind == record.TILE and event.a == seat:
            row, column = event.b // 25 + 1, action - face.rules.first_column_action + 1
            return [_place_id(view, seat, f"line-{row}"), _place_id(view, seat, f"cell-{row}-{column}")]
    return []


def _source_id(face: AzulFace, source: int, colour: int) -> str:
    """The SVG id of the tiles of a colour on a source (a factory, from 0, or the centre)."""
    return f"source-{'centre' if source == face.rules.factories else source + 1}-{COLOUR_NAMES[colour]}"


def _place_id(view: View, seat: int, place: str) -> str:
    """The SVG id of a place on a seat's board, given the name it has on the viewer's own board ('line-2')."""
    return place if seat == max(view.seat, 0) else f"player-{seat + 1}-{place}"


def svg(face: AzulFace, view: View, *, theme: str = "light", shape: str = "wide") -> str:
    """The view as one SVG picture; ``theme`` is 'light' or 'dark', ``shape`` 'wide' or, for phones, 'tall'."""
    scene = Scene(face, view, palette(theme))
    draw = {"wide": _wide, "tall": _tall}[check_shape(shape)]
    width, height, parts = draw(scene)
    scores = [
        face.say("player.score", player=seat + 1, points=points(face, int(scene.s.score[seat])))
        for seat in range(face.rules.seats)
    ]
    label = f"{face.say('title')}. {headline(face, scene.s)}. {', '.join(scores)}."
    shapes = f"<defs>{''.join(tile_shape(colour) for colour in range(5))}</defs>"
    return scene.page(shape, label, width, height, parts, shapes)


def _opponents(scene: Scene) -> list[int]:
    """The other seats in turn order, beginning at the viewer's left."""
    return [(scene.viewer + 1 + i) % scene.face.rules.seats for i in range(scene.face.rules.seats - 1)]


def _wide(scene: Scene) -> tuple[float, float, list[str]]:
    """The wide picture: the offer above, the viewer's board large, the opponents beside it.

    Returns (width, height, SVG parts).
    """
    scale, is_duel = OPPONENT_SCALE[scene.face.rules.seats], scene.face.rules.seats == 2
    own_width = WIDE_OWN.width
    width = 3 * GAP + own_width * (1 + scale)
    low = TOP_HEIGHT + OFFER_HEIGHT + GAP
    own_y = low if is_duel else low + CENTRE_HEIGHT + GAP
    height = own_y + WIDE_OWN.height + GAP
    # two players: the centre lies above the one opponent; more: above the viewer's board, and the bag beside it
    if is_duel:
        centre_x, centre_width, stock_x, stock_y = 2 * GAP + own_width, own_width * scale, width, TOP_HEIGHT + GAP
    else:
        centre_x, centre_width, stock_x, stock_y = GAP, own_width - STOCK_WIDTH - GAP, own_width + 2 * GAP, low
    parts = [
        scene.text("ink", GAP + 2, 34, headline(scene.face, scene.s), 22, 700),
        scene.text(
            "muted", width - GAP - 2, 34, scene.face.say(f"label.{scene.face.rules.options.wall}"), 15, end="end"
        ),
        _wide_factories(scene, width - 3 * GAP - STOCK_WIDTH if is_duel else width - 2 * GAP),
        at(stock_x - GAP - STOCK_WIDTH, stock_y, _stock(scene, STOCK_WIDTH, 82, 31)),
        at(centre_x, low, _centre(scene, centre_width, CENTRE_HEIGHT)),
        at(GAP, own_y, _board(scene, scene.viewer, WIDE_OWN)),
        *_wide_opponents(scene, low + (CENTRE_HEIGHT + GAP if is_duel else 0), own_y + WIDE_OWN.height),
    ]
    return width, height, parts


def _wide_opponents(scene: Scene, top: float, bottom: float) -> list[str]:
    """SVG of each opponent's board, one below the other, evenly spread between heights ``top`` and ``bottom``."""
    scale, others = OPPONENT_SCALE[scene.face.rules.seats], _opponents(scene)
    height = WIDE_OTHER.height * scale
    spare = (bottom - top - len(others) * height) / max(len(others) - 1, 1)
    x = 2 * GAP + WIDE_OWN.width
    return [at(x, top + i * (height + spare), _board(scene, seat, WIDE_OTHER), scale) for i, seat in enumerate(others)]


def _wide_factories(scene: Scene, width: float) -> str:
    """SVG of the factories in one row of this width, with their names below."""
    pitch = width / scene.face.rules.factories
    plate = min(106, pitch - 6)
    size = (plate - 15) / 2
    drawn = []
    for factory in range(scene.face.rules.factories):
        body = rect(scene.look.paint("panel"), 0, 0, plate, plate, radius=22)
        body += at(6, 6, _factory_tiles(scene, factory, size))
        body += scene.text("muted", plate / 2, plate + 17, f"F{factory + 1}", 14, end="middle")
        drawn.append(at(GAP + pitch * factory + (pitch - plate) / 2, TOP_HEIGHT, body))
    return "".join(drawn)


def _tall(scene: Scene) -> tuple[float, float, list[str]]:
    """The tall picture for a phone, one column: offer (while drafting), the viewer's board, the others, the bag.

    Returns (width, height, SVG parts).
    """
    margin, gap = 6, 8
    top, y = _tall_top(scene)
    parts = [top]
    offer = [_tall_factories(scene), (_centre(scene, TALL_OWN.width, 98), 98.0)]
    sections = [
        *(offer if scene.s.phase == record.DRAFTING else []),  # else it is empty and would only take space
        (_board(scene, scene.viewer, TALL_OWN), TALL_OWN.height),
        *((_board(scene, seat, TALL_OTHER), TALL_OTHER.height) for seat in _opponents(scene)),
        (_stock(scene, TALL_OWN.width, 150, 46), float(CENTRE_HEIGHT)),
    ]
    for body, height in sections:
        parts.append(at(margin, y, body))
        y += height + gap
    return drawing.TALL_WIDTH, y, parts


def _tall_top(scene: Scene) -> tuple[str, float]:
    """SVG of the headline, wrapped, and of the kind of wall; and the y at which the next section begins."""
    lines = wrap(headline(scene.face, scene.s), 17, 388)
    drawn = [scene.text("ink", 7, 24 + 22 * i, line, 17, 700) for i, line in enumerate(lines)]
    drawn.append(
        scene.text("muted", 7, 22 + 22 * len(lines), scene.face.say(f"label.{scene.face.rules.options.wall}"), 13)
    )
    return "".join(drawn), 32 + 22 * len(lines)


def _tall_factories(scene: Scene) -> tuple[str, float]:
    """SVG of the factories in rows of up to three, and the height of these rows."""
    count = scene.face.rules.factories
    rows = -(-count // 3)
    drawn, factory = [], 0
    for row in range(rows):
        in_row = count // rows + (row < count % rows)
        for i in range(in_row):
            x = (TALL_OWN.width - in_row * 132 + 8) / 2 + 132 * i
            drawn.append(at(x, row * 117, _tall_factory(scene, factory)))
            factory += 1
    return "".join(drawn), rows * 117 - 8


def _tall_factory(scene: Scene, factory: int) -> str:
    """SVG of one factory (from 0) with its name."""
    name = scene.text("muted", 12, 60, f"F{factory + 1}", 13, end="middle")
    plate = rect(scene.look.paint("panel"), 0, 0, 124, 109, radius=16)
    return plate + name + at(22, 6, _factory_tiles(scene, factory, SOURCE_SIZE))


# What is on offer


def _factory_tiles(scene: Scene, factory: int, size: float) -> str:
    """SVG of the tiles of a factory (from 0), two by two; those of one colour are a group to pick.

    ``size`` is the side of a tile.
    """
    far = size + 3
    corners = iter([(0.0, 0.0), (far, 0.0), (0.0, far), (far, far)])
    groups = []
    for colour in range(5):
        count = int(scene.s.sources[factory, colour])
        if count:
            drawn = "".join(draw_tile(*next(corners), size, colour) for _ in range(count))
            title = scene.face.say("piece.factory", factory=factory + 1, tiles=tiles(scene.face, count, colour))
            groups.append(group(title, drawn, _source_id(scene.face, factory, colour), pick=True))
    return "".join(groups)


def _centre(scene: Scene, width: float, height: float) -> str:
    """SVG of the centre: one tile for each colour with its count, and the marker while it lies there."""
    pitch, y = (width - 14) / 6, height - 72
    parts = [
        rect(scene.look.paint("panel"), 0, 0, width, height),
        scene.text("muted", 12, height / 2 - 31, scene.face.say("label.centre"), 14),
    ]
    if marker_in_centre(scene.s):
        parts.append(draw_marker(scene, 7 + (pitch - SOURCE_SIZE) / 2, y, SOURCE_SIZE))
    for colour in range(5):
        count = int(scene.s.sources[scene.face.rules.factories, colour])
        if count:
            parts.append(at(7 + pitch * (colour + 1), y, _centre_tiles(scene, colour, count, pitch)))
    return "".join(parts)


def _centre_tiles(scene: Scene, colour: int, count: int, width: float) -> str:
    """SVG of the ``count`` tiles of a colour in the centre, as one group to pick: one tile and its number."""
    body = hit(2, -4, width - 4, SOURCE_SIZE + 26)
    body += draw_tile((width - SOURCE_SIZE) / 2, 0, SOURCE_SIZE, colour)
    body += scene.text("ink", width / 2, SOURCE_SIZE + 17, f"×{count}", 16, 700, "middle")
    title = scene.face.say("piece.centre", tiles=tiles(scene.face, count, colour))
    return group(title, body, _source_id(scene.face, scene.face.rules.factories, colour), pick=True)


def _stock(scene: Scene, width: float, x: float, pitch: float) -> str:
    """SVG of the number of tiles of each colour in the bag and in the lid.

    ``width`` is that of the panel, ``x`` where the colours begin, ``pitch`` the distance from one to the next.
    """
    parts = [rect(scene.look.paint("panel"), 0, 0, width, CENTRE_HEIGHT)]
    parts += [draw_tile(x + pitch * colour, 8, 24, colour) for colour in range(5)]
    for row, name in enumerate(("bag", "lid")):
        counts, y = scene.s[name], 57 + 36 * row
        parts.append(scene.text("ink", 12, y - 6, scene.face.say(f"label.{name}"), 14, 700))
        parts.append(scene.text("muted", 12, y + 9, scene.face.say("count.stock", n=int(sum(counts))), 12))
        for colour in range(5):
            parts.append(scene.text("ink", x + 12 + pitch * colour, y, str(int(counts[colour])), 16, end="middle"))
    return "".join(parts)


# Boards


def _board(scene: Scene, seat: int, measures: Measures) -> str:
    """SVG of a seat's board: lines, wall, floor, score. Only the parts of the viewer's own can be picked.

    ``measures`` say where its parts are.
    """
    turn = is_turn(scene.s, seat)
    y = measures.title * 0.55 + measures.top / 2 - 3
    score = points(scene.face, int(scene.s.score[seat]))
    parts = [
        rect(
            scene.look.paint("panel turn" if turn else "panel"),
            0,
            0,
            measures.width,
            measures.height,
            thick=3 if turn else 1,
        ),
        scene.text(
            "accent" if turn else "ink", measures.side, y, player(scene.face, scene.view, seat), measures.title, 700
        ),
        scene.text("ink", measures.width - measures.side, y, score, measures.title, 700, "end"),
        *(_line(scene, seat, row, measures) for row in range(5)),
        *(_place(scene, seat, row, column, measures) for row in range(5) for column in range(5)),
        _floor(scene, seat, measures),
    ]
    return f'<g class="player{" own" if seat == scene.viewer else ""}">{"".join(parts)}</g>'


def _part(scene: Scene, seat: int, name: str, title: str, body: str) -> str:
    """SVG of a part of a board as a group, whose id is made from ``name``, with a title for tooltips.

    The title on another player's board names that player; only parts of the viewer's own can be picked.
    """
    is_own = seat == scene.viewer
    words = title if is_own else scene.face.say("piece.other", player=seat + 1, piece=title)
    return group(words, body, _place_id(scene.view, seat, name), pick=is_own)


def _line(scene: Scene, seat: int, row: int, measures: Measures) -> str:
    """SVG of a pattern line (``row`` from 0) of a seat, filled from the right, with its label."""
    held, colour = int(scene.s.line_count[seat, row]), int(scene.s.line_colour[seat, row])
    y = measures.top + measures.step * row
    parts = (
        [hit(measures.line_x, y, measures.wall_x - measures.line_x - 5, measures.wall_size)]
        if seat == scene.viewer
        else []
    )
    for i in range(row + 1):
        x = measures.line_x + measures.line_step * (4 - i)
        size, below = measures.line_size, y + measures.line_drop
        parts.append(draw_tile(x, below, size, colour) if i < held else empty_place(scene, x, below, size))
    parts.append(_line_label(scene, row, y, measures))
    if held:
        title = scene.face.say("piece.line", line=row + 1, held=held, colour=colour_name(scene.face, colour))
    else:
        title = scene.face.say("piece.line-empty", line=row + 1)
    return _part(scene, seat, f"line-{row + 1}", title, "".join(parts))


def _line_label(scene: Scene, row: int, y: float, measures: Measures) -> str:
    """SVG of the name of a line as it is typed in moves and, on the wide board, an arrow to the wall.

    ``y`` is the top of the row; '' where the measures ask for no labels.
    """
    x, below, size = measures.line_label
    if not size:
        return ""
    name = scene.text(
        "muted", x, y + below, f"L{row + 1}", size, end="middle" if x > measures.line_step * 5 else "start"
    )
    if x < measures.line_step * 5:
        return name
    return name + path(scene.look.paint("muted-line"), f"M{x + 21:.5g} {y + 19:.5g}l8 7l-8 7", thick=2.5)


def _place(scene: Scene, seat: int, row: int, column: int, measures: Measures) -> str:
    """SVG of a place of a seat's wall (row and column from 0): its tile, or faintly the printed colour.

    It is framed if the viewer may choose it now.
    """
    step = measures.step
    x, y, size = measures.wall_x + step * column, measures.top + step * row, measures.wall_size
    tile, printed = int(scene.s.wall[seat, row, column]), printed_colour(scene.face, row, column)
    if tile:
        body = draw_tile(x, y, size, tile - 1)
    else:
        body = empty_place(scene, x, y, size)
        body += draw_tile(x, y, size, printed, scene.look.faint) if printed >= 0 else ""
    if seat == scene.viewer and _is_open(scene, row, column):
        body += rect(scene.look.paint("accent-line"), x, y, size, size, thick=4)
    return _part(scene, seat, f"cell-{row + 1}-{column + 1}", _place_title(scene, tile, printed, row, column), body)


def _place_title(scene: Scene, tile: int, printed: int, row: int, column: int) -> str:
    """The tooltip of a place of the wall: row, column, and its tile or printed colour.

    ``tile`` is 1 + colour, 0 for none; ``printed`` is a colour, -1 on the grey wall.
    """
    key = "piece.cell" if tile else "piece.cell-printed" if printed >= 0 else "piece.cell-empty"
    colour = colour_name(scene.face, tile - 1 if tile else max(printed, 0))
    return scene.face.say(key, row=row + 1, column=column + 1, colour=colour)


def _is_open(scene: Scene, row: int, column: int) -> bool:
    """Whether the viewer may choose this place of the grey wall now."""
    s = scene.s
    if s.phase != record.TILING or s.turn != scene.view.seat or s.row != row:
        return False
    return scene.face.rules.first_column_action + column in scene.view.legal


def _floor(scene: Scene, seat: int, measures: Measures) -> str:
    """SVG of a seat's floor line: its seven spaces with their costs, and what they cost now."""
    lying = floor_spaces(scene.s, seat)
    cost = int(record.PENALTY[len(lying)])
    parts = []
    if seat == scene.viewer:
        parts.append(
            hit(measures.side, measures.floor_y - 20, measures.width - 2 * measures.side, measures.floor_size + 20)
        )
    parts += [_floor_space(scene, i, lying[i] if i < len(lying) else -1, measures) for i in range(record.FLOOR_SPACES)]
    parts.append(scene.text("muted", *measures.floor_label[:2], scene.face.say("label.floor"), measures.floor_label[2]))
    x, y, size, end = measures.floor_cost
    parts.append(scene.text("ink", x, y, f"-{cost}" if cost else "0", size, 700, end))
    title = scene.face.say("piece.floor", held=len(lying), points=points(scene.face, cost))
    return _part(scene, seat, "floor", title, "".join(parts))


def _floor_space(scene: Scene, i: int, lying: int, measures: Measures) -> str:
    """SVG of the ``i``-th space of a floor line and what lies on it: a colour, MARKER, or -1 for nothing."""
    row, column = divmod(i, measures.floor_columns)
    size = measures.floor_size
    x, y = measures.floor_x + measures.floor_step * column, measures.floor_y + measures.floor_step * row
    cost = f"-{SINGLE_PENALTIES[i]}"
    label = scene.text("muted", x + size / 2, y - 5, cost, measures.penalty, end="middle") if measures.penalty else ""
    if lying < 0:
        return label + empty_place(scene, x, y, size)
    return label + (draw_marker(scene, x, y, size) if lying == record.MARKER else draw_tile(x, y, size, lying))
