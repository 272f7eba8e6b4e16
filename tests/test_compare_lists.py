"""No test got lost on the way, and the comparison would notice."""

from __future__ import annotations

import pytest
from tests.compare_lists import ALL_TESTS, collected, lost, lost_of, rules

TABLE = rules(
    """
    # a file was renamed, two tests became one, a test is about today's files
    a.py::* => b.py::*
    c.py::one => c.py::both
    c.py::two => c.py::both
    c.py::each* => c.py::each
    """
)


@pytest.mark.parametrize(
    ("present", "missing"),
    [
        (["b.py::x[1]", "c.py::both[x]", "c.py::each[z]", "d.py::same[1]"], []),
        (["b.py::x[2]", "c.py::both[x]", "c.py::each[z]", "d.py::same[1]"], ["a.py::x[1]"]),
        (["b.py::x[1]", "c.py::each[z]", "d.py::same[2]"], ["c.py::one", "c.py::two", "d.py::same[1]"]),
        (["b.py::x[1]", "c.py::both", "d.py::same[1]"], ["c.py::each[y]"]),
    ],
)
def test_what_is_missing_is_found(present: list[str], missing: list[str]) -> None:
    before = ["a.py::x[1]", "c.py::one", "c.py::two", "c.py::each[y]", "d.py::same[1]"]
    assert lost(before, present, TABLE) == missing


def test_every_test_of_before_is_there(pytestconfig: pytest.Config) -> None:
    """Where all tests were collected anyway, these are compared; else pytest is asked for the list."""
    assert lost_of(pytestconfig.stash.get(ALL_TESTS, []) or collected()) == []
