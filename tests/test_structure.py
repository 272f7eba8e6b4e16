"""Packages import one another in one direction only."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from tests import size

SOURCE = Path(__file__).parent.parent / "src" / "ludens"

# what a room may import, besides itself
ALLOWED = {
    "core": set(),
    "search": {"core"},
    "solve": {"core"},
    "learn": {"core"},
    "games": {"core", "search", "solve", "learn"},
    "testing": {"core"},
    "arena": {"core", "search", "solve"},
    "train": {"core", "learn", "arena"},
    "web": {"core", "arena", "train", "compiling"},
    "interop": {"core", "games"},
    "studies": {"core", "arena", "games", "solve", "learn", "train"},  # of the games only its own
}
MODULES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if len(path.relative_to(SOURCE).parts) > 1)


def imported_packages(path: Path) -> set[str]:
    """The second part of every ``ludens.package...`` a module imports, wherever the import stands."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
    return {name.split(".")[1] for name in names if name.startswith("ludens.")}


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_arrows_point_one_way(module: Path) -> None:
    package = module.parts[0]
    also = (
        {"__version__"} if package in ("arena", "train") else {"console"} if module.stem.endswith("commands") else set()
    )
    assert imported_packages(SOURCE / module) - {package} <= ALLOWED[package] | also


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] == "games" and len(m.parts) >= 3], ids=str)
def test_games_do_not_know_each_other(module: Path) -> None:
    tree = ast.parse((SOURCE / module).read_text(encoding="utf-8"))
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert all(name.split(".")[2] == module.parts[1] for name in froms if name.startswith("ludens.games."))


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] == "studies"], ids=str)
def test_a_study_knows_only_its_own_game(module: Path) -> None:
    tree = ast.parse((SOURCE / module).read_text(encoding="utf-8"))
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert all(module.stem.startswith(name.split(".")[2]) for name in froms if name.startswith("ludens.games."))


@pytest.mark.parametrize("code", ["import ludens", "import ludens.cli"])
def test_importing_is_light(code: str) -> None:
    check = f"{code}; import sys; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


PROMISED = {"numba", "numba.__version__", "numba.TypingError", "numba.extending.overload"}  # by Numba, to anybody


@pytest.mark.parametrize("module", sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py")), ids=str)
def test_one_module_knows_what_numba_is_like_inside(module: Path) -> None:
    names: set[str] = set()
    for node in ast.walk(ast.parse((SOURCE / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names if alias.name.split(".")[0] in ("numba", "llvmlite")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("numba", "llvmlite"):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "numba":
            names.add(f"numba.{node.attr}")
    assert module == Path("core/numba_parts.py") or names <= PROMISED


# to be shortened with what stands around them
LONG_FILES: set[str] = set()
LONG: set[str] = set()
CROWDED: set[str] = set()


def test_no_file_is_too_long() -> None:
    assert {source.path for source in size.working_tree() if source.lines > size.MAX_FILE} <= LONG_FILES


def test_no_function_is_too_long() -> None:
    every = [function for source in size.working_tree() for function in source.functions]
    assert {function.name for function in every if function.lines > size.MAX_FUNCTION} <= LONG


def test_no_function_takes_too_much() -> None:
    """Kernels, commands and declarations of cards may."""
    assert {function.name for function in size.crowded(size.working_tree())} <= CROWDED


def test_size_counts_what_is_read_by_python() -> None:
    said = '"""Not this."""\n\ndef f(a, *, b):  # nor this\n    """Nor this."""\n    return "a"\n'
    source = size.Source("f.py", said)
    assert source.tokens == 12
    assert source.functions == [size.Function("f.py:f", 3, 2, may_have_many=False)]


def test_size_knows_who_may_take_much() -> None:
    said = "@kernel\ndef f(): ...\n@app.command()\ndef g(): ...\ndef h(a: typer.Option(1)): ...\ndef i(): ...\n"
    assert [function.may_have_many for function in size.Source("f.py", said).functions] == [True, True, True, False]
    assert all(function.may_have_many for function in size.Source("games/hearthstone/card.py", said).functions)
