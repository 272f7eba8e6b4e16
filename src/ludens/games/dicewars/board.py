"""Draws Dicewars as one SVG in two shapes, and names the elements of the picture that an action picks or marks.

What a person can pick has an id: first the area that acts (``area-3``), then its target (``go-3-7``), which appears
with its odds once the area is picked; or ``end``. The map is the group ``map``, the last battle ``battle``. Texts about
the current turn have the class ``now``: a page hides them if the game was stopped before its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludens.core import drawing
from ludens.core.drawing import check_shape, palette, stacked, wrap
from ludens.games.dicewars.board_goal import goal_id
from ludens.games.dicewars.board_land import arrange
from ludens.games.dicewars.board_map import area_id, defs, draw_map
from ludens.games.dicewars.board_side import battle_panel, end_button, legend, seat_panel
from ludens.games.dicewars.board_style import GAP, MEASURES, Scene
from ludens.games.dicewars.record import END
from ludens.games.dicewars.sentences import headline, status

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.dicewars.face import DicewarsFace


def picks(face: DicewarsFace, view: View, action: int) -> list[str]:
    """The ids of the SVG elements a person clicks to play ``action``, in order: source area, then target.

    Or ['end'].
    """
    if action == END:
        return ["end"]
    _, source, target = face.rules.pair_of(action)
    return [area_id(source), goal_id(source, target)]


def marks(face: DicewarsFace, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
    """The id of the SVG element of the area that a move attacked or gave dice to; [] after the end of a turn.

    ``view`` shows the position after ``seat`` played ``action``.
    """
    return [] if action == END else [area_id(face.rules.pair_of(action)[2])]


def svg(face: DicewarsFace, view: View, *, theme: str = "light", shape: str = "wide") -> str:
    """Draw the view as one SVG picture; ``shape`` is 'wide' or 'tall'.

    Moves can be picked only in a view of the seat to move or of the whole truth.
    """
    measures = MEASURES[check_shape(shape)]
    legal = tuple(view.legal) if view.seat in (-1, view.to_move) else ()
    land = arrange(view.raw.cells.tobytes(), face.rules.areas, measures.frame)
    scene = Scene(face, view, palette(theme), measures, land, legal)
    width, height, parts = (_wide if shape == "wide" else _tall)(scene)
    label = f"{face.say('title')}. {headline(face, scene.s)}. {'; '.join(status(face, scene.s))}."
    return scene.page(shape, label, width, height, parts, defs(scene))


def _wide(scene: Scene) -> tuple[float, float, list[str]]:
    """The wide picture: the map and its legend left; the button, the seats and the last battle right.

    Returns (width, height, SVG parts).
    """
    measures, width = scene.measures, scene.measures.frame.width + scene.measures.side + 3 * GAP
    told = "; ".join(status(scene.face, scene.s))
    parts = [
        scene.if_playing(scene.text("ink", GAP + 2, 36, headline(scene.face, scene.s), measures.title, 700)),
        scene.if_playing(scene.text("muted", width - GAP - 2, 36, told, 18, end="end")),
    ]
    left, left_end = stacked(GAP, 54, [draw_map(scene), legend(scene, measures.frame.width)])
    right, right_end = stacked(
        2 * GAP + measures.frame.width, 54, [end_button(scene), seat_panel(scene), battle_panel(scene)]
    )
    return width, max(left_end, right_end), [*parts, *left, *right]


def _tall(scene: Scene) -> tuple[float, float, list[str]]:
    """The tall picture, one column for a phone: map, button, last battle, seats, legend.

    Returns (width, height, SVG parts).
    """
    measures, parts, y = scene.measures, [], 24.0
    for line in wrap(headline(scene.face, scene.s), measures.title, measures.frame.width):
        parts.append(scene.if_playing(scene.text("ink", 7, y, line, measures.title, 700)))
        y += 22
    for line in wrap("; ".join(status(scene.face, scene.s)), 13, measures.frame.width):
        parts.append(scene.if_playing(scene.text("muted", 7, y - 2, line, 13)))
        y += 17
    sections = [
        draw_map(scene),
        end_button(scene),
        battle_panel(scene),
        seat_panel(scene),
        legend(scene, measures.side),
    ]
    column, height = stacked(6, y - 6, sections)
    return drawing.TALL_WIDTH, height, [*parts, *column]
