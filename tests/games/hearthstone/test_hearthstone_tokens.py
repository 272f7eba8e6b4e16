"""Everything effects bring into play, The Coin, and the nine hero powers."""

from __future__ import annotations

import pytest
from tests.games.hearthstone.hearthstone_scene import Body, Half, Scene, Stood, outcomes

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import find_card

YETI = ("Chillwind Yeti", 4, 5)
YETIS = ["Chillwind Yeti"] * 7
TOTEMS = {"Searing Totem", "Stoneclaw Totem", "Wrath of Air Totem", "Healing Totem"}


@pytest.mark.parametrize(("mana", "crystals", "now"), [(2, 2, 3), (0, 3, 1), (9, 10, 10), (10, 10, 10)])
def test_the_coin_gives_mana_for_the_turn(mana: int, crystals: int, now: int) -> None:
    s = Scene(Half(hand=["The Coin"], mana=mana, crystals=crystals), Half()).play("The Coin")
    assert (s.mana(), s.crystals()) == (now, crystals)
    assert s.do("end", "end").mana() == min(10, crystals + 1)


def test_hounds_are_beasts_that_charge() -> None:
    s = Scene(Half(hand=["Unleash the Hounds"]), Half(board=YETIS[:1])).play("Unleash the Hounds")
    assert (s.board(), s.has(0, 1, k.CHARGE), find_card("Hound").tribe) == ([("Hound", 1, 1)], True, k.BEAST)


def companion(name: str) -> Scene:
    """Animal Companion, with the dice that bring a certain one."""
    for seed in range(100):
        s = Scene(Half(hand=["Animal Companion"], board=YETIS[:2]), Half(board=YETIS[:1]), seed=seed)
        if s.play("Animal Companion").names()[-1] == name:
            return s
    raise AssertionError(f"{name} never comes")


def test_misha_is_a_guard() -> None:
    s = companion("Misha")
    assert (s.board()[2], s.has(0, 3, k.TAUNT), find_card("Misha").tribe) == (("Misha", 4, 4), True, k.BEAST)
    assert [move for move in s.do("end").state.moves() if "attack" in move] == ["attack 1 e3"]


def test_leokk_strengthens_the_others_while_it_stands() -> None:
    s = companion("Leokk")
    assert s.board() == [("Chillwind Yeti", 5, 5), ("Chillwind Yeti", 5, 5), ("Leokk", 2, 4)]
    assert s.board(1) == [YETI]
    assert s.do("end", "attack 1 e3").board() == [YETI, YETI]


def test_leokk_loses_it_when_silenced() -> None:
    s = Scene(Half(hand=["Ironbeak Owl"]), Half(board=["Leokk", "Chillwind Yeti"])).play("Ironbeak Owl", "e1")
    assert s.board(1) == [("Leokk", 2, 4), YETI]


def test_huffer_charges() -> None:
    s = companion("Huffer")
    assert s.board()[2] == ("Huffer", 4, 2)
    assert s.do("attack 3 e0").health(1) == 26


def test_spectral_spiders_belong_to_no_tribe() -> None:
    s = Scene(Half(board=["Haunted Creeper"]), Half(board=YETIS[:1])).do("attack 1 e1")
    assert (s.board(), find_card("Spectral Spider").tribe) == ([("Spectral Spider", 1, 1)] * 2, k.NO_TRIBE)


