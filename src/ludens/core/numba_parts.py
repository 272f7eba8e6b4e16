"""All that ludens uses of Numba's internals, which may change with any release. No other module may use them.

Numba's public interface (``njit``, ``TypingError``, ``numba.extending.overload``) is imported where it is needed. `make
test-numba` runs the tests of the core and of all rules with the lowest and the newest version that pyproject.toml
allows.
"""

from __future__ import annotations

import contextlib
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, cgutils, codegen, compiler, config, ir, types
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typing.templates import AbstractTemplate, infer_global, make_concrete_template
from numba.cpython.unsafe.numbers import trailing_zeros as trailing_zeros
from numba.extending import intrinsic

from ludens.core.error import BrokenGame, one_line

JIT = not config.DISABLE_JIT

_VERSION = (
    f"{numba.__version__} {config.BOUNDSCHECK} {config.OPT} {config.LOOP_VECTORIZE} {config.SLP_VECTORIZE} "
    f"{config.DEBUGINFO_DEFAULT}"
)
_OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

Place = Callable[[list[type], str], Path | None]
Missed = Callable[[list[type]], None]
_Array: Any = types.Array
_Tuple: Any = types.BaseTuple  # type: ignore[attr-defined]


# Linking. For each function, and again for each of its callers, Numba links, optimises and compiles all that it calls.
# Here a kernel that is called by another stays intermediate code (a piece); only the outermost kernel does all this.


class _Library(codegen.JITCodeLibrary):
    """The compiled code of one kernel. Functions that are no kernels have Numba's own library."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._below: dict[Any, None] = {}  # the libraries of all it calls, directly or not, in order
        self._whole: Any = None

    def add_linking_library(self, library: Any) -> None:
        """Numba calls this for each function that the kernel calls: note its library, and those below it."""
        library._ensure_finalized()
        if starts_threads := getattr(library, "_reload_init", None):  # missing in Numba 0.61
            self._reload_init.update(starts_threads)
        self._below.update(dict.fromkeys([library, *getattr(library, "_below", [])]))

    def become_piece(self) -> None:
        """Remain intermediate code, not optimised, for the kernels that call this one."""
        self._finalized = True
        for part in (self, *self._below):
            _homes.update((function.name, part) for function in part.get_defined_functions())

    def _optimize_final_module(self) -> None:
        """Numba's last step before machine code: link everything the kernel calls, then optimise it."""
        _link(self._final_module, self._below)
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """The code that a function which is no kernel links when it calls this one: the piece and all below it."""
        if self._whole is None:
            library = codegen.JITCodeLibrary(self._codegen, self.name)
            library._final_module = self._final_module.clone()
            library._finalized = True
            _link(library._final_module, self._below)
            self._whole = library._get_module_for_linking()
        return self._whole


_homes: dict[str, Any] = {}  # name of a compiled function -> the library that defines it


def _link(module: Any, parts: Iterable[Any]) -> None:
    """Link libraries into a module, in any order.

    Linking skips functions that nothing calls yet. If a library linked later calls one, it has to be linked again.
    """
    missing = parts
    while missing:
        for part in missing:
            module.link_in(codegen.JITCodeLibrary._get_module_for_linking(part), preserve=True)
        called = {function.name: None for function in module.functions if function.is_declaration}
        missing = dict.fromkeys(_homes[name] for name in called if name in _homes)


class _Pipeline(compiler.Compiler):
    """Numba's compiler, with `_Library` in place of its own library."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function, called by Numba: as Numba does, but with `_Library` in place of its library."""
        self.state.library = _Library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


# Errors. Numba reports a mistake in a kernel in dozens of lines, those of all its callers among them.

_HEAD = re.compile(r"Failed in \w+ mode pipeline \(step: [^)]*\)\n|TypingError: ")  # what follows the last is innermost
_PLACES = (r'File "([^"]+)", line (\d+)', r"(?:at|from) (\S+) \((\d+)\)")
_RECORD = re.compile(r"Record\((?:(?!Record\().)*?\b(?:True|False)\)")  # a record's type, with all its fields
_CLUTTER = re.compile(r"(?:,? defined at|\.* Raised from) (?:\S+ \(\d+\)|None)")


