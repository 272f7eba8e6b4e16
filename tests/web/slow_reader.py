"""Stands in for the process that reads an uploaded file, and does what the file's text asks."""

from __future__ import annotations

import os
import re

from ludens.arena.pipe import join_parent, send


def main() -> None:
    frames, sink = join_parent(silent=True)
    _, body = frames.get()
    send(sink, {"ready": True})
    if body == b"die":
        os._exit(3)
    re.match(rb"(a+)+$", b"a" * 60 + b"b")  # for years, and no other thread of the process runs meanwhile
    send(sink, {"value": "never"})


if __name__ == "__main__":
    main()
