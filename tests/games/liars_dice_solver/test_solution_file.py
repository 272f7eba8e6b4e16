"""Solved rounds: files, look-ups, match values, and the packed form."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from ludens.core.error import BadOption, BadRecord, IllegalAction
from ludens.games.liars_dice import compact, solution, solving
from ludens.games.liars_dice.tree import Round, build_tree, hands_of
from ludens.solve import rounds
from ludens.solve.contract import recall_of
from ludens.solve.vector_cfr import Progress

# section 3 of the specification: values of the rounds under `monotone`, and the match values that follow
VALUES = """
-0.1111 -0.2407 -0.2053 -0.1577 -0.1427
+0.3055 +0.0185 -0.0421 -0.0662 -0.0798
+0.4954 +0.2204 +0.0737 +0.0216 +0.0001
+0.5616 +0.3050 +0.1615 +0.0858 +0.0548
+0.6094 +0.3450 +0.2259 +0.1463 +0.0849
"""
MATCH = """
0.4444 0.2109 0.0767 0.0205 0.0046
0.8071 0.5054 0.2769 0.1228 0.0469
0.9513 0.7604 0.5165 0.3071 0.1605
0.9893 0.9034 0.7260 0.5166 0.3308
0.9979 0.9653 0.8652 0.7017 0.5144
"""


def square(text: str) -> dict[tuple[int, int], float]:
    rows = [line.split() for line in text.split("\n") if line]
    return {(k + 1, m + 1): float(cell) for k, row in enumerate(rows) for m, cell in enumerate(row)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The four positions of a match with two dice each."""
    folder = tmp_path_factory.mktemp("solved")
    rounds.solve_all(solving.positions(most=2), folder, 400, target=0.0002, threads=1)
    return folder


def test_match_values_of_the_specification() -> None:
    found = solution.match_values(square(VALUES))
    assert found == pytest.approx(square(MATCH), abs=0.0002)


def test_match_values_need_the_later_rounds() -> None:
    with pytest.raises(BadOption, match="not solved"):
        solution.match_values({(2, 2): 0.0})


def test_solved_rounds_have_the_values_of_the_specification(folder: Path) -> None:
    wanted = square(VALUES)
    for dice, solved in solution.load_folder(folder, most=2).items():
        assert solved.value == pytest.approx(wanted[dice], abs=0.0003)
        gap = rounds.exploit(solved, threads=1)
        assert gap.exploitability == pytest.approx(solved.notes["exploitability"], abs=1e-9)
        assert gap.exploitability <= 0.0003


