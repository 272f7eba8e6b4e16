"""What an agent can learn from its dice: nothing about others, and nothing by trying out small seeds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.soak import Figures, amount, soak

from ludens.arena.archive import run_result
from ludens.arena.request import Request, ask
from ludens.arena.schedule import ScheduledGame, make_schedule
from ludens.arena.store import Store
from ludens.arena.tournament import arena
from ludens.core.error import BadOption
from ludens.core.registry import make_game
from ludens.core.rng import decision_dice

DICE = make_game("liars-dice", dice=1)
KEY = "00112233445566778899aabbccddeeff"


@pytest.fixture
def agent(tmp_path: Path) -> str:
    """The spec of an agent from a file."""
    file = tmp_path / "mine.py"
    file.write_text("def act(view):\n    return view.legal[0]\n", encoding="utf-8")
    return f"{file}:act"


def fixture(request: Request, deal: int) -> ScheduledGame:
    """The first game of a deal."""
    return next(make_schedule(DICE, request).fixtures(0, 0, deal, 1))


def seed_found(scheduled: ScheduledGame, seeds: int) -> int | None:
    """The run's seed, found by an agent that knows how ludens deals and tries seeds from 0 on; None if it is not found.

    The agent compares the dice of its first decision with those it would have got.
    """
    mine = int(decision_dice(np.array([scheduled.dice_key], np.uint64), 0, 0, 0))
    for seed in range(seeds):
        guess = fixture(Request(seed=seed, specs=("random", "random"), games=20), scheduled.deal)
        if int(decision_dice(np.array([guess.dice_key], np.uint64), 0, 0, 0)) == mine:
            return seed
    return None


@soak
def test_trying_out_seeds_finds_nothing_once_a_key_is_drawn(agent: str, figures: Figures) -> None:
    seeds = amount(300, 1_000_000)
    named = ask(DICE, ["random", "random"], {"seed": 217, "games": 20})
    assert named.key is None
    assert seed_found(fixture(named, 3), seeds) == 217  # so the search works
    drawn = ask(DICE, [agent, "random"], {"seed": 217, "games": 20})
    assert seed_found(fixture(drawn, 3), seeds) is None
    figures(seeds=seeds, found=0)


def test_a_key_is_drawn_only_for_agents_from_files_and_changes_every_deal(agent: str) -> None:
    bound = ask(make_game("pursuit"), [f"phantom={agent}", "detectives=nearest"], {"seed": 1})
    pooled = ask(make_game("azul"), ["random"], {"seed": 1, "pool": ["naive", agent], "size": 2})
    one, other = (ask(DICE, [agent, "random"], {"seed": 1}) for _ in range(2))
    assert len({bound.key, pooled.key, one.key, other.key}) == 4
    assert fixture(one, 0).seed != fixture(other, 0).seed
    assert fixture(one, 0).dice_key != fixture(other, 0).dice_key


def test_a_given_key_plays_the_same_games_again(agent: str, tmp_path: Path) -> None:
    specs, path = [agent, "random"], tmp_path / "s.db"
    first = arena(DICE, specs, games=8, seed=1, store=path)
    again = arena(DICE, specs, games=8, seed=1, key=first.key, store=path)
    other = arena(DICE, specs, games=8, seed=1, store=path)
    seeds = [[row.seed for row in Store(path).games(result.run)] for result in (first, again, other)]
    assert first.key is not None
    assert seeds[0] == seeds[1]
    assert set(seeds[0]).isdisjoint(seeds[2])
    assert run_result(Store(path), first.run).key == first.key
    assert Store(path).record(first.run, 3).replay().over


@pytest.mark.parametrize("key", ["", "7", KEY.upper(), KEY + "0", "x" * 32])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    with pytest.raises(BadOption, match=r"32 hex digits"):
        arena(DICE, ["random", "random"], games=2, key=key, store=False)


def test_a_run_with_other_dice_is_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    run = arena(DICE, ["random", "random"], games=4, seed=1, store=path).run
    store = Store(path)
    (versions,) = store.select("SELECT versions FROM runs")[0]
    store._write("UPDATE runs SET versions=?", [[versions.replace('"dice":2', '"dice":1')]])
    with pytest.raises(BadOption, match=r"begun with ludens .*dice 1; now rules .*finish it with that release"):
        arena(resume=run, store=path)
