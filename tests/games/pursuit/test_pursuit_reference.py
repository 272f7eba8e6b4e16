"""The fast rules against the slow ones, move by move: legal moves, tickets, where the phantom may be, by what paths."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.pursuit.pursuit_position import (
    board,
    on_board,
    own_boards,  # noqa: F401  (a fixture)
    possible,
    pursuit,
    tickets,
    weights,
)
from tests.reference.pursuit import BLACK, DOUBLE, FERRY, Path, Plan, Reference

from ludens.core.state import State
from ludens.games.pursuit.game import Pursuit

# Boards that bring about what is rare on the large ones. In all of them some links have two or three modes.
ALLEY = board(  # dead ends and hardly any tickets: everybody gets stuck
    8,
    {"taxi": "1-2 2-3 3-4 3-5 5-6 6-7", "tram": "2-3 3-6 6-8", "boat": "1-8 4-7"},
    black_only=["boat"],
    phantom={"taxi": 1, "tram": 1, "black": 2, "double": 2},
    detective={"taxi": 2, "tram": 1},
    detectives=2,
    rounds=8,
    reveals=[3, 7],
    stuck_detectives="lose",
)
POOR = board(  # no black tickets: passes
    7,
    {"taxi": "1-2 2-3 3-4 4-5", "tram": "3-6 6-7 2-6"},
    phantom={"taxi": 1, "tram": 1},
    detective={"taxi": 2, "tram": 2},
    detectives=2,
    rounds=7,
    reveals=[4],
)
RING = board(
    10,
    {
        "taxi": "1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 1-10",
        "bus": "1-3 3-5 5-7 7-9 1-9 1-2",
        "underground": "1-5 5-9 1-2",
        "ferry": "2-7 4-10 1-2",
    },
    black_only=["ferry"],
    phantom={"taxi": 2, "bus": 1, "underground": 1, "double": 2, "black": "detectives"},
    detective={"taxi": 4, "bus": 2, "underground": 1},
    detectives=3,
    rounds=6,
    reveals=[2, 5],
    stuck_phantom="loses",
    stuck_detectives="lose",
)
OWN: dict[str, dict[str, Any]] = {"alley": ALLEY, "poor": POOR, "ring": RING}

SAMPLE: list[tuple[int, str, dict[str, Any]]] = [  # games, board, options
    (80, "alley", {}),
    (80, "alley", {"stuck_phantom": "loses", "prune": "round"}),
    (60, "alley", {"detectives": 4, "phantom_may_enter_detective": False}),
    (60, "alley", {"detectives": 3, "phantom_may_enter_detective": False, "stuck_phantom": "pass", "prune": "round"}),
    (40, "alley", {"detectives": 1, "final_phantom_move": True, "ferry": "no"}),
    (80, "poor", {}),
    (60, "poor", {"prune": "round", "final_phantom_move": True, "reveals": "none"}),
    (60, "poor", {"detectives": 4, "phantom_may_enter_detective": False, "stuck_phantom": "pass"}),
    (40, "poor", {"detectives": 1, "stuck_phantom": "loses", "final_phantom_move": True}),
    (60, "ring", {}),
    (60, "ring", {"detectives": 5, "phantom_may_enter_detective": False, "prune": "round"}),
    (40, "ring", {"detectives": 1, "stuck_phantom": "pass", "final_phantom_move": True, "double": "no"}),
    (40, "ring", {"detectives": 2, "black": "no", "reveals": "none", "rounds": 5}),
    (30, "plan1", {}),
    (30, "plan1", {"detectives": 5, "prune": "round", "final_phantom_move": True}),
    (30, "plan1", {"detectives": 4, "phantom_may_enter_detective": False}),
    (30, "square1", {"detectives": 2}),
    (30, "square1", {"detectives": 1, "prune": "round", "rounds": 6, "reveals": "4"}),
    (30, "london", {"rounds": 8, "reveals": "2+4+6+8"}),
    (20, "london", {"rounds": 5, "detectives": 3, "start_mode": "split", "reveals": "3", "prune": "round"}),
    (20, "london", {"rounds": 8, "detectives": 4, "reveals": "3+6", "double": "no", "ferry": "no"}),
    (10, "london", {}),
    (20, "london", {"rounds": 7, "detectives": 5, "phantom_may_enter_detective": False, "reveals": "3+5+7+9"}),
]

KINDS_OF_MOVES = ["pass", "ride", "ride", "ride", "black"]
MOVES = {
    "phantom: pass",
    "phantom: ride",
    "phantom: black",
    "phantom: double ride",
    "phantom: double black",
    "detective: pass",
    "detective: ride",
}
ENDINGS = {
    "caught",
    "walked into a detective",
    "the phantom is stuck",
    "no detective can move",
    "free after the last round",
    "free after the final move",
}


def game_of(name: str, options: dict[str, Any]) -> Pursuit:
    return on_board(OWN[name], **options) if name in OWN else pursuit(board=name, **options)


def plan_of(game: Pursuit) -> Plan:
    """The board as it is written, and the options, in the reference's words."""
    data, o = json.loads(game.rules.board.text), game.rules.options
    modes, own, rules = data["modes"], data["phantom"]["tickets"], data["game"]
    black = game.rules.detectives if own.get("black") == "detectives" else own.get("black", 0)
    numbers = {mode: modes.index(mode) + 1 if mode in modes else FERRY for mode in data["links"]}
    ways = [(numbers[mode], (a, b)) for mode, links in data["links"].items() for a, b in links]
    stuck = rules.get("stuck_phantom", "pass") if o.phantom_may_enter_detective else "loses"
    return Plan(
        stops=game.rules.board.stops,
        links={
            kind: [link for mode, link in ways if mode == kind] for kind in ([1, 2, 3, FERRY][: 3 + (o.ferry != "no")])
        },
        starts=frozenset(data["decks"]["phantom"] if o.start_mode == "split" else data["starts"]),
        phantom={
            **{kind: own.get(modes[kind - 1], 0) if kind <= len(modes) else 0 for kind in (1, 2, 3)},
            BLACK: 0 if o.black == "no" else black,
            DOUBLE: 0 if o.double == "no" else own.get("double", 0),
        },
        detective={kind + 1: data["detectives"]["tickets"].get(mode, 0) for kind, mode in enumerate(modes)},
        rounds=o.rounds or rules["rounds"],
        reveals=frozenset(
            rules["reveals"] if o.reveals == "board" else map(int, o.reveals.replace("none", "0").split("+"))
        ),
        enter=o.phantom_may_enter_detective,
        stuck_loses=(stuck if o.stuck_phantom == "board" else o.stuck_phantom) == "loses",
        all_stuck=rules.get("stuck_detectives") == "lose",
        final=o.final_phantom_move,
        late=o.prune == "round",
    )