def test_what_is_solved_is_not_solved_again(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    rounds.solve_all(solving.positions(most=2), folder, 400, target=0.0003, threads=1)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_odds_sum_to_one_for_every_hand(folder: Path) -> None:
    solved = solution.load(folder / "2v1-monotone.safetensors")
    for history in ([], [3], [3, 10], [0, 1, 2], [0, 17]):
        player, raises = len(history) % 2, solved.tree.move_to[solved.tree.move_start[(history or [18])[-1]] :]
        for hand in hands_of(solved.game.dice[player], 6):
            odds = solved.odds(hand, history)
            assert odds.sum() == pytest.approx(1)
            assert len(odds) <= len(raises) + 1
    assert solved.odds((1, 0, 0, 0, 0, 0), [17]).tolist() == [1.0]
    assert len(solved.odds((1, 1, 0, 0, 0, 0), [])) == 18


def test_a_packed_strategy_knows_where_it_never_comes(folder: Path) -> None:
    solved = solution.load(folder / "2v2-monotone.safetensors")
    packed = compact.compact(solved, recall=3, threads=1)
    small = compact.restore(solved.game, packed.recall, packed.packed, {})
    ones = (2, 0, 0, 0, 0, 0)
    never = int(np.flatnonzero(solved.odds(ones, []) == 0)[0])  # a bid not made with two ones
    assert small.knows(ones, [])
    assert not small.knows(ones, [never, never + 6])
    assert len(set(small.odds(ones, [never, never + 6]))) == 1


def test_look_up_finds_what_the_solver_wrote(folder: Path) -> None:
    """The row that the table's layout puts first: the opening."""
    solved = solution.load(folder / "2v2-monotone.safetensors")
    hands = hands_of(2, 6)
    opening = solved.table[: 24 * len(hands)].reshape(24, len(hands)).astype(float)
    for i, hand in enumerate(hands):
        assert np.allclose(solved.odds(hand, []), opening[:, i] / opening[:, i].sum())


def test_bad_questions_are_refused(folder: Path) -> None:
    solved = solution.load(folder / "1v1-monotone.safetensors")
    with pytest.raises(BadOption, match="sum to 1"):
        solved.odds((1, 1, 0, 0, 0, 0), [])
    with pytest.raises(IllegalAction, match="break the rule"):
        solved.odds((1, 0, 0, 0, 0, 0), [5, 3])


def test_files_are_plain_safetensors(folder: Path) -> None:
    path = folder / "1v1-monotone.safetensors"
    assert safetensors.numpy.load_file(path)["strategy"].tobytes() == solution.load(path).table.tobytes()


def test_broken_files_are_refused(folder: Path, tmp_path: Path) -> None:
    good = (folder / "1v1-monotone.safetensors").read_bytes()
    for name, content in {
        "short": good[:-9],
        "flipped": good[:-1] + bytes([good[-1] ^ 1]),
        "empty": b"",
        "text": b"x" * 99,
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadRecord):
            solution.load(tmp_path / name)


def test_a_stopped_run_leaves_the_same_file(folder: Path, tmp_path: Path) -> None:
    class Stopped(Exception): ...

    def stop(name: str, progress: Progress) -> None:
        if progress.iteration > 40:
            raise Stopped

    job = solving.job(Round((2, 1)))
    with pytest.raises(Stopped):
        rounds.solve(job, tmp_path / "a", 100, threads=1, report=stop)
    rounds.solve(job, tmp_path / "a", 100, threads=1)
    rounds.solve(job, tmp_path / "b", 100, threads=2)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_rounds_too_large_say_what_to_do() -> None:
    with pytest.raises(BadOption, match="recall of the last"):
        solving.job(Round((3, 3), 6, "reset_face"))
    assert "does not fit" in solving.advice(Round((5, 5), 6, "reset_face"))


def test_limited_recall_goes_to_a_file_too(tmp_path: Path) -> None:
    gap = rounds.solve(solving.job(Round((2, 1)), recall=2), tmp_path / "file", 200, threads=1)
    solved = solution.load(tmp_path / "file")
    assert gap is not None
    assert rounds.exploit(solved, threads=1).exploitability == pytest.approx(gap.exploitability)
    assert solved.odds((0, 0, 0, 1, 0, 1), [2, 8, 14, 15]).sum() == pytest.approx(1)


def test_packed_positions_stay_hard_to_exploit(folder: Path, tmp_path: Path) -> None:
    told: list[str] = []
    chosen = compact.compact_all(folder, tmp_path / "all", most=2, threads=1, report=told.append)
    assert max(c.exploitability for c in chosen) < 0.002
    assert (tmp_path / "all").stat().st_size < 20_000
    assert "mean" in told[-1]
    for pick in chosen:
        again = compact.load_compact(tmp_path / "all")[pick.dice]()
        assert rounds.exploit(again, threads=1).exploitability == pytest.approx(pick.exploitability, abs=1e-6)
        assert again.odds(hands_of(pick.dice[0], 6)[0], []).sum() == pytest.approx(1)


def test_a_small_budget_takes_shorter_recall(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "all"
    large = compact.compact_all(folder, file, most=2, threads=1, report=lambda text: None)
    budget = file.stat().st_size - 1
    small = compact.compact_all(folder, file, most=2, threads=1, budget_bytes=budget, report=lambda text: None)
    assert file.stat().st_size <= budget
    assert sum(c.exploitability for c in small) > sum(c.exploitability for c in large)
    with pytest.raises(BadOption, match="more than 100"):
        compact.compact_all(folder, file, most=2, threads=1, budget_bytes=100, report=lambda text: None)


def test_a_foreign_packed_file_is_refused(folder: Path) -> None:
    with pytest.raises(BadRecord, match="no packed file"):
        compact.load_compact(folder / "1v1-monotone.safetensors")


def test_of_a_small_file_with_a_long_strategy_no_more_is_unpacked_than_fits() -> None:
    round_ = Round((1, 1))
    total = recall_of(build_tree(round_), None).total
    packed = lzma.compress(bytes(10_000_000))
    with pytest.raises(BadRecord, match=f"has {total} numbers, not {total + 1}"):
        compact.restore(round_, None, packed, {})
    for damaged in (packed[:-20], packed[:5], b"", b"x" * 100):
        with pytest.raises(BadRecord):
            compact.restore(round_, None, damaged, {})


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [
        ({"dice": [7, 1]}, "impossible notes: dice"),
        ({"dice": [0, 1]}, "impossible notes: dice"),
        ({"dice": "1,1"}, "lacks notes"),
        ({"faces": 60}, "impossible notes: faces 60"),
        ({"recall": 6}, "impossible notes: dice .* recall 6"),
        ({"recall": -1}, "impossible notes"),
        ({"raise_rule": [1]}, "impossible notes: raise rule"),
        ({"iterations": "many"}, "lacks notes"),
        ({"value": "high"}, "that are no numbers"),
        ({"bounds": [0.1]}, "that are no numbers"),
    ],
)
def test_impossible_notes_are_refused(notes: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    round_ = Round((1, 1))
    weights = np.ones(recall_of(build_tree(round_), None).total, np.uint16)
    solution.save(tmp_path / "file", round_, None, weights, {})
    assert solution.load(tmp_path / "file").game == round_
    solution.save(tmp_path / "file", round_, None, weights, notes)
    with pytest.raises(BadRecord, match=sentence):
        solution.load(tmp_path / "file")
