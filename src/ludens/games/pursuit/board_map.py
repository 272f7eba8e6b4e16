"""The map in the picture of the pursuit game: lines, stops, where the phantom may be and was seen, and the pieces."""

from __future__ import annotations

from html import escape

from ludens.core import drawing
from ludens.core.drawing import INK, at, circle, group, rect
from ludens.games.pursuit.board_style import (
    HALO,
    POSSIBLE,
    SMALL,
    Scene,
    drawn_modes,
    label,
    last_rides,
    line_of,
    ride,
    ring,
    ring_width,
    stroke,
    token,
    token_size,
)
from ludens.games.pursuit.sentences import (
    last_seen,
    mode_name,
    phantom_stop,
    piece_name,
    possible_stops,
    tag,
)

FINGER = 22.0  # half the width of an area that a finger can hit


def draw_map(scene: Scene) -> tuple[str, float]:
    """SVG of the whole map (the group with the id ``map``), and its height."""
    width, height = scene.measures.frame.width, scene.layout.height
    ground = rect(scene.look.paint("panel"), 0, 0, width, height, radius=10)
    below, above = [*_lines(scene), _starts(scene), *_rides(scene)], [_ghost(scene), _halo(scene), _pieces(scene)]
    body = ground + _zoomable(width, height, "".join([*below, _stops(scene), *above]))
    return group(scene.face.say("piece.map", board=scene.face.rules.board.name), body, "map"), height


def _zoomable(width: float, height: float, body: str) -> str:
    """Wrap the SVG of the map in a nested <svg>, which a web page can zoom without the panels beside it."""
    box = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg class="zoomable" {box}>{body}</svg>'


def _lines(scene: Scene) -> list[str]:
    """The lines of each mode as SVG, thick lines first, so that thin ones are drawn over them."""
    modes = sorted(drawn_modes(scene.face), key=lambda mode: -line_of(scene.face, mode).thick)
    scale = 1 if scene.measures.frame.width > 500 else 0.75
    return [
        stroke(line_of(scene.face, mode), scene.layout.lines[mode], scale) for mode in modes if scene.layout.lines[mode]
    ]


def _rides(scene: Scene) -> list[str]:
    """SVG of a pale line for each detective that moved, in its colour, from the stop it left in its last move."""
    return [_ride(scene, piece, left) for piece, left in last_rides(scene.s, scene.face.rules.detectives).items()]


def _ride(scene: Scene, piece: int, left: int) -> str:
    """SVG of the line of one detective's last move: from the stop ``left`` to where it is now."""
    (x, y), (to_x, to_y) = (scene.layout.places[stop - 1] for stop in (left, int(scene.s.stop[piece])))
    return ride(piece, f"M{x:.5g} {y:.5g}L{to_x:.5g} {to_y:.5g}", round(0.9 * scene.layout.radius, 1))


# Stops


def _modes_at(scene: Scene) -> dict[int, list[str]]:
    """The modes that serve each stop, by the stop's number."""
    served: dict[int, list[str]] = {stop: [] for stop in range(1, scene.face.rules.board.stops + 1)}
    for mode in drawn_modes(scene.face):
        for stop in sorted({stop for link in scene.face.rules.board.links.get(mode, ()) for stop in link}):
            served[stop].append(mode)
    return served


def _stops(scene: Scene) -> str:
    """All stops as SVG.

    Those that can be picked are drawn first, so that their larger click areas do not cover other stops.
    """
    served = _modes_at(scene)
    goals = {scene.face.rules.action_parts(action)[1] for action in scene.legal} - {0}
    possible = set(possible_stops(scene.s)) if scene.face.rules.options.aid and not scene.is_over else set()
    reach = _reaches(scene, goals)
    order = [*sorted(goals), *(stop for stop in served if stop not in goals)]
    return "".join(_stop(scene, stop, served[stop], stop in possible, reach.get(stop, 0)) for stop in order)


