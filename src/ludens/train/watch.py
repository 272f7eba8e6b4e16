"""``ludens train watch``: the learning curve of a run, live, in the terminal or in the browser."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ludens.core.error import BadOption
from ludens.core.file import shortened
from ludens.train.curve import curve_text, short_number
from ludens.train.log import LOG, exams_of, read_log
from ludens.train.plan import CONFIG, read_toml, table_of

_EVERY = 2.0  # seconds between two looks at the log


def run_text(folder: Path) -> str:
    """A run as text: its learning curve, and the last figures of its log. BadOption if the folder holds no run."""
    if not (folder / CONFIG).is_file() or not (folder / LOG).is_file():
        raise BadOption(f"there is no training run in {shortened(folder)}: name a folder that `ludens train` made")
    total = int(float(table_of(read_toml(folder / CONFIG), "settings").get("steps", "0")))
    lines = read_log(folder)
    curves = exams_of(lines)
    figures: dict[str, Any] = next((line for line in reversed(lines) if "exam" not in line and "final" not in line), {})
    steps = max((int(line.get("steps", 0)) for line in lines), default=0)
    words = [
        f"{name} {short_number(float(value))}" for name, value in figures.items() if name not in ("steps", "seconds")
    ]
    head = f"{folder}: {short_number(steps)} of {short_number(total)} steps after {figures.get('seconds', 0):.0f} s"
    return "\n".join([head, curve_text(curves, total, "steps") if curves else "no exam yet", "  ".join(words)])


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
