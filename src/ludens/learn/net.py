"""Fully connected networks: plain arrays, evaluated by Numba kernels when acting and by JAX when training.

A network is a list of layers; each multiplies its input by ``weights`` [inputs, outputs], adds ``bias`` [outputs] and
applies an activation. All layers but the last use the network's activation, the last is linear. On disk the arrays are
named ``layer0.weights``, ``layer0.bias``, ``layer1.weights`` and so on.

Inputs that are 0 cost nothing in the kernel: their rows are skipped. So sparse features are cheap, and so are the many
zeros that ReLU leaves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ludens.core.error import BadRecord
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.refcount import without_refcount

ACTIVATIONS = ("linear", "relu", "tanh", "sigmoid")
_LINEAR, _RELU, _TANH, _SIGMOID = range(4)
_LANE = 16  # float32 numbers in a cache line; every row of weights begins at one
_LARGEST, _MOST_LAYERS = 1 << 20, 32  # units of a layer; layers

Layers = Mapping[str, np.ndarray]  # "layer0.weights", "layer0.bias", ... -> float32 arrays


class Net(NamedTuple):
    """A network as kernels read it. All networks have this one type, so other sizes compile nothing."""

    weights: np.ndarray  # float32: the layers one after another, rows padded to whole cache lines, bias as last row
    plan: np.ndarray  # int64 [layers, 5]: start in `weights`, inputs, outputs, length of a row, activation
    work: np.ndarray  # float32 [2, widest row]: where layers write their outputs, in turn


def layer_count(layers: Layers) -> int:
    """The number of layers of a network given as named arrays."""
    return sum(name.endswith(".weights") for name in layers)


def layer_sizes(layers: Layers) -> list[int]:
    """The number of inputs of a network, then the number of units of each layer."""
    widths = [layers[f"layer{i}.weights"].shape for i in range(layer_count(layers))]
    return [widths[0][0], *(width[1] for width in widths)]


def new_layers(seed: int, sizes: Sequence[int], last_scale: float = 1.0) -> dict[str, np.ndarray]:
    """Random first weights for layers of these sizes (inputs first), from a seed; biases are 0.

    Weights are normal with variance 2 / inputs (He et al. 2015); those of the last layer are 1 / sqrt(inputs) times
    ``last_scale``: a small one begins with nearly equal outputs.
    """
    generator, layers = np.random.default_rng(seed), {}
    for i, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        is_last = i == len(sizes) - 2
        spread = last_scale / math.sqrt(inputs) if is_last else math.sqrt(2 / inputs)
        layers[f"layer{i}.weights"] = (generator.standard_normal((inputs, outputs)) * spread).astype(np.float32)
        layers[f"layer{i}.bias"] = np.zeros(outputs, np.float32)
    return layers


def check_layers(layers: Layers, inputs: int, outputs: int, where: str) -> None:
    """Raise BadRecord unless the arrays are a network with so many inputs and outputs; ``where`` names the file."""
    count, width = layer_count(layers), inputs
    names = {f"layer{i}.{part}" for i in range(count) for part in ("weights", "bias")}
    if not 0 < count <= _MOST_LAYERS or set(layers) != names:
        raise BadRecord(f"{where} holds no network: its arrays should be layer0.weights, layer0.bias and so on")
    for i in range(count):
        weights, bias = layers[f"layer{i}.weights"], layers[f"layer{i}.bias"]
        fits = weights.ndim == 2 and weights.shape[0] == width and bias.shape == weights.shape[1:]
        if not fits or weights.shape[1] > _LARGEST:
            raise BadRecord(f"{where} holds no network for this: layer {i} does not take {width} inputs")
        for array in (weights, bias):
            if array.dtype != np.float32 or not np.isfinite(array).all():
                raise BadRecord(f"{where} is damaged: layer {i} is not made of finite float32 numbers")
        width = weights.shape[1]
    if width != outputs:
        raise BadRecord(f"{where} holds no network for this: it has {width} outputs instead of {outputs}")


def make_net(layers: Layers, activation: str = "relu") -> Net:
    """The network with these layers as kernels read it; ``activation`` is that of all layers but the last."""
    count, at, rows, parts = layer_count(layers), 0, [], []
    for i in range(count):
        weights, bias = layers[f"layer{i}.weights"], layers[f"layer{i}.bias"]
        inputs, outputs = weights.shape
        row = -(-outputs // _LANE) * _LANE
        padded = np.zeros((inputs + 1, row), np.float32)
        padded[:inputs, :outputs], padded[inputs, :outputs] = weights, bias
        kind = _LINEAR if i == count - 1 else ACTIVATIONS.index(activation)
        rows.append((at, inputs, outputs, row, kind))
        parts.append(padded.ravel())
        at += padded.size
    plan = np.array(rows, np.int64)
    return Net(aligned(np.concatenate(parts)), plan, aligned(np.zeros((2, int(plan[:, 3].max())), np.float32)))


def own_work(net: Net) -> Net:
    """The same network with work space of its own, for another thread; the weights are shared."""
    return net._replace(work=aligned(np.zeros_like(net.work)))


def load_weights(net: Net, layers: Layers) -> None:
    """Replace the weights of a network, in place, by those of layers of the same sizes."""
    net.weights[:] = make_net(layers).weights


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy of an array whose memory begins at a cache line."""
    raw = np.zeros(array.nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    copy = raw[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


@large_kernel
def forward(owned: Net, inputs: Any) -> int:
    """Evaluate a network for ``inputs`` [inputs]; the outputs are then in ``net.work[k]``, where k is returned."""
    net = without_refcount(owned)
    weights, plan, work = net.weights, net.plan, net.work
    for layer in range(len(plan)):
        at, n, width, kind = plan[layer, 0], plan[layer, 1], plan[layer, 3], plan[layer, 4]
        out = work[layer & 1]
        bias = at + n * width
        for j in range(width):
            out[j] = weights[bias + j]
        if layer == 0:
            for i in range(n):
                _add_row(out, weights, at + i * width, width, inputs[i])
        else:
            source = work[(layer - 1) & 1]
            for i in range(n):
                _add_row(out, weights, at + i * width, width, source[i])
        _activate(out, width, kind)
    return int64((len(plan) - 1) & 1)


@kernel
def _add_row(out: Any, weights: Any, at: int, width: int, factor: float) -> None:
    """Add ``factor`` times the row of weights that begins at ``at`` to ``out``; nothing to do where it is 0."""
    known = np.float32(factor)
    if known != 0:
        for j in range(width):
            out[j] += known * weights[at + j]


@kernel
def _activate(out: Any, width: int, kind: int) -> None:
    """Apply an activation (its number in ACTIVATIONS) to the first ``width`` numbers of ``out``, in place."""
    if kind == _RELU:
        for j in range(width):
            out[j] = max(out[j], np.float32(0))
    elif kind == _TANH:
        for j in range(width):
            out[j] = np.float32(math.tanh(out[j]))
    elif kind == _SIGMOID:
        for j in range(width):
            out[j] = np.float32(1.0 / (1.0 + math.exp(-out[j])))


@kernel
def forward_all(net: Net, inputs: Any, out: Any) -> None:
    """Evaluate a network for each of ``inputs`` [rows, inputs] and write its outputs to ``out`` [rows, outputs]."""
    for i in range(len(inputs)):
        found = net.work[forward(net, inputs[i])]
        for j in range(out.shape[1]):
            out[i, j] = found[j]


def forward_jax(params: Any, inputs: Any, activation: str = "relu", half: bool = False) -> Any:
    """The same network in JAX, for training: outputs [rows, outputs] for ``inputs`` [rows, inputs].

    ``params`` is a list of (weights, bias). ``half``: multiply in bfloat16 and add up in float32, which processors with
    matrix units do several times as fast.
    """
    import jax
    from jax import numpy as jnp

    functions = {"relu": jax.nn.relu, "tanh": jnp.tanh, "sigmoid": jax.nn.sigmoid, "linear": lambda x: x}
    x = inputs
    for i, (weights, bias) in enumerate(params):
        if half:
            x = jnp.dot(x.astype(jnp.bfloat16), weights.astype(jnp.bfloat16), preferred_element_type=jnp.float32)
        else:
            x = x @ weights
        x = x + bias
        if i < len(params) - 1:
            x = functions[activation](x)
    return x


def to_params(layers: Layers) -> list[tuple[Any, Any]]:
    """Named arrays as the list of (weights, bias) that `forward_jax` takes."""
    from jax import numpy as jnp

    count = layer_count(layers)
    return [(jnp.asarray(layers[f"layer{i}.weights"]), jnp.asarray(layers[f"layer{i}.bias"])) for i in range(count)]


def to_layers(params: Sequence[tuple[Any, Any]]) -> dict[str, np.ndarray]:
    """The list of (weights, bias) of a trained network as named arrays."""
    named = {}
    for i, (weights, bias) in enumerate(params):
        named[f"layer{i}.weights"] = np.asarray(weights, np.float32)
        named[f"layer{i}.bias"] = np.asarray(bias, np.float32)
    return named
