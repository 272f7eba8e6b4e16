"""Searching phantoms and detectives: what they go by, what they cannot know, and that they are any good."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.pursuit.pursuit_position import (
    board,
    line,
    on_board,
    own_boards,  # noqa: F401  (a fixture)
    position,
    possible,
    pursuit,
    typed,
)

import ludens
from ludens import cli
from ludens.core import ops
from ludens.core.error import BadOption
from ludens.core.state import State
from ludens.games.pursuit import places
from ludens.games.pursuit.distance import distance
from ludens.games.pursuit.game import Pursuit
from ludens.games.pursuit.judgement import CLOSE
from ludens.games.pursuit.record import BLACK, MODES
from ludens.search.contract import credit, observation_label, piece
from ludens.search.mcts import Mcts
from ludens.search.tree import Control

TIGHT = board(  # phantoms are often cornered, with black and double tickets in hand
    8,
    {"taxi": "1-2 2-3 3-4 3-5 5-6 6-7", "tram": "2-3 3-6 6-8", "boat": "1-8 4-7"},
    black_only=["boat"],
    phantom={"taxi": 1, "tram": 1, "black": 2, "double": 2},
    detective={"taxi": 4, "tram": 2},
    detectives=3,
    rounds=8,
    reveals=[3, 7],
)

LEANS = ("none", "places", "random", "nearest", "both")
DETECTIVES = [
    *(f"mcts:sims=30,lean={lean}" for lean in LEANS),
    *(
        f"mcts-thesis:sims=30,playout={playout},determinise={when},draw={draw}"
        for playout in ("random", "heuristic")
        for when in ("once", "iteration")
        for draw in ("uniform", "distance")
    ),
]
PHANTOMS = ["mcts:sims=40", "mcts:sims=40,simple=20", "mcts:sims=40,simple=0,elsewhere=1", "mcts:sims=40,others=tree"]


def game_of(state: State) -> Pursuit:
    assert isinstance(state.game, Pursuit)
    return state.game


def variants() -> Iterator[Pursuit]:
    """Every board, with every option somewhere."""
    yield from (pursuit(**options) for options in Pursuit.Rules.option_sets)
    yield on_board(TIGHT)
    yield on_board(TIGHT, phantom_may_enter_detective=False)
    yield on_board(TIGHT, prune="round", detectives=4)


def positions(game: Pursuit, seed: int, sense: float = 0.5) -> Iterator[State]:
    """The positions of a game in which a share of the moves is as the game suggests, and the others any."""
    dice, state = random.Random(seed), game.start(seed=seed)
    while not state.over:
        yield state
        state.play(suggested(state) if dice.random() < sense else dice.choice(state.legal))


def a_search(spec: str, game: ludens.Game) -> Mcts:
    agent = ludens.agent(spec, game)
    assert isinstance(agent, Mcts)
    return agent


def suggested(state: State) -> int:
    return int(ops.suggest(ops.open_constants(state.game.rules.constants), state.view().array[0]))


# Moves that look sensible


def test_what_is_suggested_is_legal_and_needs_no_secrets() -> None:
    seen = 0
    for game in variants():
        for seed in range(12):
            for state in positions(game, seed):
                truth = state.array.copy()
                truth["rng"] = state.view().array["rng"]
                assert suggested(state) in state.legal
                assert suggested(state) == ops.suggest(ops.open_constants(game.rules.constants), truth[0])
                seen += 1
    assert seen > 3000


def test_a_cornered_phantom_takes_the_boat() -> None:
    # 1 - 2 - 3 - 4 - 5 - 6 by taxi, 1 - 6 by boat: a detective on 5 has it cornered on 6
    state = position(line(), [6, 5])
    assert "double taxi 5" not in typed(state)
    assert state.game.rules.action_text(suggested(state)) == "black 1"


def test_a_phantom_about_to_be_caught_doubles() -> None:
    state = position(line({"reveals": []}, detectives=2), [3, 1, 5])
    assert state.game.rules.action_text(suggested(state)).startswith("double taxi")
    assert not state.game.rules.action_text(suggested(position(line(double="no", detectives=2), [3, 1, 5]))).startswith(
        "d"
    )


def test_black_is_kept_for_the_move_after_it_was_seen() -> None:
    unseen, seen = Counter[bool](), Counter[bool]()
    game = pursuit(board="london")
    for seed in range(30):
        for state in positions(game, seed, sense=0.9):
            if state.raw.piece == 0 and state.raw.tickets[0, BLACK - 1]:
                was_seen = state.raw.made and state.raw.shown[int(state.raw.made) - 1]
                kind = game.rules.action_parts(suggested(state))[0]
                can_else = any(game.rules.action_parts(a)[0] < BLACK and safe(state, a) for a in state.legal if a)
                (seen if was_seen or not can_else else unseen)[kind == BLACK] += 1
    assert unseen[True] == 0 < unseen[False]
    assert seen[True]


def safe(state: State, action: int) -> bool:
    """Whether an action does not lead into a detective's arms."""
    return game_of(state).rules.action_parts(action)[1] not in state.raw.stop[1:]


