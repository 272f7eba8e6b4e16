"""Detectives who plan together: an alpha-beta search of the team's joint moves, as chapter 4.1 of the thesis plans.

The thesis thought of it (up to 25 or 125 joint moves, two moves ahead, a small penalty for detectives that stand close)
and did not program it. This is our reading:

* A move of the team is one move of each detective that has still to move this round; an answer of the phantom is what
  the detectives will be told of it: a kind of ticket, and its stop if it will be seen. ``depth`` counts the two
  alternately. Nothing but the view is used: the phantom is a set of stops where it may be, and takes the worst answer.
* At the end of the search the distances from these stops count, of each detective with its own tickets, in moves.
  ``aim=sum``: over all stops, that of the nearest detective, so that fewer stops are also better. ``aim=nearest``: over
  all detectives, that of the nearest stop; 0 for a detective that went to a stop where the phantom might have been.
* Two detectives closer than two stops (one link apart) add ``penalty``. The thesis asks that it stays below what one
  move nearer is worth; at the default ten pairs of five detectives add as much as one move.
* After the last round only the number of stops left counts, since the phantom has escaped on all of them.

Each detective plans again for itself and those after it, so nothing is remembered from one decision to the next.
Double moves of the phantom are not foreseen. Ties: the first of the best, in an order that begins with the moves that
lead nearest to a possible stop and is shifted by the thesis's hash of the position (or by dice).

The search is that of ``search/alphabeta.py``, on small records (`Line`) instead of states of the game; every move of a
detective is a ply, and alpha and beta are handed on from one to the next. ``nodes`` bounds it where the team is large.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import uint8, uint64

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.bits import lowest_bit
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import OVER, implements
from ludens.core.option import option
from ludens.core.rng import below, mix
from ludens.games.pursuit import belief, rules
from ludens.games.pursuit.distance import FAR, row, ticket_index
from ludens.games.pursuit.judgement import danger
from ludens.games.pursuit.record import (
    BLACK,
    DETECTIVES,
    KINDS,
    PHANTOM,
    PIECES,
    STOPS,
    TEAM,
    WORDS,
    is_held,
)
from ludens.games.pursuit.thesis.heuristics import BY_NEAREST, TO_NEAREST, ScriptedRule, ScriptedSettings, crc_of, flee
from ludens.search import contract
from ludens.search.alphabeta import Control, Entry, Level, Workspace, deepen

if TYPE_CHECKING:
    from ludens.core.rules import Rules

AIMS = ("sum", "nearest")
BY_SUM = 0  # index into AIMS
MOST_DEPTH = 4
_SCALE = 1 << 16  # values of the search are costs divided by this, so that they are small
_SHIFTS = 1 << 16  # dice are drawn from so many shifts of the order
_MOST_MOVES = BLACK * STOPS  # of a line: kinds of tickets and stops where the phantom may be seen
_ENTRIES = 1 << 10  # of the search's table of positions
_ONE, _ZERO = np.uint64(1), np.uint64(0)

Line = record_of(  # a position of the search: what of a state matters to it, under the same names
    piece=uint8,
    doubling=uint8,  # always 0
    rounds=uint8,
    made=uint8,
    possible=(uint64, WORDS),
    stop=(uint8, PIECES),  # the phantom's is 0
    tickets=(uint8, (PIECES, KINDS)),
    went=uint8,  # bit set of the detectives (by piece) that went to a stop where the phantom might have been
)


class TeamModel(NamedTuple):
    """The constants of the search's model of the game; they are the game's own."""

    c: Any


class TeamCost(NamedTuple):
    """How the search judges and orders: the evaluator of one decision."""

    aim: int  # index into AIMS
    penalty: float  # for each pair of detectives one link apart, in moves
    shift: int  # of the order of moves that lead equally near


class JointRule(NamedTuple):
    """The settings of the rule of `Joint`."""

    depth: int
    aim: int
    penalty: float
    nodes: int
    script: ScriptedRule  # what it plays as the phantom
    model: TeamModel
    work: Workspace


# the model: a game of open sets of stops


@implements(ops.to_move, TeamModel)
@kernel
def _to_move(g: TeamModel, s: Any) -> int:
    """The seat to move in a line, or OVER: after the last round, or when the phantom can be nowhere any more."""
    if s.rounds == g.c.rounds or belief.possible_count(g, s) == 0:
        return OVER
    return TEAM if s.piece else PHANTOM


@implements(ops.legal, TeamModel)
@kernel
def _legal(g: Any, s: Any, out: Any) -> int:
    """Write the moves of the detective to move, or the phantom's answers, to ``out``; returns their number."""
    return rules.legal(g, s, out) if s.piece else _answers(g, s, out)


