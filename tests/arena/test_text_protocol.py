"""The text protocol: what ludens sends, what it accepts, and programs that speak it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ludens.arena import child, protocol
from ludens.arena.child import ChildAgent
from ludens.arena.request import ask
from ludens.arena.schedule import make_schedule
from ludens.arena.tournament import arena
from ludens.core.error import AgentFailure, BadBot, IllegalAction
from ludens.core.registry import make_agent, make_game

KUHN = make_game("kuhn")
VIEW = KUHN.start(seed=1).view()
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PYTHON = f"cmd:{sys.executable} {EXAMPLES / 'first_move.py'}"


def test_hello_says_what_is_played() -> None:
    message = json.loads(protocol.line_of(protocol.hello(make_game("azul", players=3), 10.0)))
    assert message["type"] == "hello"
    assert (message["protocol"], message["game"], message["options"]["players"]) == (1, "azul", 3)
    assert message["seats"] == ["1", "2", "3"]
    assert message["limits"] == {"seconds_per_move": 10.0, "line_bytes": protocol.LONGEST_LINE}


@pytest.mark.parametrize("name", ["kuhn", "azul", "liars-dice"])
def test_a_view_has_the_fields_of_the_record_and_the_moves(name: str) -> None:
    view = make_game(name).start(seed=1).view()
    message = json.loads(protocol.line_of(protocol.view_message(view, 7, 2.5, "fields")))
    assert (message["game"], message["seat"], message["seconds_left"]) == (7, view.seat, 2.5)
    assert list(message["fields"]) == list(view.raw.dtype.names)
    assert {move["text"]: move["action"] for move in message["moves"]} == view.moves()
    assert int(message["fields"]["rng"]) == int(view.raw.rng)


def test_a_view_as_a_record_is_its_bytes() -> None:
    message = protocol.view_message(VIEW, 1, None, "record")
    assert base64.b64decode(message["record"]) == VIEW.array.tobytes()
    assert "moves" not in message


def test_arrays_become_plain_json() -> None:
    kind = np.dtype([("big", np.uint64, 2), ("share", np.float64, 3), ("piece", [("x", np.uint8)], 2)])
    values = np.zeros(1, kind)
    values["big"], values["share"] = 2**64 - 1, [0.5, np.inf, np.nan]
    plain = protocol._plain(values)[0]
    assert plain == {"big": [str(2**64 - 1)] * 2, "share": [0.5, None, None], "piece": [{"x": 0}, {"x": 0}]}
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_a_line_is_read_up_to_its_limit() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb", buffering=0) as pipe, open(writing, "wb", buffering=0) as engine:  # noqa: PTH123
        engine.write(b"x" * 10_000)
        assert len(protocol.read_line(pipe)) == protocol.LONGEST_LINE + 1
        assert len(protocol.read_line(pipe)) == protocol.LONGEST_LINE + 1
        engine.write(b"y\none\n")
        assert protocol.read_line(pipe).endswith(b"xy\none\n")
        engine.write(b"the end")
        engine.close()
        assert (protocol.read_line(pipe), protocol.read_line(pipe)) == (b"the end", b"")


def test_a_move_is_a_number_or_a_text() -> None:
    assert protocol.read_move(b'{"type":"move","action":1}\n', VIEW) == 1
    assert protocol.read_move(b'{"type":"move","text":"bet"}\n', VIEW) == VIEW.moves()["bet"]
    with pytest.raises(IllegalAction, match="fly"):
        protocol.read_move(b'{"type":"move","text":"fly"}\n', VIEW)


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        (b"x" * 5000, "crash", "more than 4,096 bytes"),
        (b'{"type":"move","action":0}\n{"type":"move","action":0}\n', "crash", "a line that nobody asked for"),
        (b"hello\n", "crash", "wrote 'hello', which is no JSON"),
        (b"\xff\xfe\n", "crash", "no JSON"),
        (b"[" * 4000, "crash", "no JSON"),
        (b"[1]\n", "crash", "no JSON object"),
        (b'{"type":"moves"}\n', "crash", "no message of type move"),
        (b'{"type":"move","action":NaN}', "crash", "no JSON"),
        (b'{"type":"move","action":1e400}', "illegal", "no action"),
        (b'{"type":"move","action":1.0}', "illegal", "no action"),
        (b'{"type":"move","action":true}', "illegal", "no action"),
        (b'{"type":"move","action":"1"}', "illegal", "no action"),
        (b'{"type":"move","action":2147483648}', "illegal", "no action"),
        (b'{"type":"move","text":7}', "illegal", "no action"),
        (b'{"type":"failure","kind":"timeout","message":"late"}', "timeout", "late"),
        (b'{"type":"failure","kind":"victory","message":"I won"}', "crash", "I won"),
        (b'{"type":"failure","kind":{},"message":"\\u001b[2J\\n"}', "crash", "[2J"),
        (b'{"type":"failure"}', "crash", "failed"),
    ],
)
def test_other_lines_are_failures_by_kind(line: bytes, kind: str, words: str) -> None:
    with pytest.raises(AgentFailure) as caught:
        protocol.read_move(line, VIEW)
    assert caught.value.kind == kind
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) <= 300


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"type":"hello","protocol":2,"name":"x"}', "speaks protocol 2, and ludens speaks 1"),
        (b'{"type":"hello","protocol":1}', "answered hello with"),
        (b'{"type":"hello","protocol":1,"name":"x","form":"pictures"}', "answered hello with"),
        (b"Loading weights ...", "no JSON"),
        (b'{"type":"failure","message":"no weights here"}', "^no weights here$"),
    ],
)
def test_a_wrong_hello_is_told(line: bytes, words: str) -> None:
    with pytest.raises(BadBot, match=words):
        protocol.read_hello(line, "cmd:./mine")


# Programs


@pytest.mark.parametrize("spec", [PYTHON, f"cmd:sh {EXAMPLES / 'first_move.sh'}"])
def test_the_examples_play_in_the_arena(spec: str) -> None:
    if shutil.which(spec.split()[0].removeprefix("cmd:")) is None:
        pytest.fail("this test needs sh")
    for game in ("azul", "kuhn"):
        result = arena(game, [spec, "random"], games=4, seed=1, store=False)
        row = result.agents[0]
        assert (row.games, row.crashes, row.timeouts, row.illegal) == (4, 0, 0, 0)


def test_a_program_gets_its_arguments_and_its_own_games() -> None:
    first, last = ChildAgent(KUHN, PYTHON), ChildAgent(KUHN, f"{PYTHON} --last")
    assert (first.choose(VIEW), last.choose(VIEW)) == (VIEW.legal[0], VIEW.legal[-1])
    first.close()
    last.close()


TWICE = """
import sys, time
print('{"type":"hello","protocol":1,"name":"twice"}', flush=True)
for line in sys.stdin:
    if '"view"' in line:
        for _ in range(2):
            print('{"type":"move","action":0}', flush=True)
            time.sleep(0.2)
