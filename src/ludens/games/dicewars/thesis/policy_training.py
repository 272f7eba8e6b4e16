"""Trains the policy of attacks and transfers by rewards: it plays games against the course's bots by its own odds.

The method is PPO (see `learn/ppo.py`) for moves that are scored one by one: a position has as many moves as it has, and
each is told by its features, not by its number, so what is learned holds on every map. What a decision was worth is the
change in the chance to win, as conqueror's value sees it, from this decision to the next and, discounted by ``lam``,
those after it; the last change is to the result. Whole games are played in an update, as many as its arrays hold.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy import uint64

from ludens.core import ops
from ludens.core.error import BadOption
from ludens.core.fields import record_of
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.lanes import placed
from ludens.core.ops import OVER
from ludens.core.option import option
from ludens.core.registry import split_specs
from ludens.core.rng import below
from ludens.core.seed import derived_seed
from ludens.games.dicewars.bots import BOTS, BotMemory, BotsBySeat
from ludens.games.dicewars.record import SEATS
from ludens.games.dicewars.thesis.policy import ATTACKS, PARTS, TRANSFERS, WANTED, Policy, draw, list_moves, make_policy
from ludens.games.dicewars.thesis.pruner import FEATURES
from ludens.games.dicewars.thesis.pruner_data import POOL
from ludens.games.dicewars.value import Value, chances, load_value
from ludens.learn.learner import Learner, RunSettings, leaves_of, tree_with
from ludens.learn.model import Model, new_card
from ludens.learn.rollout import TRAINING

_SCALES = {  # mean and spread of the features, roughly
    "attack": ([50, 3.5, 4, 3, 3, 2, 0.5, 0.3, 4, 0.25, 3], [40, 1.5, 2, 2, 2, 1.2, 0.5, 0.4, 2, 0.15, 2]),
    "transfer": ([4, 4, 0.5, 0.5, 3, 3, 0.5, 0.5, 0.5, 0.5, 3], [2, 2, 0.5, 0.5, 3, 3, 0.5, 0.5, 0.5, 0.5, 3]),
}
_GAMES = 512  # dealt for an update; as many are played as its arrays hold
_OTHER = 0x5DEECE66D1CE4E5B  # makes the generator of the policy's dice another one than the game's
_MOVES = 32  # room for moves, for each decision on average

_Dice = record_of(rng=uint64)


@dataclass(frozen=True)
class PolicyTrainingSettings(RunSettings):
    """How the policy learns."""

    steps: int = option(2_000_000, "decisions to learn from", low=1)
    opponent: str = option(",".join(POOL), "the course's bots in the other seats, with commas between them")
    units: int = option(20, "tanh units of each of the two networks", low=1, high=1000)
    decisions: int = option(16_384, "decisions between two updates, at most", low=512, high=1 << 20)
    epochs: int = option(6, "passes over the decisions in an update", low=1, high=100)
    rate: float = option(1e-2, "learning rate at the beginning", low=0, high=1)
    last_rate: float = option(1e-3, "learning rate at the end", low=0, high=1)
    entropy: float = option(0.003, "weight of the policy's entropy at the beginning; it falls to 0", low=0, high=10)
    lam: float = option(0.9, "how far the worth of a decision looks ahead", low=0, high=1)
    clip: float = option(0.2, "how far a probability ratio counts", low=0, high=10)


class Notes(NamedTuple):
    """The decisions of some games, and all moves that were possible at them."""

    rows: np.ndarray  # float32 [moves, features]
    kinds: np.ndarray  # uint8 [moves]
    owners: np.ndarray  # int32 [moves]: the decision that the move belongs to
    taken: np.ndarray  # int32 [decisions]: the move that was made
    odds: np.ndarray  # float32 [decisions]: with which it was drawn
    worth: np.ndarray  # float32 [decisions]: the chance to win before it; later how much it was worth
    counts: np.ndarray  # int64 [4]: moves, decisions, games, games won


def new_notes(decisions: int) -> Notes:
    """Blank notes for so many decisions."""
    moves = decisions * _MOVES
    return Notes(
        np.zeros((moves, len(FEATURES)), np.float32),
        np.zeros(moves, np.uint8),
        np.zeros(moves, np.int32),
        np.zeros(decisions, np.int32),
        np.zeros(decisions, np.float32),
        np.zeros(decisions, np.float32),
        np.zeros(4, np.int64),
    )


class Space(NamedTuple):
    """Space to play games in; for one thread."""

    bots: BotsBySeat
    memory: np.ndarray  # [seats]: of the bots
    chance: np.ndarray  # float64 [seats]
    dice: np.ndarray  # [1]: a record with a generator


def new_space() -> Space:
    """Blank space to play games in."""
    bots = BotsBySeat(np.zeros(SEATS, np.uint8))
    return Space(bots, np.zeros(SEATS, BotMemory), np.zeros(SEATS), np.zeros(1, _Dice))


@kernel
def play_and_note(
    p: Policy, w: Space, pool: Any, value: Value, constants: Any, deals: Any, lam: float, first: int, notes: Notes
) -> None:
    """Play games from the states ``deals`` until the arrays of ``notes`` are full, and note the policy's decisions.

    The policy has seat ``first`` + i of game i, in turn; the others are drawn from ``pool``, indices into BOTS. A game
    that does not fit any more is left out. ``w`` is space to work in.
    """
    g = ops.open_constants(constants)
    notes.counts[:] = 0
    for game in range(len(deals)):
        w.dice[0].rng = deals[game].rng ^ np.uint64(_OTHER)
        for seat in range(SEATS):
            w.bots.kinds[seat] = pool[below(w.dice[0], len(pool))]
            w.memory[seat].turn = w.memory[seat].mine = 0
        seat = int64((first + game) % int64(g.c.players))
        start, moves = int64(notes.counts[1]), int64(notes.counts[0])
        if not _play(p, w, value, g, deals[game], seat, notes):
            notes.counts[0], notes.counts[1] = moves, start
            return
        won = 1.0 if deals[game].winner == seat else 0.0
        notes.counts[2] += 1
        notes.counts[3] += int64(won)
        ahead, after = 0.0, won
        for i in range(int64(notes.counts[1]) - 1, start - 1, -1):
            before = np.float64(notes.worth[i])
            ahead = after - before + lam * ahead
            notes.worth[i] = ahead
            after = before


@large_kernel
def _play(p: Policy, w: Space, value: Value, g: Any, s: Any, seat: int, notes: Notes) -> bool:
    """Play the game of state ``s`` and note the decisions of ``seat``; returns whether all of them fitted."""
    ops.start(g, s, None)
    while ops.to_move(g, s) != OVER:
        turn = int64(s.turn)
        if turn != seat:
            if not s.lands[seat]:
                return True  # it is out, and has lost
            ops.apply(g, s, ops.rule(w.bots, g, s, w.memory[turn]), None)
            continue
        n, at, decision = list_moves(p, g, s), int64(notes.counts[0]), int64(notes.counts[1])
        if at + n > len(notes.kinds) or decision == len(notes.taken):
            return False
        chosen = draw(p, n, w.dice[0])
        chances(g, s, value, w.chance)
        for i in range(n):
            for k in range(notes.rows.shape[1]):
                notes.rows[at + i, k] = p.rows[i, k]
            notes.kinds[at + i], notes.owners[at + i] = p.kinds[i], decision
        notes.taken[decision], notes.odds[decision] = at + chosen, p.scores[chosen]
        notes.worth[decision] = w.chance[seat]
        notes.counts[0], notes.counts[1] = at + n, decision + 1
        ops.apply(g, s, int64(p.moves[chosen]), None)
    return True


class PolicyLearner(Learner):
    """Learn which attacks and transfers to make from rewards, by playing against the course's bots (PPO)."""

    name = "policy"
    Settings = PolicyTrainingSettings
    settings: PolicyTrainingSettings

    def __init__(self, game: Any, settings: Any = None) -> None:
        """Make the learner; BadOption if an opponent is none of the course's bots."""
        super().__init__(game, settings)
        s = self.settings
        strangers = [name for name in self.opponents if name not in BOTS]
        if strangers or not self.opponents:
            raise BadOption(f"policy: opponents are of the course's bots, not '{','.join(strangers)}'")
        self._pool = np.array([BOTS.index(name) for name in self.opponents])
        self.params = {part: _first_weights(s.seed + i, s.units) for i, part in enumerate(PARTS)}
        self._memory = _optimiser().init(self.params)
        self._games, self._notes, self._space, self._value = 0, new_notes(s.decisions), new_space(), load_value()

    def exam_opponents(self) -> list[str]:
        """The specs of the opponents of its exams: those it was told, else the strongest bot of the course."""
        return split_specs(self.settings.exam) or ["stei-adt"]

    def update(self) -> dict[str, float]:
        """Play games and learn from them; returns figures for the log."""
        s, share = self.settings, min(self.done / self.settings.steps, 1.0)
        numbers = range(self._games, self._games + _GAMES)
        seeds = np.array([derived_seed(s.seed, TRAINING, number) for number in numbers], np.uint64)
        policy, deals, constants = make_policy(self._arrays()), placed(self.game, seeds, {}), self.game.rules.constants
        play_and_note(policy, self._space, self._pool, self._value, constants, deals, s.lam, self._games, self._notes)
        moves, decisions, games, won = map(int, self._notes.counts)
        if not games:
            raise BadOption("policy: a game does not fit into an update: raise decisions")
        self._games += games
        self.done += decisions
        rate, entropy = s.rate + (s.last_rate - s.rate) * share, s.entropy * (1 - share)
        data = _padded(self._notes, moves, decisions)
        self.params, self._memory, figures = _learn(s)(self.params, self._memory, data, rate, entropy)
        return {"games": games, "won": won / games, **{name: float(value) for name, value in figures.items()}}

    def _arrays(self) -> dict[str, np.ndarray]:
        """The present networks as named arrays."""
        named: dict[str, np.ndarray] = {}
        for part, weights in self.params.items():
            kinds = {"units": np.float32, "lift": np.float32, "pull": np.float64, "bias": np.float64}
            named |= {f"{part}.{name}": np.asarray(weights[name], kind) for name, kind in kinds.items()}
            centre, spread = _SCALES[part]
            named |= {f"{part}.centre": np.array(centre, np.float64), f"{part}.spread": np.array(spread, np.float64)}
        return named

    def model(self) -> Model:
        """The policy so far."""
        return Model(self._arrays(), new_card(self.game, WANTED.kind))

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights, what Adam remembers, and the number of games played."""
        return leaves_of((self.params, self._memory)) | {"games": np.array([self._games], np.uint64)}

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave."""
        self.params, self._memory = tree_with((self.params, self._memory), arrays)
        self._games = int(arrays["games"][0])


