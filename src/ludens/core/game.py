"""Game, State and View: the friendly face of the records.

A game's folder subclasses ``Game``; everything a person or a program does with one game at a time goes through
``State`` and ``View``. Both hold an array of one record and call the compiled rules.
"""

from __future__ import annotations

import copy
import dataclasses
import operator
import re
import secrets
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from ludens.core import drive, ops
from ludens.core.checksum import checksum
from ludens.core.error import BadOption, BrokenGame, IllegalAction
from ludens.core.event import Event, events_of, heard_by, new_log
from ludens.core.language import HOUSE, Catalogue, check_language
from ludens.core.option import as_text, parse_options
from ludens.core.record import Record
from ludens.core.seed import as_seed, dice_key

_State: TypeAlias = "State"  # inside Game the name State is the dtype of its records


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """For a game that has none."""


class Game:
    """A game with its options chosen: the table its rules read, and how people name what happens in it.

    A subclass sets the class attributes, builds its table, and overrides what people see. Only ``id``, ``title``,
    ``State``, ``actions``, ``max_legal``, ``make_table`` and ``action_text`` are required; the rest has a generic
    answer.

    What people read may stand in a folder ``text/`` beside the module of the class, a ``Catalogue``. Its keys, all
    optional: ``title``, ``summary``, ``rules`` (paragraphs), ``rules-when.<option>.<value>`` (a paragraph for games
    with that option), ``option.<name>`` (a sentence), ``choice.<option>.<value>``, ``agent.<name>`` (a sentence),
    ``seat.<name>``, and whatever else the game says.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""
    version: ClassVar[int] = 1  # of the rules: other numbers replay no records of this one
    releases: ClassVar[Mapping[int, str]] = {}  # older version -> what pip installs to replay it: "ludens<0.2"
    added_fields: ClassVar[Mapping[str, int]] = {}  # fields the states got later, see `core.checksum`
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
    scores_decide: ClassVar[bool] = True  # whether the most points win; if not, people are told no points
    person_seat: ClassVar[int] = 0  # where a newcomer is offered a seat
    own_agents: ClassVar[Mapping[str, str]] = {}  # agent name -> "module:Class"
    levels: ClassVar[Sequence[str]] = ("random", "mcts:sims=200", "mcts:sims=2000")  # specs people may play against
    opponent: ClassVar[str] = "mcts"  # the spec a newcomer meets in the terminal: quick and sensible
    commands: ClassVar[str] = ""  # "module:app", a typer app of the game's own sub-commands
    trainers: ClassVar[Mapping[str, str]] = {}  # what agents can be taught -> "module:Class", see `core.trainer`
    solver: ClassVar[str] = ""  # "module:app", a typer app with the commands `solve` and `exploit`
    option_sets: ClassVar[Sequence[Mapping[str, Any]]] = ({},)  # what the contract kit runs over
    catalogue: ClassVar[Catalogue | None] = None  # what the game says to people; found beside its module
    language: str = "en"  # set by `in_language`

    def __init_subclass__(cls, **given: Any) -> None:
        """Find the texts beside the module of the class; a game made from another one inherits them."""
        super().__init_subclass__(**given)
        module = sys.modules.get(cls.__module__)
        folder = Path(getattr(module, "__file__", None) or "nowhere").parent / "text"
        if (folder / "en.toml").is_file():
            cls.catalogue = Catalogue(folder)

    def __init__(self, /, **options: Any) -> None:
        self.options: Any = parse_options(self.Options, options, self.id)
        self.check_options()
        self.table = self.make_table()
        self.blank = np.zeros(1, self.State)

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.option_values(changed=True).items())
        return f"ludens.game({self.id!r}{chosen})"

    # what a game fills in

    def make_table(self) -> Any:
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
        """How many seats there are at the table."""
        return 2

    @property
    def seat_names(self) -> Sequence[str]:
        """Names by which seats are bound to agents: '1', '2', ... unless the roles differ."""
        return [str(seat + 1) for seat in range(self.seats)]

    def action_text(self, action: int) -> str:
        """The move as it is typed."""
        return str(action)

    def why_illegal(self, position: _Position, action: int) -> str:
        """The rule that forbids an action here, for people; '' if the game does not explain."""
        return ""

    def text(self, view: View) -> str:
        """The view as a text picture."""
        return "\n".join(f"{name}: {view.raw[name]}" for name in self.State.names or () if name != "rng")

    def svg(self, view: View, *, theme: str = "light", shape: str = "wide") -> str:
        """The view as one SVG picture; ``shape="tall"`` is for phones."""
        from ludens.core.plain_board import plain_svg

        return plain_svg(self, view, theme=theme, shape=shape)

    def picks(self, view: View, action: int) -> list[str]:
        """The path of element ids a person picks to play the action."""
        return [f"action-{action}"]

    def marks(self, view: View, seat: int, action: int, heard: Sequence[Event] = ()) -> list[str]:
        """Ids of the elements that a move touched: where the piece came from first, where it went last.

        ``view`` is the view after ``seat`` played ``action``, and ``heard`` what the view's seat heard of that move.
        The answer may tell nothing that the view's seat does not know.
        """
        return []

    def asks(self, view: View) -> str:
        """What the seat to move is asked to do, in one short sentence; '' if the game does not say."""
        return ""

    def why_over(self, view: View) -> str:
        """Why the game ended, in one sentence; '' while it goes on or if the game does not say."""
        return ""

    def words(self, event: Event) -> str:
        """An event in a sentence, or '' if people need not hear of it."""
        return f"event {event.kind}: {event.a} {event.b} {event.c}"

    def timeout_action(self, view: View) -> int | None:
        """What a seat plays when its clock is empty; None: it loses the game."""
        return None

    def feature_pieces(self) -> list[tuple[str, int]]:
        """The named pieces of the features ``encode`` writes, in order, with their lengths."""
        return []

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """Quantities the rules must keep constant from the deal to the end."""
        return {}

    # what it says

    def in_language(self, language: str) -> Self:
        """The same game, the same table, speaking another language."""
        twin = copy.copy(self)
        twin.language = check_language(language)
        return twin

    def say(self, key: str, /, **values: Any) -> str:
        """A text of the game's catalogue in its language."""
        if self.catalogue is None:
            raise BrokenGame(f"{self.id} has no folder text/ and cannot say '{key}'")
        return self.catalogue.say(self.language, key, **values)

    def said(self, key: str, default: str = "", /, **values: Any) -> str:
        """A text of the game's catalogue, or of the one common to all games, or else the default."""
        for catalogue in (self.catalogue, HOUSE):
            if catalogue is not None and catalogue.has(key):
                return catalogue.say(self.language, key, **values)
        return default

    def listed(self, names: Sequence[str]) -> str:
        """Names in a row: 'one', 'one and two', 'one, two and three'."""
        if len(names) < 2:
            return "".join(names)
        return self.say("count.and", first=", ".join(names[:-1]), last=names[-1])

    def rules_text(self) -> list[str]:
        """The rules in paragraphs, those of the chosen options included; none if the game does not tell them."""
        if self.catalogue is None:
            return []
        chosen = [f"rules-when.{name}.{as_text(value)}" for name, value in self.option_values().items()]
        told = [key for key in ("rules", *chosen) if self.catalogue.has(key)]
        return [part for key in told for part in self.catalogue.paragraphs(self.language, key)]

    # what every game can do

    def can(self, name: str) -> bool:
        """Whether the game implements the operation of that name."""
        return ops.is_implemented(name, type(self.table))

    def option_values(self, changed: bool = False) -> dict[str, Any]:
        """Options by name; only those that differ from the default if ``changed``."""
        values = dataclasses.asdict(self.options)
        if not changed:
            return values
        fields = {field.name: field.default for field in dataclasses.fields(self.Options)}
        return {name: value for name, value in values.items() if value != fields[name]}

    def start(self, seed: int | None = None, fields: Mapping[str, Any] | None = None) -> _State:
        """Deal a game. The same seed and start fields give the same deal on every machine."""
        given = {name: _plain(value) for name, value in (fields or {}).items()}
        return State(self, secrets.randbits(64) if seed is None else as_seed(seed), given)

    def feature_length(self) -> int:
        """How many numbers ``encode`` writes."""
        return sum(length for _, length in self.feature_pieces())

    def buffer(self) -> np.ndarray:
        """Room for a list of legal actions."""
        return np.zeros(self.max_legal, np.uint32)

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


