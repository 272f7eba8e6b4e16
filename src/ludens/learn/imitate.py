"""Imitation: a network learns to choose as a teacher does, and what positions are worth, from games that it plays.

The teacher is any agent, by its spec: a scripted player, a search, an exact solution, another trained agent. In every
update a number of whole games is played (`demonstration.py`); the teacher's decisions go into a memory of the last
``replay`` of them, and the network learns from minibatches drawn from it, ``samples`` times as many decisions as were
new. For a teacher that takes its time (a search) fewer games and more samples make the most of each decision.

The policy learns by cross-entropy, from the teacher's actions or, where it has them, from the odds of its policy; only
legal actions count. With ``value_weight`` a last output learns the result of the game by its squared error.

Of every ten games one is held out (``held_out``): the network never learns from it, and how often it would choose as
the teacher there is what `summary` tells. Of a teacher that draws lots among equal moves, not every choice can be
foretold.

Games follow from their numbers alone and end within an update, so what is saved is weights and memory: a resumed run
ends with the same weights.
"""

from __future__ import annotations

import dataclasses
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.option import option
from ludens.core.registry import make_agent, split_specs
from ludens.learn.demonstration import Class, Decisions, Lesson, gives_odds, joined
from ludens.learn.features import DEFAULT, features_of
from ludens.learn.learner import Learner, RunSettings, hidden_sizes, leaves_of, seats_to_learn, tree_with
from ludens.learn.model import Model, new_card
from ludens.learn.net import forward_jax, make_net, new_layers, own_work, to_layers, to_params
from ludens.learn.rollout import processors

if TYPE_CHECKING:
    from ludens.core.game import Game

_ILLEGAL = -1e9  # logit of an illegal action
_PART = 1024  # held-out decisions that are judged at once
_HELD_OUT_IN = 1000  # a held-out share is a number of games in so many


@dataclasses.dataclass(frozen=True)
class ImitateSettings(RunSettings):
    """Whom to imitate, and how."""

    teacher: str = option("", "the spec of the agent to imitate; '': the opponent that newcomers meet")
    opponent: str = option("", "specs of the agents in the other seats, with commas between them; '': the teacher")
    features: str = option(DEFAULT, "the set of features it sees")
    seat: str = option("", "the only seat it learns, by name; '': all")
    labels: str = option(
        "auto",
        "what it learns: the teacher's action, the odds of its policy, or these if it simply has them (auto)",
        choices=("auto", "action", "policy"),
    )
    hidden: str = option("256-256", "sizes of the hidden layers")
    policy_weight: float = option(1.0, "weight of the policy's error", low=0, high=100)
    value_weight: float = option(0.0, "weight of the values' error; 0: it learns no values", low=0, high=100)
    games: int = option(256, "games between two updates", low=1, high=1 << 20)
    groups: int = option(4, "groups of games, each played by one thread", low=1, high=256)
    own: float = option(0.0, "share of its moves that the learner chooses, and the teacher judges", low=0, high=1)
    noise: float = option(0.0, "share of its moves that are random", low=0, high=1)
    replay: int = option(200_000, "decisions in the memory", low=100, high=1 << 28)
    held_out: float = option(0.1, "share of the games that are only for judging", low=0.001, high=0.5)
    samples: float = option(8.0, "how often a decision is learned from, on average", low=0, high=10_000)
    batch: int = option(1024, "decisions in a minibatch", low=1, high=1 << 20)
    rate: float = option(1e-3, "learning rate at the beginning", low=0, high=1)
    last_rate: float = option(5e-5, "learning rate at the end", low=0, high=1)


