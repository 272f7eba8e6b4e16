"""All that differs between Linux, macOS and Windows, each with a plain fallback where a system lacks something.

No other module asks which system it runs on. `docs/platforms.md` describes the differences for users, and
`tests/test_portable.py` runs ludens without any of the POSIX features that Windows lacks.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

__all__ = [
    "allow_open_files",
    "command_text",
    "command_words",
    "end_with_parent",
    "ending_text",
    "has_forks",
    "has_input",
    "has_namespaces",
    "interrupted_after",
    "kill_tree",
    "leave_nobody_behind",
    "limit_resources",
    "lock_file",
    "lower_priority",
    "new_group",
    "peak_mb",
    "print_anything",
    "private_folder",
    "process_group_folder",
    "remove_group",
    "replace_file",
    "when_stopped",
]

_FAR = 1 << 30  # a place in a file after all that is written there
_NICE = 5  # on a scale from -20 to 19
_MEMORY = 4 << 30  # bytes of addresses that an agent's process may use
_FILE = 64 << 20  # bytes of a file that it may write
_PROCESSES = 512  # processes and threads that a caged agent may have at the same time

# Processes.


def new_group(*, is_background: bool = False) -> dict[str, Any]:
    """Arguments for `subprocess.Popen`, so that Ctrl-C does not reach the process and `kill_tree` finds its children.

    ``is_background`` lowers its priority on Windows; elsewhere the process calls `lower_priority` itself.
    """
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    if is_background:
        flags |= getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    return {"start_new_session": True, "creationflags": flags}


def lower_priority() -> None:
    """Lower the priority of this process, so that others run first; no effect on Windows."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    with contextlib.suppress(OSError):  # Linux divides time among sessions first, and this process has its own
        Path("/proc/self/autogroup").write_text(str(_NICE), encoding="ascii")


def kill_tree(process: subprocess.Popen[Any]) -> None:
    """Kill a process started with `new_group`, and all that it has started, and wait for its end."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if sys.platform == "win32":
            _kill_windows_tree(process)
        elif hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _kill_windows_tree(process: subprocess.Popen[Any]) -> None:
    """Kill a process and its children with taskkill, since Windows has no process groups to kill."""
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


def end_with_parent(number: int = 9) -> None:
    """On Linux: have this process killed, or sent another signal, when its parent ends.

    Elsewhere it must notice closed pipes itself.
    """
    _prctl(1, number)  # PR_SET_PDEATHSIG


def _prctl(what: int, value: int) -> None:
    """Change a setting of this process by its number in Linux; nothing elsewhere."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(what, value)


def has_forks() -> bool:
    """Whether a process can replace its program and fork, as on every system but Windows."""
    return hasattr(os, "fork")


def has_input(pipe: IO[bytes]) -> bool:
    """Whether a pipe has something to be read, or has ended; always False on Windows, where that cannot be asked."""
    if sys.platform == "win32":
        return False
    question = select.poll()
    question.register(pipe, select.POLLIN)
    return bool(question.poll(0))


def has_namespaces() -> bool:
    """Whether this is a system on which processes can be kept in a cage, if bubblewrap is installed: Linux."""
    return sys.platform == "linux" and has_forks()


def limit_resources(*, is_caged: bool) -> None:
    """Limit memory, the size of files and core dumps of this process and all it starts; no effect on Windows.

    The number of processes is limited only in a cage: outside, those of the user count that have nothing to do with it.
    """
    if sys.platform == "win32":
        return
    try:
        import resource
    except ImportError:
        return
    limits = {"RLIMIT_AS": _MEMORY, "RLIMIT_FSIZE": _FILE, "RLIMIT_CORE": 0}
    for name, most in (limits | ({"RLIMIT_NPROC": _PROCESSES} if is_caged else {})).items():
        with contextlib.suppress(OSError, ValueError, AttributeError):  # macOS lacks some
            resource.setrlimit(getattr(resource, name), (most, most))


def leave_nobody_behind() -> None:
    """On Linux: go on in a child of this process. When that ends, this one kills all that was started by it.

    Processes that have left their group and session too: whose parent has ended is handed to this process. It ends with
    the child's exit code (128 + the signal that killed it), and the same happens on SIGTERM and when its parent ends.
    """
    if sys.platform != "linux" or not has_forks():
        return
    _prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
    child = os.fork()
    if child == 0:
        end_with_parent()
        return
    signal.signal(signal.SIGTERM, lambda number, frame: os.kill(child, signal.SIGKILL))
    end_with_parent(signal.SIGTERM)
    for pipe in (0, 1):  # so that the other side sees when the child closes them
        os.close(pipe)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in Path("/proc/thread-self/children").read_text(encoding="ascii").split():
                os.kill(int(pid), signal.SIGKILL)
            os.wait()
    os._exit(code if code >= 0 else 128 - code)


