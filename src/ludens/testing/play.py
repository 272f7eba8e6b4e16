"""Checks of the rules: capacities, endings, legality, agreement of state and view, batches, laws, results."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ludens.core import drive, ops
from ludens.core.error import IllegalAction
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.lanes import Lanes
from ludens.core.state import State
from ludens.testing.report import Breach, Skip
from ludens.testing.sample import MOST_MOVES, Played, Position, Sample, look


def room(sample: Sample) -> Iterator[Breach]:
    """Lists of legal actions and events fit the capacity that the game declares for them.

    A check: yields the breaches noted while the sample was played.
    """
    yield from sample.overruns


def ends(sample: Sample) -> Iterator[Breach]:
    """Random games end.

    A check: yields a breach for each that does not.
    """
    for played in sample.played:
        if not played.ended and not sample.overruns:
            yield played.says(f"a random game was not over after {MOST_MOVES} decisions", 0)


def legal_ids(sample: Sample) -> Iterator[Breach]:
    """Legal actions come in ascending order, each once, with ids below ``Rules.actions``.

    A check: yields a breach for each case where this fails.
    """
    for at in sample.positions(most=2000):
        legal = at.legal
        if any(later <= earlier for earlier, later in pairwise(legal)):
            yield at.says(f"legal actions are not ascending and unique: {legal[:20]}")
        if legal and max(legal) >= sample.game.rules.actions:
            yield at.says(f"action {max(legal)} is legal, but ids run from 0 to {sample.game.rules.actions - 1}")


def state_at(at: Position) -> State:
    """A new `State` of this position, made by playing its actions through all checks."""
    state = at.game.start(at.seed)
    for action in at.actions:
        state.play(action)
    return state


def legality(sample: Sample) -> Iterator[Breach]:
    """Legal actions can be played; all others raise IllegalAction and change nothing.

    A check: yields a breach for each case where this fails.
    """
    for at in sample.positions(most=60):
        state = state_at(at)
        yield from _illegal_actions(sample, at, state)
        yield from _allows_agrees(sample, at)
        for action in at.legal[:12]:
            again = state.copy()
            try:
                again.play(action)
            except IllegalAction as why:
                yield at.says(f"the legal action {action} is refused: {why}")


def _allows_agrees(sample: Sample, at: Position) -> Iterator[Breach]:
    """Yield a breach if `allows`, where a game has it, disagrees with the list of legal actions in a position."""
    if not sample.game.rules.can("allows") or at.turn < 0:
        return
    asked = np.append(np.arange(sample.game.rules.actions + 8), 1 << 31)
    answers = np.zeros(len(asked), np.int64)
    _answers(sample.game.rules.constants, at.array, asked, answers)
    odd = asked[(answers > 0) != np.isin(asked, at.legal)]
    if len(odd):
        yield at.says(f"`allows` and `legal` do not agree on action {odd[0]}")


@kernel
def _answers(constants: Any, states: Any, actions: Any, out: Any) -> None:
    """Write to ``out`` [actions] what `allows` returns for each of ``actions`` in the first of ``states``."""
    g = ops.open_constants(constants)
    for j in range(len(actions)):
        out[j] = ops.allows(g, states[0], actions[j])


def _illegal_actions(sample: Sample, at: Position, state: State) -> Iterator[Breach]:
    """Try actions that are not legal in a position; yields a breach if one is accepted or changes the position.

    ``state`` is a `State` of the position ``at``.
    """
    legal = set(at.legal)
    tried = [
        -1,
        sample.game.rules.actions,
        1 << 31,
        *sample.random.integers(sample.game.rules.actions, size=20).tolist(),
    ]
    before = state.array.tobytes()
    for action in set(tried) - legal:
        try:
            state.play(action)
            yield at.says(f"action {action} is not in the legal list but was played")
            return
        except IllegalAction:
            if state.array.tobytes() != before or len(state.actions) != len(at.actions):
                yield at.says(f"the refused action {action} changed the position")
                return


def agreement(sample: Sample) -> Iterator[Breach]:
    """Legal actions, features and advice are the same for the state and for the view of the seat to move.

    A check: yields a breach for each case where this fails.
    """
    for at in sample.positions(most=2000):
        seat = at.turn
        if seat < 0:
            continue
        view = at.view(seat)
        if view.to_move != seat:
            yield at.says(f"seat {seat} is to move, but in its view seat {view.to_move} is")
        elif view.legal != at.legal:
            odd = sorted(set(view.legal) ^ set(at.legal))
            yield at.says(f"`legal` differs on the state and on seat {seat}'s view, in actions {odd[:10]}")
        else:
            yield from _operations_agree(sample, at, view.array)


def _operations_agree(sample: Sample, at: Position, view: np.ndarray) -> Iterator[Breach]:
    """Yield breaches where `suggest`, `order`, `value` or `encode` reads what a view hides, or answers nonsense.

    Each is called for ``view``, that of the seat to move in position ``at``, and for the full state with the view's
    generator: the results must be equal, and valid.
    """
    game, g, legal = sample.game, sample.g, at.legal
    truth = at.array.copy()
    truth["rng"] = view["rng"]
    if game.rules.can("suggest"):  # called for worlds too, whose seat is -1
        asked = [int(ops.suggest(g, record.copy()[0])) for record in (view, truth)]
        if asked[0] != asked[1]:
            yield at.says(f"`suggest` answers {asked[0]} on the mover's view but {asked[1]} on the state")
        if asked[0] not in legal:
            yield at.says(f"`suggest` answers {asked[0]}, which is not legal")
    if game.rules.can("order"):
        weights = _weights(g, view, legal)
        if not np.array_equal(weights, _weights(g, truth, legal)):
            yield at.says("`order` differs on the state and on the mover's view")
        if not np.isfinite(weights).all() or (weights < 0).any():
            yield at.says(f"`order` gives weights that are not finite numbers from 0 on: {weights[:10].tolist()}")
        if (weights == 0).any() and not game.rules.order_prunes:
            yield at.says("`order` gives a legal move weight 0, but the game does not declare `order_prunes`")
    if game.rules.can("value"):
        values = _values(game, g, view)
        if not np.array_equal(values, _values(game, g, truth)):
            yield at.says("`value` differs on the state and on the mover's view")
        if not (np.abs(values) <= 1 + 1e-9).all():
            yield at.says(f"`value` answers {values.tolist()}, not returns between -1 and +1")
    truth["seat"] = view["seat"]
    if game.rules.can("encode") and sample.features(view).tobytes() != sample.features(truth).tobytes():
        yield at.says("`encode` differs on the state and on the mover's view")


def _weights(g: Any, record: np.ndarray, legal: list[int]) -> np.ndarray:
    """The weights that `order` gives the ``legal`` actions in ``record``, a view or state (an array of one)."""
    out = np.zeros(len(legal))
    ops.order(g, record.copy()[0], np.array(legal, np.uint32), len(legal), out)
    return out


def _values(game: Game, g: Any, record: np.ndarray) -> np.ndarray:
    """The values that `value` gives the seats in ``record``, a view or state (an array of one): [seats]."""
    out = np.zeros(game.rules.seats)
    ops.value(g, record.copy()[0], out)
    return out


def batches(sample: Sample) -> Iterator[Breach]:
    """Games played in one batch are the same as when each is played alone.

    A check: yields a breach for each case where this fails.
    """
    game, played = sample.game, sample.played
    lanes = Lanes(game, [one.seed for one in played], listens=True)
    for move in range(max(len(one.actions) for one in played) + 1):
        rows = np.array([i for i, one in enumerate(played) if len(one.actions) > move], np.int64)
        yield from _same_as_alone(sample, lanes.states, move)
        lanes.step(rows, np.array([played[i].actions[move] for i in rows], np.int64))


def _same_as_alone(sample: Sample, states: np.ndarray, move: int) -> Iterator[Breach]:
    """Yield breaches where a batch of the sample games, after ``move`` moves, differs from the games played alone.

    ``states`` are those of the batch; the seats' views are compared too.
    """
    views = [look(sample.game, states, seat) for seat in range(sample.game.rules.seats)] if move < 20 else []
    for i, one in enumerate(sample.played):
        if move >= len(one.states):
            continue
        alone = one.states[move]
        if alone.tobytes() != states[i : i + 1].tobytes():
            yield one.says("the game took another course in a batch than alone", move)
        for seat, seen in enumerate(views):
            if look(sample.game, alone, seat).tobytes() != seen[i : i + 1].tobytes():
                yield one.says(f"seat {seat}'s view differs in a batch and alone", move)


def laws(sample: Sample) -> Iterator[Breach]:
    """The quantities that the game declares constant (``Rules.laws``) stay so from the deal to the end.

    A check: yields a breach for each case where this fails. Skipped if the game declares none.
    """
    if not sample.game.rules.laws(sample.played[0].states[0]):
        raise Skip("the game declares no laws")
    for played in sample.played:
        yield from _broken_laws(sample, played)


def _broken_laws(sample: Sample, played: Played) -> Iterator[Breach]:
    """Yield a breach for the first law that is broken in a game, if one is."""
    first = sample.game.rules.laws(played.states[0])
    for moves, array in enumerate(played.states):
        now = sample.game.rules.laws(array)
        broken = [name for name in first if now[name] != first[name]]
        if broken:
            name = broken[0]
            yield played.says(f"the law '{name}' is broken: {first[name]} became {now[name]}", moves)
            return


def results(sample: Sample) -> Iterator[Breach]:
    """Returns are finite and sum to 0, or, in a game for three or more, are all -1 if nobody wins.

    A check: yields a breach for each case where this fails.
    """
    for played in sample.played:
        if not played.ended:
            continue
        returns, scores = np.zeros((2, 1, sample.game.rules.seats))
        drive.write_results(sample.game.rules.constants, played.states[-1], returns, scores)
        nobody = sample.game.rules.seats > 2 and bool((returns == -1).all())
        if not np.isfinite(returns).all() or not np.isfinite(scores).all():
            yield played.says(f"returns {returns[0]} or scores {scores[0]} are not finite")
        elif abs(returns.sum()) > 1e-9 and not nobody:
            yield played.says(f"returns {returns[0].tolist()} do not add up to 0")
