"""Checks for leaks: a seat must see, be told and guess exactly what the rules let it know.

* ``guess_fits``: a guessed world gives its seat the view that it was guessed from.
* ``twins``: games in which a seat got the same events give it the same views. Finds a view, a list of legal actions,
  features, a drawing or marks that show what the seat was never told.
* ``events``: worlds that give a seat the same view give it the same events. Finds an event told to the wrong seat.
* ``guess_varies``: guesses are neither always the truth nor always the same.
* ``guess_plays``: guessed worlds obey the laws and can be played to the end.

Limits. ``twins``, and ``events`` where it compares deals, need deals that a seat cannot tell apart. If a seat's own
deal hardly ever repeats among some thousand, they have nothing to compare. ``events`` tests whether the events of one
step tell a seat something about the position after it that its view hides. It does not find a secret that no longer
matters after the step, nor one told in several steps. It also reports a view that lacks what its seat was told and
could still use; that is a fault too, since guesses from the view would contradict what the seat knows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

import numpy as np

from ludens.core.drawing import SHAPES
from ludens.core.event import Event, events_for
from ludens.core.game import Game
from ludens.core.state import View
from ludens.testing.lanes import Group, elements, field_labels
from ludens.testing.report import Breach, Skip, finding
from ludens.testing.sample import MOST_MOVES, Position, Sample, differing, look

DEALS = 2000  # dealt to find some that a seat cannot tell apart
GROUPS = 24  # groups followed for each seat
GROUP_SIZE = 10  # most lanes in a group
FOLLOWED_MOVES = 40  # most moves played in a group
FEW_UNITS = 12  # groups that `events` needs for a verdict
DRAWN_TWINS = 3  # comparisons of pictures in a group: drawing is slow
DRAWN_GROUPS = 8  # groups of a seat whose pictures are compared
LAWFUL = 4  # the laws of a guessed world are checked after each of its first 4 moves, every 4th, and at its end

UNHEARD = 1 << 40  # stands for a number of an event that was not told; real ones are smaller
Told = tuple[int, int, int]  # which number of which event: kind, count of earlier ones of that kind, place (0 to 2)


class Tally:
    """What the check `events` counts for one seat: how the events it was told relate to the numbers in the states."""

    def __init__(self) -> None:
        self.groups = 0  # number compared
        # told number -> for each group: how much more often each number of the state agrees where the told one does
        self.gaps: dict[Told, list[np.ndarray]] = defaultdict(list)


def guess_fits(sample: Sample) -> Iterator[Breach]:
    """A guessed world gives its seat exactly the view that it was guessed from.

    A check: yields a breach for each case where this fails.
    """
    for at in sample.positions(most=200):
        for seat in range(sample.game.rules.seats):
            view = look(sample.game, at.array, seat)
            again = look(sample.game, sample.imagine(view), seat)
            odd = differing(view, again)
            if odd:
                yield at.says(
                    f"a world guessed from seat {seat}'s view gives that seat another view: see {', '.join(odd)}"
                )


def guess_plays(sample: Sample) -> Iterator[Breach]:
    """Guessed worlds obey the laws and can be played to the end.

    A check: yields a breach for each case where this fails.
    """
    for at in sample.positions(most=40):
        for seat in range(sample.game.rules.seats):
            yield from _play_guess(sample, at, seat)


def _play_guess(sample: Sample, at: Position, seat: int) -> Iterator[Breach]:
    """Guess a world from the view of ``seat`` in position ``at`` and play random moves to its end.

    Yields a breach if it breaks a law of the game or gets stuck.
    """
    world = sample.imagine(look(sample.game, at.array, seat))
    lanes = Group.of(sample.game, world)
    laws = sample.game.rules.laws(at.array)
    for move in range(MOST_MOVES):
        legal = lanes.one(0).legal
        if not legal or move < LAWFUL or move % LAWFUL == 0:
            broken = [name for name, value in sample.game.rules.laws(lanes.states).items() if value != laws[name]]
            if broken:
                yield at.says(f"a world guessed by seat {seat} breaks '{broken[0]}' after {lanes.played(0)}")
                return
        if not legal:
            break
        lanes.play([0], [sample.pick(legal)])
    if not lanes.one(0).over:
        yield at.says(f"a world guessed by seat {seat} cannot be played to its end: no legal move, or it never ends")


def twins(sample: Sample) -> Iterator[Breach]:
    """Games in which a seat got the same events give it the same views, legal actions, features and drawings.

    A check: yields a breach for each case where this fails. Skipped if no two deals give a seat the same events.
    """
    followed = 0
    for seat in range(sample.game.rules.seats):
        lanes = Group.dealt(sample, DEALS)
        groups = lanes.groups(range(DEALS), partial(lanes.heard, seat=seat), GROUP_SIZE)[:GROUPS]
        followed += len(groups)
        for number, group in enumerate(groups):
            yield from _follow_twins(sample, lanes, group, seat, DRAWN_TWINS if number < DRAWN_GROUPS else 0)
    if not followed:
        raise Skip(f"in no two of {DEALS} deals did a seat get the same events")


def _follow_twins(sample: Sample, lanes: Group, group: list[int], seat: int, drawn: int) -> Iterator[Breach]:
    """Play a group of games in which ``seat`` got the same events, and compare what it is shown after each move.

    After each move the largest part in which the events are still the same goes on. Yields breaches, and stops at the
    first. In the first ``drawn`` moves the pictures are compared too.
    """
    for move in range(FOLLOWED_MOVES):
        leaks = list(_differences(lanes, group, seat))
        if not leaks and move < DRAWN_TWINS:
            leaks = list(_picture_differences(sample, lanes, group, seat, is_drawn=move < drawn))
        yield from leaks
        group = lanes.running(group)
        if leaks or len(group) < 2:
            return
        lanes.play(group, lanes.choose(sample, group, seat))
        alike = lanes.groups(group, partial(lanes.heard, seat=seat), GROUP_SIZE)
        if not alike:
            return
        group = alike[0]


def _differences(lanes: Group, group: list[int], seat: int) -> Iterator[Breach]:
    """Yield a breach where view or legal actions of ``seat`` differ in games in which it got the same events.

    ``group`` are those lanes of ``lanes``; only the first difference is reported.
    """
    views = look(lanes.game, lanes.states[group], seat)
    first = lanes.one(group[0])
    for row, lane in enumerate(group):
        odd = differing(views[:1], views[row : row + 1])
        if odd:
            yield lanes.says(
                lane, f"seat {seat} sees in {', '.join(odd)} what it was never told; {_twin_text(lanes, group[0])}"
            )
            return
        truth = lanes.one(lane)
        mine = seat in (truth.to_move, first.to_move)
        if mine and (truth.to_move != first.to_move or truth.legal != first.legal):
            yield lanes.says(
                lane, f"seat {seat}'s legal actions show what it was never told; {_twin_text(lanes, group[0])}"
            )
            return


def _twin_text(lanes: Group, lane: int) -> str:
    """How to reproduce the game in ``lane``, to which another was compared: the end of a breach's sentence."""
    return f"compare seed {lanes.seeds[lane]}, {lanes.played(lane)}"


