"""Rollouts: a learner and its opponents play many games at once, and the learner's decisions are noted.

In every step each lane makes exactly one decision of the learner; then the opponents move until the learner is to move
again, in a new game where one has ended. Which seat the learner has and who sits in the others follow from the number
of the game alone. Lanes are played by threads in groups, and no group depends on another, so the games are the same for
any number of threads; the learner evaluates its network for all lanes at once.

Dice are those of the views, made from the game's seed and the number of the decision: a saved rollout goes on with the
same games.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import drive, ops, tensor_file
from ludens.core.agent import Agent, RuleAgent
from ludens.core.error import BadOption, BadRecord
from ludens.core.kernel import int64, kernel
from ludens.core.lanes import Fields, Lanes
from ludens.core.ops import OVER
from ludens.core.registry import make_agent
from ludens.core.seed import derived_seed
from ludens.learn.agent import ARGMAX, SAMPLE, NetPlayer, choose, make_player, own_space
from ludens.learn.features import Features
from ludens.learn.net import Layers, layer_sizes, load_weights, make_net
from ludens.learn.reward import closes, earn, own_points

if TYPE_CHECKING:
    from ludens.core.game import Game

PAST = "past"  # the spec of a past self of the learner
TRAINING = 0x7261696E  # a part of derived seeds: deals for training are no others

Evaluate = Callable[
    [np.ndarray], np.ndarray
]  # inputs [lanes, features] -> outputs [lanes, actions and perhaps a value]


class Notes(NamedTuple):
    """What is noted of all decisions, step by step, and one row more of inputs and masks."""

    inputs: np.ndarray  # float32 [steps + 1, lanes, features]
    whole: np.ndarray  # float32 [steps + 1, lanes, seats * features], for critics that may see all; else [1, 1, 1]
    masks: np.ndarray  # uint8 [steps + 1, lanes, actions]: 1 for a legal action
    outputs: np.ndarray  # float32 [steps + 1, lanes, outputs]: of the learner's network
    actions: np.ndarray  # int32 [steps, lanes]
    odds: np.ndarray  # float32 [steps, lanes]: the probability with which the action was drawn
    rewards: np.ndarray  # float32 [steps, lanes]: from this decision to the next one of the learner
    ended: np.ndarray  # bool [steps, lanes]: the game, or the part of it that counts, ended before that next one

    def part(self, lanes: slice) -> Notes:
        """The same notes for some of the lanes."""
        return Notes(*(array[:, lanes] if array.shape[1] > 1 else array for array in self))


class Pending(NamedTuple):
    """The learner's last decision in each lane, and what it earned if its game has ended since."""

    views: np.ndarray  # [lanes]: in which it decided
    actions: np.ndarray  # int64 [lanes]
    waits: np.ndarray  # bool [lanes]: it has decided and is not to move yet
    earned: np.ndarray  # float64 [lanes]
    ended: np.ndarray  # bool [lanes]: the game, or the part of it that counts


class Chooser(NamedTuple):
    """How the learner chooses by its network's outputs, and space to do so; see `learn.agent.choose`."""

    control: np.ndarray  # float64 [2]: ARGMAX or SAMPLE, share of random moves
    actions: np.ndarray  # uint32 [longest list of legal actions]
    weights: np.ndarray  # float64 [longest list of legal actions]


class Plan(NamedTuple):
    """How a rollout is laid out."""

    seed: int
    lanes: int  # games at once
    groups: int  # into which the lanes are divided
    steps: int  # decisions of a lane between two updates
    seats: tuple[int, ...]  # the learner's, in turn
    outputs: int  # of the learner's network
    samples: bool = True  # whether it draws by its policy's odds, or takes the best action
    sees_all: bool = False  # whether the views of all seats are noted too, for a critic


