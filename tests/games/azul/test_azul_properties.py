"""What must hold in every game of Azul, however it is played."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.azul.position import azul

from ludens.core import ops
from ludens.core.event import Event
from ludens.core.state import State
from ludens.games.azul import record, rules

options = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "wall": st.sampled_from(["coloured", "grey"]),
        "first": st.sampled_from(["1", "2", "random"]),
        "cap": st.sampled_from([1, 3, 30]),
    }
)
seeds = st.integers(0, (1 << 64) - 1)
habits = st.lists(st.integers(0, 1000), min_size=1, max_size=60)  # which of the legal moves, over and over
quick = settings(max_examples=40, deadline=None)


def play(chosen: dict[str, Any], seed: int, habit: list[int]) -> list[State]:
    """A game as the list of its positions."""
    state = azul(**chosen).start(seed=seed)
    positions = [state.copy()]
    while not state.over:
        state.play(state.legal[habit[len(positions) % len(habit)] % len(state.legal)])
        positions.append(state.copy())
    return positions


@quick
@given(options, seeds, habits)
def test_no_tile_is_ever_lost(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    for state in play(chosen, seed, habit):
        assert state.game.rules.laws(state.array) == {
            "tiles of each colour": [20] * 5,
            "wall rows agree": True,
            "offer agrees": True,
        }


@quick
@given(options, seeds, habits)
def test_lines_hold_what_they_may(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    for state in play(chosen, seed, habit):
        s = state.raw
        assert (s.line_count <= np.arange(1, 6)).all()
        held = (s.built >> s.line_colour) & 1
        assert not (held[s.line_count > 0]).any()
        assert (s.floor.sum(axis=1) <= record.FLOOR_SPACES).all()


@quick
@given(options, seeds, habits)
def test_the_floor_is_legal_for_whatever_is_on_offer(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    for state in play(chosen, seed, habit)[:-1]:
        assert state.legal
        if state.raw.phase == record.DRAFTING:
            on_offer = {int(group) * 6 + record.FLOOR for group in np.flatnonzero(state.raw.sources)}
            assert on_offer <= set(state.legal)


@quick
@given(options, seeds, habits)
def test_a_view_holds_everything_but_the_dice(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    for state in play(chosen, seed, habit)[:-1]:
        view = state.view()
        assert view.legal == state.legal
        assert view.to_move == state.to_move
        for name in state.array.dtype.names or ():
            if name not in ("rng", "seat"):
                assert (view.raw[name] == state.raw[name]).all()


@quick
@given(options, seeds, habits)
def test_scores_are_what_the_events_say(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    final = play(chosen, seed, habit)[-1]
    scores = [0] * final.game.rules.seats
    for event in (event for events in final.history for event in events):
        scores[event.a if event.a < len(scores) else 0] += points(event)
    assert scores == final.scores


def points(event: Event) -> int:
    if event.kind in (record.TILE, record.ROW_BONUS, record.COLUMN_BONUS, record.COLOUR_BONUS):
        return event.c
    return -event.c if event.kind == record.CHARGE else 0


@quick
@given(options, seeds, habits)
def test_a_game_ends_for_a_reason_and_its_record_replays(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    final = play(chosen, seed, habit)[-1]
    s = final.raw
    has_row = any(record.complete_rows(s, seat) for seat in range(final.game.rules.seats))
    has_tiles = bool(s.bag.any() or s.lid.any())
    assert has_row or s.capped or not has_tiles
    assert bool(s.capped) == (s.rounds == chosen["cap"] and not has_row)
    assert abs(sum(final.returns)) < 1e-12
    assert final.record.replay().array.tobytes() == final.array.tobytes()


@quick
@given(options, seeds, habits)
def test_projected_points_are_what_the_tiling_brings(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    """Coloured wall: what the full lines promise before the last draft's own line is what tiling pays."""
    positions = play({**chosen, "wall": "coloured"}, seed, habit)
    g = ops.open_constants(positions[0].game.rules.constants)
    for before, after in itertools.pairwise(positions):
        mover, line = before.to_move, after.actions[-1] % 6
        for event in after.history[-1]:
            row, colour = event.b // 25, event.b % 5
            is_promised = event.kind == record.TILE and (event.a != mover or line in (row, record.FLOOR))
            if is_promised:
                assert rules.projected_points(g, before.raw, event.a, row, colour) == event.c