"""


def test_a_second_answer_is_not_taken_for_the_next(tmp_path: Path) -> None:
    (tmp_path / "twice").write_text(TWICE, encoding="utf-8")
    agent = ChildAgent(KUHN, f"cmd:{sys.executable} {tmp_path / 'twice'}")

    def ask_often() -> None:  # on a machine that is not busy, twice
        for _ in range(100):
            assert agent.choose(VIEW) == 0
            time.sleep(0.3)

    with pytest.raises(AgentFailure, match="nobody asked for"):
        ask_often()
    agent.close()


def test_what_ludens_says_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def note(message: protocol.Message) -> bytes:
        said.append(message["type"])
        return protocol.line_of(message)

    monkeypatch.setattr(child, "line_of", note)
    agent = ChildAgent(KUHN, PYTHON)
    memory = agent.new_memory(2)
    for game in (0, 0, 1):
        agent.act(VIEW.array, memory[game : game + 1])
    agent.close()
    agent.close()
    assert said[:7] == ["hello", "new game", "view", "view", "new game", "view", "bye"]
    assert memory["game"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("cmd:./no-such-engine --fast", "there is no program ./no-such-engine: check the path"),
        ("cmd:", "names no program"),
        ("cmd:'", "quotation mark that is not closed"),
        (f"cmd:{EXAMPLES / 'first_move.sh'}.txt", "check the path"),
        ("cmd:true", r"does not load: its process died \(exit code 0\)"),
        ("cmd:false", r"died \(exit code 1\)"),
        ("cmd:echo ready", "wrote 'ready', which is no JSON"),
        ("cmd:cat", "answered hello with"),
    ],
)
def test_a_program_that_cannot_play_is_told_in_a_sentence(spec: str, words: str) -> None:
    with pytest.raises(BadBot, match=words) as caught:
        ChildAgent(KUHN, spec)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_program_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("no program", encoding="utf-8")
    with pytest.raises(BadBot, match="make it executable, or name its interpreter"):
        ChildAgent(KUHN, f"cmd:{tmp_path / 'mine'}")
    (tmp_path / "mine").chmod(0o755)
    with pytest.raises(BadBot, match=f"{tmp_path / 'mine'} cannot be started: Exec format error"):
        ChildAgent(KUHN, f"cmd:{tmp_path / 'mine'}")


def test_a_program_can_be_bound_to_a_seat_and_is_dealt_with_a_drawn_key() -> None:
    request = ask(KUHN, [f"1={PYTHON}", "random"], {"games": 2, "seed": 1})
    assert request.key
    assert [entrant.spec for entrant in make_schedule(KUHN, request).entrants] == [PYTHON, "random"]
    assert ask(KUHN, ["random", "random"], {"games": 2, "seed": 1}).key is None


def test_a_program_plays_only_in_a_process() -> None:
    with pytest.raises(BadBot, match="ludens arena and ludens play"):
        make_agent("cmd:./mine", KUHN)
