"""The pursuit game as its specification tells it: a slow engine written only to check the fast one.

Independent of `ludens`: it shares the action numbers, not a line of code. The detectives' belief is the list of all
paths the phantom may have gone since it was last seen, written out one by one. Section numbers refer to the
specification.

Two rulings of our own fill gaps: a double move may be declared only if its second half will be possible, and not for
the final phantom move. A phantom that walks into a detective is caught, so there is no second half then either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

BLACK, DOUBLE = 4, 5  # kinds of tickets; 1 to 3 are modes, in the order of the plan
FERRY = 0  # the number of all modes that only a black ticket is good for
Path = tuple[tuple[int, int], ...]  # (mode, stop) of each move; the first has no mode


@dataclass(frozen=True)
class Plan:
    """A board and the rules it is played by."""

    stops: int
    links: dict[int, list[tuple[int, int]]]  # by mode
    starts: frozenset[int]  # where the phantom may start
    phantom: dict[int, int]  # tickets by kind
    detective: dict[int, int]
    rounds: int
    reveals: frozenset[int]
    enter: bool = True  # the phantom may step onto a detective
    stuck_loses: bool = False  # a phantom that cannot move loses (else it passes)
    all_stuck: bool = False  # the phantom wins when no detective can move
    final: bool = False  # one more phantom move after the last round
    late: bool = False  # stops are ruled out at the end of a round, not at once
    near: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for stop in range(1, self.stops + 1):
            self.near[stop] = sorted(
                (mode, a + b - stop) for mode, links in self.links.items() for a, b in links if stop in (a, b)
            )

    def rides(self, at: int, tickets: dict[int, int], held: Iterable[int]) -> list[tuple[int, int, int]]:
        """Every (kind, mode, destination) the phantom can pay for there (rules 3 and 8, black tickets)."""
        return [
            (kind, mode, to)
            for mode, to in self.near[at]
            for kind in (mode, BLACK)
            if kind != FERRY and tickets[kind] > 0 and (self.enter or to not in held)
        ]

    def has_second_half(self, kind: int, to: int, tickets: dict[int, int], held: Iterable[int]) -> bool:
        """Whether a double move that begins with this ride can be finished."""
        left = {**tickets, kind: tickets[kind] - 1}
        return to not in held and bool(self.rides(to, left, held))


class Belief:
    """All paths of the phantom that agree with what is public (section 5); it hears of nothing else."""

    def __init__(self, plan: Plan, held: list[int]) -> None:
        self.plan = plan
        self.paths: list[Path] = [((FERRY, stop),) for stop in sorted(plan.starts) if stop not in held]

    def phantom_could_move(self, tickets: dict[int, int], held: list[int]) -> None:
        """Where a stuck phantom loses, a game that goes on says that it is not stuck."""
        self.paths = [path for path in self.paths if self.plan.rides(path[-1][1], tickets, held)]

    def phantom_moved(self, kind: int, twice: bool, tickets: dict[int, int], held: list[int]) -> None:
        """Step 2: by a kind of ticket, with the tickets and the detectives as they were before the move."""
        if kind == 0:
            self.paths = [path for path in self.paths if not self.plan.rides(path[-1][1], tickets, held)]
            return
        self.paths = [
            (*path, (mode, to))
            for path in self.paths
            for paid, mode, to in self.plan.rides(path[-1][1], tickets, held)
            if paid == kind and to not in held
            if not twice or self.plan.has_second_half(kind, to, tickets, held)
        ]

    def phantom_seen(self, stop: int) -> None:
        """Step 3: all paths to the stop are one from now on."""
        assert any(path[-1][1] == stop for path in self.paths)
        self.paths = [((FERRY, stop),)]

    def rule_out(self, held: Iterable[int]) -> None:
        """Step 4."""
        self.paths = [path for path in self.paths if path[-1][1] not in held]

    def weights(self) -> Counter[int]:
        """By how many paths each stop is reached."""
        return Counter(path[-1][1] for path in self.paths)


class Reference:
    """One game from given start stops, the phantom's first."""

    def __init__(self, plan: Plan, stops: list[int]) -> None:
        self.plan, self.stop = plan, list(stops)
        self.tickets = [dict(plan.phantom), *(dict(plan.detective) for _ in stops[1:])]
        self.piece = self.made = self.rounds = 0
        self.is_second_half = False
        self.winner = -1  # 0 the phantom, 1 the detectives
        self.ending = ""
        self.fares: list[int] = []
        self.shown: dict[int, int] = {}
        self.belief = Belief(plan, self.held)
        self.look_for_stuck_detectives()
        self.begin_phantom_turn()

    @property
    def held(self) -> list[int]:
        return self.stop[1:]

    @property
    def to_move(self) -> int:
        return -1 if self.winner >= 0 else min(self.piece, 1)

    # Legal moves

    def number(self, kind: int, to: int, twice: bool = False) -> int:
        return (5 * twice + kind) * (self.plan.stops + 1) + to

    def legal(self) -> list[int]:
        """Rule 6: a pass only when there is nothing else."""
        if self.winner >= 0:
            return []
        moves = self.phantom_moves() if self.piece == 0 else self.detective_moves(self.piece)
        return sorted(moves) or [0]

    def phantom_moves(self) -> set[int]:
        moves = set()
        may_double = self.tickets[0][DOUBLE] > 0 and not self.is_second_half and self.rounds < self.plan.rounds
        for kind, _, to in self.plan.rides(self.stop[0], self.tickets[0], self.held):
            moves.add(self.number(kind, to))
            if may_double and self.plan.has_second_half(kind, to, self.tickets[0], self.held):
                moves.add(self.number(kind, to, twice=True))
        return moves

    def detective_moves(self, piece: int) -> set[int]:
        """Rules 3 and 5."""
        return {
            self.number(mode, to)
            for mode, to in self.plan.near[self.stop[piece]]
            if mode != FERRY and self.tickets[piece][mode] > 0 and to not in self.held
        }

    # Moves

    def play(self, action: int) -> None:
        twice, rest = divmod(action, 5 * (self.plan.stops + 1))
        kind, to = divmod(rest, self.plan.stops + 1)
        if self.piece == 0:
            self.move_phantom(kind, to, bool(twice))
        else:
            self.move_detective(kind, to)

    def move_phantom(self, kind: int, to: int, twice: bool) -> None:
        before = dict(self.tickets[0])
        self.made += 1
        self.fares.append(kind)
        if kind:
            self.stop[0] = to
            self.tickets[0][kind] -= 1
            self.tickets[0][DOUBLE] -= twice
        if self.stop[0] in self.held:
            self.end(1, "walked into a detective")
            return
        self.belief.phantom_moved(kind, twice, before, self.held)
        if self.made in self.plan.reveals:
            self.shown[self.made] = self.stop[0]
            self.belief.phantom_seen(self.stop[0])
        if self.rounds == self.plan.rounds:
            self.end(0, "free after the final move")
        self.is_second_half = twice
        self.piece = 0 if twice else 1

    def move_detective(self, kind: int, to: int) -> None:
        if kind:
            self.stop[self.piece] = to
            self.tickets[self.piece][kind] -= 1
            self.tickets[0][kind] += 1  # rule 4
        if self.stop[self.piece] == self.stop[0]:
            self.end(1, "caught")
            return
        if not self.plan.late:
            self.belief.rule_out(self.held)
        self.piece += 1
        if self.piece == len(self.stop):
            self.end_round()

    def end_round(self) -> None:
        self.piece, self.rounds = 0, self.rounds + 1
        self.belief.rule_out(self.held)
        if self.rounds == self.plan.rounds and not self.plan.final:
            self.end(0, "free after the last round")
            return
        self.look_for_stuck_detectives()
        self.begin_phantom_turn()

    # Ends (rules 8 and 9, stuck phantom)

    def look_for_stuck_detectives(self) -> None:
        pieces = range(1, len(self.stop))
        if self.plan.all_stuck and not any(self.detective_moves(piece) for piece in pieces):
            self.end(0, "no detective can move")

    def begin_phantom_turn(self) -> None:
        if self.winner >= 0 or not self.plan.stuck_loses:
            return
        if not self.phantom_moves():
            self.end(1, "the phantom is stuck")
            return
        self.belief.phantom_could_move(self.tickets[0], self.held)

    def end(self, winner: int, why: str) -> None:
        self.winner, self.ending = winner, why
