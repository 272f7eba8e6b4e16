"""``ludens train watch``: the learning curve of a run, live, in the terminal. In the browser: `ludens.web.training`."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ludens.train.curve import curve_text, short_number
from ludens.train.progress import read_progress

_EVERY = 2.0  # seconds between two looks at the log


def run_text(folder: Path) -> str:
    """A run as text: its learning curve, the last figures of its log, and the exam at its end.

    BadOption if the folder holds no run.
    """
    run = read_progress(folder)
    head = f"{folder}: {short_number(run.steps)} of {short_number(run.total)} {run.unit} after {run.seconds:.0f} s"
    curve = curve_text(run.curves, run.total, run.unit) if run.curves else "no exam yet"
    figures = "  ".join(f"{name} {short_number(value)}" for name, value in run.figures.items())
    final = ["exam at the end, on other deals:", *(f"  {mark.text()}" for mark in run.final)] if run.final else []
    return "\n".join([head, curve, figures, *final])


def watch_here(folder: Path, *, once: bool) -> None:
    """Show a run in the terminal until Ctrl-C; ``once``: only as it is now."""
    console = Console(highlight=False)
    text = run_text(folder)
    if once or not console.is_terminal:
        console.print(Text(text))
        return
    with Live(Text(text), console=console, refresh_per_second=4) as live:
        try:
            while True:
                time.sleep(_EVERY)
                live.update(Text(run_text(folder)))
        except KeyboardInterrupt:
            return
