"""The scripted players of Hearthstone at work: what they bring, every deck, and how strong they are together."""

from __future__ import annotations

import numpy as np
import pytest

import ludens
from ludens.arena.series import series
from ludens.core.error import BadOption
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.deck import find_deck
from ludens.games.hearthstone.thesis.bots import BOTS, bots_by_seat, deck_fields
from ludens.games.hearthstone.thesis.planning import BotMemory, Notes

GAME = ludens.game("hearthstone", compat="fireplace2016")


def test_agents_bring_their_decks() -> None:
    decks = {"face-hunter": "face", "secret-paladin": "secret", "malygos-mage": "malygos", "average": "liege"}
    for name, deck in decks.items():
        brings = ludens.agent(name, GAME).start_fields()
        assert tuple(brings["lists"]) == find_deck(deck).cards
        assert k.CLASSES[brings["classes"]] == find_deck(deck).class_
    assert ludens.agent("random", GAME).start_fields() == deck_fields("") == {}
    assert ludens.agent("face-hunter:deck=liege", GAME).start_fields() == deck_fields("liege")


def test_specs_spell_the_reading_as() -> None:
    assert ludens.agent("face-hunter:as=text,owl=taunt", GAME).spec == "face-hunter:as=text,owl=taunt"
    with pytest.raises(BadOption, match="as takes one of code, text"):
        ludens.agent("secret-paladin:as=book", GAME)


@pytest.mark.parametrize("deck", ["face", "secret", "malygos", "liege"])
def test_every_bot_plays_every_deck(deck: str) -> None:
    for reading in ("code", "text"):
        for bot in BOTS:
            spec = f"{bot}:deck={deck}" + (f",as={reading}" if bot != "average" else "")
            series(ludens.game("hearthstone"), [spec, "random-action:deck=secret"], games=20, seed=3)


def test_no_field_is_named_like_an_attribute_of_records() -> None:
    assert not {*(BotMemory.names or ()), *(Notes.names or ())} & set(dir(np.record))


def test_a_cast_plays_each_seat_by_its_own_script() -> None:
    rule = bots_by_seat("face-hunter", "average")
    assert [BOTS[kind] for kind in rule.kinds] == ["face-hunter", "average"]


@pytest.mark.parametrize(
    ("pair", "published"),
    [
        (["random-action:deck=face", "random-action:deck=secret"], 0.26),
        (["random:deck=face", "random-action:deck=malygos"], 0.51),
        (["face-hunter", "secret-paladin"], 0.70),
        (["face-hunter", "malygos-mage"], 0.94),
        (["secret-paladin", "malygos-mage"], 0.74),
        (["malygos-mage", "random-action:deck=face"], 0.64),
        (["average", "random-action:deck=liege"], 0.99),
    ],
)
def test_strengths_are_those_published(pair: list[str], published: float) -> None:
    games = 800
    found = series(GAME, pair, games=games, seed=5)
    share = float((found.of(found.returns) > 0).mean())
    assert abs(share - published) < 0.04 + 2.6 * (published * (1 - published) / games) ** 0.5
