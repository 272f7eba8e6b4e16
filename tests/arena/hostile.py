"""A program that speaks the protocol until its first view, then does what its argument names; see test_hostile.py.

Those named in BREACHES try to get out: if they manage, they play on legally, so that the test sees it; if not, they end
with exit code 7. Plain Python, since it plays without ludens.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

MOST_PROCESSES, MOST_BYTES = 2000, 200 << 20


def say(line: bytes | str | dict) -> None:
    """Write a line as it is, or a message."""
    text = json.dumps(line) if isinstance(line, dict) else line
    os.write(1, text if isinstance(text, bytes) else text.encode() + b"\n")


def killed_by(number: int) -> None:
    os.kill(os.getpid(), number)
    time.sleep(60)


def closes_output() -> None:
    os.close(1)
    time.sleep(60)


def endless(part: bytes) -> None:
    while True:
        os.write(1, part)


def leaves_a_daemon(*, and_exits: bool = False) -> None:
    """Leave a process in a session of its own, whose parent has ended."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for pipe in (0, 1):
                os.close(pipe)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(4321)
        os._exit(0)
    os.wait()
    if and_exits:
        os._exit(0)


def move(**fields: object) -> dict:
    return {"type": "move", **fields}


def failure(kind: object, message: object) -> dict:
    return {"type": "failure", "kind": kind, "message": message}


# Each loses every game, by the kind that stands before it.

LOSES: dict[str, tuple[str, Callable[[], object]]] = {
    "exits": ("crashes", lambda: os._exit(3)),
    "kills_itself": ("crashes", lambda: killed_by(signal.SIGKILL)),
    "segfaults": ("crashes", lambda: ctypes.string_at(0)),
    "dies_by_a_real_time_signal": ("crashes", lambda: killed_by(signal.SIGRTMIN + 5)),
    "stops_itself": ("timeouts", lambda: killed_by(signal.SIGSTOP)),
    "sleeps_in_c": ("timeouts", lambda: ctypes.CDLL(None).sleep(60)),
    "leaves_a_daemon_and_exits": ("crashes", lambda: leaves_a_daemon(and_exits=True)),
    "closes_its_output": ("timeouts", closes_output),  # which the walls of the cage still hold open
    "writes_a_giant_line": ("crashes", lambda: endless(b"x" * (1 << 20))),
    "writes_empty_lines_for_ever": ("crashes", lambda: endless(b"\n" * 4096)),
    "writes_garbage": ("crashes", lambda: say(bytes(range(256)) + b"\n")),
    "writes_half_a_message": ("crashes", lambda: say('{"type": "move", "action": 0')),
    "writes_a_list": ("crashes", lambda: say("[0]")),
    "writes_deep_json": ("crashes", lambda: say("[" * 4000)),
    "writes_deep_objects": ("crashes", lambda: say('{"a":' * 600 + "0" + "}" * 600)),
    "writes_another_type": ("crashes", lambda: say({"type": "bye"})),
    "answers_infinity": ("illegal", lambda: say('{"type": "move", "action": 1e400}')),
    "answers_nan": ("crashes", lambda: say('{"type": "move", "action": NaN}')),
    "answers_a_negative_number": ("illegal", lambda: say(move(action=-1))),
    "answers_a_huge_number": ("illegal", lambda: say(move(action=10**2000))),
    "answers_true": ("illegal", lambda: say(move(action=True))),
    "answers_nothing": ("illegal", lambda: say(move())),
    "answers_an_illegal_action": ("illegal", lambda: say(move(action=77))),
    "answers_an_illegal_text": ("illegal", lambda: say(move(text="\x1b[2Jfly"))),
    "answers_in_advance": ("crashes", lambda: say(b"".join([b'{"type": "move", "action": 99}\n'] * 50))),
    "forges_a_failure": ("crashes", lambda: say(failure("victory", "I won"))),
    "forges_a_failure_of_another_type": ("crashes", lambda: say(failure(["timeout"], {"a": 1}))),
    "fails_with_control_characters": ("crashes", lambda: say(failure("crash", "\x1b]0;mine\x07\r\n\x00" * 90))),
    "uses_too_much_memory": ("crashes", lambda: bytearray(64 << 30)),
}

# Each is kept in by the cage, and then ends.


