"""Rules: the first of the three parts of a game, what programs need to know of it.

The compiled operations (``core/ops.py``) are registered for the type of the table; a ``Rules`` object holds the table
of the chosen options, the layout of the records, and what every driver has to ask before it can play.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludens.core import ops
from ludens.core.checksum import checksum
from ludens.core.error import BadOption, BrokenGame
from ludens.core.option import parse_options

if TYPE_CHECKING:
    from ludens.core.state import View


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """For a game that has none."""


class Rules:
    """The rules of a game with its options chosen.

    A subclass sets the class attributes and builds its table. Only ``id``, ``State``, ``actions``, ``max_legal`` and
    ``make_constants`` are required.
    """

    id: ClassVar[str]
    version: ClassVar[int] = 1  # of the rules: other numbers replay no records of this one
    releases: ClassVar[Mapping[int, str]] = {}  # older version -> what pip installs to replay it: "ludens<0.2"
    added_fields: ClassVar[Mapping[str, int]] = {}  # fields the states got later, see `core.checksum`
    renamed_fields: ClassVar[Mapping[str, str]] = {}  # path of a field -> its first name, by which checksums know it
    Options: ClassVar[type] = NoOptions
    State: ClassVar[np.dtype]
    actions: int  # ids run from 0 to actions - 1
    max_legal: ClassVar[int]  # room `legal` needs
    max_events: ClassVar[int] = 16  # the most events one step tells
    labels: ClassVar[int] = 0  # numbers of moves for searches run from 0 to labels - 1, see `label`; 0: the actions
    order_prunes: ClassVar[bool] = False  # whether `order` gives some legal moves nothing, so that searches skip them
    max_branches: ClassVar[int] = 0  # room `branches` needs, 0: it has none
    incidental: ClassVar[Sequence[str]] = ()  # fields that tell how a draw came about; `branches` leaves them 0
    start_fields: ClassVar[Sequence[str]] = ()  # fields a caller may set before the deal (decks, a board)
    file_options: ClassVar[Sequence[str]] = ()  # options whose value may be a file people bring, see `keep_file`
    rewards: ClassVar[Sequence[str]] = ()  # names of its own rewards for learners, see `ops.reward`
    has_secrets: ClassVar[bool] = False  # whether seats know different things
    option_sets: ClassVar[Sequence[Mapping[str, Any]]] = ({},)  # the variants `ludens check` runs over

    def __init__(self, /, **options: Any) -> None:
        self.options: Any = parse_options(self.Options, options, self.id)
        self.check_options()
        self.constants = self.make_constants()
        self.blank = np.zeros(1, self.State)

    # what a game fills in

    def make_constants(self) -> Any:
        """The table: a NamedTuple whose field ``t`` is an array of one constant record."""
        raise BrokenGame(f"{self.id} does not build its table: write make_table")

    def check_options(self) -> None:
        """Raise BadOption when options that are each possible do not go together."""

    @classmethod
    def keep_file(cls, option: str, text: str, name: str) -> str:
        """Read a file that somebody brought for an option, and keep it by its contents: the option's value for it.

        BadOption says in a sentence what is wrong with it. ``name`` is how its owner calls it, never a path.
        """
        raise BadOption(f"{cls.id}: {option} takes no file")

    @property
    def seats(self) -> int:
        """How many seats there are: the option ``players``, or 2 in a game without it."""
        return int(getattr(self.options, "players", 2))

    @property
    def seat_names(self) -> Sequence[str]:
        """Names by which seats are bound to agents: '1', '2', ... unless the roles differ."""
        return [str(seat + 1) for seat in range(self.seats)]

    def action_text(self, action: int) -> str:
        """The move as it is typed, the same in every language."""
        return str(action)

    def timeout_action(self, view: View) -> int | None:
        """What a seat plays when its clock is empty; None: it loses the game."""
        return None

    def feature_pieces(self) -> list[tuple[str, int]]:
        """The named pieces of the features ``encode`` writes, in order, with their lengths."""
        return []

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """Quantities the rules must keep constant from the deal to the end."""
        return {}

    # what every game can do

    def can(self, name: str) -> bool:
        """Whether the game implements the operation of that name."""
        return ops.is_implemented(name, type(self.constants))

    def option_values(self, changed: bool = False) -> dict[str, Any]:
        """Options by name; only those that differ from the default if ``changed``."""
        values = dataclasses.asdict(self.options)
        if not changed:
            return values
        fields = {field.name: field.default for field in dataclasses.fields(self.Options)}
        return {name: value for name, value in values.items() if value != fields[name]}

    def feature_length(self) -> int:
        """How many numbers ``encode`` writes."""
        return sum(length for _, length in self.feature_pieces())

    def buffer(self) -> np.ndarray:
        """Room for a list of legal actions."""
        return np.zeros(self.max_legal, np.uint32)

    def checksum(self, states: np.ndarray, layout: int | None = None) -> str:
        """A short fingerprint of states that outlasts changes of their layout, see `core.checksum`."""
        return checksum(states, self.added_fields, layout, self.renamed_fields)

    def place(self, states: np.ndarray, seeds: np.ndarray, fields: Mapping[str, Any]) -> None:
        """Blank the records and write seeds and start fields into them."""
        states.view(np.uint8)[:] = 0
        states["rng"] = seeds
        states["seat"] = -1
        for name, value in fields.items():
            if name not in self.start_fields:
                known = ", ".join(self.start_fields) or "none"
                raise BadOption(f"{self.id} has no start field '{name}'; it knows: {known}")
            try:
                states[name] = value
            except (TypeError, ValueError, OverflowError) as why:
                raise BadOption(f"{self.id}: the start field '{name}' cannot be {str(value)[:40]!r}: {why}") from None
