"""Decks: files and codes, what is wrong with one, those that ship and those kept here."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludens.core.error import BadOption, BadStore, LudensError, MissingExtra
from ludens.core.option import read_pairs
from ludens.games.hearthstone.card import all_cards, find_card, is_fit
from ludens.games.hearthstone.deck import SHIPPED, deck_names, find_deck, keep_deck, look_up
from ludens.games.hearthstone.deck_code import code_in, read_code, write_code
from ludens.games.hearthstone.deck_file import MAX_BYTES, Deck, build_deck, deck_text, read_deck
from ludens.games.hearthstone.game import Hearthstone
from ludens.web.choice import checked_game

# the spec's own lists and codes, not those of the files that ship
SPEC = {
    "face": """2 Glaivezooka, 1 Bear Trap, 1 Explosive Trap, 2 Quick Shot, 2 Eaglehorn Bow, 2 Animal Companion,
        2 Kill Command, 2 Unleash the Hounds, 2 Abusive Sergeant, 2 Leper Gnome, 1 Worgen Infiltrator,
        2 Haunted Creeper, 1 Ironbeak Owl, 2 Knife Juggler, 2 Mad Scientist, 2 Arcane Golem, 2 Argent Horserider""",
    "secret": """2 Avenge, 1 Competitive Spirit, 2 Noble Sacrifice, 1 Redemption, 2 Shielded Minibot, 1 Coghammer,
        2 Muster for Battle, 1 Truesilver Champion, 2 Blessing of Kings, 2 Keeper of Uldaman,
        2 Mysterious Challenger, 1 Tirion Fordring, 2 Secretkeeper, 1 Haunted Creeper, 2 Knife Juggler,
        2 Piloted Shredder, 1 Loatheb, 2 Sludge Belcher, 1 Dr. Boom""",
    "malygos": """2 Ice Lance, 2 Frostbolt, 2 Arcane Intellect, 2 Frost Nova, 2 Ice Barrier, 2 Ice Block, 2 Fireball,
        2 Blizzard, 1 Flamestrike, 1 Pyroblast, 1 Bloodmage Thalnos, 2 Doomsayer, 2 Loot Hoarder, 2 Mad Scientist,
        1 Acolyte of Pain, 1 Antique Healbot, 1 Emperor Thaurissan, 1 Alexstrasza, 1 Malygos""",
    "liege": """2 Abomination, 1 Abusive Sergeant, 1 Acolyte of Pain, 1 Arcane Explosion, 2 Arcane Intellect,
        1 Arcane Missiles, 2 Bloodfen Raptor, 1 Bluegill Warrior, 2 Boulderfist Ogre, 2 Chillwind Yeti, 2 Fireball,
        2 Flamestrike, 2 Frostbolt, 2 Gurubashi Berserker, 1 Ironfur Grizzly, 2 Mana Wurm, 2 Senjin Shieldmasta,
        2 Shattered Sun Cleric""",
}
CODES = {
    "face": "AAEBAR8EogLJBOIH0RQN8gGoArUD0gOSBbEI2wn+DPUN9w3bD9QRuhMAAA==",
    "secret": "AAEBAZ8FCIwBzwb6BvUN+g7rD54Q2BQLngHIBK8HsQiBDowO6g/tD5AQphXJFgAA",
    "malygos": "AAEBAf0ECLQDxQTtBewHvwj7DPUP1hELigGsAcAB+wG7AskDqwTLBO0ElgX3DQAA",
}


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where decks are kept during a test."""
    monkeypatch.setenv("LUDENS_DECKS", str(tmp_path / "decks"))
    return tmp_path / "decks"


def spec_text(name: str) -> str:
    return "\n".join(line.strip() for line in SPEC[name].split(","))


def changed(old: str, new: str) -> str:
    """The Face deck with one line replaced."""
    text = spec_text("face")
    assert old in text
    return text.replace(old, new)


# Those that ship


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_decks_are_those_of_the_spec(name: str) -> None:
    deck = find_deck(name)
    assert deck == read_deck(spec_text(name), SHIPPED[name], name)
    assert len(deck.cards) == 30
    assert list(deck.cards) == sorted(deck.cards)


