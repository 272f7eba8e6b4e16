"""Positions made by hand: name what lies where, and get a state to play on with.

    >>> import ludens
    >>> from ludens.games.hearthstone.position import Minion, Side, arrange
    >>> me = Side(hero="hunter", hand=["Kill Command"], board=["Haunted Creeper", Minion("Chillwind Yeti", health=2)])
    >>> foe = Side(hero="mage", health=5, secrets=["Ice Block"])
    >>> state = arrange(ludens.game("hearthstone"), [me, foe])
    >>> state = state.play("play 1 on e0")  # 5 damage, since a Creeper is a Beast, but Ice Block saves the mage

Cards are given by name or id. Minions can attack and are undamaged unless their fields say otherwise; decks are listed
from the top. What came into play first acts first: the first side's board, weapon and secrets, then the other's, as
listed; a field ``since`` changes the order (default 0, smaller is older). `as_data` and `read_position` write and read
positions as plain data, for scenario files.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ludens.core import ops
from ludens.core.error import BadOption, BadRecord
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.option import closest
from ludens.core.record import Record
from ludens.core.seed import as_seed
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import refresh_auras
from ludens.games.hearthstone.card import Card, all_cards, cards_by_name, is_fit

KEYWORDS = {
    "charge": k.CHARGE,
    "taunt": k.TAUNT,
    "divine shield": k.SHIELD,
    "windfury": k.WINDFURY,
    "stealth": k.STEALTH,
    "frozen": k.FROZEN,
    "silenced": k.SILENCED,
    "immune": k.IMMUNE,
    "cannot attack": k.CANNOT_ATTACK,
    "elusive": k.ELUSIVE,
    "poison": k.POISON,
    "chill": k.CHILL,
    "drain": k.DRAIN,
}
_TYPES = {k.MINION: "minion", k.SPELL: "spell", k.SECRET: "secret", k.WEAPON: "weapon", k.POWER: "hero power"}
_TYPES[k.HERO] = "hero"

T = TypeVar("T")


@dataclass(frozen=True)
class Minion:
    """A minion in play; numbers not given are the printed ones."""

    name: str
    attack: int | None = None
    health: int | None = None  # current
    max_health: int | None = None  # full health
    bonus: int = 0  # attack for this turn
    keywords: Sequence[str] = ()  # besides those of its card
    lost: Sequence[str] = ()  # keywords of its card that it no longer has
    ready: bool = True  # False: it came into play this turn
    attacks: int = 0  # made this turn
    since: int = 0


@dataclass(frozen=True)
class Weapon:
    """An equipped weapon; numbers not given are the printed ones."""

    name: str
    attack: int | None = None
    durability: int | None = None
    since: int = 0


@dataclass(frozen=True)
class Secret:
    """A secret in play."""

    name: str
    since: int = 0


@dataclass(frozen=True)
class Held:
    """A card in hand, with what it costs less than printed."""

    name: str
    discount: int = 0


@dataclass(frozen=True)
class Side:
    """One player's half of the table: a hero and all the player has."""

    hero: str = "mage"  # the class
    health: int = k.HERO_HEALTH
    armor: int = 0
    crystals: int = k.MANA
    mana: int | None = None  # None: all crystals are full
    extra_mana: int | None = None  # the part of it that no crystal gave; None: what exceeds the crystals
    hand: Sequence[str | Held] = ()
    board: Sequence[str | Minion] = ()
    weapon: str | Weapon | None = None
    secrets: Sequence[str | Secret] = ()
    deck: Sequence[str] = ()  # the top card first
    fatigue: int = 0  # damage of the last draw from the empty deck
    keywords: Sequence[str] = ()  # of the hero: frozen, immune
    bonus: int = 0  # the hero's attack for this turn
    attacks: int = 0  # the hero made this turn
    power_used: int = 0  # times this turn; true means once
    tax: int = 0  # extra cost of spells this turn
    next_tax: int = 0  # and in the next turn


class Position(State):
    """A game that starts from a position made by `arrange`. Moves can be undone up to there; it has no record."""

    def __init__(self, game: Game, seed: int, opening: np.ndarray) -> None:
        """Start from the state ``opening`` [1] (copied) of ``game``; ``seed`` fixes all chance from there on."""
        super().__init__(game, seed, {})
        self.opening = opening
        self.array = opening.copy()
        self.history = [[]]

    def undo(self, moves: int = 1) -> None:
        """Take back the last ``moves`` moves in place; the earlier ones are played again from the start."""
        again = Position(self.game, self.seed, self.opening)
        for action in self.actions[: max(len(self.actions) - moves, 0)]:
            again.play(action)
        self.array, self.actions, self.history = again.array, again.actions, again.history

    def copy(self) -> Position:
        """Return an independent copy: same start, same moves."""
        twin = Position(self.game, self.seed, self.opening)
        twin.array, twin.actions, twin.history = self.array.copy(), list(self.actions), list(self.history)
        return twin

    @property
    def record(self) -> Record:
        """There is none, since no deal led here: reading it raises BadRecord."""
        raise BadRecord("a position made by hand has no record, since no deal led to it: store its data and the moves")


