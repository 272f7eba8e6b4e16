"""All that ludens uses of Numba beyond what Numba promises to keep. No other module may use such things.

What Numba promises (``njit``, ``TypingError``, ``numba.extending.overload``) is imported where it is needed. Here stand
inner parts, which may change with any release. `make test-numba` runs the tests of the core and of all rules with the
lowest and the newest version that pyproject.toml allows.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, cgutils, codegen, compiler, config, types
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typing.templates import AbstractTemplate, infer_global, make_concrete_template
from numba.cpython.unsafe.numbers import trailing_zeros as trailing_zeros
from numba.extending import intrinsic

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


# Linking. Numba links and optimises the functions below a function, and makes machine code of them, for the function
# and again for each of its callers. Kernels below a kernel stay pieces, and the outermost one does it, once for all.


class _Library(codegen.JITCodeLibrary):
    """The code of one kernel. `_Pipeline` gives it to kernels alone: all other functions have Numba's own library."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._below: dict[Any, None] = {}  # the libraries of all it calls, in order
        self._whole: Any = None

    def add_linking_library(self, library: Any) -> None:
        """Note what the kernel calls, and what that calls."""
        library._ensure_finalized()
        if starts_threads := getattr(library, "_reload_init", None):  # which 0.61 has not
            self._reload_init.update(starts_threads)
        self._below.update(dict.fromkeys([library, *getattr(library, "_below", [])]))

    def become_piece(self) -> None:
        """Stay intermediate code, as it is, for whoever calls it."""
        self._finalized = True
        for part in (self, *self._below):
            _homes.update((function.name, part) for function in part.get_defined_functions())

    def _optimize_final_module(self) -> None:
        """Numba's last step, and the first at which everything must be there."""
        _link(self._final_module, self._below)
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """What a function that is no kernel links when it calls this piece: the piece and all below it."""
        if self._whole is None:
            library = codegen.JITCodeLibrary(self._codegen, self.name)
            library._final_module = self._final_module.clone()
            library._finalized = True
            _link(library._final_module, self._below)
            self._whole = library._get_module_for_linking()
        return self._whole


_homes: dict[str, Any] = {}  # the library that defines a function


def _link(module: Any, parts: Iterable[Any]) -> None:
    """Link libraries in whatever order they come.

    Linking passes over what nobody calls yet; if somebody does later, it has to be linked again.
    """
    missing = parts
    while missing:
        for part in missing:
            module.link_in(codegen.JITCodeLibrary._get_module_for_linking(part), preserve=True)
        called = {function.name: None for function in module.functions if function.is_declaration}
        missing = dict.fromkeys(_homes[name] for name in called if name in _homes)


class _Pipeline(compiler.Compiler):
    """Numba's steps of compiling, with a library of ours."""

    def compile_extra(self, func: Any) -> Any:
        self.state.library = _Library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


# Dispatching.


def _widened(arg: Any) -> Any:
    """int64 for every integer type but uint64, which would change its value."""
    return types.int64 if isinstance(arg, types.Integer) and arg != types.uint64 else arg


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
        context = self.targetctx
        made = compiler.compile_extra(
            self.typingctx, context, self.py_func, args, None, flags, {}, pipeline_class=_Pipeline
        )
        made.library.become_piece()
        handle = object()
        context.insert_user_function(handle, made.fndesc, [made.library])
        return made, handle


def call_chosen(call: Any, choose: Callable[[Any, int], Any], missing: Callable[[Any], str]) -> None:
    """Let kernels call ``call``: it becomes a direct call of another kernel, with nothing in between.

    ``choose(cls, count)`` gives that kernel by the class of the first argument (None: it is no named tuple) and the
    number of arguments; where it gives None, ``missing`` says so. (`numba.extending.overload` would compile a function
    around the kernel for every caller, which is slower.)
    """

    class Chosen(AbstractTemplate):
        key = call

        def generic(self, args: Any, kws: Any) -> Any:
            cls = getattr(args[0], "instance_class", None)
            self.kernel = choose(cls, len(args))
            if self.kernel is None:
                raise numba.TypingError(missing(cls or args[0]))
            template, _, args, kws = self.kernel.get_call_template(args, kws)
            return template(self.context).apply(args, kws)

        def get_impl_key(self, sig: Any) -> Any:
            return self.kernel.get_overload(sig.args)

    infer_global(call, types.Function(Chosen))


