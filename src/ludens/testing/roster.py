"""The check of the roster: agents, levels and the opponent that people meet."""

from __future__ import annotations

from collections.abc import Iterator

from ludens.core.error import LudensError
from ludens.core.game import Game
from ludens.core.registry import agent_class, make_agent, quick_spec, read_agent
from ludens.testing.report import Breach, finding
from ludens.testing.sample import Sample

DECISIONS = 30  # that each agent makes, with the smallest budget


def roster(sample: Sample) -> Iterator[Breach]:
    """The agents that the game names can be loaded and play legal moves; the levels and the opponent are agents."""
    game, faults = sample.game, set()
    for name in game.roster.agents:
        try:
            if not agent_class(name, game).refuses(game):
                yield from _illegal_moves(game, name, sample.new_seed())
        except LudensError as why:
            faults.add(str(why))
    for spec in game.roster.levels:
        try:
            read_agent(spec, game)
        except LudensError as why:
            faults.add(str(why))
    yield from map(finding, sorted(faults))  # each once: several levels may be one agent
    if game.roster.opponent not in game.roster.levels:
        levels = ", ".join(game.roster.levels)
        yield finding(f"the opponent '{game.roster.opponent}' is none of the levels, which are: {levels}")


def _illegal_moves(game: Game, name: str, seed: int) -> Iterator[Breach]:
    """A finding if an agent, which plays all seats of a game, chooses an illegal move among its first decisions."""
    state, agent = game.start(seed), make_agent(quick_spec(name, game), game)
    while not state.over and len(state.actions) < DECISIONS:
        view = state.view()
        action = agent.choose(view)
        if action not in view.legal:
            yield finding(f"the agent '{name}' answers {action}, which is not legal", seed, tuple(state.actions))
            return
        state.play(action)
    agent.close()
