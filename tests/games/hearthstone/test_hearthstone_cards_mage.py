"""Every mage card, played."""

from __future__ import annotations

import pytest
from tests.games.hearthstone.hearthstone_scene import Half, Scene, outcomes

from ludens.games.hearthstone import record as k

YETI = ("Chillwind Yeti", 4, 5)
YETIS = ["Chillwind Yeti"] * 7


def test_ice_lance_freezes_then_hurts() -> None:
    s = Scene(Half(hand=["Ice Lance", "Ice Lance"]), Half(board=YETIS[:1])).play("Ice Lance", "e1")
    assert (s.board(1), s.has(1, 1, k.FROZEN)) == ([YETI], True)
    s.play("Ice Lance", "e1")
    assert (s.board(1), s.has(1, 1, k.FROZEN)) == ([("Chillwind Yeti", 4, 1)], True)


def test_ice_lance_is_for_any_character() -> None:
    s = Scene(Half(hand=["Ice Lance", "Ice Lance"], board=["Malygos"]), Half(board=YETIS[:1]))
    assert s.targets("Ice Lance") == ["0", "1", "e0", "e1"]
    s.play("Ice Lance", "e0")
    assert (s.health(1), s.has(1, 0, k.FROZEN)) == (30, True)
    assert s.play("Ice Lance", "e0").health(1) == 21, "4 and Malygos's 5"


@pytest.mark.parametrize(("board", "missiles"), [([], 3), (["Bloodmage Thalnos"], 4), (["Malygos"], 8)])
def test_arcane_missiles_fly_at_the_enemy_hero(board: list[str], missiles: int) -> None:
    s = Scene(Half(hand=["Arcane Missiles"], board=board), Half()).play("Arcane Missiles")
    assert (s.health(1), len(s.told(k.HIT))) == (30 - missiles, missiles)


def test_arcane_missiles_are_split_at_random_and_never_hit_the_dead() -> None:
    def play(seed: int) -> tuple[int, int]:
        s = Scene(Half(hand=["Arcane Missiles"], board=YETIS[:1]), Half(board=["Silver Hand Recruit"]), seed=seed)
        s.play("Arcane Missiles")
        assert (s.board(), len(s.told(k.HIT))) == ([YETI], 3)
        return s.health(1), len(s.board(1))

    assert outcomes(play) == {(27, 1), (28, 0)}


@pytest.mark.parametrize("name", ["The Coin", "Ice Block", "Frost Nova"])
def test_mana_wyrm_grows_with_each_own_spell(name: str) -> None:
    s = Scene(Half(hand=[name], board=["Mana Wyrm"]), Half(board=["Mana Wyrm"])).play(name)
    assert (s.board(), s.board(1)) == ([("Mana Wyrm", 2, 3)], [("Mana Wyrm", 1, 3)])


def test_mana_wyrm_ignores_minions() -> None:
    s = Scene(Half(hand=["Chillwind Yeti"], board=["Mana Wyrm"]), Half()).play("Chillwind Yeti")
    assert s.board()[0] == ("Mana Wyrm", 1, 3)


@pytest.mark.parametrize("target", ["e0", "e1"])
def test_frostbolt_hurts_and_freezes(target: str) -> None:
    s = Scene(Half(hand=["Frostbolt"]), Half(board=YETIS[:1], weapon="Light's Justice")).play("Frostbolt", target)
    place = int(target[1])
    assert s.has(1, place, k.FROZEN)
    assert (s.health(1) if place == 0 else s.board(1)) == (27 if place == 0 else [("Chillwind Yeti", 4, 2)])
    assert not s.do("end").can(f"attack {place} e0")


def test_frostbolt_with_malygos_deals_eight() -> None:
    assert Scene(Half(hand=["Frostbolt"], board=["Malygos"]), Half()).play("Frostbolt", "e0").health(1) == 22


def test_frostbolt_freezes_through_a_divine_shield() -> None:
    s = Scene(Half(hand=["Frostbolt"]), Half(board=["Shielded Minibot"])).play("Frostbolt", "e1")
    assert (s.board(1), s.has(1, 1, k.SHIELD), s.has(1, 1, k.FROZEN)) == ([("Shielded Minibot", 2, 2)], False, True)


@pytest.mark.parametrize(
    ("name", "damage", "is_freezing", "cost"),
    [
        ("Arcane Explosion", 1, False, 2),
        ("Frost Nova", 0, True, 3),
        ("Blizzard", 2, True, 6),
        ("Flamestrike", 4, False, 7),
    ],
)
def test_spells_for_all_enemy_minions(name: str, damage: int, is_freezing: bool, cost: int) -> None:
    s = Scene(Half(hand=[name], board=YETIS[:1]), Half(board=YETIS[:2])).play(name)
    assert s.board(1) == [("Chillwind Yeti", 4, 5 - damage)] * 2
    assert s.has(1, 1, k.FROZEN) == s.has(1, 2, k.FROZEN) == is_freezing
    assert (s.board(), s.health(1), s.mana(), s.has(1, 0, k.FROZEN)) == ([YETI], 30, 10 - cost, False)


