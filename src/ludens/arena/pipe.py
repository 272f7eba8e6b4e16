"""How the arena talks to processes it starts: frames over pipes, and nothing that outlives us.

A frame is the lengths of a header and of a body, the header in JSON, the body in bytes. Processes are started afresh by
module name, never forked and without running the user's script again; they end when we do, even by ``kill -9`` (on
other systems than Linux: unless code that runs in one holds the interpreter's lock).
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
from typing import IO, Any, TypeAlias

from ludens.core.system import end_with_parent, kill_tree, new_group

_LENGTHS = struct.Struct("<II")

Frame = tuple[dict[str, Any], bytes]
Frames: TypeAlias = "queue.SimpleQueue[Any]"  # of Frame, or None at the end


def send(pipe: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    """Write a frame."""
    text = json.dumps(header).encode()
    pipe.write(_LENGTHS.pack(len(text), len(body)) + text + body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Frame | None:
    """The next frame, or None when the other side is gone."""
    lengths = pipe.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    header, body = _LENGTHS.unpack(lengths)
    data = pipe.read(header + body)
    return (json.loads(data[:header]), data[header:]) if len(data) == header + body else None


def read_into(frames: Frames, pipe: IO[bytes] | None, mark: Any = None) -> None:
    """Collect frames, then None, in a thread: waiting on a pipe knows no time limit. With ``mark``: (mark, frame)."""
    assert pipe is not None

    def collect() -> None:
        frame: Frame | None = ({}, b"")
        while frame is not None:
            try:
                frame = receive(pipe)
            except (OSError, ValueError):  # closed while reading, or garbage from a dying process
                frame = None
            frames.put(frame if mark is None else (mark, frame))
        with contextlib.suppress(OSError):
            pipe.close()

    threading.Thread(target=collect, daemon=True).start()


def start_module(module: str, *, silent: bool, background: bool = False) -> subprocess.Popen[bytes]:
    """Start ``python -m module`` on two pipes; it can import what we can.

    ``background``: with a lower priority, where that is set from outside (Windows).
    """
    # -P: a file of the user's named like a library module must not get in its way
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if silent else None,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        **new_group(is_background=background),
    )


def stop(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and whatever it started. Its output is closed by the thread that reads it: that may be waiting."""
    kill_tree(process)
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()


def wait_for(frames: Frames) -> Any:
    """The next of the frames, however long it takes. Windows hears Ctrl-C only between two waits."""
    while True:
        with contextlib.suppress(queue.Empty):
            return frames.get(timeout=1.0)


def join_parent(*, silent: bool) -> tuple[Frames, IO[bytes]]:
    """The started side: requests to wait for, and the pipe for answers. What code prints here goes nowhere.

    Import NumPy before: on Windows a library that looks at standard input would wait for the thread that reads it. What
    is imported later finds nothing there, since the pipe has another number by then.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    end_with_parent()
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    void = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2) if silent else (0, 1):
        os.dup2(void, number)
    frames: Frames = queue.SimpleQueue()
    threading.Thread(target=_hear_parent, args=(frames, source), daemon=True).start()
    return frames, sink


def _hear_parent(frames: Frames, pipe: IO[bytes]) -> None:
    while (frame := receive(pipe)) is not None:
        frames.put(frame)
    os._exit(0)  # the parent is gone, whatever this process is doing
