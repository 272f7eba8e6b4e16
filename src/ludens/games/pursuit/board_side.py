"""The panels beside the map of the pursuit game: tickets to pick, tickets left, the travel log, and the legend."""

from __future__ import annotations

from typing import NamedTuple

from ludens.core.drawing import INK, LETTER, Section, at, circle, fit, group, path, rect
from ludens.games.pursuit.board_style import (
    GAP,
    PAD,
    POSSIBLE,
    Scene,
    drawn_modes,
    last_rides,
    line_of,
    ride,
    ring,
    stroke,
    ticket,
    token,
)
from ludens.games.pursuit.record import PHANTOM, TWICE
from ludens.games.pursuit.sentences import (
    kind_name,
    last_seen,
    log_length,
    mode_name,
    phantom_stop,
    piece_name,
    played_kinds,
)

BUTTON = 48
ROW = 40


# Tickets to pick


def ticket_id(scene_kinds: list[str], kind: int, twice: bool) -> str:
    """The SVG id of the button for a kind of ticket: ``ticket-bus``, or with ``twice`` ``ticket-double-bus``.

    ``scene_kinds`` are the names of the kinds of tickets, `PursuitRules.kinds`.
    """
    return f"ticket-{'double-' if twice else ''}{scene_kinds[kind - 1]}"


def choices(scene: Scene) -> list[Section]:
    """The panel of ticket buttons for the viewer's side, as a list of one section; [] when the game is over.

    There is a button for every kind of ticket, pale unless the person may have to choose that ticket; or one button to
    pass if that is the only action.
    """
    if scene.is_over:
        return []
    if scene.legal == (0,):
        return [_pass(scene)]
    kinds = [kind for kind in played_kinds(scene.face, PHANTOM if scene.seat == PHANTOM else 1) if kind != TWICE]
    has_doubles = scene.seat == PHANTOM and TWICE in played_kinds(scene.face, PHANTOM)
    label = scene.face.say("label.choose" if scene.legal else "label.wait")
    body = [scene.text("muted", PAD, 22, label, 14)]
    for row in range(1 + has_doubles):
        body.append(at(PAD, 32 + row * (BUTTON + 6), _button_row(scene, kinds, row == 1)))
    height = 32 + (1 + has_doubles) * (BUTTON + 6) + 4
    return [(scene.panel(scene.measures.side, height) + "".join(body), height)]


def _pass(scene: Scene) -> Section:
    """The button for a pass, as a section; shown where that is the only action."""
    words = scene.face.say("label.pass")
    body = scene.panel(scene.measures.side, BUTTON + 8, "panel turn", 2)
    body += scene.text("ink", scene.measures.side / 2, 34, words, 16, 700, "middle")
    return group(words, body, "pass", pick=True), BUTTON + 8


def _button_row(scene: Scene, kinds: list[int], twice: bool) -> str:
    """SVG of one row of ticket buttons, one for each of ``kinds``; ``twice``: those that begin a double move."""
    pitch = (scene.measures.side - 2 * PAD + 6) / len(kinds)
    asked = _ticket_choices(scene)
    return "".join(
        at(i * pitch, 0, _button(scene, kind, twice, pitch - 6, (kind, twice) in asked)) for i, kind in enumerate(kinds)
    )


def _ticket_choices(scene: Scene) -> set[tuple[int, bool]]:
    """The tickets a person has to choose among, as (kind, whether it begins a double move).

    They are those of all stops to which several legal actions lead.
    """
    ways: dict[int, set[tuple[int, bool]]] = {}
    for action in scene.legal:
        kind, stop, twice = scene.face.rules.action_parts(action)
        ways.setdefault(stop, set()).add((kind, twice))
    return {way for several in ways.values() if len(several) > 1 for way in several}


def _button(scene: Scene, kind: int, twice: bool, width: float, is_asked: bool) -> str:
    """SVG of a button for a kind of ticket: its sign, its name, and how many of it the piece to move has.

    ``twice``: it begins a double move ('×2'). Only a button that ``is_asked`` for can be picked.
    """
    left = int(scene.s.tickets[scene.s.piece, kind - 1])
    body = rect(scene.look.paint("panel" if is_asked else "cell"), 0, 0, width, BUTTON, thick=2 if is_asked else 1)
    sign = min(34, width / 2)
    name = mode_name(scene.face, scene.face.rules.kinds[kind - 1])
    name = fit(name, 12, width)
    count = "×2" if twice else str(left) if scene.legal else ""
    role = "ink" if is_asked else "muted"
    beside = 6 + 15 * LETTER * len(count) if count else 0  # width of the number; sign and number are centred together
    body += ticket(scene, kind, (width - beside) / 2, 15, sign)
    body += scene.text(role, (width - beside + sign) / 2 + 6, 20, count, 15, 700) if count else ""
    body += scene.text(role, width / 2, 40, name, 12, 700 if is_asked else 400, "middle")
    title = scene.face.say("piece.button", ticket=kind_name(scene.face, kind, twice))
    name = ticket_id(list(scene.face.rules.kinds), kind, twice) if is_asked else ""
    return group(title, body, name, pick=is_asked)


