"""The operations of a game and of a scripted agent, and how a call finds the function that implements one.

The operations that every game must or may implement are declared here; those that only searches or solvers call are in
``search/contract.py`` and ``solve/contract.py``. A game implements an operation for the type of its constants::

    @implements(ops.legal, AzulConstants)
    @kernel
    def legal(g, s, out): ...

``ops.legal(g, s, out)`` then calls that function, a *rule*, wherever ``g`` is an ``AzulConstants``. In compiled code
the choice is made while compiling and costs nothing; from Python it is a dictionary look-up.

The same parameter names are used throughout: ``g`` the constants (one record, ``g.c``), ``s`` a state, ``v`` a view,
``log`` an event log or None (``core/event.py``), ``out`` an array the rule writes its result to.

A *scripted agent* implements ``rule``, ``value`` and ``order`` in the same way, for the type of its settings ``r``. If
it has no ``value`` or ``order``, then ``ops.value(r, g, s, out)`` and ``ops.order(r, g, v, actions, n, out)`` call the
game's. Learned weights are arrays in ``r``, so that changing them needs no new compilation.

A ``@required`` operation must be implemented wherever it is called. A missing ``@optional`` one does nothing and
returns 0 in compiled code; a call from Python raises LudensError, so ask ``game.rules.can(name)`` first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from numba.extending import overload

from ludens.core.error import BrokenGame, LudensError
from ludens.core.kernel import kernel, note_rule
from ludens.core.numba_parts import JIT, call_chosen, is_kernel

OVER = -1  # what `to_move` returns when the game has ended
CHANCE = -2  # what it returns when a draw is due
MOST_DRAWS = 10_000  # between two decisions; a game that needs more is taken to draw for ever
REQUIRED = ("setup", "to_move", "legal", "decide", "returns", "scores", "see", "guess")  # what every game implements

Op = TypeVar("Op", bound=Callable[..., Any])
_rules: dict[Any, dict[type, Any]] = {}  # operation -> type of constants or settings -> kernel
_by_name: dict[str, Any] = {}  # operations
# an operation that agents may lack -> (number of arguments of the game's form, kernel that calls the game's rule)
_fallbacks: dict[Any, tuple[int, Any]] = {}


def _missing(name: str, cls: Any) -> str:
    """The error message for a call of operation ``name`` with a type (a class or Numba's) that has no rule for it."""
    called = getattr(cls, "__name__", cls)
    return f"{called} has no rule '{name}': write one with @implements(ops.{name}, {called})"


def required(stub: Op) -> Op:
    """Decorator: declare an operation that must be implemented wherever it is called. The body is never run."""
    return _operation(stub, is_optional=False)


def optional(stub: Op) -> Op:
    """Decorator: declare an operation that may be missing; in compiled code it then does nothing and returns 0."""
    return _operation(stub, is_optional=True)


def _operation(stub: Op, *, is_optional: bool) -> Op:
    """Make an operation of its declaration ``stub``: a call goes to the rule for the type of the first argument."""
    rules: dict[type, Any] = {}
    name = stub.__name__

    def find(cls: Any, count: int) -> Any:
        """The kernel for a call with ``count`` arguments, the first of type ``cls``; None if there is none."""
        rule = rules.get(cls)
        if rule is None and call in _fallbacks and count > _fallbacks[call][0]:
            return _fallbacks[call][1]
        return _ABSENT[count] if rule is None and is_optional and cls else rule

    @functools.wraps(stub)
    def call(g: Any, *args: Any) -> Any:
        """Call the operation from Python: look up the rule for the type of the first argument."""
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
    """Called in place of a missing optional operation with 2 arguments; returns 0."""
    return 0


@kernel
def _absent3(g: Any, a: Any, b: Any) -> int:
    """Called in place of a missing optional operation with 3 arguments; returns 0."""
    return 0


@kernel
def _absent4(g: Any, a: Any, b: Any, c: Any) -> int:
    """Called in place of a missing optional operation with 4 arguments; returns 0."""
    return 0


@kernel
def _absent5(g: Any, a: Any, b: Any, c: Any, d: Any) -> int:
    """Called in place of a missing optional operation with 5 arguments; returns 0."""
    return 0


@kernel
def _absent6(g: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> int:
    """Called in place of a missing optional operation with 6 arguments; returns 0."""
    return 0


_ABSENT: dict[int, Any] = {2: _absent2, 3: _absent3, 4: _absent4, 5: _absent5, 6: _absent6}


def implements(op: Callable[..., Any], cls: type) -> Callable[[Op], Op]:
    """Decorator: register a kernel as the rule of operation ``op`` for constants (or agent settings) of type ``cls``.

    The kernel is returned unchanged, so it can be registered for several operations or types.
    """

    def register(rule: Op) -> Op:
        """Register the kernel and return it unchanged."""
        if not is_kernel(rule):
            raise BrokenGame(f"{rule.__name__} is no kernel yet: write `@implements` above `@kernel`")
        _rules[op][cls] = rule
        note_rule(op.__name__, cls, rule)
        return rule

    return register


def is_implemented(op: Callable[..., Any] | str, cls: type) -> bool:
    """Whether an operation, given itself or by name, has a rule for type ``cls``; False for an unknown name."""
    return cls in _rules.get(_by_name.get(op) if isinstance(op, str) else op, {})


# Operations of a game


@required
def setup(g: Any, s: Any, log: Any) -> None:
    """Deal: fill in the new state ``s``, in which ``rng`` and the start fields are already set and the rest is 0."""


@required
def legal(g: Any, s: Any, out: Any) -> int:
    """Write the ids of the legal actions of the seat to move into ``out`` (uint32), ascending; return their number.

    Only called when a seat is to move.
    """
    raise AssertionError


@required
def decide(g: Any, s: Any, action: int, log: Any) -> None:
    """Play ``action`` for the seat to move, and write what happens as events to ``log``.

    Legality is not checked: callers pass legal actions only. A draw that becomes due is left to `chance`.
    """


@required
def to_move(g: Any, s: Any) -> int:
    """The seat to move (from 0), ``CHANCE`` (-2) if a draw is due, or ``OVER`` (-1) if the game has ended."""
    raise AssertionError


@required
def returns(g: Any, s: Any, out: Any) -> None:
    """Write the result of each seat into ``out`` [seats]: +1 for a win, -1 for a loss, joint winners share.

    `core.result.award` does this for any number of seats. It is also called before the end, so it must not fail there.
    """


@required
def scores(g: Any, s: Any, out: Any) -> None:
    """Write the points of each seat, as people would quote them, into ``out`` [seats]; also called before the end."""


@optional
def reward(g: Any, s: Any, action: int, out: Any) -> None:
    """Write what the seat to move earns by ``action`` into ``out``: one number for each name in ``Rules.rewards``.

    Called just before the (legal) action is played; learners use these as immediate rewards.
    """


@required
def see(g: Any, s: Any, seat: int, v: Any) -> None:
    """Copy what ``seat`` may know of state ``s`` into the view ``v``, which is all zeros before.

    A field that is not copied stays hidden. The caller sets ``v.seat`` and ``v.rng`` afterwards.
    """


@required
def guess(g: Any, v: Any, dice: Any) -> None:
    """Make a world of view ``v``, in place: fill what it hides with random values that its seat cannot rule out.

    ``dice`` is any record with a generator (field ``rng``) to draw from. Called for each world a search samples.
    """


@optional
def chance(g: Any, s: Any, log: Any) -> None:
    """Resolve the draw that is due (roll dice, deal cards) with the generator of ``s``; write its events to ``log``.

    Needed if `to_move` ever returns ``CHANCE``.
    """


@optional
def branches(g: Any, s: Any, outs: Any, probs: Any) -> int:
    """List all outcomes of the draw that is due in ``s``; return their number, or 0 if there are too many to list.

    The state after outcome i goes to ``outs[i]``, its probability to ``probs[i]``; ``s`` itself stays unchanged.
    """
    raise AssertionError


@optional
def allows(g: Any, s: Any, action: int) -> int:
    """Whether one action is legal: 1 if it is, -1 if not. For games where this is faster than listing all with `legal`.

    ``action`` may be any number from 0 to 2**32 - 1. Never return 0, which stands for a game without this operation.
    """
    raise AssertionError


@optional
def encode(f: Any, g: Any, v: Any, out: Any = None) -> None:
    """Write the features of view ``v`` into ``out``, float32 [features], as learners read them.

    A game implements ``encode(g, v, out)`` for its default features, whose names and numbers ``Rules.feature_pieces``
    declares; a further set of features, whose settings are ``f``, implements ``encode(f, g, v, out)``.
    """


@optional
def suggest(g: Any, v: Any) -> int:
    """Return a sensible legal action for the seat to move, quickly: playouts call it for each move.

    ``v`` may be a view or a world; ties are broken with its generator. (To weigh all moves by `order` would be slower.)
    """
    raise AssertionError


# Operations of an agent. A game's own `value` and `order` have no ``r``: value(g, s, out), order(g, v, actions, n, out)


@required
def rule(r: Any, g: Any, v: Any, m: Any) -> int:
    """Return the action that the scripted agent with settings ``r`` chooses in view ``v``.

    ``m`` is the agent's memory record of this game, which the rule may read and change.
    """
    raise AssertionError


@optional
def value(r: Any, g: Any, s: Any, out: Any = None) -> None:
    """Write the expected return of each seat from state ``s`` into ``out`` [seats], between -1 and +1.

    An agent implements ``value(r, g, s, out)``, a game ``value(g, s, out)``. Searches use it as leaf value.
    """


@optional
def order(r: Any, g: Any, v: Any, actions: Any, n: Any, out: Any = None) -> None:
    """Write a weight of 0 or more for each of the ``n`` legal ``actions`` of view ``v`` into ``out``: larger is better.

    Searches look at moves in this order, and may use the weights, divided by their sum, as prior probabilities. A
    weight of 0 advises them to skip the move, unless all are 0. An agent implements ``order(r, g, v, actions, n,
    out)``, a game ``order(g, v, actions, n, out)``.
    """


@kernel
def _value_of_game(r: Any, g: Any, s: Any, out: Any) -> None:
    """The `value` of an agent that has none of its own: the game's."""
    value(g, s, out)


@kernel
def _order_of_game(r: Any, g: Any, v: Any, actions: Any, n: int, out: Any) -> None:
    """The `order` of an agent that has none of its own: the game's."""
    order(g, v, actions, n, out)


@kernel
def _encode_of_game(f: Any, g: Any, v: Any, out: Any) -> None:
    """The `encode` of a set of features that has none of its own: the game's default features."""
    encode(g, v, out)


_fallbacks.update({value: (3, _value_of_game), order: (5, _order_of_game), encode: (3, _encode_of_game)})


def open_constants(constants: Any) -> Any:
    """Turn the constants as Python passes them (``g.c`` an array of one record) into what rules take (one record).

    Kernels called from Python do this first, since it takes microseconds to pass them a bare record.
    """
    return type(constants)(constants.c[0])


@overload(open_constants)
def _open_constants(constants: Any) -> Any:
    """The compiled form of `open_constants`, for Numba."""
    cls = constants.instance_class

    def opened(constants: Any) -> Any:
        """The constants with ``c`` as one record, compiled."""
        return cls(constants.c[0])

    return opened


@kernel
def apply(g: Any, s: Any, action: int, log: Any) -> None:
    """Play ``action`` (unchecked) with `decide`, then resolve draws until a seat is to move or the game is over."""
    decide(g, s, action, log)
    _draw(g, s, log)


@kernel
def start(g: Any, s: Any, log: Any) -> None:
    """Deal with `setup`, then resolve draws until a seat is to move or the game is over."""
    setup(g, s, log)
    _draw(g, s, log)


@kernel
def _draw(g: Any, s: Any, log: Any) -> None:
    """Resolve draws until a seat is to move or the game is over, but at most `MOST_DRAWS`, so that no kernel hangs."""
    draws = 0
    while to_move(g, s) == CHANCE and draws < MOST_DRAWS:
        chance(g, s, log)
        draws += 1