def _plain(value: Any) -> Any:
    """A start field as records keep it: NumPy's numbers and arrays become Python's."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


class _Position:
    """What a state and a view share: an array of one record, and the questions anyone may ask it."""

    def __init__(self, game: Game, array: np.ndarray) -> None:
        self.game = game
        self.array = array

    @property
    def raw(self) -> Any:
        """The bare record: ``view.raw.score``."""
        return self.array[0]

    @property
    def legal(self) -> list[int]:
        """The legal actions of the seat to move; none when the game is over."""
        if self.to_move < 0:
            return []
        buffer = self.game.buffer()
        count = drive.legal_of(self.game.table, self.array, buffer)
        return [int(action) for action in buffer[:count]]

    @property
    def to_move(self) -> int:
        """The seat to move, or -1 when the game is over."""
        out = np.zeros(1, np.int64)
        drive.whose_turn(self.game.table, self.array, out)
        return int(out[0])

    @property
    def over(self) -> bool:
        return self.to_move == ops.OVER

    def moves(self) -> dict[str, int]:
        """The legal moves as they are typed, each with its action."""
        return {self.game.action_text(action): action for action in self.legal}

    def parse(self, text: str) -> int:
        """The legal action a person typed; the number of an action will do as well."""
        moves = self.moves()
        action = _read_move(text, [*moves.items(), *((str(action), action) for action in moves.values())])
        if action is None:
            raise IllegalAction(self._say("typed", move=text.strip()[:60], why=self._reason(text), moves=self._few()))
        return action

    def _reason(self, text: str) -> str:
        """': ' and the rule that forbids the move, if it is one and the game explains."""
        action = _read_move(text, [(self.game.action_text(action), action) for action in range(self.game.actions)])
        return "" if action is None else self._why(action)

    def _why(self, action: int) -> str:
        why = self.game.why_illegal(self, action)
        return f": {why}" if why else ""

    def _few(self, most: int = 6) -> str:
        """The first legal moves, and how many more there are."""
        moves = list(self.moves())
        shown = ", ".join(moves[:most])
        if len(moves) > most:
            return self._say("more", moves=shown, n=len(moves) - most)
        return shown or self._say("no-moves")

    def _say(self, key: str, /, **values: Any) -> str:
        return HOUSE.say(self.game.language, f"illegal.{key}", **values)


def _read_move(text: str, names: Iterable[tuple[str, int]]) -> int | None:
    """The action that was typed: word for word, or without its spaces, unless one of them parts two numbers."""
    wanted = _spaced(text)
    spaced = {_spaced(name): action for name, action in reversed(list(names))}  # the first of equal names counts
    if wanted in spaced or re.search(r"\d \d", wanted):
        return spaced.get(wanted)
    tight = {name.replace(" ", ""): action for name, action in spaced.items()}
    return tight.get(wanted.replace(" ", ""))


def _spaced(text: str) -> str:
    """In small letters, with one space between words."""
    return " ".join(text.lower().split())


def _as_action(move: Any) -> int:
    try:
        return operator.index(move)
    except TypeError:
        raise IllegalAction(f"{move!r:.60} is no move: give an action's number or the move as it is typed") from None


class View(_Position):
    """What one seat knows of a position. Its record holds nothing else."""

    seconds_left: float | None = None  # on the seat's clock; None: there is no clock, or nobody told

    @property
    def seat(self) -> int:
        return int(self.array["seat"][0])

    def features(self) -> np.ndarray:
        """The game's default features of this view."""
        out = np.zeros(self.game.feature_length(), np.float32)
        ops.encode(ops.open_table(self.game.table), self.array[0], out)
        return out

    def __str__(self) -> str:
        return self.game.text(self)

    def _repr_svg_(self) -> str:
        return self.game.svg(self)


