"""The cage: what an agent from a file or a command can see and do, on Linux with bubblewrap (``bwrap``).

Inside there is no network, no process but its own, and a file system that can only be read: the system's programs,
Python, ludens, the game's package, compiled rules, and the files in the agent's own folder. It may write to /tmp, which
is its own and lost with it. It cannot reach its parent, and all that it started ends with it. Where there is no cage,
agents still run in processes of their own with the same limits and environment, but may do what their user may do.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_data_path

import ludens
from ludens.arena.request import check_cage
from ludens.core.error import BadBot, BadOption, one_line
from ludens.core.kernel import cache_dir
from ludens.core.registry import COMMAND, agent_file
from ludens.core.system import command_words, has_forks, has_namespaces

if TYPE_CHECKING:
    from ludens.core.game import Game

IN_FORCE = "bubblewrap"

_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"),
)
_VARIABLES = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "XDG_DATA_HOME"),
    *("PYTHONUTF8", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "PATHEXT", "COMSPEC", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
)
_SCRATCH = 64 << 20  # bytes of /tmp, and of shared memory
_MOST_FILES = 200  # of the agent's folder that it can see
_DATABASE = b"SQLite format 3\0"  # how a store begins


@functools.cache
def missing() -> str:
    """Why there is no cage on this machine, as part of a sentence; '' if there is one.

    The cage is tried at the first call; later calls return the same answer.
    """
    if not has_namespaces():
        return "only Linux has one"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (apt-get install bubblewrap)"
    tried = subprocess.run([*_walls(), "true"], capture_output=True, text=True, timeout=20, check=False)
    return "" if tried.returncode == 0 else f"this system does not allow it ({one_line(tried.stderr, 80)})"


def in_force(asked: str) -> str:
    """The cage that agents really get when the option ``asked`` is 'auto', 'require' or 'off'.

    Returns 'bubblewrap', 'off', or 'none: ' and the reason. BadOption for another value, or if a cage is required and
    there is none.
    """
    check_cage(asked)
    if asked == "off":
        return "off"
    if asked == "require" and missing():
        raise BadOption(f"there is no cage for agents from files: {missing()}; or leave out --cage require")
    return f"none: {missing()}" if missing() else IN_FORCE


def what_is_missing(cage: str) -> str:
    """A sentence for people about what agents could do that ran without a cage; ``cage`` is what `in_force` says."""
    return (
        f"agents from files ran without a cage ({cage}): they could read and change your files, use the network and "
        "look into other programs"
    )


def files_of(spec: str) -> list[Path]:
    """The files that a spec of a user's code names, as absolute paths.

    For ``./mine.py:act`` that is the Python file, for ``cmd:...`` the program and those of its arguments that are
    files. BadBot if there is no such file or program.
    """
    if not spec.startswith(COMMAND):
        return [agent_file(spec).absolute()]
    words = _words(spec)
    program = shutil.which(words[0])
    if program is None:
        how = "make it executable, or name its interpreter before it" if Path(words[0]).is_file() else "check the path"
        raise BadBot(f"there is no program {words[0]}: {how}")
    return [Path(word).absolute() for word in [program, *words[1:]] if os.path.isfile(word)]  # noqa: PTH113


def _words(spec: str) -> list[str]:
    """Split the command in a spec ``cmd:...`` into its words.

    BadBot if there are none or a quotation mark is not closed.
    """
    try:
        words = command_words(spec.removeprefix(COMMAND))
    except ValueError:
        raise BadBot(f"{spec} has a quotation mark that is not closed") from None
    if not words:
        raise BadBot(f"{spec} names no program: write it after the colon, as in cmd:./my-engine")
    return words


def digest(spec: str) -> str:
    """A hash (16 hex digits) of the contents of the files that a spec names: it tells whether an agent has changed.

    BadBot if a file cannot be read.
    """
    contents = hashlib.sha256()
    for file in files_of(spec):
        try:
            with file.open("rb") as stream:
                contents.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as why:
            raise BadBot(f"{file.name} cannot be read: {why.strerror}") from None
    return contents.hexdigest()[:16]


def command(spec: str, game: Game, cage: str) -> list[str]:
    """The command line, as a list of words, that starts the process of the agent ``spec`` for ``game``.

    It runs in the cage if ``cage``, as returned by `in_force`, is 'bubblewrap'.
    """
    files, is_caged = files_of(spec), cage == IN_FORCE
    if spec.startswith(COMMAND) and not has_forks():
        return _words(spec)
    folders = [f"{name}={folder}" for name, folder in _folders().items()]
    # -P: a user's file with the name of a library module must not be imported instead of it
    engine = [sys.executable, "-P", "-m", "ludens.arena.engine", "caged" if is_caged else "free", spec, *folders]
    return [*_walls(_visible(files, game)), *engine] if is_caged else engine


def environment() -> dict[str, str]:
    """The environment variables for an agent's process: a few of this process's own, and where Python's modules are."""
    kept = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    # a buffer of the linear algebra library for each core would be more than the limit on memory on large machines
    return kept | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _folders() -> dict[str, Path]:
    """The folders of compiled rules, boards, decks and solutions: environment variable -> folder that it names.

    The cage shows them, and the agent's process is told the variables.
    """
    named = {name: Path(value) for name, value in os.environ.items() if name.startswith("LUDENS_")}
    return {name: path for name, path in named.items() if path.is_dir()} | {"LUDENS_CACHE": cache_dir()}


