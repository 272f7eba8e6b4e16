"""The commands ``ludens solve liars-dice`` and ``ludens exploit liars-dice``; functions import heavy modules inside."""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.console import progress
from ludens.core.error import BadOption, Stopped
from ludens.core.system import command_text, peak_mb

if TYPE_CHECKING:
    from ludens.games.liars_dice.tree import Round
    from ludens.solve.vector_cfr import Gap, Progress

app = typer.Typer(rich_markup_mode=None, add_completion=False)
MOST_ITERATIONS = 20_000

Dice = Annotated[str, typer.Option(metavar="K,M", help="Dice of the opener and of the other.")]
Faces = Annotated[int, typer.Option(help="Faces of a die, 2 to 6.")]
Raise = Annotated[str, typer.Option("--raise", metavar="RULE", help="The raise rule.")]
Wild = Annotated[str, typer.Option(help="The wild face: none, low or high.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def solve(
    dice: Dice = "5,5",
    everything: Annotated[bool, typer.Option("--all", help="All 25 positions of the match, into a folder.")] = False,
    raise_rule: Raise = "monotone",
    wild: Wild = "none",
    faces: Faces = 6,
    recall: Annotated[int | None, typer.Option(help="Remember only the last 1 to 5 bids.")] = None,
    iterations: Annotated[int, typer.Option(help="The largest number of iterations.")] = 2000,
    target: Annotated[float, typer.Option(help="Stop at this exploitability.")] = 0.0002,
    threads: Annotated[int, typer.Option(help="Number of threads; the result is the same.")] = 2,
    out: Annotated[Path | None, typer.Option(help="A file, or with --all a folder.")] = None,
    compact: Annotated[Path | None, typer.Option(metavar="FILE", help="Pack the solved folder into one file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a round, or with --all every round of the match. If it is interrupted, the same command continues."""
    from ludens.games.liars_dice import solving
    from ludens.games.liars_dice.equilibrium import solutions_folder

    _must_be(1 <= iterations <= MOST_ITERATIONS, f"--iterations {iterations}", f"1 to {MOST_ITERATIONS:,}")
    _must_be(1 <= threads <= 64, f"--threads {threads}", "1 to 64")
    _must_be(0 <= target < 2, f"--target {target:g}", "an exploitability from 0 to 2")
    folder = out or solutions_folder()
    if compact is not None:
        return _pack(folder, compact, raise_rule, threads)
    if everything:
        _must_be(dice == "5,5" and faces == 6, "--all with --dice or --faces", "one or the other: all have six faces")
        jobs = [
            dataclasses.replace(job, command=_command()) for job in solving.positions(raise_rule, wild, recall=recall)
        ]
        return _solve_all(jobs, folder, iterations, target, threads, as_json)
    round_ = _round(dice, faces, raise_rule, wild)
    job = solving.job(round_, recall, _command())
    path = out or solutions_folder() / job.file_name
    row = _solve_one(job, path, iterations, target, threads)
    return typer.echo(json.dumps(row) if as_json else _summary(row))


def _must_be(is_so: bool, what: str, possible: str) -> None:
    """Raise `BadOption` unless ``is_so``: the message names the value (``what``) and the possible ones."""
    if not is_so:
        raise BadOption(f"{what} is not possible: give {possible}")


def _round(dice: str, faces: int, raise_rule: str, wild: str) -> Round:
    """The round that command-line options describe, ``dice`` in the form 'K,M'; `BadOption` if it is impossible."""
    from ludens.games.liars_dice.tree import Round

    try:
        opener, other = (int(part) for part in dice.split(","))
    except ValueError:
        raise BadOption(f"--dice {dice} is not of the form K,M, as in --dice 5,4") from None
    _must_be(1 <= opener <= 6 and 1 <= other <= 6, f"--dice {dice}", "1 to 6 dice each, as in --dice 5,4")
    return Round((opener, other), faces, raise_rule, wild)


def _solve_one(job: Any, path: Path, iterations: int, target: float, threads: int) -> dict[str, Any]:
    """Solve the round of a job into the file ``path`` with a progress bar; returns its results, to be shown as JSON.

    An interruption raises `Stopped` with a message that says how to continue.
    """
    from ludens.solve import rounds

    path.parent.mkdir(parents=True, exist_ok=True)
    wall, cpu = time.perf_counter(), time.process_time()
    with _bar(job.name) as report:
        try:
            gap = rounds.solve_missing(job, path, iterations, threads=threads, target=target, report=report)
        except KeyboardInterrupt:
            raise Stopped(_stopped(path)) from None
    return {
        "round": job.name,
        "file": str(path),
        **_gap_fields(gap),
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - cpu,
        "peak_mb": peak_mb(),
    }


def _stopped(path: Path) -> str:
    """The message after an interruption: the checkpoint, and the command that continues from it."""
    checkpoint, command = path.with_name(f"{path.name}.checkpoint"), _command()
    if not checkpoint.exists():
        return f"stopped before the first checkpoint: `{command}` starts again from the beginning"
    return f"stopped; `{command}` goes on from {checkpoint}"


def _command() -> str:
    """The command line of this process, for messages and notes."""
    return command_text(["ludens", *sys.argv[1:]])


def _gap_fields(gap: Gap | None) -> dict[str, Any]:
    """Exploitability, value and bounds as entries of a result; all None if they are not known."""
    if gap is None:
        return {"exploitability": None, "value": None, "bounds": None}
    return {"exploitability": gap.exploitability, "value": gap.value, "bounds": list(gap.bounds)}


@contextmanager
def _bar(title: str) -> Iterator[Callable[[str, Progress], None]]:
    """Context manager: show a progress bar with the exploitability so far.

    Gives the function that solvers report to.
    """
    with progress(title) as show:

        def report(name: str, so_far: Progress) -> None:
            """Show how far the solver of the round ``name`` is."""
            known = f", exploitability {so_far.gap.exploitability:.6f}" if so_far.gap else ""
            show(so_far.iteration, so_far.iterations, f"{name}{known}")

        yield report


def _summary(row: dict[str, Any]) -> str:
    """The results of one solved round, as `_solve_one` returns them, as two lines of text."""
    if row["exploitability"] is None:
        gap = "how exploitable it is cannot be computed: the whole tree is too large"
    else:
        low, high = row["bounds"]
        bounds = f"between {low:+.6f} and {high:+.6f}"
        gap = f"exploitability {row['exploitability']:.6f}, value {row['value']:+.6f} ({bounds})"
    used = f"{row['seconds']:.1f} s, {row['cpu_seconds']:.1f} CPU s"
    memory = f", {row['peak_mb']:.0f} MB" if row["peak_mb"] else ""
    return f"{row['round']}: {gap}\n{used}{memory}; stored in {row['file']}"


def _solve_all(jobs: list[Any], folder: Path, iterations: int, target: float, threads: int, as_json: bool) -> None:
    """Solve the rounds of many jobs into a folder, printing each result, and at the end tables of the match or JSON."""
    rows = []
    for job in jobs:
        rows.append(_solve_one(job, folder / job.file_name, iterations, target, threads))
        if not as_json:
            typer.echo(_summary(rows[-1]).partition("\n")[0])
    values = {job.game.dice: row["value"] for job, row in zip(jobs, rows, strict=True)}
    if as_json:
        typer.echo(json.dumps(rows))
    elif None not in values.values():
        _print_match(values, folder)


def _print_match(values: dict[tuple[int, int], float], folder: Path) -> None:
    """Print two tables: the values of all rounds, by (opener's dice, other's dice), and the opener's match chances."""
    from ludens.games.liars_dice.solution import match_values

    for title, table in (
        ("Value of a round for its opener", {dice: f"{value:+.4f}" for dice, value in values.items()}),
        ("Chance of the opener to win the match", {d: f"{c:.4f}" for d, c in match_values(values).items()}),
    ):
        most = max(k for k, _ in table)
        typer.echo(f"\n{title} (rows: the opener's dice, columns: the other player's)")
        typer.echo("   " + "".join(f"{m:>9}" for m in range(1, most + 1)))
        for k in range(1, most + 1):
            typer.echo(f"{k:>3}" + "".join(f"{table[k, m]:>9}" for m in range(1, most + 1)))
    typer.echo(f"\nstored in {folder}")


def _pack(folder: Path, file: Path, raise_rule: str, threads: int) -> None:
    """Compress the solved rounds of a folder into one ``file``, printing a table."""
    from ludens.games.liars_dice.compact import compact_all

    compact_all(folder, file, goal=0.001, raise_rule=raise_rule, threads=threads, report=typer.echo)


@app.command()
def exploit(
    ctx: typer.Context,
    agent: Annotated[str | None, typer.Argument(help="The agent to exploit; leave it out for a file.")] = None,
    dice: Dice = "2,2",
    raise_rule: Raise = "monotone",
    wild: Wild = "none",
    faces: Faces = 6,
    threads: Annotated[int, typer.Option(help="Number of threads; the result is the same.")] = 2,
    as_json: AsJson = False,
) -> None:
    """Compute exactly how much a perfect opponent wins against a strategy: that of a file, or an agent in one round."""
    file = Path(str(ctx.info_name))  # or the name of the game
    if agent is not None:
        rows = [_exploit_agent(agent, _round(dice, faces, raise_rule, wild), threads)]
    elif file.is_file():
        rows = _exploit_file(file, threads)
    else:
        raise BadOption(f"name the agent to exploit, too: ludens exploit {file} odds")
    if as_json:
        return typer.echo(json.dumps(rows[0] if len(rows) == 1 else rows))
    for row in rows:
        low, high = row["bounds"]
        value = f"value for the opener between {low:+.6f} and {high:+.6f}"
        typer.echo(f"{row['strategy']}: exploitability {row['exploitability']:.6f}, {value}")
    return None


def _exploit_file(path: Path, threads: int) -> list[dict[str, Any]]:
    """Measure the exploitability of every strategy in a file, solved or compressed; returns a result for each."""
    from ludens.core import tensor_file
    from ludens.games.liars_dice import compact, solution
    from ludens.solve import rounds

    if "compact" in tensor_file.read_notes(path):
        found = [unpack() for unpack in compact.load_compact(path).values()]
    else:
        found = [solution.load(path)]
    return [{"strategy": str(s.game), **_gap_fields(rounds.exploit(s, threads))} for s in found]


def _exploit_agent(spec: str, round_: Round, threads: int) -> dict[str, Any]:
    """Measure the exploitability of an agent (its spec) in one round; returns the result, to be shown as JSON."""
    from ludens.games.liars_dice.round_policy import agent_for, table_of_agent
    from ludens.solve import vector_cfr

    found = agent_for(spec, round_)
    tree, table = table_of_agent(found, round_)
    gap = vector_cfr.measure(tree, table, threads)
    return {"strategy": f"{found.spec} in {round_}", **_gap_fields(gap)}
