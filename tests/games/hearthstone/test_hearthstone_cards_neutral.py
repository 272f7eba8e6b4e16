"""Every neutral card of the four decks, played."""

from __future__ import annotations

import pytest
from tests.games.hearthstone.hearthstone_scene import FILLER, Body, Half, Scene, Stood, hearthstone, outcomes

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import find_card

YETI = ("Chillwind Yeti", 4, 5)
YETIS = ["Chillwind Yeti"] * 7


@pytest.mark.parametrize(
    ("name", "cost", "attack", "health"),
    [("Bloodfen Raptor", 2, 3, 2), ("Chillwind Yeti", 4, 4, 5), ("Boulderfist Ogre", 6, 6, 7)],
)
def test_plain_minions_come_on_and_rest(name: str, cost: int, attack: int, health: int) -> None:
    s = Scene(Half(hand=[name]), Half()).play(name)
    assert (s.board(), s.mana(), s.can("attack 1 e0")) == ([(name, attack, health)], 10 - cost, False)
    s.do("end", "end", "attack 1 e0")
    assert (s.health(1), s.can("attack 1 e0")) == (30 - attack, False)


@pytest.mark.parametrize(("name", "attack", "health"), [("Ironfur Grizzly", 3, 3), ("Sen'jin Shieldmasta", 3, 5)])
def test_plain_guards_bind_attacks_only(name: str, attack: int, health: int) -> None:
    s = Scene(Half(hand=[name], board=YETIS[:1]), Half(hand=["Fireball"], board=YETIS[:1])).play(name)
    assert s.board()[1] == (name, attack, health)
    s.do("end")
    attacks = [move for move in s.state.moves() if move.startswith("attack")]
    assert (attacks, s.targets("Fireball")) == (["attack 1 e2"], ["0", "1", "e0", "e1", "e2"])


@pytest.mark.parametrize("name", ["Bluegill Warrior", "Arcane Golem", "Argent Horserider"])
def test_chargers_attack_at_once(name: str) -> None:
    s = Scene(Half(hand=[name]), Half()).play(name).do("attack 1 e0")
    assert s.health(1) == 30 - s.board()[0].attack
    assert not s.can("attack 1 e0")


def test_abusive_sergeant_strengthens_for_the_turn() -> None:
    s = Scene(Half(hand=["Abusive Sergeant"], board=YETIS[:1]), Half(board=YETIS[:1]))
    assert s.targets("Abusive Sergeant") == ["1", "e1"]
    s.play("Abusive Sergeant", "1")
    assert s.board() == [("Chillwind Yeti", 6, 5), ("Abusive Sergeant", 2, 1)]
    assert s.do("end").board()[0] == YETI


def test_abusive_sergeant_may_be_played_alone() -> None:
    s = Scene(Half(hand=["Abusive Sergeant"]), Half())
    assert s.targets("Abusive Sergeant") == [""]
    assert s.play("Abusive Sergeant").board() == [("Abusive Sergeant", 2, 1)]


def test_leper_gnome_hurts_the_enemy_hero_when_it_dies() -> None:
    s = Scene(Half(board=["Leper Gnome"]), Half(board=YETIS[:1])).do("attack 1 e1")
    assert (s.health(), s.health(1), s.board()) == (30, 28, [])


def test_leper_gnome_can_end_the_game() -> None:
    assert Scene(Half(board=["Leper Gnome"]), Half(board=YETIS[:1], health=2)).do("attack 1 e1").winner == 0


def test_worgen_infiltrator_hides_until_it_attacks() -> None:
    s = Scene(Half(hand=["Worgen Infiltrator", "Blessing of Kings"]), Half(hand=["Fireball"], board=YETIS[:1]))
    s.play("Worgen Infiltrator")
    assert s.targets("Blessing of Kings") == ["1", "e1"]
    s.do("end")
    assert s.targets("Fireball") == ["0", "1", "e0"]
    assert not s.can("attack 1 e1")
    s.do("end", "attack 1 e0", "end")
    assert "e1" in s.targets("Fireball")
    assert s.can("attack 1 e1")


