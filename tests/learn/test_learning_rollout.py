"""Rollouts: many games of a learner and its opponents, the same for any number of threads and after a stop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.arena.test_match import Bids
from tests.learn.small import LearnedKuhn
from tests.testing.toys.pig import Pig

from ludens.core.agent import Random
from ludens.core.error import BadOption, BadRecord
from ludens.core.game import Game
from ludens.core.registry import make_game
from ludens.learn import rollout
from ludens.learn.features import features_of
from ludens.learn.reward import read_reward
from ludens.learn.rollout import Group, Notes, Plan, Rollout

LANES, STEPS = 24, 10


def make(game: Game, opponents: tuple[str, ...] = ("random",), **changes: Any) -> Rollout:
    seats = tuple(range(game.rules.seats))
    plan = Plan(7, LANES, 4, STEPS, seats, game.rules.actions)._replace(**changes)
    features = features_of(game, "cards" if game.id == "kuhn" else "default")
    return Rollout(game, features, read_reward("return", game), opponents, plan, [])


def odds_of(game: Game) -> Any:
    """Outputs that prefer some actions, and depend on nothing."""
    row = np.linspace(-1, 1, game.rules.actions, dtype=np.float32)
    return lambda inputs: np.tile(row, (len(inputs), 1))


def copy(notes: Notes) -> Notes:
    return Notes(*(array.copy() for array in notes))


def same(one: Notes, other: Notes) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("toy", [Pig, LearnedKuhn])
def test_no_action_is_illegal_and_each_lane_decides_in_every_step(toy: Any) -> None:
    game = toy()
    played = make(game)
    for _ in range(3):
        notes = played.play(odds_of(game), epsilon=0.3)
        chosen = np.take_along_axis(notes.masks[:-1], notes.actions[..., None], axis=2)
        assert (chosen == 1).all()
        assert (notes.odds > 0).all()
        assert set(np.unique(notes.masks.sum(axis=2))) <= {1, 2}
    assert all(set(group.mine) == {0, 1} for group in played.groups)  # the learner takes each seat


def test_a_reward_may_end_a_part_of_the_game_for_the_decisions_in_it() -> None:
    """Of Liar's Dice, rounds: each is learned on its own, though the match goes on."""
    game = make_game("liars-dice", dice=2, faces=3)
    plan = Plan(7, LANES, 4, STEPS, (0, 1), game.rules.actions)
    played = Rollout(game, features_of(game, "default"), read_reward("round", game), ("random",), plan, [])
    notes = played.play(odds_of(game))
    assert notes.ended[notes.rewards == 1].all()
    assert notes.ended.sum() > played.finished()[0] > 0


@pytest.mark.parametrize("opponent", ["random", "mcts:sims=2"])
def test_rewards_are_the_returns_of_the_games_that_ended(opponent: str) -> None:
    game = LearnedKuhn()
    played = make(game, (opponent,))
    paid, ended = 0.0, 0
    for _ in range(4):
        notes = played.play(odds_of(game))
        assert not notes.rewards[~notes.ended].any()
        paid += notes.rewards.sum()
        ended += int(notes.ended.sum())
    games, mean = played.finished()
    assert ended <= games <= ended + LANES  # the learner did not decide in some games, or the last step is not over
    assert abs(paid - games * mean) <= 2 * (games - ended) + 1e-3
    assert played.finished() == (0, 0.0)


@pytest.mark.parametrize("threads", [1, 3])
def test_games_do_not_depend_on_the_number_of_threads(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Pig()
    usual = [copy(made.play(odds_of(game))) for made in [make(game)] for _ in range(2)]
    monkeypatch.setattr(rollout, "processors", lambda: threads)
    other = make(game)
    assert all(same(notes, other.play(odds_of(game))) for notes in usual)


@pytest.mark.parametrize("opponents", [("random",), ("random", "mcts:sims=2")])
def test_it_goes_on_exactly_from_what_was_saved(opponents: tuple[str, ...], tmp_path: Path) -> None:
    game = Pig()
    played = make(game, opponents)
    played.play(odds_of(game))
    played.save(tmp_path)
    went_on = [copy(played.play(odds_of(game), epsilon=0.1)) for _ in range(2)]
    again = make(game, opponents)
    again.load(tmp_path)
    assert all(same(notes, again.play(odds_of(game), epsilon=0.1)) for notes in went_on)
    assert again.finished() == played.finished()


def test_what_was_saved_with_other_settings_is_refused(tmp_path: Path) -> None:
    game = Pig()
    make(game).save(tmp_path)
    with pytest.raises(BadRecord, match="was written with 6 lanes a group, not 3"):
        make(game, lanes=12).load(tmp_path)
    with pytest.raises(BadRecord, match="was written with other opponents"):
        make(game, ("random", "mcts:sims=2")).load(tmp_path)


def test_a_critic_may_see_all_seats() -> None:
    game = LearnedKuhn()
    played = make(game, sees_all=True)
    notes = played.play(odds_of(game))
    length = played.features.length
    assert notes.whole.shape == (STEPS + 1, LANES, 2 * length)
    np.testing.assert_array_equal(notes.whole[..., :length], notes.inputs)
    cards = notes.whole[..., length : length + 3]
    np.testing.assert_array_equal(cards.sum(axis=2), 1)  # the other seat's card, which the learner does not see
    assert not (cards * notes.inputs[..., :3]).any()


@pytest.mark.parametrize(
    ("opponents", "changes", "words"),
    [
        ((), {}, "there is nobody to play against: name an --opponent"),
        (("random",), {"lanes": 25}, "lanes=25 cannot be divided into 4 groups"),
        (("nobody",), {}, "has no agent 'nobody'"),
    ],
)
def test_mistakes_are_told_in_a_sentence(opponents: tuple[str, ...], changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        make(Pig(), opponents, **changes)


class Giver(Random):
    """Brings a gift, as an agent brings its deck."""

    def start_fields(self) -> dict[str, Any]:
        return {"gift": 5}


def test_opponents_bring_their_start_fields(tmp_path: Path) -> None:
    game = Bids()
    plan = Plan(7, LANES, 1, STEPS, (0, 1), game.rules.actions)

    def group() -> Group:
        return Group(game, read_reward("return", game), [Giver(game), Random(game)], plan, 0)

    def play(one: Group, times: int) -> None:
        rows = np.arange(LANES)
        for _ in range(times):
            one.wait()
            gifts = one.lanes.states["gift"]
            assert (gifts[rows, one.mine] == 0).all()
            assert ((gifts == 5) == one.opponents[0].seats.mine).all()
            assert set(gifts[rows, 1 - one.mine]) == {0, 5}
            one.lanes.step(rows, np.zeros(LANES, np.int64), settles=False)

    whole = group()
    play(whole, 8)
    whole.save(tmp_path, "half")
    again = group()
    again.load(tmp_path, "half")
    play(whole, 5)
    play(again, 5)
    assert whole.lanes.numbers.max() > LANES
    assert whole.lanes.states.tobytes() == again.lanes.states.tobytes()
