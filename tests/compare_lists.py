"""Every test of the program at 9a49d67 is still there: ``python -m tests.compare_lists``.

``before.txt`` has the ids of that program's tests, ``moved.txt`` says where those that have another name today are
found, a line each: ``OLD => NEW``. ``OLD*`` stands for all ids that begin so; ``NEW*`` then ends as they do. A NEW
without ``*`` is one test, whatever its parameters are.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

__all__ = ["ALL_TESTS", "HERE", "collected", "lost", "rules"]

HERE = Path(__file__).parent
ROOT = HERE.parent
Rule = tuple[str, str]  # OLD and NEW
ALL_TESTS = pytest.StashKey[Iterable[str]]()  # the ids of all tests, where all were collected


def rules(text: str) -> list[Rule]:
    """The lines of the table; empty ones and those that begin with # say nothing."""
    lines = [line.strip() for line in text.splitlines()]
    pairs = [line.partition(" => ") for line in lines if line and not line.startswith("#")]
    return [(old.strip(), new.strip()) for old, _, new in pairs]


def renamed(old: str, table: Iterable[Rule]) -> str:
    """What an id is called today, by the first line that fits."""
    for pattern, new in table:
        begin = pattern.removesuffix("*")
        if old == pattern or (begin != pattern and old.startswith(begin)):
            return new.removesuffix("*") + (old.removeprefix(begin) if new.endswith("*") else "")
    return old


def lost(before: Iterable[str], present: Iterable[str], table: list[Rule]) -> list[str]:
    """The tests of before that are not among the present ones."""
    ids = set(present)
    known = ids | {id.partition("[")[0] for id in ids}
    return [old for old in before if renamed(old, table) not in known]


def collected() -> list[str]:
    """The ids of all tests there are, asked of pytest."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "-n0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the tests cannot be listed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return [line for line in done.stdout.splitlines() if "::" in line]


def lost_of(present: Iterable[str]) -> list[str]:
    """The same of the files beside this one."""
    before = (HERE / "before.txt").read_text(encoding="utf-8").splitlines()
    return lost(before, present, rules((HERE / "moved.txt").read_text(encoding="utf-8")))


def main() -> int:
    """Print what is missing; the exit status says whether something is."""
    present = collected()
    missing = lost_of(present)
    print(*missing, f"{len(present)} tests, {len(missing)} of before are missing", sep="\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
