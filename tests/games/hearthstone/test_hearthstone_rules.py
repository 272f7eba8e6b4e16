"""The thirty rule points of the specification, one test each."""

from __future__ import annotations

import itertools

import pytest
from tests.games.hearthstone.hearthstone_duel import Duel, hearthstone, side

from ludens.core.error import IllegalAction
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.position import Held, Minion, Secret, Weapon

OGRE, YETI = "Boulderfist Ogre", "Chillwind Yeti"


def dealt(state: State, seat: int) -> list[int]:
    q = state.raw.side[seat]
    return [int(card) for card in q.hand[: q.hand_size]]


@pytest.mark.parametrize("seed", range(4))
def test_point_01_hands_and_mulligan(seed: int) -> None:
    """Three cards and four plus The Coin; a card put back does not come again in the same mulligan."""
    state = hearthstone(deck1="malygos", deck2="secret").start(seed=seed)
    first = int(state.raw.first)
    assert [len(dealt(state, seat)) for seat in (first, 1 - first)] == [3, 4]
    before = [dealt(state, seat) for seat in range(2)]
    tops = [state.raw.side[seat].deck[::-1][int(seat == first) :].copy() for seat in range(2)]
    for card in (1, 2, 3):
        state.play(f"swap {card}")
    for card in (1, 2, 3, 4):
        state.play(f"swap {card}" if card % 2 else f"keep {card}")
    second = dealt(state, 1 - first)
    assert second[-1] == state.game.rules.constants.c[0]["coin"]
    assert len(second) == 5
    assert [second[1], second[3]] == [before[1 - first][1], before[1 - first][3]]
    drawn = [int(card) for card in tops[first] if card][:3]
    assert dealt(state, first)[:3] == drawn  # from the deck as it was, before the cards put back came into it
    for seat in range(2):
        held = [card for card in dealt(state, seat) if card != state.game.rules.constants.c[0]["coin"]]
        q = state.raw.side[seat]
        assert sorted([*held, *q.deck[: q.deck_size].tolist()]) == state.raw.lists[seat].tolist()


def test_point_02_mana() -> None:
    """One crystal more a turn up to ten, all full again; The Coin gives nothing beyond ten."""
    duel = Duel(side(crystals=1, hand=["The Coin"]), side(crystals=0))
    seen = []
    for _ in range(11):
        seen.append((duel.crystals(), duel.mana()))
        duel.do("end", "end")
    assert seen == [(min(10, n), min(10, n)) for n in range(1, 12)]
    assert duel.play("The Coin").mana() == 10
    assert Duel(side(crystals=10, mana=7, hand=["The Coin"])).play("The Coin").mana() == 8
    coin = Duel(side(crystals=2, hand=["The Coin", "Animal Companion"])).play("The Coin")
    assert (coin.mana(), coin.crystals()) == (3, 2)
    assert coin.do("end").mana() == 2  # the coin's mana is gone
    assert coin.do("end").mana() == 3


def test_point_03_a_full_hand_burns() -> None:
    """A card drawn into a hand of ten is burned; one created for it is not created."""
    duel = Duel(side(), side(hand=[YETI] * 10, deck=["Leper Gnome", OGRE])).do("end")
    assert duel.hand(1) == [YETI] * 10
    assert duel.deck(1) == [OGRE]
    assert duel.told(k.BURNED) == [k.BURNED]
    full = Duel(side(hand=[YETI] * 10, board=["Cutpurse"])).do("attack 1 e0")
    assert full.hand() == [YETI] * 10


def test_point_04_fatigue() -> None:
    """From an empty deck: one damage, then two, then three."""
    duel = Duel(side(deck=[], armor=1), side())
    duel.do("end", "end")
    assert (duel.health(), duel.armor()) == (30, 0)
    duel.do("end", "end")
    assert duel.health() == 28
    duel.do("end", "end")
    assert duel.health() == 25
    intellect = Duel(side(hero="mage", deck=[], hand=["Arcane Intellect"], fatigue=3)).play("Arcane Intellect")
    assert intellect.health() == 30 - 4 - 5
    last = Duel(side(hero="mage", deck=[], secrets=["Ice Block"], fatigue=3, health=4), side(), turn=1).do("end")
    assert last.winner == 1  # in its owner's turn the secret sleeps


