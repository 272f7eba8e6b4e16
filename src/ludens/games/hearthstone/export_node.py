"""The nodes that a Hearthstone log consists of: entities get tags; blocks hold the changes of one action or effect.

The names and numbers of tags, zones and blocks are those of the Hearthstone client's logs.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

GAME = 1  # the entity of the game itself
IN_PLAY, IN_DECK, IN_HAND, IN_GRAVEYARD, AS_SECRET = 1, 2, 3, 4, 7  # zones
PLAYING, WON, LOST, TIED = 1, 4, 5, 6  # values of a player's tag PLAYSTATE
RUNNING, COMPLETE = 2, 3  # values of the game's tag STATE
MULLIGAN, TURN_START, ACTION, TURN_END, GAME_OVER = 4, 9, 10, 12, 15  # values of the game's tag STEP


class Change(NamedTuple):
    """A log node: one tag of an entity gets a new value."""

    entity: int
    tag: str
    value: int


class Create(NamedTuple):
    """A log node: a new entity with its tags; ``card`` is its card id, '' as long as the card is hidden."""

    entity: int
    card: str
    tags: dict[str, int]


class Reveal(NamedTuple):
    """A log node: a hidden entity turns out to be this card (its id), with all its tags from now on."""

    entity: int
    card: str
    tags: dict[str, int]


class Hide(NamedTuple):
    """A log node: a card becomes hidden again, in this zone."""

    entity: int
    zone: int


class Note(NamedTuple):
    """A log node: an amount of damage or healing to an entity, to be shown; ``what`` is 'DAMAGE' or 'HEALING'."""

    what: str
    amount: int
    entity: int


class Block(NamedTuple):
    """A log node: an action or effect of ``entity`` with the nodes it caused (``inside``).

    ``type`` is 'PLAY', 'ATTACK', 'TRIGGER', 'DEATHS' or 'FATIGUE'.
    """

    type: str
    entity: int
    target: int  # 0: none
    inside: list[Node]


Node: TypeAlias = "Change | Create | Reveal | Hide | Note | Block"


def player_of(seat: int) -> int:
    """Return the entity number that stands for a seat's player in a log: 2 or 3."""
    return 2 + seat
