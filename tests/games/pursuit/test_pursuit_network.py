"""The thesis's neural network: what it sees, the placements it learns from, how it plays, and what folders refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.games.pursuit.pursuit_position import pursuit

import ludens
from ludens.core.error import BadOption, BadRecord
from ludens.core.ops import open_constants
from ludens.core.state import State
from ludens.games.pursuit.board_check import Board
from ludens.games.pursuit.thesis.network import StopAgent
from ludens.games.pursuit.thesis.network_training import Placements, PlacementSettings, hidden_widths
from ludens.games.pursuit.thesis.placements import Placer, draw
from ludens.learn.demonstration import encode_all
from ludens.learn.features import features_of
from ludens.learn.model import write
from ludens.learn.net import forward_all, forward_jax, to_params
from ludens.learn.reward import earn, read_reward

ENCODINGS = ("short", "long", "role")
TINY: dict[str, Any] = {"steps": 100, "batch": 32, "layers": 1, "shape": "halved"}


def placed(*stops: int, **options: Any) -> State:
    return pursuit(detectives=len(stops) - 1, **options).start(seed=1, fields={"stop": list(stops)})


def seen(state: State, name: str, seat: int | None = None) -> dict[str, list[int]]:
    """The stops at which the features of a view are not 0, by the name of the piece of features."""
    features = features_of(state.game, name)
    out = np.zeros((1, features.length), np.float32)
    encode_all(features.settings, state.game.rules.constants, state.view(seat).array, out)
    at, found = 0, {}
    for piece, length in features.pieces:
        found[piece.partition(" on ")[0]] = (np.flatnonzero(out[0, at : at + length]) + 1).tolist()
        at += length
    return found


def apart(board: Board) -> np.ndarray:
    """Moves between all stops with a detective's tickets at the start, by another way: [stops + 1, stops + 1]."""
    size, most = board.stops + 1, [board.detective_tickets[mode] for mode in board.modes]
    near: list[list[list[int]]] = [[[] for _ in range(size)] for _ in board.modes]
    for links, mode in zip(near, board.modes, strict=True):
        for a, b in board.links[mode]:
            links[a].append(b)
            links[b].append(a)
    moves = np.full((size, size), 99)
    for start in range(1, size):
        front, step = {(start, *most)}, 0
        while front and step < 20:
            for stop, *_ in front:
                moves[start, stop] = min(moves[start, stop], step)
            front = {
                (to, taxi - (mode == 0), tram - (mode == 1))
                for stop, taxi, tram in front
                for mode, left in enumerate((taxi, tram))
                if left
                for to in near[mode][stop]
                if moves[start, to] == 99 or step < 6
            }
            step += 1
    return moves


def test_what_the_encodings_tell() -> None:
    state = placed(2, 5, 22, 30).play("taxi 3").play("taxi 12")
    possible = [stop for stop in range(1, 34) if int(state.raw.possible[0]) >> stop & 1 and stop not in (12, 22, 30)]
    assert len(possible) > 1
    assert seen(state, "short") == {"phantom": possible, "detectives": [12, 22, 30]}
    assert seen(state, "short", 0) == {"phantom": [3], "detectives": [12, 22, 30]}
    assert seen(state, "role") == {"phantom": possible, "detective to move": [22], "other detectives": [12, 30]}
    long = seen(state, "long")["detectives in turn"]
    assert long == [22, 33 + 30, 66 + 12]  # the one to move first
    assert seen(state, "short-seen")["last sighting"] == []


def test_the_last_sighting() -> None:
    state = placed(2, 5, 22, reveals="1").play("taxi 3").play("taxi 12").play("taxi 21").play("taxi 2")
    found = seen(state, "role-seen")
    assert found["last sighting"] == [3]
    features = features_of(state.game, "role-seen")
    out = np.zeros((1, features.length), np.float32)
    encode_all(features.settings, state.game.rules.constants, state.view().array, out)
    assert out[0, -1] == 0.5


def test_what_detectives_cannot_know_is_not_told() -> None:
    for name in ENCODINGS:
        here, there = placed(1, 5, 22), placed(15, 5, 22)
        assert seen(here, name, 1) == seen(there, name, 1)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("side", [0, 1])
