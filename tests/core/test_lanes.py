"""Many games at once: each lane is a game played alone, to the byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core import drive, ops, tensor_file
from ludens.core.error import BadOption, BadRecord
from ludens.core.game import Game
from ludens.core.lanes import Lanes
from ludens.core.registry import make_agent, make_game
from ludens.core.seed import derived_seed
from ludens.core.state import State
from ludens.games.azul.features import step_reward
from ludens.games.azul.thesis.agents import RewardSettings

AZUL = make_game("azul", players=3)
DICE = make_game("liars-dice", players=3, dice=2)
WARS = make_game("dicewars", players=3, areas=8, max_turns=15)
PURSUIT = make_game("pursuit")
GAMES = [AZUL, DICE, WARS, PURSUIT]
LANES = 12


def every(games: list[Game]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", games, ids=lambda game: game.id)


def chosen(lanes: Lanes, rows: np.ndarray) -> np.ndarray:
    """A legal action for each lane, made from its seed and what was played."""
    actions, counts = lanes.legal(rows)
    dice = lanes.seeds[rows] * np.uint64(2654435761) + lanes.decisions[rows].astype(np.uint64) * np.uint64(40503)
    return actions[np.arange(len(rows)), (dice >> np.uint64(7)) % counts.astype(np.uint64)].astype(np.int64)


def advance(lanes: Lanes, steps: int) -> None:
    for _ in range(steps):
        rows, _seats = lanes.waiting()
        assert lanes.step(rows, chosen(lanes, rows)).all()


def new_lanes(game: Game, **given: Any) -> Lanes:
    return Lanes(game, np.arange(LANES) + 5, **given)


def alone(game: Game, lanes: Lanes, lane: int) -> State:
    """The game of a lane, played one move at a time."""
    state = game.start(seed=int(lanes.seeds[lane]))
    for action in lanes.played(lane):
        state.play(action)
    return state


@every(GAMES)
def test_a_lane_plays_as_a_game_alone(game: Game) -> None:
    lanes, twins = new_lanes(game, listens=True), [game.start(seed=seed + 5) for seed in range(LANES)]
    while (lanes.turns >= 0).any():
        rows, seats = lanes.waiting()
        assert seats.tolist() == [twins[row].to_move for row in rows]
        views, mask, (actions, counts) = lanes.views(rows, seats), lanes.mask(rows), lanes.legal(rows)
        for j, row in enumerate(rows.tolist()):
            twin = twins[row]
            assert twin.array.tobytes() == lanes.states[row : row + 1].tobytes()
            assert views[j : j + 1].tobytes() == twin.view().array.tobytes()
            assert np.flatnonzero(mask[j]).tolist() == actions[j, : counts[j]].tolist() == twin.legal
            assert lanes.events(row) == twin.history[-1]
            assert lanes.played(row) == twin.actions
        played = chosen(lanes, rows)
        assert lanes.step(rows, played).all()
        for row, action in zip(rows.tolist(), played.tolist(), strict=True):
            twins[row].play(action)
            assert lanes.ended[row] == twins[row].over
    assert lanes.returns.tolist() == [twin.returns for twin in twins]
    assert lanes.scores.tolist() == [twin.scores for twin in twins]
    assert (lanes.mask(np.arange(LANES)) == 0).all()
    assert (lanes.legal(np.arange(LANES))[1] == 0).all()


@every([game for game in GAMES if game.rules.can("encode")])
def test_features_are_those_of_the_views(game: Game) -> None:
    lanes = new_lanes(game)
    advance(lanes, 3)
    rows = np.arange(LANES)
    for seat in range(game.rules.seats):
        found = lanes.features(rows, np.full(LANES, seat))
        assert found.shape == (LANES, game.rules.feature_length())
        for row in rows.tolist():
            assert found[row].tobytes() == alone(game, lanes, row).view(seat).features().tobytes()


def test_a_game_without_features_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = new_lanes(PURSUIT)
    monkeypatch.setattr(PURSUIT.rules, "can", lambda name: False)
    with pytest.raises(BadOption, match="pursuit has no features of its own"):
        lanes.features(*lanes.waiting())


@every([AZUL, WARS])
def test_rewards_add_up_to_results(game: Game) -> None:
    lanes = new_lanes(game, rewards=("score", "return"))
    first = np.array([alone(game, lanes, lane).scores for lane in range(LANES)])
    total = np.zeros_like(lanes.earned)
    while (lanes.turns >= 0).any():
        rows, _seats = lanes.waiting()
        lanes.step(rows, chosen(lanes, rows))
        total += lanes.earned
        assert (lanes.earned[~lanes.ended, 1] == 0).all()
    assert np.allclose(total[:, 0], lanes.scores - first)
    assert np.array_equal(total[:, 1], lanes.returns)


def test_azul_pays_the_rewards_of_the_thesis() -> None:
    usual = RewardSettings()
    lanes = new_lanes(AZUL, rewards=("r2", "r1", "r3"))
    g = ops.open_constants(AZUL.rules.constants)
    for _ in range(60):
        rows, seats = lanes.waiting()
        actions, before = chosen(lanes, rows), lanes.states.copy()
        lanes.step(rows, actions)
        for row, seat, action in zip(rows.tolist(), seats.tolist(), actions.tolist(), strict=True):
            for place, kind in enumerate((2, 1, 3)):
                worth = step_reward(g, before[row], action, kind, 0, usual.c, usual.c1, usual.c2, usual.c3)
                expected = np.zeros(AZUL.rules.seats)
                expected[seat] = worth
                assert lanes.earned[row, place].tolist() == expected.tolist()


def test_a_reward_nobody_knows_is_refused() -> None:
    with pytest.raises(BadOption, match=r"azul has no reward gold; it knows: return, score, r1"):
        new_lanes(AZUL, rewards=("gold",))


@every(GAMES)
def test_illegal_actions_change_nothing(game: Game) -> None:
    lanes = new_lanes(game, rewards=("return", "score", *game.rules.rewards))
    advance(lanes, 2)
    rows, _seats = lanes.waiting()
    before, actions = lanes.states.copy(), chosen(lanes, rows)
    wrong = np.arange(len(rows)) % 2 == 0
    is_legal = lanes.step(rows, np.where(wrong, np.resize([-1, game.rules.actions, 1 << 40], len(rows)), actions))
    assert is_legal.tolist() == (~wrong).tolist()
    assert lanes.states[rows[wrong]].tobytes() == before[rows[wrong]].tobytes()
    assert (lanes.earned[rows[wrong]] == 0).all()
    assert lanes.decisions[rows].tolist() == [2 if bad else 3 for bad in wrong]


def test_nothing_is_legal_after_the_end() -> None:
    lanes = new_lanes(DICE)
    while (lanes.turns >= 0).any():
        advance(lanes, 1)
    before = lanes.states.tobytes()
    assert not lanes.step(np.arange(LANES), np.zeros(LANES, np.int64)).any()
    assert lanes.states.tobytes() == before


def seed_of(number: int) -> int:
    return derived_seed(11, number)


@every([DICE, WARS])
def test_new_games_begin_where_one_ended(game: Game) -> None:
    lanes = new_lanes(game, more=seed_of, listens=True)
    twins = [game.start(seed=seed + 5) for seed in range(LANES)]
    begun = LANES
    for _ in range(150):
        rows, _seats = lanes.waiting()
        assert len(rows) == LANES
        actions = chosen(lanes, rows)
        lanes.step(rows, actions)
        for lane, action in enumerate(actions.tolist()):
            twin = twins[lane].play(action)
            assert lanes.ended[lane] == twin.over
            if twin.over:
                assert lanes.returns[lane].tolist() == twin.returns
                assert lanes.scores[lane].tolist() == twin.scores
                assert lanes.last_events(lane) == twin.history[-1]
                assert lanes.numbers[lane] == begun
                twins[lane] = game.start(seed=seed_of(begun))
                begun += 1
            assert lanes.states[lane : lane + 1].tobytes() == twins[lane].array.tobytes()
            assert lanes.events(lane) == twins[lane].history[-1]
        views = lanes.views(rows, lanes.turns[rows])
        assert [views[i : i + 1].tobytes() for i in range(LANES)] == [t.view().array.tobytes() for t in twins]
    assert begun > LANES


def contents(lanes: Lanes) -> list[Any]:
    arrays = lanes.states, lanes.seeds, lanes.keys, lanes.numbers, lanes.decisions, lanes.turns, lanes.ended
    played = [lanes.played(lane) for lane in range(len(lanes))]
    return [*(array.tobytes() for array in (*arrays, lanes.returns, lanes.scores)), played]


@every(GAMES)
@pytest.mark.parametrize("more", [None, seed_of])
def test_a_run_goes_on_from_its_file(game: Game, more: Callable[[int], int] | None, tmp_path: Path) -> None:
    lanes = new_lanes(game, more=more, keys=np.arange(2 * LANES).reshape(LANES, 2) + 77)
    advance(lanes, 7)
    lanes.stop(2)
    lanes.save(tmp_path / "lanes")
    again = Lanes.load(tmp_path / "lanes", game, more=more)
    for _ in range(4):
        assert contents(again) == contents(lanes)
        assert again.turns[2] == ops.OVER
        assert again.views(*again.waiting()).tobytes() == lanes.views(*lanes.waiting()).tobytes()
        advance(lanes, 10)
        advance(again, 10)


def test_start_fields_are_saved_too(tmp_path: Path) -> None:
    fields = [{"stop": PURSUIT.start(seed=seed).array["stop"][0, :4].tolist()} for seed in range(3)]
    lanes = Lanes(PURSUIT, [1, 1, 1], fields=fields)
    assert [state["stop"][:4].tolist() for state in lanes.states] == [field["stop"] for field in fields]
    advance(lanes, 3)
    lanes.save(tmp_path / "lanes")
    assert contents(Lanes.load(tmp_path / "lanes", PURSUIT)) == contents(lanes)


def saved(path: Path, **changed: Any) -> Path:
    """A file of lanes with some of its arrays or notes changed."""
    lanes = new_lanes(DICE)
    advance(lanes, 2)
    lanes.save(path)
    arrays, notes = tensor_file.read(path)
    for name, value in changed.items():
        (notes if isinstance(value, str) else arrays)[name] = value
    tensor_file.write(path, arrays, notes)
    return path


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"format": "other"}, "holds no lanes: name a file that `Lanes.save` wrote"),
        ({"game": "azul 1 {}"}, "holds lanes of another game, azul 1"),
        ({"states": "0"}, "it is damaged, or liars-dice was changed since"),
        ({"fields": '{"gold": 3}'}, "holds start fields that cannot be dealt"),
        ({"fields": "[1"}, "lanes is not whole JSON"),
        ({"fields": "[1]"}, "it has start fields of 1 games"),
        ({"fields": json.dumps([1] * LANES)}, "holds start fields that cannot be dealt"),
        ({"numbers": np.full(LANES, 1 << 63, np.uint64)}, "numbers of games or results that are impossible"),
        ({"fields": "3"}, "holds start fields that cannot be dealt"),
        ({"actions": np.full((2, LANES), 9999, np.uint32)}, "decision 0 of a game is not legal"),
        ({"actions": np.zeros((2, LANES))}, "its arrays do not fit each other"),
        ({"actions": np.zeros((1, LANES), np.uint32)}, "its arrays do not fit each other"),
        ({"decisions": np.full(LANES, 1 << 63, np.uint64)}, "its arrays do not fit each other"),
        ({"keys": np.zeros(3, np.uint64)}, "its arrays do not fit each other"),
        ({"seeds": np.zeros((), np.uint64)}, "its arrays do not fit each other"),
        ({"more": np.zeros(3)}, "its arrays do not fit each other"),
    ],
)
def test_a_broken_file_is_refused_in_a_sentence(changed: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "lanes", **changed)
    with pytest.raises(BadRecord, match=sentence) as found:
        Lanes.load(path, DICE)
    assert str(path) in str(found.value)


def test_foreign_and_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="cannot be read"):
        Lanes.load(tmp_path / "nothing", DICE)
    (tmp_path / "text").write_text("not what you think it is")
    with pytest.raises(BadRecord, match="no safetensors file"):
        Lanes.load(tmp_path / "text", DICE)
    whole = saved(tmp_path / "lanes").read_bytes()
    (tmp_path / "lanes").write_bytes(whole[:-20])
    with pytest.raises(BadRecord, match="cut short"):
        Lanes.load(tmp_path / "lanes", DICE)


def test_positions_go_on_but_cannot_be_saved(tmp_path: Path) -> None:
    lanes = new_lanes(DICE)
    advance(lanes, 1)
    others = Lanes.of(DICE, lanes.states, listens=True)
    rows, seats = lanes.waiting()
    assert others.turns[rows].tolist() == seats.tolist()
    actions = chosen(lanes, rows)
    lanes.step(rows, actions)
    others.step(rows, actions)
    assert others.states.tobytes() == lanes.states.tobytes()
    with pytest.raises(BadOption, match="not dealt from seeds"):
        others.save(tmp_path / "lanes")


@every(GAMES)
def test_a_script_followed_plays_what_it_is_asked_for(game: Game) -> None:
    asked, followed = new_lanes(game), new_lanes(game)
    agent: Any = make_agent("random", game)
    everywhere = np.ones((LANES, game.rules.seats), np.bool_)
    seats = drive.Seats(
        everywhere, np.zeros((LANES, game.rules.seats), np.int64), np.zeros((LANES, game.rules.seats), np.int64)
    )
    assert followed.follow(agent.rule_settings(), seats, agent.new_memory(1), np.arange(LANES), 3) == 0
    assert followed.decisions.max() == 3
    while (followed.turns >= 0).any():
        assert followed.follow(agent.rule_settings(), seats, agent.new_memory(1), np.arange(LANES)) == 0
    while (asked.turns >= 0).any():
        rows, movers = asked.waiting()
        assert asked.step(rows, agent.act(asked.views(rows, movers), agent.new_memory(len(rows)))).all()
    followed.write_results()
    asked.ended[:] = False
    assert contents(followed) == contents(asked)
    assert seats.moves.sum() == asked.decisions.sum()