@kernel
def _answers(g: TeamModel, s: Any, out: Any) -> int:
    """Write what the detectives may be told of the phantom's next move to ``out``, and return the number of answers.

    An answer is a kind of ticket times the number of stops + 1, plus the stop if it will be seen; 0 for a pass, which
    is expected only where no possible stop can be left.
    """
    size, n = int64(g.c.stops) + 1, 0
    is_seen = (g.c.reveals >> np.uint64(int64(s.made) + 1)) & _ONE != _ZERO
    for kind in range(1, BLACK + 1):
        for to in range(1, size):
            if s.tickets[0, kind - 1] and _can_come(g, s, kind, to):
                out[n] = kind * size + (to if is_seen else 0)
                n += 1
                if not is_seen:
                    break
    if n == 0:
        out[0] = 0
        n = 1
    return n


@kernel
def _can_come(g: Any, s: Any, kind: int, to: int) -> bool:
    """Whether one move by this kind of ticket can bring the phantom to stop ``to``, on which no detective may be."""
    near = _ZERO
    for word in range(int64(g.c.words)):
        near |= g.c.near[kind, to, word] & s.possible[word]
    return near != _ZERO and not is_held(g, s, to)


@implements(ops.decide, TeamModel)
@kernel
def _decide(g: TeamModel, s: Any, action: int, log: Any) -> None:
    """Play a move of a detective, or an answer of the phantom, in a line."""
    kind, to = action // (int64(g.c.stops) + 1), action % (int64(g.c.stops) + 1)
    if s.piece:
        _step(g, s, kind, to)
    else:
        _answer(g, s, kind, to)


@kernel
def _step(g: TeamModel, s: Any, kind: int, to: int) -> None:
    """Move the detective whose turn it is to stop ``to``, where the phantom then is not; kind 0: it passes."""
    piece = int64(s.piece)
    if kind:
        s.tickets[piece, kind - 1] -= 1
        s.tickets[0, kind - 1] += 1
        s.stop[piece] = to
        if belief.holds(s, to):
            s.went |= 1 << piece
        _rule_out(s, to)
    s.piece = piece + 1
    if piece == g.c.detectives:
        s.piece = 0
        s.rounds += 1


@kernel
def _answer(g: TeamModel, s: Any, kind: int, to: int) -> None:
    """Move the phantom by a kind of ticket (0: it passes), to stop ``to`` if it is seen there (else 0)."""
    if kind:
        s.tickets[0, kind - 1] -= 1
        belief.spread_set(g, s, kind)
    if to:
        for word in range(WORDS):
            s.possible[word] = _ZERO
        s.possible[to >> 6] = _ONE << np.uint64(to & 63)
    _rule_out_held(g, s)
    s.made += 1
    s.piece = 1


@kernel
def _rule_out(s: Any, stop: int) -> None:
    """Remove a stop from those where the phantom may be."""
    s.possible[stop >> 6] &= ~(_ONE << np.uint64(stop & 63))


@kernel
def _rule_out_held(g: TeamModel, s: Any) -> None:
    """Remove the stops on which detectives are from those where the phantom may be."""
    for piece in range(1, int64(g.c.detectives) + 1):
        _rule_out(s, int64(s.stop[piece]))


