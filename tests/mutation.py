"""Files damaged at random, for tests of what reads files: bytes, texts, JSON values, arrays.

``mutated(data, rng)`` damages bytes of any kind, ``mutated_json(text, rng)`` a value somewhere in a JSON text, and
``mutated_arrays(data, rng)`` the notes, shapes, types or numbers of a safetensors file that stays readable.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import safetensors.numpy

TOKENS = [
    *(
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x80",
        b"\x1b[31m",
        b"\r\n",
        b"\n\n",
        b"\r",
        b"\t",
        "\u2028é\u202e".encode(),
    ),
    *(b"1e400", b"-1", b"-0", b"NaN", b"Infinity", b"9" * 5000, b"0.5", b"18446744073709551616", b"4294967296"),
    *(
        b"null",
        b"true",
        b"{}",
        b"[]",
        b"[" * 3000,
        b'{"a":' * 3000,
        b'"',
        b"'",
        b"{",
        b"}",
        b"\\",
        b"\\ud800",
        b"\\u0000",
    ),
    *(
        b"#" * 2000,
        b" " * 2000,
        b"\n" * 2000,
        b"# class",
        b":" * 500,
        b"=",
        b",",
        b"/",
        b"../" * 50,
        b"%s%n",
        b"a" * 4000,
    ),
]
VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2,
        7,
        31,
        255,
        256,
        65535,
        65536,
        2**31,
        2**32,
        2**53,
        2**63,
        2**64,
        10**29,
        -(10**29),
    ),
    *(
        0.5,
        -0.5,
        1e300,
        1e-320,
        1.0,
        "",
        "x",
        "x" * 5000,
        "\x1b[2J",
        "\x00",
        "\ud800",
        "\n",
        "é",
        "{",
        "../../x",
        "1",
        "-1",
    ),
    *([], {}, [[]], [None], [0] * 300, {"": 0}, ["a", 1], [[0] * 30] * 2, [float("nan")], float("inf")),
]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The bytes with one to three small damages."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(_BYTE_DAMAGES)(data, rng)
    return data


def mutated_json(text: bytes, rng: random.Random) -> bytes:
    """A JSON text with one to three of its values changed, removed, repeated or exchanged."""
    value = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        value = _with_damage(value, rng)
    return json.dumps(value, ensure_ascii=rng.random() < 0.8).encode(errors="surrogatepass")


def mutated_arrays(data: bytes, rng: random.Random) -> bytes:
    """A safetensors file with one array, or the notes, changed; it is a whole file again."""
    arrays, notes = unpacked(data)
    if notes and rng.random() < 0.4:
        name = rng.choice(list(notes))
        try:
            notes[name] = mutated_json(notes[name].encode(), rng).decode(errors="replace")
        except ValueError:
            notes[name] = rng.choice(["", "x", "0", "-1", "9" * 5000, "{}", "rf", "svm", "nn", "[" * 3000])
    if arrays and rng.random() < 0.8:
        name = rng.choice(list(arrays))
        arrays[name] = rng.choice(_ARRAY_DAMAGES)(arrays[name], rng)
        if rng.random() < 0.1:
            arrays[rng.choice(["", "x", "cut", "1v1"])] = arrays.pop(name)
    return safetensors.numpy.save(arrays, notes)


def mutated_header(data: bytes, rng: random.Random) -> bytes:
    """A safetensors file with something changed in the JSON at its beginning, and the length of that put right."""
    length = int.from_bytes(data[:8], "little")
    head, rest = data[8 : 8 + length], data[8 + length :]
    head = mutated_json(head, rng) if rng.random() < 0.7 else mutated(head, rng)
    return len(head).to_bytes(8, "little") + head + rest


def unpacked(data: bytes) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays and notes of a safetensors file."""
    head = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return {name: array.copy() for name, array in safetensors.numpy.load(data).items()}, head.get("__metadata__", {})


# Bytes


