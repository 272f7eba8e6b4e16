"""Which Chromium the tests take, and what is tried where there is none. Nothing is installed here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.web import browser
from tests.web.browser import MAC_PLACES, Machine, NoBrowser, find, install, launch_arguments, main


@dataclass
class Fake:
    """A machine with some programs; ``gives`` says which programs a command brings."""

    programs: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    environ: dict[str, str] = field(default_factory=dict)
    gives: dict[str, str] = field(default_factory=dict)  # a part of a command -> the program it brings
    dead: set[str] = field(default_factory=set)  # programs that do not run
    root: bool = False
    ran: list[str] = field(default_factory=list)

    def run(self, command: Sequence[str], seconds: float) -> bool:
        """Version questions are answered; another command works when it brings something (or prepares that)."""
        assert seconds > 0
        if command[-1] == "--version":
            return command[0] not in self.dead
        line = " ".join(command)
        self.ran.append(line)
        brought = [program for part, program in self.gives.items() if part in line]
        self.programs.update(brought)
        self.dead.difference_update(brought)
        return bool(brought) or line.endswith("update")

    def which(self, name: str) -> str | None:
        return (
            name if name.startswith("/") and name in self.files else f"/bin/{name}" if name in self.programs else None
        )

    def downloaded(self) -> Path | None:
        return Path("downloaded") if "downloaded" in self.programs else None

    @property
    def machine(self) -> Machine:
        return Machine(
            environ=self.environ,
            which=self.which,
            exists=self.files.__contains__,
            run=self.run,
            downloaded=self.downloaded,
            is_root=lambda: self.root,
        )


@pytest.mark.parametrize("name", browser.NAMES)
def test_an_installed_one_is_found(name: str) -> None:
    assert find(Fake({name, "downloaded"}).machine) == f"/bin/{name}"


def test_the_first_name_wins() -> None:
    assert find(Fake({"google-chrome", "chromium"}).machine) == "/bin/chromium"


def test_the_place_on_a_mac() -> None:
    assert find(Fake(files=set(MAC_PLACES)).machine) == MAC_PLACES[0]
    assert find(Fake({"chromium"}, files=set(MAC_PLACES)).machine) == "/bin/chromium"


@pytest.mark.parametrize("place", browser.WINDOWS_PLACES)
def test_the_places_on_windows(place: str) -> None:
    fake = Fake(files={rf"C:\Program Files\{place}"}, environ={"PROGRAMFILES": r"C:\Program Files"})
    fake.dead = set(fake.files)  # it would open a window
    assert find(fake.machine) == rf"C:\Program Files\{place}"
    assert find(Fake(files=fake.files).machine) is None


def test_the_download_of_playwright_comes_last() -> None:
    assert find(Fake({"downloaded"}).machine) == "downloaded"
    assert find(Fake({"downloaded"}, files={MAC_PLACES[1]}).machine) == MAC_PLACES[1]


def test_one_that_does_not_run_is_passed_over() -> None:
    fake = Fake({"chromium-browser", "google-chrome"}, dead={"/bin/chromium-browser"})
    assert find(fake.machine) == "/bin/google-chrome"


def test_nothing_is_found() -> None:
    assert find(Fake().machine) is None


def test_the_named_one_comes_first() -> None:
    fake = Fake({"chromium"}, files={"/opt/mine"}, environ={"CHROMIUM": "/opt/mine"})
    assert find(fake.machine) == "/opt/mine"


def test_a_wrong_name_is_said() -> None:
    with pytest.raises(NoBrowser, match="CHROMIUM=/opt/mine is not a program"):
        find(Fake({"chromium"}, environ={"CHROMIUM": "/opt/mine"}).machine)


def test_nothing_is_installed_where_one_is() -> None:
    fake = Fake({"chromium"}, root=True)
    assert install(fake.machine) == "/bin/chromium"
    assert not fake.ran


def test_playwright_is_tried_first() -> None:
    fake = Fake({"apt-get"}, gives={"playwright install chromium": "downloaded"}, root=True)
    assert install(fake.machine) == "downloaded"
    assert len(fake.ran) == 1


@pytest.mark.parametrize("manager", browser.PACKAGES)
def test_root_asks_the_package_manager(manager: str) -> None:
    fake = Fake({manager}, gives={f"{manager} {browser.PACKAGES[manager][-1][1]}": "chromium"}, root=True)
    assert install(fake.machine) == "/bin/chromium"
    assert fake.ran[-1] == " ".join(browser.PACKAGES[manager][-1])


def test_missing_libraries_are_installed_by_root() -> None:
    gives = {"playwright install chromium": "nothing", "install-deps": "downloaded"}
    fake = Fake({"downloaded", "apt-get"}, gives=gives, dead={"downloaded"}, root=True)
    assert install(fake.machine) == "downloaded"
    assert "install-deps" in fake.ran[-1]


@pytest.mark.parametrize(("manager", "line"), browser.BY_HAND.items())
def test_who_may_not_install_is_told_the_line(manager: str, line: str) -> None:
    fake = Fake({manager}, gives={manager: "chromium"})
    with pytest.raises(NoBrowser, match=f"run `{line}`, or set CHROMIUM="):
        install(fake.machine)
    assert len(fake.ran) == 1  # only what needs no root


def test_a_strange_system_is_told_a_line_too() -> None:
    with pytest.raises(NoBrowser, match="playwright install --with-deps chromium"):
        install(Fake(root=True).machine)


def test_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--install"], Fake({"chromium"}).machine) == 0
    assert capsys.readouterr().out == "/bin/chromium\n"
    assert main([], Fake().machine) == 1
    assert main(["--install"], Fake({"dnf"}).machine) == 1
    assert capsys.readouterr().err.splitlines()[-1].count("sudo dnf install chromium") == 1


def test_only_root_goes_without_the_sandbox() -> None:
    assert launch_arguments(Fake(root=True).machine) == ["--no-sandbox"]
    assert launch_arguments(Fake(root=False).machine) == []


def test_a_command_that_hangs_or_is_missing_is_a_failure() -> None:
    assert not Machine().run(("/nowhere/at/all",), 1.0)
    assert not Machine().run((sys.executable, "-c", "import time; time.sleep(30)"), 0.05)
    assert Machine().run((sys.executable, "--version"), 60.0)
