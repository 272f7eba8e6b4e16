"""The players of Liar's Dice that know a solution: equilibrium, exploiter and best-response."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.arena.series import series
from ludens.arena.tournament import arena
from ludens.core.error import BadOption
from ludens.core.registry import make_agent, make_game
from ludens.core.state import State
from ludens.games.liars_dice.equilibrium import SHIPPED, shipped, solved_round
from ludens.games.liars_dice.exploiter import Exploiter
from ludens.games.liars_dice.game import LiarsDice
from ludens.games.liars_dice.round_policy import opener_entries, round_game, table_of_agent
from ludens.games.liars_dice.tree import Round
from ludens.solve import vector_cfr
from ludens.solve.restricted import restricted_response, value_against

SMALL = [(k, m) for k in (1, 2) for m in (1, 2)]


@pytest.fixture(autouse=True)
def _only_shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Full solutions somebody may have on this machine must not decide a test."""
    monkeypatch.setenv("LUDENS_SOLUTIONS", str(tmp_path))


def midway(game: Any, seed: int, steps: int) -> State:
    """A position after some random moves, or the last one before the end."""
    state, rng = game.start(seed), np.random.default_rng(seed)
    for _ in range(steps):
        state.play(int(rng.choice(state.legal)))
        if state.over:
            state.undo()
            break
    return state


# The shipped solution


def test_the_shipped_file_is_small_and_good() -> None:
    assert SHIPPED.stat().st_size <= 10_000_000
    gaps = [unpack().notes["exploitability"] for unpack in shipped().values()]
    assert len(gaps) == 25
    assert max(gaps) <= 0.02
    assert np.mean(gaps) <= 0.01


@pytest.mark.parametrize("dice", SMALL)
def test_the_notes_tell_the_exact_exploitability(dice: tuple[int, int]) -> None:
    solved = shipped()[dice]()
    gap = vector_cfr.measure(solved.tree, solved.weights(), recall=solved.recall.last)
    assert gap.exploitability == pytest.approx(solved.notes["exploitability"], abs=1e-6)
    assert gap.value == pytest.approx(solved.notes["value"], abs=1e-6)


# Equilibrium and exploiter


def test_equilibrium_shows_the_odds_of_the_solution_and_draws_by_them() -> None:
    game = make_game("liars-dice", dice=2)
    agent = make_agent("equilibrium", game)
    state = midway(game, seed=3, steps=1)
    views = np.repeat(state.view().array, 4000)
    views["rng"] = np.random.default_rng(1).integers(0, 2**63, len(views))
    v = views[0]
    solved = solved_round((2, 2))
    hand, history = v.dice[int(v.turn)].tolist(), v.bids[: int(v.made)].tolist()
    shown = agent.policy(views[:1])[0]
    assert shown[state.legal] == pytest.approx(solved.odds(hand, history))
    assert shown.sum() == pytest.approx(1)
    drawn = np.bincount(agent.act(views, agent.new_memory(len(views))), minlength=game.rules.actions) / len(views)
    assert np.abs(drawn - shown).max() < 0.04


@pytest.mark.parametrize("options", LiarsDice.Rules.option_sets, ids=str)
@pytest.mark.parametrize("name", ["equilibrium", "exploiter"])
def test_it_plays_legally_in_every_variant(name: str, options: dict[str, Any]) -> None:
    game = make_game("liars-dice", **options)
    result = arena(game, [name, *["random"] * (game.rules.seats - 1)], games=2 * game.rules.seats, seed=1, store=False)
    assert not any(agent.illegal or agent.crashes for agent in result.agents)
    state = midway(game, seed=5, steps=2)
    shown = make_agent(name, game).policy(state.view().array)[0]
    assert shown[state.legal].sum() == pytest.approx(1)
    assert shown.sum() == pytest.approx(1)


def test_an_exploiter_that_has_seen_nothing_or_does_not_lean_is_the_equilibrium() -> None:
    game = make_game("liars-dice", dice=3)
    even, blank, upright = (make_agent(s, game) for s in ("equilibrium", "exploiter", "exploiter:lean=0"))
    series(game, ["exploiter:lean=0", "odds"], games=200, seed=4, agents=[upright, make_agent("odds", game)])
    for seed in range(20):
        view = midway(game, seed, 3).view().array
        assert blank.policy(view) == pytest.approx(even.policy(view))
        assert upright.policy(view) == pytest.approx(even.policy(view))


def test_the_exploiter_plays_the_same_games_for_a_seed_and_gains_on_honest() -> None:
    game = make_game("liars-dice")
    first, second = (series(game, ["exploiter:lean=1", "honest"], games=4000, seed=9) for _ in range(2))
    assert (first.returns == second.returns).all()
    assert (first.moves == second.moves).all()
    even = series(game, ["equilibrium", "honest"], games=4000, seed=9)
    assert first.of(first.returns).mean() > even.of(even.returns).mean()


