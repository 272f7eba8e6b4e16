"""No byte that reaches a browser during a game tells what the seat's owner may not know. See ``tests.web.twins``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import TOKEN, Page, Site
from tests.web.twins import (
    STRANGERS,
    Bytes,
    Twins,
    alike,
    choose,
    compare,
    frames_of,
    guessed,
    replace_world,
    told_pages,
    twins,
)

from ludens.core import face as core_face
from ludens.core.event import events_for
from ludens.core.face import Face
from ludens.core.game import Game
from ludens.core.registry import advisers, game_class, game_names, make_game
from ludens.core.state import State, View
from ludens.games.dicewars.record import END, SAVED
from ludens.web import agent_process, replay, viewer
from ludens.web.question import Answer, Question
from ludens.web.table import Table
from ludens.web.viewer import Viewer

PLAYER = "random"
FOLLOWED = 5  # comparisons of one game
STEPS = (0, 1, 2, 7)  # moves before the worlds part
SECRETIVE = [name for name in game_names() if game_class(name).Rules.has_secrets]
CASES = [(name, dict(options)) for name in SECRETIVE for options in game_class(name).Rules.option_sets[:2]]
cases = pytest.mark.parametrize(("name", "options"), CASES, ids=[f"{name}-{options}" for name, options in CASES])
Pair = tuple[Page, Page]


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Twins]:
    with twins(tmp_path) as made:
        yield made


def of_game(name: str, options: dict[str, Any]) -> Game:
    return make_game(name, **options)


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
    wrong = [action for action in range(game.rules.actions) if action not in legal]
    for action in (*wrong[:2], *wrong[-2:], game.rules.actions):
        page.say({"kind": "move", "step": now["step"], "action": action})
        page.say({"kind": "type", "step": now["step"], "text": str(action)})
    page.say({"kind": "type", "step": now["step"], "text": "nonsense"})
    page.say({"kind": "look", "seat": (now["seat"] + 1) % game.rules.seats})


def follow(both: Twins, game: Game, seat: int, before: int, *, is_watched: bool = False) -> int:
    """Play two alike worlds, which part after some moves; how often they were compared."""
    specs = [PLAYER if is_watched or other != seat else "" for other in range(game.rules.seats)]
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
    for number, (seat, before) in enumerate(product(range(game.rules.seats), STEPS)):
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
    page.say({"kind": "move", "step": step, "action": game.rules.actions - 1})
    for spec in ("random", "mcts", *game.roster.levels):
        page.say({"kind": "hint", "agent": spec})
        page.say({"kind": "bar", "agent": spec})


@cases
def test_a_shared_device_shows_nothing_before_the_right_person_is_there(
    both: Twins, name: str, options: dict[str, Any]
) -> None:
    game = of_game(name, options)
    tables = both.open(game, [""] * game.rules.seats)
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
    tables = both.open(game, [""] * game.rules.seats)
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


def lays_secrets(pages: Pair, table: Table) -> bool:
    """Only end turns until the other seat has laid two secrets; False if the game is over before that."""
    while table.is_open and table.state.raw.side[0].secret_count < 2:
        first = pages[0].position["moves"][0][0]
        for page in pages:
            page.move(first)
    return table.is_open


def test_hand_deck_and_secrets_stay_hidden_in_a_game_under_way(both: Twins) -> None:
    """The cases above part at the start; here much has been played, and secrets lie on the table."""
    game = make_game("hearthstone", deck1="secret", deck2="malygos", decklists="hidden")
    compared = 0
    while compared == 0:
        assert both.count < 50, "nobody lays two secrets"
        tables = both.open(game, [PLAYER, ""])
        with both.pages(tables[0].id) as pages:
            if lays_secrets(pages, tables[0]) and replace_world(tables[1], 1):
                one, two = (table.state.raw.side[0] for table in tables)
                assert [name for name in ("hand", "deck") if one[name].tolist() == two[name].tolist()] == []
                compare(both, tables, pages, 1, is_whole=False)
                compared = int(one.secrets.tolist() != two.secrets.tolist())


# the check itself bites


def _other_eyes(self: Viewer, *, went_back: bool = False) -> dict[str, Any]:
    message = real_position(self, went_back=went_back)
    seat = (self.seat + 1) % self.game.rules.seats
    return {**message, "svg": self.game.face.svg(View(self.game, self.table.state.view(seat).array))}


def _true_marks(self: Viewer, *, went_back: bool = False) -> dict[str, Any]:
    return {**real_position(self, went_back=went_back), "marks": [self.table.state.checksum]}


def _all_moves(table: Any, face: Face, step: int, seat: int | None) -> dict[str, Any]:
    text = face.rules.action_text(table.state.actions[step - 1]) if step else ""
    return {**real_line(table, face, step, seat), "move": text}


def _all_events(table: Any, face: Face, step: int, seat: int | None) -> dict[str, Any]:
    return real_line(table, face, step, None)


def _told_to_all(events: Any, seat: int) -> Any:
    return [event for other in range(2) for event in events_for(events, other)]


def _read_any(store: Any, id: str) -> Any:
    row = store.table(id)
    return row.record, row


def _seed_shown(self: Viewer) -> dict[str, str]:
    return {"fingerprint": "", "seed": f"{self.table.state.seed:x}"}


real_position, real_line = Viewer.position, viewer.move_line
BROKEN = {
    "another seat's eyes": (Viewer, "position", _other_eyes),
    "marks made from the truth": (Viewer, "position", _true_marks),
    "the others' moves in the list": (viewer, "move_line", _all_moves),
    "all events in the list": (viewer, "move_line", _all_events),
    "events heard by another seat": (core_face, "events_for", _told_to_all),
    "the seed in hex": (Viewer, "_dice", _seed_shown),
    "strangers let in": (Viewer, "may_see", True),
    "replays of games that are on": (replay, "_read_table", _read_any),
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


# what nobody may know: the reserves of Dicewars


def of_dicewars(**options: Any) -> Game:
    return make_game("dicewars", players=3, areas=12, **options)


def save_more(state: State, seat: int) -> None:
    """Another reserve than the true one: the worlds part when it comes onto the map, at the end of the seat's turn."""
    state.raw.reserve[seat] += 5


