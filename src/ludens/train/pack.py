"""``ludens train pack``: a trained agent without what only its training needs, to be kept, shared or shipped.

The copy holds the arrays, the card, the configuration, the log and the learning curve; not the checkpoint. Commands on
the card and in the log name the agent by the copy's folder, so that who gets the copy can play the exam again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludens.core.error import BadOption
from ludens.core.file import shortened, text_of, write_whole
from ludens.learn.model import Model, read, read_card, write
from ludens.train.curve import CURVE
from ludens.train.log import LOG
from ludens.train.plan import CONFIG

_MOST_TEXT = 1 << 26  # bytes of a log
_ABOUT = ("command", "seed", "steps", "seconds", "exam")  # what the card says of another run


def pack(folder: Path, copy: Path, name: str = "", hour: Path | None = None) -> Model:
    """Copy the agent of a run to the folder ``copy``, which must be new or empty; returns the agent.

    ``name`` is what its commands call it, '' for the path of the copy. ``hour`` is the folder of a run of the same
    learner that takes an hour on two cores: its command and exam go on the card too. BadOption if a folder will not do.
    """
    model = read(folder)
    if copy.exists() and (not copy.is_dir() or any(copy.iterdir())):
        raise BadOption(f"{shortened(copy)} is not empty: name another folder")
    if "name" not in model.card:
        raise BadOption(f"{shortened(folder)} has not had its exam at the end: let the run end, or go on with --resume")
    card = {**model.card}
    if hour is not None:
        card["hour"] = _about(folder, hour)
    card = _renamed(card, str(model.card["name"]), name or str(copy))
    write(copy, Model(model.arrays, card))
    for file in (CONFIG, LOG, CURVE):
        if (folder / file).is_file():
            text = text_of(folder / file, _MOST_TEXT, file)
            write_whole(copy / file, text.replace(str(model.card["name"]), name or str(copy)))
    return read(copy)


def _about(folder: Path, hour: Path) -> dict[str, Any]:
    """What the card of ``folder`` says of the run ``hour``, whose agent its commands call DIR.

    BadOption if that is a run of something else.
    """
    ours, other = read_card(folder), read_card(hour)
    same = ("game", "options", "learner")
    if any(ours.get(part) != other.get(part) for part in same) or "name" not in other:
        raise BadOption(f"{shortened(hour)} is no finished run of the same game and learner as {shortened(folder)}")
    other = _renamed(other, str(other["name"]), "DIR")
    return {part: other[part] for part in _ABOUT}


def _renamed(card: Mapping[str, Any], before: str, name: str) -> dict[str, Any]:
    """The card with the agent called ``name`` instead of ``before`` in the commands of its exam."""
    exam = [{**mark, "command": str(mark["command"]).replace(before, name)} for mark in card["exam"]]
    return {**card, "name": name, "exam": exam}