def _walls(visible: Iterable[Path] = ()) -> list[str]:
    """The command of bubblewrap, to be followed by that of the program; ``visible`` are files and folders to show."""
    scratch = ["--size", str(_SCRATCH), "--tmpfs"]
    paths = dict.fromkeys([*_SYSTEM, *map(str, visible)])
    links = {path: real for path in paths if (real := os.path.realpath(path)) in paths and Path(path).is_symlink()}
    binds = [part for path in paths if path not in links for part in ("--ro-bind-try", path, path)]
    shown = [*binds, *(part for path, real in links.items() for part in ("--symlink", real, path))]
    return [
        *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "ludens"),
        *(*scratch, "/tmp"),  # before what may lie in it
        *shown,
        *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"),  # which root could write, with no rights at all
        *("--dev", "/dev", "--remount-ro", "/dev", *scratch, "/dev/shm"),
        *("--dir", str(Path.cwd()), "--remount-ro", "/", "--chdir", str(Path.cwd()), "--"),
    ]


def _visible(files: Iterable[Path], game: Game) -> list[Path]:
    """The files and folders that the cage shows beside the system's, for an agent made of ``files``.

    They are Python, its libraries, ludens, the package of ``game``, compiled rules and user files, and what lies beside
    ``files``.
    """
    packages = [sys.modules[type(game).__module__.partition(".")[0]].__file__, ludens.__file__]
    user_site = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    shown = [Path(folder) for folder in (sys.base_prefix, sys.prefix, *site.getsitepackages(), *user_site)]
    shown += [Path(file).parent for file in packages if file]
    shown.append(Path(ludens.__file__).parents[2] / "pyproject.toml")  # names the games if ludens is not installed
    kept = [*_folders().values(), *user_data_path("ludens").glob("*/")]
    shown += [folder for folder in kept if not _is_private(folder)]
    for file in files:
        if not any(file.is_relative_to(folder) for folder in [*shown, *map(Path, _SYSTEM)]):
            real = file.resolve() if file.is_symlink() else file  # beside that are its helpers
            shown += [file, real, *_beside(real)]
    return shown


def _is_private(folder: Path) -> bool:
    """Whether a folder holds the user's home or store, so that it must not be shown as a whole."""
    from ludens.arena.store import default_path

    private = (Path.home().resolve(), default_path().resolve())
    return any(path.is_relative_to(folder.resolve()) for path in private)


def _beside(file: Path) -> list[Path]:
    """The other files in a file's folder and below, which it may need; [] if they are too many, as in a home.

    Not those that begin with a dot, links, and databases: the store may be among them.
    """
    found: list[Path] = []
    if _is_private(file.parent):
        return found
    for folder, folders, names in os.walk(file.parent):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        found += [Path(folder, name) for name in names if not name.startswith(".")]
        if len(found) + len(folders) > _MOST_FILES:
            return []
    return [path for path in found if path.is_file() and not path.is_symlink() and not _is_database(path)]


def _is_database(file: Path) -> bool:
    """Whether a file is an SQLite database or belongs to one; also if it cannot be read."""
    try:
        with file.open("rb") as stream:
            start = stream.read(len(_DATABASE))
    except OSError:
        return True
    return start == _DATABASE or file.name.endswith(("-wal", "-shm", "-journal"))
