"""Rollouts: a learner and its opponents play many games at once, and the learner's decisions are noted.

Each group of lanes is played by one thread, and no group depends on another, so the games are the same for any number
of threads. In every step each lane makes exactly one decision of the learner; then the opponents move until the learner
is to move again, in a new game where one has ended. Which seat the learner has and who sits in the others follow from
the number of the game alone.

Dice are those of the views, made from the game's seed and the number of the decision: a saved rollout goes on with the
same games.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import drive, ops, tensor_file
from ludens.core.agent import Agent, RuleAgent
from ludens.core.error import BadOption, BadRecord
from ludens.core.kernel import int64, kernel
from ludens.core.lanes import Lanes
from ludens.core.ops import OVER
from ludens.core.registry import make_agent
from ludens.core.seed import derived_seed
from ludens.learn.agent import NetPlayer, choose, own_space, think
from ludens.learn.reward import Reward

if TYPE_CHECKING:
    from ludens.core.game import Game

PAST = "past"  # the spec of a past self of the learner
TRAINING, EXAM = 0x7261696E, 0x6578616D  # parts of derived seeds: no deal of the one is a deal of the other


class Notes(NamedTuple):
    """What is noted of one group of lanes: of each decision, and one row more of inputs, masks and values."""

    inputs: np.ndarray  # float32 [steps + 1, lanes, features]
    whole: np.ndarray  # float32 [steps + 1, lanes, seats * features], for critics that may see all; else [1, 1, 1]
    masks: np.ndarray  # uint8 [steps + 1, lanes, actions]: 1 for a legal action
    actions: np.ndarray  # int32 [steps, lanes]
    odds: np.ndarray  # float32 [steps, lanes]: the probability that the policy gave the action
    values: np.ndarray  # float32 [steps + 1, lanes]: the value of the position by the network, 0 if it has none
    rewards: np.ndarray  # float32 [steps, lanes]: from this decision to the next one of the learner
    ended: np.ndarray  # bool [steps, lanes]: the game ended before that next one


class Pending(NamedTuple):
    """What is not noted yet, by lane: earned since the last decision, and the points at that time."""

    earned: np.ndarray  # float64 [lanes]
    ended: np.ndarray  # bool [lanes]
    points: np.ndarray  # float64 [lanes, 2]: own points, lead
    begun: np.ndarray  # bool [lanes]: the learner has decided in this game


def new_notes(groups: int, steps: int, lanes: int, sizes: tuple[int, int, int]) -> Notes:
    """Arrays for the notes of all groups, with the group as first axis; ``sizes``: features, whole features, actions."""
    features, whole, actions = sizes
    return Notes(
        np.zeros((groups, steps + 1, lanes, features), np.float32),
        np.zeros((groups, steps + 1, lanes, whole) if whole else (groups, 1, 1, 1), np.float32),
        np.zeros((groups, steps + 1, lanes, actions), np.uint8),
        np.zeros((groups, steps, lanes), np.int32),
        np.zeros((groups, steps, lanes), np.float32),
        np.zeros((groups, steps + 1, lanes), np.float32),
        np.zeros((groups, steps, lanes), np.float32),
        np.zeros((groups, steps, lanes), np.bool_),
    )


@kernel
def lead_of(scores: Any, seat: int) -> float:
    """The points of a seat less those of the best other seat; ``scores`` has those of all seats."""
    best = -1e300
    for other in range(len(scores)):
        if other != seat:
            best = max(best, scores[other])
    return np.float64(scores[seat] - best)


@kernel
def note_and_decide(
    r: NetPlayer,
    reward: Reward,
    constants: Any,
    batch: drive.Batch,
    notes: Notes,
    pending: Pending,
    step: int,
    out: Any,
) -> None:
    """Note the position in every lane, where the learner is to move, and let it decide and play, unless it is the end.

    ``step`` is the row of the notes; in the last one, which has no decision, nothing is played. What was earned since
    the decision before is noted with that one. ``out`` [seats] is space for scores.
    """
    g, own = ops.open_constants(constants), np.zeros(len(reward.own))
    for lane in range(len(batch.states)):
        s, seat, at = batch.states[lane], int64(batch.turns[lane]), int64(batch.decisions[lane])
        _note_reward(g, s, reward, seat, lane, step, notes, pending, out)
        if notes.whole.shape[0] > 1:
            _note_whole(r, g, s, batch, notes.whole[step, lane], len(r.inputs))
        drive.write_view(g, s, seat, batch.keys, lane, at, batch.blank, batch.seen, 0)
        v = batch.seen[0]
        outputs = think(r, g, v)
        for i in range(len(r.inputs)):
            notes.inputs[step, lane, i] = r.inputs[i]
        column = int64(r.control[2])
        notes.values[step, lane] = outputs[column] if column >= 0 else 0.0
        n = ops.legal(g, s, r.actions)
        mask = notes.masks[step, lane]
        mask[:] = 0
        for i in range(n):
            mask[r.actions[i]] = 1
        if step == len(notes.actions):
            continue
        chosen = choose(r, outputs, n, v)
        action = int64(r.actions[chosen])
        notes.actions[step, lane], notes.odds[step, lane] = action, r.weights[chosen]
        own[:] = 0
        ops.reward(g, s, action, own)
        for i in range(len(own)):
            pending.earned[lane] += reward.own[i] * own[i]
        ops.apply(g, s, action, None)
        batch.actions[lane, at] = action
        batch.decisions[lane], batch.turns[lane] = at + 1, ops.to_move(g, s)


@kernel
def _note_reward(
    g: Any, s: Any, reward: Reward, seat: int, lane: int, step: int, notes: Notes, pending: Pending, out: Any
) -> None:
    """Note what the learner earned in a lane from its last decision to state ``s``, where it is to move again."""
    if reward.score != 0.0 or reward.lead != 0.0:
        ops.scores(g, s, out)
        score, lead = out[seat], lead_of(out, seat)
        if pending.begun[lane]:
            pending.earned[lane] += reward.score * (score - pending.points[lane, 0])
            pending.earned[lane] += reward.lead * (lead - pending.points[lane, 1])
        pending.points[lane, 0], pending.points[lane, 1] = score, lead
    pending.begun[lane] = True
    if step > 0:
        notes.rewards[step - 1, lane], notes.ended[step - 1, lane] = pending.earned[lane], pending.ended[lane]
        pending.earned[lane], pending.ended[lane] = 0.0, False


@kernel
def _note_whole(r: NetPlayer, g: Any, s: Any, batch: drive.Batch, out: Any, width: int) -> None:
    """Write the features of every seat's view of ``s``, that of the seat to move first, into ``out``."""
    seats, seat = len(out) // width, int64(ops.to_move(g, s))
    for place in range(seats):
        batch.seen[0] = batch.blank[0]
        v = batch.seen[0]
        ops.see(g, s, seat, v)
        v.seat = seat
        ops.encode(r.features, g, v, out[place * width : (place + 1) * width])
        seat = seat + 1 if seat + 1 < seats else 0


