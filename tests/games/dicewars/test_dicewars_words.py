"""Dicewars in words: every event, every refusal and every option in three languages, and the map for the terminal."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from tests.games.dicewars.dicewars_position import LINE, battle, dicewars, position

from ludens.core.error import IllegalAction
from ludens.core.event import EVERYONE, Event
from ludens.core.language import LANGUAGES, Catalogue
from ludens.core.state import State
from ludens.games.dicewars import record
from ludens.games.dicewars.game import Dicewars, DicewarsOptions
from ludens.games.dicewars.sentences import largest_region, per_cent, standing

assert Dicewars.Face.catalogue is not None
TEXTS: Catalogue = Dicewars.Face.catalogue
SILENT = {record.MAPPED, record.LAID, record.ADDED}  # the map shows these
languages = pytest.mark.parametrize("language", LANGUAGES)


@languages
def test_every_event_has_words(language: str) -> None:
    game = dicewars().in_language(language)
    spoken = [kind for kind in record.EVENTS if kind not in SILENT]
    told = [game.face.event_text(Event(kind, EVERYONE, 1, 2, 3)) for kind in spoken]
    assert all(told)
    assert len(set(told)) == len(told)
    assert not any("{" in words for words in told)
    assert not any(game.face.event_text(Event(kind, EVERYONE, 1, 2, 3)) for kind in SILENT)


def test_a_battle_is_told_with_its_dice() -> None:
    state = position(LINE, [0, 0, 0, 1, 1, 1], [1, 1, 3, 2, 1, 1])
    after = battle(state, "attack 3 4", is_won=True)
    told = [state.game.face.event_text(event) for event in after.history[-1]]
    rolled = [[int(face) for face in after.raw.rolled[side] if face] for side in (0, 1)]
    sums = [f"{' + '.join(map(str, faces))} = {sum(faces)}" for faces in rolled]
    assert told[0] == f"Area 3 attacks area 4: {sums[0]} against {sums[1]}"
    assert told[1] == "Player 1 takes area 4 from player 2 and has 2 dice there"


def test_an_empty_reserve_is_not_told() -> None:
    assert dicewars().face.event_text(Event(record.SAVED, EVERYONE, 1, 0, 0)) == ""


@languages
def test_options_choices_and_agents_have_texts(language: str) -> None:
    wanted = [f"agent.{name}" for name in (*Dicewars.roster.agents, "thesis", "conqueror", "wpm-d", "wpm-s", "wpm-c")]
    for field in dataclasses.fields(DicewarsOptions):
        wanted.append(f"option.{field.name}")
        wanted += [f"choice.{field.name}.{choice}" for choice in field.metadata["choices"] or ()]
    assert not [key for key in wanted if key not in TEXTS.keys(language)]


# Rules


@languages
@pytest.mark.parametrize("rules", ["sui2021", "sui2020", "classic"])
def test_the_rules_tell_what_is_played(language: str, rules: str) -> None:
    told = dicewars(rules=rules).in_language(language).face.rules_text()
    assert len(told) >= 10
    assert not any("{" in part or "  " in part for part in told)


def test_the_rules_follow_the_options() -> None:
    told = " ".join(dicewars(max_transfers=3, reserves="public", fair=True, battle_wear=2).face.rules_text())
    assert "move dice 3 times" in told
    assert "for every 2 dice that attacked" in told
    assert "Everybody sees the reserves" in told
    assert "dealt evenly" in told
    assert "cannot be moved between areas" in " ".join(dicewars(rules="classic").face.rules_text())


# What is asked, refused, over


def middle() -> State:
    """Seat 0 has areas 1 to 3, seat 1 the rest of a line; area 1 has one die."""
    return position(LINE, [0, 0, 0, 1, 1, 1], [1, 2, 3, 2, 1, 8], max_transfers=1)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("attack 4 3", "area 4 is not yours"),
        ("move 6 5", "area 6 is not yours"),
        ("attack 1 4", "areas 1 and 4 are not neighbours"),
        ("attack 2 2", "areas 2 and 2 are not neighbours"),
        ("attack 2 3", "area 3 is yours as well; to send dice there say 'move 2 3'"),
        ("move 3 4", "area 4 is not yours; to attack it say 'attack 3 4'"),
    ],
)
def test_a_refusal_names_the_rule(move: str, words: str) -> None:
    with pytest.raises(IllegalAction, match=re.escape(words)):
        middle().play(move)


def test_a_refusal_names_the_dice_that_lack_and_the_transfers_made() -> None:
    state = position(LINE, [0, 0, 0, 1, 1, 1], [1, 2, 1, 2, 1, 8], max_transfers=1)
    with pytest.raises(IllegalAction, match="area 3 needs at least 2 dice"):
        state.play("attack 3 4")
    state.play("move 2 3")
    with pytest.raises(IllegalAction, match="there is only 1 transfer"):
        state.play("move 3 2")
    with pytest.raises(IllegalAction, match="these rules have no transfers"):
        position(LINE, [0, 0, 0, 1, 1, 1], [1, 2, 1, 2, 1, 8], max_transfers=0).play("move 2 3")


@languages
def test_every_illegal_action_is_explained(language: str) -> None:
    state = dicewars(areas=9, players=3).start(seed=2)
    game, legal = state.game.in_language(language), set(state.legal)
    assert all(game.face.why_illegal(state, action) for action in range(game.rules.actions) if action not in legal)


def test_what_is_asked_follows_what_is_possible() -> None:
    state = position(LINE, [0, 0, 0, 1, 1, 1], [1, 2, 1, 2, 1, 8], max_transfers=1)
    assert state.game.face.asks(state.view()).startswith("There is nothing to attack")
    state.array["dice"][0, :3] = 1
    state.play("move 2 3")
    assert state.game.face.asks(state.view()) == "There is nothing left to do: end the turn."
    assert middle().game.face.asks(middle().view()) == "Pick one of your areas and what it does, or end the turn."


def test_why_it_is_over() -> None:
    state = dicewars(players=2, areas=2, max_pass_rounds=2).start(seed=1)
    assert state.game.face.why_over(state.view()) == ""
    for _ in range(4):
        state.play("end")
    assert state.game.face.why_over(state.view()) == "Nobody has attacked or moved dice for 2 rounds."
    won = battle(position("1-2", [0, 1], [8, 1]), "attack 1 2", is_won=True)
    assert won.game.face.why_over(won.view()) == "Player 1 owns all areas."


@pytest.mark.parametrize(
    ("options", "words"), [({"max_battles": 1}, "After 1 battle"), ({"max_turns": 1}, "After 1 turn")]
)
def test_why_nobody_won(options: dict[str, int], words: str) -> None:
    state = position("1-2 2-3", [0, 1, 1], [2, 8, 8], **options)
    after = battle(state, "attack 1 2", is_won=False) if "max_battles" in options else state.play("end")
    assert after.over
    assert after.game.face.why_over(after.view()).startswith(words)


# Numbers


@pytest.mark.parametrize(
    ("chance", "words"),
    [(0.0, "0 %"), (1e-9, "<1 %"), (0.004, "<1 %"), (0.742831, "74 %"), (0.996, ">99 %"), (1.0, "100 %")],
)
def test_odds_are_never_called_sure_when_they_are_not(chance: float, words: str) -> None:
    assert per_cent(chance) == words


def test_standing_agrees_with_the_rules() -> None:
    state, dice = dicewars(players=5).start(seed=8), np.random.default_rng(8)
    for _ in range(60):
        for seat in range(5):
            mask = int(state.raw.lands[seat])
            best = int(record.largest_region(state.raw, mask))
            assert largest_region(state.raw, seat) == {area for area in range(34) if best >> area & 1}
            assert standing(state.raw, seat)[:2] == (mask.bit_count(), int(state.raw.dice[:34][_owned(mask)].sum()))
        state.play(int(dice.choice(state.legal)))


def _owned(mask: int) -> list[int]:
    return [area for area in range(34) if mask >> area & 1]


# The text picture


@languages
@pytest.mark.parametrize("options", [{}, {"players": 8, "areas": 40, "reserves": "public"}, {"players": 2, "areas": 2}])
def test_the_text_fits_the_terminal_and_names_every_area(language: str, options: dict[str, int]) -> None:
    for seed in range(3):
        state = dicewars(**options).start(seed=seed)
        told = state.game.in_language(language).face.text(state.view())
        assert max(map(len, told.splitlines())) <= 100
        for area in range(state.game.rules.areas):  # type: ignore[attr-defined]
            label = f"{area + 1}:{'ABCDEFGH'[int(state.raw.owner[area])]}{state.raw.dice[area]}"
            assert len(re.findall(rf"(?<!\d){label}", told)) == 1


def test_the_text_tells_moves_with_their_odds() -> None:
    state = dicewars().start(seed=5)
    told = state.game.face.text(state.view())
    attack = next(action for action in state.legal if action)
    _, source, target = state.game.rules.pair_of(attack)  # type: ignore[attr-defined]
    odds = per_cent(float(state.game.rules.constants.c["odds"][0, state.raw.dice[source], state.raw.dice[target]]))
    assert f"  attack {source + 1} {target + 1} ({odds})" in told
    assert "Moves:" not in state.game.face.text(state.view(1))
