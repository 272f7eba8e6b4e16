"""Trainers: what learns from games it plays itself, and writes a file that agents of its game read.

A game names its trainers (``trainers = {"pruner": "module:Class"}``). ``ludens train GAME WHAT`` makes the options of
the command line from the trainer's settings, shows its progress and says in the end what came of it.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ludens.core.error import BrokenGame, MissingExtra

_MODULES = {"scikit-learn": "sklearn"}  # libraries that are imported by another name

Report = Callable[[int, int, str], None]  # done, of how many, what is going on


@dataclasses.dataclass(frozen=True)
class NoSettings:
    """For a trainer without settings."""


class Trainer:
    """Something a game's agents can be taught. The first line of a subclass's docstring is its help."""

    name: ClassVar[str]
    Settings: ClassVar[type] = NoSettings  # a dataclass of `option` fields

    def __init__(self, settings: Any = None) -> None:
        self.settings = self.Settings() if settings is None else settings

    @property
    def file_name(self) -> str:
        """Where the result goes unless somebody names another place."""
        return f"{self.name}.safetensors"

    def train(self, file: Path, report: Report) -> list[str]:
        """Learn, write the file, and say in sentences how well it went and how to use it.

        MissingExtra if a package is missing: before any work. Stopped with Ctrl-C it leaves no file.
        """
        raise BrokenGame(f"{self.name} does not learn: write train")


def library_versions(what: str, names: Sequence[str]) -> str:
    """The versions something is trained with, for the notes of its file; MissingExtra if a library is not there."""
    for name in names:
        try:
            importlib.import_module(_MODULES.get(name, name))
        except ImportError:
            raise MissingExtra(f"training {what} needs {name}: pip install 'ludens[train]'") from None
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("ludens", "numpy", *names))
