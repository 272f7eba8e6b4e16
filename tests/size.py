"""How large the package is, measured: ``python -m tests.size [REVISION]``.

Tokens are Python's own, without comments, docstrings and line ends. With a revision of git every figure stands beside
what it was then.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

PACKAGE = Path("src/ludens")
ROOT = Path(__file__).parent.parent
MAX_FILE, MAX_FUNCTION, MAX_PARAMETERS = 500, 45, 8

_SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_FREE = {"kernel", "large_kernel", "required", "optional", "overload", "intrinsic", "command", "callback"}  # decorators


@dataclass(frozen=True)
class Function:
    """A function of a module. Long signatures are allowed to kernels, typer commands and declarations of cards."""

    name: str
    lines: int
    parameters: int
    may_have_many: bool


@dataclass(frozen=True)
class Source:
    """A file of the package: its path in it, and its text."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @cached_property
    def tokens(self) -> int:
        docstrings = set(self._docstrings())
        found = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return sum(token.type not in _SILENT and token.start not in docstrings for token in found)

    def _docstrings(self) -> Iterator[tuple[int, int]]:
        """Where docstrings begin."""
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
                and ast.get_docstring(node, clean=False) is not None
            ):
                yield node.body[0].lineno, node.body[0].col_offset

    @cached_property
    def functions(self) -> list[Function]:
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        return [self._function(node) for node in nodes]

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
        a = node.args
        count = len(a.posonlyargs) + len(a.args) + len(a.kwonlyargs)
        is_free = "typer." in ast.unparse(a) or bool(set(map(_name_of, node.decorator_list)) & _FREE)
        declares_cards = self.path.startswith(("games/hearthstone/cards/", "games/hearthstone/card.py"))
        name = f"{self.path}:{node.name}"
        return Function(name, (node.end_lineno or node.lineno) - node.lineno + 1, count, is_free or declares_cards)


def _name_of(decorator: ast.expr) -> str:
    """The last word of a decorator: 'command' of ``@app.command("arena")``."""
    plain = decorator.func if isinstance(decorator, ast.Call) else decorator
    return plain.attr if isinstance(plain, ast.Attribute) else getattr(plain, "id", "")


def working_tree() -> list[Source]:
    """The package as it lies here."""
    home = ROOT / PACKAGE
    return [Source(file.relative_to(home).as_posix(), file.read_text("utf-8")) for file in sorted(home.rglob("*.py"))]


def revision(name: str) -> list[Source]:
    """The package as git has it."""
    packed = subprocess.run(["git", "archive", name, str(PACKAGE)], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        found = {member.name: archive.extractfile(member) for member in archive if member.name.endswith(".py")}
        return [
            Source(Path(path).relative_to(PACKAGE).as_posix(), file.read().decode())
            for path, file in sorted(found.items())
            if file is not None
        ]


def folders(sources: list[Source]) -> Counter[str]:
    """Tokens by folder; games one by one."""
    total: Counter[str] = Counter()
    for source in sources:
        parts = source.path.split("/")[:-1]
        total["/".join(parts[:2] if parts[:1] == ["games"] else parts[:1]) or "."] += source.tokens
    return total


def crowded(sources: list[Source]) -> list[Function]:
    """Functions with more parameters than we allow."""
    every = [function for source in sources for function in source.functions]
    return [one for one in every if one.parameters > MAX_PARAMETERS and not one.may_have_many]


def _report(now: list[Source], then: list[Source]) -> Iterator[str]:
    new, old = folders(now), folders(then)
    for folder in sorted(new | old):
        yield _row(folder, new[folder], old[folder] if then else None)
    yield _row("tokens", new.total(), old.total() if then else None)
    was = {source.path: source.lines for source in then}
    yield "\nlongest files (lines)"
    for source in sorted(now, key=lambda source: -source.lines)[:10]:
        yield _row(source.path, source.lines, was.get(source.path))
    yield "\nlongest functions (lines)"
    every = [function for source in now for function in source.functions]
    for function in sorted(every, key=lambda function: -function.lines)[:10]:
        yield _row(function.name, function.lines, None)
    yield f"\nmore than {MAX_PARAMETERS} parameters"
    for function in crowded(now):
        yield _row(function.name, function.parameters, None)


def _row(name: str, now: int, then: int | None) -> str:
    return f"{name:60}{now:>9,}" + ("" if then is None else f"{then:>9,}{now - then:>+9,}")


def main(names: list[str]) -> None:
    print("\n".join(_report(working_tree(), revision(names[0]) if names else [])))


if __name__ == "__main__":
    main(sys.argv[1:])
