"""The scripted players against a second, plain reading of their rules: distances by search, prices by listing all."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import zlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.pursuit.pursuit_position import line, own_boards, position, possible, pursuit  # noqa: F401  (a fixture)

from ludens.arena.tournament import arena
from ludens.core import ops
from ludens.core.registry import make_agent
from ludens.core.state import State
from ludens.games.pursuit.game import Pursuit
from ludens.games.pursuit.thesis import heuristics
from ludens.games.pursuit.thesis.heuristics import ScriptedRule

FAR = 255
ALL = ("nearest", "sum", "weighted", "farthest", "conditional")

# the second reading


@functools.cache
def links(board: str) -> dict[int, list[tuple[int, int]]]:
    """(kind, stop) of every ordinary link from each stop, ascending."""
    found = pursuit(board=board).rules.board
    near: dict[int, set[tuple[int, int]]] = {stop: set() for stop in range(1, found.stops + 1)}
    for kind, mode in enumerate(found.modes, 1):
        for a, b in found.links[mode]:
            near[a].add((kind, b))
            near[b].add((kind, a))
    return {stop: sorted(ways) for stop, ways in near.items()}


@functools.cache
def prices(board: str, start: int, tickets: tuple[int, int]) -> dict[tuple[int, int], dict[int, set[tuple[int, int]]]]:
    """For every price in tickets the stops that ways of exactly this price lead to, with the first steps of these."""
    reached: dict[tuple[int, int], dict[int, set[tuple[int, int]]]] = {(0, 0): {start: set()}}
    for total in range(1, sum(tickets) + 1):
        for taxi in range(max(0, total - tickets[1]), min(total, tickets[0]) + 1):
            price, ends = (taxi, total - taxi), {}  # type: tuple[int, int], dict[int, set[tuple[int, int]]]
            for kind, before in ((1, (taxi - 1, total - taxi)), (2, (taxi, total - taxi - 1))):
                for stop, firsts in reached.get(before, {}).items():
                    for way, to in links(board)[stop]:
                        if way == kind:
                            ends.setdefault(to, set()).update(firsts or {(way, to)})
            reached[price] = ends
    return reached


def distance(board: str, a: int, b: int, tickets: Sequence[int]) -> int:
    told = prices(board, a, (tickets[0], tickets[1]))
    return min((sum(price) for price, ends in told.items() if b in ends), default=FAR)


def own_tickets(state: State, piece: int) -> tuple[int, int]:
    taxi, tram = state.raw.tickets[piece, :2].tolist()
    return taxi, tram


def size(state: State) -> int:
    assert isinstance(state.game, Pursuit)
    return state.game.rules.board.stops + 1


def board_of(state: State) -> str:
    assert isinstance(state.game, Pursuit)
    return state.game.rules.board.id


def best_flights(state: State, name: str) -> list[int]:
    """The phantom's best moves by the spec's words."""
    board, mine, stops = board_of(state), own_tickets(state, 0), state.raw.stop.tolist()
    team = range(1, int(state.game.rules.constants.c[0].detectives) + 1)
    worth = {}
    for kind, to in links(board)[stops[0]]:
        if not mine[kind - 1]:
            continue
        far = [distance(board, stops[i], to, own_tickets(state, i)) for i in team]
        value = {
            "nearest": min(far),
            "sum": sum(min(d, size(state) - 1) for d in far),
            "weighted": 36 * len(far) - sum(max(0, 6 - d) ** 2 for d in far),
        }[name]
        on = sum(1 for way, _ in links(board)[to] if mine[way - 1] - (way == kind) > 0)
        worth[kind * size(state) + to] = (value, on)
    if not worth:
        return [0]
    return sorted(action for action, value in worth.items() if value == max(worth.values()))


def best_targets(state: State, name: str) -> list[int]:
    board, piece = board_of(state), int(state.raw.piece)
    at, mine = int(state.raw.stop[piece]), own_tickets(state, piece)
    far = {stop: distance(board, at, stop, mine) for stop in possible(state)}
    within = {stop: d for stop, d in far.items() if d < FAR}
    if not within:
        free = {stop: distance(board, at, stop, (8, 4)) for stop in far}
        return sorted(stop for stop, d in free.items() if d == min(free.values()))
    wanted = {
        "nearest": min(within.values()),
        "farthest": max(far.values()),
        "conditional": max(within.values()),
    }[name]
    return sorted(stop for stop, d in far.items() if d == wanted)


def best_steps(state: State, target: int, single: bool) -> list[int]:
    """First steps towards a stop, by listing prices."""
    board, piece, held = board_of(state), int(state.raw.piece), set(state.raw.stop[1:].tolist())
    at, mine = int(state.raw.stop[piece]), own_tickets(state, piece)
    steps = [(kind, to) for kind, to in links(board)[at] if mine[kind - 1] and to not in held]
    if distance(board, at, target, mine) == FAR:
        free = distance(board, at, target, (8, 4))
        chosen = {step for step in steps if distance(board, step[1], target, (8, 4)) < free}
    elif single:
        chosen = stored_steps(board, at, target, mine, held)
    else:
        cost = {s: distance(board, s[1], target, (mine[0] - (s[0] == 1), mine[1] - (s[0] == 2))) for s in steps}
        chosen = {step for step, d in cost.items() if d == min(cost.values()) < FAR}
    return sorted(kind * size(state) + to for kind, to in chosen)


def stored_steps(board: str, at: int, target: int, mine: tuple[int, int], held: set[int]) -> set[tuple[int, int]]:
    told = {price: ends[target] for price, ends in prices(board, at, mine).items() if target in ends}
    least = {p: min(firsts) for p, firsts in told.items() if not any(q != p and q <= p and q[1] <= p[1] for q in told)}
    open_ones = {price: step for price, step in least.items() if step[1] not in held}
    return {step for price, step in open_ones.items() if sum(price) == min(map(sum, open_ones))}


# asking the kernels


def rule(state: State, spec: str) -> ScriptedRule:
    agent = make_agent(spec, state.game)
    assert isinstance(agent, heuristics.Scripted)
    return agent.rule_settings()


def flights(state: State, spec: str) -> list[int]:
    r = rule(state, spec)
    return r.room[: heuristics.flights(r, ops.open_constants(state.game.rules.constants), state.array[0])].tolist()


def targets(state: State, spec: str) -> list[int]:
    r = rule(state, spec)
    return r.room[
        : heuristics.targets(r, ops.open_constants(state.game.rules.constants), state.view().array[0])
    ].tolist()


def steps(state: State, spec: str, target: int) -> list[int]:
    r, g = rule(state, spec), ops.open_constants(state.game.rules.constants)
    return r.room[: heuristics.steps_towards(r, g, state.view().array[0], target)].tolist()


def crc(state: State) -> int:
    stops = state.raw.stop[: int(state.game.rules.constants.c[0].detectives) + 1].tolist()
    known = [0, *stops[1:], *sorted(possible(state))] if state.raw.piece else stops
    return zlib.crc32(bytes(known))


@st.composite
def games(draw: st.DrawFn) -> State:
    """A position somewhere in a game."""
    options = {
        "board": draw(st.sampled_from(["plan1", "square1"])),
        "detectives": draw(st.integers(1, 4)),
        "prune": draw(st.sampled_from(["round", "immediate"])),
    }
    state = pursuit(**options, final_phantom_move=True).start(seed=draw(st.integers(0, 10**6)))
    phantom = make_agent("nearest:ties=random", state.game)  # keeps the game going
    for choice in draw(st.lists(st.integers(0, 11), max_size=60)):
        if state.over:
            break
        before = state.copy()
        state.play(phantom.choose(state.view()) if state.to_move == 0 else state.legal[choice % len(state.legal)])
    return before if state.over else state


@given(games())
@settings(max_examples=60, deadline=None)
def test_the_kernels_read_the_rules_as_we_do(state: State) -> None:
    if state.to_move == 0:
        for name in ("nearest", "sum", "weighted"):
            assert flights(state, name) == best_flights(state, name)
        return
    for name in ("nearest", "farthest", "conditional"):
        assert targets(state, name) == best_targets(state, name)
    for target in possible(state):
        assert steps(state, "nearest", target) == best_steps(state, target, single=False)
        assert steps(state, "nearest:paths=single", target) == best_steps(state, target, single=True)


@given(games())
@settings(max_examples=40, deadline=None)
def test_ties_are_broken_by_a_hash_every_machine_agrees_on(state: State) -> None:
    view = state.view()
    assert heuristics.crc_of(ops.open_constants(state.game.rules.constants), view.array[0]) == crc(state)
    chosen = make_agent("nearest", state.game).choose(view)
    if state.to_move == 0:
        equals = best_flights(state, "nearest")
    else:
        aims = best_targets(state, "nearest")
        equals = best_steps(state, aims[crc(state) % len(aims)], single=False) or state.legal
    assert chosen == equals[crc(state) % len(equals)]


def test_dice_reach_every_equal_move() -> None:
    state = position(pursuit(), [19, 5, 15, 1], ["taxi 28", "taxi 12"])
    agent = make_agent("nearest:ties=random", state.game)
    aims = best_targets(state, "nearest")
    equals = {step for aim in aims for step in best_steps(state, aim, single=False)}
    assert len(aims) > 1 < len(equals)
    chosen = set()
    for dice in range(200):
        view = state.view()
        view.array["rng"] = dice
        chosen.add(agent.choose(view))
    assert chosen == equals


def test_a_detective_does_not_know_where_the_phantom_is() -> None:
    one = position(pursuit(), [19, 5, 15, 1], ["taxi 28"])
    other = position(pursuit(), [22, 5, 15, 1], ["taxi 21"])
    assert possible(one) == possible(other)
    for name in ALL:
        agent = make_agent(name, one.game)
        assert agent.choose(one.view(1)) == agent.choose(other.view(1))


def test_readings_of_the_other_seat_are_nearest() -> None:
    flight = position(pursuit(), [19, 5, 15, 1])
    chase = position(pursuit(), [19, 5, 15, 1], ["taxi 28"])
    for name in ("farthest", "conditional"):
        assert flights(flight, name) == flights(flight, "nearest")
    for name in ("sum", "weighted"):
        assert targets(chase, name) == targets(chase, "nearest")


def test_black_tickets_only_when_nothing_else_goes_and_never_a_double_move() -> None:
    rich = position(line(), [3, 6])
    assert any(text.startswith("double") for text in rich.moves())
    assert rich.game.rules.action_text(make_agent("nearest", rich.game).choose(rich.view())) in ("taxi 2", "tram 1")
    poor = position(line({"phantom": {"taxi": 0, "tram": 0, "black": 1, "double": 1}}), [3, 6])
    assert poor.game.rules.action_text(make_agent("nearest", poor.game).choose(poor.view())) in ("black 1", "black 2")
    broke = position(line({"phantom": {"taxi": 0, "tram": 0}}), [3, 6])
    assert make_agent("nearest", broke.game).choose(broke.view()) == 0


@pytest.mark.parametrize("name", ALL)
def test_they_play_on_every_board(name: str) -> None:
    for options in ({"board": "london"}, {"detectives": 5, "phantom_may_enter_detective": False}):
        result = arena(
            pursuit(**options), [f"phantom={name}", f"detectives={name}:paths=single"], games=20, seed=3, store=False
        )
        assert sum(row["illegal"] + row["crashes"] for row in result.to_json()["agents"]) == 0


PROGRAM = """
import ludens
from ludens.core.registry import make_agent
game = ludens.game("pursuit", prune="round", final_phantom_move=True)
state = game.start(seed=2)
agents = [make_agent("nearest", game), make_agent("farthest:ties=random,paths=single", game)]
while not state.over:
    state.play(agents[state.to_move].choose(state.view()))
print(state.actions)
"""


def test_the_same_moves_without_the_compiler() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env=os.environ | jit, capture_output=True, text=True, check=True
        ).stdout
        for jit in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert said[0] == said[1] != ""


@pytest.mark.parametrize(
    ("board", "phantom", "detectives", "spec"),
    [
        ("plan1", "nearest", "nearest", 27),
        ("plan1", "weighted", "conditional", 23),
        ("square1", "nearest", "nearest", 40),
        ("square1", "sum", "farthest", 30),
        ("square1", "nearest", "random", 99),
    ],
)
def test_cells_of_the_cross_table(board: str, phantom: str, detectives: str, spec: float) -> None:
    """The spec's figures are of 1,500 games each; ours of 3,000."""
    game = pursuit(board=board, prune="round", final_phantom_move=True)
    sides = [f"phantom={phantom}:ties=random", f"detectives={detectives}" + ":ties=random" * (detectives != "random")]
    result = arena(game, sides, games=3000, seed=5, store=False)
    assert abs(100 * result.to_json()["agents"][0]["win_rate"] - spec) < 5
