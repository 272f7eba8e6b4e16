"""Kuhn poker with a small set of features, for learners: the game itself has none."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import ludens
from ludens.core import ops
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.roster import Roster
from ludens.learn.features import Features


class KuhnFeatures(NamedTuple):
    none: int = 0


@implements(ops.encode, KuhnFeatures)
@kernel
def encode(f: KuhnFeatures, g: Any, v: Any, out: Any) -> None:
    """The own card as one of three, then each decision so far: -1 a pass, 1 a bet."""
    out[:] = 0
    out[v.cards[v.seat] - 1] = 1
    for i in range(v.acted):
        out[3 + i] = 1 if v.bets >> i & 1 else -1


def features(game: Any) -> Features:
    return Features("played", KuhnFeatures(), (("card", 3), ("decisions", 3)))


@pytest.fixture
def kuhn(monkeypatch: pytest.MonkeyPatch) -> Any:
    game = ludens.game("kuhn")
    roster = Roster(features={"played": "tests.learn.small:features"}, opponent="random", levels=("random",))
    monkeypatch.setattr(type(game), "roster", roster)
    return game
