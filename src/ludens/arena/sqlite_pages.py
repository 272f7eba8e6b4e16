"""Reads rows from the pages of an SQLite file without SQLite, which gives up on a damaged file.

Every page is read by itself: it does not matter which other pages are damaged, not even the first one. Pages that the
write-ahead log has newer versions of are taken from there. What is on free pages was deleted and is left out.

Format: https://www.sqlite.org/fileformat2.html
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_PAGE_SIZE = 4096  # SQLite's default, for a file that does not say
_SIZES = {512 << shift for shift in range(8)}
_INDEX_NODE, _INDEX_LEAF, _TABLE_LEAF = 2, 10, 13  # the kinds of pages with rows; tables WITHOUT ROWID are indexes
_FREE_LIST = 32  # where the first page says which page begins the list of free pages, and how many there are
_INTEGERS = (0, 1, 2, 3, 4, 6, 8)  # bytes of an integer, by its type
_MOST_BYTES = 1 << 26  # of a row


class _Damaged(Exception):
    """A page or row that is not what it should be; it is left out."""


class Pages:
    """The pages of an SQLite file with its write-ahead log, which must not change meanwhile.

    Only for files that this process does not use through SQLite: reading them in any other way releases SQLite's locks.
    """

    def __init__(self, path: Path) -> None:
        """Read the file at ``path`` and its write-ahead log into memory."""
        self._file = path.read_bytes()
        said = int.from_bytes(self._file[16:18], "big")
        said = 1 << 16 if said == 1 else said
        self.size = said if said in _SIZES else _PAGE_SIZE
        log = path.with_name(f"{path.name}-wal")
        self._newer = _pages_of_log(log.read_bytes()) if log.exists() else {}
        self.count = max([-(-len(self._file) // self.size), *self._newer])
        self._usable = self.size - (self._page(1)[20] if self._file[:6] == b"SQLite" else 0)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """All rows that can be read, of all tables and indexes, as tuples of values; a rowid is left out."""
        free = self._free_pages()
        for number in range(2, self.count + 1):
            if number not in free:
                yield from self._rows_of(self._page(number))

    def have_rows(self) -> bool:
        """Whether any row with more than two values can be read, as those of a store have."""
        return any(len(row) > 2 for row in self.rows())

    def _page(self, number: int) -> bytes:
        """A page by its number, from 1; it is filled with zeros where the file was cut short."""
        found = self._newer.get(number) or self._file[(number - 1) * self.size : number * self.size]
        return found.ljust(self.size, b"\0")

    def _free_pages(self) -> set[int]:
        """The numbers of the free pages; none if their list is damaged."""
        free: set[int] = set()
        trunk, count = struct.unpack_from(">II", self._page(1), _FREE_LIST)
        while 1 < trunk <= self.count and trunk not in free:
            free.add(trunk)
            page = self._page(trunk)
            trunk, leaves = struct.unpack_from(">II", page)
            free.update(struct.unpack_from(f">{min(leaves, self.size // 4 - 2)}I", page, 8))
        return free if len(free) == count else set()

    def _rows_of(self, page: bytes) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a page (its bytes) that can be read; none if it is no page of rows."""
        kind, cells = page[0], int.from_bytes(page[3:5], "big")
        if kind not in (_INDEX_NODE, _INDEX_LEAF, _TABLE_LEAF):
            return
        start = 12 if kind == _INDEX_NODE else 8
        for at in range(start, min(start + 2 * cells, self.size - 1), 2):
            cell = int.from_bytes(page[at : at + 2], "big") % self.size  # as SQLite reads it
            try:
                yield self._row(page, cell + (4 if kind == _INDEX_NODE else 0), is_table=kind == _TABLE_LEAF)
            except (_Damaged, IndexError, UnicodeDecodeError, struct.error):
                continue

    def _row(self, page: bytes, at: int, *, is_table: bool) -> tuple[Any, ...]:
        """The values of the row whose cell begins at byte ``at`` of a page; ``is_table``: of a table, else of an index.

        Raises _Damaged, or an error of decoding, if there is no such row.
        """
        length, at = _varint(page, at)
        if is_table:
            _, at = _varint(page, at)  # the rowid
        if not 0 < length < _MOST_BYTES:
            raise _Damaged
        return _values(self._payload(page, at, length, is_table=is_table))

    def _payload(self, page: bytes, at: int, length: int, *, is_table: bool) -> bytes:
        """The ``length`` bytes of a row, which begin at byte ``at`` of a page and may end on other pages.

        ``is_table``: of a table, else of an index, which differ in how much stays on the page. _Damaged if the rest
        cannot be found.
        """
        most = self._usable - 35 if is_table else (self._usable - 12) * 64 // 255 - 23
        if length <= most:
            return page[at : at + length]
        least = (self._usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (self._usable - 4)
        here = here if here <= most else least
        found = page[at : at + here]
        overflow = int.from_bytes(page[at + here : at + here + 4], "big")
        while len(found) < length:
            if not 1 < overflow <= self.count:
                raise _Damaged
            rest = self._page(overflow)
            overflow = int.from_bytes(rest[:4], "big")
            found += rest[4 : self._usable]
        return found[:length]


def _values(payload: bytes) -> tuple[Any, ...]:
    """Decode the values of a row from its bytes in SQLite's record format; _Damaged if they are no such record."""
    head, at = _varint(payload, 0)
    kinds = []
    while at < head:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    found = []
    for kind in kinds:
        length = _INTEGERS[kind] if kind < 7 else 8 if kind == 7 else (kind - 12) // 2 if kind > 11 else 0
        part = payload[at : at + length]
        if at + length > len(payload) or kind in (10, 11):
            raise _Damaged
        found.append(_value(kind, part))
        at += length
    if at != len(payload):
        raise _Damaged
    return tuple(found)


def _value(kind: int, part: bytes) -> Any:
    """Decode one value from SQLite's type number ``kind`` and its bytes ``part``: None, a number, a text or bytes."""
    if kind == 0:
        return None
    if kind == 7:
        return struct.unpack(">d", part)[0]
    if kind in (8, 9):
        return kind - 8
    if kind < 7:
        return int.from_bytes(part, "big", signed=True)
    return part.decode() if kind % 2 else part


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Read SQLite's number of one to nine bytes at index ``at``: (the number, the index after it)."""
    number = 0
    for place in range(at, at + 8):
        number = number << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return number, place + 1
    return number << 8 | data[at + 8], at + 9


def _pages_of_log(log: bytes) -> dict[int, bytes]:
    """The newest version of each page in the bytes of a write-ahead log, up to the last complete transaction.

    Pages are bytes by page number. A damaged entry is left out; the pages after it are still found.
    """
    if len(log) < 32 or log[:3] != b"\x37\x7f\x06" or log[3] not in (0x82, 0x83):
        return {}
    order = ">" if log[3] & 1 else "<"
    size, salt, sums = int.from_bytes(log[8:12], "big"), log[16:24], struct.unpack(">II", log[24:32])
    found: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    for at in range(32, len(log) - size - 23, size + 24) if size in _SIZES else ():
        head, page = log[at : at + 24], log[at + 24 : at + 24 + size]
        if head[8:16] != salt:
            break  # entries of an older log
        is_whole = _checksum(head[:8] + page, sums, order) == struct.unpack(">II", head[16:24])
        sums = struct.unpack(">II", head[16:24])
        number, is_end = struct.unpack(">II", head[:8])
        if is_whole:
            waiting[number] = page
        if is_end:
            found, waiting = {**found, **waiting}, {}
    return found


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """The checksum of an entry of the write-ahead log; ``sums`` is that of the entry before, from which it goes on.

    ``order`` is the byte order of its words, '<' or '>'.
    """
    one, two = sums
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for first, second in zip(words, words, strict=True):
        one = one + first + two & 0xFFFFFFFF
        two = two + second + one & 0xFFFFFFFF
    return one, two
