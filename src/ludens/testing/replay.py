"""Checks that seed and actions determine a game: replayed here, with the JIT off, with bounds checks, and from JSON."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ludens.core.game import Game
from ludens.core.record import Record
from ludens.core.state import State
from ludens.testing.report import Breach, Skip
from ludens.testing.sample import Played, Sample

CHILD_SECONDS = 300  # before a child process that does not answer is killed
Marks = Mapping[str, str]  # part of a position -> fingerprint
Details = Callable[[Sequence[int]], Marks]  # actions -> fingerprints of the position after them, as `details`
PLAIN_MOVES = 150  # moves replayed in plain Python, which is some hundred times slower


def _fingerprint(thing: bytes) -> str:
    """A short hash of some bytes: 16 hexadecimal digits."""
    return hashlib.sha256(thing).hexdigest()[:16]


def _parts(state: State) -> dict[str, bytes]:
    """All that is compared of a position, as bytes by name: state, events, legal list, views, results."""
    rounded = [round(x, 9) for x in state.returns + state.scores]
    return {
        "state": state.array.tobytes(),
        "events": repr(state.history[-1]).encode(),
        "legal list": repr(state.legal).encode(),
        "views": b"".join(state.view(seat).array.tobytes() for seat in range(state.game.rules.seats)),
        "results": repr(rounded).encode(),
    }


def trace(game: Game, seed: int, actions: Sequence[int]) -> Iterator[str]:
    """Play a game from its seed; yields a fingerprint of the position after the deal and after each action."""
    state = game.start(seed)
    yield _fingerprint(b"|".join(_parts(state).values()))
    for action in actions:
        yield _fingerprint(b"|".join(_parts(state.play(action)).values()))


def details(game: Game, seed: int, actions: Sequence[int]) -> dict[str, str]:
    """Play a game from its seed; returns fingerprints of the final position by part (state, events, views, ...)."""
    state = game.start(seed)
    for action in actions:
        state.play(action)
    return {name: _fingerprint(part) for name, part in _parts(state).items()}


def _compare(game: Game, played: Played, other: Sequence[str], there: Details, how: str) -> Iterator[Breach]:
    """Yield a breach if the fingerprints of a game made elsewhere (``other``) differ from those made here.

    ``there`` returns the other side's `details` after some actions, to name the part that differs; ``how`` begins the
    sentence, as in "with the JIT off,".
    """
    for moves, (here, told) in enumerate(zip(trace(game, played.seed, played.actions), other, strict=True)):
        if here != told:
            actions = played.actions[:moves]
            mine, others = details(game, played.seed, actions), there(actions)
            odd = [name for name in mine if mine[name] != others.get(name)] or ["fingerprint"]
            yield played.says(f"{how} the {' and the '.join(odd)} differ", moves)
            return


def replay(sample: Sample) -> Iterator[Breach]:
    """The same seed and actions give the same bytes again.

    A check: yields a breach for each case where this fails.
    """
    game = sample.game
    for played in sample.played[:10]:
        again = list(trace(game, played.seed, played.actions))
        yield from _compare(game, played, again, partial(details, game, played.seed), "played again,")
        if details(game, played.seed, played.actions)["state"] != _fingerprint(played.states[-1].tobytes()):
            yield played.says("played again, the final state differs")
            return


def jit_off(sample: Sample) -> Iterator[Breach]:
    """With the JIT off, the same seed and actions give the same bytes.

    A check: yields a breach for each case where this fails. Skipped if no other process can import the game.
    """
    yield from _in_another_python(sample, {"NUMBA_DISABLE_JIT": "1"}, "with the JIT off", PLAIN_MOVES)


def bounds(sample: Sample) -> Iterator[Breach]:
    """With bounds checks on, nothing reads or writes outside an array, and the bytes are the same.

    A check: yields a breach for each case where this fails. Skipped if no other process can import the game.
    """
    yield from _in_another_python(sample, {"NUMBA_BOUNDSCHECK": "1"}, "with bounds checks on", 1 << 30)


def _in_another_python(sample: Sample, env: dict[str, str], how: str, most_moves: int) -> Iterator[Breach]:
    """Replay three games in a process with the environment variables ``env``; yields breaches where they differ.

    At most ``most_moves`` moves of each; ``how`` begins the sentences, as in "with the JIT off".
    """
    game = sample.game
    ask = partial(_ask_child, {"game": _reference(game), "options": game.rules.option_values()}, env)
    short = [dataclasses.replace(played, actions=played.actions[:most_moves]) for played in sample.played[:3]]
    for played, told in zip(short, ask("traces", [(one.seed, one.actions) for one in short]), strict=False):
        if "error" in told:
            yield played.says(f"{how} a replay stops: {told['error']}", told["moves"])
            continue

        def there(actions: Sequence[int], seed: int = played.seed) -> Marks:
            """What the other process finds after these actions: its `details`."""
            return ask("details", [(seed, actions)])[0]

        yield from _compare(game, played, told["trace"], there, f"{how},")


def _reference(game: Game) -> str:
    """The text ``module:Class`` by which another process can import the game; raises Skip if none can."""
    text = f"{type(game).__module__}:{type(game).__qualname__}"
    try:
        if find_game(text) is type(game):
            return text
    except (ImportError, AttributeError):
        pass
    raise Skip(f"{text} cannot be imported by another process: put the game into a module")


def find_game(reference: str) -> Any:
    """Import the game class that ``module:Class`` names."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


