"""Replays of Hearthstone Deck Tracker: a zip that holds `replay.json`, a list of key points.

A key point is one moment of the game (a card drawn or played, an attack, ...), with all entities as they are then, seen
from the first seat. The tracker dropped its own viewer in 2017: this is for old tools, and for comparing with the
thesis, which wrote such files.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.export import Finished, agent_ids
from ludens.games.hearthstone.export_node import (
    AS_SECRET,
    GAME,
    IN_DECK,
    IN_GRAVEYARD,
    IN_HAND,
    LOST,
    WON,
    Block,
    Change,
    Create,
    Hide,
    Node,
    Reveal,
    player_of,
)
from ludens.games.hearthstone.export_story import Story, tell_story

_PLAYED, _DREW, _LOST_CARD, _ATTACKED, _PLAYED_AT, _POWER, _VICTORY, _DEFEAT = 0, 1, 2, 9, 16, 19, 20, 21
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed time stamp, so that the same game always gives the same bytes


def to_hdtreplay(played: Finished) -> bytes:
    """Turn a finished game into the bytes of a `.hdtreplay` file for Hearthstone Deck Tracker."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        entry = zipfile.ZipInfo("replay.json", _EPOCH)
        text = json.dumps(key_points(played), separators=(",", ":"))
        archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def key_points(played: Finished) -> list[dict[str, Any]]:
    """Return the key points of a finished game in order, as the dictionaries that `replay.json` holds."""
    return _KeyPoints(tell_story(played), played).points


class _KeyPoints:
    """Walks through the log of a game, keeps the tags of all entities up to date, and collects the key points."""

    def __init__(self, story: Story, played: Finished) -> None:
        """Walk through the whole log of ``played``, which is ``story``, and leave the key points in ``points``."""
        self.points: list[dict[str, Any]] = []
        self._names = agent_ids(played.record)
        self._story = story
        self._tags: dict[int, dict[str, int]] = {}
        self._seen: dict[int, str] = {}  # entity -> card id; '' while the card is hidden
        for node in (*story.start, *story.nodes):
            self._walk(node)

    def _walk(self, node: Node) -> None:
        """Apply a log node, and all inside it, to the tags; add a key point if the node is one."""
        if isinstance(node, Create):
            self._tags[node.entity], self._seen[node.entity] = dict(node.tags), node.card
        elif isinstance(node, Reveal):
            self._reveal(node)
        elif isinstance(node, Hide):
            self._seen[node.entity] = ""
        elif isinstance(node, Change):
            self._change(node)
        elif isinstance(node, Block):
            for one in node.inside:
                self._walk(one)
            self._add_block_point(node)

    def _reveal(self, node: Reveal) -> None:
        """Apply the tags of a card that becomes known; add a key point if it was drawn or burned from the deck."""
        was = self._tags[node.entity].get("ZONE")
        self._tags[node.entity] |= node.tags
        self._seen[node.entity] = node.card
        if was == IN_DECK and node.tags["ZONE"] in (IN_HAND, IN_GRAVEYARD):
            self._add_point(_DREW if node.tags["ZONE"] == IN_HAND else _LOST_CARD, node.entity)

    def _change(self, node: Change) -> None:
        """Apply a changed tag; add a key point if it is the end of the game for the first seat."""
        self._tags[node.entity][node.tag] = node.value
        if node.tag == "PLAYSTATE" and node.entity == player_of(0) and node.value in (WON, LOST):
            self._add_point(_VICTORY if node.value == WON else _DEFEAT, node.entity)

    def _add_block_point(self, node: Block) -> None:
        """Add the key point of a block (attack, card or power), after everything inside it was applied."""
        if node.type == "ATTACK":
            self._add_point(_ATTACKED, node.entity)
        elif node.type == "PLAY":
            is_power = self._story.cards[node.entity].type == k.POWER
            self._add_point(_POWER if is_power else _PLAYED_AT if node.target else _PLAYED, node.entity)

    def _add_point(self, type: int, entity: int) -> None:
        """Append a key point about ``entity``, with all tags as they are now; ``type`` is the tracker's number for its
        kind.
        """
        self.points.append(
            {
                "Data": [self._entity(one) for one in self._tags],
                "Id": entity,
                "Player": self._tags[entity]["CONTROLLER"] - 1,
                "Turn": self._tags[GAME].get("TURN", 0),
                "Type": type,
            }
        )

    def _entity(self, entity: int) -> dict[str, Any]:
        """Return the current name, number, card and tags of an entity as a dictionary of the tracker's format."""
        tags = self._tags[entity]
        players = {player_of(seat): name for seat, name in enumerate(self._names)}
        card = self._seen[entity]
        return {
            "Name": players.get(entity) or ("GameEntity" if entity == GAME else self._name(entity)),
            "Id": entity,
            "CardId": card,
            "IsPlayer": entity == player_of(0),
            "IsSecret": tags.get("ZONE") == AS_SECRET,
            "Tags": {tag: value for tag, value in tags.items() if value},
        }

    def _name(self, entity: int) -> str:
        """Return the name of the card that an entity is; '' while the card is hidden."""
        return self._story.cards[entity].name if self._seen[entity] else ""