def test_worgen_infiltrator_is_hit_by_spells_for_all() -> None:
    s = Scene(Half(hand=["Arcane Explosion"]), Half(board=["Worgen Infiltrator"])).play("Arcane Explosion")
    assert s.board(1) == []


@pytest.mark.parametrize(
    ("compat", "foes"), [("none", ("Secretkeeper", 2, 3)), ("fireplace2016", ("Secretkeeper", 1, 2))]
)
def test_secretkeeper_grows_with_secrets_played(compat: str, foes: Stood) -> None:
    me, foe = Half(hand=["Avenge"], board=["Secretkeeper"]), Half(board=["Secretkeeper"])
    s = Scene(me, foe, game=hearthstone(compat=compat)).play("Avenge")
    assert (s.board(), s.board(1)) == ([("Secretkeeper", 2, 3)], [foes])


def test_secretkeeper_ignores_secrets_that_effects_put_into_play() -> None:
    s = Scene(Half(board=["Secretkeeper", "Mad Scientist"], deck=["Avenge"]), Half(board=YETIS[:1])).do("attack 2 e1")
    assert (s.board(), s.secrets()) == ([("Secretkeeper", 1, 2)], ["Avenge"])


@pytest.mark.parametrize(("others", "spiders"), [(0, 2), (5, 2), (6, 1)])
def test_haunted_creeper_leaves_spiders_in_its_place(others: int, spiders: int) -> None:
    s = Scene(Half(board=["Haunted Creeper", *YETIS[:others]]), Half(board=YETIS[:1])).do("attack 1 e1")
    assert s.names() == [*["Spectral Spider"] * spiders, *YETIS[:others]]


def test_ironbeak_owl_silences() -> None:
    s = Scene(Half(hand=["Ironbeak Owl"]), Half(board=["Tirion Fordring"])).play("Ironbeak Owl", "e1")
    assert (s.board(1), s.has(1, 1, k.SILENCED), s.mana()) == ([("Tirion Fordring", 6, 6)], True, 8)
    assert not s.has(1, 1, k.TAUNT)
    assert not s.has(1, 1, k.SHIELD)
    s.bodies(1)[0].health = 1
    s.do("end", "end", "attack 1 e1")
    assert (s.board(1), s.weapon(1)) == ([], None)


def test_ironbeak_owl_takes_a_blessing_away_but_no_wound_back() -> None:
    s = Scene(Half(hand=["Blessing of Kings", "Ironbeak Owl"], board=YETIS[:1]), Half()).play("Blessing of Kings", "1")
    s.bodies()[0].health = 3
    assert s.play("Ironbeak Owl", "1").board()[0] == ("Chillwind Yeti", 4, 3)
    s = Scene(Half(hand=["Blessing of Kings", "Ironbeak Owl"], board=YETIS[:1]), Half()).play("Blessing of Kings", "1")
    s.bodies()[0].health = 8
    assert s.play("Ironbeak Owl", "1").board()[0] == YETI


def test_ironbeak_owl_undoes_the_keeper() -> None:
    me = Half(hand=["Keeper of Uldaman", "Ironbeak Owl"])
    s = Scene(me, Half(board=["Boulderfist Ogre"])).play("Keeper of Uldaman", "e1")
    s.bodies(1)[0].health = 2
    assert s.play("Ironbeak Owl", "e1").board(1) == [("Boulderfist Ogre", 6, 6)], "one wound stays"


def test_ironbeak_owl_thaws_and_uncovers() -> None:
    s = Scene(Half(hand=["Ironbeak Owl"], board=[Body("Worgen Infiltrator", gives=k.FROZEN)]), Half())
    s.play("Ironbeak Owl", "1")
    assert not s.has(0, 1, k.FROZEN)
    assert not s.has(0, 1, k.STEALTH)
    assert s.can("attack 1 e0")