def new_notes(game: Game, features: Features, plan: Plan) -> Notes:
    """Blank notes for all lanes of a rollout."""
    steps, lanes, length = plan.steps, plan.lanes, features.length
    return Notes(
        np.zeros((steps + 1, lanes, length), np.float32),
        np.zeros((steps + 1, lanes, length * game.rules.seats) if plan.sees_all else (1, 1, 1), np.float32),
        np.zeros((steps + 1, lanes, game.rules.actions), np.uint8),
        np.zeros((steps + 1, lanes, plan.outputs), np.float32),
        np.zeros((steps, lanes), np.int32),
        np.zeros((steps, lanes), np.float32),
        np.zeros((steps, lanes), np.float32),
        np.zeros((steps, lanes), np.bool_),
    )


@kernel
def note(f: Any, w: Any, constants: Any, batch: drive.Batch, views: Any, notes: Notes, p: Pending, step: int) -> None:
    """Note the position in every lane, where the learner is to move, and what it earned by its decision before.

    ``f`` and ``w`` are the settings of features and reward. ``step`` is the row of the notes; ``views`` [lanes] receive
    what the learner sees.
    """
    g = ops.open_constants(constants)
    for lane in range(len(batch.states)):
        s, seat = batch.states[lane], int64(batch.turns[lane])
        drive.write_view(g, s, seat, batch.keys, lane, int64(batch.decisions[lane]), batch.blank, views, lane)
        v = views[lane]
        if step > 0:
            if p.waits[lane]:
                p.earned[lane] = earn(w, g, p.views[lane], int64(p.actions[lane]), v)
                p.ended[lane] = closes(w, g, p.views[lane], v) != 0
            notes.rewards[step - 1, lane], notes.ended[step - 1, lane] = p.earned[lane], p.ended[lane]
        p.waits[lane], p.earned[lane], p.ended[lane] = False, 0.0, False
        ops.encode(f, g, v, notes.inputs[step, lane])
        if notes.whole.shape[1] > 1:
            _note_whole(f, g, s, seat, batch, notes.whole[step, lane], notes.inputs.shape[2])
        mask = notes.masks[step, lane]
        mask[:] = 0
        for i in range(ops.legal(g, s, batch.buffer)):
            mask[batch.buffer[i]] = 1


@kernel
def _note_whole(f: Any, g: Any, s: Any, seat: int, batch: drive.Batch, out: Any, width: int) -> None:
    """Write the features of every seat's view of ``s``, that of ``seat`` first, into ``out``."""
    seats = len(out) // width
    for place in range(seats):
        batch.seen[0] = batch.blank[0]
        v = batch.seen[0]
        ops.see(g, s, seat, v)
        v.seat = seat
        ops.encode(f, g, v, out[place * width : (place + 1) * width])
        seat = seat + 1 if seat + 1 < seats else 0


@kernel
def decide(c: Chooser, constants: Any, batch: drive.Batch, views: Any, notes: Notes, p: Pending, step: int) -> None:
    """Let the learner decide and play in every lane, by the network's outputs in row ``step`` of the notes."""
    g = ops.open_constants(constants)
    for lane in range(len(batch.states)):
        s, at, n = batch.states[lane], int64(batch.decisions[lane]), 0
        mask = notes.masks[step, lane]
        for action in range(len(mask)):
            if mask[action]:
                c.actions[n] = action
                n += 1
        chosen = choose(c, notes.outputs[step, lane], n, views[lane])
        action = int64(c.actions[chosen])
        notes.actions[step, lane], notes.odds[step, lane] = action, c.weights[chosen]
        p.views[lane], p.actions[lane], p.waits[lane] = views[lane], action, True
        ops.apply(g, s, action, None)
        batch.actions[lane, at] = action
        batch.decisions[lane], batch.turns[lane] = at + 1, ops.to_move(g, s)


@kernel
def earn_at_end(w: Any, constants: Any, batch: drive.Batch, p: Pending, lanes: Any) -> None:
    """Note what the learner earned by its last decision in those of ``lanes``, whose games are over."""
    g = ops.open_constants(constants)
    for lane in lanes:
        if p.waits[lane]:
            p.earned[lane] = earn(w, g, p.views[lane], int64(p.actions[lane]), batch.states[lane])
            p.ended[lane], p.waits[lane] = True, False


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
            if not lanes.step(mine[some], chosen, settles=False).all():
                raise BadOption(f"the opponent {self.agent.spec} answered an illegal action; train without it")
        self.memory[self.slots[mine, seats]] = memory