def many_processes() -> bool:
    count = 0
    with contextlib.suppress(OSError):
        while count < MOST_PROCESSES:
            if os.fork() == 0:
                time.sleep(60)
            count += 1
    return count >= MOST_PROCESSES


def kills_everybody() -> bool:
    with contextlib.suppress(OSError):
        os.kill(os.getppid(), signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(-1, signal.SIGKILL)
    return False  # whether it was worth it, the arena knows


def sees_the_arena() -> bool:
    files = [file for name in ("cmdline", "environ") for file in Path("/proc").glob(f"[0-9]*/{name}")]
    texts = [file.read_bytes() for file in files]
    return any(b"--seed" in text or b"LUDENS_STORE" in text or b"\0kuhn\0" in text for text in texts)


def traces_its_parent() -> bool:
    parent = os.getppid()  # in the cage 1, which belongs to the cage
    if ctypes.CDLL(None).ptrace(16, parent, 0, 0) != 0:  # PTRACE_ATTACH
        return False
    os.waitpid(parent, 0x40000000)  # __WALL
    ctypes.CDLL(None).ptrace(17, parent, 0, 0)  # PTRACE_DETACH
    return parent > 1


def finds_the_store() -> bool:
    names = [name for _, _, names in os.walk(os.environ["HOME"]) for name in names]
    return "ludens.db" in names or bool(list(Path(__file__).parents[1].glob("*.db")))


def has_variables() -> bool:
    return any(name.startswith("LUDENS") or "SECRET" in name for name in os.environ)


def connects(port: str) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", int(port)), 2).close()
        return True
    return False


def writes_outside() -> bool:
    for place in (Path(__file__).parent, Path.cwd(), Path(os.environ["HOME"]), Path("/"), Path("/usr"), Path("/dev")):
        with contextlib.suppress(OSError):
            (place / "left-behind").write_text("here", encoding="utf-8")
            if not place.is_relative_to("/tmp"):  # that is scratch, and the test looks there
                return True
    return False


def changes_its_own_file() -> bool:
    with contextlib.suppress(OSError):
        Path(__file__).open("a", encoding="utf-8").close()
        return True
    return False


def writes_through_a_link() -> bool:
    Path("/tmp/link").symlink_to(__file__)
    with contextlib.suppress(OSError):
        Path("/tmp/link").open("a", encoding="utf-8").close()
        return True
    return False


def fills_the_disk() -> bool:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written = 0
    with contextlib.suppress(OSError):
        for number in range(MOST_BYTES >> 20):
            for folder in ("/tmp", "/dev/shm"):
                written += Path(folder, str(number)).write_bytes(bytes(1 << 20))
    return written >= MOST_BYTES


def raises_its_limits() -> bool:
    most = resource.RLIM_INFINITY
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(limit, (most, most))
            return True
    return False


def changes_the_system() -> bool:
    with contextlib.suppress(OSError):
        os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
        return True
    return False


def mounts() -> bool:
    return subprocess.run(["mount", "-o", "remount,rw", "/usr"], capture_output=True, check=False).returncode == 0


BREACHES: dict[str, Callable[[], bool]] = {
    "many_processes": many_processes,
    "kills_everybody": kills_everybody,
    "sees_the_arena": sees_the_arena,
    "traces_its_parent": traces_its_parent,
    "finds_the_store": finds_the_store,
    "has_variables": has_variables,
    "connects": lambda: connects(sys.argv[2]),
    "writes_outside": writes_outside,
    "changes_its_own_file": changes_its_own_file,
    "writes_through_a_link": writes_through_a_link,
    "fills_the_disk": fills_the_disk,
    "raises_its_limits": raises_its_limits,
    "changes_the_system": changes_the_system,
    "mounts": mounts,
}


def attack(name: str) -> None:
    """Do it; returns only if the agent then plays on."""
    if name in LOSES:
        LOSES[name][1]()
    elif name in BREACHES:
        if not BREACHES[name]():
            os._exit(7)
    else:
        leaves_a_daemon()


def main() -> None:
    name = sys.argv[1]
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "protocol": 1, "name": name})
        elif message["type"] == "view":
            attack(name)
            if name not in LOSES:
                say(move(action=message["moves"][0]["action"]))


if __name__ == "__main__":
    main()
