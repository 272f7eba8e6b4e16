"""Writes the fixtures of this folder.

Meetings depend on the dice of agents and on the rules. Where one of these has another version, and for no other reason,
write them anew: ``python -m tests.present.make tests/present arena``. Records and the store pin what ludens wrote at
commit 9a49d67; run it there and nowhere later:

    git worktree add ../ludens-9a49d67 9a49d67     and install it (make test does)
    cp tests/present/{__init__,plans,make}.py ../ludens-9a49d67/tests/present/
    cd ../ludens-9a49d67 && python -m tests.present.make FOLDER

``plans.py`` says what is played; the tests play it again with the program as it is. Games whose rules have got a new
version since have records of that version beside the old ones (``hearthstone-2``): `write_records` wrote these with the
first program that played by them.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.present.plans import RECORDS, Meeting, digest, meetings, play_record
from tests.web.client import site

import ludens
from ludens.arena.store import Store
from ludens.arena.tournament import Interrupted
from ludens.core.registry import game_class


def write_records(folder: Path, names: Sequence[str] = RECORDS) -> None:
    """Games over every option set, as lines of JSON."""
    for name in names:
        rules = game_class(name).Rules
        sets = rules.option_sets
        lines = [play_record(name, dict(sets[i % len(sets)]), i).to_json() for i in range(50)]
        file = folder / f"{name}{f'-{rules.version}' if rules.version > 1 else ''}.jsonl.gz"
        file.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


def play(meeting: Meeting, store: Path) -> dict[str, Any]:
    """A meeting's result, and its games one by one."""
    game = ludens.game(meeting.game, **meeting.options)
    result = ludens.arena(game, list(meeting.specs), games=meeting.games, seed=meeting.seed, store=store)
    rows = [digest(row) for row in Store(store).games(result.run)]
    told = result.to_json()
    for name in ("seconds", "compile_s", "run", "versions"):
        del told[name]
    for agent in told["agents"]:
        del agent["ms_per_move"]
    return {"result": told, "games": rows}


def write_arena(folder: Path) -> None:
    """What every meeting gave: a file a game, a line a meeting."""
    lines: dict[str, list[str]] = {name: [] for name in RECORDS}
    with tempfile.TemporaryDirectory() as place:
        for meeting in meetings():
            print(meeting.name, flush=True)
            told = {"name": meeting.name, **play(meeting, Path(place) / "s.db")}
            lines[meeting.game].append(json.dumps(told, separators=(",", ":")) + "\n")
    for name, texts in lines.items():
        (folder / f"{name}.jsonl").write_text("".join(texts), encoding="utf-8")


def write_store(file: Path) -> None:
    """A store with a finished run, an unfinished one, and an open table of each game, as SQL."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "s.db"
        ludens.arena("azul", ["heuristic", "naive", "random"], games=6, seed=5, store=path)
        ludens.arena("liars-dice", ["sarsa", "q"], games=40, seed=5, repeats=3, store=path)

        def stop(done: int, total: int, words: str) -> None:
            if done > total // 2:
                raise KeyboardInterrupt

        game = ludens.game("pursuit", board="square1", detectives=2)
        try:
            ludens.arena(game, ["mcts:sims=30", "nearest"], games=20, seed=5, store=path, progress=stop)
        except Interrupted as why:
            print(why)
        with site(path) as web:
            for name in RECORDS:
                game = ludens.game(name)
                id = web.open(name, ["", *["random"] * (game.rules.seats - 1)])
                with web.page(id) as page:
                    for _ in range(5):
                        if not page.position["over"]:
                            page.move()
        with sqlite3.connect(path) as base:
            file.write_text("\n".join(base.iterdump()) + "\n", encoding="utf-8")


def write_bench(file: Path) -> None:
    """How fast the games ran, on whatever machine this is run."""
    told = subprocess.run([sys.executable, "-m", "ludens", "bench", "--json"], check=True, capture_output=True)
    file.write_bytes(told.stdout)


def main() -> None:
    folder, wanted = Path(sys.argv[1]), sys.argv[2:] or ["records", "arena", "store", "bench"]
    for part in ("records", "arena"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    if "records" in wanted:
        write_records(folder / "records")
    if "store" in wanted:
        write_store(folder / "store.sql")
    if "arena" in wanted:
        write_arena(folder / "arena")
    if "bench" in wanted:
        write_bench(folder / "bench.json")


if __name__ == "__main__":
    main()
