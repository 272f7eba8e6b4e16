"""The thesis's learners: each update by hand, the roulette, the profile, frozen play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.arena.tournament import arena
from ludens.core import ops
from ludens.core.agent import act_by_rule
from ludens.core.error import BadOption
from ludens.core.registry import make_agent, make_game
from ludens.core.rng import uniform
from ludens.core.seat import SeatedAgent
from ludens.games.liars_dice.thesis.layout import CALL, HIGH, LIAR, LOW, MID, bid_class
from ludens.games.liars_dice.thesis.learners import Learner

GAME = make_game("liars-dice", first="1")
LIAR_ACTION = 60


def learner(spec: str, game: Any = GAME) -> Any:
    made = make_agent(spec, game)
    assert isinstance(made, Learner)
    return made


def bid(text: str) -> int:
    quantity, face = map(int, text.split("x"))
    return (quantity - 1) * 6 + face - 1


class Scripted:
    """A match in which the learner has seat 0, and both sides play what the test says.

    The learner's dice are set so that its roulette stops exactly where the test wants.
    """

    def __init__(self, agent: Any, seed: int = 1, game: Any = GAME) -> None:
        self.agent, self.state = agent, game.start(seed=seed)
        self.memory = agent.new_memory(1)

    def turn(self, wanted: str) -> None:
        """Let the learner move until its dice give the wanted action, and play that."""
        action = LIAR_ACTION if wanted == "liar" else bid(wanted)
        table = self.agent.table
        kept = [part.copy() for part in (table.q, table.shares, self.agent.known, self.memory)]
        for stamp in range(100_000):
            table.q[:], table.shares[:], self.agent.known[:], self.memory[:] = kept
            view = self.state.view(0).array
            view["rng"] = stamp
            if self.agent.act(view, self.memory)[0] == action:
                self.state.play(action)
                return
        raise AssertionError(f"{wanted} was never drawn")

    def other(self, text: str) -> None:
        self.state.play(text)

    def value(self, kind: int, text: str) -> float:
        return float(self.agent.q[0, kind, bid(text)])

    @property
    def lost_last(self) -> bool:
        return bool(self.state.raw.change[0] < 0)


def test_first_values_are_the_thesis_s() -> None:
    q = learner("q").q
    assert q.size == 120
    assert q[0, CALL, bid("1x1")] == 1 / 2
    assert q[0, CALL, bid("10x6")] == 1 / 20
    assert q[0, LIAR, bid("1x3")] == 1 / 20
    assert q[0, LIAR, bid("10x1")] == 1 / 2


def test_sarsa_learns_from_the_action_it_takes_next() -> None:
    match = Scripted(learner("sarsa"))
    match.turn("1x1")
    assert match.value(CALL, "1x1") == 0.5  # nothing was pending
    match.other("2x2")
    match.turn("3x3")
    assert match.value(CALL, "1x1") == 0.5 + 0.5 * (0.5 + 0.5 * (1 / 6) - 0.5)
    assert match.value(CALL, "3x3") == 1 / 6


def test_q_learning_learns_from_the_best_legal_action() -> None:
    match = Scripted(learner("q"))
    match.turn("1x1")
    match.other("2x2")
    match.turn("3x3")
    best = 1 / 4  # the call of 2x3; doubting 2x2 is worth 1/18
    assert match.value(CALL, "1x1") == 0.5 + 0.5 * (0.5 + 0.5 * best - 0.5)


def _end_of_round(spec: str) -> tuple[Scripted, float]:
    """Open with 1x1, doubt a sure lie, and stand at the first turn of the next round, which the other opens."""
    match = Scripted(learner(spec))
    match.turn("1x1")
    match.other("10x5")
    match.turn("liar")
    assert not match.lost_last
    match.other("1x1")
    return match, match.value(LIAR, "10x5")


def test_the_end_of_a_round_is_learned_at_the_next_turn_and_looks_ahead() -> None:
    match, before = _end_of_round("sarsa")
    match.turn("2x2")
    assert match.value(LIAR, "10x5") == before + 0.5 * (1 + 0.5 * (1 / 4) - before)


def test_a_terminal_update_does_not_look_ahead() -> None:
    match, before = _end_of_round("sarsa:terminal=yes")
    match.turn("2x2")
    assert match.value(LIAR, "10x5") == before + 0.5 * (1 - before)
    match.other("3x3")
    match.turn("4x4")
    assert match.value(CALL, "2x2") == 0.25 + 0.5 * (0.5 + 0.5 * (1 / 8) - 0.25)


def test_a_lost_round_earns_nothing() -> None:
    match = Scripted(learner("sarsa"))
    match.turn("10x1")
    match.other("liar")
    assert match.lost_last
    match.turn("2x2")
    assert match.value(CALL, "10x1") == 0.05 + 0.5 * (0 + 0.5 * (1 / 4) - 0.05)


def test_settings_reach_the_update() -> None:
    match = Scripted(learner("sarsa:alpha=0.25,gamma=0.75,survived=0.1"))
    match.turn("1x1")
    match.other("2x2")
    match.turn("3x3")
    assert match.value(CALL, "1x1") == pytest.approx(0.5 + 0.25 * (0.1 + 0.75 / 6 - 0.5))


def test_the_literal_update_changes_the_action_just_drawn() -> None:
    match = Scripted(learner("sarsa:update=literal"))
    match.turn("1x1")
    match.other("2x2")
    match.turn("3x3")
    assert match.value(CALL, "1x1") == 0.5
    assert match.value(CALL, "3x3") == 1 / 6 + 0.5 * (0.5 + 0.5 / 6 - 1 / 6)


@pytest.mark.parametrize("remembered", ["yes", "no"])
def test_a_remembered_value_forgets_what_was_learned_since(remembered: str) -> None:
    """9x1 opens two rounds running: when it learns the second time it has moved since it was drawn."""
    match = Scripted(learner(f"sarsa:remembered={remembered}"))
    for _ in range(2):
        match.turn("9x1")
        match.other("liar")
        assert match.lost_last
    drawn = 1 / 18
    moved = drawn + 0.5 * (0 + 0.5 * drawn - drawn)
    assert match.value(CALL, "9x1") == moved
    match.turn("1x1")
    before = drawn if remembered == "yes" else moved
    assert match.value(CALL, "9x1") == before + 0.5 * (0 + 0.5 * 0.5 - before)


def test_the_deciding_round_is_forgotten_unless_it_is_to_be_learned() -> None:
    """With this gamma no first value of a bid, 1/2 or 1/4, is one that learning leaves as it is."""
    game = make_game("liars-dice", dice=1, first="1")
    for spec, learns in (("sarsa:gamma=0.25", False), ("sarsa:gamma=0.25,learn_last_round=yes", True)):
        agent = learner(spec, game)
        assert agent.wants_events is learns
        state = game.start(seed=1)
        seat = SeatedAgent(agent, 0)
        action = seat.choose(state)
        state.play(action).play("liar")
        seat.follow(state)
        before = agent.q.copy()
        has_won = state.returns[0] > 0
        again = SeatedAgent(agent, 0)
        following = game.start(seed=2)
        drawn = again.choose(following)
        changed = agent.q != before
        assert changed.any() == learns
        if learns:
            old, ahead = before[0, CALL, action], before[0, CALL, drawn]
            assert agent.q[0, CALL, action] == old + 0.5 * (has_won + 0.25 * ahead - old)


def test_the_roulette_stops_at_the_first_running_sum_that_reaches_its_number() -> None:
    agent = learner("sarsa:learn=no")
    state = GAME.start(seed=3).play("9x5")
    view = state.view()
    legal = view.legal
    weights = [agent.q[0, CALL, action] for action in legal[:-1]] + [agent.q[0, LIAR, bid("9x5")]]
    sums = np.cumsum(np.array(weights, np.float32), dtype=np.float32)
    for stamp in range(200):
        dice = view.array.copy()
        dice["rng"] = stamp
        drawn = agent.act(dice.copy(), agent.new_memory(1))[0]
        u = np.float32(uniform(dice[0]) * np.float64(sums[-1]))
        assert drawn == legal[int(np.argmax(sums >= u))]


def test_the_roulette_counts_in_float32() -> None:
    """A weight below the precision of float32 is never drawn after a large one, nor does its policy show it."""
    shares = {}
    for roulette in ("float32", "float64"):
        agent = learner(f"sarsa:learn=no,roulette={roulette}")
        agent.q[:] = 0
        agent.q[0, CALL, 0], agent.q[0, CALL, 1] = 1.0, 1e-9
        shares[roulette] = agent.policy(GAME.start(seed=1).view().array)[0, 1]
    assert shares["float32"] == 0
    assert shares["float64"] == pytest.approx(1e-9)


def test_bids_fall_into_the_thesis_s_classes() -> None:
    for quantity in range(1, 11):
        wanted = HIGH if quantity >= 8 else MID if quantity >= 5 else LOW
        assert bid_class(quantity, 1, 10) == bid_class(quantity, 2, 10) == wanted
        assert bid_class(quantity, 3, 10) == bid_class(quantity, 4, 10) == max(wanted, MID)
        assert bid_class(quantity, 5, 10) == bid_class(quantity, 6, 10) == HIGH
    assert bid_class(1, 1, 0) == HIGH  # no raise is left


def test_the_profile_counts_bids_and_lies_after_the_reveal() -> None:
    match = Scripted(learner("sarsa-profile"))
    shown = match.state.raw.dice.sum(axis=0)
    match.turn("1x1")
    match.other("2x2")
    match.turn("3x2")
    match.other("10x5")
    match.turn("liar")
    known = match.agent.known[0]
    assert not known.bids.any()  # nothing is known before the next turn
    match.other("1x1")
    match.turn("2x2")
    assert known.bids.tolist() == [1, 0, 1]
    assert known.lies.tolist() == [int(shown[1] < 2), 0, 1]
    assert known.rates.tolist() == known.lies.tolist()
    assert known.rounds == 1


def test_the_bonus_is_twice_the_rate_times_the_largest_value() -> None:
    state = GAME.start(seed=1).play("9x5")
    for qmax, largest in (("table", 0.5), ("legal", 1 / 4)):
        agent = learner(f"sarsa-profile:learn=no,roulette=float64,qmax={qmax}")
        agent.known["rates"][0, HIGH] = 0.4
        chances = agent.policy(state.view().array)[0]
        raises = agent.q[0, CALL, [bid("9x6"), bid("10x5"), bid("10x6")]]
        doubt = agent.q[0, LIAR, bid("9x5")] + 2 * 0.4 * largest
        assert chances[LIAR_ACTION] == pytest.approx(doubt / (doubt + raises.sum()))
        assert np.max(agent.q) == 0.5
        assert agent.q[0, LIAR, bid("9x5")] == largest or qmax == "table"


def _rounds_of_lies(agent: Any, rounds: int) -> None:
    """Rounds in which the other bids 10x1, a lie, and is doubted; the match begins anew before it ends."""
    game = make_game("liars-dice", first="2")
    done = 0
    while done < rounds:
        match = Scripted(agent, seed=done, game=game)
        for _ in range(min(4, rounds - done)):
            match.other("10x1" if match.state.raw.total == 10 else f"{match.state.raw.total}x1")
            match.turn("liar")
            done += 1
        match.other("1x1")
        match.turn("liar")  # here the last round is learned


@pytest.mark.parametrize(("reset", "rate"), [("listing", 1.0), ("text", 0.0)])
def test_the_profile_counts_anew_after_101_rounds(reset: str, rate: float) -> None:
    agent = learner(f"sarsa-profile:reset={reset}")
    agent.known["rounds"] = 99
    agent.known["bids"] = agent.known["lies"] = 7
    agent.known["rates"] = 1
    _rounds_of_lies(agent, 1)
    known = agent.known[0]
    assert (known.rounds, known.bids.tolist()) == (100, [7, 7, 8])
    _rounds_of_lies(agent, 1)
    assert (known.rounds, known.bids.tolist(), known.lies.tolist()) == (0, [0, 0, 0], [0, 0, 0])
    assert known.rates.tolist() == [rate] * 3


@pytest.mark.parametrize("spec", ["q:learn=no", "sarsa-profile:learn=no", "tabular:learn=no"])
def test_a_frozen_policy_is_what_is_played(spec: str) -> None:
    agent = learner(spec)
    rng = np.random.default_rng(1)
    agent.q[:] = rng.random(agent.q.shape)
    agent.known["rates"] = 0.3, 0.5, 0.2
    before = agent.q.copy()
    assert not agent.series
    for texts in ((), ("1x1",), ("9x5",), ("10x6",)):
        state = GAME.start(seed=5)
        for text in texts:
            state.play(text)
        chances = agent.policy(state.view().array)[0]
        assert chances.sum() == pytest.approx(1)
        assert set(np.flatnonzero(chances)) <= set(state.legal)
        views = np.repeat(state.view().array, 20_000)
        views["rng"] = np.arange(20_000) * 7919
        seen = np.bincount(agent.act(views, agent.new_memory(len(views))), minlength=GAME.rules.actions) / len(views)
        assert np.abs(seen - chances).max() < 0.02
    assert (agent.q == before).all()


def test_the_tabular_player_knows_its_dice() -> None:
    agent = learner("tabular:epsilon=0")
    state = GAME.start(seed=5)
    own, _ = state.raw.dice[0], state.raw.dice[1]
    face = int(np.argmax(own))
    agent.q[5 * 7 + int(own[face]), CALL, bid(f"2x{face + 1}")] = 0.9
    assert agent.choose(state.view()) == bid(f"2x{face + 1}")
    assert (agent.q != 0.5).sum() == 1


def test_a_search_can_call_the_rule_of_a_learner() -> None:
    agent = learner("sarsa:learn=no")
    view, out = GAME.start(seed=1).view(), np.zeros(1, np.int64)
    act_by_rule(agent.rule_settings(), GAME.rules.constants, view.array.copy(), agent.new_memory(1), out)
    assert out[0] in view.legal
    assert ops.is_implemented(ops.rule, type(agent.rule_settings()))


def test_what_learners_cannot_play_they_refuse() -> None:
    with pytest.raises(BadOption, match="exact"):
        make_agent("q", make_game("liars-dice", exact=True))


@pytest.mark.parametrize(
    "name", ["sarsa-profile", "expected-sarsa:profile=yes", "double-q", "q:explore=vdbe", "tabular"]
)
def test_they_learn_at_tables_of_more_than_two(name: str, tmp_path: Path) -> None:
    game, join = make_game("liars-dice", players=4, dice=3), "," if ":" in name else ":"
    arena(game, [f"{name}{join}save={tmp_path / 'table'}", "random", "odds", "q"], games=60, seed=1, store=False)
    agent = learner(f"{name}{join}load={tmp_path / 'table'}", game)
    assert (agent.q != learner(name, game).q).sum() > 20
    if "profile" in name:
        assert 0.2 < agent.known["lies"].sum() / agent.known["bids"].sum() < 0.9


def test_expected_sarsa_learns_from_the_mean_of_what_it_may_do_next() -> None:
    match = Scripted(learner("expected-sarsa"))
    match.turn("1x1")
    match.other("9x5")
    weights = [match.value(CALL, text) for text in ("9x6", "10x5", "10x6")] + [match.value(LIAR, "9x5")]
    match.turn("10x6")
    mean = sum(weight * weight for weight in weights) / sum(weights)
    assert match.value(CALL, "1x1") == pytest.approx(0.5 + 0.5 * (0.5 + 0.5 * mean - 0.5))


def test_double_q_learns_one_table_by_the_other() -> None:
    match = Scripted(learner("double-q"))
    first, second = match.agent.table.q.reshape(2, *match.agent.q.shape)
    first[0, CALL, bid("9x6")] = 0.8  # best in the first table, and nearly worthless in the second
    second[0, CALL, bid("10x6")] = 0.6
    match.turn("1x1")
    match.other("9x5")
    match.turn("10x6")
    learned = [table[0, CALL, bid("1x1")] for table in (first, second)]
    by_other = [0.5 + 0.5 * (0.5 + 0.5 * x - 0.5) for x in (1 / 18, 1 / 20)]  # 9x6 in the second, 10x6 in the first
    assert learned in ([by_other[0], 0.5], [0.5, by_other[1]])


def test_value_differences_say_how_often_a_situation_is_explored() -> None:
    match = Scripted(learner("q:explore=vdbe,sigma=0.1"))
    shares = match.agent.table.shares
    assert (shares == 1).all()
    match.turn("1x1")
    match.other("2x2")
    match.turn("3x3")
    change = 0.5 * (0.5 + 0.5 * 0.25 - 0.5)
    settled = np.exp(-abs(change) / 0.1)
    assert shares[60] == pytest.approx(1 + ((1 - settled) / (1 + settled) - 1) / 60)
    assert (shares == 1).sum() == len(shares) - 1


def test_wild_dice_count_for_the_profile() -> None:
    game = make_game("liars-dice", first="2", wild="low", wild_off=True)
    for seed in range(20):
        match = Scripted(learner("sarsa-profile", game), seed, game)
        shown = match.state.raw.dice.sum(axis=0)
        match.other("4x2")
        match.turn("liar")
        if match.state.to_move == 1:
            match.other("1x1")
        match.turn("2x2")
        assert match.agent.known[0].lies.sum() == int(shown[0] + shown[1] < 4)
