"""A game as data: replays to the same bytes, and a broken record is refused with a reason."""

from __future__ import annotations

import json

import pytest

import ludens
from ludens.core.record import Record


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
        ({"ludens": 2}, "format"),
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