def test_point_05_seven_minions() -> None:
    """There is no eighth minion; a Haunted Creeper that dies beside six others leaves one spider."""
    duel = Duel(side(board=["Silver Hand Recruit"] * 7, hand=[YETI, "Animal Companion"]))
    assert not duel.can_play(YETI)
    assert not duel.can_play("Animal Companion")
    mine = ["Silver Hand Recruit"] * 3 + ["Haunted Creeper"] + ["Silver Hand Recruit"] * 3
    creeper = Duel(side(board=mine), side(board=[YETI])).do("attack 4 e1")
    assert creeper.names() == ["Silver Hand Recruit"] * 3 + ["Spectral Spider"] + ["Silver Hand Recruit"] * 3


def test_point_06_sickness_and_charge() -> None:
    """A minion waits a turn before it attacks, one with Charge does not."""
    duel = Duel(side(hand=["Bluegill Warrior", "Bloodfen Raptor"], board=[YETI]))
    duel.play("Bluegill Warrior").play("Bloodfen Raptor")
    assert duel.can("attack 1 e0")
    assert duel.can("attack 2 e0")
    assert not duel.can("attack 3 e0")
    assert duel.do("end", "end").can("attack 3 e0")
    duel.do("attack 2 e0")
    assert not duel.can("attack 2 e0")


def test_point_07_taunt() -> None:
    """Taunt binds attacks, not spells or powers; a stealthed Taunt minion does not bind."""
    mage = side(hero="mage", board=[YETI], hand=["Fireball"], weapon="Light's Justice")
    duel = Duel(mage, side(board=["Sen'jin Shieldmasta", OGRE]))
    assert duel.moves("attack") == ["attack 0 e1", "attack 1 e1"]
    assert {"e0", "e1", "e2"} <= set(duel.targets("Fireball"))
    assert duel.can("power e0")
    hidden = Duel(mage, side(board=[Minion("Sen'jin Shieldmasta", keywords=["stealth"]), OGRE]))
    assert hidden.moves("attack 1") == ["attack 1 e0", "attack 1 e2"]
    assert "e1" not in hidden.targets("Fireball")


def test_point_08_divine_shield() -> None:
    """A shield stays when no damage comes, goes with the first point; a shielded Acolyte draws nothing."""
    doomsayer = Duel(side(board=["Shielded Minibot"]), side(board=["Doomsayer"])).do("attack 1 e1")
    assert doomsayer.has(0, 1, k.SHIELD)
    mage = side(hero="mage")
    duel = Duel(mage, side(board=["Shielded Minibot"])).do("power e1")
    assert duel.board(1) == [("Shielded Minibot", 2, 2)]
    assert not duel.has(1, 1, k.SHIELD)
    acolyte = Duel(mage, side(board=[Minion("Acolyte of Pain", keywords=["divine shield"])])).do("power e1")
    assert acolyte.hand(1) == []
    berserker = Duel(mage, side(board=[Minion("Gurubashi Berserker", keywords=["divine shield"])])).do("power e1")
    assert berserker.board(1) == [("Gurubashi Berserker", 2, 7)]


def test_point_09_freeze() -> None:
    """An enemy frozen in my turn thaws at the end of its own; who was frozen after attacking misses the next turn."""
    nova = Duel(side(hero="mage", hand=["Frost Nova"]), side(board=[YETI])).play("Frost Nova").do("end")
    assert nova.has(1, 1, k.FROZEN)
    assert not nova.can("attack 1 e0")
    assert not nova.do("end").has(1, 1, k.FROZEN)
    mine = Duel(side(board=[OGRE]), side(board=["Snowchugger"])).do("attack 1 e1")
    assert mine.do("end").has(0, 1, k.FROZEN)
    assert not mine.do("end").can("attack 1 e0")
    assert not mine.do("end").has(0, 1, k.FROZEN)
    assert mine.do("end").can("attack 1 e0")
    fresh = Duel(side(hero="mage", hand=[YETI, "Ice Lance", "Ice Lance", "Bluegill Warrior"])).play(YETI)
    fresh.play("Bluegill Warrior").play("Ice Lance", "1").play("Ice Lance", "2").do("end")
    assert (fresh.has(0, 1, k.FROZEN), fresh.has(0, 2, k.FROZEN)) == (True, False)  # it could have attacked
    hero = Duel(side(weapon="Light's Justice", keywords=["frozen"]))
    assert not hero.can("attack 0 e0")
    assert not hero.do("end").has(0, 0, k.FROZEN)


