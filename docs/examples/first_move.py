#!/usr/bin/env python3
"""An agent for ludens in plain Python: it needs nothing but Python, not even ludens. See docs/protocol.md.

ludens arena azul "cmd:python3 docs/examples/first_move.py --last" random

It plays the first of its legal moves, with --last the last one.
"""

import json
import sys

place = -1 if "--last" in sys.argv[1:] else 0


def answer(message):
    """What to say to a message of ludens; None: nothing."""
    if message["type"] == "hello":
        return {"type": "hello", "protocol": 1, "name": "first move"}
    if message["type"] == "view":
        return {"type": "move", "action": message["moves"][place]["action"]}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    reply = answer(message)
    if reply is not None:
        print(json.dumps(reply), flush=True)
