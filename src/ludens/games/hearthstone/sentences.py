"""Hearthstone in sentences: events, what is asked, why a game is over, and names of bodies and cards.

The sentences come from the catalogues in ``text/``; card names are English in every language. Seats, cards and minions
count from 1. For why a move is illegal see `refusal.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.hearthstone.face import HearthstoneFace

_KEYWORDS = (
    *("charge", "taunt", "shield", "windfury", "stealth", "frozen", "silenced", "cannot-attack"),
    *("elusive", "poison", "chill", "drain", "immune", "sick"),
)
_TRIGGERS = {
    k.DEATH: "death",
    k.TURN_START | k.EACH_START: "turn-start",
    k.TURN_END: "turn-end",
    k.CAST | k.FOE_CAST | k.AFTER_CAST: "spell",
    k.SECRET_PLAYED | k.FOE_SECRET_PLAYED: "secret",
    k.ENTERS | k.SUMMONED: "minion",
    k.HURT: "wound",
    k.FRIEND_HURT: "friend-wound",
    k.FRIEND_DIES: "friend-death",
    k.ATTACKED | k.FOE_ATTACKS | k.HERO_ATTACKS | k.ATTACKS | k.WAS_ATTACKED: "attack",
    k.REVEALED: "revealed",
    k.HEALED: "healing",
    k.INSPIRE: "power",
}


# Names


class Named(NamedTuple):
    """A body as events name it."""

    card: int
    owner: int
    body: int
    place: int  # on the board, from 1; 0: it has none

    @classmethod
    def read(cls, told: int) -> Named:
        """Unpack the number ``told``, by which an event names a body, into card, owner, body index and place."""
        return cls(told % 1024, told >> 10 & 1, told >> 11 & 31, told >> 16)


def card_of(number: int) -> Card:
    """Return the card with this number."""
    return all_cards()[number]


def card_name(number: int) -> str:
    """Return the English name of the card with this number."""
    return card_of(number).name


def place_on(s: Any, e: int) -> int:
    """Return the place of minion ``e`` on its board, from 1; 0 for a hero."""
    q = s.side[s.body[e].owner]
    row = q.board[: int(q.board_size)].tolist()
    return row.index(e) + 1 if e in row else 0


def body_name(face: HearthstoneFace, who: Named, case: str = "") -> str:
    """Return what the body ``who`` is called: 'player 1's Knife Juggler', 'player 2's hero'.

    ``case`` is '' for the subject of a sentence and '-on' for its object, which some languages inflect.
    """
    if who.body < 2:
        return face.say(f"body.hero{case}", player=who.owner + 1)
    name = face.say(f"body.minion{case}", player=who.owner + 1, card=card_name(who.card))
    return _placed(face, name, who)


def _placed(face: HearthstoneFace, name: str, who: Named) -> str:
    """Return ``name`` of the minion ``who``, for a token with its place, since several may have the same name."""
    if not who.place or not card_of(who.card).is_token:
        return name
    return face.say("body.at", name=name, place=who.place)


def keywords(face: HearthstoneFace, bits: int) -> list[str]:
    """Return the names of the keywords in the bits ``bits``, in the language of ``face``."""
    return [face.say(f"keyword.{name}") for i, name in enumerate(_KEYWORDS) if bits >> i & 1]


# The position


def headline(face: HearthstoneFace, s: Any) -> str:
    """Return a line for state or view ``s``: whose turn it is, who chooses in the mulligan, or who won."""
    if s.phase == k.ENDED:
        is_won = s.winner != k.NOBODY
        return face.say("headline.won", player=int(s.winner) + 1) if is_won else face.say("headline.nobody")
    if s.phase == k.MULLIGANS:
        return face.say("headline.mulligan", player=_chooser(s) + 1)
    return face.say("headline.turn", turn=int(s.turns), player=int(s.turn) + 1)


def _chooser(s: Any) -> int:
    """Return the seat that is asked about its dealt cards in the mulligan."""
    return int(s.first) if s.chosen == 0 else 1 - int(s.first)


def asks(face: HearthstoneFace, view: View) -> str:
    """Return what the seat to move is asked to do; '' in a view of the other seat, or if nobody is to move."""
    s, seat = view.raw, view.to_move
    if seat < 0 or view.seat not in (-1, seat):
        return ""
    q = s.side[seat]
    if s.phase == k.MULLIGANS:
        at = int(s.mulligan_card)
        return face.say("asks.mulligan", n=at + 1, cards=int(q.hand_size), card=card_name(int(q.hand[at])))
    if view.legal == [k.END]:
        return face.say("asks.end")
    return face.say("asks.turn", mana=int(q.mana), what=", ".join(_possible(face, view.legal)))


def _possible(face: HearthstoneFace, legal: list[int]) -> list[str]:
    """Return what a player with these legal actions can do besides ending the turn: 'play cards', 'attack', ..."""
    spans = {"play": range(k.FIRST_PLAY, k.FIRST_ATTACK), "attack": range(k.FIRST_ATTACK, k.FIRST_POWER)}
    spans["power"] = range(k.FIRST_POWER, k.FIRST_MULLIGAN)
    return [face.say(f"asks.{name}") for name, span in spans.items() if any(action in span for action in legal)]


def why_over(face: HearthstoneFace, view: View) -> str:
    """Return how the game ended, as a sentence; '' if it has not."""
    s = view.raw
    if s.phase != k.ENDED:
        return ""
    fallen = [seat for seat in range(2) if s.body[seat].health <= 0]
    if len(fallen) == 2:
        return face.say("over.both")
    if not fallen:
        return face.say("over.turns", n=int(s.turns))
    tired = int(s.side[fallen[0]].fatigue)
    return face.say("over.fatigue" if tired else "over.fell", player=fallen[0] + 1, n=tired)


# What happened


def event_text(face: HearthstoneFace, event: Event) -> str:
    """Return an event as a sentence; '' for an event that the sentence before or after it covers."""
    told = _of_body(face, event) if event.kind in _BODILY else _of_player(face, event)
    return told[:1].upper() + told[1:]


_BODILY = {
    *(k.ATTACKING, k.DEFENDED, k.TRIGGERED, k.HIT, k.SHIELDED, k.PREVENTED, k.MENDED, k.BUFFED, k.CHANGED, k.GOT),
    *(k.FROZE, k.HUSHED, k.CONDEMNED, k.DIED, k.APPEARED, k.THAWED),
}


def _of_body(face: HearthstoneFace, event: Event) -> str:
    """Return the sentence for an event of a hero or a minion; '' if another one covers it."""
    who, b, c = Named.read(event.a), event.b, event.c
    match event.kind:
        case k.ATTACKING:
            target = body_name(face, Named.read(b), "-on")
            return face.say("words.attacks", attacker=body_name(face, who), defender=target)
        case k.TRIGGERED:
            return _triggered(face, who, b, c)
        case k.APPEARED:  # for one that was played PLAYED has a sentence
            card = _placed(face, card_name(who.card), who)
            return "" if b else face.say("words.summoned", player=who.owner + 1, card=card)
        case k.CONDEMNED:  # DIED follows and has a sentence
            return ""
    return _suffered(face, event.kind, who, b, c)


def _triggered(face: HearthstoneFace, what: Named, trigger: int, told: int) -> str:
    """Return the sentence for a minion or weapon that reacts to the trigger with index ``trigger``.

    ``told`` is its body as events name it, or 0 for a weapon, which ``what`` then names by card and owner.
    """
    name = body_name(face, Named.read(told)) if told else _weapon_name(face, what)
    return face.say(f"trigger.{next(key for bits, key in _TRIGGERS.items() if bits >> trigger & 1)}", body=name)


def _weapon_name(face: HearthstoneFace, what: Named) -> str:
    """Return what the weapon that ``what`` names (by card and owner) is called."""
    return face.say("body.minion", player=what.owner + 1, card=card_name(what.card))


def _suffered(face: HearthstoneFace, kind: int, who: Named, b: int, c: int) -> str:
    """Return the sentence for an event of kind ``kind`` that changes body ``who``; ``b`` and ``c`` are its numbers."""
    body = body_name(face, who)
    match kind:
        case k.HIT:
            return face.say("words.hit" if c > 0 else "words.hit-last", body=body, n=b, health=c)
        case k.SHIELDED:
            return face.say("words.shielded", body=body, n=b)
        case k.PREVENTED:
            return face.say("words.saved" if c else "words.prevented", body=body, n=b)
        case k.MENDED:
            return face.say("words.mended", body=body, n=b, health=c)
        case k.BUFFED:
            return face.say("words.buffed", body=body, attack=f"{b:+}", health=f"{c:+}")
        case k.CHANGED:
            return face.say("words.changed-hero" if who.body < 2 else "words.changed", body=body, attack=b, health=c)
        case k.GOT:
            return face.say("words.got", body=body, keywords=", ".join(keywords(face, b)))
    return face.say(f"words.{_PLAIN[kind]}", body=body)


_PLAIN = {k.DEFENDED: "defended", k.FROZE: "froze", k.THAWED: "thawed", k.HUSHED: "hushed", k.DIED: "died"}


def _of_player(face: HearthstoneFace, event: Event) -> str:
    """Return the sentence for an event of a player: turns, cards, goods, the beginning and the end."""
    a, b, c = event.a, event.b, event.c
    match event.kind:
        case k.PLAYED:
            return _played(face, "played", a % 2, b, c, a // 2)
        case k.USED_POWER:
            return _played(face, "power", a, b, c)
        case k.TURN:
            return face.say("words.turn", player=a + 1, turn=b, n=c)
        case k.REPLACED:
            return face.say("words.replaced" if b else "words.replaced-none", player=a + 1, n=b)
        case k.FIZZLED:
            return face.say("words.fizzled", player=a // 1024 + 1, card=card_name(a % 1024))
        case k.STARTS:
            return face.say("words.starts", player=a + 1)
        case k.FINISHED:
            return face.say("words.nobody") if a == k.NOBODY else face.say("words.won", player=a + 1)
    return _of_cards(face, event) if event.kind in _OF_CARDS else _of_goods(face, event.kind, a + 1, b, c)


def _played(face: HearthstoneFace, key: str, seat: int, card: int, target: int, cost: int = 0) -> str:
    """Return the sentence for a card number played or power used by ``seat``; ``key`` is 'played' or 'power'.

    ``target`` is a body as events name it, 0: none; ``cost`` the mana paid.
    """
    values = {"player": seat + 1, "card": card_name(card), "n": cost}
    if not target:
        return face.say(f"words.{key}", **values)
    return face.say(f"words.{key}-on", **values, target=body_name(face, Named.read(target), "-on"))


_OF_CARDS = {k.DEALT, k.CHOSE, k.GIVEN, k.DREW, k.BURNED, k.HID, k.UNCOVERED, k.ARMED, k.DISARMED}


def _of_cards(face: HearthstoneFace, event: Event) -> str:
    """Return the sentence for an event of a card that changes its place; a hidden card is not named."""
    kind, card, c = event.kind, card_name(event.b) if event.b else "", event.c
    values = {"player": event.a + 1, "card": card}
    if kind == k.DEALT:
        return face.say("words.dealt", **values) if card else ""
    if kind == k.CHOSE and not card:
        return face.say("words.chose-hidden", **values)
    if kind == k.CHOSE:
        return face.say("words.put-back" if c else "words.kept", **values)
    if kind == k.DREW:
        return face.say("words.drew" if card else "words.drew-hidden", **values)
    if kind == k.HID:
        return face.say(f"words.{'laid' if c < 0 else 'hid'}{'' if card else '-hidden'}", **values, n=c)
    if kind == k.ARMED:
        weapon = card_of(event.b)
        return face.say("words.armed", **values, attack=weapon.attack, durability=weapon.health)
    plain = {k.GIVEN: "given", k.BURNED: "burned", k.UNCOVERED: "uncovered", k.DISARMED: "disarmed"}
    return face.say(f"words.{plain[kind]}", **values)


def _of_goods(face: HearthstoneFace, kind: int, player: int, b: int, c: int) -> str:
    """Return the sentence for an event of kind ``kind`` about mana, armor, fatigue, a weapon or costs; else ''.

    ``player`` counts from 1; ``b`` and ``c`` are numbers of the event.
    """
    match kind:
        case k.FATIGUE:
            return face.say("words.fatigue", player=player, n=b)
        case k.ARMORED:
            return face.say("words.armored", player=player, n=b, armor=c)
        case k.WORE:  # at 0, DISARMED follows and has a sentence
            return face.say("words.worn", player=player, durability=b, attack=c) if b else ""
        case k.CRYSTALS:
            return face.say("words.crystals", player=player, n=b, mana=c)
        case k.TAXED:
            return face.say("words.taxed", player=player, n=b)
        case k.CHEAPER if b:
            return face.say("words.cheaper", player=player)
    return ""
