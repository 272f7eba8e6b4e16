"""A game in the terminal: boards as text, typed moves, and replays.

What a seat is shown comes from its view and its events. A move of another seat may contain hidden information (where a
hidden piece went), so in a game with secrets only the events describe it, as in the web app.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ludens.core.error import AgentFailure, BadOption, IllegalAction
from ludens.core.face import Face
from ludens.core.game import Game
from ludens.core.registry import advisers, is_file_spec, make_agent
from ludens.core.result import winners
from ludens.core.seat import SeatedAgent

if TYPE_CHECKING:
    from ludens.core.agent import Agent
    from ludens.core.record import Record
    from ludens.core.state import State

_HELP = "Type a move, or: hint, undo, board, moves, quit."


class TerminalGame:
    """A game of one person against agents in the terminal; ``run`` plays it. ``seat`` is the person's, counted from 0.

    ``against`` has one agent spec for all other seats or one for each; [] takes the game's usual opponent. ``seed``
    None: a random deal. ``cage`` says whether agents from files run in a cage: 'auto' (if there is one), 'require' or
    'off'.
    """

    def __init__(self, game: Game, against: list[str], seat: int, seed: int | None, cage: str = "auto") -> None:
        """Make the agents and deal the game; nothing is printed yet.

        BadOption if there is no such seat, or not as many specs as needed.
        """
        if not 0 <= seat < game.rules.seats:
            raise BadOption(f"there is no seat {seat + 1}: {game.id} has seats 1 to {game.rules.seats} here")
        self.game, self.seat, self.cage = game, seat, cage
        self.shown = -1  # number of moves made when the board was last shown
        self.agents = self._seat_agents(against or [game.roster.opponent])
        self.state = game.start(seed, self._start_fields())
        self.hinter: Agent | None = None

    def _seat_agents(self, specs: list[str]) -> dict[int, SeatedAgent]:
        """Make the agents, by seat; one spec is used for all seats but the person's.

        BadOption unless there is one spec, or one for each of these seats.
        """
        others = [seat for seat in range(self.game.rules.seats) if seat != self.seat]
        if len(specs) not in (1, len(others)):
            raise BadOption(f"--against is given {len(specs)} times, but there {_are(len(others))}")
        specs = specs * len(others) if len(specs) == 1 else specs
        agents = [_opponent(spec, self.game, self.cage) for spec in specs]
        return {seat: SeatedAgent(agent, seat) for seat, agent in zip(others, agents, strict=True)}

    def _start_fields(self) -> dict[str, Any]:
        """The start fields (decks) that the agents set; the person's seat sets none."""
        from ludens.arena.match import start_fields

        person = make_agent("random", self.game)
        agents = (self.agents[seat].agent if seat in self.agents else person for seat in range(self.game.rules.seats))
        return start_fields(self.game, list(agents))

    def run(self) -> None:
        """Play until the game is over or the person quits, printing boards, events and the result."""
        me, specs = _name(self.game, self.seat), {seat: seated.agent.spec for seat, seated in self.agents.items()}
        others = _players(self.game, specs)
        typer.echo(f"{self.game.face.title}: you are {me}, against {others}. Deal {self.state.seed}.\n{_HELP}")
        self._show_events(-1)
        self._show()
        while not self.state.over:
            if self.state.to_move != self.seat:
                self._let_agent_move()
            elif not self._ask():
                typer.echo("Goodbye.")
                return
        self._show()
        typer.echo(self._result_text())

    def _let_agent_move(self) -> None:
        """Play the move of the agent whose turn it is and print its events; AgentFailure if the agent fails."""
        seat = self.state.to_move
        try:
            action = self.agents[seat].choose(self.state)
            self.state.play(action)
        except (AgentFailure, IllegalAction) as why:
            spec = self.agents[seat].agent.spec
            raise AgentFailure(f"{_name(self.game, seat)} ({spec}) failed: {why}") from None
        self._show_events(seat)

    def _ask(self) -> bool:
        """Read one line from the person and carry it out: a move or a command. Returns False to quit.

        The board is printed first if it has changed since it was last shown.
        """
        if self.shown != len(self.state.actions):
            self._show()
        try:
            line = typer.prompt("Your move", prompt_suffix="> ", default="", show_default=False).strip()
        except (typer.Abort, EOFError, RuntimeError):  # RuntimeError: there is no standard input
            return False
        word = line.lower()
        if word in ("quit", "exit", "q"):
            return False
        if word in ("hint", "undo", "board", "moves", "help", "?", ""):
            self._answer(word)
            return True
        try:
            self.state.play(self.state.view(self.seat).parse(line))
        except IllegalAction as why:
            typer.echo(str(why))
        else:
            self._show_events(self.seat)
        return True

    def _answer(self, word: str) -> None:
        """Carry out the command hint, undo, board or moves; any other word prints the help."""
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
        """A sentence with the move that an agent would play: the strongest that gives hints in the web app.

        If none does, the game's usual opponent is asked.
        """
        if self.hinter is None:
            self.hinter = make_agent([*advisers(self.game, "policy"), self.game.roster.opponent][0], self.game)
        return f"{self.hinter.spec} would play {self.game.rules.action_text(self.hinter.choose(self.state.view()))}"

    def _undo(self) -> None:
        """Take back all moves since the person's last decision, that one included; agents forget them."""
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
        """Print the board as the person sees it, and the question to the person if it is their turn."""
        view = self.state.view(self.seat)
        typer.echo(f"\n{self.game.face.text(view)}\n")
        if view.to_move == self.seat and (question := self.game.face.asks(view)):
            typer.echo(question)
        self.shown = len(self.state.actions)

    def _show_events(self, mover: int) -> None:
        """Print what the person may know of the last move, made by seat ``mover`` (-1: of the deal)."""
        for line in _move_lines(self.state, mover, self.seat):
            typer.echo(f"  {line}")

    def _result_text(self) -> str:
        """Who won, in a sentence to the person, with the scores in games that scores decide."""
        won = winners(self.state.returns)
        scores = " : ".join(f"{score:g}" for score in self.state.scores)
        points = f", {scores}" if self.game.face.scores_decide else ""
        if not won:
            return f"Nobody has won{points}."
        if self.seat in won:
            return f"You have won{points}." if len(won) == 1 else f"You share the victory{points}."
        return f"You have lost{points}; won by {_names(self.game, won)}."


