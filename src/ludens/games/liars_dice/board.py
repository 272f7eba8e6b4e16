"""The picture of Liar's Dice: one SVG in two shapes, the element ids of each action, and what a move changed.

Dice show pips and a number; dice that count in a reveal are framed and ticked. What a person can pick has an id:
``liar``, ``exact``, and with up to fifteen dice every bid (``bid-3-4`` for three fours) in one grid. With more dice the
grid would be too large for a phone: a bid is then picked in two steps, ``quantity-3`` then ``face-4``, in both shapes,
and the probabilities are shown in a table of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ludens.core import drawing, ops
from ludens.core.drawing import Section, at, check_shape, circle, fit, group, palette, path, rect, stacked, wrap
from ludens.games.liars_dice import odds, rules
from ludens.games.liars_dice.sentences import (
    bid_text,
    bid_words,
    bidders,
    chances,
    change_text,
    faces_of,
    headline,
    last_bid,
    matches,
    percent,
    player,
    reveal_line,
    table_line,
)

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.liars_dice.face import LiarsDiceFace

MOST_IN_GRID = 15  # dice at the start; with more a bid is picked in two steps


# Picks and marks


def _is_grid(face: LiarsDiceFace) -> bool:
    """Whether bids are picked from one grid; if not, first a quantity is picked, then a face."""
    return sum(face.rules.start_dice) <= MOST_IN_GRID


def picks(face: LiarsDiceFace, view: View, action: int) -> list[str]:
    """The ids of the SVG elements to click for ``action``, in order: a call, a bid, or a quantity and a face."""
    if action >= face.rules.liar:
        return [face.rules.action_text(action)]
    quantity, pips = face.rules.bid_of(action)
    return [f"bid-{quantity}-{pips}"] if _is_grid(face) else [f"quantity-{quantity}", f"face-{pips}"]


def marks(face: LiarsDiceFace, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
    """The ids of the SVG elements that ``action`` has changed: the last bid, or the reveal of a call."""
    return ["last-bid" if action < face.rules.liar else "reveal"]


# The two pictures


class Measures(NamedTuple):
    """Sizes and counts for one shape of the picture, in its units."""

    width: float  # of the column with what can be picked
    side: float  # of the column with the other players and the reveal
    die: float  # of the viewer's own dice
    cell: float  # height of a cell in the grid, or of a button for a quantity
    is_across: bool  # quantities run across the grid, not down
    columns: int  # of buttons for quantities
    chips: int  # bids of this round in one row
    chip_rows: int
    title: float  # font size of the headline


MEASURES = {
    "wide": Measures(720, 384, 50, 44, True, 14, 8, 2, 22),
    "tall": Measures(388, 388, 46, 49, False, 7, 6, 3, 17),
}
GAP, PAD = 12, 12
SHOWN_DIE = 28


@dataclass(frozen=True)
class Scene(drawing.Scene):
    """What the drawing functions share: view, colours, measures, legal actions, and the probability of each bid."""

    face: LiarsDiceFace
    measures: Measures
    legal: frozenset[int]
    chances: np.ndarray

    @property
    def has_aid(self) -> bool:
        """Whether the picture shows probabilities (the option ``aid``)."""
        return self.face.rules.options.aid


def svg(face: LiarsDiceFace, view: View, *, theme: str = "light", shape: str = "wide") -> str:
    """The view as one SVG picture; ``shape`` is "wide", or "tall" for phones."""
    measures = MEASURES[check_shape(shape)]
    scene = Scene(face, view, palette(theme), measures, frozenset(view.legal), chances(face, view))
    width, height, parts = (_wide if shape == "wide" else _tall)(scene)
    label = f"{face.say('title')}. {headline(face, scene.s)}. {table_line(face, scene.s)}."
    return scene.page(shape, label, width, height, parts)


def _wide(scene: Scene) -> tuple[float, float, list[str]]:
    """The wide picture (left bid, own dice, choices; right others, reveal) as (width, height, SVG parts)."""
    measures, width = scene.measures, scene.measures.width + scene.measures.side + 3 * GAP
    parts = [
        scene.text("ink", GAP + 2, 36, headline(scene.face, scene.s), measures.title, 700),
        scene.text("muted", width - GAP - 2, 36, table_line(scene.face, scene.s), 16, end="end"),
    ]
    if scene.is_over:
        large = [(at(0, 0, body, 1.6), 1.6 * height) for body, height in _reveal(scene, measures.width / 1.6)]
        left, right = [*large, _own_panel(scene)], _others(scene)
    else:
        left = [_bid_panel(scene), _own_panel(scene), *_choices(scene)]
        right = [*_others(scene), *_reveal(scene, measures.side)]
    main, main_end = stacked(GAP, 54, left)
    side, side_end = stacked(2 * GAP + measures.width, 54, right)
    return width, max(main_end, side_end), [*parts, *main, *side]


def _tall(scene: Scene) -> tuple[float, float, list[str]]:
    """The tall picture, one column (bid, own dice, choices, others, reveal), as (width, height, SVG parts)."""
    lines = wrap(headline(scene.face, scene.s), scene.measures.title, scene.measures.width)
    parts = [scene.text("ink", 7, 24 + 22 * i, line, scene.measures.title, 700) for i, line in enumerate(lines)]
    parts.append(scene.text("muted", 7, 22 + 22 * len(lines), table_line(scene.face, scene.s), 13))
    reveal = _reveal(scene, scene.measures.side)
    if scene.is_over:
        sections = [*reveal, _own_panel(scene), *_others(scene)]
    else:
        sections = [_bid_panel(scene), _own_panel(scene), *_choices(scene), *_others(scene), *reveal]
    column, height = stacked(6, 32 + 22 * len(lines), sections)
    return drawing.TALL_WIDTH, height, [*parts, *column]


# Dice

IVORY, PIP = 'fill="#fffdf5" stroke="#77736c"', 'fill="#23262b"'
LOW, MID, HIGH = 0.26, 0.5, 0.74
PIPS = (
    ((MID, MID),),
    ((LOW, LOW), (HIGH, HIGH)),
    ((LOW, LOW), (MID, MID), (HIGH, HIGH)),
    ((LOW, LOW), (HIGH, LOW), (LOW, HIGH), (HIGH, HIGH)),
    ((LOW, LOW), (HIGH, LOW), (MID, MID), (LOW, HIGH), (HIGH, HIGH)),
    ((LOW, LOW), (HIGH, LOW), (LOW, MID), (HIGH, MID), (LOW, HIGH), (HIGH, HIGH)),
)


def _die(size: float, face: int) -> str:
    """SVG of a die that shows ``face`` (from 1) in pips, ``size`` wide."""
    pips = "".join(circle(PIP, x * size, y * size, 0.1 * size, thick=0) for x, y in PIPS[face - 1])
    return rect(IVORY, 0, 0, size, size, thick=1.5, radius=0.18 * size) + pips


def _named_die(scene: Scene, size: float, face: int, font: float) -> str:
    """SVG of a die, ``size`` wide, with its number in font size ``font`` below it, and a star if it is wild now."""
    star = "★" if face == scene.face.rules.wild_face and not scene.s.wild_off else ""
    return _die(size, face) + scene.text("ink", size / 2, size + font + 1, f"{face}{star}", font, 700, "middle")


def _shown_die(scene: Scene, face: int, is_match: bool) -> str:
    """SVG of a die of the last reveal (``face`` from 1), framed and ticked if it counts for the bid (``is_match``)."""
    size, font = SHOWN_DIE, 13
    number = scene.text("ink", size / 2 - 5 * is_match, size + font + 3, str(face), font, 700, "middle")
    if not is_match:
        return _die(size, face) + number
    frame = rect(scene.look.paint("accent-line"), -3, -3, size + 6, size + 6, thick=3, radius=7)
    tick = path(scene.look.paint("accent-line"), f"M{size / 2 + 1} {size + 11}l4 5l7 -10", thick=2.5)
    return frame + _die(size, face) + number + tick


def _backs(scene: Scene, count: int, size: float) -> str:
    """SVG of ``count`` hidden dice of another player, each a question mark, ``size`` wide."""
    drawn = []
    for i in range(count):
        back = rect(scene.look.paint("cell"), 0, 0, size, size, radius=5)
        back += scene.text("muted", size / 2, size * 0.74, "?", size * 0.66, 700, "middle")
        drawn.append(at(i * (size + 5), 0, back))
    return "".join(drawn)


# The last bid


def _bid_panel(scene: Scene) -> Section:
    """The panel of the last bid in large type, with all bids of this round, as a section."""
    measures, is_wide = scene.measures, scene.measures.is_across
    rows = (
        measures.chip_rows
        if is_wide
        else -(-min(int(scene.s.made), measures.chips * measures.chip_rows) // measures.chips)
    )
    height = 128 if is_wide else 118 + (rows * 46 + 26 if rows else 0)
    body = scene.panel(measures.width, height) + at(PAD, 0, _last_bid(scene))
    x, y = (246, 28) if is_wide else (PAD, 136)
    if scene.s.made:
        body += scene.text("muted", x, y - 6, scene.face.say("label.bids"), 14) + at(x, y + 2, _chips(scene))
    title = scene.face.say("piece.no-bid")
    if scene.s.made:
        who = bidders(scene.face, scene.s)[-1] + 1
        title = scene.face.say("piece.bid", bid=bid_words(scene.face, last_bid(scene.s)), player=who)
    return group(title, body, "last-bid"), height


def _last_bid(scene: Scene) -> str:
    """SVG of the last bid in large type: quantity, die, who made it and, with aid, its probability."""
    face, s = scene.face, scene.s
    if not s.made:
        return scene.text("muted", 0, 62, face.say("label.none"), 18)
    quantity, pips = face.rules.bid_of(last_bid(s))
    who = face.say("label.by", player=bidders(face, s)[-1] + 1)
    if scene.has_aid:
        who += f", {face.say('label.chance', percent=percent(face, float(scene.chances[last_bid(s)])))}"
    x = 98 if quantity > 9 else 66  # left edge of the die, after one digit or two
    return (
        scene.text("muted", 0, 22, face.say("label.last"), 14)
        + scene.text("ink", 0, 76, str(quantity), 48, 700)
        + scene.text("ink", x - 15, 72, "×", 30, 700, "middle")
        + at(x + 4, 34, _die(50, pips))
        + scene.text("ink", x + 64, 69, str(pips), 28, 700)
        + scene.text("muted", 0, 106, who, 14)
    )


def _chips(scene: Scene) -> str:
    """SVG of all bids of this round with their bidders, oldest first; of many the latest, and how many are left out."""
    made = list(zip(bidders(scene.face, scene.s), (int(bid) for bid in scene.s.bids), strict=False))
    most = scene.measures.chips * scene.measures.chip_rows
    chips = [(scene.face.say("player.tag", player=seat + 1), bid_text(scene.face, bid)) for seat, bid in made]
    if len(chips) > most:
        chips = [("…", f"+{len(chips) - most + 1}"), *chips[len(chips) - most + 1 :]]
    pitch = (scene.measures.width - (246 if scene.measures.is_across else PAD) - PAD + 6) / scene.measures.chips
    drawn = []
    for i, (who, bid) in enumerate(chips):
        chip = rect(scene.look.paint("cell"), 0, 0, pitch - 6, 40, radius=6)
        chip += scene.text("muted", (pitch - 6) / 2, 15, who, 12, end="middle")
        chip += scene.text("ink", (pitch - 6) / 2, 33, bid, 16, 700, "middle")
        drawn.append(at(i % scene.measures.chips * pitch, i // scene.measures.chips * 46, chip))
    return "".join(drawn)


# Players


def _is_turn(scene: Scene, seat: int) -> bool:
    """Whether it is this seat's turn to bid or call."""
    return bool(scene.s.phase == rules.BIDDING and scene.s.turn == seat)