def test_point_10_silence() -> None:
    """Silence takes the blessing from a wounded minion; what is left of its health stays within the printed one."""
    hurt = Minion(YETI, attack=8, health=6, max_health=9, keywords=["divine shield", "taunt", "frozen", "stealth"])
    duel = Duel(side(hand=["Ironbeak Owl"], board=[hurt])).play("Ironbeak Owl", "1")
    assert duel.board()[0] == (YETI, 4, 5)
    assert not duel.has(0, 1, k.SHIELD | k.TAUNT | k.FROZEN | k.STEALTH)
    low = Duel(side(hand=["Ironbeak Owl"]), side(board=[Minion(YETI, attack=8, health=2, max_health=9)]))
    assert low.play("Ironbeak Owl", "e1").board(1) == [(YETI, 4, 2)]
    rattle = Duel(side(hand=["Ironbeak Owl"], board=["Leper Gnome"]), side(board=[YETI])).play("Ironbeak Owl", "1")
    assert rattle.do("attack 1 e1").health(1) == 30
    small = Duel(side(hand=["Ironbeak Owl"], board=[Minion(OGRE, attack=3, health=2, max_health=3)]))
    assert small.play("Ironbeak Owl", "1").board()[0] == (OGRE, 6, 6)  # one wound, as before


def test_point_11_spell_damage() -> None:
    """With Malygos an Ice Lance deals 9 and a Frostbolt 8; Explosive Trap is a spell too."""
    mage = side(hero="mage", board=["Malygos"], hand=["Frostbolt", "Ice Lance"])
    duel = Duel(mage).play("Frostbolt", "e0")
    assert duel.health(1) == 22
    assert duel.play("Ice Lance", "e0").health(1) == 13
    assert Duel(mage).do("power e0").health(1) == 29
    trap = Duel(side(board=[OGRE]), side(board=["Kobold Geomancer"], secrets=["Explosive Trap"])).do("attack 1 e0")
    assert trap.board() == [(OGRE, 6, 4)]
    assert (trap.health(0), trap.health(1)) == (27, 24)


@pytest.mark.parametrize("seed", range(5))
def test_point_12_missiles(seed: int) -> None:
    """Arcane Missiles are four with Thalnos."""
    duel = Duel(side(hero="mage", board=["Bloodmage Thalnos"], hand=["Arcane Missiles"]), side(board=[OGRE]), seed=seed)
    duel.play("Arcane Missiles")
    assert len(duel.told(k.HIT)) == 4
    assert (30 - duel.health(1)) + (7 - duel.board(1)[0].health) == 4


def test_point_13_secrets_are_different_and_five() -> None:
    """No secret lies there twice, none is a sixth; the Challenger takes one of each and stops at five."""
    twice = Duel(side(hero="paladin", secrets=["Avenge"], hand=["Avenge", "Redemption"]))
    assert not twice.can_play("Avenge")
    assert twice.can_play("Redemption")
    five = ["Avenge", "Redemption", "Noble Sacrifice", "Competitive Spirit", "Ice Block"]
    sixth = Duel(side(secrets=five, hand=["Bear Trap"]))
    assert not sixth.can_play("Bear Trap")
    deck = ["Avenge", "Avenge", OGRE, "Noble Sacrifice", "Redemption", "Redemption", "Competitive Spirit"]
    challenger = Duel(side(hero="paladin", secrets=["Redemption"], hand=["Mysterious Challenger"], deck=deck))
    challenger.play("Mysterious Challenger")
    assert challenger.secrets() == ["Redemption", "Avenge", "Noble Sacrifice", "Competitive Spirit"]
    assert sorted(challenger.deck()) == sorted(["Avenge", OGRE, "Redemption", "Redemption"])
    traps = ["Bear Trap", "Explosive Trap", *deck]
    full = Duel(side(hero="paladin", secrets=["Ice Block"], hand=["Mysterious Challenger"], deck=traps))
    assert full.play("Mysterious Challenger").secrets() == [
        "Ice Block",
        "Bear Trap",
        "Explosive Trap",
        "Avenge",
        "Noble Sacrifice",
    ]


