"""Kernels: the decorators ``@kernel`` and ``@large_kernel``, and the cache of compiled code.

A kernel is a plain Python function that Numba compiles on first use. Three things differ from a bare ``njit``:

* Integer arguments are widened to int64, so that ``legal(g, s, np.int8(3))`` and ``legal(g, s, 3)`` share one compiled
  version. That halves the time a game needs to compile.
* The cache notices every change. Numba's own cache looks only at the file of the cached function, so a change of a rule
  in *another* file would be missed. Here the key of an entry covers the contents of ``core``, ``search`` and ``solve``,
  of the folder of the kernel, and of the folder that defines each type of constants or settings in its signature (in
  plug-ins too).
* Each entry is a file of its own, named by its key and replaced atomically: several processes may compile at once.

With ``NUMBA_DISABLE_JIT=1`` a kernel is the plain function, for use in a debugger, with exactly the same results.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ludens.core.listen import announce
from ludens.core.numba_parts import JIT, compiled
from ludens.core.system import private_folder

F = TypeVar("F", bound=Callable[..., Any])

if not JIT:
    np.seterr(over="ignore")  # the random generator overflows on purpose; compiled code never warns

_PACKAGE = Path(__file__).resolve().parent.parent
_SHARED_PACKAGES = ("core", "search", "solve")

_IGNORED_FOLDERS = {"__pycache__", "text", "pictures", "models"}  # no kernel depends on their files


@functools.cache
def cache_dir() -> Path:
    """The folder of compiled kernels: ``LUDENS_CACHE``, else the user's cache folder, else a temporary one.

    A folder of kernels that may only be read is used too: what it lacks is compiled at every start.
    """
    folder = _wanted_cache_dir()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    return folder if any(folder.glob("*.nbc")) else private_folder("ludens-cache")


def _wanted_cache_dir() -> Path:
    """The cache folder to try first, whether or not it can be written to."""
    named = os.environ.get("LUDENS_CACHE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("ludens")


@functools.cache
def _contents(home: Path) -> str:
    """A digest of a file or of all files in a folder (no texts, pictures, models), computed once per process."""
    digest = hashlib.sha256()
    for file in sorted(home.rglob("*")) if home.is_dir() else [home]:
        if file.is_file() and not _IGNORED_FOLDERS & set(file.relative_to(home).parts):
            digest.update(str(file.relative_to(home)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _is_importable(module_name: str) -> bool:
    """Whether a module comes from a file and another process can import it: not a script or notebook being run."""
    return module_name != "__main__" and getattr(sys.modules.get(module_name), "__file__", None) is not None


def _home(module_name: str) -> Path:
    """The folder or file that compiled code of a module depends on: its game's folder, its package, or its one file."""
    parts = module_name.split(".")
    if parts[:2] == ["ludens", "games"]:
        return _PACKAGE / "games" / parts[2]
    if parts[0] == "ludens":
        return _PACKAGE / parts[1]
    top = sys.modules[parts[0]]
    folders = list(getattr(top, "__path__", []))
    return Path(folders[0]) if folders else Path(str(sys.modules[module_name].__file__))


_rules_of: dict[type, dict[str, str]] = {}


def note_rule(operation: str, cls: type, rule: Callable[..., Any]) -> None:
    """Register in which module a type's rule of an operation is defined, since cache keys depend on it.

    A type with the name of another one (two games with `Constants`, a notebook's cell run again) is given a new name:
    Numba recognizes the arguments of a call by names, and would call the kernels of the other.
    """
    if cls not in _rules_of and (twins := sum(known.__qualname__ == cls.__qualname__ for known in _rules_of)):
        cls.__name__ += f"_{twins + 1}"
    _rules_of.setdefault(cls, {})[operation] = rule.__module__


def _file(function: Callable[..., Any], classes: list[type], version: str) -> Path | None:
    """The cache file of one compiled version, named by a hash of all that it depends on; None if it cannot be cached.

    ``classes`` are the types of constants and settings in its signature, ``version`` is Numba's part of the key. Types
    of a script being run cannot be found again by the next process.
    """
    modules, names = {function.__module__}, []
    for cls in classes:
        rules = _rules_of.get(cls, {})
        modules |= {cls.__module__, *rules.values()}
        names.append(f"{cls.__module__}.{cls.__qualname__} {sorted(rules.items())}")
    if not all(map(_is_importable, [function.__module__, *(cls.__module__ for cls in classes)])):
        return None
    homes = {_home(module) for module in modules} | {_PACKAGE / package for package in _SHARED_PACKAGES}
    key = "|".join(
        [np.__version__, sys.version, version, *names, function.__qualname__, str(function.__code__.co_firstlineno)]
        + [_contents(home) for home in sorted(homes)]
    )
    name = f"{function.__module__}.{function.__name__}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.nbc"
    return cache_dir() / name


def _report(function: Callable[..., Any], classes: list[type]) -> None:
    """Tell the listeners for compilation that a kernel is being compiled, and for which game's package.

    ``classes`` are the types of constants and settings it is compiled for.
    """
    modules = [*(cls.__module__ for cls in classes), function.__module__]
    games = [module for module in modules if module.startswith("ludens.games.") or not module.startswith("ludens.")]
    parts = games[0].split(".") if games else []
    announce(function.__name__, ".".join(parts[:3] if parts[:1] == ["ludens"] else parts[:1]))


def _compiled(function: Callable[..., Any], inline: bool) -> Callable[..., Any]:
    """The function as a kernel; with the JIT disabled, the plain function with widened arguments."""
    if not JIT:
        return _plain(function)
    if _is_importable(function.__module__):  # taken now, so that an edit before the first compilation changes the key
        _contents(_home(function.__module__))
    return compiled(function, inline, functools.partial(_file, function), functools.partial(_report, function))


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, not compiled, with integer arguments widened as in the compiled version."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        """Call the function with integer arguments as Python's int, except unsigned ones of 64 bits."""
        return function(*[int(a) if isinstance(a, np.integer) and a.dtype != np.uint64 else a for a in args])

    return call


if TYPE_CHECKING:

    def kernel(function: F) -> F: ...

    def large_kernel(function: F) -> F: ...

    def int64(value: Any) -> int: ...

else:
    int64 = np.int64  # int for the type checker, since kernels treat all integers alike

    def kernel(function):
        """Decorator: compile a function with Numba on first use and inline it into kernels that call it."""
        return _compiled(function, inline=True)

    def large_kernel(function):
        """Decorator: as `kernel`, but called, not inlined; for long or rare code, so that callers compile faster."""
        return _compiled(function, inline=False)
