"""The texts of cards, made from their effects, so that people read exactly what the engine does.

A text is put together from pieces of the catalogue (``card.*``): when, what, to whom, on which condition. Names of
cards are English in every language. The catalogue has the recipients of an effect in two grammatical cases:
``card.whom`` is the object ('freeze them'), ``card.to`` the one who is given something ('give them'). Recipients just
mentioned become 'it' or 'them'.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ludens.core.language import Catalogue
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, Effect, OneOf, find_card

Say = Callable[..., str]
_TEXTS = Catalogue(Path(__file__).parent / "text")


def _named(names: str) -> dict[int, str]:
    """Return the constants of record.py with these names (separated by spaces): value -> name in lower case."""
    return {getattr(k, name): name.lower() for name in names.split()}


def _listed(first: str, values: range) -> dict[int, str]:
    """Return the constants that record.py lists from the name ``first`` on, one for each of ``values``, as value ->
    name. Names are in lower case, as catalogue keys have them.
    """
    return _named(" ".join(itertools.islice(itertools.dropwhile(first.__ne__, vars(k)), len(values))))


KEYWORDS = _named("CHARGE TAUNT SHIELD WINDFURY STEALTH CANNOT_ATTACK ELUSIVE POISON CHILL DRAIN IMMUNE")
TRIGGERS = _named(
    "TURN_START TURN_END EACH_START CAST FOE_CAST AFTER_CAST SECRET_PLAYED FOE_SECRET_PLAYED ENTERS SUMMONED HURT"
    " FRIEND_HURT FRIEND_DIES ATTACKED FOE_ATTACKS HERO_ATTACKS ATTACKS WAS_ATTACKED REVEALED HEALED FATAL"
)
EITHER = {k.CAST | k.FOE_CAST: "any_cast", k.SECRET_PLAYED | k.FOE_SECRET_PLAYED: "any_secret_played"}
TYPES = _listed("MINION", k.TYPES)
EFFECT_KINDS = _listed("DAMAGE", k.EFFECT_KINDS)
RECIPIENTS = _listed("SELF", k.RECIPIENTS)
CHOICES = _listed("NO_TARGET", k.CHOICES)
CONDITIONS = _listed("ALWAYS", k.CONDITIONS)
AURAS = _listed("NO_AURA", k.AURAS)


@functools.cache
def text_of(card: Card, language: str = "en") -> str:
    """Return what a card does, in sentences of the language; '' if it has no text."""
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in _parts(card, language, is_whole=True))


def stats_of(card: Card) -> str:
    """Return '2/1' for a minion (attack/health) or weapon (attack/durability); '' for other cards."""
    return f"{card.attack}/{card.health}" if card.type in (k.MINION, k.WEAPON) else ""


def kind_of(card: Card, language: str = "en") -> str:
    """Return the type of a card and its tribe, if any: 'spell', 'minion, Beast'."""
    type_ = _TEXTS.say(language, f"type.{TYPES[card.type]}")
    return f"{type_}, {_TEXTS.say(language, f'card.tribe.{k.TRIBES[card.tribe]}')}" if card.tribe else type_


def _parts(card: Card, language: str, *, is_whole: bool) -> list[str]:
    """Return the sentences of a card, without capitals and full stops.

    ``is_whole`` is False for a card named in the text of another: cards that it summons are then not described.
    """
    say: Say = functools.partial(_TEXTS.say, language)
    found = _keywords(say, card.keywords)
    if card.spell_damage:
        found.append(say("card.spell-damage", n=card.spell_damage))
    if card.aura[0]:
        found.append(_aura(say, *card.aura))
    for trigger, effects in itertools.groupby(card.effects, lambda effect: effect.trigger):
        writer = _EffectText(say, card, language, is_whole)
        writer.last = k.SELF if trigger in (k.HURT, k.ATTACKS) else 0
        found += _at_trigger(say, card, trigger, _effects_text(writer, effects))
    if card.needs:
        found.append(say(f"card.needs.{CONDITIONS[card.needs]}"))
    return found


def _keywords(say: Say, words: int) -> list[str]:
    """Return the names of the keywords in the bits ``words``; ``say`` gives the catalogue's texts."""
    return [say(f"keyword.{name.replace('_', '-')}") for bit, name in KEYWORDS.items() if words & bit]


def _aura(say: Say, kind: int, size: int) -> str:
    """Return the sentence of an aura of kind ``kind`` (a constant of record.py) and strength ``size``.

    ``say`` gives the catalogue's texts.
    """
    cost = say("card.more" if size > 0 else "card.less", n=abs(size))
    return say(f"card.aura.{AURAS[kind]}", n=size, cost=cost, attack=say("card.attack", size=f"{size:+d}"))


def _at_trigger(say: Say, card: Card, trigger: int, what: str) -> list[str]:
    """Join the effect text ``what`` with its trigger (bits): 'Battlecry: draw a card'.

    The result has one sentence, or one for each trigger bit where several have no common name. ``say`` gives the
    catalogue's texts.
    """
    if trigger == k.PLAY:
        return [say("card.battlecry", what=what) if card.type in (k.MINION, k.WEAPON) else what]
    if trigger in (k.DEATH, k.INSPIRE):
        return [say("card.deathrattle" if trigger == k.DEATH else "card.inspire", what=what)]
    names = [EITHER[trigger]] if trigger in EITHER else [name for bit, name in TRIGGERS.items() if trigger & bit]
    texts = [say(f"card.when.{name}", what=what) for name in names]
    return [say("card.secret", what=each) for each in texts] if card.type == k.SECRET else texts