def _first_weights(seed: int, units: int) -> dict[str, Any]:
    """Random weights of one network to begin with; all its scores are 0."""
    random, width = np.random.default_rng(seed), len(FEATURES)
    inside = (random.standard_normal((units, width)) * width**-0.5).astype(np.float32)
    zeros = {"lift": np.zeros(units, np.float32), "pull": np.zeros(units, np.float32), "bias": np.zeros(1, np.float32)}
    return {"units": inside, **zeros}


def _padded(notes: Notes, moves: int, decisions: int) -> dict[str, np.ndarray]:
    """The notes as arrays of one length, whatever was played: moves beyond the last belong to a decision of no weight.

    Rows are scaled; ``weights`` [decisions] are 1 for those that were made.
    """
    size, most = len(notes.kinds), len(notes.taken)
    owners, kinds = np.full(size, most, np.int32), np.zeros(size, np.uint8)
    owners[:moves], kinds[:moves] = notes.owners[:moves], notes.kinds[:moves]
    weights, worth = np.zeros(most, np.float32), np.zeros(most, np.float32)
    weights[:decisions], worth[:decisions] = 1.0, notes.worth[:decisions]
    worth[:decisions] = (worth[:decisions] - worth[:decisions].mean()) / (worth[:decisions].std() + 1e-8)
    taken, odds = np.zeros(most, np.int32), np.ones(most, np.float32)
    taken[:decisions], odds[:decisions] = notes.taken[:decisions], notes.odds[:decisions]
    return {
        "rows": notes.rows,
        "owners": owners,
        "kinds": kinds,
        "weights": weights,
        "worth": worth,
        "taken": taken,
        "odds": odds,
    }


