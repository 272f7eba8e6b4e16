"""``ludens pursuit ...``: sets of games by a configuration file, the thesis's logs, boards, and counts on boards."""

from __future__ import annotations

import itertools
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.console import progress
from ludens.core.error import BadOption, IllegalAction
from ludens.core.file import dated_file, file_of, text_of
from ludens.games.pursuit.board_check import MAX_DETECTIVES, Board, counted
from ludens.games.pursuit.board_file import MAX_BYTES, board_names, find_board, read_board
from ludens.games.pursuit.record import CAUGHT, ESCAPED, STUCK
from ludens.games.pursuit.thesis.game_log import (
    GameLog,
    Played,
    SetLog,
    board_of_log,
    matrix_of,
    matrix_text,
    read_log,
    replay_log,
    verdict,
)
from ludens.games.pursuit.thesis.run import Config, GameSet, PersonLeft, read_config

if TYPE_CHECKING:
    from ludens.core.state import State

app = typer.Typer(help="Commands of the pursuit game.", rich_markup_mode=None, add_completion=False)

_HELP = "Type a move, or: moves, board, quit (leaves this game)."
_MOST_LOG = 1 << 18  # bytes


@app.command()
def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.INI", help="What to play; sections as in the thesis.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where logs are written.")] = Path(),
) -> None:
    """Play a set of games as a configuration file asks for, and write the thesis's logs."""
    wanted = read_config(config)
    seed = secrets.randbits(32) if wanted.game.seed is None else wanted.game.seed
    person = _Terminal()
    runs = _Run(wanted, GameSet(wanted, seed, person.ask, person.tell_end), out)
    if wanted.game.seed is None:
        typer.echo(f"seed {seed}", err=True)
    try:
        runs.play()
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        runs.finish()


class _Run:
    """A set of games in progress: counts the results, shows them and writes the logs, as the configuration asks for."""

    def __init__(self, config: Config, games: GameSet, folder: Path) -> None:
        """Begin a set: make the file of the set log in ``folder``, if the configuration asks for logs."""
        self.config, self.games = config, games
        self.wins = [0, 0]
        self.left = 0  # games that a person left
        self.writes = config.game.log != "no"
        if self.writes:
            folder.mkdir(parents=True, exist_ok=True)
            self.file = dated_file(folder, "", ".txt")
            self._write_set()

    def play(self) -> None:
        """Play all games; the set log is written anew after each batch, so that an interrupted run has its results."""
        needs_terminal = self.config.game.cmd == "game" or "" in self.config.specs
        with nullcontext() if needs_terminal else _progress(len(self.games)) as tell:
            for batch in self.games.play():
                for what in batch:
                    self._add(what)
                if tell:
                    tell(sum(self.wins) + self.left, len(self.games))
                if self.writes:
                    self._write_set()

    def _add(self, what: Played | None) -> None:
        """Count one finished game and show it; ``what`` is None for a game that a person left."""
        if what is None:
            self.left += 1
        else:
            self.wins[what.winner] += 1
            self._show_game(what)

    def _show_game(self, what: Played) -> None:
        """Print a game and write its game log, where the configuration asks for games."""
        if "game" not in (self.config.game.cmd, self.config.game.log):
            return
        log = GameLog(self.config.head, matrix_of(self.games.game, what), what.winner)
        if self.config.game.cmd == "game":
            typer.echo(f"{matrix_text(log.matrix)}\n{verdict(log.winner)}\n")
        if self.config.game.log == "game":
            digits = len(str(len(self.games)))
            number = sum(self.wins) + self.left
            self.file.with_stem(f"{self.file.stem}_{number:0{digits}}").write_text(str(log), encoding="utf-8")

    def _write_set(self) -> None:
        """Write the set log anew, with the results so far."""
        self.file.write_text(str(self._set()), encoding="utf-8")

    def _set(self) -> SetLog:
        """The set log with the results so far."""
        return SetLog(self.config.head, (self.wins[0], self.wins[1]))

    def finish(self) -> None:
        """Print the summary, the number of games that were not finished, and where the logs were written."""
        if self.config.game.cmd != "no":
            typer.echo(self._set().summary, nl=False)
        missing = len(self.games) - sum(self.wins)
        if missing:
            typer.echo(f"{missing} of {len(self.games)} games were not finished and do not count", err=True)
        if self.writes:
            typer.echo(f"wrote {self.file}", err=True)


