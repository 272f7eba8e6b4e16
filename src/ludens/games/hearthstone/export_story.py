"""A game as Hearthstone's own logs tell it: entities with tags, and blocks of what changes them.

Events say what happened and in which order; after each decision the position says what all numbers are then, and
whatever the events left open is brought in line with it. What an effect sets off stands in a block of its own until the
next such block begins: blocks are nested two deep, never deeper.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ludens.core.event import Event
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import Card, all_cards
from ludens.games.hearthstone.export import Finished, Numbers, Step, numbers_of
from ludens.games.hearthstone.export_node import (
    ACTION,
    AS_SECRET,
    COMPLETE,
    GAME,
    GAME_OVER,
    IN_DECK,
    IN_GRAVEYARD,
    IN_HAND,
    IN_PLAY,
    LOST,
    MULLIGAN,
    PLAYING,
    RUNNING,
    TIED,
    TURN_END,
    TURN_START,
    WON,
    Block,
    Change,
    Create,
    Hide,
    Node,
    Note,
    Reveal,
    player_of,
)
from ludens.games.hearthstone.sentences import Named

_MULLIGAN_DONE = 4
_TYPES = {k.HERO: 3, k.MINION: 4, k.SPELL: 5, k.SECRET: 5, k.WEAPON: 7, k.POWER: 10}
_GAME_TYPE, _PLAYER_TYPE = 1, 2
_KEYWORD_TAGS = {
    k.CHARGE: "CHARGE",
    k.TAUNT: "TAUNT",
    k.SHIELD: "DIVINE_SHIELD",
    k.WINDFURY: "WINDFURY",
    k.STEALTH: "STEALTH",
    k.FROZEN: "FROZEN",
    k.SILENCED: "SILENCED",
    k.CANNOT_ATTACK: "CANT_ATTACK",
    k.POISON: "POISONOUS",
    k.CHILL: "FREEZE",
    k.DRAIN: "LIFESTEAL",
    k.IMMUNE: "IMMUNE",
}


class _Holding:
    """Where a seat's cards are: entities."""

    def __init__(self) -> None:
        self.deck: dict[int, list[int]] = {}  # card -> entities
        self.hand: list[int] = []
        self.secrets: list[int] = []
        self.weapon = 0
        self.power = 0
        self.mulligan_card = 0  # cards of the mulligan decided upon
        self.put_back: list[int] = []  # places in the hand whose card goes back


