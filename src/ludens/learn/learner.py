"""The base of all learners: what a run asks of one, and the settings that all have.

A learner is made with its settings and a game. ``update()`` plays and learns a little; ``done`` counts the steps made
(of most learners: the decisions learned from), up to ``settings.steps``. ``save`` and ``load`` write and read
everything it needs to go on exactly where it was, so that a run that was stopped ends with the same weights as one that
was not. ``model()`` is the agent it has become so far.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludens.core import tensor_file
from ludens.core.error import BadOption, BadRecord, BrokenGame, MissingExtra, UnknownName
from ludens.core.option import closest, option
from ludens.core.registry import load, split_specs
from ludens.core.seat import seats_named
from ludens.learn.features import DEFAULT

if TYPE_CHECKING:
    from ludens.core.game import Game
    from ludens.learn.model import Model

LEARNERS = {  # those that know no game; a game may name others in its roster
    "q": "ludens.learn.tabular:QLearning",
    "sarsa": "ludens.learn.tabular:Sarsa",
    "expected-sarsa": "ludens.learn.tabular:ExpectedSarsa",
    "double-q": "ludens.learn.tabular:DoubleQ",
    "dqn": "ludens.learn.dqn:Dqn",
    "ppo": "ludens.learn.ppo:Ppo",
    "imitate": "ludens.learn.imitate:Imitate",
    "fit": "ludens.learn.fit:Fit",
}


@dataclasses.dataclass(frozen=True)
class RunSettings:
    """What every run of a learner can be told: how long it is, and when and how it is examined."""

    steps: int = option(1_000_000, "how long to learn: with --seed and the other settings it defines the run", low=1)
    seed: int = option(1, "seed of weights, games and updates", low=0, high=1 << 62)
    exam: str = option("", "specs of the opponents of exams, with commas between them; '': those of training")
    exam_games: int = option(400, "games of an exam against each opponent", low=2, high=1_000_000)
    final_games: int = option(2000, "games of the exam at the end, on other deals", low=2, high=1_000_000)
    exam_every: int = option(0, "steps between two exams; 0: a twentieth of the run", low=0)
    keep: str = option(
        "best", "the agent written at the end: the best in the exams, or the last", choices=("best", "last")
    )


@dataclasses.dataclass(frozen=True)
class PlaySettings(RunSettings):
    """Settings of learners that learn by playing: against whom, for what, and what they see."""

    opponent: str = option("random", "specs of the opponents, with commas between them; 'past' are past selves")
    past: int = option(4, "number of past selves, where 'past' is an opponent", low=1, high=64)
    past_every: int = option(2_000_000, "decisions until a past self is replaced by the present one", low=1)
    reward: str = option("return", "what is earned: return, score, lead, or a sum as in lead=0.05+return=0.5")
    features: str = option(DEFAULT, "the set of features it sees")
    seat: str = option("", "the only seat it learns, by name; '': all in turn")


class Learner:
    """A program that learns to play. The first line of a subclass's docstring is its help text."""

    name: ClassVar[str]
    unit: ClassVar[str] = "decisions"  # what ``steps`` and ``done`` count, for people
    Settings: ClassVar[type] = RunSettings
    needs: ClassVar[tuple[str, ...]] = ("jax", "optax")  # libraries of the extra `train`

    def __init__(self, game: Game, settings: Any = None) -> None:
        """Make the learner at its beginning; BadOption if it cannot learn this game with these settings."""
        self.game = game
        self.settings = self.Settings() if settings is None else settings
        self.done = 0

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why it cannot learn this game, as text; '' if it can."""
        return ""

    @property
    def is_ready(self) -> bool:
        """Whether it has become something that can be examined."""
        return True

    @property
    def exam_every(self) -> int:
        """The number of steps between two exams."""
        return int(self.settings.exam_every) or max(int(self.settings.steps) // 20, 1)

    def update(self) -> dict[str, float]:
        """Play and learn a little, and count the steps in ``done``; returns figures for the log."""
        raise NotImplementedError

    def model(self) -> Model:
        """The agent that it has become so far."""
        raise NotImplementedError

    def summary(self) -> list[str]:
        """Sentences for people about how well it learned (accuracies), printed at the end and kept on the card."""
        return []

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays that it needs, besides its games, to go on: those `load` gives back to `set_arrays`."""
        raise NotImplementedError

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` gave; KeyError or ValueError if they do not fit."""
        raise NotImplementedError

    def save(self, folder: Path) -> None:
        """Write all that it needs to go on into a folder."""
        tensor_file.write(folder / "learner.safetensors", self.arrays(), {"done": str(self.done)})

    def load(self, folder: Path) -> None:
        """Go on from what `save` wrote; BadRecord if that does not fit."""
        arrays, notes = tensor_file.read(folder / "learner.safetensors")
        try:
            self.done = int(notes["done"])
            self.set_arrays(arrays)
        except (LookupError, ValueError, TypeError, OverflowError):
            raise BadRecord(f"{folder} does not belong to this run, or is damaged: begin a new run") from None

    @property
    def opponents(self) -> list[str]:
        """The specs of its opponents in training; none where it plays against nobody."""
        return split_specs(getattr(self.settings, "opponent", ""))

    def exam_opponents(self) -> list[str]:
        """The specs of the opponents of its exams: those it was told, else those of training but past selves."""
        named = split_specs(self.settings.exam)
        known = [spec for spec in self.opponents if spec != "past"]
        return named or known or [self.game.roster.opponent]


def learner_names(game: Game) -> list[str]:
    """The names of the learners that can be loaded and can learn a game with its options."""
    return [name for name in {**LEARNERS, **game.roster.learners} if _is_able(game, name)]


def _is_able(game: Game, name: str) -> bool:
    """Whether the learner of a known name can be loaded, and can learn a game with its options."""
    try:
        return not _found_class(game, name).refuses(game)
    except BrokenGame:
        return False


def learner_class(game: Game, name: str) -> type[Learner]:
    """The class of a learner by its name; UnknownName if there is none, BadOption if it cannot learn this game."""
    known = {**LEARNERS, **game.roster.learners}
    if name not in known:
        raise UnknownName(f"there is no learner '{name}'{closest(name, known)}; {game.id} knows: {', '.join(known)}")
    cls = _found_class(game, name)
    why = cls.refuses(game)
    if why:
        raise BadOption(f"{name} cannot learn this: {why}")
    return cls


def _found_class(game: Game, name: str) -> type[Learner]:
    """The class that a known name of a learner stands for."""
    path = {**LEARNERS, **game.roster.learners}[name]
    cls: type[Learner] = load(path, f"the learner '{name}' that {game.id} names as {path}")
    return cls


def seats_to_learn(game: Game, name: str) -> tuple[int, ...]:
    """The seats of this name, all for ''; UnknownName if the game has none."""
    return seats_named(game, name) if name else tuple(range(game.rules.seats))


def leaves_of(tree: Any) -> dict[str, np.ndarray]:
    """The arrays of a tree of JAX arrays, by their place in it; whole numbers as uint64, which files can hold."""
    import jax

    arrays = [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(tree)]
    return {
        f"leaf{i}": array.astype(np.uint64) if array.dtype.kind in "iu" and array.dtype != np.uint8 else array
        for i, array in enumerate(arrays)
    }


def tree_with(tree: Any, arrays: dict[str, np.ndarray]) -> Any:
    """A tree like ``tree`` with the arrays that `leaves_of` gave; KeyError or ValueError if they do not fit."""
    import jax
    from jax import numpy as jnp

    leaves, shape = jax.tree_util.tree_flatten(tree)
    found = []
    for i, leaf in enumerate(leaves):
        array, like = arrays[f"leaf{i}"], np.asarray(leaf)
        if array.shape != like.shape or (array.dtype.kind == "f") != (like.dtype.kind == "f"):
            raise ValueError(f"leaf{i} is {array.dtype}{array.shape}")
        found.append(jnp.asarray(array.astype(like.dtype)))
    return jax.tree_util.tree_unflatten(shape, found)


def must_have(learner: str, libraries: tuple[str, ...]) -> None:
    """Raise MissingExtra, with the line that installs it, unless these libraries can be imported."""
    import importlib.util

    for name in libraries:
        if importlib.util.find_spec({"scikit-learn": "sklearn"}.get(name, name)) is None:
            raise MissingExtra(f"training {learner} needs {name}: pip install 'ludens[train]'")


def hidden_sizes(text: str) -> list[int]:
    """The sizes of hidden layers written as '256-256'; '' is none. BadOption if it is something else."""
    try:
        sizes = [int(part) for part in text.split("-") if part]
    except ValueError:
        sizes = [0]
    if not all(0 < size <= 4096 for size in sizes) or len(sizes) > 16:
        raise BadOption(f"hidden={text[:40]} is not possible: write the sizes of the layers as in 256-256")
    return sizes