class _Memory:
    """The last decisions, in a ring: columns that are filled row by row."""

    def __init__(self, blank: Decisions, capacity: int) -> None:
        """``blank``: decisions of the right shape, as many as one likes."""
        masks = np.packbits(blank.masks, axis=1)
        shapes = {"inputs": blank.inputs, "masks": masks, "actions": blank.actions, "odds": blank.odds}
        self.columns = {name: np.zeros((capacity, *like.shape[1:]), like.dtype) for name, like in shapes.items()}
        self.columns["values"] = np.zeros(capacity, np.float32)
        self.actions, self.capacity, self.count = blank.masks.shape[1], capacity, 0

    @property
    def filled(self) -> int:
        """How many decisions it holds."""
        return min(self.count, self.capacity)

    def add(self, table: Decisions) -> None:
        """Take in decisions; the oldest make room."""
        kept = table.take(np.arange(max(len(table) - self.capacity, 0), len(table)))
        places = (self.count + np.arange(len(table) - len(kept), len(table))) % self.capacity
        for name, column in self.columns.items():
            new = getattr(kept, name)
            column[places] = np.packbits(new, axis=1) if name == "masks" else new
        self.count += len(table)

    def part(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Some of the decisions, as the network's loss takes them."""
        found = {name: column[rows] for name, column in self.columns.items()}
        found["masks"] = np.unpackbits(found["masks"], axis=1, count=self.actions)
        return found

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        """What it holds, to be saved; ``name`` begins the names."""
        saved = {f"{name}.{column}": array[: self.filled] for column, array in self.columns.items()}
        saved[f"{name}.actions"] = saved[f"{name}.actions"].astype(np.uint32)
        return {**saved, f"{name}.count": np.array([self.count], np.uint64)}

    def set_arrays(self, name: str, arrays: dict[str, np.ndarray]) -> None:
        """Hold again what `arrays` gave."""
        self.count = int(arrays[f"{name}.count"][0])
        for column, array in self.columns.items():
            array[: self.filled] = arrays[f"{name}.{column}"]


class Imitate(Learner):
    """Learn to choose as a teacher does, from games that it plays (any agent: a script, a search, a solution)."""

    name = "imitate"
    Settings = ImitateSettings
    settings: ImitateSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        s = self.settings
        self.features, self.teacher = features_of(game, s.features), s.teacher or game.roster.opponent
        odds = s.labels == "policy" or (s.labels == "auto" and gives_odds(make_agent(self.teacher, game)))
        seats = seats_to_learn(game, s.seat)
        lesson = Lesson(self.teacher, split_specs(s.opponent), seats, s.seed, odds, s.own, s.noise)
        self._classes = [Class(game, self.features, lesson) for _ in range(s.groups)]
        self._threads, self._has_played = ThreadPoolExecutor(processors()), False
        sizes = [self.features.length, *hidden_sizes(s.hidden), game.rules.actions + (s.value_weight > 0)]
        self.params = to_params(new_layers(s.seed, sizes, last_scale=0.1))
        self.adam = _optimiser(s).init(self.params)
        self.games = 0  # played so far
        blank = _blank(self.features.length, game.rules.actions, odds)
        self.memory = _Memory(blank, s.replay)
        self.held_out = _Memory(blank, max(int(s.replay * s.held_out), 100))

    def update(self) -> dict[str, float]:
        """Watch the teacher play ``games`` games, and learn from the decisions in the memory."""
        s, share = self.settings, min(self.done / self.settings.steps, 1.0)
        table = self._watch()
        is_held_out = table.games % _HELD_OUT_IN >= round(_HELD_OUT_IN * (1 - s.held_out))
        self.held_out.add(table.take(is_held_out))
        self.memory.add(table.take(~is_held_out))
        self.done += max(len(table), 1)
        dice = np.random.default_rng([s.seed, self.games])
        batches = max(int(len(table) * s.samples / s.batch), 1) if self.memory.count else 0
        rate, losses = s.rate + (s.last_rate - s.rate) * share, []
        for _ in range(batches):
            part = self.memory.part(dice.integers(0, self.memory.filled, s.batch))
            self.params, self.adam, loss = _learn(s)(self.params, self.adam, part, rate)
            losses.append(loss)
        found = self._judge(_PART)
        return {"games": s.games, "loss": float(np.mean([float(loss) for loss in losses] or [0.0])), **found}

    def _watch(self) -> Decisions:
        """The teacher's decisions in the next games."""
        s = self.settings
        numbers = np.arange(self.games, self.games + s.games)
        parts = [part for part in np.array_split(numbers, s.groups) if len(part)]
        net = make_net(to_layers(self.params)) if s.own else None

        def play(place: int) -> Decisions:
            """The decisions in the games of one group."""
            return self._classes[place].play(parts[place], own_work(net) if net else None)

        if self._has_played:
            tables = list(self._threads.map(play, range(len(parts))))
        else:  # the first time in one thread, which compiles the kernels
            tables = [play(place) for place in range(len(parts))]
        self._has_played, self.games = True, self.games + s.games
        return joined(tables)

    def _judge(self, most: int) -> dict[str, float]:
        """How well it does in the last held-out decisions, at most so many: means over them, {} if there are none.

        ``same``: how often it would choose as the teacher; ``odds``: the probability it gives the teacher's action;
        ``value_error``: the squared error of its values, where it learns them.
        """
        held = self.held_out
        last = (held.count - 1 - np.arange(min(held.filled, most))) % held.capacity
        sums: dict[str, float] = {}
        for first in range(0, len(last), _PART):
            rows = last[first : first + _PART]
            counts = np.arange(_PART) < len(rows)
            found = _judged()(self.params, held.part(np.resize(rows, _PART)), counts)
            for name, total in found.items():
                sums[name] = sums.get(name, 0.0) + float(total)
        return {name: total / len(last) for name, total in sums.items()}

    def summary(self) -> list[str]:
        """How often it chooses as the teacher in games it never learned from, and how far its values are off."""
        found, count = self._judge(self.held_out.capacity), self.held_out.filled
        if not found:
            return []
        told = [
            f"it chooses as {self.teacher} in {100 * found['same']:.1f} % of {count:,} decisions in games it did not"
            f" learn from, and gives that choice a probability of {100 * found['odds']:.1f} % on average"
        ]
        if self.settings.value_weight:
            told.append(f"the root mean square error of its values there is {found['value_error'] ** 0.5:.3f}")
        return told

    def exam_opponents(self) -> list[str]:
        """The opponents of its exams: those it was told, else those of training, else its teacher."""
        named = split_specs(self.settings.exam) or split_specs(self.settings.opponent)
        return named or [self.teacher]

    def model(self) -> Model:
        """The network so far."""
        s = self.settings
        about = {"activation": "relu", "value": s.value_weight > 0, "seat": s.seat, "teacher": self.teacher}
        return Model(to_layers(self.params), new_card(self.game, "net", self.features, **about))

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights, what Adam remembers, the memory and the number of games."""
        learned = leaves_of((self.params, self.adam))
        kept = self.memory.arrays("memory") | self.held_out.arrays("held_out")
        return learned | kept | {"games": np.array([self.games], np.uint64)}

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave."""
        self.params, self.adam = tree_with((self.params, self.adam), arrays)
        self.memory.set_arrays("memory", arrays)
        self.held_out.set_arrays("held_out", arrays)
        self.games = int(arrays["games"][0])


def _blank(features: int, actions: int, odds: bool) -> Decisions:
    """A table of no decisions with so many features and actions."""
    masks, columns = np.zeros((0, actions), np.uint8), np.zeros((0, actions if odds else 0), np.float32)
    numbers = np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(0, np.int64)
    return Decisions(np.zeros((0, features), np.float32), masks, numbers[0], columns, numbers[1], numbers[2])


def _optimiser(s: ImitateSettings) -> Any:
    """Adam; its learning rate is set anew for each update."""
    import optax

    return optax.inject_hyperparams(optax.adam)(learning_rate=s.rate)


def _outputs(params: Any, part: Any) -> tuple[Any, Any]:
    """The logarithms of the policy's odds [rows, actions] and all outputs of the network [rows, outputs]."""
    import jax
    from jax import numpy as jnp

    outputs, actions = forward_jax(params, part["inputs"]), part["masks"].shape[1]
    return jax.nn.log_softmax(jnp.where(part["masks"] > 0, outputs[:, :actions], _ILLEGAL)), outputs


def _chosen(table: Any, actions: Any) -> Any:
    """The entry of the column ``actions[i]`` in each row of a table: [rows]."""
    from jax import numpy as jnp

    return jnp.take_along_axis(table, actions[:, None], axis=1)[:, 0]


@functools.cache
def _judged() -> Any:
    """The compiled function that adds up how well a network does in some decisions: (params, part, counts) -> sums."""
    import jax
    from jax import numpy as jnp

    def judged(params: Any, part: Any, counts: Any) -> dict[str, Any]:
        """The sums over the rows where ``counts`` is true."""
        logs, outputs = _outputs(params, part)
        found = {"same": jnp.argmax(logs, axis=1) == part["actions"], "odds": jnp.exp(_chosen(logs, part["actions"]))}
        if outputs.shape[1] > logs.shape[1]:
            found["value_error"] = jnp.square(outputs[:, -1] - part["values"])
        return {name: jnp.where(counts, column, 0.0).sum() for name, column in found.items()}

    return jax.jit(judged)


@functools.cache
def _learn(s: ImitateSettings) -> Any:
    """The compiled function that learns from a minibatch: (params, adam, part, rate) -> the new ones and the loss."""
    import jax
    import optax
    from jax import numpy as jnp

    def loss(params: Any, part: Any) -> Any:
        """The cross-entropy of the policy and the squared error of the values, weighted."""
        logs, outputs = _outputs(params, part)
        if part["odds"].shape[1]:
            likely = (part["odds"] * jnp.where(part["masks"] > 0, logs, 0.0)).sum(axis=1)
        else:
            likely = _chosen(logs, part["actions"])
        total = -s.policy_weight * likely.mean()
        if s.value_weight:
            total += s.value_weight * jnp.square(outputs[:, -1] - part["values"]).mean()
        return total

    def step(params: Any, adam: Any, part: Any, rate: Any) -> tuple[Any, Any, Any]:
        """One minibatch."""
        adam.hyperparams["learning_rate"] = jnp.asarray(rate, jnp.float32)
        error, slope = jax.value_and_grad(loss)(params, part)
        changes, adam = _optimiser(s).update(slope, adam, params)
        return optax.apply_updates(params, changes), adam, error

    return jax.jit(step)