class _Opponent:
    """One opponent in a group of lanes: the seats it has there and its memory."""

    def __init__(self, agent: Agent, shape: tuple[int, int]) -> None:
        """``shape``: lanes, seats."""
        self.agent = agent
        is_rule = isinstance(agent, RuleAgent) and type(agent).act is RuleAgent.act and not agent.one_by_one
        self.script = agent.rule_settings() if is_rule else None  # type: ignore[attr-defined]
        self.slots = np.arange(shape[0] * shape[1]).reshape(shape)
        self.seats = drive.Seats(np.zeros(shape, np.bool_), self.slots, np.zeros(shape, np.int64))
        self.memory = agent.new_memory(shape[0] * shape[1])

    def move(self, lanes: Lanes, rows: np.ndarray) -> None:
        """Decide in those of the lanes ``rows`` where it is to move: as often as it is (a script), or once."""
        if self.script is not None:
            illegal = lanes.follow(self.script, self.seats, self.memory, rows)
            if illegal:
                raise BadOption(f"the opponent {self.agent.spec} answered an illegal action; train without it")
            return
        turns = lanes.turns[rows]
        mine = rows[(turns >= 0) & self.seats.mine[rows, turns]]
        if not len(mine):
            return
        seats = lanes.turns[mine]
        memory = self.memory[self.slots[mine, seats]]
        for first in range(0, len(mine), self.agent.batch if not self.agent.one_by_one else 1):
            some = slice(first, first + (self.agent.batch if not self.agent.one_by_one else 1))
            part = memory[some].copy()
            chosen = self.agent.act(lanes.views(mine[some], seats[some]), part)
            memory[some] = part
            if not lanes.step(mine[some], chosen).all():
                raise BadOption(f"the opponent {self.agent.spec} answered an illegal action; train without it")
        self.memory[self.slots[mine, seats]] = memory


