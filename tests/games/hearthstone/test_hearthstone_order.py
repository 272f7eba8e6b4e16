"""What the thirty points do not say outright: who acts first, who dies when, where things stand, how long they last."""

from __future__ import annotations

import pytest
from tests.games.hearthstone.hearthstone_duel import Duel, Stood, name_of, side

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.position import Held, Minion, Secret, Weapon

OGRE, YETI, RECRUIT = "Boulderfist Ogre", "Chillwind Yeti", "Silver Hand Recruit"
MAGE = {"hero": "mage"}


def triggered(duel: Duel) -> list[tuple[int, str]]:
    """Whose what acted in the last move, in order."""
    return [(e.a // 1024, name_of(e.a % 1024)) for e in duel.state.history[-1] if e.kind == k.TRIGGERED]


def died(duel: Duel) -> list[str]:
    return [name_of(e.a % 1024) for e in duel.state.history[-1] if e.kind == k.DIED]


# Who acts first


@pytest.mark.parametrize("is_mine_older", [True, False])
def test_triggers_act_in_the_order_of_coming_into_play_across_both_sides(is_mine_older: bool) -> None:
    mine = Minion("Micro Machine", since=-1 if is_mine_older else 1)
    duel = Duel(side(board=[mine]), side(board=["Micro Machine"])).do("end")
    assert [seat for seat, _ in triggered(duel)] == ([0, 1] if is_mine_older else [1, 0])


def test_victims_of_one_blow_act_in_the_order_of_coming_into_play() -> None:
    foes = [Minion("Gurubashi Berserker", since=2), Minion("Acolyte of Pain", since=1), Minion("Armorsmith", since=3)]
    duel = Duel(side(**MAGE, hand=["Arcane Explosion"]), side(board=foes)).play("Arcane Explosion")
    names = [name for _, name in triggered(duel)]
    assert names == ["Acolyte of Pain", "Armorsmith", "Gurubashi Berserker", "Armorsmith", "Armorsmith"]
    assert duel.armor(1) == 3


def test_fighters_both_draw_and_the_older_first() -> None:
    for since in (-1, 1):
        mine = Minion("Acolyte of Pain", since=since)
        duel = Duel(side(board=[mine]), side(board=["Acolyte of Pain"])).do("attack 1 e1")
        assert [seat for seat, _ in triggered(duel)] == ([0, 1] if since < 0 else [1, 0])


def test_a_dying_acolyte_draws() -> None:
    duel = Duel(side(board=[OGRE]), side(board=["Acolyte of Pain"])).do("attack 1 e1")
    assert duel.names(1) == []
    assert duel.hand(1) == [OGRE]


def test_cast_triggers_come_before_the_spell() -> None:
    duel = Duel(side(**MAGE, board=["Mana Wyrm"], hand=["The Coin", "Ice Barrier", "Fireball"])).play("Fireball", "1")
    assert duel.names() == []
    wyrm = Duel(side(**MAGE, board=["Mana Wyrm"], hand=["The Coin", "Ice Barrier", YETI]))
    assert wyrm.play("The Coin").play("Ice Barrier").play(YETI).board()[0] == ("Mana Wyrm", 3, 3)


def test_secretkeeper_counts_what_is_played_by_both() -> None:
    mine, foe = side(hero="paladin", hand=["Avenge"], board=["Secretkeeper"]), side(board=["Secretkeeper"])
    duel = Duel(mine, foe).play("Avenge")
    assert (duel.board(0), duel.board(1)) == ([("Secretkeeper", 2, 3)], [("Secretkeeper", 2, 3)])
    thesis = Duel(mine, foe, compat="fireplace2016").play("Avenge")
    assert (thesis.board(0), thesis.board(1)) == ([("Secretkeeper", 2, 3)], [("Secretkeeper", 1, 2)])
    put = side(hero="paladin", hand=["Mysterious Challenger"], board=["Secretkeeper"], deck=["Avenge"])
    assert Duel(put).play("Mysterious Challenger").board()[0] == ("Secretkeeper", 1, 2)


# Who dies when


def test_nobody_dies_inside_an_effect() -> None:
    """The first knife kills, but the victim lies there until all recruits have come, and draws no second knife."""
    for seed in range(8):
        mine = side(hero="paladin", board=["Knife Juggler"], hand=["Muster for Battle"])
        duel = Duel(mine, side(board=["Leper Gnome"]), seed=seed).play("Muster for Battle")
        kinds = duel.told(k.APPEARED, k.DIED)
        assert kinds in ([k.APPEARED] * 3, [k.APPEARED] * 3 + [k.DIED])
        assert 30 - duel.health(1) == 3 - (duel.names(1) == [])


def test_hounds_are_counted_once() -> None:
    for seed in range(8):
        mine = side(board=["Knife Juggler"], hand=["Unleash the Hounds"])
        duel = Duel(mine, side(board=["Leper Gnome"] * 3), seed=seed).play("Unleash the Hounds")
        assert duel.names().count("Hound") == 3


def test_deaths_come_in_passes_oldest_first() -> None:
    """The blast of the first dead kills others only when all of its own time are told."""
    foes = [Minion("Leper Gnome", since=3), Minion("Abomination", health=2, since=1), Minion("Loot Hoarder", since=2)]
    tough = Minion("Haunted Creeper", health=4, max_health=4, since=0)
    duel = Duel(side(**MAGE, hand=["Blizzard"]), side(board=[*foes, tough])).play("Blizzard")
    assert died(duel) == ["Abomination", "Loot Hoarder", "Leper Gnome", "Haunted Creeper"]
    assert duel.names(1) == ["Spectral Spider"] * 2
    assert (duel.health(0), duel.health(1)) == (26, 28)


def test_a_dead_hero_ends_the_game_before_last_words() -> None:
    trap = Duel(side(health=2, board=["Leper Gnome"]), side(health=2, secrets=["Explosive Trap"])).do("attack 1 e0")
    assert trap.winner == 1  # the gnome dies in the same pass and says nothing any more
    assert trap.health(1) == 2


def test_the_dead_are_no_candidates() -> None:
    """Avenge, younger than the Abomination, finds only who survived its blast."""
    for seed in range(8):
        board = [RECRUIT, Minion("Abomination", health=1), RECRUIT, OGRE]
        foe = side(hero="paladin", board=board, secrets=[Secret("Avenge", since=1)])
        assert Duel(side(**MAGE), foe, seed=seed).do("power e2").board(1) == [(OGRE, 9, 7)]


def test_an_attacker_killed_meanwhile_is_not_replaced_by_whoever_gets_its_number() -> None:
    """The trap kills the attacker; the blast after it kills a Creeper; its spiders must not strike."""
    mine = [
        Minion("Leper Gnome", since=-1),
        Minion("Abomination", health=2),
        Minion("Haunted Creeper", health=4, max_health=4),
    ]
    duel = Duel(side(board=mine), side(secrets=["Explosive Trap"])).do("attack 1 e0")
    assert duel.names() == ["Spectral Spider"] * 2
    assert duel.health(1) == 30 - 2 - 2  # the gnome's last words and the blast
    assert duel.told(k.HIT).count(k.HIT) == 8


def test_a_knife_for_the_defender_can_stop_the_attack() -> None:
    foe = side(hero="paladin", board=["Knife Juggler"], secrets=["Noble Sacrifice"])
    hits = {
        Duel(side(board=["Leper Gnome"], health=9), foe, seed=seed).do("attack 1 e0").names(1)[-1] for seed in range(9)
    }
    assert hits == {"Defender", "Knife Juggler"}  # it lives where the knife met the gnome


def test_a_secret_may_come_during_an_attack_and_act_after_the_blow() -> None:
    """The trap kills the Abomination, its blast the Scientist, who hides the Bear Trap before the blow falls."""
    mine = side(board=[Minion("Abomination", health=2), OGRE])
    foe = side(board=["Mad Scientist"], secrets=["Explosive Trap"], deck=["Bear Trap"])
    duel = Duel(mine, foe).do("attack 2 e0")
    assert (duel.names(1), duel.secrets(1), duel.health(1)) == (["Ironfur Grizzly"], [], 30 - 2 - 6)


def test_doomsayer_against_secrets() -> None:
    """The first of the dead finds nobody to avenge it, but is redeemed; the second is avenged by the first."""
    foe = side(hero="paladin", board=[YETI, OGRE], secrets=["Avenge", "Redemption"])
    duel = Duel(side(board=["Doomsayer"]), foe, turn=1).do("end")
    assert (duel.board(1), duel.secrets(1)) == ([(YETI, 7, 3)], [])


def test_only_the_one_who_waits_is_saved_from_a_blast() -> None:
    foe = side(**MAGE, health=1, board=[Minion("Abomination", health=1)], secrets=["Ice Block"])
    duel = Duel(side(**MAGE, health=2), foe).do("power e1")
    assert (duel.winner, duel.health(1), duel.secrets(1)) == (1, 1, [])


# Where things stand


def test_tokens_stand_where_their_source_was() -> None:
    board = [YETI, Minion("Haunted Creeper", health=1), Minion("Sludge Belcher", health=1), OGRE]
    duel = Duel(side(**MAGE, hand=["Arcane Explosion"]), side(board=board)).play("Arcane Explosion")
    assert duel.names(1) == [YETI, "Spectral Spider", "Spectral Spider", "Slime", OGRE]


@pytest.mark.parametrize("first", [0, 1])
def test_tokens_stand_in_place_whoever_died_first(first: int) -> None:
    ages = (1, 2) if first == 0 else (2, 1)
    creeper = Minion("Haunted Creeper", health=1, since=ages[0])
    board = [YETI, creeper, Minion("Nerubian Egg", health=1, since=ages[1]), Minion("Sludge Belcher", health=1), OGRE]
    duel = Duel(side(**MAGE, hand=["Arcane Explosion"]), side(board=board)).play("Arcane Explosion")
    assert duel.names(1) == [YETI, "Spectral Spider", "Spectral Spider", "Nerubian", "Slime", OGRE]


def test_other_newcomers_stand_at_the_right_end() -> None:
    foe = side(hero="paladin", board=["Leper Gnome", YETI], secrets=["Redemption"])
    assert Duel(side(**MAGE), foe).do("power e1").names(1) == [YETI, "Leper Gnome"]
    assert Duel(side(hero="paladin", board=[YETI])).do("power").names() == [YETI, RECRUIT]


def test_positions_are_free_when_the_table_says_so() -> None:
    duel = Duel(side(hand=["Shattered Sun Cleric"], board=[YETI, OGRE]), positions="free")
    duel.do("play 1 at 2 on 2")
    assert duel.board() == [(YETI, 4, 5), ("Shattered Sun Cleric", 3, 2), (OGRE, 7, 8)]


# What lasts how long


def test_bonuses_of_a_turn() -> None:
    duel = Duel(side(hand=["Abusive Sergeant"], board=[YETI]), side(board=[OGRE])).play("Abusive Sergeant", "e1")
    assert duel.board(1) == [(OGRE, 8, 7)]
    assert duel.do("end").board(1) == [(OGRE, 6, 7)]
    druid = Duel(side(hero="druid")).do("power", "attack 0 e0")
    assert (druid.health(1), druid.armor()) == (29, 1)
    assert not druid.do("end", "end").can("attack 0 e0")


def test_auras_go_with_their_source() -> None:
    mine = side(board=[YETI, "Leokk", "Leokk", "Dire Wolf Alpha"], hand=["Ironbeak Owl"])
    duel = Duel(mine)
    assert [each.attack for each in duel.board()] == [6, 3, 4, 4]
    duel.play("Ironbeak Owl", "2")
    assert [each.attack for each in duel.board()] == [5, 3, 3, 3, 4]
    keeper = Duel(side(hero="paladin", hand=["Keeper of Uldaman"], board=[OGRE, "Leokk"]))
    assert keeper.play("Keeper of Uldaman", "1").board()[0] == (OGRE, 4, 3)
    gone = Duel(side(board=[YETI, Minion("Leokk", health=1)]), side(board=[OGRE])).do("attack 2 e1")
    assert gone.board() == [(YETI, 4, 5)]


def test_rage_counts_at_once_after_a_fight() -> None:
    calm = Minion(YETI, attack=1)  # nobody dies, nothing else is set off
    duel = Duel(side(board=["Amani Berserker"]), side(board=[calm])).do("attack 1 e1")
    assert duel.board() == [("Amani Berserker", 5, 2)]
    foe = Duel(side(board=[calm]), side(board=["Amani Berserker"])).do("attack 1 e1")
    assert foe.board(1) == [("Amani Berserker", 5, 2)]
    healed = Duel(side(hero="priest", board=[Minion("Amani Berserker", health=2)]))
    assert healed.board() == [("Amani Berserker", 5, 2)]
    assert healed.do("power 1").board() == [("Amani Berserker", 2, 3)]


def test_windfury_and_the_power_count_by_turns() -> None:
    duel = Duel(side(board=["Whirling Zap-o-matic"])).do("attack 1 e0", "attack 1 e0")
    assert not duel.can("attack 1 e0")
    duel.do("power")
    assert (duel.health(1), duel.mana()) == (22, 8)
    assert not duel.can("power")
    assert duel.do("end", "end").can("power")


def test_stealth_ends_with_an_attack() -> None:
    duel = Duel(side(board=["Worgen Infiltrator"]), side(**MAGE, board=[RECRUIT], hand=["Fireball"]))
    duel.do("attack 1 e0", "end")
    assert "e1" in duel.targets("Fireball")
    assert duel.can("attack 1 e1")
    hidden = Duel(side(**MAGE, hand=["Fireball", "Arcane Explosion"]), side(board=["Gilblin Stalker"]))
    assert "e1" not in hidden.targets("Fireball")
    assert hidden.play("Arcane Explosion").board(1) == [("Gilblin Stalker", 2, 2)]
    own = Duel(side(**MAGE, board=["Gilblin Stalker"], hand=["Fireball"]))
    assert "1" in own.targets("Fireball")


def test_immune_heroes_are_picked_in_vain() -> None:
    foe = side(health=5, keywords=["immune"])
    duel = Duel(side(**MAGE, hand=["Arcane Missiles"]), foe).play("Arcane Missiles")
    assert duel.told(k.PREVENTED) == [k.PREVENTED] * 3
    assert Duel(side(hand=["Alexstrasza"]), foe).targets("Alexstrasza") == ["0"]
    assert duel.health(1) == 5


def test_costs_add_up_before_they_stop_at_nothing() -> None:
    hand = [Held("Ice Lance", discount=3), Held(YETI, discount=1), "The Coin"]
    duel = Duel(side(**MAGE, hand=hand, tax=5, board=["Mana Wraith"]))
    assert [duel.cost(name) for name in ("Ice Lance", YETI, "The Coin")] == [3, 4, 5]
    free = Duel(side(**MAGE, hand=[Held("Ice Lance", discount=3)], mana=0)).play("Ice Lance", "e0")
    assert free.mana() == 0


# Attacks


def test_truesilver_heals_before_the_blow() -> None:
    mine = side(hero="paladin", health=2, weapon=Weapon("Truesilver Champion", durability=1))
    duel = Duel(mine, side(board=["Bloodfen Raptor"])).do("attack 0 e1")
    assert (duel.health(), duel.weapon()) == (1, None)
    foe = side(secrets=[Secret("Explosive Trap", since=-1)])  # it acts before the weapon, and nobody dies in between
    saved = Duel(side(hero="paladin", health=2, weapon="Truesilver Champion"), foe).do("attack 0 e0")
    assert (saved.winner, saved.health(0), saved.health(1)) == (None, 2, 26)
    late = Duel(side(hero="paladin", health=2, weapon="Truesilver Champion"), side(secrets=["Explosive Trap"]))
    assert late.do("attack 0 e0").health(0) == 2


def test_bear_trap_waits_for_the_blow_and_for_room() -> None:
    duel = Duel(side(board=[OGRE]), side(secrets=["Explosive Trap", "Bear Trap"])).do("attack 1 e0")
    assert (duel.names(1), duel.health(1), duel.secrets(1)) == (["Ironfur Grizzly"], 24, [])
    assert duel.has(1, 1, k.TAUNT)
    dead = Duel(side(board=["Leper Gnome"]), side(secrets=["Explosive Trap", "Bear Trap"])).do("attack 1 e0")
    assert dead.secrets(1) == ["Bear Trap"]
    full = Duel(side(board=[OGRE]), side(board=[RECRUIT] * 7, secrets=["Bear Trap"])).do("attack 1 e0")
    assert full.secrets(1) == ["Bear Trap"]


def test_what_cannot_attack() -> None:
    duel = Duel(side(board=["Doomsayer", "Ancient Watcher"], hand=["Ironbeak Owl"]))
    assert duel.moves("attack") == []
    assert duel.play("Ironbeak Owl", "2").moves("attack") == ["attack 2 e0"]
    assert Duel(side(board=["Doomsayer"], hand=["Abusive Sergeant"])).play("Abusive Sergeant", "1").can("attack 1 e0")
    silenced = Duel(side(hand=["Bluegill Warrior", "Ironbeak Owl"])).play("Bluegill Warrior").play("Ironbeak Owl", "1")
    assert silenced.moves("attack") == []


# Targets


def test_a_battlecry_takes_a_target_if_there_is_one() -> None:
    assert Duel(side(hand=["Ironbeak Owl"])).targets("Ironbeak Owl") == [""]
    stealthy = Duel(side(hand=["Ironbeak Owl"]), side(board=["Gilblin Stalker"]))
    assert stealthy.targets("Ironbeak Owl") == [""]
    assert Duel(side(hand=["Ironbeak Owl"]), side(board=[YETI])).targets("Ironbeak Owl") == ["e1"]
    cleric = Duel(side(hand=["Shattered Sun Cleric"]), side(board=[YETI]))
    assert cleric.targets("Shattered Sun Cleric") == [""]
    assert Duel(side(hero="paladin", hand=["Blessing of Kings"])).targets("Blessing of Kings") == []
    assert Duel(side(hand=["Alexstrasza"], health=3, armor=2)).play("Alexstrasza", "0").health() == 15


def test_spells_without_effect_may_be_cast() -> None:
    for name in ("Frost Nova", "Blizzard", "Flamestrike", "Arcane Explosion"):
        assert Duel(side(**MAGE, hand=[name])).can_play(name)
    muster = Duel(side(hero="paladin", board=[RECRUIT] * 7, hand=["Muster for Battle"])).play("Muster for Battle")
    assert muster.weapon() == Stood("Light's Justice", 1, 4)


# Secrets out of the deck


def test_mad_scientist_skips_what_is_active() -> None:
    foe = side(
        hero="paladin", board=["Mad Scientist"], secrets=["Redemption"], deck=["Redemption", OGRE, "Competitive Spirit"]
    )
    for seed in range(6):
        duel = Duel(side(board=[YETI]), foe, seed=seed).do("attack 1 e1")
        assert "Competitive Spirit" in duel.secrets(1)
    found = {
        tuple(Duel(side(board=[YETI]), foe, seed=seed, compat="fireplace2016").do("attack 1 e1").secrets(1))
        for seed in range(20)
    }
    assert len(found) > 1  # Fireplace's may pick the active one, in vain
    none = Duel(side(board=[YETI]), side(hero="paladin", board=["Mad Scientist"])).do("attack 1 e1")
    assert none.told(k.FIZZLED) == [k.FIZZLED]
    assert len(none.deck(1)) == 10


def test_arcane_golem_gives_a_crystal_up_to_ten() -> None:
    duel = Duel(side(hand=["Arcane Golem"]), side(crystals=4)).play("Arcane Golem")
    assert duel.crystals(1) == 5
    assert duel.can("attack 1 e0")
    assert duel.do("end").mana(1) == 6
    assert Duel(side(hand=["Arcane Golem"])).play("Arcane Golem").crystals(1) == 10