def _reaches(scene: Scene, goals: set[int]) -> dict[int, float]:
    """Half the width of the click area of each of the stops that can be picked, ``goals``, by stop.

    It is FINGER at most, and not more than half the distance to the next such stop.
    """
    places = scene.layout.places
    reach = {}
    for stop in goals:
        x, y = places[stop - 1]
        others = [max(abs(places[other - 1][0] - x), abs(places[other - 1][1] - y)) for other in goals - {stop}]
        reach[stop] = min(FINGER, min(others, default=2 * FINGER) / 2)
    return reach


def _stop(scene: Scene, stop: int, modes: list[str], is_possible: bool, reach: float) -> str:
    """SVG of one stop: a disc with its number, and a ring if several of ``modes`` stop there.

    ``is_possible`` fills it (the phantom may be there); a ``reach`` above 0 makes a click area of that half width.
    """
    radius = scene.layout.radius
    fill = f'fill="{POSSIBLE}" stroke="{INK}"' if is_possible else scene.look.paint("panel")
    body = circle(fill, 0, 0, radius, thick=1)
    inner = [mode for mode in modes if mode in scene.face.rules.board.modes]
    if len(inner) > 1:  # more than the first mode stops here: a ring in the colour of the rarest
        best = line_of(scene.face, inner[-1])
        thick = 0.1 * radius * len(inner)
        body += circle(f'fill="none" stroke="{best.colour}"', 0, 0, radius - thick / 2, thick=round(thick, 2))
    number = f'fill="{INK}"' if is_possible else scene.look.paint("ink")
    size = min(
        scene.measures.number, 1.3 * radius, 1.7 * radius / (drawing.LETTER * len(str(scene.face.rules.board.stops)))
    )
    body += drawing.text(number, 0, 0.36 * size, str(stop), round(size, 1), weight=600, anchor="middle")
    if reach:
        body = _area(reach) + _ring(scene, stop) + body
    x, y = scene.layout.places[stop - 1]
    return at(x, y, group(_title(scene, stop, modes), body, f"stop-{stop}", pick=reach > 0))


def _area(reach: float) -> str:
    """SVG of an invisible square that can be clicked, reaching ``reach`` from (0, 0) in each direction."""
    return drawing.hit(-reach, -reach, 2 * reach, 2 * reach)


def _ring(scene: Scene, stop: int) -> str:
    """SVG of the frame of a stop that can be picked, or of the piece that covers it, with a light outline."""
    radius = scene.layout.radius
    thick = ring_width(radius)
    if stop not in _covered(scene):
        return ring(scene, 0, 0, radius)
    width, height = (side + 2 * thick for side in token_size(radius))
    sides = (-width / 2, -height / 2, width, height)
    light = rect(HALO, *sides, thick=3 * thick, radius=round(0.6 * radius, 1))
    return light + rect(scene.look.paint("accent-line"), *sides, thick=thick, radius=round(0.6 * radius, 1))


def _title(scene: Scene, stop: int, modes: list[str]) -> str:
    """The tooltip of a stop: 'stop 28: taxi and bus', and the pieces known to be there.

    ``modes`` are those that serve it.
    """
    named = scene.face.listed([mode_name(scene.face, mode) for mode in modes])
    here = [piece_name(scene.face, piece) for piece, held in _placed(scene).items() if held == stop]
    if not here:
        return scene.face.say("piece.stop", stop=stop, modes=named)
    return scene.face.say("piece.holder", stop=stop, modes=named, piece=scene.face.listed(here))


def _starts(scene: Scene) -> str:
    """SVG of dotted circles around the start stops; '' once the phantom has moved."""
    if scene.s.made or scene.is_over:
        return ""
    board = scene.face.rules.board
    decks = board.decks if board.decks and scene.face.rules.options.start_mode == "split" else (board.starts, ())
    paint = f'{scene.look.paint("muted-line")} stroke-dasharray="2 3"'
    places = [scene.layout.places[stop - 1] for deck in decks for stop in deck]
    return "".join(circle(paint, x, y, 1.45 * scene.layout.radius, thick=1.5) for x, y in places)


# Pieces


def _covered(scene: Scene) -> set[int]:
    """The stops that are covered by a piece or by the mark where the phantom was last seen."""
    return {*_placed(scene).values(), last_seen(scene.s)[0]}


