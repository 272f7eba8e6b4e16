"""The sets of options in which Hearthstone is held to the contract of all games, and two golden games."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.games.hearthstone.hearthstone_duel import hearthstone

from ludens.core.game import Game
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.game import Hearthstone
from ludens.games.hearthstone.position import as_data


def test_the_option_sets_cover_the_variants() -> None:
    games = [hearthstone(**options) for options in Hearthstone.Rules.option_sets]
    for name, values in (
        ("decklists", {"known", "hidden"}),
        ("positions", {"rightmost", "free"}),
        ("compat", {"none", "fireplace2016"}),
    ):
        assert {getattr(game.rules.options, name) for game in games} == values
    assert {game.rules.options.deck1 for game in games} | {game.rules.options.deck2 for game in games} == {
        "face",
        "secret",
        "malygos",
        "liege",
    }


# Golden games, in numbers rather than words. To write the files anew: LUDENS_GOLDEN=write pytest <this file>

GOLDEN: dict[str, tuple[int, dict[str, Any]]] = {
    "golden_face_secret.txt": (42, {"deck1": "face", "deck2": "secret"}),
    "golden_malygos_liege.txt": (7, {"deck1": "malygos", "deck2": "liege", "positions": "free"}),
}


def playthrough(game: Game, seed: int) -> str:
    """A whole game of random movers: every move, what was told of it, and after each turn both sides."""
    state, dice = game.start(seed=seed), random.Random(seed)
    lines = [f"{game!r}, seed {seed}", *_told(state)]
    while not state.over:
        seat, legal = state.to_move, state.legal
        action = legal[dice.randrange(len(legal))] or legal[dice.randrange(len(legal))]  # who would end thinks again
        state.play(action)
        lines += [
            f"{len(state.actions)}. {seat + 1}: {game.rules.action_text(action)}  (one of {len(legal)})",
            *_told(state),
        ]
        if action == k.END or state.over:
            lines += _stand(state)
    return "\n".join([*lines, f"scores {state.scores}, returns {state.returns}, checksum {state.checksum}", ""])


def _told(state: State) -> list[str]:
    told = [f"{event.kind}:{event.a},{event.b},{event.c}" for event in state.history[-1]]
    return [f"    {' '.join(told)}"]


def _stand(state: State) -> list[str]:
    """Both sides in a line each: hero, mana, hand, board, deck."""
    lines = []
    for side in as_data(state)["sides"]:
        board = " ".join(f"[{m['name']} {m['attack']}/{m['health']}]" for m in side["board"])
        hand = ", ".join(card["name"] for card in side["hand"])
        lines.append(f"  {side['health']}+{side['armor']} {side['mana']}/{side['crystals']} ({hand}) {board}".rstrip())
    return lines


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_playthrough(name: str) -> None:
    seed, options = GOLDEN[name]
    file = Path(__file__).with_name(name)
    told = playthrough(hearthstone(**options), seed)
    if os.environ.get("LUDENS_GOLDEN") == "write":
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8")