@implements(ops.returns, TeamModel)
@kernel
def _returns(g: TeamModel, s: Any, out: Any) -> None:
    """Write the value of a finished line: what is left of the possible stops counts as out of reach."""
    _write(out, FAR * belief.possible_count(g, s))


@implements(contract.key, TeamModel)
@kernel
def _key(g: TeamModel, s: Any) -> int:
    """A 64-bit hash of a line; lines with equal tickets, pieces and possible stops are worth the same."""
    word = mix(int64(s.piece) | int64(s.rounds) << 8 | int64(s.made) << 16, int64(s.went))
    for each in range(WORDS):
        word = mix(word, s.possible[each])
    for piece in range(PIECES):
        held = int64(s.stop[piece])
        for kind in range(BLACK):
            held = held << 8 | int64(s.tickets[piece, kind])
        word = mix(word, held)
    return int64(word)


@implements(contract.horizon, TeamModel)
@kernel
def _horizon(g: TeamModel, s: Any) -> int:
    """0, so that the search looks at all moves."""
    return 0


# what a line is worth


@implements(ops.value, TeamCost)
@large_kernel
def _value(r: TeamCost, g: TeamModel, s: Any, out: Any) -> None:
    """Write the value of a line for each seat: the distances by ``r.aim`` and the penalty for standing close."""
    cost = float(_distance_of_stops(g, s) if r.aim == BY_SUM else _distance_of_team(g, s))
    _write(out, cost + r.penalty * _close_pairs(g, s))


@kernel
def _write(out: Any, cost: float) -> None:
    """Write the values of a line that costs the detectives so many moves."""
    out[PHANTOM] = cost / _SCALE
    out[TEAM] = -cost / _SCALE


@kernel
def _distance_of_stops(g: Any, s: Any) -> int:
    """The distance of the nearest detective, with its tickets, from each stop where the phantom may be, summed up."""
    total = 0
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            total += min(danger(g, s, (word << 6) + int64(lowest_bit(bits))), int64(g.c.stops))
            bits &= bits - _ONE
    return total


@kernel
def _distance_of_team(g: TeamModel, s: Any) -> int:
    """The distance of each detective from the nearest stop where the phantom may be, summed up; 0 for one in `went`."""
    total = 0
    for piece in range(1, int64(g.c.detectives) + 1):
        if int64(s.went) >> piece & 1 == 0:
            total += min(_nearest(g, s, row(g, s, piece)), int64(g.c.stops))
    return total


@kernel
def _nearest(g: TeamModel, s: Any, start: int) -> int:
    """The least of the distances that begin at index ``start`` of ``g.c.dist`` to a stop where the phantom may be."""
    least = FAR
    for word in range(int64(g.c.words)):
        bits = s.possible[word]
        while bits:
            least = min(least, int64(g.c.dist[start + (word << 6) + int64(lowest_bit(bits))]))
            bits &= bits - _ONE
    return least


@kernel
def _close_pairs(g: TeamModel, s: Any) -> int:
    """The number of pairs of detectives that are one link apart."""
    pairs = 0
    for one in range(1, int64(g.c.detectives) + 1):
        for other in range(1, one):
            stop = int64(s.stop[other])
            pairs += int64(g.c.near[BLACK, s.stop[one], stop >> 6] >> np.uint64(stop & 63) & _ONE)
    return pairs


@implements(ops.order, TeamCost)
@large_kernel
def _order(r: TeamCost, g: TeamModel, s: Any, actions: Any, n: int, out: Any) -> None:
    """Write the weights of the ``n`` moves of a line: a detective's are tried the nearer to a possible stop the sooner.

    Moves that lead equally near, and answers, are tried in ascending order, shifted by ``r.shift``.
    """
    size, piece = int64(g.c.stops) + 1, int64(s.piece)
    unpaid = ticket_index(g, FAR, FAR, FAR) * size
    for i in range(n):
        to = int64(actions[i]) % size
        far = _nearest(g, s, (unpaid + to) * size) if piece else 0
        out[i] = float((FAR - far) * _MOST_MOVES + n - (i + r.shift) % n)


