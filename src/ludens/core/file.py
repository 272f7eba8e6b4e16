"""Files: written whole or not at all, read whoever wrote them, and kept under names made from their contents.

A file that people bring (a board, a deck) is kept under such a name (``mine-1a2b3c4d``), so that a saved game finds the
very file it was played with, whatever became of the original.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_data_path

from ludens.core.error import BadOption, BadStore
from ludens.core.system import replace_file

T = TypeVar("T")

_NAME = re.compile(r"[a-z0-9_]{1,40}-[0-9a-f]{8}")


def write_whole(file: Path, data: str | bytes) -> None:
    """Write a file that is there whole or not at all."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_bytes(data.encode() if isinstance(data, str) else data)
        replace_file(beside, file)
    finally:
        beside.unlink(missing_ok=True)


def write_json(file: Path, data: Any) -> None:
    """Write a file of JSON that people can read."""
    write_whole(file, json.dumps(data, indent=1) + "\n")


def dated_file(folder: Path, start: str, ending: str) -> Path:
    """A file nobody has used: named by the time, with a number if there are several of this second."""
    stem = f"{start}{time.strftime('%Y-%m-%d_%H-%M-%S')}"
    names = [stem, *(f"{stem}-{number}" for number in range(2, 1000))]
    return next(folder / f"{name}{ending}" for name in names if not (folder / f"{name}{ending}").exists())


def shortened(text: Any, most: int = 60) -> str:
    """A text that came from elsewhere: what can be shown of it, cut if it is very long."""
    plain = printed(text)
    return plain if len(plain) <= most else f"{plain[: most - 3]}..."


def printed(text: Any) -> str:
    """A text without what no page can show: control characters, halves of letters."""
    return "".join(letter if letter.isprintable() else " " for letter in str(text)).strip()


def file_of(path: str | Path) -> Path | None:
    """The file a path leads to; None where it leads nowhere, or is none."""
    try:
        file = Path(path).expanduser()
        return file if file.is_file() else None
    except (OSError, RuntimeError, ValueError):  # too long; a home nobody has; no path at all
        return None


def text_of(file: Path, most: int, what: str) -> str:
    """What a file says, whoever wrote it; BadOption if it has more than ``most`` bytes or is no text."""
    try:
        if file.stat().st_size > most:
            raise BadOption(f"{shortened(file)} is no {what}: it has more than {most // 1024} kB")
        return file.read_text(encoding="utf-8-sig")
    except OSError as why:
        raise BadOption(f"the {what} file {shortened(file)} cannot be read: {why.strerror}") from None
    except UnicodeDecodeError:
        raise BadOption(f"the {what} file {shortened(file)} cannot be read: it is no text in UTF-8") from None


def tidied(text: str) -> str:
    """A text as it will be read again from a file: no byte order mark, and line ends of one kind."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def plain_stem(stem: str) -> str:
    """The name of a file in letters that every disk takes."""
    return re.sub(r"[^a-z0-9_]+", "_", stem.lower()).strip("_")


def digest(text: str) -> str:
    """The end of the name under which a text is kept."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class UserFiles:
    """Where files of one kind are kept: the folder that ``LUDENS_BOARDS`` names, else one of the user's data."""

    what: str  # 'board'
    suffix: str
    most: int  # bytes
    option: str  # of the game, which takes such a file
    source: str = "its file"  # what people may give to that option, for messages

    @property
    def folder(self) -> Path:
        named = os.environ.get(self._variable)
        return Path(named) if named else user_data_path("ludens") / f"{self.what}s"

    @property
    def _variable(self) -> str:
        return f"LUDENS_{self.what.upper()}S"

    def names(self) -> list[str]:
        """What is kept."""
        return sorted(file.stem for file in self.folder.glob(f"*{self.suffix}") if self.is_name(file.stem))

    def is_name(self, name: str) -> bool:
        """Whether this could be the name of something kept."""
        return _NAME.fullmatch(name) is not None

    def text(self, file: Path) -> str:
        return text_of(file, self.most, self.what)

    def find(self, name: str, read: Callable[[Path], T], said: Callable[[T], str]) -> T:
        """What is kept under a name, read; ``said`` gives the text from which its name was made.

        The same contents under another name will do: the file may have been renamed.
        """
        brought = f"once, with {self.option}=PATH"
        likely = [self.folder / f"{name}{self.suffix}", *sorted(self.folder.glob(f"*{name[-9:]}{self.suffix}"))]
        file = next((file for file in likely if file.is_file()), None)
        if file is None:
            raise BadOption(f"the {self.what} '{name}' is not kept here: name {self.source} {brought}")
        found = read(file)
        if digest(said(found)) != name[-8:]:
            raise BadOption(f"the kept {self.what} {file.stem} was changed: remove it, and name its file {brought}")
        return found

    def keep(self, name: str, text: str) -> None:
        """Write a text down, unless it is kept already."""
        file = self.folder / f"{name}{self.suffix}"
        try:
            if not file.is_file():
                file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(file, text)
        except OSError as why:
            place = f"the {self.what} cannot be kept in {file.parent}"
            raise BadStore(f"{place}: {why.strerror}; set {self._variable}") from None
