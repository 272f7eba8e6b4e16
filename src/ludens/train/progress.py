"""How a training run goes, read from its folder: by the terminal's ``ludens train watch`` and by the web app.

The folder of a packed or shipped agent is read too; it may lack the log, and then there is no curve.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludens.core.error import BadOption, BadRecord
from ludens.core.file import shortened
from ludens.core.registry import CARD
from ludens.learn.model import read_card
from ludens.train.curve import Points
from ludens.train.exam import Mark
from ludens.train.log import LOG, exams_of, read_log
from ludens.train.plan import CONFIG, read_toml, table_of


@dataclass(frozen=True)
class Progress:
    """What the folder of a run tells: what is trained, how far it is, and how well the agent plays."""

    game: str
    learner: str
    options: Mapping[str, Any]  # of the game
    seat: str  # the name of the only seat it learns; '' for all
    is_agent: bool  # there is an agent already, which can be played
    is_finished: bool  # the exam at the end is over
    steps: int
    total: int
    unit: str
    seconds: float
    command: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)  # the last ones in the log
    curves: Mapping[str, Points] = field(default_factory=dict)
    final: Sequence[Mark] = ()


def read_progress(folder: Path) -> Progress:
    """What the folder of a run or an agent tells; BadOption or BadRecord, in a sentence, if it is neither."""
    is_run, is_agent = (folder / CONFIG).is_file(), (folder / CARD).is_file()
    if not is_run and not is_agent:
        raise BadOption(f"there is no training run in {shortened(folder)}: name a folder that `ludens train` made")
    card = read_card(folder) if is_agent else {}
    plan = read_toml(folder / CONFIG) if is_run else {}
    settings = table_of(plan, "settings")
    lines = read_log(folder) if (folder / LOG).is_file() else []
    try:
        total = int(float(settings.get("steps") or card.get("of", 0)))
        figures: dict[str, Any] = {}
        for line in lines:
            figures = figures if "exam" in line or "final" in line else line
        return Progress(
            game=str(card.get("game") or plan["game"]),
            learner=str(card.get("learner") or plan.get("learner", "")),
            options=dict(card.get("options") or plan.get("options") or {}),
            seat=str(card.get("seat") or settings.get("seat", "")),
            is_agent=is_agent,
            is_finished="exam" in card,
            steps=min(max((int(line.get("steps", 0)) for line in lines), default=int(card.get("steps", 0))), total),
            total=total,
            unit=str(card.get("unit", "steps")),
            seconds=float(lines[-1].get("seconds", 0) if lines else card.get("seconds", 0)),
            command=str(card.get("command", "")),
            figures={name: float(value) for name, value in figures.items() if name not in ("steps", "seconds")},
            curves=exams_of(lines),
            final=[_mark(mark) for mark in card.get("exam", [])],
        )
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        raise BadRecord(f"the training run in {shortened(folder)} is damaged") from None


def _mark(mark: Mapping[str, Any]) -> Mark:
    """A mark of an exam as a card has it."""
    rate, low, high = (float(mark[part]) for part in ("rate", "low", "high"))
    texts = (str(mark.get(part, "")) for part in ("command", "play", "use"))
    return Mark(str(mark["opponent"]), rate, low, high, int(mark["games"]), *texts)