def test_placements_and_their_best_stops(name: str, side: int) -> None:
    game = pursuit(board="square1", detectives=2)
    board, features, far = game.rules.board, features_of(game, name), apart(game.rules.board)
    ends = [(a, b) for links in board.links.values() for link in links for a, b in (link, link[::-1])]
    onward = {stop: [b for a, b in ends if a == stop] for stop in range(1, board.stops + 1)}
    inputs = np.zeros((150, features.length), np.float32)
    labels = np.zeros((150, board.stops), np.float32)
    view = np.zeros(1, game.rules.State)
    for i in range(len(inputs)):
        draw(
            Placer(features.settings, side, 0, 200, view),
            game.rules.constants,
            np.uint64(i),
            0,
            inputs[i : i + 1],
            labels[i : i + 1],
        )
        v = view[0]
        phantom, team, at = int(v["stop"][0]), [int(stop) for stop in v["stop"][1:3]], int(v["stop"][v["piece"]])
        assert len({phantom, *team}) == 3
        near = [stop for stop in range(1, board.stops + 1) if far[at, stop] == 1 and stop not in team]
        safe = {w: sum(far[team, after].min() > 1 for after in onward[w]) for w in near}
        worth = {w: (far[team, w].min(), safe[w], len(onward[w])) if side == 0 else (-far[w, phantom],) for w in near}
        best = [stop for stop in near if worth[stop] == max(worth.values())]
        assert (np.flatnonzero(labels[i]) + 1).tolist() == best
        assert labels[i].sum() == pytest.approx(1)


@pytest.mark.parametrize("name", ENCODINGS)
def test_no_placement_is_both_learned_and_judged(name: str) -> None:
    game = pursuit(detectives=1, board="plan1")
    features = features_of(game, name)
    place = Placer(features.settings, 1, 0, 300, np.zeros(1, game.rules.State))
    drawn = []
    for judged in (0, 1):
        inputs, labels = np.zeros((2000, features.length), np.float32), np.zeros((2000, 33), np.float32)
        draw(place, game.rules.constants, np.uint64(judged), judged, inputs, labels)
        drawn.append({row.tobytes() for row in inputs})
    assert not drawn[0] & drawn[1]
    assert len(drawn[0] | drawn[1]) > 900  # of 33 * 32


def test_a_blurred_phantom_may_be_at_several_stops() -> None:
    game = pursuit()
    features = features_of(game, "role")
    inputs, labels = np.zeros((300, features.length), np.float32), np.zeros((300, 33), np.float32)
    view = np.zeros(1, game.rules.State)
    draw(Placer(features.settings, 1, 3, 200, view), game.rules.constants, np.uint64(5), 0, inputs, labels)
    stops = inputs[:, :33].sum(axis=1)
    assert stops.min() >= 1
    assert stops.max() > 5
    assert np.allclose(labels.sum(axis=1), 1)


def test_widths() -> None:
    assert hidden_widths("equal", 3, 66, 33) == [66, 66, 66]
    assert hidden_widths("halved", 2, 132, 33) == [66, 66]
    assert hidden_widths("shrinking", 3, 132, 33) == [132, 99, 66]


def test_it_learns_and_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    game = pursuit(detectives=1)
    some = PlacementSettings(batch=64, layers=1)
    whole = Placements(game, some)
    for _ in range(60):
        whole.update()
    said = whole.summary()
    assert [float(line.partition(" in ")[2].partition(" %")[0]) > 60 for line in said] == [True, True]
    part = Placements(game, some)
    for _ in range(2):
        part.update()
    part.save(tmp_path)
    rest, more = Placements(game, some), Placements(game, some)
    rest.load(tmp_path)
    for _ in range(2):
        more.update()
    for one in (rest, more):
        one.update()
    assert rest.done == more.done
    for name, array in more.arrays().items():
        assert np.array_equal(array, rest.arrays()[name])


def test_a_folder_plays_both_sides_or_one(tmp_path: Path) -> None:
    game = pursuit(detectives=2)
    for seat in ("", "phantom", "detectives"):
        write(tmp_path / f"net{seat}", Placements(game, PlacementSettings(**TINY, seat=seat)).model())
        agent, state = ludens.agent(str(tmp_path / f"net{seat}"), game), game.start(seed=7)
        while not state.over:
            state.play(agent.choose(state.view()))


def test_it_goes_to_the_stop_it_prefers_by_the_ticket_of_which_most_are_left(tmp_path: Path) -> None:
    game = pursuit(detectives=1)
    model = Placements(game, PlacementSettings(**TINY, seat="phantom")).model()
    arrays = {name: np.zeros_like(array) for name, array in model.arrays.items()}
    arrays["phantom.layer1.bias"][:] = np.arange(33)
    write(tmp_path / "up", type(model)(arrays, model.card))
    agent = ludens.agent(str(tmp_path / "up"), game)
    state = game.start(seed=1, fields={"stop": [1, 22]})  # to 2 by taxi or tram, to 6 by either, to 8 by taxi
    assert game.rules.action_text(agent.choose(state.view())) == "taxi 8"
    state = game.start(seed=1, fields={"stop": [2, 22]}).play("tram 1")
    while state.raw.piece:
        state.play(state.legal[0])
    arrays["phantom.layer1.bias"][7] = -1
    write(tmp_path / "up2", type(model)(arrays, model.card))
    agent = ludens.agent(str(tmp_path / "up2"), game)
    left = [int(count) for count in state.raw.tickets[0][:2]]
    chosen = game.rules.action_text(agent.choose(state.view()))
    assert chosen.split()[1] == "6"
    assert left[0] != left[1]
    assert chosen.split()[0] == ("taxi" if left[0] > left[1] else "tram")