def arrange(game: Game, sides: Sequence[Side], *, turn: int = 0, seed: int = 1) -> Position:
    """Make the position with these two sides in which seat ``turn`` is to move; ``seed`` fixes all chance after it.

    BadOption says what is impossible about it.
    """
    if game.id != "hearthstone":
        raise BadOption(f"a position of hearthstone cannot be set up in {game.id}")
    if len(sides) != 2 or turn not in (0, 1):
        raise BadOption("a position has two sides, and seat 0 or 1 is to move")
    turn = int(turn)  # plain data may have 1.0 or true
    state = Position(game, as_seed(seed), _blank(game, as_seed(seed)))
    s = state.raw
    s.phase, s.turn, s.first, s.winner = k.ACTING, turn, 0, k.NOBODY
    s.attacker = s.defender = -1
    for seat, side in enumerate(sides):
        _set_up_side(s, seat, side, state.game.rules.constants.c[0])
    _set_play_orders(s, sides)
    s.turns = max(1, 2 * int(s.side[turn].crystals) - 1 + turn)
    _count_auras(game.rules.constants, state.array)
    state.opening = state.array.copy()
    return state


def _blank(game: Game, seed: int) -> np.ndarray:
    """Return one blank state [1], which is no view (``seat`` -1), with this seed."""
    array = np.zeros(1, game.rules.State)
    array["rng"], array["seat"] = seed, -1
    return array


@kernel
def _count_auras(constants: Any, states: Any) -> None:
    """Compute in place the attack from auras of all minions in each of the states."""
    g = ops.open_constants(constants)
    for i in range(len(states)):
        refresh_auras(g, states[i])


# Writing the state


def _set_up_side(s: Any, seat: int, side: Side, constants: Any) -> None:
    """Write a side into the state ``s``, except for play orders; ``constants`` is their record, for the hero's card."""
    q, class_ = s.side[seat], str(side.hero).lower()
    if class_ not in k.CLASSES[1:]:
        near = closest(class_, k.CLASSES[1:])
        raise BadOption(f"there is no hero '{str(side.hero)[:40]}'{near}; heroes are: {', '.join(k.CLASSES[1:])}")
    s.classes[seat] = q.class_ = k.CLASSES.index(class_)
    _set_up_hero(s, seat, side, int(constants["heroes"][q.class_]))
    q.crystals = _within(side.crystals, 0, k.MANA, "crystals")
    q.mana = _within(side.crystals if side.mana is None else side.mana, 0, k.MANA, "mana")
    extra = max(0, int(q.mana) - int(q.crystals)) if side.extra_mana is None else side.extra_mana
    q.extra_mana = _within(extra, 0, int(q.mana), "extra_mana")
    q.armor = _within(side.armor, 0, 999, "armor")
    q.fatigue = _within(side.fatigue, 0, 99, "fatigue")
    q.tax, q.next_tax = (_within(tax, 0, 99, "tax") for tax in (side.tax, side.next_tax))
    q.powers_used = _within(side.power_used, 0, 2, "power_used")
    for minion in _as_objects(side.board, Minion, k.BOARD, "minions"):
        _set_up_minion(s, seat, minion)
    for weapon in _as_objects([] if side.weapon is None else [side.weapon], Weapon, 1, "weapons"):
        card = _card(weapon.name, {k.WEAPON})
        q.weapon = card.number
        s.listened_triggers |= _triggers(card)
        q.weapon_attack = card.attack if weapon.attack is None else _within(weapon.attack, 0, 99, "attack")
        q.durability = card.health if weapon.durability is None else _within(weapon.durability, 1, 99, "durability")
    _set_up_cards(s, seat, side)


def _set_up_hero(s: Any, seat: int, side: Side, card: int) -> None:
    """Write the hero of a side into the state ``s``; ``card`` is its card number."""
    hero = s.body[seat]
    hero.card, hero.owner, hero.zone, hero.max_health = card, seat, k.IN_PLAY, k.HERO_HEALTH
    hero.health = _within(side.health, 1, k.HERO_HEALTH, "a hero's health")
    hero.keywords = _bits(side.keywords, {"frozen", "immune"})
    hero.attack_this_turn = _within(side.bonus, 0, 99, "bonus")
    hero.attacks = _within(side.attacks, 0, 2, "attacks")