def test_a_detective_goes_for_the_nearest_possible_stop() -> None:
    for seed in range(8):
        for state in positions(pursuit(), seed):
            if state.raw.piece:
                after = state.copy().play(suggested(state))
                piece = int(state.raw.piece)
                nearest = [moves_to(state, piece, stop) for stop in possible(state)]
                if min(nearest) < 255 and not after.over and is_free(state, piece):
                    left = min(moves_to(after, piece, stop) for stop in possible(state))
                    assert left == min(nearest) - 1


def moves_to(state: State, piece: int, stop: int) -> int:
    return int(distance(ops.open_constants(state.game.rules.constants), state.raw, piece, stop))


def is_free(state: State, piece: int) -> bool:
    """Whether no colleague is near a detective, who could be in its way."""
    colleagues = [int(stop) for other, stop in enumerate(state.raw.stop) if stop and other not in (0, piece)]
    return all(moves_to(state, piece, stop) > 3 for stop in colleagues)


# Moves not worth a thought


def sifted(state: State) -> list[int]:
    """The moves that `order` gives some weight."""
    legal, out = np.array(state.legal, np.uint32), np.zeros(len(state.legal))
    ops.order(ops.open_constants(state.game.rules.constants), state.array[0], legal, len(legal), out)
    return legal[out > 0].tolist()


def is_idle(state: State, action: int) -> bool:
    """As the docstring of `order` says it, told slowly."""
    game, raw = game_of(state), state.raw
    kind, to, twice = game.rules.action_parts(action)
    away = min(moves_to(state, piece, int(raw.stop[0])) for piece in range(1, game.rules.detectives + 1))
    return (kind == BLACK and not hides(state)) or (twice and away > CLOSE) or (kind > 0 and to in raw.stop[1:])


def hides(state: State) -> bool:
    """Whether a black ticket tells less than a taxi ticket would."""
    game, move = game_of(state), int(state.raw.made) + 1
    if move <= 2 or move in game.rules.reveals:
        return False
    others = [*game.rules.board.modes[1:], *game.rules.board.black_only]
    return bool(possible(state) & {stop for mode in others for link in game.rules.board.links[mode] for stop in link})


def test_idle_moves_are_sifted_out_and_no_others() -> None:
    found = Counter[str]()
    for game in [pursuit(board="london"), pursuit(), *(on_board(TIGHT, **more) for more in ({}, {"detectives": 5}))]:
        for seed in range(15):
            for state in positions(game, seed):
                kept, legal = sifted(state), state.legal
                if state.raw.piece:
                    assert kept == legal
                else:
                    assert kept == [action for action in legal if not is_idle(state, action)]
                    found["some"] += 0 < len(kept) < len(legal)
                    found["all"] += kept == legal
                    found["none"] += not kept
    assert min(found[what] for what in ("some", "all", "none")) >= 5


def test_sifted_moves_are_not_searched() -> None:
    state = pursuit(board="london").start(seed=3)
    kept, all_moves = (a_search(spec, state.game).search(state.view().array) for spec in ("mcts", "mcts-thesis"))
    assert {game_of(state).rules.action_parts(int(action))[0] for action in kept[:, 0]} <= set(range(1, MODES + 1))
    assert sorted(all_moves[:, 0].astype(int)) == state.legal


