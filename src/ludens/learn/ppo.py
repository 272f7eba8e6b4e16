"""PPO: proximal policy optimisation (Schulman et al. 2017) with masks of legal actions, for any game and its features.

In every update each lane makes ``horizon`` decisions by the policy's odds; then the network is changed by several
epochs of minibatches: the probability ratio of each action, clipped to 1 +- ``clip``, times its advantage, plus the
entropy of the policy, less the squared error of the values. Illegal actions get logits of -1e9, so they have no odds
and no gradient. Advantages are generalised (GAE, ``lam``) or the plain discounted return less the value. Rate and
entropy fall linearly from the first to the last value over the run.

One network with a shared trunk gives policy and value. With ``critic=whole`` the values come from a network of its own
that sees the features of all seats: only training uses it, so that the player that results sees its own view alone.

Not handled: recurrent networks, continuous actions, opponents that learn (past selves are copies).
"""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.option import option
from ludens.learn.features import features_of
from ludens.learn.learner import Learner, PlaySettings, hidden_sizes, leaves_of, seats_to_learn, tree_with
from ludens.learn.model import Model, new_card
from ludens.learn.net import forward_jax, new_layers, to_layers, to_params
from ludens.learn.reward import read_reward
from ludens.learn.rollout import Notes, PastSelves, Plan, Rollout

if TYPE_CHECKING:
    from ludens.core.game import Game

_ILLEGAL = -1e9  # logit of an illegal action


@dataclasses.dataclass(frozen=True)
class PpoSettings(PlaySettings):
    """How PPO learns."""

    hidden: str = option("256-256", "sizes of the hidden layers")
    lanes: int = option(2048, "games at once", low=1, high=1 << 20)
    groups: int = option(8, "groups of lanes, each played by one thread", low=1, high=256)
    horizon: int = option(64, "decisions of a game between two updates", low=1, high=10_000)
    epochs: int = option(4, "passes over the decisions in an update", low=1, high=100)
    minibatches: int = option(4, "parts of a pass", low=1, high=10_000)
    rate: float = option(2e-3, "learning rate at the beginning", low=0, high=1)
    last_rate: float = option(1e-4, "learning rate at the end", low=0, high=1)
    entropy: float = option(0.005, "weight of the policy's entropy at the beginning", low=0, high=10)
    last_entropy: float = option(0.001, "weight of the policy's entropy at the end", low=0, high=10)
    gamma: float = option(1.0, "discount of the next decision", low=0, high=1)
    lam: float = option(0.95, "how far advantages look ahead (GAE)", low=0, high=1)
    advantage: str = option("gae", "generalised, or return less value", choices=("gae", "plain"))
    clip: float = option(0.2, "how far a probability ratio counts", low=0, high=10)
    value_weight: float = option(0.5, "weight of the values' error", low=0, high=100)
    norm: float = option(0.5, "largest norm of a gradient", low=0, high=1e6)
    critic: str = option(
        "shared", "values: from the policy's network, or from one that sees all", choices=("shared", "whole")
    )
    half: bool = option(False, "multiply in bfloat16: faster where the processor has matrix units")


class Ppo(Learner):
    """Learn a policy by playing with its own odds and making what went better than expected likelier (PPO)."""

    name = "ppo"
    Settings = PpoSettings
    settings: PpoSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        s = self.settings
        self.features = features_of(game, s.features)
        sizes = [self.features.length, *hidden_sizes(s.hidden), game.rules.actions + 1]
        layers = new_layers(s.seed, sizes, last_scale=0.1)
        self.params: dict[str, Any] = {"policy": to_params(layers)}
        if s.critic == "whole":
            whole = [self.features.length * game.rules.seats, *sizes[1:-1], 1]
            self.params["critic"] = to_params(new_layers(s.seed + 1, whole))
        self.past = PastSelves(self, layers)
        outputs, sees_all = game.rules.actions + 1, s.critic == "whole"
        plan = Plan(s.seed, s.lanes, s.groups, s.horizon, seats_to_learn(game, s.seat), outputs, sees_all=sees_all)
        self.rollout = Rollout(
            game, self.features, read_reward(s.reward, game), self.opponents, plan, self.past.players
        )
        self.memory = _optimiser(s).init(self.params)

    def play(self) -> Notes:
        """Play ``horizon`` decisions in every lane; returns the notes of them, which the next call overwrites."""
        return self.rollout.play(lambda inputs: np.asarray(_jitted_forward()(self.params["policy"], inputs)))

    def update(self) -> dict[str, float]:
        """Play ``horizon`` decisions in every lane and learn from them; returns figures for the log."""
        import jax

        s, share = self.settings, min(self.done / self.settings.steps, 1.0)
        self.past.renew(lambda: to_layers(self.params["policy"]))
        notes = self.play()
        advantages, targets = self._advantages(notes)
        data = _rows(notes, advantages, targets)
        key = jax.random.fold_in(jax.random.key(s.seed), self.done)
        rate = s.rate + (s.last_rate - s.rate) * share
        entropy = s.entropy + (s.last_entropy - s.entropy) * share
        self.params, self.memory, figures = _learn(s)(self.params, self.memory, data, key, rate, entropy)
        self.done += notes.actions.size
        games, mean = self.rollout.finished()
        found = {name: float(value) for name, value in figures.items()}
        return {"games": games, "return": mean, "reward": float(notes.rewards.mean()), "rate": rate, **found}

    def _advantages(self, notes: Notes) -> tuple[np.ndarray, np.ndarray]:
        """The advantage of each decision and the target of its value: two arrays [steps, lanes]."""
        s, values = self.settings, notes.outputs[..., -1]
        if s.critic == "whole":
            values = np.asarray(_jitted_forward()(self.params["critic"], notes.whole))[..., 0]
        lam = s.lam if s.advantage == "gae" else 1.0
        found = np.zeros_like(notes.rewards)
        ahead = np.zeros_like(values[0])
        for step in reversed(range(s.horizon)):
            goes_on = ~notes.ended[step]
            error = notes.rewards[step] + s.gamma * values[step + 1] * goes_on - values[step]
            ahead = error + s.gamma * lam * goes_on * ahead
            found[step] = ahead
        return found, found + values[:-1]

    def model(self) -> Model:
        """The policy so far, with its value as last output."""
        card = new_card(self.game, "net", self.features, activation="relu", value=True, seat=self.settings.seat)
        return Model(to_layers(self.params["policy"]), card)

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights, what Adam remembers, and the past selves."""
        return leaves_of((self.params, self.memory)) | self.past.arrays()

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave."""
        self.params, self.memory = tree_with((self.params, self.memory), arrays)
        self.past.set_arrays(arrays)

    def save(self, folder: Path) -> None:
        """Write weights and games under way into a folder."""
        super().save(folder)
        self.rollout.save(folder)

    def load(self, folder: Path) -> None:
        """Go on from what `save` wrote."""
        super().load(folder)
        self.rollout.load(folder)


