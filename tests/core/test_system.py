"""What the system allows a process."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