@contextmanager
def _progress(games: int) -> Iterator[Any]:
    """Context manager: show a progress bar for a number of games.

    Gives a function that is called with the games done and the games in all.
    """
    with progress("playing") as tell:
        tell(0, games)
        yield tell


class _Terminal:
    """A person at the terminal who types moves, for one seat or for both."""

    def __init__(self) -> None:
        self._game: State | None = None
        self._printed = 0  # steps of its history
        self._seat = 0

    def ask(self, state: State) -> int:
        """Ask for the move of the seat to move and return its action id; raises PersonLeft if the person stops."""
        self._seat = state.to_move
        self._print_events(state)
        typer.echo(f"\n{state.game.face.text(state.view())}\n{_HELP}")
        while True:
            line = self._line(state.game.rules.seat_names[state.to_move])
            if line == "quit":
                raise PersonLeft(for_good=False)
            if line in ("moves", "board", "help", ""):
                words = {"moves": ", ".join(state.moves()), "board": state.game.face.text(state.view())}
                typer.echo(words.get(line, _HELP))
                continue
            try:
                return state.parse(line)
            except IllegalAction as why:
                typer.echo(str(why))

    def _line(self, who: str) -> str:
        """Read one line in lower case after the prompt ``who``; raises PersonLeft if there is no more input."""
        try:
            line: str = typer.prompt(who, prompt_suffix="> ", default="", show_default=False)
        except (typer.Abort, EOFError, RuntimeError):  # the last: there is no standard input at all
            raise PersonLeft(for_good=True) from None
        return line.strip().lower()

    def tell_end(self, state: State) -> None:
        """Print what happened since the last question, and the last position, which begins with who won and why."""
        self._print_events(state)
        typer.echo(f"\n{state.game.face.text(state.view(self._seat))}\n")

    def _print_events(self, state: State) -> None:
        """Print what happened since the last question, as far as the seat that was asked may know it."""
        if state is not self._game:
            self._game, self._printed = state, 0
        for event in itertools.chain(*state.heard(self._seat)[self._printed :]):
            words = "" if event.kind in (CAUGHT, ESCAPED, STUCK) else state.game.face.event_text(event)
            if words:
                typer.echo(f"  {words}")
        self._printed = len(state.history)


@app.command()
def log(
    file: Annotated[Path, typer.Argument(help="A set log or a game log.")],
    board: Annotated[str | None, typer.Option(help="The board to use instead of the one the log names.")] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE.json", help="Write the game as a record.")] = None,
) -> None:
    """Check a log of the thesis: replay its moves by the rules, and compare its tickets and its result."""
    found = read_log(text_of(file, _MOST_LOG, "log"))
    if isinstance(found, SetLog):
        if record:
            raise BadOption(f"{file.name} is a set log: only a game log has moves that make a record")
        typer.echo(f"{found}\nThe counts and shares agree.")
        return
    state = replay_log(found, board or board_of_log(found.head, file.parent))
    if record:
        record.write_text(state.record.to_json() + "\n", encoding="utf-8")
    moved = sum(1 for action in state.actions if action)
    moves, passes = counted(moved, "move"), counted(len(state.actions) - moved, "pass", "passes")
    typer.echo(f"{found}\n{moves} and {passes} are legal; tickets and result agree.")


@app.command()
def perfect(
    board: Annotated[str, typer.Option(help="A board, or a board file.")] = "plan1",
    detectives: Annotated[int, typer.Option(help="Number of detectives.", min=1, max=MAX_DETECTIVES)] = 3,
    tickets: Annotated[bool, typer.Option(help="Give them the board's tickets instead of unlimited ones.")] = False,
) -> None:
    """Compute exactly from which starts detectives who always see the phantom win, and within how many rounds."""
    from ludens.games.pursuit.perfect import perfect_bound

    found = perfect_bound(find_board(board), detectives, tickets=tickets)
    typer.echo(f"detectives who always see the phantom win, of {found.starts} ordered placements on the start stops:")
    for number, won in enumerate(found.won, 1):
        typer.echo(f"within {number:2} round{'s' * (number > 1)}: {won}")


