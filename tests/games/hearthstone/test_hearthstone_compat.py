"""Where the real rules and the simulator that the thesis measured on differ, or nearly do: each rule from both sides.

What happens to secrets is also looked at through the eyes of both seats: what a seat was told, and which secrets it
holds possible.
"""

from __future__ import annotations

import pytest
from tests.games.hearthstone.hearthstone_duel import Duel, name_of, side
from tests.games.hearthstone.hearthstone_redeal import guesses

from ludens.core.event import events_for
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.position import Minion, Secret, Side

REAL, THESIS = "none", "fireplace2016"
OGRE, YETI, RECRUIT = "Boulderfist Ogre", "Chillwind Yeti", "Silver Hand Recruit"
BOTH = pytest.mark.parametrize("compat", [REAL, THESIS])


def paladin(*board: str | Minion, secrets: list[str | Secret] | None = None) -> Side:
    return side(hero="paladin", board=board, secrets=secrets or [])


def told(duel: Duel, seat: int, kind: int) -> list[str]:
    """The cards in what the last move told a seat of this kind, in order; for secrets that is their second number."""
    events = [event for event in events_for(duel.state.history[-1], seat) if event.kind == kind]
    return [name_of(event.b if kind == k.UNCOVERED else event.a % 1024) for event in events]


def uncovered(duel: Duel) -> list[str]:
    """The secrets that acted in the last move, in order, as both seats were told."""
    first, other = (told(duel, seat, k.UNCOVERED) for seat in range(2))
    assert first == other
    return first


def thought_possible(duel: Duel, seat: int, deck: list[str]) -> set[str]:
    """Which of the cards in its deck the other seat's only secret may be, as ``seat`` sees it."""
    rival = 1 - seat
    worlds = [world["side"][rival] for world in guesses(duel.state.view(seat), 80)]
    found = {name_of(world["secrets"][0]) for world in worlds}
    assert found <= {*deck, *duel.secrets(rival)}
    return found


# Dr. Boom


@BOTH
def test_boom_bots_stand_on_both_sides_and_the_right_one_comes_first(compat: str) -> None:
    free = Duel(side(hand=["Dr. Boom"], board=[YETI]), positions="free", compat=compat).do("play 1 at 1")
    assert free.names() == ["Boom Bot", "Dr. Boom", "Boom Bot", YETI]
    ages = [int(body.play_order) for body in free.bodies()]
    assert ages[1] < ages[2] < ages[0]
    for seat in range(2):
        assert told(free, seat, k.APPEARED) == ["Dr. Boom", "Boom Bot", "Boom Bot"]
    five = Duel(side(hand=["Dr. Boom"], board=[YETI] * 5), compat=compat).play("Dr. Boom")
    assert five.names() == [*[YETI] * 5, "Dr. Boom", "Boom Bot"]


# What waits for a death


@BOTH
@pytest.mark.parametrize("order", [["Redemption", "Avenge"], ["Avenge", "Redemption"]], ids="-".join)
def test_redemption_comes_after_avenge_but_in_the_thesis_by_age(order: list[str | Secret], compat: str) -> None:
    """Whoever is redeemed before Avenge acts may be avenged by itself."""
    is_gnome_avenged = set()
    for seed in range(12):
        foe = paladin("Leper Gnome", secrets=order)
        duel = Duel(side(hero="mage"), foe, seed=seed, compat=compat).do("power e1")
        is_first = compat == THESIS and order[0] == "Redemption"
        assert uncovered(duel) == (["Redemption", "Avenge"] if is_first else ["Redemption"])
        assert duel.board(1) == [("Leper Gnome", 5, 3) if is_first else ("Leper Gnome", 2, 1)]
        two = Duel(side(hero="mage"), paladin("Leper Gnome", YETI, secrets=order), seed=seed, compat=compat)
        assert uncovered(two.do("power e1")) == (order if compat == THESIS else ["Avenge", "Redemption"])
        is_gnome_avenged.add(two.board(1)[1].attack == 5)
    assert is_gnome_avenged == ({True, False} if is_first else {False})


@BOTH
@pytest.mark.parametrize("age", [-1, 1])
def test_a_redeemed_sheep_does_not_explode_at_once_but_in_the_thesis(age: int, compat: str) -> None:
    """Its Deathrattle, 2 damage to all minions, acts before Redemption whichever is older; in the thesis after it."""
    foe = paladin("Explosive Sheep", secrets=[Secret("Redemption", since=age)])
    duel = Duel(side(hero="mage"), foe, compat=compat).do("power e1")
    assert uncovered(duel) == ["Redemption"]
    assert duel.names(1) == ([] if compat == THESIS else ["Explosive Sheep"])


@pytest.mark.parametrize("age", [-1, 1])
def test_death_secrets_act_by_age_beside_a_deathrattle_but_before_it_in_the_thesis(age: int) -> None:
    foe = paladin(Minion("Sludge Belcher", health=1), secrets=[Secret("Avenge", since=age)])
    real, thesis = (Duel(side(hero="mage"), foe, compat=compat).do("power e1") for compat in (REAL, THESIS))
    assert real.board(1) == [("Slime", 1, 2) if age < 0 else ("Slime", 4, 4)]
    assert uncovered(real) == ([] if age < 0 else ["Avenge"])
    assert (thesis.board(1), uncovered(thesis)) == ([("Slime", 1, 2)], [])


