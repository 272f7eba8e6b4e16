"""Exports of finished games: the thesis's tables, replays for other programs, and our own records."""

from __future__ import annotations

import csv
import dataclasses
import functools
import importlib
import io
import json
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.command import caller
from tests.games.hearthstone.hearthstone_scene import Body, Half, Scene
from typer.testing import CliRunner

import ludens
from ludens.core.error import BadOption, BadRecord, MissingExtra
from ludens.core.record import Record
from ludens.games.hearthstone import export_node as nodes
from ludens.games.hearthstone import export_story as story
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import all_cards, find_card
from ludens.games.hearthstone.deck import SHIPPED, find_deck, keep_deck
from ludens.games.hearthstone.export import Finished, agent_ids, deck_id, play_again, read_records
from ludens.games.hearthstone.export_commands import app
from ludens.games.hearthstone.export_csv import (
    DECISION_COLUMNS,
    SUMMARY_COLUMNS,
    as_csv,
    decision_row,
    decision_rows,
    summary_row,
)
from ludens.games.hearthstone.export_hdt import key_points, to_hdtreplay
from ludens.games.hearthstone.export_hsreplay import to_hsreplay

DECKS = tuple(SHIPPED)
PLAYERS = ["face-hunter", "random-action:deck=secret"]


@functools.cache
def finished(seed: int, deck1: str = "face", deck2: str = "secret", positions: str = "rightmost") -> Finished:
    """A game between two players who seldom end a turn before they must, on decks they bring."""
    game, dice = ludens.game("hearthstone", positions=positions), random.Random(seed)
    decks = [find_deck(deck1), find_deck(deck2)]
    fields = {"lists": [list(deck.cards) for deck in decks], "classes": [deck.class_number for deck in decks]}
    state = game.start(seed, fields)
    while not state.over:
        legal = state.legal
        state.play(dice.choice(legal[1:] if len(legal) > 1 and dice.random() < 0.9 else legal))
    return play_again(dataclasses.replace(state.record, players=PLAYERS))


games = st.builds(
    finished,
    st.integers(0, 40),
    st.sampled_from(DECKS),
    st.sampled_from(DECKS),
    st.sampled_from(("rightmost", "free")),
)


# Which games


def test_only_finished_games_of_hearthstone_are_exported() -> None:
    record = ludens.game("hearthstone").start(1).record
    with pytest.raises(BadRecord, match="not over"):
        play_again(record)
    with pytest.raises(BadRecord, match="game of azul"):
        play_again(dataclasses.replace(record, game="azul"))


def test_who_failed_has_lost_though_the_game_was_not_over() -> None:
    record = ludens.game("hearthstone").start(1).play("keep 1").record
    played = play_again(dataclasses.replace(record, returns=[-1.0, 1.0], players=PLAYERS))
    assert summary_row(played)[-1] == "RandomAction_2"
    assert story.tell_story(played).tags[nodes.player_of(0)]["PLAYSTATE"] == nodes.LOST


def test_records_are_read_one_after_another() -> None:
    records = [finished(seed).record for seed in (1, 2)]
    assert read_records("\n".join(record.to_json() for record in records)) == records
    assert read_records(json.dumps(json.loads(records[0].to_json()), indent=1)) == records[:1]
    with pytest.raises(BadRecord, match="is not whole JSON"):
        read_records(records[0].to_json()[:-9])


def test_many_records_take_time_by_their_number() -> None:
    text = Record("hearthstone", 1, {}, 1, [0] * 20, "0").to_json()
    begin = time.process_time()
    assert len(read_records(f"{text}\n\n" * 20_000)) == 20_000  # copying the rest each time took minutes
    assert time.process_time() - begin < 10


def test_a_record_with_brought_decks_replays_in_another_process() -> None:
    record = finished(3, "liege", "malygos").record
    code = "import sys; from ludens.core.record import Record; print(Record.from_json(sys.argv[1]).replay().checksum)"
    command = [sys.executable, "-c", code, record.to_json()]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == record.checksum
    assert Record.from_json(record.to_json()) == record


