"""The order of tests: slow ones first, one game in one process, nothing twice and nothing forgotten."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from tests.order import Companions, group_of, known_seconds, rank, scope_of


def test_tests_are_handed_out_by_the_file_and_contracts_by_the_game() -> None:
    assert scope_of("tests/a/test_b.py::test_c[x y]") == "tests/a/test_b.py"
    assert scope_of("tests/testing/test_contract.py::test_it[liars-dice {'a': 1}]").endswith(" liars-dice")
    assert group_of("tests/testing/test_contract.py dicewars") == group_of("tests/games/dicewars/test_odds.py")
    assert group_of("tests/core/test_seat.py") == "tests/core/test_seat.py"


def test_the_browser_the_unknown_and_the_slow_come_first() -> None:
    seconds = {"quick.py": 1.0, "slow.py": 9.0, "test_e2e_x.py": 0.1}
    ids = ["quick.py::a", "slow.py::a", "unknown.py::a", "test_e2e_x.py::a"]
    ordered = sorted(ids, key=lambda id: rank(id, seconds))
    assert [id.partition("::")[0] for id in ordered] == ["test_e2e_x.py", "unknown.py", "slow.py", "quick.py"]
    assert known_seconds()


def test_a_worker_goes_on_with_its_game() -> None:
    scheduler = Companions.__new__(Companions)
    scheduler.last = {}
    scopes = ["a/test_e2e_1", "azul/1", "a/test_e2e_2", "dicewars/1", "azul/2", "other"]
    scheduler.workqueue = OrderedDict((scope, {}) for scope in scopes)
    one: Any = object()
    two: Any = object()
    taken = []
    for node in (one, two, two, one, two, one):
        scope = scheduler.choose(node)
        scheduler.last[node] = group_of(scope)
        del scheduler.workqueue[scope]
        taken.append(scope)
    assert taken == ["a/test_e2e_1", "azul/1", "azul/2", "a/test_e2e_2", "dicewars/1", "other"]
