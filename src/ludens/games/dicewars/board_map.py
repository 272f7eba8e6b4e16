"""The map of Dicewars as SVG: sea, rocks, areas with their dice, and the last battle."""

from __future__ import annotations

import math
from html import escape

from ludens.core.drawing import INK, LIGHT, at, group, ink, path, rect
from ludens.games.dicewars.board_goal import badge, draw_goals, draw_outlines
from ludens.games.dicewars.board_land import OUTSIDE
from ludens.games.dicewars.board_style import HALO, PLATE, SEA, STONE, Scene, dice_row, ground_of, patterns
from ludens.games.dicewars.record import END, NO_BATTLE, TOOK
from ludens.games.dicewars.sentences import largest_region, letter, moved_dice, new_dice

_LINE = f'fill="none" stroke="{INK}" stroke-linejoin="round" stroke-linecap="round"'


def area_id(area: int) -> str:
    """The SVG id of an area, counted from 0: 'area-3' for 2."""
    return f"area-{area + 1}"


def draw_map(scene: Scene) -> tuple[str, float]:
    """SVG of the whole map (the group with the id ``map``), and its height."""
    width, height = scene.measures.frame.width, scene.land.height
    water = f'class="faint" opacity="{scene.look.faint}" fill="{SEA}"'
    sea = "".join(rect(paint, 0, 0, width, height, radius=10) for paint in (scene.look.paint("cell"), water))
    pickable = _pickable(scene)
    grounds = "".join(_ground(scene, area) for area in range(scene.face.rules.areas))
    areas = "".join(_area(scene, area, pickable.get(area)) for area in range(scene.face.rules.areas))
    below = _unseen(grounds + _borders(scene) + _region(scene) + draw_outlines(scene) + _battle(scene))
    seen = "".join([_rocks(scene), below, areas, draw_goals(scene)])
    return group(
        scene.face.say("piece.map", n=scene.face.rules.areas), sea + _window(width, height, seen), "map"
    ), height


def defs(scene: Scene) -> str:
    """SVG ``<defs>``: ground patterns of the seats and outlines of the areas.

    If moves can be picked, also clip paths of the areas.
    """
    lands = "".join(f'<path id="land-{area + 1}" d="{line}"/>' for area, line in enumerate(scene.land.outlines))
    inner = "".join(
        f'<clipPath id="in-{i}"><use href="#land-{i}"/></clipPath>' for i in range(1, scene.face.rules.areas + 1)
    )
    return f"<defs>{patterns(scene.face.rules.seats)}{lands}{inner if scene.legal else ''}</defs>"


def _window(width: float, height: float, body: str) -> str:
    """Wrap SVG in a nested <svg>, which a page can zoom without the panels beside it."""
    box = f'width="{width:g}" height="{height:.5g}" viewBox="0 0 {width:g} {height:.5g}"'
    return f'<svg class="zoomable" {box}>{body}</svg>'


def _unseen(body: str) -> str:
    """Wrap SVG so that it ignores the pointer: what lies below can be clicked through it."""
    return f'<g pointer-events="none">{body}</g>'


# Land


def _rocks(scene: Scene) -> str:
    """SVG of the land that belongs to no area; '' if there is none."""
    if not scene.land.rocks:
        return ""
    body = path(f'fill="{STONE}" stroke="{INK}" stroke-linejoin="round"', scene.land.rocks, thick=1.2)
    return group(scene.face.say("piece.rock"), body, "rocks")


def _ground(scene: Scene, area: int) -> str:
    """SVG of an area filled with its owner's pattern."""
    paint = f'{ground_of(int(scene.s.owner[area]))} stroke="{INK}" stroke-width="1.2" stroke-linejoin="round"'
    return f'<use href="#land-{area + 1}" {paint}/>'


def _pickable(scene: Scene) -> dict[int, bool]:
    """The areas with a legal move, as keys; the value is False where all their moves are transfers of no dice."""
    pickable: dict[int, bool] = {}
    for action in scene.legal:
        if action != END:
            is_attack, source, target = scene.face.rules.pair_of(action)
            changes = is_attack or moved_dice(scene.face, scene.s, source, target) > 0
            pickable[source] = pickable.get(source, False) or changes
    return pickable


def _area(scene: Scene, area: int, is_pickable: bool | None) -> str:
    """SVG of an area: a shape that receives clicks, its label and, if it can be picked, a frame displayed while it is.

    ``is_pickable``: None if the area has no legal move, False if its moves change nothing.
    """
    kinds = {None: "", True: ' class="pick"', False: ' class="pick idle"'}[is_pickable]
    body = f'<use href="#land-{area + 1}" fill="none" pointer-events="all"/>'
    if is_pickable is not None:
        frame = f'class="then" display="none" {HALO} stroke-width="{scene.thick + 1:g}"'
        body += f'<use href="#land-{area + 1}" {frame} stroke-dasharray="7 6"/>'
    body += _label(scene, area, thick=2.4 if is_pickable else 0.8)
    return f'<g id="{area_id(area)}"{kinds}><title>{escape(_area_title(scene, area))}</title>{body}</g>'