class _Child:
    """Another Python process, which replays games: one line of JSON in, one line out."""

    def __init__(self, env: dict[str, str]) -> None:
        """Start the process, with these variables added to the environment."""
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  (standard error; open as long as the process runs)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludens.testing.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env={**os.environ, **env},
            text=True,
        )

    def ask(self, task: dict[str, Any]) -> list[dict[str, Any]] | None:
        """Send a task and wait for the answer; None if the process died or took longer than `CHILD_SECONDS`."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        timer = threading.Timer(CHILD_SECONDS, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(task) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except OSError:
            answer = ""
        finally:
            timer.cancel()
        return json.loads(answer) if answer else None

    def error_text(self) -> str:
        """The last line the process wrote to standard error, or its exit status. Ends the process."""
        self.process.kill()
        code = self.process.wait()
        self.errors.seek(0)
        return (self.errors.read().strip().splitlines() or [f"exit status {code}"])[-1]


@functools.cache
def _child(**env: str) -> _Child:
    """The child process for these environment variables; shared by all games, since it starts slowly."""
    return _Child(env)


def _ask_child(
    game: dict[str, Any], env: dict[str, str], kind: str, plans: Sequence[tuple[int, Sequence[int]]]
) -> list[dict[str, Any]]:
    """Ask the child process with environment ``env`` to replay games; returns an entry for each of ``plans``.

    A plan is (seed, actions), ``game`` names the class and its options, ``kind`` is 'traces' or 'details'. If the
    process fails there is only one entry, with an error.
    """
    child = _child(PYTHONPATH=os.pathsep.join(filter(None, sys.path)), **env)
    answer = child.ask({**game, "kind": kind, "plans": plans})
    if answer is not None:
        return answer
    _child.cache_clear()
    return [{"error": child.error_text(), "moves": 0}]


def records(sample: Sample) -> Iterator[Breach]:
    """A game's record can be written as JSON, read back and replayed to the same state.

    A check: yields a breach for each case where this fails.
    """
    for played in sample.played[:5]:
        state = sample.game.start(played.seed)
        for action in played.actions:
            state.play(action)
        record = Record.from_json(state.record.to_json())
        if record != state.record:
            yield played.says("the record read back from JSON is different")
        options = type(sample.game)(**record.options).rules.option_values()
        if options != sample.game.rules.option_values():
            yield played.says(f"the record's options {record.options} do not make the same game")
        if record.checksum != state.checksum or record.actions != played.actions:
            yield played.says("the record does not hold the game that was played")
