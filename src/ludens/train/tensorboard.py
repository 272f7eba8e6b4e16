"""Events for TensorBoard, made from a run's log; needs the package tensorboardX."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from ludens.core.error import MissingExtra
from ludens.train.log import read_log


def must_have_tensorboard() -> None:
    """Raise MissingExtra, with the line that installs it, unless events can be written."""
    if importlib.util.find_spec("tensorboardX") is None:
        raise MissingExtra("events for TensorBoard need tensorboardX: pip install tensorboardX")


def write_events(folder: Path) -> Path:
    """Write the figures and exams of a run's log as events into its folder ``events``, which is returned."""
    must_have_tensorboard()
    from tensorboardX import SummaryWriter

    for old in (folder / "events").glob("events.*"):
        old.unlink()
    with SummaryWriter(str(folder / "events")) as writer:
        for line in read_log(folder):
            for mark in line.get("exam", []):
                writer.add_scalar(f"exam/{mark['opponent']}", mark["rate"], line["steps"])
            for name, value in line.items():
                if isinstance(value, float) and name != "seconds":
                    writer.add_scalar(f"learning/{name}", value, line["steps"])
    return folder / "events"
