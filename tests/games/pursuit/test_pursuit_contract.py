"""The sets of options in which the pursuit game is held to the contract of all games, and two golden games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.games.pursuit.pursuit_position import possible, pursuit

from ludens.core.state import State
from ludens.games.pursuit import record
from ludens.games.pursuit.game import Pursuit


def test_the_option_sets_cover_the_variants() -> None:
    games = [pursuit(**options) for options in Pursuit.Rules.option_sets]
    options = [game.rules.options for game in games]
    assert {game.rules.board.id for game in games} == {"plan1", "square1", "london"}
    assert {game.rules.detectives for game in games} == {1, 2, 3, 4, 5}
    assert {chosen.prune for chosen in options} == {"immediate", "round"}
    assert {chosen.belief for chosen in options} == {"stops", "paths"}
    assert {chosen.start_mode for chosen in options} == {"shared18", "split"}
    assert {"no"} <= {chosen.black for chosen in options} & {chosen.double for chosen in options}
    assert {chosen.stuck_phantom for chosen in options} >= {"board", "pass"}
    for name in ("phantom_may_enter_detective", "final_phantom_move", "aid"):
        assert {getattr(chosen, name) for chosen in options} == {True, False}


# Golden games, in numbers rather than words. To write the files anew: LUDENS_GOLDEN=write pytest <this file>

GOLDEN: dict[str, tuple[int, dict[str, Any]]] = {
    "golden_plan1.txt": (2098, {}),
    "golden_london.txt": (2376, {"board": "london"}),
}
EVENT_NAMES = ["placed", "moved", "went", "shown", "rode", "caught", "escaped", "stuck"]


def playthrough(game: Pursuit, seed: int) -> str:
    """A whole game: every move and what was told, and after each round where the phantom may be and by which paths."""
    state = game.start(seed=seed)
    lines = [f"{game!r}, seed {seed}", *_told(state), *_known(state)]
    while not state.over:
        piece, legal = int(state.raw.piece), state.legal
        action = legal[(7 * len(state.actions) + 3) % len(legal)]
        state.play(action)
        who = f"detective {piece}" if piece else "phantom"
        lines += [
            f"{len(state.actions)}. {who}: {game.rules.action_text(action)}  (one of {len(legal)})",
            *_told(state),
        ]
        if int(state.raw.piece) == 0 or state.over:
            lines += _known(state)
    return "\n".join([*lines, f"scores {state.scores}, returns {state.returns}, checksum {state.checksum}", ""])


def _told(state: State) -> list[str]:
    return [f"    {EVENT_NAMES[event.kind]} {event.a} {event.b} {event.c}" for event in state.history[-1]]


def _known(state: State) -> list[str]:
    assert isinstance(state.game, Pursuit)
    where = [f"{stop}x{int(state.raw.weight[stop])}" for stop in sorted(possible(state))]
    tickets = [" ".join(map(str, row)) for row in state.raw.tickets[: state.game.rules.detectives + 1].tolist()]
    return [f"  tickets {' / '.join(tickets)}", f"  may be at {' '.join(where)}"]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_playthrough(name: str) -> None:
    seed, options = GOLDEN[name]
    file = Path(__file__).with_name(name)
    told = playthrough(pursuit(**options), seed=seed)
    if os.environ.get("LUDENS_GOLDEN") == "write":
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8")


def test_every_event_has_a_name() -> None:
    assert len(EVENT_NAMES) == len(record.EVENTS)
