"""Texts of cards: every row of every card is told, in three languages."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from ludens.core.language import LANGUAGES, Catalogue
from ludens.games import hearthstone
from ludens.games.hearthstone import card_text
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards, find_card, minion, on, random, secret, spell
from ludens.games.hearthstone.card_text import kind_of, stats_of, text_of

TEXTS = Catalogue(Path(hearthstone.__file__).parent / "text")

ENGLISH = {
    "Chillwind Yeti": "",
    "Argent Horserider": "Charge. Divine Shield.",
    "Ironbeak Owl": "Battlecry: silence a minion.",
    "Acolyte of Pain": "Whenever this minion takes damage, draw a card.",
    "Gurubashi Berserker": "Whenever this minion takes damage, give it +3 attack.",
    "Explosive Trap": "Secret: when your hero is attacked, deal 2 damage to all enemies.",
    "Frostbolt": "Deal 3 damage to a character and freeze it.",
    "Blizzard": "Deal 2 damage to all enemy minions and freeze them.",
    "Ice Lance": "Deal 4 damage to a character if it is frozen; freeze it if it is not.",
    "Bloodmage Thalnos": "Spell Damage +1. Deathrattle: draw a card.",
    "Sludge Belcher": "Taunt. Deathrattle: summon Slime (1/2; Taunt).",
    "Dr. Boom": "Battlecry: summon 2 × Boom Bot (1/1; Deathrattle: deal 1 to 4 damage to a random enemy).",
    "Nerub'ar Weblord": "Minions with Battlecry cost 2 more.",
    "Mechwarper": "Your Mechs cost 1 less.",
    "Secretkeeper": "Whenever anybody plays a secret, give this minion +1 attack and +1 health.",
    "Abusive Sergeant": "Battlecry: give a minion +2 attack this turn.",
    "Reinforce": "Summon Silver Hand Recruit (1/1). Needs room in your row.",
    "Arcane Intellect": "Draw 2 cards.",
    "Cutpurse": "Whenever this minion attacks, put The Coin into your hand if it attacks a hero.",
}
CZECH = {
    "Ironbeak Owl": "Battlecry: umlčte přisluhovače.",
    "Frostbolt": "Způsobte postavě zranění 3 a zmrazte ji.",
    "Cruel Taskmaster": "Battlecry: způsobte přisluhovači zranění 1 a dejte mu +2 k útoku.",
    "Doomsayer": "Na začátku vašeho tahu zničte všechny přisluhovače.",
}
SLOVAK = {
    "Ironbeak Owl": "Battlecry: umlčte prisluhovača.",
    "Frostbolt": "Spôsobte postave zranenie 3 a zmrazte ju.",
    "Arcane Intellect": "Potiahnite 2 karty.",
}


@pytest.mark.parametrize(
    ("language", "name", "text"),
    [
        (language, name, text)
        for language, texts in (("en", ENGLISH), ("cs", CZECH), ("sk", SLOVAK))
        for name, text in texts.items()
    ],
)
def test_texts_read_like_this(language: str, name: str, text: str) -> None:
    assert text_of(find_card(name), language) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_does_something_has_a_text(language: str) -> None:
    for card in all_cards().values():
        does = card.effects or card.keywords or card.aura[0] or card.spell_damage or card.needs
        assert bool(text_of(card, language)) == bool(does), card.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_of_a_card_stands_in_its_text(language: str) -> None:
    for card in all_cards().values():
        for effect in card.effects:
            if effect.kind in (k.DAMAGE, k.HEAL, k.ARMOR, k.BUFF, k.BUFF_NOW) and effect.a not in (-1, 0):
                assert str(abs(effect.a)) in text_of(card, language), card.name  # type: ignore[arg-type]


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_sentences(language: str) -> None:
    for card in all_cards().values():
        text = text_of(card, language)
        assert not text or (text[0].isupper() and text.endswith(".") and ".." not in text), card.name
        assert not any(sign in text for sign in "{}_"), card.name
        assert "  " not in text, card.name


def test_cards_that_differ_do_not_read_alike() -> None:
    """Texts of cards with different rows differ: nothing of a row is left out."""
    spells = [card for card in all_cards().values() if card.effects]
    for one, other in itertools.combinations(spells, 2):
        if (one.effects, one.keywords, one.target) != (
            other.effects,
            other.keywords,
            other.target,
        ) and one.type == other.type:
            assert text_of(one) != text_of(other), (one.name, other.name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_the_engine_can_do_can_be_told(language: str) -> None:
    """Also what no card does yet."""
    effects = {"damage_between", "damage_same", "summon_cost", *card_text.EFFECT_KINDS.values()}
    named = {name for value, name in card_text.RECIPIENTS.items() if value != k.TARGET}
    whom = [*named, *list(card_text.CHOICES.values())[1:]]
    keys = {
        *(f"do.{name}" for name in effects),
        *(f"{case}.{name}" for name in [*whom, "concerned"] for case in ("whom", "to")),
        *(f"when.{name}" for name in [*card_text.TRIGGERS.values(), *card_text.EITHER.values()]),
        *(f"if.{name}" for name in list(card_text.CONDITIONS.values())[1:]),
        *(f"aura.{name}" for name in list(card_text.AURAS.values())[1:]),
        *(f"tribe.{name}" for name in k.TRIBES[1:]),
    }
    assert {f"card.{key}" for key in keys} <= TEXTS.keys(language)


def test_nothing_of_the_record_is_forgotten() -> None:
    for names, values in (
        (card_text.EFFECT_KINDS, k.EFFECT_KINDS),
        (card_text.RECIPIENTS, k.RECIPIENTS),
        (card_text.CONDITIONS, k.CONDITIONS),
        (card_text.AURAS, k.AURAS),
        (card_text.CHOICES, k.CHOICES),
        (card_text.TYPES, k.TYPES),
    ):
        assert list(names) == list(values)
    moments = {k.PLAY, k.DEATH, k.INSPIRE, *card_text.TRIGGERS}
    assert sorted(moments) == [1 << i for i in range(k.FATAL.bit_length())]
    assert sum(bit for bit in card_text.KEYWORDS if bit != k.IMMUNE) == k.PRINTED


# Cards that nobody made yet


def told(*cards: Card) -> list[str]:
    return [text_of(card) for card in cards]


def test_a_new_card_needs_no_words_of_its_own() -> None:
    assert told(
        minion("A", "X_1", 3, 2, 2, on(k.TURN_END, k.DAMAGE, 2, to=random(k.OTHERS)), keywords=k.TAUNT),
        minion("B", "X_2", 3, 2, 2, on(k.PLAY, k.HEAL, 3, to=k.TARGET), target=k.FRIENDLY),
        secret("C", "X_3", 1, on(k.FOE_CAST | k.ATTACKED, k.DRAW, 2)),
        spell("D", "X_4", 1, on(k.PLAY, k.FREEZE, to=k.FOE_HERO), on(k.PLAY, k.DAMAGE, 1, to=k.FOE_HERO)),
        spell("E", "X_5", 1, *[on(k.PLAY, k.DAMAGE, 1, to=random(k.FOES))] * 2),
    ) == [
        "Taunt. At the end of your turn, deal 2 damage to another random character.",
        "Battlecry: restore 3 health to a friendly character.",
        "Secret: whenever the enemy casts a spell, draw 2 cards. Secret: when your hero is attacked, draw 2 cards.",
        "Freeze the enemy hero and deal 1 damage to that hero.",
        "Deal 1 damage to a random enemy minion and deal 1 damage to a random enemy minion.",
    ]


def test_kind_and_stats() -> None:
    assert kind_of(find_card("Haunted Creeper")) == "minion, Beast"
    assert kind_of(find_card("Avenge")) == "secret"
    assert [stats_of(find_card(name)) for name in ("Haunted Creeper", "Ashbringer", "Fireball")] == ["1/2", "5/3", ""]