def _set_up_minion(s: Any, seat: int, minion: Minion) -> None:
    """Put a minion at the right end of a seat's board in the state ``s``; BadOption if its numbers are impossible."""
    card, q = _card(minion.name, {k.MINION}), s.side[seat]
    e = next(e for e in range(2, k.BODIES) if s.body[e].zone == k.FREE)
    body, extra = s.body[e], _bits(minion.keywords, set(KEYWORDS))
    is_silenced = bool(extra & k.SILENCED)
    most = _most_health(minion, card)
    body.card, body.owner, body.zone = card.number, seat, k.IN_PLAY
    body.attack = _within(card.attack if minion.attack is None else minion.attack, 0, 999, "attack")
    body.attack_this_turn = _within(minion.bonus, -99, 99, "bonus")
    body.max_health = most
    body.health = _within(most if minion.health is None else minion.health, 1, most, f"the health of {card.name}")
    printed = 0 if is_silenced else card.keywords & ~_bits(minion.lost, set(KEYWORDS))
    body.keywords = extra | printed | (0 if _flag(minion.ready, "ready") else k.SICK)
    body.attacks = _within(minion.attacks, 0, 2, "attacks")
    body.triggers = 0 if is_silenced else _triggers(card) & ~k.PLAY
    s.listened_triggers |= _triggers(card) | (k.HAS_AURA if card.aura[0] else 0)
    q.board[q.board_size] = e
    q.board_size += 1


def _most_health(minion: Minion, card: Card) -> int:
    """Return the full health of a minion: as given, else as printed on ``card``, or its current one if that is more."""
    now = card.health if minion.health is None else _within(minion.health, 1, 999, f"the health of {card.name}")
    return max(card.health, now) if minion.max_health is None else _within(minion.max_health, 1, 999, "full health")


def _triggers(card: Card) -> int:
    """Return the triggers of all effects of a card, as bits."""
    return functools.reduce(int.__or__, (effect.trigger for effect in card.effects), 0)


def _set_up_cards(s: Any, seat: int, side: Side) -> None:
    """Write hand, deck, secrets and deck list of a side into the state ``s``; BadOption if they are impossible."""
    q = s.side[seat]
    held = _as_objects(side.hand, Held, k.HAND, "cards in hand")
    hand = [_card(each.name, {k.MINION, k.SPELL, k.SECRET, k.WEAPON}, is_playable=True) for each in held]
    names = _listed(side.deck, "a deck")
    deck = [_card(name, {k.MINION, k.SPELL, k.SECRET, k.WEAPON}, is_playable=True) for name in names]
    secrets = [_card(each.name, {k.SECRET}) for each in _secrets(side)]
    twice = [card.name for card, copies in Counter(secrets).items() if copies > 1]
    if twice:
        raise BadOption(f"{twice[0]} cannot be in play twice: the secrets of a side are all different")
    if any(card.is_token for card in deck):
        raise BadOption(f"{next(card.name for card in deck if card.is_token)} cannot be in a deck: effects bring it")
    q.hand_size, q.deck_size, q.secret_count = len(hand), len(deck), len(secrets)
    unseen = sorted(card.number for card in [*(card for card in hand if not card.is_token), *deck, *secrets])
    if len(unseen) > k.DECK:
        raise BadOption(f"hand, deck and secrets hold {len(unseen)} cards, but a deck has only {k.DECK}")
    q.hand[: len(hand)] = [card.number for card in hand]
    q.discounts[: len(hand)] = [_within(each.discount, 0, 99, "discount") for each in held]
    q.deck[: len(deck)] = [card.number for card in reversed(deck)]
    q.secrets[: len(secrets)] = [card.number for card in secrets]
    _list_cards(s, seat, unseen)


def _secrets(side: Side) -> list[Secret]:
    """Return the secrets of a side, oldest first, as the state has them."""
    return sorted(_as_objects(side.secrets, Secret, k.SECRETS, "secrets"), key=_since)


