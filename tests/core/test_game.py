"""The friendly face: states, views, dice, undo."""

from __future__ import annotations

import numpy as np
import pytest

import ludens


@pytest.fixture(scope="module")
def game() -> ludens.Game:
    return ludens.game("azul")


def test_an_illegal_move_changes_nothing(game: ludens.Game) -> None:
    state = game.start(seed=3)
    before = state.checksum
    for move in (9999, -1, 1 << 40, "F9 red -> L1", "nonsense"):
        with pytest.raises(ludens.IllegalAction, match="legal moves are"):
            state.play(move)
    assert state.checksum == before
    assert state.actions == []


def test_moves_are_typed_in_any_spacing(game: ludens.Game) -> None:
    state = game.start(seed=3)
    text, action = next(iter(state.moves().items()))
    assert state.parse(text.upper().replace(" ", "  ")) == action
    assert state.parse(text.replace(" ", "")) == action
    assert state.parse(str(action)) == action


def test_a_space_between_two_numbers_is_not_left_away() -> None:
    pursuit = ludens.game("pursuit", board="plan1", detectives=2)
    state = pursuit.start(seed=1, fields={"stop": [1, 19, 30]})
    state.play(state.legal[0])
    assert state.parse("taxi20") == state.parse("Taxi  20")
    with pytest.raises(ludens.IllegalAction, match="'taxi 2 0' is not a legal move here; legal") as caught:
        state.parse("taxi 2 0")
    assert "no line" not in str(caught.value)
    with pytest.raises(ludens.IllegalAction, match="no line leads from stop 19 to stop 21"):
        state.parse("taxi21")


def test_undo_goes_back_to_the_same_bytes(game: ludens.Game) -> None:
    state = game.start(seed=3)
    seen = [state.checksum]
    for _ in range(15):
        state.play(state.legal[0])
        seen.append(state.checksum)
    state.undo(5)
    assert state.checksum == seen[10]
    state.undo(100)
    assert state.checksum == seen[0]


def test_a_copy_is_independent(game: ludens.Game) -> None:
    state = game.start(seed=3)
    twin = state.copy()
    twin.play(twin.legal[0])
    assert state.actions == []
    assert state.checksum != twin.checksum


def test_views_never_hold_the_games_dice(game: ludens.Game) -> None:
    state = game.start(seed=3)
    for seat in range(2):
        view = state.view(seat)
        assert view.raw.rng != state.raw.rng
        assert view.raw.rng != np.uint64(state.seed)
    assert state.view(0).raw.rng != state.view(1).raw.rng


def test_dice_are_stamped_for_each_decision(game: ludens.Game) -> None:
    state = game.start(seed=3)
    first = state.view().raw.rng
    assert state.view().raw.rng == first
    state.play(state.legal[0])
    state.play(state.legal[0])
    assert state.view().raw.rng != first


def test_no_such_seat_or_seed(game: ludens.Game) -> None:
    with pytest.raises(ludens.BadOption, match="seats 0 to 1"):
        game.start(seed=1).view(2)
    for seed in (-1, 1 << 64, "a", 1.5):
        with pytest.raises(ludens.BadOption, match=f"the seed {seed!r} is not possible"):
            game.start(seed=seed)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers(game: ludens.Game) -> None:
    assert game.start(seed=np.int64(3)).record.to_json() == game.start(seed=3).record.to_json()  # type: ignore[arg-type]
    pursuit = ludens.game("pursuit", board="plan1", detectives=2)
    plain = pursuit.start(seed=1, fields={"stop": [1, 19, 30]})
    for stops in (np.array([1, 19, 30]), [np.int64(1), np.uint8(19), 30]):
        assert pursuit.start(seed=1, fields={"stop": stops}).record.to_json() == plain.record.to_json()


def test_a_finished_game_takes_no_move(game: ludens.Game) -> None:
    state = game.start(seed=3)
    while not state.over:
        state.play(state.legal[-1])
    with pytest.raises(ludens.IllegalAction, match="over"):
        state.play(0)


def test_pictures_for_notebooks(game: ludens.Game) -> None:
    state = game.start(seed=3)
    assert state._repr_svg_().startswith("<svg")
    assert "L1" in str(state)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("herustic", "did you mean 'heuristic'"),
        ("mcts:sims=0", "sims takes a whole number"),
        ("mcts:simms=3", "did you mean 'sims'"),
        ("mcts:sims", "name=value"),
        ("./no_such_file.py:act", "there is no agent file"),
    ],
)
def test_bad_agent_specs(game: ludens.Game, spec: str, words: str) -> None:
    with pytest.raises(ludens.LudensError, match=words):
        ludens.agent(spec, game)


def test_specs_make_the_same_agent_again(game: ludens.Game) -> None:
    for spec in ("random", "heuristic", "mcts:sims=20,playout=suggest", "alphabeta:nodes=50", "reward:r=1,mode=fixed"):
        assert ludens.agent(spec, game).spec == spec


def test_an_illegal_move_is_explained(game: ludens.Game) -> None:
    state = game.start(seed=3)
    with pytest.raises(ludens.IllegalAction, match="factory 1 has no red tile"):
        state.play("F1 red -> L1")
    state.play("F1 blue -> L2")
    state.play("F3 red -> L1")
    with pytest.raises(ludens.IllegalAction, match="line 2 is full"):
        state.play("F5 blue -> L2")
