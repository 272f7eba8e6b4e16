"""The tree search of Hearthstone: it knows nothing it may not know, and finds what there is to be found."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.games.hearthstone.hearthstone_duel import Duel, hearthstone, side
from tests.games.hearthstone.hearthstone_redeal import decisions, redealt

import ludens
from ludens.core.error import BadRecord
from ludens.core.game import Game
from ludens.core.state import View
from ludens.games.hearthstone import estimate
from ludens.games.hearthstone.agents import HearthstoneMcts, HearthstoneMctsSettings
from ludens.games.hearthstone.deck import find_deck
from ludens.games.hearthstone.game import Hearthstone
from ludens.games.hearthstone.position import Minion, Side
from ludens.learn.model import Model, read, write

PAIRS = (("face", "secret"), ("secret", "malygos"), ("malygos", "liege"), ("liege", "face"))


def search(game: Game, sims: int = 300, **settings: Any) -> HearthstoneMcts:
    return HearthstoneMcts(game, HearthstoneMctsSettings(sims=sims, **settings))


def tree(agent: HearthstoneMcts, view: View) -> bytes:
    """The whole tree that grows from a view."""
    agent.search(view.array)
    return agent.tree.nodes[: int(agent.tree.control["used"][0])].tobytes()


# Nothing hidden gets in


@pytest.mark.parametrize("lists", ["known", "hidden"])
@pytest.mark.parametrize("decks", PAIRS, ids="-".join)
def test_other_hidden_cards_give_the_same_move_and_the_same_tree(decks: tuple[str, str], lists: str) -> None:
    game = hearthstone(deck1=decks[0], deck2=decks[1], decklists=lists)
    used, fresh = search(game, 60), search(game, 60)
    for number, state in enumerate(islice(decisions(game, range(number_of(decks), 100), every=4), 15)):
        view = state.view()
        move, grown = used.choose(view), tree(used, view)
        for deal in range(3):
            other = redealt(state, view.seat, 10 * number + deal)
            assert fresh.choose(other.view()) == move
            assert tree(fresh, other.view()) == grown


def number_of(decks: tuple[str, str]) -> int:
    """Games of their own for each pair."""
    return 10 * PAIRS.index(decks)


def test_the_true_cards_do_differ() -> None:
    state = next(decisions(hearthstone(deck1="face", deck2="secret"), range(3, 4), every=20))
    hands = {redealt(state, 0, deal).raw.side[1].hand.tobytes() for deal in range(5)}
    assert len(hands) == 5


# Moves


@pytest.mark.parametrize("options", Hearthstone.Rules.option_sets, ids=str)
def test_it_answers_with_legal_moves(options: dict[str, Any]) -> None:
    game = hearthstone(**options)
    agent = search(game, 20)
    for state in islice(decisions(game, range(4), every=4, noise=0.6), 40):
        rows = agent.search(state.view().array)
        assert set(rows[:, 0].astype(int)) <= set(state.legal)
        assert len(set(rows[:, 0])) == len(rows)
        assert rows[:, 1].sum() == 20
        assert agent.choose(state.view()) in state.legal


def outcome(me: Side, foe: Side, sims: int = 400) -> tuple[int | None, list[str]]:
    """Who has won when the search has played its turn, and its moves."""
    duel, moves = Duel(me, foe), []
    agent = search(duel.game, sims)
    while duel.winner is None and duel.state.to_move == 0:
        moves.append(duel.game.rules.action_text(agent.choose(duel.state.view())))
        duel.do(moves[-1])
    return duel.winner, moves


def desperate(hero: str = "mage", **given: Any) -> Side:
    """Somebody who wins now or not at all."""
    return side(hero=hero, health=1, **given)


def about_to_win(**given: Any) -> Side:
    return side(**{"board": ["Boulderfist Ogre"], **given})


@pytest.mark.parametrize(
    ("me", "foe"),
    [
        (desperate(hand=["Fireball", "Arcane Intellect"], crystals=4), about_to_win(health=6)),
        (desperate(hand=["Fireball", "The Coin"], crystals=3), about_to_win(health=6)),
        (desperate(hand=["Frostbolt"], crystals=4), about_to_win(health=4)),
        (
            desperate(hand=["Frostbolt"], crystals=2, board=["Chillwind Yeti"]),
            about_to_win(health=4, board=[Minion("Sen'jin Shieldmasta", health=3)]),
        ),
        (desperate(hand=["Abusive Sergeant"], crystals=1, board=["Chillwind Yeti"]), about_to_win(health=6)),
        (desperate("hunter", hand=["Kill Command", "Haunted Creeper"], crystals=5), about_to_win(health=5)),
        (
            desperate("hunter", hand=["Ironbeak Owl", "Leper Gnome"], crystals=2, board=["Chillwind Yeti"]),
            about_to_win(health=4, board=["Boulderfist Ogre", "Sen'jin Shieldmasta"]),
        ),
        (
            desperate("hunter", hand=["Unleash the Hounds"], crystals=3),
            about_to_win(health=3, board=["Leper Gnome"] * 3),
        ),
    ],
    ids=["burn", "coin", "bolt and power", "through a taunt", "buff", "beast first", "silence", "hounds"],
)
def test_it_finds_the_only_win(me: Side, foe: Side) -> None:
    winner, moves = outcome(me, foe)
    assert winner == 0, moves


def test_a_hero_does_not_run_into_its_death() -> None:
    """It needs only wait: next turn its power kills."""
    me = side(health=3, weapon="Eaglehorn Bow", crystals=1)
    foe = side(
        hero="paladin", health=2, crystals=0, board=[Minion("Sen'jin Shieldmasta", attack=4, keywords=["frozen"])]
    )
    assert Duel(me, foe).can("attack 0 e1")
    assert "attack 0 e1" not in outcome(me, foe)[1]


def test_nobody_draws_who_dies_of_it() -> None:
    """One turn later the rival, who has no cards either, is dead."""
    me = side(hero="mage", health=3, deck=[], hand=["Arcane Intellect"], crystals=3, power_used=True)
    foe = side(hero="paladin", health=1, deck=[])
    assert outcome(me, foe) == (0, ["end"])


def test_it_does_not_leave_the_hero_to_be_killed() -> None:
    """Only the Taunt keeps the rival's minion from the hero."""
    me = side(health=4, hand=["Sen'jin Shieldmasta", "Chillwind Yeti"], crystals=4)
    foe = side(hero="paladin", health=30, board=["Bloodfen Raptor", "Bloodfen Raptor"])
    duel = Duel(me, foe)
    assert duel.game.rules.action_text(search(duel.game, 800).choose(duel.state.view())) == "play 1"