def _flip(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(min(len(out), rng.choice((1, 1, 2, 8)))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _slice(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((1, 2, 8, 60, 400)))


def _remove(data: bytes, rng: random.Random) -> bytes:
    start, end = _slice(data, rng)
    return data[:start] + data[end:]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    start, end = _slice(data, rng)
    return data[:end] + data[start:end] * rng.choice((1, 2, 30)) + data[end:]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(TOKENS) + data[at:]


def _replace(data: bytes, rng: random.Random) -> bytes:
    start, end = _slice(data, rng)
    return data[:start] + rng.choice(TOKENS) + data[end:]


def _lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


_BYTE_DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [
    _flip,
    _cut,
    _remove,
    _repeat,
    _insert,
    _replace,
    _lines,
]

# JSON


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every (object or list, key or index) in a JSON value, at most 3000."""
    found: list[tuple[Any, Any]] = []
    inner = [value]
    while inner and len(found) < 3000:
        one = inner.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else []
        found += [(one, key) for key in keys]
        inner += [one[key] for key in keys if isinstance(one[key], dict | list)]
    return found


def _with_damage(value: Any, rng: random.Random) -> Any:
    """A copy of a JSON value with one damage."""
    value = copy.deepcopy(value)
    places = _places(value)
    if not places or rng.random() < 0.02:
        return _another(value, rng)
    where, key = rng.choice(places)
    what = rng.randrange(6)
    if what == 0:
        del where[key]
    elif what == 1 and isinstance(where, list):
        where.insert(key, copy.deepcopy(where[key]))
    elif what == 2 and isinstance(where, dict):
        where[rng.choice(["", "x", key + "s", key.upper(), "note", "\x1b[31m", "x" * 3000])] = where.pop(key)
    elif what == 3:
        other, at = rng.choice(places)
        where[key] = copy.deepcopy(other[at])
    else:
        where[key] = _another(where[key], rng)
    return value


def _another(value: Any, rng: random.Random) -> Any:
    """Another value in the place of one: near it, of another type, or nested deeply."""
    if type(value) in (int, float) and rng.random() < 0.4:
        return rng.choice([value + 1, value - 1, -value, value * 1000, float(value), str(value)])
    if isinstance(value, str) and rng.random() < 0.4:
        return rng.choice([value + "x", value[:-1], value.upper(), f"\x1b[31m{value}", value * 50, [value]])
    if rng.random() < 0.1:
        for _ in range(rng.choice((3, 30, 80))):
            value = [value]
        return value
    return copy.deepcopy(rng.choice(VALUES))


# Arrays


def _numbers(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """The array with some numbers changed to extreme ones."""
    out = array.copy()
    if out.size:
        top = np.iinfo(out.dtype).max if out.dtype.kind in "iu" else np.inf
        few = (
            [0, 1, top, top // 2] if out.dtype.kind in "iu" else [np.nan, np.inf, -np.inf, -1.0, 0.0, 1e30, 1e-45, 2.0]
        )
        for _ in range(rng.choice((1, 1, 5, 50))):
            out.reshape(-1)[rng.randrange(out.size)] = rng.choice(few)
    return out


def _shape(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """The array longer, shorter, empty, flat, without axes or with one more."""
    flat = array.reshape(-1)
    found = [
        flat,
        array[None],
        flat[: len(flat) // 2],
        flat[:0],
        np.concatenate([flat, flat]),
        flat[:1].reshape(()[:0]),
    ]
    return np.ascontiguousarray(rng.choice([one for one in found if one.size or one.ndim]))


def _type(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """The array in another type of numbers."""
    kinds = ["float64", "float32", "float16", "uint8", "uint16", "uint32", "uint64", "int8", "int64", "bool"]
    with np.errstate(all="ignore"):
        return array.astype(rng.choice(kinds))


_ARRAY_DAMAGES: list[Callable[[np.ndarray, random.Random], np.ndarray]] = [_numbers, _numbers, _shape, _type]