def _list_cards(s: Any, seat: int, unseen: list[int]) -> None:
    """Write a seat's deck list: the card numbers ``unseen``, and as seen ones those in play and others up to thirty."""
    q, cards, class_ = s.side[seat], all_cards(), k.CLASSES[int(s.classes[seat])]
    in_play = [int(s.body[e].card) for e in q.board[: q.board_size]] + [int(q.weapon)] * bool(q.weapon)
    past = [card.number for card in cards.values() if is_fit(card, class_)]
    seen = [number for number in in_play if not cards[number].is_token] + past + past
    seen = seen[: k.DECK - len(unseen)]
    marked = sorted([(number, False) for number in unseen] + [(number, True) for number in seen])
    s.lists[seat] = [number for number, _ in marked]
    q.seen = sum(1 << i for i, (_, is_seen) in enumerate(marked) if is_seen)


def _set_play_orders(s: Any, sides: Sequence[Side]) -> None:
    """Number all bodies, weapons and secrets in play in ``s``: heroes first, then by ``since``, then as listed."""
    places: list[tuple[int, Any, Any]] = []
    for seat, side in enumerate(sides):
        q = s.side[seat]
        s.body[seat].play_order = seat
        for e, minion in zip(q.board, side.board, strict=False):
            places.append((_since(minion), s.body[e], "play_order"))
        if side.weapon is not None:
            places.append((_since(side.weapon), q, "weapon_play_order"))
        places += [(_since(secret), q.secret_play_order, i) for i, secret in enumerate(_secrets(side))]
    for stamp, (_, owner, key) in enumerate(sorted(places, key=lambda place: place[0]), 2):
        owner[key] = stamp
    s.next_play_order = 2 + len(places)


def _since(thing: Any) -> int:
    """Return the ``since`` of ``thing``, a minion, weapon or secret; 0 if it is only a name."""
    return 0 if isinstance(thing, str) else _within(thing.since, -(10**6), 10**6, "since")


# Reading names and numbers


def _card(name: str, types: set[int], *, is_playable: bool = False) -> Card:
    """Return the card with this name or id; BadOption if there is none, or it is of none of these types.

    ``is_playable``: BadOption also if it is a card that no hand or deck may hold here.
    """
    card = cards_by_name().get(str(name).strip().lower().replace("\u2019", "'"))
    if card is None:
        raise BadOption(f"there is no card '{str(name)[:60]}' here{closest(str(name).lower(), cards_by_name())}")
    if card.type not in types:
        wanted = " or ".join(_TYPES[type_] for type_ in sorted(types))
        raise BadOption(f"{card.name} cannot stand there: it is a {_TYPES[card.type]}, wanted is a {wanted}")
    if is_playable and (card.unplayable or card.missing):
        raise BadOption(f"{card.name} cannot be in a hand or deck here: {card.unplayable or card.missing}")
    return card


def _as_objects(things: Sequence[Any], kind: type[T], most: int, words: str) -> list[T]:
    """Return the list ``things`` with bare names turned into ``kind(name)``; BadOption if it is longer than ``most``.

    ``words`` names the list in messages.
    """
    if len(_listed(things, words)) > most:
        raise BadOption(f"{len(things)} {words} are too many: there is room for {most}")
    return [each if isinstance(each, kind) else kind(each) for each in things]  # type: ignore[call-arg]


def _within(value: int, low: int, high: int, words: str) -> int:
    """Return ``value``; BadOption if it is no whole number from ``low`` to ``high``. ``words`` names it in messages."""
    if not isinstance(value, int) or not low <= value <= high:
        raise BadOption(f"{words} cannot be {value!r:.20}: it takes a whole number from {low} to {high}")
    return value


def _listed(things: Any, words: str) -> Any:
    """Return the list ``things``; BadOption, with its name ``words``, if it is a bare name or no list at all."""
    if isinstance(things, str | Mapping) or not isinstance(things, Iterable):
        raise BadOption(f"{words} cannot be {things!r:.40}: write a list")
    return things


def _flag(value: bool, words: str) -> bool:
    """Return ``value`` as a bool; BadOption, with its name ``words``, if it is neither true nor false."""
    if value not in (False, True):
        raise BadOption(f"{words} cannot be {value!r:.20}: it is true or false")
    return bool(value)


def _bits(names: Iterable[str], known: set[str]) -> int:
    """Return the bits of keywords given by name; BadOption if one is not in ``known``."""
    wrong = [str(name)[:40] for name in _listed(names, "keywords") if str(name) not in known]
    if wrong:
        raise BadOption(f"'{wrong[0]}' means nothing here; keywords are: {', '.join(sorted(known))}")
    return functools.reduce(int.__or__, (KEYWORDS[name] for name in names), 0)


# As plain data