# Tickets left


def piece_panel(scene: Scene) -> Section:
    """The panel of all pieces, as a section: where each is, and how many tickets of each kind it has."""
    kinds = played_kinds(scene.face, PHANTOM)
    pitch = min(42.0, (scene.measures.side - 176) / len(kinds))
    columns = {kind: scene.measures.side - PAD - (len(kinds) - i - 0.5) * pitch for i, kind in enumerate(kinds)}
    body = [scene.text("muted", PAD, 23, scene.face.say("label.pieces"), 14)]
    for kind, x in columns.items():
        body.append(group(kind_name(scene.face, kind), ticket(scene, kind, x, 18, 0.66 * pitch)))
    for piece in range(scene.face.rules.detectives + 1):
        body.append(at(0, 34 + piece * ROW, _piece_row(scene, piece, columns)))
    height = 34 + (scene.face.rules.detectives + 1) * ROW + 4
    return scene.panel(scene.measures.side, height) + "".join(body), height


def _piece_row(scene: Scene, piece: int, columns: dict[int, float]) -> str:
    """SVG of the row of one piece in `piece_panel`; ``columns`` has the horizontal position of each kind of ticket."""
    face, s = scene.face, scene.s
    is_next = not scene.is_over and s.piece == piece
    body = rect(scene.look.paint("panel turn"), 4, 0, scene.measures.side - 8, ROW - 2, thick=2.5) if is_next else ""
    stop = int(s.stop[piece]) if piece else phantom_stop(s)
    body += at(26, ROW / 2 - 1, token(piece, str(stop or "?"), 13))
    name, width = piece_name(face, piece), min(columns.values()) - 60
    body += scene.text("ink", 48, 17, fit(name[:1].upper() + name[1:], 13, width), 13, 700)
    body += _whereabouts(scene, stop, width)
    held = []
    for kind in played_kinds(face, piece):
        count = int(s.tickets[piece, kind - 1])
        held.append(f"{kind_name(face, kind)} {count}")
        body += scene.text("ink" if count else "muted", columns[kind], 25, str(count), 16, 700, "middle")
    return group(face.say("piece.tickets", piece=name, tickets=face.listed(held)), body, f"tickets-{piece}")


def _whereabouts(scene: Scene, stop: int, width: float) -> str:
    """Text that says where a piece is (``stop``), or where it was last seen if ``stop`` is 0, as SVG.

    ``width`` is the space for it.
    """
    seen, move = last_seen(scene.s)
    if stop or not seen:
        told = scene.face.say("label.at", stop=stop) if stop else scene.face.say("label.hidden")
        return scene.text("muted", 48, 32, fit(told, 12, width), 12)
    told = scene.face.say("label.seen-at", stop=seen, move=move)
    return at(55, 28, _eye(scene)) + scene.text("muted", 66, 32, fit(told, 12, width - 18), 12)


# The travel log


class Slots(NamedTuple):
    """Measures of the travel log, one slot for each move."""

    columns: int
    pitch: float
    width: float
    height: float = 46
    step: float = 54