class Group:
    """The lanes of one thread, with work space and opponents of their own."""

    def __init__(self, game: Game, reward: Any, agents: Sequence[Agent], plan: Plan, number: int) -> None:
        """Deal the first games of group ``number``. ``reward``: its settings; ``agents``: the opponents."""
        lanes = plan.lanes // plan.groups
        self.game, self.reward, self.choices = game, own_points(reward), np.array(plan.seats)
        self.slice = slice(number * lanes, (number + 1) * lanes)
        self.seed = derived_seed(plan.seed, TRAINING, number)
        self.opponents = [_Opponent(agent, (lanes, game.rules.seats)) for agent in agents]
        self.brings = any(agent.start_fields() for agent in agents)  # else no game has start fields
        first: Fields = self._fields(np.arange(lanes)) if self.brings else {}
        self.lanes = Lanes(game, [self._deal(number) for number in range(lanes)], fields=first, more=self._deal)
        self.mine = np.zeros(lanes, np.int64)  # the learner's seat
        self.views = np.zeros(lanes, game.rules.State)
        flags = np.zeros((2, lanes), np.bool_)
        self.pending = Pending(self.views.copy(), np.zeros(lanes, np.int64), flags[0], np.zeros(lanes), flags[1])
        self.finished = np.zeros(2)  # games ended, the learner's returns in them
        control = np.array([SAMPLE if plan.samples else ARGMAX, 0.0])
        self.chooser = Chooser(control, game.rules.buffer(), np.zeros(game.rules.max_legal))
        self._seat(np.arange(lanes))

    def _deal(self, number: int) -> int:
        """The seed of game number ``number`` of this group."""
        return derived_seed(self.seed, number)

    def _seat(self, rows: np.ndarray) -> None:
        """Assign the seats of the games that begin in the lanes ``rows``, from the numbers of these games."""
        owners = self._owners(self.lanes.numbers[rows])
        self.mine[rows] = (owners < 0).argmax(axis=1)
        for place, opponent in enumerate(self.opponents):
            opponent.seats.mine[rows] = owners == place
            opponent.memory[opponent.slots[rows].ravel()] = np.zeros(1, opponent.memory.dtype)

    def _owners(self, numbers: np.ndarray) -> np.ndarray:
        """Who has each seat in the games of these numbers: [games, seats], an index of an opponent, -1: the learner."""
        numbers = numbers.astype(np.uint64)
        owners = np.zeros((len(numbers), self.game.rules.seats), np.int64)
        for seat in range(self.game.rules.seats if self.opponents else 0):
            mixed = (numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seat * 0x632BE5AB)) >> np.uint64(40)
            owners[:, seat] = (mixed % np.uint64(len(self.opponents))).astype(np.int64)
        mine = self.choices[(numbers % np.uint64(len(self.choices))).astype(np.int64)]
        owners[np.arange(len(numbers)), mine] = -1
        return owners

    def _fields(self, numbers: np.ndarray) -> list[dict[str, Any]]:
        """The start fields (decks) of the games of these numbers: what the opponents bring for their seats."""
        seatings = [tuple(row) for row in self._owners(numbers).tolist()]
        agents = [one.agent for one in self.opponents]
        known = {seating: _brought(self.game, agents, seating) for seating in dict.fromkeys(seatings)}
        return [known[seating] for seating in seatings]

    def wait(self) -> None:
        """Let the opponents move, and begin new games, until the learner is to move in every lane."""
        rows = np.arange(len(self.lanes))
        while True:
            rows = rows[self.lanes.turns[rows] != self.mine[rows]]
            if not len(rows):
                self.lanes.grow_actions()
                return
            for opponent in self.opponents:
                opponent.move(self.lanes, rows)
            over = rows[self.lanes.turns[rows] == OVER]
            if len(over):
                self._finish(over)

    def _finish(self, rows: np.ndarray) -> None:
        """Note what the learner earned in the games that are over in the lanes ``rows``, and begin the next ones."""
        mine = self.mine[rows]
        earn_at_end(self.reward, self.game.rules.constants, self.lanes.batch(), self.pending, rows)
        if self.brings:
            fields: list[Any] = list(self.lanes.fields)
            coming = self.lanes.numbers.max() + 1 + np.arange(len(rows))  # the numbers of the games that begin now
            for row, brought in zip(rows.tolist(), self._fields(coming), strict=True):
                fields[row] = brought
            self.lanes.fields = fields
        self.lanes.settle(rows)
        self.finished += len(rows), self.lanes.returns[rows, mine].sum()
        self._seat(rows)

    def note(self, f: Any, notes: Notes, step: int) -> None:
        """Let the opponents move, then note the position in every lane in row ``step``; ``f``: settings of features."""
        self.wait()
        batch = self.lanes.batch()
        note(f, self.reward, self.game.rules.constants, batch, self.views, notes, self.pending, step)

    def decide(self, notes: Notes, step: int) -> None:
        """Let the learner decide in every lane by the outputs in row ``step`` of the notes."""
        batch = self.lanes.batch()
        decide(self.chooser, self.game.rules.constants, batch, self.views, notes, self.pending, step)

    def save(self, folder: Path, name: str) -> None:
        """Write the games under way and the opponents' memories to files ``name``.* in a folder.

        To be called between two rollouts, when nothing is pending.
        """
        self.lanes.save(folder / f"{name}.lanes")
        arrays = {f"memory{i}": one.memory.view(np.uint8).ravel() for i, one in enumerate(self.opponents)}
        tensor_file.write(folder / f"{name}.notes", arrays | {"finished": self.finished}, {})

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
            self.finished[:] = arrays["finished"]
        except (KeyError, ValueError):
            raise BadRecord(f"{folder} is damaged, or was written with other opponents: begin a new run") from None


