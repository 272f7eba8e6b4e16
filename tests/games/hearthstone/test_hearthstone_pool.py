"""What a Piloted Shredder may leave behind: the 88 minions that cost 2, their bodies and their standing texts."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from tests.games.hearthstone.hearthstone_scene import Body, Half, Scene, outcomes

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import all_cards, find_card, two_drops

YETI = ("Chillwind Yeti", 4, 5)
YETIS = ["Chillwind Yeti"] * 7

# as they were in February 2016: id, attack/health, tribe, what they can do, name
POOL = """
CS2_120 2/3 beast  -              River Crocolisk
CS2_121 2/2 none   taunt          Frostwolf Grunt
CS2_142 2/2 none   spell+1        Kobold Geomancer
CS2_172 3/2 beast  -              Bloodfen Raptor
CS2_173 2/1 murloc charge         Bluegill Warrior
CS2_203 2/1 beast  -              Ironbeak Owl
EX1_012 1/1 none   spell+1        Bloodmage Thalnos
EX1_015 1/1 none   -              Novice Engineer
EX1_045 4/5 none   cannot_attack  Ancient Watcher
EX1_049 3/2 none   -              Youthful Brewmaster
EX1_055 1/3 none   -              Mana Addict
EX1_058 2/3 none   -              Sunfury Protector
EX1_059 2/2 none   -              Crazed Alchemist
EX1_066 3/2 none   -              Acidic Swamp Ooze
EX1_076 2/2 none   -              Pint-Sized Summoner
EX1_082 3/2 none   -              Mad Bomber
EX1_096 2/1 none   -              Loot Hoarder
EX1_100 0/4 none   -              Lorewalker Cho
EX1_131 2/2 none   -              Defias Ringleader
EX1_162 2/2 beast  -              Dire Wolf Alpha
EX1_306 4/3 demon  -              Succubus
EX1_341 0/5 none   -              Lightwell
EX1_362 2/2 none   -              Argent Protector
EX1_393 2/3 none   -              Amani Berserker
EX1_402 1/4 none   -              Armorsmith
EX1_506 2/1 murloc -              Murloc Tidehunter
EX1_522 1/1 none   stealth,poison Patient Assassin
EX1_531 2/2 beast  -              Scavenging Hyena
EX1_557 0/4 none   -              Nat Pagle
EX1_565 0/3 totem  -              Flametongue Totem
EX1_603 2/2 none   -              Cruel Taskmaster
EX1_608 3/2 none   -              Sorcerer's Apprentice
EX1_616 2/2 none   -              Mana Wraith
NEW1_016 1/1 beast -              Captain's Parrot
NEW1_018 2/3 pirate -             Bloodsail Raider
NEW1_019 3/2 none  -              Knife Juggler
NEW1_020 3/2 none  -              Wild Pyromancer
NEW1_021 0/7 none  -              Doomsayer
NEW1_023 3/2 dragon elusive       Faerie Dragon
NEW1_029 4/4 none  -              Millhouse Manastorm
NEW1_037 1/3 none  -              Master Swordsmith
FP1_002 1/2 beast  -              Haunted Creeper
FP1_003 1/2 none   -              Echoing Ooze
FP1_004 2/2 none   -              Mad Scientist
FP1_007 0/2 none   -              Nerubian Egg
FP1_017 1/4 none   -              Nerub'ar Weblord
FP1_024 1/3 none   taunt          Unstable Ghoul
GVG_002 2/3 mech   chill          Snowchugger
GVG_006 2/3 mech   -              Mechwarper
GVG_011 3/2 none   -              Shrinkmeister
GVG_018 1/4 demon  drain          Mistress of Pain
GVG_023 3/2 mech   -              Goblin Auto-Barber
GVG_025 4/1 pirate -              One-eyed Cheat
GVG_030 2/2 mech   taunt          Anodized Robo Cub
GVG_037 3/2 mech   windfury       Whirling Zap-o-matic
GVG_039 0/3 totem  -              Vitality Totem
GVG_058 2/2 mech   shield         Shielded Minibot
GVG_064 3/2 murloc -              Puddlestomper
GVG_067 2/3 none   -              Stonesplinter Trogg
GVG_072 2/3 mech   -              Shadowboxer
GVG_075 2/3 none   -              Ship's Cannon
GVG_076 1/1 mech   -              Explosive Sheep
GVG_081 2/3 none   stealth        Gilblin Stalker
GVG_085 1/2 mech   taunt,shield   Annoy-o-Tron
GVG_087 2/3 none   -              Steamwheedle Sniper
GVG_103 1/2 mech   -              Micro Machine
GVG_108 3/2 none   -              Recombobulator
AT_003  3/2 none   -              Fallen Hero
AT_021  3/2 demon  -              Tiny Knight of Evil
AT_026  4/3 demon  -              Wrathguard
AT_030  3/2 none   -              Undercity Valiant
AT_031  2/2 none   -              Cutpurse
AT_038  2/3 none   -              Darnassus Aspirant
AT_042  2/1 none   -              Druid of the Saber
AT_052  3/4 totem  -              Totem Golem
AT_058  3/2 beast  -              King's Elekk
AT_069  3/2 none   taunt          Sparring Partner
AT_071  2/3 none   -              Alexstrasza's Champion
AT_080  2/3 none   -              Garrison Commander
AT_084  1/2 none   -              Lance Carrier
AT_089  3/2 none   -              Boneguard Lieutenant
AT_094  2/3 none   -              Flame Juggler
AT_109  2/4 none   cannot_attack  Argent Watchman
AT_116  1/4 none   -              Wyrmrest Agent
LOE_006 1/2 none   -              Museum Curator
LOE_023 2/2 none   -              Dark Peddler
LOE_029 1/1 beast  -              Jeweled Scarab
LOE_046 3/2 beast  -              Huge Toad
"""


class Entry(NamedTuple):
    """A line of the table."""

    id: str
    attack: int
    health: int
    tribe: int
    keywords: int
    spell_damage: int
    name: str


def read(line: str) -> Entry:
    id, stats, tribe, can, name = line.split(maxsplit=4)
    attack, health = map(int, stats.split("/"))
    words = 0 if can in ("-", "spell+1") else sum(getattr(k, word.upper()) for word in can.split(","))
    return Entry(id, attack, health, k.TRIBES.index(tribe), words, int(can == "spell+1"), name)


ENTRIES = [read(line) for line in POOL.strip().splitlines()]


def test_the_pool_is_just_these() -> None:
    assert len(ENTRIES) == 88
    assert {all_cards()[number].id for number in two_drops()} == {entry.id for entry in ENTRIES}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_bodies_of_the_pool(entry: Entry) -> None:
    card = find_card(entry.id)
    assert Entry(card.id, card.attack, card.health, card.tribe, card.keywords, card.spell_damage, card.name) == entry


def test_a_shredder_leaves_each_of_them_as_printed_and_none_cries() -> None:
    def die(seed: int) -> str:
        s = Scene(Half(board=["Piloted Shredder"]), Half(board=YETIS[:1]), seed=seed).do("attack 1 e1")
        card = all_cards()[int(s.bodies()[0].card)]
        assert s.board() == [(card.name, card.attack, card.health)]
        assert s.keywords(0, 1) == card.keywords | k.SICK
        assert (s.health(), s.health(1), s.hand(), s.board(1)) == (30, 30, [], [("Chillwind Yeti", 4, 1)])
        return card.id

    assert outcomes(die, 1500) == {entry.id for entry in ENTRIES}


def test_texts_that_are_not_modelled_are_said() -> None:
    missing = {card.name for card in all_cards().values() if card.missing}
    assert missing == {"Lorewalker Cho", "Steamwheedle Sniper"}


# Standing texts


def test_wild_pyromancer_hurts_all_minions_after_an_own_spell() -> None:
    s = Scene(Half(hand=["The Coin"], board=["Wild Pyromancer", "Chillwind Yeti"]), Half(board=YETIS[:1]))
    s.play("The Coin")
    assert (s.board(), s.board(1)) == (
        [("Wild Pyromancer", 3, 1), ("Chillwind Yeti", 4, 4)],
        [("Chillwind Yeti", 4, 4)],
    )
    assert (s.health(), s.health(1)) == (30, 30)


def test_wild_pyromancer_waits_for_the_dead() -> None:
    s = Scene(Half(hand=["Fireball"], board=["Wild Pyromancer"]), Half(board=["Haunted Creeper"]))
    s.play("Fireball", "e1")
    assert s.board(1) == [], "the spiders were there when it burned"


def test_wild_pyromancer_ignores_the_foes_spells() -> None:
    s = Scene(Half(hand=["The Coin"]), Half(board=["Wild Pyromancer"])).play("The Coin")
    assert s.board(1) == [("Wild Pyromancer", 3, 2)]


@pytest.mark.parametrize("side", [0, 1])
def test_mana_wraith_makes_all_minions_dearer(side: int) -> None:
    halves = [
        Half(hand=["Chillwind Yeti", "Fireball"], board=["Mana Wraith"][side:]),
        Half(board=["Mana Wraith"] * side),
    ]
    s = Scene(*halves)
    assert (s.cost("Chillwind Yeti"), s.cost("Fireball")) == (5, 4)


def test_pint_sized_summoner_cheapens_the_first_minion_of_a_turn() -> None:
    s = Scene(Half(hand=["Chillwind Yeti", "Chillwind Yeti", "Fireball"], board=["Pint-Sized Summoner"]), Half())
    assert (s.cost("Chillwind Yeti"), s.cost("Fireball")) == (3, 4)
    assert s.play("Chillwind Yeti").cost("Chillwind Yeti") == 4
    assert s.do("end", "end").cost("Chillwind Yeti") == 3


def test_nat_pagle_draws_every_other_time() -> None:
    def play(seed: int) -> int:
        return len(Scene(Half(board=["Nat Pagle"]), Half(), seed=seed).do("end", "end").hand())

    draws = [play(seed) - 1 for seed in range(200)]
    assert set(draws) == {0, 1}
    assert 70 < sum(draws) < 130


def test_lightwell_heals_a_hurt_friend_at_the_start_of_the_turn() -> None:
    def play(seed: int) -> tuple[int, int, int]:
        me = Half(board=["Lightwell", Body("Chillwind Yeti", health=1), "Chillwind Yeti"], health=20)
        s = Scene(me, Half(health=20), seed=seed).do("end", "end")
        return s.health(), s.board()[1].health, s.health(1)

    assert outcomes(play) == {(23, 1, 20), (20, 4, 20)}


def test_armorsmith_arms_for_each_hurt_friend() -> None:
    s = Scene(Half(board=["Armorsmith", "Chillwind Yeti", "Shielded Minibot"]), Half(hand=["Arcane Explosion"]))
    assert s.do("end").play("Arcane Explosion").armor() == 2


def test_master_swordsmith_sharpens_another_friend_at_the_end_of_the_turn() -> None:
    s = Scene(Half(board=["Master Swordsmith", "Chillwind Yeti"]), Half(board=YETIS[:1])).do("end")
    assert (s.board(), s.board(1)) == ([("Master Swordsmith", 1, 3), ("Chillwind Yeti", 5, 5)], [YETI])
    assert s.do("end").board()[1] == ("Chillwind Yeti", 5, 5), "not in the foe's turn"

    def attacks(seed: int) -> tuple[int, ...]:
        s = Scene(Half(board=["Master Swordsmith", *YETIS[:2]]), Half(), seed=seed).do("end")
        return tuple(minion.attack for minion in s.board())

    assert outcomes(attacks) == {(1, 5, 4), (1, 4, 5)}


def test_ancient_watcher_cannot_attack_until_silenced() -> None:
    s = Scene(Half(hand=["Ironbeak Owl"], board=["Ancient Watcher"]), Half())
    assert not s.can("attack 1 e0")
    assert s.play("Ironbeak Owl", "1").can("attack 1 e0")


def test_argent_watchman_attacks_after_the_power() -> None:
    s = Scene(Half(hero="hunter", board=["Argent Watchman"]), Half())
    assert not s.can("attack 1 e0")
    assert s.do("power").can("attack 1 e0")
    assert not s.do("end", "end").can("attack 1 e0")


def test_faerie_dragon_is_no_target_for_spells_and_powers_but_for_battlecries() -> None:
    me = Half(hand=["Fireball", "Ironbeak Owl", "Arcane Explosion"], board=["Faerie Dragon"])
    s = Scene(me, Half(board=["Faerie Dragon"]))
    assert s.targets("Fireball") == ["0", "e0"]
    assert [move for move in s.state.moves() if "power" in move] == ["power 0", "power e0"]
    assert s.targets("Ironbeak Owl") == ["1", "e1"]
    assert s.play("Arcane Explosion").board(1) == [("Faerie Dragon", 3, 1)]


def test_wrathguard_shares_its_wounds_with_its_hero() -> None:
    s = Scene(Half(board=["Wrathguard"]), Half(board=YETIS[:1])).do("attack 1 e1")
    assert (s.health(), s.board()) == (26, [])


def test_scavenging_hyena_grows_when_a_friendly_beast_dies() -> None:
    board = ["Scavenging Hyena", "Bloodfen Raptor", "Bluegill Warrior"]
    s = Scene(Half(board=board), Half(board=["Boulderfist Ogre", "Hound"])).do("attack 2 e1", "attack 2 e1")
    assert s.board() == [("Scavenging Hyena", 4, 3)]
    assert s.do("attack 1 e2").board() == [("Scavenging Hyena", 4, 2)], "an enemy beast died"


@pytest.mark.parametrize(("name", "bonus"), [("Dire Wolf Alpha", 1), ("Flametongue Totem", 2)])
def test_neighbours_are_stronger_while_it_stands(name: str, bonus: int) -> None:
    own = find_card(name).attack
    s = Scene(Half(board=[*YETIS[:2], name, *YETIS[:2]]), Half(board=["Boulderfist Ogre", "Boulderfist Ogre"]))
    assert [minion.attack for minion in s.board()] == [4, 4 + bonus, own, 4 + bonus, 4]
    s.do("attack 2 e1")
    assert [minion.attack for minion in s.board()] == [4 + bonus, own, 4 + bonus, 4], "the next one stands there now"
    assert [minion.attack for minion in s.do("end", "attack 1 e2").board()] == [4, 4, 4]


def test_mechwarper_cheapens_own_mechs() -> None:
    s = Scene(Half(hand=["Piloted Shredder", "Chillwind Yeti"], board=["Mechwarper"]), Half(hand=["Piloted Shredder"]))
    assert (s.cost("Piloted Shredder"), s.cost("Chillwind Yeti")) == (3, 4)
    assert s.do("end").cost("Piloted Shredder") == 4


@pytest.mark.parametrize(("name", "damage"), [("One-eyed Cheat", 2), ("Chillwind Yeti", 0)])
def test_ships_cannon_fires_for_pirates(name: str, damage: int) -> None:
    s = Scene(Half(hand=[name], board=["Ship's Cannon"]), Half()).play(name)
    assert s.health(1) == 30 - damage


def test_one_eyed_cheat_hides_behind_pirates() -> None:
    s = Scene(Half(hand=["One-eyed Cheat", "Leper Gnome", "One-eyed Cheat"]), Half())
    s.play("One-eyed Cheat").play("Leper Gnome")
    assert not s.has(0, 1, k.STEALTH)
    s.play("One-eyed Cheat")
    assert (s.has(0, 1, k.STEALTH), s.has(0, 3, k.STEALTH)) == (True, False)


@pytest.mark.parametrize(("health", "damage"), [(29, 1), (30, 0)])
def test_shadowboxer_strikes_whenever_somebody_is_healed(health: int, damage: int) -> None:
    s = Scene(Half(hero="priest", board=["Shadowboxer"], health=health), Half()).do("power 0")
    assert s.health(1) == 30 - damage


def test_snowchugger_freezes_whom_it_hurts() -> None:
    s = Scene(Half(board=["Snowchugger"]), Half(board=["Silver Hand Recruit", "Chillwind Yeti"])).do("attack 1 e2")
    assert s.has(1, 2, k.FROZEN)
    s = Scene(Half(board=["Snowchugger"]), Half(weapon="Ashbringer")).do("attack 1 e0")
    assert s.has(1, 0, k.FROZEN)
    assert not s.do("end").can("attack 0 e0")
    s = Scene(Half(board=["Chillwind Yeti"]), Half(board=["Snowchugger"])).do("attack 1 e1")
    assert s.has(0, 1, k.FROZEN)


@pytest.mark.parametrize(("name", "damage"), [("Explosive Sheep", 2), ("Unstable Ghoul", 1)])
def test_minions_that_burst_hurt_all_minions(name: str, damage: int) -> None:
    s = Scene(Half(hand=["Fireball"], board=YETIS[:1]), Half(board=[name, *YETIS[:1]])).play("Fireball", "e1")
    left = [("Chillwind Yeti", 4, 5 - damage)]
    assert (s.board(), s.board(1), s.health(), s.health(1)) == (left, left, 30, 30)


def test_nerubian_egg_hatches() -> None:
    s = Scene(Half(board=["Nerubian Egg"]), Half(board=YETIS[:1])).do("end", "attack 1 e1")
    assert s.board() == [("Nerubian", 4, 4)]


def test_annoy_o_tron_is_a_shielded_guard() -> None:
    s = Scene(Half(board=["Annoy-o-Tron"]), Half(board=YETIS[:2])).do("end")
    assert not s.can("attack 1 e0")
    assert s.do("attack 1 e1").board() == [("Annoy-o-Tron", 1, 2)]


def test_patient_assassin_kills_whom_it_hurts() -> None:
    s = Scene(Half(board=["Patient Assassin"]), Half(board=["Boulderfist Ogre"])).do("end")
    assert not s.can("attack 1 e1"), "it hides"
    assert s.do("end", "attack 1 e1").board(1) == []
    s = Scene(Half(board=["Patient Assassin"]), Half(board=[Body("Boulderfist Ogre", gives=k.SHIELD)]))
    assert s.do("attack 1 e1").board(1) == [("Boulderfist Ogre", 6, 7)], "a shield lets no poison through"
    s = Scene(Half(board=["Patient Assassin"]), Half()).do("attack 1 e0")
    assert s.health(1) == 29


def test_amani_berserker_is_stronger_while_hurt() -> None:
    s = Scene(Half(hero="mage", board=["Amani Berserker"]), Half()).do("power 1")
    assert s.board() == [("Amani Berserker", 5, 2)]
    s = Scene(Half(hero="priest", board=[Body("Amani Berserker", health=2)]), Half())
    assert s.board() == [("Amani Berserker", 5, 2)]
    assert s.do("power 1").board() == [("Amani Berserker", 2, 3)]


def test_darnassus_aspirant_gives_a_crystal_and_takes_it_along() -> None:
    s = Scene(Half(hand=["Darnassus Aspirant", "Fireball"], mana=6, crystals=6), Half()).play("Darnassus Aspirant")
    assert (s.crystals(), s.mana()) == (7, 4)
    s.play("Fireball", "1")
    assert (s.crystals(), s.mana()) == (6, 0)


def test_cutpurse_takes_a_coin_from_heroes() -> None:
    s = Scene(Half(board=["Cutpurse"]), Half(board=YETIS[:1])).do("attack 1 e0")
    assert s.hand() == ["The Coin"]
    assert Scene(Half(board=["Cutpurse"]), Half(board=YETIS[:1])).do("attack 1 e1").hand() == []


def test_garrison_commander_allows_two_powers_a_turn() -> None:
    s = Scene(Half(hero="hunter", board=["Garrison Commander"]), Half()).do("power", "power")
    assert (s.health(1), s.can("power")) == (26, False)


def test_boneguard_lieutenant_grows_with_each_own_power() -> None:
    name = "Boneguard Lieutenant"
    s = Scene(Half(hero="hunter", board=[name]), Half(board=[name])).do("power")
    assert (s.board(), s.board(1)) == ([(name, 3, 3)], [(name, 3, 2)])


def test_micro_machine_grows_at_the_start_of_each_turn() -> None:
    s = Scene(Half(board=["Micro Machine"]), Half())
    assert s.do("end").board() == [("Micro Machine", 2, 2)]
    assert s.do("end").board() == [("Micro Machine", 3, 2)]


def test_stonesplinter_trogg_grows_with_the_foes_spells() -> None:
    s = Scene(Half(hand=["The Coin"], board=["Stonesplinter Trogg"]), Half(board=["Stonesplinter Trogg"]))
    s.play("The Coin")
    assert (s.board(), s.board(1)) == ([("Stonesplinter Trogg", 2, 3)], [("Stonesplinter Trogg", 3, 3)])


def test_mana_addict_is_strong_for_the_turn() -> None:
    s = Scene(Half(hand=["The Coin", "Ice Block"], board=["Mana Addict"]), Half()).play("The Coin").play("Ice Block")
    assert s.board() == [("Mana Addict", 5, 3)]
    assert s.do("end").board() == [("Mana Addict", 1, 3)]


def test_nerubar_weblord_makes_battlecries_dearer() -> None:
    s = Scene(Half(hand=["Ironbeak Owl", "Novice Engineer", "Bloodfen Raptor"]), Half(board=["Nerub'ar Weblord"]))
    assert [s.cost(name) for name in s.hand()] == [4, 4, 2]


def test_sorcerers_apprentice_cheapens_own_spells() -> None:
    s = Scene(
        Half(hand=["Fireball", "Ice Block", "The Coin", "Chillwind Yeti"], board=["Sorcerer's Apprentice"]), Half()
    )
    assert [s.cost(name) for name in s.hand()] == [3, 2, 0, 4]


def test_fallen_hero_helps_the_power() -> None:
    s = Scene(Half(hero="hunter", hand=["Fireball"], board=["Fallen Hero"] * 2), Half()).do("power")
    assert (s.health(1), s.play("Fireball", "e0").health(1)) == (26, 20)


def test_mistress_of_pain_heals_as_much_as_she_deals() -> None:
    s = Scene(Half(board=["Mistress of Pain"], health=20), Half(board=YETIS[:1])).do("attack 1 e1")
    assert s.health() == 21


def test_vitality_totem_heals_its_hero_at_the_end_of_the_turn() -> None:
    s = Scene(Half(board=["Vitality Totem"], health=20), Half()).do("end")
    assert (s.health(), s.do("end").health()) == (24, 24)


def test_whirling_zap_o_matic_attacks_twice() -> None:
    s = Scene(Half(board=["Whirling Zap-o-matic"]), Half()).do("attack 1 e0", "attack 1 e0")
    assert (s.health(1), s.can("attack 1 e0")) == (24, False)


@pytest.mark.parametrize(
    ("me", "moves", "damage"),
    [
        (Half(hand=["One-eyed Cheat"], board=["Ship's Cannon"]), "play 1", 2),
        (Half(hero="priest", board=["Shadowboxer"], health=20), "power 0", 1),
        (Half(hand=["Flame Juggler"]), "play 1", 1),
        (Half(hand=["Huge Toad", "Fireball"]), "play 1; play 1 on 1", 1),
    ],
)
def test_shots_go_at_one_random_enemy(me: Half, moves: str, damage: int) -> None:
    def play(seed: int) -> tuple[int, int]:
        s = Scene(me, Half(board=["Boulderfist Ogre"]), seed=seed).do(*moves.split("; "))
        return 30 - s.health(1), 7 - s.board(1)[0].health

    assert outcomes(play) == {(damage, 0), (0, damage)}


# Battlecries of those that decks may hold


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("Argent Protector", ["1"]),
        ("Lance Carrier", ["1"]),
        ("Cruel Taskmaster", ["1", "e1"]),
        ("Sparring Partner", ["1", "e1"]),
        ("Shrinkmeister", ["1", "e1"]),
    ],
)
def test_whom_battlecries_may_be_for(name: str, targets: list[str]) -> None:
    assert Scene(Half(hand=[name], board=YETIS[:1]), Half(board=YETIS[:1])).targets(name) == targets
    assert Scene(Half(hand=[name]), Half()).targets(name) == [""], "alone it comes on all the same"


def test_novice_engineer_draws() -> None:
    assert Scene(Half(hand=["Novice Engineer"]), Half()).play("Novice Engineer").hand() == ["Boulderfist Ogre"]


def test_sunfury_protector_makes_guards_of_its_neighbours() -> None:
    s = Scene(Half(hand=["Sunfury Protector"], board=YETIS[:2]), Half()).play("Sunfury Protector")
    assert [s.has(0, place, k.TAUNT) for place in (1, 2, 3)] == [False, True, False]


def test_acidic_swamp_ooze_breaks_the_foes_weapon() -> None:
    s = Scene(Half(hand=["Acidic Swamp Ooze"], weapon="Ashbringer"), Half(weapon="Ashbringer")).play(
        "Acidic Swamp Ooze"
    )
    assert (s.weapon(), s.weapon(1)) == (("Ashbringer", 5, 3), None)


def test_mad_bomber_hits_all_but_itself() -> None:
    def play(seed: int) -> bool:
        s = Scene(Half(hand=["Mad Bomber"]), Half(), seed=seed).play("Mad Bomber")
        assert (s.board(), s.health() + s.health(1)) == ([("Mad Bomber", 3, 2)], 57)
        return s.health() < 30

    assert outcomes(play) == {True, False}


def test_argent_protector_shields_a_friend() -> None:
    s = Scene(Half(hand=["Argent Protector"], board=YETIS[:1]), Half()).play("Argent Protector", "1")
    assert s.has(0, 1, k.SHIELD)


def test_cruel_taskmaster_hurts_and_strengthens() -> None:
    s = Scene(Half(hand=["Cruel Taskmaster"], board=YETIS[:1]), Half()).play("Cruel Taskmaster", "1")
    assert s.board()[0] == ("Chillwind Yeti", 6, 4)


def test_shrinkmeister_takes_two_attack_for_the_turn() -> None:
    s = Scene(Half(hand=["Shrinkmeister"]), Half(board=YETIS[:1])).play("Shrinkmeister", "e1")
    assert s.board(1) == [("Chillwind Yeti", 2, 5)]
    assert s.do("end").board(1) == [YETI]


def test_goblin_auto_barber_sharpens_the_weapon() -> None:
    s = Scene(Half(hand=["Goblin Auto-Barber"], weapon="Ashbringer"), Half()).play("Goblin Auto-Barber")
    assert s.weapon() == ("Ashbringer", 6, 3)
    s = Scene(Half(hand=["Goblin Auto-Barber"]), Half()).play("Goblin Auto-Barber")
    assert (s.weapon(), s.can("attack 0 e0")) == (None, False)


@pytest.mark.parametrize(
    ("name", "plain", "strong", "word"),
    [("Wyrmrest Agent", 1, 2, k.TAUNT), ("Alexstrasza's Champion", 2, 3, k.CHARGE)],
)
def test_dragons_in_hand_help(name: str, plain: int, strong: int, word: int) -> None:
    s = Scene(Half(hand=[name, "Malygos"]), Half()).play(name)
    assert (s.board(), s.has(0, 1, word)) == ([(name, strong, find_card(name).health)], True)
    s = Scene(Half(hand=[name, "Fireball"]), Half()).play(name)
    assert (s.board()[0].attack, s.has(0, 1, word)) == (plain, False)


def test_sparring_partner_makes_a_guard() -> None:
    s = Scene(Half(hand=["Sparring Partner"]), Half(board=YETIS[:1])).play("Sparring Partner", "e1")
    assert s.has(1, 1, k.TAUNT)
    assert s.has(0, 1, k.TAUNT)


def test_lance_carrier_and_flame_juggler() -> None:
    s = Scene(Half(hand=["Lance Carrier", "Flame Juggler"], board=YETIS[:1]), Half())
    s.play("Lance Carrier", "1").play("Flame Juggler")
    assert (s.board()[0], s.health(1)) == (("Chillwind Yeti", 6, 5), 29)
