"""The command ``ludens train``: GAME LEARNER trains an agent, ``watch DIR`` shows how a training goes,
``pack DIR OUT`` copies the agent it made, ``exam DIR`` examines it again.

The settings of a learner become the options of its command. Slow modules are imported inside the functions, as in
``cli``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ludens.console import Options, progress, with_options
from ludens.core.error import BadOption, LudensError, Stopped, UnknownName

if TYPE_CHECKING:
    from ludens.learn.learner import Learner
    from ludens.train.exam import Mark
    from ludens.train.run import Run


class _Games(TyperGroup):
    """The group ``ludens train``: the commands ``watch``, ``pack`` and ``exam``, and a group for each game."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The ids of the games, then the other commands; Click asks for them to print the help."""
        from ludens.core.registry import working_games

        return [*working_games()[0], *super().list_commands(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, or the group of the learners of the game ``cmd_name``; Click calls it.

        UnknownName if there is no such game.
        """
        return super().get_command(ctx, cmd_name) or typer.main.get_command(_of_game(cmd_name))


class _Learners(TyperGroup):
    """The group ``ludens train GAME``: a command for each learner, made when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the learners of the game that can be loaded; Click asks for them to print the help."""
        return [name for name in _learners_of(ctx.info_name) if not _fault(ctx.info_name, name)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of the learner ``cmd_name``; Click calls it.

        UnknownName, with the learners there are, if there is none of that name.
        """
        from ludens.core.option import closest

        game, known = ctx.info_name, _learners_of(ctx.info_name)
        if cmd_name not in known:
            near = closest(cmd_name, known)
            raise UnknownName(f"there is no learner '{cmd_name}'{near}; {game} knows: {', '.join(known)}")
        cls = _class_of(game, cmd_name)
        single = typer.Typer(rich_markup_mode=None, add_completion=False)
        single.command(cmd_name, help=(cls.__doc__ or "").strip())(_command(game, cmd_name, cls))
        return typer.main.get_command(single)


def _learners_of(game: str) -> dict[str, str]:
    """The learners of a game: name -> "module:Class"; UnknownName if there is no such game."""
    from ludens.core.registry import game_class
    from ludens.learn.learner import LEARNERS

    return {**LEARNERS, **game_class(game).roster.learners}


def _class_of(game: str, learner: str) -> type[Learner]:
    """The class of a learner of a game, by its name; BrokenGame if it cannot be loaded."""
    from ludens.core.registry import load

    path = _learners_of(game)[learner]
    cls: type[Learner] = load(path, f"the learner '{learner}' that {game} names as {path}")
    return cls


def _fault(game: str, learner: str) -> str:
    """Why a learner of a game cannot be loaded, as text; '' if it can."""
    try:
        _class_of(game, learner)
    except LudensError as why:
        return str(why)
    return ""


app = typer.Typer(
    cls=_Games,
    help="Train an agent by playing games. It is written to a folder, whose path is an agent name everywhere.",
    epilog="ludens train azul --help lists the learners of a game, ludens train azul ppo --help the settings of one.",
    no_args_is_help=True,
)


@app.command()
def watch(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a training run.")],
    once: Annotated[bool, typer.Option("--once", help="Print the curve as it is now, and end.")] = False,
    web: Annotated[bool, typer.Option("--web", help="Show it in the browser, where the agent can be played.")] = False,
    port: Annotated[int, typer.Option(help="Port for --web; 0 takes any free one.")] = 8000,
) -> None:
    """Show the learning curve of a run, live while it goes on; Ctrl-C ends it."""
    if web:
        from ludens.web.serve import serve

        serve("127.0.0.1", port, None, 10.0, agents=[folder], open_page=True)
    else:
        from ludens.train.watch import watch_here

        watch_here(folder, once=once)


@app.command()
def pack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a training run.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    name: Annotated[str, typer.Option(help="What commands on its card call the agent; else OUT.")] = "",
    hour: Annotated[Path | None, typer.Option(metavar="DIR", help="A run of an hour, also for the card.")] = None,
) -> None:
    """Copy a trained agent without what only training needs, to keep or share it."""
    from ludens.train.pack import pack as copy

    model = copy(folder, out, name, hour)
    size = sum(file.stat().st_size for file in out.iterdir())
    typer.echo(f"{out}: a {model.kind} agent of {model.card['game']}, {size / 1e6:.2f} MB")


@app.command()
def exam(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a trained agent.")],
    opponent: Annotated[str, typer.Option(help="Agents to play against; else those of the exam it had.")] = "",
    games: Annotated[int, typer.Option(min=2, max=1_000_000, help="Games against each opponent.")] = 1000,
    use: Annotated[str, typer.Option(metavar="SPEC", help="A search that uses it: mcts:model=DIR. Else itself.")] = "",
    add: Annotated[bool, typer.Option("--add", help="Keep the marks that its card has.")] = False,
) -> None:
    """Examine a trained agent on seeds that training never draws, and write on its card how it did."""
    from ludens.core.registry import split_specs
    from ludens.train.mark import examine_again

    for mark in examine_again(folder, split_specs(opponent), games, use, add=add):
        typer.echo(f"{mark.text()}, {mark.games} games: {mark.command}")


def _of_game(name: str) -> typer.Typer:
    """The app of ``ludens train GAME`` for the game ``name``; UnknownName if there is none."""
    _learners_of(name)
    group = typer.Typer(cls=_Learners, no_args_is_help=True, rich_markup_mode=None, add_completion=False)
    group.callback(help=f"Train an agent for {name}.")(lambda: None)  # without a callback it would be no group
    return group


def _command(game: str, learner: str, cls: type[Learner]) -> Callable[..., None]:
    """Make the function that Typer calls for a learner; its arguments are the learner's settings and those of a run."""

    @with_options(cls.Settings)
    def train(
        ctx: typer.Context,
        *,
        option: Options = None,
        config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings as TOML, as config.toml.")] = None,
        minutes: Annotated[float, typer.Option(help="Stop after so many minutes; --resume goes on. 0: no limit.")] = 0,
        out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder to write; else a new one.")] = None,
        resume: Annotated[Path | None, typer.Option(metavar="DIR", help="Go on with the run in this folder.")] = None,
        tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write events for TensorBoard.")] = False,
        **given: Any,
    ) -> None:
        """Train with the settings given on the command line."""
        from ludens.train.run import Run
        from ludens.train.tensorboard import must_have_tensorboard

        typed = {name.removesuffix("_"): value for name, value in given.items() if _is_typed(ctx, name)}
        if not 0 <= minutes <= 1e6:
            raise BadOption(f"--minutes {minutes:g} is not possible: give a number from 0 to 1,000,000")
        if tensorboard:
            must_have_tensorboard()
        if resume:
            if typed or option or config or out:
                raise BadOption("--resume goes on with a run as it was begun: leave out all but --minutes")
            run = _same(Run.resume(resume), game, learner)
        else:
            run = _begin(game, learner, option, config, typed, out)
        _train(run, minutes, tensorboard=tensorboard)

    return train


def _is_typed(ctx: typer.Context, name: str) -> bool:
    """Whether a setting was given on the command line."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _same(run: Run, game: str, learner: str) -> Run:
    """The run, if it is one of this game and learner; else BadOption."""
    if (run.plan.game, run.plan.learner) != (game, learner):
        raise BadOption(
            f"{run.folder} is a run of {run.plan.game} {run.plan.learner}: "
            f"ludens train {run.plan.game} {run.plan.learner} --resume {run.folder}"
        )
    return run


def _begin(
    game: str, learner: str, option: list[str] | None, config: Path | None, typed: dict[str, Any], out: Path | None
) -> Run:
    """Begin a run with the settings of a configuration file, replaced by those that were typed."""
    from ludens.core.option import read_pairs
    from ludens.core.registry import make_game
    from ludens.train.plan import make_plan, read_toml, table_of
    from ludens.train.run import Run

    found = read_toml(config) if config else {}
    for name, wanted in (("game", game), ("learner", learner)):
        if found.get(name, wanted) != wanted:
            raise BadOption(f"{config} is for {name} {str(found[name])[:40]}, not {wanted}")
    options = table_of(found, "options") | read_pairs(",".join(option or []), game)
    settings = table_of(found, "settings") | typed
    plan = make_plan(make_game(game, **options), learner, settings)
    return Run.begin(out or free_folder(f"{game}-{learner}"), plan)


def free_folder(name: str) -> Path:
    """A folder of this name in the present one, with a number behind it if there is one already."""
    places = [Path(name), *(Path(f"{name}-{number}") for number in range(2, 1000))]
    return next(place for place in places if not place.exists())


def _train(run: Run, minutes: float, *, tensorboard: bool) -> None:
    """Let a run go on, show how it goes, and print how well the agent plays at the end and how to play against it."""
    from ludens.train.tensorboard import write_events

    go_on = f"ludens train {run.plan.game} {run.plan.learner} --resume {run.folder}"
    marks = learn(run, minutes, go_on)
    if tensorboard:
        write_events(run.folder)
    for line in (*run.learner.summary(), *(mark.text() for mark in marks)):
        typer.echo(line)
    if not run.is_done:
        typer.echo(f"not finished; to go on: {go_on}")
    options = "".join(f" -o {name}={value}" for name, value in run.plan.options.items())
    typer.echo(f"Play against it:  ludens play {run.plan.game}{options} --against {run.folder}")
    typer.echo(f"in the browser:   ludens serve --open --agent {run.folder}")


def learn(run: Run, minutes: float, go_on: str) -> list[Mark]:
    """Let a run go on for so many minutes (0: to its end), show how it goes, and hold the exam at the end.

    Returns the marks of that. After Ctrl-C it leaves a checkpoint and raises `Stopped`, with the command ``go_on``.
    """
    from ludens.core.system import lock_file, when_stopped

    typer.echo(f"{run.plan.command}\nwriting {run.folder}; Ctrl-C stops it and --resume {run.folder} goes on")
    with lock_file(run.folder / ".lock") as holder:
        if holder:
            raise BadOption(f"{run.folder} is being trained by {holder}: wait for it, or begin a run in another folder")
        display = _Display()
        with progress(run.plan.learner) as report:
            run.listen = display.to(report)
            try:
                with when_stopped(run.stop):
                    is_stopped = not run.go(minutes) and run.is_stopping
            except KeyboardInterrupt:
                is_stopped = True
        if is_stopped:
            raise Stopped(f"stopped; to go on: {go_on}")
        with progress("exam") as report:
            run.listen = display.to(report)
            return run.finish()


class _Display:
    """Shows how a run goes: a bar of progress, and a line for each exam."""

    def __init__(self) -> None:
        self._report: Callable[..., None] = print
        self._told = -1  # steps made at the exam that was told last

    def to(self, report: Callable[..., None]) -> _Display:
        """The same, with another bar."""
        self._report = report
        return self

    def __call__(self, run: Run) -> None:
        """Update the bar, and print the marks of an exam that has just ended."""
        done, speed = run.learner.done, run.learner.done / max(run.seconds, 1e-9)
        last = f", {run.marks[0].text()}" if run.marks else ""
        self._report(done, run.total, f"{run.doing}, {speed:,.0f} {run.learner.unit}/s{last}")
        if run.marks and run.examined != self._told:
            self._told = run.examined
            marks = "; ".join(mark.text() for mark in run.marks)
            typer.echo(f"{done:>12,} {run.learner.unit} {run.seconds:>7.0f} s   {marks}")
