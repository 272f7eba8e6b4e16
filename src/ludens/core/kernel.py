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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numba
import numpy as np
from numba.core import caching, codegen, compiler, config, types
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typing.templates import make_concrete_template

__all__ = ["JIT", "cache_dir", "int64", "kernel", "large_kernel", "note_rule", "on_compile"]

F = TypeVar("F", bound=Callable[..., Any])

JIT = not config.DISABLE_JIT
if not JIT:
    np.seterr(over="ignore")  # the generator wraps around on purpose; compiled code never warns about it

_SETTINGS = (
    f"{config.BOUNDSCHECK} {config.OPT} {config.LOOP_VECTORIZE} {config.SLP_VECTORIZE} {config.DEBUGINFO_DEFAULT}"
)
_HOUSE = Path(__file__).resolve().parent.parent
_SHARED_ROOMS = ("core", "search", "solve")
_OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

_listeners: list[Callable[[str], None]] = []


def on_compile(tell: Callable[[str], None]) -> None:
    """Call ``tell(kernel_name)`` whenever a kernel is really compiled (not loaded from the cache)."""
    _listeners.append(tell)


@functools.cache
def cache_dir() -> Path:
    """The folder of compiled kernels: ``LUDENS_CACHE``, else the user's cache, else a temporary folder."""
    with contextlib.suppress(OSError):
        folder = _wanted_cache_dir()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    fallback = Path(tempfile.gettempdir()) / f"ludens-cache-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    with contextlib.suppress(OSError):
        fallback.mkdir(mode=0o700, exist_ok=True)
        found = fallback.stat()
        is_mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
        if is_mine and found.st_mode & 0o077 == 0:  # nobody else may put code there
            return fallback
    return Path(tempfile.mkdtemp(prefix="ludens-cache-"))


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
        if file.is_file() and not {"__pycache__", "text"} & set(file.relative_to(home).parts):
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
        return _HOUSE / "games" / parts[2]
    if parts[0] == "ludens":
        return _HOUSE / parts[1]
    top = sys.modules[parts[0]]
    folders = list(getattr(top, "__path__", []))
    return Path(folders[0]) if folders else Path(str(sys.modules[module_name].__file__))


_rules_of: dict[type, dict[str, str]] = {}


def note_rule(operation: str, cls: type, rule: Callable[..., Any]) -> None:
    """Remember which rules a type has: what a generic kernel compiles to depends on it."""
    _rules_of.setdefault(cls, {})[operation] = rule.__module__


def _tuple_classes(args: tuple[Any, ...]) -> Iterator[type]:
    for arg in args:
        if hasattr(arg, "instance_class"):  # a NamedTuple, and those inside it
            yield arg.instance_class
            yield from _tuple_classes(arg.types)