# Strength and settings


def test_it_beats_random_moves() -> None:
    specs = ["mcts:sims=100,deck=face", "random-action:deck=face"]
    result = ludens.arena(hearthstone(), specs, games=20, seed=1, store=False)
    assert result.agents[0].spec == specs[0]
    assert result.agents[0].wins >= 19


def test_thinking_helps() -> None:
    specs = ["mcts:sims=100,deck=face", "greedy:deck=face"]
    result = ludens.arena(hearthstone(), specs, games=40, seed=1, store=False)
    assert result.agents[0].wins >= 22


@pytest.mark.parametrize(
    "spec",
    [
        "mcts:sims=30,prior=none,playout=random,cut=0",
        "mcts:sims=30,prior=none,cut=1",
        "mcts:sims=30,others=suggest",
        "mcts:sims=30,noise=0.5,c=0.3",
        "mcts:sims=1",
    ],
)
def test_settings(spec: str) -> None:
    game = hearthstone(deck1="secret", deck2="malygos")
    agent, state = ludens.agent(spec, game), game.start(seed=3)
    while not state.over:
        state.play(agent.choose(state.view()))


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("mcts:sims=0", "sims takes a whole number"),
        ("mcts:deck=fase", "did you mean 'face'"),
        ("mcts:playout=random,others=suggest", "others=suggest needs playout=suggest"),
    ],
)
def test_mistakes(spec: str, sentence: str) -> None:
    with pytest.raises(ludens.BadOption, match=sentence):
        ludens.agent(spec, hearthstone()).start_fields()


def test_it_brings_its_deck() -> None:
    deck = find_deck("malygos")
    brought = ludens.agent("mcts:deck=malygos", hearthstone()).start_fields()
    assert list(brought["lists"]) == list(deck.cards)
    assert brought["classes"] == deck.class_number
    assert ludens.agent("mcts", hearthstone()).start_fields() == {}


# Values of its own


def test_two_players_with_other_weights_meet(tmp_path: Path) -> None:
    """One goes by the weights shipped, the other by their opposite: both in one run."""
    told = read(estimate.WANTED.home / "estimate")
    write(tmp_path / "fool", Model({"weights": -told.arrays["weights"]}, told.card))
    specs = ["mcts:sims=60", f"mcts:sims=60,model={tmp_path / 'fool'}"]
    result = ludens.arena(hearthstone(), specs, games=16, seed=5, store=False)
    assert result.to_json()["pairs"][0]["first_rate"] > 0.7


def test_a_broken_value_gets_one_sentence(tmp_path: Path) -> None:
    told, folder = read(estimate.WANTED.home / "estimate"), tmp_path / "mine"
    with pytest.raises(ludens.BadOption, match="there is no trained agent"):
        ludens.agent(f"mcts:model={folder}", hearthstone())
    weights = told.arrays["weights"]
    for found, traits in (
        (weights[:3], estimate.TRAITS),
        (weights * np.nan, estimate.TRAITS),
        (weights, estimate.TRAITS[::-1]),
        (weights.astype(np.float32), estimate.TRAITS),
    ):
        write(folder, Model({"weights": found}, {**told.card, "traits": list(traits)}))
        with pytest.raises(BadRecord, match="is broken"):
            ludens.agent(f"mcts:model={folder}", hearthstone())
    with pytest.raises(ludens.BadOption, match="there is no estimate"):
        estimate.load_evaluator("nowhere")