class Group:
    """The lanes of one thread, with the learner's player and opponents of their own."""

    def __init__(
        self, game: Game, player: NetPlayer, agents: Sequence[Agent], seats: Sequence[int], seed: int, lanes: int
    ) -> None:
        """Deal the first games. ``agents``: the opponents; ``seats``: those that the learner may have."""
        self.game, self.player, self.choices, self.seed = game, own_space(player), np.array(seats), seed
        self.opponents = [_Opponent(agent, (lanes, game.rules.seats)) for agent in agents]
        self.lanes = Lanes(game, [self._deal(number) for number in range(lanes)], more=self._deal)
        self.mine = np.zeros(lanes, np.int64)  # the learner's seat
        nothing = np.zeros(lanes, np.bool_)
        self.pending = Pending(np.zeros(lanes), nothing.copy(), np.zeros((lanes, 2)), nothing.copy())
        self.finished = np.zeros(3)  # games ended, the learner's returns in them, decisions of all seats
        self._scores = np.zeros(game.rules.seats)
        self._seat(np.arange(lanes))

    def _deal(self, number: int) -> int:
        """The seed of game number ``number`` of this group."""
        return derived_seed(self.seed, TRAINING, number)

    def _seat(self, rows: np.ndarray) -> None:
        """Assign the seats of the games that begin in the lanes ``rows``, from the numbers of these games."""
        numbers = self.lanes.numbers[rows].astype(np.uint64)
        self.mine[rows] = self.choices[(numbers % np.uint64(len(self.choices))).astype(np.int64)]
        for opponent in self.opponents:
            opponent.seats.mine[rows] = False
            opponent.memory[opponent.slots[rows].ravel()] = np.zeros(1, opponent.memory.dtype)
        for seat in range(self.game.rules.seats if self.opponents else 0):
            mixed = (numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seat * 0x632BE5AB)) >> np.uint64(40)
            who = (mixed % np.uint64(len(self.opponents))).astype(np.int64)
            for place, opponent in enumerate(self.opponents):
                opponent.seats.mine[rows, seat] = (who == place) & (self.mine[rows] != seat)
        self.pending.begun[rows] = False

    def wait(self, reward: Reward) -> None:
        """Let the opponents move, and begin new games, until the learner is to move in every lane."""
        rows = np.arange(len(self.lanes))
        while True:
            rows = rows[self.lanes.turns[rows] != self.mine[rows]]
            if not len(rows):
                return
            for opponent in self.opponents:
                opponent.move(self.lanes, rows)
            over = rows[self.lanes.turns[rows] == OVER]
            if len(over):
                self._finish(over, reward)

    def _finish(self, rows: np.ndarray, reward: Reward) -> None:
        """Note the results of the games that are over in the lanes ``rows``, and begin the next ones."""
        self.finished[2] += self.lanes.decisions[rows].sum()
        self.lanes.settle(rows)
        mine, pending = self.mine[rows], self.pending
        returns, scores = self.lanes.returns[rows, mine], self.lanes.scores[rows]
        others = np.where(np.arange(scores.shape[1]) == mine[:, None], -np.inf, scores).max(axis=1)
        own = scores[np.arange(len(rows)), mine]
        gained = reward.result * returns + reward.score * (own - pending.points[rows, 0])
        gained += reward.lead * (own - others - pending.points[rows, 1])
        was = pending.begun[rows]  # else the game ended before the learner had decided anything
        pending.earned[rows] += np.where(was, gained, 0.0)
        pending.ended[rows] |= was
        self.finished[:2] += was.sum(), returns[was].sum()
        self._seat(rows)

    def play(self, notes: Notes, reward: Reward) -> None:
        """Make one decision after another in all lanes until the notes are full."""
        constants = self.game.rules.constants
        for step in range(len(notes.actions) + 1):
            self.wait(reward)
            self.lanes.grow_actions()
            batch = self.lanes.batch()
            note_and_decide(self.player, reward, constants, batch, notes, self.pending, step, self._scores)

    def save(self, folder: Path, name: str) -> None:
        """Write lanes, memories and what is pending to files ``name``.* in a folder."""
        self.lanes.save(folder / f"{name}.lanes")
        arrays = {f"memory{i}": one.memory.view(np.uint8).ravel() for i, one in enumerate(self.opponents)}
        arrays |= {"earned": self.pending.earned, "points": self.pending.points, "finished": self.finished}
        arrays |= {field: getattr(self.pending, field).astype(np.uint8) for field in ("ended", "begun")}
        tensor_file.write(folder / f"{name}.notes", arrays, {})

    def load(self, folder: Path, name: str) -> None:
        """Go on from the files that `save` wrote; BadRecord if they do not fit this group."""
        self.lanes = Lanes.load(folder / f"{name}.lanes", self.game, more=self._deal)
        arrays, _ = tensor_file.read(folder / f"{name}.notes")
        if len(self.lanes) != len(self.mine):
            raise BadRecord(f"{folder} was written with {len(self.lanes)} lanes a group, not {len(self.mine)}")
        self._seat(np.arange(len(self.lanes)))
        try:
            for i, opponent in enumerate(self.opponents):
                opponent.memory.view(np.uint8).ravel()[:] = arrays[f"memory{i}"]
            for field in ("earned", "points", "ended", "begun"):
                getattr(self.pending, field)[:] = arrays[field]
            self.finished[:] = arrays["finished"]
        except (KeyError, ValueError):
            raise BadRecord(f"{folder} is damaged, or was written with other opponents: begin a new run") from None


