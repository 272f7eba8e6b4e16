"""Hearthstone in a browser: the mulligan, cards with and without targets, attacks, the power, secrets, a deck of one's
own, by mouse, finger and keys."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.web.complaints import Complaints
from tests.web.hand import (
    LATER,
    OpenPage,
    Pick,
    button,
    lines,
    mouse,
    offered,
    open_replay,
    open_table,
    practice,
    result,
    said,
    status,
    tab_to,
    tap,
    to_move,
)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
TABLE = {"game": "hearthstone", "option.deck1": "malygos", "seat.1": "face-hunter", "seed": "9"}
DECKS = resources.files("ludens.games.hearthstone") / "decks"
SLIP = 600  # milliseconds: until a second end of a turn is meant
GREEDILY = ("[id^=card-]", "[id^=minion-]", "#power", "[id^=hero-]", "#end")


def legal(page: Page) -> list[str]:
    """The moves that could be typed now."""
    return [option.get_attribute("value") or "" for option in page.locator("#ui-legal option").all()]


def of_kind(page: Page, pattern: str) -> str | None:
    """A legal move that looks like this."""
    return next((move for move in legal(page) if re.fullmatch(pattern, move)), None)


def card(page: Page, number: str) -> Locator:
    """A card of the hand, as moves count them."""
    return page.locator("#ui-board [id^=card-]").nth(int(number) - 1)


def waits(page: Page) -> None:
    """Until it is one's turn again or the game is over."""
    expect(page.locator("#ui-board .can-pick, #ui-after:not([hidden])").first).to_be_attached()


def keep_all(page: Page, pick: Pick = mouse) -> None:
    """Keep every card that was dealt."""
    to_move(page)
    while (keep := page.locator("[id^=keep-].can-pick")).count():
        name = keep.get_attribute("id")
        pick(page, keep)
        expect(page.locator(f"#{name}")).to_have_count(0)
        to_move(page)


def end_turn(page: Page, pick: Pick = mouse) -> None:
    before = lines(page).count()
    page.wait_for_timeout(SLIP)
    pick(page, page.locator("#end"))
    expect(lines(page).nth(before)).to_contain_text("end")
    waits(page)


def play_on(page: Page) -> None:
    """One move, whatever comes first: cards, attacks, the power, and the end of the turn when nothing else is left."""
    before = lines(page).count()
    first = next(found for kind in GREEDILY if (found := page.locator(f"#ui-board {kind}.can-pick")).count())
    if first.first.get_attribute("id") == "end":
        return end_turn(page)
    mouse(page, first.first)
    while offered(page).count() and lines(page).count() == before:
        mouse(page, offered(page).first)
    expect(lines(page).nth(before)).to_be_attached()
    return waits(page)


# A whole game


def test_a_game_from_the_lobby_to_the_replay(page: Page) -> None:
    page.goto("/game/hearthstone?seed=9")
    page.locator("[name='option.deck1']").select_option("malygos")
    page.locator("#ui-seat-1").select_option("face-hunter")
    button(page, "setup.start").click()
    swap_the_first(page)
    keep_all(page)
    aim_the_power(page)
    play_into_the_row(page)
    while not result(page).is_visible():
        play_on(page)
    expect(status(page)).to_have_attribute("data-result", re.compile("won|lost"))
    told = " ".join(lines(page).all_inner_texts())
    for words in (r"takes \d+ damage, \d+ health left", "uses Fireblast on player 2's hero", "plays (a|the) secret"):
        assert re.search(words, told)
    open_replay(page)
    expect(page.locator("#far-hand, [id^=far-card-]").first).to_be_attached()
    page.locator("#ui-last").click()
    expect(status(page)).to_contain_text(re.compile(r"takes \d+ damage .*wins"))


def swap_the_first(page: Page) -> None:
    to_move(page)
    name = card(page, "1").locator("> title").text_content() or ""
    expect(status(page)).to_contain_text(f"keep {name.partition(':')[0]}, or put it back?")
    mouse(page, page.locator("#swap-1"))
    expect(lines(page).filter(has_text="puts").first).to_contain_text(name.partition(":")[0])


def aim_the_power(page: Page) -> None:
    """With two mana the mage's power can be used: whom it can hit is marked, and taken back."""
    while of_kind(page, "power e0") is None:
        end_turn(page)
    mouse(page, page.locator("#power"))
    expect(status(page)).to_have_text(said("js.half", picked="Fireblast"))
    expect(page.locator("#hero-0")).to_have_class(re.compile("can-pick"))
    mouse(page, page.locator("#power"))
    expect(page.locator("#hero-1.can-pick")).to_have_count(0)
    mouse(page, page.locator("#power"))
    mouse(page, page.locator("#hero-1"))
    expect(lines(page).filter(has_text="power e0").last).to_contain_text("takes 1 damage")
    waits(page)


def play_into_the_row(page: Page) -> None:
    while (move := of_kind(page, r"play \d+")) is None:
        end_turn(page)
    expect(page.locator("#row")).to_be_hidden()
    name = card(page, move.split()[1]).get_attribute("data-name") or ""
    mouse(page, card(page, move.split()[1]))
    expect(page.locator("#row")).to_be_visible()
    expect(page.locator("#ui-preview")).to_contain_text(name)
    mouse(page, page.locator("#row"))
    expect(lines(page).filter(has_text=move).last).to_contain_text("plays")
    waits(page)