def _placed(scene: Scene) -> dict[int, int]:
    """The stop of each piece whose place the viewer knows, by piece; the phantom (0) is missing while it is hidden."""
    stops = {piece: int(scene.s.stop[piece]) for piece in range(1, scene.face.rules.detectives + 1)}
    hidden = phantom_stop(scene.s)
    return {0: hidden, **stops} if hidden else stops


def _pieces(scene: Scene) -> str:
    """SVG of the pieces whose place the viewer knows, the piece to move on top."""
    placed = _placed(scene)
    order = sorted(placed, key=lambda piece: (piece == scene.s.piece, piece == 0))  # the one to move on top
    return "".join(_piece(scene, piece, placed) for piece in order)


def _piece(scene: Scene, piece: int, placed: dict[int, int]) -> str:
    """SVG of one piece on its stop; moved sideways if another piece is on the same stop (the phantom was caught).

    ``placed`` has the stop of every piece that is drawn.
    """
    stop, radius = placed[piece], scene.layout.radius
    x, y = scene.layout.places[stop - 1]
    if list(placed.values()).count(stop) > 1:
        x = _inside(scene, x) + (0.54 if piece else -0.54) * token_size(radius)[0]
    key = "piece.detective-at" if piece else "piece.phantom-at"
    title = escape(scene.face.say(key, n=piece, stop=stop))
    name = f"detective-{piece}" if piece else "phantom"
    # clicks go through to the stop below: the phantom may step onto a detective
    body = f"<title>{title}</title>{token(piece, str(stop), radius)}"
    return at(x, y, f'<g id="{name}" class="piece" pointer-events="none">{body}</g>')


def _inside(scene: Scene, x: float) -> float:
    """The horizontal position ``x``, moved so far from the edge that two pieces side by side fit on the map."""
    margin = token_size(scene.layout.radius)[0] + 8
    return min(max(x, margin), scene.measures.frame.width - margin)


def _halo(scene: Scene) -> str:
    """SVG of a coloured frame behind the piece to move.

    When the game is over, behind the phantom and the detective it met; '' if the piece to move is hidden from the
    viewer.
    """
    placed = _placed(scene)
    stop = placed[0] if scene.is_over else placed.get(int(scene.s.piece), 0)
    if not stop:
        return ""
    x, y = scene.layout.places[stop - 1]
    width, height = (side + 0.56 * scene.layout.radius for side in token_size(scene.layout.radius))
    if list(placed.values()).count(stop) > 1:
        x, width = _inside(scene, x), width + 1.08 * token_size(scene.layout.radius)[0]
    corner = round(0.65 * scene.layout.radius, 1)
    shape = rect(scene.look.paint("accent"), x - width / 2, y - height / 2, width, height, thick=0, radius=corner)
    return f'<g pointer-events="none">{shape}</g>'


def _ghost(scene: Scene) -> str:
    """SVG of the mark where the phantom was last seen.

    '' if it has not moved since then, was never seen or the game is over. Where a piece is on that stop now, only the
    frame of the mark is drawn.
    """
    stop, move = last_seen(scene.s)
    if not stop or move == scene.s.made or scene.is_over:
        return ""
    x, y = scene.layout.places[stop - 1]
    radius, is_held = scene.layout.radius, stop in _placed(scene).values()
    is_possible = scene.face.rules.options.aid and stop in possible_stops(scene.s)
    width, height = (side + (6 if is_held else 0) for side in token_size(radius))
    fill = f'fill="{POSSIBLE}" stroke="{INK}"' if is_possible else scene.look.paint("panel")
    body = rect(f'{fill} stroke-dasharray="3 2"', -width / 2, -height / 2, width, height, thick=2, radius=radius / 2)
    if not is_held:
        paint = f'fill="{INK}"' if is_possible else scene.look.paint("ink")
        body += label(paint, tag(0) if radius < SMALL else f"{tag(0)} {move}", str(stop), radius)
    title = escape(scene.face.say("piece.ghost", move=move))
    return at(x, y, f'<g id="ghost" pointer-events="none"><title>{title}</title>{body}</g>')
