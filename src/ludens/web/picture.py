"""The pictures of games in the lobby, drawn in advance, so that they can be shown before the rules are compiled.

The folder ``pictures`` beside a game's module has one for every language and theme, such as ``en-light.svg``. Draw them
again when a game's drawing changes (plug-ins may have pictures too)::

    python -m ludens.web.picture              draws the pictures of all games of this package
    python -m ludens.web.picture azul pig     draws the pictures of these games
"""

from __future__ import annotations

import functools
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ludens.core.drawing import PALETTES
from ludens.core.language import LANGUAGES
from ludens.core.registry import game_class, game_names

if TYPE_CHECKING:
    from ludens.core.game import Game

_SEED, _MOVES = 7, 9
_WIDTH, _HEIGHT, _LETTERS = 640, 400, 24  # of the plain picture


def draw_picture(game: Game, theme: str) -> str:
    """Draw a fixed position of the game, early in it, as SVG; ``theme`` is light or dark."""
    state = game.start(seed=_SEED)
    while len(state.actions) < _MOVES and not state.over:
        state.play(state.legal[(len(state.actions) * 7919 + 11) % len(state.legal)])
    if state.over:  # a short game: draw its last decision
        state.undo(1)
    return game.face.svg(state.view(0), theme=theme)


def picture_file(cls: type[Game], language: str, theme: str) -> Path:
    """The path of the picture of a game's class in a language and theme ('light', 'dark'). The file may be missing."""
    module = sys.modules[cls.__module__]
    return Path(getattr(module, "__file__", None) or "nowhere").parent / "pictures" / f"{language}-{theme}.svg"


@functools.cache
def shipped_picture(game: str, language: str, theme: str) -> str | None:
    """The SVG of the game with id ``game`` that was drawn in advance.

    None if it has none in this language and theme.
    """
    file = picture_file(game_class(game), language, theme)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def plain_picture(title: str, theme: str) -> str:
    """The SVG shown for a game that has no picture yet: its title, in the colours of a theme ('light', 'dark')."""
    colour, size = PALETTES[theme], min(64, 64 * _LETTERS // max(len(title), 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{colour.panel}"/>'
        f'<text x="{_WIDTH // 2}" y="{_HEIGHT // 2}" text-anchor="middle" dominant-baseline="middle" '
        f'font-family="sans-serif" font-size="{size}" fill="{colour.ink}">{escape(title)}</text></svg>'
    )


def main(names: list[str]) -> None:
    """Write the pictures of these games, in all languages and themes; no names: of all games of this package."""
    for name in names or [name for name in game_names() if game_class(name).__module__.startswith("ludens.")]:
        game = game_class(name)()
        for language in LANGUAGES:
            for theme in PALETTES:
                file = picture_file(type(game), language, theme)
                file.parent.mkdir(exist_ok=True)
                file.write_text(draw_picture(game.in_language(language), theme), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
