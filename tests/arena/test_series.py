"""A series in one kernel plays the games the arena plays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from ludens.arena.executor import ThisProcess, play_request
from ludens.arena.request import ask
from ludens.arena.schedule import make_schedule
from ludens.arena.series import play_series, series
from ludens.arena.store import GameRow
from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.error import AgentFailure, BadOption
from ludens.core.kernel import kernel
from ludens.core.ops import implements
from ludens.core.registry import make_agent, make_game
from ludens.core.seed import dice_key
from ludens.games.liars_dice.rules import BID, KINDS, LIAR

AZUL, DICE = make_game("azul"), make_game("liars-dice")


def arena_rows(game: Any, specs: list[str], games: int, seed: int) -> list[GameRow]:
    return play_request(ask(game, specs, {"games": games, "seed": seed}), ThisProcess())


@pytest.mark.parametrize(
    ("game", "specs"),
    [
        (AZUL, ["heuristic", "naive"]),
        (DICE, ["odds", "random"]),
        (DICE, ["sarsa-profile", "q"]),
        (DICE, ["sarsa-profile:learn_last_round=yes", "q:learn_last_round=yes"]),
        (make_game("liars-dice", wild="low", wild_off=True), ["sarsa-profile:learn_last_round=yes", "tabular"]),
    ],
    ids=lambda x: x.id if hasattr(x, "id") else " ".join(x),
)
def test_the_games_are_the_arena_s(game: Any, specs: list[str]) -> None:
    rows = arena_rows(game, specs, 60, 7)
    played = series(game, specs, games=60, seed=7, kinds=3)
    assert played.owners.tolist() == [row.seating for row in rows]
    assert played.returns.tolist() == [row.returns for row in rows]
    assert played.scores.tolist() == [row.scores for row in rows]
    assert played.moves.tolist() == [[times[1] for times in row.times] for row in rows]


def test_events_are_counted_by_who_caused_them() -> None:
    played = series(DICE, ["odds", "random"], games=40, seed=1, kinds=len(KINDS))
    assert (played.told[..., BID] + played.told[..., LIAR] == played.moves).all()
    rounds = played.told[..., LIAR].sum(axis=1)
    assert (rounds == 10 - played.scores.sum(axis=1)).all()
    assert series(DICE, ["odds", "random"], games=40, seed=1).told.size == 0


def test_an_agent_finds_its_own_values() -> None:
    played = series(DICE, ["odds", "random"], games=40, seed=1)
    assert played.seat_of(0).tolist() == [0, 1] * 20
    assert (played.of(played.returns) == -played.of(played.returns, 1)).all()
    assert (played.of(played.returns) > 0).mean() > 0.9
    assert set(played.first.tolist()) == {0, 1}


def test_agents_that_are_given_keep_what_they_learn() -> None:
    specs = ["sarsa", "q"]
    whole: list[Any] = [make_agent(spec, DICE) for spec in specs]
    halves: list[Any] = [make_agent(spec, DICE) for spec in specs]
    series(DICE, specs, games=40, seed=1, agents=whole)
    schedule = make_schedule(DICE, ask(DICE, specs, {"games": 40, "seed": 1}))
    fixtures = list(schedule.fixtures(0, 0, 0, 20))
    for some in (fixtures[:14], fixtures[14:]):
        seeds = np.array([fixture.seed for fixture in some], np.uint64)
        keys = np.array([dice_key(fixture.seed, fixture.order, 0) for fixture in some], np.uint64)
        play_series(DICE, halves, seeds, keys, np.array([fixture.seating for fixture in some]))
    for one, other in zip(whole, halves, strict=True):
        assert (one.q == other.q).all()
        assert one.table.updates[0] > 0


class CheatRule(NamedTuple):
    """It has no settings."""

    none: int


@implements(ops.rule, CheatRule)
@kernel
def _cheat(r: CheatRule, g: Any, v: Any, m: Any) -> int:
    return 9999


class Cheat(RuleAgent):
    """Answers with what is never legal."""

    name = "cheat"

    def rule_settings(self) -> CheatRule:
        return CheatRule(0)


def test_an_illegal_answer_ends_the_series() -> None:
    with pytest.raises(AgentFailure, match="illegally in game 0"):
        series(DICE, ["random", "random"], games=2, seed=1, agents=[Cheat(DICE), make_agent("random", DICE)])


def test_who_cannot_play_a_series_is_turned_away() -> None:
    with pytest.raises(BadOption, match="no scripted agent"):
        series(DICE, ["mcts:sims=10", "random"], games=2, seed=1)
    with pytest.raises(BadOption, match="between two agents"):
        series(DICE, ["random", "odds", "honest"], games=2, seed=1)
