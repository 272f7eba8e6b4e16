"""What the contract kit reports: checks, what they found, and which were skipped and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ludens.core.option import as_text

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.testing.sample import Sample


def name_of(game: Game) -> str:
    """The id of a game and its changed options: 'azul players=3'."""
    changed = [f"{name}={as_text(value)}" for name, value in game.rules.option_values(changed=True).items()]
    return " ".join([game.id, *changed])


class Skip(Exception):
    """Raised by a check that does not apply to a game; its text says why."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """A fault that a check found, as the report shows it; to see it, deal from ``seed`` and play ``actions``."""

    check: str
    sentence: str
    seed: int | None = None
    actions: tuple[int, ...] = ()

    @property
    def move(self) -> int:
        """The number of moves played before the fault shows."""
        return len(self.actions)

    def __str__(self) -> str:
        where = "" if self.seed is None else f" [seed {self.seed}, after {self.move} moves: {list(self.actions)}]"
        return f"{self.check}: {self.sentence}{where}"


Breach = tuple[str, int | None, tuple[int, ...]]  # a fault: sentence, seed, actions


def finding(sentence: str, seed: int | None = None, actions: tuple[int, ...] = ()) -> Breach:
    """Make a breach as checks yield it: (sentence, seed, actions); the actions lead from the deal to the fault."""
    return sentence, seed, actions


@dataclasses.dataclass(frozen=True)
class Check:
    """One promise of the contract: its name, a sentence that states it, and the function that tests it."""

    name: str
    sentence: str
    function: Callable[[Sample], Iterator[Breach]]

    @classmethod
    def of(cls, function: Callable[[Sample], Iterator[Breach]]) -> Check:
        """The check that a function makes: its name, and the first line of its docstring as the promise it tests."""
        return cls(function.__name__, (function.__doc__ or "").strip().partition("\n")[0], function)


@dataclasses.dataclass
class Report:
    """What the kit found in one game with one set of options."""

    game: str
    findings: list[Finding] = dataclasses.field(default_factory=list)
    passed: list[str] = dataclasses.field(default_factory=list)
    skipped: dict[str, str] = dataclasses.field(default_factory=dict)  # check -> why

    @property
    def ok(self) -> bool:
        """Whether no check found a fault."""
        return not self.findings

    @property
    def failed(self) -> list[str]:
        """The names of the checks that found something, each once."""
        return list(dict.fromkeys(found.check for found in self.findings))

    def __str__(self) -> str:
        ways = f"{len(self.failed)} way{'s' if len(self.failed) > 1 else ''}"
        verdict = "keeps the contract" if self.ok else f"breaks the contract in {ways}"
        lines = [f"{self.game} {verdict} ({len(self.passed)} checks passed, {len(self.skipped)} skipped)"]
        lines += [f"  {found}" for found in self.findings]
        return "\n".join(lines + [f"  {name} skipped: {why}" for name, why in self.skipped.items()])
