"""Small parts of the guard; what it does to requests is in ``test_protocol``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludens.web.app import WebSettings, create_app
from ludens.web.guard import MOST_BODY, Guard


def why_not(hosts: Any, method: str = "POST", **headers: str) -> str:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]

    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    return Guard(app, hosts)._why_not({"type": "http", "method": method, "headers": raw})


def test_an_open_server_answers_to_any_name_but_not_to_other_sites() -> None:
    assert why_not(None, host="games.example") == ""
    assert why_not(None, host="games.example", origin="https://games.example") == ""
    assert "another site" in why_not(None, host="games.example", origin="https://evil.example")
    assert why_not(None, "GET", host="games.example", origin="https://evil.example") == ""


@pytest.mark.parametrize("length", ["65537", "-1", "1e3", "x", "9" * 30, "٣"])
def test_only_small_and_sensible_lengths_are_taken(length: str) -> None:
    assert str(MOST_BODY) in why_not(None, host="h", content_length=length).replace(",", "")
    assert why_not(None, host="h", content_length="65536") == ""


def test_an_open_server_serves_any_name(tmp_path: Path) -> None:
    app = create_app(WebSettings(tmp_path / "s.db", is_local=False))
    client = TestClient(app, "http://games.example")  # not entered: nothing starts, static files need nothing
    assert client.get("/static/style.css").status_code == 200
    assert client.get("/board.css").headers["content-type"].startswith("text/css")
