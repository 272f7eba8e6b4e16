"""Replays of Hearthstone Deck Tracker: a zip that holds `replay.json`, a list of key points.

A key point is a moment worth looking at, with all entities as they are then, seen from the first seat. The tracker
dropped its own viewer in 2017: this is for old tools, and for comparing with the thesis, which wrote such files.
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
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same game gives the same bytes


def to_hdtreplay(played: Finished) -> bytes:
    """A finished game as the bytes of a `.hdtreplay` file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        entry = zipfile.ZipInfo("replay.json", _EPOCH)
        text = json.dumps(key_points(played), separators=(",", ":"))
        archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def key_points(played: Finished) -> list[dict[str, Any]]:
    """What is worth looking at, in order."""
    return _Points(tell_story(played), played).points


class _Points:
    """Walks through a game's log and notes the key points."""

    def __init__(self, story: Story, played: Finished) -> None:
        self.points: list[dict[str, Any]] = []
        self._names = agent_ids(played.record)
        self._story = story
        self._tags: dict[int, dict[str, int]] = {}
        self._seen: dict[int, str] = {}  # the id of each card that was seen
        for node in (*story.start, *story.nodes):
            self._walk(node)

    def _walk(self, node: Node) -> None:
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
            self._note_block(node)

    def _reveal(self, node: Reveal) -> None:
        was = self._tags[node.entity].get("ZONE")
        self._tags[node.entity] |= node.tags
        self._seen[node.entity] = node.card
        if was == IN_DECK and node.tags["ZONE"] in (IN_HAND, IN_GRAVEYARD):
            self._note(_DREW if node.tags["ZONE"] == IN_HAND else _LOST_CARD, node.entity)

    def _change(self, node: Change) -> None:
        self._tags[node.entity][node.tag] = node.value
        if node.tag == "PLAYSTATE" and node.entity == player_of(0) and node.value in (WON, LOST):
            self._note(_VICTORY if node.value == WON else _DEFEAT, node.entity)

    def _note_block(self, node: Block) -> None:
        """An action is noted when all that came of it is done."""
        if node.type == "ATTACK":
            self._note(_ATTACKED, node.entity)
        elif node.type == "PLAY":
            is_power = self._story.cards[node.entity].type == k.POWER
            self._note(_POWER if is_power else _PLAYED_AT if node.target else _PLAYED, node.entity)

    def _note(self, type: int, entity: int) -> None:
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
        return self._story.cards[entity].name if self._seen[entity] else ""
