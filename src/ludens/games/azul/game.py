"""Azul as a game: its options, the text of its actions, and its rules, face and roster put together."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ludens.core.error import BadOption
from ludens.core.game import Game
from ludens.core.option import option
from ludens.core.rules import Rules
from ludens.games.azul import features, record
from ludens.games.azul import judgement as _judgement  # noqa: F401  (its rules register themselves)
from ludens.games.azul import rules as _rules  # noqa: F401  (its rules register themselves)
from ludens.games.azul import view as _view  # noqa: F401  (its rules register themselves)
from ludens.games.azul.face import AzulFace
from ludens.games.azul.roster import ROSTER
from ludens.games.azul.sentences import COLOUR_NAMES


@dataclasses.dataclass(frozen=True)
class AzulOptions:
    """How a game of Azul is set up."""

    players: int = option(2, "seats at the table", low=2, high=4)
    wall: str = option(
        "coloured", "whether the wall has printed colours or the owner chooses the column", choices=("coloured", "grey")
    )
    first: str = option("1", "the seat that starts round 1", choices=("1", "2", "3", "4", "random"))
    cap: int = option(30, "rounds after which the game ends", low=1, high=1000)


class AzulRules(Rules):
    """Draft tiles, fill lines, build a wall; 2 to 4 players."""

    id = "azul"
    version = 1
    Options = AzulOptions
    State = record.State
    max_legal = record.MAX_LEGAL
    max_events = record.MAX_EVENTS
    rewards = ("r1", "r2", "r3", "r1-fixed", "r2-fixed", "r3-fixed")
    option_sets = (
        {},
        {"players": 3},
        {"players": 4, "first": "random"},
        {"wall": "grey"},
        {"players": 3, "wall": "grey", "cap": 8},
        {"players": 4, "wall": "grey"},
    )
    options: AzulOptions

    def check_options(self) -> None:
        """Raise BadOption if ``first`` names a player who does not exist."""
        if self.options.first != "random" and int(self.options.first) > self.options.players:
            raise BadOption(f"azul: first={self.options.first} is not possible with {self.options.players} players")

    def make_constants(self) -> record.AzulConstants:
        """Write the options into a record of constants, as kernels read them."""
        constants = np.zeros(1, record.Constants)
        constants["players"] = self.options.players
        constants["factories"] = self.factories
        constants["grey"] = self.options.wall == "grey"
        constants["first"] = -1 if self.options.first == "random" else int(self.options.first) - 1
        constants["cap"] = self.options.cap
        return record.AzulConstants(constants)  # type: ignore[arg-type]

    @property
    def factories(self) -> int:
        """The number of factories; also the index of the centre among the sources."""
        return 2 * self.options.players + 1

    @property
    def actions(self) -> int:  # type: ignore[override]
        """The number of action ids: drafts, then the columns of the grey wall."""
        return self.first_column_action + (5 if self.options.wall == "grey" else 0)

    @property
    def first_column_action(self) -> int:
        """The first id of the columns of the grey wall; smaller ids are drafts."""
        return (self.factories + 1) * 30

    def action_text(self, action: int) -> str:
        """An action as people type it: 'F3 red -> L2', 'C blue -> floor', or 'column 4' on the grey wall."""
        if action >= self.first_column_action:
            return f"column {action - self.first_column_action + 1}"
        group, dest = divmod(action, 6)
        source, colour = divmod(group, 5)
        place = "C" if source == self.factories else f"F{source + 1}"
        return f"{place} {COLOUR_NAMES[colour]} -> {'floor' if dest == record.FLOOR else f'L{dest + 1}'}"

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """What never changes in a game: twenty tiles of each colour, and bit sets that agree with wall and sources."""
        s = states[0]
        on_walls = [int((s.wall == 1 + colour).sum()) for colour in range(5)]
        in_lines = [int(s.line_count[s.line_colour == colour].sum()) for colour in range(5)]
        tiles = s.bag + s.lid + s.sources.sum(axis=0) + s.floor[:, :5].sum(axis=0)
        rows = s.wall[:, :, :, None] == 1 + np.arange(5)
        return {
            "tiles of each colour": [int(n) for n in tiles + on_walls + in_lines],
            "wall rows agree": bool(((rows.any(axis=2) * (1 << np.arange(5))).sum(axis=2) == s.built).all()),
            "offer agrees": int(s.offer) == sum(1 << i for i, n in enumerate(s.sources.flatten()) if n),
        }

    def feature_pieces(self) -> list[tuple[str, int]]:
        """The names and lengths of the parts of the features, see `features.pieces`."""
        return features.pieces(self.options.players, self.options.wall == "grey")


class Azul(Game):
    """Draft tiles, fill lines, build a wall; 2 to 4 players."""

    Rules = AzulRules
    Face = AzulFace
    roster = ROSTER
    rules: AzulRules
    face: AzulFace
