"""The rules of Liar's Dice, sentence by sentence: section 1 of the specification, then the numbers of section 2."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest
from tests.games.liars_dice.dice_position import events, held, liars, position, typed
from tests.reference.liars_dice import is_raise

from ludens.core.error import BadOption, IllegalAction
from ludens.games.liars_dice import rules
from ludens.games.liars_dice.game import RAISE_RULES


def raises(rule: str, last: str, dice: str = "11111 22222") -> list[str]:
    """What may be bid over a bid."""
    state = position(liars(raise_rule=rule), dice, [last])
    return [move for move in typed(state) if move != "liar"]


# 1.1 Match


@pytest.mark.parametrize("options", [{"players": 1}, {"players": 7}, {"dice": 0}, {"dice": 7}, {"faces": 1}])
def test_two_to_six_players_dice_and_faces(options: dict[str, int]) -> None:
    with pytest.raises(BadOption, match=next(iter(options))):
        liars(**options)


def test_everybody_starts_with_five_dice() -> None:
    assert held(liars(players=3).start(seed=4)) == [5, 5, 5]
    assert liars().rules.options.faces == 6


def test_the_loser_of_a_round_loses_a_die_and_opens_the_next() -> None:
    state = position(liars(), "11111 22222", "1x3 liar")
    assert held(state) == [4, 5]
    assert state.to_move == 0
    assert int(state.raw.opener) == 0
    assert int(state.raw.rounds) == 1
    assert "liar" not in typed(state)


def test_a_player_without_dice_is_skipped() -> None:
    state = position(liars(players=3), "11 - 22", "1x1")
    assert state.to_move == 2
    state.play("2x1")
    assert state.to_move == 0


def test_if_the_loser_is_out_the_next_player_in_opens() -> None:
    state = position(liars(players=4), "6 - 22 33", "1x5 liar")
    assert held(state) == [0, 0, 2, 2]
    assert state.to_move == 2
    assert [event.a for event in events(state, rules.GONE)] == [0]


def test_the_last_player_with_dice_wins_the_match() -> None:
    state = position(liars(players=3), "- 6 222", "2x6 liar", opener=1)
    assert state.over
    assert state.returns == [-0.5, -0.5, 1]
    assert state.scores == [0, 0, 3]
    duel = position(liars(), "6 222", "2x6 liar")
    assert duel.returns == [-1, 1]


def test_the_first_opener_is_drawn() -> None:
    openers = Counter(liars(players=3).start(seed=seed).to_move for seed in range(300))
    assert sorted(openers) == [0, 1, 2]
    assert min(openers.values()) > 60


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_or_it_is_a_given_seat(seat: int) -> None:
    game = liars(players=3, first=seat)
    assert {game.start(seed=seed).to_move for seed in range(20)} == {seat - 1}


def test_or_it_alternates_with_the_seed() -> None:
    game = liars(players=3, first="alternate")
    assert [game.start(seed=seed).to_move for seed in range(5)] == [0, 1, 2, 0, 1]
    assert game.start(seed=(1 << 64) - 1).to_move == ((1 << 64) - 1) % 3


def test_options_must_go_together() -> None:
    with pytest.raises(BadOption, match="first=3"):
        liars(first=3)
    with pytest.raises(BadOption, match="dice_3"):
        liars(dice_3=2)


# 1.2 Round


def test_all_players_still_in_roll_all_their_dice_hidden() -> None:
    state = liars(players=3).start(seed=3)
    assert state.raw.dice[:3].sum(axis=1).tolist() == [5, 5, 5]
    view = state.view(1)
    assert view.raw.dice[1].tolist() == state.raw.dice[1].tolist()
    assert view.raw.dice[[0, 2]].sum() == 0
    rolls = [event for event in state.heard(1)[0] if event.kind == rules.ROLL]
    assert [event.a for event in rolls] == [1]


def test_dice_are_fair() -> None:
    game = liars(dice=6, faces=6, players=6)
    thrown = sum(game.start(seed=seed).raw.dice.sum(axis=0).astype(int) for seed in range(400))
    expected = 400 * 36 / 6
    assert ((thrown - expected) ** 2 / expected).sum() < 25  # chi-square with 5 degrees: one in 7,000


def test_the_opener_must_bid() -> None:
    state = liars().start(seed=1)
    assert len(state.legal) == 60
    assert typed(state)[0] == "1x1"
    assert typed(state)[-1] == "10x6"
    with pytest.raises(IllegalAction, match="no bid yet"):
        state.play("liar")


def test_bids_are_at_most_as_many_as_dice_on_the_table() -> None:
    state = position(liars(), "11 222")
    assert typed(state)[-1] == "5x6"
    with pytest.raises(IllegalAction, match="only 5 dice are on the table"):
        state.play("6x1")


def test_play_goes_clockwise() -> None:
    state = position(liars(players=3), "111 222 333", opener=1)
    seats = []
    for move in ("1x1", "1x2", "1x3", "1x4"):
        seats.append(state.to_move)
        state.play(move)
    assert seats == [1, 2, 0, 1]


@pytest.mark.parametrize(("bid", "left"), [("2x3", [3, 2]), ("3x3", [3, 2]), ("4x3", [2, 3]), ("5x3", [2, 3])])
def test_a_bid_that_holds_costs_its_caller_and_one_that_fails_its_bidder(bid: str, left: list[int]) -> None:
    """Three threes are on the table; player 1 bids, player 2 calls."""
    state = position(liars(), "132 233", [bid, "liar"])
    assert held(state) == left
    (count,) = events(state, rules.COUNT)
    assert (count.a, count.c) == (3, 3)


def test_the_bidder_is_the_player_directly_before_the_caller() -> None:
    state = position(liars(players=4), "11 22 - 33", "1x5 2x5 liar")
    assert held(state) == [2, 1, 0, 2]
    (call,) = events(state, rules.LIAR)
    assert (call.a, call.b) == (3, 1)


def test_all_dice_are_shown_to_everybody() -> None:
    state = position(liars(), "133 245", "1x3 liar")
    for seat in (0, 1):
        view = state.view(seat)
        assert view.raw.shown[0].tolist() == [1, 0, 2, 0, 0, 0]
        assert view.raw.shown[1].tolist() == [0, 1, 0, 1, 1, 0]
        assert view.raw.change.tolist() == [0, -1, 0, 0, 0, 0]
        shows = [event for event in state.heard(seat)[-1] if event.kind == rules.SHOW]
        assert [(event.a, event.c) for event in shows] == [(0, 2), (1, 0)]
    assert (view.raw.call, view.raw.claim, view.raw.caller, view.raw.bidder) == (rules.LIAR_CALL, 2, 1, 0)


def test_the_reveal_stays_until_the_next_one() -> None:
    state = position(liars(), "133 245", "1x3 liar")
    shown = state.raw.shown.copy()
    state.play("1x1")
    assert (state.view(0).raw.shown == shown).all()


@pytest.mark.parametrize("rule", RAISE_RULES)
def test_after_the_highest_bid_only_liar_is_left(rule: str) -> None:
    assert typed(position(liars(raise_rule=rule), "111 222", "6x6")) == ["liar"]


# 1.3 Raises


def test_the_worked_example_over_two_threes() -> None:
    over = {rule: set(raises(rule, "2x3")) for rule in RAISE_RULES}
    assert "3x1" in over["reset_face"]
    assert "1x4" not in over["reset_face"]
    assert "1x4" in over["reset_quantity"]
    assert "3x1" not in over["reset_quantity"]
    assert {"3x3", "2x4", "3x4"} <= over["monotone"]
    assert not {"3x1", "1x4", "2x3"} & over["monotone"]
    assert {"3x3", "2x4"} <= over["single_step_axis"]
    assert not {"3x4", "3x1", "1x4"} & over["single_step_axis"]


def test_monotone_is_the_default() -> None:
    assert liars().rules.options.raise_rule == "monotone"


@pytest.mark.parametrize("rule", RAISE_RULES)
def test_a_refusal_names_the_rule(rule: str) -> None:
    state = position(liars(raise_rule=rule), "111 222", "2x3")
    with pytest.raises(IllegalAction, match="over 2×3"):
        state.play("2x3")


# 1.4 Options


@pytest.mark.parametrize(
    ("wild", "bid", "count"),
    [("none", "2x3", 2), ("low", "2x3", 3), ("high", "2x3", 4), ("low", "1x1", 1), ("high", "1x6", 2)],
)
def test_wild_dice_match_every_face_but_a_bid_on_them_counts_only_them(wild: str, bid: str, count: int) -> None:
    state = position(liars(wild=wild), "1345 3662", [bid, "liar"])
    assert events(state, rules.COUNT)[0].a == count


def test_wild_high_is_the_highest_face_there_is() -> None:
    assert events(position(liars(wild="high", faces=4), "134 422", "1x3 liar"), rules.COUNT)[0].a == 3


def test_wild_dice_are_tamed_by_a_bid_on_them() -> None:
    moves = "1x1 2x3 liar"
    off = position(liars(wild="low", wild_off=True), "1345 3112", moves)
    on = position(liars(wild="low"), "1345 3112", moves)
    assert [events(state, rules.COUNT)[0].a for state in (off, on)] == [2, 5]
    assert (off.raw.was_wild_off, off.raw.wild_off) == (1, 0)  # only until the end of that round


def exact(reward: str, dice: str, moves: str, **options: object) -> list[int]:
    return held(position(liars(exact=True, exact_reward=reward, players=3, **options), dice, moves))


def test_a_right_exact_call_gains_a_die_up_to_the_start() -> None:
    assert exact("gain", "133 345 666", "3x3 exact") == [3, 4, 3]
    assert exact("gain", "133 34566 666", "3x3 exact") == [3, 5, 3]
    assert liars().rules.options.exact_reward == "gain"
    unequal = position(liars(exact=True, dice_2=4), "13333 3466", "5x3 exact")
    assert held(unequal) == [5, 4]  # its own start, not the largest


def test_or_everybody_else_loses_one() -> None:
    state = position(liars(exact=True, exact_reward="others", players=3), "133 345 6", "3x3 exact")
    assert held(state) == [2, 3, 0]
    assert [event.a for event in events(state, rules.GONE)] == [2]


def test_or_the_round_is_void() -> None:
    assert exact("void", "133 345 666", "3x3 exact") == [3, 3, 3]


@pytest.mark.parametrize("bid", ["2x3", "4x3"])
@pytest.mark.parametrize("loss", ["one", "difference"])
def test_a_wrong_exact_call_costs_its_caller_one_die(bid: str, loss: str) -> None:
    assert exact("others", "133 345 666", f"{bid} exact", loss=loss) == [3, 2, 3]


@pytest.mark.parametrize("reward", ["gain", "others", "void"])
def test_the_exact_caller_opens_the_next_round(reward: str) -> None:
    game = liars(exact=True, exact_reward=reward, players=3)
    assert position(game, "133 345 666", "3x3 exact").to_move == 1
    assert position(game, "133 345 666", "2x3 exact").to_move == 1


def test_exact_is_no_legal_call_unless_it_is_played() -> None:
    assert typed(position(liars(exact=True), "111 222", "6x6")) == ["liar", "exact"]
    with pytest.raises(IllegalAction, match="not played"):
        position(liars(), "111 222", "6x6 exact")


@pytest.mark.parametrize(("bid", "left"), [("1x3", [5, 3]), ("3x3", [5, 4]), ("5x3", [3, 5]), ("10x3", [0, 5])])
def test_the_loser_may_lose_the_difference_but_at_least_one(bid: str, left: list[int]) -> None:
    assert held(position(liars(loss="difference"), "13345 31122", [bid, "liar"])) == left


@pytest.mark.parametrize(("bid", "returns"), [("3x3", [1, -1]), ("4x3", [-1, 1])])
def test_a_single_round_decides(bid: str, returns: list[float]) -> None:
    state = position(liars(single_round=True), "13345 31122", [bid, "liar"])
    assert state.over
    assert state.returns == returns


def test_of_three_in_a_single_round_only_the_loser_loses() -> None:
    state = position(liars(single_round=True, players=3), "13345 31122 66666", "4x3 liar")
    assert state.returns == [-0.5, 0.25, 0.25]
    assert held(state) == [4, 5, 5]


@pytest.mark.parametrize(("reward", "returns"), [("gain", [-1, 1]), ("others", [-1, 1]), ("void", [0, 0])])
def test_an_exact_call_in_a_single_round(reward: str, returns: list[float]) -> None:
    state = position(liars(single_round=True, exact=True, exact_reward=reward), "133 345", "3x3 exact")
    assert state.over
    assert state.returns == returns


def test_rounds_from_given_dice_counts() -> None:
    game = liars(dice=5, dice_2=4, single_round=True)
    assert game.rules.start_dice == [5, 4]
    assert held(game.start(seed=1)) == [5, 4]
    assert len(game.start(seed=1).legal) == 54


# 1.5 Encoding


def test_ids_of_actions() -> None:
    game = liars(players=3, dice=4, faces=5, dice_1=2)
    assert game.rules.liar == (2 + 4 + 4) * 5
    assert game.rules.actions == game.rules.liar + 2
    texts = [game.rules.action_text(action) for action in (0, 4, 5, 49, 50, 51)]
    assert texts == ["1x1", "1x5", "2x1", "10x5", "liar", "exact"]


def test_ids_are_stable_over_a_match() -> None:
    state = position(liars(), "111 222", "1x1")
    assert state.legal[-1] == 60


def test_the_round_is_remembered_in_full_and_forgotten_at_its_end() -> None:
    state = position(liars(), "111 222", "1x2 2x3 4x3")
    view = state.view(0).raw
    assert view.bids[: view.made].tolist() == [1, 8, 20]
    assert int(view.opener) == 0
    state.play("liar")
    assert int(state.raw.made) == 0
    assert not state.raw.bids.any()


# 2. Sizes

PUBLISHED = {
    "1x1": (59, 59, 59, 14),
    "2x3": (51, 38, 35, 11),
    "5x4": (32, 25, 17, 7),
    "10x1": (5, 50, 5, 5),
    "1x6": (54, 9, 9, 9),
}


@pytest.mark.parametrize("bid", PUBLISHED)
def test_the_table_of_legal_raises(bid: str) -> None:
    assert tuple(len(raises(rule, bid)) for rule in RAISE_RULES) == PUBLISHED[bid]


def closed_form(rule: str, n: int, faces: int, q: int, f: int) -> int:
    return {
        "reset_face": (n - q) * faces + (faces - f),
        "reset_quantity": (faces - f) * n + (n - q),
        "monotone": (n - q + 1) * (faces - f + 1) - 1,
        "single_step_axis": (n - q) + (faces - f),
    }[rule]


@pytest.mark.parametrize(("rule", "mean"), list(zip(RAISE_RULES, (29.5, 29.5, 18.25, 7), strict=True)))
def test_the_closed_forms_and_their_means(rule: str, mean: float) -> None:
    sizes = []
    for q in range(1, 11):
        for f in range(1, 7):
            found = raises(rule, f"{q}x{f}")
            assert len(found) == closed_form(rule, 10, 6, q, f)
            bids = [(int(a), int(b)) for a, b in (move.split("x") for move in found)]
            assert all(is_raise(rule, bid, (q, f)) for bid in bids)
            sizes.append(len(found))
    assert np.mean(sizes) == mean


def histories(rule: str, n: int, faces: int) -> int:
    """How many sequences of bids there are, the empty one included, counted from the highest bid down."""
    game = liars(raise_rule=rule, dice_1=n - 1, dice_2=1, faces=faces)
    after: dict[int, int] = {}
    pending = list(range(n * faces))
    dice = f"{'1' * (n - 1)} 1"
    follow = {bid: position(game, dice, [game.rules.action_text(bid)]).legal[:-1] for bid in pending}
    while pending:
        for bid in [bid for bid in pending if all(other in after for other in follow[bid])]:
            after[bid] = 1 + sum(after[other] for other in follow[bid])
            pending.remove(bid)
    return 1 + sum(after.values())


@pytest.mark.parametrize(
    ("rule", "n", "count"),
    [
        ("reset_face", 2, 4096),
        ("reset_quantity", 2, 4096),
        ("monotone", 2, 448),
        ("single_step_axis", 2, 319),
        ("reset_face", 3, 2**18),
        ("monotone", 3, 2176),
        ("single_step_axis", 3, 1198),
        ("monotone", 4, 8832),
        ("single_step_axis", 5, 12168),
        ("monotone", 6, 107712),
    ],
)
def test_the_numbers_of_public_histories(rule: str, n: int, count: int) -> None:
    assert histories(rule, n, 6) == count


def test_the_numbers_of_hands() -> None:
    hands = {tuple(liars(dice=2).start(seed=seed).raw.dice[0]) for seed in range(600)}
    assert len(hands) == comb(2 + 5, 5)