# Keeping.


def _classes(kinds: Iterable[Any]) -> Iterator[type]:
    """Of the named tuples among the types, and of those inside them."""
    for kind in kinds:
        if hasattr(kind, "instance_class"):
            yield kind.instance_class
            yield from _classes(kind.types)


def _all_classes(sig: Any) -> list[type]:
    """Of the named tuples in a signature, or in a tuple of types."""
    return list(_classes(sig.args if hasattr(sig, "args") else sig))


class _Cache:
    """Keeps the compiled versions of one kernel, each in a file of its own, for the dispatcher that asks for them."""

    def __init__(self, place: Place, missed: Missed) -> None:
        self._place, self._missed = place, missed
        self._impl: Any = caching.CompileResultCacheImpl

    def _file(self, sig: Any, codegen: Any) -> tuple[Any, str] | None:
        path = self._place(_all_classes(sig), f"{_VERSION} {sig} {codegen.magic_tuple()}")
        files: Any = caching.IndexDataCacheFile
        return (files(str(path.parent), "kernel", None), path.name) if path else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        found, payload = self._file(sig, target_context.codegen()), None
        with contextlib.suppress(Exception):  # missing, or half a file from a full disk: compile it again
            payload = found and found[0]._load_data(found[1])
        if payload is None:
            self._missed(_all_classes(sig))
            return None
        return self._impl.rebuild(None, target_context, payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.lifted or data.library.has_dynamic_globals:
            return
        with contextlib.suppress(OSError):  # a full or read-only disk costs time at the next start, nothing else
            if found := self._file(sig, data.codegen):
                found[0]._save_data(found[1], self._impl.reduce(None, data))


def compiled(function: Callable[..., Any], inline: bool, place: Place, missed: Missed) -> Any:
    """The function as a kernel that is compiled on first use.

    ``place(classes, version)`` is the file of a version, by the named tuples in its signature and a text of all else
    of Numba's that it depends on; None: it cannot be kept. ``missed(classes)`` is told when one is compiled.
    """
    kernel = _Kernel(function, {}, {**_OPTIONS, "forceinline": inline}, _Pipeline)
    kernel._cache = _Cache(place, missed)
    return kernel


# Words of machine code that Numba has no public names for.


@intrinsic
def copy_bytes(typing_context: Any, to: Any, field: Any) -> Any:
    """One memcpy from array to array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target = context.make_array(signature.args[0])(context, builder, args[0])
        source = context.make_array(signature.args[1])(context, builder, args[1])
        cgutils.raw_memcpy(builder, target.data, source.data, target.nitems, target.itemsize)
        return context.get_dummy_value()

    return types.void(to, field), generate


def field_copier(names: Iterable[str]) -> Any:
    """One memcpy for each of these fields, from record to record of one type."""

    @intrinsic
    def copy(typing_context: Any, to: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            for name in names:
                kind, offset = signature.args[0].dtype.fields[name]
                target, origin = (cgutils.pointer_add(builder, arg, offset) for arg in args)
                cgutils.raw_memcpy(builder, target, origin, context.get_constant(types.intp, kind.itemsize), 1)
            return context.get_dummy_value()

        return types.void(to, source), generate

    return copy


def _disown(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Clear the owner of an array, or of each array of a tuple."""
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
    """The same array, or tuple of arrays, owned by nobody: no references are counted."""
    if not isinstance(owned, (_Array, _Tuple)):
        raise numba.TypingError(f"without_refcount takes an array or a tuple of arrays, not {owned}")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _disown(context, builder, signature.args[0], args[0])

    return owned(owned), generate