class State(_Position):
    """One game being played: the truth, and everything that led to it."""

    def __init__(self, game: Game, seed: int, fields: dict[str, Any]) -> None:
        super().__init__(game, np.zeros(1, game.State))
        self.seed = seed
        self.fields = fields
        self.actions: list[int] = []
        self.history: list[list[Event]] = []
        self.players: list[str] = []
        game.place(self.array, np.array([seed], np.uint64), fields)
        self._logs = new_log(game.max_events, 1)
        drive.deal(game.table, self.array, self._logs)
        self._keep_events()

    def _keep_events(self) -> None:
        self.history.append(events_of(self._logs[0]))
        self._logs[:, 0, 0] = 0

    def play(self, move: int | str) -> State:
        """Play a move, given as an action or as it is typed. An illegal one raises and changes nothing."""
        if self.over:
            raise IllegalAction(self._say("over"))
        action = self.parse(move) if isinstance(move, str) else _as_action(move)
        one, after = np.zeros((2, 1), np.int64)
        chosen = np.array([action if 0 <= action < 1 << 31 else (1 << 31)], np.int64)
        drive.step(self.game.table, self.array, one, chosen, self.game.buffer(), after, self._logs)
        if after[0] == drive.REFUSED:
            is_action = 0 <= action < self.game.actions
            name = self.game.action_text(action) if is_action else self._say("no-action")
            why = self._why(action) if is_action else ""
            raise IllegalAction(self._say("action", action=action, move=name, why=why, moves=self._few()))
        self.actions.append(action)
        self._keep_events()
        return self

    def view(self, seat: int | None = None) -> View:
        """What a seat knows; the seat to move unless another is named. Its dice are stamped for this decision."""
        if seat is None:
            seat = max(self.to_move, 0)
        if not 0 <= seat < self.game.seats:
            raise BadOption(f"there is no seat {seat}: {self.game.id} has seats 0 to {self.game.seats - 1}")
        array = np.zeros(1, self.game.State)
        drive.look(
            self.game.table,
            self.array,
            np.zeros(1, np.int64),
            np.array([seat]),
            np.array([dice_key(self.seed)]),
            np.array([len(self.actions)]),
            self.game.blank,
            array,
        )
        return View(self.game, array)

    def undo(self, moves: int = 1) -> None:
        """Take back the last moves by playing the others again."""
        again = self.game.start(self.seed, self.fields)
        for action in self.actions[: max(len(self.actions) - moves, 0)]:
            again.play(action)
        self.array, self.actions, self.history = again.array, again.actions, again.history

    def copy(self) -> State:
        """An independent state that goes on from here."""
        twin = object.__new__(State)
        twin.__dict__.update(self.__dict__)
        twin.array = self.array.copy()
        twin.actions = list(self.actions)
        twin.history = list(self.history)
        twin._logs = self._logs.copy()
        return twin

    def heard(self, seat: int) -> list[list[Event]]:
        """What a seat has heard: one list of events for the deal and one for each move."""
        return [heard_by(events, seat) for events in self.history]

    def _settled(self) -> tuple[list[float], list[float]]:
        results, points = np.zeros((1, self.game.seats)), np.zeros((1, self.game.seats))
        drive.settle(self.game.table, self.array, results, points)
        return results[0].tolist(), points[0].tolist()

    @property
    def returns(self) -> list[float]:
        """The result of each seat: +1 a win, -1 a loss; zeros while the game goes on."""
        return self._settled()[0] if self.over else [0.0] * self.game.seats

    @property
    def scores(self) -> list[float]:
        """The points of each seat."""
        return self._settled()[1]

    @property
    def checksum(self) -> str:
        return checksum(self.array, self.game.added_fields)

    @property
    def record(self) -> Record:
        """The game so far as data."""
        returns, scores = self._settled() if self.over else (None, None)
        return Record(
            game=self.game.id,
            version=self.game.version,
            options=self.game.option_values(),
            seed=self.seed,
            actions=list(self.actions),
            checksum=self.checksum,
            start=self.fields,
            players=list(self.players),
            returns=returns,
            scores=scores,
        )

    def __str__(self) -> str:
        return str(self.view())

    def _repr_svg_(self) -> str:
        return self.view()._repr_svg_()
