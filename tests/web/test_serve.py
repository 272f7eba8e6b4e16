"""The server process: what it prints, where it listens, what it refuses."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from ludens.core.error import LudensError
from ludens.web import serve as module
from ludens.web.serve import serve


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[uvicorn.Config]:
    """The settings of servers that would run."""
    configs: list[uvicorn.Config] = []

    async def run(server: uvicorn.Server, sockets: Any) -> None:
        configs.append(server.config)
        for listener in sockets:
            listener.close()

    monkeypatch.setattr(uvicorn.Server, "serve", run)
    monkeypatch.setattr(module, "_load_games", lambda: None)
    return configs


def test_a_local_server_says_where_it_is(
    served: list[uvicorn.Config], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve("127.0.0.1", 0, tmp_path / "s.db", 10.0)
    printed = capsys.readouterr().out
    assert printed.startswith("ludens is at http://127.0.0.1:")
    assert printed.count("\n") == 1
    assert not served[0].ws_per_message_deflate


def test_an_open_server_says_what_that_means(
    served: list[uvicorn.Config], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve("0.0.0.0", 0, tmp_path / "s.db", 10.0)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("ludens is at http://0.0.0.0:")
    for words in ("Everybody", "network", "processor", "no password", "encrypted", "trust"):
        assert words in second


def test_the_limits_of_connections_are_those_of_the_server(served: list[uvicorn.Config], tmp_path: Path) -> None:
    serve("127.0.0.1", 0, tmp_path / "s.db", 10.0)
    config = served[0]
    config.load()
    assert config.http_protocol_class.__name__ == "HttpConnection"
    assert config.ws_protocol_class is not None
    assert config.ws_protocol_class.__name__ == "SocketConnection"
    assert not config.proxy_headers  # no header may change the address by which a visitor is counted


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", -1), ("127.0.0.1", 65536), ("no.such.host.invalid", 0)])
def test_where_it_cannot_listen_is_said_in_a_sentence(tmp_path: Path, host: str, port: int) -> None:
    with pytest.raises(LudensError, match="--port"):
        serve(host, port, tmp_path / "s.db", 10.0)


def test_log_handlers_of_others_stay_open(served: list[uvicorn.Config], tmp_path: Path) -> None:
    """Those of libraries may write to what a test, or a notebook, has put in the place of standard error."""
    file = (tmp_path / "log").open("w", encoding="utf-8")

    class Closing(logging.StreamHandler[Any]):
        def close(self) -> None:
            self.stream.close()

    handler = Closing(file)
    serve("127.0.0.1", 0, tmp_path / "s.db", 10.0)
    assert not file.closed
    handler.close()
