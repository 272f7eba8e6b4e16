"""Agent folders: what `ludens train` writes and what plays everywhere under the folder's path.

A folder holds ``model.safetensors`` (arrays) and ``card.json``: the kind of model, the game with its options, the
features and their hash, how it was trained, and how it did in its exam. A folder may come from anybody: everything in
it is checked before it is used, and one that does not fit the game is refused in a sentence.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludens.core import tensor_file
from ludens.core.error import BadOption, BadRecord, LudensError
from ludens.core.file import json_of, shortened, text_of, write_json
from ludens.core.registry import CARD, load
from ludens.learn.features import DEFAULT, Features, features_hash, features_of

if TYPE_CHECKING:
    from ludens.core.agent import Agent
    from ludens.core.game import Game
    from ludens.learn.agent import FolderAgent

FORMAT = "ludens agent 1"
ARRAYS = "model.safetensors"
KINDS = {  # of models that know no game; games name further ones in their roster
    "net": "ludens.learn.agent:NetAgent",
    "table": "ludens.learn.tabular:TableAgent",
    "value": "ludens.learn.value:ValueAgent",
}
_MOST_CARD, _MOST_ARRAYS = 1 << 20, 1 << 28  # bytes


@dataclasses.dataclass(frozen=True)
class Model:
    """What an agent folder holds: the arrays and the card that says what they are."""

    arrays: Mapping[str, np.ndarray]
    card: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The kind of model: 'net', 'table', or one of the game's own."""
        return str(self.card["kind"])


def new_card(game: Game, kind: str, features: Features | None = None, **more: Any) -> dict[str, Any]:
    """The card of a model of this game: what is needed to use it, and ``more`` about it.

    ``features``: the set of features that it reads, None if its kind reads views in its own way.
    """
    read = {"features": features.name, "hash": features_hash(game, features)} if features else {}
    about = {"format": FORMAT, "kind": kind, "game": game.id, "rules": game.rules.version}
    return {**about, "options": game.rules.option_values(), "actions": game.rules.actions, **read, **more}


def write(folder: Path, model: Model) -> None:
    """Write a model into a folder, which is made if needed; each file completely or not at all."""
    tensor_file.write(folder / ARRAYS, model.arrays, {"format": FORMAT})
    write_json(folder / CARD, dict(model.card))


class Wanted(NamedTuple):
    """What an agent's parameter that names an agent folder takes."""

    game: str  # its id
    kind: str  # of model
    learner: str  # that makes such folders
    home: Path  # of the folders shipped with the game
    also: tuple[str, ...] = ()  # further kinds that will do


def folder_of(place: str, wanted: Wanted) -> Path:
    """The agent folder in ``place``: the short name of a shipped one, or a path; BadOption if it is not as wanted."""
    how = f"make one with `ludens train {wanted.game} {wanted.learner}`"
    folder = wanted.home / place if place.replace("-", "").isalnum() else Path(place)
    try:
        if not (folder / CARD).is_file():
            folder = Path(place).expanduser()
        is_there = (folder / CARD).is_file()
    except (OSError, RuntimeError, ValueError):  # too long, an unknown home folder, or no path at all
        is_there = False
    if not is_there:
        raise BadOption(f"there is no {wanted.learner} {shortened(place, 200)}: {how}")
    card = read_card(folder)
    if card["game"] != wanted.game or card["kind"] not in (wanted.kind, *wanted.also):
        raise BadOption(f"{shortened(place)} holds no {wanted.learner} of {wanted.game}: {how}")
    return folder


def read_card(folder: Path) -> dict[str, Any]:
    """The card of an agent folder; BadOption if it has none or it is broken."""
    card = json_of(text_of(folder / CARD, _MOST_CARD, "card"), f"the card of {shortened(folder)}")
    texts = ("kind", "game", "features", "hash", "activation", "outputs", "command")
    if not isinstance(card, dict) or card.get("format") != FORMAT or "kind" not in card or "game" not in card:
        raise BadOption(f"{shortened(folder)} holds no trained agent: its card.json is not one of {FORMAT!r}")
    if any(not isinstance(card.get(name, ""), str) for name in texts):
        raise BadOption(f"the card of {shortened(folder)} is broken: train the agent again")
    return card


def read(folder: Path) -> Model:
    """The model of an agent folder; BadOption or BadRecord, in a sentence, if it is not whole."""
    card = read_card(folder)
    arrays, notes = tensor_file.read(folder / ARRAYS, _MOST_ARRAYS)
    if notes.get("format") != FORMAT:
        raise BadRecord(f"{shortened(folder / ARRAYS)} is no model: name a folder that `ludens train` wrote")
    return Model(arrays, card)


def why_not(card: Mapping[str, Any], game: Game) -> str:
    """Why a model with this card cannot play this game, as text; '' if it can."""
    if card["game"] != game.id:
        return f"it was trained for {shortened(card['game'])}"
    if card.get("rules") != game.rules.version:
        return (
            f"it was trained with version {shortened(card.get('rules'))} of the rules, these are {game.rules.version}"
        )
    if "hash" not in card:
        return ""
    try:
        features = features_of(game, card.get("features", DEFAULT))
    except LudensError as why:
        return str(why)
    if card["hash"] != features_hash(game, features):
        return f"it was trained with other options or features ({_options_text(card)})"
    return ""


def _options_text(card: Mapping[str, Any]) -> str:
    """The options that a card was trained with, as text."""
    options = card.get("options")
    return ", ".join(f"{n}={shortened(v, 20)}" for n, v in options.items()) if isinstance(options, dict) else "unknown"


def agent_class_of(folder: Path, name: str, game: Game) -> type[Agent]:
    """The class of the agent in a folder, which in agent specs has the name ``name``: its path or short name."""
    card = read_card(folder)
    path = {**KINDS, **game.roster.kinds}.get(str(card["kind"]))
    if path is None:
        kind = shortened(str(card["kind"]))
        raise BadOption(f"the agent in {shortened(name)} is of a kind that {game.id} does not know: '{kind}'")
    cls: type[FolderAgent] = load(path, f"the agent of {name}")
    its: Any = cls.of_card(card)
    return _class_for(its, folder, name, _sentence(card))


@functools.cache
def _class_for(cls: type[FolderAgent], folder: Path, name: str, sentence: str) -> type[Agent]:
    """A subclass of an agent class that is bound to a folder and a name; ``sentence`` is said of it to people."""
    found: type[Agent] = type(cls.__name__, (cls,), {"folder": folder, "name": name, "__doc__": sentence})
    return found


def _sentence(card: Mapping[str, Any]) -> str:
    """What a card says of its agent, for people: who trained it, and its first marks of the exam at the end."""
    learner, steps = card.get("learner"), card.get("steps")
    trained = f"Trained by {shortened(learner, 20)}" if learner else "A trained agent"
    if isinstance(steps, int):
        trained += f" in {steps:,} {shortened(card.get('unit', 'steps'), 20)}"
    try:
        own = [mark for mark in card["exam"] if not mark.get("use")]  # not of a search that used it
        marks = [f"{100 * mark['rate']:.0f} % of {mark['games']:,} games v {mark['opponent']}" for mark in own]
    except (KeyError, TypeError, ValueError, AttributeError):
        marks = []
    return f"{trained}; it won {shortened('; '.join(marks[:2]), 160)}." if marks else f"{trained}."
