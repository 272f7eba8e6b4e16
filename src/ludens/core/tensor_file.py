"""Arrays in a file in the safetensors format, written array by array, so that a large one is never in memory twice.

The format: eight bytes with the length of a JSON header (little endian), the header, and the raw bytes of the arrays.
Files are replaced atomically, so a reader never sees half of one.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ludens.core.error import BadRecord
from ludens.core.system import replace_file

_NAMES = {"float64": "F64", "float32": "F32", "uint64": "U64", "uint32": "U32", "uint16": "U16", "uint8": "U8"}
_TYPES = {short: np.dtype(name).newbyteorder("<") for name, short in _NAMES.items()}
_MOST_HEADER = 1 << 24
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


def _header(path: Path, file: BinaryIO) -> dict[str, Any]:
    """The JSON header of an open file; BadRecord if it is not a safetensors file. The file may contain anything."""
    length = int.from_bytes(file.read(8), "little")
    if not 0 < length <= _MOST_HEADER:
        raise BadRecord(f"{path} is no safetensors file: {_NAME_ANOTHER}")
    try:
        head = json.loads(file.read(length))
    except ValueError:
        raise BadRecord(f"{path} is no safetensors file: its header is broken; {_NAME_ANOTHER}") from None
    if not isinstance(head, dict) or not isinstance(head.get("__metadata__", {}), dict):
        raise BadRecord(f"{path} is no safetensors file: its header is not a JSON object; {_NAME_ANOTHER}")
    return head


def read_notes(path: Path) -> dict[str, str]:
    """The text notes of a file, without reading its arrays."""
    with path.open("rb") as file:
        return dict(_header(path, file).get("__metadata__", {}))


def read(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All arrays and all text notes of a file; BadRecord if it is damaged."""
    with path.open("rb") as file:
        head = _header(path, file)
        notes = dict(head.pop("__metadata__", {}))
        start = file.tell()
        return {name: _array(path, file, start, entry) for name, entry in head.items()}, notes


def _array(path: Path, file: BinaryIO, start: int, entry: dict[str, Any]) -> np.ndarray:
    """One array of an open file, from its header entry; ``start`` is the offset of the data."""
    try:
        kind, shape = _TYPES[entry["dtype"]], [int(n) for n in entry["shape"]]
        begin, end = (int(n) for n in entry["data_offsets"])
    except (KeyError, TypeError, ValueError):
        raise BadRecord(f"{path} holds an array this program cannot read; {_NAME_ANOTHER}") from None
    count = math.prod(shape)
    if min([*shape, begin]) < 0 or end - begin != count * kind.itemsize:
        raise BadRecord(f"{path} holds an array whose size and shape disagree; write it again")
    if start + end > path.stat().st_size:
        raise BadRecord(f"{path} is cut short; write it again")
    file.seek(start + begin)
    found = np.fromfile(file, kind, count)
    return found.astype(kind.newbyteorder("="), copy=False).reshape(shape)


def digest(array: np.ndarray) -> str:
    """A checksum of an array's bytes: 32 hexadecimal digits."""
    return hashlib.blake2b(np.ascontiguousarray(array).data, digest_size=16).hexdigest()
