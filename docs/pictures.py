"""Draws the pictures of the README and the docs: ``python docs/pictures.py``. The same every time."""

from __future__ import annotations

from pathlib import Path

import ludens

FOLDER = Path(__file__).parent / "images"


def played(game: ludens.Game, agent: str, seed: int, moves: int, seat: int = 0) -> ludens.State:
    """A position of a game between equal players, with that seat to move."""
    state, bot = game.start(seed=seed), ludens.agent(agent, game)
    while not state.over and (len(state.actions) < moves or state.to_move != seat):
        state.play(bot.choose(state.view()))
    return state


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    positions = {
        "azul": played(ludens.game("azul"), "heuristic", 7, 36),
        "azul-4-players": played(ludens.game("azul", players=4), "heuristic", 7, 50),
        "liars-dice": played(ludens.game("liars-dice"), "odds", 5, 7),
        "pursuit": played(ludens.game("pursuit"), "nearest", 2, 18, seat=1),
        "dicewars": played(ludens.game("dicewars"), "stei-adt", 2, 60),
        "dicewars-8-players": played(ludens.game("dicewars", players=8, reserves="public"), "stei-adt", 4, 60),
        "hearthstone": played(ludens.game("hearthstone", deck1="secret", deck2="malygos"), "greedy", 7, 46),
        "pursuit-london": played(ludens.game("pursuit", board="london"), "nearest", 8, 44, seat=1),
    }
    for name, state in positions.items():
        for theme in ("light", "dark"):
            picture = state.game.face.svg(state.view(), theme=theme)
            (FOLDER / f"{name}-{theme}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
