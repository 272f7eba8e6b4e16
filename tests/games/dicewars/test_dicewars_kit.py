"""Dicewars keeps the contract on many random boards (and where else its options say), and two golden games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.games.dicewars.dicewars_position import dicewars
from tests.soak import Figures, amount, soak

import ludens
from ludens.core.state import State
from ludens.games.dicewars import record
from ludens.games.dicewars.game import GENERATIONS, Dicewars
from ludens.testing import check_game


def test_the_option_sets_cover_the_variants() -> None:
    games = [dicewars(**options) for options in Dicewars.Rules.option_sets]
    assert {game.rules.options.rules for game in games} == set(GENERATIONS)
    assert {game.rules.seats for game in games} >= {2, 3, 4, 7, 8}
    assert {game.rules.options.reserves for game in games} == {"hidden", "public"}
    assert {game.rules.options.fair for game in games} == {True, False}
    for name, values in (
        ("ownership", {"continuous", "scattered"}),
        ("strength", {"random", "flat"}),
        ("reserve_type", {"complement", "fixed"}),
    ):
        assert {game.rules.option_or_rules(name) for game in games} == values
    assert {game.rules.option_or_rules("max_transfers") > 0 for game in games} == {True, False}


BOARDS = amount(60, 5000)
AT_ONCE = 250  # the kit keeps every position of its games: more would not fit into memory
OF_PLAY = ["legal_ids", "legality", "agreement", "batches", "laws", "results", "replay", "records"]
VARIED = [options for options in Dicewars.Rules.option_sets if "board_seed" not in options]


@soak
@pytest.mark.parametrize("options", VARIED, ids=str)
def test_many_random_boards(options: dict[str, Any], figures: Figures) -> None:
    """An equal part of the boards for each set of options, each played at random to its end."""
    game, wanted = dicewars(**options), BOARDS // len(VARIED)
    for first in range(0, wanted, AT_ONCE):
        report = check_game(game, games=min(AT_ONCE, wanted - first), seed=1000 + first, checks=OF_PLAY)
        assert report.ok, str(report)
        assert not report.skipped
    figures(boards=wanted, checks=len(OF_PLAY), differences=0)


# Golden games among bots, in numbers rather than words. To write the files anew: LUDENS_GOLDEN=write pytest <this file>

GOLDEN: dict[str, tuple[int, dict[str, Any], list[str]]] = {
    "golden_4.txt": (42, {}, ["stei-at", "sdc-pre-at", "xlogin42", "stei-adt"]),
    "golden_2_classic.txt": (7, {"players": 2, "rules": "classic", "areas": 16}, ["rand", "stei"]),
}
EVENT_NAMES = ["deal", "fought", "taken", "stood", "fell", "shifted", "earned", "added", "saved", "won", "drawn"]
EVENT_NAMES += ["mapped", "laid"]


def playthrough(game: Dicewars, seed: int, bots: list[str]) -> str:
    """A whole game: the deal, every move and what was told of it, and after each turn all dice and reserves."""
    state, players = game.start(seed=seed), [ludens.agent(bot, game) for bot in bots]
    memories = [player.new_memory(1) for player in players]
    lines = [f"{game!r}, seed {seed}: {', '.join(bots)}", *_told(state), *_stand(state)]
    while not state.over:
        seat, legal = state.to_move, len(state.legal)
        action = int(players[seat].act(state.view().array, memories[seat])[0])
        state.play(action)
        lines += [
            f"{len(state.actions)}. {seat + 1}: {game.rules.action_text(action)}  (one of {legal})",
            *_told(state),
        ]
        if action == record.END or state.over:
            lines += _stand(state)
    return "\n".join([*lines, f"scores {state.scores}, returns {state.returns}, checksum {state.checksum}", ""])


def _told(state: State) -> list[str]:
    told = [f"{EVENT_NAMES[event.kind]} {event.a} {event.b} {event.c}" for event in state.history[-1]]
    return [f"    {', '.join(told)}"]


def _stand(state: State) -> list[str]:
    s, game = state.raw, state.game
    assert isinstance(game, Dicewars)
    held = [f"{'abcdefgh'[int(s.owner[area])]}{int(s.dice[area])}" for area in range(game.rules.areas)]
    return [f"  {' '.join(held)} / {' '.join(str(kept) for kept in s.reserve[: game.rules.seats])}"]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_playthrough(name: str) -> None:
    seed, options, bots = GOLDEN[name]
    file = Path(__file__).with_name(name)
    told = playthrough(dicewars(**options), seed, bots)
    if os.environ.get("LUDENS_GOLDEN") == "write":
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8")


def test_every_event_has_a_name() -> None:
    assert len(EVENT_NAMES) == len(record.EVENTS)