def _fault(why: Exception, function: Any) -> str:
    """What of a kernel does not compile, and where: the innermost part of Numba's error, in one sentence."""
    text = _HEAD.split(str(why))[-1].strip()
    first, _, rest = text.partition("\n")
    cause = f"{first} {rest.partition('>>>')[2].strip().partition(chr(10))[0]}" if first.endswith(":") else first
    places = [(file, line) for pattern in _PLACES for file, line in re.findall(pattern, text)[:1]]
    if isinstance(why, KeyError):  # of a field: the text is its name alone, the place is known to whoever raised it
        cause = f"a record has no field {why}"
        raisers = [frame.f_locals.get("self") for frame, _ in traceback.walk_tb(why.__traceback__)]
        places = [(loc.filename, loc.line) for one in raisers if isinstance(loc := getattr(one, "loc", None), ir.Loc)]
        places.reverse()
    elif cause.startswith("Untyped global name"):
        cause = f"{cause.partition(':')[0]}, which is no number, array or function with @kernel"
    while (shorter := _RECORD.sub("record", cause)) != cause:
        cause = shorter
    file, line = (*places, (function.__code__.co_filename, function.__code__.co_firstlineno))[0]
    where = f"{'/'.join(Path(file).parts[-2:])}, line {line}"
    cause = one_line(_CLUTTER.sub("", cause).rstrip(". "), 200)
    return f"{where}, does not compile: {cause}; run again with NUMBA_DISABLE_JIT=1 for a plain Python error"


def is_kernel(function: Any) -> bool:
    """Whether a function was made by `compiled`; without the JIT any function will do."""
    return not JIT or isinstance(function, _Kernel)


# Dispatch: which compiled version a call uses.


def _widened(arg: Any) -> Any:
    """int64 for every integer type except uint64, whose values it could not hold; other types unchanged."""
    return types.int64 if isinstance(arg, types.Integer) and arg != types.uint64 else arg


class _Kernel(CPUDispatcher):
    """A Numba dispatcher with one version for all widths of integers, and less work for kernels called by kernels.

    A version that is called only by other kernels needs neither machine code of its own nor a Python wrapper: it
    remains intermediate code, which its callers link. Only what Python calls is optimised, compiled to machine code,
    and cached.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._inner: dict[tuple[Any, ...], tuple[Any, object]] = {}

    def typeof_pyval(self, val: Any) -> Any:
        """The Numba type of an argument given from Python, with integers widened as `_widened` does."""
        return _widened(super().typeof_pyval(val))

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Called by Numba when Python calls a kernel that has no version for these types; BrokenGame if that fails."""
        try:
            return super()._compile_for_args(*args, **kws)
        except Exception as why:
            raise BrokenGame(_fault(why, self.py_func)) from why

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Called by Numba for a call inside another kernel: the version for these argument types."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        wanted = tuple(_widened(arg) for arg in folded)
        if wanted not in self._inner:
            self._inner[wanted] = self._compile_for_callers(wanted)
        name, exact = self.py_func.__name__, self._inner[wanted][0].signature  # not a version for a similar record type
        return make_concrete_template(f"CallTemplate({name})", key=name, signatures=[exact]), signature, wanted, {}

    def get_overload(self, sig: Any) -> Any:
        """The handle of that version, for the code generator."""
        args, _ = normalize_signature(sig)
        return self._inner[tuple(args)][1]

    def _compile_for_callers(self, args: tuple[Any, ...]) -> tuple[Any, object]:
        """Compile a version to intermediate code only; returns the result and a handle registered with Numba."""
        flags: Any = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = True
        context = self.targetctx
        made = compiler.compile_extra(
            self.typingctx, context, self.py_func, args, None, flags, {}, pipeline_class=_Pipeline
        )
        made.library.become_piece()
        handle = object()
        context.insert_user_function(handle, made.fndesc, [made.library])
        return made, handle


def call_chosen(call: Any, choose: Callable[[Any, int], Any], missing: Callable[[Any], str]) -> None:
    """Let kernels call the Python function ``call``: each call becomes a direct call of another kernel.

    ``choose(cls, count)`` returns that kernel, by the class of the first argument (None if it is no named tuple) and
    the number of arguments. If it returns None, compilation fails with the message ``missing(cls)``.
    (`numba.extending.overload` would compile a wrapper for every caller, which is slower.)
    """

    class Chosen(AbstractTemplate):
        """Numba's typing of a call of ``call``: it chooses the kernel and asks it for the version."""

        key = call

        def generic(self, args: Any, kws: Any) -> Any:
            """Numba's question for the signature of a call with these argument types."""
            cls = getattr(args[0], "instance_class", None)
            self.kernel = choose(cls, len(args))
            if self.kernel is None:
                raise numba.TypingError(missing(cls or args[0]))
            template, _, args, kws = self.kernel.get_call_template(args, kws)
            return template(self.context).apply(args, kws)

        def get_impl_key(self, sig: Any) -> Any:
            """Numba's question for the code of a call: that of the kernel chosen."""
            return self.kernel.get_overload(sig.args)

    infer_global(call, types.Function(Chosen))


