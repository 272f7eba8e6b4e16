"""The agent folders that ship with Dicewars: what they hold, and that they play under their names."""

from __future__ import annotations

import hashlib

import pytest
from tests.games.dicewars.dicewars_position import dicewars

import ludens
from ludens.core import tensor_file
from ludens.core.registry import shipped_folders
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
