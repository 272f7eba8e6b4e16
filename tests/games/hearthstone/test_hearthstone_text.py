"""The text picture of Hearthstone: what the terminal shows, numbered as moves are typed, and nothing that is hidden."""

from __future__ import annotations

import pytest
from tests.games.hearthstone.hearthstone_duel import hearthstone, side

from ludens.core.language import LANGUAGES
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.position import Held, Minion, arrange

languages = pytest.mark.parametrize("language", LANGUAGES)


def table() -> State:
    mine = side(
        hero="hunter",
        hand=["Fireball", Held("Chillwind Yeti", discount=1), "Light's Justice"],
        board=["Leper Gnome", Minion("Sludge Belcher", ready=False)],
        weapon="Glaivezooka",
        secrets=["Bear Trap"],
        crystals=6,
    )
    other = side(
        hero="mage",
        armor=8,
        hand=["The Coin", "Pyroblast"],
        board=[Minion("Boulderfist Ogre", keywords=["taunt", "frozen"]), "Bloodmage Thalnos"],
        secrets=["Ice Block"],
        deck=[],
        next_tax=5,
    )
    return arrange(hearthstone(), [mine, other])


def test_the_picture_of_a_position() -> None:
    state = table()
    assert (
        state.game.face.text(state.view())
        == """\
Turn 11: player 1

Player 2, Jaina (mage): health 30, armor 8, mana 10/10, power Fireblast, hand 2 (The Coin),
    deck 0, next draw costs 1, secrets 1, spells cost 5 more in the next turn
  e1  Boulderfist Ogre   6/7  Taunt, frozen
  e2  Bloodmage Thalnos  1/1  Deathrattle, Spell Damage +1

  1  Leper Gnome     2/1  Deathrattle, can attack
  2  Sludge Belcher  3/5  Taunt, asleep, Deathrattle
Player 1, Rexxar (hunter) (you): health 30, attack 2, can attack, weapon Glaivezooka 2/2,
    mana 6/6, power Steady Shot, hand 3, deck 10, secrets 1 (Bear Trap)

Hand:
  1  (4)  Fireball              Spell. Deal 6 damage to a character.
  2  (3)  Chillwind Yeti   4/5
  3  (1)  Light's Justice  1/4  Weapon.

Moves:
  end
  play 1 on 0 1 2 e0 e1 e2
  play 2
  play 3
  attack 0 e1
  attack 1 e1
  power"""
    )


def test_the_other_seat_sees_neither_hand_nor_secrets_nor_moves() -> None:
    state = table()
    told = state.game.face.text(state.view(1))
    assert "Fireball" not in told
    assert "Bear Trap" not in told
    assert "Moves" not in told
    assert all(name in told for name in ("Pyroblast", "(Ice Block)", "e2  Sludge Belcher"))


def test_a_card_that_goes_back_is_marked() -> None:
    state = hearthstone().start(seed=1)
    state.play("swap 1")
    marked = [line for line in state.game.face.text(state.view()).splitlines() if "[goes back]" in line]
    assert len(marked) == 1
    assert marked[0].startswith("  1  (")
    assert "[goes back]" not in state.game.face.text(state.view(1 - state.to_move))


@languages
@pytest.mark.parametrize("options", [{}, {"deck1": "malygos", "deck2": "secret", "positions": "free"}], ids=str)
def test_pictures_fit_the_terminal_and_list_every_move(language: str, options: dict[str, str]) -> None:
    state, step = hearthstone(**options).in_language(language).start(seed=6), 0
    while not state.over:
        if step % 9 == 0:
            told = state.game.face.text(state.view())
            assert max(map(len, told.splitlines())) <= 100
            assert "{" not in told
            assert listed(told.split("\n\n")[-1]) == set(state.moves())
        step += 1
        state.play(state.legal[(5 * step) % len(state.legal)])
    assert state.raw.phase == k.ENDED
    assert state.game.face.why_over(state.view(0)) in state.game.face.text(state.view(0))


def listed(moves: str) -> set[str]:
    """The moves of a list in which goals stand together."""
    found = set()
    for line in moves.splitlines()[1:]:
        words = line.split()
        at = words.index("on") + 1 if "on" in words else 2 if words[0] == "attack" else 1
        is_aimed = "on" in words or words[0] == "attack" or (words[0] == "power" and len(words) > 1)
        found |= {" ".join([*words[:at], goal]) for goal in words[at:]} if is_aimed else {" ".join(words)}
    return found
