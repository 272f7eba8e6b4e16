"""Checks that seed and actions make a game: here again, with the JIT off, with bounds checks on, and as JSON."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludens.core.game import Game, State
from ludens.core.record import Record
from ludens.testing.report import Complaint, Skip, finding
from ludens.testing.sample import Played, Sample

CHILD_SECONDS = 300
Marks = Mapping[str, str]
PLAIN_MOVES = 150  # plain Python is some hundred times slower


def _mark(thing: Any) -> str:
    return hashlib.sha256(thing if isinstance(thing, bytes) else repr(thing).encode()).hexdigest()[:16]


def _marks(state: State) -> dict[str, str]:
    views = b"".join(state.view(seat).array.tobytes() for seat in range(state.game.seats))
    rounded = [round(x, 9) for x in state.returns + state.scores]
    return {
        "state": _mark(state.array.tobytes()),
        "events": _mark(state.history[-1]),
        "legal list": _mark(state.legal),
        "views": _mark(views),
        "results": _mark(rounded),
    }


def trace(game: Game, seed: int, actions: Sequence[int]) -> Iterator[dict[str, str]]:
    """Fingerprints of a game after the deal and after each move."""
    state = game.start(seed)
    yield _marks(state)
    for action in actions:
        yield _marks(state.play(action))


def _compare(played: Played, one: Sequence[Marks], other: Sequence[Marks], how: str) -> Iterator[Complaint]:
    for moves, (here, there) in enumerate(zip(one, other, strict=True)):
        odd = [name for name in here if here[name] != there[name]]
        if odd:
            yield finding(f"{how} the {' and the '.join(odd)} differ", played.seed, tuple(played.actions[:moves]))
            return


def replay(sample: Sample) -> Iterator[Complaint]:
    """The same seed and actions give the same bytes again."""
    for played in sample.played[:10]:
        first = list(trace(sample.game, played.seed, played.actions))
        again = list(trace(sample.game, played.seed, played.actions))
        yield from _compare(played, first, again, "played again,")
        if first[-1]["state"] != _mark(played.states[-1].tobytes()):
            yield finding("played again, the final state differs", played.seed, tuple(played.actions))
            return


def jit_off(sample: Sample) -> Iterator[Complaint]:
    """With the JIT off the same seed and actions give the same bytes."""
    yield from _elsewhere(sample, {"NUMBA_DISABLE_JIT": "1"}, "with the JIT off", PLAIN_MOVES)


def bounds(sample: Sample) -> Iterator[Complaint]:
    """With bounds checks on nothing reads or writes outside an array, and the bytes are the same."""
    yield from _elsewhere(sample, {"NUMBA_BOUNDSCHECK": "1"}, "with bounds checks on", 1 << 30)


def _elsewhere(sample: Sample, env: dict[str, str], how: str, most_moves: int) -> Iterator[Complaint]:
    """Replay a few games in another Python and compare every fingerprint."""
    plans = [{"seed": played.seed, "actions": played.actions[:most_moves]} for played in sample.played[:3]]
    task = {"game": _reference(sample.game), "options": sample.game.option_values(), "plans": plans}
    answer = _ask_child(task, env)
    for played, told in zip(sample.played, answer, strict=False):
        if "error" in told:
            yield finding(f"{how} a replay stops: {told['error']}", played.seed, tuple(played.actions[: told["moves"]]))
            continue
        here = list(trace(sample.game, played.seed, played.actions[:most_moves]))
        yield from _compare(played, here, told["trace"], f"{how},")


def _reference(game: Game) -> str:
    """The text by which another process imports the game: module:Class."""
    text = f"{type(game).__module__}:{type(game).__qualname__}"
    try:
        if find_game(text) is type(game):
            return text
    except (ImportError, AttributeError):
        pass
    raise Skip(f"{text} cannot be imported by another process: put the game into a module")


def find_game(reference: str) -> Any:
    """The class that module:Class names."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def _ask_child(task: dict[str, Any], env: dict[str, str]) -> list[dict[str, Any]]:
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-m", "ludens.testing.child"],
        input=json.dumps(task),
        env={**os.environ, **env, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=CHILD_SECONDS,
        check=False,
    )
    if done.returncode == 0:
        return json.loads(done.stdout)
    last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
    return [{"error": last[0], "moves": 0}]


def records(sample: Sample) -> Iterator[Complaint]:
    """A game's record goes through JSON unchanged and replays to the same state."""
    for played in sample.played[:5]:
        state = sample.game.start(played.seed)
        for action in played.actions:
            state.play(action)
        record = Record.from_json(state.record.to_json())
        where = (played.seed, tuple(played.actions))
        if record != state.record:
            yield finding("the record read back from JSON is another one", *where)
        options = type(sample.game)(**record.options).option_values()
        if options != sample.game.option_values():
            yield finding(f"the record's options {record.options} do not make the same game", *where)
        if record.checksum != state.checksum or record.actions != played.actions:
            yield finding("the record does not hold the game that was played", *where)
