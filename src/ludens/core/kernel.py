"""Compiled rules: the ``@kernel`` decorator and where its machine code is kept.

A kernel is a plain Python function that Numba compiles on first use. Three things differ from a bare ``njit``:

* Integer arguments are widened to int64, so that ``legal(g, s, np.int8(3))`` and ``legal(g, s, 3)`` share one compiled
  version. That halves the time a game needs to compile.
* The cache notices every change. Numba's own cache looks only at the file of the cached function: a rule changed in
  *another* file would be served stale. Ours is keyed by the contents of ``core``, ``search`` and ``solve``, of the
  folder the kernel lives in, and of the folder that defines each table or settings type in its signature (a plug-in's
  too).
* One file an entry, named by its key and replaced atomically: several processes may compile at once.

With ``NUMBA_DISABLE_JIT=1`` a kernel is the plain function, which steps through in a debugger and plays the same bytes.
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
    np.seterr(over="ignore")  # the generator wraps around on purpose; compiled code never warns about it

_PACKAGE = Path(__file__).resolve().parent.parent
_SHARED_PACKAGES = ("core", "search", "solve")

_FOR_PEOPLE = {"__pycache__", "text", "pictures"}  # folders that no kernel depends on


@functools.cache
def cache_dir() -> Path:
    """The folder of compiled kernels: ``LUDENS_CACHE``, else the user's cache, else a temporary folder."""
    with contextlib.suppress(OSError):
        folder = _wanted_cache_dir()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    return private_folder("ludens-cache")


def _wanted_cache_dir() -> Path:
    named = os.environ.get("LUDENS_CACHE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("ludens")


@functools.cache
def _contents(home: Path) -> str:
    """A digest of every file of a folder (or of one file) but what people read, taken when it is first asked for."""
    digest = hashlib.sha256()
    for file in sorted(home.rglob("*")) if home.is_dir() else [home]:
        if file.is_file() and not _FOR_PEOPLE & set(file.relative_to(home).parts):
            digest.update(str(file.relative_to(home)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _is_importable(module_name: str) -> bool:
    """Whether the module comes from a file and can be found again: not the script being run, nor a cell or a string."""
    return module_name != "__main__" and getattr(sys.modules.get(module_name), "__file__", None) is not None


def _home(module_name: str) -> Path:
    """What must be unchanged for code of a module to be fresh: its game's folder, its package, or its one file."""
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
    """Remember which rules a type has: what a generic kernel compiles to depends on it."""
    _rules_of.setdefault(cls, {})[operation] = rule.__module__


def _file(function: Callable[..., Any], classes: list[type], version: str) -> Path | None:
    """Where a compiled version is kept, named by all it depends on; None: nobody could find it at the next start.

    ``classes`` are the tables and settings in its signature. Those of the script being run are new objects every time.
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
    """Say that a kernel is compiled, and for which game: the first of the classes that belongs to one knows."""
    modules = [*(cls.__module__ for cls in classes), function.__module__]
    games = [module for module in modules if module.startswith("ludens.games.") or not module.startswith("ludens.")]
    parts = games[0].split(".") if games else []
    announce(function.__name__, ".".join(parts[:3] if parts[:1] == ["ludens"] else parts[:1]))


def _compiled(function: Callable[..., Any], inline: bool) -> Callable[..., Any]:
    if not JIT:
        return _plain(function)
    if _is_importable(function.__module__):  # as it is now: an edit before the first compilation must not go unnoticed
        _contents(_home(function.__module__))
    return compiled(function, inline, functools.partial(_file, function), functools.partial(_report, function))


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, its integer arguments widened just as the compiled version's are."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        return function(*[int(a) if isinstance(a, np.integer) and a.dtype != np.uint64 else a for a in args])

    return call


if TYPE_CHECKING:

    def kernel(function: F) -> F: ...

    def large_kernel(function: F) -> F: ...

    def int64(value: Any) -> int: ...

else:
    int64 = np.int64  # for the type checker a plain int: kernels compute with nothing else

    def kernel(function):
        """Compile ``function`` on first use, to be inlined wherever it is called; see the module's first lines."""
        return _compiled(function, inline=True)

    def large_kernel(function):
        """A kernel that is called, not inlined: for what is long or rare. Its callers then compile sooner."""
        return _compiled(function, inline=False)