def test_folders_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    game = pursuit(detectives=2)
    model = Placements(game, PlacementSettings(**TINY)).model()
    write(tmp_path / "net", model)
    with pytest.raises(BadOption, match="its network for the detectives was trained for another board or number"):
        ludens.agent(str(tmp_path / "net"), pursuit(detectives=3))
    with pytest.raises(BadOption, match="its network for the phantom was trained for another board"):
        ludens.agent(str(tmp_path / "net"), pursuit(board="square1", detectives=2))
    with pytest.raises(BadOption, match="is of a kind that azul does not know"):
        ludens.agent(str(tmp_path / "net"), ludens.game("azul"))
    card = json.loads((tmp_path / "net/card.json").read_text())
    for broken in ({}, {"sides": {"phantom": 3}}, {"sides": {"nobody": {"features": "short", "hash": ""}}}):
        (tmp_path / "net/card.json").write_text(json.dumps({**card, "sides": None, **broken}))
        with pytest.raises(BadOption, match="card of the trained agent is broken"):
            ludens.agent(str(tmp_path / "net"), game)
    write(tmp_path / "thin", type(model)({name: array[..., :-1] for name, array in model.arrays.items()}, card))
    with pytest.raises(BadRecord, match="holds no network for this"):
        ludens.agent(str(tmp_path / "thin"), game)


def test_a_trained_agent_moves_in_playouts(tmp_path: Path) -> None:
    game = pursuit(detectives=2)
    write(tmp_path / "net", Placements(game, PlacementSettings(**TINY)).model())
    view = game.start(seed=3).view()
    for side in ("both", "phantom", "detectives"):
        agent = ludens.agent(f"mcts-thesis:sims=30,model={tmp_path / 'net'},side={side}", game)
        assert agent.choose(view) in view.legal
        assert agent.choose(view) == agent.choose(view)
    with pytest.raises(BadOption, match="cannot move in playouts"):
        ludens.agent("mcts-thesis:model=mcts", game)


def test_steps_in_the_right_direction_are_paid() -> None:
    state = placed(2, 5, 22)
    game, g = state.game, state.game.rules.constants
    reward = read_reward("steps", game)
    opened = open_constants(g)

    def paid(view: Any, move: str, after: Any) -> float:
        action = next(action for action in view.legal if game.rules.action_text(action) == move)
        return float(earn(reward, opened, view.raw, action, after.raw))

    far = apart(game.rules.board)  # type: ignore[attr-defined]
    before = state.view()
    for action in before.legal:
        to = game.rules.action_parts(action)[1]  # type: ignore[attr-defined]
        gained = far[[5, 22], to].min() > far[[5, 22], 2].min()
        assert paid(before, game.rules.action_text(action), before) == pytest.approx(0.1 * gained)
    state.play("taxi 1")
    view = state.view()
    possible = [stop for stop in range(1, 34) if int(state.raw.possible[0]) >> stop & 1]
    for action in view.legal:
        to = game.rules.action_parts(action)[1]  # type: ignore[attr-defined]
        gained = far[to, possible].min() < far[5, possible].min()
        assert paid(view, game.rules.action_text(action), view) == pytest.approx(0.1 * gained)
    over = placed(1, 2, board="plan1").play("taxi 2")
    last = placed(1, 2, board="plan1")
    assert paid(last.view(), "taxi 2", over) < -0.9


@pytest.mark.parametrize("board", ["plan1", "square1"])
def test_shipped_networks_are_the_same_in_training_and_in_play(board: str) -> None:
    game = pursuit(board=board)
    agent = ludens.agent(f"nn-{board}", game)
    assert isinstance(agent, StopAgent)
    for side, net in (("phantom", agent.player.phantom), ("detectives", agent.player.team)):
        parts = {name.partition(".")[2]: array for name, array in agent.model.arrays.items() if name.startswith(side)}
        inputs = (np.random.default_rng(1).random((50, parts["layer0.weights"].shape[0])) < 0.1).astype(np.float32)
        out = np.zeros((50, game.rules.board.stops), np.float32)
        forward_all(net, inputs, out)
        assert abs(np.asarray(forward_jax(to_params(parts), inputs)) - out).max() < 1e-5 * abs(out).max()


def test_a_shipped_network_is_for_its_map_and_number_of_detectives() -> None:
    assert ludens.agent("nn-plan1", pursuit(board="plan18")).spec == "nn-plan1"
    for options in ({"board": "square1"}, {"detectives": 2}):
        with pytest.raises(BadOption, match="was trained for another board or number of detectives"):
            ludens.agent("nn-plan1", pursuit(**options))
