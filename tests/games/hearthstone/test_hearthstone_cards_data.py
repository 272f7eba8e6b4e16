"""The cards as data: their numbers in February 2016, a card added by one line, lines that are refused."""

from __future__ import annotations

import dataclasses
import inspect
import re

import pytest
from tests.games.hearthstone.hearthstone_scene import Half, Scene, with_cards

import ludens
from ludens.core.error import BrokenGame
from ludens.games.hearthstone import card_text, effects
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, Effect, all_cards, find_card, minion, numbered, on, spell
from ludens.games.hearthstone.cards import mage

# id, type, cost, attack/health (of weapons attack/durability), tribe, name; * is legendary
CARDS = """
GVG_043  weapon 2 2/2 none   Glaivezooka
EX1_536  weapon 3 3/2 none   Eaglehorn Bow
AT_060   secret 2 0/0 none   Bear Trap
EX1_610  secret 2 0/0 none   Explosive Trap
BRM_013  spell  2 0/0 none   Quick Shot
NEW1_031 spell  3 0/0 none   Animal Companion
EX1_539  spell  3 0/0 none   Kill Command
EX1_538  spell  3 0/0 none   Unleash the Hounds
FP1_020  secret 1 0/0 none   Avenge
AT_073   secret 1 0/0 none   Competitive Spirit
EX1_130  secret 1 0/0 none   Noble Sacrifice
EX1_136  secret 1 0/0 none   Redemption
GVG_061  spell  3 0/0 none   Muster for Battle
CS2_092  spell  4 0/0 none   Blessing of Kings
GVG_059  weapon 3 2/3 none   Coghammer
CS2_097  weapon 4 4/2 none   Truesilver Champion
GVG_058  minion 2 2/2 mech   Shielded Minibot
LOE_017  minion 4 3/4 none   Keeper of Uldaman
AT_079   minion 6 6/6 none   Mysterious Challenger
EX1_383  minion 8 6/6 none   Tirion Fordring*
CS2_031  spell  1 0/0 none   Ice Lance
EX1_277  spell  1 0/0 none   Arcane Missiles
NEW1_012 minion 1 1/3 none   Mana Wyrm
CS2_024  spell  2 0/0 none   Frostbolt
CS2_025  spell  2 0/0 none   Arcane Explosion
CS2_023  spell  3 0/0 none   Arcane Intellect
CS2_026  spell  3 0/0 none   Frost Nova
EX1_289  secret 3 0/0 none   Ice Barrier
EX1_295  secret 3 0/0 none   Ice Block
CS2_029  spell  4 0/0 none   Fireball
CS2_028  spell  6 0/0 none   Blizzard
CS2_032  spell  7 0/0 none   Flamestrike
EX1_279  spell 10 0/0 none   Pyroblast
CS2_188  minion 1 2/1 none   Abusive Sergeant
EX1_029  minion 1 2/1 none   Leper Gnome
EX1_010  minion 1 2/1 none   Worgen Infiltrator
EX1_080  minion 1 1/2 none   Secretkeeper
FP1_002  minion 2 1/2 beast  Haunted Creeper
CS2_203  minion 2 2/1 beast  Ironbeak Owl
NEW1_019 minion 2 3/2 none   Knife Juggler
FP1_004  minion 2 2/2 none   Mad Scientist
EX1_012  minion 2 1/1 none   Bloodmage Thalnos*
NEW1_021 minion 2 0/7 none   Doomsayer
EX1_096  minion 2 2/1 none   Loot Hoarder
CS2_172  minion 2 3/2 beast  Bloodfen Raptor
CS2_173  minion 2 2/1 murloc Bluegill Warrior
EX1_089  minion 3 4/2 none   Arcane Golem
AT_087   minion 3 2/1 none   Argent Horserider
EX1_007  minion 3 1/3 none   Acolyte of Pain
CS2_125  minion 3 3/3 beast  Ironfur Grizzly
EX1_019  minion 3 3/2 none   Shattered Sun Cleric
GVG_096  minion 4 4/3 mech   Piloted Shredder
CS2_182  minion 4 4/5 none   Chillwind Yeti
CS2_179  minion 4 3/5 none   Sen'jin Shieldmasta
FP1_030  minion 5 5/5 none   Loatheb*
FP1_012  minion 5 3/5 none   Sludge Belcher
GVG_069  minion 5 3/3 mech   Antique Healbot
EX1_097  minion 5 4/4 none   Abomination
EX1_399  minion 5 2/7 none   Gurubashi Berserker
CS2_200  minion 6 6/7 none   Boulderfist Ogre
BRM_028  minion 6 5/5 none   Emperor Thaurissan*
GVG_110  minion 7 7/7 none   Dr. Boom*
EX1_561  minion 9 8/8 dragon Alexstrasza*
EX1_563  minion 9 4/12 dragon Malygos*
"""

TOKENS = """
GAME_005  spell  0 0/0 none   The Coin
EX1_538t  minion 1 1/1 beast  Hound
NEW1_032  minion 3 4/4 beast  Misha
NEW1_033  minion 3 2/4 beast  Leokk
NEW1_034  minion 3 4/2 beast  Huffer
FP1_002t  minion 1 1/1 none   Spectral Spider
GVG_110t  minion 1 1/1 mech   Boom Bot
FP1_012t  minion 1 1/2 none   Slime
EX1_130a  minion 1 2/1 none   Defender
CS2_101t  minion 1 1/1 none   Silver Hand Recruit
EX1_383t  weapon 5 5/3 none   Ashbringer
"""

