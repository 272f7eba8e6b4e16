"""The page of a training in a browser: from the lobby to the curve, which renews itself, and to a game."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.learn.small import write_log
from tests.web.hand import button, lines, move, said
from tests.web.running import Server


def test_a_training_is_watched_and_played(page: Page, server: Server) -> None:
    page.goto("/")
    page.get_by_role("link", name=f"{server.agents[0]}, trained for Azul").click()
    curve = page.locator(".learning svg")
    expect(curve).to_have_attribute("aria-label", "v random: 50.0 %")
    write_log(server.agents[0], 0.25, 0.5, 0.9)
    expect(curve).to_have_attribute("aria-label", "v random: 90.0 %")
    button(page, "training.play").click()
    expect(page.locator("#ui-status")).to_contain_text(said("status.your-turn"))
    before = lines(page).count()
    move(page)
    expect(lines(page)).to_have_count(before + 2)  # it has answered