def _brought(game: Game, agents: Sequence[Agent], seating: Sequence[int]) -> dict[str, Any]:
    """The start fields that agents bring for their seats: name -> list by seat, 0 where the game's own hold.

    ``seating`` has for each seat an index of ``agents``, or -1. {} if nobody brings any.
    """
    fields: dict[str, np.ndarray] = {}
    for seat, owner in enumerate(seating):
        for name, value in agents[owner].start_fields().items() if owner >= 0 else ():
            fields.setdefault(name, np.zeros_like(game.rules.blank[name][0]))[seat] = value
    return {name: value.tolist() for name, value in fields.items()}


class Rollout:
    """All groups of lanes, played by as many threads as there are processors."""

    def __init__(
        self,
        game: Game,
        features: Features,
        reward: Any,
        opponents: Sequence[str],
        plan: Plan,
        past: Sequence[NetPlayer],
    ) -> None:
        """Deal the first games. ``opponents`` are agent specs or 'past'; ``past``: the players of past selves."""
        if plan.lanes % plan.groups:
            raise BadOption(f"lanes={plan.lanes} cannot be divided into {plan.groups} groups")
        self.plan, self.features, self.groups = plan, features, []
        for number in range(plan.groups):
            agents = [agent for spec in opponents for agent in agents_of(spec, game, past)]
            if game.rules.seats > 1 and not agents:
                raise BadOption("there is nobody to play against: name an --opponent")
            self.groups.append(Group(game, reward, agents, plan, number))
        self.notes = new_notes(game, features, plan)
        self._threads, self._has_played = ThreadPoolExecutor(processors()), False

    def play(self, evaluate: Evaluate, epsilon: float = 0.0) -> Notes:
        """Make ``plan.steps`` decisions in every lane; returns the notes, which the next rollout overwrites.

        ``evaluate`` gives the outputs of the learner's network for inputs [lanes, features]; a share ``epsilon`` of the
        decisions is random.
        """
        parts = [self.notes.part(group.slice) for group in self.groups]
        pairs = list(zip(self.groups, parts, strict=True))
        for group in self.groups:
            group.chooser.control[1] = epsilon
        for step in range(self.plan.steps + 1):
            self._each(partial(self._note, step), pairs)
            self.notes.outputs[step] = evaluate(self.notes.inputs[step])
            if step < self.plan.steps:
                self._each(partial(self._decide, step), pairs)
                self._has_played = True
        return self.notes

    def _note(self, step: int, pair: tuple[Group, Notes]) -> None:
        """Note the position in every lane of a group in row ``step`` of its notes."""
        pair[0].note(self.features.settings, pair[1], step)

    @staticmethod
    def _decide(step: int, pair: tuple[Group, Notes]) -> None:
        """Let the learner decide in every lane of a group by row ``step`` of its notes."""
        pair[0].decide(pair[1], step)

    def _each(self, work: Callable[[Any], None], pairs: Iterable[Any]) -> None:
        """Do ``work`` for each group and its notes, in threads; the first time in one, which compiles the kernels."""
        if self._has_played:
            list(self._threads.map(work, pairs))
            return
        for pair in pairs:
            work(pair)

    def finished(self) -> tuple[int, float]:
        """The number of games that have ended since the last call, and the learner's mean return in them."""
        games, returns = np.sum([group.finished for group in self.groups], axis=0)
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


