"""What a log of Hearthstone is made of: entities get tags, and blocks hold what an action or an effect changes.

Tags, zones and blocks have the names and numbers of the client's logs.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

GAME = 1  # the entity of the game itself
IN_PLAY, IN_DECK, IN_HAND, IN_GRAVEYARD, AS_SECRET = 1, 2, 3, 4, 7  # zones
PLAYING, WON, LOST, TIED = 1, 4, 5, 6  # how a player stands
RUNNING, COMPLETE = 2, 3
MULLIGAN, TURN_START, ACTION, TURN_END, GAME_OVER = 4, 9, 10, 12, 15  # steps of the game


class Change(NamedTuple):
    """A tag of an entity has a new value."""

    entity: int
    tag: str
    value: int


class Create(NamedTuple):
    """An entity that was not there before; its card is '' as long as nobody has seen it."""

    entity: int
    card: str
    tags: dict[str, int]


class Reveal(NamedTuple):
    """Which card an entity is, and its tags from now on."""

    entity: int
    card: str
    tags: dict[str, int]


class Hide(NamedTuple):
    """A card goes back to where nobody sees it."""

    entity: int
    zone: int


class Note(NamedTuple):
    """Damage or healing, as a number to be shown: 'DAMAGE' or 'HEALING'."""

    what: str
    amount: int
    entity: int


class Block(NamedTuple):
    """An action or an effect, and what it changes: 'PLAY', 'ATTACK', 'TRIGGER', 'DEATHS' or 'FATIGUE'."""

    type: str
    entity: int
    target: int  # 0: none
    inside: list[Node]


Node: TypeAlias = "Change | Create | Reveal | Hide | Note | Block"


def player_of(seat: int) -> int:
    """The entity of a player."""
    return 2 + seat
