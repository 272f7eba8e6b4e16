"""Fit: a value, the expected return of a position, learned from games between given players, in generations.

In every generation chosen agents play games against each other, with a share of random moves so that the positions
differ. Some positions are noted, as each seat sees them, and a network is fitted to how their games ended.
``model=self`` in the spec of a search stands for the value fitted in the generation before, so the search plays better
from generation to generation and the value learns from better games; ``self`` alone is a player that looks one move
ahead with it.

What the value of a position should be is a mix of the game's result, what the searching player found the position
worth (``scores``), and the margin of points at the end (``margin``). ``hidden=`` without a number gives a model without
hidden layers: a logistic one with ``reading=logistic``, which fits the odds of winning, or a linear one.

With ``side=mover`` only the mover's view of a position is noted: the value is then evaluated incrementally and so fit
for fast searches (`increment.py`). With ``draws`` above 0 positions in which a draw is due are noted too; searches that
end at draws ask for their value.

Agents decide for many games at once, in threads, each with copies of the agents: threads make no difference to the
games. Not handled: rewards before the end of the game. Cost: mostly that of the players; the rows are kept in memory.
"""

from __future__ import annotations

import dataclasses
import functools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.error import BadOption
from ludens.core.lanes import Lanes
from ludens.core.option import option, read_pairs
from ludens.core.registry import split_specs
from ludens.core.seed import derived_seed
from ludens.learn.crew import Crew
from ludens.learn.features import DEFAULT, features_of
from ludens.learn.gather import Gatherer, Rows
from ludens.learn.increment import plain_features
from ludens.learn.learner import RunSettings, hidden_sizes
from ludens.learn.model import Model, new_card, write
from ludens.learn.net import forward_jax, new_layers, to_layers, to_params
from ludens.learn.rollout import TRAINING, processors
from ludens.learn.value import READINGS, SIDES, decide_all, encode_views, encode_whole, why_no_mover

if TYPE_CHECKING:
    from ludens.core.game import Game

SELF = "self"  # the value of the generation before
_HELD_OUT = 20  # one game of so many is not learned from, but used to measure the fit


@dataclasses.dataclass(frozen=True)
class FitSettings(RunSettings):
    """Who plays the games, what is noted of them, and how the network is fitted."""

    steps: int = option(10_000, "games to learn from: with --seed and the other settings they define the run", low=1)
    players: str = option(SELF, "specs of those who play; model=self stands for the value so far, self plays by it")
    first: str = option("random", "specs of those who play in the first generation")
    generations: int = option(2, "how often the network is fitted; the games are divided among them", low=1, high=1000)
    window: int = option(2, "generations whose games are learned from", low=1, high=1000)
    noise: float = option(0.1, "share of random moves", low=0, high=1)
    noted: float = option(0.25, "share of the positions that are noted", low=0, high=1)
    draws: float = option(0.0, "share of the positions noted in which a draw is due", low=0, high=1)
    scores: float = option(0.0, "weight of what the player to move found the position worth", low=0, high=1)
    margin: float = option(0.0, "weight of the margin of points at the end", low=0, high=1)
    margin_scale: float = option(20.0, "points at which the margin counts three quarters", low=1e-6, high=1e9)
    games: int = option(200, "games played at once", low=1, high=1 << 20)
    features: str = option(DEFAULT, "the set of features it sees")
    hidden: str = option("64-32", "sizes of the hidden layers; '': none")
    side: str = option("each", "whose views are judged: each seat's, or the mover's, which is fast", choices=SIDES)
    reading: str = option("logistic", "what the output is: the odds of winning, or the return", choices=READINGS)
    epochs: int = option(10, "passes over the positions in a fit", low=1, high=10_000)
    batch: int = option(1024, "positions in a minibatch", low=1, high=1 << 20)
    rate: float = option(3e-3, "learning rate at the beginning of a fit; it falls to 0", low=0, high=1)


