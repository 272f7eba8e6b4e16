"""The web app under load: ``python bench/web_load.py [--tables 200] [--seconds 120] [--think 0.2,1.8] [--json]``.

Starts ``ludens serve`` with a new store and opens tables of Azul against an agent, each with a client that waits a
moment, plays a random legal move, and waits for the answer. Measures the time from a click until the client's own move
is confirmed, and until the position after the opponent's answer arrives. At the end the store must hold every game as
its client saw it. Exits with 1 if anything went wrong or if 5 answers in 100 took half a second or longer.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect

import ludens
from ludens.arena.store import Store

LIMIT_MS = 500.0  # 95 answers in 100 must be quicker
PATIENCE = 30.0  # seconds until a client gives up waiting
OPENED_PER_SECOND = 15  # the server allows 20


@dataclass
class Tally:
    """The measurements of all clients together."""

    answered: list[float] = field(default_factory=list)  # milliseconds from a click to the opponent's answer
    confirmed: list[float] = field(default_factory=list)  # milliseconds from a click to one's own move on the board
    errors: list[str] = field(default_factory=list)
    games: dict[str, list[str]] = field(default_factory=dict)  # table -> moves, as received
    finished: int = 0
    bytes: int = 0
    begun: float = 0.0  # when the last table was open and measuring began
    ended: float = 0.0
    cpu: float = float("nan")  # CPU seconds of the server meanwhile, without its agent processes
    machine_load: float = 0.0  # load average before the start: on a busy machine all figures are worse


@dataclass
class Asked:
    """The command-line arguments."""

    tables: int
    seconds: float
    think: tuple[float, float]
    agent: str
    is_compressed: bool


class Door:
    """Opens tables for all clients, no faster than the server allows."""

    def __init__(self, place: str) -> None:
        self.place = urlsplit(place).netloc
        self._next = 0.0

    async def open(self, token: str, agent: str) -> str:
        """Open a table at which the holder of ``token`` plays against ``agent``; return its id."""
        now = time.monotonic()
        at = max(now, self._next)
        self._next = at + 1 / OPENED_PER_SECOND
        await asyncio.sleep(at - now)
        return await asyncio.to_thread(self._post, token, agent)

    def _post(self, token: str, agent: str) -> str:
        """Send the form that opens a table and return the table's id."""
        form = urlencode({"game": "azul", "seat.0": "person", "seat.1": agent})
        headers = {"cookie": f"ludens-token={token}", "content-type": "application/x-www-form-urlencoded"}
        line = http.client.HTTPConnection(self.place, timeout=PATIENCE)
        try:
            line.request("POST", "/tables", form, headers)
            answer = line.getresponse()
            answer.read()
            if answer.status != 303:
                raise RuntimeError(f"no table was opened: {answer.status}")
            return answer.headers["location"].rpartition("/")[2]
        finally:
            line.close()


# clients


class Client:
    """A client that plays random moves, one game after another."""

    def __init__(self, door: Door, tally: Tally, asked: Asked, number: int) -> None:
        self.door, self.tally, self.asked = door, tally, asked
        self.random = random.Random(number)
        self.token = secrets.token_urlsafe(24)
        self.is_at_table = asyncio.Event()

    async def play(self, end: asyncio.Event) -> None:
        """Play games until ``end`` is set; failures are counted, and the next game begins."""
        while not end.is_set():
            try:
                await self._play_one(end)
            except Exception as why:  # counted, and the client goes on with another game
                self.tally.errors.append(f"{type(why).__name__}: {why}"[:200])
                self.is_at_table.set()
                await asyncio.sleep(1)

    async def _play_one(self, end: asyncio.Event) -> None:
        """Open a table and play one game to its end, or until ``end`` is set."""
        table = await self.door.open(self.token, self.asked.agent)
        moves = self.tally.games[table] = []
        compression = "deflate" if self.asked.is_compressed else None
        async with connect(
            f"ws://{self.door.place}/table/{table}/socket",
            additional_headers={"cookie": f"ludens-token={self.token}"},
            compression=compression,
            max_size=None,
            ping_interval=None,
        ) as line:
            position = await self._wait(line, moves)
            self.is_at_table.set()
            while not position["over"] and not end.is_set():
                await asyncio.sleep(self.random.uniform(*self.asked.think))
                position = await self._click(line, position, moves)
            self.tally.finished += position["over"]

    async def _click(self, line: ClientConnection, position: dict[str, Any], moves: list[str]) -> dict[str, Any]:
        """Send a random legal move, and wait for and return the next position in which the client is to move."""
        action = self.random.choice(position["moves"])[0]
        text = json.dumps({"kind": "move", "step": position["step"], "action": action})
        begun = time.perf_counter()
        await line.send(text)
        after = await self._wait(line, moves, position["step"] + 1, begun)
        if self.tally.begun:
            self.tally.answered.append(1000 * (time.perf_counter() - begun))
        return after

    async def _wait(
        self, line: ClientConnection, moves: list[str], own: int = -1, begun: float = 0.0
    ) -> dict[str, Any]:
        """Receive positions until the client is to move or the game is over, and return the last one.

        Moves are added to ``moves``. ``own`` is the step that confirms the client's own move, sent at ``begun``.
        """
        while True:
            raw = await asyncio.wait_for(line.recv(), PATIENCE)
            now = time.perf_counter()
            self.tally.bytes += len(raw)
            message = json.loads(raw)
            if message["kind"] != "position":
                raise RuntimeError(f"the server says: {message}"[:200])
            moves += [told["move"] for told in message["lines"] if told["step"]]
            if message["step"] == own and self.tally.begun:
                self.tally.confirmed.append(1000 * (now - begun))
            if message["over"] or message["moves"]:
                return message


