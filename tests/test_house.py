"""The arrows between the rooms of the house point one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "ludens"

# what a room may import, besides itself
ALLOWED = {
    "core": set(),
    "search": {"core"},
    "solve": {"core"},
    "games": {"core", "search", "solve"},
    "testing": {"core"},
    "arena": {"core", "search", "solve", "learn"},
    "web": {"core", "arena", "bench"},
    "interop": {"core", "games"},
    "studies": {"core", "arena", "games", "solve"},  # of the games only its own
}
MODULES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if len(path.relative_to(SOURCE).parts) > 1)


def imported_rooms(path: Path) -> set[str]:
    """The second part of every ``ludens.room...`` a module imports, wherever the import stands."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
    return {name.split(".")[1] for name in names if name.startswith("ludens.")}


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_arrows_point_one_way(module: Path) -> None:
    room = module.parts[0]
    assert imported_rooms(SOURCE / module) - {room} <= ALLOWED[room] | ({"__version__"} if room == "arena" else set())


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] == "games" and len(m.parts) == 3], ids=str)
def test_games_do_not_know_each_other(module: Path) -> None:
    tree = ast.parse((SOURCE / module).read_text())
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert all(name.split(".")[2] == module.parts[1] for name in froms if name.startswith("ludens.games."))


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] == "studies"], ids=str)
def test_a_study_knows_only_its_own_game(module: Path) -> None:
    tree = ast.parse((SOURCE / module).read_text())
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert all(module.stem.startswith(name.split(".")[2]) for name in froms if name.startswith("ludens.games."))


@pytest.mark.parametrize("code", ["import ludens", "import ludens.cli"])
def test_importing_is_light(code: str) -> None:
    check = f"{code}; import sys; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_no_file_is_too_long() -> None:
    assert not [str(path) for path in SOURCE.rglob("*.py") if len(path.read_text().splitlines()) > 600]
