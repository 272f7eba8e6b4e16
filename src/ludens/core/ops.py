"""The operations of a game, and how a call finds the right game's rule.

An operation is declared once, here. A game implements it for the type of its table::

    @implements(ops.legal, AzulTable)
    @kernel
    def legal(g, s, out): ...

``ops.legal(g, s, out)`` then means that rule wherever ``g`` is an ``AzulTable``: inside compiled code the choice is
made while compiling and costs nothing; from Python it is a dictionary look-up.

Agents use the same mechanism: a scripted player is a kernel ``rule(r, g, v, m)`` chosen by the type of its settings
``r``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from numba.core import types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import overload

from ludens.core.error import LudensError
from ludens.core.kernel import JIT, kernel, note_rule

__all__ = [
    "CHANCE",
    "OVER",
    "allows",
    "apply",
    "branches",
    "chance",
    "credit",
    "decide",
    "encode",
    "estimate",
    "guess",
    "heard",
    "horizon",
    "implements",
    "is_implemented",
    "key",
    "label",
    "legal",
    "mover",
    "open_table",
    "prospect",
    "rank",
    "returns",
    "rule",
    "scores",
    "see",
    "setup",
    "sift",
    "start",
    "suggest",
    "to_move",
    "tries",
]

OVER = -1
CHANCE = -2

Op = TypeVar("Op", bound=Callable[..., Any])
_rules: dict[Any, dict[type, Any]] = {}


def _missing(name: str, cls: Any) -> str:
    called = getattr(cls, "__name__", cls)
    return f"{called} has no rule '{name}': write one with @implements(ops.{name}, {called})"


_OPTIONAL = {
    "allows",
    "branches",
    "chance",
    "credit",
    "encode",
    "estimate",
    "heard",
    "horizon",
    "key",
    "label",
    "mover",
    "rank",
    "sift",
    "suggest",
}


def _operation(stub: Op) -> Op:
    """Make a stub an operation: calls go to the rule registered for the type of the first argument."""
    rules: dict[type, Any] = {}

    @functools.wraps(stub)
    def call(g: Any, *args: Any) -> Any:
        found = rules.get(type(g))
        if found is None and not JIT and stub.__name__ in _OPTIONAL:
            return 0  # as compiled code does
        if found is None:
            raise LudensError(_missing(stub.__name__, type(g)))
        return found(g, *args)

    _rules[call] = rules
    _teach_numba(call, stub.__name__, rules)
    return call  # type: ignore[return-value]


def _teach_numba(call: Any, name: str, rules: dict[type, Any]) -> None:
    """Let compiled code call the operation: it becomes a direct call of the rule, with nothing in between.

    (`numba.extending.overload` would compile a function around every rule for every caller, which is slower.)
    A call to an optional operation the game does not have becomes 0: callers ask `is_implemented` first, so that one
    generic kernel serves games with and without it.
    """

    class Chosen(AbstractTemplate):
        key = call

        def generic(self, args: Any, kws: Any) -> Any:
            cls = getattr(args[0], "instance_class", None)
            rule = rules.get(cls) if cls else None
            if rule is None and cls and name in _OPTIONAL:
                rule = _ABSENT[len(args)]
            if rule is None:
                raise TypingError(_missing(name, cls or args[0]))
            template, _, args, kws = rule.get_call_template(args, kws)
            self.rule = rule
            return template(self.context).apply(args, kws)

        def get_impl_key(self, sig: Any) -> Any:
            return self.rule.get_overload(sig.args)

    infer_global(call, types.Function(Chosen))


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


_ABSENT: dict[int, Any] = {2: _absent2, 3: _absent3, 4: _absent4, 5: _absent5}


def implements(op: Callable[..., Any], cls: type) -> Callable[[Op], Op]:
    """Register the decorated kernel as the rule of ``op`` for tables (or settings) of type ``cls``."""

    def register(rule: Op) -> Op:
        _rules[op][cls] = rule
        note_rule(op.__name__, cls, rule)
        return rule

    return register


def is_implemented(op: Callable[..., Any], cls: type) -> bool:
    """Whether ``op`` has a rule for ``cls``: optional operations are asked for this way."""
    return cls in _rules[op]


@_operation
def setup(g: Any, s: Any, log: Any) -> None:
    """Deal. ``rng`` and the start fields are already in the record."""


@_operation
def legal(g: Any, s: Any, out: Any) -> int:
    """Write the ids of the legal actions of the seat to move, ascending, and return how many they are."""
    raise AssertionError


@_operation
def allows(g: Any, s: Any, action: int) -> int:
    """Optional: 1 if an action (any number from 0 on) is legal, -1 if not; quicker than asking `legal` for them all."""
    raise AssertionError


@_operation
def decide(g: Any, s: Any, action: int, log: Any) -> None:
    """Play the decision of the seat to move. Unchecked: callers check at the boundary."""


@_operation
def to_move(g: Any, s: Any) -> int:
    """The seat to move, ``CHANCE`` when a draw is due, or ``OVER``."""
    raise AssertionError


@_operation
def chance(g: Any, s: Any, log: Any) -> None:
    """Draw what is due; not needed where `to_move` never says ``CHANCE``."""


@_operation
def branches(g: Any, s: Any, outs: Any, probs: Any) -> int:
    """Optional: write the exact outcomes of the draw that is due (states, probabilities); how many, 0 if too many."""
    raise AssertionError


@_operation
def returns(g: Any, s: Any, out: Any) -> None:
    """The result for each seat: win +1, loss -1, shared between; see the architecture page for more than two seats."""


@_operation
def scores(g: Any, s: Any, out: Any) -> None:
    """The points a person would quote, for each seat."""


@_operation
def see(g: Any, s: Any, seat: int, v: Any) -> None:
    """Copy into the zeroed record ``v`` what ``seat`` may know. What nobody copies stays hidden."""


@_operation
def guess(g: Any, v: Any, dice: Any) -> None:
    """Fill a view, in place, with a random world its seat cannot rule out. ``dice`` is any record with a generator."""


@_operation
def encode(g: Any, v: Any, out: Any) -> None:
    """Write the default features of a view for learners."""


@_operation
def suggest(g: Any, v: Any) -> int:
    """Optional: a quick sensible move for the seat to move; ties are broken by the record's own dice."""
    raise AssertionError