@app.command()
def places(
    board: Annotated[str, typer.Argument(help="A board, or a board file.")],
    detectives: Annotated[
        int, typer.Option(help="Number of detectives, 0: as the board says.", min=0, max=MAX_DETECTIVES)
    ] = 0,
    games: Annotated[int, typer.Option(help="Number of games.", min=1)] = 400,
    seed: Annotated[int, typer.Option(help="Seed of the first game; each further game has the next one.", min=0)] = 1,
    agent: Annotated[str, typer.Option(help="The agent for both seats.")] = "mcts:sims=500,lean=none",
) -> None:
    """Count how far from detectives phantoms are found, for `mcts:lean=places`: an agent plays itself; prints JSON."""
    from ludens.games.pursuit.game import Pursuit
    from ludens.games.pursuit.places import count_places

    game = Pursuit(board=board, detectives=detectives)
    try:
        with _progress(games) as tell:
            found = count_places(game, agent, games, seed, lambda done: tell(done, games))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    name, team = game.rules.board.id, game.rules.detectives
    made = f"ludens pursuit places {name} --detectives {team} --games {games} --seed {seed} --agent {agent}"
    entry = f"{json.dumps(f'{name} {team}')}: {json.dumps(found)}"  # one line, as in places.json
    typer.echo(f'{{\n "made": {json.dumps(made)},\n "counts": {{\n  {entry}\n }}\n}}')


@app.command()
def boards() -> None:
    """List the boards that have a name: those shipped with ludens, and those stored from your files."""
    typer.echo(f"{'board':24} {'stops':>5} {'links':>5} {'starts':>6} {'detectives':>10} {'rounds':>6}")
    for name in board_names():
        try:
            b = find_board(name)
        except BadOption as why:  # one changed file must not hide the others
            typer.echo(f"{name:24} {why}")
            continue
        links = sum(map(len, b.links.values()))
        typer.echo(f"{name:24} {b.stops:5} {links:5} {len(b.starts):6} {b.detectives:10} {b.rounds:6}")


@app.command()
def board(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A board file, or the name of a board.")],
) -> None:
    """Check a board file: describe the board, or say what is wrong with it."""
    path = None if file in board_names() else file_of(file)
    typer.echo(_described(read_board(text_of(path, MAX_BYTES, "board"), path.stem) if path else find_board(file)))


def _described(b: Board) -> str:
    """A board in words, one property a line, as `ludens pursuit board` prints it."""
    links = ", ".join(f"{len(pairs)} {mode}" for mode, pairs in b.links.items())
    rows = {
        "stops": str(b.stops),
        "links": f"{sum(map(len, b.links.values()))} ({links})",
        "only by black": ", ".join(b.black_only),
        "starts": " ".join(map(str, b.starts)),
        "phantom": ", ".join(f"{count} {kind}" for kind, count in _counted(b).items()),
        "detectives": f"{b.detectives}, each {', '.join(f'{n} {kind}' for kind, n in b.detective_tickets.items())}",
        "rounds": f"{b.rounds}, the phantom is seen after its moves {' '.join(map(str, b.reveals)) or '-'}",
        "cannot move": f"phantom: {b.stuck_phantom}, all detectives: {b.stuck_detectives}",
        "note": b.note,
    }
    return "\n".join([b.name, *(f"{name:14} {words}" for name, words in rows.items() if words)])


def _counted(b: Board) -> dict[str, int]:
    """The number of the phantom's tickets on a board, by kind, for the board's number of detectives.

    Without those it lacks.
    """
    own = {kind: b.detectives if count == "detectives" else int(count) for kind, count in b.phantom_tickets.items()}
    return {kind: count for kind, count in own.items() if count}