def _picture_differences(
    sample: Sample, lanes: Group, group: list[int], seat: int, *, is_drawn: bool
) -> Iterator[Breach]:
    """Yield breaches where marks, features or (with ``is_drawn``) texts and pictures differ for a seat.

    Only the first two games of the group are compared.
    """
    game = sample.game
    one, twin = (View(game, look(game, lanes.states[[lane]], seat)) for lane in group[:2])
    if is_drawn and _shown(game, one) != _shown(game, twin):
        yield lanes.says(group[1], "two equal views are drawn, or asked for a move, differently")
    if lanes.marks(group[0], seat) != lanes.marks(group[1], seat):
        yield lanes.says(group[1], f"the marks of a move show seat {seat} what it was never told")
    if game.rules.can("encode") and sample.features(one.array).tobytes() != sample.features(twin.array).tobytes():
        yield lanes.says(group[1], "two equal views have different features")


def _shown(game: Game, view: View) -> list[str]:
    """All texts and pictures that people are shown of a view."""
    return [
        game.face.text(view),
        game.face.asks(view),
        game.face.why_over(view),
        *(game.face.svg(view, shape=shape) for shape in SHAPES),
    ]


def guess_varies(sample: Sample) -> Iterator[Breach]:
    """Hidden fields of two guesses differ about as often as those of a guess and the truth.

    A check: yields a breach for each case where this fails. Skipped if views hide nothing.
    """
    seats = sample.seats_with_hidden_fields
    if not seats and sample.game.rules.has_secrets:
        yield finding("the game says it has secrets, but no view hides anything")
        return
    if not seats:
        raise Skip("nothing is hidden but the random generator")
    states = _random_positions(sample, 256)
    for seat in seats:
        yield from _guess_faults(sample, states, look(sample.game, states, seat), seat)