def _rows(notes: Notes, advantages: np.ndarray, targets: np.ndarray) -> dict[str, np.ndarray]:
    """The decisions of all lanes as arrays with one row for each."""
    steps, size = len(notes.actions), notes.actions.size
    whole = {"whole": notes.whole[:steps].reshape(size, -1)} if len(notes.whole) > 1 else {}
    return {
        "inputs": notes.inputs[:steps].reshape(size, -1),
        "masks": notes.masks[:steps].reshape(size, -1),
        "actions": notes.actions.reshape(size),
        "odds": notes.odds.reshape(size),
        "advantages": ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).reshape(size),
        "targets": targets.reshape(size),
        **whole,
    }


@functools.cache
def _jitted_forward() -> Any:
    """The forward pass of a network, compiled: (params, inputs [..., inputs]) -> outputs [..., outputs]."""
    import jax

    return jax.jit(forward_jax)


def _optimiser(s: PpoSettings) -> Any:
    """Adam with clipped gradients; its learning rate is set anew for each update."""
    import optax

    return optax.chain(optax.clip_by_global_norm(s.norm), optax.inject_hyperparams(optax.adam)(learning_rate=s.rate))


def _loss(params: Any, part: Any, entropy: Any, s: PpoSettings) -> tuple[Any, Any]:
    """The loss of one minibatch ``part`` of the rows of `_rows`, and figures about it."""
    import jax
    from jax import numpy as jnp

    outputs = forward_jax(params["policy"], part["inputs"], half=s.half)
    logits = jnp.where(part["masks"] > 0, outputs[:, :-1], _ILLEGAL)
    logs = jax.nn.log_softmax(logits)
    chosen = jnp.take_along_axis(logs, part["actions"][:, None], axis=1)[:, 0]
    ratio = jnp.exp(chosen - jnp.log(part["odds"]))
    clipped = jnp.clip(ratio, 1 - s.clip, 1 + s.clip)
    gain = jnp.minimum(ratio * part["advantages"], clipped * part["advantages"]).mean()
    spread = -(jnp.exp(logs) * jnp.where(part["masks"] > 0, logs, 0.0)).sum(axis=1).mean()
    values = outputs[:, -1]
    if "critic" in params:
        values = forward_jax(params["critic"], part["whole"], half=s.half)[:, 0]
    error = jnp.square(values - part["targets"]).mean()
    moved = (jnp.abs(ratio - 1) > s.clip).mean()
    figures = {"gain": gain, "entropy": spread, "value_error": error, "clipped": moved}
    return s.value_weight * error - gain - entropy * spread, figures


@functools.cache
def _learn(s: PpoSettings) -> Any:
    """The compiled function that makes one update: (params, memory, data, key, rate, entropy) -> the new ones, figures.

    ``memory`` is what Adam remembers, ``data`` the rows of `_rows`.
    """
    import jax
    import optax
    from jax import numpy as jnp

    slope_of = jax.grad(functools.partial(_loss, s=s), has_aux=True)

    def learn(params: Any, memory: Any, data: Any, key: Any, rate: Any, entropy: Any) -> Any:
        """All epochs of one update."""
        memory[1].hyperparams["learning_rate"] = jnp.asarray(rate, jnp.float32)
        size = data["actions"].shape[0] // s.minibatches
        orders = [
            jax.random.permutation(jax.random.fold_in(key, epoch), data["actions"].shape[0])[: size * s.minibatches]
            for epoch in range(s.epochs)
        ]
        parts = jnp.concatenate(orders).reshape(s.epochs * s.minibatches, size)

        def one(state: Any, rows: Any) -> tuple[Any, Any]:
            """Learn from the minibatch of these rows: new (params, memory), and figures."""
            params, memory = state
            slope, figures = slope_of(params, {name: column[rows] for name, column in data.items()}, entropy)
            changes, memory = _optimiser(s).update(slope, memory, params)
            return (optax.apply_updates(params, changes), memory), figures

        state, figures = jax.lax.scan(one, (params, memory), parts)
        return *state, {name: column.mean() for name, column in figures.items()}

    return jax.jit(learn)