def test_boom_bots_explode_for_one_to_four() -> None:
    def play(seed: int) -> tuple[int, int]:
        s = Scene(Half(board=["Boom Bot"]), Half(board=["Boulderfist Ogre"]), seed=seed).do("attack 1 e1")
        return 30 - s.health(1), 6 - s.board(1)[0].health

    assert outcomes(play, 150) == {(0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (2, 0), (3, 0), (4, 0)}


def test_slime_is_a_guard() -> None:
    s = Scene(Half(board=["Slime"]), Half(board=YETIS[:1])).do("end")
    assert (s.board(), s.can("attack 1 e0")) == ([("Slime", 1, 2)], False)


def test_the_defender_of_a_noble_sacrifice() -> None:
    foe = Half(board=[Body("Nerubian Egg"), "Dire Wolf Alpha"])  # the egg attacks for 1
    s = Scene(Half(secrets=["Noble Sacrifice"]), foe).do("end", "attack 1 e0")
    assert (s.names(), s.names(1)) == ([], ["Nerubian", "Dire Wolf Alpha"])


def test_silver_hand_recruits_come_from_the_power() -> None:
    s = Scene(Half(hero="paladin"), Half()).do("power")
    assert (s.board(), s.can("power"), s.mana()) == ([("Silver Hand Recruit", 1, 1)], False, 8)


@pytest.mark.parametrize(
    ("weapon", "attack", "durability"), [("Light's Justice", 1, 4), ("Ashbringer", 5, 3), ("Wicked Knife", 1, 2)]
)
def test_weapons_wear_out(weapon: str, attack: int, durability: int) -> None:
    s = Scene(Half(weapon=weapon), Half())
    for used in range(durability):
        assert s.weapon() == (weapon, attack, durability - used)
        s.do("attack 0 e0", "end", "end")
    assert (s.weapon(), s.health(1)) == (None, 30 - attack * durability)


def test_nerubian_and_murloc_scout() -> None:
    s = Scene(Half(hand=["Murloc Tidehunter", "Fireball"], board=["Nerubian Egg"]), Half())
    s.play("Fireball", "1").play("Murloc Tidehunter")
    assert s.board() == [("Nerubian", 4, 4), ("Murloc Tidehunter", 2, 1), ("Murloc Scout", 1, 1)]
    assert find_card("Murloc Scout").tribe == k.MURLOC


# Hero powers


def test_every_power_costs_two_and_is_used_once_a_turn() -> None:
    for hero in k.CLASSES[1:]:
        s = Scene(Half(hero=hero, mana=5), Half())
        move = next(move for move in s.state.moves() if move.startswith("power"))
        s.do(move)
        assert s.mana() == 3
        assert not any(each.startswith("power") for each in s.state.moves()), hero
        assert not any(each.startswith("power") for each in Scene(Half(hero=hero, mana=1), Half()).state.moves())


def test_armor_up() -> None:
    s = Scene(Half(hero="warrior", health=20), Half()).do("power")
    assert (s.health(), s.armor()) == (20, 2)


def test_totemic_call_brings_a_totem_not_yet_there() -> None:
    def play(seed: int) -> str:
        s = Scene(Half(hero="shaman", board=["Searing Totem", "Chillwind Yeti"]), Half(), seed=seed)
        return s.do("power").names()[-1]

    assert outcomes(play) == TOTEMS - {"Searing Totem"}


def test_totemic_call_needs_a_slot_and_a_missing_totem() -> None:
    assert not Scene(Half(hero="shaman", board=YETIS), Half()).can("power")
    assert not Scene(Half(hero="shaman", board=sorted(TOTEMS)), Half()).can("power")


@pytest.mark.parametrize(
    "totem", [("Searing Totem", 1, 1), ("Stoneclaw Totem", 0, 2), ("Wrath of Air Totem", 0, 2), ("Healing Totem", 0, 2)]
)
def test_totems_stand_as_printed(totem: Stood) -> None:
    s = Scene(Half(hero="shaman", board=sorted(TOTEMS - {totem[0]})), Half()).do("power")
    assert (s.board()[-1], find_card(totem[0]).tribe) == (totem, k.TOTEM)


def test_stoneclaw_totem_is_a_guard_and_wrath_of_air_helps_spells() -> None:
    board = ["Stoneclaw Totem", "Wrath of Air Totem"]
    s = Scene(Half(hand=["Fireball"], board=board), Half(board=YETIS[:1])).play("Fireball", "e0").do("end")
    assert (s.health(1), s.can("attack 1 e0"), s.can("attack 1 e1")) == (23, False, True)


def test_healing_totem_heals_friendly_minions_at_the_end_of_the_turn() -> None:
    s = Scene(Half(board=["Healing Totem", Body("Chillwind Yeti", health=2)], health=20), Half(board=YETIS[:1]))
    s.bodies(1)[0].health = 1
    s.do("end")
    assert (s.board()[1].health, s.health(), s.board(1)[0].health) == (3, 20, 1)


def test_dagger_mastery_equips_a_knife() -> None:
    s = Scene(Half(hero="rogue", weapon="Ashbringer"), Half()).do("power")
    assert s.weapon() == ("Wicked Knife", 1, 2)


def test_reinforce_needs_a_slot() -> None:
    assert not Scene(Half(hero="paladin", board=YETIS), Half()).can("power")


def test_steady_shot_hits_the_enemy_hero() -> None:
    s = Scene(Half(hero="hunter", board=["Malygos"]), Half(board=["Ironfur Grizzly"])).do("power")
    assert (s.health(1), s.board(1)) == (28, [("Ironfur Grizzly", 3, 3)])


def test_shapeshift_gives_attack_for_the_turn_and_armor() -> None:
    s = Scene(Half(hero="druid"), Half(board=["Silver Hand Recruit"])).do("power", "attack 0 e1")
    assert (s.board(1), s.armor(), s.health()) == ([], 0, 30)
    s = Scene(Half(hero="druid"), Half()).do("power", "attack 0 e0", "end", "end")
    assert s.health(1) == 29
    assert (s.can("attack 0 e0"), s.armor()) == (False, 1)


def test_life_tap_draws_and_hurts() -> None:
    s = Scene(Half(hero="warlock", armor=1, deck=["Fireball"]), Half()).do("power")
    assert (s.hand(), s.health(), s.armor()) == (["Fireball"], 29, 0)


@pytest.mark.parametrize(("target", "mine", "theirs"), [("0", 29, 30), ("e0", 30, 29)])
def test_fireblast_hurts_any_character(target: str, mine: int, theirs: int) -> None:
    s = Scene(Half(hero="mage", board=["Malygos"]), Half(board=YETIS[:1]))
    assert [move for move in s.state.moves() if "power" in move] == ["power 0", "power 1", "power e0", "power e1"]
    s.do(f"power {target}")
    assert (s.health(), s.health(1)) == (mine, theirs)


def test_lesser_heal_heals_any_character() -> None:
    s = Scene(Half(hero="priest", health=29), Half(board=[Body("Chillwind Yeti", health=2)]))
    assert [move for move in s.state.moves() if "power" in move] == ["power 0", "power e0", "power e1"]
    assert s.do("power e1").board(1) == [("Chillwind Yeti", 4, 4)]
    assert s.do("end", "end", "power 0").health() == 30