@pytest.mark.parametrize(
    ("name", "knives"), [("Chillwind Yeti", 1), ("Muster for Battle", 3), ("Dr. Boom", 3), ("The Coin", 0)]
)
def test_knife_juggler_throws_for_each_summoned_minion(name: str, knives: int) -> None:
    s = Scene(Half(hand=[name], board=["Knife Juggler"]), Half()).play(name)
    assert s.health(1) == 30 - knives


def test_knife_juggler_throws_none_for_itself() -> None:
    assert Scene(Half(hand=["Knife Juggler"]), Half()).play("Knife Juggler").health(1) == 30


def test_knife_juggler_throws_at_random_enemies() -> None:
    def play(seed: int) -> tuple[int, int]:
        s = Scene(Half(hand=["Leper Gnome"], board=["Knife Juggler"]), Half(board=YETIS[:1]), seed=seed)
        s.play("Leper Gnome")
        return s.health(1), s.board(1)[0].health

    assert outcomes(play) == {(29, 5), (30, 4)}


def test_mad_scientist_lays_a_secret_that_is_not_active() -> None:
    def play(seed: int, compat: str = "none") -> tuple[str, ...]:
        me = Half(board=["Mad Scientist"], deck=["Avenge", "Redemption", "Chillwind Yeti"], secrets=["Avenge"])
        s = Scene(me, Half(board=YETIS[:1]), seed=seed, game=hearthstone(compat=compat)).do("attack 1 e1")
        assert len(s.deck()) == 4 - len(s.secrets())
        return tuple(s.secrets())

    assert outcomes(play) == {("Avenge", "Redemption")}
    assert outcomes(lambda seed: play(seed, "fireplace2016")) == {("Avenge", "Redemption"), ("Avenge",)}


def test_mad_scientist_finds_nothing() -> None:
    five = ["Avenge", "Redemption", "Ice Block", "Ice Barrier", "Bear Trap"]
    for me in (Half(board=["Mad Scientist"]), Half(board=["Mad Scientist"], deck=["Explosive Trap"], secrets=five)):
        s = Scene(me, Half(board=YETIS[:1])).do("attack 1 e1")
        assert (s.secrets(), s.deck()) == (list(me.secrets), list(me.deck))


@pytest.mark.parametrize("name", ["Bloodmage Thalnos", "Loot Hoarder"])
def test_minions_that_leave_a_card(name: str) -> None:
    s = Scene(Half(board=[name]), Half(board=YETIS[:1])).do("attack 1 e1")
    assert (s.board(), s.hand()) == ([], ["Boulderfist Ogre"])


def test_bloodmage_thalnos_helps_spells_but_no_power() -> None:
    s = Scene(Half(hero="mage", hand=["Fireball"], board=["Bloodmage Thalnos"]), Half()).play("Fireball", "e0")
    assert (s.health(1), s.do("power e0").health(1)) == (23, 22)


def test_doomsayer_clears_the_board_before_the_draw() -> None:
    me = Half(board=["Doomsayer", "Loot Hoarder"], deck=["Fireball", "Frostbolt"])
    s = Scene(me, Half(board=["Tirion Fordring", "Worgen Infiltrator"])).do("end")
    assert len(s.board()) == 2, "not in the foe's turn"
    s.do("end")
    assert (s.board(), s.board(1), s.hand()) == ([], [], ["Fireball", "Frostbolt"])
    kinds = [event.kind for event in s.state.history[-1]]
    assert kinds.index(k.DIED) < kinds.index(k.DREW)


@pytest.mark.parametrize(("crystals", "now"), [(4, 5), (10, 10)])
def test_arcane_golem_gives_the_foe_a_crystal(crystals: int, now: int) -> None:
    s = Scene(Half(hand=["Arcane Golem"]), Half(crystals=crystals)).play("Arcane Golem")
    assert (s.crystals(1), s.crystals(), s.board()) == (now, 10, [("Arcane Golem", 4, 2)])
    assert s.do("end").mana(1) == min(10, now + 1)


def test_argent_horserider_has_a_shield() -> None:
    s = Scene(Half(hand=["Argent Horserider"]), Half(board=YETIS[:1])).play("Argent Horserider").do("attack 1 e1")
    assert (s.board(), s.has(0, 1, k.SHIELD)) == ([("Argent Horserider", 2, 1)], False)