# Whose catch it was


def credited(state: State, share: float) -> list[float]:
    out = np.zeros(16)
    credit(ops.open_constants(state.game.rules.constants), state.array[0], share, out)
    return out[1 : game_of(state).rules.detectives + 1].tolist()


def test_who_catches_the_phantom_gets_more_of_it() -> None:
    game = line(detectives=3)
    caught = position(game, [1, 6, 4, 3], ["taxi 2", "taxi 5", "pass", "taxi 2"])
    assert caught.over
    assert credited(caught, 0.25) == [0.5, 0.5, 1]
    assert credited(caught, 0) == [1, 1, 1]


def test_a_phantom_that_walks_into_one_was_caught_by_all() -> None:
    assert credited(position(line(detectives=3), [1, 6, 4, 2], ["taxi 2"]), 0.25) == [1, 1, 1]


def test_nobody_gets_anything_for_a_phantom_that_is_free() -> None:
    state = position(line(detectives=2, rounds=1), [1, 6, 5], ["taxi 2", "pass", "taxi 4"])
    assert state.over
    assert credited(state, 0.25) == [-1, -1]


def test_the_mover_is_the_piece() -> None:
    for state in positions(pursuit(), 1):
        assert piece(ops.open_constants(state.game.rules.constants), state.array[0]) == int(state.raw.piece) + 1


def test_a_detective_that_only_colleagues_can_help_counts_less() -> None:
    """The second detective makes the catch whatever the first does: all moves of the first are worth less."""
    data = board(6, {"taxi": "1-2 2-3 1-4 4-5 5-6"}, phantom={"taxi": 3}, detective={"taxi": 3}, detectives=2)
    state = position(on_board(data, reveals="1"), [1, 5, 3], ["taxi 2"])
    for share in (0.0, 0.25, 0.5):
        agent = a_search(f"mcts:sims=200,noise=0,share={share}", state.game)
        rows = agent.search(state.view().array)
        assert rows[:, 2].sum() / rows[:, 1].sum() == pytest.approx(1 - 2 * share)
        assert agent.value(state.view().array).tolist() == [[-1, 1]]


# What others can tell


@pytest.mark.parametrize("options", [{}, {"board": "london"}], ids=str)
def test_moves_that_sound_alike_look_alike(options: dict[str, Any]) -> None:
    """Moves of the phantom have one number exactly if the detectives' views after them could be the same."""
    game = pursuit(**options)
    g, alike = ops.open_constants(game.rules.constants), 0
    for state in positions(game, 2):
        if state.raw.piece:
            assert [observation_label(g, state.array[0], action) for action in state.legal] == state.legal
            continue
        moves: dict[int, list[tuple[Any, ...]]] = {}
        for action in state.legal:
            after = state.copy().play(action)
            if not after.over:
                raw, sound = after.raw, int(observation_label(g, state.array[0], action))
                told = (raw.fare.tobytes(), raw.twice.tobytes(), raw.shown.tobytes())
                moves.setdefault(sound, []).append(told)
        alike += sum(len(told) > 1 for told in moves.values())
        assert all(len(set(told)) == 1 for told in moves.values())
        assert len({told[0] for told in moves.values()}) == len(moves)
    assert alike


# No agent knows what it may not

UNCLEAR: list[dict[str, Any]] = [
    {"detectives": 2},
    {"board": "square1", "prune": "round"},
    {"board": "london"},
    {"belief": "paths"},
]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1 << 30), spec=st.sampled_from(DETECTIVES), which=st.integers(0, len(UNCLEAR) - 1))
def test_detectives_play_alike_wherever_the_phantom_is(seed: int, spec: str, which: int) -> None:
    game, dice = pursuit(**UNCLEAR[which]), random.Random(seed)
    hidden = [state.copy() for state in positions(game, seed) if state.raw.piece and len(hideouts(state)) > 1]
    agent = ludens.agent(spec, game)
    for state in dice.sample(hidden, min(3, len(hidden))):
        twin = state.copy()
        twin.array["stop"][0, 0] = dice.choice(sorted(hideouts(state) - {int(state.raw.stop[0])}))
        assert state.view().array.tobytes() == twin.view().array.tobytes()
        assert agent.choose(state.view()) == agent.choose(twin.view()) in state.legal