# Notations


def test_one_name_a_line_as_in_the_thesis() -> None:
    lines = [name for card in find_deck("liege").cards for name in [all_cards()[card].name]]
    text = "\n".join(lines).replace("Mana Wyrm", "Mana Wurm").replace("Sen'jin Shieldmasta", "Senjin")
    assert len(lines) == 30
    assert read_deck(text, "mage_liege").cards == find_deck("liege").cards


def test_numbers_remarks_ids_and_capitals() -> None:
    text = changed("2 Glaivezooka", "# weapons\n2x glaivezooka  # the small one\n").replace(
        "2 Leper Gnome", "2 EX1_029"
    )
    assert read_deck(text, "Hunter-mine").cards == find_deck("face").cards


@pytest.mark.parametrize("stem", ["hunter_face", "HUNTER face", "hunter", "my deck", "42"])
def test_the_class_is_said_by_the_name_of_the_file_or_by_the_cards(stem: str) -> None:
    assert read_deck(spec_text("face"), stem).class_ == "hunter"


def test_the_class_may_stand_in_a_remark() -> None:
    assert read_deck(f"### Mine\n# Class: Hunter\n{spec_text('face')}", "any").class_ == "hunter"


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_what_is_written_reads_as_it_was(data: st.DataObject) -> None:
    class_ = data.draw(st.sampled_from(["hunter", "mage", "paladin"]))
    fit = [card for card in all_cards().values() if is_fit(card, class_)]
    copies = [card for card in fit for _ in range(1 if card.is_legendary else 2)]
    chosen = data.draw(st.permutations(copies))[:30]
    deck = build_deck([card.name for card in chosen], class_, "drawn")
    assert Counter(deck.cards) == Counter(card.number for card in chosen)
    assert read_deck(deck_text(deck), "anything", "drawn") == deck


# What is wrong

WRONG = [
    (changed("2 Quick Shot", "1 Quick Shot"), "it has 29 cards, a deck has 30"),
    (changed("2 Quick Shot", "3 Quick Shot"), "3 copies of Quick Shot, but a deck holds at most two"),
    (changed("2 Quick Shot", "2 Dr. Boom"), "2 copies of Dr. Boom, but a deck holds at most one, it is legendary"),
    (changed("2 Quick Shot", "2 Fireball"), "Fireball is a mage card, the deck is for a hunter"),
    (changed("2 Quick Shot", "2 Quik Shot"), r"no card 'Quik Shot' \(did you mean 'Quick Shot'\?\)"),
    (changed("2 Quick Shot", "2 Ragnaros"), "there is no card 'Ragnaros'; see ludens hearthstone cards"),
    (changed("2 Quick Shot", "2 Hound"), "Hound is no card for a deck, only effects bring it into play"),
    (changed("2 Quick Shot", "2 King's Elekk"), "it is not modelled in full: its Battlecry is a joust"),
    ("", "it has 0 cards"),
    ("2 Frostbolt\n" * 2000, "is no deck: it has more than 16 kB"),
    ("\0\x1b[2J" * 30, "there is no card"),
]


@pytest.mark.parametrize(("text", "why"), WRONG)
def test_what_is_wrong_is_said_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(BadOption, match=why) as caught:
        read_deck(text, "hunter_mine")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_a_deck_of_no_class_or_of_two_is_asked_about() -> None:
    with pytest.raises(BadOption, match="its cards are all neutral; name the file hunter_"):
        read_deck("2 Chillwind Yeti", "mine")
    with pytest.raises(BadOption, match="its cards are of hunter, mage"):
        read_deck("2 Fireball\n2 Quick Shot", "mine")


@given(st.text(max_size=300), st.text(max_size=80))
@settings(max_examples=100, deadline=None)
def test_nothing_that_is_no_deck_gets_past(text: str, stem: str) -> None:
    with pytest.raises(LudensError):
        read_deck(text, stem)


# Kept ones


def mine(folder: Path, name: str = "hunter_mine.txt") -> Path:
    """A deck file: Face with other gnomes."""
    file = folder / name
    file.write_text(changed("2 Leper Gnome", "2 Chillwind Yeti"), encoding="utf-8")
    return file


