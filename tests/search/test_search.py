"""Searches find what is there to be found."""

from __future__ import annotations

import numpy as np
import pytest

import ludens
from ludens.search.alphabeta import AlphaBeta


def play(game: ludens.Game, specs: list[str], seed: int) -> ludens.State:
    state = game.start(seed=seed)
    bots = [ludens.agent(spec, game) for spec in specs]
    while not state.over:
        state.play(bots[state.to_move].choose(state.view()))
    return state


@pytest.mark.parametrize(
    "spec", ["mcts:sims=60", "mcts:sims=30,playout=suggest,prior=suggest", "mcts:sims=60,cut=1", "alphabeta:nodes=200"]
)
def test_a_search_beats_chance(spec: str) -> None:
    game = ludens.game("azul")
    wins = sum(
        play(game, [spec, "random"] if i % 2 else ["random", spec], i).returns[(i + 1) % 2] > 0 for i in range(10)
    )
    assert wins >= 9


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 4, "wall": "grey"}, {"wall": "grey"}])
@pytest.mark.parametrize("spec", ["mcts:sims=20", "mcts:sims=10,playout=suggest", "heuristic", "naive", "reward"])
def test_agents_play_every_table(spec: str, options: dict[str, object]) -> None:
    game = ludens.game("azul", **options)
    assert play(game, [spec] * game.seats, 1).over


def test_thinking_does_not_touch_the_view() -> None:
    game = ludens.game("azul")
    view = game.start(seed=5).view()
    before = view.array.tobytes()
    for spec in ("mcts:sims=50", "alphabeta:nodes=100"):
        ludens.agent(spec, game).choose(view)
        assert view.array.tobytes() == before


def test_the_same_view_gives_the_same_move_whatever_was_asked_before() -> None:
    game = ludens.game("azul")
    views = [game.start(seed=seed).view() for seed in range(6)]
    for spec in ("mcts:sims=100", "alphabeta:nodes=500"):
        together = ludens.agent(spec, game)
        apart = [ludens.agent(spec, game).choose(view) for view in views]
        assert [together.choose(view) for view in reversed(views)] == apart[::-1]


def test_policy_and_value() -> None:
    game = ludens.game("azul")
    view = game.start(seed=5).view()
    for spec in ("mcts:sims=50", "alphabeta:nodes=100"):
        agent = ludens.agent(spec, game)
        assert agent.has_policy
        assert agent.has_value
        assert np.isclose(agent.policy(view.array).sum(), 1)
        assert np.isclose(agent.value(view.array).sum(), 0)


def test_alphabeta_refuses_what_it_cannot_play() -> None:
    with pytest.raises(ludens.BadOption, match="two seats only"):
        ludens.agent("alphabeta", ludens.game("azul", players=3))


def plain_value(state: ludens.State, root: int) -> float:
    """The minimax value of the rest of the round, without any of alpha-beta's tricks."""
    rounds = int(state.raw.rounds)
    values = []
    for action in state.legal:
        after = state.copy().play(action)
        if after.over or int(after.raw.rounds) != rounds:
            values.append(after_round(state, action, root))
        else:
            values.append(plain_value(after, root))
    return max(values) if state.to_move == root else min(values)


def after_round(state: ludens.State, action: int, root: int) -> float:
    """The estimate of the position in which the next deal is due."""
    from ludens.core import ops

    after = state.copy()
    g = ops.open_table(state.game.table)
    ops.decide(g, after.array[0], action, None)
    out = np.zeros(2)
    ops.estimate(g, after.array[0], out)
    return float(out[root])


@pytest.mark.parametrize("seed", range(4))
def test_alphabeta_solves_the_end_of_a_round(seed: int) -> None:
    game = ludens.game("azul")
    state = game.start(seed=seed)
    bot = ludens.agent("heuristic", game)
    while bin(int(state.raw.offer)).count("1") > 4 or int(state.raw.rounds) < 2:
        state.play(bot.choose(state.view()))
    searcher = ludens.agent("alphabeta:nodes=1000000", game)
    assert isinstance(searcher, AlphaBeta)
    _, value = searcher.search(state.view().array)
    assert value == pytest.approx(plain_value(state, state.to_move), abs=1e-9)


def test_the_canonical_key_does_not_know_the_order_of_factories() -> None:
    from ludens.core import ops

    game = ludens.game("azul")
    state = game.start(seed=5)
    g, swapped = ops.open_table(game.table), state.copy()
    swapped.array["sources"][0, [0, 3]] = swapped.array["sources"][0, [3, 0]]
    assert ops.key(g, state.array[0]) == ops.key(g, swapped.array[0])
    swapped.array["sources"][0, 0, 0] += 1
    assert ops.key(g, state.array[0]) != ops.key(g, swapped.array[0])