def seen_by_all(where: Site, table: Table) -> Bytes:
    """What fresh pages are told: the owner's and those of strangers, who may look on here."""
    eyes = {"owner": TOKEN, **STRANGERS}
    shapes = ("wide", "tall")
    return {
        f"{shape} page of {name}": frames_of(where, table.id, token, f"?shape={shape}")
        for (name, token), shape in product(eyes.items(), shapes)
    }


def ask_for_advice(page: Page, game: Game) -> None:
    for spec in ("mcts", *game.roster.levels):
        page.say({"kind": "hint", "agent": spec})
        page.say({"kind": "bar", "agent": spec})
    page.say({"kind": "bar", "agent": ""})


def a_move(table: Table) -> int:
    """A few attacks and transfers, then the end of the turn."""
    state = table.state
    is_enough = int(state.raw.attacks) + int(state.raw.transfers) > 2
    return END if is_enough else choose(state.legal, table.step, table.id)


def play_with_another_reserve(both: Twins, game: Game) -> tuple[list[str], list[str]]:
    """All that is told at both sites while the reserve of a player whose turn is over differs."""
    tables = both.open(game, [""] * game.rules.seats)
    told: tuple[list[str], list[str]] = ([], [])
    with both.pages(tables[0].id) as pages:
        for page in pages:
            page.move(END)
        save_more(tables[1].state, 0)
        while tables[0].is_open and tables[0].state.to_move != 0:
            action = a_move(tables[0])
            for where, table, page, heard in zip(both.sites, tables, pages, told, strict=True):
                page.move(action)
                probe(page, game)
                ask_for_advice(page, game)
                seen = seen_by_all(where, table) | (told_pages(where, table) if action == END else {})
                heard += [f"{name}: {found!r}" for name, found in seen.items()]
        for page, heard in zip(pages, told, strict=True):
            heard += [f"frame: {frame}" for frame in page.frames]
    return told


def test_no_page_depends_on_hidden_reserves(both: Twins) -> None:
    one, two = play_with_another_reserve(both, of_dicewars())
    assert len(one) > 20
    assert one == two


def test_public_reserves_are_seen_by_everybody(both: Twins) -> None:
    one, two = play_with_another_reserve(both, of_dicewars(reserves="public"))
    unlike = [first.partition(":")[0] for first, second in zip(one, two, strict=True) if first != second]
    assert {f"{shape} page of {name}" for name in ("owner", *STRANGERS) for shape in ("wide", "tall")} <= {*unlike}


def asked(game: Game, state: State, kind: str, spec: str) -> Answer:
    """What a thinking process answers about a state that it keeps."""
    memory = agent_process.Memory()
    memory.states["table"] = state
    question = Question(kind, game.id, game.rules.option_values(), [spec], "table", state.seed, seat=state.to_move)
    question = replace(question, actions=list(state.actions))
    return replace(agent_process.answer(memory, question), ms=0)


@pytest.mark.parametrize("spec", ["mcts:sims=50", *game_class("dicewars").roster.levels])
def test_no_advice_depends_on_hidden_reserves(spec: str) -> None:
    game = of_dicewars()
    states = [game.start(3), game.start(3)]
    for seat in range(game.rules.seats):
        save_more(states[1], seat)
    assert states[0].array.tobytes() != states[1].array.tobytes()
    kinds = [kind for kind, method in (("hint", "policy"), ("value", "value")) if spec in advisers_of(game, method)]
    for kind in ("move", *kinds):
        assert asked(game, states[0], kind, spec) == asked(game, states[1], kind, spec)


def advisers_of(game: Game, method: str) -> list[str]:
    return ["mcts:sims=50", *advisers(game, method)]


def test_nobody_hears_of_a_hidden_reserve() -> None:
    """The events that tell of it have no ears."""
    game = of_dicewars(max_dice=2)  # few dice fit onto the map: reserves grow at once
    state = game.start(5)
    while not state.over:
        state.play(END)
    saved = [event for events in state.history for event in events if event.kind == SAVED]
    assert any(event.b for event in saved)
    assert not any(event.seen_by for event in saved)