class Fit(Gatherer):
    """Fit a value to games between given players, in generations that play by the value of the one before."""

    name = "fit"
    Settings = FitSettings
    settings: FitSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        s = self.settings
        if s.scores + s.margin > 1:
            raise BadOption("fit: scores and margin are shares of the target and add up to 1 at most")
        self.features = features_of(game, s.features)
        self._sizes = [self.features.length, *hidden_sizes(s.hidden), 1]
        self._refuse_impossible()
        self.layers = new_layers(s.seed, self._sizes, last_scale=0.0)
        self._quality: tuple[int, float, float] = 0, 0.0, 0.0  # positions held out, share named right, log loss
        self._players: list[Crew] = []
        self._players_of = -1  # the generation that they play in
        self._encoding = np.zeros(self.features.length, np.float32)

    def _refuse_impossible(self) -> None:
        """Raise BadOption where the settings and the game do not fit."""
        why = why_no_mover(self.game, len(self._sizes) - 1) if self.settings.side == "mover" else ""
        if why:
            raise BadOption(f"fit: side=mover is not possible here: {why}")
        if self.settings.draws and self.game.rules.has_secrets:
            raise BadOption("fit: draws is not possible here: what is hidden cannot be seen when nobody is to move")

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why it cannot learn this game, as text; '' if it can."""
        return "" if game.rules.can("encode") or game.roster.features else f"{game.id} has no features for learners"

    @property
    def generations(self) -> int:
        """As in the settings."""
        return self.settings.generations

    def exam_opponents(self) -> list[str]:
        """The specs of the opponents of its exams: those it was told, else the game's default opponent."""
        return split_specs(self.settings.exam) or [self.game.roster.opponent]

    # games

    def _crews(self) -> list[Crew]:
        """The players of the present generation; BadOption if one cannot play here."""
        if self._players_of == self.generation:
            return self._players
        s = self.settings
        with tempfile.TemporaryDirectory(prefix="ludens-fit-") as home:
            write(Path(home), self.model())
            specs = split_specs(s.players if self.generation else s.first)
            if not specs:
                raise BadOption("fit: there is nobody to play: name the players")
            self._players = [Crew(_with_value(spec, home), self.game, processors()) for spec in specs]
        for crew, spec in zip(self._players, specs, strict=True):
            if crew.agent.series or crew.agent.start_fields():
                raise BadOption(f"fit: {spec} learns from game to game or brings a deck, so it cannot play here")
        self._players_of = self.generation
        return self._players

    def gather(self) -> tuple[Rows, int]:
        """Play the next games; returns their rows and their number."""
        s, rules = self.settings, self.game.rules
        count = min(s.games, self.end_of(self.generation) - self.done)
        numbers = range(self.done, self.done + count)
        random = np.random.default_rng([s.seed, TRAINING, self.done])
        crews = self._crews()
        lanes = Lanes(self.game, [derived_seed(s.seed, TRAINING, number) for number in numbers])
        who = random.integers(len(crews), size=(count, rules.seats))
        memory = [crew.agent.new_memory(count * rules.seats) for crew in crews]
        notes: list[Rows] = []
        while len(rows := np.flatnonzero(lanes.turns >= 0)):
            strays = random.random(len(rows)) < s.noise
            noted = random.random(len(rows)) < s.noted
            notes.append(self._note(lanes, rows[noted], who[rows, lanes.turns[rows]][noted]))
            actions = _any_legal(lanes, rows, random)
            for place, crew in enumerate(crews):
                mine = np.flatnonzero(~strays & (who[rows, lanes.turns[rows]] == place))
                actions[mine] = crew.choose(lanes, rows[mine], memory[place])
            if s.draws:
                notes.append(self._note_draws(lanes, rows, actions, random))
            if not lanes.step(rows, actions).all():
                raise BadOption("fit: a player answered an illegal action; leave it out")
        found = {name: np.concatenate([part[name] for part in notes]) for name in notes[0]}
        return self._with_targets(lanes, found, numbers.start), count

    def _note(self, lanes: Lanes, rows: np.ndarray, movers: np.ndarray) -> Rows:
        """Note the positions in the lanes ``rows`` as each seat sees them; ``movers`` [rows] are the players to move.

        Columns: the features, the lane, the seat, and what the mover found the position worth for it (NaN if unasked).
        With side=mover only as the seat to move sees them.
        """
        seats, movers_seats = self.game.rules.seats, lanes.turns[rows]
        lane, seat = np.repeat(rows, seats), np.tile(np.arange(seats), len(rows))
        worth = np.full((len(rows), seats), np.nan)
        for place, crew in enumerate(self._crews() if self.settings.scores else ()):
            worth[movers == place] = crew.values(lanes, rows[movers == place])
        if self.settings.side == "mover":
            lane, seat, worth = rows, movers_seats, worth[np.arange(len(rows)), movers_seats]
        inputs = self._encoded(lanes.views(lane, seat))
        return {"inputs": inputs, "lane": lane, "seat": seat, "worth": worth.ravel()}

    def _note_draws(self, lanes: Lanes, rows: np.ndarray, actions: np.ndarray, random: np.random.Generator) -> Rows:
        """Note some of the positions after ``actions`` in the lanes ``rows`` in which a draw is due; as `_note`."""
        after, is_due = lanes.states[rows], np.zeros(len(rows), np.bool_)
        decide_all(self.game.rules.constants, after, actions, is_due)
        is_due &= random.random(len(rows)) < self.settings.draws
        seats = self.game.rules.seats
        lane, seat = np.repeat(rows[is_due], seats), np.tile(np.arange(seats), int(is_due.sum()))
        views = np.repeat(after[is_due], seats)
        views["seat"] = seat
        return {"inputs": self._encoded(views), "lane": lane, "seat": seat, "worth": np.full(len(lane), np.nan)}

    def _encoded(self, views: np.ndarray) -> np.ndarray:
        """The features of views: float32 [views, features]; as bytes, which take less space, for the mover's side."""
        f, constants, shape = self.features, self.game.rules.constants, (len(views), self.features.length)
        inputs = np.zeros(shape, np.uint8 if self.settings.side == "mover" else np.float32)
        if len(views) and self.settings.side == "mover":
            encode_whole(f.settings, constants, views, self._encoding, inputs)
        elif len(views):
            encode_views(f.settings, constants, views, inputs)
        return inputs

    def _with_targets(self, lanes: Lanes, notes: Rows, first: int) -> Rows:
        """The rows to learn from: inputs, target, result and number of the game; ``first`` is that of lane 0."""
        s, at = self.settings, (notes["lane"], notes["seat"])
        result = lanes.returns[at]
        worth = np.where(np.isnan(notes["worth"]), result, notes["worth"])
        target = (1 - s.scores - s.margin) * result + s.scores * worth
        if s.margin:
            target += s.margin * np.tanh((lanes.scores - _best_other(lanes.scores))[at] / s.margin_scale)
        columns = {"target": target.astype(np.float32), "result": result.astype(np.float32)}
        numbers = {"game": (notes["lane"] + first).astype(np.uint32)}
        generation = {"generation": np.full(len(target), self.generation, np.uint32)}
        return {"inputs": notes["inputs"], **columns, **numbers, **generation}

    # fitting

    def fit(self, rows: Rows) -> dict[str, float]:
        """Fit a new network to the games of the last generations; returns its errors."""
        s = self.settings
        self.drop(rows["generation"] + s.window > self.generation)
        rows = self.rows()
        if not len(rows["target"]):
            raise BadOption("fit: no position was noted: raise noted= or play more games")
        is_test = rows["game"] % _HELD_OUT == _HELD_OUT - 1
        train = is_test if is_test.all() else ~is_test
        layers = new_layers(s.seed + self.generation, self._sizes, last_scale=0.1)
        random = np.random.default_rng([s.seed, self.generation])
        targets = self._scaled(rows["target"])
        self.layers, loss = _fit(layers, rows["inputs"][train], targets[train], s, random)
        tests = {name: column[is_test] for name, column in rows.items()}
        self._quality = self._measure(tests)
        return {"loss": loss, "right": self._quality[1], "log_loss": self._quality[2]}

    def _scaled(self, returns: np.ndarray) -> np.ndarray:
        """Returns as the network learns them: from 0 to 1 where its output is read as odds, else as they are."""
        if self.settings.reading == "linear":
            return returns
        seats = self.game.rules.seats
        low = -1.0 / (seats - 1) if seats > 1 else -1.0
        return np.clip((returns - low) / (1.0 - low), 0.0, 1.0).astype(np.float32)

    def _measure(self, rows: Rows) -> tuple[int, float, float]:
        """How well the value foretells games it did not learn from: positions, share named right, log loss.

        Only of seats that have won or lost: a win is foretold by a value above that of even odds.
        """
        decided = np.abs(rows["result"]) > 0 if self.game.rules.seats < 3 else np.ones(len(rows["result"]), np.bool_)
        if not decided.any():
            return 0, 0.0, 0.0
        inputs = plain_features(rows["inputs"][decided])
        outputs = np.asarray(forward_jax(to_params(self.layers), inputs))[:, 0].astype(np.float64)
        won, odds = rows["result"][decided] > 0, 1 / (1 + np.exp(-outputs))
        if self.settings.reading == "linear":
            odds = np.clip((outputs + 1) / 2, 0.0, 1.0)
        odds = np.clip(odds, 1e-6, 1 - 1e-6)
        loss = -np.where(won, np.log(odds), np.log(1 - odds)).mean()
        return int(decided.sum()), float(((odds > 0.5) == won).mean()), float(loss)

    def summary(self) -> list[str]:
        """How well the value foretells the results of games that it did not learn from."""
        count, right, loss = self._quality
        if not count:
            return []
        return [
            f"right about who wins in {100 * right:.1f} % of {count:,} positions of games it did not learn from, "
            f"log loss {loss:.4f}"
        ]

    # model

    def model(self) -> Model:
        """The value so far."""
        how = {"reading": self.settings.reading, "side": self.settings.side}
        return Model(self.layers, new_card(self.game, "value", self.features, **how))

    def weights(self) -> dict[str, np.ndarray]:
        """The layers, and how well they did."""
        return {**self.layers, "quality": np.array(self._quality, np.float64)}

    def set_weights(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays that `weights` gave."""
        count, right, loss = arrays["quality"].tolist()
        self._quality = int(count), right, loss
        self.layers = {name: arrays[name] for name in self.layers}
        self._players_of = -1


def _with_value(spec: str, folder: str) -> str:
    """A spec in which the agent folder ``folder`` stands for 'self'."""
    name, colon, rest = spec.partition(":")
    pairs = read_pairs(rest, name)
    changed = ",".join(f"{key}={folder if (key, value) == ('model', SELF) else value}" for key, value in pairs.items())
    return f"{folder if name == SELF else name}{colon}{changed}"


def _any_legal(lanes: Lanes, rows: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A random legal action in each of the lanes ``rows``: int64 [rows]."""
    listed, counts = lanes.legal(rows)
    return listed[np.arange(len(rows)), random.integers(counts)].astype(np.int64)


def _best_other(scores: np.ndarray) -> np.ndarray:
    """The most points of another seat, for each seat: [lanes, seats]; its own where there is no other."""
    seats = scores.shape[1]
    if seats == 1:
        return scores
    others = [np.delete(scores, seat, axis=1).max(axis=1) for seat in range(seats)]
    return np.stack(others, axis=1)


def _fit(
    layers: dict[str, np.ndarray], inputs: np.ndarray, targets: np.ndarray, s: FitSettings, random: np.random.Generator
) -> tuple[dict[str, np.ndarray], float]:
    """Fit layers to targets [rows] for inputs [rows, features]; returns them and the mean loss of the last pass."""
    import jax

    batch = min(s.batch, len(targets))
    batches = len(targets) // batch
    one_pass = _one_pass(s.reading, s.rate, batches * s.epochs)
    params, memory, loss = to_params(layers), None, 0.0
    memory = one_pass[0](params)
    xs, ys = jax.numpy.asarray(inputs), jax.numpy.asarray(targets)
    for _ in range(s.epochs):
        order = random.permutation(len(targets))[: batches * batch].reshape(batches, batch)
        params, memory, loss = one_pass[1](params, memory, xs, ys, jax.numpy.asarray(order))
    return to_layers(params), float(loss)


@functools.cache
def _one_pass(reading: str, rate: float, steps: int) -> tuple[Any, Any]:
    """Two functions: what Adam remembers at the beginning, for ``steps`` updates; and a pass over the rows.

    The second is compiled: (params, memory, inputs, targets, order [batches, batch]) -> new params and memory, loss.
    """
    import jax
    import optax

    adam = optax.adam(optax.cosine_decay_schedule(rate, steps))

    def loss(params: Any, inputs: Any, targets: Any) -> Any:
        """The mean cross-entropy of odds, or squared error of returns."""
        outputs = forward_jax(params, plain_features(inputs))[:, 0]
        if reading == "logistic":
            return optax.sigmoid_binary_cross_entropy(outputs, targets).mean()
        return jax.numpy.square(outputs - targets).mean()

    def run(params: Any, memory: Any, inputs: Any, targets: Any, order: Any) -> Any:
        """One pass, batch after batch."""

        def step(state: Any, rows: Any) -> Any:
            """One update of the weights by the rows of a batch."""
            found, slope = jax.value_and_grad(loss)(state[0], inputs[rows], targets[rows])
            changes, memory = adam.update(slope, state[1])
            return (optax.apply_updates(state[0], changes), memory), found

        state, losses = jax.lax.scan(step, (params, memory), order)
        return *state, losses.mean()

    return adam.init, jax.jit(run)
