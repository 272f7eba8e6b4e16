"""Windows, as far as Linux can play it: Python imports this at its start where this folder is on PYTHONPATH.

The process, and all that it starts in its turn, lacks what only POSIX has; and like Windows it neither removes nor
replaces a file that it has open, and makes no file whose name has letters that Windows refuses.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

with contextlib.suppress(ImportError):
    import platformdirs.unix  # noqa: F401  (which cannot be imported without os.getuid; on Windows it is another module)

MODULES = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
OS = (
    "chown chroot confstr ctermid fchdir fchown fork forkpty fstatvfs getegid geteuid getgid getgroups getloadavg "
    "getpgid getpgrp getpriority getresgid getresuid getsid getuid killpg lchown lockf mkfifo mknod nice openpty "
    "pidfd_open pipe2 posix_fadvise posix_fallocate posix_spawn posix_spawnp pread preadv pwrite pwritev readv "
    "register_at_fork sched_getaffinity sched_setaffinity sched_yield sendfile setegid seteuid setgid setgroups "
    "setpgid setpgrp setpriority setsid setuid statvfs sync sysconf tcgetpgrp tcsetpgrp ttyname wait wait3 wait4 "
    "waitid writev"
)
SIGNAL = (
    "ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP "
    "SIGUSR1 SIGUSR2 alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigwait "
    "sigwaitinfo sigtimedwait"
)
_KILL = 9


def _kill(process: subprocess.Popen[Any]) -> None:
    """What Windows has too; on Linux the library needs the signal for it that is taken away below."""
    process.send_signal(_KILL)


def _is_open(path: object) -> bool:
    place = os.path.realpath(os.fsdecode(path)) if isinstance(path, (str, bytes, os.PathLike)) else ""
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if str(entry.readlink()) == place:
                return True
    return False


def _behave(event: str, given: tuple[Any, ...]) -> None:
    """Refuse what Windows refuses."""
    if event in ("os.rename", "os.remove"):
        for path in given[: 2 if event == "os.rename" else 1]:
            if _is_open(path):
                raise PermissionError(errno.EACCES, "it is open", str(path))
    if event == "open" and isinstance(given[0], str) and given[2] & (os.O_WRONLY | os.O_RDWR):
        name = Path(given[0]).name
        if set(name) & set('<>:"|?*\\') or name.endswith((".", " ")):
            raise OSError(errno.EINVAL, "no name for a file", given[0])


_modules: Any = sys.modules
_modules.update(dict.fromkeys(MODULES))  # None: it cannot be imported
_popen: Any = subprocess.Popen
_popen.kill = _kill
for _module, _names in ((os, OS), (signal, SIGNAL)):
    for _name in _names.split():
        if hasattr(_module, _name):
            delattr(_module, _name)
sys.addaudithook(_behave)