@pytest.mark.parametrize("name", ["Arcane Explosion", "Frost Nova", "Blizzard", "Flamestrike"])
def test_spells_for_all_enemy_minions_may_be_cast_in_vain(name: str) -> None:
    s = Scene(Half(hand=[name], board=YETIS[:1]), Half()).play(name)
    assert (s.board(), s.hand()) == ([YETI], [])


@pytest.mark.parametrize(("name", "damage"), [("Arcane Explosion", 2), ("Blizzard", 3), ("Flamestrike", 5)])
def test_spell_damage_counts_for_each_victim(name: str, damage: int) -> None:
    s = Scene(Half(hand=[name], board=["Bloodmage Thalnos"]), Half(board=["Boulderfist Ogre"] * 2)).play(name)
    assert s.board(1) == [("Boulderfist Ogre", 6, 7 - damage)] * 2


def test_arcane_intellect_draws_two() -> None:
    s = Scene(Half(hand=["Arcane Intellect"], deck=["Fireball", "Frostbolt", "Blizzard"]), Half())
    s.play("Arcane Intellect")
    assert (s.hand(), s.deck(), s.mana()) == (["Fireball", "Frostbolt"], ["Blizzard"], 7)


def test_arcane_intellect_burns_what_the_hand_cannot_hold() -> None:
    s = Scene(Half(hand=["Arcane Intellect", *["The Coin"] * 9], deck=["Fireball", "Frostbolt"]), Half())
    s.play("Arcane Intellect")
    assert (s.hand()[-1], len(s.hand()), s.deck(), len(s.told(k.BURNED))) == ("Fireball", 10, [], 1)


def test_ice_barrier_counts_for_the_same_attack() -> None:
    s = Scene(Half(secrets=["Ice Barrier"]), Half(board=["Boulderfist Ogre"] * 2)).do("end", "attack 1 e0")
    assert (s.health(), s.armor(), s.secrets()) == (30, 2, [])
    assert s.do("attack 2 e0").health() == 26


def test_ice_barrier_answers_a_hero_but_no_spell() -> None:
    s = Scene(Half(secrets=["Ice Barrier"]), Half(hand=["Fireball"], weapon="Ashbringer")).do("end")
    assert s.play("Fireball", "e0").secrets() == ["Ice Barrier"]
    s.do("attack 0 e0")
    assert (s.health(), s.armor()) == (24, 3)


def test_ice_block_prevents_fatal_damage_and_shields_for_the_turn() -> None:
    s = Scene(Half(secrets=["Ice Block"], health=3), Half(hand=["Fireball"], board=YETIS[:2])).do("end", "attack 1 e0")
    assert (s.health(), s.secrets(), s.winner) == (3, [], None)
    assert not s.can("attack 2 e0")
    assert "e0" not in s.targets("Fireball")
    s.do("end", "end")
    assert s.can("attack 2 e0")
    assert "e0" in s.targets("Fireball")
    assert s.do("attack 2 e0").winner == 1


@pytest.mark.parametrize(("armor", "left", "is_used"), [(0, 4, True), (1, 4, True), (2, 4, True), (3, 1, False)])
def test_ice_block_counts_armor(armor: int, left: int, is_used: bool) -> None:
    s = Scene(Half(secrets=["Ice Block"], health=4, armor=armor), Half(hand=["Fireball"])).do("end")
    s.play("Fireball", "e0")
    assert (s.health(), s.secrets() == []) == (left, is_used)
    assert s.armor() == (armor if is_used else 0)


def test_ice_block_sleeps_in_its_owners_turn() -> None:
    s = Scene(Half(secrets=["Ice Block"], health=1, deck=[]), Half()).do("end", "end")
    assert s.winner == 1, "fatigue killed"


@pytest.mark.parametrize(("name", "damage", "cost"), [("Fireball", 6, 4), ("Pyroblast", 10, 10)])
def test_bolts_hurt_any_character(name: str, damage: int, cost: int) -> None:
    s = Scene(Half(hand=[name], board=YETIS[:1]), Half(board=YETIS[:1]))
    assert s.targets(name) == ["0", "1", "e0", "e1"]
    s.play(name, "e0")
    assert (s.health(1), s.mana()) == (30 - damage, 10 - cost)


@pytest.mark.parametrize(("name", "damage"), [("Fireball", 11), ("Pyroblast", 15)])
def test_bolts_take_spell_damage(name: str, damage: int) -> None:
    assert Scene(Half(hand=[name], board=["Malygos"]), Half()).play(name, "e0").health(1) == 30 - damage
