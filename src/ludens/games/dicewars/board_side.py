"""Panels beside the map of Dicewars: the button that ends the turn, the seats, the last battle, the legend.

A `Section` is SVG together with its height.
"""

from __future__ import annotations

from typing import Any

from ludens.core.drawing import INK, LETTER, LIGHT, Section, at, fit, group, ink, path, rect, text
from ludens.games.dicewars.board_style import BADGE, GAP, PAD, STONE, Scene, die, token
from ludens.games.dicewars.record import END, NO_BATTLE, TOOK
from ludens.games.dicewars.sentences import letter, new_dice, standing, transfers_left

BUTTON, ROW = 48, 34
END_KEY = "e"
SMALL = 15  # font size of headings and names
_REGION = ((INK, 6), (LIGHT, 2.4))  # a dark line with a light one in it


def end_button(scene: Scene) -> Section:
    """The button that ends the turn, as a section.

    If the viewer may not end the turn now it is a pale panel that cannot be pressed.
    """
    words, width = scene.face.say("label.end"), scene.measures.side
    if END not in scene.legal:
        body = scene.panel(width, BUTTON, "cell") + scene.text("muted", width / 2, 30, words, 16, 400, "middle")
        return body, BUTTON
    body = scene.panel(width, BUTTON, "panel turn", 2.5) + scene.text("ink", width / 2, 31, words, 19, 700, "middle")
    button = f'<g class="press" data-key="{END_KEY}">{body}</g>'  # a page dims it for viewers who may not press it
    return group(scene.face.say("piece.end"), button, "end", pick=True), BUTTON


# Seats


def seat_panel(scene: Scene) -> Section:
    """The panel of all seats: areas, dice, income and, if public, reserve; below them the transfers left."""
    say, width = scene.face.say, scene.measures.side
    names = _columns(scene)
    pitch, size = (62, SMALL) if len(names) == 3 else (54, 13)  # four columns leave less space
    columns = {name: width - PAD - 26 - pitch * (len(names) - 1 - i) for i, name in enumerate(names)}
    body = [scene.text("muted", x, 22, say(f"label.{name}"), size, end="middle") for name, x in columns.items()]
    for seat in range(scene.face.rules.seats):
        body.append(at(0, 30 + seat * ROW, _seat_row(scene, seat, columns, size)))
    height = 30 + scene.face.rules.seats * ROW + 4
    if scene.face.rules.option_or_rules("max_transfers"):
        body.append(at(PAD, height + 2, _transfers(scene)))
        height += 30
    return scene.panel(width, height) + "".join(body), height


def _columns(scene: Scene) -> list[str]:
    """The names of the columns of the seat panel, as they occur in the keys of texts."""
    return ["areas", "dice", "income", *(["reserve"] if scene.face.rules.options.reserves == "public" else [])]


def _seat_row(scene: Scene, seat: int, columns: dict[str, float], size: float) -> str:
    """SVG of a seat's row in the seat panel; a seat without areas is shown as out.

    ``columns`` gives the x coordinate of each column, ``size`` is the font size of the name.
    """
    face, s = scene.face, scene.s
    is_next, is_in = not scene.is_over and s.turn == seat, bool(s.lands[seat])
    frame = rect(scene.look.paint("panel turn"), 4, 0, scene.measures.side - 8, ROW - 2, thick=2.5)
    body = scene.if_playing(frame) if is_next else ""
    body += at(26, ROW / 2 - 1, token(seat, 24))
    key = "label.you" if seat == scene.view.seat else "label.player"
    width = min(columns.values()) - 22 - 48
    role = "ink" if is_in else "muted"
    name = fit(face.say(key, player=seat + 1), size, width)
    body += scene.text(role, 48, 21, name, size, 700 if is_next else 400)
    values = dict(zip(("areas", "dice", "income"), standing(s, seat), strict=True)) | {"reserve": int(s.reserve[seat])}
    if is_in:
        body += "".join(scene.text("ink", x, 22, str(values[name]), 17, 700, "middle") for name, x in columns.items())
    else:
        body += scene.text("muted", columns["areas"], 21, face.say("label.out"), 14, end="middle")
    return group(_seat_title(scene, seat, values), body, f"seat-{letter(seat)}")


def _seat_title(scene: Scene, seat: int, values: dict[str, int]) -> str:
    """The tooltip of a seat's row: its numbers (``values``, by column) in a sentence."""
    say, who = scene.face.say, {"player": seat + 1, "letter": letter(seat)}
    if not scene.s.lands[seat]:
        return say("piece.seat-out", **who)
    told = say("piece.seat", **who, areas=values["areas"], dice=values["dice"], income=values["income"])
    if scene.face.rules.options.reserves == "public":
        told += f", {say('piece.reserve', n=values['reserve'])}"
    return told