POWERS = {
    "warrior": "CS2_102",
    "shaman": "CS2_049",
    "rogue": "CS2_083b",
    "paladin": "CS2_101",
    "hunter": "DS1h_292",
    "druid": "CS2_017",
    "warlock": "CS2_056",
    "mage": "CS2_034",
    "priest": "CS1h_001",
}


def lines(table: str) -> list[str]:
    return table.strip().splitlines()


def written(card: Card) -> str:
    """A card as the tables above write it, spaces aside."""
    type_ = {k.MINION: "minion", k.SPELL: "spell", k.SECRET: "secret", k.WEAPON: "weapon"}[card.type]
    name = card.name + "*" * card.is_legendary
    return f"{card.id} {type_} {card.cost} {card.attack}/{card.health} {k.TRIBES[card.tribe]} {name}"


def test_there_are_64_cards() -> None:
    assert len(lines(CARDS)) == 64


@pytest.mark.parametrize("line", lines(CARDS) + lines(TOKENS), ids=lambda line: line.split()[0])
def test_cards_are_those_of_2016(line: str) -> None:
    assert written(find_card(line.split()[0])) == re.sub(" +", " ", line)


def test_decks_hold_cards_but_no_tokens() -> None:
    assert not any(find_card(line.split()[0]).is_token for line in lines(CARDS))
    assert all(find_card(line.split()[0]).is_token for line in lines(TOKENS))
    assert not find_card("Light's Justice").is_token, "a card of its own, and a token of Muster for Battle"


def test_every_class_has_its_power() -> None:
    table = ludens.game("hearthstone").rules.constants.c[0]
    assert {name: all_cards()[int(table["powers"][k.CLASSES.index(name)])].id for name in POWERS} == POWERS
    assert all(find_card(id).cost == 2 for id in POWERS.values())


def test_numbers_names_and_ids_are_unique() -> None:
    cards = all_cards()
    assert all(number == card.number for number, card in cards.items())
    assert len({card.id for card in cards.values()}) == len({card.name for card in cards.values()}) == len(cards)


# One line more


def test_a_minion_is_added_by_one_line() -> None:
    line = minion("Tinkertown Wolf", "NEW_001", 3, 2, 3, on(k.DEATH, k.SUMMON, "Nerubian", 1), tribe=k.MECH)
    s = hold(line, Half(board=["Mechwarper"]), Half(board=["Chillwind Yeti"])).do("play 1")
    added = s.bodies()[1]
    assert (int(added.attack), int(added.health), s.mana()) == (2, 3, 8), "Mechwarper knows that it is a Mech"
    assert s.do("end", "attack 1 e2").board()[1] == ("Nerubian", 4, 4)


def test_a_spell_is_added_by_one_line() -> None:
    line = spell("Wildfire", "NEW_002", 4, on(k.PLAY, k.DAMAGE, 3, to=k.EVERYBODY))
    s = hold(line, Half(board=["Kobold Geomancer"]), Half(board=["Chillwind Yeti"])).do("play 1")
    assert (s.health(), s.health(1), s.board(), s.board(1)) == (26, 26, [], [("Chillwind Yeti", 4, 1)])


def added_to_mage(card: Card) -> dict[int, Card]:
    """All cards, and one more at the end of the mage's file."""
    base = min(number for number, each in all_cards().items() if each.class_ == "mage")
    return {**all_cards(), **numbered("mage", base, [*mage.CARDS, card])}


def hold(card: Card, me: Half, foe: Half) -> Scene:
    """A scene in which I hold a card that the files do not have."""
    cards = added_to_mage(card)
    s = Scene(dataclasses.replace(me, hand=["The Coin"]), foe, game=with_cards(cards))
    s.state.raw.side[0].hand[0] = max(number for number, each in cards.items() if each.class_ == "mage")
    return s


# Lines that are refused


def test_a_card_that_names_an_unknown_card_is_refused() -> None:
    with pytest.raises(BrokenGame, match="'Nerubean', which does not exist"):
        with_cards(added_to_mage(minion("Wolf", "NEW_001", 3, 2, 3, on(k.DEATH, k.SUMMON, "Nerubean", 1))))


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (on(k.PLAY, 99), "Oddity: there is no kind 99 of effects: record.py lists them, EFFECT_KINDS"),
        (on(0, k.DRAW, 1), "Oddity: there is no trigger 0"),
        (on(k.HAS_AURA, k.DRAW, 1), "Oddity: there is no trigger"),
        (on(k.PLAY, k.DRAW, 1, condition=40), "Oddity: there is no condition 40"),
        (on(k.PLAY, k.DAMAGE, 1, to=50), "Oddity: there are no recipients 50"),
        (on(k.PLAY, k.DAMAGE, 1), "Oddity: it acts on characters, and does not say on which: give its recipients"),
    ],
)
def test_a_card_that_names_an_unknown_effect_is_refused(effect: Effect, words: str) -> None:
    with pytest.raises(BrokenGame, match=words):
        with_cards(added_to_mage(spell("Oddity", "NEW_003", 1, effect)))


def test_what_the_record_lists_is_done() -> None:
    """A name in a list is not enough: what has no branch in effects.py does nothing."""
    code = inspect.getsource(effects)
    for names in (card_text.EFFECT_KINDS, card_text.CONDITIONS, card_text.RECIPIENTS):
        for name in names.values():
            is_done = re.search(rf"\bk\.{name.upper()}\b", code) or name == "shield_hero"  # `damage` does Ice Block
            assert is_done, f"effects.py has no branch for k.{name.upper()}"


def test_a_class_file_that_is_full_is_refused() -> None:
    with pytest.raises(BrokenGame, match=r"cards/mage.py has 40 cards, space is for 32"):
        numbered("mage", 480, mage.CARDS[:1] * 40)
