"""The fast rules against the slow ones, and what must hold in every match, however it is played."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.liars_dice.dice_position import liars
from tests.reference.liars_dice import Reference

from ludens.core.event import Event
from ludens.core.state import State
from ludens.games.liars_dice import rules
from ludens.games.liars_dice.game import RAISE_RULES, REWARDS, LiarsDice
from ludens.games.liars_dice.sentences import faces_of

options = st.fixed_dictionaries(
    {
        "players": st.integers(2, 6),
        "dice": st.integers(1, 6),
        "faces": st.integers(2, 6),
        "raise_rule": st.sampled_from(RAISE_RULES),
        "wild": st.sampled_from(["none", "low", "high"]),
        "wild_off": st.booleans(),
        "exact": st.booleans(),
        "exact_reward": st.sampled_from(REWARDS),
        "loss": st.sampled_from(["one", "difference"]),
        "first": st.sampled_from(["1", "2", "random", "alternate"]),
        "single_round": st.booleans(),
        "dice_1": st.integers(0, 6),
        "dice_2": st.integers(0, 6),
    }
)
seeds = st.integers(0, (1 << 64) - 1)
habits = st.lists(st.integers(0, 1000), min_size=1, max_size=40)  # which of the legal moves, over and over
quick = settings(max_examples=60, deadline=None)
MOST = 400  # moves that are looked at


def reference_of(game: LiarsDice, seed: int) -> Reference:
    o = game.rules.options
    first: int | str = int(o.first) - 1 if o.first.isdigit() else o.first
    return Reference(
        game.rules.start_dice,
        seed,
        o.faces,
        o.raise_rule,
        game.rules.wild_face,
        o.wild_off,
        o.exact,
        o.exact_reward,
        o.loss,
        first,
        o.single_round,
    )


def ours(state: State) -> dict[str, Any]:
    s, seats = state.raw, range(state.game.rules.seats)
    assert isinstance(state.game, LiarsDice)
    playing = {
        "dice": [faces_of(s.dice[seat]) for seat in seats],
        "bids": [state.game.rules.bid_of(int(bid)) for bid in s.bids[: s.made]],
        "opener": int(s.opener),
    }
    return {
        "rng": int(s.rng),
        "to move": state.to_move,
        "legal": state.legal,
        "held": [int(n) for n in s.held[: state.game.rules.seats]],
        "rounds": int(s.rounds),
        "shown": [faces_of(s.shown[seat]) for seat in seats],
        "winners": [seat for seat in seats if int(s.won) >> seat & 1],
        "playing": {} if state.over else playing,
    }


def theirs(reference: Reference) -> dict[str, Any]:
    playing = {
        "dice": [sorted(dice) for dice in reference.dice],
        "bids": reference.bids,
        "opener": reference.opener,
    }
    return {
        "rng": reference.rng,
        "to move": reference.to_move,
        "legal": [] if reference.winners else reference.legal(),
        "held": reference.held,
        "rounds": reference.rounds,
        "shown": reference.shown,
        "winners": reference.winners,
        "playing": {} if reference.winners else playing,
    }


@settings(max_examples=150, deadline=None)
@given(options, seeds, habits)
def test_both_engines_play_the_same_matches(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    game = liars(**chosen)
    state, reference = game.start(seed=seed), reference_of(game, seed)
    assert ours(state) == theirs(reference)
    while not state.over and len(state.actions) < MOST:
        action = state.legal[habit[len(state.actions) % len(habit)] % len(state.legal)]
        state.play(action)
        reference.play(action)
        assert ours(state) == theirs(reference), state.actions


def play(chosen: dict[str, Any], seed: int, habit: list[int]) -> list[State]:
    """The first positions of a match, to its end if it is not too long."""
    state = liars(**chosen).start(seed=seed)
    positions = [state.copy()]
    while not state.over and len(positions) < MOST:
        state.play(state.legal[habit[len(positions) % len(habit)] % len(state.legal)])
        positions.append(state.copy())
    return positions


@quick
@given(options, seeds, habits)
def test_the_laws_hold(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    for state in play(chosen, seed, habit):
        assert all(state.game.rules.laws(state.array).values())


@quick
@given(options, seeds, habits)
def test_dice_are_what_the_events_say(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    final = play(chosen, seed, habit)[-1]
    assert isinstance(final.game, LiarsDice)
    held = list(final.game.rules.start_dice)
    for event in (event for told in final.history for event in told):
        held = _after(event, held)
    assert held == final.scores


def _after(event: Event, held: list[int]) -> list[int]:
    change = {rules.LOSE: -event.b, rules.GAIN: event.b}.get(event.kind, 0)
    return [n + change * (seat == event.a) for seat, n in enumerate(held)]


@quick
@given(options, seeds, habits)
def test_returns_add_up_and_the_record_replays(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    final = play(chosen, seed, habit)[-1]
    assert abs(sum(final.returns)) < 1e-12
    if final.over:
        assert max(final.returns) > 0 or chosen["exact_reward"] == "void"
        if not chosen["single_round"]:
            assert sum(score > 0 for score in final.scores) == 1
    assert final.record.replay().array.tobytes() == final.array.tobytes()


@quick
@given(options, seeds, habits)
def test_a_view_hides_the_others_dice_and_nothing_else(chosen: dict[str, Any], seed: int, habit: list[int]) -> None:
    for state in play(chosen, seed, habit)[:20]:
        for seat in range(state.game.rules.seats):
            view = state.view(seat)
            for name in state.array.dtype.names or ():
                if name not in ("rng", "seat", "dice"):
                    assert (view.raw[name] == state.raw[name]).all(), name
            assert (view.raw.dice[seat] == state.raw.dice[seat]).all()
            assert view.raw.dice.sum() == state.raw.dice[seat].sum()


@quick
@given(seeds, habits, st.integers(2, 5))
def test_rounds_and_dice_of_a_duel(seed: int, habit: list[int], dice: int) -> None:
    """Section 6: rounds = dice + (dice - what the winner has left)."""
    final = play({"dice": dice}, seed, habit)[-1]
    if final.over:
        assert int(final.raw.rounds) == dice + dice - max(final.scores)
