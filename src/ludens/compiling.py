"""Compiles in advance the kernels that a game and its agents need, and estimates how long that takes.

>>> import ludens
>>> seconds = ludens.warm("azul", ["heuristic", "alphabeta:nodes=500"])

After that, these agents play in any process without waiting; ``ludens warm azul`` compiles all kernels of Azul.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ludens.core.game import Game

_MOVES = 40  # that `for_play` plays and draws: some kernels are first called later in a game


class Expected(NamedTuple):
    """Seconds of one core that compiling takes: for playing with the usual opponent, and for everything."""

    play: float
    everything: float


def expected(game: str) -> Expected:
    """About how long compiling the game with this id takes: as its roster says, or a guess if there is no such game."""
    from ludens.core.registry import game_class
    from ludens.core.roster import Roster

    try:
        return Expected(*game_class(game).roster.seconds_to_compile)
    except Exception:  # also a plug-in that does not import
        return Expected(*Roster().seconds_to_compile)


def for_play(game: Game) -> None:
    """Compile, or load from the cache, the kernels that playing a game needs, by playing up to 40 moves.

    That covers the deal, moves, views, drawings and undo, but no agents.
    """
    state = game.start(seed=1)
    while len(state.actions) < _MOVES and not state.over:
        view = state.view()
        legal = view.legal
        game.face.svg(view)
        game.face.text(view)
        game.face.why_illegal(view, 0)
        state.play(legal[7919 * len(state.actions) % len(legal)])
    state.undo(1)
    _ = state.scores, state.checksum


def for_agents(game: Game, specs: Sequence[str]) -> None:
    """Compile, or load from the cache, the kernels that the agents of these specs need to move."""
    from ludens.core.registry import make_agent, quick_spec

    view = game.start(seed=1).view()
    for spec in dict.fromkeys(quick_spec(spec, game) for spec in specs):
        agent = make_agent(spec, game)
        agent.warm_up(view)
        agent.close()


def warm(game: Game | str, agents: Sequence[str] = ()) -> float:
    """Compile what playing a game against these agents needs, so that the next process starts quickly.

    ``game`` may be the game's id. Without ``agents`` (specs): everything for all agents of the game, its features, and
    playing many games at once. Returns the seconds it took.
    """
    from ludens.core.registry import agent_names, make_game

    begun = time.perf_counter()
    game = make_game(game) if isinstance(game, str) else game
    for_play(game)
    for_agents(game, agents or [*game.roster.levels, *agent_names(game)])
    if not agents:
        _for_arena(game)
    return time.perf_counter() - begun


def _for_arena(game: Game) -> None:
    """Compile the kernels for many games at once.

    They are those of features (if the game has them), random games, and the arena's driver.
    """
    from ludens.arena.match import measure_batched
    from ludens.bench import play_random_games

    if game.rules.can("encode"):
        game.start(seed=1).view().features()
    play_random_games(game, 1)
    measure_batched(game, 0, lanes=2)
