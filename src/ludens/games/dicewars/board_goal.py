"""Targets of a picked area on the Dicewars map: an outline of each target, and a badge with the odds or the dice moved.

The group ``go-3-7`` is displayed only while area 3 is picked; picking it plays the move from area 3 to area 7. For an
attack all of area 7 can be picked. For a transfer only the badge can, because picking another own area must select that
area and never play a move.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from ludens.core import drawing
from ludens.core.drawing import LIGHT, at, hit, rect
from ludens.games.dicewars.board_style import BADGE, HALO, PLATE, Scene
from ludens.games.dicewars.record import END
from ludens.games.dicewars.sentences import chance_of, letter, moved_dice, per_cent

_SIZE, _IDLE_SIZE = 0.8, 0.62  # of a badge's font, relative to the map's; of a transfer of no dice
_FINGER = (2.2, 2)  # width and height of a badge's click target, relative to the map's font


class _Goal(NamedTuple):
    """A legal attack or transfer as it is drawn: its two areas, its tooltip and the text of its badge."""

    is_attack: bool
    source: int
    target: int
    title: str  # its tooltip
    told: str  # text of its badge

    @property
    def is_idle(self) -> bool:
        """Whether it is a transfer that would move no dice."""
        return self.told == "+0"

    @property
    def size(self) -> float:
        """Font size of its badge, relative to the labels of the map."""
        return _IDLE_SIZE if self.is_idle else _SIZE


class _Box(NamedTuple):
    """A rectangle: its centre, half its width and half its height."""

    x: float
    y: float
    across: float
    down: float

    def overlap(self, other: _Box) -> float:
        """The area that both rectangles cover."""
        across = min(self.x + self.across, other.x + other.across) - max(self.x - self.across, other.x - other.across)
        down = min(self.y + self.down, other.y + other.down) - max(self.y - self.down, other.y - other.down)
        return across * down if across > 0 and down > 0 else 0.0


def goal_id(source: int, target: int) -> str:
    """The SVG id of the move between two areas, counted from 0: 'go-3-7' for areas 2 and 6."""
    return f"go-{source + 1}-{target + 1}"


def badge(words: str, size: float) -> str:
    """SVG of light text on a dark plate centred at (0, 0); ``size`` is the font size."""
    across, down = _half(words, size)
    body = rect(BADGE, -across, -down, 2 * across, 2 * down, radius=round(0.5 * size, 1))
    return body + drawing.text(f'fill="{LIGHT}"', 0, 0.36 * size, words, size, weight=700, anchor="middle")


def _half(words: str, size: float) -> tuple[float, float]:
    """Half the width and half the height of a badge with this text and font size, in units of the picture."""
    return len(words) * size * drawing.LETTER / 2 + 0.4 * size, 0.75 * size


def draw_outlines(scene: Scene) -> str:
    """SVG of a line just inside each target of a legal move, displayed together with its badge.

    To be drawn below all labels.
    """
    thick = 2 * scene.thick + 2  # the clip path removes the outer half
    parts = []
    for goal in _goals(scene):
        if not goal.is_idle:
            shown = f'class="then" display="none" data-with="{goal_id(goal.source, goal.target)}"'
            cut = f'clip-path="url(#in-{goal.target + 1})" stroke-width="{thick:g}"'
            parts.append(f'<use href="#land-{goal.target + 1}" {shown} {HALO} {cut}/>')
    return "".join(parts)


def draw_goals(scene: Scene) -> str:
    """SVG of the targets of all legal moves, which can be picked, with their badges; to be drawn above all labels.

    Where badges of one source overlap, those further down the map are on top.
    """
    goals: dict[int, list[_Goal]] = {}
    for goal in sorted(_goals(scene), key=lambda goal: scene.land.middles[goal.target][1]):
        goals.setdefault(goal.source, []).append(goal)
    plates = [_Box(x, y, *(half * scene.measures.label for half in PLATE)) for x, y in scene.land.middles]
    return "".join(part for several in goals.values() for part in _of_one_source(scene, several, plates))


def _goals(scene: Scene) -> Iterator[_Goal]:
    """Yield every legal attack and transfer, with its tooltip and the text of its badge."""
    for action in scene.legal:
        if action != END:
            is_attack, source, target = scene.face.rules.pair_of(action)
            title, told = (_attack_words if is_attack else _transfer_words)(scene, source, target)
            yield _Goal(is_attack, source, target, title, told)


def _of_one_source(scene: Scene, goals: list[_Goal], plates: list[_Box]) -> Iterator[str]:
    """Yield the SVG of each target (``goals``) of one source; a page displays them together.

    Their badges do not hide one another or, if possible, the labels, whose boxes are ``plates``.
    """
    taken = list(plates)
    for goal in goals:
        place = _free_place(scene, goal, taken)
        taken.append(place)
        yield _draw(scene, goal, place)


def _free_place(scene: Scene, goal: _Goal, taken: list[_Box]) -> _Box:
    """The best box for the badge of a target: above, below or beside the area's label.

    A box inside the map is preferred, then the one that overlaps the boxes ``taken`` least.
    """
    size, (x, y) = scene.measures.label, scene.land.middles[goal.target]
    across, down = _half(goal.told, goal.size * size)
    aside, off = PLATE[0] * size + across, PLATE[1] * size + down
    places = [_Box(x + dx, y + dy, across, down) for dx, dy in ((0, -off), (0, off), (aside, 0), (-aside, 0))]
    return min(places, key=lambda place: (not _is_inside(scene, place), round(sum(map(place.overlap, taken)))))


def _is_inside(scene: Scene, place: _Box) -> bool:
    """Whether the box of a badge lies completely inside the map."""
    return place.across <= place.x <= scene.measures.frame.width - place.across and (
        place.down <= place.y <= scene.land.height - place.down
    )


def _draw(scene: Scene, goal: _Goal, place: _Box) -> str:
    """SVG of a target: what can be picked, its tooltip, and its badge in the box ``place``.

    Of an attack all of the area can be picked, of a transfer only the badge.
    """
    size = scene.measures.label
    if goal.is_attack:
        body = f'<use href="#land-{goal.target + 1}" fill="none" pointer-events="all"/>'
    else:
        across, down = (side * size for side in _FINGER)
        body = hit(place.x - across / 2, place.y - down / 2, across, down)
    shown = badge(goal.told, round(goal.size * size, 1))
    body += at(place.x, place.y, f'<g opacity="0.6">{shown}</g>' if goal.is_idle else shown)
    kinds = "pick then idle" if goal.is_idle else "pick then"
    name = f'id="{goal_id(goal.source, goal.target)}" class="{kinds}" display="none"'
    return f"<g {name}><title>{escape(goal.title)}</title>{body}</g>"


def _attack_words(scene: Scene, source: int, target: int) -> tuple[str, str]:
    """The tooltip of an attack between two areas (from 0), and the text of its badge: the chance of success."""
    s = scene.s
    odds, owner = per_cent(chance_of(scene.face, s, source, target)), int(s.owner[target])
    title = scene.face.say(
        "piece.attack",
        target=target + 1,
        player=owner + 1,
        letter=letter(owner),
        attack=int(s.dice[source]),
        defence=int(s.dice[target]),
        odds=odds,
    )
    return title, odds


def _transfer_words(scene: Scene, source: int, target: int) -> tuple[str, str]:
    """The tooltip of a transfer between two areas (from 0), and the text of its badge: the dice moved, as '+3'."""
    moved = moved_dice(scene.face, scene.s, source, target)
    key = "piece.transfer" if moved else "piece.no-transfer"
    return scene.face.say(key, target=target + 1, n=moved), f"+{moved}"