def _dice_left(scene: Scene, seat: int) -> str:
    """The number of dice a seat has left, as text; 'out' if none."""
    held = int(scene.s.held[seat])
    return scene.face.say("count.dice", n=held) if held else scene.face.say("player.out")


def _player_panel(scene: Scene, seat: int, width: float, height: float, body: str) -> Section:
    """A panel with a seat's name and number of dice around ``body`` (SVG), as a section; thick if it is to move."""
    name, held = player(scene.face, scene.view, seat), _dice_left(scene, seat)
    plate = scene.panel(width, height, "panel turn", 3) if _is_turn(scene, seat) else scene.panel(width, height)
    plate += scene.text("ink", PAD, 24, name, 16, 700)
    plate += scene.text("muted", width - PAD, 24, held, 15, end="end")
    return group(scene.face.say("player.held", who=name, dice=held), plate + body, f"player-{seat + 1}"), height


def _own_panel(scene: Scene) -> Section:
    """The panel of the viewer with its dice face up, as a section."""
    die = scene.measures.die
    dice = faces_of(scene.s.dice[scene.viewer])
    drawn = "".join(at(PAD + i * (die + 9), 36, _named_die(scene, die, face, 17)) for i, face in enumerate(dice))
    height = 36 + die + 28 if dice else 38
    return _player_panel(scene, scene.viewer, scene.measures.width, height, drawn)


