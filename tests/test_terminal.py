"""A game in the terminal: what is asked, what is told, and that nobody is told what he may not know."""

from __future__ import annotations

import contextlib
import dataclasses
import io
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from ludens.core.agent import Agent
from ludens.core.face import Face
from ludens.core.game import Game
from ludens.core.registry import game_class, game_names, make_game
from ludens.core.seat import SeatedAgent
from ludens.core.state import State
from ludens.games.hearthstone.deck import find_deck
from ludens.terminal import TerminalGame, show_replay
from ludens.testing.lanes import Group
from ludens.testing.sample import Sample

DEALS, GROUPS, MOVES = 1500, 5, 12
SECRET = [name for name in game_names() if game_class(name).Rules.has_secrets]
PURSUIT = make_game("pursuit", board="plan1", detectives=2)


class ScriptEnds(Exception):
    """All moves have been played."""


class Scripted(Agent):
    """Plays the moves it is given, whatever it sees."""

    name = "scripted"

    def __init__(self, game: Game, actions: list[int]) -> None:
        super().__init__(game)
        self.actions = actions

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        if not self.actions:
            raise ScriptEnds
        return np.array([self.actions.pop(0)])


class Screen:
    """What commands print, and what is typed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def play(self, game: Game, seat: int, seed: int, moves: list[tuple[int, int]], typed: str = "") -> str:
        """A game in which the others play their part of the (seat, action) moves, and the person types his own."""
        table = TerminalGame(game, ["random"], seat, seed)
        for other in table.agents:
            table.agents[other] = SeatedAgent(Scripted(game, [a for mover, a in moves if mover == other]), other)
        lines = [game.rules.action_text(action) for mover, action in moves if mover == seat]
        self.monkeypatch.setattr("sys.stdin", io.StringIO(typed or "\n".join([*lines, "quit", ""])))
        with contextlib.suppress(ScriptEnds):
            table.run()
        return self.printed()

    def replay(self, state: State, seat: int | None, **changed: Any) -> str:
        show_replay(dataclasses.replace(state.record, **changed), seat, None)
        return self.printed()

    def printed(self) -> str:
        """Less the first line, which names the deal."""
        return self.capsys.readouterr().out.partition("\n")[2]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Screen:
    return Screen(monkeypatch, capsys)


def played(game: Game, seed: int, actions: tuple[int, ...]) -> tuple[State, list[tuple[int, int]]]:
    """A game after some moves, and who made which."""
    state, moves = game.start(seed), []
    for action in actions:
        moves.append((state.to_move, action))
        state.play(action)
    return state, moves


def alike(game: Game, seat: int) -> Iterator[list[tuple[int, tuple[int, ...]]]]:
    """Games, as seeds and actions, in which a seat heard the same from the deal on."""
    sample = Sample(game, 1, seed=1)
    lanes = Group.dealt(sample, DEALS)
    hears = partial(lanes.heard, seat=seat)
    for group in lanes.groups(range(DEALS), hears, 6)[:GROUPS]:
        left = group
        for _ in range(MOVES):
            kept = [(int(lanes.seeds[lane]), tuple(lanes.played(lane))) for lane in left]
            running = lanes.running(left)
            if len(running) < 2:
                break
            lanes.play(running, lanes.choose(sample, running, seat))
            closer = lanes.groups(running, hears, 6)
            if not closer:
                break
            left = closer[0]
        yield kept


def leaks(screen: Screen, game: Game, seat: int) -> tuple[int, int]:
    """How many games alike to a seat were compared, and how many of them the terminal tells apart."""
    compared = apart = 0
    for group in alike(game, seat):
        told = set()
        for seed, actions in group[:3]:
            state, moves = played(game, seed, actions)
            told.add((screen.play(game, seat, seed, moves), screen.replay(state, seat)))
        compared, apart = compared + len(group[:3]) - 1, apart + len(told) - 1
    return compared, apart


@pytest.mark.parametrize("name", SECRET)
def test_the_terminal_tells_a_seat_only_what_it_heard(screen: Screen, name: str) -> None:
    game = make_game(name)
    for seat in range(game.rules.seats):
        compared, apart = leaks(screen, game, seat)
        assert compared > 3
        assert apart == 0


def test_a_leak_would_be_found(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(PURSUIT.rules), "has_secrets", False)
    monkeypatch.setattr(type(PURSUIT.face), "event_text", Face.event_text)
    assert leaks(screen, PURSUIT, 1)[1] > 0


@pytest.mark.parametrize(
    ("game", "spec"), [("dicewars", "stei-adt"), ("azul", "heuristic"), ("pursuit", "mcts-thesis:sims=2000")]
)
def test_a_newcomer_meets_whom_the_game_names(game: str, spec: str) -> None:
    assert {seated.agent.spec for seated in TerminalGame(make_game(game), [], 0, 1).agents.values()} == {spec}


def chase(moves: int = 3) -> tuple[State, list[tuple[int, int]]]:
    state = PURSUIT.start(seed=4)
    actions = []
    for _ in range(moves):
        actions.append(state.legal[0])
        state.play(actions[-1])
    return played(PURSUIT, 4, tuple(actions))


def test_detectives_are_not_told_where_the_phantom_goes(screen: Screen) -> None:
    state, moves = chase()
    secret = PURSUIT.rules.action_text(state.actions[0])
    for told in (screen.play(PURSUIT, 1, 4, moves), screen.replay(state, 1)):
        assert "Move 1 of the phantom: taxi" in told
        assert secret not in told
        assert "The phantom is now" not in told
    assert "The phantom is now at stop" in screen.replay(state, None)
    assert "The phantom is now at stop" in screen.replay(state, 0)


def test_the_words_of_an_agent_that_failed_are_for_its_own_seat(screen: Screen) -> None:
    note = "seat 1 lost by illegal: 'taxi 99' is not a legal move here; legal moves are: taxi 16"
    state, _ = chase()
    assert "taxi 16" in screen.replay(state, None, note=note)
    told = screen.replay(state, 1, note=note)
    assert "lost by illegal" in told
    assert "taxi 16" not in told


def test_every_decision_is_asked_for_on_a_fresh_board(screen: Screen) -> None:
    _, moves = chase()
    told = screen.play(PURSUIT, 1, 4, moves)
    for number in (1, 2):
        assert told.count(f"Choose where detective {number} goes.") == 1
        assert told.count(f"Moves of D{number}:") == 1
    again = screen.play(PURSUIT, 1, 4, moves, typed="nonsense\nhelp\nboard\nquit\n")
    assert again.count("Choose where detective 1 goes.") == 2


def test_undo_asks_again(screen: Screen) -> None:
    _, moves = chase()
    first = PURSUIT.rules.action_text(moves[1][1])
    told = screen.play(PURSUIT, 1, 4, moves, typed=f"{first}\nundo\nquit\n")
    assert told.count("Choose where detective 1 goes.") == 2


def test_seats_are_called_by_their_names_and_points_that_do_not_decide_are_not_told(screen: Screen) -> None:
    state = PURSUIT.start(seed=4)
    moves = []
    while not state.over:
        moves.append((state.to_move, state.legal[0]))
        state.play(state.legal[0])
    winner = ("the phantom", "the detectives")[int(state.returns[1] > 0)]
    replayed = screen.replay(state, None, players=["nearest", "random"])
    assert replayed.splitlines()[-1] == f"Final: won by {winner}"
    loser = int(winner == "the phantom")
    assert screen.play(PURSUIT, loser, 4, moves).splitlines()[-1] == f"You have lost; won by {winner}."
    assert screen.play(PURSUIT, 1 - loser, 4, moves).splitlines()[-1] == "You have won."
    assert "layer 1" not in replayed


def test_points_are_told_where_they_decide_and_a_move_is_told_once(screen: Screen) -> None:
    azul = make_game("azul")
    state, moves = azul.start(seed=3), []
    while not state.over:
        moves.append((state.to_move, state.legal[0]))
        state.play(state.legal[0])
    told = screen.play(azul, 0, 3, moves)
    points = " : ".join(f"{score:g}" for score in state.scores)
    assert points in told.splitlines()[-1]
    second = azul.rules.action_text(next(action for mover, action in moves if mover == 1))
    assert f"Player 2: {second}" not in told
    assert "Player 2 takes" in told
    assert screen.replay(state, None).splitlines()[-1].startswith("Final: player 1 ")


def test_a_game_that_nobody_wins_says_so(screen: Screen) -> None:
    game = make_game("dicewars", players=3, max_turns=3)
    moves = [(seat, 0) for seat in range(3)]
    assert screen.play(game, 0, 1, moves).splitlines()[-1] == "Nobody has won."
    state = game.start(1)
    for _, action in moves:
        state.play(action)
    assert screen.replay(state, None).splitlines()[-1] == "Final: won by nobody"


def test_a_game_without_words_tells_the_moves_themselves(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    azul = make_game("azul")
    monkeypatch.setattr(type(azul.face), "event_text", lambda self, event: "")
    state, _ = played(azul, 3, tuple(azul.start(seed=3).legal[:1]))
    assert f"  1. Player 1: {azul.rules.action_text(state.actions[0])}" in screen.replay(state, None)


def test_agents_bring_their_decks_and_the_person_plays_the_tables() -> None:
    state = TerminalGame(make_game("hearthstone", deck1="malygos"), ["secret-paladin"], 0, 3).state
    lists = state.raw.lists.tolist()
    assert lists[0] == list(find_deck("malygos").cards)
    assert lists[1] == list(find_deck("secret").cards)
