"""Listeners for compilation. A module of its own, so that a command can register one before Numba is imported."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str, str], None]

_listeners: dict[object, Listener] = {}


def on_compile(tell: Listener, role: str = "") -> None:
    """Have ``tell(kernel, package)`` called whenever a kernel is compiled (not when it is loaded from the cache).

    ``kernel`` is its name, ``package`` the package of the game it is compiled for ('ludens.games.azul') or ''. A
    listener with a ``role`` replaces the earlier one with the same role.
    """
    _listeners[role or tell] = tell


def announce(kernel: str, package: str) -> None:
    """Call all listeners: ``kernel`` is being compiled for the game of ``package``."""
    for tell in list(_listeners.values()):
        tell(kernel, package)
