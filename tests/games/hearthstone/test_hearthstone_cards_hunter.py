"""Every hunter card, played."""

from __future__ import annotations

import pytest
from tests.games.hearthstone.hearthstone_scene import Body, Half, Scene, outcomes

from ludens.games.hearthstone import record as k

YETIS = ["Chillwind Yeti"] * 7


def test_glaivezooka_gives_a_random_friendly_minion_attack() -> None:
    def play(seed: int) -> tuple[tuple[int, int], ...]:
        s = Scene(Half(hand=["Glaivezooka"], board=YETIS[:2]), Half(board=YETIS[:1]), seed=seed).play("Glaivezooka")
        assert s.weapon() == ("Glaivezooka", 2, 2)
        return tuple((minion.attack, minion.health) for minion in s.board() + s.board(1))

    assert outcomes(play) == {((5, 5), (4, 5), (4, 5)), ((4, 5), (5, 5), (4, 5))}


def test_glaivezooka_without_minions_is_only_a_weapon() -> None:
    s = Scene(Half(hand=["Glaivezooka"]), Half()).play("Glaivezooka").do("attack 0 e0")
    assert (s.health(1), s.weapon(), s.mana()) == (28, ("Glaivezooka", 2, 1), 8)


def test_eaglehorn_bow_gains_durability_from_own_secrets() -> None:
    s = Scene(Half(weapon="Eaglehorn Bow", secrets=["Explosive Trap"]), Half(board=YETIS[:1]))
    assert s.do("end", "attack 1 e0").weapon() == ("Eaglehorn Bow", 3, 3)


def test_eaglehorn_bow_gains_durability_from_ice_block_too() -> None:
    s = Scene(Half(weapon="Eaglehorn Bow", secrets=["Ice Block"], health=2), Half(board=YETIS[:1]))
    assert s.do("end", "attack 1 e0").weapon() == ("Eaglehorn Bow", 3, 3)


def test_eaglehorn_bow_ignores_the_foes_secrets() -> None:
    s = Scene(Half(weapon="Eaglehorn Bow"), Half(secrets=["Noble Sacrifice"])).do("attack 0 e0")
    assert (s.weapon(), s.secrets(1)) == (("Eaglehorn Bow", 3, 1), [])


def test_bear_trap_summons_after_the_attack() -> None:
    s = Scene(Half(hero="hunter", secrets=["Bear Trap"]), Half(board=["Chillwind Yeti", "Bluegill Warrior"]))
    s.do("end", "attack 1 e0")
    assert (s.health(), s.board(), s.secrets()) == (26, [("Ironfur Grizzly", 3, 3)], [])
    assert s.has(0, 1, k.TAUNT)
    assert s.can("attack 2 e1")
    assert not s.can("attack 2 e0")


def test_bear_trap_stays_without_a_slot() -> None:
    s = Scene(Half(secrets=["Bear Trap"], board=YETIS), Half(board=YETIS[:1])).do("end", "attack 1 e0")
    assert (s.health(), len(s.board()), s.secrets()) == (26, 7, ["Bear Trap"])


def test_bear_trap_ignores_attacks_on_minions() -> None:
    s = Scene(Half(secrets=["Bear Trap"], board=YETIS[:1]), Half(board=YETIS[:1])).do("end", "attack 1 e1")
    assert s.secrets() == ["Bear Trap"]


def test_bear_trap_answers_a_hero_with_a_weapon() -> None:
    s = Scene(Half(secrets=["Bear Trap"]), Half(weapon="Light's Justice")).do("end", "attack 0 e0")
    assert s.names() == ["Ironfur Grizzly"]


def test_explosive_trap_hits_all_enemies_before_the_blow() -> None:
    foes = ["Bluegill Warrior", "Chillwind Yeti"]
    s = Scene(Half(secrets=["Explosive Trap"], board=YETIS[:1]), Half(board=foes)).do("end", "attack 1 e0")
    assert (s.health(), s.health(1), s.secrets()) == (30, 28, [])
    assert (s.board(), s.board(1)) == ([("Chillwind Yeti", 4, 5)], [("Chillwind Yeti", 4, 3)])


