"""Networks for searches: the first layer is kept from position to position, only what has changed is added.

Positions that a search looks at one after another differ in a few features. So the sums of the first layer stay in the
work space, and for a new position the rows of the features that have changed are added, times the change. So that the
sums do not depend on what was looked at before, they are exact: features are whole multiples of 1/60 (1/60 is a share
of all small numbers) from -127/60 to 127/60, which fit a byte, and the weights of the first layer are rounded to whole
numbers so small that no sum comes to 2**24, up to which float32 numbers count without gaps. The other layers are those
of the network as it is.

Reference: Nasu 2018 (NNUE), who did so for shogi.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.refcount import without_refcount
from ludens.learn.net import Layers, aligned, layer_sizes

GRID = 60  # features are multiples of 1 / GRID
MOST = 127  # multiples, in both directions
ZERO = 128  # what stands for 0 in the byte of a feature
_EXACT = float(1 << 24)  # float32 holds all whole numbers up to it
_LANE = 8  # float32 numbers in a register, features in a word


class IncrementalNet(NamedTuple):
    """A network with hidden layers (ReLU) as kernels read it, and its work space; for one thread.

    ``last`` and ``sums`` are kept for two sides, so that a search may ask for both in turn.
    """

    first: np.ndarray  # float32 [inputs, row]: weights of the first layer, whole numbers
    unit: np.ndarray  # float32 [1]: what 1 in `sums` stands for
    weights: np.ndarray  # float32 [layers, inputs + 1, row]: of the layers between, the bias after the last input
    plan: np.ndarray  # int64 [layers, 2]: inputs and length of a row of the layers between
    output: np.ndarray  # float32 [row + 1]: weights of the output and, last, its bias
    last: np.ndarray  # uint8 [2, inputs in whole words]: features that `sums` are of, as `whole_features` writes them
    words: np.ndarray  # uint64 [2, words]: the same memory
    now: np.ndarray  # uint8 [inputs in whole words]: features of the position asked for
    new_words: np.ndarray  # uint64 [words]: the same memory
    sums: np.ndarray  # float32 [2, row]: first layer, before the activation
    work: np.ndarray  # float32 [layers + 1, row]: outputs of each layer
    active: np.ndarray  # int64 [row]: the units that are not 0


def make_incremental(layers: Layers) -> IncrementalNet:
    """The network with these layers, of which there are two at least."""
    weights, bias = layers["layer0.weights"].astype(np.float64), layers["layer0.bias"].astype(np.float64)
    inputs, outputs = weights.shape
    largest = (MOST * np.abs(weights).sum(axis=0) + GRID * np.abs(bias)).max()
    scale = (_EXACT - MOST * inputs) / max(largest, 1.0)  # rounding may add half of MOST for each input
    sizes = [_padded(size) for size in layer_sizes(layers)]
    first, sums = np.zeros((inputs, sizes[1]), np.float32), np.zeros((2, sizes[1]), np.float32)
    first[:, :outputs], sums[:, :outputs] = np.rint(weights * scale), np.rint(bias * scale * GRID)
    last, now = np.full((2, sizes[0]), ZERO, np.uint8), np.full(sizes[0], ZERO, np.uint8)
    words = last, last.view(np.uint64), now, now.view(np.uint64)
    most = max(sizes[1:-1])
    space = aligned(sums), aligned(np.zeros((len(sizes) - 2, most), np.float32)), np.zeros(most, np.int64)
    unit = np.array([1 / (scale * GRID)], np.float32)
    return IncrementalNet(aligned(first), unit, *_later_layers(layers, sizes), *words, *space)


def _later_layers(layers: Layers, sizes: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The fields `weights`, `plan` and `output` of a network; ``sizes`` are those of the layers, padded."""
    last, between = len(sizes) - 2, max(len(sizes) - 3, 1)
    weights = np.zeros((between, max(sizes[1:-1]) + 1, max(sizes[1:-1])), np.float32)
    plan, output = np.zeros((len(sizes) - 3, 2), np.int64), np.zeros(sizes[-2] + 1, np.float32)
    for i in range(1, last):
        matrix, bias = layers[f"layer{i}.weights"], layers[f"layer{i}.bias"]
        weights[i - 1, : len(matrix), : len(bias)], weights[i - 1, len(matrix), : len(bias)] = matrix, bias
        plan[i - 1] = len(matrix), sizes[i + 1]
    matrix = layers[f"layer{last}.weights"]
    output[: len(matrix)], output[-1] = matrix[:, 0], layers[f"layer{last}.bias"][0]
    return aligned(weights), plan, output


