"""Scripted players for any deck, and decks that are improved for a player."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command import caller

from ludens.core.error import LudensError
from ludens.core.registry import make_agent, make_game
from ludens.games.hearthstone.card import all_cards, is_fit
from ludens.games.hearthstone.deck import look_up
from ludens.games.hearthstone.deck_file import deck_text, read_deck
from ludens.games.hearthstone.deck_race import Race, exam, rounds, swapped, told_swap, wins

GAME = make_game("hearthstone")


def race(agent: str, *rivals: str, games: int = 8) -> Race:
    return Race(GAME, make_agent(agent, GAME), [make_agent(rival, GAME) for rival in rivals], games, 3)


@pytest.mark.parametrize("style", ["face", "control"])
def test_scripted_players_play_any_deck_well(style: str) -> None:
    for deck in ("secret", "liege"):
        won = wins(race(f"scripted:style={style}", f"random-action:deck={deck}"), look_up(deck), list(range(30)))
        assert won.shape == (1, 60)
        assert won.mean() > 0.7


def test_a_deal_is_the_same_for_both_seats_and_again() -> None:
    one = race("scripted", "face-hunter")
    assert np.array_equal(wins(one, look_up("face"), [5, 6]), wins(one, look_up("face"), [5, 6]))


def test_swaps_are_legal_decks() -> None:
    generator, deck, known = np.random.default_rng(1), look_up("secret"), all_cards()
    for _ in range(60):
        before, deck = deck, swapped(deck, generator)
        assert 1 <= sum((Counter(deck.cards) - Counter(before.cards)).values()) <= 2 or deck.cards == before.cards
        assert all(is_fit(known[card], "paladin") for card in deck.cards)
        assert max(Counter(deck.cards).values()) <= 2
        names = [known[card].name for card in deck.cards]
        assert read_deck("\n".join(names), "paladin_x").cards == deck.cards


def test_a_swap_in_words() -> None:
    face = look_up("face")
    cards = sorted([all_cards()[card].name for card in face.cards])
    cards.remove("Bear Trap")
    other = read_deck("\n".join([*cards, "Bluegill Warrior"]), "hunter_x")
    assert told_swap(face, other) == "Bear Trap -> Bluegill Warrior"


def test_rounds_keep_what_is_better() -> None:
    heats: list[str] = []
    first = look_up("face")
    found = list(rounds(race("scripted", "random-action:deck=liege"), first, 2, lambda *told: heats.append(told[2])))
    assert len(found) == 2
    assert len(heats) == 6
    for one, before in zip(found, (first, found[0].deck), strict=True):
        assert bool(one.swap) == (one.deck.cards != before.cards)


def test_an_exam_has_errors() -> None:
    (rate, error), (other, _) = exam(race("scripted", "random", "face-hunter"), look_up("face"), 40)
    assert rate > 0.8 > other
    assert 0 <= error < 0.2


def test_the_chooser_plays_what_was_chosen(tmp_path: Path) -> None:
    agent: Any = make_agent("chooser", GAME)
    assert agent.start_fields()["lists"] == agent.deck.cards
    assert wins(race("chooser", "random-action:deck=liege"), agent.deck, list(range(10))).mean() > 0.7
    deck = {"deck": "face", "cards": deck_text(look_up("face"))}
    wrong = [{"agent": "chooser", **deck}, {"agent": 3}, {"agent": "scripted", "deck": "face", "cards": "2 Doomsayer"}]
    for best in wrong:
        (tmp_path / "mine.json").write_text(json.dumps({"best": best}))
        with pytest.raises(LudensError, match=r"is no choice|no scripted agent|deck face"):
            make_agent(f"chooser:choice={tmp_path / 'mine.json'}", GAME)


def test_the_command_improves_and_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    run: Any = caller(monkeypatch, capsys, "hearthstone")
    done = run(
        *("improve-deck", "--for", "scripted", "--against", "random-action:deck=liege", "--start", "liege"),
        *("--rounds", 1, "--games", 4, "--final", 8),
    )
    assert done.code == 0
    assert "mage_improved.txt" in done.out or "No deck was better than liege" in done.out
    assert "liege: " in done.out
    words = ("--for", "scripted,scripted:style=control", "--decks", "face,liege", "--games", 8, "--out", "mine.json")
    chosen = run("best-deck", *words)
    assert chosen.code == 0
    assert "best: scripted" in chosen.out
    agent: Any = make_agent("chooser:choice=mine.json", GAME)
    assert f"best: {agent.player.spec} with {agent.deck.id}" in chosen.out
    assert run("improve-deck", "--for", "scripted", "--against", "").code == 2
