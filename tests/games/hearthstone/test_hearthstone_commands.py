"""``ludens hearthstone cards`` and ``ludens hearthstone decks``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.command import Ran, caller

from ludens.games.hearthstone.card import all_cards

Command = Callable[..., Ran]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Ran]:
    monkeypatch.setenv("LUDENS_DECKS", str(tmp_path / "decks"))
    return caller(monkeypatch, capsys, "hearthstone")


def lines(ran: Ran) -> list[str]:
    assert ran.code == 0
    return ran.out.splitlines()


# Cards


def test_every_card_is_listed_once(command: Command) -> None:
    *listed, count = lines(command("cards"))
    ids = [card.id for card in all_cards().values() if not card.id.startswith("HERO_")]
    assert all(sum(f" {id_} " in f"{line} " for line in listed) == 1 for id_ in ids)
    assert count == f"{len(ids)} cards, 123 of them for decks"


def test_a_line_tells_cost_stats_id_and_text(command: Command) -> None:
    (line, _) = lines(command("cards", "--find", "bloodmage"))
    assert " ".join(line.split()) == (
        "neutral 2 Bloodmage Thalnos * 1/1 minion EX1_012 Spell Damage +1. Deathrattle: draw a card."
    )


def test_cards_of_a_class_a_set_a_word_and_a_language(command: Command) -> None:
    assert all(line.startswith("hunter") for line in lines(command("cards", "--class", "hunter"))[:-1])
    assert len(lines(command("cards", "--set", "pool"))) == 88 + 1
    assert len(lines(command("cards", "--set", "powers"))) == 9 + 1
    assert all("token" in line for line in lines(command("cards", "--set", "tokens"))[:-1])
    assert "Zmrazte" in lines(command("cards", "--find", "frost nova", "--language", "cs"))[0]


def test_cards_that_are_not_modelled_are_listed_with_the_reason(command: Command) -> None:
    *listed, count = lines(command("cards", "--unsupported"))
    flawed = [card for card in all_cards().values() if card.unplayable or card.missing]
    assert len(listed) == len(flawed)
    assert all(any(card.id in line and (card.unplayable or card.missing) in line for line in listed) for card in flawed)
    assert count == f"{len(flawed)} cards, 0 of them for decks"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["cards", "--class", "huntr"], "there is no class 'huntr' (did you mean 'hunter'?)"),
        (["cards", "--set", "pools"], "there is no set 'pools' (did you mean 'pool'?)"),
        (["cards", "--language", "xx"], "there is no language 'xx'"),
        (["decks", "fase"], "there is no deck 'fase' (did you mean 'face'?)"),
        (["decks", "hunter_x-12345678"], "is not stored here"),
    ],
)
def test_mistakes_are_answered_in_a_sentence(command: Command, words: list[str], why: str) -> None:
    ran = command(*words)
    assert ran.code == 2
    assert why in ran.err
    assert len(ran.err.splitlines()) == 1


# Decks


def test_all_decks_are_listed(command: Command, tmp_path: Path) -> None:
    names = [line.split()[:2] for line in lines(command("decks"))[1:]]
    assert names == [["face", "hunter"], ["secret", "paladin"], ["malygos", "mage"], ["liege", "mage"]]


def test_a_deck_with_its_curve(command: Command) -> None:
    told = lines(command("decks", "face"))
    assert told[0] == "face (hunter)"
    assert sum(int(line[0]) for line in told if line[1:2] == "x") == 30
    assert "1  ##### 5" in told
    assert "2  ############# 13" in told
    assert "7+ 0" in told


def changed_face(folder: Path) -> Path:
    """A deck file of one's own."""
    from ludens.games.hearthstone.deck import find_deck
    from ludens.games.hearthstone.deck_file import deck_text

    file = folder / "hunter_mine.txt"
    file.write_text(deck_text(find_deck("face")).replace("Leper Gnome", "Chillwind Yeti"), encoding="utf-8")
    return file


def test_a_file_is_shown_and_kept_only_when_asked_to(command: Command, tmp_path: Path) -> None:
    file = changed_face(tmp_path)
    assert lines(command("decks", file))[0].startswith("hunter_mine-")
    assert len(lines(command("decks"))) == 5
    command("decks", file, "--keep")
    assert lines(command("decks"))[-1].startswith("hunter_mine-")


def test_a_kept_file_that_was_spoilt_does_not_hide_the_others(command: Command, tmp_path: Path) -> None:
    command("decks", changed_face(tmp_path), "--keep")
    (kept,) = (tmp_path / "decks").glob("*.txt")
    kept.write_text("nothing", encoding="utf-8")
    listed = lines(command("decks"))
    assert len(listed) == 6
    assert "there is no card 'nothing'" in listed[-1]


def test_the_code_of_a_deck(command: Command) -> None:
    code = lines(command("decks", "face", "--code"))[0]
    assert code == "AAEBAR8EogLJBOIH0RQN8gGoArUD0gOSBbEI2wn+DPUN9w3bD9QRuhMAAA=="
    assert lines(command("decks", code)) == lines(command("decks", "face"))
    assert lines(command("decks", code))[-1] == f"code {code}"


def test_without_the_package_a_deck_is_shown_all_the_same(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hearthstone.deckstrings", None)
    assert "pip install 'ludens[interop]'" in lines(command("decks", "face"))[-1]
    ran = command("decks", "face", "--code")
    assert ran.code == 2
    assert "pip install 'ludens[interop]'" in ran.err
