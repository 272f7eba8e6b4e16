"""Features: what a learner sees of a view. A game has default features and may name more sets of them.

The default ones are written by the game's ``encode(g, v, out)``. A further set is a settings type with an ``encode`` of
its own, ``encode(f, g, v, out)``, and a function that makes it, which the roster names: ``features = {"long":
"module:long_features"}``. The function takes the game and returns `Features`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from ludens.core.error import BadOption
from ludens.core.option import closest
from ludens.core.registry import load

if TYPE_CHECKING:
    from ludens.core.game import Game

DEFAULT = "default"


class GameFeatures(NamedTuple):
    """Settings of the default features: their `encode` is the game's own."""

    none: int = 0


class Features(NamedTuple):
    """A set of features: its name, the settings whose type selects `encode`, and the names and lengths of its parts."""

    name: str
    settings: Any
    pieces: tuple[tuple[str, int], ...]

    @property
    def length(self) -> int:
        """How many numbers there are."""
        return sum(length for _, length in self.pieces)


def features_of(game: Game, name: str = DEFAULT) -> Features:
    """The set of features of this name for a game; BadOption if it has none."""
    if name == DEFAULT:
        if not game.rules.can("encode"):
            raise BadOption(f"{game.id} has no features for learners: it needs the operation encode")
        return Features(DEFAULT, GameFeatures(), tuple(game.rules.feature_pieces()))
    path = game.roster.features.get(name)
    if path is None:
        known = ", ".join([DEFAULT, *game.roster.features])
        raise BadOption(f"{game.id} has no features '{name}'{closest(name, game.roster.features)}; it knows: {known}")
    return load(path, f"the features '{name}' that {game.id} names as {path}")(game)


def features_hash(game: Game, features: Features) -> str:
    """A hash of what the numbers mean: of the game, the version of its rules, and the parts of the features."""
    text = f"{game.id} {game.rules.version} {features.name} {list(features.pieces)} {game.rules.actions}"
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
