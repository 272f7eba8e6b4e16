"""What a picked area of Dicewars could do, drawn over the map: the outline of each target, and a badge with the odds.

``go-3-7`` is there only while area 3 is picked, and picking it plays the move. To attack, all of area 7 can be picked;
to move dice only the badge, so that a pick of another own area is a change of mind and never a move.
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

_SIZE, _IDLE_SIZE = 0.8, 0.62  # of a badge's font, in sizes of the map's; of one that would change nothing
_FINGER = (2.2, 2)  # width and height of what can be picked of a badge, in sizes of the map's font


class _Goal(NamedTuple):
    """A move of a picked area."""

    is_attack: bool
    source: int
    target: int
    title: str
    told: str  # on the badge

    @property
    def is_idle(self) -> bool:
        return self.told == "+0"

    @property
    def size(self) -> float:
        return _IDLE_SIZE if self.is_idle else _SIZE


class _Box(NamedTuple):
    """A rectangle by its middle and half its width and height."""

    x: float
    y: float
    across: float
    down: float

    def overlap(self, other: _Box) -> float:
        """The surface both cover."""
        across = min(self.x + self.across, other.x + other.across) - max(self.x - self.across, other.x - other.across)
        down = min(self.y + self.down, other.y + other.down) - max(self.y - self.down, other.y - other.down)
        return across * down if across > 0 and down > 0 else 0.0


def goal_id(source: int, target: int) -> str:
    return f"go-{source + 1}-{target + 1}"


def badge(words: str, size: float) -> str:
    """Light words on a dark plate around (0, 0)."""
    across, down = _half(words, size)
    body = rect(BADGE, -across, -down, 2 * across, 2 * down, radius=round(0.5 * size, 1))
    return body + drawing.text(f'fill="{LIGHT}"', 0, 0.36 * size, words, size, weight=700, anchor="middle")


def _half(words: str, size: float) -> tuple[float, float]:
    """Half the width and height of a badge."""
    return len(words) * size * drawing.LETTER / 2 + 0.4 * size, 0.75 * size


def draw_outlines(scene: Scene) -> str:
    """Below all labels: a line just inside each target, shown together with its badge."""
    thick = 2 * scene.thick + 2  # half of it is cut away
    parts = []
    for goal in _goals(scene):
        if not goal.is_idle:
            shown = f'class="then" display="none" data-with="{goal_id(goal.source, goal.target)}"'
            cut = f'clip-path="url(#in-{goal.target + 1})" stroke-width="{thick:g}"'
            parts.append(f'<use href="#land-{goal.target + 1}" {shown} {HALO} {cut}/>')
    return "".join(parts)


def draw_goals(scene: Scene) -> str:
    """Above all labels: what can be picked, with its badge, the lower ones over the higher ones."""
    goals: dict[int, list[_Goal]] = {}
    for goal in sorted(_goals(scene), key=lambda goal: scene.land.middles[goal.target][1]):
        goals.setdefault(goal.source, []).append(goal)
    plates = [_Box(x, y, *(half * scene.measures.label for half in PLATE)) for x, y in scene.land.middles]
    return "".join(part for several in goals.values() for part in _of_one_source(scene, several, plates))


def _goals(scene: Scene) -> Iterator[_Goal]:
    for action in scene.legal:
        if action != END:
            is_attack, source, target = scene.face.rules.pair_of(action)
            title, told = (_attack_words if is_attack else _transfer_words)(scene, source, target)
            yield _Goal(is_attack, source, target, title, told)


def _of_one_source(scene: Scene, goals: list[_Goal], plates: list[_Box]) -> Iterator[str]:
    """The goals that are seen together; no badge hides another one or, if it can be helped, a label."""
    taken = list(plates)
    for goal in goals:
        place = _free_place(scene, goal, taken)
        taken.append(place)
        yield _draw(scene, goal, place)


def _free_place(scene: Scene, goal: _Goal, taken: list[_Box]) -> _Box:
    """Where the badge covers least: above its label, below it, or beside it."""
    size, (x, y) = scene.measures.label, scene.land.middles[goal.target]
    across, down = _half(goal.told, goal.size * size)
    aside, off = PLATE[0] * size + across, PLATE[1] * size + down
    places = [_Box(x + dx, y + dy, across, down) for dx, dy in ((0, -off), (0, off), (aside, 0), (-aside, 0))]
    return min(places, key=lambda place: (not _is_inside(scene, place), round(sum(map(place.overlap, taken)))))


def _is_inside(scene: Scene, place: _Box) -> bool:
    """Whether the map holds all of a badge."""
    return place.across <= place.x <= scene.measures.frame.width - place.across and (
        place.down <= place.y <= scene.land.height - place.down
    )


def _draw(scene: Scene, goal: _Goal, place: _Box) -> str:
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
    moved = moved_dice(scene.face, scene.s, source, target)
    key = "piece.transfer" if moved else "piece.no-transfer"
    return scene.face.say(key, target=target + 1, n=moved), f"+{moved}"