def test_point_14_secrets_sleep() -> None:
    """In its owner's turn a secret sleeps; Competitive Spirit acts at the start of it."""
    mine = side(hero="paladin", board=["Leper Gnome", YETI], secrets=["Avenge", "Redemption", "Competitive Spirit"])
    duel = Duel(mine, side(board=[OGRE])).do("attack 1 e1")
    assert duel.secrets() == ["Avenge", "Redemption", "Competitive Spirit"]
    assert duel.board() == [(YETI, 4, 5)]
    duel.do("end")
    assert duel.board() == [(YETI, 4, 5)]
    duel.do("end")
    assert duel.board() == [(YETI, 5, 6)]
    assert duel.secrets() == ["Avenge", "Redemption"]
    alone = Duel(side(hero="paladin", secrets=["Competitive Spirit"])).do("end", "end")
    assert alone.secrets() == ["Competitive Spirit"]


def test_point_15_noble_sacrifice_against_a_weapon() -> None:
    """A Defender jumps before whoever is attacked, also by a hero."""
    duel = Duel(side(weapon=Weapon("Eaglehorn Bow")), side(secrets=["Noble Sacrifice"])).do("attack 0 e0")
    assert (duel.health(0), duel.health(1)) == (28, 30)
    assert duel.names(1) == []
    assert duel.weapon() == ("Eaglehorn Bow", 3, 1)
    assert duel.secrets(1) == []
    fireplace = Duel(side(weapon="Eaglehorn Bow"), side(secrets=["Noble Sacrifice"]), compat="fireplace2016").do(
        "attack 0 e0"
    )
    assert (fireplace.health(1), fireplace.secrets(1)) == (27, ["Noble Sacrifice"])
    full = Duel(side(board=[YETI]), side(board=["Silver Hand Recruit"] * 7, secrets=["Noble Sacrifice"]))
    assert full.do("attack 1 e0").secrets(1) == ["Noble Sacrifice"]
    for_minion = Duel(side(board=[YETI]), side(board=["Leper Gnome"], secrets=["Noble Sacrifice"])).do("attack 1 e1")
    assert for_minion.names(1) == ["Leper Gnome"]
    assert for_minion.board() == [(YETI, 4, 3)]


def test_point_16_explosive_trap() -> None:
    """It kills the attacker before its blow, the attacking hero too."""
    duel = Duel(side(board=["Leper Gnome", YETI]), side(secrets=["Explosive Trap"])).do("attack 1 e0")
    assert duel.health(1) == 28  # the gnome's last words alone
    assert duel.board() == [(YETI, 4, 3)]
    assert duel.health(0) == 28
    hero = Duel(side(health=2, weapon="Eaglehorn Bow"), side(health=3, secrets=["Explosive Trap"])).do("attack 0 e0")
    assert hero.winner == 1
    assert hero.health(1) == 3
    minion = Duel(side(board=[YETI]), side(board=[OGRE], secrets=["Explosive Trap"])).do("attack 1 e1")
    assert minion.secrets(1) == ["Explosive Trap"]


def test_point_17_ice_barrier_and_ice_block() -> None:
    """The barrier's armor counts for the same attack; the block stops fatal damage once and lasts for the turn."""
    barrier = Duel(side(board=[OGRE]), side(hero="mage", health=3, secrets=["Ice Barrier"])).do("attack 1 e0")
    assert (barrier.health(1), barrier.armor(1)) == (3, 2)
    foe = side(hero="mage", health=5, armor=1, secrets=["Ice Block"])
    block = Duel(side(board=[OGRE, OGRE], hand=["Kill Command"]), foe).do("attack 1 e0")
    assert (block.health(1), block.armor(1), block.secrets(1)) == (5, 1, [])
    assert not block.can("attack 2 e0")
    assert "e0" not in block.targets("Kill Command")
    assert block.do("power").health(1) == 5
    assert block.do("end", "end").can("attack 2 e0")
    enough = Duel(side(board=[OGRE]), side(hero="mage", health=6, armor=1, secrets=["Ice Block"])).do("attack 1 e0")
    assert (enough.health(1), enough.secrets(1)) == (1, ["Ice Block"])
    own = Duel(side(hero="mage", health=1, secrets=["Ice Block"])).do("power 0")
    assert own.winner == 1