def test_a_frozen_exploiter_keeps_what_it_has_seen_and_learns_no_more() -> None:
    game = make_game("liars-dice")
    agent = make_agent("exploiter", game)
    assert isinstance(agent, Exploiter)
    series(game, ["exploiter", "odds"], games=100, seed=2, agents=[agent, make_agent("odds", game)])
    assert agent.known["held"].sum() > 100
    frozen, before = agent.frozen(game), agent.known.copy()
    assert not frozen.series
    series(game, [frozen.spec, "odds"], games=100, seed=3, agents=[frozen, make_agent("odds", game)])
    assert (frozen.known == before).all()


# The best response


def test_the_best_response_wins_what_the_solver_says() -> None:
    round_ = Round((2, 2))
    tree, table = table_of_agent(make_agent("honest", round_game(round_)), round_)
    game = make_game("liars-dice", dice=2, single_round=True)
    played = series(game, ["best-response:to=honest", "honest"], games=8000, seed=1)
    won, opened = played.of(played.returns), played.first == played.seat_of(0)
    for player, mine in ((0, opened), (1, ~opened)):
        expected = vector_cfr.best_response(tree, table, player).value
        assert won[mine].mean() == pytest.approx(expected, abs=4 / np.sqrt(mine.sum()))


@pytest.mark.parametrize("options", [{}, {"dice": 2, "exact": True}, {"dice": 1, "players": 3}, {"dice_2": 4}], ids=str)
def test_the_best_response_refuses_what_it_cannot_answer(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match="best-response cannot play this: "):
        make_agent("best-response", make_game("liars-dice", **options))


@pytest.mark.parametrize("target", ["exploiter", "sarsa"])
def test_only_a_fixed_policy_can_be_answered(target: str) -> None:
    with pytest.raises(BadOption, match="learns while it plays"):
        make_agent(f"best-response:to={target}", make_game("liars-dice", dice=1))


def test_trusting_less_gains_less_and_gives_less_away() -> None:
    round_ = Round((1, 1))
    tree, model = table_of_agent(make_agent("honest", round_game(round_)), round_)
    _, fair = table_of_agent(make_agent("equilibrium", round_game(round_)), round_)
    mine, gains, gaps = opener_entries(round_), [], []
    for trust in (0.0, 0.7, 0.9, 1.0):
        answer = restricted_response(tree, model, trust, 400, fair)
        gains.append(sum(value_against(tree, mine, answer, model)) / 2)
        gaps.append(vector_cfr.measure(tree, answer).exploitability)
    most = [vector_cfr.best_response(tree, model, player).value for player in (0, 1)]
    even = sum(value_against(tree, mine, fair, model)) / 2
    assert gains == sorted(gains)
    assert gaps == sorted(gaps)
    assert gains[0] == pytest.approx(even, abs=0.02)
    assert gaps[0] < 0.02
    assert gains[-1] == pytest.approx(sum(most) / 2, abs=0.002)
    assert even + 0.02 < gains[1] < gains[-1]
    assert gaps[1] < gaps[-1]


def test_the_best_response_may_trust_less() -> None:
    game = make_game("liars-dice", dice=1)
    played = series(game, ["best-response:to=honest,trust=0.8,iterations=20", "honest"], games=4000, seed=1)
    assert (played.of(played.returns) > 0).mean() > 0.5


# A weak solver


def test_cfr_of_few_iterations_is_weaker_than_the_equilibrium_and_gets_better() -> None:
    round_ = Round((1, 1))
    gaps = {
        iterations: vector_cfr.measure(
            *table_of_agent(make_agent(f"cfr:iterations={iterations}", round_game(round_)), round_)
        ).exploitability
        for iterations in (1, 10, 100)
    }
    assert gaps[1] > gaps[10] > gaps[100]  # with one die each the last bid is all one needs
    game = make_game("liars-dice", dice=2)
    played = series(game, ["equilibrium", "cfr:iterations=1"], games=2000, seed=1)
    assert (played.of(played.returns) > 0).mean() > 0.55
    with pytest.raises(BadOption, match="two players"):
        make_agent("cfr", make_game("liars-dice", players=3))


def test_sampled_cfr_gets_better_with_more_deals() -> None:
    round_ = Round((1, 1))
    gaps = {}
    for deals in (1, 100, 20_000):
        agent = make_agent(f"sampled-cfr:deals={deals}", round_game(round_))
        gaps[deals] = vector_cfr.measure(*table_of_agent(agent, round_)).exploitability
    assert gaps[1] > gaps[100] > gaps[20_000]
    assert gaps[20_000] < 0.03
    game = make_game("liars-dice", dice=2)
    agents = [make_agent(spec, game) for spec in ("sampled-cfr:deals=3000", "random")]
    played = series(game, [agent.spec for agent in agents], games=1000, seed=1, agents=agents)
    assert (played.of(played.returns) > 0).mean() > 0.8
    with pytest.raises(BadOption, match="raises that never fall"):
        make_agent("sampled-cfr", make_game("liars-dice", raise_rule="reset_face"))