def _padded(size: int) -> int:
    """The next multiple of `_LANE`."""
    return -(-size // _LANE) * _LANE


@kernel
def whole_features(inputs: Any, out: Any) -> None:
    """Write features as bytes into ``out`` [inputs or more]: ZERO plus the nearest multiple of 1 / GRID."""
    for i in range(len(inputs)):
        known = inputs[i] * np.float32(GRID)
        known = min(max(known, np.float32(-MOST)), np.float32(MOST))
        out[i] = np.uint8(known + np.float32(ZERO + 0.5))


def plain_features(inputs: Any) -> Any:
    """Features that `whole_features` wrote as bytes, as numbers again; others as they are. Arrays of NumPy or JAX."""
    return (inputs.astype(np.float32) - ZERO) / GRID if inputs.dtype == np.uint8 else inputs


@large_kernel
def forward_changes(owned: IncrementalNet, inputs: Any, side: int) -> float:
    """The output of the network for ``inputs`` [inputs]; ``side``, 0 or 1, says whose sums are used."""
    net = without_refcount(owned)
    whole_features(inputs, net.now)
    _add_changes(net, side)
    unit = net.unit[0]
    for j in range(net.sums.shape[1]):
        net.work[0, j] = max(net.sums[side, j], np.float32(0)) * unit
    for layer in range(len(net.plan)):
        _add_layer(net, layer)
    found, row = net.work[len(net.plan)], len(net.output) - 1
    a, b, c, d = net.output[row], np.float32(0), np.float32(0), np.float32(0)
    for i in range(0, row, 4):  # four sums, since one would have to wait for each addition
        a += found[i] * net.output[i]
        b += found[i + 1] * net.output[i + 1]
        c += found[i + 2] * net.output[i + 2]
        d += found[i + 3] * net.output[i + 3]
    return np.float64(a + b + c + d)


@kernel
def _add_changes(net: IncrementalNet, side: int) -> None:
    """Bring one side's sums, and the features that they are of, to the features in ``net.now``."""
    for word in range(len(net.new_words)):
        if net.words[side, word] == net.new_words[word]:
            continue
        for i in range(8 * word, 8 * word + 8):
            if net.now[i] != net.last[side, i]:
                change = np.float32(int64(net.now[i]) - int64(net.last[side, i]))
                for j in range(net.sums.shape[1]):
                    net.sums[side, j] += change * net.first[i, j]
        net.words[side, word] = net.new_words[word]


@kernel
def _add_layer(net: IncrementalNet, layer: int) -> None:
    """Evaluate a layer between: from row ``layer`` of ``net.work`` to the next row.

    Four inputs at a time, without those that are 0; they are listed first, since whether one is cannot be predicted.
    """
    n, width = net.plan[layer, 0], net.plan[layer, 1]
    weights, source, out, active = net.weights[layer], net.work[layer], net.work[layer + 1], net.active
    count = 0
    for i in range(n):
        active[count] = i
        count += source[i] != 0
    for j in range(width):
        out[j] = weights[n, j]
    for k in range(0, count - 3, 4):
        a, b, c, d = active[k], active[k + 1], active[k + 2], active[k + 3]
        x, y, z, w = source[a], source[b], source[c], source[d]
        for j in range(width):
            out[j] += x * weights[a, j] + y * weights[b, j] + z * weights[c, j] + w * weights[d, j]
    for k in range(count & ~3, count):
        a = active[k]
        for j in range(width):
            out[j] += source[a] * weights[a, j]
    for j in range(width):
        out[j] = max(out[j], np.float32(0))
