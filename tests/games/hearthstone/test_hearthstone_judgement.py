"""The quick advice of Hearthstone: the move it suggests, and which moves are worth a thought."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.hearthstone.hearthstone_duel import Duel, hearthstone, side
from tests.games.hearthstone.hearthstone_redeal import decisions, sifted, suggested

import ludens
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import all_cards
from ludens.games.hearthstone.deck import SHIPPED
from ludens.games.hearthstone.game import Hearthstone
from ludens.games.hearthstone.position import Held, Minion, Side

STURDY = Minion("Chillwind Yeti", attack=1, health=12, max_health=12)
WOUNDED = Minion("Boulderfist Ogre", health=1)
EVERY_SET = pytest.mark.parametrize("options", Hearthstone.Rules.option_sets, ids=str)


def move(me: Side, foe: Side | None = None) -> str:
    """What is suggested in a position."""
    duel = Duel(me, foe)
    return duel.game.rules.action_text(suggested(duel.state.view()))


def worth_a_thought(me: Side, foe: Side | None = None) -> list[str]:
    return sifted(Duel(me, foe).state.view())


def mage(*hand: str | Held, mana: int = 10, **given: Any) -> Side:
    return side(hero="mage", hand=hand, crystals=max(mana, 1), mana=mana, power_used=True, **given)


# In games


@EVERY_SET
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 1 << 32), noise=st.sampled_from([0.0, 0.3, 0.9]))
def test_suggestions_are_legal(options: dict[str, Any], seed: int, noise: float) -> None:
    for state in decisions(hearthstone(**options), range(seed, seed + 1), noise=noise):
        assert suggested(state.view()) in state.legal


@EVERY_SET
def test_sifting_leaves_some_legal_moves_and_always_the_end(options: dict[str, Any]) -> None:
    for state in decisions(hearthstone(**options), range(4), every=2):
        kept, moves = sifted(state.view()), list(state.moves())
        assert [move for move in moves if move in kept] == kept
        assert kept == moves if state.raw.phase == k.MULLIGANS else kept[0] == "end"


def test_greedy_beats_random_moves() -> None:
    for deck in SHIPPED:
        specs = [f"greedy:deck={deck}", f"random-action:deck={deck}"]
        result = ludens.arena(hearthstone(), specs, games=50, seed=1, store=False)
        assert result.agents[0].spec == specs[0]
        assert result.agents[0].win_rate >= 0.88


# What it suggests


def test_it_keeps_early_minions_in_the_mulligan() -> None:
    for seed in range(6):
        state = hearthstone(deck1="face", deck2="secret").start(seed=seed)
        while state.raw.phase == k.MULLIGANS:
            card = all_cards()[int(state.raw.side[state.to_move].hand[state.raw.mulligan_card])]
            is_kept = state.game.rules.action_text(suggested(state.view())).startswith("keep")
            if card.type == k.SPELL or card.cost > 2:
                assert not is_kept, card.name
            elif not card.target:
                assert is_kept, card.name
            state.play(suggested(state.view()))


def test_it_sees_that_all_attacks_together_kill() -> None:
    board = ["Chillwind Yeti", "Bloodfen Raptor"]
    duel = Duel(mage("Flamestrike", board=board), side(health=7, board=["Knife Juggler", "Chillwind Yeti"]))
    while duel.winner is None:
        action = suggested(duel.state.view())
        assert duel.game.rules.action_text(action).endswith("e0")
        duel.state.play(action)
    assert duel.winner == 0


def test_armor_counts() -> None:
    board = [STURDY, STURDY]
    assert move(mage(board=board), side(health=2, board=[WOUNDED])) == "attack 1 e0"
    assert move(mage(board=board), side(health=1, armor=2, board=[WOUNDED])) == "attack 1 e1"


def test_a_spell_that_kills_goes_to_the_hero() -> None:
    assert move(mage("Fireball"), side(health=6, board=["Chillwind Yeti"])) == "play 1 on e0"
    assert move(mage("Frostbolt", "Fireball"), side(health=6)) == "play 2 on e0"


def test_it_does_not_hurt_itself() -> None:
    assert move(mage("Fireball", board=["Chillwind Yeti"])) == "play 1 on e0"
    assert move(side(hero="mage", mana=2)) == "power e0"
    assert move(mage("Blessing of Kings"), side(board=["Chillwind Yeti"])) == "end"


def test_it_helps_its_own() -> None:
    me = mage("Blessing of Kings", board=[Minion("Chillwind Yeti", ready=False)])
    assert move(me, side(board=["Chillwind Yeti"])) == "play 1 on 1"


def test_silence_is_for_taunts() -> None:
    foe = side(board=["Bloodfen Raptor", "Sen'jin Shieldmasta", "Chillwind Yeti"])
    assert move(mage("Ironbeak Owl"), foe) == "play 1 on e2"


def test_the_coin_is_for_a_card_that_one_mana_is_missing_for() -> None:
    assert move(mage("The Coin", "Bloodfen Raptor", mana=1)) == "play 1"
    assert move(mage("The Coin", "Leper Gnome", mana=1)) == "play 2"
    assert move(mage("The Coin", "Chillwind Yeti", mana=1)) == "end"


def test_mana_is_spent_on_the_dearest_card() -> None:
    assert move(mage("Leper Gnome", "Chillwind Yeti", "Bloodfen Raptor", mana=4)) == "play 2"


def test_a_weapon_is_not_thrown_away_for_another() -> None:
    hunter = side(hand=["Eaglehorn Bow"], mana=3, power_used=True)
    assert move(hunter) == "play 1"
    armed = side(hand=["Eaglehorn Bow"], mana=3, power_used=True, weapon="Glaivezooka", attacks=1)
    assert move(armed) == "end"


def test_attacks_trade_where_it_pays() -> None:
    tired = {"power_used": True}
    assert move(side(board=[STURDY], **tired), side(board=["Bloodfen Raptor", WOUNDED])) == "attack 1 e2"
    assert move(side(board=["Leper Gnome"], **tired), side(board=["Boulderfist Ogre"])) == "attack 1 e0"
    foe = side(board=["Boulderfist Ogre", "Sen'jin Shieldmasta"])
    assert move(side(board=["Leper Gnome"], **tired), foe) == "attack 1 e2"


def test_the_hero_does_not_attack_where_it_would_die() -> None:
    armed = {"weapon": "Eaglehorn Bow", "power_used": True}
    assert move(side(health=3, **armed), side(board=["Sen'jin Shieldmasta"])) == "end"
    assert move(side(health=3, armor=1, **armed), side(board=["Sen'jin Shieldmasta"])) == "attack 0 e1"
    assert move(side(health=3, **armed), side(board=["Chillwind Yeti"])) == "attack 0 e0"


def test_sweeps_wait_for_enough_minions() -> None:
    assert move(mage("Flamestrike", mana=7), side(board=["Leper Gnome"])) == "end"
    assert move(mage("Flamestrike", mana=7), side(board=["Bloodfen Raptor"] * 4)) == "play 1"


# What it sifts


def test_a_second_copy_is_no_other_move() -> None:
    assert worth_a_thought(mage("Leper Gnome", "Leper Gnome")) == ["end", "play 1"]


def test_a_copy_that_costs_less_is_another_move() -> None:
    held = mage(Held("Fireball", 0), Held("Fireball", 2))
    assert worth_a_thought(held) == ["end", "play 1 on e0", "play 2 on e0"]
    assert worth_a_thought(mage(Held("Fireball", 2), "Fireball")) == ["end", "play 1 on e0"]


def test_harm_is_for_the_enemy_and_help_for_oneself() -> None:
    me = mage("Fireball", "Blessing of Kings", board=[Minion("Chillwind Yeti", ready=False)])
    moves = worth_a_thought(me, side(board=["Bloodfen Raptor"]))
    assert moves == ["end", "play 1 on e0", "play 1 on e1", "play 2 on 1"]


def test_a_battlecry_may_hit_an_own_minion_where_there_is_no_other() -> None:
    me = mage("Ironbeak Owl", board=[Minion("Chillwind Yeti", ready=False)])
    assert worth_a_thought(me) == ["end", "play 1 on 1"]
    assert worth_a_thought(me, side(board=["Bloodfen Raptor"])) == ["end", "play 1 on e1"]


def test_the_power_of_the_mage_is_not_for_its_own_side() -> None:
    me = side(hero="mage", mana=2, board=[Minion("Chillwind Yeti", ready=False)])
    assert worth_a_thought(me, side(board=["Bloodfen Raptor"])) == ["end", "power e0", "power e1"]
