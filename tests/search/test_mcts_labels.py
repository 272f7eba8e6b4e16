"""Moves in a tree go by what they are, where their numbers differ from world to world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ludens
from ludens.core import ops
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import find_card
from ludens.games.hearthstone.deck import find_deck
from ludens.games.hearthstone.position import Held, Side, arrange
from ludens.search.contract import label
from ludens.search.mcts import Mcts, MctsSettings

DECK = ["Boulderfist Ogre"] * 10


def searched(state: ludens.State, **settings: Any) -> Mcts:
    agent = Mcts(state.game, MctsSettings(sims=400, **settings))
    agent.search(state.view().array)
    return agent


def children(agent: Mcts, node: int) -> list[int]:
    """The nodes below a node."""
    found, child = [], int(agent.tree.nodes["child"][node])
    while child:
        found.append(child)
        child = int(agent.tree.nodes["sibling"][child])
    return found


def names(agent: Mcts) -> Iterator[int]:
    """The names of all moves in a tree."""
    return (int(name) for name in agent.tree.nodes["action"][1 : int(agent.tree.control["used"][0])])


def card_of(name: int) -> int:
    """The card of a play."""
    return name // (k.PLACES * k.TARGETS)


@pytest.fixture(scope="module")
def state() -> ludens.State:
    game = ludens.game("hearthstone", deck1="malygos", deck2="face")
    state = game.start(seed=5)
    while state.raw.phase != k.ACTING or state.raw.turns < 9:
        state.play(state.legal[0])
    return state


@pytest.mark.parametrize("prior", ["none", "suggest"])
def test_the_moves_below_the_root_are_named_by_their_labels(state: ludens.State, prior: str) -> None:
    agent = searched(state, prior=prior)
    g, view = ops.open_constants(state.game.rules.constants), state.view()
    labels = {label(g, view.array[0], action) for action in state.legal}
    assert {int(agent.tree.nodes["action"][child]) for child in children(agent, 0)} <= labels


def test_plays_are_named_by_card(state: ludens.State) -> None:
    """Also those of the rival, whose hand is another in each world."""
    agent = searched(state)
    decks = {int(card) for name in ("malygos", "face") for card in find_deck(name).cards}
    played = {card_of(name) for name in names(agent) if name < k.LABELS}
    assert played <= decks | {find_card("The Coin").number}
    assert len(played & set(find_deck("face").cards) - set(find_deck("malygos").cards)) > 5


@pytest.mark.parametrize("prior", ["none", "suggest"])
def test_no_move_has_two_nodes_at_one_place(state: ludens.State, prior: str) -> None:
    agent = searched(state, prior=prior)
    for node in range(int(agent.tree.control["used"][0])):
        below = [int(agent.tree.nodes["action"][child]) for child in children(agent, node)]
        assert len(set(below)) == len(below)


@pytest.mark.parametrize("prior", ["none", "suggest"])
def test_two_moves_with_one_label_share_a_node(prior: str) -> None:
    """Two copies of a card at different costs: both are legal, and both worth a thought."""
    me = Side(hand=[Held("Fireball"), Held("Fireball", 2), "Frostbolt"], deck=DECK, crystals=6)
    state = arrange(ludens.game("hearthstone"), [me, Side(deck=DECK)])
    agent = Mcts(state.game, MctsSettings(sims=200, prior=prior))
    rows = agent.search(state.view().array)
    assert len(set(rows[:, 0])) == len(rows) < len(state.legal)
    assert rows[:, 1].sum() == 200
    assert set(rows[:, 0].astype(int)) <= set(state.legal)


def test_labels_lead_back_to_the_moves(state: ludens.State) -> None:
    agent, view = searched(state), state.view()
    g = ops.open_constants(state.game.rules.constants)
    for action in state.legal:
        back = agent._move(view.array, int(label(g, view.array[0], action)))
        assert label(g, view.array[0], back) == label(g, view.array[0], action)
        assert back in state.legal


def test_labels_stay_below_their_number(state: ludens.State) -> None:
    g, array = ops.open_constants(state.game.rules.constants), state.view().array
    assert all(0 <= label(g, array[0], action) < state.game.rules.labels for action in state.legal)
    assert max(names(searched(state))) < state.game.rules.labels


def test_games_without_labels_go_by_numbers() -> None:
    state = ludens.game("azul").start(seed=1)
    agent = searched(state)
    assert {int(agent.tree.nodes["action"][child]) for child in children(agent, 0)} <= set(state.legal)
    assert len(agent.tree.marks) == state.game.rules.actions


def test_policy_and_value_are_of_moves(state: ludens.State) -> None:
    agent, view = searched(state), state.view().array
    shares = agent.policy(view)[0]
    assert set(np.flatnonzero(shares)) <= set(state.legal)
    assert shares.sum() == pytest.approx(1)
    assert agent.value(view).sum() == pytest.approx(0)
