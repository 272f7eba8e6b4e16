"""No byte that reaches a browser during a game tells what the seat's owner may not know. See ``tests.web.twins``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import Page
from tests.web.twins import Twins, alike, choose, compare, guessed, replace_world, twins

from ludens.core.event import heard_by
from ludens.core.game import Game, View
from ludens.core.registry import game_class, game_names, make_game
from ludens.web import replay, viewer
from ludens.web.table import Table
from ludens.web.viewer import Viewer

PLAYER = "random"
FOLLOWED = 5  # comparisons of one game
STEPS = (0, 1, 2, 7)  # moves before the worlds part
SECRETIVE = [name for name in game_names() if game_class(name).has_secrets]
CASES = [(name, dict(options)) for name in SECRETIVE for options in game_class(name).option_sets[:2]]
cases = pytest.mark.parametrize(("name", "options"), CASES, ids=[f"{name}-{options}" for name, options in CASES])
Pair = tuple[Page, Page]


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Twins]:
    with twins(tmp_path) as made:
        yield made


def of_game(name: str, options: dict[str, Any]) -> Game:
    game = make_game(name, **options)
    if not game.can("guess"):
        pytest.skip(f"{name} has no guess")
    return game


def go_on(pages: Pair, table: Table) -> None:
    """The same move by the watched seat at both, or the next move of agents among themselves."""
    now = pages[0].position
    for page in pages:
        if now["next"]:
            page.say({"kind": "next", "step": now["step"]})
        else:
            page.move(choose([move[0] for move in now["moves"]], now["step"], table.id))


def probe(page: Page, game: Game) -> None:
    """Send what is refused: the words of a refusal may tell nothing either."""
    now = page.position
    legal = [move[0] for move in now["moves"]]
    wrong = [action for action in range(game.actions) if action not in legal]
    for action in (*wrong[:2], *wrong[-2:], game.actions):
        page.say({"kind": "move", "step": now["step"], "action": action})
        page.say({"kind": "type", "step": now["step"], "text": str(action)})
    page.say({"kind": "type", "step": now["step"], "text": "nonsense"})
    page.say({"kind": "look", "seat": (now["seat"] + 1) % game.seats})


def follow(both: Twins, game: Game, seat: int, before: int, *, is_watched: bool = False) -> int:
    """Play two alike worlds, which part after some moves; how often they were compared."""
    specs = [PLAYER if is_watched or other != seat else "" for other in range(game.seats)]
    fields = {"watched": str(seat)} if is_watched else {}
    tables = both.open(game, specs, **fields)
    compared = 0
    with both.pages(tables[0].id) as pages:
        while tables[0].step < before and tables[0].is_open:
            go_on(pages, tables[0])
        if not tables[0].is_open or not replace_world(tables[1], seat):
            return 0
        while compared < FOLLOWED and alike(*tables, seat):
            for page in pages if compared < 2 else ():
                probe(page, game)
            compare(both, tables, pages, seat, is_whole=compared == 0)
            compared += 1
            go_on(pages, tables[0])
    return compared


def follow_all(folder: Path, game: Game, *, is_watched: bool = False) -> int:
    """Every seat, and worlds that part early and late; how often they were compared."""
    compared = 0
    for number, (seat, before) in enumerate(product(range(game.seats), STEPS)):
        with twins(folder / str(number)) as both:  # fresh ones: a finished game is in the leaderboard, and no secret
            both.count = number
            compared += follow(both, game, seat, before, is_watched=is_watched)
    return compared


@cases
def test_a_player_cannot_tell_two_worlds_apart(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    assert follow_all(tmp_path, of_game(name, options)) > 3


@cases
def test_a_watcher_of_agents_cannot_either(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    assert follow_all(tmp_path, of_game(name, options), is_watched=True) > 3


# one device, several people


def no_board(frames: list[str]) -> None:
    told = [json.loads(frame) for frame in frames]
    shown = [message["kind"] for message in told if message["kind"] not in ("pass", "error")]
    assert not shown, f"{shown} came before anybody was there to look"


def try_everything(page: Page, step: int) -> None:
    """Whatever a page can send without saying that the right person is there."""
    game = page.site.table(page.id).game
    page.say({"kind": "shape", "shape": "tall"})
    page.say({"kind": "type", "step": step, "text": "nonsense"})
    page.say({"kind": "move", "step": step, "action": game.actions - 1})
    for spec in ("random", "mcts", *game.levels):
        page.say({"kind": "hint", "agent": spec})
        page.say({"kind": "bar", "agent": spec})


@cases
def test_a_shared_device_shows_nothing_before_the_right_person_is_there(
    both: Twins, name: str, options: dict[str, Any]
) -> None:
    game = of_game(name, options)
    tables = both.open(game, [""] * game.seats)
    deal = game.start(12345)
    two = tables[1].state
    two.array, two.history = deal.array, deal.history
    with both.pages(tables[0].id) as pages:
        for page in pages:
            try_everything(page, 0)
            no_board(page.frames)
            assert tables[0].step == tables[1].step == 0
        assert pages[0].frames == pages[1].frames


def pass_to_one_in_the_dark(pages: Pair, tables: tuple[Table, Table]) -> int:
    """Whoever knows everything, as a phantom does, looks and moves; the first seat to move that does not."""
    while guessed(tables[1].state, seat := tables[1].state.to_move) is None:
        for page in pages:
            page.say({"kind": "look", "seat": seat})
        go_on(pages, tables[0])
    return seat


@cases
def test_a_device_that_is_passed_on_shows_each_his_own(both: Twins, name: str, options: dict[str, Any]) -> None:
    game = of_game(name, options)
    tables = both.open(game, [""] * game.seats)
    with both.pages(tables[0].id) as pages:
        seat = pass_to_one_in_the_dark(pages, tables)
        assert replace_world(tables[1], seat)
        for page in pages:
            page.say({"kind": "look", "seat": seat})
        assert pages[0].position["seat"] == seat
        assert pages[0].frames == pages[1].frames
        while alike(*tables, seat) and tables[0].state.to_move == seat:
            go_on(pages, tables[0])
        if not alike(*tables, seat):
            return
        assert pages[0].frames == pages[1].frames
        for page in pages:
            assert json.loads(page.frames[-1])["kind"] == "pass"
            before = len(page.frames)
            try_everything(page, tables[0].step)
            no_board(page.frames[before:])


def hide_elsewhere(both: Twins) -> None:
    """Two games in which the phantom has moved once, unseen, and stands elsewhere: the detectives must not notice."""
    tables = both.open(make_game("pursuit"), [PLAYER, ""])
    with both.pages(tables[0].id) as pages:
        assert pages[0].position["step"] == 1
        assert replace_world(tables[1], 1)
        assert tables[0].state.raw.stop[0] != tables[1].state.raw.stop[0]
        compare(both, tables, pages, 1, is_whole=True)


def test_detectives_are_told_the_same_wherever_the_phantom_is(both: Twins) -> None:
    hide_elsewhere(both)


# the check itself bites


def _other_eyes(self: Viewer, *, went_back: bool = False) -> dict[str, Any]:
    message = real_position(self, went_back=went_back)
    seat = (self.seat + 1) % self.game.seats
    return {**message, "svg": self.game.svg(View(self.game, self.table.state.view(seat).array))}


def _true_marks(self: Viewer, *, went_back: bool = False) -> dict[str, Any]:
    return {**real_position(self, went_back=went_back), "marks": [self.table.state.checksum]}


def _all_moves(table: Any, game: Game, step: int, seat: int | None) -> dict[str, Any]:
    text = game.action_text(table.state.actions[step - 1]) if step else ""
    return {**real_line(table, game, step, seat), "move": text}


def _all_events(table: Any, game: Game, step: int, seat: int | None) -> dict[str, Any]:
    return real_line(table, game, step, None)


def _heard_by_all(events: Any, seat: int) -> Any:
    return [event for other in range(2) for event in heard_by(events, other)]


def _seed_shown(self: Viewer) -> dict[str, str]:
    return {"fingerprint": "", "seed": f"{self.table.state.seed:x}"}


real_position, real_line = Viewer.position, viewer.move_line
BROKEN = {
    "another seat's eyes": (Viewer, "position", _other_eyes),
    "marks made from the truth": (Viewer, "position", _true_marks),
    "the others' moves in the list": (viewer, "move_line", _all_moves),
    "all events in the list": (viewer, "move_line", _all_events),
    "events heard by another seat": (viewer, "heard_by", _heard_by_all),
    "the seed in hex": (Viewer, "_dice", _seed_shown),
    "strangers let in": (Viewer, "may_see", True),
    "replays of games that are on": (replay, "_load_table", lambda store, id: replay.Replay(store.table(id).record)),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_page_is_caught(tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, wrong = BROKEN[how]
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(AssertionError, match=r"what it must not know|holds the|move list|is given to|is shown"):
        follow_all(tmp_path, of_game("kuhn", {"players": 3}))


def test_a_phantom_drawn_for_the_detectives_is_caught(both: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Viewer, "position", _other_eyes)
    with pytest.raises(AssertionError, match="what it must not know"):
        hide_elsewhere(both)
