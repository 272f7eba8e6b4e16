"""Start fields: written where they fit, refused in a sentence where they do not."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from ludens.core.error import BadOption
from ludens.core.fields import record_of
from ludens.core.rules import Rules


class _Constants(NamedTuple):
    """As every game has them; nothing is in them."""

    c: np.ndarray


class Cards(Rules):
    """Rules of nothing but a deal: a deck for each of two seats, a score that may be negative, a share."""

    id = "cards"
    State = record_of(
        rng=np.uint64, seat=np.int8, decks=(np.uint8, (2, 3)), score=np.int16, share=np.float32, hidden=np.uint8
    )
    actions, max_legal = 1, 1
    start_fields = ("decks", "score", "share")

    def make_constants(self) -> NamedTuple:
        return _Constants(np.zeros(1, record_of(none=np.uint8)))


def placed(fields: dict[str, Any]) -> np.ndarray:
    states = np.ones(2, Cards.State)
    Cards().place(states, np.array([5, 6], np.uint64), fields)
    return states


def test_start_fields_are_written() -> None:
    states = placed({"decks": [[1, 2, 255], [0, 0, 3]], "score": -7, "share": 0.1})
    assert states["decks"].tolist() == [[[1, 2, 255], [0, 0, 3]]] * 2
    assert states["score"].tolist() == [-7, -7]
    assert states["share"].tolist() == [np.float32(0.1)] * 2
    assert states["rng"].tolist() == [5, 6]
    assert not states["hidden"].any()


@pytest.mark.parametrize(
    "deck", [256, -1, 1.5, "1", None, [1], 1 << 70, 1e300, float("nan"), [[[]]], {}], ids=lambda value: str(value)
)
def test_what_does_not_fit_is_refused(deck: Any) -> None:
    with pytest.raises(BadOption, match=r"cards: the start field 'decks' cannot be .*: it takes 2 x 3 numbers of type"):
        placed({"decks": [[1, 2, deck], [0, 0, 3]]})


@pytest.mark.parametrize("decks", [5, [1, 2, 3], [[1, 2, 3]], [[1, 2, 3]] * 3, [], "ab", {"a": 1}, [[1, 2], [1]], None])
def test_another_shape_is_refused(decks: Any) -> None:
    with pytest.raises(BadOption, match="it takes 2 x 3 numbers of type uint8"):
        placed({"decks": decks})


@pytest.mark.parametrize("fields", [{"score": 40_000}, {"score": [1]}, {"share": float("inf")}, {"share": 1e39}])
def test_single_numbers_have_their_limits_too(fields: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match="it takes 1 numbers of type"):
        placed(fields)


def test_other_fields_are_not_set() -> None:
    with pytest.raises(BadOption, match="cards has no start field 'hidden'; it knows: decks, score, share"):
        placed({"hidden": 1})
