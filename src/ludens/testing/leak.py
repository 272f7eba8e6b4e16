"""Checks for leaks: a seat must see, hear and guess exactly what the rules let it know.

* ``guess_fits``: a guessed world looks to its seat as the view it was guessed from.
* ``twins``: worlds that sounded alike to a seat look alike to it. Finds a view, a legal list, features, a drawing or
  marks that show what was never told.
* ``ears``: worlds that look alike to a seat sound alike to it. Finds an event heard by the wrong seat.
* ``guess_varies``: guesses are neither the truth nor always the same.
* ``guess_plays``: guessed worlds obey the laws and can be played to the end.

Limits. ``twins`` and the deal's part of ``ears`` need deals that are alike to a seat: where a seat's own deal hardly
ever repeats among some thousand, they have nothing to compare. ``ears`` asks whether what a seat heard in a step tells
it anything about the position that its view does not: it finds what is still hidden after the step, not a secret that
was told and is of no more use, nor one told in several steps. A view that forgets what its seat heard and could still
use is found too, and rightly: guesses from it would contradict what the seat knows.
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

DEALS = 2000  # dealt in search of deals alike to a seat
GROUPS = 24  # groups followed for each seat
GROUP_SIZE = 10
FOLLOWED_MOVES = 40
FEW_UNITS = 12  # groups needed before `ears` judges
DRAWN_TWINS = 3  # comparisons of pictures in a group: drawing is slow
DRAWN_GROUPS = 8  # groups of a seat whose pictures are compared
LAWFUL = 4  # moves of a guessed world after each of which its laws are looked at; then every fourth, and at the end


UNHEARD = 1 << 40  # stands for an event that did not happen: no number of an event is that large
Told = tuple[int, int, int]


class Tally:
    """What `ears` counts for one seat."""

    def __init__(self) -> None:
        self.groups = 0  # compared
        self.gaps: dict[Told, list[np.ndarray]] = defaultdict(list)


def guess_fits(sample: Sample) -> Iterator[Breach]:
    """A guessed world looks to its seat exactly as the view it was guessed from."""
    sample.needs("guess")
    for at in sample.positions(most=200):
        for seat in range(sample.game.rules.seats):
            view = look(sample.game, at.array, seat)
            again = look(sample.game, sample.imagine(view), seat)
            odd = differing(view, again)
            if odd:
                yield at.says(f"a world guessed from seat {seat}'s view looks otherwise to it, in {', '.join(odd)}")


def guess_plays(sample: Sample) -> Iterator[Breach]:
    """Guessed worlds obey the laws and can be played to the end."""
    sample.needs("guess")
    for at in sample.positions(most=40):
        for seat in range(sample.game.rules.seats):
            yield from _play_guess(sample, at, seat)


def _play_guess(sample: Sample, at: Position, seat: int) -> Iterator[Breach]:
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
    """Games in which a seat heard the same look the same to it: views, legal actions, features, drawings."""
    followed = 0
    for seat in range(sample.game.rules.seats):
        lanes = Group.dealt(sample, DEALS)
        groups = lanes.groups(range(DEALS), partial(lanes.heard, seat=seat), GROUP_SIZE)[:GROUPS]
        followed += len(groups)
        for number, group in enumerate(groups):
            yield from _follow_twins(sample, lanes, group, seat, DRAWN_TWINS if number < DRAWN_GROUPS else 0)
    if not followed:
        raise Skip(f"no two of {DEALS} deals sounded alike to a seat")


def _follow_twins(sample: Sample, lanes: Group, group: list[int], seat: int, drawn: int) -> Iterator[Breach]:
    for move in range(FOLLOWED_MOVES):
        leaks = list(_unlike(lanes, group, seat))
        if not leaks and move < DRAWN_TWINS:
            leaks = list(_unlike_pictures(sample, lanes, group, seat, is_drawn=move < drawn))
        yield from leaks
        group = lanes.running(group)
        if leaks or len(group) < 2:
            return
        lanes.play(group, lanes.choose(sample, group, seat))
        alike = lanes.groups(group, partial(lanes.heard, seat=seat), GROUP_SIZE)
        if not alike:
            return
        group = alike[0]


def _unlike(lanes: Group, group: list[int], seat: int) -> Iterator[Breach]:
    """How the games of a group differ for a seat that heard the same in all of them."""
    views = look(lanes.game, lanes.states[group], seat)
    first = lanes.one(group[0])
    for row, lane in enumerate(group):
        odd = differing(views[:1], views[row : row + 1])
        if odd:
            yield lanes.says(
                lane, f"seat {seat} sees in {', '.join(odd)} what it never heard of; {_twin(lanes, group[0])}"
            )
            return
        truth = lanes.one(lane)
        mine = seat in (truth.to_move, first.to_move)
        if mine and (truth.to_move != first.to_move or truth.legal != first.legal):
            yield lanes.says(lane, f"seat {seat}'s legal actions tell what it never heard of; {_twin(lanes, group[0])}")
            return


def _twin(lanes: Group, lane: int) -> str:
    return f"its twin is seed {lanes.seeds[lane]}, {lanes.played(lane)}"


def _unlike_pictures(sample: Sample, lanes: Group, group: list[int], seat: int, *, is_drawn: bool) -> Iterator[Breach]:
    game = sample.game
    one, twin = (View(game, look(game, lanes.states[[lane]], seat)) for lane in group[:2])
    if is_drawn and _faces(game, one) != _faces(game, twin):
        yield lanes.says(group[1], "two equal views are drawn, or asked for a move, differently")
    if lanes.marks(group[0], seat) != lanes.marks(group[1], seat):
        yield lanes.says(group[1], f"the marks of a move tell seat {seat} what it never heard of")
    if game.rules.can("encode") and sample.features(one.array).tobytes() != sample.features(twin.array).tobytes():
        yield lanes.says(group[1], "two equal views have different features")


def _faces(game: Game, view: View) -> list[str]:
    """All that people are shown of a view."""
    return [
        game.face.text(view),
        game.face.asks(view),
        game.face.why_over(view),
        *(game.face.svg(view, shape=shape) for shape in SHAPES),
    ]


def guess_varies(sample: Sample) -> Iterator[Breach]:
    """Hidden fields of two guesses differ about as often as those of a guess and the truth."""
    seats = sample.blind_seats
    if not seats and sample.game.rules.has_secrets:
        yield finding("the game says it has secrets, but no view hides anything")
        return
    if not seats:
        raise Skip("nothing is hidden but the dice")
    sample.needs("guess")
    states = _random_positions(sample, 256)
    for seat in seats:
        yield from _guess_faults(sample, states, look(sample.game, states, seat), seat)


def _random_positions(sample: Sample, count: int) -> np.ndarray:
    """Fresh deals, each played on by a random number of moves, none to its end."""
    lanes = Group.dealt(sample, count)
    longest = max(len(played.actions) for played in sample.played)
    stops = sample.random.integers(longest, size=count)
    for move in range(min(longest, 200)):
        group = [lane for lane in range(count) if stops[lane] > move and not lanes.one(lane).over]
        if group:
            lanes.play(group, [sample.pick(lanes.one(lane).legal) for lane in group])
    return lanes.states[lanes.running(list(range(count)))]


def _guess_faults(sample: Sample, truth: np.ndarray, views: np.ndarray, seat: int) -> Iterator[Breach]:
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


def ears(sample: Sample) -> Iterator[Breach]:
    """What a seat hears in a step tells it nothing about the position that its view does not show."""
    seats = sample.blind_seats
    if not seats:
        raise Skip("nothing is hidden but the dice")
    compared = 0
    for seat in seats:
        tally = Tally()
        _listen_to_deals(sample, seat, tally)
        if sample.game.rules.can("guess"):
            _listen_to_guesses(sample, seat, tally)
        compared += tally.groups
        yield from _overheard(sample, seat, tally)
    if not compared:
        raise Skip("no two worlds looked alike to a seat")


def _listen_to_deals(sample: Sample, seat: int, tally: Tally) -> None:
    lanes = Group.dealt(sample, DEALS)
    groups = lanes.groups(range(DEALS), partial(lanes.seen, seat=seat), GROUP_SIZE)[: 2 * GROUPS]
    for group in groups:
        _count(lanes, group, seat, tally)
    for group in groups[:GROUPS]:
        for _ in range(FOLLOWED_MOVES):
            group = _listen_on(sample, lanes, group, seat, tally)


def _listen_on(sample: Sample, lanes: Group, group: list[int], seat: int, tally: Tally) -> list[int]:
    """Play one move in a group alike to a seat; the largest group that is still alike to it."""
    group = lanes.running(group)
    if len(group) < 2:
        return []
    lanes.play(group, lanes.choose(sample, group, seat))
    alike = lanes.groups(group, partial(lanes.seen, seat=seat), GROUP_SIZE)
    for part in alike:
        _count(lanes, part, seat, tally)
    return alike[0] if alike else []


def _listen_to_guesses(sample: Sample, seat: int, tally: Tally) -> None:
    for at in sample.positions(most=4 * GROUPS):
        view = look(sample.game, at.array, seat)
        worlds = sample.imagine(np.repeat(view, GROUP_SIZE))
        lanes = Group.of(sample.game, worlds, listens=True)
        _listen_on(sample, lanes, list(range(GROUP_SIZE)), seat, tally)


def _count(lanes: Group, group: list[int], seat: int, tally: Tally) -> None:
    """In a group that looks alike to a seat: how much more alike are worlds that sounded alike, number by number."""
    tally.groups += 1
    one, two = np.triu_indices(len(group), 1)
    values = elements(lanes.states[group])
    equal = values[one] == values[two]
    heard = [_numbers(events_for(lanes.events(lane), seat)) for lane in group]
    for name in {name for numbers in heard for name in numbers}:
        told = np.array([numbers.get(name, UNHEARD) for numbers in heard])
        same = told[one] == told[two]
        if same.any() and not same.all():
            tally.gaps[name].append(equal[same].mean(axis=0) - equal[~same].mean(axis=0))


def _numbers(events: list[Event]) -> dict[Told, int]:
    """What was heard, number by number: (kind, how many of that kind came before, place) -> number."""
    before: dict[int, int] = defaultdict(int)
    numbers = {}
    for event in events:
        for place, number in enumerate((event.a, event.b, event.c)):
            numbers[event.kind, before[event.kind], place] = number
        before[event.kind] += 1
    return numbers


def _overheard(sample: Sample, seat: int, tally: Tally) -> Iterator[Breach]:
    """Numbers that worlds alike in sound share more often, by five standard errors; a group is one unit."""
    labels = np.array(field_labels(sample.game.rules.State))
    for (kind, _, place), units in tally.gaps.items():
        gaps = np.array(units)
        clear = gaps.mean(axis=0) > np.maximum(0.2, 5 * gaps.std(axis=0) / np.sqrt(len(gaps)))
        if len(units) >= FEW_UNITS and clear.any():
            fields = ", ".join(dict.fromkeys(labels[clear].tolist()))
            yield finding(
                f"seat {seat} hears in events of kind {kind} (number {'abc'[place]}) of {fields} what its view hides"
            )
            return