def _others(scene: Scene) -> list[Section]:
    """The panels of the other players as sections, in turn order after the viewer."""
    seats = [(scene.viewer + 1 + i) % scene.face.rules.seats for i in range(scene.face.rules.seats - 1)]
    return [_other_panel(scene, seat) for seat in seats]


def _other_panel(scene: Scene, seat: int) -> Section:
    """The panel of another player, as a section: dice hidden, or face up where the whole truth is drawn."""
    known = faces_of(scene.s.dice[seat])
    if known:
        dice = "".join(at(PAD + i * 33, 34, _named_die(scene, 28, face, 13)) for i, face in enumerate(known))
        return _player_panel(scene, seat, scene.measures.side, 82, dice)
    if scene.is_over or not scene.s.held[seat]:
        return _player_panel(scene, seat, scene.measures.side, 38, "")
    return _player_panel(scene, seat, scene.measures.side, 68, at(PAD, 33, _backs(scene, int(scene.s.held[seat]), 25)))


# What can be done


def _choices(scene: Scene) -> list[Section]:
    """The sections of what can be picked: the calls, then the bids."""
    return [_calls(scene), _grid(scene) if _is_grid(scene.face) else _two_steps(scene)]


def _calls(scene: Scene) -> Section:
    """The buttons ``liar`` and, where it is played, ``exact``, as a section; pale while there is no bid."""
    face, bid = scene.face, last_bid(scene.s)
    names = ["liar", "exact"] if face.rules.options.exact else ["liar"]
    likely = {"liar": 0.0, "exact": 0.0}
    if bid >= 0:
        likely["liar"] = 1 - float(scene.chances[bid])
        likely["exact"] = float(odds.exact_chance(ops.open_constants(face.rules.constants), scene.s, scene.viewer, bid))
    width = (scene.measures.width + GAP) / len(names) - GAP
    drawn = [at(i * (width + GAP), 0, _call(scene, name, width, likely[name])) for i, name in enumerate(names)]
    return "".join(drawn), 52


