"""What holds for all tests: their order, durations written on demand, figures of deep runs, one Hypothesis profile.

``pytest --write-durations`` renews ``durations.json``, by which tests are put in order.
"""

from __future__ import annotations

import gc
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from tests import needs

if complaint := needs.complaint():
    raise SystemExit(complaint)  # which pytest prints as it is; of an error it would show where it came from

from hypothesis import HealthCheck, settings
from tests.compare_lists import ALL_TESTS
from tests.order import DURATIONS, Companions, known_seconds, rank, scope_of
from tests.soak import DEEP, Figures

HERE = Path(__file__).parent
collect_ignore = ["without_posix"]  # looking for doctests would import it, and take POSIX from the tests themselves

# Time limits and luck make tests fail that are right: the same examples every time, new ones in `make soak`.
settings.register_profile(
    "ludens", deadline=None, derandomize=not DEEP, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("ludens")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-durations", action="store_true", help="renew tests/durations.json")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Notes(config), "ludens-notes")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Companions:
    return Companions(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Remember the list, and put it in order."""
    files = {item.nodeid.partition("::")[0] for item in items}
    if all(path.relative_to(HERE.parent).as_posix() in files for path in HERE.rglob("test_*.py")):
        config.stash[ALL_TESTS] = [item.nodeid for item in items]
    seconds = known_seconds()
    items.sort(key=lambda item: rank(item.nodeid, seconds))


def pytest_collection_finish() -> None:
    """What is loaded now stays: looking at it again and again for garbage costs a tenth of the time of compiling."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture
def figures(record_property: Any) -> Figures:
    """Keeps the figures of a deep run, which `make soak` prints: ``figures(boards=4000, differences=0)``."""

    def keep(**numbers: float | str) -> None:
        for name, number in numbers.items():
            record_property(name, number)

    return keep


class Notes:
    """What is said at the end: figures of deep runs, durations for the file."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[scope_of(report.nodeid)] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if DEEP:
            for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
                told = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in report.user_properties)
                terminalreporter.write_line(f"{report.nodeid}: {told or report.outcome}, {report.duration:.0f} s")
        if self.config.getoption("--write-durations"):
            known = {**known_seconds(), **{scope: round(taken, 1) for scope, taken in self.seconds.items()}}
            there = {scope: known[scope] for scope in sorted(known) if (HERE.parent / scope.split()[0]).exists()}
            DURATIONS.write_text(json.dumps(there, indent=1) + "\n", encoding="utf-8")