class _KernelCache(caching._Cache):
    """Keeps the compiled versions of one kernel, each in a file of its own."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self._func = py_func
        self._impl: Any = caching.CompileResultCacheImpl

    @property
    def cache_path(self) -> str:
        return str(cache_dir())

    def _file(self, sig: Any, codegen: Any) -> tuple[Any, str]:
        modules, names = {self._func.__module__}, []
        for cls in _tuple_classes(sig.args if hasattr(sig, "args") else sig):
            rules = _rules_of.get(cls, {})
            modules |= {cls.__module__, *rules.values()}
            names.append(f"{cls.__module__}.{cls.__qualname__} {sorted(rules.items())}")
        homes = {_home(module) for module in modules} | {_HOUSE / room for room in _SHARED_ROOMS}
        key = "|".join(
            [numba.__version__, np.__version__, sys.version, _SETTINGS, str(sig), *names, str(codegen.magic_tuple())]
            + [self._func.__qualname__, str(self._func.__code__.co_firstlineno)]
            + [_contents(home) for home in sorted(homes)]
        )
        name = f"{self._func.__module__}.{self._func.__name__}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.nbc"
        files: Any = caching.IndexDataCacheFile
        return files(self.cache_path, "kernel", None), name

    def _is_lasting(self, sig: Any) -> bool:
        """Types of the script being run are new objects at every start: what they compile to cannot be found again."""
        classes = _tuple_classes(sig.args if hasattr(sig, "args") else sig)
        return all(map(_is_importable, [self._func.__module__, *(cls.__module__ for cls in classes)]))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        found = self._load(sig, target_context) if self._is_lasting(sig) else None
        if found is None:
            for tell in _listeners:
                tell(self._func.__name__)
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        store, name = self._file(sig, target_context.codegen())
        try:
            payload = store._load_data(name)
        except Exception:  # missing, or half a file from a full disk: compile it again
            return None
        return self._impl.rebuild(None, target_context, payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        if not self._is_lasting(sig) or data.lifted or data.library.has_dynamic_globals:
            return
        store, name = self._file(sig, data.codegen)
        with contextlib.suppress(OSError):  # a full or read-only disk costs time at the next start, nothing else
            store._save_data(name, self._impl.reduce(None, data))

    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def flush(self) -> None: ...


def _widened(arg: Any) -> Any:
    """int64 for every integer type but uint64, which would change its value."""
    return types.int64 if isinstance(arg, types.Integer) and arg != types.uint64 else arg


_pieces: dict[Any, list[Any]] = {}  # by library, see `_parts`
_homes: dict[str, Any] = {}  # the library that defines a function


class _Kernel(CPUDispatcher):
    """A Numba dispatcher that compiles one version for all widths of integer, and less for those who inline it.

    A version called by other kernels needs no machine code of its own and no way in from Python: it is kept as
    intermediate code that its callers link. Only what Python calls is optimised, compiled to the end, and cached.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._inner: dict[tuple[Any, ...], tuple[Any, object]] = {}

    def typeof_pyval(self, val: Any) -> Any:
        return _widened(super().typeof_pyval(val))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How a kernel that calls this one finds the version for its arguments."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        wanted = tuple(_widened(arg) for arg in folded)
        if wanted not in self._inner:
            self._inner[wanted] = self._compile_for_callers(wanted)
        name, exact = self.py_func.__name__, self._inner[wanted][0].signature  # never a version for a similar record
        return make_concrete_template(f"CallTemplate({name})", key=name, signatures=[exact]), signature, wanted, {}

    def get_overload(self, sig: Any) -> Any:
        """What stands for that version when the call is lowered."""
        args, _ = normalize_signature(sig)
        return self._inner[tuple(args)][1]

    def _compile_for_callers(self, args: tuple[Any, ...]) -> tuple[Any, object]:
        flags: Any = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = True
        compiled = compiler.compile_extra(self.typingctx, self.targetctx, self.py_func, args, None, flags, {})
        handle = object()
        self.targetctx.insert_user_function(handle, compiled.fndesc, _parts(compiled.library))
        return compiled, handle


def _parts(library: Any) -> list[Any]:
    """A library and all it calls, each as a piece of its own, left as it is.

    Numba would link and optimise the pieces below a function, and make machine code of them, for the function and again
    for each of its callers. Here the outermost caller does it, once for all.
    """
    below = [part for linked in library._linking_libraries for part in _pieces.get(linked, [linked])]
    library._finalized = True
    _pieces[library] = list(dict.fromkeys([library, *below]))
    for part in _pieces[library]:
        _homes.update((function.name, part) for function in part.get_defined_functions())
    return _pieces[library]


class _Library(codegen.JITCodeLibrary):
    """A library that is linked from pieces in whatever order they come.

    Linking passes over what nobody calls yet; if somebody does later, it has to be linked again.
    """

    def _optimize_final_module(self) -> None:
        while missing := self._missing():
            for part in missing:
                self._final_module.link_in(part._get_module_for_linking(), preserve=True)
        super()._optimize_final_module()

    def _missing(self) -> set[Any]:
        """The pieces with functions that are called here and not there yet."""
        called = {function.name for function in self._final_module.functions if function.is_declaration}
        return {_homes[name] for name in called & _homes.keys()}


codegen.JITCPUCodegen._library_class = _Library


def _compiled(function: Callable[..., Any], inline: bool) -> Callable[..., Any]:
    if not JIT:
        return _plain(function)
    if _is_importable(function.__module__):  # as it is now: an edit before the first compilation must not go unnoticed
        _contents(_home(function.__module__))
    compiled = _Kernel(function, {}, {**_OPTIONS, "forceinline": inline})
    compiled._cache = _KernelCache(function)
    return compiled


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