async def load(place: str, pid: int, asked: Asked) -> Tally:
    """Run all clients, and measure for ``asked.seconds`` from the moment the last table is open."""
    tally, door, end = Tally(machine_load=os.getloadavg()[0]), Door(place), asyncio.Event()
    clients = [Client(door, tally, asked, number) for number in range(asked.tables)]
    tasks = [asyncio.create_task(client.play(end)) for client in clients]
    await asyncio.gather(*(client.is_at_table.wait() for client in clients))
    tally.begun, worked = time.perf_counter(), cpu_seconds(pid)
    while (left := tally.begun + asked.seconds - time.perf_counter()) > 0:
        show(f"{left:4.0f} s left, {len(tally.answered):,} moves, {len(tally.errors)} errors")
        await asyncio.sleep(min(left, 2.0))
    tally.ended, tally.cpu = time.perf_counter(), cpu_seconds(pid) - worked
    end.set()
    await asyncio.gather(*tasks)
    show("")
    return tally


def show(words: str) -> None:
    """Print a line of progress that overwrites the one before."""
    if sys.stderr.isatty():
        print(f"\r{words:60}", end="", file=sys.stderr, flush=True)


# the server


@contextlib.contextmanager
def server(store: Path) -> Iterator[tuple[str, int]]:
    """Start ``ludens serve`` on a free port and yield (address, process id) when its games are compiled."""
    command = [sys.executable, "-m", "ludens", "serve", "--port", "0", "--store", str(store)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        if " at http" not in said:
            sys.exit("the server did not start")
        place = said.split()[3]
        wait_until_ready(place)
        yield place, process.pid
    finally:
        process.terminate()
        process.wait(20)


def cpu_seconds(pid: int) -> float:
    """CPU seconds a process has used so far; nan where there is no ``/proc``."""
    file = Path(f"/proc/{pid}/stat")
    if not file.exists():
        return float("nan")
    fields = file.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_ready(place: str, seconds: float = 300.0) -> None:
    """Wait until no game is being compiled any more; exit after ``seconds``."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        line = http.client.HTTPConnection(urlsplit(place).netloc, timeout=PATIENCE)
        line.request("GET", "/ready.json")
        states = {game: row["state"] for game, row in json.loads(line.getresponse().read()).items()}
        line.close()
        if states["azul"] == "ready" and not {"waiting", "compiling"} & set(states.values()):
            return
        show("the games are being compiled")
        time.sleep(0.5)
    sys.exit("the games did not get ready")


# the report


def lost_games(store: Path, tally: Tally) -> list[str]:
    """The tables whose stored moves differ from those their client saw."""
    kept = Store(store)
    game = ludens.game("azul")
    rows = {row.id: [game.rules.action_text(action) for action in row.actions] for row in kept.tables()}
    kept.close()
    return [table for table, moves in tally.games.items() if rows.get(table) != moves]


def share(values: list[float], percent: float) -> float:
    """The value that ``percent`` percent of the values do not exceed; nan if there are none."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * percent / 100), len(ordered) - 1)] if ordered else float("nan")


def report(tally: Tally, lost: list[str], asked: Asked) -> dict[str, Any]:
    """The figures to print, from the measurements: {name: figure}."""
    seconds = tally.ended - tally.begun
    times = {
        f"{name}_p{percent}_ms": round(share(values, percent), 1)
        for name, values in (("answered", tally.answered), ("confirmed", tally.confirmed))
        for percent in (50, 95, 99)
    }
    return {
        "tables": asked.tables,
        "seconds": round(seconds, 1),
        "moves": len(tally.answered),
        "moves_per_s": round(len(tally.answered) / seconds, 1),
        **times,
        "slowest_ms": round(max(tally.answered, default=float("nan")), 1),
        "server_cpu_ms_per_move": round(1000 * tally.cpu / max(len(tally.answered), 1), 2),
        "server_cpu_percent": round(100 * tally.cpu / seconds),
        "machine_load_before": round(tally.machine_load, 1),
        "megabytes_per_s": round(tally.bytes / seconds / 1e6, 2),
        "games": len(tally.games),
        "games_finished": tally.finished,
        "games_lost": len(lost),
        "errors": len(tally.errors),
    }


def read_arguments() -> tuple[Asked, bool]:
    """(The command-line arguments, whether to print JSON.)"""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tables", type=int, default=200)
    arguments.add_argument("--seconds", type=float, default=120.0)
    arguments.add_argument("--think", default="0.2,1.8", help="seconds before a click, from,to")
    arguments.add_argument("--agent", default="heuristic")
    arguments.add_argument("--compressed", action="store_true", help="as browsers do; the clients then work more")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    low, high = (float(part) for part in given.think.split(","))
    return Asked(given.tables, given.seconds, (low, high), given.agent, given.compressed), given.json


def main() -> None:
    """Start a server, run the clients, print the figures; exit with 1 if anything failed, was lost or was slow."""
    asked, as_json = read_arguments()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "load.db"
        with server(store) as (place, pid):
            tally = asyncio.run(load(place, pid, asked))
        lost = lost_games(store, tally)
    found = report(tally, lost, asked)
    if as_json:
        print(json.dumps(found))
    else:
        print("\n".join(f"{name:26}{value:>12,}" for name, value in found.items()))
    for words in dict.fromkeys([*tally.errors, *(f"table {table} is not kept as it was seen" for table in lost)]):
        print(words, file=sys.stderr)
    is_slow = not found["answered_p95_ms"] < LIMIT_MS
    sys.exit(1 if tally.errors or lost or is_slow else 0)


if __name__ == "__main__":
    main()