def test_point_18_weapons() -> None:
    """A new weapon replaces the old one; attacks wear it; the Bow gains by secrets; a defending hero deals nothing."""
    duel = Duel(side(weapon="Eaglehorn Bow", hand=["Glaivezooka"], board=[YETI])).play("Glaivezooka")
    assert duel.weapon() == ("Glaivezooka", 2, 2)
    assert duel.board() == [(YETI, 5, 5)]
    duel.do("attack 0 e0")
    assert (duel.weapon(), duel.health(1)) == (("Glaivezooka", 2, 1), 28)
    assert not duel.can("attack 0 e0")
    assert duel.do("end", "end", "attack 0 e0").weapon() is None
    bow = Duel(side(board=[OGRE]), side(weapon="Eaglehorn Bow", secrets=["Explosive Trap"])).do("attack 1 e0")
    assert bow.weapon(1) == ("Eaglehorn Bow", 3, 3)
    assert bow.board() == [(OGRE, 6, 5)]  # the trap alone
    again = Duel(side(attacks=1, hand=["Glaivezooka"])).play("Glaivezooka")
    assert not again.can("attack 0 e0")


def test_point_19_avenge_by_play_order() -> None:
    """A secret older than the dead minion acts before its last words, a younger one after; Avenge needs somebody."""
    for since, expected in ((-1, []), (1, ["Haunted Creeper"])):
        mine = side(
            hero="paladin", board=[Minion("Haunted Creeper", health=1)], secrets=[Secret("Avenge", since=since)]
        )
        duel = Duel(side(hero="mage"), mine).do("power e1")
        assert duel.names(1) == ["Spectral Spider"] * 2
        stats = sorted((body.attack, body.health) for body in duel.board(1))
        assert stats == ([(1, 1), (4, 3)] if expected else [(1, 1), (1, 1)])
        assert duel.secrets(1) == ([] if expected else ["Avenge"])
    alone = Duel(side(hero="mage"), side(board=["Leper Gnome"], secrets=["Avenge"])).do("power e1")
    assert alone.secrets(1) == ["Avenge"]


def test_point_20_redemption() -> None:
    """The minion comes back as printed with one health: the shield again, no blessing."""
    blessed = Minion("Shielded Minibot", attack=6, health=1, max_health=6, lost=["divine shield"])
    duel = Duel(side(hero="mage"), side(hero="paladin", board=[blessed, YETI], secrets=["Redemption"])).do("power e1")
    assert duel.board(1) == [(YETI, 4, 5), ("Shielded Minibot", 2, 1)]
    assert duel.has(1, 2, k.SHIELD)
    assert int(duel.bodies(1)[1].max_health) == 2


def test_point_21_both_heroes_die() -> None:
    """When an Abomination kills both heroes nobody wins."""
    duel = Duel(side(hero="mage", health=2), side(health=2, board=[Minion("Abomination", health=1)])).do("power e1")
    assert duel.winner == k.NOBODY
    assert duel.state.returns == [0.0, 0.0]


def test_point_22_leper_gnome_ends_the_game() -> None:
    """The last words of a Leper Gnome can kill."""
    duel = Duel(side(board=["Leper Gnome"]), side(health=2, board=[YETI])).do("attack 1 e1")
    assert duel.winner == 0
    own = Duel(side(hero="mage", health=2), side(board=["Leper Gnome"])).do("power e1")
    assert own.winner == 1


def test_point_23_costs() -> None:
    """Two turns with the Emperor make cards two cheaper, never below nothing; Loatheb lasts for the next turn only."""
    mage = side(hero="mage", board=["Emperor Thaurissan"], hand=["Fireball", "Ice Lance"], deck=["Fireball"] * 5)
    duel = Duel(mage).do("end", "end", "end", "end")
    assert [duel.state.raw.side[0].discounts[i] for i in range(4)] == [2, 2, 1, 0]
    assert (duel.cost("Fireball"), duel.cost("Ice Lance")) == (2, 0)
    foe = side(hero="mage", hand=["Fireball", "Ice Barrier", "The Coin", YETI, Held("Frostbolt", discount=1)])
    loatheb = Duel(side(hand=["Loatheb"]), foe).play("Loatheb").do("end")
    costs = [loatheb.cost(name) for name in ("Fireball", "Ice Barrier", "The Coin", YETI, "Frostbolt")]
    assert costs == [9, 8, 5, 4, 6]
    loatheb.do("end", "end")
    assert loatheb.cost("Fireball") == 4