@BOTH
def test_the_last_room_goes_to_the_deathrattle_or_in_the_thesis_to_redemption(compat: str) -> None:
    foe = paladin(Minion("Haunted Creeper", health=1), *[YETI] * 6, secrets=[Secret("Redemption", since=-1)])
    duel = Duel(side(hero="mage"), foe, compat=compat).do("power e1")
    if compat == THESIS:
        assert (duel.names(1), uncovered(duel)) == ([*[YETI] * 6, "Haunted Creeper"], ["Redemption"])
    else:
        assert (duel.names(1), uncovered(duel)) == (["Spectral Spider", *[YETI] * 6], [])


def test_tokens_of_a_deathrattle_stand_in_its_place_but_at_the_right_end_in_the_thesis() -> None:
    board = [YETI, Minion("Haunted Creeper", health=1), Minion("Sludge Belcher", health=1), OGRE]
    foe, spiders = side(board=board), ["Spectral Spider"] * 2
    real, thesis = (
        Duel(side(hero="mage", hand=["Arcane Explosion"]), foe, compat=compat).play("Arcane Explosion")
        for compat in (REAL, THESIS)
    )
    assert real.names(1) == [YETI, *spiders, "Slime", OGRE]
    assert thesis.names(1) == [YETI, OGRE, *spiders, "Slime"]


# The start of a turn


@BOTH
@pytest.mark.parametrize("age", [-1, 1])
def test_competitive_spirit_counts_minions_that_doomsayer_will_destroy(age: int, compat: str) -> None:
    foe = paladin(Minion("Doomsayer"), YETI, secrets=[Secret("Competitive Spirit", since=age)])
    duel = Duel(side(), foe, compat=compat).do("end")
    assert (duel.board(1), uncovered(duel)) == ([], ["Competitive Spirit"])
    alone = Duel(side(), paladin(secrets=["Competitive Spirit"]), compat=compat).do("end")
    assert alone.secrets(1) == ["Competitive Spirit"]


@BOTH
def test_a_secret_that_stays_while_doomsayer_acts_is_not_competitive_spirit(compat: str) -> None:
    deck = ["Competitive Spirit", "Noble Sacrifice", YETI]
    for board, is_excluded in ((["Doomsayer"], True), ([], False)):
        foe = side(hero="paladin", board=board, secrets=["Noble Sacrifice"], deck=deck)
        duel = Duel(side(), foe, compat=compat).do("end")
        assert ("Competitive Spirit" not in thought_possible(duel, 0, deck)) == is_excluded
        assert duel.state.view(1).raw.side[1].secrets[0] == duel.state.raw.side[1].secrets[0]


def test_doomsayer_wakes_secrets_of_the_other_player_but_in_the_thesis_those_of_its_owner() -> None:
    """Until the effects of the start are done, the thesis's simulator takes it for the turn of the player before."""
    mine, foe = paladin(YETI, secrets=["Redemption"]), paladin("Doomsayer", secrets=["Redemption"])
    real, thesis = (Duel(mine, foe, compat=compat).do("end") for compat in (REAL, THESIS))
    assert (real.board(0), real.board(1)) == ([(YETI, 4, 1)], [])
    assert (real.secrets(0), real.secrets(1)) == ([], ["Redemption"])
    assert (thesis.board(0), thesis.board(1)) == ([], [("Doomsayer", 0, 1)])
    assert (thesis.secrets(0), thesis.secrets(1)) == (["Redemption"], [])
    assert (uncovered(real), uncovered(thesis)) == (["Redemption"], ["Redemption"])


def test_what_sleeps_through_doomsayer_tells_nothing() -> None:
    """A secret that saw a minion die while a token lived, and stayed, waits for no deaths; one that slept may."""
    deck, board = ["Redemption", "Avenge", "Noble Sacrifice", YETI], ["Haunted Creeper", YETI]
    sides = (
        side(hero="paladin", board=board, secrets=["Noble Sacrifice"], deck=deck),
        side(hero="paladin", board=["Doomsayer", *board], secrets=["Noble Sacrifice"], deck=deck),
    )
    for compat, awake in ((REAL, 0), (THESIS, 1)):
        duel = Duel(*sides, compat=compat).do("end")
        assert thought_possible(duel, 1 - awake, deck) == {"Noble Sacrifice"}
        assert thought_possible(duel, awake, deck) == {"Noble Sacrifice", "Redemption", "Avenge"}


# Mana


def test_the_coin_pays_for_a_hero_power_but_not_in_the_thesis() -> None:
    for compat, left in ((REAL, 0), (THESIS, 1)):
        duel = Duel(side(crystals=1, hand=["The Coin", "Leper Gnome"]), compat=compat).play("The Coin").do("power")
        assert (duel.mana(), duel.can_play("Leper Gnome"), duel.health(1)) == (left, left == 1, 28)
        assert [int(duel.state.view(seat).raw.side[0].mana) for seat in range(2)] == [left] * 2
        assert [int(duel.state.view(seat).raw.side[0].extra_mana) for seat in range(2)] == [left] * 2


@BOTH
def test_cards_are_paid_with_the_coin_first(compat: str) -> None:
    duel = Duel(side(crystals=2, hand=["The Coin", "Leper Gnome"]), compat=compat).play("The Coin")
    assert (duel.mana(), duel.state.raw.side[0].extra_mana) == (3, 1)
    duel.play("Leper Gnome").do("power")
    assert (duel.mana(), duel.state.raw.side[0].extra_mana) == (0, 0)
    spent = Duel(side(crystals=2, mana=0, hand=["The Coin"]), compat=compat).play("The Coin")
    assert spent.mana() == 1
    assert spent.do("end").mana() == 0