class Story:
    """The nodes of a game's log, in order, and the tags its entities have at the end."""

    def __init__(self, played: Finished) -> None:
        self.played = played
        self.start: list[Create] = []  # the game, the players, and all they bring
        self.nodes: list[Node] = []
        self.tags: dict[int, dict[str, int]] = {}
        self.cards: dict[int, Card] = {}
        self._side = [_Holding(), _Holding()]
        self._body: dict[int, int] = {}
        self._open: list[list[Node]] = [self.nodes]
        self._action = 0
        self._playing = 0  # the card that is being played
        self._set_up()
        self._tell_step(played.dealt, played.deal)
        for step in played.steps:
            self._tell_decision(step)
        self._finish()

    # entities

    def _set_up(self) -> None:
        first = int(self.played.deal["first"][0])
        self._begin_with(GAME, "", CARDTYPE=_GAME_TYPE, ZONE=IN_PLAY, STATE=RUNNING, STEP=MULLIGAN)
        for seat in range(2):
            self._begin_with(
                player_of(seat),
                "",
                CARDTYPE=_PLAYER_TYPE,
                ZONE=IN_PLAY,
                CONTROLLER=seat + 1,
                PLAYER_ID=seat + 1,
                TEAM_ID=seat + 1,
                HERO_ENTITY=self._hero(seat),
                PLAYSTATE=PLAYING,
                FIRST_PLAYER=int(seat == first),
                MAXHANDSIZE=k.HAND,
                MAXRESOURCES=k.MANA,
            )
        for seat in range(2):
            self._bring_deck(seat)
        for seat in range(2):
            self._bring_hero(seat)

    def _begin_with(self, entity: int, card: str, **tags: int) -> None:
        self.tags[entity] = {"ENTITY_ID": entity, **tags}
        self.start.append(Create(entity, card, dict(self.tags[entity])))

    @staticmethod
    def _hero(seat: int) -> int:
        return 4 + 2 * k.DECK + 2 * seat

    def _bring_deck(self, seat: int) -> None:
        """Thirty cards whose faces nobody has seen yet."""
        for i, number in enumerate(self.played.deal["lists"][0, seat].tolist()):
            entity = 4 + k.DECK * seat + i
            self.cards[entity] = all_cards()[number]
            self._side[seat].deck.setdefault(number, []).append(entity)
            self._begin_with(entity, "", ZONE=IN_DECK, CONTROLLER=seat + 1)

    def _bring_hero(self, seat: int) -> None:
        hero = self._hero(seat)
        card, table = all_cards()[int(self.played.deal["body"]["card"][0, seat])], self.played.game.rules.constants.c
        power = all_cards()[int(table["powers"][0, self.played.deal["classes"][0, seat]])]
        self._body[seat], self._side[seat].power = hero, hero + 1
        for entity, what in ((hero, card), (hero + 1, power)):
            self.cards[entity] = what
            self._begin_with(entity, what.id, **_printed(what, seat, IN_PLAY))

    def _create(self, card: int, seat: int, zone: int) -> int:
        """A new entity, made by an effect."""
        entity = max(self.tags) + 1
        self.cards[entity] = all_cards()[card]
        self.tags[entity] = {"ENTITY_ID": entity, **_printed(self.cards[entity], seat, zone)}
        self._say(Create(entity, self.cards[entity].id, dict(self.tags[entity])))
        return entity

    def _take(self, seat: int, card: int, zone: int) -> int:
        """A card leaves the deck and is seen."""
        entity = self._side[seat].deck[card].pop(0)
        self.tags[entity] |= _printed(self.cards[entity], seat, zone)
        self._say(Reveal(entity, self.cards[entity].id, dict(self.tags[entity])))
        return entity

    # nodes

    def _say(self, node: Node) -> None:
        self._open[-1].append(node)

    def _set(self, entity: int, **tags: int) -> None:
        """Give tags of an entity new values; what stays as it is goes without saying."""
        for tag, value in tags.items():
            if self.tags[entity].get(tag, 0) != value:
                self.tags[entity][tag] = value
                self._say(Change(entity, tag, value))

    def _act(self, type: str, entity: int, target: int = 0) -> None:
        """Begin the block of an action."""
        del self._open[1:]
        self._enter(type, entity, target)

    def _cause(self, type: str, entity: int) -> None:
        """Begin the block of something that was set off."""
        del self._open[2:]
        self._enter(type, entity, 0)

    def _enter(self, type: str, entity: int, target: int) -> None:
        block = Block(type, entity, target, [])
        self._say(block)
        self._open.append(block.inside)

    # events

    def _tell_decision(self, step: Step) -> None:
        self._action = step.action
        if step.action == k.END:
            self._set(GAME, STEP=TURN_END)
        self._tell_step(step.events, step.after)

    def _tell_step(self, events: list[Event], after: np.ndarray) -> None:
        self._playing = 0
        for event in events:
            tell = _TOLD.get(event.kind)
            if tell is not None:
                tell(self, event)
        if self._playing and self.cards[self._playing].type == k.SPELL:
            self._set(self._playing, ZONE=IN_GRAVEYARD)
        self._settle(after)
        del self._open[1:]
        if after["phase"][0] == k.ACTING:
            self._set(GAME, STEP=ACTION)

    def _dealt(self, event: Event) -> None:
        """A card is dealt or drawn."""
        seat, card = event.a, event.b
        side = self._side[seat]
        entity = self._take(seat, card, IN_HAND)
        if not side.put_back:
            side.hand.append(entity)
            return
        place = side.put_back.pop(0)
        old, side.hand[place] = side.hand[place], entity
        side.deck[self.cards[old].number].append(old)
        self._set(old, ZONE=IN_DECK, ZONE_POSITION=0)
        self._say(Hide(old, IN_DECK))

    def _chose(self, event: Event) -> None:
        side = self._side[event.a]
        if event.c:
            side.put_back.append(side.mulligan_card)
        side.mulligan_card += 1

    def _replaced(self, event: Event) -> None:
        self._set(player_of(event.a), MULLIGAN_STATE=_MULLIGAN_DONE)

    def _given(self, event: Event) -> None:
        self._side[event.a].hand.append(self._create(event.b, event.a, IN_HAND))

    def _turn(self, event: Event) -> None:
        del self._open[1:]
        self._set(player_of(1 - event.a), CURRENT_PLAYER=0)
        self._set(player_of(event.a), CURRENT_PLAYER=1)
        self._set(GAME, TURN=event.b, STEP=TURN_START)
        self._act("TRIGGER", player_of(event.a))

    def _burned(self, event: Event) -> None:
        self._take(event.a, event.b, IN_GRAVEYARD)

    def _tired(self, event: Event) -> None:
        self._cause("FATIGUE", player_of(event.a))
        self._set(player_of(event.a), FATIGUE=event.b)

    def _played(self, event: Event) -> None:
        self._from_hand(event.a & 1, event.c)
        if self.cards[self._playing].type == k.SPELL:
            self._set(self._playing, ZONE=IN_PLAY, ZONE_POSITION=0)

    def _from_hand(self, seat: int, target: int) -> None:
        """The card that the action names leaves the hand."""
        place = (self._action - k.FIRST_PLAY) // (k.TARGETS * k.PLACES)
        self._playing = self._side[seat].hand.pop(place)
        self._act("PLAY", self._playing, self._named(target) if target else 0)

    def _named(self, body: int) -> int:
        return self._body[Named.read(body).body]

    def _hid(self, event: Event) -> None:
        """A secret from the hand, or from the deck at no cost."""
        seat, card, cost = event.a, event.b, event.c
        if cost >= 0:
            self._from_hand(seat, 0)
            entity = self._playing
        else:
            entity = self._take(seat, card, AS_SECRET)
        self._set(entity, ZONE=AS_SECRET, ZONE_POSITION=0)
        self._side[seat].secrets.append(entity)

    def _used_power(self, event: Event) -> None:
        self._act("PLAY", self._side[event.a].power, self._named(event.c) if event.c else 0)

    def _attacking(self, event: Event) -> None:
        attacker, defender = self._named(event.a), self._named(event.b)
        self._act("ATTACK", attacker, defender)
        self._set(GAME, PROPOSED_ATTACKER=attacker, PROPOSED_DEFENDER=defender)
        self._set(attacker, ATTACKING=1)
        self._set(defender, DEFENDING=1)

    def _defended(self, event: Event) -> None:
        self._set(self.tags[GAME]["PROPOSED_DEFENDER"], DEFENDING=0)
        self._set(GAME, PROPOSED_DEFENDER=self._named(event.a))
        self._set(self._named(event.a), DEFENDING=1)

    def _triggered(self, event: Event) -> None:
        self._cause("TRIGGER", self._named(event.c) if event.c else self._side[event.a >> 10].weapon)

    def _uncovered(self, event: Event) -> None:
        secrets = self._side[event.a].secrets
        entity = next(one for one in secrets if self.cards[one].number == event.b)
        secrets.remove(entity)
        self._cause("TRIGGER", entity)
        self._set(entity, ZONE=IN_GRAVEYARD)

    def _armored(self, event: Event) -> None:
        self._set(self._body[event.a], ARMOR=event.c)

    def _buffed(self, event: Event) -> None:
        entity = self._named(event.a)
        tags = self.tags[entity]
        self._set(entity, ATK=tags.get("ATK", 0) + event.b, HEALTH=tags["HEALTH"] + event.c)

    def _got(self, event: Event) -> None:
        self._set(self._named(event.a), **{tag: 1 for word, tag in _KEYWORD_TAGS.items() if event.b & word})

    def _died(self, event: Event) -> None:
        self._cause("DEATHS", GAME)
        self._set(self._named(event.a), ZONE=IN_GRAVEYARD, ZONE_POSITION=0)

    def _appeared(self, event: Event) -> None:
        named = Named.read(event.a)
        entity = self._playing if event.b else self._create(named.card, named.owner, IN_PLAY)
        self._body[named.body] = entity
        self._set(entity, ZONE=IN_PLAY, ZONE_POSITION=named.place)

    def _armed(self, event: Event) -> None:
        is_played = self._playing and self.cards[self._playing].number == event.b
        entity = self._playing if is_played else self._create(event.b, event.a, IN_PLAY)
        self._side[event.a].weapon = entity
        self._set(entity, ZONE=IN_PLAY, ZONE_POSITION=0)

    def _disarmed(self, event: Event) -> None:
        self._set(self._side[event.a].weapon, ZONE=IN_GRAVEYARD)
        self._side[event.a].weapon = 0

    # positions

    def _settle(self, position: np.ndarray) -> None:
        """Bring all tags in line with the position."""
        numbers = numbers_of(self.played.game, position)
        for seat in range(2):
            self._settle_player(position["side"][0, seat], seat)
            self._settle_hand(numbers, seat)
            self._settle_body(position, seat, numbers)
            side = position["side"][0, seat]
            for place, e in enumerate(side["board"][: side["board_size"]].tolist(), 1):
                self._settle_body(position, e, numbers)
                self._set(self._body[e], ZONE_POSITION=place)
        for entity in (self.tags[GAME].get("PROPOSED_ATTACKER", 0), self.tags[GAME].get("PROPOSED_DEFENDER", 0)):
            if entity:
                self._set(entity, ATTACKING=0, DEFENDING=0)
        self._set(GAME, PROPOSED_ATTACKER=0, PROPOSED_DEFENDER=0)

    def _settle_player(self, side: np.void, seat: int) -> None:
        mana, crystals = int(side["mana"]), int(side["crystals"])
        spent, extra = max(0, crystals - mana), max(0, mana - crystals)
        self._set(player_of(seat), RESOURCES=crystals, RESOURCES_USED=spent, TEMP_RESOURCES=extra)
        self._set(self._body[seat], ARMOR=int(side["armor"]))
        self._set(self._side[seat].power, EXHAUSTED=int(side["powers_used"] > 0))
        weapon = self._side[seat].weapon
        if weapon:
            left = int(side["durability"])
            most = max(left, self.tags[weapon]["DURABILITY"])
            self._set(weapon, ATK=int(side["weapon_attack"]), DURABILITY=most, DAMAGE=most - left)

    def _settle_hand(self, numbers: Numbers, seat: int) -> None:
        for place, entity in enumerate(self._side[seat].hand):
            self._set(entity, ZONE_POSITION=place + 1, COST=int(numbers.costs[seat, place]))

    def _settle_body(self, position: np.ndarray, e: int, numbers: Numbers) -> None:
        body, entity = position["body"][0, e], self._body[e]
        words, attacks = int(body["keywords"]), int(body["attacks"])
        is_tired = attacks >= (2 if words & k.WINDFURY else 1) or (words & k.SICK and not words & k.CHARGE)
        self._set(
            entity,
            ATK=int(numbers.attacks[e]),
            HEALTH=int(body["max_health"]),
            DAMAGE=int(body["max_health"]) - int(body["health"]),
            NUM_ATTACKS_THIS_TURN=attacks,
            EXHAUSTED=int(bool(is_tired)),
        )
        self._set(entity, **{tag: int(words & word != 0) for word, tag in _KEYWORD_TAGS.items()})

    def _finish(self) -> None:
        """Who won and who lost; a hero without health leaves play."""
        winner = self.played.winner
        for seat in range(2):
            if self.played.last["body"]["health"][0, seat] <= 0:
                self._set(self._body[seat], ZONE=IN_GRAVEYARD)
            self._set(player_of(seat), PLAYSTATE=TIED if winner == k.NOBODY else WON if winner == seat else LOST)
        self._set(GAME, STEP=GAME_OVER, STATE=COMPLETE)