def _call(scene: Scene, name: str, width: float, likely: float) -> str:
    """SVG of the button of a call, 'liar' or 'exact'; with aid it shows ``likely``, the chance that it succeeds."""
    face = scene.face
    action = face.rules.liar + (name == "exact")
    is_open = action in scene.legal
    body = scene.panel(width, 52, "panel" if is_open else "cell", 2 if is_open else 1)
    label = face.say(f"label.{name}")
    if not is_open:
        return group(face.say(f"piece.{name}"), body + scene.text("muted", width / 2, 33, label, 20, 400, "middle"))
    if not scene.has_aid:
        body += scene.text("ink", width / 2, 33, label, 22, 700, "middle")
        return group(face.say(f"piece.{name}"), body, name, pick=True)
    told = percent(face, likely)
    body += scene.text("ink", width / 2, 25, label, 21, 700, "middle")
    body += scene.text("muted", width / 2, 44, face.say("label.chance", percent=told), 14, end="middle")
    return group(face.say(f"piece.{name}-chance", percent=told), body, name, pick=True)


def _grid(scene: Scene) -> Section:
    """The grid of all bids on the dice left, as a section: quantities across, faces down (the other way if tall)."""
    measures, faces, total = scene.measures, scene.face.rules.options.faces, int(scene.s.total)
    head = 34  # space for the dice that name the faces
    if measures.is_across:
        pitch, rows = min((measures.width - 2 * PAD - head) / total, 120), faces
        height = rows * measures.cell + 2 * PAD
    else:
        pitch, rows = (measures.width - 2 * PAD) / faces, total
        height = head + rows * measures.cell + 2 * PAD - 6
    body = [scene.panel(measures.width, height)]
    for face in range(1, faces + 1):
        x = PAD if measures.is_across else PAD + (face - 0.5) * pitch - 13
        y = PAD + (face - 0.5) * measures.cell - 13 if measures.is_across else PAD - 4
        body.append(at(x, y, _die(26, face)))
        for quantity in range(1, total + 1):
            column, row = (quantity, face) if measures.is_across else (face, quantity)
            x = PAD + (head if measures.is_across else 0) + (column - 1) * pitch
            y = PAD + (0 if measures.is_across else head - 6) + (row - 1) * measures.cell
            bid = (quantity - 1) * faces + face - 1
            body.append(at(x, y, _bid_cell(scene, bid, pitch, measures.cell)))
    return "".join(body), height


