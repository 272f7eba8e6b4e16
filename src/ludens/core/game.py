"""A game: its rules, its face and its roster together."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from ludens.core.face import Face
from ludens.core.roster import Roster
from ludens.core.rules import Rules
from ludens.core.seed import as_seed
from ludens.core.state import State

_Rules: TypeAlias = Rules  # inside Game the names Rules and Face are its two classes
_Face: TypeAlias = Face


class Game:
    """A game with its options chosen. A subclass sets the three parts; only ``Rules`` is required."""

    Rules: ClassVar[type[_Rules]]
    Face: ClassVar[type[_Face]] = _Face
    roster: ClassVar[Roster] = Roster()

    def __init__(self, /, **options: Any) -> None:
        self.rules: _Rules = self.Rules(**options)
        self.face: _Face = self.Face(self.rules)

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.rules.option_values(changed=True).items())
        return f"ludens.game({self.id!r}{chosen})"

    @property
    def id(self) -> str:
        """The name of the game in commands and records: 'azul'."""
        return self.Rules.id

    def start(self, seed: int | None = None, fields: Mapping[str, Any] | None = None) -> State:
        """Deal a game: a new `State`. The same seed and start fields give the same deal on every machine.

        ``seed`` None draws a random one. ``fields`` holds start fields by name.
        """
        given = {name: _plain(value) for name, value in (fields or {}).items()}
        return State(self, secrets.randbits(64) if seed is None else as_seed(seed), given)

    def in_language(self, language: str) -> Self:
        """A copy of the game that shares its rules and has a face in another language."""
        twin = copy.copy(self)
        twin.face = self.face.in_language(language)
        return twin


def _plain(value: Any) -> Any:
    """The value of a start field in Python's own types (no NumPy numbers or arrays), as records store it."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
