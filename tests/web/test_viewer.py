"""What a page is sent of a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.client import site

from kuhn import KuhnFace


@pytest.mark.parametrize(("asks", "why"), [("Bet or pass?", "The bet was not called."), ("Bet", "Nobody called")])
def test_a_full_stop_that_a_game_leaves_out_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: str, why: str
) -> None:
    monkeypatch.setattr(KuhnFace, "asks", lambda face, view: asks)
    monkeypatch.setattr(KuhnFace, "why_over", lambda face, view: why)
    with site(tmp_path / "s.db") as web, web.page(web.open("kuhn", ["", "random"])) as page:
        assert page.position["asks"] == (asks if asks.endswith("?") else f"{asks}.")
        while not page.position["over"]:
            page.move()
        assert page.position["status"].startswith(f"{why.rstrip('.')}. ")