def _printed(card: Card, seat: int, zone: int) -> dict[str, int]:
    """The tags a card comes with."""
    tags = {"CARDTYPE": _TYPES[card.type], "CONTROLLER": seat + 1, "ZONE": zone, "COST": card.cost}
    if card.type in (k.MINION, k.HERO):
        tags |= {"ATK": card.attack, "HEALTH": card.health}
    elif card.type == k.WEAPON:
        tags |= {"ATK": card.attack, "DURABILITY": card.health}
    elif card.type == k.SECRET:
        tags["SECRET"] = 1
    return tags | {tag: 1 for word, tag in _KEYWORD_TAGS.items() if card.keywords & word}


def _tag(tag: str, value: int) -> Callable[[Story, Event], None]:
    """What tells an event that gives the body it names one tag."""

    def tell(story: Story, event: Event) -> None:
        story._set(story._named(event.a), **{tag: value})

    return tell


def _health(what: str) -> Callable[[Story, Event], None]:
    """What tells damage or healing of a body, and the health it has left."""

    def tell(story: Story, event: Event) -> None:
        entity = story._named(event.a)
        story._say(Note(what, event.b, entity))
        story._set(entity, DAMAGE=max(0, story.tags[entity]["HEALTH"] - event.c))

    return tell


_TOLD: dict[int, Callable[[Story, Event], None]] = {
    k.DEALT: Story._dealt,
    k.CHOSE: Story._chose,
    k.REPLACED: Story._replaced,
    k.GIVEN: Story._given,
    k.TURN: Story._turn,
    k.DREW: Story._dealt,
    k.BURNED: Story._burned,
    k.FATIGUE: Story._tired,
    k.PLAYED: Story._played,
    k.HID: Story._hid,
    k.USED_POWER: Story._used_power,
    k.ATTACKING: Story._attacking,
    k.DEFENDED: Story._defended,
    k.TRIGGERED: Story._triggered,
    k.UNCOVERED: Story._uncovered,
    k.HIT: _health("DAMAGE"),
    k.SHIELDED: _tag("DIVINE_SHIELD", 0),
    k.MENDED: _health("HEALING"),
    k.ARMORED: Story._armored,
    k.BUFFED: Story._buffed,
    k.GOT: Story._got,
    k.FROZE: _tag("FROZEN", 1),
    k.HUSHED: _tag("SILENCED", 1),
    k.CONDEMNED: _tag("TO_BE_DESTROYED", 1),
    k.DIED: Story._died,
    k.APPEARED: Story._appeared,
    k.ARMED: Story._armed,
    k.DISARMED: Story._disarmed,
    k.THAWED: _tag("FROZEN", 0),
}


def tell_story(played: Finished) -> Story:
    """The log of a finished game."""
    return Story(played)
