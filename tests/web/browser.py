"""A Chromium for the tests in a browser: one that is there, or one fetched before the tests begin.

``python -m tests.web.browser`` prints the one the tests use; with ``--install`` it gets one where there is none (by
Playwright, then, as root, by the system's package manager) or says in one sentence what to run by hand.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Machine", "NoBrowser", "find", "install", "launch_arguments", "main"]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge")
MAC_PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS_FOLDERS = ("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)")  # variables that name them
WINDOWS_PLACES = (
    r"Chromium\Application\chrome.exe",
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
PLAYWRIGHT = (sys.executable, "-m", "playwright")
PACKAGES: dict[str, tuple[tuple[str, ...], ...]] = {  # manager -> its commands, one after the other
    "apt-get": (("apt-get", "update"), ("apt-get", "install", "--yes", "--no-install-recommends", "chromium")),
    "dnf": (("dnf", "install", "--assumeyes", "chromium"),),
    "apk": (("apk", "add", "chromium"),),
    "pacman": (("pacman", "--sync", "--noconfirm", "chromium"),),
}
BY_HAND = {
    "apt-get": "sudo apt-get install chromium",
    "dnf": "sudo dnf install chromium",
    "apk": "sudo apk add chromium",
    "pacman": "sudo pacman -S chromium",
    "brew": "brew install --cask chromium",
}
_ANSWER_SECONDS, _INSTALL_SECONDS = 30.0, 420.0


class NoBrowser(Exception):
    """There is no Chromium; the words say what to do about it."""


def _run(command: Sequence[str], seconds: float) -> bool:
    """Whether a command ends well within a time limit."""
    try:
        done = subprocess.run(command, timeout=seconds, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _downloaded() -> Path | None:
    """Where Playwright keeps its own Chromium, if it has one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        place = Path(playwright.chromium.executable_path)
    return place if place.exists() else None


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


@dataclass(frozen=True)
class Machine:
    """What is asked of the machine; the tests of this file put their own answers here."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    which: Callable[[str], str | None] = shutil.which
    exists: Callable[[str], bool] = os.path.exists
    run: Callable[[Sequence[str], float], bool] = _run
    downloaded: Callable[[], Path | None] = _downloaded
    is_root: Callable[[], bool] = _is_root


def find(machine: Machine = Machine()) -> str | None:
    """The Chromium to use: ``$CHROMIUM``, else an installed one that answers (Chrome and Edge are Chromiums too), else
    the one Playwright downloaded."""
    named = machine.environ.get("CHROMIUM")
    if named:
        place = machine.which(named)
        if place is None:
            raise NoBrowser(f"CHROMIUM={named} is not a program: name the file of a Chromium or Chrome, or unset it")
        return place
    return next((place for place in _candidates(machine) if _answers(machine, place)), None)


def _candidates(machine: Machine) -> Iterator[str]:
    yield from filter(None, map(machine.which, NAMES))
    yield from filter(machine.exists, MAC_PLACES)
    folders = [folder for name in WINDOWS_FOLDERS if (folder := machine.environ.get(name))]
    yield from filter(machine.exists, (rf"{folder}\{place}" for place in WINDOWS_PLACES for folder in folders))
    downloaded = machine.downloaded()
    if downloaded:
        yield str(downloaded)


def _answers(machine: Machine, place: str) -> bool:
    """Whether it runs at all: on Ubuntu `chromium-browser` may only ask for a snap, and libraries can be missing.

    On Windows it would open a window instead of telling its version: there it is enough that it exists.
    """
    return place.lower().endswith(".exe") or machine.run((place, "--version"), _ANSWER_SECONDS)


def install(machine: Machine = Machine(), tell: Callable[[str], None] = print) -> str:
    """The Chromium to use, fetched first where there is none."""
    place = find(machine)
    for commands in _ways(machine) if place is None else ():
        tell(f"no Chromium for the tests in a browser: trying `{_shown(commands[-1])}`")
        if all(machine.run(command, _INSTALL_SECONDS) for command in commands) and (place := find(machine)):
            break
    if place is None:
        raise NoBrowser(f"no Chromium could be installed: run `{by_hand(machine)}`, or set CHROMIUM=/path/to/chromium")
    return place


def _ways(machine: Machine) -> Iterator[Sequence[Sequence[str]]]:
    """What can be tried, each a list of commands; the next is asked for only when the one before did not help."""
    yield ((*PLAYWRIGHT, "install", "chromium"),)
    if not machine.is_root():
        return
    if machine.downloaded():  # it is there and does not run: libraries are missing
        yield ((*PLAYWRIGHT, "install-deps", "chromium"),)
    yield from (commands for manager, commands in PACKAGES.items() if machine.which(manager))


def _shown(command: Sequence[str]) -> str:
    return " ".join(["python" if word == sys.executable else word for word in command])


def by_hand(machine: Machine) -> str:
    """The line a person runs on this system."""
    lines = (line for manager, line in BY_HAND.items() if machine.which(manager))
    return next(lines, f"{sys.executable} -m playwright install --with-deps chromium")


def launch_arguments(machine: Machine = Machine()) -> list[str]:
    """Chromium refuses its sandbox to root, and only then it goes without."""
    return ["--no-sandbox"] if machine.is_root() else []


def main(arguments: Sequence[str] | None = None, machine: Machine = Machine()) -> int:
    """Print the Chromium the tests use; the exit status says whether there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.browser", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--install", action="store_true", help="get one where there is none")
    try:
        place = install(machine) if parser.parse_args(arguments).install else find(machine)
    except NoBrowser as why:
        print(why, file=sys.stderr)
        return 1
    print(place or "no Chromium is installed")
    return 0 if place else 1


if __name__ == "__main__":
    sys.exit(main())
