"""What all commands share: the terminal, a progress bar on it, and a look at where a result will go."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludens.core.error import BadOption

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["must_be_writable", "progress", "terminal"]


def terminal(stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


@contextmanager
def progress(title: str) -> Iterator[Any]:
    """A progress bar on the terminal's error stream."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def tell(done: int, total: int, words: str = "") -> None:
            bar.update(task, completed=done, total=total, description=words or title)

        yield tell


def must_be_writable(file: Path | None) -> None:
    """Before hours of play, not after them."""
    if file is None or str(file) == "-":
        return
    if not file.absolute().parent.is_dir():
        raise BadOption(f"cannot write {file}: there is no folder {file.absolute().parent}")
    if file.is_dir():
        raise BadOption(f"cannot write {file}: it is a folder; name a file in it")
    if not os.access(file if file.exists() else file.absolute().parent, os.W_OK):
        raise BadOption(f"cannot write {file}: you may not write there; name another place")