def test_point_24_keeper() -> None:
    """The Keeper makes a wounded 8/8 an unhurt 3/3; later blessings count on top."""
    duel = Duel(side(hero="paladin", hand=["Keeper of Uldaman"]), side(board=[Minion("Alexstrasza", health=4)]))
    assert duel.play("Keeper of Uldaman", "e1").board(1) == [("Alexstrasza", 3, 3)]
    assert int(duel.bodies(1)[0].max_health) == 3
    both = Duel(side(hero="paladin", hand=["Keeper of Uldaman", "Blessing of Kings"], board=["Leper Gnome"]))
    both.play("Keeper of Uldaman", "1").play("Blessing of Kings", "1")
    assert both.board()[0] == ("Leper Gnome", 7, 7)


def test_point_25_doomsayer() -> None:
    """At its owner's next start it destroys all minions, before the card is drawn."""
    mine = side(hand=["Doomsayer"], board=["Loot Hoarder"], deck=[YETI, OGRE, "Leper Gnome"])
    duel = Duel(mine, side(board=[OGRE, "Shielded Minibot"])).play("Doomsayer").do("end")
    assert len(duel.names(1)) == 2
    duel.do("end")
    assert duel.names(0) == duel.names(1) == []
    assert duel.hand() == [YETI, OGRE]
    assert duel.told(k.DIED, k.DREW)[-2:] == [k.DREW] * 2  # the card of the turn, told to each of the two
    assert duel.told(k.DIED, k.DREW).count(k.DREW) == 4  # and the Hoarder's before it


def test_point_26_kill_command() -> None:
    """Five damage with a Beast on one's side, three with spiders only."""
    assert Duel(side(hand=["Kill Command"], board=["Haunted Creeper"])).play("Kill Command", "e0").health(1) == 25
    assert Duel(side(hand=["Kill Command"], board=["Spectral Spider"])).play("Kill Command", "e0").health(1) == 27
    enemy = Duel(side(hand=["Kill Command"]), side(board=["Haunted Creeper"])).play("Kill Command", "e0")
    assert enemy.health(1) == 27


def test_point_27_quick_shot() -> None:
    """The last card of the hand draws another."""
    assert Duel(side(hand=["Quick Shot"])).play("Quick Shot", "e0").hand() == [OGRE]
    assert Duel(side(hand=["Quick Shot", YETI])).play("Quick Shot", "e0").hand() == [YETI]


def test_point_28_knife_juggler() -> None:
    """One knife for each token, none for the Juggler itself."""
    assert Duel(side(hand=["Knife Juggler"])).play("Knife Juggler").health(1) == 30
    muster = Duel(side(hero="paladin", board=["Knife Juggler"], hand=["Muster for Battle", YETI]))
    assert muster.play("Muster for Battle").health(1) == 27
    assert muster.told(k.APPEARED, k.HIT) == [k.APPEARED, k.HIT] * 3
    assert muster.play(YETI).health(1) == 26
    two = Duel(side(board=["Knife Juggler"], hand=["Knife Juggler"])).play("Knife Juggler")
    assert two.health(1) == 29


def test_point_29_unleash_is_capped() -> None:
    """One hound for each enemy minion, as far as there is room."""
    duel = Duel(side(board=[YETI] * 5, hand=["Unleash the Hounds"]), side(board=[OGRE] * 4)).play("Unleash the Hounds")
    assert duel.names() == [YETI] * 5 + ["Hound"] * 2
    assert duel.can("attack 6 e1")
    assert not Duel(side(hand=["Unleash the Hounds"])).can_play("Unleash the Hounds")
    full = Duel(side(board=[YETI] * 7, hand=["Unleash the Hounds"]), side(board=[OGRE]))
    assert not full.can_play("Unleash the Hounds")


def test_point_30_the_same_seed_gives_the_same_game() -> None:
    """Seed and moves decide every byte."""
    game = hearthstone(deck1="face", deck2="secret")
    ends = []
    for _ in range(2):
        state = game.start(seed=77)
        for turn in itertools.count():
            if state.over:
                break
            state.play(state.legal[turn * 7 % len(state.legal)])
        ends.append((state.array.tobytes(), state.history))
    assert ends[0] == ends[1]
    with pytest.raises(IllegalAction):
        state.play("end")
