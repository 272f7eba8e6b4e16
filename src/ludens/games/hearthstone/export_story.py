"""A finished game as a log in the form of Hearthstone's own: entities with tags, and blocks of what changes them.

Events give what happened and in which order. After each decision the tags are compared with the position, and those the
events did not change are corrected. An effect that was set off has a block of its own, which ends where the next such
block begins: blocks are nested two deep, never deeper.
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


class _SideCards:
    """The entities of a seat's cards, by where they are."""

    def __init__(self) -> None:
        """Start without any entities; the story fills in deck, hand, secrets, weapon and power."""
        self.deck: dict[int, list[int]] = {}  # card -> entities
        self.hand: list[int] = []
        self.secrets: list[int] = []
        self.weapon = 0  # entity; 0: none
        self.power = 0  # entity
        self.mulligan_card = 0  # number of dealt cards decided about
        self.put_back: list[int] = []  # indices in the hand of cards that go back and are not replaced yet


class Story:
    """The log of a finished game: its nodes in order (`start`, then `nodes`) and the tags of all entities at the end.

    `tags` maps entity -> tag name -> value, `cards` entity -> card.
    """

    def __init__(self, played: Finished) -> None:
        """Make the whole log of the finished game ``played``: start, deal, each decision in order, the end."""
        self.played = played
        self.start: list[Create] = []  # the game, the players, their decks, heroes and powers
        self.nodes: list[Node] = []
        self.tags: dict[int, dict[str, int]] = {}
        self.cards: dict[int, Card] = {}
        self._side = [_SideCards(), _SideCards()]
        self._body: dict[int, int] = {}  # index of a body -> entity
        self._open: list[list[Node]] = [self.nodes]  # the open blocks, outermost first; new nodes go to the last
        self._action = 0
        self._playing = 0  # entity of the card being played; 0: none
        self._set_up()
        self._add_events(played.dealt, played.deal)
        for step in played.steps:
            self._add_decision(step)
        self._finish()

    # entities

    def _set_up(self) -> None:
        """Create the entities that exist from the start: the game, both players, their decks, heroes and powers."""
        first = int(self.played.deal["first"][0])
        self._create_at_start(GAME, "", CARDTYPE=_GAME_TYPE, ZONE=IN_PLAY, STATE=RUNNING, STEP=MULLIGAN)
        for seat in range(2):
            self._create_at_start(
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
            self._create_deck(seat)
        for seat in range(2):
            self._create_hero(seat)

    def _create_at_start(self, entity: int, card: str, **tags: int) -> None:
        """Add to `start` an entity with this number, card id ('' for a hidden card or none) and tags (name=value)."""
        self.tags[entity] = {"ENTITY_ID": entity, **tags}
        self.start.append(Create(entity, card, dict(self.tags[entity])))

    @staticmethod
    def _hero(seat: int) -> int:
        """Return the entity number of a seat's hero; its power has the next number."""
        return 4 + 2 * k.DECK + 2 * seat

    def _create_deck(self, seat: int) -> None:
        """Create the entities of a seat's thirty deck cards, all hidden, when the log is set up."""
        for i, number in enumerate(self.played.deal["lists"][0, seat].tolist()):
            entity = 4 + k.DECK * seat + i
            self.cards[entity] = all_cards()[number]
            self._side[seat].deck.setdefault(number, []).append(entity)
            self._create_at_start(entity, "", ZONE=IN_DECK, CONTROLLER=seat + 1)

    def _create_hero(self, seat: int) -> None:
        """Create the entities of a seat's hero and hero power, when the log is set up."""
        hero = self._hero(seat)
        card, constants = all_cards()[int(self.played.deal["body"]["card"][0, seat])], self.played.game.rules.constants
        power = all_cards()[int(constants.c["powers"][0, self.played.deal["classes"][0, seat]])]
        self._body[seat], self._side[seat].power = hero, hero + 1
        for entity, what in ((hero, card), (hero + 1, power)):
            self.cards[entity] = what
            self._create_at_start(entity, what.id, **_printed(what, seat, IN_PLAY))

    def _create(self, card: int, seat: int, zone: int) -> int:
        """Create an entity for the card number that an effect made for ``seat`` in ``zone``; return the entity."""
        entity = max(self.tags) + 1
        self.cards[entity] = all_cards()[card]
        self.tags[entity] = {"ENTITY_ID": entity, **_printed(self.cards[entity], seat, zone)}
        self._append(Create(entity, self.cards[entity].id, dict(self.tags[entity])))
        return entity

    def _take_from_deck(self, seat: int, card: int, zone: int) -> int:
        """Take a copy of ``card`` (a number) out of the seat's deck into ``zone``, reveal it, and return its entity."""
        entity = self._side[seat].deck[card].pop(0)
        self.tags[entity] |= _printed(self.cards[entity], seat, zone)
        self._append(Reveal(entity, self.cards[entity].id, dict(self.tags[entity])))
        return entity

    # nodes

    def _append(self, node: Node) -> None:
        """Append a node to the innermost open block, or to the log's top level if none is open."""
        self._open[-1].append(node)

    def _set(self, entity: int, **tags: int) -> None:
        """Set tags (name=value) of an entity, and add a Change node for each whose value differs from before."""
        for tag, value in tags.items():
            if self.tags[entity].get(tag, 0) != value:
                self.tags[entity][tag] = value
                self._append(Change(entity, tag, value))

    def _open_action(self, type: str, entity: int, target: int = 0) -> None:
        """Close all open blocks; open one of this ``type`` for what ``entity`` does to ``target`` (entity, 0: none)."""
        del self._open[1:]
        self._open_block(type, entity, target)

    def _open_reaction(self, type: str, entity: int) -> None:
        """Open an inner block of this ``type`` for an effect of ``entity`` that was set off; the last one is closed."""
        del self._open[2:]
        self._open_block(type, entity, 0)

    def _open_block(self, type: str, entity: int, target: int) -> None:
        """Append a block of this ``type`` (``target``: entity, 0: none) to the innermost open one; it is the new
        innermost.
        """
        block = Block(type, entity, target, [])
        self._append(block)
        self._open.append(block.inside)

    # events: each handler in `_HANDLERS` adds the nodes for one event; its three numbers are explained in record.py

    def _add_decision(self, step: Step) -> None:
        """Add the nodes of one decision, ``step``, and of all that followed from it up to the next one."""
        self._action = step.action
        if step.action == k.END:
            self._set(GAME, STEP=TURN_END)
        self._add_events(step.events, step.after)

    def _add_events(self, events: list[Event], after: np.ndarray) -> None:
        """Add the nodes for events that follow one another without a decision; ``after``: the state [1] then."""
        self._playing = 0
        for event in events:
            handle = _HANDLERS.get(event.kind)
            if handle is not None:
                handle(self, event)
        if self._playing and self.cards[self._playing].type == k.SPELL:
            self._set(self._playing, ZONE=IN_GRAVEYARD)
        self._correct_tags(after)
        del self._open[1:]
        if after["phase"][0] == k.ACTING:
            self._set(GAME, STEP=ACTION)

    def _dealt(self, event: Event) -> None:
        """Move card ``event.b`` from the deck to the hand of seat ``event.a``; in the mulligan it replaces another."""
        seat, card = event.a, event.b
        side = self._side[seat]
        entity = self._take_from_deck(seat, card, IN_HAND)
        if not side.put_back:
            side.hand.append(entity)
            return
        place = side.put_back.pop(0)
        old, side.hand[place] = side.hand[place], entity
        side.deck[self.cards[old].number].append(old)
        self._set(old, ZONE=IN_DECK, ZONE_POSITION=0)
        self._append(Hide(old, IN_DECK))

    def _chose(self, event: Event) -> None:
        """Note whether seat ``event.a`` puts its next dealt card back (``event.c`` 1) or keeps it (0); adds no node
        yet.
        """
        side = self._side[event.a]
        if event.c:
            side.put_back.append(side.mulligan_card)
        side.mulligan_card += 1

    def _replaced(self, event: Event) -> None:
        """Set the tag of the player of seat ``event.a`` that says that its mulligan is done."""
        self._set(player_of(event.a), MULLIGAN_STATE=_MULLIGAN_DONE)

    def _given(self, event: Event) -> None:
        """Create the entity of card ``event.b``, which an effect adds to the hand of seat ``event.a``."""
        self._side[event.a].hand.append(self._create(event.b, event.a, IN_HAND))

    def _turn(self, event: Event) -> None:
        """Make seat ``event.a`` the current player, set the turn to ``event.b``, open the block of the turn's start."""
        del self._open[1:]
        self._set(player_of(1 - event.a), CURRENT_PLAYER=0)
        self._set(player_of(event.a), CURRENT_PLAYER=1)
        self._set(GAME, TURN=event.b, STEP=TURN_START)
        self._open_action("TRIGGER", player_of(event.a))

    def _burned(self, event: Event) -> None:
        """Move card ``event.b`` from the deck of seat ``event.a``, whose hand is full, to the graveyard."""
        self._take_from_deck(event.a, event.b, IN_GRAVEYARD)

    def _fatigued(self, event: Event) -> None:
        """Open a fatigue block for seat ``event.a``, which drew from an empty deck; set its fatigue to ``event.b``."""
        self._open_reaction("FATIGUE", player_of(event.a))
        self._set(player_of(event.a), FATIGUE=event.b)

    def _played(self, event: Event) -> None:
        """Take the card that was played (no secret) from the hand and open its block; ``event.c``: target body or 0."""
        self._from_hand(event.a & 1, event.c)
        if self.cards[self._playing].type == k.SPELL:
            self._set(self._playing, ZONE=IN_PLAY, ZONE_POSITION=0)

    def _from_hand(self, seat: int, target: int) -> None:
        """Take the card the action plays out of the hand; open its block on ``target`` (body as in events, or 0)."""
        place = (self._action - k.FIRST_PLAY) // (k.TARGETS * k.PLACES)
        self._playing = self._side[seat].hand.pop(place)
        self._open_action("PLAY", self._playing, self._named(target) if target else 0)

    def _named(self, body: int) -> int:
        """Return the entity of a body, given as the packed number by which events name bodies (`Named`)."""
        return self._body[Named.read(body).body]

    def _secret_laid(self, event: Event) -> None:
        """Put secret ``event.b`` of seat ``event.a`` into play: from the deck if its cost ``event.c`` is below 0."""
        seat, card, cost = event.a, event.b, event.c
        if cost >= 0:
            self._from_hand(seat, 0)
            entity = self._playing
        else:
            entity = self._take_from_deck(seat, card, AS_SECRET)
        self._set(entity, ZONE=AS_SECRET, ZONE_POSITION=0)
        self._side[seat].secrets.append(entity)

    def _used_power(self, event: Event) -> None:
        """Open the block of the hero power of seat ``event.a``; ``event.c`` names the target's body, 0: none."""
        self._open_action("PLAY", self._side[event.a].power, self._named(event.c) if event.c else 0)

    def _attacking(self, event: Event) -> None:
        """Open the block of an attack of the body that ``event.a`` names on that of ``event.b``, and tag both."""
        attacker, defender = self._named(event.a), self._named(event.b)
        self._open_action("ATTACK", attacker, defender)
        self._set(GAME, PROPOSED_ATTACKER=attacker, PROPOSED_DEFENDER=defender)
        self._set(attacker, ATTACKING=1)
        self._set(defender, DEFENDING=1)

    def _defended(self, event: Event) -> None:
        """Make the body that ``event.a`` names the defender of the current attack, in place of the one before."""
        self._set(self.tags[GAME]["PROPOSED_DEFENDER"], DEFENDING=0)
        self._set(GAME, PROPOSED_DEFENDER=self._named(event.a))
        self._set(self._named(event.a), DEFENDING=1)

    def _triggered(self, event: Event) -> None:
        """Open the block of an effect that was set off: of minion ``event.c``, or (0) of the owner's weapon."""
        self._open_reaction("TRIGGER", self._named(event.c) if event.c else self._side[event.a >> 10].weapon)

    def _secret_revealed(self, event: Event) -> None:
        """Move the revealed secret ``event.b`` of seat ``event.a`` to the graveyard; open the block of its effect."""
        secrets = self._side[event.a].secrets
        entity = next(one for one in secrets if self.cards[one].number == event.b)
        secrets.remove(entity)
        self._open_reaction("TRIGGER", entity)
        self._set(entity, ZONE=IN_GRAVEYARD)

    def _armored(self, event: Event) -> None:
        """Set the armor of the hero of seat ``event.a`` to ``event.c``."""
        self._set(self._body[event.a], ARMOR=event.c)

    def _buffed(self, event: Event) -> None:
        """Raise the attack of the body that ``event.a`` names by ``event.b``, and its health by ``event.c``."""
        entity = self._named(event.a)
        tags = self.tags[entity]
        self._set(entity, ATK=tags.get("ATK", 0) + event.b, HEALTH=tags["HEALTH"] + event.c)

    def _got(self, event: Event) -> None:
        """Set the tags of the keywords ``event.b`` (bits) that the body named by ``event.a`` has received."""
        self._set(self._named(event.a), **{tag: 1 for bit, tag in _KEYWORD_TAGS.items() if event.b & bit})

    def _died(self, event: Event) -> None:
        """Open a block of deaths and move the minion that ``event.a`` names to the graveyard."""
        self._open_reaction("DEATHS", GAME)
        self._set(self._named(event.a), ZONE=IN_GRAVEYARD, ZONE_POSITION=0)

    def _appeared(self, event: Event) -> None:
        """Put the minion ``event.a`` names onto the board: the card played (``event.b`` 1), or a new entity (0)."""
        named = Named.read(event.a)
        entity = self._playing if event.b else self._create(named.card, named.owner, IN_PLAY)
        self._body[named.body] = entity
        self._set(entity, ZONE=IN_PLAY, ZONE_POSITION=named.place)

    def _armed(self, event: Event) -> None:
        """Equip seat ``event.a`` with weapon ``event.b``: the card being played if it is that, else a new entity."""
        is_played = self._playing and self.cards[self._playing].number == event.b
        entity = self._playing if is_played else self._create(event.b, event.a, IN_PLAY)
        self._side[event.a].weapon = entity
        self._set(entity, ZONE=IN_PLAY, ZONE_POSITION=0)

    def _disarmed(self, event: Event) -> None:
        """Move the weapon of seat ``event.a``, which is destroyed, to the graveyard."""
        self._set(self._side[event.a].weapon, ZONE=IN_GRAVEYARD)
        self._side[event.a].weapon = 0

    # positions

    def _correct_tags(self, position: np.ndarray) -> None:
        """Set all tags that follow from ``position`` (a state [1]) and that events left out; after each decision."""
        numbers = numbers_of(self.played.game, position)
        for seat in range(2):
            self._correct_player(position["side"][0, seat], seat)
            self._correct_hand(numbers, seat)
            self._correct_body(position, seat, numbers)
            side = position["side"][0, seat]
            for place, e in enumerate(side["board"][: side["board_size"]].tolist(), 1):
                self._correct_body(position, e, numbers)
                self._set(self._body[e], ZONE_POSITION=place)
        for entity in (self.tags[GAME].get("PROPOSED_ATTACKER", 0), self.tags[GAME].get("PROPOSED_DEFENDER", 0)):
            if entity:
                self._set(entity, ATTACKING=0, DEFENDING=0)
        self._set(GAME, PROPOSED_ATTACKER=0, PROPOSED_DEFENDER=0)

    def _correct_player(self, side: np.void, seat: int) -> None:
        """Set the tags of a seat's mana, armor, hero power and weapon from its ``side`` of the state."""
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

    def _correct_hand(self, numbers: Numbers, seat: int) -> None:
        """Set place and current cost of each card in a seat's hand; ``numbers`` has the costs."""
        for place, entity in enumerate(self._side[seat].hand):
            self._set(entity, ZONE_POSITION=place + 1, COST=int(numbers.costs[seat, place]))

    def _correct_body(self, position: np.ndarray, e: int, numbers: Numbers) -> None:
        """Set stats, keywords and EXHAUSTED (no attack left) of body ``e``; ``position`` is the state [1] it is in."""
        body, entity = position["body"][0, e], self._body[e]
        bits, attacks = int(body["keywords"]), int(body["attacks"])
        is_tired = attacks >= (2 if bits & k.WINDFURY else 1) or (bits & k.SICK and not bits & k.CHARGE)
        self._set(
            entity,
            ATK=int(numbers.attacks[e]),
            HEALTH=int(body["max_health"]),
            DAMAGE=int(body["max_health"]) - int(body["health"]),
            NUM_ATTACKS_THIS_TURN=attacks,
            EXHAUSTED=int(bool(is_tired)),
        )
        self._set(entity, **{tag: int(bits & bit != 0) for bit, tag in _KEYWORD_TAGS.items()})

    def _finish(self) -> None:
        """Add the end of the game: who won and who lost; a hero without health leaves play."""
        winner = self.played.winner
        for seat in range(2):
            if self.played.last["body"]["health"][0, seat] <= 0:
                self._set(self._body[seat], ZONE=IN_GRAVEYARD)
            self._set(player_of(seat), PLAYSTATE=TIED if winner == k.NOBODY else WON if winner == seat else LOST)
        self._set(GAME, STEP=GAME_OVER, STATE=COMPLETE)


def _printed(card: Card, seat: int, zone: int) -> dict[str, int]:
    """Return the tags that ``card`` has when it appears in ``zone`` under ``seat``, as printed (name -> value)."""
    tags = {"CARDTYPE": _TYPES[card.type], "CONTROLLER": seat + 1, "ZONE": zone, "COST": card.cost}
    if card.type in (k.MINION, k.HERO):
        tags |= {"ATK": card.attack, "HEALTH": card.health}
    elif card.type == k.WEAPON:
        tags |= {"ATK": card.attack, "DURABILITY": card.health}
    elif card.type == k.SECRET:
        tags["SECRET"] = 1
    return tags | {tag: 1 for bit, tag in _KEYWORD_TAGS.items() if card.keywords & bit}


def _tag_handler(tag: str, value: int) -> Callable[[Story, Event], None]:
    """Return a handler (of a story and an event) that sets one tag of the body the event names to ``value``."""

    def tell(story: Story, event: Event) -> None:
        """Set the tag of the body that ``event.a`` names."""
        story._set(story._named(event.a), **{tag: value})

    return tell


def _health_handler(what: str) -> Callable[[Story, Event], None]:
    """Return a handler that notes damage or healing (``what``: 'DAMAGE', 'HEALING') and sets the damage a body has."""

    def tell(story: Story, event: Event) -> None:
        """Note the amount ``event.b``; set the damage on the body ``event.a`` from its health ``event.c``."""
        entity = story._named(event.a)
        story._append(Note(what, event.b, entity))
        story._set(entity, DAMAGE=max(0, story.tags[entity]["HEALTH"] - event.c))

    return tell


_HANDLERS: dict[int, Callable[[Story, Event], None]] = {
    k.DEALT: Story._dealt,
    k.CHOSE: Story._chose,
    k.REPLACED: Story._replaced,
    k.GIVEN: Story._given,
    k.TURN: Story._turn,
    k.DREW: Story._dealt,
    k.BURNED: Story._burned,
    k.FATIGUE: Story._fatigued,
    k.PLAYED: Story._played,
    k.HID: Story._secret_laid,
    k.USED_POWER: Story._used_power,
    k.ATTACKING: Story._attacking,
    k.DEFENDED: Story._defended,
    k.TRIGGERED: Story._triggered,
    k.UNCOVERED: Story._secret_revealed,
    k.HIT: _health_handler("DAMAGE"),
    k.SHIELDED: _tag_handler("DIVINE_SHIELD", 0),
    k.MENDED: _health_handler("HEALING"),
    k.ARMORED: Story._armored,
    k.BUFFED: Story._buffed,
    k.GOT: Story._got,
    k.FROZE: _tag_handler("FROZEN", 1),
    k.HUSHED: _tag_handler("SILENCED", 1),
    k.CONDEMNED: _tag_handler("TO_BE_DESTROYED", 1),
    k.DIED: Story._died,
    k.APPEARED: Story._appeared,
    k.ARMED: Story._armed,
    k.DISARMED: Story._disarmed,
    k.THAWED: _tag_handler("FROZEN", 0),
}


def tell_story(played: Finished) -> Story:
    """Turn a finished, replayed game into a log like Hearthstone's own, from which the replay formats are written."""
    return Story(played)
