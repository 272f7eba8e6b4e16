"""DQN: deep Q-learning (Mnih et al. 2015) with masks of legal actions, for any game and its features.

The network gives each action the expected sum of rewards that follow it. Lanes play by it, with a share epsilon of
random moves that falls linearly; their decisions go into a replay memory. After each rollout minibatches of decisions
are drawn from it, and the network is moved towards the rewards of the next ``ahead`` decisions plus the largest value
of a legal action after them, by an older copy of the network, the target network. ``double``: the network chooses that
action, the target network judges it (van Hasselt et al. 2016). ``huber``: large errors count linearly instead of as
squares. ``dueling``: the network gives the value of the position and, for each action, how much more or less than the
mean of all actions it is worth (Wang et al. 2016). What is written is a network of plain values: the sum is linear, so
it is put into the last layer.

The replay memory is an array of rows, one for each step of all lanes, so the position after a decision is the same lane
some rows later and is kept only once. It is saved with the learner: a resumed run ends with the same weights.

Not handled: priorities in the replay memory, recurrent networks. With ``ahead`` above 1 the rewards of the further
decisions are those of the policy of that time (uncorrected n-step returns).
"""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.error import BadOption
from ludens.core.option import option
from ludens.learn.agent import ACTION_VALUES
from ludens.learn.features import features_of
from ludens.learn.learner import Learner, PlaySettings, hidden_sizes, leaves_of, seats_to_learn, tree_with
from ludens.learn.model import Model, new_card
from ludens.learn.net import Layers, forward_jax, layer_count, new_layers, to_layers, to_params
from ludens.learn.reward import read_reward
from ludens.learn.rollout import PastSelves, Plan, Rollout

if TYPE_CHECKING:
    from ludens.core.game import Game

_ILLEGAL = -1e9  # value of an illegal action where the largest is taken


@dataclasses.dataclass(frozen=True)
class DqnSettings(PlaySettings):
    """How DQN learns."""

    hidden: str = option("256-256", "sizes of the hidden layers")
    lanes: int = option(512, "games at once", low=1, high=1 << 20)
    groups: int = option(4, "groups of lanes, each played by one thread", low=1, high=256)
    horizon: int = option(8, "decisions of a game between two updates", low=1, high=10_000)
    replay: int = option(400_000, "decisions in the replay memory", low=1000, high=1 << 30)
    warm_up: int = option(20_000, "decisions before learning begins", low=0)
    batch: int = option(1024, "decisions in a minibatch", low=1, high=1 << 20)
    samples: float = option(8.0, "how often a decision is drawn from the replay memory, on average", low=0, high=1000)
    rate: float = option(1e-3, "learning rate at the beginning", low=0, high=1)
    last_rate: float = option(1e-4, "learning rate at the end", low=0, high=1)
    gamma: float = option(0.99, "discount of the next decision", low=0, high=1)
    ahead: int = option(1, "decisions whose rewards are counted before a value is used", low=1, high=100)
    target_every: int = option(200, "minibatches until the target network is renewed", low=1)
    epsilon: float = option(1.0, "share of random moves at the beginning", low=0, high=1)
    last_epsilon: float = option(0.05, "share of random moves later", low=0, high=1)
    explore: float = option(0.2, "part of the run in which that share falls", low=0, high=1)
    double: bool = option(True, "choose the next action by the network, judge it by the target network")
    huber: bool = option(True, "count large errors linearly")
    dueling: bool = option(False, "learn the value of the position and what each action adds to it")
    norm: float = option(10.0, "largest norm of a gradient", low=0, high=1e6)


