"""Searches find what is there to be found."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.games.pursuit.pursuit_position import board, on_board, position

import ludens
from ludens.search.alphabeta import AlphaBeta
from ludens.search.mcts import Mcts, MctsSettings


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
    assert play(game, [spec] * game.rules.seats, 1).over


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
    g = ops.open_constants(state.game.rules.constants)
    ops.decide(g, after.array[0], action, None)
    out = np.zeros(2)
    ops.value(g, after.array[0], out)
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
    value = searcher.search(state.view().array)[0, 1]
    assert value == pytest.approx(plain_value(state, state.to_move), abs=1e-9)


def depths(spec: str, game: ludens.Game) -> list[int]:
    """How deep a search comes in the opening positions of some games."""
    searcher, found = ludens.agent(spec, game), []
    assert isinstance(searcher, AlphaBeta)
    for seed in range(8):
        searcher.search(game.start(seed=seed).view().array)
        found.append(searcher.depth_searched)
    return found


def test_late_moves_tried_less_deep_leave_time_for_depth() -> None:
    game = ludens.game("azul")
    plain = depths("alphabeta:nodes=5000", game)
    assert depths("alphabeta:nodes=5000,late=1000", game) == plain
    assert sum(depths("alphabeta:nodes=5000,late=4", game)) > sum(plain)


def test_many_views_are_searched_as_each_alone() -> None:
    game = ludens.game("azul")
    views = np.concatenate([game.start(seed=seed).view().array for seed in range(5)])
    searcher = ludens.agent("alphabeta:nodes=300", game)
    together = searcher.search(views)  # type: ignore[attr-defined]
    alone = [searcher.search(views[i : i + 1])[0] for i in range(5)]  # type: ignore[attr-defined]
    assert (together == np.array(alone)).all()


def test_a_search_for_seconds_goes_on_from_depth_to_depth() -> None:
    searcher = ludens.agent("alphabeta:seconds=0.05", ludens.game("azul"))
    assert isinstance(searcher, AlphaBeta)
    view = searcher.game.start(seed=2).view()
    assert searcher.choose(view) in view.legal
    assert searcher.depth_searched >= 3


def test_the_canonical_key_does_not_know_the_order_of_factories() -> None:
    from ludens.core import ops
    from ludens.search.contract import key

    game = ludens.game("azul")
    state = game.start(seed=5)
    g, swapped = ops.open_constants(game.rules.constants), state.copy()
    swapped.array["sources"][0, [0, 3]] = swapped.array["sources"][0, [3, 0]]
    assert key(g, state.array[0]) == key(g, swapped.array[0])
    swapped.array["sources"][0, 0, 0] += 1
    assert key(g, state.array[0]) != key(g, swapped.array[0])


# Rivals who know less, moves not worth a thought, pieces credited apart: on a board of the pursuit game


@pytest.fixture
def fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ludens.State:
    """One round: the phantom goes from 1 to 2 or 3, and a detective on 4 who knew where would catch it.

    A second detective, far away on 7, has no say.
    """
    monkeypatch.setenv("LUDENS_BOARDS", str(tmp_path))
    data = board(
        7,
        {"taxi": "1-2 1-3 2-4 3-4 4-5 5-6 6-7"},
        phantom={"taxi": 1, "black": 1},
        detective={"taxi": 2},
        detectives=2,
        rounds=1,
        starts=[1, 4, 7],
    )
    return position(on_board(data), [1, 4, 7])


def searched(state: ludens.State, **settings: object) -> Mcts:
    return Mcts(state.game, MctsSettings(sims=400, noise=0.0, **settings))  # type: ignore[arg-type]


def test_rivals_in_the_tree_know_everything_or_only_what_they_may(fork: ludens.State) -> None:
    view = fork.view().array
    knowing, ignorant = (searched(fork, playout="suggest", others=others) for others in ("tree", "suggest"))
    assert knowing.value(view)[0, 0] < -0.8
    assert -0.3 < ignorant.value(view)[0, 0] < 0.3


def test_rivals_with_a_tree_of_their_own_have_to_guess(fork: ludens.State) -> None:
    for elsewhere in (0, 0.4, 0.8):
        thinking = ludens.agent(f"mcts:sims=2000,noise=0,simple=0,elsewhere={elsewhere}", fork.game)
        assert -0.3 < thinking.value(fork.view().array)[0, 0] < 0.3


def test_there_is_an_answer_even_if_all_worlds_are_the_rivals(fork: ludens.State) -> None:
    for sims in (1, 2, 3):
        agent = ludens.agent(f"mcts:sims={sims},simple=0,elsewhere=1", fork.game)
        assert agent.choose(fork.view()) in fork.legal


def test_modelled_rivals_get_no_nodes(fork: ludens.State) -> None:
    view = fork.view().array
    used = {}
    for others in ("tree", "suggest"):
        search = searched(fork, playout="suggest", others=others)
        rows = search.search(view)
        used[others] = int(search.tree.control["used"][0])
        assert rows[:, 1].sum() == 400
    assert used["suggest"] == 1 + len(rows) < used["tree"]


def test_modelled_rivals_need_sensible_playouts(fork: ludens.State) -> None:
    with pytest.raises(ludens.BadOption, match="others=suggest needs playout=suggest"):
        searched(fork, playout="random", others="suggest")
    with pytest.raises(ludens.BadOption, match="suggests no moves"):
        ludens.agent("mcts:others=suggest,playout=suggest", ludens.game("kuhn"))


def test_moves_not_worth_a_thought_are_not_searched(fork: ludens.State) -> None:
    rows = searched(fork).search(fork.view().array)
    assert [fork.game.rules.action_text(int(action)) for action in sorted(rows[:, 0])] == ["taxi 2", "taxi 3"]
    assert len(fork.legal) > 2


def test_every_piece_gets_what_it_achieved(fork: ludens.State) -> None:
    """The first detective can catch the phantom, the second cannot: credit is apart, the value is of the seat."""
    fork.play("taxi 2")
    search, totals = searched(fork), defaultdict[str, Any](lambda: np.zeros(2))
    for dice in range(20):  # a move that looks bad is tried a few times only
        view = fork.view().array
        view["rng"] = dice
        for action, visits, total, *_ in search.search(view):
            totals[fork.game.rules.action_text(int(action))] += visits, total
    means = {move: total / visits for move, (visits, total) in totals.items()}
    assert means["taxi 5"] == -1
    assert means["taxi 2"] == pytest.approx(0, abs=0.2)
    assert np.isclose(search.value(fork.view().array).sum(), 0)