def _bid_cell(scene: Scene, bid: int, pitch: float, high: float) -> str:
    """SVG of one bid (its id) in the grid, in a cell of this width and height: a button if legal, else pale."""
    width, height, middle = pitch - 2, high - 2, (pitch - 2) / 2
    if bid not in scene.legal:
        body = rect(scene.look.paint("cell"), 0, 0, width, height, radius=5, thick=0.5)
        made = [int(other) for other in scene.s.bids[: scene.s.made]]
        if bid in made:
            who = bidders(scene.face, scene.s)[made.index(bid)] + 1
            body += scene.text("muted", middle, height / 2 - 2, bid_text(scene.face, bid), 13, end="middle")
            tag = scene.face.say("player.tag", player=who)
            body += scene.text("muted", middle, height / 2 + 13, tag, 12, 700, "middle")
        return body
    quantity, face = scene.face.rules.bid_of(bid)
    body = rect(scene.look.paint("panel"), 0, 0, width, height, radius=5)
    words = bid_words(scene.face, bid)
    if not scene.has_aid:
        body += scene.text("ink", middle, height / 2 + 5, bid_text(scene.face, bid), 15, 700, "middle")
        return group(words, body, f"bid-{quantity}-{face}", pick=True)
    chance = float(scene.chances[bid])
    told = percent(scene.face, chance)
    body += scene.text("ink", middle, height / 2 - 5, bid_text(scene.face, bid), 14, 700, "middle")
    body += scene.text("muted", middle, height / 2 + 10, told, 12, end="middle")
    body += rect(scene.look.paint("accent"), 3, height - 7, chance * (width - 6), 4, radius=2, thick=0)
    return group(scene.face.say("piece.chance", bid=words, percent=told), body, f"bid-{quantity}-{face}", pick=True)


# With many dice: a quantity, then a face


