"""Vector CFR+ on rounds of Liar's Dice whose answers are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ludens.core.error import BadRecord, LudensError
from ludens.games.liars_dice.tree import Round, build_tree
from ludens.solve import vector_cfr, vector_graph
from ludens.solve.vector_cfr import Gap, Progress, Solver


def solved(game: Round, iterations: int, *, merge: bool = True, recall: int | None = None) -> Solver:
    solver = Solver(build_tree(game, merge), recall=recall)
    solver.run(iterations)
    return solver


def gap_of(solver: Solver) -> Gap:
    gap = solver.gap()
    assert gap is not None
    return gap


@pytest.mark.parametrize(
    ("game", "iterations", "value", "error"),
    [
        (Round((1, 1)), 1200, -1 / 9, 1e-6),
        (Round((1, 1), 6, "reset_face"), 1200, -1 / 9, 1e-6),
        (Round((1, 1), 2, "reset_face"), 50_000, 0, 5e-5),  # here CFR+ is no quicker than its guarantee
        (Round((1, 1), 3, "reset_face"), 1200, -1 / 9, 1e-6),
        (Round((1, 1), 4, "reset_face"), 1200, -1 / 8, 1e-6),
        (Round((1, 1), 5, "reset_face"), 1200, -3 / 25, 1e-6),
        (Round((1, 1), 6, "reset_face", "low"), 3000, -7 / 327, 2e-5),
    ],
    ids=str,
)
def test_published_values_are_found(game: Round, iterations: int, value: float, error: float) -> None:
    gap = gap_of(solved(game, iterations))
    assert gap.value == pytest.approx(value, abs=error)
    assert gap.bounds[0] <= value + 1e-9
    assert gap.bounds[1] >= value - 1e-9


@pytest.mark.parametrize(
    ("dice", "wild", "value", "most"),
    [((2, 1), "none", 0.275, 0.002), ((1, 2), "none", -22 / 81, 0.002), ((2, 1), "low", 7 / 27, 0.01)],
)
def test_larger_published_values_lie_within_the_bounds(
    dice: tuple[int, int], wild: str, value: float, most: float
) -> None:
    gap = gap_of(solved(Round(dice, 6, "reset_face", wild), 160))
    assert gap.bounds[0] <= value <= gap.bounds[1]
    assert gap.exploitability < most


@pytest.mark.parametrize("rule", ["reset_face", "reset_quantity", "monotone", "single_step_axis"])
@pytest.mark.parametrize("wild", ["none", "low", "high"])
def test_merging_hands_loses_nothing(rule: str, wild: str) -> None:
    game = Round((2, 1), 3, rule, wild)
    small, large = solved(game, 60), solved(game, 60, merge=False)
    assert len(small.average) <= len(large.average)
    assert np.allclose(gap_of(small).bounds, gap_of(large).bounds, atol=1e-10)


def test_two_against_two_is_the_same_with_and_without_merges() -> None:
    small, large = (Solver(build_tree(Round((2, 2)), merge)) for merge in (True, False))
    for _ in range(4):
        small.run(12)
        large.run(12)
        assert np.allclose(gap_of(small).bounds, gap_of(large).bounds, atol=1e-10)


def test_exploitability_is_never_negative_and_falls() -> None:
    solver = Solver(build_tree(Round((2, 2))))
    gaps = []
    for _ in range(5):
        solver.run(40)
        gaps.append(gap_of(solver).exploitability)
    assert all(gap >= 0 for gap in gaps)
    assert gaps[-1] < 0.0001 < gaps[0]


def test_three_against_three_in_256_iterations() -> None:
    assert gap_of(solved(Round((3, 3)), 256)).exploitability < 0.0003


def test_threads_do_not_change_a_bit() -> None:
    tree = build_tree(Round((3, 3)))
    one, two = Solver(tree, threads=1), Solver(tree, threads=2)
    one.run(6)
    two.run(6)
    assert one.regrets.tobytes() == two.regrets.tobytes()
    assert one.average.tobytes() == two.average.tobytes()
    assert one.gap() == two.gap()
    two.close()


def test_a_resumed_run_gives_the_same_bits(tmp_path: Path) -> None:
    tree, file = build_tree(Round((2, 2))), tmp_path / "half"
    whole = Solver(tree)
    end = whole.solve(100, checks=5)

    class Killed(Exception): ...

    def kill(progress: Progress) -> None:
        if progress.iteration == 60:
            raise Killed

    with pytest.raises(Killed):
        Solver(tree).solve(100, checks=5, report=kill, checkpoint=file)
    again = Solver(tree)
    assert again.solve(100, checks=5, checkpoint=file) == end
    assert again.regrets.tobytes() == whole.regrets.tobytes()
    assert again.average.tobytes() == whole.average.tobytes()


def test_a_checkpoint_of_another_game_is_refused(tmp_path: Path) -> None:
    Solver(build_tree(Round((1, 1)))).save(tmp_path / "file")
    with pytest.raises(BadRecord, match="another game"):
        Solver(build_tree(Round((1, 1), 5))).load(tmp_path / "file")


def test_solving_stops_at_the_target() -> None:
    solver = Solver(build_tree(Round((1, 1))))
    gap = solver.solve(4000, target=0.001)
    assert gap is not None
    assert gap.exploitability <= 0.001
    assert solver.iteration < 4000


def test_a_best_response_gets_what_it_says() -> None:
    """Played against the strategy it answers, the response is worth its value: the other's best answer bounds it."""
    solver = solved(Round((2, 1)), 3)
    tree, strategy = solver.tree, solver.average
    for player in (0, 1):
        answer = vector_cfr.best_response(tree, strategy, player)
        assert answer.value == pytest.approx(gap_of(solver).bounds[1] if player == 0 else -gap_of(solver).bounds[0])
        held = vector_cfr.best_response(tree, answer.table, 1 - player)
        assert -held.value <= answer.value + 1e-12


