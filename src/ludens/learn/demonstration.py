"""Demonstrations: games in which a teacher decides, and what a learner is to make of its decisions.

A `Class` plays whole games, numbered from 0. Seats that the learner is to play are the teacher's; the others belong to
opponents, or to the teacher as well. Noted are, of each decision with a choice in a seat to learn: the features of the
view, which actions are legal, the teacher's action or the odds of its policy, and the result of that seat in the end.

To see positions that the teacher would not get into, a share of the moves can be random, or those of the learner so far
(as in DAgger, Ross et al. 2011): the teacher says in all of them what it would do.

A game follows from its number alone, and which moves in it are not the teacher's from the numbers of the games that are
played together: threads make no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import Agent
from ludens.core.error import BadOption
from ludens.core.kernel import kernel
from ludens.core.lanes import Lanes
from ludens.core.registry import make_agent
from ludens.core.seed import derived_seed
from ludens.learn.features import Features
from ludens.learn.net import Net, forward_all
from ludens.learn.rollout import TRAINING

if TYPE_CHECKING:
    from ludens.core.game import Game

_OWN_DICE = 0x6F776E  # a part of derived seeds: of the moves that are not the teacher's
_TEACHER = 0  # its place among the agents


class Decisions(NamedTuple):
    """Decisions of the teacher, one a row."""

    inputs: np.ndarray  # float32 [rows, features]
    masks: np.ndarray  # uint8 [rows, actions]: 1 for a legal action
    actions: np.ndarray  # int32 [rows]: the teacher's; of odds, the likeliest
    odds: np.ndarray  # float32 [rows, actions]: of its policy; [rows, 0] if its actions are learned
    values: np.ndarray  # float32 [rows]: the result of the seat in that game
    games: np.ndarray  # int64 [rows]: the number of the game

    def __len__(self) -> int:
        return len(self.actions)

    def take(self, rows: np.ndarray) -> Decisions:
        """Some of the decisions, by index or flag."""
        return Decisions(*(column[rows] for column in self))


class Lesson(NamedTuple):
    """What is demonstrated: by whom, against whom, and how far others than the teacher choose the moves."""

    teacher: str  # agent spec
    opponents: Sequence[str]  # agent specs; none: the teacher sits in all seats
    seats: tuple[int, ...]  # to learn
    seed: int
    odds: bool  # note the odds of the teacher's policy instead of its actions
    own: float  # share of the moves that the learner chooses
    noise: float  # share of the moves that are random


@kernel
def encode_all(f: Any, constants: Any, views: Any, out: Any) -> None:
    """Write the features of each of ``views`` into ``out`` [views, features]; ``f`` are their settings."""
    g = ops.open_constants(constants)
    for i in range(len(views)):
        ops.encode(f, g, views[i], out[i])


def joined(parts: Sequence[Decisions]) -> Decisions:
    """Several tables of decisions as one."""
    return Decisions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def check_agent(agent: Agent, role: str) -> None:
    """Raise BadOption if an agent cannot sit in a demonstration: one that learns, listens, or brings start fields."""
    if agent.series or agent.wants_events:
        raise BadOption(f"{agent.spec} follows the whole game or learns from game to game, so it can be no {role} here")
    if agent.start_fields():
        raise BadOption(f"{agent.spec} brings start fields (a deck): set them as options of the game instead")


def gives_odds(teacher: Agent) -> bool:
    """Whether the teacher has a policy whose odds can simply be asked for: a search has to draw them."""
    return teacher.has_policy and not teacher.rolls_policy


class Class:
    """Agents at tables of their own, for one thread: plays games and notes the teacher's decisions."""

    def __init__(self, game: Game, features: Features, lesson: Lesson) -> None:
        """Make the agents; BadOption if one cannot take part."""
        self.game, self.features, self.lesson = game, features, lesson
        self.agents = [make_agent(spec, game) for spec in (lesson.teacher, *lesson.opponents)]
        for place, agent in enumerate(self.agents):
            check_agent(agent, "opponent" if place else "teacher")
        if lesson.odds and not self.agents[_TEACHER].has_policy:
            raise BadOption(f"{lesson.teacher} has no policy to learn: use labels=action")

    def play(self, numbers: np.ndarray, net: Net | None) -> Decisions:
        """Play the games with these numbers to their ends; ``net`` is the learner's so far, with work of its own."""
        rules, lesson = self.game.rules, self.lesson
        lanes = Lanes(self.game, [derived_seed(lesson.seed, TRAINING, int(number)) for number in numbers])
        shape = (len(numbers), rules.seats)
        who, is_learned = self._seat(numbers)
        memory = [agent.new_memory(shape[0] * shape[1]) for agent in self.agents]
        dice = np.random.default_rng([lesson.seed, _OWN_DICE, int(numbers[0])])
        noted: list[tuple[np.ndarray, ...]] = []
        while True:
            rows, seats = lanes.waiting()
            if not len(rows):
                break
            slots, actions = rows * shape[1] + seats, np.zeros(len(rows), np.int64)
            odds = np.zeros((len(rows), rules.actions if lesson.odds else 0), np.float32)
            for place in np.unique(who[rows, seats]).tolist():
                some = np.flatnonzero(who[rows, seats] == place)
                asked = odds[some] if place == _TEACHER else None
                actions[some] = self._ask(
                    place, lanes.views(rows[some], seats[some]), memory[place], slots[some], asked
                )
                if asked is not None:
                    odds[some] = asked
            mine = np.flatnonzero(is_learned[rows, seats])
            masks = lanes.mask(rows[mine])
            inputs = np.zeros((len(mine), self.features.length), np.float32)
            views = lanes.views(rows[mine], seats[mine])
            encode_all(self.features.settings, rules.constants, views, inputs)
            noted.append((inputs, masks, actions[mine].astype(np.int32), odds[mine], rows[mine], seats[mine]))
            actions[mine] = self._instead(actions[mine], inputs, masks, net, dice)
            if not lanes.step(rows, actions).all():
                raise BadOption(f"{' or '.join(agent.spec for agent in self.agents)} answered an illegal action")
        return self._table(noted, numbers, lanes.returns)

    def _seat(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Who sits where in these games, by their place among the agents, and which seats are learned: [games, seats].

        With opponents one seat of each game is the teacher's, in turn; without, all seats are.
        """
        seats, count, choices = self.game.rules.seats, len(self.lesson.opponents), np.array(self.lesson.seats)
        who = np.zeros((len(numbers), seats), np.int64)
        is_learned = np.zeros(who.shape, np.bool_)
        if not count:
            is_learned[:, choices] = True
            return who, is_learned
        turns = numbers // len(choices)
        who[:] = 1 + (turns[:, None] + np.arange(seats)) % count
        mine = choices[numbers % len(choices)]
        who[np.arange(len(numbers)), mine] = _TEACHER
        is_learned[np.arange(len(numbers)), mine] = True
        return who, is_learned

    def _ask(
        self, place: int, views: np.ndarray, memory: np.ndarray, slots: np.ndarray, odds: np.ndarray | None
    ) -> np.ndarray:
        """What the agent at a place does in these views: [views]; its policy's odds are written to ``odds``, if wanted.

        ``slots`` are the rows of its ``memory`` that belong to the views.
        """
        agent, found = self.agents[place], np.zeros(len(views), np.int64)
        size = 1 if agent.one_by_one else agent.batch
        for first in range(0, len(views), size):
            some = slice(first, first + size)
            if odds is not None and odds.shape[1]:
                odds[some] = agent.policy(views[some])
                if agent.rolls_policy:  # a second search would only cost time
                    found[some] = odds[some].argmax(axis=1)
                    continue
            part = memory[slots[some]]
            found[some] = agent.act(views[some], part)
            memory[slots[some]] = part
        return found

    def _instead(
        self,
        actions: np.ndarray,
        inputs: np.ndarray,
        masks: np.ndarray,
        net: Net | None,
        dice: np.random.Generator,
    ) -> np.ndarray:
        """The actions to play: the teacher's, some of them replaced by the learner's own or by random ones."""
        own, noise = self.lesson.own, self.lesson.noise
        if not len(actions) or own + noise == 0:
            return actions
        draw, ranks, chosen = dice.random(len(actions)), dice.random(masks.shape), actions.copy()
        if own and net is not None:
            outputs = np.zeros(masks.shape, np.float32)
            forward_all(net, inputs, outputs)
            best = np.where(masks > 0, outputs, -np.inf).argmax(axis=1)
            chosen = np.where(draw < own, best, chosen)
        any_legal = np.where(masks > 0, ranks, -1.0).argmax(axis=1)
        return np.where(draw >= 1.0 - noise, any_legal, chosen)

    def _table(self, noted: list[tuple[np.ndarray, ...]], numbers: np.ndarray, returns: np.ndarray) -> Decisions:
        """What was noted in every step as one table, without decisions that were none; ``returns`` [games, seats]."""
        inputs, masks, actions, odds, rows, seats = (np.concatenate(part) for part in zip(*noted, strict=True))
        if odds.shape[1]:
            actions = odds.argmax(axis=1).astype(np.int32)
        values = returns[rows, seats].astype(np.float32)
        table = Decisions(inputs, masks, actions, odds, values, numbers[rows])
        return table.take(masks.sum(axis=1) > 1)
