"""Rules: the first of the three parts of a game, with everything that programs need to know about it.

The compiled operations (``core/ops.py``) are registered for the type of the constants. A ``Rules`` object holds the
constants of the chosen options, the layout of the state record, and what a driver has to know before it can play.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludens.core import ops
from ludens.core.checksum import checksum
from ludens.core.error import BadOption, BrokenGame
from ludens.core.file import shortened
from ludens.core.option import parse_options

if TYPE_CHECKING:
    from ludens.core.state import View


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """The options class of a game without options."""


class Rules:
    """The rules of a game with its options chosen: ``AzulRules(players=3)``.

    A subclass sets the class attributes and builds its constants. Only ``id``, ``State``, ``actions``, ``max_legal``
    and ``make_constants`` are required.
    """

    id: ClassVar[str]
    version: ClassVar[int] = 1  # of the rules; game records of another version are not replayed
    releases: ClassVar[Mapping[int, str]] = {}  # older version -> what pip installs to replay it: "ludens<0.2"
    added_fields: ClassVar[Mapping[str, int]] = {}  # path of a later field -> first layout with it (`core.checksum`)
    renamed_fields: ClassVar[Mapping[str, str]] = {}  # path of a field -> its first name, which checksums use
    Options: ClassVar[type] = NoOptions
    State: ClassVar[np.dtype]  # of the state record; its first fields are rng and seat
    actions: int  # number of action ids, which run from 0 to actions - 1
    max_legal: ClassVar[int]  # length of the longest list of legal actions
    max_events: ClassVar[int] = 16  # most events of the deal, or of one decision with the draws after it
    labels: ClassVar[int] = 0  # number of values of `search.contract.label`; 0: searches use action ids
    order_prunes: ClassVar[bool] = False  # whether `order` gives some legal moves weight 0, so that searches skip them
    max_branches: ClassVar[int] = 0  # most outcomes that `branches` lists; 0: the game has no `branches`
    incidental: ClassVar[Sequence[str]] = ()  # fields that show how a draw came about (dice); `branches` leaves them 0
    start_fields: ClassVar[Sequence[str]] = ()  # fields a caller may set before the deal (decks, a board)
    file_options: ClassVar[Sequence[str]] = ()  # options whose value may be a user file, see `keep_file`
    rewards: ClassVar[Sequence[str]] = ()  # names of the game's own rewards for learners, see `ops.reward`
    has_secrets: ClassVar[bool] = False  # whether seats know different things
    option_sets: ClassVar[Sequence[Mapping[str, Any]]] = ({},)  # the variants that `ludens check` tests

    def __init__(self, /, **options: Any) -> None:
        """Check the options (values or texts; BadOption if one is wrong) and build the constants.

        BrokenGame if the class lacks something, or a record is not made as the compiled rules need it.
        """
        self._must_have("id", "State", "max_legal")
        self.options: Any = parse_options(self.Options, options, self.id)
        self.check_options()
        self.constants = self.make_constants()
        self._must_have("actions")
        self._check_records()
        self.blank = np.zeros(1, self.State)

    # what a game may override

    def make_constants(self) -> Any:
        """Build the constants for ``self.options``: a NamedTuple whose field ``c`` is an array of one record.

        Called once, when the rules are made. Every game overrides it.
        """
        raise BrokenGame(f"{self.id} does not build its constants: write make_constants")

    def check_options(self) -> None:
        """Raise BadOption if options that are each valid do not go together; called before the constants are built."""

    @classmethod
    def keep_file(cls, option: str, text: str, name: str) -> str:
        """Store the text of a user's file (a board, a deck) and return the value that ``option`` takes to use it.

        It is stored under a name made from its contents. ``name`` is what the user calls it, never a path. Raises
        BadOption, with a sentence for people, if the text is not valid. To be overridden by games with
        ``file_options``.
        """
        raise BadOption(f"{cls.id}: {option} takes no file")

    @property
    def seats(self) -> int:
        """The number of seats: the option ``players``, or 2 in a game without that option."""
        return int(getattr(self.options, "players", 2))

    @property
    def seat_names(self) -> Sequence[str]:
        """The name of each seat, used to bind agents to seats: '1', '2', ..., or the names of different roles."""
        return [str(seat + 1) for seat in range(self.seats)]

    def action_text(self, action: int) -> str:
        """An action as people type and read it, the same in every language; by default its number."""
        return str(action)

    def timeout_action(self, view: View) -> int | None:
        """The action to play for a seat whose clock has run out, given its view; None: it loses the game."""
        return None

    def feature_pieces(self) -> list[tuple[str, int]]:
        """The name and length of each block of features, in the order in which ``encode`` writes them; [] for none."""
        return []

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """Quantities that must stay the same from the deal to the end (say, the number of tiles), by name.

        ``states`` is an array of one state. The contract kit compares the values after every move.
        """
        return {}

    # what every game can do

    def _must_have(self, *names: str) -> None:
        """Raise BrokenGame unless the class has these attributes."""
        for name in names:
            if not hasattr(self, name):
                raise BrokenGame(f"{type(self).__name__} needs `{name}`: set it in the class")

    def _check_records(self) -> None:
        """Raise BrokenGame unless the constants and the state have the form that drivers and kernels rely on."""
        c = getattr(self.constants, "c", None)
        if not isinstance(self.constants, tuple) or not isinstance(c, np.ndarray) or c.dtype.names is None:
            raise BrokenGame(
                f"{self.id}: make_constants must return a NamedTuple whose field c is an array of one record, not "
                f"{type(self.constants).__name__}"
            )
        if [self.State[name].kind for name in ("rng", "seat") if name in (self.State.names or ())] != ["u", "i"]:
            raise BrokenGame(
                f"{self.id}: the state must begin with rng and seat: record_of(rng=uint64, seat=int8, ...)"
            )
        if taken := [name for kind in (c.dtype, self.State) for name in _field_names(kind) if hasattr(np.record, name)]:
            raise BrokenGame(f"{self.id}: no field may be named '{taken[0]}', an attribute of every record: rename it")

    def must_have_drawn(self, turns: np.ndarray) -> None:
        """Raise BrokenGame if a draw is still due in one of some games; ``turns`` are their seats to move."""
        if (turns == ops.CHANCE).any():
            why = f"even after {ops.MOST_DRAWS:,} draws: `chance` must make the draw, so that a seat is to move"
            missing = "but the game implements no `chance`: register one with @implements(ops.chance, "
            why = why if self.can("chance") else f"{missing}{type(self.constants).__name__})"
            raise BrokenGame(f"{self.id}: to_move answers CHANCE, {why}")

    def missing_operations(self) -> list[str]:
        """The names of the required operations that the game does not implement."""
        return [name for name in ops.REQUIRED if not self.can(name)]

    def can(self, name: str) -> bool:
        """Whether the game implements the operation of that name: ``can("suggest")``."""
        return ops.is_implemented(name, type(self.constants))

    def option_values(self, changed: bool = False) -> dict[str, Any]:
        """The chosen options by name; with ``changed`` only those that differ from their default."""
        values = dataclasses.asdict(self.options)
        if not changed:
            return values
        fields = {field.name: field.default for field in dataclasses.fields(self.Options)}
        return {name: value for name, value in values.items() if value != fields[name]}

    def feature_length(self) -> int:
        """The number of features that ``encode`` writes."""
        return sum(length for _, length in self.feature_pieces())

    def buffer(self) -> np.ndarray:
        """A new array that holds any list of legal actions: uint32 [max_legal]."""
        return np.zeros(self.max_legal, np.uint32)

    def checksum(self, states: np.ndarray, layout: int | None = None) -> str:
        """A short checksum of an array of states, the same for every order and width of their fields.

        ``layout``: the older layout to compute it for; None for the present one. See `core.checksum`.
        """
        return checksum(states, self.added_fields, layout, self.renamed_fields)

    def place(self, states: np.ndarray, seeds: np.ndarray, fields: Mapping[str, Any]) -> None:
        """Prepare states for the deal, in place: all 0, then ``rng`` from ``seeds``, ``seat`` -1, and the start fields.

        ``fields`` holds the start fields by name, the same for all states. Raises BadOption if the game has no such
        start field or the value does not fit it.
        """
        states.view(np.uint8)[:] = 0
        states["rng"] = seeds
        states["seat"] = -1
        for name, value in fields.items():
            if name not in self.start_fields:
                known = ", ".join(self.start_fields) or "none"
                raise BadOption(f"{self.id} has no start field '{name}'; it knows: {known}")
            states[name] = self._start_value(name, value)

    def _start_value(self, name: str, value: Any) -> np.ndarray:
        """The value of a start field as an array; BadOption unless it has the field's shape and fits its type."""
        field = self.State[name]
        with contextlib.suppress(ValueError, OverflowError), np.errstate(all="ignore"):  # ValueError: a ragged list
            found = np.array(value)
            if found.dtype.kind in "iuf" and found.shape == field.shape:
                fitted = found.astype(field.base)
                if (np.isfinite(fitted) if field.base.kind == "f" else fitted == found).all():
                    return fitted
        sizes = " x ".join(map(str, field.shape)) or "1"
        raise BadOption(
            f"{self.id}: the start field '{name}' cannot be {shortened(value, 40)}: it takes {sizes} numbers of type"
            f" {field.base.name}"
        )


def _field_names(kind: np.dtype) -> list[str]:
    """The names of the fields of a record type, and of the records inside it."""
    names = list(kind.base.names or ())
    return names + [inner for name in names for inner in _field_names(kind.base[name])]
