"""Draws the pictures of the README and the docs: ``python docs/pictures.py``. The same every time."""

from __future__ import annotations

from pathlib import Path

import ludens

FOLDER = Path(__file__).parent / "images"


def azul(players: int, wall: str, seed: int, moves: int) -> ludens.State:
    """A position of a game between heuristic players."""
    game = ludens.game("azul", players=players, wall=wall)
    state, bot = game.start(seed=seed), ludens.agent("heuristic", game)
    while len(state.actions) < moves and not state.over:
        state.play(bot.choose(state.view()))
    return state


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, state in {"azul": azul(2, "coloured", 7, 36), "azul-4-players": azul(4, "coloured", 7, 50)}.items():
        for theme in ("light", "dark"):
            picture = state.game.svg(state.view(0), theme=theme)
            (FOLDER / f"{name}-{theme}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