class Dqn(Learner):
    """Learn the value of every action from replayed decisions, with a target network (DQN)."""

    name = "dqn"
    Settings = DqnSettings
    settings: DqnSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        import jax
        from jax import numpy as jnp

        s, actions = self.settings, game.rules.actions
        self.features = features_of(game, s.features)
        sizes = [self.features.length, *hidden_sizes(s.hidden), actions + s.dueling]
        layers = new_layers(s.seed, sizes, last_scale=0.1)
        self.past = PastSelves(self, _plain(layers, s), samples=False)
        plan = Plan(s.seed, s.lanes, s.groups, s.horizon, seats_to_learn(game, s.seat), actions, samples=False)
        reward = read_reward(s.reward, game)
        self.rollout = Rollout(game, self.features, reward, self.opponents, plan, self.past.players)
        rows = s.replay // (s.lanes * s.horizon) * s.horizon
        if rows <= s.horizon + s.ahead:
            raise BadOption(f"dqn: replay={s.replay} holds too little for {s.lanes} lanes with horizon={s.horizon}")
        params = to_params(layers)
        blank = {
            "inputs": jnp.zeros((rows, s.lanes, self.features.length), jnp.float32),
            "masks": jnp.zeros((rows, s.lanes, actions), jnp.uint8),
            "actions": jnp.zeros((rows, s.lanes), jnp.int32),
            "rewards": jnp.zeros((rows, s.lanes), jnp.float32),
            "ended": jnp.zeros((rows, s.lanes), jnp.uint8),
        }
        counts = {"rows": jnp.zeros((), jnp.int32), "batches": jnp.zeros((), jnp.int32)}
        optimiser = _optimiser(s).init(params)
        self.state = {
            "params": params,
            "target": jax.tree.map(jnp.copy, params),
            "adam": optimiser,
            "replay": blank,
            **counts,
        }

    def update(self) -> dict[str, float]:
        """Play ``horizon`` decisions in every lane, remember them, and learn from the replay memory."""
        import jax

        s, share = self.settings, min(self.done / self.settings.steps, 1.0)
        self.past.renew(self._layers)
        epsilon = max(s.last_epsilon, s.epsilon + (s.last_epsilon - s.epsilon) * share / max(s.explore, 1e-9))
        params = self.state["params"]
        notes = self.rollout.play(lambda inputs: np.asarray(_jitted_values(s.dueling)(params, inputs)), epsilon)
        chunk = {
            "inputs": notes.inputs[:-1],
            "masks": notes.masks[:-1],
            "actions": notes.actions,
            "rewards": notes.rewards,
            "ended": notes.ended.astype(np.uint8),
        }
        size = notes.actions.size
        self.done += size
        batches = max(int(size * s.samples / s.batch), 1) if self.done > s.warm_up else 0
        rate = s.rate + (s.last_rate - s.rate) * share
        key = jax.random.fold_in(jax.random.key(s.seed), self.done)
        self.state, error = _learn(s, batches)(self.state, chunk, key, rate)
        games, mean = self.rollout.finished()
        reward = float(notes.rewards.mean())
        return {"games": games, "return": mean, "reward": reward, "error": float(error), "epsilon": epsilon}

    def model(self) -> Model:
        """The values of actions so far; the agent takes the largest."""
        about = {"outputs": ACTION_VALUES, "value": False, "seat": self.settings.seat}
        return Model(self._layers(), new_card(self.game, "net", self.features, activation="relu", **about))

    def _layers(self) -> dict[str, np.ndarray]:
        """The present network of plain values, as named arrays."""
        return _plain(to_layers(self.state["params"]), self.settings)

    def arrays(self) -> dict[str, np.ndarray]:
        """Both networks, what Adam remembers, the replay memory, and the past selves."""
        return leaves_of(self.state) | self.past.arrays()

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave."""
        self.state = tree_with(self.state, arrays)
        self.past.set_arrays(arrays)

    def save(self, folder: Path) -> None:
        """Write everything learned and the games under way into a folder."""
        super().save(folder)
        self.rollout.save(folder)

    def load(self, folder: Path) -> None:
        """Go on from what `save` wrote."""
        super().load(folder)
        self.rollout.load(folder)


def _plain(layers: Layers, s: DqnSettings) -> dict[str, np.ndarray]:
    """The layers of the network whose outputs are the values of the actions; the same ones if it is not dueling."""
    plain = dict(layers)
    if s.dueling:
        last = layer_count(layers) - 1
        for part in ("weights", "bias"):
            array = plain[f"layer{last}.{part}"]
            extra, value = array[..., :-1], array[..., -1:]
            plain[f"layer{last}.{part}"] = extra + value - extra.mean(axis=-1, keepdims=True)
    return plain


def _values(params: Any, inputs: Any, dueling: bool) -> Any:
    """The values of all actions, [rows, actions], for inputs [rows, features]."""
    outputs = forward_jax(params, inputs)
    if not dueling:
        return outputs
    extra = outputs[..., :-1]
    return extra + outputs[..., -1:] - extra.mean(axis=-1, keepdims=True)


@functools.cache
def _jitted_values(dueling: bool) -> Any:
    """`_values`, compiled: (params, inputs [rows, features]) -> [rows, actions]."""
    import jax

    return jax.jit(functools.partial(_values, dueling=dueling))


def _optimiser(s: DqnSettings) -> Any:
    """Adam with clipped gradients; its learning rate is set anew for each update."""
    import optax

    return optax.chain(optax.clip_by_global_norm(s.norm), optax.inject_hyperparams(optax.adam)(learning_rate=s.rate))


def _targets(params: Any, target: Any, part: Any, s: DqnSettings) -> Any:
    """What the values of the drawn decisions should be: [batch].

    ``part`` holds ``rewards`` and ``ended`` [batch, ahead] of the decision and those after it, and ``inputs`` and
    ``masks`` of the position after them.
    """
    import jax
    from jax import numpy as jnp

    goes_on = jnp.cumprod(1.0 - part["ended"], axis=1)
    before = jnp.concatenate([jnp.ones_like(goes_on[:, :1]), goes_on[:, :-1]], axis=1)
    powers = s.gamma ** jnp.arange(s.ahead, dtype=jnp.float32)
    earned = (part["rewards"] * before * powers).sum(axis=1)
    judged = _values(target, part["inputs"], s.dueling)
    chosen_by = _values(params, part["inputs"], s.dueling) if s.double else judged
    best = jnp.argmax(jnp.where(part["masks"] > 0, chosen_by, _ILLEGAL), axis=1)
    value = jnp.take_along_axis(judged, best[:, None], axis=1)[:, 0]
    return jax.lax.stop_gradient(earned + s.gamma**s.ahead * goes_on[:, -1] * value)


def _draw(replay: Any, count: Any, key: Any, s: DqnSettings) -> tuple[Any, Any]:
    """A minibatch: inputs and actions of the drawn decisions, and what `_targets` asks. ``count``: rows so far."""
    import jax
    from jax import numpy as jnp

    rows, lanes = replay["actions"].shape
    known = jnp.minimum(count, rows) - s.ahead
    one, two = jax.random.split(key)
    first = count - jnp.minimum(count, rows)  # the number of the oldest row
    at = first + jax.random.randint(one, (s.batch,), 0, known)
    lane = jax.random.randint(two, (s.batch,), 0, lanes)
    steps = (at[:, None] + jnp.arange(s.ahead)) % rows
    last = (at + s.ahead) % rows
    part = {
        "rewards": replay["rewards"][steps, lane[:, None]],
        "ended": replay["ended"][steps, lane[:, None]].astype(jnp.float32),
        "inputs": replay["inputs"][last, lane],
        "masks": replay["masks"][last, lane],
    }
    return (replay["inputs"][at % rows, lane], replay["actions"][at % rows, lane]), part


def _loss(params: Any, drawn: Any, wanted: Any, s: DqnSettings) -> Any:
    """The mean error of the values of the drawn decisions."""
    import optax
    from jax import numpy as jnp

    values = jnp.take_along_axis(_values(params, drawn[0], s.dueling), drawn[1][:, None], axis=1)[:, 0]
    return (optax.huber_loss(values, wanted) if s.huber else 0.5 * jnp.square(values - wanted)).mean()


def _step(state: Any, key: Any, s: DqnSettings) -> tuple[Any, Any]:
    """Learn from one minibatch: the new state, and the error."""
    import jax
    import optax
    from jax import numpy as jnp

    drawn, part = _draw(state["replay"], state["rows"], key, s)
    wanted = _targets(state["params"], state["target"], part, s)
    error, slope = jax.value_and_grad(functools.partial(_loss, s=s))(state["params"], drawn, wanted)
    changes, adam = _optimiser(s).update(slope, state["adam"], state["params"])
    params, count = optax.apply_updates(state["params"], changes), state["batches"] + 1
    is_due = count % s.target_every == 0
    target = jax.tree.map(lambda new, old: jnp.where(is_due, new, old), params, state["target"])
    return {**state, "params": params, "target": target, "adam": adam, "batches": count}, error


@functools.cache
def _learn(s: DqnSettings, batches: int) -> Any:
    """The compiled update: (state, new rows, key, rate) -> the new state, the mean error of the ``batches``."""
    import jax
    from jax import numpy as jnp

    def learn(state: Any, chunk: Any, key: Any, rate: Any) -> Any:
        """Put the new rows into the replay memory and learn from minibatches of it."""
        rows = state["replay"]["actions"].shape[0]
        place = state["rows"] % rows
        replay = {
            name: jax.lax.dynamic_update_slice_in_dim(array, chunk[name], place, axis=0)
            for name, array in state["replay"].items()
        }
        state["adam"][1].hyperparams["learning_rate"] = jnp.asarray(rate, jnp.float32)
        state = {**state, "replay": replay, "rows": state["rows"] + chunk["actions"].shape[0]}
        state, errors = jax.lax.scan(functools.partial(_step, s=s), state, jax.random.split(key, batches))
        return state, errors.mean() if batches else jnp.zeros(())

    return jax.jit(learn, donate_argnums=0)
