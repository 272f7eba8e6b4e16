"""Who plays whom, on which deals, in which seats: pure data, nothing is played here.

A *deal* is one seed. A pairing plays it in every seat order (all permutations with up to three seats, rotations with
more), so that the luck of the draw and of the seat is the same for all. Deal ``d`` has the same seed in every pairing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.error import BadOption
from ludens.core.registry import learns
from ludens.core.rng import mix
from ludens.core.seat import seats_named
from ludens.core.seed import derived_seed, dice_key

if TYPE_CHECKING:
    from ludens.arena.request import Request
    from ludens.core.game import Game

_BOUND = re.compile(r"([^:/\\.=]+)=(.+)")
_POOL_SALT = 0x706F6F6C


@dataclass(frozen=True)
class Entrant:
    """An agent as it was entered: the name shown in tables, its spec, and the seats it is bound to (none: any)."""

    name: str
    spec: str
    seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class Pairing:
    """Entrants who play one another: their seat orders, and the number of deals they play."""

    orders: tuple[tuple[int, ...], ...]  # [order][seat] -> entrant
    deals: int

    @property
    def entrants(self) -> list[int]:
        """The indices of the entrants in this pairing, in the order entered."""
        return sorted(set(self.orders[0]))


@dataclass(frozen=True)
class ScheduledGame:
    """One game to be played: its place in the schedule, its seed, and who sits where."""

    number: int
    pairing: int
    repeat: int
    deal: int
    order: int
    seed: int
    seating: tuple[int, ...]  # [seat] -> entrant
    key: str | None = None  # the run's drawn key

    @property
    def dice_key(self) -> tuple[int, int]:
        """The key of the agents' dice in this game: two numbers.

        They are made from its seed, seat order, repeat and the run's key.
        """
        return dice_key(self.seed, self.order, self.repeat, secret=bytes.fromhex(self.key or ""))


@dataclass(frozen=True)
class Schedule:
    """A whole tournament as data: who was entered, the pairings, and the number of repeats."""

    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]
    seed: int
    repeats: int = 1
    key: str | None = None  # drawn, and mixed into all deals and dice: see `Request.key`
    draws: tuple[tuple[int, ...], ...] = field(default=(), repr=False)  # with a pool: who plays each deal

    @property
    def total(self) -> int:
        """The number of games in the tournament."""
        return self.repeats * sum(pairing.deals * len(pairing.orders) for pairing in self.pairings)

    def orders(self, pairing: int, deal: int) -> tuple[tuple[int, ...], ...]:
        """The seat orders of a deal in a pairing (both by number), [order][seat] -> entrant.

        With a pool they differ from deal to deal.
        """
        return _rotations(self.draws[deal]) if self.draws else self.pairings[pairing].orders

    def sitting(self, pairing: int) -> Iterable[int]:
        """The indices of the entrants that may play in a pairing; with a pool all of them."""
        return range(len(self.entrants)) if self.draws else self.pairings[pairing].entrants

    def first_number(self, pairing: int) -> int:
        """The number of a pairing's first game; games are numbered from 0 through the whole schedule."""
        return self.repeats * sum(before.deals * len(before.orders) for before in self.pairings[:pairing])

    def fixtures(self, pairing: int, repeat: int, first: int, deals: int) -> Iterator[ScheduledGame]:
        """Yield the games of a pairing and repeat, in order.

        They are those of ``deals`` deals from number ``first`` on, in all their seat orders; deals beyond the pairing's
        last are left out.
        """
        here = self.pairings[pairing]
        number = self.first_number(pairing) + (repeat * here.deals + first) * len(here.orders)
        for deal in range(first, min(first + deals, here.deals)):
            seed = deal_seed(self.seed, deal, self.key)
            for order, seating in enumerate(self.orders(pairing, deal)):
                yield ScheduledGame(number, pairing, repeat, deal, order, seed, seating, self.key)
                number += 1


def deal_seed(seed: int, deal: int, key: str | None = None) -> int:
    """The seed of a deal, made from the run's seed and the deal's number; the same in every pairing.

    With a run's drawn ``key`` nobody who lacks it can find the seed by trying out seeds.
    """
    return derived_seed(seed, deal, secret=bytes.fromhex(key)) if key else _mix(seed, deal)


def _mix(a: int, b: int) -> int:
    """A 64-bit hash of two numbers."""
    words: Any = np.uint64(a), np.uint64(b)
    return int(mix(*words))


