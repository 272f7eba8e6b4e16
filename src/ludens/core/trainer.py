"""Trainers: programs that learn, from games they play themselves, and write a file that agents of the game read.

A game names its trainers in its roster (``trainers = {"pruner": "module:Class"}``). ``ludens train GAME NAME`` takes
its command-line options from the trainer's settings, shows progress, and prints the result.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ludens.core.error import BrokenGame, MissingExtra

_MODULES = {"scikit-learn": "sklearn"}  # libraries whose module has another name

Report = Callable[[int, int, str], None]  # steps done, steps in all, what is being done


@dataclasses.dataclass(frozen=True)
class NoSettings:
    """The settings class of a trainer without settings."""


class Trainer:
    """The base of all trainers. The first line of a subclass's docstring is its help text."""

    name: ClassVar[str]
    Settings: ClassVar[type] = NoSettings  # a dataclass of `option` fields

    def __init__(self, settings: Any = None) -> None:
        """Make the trainer; ``settings`` None means the defaults."""
        self.settings = self.Settings() if settings is None else settings

    @property
    def file_name(self) -> str:
        """The name of the file to write if the user gives none."""
        return f"{self.name}.safetensors"

    def train(self, file: Path, report: Report) -> list[str]:
        """Learn and write ``file``; return sentences for people on how well it went and how to use the file.

        ``report(done, total, text)`` is called with the progress. Raises MissingExtra before any work if a package is
        missing. If stopped with Ctrl-C it leaves no file.
        """
        raise BrokenGame(f"{self.name} cannot train: write the method train")


def library_versions(what: str, names: Sequence[str]) -> str:
    """The versions of ludens, NumPy and these libraries as text, for the notes of a trained file.

    MissingExtra, which says that training ``what`` needs it, if a library cannot be imported.
    """
    for name in names:
        try:
            importlib.import_module(_MODULES.get(name, name))
        except ImportError:
            raise MissingExtra(f"training {what} needs {name}: pip install 'ludens[train]'") from None
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("ludens", "numpy", *names))