def process_group_folder(number: int) -> Path | None:
    """Make a control group of Linux that allows _PROCESSES processes; None if that is not possible or not needed.

    For root only, whom the limit on processes does not bind. A process joins by writing its id to ``cgroup.procs`` in
    the folder; the folder can be removed when all have ended. ``number`` tells the groups of this process apart.
    """
    if sys.platform != "linux" or not has_forks() or os.getuid() != 0:
        return None
    for place in (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup")):
        if not (place / "cgroup.procs").exists():
            continue
        for old in place.glob("ludens-*-*"):
            if not Path(f"/proc/{old.name.split('-')[1]}").exists():  # its ludens was killed
                remove_group(old)
        folder = place / f"ludens-{os.getpid()}-{number}"
        with contextlib.suppress(OSError):
            folder.mkdir()
            (folder / "pids.max").write_text(str(_PROCESSES), encoding="ascii")
            return folder
    return None


def remove_group(folder: Path) -> None:
    """Remove a control group, waiting for up to a second until its processes have ended."""
    for pause in (0.0, 0.01, 0.04, 0.15, 0.3, 0.5):
        time.sleep(pause)
        with contextlib.suppress(OSError):
            folder.rmdir()
            return


def ending_text(code: int) -> str:
    """How a process ended, from its exit code: 'signal SIGSEGV', 'exit code 3', 'exit code 0xC0000005' (Windows)."""
    if code >= 0:
        return f"exit code {code}" if code < 1 << 16 else f"exit code 0x{code:08X}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


@contextlib.contextmanager
def interrupted_after(seconds: float | None, error: type[BaseException]) -> Iterator[None]:
    """Context manager: raise ``error`` inside the block once ``seconds`` have passed.

    Never, if ``seconds`` is None or the system has no alarms (Windows).
    """
    if seconds is None or sys.platform == "win32" or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: Any) -> None:
        """Raise the error when the alarm rings (called by the system with a signal's arguments)."""
        raise error

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def when_stopped(handle: Callable[[], None]) -> Iterator[None]:
    """Context manager: Ctrl-C, a request to end (SIGTERM) and a closed terminal call ``handle`` inside the block.

    What this process was started to ignore (``nohup``) stays ignored.
    """
    known = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heeded = [number for number in known if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, lambda *_: handle()) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def peak_mb() -> float | None:
    """The largest amount of memory this process has used, in MB; None if the system does not say."""
    if sys.platform == "win32":
        return None
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


# Files.


def allow_open_files(count: int) -> None:
    """Let this process have so many files and connections open, as far as the system permits; macOS begins with 256."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def replace_file(draft: Path, file: Path) -> None:
    """Move a finished draft over a file, atomically. If Windows refuses, since the file is open, retry for 0.5 s."""
    for pause in (0.01, 0.04, 0.15, 0.3):
        try:
            draft.replace(file)
            return
        except PermissionError:
            time.sleep(pause)
    draft.replace(file)


@contextlib.contextmanager
def lock_file(file: Path) -> Iterator[str]:
    """Context manager: hold the lock of a file, which one process can have at a time. The file stays.

    Yields '' when this process has it, else which process has it: 'process 123'. The system releases the lock when its
    holder ends, however it ends. Where the system or the disk knows no locks, or is read-only, everybody gets it.
    """
    try:
        handle = file.open("a+b")
    except OSError:
        yield ""
        return
    with handle:
        if _lock(handle):
            handle.truncate(0)
            handle.write(f"process {os.getpid()}".encode())
            handle.flush()
            yield ""
        else:
            handle.seek(0)
            yield handle.read(40).decode(errors="replace") or "another process"


def _lock(handle: IO[bytes]) -> bool:
    """Lock an open file until it is closed; False if another process has done so."""
    try:
        if sys.platform == "win32":
            import msvcrt

            handle.seek(_FAR)  # on Windows nobody else can read what is locked
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return True
    except OSError as why:
        return why.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def private_folder(name: str) -> Path:
    """A temporary folder that only this user can write to; the same at every call, if that is possible."""
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"{name}-{owner}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        if _is_private(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix=f"{name}-"))


def _is_private(folder: Path) -> bool:
    """Whether only this user can write to a folder; on Windows, whether it is inside the user's home."""
    if not hasattr(os, "getuid"):
        return Path.home() in folder.parents
    found = folder.stat()
    return found.st_uid == os.getuid() and found.st_mode & 0o077 == 0


# The terminal.


def print_anything() -> None:
    """Let printing never fail: letters that the terminal cannot encode (cp1252 has no arrows) are printed as '?'."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # a replaced stream may lack it
        if reconfigure is not None and not str(stream.encoding or "").lower().startswith("utf"):
            reconfigure(errors="replace")


def command_text(words: Sequence[str]) -> str:
    """A command as people type it on this system, with quotes around words that contain blanks."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def command_words(text: str) -> list[str]:
    """The words of a command as people type it on this system; ValueError if a quotation is not closed."""
    if sys.platform != "win32":
        return shlex.split(text)
    return [word.strip('"') for word in shlex.split(text, posix=False)]