@_operation
def rank(g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    """Optional: how promising each of the ``n`` legal ``actions`` looks, larger first (orders searches)."""


@_operation
def sift(g: Any, v: Any, actions: Any, n: int) -> int:
    """Optional: keep, in place, those ``n`` legal ``actions`` that are worth a thought; how many (0: all are)."""
    raise AssertionError


@_operation
def mover(g: Any, s: Any) -> int:
    """Optional: 1 + the number of the piece that moves, where pieces of one seat are credited apart (see `credit`)."""
    raise AssertionError


@_operation
def credit(g: Any, s: Any, share: float, out: Any) -> None:
    """Optional: after `returns`, what each piece made of it; ``share`` is kept from those whose colleague did it."""


@_operation
def heard(g: Any, s: Any, action: int) -> int:
    """Optional: what the other of two seats can tell of an action about to be played: equal numbers sound alike."""
    raise AssertionError


@_operation
def estimate(g: Any, v: Any, out: Any) -> None:
    """Optional: expected returns of each seat from here, between -1 and +1."""


@_operation
def key(g: Any, s: Any) -> int:
    """Optional: a 64-bit hash of the canonical position; equal keys play alike."""
    raise AssertionError


@_operation
def label(g: Any, s: Any, action: int) -> int:
    """Optional: the number, below ``Game.labels``, by which a search knows a move in every world it may be made in."""
    raise AssertionError


@_operation
def horizon(g: Any, s: Any) -> int:
    """Optional: the most decisions that can still come before the next draw or the end."""
    raise AssertionError


@_operation
def rule(r: Any, g: Any, v: Any, m: Any) -> int:
    """A scripted player: the action that settings ``r`` choose in view ``v``; ``m`` is its memory of this game."""
    raise AssertionError


@_operation
def tries(r: Any, g: Any, s: Any, out: Any) -> int:
    """For searches inside a turn: write the moves, other than stopping, that settings ``r`` would try; how many."""
    raise AssertionError


@_operation
def prospect(r: Any, g: Any, s: Any, seat: int) -> float:
    """For searches inside a turn: what ``seat`` expects, from 0 to 1, if the seat to move stops here."""
    raise AssertionError


def open_table(table: Any) -> Any:
    """The table as rules want it (one record) from the table as Python passes it (an array of one record)."""
    return type(table)(table.t[0])


@overload(open_table)
def _open_table(table: Any) -> Any:
    cls = table.instance_class

    def opened(table: Any) -> Any:
        return cls(table.t[0])

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
