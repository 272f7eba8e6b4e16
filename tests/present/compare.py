"""Plays the meetings of the fixtures again and says which games differ: python -m tests.present.compare [WORD ...].

Only meetings whose names hold all of the words are played. The tables of the results are compared, too.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.present.make import play
from tests.present.plans import Meeting, meetings

FOLDER = Path(__file__).parent


def kept(game: str) -> dict[str, dict[str, Any]]:
    """What the old program wrote about the meetings of a game, by their names."""
    lines = (FOLDER / "arena" / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    return {told["name"]: told for told in map(json.loads, lines)}


def differences(meeting: Meeting, old: dict[str, Any], store: Path) -> Iterator[str]:
    """What is otherwise now, one line for each game or table."""
    new = json.loads(json.dumps(play(meeting, store)))
    for one, other in zip(old["games"], new["games"], strict=True):
        if one != other:
            yield f"game {one[0]}: {one} became {other}"
    for table in old["result"]:
        if not is_same(old["result"][table], new["result"].get(table)):
            yield f"{table}: {old['result'][table]} became {new['result'].get(table)}"


def is_same(old: Any, new: Any) -> bool:
    """Whether two JSON values are equal; of fractions the last digits may differ, as NumPy's sums do by processor."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(is_same(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(is_same, old, new))
    if isinstance(old, float) and isinstance(new, float):
        return math.isclose(old, new, rel_tol=1e-9)
    return bool(old == new)


def main() -> None:
    wanted, count, wrong, begun = sys.argv[1:], 0, 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for meeting in meetings():
            if not all(word in meeting.name for word in wanted):
                continue
            found = list(differences(meeting, kept(meeting.game)[meeting.name], Path(folder) / "s.db"))
            count, wrong = count + 1, wrong + bool(found)
            print(
                f"{'differs' if found else 'same'}: {meeting.name}", *(line[:300] for line in found[:3]), sep="\n    "
            )
    print(f"{count} meetings played again, {wrong} of them otherwise, {time.perf_counter() - begun:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