# A phone, another language


def test_a_phone_and_minions_anywhere_in_czech(open_page: OpenPage) -> None:
    page = open_page(locale="cs", **PHONE)
    open_table(page, {**TABLE, "option.deck1": "secret", "option.positions": "free"})
    expect(page.locator("#ui-board > svg")).to_have_class(re.compile("tall"))
    keep_all(page, tap)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    while of_kind(page, "power") is None:
        end_turn(page, tap)
    tap(page, page.locator("#power"))  # not aimed at anybody: it is used at once
    expect(lines(page).filter(has_text="Reinforce").last).to_contain_text("Silver Hand Recruit")
    waits(page)
    while (move := of_kind(page, r"play \d+ at 1")) is None:
        end_turn(page, tap)
    top = page.locator("#ui-board").bounding_box()
    tap(page, card(page, move.split()[1]))
    expect(page.locator("#gap-1.can-pick")).to_be_visible()
    assert page.evaluate("scrollY") or page.locator("#ui-board").bounding_box() == top  # the board stays where it is
    tap(page, page.locator("#gap-1"))
    expect(lines(page).filter(has_text=move).last).to_contain_text("Hráč 1 hraje")
    expect(page.locator("#end")).to_contain_text("Konec tahu")


# What the rival does


def test_what_the_rival_does_is_told_where_it_is_seen(open_page: OpenPage) -> None:
    page = open_page(pace=2, locale="sk", **PHONE)
    open_table(page, TABLE)
    keep_all(page, tap)
    page.clock.install()
    page.clock.pause_at(LATER)
    tap(page, page.locator("#end"))
    while page.locator("#ui-status .story").count() == 0:
        page.clock.run_for(50)
    expect(page.locator("#ui-status .story")).to_contain_text(re.compile("Hráč 2 (hrá|používa|má)|útočí"))
    expect(page.locator("#ui-status")).to_be_in_viewport()
    page.clock.resume()
    to_move(page)
    expect(page.locator("#ui-status .story")).to_have_count(0)


def test_a_secret_of_the_rival_has_no_name(page: Page) -> None:
    open_table(page, {**TABLE, "seat.1": "secret-paladin", "option.decklists": "hidden"})
    keep_all(page)
    while page.locator("#far-secret-1").count() == 0:
        end_turn(page)
    expect(page.locator("#far-secret-1 > title")).to_have_text("a hidden secret, paladin")
    expect(lines(page).filter(has_text="plays a secret (1 mana)").first).to_be_attached()


# Keys, advice, taking back


def test_keys_alone(page: Page) -> None:
    open_table(page, TABLE)
    to_move(page)
    page.keyboard.press("s")
    expect(lines(page).filter(has_text="swap 1")).to_have_count(1)
    while page.locator("[id^=keep-].can-pick").count():
        before = lines(page).count()
        page.keyboard.press("k")
        expect(lines(page).nth(before)).to_be_attached()
        to_move(page)
    while of_kind(page, "power e0") is None:
        page.wait_for_timeout(SLIP)
        page.keyboard.press("e")
        waits(page)
    tab_to(page, "#power")
    page.keyboard.press("Enter")
    tab_to(page, "#hero-1")
    page.keyboard.press("Enter")
    expect(lines(page).filter(has_text="power e0")).to_have_count(1)


def test_a_hint_a_bar_and_a_move_taken_back(page: Page) -> None:
    open_table(page, {**TABLE, "seat.1": "greedy"})
    keep_all(page)
    page.locator("details.more summary").click()
    page.locator("#ui-hinter").select_option("mcts:sims=200")
    button(page, "table.hint").click()
    expect(page.locator("#ui-advice")).to_contain_text(re.compile("end|play|power"))
    expect(page.locator("#ui-board .advised").first).to_be_attached()
    page.locator("#ui-judge").select_option("mcts:sims=200")
    expect(page.locator("#ui-bar .share")).to_have_count(2)
    before = lines(page).count()
    end_turn(page)
    button(page, "table.back").click()
    expect(lines(page)).to_have_count(before)
    expect(practice(page)).to_contain_text(said("practice.take-back"))
    page.locator("#ui-typed").fill("attack 1 e0")
    page.locator("#ui-typed").press("Enter")
    expect(page.locator("#ui-error")).to_contain_text("no minions")


# A deck of one's own


def file_of(name: str, text: str) -> Any:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def test_a_deck_is_brought_and_played(page: Page, complaints: Complaints) -> None:
    complaints.allow("status of 400")
    page.goto("/game/hearthstone?seed=4&seat.1=random")
    bring = page.locator("#ui-file-deck1")
    deck = (DECKS / "mage_liege.txt").read_text(encoding="utf-8")
    bring.set_input_files(file_of("mage_mine.txt", deck.replace("Fireball", "Firebll")))
    expect(page.locator(".bring .error").first).to_contain_text("Firebll")
    bring.set_input_files(file_of("mage_mine.txt", deck.replace("Mana Wyrm", "Loot Hoarder")))
    expect(page.locator("[name='option.deck1']")).to_have_value(re.compile("mage_mine-[0-9a-f]{8}"))
    button(page, "setup.start").click()
    keep_all(page)
    expect(page.locator("#hero-0 > title")).to_contain_text("mage")