def test_a_file_is_kept_under_a_name_made_of_its_cards(tmp_path: Path, kept: Path) -> None:
    file = mine(tmp_path)
    deck = find_deck(str(file))
    assert deck.id.startswith("hunter_mine-")
    assert deck_names() == [*SHIPPED, deck.id]
    file.unlink()
    assert find_deck(deck.id) == deck
    assert (kept / f"{deck.id}.txt").read_text(encoding="utf-8") == deck_text(deck)


def test_the_same_cards_have_one_name_however_they_are_written(tmp_path: Path) -> None:
    text = changed("2 Leper Gnome", "2 Chillwind Yeti")
    other = "\r\n".join(["\ufeff# mine", *reversed(text.split("\n"))])
    assert keep_deck(other, "my deck").id[-8:] == find_deck(str(mine(tmp_path))).id[-8:]
    assert keep_deck(other, "My Deck!").id.startswith("hunter_my_deck-")


def test_a_shipped_deck_is_found_by_its_cards(tmp_path: Path, kept: Path) -> None:
    file = tmp_path / "hunter_other.txt"
    file.write_text(spec_text("face"), encoding="utf-8")
    assert find_deck(str(file)) == find_deck("face")
    assert not kept.exists()


def test_looking_at_a_deck_does_not_keep_it(tmp_path: Path, kept: Path) -> None:
    assert look_up(str(mine(tmp_path))).id.startswith("hunter_mine-")
    assert not kept.exists()


def test_a_kept_deck_may_be_renamed_but_not_changed(tmp_path: Path, kept: Path) -> None:
    deck = find_deck(str(mine(tmp_path)))
    file = kept / f"{deck.id}.txt"
    file.rename(kept / f"other-{deck.id[-8:]}.txt")
    assert find_deck(deck.id).cards == deck.cards
    file.write_text(deck_text(find_deck("face")), encoding="utf-8")
    with pytest.raises(BadOption, match="was changed: remove it"):
        find_deck(deck.id)


def test_unknown_names_are_told_what_there_is() -> None:
    with pytest.raises(BadOption, match=r"'fase' \(did you mean 'face'\?\); decks are: face, secret, malygos, liege;"):
        find_deck("fase")
    with pytest.raises(BadOption, match="is not stored here"):
        find_deck("hunter_mine-00000000")
    for name in ("", "x" * 5000, "\0", "~nobody-here/deck", "."):
        with pytest.raises(BadOption, match="there is no deck"):
            find_deck(name)


def test_a_file_that_cannot_be_read_or_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / "hunter_long.txt"
    long.write_text("#" * (MAX_BYTES + 1))
    with pytest.raises(BadOption, match="more than 16 kB"):
        find_deck(str(long))
    long.write_bytes(b"\xff\xfe\0")
    with pytest.raises(BadOption, match="no text in UTF-8"):
        find_deck(str(long))
    monkeypatch.setenv("LUDENS_DECKS", str(mine(tmp_path)))
    with pytest.raises(BadStore, match="set LUDENS_DECKS"):
        find_deck(str(mine(tmp_path)))


# In a game


def test_options_hold_the_name_of_the_kept_deck(tmp_path: Path) -> None:
    file = mine(tmp_path)
    game = Hearthstone(deck1=str(file), deck2="secret")
    deck = find_deck(game.rules.options.deck1)
    assert game.rules.constants.c["lists"][0].tolist() == [list(deck.cards), list(find_deck("secret").cards)]
    assert game.rules.options.deck2 == "secret"
    file.unlink()
    assert Hearthstone(**game.rules.option_values()).rules.options == game.rules.options


def test_what_a_rival_may_be_thought_to_play_does_not_depend_on_the_table(tmp_path: Path) -> None:
    plain, other = Hearthstone(), Hearthstone(deck1=str(mine(tmp_path)))
    assert (plain.rules.constants.c["known"] == other.rules.constants.c["known"]).all()
    assert plain.rules.constants.c["known_count"][0] == len(SHIPPED)


