"""How the arena exchanges messages with the processes it starts: frames over pipes.

A frame is the lengths of a header and a body, the header as JSON, and the body as bytes. Processes are started by
module name, not forked, and the user's script is not run again in them. They end when their parent ends, even by ``kill
-9`` (on systems other than Linux: unless code that runs in one holds the interpreter lock).
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
from collections.abc import Callable
from typing import IO, Any, TypeAlias

from ludens.core.system import end_with_parent, kill_tree, new_group

_LENGTHS = struct.Struct("<II")

Frame = tuple[dict[str, Any], bytes]
Frames: TypeAlias = "queue.SimpleQueue[Any]"  # of Frame, or None at the end


def send(pipe: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    """Write one frame to a pipe: a header that JSON can hold, and a body of bytes."""
    text = json.dumps(header).encode()
    pipe.write(_LENGTHS.pack(len(text), len(body)) + text + body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Frame | None:
    """Read the next frame, (header, body), from a pipe; None when the other side has closed it."""
    lengths = pipe.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    header, body = _LENGTHS.unpack(lengths)
    data = pipe.read(header + body)
    return (json.loads(data[:header]), data[header:]) if len(data) == header + body else None


def read_into(frames: Frames, pipe: IO[bytes] | None, mark: Any = None) -> None:
    """Start a thread that puts the frames of a pipe into the queue ``frames``, and None at the end of the pipe.

    A queue can be waited on with a time limit, a pipe cannot. With ``mark`` the queue gets (mark, frame), so that
    several pipes can share it.
    """
    assert pipe is not None

    def collect() -> None:
        """Read until the pipe ends or breaks, then close it."""
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
    """Start ``python -m module`` with pipes as its standard input and output, and this process's import path.

    ``silent`` discards its standard error. ``background`` gives it a lower priority on Windows; on other systems it has
    to lower its priority itself.
    """
    # -P: a user's file with the name of a library module must not be imported instead of it
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if silent else None,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        **new_group(is_background=background),
    )


def stop(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all processes it started, and close its input.

    The thread that reads its output closes that pipe: it may still be waiting.
    """
    kill_tree(process)
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()


def wait_for(frames: Frames) -> Any:
    """Wait for the next item of a queue and return it; no limit.

    It waits in steps of 1 s, since Windows sees Ctrl-C only between waits.
    """
    while True:
        with contextlib.suppress(queue.Empty):
            return frames.get(timeout=1.0)


def join_parent(*, silent: bool, receive: Callable[[IO[bytes]], Any] = receive) -> tuple[Frames, IO[bytes]]:
    """Connect a process that ludens started to its parent; call it first in that process.

    Returns the queue of what ``receive`` reads from the parent (None: it is gone), and the pipe for answers. From then
    on prints are discarded (``silent``: and standard error too), Ctrl-C is ignored, and the process exits when its
    parent is gone.

    NumPy must be imported before: on Windows a library that looks at standard input would wait for the thread that
    reads the pipe. Libraries imported later see an empty standard input.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    end_with_parent()
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    void = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2) if silent else (0, 1):
        os.dup2(void, number)
    frames: Frames = queue.SimpleQueue()
    threading.Thread(target=_read_parent, args=(frames, source, receive), daemon=True).start()
    return frames, sink


def _read_parent(frames: Frames, pipe: IO[bytes], receive: Callable[[IO[bytes]], Any]) -> None:
    """In a thread: put what ``receive`` reads from the pipe into the queue.

    Exit the process when the parent is gone.
    """
    while (frame := receive(pipe)) is not None:
        frames.put(frame)
    os._exit(0)  # the parent is gone, whatever this process is doing
