"""Positions made by hand: what can be set up, what is refused, as data, and from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.command import Ran, caller
from tests.games.hearthstone.hearthstone_duel import Duel, hearthstone, side

import ludens
from ludens.core.error import BadOption, BadRecord
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.position import Held, Minion, Secret, Side, Weapon, arrange, as_data, read_position

YETI = "Chillwind Yeti"
RICH = Side(
    hero="paladin",
    health=12,
    armor=3,
    crystals=7,
    mana=5,
    hand=["The Coin", Held("Tirion Fordring", discount=2)],
    board=[
        Minion("Knife Juggler", health=1, keywords=["taunt"], ready=False, since=5),
        Minion("Shielded Minibot", attack=6, health=5, max_health=6, bonus=2, lost=["divine shield"], attacks=1),
        Minion("Leokk", keywords=["silenced"]),
    ],
    weapon=Weapon("Truesilver Champion", durability=1, since=-3),
    secrets=["Avenge", Secret("Redemption", since=-9)],
    deck=[YETI, "Fireball"],
    fatigue=2,
    keywords=["frozen"],
    power_used=True,
    tax=5,
)


def test_everything_named_is_there() -> None:
    duel = Duel(RICH, side(), turn=0)
    s = duel.state.raw
    assert duel.board() == [("Knife Juggler", 3, 1), ("Shielded Minibot", 8, 5), ("Leokk", 2, 4)]
    assert duel.has(0, 1, k.TAUNT)
    assert duel.has(0, 1, k.SICK)
    assert not duel.has(0, 2, k.SHIELD)
    assert (duel.health(), duel.armor(), duel.mana(), duel.crystals()) == (12, 3, 5, 7)
    assert duel.weapon() == ("Truesilver Champion", 4, 1)
    assert duel.deck() == [YETI, "Fireball"]
    assert duel.moves("attack") == ["attack 3 e0"]
    assert not duel.can("power")
    assert duel.secrets() == ["Redemption", "Avenge"]
    stamps = [int(s.side[0].secret_play_order[0]), int(s.side[0].weapon_play_order), int(duel.bodies()[1].play_order)]
    assert stamps == sorted(stamps)
    assert (
        max(int(body.play_order) for body in duel.bodies())
        == int(duel.bodies()[0].play_order)
        == int(s.next_play_order) - 1
    )


def test_the_laws_hold() -> None:
    for decklists in ("known", "hidden"):
        state = arrange(hearthstone(decklists=decklists), [RICH, side(hand=["Kill Command"] * 10, deck=[YETI] * 20)])
        laws = state.game.rules.laws(state.array)
        assert all(value is True for name, value in laws.items() if not name.startswith("list"))
        for seat in range(2):
            assert int(state.view(seat).raw.side[1 - seat].hand_size) == int(state.raw.side[1 - seat].hand_size)


def test_data_gives_the_position_again() -> None:
    state = Duel(RICH, side(hand=[YETI]), turn=1, seed=9).state
    data = json.loads(json.dumps(as_data(state)))
    again = read_position(state.game, data, seed=9)
    assert again.array.tobytes() == state.array.tobytes()


def test_moves_are_taken_back_to_the_position() -> None:
    state = Duel(side(board=[YETI])).state
    before = state.checksum
    twin = state.copy()
    state.play("attack 1 e0").play("power")
    state.undo()
    assert int(state.raw.body[1].health) == 26
    state.undo()
    assert state.checksum == before == twin.checksum
    with pytest.raises(BadRecord, match="no record"):
        _ = state.record


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"hero": "wizard"}, "no hero"),
        ({"hand": ["Fire Ball"]}, "did you mean 'fireball'"),
        ({"hand": [YETI] * 11}, "room for 10"),
        ({"board": [YETI] * 8}, "room for 7"),
        ({"board": ["Fireball"]}, "it is a spell"),
        ({"board": [Minion(YETI, health=0)]}, "health"),
        ({"board": [Minion(YETI, keywords=["flying"])]}, "means nothing"),
        ({"weapon": YETI}, "it is a minion"),
        ({"secrets": ["Avenge", "Avenge"]}, "twice"),
        ({"secrets": ["Fireball"]}, "it is a spell"),
        ({"deck": ["The Coin"]}, "cannot be in a deck"),
        ({"hand": ["Crazed Alchemist"]}, "swaps attack and health"),
        ({"hand": [YETI] * 2, "deck": [YETI] * 29}, "31 cards"),
        ({"crystals": 11}, "crystals"),
        ({"health": 31}, "health"),
        ({"keywords": ["taunt"]}, "means nothing"),
        ({"keywords": [None]}, "means nothing"),
        ({"keywords": "frozen"}, "write a list"),
        ({"hand": "Fireball"}, "write a list"),
        ({"deck": 3}, "write a list"),
        ({"hero": None}, "there is no hero"),
        ({"power_used": "no"}, "whole number"),
        ({"board": [Minion(YETI, ready="no")]}, "true or false"),  # type: ignore[arg-type]
        ({"board": [Minion(YETI, health="3")]}, "whole number"),  # type: ignore[arg-type]
        ({"secrets": [Secret("Avenge", since="x")]}, "whole number"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption, match=words) as refused:
        arrange(hearthstone(), [side(**given), side()])
    assert "\n" not in str(refused.value)


def test_a_power_that_was_used_twice_stays_used() -> None:
    state = arrange(hearthstone(), [side(hero="mage", board=["Garrison Commander"]), side()])
    state.play("power e0")
    state.play("power e0")
    assert read_position(hearthstone(), as_data(state)).moves() == state.moves()


def test_what_is_no_position_is_refused() -> None:
    game = hearthstone()
    with pytest.raises(BadOption, match="two sides"):
        arrange(game, [side()])
    with pytest.raises(BadOption, match="cannot be set up in azul"):
        arrange(ludens.game("azul"), [side(), side()])
    for data, words in (
        ({}, "needs 'sides'"),
        ({"sides": [{"heros": "mage"}, {}]}, "did you mean 'hero'"),
        ({"sides": [{"board": [{"health": 3}]}, {}]}, "needs a name"),
        ({"sides": [3, {}]}, "is no side"),
        ({"sides": [{"hand": [None]}, {}]}, "is no card in hand"),
        ({"sides": [{"board": 3}, {}]}, "write a list"),
    ):
        with pytest.raises(BadOption, match=words):
            read_position(game, data)


# From the command line


@pytest.fixture
def scenario(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Ran]:
    def run(data: Any, *words: str) -> Ran:
        file = tmp_path / "scene.json"
        file.write_text(data if isinstance(data, str) else json.dumps(data))
        return caller(monkeypatch, capsys, "hearthstone", "scenario")(file, *words)

    return run


SCENE = {
    "sides": [
        {"hero": "hunter", "hand": ["Kill Command"], "board": ["Leokk", YETI], "deck": [YETI]},
        {"hero": "mage", "health": 5, "secrets": ["Ice Block"], "board": ["Loot Hoarder"], "deck": ["Fireball"] * 3},
    ],
    "moves": ["play kill command on e0", "attack 2 e1", "end"],
}


def test_a_scenario_is_played_and_told(scenario: Callable[..., Ran]) -> None:
    ran = scenario(SCENE)
    assert ran.code == 0
    assert "> attack 2 e1" in ran.out
    assert "Ice Block" in ran.out
    assert f"board: Leokk 2/4, {YETI} 5/3" in ran.out
    assert "hand: Fireball, Fireball" in ran.out
    end = json.loads(scenario(SCENE, "--json", "--seed", "5").out)
    assert end["boards"] == [["Leokk 2/4", f"{YETI} 5/3"], []]
    assert (end["turn"], end["over"], end["sides"][1]["health"]) == (1, False, 5)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("{", "is not whole JSON"),
        ("[" * 100_000, "no scenario: it has more than 64 kB"),
        ("[" * 60_000, "too many brackets are open"),
        ([], "no scenario"),
        ({"sids": []}, "has no 'sids'"),
        ({**SCENE, "moves": ["play Fireball on e0"]}, "not in the hand"),
        ({**SCENE, "moves": ["attack 9 e0"]}, "attack 9 e0"),
        ({**SCENE, "moves": "end"}, "are a list"),
        ({**SCENE, "options": {"deck1": "nothing"}}, "no deck"),
        ({**SCENE, "options": 3}, "are an object"),
    ],
)
def test_a_bad_scenario_is_told_in_a_sentence(scenario: Callable[..., Ran], data: Any, words: str) -> None:
    ran = scenario(data)
    assert ran.code != 0
    assert words in ran.err


def test_files_with_the_names_of_ludens_0_1_are_still_read() -> None:
    new = {"hero": "mage", "hand": [{"name": "Fireball", "discount": 1}], "keywords": ["frozen"]}
    old = {"hero": "mage", "hand": [{"name": "Fireball", "cheaper": 1}], "words": ["frozen"]}
    new["board"] = [{"name": YETI, "max_health": 9, "health": 7, "keywords": ["taunt"]}]
    old["board"] = [{"name": YETI, "most": 9, "health": 7, "words": ["taunt"]}]
    found = [read_position(hearthstone(), {"sides": [side, {"hero": "hunter"}]}) for side in (old, new)]
    assert found[0].array == found[1].array
