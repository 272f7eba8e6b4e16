"""HSReplay XML 1.7, the format of replays that tools around Hearthstone share, by the package `hsreplay`.

Records hold no times of day, so neither does the file. The cards of the decks stand there in full.
"""

from __future__ import annotations

import importlib
from typing import Any

from ludens.core.error import MissingExtra
from ludens.games.hearthstone.card import all_cards
from ludens.games.hearthstone.export import Finished, agent_ids
from ludens.games.hearthstone.export_node import (
    GAME,
    Block,
    Change,
    Create,
    Hide,
    Node,
    Note,
    Reveal,
    player_of,
)
from ludens.games.hearthstone.export_story import tell_story

_BUILD = 11461  # of the client whose rules these are, 4.1.0


def to_hsreplay(played: Finished) -> str:
    """A finished game as HSReplay XML; MissingExtra without the package."""
    document = _package("hsreplay.document").HSReplayDocument(_BUILD)
    document.games.append(_Writer(_package("hsreplay.elements"), _package("hearthstone.enums")).game(played))
    text: str = document.to_xml(pretty=True)
    return text


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)  # by name: it brings no types
    except ImportError:
        raise MissingExtra("HSReplay files need the package hsreplay: pip install 'ludens[interop]'") from None


class _Writer:
    """Turns our nodes into the package's; no node has a time."""

    def __init__(self, elements: Any, enums: Any) -> None:
        self.elements, self.enums = elements, enums

    def game(self, played: Finished) -> Any:
        story, game = tell_story(played), self.elements.GameNode(None)
        for create in story.start:
            game.append(self._beginning(create, played))
        for node in story.nodes:
            game.append(self._node(node))
        return game

    def _beginning(self, create: Create, played: Finished) -> Any:
        if create.entity == GAME:
            return self._tagged(self.elements.GameEntityNode(None, GAME), create.tags)
        for seat, name in enumerate(agent_ids(played.record)):
            if create.entity == player_of(seat):
                player = self.elements.PlayerNode(None, create.entity, seat + 1, 0, seat + 1, name)
                player.deck = [all_cards()[card].id for card in played.deal["lists"][0, seat].tolist()]
                return self._tagged(player, create.tags)
        return self._node(create)

    def _node(self, node: Node) -> Any:
        elements = self.elements
        if isinstance(node, Change):
            return elements.TagChangeNode(None, node.entity, self._tag(node.tag), node.value)
        if isinstance(node, Create):
            return self._tagged(elements.FullEntityNode(None, node.entity, node.card or None), node.tags)
        if isinstance(node, Reveal):
            return self._tagged(elements.ShowEntityNode(None, node.entity, node.card), node.tags)
        if isinstance(node, Hide):
            return elements.HideEntityNode(None, node.entity, node.zone)
        return self._note(node) if isinstance(node, Note) else self._block(node)

    def _tag(self, name: str) -> int:
        return int(self.enums.GameTag[name])

    def _tagged(self, entity: Any, tags: dict[str, int]) -> Any:
        for name, value in tags.items():
            entity.append(self.elements.TagNode(None, self._tag(name), value))
        return entity

    def _note(self, node: Note) -> Any:
        note = self.elements.MetaDataNode(None, int(self.enums.MetaDataType[node.what]), node.amount, 1)
        note.append(self.elements.MetaDataInfoNode(None, 0, node.entity))
        return note

    def _block(self, node: Block) -> Any:
        block = self.elements.BlockNode(None, node.entity, int(self.enums.BlockType[node.type]))
        block.target = node.target
        for one in node.inside:
            block.append(self._node(one))
        return block
