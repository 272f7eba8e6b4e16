"""Where the phantom may be, and by how many paths: one piece of public knowledge after the other."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.games.pursuit.pursuit_position import (
    board,
    line,
    on_board,
    own_boards,  # noqa: F401  (a fixture)
    position,
    possible,
    pursuit,
    typed,
    weights,
)

from ludens.core.state import State
from ludens.testing.sample import Sample

# On the line every stop is a start stop: 1 - 2 - 3 - 4 - 5 - 6 by taxi, 1 - 3 - 5 by tram, 1 - 6 by boat.


def test_at_first_it_is_on_a_start_stop_without_a_detective() -> None:
    assert possible(position(pursuit(), [22, 1, 5, 15])) == {19, 22, 30}
    assert weights(position(pursuit(), [22, 1, 5, 15])) == {19: 1, 22: 1, 30: 1}


def test_with_separate_decks_it_is_on_one_of_its_own() -> None:
    state = pursuit(board="london", start_mode="split").start(seed=1)
    assert possible(state) == set(state.game.rules.board.decks[0])  # type: ignore[attr-defined]


def test_it_went_along_a_link_of_the_mode() -> None:
    state = position(line(), [1, 6], ["taxi 2"])
    assert weights(state) == {1: 1, 2: 2, 3: 2, 4: 2, 5: 1}  # not 6: there it would have been caught
    state = position(line(), [3, 6], ["tram 1"])
    assert weights(state) == {1: 1, 3: 2, 5: 1}


def test_a_black_ticket_may_have_paid_for_any_mode() -> None:
    state = position(line(), [1, 4], ["black 2"])
    assert weights(state) == {1: 3, 2: 2, 3: 3, 5: 2, 6: 2}
    assert weights(position(line(ferry="no"), [1, 4], ["black 2"])) == {1: 2, 2: 2, 3: 3, 5: 2, 6: 1}


def test_two_modes_to_one_stop_are_two_paths_under_a_black_ticket() -> None:
    links = {"taxi": "1-2 2-3 3-4", "tram": "1-2", "boat": "1-2 2-4"}
    data = board(4, links, black_only=["boat"], phantom={"taxi": 2, "black": 1}, detective={"taxi": 3}, starts=[1, 4])
    assert weights(position(on_board(data), [1, 4], ["black 2"])) == {2: 3}
    assert weights(position(on_board(data), [1, 4], ["taxi 2"])) == {2: 1}


def test_who_passed_could_not_move() -> None:
    state = position(line({"phantom": {"tram": 1}}), [6, 4], ["pass"])
    assert possible(state) == {2, 6}


def test_who_passed_may_have_been_hemmed_in() -> None:
    game = line({"phantom": {"taxi": 1}}, detectives=2, phantom_may_enter_detective=False, stuck_phantom="pass")
    assert possible(position(game, [1, 2, 5], ["pass"])) == {1, 6}


def test_who_moved_was_not_where_it_could_not() -> None:
    assert possible(position(line({"phantom": {"tram": 1}}), [1, 6], ["tram 3"])) == {1, 3, 5}


def test_who_declares_a_double_move_can_finish_it() -> None:
    game = line({"phantom": {"taxi": 1, "tram": 1, "double": 1}}, reveals="none")
    assert possible(position(game, [2, 6], ["double taxi 1"])) == {1, 3, 5}  # from there the tram goes on
    assert possible(position(game, [2, 6], ["taxi 1"])) == {1, 2, 3, 4, 5}
    assert weights(position(game, [2, 6], ["double taxi 1", "tram 3"])) == {1: 2, 3: 2, 5: 2}


@pytest.mark.parametrize(("rule", "expected"), [("loses", {1}), ("pass", {1, 2, 4, 6})])
def test_where_the_stuck_lose_who_has_not_lost_can_move(rule: str, expected: set[int]) -> None:
    game = line({"phantom": {"taxi": 1}, "detective": {"tram": 2}}, stuck_phantom=rule)
    assert possible(position(game, [2, 3], ["taxi 1", "tram 5"])) == expected  # all it has is a tram ticket


def test_even_before_the_first_move() -> None:
    game = line({"phantom": {"tram": 1}, "detective": {"taxi": 2, "tram": 2}}, stuck_phantom="loses")
    assert possible(position(game, [1, 6])) == {1, 3, 5}
    hemmed_in = pursuit(detectives=2, phantom_may_enter_detective=False)
    assert possible(position(hemmed_in, [1, 4, 12])) == {1, 15, 19, 22, 30}  # stop 5 is between them


def test_on_a_reveal_it_is_where_it_was_seen() -> None:
    state = position(line(), [2, 6], ["taxi 1", "taxi 5", "taxi 2"])
    assert weights(state) == {2: 1}


def test_a_reveal_of_the_first_half_of_a_double_move() -> None:
    state = position(line(reveals="1"), [2, 6], ["double taxi 3", "taxi 4"])
    assert weights(state) == {2: 1, 4: 1}


def test_it_is_not_where_a_detective_came_to() -> None:
    state = position(line(detectives=2), [1, 6, 5], ["taxi 2"])
    assert possible(state) == {1, 2, 3, 4}
    assert possible(position(line(detectives=2), [1, 6, 5], ["taxi 2", "pass", "taxi 4"])) == {1, 2, 3}


@pytest.mark.parametrize(("prune", "between"), [("immediate", {1, 2, 4, 5}), ("round", {1, 2, 3, 4, 5})])
def test_stops_are_ruled_out_at_once_or_at_the_end_of_the_round(prune: str, between: set[int]) -> None:
    state = position(line(detectives=2, prune=prune), [1, 5, 6], ["taxi 2", "tram 3"])
    assert possible(state) == between - {5}  # there a detective stood when the phantom moved
    state.play("taxi 5")
    assert possible(state) == {1, 2, 4}


def test_in_the_end_it_is_where_it_is() -> None:
    assert weights(position(line(), [3, 5], ["taxi 4", "taxi 4"])) == {4: 1}


# Many paths

DENSE = 12  # every stop is linked to the six nearest on a circle


def circle() -> dict[str, Any]:
    links = {tuple(sorted((a, (a + step - 1) % DENSE + 1))) for a in range(1, DENSE + 1) for step in (1, 2, 3)}
    typed_links = " ".join(f"{a}-{b}" for a, b in sorted(links))
    return board(DENSE, {"taxi": typed_links}, phantom={"taxi": 40}, detective={"taxi": 1}, rounds=40)


def test_numbers_of_paths_keep_their_proportions_however_many_there_are() -> None:
    game = on_board(circle(), phantom_may_enter_detective=False)
    near = [[(a + step - 1) % DENSE + 1 for step in (-3, -2, -1, 1, 2, 3)] for a in range(DENSE + 1)]
    state = position(game, [1, 6])
    exact = dict.fromkeys(possible(state), 1)
    for move in range(40):
        state.play(away_from(state))
        held = int(state.raw.stop[1])
        exact = {to: sum(exact.get(a, 0) for a in near[to]) for to in range(1, DENSE + 1) if to != held}
        state.play("taxi 5" if move == 0 else "pass")
        exact.pop(int(state.raw.stop[1]), None)
        assert possible(state) == set(exact) or state.over
        if not state.over:
            must_be_in_proportion(weights(state), exact)
    assert state.over
    assert sum(exact.values()) > 1 << 64


def away_from(state: State) -> str:
    """A move to a stop where the detective does not come."""
    return next(move for move in typed(state) if move not in ("taxi 4", "taxi 5", "taxi 6", "taxi 7"))


def must_be_in_proportion(counted: dict[int, int], exact: dict[int, int]) -> None:
    total, all_paths = sum(counted.values()), sum(exact.values())
    assert total < 1 << 27
    for stop, paths in exact.items():
        assert counted[stop] / total == pytest.approx(paths / all_paths, rel=1e-5)


# Guesses


def guesses(state: State, number: int = 3000) -> Counter[int]:
    """Where guessed phantoms are."""
    sample = Sample(state.game, 1, 1)
    views = state.view(1).array.repeat(number)
    return Counter(sample.imagine(views)["stop"][:, 0].tolist())


@pytest.mark.parametrize("belief", ["stops", "paths"])
def test_guesses_by_stop_or_by_path(belief: str) -> None:
    state = position(line(belief=belief), [1, 4], ["black 2"])
    counted = weights(state)
    found, total = guesses(state), sum(counted.values())
    assert set(found) == set(counted)
    for stop, paths in counted.items():
        expected = paths / total if belief == "paths" else 1 / len(counted)
        assert found[stop] / 3000 == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("belief", ["stops", "paths"])
def test_no_guess_puts_it_on_a_detective(belief: str) -> None:
    state = position(line(detectives=2, prune="round", belief=belief), [1, 5, 6], ["taxi 2", "tram 3"])
    assert 3 in possible(state)
    assert set(guesses(state, 300)) == possible(state) - {3}


def test_the_phantom_needs_no_guess() -> None:
    state = position(line(), [1, 6], ["taxi 2"])
    world = Sample(state.game, 1, 1).imagine(state.view(0).array)
    assert int(world["stop"][0, 0]) == 2