def test_explosive_trap_takes_spell_damage() -> None:
    s = Scene(Half(secrets=["Explosive Trap"], board=["Kobold Geomancer"]), Half(board=YETIS[:1]))
    s.do("end", "attack 1 e0")
    assert (s.health(1), s.board(1), s.health()) == (27, [("Chillwind Yeti", 4, 2)], 26)


def test_explosive_trap_kills_an_attacking_hero_before_the_blow() -> None:
    s = Scene(Half(secrets=["Explosive Trap"], health=1), Half(weapon="Ashbringer", health=2)).do("end", "attack 0 e0")
    assert (s.winner, s.health()) == (0, 1)


def test_explosive_trap_ignores_attacks_on_minions() -> None:
    s = Scene(Half(secrets=["Explosive Trap"], board=YETIS[:1]), Half(board=YETIS[:1])).do("end", "attack 1 e1")
    assert s.secrets() == ["Explosive Trap"]


def test_quick_shot_draws_when_it_was_the_last_card() -> None:
    s = Scene(Half(hand=["Quick Shot"]), Half(board=YETIS[:1])).play("Quick Shot", "e1")
    assert (s.board(1), s.hand(), s.mana()) == ([("Chillwind Yeti", 4, 2)], ["Boulderfist Ogre"], 8)


def test_quick_shot_draws_nothing_with_cards_left() -> None:
    s = Scene(Half(hand=["Quick Shot", "The Coin"]), Half()).play("Quick Shot", "e0")
    assert (s.health(1), s.hand()) == (27, ["The Coin"])


def test_quick_shot_looks_at_the_hand_after_its_damage() -> None:
    s = Scene(Half(hand=["Quick Shot"], board=[Body("Acolyte of Pain")]), Half()).play("Quick Shot", "1")
    assert s.hand() == ["Boulderfist Ogre"], "the acolyte's card is there first"


def test_quick_shot_reaches_every_character() -> None:
    s = Scene(Half(hand=["Quick Shot"], board=YETIS[:1]), Half(board=YETIS[:1]))
    assert s.targets("Quick Shot") == ["0", "1", "e0", "e1"]


def test_animal_companion_summons_one_of_three() -> None:
    def play(seed: int) -> tuple[str, ...]:
        return tuple(Scene(Half(hand=["Animal Companion"]), Half(), seed=seed).play("Animal Companion").names())

    assert outcomes(play) == {("Misha",), ("Leokk",), ("Huffer",)}


def test_animal_companion_needs_a_slot() -> None:
    s = Scene(Half(hand=["Animal Companion"], board=YETIS), Half())
    assert not s.can_play("Animal Companion")


@pytest.mark.parametrize(
    ("board", "damage"),
    [
        ([], 3),
        (["Haunted Creeper"], 5),
        (["Spectral Spider"], 3),
        (["Hound"], 5),
        (["Chillwind Yeti"], 3),
        (["Ironfur Grizzly"], 5),
    ],
)
def test_kill_command_deals_five_with_a_beast(board: list[str], damage: int) -> None:
    s = Scene(Half(hand=["Kill Command"], board=board), Half(board=["Bloodfen Raptor"])).play("Kill Command", "e0")
    assert s.health(1) == 30 - damage


def test_kill_command_takes_spell_damage_once() -> None:
    s = Scene(Half(hand=["Kill Command"], board=["Malygos", "Hound"]), Half()).play("Kill Command", "e0")
    assert s.health(1) == 20


@pytest.mark.parametrize(("foes", "own", "hounds"), [(1, 0, 1), (3, 0, 3), (7, 0, 7), (5, 4, 3), (1, 6, 1)])
def test_unleash_the_hounds_summons_one_for_each_enemy_minion(foes: int, own: int, hounds: int) -> None:
    s = Scene(Half(hand=["Unleash the Hounds"], board=YETIS[:own]), Half(board=YETIS[:foes]))
    s.play("Unleash the Hounds")
    assert s.names() == [*YETIS[:own], *["Hound"] * hounds]
    assert s.can(f"attack {own + 1} e0"), "hounds charge"


@pytest.mark.parametrize(("own", "foes"), [(0, 0), (7, 3)])
def test_unleash_the_hounds_needs_an_enemy_minion_and_a_slot(own: int, foes: int) -> None:
    s = Scene(Half(hand=["Unleash the Hounds"], board=YETIS[:own]), Half(board=YETIS[:foes]))
    assert not s.can_play("Unleash the Hounds")
