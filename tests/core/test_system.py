"""Locks of files, with and without what the system gives for them; what the system allows a process."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ludens.core.system import lock_file

ASK = """
import resource
from ludens.core.system import allow_open_files
resource.setrlimit(resource.RLIMIT_NOFILE, (60, HARD))
allow_open_files(100)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(("hard", "allowed"), [(200, 100), (80, 80), (60, 60)])
def test_as_many_files_as_the_system_permits_may_be_open(hard: int, allowed: int) -> None:
    done = subprocess.run([sys.executable, "-c", ASK.replace("HARD", str(hard))], capture_output=True, check=True)
    assert int(done.stdout) == allowed


def test_a_lock_is_held_once_and_told_by_whom(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    with lock_file(file) as holder:
        assert holder == ""
        with lock_file(file) as second:
            assert second == f"process {os.getpid()}"
    with lock_file(file) as holder:
        assert holder == ""


def test_where_there_are_no_locks_everybody_gets_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name in ("fcntl", "msvcrt"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with lock_file(tmp_path / "lock") as first, lock_file(tmp_path / "lock") as second:
        assert first == second == ""


def test_where_no_file_can_be_made_there_is_no_lock(tmp_path: Path) -> None:
    with lock_file(tmp_path / "no folder" / "lock") as holder:
        assert holder == ""
