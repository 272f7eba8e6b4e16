"""Pictures of the pursuit game: one SVG in two shapes, the elements a person picks to move, and what a move changed.

What a person can pick has an id: the stop a move goes to (``stop-28``) and, where several tickets lead there, then the
ticket (``ticket-bus``, ``ticket-black``, ``ticket-double-taxi``); ``pass`` where there is no move. The map is the group
``map``; pieces are ``phantom`` and ``detective-1``, moves of the travel log ``move-3``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludens.core import drawing
from ludens.core.drawing import check_shape, palette, stacked, wrap
from ludens.games.pursuit.board_layout import arrange
from ludens.games.pursuit.board_map import draw_map
from ludens.games.pursuit.board_side import choices, legend, log_panel, piece_panel, ticket_id
from ludens.games.pursuit.board_style import GAP, MEASURES, Scene, drawn_modes
from ludens.games.pursuit.record import RODE
from ludens.games.pursuit.sentences import headline, phantom_stop, status

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.pursuit.face import PursuitFace


def picks(face: PursuitFace, view: View, action: int) -> list[str]:
    """The ids of the SVG elements a person clicks to play ``action``, in order.

    The stop, then the ticket if several tickets lead to that stop; ``["pass"]`` for a pass.
    """
    if action == 0:
        return ["pass"]
    kind, stop, twice = face.rules.action_parts(action)
    ways = [other for other in view.legal if face.rules.action_parts(other)[1] == stop]
    path = [f"stop-{stop}"]
    return path if len(ways) == 1 else [*path, ticket_id(list(face.rules.kinds), kind, twice)]


def marks(face: PursuitFace, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
    """The ids of the SVG elements that a move changed; there is always one.

    The detective that moved; else the phantom if the viewer knows where it is, or its last move in the travel log.
    ``view`` shows the position after ``seat`` played ``action``.
    """
    for event in heard:
        if event.kind == RODE:
            return [f"detective-{event.a}"]
    return ["phantom" if phantom_stop(view.raw) else f"move-{view.raw.made}"]


def svg(face: PursuitFace, view: View, *, theme: str = "light", shape: str = "wide") -> str:
    """The view as one SVG picture; ``shape`` is "wide" (screen) or "tall" (phone).

    Moves can be picked only in a view of the seat to move, or of the full state (seat -1).
    """
    measures = MEASURES[check_shape(shape)]
    legal = tuple(view.legal) if view.seat in (-1, view.to_move) else ()
    layout = arrange(face.rules.board, drawn_modes(face), measures.frame)
    scene = Scene(face, view, palette(theme), measures, layout, legal)
    width, height, parts = (_wide if shape == "wide" else _tall)(scene)
    label = f"{face.say('title')}. {headline(face, scene.s)}. {'; '.join(status(face, scene.s))}."
    return scene.page(shape, label, width, height, parts)


def _wide(scene: Scene) -> tuple[float, float, list[str]]:
    """The wide picture: map and legend on the left, tickets and travel log on the right.

    Returns (width, height, SVG parts).
    """
    measures, width = scene.measures, scene.measures.frame.width + scene.measures.side + 3 * GAP
    told = "; ".join(status(scene.face, scene.s))
    parts = [
        scene.text("ink", GAP + 2, 36, headline(scene.face, scene.s), measures.title, 700),
        scene.text("muted", width - GAP - 2, 36, told, 16, end="end"),
    ]
    left, left_end = stacked(GAP, 54, [draw_map(scene), legend(scene, measures.frame.width)])
    right, right_end = stacked(
        2 * GAP + measures.frame.width, 54, [*choices(scene), piece_panel(scene), log_panel(scene)]
    )
    return width, max(left_end, right_end), [*parts, *left, *right]


def _tall(scene: Scene) -> tuple[float, float, list[str]]:
    """The tall picture: one column, the map first.

    Returns (width, height, SVG parts).
    """
    measures, parts, y = scene.measures, [], 24.0
    for line in wrap(headline(scene.face, scene.s), measures.title, measures.frame.width):
        parts.append(scene.text("ink", 7, y, line, measures.title, 700))
        y += 22
    for line in wrap("; ".join(status(scene.face, scene.s)), 13, measures.frame.width):
        parts.append(scene.text("muted", 7, y - 2, line, 13))
        y += 17
    sections = [draw_map(scene), *choices(scene), legend(scene, measures.side), piece_panel(scene), log_panel(scene)]
    column, height = stacked(6, y - 6, sections)
    return drawing.TALL_WIDTH, height, [*parts, *column]
