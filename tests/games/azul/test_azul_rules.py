"""The rules of Azul, sentence by sentence: sections 1 to 5 of the specification, then its unit cases."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest
from tests.games.azul.position import (
    BLUE,
    CENTRE,
    LETTERS,
    RED,
    WHITE,
    YELLOW,
    azul,
    counts,
    events,
    last_take,
    on_floor,
    placed,
    position,
    tiles_of,
    typed,
    walled,
)

from ludens.core.error import BadOption, IllegalAction
from ludens.core.state import State
from ludens.games.azul import record, rules

PRINTED = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]


def finish_randomly(state: State, seed: int = 0) -> State:
    """Play on at random to the end."""
    dice = np.random.default_rng(seed)
    while not state.over:
        state.play(int(dice.choice(state.legal)))
    return state


# 1. Components and set-up


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_players(players: int) -> None:
    with pytest.raises(BadOption, match="players"):
        azul(players=players)


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_each_of_2n_plus_1_factories_gets_four_tiles_of_the_hundred(players: int, factories: int) -> None:
    game = azul(players=players)
    state = game.start(seed=5)
    assert game.rules.factories == factories
    assert state.raw.sources[:factories].sum(axis=1).tolist() == [4] * factories
    assert state.raw.sources[factories:].sum() == 0
    assert state.raw.bag.sum() == 100 - 4 * factories
    assert state.raw.lid.sum() == 0
    assert tiles_of(game, state) == [20] * 5


def test_the_marker_lies_in_the_centre_at_the_start_of_every_round() -> None:
    state = azul().start(seed=2)
    rounds = 0
    while not state.over:
        if events(state, record.ROUND):
            rounds += 1
            assert state.raw.marker == -1
        state.play(state.legal[0])
    assert rounds >= 2


def test_a_board_begins_empty_with_score_0() -> None:
    s = azul(players=4).start(seed=1).raw
    assert not s.wall.any()
    assert not s.line_count.any()
    assert not s.floor.any()
    assert s.score.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("line", [1, 2, 3, 4, 5])
def test_line_r_holds_r_tiles(line: int) -> None:
    state = position(azul(), sources={1: "R", CENTRE: "R" * 8}, marker=1).play(f"C red -> L{line}")
    assert state.raw.line_count[0, line - 1] == line
    assert on_floor(state, 0) == min(8 - line, 7)


def test_the_first_starter_is_a_chosen_seat_or_a_seeded_draw() -> None:
    assert azul(players=3, first=3).start(seed=1).to_move == 2
    drawn = [azul(players=4, first="random").start(seed=seed).to_move for seed in range(40)]
    assert set(drawn) == {0, 1, 2, 3}
    assert drawn == [azul(players=4, first="random").start(seed=seed).to_move for seed in range(40)]


@pytest.mark.parametrize("row", range(5))
@pytest.mark.parametrize("colour", range(5))
def test_the_coloured_wall_has_a_place_for_each_colour_in_each_row(row: int, colour: int) -> None:
    letter = LETTERS[colour]
    state = last_take(azul(), lines={0: {row + 1: letter * (row + 1)}})
    column = PRINTED[row].index(letter)
    assert placed(state, 0)[row] == "." * column + letter + "." * (4 - column)
    assert column == (row + colour) % 5


def test_the_draws_to_come_are_hidden_and_the_bag_counts_are_public() -> None:
    state = azul().start(seed=8)
    twin = state.copy()
    twin.array["rng"] += np.uint64(1)
    for seat in range(2):
        assert state.view(seat).array.tobytes() == twin.view(seat).array.tobytes()
    assert state.view().raw.bag.tolist() == state.raw.bag.tolist()


# 2. Drafting


def test_from_a_factory_all_of_the_colour_is_taken_and_the_rest_slides_to_the_centre() -> None:
    game = azul()
    state = position(game, sources={2: "RRBK", 3: "WWWW"}).play("F2 red -> L3")
    assert state.raw.sources[1].tolist() == [0] * 5
    assert state.raw.sources[game.rules.factories].tolist() == counts("BK")
    assert state.raw.line_count[0].tolist() == [0, 0, 2, 0, 0]
    assert state.raw.line_colour[0, 2] == RED
    assert state.raw.marker == -1


def test_from_the_centre_all_of_the_colour_is_taken_and_the_rest_stays() -> None:
    game = azul()
    state = position(game, sources={CENTRE: "RRRBK"}, marker=1).play("C red -> L3")
    assert state.raw.sources[game.rules.factories].tolist() == counts("BK")
    assert state.raw.line_count[0, 2] == 3


def test_the_first_taker_from_the_centre_takes_the_marker_and_later_takers_do_not() -> None:
    state = position(azul(), sources={CENTRE: "RBK"}).play("C red -> L1")
    assert state.raw.marker == 0
    assert state.raw.floor[0].tolist() == [0, 0, 0, 0, 0, 1]
    state.play("C blue -> L1")
    assert state.raw.marker == 0
    assert on_floor(state, 1) == 0


def test_the_marker_takes_its_floor_space_before_the_tiles_do() -> None:
    state = position(azul(), sources={CENTRE: "RRK"}, floors={0: "BBBBBB"}).play("C red -> floor")
    assert state.raw.floor[0].tolist() == [*counts("BBBBBB"), 1]
    assert state.raw.lid.tolist() == counts("RR")


def test_the_marker_alone_in_the_centre_is_no_move() -> None:
    state = position(azul(), sources={1: "RRRR"}).play("F1 red -> L4")
    assert [event.a for event in events(state, record.ROUND)] == [2]


def test_an_empty_line_takes_any_colour_its_wall_row_lacks() -> None:
    state = position(azul(), sources={1: "RB"}, walls={0: ["..R..", ".....", ".....", ".....", "....."]})
    assert "F1 red -> L1" not in typed(state)
    assert [f"F1 red -> L{line}" in typed(state) for line in (2, 3, 4, 5)] == [True] * 4
    assert [f"F1 blue -> L{line}" in typed(state) for line in (1, 2, 3, 4, 5)] == [True] * 5


def test_a_begun_line_takes_only_its_own_colour() -> None:
    state = position(azul(), sources={1: "RB"}, lines={0: {3: "R"}})
    assert "F1 red -> L3" in typed(state)
    assert "F1 blue -> L3" not in typed(state)


def test_a_full_line_takes_nothing_not_even_its_own_colour() -> None:
    state = position(azul(), sources={1: "RB"}, lines={0: {3: "RRR"}})
    assert not [move for move in typed(state) if move.endswith("L3")]
    with pytest.raises(IllegalAction):
        state.play("F1 red -> L3")


def test_other_players_boards_do_not_matter_for_legality() -> None:
    state = position(azul(), sources={1: "RB"}, lines={1: {3: "BBB"}}, walls={1: ["..R..", *["....."] * 4]})
    assert len(state.legal) == 12


def test_the_floor_is_always_legal() -> None:
    full = {line: "W" * line for line in range(1, 6)}
    state = position(azul(), sources={1: "RB", CENTRE: "K"}, lines={0: full}, floors={0: "B" * 7})
    assert typed(state) == ["F1 blue -> floor", "F1 red -> floor", "C black -> floor"]


def test_what_a_line_cannot_hold_falls_to_the_floor_and_beyond_its_seventh_space_into_the_lid() -> None:
    state = position(azul(), sources={1: "K", CENTRE: "RRRRRR"}, lines={0: {2: "R"}}, floors={0: "BBB"}, marker=1)
    state.play("C red -> L2")
    assert state.raw.line_count[0, 1] == 2
    assert state.raw.floor[0].tolist() == [*counts("BBBRRRR"), 0]
    assert state.raw.lid.tolist() == counts("R")


def test_tiles_beyond_the_seventh_space_cost_nothing_more() -> None:
    game = azul()
    scores = []
    for surplus in (1, 4):
        state = position(game, sources={CENTRE: "R" * surplus}, floors={0: "BBBBBBB"}, marker=1, scores=[20, 0])
        scores.append(state.play("C red -> floor").scores[0])
    assert scores == [6, 6]


def test_the_marker_counts_as_a_tile_for_the_penalty() -> None:
    state = position(azul(), sources={CENTRE: "R"}, floors={0: "B"}, scores=[20, 0]).play("C red -> L1")
    assert events(state, record.CHARGE)[0][2:] == (0, 2, 2)


def test_the_marker_taken_with_a_full_floor_costs_no_more_and_still_starts_the_next_round() -> None:
    state = position(azul(), sources={CENTRE: "R"}, floors={1: "B" * 7}, scores=[0, 20], turn=1)
    state.play("C red -> L2")
    assert state.scores[1] == 6
    assert state.to_move == 1
    assert events(state, record.TAKE_MARKER)[0][2:4] == (1, 0)


def test_drafting_ends_when_no_source_holds_a_tile() -> None:
    state = position(azul(), sources={1: "R", 2: "B"}, lines={0: {2: "YY"}})
    assert not events(state.play("F1 red -> L1"), record.TILE)
    assert len(events(state.play("F2 blue -> L3"), record.TILE)) == 2


def test_the_turn_goes_round_the_table() -> None:
    state = azul(players=3, first=2).start(seed=3)
    turns = []
    for _ in range(4):
        turns.append(state.to_move)
        state.play(state.legal[0])
    assert turns == [1, 2, 0, 1]


# 3. Tiling


def test_only_full_lines_send_a_tile_to_the_wall_and_incomplete_ones_stay() -> None:
    state = last_take(azul(), lines={0: {2: "RR", 4: "KKK"}})
    assert placed(state, 0) == [".....", "...R.", ".....", ".....", "....."]
    assert state.raw.line_count[0].tolist() == [0, 0, 0, 3, 0]


def test_the_other_tiles_of_the_line_go_to_the_lid() -> None:
    state = last_take(azul(), lines={0: {4: "KKKK"}})
    assert state.raw.lid.tolist() == counts("KKKW")


def test_lines_are_tiled_from_the_top_and_a_lower_tile_sees_the_upper_one() -> None:
    state = last_take(azul(), lines={0: {1: "B", 2: "WW", 3: "KKK"}})
    assert [event.c for event in events(state, record.TILE)] == [1, 2, 3]
    assert state.scores[0] == 6


@pytest.mark.parametrize(
    ("wall", "row", "column", "points"),
    [
        (["....."] * 5, 2, 2, 1),
        ([".....", ".....", "KW...", ".....", "....."], 2, 2, 3),
        (["..R..", "..Y..", ".....", ".....", "....."], 2, 2, 3),
        ([".....", "..Y..", "KW.Y.", "..W..", "....."], 2, 2, 7),
        (["..R..", ".....", "K...R", ".....", "..K.."], 2, 2, 1),
        (["..R..", "..Y..", "KW.YR", "..W..", "..K.."], 2, 2, 10),
    ],
)
def test_a_tile_scores_the_runs_it_stands_in_and_1_alone(wall: list[str], row: int, column: int, points: int) -> None:
    assert rules.placement_points(walled(wall)[0], 0, row, column) == points


@pytest.mark.parametrize(("spaces", "penalty"), list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])))
def test_the_floor_costs_by_its_occupied_spaces(spaces: int, penalty: int) -> None:
    state = last_take(azul(), lines={}, floors={0: "R" * spaces}, scores=[30, 0])
    assert state.scores[0] == 30 - penalty


def test_four_tiles_and_the_marker_cost_8_as_in_the_rulebook() -> None:
    state = last_take(azul(), lines={}, floors={0: "RRBK1"}, scores=[30, 0], marker=0)
    assert state.scores[0] == 22


def test_a_score_never_falls_below_0() -> None:
    state = last_take(azul(), lines={}, floors={0: "RRRR"}, scores=[5, 0])
    assert state.scores[0] == 0
    assert events(state, record.CHARGE)[0].c == 5


def test_the_floor_is_charged_after_the_rows() -> None:
    state = last_take(azul(), lines={0: {1: "B"}}, floors={0: "R"}, scores=[0, 0])
    assert state.scores[0] == 0
    assert [event.kind for event in state.history[-1] if event.kind in (record.TILE, record.CHARGE)][:2] == [
        record.TILE,
        record.CHARGE,
    ]


def test_floor_tiles_go_to_the_lid() -> None:
    state = last_take(azul(), lines={}, floors={0: "RRB1"}, marker=0)
    assert state.raw.lid.tolist() == counts("RRBW")
    assert on_floor(state, 0) == 0


# 3. Grey wall


GREY = azul(wall="grey")


def test_grey_the_owner_chooses_the_column_and_scores_at_once() -> None:
    state = last_take(GREY, lines={0: {1: "B", 3: "RRR"}}, walls={0: [".....", "....K", *["....."] * 3]})
    assert typed(state) == [f"column {column}" for column in (1, 2, 3, 4, 5)]
    state.play("column 5")
    assert placed(state, 0)[0] == "....B"
    assert state.scores[0] == 2
    assert state.raw.row == 2


def test_grey_a_column_needs_an_empty_cell_and_no_such_colour_in_it() -> None:
    wall = ["K....", ".B...", ".....", ".....", "...B."]
    state = last_take(GREY, lines={0: {1: "B"}}, walls={0: wall})
    assert typed(state) == ["column 3", "column 5"]


def test_grey_a_line_that_fits_nowhere_falls_to_the_floor_and_counts_at_once() -> None:
    wall = ["B....", ".B...", "KRY..", "...B.", "....B"]  # blue is missing in row 3 and column 3, but the cell is taken
    state = last_take(GREY, lines={0: {3: "BBB"}}, walls={0: wall}, scores=[30, 0])
    assert events(state, record.STUCK)[0][2:] == (0, 2, BLUE)
    assert state.raw.line_count[0, 2] == 0
    assert state.scores[0] == 26
    assert state.raw.lid.tolist() == counts("BBBW")


def test_grey_what_the_floor_cannot_hold_of_such_a_line_goes_to_the_lid() -> None:
    wall = ["B....", ".B...", "KRY..", "...B.", "....B"]
    state = last_take(GREY, lines={0: {3: "BBB"}}, walls={0: wall}, floors={0: "RRRRRR"}, scores=[30, 0])
    assert state.scores[0] == 16
    assert state.raw.lid.tolist() == counts("BBBRRRRRRW")


def test_grey_drafting_looks_at_the_row_only() -> None:
    wall = ["B....", ".B...", "KRY..", "...B.", "....B"]
    state = position(GREY, sources={1: "BB"}, walls={0: wall})
    assert typed(state) == ["F1 blue -> L3", "F1 blue -> floor"]


def test_grey_decisions_are_made_in_turn_order_from_the_rounds_starter_row_by_row() -> None:
    full = {1: "B", 2: "RR"}
    state = position(azul(players=3, wall="grey"), sources={1: "W"}, lines=dict.fromkeys(range(3), full), turn=0)
    state.array["starter"] = 1
    state.play("F1 white -> floor")
    order = []
    while state.raw.phase == record.TILING:
        order.append((state.to_move, int(state.raw.row)))
        state.play(state.legal[0])
    assert order == [(1, 0), (1, 1), (2, 0), (2, 1), (0, 0), (0, 1)]


# 4. Rounds and the end


def nearly(row: int = 0) -> list[str]:
    """A wall that lacks only the last place of one row."""
    return [PRINTED[r][:4] + "." if r == row else "....." for r in range(5)]


def test_the_game_ends_after_a_tiling_that_completes_a_row() -> None:
    state = last_take(azul(), lines={0: {1: "W"}, 1: {2: "KK"}}, walls={0: nearly()})
    assert state.over
    assert placed(state, 1)[1] == "....K"  # the others finish their tiling


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_game_ends_before_round_5_by_a_row(players: int) -> None:
    for seed in range(30):
        state = finish_randomly(azul(players=players).start(seed=seed), seed)
        assert state.raw.rounds >= 5


def test_bonuses_are_2_a_row_7_a_column_10_a_colour() -> None:
    wall = ["BYRK.", "WB...", "K.B..", "R..B.", "Y...B"]
    state = last_take(azul(), lines={0: {1: "W"}}, walls={0: wall}, scores=[0, 0])
    # white ends row 1 (5 points); one row, one column (the first), all five blue
    assert state.scores[0] == 5 + 2 + 7 + 10
    assert [(e.kind, e.b, e.c) for e in state.history[-1][-3:]] == [
        (record.ROW_BONUS, 1, 2),
        (record.COLUMN_BONUS, 1, 7),
        (record.COLOUR_BONUS, 1, 10),
    ]


def test_every_player_gets_the_bonuses() -> None:
    column = ["B....", "W....", "K....", "R....", "Y...."]
    state = last_take(azul(), lines={0: {1: "W"}}, walls={0: nearly(), 1: column}, scores=[0, 10])
    assert state.scores == [7, 16]  # player 2 paid 1 for the floor


def test_most_points_win() -> None:
    state = last_take(azul(), lines={0: {1: "W"}}, walls={0: nearly()}, scores=[0, 30])
    assert state.returns == [-1, 1]


def test_a_tie_goes_to_more_complete_rows() -> None:
    state = last_take(azul(), lines={0: {1: "W"}}, walls={0: nearly()}, scores=[0, 8])
    assert state.scores == [7, 7]
    assert state.returns == [1, -1]


def test_what_is_still_tied_is_a_shared_victory() -> None:
    walls = {0: nearly(), 1: nearly()}
    state = last_take(azul(players=3), lines={0: {1: "W"}, 1: {1: "W"}}, walls=walls, scores=[0, 1, 0])
    assert state.scores == [7, 7, 0]
    assert state.returns == [0.25, 0.25, -0.5]


def test_the_markers_holder_starts_the_next_round() -> None:
    state = position(azul(players=3), sources={CENTRE: "R"}, turn=2).play("C red -> L1")
    assert state.to_move == 2
    assert state.raw.marker == -1


def test_if_nobody_took_the_marker_the_starter_stays() -> None:
    state = position(azul(players=3), sources={1: "RRRR"}, starter=1, turn=2).play("F1 red -> L4")
    assert state.to_move == 1


def test_an_empty_bag_is_refilled_from_the_lid_in_the_middle_of_the_deal() -> None:
    game = azul()
    state = position(game, sources={1: "W"}, bag="B" * 7, lid="R" * 20)
    state.play("F1 white -> L2")
    assert state.raw.sources[:5].sum(axis=1).tolist() == [4] * 5
    assert state.raw.sources[:, BLUE].sum() == 7
    assert state.raw.sources[0].tolist() == counts("BBBB")
    assert state.raw.bag.sum() == 7
    assert state.raw.lid.sum() == 0


def test_with_too_few_tiles_the_round_starts_with_partly_filled_factories() -> None:
    state = position(azul(), sources={1: "W"}, bag="BBB", lid="RRR").play("F1 white -> L2")
    assert state.raw.sources.sum(axis=1).tolist()[:6] == [4, 2, 0, 0, 0, 0]
    assert state.raw.sources.sum(axis=0).tolist() == counts("BBBRRR")
    assert not state.over


def test_a_round_that_could_offer_no_tile_ends_the_game_with_bonuses() -> None:
    column = ["B....", "W....", "K....", "R....", "Y...."]
    state = position(azul(), sources={1: "W"}, bag="", walls={0: column}).play("F1 white -> L3")
    assert state.over
    assert state.scores[0] == 7
    assert not state.raw.capped


def test_the_round_cap_ends_the_game_with_bonuses_and_says_so() -> None:
    state = finish_randomly(azul(cap=2).start(seed=1))
    assert state.raw.rounds == 2
    assert state.raw.capped == 1
    assert len(events(state, record.CAPPED)) == 1


def test_a_row_completed_in_the_last_round_is_no_cap() -> None:
    state = last_take(azul(cap=5), lines={0: {1: "W"}}, walls={0: nearly()}, rounds=4)
    assert state.over
    assert not state.raw.capped


@pytest.mark.parametrize(("players", "refill"), [(2, 6), (3, 4), (4, 3)])
def test_the_lid_is_first_emptied_into_the_bag_in_round(players: int, refill: int) -> None:
    state = azul(players=players).start(seed=4)
    dealt = 0
    while state.raw.rounds + 1 < refill:
        dealt += 4 * (2 * players + 1) if events(state, record.ROUND) else 0
        assert state.raw.bag.sum() == 100 - dealt
        state.play(state.legal[0])
    assert dealt + 4 * (2 * players + 1) > 100


# 5. Actions


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize(("players", "drafts"), [(2, 180), (3, 240), (4, 300)])
def test_the_numbers_of_actions(players: int, drafts: int, wall: str) -> None:
    assert azul(players=players, wall=wall).rules.actions == drafts + (5 if wall == "grey" else 0)


def test_a_draft_is_numbered_by_source_colour_and_destination() -> None:
    game = azul(players=3)
    assert game.rules.action_text((2 * 5 + RED) * 6 + 1) == "F3 red -> L2"
    assert game.rules.action_text((7 * 5 + BLUE) * 6 + 5) == "C blue -> floor"
    assert game.rules.action_text((0 * 5 + WHITE) * 6 + 0) == "F1 white -> L1"
    assert azul(wall="grey").rules.action_text(180 + YELLOW) == "column 2"


@pytest.mark.parametrize(("players", "most"), [(2, 120), (3, 168), (4, 216)])
def test_the_most_legal_moves_there_can_be(players: int, most: int) -> None:
    """Four colours on each factory; the centre is empty while all factories are full."""
    game = azul(players=players)
    state = position(game, sources=dict.fromkeys(range(1, game.rules.factories + 1), "BYRK"))
    assert len(state.legal) == most
    assert most <= record.MAX_LEGAL


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"players": 3, "wall": "grey"}])
def test_every_action_has_its_own_text_that_parses_back(options: dict[str, object]) -> None:
    game = azul(**options)
    assert len({game.rules.action_text(action) for action in range(game.rules.actions)}) == game.rules.actions
    state = game.start(seed=6)
    dice = np.random.default_rng(6)
    while not state.over:
        assert state.legal == sorted(set(state.legal))
        assert [state.parse(game.rules.action_text(action)) for action in state.legal] == state.legal
        state.play(game.rules.action_text(int(dice.choice(state.legal))))


def test_an_illegal_move_is_refused_with_the_legal_ones_and_changes_nothing() -> None:
    state = position(azul(), sources={1: "RB"}, lines={0: {3: "R"}})
    before = state.array.tobytes()
    for move in ("F1 blue -> L3", "F2 red -> L1", "C red -> L1", "column 1", 10**12, -1, 179):
        with pytest.raises(IllegalAction, match="legal moves are"):
            state.play(move)
    assert state.array.tobytes() == before


# Unit cases of section 7


@pytest.mark.parametrize(("rows", "least", "most"), [(1, 11, 15), (2, 29, 40), (3, 47, 70)])
def test_points_of_rows_filled_over_five_rounds(rows: int, least: int, most: int) -> None:
    """One tile a row a round, top down, over all orders."""
    array = np.zeros(1, record.State)
    wall = array[0].wall[0]

    @functools.cache
    def points(filled: tuple[int, ...], row: int, column: int) -> int:
        for r, bits in enumerate(filled):
            wall[r] = [bits >> c & 1 for c in range(5)]
        return int(rules.placement_points(array[0], 0, row, column))

    def add(filled: tuple[int, ...], columns: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        total = 0
        for row, column in enumerate(columns):
            total += points(filled, row, column)
            filled = (*filled[:row], filled[row] | 1 << column, *filled[row + 1 :])
        return filled, total

    @functools.cache
    def extremes(filled: tuple[int, ...]) -> tuple[int, int]:
        free = [[c for c in range(5) if not bits >> c & 1] for bits in filled]
        if not free[0]:
            return 0, 0
        low, high = 10**6, 0
        for columns in itertools.product(*free):
            after, gained = add(filled, columns)
            low, high = min(low, gained + extremes(after)[0]), max(high, gained + extremes(after)[1])
        return low, high

    assert extremes((0,) * rows) == (least, most)