def _random_positions(sample: Sample, count: int) -> np.ndarray:
    """States of ``count`` new games after a random number of moves, without those that are over."""
    lanes = Group.dealt(sample, count)
    longest = max(len(played.actions) for played in sample.played)
    stops = sample.random.integers(longest, size=count)
    for move in range(min(longest, 200)):
        group = [lane for lane in range(count) if stops[lane] > move and not lanes.one(lane).over]
        if group:
            lanes.play(group, [sample.pick(lanes.one(lane).legal) for lane in group])
    return lanes.states[lanes.running(list(range(count)))]


def _guess_faults(sample: Sample, truth: np.ndarray, views: np.ndarray, seat: int) -> Iterator[Breach]:
    """Yield breaches where worlds guessed by a seat are the truth, never vary, or vary more or less than the truth.

    ``truth`` are states, ``views`` the views that ``seat`` has of them.
    """
    one, two = elements(sample.imagine(views)), elements(sample.imagine(views))
    real = elements(truth)
    if (one == real).all() and (two == real).all():
        yield finding(f"the worlds seat {seat} guesses are always the truth: its view or its guess knows too much")
        return
    labels = np.array(field_labels(truth.dtype))
    for name in dict.fromkeys(labels):
        columns = labels == name
        from_truth = (one != real)[:, columns].mean(axis=1)
        from_guess = (one != two)[:, columns].mean(axis=1)
        gap = from_truth - from_guess
        margin = 0.1 + 5 * gap.std() / np.sqrt(len(gap))
        often = f"{from_truth.mean():.0%} of the time from the truth, {from_guess.mean():.0%} from each other"
        if from_truth.any() and not from_guess.any():
            yield finding(f"seat {seat}'s guesses of '{name}' never vary, but differ from the truth")
        elif abs(gap.mean()) > margin:
            yield finding(f"seat {seat}'s guesses of '{name}' differ {often}")


def events(sample: Sample) -> Iterator[Breach]:
    """The events that a seat is told in a step reveal nothing about the position that its view hides.

    A check: yields a breach for each case where this fails. Skipped if views hide nothing.
    """
    seats = sample.seats_with_hidden_fields
    if not seats:
        raise Skip("nothing is hidden but the random generator")
    compared = 0
    for seat in seats:
        tally = Tally()
        _count_deals(sample, seat, tally)
        _count_guesses(sample, seat, tally)
        compared += tally.groups
        yield from _event_leaks(sample, seat, tally)
    if not compared:
        raise Skip("no two worlds gave a seat the same view")