def make_schedule(game: Game, request: Request) -> Schedule:
    """Build the schedule that a request describes; BadOption, with the reason, if it is impossible."""
    if request.pool:
        return _pool_schedule(game, request)
    entrants = _entrants(game, request.specs)
    _check_format(game, entrants, request.format)
    pairings = tuple(
        Pairing(orders, -(-request.games // len(orders)))
        for chosen in _combinations(game, entrants, gauntlet=request.gauntlet)
        if (orders := _fitting_orders(game, entrants, chosen))
    )
    if not pairings:
        raise BadOption("no seat order fits: the specs given cannot fill every seat, bind them to other seats")
    return Schedule(entrants, pairings, request.seed, request.repeats, request.key)


def learning_pairings(game: Game, schedule: Schedule) -> list[bool]:
    """For each pairing whether one of its agents learns from game to game: [pairings].

    This is read from the specs: no agent is made and no file is run.
    """
    learners = {i for i, entrant in enumerate(schedule.entrants) if learns(entrant.spec, game)}
    return [not learners.isdisjoint(schedule.sitting(pairing)) for pairing in range(len(schedule.pairings))]


def _entrants(game: Game, specs: Sequence[str]) -> tuple[Entrant, ...]:
    """The entrants that the specs name, in order, with the seats they are bound to ('phantom=mcts').

    A spec given twice gets the names 'random' and 'random#2'. BadOption if one is empty.
    """
    seen: dict[str, int] = {}
    entrants = []
    for text in (spec.strip() for spec in specs):
        if not text:
            raise BadOption("an agent spec is empty: name an agent, such as 'random'")
        seen[text] = seen.get(text, 0) + 1
        name = text if seen[text] == 1 else f"{text}#{seen[text]}"
        seats, spec = _binding(game, text)
        entrants.append(Entrant(name, spec, seats))
    return tuple(entrants)


def _binding(game: Game, text: str) -> tuple[tuple[int, ...], str]:
    """Split a text such as 'phantom=mcts' into the seats it is bound to and the spec; () if it is bound to none.

    Several seats may share a name. UnknownName if no seat has it.
    """
    bound = _BOUND.fullmatch(text)
    if not bound:
        return (), text
    return seats_named(game, bound[1]), bound[2].strip()


def _check_format(game: Game, entrants: Sequence[Entrant], format: str | None) -> None:
    """Raise BadOption if ``format`` ('pairs', 'table', None) does not fit the game, or the agents are too few.

    At least as many agents are needed as there are seats; one bound to several seats fills all of them.
    """
    if format == "pairs" and game.rules.seats != 2:
        raise BadOption(f"format pairs needs two seats and {game.id} has {game.rules.seats} here: use format table")
    filled = sum(_seats_taken(entrant) for entrant in entrants)
    if filled < game.rules.seats:
        given = "1 agent is" if len(entrants) == 1 else f"{len(entrants)} agents are"
        more = "name more, or repeat a spec ('random random')"
        raise BadOption(f"{game.id} has {game.rules.seats} seats here but {given} given: {more}")


def _seats_taken(entrant: Entrant) -> int:
    """The number of seats an entrant fills: all it is bound to, else one."""
    return max(len(entrant.seats), 1)


def _combinations(game: Game, entrants: Sequence[Entrant], *, gauntlet: bool) -> Iterator[tuple[int, ...]]:
    """The sets of entrants that fill the seats exactly, as indices; in a gauntlet only those with entrant 0."""
    for count in range(1, game.rules.seats + 1):
        for chosen in itertools.combinations(range(len(entrants)), count):
            fills = sum(_seats_taken(entrants[i]) for i in chosen) == game.rules.seats
            if fills and (not gauntlet or chosen[0] == 0):
                yield chosen


def _fitting_orders(game: Game, entrants: Sequence[Entrant], chosen: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The seat orders of the chosen entrants, [order][seat] -> entrant.

    Bound entrants sit where they are bound to, the others change places. () if two are bound to the same seat.
    """
    seating: dict[int, int] = {}
    for i in chosen:
        for seat in entrants[i].seats:
            if seat in seating:
                return ()
            seating[seat] = i
    free = [seat for seat in range(game.rules.seats) if seat not in seating]
    movers = tuple(i for i in chosen if not entrants[i].seats)
    changes = tuple(itertools.permutations(movers)) if game.rules.seats <= 3 else _rotations(movers)
    orders = (seating | dict(zip(free, change, strict=True)) for change in changes)
    return tuple(tuple(order[seat] for seat in range(game.rules.seats)) for order in orders)


def _rotations(row: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All rotations of a row; ((),) for an empty one."""
    return tuple(row[turn:] + row[:turn] for turn in range(len(row))) or ((),)


def _pool_schedule(game: Game, request: Request) -> Schedule:
    """The schedule of a request with a pool: one pairing, with entrants drawn for each deal.

    BadOption, with the reason, if it is impossible.
    """
    assert request.pool is not None
    size = game.rules.seats if request.size is None else request.size
    if size != game.rules.seats:
        how = f"add -o players={size}" if "players" in game.rules.option_values() else "leave the size away"
        raise BadOption(f"size={size} does not fit: {game.id} has {game.rules.seats} seats with these options, {how}")
    if len(request.specs) != 1:
        raise BadOption("with a pool name exactly one agent: it plays every deal, and the others come from the pool")
    entrants = _entrants(game, [*request.specs, *request.pool])
    if any(entrant.seats for entrant in entrants):
        raise BadOption("agents cannot be bound to seats with a pool: every agent takes every seat in turn")
    deals = -(-request.games // size)
    draws = tuple(_draw_pairings(len(entrants), size, deals, request.seed))
    return Schedule(
        entrants, (Pairing(_rotations(draws[0]), deals),), request.seed, request.repeats, request.key, draws
    )


def _draw_pairings(entrants: int, size: int, deals: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Draw who plays each deal: entrant 0 and ``size - 1`` of the other ``entrants`` (their number), shuffled.

    One of the others is always among those drawn least often so far. Yields a tuple of ``size`` indices for each deal.
    """
    met = [0] * entrants
    for deal in range(deals):
        key = _mix(deal_seed(seed, deal), _POOL_SALT)
        others = _shuffled(range(1, entrants), key)
        others.sort(key=lambda i: met[i] != min(met[1:]))  # stable: one of the least met comes first
        drawn = others[:1] + _shuffled(others[1:], key + 1)
        while len(drawn) < size - 1:  # a small pool: some take several seats
            drawn += _shuffled(range(1, entrants), key + 1 + len(drawn))
        drawn = drawn[: size - 1]
        for i in drawn:
            met[i] += 1
        yield tuple(_shuffled([0, *drawn], key + 2))


def _shuffled(items: Sequence[int], key: int) -> list[int]:
    """The items shuffled by hashes of ``key``, so that the order is the same on every machine and Python version."""
    hashes = [_mix(key & (1 << 64) - 1, place) for place in range(len(items))]
    return [item for _, item in sorted(zip(hashes, items, strict=True))]
