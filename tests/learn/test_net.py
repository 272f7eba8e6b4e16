"""Networks give the same outputs in Numba, by which agents play, and in JAX, by which they learn."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learn.small import LearnedKuhn, net_folder

import ludens
from ludens.core import tensor_file
from ludens.core.error import BadRecord
from ludens.core.registry import game_names, make_game, shipped_folders
from ludens.learn.model import ARRAYS, read, read_card
from ludens.learn.net import (
    ACTIVATIONS,
    Layers,
    check_layers,
    forward_all,
    forward_jax,
    layer_count,
    layer_sizes,
    load_weights,
    make_net,
    new_layers,
    own_work,
    to_layers,
    to_params,
)

SHIPPED = [(name, short) for name in game_names() for short in shipped_folders(make_game(name))]


def sparse(rows: int, width: int, seed: int = 1) -> np.ndarray:
    """Random inputs, of which most are 0 and some are 1, as features are."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, width)) * (generator.random((rows, width)) < 0.3)
    return np.where(generator.random((rows, width)) < 0.1, 1.0, values).astype(np.float32)


def difference(layers: Layers, inputs: np.ndarray, activation: str) -> float:
    """The largest difference between the outputs of both, against outputs of size 1 or what they are."""
    ours = np.zeros((len(inputs), layer_sizes(layers)[-1]), np.float32)
    forward_all(make_net(layers, activation), inputs, ours)
    theirs = np.asarray(forward_jax(to_params(layers), inputs, activation))
    return float(np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs).max())))


@pytest.mark.parametrize("activation", ACTIVATIONS[1:])
@pytest.mark.parametrize("sizes", [[3, 2], [7, 1, 4], [150, 256, 256, 181], [33, 17, 16, 15, 1]])
def test_numba_and_jax_agree(sizes: list[int], activation: str) -> None:
    assert difference(new_layers(3, sizes), sparse(40, sizes[0]), activation) < 1e-5


@pytest.mark.parametrize(("name", "short"), SHIPPED)
def test_numba_and_jax_agree_for_every_shipped_network(name: str, short: str) -> None:
    """By the arrays alone, so that it holds for all kinds of agents with networks in them."""
    folder = shipped_folders(make_game(name))[short]
    arrays, _ = tensor_file.read(folder / ARRAYS)
    activation = read_card(folder).get("activation", "relu")
    for first in (array for array in arrays if array.endswith("layer0.weights")):
        start = first.removesuffix("layer0.weights")
        layers = {key.removeprefix(start): value for key, value in arrays.items() if _is_layer(key, start)}
        assert difference(layers, sparse(40, layer_sizes(layers)[0]), activation) < 1e-5


def _is_layer(key: str, start: str) -> bool:
    return key.startswith(start) and re.fullmatch(r"layer\d+\.(weights|bias)", key.removeprefix(start)) is not None


@pytest.mark.parametrize(("name", "short"), SHIPPED)
def test_shipped_agents_are_small_whole_and_play(name: str, short: str) -> None:
    folder = shipped_folders(make_game(name))[short]
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 2_500_000
    card = read(folder).card
    game = make_game(name, **card["options"])
    agent = ludens.agent(short, game)
    state = game.start(seed=1)
    for _ in range(20):
        if state.over:
            break
        state.play(agent.choose(state.view()))


def test_there_is_room_for_all_shipped_agents() -> None:
    folders = {folder for name in game_names() for folder in shipped_folders(make_game(name)).values()}
    assert sum(file.stat().st_size for folder in folders for file in folder.iterdir()) <= 20_000_000


def test_threads_share_weights_but_no_work_space() -> None:
    net = make_net(new_layers(1, [4, 5, 2]))
    other = own_work(net)
    assert other.weights is net.weights
    assert not np.shares_memory(other.work, net.work)
    load_weights(net, new_layers(2, [4, 5, 2]))
    inputs, out = sparse(6, 4), np.zeros((6, 2), np.float32)
    forward_all(other, inputs, out)
    again = np.zeros((6, 2), np.float32)
    forward_all(make_net(new_layers(2, [4, 5, 2])), inputs, again)
    np.testing.assert_array_equal(out, again)


def test_layers_survive_jax() -> None:
    layers = new_layers(5, [4, 3, 2])
    kept = to_layers(to_params(layers))
    assert kept.keys() == layers.keys()
    assert all(np.array_equal(kept[name], layers[name]) for name in layers)
    assert layer_count(layers) == 2


def broken(**changes: Any) -> dict[str, np.ndarray]:
    """A network of 4 inputs, 3 units and 2 outputs, with some of its arrays changed; None removes one."""
    layers: dict[str, Any] = dict(new_layers(1, [4, 3, 2]))
    for name, array in changes.items():
        layers[name.replace("_", ".")] = array
    return {name: array for name, array in layers.items() if array is not None}


@pytest.mark.parametrize(
    ("layers", "words"),
    [
        ({}, "holds no network"),
        (broken(layer1_bias=None), "holds no network"),
        (broken(layer7_bias=np.zeros(2, np.float32)), "holds no network"),
        (broken(layer0_weights=np.zeros((5, 3), np.float32)), "layer 0 does not take 4 inputs"),
        (broken(layer0_weights=np.zeros(4, np.float32)), "layer 0 does not take 4 inputs"),
        (broken(layer1_weights=np.zeros((3, 9), np.float32)), "layer 1 does not take 3 inputs"),
        (broken(layer1_weights=np.zeros((3, 9), np.float32), layer1_bias=np.zeros(9, np.float32)), "9 outputs"),
        (broken(layer0_bias=np.zeros(3)), "finite float32"),
        (broken(layer0_bias=np.full(3, np.nan, np.float32)), "finite float32"),
        (broken(layer0_bias=np.zeros(3, np.uint8)), "finite float32"),
    ],
)
def test_what_is_no_network_is_refused_in_a_sentence(layers: dict[str, np.ndarray], words: str) -> None:
    check_layers(broken(), 4, 2, "mine")
    with pytest.raises(BadRecord, match=f"^mine .*{words}"):
        check_layers(layers, 4, 2, "mine")


def test_a_folder_of_arrays_is_read_with_its_card(tmp_path: Path) -> None:
    folder = net_folder(tmp_path / "net", LearnedKuhn(), features="cards")
    assert layer_sizes(read(folder).arrays) == [8, 16, 3]
