"""Every file of an agent folder and of a training run, damaged at random: it is read, or refused in one clear line.

``make soak`` tries 10,000 of each kind.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.learn.small import LearnedKuhn, net_folder
from tests.mutation import mutated, mutated_arrays, mutated_header, mutated_json
from tests.soak import Figures, amount, soak
from tests.test_readers import Damage, Kind, is_clear, read_damaged
from tests.testing.toys.pig import Pig

from ludens.core.registry import make_agent, make_game
from ludens.learn import learner
from ludens.learn.ppo import Ppo, PpoSettings
from ludens.train.curve import curve_svg, curve_text
from ludens.train.plan import make_plan, read_plan
from ludens.train.progress import read_progress
from ludens.train.run import Run
from ludens.train.watch import run_text

TEXT, JSON, MODEL = [mutated], [mutated, mutated_json, mutated_json], [mutated, mutated_header, mutated_arrays]
SMALL = PpoSettings(features="cards", hidden="4", lanes=4, groups=1, horizon=4, opponent="random,past", past=1)
Walk = Callable[[Path], Kind]  # a folder that is whole -> the kind of one of its files


def read_agent(folder: Path) -> None:
    """Use an agent folder: play a move, judge a position, show what it says of itself."""
    game = Pig()
    agent = make_agent(str(folder), game)
    agent.choose(game.start(seed=1).view())
    if agent.has_value:
        agent.value(game.start(seed=1).view().array)
    assert is_clear(type(agent).__doc__ or "")


def agent_kind(name: str, damages: Sequence[Damage], folder: Path) -> Kind:
    """A file of an agent folder, which is put into its place before the folder is used."""
    net_folder(folder, Pig(), exam=[{"rate": 0.5, "low": 0.4, "high": 0.6, "games": 9, "opponent": "random"}])
    whole = (folder / name).read_bytes()

    def read(file: Path) -> None:
        (folder / name).write_bytes(file.read_bytes())
        read_agent(folder)
        if name == "card.json":
            read_progress(folder)

    return Kind(lambda _: [whole], damages, read)


def run_kind(name: str, damages: Sequence[Damage], folder: Path) -> Kind:
    """A file of the folder of a training run, which is put into its place before the run is looked at and goes on."""
    game = make_game("liars-dice", dice=1, single_round=True, first="1")
    run = Run.begin(folder, make_plan(game, "toy", {"steps": 30, "exam_games": 2, "final_games": 2}))
    run.go()
    run.finish()
    kept = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}

    def read(file: Path) -> None:
        for other, data in kept.items():
            (folder / other).write_bytes(data)
        (folder / name).write_bytes(file.read_bytes())
        shown = read_progress(folder)
        curve_svg(shown.curves, shown.total, shown.unit)
        curve_text(shown.curves, shown.total, shown.unit)
        run_text(folder)
        if name == "config.toml":
            read_plan(folder)
        Run.resume(folder)

    return Kind(lambda _: [kept[name]], damages, read)


def checkpoint_kind(name: str, damages: Sequence[Damage], folder: Path) -> Kind:
    """A file of a checkpoint of PPO, with what it learned or with the games under way."""
    ppo = Ppo(LearnedKuhn(), SMALL)
    ppo.rollout.play(lambda inputs: inputs[:, :3])
    folder.mkdir()
    ppo.save(folder)
    whole = (folder / name).read_bytes()

    def read(file: Path) -> None:
        (folder / name).write_bytes(file.read_bytes())
        ppo.load(folder)

    return Kind(lambda _: [whole], damages, read)


KINDS: dict[str, Walk] = {
    "card": functools.partial(agent_kind, "card.json", JSON),
    "arrays": functools.partial(agent_kind, "model.safetensors", MODEL),
    "config": functools.partial(run_kind, "config.toml", TEXT),
    "log": functools.partial(run_kind, "log.jsonl", TEXT),
    "checkpoint": functools.partial(run_kind, "checkpoint.json", JSON),
    "learner": functools.partial(checkpoint_kind, "learner.safetensors", MODEL),
    "games under way": functools.partial(checkpoint_kind, "group0.lanes", MODEL),
    "notes of games": functools.partial(checkpoint_kind, "group0.notes", MODEL),
}


@soak
@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_file_is_read_or_refused_in_one_line(
    name: str, tmp_path: Path, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(learner.LEARNERS, "toy", "tests.train.toy:Toy")
    monkeypatch.chdir(tmp_path)
    figures(**read_damaged(KINDS[name](Path("walk")), tmp_path / "file", name, amount(40, 10_000)))