def processors() -> int:
    """The number of processors that this process may use."""
    own = getattr(os, "sched_getaffinity", None)
    return len(own(0)) if own else os.cpu_count() or 1


class PastSelf(RuleAgent):
    """A past self of the learner: a player with weights of its own."""

    name = PAST

    def __init__(self, game: Game, player: NetPlayer) -> None:
        super().__init__(game)
        self._player = own_space(player)

    def rule_settings(self) -> NetPlayer:
        """The settings of its rule."""
        return self._player


class PastSelves:
    """The past selves of a learner that plays against them: copies of its network, the oldest renewed now and then.

    There are none unless 'past' is among the learner's opponents.
    """

    def __init__(self, learner: Any, layers: Layers, *, samples: bool = True) -> None:
        """Make ``settings.past`` players with the first weights, ``layers``.

        The last output of the network is a value if there is one more than actions. ``samples``: they draw by the
        odds of a policy; else the outputs are values of actions, of which they take the best.
        """
        game = learner.game
        has_value = layer_sizes(layers)[-1] > game.rules.actions
        count = learner.settings.past if PAST in learner.opponents else 0
        self._learner, self._renewed = learner, 0
        self.players = [
            make_player(game, make_net(layers), learner.features, has_value=has_value, sample=samples)
            for _ in range(count)
        ]

    def renew(self, layers: Callable[[], Layers]) -> None:
        """Give the oldest past self the present weights, ``layers()``, if ``past_every`` decisions were made since."""
        due = self._learner.done // self._learner.settings.past_every
        if self.players and due > self._renewed:
            self._renewed = due
            load_weights(self.players[due % len(self.players)].net, layers())

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights of all past selves, and when they were renewed."""
        weights = {f"past{i}": player.net.weights for i, player in enumerate(self.players)}
        return {**weights, "renewed": np.array([self._renewed], np.uint64)}

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave."""
        self._renewed = int(arrays["renewed"][0])
        for i, player in enumerate(self.players):
            player.net.weights[:] = arrays[f"past{i}"].reshape(player.net.weights.shape)


def agents_of(spec: str, game: Game, past: Sequence[NetPlayer] = ()) -> list[Agent]:
    """The opponents that a spec names: one agent, or for 'past' one for each past self."""
    if spec == PAST:
        return [PastSelf(game, player) for player in past]
    agent = make_agent(spec, game)
    if agent.series:
        raise BadOption(f"{spec} learns from game to game, so it cannot be an opponent here: add learn=no")
    return [agent]