def _count_deals(sample: Sample, seat: int, tally: Tally) -> None:
    """Deal new games, play on those that give ``seat`` equal views, and add what its events reveal to ``tally``."""
    lanes = Group.dealt(sample, DEALS)
    groups = lanes.groups(range(DEALS), partial(lanes.seen, seat=seat), GROUP_SIZE)[: 2 * GROUPS]
    for group in groups:
        _count(lanes, group, seat, tally)
    for group in groups[:GROUPS]:
        for _ in range(FOLLOWED_MOVES):
            group = _play_and_count(sample, lanes, group, seat, tally)


def _play_and_count(sample: Sample, lanes: Group, group: list[int], seat: int, tally: Tally) -> list[int]:
    """Play one move in a group of games with equal views for ``seat``, and add what its events reveal to ``tally``.

    Returns the lanes of the largest part whose views are still equal, [] if there is none.
    """
    group = lanes.running(group)
    if len(group) < 2:
        return []
    lanes.play(group, lanes.choose(sample, group, seat))
    alike = lanes.groups(group, partial(lanes.seen, seat=seat), GROUP_SIZE)
    for part in alike:
        _count(lanes, part, seat, tally)
    return alike[0] if alike else []


def _count_guesses(sample: Sample, seat: int, tally: Tally) -> None:
    """Play one move in worlds guessed from the same view of ``seat``, and add what its events reveal to ``tally``.

    This is done for many positions.
    """
    for at in sample.positions(most=4 * GROUPS):
        view = look(sample.game, at.array, seat)
        worlds = sample.imagine(np.repeat(view, GROUP_SIZE))
        lanes = Group.of(sample.game, worlds, listens=True)
        _play_and_count(sample, lanes, list(range(GROUP_SIZE)), seat, tally)


def _count(lanes: Group, group: list[int], seat: int, tally: Tally) -> None:
    """Compare the games of a group, which give a seat equal views but perhaps other events, and add gaps to ``tally``.

    A gap tells, for a number in these events and each number of the state, how much more often two games agree in the
    state's number if they agree in the event's than if they do not. Anything above chance is information.
    """
    tally.groups += 1
    one, two = np.triu_indices(len(group), 1)
    values = elements(lanes.states[group])
    equal = values[one] == values[two]
    heard = [_told_numbers(events_for(lanes.events(lane), seat)) for lane in group]
    for name in {name for numbers in heard for name in numbers}:
        told = np.array([numbers.get(name, UNHEARD) for numbers in heard])
        same = told[one] == told[two]
        if same.any() and not same.all():
            tally.gaps[name].append(equal[same].mean(axis=0) - equal[~same].mean(axis=0))


def _told_numbers(events: list[Event]) -> dict[Told, int]:
    """The numbers in some events, by (kind of event, count of earlier events of that kind, place 0 to 2)."""
    before: dict[int, int] = defaultdict(int)
    numbers = {}
    for event in events:
        for place, number in enumerate((event.a, event.b, event.c)):
            numbers[event.kind, before[event.kind], place] = number
        before[event.kind] += 1
    return numbers


def _event_leaks(sample: Sample, seat: int, tally: Tally) -> Iterator[Breach]:
    """Yield a breach if a number in events agrees with hidden numbers of the state more often than chance allows.

    The limit is five standard errors (and 0.2), over the groups in ``tally`` as independent units.
    """
    labels = np.array(field_labels(sample.game.rules.State))
    for (kind, _, place), units in tally.gaps.items():
        gaps = np.array(units)
        clear = gaps.mean(axis=0) > np.maximum(0.2, 5 * gaps.std(axis=0) / np.sqrt(len(gaps)))
        if len(units) >= FEW_UNITS and clear.any():
            fields = ", ".join(dict.fromkeys(labels[clear].tolist()))
            yield finding(
                f"events of kind {kind} (number {'abc'[place]}) tell seat {seat} about {fields}, which its view hides"
            )
            return