# Caching.


def _classes(kinds: Iterable[Any]) -> Iterator[type]:
    """The classes of all named tuples among some Numba types, nested ones included."""
    for kind in kinds:
        if hasattr(kind, "instance_class"):
            yield kind.instance_class
            yield from _classes(kind.types)


def _all_classes(sig: Any) -> list[type]:
    """The classes of all named tuples in a signature, or in a tuple of types."""
    return list(_classes(sig.args if hasattr(sig, "args") else sig))


class _Cache:
    """The compiled versions of one kernel on disk, a file for each; its dispatcher loads and saves them here."""

    def __init__(self, place: Place, missed: Missed) -> None:
        self._place, self._missed = place, missed
        self._impl: Any = caching.CompileResultCacheImpl

    def _file(self, sig: Any, codegen: Any) -> tuple[Any, str] | None:
        """The cache file of a version (``sig``: its signature), as Numba's cache object and a file name.

        None if it cannot be cached.
        """
        path = self._place(_all_classes(sig), f"{_VERSION} {sig} {codegen.magic_tuple()}")
        files: Any = caching.IndexDataCacheFile
        return (files(str(path.parent), "kernel", None), path.name) if path else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """A version from the cache; None, after calling ``missed``, if it has to be compiled."""
        target_context.refresh()
        found, payload = self._file(sig, target_context.codegen()), None
        with contextlib.suppress(Exception):  # missing, or cut short by a full disk: compile it again
            payload = found and found[0]._load_data(found[1])
        if payload is None:
            self._missed(_all_classes(sig))
            return None
        return self._impl.rebuild(None, target_context, payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compiled version to the cache, if it can be stored."""
        if data.lifted or data.library.has_dynamic_globals:
            return
        with contextlib.suppress(OSError):  # a full or read-only disk only means compiling again at the next start
            if found := self._file(sig, data.codegen):
                found[0]._save_data(found[1], self._impl.reduce(None, data))


def compiled(function: Callable[..., Any], inline: bool, place: Place, missed: Missed) -> Any:
    """The function as a kernel that is compiled on first use.

    ``place(classes, version)`` returns the cache file of a version, given the named tuples in its signature and a text
    with everything of Numba's that it depends on; None if it cannot be cached. ``missed(classes)`` is called whenever a
    version has to be compiled.
    """
    kernel = _Kernel(function, {}, {**_OPTIONS, "forceinline": inline}, _Pipeline)
    kernel._cache = _Cache(place, missed)
    return kernel


# Operations that Numba has no public functions for.


@intrinsic
def copy_bytes(typing_context: Any, to: Any, field: Any) -> Any:
    """For kernels: copy all of array ``field`` over array ``to`` with one memcpy."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        """Generate the code: one memcpy."""
        target = context.make_array(signature.args[0])(context, builder, args[0])
        source = context.make_array(signature.args[1])(context, builder, args[1])
        cgutils.raw_memcpy(builder, target.data, source.data, target.nitems, target.itemsize)
        return context.get_dummy_value()

    return types.void(to, field), generate


def field_copier(names: Iterable[str]) -> Any:
    """Make a function ``copy(to, source)`` for kernels: one memcpy per named field, between records of one type."""

    @intrinsic
    def copy(typing_context: Any, to: Any, source: Any) -> Any:
        """Copy the named fields from record ``source`` to record ``to``."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            """Generate the code: one memcpy for each field."""
            for name in names:
                kind, offset = signature.args[0].dtype.fields[name]
                target, origin = (cgutils.pointer_add(builder, arg, offset) for arg in args)
                cgutils.raw_memcpy(builder, target, origin, context.get_constant(types.intp, kind.itemsize), 1)
            return context.get_dummy_value()

        return types.void(to, source), generate

    return copy


def _disown(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Generate code that clears the owner of an array, or of each array in a tuple, and returns the result."""
    if isinstance(kind, _Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, _Tuple):
        parts = cgutils.unpack_tuple(builder, value)
        return context.make_tuple(
            builder, kind, [_disown(context, builder, k, v) for k, v in zip(kind, parts, strict=True)]
        )
    return value


@intrinsic
def disowned(typing_context: Any, owned: Any) -> Any:
    """For kernels: the same array, or tuple of arrays, without an owner, so that no references to it are counted."""
    if not isinstance(owned, (_Array, _Tuple)):
        raise numba.TypingError(f"without_refcount takes an array or a tuple of arrays, not {owned}")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        """Generate the code, by `_disown`."""
        return _disown(context, builder, signature.args[0], args[0])

    return owned(owned), generate
