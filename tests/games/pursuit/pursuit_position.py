"""Boards and positions made by hand: links are typed '1-2 2-3', start stops are given, moves are played as typed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

import ludens
from ludens.core.event import Event
from ludens.core.state import State
from ludens.games.pursuit.board_file import FORMAT, keep_board
from ludens.games.pursuit.game import Pursuit


@pytest.fixture(autouse=True, scope="module")
def own_boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Boards are kept in a folder of the tests; for every module that imports this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDENS_BOARDS", str(tmp_path_factory.mktemp("boards")))
        yield


def pursuit(**options: Any) -> Pursuit:
    game = ludens.game("pursuit", **options)
    assert isinstance(game, Pursuit)
    return game


def board(
    stops: int,
    links: Mapping[str, str],
    *,
    phantom: Mapping[str, Any],
    detective: Mapping[str, int],
    detectives: int = 1,
    rounds: int = 6,
    reveals: Sequence[int] = (),
    black_only: Sequence[str] = (),
    starts: Sequence[int] = (),
    **game: Any,
) -> dict[str, Any]:
    """A board in our notation; every stop is a start stop unless they are listed."""
    return {
        "ludens": FORMAT,
        "name": "by hand",
        "modes": [mode for mode in links if mode not in black_only],
        "black_only": list(black_only),
        "stops": stops,
        "starts": list(starts or range(1, stops + 1)),
        "links": {
            mode: [[int(end) for end in link.split("-")] for link in typed.split()] for mode, typed in links.items()
        },
        "phantom": {"tickets": dict(phantom)},
        "detectives": {"count": detectives, "tickets": dict(detective)},
        "game": {"rounds": rounds, "reveals": list(reveals), **game},
    }


def on_board(data: Mapping[str, Any], **options: Any) -> Pursuit:
    """A game on a board of one's own."""
    return pursuit(board=keep_board(json.dumps(data), "by hand").id, **options)


# 1 - 2 - 3 - 4 - 5 - 6 by taxi; by tram 1 - 3 - 5; by boat 1 - 6
LINE: dict[str, Any] = {
    "stops": 6,
    "links": {"taxi": "1-2 2-3 3-4 4-5 5-6", "tram": "1-3 3-5", "boat": "1-6"},
    "black_only": ["boat"],
    "phantom": {"taxi": 2, "tram": 1, "black": 1, "double": 1},
    "detective": {"taxi": 3, "tram": 1},
    "rounds": 4,
    "reveals": [2],
}


def line(changed: dict[str, Any] | None = None, **options: Any) -> Pursuit:
    """The line, with another rule or other tickets in its file, played with these options."""
    return on_board(board(**LINE | (changed or {})), **options)


def position(game: Pursuit, stops: Sequence[int], moves: Sequence[str] = ()) -> State:
    """The pieces on these stops, the phantom's first, after these moves."""
    state = game.start(seed=1, fields={"stop": list(stops)})
    for move in moves:
        state.play(move)
    return state


def typed(state: State) -> list[str]:
    """The legal moves as they are typed."""
    return list(state.moves())


def possible(state: State) -> set[int]:
    """Where the phantom may be."""
    words = [int(word) for word in state.raw.possible]
    return {stop for stop in range(64 * len(words)) if words[stop // 64] >> stop % 64 & 1}


def weights(state: State) -> dict[int, int]:
    """By how many paths, where it may be."""
    return {stop: int(paths) for stop, paths in enumerate(state.raw.weight) if paths}


def tickets(state: State, piece: int) -> list[int]:
    """Of each kind: modes, black, double."""
    return [int(count) for count in state.raw.tickets[piece]]


def events(state: State, kind: int) -> list[Event]:
    """The last move's events of a kind."""
    return [event for event in state.history[-1] if event.kind == kind]