class Rollout:
    """All groups of lanes, played by as many threads as there are processors."""

    def __init__(
        self,
        game: Game,
        player: NetPlayer,
        opponents: Sequence[str],
        reward: Reward,
        *,
        plan: Plan,
        past: Sequence[Any],
    ) -> None:
        """Deal the first games. ``opponents`` are agent specs or 'past'; ``past``: the players of past selves."""
        self.game, self.reward, self.plan = game, reward, plan
        self.groups = []
        for group in range(plan.groups):
            agents = [agent for spec in opponents for agent in _agents(spec, game, past)]
            self.groups.append(
                Group(game, player, agents, plan.seats, derived_seed(plan.seed, group), plan.lanes // plan.groups)
            )
        sizes = len(player.inputs), len(player.inputs) * game.rules.seats if plan.sees_all else 0, game.rules.actions
        self.notes = new_notes(plan.groups, plan.steps, plan.lanes // plan.groups, sizes)
        self._threads, self._has_played = ThreadPoolExecutor(os.cpu_count()), False

    def play(self) -> Notes:
        """Make ``plan.steps`` decisions in every lane; returns the notes, with the group as first axis."""
        parts = [Notes(*(array[group] for array in self.notes)) for group in range(len(self.groups))]
        pairs = list(zip(self.groups, parts, strict=True))
        if not self._has_played:  # kernels are compiled by one thread
            self._has_played = True
            pairs[0][0].play(pairs[0][1], self.reward)
            del pairs[0]
        list(self._threads.map(lambda pair: pair[0].play(pair[1], self.reward), pairs))
        return self.notes

    def finished(self) -> tuple[int, float]:
        """The number of games that have ended since the last call, and the learner's mean return in them."""
        games, returns, _ = sum(group.finished for group in self.groups)
        for group in self.groups:
            group.finished[:] = 0
        return int(games), float(returns / max(games, 1))

    def save(self, folder: Path) -> None:
        """Write the games under way to files in a folder."""
        for place, group in enumerate(self.groups):
            group.save(folder, f"group{place}")

    def load(self, folder: Path) -> None:
        """Go on from the games that `save` wrote."""
        for place, group in enumerate(self.groups):
            group.load(folder, f"group{place}")


class Plan(NamedTuple):
    """How a rollout is laid out."""

    seed: int
    lanes: int  # games at once
    groups: int  # into which the lanes are divided
    steps: int  # decisions of a lane between two updates
    seats: tuple[int, ...]  # the learner's, in turn
    sees_all: bool = False  # whether the views of all seats are noted too, for a critic


class PastSelf(RuleAgent):
    """A past self of the learner: a player with weights of its own."""

    name = PAST

    def __init__(self, game: Game, player: NetPlayer) -> None:
        super().__init__(game)
        self._player = own_space(player)

    def rule_settings(self) -> NetPlayer:
        """The settings of its rule."""
        return self._player


def _agents(spec: str, game: Game, past: Sequence[NetPlayer]) -> list[Agent]:
    """The opponents that a spec names: one agent, or for 'past' one for each past self."""
    if spec == PAST:
        return [PastSelf(game, player) for player in past]
    agent = make_agent(spec, game)
    if agent.series:
        raise BadOption(f"{spec} learns from game to game, so it cannot be an opponent here: add learn=no")
    if agent.start_fields():
        raise BadOption(f"{spec} brings start fields (a deck): set them as options of the game instead")
    return [agent]