def ours(state: State) -> dict[str, Any]:
    s = state.raw
    assert isinstance(state.game, Pursuit)
    return {
        "to move": state.to_move,
        "legal": state.legal,
        "stops": [int(stop) for stop in s.stop[: state.game.rules.detectives + 1]],
        "tickets": [tickets(state, piece) for piece in range(state.game.rules.detectives + 1)],
        "fares": [int(kind) for kind in s.fare[: int(s.made)]],
        "shown": {move + 1: int(stop) for move, stop in enumerate(s.shown) if stop},
        "rounds": int(s.rounds),
        "winner": int(s.winner) if state.over else -1,
        "returns": state.returns if state.over else [],
        "possible": possible(state),
        "weights": weights(state),
    }


def theirs(reference: Reference) -> dict[str, Any]:
    is_over = reference.winner >= 0
    paths = {reference.stop[0]: 1} if is_over else dict(reference.belief.weights())  # in the end all is seen
    return {
        "to move": reference.to_move,
        "legal": reference.legal(),
        "stops": reference.stop,
        "tickets": [[held.get(kind, 0) for kind in range(1, 6)] for held in reference.tickets],
        "fares": reference.fares,
        "shown": reference.shown,
        "rounds": reference.rounds,
        "winner": reference.winner,
        "returns": [[1.0, -1.0], [-1.0, 1.0]][reference.winner] if is_over else [],
        "possible": set(paths),
        "weights": paths,
    }


def play_both(game: Pursuit, plan: Plan, seed: int) -> Counter[str]:
    """One game by both, at random: which moves were made, and how it ended."""
    dice, state, seen = random.Random(seed), game.start(seed=seed), Counter[str]()
    reference = Reference(plan, [int(stop) for stop in state.raw.stop[: game.rules.detectives + 1]])
    while True:
        assert ours(state) == theirs(reference), (seed, [game.rules.action_text(action) for action in state.actions])
        if state.over:
            return seen + Counter([reference.ending])
        action = dice.choice(state.legal)
        seen[kind_of(game, state, action)] += 1
        state.play(action)
        reference.play(action)


def kind_of(game: Pursuit, state: State, action: int) -> str:
    kind, _, twice = game.rules.action_parts(action)
    return f"{['phantom', 'detective'][state.to_move]}: {'double ' * twice}{KINDS_OF_MOVES[kind]}"


