"""The rules of Dicewars, one test for each of their sentences (section numbers are the specification's)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.dicewars.dicewars_position import LINE, RING, battle, dice, dicewars, events, owners, position

from ludens.core.error import BadOption, IllegalAction
from ludens.core.event import EVERYONE
from ludens.core.state import State
from ludens.games.dicewars import record
from ludens.games.dicewars.game import GENERATIONS, Dicewars


def typed(state: State, kind: str = "") -> list[str]:
    return [move for move in state.moves() if move.startswith(kind)]


# 4.1 Order


def test_players_move_in_turn_and_the_fallen_are_skipped() -> None:
    state = position(LINE, [0, 0, 2, 2, 3, 3], [1] * 6)  # seat 1 has nothing
    turns = []
    for _ in range(5):
        turns.append(state.to_move)
        state.play("end")
    assert turns == [0, 2, 3, 0, 2]


# 4.2 Attack


def test_attacks_go_from_two_dice_to_a_neighbour_of_somebody_else() -> None:
    state = position(RING, [0, 1, 0, 0, 2, 1], [2, 1, 1, 3, 8, 8])
    assert typed(state, "attack") == ["attack 1 2", "attack 1 6", "attack 4 5"]
    for move in ("attack 3 2", "attack 4 3", "attack 1 5", "attack 2 1"):
        with pytest.raises(IllegalAction):
            state.play(move)


def test_the_winner_moves_in_with_all_dice_but_one() -> None:
    after = battle(position(LINE, [0, 1, 1, 1, 1, 1], [5, 3, 1, 1, 1, 1]), "attack 1 2", is_won=True)
    assert owners(after)[:2] == [0, 0]
    assert dice(after)[:2] == [1, 4]
    assert after.to_move == 0
    assert "attack 2 3" in typed(after)


@pytest.mark.parametrize(("attackers", "worn"), [(2, 0), (3, 0), (4, 1), (5, 1), (6, 1), (7, 1), (8, 2)])
def test_a_defender_that_holds_is_worn_down(attackers: int, worn: int) -> None:
    after = battle(position(LINE, [0, 1, 1, 1, 1, 1], [attackers, 6, 1, 1, 1, 1]), "attack 1 2", is_won=False)
    assert owners(after)[:2] == [0, 1]
    assert dice(after)[:2] == [1, 6 - worn]


def test_a_defender_never_loses_its_last_die() -> None:
    after = battle(position(LINE, [0, 1, 1, 1, 1, 1], [8, 6, 1, 1, 1, 1], battle_wear=1), "attack 1 2", is_won=False)
    assert dice(after)[:2] == [1, 1]


def test_without_wear_the_defender_keeps_all() -> None:
    after = battle(position(LINE, [0, 1, 1, 1, 1, 1], [8, 6, 1, 1, 1, 1], battle_wear=0), "attack 1 2", is_won=False)
    assert dice(after)[:2] == [1, 6]


def test_who_has_no_area_is_out_and_its_reserve_is_gone() -> None:
    state = position(LINE, [0, 1, 2, 2, 2, 2], [8, 1, 1, 1, 1, 1])
    state.array["reserve"][0, :3] = [3, 9, 4]
    after = battle(state, "attack 1 2", is_won=True)
    assert after.raw.reserve[:3].tolist() == [3, 0, 4]
    assert [(event.a, event.b) for event in events(after, record.FELL)] == [(1, 0)]
    after.play("end")
    assert after.to_move == 2


# 4.3 Transfer


@pytest.mark.parametrize(
    ("here", "there", "then"), [(5, 1, [1, 5]), (5, 6, [3, 8]), (8, 1, [1, 8]), (1, 3, [1, 3]), (4, 8, [4, 8])]
)
def test_a_transfer_moves_what_fits_all_but_one(here: int, there: int, then: list[int]) -> None:
    state = position(LINE, [0, 0, 1, 1, 1, 1], [here, there, 1, 1, 1, 1])
    state.play("move 1 2")
    assert dice(state)[:2] == then
    assert state.raw.transfers == 1
    assert state.to_move == 0


def test_transfers_join_own_neighbours() -> None:
    state = position(LINE, [0, 0, 1, 0, 1, 1], [2] * 6)
    assert typed(state, "move") == ["move 1 2", "move 2 1"]


@pytest.mark.parametrize("most", [0, 1, 6])
def test_transfers_are_limited_by_turn(most: int) -> None:
    state = position(LINE, [0, 0, 1, 1, 1, 1], [3, 1, 1, 1, 1, 1], max_transfers=most)
    for step in range(most):
        state.play("move 1 2" if step % 2 == 0 else "move 2 1")
    assert not typed(state, "move")
    assert "end" in typed(state)
    for _ in range(2):
        state.play("end")
    assert bool(typed(state, "move")) == (most > 0)


def test_attacks_and_transfers_mix_and_conquests_take_part_at_once() -> None:
    state = position(LINE, [0, 0, 1, 1, 1, 1], [8, 1, 1, 1, 1, 1])
    state.play("move 1 2")
    after = battle(state, "attack 2 3", is_won=True)
    after.play("move 3 2")
    assert dice(after)[:3] == [1, 7, 1]
    assert "attack 2 3" not in typed(after)


# 4.4, 4.5 End of turn


def grown(state: State) -> list[int]:
    return [int(new) for new in state.raw.added[: len(dice(state))]]


def test_income_is_the_size_of_the_largest_region() -> None:
    state = position(LINE, [0, 0, 1, 0, 0, 0], [1] * 6)
    state.play("end")
    assert sum(grown(state)) == 3
    assert grown(state)[2] == 0
    assert [(event.a, event.b, event.c) for event in events(state, record.EARNED)] == [(0, 3, 3)]
    assert sum(dice(state)) == 9


def test_what_finds_no_place_is_the_reserve_and_is_placed_later() -> None:
    state = position(LINE, [0, 0, 0, 0, 1, 1], [8, 8, 8, 7, 1, 1])
    state.play("end")
    assert state.raw.reserve[:2].tolist() == [3, 0]
    assert dice(state)[:4] == [8, 8, 8, 8]
    state.play("end")
    state.array["dice"][0, :4] = 1
    state.play("end")
    assert state.raw.reserve[0] == 0
    assert sum(dice(state)[:4]) == 4 + 3 + 4


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, 20),  # 24 less 4 areas
        ({"reserve_cap": 3}, 0),
        ({"reserve_type": "fixed"}, 24),
        ({"reserve_type": "fixed", "reserve_cap": 64, "production_cap": 30}, 30),
        ({"reserve_type": "fixed", "reserve_cap": 64}, 64),
        ({"reserve_type": "fixed", "reserve_cap": 900, "production_cap": 1000}, 154),
    ],
)
def test_caps_of_the_reserve(options: dict[str, Any], kept: int) -> None:
    state = position(LINE, [0, 0, 0, 0, 1, 1], [8, 8, 8, 8, 1, 1], **options)
    state.array["reserve"][0, 0] = 150
    state.play("end")
    assert state.raw.reserve[0] == kept


def test_new_dice_go_to_random_own_areas_that_are_not_full() -> None:
    counts = [0, 0, 0]
    for seed in range(400):
        state = position(LINE, [0, 0, 0, 1, 1, 1], [1, 8, 5, 1, 1, 1], seed=seed)
        state.play("end")
        counts = [count + new for count, new in zip(counts, grown(state)[:3], strict=True)]
    assert counts[1] == 0
    assert sum(counts) == 1200
    assert abs(counts[0] - 599) < 4 * 300**0.5  # the third area is full after three: hardly less than half


@pytest.mark.parametrize("reserves", ["hidden", "public"])
def test_the_reserve_is_told_only_where_it_is_public(reserves: str) -> None:
    state = position(LINE, [0, 0, 0, 0, 1, 1], [8, 8, 8, 8, 1, 1], reserves=reserves)
    state.play("end")
    saved = events(state, record.SAVED)
    assert [(event.a, event.b) for event in saved] == [(0, 4)]
    assert saved[0].seen_by == (EVERYONE if reserves == "public" else 0)


# 4.6 End of the game


def test_the_owner_of_all_areas_wins() -> None:
    after = battle(position(LINE, [0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 8, 1]), "attack 5 6", is_won=True)
    assert after.over
    assert after.raw.winner == 0
    assert after.returns == [1, -1]
    assert events(after, record.WON)


@pytest.mark.parametrize(("players", "rounds"), [(2, 8), (3, 2), (2, 1)])
def test_nobody_wins_after_rounds_of_nothing_but_ends(players: int, rounds: int) -> None:
    owned = [0, 0, 1, 1, players - 1, players - 1]
    state = position(LINE, owned, [1] * 6, max_pass_rounds=rounds)
    for _ in range(players * rounds):
        assert not state.over
        state.play("end")
    assert state.over
    assert state.raw.why == record.PASSED
    assert state.raw.winner == record.NOBODY
    assert state.returns == ([0, 0] if players == 2 else [-1] * players)


@pytest.mark.parametrize("move", ["attack 3 2", "move 3 4"])
def test_an_attack_or_a_transfer_starts_the_count_anew(move: str) -> None:
    state = position(LINE, [0, 0, 1, 1, 1, 1], [1, 1, 2, 1, 1, 1], max_pass_rounds=2)
    for _ in range(3):
        state.play("end")
    state.play(move)
    assert not state.over
    assert state.raw.passes == 0


def test_the_fallen_do_not_count_in_the_rounds() -> None:
    state = position(LINE, [0, 0, 0, 2, 2, 2], [1] * 6, max_pass_rounds=2)
    for _ in range(4):
        state.play("end")
    assert state.over
    assert state.raw.why == record.PASSED


def test_nobody_wins_after_too_many_battles() -> None:
    state = position(LINE, [0, 0, 1, 1, 1, 1], [1, 2, 8, 1, 1, 1], max_battles=1)
    after = battle(state, "attack 2 3", is_won=False)
    assert after.over
    assert after.raw.why == record.FOUGHT_ON
    assert after.raw.winner == record.NOBODY


def test_the_last_battle_allowed_may_win() -> None:
    after = battle(position("1-2", [0, 1], [8, 1], max_battles=1), "attack 1 2", is_won=True)
    assert after.over
    assert after.raw.winner == 0


def test_nobody_wins_after_too_many_turns() -> None:
    state = position(LINE, [0, 0, 1, 1, 1, 1], [1] * 6, max_turns=3)
    for _ in range(3):
        assert not state.over
        state.play("end")
    assert state.over
    assert state.raw.why == record.TIRED
    assert [event.a for event in events(state, record.DRAWN)] == [record.TIRED]


# Events


def test_a_battle_is_told_with_its_dice() -> None:
    after = battle(position(LINE, [0, 1, 1, 1, 1, 1], [3, 2, 1, 1, 1, 1]), "attack 1 2", is_won=True)
    (fought,), (taken,) = events(after, record.FOUGHT), events(after, record.TAKEN)
    assert fought.a == 0 + 64 * 1
    thrown = [[packed >> 3 * i & 7 for i in range(8)] for packed in (fought.b, fought.c)]
    assert thrown == after.raw.rolled.tolist()
    assert (taken.a, taken.b, taken.c) == (1, 0 + 8 * 1, 2)


def test_a_deal_is_told_in_full() -> None:
    state = dicewars().start(seed=3)
    both = zip(owners(state), dice(state), strict=True)
    laid = {event.a: (event.b, event.c) for event in state.history[0] if event.kind == record.LAID}
    assert laid == {area: (owner, count) for area, (owner, count) in enumerate(both)}
    told = [(event.a, event.b, event.c) for event in state.history[0] if event.kind == record.DEAL]
    assert sum(areas for _, areas, _ in told) == 34
    assert sum(count for *_, count in told) == sum(dice(state))


# Options and actions


def test_generations_are_settings() -> None:
    for rules, values in GENERATIONS.items():
        game = dicewars(rules=rules)
        assert all(game.rules.option_or_rules(name) == value for name, value in values.items())
    changed = dicewars(rules="sui2020", areas=12, max_transfers=0, battle_wear=4)
    assert (
        changed.rules.option_or_rules("areas"),
        changed.rules.option_or_rules("battle_wear"),
        changed.rules.option_or_rules("density"),
    ) == (
        12,
        4,
        3,
    )


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"players": 8, "areas": 7}, "each of 8 players needs one"),
        ({"areas": 0}, "each of 4 players needs one"),
        ({"density": 0}, "an area holds 1 to 8 dice"),
        ({"density": 5, "max_dice": 4}, "an area holds 1 to 4 dice"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        dicewars(**options)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(Dicewars.Rules.option_sets), st.data())
def test_actions_and_their_names(options: dict[str, Any], data: st.DataObject) -> None:
    game = dicewars(**options)
    action = data.draw(st.integers(1, game.rules.actions - 1))
    is_attack, source, target = game.rules.pair_of(action)
    assert action == (game.rules.attack if is_attack else game.rules.transfer)(source, target)
    assert game.rules.action_text(action) == f"{'attack' if is_attack else 'move'} {source + 1} {target + 1}"


def test_areas_and_actions_that_are_not_there() -> None:
    game = dicewars(areas=6)
    for source, target in ((6, 0), (0, 6), (-1, 0)):
        for action in (game.rules.attack, game.rules.transfer):
            with pytest.raises(IllegalAction, match="in Python areas count from 0, to 5 here"):
                action(source, target)
    for wrong in (-1, game.rules.actions):
        with pytest.raises(IllegalAction, match="no attack or transfer: those are 1 to 72 here, 0 is end"):
            game.rules.action_text(wrong)
    with pytest.raises(IllegalAction, match="0 is no attack"):
        game.rules.pair_of(0)