# the rule


@implements(ops.rule, JointRule)
@large_kernel
def _play(r: JointRule, g: Any, v: Any, m: Any) -> int:
    """The action of the piece to move in view ``v``: the first move of the best joint move of the detectives."""
    if v.piece == 0:
        return flee(r.script, g, v)
    n = ops.legal(g, v, r.script.room)
    if n == 1:
        return int64(r.script.room[0])
    _begin(r, g, v)
    shift = below(v, _SHIFTS) if r.script.dice else crc_of(g, v)
    p = r.work.control[0]
    deepen(TeamCost(r.aim, r.penalty, shift), r.model, _plies(r, g, int64(v.piece)), r.work)
    return int64(p.best_move if p.best_move >= 0 else r.work.levels[0].move)


@kernel
def _plies(r: JointRule, g: Any, piece: int) -> int:
    """The number of single moves in a search of depth ``r.depth`` when detective ``piece`` is to move."""
    team = int64(g.c.detectives)
    return team - piece + 1 + r.depth // 2 + (r.depth - 1) // 2 * team


@kernel
def _begin(r: JointRule, g: Any, v: Any) -> None:
    """Make view ``v`` the root of the search, and forget what an earlier one found out."""
    s, p = r.work.stack[0], r.work.control[0]
    s.piece, s.rounds, s.made, s.went = v.piece, v.rounds, v.made, 0
    for piece in range(1, PIECES):
        s.stop[piece] = v.stop[piece]
    for piece in range(PIECES):
        for kind in range(KINDS):
            s.tickets[piece, kind] = v.tickets[piece, kind]
    for word in range(WORDS):
        s.possible[word] = v.possible[word]
    _rule_out_held(g, s)
    for i in range(len(r.work.entries)):
        r.work.entries[i].lock = 0
        r.work.entries[i].depth = -1
        r.work.entries[i].move = -1
    p.nodes, p.budget, p.root, p.salt, p.exact = 0, r.nodes, TEAM, 0, 0
    p.best_move = -1


# the agent


@dataclasses.dataclass(frozen=True)
class JointSettings(ScriptedSettings):
    """The parameters of the agent `joint`."""

    depth: int = option(
        2, "moves it looks ahead, a move of the whole team and an answer by turns", low=1, high=MOST_DEPTH
    )
    aim: str = option(
        "sum",
        "what the team wants to be small: the distances of all possible stops from the nearest detective (sum), or"
        " those of all detectives from the nearest possible stop (nearest)",
        choices=AIMS,
    )
    penalty: float = option(0.1, "for each two detectives one link apart, in moves", low=0, high=1)
    nodes: int = option(100_000, "positions a decision at most", low=1, high=1_000_000_000)


class Joint(RuleAgent):
    """Detectives plan their moves together, two moves ahead by alpha-beta; the phantom plays as `nearest`."""

    name = "joint"
    Settings = JointSettings
    settings: JointSettings

    def rule_settings(self) -> JointRule:
        """The settings of its rule, with the working memory of the search."""
        own, game = self.settings, self.game.rules
        script = ScriptedRule(BY_NEAREST, TO_NEAREST, int(own.ties == "random"), 0, game.buffer())
        model = TeamModel(game.constants.c)
        return JointRule(own.depth, AIMS.index(own.aim), own.penalty, own.nodes, script, model, _work(game))


def _work(game: Rules) -> Workspace:
    """Allocate the working memory of a search."""
    plies = MOST_DEPTH // 2 * (DETECTIVES + 1) + 1
    return Workspace(
        control=np.zeros(1, Control),
        stack=np.zeros(plies, Line),
        levels=np.zeros(plies, Level),
        moves=np.zeros((plies, _MOST_MOVES), np.int64),
        weights=np.zeros((plies, _MOST_MOVES)),
        entries=np.zeros(_ENTRIES, Entry),
        actions=np.zeros(_MOST_MOVES, np.uint32),
        out=np.zeros(2),
    )
