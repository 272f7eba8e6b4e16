"""``ludens hearthstone scenario FILE``: set up a position, play some moves, and print what happened.

A scenario is a JSON file with ``sides`` (two, see `position.py`) and, if wanted, ``turn`` (0 or 1), ``seed``,
``options`` and ``moves``. A move is written as it is typed, or with the name of the card: ``play Fireball on e0``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.core.error import BadOption
from ludens.core.file import json_of, text_of

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.games.hearthstone.position import Position

_MAX_BYTES = 64 * 1024
_KEYS = ("sides", "turn", "seed", "options", "moves")
_BY_NAME = re.compile(r"play (?P<name>\D.*?)(?P<rest>(?: at \d)?(?: on e?\d)?)")


def scenario(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A scenario, JSON.")],
    seed: Annotated[int | None, typer.Option(help="Seed of the dice, instead of the scenario's.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the position at the end as data.")] = False,
) -> None:
    """Set up a position from a file, play its moves, and print what happened."""
    from ludens.games.hearthstone.position import as_data

    data = _read(file)
    state = set_up(data if seed is None else {**data, "seed": seed})
    for move in _moves(data):
        play_move(state, str(move))
        if not as_json:
            typer.echo("\n".join([f"> {move}", *_sentences(state)]))
    if as_json:
        boards = [list(_board(state, seat)) for seat in range(2)]
        end = {**as_data(state), "boards": boards, "over": state.over, "returns": state.returns}
        typer.echo(json.dumps(end, indent=2))
    else:
        typer.echo("\n".join(_lines_of_sides(state, as_data(state)["sides"])))


def set_up(data: Mapping[str, Any]) -> Position:
    """Make the position at the start of a scenario, given as parsed JSON; BadOption if something is wrong with it."""
    from ludens.games.hearthstone.game import Hearthstone
    from ludens.games.hearthstone.position import read_position

    wrong = next((key for key in data if key not in _KEYS), None)
    if wrong is not None:
        raise BadOption(f"a scenario has no '{wrong[:40]}'; it has: {', '.join(_KEYS)}")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise BadOption('the options of a scenario are an object, {"positions": "free"}')
    return read_position(Hearthstone(**options), data, seed=data.get("seed", 1))


def _moves(data: Mapping[str, Any]) -> list[Any]:
    """Return the moves of a scenario, given as parsed JSON; BadOption if they are no list."""
    moves = data.get("moves", [])
    if not isinstance(moves, list):
        raise BadOption('the moves of a scenario are a list, ["play Fireball on e0", "end"]')
    return moves


def play_move(state: Position, move: str) -> None:
    """Play a move in ``state``, as it is typed or with a card's name: ``play NAME``.

    BadOption if that is not in the hand.
    """
    from ludens.games.hearthstone.card import all_cards

    match = _BY_NAME.fullmatch(move.strip())
    if match:
        q = state.raw.side[int(state.raw.turn)]
        hand = [all_cards()[int(card)].name.lower() for card in q.hand[: q.hand_size]]
        if match["name"].lower() not in hand:
            raise BadOption(
                f"'{move[:60]}' cannot be played: {match['name'][:40]} is not in the hand of the player to move"
            )
        move = f"play {hand.index(match['name'].lower()) + 1}{match['rest']}"
    state.play(move)


def _read(file: Path) -> dict[str, Any]:
    """Read the JSON object in a file; BadOption if it cannot be read or is none."""
    data = json_of(text_of(file, _MAX_BYTES, "scenario"), f"the scenario {file}")
    if not isinstance(data, dict):
        raise BadOption(f"{file} is no scenario: it takes an object with {', '.join(_KEYS)}")
    return data


def _sentences(state: Position) -> Iterator[str]:
    """Yield sentences for what the last move did. An event told to each seat differently is printed once, in full."""
    for event in state.history[-1]:
        said = state.game.face.event_text(event)
        if said and not _is_partial(event):
            yield f"  {said}"


def _is_partial(event: Event) -> bool:
    """Return whether an event is the version for the opponent, who may not know the card."""
    from ludens.games.hearthstone import record as k

    return event.kind in (k.DREW, k.HID, k.DEALT) and event.b == 0


def _lines_of_sides(state: Position, sides: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a few lines for each side of a position; ``sides`` are both sides as plain data."""
    for seat, side in enumerate(sides):
        held = side["weapon"]
        weapon = f", {held['name']} {held['attack']}/{held['durability']}" if held else ""
        yield f"{seat + 1}. {side['hero']}: {side['health']} health, {side['armor']} armor{weapon}"
        yield f"   mana {side['mana']} of {side['crystals']}, {len(side['deck'])} cards in the deck"
        yield f"   board: {', '.join(_board(state, seat)) or '-'}"
        yield f"   hand: {', '.join(card['name'] for card in side['hand']) or '-'}"
        yield f"   secrets: {', '.join(secret['name'] for secret in side['secrets']) or '-'}"


def _board(state: Position, seat: int) -> Iterator[str]:
    """Yield the minions of a seat: name, current attack (with auras and bonus) and health, keywords."""
    from ludens.games.hearthstone.card import all_cards
    from ludens.games.hearthstone.position import keywords_of

    q = state.raw.side[seat]
    for body in (state.raw.body[e] for e in q.board[: q.board_size]):
        attack = max(0, int(body.attack) + int(body.attack_this_turn) + int(body.aura))
        keywords = ", ".join(keywords_of(int(body.keywords)))
        yield f"{all_cards()[int(body.card)].name} {attack}/{int(body.health)}" + (f" ({keywords})" if keywords else "")
