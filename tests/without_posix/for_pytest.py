"""``-p tests.without_posix.for_pytest``: pytest would ask for the name of the system, and then for `os.getuid`."""

from __future__ import annotations

from typing import Any

from _pytest import tmpdir

_tmpdir: Any = tmpdir
_tmpdir.get_user_id = lambda: None