def _are(others: int) -> str:
    """The words 'is 1 other seat' or 'are 3 other seats', for this number of seats."""
    return "is 1 other seat" if others == 1 else f"are {others} other seats"


def _name(game: Game, seat: int) -> str:
    """What messages call a seat: 'player 2', or 'the phantom' where seats have names of their own."""
    name = str(game.rules.seat_names[seat])
    return f"player {name}" if name.isdigit() else f"the {name}"


def _names(game: Game, seats: list[int]) -> str:
    """The names of these seats joined by 'and'; 'nobody' for none."""
    return " and ".join(_name(game, seat) for seat in seats) or "nobody"


def _players(game: Game, specs: dict[int, str]) -> str:
    """Who plays which seat, from agent specs by seat: 'nearest as the phantom, mcts as the detectives'."""
    return ", ".join(f"{spec} as {_name(game, seat)}" for seat, spec in specs.items())


def _move_lines(state: State, mover: int, seat: int | None) -> list[str]:
    """The last move as lines of text that ``seat`` may read; seat None: with all hidden information.

    ``mover`` is the seat that moved, -1 for the deal. The events describe the move; in a game without texts for its
    events the move itself is shown, unless it is secret.
    """
    game = state.game
    move, words = game.face.told(state, len(state.actions), mover, seat)
    if mover < 0 or (words and type(game.face).event_text is not Face.event_text):
        return words
    name = _name(game, mover)
    line = f"{name}: {move}" if move else f"{name} has moved"
    return [line[0].upper() + line[1:], *words]


def _opponent(spec: str, game: Game, cage: str) -> Agent:
    """Make the agent of a spec.

    One from a file runs in a process of its own, because it may crash or hang; ``cage`` is 'auto', 'require' or 'off'.
    """
    if not is_file_spec(spec):
        return make_agent(spec, game)
    from ludens.arena.child import ChildAgent

    return ChildAgent(game, spec, cage=cage)


def _seats_that_moved(state: State) -> list[int]:
    """The seat that made each decision of the game up to ``state``, found by playing its actions again."""
    again = state.game.start(state.seed, state.fields)
    seats = []
    for action in state.actions:
        seats.append(again.to_move)
        again.play(action)
    return seats


def show_replay(record: Record, seat: int | None, folder: Path | None) -> None:
    """Print a game move by move as ``seat`` saw it (None: with all hidden information), and how it ended.

    With ``folder`` also write a picture of every position there: 0000.svg and so on. BadOption if there is no such
    seat.
    """
    final = record.replay()
    game = final.game
    if seat is not None and not 0 <= seat < game.rules.seats:
        raise BadOption(f"there is no seat {seat + 1}: the game has seats 1 to {game.rules.seats}")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    state = game.start(record.seed, record.start)
    who = _players(game, dict(enumerate(record.players)))
    typer.echo(f"{game.face.title}, deal {record.seed}{': ' + who if who else ''}")
    _show_position(state, -1, seat, folder)
    for action in record.actions:
        mover = state.to_move
        state.play(action)
        _show_position(state, mover, seat, folder)
    typer.echo(str(state.view(seat or 0)))
    typer.echo(f"{_outcome(state)}{_note(record, game, seat)}")


def _outcome(state: State) -> str:
    """How a game ended, in a sentence: the scores, or the winners. For an unfinished game the scores so far."""
    game = state.game
    if game.face.scores_decide:
        points = ", ".join(f"{_name(game, seat)} {points:g}" for seat, points in enumerate(state.scores))
        return f"{'Final' if state.over else 'So far'}: {points}"
    return f"Final: won by {_names(game, winners(state.returns))}" if state.over else "The game is not over"


def _note(record: Record, game: Game, seat: int | None) -> str:
    """The note of a record as '. note', or '', as ``seat`` may read it (None: all).

    In a game with secrets a seat gets only the part before ':'. What follows is the error message of an agent that
    failed, which may contain hidden information.
    """
    note = record.note if seat is None or not game.rules.has_secrets else record.note.partition(":")[0]
    return f". {note}" if note else ""


def _show_position(state: State, mover: int, seat: int | None, folder: Path | None) -> None:
    """Print the last move, with its number, as ``seat`` may know it; ``mover`` made it (-1: the deal).

    With ``folder`` also write a picture of the position there.
    """
    number = len(state.actions)
    for place, line in enumerate(_move_lines(state, mover, seat)):
        typer.echo(f"{number:>3}. {line}" if number and not place else f"     {line}")
    if folder is not None:
        picture = state.game.face.svg(state.view(seat))
        (folder / f"{number:04}.svg").write_text(picture, encoding="utf-8")