def _effects_text(writer: _EffectText, effects: Iterable[Effect]) -> str:
    """Return the text of all effects of one trigger, made by ``writer``; neighbours with the same condition name it
    once.
    """
    groups = []
    for when, group in itertools.groupby(effects, lambda effect: effect.condition):
        done = _joined(writer.say, "and", [writer.effect_text(effect) for effect in group])
        groups.append(writer.say(f"card.if.{CONDITIONS[when]}", what=done) if when else done)
    return _joined(writer.say, "then", groups)


def _joined(say: Say, word: str, parts: list[str]) -> str:
    """Join the texts ``parts`` two by two with the catalogue's text for ``word``: 'and', 'or' or 'then'.

    ``say`` gives the catalogue's texts.
    """
    return functools.reduce(lambda first, last: say(f"card.{word}", first=first, last=last), parts)


class _EffectText:
    """Writes the texts of the effects of one trigger; remembers the last recipients, to call them it or them."""

    def __init__(self, say: Say, card: Card, language: str, is_whole: bool) -> None:
        """Write for ``card``; ``say`` gives the catalogue's texts, ``is_whole`` says that named cards are described."""
        self.say, self.card, self.language, self.is_whole = say, card, language, is_whole
        self.last = 0

    def effect_text(self, effect: Effect) -> str:
        """Return the text of one effect, as 'deal 3 damage to a character'; call it in the order of the effects."""
        key, values = _effect_key(effect), self._values(effect)
        if effect.recipients:
            name = self._whom(effect)
            values |= {"whom": self.say(f"card.whom.{name}"), "to": self.say(f"card.to.{name}")}
        return self.say(f"card.do.{key}", **values)

    def _values(self, effect: Effect) -> dict[str, Any]:
        """Return the values that the text of an effect may use: numbers, cards, keywords. Some texts leave some out."""
        if isinstance(effect.a, OneOf):
            return {"n": effect.a.cost, "cards": self._joined_cards(effect.a.names)}
        if isinstance(effect.a, str):
            card = self._described(effect.a)
            return {"cards": self.say("card.copies", n=effect.b, card=card) if effect.b > 1 else card}
        if effect.kind == k.GIVE:
            return {"words": _joined(self.say, "and", _keywords(self.say, effect.a))}
        if effect.kind in (k.BUFF, k.BUFF_NOW):
            return {"stats": self._stats(effect.a, effect.b)}
        if effect.kind == k.SET_STATS or effect.b:
            return {"low": effect.a, "attack": effect.a, "n": effect.b}
        return {"n": effect.a}

    def _stats(self, attack: int, health: int) -> str:
        """Return the text of a bonus: '+1 attack and +2 health'; parts of 0 are left out."""
        sizes = {"attack": attack, "health": health}
        return _joined(
            self.say, "and", [self.say(f"card.{name}", size=f"{size:+d}") for name, size in sizes.items() if size]
        )

    def _joined_cards(self, names: tuple[str, ...]) -> str:
        """Return the cards of these names, described, as 'A, B or C'."""
        cards = [self._described(name) for name in names]
        return _joined(self.say, "or", [", ".join(cards[:-1]), cards[-1]]) if len(cards) > 1 else "".join(cards)

    def _described(self, name: str) -> str:
        """Return a card, by name, with its stats and text: 'Slime (1/2; Taunt)'. A spell: only its name."""
        card = find_card(name)
        parts = [stats_of(card), *_parts(card, self.language, is_whole=False)] if self.is_whole else []
        details = "; ".join(filter(None, parts))
        return f"{card.name} ({details})" if details and card.type != k.SPELL else card.name

    def _whom(self, effect: Effect) -> str:
        """Return the catalogue key for an effect's recipients: for 'it' or 'them' if they were mentioned last."""
        is_again, self.last = effect.recipients == self.last and not effect.is_random, effect.recipients
        if is_again:
            return _again(effect.recipients, self.card.target)
        if effect.target == k.TARGET:
            return CHOICES[self.card.target] if self.card.target else "concerned"
        return f"{'random_' if effect.is_random else ''}{RECIPIENTS[effect.target]}"


def _again(recipients: int, choice: int) -> str:
    """Return the catalogue key of the pronoun for recipients just mentioned.

    ``choice`` is what the card's target may be: in languages with genders the pronoun depends on it.
    """
    if recipients in (k.OWN_HERO, k.FOE_HERO) or (recipients == k.TARGET and choice == k.ANY_HERO):
        return "again_hero"
    if recipients == k.TARGET and choice in (k.ANY, k.FRIENDLY):
        return "again"
    return "again_minion" if recipients in (k.SELF, k.TARGET) else "again_all"


def _effect_key(effect: Effect) -> str:
    """Return the catalogue key of an effect's text; some kinds have several: for a range, a set, or more than one."""
    if effect.kind == k.DAMAGE and effect.a == k.AS_MUCH:
        return "damage_same"
    if effect.kind == k.DAMAGE and effect.b:
        return "damage_between"
    if isinstance(effect.a, OneOf) and not effect.a.names:
        return "summon_cost"
    if effect.kind in (k.DRAW, k.GAIN_CRYSTAL, k.GIVE_CRYSTAL) and isinstance(effect.a, int) and effect.a > 1:
        return f"{EFFECT_KINDS[effect.kind]}_more"
    return EFFECT_KINDS[effect.kind]