def _two_steps(scene: Scene) -> Section:
    """The buttons for a quantity and for a face, instead of the grid, as a section; with aid a table of chances."""
    measures, faces, total = scene.measures, scene.face.rules.options.faces, int(scene.s.total)
    bids = [scene.face.rules.bid_of(bid) for bid in scene.legal if bid < scene.face.rules.liar]
    open_quantities, open_faces = {quantity for quantity, _ in bids}, {face for _, face in bids}
    pitch = (measures.width - 2 * PAD + 3) / measures.columns
    parts = [scene.text("muted", PAD, 22, scene.face.say("label.quantity"), 14)]
    for quantity in range(1, total + 1):
        row, column = divmod(quantity - 1, measures.columns)
        button = _quantity(scene, quantity, pitch - 3, quantity in open_quantities)
        parts.append(at(PAD + column * pitch, 32 + row * (measures.cell + 2), button))
    y = 32 + -(-total // measures.columns) * (measures.cell + 2) + 22
    parts.append(scene.text("muted", PAD, y, scene.face.say("label.face"), 14))
    pitch = (measures.width - 2 * PAD + 6) / faces
    for face in range(1, faces + 1):
        parts.append(at(PAD + (face - 1) * pitch, y + 10, _face(scene, face, pitch - 6, face in open_faces)))
    y += 10 + 62
    if scene.has_aid:
        table, height = _chance_table(scene)
        parts.append(at(PAD, y, table))
        y += height
    return scene.panel(measures.width, y + PAD) + "".join(parts), y + PAD


def _quantity(scene: Scene, quantity: int, width: float, is_open: bool) -> str:
    """SVG of the button for a quantity; pale unless ``is_open``: some legal bid has it."""
    height, title = scene.measures.cell, scene.face.say("count.dice", n=quantity)
    body = _button(scene, width, height, is_open)
    if not is_open:
        return body + scene.text("muted", width / 2, height / 2 + 6, str(quantity), 16, 400, "middle")
    body += scene.text("ink", width / 2, height / 2 + 6, str(quantity), 18, 700, "middle")
    return group(title, body, f"quantity-{quantity}", pick=True)


def _button(scene: Scene, width: float, height: float, is_open: bool) -> str:
    """SVG of the empty rectangle of a button; pale unless ``is_open``: it can be picked."""
    paint = scene.look.paint("panel" if is_open else "cell")
    return rect(paint, 0, 0, width, height, radius=5, thick=1 if is_open else 0.5)


def _face(scene: Scene, face: int, width: float, is_open: bool) -> str:
    """SVG of the button for a face (from 1); pale unless ``is_open``: some legal bid has it."""
    body = _button(scene, width, 56, is_open)
    if not is_open:
        return body + scene.text("muted", width / 2, 34, str(face), 16, 400, "middle")
    body += at(width / 2 - 24, 12, _die(32, face))
    body += scene.text("ink", width / 2 + 13, 35, str(face), 18, 700)
    return group(scene.face.say("piece.face", face=face), body, f"face-{face}", pick=True)


def _chance_table(scene: Scene) -> Section:
    """A table of probabilities from 2 to 98 % of legal bids, as a section; ("", 0) if there are none."""
    faces, step = scene.face.rules.options.faces, 20
    doubtful = [bid for bid in scene.legal if bid < scene.face.rules.liar and 0.02 < scene.chances[bid] < 0.98]
    if not doubtful:
        return "", 0
    rows, columns = sorted({bid // faces for bid in doubtful}), sorted({bid % faces for bid in doubtful})
    pitch = (scene.measures.width - 2 * PAD - 24) / (len(rows) if scene.measures.is_across else len(columns))
    pitch = min(pitch, 62)

    def place(row: int, column: int) -> tuple[float, float]:
        """The coordinates of a cell, by row and column; with -1 those of the head of its row or column."""
        across, down = (row, column) if scene.measures.is_across else (column, row)
        return (24 + (across + 0.5) * pitch if across >= 0 else 9, 42 + (down + 1) * step)

    cells = [scene.text("muted", 0, 20, scene.face.say("label.chances"), 14)]
    for i, row in enumerate(rows):
        cells.append(scene.text("muted", *place(i, -1), f"{row + 1}×", 13, 700, "middle"))
    for j, face in enumerate(columns):
        x, y = place(-1, j)
        cells.append(at(x - 8, y - 13, _die(16, face + 1)))
    for bid in doubtful:
        told = str(round(100 * scene.chances[bid]))
        spot = place(rows.index(bid // faces), columns.index(bid % faces))
        cells.append(scene.text("ink", *spot, told, 13, end="middle"))
    return "".join(cells), 46 + step * (len(columns) if scene.measures.is_across else len(rows))


# The last reveal


def _reveal(scene: Scene, width: float) -> list[Section]:
    """The panel of the last reveal, alone in a list of sections: all dice, who lost or gained; [] if there was none."""
    face, s = scene.face, scene.s
    if s.call == rules.NO_CALL:
        return []
    lines = wrap(reveal_line(face, s), 14, width - 2 * PAD)
    parts = [scene.text("ink", PAD, 24, face.say("label.reveal"), 16, 700)]
    parts += [scene.text("ink", PAD, 46 + 18 * i, line, 14) for i, line in enumerate(lines)]
    y = 46 + 18 * len(lines)
    for seat in range(face.rules.seats):
        if s.shown[seat].any():
            parts.append(at(PAD, y, _revealed(scene, seat, width - 2 * PAD)))
            y += SHOWN_DIE + 28
    return [(group(face.say("piece.reveal"), scene.panel(width, y) + "".join(parts), "reveal"), y)]


def _revealed(scene: Scene, seat: int, width: float) -> str:
    """SVG of one seat's line of the last reveal: name, dice, dice lost or gained; ``width`` wide."""
    counting = set(matches(scene.face, scene.s, seat))
    name = fit(scene.face.say("player.name", player=seat + 1), 14, 84)
    parts = [scene.text("ink", 0, 20, name, 14)]
    for i, face in enumerate(faces_of(scene.s.shown[seat])):
        parts.append(at(86 + i * (SHOWN_DIE + 10), 0, _shown_die(scene, face, face in counting)))
    parts.append(scene.text("ink", width, 21, change_text(scene.s, seat), 18, 700, "end"))
    return "".join(parts)