def test_an_upload_is_kept_and_then_offered(tmp_path: Path) -> None:
    name = Hearthstone.Rules.keep_file("deck1", changed("2 Leper Gnome", "2 Chillwind Yeti"), "my deck")
    assert name in deck_names()
    assert checked_game("hearthstone", {"deck1": name}).rules.options.deck1 == name
    with pytest.raises(BadOption, match="takes no file"):
        Hearthstone.Rules.keep_file("compat", "", "x")


@pytest.mark.parametrize("value", ["mine.txt", CODES["face"], "../decks/face", "hunter_mine-00000000"])
def test_a_browser_cannot_name_paths_or_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    mine(tmp_path, "mine.txt")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOption, match="is not on offer here"):
        checked_game("hearthstone", {"deck1": value})


# Codes


def test_a_code_is_told_from_names() -> None:
    assert all(code_in(code) == code for code in CODES.values())
    assert code_in(f"### Mine\n# Class: Hunter\n#\n{CODES['face']}\n#\n") == CODES["face"]
    assert not any(map(code_in, ["face", "", "AA", "2 Frostbolt", f"{CODES['face']}\n{CODES['face']}"]))


def test_a_code_stays_whole_in_the_spec_of_an_agent() -> None:
    assert read_pairs(f"deck={CODES['face']},x=1", "a") == {"deck": CODES["face"], "x": "1"}


def test_without_the_package_the_message_holds_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hearthstone.deckstrings", None)
    for use in (lambda: find_deck(CODES["face"]), lambda: write_code("hunter", find_deck("face").cards)):
        with pytest.raises(MissingExtra, match=r"pip install 'ludens\[interop\]'"):
            use()


def test_every_card_for_decks_and_every_hero_has_its_number() -> None:
    numbers = [card.dbf for card in all_cards().values() if card.dbf]
    assert len(numbers) == len(set(numbers))
    assert all(card.dbf for card in all_cards().values() if not card.is_token or card.id.startswith("HERO_"))


class TestWithThePackage:
    """What needs the extra `interop`."""

    @pytest.mark.parametrize("name", CODES)
    def test_codes_of_the_spec_both_ways(self, name: str) -> None:
        deck = find_deck(name)
        assert write_code(deck.class_, deck.cards) == CODES[name]
        assert find_deck(CODES[name]) == deck

    def test_a_code_in_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "copied.txt"
        file.write_text(f"### Mine\n# 2x (1) Leper Gnome\n{CODES['face']}\n", encoding="utf-8")
        assert find_deck(str(file)) == find_deck("face")

    def test_a_new_deck_by_its_code_is_kept(self, tmp_path: Path) -> None:
        deck = look_up(str(mine(tmp_path)))
        found = find_deck(write_code(deck.class_, deck.cards))
        assert found.cards == deck.cards
        assert found.id == f"hunter_code-{deck.id[-8:]}"
        assert found.id in deck_names()

    def test_a_hero_in_another_dress(self) -> None:
        codes = importlib.import_module("hearthstone.deckstrings")
        cards, _, shape, _ = codes.parse_deckstring(CODES["face"])
        assert find_deck(codes.write_deckstring(cards, [2826], shape)) == find_deck("face")

    def test_cards_that_are_not_here(self) -> None:
        codes = importlib.import_module("hearthstone.deckstrings")
        cards, heroes, shape, _ = codes.parse_deckstring(CODES["face"])
        with pytest.raises(BadOption, match="has card number 374, which is not known here"):
            find_deck(codes.write_deckstring([*cards[:-1], (374, 2)], heroes, shape))
        with pytest.raises(BadOption, match="31 copies of Leper Gnome"):
            find_deck(codes.write_deckstring([(find_card("Leper Gnome").dbf, 1 << 40)], heroes, shape))

    @given(st.text("ABCDwxyz0189+/", min_size=18, max_size=80))
    @settings(max_examples=100, deadline=None)
    def test_anything_else_is_refused(self, rest: str) -> None:
        with pytest.raises(BadOption):
            find_deck(f"AA{rest}")

    def test_a_code_cut_short(self) -> None:
        with pytest.raises(BadOption, match="cannot be read: copy it again"):
            read_code(CODES["face"][:-12])


def test_a_deck_knows_the_number_of_its_class() -> None:
    assert Deck("x", "hunter", ()).class_number == 5
