"""A game in the terminal: boards as text, typed moves, and replays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ludens.core.error import AgentFailure, BadOption, IllegalAction
from ludens.core.registry import agent_names, is_foreign, make_agent
from ludens.core.seat import Seated

if TYPE_CHECKING:
    from ludens.core.agent import Agent
    from ludens.core.event import Event
    from ludens.core.game import Game, State
    from ludens.core.record import Record

__all__ = ["TerminalGame", "show_replay"]

_HELP = "Type a move, or: hint, undo, board, moves, quit."


class TerminalGame:
    """One person against agents."""

    def __init__(self, game: Game, against: list[str], seat: int, seed: int | None) -> None:
        if not 0 <= seat < game.seats:
            raise BadOption(f"there is no seat {seat + 1}: {game.id} has seats 1 to {game.seats} here")
        self.game, self.seat = game, seat
        self.state = game.start(seed)
        self.agents = self._seat_agents(against or [_usual_opponent(game)])
        self.hinter: Agent | None = None

    def _seat_agents(self, specs: list[str]) -> dict[int, Seated]:
        others = [seat for seat in range(self.game.seats) if seat != self.seat]
        if len(specs) not in (1, len(others)):
            raise BadOption(f"--against is given {len(specs)} times, but there are {len(others)} other seats")
        specs = specs * len(others) if len(specs) == 1 else specs
        return {seat: Seated(_opponent(spec, self.game), seat) for seat, spec in zip(others, specs, strict=True)}

    def run(self) -> None:
        """Play until the game is over or the person quits."""
        names = ", ".join(f"player {seat + 1} is {seated.agent.spec}" for seat, seated in self.agents.items())
        typer.echo(f"{self.game.title}: you are player {self.seat + 1}, {names}. Deal {self.state.seed}.\n{_HELP}")
        self._tell(self.state.history[0])
        self._show()
        while not self.state.over:
            if self.state.to_move != self.seat:
                self._let_agent_move()
            elif not self._ask():
                typer.echo("Goodbye.")
                return
        self._show()
        typer.echo(self._verdict())

    def _let_agent_move(self) -> None:
        seat = self.state.to_move
        try:
            action = self.agents[seat].choose(self.state)
            self.state.play(action)
        except (AgentFailure, IllegalAction) as why:
            raise AgentFailure(f"player {seat + 1} ({self.agents[seat].agent.spec}) failed: {why}") from None
        typer.echo(f"Player {seat + 1}: {self.game.action_text(action)}")
        self._tell(self.state.history[-1])
        if self.state.to_move == self.seat:
            self._show()

    def _ask(self) -> bool:
        """Take one line from the person; False to stop."""
        try:
            line = typer.prompt("Your move", prompt_suffix="> ", default="", show_default=False).strip()
        except (typer.Abort, EOFError, RuntimeError):  # the last: there is no standard input at all
            return False
        word = line.lower()
        if word in ("quit", "exit", "q"):
            return False
        if word in ("hint", "undo", "board", "moves", "help", "?", ""):
            self._answer(word)
            return True
        try:
            self.state.play(line)
            self._tell(self.state.history[-1])
        except IllegalAction as why:
            typer.echo(str(why))
        return True

    def _answer(self, word: str) -> None:
        if word == "hint":
            typer.echo(self._hint())
        elif word == "undo":
            self._undo()
        elif word == "board":
            self._show()
        elif word == "moves":
            typer.echo(", ".join(self.state.moves()))
        else:
            typer.echo(_HELP)

    def _hint(self) -> str:
        if self.hinter is None:
            self.hinter = make_agent(_usual_opponent(self.game), self.game)
        return f"{self.hinter.spec} would play {self.game.action_text(self.hinter.choose(self.state.view()))}"

    def _undo(self) -> None:
        """Back to the person's last decision."""
        moves, seats = len(self.state.actions), _seats_that_moved(self.state)
        mine = [number for number, seat in enumerate(seats) if seat == self.seat]
        if not mine:
            typer.echo("There is nothing to take back.")
            return
        self.state.undo(moves - mine[-1])
        for seated in self.agents.values():
            seated.follow(self.state)
        self._show()

    def _show(self) -> None:
        typer.echo(f"\n{self.game.text(self.state.view(self.seat))}\n")

    def _tell(self, events: list[Event]) -> None:
        for event in events:
            words = self.game.words(event) if event.seen_by >> self.seat & 1 else ""
            if words:
                typer.echo(f"  {words}")

    def _verdict(self) -> str:
        best = max(self.state.returns)
        winners = [seat for seat, won in enumerate(self.state.returns) if won == best]
        scores = " : ".join(f"{score:g}" for score in self.state.scores)
        if self.seat in winners:
            return f"You win, {scores}." if len(winners) == 1 else f"Shared, {scores}."
        return f"Player {winners[0] + 1} wins, {scores}."


def _opponent(spec: str, game: Game) -> Agent:
    """Code from a file is kept in a process of its own here too: it may crash or hang."""
    if not is_foreign(spec):
        return make_agent(spec, game)
    from ludens.arena.child import ChildAgent

    return ChildAgent(game, spec)


def _seats_that_moved(state: State) -> list[int]:
    again = state.game.start(state.seed, state.fields)
    seats = []
    for action in state.actions:
        seats.append(again.to_move)
        again.play(action)
    return seats


def _usual_opponent(game: Game) -> str:
    """The opponent a newcomer meets: quick and sensible where the game has one."""
    names = agent_names(game)
    return "heuristic" if "heuristic" in names else "mcts"


def show_replay(record: Record, seat: int | None, folder: Path | None) -> None:
    """Print a game move by move, or write a picture of every position into a folder."""
    final = record.replay()
    game = final.game
    if seat is not None and not 0 <= seat < game.seats:
        raise BadOption(f"there is no seat {seat + 1}: the game has seats 1 to {game.seats}")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    state = game.start(record.seed, record.start)
    who = ", ".join(f"player {i + 1} {name}" for i, name in enumerate(record.players))
    typer.echo(f"{game.title}, deal {record.seed}{': ' + who if who else ''}")
    _show_position(state, seat, folder, 0)
    for number, action in enumerate(record.actions, 1):
        mover = state.to_move
        state.play(action)
        typer.echo(f"{number}. player {mover + 1}: {game.action_text(action)}")
        _show_position(state, seat, folder, number)
    typer.echo(str(state.view(seat or 0)))
    result = ", ".join(f"player {i + 1} {points:g}" for i, points in enumerate(state.scores))
    typer.echo(f"{'Final' if state.over else 'So far'}: {result}{'. ' + record.note if record.note else ''}")


def _show_position(state: State, seat: int | None, folder: Path | None, number: int) -> None:
    for event in state.history[-1]:
        words = state.game.words(event) if seat is None or event.seen_by >> seat & 1 else ""
        if words:
            typer.echo(f"    {words}")
    if folder is not None:
        picture = state.game.svg(state.view(seat))
        (folder / f"{number:04}.svg").write_text(picture, encoding="utf-8")