def test_acolyte_of_pain_draws_for_each_wound() -> None:
    s = Scene(Half(hero="mage", hand=["Arcane Missiles"]), Half(board=["Acolyte of Pain"], deck=FILLER, health=30))
    s.do("power e1")
    assert len(s.hand(1)) == 1
    s.do("end", "end", "power e1")
    assert len(s.hand(1)) == 3, "one of them is the foe's draw"


def test_acolyte_of_pain_draws_when_it_dies_of_the_wound_but_not_behind_a_shield() -> None:
    s = Scene(Half(hand=["Fireball"]), Half(board=["Acolyte of Pain"])).play("Fireball", "e1")
    assert (s.board(1), len(s.hand(1))) == ([], 1)
    s = Scene(Half(hand=["Fireball"]), Half(board=[Body("Acolyte of Pain", gives=k.SHIELD)])).play("Fireball", "e1")
    assert (len(s.board(1)), len(s.hand(1))) == (1, 0)


def test_shattered_sun_cleric_helps_a_friend() -> None:
    s = Scene(Half(hand=["Shattered Sun Cleric"], board=YETIS[:1]), Half(board=YETIS[:1]))
    assert s.targets("Shattered Sun Cleric") == ["1"]
    assert s.play("Shattered Sun Cleric", "1").board() == [("Chillwind Yeti", 5, 6), ("Shattered Sun Cleric", 3, 2)]


def test_shattered_sun_cleric_may_be_played_alone() -> None:
    s = Scene(Half(hand=["Shattered Sun Cleric"]), Half(board=YETIS[:1])).play("Shattered Sun Cleric")
    assert (s.board(), s.board(1)) == ([("Shattered Sun Cleric", 3, 2)], [YETI])


def test_piloted_shredder_leaves_a_minion_that_costs_two() -> None:
    def play(seed: int) -> bool:
        s = Scene(Half(board=["Piloted Shredder", "Chillwind Yeti"]), Half(board=YETIS[:1]), seed=seed)
        first, second = s.do("attack 1 e1").names()
        return find_card(first).cost == 2 and second == "Chillwind Yeti"

    assert outcomes(play) == {True}


def test_loatheb_taxes_spells_in_the_foes_next_turn_only() -> None:
    s = Scene(Half(hand=["Loatheb", "Fireball"]), Half(hand=["The Coin", "Ice Block", "Chillwind Yeti"]))
    s.play("Loatheb")
    assert s.cost("Fireball") == 4
    s.do("end")
    assert [s.cost(name) for name in ("The Coin", "Ice Block", "Chillwind Yeti")] == [5, 8, 4]
    s.do("end")
    assert s.cost("Fireball") == 4
    s.do("end")
    assert s.cost("The Coin") == 0


def test_sludge_belcher_leaves_a_guard() -> None:
    s = Scene(Half(board=[Body("Sludge Belcher", health=3)]), Half(board=YETIS[:2])).do("end")
    assert not s.can("attack 1 e0")
    s.do("attack 1 e1")
    assert (s.board(), s.has(0, 1, k.TAUNT), s.can("attack 2 e0")) == ([("Slime", 1, 2)], True, False)


@pytest.mark.parametrize(("health", "healed"), [(10, 18), (25, 30)])
def test_antique_healbot_heals_its_hero(health: int, healed: int) -> None:
    s = Scene(Half(hand=["Antique Healbot"], health=health), Half(health=10)).play("Antique Healbot")
    assert (s.health(), s.health(1), s.board()) == (healed, 10, [("Antique Healbot", 3, 3)])


def test_abomination_hurts_everybody_when_it_dies() -> None:
    s = Scene(Half(board=[Body("Abomination", health=4), "Chillwind Yeti"]), Half(board=YETIS[:2])).do("attack 1 e1")
    assert (s.health(), s.health(1), s.board()) == (28, 28, [("Chillwind Yeti", 4, 3)])
    assert s.board(1) == [("Chillwind Yeti", 4, 3)], "the one it fought had 1 left"


