"""Start fields from outside: the decks of a game record. A deck that no file could hold is refused in a sentence."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.games.hearthstone.hearthstone_duel import hearthstone
from tests.soak import Figures, amount, soak

from ludens.core.error import LudensError
from ludens.core.record import Record
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import all_cards, find_card
from ludens.games.hearthstone.deck import SHIPPED, find_deck
from ludens.games.hearthstone.export import play_again
from ludens.games.hearthstone.export_csv import decision_rows, summary_row
from ludens.games.hearthstone.export_hdt import to_hdtreplay
from ludens.games.hearthstone.export_hsreplay import to_hsreplay

RECORDS = amount(600, 10_000)
EXPORTED = amount(6, 300)  # of those accepted
DECKS = [find_deck(name) for name in SHIPPED]
FACE = find_deck("face")
NUMBERS = list(all_cards())
STRANGE = (-1, 0, 1, 9, 10, 255, 256, 639, 640, 2**16, 2**16 + 1, 2**31, 2**40, 2**64, -(10**30), 10**400)
WRONG: tuple[Any, ...] = (None, True, 1.0, 1.5, float("nan"), "", "7", "\x1b[31m", [], [1], {}, {"a": 1}, [[[[1]]]])


def decks(*names: str) -> dict[str, Any]:
    """The start fields of two decks."""
    found = [find_deck(name) for name in names]
    return {"lists": [list(deck.cards) for deck in found], "classes": [deck.class_number for deck in found]}


# What is refused, and how


def with_lists(cards: list[Any], class_: int = FACE.class_number) -> dict[str, Any]:
    return {"lists": [list(FACE.cards), cards], "classes": [FACE.class_number, class_]}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (with_lists([find_card("Jaina").number] * 30), "deck of seat 2: Jaina is no card for a deck"),
        (with_lists([find_card("Leper Gnome").number] * 30), "deck of seat 2: 30 copies of Leper Gnome"),
        (with_lists(list(find_deck("malygos").cards)), "is a mage card, the deck is for a hunter"),
        (with_lists([639] * 30), "deck of seat 2: there is no card with number 639"),
        (with_lists([10**400] * 30), "deck of seat 2: there is no card with number 1000"),
        (with_lists(list(FACE.cards), 10), "deck of seat 2: its class is a number from 1 to 9, not 10"),
        (with_lists(list(FACE.cards), 0), "deck of seat 2: its class is a number from 1 to 9, not 0"),
        (with_lists([0] * 30), "deck of seat 2: there is no card with number 0"),
        (with_lists(list(FACE.cards)[:29]), "each deck of 'lists' has 30 card numbers"),
        (with_lists([*FACE.cards[:29], 1.0]), "class and cards of seat 2 in the start fields must be whole numbers"),
        (with_lists([*FACE.cards[:29], True]), "class and cards of seat 2"),
        ({"lists": [list(FACE.cards)] * 2}, "deck of seat 1: its class is a number from 1 to 9, not 0"),
        ({"lists": list(FACE.cards)}, "'lists' has two decks, one for each seat"),
        ({"classes": [5, 5]}, "deck of seat 1: there is no card with number 0"),
        ({"classes": 5}, "'classes' has two numbers, one for each seat"),
        ({**decks("face", "secret"), "board": 1}, "hearthstone has no start field 'board'"),
    ],
)
def test_a_deck_that_no_file_could_hold_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LudensError) as why:
        hearthstone().start(seed=1, fields=fields)
    assert sentence in str(why.value)
    assert_is_one_line(why.value)


def assert_is_one_line(why: LudensError) -> None:
    text = str(why)
    assert 10 < len(text) <= 300
    assert text.isprintable()


def test_a_seat_without_a_deck_of_its_own_plays_that_of_the_options() -> None:
    own = find_deck("malygos")
    fields = {"lists": [[0] * k.DECK, list(own.cards)], "classes": [0, own.class_number]}
    state = hearthstone(deck1="secret").start(seed=1, fields=fields)
    assert tuple(state.raw.lists[0].tolist()) == find_deck("secret").cards
    assert tuple(state.raw.lists[1].tolist()) == own.cards


def test_the_order_of_the_cards_does_not_matter() -> None:
    fields = decks("face", "liege")
    turned = {**fields, "lists": [cards[::-1] for cards in fields["lists"]]}
    one, other = (hearthstone().start(seed=3, fields=each) for each in (fields, turned))
    assert one.checksum == other.checksum


# Records with other start fields


def change_a_card(start: dict[str, Any], dice: random.Random) -> None:
    cards = dice.choice(start["lists"])
    cards[dice.randrange(k.DECK)] = dice.choice((dice.choice(NUMBERS), dice.choice(NUMBERS), *STRANGE, *WRONG))


def change_a_class(start: dict[str, Any], dice: random.Random) -> None:
    start["classes"][dice.randrange(2)] = dice.choice((*range(-1, 12), *STRANGE, *WRONG))


def change_the_length(start: dict[str, Any], dice: random.Random) -> None:
    part = dice.choice((start["classes"], start["lists"], *start["lists"]))
    dice.choice((part.pop, lambda: part.append(1), part.clear, lambda: part.append(part[0]), part.reverse))()


def change_a_field(start: dict[str, Any], dice: random.Random) -> None:
    name = dice.choice(("lists", "classes", "seed"))
    start[name] = dice.choice((*STRANGE, *WRONG, [0, 0], [[0] * 30] * 2, [dice.choice(NUMBERS)] * 30))


def drop_a_field(start: dict[str, Any], dice: random.Random) -> None:
    del start[dice.choice(list(start))]


def one_card_thirty_times(start: dict[str, Any], dice: random.Random) -> None:
    start["lists"][dice.randrange(2)] = [dice.choice(NUMBERS)] * k.DECK


def another_deck(start: dict[str, Any], dice: random.Random) -> None:
    seat, deck = dice.randrange(2), dice.choice(DECKS)
    start["lists"][seat] = dice.sample(deck.cards, k.DECK)
    if dice.random() < 0.8:
        start["classes"][seat] = deck.class_number


def no_deck(start: dict[str, Any], dice: random.Random) -> None:
    seat = dice.randrange(2)
    start["lists"][seat], start["classes"][seat] = [0] * k.DECK, 0


CHANGES: list[Callable[[dict[str, Any], random.Random], None]] = [
    *(change_a_card, change_a_card, change_a_class, change_the_length, change_a_field, drop_a_field),
    *(one_card_thirty_times, another_deck, no_deck),
]


def changed_record(seed: int) -> str:
    """A record of a game that has just begun, with a change of its start fields, as a line of JSON."""
    dice = random.Random(seed)
    start = copy.deepcopy(decks(*dice.sample(list(SHIPPED), 2)))
    dice.choice(CHANGES)(start, dice)
    record = {"ludens": 2, "game": "hearthstone", "version": 2, "options": {}, "seed": seed, "actions": []}
    return json.dumps({**record, "checksum": "", "start": start})


def played(state: State, dice: random.Random) -> State:
    """The game played to its end by random moves, which seldom end a turn early."""
    while not state.over:
        legal = state.legal
        state.play(dice.choice(legal[1:] if len(legal) > 1 and dice.random() < 0.9 else legal))
    return state


def assert_can_be_shown(state: State) -> None:
    """Views are drawn, the record replays, and every export tells it."""
    for seat in (None, 0, 1):
        for shape in ("wide", "tall"):
            assert state.game.face.svg(state.view(seat), shape=shape).startswith("<svg")
    ended = play_again(Record.from_json(state.record.to_json()))
    assert len(summary_row(ended)) == 9
    assert len(decision_rows(ended)) == len(state.actions)
    assert to_hdtreplay(ended).startswith(b"PK")
    assert to_hsreplay(ended).startswith("<?xml")


@soak
def test_records_with_other_start_fields_are_played_or_refused_in_a_sentence(figures: Figures) -> None:
    count = Counter[str]()
    for seed in range(RECORDS):
        try:
            state = Record.from_json(changed_record(seed)).replay_to(0)
        except LudensError as why:
            assert_is_one_line(why)
            count["refused"] += 1
            continue
        count["played"] += 1
        assert [k.CLASSES[int(each)] for each in state.raw.classes] != ["neutral"] * 2
        assert state.game.face.svg(state.view(0)).startswith("<svg")
        if count["played"] <= EXPORTED:
            assert_can_be_shown(played(state, random.Random(seed)))
    assert min(count.values()) > RECORDS // 20
    figures(records=RECORDS, refused=count["refused"], played=count["played"])
