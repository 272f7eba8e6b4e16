"""The process that reads one uploaded file and ends: text that takes too long to read holds up nobody else.

``ludens.web.upload`` starts it and kills it when its time is up. It must be a process: pieces of Python such as regular
expressions can keep a thread from being interrupted, and every other thread from running.
"""

from __future__ import annotations

from typing import Any

from ludens.arena.pipe import join_parent, send
from ludens.core.error import BadStore, LudensError
from ludens.core.registry import game_class


def reply_to(asked: dict[str, Any], body: bytes) -> dict[str, Any]:
    """Store the file ``body`` (UTF-8) for an option: {'value': ...}, or {'error': sentence, 'is_store': bool}.

    ``asked`` has the 'game', the 'option' and the 'name' to show.
    """
    try:
        return {"value": game_class(asked["game"]).Rules.keep_file(asked["option"], body.decode(), asked["name"])}
    except LudensError as why:
        return {"error": str(why), "is_store": isinstance(why, BadStore)}


def main() -> None:
    """Read one file for the parent process: it says 'ready' when the game is loaded, and then what became of it."""
    frames, sink = join_parent(silent=False)
    asked, body = frames.get()
    game_class(asked["game"])
    send(sink, {"ready": True})
    send(sink, reply_to(asked, body))


if __name__ == "__main__":
    main()
