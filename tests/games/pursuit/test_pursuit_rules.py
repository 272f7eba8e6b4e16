"""The rules of the pursuit game, one by one, in positions set by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.pursuit.pursuit_position import (
    events,
    line,
    own_boards,  # noqa: F401  (a fixture)
    position,
    pursuit,
    tickets,
    typed,
)

from ludens.core.error import BadOption, IllegalAction
from ludens.core.state import State
from ludens.games.pursuit import record


def winner(state: State) -> str:
    return state.game.rules.seat_names[state.returns.index(1.0)] if state.over else ""


def play_all(state: State, *moves: str) -> State:
    for move in moves:
        state.play(move)
    return state


# Start


@pytest.mark.parametrize("options", [{}, {"board": "square1", "detectives": 5}, {"board": "london"}], ids=str)
def test_all_start_on_stops_of_their_own_among_the_start_stops(options: dict[str, Any]) -> None:
    game = pursuit(**options)
    for seed in range(40):
        stops = game.start(seed=seed).raw.stop[: game.rules.detectives + 1].tolist()
        assert len(set(stops)) == game.rules.detectives + 1
        assert set(stops) <= set(game.rules.board.starts)


def test_separate_decks() -> None:
    game = pursuit(board="london", start_mode="split")
    phantoms, others = set[int](), set[int]()
    for seed in range(200):
        stops = game.start(seed=seed).raw.stop.tolist()
        phantoms, others = phantoms | {stops[0]}, others | set(stops[1:])
    assert phantoms == {35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172}
    assert others == {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174}


def test_only_london_has_separate_decks() -> None:
    with pytest.raises(BadOption, match="start_mode=split is not possible on plan1"):
        pursuit(start_mode="split")


def test_every_start_stop_is_drawn() -> None:
    game = pursuit()
    for piece in range(4):
        assert {int(game.start(seed=seed).raw.stop[piece]) for seed in range(120)} == set(game.rules.board.starts)


def test_start_stops_may_be_given() -> None:
    assert pursuit().start(seed=3, fields={"stop": [19, 5, 15, 1]}).raw.stop.tolist() == [19, 5, 15, 1, 0, 0]
    drawn = pursuit().start(seed=3, fields={"stop": [0, 5]}).raw.stop.tolist()
    assert drawn[1] == 5
    assert len(set(drawn[:4])) == 4


@pytest.mark.parametrize("stops", [[1, 5, 15, 19, 22], [34], [-1], [1, 5, 5], ["1"], "1", [1.0], 7], ids=str)
def test_impossible_start_stops_are_refused(stops: Any) -> None:
    with pytest.raises(BadOption, match="pursuit: "):
        pursuit().start(seed=1, fields={"stop": stops})


@pytest.mark.parametrize(
    ("options", "phantom", "detective"),
    [
        ({}, [2, 2, 0, 0, 0], [8, 4, 0, 0, 0]),
        ({"board": "square1"}, [2, 2, 0, 0, 0], [8, 4, 0, 0, 0]),
        ({"board": "london"}, [4, 3, 3, 5, 2], [10, 8, 4, 0, 0]),
        ({"board": "london", "detectives": 2}, [4, 3, 3, 2, 2], [10, 8, 4, 0, 0]),
        ({"board": "london", "black": "no", "double": "no"}, [4, 3, 3, 0, 0], [10, 8, 4, 0, 0]),
    ],
    ids=str,
)
def test_tickets_at_the_start(options: dict[str, Any], phantom: list[int], detective: list[int]) -> None:
    game = pursuit(**options)
    state = game.start(seed=1)
    assert tickets(state, 0) == phantom
    assert all(tickets(state, piece) == detective for piece in range(1, game.rules.detectives + 1))


@pytest.mark.parametrize(
    ("name", "detectives", "rounds", "reveals"),
    [("plan1", 3, 12, [3, 6, 9]), ("square1", 3, 12, [3, 6, 9]), ("london", 5, 22, [3, 8, 13, 18])],
)
def test_the_settings_of_the_boards(name: str, detectives: int, rounds: int, reveals: list[int]) -> None:
    game = pursuit(board=name)
    assert (game.rules.detectives, game.rules.rounds, game.rules.reveals) == (detectives, rounds, reveals)


# Rounds and moves


def test_the_phantom_moves_then_the_detectives_in_order() -> None:
    state = position(pursuit(), [22, 1, 5, 15])
    order: list[tuple[int, int]] = []
    while len(order) < 8:
        order.append((state.to_move, int(state.raw.piece)))
        state.play(state.legal[0])
    assert order == [(0, 0), (1, 1), (1, 2), (1, 3)] * 2


def test_a_move_goes_along_a_link_of_its_mode() -> None:
    state = position(pursuit(), [15, 1, 5, 22])
    assert typed(state) == ["taxi 7", "taxi 14", "taxi 16", "taxi 24"]
    state.play("taxi 14")
    assert typed(state) == ["taxi 2", "taxi 6", "taxi 8", "tram 2", "tram 6"]


def test_a_move_needs_a_ticket_of_its_mode() -> None:
    state = position(line({"phantom": {"taxi": 0, "tram": 1}}), [3, 6])
    assert typed(state) == ["tram 1", "tram 5"]


def test_a_detectives_ticket_goes_to_the_phantom_whose_own_leave_the_game() -> None:
    state = position(line(), [1, 5], ["taxi 2"])
    assert (tickets(state, 0), tickets(state, 1)) == ([1, 1, 0, 1, 1], [3, 1, 0, 0, 0])
    state.play("tram 3")
    assert (tickets(state, 0), tickets(state, 1)) == ([1, 2, 0, 1, 1], [3, 0, 0, 0, 0])


def test_detectives_never_share_a_stop() -> None:
    state = position(line(detectives=2), [6, 1, 2], ["taxi 5"])
    assert typed(state) == ["tram 3"]
    state.play("tram 3")
    assert typed(state) == ["taxi 1"]


def test_a_detective_may_go_where_another_has_just_left() -> None:
    state = position(line(detectives=2), [6, 2, 1], ["taxi 5", "taxi 3"])
    assert typed(state) == ["taxi 2"]


def test_moving_is_compulsory() -> None:
    state = position(pursuit(), [15, 1, 5, 22])
    for _ in range(4):
        with pytest.raises(IllegalAction):
            state.play(0)
        state.play(state.legal[0])


def test_a_detective_who_cannot_move_passes_and_stays() -> None:
    state = position(line({"detective": {"tram": 1}}, detectives=2), [5, 3, 2], ["taxi 4", "tram 1"])
    assert typed(state) == ["pass"]
    state.play("pass")
    assert state.raw.stop.tolist()[:3] == [4, 1, 2]
    assert tickets(state, 2) == [0, 1, 0, 0, 0]
    assert state.to_move == 0
    assert int(state.raw.rounds) == 1


def test_a_detective_hemmed_in_by_others_passes() -> None:
    state = position(line({"detective": {"taxi": 3}}, detectives=3), [6, 1, 2, 3], ["taxi 5"])
    assert typed(state) == ["pass"]
    state.play("pass")
    assert typed(state) == ["pass"]
    state.play("pass")
    assert typed(state) == ["taxi 4"]


def test_a_phantom_who_cannot_move_passes_and_stays() -> None:
    state = position(line({"phantom": {"tram": 1}}), [6, 1])
    assert typed(state) == ["pass"]
    state.play("pass")
    assert int(state.raw.stop[0]) == 6
    assert int(state.raw.made) == 1
    assert int(state.raw.fare[0]) == 0
    assert typed(state) == ["taxi 2", "tram 3"]


def test_a_pass_is_a_move_and_may_be_revealed() -> None:
    state = position(line({"phantom": {"tram": 1}, "reveals": [1]}), [6, 1], ["pass"])
    assert [(event.a, event.b) for event in events(state, record.SHOWN)] == [(6, 1)]


def test_illegal_moves_are_refused_and_change_nothing() -> None:
    state = position(pursuit(), [15, 1, 5, 22])
    before = state.array.tobytes()
    for move in ("taxi 15", "tram 14", "taxi 1", "black 14", "double taxi 14", "pass"):
        with pytest.raises(IllegalAction):
            state.play(move)
    assert state.array.tobytes() == before


# What is told


def test_the_kind_of_ticket_is_public_and_the_stop_is_not() -> None:
    state = position(line(), [3, 6], ["tram 1"])
    assert [(event.a, event.b, event.c) for event in events(state, record.MOVED)] == [(2, 0, 1)]
    assert [event.kind for event in state.heard(1)[-1]] == [record.MOVED]
    assert [event.kind for event in state.heard(0)[-1]] == [record.MOVED, record.WENT]
    assert int(state.view(1).raw.stop[0]) == 0
    assert int(state.view(0).raw.stop[0]) == 1


def test_on_reveals_the_stop_is_public_too() -> None:
    state = position(line(), [3, 6], ["tram 1", "taxi 5", "taxi 2"])
    assert [(event.a, event.b) for event in events(state, record.SHOWN)] == [(2, 2)]
    assert state.view(1).raw.shown.tolist()[:2] == [0, 2]
    assert int(state.view(1).raw.stop[0]) == 0  # it is known, but as something seen


def test_the_phantoms_start_is_only_its_own_to_know() -> None:
    state = pursuit().start(seed=1)
    assert [event.a for event in state.heard(1)[0]] == [1, 2, 3]
    assert [event.a for event in state.heard(0)[0]] == [0, 1, 2, 3]


def test_in_the_end_all_is_seen() -> None:
    state = position(line(), [3, 5], ["taxi 4", "taxi 4"])
    assert int(state.view(1).raw.stop[0]) == 4


@pytest.mark.parametrize(("given", "expected"), [("none", []), ("1+3", [1, 3]), ("5", [5]), ("3+1", [1, 3])])
def test_other_reveals(given: str, expected: list[int]) -> None:
    assert line(reveals=given).rules.reveals == expected


@pytest.mark.parametrize("given", ["0", "6", "1+x", "", "3,4", "-1", "1+99"])
def test_impossible_reveals_are_refused(given: str) -> None:
    with pytest.raises(BadOption, match=r"reveals=.* is not possible; give phantom moves from 1 to 5"):
        line(reveals=given)


# Capture


def test_a_detective_who_comes_to_the_phantom_wins() -> None:
    state = position(line(), [3, 5], ["taxi 4", "taxi 4"])
    assert winner(state) == "detectives"
    assert [(event.a, event.b, event.c) for event in events(state, record.CAUGHT)] == [(1, 4, 1)]
    assert int(state.raw.caught) == 1


def test_the_detectives_who_follow_do_not_move_any_more() -> None:
    state = position(line(detectives=2), [3, 5, 1], ["taxi 4", "taxi 4"])
    assert state.over
    assert state.raw.stop.tolist()[:3] == [4, 4, 1]


def test_the_phantom_may_walk_into_a_detective_and_loses() -> None:
    state = position(line(detectives=2), [3, 6, 4])
    assert "taxi 4" in typed(state)
    state.play("taxi 4")
    assert winner(state) == "detectives"
    assert [(event.a, event.b) for event in events(state, record.CAUGHT)] == [(2, 4)]


def test_or_it_may_not() -> None:
    state = position(line(detectives=2, phantom_may_enter_detective=False), [3, 6, 4])
    assert not [move for move in typed(state) if move.endswith(" 4")]
    assert "taxi 2" in typed(state)


def test_then_a_phantom_without_a_move_loses() -> None:
    changed = {"phantom": {"taxi": 2}, "detective": {"taxi": 3, "tram": 1}}
    state = position(line(changed, phantom_may_enter_detective=False), [1, 4], ["taxi 2", "taxi 3", "taxi 1", "taxi 2"])
    assert winner(state) == "detectives"
    assert [(event.a, event.b) for event in events(state, record.STUCK)] == [(1, 2)]
    state = position(
        line(changed, phantom_may_enter_detective=False, stuck_phantom="pass"),
        [1, 4],
        ["taxi 2", "taxi 3", "taxi 1", "taxi 2"],
    )
    assert typed(state) == ["pass"]


# The last round


def escape(**options: Any) -> State:
    """Far from the detective until the last round is over."""
    game = line({"phantom": {"taxi": 9}, "detective": {"taxi": 9}}, rounds=2, reveals="none", **options)
    return position(game, [1, 6], ["taxi 2", "taxi 5", "taxi 1", "taxi 4"])


def test_a_phantom_free_after_the_last_round_wins() -> None:
    state = escape()
    assert winner(state) == "phantom"
    assert [(event.a, event.b, event.c) for event in events(state, record.ESCAPED)] == [(1, 2, 0)]


def test_with_the_final_move_it_moves_once_more() -> None:
    state = escape(final_phantom_move=True)
    assert not state.over
    assert state.to_move == 0
    state.play("taxi 2")
    assert winner(state) == "phantom"
    assert int(state.raw.made) == 3


def test_the_final_move_may_still_be_a_wrong_step() -> None:
    game = line({"phantom": {"taxi": 9}}, rounds=1, reveals="none", final_phantom_move=True)
    state = position(game, [1, 4], ["taxi 2", "taxi 3", "taxi 3"])
    assert winner(state) == "detectives"


def test_the_final_move_is_a_single_one() -> None:
    game = line({"phantom": {"taxi": 9, "double": 1}}, rounds=1, final_phantom_move=True)
    assert typed(position(game, [1, 6], ["taxi 2", "taxi 5"])) == ["taxi 1", "taxi 3"]


# Those who cannot move


@pytest.mark.parametrize(("rule", "expected"), [("lose", "phantom"), ("pass", "")])
def test_no_detective_can_move(rule: str, expected: str) -> None:
    game = line({"detective": {"taxi": 1}, "stuck_detectives": rule}, detectives=2)
    state = position(game, [1, 6, 4], ["taxi 2", "taxi 5", "taxi 3"])
    assert winner(state) == expected
    assert bool(events(state, record.ESCAPED)) == state.over


def test_the_last_round_is_the_reason_even_if_no_ticket_is_left() -> None:
    game = line({"detective": {"taxi": 1}, "stuck_detectives": "lose"}, rounds=1, reveals="none")
    state = position(game, [1, 6], ["taxi 2", "taxi 5"])
    assert [(event.b, event.c) for event in events(state, record.ESCAPED)] == [(1, 0)]


def test_a_single_stuck_detective_does_not_end_it() -> None:
    game = line({"detective": {"tram": 2}, "stuck_detectives": "lose"}, detectives=2)
    state = position(game, [2, 6, 5], ["taxi 1", "pass", "tram 3"])
    assert not state.over
    state = position(line({"detective": {"tram": 1}, "stuck_detectives": "lose"}, detectives=2), [2, 6, 5])
    assert winner(play_all(state, "taxi 1", "pass", "tram 3")) == "phantom"


def test_detectives_who_never_could_move_lose_before_the_first_move() -> None:
    assert winner(position(line({"detective": {"tram": 1}, "stuck_detectives": "lose"}), [1, 4])) == "phantom"


@pytest.mark.parametrize(("rule", "expected"), [("loses", "detectives"), ("pass", "")])
def test_a_phantom_that_cannot_move(rule: str, expected: str) -> None:
    state = position(line({"phantom": {"taxi": 1}}, stuck_phantom=rule), [1, 5], ["taxi 2", "tram 3"])
    assert winner(state) == expected
    assert state.over or typed(state) == ["pass"]
    in_the_file = line({"phantom": {"taxi": 1}, "stuck_phantom": rule})
    assert winner(position(in_the_file, [1, 5], ["taxi 2", "tram 3"])) == expected


def test_a_phantom_that_never_could_move_loses_before_the_first_move() -> None:
    game = line({"phantom": {"tram": 1}}, stuck_phantom="loses")
    assert winner(position(game, [2, 5])) == "detectives"
    hemmed_in = pursuit(phantom_may_enter_detective=False)  # stop 5 of plan1 has taxi links to 4 and 12 only
    assert winner(position(hemmed_in, [5, 4, 12, 1])) == "detectives"


# Black tickets


def test_a_black_ticket_pays_for_any_mode_and_for_the_boat() -> None:
    state = position(line(double="no"), [1, 4])
    assert typed(state) == ["taxi 2", "tram 3", "black 2", "black 3", "black 6"]


def test_a_black_move_hides_the_mode() -> None:
    state = position(line(), [1, 4], ["black 3"])
    assert [(event.a, event.b) for event in events(state, record.MOVED)] == [(record.BLACK, 0)]
    assert tickets(state, 0) == [2, 1, 0, 0, 1]


def test_detectives_never_take_the_boat() -> None:
    state = position(line(), [4, 6], ["taxi 3"])
    assert typed(state) == ["taxi 5"]


def test_without_ferries_a_black_ticket_is_no_good_for_them() -> None:
    state = position(line(double="no", ferry="no"), [1, 4])
    assert typed(state) == ["taxi 2", "tram 3", "black 2", "black 3"]


def test_the_ferries_of_london() -> None:
    game = pursuit(board="london", double="no", start_mode="split", detectives=2)
    state = position(game, [127, 13, 26], ["taxi 115", "taxi 14", "taxi 15"])
    assert {"black 108", "black 157"} <= set(typed(state))
    assert not {"taxi 108", "taxi 157", "bus 108"} & set(typed(state))


def test_without_black_tickets_there_are_none() -> None:
    assert typed(position(line(double="no", black="no"), [1, 4])) == ["taxi 2", "tram 3"]


# Double moves


def test_a_double_move_is_two_moves_before_the_detectives() -> None:
    state = position(line(), [1, 6], ["double taxi 2"])
    assert state.to_move == 0
    assert int(state.raw.doubling) == 1
    assert tickets(state, 0) == [1, 1, 0, 1, 0]
    assert typed(state) == ["taxi 1", "taxi 3", "black 1", "black 3"]
    state.play("black 3")
    assert state.to_move == 1
    assert int(state.raw.made) == 2
    assert tickets(state, 0) == [1, 1, 0, 0, 0]
    assert state.raw.twice.tolist()[:2] == [1, 0]
    assert state.raw.fare.tolist()[:2] == [1, 4]


def test_each_half_counts_for_the_reveals() -> None:
    state = position(line(reveals="1"), [1, 6], ["double taxi 2"])
    assert [(event.a, event.b) for event in events(state, record.SHOWN)] == [(2, 1)]
    state = position(line(), [1, 6], ["double taxi 2"])
    assert not events(state, record.SHOWN)
    state.play("taxi 3")
    assert [(event.a, event.b) for event in events(state, record.SHOWN)] == [(3, 2)]


def test_rounds_are_not_shortened_by_double_moves() -> None:
    game = line({"phantom": {"taxi": 9, "double": 1}, "detective": {"taxi": 9}}, rounds=2, reveals="none")
    state = position(game, [1, 6], ["double taxi 2", "taxi 1", "taxi 5", "taxi 2", "taxi 6"])
    assert winner(state) == "phantom"
    assert int(state.raw.made) == 3


def test_a_double_move_cannot_jump_over_a_detective() -> None:
    state = position(line(), [1, 2])
    assert not {"double taxi 2", "double black 2"} & set(typed(state))  # caught there, it has no second half
    assert "double tram 3" in typed(state)
    state.play("taxi 2")
    assert winner(state) == "detectives"


def test_a_double_move_needs_a_second_half() -> None:
    state = position(line({"phantom": {"taxi": 1, "tram": 1, "double": 1}}), [1, 5])
    assert typed(state) == ["taxi 2", "tram 3", "double tram 3"]  # at 2 there is no tram, and the taxi ticket is spent


def test_no_double_move_within_a_double_move_or_without_a_ticket() -> None:
    state = position(line(), [1, 6], ["double taxi 2"])
    assert not [move for move in typed(state) if "double" in move]
    state.play("taxi 3")
    state.play("taxi 5")
    assert not [move for move in typed(state) if "double" in move]
    assert not [move for move in typed(position(line(double="no"), [1, 6])) if "double" in move]


# Whatever is played

chosen = st.sampled_from(
    [{}, {"board": "london"}, {"board": "square1", "detectives": 5, "prune": "round", "final_phantom_move": True}]
)


@settings(max_examples=30, deadline=None)
@given(chosen, st.integers(0, 1 << 32), st.lists(st.integers(0, 99), min_size=1, max_size=30))
def test_tickets_are_kept_and_somebody_wins(options: dict[str, Any], seed: int, habit: list[int]) -> None:
    state = pursuit(**options).start(seed=seed)
    laws = state.game.rules.laws(state.array)
    while not state.over:
        assert state.game.rules.laws(state.array) == laws
        state.play(state.legal[habit[len(state.actions) % len(habit)] % len(state.legal)])
    assert sorted(state.returns) == [-1.0, 1.0]
    assert state.record.replay().array.tobytes() == state.array.tobytes()
