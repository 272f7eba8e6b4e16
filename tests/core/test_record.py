"""A game as data: replays to the same bytes, and a broken record is refused with a reason."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

import pytest

import ludens
from ludens.core import registry
from ludens.core.checksum import checksum
from ludens.core.record import Record
from ludens.core.state import State


@pytest.fixture(scope="module")
def record() -> Record:
    game = ludens.game("azul")
    state = game.start(seed=11)
    bot = ludens.agent("random", game)
    while not state.over:
        state.play(bot.choose(state.view()))
    return state.record


def test_a_record_replays_to_the_same_bytes(record: Record) -> None:
    again = Record.from_json(record.to_json())
    assert again == record
    assert again.replay().record == record


def broken(record: Record, **changes: object) -> str:
    return json.dumps({**json.loads(record.to_json()), **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"actions": [9999]}, "move 1 of the record is not legal"),
        ({"actions": ["F1 red -> L1"]}, "whole numbers"),
        ({"actions": [-1]}, "whole numbers"),
        ({"actions": [True]}, "whole numbers"),
        ({"checksum": "0" * 16}, "it was changed"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"),
        ({"game": "nope"}, "there is no game 'nope'"),
        ({"options": {"players": 9}}, "players"),
        ({"version": 0}, "version 0"),
        ({"start": {"deck": 1}}, "no start field 'deck'"),
        ({"extra": 1}, "unknown field 'extra'"),
        ({"ludens": 3}, "this record has format 3, and this ludens reads 1 to 2: update ludens"),
        ({"ludens": "1"}, "not a ludens record"),
        ({"checksum": "2:" + "0" * 16}, "covers fields that this release has not: update ludens"),
    ],
)
def test_a_broken_record_is_refused(record: Record, changes: dict[str, object], words: str) -> None:
    with pytest.raises(ludens.LudensError, match=words):
        Record.from_json(broken(record, **changes)).replay()


def test_a_record_cut_short(record: Record) -> None:
    text = record.to_json()
    for length in (0, 1, 20, len(text) - 1):
        with pytest.raises(ludens.BadRecord):
            Record.from_json(text[:length])


def test_one_action_less_does_not_agree_with_the_checksum(record: Record) -> None:
    with pytest.raises(ludens.BadRecord, match="ends in state"):
        Record.from_json(broken(record, actions=record.actions[:-1])).replay()


def test_a_missing_field(record: Record) -> None:
    data = json.loads(record.to_json())
    del data["seed"]
    with pytest.raises(ludens.BadRecord, match="no 'seed'"):
        Record.from_json(json.dumps(data))


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes one of the classes of `race` the game of that name."""

    def choose(name: str) -> None:
        monkeypatch.setitem(registry._found("ludens.games"), "race", f"tests.core.race:{name}")

    return choose


def play_race() -> State:
    state = ludens.game("race").start(seed=3)
    for action in (0, 1, 1, 0, 1, 1):
        state.play(action)
    assert state.over
    return state


def old_record(form: int) -> str:
    """A race as the first release of that format wrote it."""
    state = play_race()
    kept = state.record if form == 2 else dataclasses.replace(state.record, checksum=checksum(state.array, layout=0))
    return broken(kept, ludens=form)


@pytest.mark.parametrize("form", [1, 2])
def test_a_game_that_gained_fields_replays_its_old_records(race: Callable[[str], None], form: int) -> None:
    race("OldRace")
    text = old_record(form)
    race("NewRace")
    record = Record.from_json(text)
    state = record.replay()
    assert state.raw.luck == 104
    assert state.raw.runner["tired"].tolist() == [3, 3]
    again = Record.from_json(record.to_json())
    assert again == record
    assert again.replay().checksum == state.checksum == play_race().checksum
    assert state.checksum.startswith("2:")


@pytest.mark.parametrize("form", [1, 2])
def test_a_changed_old_record_is_found_out(race: Callable[[str], None], form: int) -> None:
    race("OldRace")
    record = Record.from_json(old_record(form))
    race("NewRace")
    last = "0" if record.checksum[-1] != "0" else "1"
    for changed in (
        dataclasses.replace(record, actions=[1, 0, *record.actions[2:]][:5]),
        dataclasses.replace(record, actions=record.actions[:-1]),
        dataclasses.replace(record, seed=record.seed + 1),
        dataclasses.replace(record, checksum=record.checksum[:-1] + last),
    ):
        with pytest.raises(ludens.BadRecord, match="ends in state"):
            changed.replay()


def test_a_record_of_a_newer_release_asks_for_it(race: Callable[[str], None]) -> None:
    race("NewRace")
    record = play_race().record
    race("OldRace")
    with pytest.raises(ludens.BadRecord, match="update ludens"):
        record.replay()


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (1, "rules of race version 1, and these are version 3: to replay it, take the release of ludens it was"),
        (2, r"rules of race version 2, and these are version 3: to replay it, pip install 'ludens<0\.3'"),
        (4, "rules of race version 4, and these are version 3: to replay it, update ludens"),
    ],
)
def test_other_rules_say_which_release_has_them(race: Callable[[str], None], version: int, words: str) -> None:
    race("OtherRace")
    record = dataclasses.replace(play_race().record, version=version)
    with pytest.raises(ludens.BadRecord, match=words):
        record.replay()


@pytest.mark.parametrize("name", registry.game_names())
def test_every_game_names_the_releases_of_its_older_rules(name: str) -> None:
    cls = registry.game_class(name)
    assert set(cls.Rules.releases) == set(range(1, cls.Rules.version))
