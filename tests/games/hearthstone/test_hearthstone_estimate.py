"""How a position of Hearthstone looks, and how that is learnt."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.command import caller
from tests.games.hearthstone.hearthstone_duel import hearthstone, side
from tests.games.hearthstone.hearthstone_redeal import decisions

import ludens
from ludens.core import ops
from ludens.core.state import State
from ludens.games.hearthstone.estimate import TRAITS, load_evaluator, traits
from ludens.games.hearthstone.estimate_training import fit
from ludens.games.hearthstone.game import Hearthstone
from ludens.games.hearthstone.position import Minion, Side, arrange

MINIONS = ("Chillwind Yeti", "Sen'jin Shieldmasta", "Leper Gnome", "Boulderfist Ogre", "Haunted Creeper")

JUDGE = load_evaluator()


def estimated(state: State) -> list[float]:
    out = np.zeros(2)
    ops.value(JUDGE, ops.open_constants(state.game.rules.constants), state.array[0], out)
    return out.tolist()


def chance(me: Side, foe: Side | None = None, turn: int = 0) -> float:
    """What seat 0 may expect."""
    return estimated(arrange(hearthstone(), [me, foe or side()], turn=turn))[0]


@st.composite
def sides(draw: st.DrawFn) -> Side:
    some = st.integers(0, 4)
    return side(
        hero=draw(st.sampled_from(["hunter", "mage", "paladin"])),
        health=draw(st.integers(1, 30)),
        armor=draw(st.integers(0, 12)),
        crystals=draw(st.integers(0, 10)),
        hand=["Fireball"] * draw(some),
        board=draw(st.lists(st.sampled_from(MINIONS), max_size=6)),
        weapon=draw(st.sampled_from([None, "Eaglehorn Bow", "Truesilver Champion"])),
        secrets=draw(st.sampled_from([[], ["Ice Block"], ["Ice Block", "Ice Barrier"]])),
        deck=["Boulderfist Ogre"] * draw(some),
    )


@settings(max_examples=60, deadline=None)
@given(mine=sides(), foes=sides(), turn=st.integers(0, 1))
def test_the_other_seat_expects_the_opposite(mine: Side, foes: Side, turn: int) -> None:
    one = estimated(arrange(hearthstone(), [mine, foes], turn=turn))
    other = estimated(arrange(hearthstone(), [foes, mine], turn=1 - turn))
    assert one[0] == pytest.approx(-one[1]) == pytest.approx(-other[0])
    assert -1 <= one[0] <= 1


@settings(max_examples=40, deadline=None)
@given(mine=sides(), foes=sides(), turn=st.integers(0, 1))
def test_more_health_is_better(mine: Side, foes: Side, turn: int) -> None:
    better = dataclasses.replace(mine, health=min(30, mine.health + 6))
    assert chance(better, foes, turn) >= chance(mine, foes, turn) - 0.02


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize(
    "better",
    [
        {"board": ["Chillwind Yeti"]},
        {"hand": ["Fireball", "Fireball"]},
        {"weapon": "Truesilver Champion"},
        {"armor": 8},
        {"secrets": ["Bear Trap"]},
    ],
    ids=str,
)
def test_more_of_anything_is_better(better: dict[str, Any], turn: int) -> None:
    for foe in (side(), side(board=["Chillwind Yeti", "Bloodfen Raptor"])):
        plain = side(hand=["Fireball"], health=20)
        assert chance(dataclasses.replace(plain, **better), foe, turn) > chance(plain, foe, turn)


def test_who_can_kill_is_ahead() -> None:
    board = ["Chillwind Yeti", "Chillwind Yeti"]
    near, far = side(health=8, board=board), side(health=9, board=board)
    assert chance(side(board=board), near) > chance(side(board=board), far) + 0.1
    frozen = [Minion(name, keywords=["frozen"]) for name in board]
    assert chance(side(board=board), near) > chance(side(board=frozen), near) + 0.1
    assert chance(side(board=board), side(health=8, board=["Sen'jin Shieldmasta"])) < chance(side(board=board), near)


def test_it_names_the_winner_more_often_than_not() -> None:
    hits = [hit for options in Hearthstone.Rules.option_sets for seed in range(15) for hit in late_hits(options, seed)]
    assert np.mean(hits) > 0.6


def late_hits(options: dict[str, Any], seed: int) -> list[bool]:
    """Whether it was right about the winner, at each decision of the second half of a game."""
    said = []
    for state in decisions(hearthstone(**options), range(seed, seed + 1), noise=0.1):
        value = estimated(state)
        assert -1 <= value[0] == -value[1] <= 1
        said.append(value[0])
    return [value * state.returns[0] > 0 for value in said[len(said) // 2 :]]


def test_the_traits_are_those_the_weights_are_for() -> None:
    assert len(JUDGE.weights) == len(TRAITS)
    out = np.zeros(len(TRAITS))
    traits(arrange(hearthstone(), [side(), side(health=15)]).array[0], out)
    assert dict(zip(TRAITS, out, strict=True))["health"] == 0.5


# Learning


def test_weights_are_found_again() -> None:
    dice = np.random.default_rng(1)
    true = np.array([1.5, -0.5, 0.0])
    seen = dice.normal(size=(20_000, 3))
    won = (dice.random(20_000) < 1 / (1 + np.exp(-seen @ true))).astype(float)
    assert np.allclose(fit(seen, won), true, atol=0.1)


def test_it_is_taught_by_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    train = caller(monkeypatch, capsys, "train")
    sizes = ("--exam-games", 2, "--final-games", 2)
    done = train("hearthstone", "estimate", "--steps", 10_000, "--seed", 3, *sizes)
    assert done.code == 0, done.err
    assert "names the winner" in done.out
    told = json.loads((tmp_path / "hearthstone-estimate" / "card.json").read_text("utf-8"))
    assert told["traits"] == list(TRAITS)
    assert np.isfinite(load_evaluator(str(tmp_path / "hearthstone-estimate")).weights).all()
    assert train("hearthstone", "estimate", "--steps", 3).code == 2


def test_the_estimate_plays() -> None:
    """As an agent of its own it takes the move after which it likes its position best: here the win."""
    board = [Minion("Boulderfist Ogre", keywords=[])]
    state = arrange(hearthstone(), [side(board=board), side(health=4)])
    chosen = ludens.agent("estimate", state.game).choose(state.view())
    state.play(chosen)
    assert state.returns == [1, -1]