def test_both_engines_play_the_same_games() -> None:
    seen, played = Counter[str](), 0
    for games, name, options in SAMPLE:
        game = game_of(name, options)
        plan, played = plan_of(game), played + games
        for seed in range(games):
            seen += play_both(game, plan, seed)
    assert played >= 1000
    assert set(seen) == MOVES | ENDINGS  # all that can happen did
    assert min(seen.values()) >= 5, seen


# Any small board, with any rules

few = st.integers(0, 2)


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """Four to eight stops, held together by taxis, with few tickets."""
    stops, rounds, doubles = draw(st.integers(4, 8)), draw(st.integers(1, 5)), draw(few)
    pairs = [f"{a}-{b}" for a in range(1, stops + 1) for b in range(a + 1, stops + 1)]
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=6).map(" ".join)
    tree = " ".join(f"{draw(st.integers(1, stop - 1))}-{stop}" for stop in range(2, stops + 1))
    return board(
        stops,
        {"taxi": tree, "tram": draw(some), "bus": draw(some), "boat": draw(some)},
        black_only=["boat"],
        phantom={"taxi": draw(few), "tram": draw(few), "bus": draw(few), "black": draw(few), "double": doubles},
        detective={"taxi": draw(st.integers(0, 4)), "tram": draw(few), "bus": draw(few)},
        detectives=draw(st.integers(1, min(5, stops - 1))),
        rounds=rounds,
        reveals=draw(st.lists(st.integers(1, rounds + doubles), unique=True, max_size=2)),
        stuck_phantom=draw(st.sampled_from(["loses", "pass"])),
        stuck_detectives=draw(st.sampled_from(["lose", "pass"])),
    )


rules = st.fixed_dictionaries(
    {
        "phantom_may_enter_detective": st.booleans(),
        "final_phantom_move": st.booleans(),
        "prune": st.sampled_from(["immediate", "round"]),
        "stuck_phantom": st.sampled_from(["board", "loses", "pass"]),
    }
)


@settings(max_examples=100, deadline=None)
@given(boards(), rules, st.integers(0, 1 << 32))
def test_both_engines_play_the_same_on_any_board(data: dict[str, Any], options: dict[str, Any], seed: int) -> None:
    game = on_board(data, **options)
    for again in range(3):
        play_both(game, plan_of(game), seed + again)


# Nothing leaks: whatever way the phantom took, as long as it sounds alike, the detectives see the same.

quick = settings(max_examples=40, deadline=None)
alike = st.sampled_from(
    [
        ("alley", {"reveals": "none", "rounds": 4}),
        ("alley", {"reveals": "none", "rounds": 5, "phantom_may_enter_detective": False, "detectives": 3}),
        ("poor", {"reveals": "none", "prune": "round"}),
        ("ring", {"reveals": "none", "rounds": 3}),
        ("plan1", {"reveals": "none", "rounds": 5, "detectives": 2}),
        ("london", {"reveals": "none", "rounds": 2, "detectives": 2}),
    ]
)


@quick
@given(alike, st.integers(0, 1 << 32))
def test_phantoms_that_sound_alike_look_alike(chosen: tuple[str, dict[str, Any]], seed: int) -> None:
    game, dice = game_of(*chosen), random.Random(seed)
    state, length = game.start(seed=seed), dice.randrange(1, 16)
    stops = [int(stop) for stop in state.raw.stop[: game.rules.detectives + 1]]
    reference = Reference(plan_of(game), stops)
    while not state.over and len(state.actions) < length:
        action = dice.choice(state.legal)
        state.play(action)
        reference.play(action)
    if not state.over:
        for path in dice.sample(reference.belief.paths, min(4, len(reference.belief.paths))):
            if game.rules.options.prune == "immediate" or path[-1][1] not in stops_of(state)[1:]:
                must_look_alike(game, stops, state.actions, path)


def stops_of(state: State) -> list[int]:
    return [int(stop) for stop in state.raw.stop]


def must_look_alike(game: Pursuit, stops: list[int], actions: list[int], path: Path) -> None:
    """Play the game again with the phantom on another path, and compare what the detectives see, move by move."""
    one = game.start(seed=1, fields={"stop": stops})
    other = game.start(seed=1, fields={"stop": [path[0][1], *stops[1:]]})
    for action in actions:
        assert one.view(1).array.tobytes() == other.view(1).array.tobytes()
        other.play(action if one.to_move else along(game, action, path[int(one.raw.made) + 1 :]))
        one.play(action)
    assert one.view(1).array.tobytes() == other.view(1).array.tobytes()


def along(game: Pursuit, action: int, rest: Path) -> int:
    """The same kind of phantom move, to the next stop of a path."""
    kind, stop, _ = game.rules.action_parts(action)
    return action - stop + rest[0][1] if kind else action
