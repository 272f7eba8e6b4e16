"""Hearthstone in words: every event, every refusal and every option in three languages."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import pytest
from tests.games.hearthstone.hearthstone_duel import hearthstone, side

from ludens.core.error import IllegalAction
from ludens.core.event import EVERYONE, PARTLY, Event, events_for
from ludens.core.game import Game
from ludens.core.language import LANGUAGES, Catalogue
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import number_of
from ludens.games.hearthstone.game import Hearthstone, HearthstoneOptions
from ludens.games.hearthstone.position import Minion, Side, arrange
from ludens.games.hearthstone.sentences import Named, card_name

assert Hearthstone.Face.catalogue is not None
TEXTS: Catalogue = Hearthstone.Face.catalogue
AGENTS = ("random", "random-action", "face-hunter", "secret-paladin", "malygos-mage", "average", "mcts")
SILENT = {k.CONDEMNED}  # its death is told
languages = pytest.mark.parametrize("language", LANGUAGES)

GNOME, HOUND, BOW, HERO = (
    number_of("Leper Gnome") + 2048 * 5 + 65536 * 2,
    number_of("Hound") + 1024 + 2048 * 6 + 65536 * 3,
    number_of("Eaglehorn Bow"),
    number_of("Rexxar") + 1024 + 2048,
)
BODILY = {
    *(k.DEFENDED, k.HIT, k.SHIELDED, k.PREVENTED, k.MENDED, k.BUFFED, k.CHANGED, k.GOT, k.FROZE, k.HUSHED),
    *(k.CONDEMNED, k.DIED, k.APPEARED, k.THAWED),
}


def example(kind: int) -> Event:
    """An event of a kind, with numbers that could be."""
    if kind in BODILY:
        return Event(kind, EVERYONE, GNOME, 0 if kind == k.APPEARED else 2, 1)
    special = {
        k.ATTACKING: (GNOME, HERO, 0),
        k.TRIGGERED: (number_of("Leper Gnome"), 1, GNOME),
        k.PLAYED: (1 + 2 * 4, BOW, HOUND),
        k.USED_POWER: (0, number_of("Fireblast"), HERO),
        k.FIZZLED: (BOW, 0, 0),
        k.ARMORED: (0, 2, 2),
        k.FINISHED: (1, 0, 0),
    }
    return Event(kind, EVERYONE, *special.get(kind, (0, BOW, 1)))


def told(game: Game, kind: int, a: int, b: int = 0, c: int = 0) -> str:
    return game.face.event_text(Event(kind, EVERYONE, a, b, c))


def story(state: State, seat: int | None = None) -> list[str]:
    """What is told of the last move."""
    heard = events_for(state.history[-1], seat)
    return [words for event in heard if (words := state.game.face.event_text(event))]


def scene(mine: Side, other: Side, **options: str) -> State:
    return arrange(hearthstone(**options), [mine, other])


# Events


@languages
def test_every_event_has_words(language: str) -> None:
    game = hearthstone().in_language(language)
    spoken = [game.face.event_text(example(kind)) for kind in k.EVENTS if kind not in SILENT]
    assert all(words and words[0] == words[0].upper() and "{" not in words for words in spoken)
    assert len(set(spoken)) == len(spoken)
    assert not any(game.face.event_text(example(kind)) for kind in SILENT)


@languages
def test_every_moment_something_waits_for_has_words(language: str) -> None:
    game = hearthstone().in_language(language)
    moments = range(1, k.FATAL.bit_length() - 1)  # fatal blows are for secrets alone
    told_of = [told(game, k.TRIGGERED, number_of("Hound"), bit, HOUND) for bit in moments]
    assert all("Hound" in words for words in told_of)


def test_a_body_is_called_by_owner_and_tokens_by_place() -> None:
    game = hearthstone()
    assert Named.read(HOUND) == (number_of("Hound"), 1, 6, 3)
    assert told(game, k.DIED, GNOME) == "Player 1's Leper Gnome dies"
    assert told(game, k.DIED, HOUND) == "Player 2's Hound (place 3) dies"
    assert told(game, k.HIT, HERO, 3, 0) == "Player 2's hero takes 3 damage and has no health left"
    assert game.in_language("cs").face.event_text(Event(k.ATTACKING, EVERYONE, GNOME, HERO, 0)) == (
        "Leper Gnome hráče 1 útočí na hrdinu hráče 2"
    )


def test_what_a_listener_may_not_know_is_not_named() -> None:
    game = hearthstone()
    assert told(game, k.DREW, 1) == "Player 2 draws a card"
    assert told(game, k.HID, 1, 0, 2) == "Player 2 plays a secret (2 mana)"
    assert told(game, k.HID, 1, 0, -1) == "Player 2 gets a secret into play"
    assert told(game, k.DEALT, 1) == ""


def test_a_fight_is_told_in_order() -> None:
    mine = side(hero="hunter", board=["Haunted Creeper", "Knife Juggler"])
    state = scene(mine, side(hero="paladin", board=[Minion("Boulderfist Ogre", health=1)]))
    state.play("attack 1 e1")
    assert story(state)[:4] == [
        "Player 1's Haunted Creeper attacks player 2's Boulderfist Ogre",
        "Player 2's Boulderfist Ogre takes 1 damage and has no health left",
        "Player 1's Haunted Creeper takes 6 damage and has no health left",
        "Player 1's Haunted Creeper dies",
    ]
    after = story(state)[4:]
    assert after[0] == "Deathrattle of player 1's Haunted Creeper"
    assert after[1:4] == [
        "Player 1 summons Spectral Spider (place 1)",
        "Player 1's Knife Juggler reacts to the new minion",
        "Player 2's hero takes 1 damage, 29 health left",
    ]
    assert after[-1] == "Player 2's Boulderfist Ogre dies"


def test_a_spell_tells_its_price_and_target() -> None:
    state = scene(side(hand=["Fireball"]), side(hero="hunter"))
    state.play("play 1 on e0")
    assert story(state) == [
        "Player 1 plays Fireball (4 mana) on player 2's hero",
        "Player 2's hero takes 6 damage, 24 health left",
    ]


def test_each_seat_and_who_knows_all_hear_a_secret_once() -> None:
    state = scene(side(hand=["Ice Block"]), side())
    state.play("play 1")
    named, hidden = "Player 1 plays the secret Ice Block (3 mana)", "Player 1 plays a secret (3 mana)"
    assert [story(state, seat) for seat in (0, 1, None)] == [[named], [hidden], [named]]
    assert [bool(event.seen_by & PARTLY) for event in state.history[-1]] == [False, True]


def test_a_draw_is_told_once() -> None:
    state = scene(side(), side(deck=["Fireball", "Frostbolt"]))
    state.play("end")
    assert story(state)[-1] == story(state, 1)[-1] == "Player 2 draws Fireball"
    assert story(state, 0)[-1] == "Player 2 draws a card"
    assert len(story(state)) == len(story(state, 0)) == 2


# Catalogues


@languages
def test_options_choices_and_agents_have_texts(language: str) -> None:
    wanted = [f"agent.{name}" for name in (*AGENTS, *Hearthstone.roster.agents)]
    wanted += [f"choice.deck{seat}.{deck}" for seat in (1, 2) for deck in ("face", "secret", "malygos", "liege")]
    for field in dataclasses.fields(HearthstoneOptions):
        wanted.append(f"option.{field.name}")
        wanted += [f"choice.{field.name}.{choice}" for choice in field.metadata["choices"] or ()]
    assert not [key for key in wanted if key not in TEXTS.keys(language)]


@languages
def test_the_rules_follow_the_options(language: str) -> None:
    plain = hearthstone().in_language(language).face.rules_text()
    other = (
        hearthstone(decklists="hidden", positions="free", compat="fireplace2016")
        .in_language(language)
        .face.rules_text()
    )
    assert len(plain) >= 10
    assert len(other) == len(plain) + 1
    assert not any("  " in part or "{" in part for part in [*plain, *other])
    assert "play 3 at 1" in " ".join(other)


# Refusals

FULL = ["Chillwind Yeti"] * 7
REFUSALS: list[tuple[str, Side, Side, str]] = [
    ("play 1", side(hand=["Fireball"], crystals=3), side(), "Fireball costs 4 mana, you have 3"),
    ("play 2", side(hand=["Fireball"]), side(), "you hold only 1 card;"),
    ("play 1", side(), side(), "you hold no cards"),
    ("play 1", side(hand=["Chillwind Yeti"], board=FULL), side(), "your row is full"),
    ("play 1", side(hand=["Ice Block"], secrets=["Ice Block"]), side(), "Ice Block is in play already"),
    (
        "play 1",
        side(hand=["Ice Block"], secrets=["Ice Barrier", "Avenge", "Redemption", "Bear Trap", "Noble Sacrifice"]),
        side(),
        "five secrets are in play",
    ),
    ("play 1 at 1", side(hand=["Chillwind Yeti"]), side(), "here minions go to the right end"),
    ("play 1 at 1 on e0", side(hand=["Fireball"]), side(), "only minions are played at a place"),
    ("play 1", side(hand=["Fireball"]), side(), "Fireball has to be aimed at somebody"),
    ("play 1 on e0", side(hand=["Flamestrike"]), side(), "Flamestrike is not aimed at anybody"),
    ("play 1", side(hand=["Blessing of Kings"], hero="paladin"), side(), "there is nobody Blessing of Kings could"),
    ("play 1 on e2", side(hand=["Fireball"]), side(board=["Chillwind Yeti"]), "the enemy has only 1 minion;"),
    ("play 1 on 1", side(hand=["Fireball"]), side(), "you have no minions"),
    ("play 1 on e0", side(hand=["Ironbeak Owl"]), side(board=["Chillwind Yeti"]), "Ironbeak Owl is aimed at minions"),
    (
        "play 1 on e1",
        side(hand=["Shattered Sun Cleric"], board=["Chillwind Yeti"]),
        side(board=["Chillwind Yeti"]),
        "aimed at your own minions only",
    ),
    ("play 1 on e1", side(hand=["Alexstrasza"]), side(board=["Chillwind Yeti"]), "Alexstrasza is aimed at heroes only"),
    ("play 1 on e1", side(hand=["Fireball"]), side(board=["Worgen Infiltrator"]), "Worgen Infiltrator has Stealth"),
    ("play 1 on e0", side(hand=["Fireball"]), side(keywords=["immune"]), "player 2's hero is immune"),
    (
        "play 1 on e1",
        side(hand=["Fireball"]),
        side(board=["Faerie Dragon"]),
        "Faerie Dragon cannot be chosen by spells",
    ),
    ("play 1 on 1", side(hand=["Fireball"], board=["Faerie Dragon"]), side(), "player 1's Faerie Dragon cannot be"),
    ("play 1", side(hand=["Unleash the Hounds"], hero="hunter"), side(), "Unleash the Hounds needs an enemy minion"),
    ("play 1", side(hand=["Animal Companion"], hero="hunter", board=FULL), side(), "Animal Companion needs room"),
    ("power", side(hero="paladin", board=FULL), side(), "Reinforce needs room in your row"),
    ("power", side(hero="hunter", mana=1), side(), "Steady Shot costs 2 mana, you have 1"),
    ("power", side(hero="hunter", power_used=True), side(), "Steady Shot was used already"),
    ("power", side(hero="mage"), side(), "say at whom, as in 'power e0'"),
    ("power e0", side(hero="hunter"), side(), "Steady Shot is not aimed at anybody"),
    ("attack 0 e0", side(), side(), "player 1's hero has no attack"),
    ("attack 2 e0", side(board=["Chillwind Yeti"]), side(), "you have only 1 minion;"),
    ("attack 1 e1", side(board=["Chillwind Yeti"]), side(), "the enemy has no minions"),
    ("attack 1 e0", side(board=[Minion("Chillwind Yeti", ready=False)]), side(), "has just come into play"),
    ("attack 1 e0", side(board=[Minion("Chillwind Yeti", attacks=1)]), side(), "Chillwind Yeti has attacked already"),
    ("attack 1 e0", side(board=[Minion("Chillwind Yeti", keywords=["frozen"])]), side(), "Chillwind Yeti is frozen"),
    ("attack 1 e0", side(board=["Ancient Watcher"]), side(), "Ancient Watcher cannot attack"),
    ("attack 1 e0", side(board=["Doomsayer"]), side(), "Doomsayer has no attack"),
    ("attack 1 e1", side(board=["Chillwind Yeti"]), side(board=["Worgen Infiltrator"]), "has Stealth"),
    (
        "attack 1 e0",
        side(board=["Chillwind Yeti"]),
        side(board=["Doomsayer", "Sen'jin Shieldmasta"]),
        "a minion with Taunt is in the way: player 2's Sen'jin Shieldmasta",
    ),
    ("attack 1 e0", side(board=["Chillwind Yeti"]), side(keywords=["immune"]), "player 2's hero is immune"),
    ("keep 1", side(), side(), "cards are put back only before the first turn"),
]


@pytest.mark.parametrize(("move", "mine", "other", "why"), REFUSALS, ids=[f"{r[0]}: {r[3]}" for r in REFUSALS])
def test_a_refusal_names_the_rule(move: str, mine: Side, other: Side, why: str) -> None:
    state = scene(mine, other)
    before = state.array.tobytes()
    with pytest.raises(IllegalAction, match=re.escape(why)):
        state.play(move)
    assert state.array.tobytes() == before


def test_places_that_are_not_there_are_refused_where_places_are_free() -> None:
    state = scene(side(hand=["Chillwind Yeti"], board=["Doomsayer"]), side(), positions="free")
    with pytest.raises(IllegalAction, match="there is no place 2 left of a minion"):
        state.play("play 1 at 2")


def test_the_mulligan_asks_about_one_card_after_the_other() -> None:
    state = hearthstone().start(seed=1)
    with pytest.raises(IllegalAction, match="now decide about card 1"):
        state.play("swap 2")
    with pytest.raises(IllegalAction, match="first every dealt card is kept or put back"):
        state.play("end")


def unexplained(state: State, language: str) -> Sequence[int]:
    game, legal = state.game.in_language(language), set(state.legal)
    return [
        action
        for action in range(game.rules.actions)
        if bool(game.face.why_illegal(state, action)) == (action in legal)
    ]


@languages
@pytest.mark.parametrize("positions", ["rightmost", "free"])
def test_every_illegal_action_is_explained_and_no_legal_one(language: str, positions: str) -> None:
    options = {"deck1": "liege", "deck2": "secret", "positions": positions}
    state, step = hearthstone(**options).start(seed=4), 0
    while not state.over and step < 120:
        if step % 12 == 0:
            assert not unexplained(state, language)
        step += 1
        state.play(state.legal[(7 * step) % len(state.legal)])
    assert step > 60


def test_a_refusal_says_nothing_of_a_hand_one_cannot_see() -> None:
    state = scene(side(hand=["Fireball"], mana=1), side())
    play = k.FIRST_PLAY + k.RIGHTMOST * k.TARGETS
    assert state.game.face.why_illegal(state.view(0), play)
    assert state.game.face.why_illegal(state.view(1), play) == ""


# What is asked, why it is over


@languages
def test_what_is_asked(language: str) -> None:
    state = hearthstone().in_language(language).start(seed=2)
    card = card_name(int(state.raw.side[state.to_move].hand[0]))
    assert card in state.game.face.asks(state.view())
    assert state.game.face.asks(state.view(1 - state.to_move)) == ""
    while state.raw.phase == k.MULLIGANS:
        state.play(state.legal[0])
    assert state.game.face.asks(state.view())


def test_what_is_asked_follows_what_is_possible() -> None:
    idle = scene(side(mana=0), side())
    assert idle.game.face.asks(idle.view()) == "There is nothing left to do: end the turn."
    busy = scene(side(mana=7), side())
    assert busy.game.face.asks(busy.view()) == "You have 7 mana: use your power, or end the turn."
    first = hearthstone(deck1="face", deck2="face").start(seed=2)
    assert re.fullmatch(r"Card 1 of 3: keep .+, or put it back\?", first.game.face.asks(first.view()))


def test_why_it_is_over() -> None:
    shot = scene(side(hero="hunter"), side(health=2))
    assert shot.game.face.why_over(shot.view()) == ""
    shot.play("power")
    assert shot.game.face.why_over(shot.view(1)) == "Player 2's hero has no health left."
    tired = scene(side(), side(health=2, fatigue=3, deck=[]))
    tired.play("end")
    assert "the last draw from it cost 4 health" in tired.game.face.why_over(tired.view(0))
    both = scene(side(health=2, board=["Chillwind Yeti"]), side(health=2, board=[Minion("Abomination", health=4)]))
    both.play("attack 1 e1")
    assert both.game.face.why_over(both.view(0)) == "Both heroes have no health left."
    assert story(both)[-1] == "Nobody wins"
    late = scene(side(), side())
    late.array["turns"] = k.TURNS
    late.play("end")
    assert late.game.face.why_over(late.view(0)) == "After 200 turns nobody has won."