def hideouts(state: State) -> set[int]:
    """Where the phantom may be, of stops without a detective."""
    return possible(state) - {int(stop) for stop in state.raw.stop[1:]}


@pytest.mark.parametrize("spec", [*DETECTIVES, *PHANTOMS])
def test_a_choice_is_a_function_of_the_view(spec: str) -> None:
    game = pursuit(board="square1", detectives=2)
    seat = 0 if spec in PHANTOMS else 1
    views = [state.view() for state in positions(game, 4) if state.to_move == seat][:10]
    before = [view.array.tobytes() for view in views]
    agent = ludens.agent(spec, game)
    apart = [ludens.agent(spec, game).choose(view) for view in views]
    assert [agent.choose(view) for view in reversed(views)] == apart[::-1]
    together = np.concatenate([view.array for view in views])
    assert agent.act(together, agent.new_memory(len(views))).tolist() == apart
    assert [view.array.tobytes() for view in views] == before


@pytest.mark.parametrize("spec", [*DETECTIVES, *PHANTOMS])
def test_searches_play_every_variant_to_the_end(spec: str) -> None:
    for game in variants():
        agent, state = ludens.agent(spec.replace("=30", "=4").replace("=40", "=4"), game), game.start(seed=5)
        while not state.over:
            state.play(agent.choose(state.view()))


# What they expect


def prepared(spec: str, state: State) -> np.ndarray:
    """The view as the search uses it."""
    view, plan = state.view().array, np.zeros(1, Control)
    a_search(spec, state.game).prepare(view, plan)
    return view


def test_detectives_lean_and_the_phantom_knows() -> None:
    hidden = next(state.copy() for state in positions(pursuit(), 4) if state.raw.piece and len(hideouts(state)) > 3)
    shapes = {lean: prepared(f"mcts:lean={lean}", hidden)["weight"].tobytes() for lean in LEANS}
    assert len(set(shapes.values())) == len(LEANS)
    assert not prepared("mcts:lean=none", hidden)["is_weighted"][0]
    seen = hidden.game.start(seed=1)
    for lean in LEANS:
        assert prepared(f"mcts:lean={lean}", seen).tobytes() == seen.view().array.tobytes()


def test_the_thesis_fixes_one_stop_or_none() -> None:
    hidden = next(state.copy() for state in positions(pursuit(), 4) if state.raw.piece and len(hideouts(state)) > 3)
    once = prepared("mcts-thesis:determinise=once,draw=distance", hidden)
    assert np.count_nonzero(once["weight"]) == 1
    each = prepared("mcts-thesis:determinise=iteration,draw=distance", hidden)
    assert set(np.flatnonzero(each["weight"][0])) == hideouts(hidden)
    plain = prepared("mcts-thesis:determinise=iteration", hidden)
    assert plain.tobytes() == hidden.view().array.tobytes()


def test_a_board_never_counted_is_taken_for_plan1() -> None:
    game = on_board(TIGHT)
    assert ludens.agent("mcts:sims=5,lean=places", game).choose(game.start(seed=1).view()) in game.start(seed=1).legal


# How good they are


def phantom_wins(game: Pursuit, phantom: str, detectives: str, games: int) -> int:
    bots = [ludens.agent(phantom, game), ludens.agent(detectives, game)]
    wins = 0
    for seed in range(games):
        state = game.start(seed=seed)
        while not state.over:
            state.play(bots[state.to_move].choose(state.view()))
        wins += state.returns[0] > 0
    return wins


def test_search_beats_the_script_in_both_roles() -> None:
    game = pursuit(detectives=2)
    by_script = phantom_wins(game, "nearest", "nearest", 150)  # about 98
    assert phantom_wins(game, "nearest", "mcts:sims=100", 150) < by_script - 50  # about 12
    assert phantom_wins(game, "mcts:sims=200", "nearest", 150) > by_script + 12  # about 135


