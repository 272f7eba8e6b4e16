"""The thesis's player against a slow one written from the specification, its routes by hand, and all options."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from tests.games.dicewars.dicewars_position import LINE, dice, dicewars, near, owners, position
from tests.games.dicewars.test_dicewars_bots import move_of, rules_of
from tests.reference.dicewars import Reference
from tests.reference.dicewars_thesis import Memory, Ways, answers, evaluation

import ludens
from ludens.arena.tournament import arena
from ludens.core.error import BadOption
from ludens.core.kernel import kernel
from ludens.core.ops import open_constants
from ludens.core.option import as_text
from ludens.core.state import State
from ludens.games.dicewars.game import Dicewars
from ludens.games.dicewars.record import AREAS, END
from ludens.games.dicewars.thesis.agent import Thesis, ThesisSettings
from ludens.games.dicewars.thesis.evaluation import evaluate
from ludens.games.dicewars.thesis.pruner import MODELS, RULES

TABLES: list[dict[str, Any]] = [
    {"max_turns": 30},
    {"players": 2, "areas": 14, "max_turns": 20},
    {"players": 8, "rules": "classic", "max_turns": 24},
    {"players": 3, "rules": "sui2020", "areas": 16, "max_turns": 15},
    {"players": 3, "areas": 20, "max_dice": 5, "max_transfers": 9, "battle_wear": 2, "max_turns": 20},
    {"players": 2, "areas": 30, "density": 4, "max_transfers": 1, "max_turns": 12},
]
CHANGES: list[dict[str, Any]] = [
    {},
    {"depth": 1, "prune": "none"},
    {"depth": 2, "prune": "none", "nodes": 40},
    {"depth": 3, "limit": 0.4},
    {"depth": 3, "limit": 0.4, "layers": "text", "sure": 1.0},
    {"depth": 2, "limit": 0.3, "sure": 0.7, "renormalise": True},
    {"depth": 2, "limit": 0.3, "pass_move": True},
    {"strategy": "first"},
    {"strategy": "split", "limit": 0.5},
    {"strategy": "final", "route": "bfs"},
    {"route": "bfs", "empty_route": False},
    {"empty_route": False, "likely": 0.9, "gamble": 0.0},
    {"support": False, "gamble": 1.0},
    {"retreat": False, "likely": 0.4},
    {"fallback": False, "limit": 0.5},
    {"support": False, "strategy": "final"},
]


def spec_of(changes: dict[str, Any]) -> str:
    return "thesis:" + ",".join(f"{name}={as_text(value)}" for name, value in changes.items())


def seen_by(state: State) -> Reference:
    """The position as the slow players know it."""
    game, s = state.game, state.raw
    assert isinstance(game, Dicewars)
    board = Reference(rules_of(game), near(state), dict(enumerate(owners(state))), dict(enumerate(dice(state))))
    for name in ("turn", "transfers", "attacks", "turns"):
        setattr(board, name, int(s[name]))
    return board


# Against the slow one


def test_the_slow_one_has_the_same_options() -> None:
    learned = {"harm": 0.0, "evaluate": "", "transfers": ""}  # not the thesis's; see test_dicewars_learned.py
    assert {**dataclasses.asdict(Ways()), **learned} == dataclasses.asdict(ThesisSettings())


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_every_decision_is_the_slow_ones(options: dict[str, Any]) -> None:
    """Each seat plays with other settings; where dice or equal values leave a choice, any of them will do."""
    game = dicewars(**options)
    for seed in range(4):
        state = game.start(seed=seed)
        cast = [CHANGES[(seed * game.rules.seats + seat) % len(CHANGES)] for seat in range(game.rules.seats)]
        agents = [ludens.agent(spec_of(changes), game) for changes in cast]
        memories = [(agent.new_memory(1), Memory()) for agent in agents]
        while not state.over:
            seat = state.to_move
            agent, (memory, slow) = agents[seat], memories[seat]
            action = int(agent.act(state.view().array, memory)[0])
            expected, nodes = answers(Ways(**cast[seat]), seen_by(state), slow)
            where = (options, seed, agent.spec, state.actions)
            assert move_of(game, action) in expected, where
            assert isinstance(agent, Thesis)
            assert not nodes or agent.effort[0] == nodes, where
            slow.played(move_of(game, action))
            state.play(action)


@kernel
def _evaluations(table: Any, states: Any, has_text_weights: bool, layers: Any, out: Any) -> None:
    g = open_constants(table)
    for i in range(len(states)):
        for seat in range(out.shape[1]):
            out[i, seat] = evaluate(g, states[i], seat, has_text_weights, layers)


def some_positions(game: Dicewars, count: int) -> list[State]:
    """Positions of a game at random: from fresh ones to those with players beaten."""
    bot, found, seed = ludens.agent("sdc", game), list[State](), 0
    while len(found) < count:
        state = game.start(seed=seed)
        seed += 1
        while not state.over and len(found) < count:
            state.play(bot.choose(state.view()))
            found += [state.copy()] if len(state.actions) % 9 == 0 or state.over else []
    return found


@pytest.mark.parametrize("weights", ["code", "text"])
def test_boards_are_judged_as_specified(weights: str) -> None:
    for options in ({}, {"players": 2, "areas": 40, "max_dice": 4}):
        game = dicewars(**options)
        states = some_positions(game, 60)
        ours = np.zeros((len(states), game.rules.seats))
        scratch = np.zeros(AREAS + 1, np.int64)
        _evaluations(game.rules.constants, np.concatenate([s.array for s in states]), weights == "text", scratch, ours)
        slow = [[evaluation(seen_by(state), seat, weights) for seat in range(game.rules.seats)] for state in states]
        assert ours == pytest.approx(np.array(slow))
        assert {0.0, 1.0} <= set(ours.ravel().tolist())


def test_layers_weigh_as_in_the_code_or_in_the_text() -> None:
    """Seat 0 owns a line of five areas behind its border: one layer each, the second one empty but for a die."""
    state = position(LINE, [1, 0, 0, 0, 0, 0], [8, 8, 1, 8, 8, 8])
    ratios = [1, 1 / 8, 1, 1, 1]
    for weights, each in (
        ("code", [(16 / 31) ** i for i in range(1, 6)]),
        ("text", [x / 31 for x in (16, 8, 4, 2, 1)]),
    ):
        guard = sum(w * r for w, r in zip(each, ratios, strict=True))
        expected = (5 / 6 + 10 + 4 * 4 / 5 + 8 * guard) / 23
        out = np.zeros((1, 2))
        _evaluations(state.game.rules.constants, state.array, weights == "text", np.zeros(AREAS + 1, np.int64), out)
        assert out[0, 0] == pytest.approx(expected)


# Routes, gambles and retreats by hand

QUIET = "limit=1,fallback=no,retreat=no"  # only support is left


def turn_of(state: State, spec: str) -> list[str]:
    """What seat 0 does until it ends its turn."""
    agent, moves = ludens.agent(spec, state.game), list[str]()
    memory = agent.new_memory(1)
    while state.to_move == 0:
        action = int(agent.act(state.view().array, memory)[0])
        moves.append(state.game.rules.action_text(action))
        state.play(action)
    return moves


def test_a_route_fills_the_border_from_the_deep_end() -> None:
    state = position(LINE, [1, 0, 0, 0, 0, 0], [8, 2, 3, 5, 1, 1])
    assert turn_of(state, f"thesis:{QUIET}")[:2] == ["move 4 3", "move 3 2"]


def test_a_route_does_not_go_on_behind_a_full_area() -> None:
    state = position(LINE, [1, 0, 0, 0, 0, 0], [8, 1, 4, 8, 8, 8])
    assert turn_of(state, f"thesis:{QUIET}")[:2] == ["move 4 3", "move 3 2"]
    state = position(LINE, [1, 0, 0, 0, 0, 0], [8, 1, 8, 8, 8, 8], max_dice=8)
    assert turn_of(state, f"thesis:{QUIET}")[0] == "move 3 2"


def test_the_empty_route_may_win() -> None:
    """Area 2 lacks one die and nobody can feed it; area 4 lacks six and gets two."""
    state = position("1-2 1-4 4-5", [1, 0, 1, 0, 0], [8, 7, 8, 2, 3])
    assert turn_of(state.copy(), f"thesis:{QUIET}") == ["end"]
    assert turn_of(state, f"thesis:{QUIET},empty_route=no")[0] == "move 5 4"


def test_the_order_of_the_search_decides_between_equals() -> None:
    state = position("1-2 2-3 2-4", [1, 0, 0, 0], [8, 1, 8, 8])
    assert turn_of(state.copy(), f"thesis:{QUIET}")[0] == "move 4 2"
    assert turn_of(state, f"thesis:{QUIET},route=bfs")[0] == "move 3 2"


def test_no_new_route_begins_after_half_the_transfers() -> None:
    state = position(LINE, [1, 0, 0, 0, 0, 0], [8, 2, 3, 5, 1, 1])
    state.array["transfers"] = 3
    assert turn_of(state.copy(), f"thesis:{QUIET}")[:3] == ["move 4 3", "move 3 2", "end"]
    state.array["transfers"] = 4
    assert turn_of(state.copy(), f"thesis:{QUIET}") == ["end"]
    assert turn_of(state, f"thesis:{QUIET},strategy=first")[0] == "move 4 3"


def test_the_likeliest_attack_is_played_where_the_search_finds_none() -> None:
    """Area 2 takes area 1 with 74 %, and then loses it to area 3."""
    state = position("1-2 2-3 1-3", [1, 0, 1], [3, 4, 8])
    assert turn_of(state.copy(), "thesis:support=no,retreat=no")[0] == "attack 2 1"
    assert turn_of(state.copy(), "thesis:support=no,retreat=no,fallback=no") == ["end"]
    assert turn_of(state.copy(), "thesis:support=no,retreat=no,likely=0.8,gamble=0") == ["end"]
    views = state.view().array.repeat(4000)
    views["rng"] = np.random.default_rng(1).integers(1 << 62, size=4000)
    agent = ludens.agent("thesis:support=no,retreat=no,likely=0.8", state.game)
    share = np.mean(agent.act(views, agent.new_memory(4000)) != END)
    assert abs(share - 0.3) < 0.03


def test_dice_in_danger_retreat_if_they_fit() -> None:
    state = position("1-2 2-3 3-4 4-5 1-5", [1, 0, 0, 0, 1], [8, 3, 1, 4, 2])
    assert turn_of(state.copy(), "thesis:limit=1,fallback=no,support=no")[0] == "move 2 3"
    state.array["dice"][0, 2] = 6
    assert turn_of(state, "thesis:limit=1,fallback=no,support=no") == ["end"]


def test_it_searches_at_most_sixteen_times_a_turn() -> None:
    """Single dice around a full area, and nothing is played: sixteen times it wants to attack, then no more."""
    star = " ".join(f"1-{i}" for i in range(2, 22))
    state = position(star, [0] + [1] * 20, [8] + [1] * 20)
    agent = ludens.agent("thesis", state.game)
    memory = agent.new_memory(1)
    chosen = [int(agent.act(state.view().array, memory)[0]) for _ in range(18)]
    assert [action != END for action in chosen] == [True] * 16 + [False] * 2


# Games


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_whole_games_are_played_legally(changes: dict[str, Any]) -> None:
    for options in ({"max_turns": 60}, {"players": 2}, {"players": 8, "rules": "classic", "max_turns": 80}):
        game = dicewars(**options)
        specs = [spec_of(changes), *["stei-adt", "thesis", "sdc", "rand", "ste", "stei", "xlogin42"]][
            : game.rules.seats
        ]
        result = arena(game, specs, games=8, seed=1, store=False, format="table" if game.rules.seats > 2 else None)
        assert not any(row.crashes or row.illegal for row in result.agents)


@pytest.mark.parametrize("prune", [*RULES, *MODELS])
def test_every_pruner_plays(prune: str) -> None:
    specs = [f"thesis:depth=2,prune={prune}", "sdc", "stei", "stei-at"]
    result = arena(dicewars(max_turns=40), specs, games=4, seed=1, store=False)
    assert not any(row.crashes or row.illegal for row in result.agents)


def test_an_unknown_pruner_is_refused() -> None:
    with pytest.raises(BadOption, match=r"no pruner 'treshold' .*threshold"):
        ludens.agent("thesis:prune=treshold", dicewars())


def test_its_strength_is_the_original_ones() -> None:
    """In evaluation mode the original won 38.5 %; without pruning, at depth 1, 26.9 % (section 10.1)."""
    pool = ["stei-adt", "stei-at", "sdc-pre-at", "stei", "stei-dt"]
    for spec, low, high in (("thesis", 0.33, 0.44), ("thesis:prune=none,depth=1", 0.22, 0.33)):
        result = arena(dicewars(), [spec], pool=pool, games=1000, seed=1, store=False)
        assert low < result.agents[0].win_rate < high
