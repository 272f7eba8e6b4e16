"""Who is told when a kernel is compiled. A module of its own, so that a command can listen before Numba is loaded."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str, str], None]

_listeners: dict[object, Listener] = {}


def on_compile(tell: Listener, role: str = "") -> None:
    """Call ``tell(kernel, package)`` whenever a kernel is really compiled (not loaded from the cache).

    ``package`` is the package of the game it is compiled for ('ludens.games.azul'), '' for none. A listener with a
    ``role`` takes the place of the one that had it.
    """
    _listeners[role or tell] = tell


def announce(kernel: str, package: str) -> None:
    """Tell all listeners."""
    for tell in list(_listeners.values()):
        tell(kernel, package)
