"""The operations of a game and of a player, and how a call finds the right rule.

An operation is declared once: those every game has or may have are here, what only searches or solvers ask stands in
``search/contract.py`` and ``solve/contract.py``. A game implements an operation for the type of its table::

    @implements(ops.legal, AzulConstants)
    @kernel
    def legal(g, s, out): ...

``ops.legal(g, s, out)`` then means that rule wherever ``g`` is an ``AzulConstants``: inside compiled code the choice is
made while compiling and costs nothing; from Python it is a dictionary look-up.

A *player* implements ``rule``, ``value`` and ``order`` in the same way, for the type of its settings ``r``. Where it
has no ``value`` or ``order`` of its own, ``ops.value(r, g, s, out)`` and ``ops.order(r, g, v, actions, n, out)`` are
the game's. What a player judges by (weights, say) lies in arrays of ``r``: other weights compile nothing.

``@required`` operations must be there when they are called; an ``@optional`` one that is missing answers 0 and does
nothing: callers ask ``game.rules.can(name)`` first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from numba.extending import overload

from ludens.core.error import LudensError
from ludens.core.kernel import kernel, note_rule
from ludens.core.numba_parts import JIT, call_chosen

OVER = -1
CHANCE = -2

Op = TypeVar("Op", bound=Callable[..., Any])
_rules: dict[Any, dict[type, Any]] = {}
_by_name: dict[str, Any] = {}
_of_game: dict[Any, tuple[int, Any]] = {}  # a player's operation: arguments of the game's own, and what calls it


def _missing(name: str, cls: Any) -> str:
    called = getattr(cls, "__name__", cls)
    return f"{called} has no rule '{name}': write one with @implements(ops.{name}, {called})"


def required(stub: Op) -> Op:
    """Declare an operation that must be implemented wherever it is called."""
    return _operation(stub, is_optional=False)


def optional(stub: Op) -> Op:
    """Declare an operation that may be missing: it then answers 0 and does nothing."""
    return _operation(stub, is_optional=True)


def _operation(stub: Op, *, is_optional: bool) -> Op:
    """Make a stub an operation: calls go to the rule registered for the type of the first argument."""
    rules: dict[type, Any] = {}
    name = stub.__name__

    def find(cls: Any, count: int) -> Any:
        """The rule for a call with ``count`` arguments, the first of this type."""
        rule = rules.get(cls)
        if rule is None and call in _of_game and count > _of_game[call][0]:
            return _of_game[call][1]
        return _ABSENT[count] if rule is None and is_optional and cls else rule

    @functools.wraps(stub)
    def call(g: Any, *args: Any) -> Any:
        found = find(type(g), 1 + len(args))
        if found is None or (JIT and found is _ABSENT.get(1 + len(args))):
            raise LudensError(_missing(name, type(g)))
        return found(g, *args)

    _rules[call] = rules
    _by_name[name] = call
    call_chosen(call, find, functools.partial(_missing, name))
    return call  # type: ignore[return-value]


@kernel
def _absent2(g: Any, a: Any) -> int:
    return 0


@kernel
def _absent3(g: Any, a: Any, b: Any) -> int:
    return 0


@kernel
def _absent4(g: Any, a: Any, b: Any, c: Any) -> int:
    return 0


@kernel
def _absent5(g: Any, a: Any, b: Any, c: Any, d: Any) -> int:
    return 0


@kernel
def _absent6(g: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> int:
    return 0


_ABSENT: dict[int, Any] = {2: _absent2, 3: _absent3, 4: _absent4, 5: _absent5, 6: _absent6}


def implements(op: Callable[..., Any], cls: type) -> Callable[[Op], Op]:
    """Register the decorated kernel as the rule of ``op`` for tables (or settings) of type ``cls``."""

    def register(rule: Op) -> Op:
        _rules[op][cls] = rule
        note_rule(op.__name__, cls, rule)
        return rule

    return register


def is_implemented(op: Callable[..., Any] | str, cls: type) -> bool:
    """Whether an operation (or the one of that name) has a rule for ``cls``: optional ones are asked for this way."""
    return cls in _rules.get(_by_name.get(op) if isinstance(op, str) else op, {})


# What a game answers


@required
def setup(g: Any, s: Any, log: Any) -> None:
    """Deal. ``rng`` and the start fields are already in the record."""


@required
def legal(g: Any, s: Any, out: Any) -> int:
    """Write the ids of the legal actions of the seat to move, ascending, and return how many they are."""
    raise AssertionError


@required
def decide(g: Any, s: Any, action: int, log: Any) -> None:
    """Play the decision of the seat to move. Unchecked: callers check at the boundary."""


@required
def to_move(g: Any, s: Any) -> int:
    """The seat to move, ``CHANCE`` when a draw is due, or ``OVER``."""
    raise AssertionError


@required
def returns(g: Any, s: Any, out: Any) -> None:
    """The result for each seat: win +1, loss -1, shared between; see the architecture page for more than two seats."""


@required
def scores(g: Any, s: Any, out: Any) -> None:
    """The points a person would quote, for each seat."""


@optional
def reward(g: Any, s: Any, action: int, out: Any) -> None:
    """What the seat to move earns by an action about to be played, for each of ``Rules.rewards``."""


@required
def see(g: Any, s: Any, seat: int, v: Any) -> None:
    """Copy into the zeroed record ``v`` what ``seat`` may know. What nobody copies stays hidden."""


@required
def guess(g: Any, v: Any, dice: Any) -> None:
    """Fill a view, in place, with a random world its seat cannot rule out. ``dice`` is any record with a generator."""


@optional
def chance(g: Any, s: Any, log: Any) -> None:
    """Draw what is due; needed where `to_move` ever says ``CHANCE``."""


@optional
def branches(g: Any, s: Any, outs: Any, probs: Any) -> int:
    """Write the exact outcomes of the draw that is due (states, probabilities); how many, 0 if too many."""
    raise AssertionError


@optional
def allows(g: Any, s: Any, action: int) -> int:
    """1 if an action (any number from 0 on) is legal, -1 if not; quicker than asking `legal` for them all."""
    raise AssertionError


@optional
def encode(g: Any, v: Any, out: Any) -> None:
    """Write the default features of a view for learners."""


@optional
def suggest(g: Any, v: Any) -> int:
    """A quick sensible move for the seat to move, as playouts want it; ties are broken by the record's own dice.

    (Asking `order` for every legal move instead would cost a playout several times as much.)
    """
    raise AssertionError


# What a player answers. A game's own `value` and `order` have no ``r``: value(g, s, out), order(g, v, actions, n, out)


@required
def rule(r: Any, g: Any, v: Any, m: Any) -> int:
    """A scripted player: the action that settings ``r`` choose in view ``v``; ``m`` is its memory of this game."""
    raise AssertionError


@optional
def value(r: Any, g: Any, s: Any, out: Any = None) -> None:
    """The expected return of each seat from here, between -1 and +1."""


@optional
def order(r: Any, g: Any, v: Any, actions: Any, n: Any, out: Any = None) -> None:
    """A weight from 0 on for each of the ``n`` legal ``actions``: the larger, the more promising the move looks.

    Searches look at moves in this order and may take the weights, divided by their sum, for prior probabilities.
    0: not worth a thought (if all are 0, all are).
    """


@kernel
def _value_of_game(r: Any, g: Any, s: Any, out: Any) -> None:
    value(g, s, out)


@kernel
def _order_of_game(r: Any, g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    order(g, v, actions, n, out)


_of_game.update({value: (3, _value_of_game), order: (5, _order_of_game)})


def open_constants(constants: Any) -> Any:
    """The table as rules want it (one record) from the table as Python passes it (an array of one record)."""
    return type(constants)(constants.c[0])


@overload(open_constants)
def _open_constants(constants: Any) -> Any:
    cls = constants.instance_class

    def opened(constants: Any) -> Any:
        return cls(constants.c[0])

    return opened


@kernel
def apply(g: Any, s: Any, action: int, log: Any) -> None:
    """Play a decision, then draw until a seat is to move or the game is over."""
    decide(g, s, action, log)
    while to_move(g, s) == CHANCE:
        chance(g, s, log)


@kernel
def start(g: Any, s: Any, log: Any) -> None:
    """Deal, then draw until a seat is to move."""
    setup(g, s, log)
    while to_move(g, s) == CHANCE:
        chance(g, s, log)