def test_search_beats_the_thesis_in_both_roles() -> None:
    game = pursuit(detectives=2)
    assert phantom_wins(game, "mcts:sims=100", "nearest", 100) > 65  # about 90
    assert phantom_wins(game, "mcts-thesis:sims=100", "nearest", 100) < 65  # about 47
    assert phantom_wins(game, "nearest", "mcts:sims=100", 100) < 40  # about 8
    assert phantom_wins(game, "nearest", "mcts-thesis:sims=100", 100) > 40  # about 83


# Settings


def test_time_instead_of_iterations() -> None:
    state = pursuit().start(seed=1)
    for spec in ("mcts-thesis:seconds=0.05", "mcts:seconds=0.05"):
        agent = ludens.agent(spec, state.game)
        agent.choose(state.view())  # compiles
        start = time.perf_counter()
        assert agent.choose(state.view()) in state.legal
        assert 0.05 <= time.perf_counter() - start < 5


@pytest.mark.parametrize("spec", [*DETECTIVES, *PHANTOMS, "mcts", "mcts-thesis", "mcts-thesis:seconds=0.5,c=0.7"])
def test_settings_are_told_as_they_are_typed(spec: str) -> None:
    game = pursuit()
    told = ludens.agent(spec, game).spec
    assert ludens.agent(told, game).spec == told
    name, _, typed_settings = spec.partition(":")
    assert told.partition(":")[0] == name
    defaults = ludens.agent(name, game).spec
    for setting in filter(None, typed_settings.split(",")):
        assert setting in told or setting in defaults or is_default(name, setting, game)


def is_default(name: str, setting: str, game: Pursuit) -> bool:
    """Whether a setting may stay untold: it changes nothing."""
    return ludens.agent(f"{name}:{setting}", game).spec == ludens.agent(name, game).spec


@pytest.mark.parametrize(
    "spec",
    [
        "mcts:lean=there",
        "mcts:doubt=0",
        "mcts:share=2",
        "mcts:others=blind",
        "mcts:playout=random",
        "mcts:cut=1",
        "mcts:elsewhere=-1",
        "mcts-thesis:sims=0",
        "mcts-thesis:draw=far",
        "mcts-thesis:determinise=never",
        "mcts-thesis:playout=suggest",
        "mcts-thesis:c=-1",
        "mcts-thesis:lean=both",
        "mcts-thesis:seconds=soon",
    ],
)
def test_wrong_settings_are_refused_in_a_sentence(spec: str) -> None:
    with pytest.raises(BadOption) as refused:
        ludens.agent(spec, pursuit())
    said = str(refused.value)
    assert said.startswith(spec.partition(":")[0])
    assert "\n" not in said
    assert len(said) < 200


# Counting places on the command line


Counts = Callable[..., tuple[int, str, str]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Counts:
    def command(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["ludens", "pursuit", "places", *map(str, words)])
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def test_places_on_the_command_line(counted: Counts) -> None:
    code, out, _ = counted("plan1", "--detectives", 2, "--games", 4, "--seed", 7, "--agent", "nearest")
    assert code == 0
    expected = places.count_places(pursuit(detectives=2), "nearest", 4, 7, lambda done: None)
    assert json.loads(out)["counts"] == {"plan1 2": expected}
    assert "--detectives 2 --games 4 --seed 7 --agent nearest" in json.loads(out)["made"]


def test_places_are_counted_for_as_many_as_the_board_has(counted: Counts) -> None:
    _, out, _ = counted("square1", "--games", 1, "--agent", "nearest")
    assert list(json.loads(out)["counts"]) == ["square1 3"]


def test_counting_refuses_what_there_is_not(counted: Counts) -> None:
    for words in ("nowhere", "plan1 --agent nobody", "plan1 --detectives 6", "plan1 --games 0"):
        code, out, err = counted(*words.split())
        assert code
        assert not out
        assert err
        assert "Traceback" not in err


def test_counting_can_be_stopped(counted: Counts, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(places, "_play", stop)
    code, out, err = counted("plan1", "--games", 2, "--agent", "nearest")
    assert (code, out) == (130, "")
    assert "Traceback" not in err