def test_recall_of_everything_is_the_whole_tree() -> None:
    solver = solved(Round((2, 1)), 100)
    strategy = solver.average.copy()
    vector_cfr.normalise(solver.tree, None, strategy)
    assert vector_cfr.measure(solver.tree, strategy).exploitability == pytest.approx(gap_of(solver).exploitability)
    longest = solver.tree.deepest
    small = vector_cfr.shrink(solver.tree, strategy, longest)
    again = vector_cfr.measure(solver.tree, vector_cfr.expand(solver.tree, longest, small))
    assert again.exploitability == pytest.approx(gap_of(solver).exploitability, abs=1e-12)


@pytest.mark.parametrize(("recall", "low", "high"), [(1, 0.15, 0.25), (2, 0.003, 0.012), (3, 0, 0.0005)])
def test_limited_recall_costs_what_was_measured_before(recall: int, low: float, high: float) -> None:
    assert low <= gap_of(solved(Round((2, 2)), 400, recall=recall)).exploitability <= high


def test_limited_recall_long_enough_learns_just_like_the_whole_tree() -> None:
    """With nothing forgotten, payoffs as matrices and values as vectors are the same sums."""
    game = Round((2, 1), 3)
    whole, graph = solved(game, 30), solved(game, 30, recall=build_tree(game).deepest)
    assert np.allclose(gap_of(whole).bounds, gap_of(graph).bounds, atol=1e-12)


def test_a_tree_too_large_is_refused_or_left_unmeasured() -> None:
    tree = build_tree(Round((2, 2)))
    with pytest.raises(LudensError, match="recall"):
        Solver(tree, most_entries=1000)
    solver = Solver(tree, recall=1, most_entries=1000)
    solver.run(2)
    assert solver.gap() is None


def test_the_trunk_and_its_tasks_are_the_tree() -> None:
    tree = build_tree(Round((3, 3)))
    total = int(tree.size[len(tree.move_start) - 2])
    graph = vector_graph.trunk_graph(tree, total // 50)
    nodes = len(graph.edge) - 1
    states = len(tree.move_start) - 1
    own = [int(tree.classes[int(a) * states + int(x)]) for a, x in zip(graph.actor, graph.state, strict=True)]
    moves = np.diff(tree.move_start.astype(int))[graph.state.astype(int)]
    rows = [width * (n + (i > 0)) for i, (width, n) in enumerate(zip(own, moves, strict=True))]
    below = tree.size[graph.actor[nodes:] * np.uint64(states) + graph.state[nodes:]]
    assert nodes > 5
    assert sum(rows[:nodes]) + int(below.sum()) == total
