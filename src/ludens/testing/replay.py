"""Checks that seed and actions make a game: here again, with the JIT off, with bounds checks on, and as JSON."""

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

CHILD_SECONDS = 300
Marks = Mapping[str, str]
Details = Callable[[Sequence[int]], Marks]  # actions -> fingerprints of all that can be asked of the position
PLAIN_MOVES = 150  # plain Python is some hundred times slower


def _mark(thing: bytes) -> str:
    return hashlib.sha256(thing).hexdigest()[:16]


def _parts(state: State) -> dict[str, bytes]:
    rounded = [round(x, 9) for x in state.returns + state.scores]
    return {
        "state": state.array.tobytes(),
        "events": repr(state.history[-1]).encode(),
        "legal list": repr(state.legal).encode(),
        "views": b"".join(state.view(seat).array.tobytes() for seat in range(state.game.rules.seats)),
        "results": repr(rounded).encode(),
    }


def trace(game: Game, seed: int, actions: Sequence[int]) -> Iterator[str]:
    """A fingerprint of a game after the deal and after each move."""
    state = game.start(seed)
    yield _mark(b"|".join(_parts(state).values()))
    for action in actions:
        yield _mark(b"|".join(_parts(state.play(action)).values()))


def details(game: Game, seed: int, actions: Sequence[int]) -> dict[str, str]:
    """Fingerprints of all that can be asked of the position after the actions, one by one."""
    state = game.start(seed)
    for action in actions:
        state.play(action)
    return {name: _mark(part) for name, part in _parts(state).items()}


def _compare(game: Game, played: Played, other: Sequence[str], there: Details, how: str) -> Iterator[Breach]:
    """Whether another trace of a game is the one made here; ``there`` tells more of a position that is not."""
    for moves, (here, told) in enumerate(zip(trace(game, played.seed, played.actions), other, strict=True)):
        if here != told:
            actions = played.actions[:moves]
            mine, others = details(game, played.seed, actions), there(actions)
            odd = [name for name in mine if mine[name] != others.get(name)] or ["fingerprint"]
            yield played.says(f"{how} the {' and the '.join(odd)} differ", moves)
            return


def replay(sample: Sample) -> Iterator[Breach]:
    """The same seed and actions give the same bytes again."""
    game = sample.game
    for played in sample.played[:10]:
        again = list(trace(game, played.seed, played.actions))
        yield from _compare(game, played, again, partial(details, game, played.seed), "played again,")
        if details(game, played.seed, played.actions)["state"] != _mark(played.states[-1].tobytes()):
            yield played.says("played again, the final state differs")
            return


def jit_off(sample: Sample) -> Iterator[Breach]:
    """With the JIT off the same seed and actions give the same bytes."""
    yield from _elsewhere(sample, {"NUMBA_DISABLE_JIT": "1"}, "with the JIT off", PLAIN_MOVES)


def bounds(sample: Sample) -> Iterator[Breach]:
    """With bounds checks on nothing reads or writes outside an array, and the bytes are the same."""
    yield from _elsewhere(sample, {"NUMBA_BOUNDSCHECK": "1"}, "with bounds checks on", 1 << 30)


def _elsewhere(sample: Sample, env: dict[str, str], how: str, most_moves: int) -> Iterator[Breach]:
    """Replay a few games in another Python and compare every fingerprint."""
    game = sample.game
    ask = partial(_ask_child, {"game": _reference(game), "options": game.rules.option_values()}, env)
    short = [dataclasses.replace(played, actions=played.actions[:most_moves]) for played in sample.played[:3]]
    for played, told in zip(short, ask("traces", [(one.seed, one.actions) for one in short]), strict=False):
        if "error" in told:
            yield played.says(f"{how} a replay stops: {told['error']}", told["moves"])
            continue

        def there(actions: Sequence[int], seed: int = played.seed) -> Marks:
            return ask("details", [(seed, actions)])[0]

        yield from _compare(game, played, told["trace"], there, f"{how},")


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


class _Child:
    """Another Python, which answers questions about any game, a line each."""

    def __init__(self, env: dict[str, str]) -> None:
        self.words = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  (standard error, as long as it lives)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludens.testing.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.words,
            env={**os.environ, **env},
            text=True,
        )

    def ask(self, task: dict[str, Any]) -> list[dict[str, Any]] | None:
        """Its answer; None where it died or took too long."""
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

    def last_words(self) -> str:
        """How it ended."""
        self.process.kill()
        code = self.process.wait()
        self.words.seek(0)
        return (self.words.read().strip().splitlines() or [f"exit status {code}"])[-1]


@functools.cache
def _child(**env: str) -> _Child:
    """One child for all games: to start it and to load Numba takes longer than most answers."""
    return _Child(env)


def _ask_child(
    game: dict[str, Any], env: dict[str, str], kind: str, plans: Sequence[tuple[int, Sequence[int]]]
) -> list[dict[str, Any]]:
    child = _child(PYTHONPATH=os.pathsep.join(filter(None, sys.path)), **env)
    answer = child.ask({**game, "kind": kind, "plans": plans})
    if answer is not None:
        return answer
    _child.cache_clear()
    return [{"error": child.last_words(), "moves": 0}]


def records(sample: Sample) -> Iterator[Breach]:
    """A game's record goes through JSON unchanged and replays to the same state."""
    for played in sample.played[:5]:
        state = sample.game.start(played.seed)
        for action in played.actions:
            state.play(action)
        record = Record.from_json(state.record.to_json())
        if record != state.record:
            yield played.says("the record read back from JSON is another one")
        options = type(sample.game)(**record.options).rules.option_values()
        if options != sample.game.rules.option_values():
            yield played.says(f"the record's options {record.options} do not make the same game")
        if record.checksum != state.checksum or record.actions != played.actions:
            yield played.says("the record does not hold the game that was played")
