"""The mistakes of an author who begins: each is told in one sentence that says where it is and what to do.

Each test copies Kuhn, changes a few letters, and calls ``ludens`` as the author would.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.command import Ran, caller

from ludens.core import registry

SOURCE = (Path(__file__).parent / "kuhn" / "src" / "kuhn" / "__init__.py").read_text(encoding="utf-8")
BOLD = '''

from ludens.authoring import Roster, RuleAgent


class BoldRule(NamedTuple):
    lowest: int


@implements(ops.rule, BoldRule)
@kernel
def bold(r: BoldRule, g: Any, v: Any, m: Any) -> int:
    return 1 if v.cards[v.seat] >= r.lowest else 0


class Bold(RuleAgent):
    """Bets with a queen or better."""

    name = "bold"

    def rule_settings(self) -> BoldRule:
        return BoldRule(2)


Kuhn.roster = Roster({"bold": f"{__name__}:Bold"}, levels=("random", "bold"), opponent="bold")
'''
_number = itertools.count()
Broken = Callable[..., str]


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Broken]:
    """A function that installs Kuhn, with an agent, after replacing texts of its module; it returns the module."""
    made: list[str] = []

    def install(*changes: tuple[str, str]) -> str:
        text, name = SOURCE + BOLD, f"mistaken{next(_number)}"
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.setitem(registry._found("ludens.games"), "kuhn", f"{name}:Kuhn")
        made.append(name)
        return name

    monkeypatch.syspath_prepend(tmp_path)
    yield install
    for name in made:
        sys.modules.pop(name, None)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Ran]:
    monkeypatch.setenv("LUDENS_STORE", str(tmp_path / "store.db"))
    monkeypatch.setenv("COLUMNS", "200")
    return caller(monkeypatch, capsys)


CHECK = ("check", "kuhn", "--games", "2", "--only", "results")

# what is written wrong, what instead of it; the sentence (of a game that cannot be loaded)
UNLOADABLE = [
    (("seat: int) -> int:", "seat: int) -> int"), r"line 26: expected ':'"),
    (('"kuhn", KuhnState', '"kuhm", KuhnState'), "must be a Game whose Rules have the id 'kuhn'"),
    (("class Kuhn(Game)", "class Khun(Game)"), r"line \d+: NameError: name 'Kuhn' is not defined"),
    (
        ("@implements(ops.legal, KuhnConstants)\n@kernel", "@kernel\n@implements(ops.legal, KuhnConstants)"),
        r"line \d+: legal is no kernel yet: write `@implements` above `@kernel`",
    ),
    (("option(2,", "option(4,"), r"line \d+: the default of option\(4, .*\) is not possible: one of 2, 3"),
]


@pytest.mark.parametrize(("change", "sentence"), UNLOADABLE)
def test_a_plug_in_that_cannot_be_loaded(
    broken: Broken, run: Callable[..., Ran], change: tuple[str, str], sentence: str
) -> None:
    broken(change)
    listed = run("games")
    assert "azul" in listed.out
    assert "kuhn" not in listed.out
    assert re.fullmatch(rf"kuhn cannot be loaded: .*{sentence}\n", listed.err), listed.err
    for command in (CHECK, ("arena", "kuhn", "random", "random"), ("agents", "kuhn"), ("kuhn", "--help")):
        shown = run(*command)
        assert shown.code == 2
        assert re.fullmatch(rf"\n?ludens: kuhn cannot be loaded: .*{sentence}\n", shown.err), shown.err


# the same of a game that is loaded, but cannot be made
UNMADE = [
    (("acted", "size"), r"kuhn: no field may be named 'size', an attribute of every record: rename it"),
    (("KuhnConstants(constants)", "constants"), r"kuhn: make_constants must return a NamedTuple .*, not ndarray"),
    (("rng=np.uint64, ", ""), r"kuhn: the state must begin with rng and seat: .*"),
    (
        ("actions, max_legal, max_branches", "actions, most, max_branches"),
        r"KuhnRules needs `max_legal`: set it in the class",
    ),
]


@pytest.mark.parametrize(("change", "sentence"), UNMADE)
def test_a_game_that_cannot_be_made(
    broken: Broken, run: Callable[..., Ran], change: tuple[str, str], sentence: str
) -> None:
    broken(change)
    assert "azul" in run("games").out
    assert re.fullmatch(rf"{sentence}\n", run("games").err)
    assert re.fullmatch(rf"ludens: {sentence}\n", run(*CHECK).err)


# the same of a game whose rules do not compile, or go wrong when they are played
UNPLAYABLE = [
    (
        ("s.acted += 1", "s.actd += 1"),
        r"\S+\.py, line 4\d, does not compile: a record has no field 'actd'; run again .*",
    ),
    (
        ("@kernel\ndef bet", "def bet"),
        r"\S+\.py, line \d+, does not compile: Untyped global name 'bet', which is no .*",
    ),
    (
        ("@implements(ops.chance, KuhnConstants)\n", ""),
        r"kuhn: .* the game implements no `chance`: register one with @implements\(ops.chance, KuhnConstants\w*\)",
    ),
    (("    s.acted = 0\n", ""), "kuhn: to_move answers CHANCE, even after 10,000 draws: .*"),
    (("@implements(ops.guess, KuhnConstants)\n", ""), "the game does not implement `guess`: register each with .*"),
]


@pytest.mark.parametrize(("change", "sentence"), UNPLAYABLE)
def test_rules_that_cannot_be_played_are_told_once(
    broken: Broken, run: Callable[..., Ran], change: tuple[str, str], sentence: str
) -> None:
    broken(change)
    shown = run(*CHECK)
    assert shown.code == 1
    first, finding = shown.out.splitlines()
    assert first == "kuhn breaks the contract in 1 way (0 checks passed, 0 skipped)"
    assert re.fullmatch(rf"  plays: {sentence}", finding)


def test_an_agent_that_does_not_compile_stops_the_run_before_it_begins(broken: Broken, run: Callable[..., Ran]) -> None:
    name = broken(("r.lowest else", "r.lowwest else"))
    shown = run("arena", "kuhn", "bold", "random", "--games", "10")
    assert shown.code == 2
    assert not shown.out.strip()
    last = shown.err.splitlines()[-1]
    assert last.startswith("ludens: ")
    assert f"{name}.py, line " in last
    assert "does not compile: Unknown attribute 'lowwest' of type BoldRule" in last


def test_an_agent_that_is_not_there_is_told_with_its_path(broken: Broken, run: Callable[..., Ran]) -> None:
    name = broken(('{__name__}:Bold"', '{__name__}.agent:Bold"'))
    for command in (("agents", "kuhn"), ("arena", "kuhn", "bold", "random"), ("play", "kuhn")):
        shown = run(*command)
        assert shown.code == 2
        told = (
            f"the agent 'bold' that kuhn names as {name}.agent:Bold cannot be loaded: there is no module {name}.agent"
        )
        assert shown.err.splitlines()[-1] == f"ludens: {told}"
    assert "kuhn" in run("games").out


# a roster with a mistake; what the check says
ROSTERS = [
    (('{__name__}:Bold"', '{__name__}.agent:Bold"'), "the agent 'bold' that kuhn names as .* cannot be loaded: .*"),
    (('levels=("random"', 'levels=("randon"'), "kuhn has no agent 'randon' .did you mean 'random'.*"),
    (('opponent="bold"', 'opponent="mcts"'), "the opponent 'mcts' is none of the levels, which are: random, bold"),
    (("r.lowest else 0", "r.lowest else 9"), "the agent 'bold' answers 9, which is not legal .*"),
]


@pytest.mark.parametrize(("change", "sentence"), ROSTERS)
def test_a_mistake_in_a_roster_is_found(
    broken: Broken, run: Callable[..., Ran], change: tuple[str, str], sentence: str
) -> None:
    broken(change)
    findings = [line for line in run(*CHECK[:-1], "roster").out.splitlines() if line.startswith("  ")]
    assert len(findings) == 2  # one for each set of options
    assert all(re.fullmatch(f"  roster: {sentence}", line) for line in findings), findings


def test_the_game_without_a_mistake_passes(broken: Broken, run: Callable[..., Ran]) -> None:
    broken()
    assert run("games").err == ""
    shown = run(*CHECK, "--only", "roster")
    assert shown.code == 0, shown.out
    assert "kuhn keeps the contract (4 checks passed" in shown.out
