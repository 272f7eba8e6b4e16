"""Compiling in advance: what play needs, what agents need, and about how long it takes.

>>> import ludens
>>> seconds = ludens.warm("azul", ["heuristic", "alphabeta:nodes=500"])

After that, these agents play in any process without a wait; ``ludens warm azul`` compiles all that Azul has.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ludens.core.game import Game

_MOVES = 40  # played and drawn by `for_play`: a drawing may call a kernel for what comes up later in a game


class Expected(NamedTuple):
    """Seconds of one core that compiling takes: until a game can be played with its usual opponent, and for all."""

    play: float
    everything: float


# `python bench/first_start.py --cpu` on a virtual x86-64 core of 2026, and 2 s for loading what was compiled
_EXPECTED = {
    "azul": Expected(7, 14),
    "liars-dice": Expected(6, 14),
    "dicewars": Expected(9, 22),
    "pursuit": Expected(12, 24),
    "hearthstone": Expected(20, 36),
}
_OF_A_PLUG_IN = Expected(8, 20)


def expected(game: str) -> Expected:
    """How long compiling a game takes about, by its id; of a plug-in a guess."""
    return _EXPECTED.get(game, _OF_A_PLUG_IN)


def game_of(package: str) -> str:
    """The id of a game of ours by its package; of a plug-in the package: 'ludens.games.liars_dice', 'liars-dice'."""
    return package.rpartition(".")[2].replace("_", "-")


def quick_spec(spec: str, game: Game) -> str:
    """The same agent with the smallest budget its settings allow: it needs the same kernels."""
    from ludens.core.option import read_pairs
    from ludens.core.registry import agent_class

    name, _, rest = spec.partition(":")
    known = getattr(agent_class(name, game).Settings, "__dataclass_fields__", {})
    values = read_pairs(rest, name) | {budget: "2" for budget in ("sims", "nodes") if budget in known}
    if "seconds" in values:
        values["seconds"] = "0"
    return name + (":" + ",".join(f"{key}={value}" for key, value in values.items()) if values else "")


def for_play(game: Game) -> None:
    """Compile, or load, what a table needs: the deal, moves, views, drawings, taking back."""
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
    """Compile, or load, what agents need to move."""
    from ludens.core.registry import make_agent

    view = game.start(seed=1).view()
    for spec in dict.fromkeys(quick_spec(spec, game) for spec in specs):
        agent = make_agent(spec, game)
        agent.warm_up(view)
        agent.close()


def warm(game: Game | str, agents: Sequence[str] = ()) -> float:
    """Compile what playing a game against these agents needs, so that the next start is quick; the seconds it took.

    Without ``agents``: all the agents of the game, its features, and what the arena needs.
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
    """Compile what many games at once need."""
    from ludens.arena.match import measure_batched
    from ludens.bench import play_random_games

    if game.rules.can("encode"):
        game.start(seed=1).view().features()
    play_random_games(game, 1)
    measure_batched(game, 0, lanes=2)
