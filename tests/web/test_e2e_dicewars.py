"""Dicewars in a browser: odds before the click, attacks, transfers and ends of turns, by mouse, finger and keys."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from tests.web.hand import (
    LATER,
    OpenPage,
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
    until,
    watch_to_end,
)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
TABLE = {"game": "dicewars", "option.players": "3", "seed": "5", "seat.1": "stei-adt", "seat.2": "sdc-pre-at"}
ODDS = re.compile(r"\d+ %")
SLIP = 600  # milliseconds: until a second end of a turn is meant


def of_kind(page: Page, kind: str) -> tuple[str, str]:
    """The areas of a legal attack or move, as they are typed; of moves one that moves something, if there is one."""
    typed = [option.get_attribute("value") or "" for option in page.locator("#ui-legal option").all()]
    pairs = [text.split()[1:] for text in typed if text.startswith(kind)]
    busy = [pair for pair in pairs if page.locator(f"#go-{pair[0]}-{pair[1]}.idle").count() == 0]
    source, target = (busy or pairs)[0]
    return source, target


def area(page: Page, number: str) -> Locator:
    return page.locator(f"#area-{number}")


def goal(page: Page, source: str, target: str) -> Locator:
    """What lies over the target while the source is picked."""
    return page.locator(f"#go-{source}-{target}")


def end(page: Page) -> Locator:
    return page.locator("#end")


def end_turn(page: Page) -> None:
    """End the turn and wait until the others have played theirs."""
    before = lines(page).count()
    page.wait_for_timeout(SLIP)
    mouse(page, end(page))
    expect(lines(page).nth(before)).to_contain_text("end")
    expect(page.locator("#ui-board .can-pick, #ui-after:not([hidden])").first).to_be_attached()


def test_set_up_attack_move_and_end_by_mouse(page: Page) -> None:
    page.goto("/game/dicewars?seed=5")
    expect(page.locator("[name='option.areas']")).to_have_attribute("placeholder", "as the rules say")
    expect(page.locator("[name='option.max_turns']")).to_be_hidden()  # the rarer options are folded away
    page.locator("[name='option.players']").fill("3")
    page.locator("[name='option.players']").blur()
    expect(page.locator(".seat")).to_have_count(3)
    page.locator("#ui-seat-1").select_option("stei-adt")
    button(page, "setup.start").click()
    to_move(page)
    attack_by_mouse(page)
    move_by_mouse(page)
    before = lines(page).count()
    end_turn(page)
    to_move(page)
    told = lines(page).all_inner_texts()[before + 1 :]
    assert any("stei-adt" in line for line in told)
    assert all(len(line) < 250 for line in told)  # where every single new die went, the map tells
    expect(status(page)).to_contain_text(said("status.your-turn"))


def attack_by_mouse(page: Page) -> None:
    source, target = of_kind(page, "attack")
    expect(goal(page, source, target)).to_be_hidden()
    mouse(page, area(page, source))
    shown = goal(page, source, target)
    expect(shown).to_be_visible()
    expect(shown).to_contain_text(ODDS)
    expect(shown).to_have_attribute("aria-label", ODDS)
    mouse(page, area(page, source))  # taken back
    expect(shown).to_be_hidden()
    mouse(page, area(page, source))
    mouse(page, shown)
    expect(lines(page).nth(1)).to_contain_text(f"attack {source} {target}")
    expect(lines(page).nth(1)).to_contain_text("against")
    expect(page.locator("#battle")).to_be_visible()
    to_move(page)


def move_by_mouse(page: Page) -> None:
    before = lines(page).count()
    source, target = of_kind(page, "move")
    mouse(page, area(page, source))
    expect(goal(page, source, target)).to_be_visible()
    mouse(page, goal(page, source, target))
    expect(lines(page).nth(before)).to_contain_text(f"move {source} {target}")
    to_move(page)


def test_keys_alone(page: Page) -> None:
    open_table(page, TABLE)
    to_move(page)
    source, target = of_kind(page, "attack")
    tab_to(page, f"#area-{source}")
    page.keyboard.press("Enter")
    expect(page.locator(f"[id^=go-{source}-]:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(area(page, source)).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, f"#go-{source}-{target}")
    expect(page.locator("#ui-preview")).to_contain_text(f"attack {source} {target}")
    expect(page.locator("#ui-preview")).to_contain_text(ODDS)
    page.keyboard.press("Enter")
    expect(lines(page).nth(1)).to_contain_text(f"attack {source} {target}")
    to_move(page)
    expect(page.locator(f"#area-{source}:focus, #area-{target}:focus")).to_have_count(1)
    tab_to(page, "#end")
    page.keyboard.press("Enter")
    expect(lines(page).nth(2)).to_contain_text("end")
    to_move(page)
    expect(page.locator("[id^=area-]:focus")).to_have_count(1)  # not on the button that ends the next turn
    before = lines(page).count()
    page.wait_for_timeout(SLIP)
    page.keyboard.press("e")
    expect(lines(page).nth(before)).to_contain_text("end")


def test_changing_ones_mind_plays_nothing(page: Page) -> None:
    open_table(page, TABLE)
    to_move(page)
    source, target = of_kind(page, "move")
    mouse(page, area(page, source))
    expect(goal(page, source, target)).to_be_visible()
    mouse(page, area(page, target))  # its label, not the badge
    expect(area(page, target)).to_have_class(re.compile("picked"))
    expect(goal(page, source, target)).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#ui-board .picked")).to_have_count(0)
    mouse(page, area(page, source))
    box = page.locator("#map").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 4, box["y"] + 4)  # water
    expect(page.locator("#ui-board .picked")).to_have_count(0)
    expect(lines(page)).to_have_count(1)


# Ends the turn, and once more in the very moment in which that can be done again.
_END_TWICE = """() => new Promise((done) => {
  const press = () => document.getElementById("end").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const old = document.getElementById("end");
  const watch = new MutationObserver(() => {
    if (document.querySelector("#end.can-pick") === null || document.getElementById("end") === old) return;
    watch.disconnect();
    press();
    done();
  });
  watch.observe(document.getElementById("ui-board"), { attributes: true, childList: true, subtree: true });
  press();
})"""


def test_a_double_click_ends_one_turn(page: Page) -> None:
    open_table(page, TABLE)
    to_move(page)
    page.evaluate(_END_TWICE)
    page.wait_for_timeout(SLIP)
    own = lines(page).filter(has_text=re.compile(r"^\d+\. Player 1 end"))
    expect(own).to_have_count(1)
    to_move(page)


def test_a_battle_is_read_out_and_a_pick_only_once(page: Page) -> None:
    open_table(page, TABLE)
    to_move(page)
    source, target = of_kind(page, "attack")
    expect(page.locator("#ui-preview")).not_to_have_attribute("aria-live", "polite")
    mouse(page, area(page, source))
    expect(status(page)).to_contain_text(f"area {source}")
    mouse(page, goal(page, source, target))
    told = page.locator("#ui-told[aria-live=polite]")
    expect(told).to_contain_text(f"Area {source} attacks area {target}")
    expect(told).to_contain_text(re.compile("takes|holds"))


def test_who_resigns_waits_for_nobody(open_page: OpenPage) -> None:
    page = open_page(pace=0)
    page.on("dialog", lambda dialog: dialog.accept())
    told: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(str(frame))))
    open_table(page, TABLE)
    to_move(page)
    expect(page.locator("#ui-board .now").first).to_be_visible()
    page.clock.install()
    page.clock.pause_at(LATER)
    mouse(page, end(page))
    expect(page.locator("#ui-skip")).to_be_enabled()  # moves of others are waiting
    button(page, "table.resign").click()
    until(page, lambda: any(re.search(r'"stopped": ?true', frame) for frame in told))
    page.clock.run_for(200)  # nobody waits for those
    expect(result(page)).to_be_visible()
    expect(page.locator("#ui-board .now").first).to_be_hidden()  # it is nobody's turn


def test_waiting_moves_can_be_skipped(open_page: OpenPage) -> None:
    page = open_page(pace=0)
    open_table(page, TABLE)
    to_move(page)
    mouse(page, end(page))
    skip = button(page, "table.skip")
    expect(skip).to_be_enabled()
    while offered(page).count() == 0:
        skip.evaluate("(button) => button.click()")  # nothing happens while nothing waits
        page.wait_for_timeout(50)
    numbers = [text.partition(".")[0] for text in lines(page).all_inner_texts()[1:]]
    assert numbers == [str(i + 1) for i in range(len(numbers))]  # nothing that was told is lost


def test_an_illegal_move_that_is_typed_is_explained(page: Page) -> None:
    open_table(page, TABLE)
    to_move(page)
    page.locator("#ui-typed").fill("attack 1 1")
    page.locator("#ui-typed").press("Enter")
    expect(page.locator("#ui-error")).to_contain_text(re.compile("neighbour|not yours"))
    expect(lines(page)).to_have_count(1)
    to_move(page)


def test_a_turn_is_taken_back_to_its_end(page: Page) -> None:
    open_table(page, TABLE)
    to_move(page)
    end_turn(page)
    assert lines(page).count() > 3
    button(page, "table.back").click()
    expect(lines(page)).to_have_count(1)
    to_move(page)


def test_a_hint_is_shown_on_the_map(page: Page) -> None:
    open_table(page, TABLE)
    to_move(page)
    page.locator("details.more summary").click()
    button(page, "table.hint").click()
    expect(page.locator("#ui-advice")).to_contain_text(re.compile(r"(attack|move) \d+ \d+|end"))
    expect(page.locator("#ui-board .advised").first).to_be_attached()
    expect(page.locator("#ui-board .advised").last).to_be_visible()  # what is attacked too, before anything is picked
    expect(practice(page)).to_contain_text(said("practice.hint"))


def test_people_share_a_device_without_passing_it_on(page: Page) -> None:
    open_table(page, {**TABLE, "seat.1": "person", "seat.2": "person"})
    to_move(page)
    end_turn(page)
    expect(status(page)).to_contain_text(said("seat.player", number=2))
    expect(page.get_by_role("dialog")).to_have_count(0)
    to_move(page)


def test_a_game_nobody_wins_says_so_and_is_replayed(page: Page) -> None:
    open_table(page, {**TABLE, "option.areas": "9", "option.max_turns": "3"})
    to_move(page)
    mouse(page, end(page))
    expect(result(page)).to_be_visible()
    expect(status(page)).to_contain_text(said("status.nobody"))
    open_replay(page)
    expect(page.locator("#area-9")).to_be_attached()
    page.locator("#ui-first").click()
    expect(page.locator("#ui-at")).to_have_text(re.compile("^0 / "))
    page.locator("#ui-next").click()
    expect(status(page)).to_contain_text(f"1. {lines(page).nth(1).locator('b').inner_text().partition(' ')[2]}")


def test_a_small_game_is_won(page: Page) -> None:
    open_table(page, {"game": "dicewars", "option.players": "2", "option.areas": "2", "seed": "3", "seat.1": "stei"})
    to_move(page)
    while not result(page).is_visible():
        if (attack := page.locator("#area-1.can-pick, #area-2.can-pick").first).is_visible():
            mouse(page, attack)
            mouse(page, offered(page).locator("visible=true").first)
        else:
            end_turn(page)
        expect(page.locator("#ui-board .can-pick, #ui-after:not([hidden])").first).to_be_attached()
    expect(status(page)).to_have_attribute("data-result", re.compile("won|lost"))


def test_machines_are_watched_and_strangers_may_look_on(page: Page, open_page: OpenPage) -> None:
    form = {**TABLE, "seat.0": "stei", "option.areas": "12", "option.max_turns": "40"}
    table = watch_to_end(page, form)
    expect(lines(page).nth(20)).to_be_attached()
    other = open_page()
    other.goto(table)
    expect(other.locator("#area-12")).to_be_attached()
    expect(offered(other)).to_have_count(0)
    expect(other.locator("#ui-board")).to_have_class(re.compile("asleep"))  # its button is pale


def test_a_phone(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    open_table(page, TABLE)
    to_move(page)
    expect(page.locator("#ui-board > svg")).to_have_class(re.compile("tall"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    source, target = of_kind(page, "attack")
    tap(page, area(page, source))
    expect(goal(page, source, target)).to_be_visible()
    tap(page, goal(page, source, target))
    expect(lines(page).nth(1)).to_contain_text(f"attack {source} {target}")
    to_move(page)
    box = end(page).bounding_box()
    assert box is not None
    assert box["height"] >= 40
    tap(page, end(page))
    expect(lines(page).nth(2)).to_contain_text("end")


def test_a_phone_on_its_side_shows_the_whole_map(open_page: OpenPage) -> None:
    page = open_page(**{**PHONE, "viewport": {"width": 844, "height": 390}})
    open_table(page, TABLE)
    to_move(page)
    box = page.locator("#map").bounding_box()
    assert box is not None
    assert box["height"] <= 390 - 44
