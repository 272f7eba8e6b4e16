"""Networks evaluated incrementally give what JAX gives, and the same whatever was asked before."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.learn.increment import GRID, MOST, ZERO, forward_changes, make_incremental, plain_features, whole_features
from ludens.learn.net import Layers, forward_jax, new_layers, to_params


def features(rows: int, width: int, seed: int = 1) -> np.ndarray:
    """Random multiples of 1 / GRID, most of them 0, in rows that differ from the row before in a few places."""
    dice = np.random.default_rng(seed)
    whole = np.zeros((rows, width), np.int64)
    for i in range(1, rows):
        whole[i] = whole[i - 1]
        places = dice.integers(width, size=dice.integers(1, 6))
        whole[i, places] = dice.integers(-MOST, MOST + 1, size=len(places)) * dice.integers(2, size=len(places))
    return (whole / GRID).astype(np.float32)


def layers_of(sizes: list[int], seed: int = 3) -> Layers:
    """Random layers with biases."""
    layers, dice = new_layers(seed, sizes), np.random.default_rng(seed)
    return {
        name: array if array.ndim > 1 else dice.normal(size=array.shape).astype("f") for name, array in layers.items()
    }


@pytest.mark.parametrize("sizes", [[5, 3, 1], [128, 64, 32, 1], [33, 17, 16, 15, 1], [300, 8, 1]])
def test_incremental_and_jax_agree(sizes: list[int]) -> None:
    """Within a thousandth of outputs of size 1: the weights of the first layer are rounded."""
    layers, inputs = layers_of(sizes), features(60, sizes[0])
    net = make_incremental(layers)
    ours = np.array([forward_changes(net, row, 0) for row in inputs])
    theirs = np.asarray(forward_jax(to_params(layers), inputs))[:, 0]
    assert np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))) < 1e-3


def test_an_output_does_not_depend_on_what_was_asked_before() -> None:
    layers, inputs = layers_of([128, 64, 32, 1]), features(400, 128)
    net, dice = make_incremental(layers), np.random.default_rng(2)
    fresh = [forward_changes(make_incremental(layers), row, 0) for row in inputs]
    for i in dice.permutation(len(inputs)).tolist():
        assert forward_changes(net, inputs[i], int(dice.integers(2))) == fresh[i]


def test_the_sums_of_large_weights_stay_exact() -> None:
    layers, extreme = layers_of([200, 16, 1]), np.full(200, MOST / GRID, np.float32)
    layers = {name: array * np.float32(1e4) for name, array in layers.items()}
    net = make_incremental(layers)
    assert (net.first == np.rint(net.first)).all()
    assert (MOST * np.abs(net.first).sum(axis=0) + np.abs(net.sums[0])).max() <= 1 << 24
    first = forward_changes(net, np.zeros(200, np.float32), 0)
    forward_changes(net, extreme, 0)
    assert forward_changes(net, np.zeros(200, np.float32), 0) == first


def test_features_as_bytes_are_the_features() -> None:
    inputs = np.array([0, 1, -1, 1 / 60, 7 / 60, 2 / 3, 0.2, 3.0, -9.0], np.float32)
    out = np.zeros(16, np.uint8)
    whole_features(inputs, out)
    assert out[:9].tolist() == [128, 188, 68, 129, 135, 168, 140, 255, 1]
    assert plain_features(out[:7]) == pytest.approx(inputs[:7], abs=1e-6)
    assert plain_features(inputs) is inputs
    assert ZERO == 128