def _optimiser() -> Any:
    """Adam with clipped gradients; its learning rate is set anew for each update."""
    import optax

    return optax.chain(optax.clip_by_global_norm(0.5), optax.inject_hyperparams(optax.adam)(learning_rate=0.01))


def scores_jax(params: Any, data: Any) -> Any:
    """The score of every move, by JAX: [moves]."""
    from jax import numpy as jnp

    found = jnp.zeros(data["kinds"].shape)
    for part, kind in zip(PARTS, (ATTACKS, TRANSFERS), strict=True):
        centre, spread = (jnp.asarray(numbers, jnp.float32) for numbers in _SCALES[part])
        weights = params[part]
        inside = jnp.tanh((data["rows"] - centre) / spread @ weights["units"].T + weights["lift"])
        found = jnp.where(data["kinds"] == kind, inside @ weights["pull"] + weights["bias"][0], found)
    return found


def _loss(params: Any, data: Any, entropy: Any, clip: float) -> Any:
    """What is to be made small, by JAX, and figures about it. ``entropy`` is its weight."""
    import jax
    from jax import numpy as jnp

    found, owners, most = scores_jax(params, data), data["owners"], data["worth"].shape[0]
    peak = jax.lax.stop_gradient(jax.ops.segment_max(found, owners, most + 1))
    powers = jnp.exp(found - peak[owners])
    totals = jnp.log(jnp.maximum(jax.ops.segment_sum(powers, owners, most + 1), 1e-30))
    logs = found - peak[owners] - totals[owners]
    ratio = jnp.exp(logs[data["taken"]] - jnp.log(data["odds"]))
    clipped = jnp.clip(ratio, 1 - clip, 1 + clip)
    count = data["weights"].sum()
    gain = (jnp.minimum(ratio * data["worth"], clipped * data["worth"]) * data["weights"]).sum() / count
    spread = -(jnp.exp(logs) * logs * (owners < most)).sum() / count
    moved = ((jnp.abs(ratio - 1) > clip) * data["weights"]).sum() / count
    return -gain - entropy * spread, {"gain": gain, "entropy": spread, "clipped": moved}


@functools.cache
def _learn(s: PolicyTrainingSettings) -> Any:
    """The compiled update: (params, memory, data, rate, entropy) -> the new ones, figures."""
    import jax
    import optax
    from jax import numpy as jnp

    optimiser = _optimiser()

    def learn(params: Any, memory: Any, data: Any, rate: Any, entropy: Any) -> Any:
        """All passes of one update."""
        memory[1].hyperparams["learning_rate"] = jnp.asarray(rate, jnp.float32)

        def one(state: Any, _: Any) -> Any:
            """One pass over all decisions."""
            slope, figures = jax.grad(_loss, has_aux=True)(state[0], data, entropy, s.clip)
            changes, kept = optimiser.update(slope, state[1], state[0])
            return (optax.apply_updates(state[0], changes), kept), figures

        state, figures = jax.lax.scan(one, (params, memory), None, length=s.epochs)
        return *state, {name: column[-1] for name, column in figures.items()}

    return jax.jit(learn)
