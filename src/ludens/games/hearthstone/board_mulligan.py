"""The mulligan: the dealt cards in the middle of the board, with buttons to keep or put back one after the other.

The two buttons stand under the card asked about and move on with it, so that a second click in the same place does
nothing.
"""

from __future__ import annotations

from ludens.core.drawing import Section, at, rect
from ludens.games.hearthstone.board_card import CARD_HEIGHT, CARD_WIDTH, card_title, costs, draw_card
from ludens.games.hearthstone.board_style import Scene, card_ids, card_of

_BUTTON = 40.0


def chooser(scene: Scene) -> int:
    """Return the seat whose dealt cards are shown: the viewer's; in a view of the full truth the seat to move."""
    return scene.near if scene.view.seat >= 0 else scene.view.to_move


def mulligan(scene: Scene) -> Section:
    """Draw the dealt cards of the `chooser`, each with its buttons or what was decided about it."""
    s, seat = scene.s, chooser(scene)
    names = card_ids(s, seat, "card" if seat == scene.near else "far-card")
    scale = 1.12 if scene.is_wide else 0.93
    width, height = CARD_WIDTH * scale, CARD_HEIGHT * scale
    pitch = width + (18 if scene.is_wide else 4)
    left = (scene.measures.lane - pitch * len(names) + pitch - width) / 2
    full = height + 2 * _BUTTON + 22
    parts = [rect(scene.look.paint("cell"), 0, 0, scene.measures.lane, full, thick=0.6, radius=12)]
    prices = costs(scene, seat)
    for i, name in enumerate(names):
        card = card_of(s.side[seat].hand[i])
        drawn = at(0, 0, draw_card(scene, card, prices[i]), scale)
        parts.append(at(left + pitch * i, 8, scene.named(name, card_title(scene, card, prices[i]), drawn)))
        parts.append(at(left + pitch * i, height + 14, _answer(scene, seat, i, width)))
    return "".join(parts), full


def _answer(scene: Scene, seat: int, place: int, width: float) -> str:
    """Draw what stands under a seat's card at index ``place``: buttons if it is asked about, else its fate, or ''.

    The fate is "stays" or "goes back"; ``width`` is that of the card.
    """
    s, is_asked = scene.s, seat == scene.view.to_move
    if is_asked and place == int(s.mulligan_card):
        name = card_of(s.side[seat].hand[place]).name
        keep = _button(scene, f"keep-{place + 1}", scene.say("keep"), scene.say("keep-title", name=name), width, "k")
        swap = _button(scene, f"swap-{place + 1}", scene.say("swap"), scene.say("swap-title", name=name), width, "s")
        return keep + at(0, _BUTTON + 4, swap)
    is_decided = place < int(s.mulligan_card) if is_asked else seat == int(s.first)  # who plays first is asked first
    if not is_decided:
        return ""
    is_back = int(s.side[seat].put_back) >> place & 1
    return scene.text("muted", width / 2, 18, scene.say("swapped" if is_back else "kept"), 13, 700, "middle")


def _button(scene: Scene, name: str, words: str, title: str, width: float, key: str) -> str:
    """Draw a button with the id ``name``, the label ``words``, a title and a key that presses it."""
    body = rect(scene.look.paint("panel turn"), 0, 0, width, _BUTTON, thick=2, radius=9)
    body += scene.text("ink", width / 2, _BUTTON / 2 + 5.5, words, 15, 700, "middle")
    return scene.named(name, title, f'<g class="press" data-key="{key}">{body}</g>')