def test_abomination_may_kill_both_heroes() -> None:
    s = Scene(Half(board=["Abomination"], health=2), Half(board=YETIS[:1], health=1)).do("attack 1 e1")
    assert s.winner == k.NOBODY


def test_abomination_is_a_guard() -> None:
    s = Scene(Half(board=["Abomination"]), Half(board=YETIS[:1])).do("end")
    assert s.can("attack 1 e1")
    assert not s.can("attack 1 e0")


def test_gurubashi_berserker_grows_with_each_wound() -> None:
    s = Scene(Half(hero="mage", board=["Gurubashi Berserker"]), Half(board=["Silver Hand Recruit"]))
    assert s.do("power 1").board() == [("Gurubashi Berserker", 5, 6)]
    assert s.do("attack 1 e1").board() == [("Gurubashi Berserker", 8, 5)]


def test_gurubashi_berserker_does_not_grow_behind_a_shield() -> None:
    s = Scene(Half(board=[Body("Gurubashi Berserker", gives=k.SHIELD)]), Half(board=YETIS[:1])).do("attack 1 e1")
    assert s.board() == [("Gurubashi Berserker", 2, 7)]


def test_emperor_thaurissan_cheapens_the_hand_at_the_end_of_each_own_turn() -> None:
    me = Half(hand=["Emperor Thaurissan", "Fireball", "Ice Lance"], deck=["Pyroblast", "Fireball"])
    s = Scene(me, Half(hand=["Fireball"])).play("Emperor Thaurissan").do("end")
    assert s.cost("Fireball") == 4, "the foe's cards are as they were"
    s.do("end")
    assert [s.cost(name) for name in ("Fireball", "Ice Lance", "Pyroblast")] == [3, 0, 10]
    s.do("end", "end")
    assert [s.cost(name) for name in ("Fireball", "Ice Lance", "Pyroblast")] == [2, 0, 9]


def test_emperor_thaurissan_and_loatheb_add_up() -> None:
    s = Scene(Half(hand=["Loatheb"]), Half(hand=["Fireball"], board=["Emperor Thaurissan"]))
    s.state.raw.side[1].discounts[0] = 2
    s.play("Loatheb").do("end")
    assert s.cost("Fireball") == 7


@pytest.mark.parametrize(
    ("own", "around"), [(0, ["Boom Bot", "Dr. Boom", "Boom Bot"]), (5, ["Dr. Boom", "Boom Bot"]), (6, ["Dr. Boom"])]
)
def test_dr_boom_brings_a_bot_on_each_side(own: int, around: list[str]) -> None:
    s = Scene(Half(hand=["Dr. Boom"], board=YETIS[:own]), Half()).play("Dr. Boom")
    assert s.names() == [*YETIS[:own], *around]


@pytest.mark.parametrize(("target", "health"), [("0", (15, 20)), ("e0", (9, 15))])
def test_alexstrasza_sets_either_hero_to_fifteen(target: str, health: tuple[int, int]) -> None:
    s = Scene(Half(hand=["Alexstrasza"], health=9, armor=3), Half(health=20, armor=5, board=YETIS[:1]))
    assert s.targets("Alexstrasza") == ["0", "e0"]
    s.play("Alexstrasza", target)
    assert (s.health(), s.health(1)) == health
    assert (s.armor(), s.armor(1), s.board()) == (3, 5, [("Alexstrasza", 8, 8)])


def test_malygos_adds_five_until_silenced() -> None:
    s = Scene(Half(hand=["Malygos"], mana=9), Half()).play("Malygos")
    assert s.board() == [("Malygos", 4, 12)]
    s = Scene(Half(hand=["Ironbeak Owl", "Frostbolt", "Frostbolt"], board=["Malygos"]), Half())
    assert s.play("Frostbolt", "e0").health(1) == 22
    assert s.play("Ironbeak Owl", "1").play("Frostbolt", "e0").health(1) == 19