def _transfers(scene: Scene) -> str:
    """SVG of the transfers of this turn: one mark each, filled while it is left; beyond 8 as numbers, '5 / 12'."""
    face, most = scene.face, int(scene.face.rules.option_or_rules("max_transfers"))
    left = transfers_left(face, scene.s)
    body = scene.text("muted", 0, 15, face.say("label.transfers"), SMALL)
    x = SMALL * LETTER * len(face.say("label.transfers")) + 10
    if most > 8:
        body += scene.text("ink", x, 15, f"{left} / {most}", 14, 700)
    else:
        roles = ["accent"] * left + ["cell"] * (most - left)
        body += "".join(rect(scene.look.paint(role), x + 22 * i, 3, 16, 14, radius=4) for i, role in enumerate(roles))
    return group(face.say("status.transfers", n=left), body, "transfers")


# The last battle


def battle_panel(scene: Scene) -> Section:
    """The panel of the last battle: source, target and result, and the dice of both sides."""
    say, width, s = scene.face.say, scene.measures.side, scene.s
    height = 128
    body = scene.panel(width, height) + scene.text("muted", PAD, 22, say("label.battle"), SMALL)
    if s.outcome == NO_BATTLE:
        body += scene.text("muted", PAD, 70, say("label.no-battle"), 15)
        return group(say("label.no-battle"), body, "battle"), height
    body += scene.text("ink", width - PAD, 22, _course(scene), SMALL, 700, "end")
    body += at(0, 34, _throw(scene, 0)) + at(0, 80, _throw(scene, 1))
    return group(battle_title(scene), body, "battle"), height


def _course(scene: Scene) -> str:
    """The last battle in short, as text: '3 → 7: taken'."""
    s = scene.s
    ended = scene.face.say("label.taken" if s.outcome == TOOK else "label.held")
    return f"{int(s.source) + 1} → {int(s.target) + 1}: {ended}"


def _faces(s: Any, side: int) -> list[int]:
    """The faces of the dice that a side (0 attacker, 1 defender) rolled in the last battle.

    [] if a search decided it without rolls.
    """
    return [int(face) for face in s.rolled[side, : int(s.strength[side])] if face]


def _throw(scene: Scene, side: int) -> str:
    """SVG of the dice a side (0 attacker, 1 defender) rolled and their sum, framed if the side won.

    '×5' instead if five dice were decided without rolls.
    """
    s, width = scene.s, scene.measures.side
    seat, faces = int(s.sides[side]), _faces(scene.s, side)
    is_best = (s.outcome == TOOK) == (side == 0)
    role, thick = ("panel turn", 2.5) if is_best else ("panel", 0.5)
    body = rect(scene.look.paint(role), 6, 0, width - 12, 42, thick=thick)
    body += at(28, 21, token(seat, 28))
    body += "".join(at(52 + 33 * i, 7, die(face)) for i, face in enumerate(faces))
    total = str(sum(faces)) if faces else f"×{s.strength[side]}"
    return body + scene.text("ink", width - 16, 29, total, 21, 800, "end")


def battle_title(scene: Scene) -> str:
    """The last battle in a sentence; to be called only if there was one."""
    s = scene.s
    attack, defence = (sum(_faces(s, side)) for side in (0, 1))
    key = "piece.taken" if s.outcome == TOOK else "piece.held"
    return scene.face.say(
        key,
        player=int(s.sides[0]) + 1,
        other=int(s.sides[1]) + 1,
        source=int(s.source) + 1,
        target=int(s.target) + 1,
        attack=attack,
        defence=defence,
    )


# The legend


def legend(scene: Scene, width: float) -> Section:
    """The legend of the map as a section, in as many rows as fit the width."""
    x, y, parts = 2.0, 16.0, []
    for name, sign in _signs(scene):
        length = 46 + len(name) * SMALL * LETTER
        if x + length > width and x > 2:
            x, y = 2.0, y + 26
        parts.append(at(x, y, sign + scene.text("ink", 42, 5, name, SMALL)))
        x += length + GAP
    return "".join(parts), y + 10


def _signs(scene: Scene) -> list[tuple[str, str]]:
    """The entries of the legend as (text, SVG of the sign); only signs that occur in this picture."""
    say = scene.face.say
    plate = rect(f'fill="{LIGHT}" stroke="{INK}"', 0, -13, 38, 26, radius=5)
    plate += ink(10, -1, "A", 12) + ink(10, 11, "7", 12, 400) + ink(27, 7, "5", 19, 800)
    signs = [(say("legend.label"), plate)]
    if not scene.is_over:
        lines = [path(f'fill="none" stroke="{colour}"', "M2 0h30", thick=thick) for colour, thick in _REGION]
        signs.append((_region_words(scene), "".join(lines)))
    if any(new_dice(scene.s, area) for area in range(scene.face.rules.areas)):
        plus = text(f'fill="{LIGHT}"', 17, 4.5, "+2", 12, weight=700, anchor="middle")
        signs.append((say("legend.added"), rect(BADGE, 4, -9, 26, 18, radius=6) + plus))
    if scene.land.rocks:
        signs.append((say("legend.rock"), rect(f'fill="{STONE}" stroke="{INK}"', 4, -9, 26, 18, radius=4)))
    return signs


def _region_words(scene: Scene) -> str:
    """The legend's text for the framed region: the viewer's, or that of the player to move."""
    if scene.view.seat >= 0:
        return scene.face.say("legend.region")
    return scene.face.say("legend.region-of", player=scene.seat + 1, letter=letter(scene.seat))
