"""What `ludens bench` measures."""

from __future__ import annotations

from tests.testing.toys.pig import HOLD, ROLL, Pig

import ludens
from ludens import bench


def test_searches_are_measured_where_there_is_a_choice() -> None:
    game = Pig()
    assert game.start(seed=1).legal == [ROLL]
    assert bench._first_choice(game).legal == [ROLL, HOLD]
    azul = ludens.game("azul")
    assert bench._first_choice(azul).raw.tobytes() == azul.start(seed=1).view().raw.tobytes()  # there it is the deal


def test_work_that_takes_no_time_is_not_doubled_for_ever() -> None:
    amounts: list[int] = []
    assert bench._best_rate(amounts.append, 1000, 0.05) > 0
    assert amounts[0] == 1000
    assert max(amounts) == bench._MOST == amounts[-1]


def test_a_game_that_begins_without_a_choice_is_measured() -> None:
    row = bench.measure(Pig(), 0.02, cold=False)
    assert row["mcts_sims_per_s"] > 0
    assert row["random_games_per_s"] > 0
