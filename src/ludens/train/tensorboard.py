"""Events for TensorBoard, made from a run's log; needs the package tensorboardX."""

from __future__ import annotations

from pathlib import Path

from ludens.core.error import MissingExtra
from ludens.train.log import read_log


def write_events(folder: Path) -> Path:
    """Write the figures and exams of a run's log as events into its folder ``events``, which is returned.

    MissingExtra, with the line that installs it, if tensorboardX is not installed.
    """
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        raise MissingExtra("events for TensorBoard need tensorboardX: pip install tensorboardX") from None
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