def test_a_run_of_the_arena_can_be_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Agents bring their decks, the store keeps them, and the records of a run still play the same games."""
    specs, store = ["random-action:deck=secret", "random-action:deck=liege"], tmp_path / "games.db"
    result = ludens.arena(ludens.game("hearthstone"), specs, games=2, seed=1, store=store)
    printed = caller(monkeypatch, capsys, "replay")(result.run, "--json", "--store", store)
    rows = [summary_row(play_again(record)) for record in read_records(printed.out)]
    assert [(row[1], row[4]) for row in rows] == [("secret", "liege"), ("liege", "secret")]


# One row a game


def test_the_summary_is_as_in_the_thesis() -> None:
    assert ",".join(SUMMARY_COLUMNS) == (
        "Player_1_id,Player_1_deck_id,Player_1_final_hp,Player_2_id,Player_2_deck_id,Player_2_final_hp,"
        "Coin,Final_turn,Winner"
    )
    played = finished(1)
    last, row = played.last[0], dict(zip(SUMMARY_COLUMNS, summary_row(played), strict=True))
    ids = ["FaceHunter_2", "RandomAction_2"]
    assert [row["Player_1_id"], row["Player_2_id"]] == ids
    assert [row["Player_1_deck_id"], row["Player_2_deck_id"]] == ["face", "secret"]
    assert row["Coin"] == ids[1 - last["first"]]
    assert row["Final_turn"] == last["turns"]
    assert row["Winner"] == ids[last["winner"]]
    health = [row["Player_1_final_hp"], row["Player_2_final_hp"]]
    assert health[1 - last["winner"]] == 0
    assert health[last["winner"]] == last["body"]["health"][last["winner"]]


def test_nobody_wins_a_draw() -> None:
    played = finished(1)
    drawn = dataclasses.replace(played, record=dataclasses.replace(played.record, returns=[0.0, 0.0]))
    assert summary_row(drawn)[-1] == "Draw"


@pytest.mark.parametrize(
    ("players", "ids"),
    [
        (["face-hunter", "malygos-mage"], ["FaceHunter_2", "MalygosMage_2"]),
        (["random-action:deck=face", "random-action:deck=secret"], ["RandomAction_2#1", "RandomAction_2#2"]),
        (["mcts:sims=50,deck=face", "person"], ["Mcts(sims=50)_2", "Person_2"]),
        (["./mine.py:act", "face-hunter:as=text"], ["./mine.py:act_2", "FaceHunter(as=text)_2"]),
        ([], ["Unknown_2#1", "Unknown_2#2"]),
    ],
)
def test_names_of_players(players: list[str], ids: list[str]) -> None:
    assert agent_ids(dataclasses.replace(finished(1).record, players=players)) == ids


def test_a_deck_of_ones_own_ends_in_the_digits_it_is_kept_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_DECKS", str(tmp_path))
    cards = [*find_deck("face").cards[1:], find_card("Chillwind Yeti").number]
    own = keep_deck("\n".join(all_cards()[number].name for number in cards), "hunter_mine")
    position = finished(1).deal.copy()
    position["lists"][0, 0] = own.cards
    assert deck_id(position, 0) == f"hunter-{own.id[-8:]}"
    assert deck_id(position, 1) == "secret"


# One row a decision


def test_a_decision_has_125_columns() -> None:
    played = finished(1)
    rows = decision_rows(played)
    assert len(DECISION_COLUMNS) == len(set(DECISION_COLUMNS)) == 125
    assert {len(row) for row in rows} == {125}
    assert len(rows) == len(played.record.actions)
    read = list(csv.reader(io.StringIO(as_csv(rows, DECISION_COLUMNS))))
    assert read == [list(DECISION_COLUMNS), *([str(value) for value in row] for row in rows)]


def test_a_position_made_by_hand() -> None:
    scene = Scene(
        Half(
            hero="hunter",
            hand=("Frostbolt", "Abomination", "Truesilver Champion", "Avenge"),
            board=("Chillwind Yeti", Body("Sludge Belcher", health=2, is_sick=True)),
            health=17,
            mana=4,
            crystals=9,
        ),
        Half(board=(Body("Abomination", gives=k.SILENCED),), health=21, armor=3, crystals=8),
    )
    row = dict(zip(DECISION_COLUMNS, decision_row(scene.game, scene.state.array, 0), strict=True))
    head = list(row.values())[:11]
    assert head == [2, 1, 1, 1, 4, 0, 4, 9, 8, 17, 21]

    def minion(place: int) -> list[Any]:
        names = ("id", "can_attack", "hp", "attack", "is_silenced", "has_taunt")
        return [row[f"minion_{place}_{name}"] for name in names]

    assert minion(1) == ["CS2_182", 1, 5, 4, 0, 0]
    assert minion(2) == ["FP1_012", 0, 2, 3, 0, 1]
    assert minion(3) == minion(7) == minion(9) == minion(14) == [-1] * 6
    assert minion(8) == ["EX1_097", 0, 4, 4, 1, 1]
    cards = [[row[f"card_{i}_{name}"] for name in ("id", "cost", "class")] for i in range(1, 11)]
    assert cards[:4] == [["CS2_024", 2, 1], ["EX1_097", 5, 0], ["CS2_097", 4, 2], ["FP1_020", 1, 1]]
    assert cards[4:] == [[-1, -1, -1]] * 6


# As the client's logs tell it


@settings(max_examples=12, deadline=None)
@given(games)
def test_entities_end_where_the_game_does(played: Finished) -> None:
    told = story.tell_story(played)
    for seat in range(2):
        side = played.last["side"][0, seat]

        def names(zone: int, type: int, seat: int = seat) -> list[int]:
            tags = {entity: tags for entity, tags in told.tags.items() if entity in told.cards}
            found = [
                (tags.get("ZONE_POSITION", 0), told.cards[entity].number)
                for entity, tags in tags.items()
                if tags["ZONE"] == zone and tags["CONTROLLER"] == seat + 1 and type in (0, told.cards[entity].type)
            ]
            return [number for _, number in sorted(found)]

        board = [int(played.last["body"]["card"][0, e]) for e in side["board"][: side["board_size"]]]
        assert names(nodes.IN_PLAY, k.MINION) == board
        assert names(nodes.IN_HAND, 0) == side["hand"][: side["hand_size"]].tolist()
        assert sorted(names(nodes.IN_DECK, 0)) == sorted(side["deck"][: side["deck_size"]].tolist())
        assert sorted(names(nodes.AS_SECRET, 0)) == sorted(side["secrets"][: side["secret_count"]].tolist())
        assert names(nodes.IN_PLAY, k.WEAPON) == [number for number in [int(side["weapon"])] if number]
        assert not names(nodes.IN_PLAY, k.SPELL)


@settings(max_examples=8, deadline=None)
@given(games)
def test_hsreplay_read_back_tells_the_same_game(played: Finished) -> None:
    document: Any = importlib.import_module("hsreplay.document")
    export: Any = importlib.import_module("hslog.export")
    tags: Any = importlib.import_module("hearthstone.enums").GameTag
    read = document.HSReplayDocument.from_xml_file(io.BytesIO(to_hsreplay(played).encode()))
    game = export.EntityTreeExporter(read.to_packet_tree()[0]).export().game
    last, told = played.last[0], story.tell_story(played)
    assert (read.version, read.build) == ("1.7", "11461")
    assert game.tags[tags.TURN] == last["turns"]
    assert [player.name for player in game.players] == agent_ids(played.record)
    for seat, player in enumerate(game.players):
        hero = game.find_entity_by_id(player.tags[tags.HERO_ENTITY])
        assert hero.tags[tags.HEALTH] - hero.tags.get(tags.DAMAGE, 0) == last["body"]["health"][seat]
        won = nodes.TIED if played.winner == k.NOBODY else nodes.WON if played.winner == seat else nodes.LOST
        assert player.tags[tags.PLAYSTATE] == won
    for entity in game.entities:
        ours = {int(tags[name]): value for name, value in told.tags[entity.id].items() if value}
        assert {int(tag): int(value) for tag, value in entity.tags.items() if value} == ours


def test_without_the_package_the_install_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hsreplay", None)
    monkeypatch.setitem(sys.modules, "hsreplay.document", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ludens\[interop\]'"):
        to_hsreplay(finished(1))


def test_actions_are_blocks() -> None:
    told = story.tell_story(finished(1))
    blocks = [node for node in told.nodes if isinstance(node, nodes.Block)]
    actions = [a for a in finished(1).record.actions if k.END < a < k.FIRST_MULLIGAN]
    assert len([block for block in blocks if block.type in ("PLAY", "ATTACK")]) == len(actions)
    notes = [node for block in blocks for node in block.inside if isinstance(node, nodes.Note)]
    assert any(note.what == "DAMAGE" and note.amount > 0 for note in notes)


def test_the_trackers_replay_is_json_in_a_zip() -> None:
    played = finished(2)
    data = to_hdtreplay(played)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["replay.json"]
        points = json.loads(archive.read("replay.json"))
    assert points == key_points(played)
    assert to_hdtreplay(played) == data
    assert all(set(point) == {"Data", "Id", "Player", "Turn", "Type"} for point in points)
    entity = points[-1]["Data"][-1]
    assert set(entity) == {"Name", "Id", "CardId", "IsPlayer", "IsSecret", "Tags"}
    assert points[-1]["Type"] == (20 if played.winner == 0 else 21)
    attacks = [a for a in played.record.actions if k.FIRST_ATTACK <= a < k.FIRST_POWER]
    assert sum(point["Type"] == 9 for point in points) == len(attacks)


# Commands


def run(*words: object, typed: str = "") -> str:
    """What a command printed; what it raises is raised."""
    ran = CliRunner().invoke(app, [str(word) for word in words], input=typed)
    if ran.exception and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_the_command_is_one_of_the_games(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ludens_hearthstone = caller(monkeypatch, capsys, "hearthstone")
    assert "show everything" in " ".join(ludens_hearthstone("export", "--help").out.split())
    refused = ludens_hearthstone("export", "summary", "-", typed=ludens.game("hearthstone").start(1).record.to_json())
    assert (refused.code, "not over" in refused.err) == (2, True)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "games.json"
    file.write_text("".join(finished(seed).record.to_json() + "\n" for seed in (1, 2)), encoding="utf-8")
    return file


def test_the_three_modes_of_the_summary(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "wrote 2 games to hearthstone_" in run("summary", saved)
    own = next(tmp_path.glob("hearthstone_*.csv"))
    assert len(own.read_text(encoding="utf-8").splitlines()) == 3
    for _ in range(2):
        run("summary", saved, "--append")
    assert len(Path("hearthstone.csv").read_text(encoding="utf-8").splitlines()) == 5
    run("summary", "-", "--overwrite", typed=finished(1).record.to_json())
    assert Path("hearthstone.csv").read_text(encoding="utf-8") == as_csv([summary_row(finished(1))], SUMMARY_COLUMNS)
    with pytest.raises(BadOption, match="--append or replace"):
        run("summary", saved, "--out", "hearthstone.csv")
    with pytest.raises(BadOption, match="give one of them"):
        run("summary", saved, "--append", "--overwrite")
    Path("other.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(BadOption, match="does not begin with the columns"):
        run("summary", saved, "--append", "--out", "other.csv")


def test_a_file_for_each_game(saved: Path, tmp_path: Path) -> None:
    run("decisions", saved, "--out", tmp_path / "out")
    run("hdt", saved, "--out", tmp_path / "out")
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["games-1.csv", "games-1.hdtreplay", "games-2.csv", "games-2.hdtreplay"]
    rows = (tmp_path / "out" / "games-1.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + len(finished(1).record.actions)


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="cannot be read"):
        run("summary", tmp_path / "none.json")
    empty = tmp_path / "empty.json"
    empty.write_text("\n", encoding="utf-8")
    with pytest.raises(BadRecord, match="no record in"):
        run("summary", empty)
