"""The agent folders that ship with Dicewars: what they hold, and that they play under their names."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from tests.games.dicewars.dicewars_position import dicewars

import ludens
from ludens.core import ops, tensor_file
from ludens.core.registry import shipped_folders
from ludens.games.dicewars import value_training
from ludens.games.dicewars.record import SEATS
from ludens.games.dicewars.thesis import policy, policy_training
from ludens.games.dicewars.thesis.pruner import load_pruner, network_score
from ludens.games.dicewars.value import FEATURES, chances, load_value
from ludens.learn.model import read

FOLDERS = shipped_folders(dicewars())
AS_BEFORE = {  # the arrays that these names have always stood for
    "thesis-rf": "adb2d77ec9c5411a",
    "thesis-rf-std": "81122b41325943dc",
    "thesis-svm": "e1279b429af80dbe",
    "thesis-svm-std": "7abc20cb2651a62b",
    "thesis-nn": "d0648e5d14e9a93a",
    "conqueror-value": "ed2396865ae2809d",
}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_shipped_folder_is_an_agent_with_a_card(name: str) -> None:
    card = read(FOLDERS[name]).card
    assert card["command"].startswith("ludens train dicewars ")
    assert card["seed"] == 1
    view = dicewars().start(seed=3).view()
    assert ludens.agent(name, view.game).choose(view) in view.legal


@pytest.mark.parametrize("name", AS_BEFORE)
def test_the_arrays_are_those_of_before(name: str) -> None:
    arrays = read(FOLDERS[name]).arrays
    digests = "".join(tensor_file.digest(arrays[part]) for part in sorted(arrays))
    assert hashlib.blake2b(digests.encode(), digest_size=8).hexdigest() == AS_BEFORE[name]


def test_numba_and_jax_agree_on_the_value() -> None:
    """A share of the chances to win is what the network is for, so these are compared."""
    game, value = dicewars(), load_value()
    weights, g = read(FOLDERS["conqueror-value"]).arrays, ops.open_constants(game.rules.constants)
    for seed in range(10):
        found = np.zeros(SEATS)
        chances(g, game.start(seed=seed).array[0], value, found)
        assert value.seen.shape == (SEATS, FEATURES)
        scores = np.asarray(value_training.scores_jax(weights, value.seen[None, :4].astype(np.float32)), np.float64)[0]
        odds = np.exp(scores - scores.max())
        assert found[:4] == pytest.approx(odds / odds.sum(), abs=1e-5)


def test_numba_and_jax_agree_on_the_policy() -> None:
    game, p = dicewars(), policy.load_policy("thesis-policy")
    arrays = read(FOLDERS["thesis-policy"]).arrays
    params = {part: policy.part_of(arrays, part) for part in policy.PARTS}
    for seed in range(10):
        n = policy.list_moves(p, ops.open_constants(game.rules.constants), game.start(seed=seed).array[0])
        by_jax = policy_training.scores_jax(params, {"rows": p.rows[:n], "kinds": p.kinds[:n]})
        assert p.scores[:n] == pytest.approx(np.asarray(by_jax, np.float64), rel=1e-5, abs=1e-5)


def test_numba_and_jax_agree_on_the_thesis_network() -> None:
    from jax import numpy as jnp

    w, pruner = read(FOLDERS["thesis-nn"]).arrays, load_pruner("nn")
    rows = np.random.default_rng(1).normal(3, 2, (50, 11)).astype(np.float32)
    scaled = (rows - w["centre"].astype(np.float32)) / w["spread"].astype(np.float32)
    by_jax = jnp.tanh(scaled @ w["units"].T + w["lift"]) @ w["pull"].astype(np.float32) + w["bias"].astype(np.float32)
    found = [network_score(pruner, row) for row in rows]
    assert found == pytest.approx(np.asarray(by_jax, np.float64), abs=1e-5 * np.abs(w["pull"]).sum())