def log_panel(scene: Scene) -> Section:
    """The panel of all moves of the phantom, made and to come, as a section: ticket, and stop if it was seen.

    Moves after which it is seen (reveals) are framed.
    """
    pitch = (scene.measures.side - 2 * PAD + 4) / scene.measures.slots
    slots, count = Slots(scene.measures.slots, pitch, pitch - 4), log_length(scene.face)
    body = [scene.text("muted", PAD, 22, scene.face.say("label.log"), 14)]
    for i in range(count):
        body.append(at(PAD + i % slots.columns * pitch, 32 + i // slots.columns * slots.step, _slot(scene, i, slots)))
    height = 32 + -(-count // slots.columns) * slots.step + 4
    title = scene.face.say("piece.log")
    return group(title, scene.panel(scene.measures.side, height) + "".join(body), "log"), height


def _slot(scene: Scene, i: int, slots: Slots) -> str:
    """SVG of the slot of the phantom's move ``i`` (from 0) in the travel log."""
    s, middle = scene.s, slots.width / 2
    is_made, is_reveal = i < s.made, i + 1 in scene.face.rules.reveals
    body = rect(scene.look.paint("panel" if is_made else "cell"), 0, 0, slots.width, slots.height, thick=1, radius=6)
    if is_reveal:
        body += rect(scene.look.paint("accent-line"), 1, 1, slots.width - 2, slots.height - 2, thick=2.5, radius=5)
        body += at(slots.width - 12, 10, _eye(scene))
    body += scene.text("muted", 5, 14, str(i + 1), 12)
    if is_made:
        stop, kind = int(s.shown[i]), int(s.fare[i])
        body += ticket(scene, kind, middle, 22, 0.62 * slots.width)
        body += scene.text("ink" if stop else "muted", middle, 41, str(stop or "?"), 15, 700, "middle")
    body += _bracket(scene, i, slots)
    return group(_slot_title(scene, i), body, f"move-{i + 1}")


def _slot_title(scene: Scene, i: int) -> str:
    """The tooltip of the slot of move ``i`` (from 0): the move's ticket and stop, or that it has not been made yet."""
    say, s = scene.face.say, scene.s
    if i >= s.made:
        return say("piece.slot-reveal" if i + 1 in scene.face.rules.reveals else "piece.slot", move=i + 1)
    named = kind_name(scene.face, int(s.fare[i]), bool(s.twice[i]))
    if s.shown[i]:
        return say("piece.slot-shown", move=i + 1, ticket=named, stop=int(s.shown[i]))
    return say("piece.slot-hidden", move=i + 1, ticket=named)


def _eye(scene: Scene) -> str:
    """SVG of the sign of a reveal: an eye."""
    return path(scene.look.paint("accent-line"), "M-7 0q7 -8 14 0q-7 8 -14 0z", thick=1.5) + circle(
        scene.look.paint("accent"), 0, 0, 2.2, thick=0
    )


def _bracket(scene: Scene, i: int, slots: Slots) -> str:
    """SVG of half of the bracket below the two moves of a double move; '' if move ``i`` belongs to none."""
    s, low, middle = scene.s, slots.height + 4, slots.width / 2
    if i < s.made and s.twice[i]:
        return path(scene.look.paint("accent-line"), f"M{middle:.5g} {low - 3:g}v3H{slots.width + 2:.5g}", thick=2.5)
    if 0 < i < s.made and s.twice[i - 1]:
        return path(scene.look.paint("accent-line"), f"M{middle:.5g} {low - 3:g}v3H-2", thick=2.5)
    return ""


# The legend


def legend(scene: Scene, width: float) -> Section:
    """The legend of the map as a section: what its lines and marks mean, in as many rows as ``width`` needs."""
    entries = [(mode_name(scene.face, mode), _sample(scene, mode)) for mode in drawn_modes(scene.face)]
    entries += _marks(scene)
    x, y, parts = 2.0, 16.0, []
    for name, sign in entries:
        length = 44 + len(name) * 14 * LETTER
        if x + length > width and x > 2:
            x, y = 2.0, y + 24
        parts.append(at(x, y, sign + scene.text("ink", 40, 5, name, 14)))
        x += length + GAP
    return "".join(parts), y + 12


def _sample(scene: Scene, mode: str) -> str:
    """SVG of a short line drawn as the lines of a mode are."""
    return stroke(line_of(scene.face, mode), "M2 0h32")


def _marks(scene: Scene) -> list[tuple[str, str]]:
    """The name and the sign (SVG) of each mark that is on the map now."""
    marks, say, s = [], scene.face.say, scene.s
    if last_rides(s, scene.face.rules.detectives):
        marks.append((say("label.rode"), ride(1, "M2 0h32", 9)))
    if scene.is_over:
        return marks
    if scene.legal not in ((), (0,)):
        marks.append((say("label.can-go"), ring(scene, 24, 0, 7)))
    if scene.face.rules.options.aid:
        marks.append((say("label.may-be"), circle(f'fill="{POSSIBLE}" stroke="{INK}"', 24, 0, 9)))
    if not s.made:
        dotted = f'{scene.look.paint("muted-line")} stroke-dasharray="2 3"'
        marks.append((say("label.start"), circle(dotted, 24, 0, 9, thick=1.5)))
    seen, move = last_seen(s)
    if seen and move != s.made:
        dashed = f'{scene.look.paint("panel")} stroke-dasharray="3 2"'
        marks.append((say("label.seen"), rect(dashed, 14, -9, 20, 18, thick=2, radius=5)))
    return marks
