"""What Linux, macOS and Windows do differently, in one place; what a system lacks has a plain fall-back.

No other module asks which system it runs on. `docs/platforms.md` says what differs for people, and
`tests/test_portable.py` runs ludens with all of POSIX that Windows lacks taken away.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = [
    "command_text",
    "end_with_parent",
    "ending_text",
    "interrupted_after",
    "kill_tree",
    "lower_priority",
    "new_group",
    "peak_mb",
    "print_anything",
    "private_folder",
    "replace_file",
]

_NICE = 5  # on a scale from -20 to 19

# Processes.


def new_group(*, is_background: bool = False) -> dict[str, Any]:
    """Arguments for `subprocess.Popen`: Ctrl-C will not reach the process, and `kill_tree` finds what it starts.

    On Windows a background process starts with a lower priority; elsewhere it calls `lower_priority` itself.
    """
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    if is_background:
        flags |= getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    return {"start_new_session": True, "creationflags": flags}


def lower_priority() -> None:
    """Let other processes have the processor first."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    with contextlib.suppress(OSError):  # Linux shares time out between sessions first, and this is one of its own
        Path("/proc/self/autogroup").write_text(str(_NICE), encoding="ascii")


def kill_tree(process: subprocess.Popen[Any]) -> None:
    """Kill a process started with `new_group`, and whatever it has started."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if sys.platform == "win32":
            _kill_windows_tree(process)
        elif hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _kill_windows_tree(process: subprocess.Popen[Any]) -> None:
    """Windows has no groups to kill: its own tool looks for the children, as long as their parent lives."""
    if process.poll() is None:
        tool = Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32" / "taskkill.exe"
        void = subprocess.DEVNULL
        subprocess.run(
            [str(tool), "/F", "/T", "/PID", str(process.pid)],
            stdin=void,
            stdout=void,
            stderr=void,
            timeout=10,
            check=False,
        )


def end_with_parent() -> None:
    """Have this process killed when its parent ends, where Linux offers it; elsewhere closed pipes have to tell."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL


def ending_text(code: int) -> str:
    """How a process ended, by its exit code: 'signal SIGSEGV', 'exit code 3', 'exit code 0xC0000005' on Windows."""
    if code >= 0:
        return f"exit code {code}" if code < 1 << 16 else f"exit code 0x{code:08X}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


@contextlib.contextmanager
def interrupted_after(seconds: float | None, error: type[BaseException]) -> Iterator[None]:
    """Raise ``error`` in the midst of the code below when its time is up; None, or a system without alarms: never."""
    if seconds is None or sys.platform == "win32" or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise error

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def peak_mb() -> float | None:
    """The most memory this process has had, where the system tells."""
    if sys.platform == "win32":
        return None
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


# Files.


def replace_file(draft: Path, file: Path) -> None:
    """Put a finished draft in the place of a file. Windows refuses while somebody reads it: try for half a second."""
    for pause in (0.01, 0.04, 0.15, 0.3):
        try:
            draft.replace(file)
            return
        except PermissionError:
            time.sleep(pause)
    draft.replace(file)


def private_folder(name: str) -> Path:
    """A temporary folder into which nobody else may put files: the same every time if possible."""
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"{name}-{owner}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        if _is_private(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix=f"{name}-"))


def _is_private(folder: Path) -> bool:
    """On Windows, where a mode says nothing about others: whether it lies in the user's own folder."""
    if not hasattr(os, "getuid"):
        return Path.home() in folder.parents
    found = folder.stat()
    return found.st_uid == os.getuid() and found.st_mode & 0o077 == 0


# The terminal.


def print_anything() -> None:
    """Let no output fail: a letter that the terminal's alphabet lacks (cp1252 has no arrows) is printed as '?'."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # which a stream put there by somebody may not have
        if reconfigure is not None and not str(stream.encoding or "").lower().startswith("utf"):
            reconfigure(errors="replace")


def command_text(words: Sequence[str]) -> str:
    """A command as people type it here: with quotes where a word has blanks."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
