"""HSReplay XML 1.7, a replay format that many Hearthstone tools read, written with the package `hsreplay`.

Records hold no times of day, so neither does the file. The players' deck lists are written in full.
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

_BUILD = 11461  # the build of client 4.1.0, whose rules the game follows


def to_hsreplay(played: Finished) -> str:
    """Turn a finished game into the text of an HSReplay XML file; MissingExtra without the package `hsreplay`."""
    document = _package("hsreplay.document").HSReplayDocument(_BUILD)
    document.games.append(_Writer(_package("hsreplay.elements"), _package("hearthstone.enums")).game(played))
    text: str = document.to_xml(pretty=True)
    return text


def _package(name: str) -> Any:
    """Import a module of an optional package by its dotted name; MissingExtra, with the install command, if missing."""
    try:
        return importlib.import_module(name)  # by name, since the package has no type annotations
    except ImportError:
        raise MissingExtra("HSReplay files need the package hsreplay: pip install 'ludens[interop]'") from None


class _Writer:
    """Turns log nodes into nodes of the package `hsreplay`; none has a time."""

    def __init__(self, elements: Any, enums: Any) -> None:
        """Keep the modules ``hsreplay.elements`` (node classes) and ``hearthstone.enums`` (numbers of tags)."""
        self.elements, self.enums = elements, enums

    def game(self, played: Finished) -> Any:
        """Turn a finished game into one GameNode of the package `hsreplay`, with all nodes of its log inside."""
        story, game = tell_story(played), self.elements.GameNode(None)
        for create in story.start:
            game.append(self._beginning(create, played))
        for node in story.nodes:
            game.append(self._node(node))
        return game

    def _beginning(self, create: Create, played: Finished) -> Any:
        """Return the package's node for an entity that exists from the start: the game, a player, or a card.

        A player's node gets its agent's name and its whole deck list.
        """
        if create.entity == GAME:
            return self._tagged(self.elements.GameEntityNode(None, GAME), create.tags)
        for seat, name in enumerate(agent_ids(played.record)):
            if create.entity == player_of(seat):
                player = self.elements.PlayerNode(None, create.entity, seat + 1, 0, seat + 1, name)
                player.deck = [all_cards()[card].id for card in played.deal["lists"][0, seat].tolist()]
                return self._tagged(player, create.tags)
        return self._node(create)

    def _node(self, node: Node) -> Any:
        """Turn one log node into the node of the package `hsreplay` that says the same."""
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
        """Return the number of a tag, by its name in the client's enum GameTag."""
        return int(self.enums.GameTag[name])

    def _tagged(self, entity: Any, tags: dict[str, int]) -> Any:
        """Append tags (name -> value) to an entity node and return it."""
        for name, value in tags.items():
            entity.append(self.elements.TagNode(None, self._tag(name), value))
        return entity

    def _note(self, node: Note) -> Any:
        """Return the package's metadata node for an amount of damage or healing."""
        note = self.elements.MetaDataNode(None, int(self.enums.MetaDataType[node.what]), node.amount, 1)
        note.append(self.elements.MetaDataInfoNode(None, 0, node.entity))
        return note

    def _block(self, node: Block) -> Any:
        """Return the package's node for a block of the log, with nodes for everything inside it."""
        block = self.elements.BlockNode(None, node.entity, int(self.enums.BlockType[node.type]))
        block.target = node.target
        for one in node.inside:
            block.append(self._node(one))
        return block