def _area_title(scene: Scene, area: int) -> str:
    """The tooltip of an area: 'area 7: player 2 (B), 5 dice', and the number of new dice if there are any."""
    s, say = scene.s, scene.face.say
    owner = int(s.owner[area])
    told = say("piece.area", area=area + 1, player=owner + 1, letter=letter(owner), n=int(s.dice[area]))
    added = new_dice(s, area)
    return f"{told}, {say('piece.added', n=added)}" if added else told


def _borders(scene: Scene) -> str:
    """SVG of the thick lines between areas of different owners and along the coast."""
    owner = scene.s.owner
    lines = [
        line
        for (area, other), line in scene.land.shared.items()
        if other == OUTSIDE or (area < other and owner[area] != owner[other])
    ]
    return path(_LINE, "".join(lines), thick=scene.thick)


def _region(scene: Scene) -> str:
    """SVG of a light line around the largest region of the seat ``scene.seat``; '' once the game is over."""
    inside = largest_region(scene.s, scene.seat)
    lines = [line for (area, other), line in scene.land.shared.items() if area in inside and other not in inside]
    return path(HALO, "".join(lines), thick=scene.thick / 2) if lines and not scene.is_over else ""


# Labels


def _label(scene: Scene, area: int, thick: float) -> str:
    """SVG of an area's label, whose outline is ``thick`` wide.

    It shows the owner's letter above the area's number, the number of dice above as many squares, and a badge with the
    number of new dice.
    """
    s, size = scene.s, scene.measures.label
    dice, added = int(s.dice[area]), new_dice(s, area)
    width, height = 2 * PLATE[0] * size, 2 * PLATE[1] * size
    plate = f'fill="{LIGHT}" fill-opacity="0.92" stroke="{INK}"'
    body = rect(plate, -width / 2, -height / 2, width, height, thick=thick, radius=round(0.36 * size, 1))
    body += ink(-0.6 * size, -0.08 * size, letter(int(s.owner[area])), round(0.68 * size, 1), 700)
    body += ink(-0.6 * size, 0.62 * size, str(area + 1), round(0.66 * size, 1), 400)
    body += ink(0.46 * size, 0.28 * size, str(dice), round(1.08 * size, 1), 800)
    body += dice_row(0.46 * size, 0.46 * size, dice, round(0.11 * size, 1))
    if added:
        body += at(width / 2, height / 2, badge(f"+{added}", round(0.64 * size, 1)))
    return at(*scene.land.middles[area], body)


# The last battle


def _battle(scene: Scene) -> str:
    """SVG of an arrow from source to target of the last attack, dashed if it failed; '' before the first one."""
    s = scene.s
    if s.outcome == NO_BATTLE:
        return ""
    size, (source, target) = scene.measures.label, (scene.land.middles[int(area)] for area in (s.source, s.target))
    shaft, point = _arrow(source, target, size)
    dash = "" if s.outcome == TOOK else f' stroke-dasharray="{0.3 * size:.3g} {0.4 * size:.3g}"'
    thick = round(0.2 * size, 1)
    light = path(HALO, shaft + point, thick=thick + 3)
    return light + path(_LINE + dash, shaft, thick=thick) + path(_LINE, point, thick=thick)


def _arrow(source: tuple[float, float], target: tuple[float, float], size: float) -> tuple[str, str]:
    """The shaft and the head of an arrow between the centres (x, y) of two labels, as SVG paths (attribute ``d``).

    ``size`` is the labels' font size. The source's label hides the beginning of the shaft; the head ends before the
    target's label.
    """
    (x, y), (to_x, to_y) = source, target
    away = math.dist(source, target)
    ux, uy = (to_x - x) / away, (to_y - y) / away
    half = [side * size / abs(along) for side, along in zip(PLATE, (ux, uy), strict=True) if along]
    gap, head = min(half) + 3, 0.6 * size
    tip_x, tip_y = to_x - ux * gap, to_y - uy * gap
    wings = [(tip_x - head * (ux + side * uy * 0.7), tip_y - head * (uy - side * ux * 0.7)) for side in (1, -1)]
    one, two = (f"{wing_x:.5g} {wing_y:.5g}" for wing_x, wing_y in wings)
    return f"M{x:.5g} {y:.5g}L{tip_x:.5g} {tip_y:.5g}", f"M{one}L{tip_x:.5g} {tip_y:.5g}L{two}"
