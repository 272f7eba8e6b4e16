"""Arrays in a file in the safetensors format, written array by array, so that a large one is never in memory twice.

The format: eight bytes with the length of a JSON header (little endian), the header, and the raw bytes of the arrays.
The library `safetensors` parses it: a file may come from anybody. Files are replaced atomically, so a reader never sees
half of one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from ludens.core.error import BadRecord
from ludens.core.file import shortened
from ludens.core.system import replace_file

_NAMES = {"float64": "F64", "float32": "F32", "uint64": "U64", "uint32": "U32", "uint16": "U16", "uint8": "U8"}
_MOST_HEADER, _MOST_ARRAYS, _MOST_AXES, _MOST_LENGTH = 1 << 24, 1000, 4, 1 << 40
_NAME_ANOTHER = "name a file that `ludens train` or `ludens solve` wrote"


def write(path: Path, arrays: Mapping[str, np.ndarray], notes: Mapping[str, str]) -> None:
    """Write named arrays and text notes to a file, completely or not at all; folders are made."""
    head: dict[str, Any] = {"__metadata__": dict(notes)}
    at = 0
    for name, array in arrays.items():
        head[name] = {"dtype": _NAMES[array.dtype.name], "shape": list(array.shape)}
        head[name]["data_offsets"] = [at, at + array.nbytes]
        at += array.nbytes
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    with draft.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tofile(file)
    replace_file(draft, path)


@contextlib.contextmanager
def _opened(path: Path, most: int | None = None) -> Iterator[Any]:
    """A file as the library `safetensors` has parsed it; BadRecord if it cannot be read or is no such file.

    The file may contain anything. ``most`` is the largest size in bytes that is read, None for any.
    """
    try:
        with path.open("rb") as file:
            header, size = int.from_bytes(file.read(8), "little"), path.stat().st_size
        if header > _MOST_HEADER:
            raise BadRecord(f"{path} is no safetensors file: {_NAME_ANOTHER}")
        if most is not None and size > most:
            raise BadRecord(f"{path} has more than {most >> 20} MB: {_NAME_ANOTHER}")
        with safe_open(path, framework="numpy") as found:
            yield found
    except SafetensorError as why:
        raise BadRecord(f"{path} is cut short or no safetensors file: {_NAME_ANOTHER} ({why})") from None
    except (OSError, ValueError) as why:  # ValueError: no path
        raise BadRecord(f"{path} cannot be read: {getattr(why, 'strerror', None) or why}") from None


def read_notes(path: Path) -> dict[str, str]:
    """The text notes of a file, without reading its arrays; BadRecord if it is no such file."""
    with _opened(path) as file:
        return file.metadata() or {}


def read(path: Path, most: int | None = None) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All arrays and all text notes of a file; BadRecord if it is damaged or has more than ``most`` bytes."""
    with _opened(path, most) as file:
        names = list(file.keys())
        if len(names) > _MOST_ARRAYS:
            raise BadRecord(f"{path} holds {len(names)} arrays, more than any ludens file; {_NAME_ANOTHER}")
        return {name: _array(path, file, name) for name in names}, file.metadata() or {}


def _array(path: Path, file: Any, name: str) -> np.ndarray:
    """One array of an open file; BadRecord if NumPy has no such type or no array of such a shape."""
    entry = file.get_slice(name)
    kind, shape = entry.get_dtype(), entry.get_shape()
    if kind not in _NAMES.values() or len(shape) > _MOST_AXES or max(shape, default=0) > _MOST_LENGTH:
        raise BadRecord(f"{path} holds an array this program cannot read, '{shortened(name)}'; {_NAME_ANOTHER}")
    found: np.ndarray = file.get_tensor(name)
    return found


def digest(array: np.ndarray) -> str:
    """A checksum of an array's bytes: 32 hexadecimal digits."""
    return hashlib.blake2b(np.ascontiguousarray(array).data, digest_size=16).hexdigest()