def read_position(game: Game, data: Mapping[str, Any], *, seed: int = 1) -> Position:
    """Make the position that plain data describes; BadOption if something is wrong with it.

    The data is ``{"turn": 0, "sides": [{"hero": "mage", "hand": [...]}, {...}]}``, with the fields of `Side`. ``seed``
    fixes all chance from there on.
    """
    sides = data.get("sides")
    if not isinstance(sides, list):
        raise BadOption("a position needs 'sides', a list of two")
    return arrange(game, [_read(Side, side) for side in sides], turn=data.get("turn", 0), seed=seed)


_FORMER = {"words": "keywords", "most": "max_health", "cheaper": "discount"}  # names in files of ludens 0.1
_PARTS: dict[str, type] = {"hand": Held, "board": Minion, "secrets": Secret}


def _read(kind: type[T], data: Any) -> T:
    """Make a ``kind`` (Side, Minion, ...) from a mapping of its fields; in a Side bare names stay as they are."""
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    if not isinstance(data, Mapping):
        raise BadOption(f"{str(data)[:40]!r} is no {_kind_name(kind)}: write its fields, {', '.join(names)}")
    data = {_FORMER.get(name, name): value for name, value in data.items()}
    wrong = next((name for name in data if name not in names), None)
    if wrong is not None:
        near = closest(str(wrong), names)
        raise BadOption(f"a {_kind_name(kind)} has no '{str(wrong)[:40]}'{near}; it has: {', '.join(names)}")
    if "name" in names and "name" not in data:
        raise BadOption(f"a {_kind_name(kind)} needs a name")
    values = dict(data)
    if kind is Side:
        for part, inner in _PARTS.items():
            things = _listed(data.get(part, []), part)
            values[part] = [each if isinstance(each, str) else _read(inner, each) for each in things]
        weapon = data.get("weapon")
        values["weapon"] = weapon if weapon is None or isinstance(weapon, str) else _read(Weapon, weapon)
    return kind(**values)


def _kind_name(kind: type) -> str:
    """Return what messages call a class of this module, such as 'minion'."""
    return "card in hand" if kind is Held else kind.__name__.lower()


def as_data(state: State) -> dict[str, Any]:
    """Return a position as plain data, every number written out; `read_position` makes the same position of it."""
    s = state.raw
    return {"turn": int(s.turn), "sides": [dataclasses.asdict(_side_of(s, seat)) for seat in range(2)]}


def _side_of(s: Any, seat: int) -> Side:
    """Read the side of a seat from the state ``s``."""
    q, hero = s.side[seat], s.body[seat]
    weapon = (
        Weapon(_name(q.weapon), int(q.weapon_attack), int(q.durability), int(q.weapon_play_order)) if q.weapon else None
    )
    hand = zip(q.hand[: q.hand_size], q.discounts[: q.hand_size], strict=True)
    secrets = zip(q.secrets[: q.secret_count], q.secret_play_order[: q.secret_count], strict=True)
    return Side(
        hero=k.CLASSES[int(q.class_)],
        health=int(hero.health),
        armor=int(q.armor),
        crystals=int(q.crystals),
        mana=int(q.mana),
        extra_mana=int(q.extra_mana),
        hand=[Held(_name(card), int(less)) for card, less in hand],
        board=[_minion_of(s.body[e]) for e in q.board[: q.board_size]],
        weapon=weapon,
        secrets=[Secret(_name(card), int(stamp)) for card, stamp in secrets],
        deck=[_name(card) for card in q.deck[: q.deck_size][::-1]],
        fatigue=int(q.fatigue),
        keywords=keywords_of(int(hero.keywords)),
        bonus=int(hero.attack_this_turn),
        attacks=int(hero.attacks),
        power_used=int(q.powers_used),
        tax=int(q.tax),
        next_tax=int(q.next_tax),
    )


def _minion_of(body: Any) -> Minion:
    """Turn a body of a state into a `Minion`, with the keywords it has got and lost."""
    words, printed = int(body.keywords), all_cards()[int(body.card)].keywords
    return Minion(
        name=_name(body.card),
        attack=int(body.attack),
        health=int(body.health),
        max_health=int(body.max_health),
        bonus=int(body.attack_this_turn),
        keywords=keywords_of(words & ~printed),
        lost=[] if words & k.SILENCED else keywords_of(printed & ~words),
        ready=not words & k.SICK,
        attacks=int(body.attacks),
        since=int(body.play_order),
    )


def keywords_of(words: int) -> list[str]:
    """Return the names of the keywords in the bits ``words``."""
    return [name for name, bit in KEYWORDS.items() if words & bit]


def _name(card: int) -> str:
    """Return the name of the card with this number."""
    return all_cards()[int(card)].name
