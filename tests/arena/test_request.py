"""What is asked of the arena: named once, checked by itself, stored as it always was."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ludens.arena.archive import run_result
from ludens.arena.request import Request, ask
from ludens.arena.schedule import learning_pairings, make_schedule
from ludens.arena.store import Store
from ludens.arena.tournament import arena
from ludens.core.error import BadOption
from ludens.core.registry import make_game

AZUL, DICE = make_game("azul"), make_game("liars-dice")
PRESENT = Path(__file__).parent.parent / "present" / "store.sql"


@pytest.fixture
def present(tmp_path: Path) -> Store:
    """A store as it was written before requests were a class."""
    with sqlite3.connect(tmp_path / "present.db") as base:
        base.executescript(PRESENT.read_text(encoding="utf-8"))
    base.close()
    return Store(tmp_path / "present.db")


def test_texts_and_values_ask_for_the_same() -> None:
    typed = ask(AZUL, ["mcts"], {"games": "7", "seed": 3, "pool": "a,b:x=1,y=2,c", "size": None, "clock": "10"})
    assert typed == ask(AZUL, ("mcts",), {"games": 7, "seed": 3, "pool": ["a", "b:x=1,y=2", "c"], "clock": "10+0"})
    assert ask(AZUL, ["a", "b"], {"sprt": "0,10"}).sprt == ask(AZUL, ["a", "b"], {"sprt": [0, 10]}).sprt == (0.0, 10.0)
    assert ask(AZUL, [], {}).seed != ask(AZUL, [], {}).seed


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"gmes": 3}, "the arena has no option 'gmes' (did you mean 'games'?)"),
        ({"specs": ["a"]}, "the arena has no option 'specs'"),
        ({"games": "ten"}, "games=ten is not possible; games takes a whole number"),
        ({"games": 1.5}, "games=1.5 is not possible"),
        ({"games": 10**8}, "at most 10,000,000 games"),
        ({"repeats": 0}, "repeats=0 is not possible: ask for at least 1"),
        ({"move_limit": float("nan")}, "move_limit=nan is not possible"),
        ({"format": "swiss"}, "it is 'pairs' or 'table'"),
        ({"gauntlet": "perhaps"}, "gauntlet takes yes or no"),
        ({"sprt": (10, 0)}, "the smaller first, not 10,0"),
        ({"sprt": "x"}, "ELO0,ELO1"),
        ({"sprt": 5}, "ELO0,ELO1"),
        ({"clock": "fast"}, "is no clock"),
        ({"size": 2}, "size goes with a pool"),
        ({"seed": 2**64}, "2**64"),
    ],
)
def test_what_cannot_be_asked_is_told_in_a_sentence(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption) as caught:
        ask(AZUL, ["random", "random"], asked)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_specs_are_a_list_of_texts() -> None:
    for specs in ("random", [1]):
        with pytest.raises(BadOption, match="specs must be a list of texts"):
            ask(AZUL, specs, {})  # type: ignore[arg-type]


def test_a_stored_request_reads_back(present: Store, tmp_path: Path) -> None:
    asked = ask(AZUL, ["heuristic"], {"pool": "naive,random", "games": 6, "sprt": (0, 5)})
    assert Request.from_json(json.loads(json.dumps(asked.to_json()))) == asked
    arena(AZUL, ["heuristic", "naive", "random"], games=6, seed=5, store=tmp_path / "new.db")
    columns = "game, options, request, seed FROM runs WHERE game='azul'"
    old, new = (store.select(f"SELECT {columns}")[0] for store in (present, Store(tmp_path / "new.db")))
    before, now = json.loads(old[2]), json.loads(new[2])
    assert now == {**now, **before}
    assert [name for name in now if name in before] == list(before)
    assert now.keys() - before.keys() == {"cage", "key"}  # with their defaults, which an older request gets too
    assert [old[0], json.loads(old[1]), old[3]] == [new[0], json.loads(new[1]), new[3]]


def test_runs_of_an_older_store_are_read_but_not_continued_with_other_dice(present: Store) -> None:
    runs = {run.game: run for run in present.runs()}
    assert runs["azul"].request.specs == ("heuristic", "naive", "random")
    assert (runs["liars-dice"].request.repeats, runs["liars-dice"].request.seed) == (3, 5)
    assert runs["pursuit"].status == "running"
    done = len(list(present.games(runs["pursuit"].id)))
    assert 0 < done < 20
    with pytest.raises(BadOption, match=r"was begun with ludens 0\.1\.0 \(rules 1, dice 1; now rules 1, dice 2\)"):
        arena(resume=runs["pursuit"].id, store=present.path)


@pytest.mark.parametrize(
    ("spec", "learns"),
    [
        ("sarsa", True),
        ("q:learn=no", False),
        ("exploiter", True),
        ("exploiter:learn=no", False),
        ("./no-such.py", False),
    ],
)
def test_who_learns_is_known_before_anybody_is_made(spec: str, learns: bool) -> None:
    schedule = make_schedule(DICE, ask(DICE, [spec, "honest"], {"games": 2}))
    assert learning_pairings(DICE, schedule) == [learns]


def test_a_stored_learning_run_has_the_arena_s_intervals(present: Store, tmp_path: Path) -> None:
    """Runs of a learner are the unit, not its games."""
    played = arena(DICE, ["sarsa", "q"], games=40, seed=5, repeats=3, store=tmp_path / "s.db")
    again = run_result(Store(tmp_path / "s.db"), played.run).to_json()
    told = played.to_json() | {"seconds": 0.0, "compile_s": 0.0}
    assert again == told
    old = run_result(present, next(run.id for run in present.runs() if run.game == "liars-dice"))
    assert [agent.ci95 for agent in old.agents] == [[0.4, 0.625], [0.375, 0.6]]
    alone = arena(DICE, ["sarsa", "q"], games=10, seed=5, store=tmp_path / "s.db")
    assert run_result(Store(tmp_path / "s.db"), alone.run).notes == alone.notes
