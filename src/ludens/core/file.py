"""Files: written completely or not at all, read safely, and user files stored under names made from their contents.

A user file (a board, a deck) is stored under a name such as ``mine-1a2b3c4d``, so that a saved game finds the very file
it was played with, even if the original has changed.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_data_path

from ludens.core.error import BadOption, BadStore, LudensError, printed
from ludens.core.system import replace_file

T = TypeVar("T")

_NAME = re.compile(r"[a-z0-9_]{1,40}-[0-9a-f]{8}")
_DEEPEST = 50  # brackets open at once in JSON
_MOST_DIGITS = 30  # of a whole number in JSON; Python itself refuses only thousands


def write_whole(file: Path, data: str | bytes) -> None:
    """Write a file so that it is complete or does not change at all, even if the program is stopped."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_bytes(data.encode() if isinstance(data, str) else data)
        replace_file(beside, file)
    finally:
        beside.unlink(missing_ok=True)


def write_json(file: Path, data: Any) -> None:
    """Write data as an indented JSON file, completely or not at all."""
    write_whole(file, json.dumps(data, indent=1) + "\n")


def dated_file(folder: Path, start: str, ending: str) -> Path:
    """A path in ``folder`` where no file exists yet: ``start``, date and time (and a number if needed), ``ending``."""
    stem = f"{start}{time.strftime('%Y-%m-%d_%H-%M-%S')}"
    names = [stem, *(f"{stem}-{number}" for number in range(2, 1000))]
    return next(folder / f"{name}{ending}" for name in names if not (folder / f"{name}{ending}").exists())


def shortened(text: Any, most: int = 60) -> str:
    """A text from outside for use in a message: without unprintable characters, cut to ``most`` letters."""
    plain = printed(text)
    return plain if len(plain) <= most else f"{plain[: most - 3]}..."


def file_of(path: str | Path) -> Path | None:
    """The path, with ~ expanded, if there is such a file; else None, also for what cannot be a path."""
    try:
        file = Path(path).expanduser()
        return file if file.is_file() else None
    except (OSError, RuntimeError, ValueError):  # a path that is too long, has an unknown home folder, or is none
        return None


def text_of(file: Path, most: int, what: str, error: type[LudensError] = BadOption) -> str:
    """Read a text file in UTF-8; ``error`` if it cannot be read, is not text or has more than ``most`` bytes.

    ``what`` says in the message what kind of file it should be.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(most + 1)
    except (OSError, ValueError) as why:  # ValueError: no path
        reason = getattr(why, "strerror", None) or why
        raise error(f"the {what} file {shortened(file)} cannot be read: {reason}") from None
    if len(data) > most:
        raise error(f"{shortened(file)} is no {what}: it has more than {most // 1024} kB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise error(f"the {what} file {shortened(file)} cannot be read: it is no text in UTF-8") from None


def json_of(text: str, what: str, error: type[LudensError] = BadOption) -> Any:
    """The value of a JSON text from outside; ``error`` with a reason if it is broken, or what no ludens file has.

    That is: a name twice in one object, a number that no float holds, NaN, half a surrogate pair, and brackets more
    than 50 deep. ``what`` is the beginning of the message: 'the board mine'.
    """
    try:
        value = json.loads(
            text.removeprefix("\ufeff"),
            parse_int=_whole,
            parse_float=_finite,
            parse_constant=_finite,
            object_pairs_hook=_object,
        )
        if "\\u" in text:  # only an escape can bring a lone surrogate, which cannot be written again
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as why:
        raise error(f"{what} is not whole JSON: {why}") from None
    except RecursionError:
        raise error(f"{what} cannot be used: too many brackets are open in it") from None
    except ValueError as why:
        raise error(f"{what} cannot be used: {why}") from None
    inner = [value]
    for _ in range(_DEEPEST):
        inner = [part for one in inner for part in _parts(one) if type(part) in (dict, list)]
    if inner:
        raise error(f"{what} cannot be used: too many brackets are open in it")
    return value


def _parts(value: Any) -> Iterable[Any]:
    """The values in an object or a list; none in anything else."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _whole(digits: str) -> int:
    """A whole number in JSON; ValueError if it is longer than any that ludens writes."""
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"{digits[:20]}... is a number of {len(digits)} digits")
    return int(digits)


def _finite(digits: str) -> float:
    """A number in JSON; ValueError for NaN and for one too large for a float."""
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:20]} is no finite number")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in JSON; ValueError if a name stands in it twice, since readers do not agree which one counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the name '{twice[:40]}' stands twice in one object")
    return found


def tidied(text: str) -> str:
    """A text as it is read again from a stored file: without a byte order mark, lines ended by a line feed."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def plain_stem(stem: str) -> str:
    """A file name reduced to small letters, digits and underscores, which every file system takes."""
    return re.sub(r"[^a-z0-9_]+", "_", stem.lower()).strip("_")


def digest(text: str) -> str:
    """Eight hexadecimal digits made from a text, which end the name that the text is stored under."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class UserFiles:
    """User files of one kind, stored in one folder: the one named by ``LUDENS_BOARDS`` (for boards), or the default.

    The default is a folder in the user's data directory.
    """

    what: str  # the kind, in messages and names: 'board'
    suffix: str  # of file names, with the dot
    most: int  # largest size in bytes
    option: str  # the game option that takes such a file
    source: str = "its file"  # how messages call what people give to that option

    @property
    def folder(self) -> Path:
        """The folder of the files; it need not exist yet."""
        named = os.environ.get(self._variable)
        return Path(named) if named else user_data_path("ludens") / f"{self.what}s"

    @property
    def _variable(self) -> str:
        """The environment variable that names the folder."""
        return f"LUDENS_{self.what.upper()}S"

    def names(self) -> list[str]:
        """The names of all stored files, sorted."""
        return sorted(file.stem for file in self.folder.glob(f"*{self.suffix}") if self.is_name(file.stem))

    def is_name(self, name: str) -> bool:
        """Whether a text has the form of the names that stored files get: ``mine-1a2b3c4d``."""
        return _NAME.fullmatch(name) is not None

    def text(self, file: Path) -> str:
        """The text of a user's file; BadOption if it cannot be read or is too large."""
        return text_of(file, self.most, self.what)

    def find(self, name: str, read: Callable[[Path], T], said: Callable[[T], str]) -> T:
        """The contents of the file stored under a name, as ``read`` returns them; BadOption if missing or changed.

        ``said`` gives the text that the contents' name was made from, to check it. A file with the same contents under
        another name is found too, since it may have been renamed.
        """
        how = f"once, with {self.option}=PATH"
        likely = [self.folder / f"{name}{self.suffix}", *sorted(self.folder.glob(f"*{name[-9:]}{self.suffix}"))]
        file = next((file for file in likely if file.is_file()), None)
        if file is None:
            raise BadOption(f"the {self.what} '{name}' is not stored here: name {self.source} {how}")
        found = read(file)
        if digest(said(found)) != name[-8:]:
            raise BadOption(f"the stored {self.what} {file.stem} was changed: remove it, and name its file {how}")
        return found

    def keep(self, name: str, text: str) -> None:
        """Store a text under a name, unless a file of that name exists; BadStore if it cannot be written."""
        file = self.folder / f"{name}{self.suffix}"
        try:
            if not file.is_file():
                file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(file, text)
        except OSError as why:
            place = f"the {self.what} cannot be stored in {file.parent}"
            raise BadStore(f"{place}: {why.strerror}; set {self._variable}") from None
