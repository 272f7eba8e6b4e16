"""Ratings: a leaderboard from everything in the store, the file a game ships with, and the levels made of both."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.arena.test_people import table_row

from ludens import cli
from ludens.arena.archive import games_between, run_result
from ludens.arena.rating import (
    MOST_ENTRANTS,
    Rating,
    leaderboard,
    levels,
    option_sets,
    people,
    plain_spec,
    playable,
    ratings_file,
    ratings_for,
    read_ratings,
    shipped,
    shipped_file,
)
from ludens.arena.request import Request
from ludens.arena.store import GameRow, Store, new_run
from ludens.arena.tournament import arena
from ludens.arena.version import present_versions
from ludens.core.error import BadRecord, UnknownName
from ludens.core.registry import game_class, game_names, make_game

AZUL = make_game("azul")
OPTIONS = AZUL.rules.option_values()


def game_row(number: int, deal: int, specs: Sequence[str], won: int, failure: list[Any] | None = None) -> GameRow:
    """A game somebody won; everybody needed 2 ms for each of 10 moves."""
    returns = [1.0 if seat == won else -1.0 for seat in range(len(specs))]
    times = [[20.0, 10, None] for _ in specs]
    return GameRow(
        number, 0, deal, 0, 0, 1, list(specs), [0, 1], returns, [9.0, 5.0], failure or [], times, {}, [1, 2], "x"
    )


def add_run(store: Store, id: str, rows: Sequence[GameRow], options: dict[str, Any] = OPTIONS) -> None:
    store.add_run(new_run(id, Request("azul", options, seed=1), {"azul": 1}))
    store.add_games(id, rows)


def planted(strengths: dict[str, float], deals: int) -> list[GameRow]:
    """Every pair plays every deal in both seats, and wins as often as its Elo says."""
    dice = random.Random(5)
    rows: list[GameRow] = []
    for a, b in itertools.combinations(strengths, 2):
        for deal in range(deals):
            for first, second in ((a, b), (b, a)):
                chance = 1 / (1 + 10 ** ((strengths[second] - strengths[first]) / 400))
                rows.append(game_row(len(rows), deal, [first, second], int(dice.random() > chance)))
    return rows


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "s.db")


def by_spec(ratings: Sequence[Rating]) -> dict[str, Rating]:
    return {rating.spec: rating for rating in ratings}


def test_planted_strengths_are_found(store: Store) -> None:
    strengths = {"random": -200.0, "naive": 0.0, "heuristic": 200.0}
    add_run(store, "a", planted(strengths, 300))
    board = leaderboard(store, "azul", OPTIONS)
    assert [rating.spec for rating in board] == ["heuristic", "naive", "random"]
    assert [rating.rank for rating in board] == [1, 2, 3]
    for rating in board:
        assert rating.low is not None
        assert rating.high is not None
        assert rating.low - 15 < strengths[rating.spec] < rating.high + 15
        assert 10 < rating.high - rating.low < 80
        assert rating.wins + rating.draws + rating.losses == rating.games == 1200
        assert rating.ms_per_move == pytest.approx(2.0)
        assert rating.source == "store"


def test_runs_with_equal_deal_numbers_are_different_deals_and_many_deals_fold(store: Store) -> None:
    for run in ("a", "b"):
        add_run(store, run, planted({"random": 0.0, "naive": 0.0}, 700))
    board = leaderboard(store, "azul", OPTIONS)
    assert board[0].games == 2800
    assert board[0].low is not None
    assert board[0].high is not None
    # both runs are the same games: as many won, but not the interval of one deal counted twice
    assert 8 < board[0].high - board[0].low < 20


def test_different_options_stay_apart(store: Store) -> None:
    grey = make_game("azul", wall="grey").rules.option_values()
    add_run(store, "a", planted({"random": 0.0, "naive": 300.0}, 20))
    add_run(store, "b", planted({"random": 0.0, "heuristic": 300.0}, 10), grey)
    store.keep_tables([table_row("1", ["", "naive"], 0, options=grey)])
    assert [row.games for row in people(store, "azul", grey)] == [1]
    assert people(store, "azul", OPTIONS) == []
    assert set(by_spec(leaderboard(store, "azul", OPTIONS))) == {"random", "naive"}
    assert set(by_spec(leaderboard(store, "azul", grey))) == {"random", "heuristic"}
    assert [(one.options, one.games) for one in option_sets(store, "azul")] == [(OPTIONS, 40), (grey, 21)]
    assert leaderboard(store, "azul", make_game("azul", cap=9).rules.option_values()) == []
    assert option_sets(store, "kuhn") == []


def test_new_games_are_seen_at_once(store: Store) -> None:
    rows = planted({"random": 0.0, "naive": 300.0}, 10)
    add_run(store, "a", rows[:10])
    assert leaderboard(store, "azul", OPTIONS)[0].games == 10
    store.add_games("a", rows[10:])
    assert leaderboard(store, "azul", OPTIONS)[0].games == 20


def test_an_agent_is_the_same_however_its_spec_is_written(store: Store) -> None:
    add_run(store, "a", [game_row(0, 0, ["reward:r=3", "random"], 0), game_row(1, 1, ["./a.py:act", "reward"], 1)])
    assert by_spec(leaderboard(store, "azul", OPTIONS))["reward"].games == 2
    assert plain_spec("mcts:playout=suggest,sims=1000", AZUL) == "mcts:playout=suggest"
    assert plain_spec("nobody:x=1", AZUL) == "nobody:x=1"


def test_one_way_and_single_games_do_not_pretend(store: Store) -> None:
    add_run(store, "a", [game_row(0, 0, ["naive", "random"], 0)])
    alone = leaderboard(store, "azul", OPTIONS)
    assert [(rating.low, rating.rank) for rating in alone] == [(None, 1), (None, 1)]
    store.add_games("a", [game_row(1, 1, ["naive", "random"], 0), game_row(2, 2, ["naive", "random"], 0)])
    best = leaderboard(store, "azul", OPTIONS)[0]
    assert best.low is not None
    assert best.low < best.elo - 100  # three games won tell little


def test_games_against_oneself_say_nothing_and_failures_are_counted(store: Store) -> None:
    rows = [
        game_row(0, 0, ["random", "random"], 0),
        game_row(1, 1, ["naive", "random"], 1, [0, "timeout", "too slow"]),
        game_row(2, 2, ["naive", "random"], 1, [0, "illegal", "no such move"]),
    ]
    add_run(store, "a", rows)
    board = by_spec(leaderboard(store, "azul", OPTIONS))
    assert board["random"].games == 2
    assert (board["naive"].timeouts, board["naive"].illegal, board["naive"].crashes) == (1, 1, 0)


def test_a_crowd_is_cut_to_those_with_the_most_games(store: Store) -> None:
    rows = [game_row(n, n, ["random", f"x{n % (MOST_ENTRANTS + 20)}"], n % 2) for n in range(200)]
    add_run(store, "a", rows)
    board = leaderboard(store, "azul", OPTIONS)
    assert len(board) == MOST_ENTRANTS
    assert "random" in by_spec(board)
    # somebody busy who only met people that are left out has no game to be rated by
    add_run(store, "b", [game_row(n, n, ["naive", f"y{n}"], n % 2) for n in range(40)])
    assert "naive" not in by_spec(leaderboard(store, "azul", OPTIONS))


def test_games_of_people_change_no_rating(store: Store) -> None:
    add_run(store, "a", planted({"random": 0.0, "naive": 300.0}, 60))
    before = (leaderboard(store, "azul", OPTIONS), ratings_for(store, AZUL))
    store.keep_tables([table_row(str(n), ["", "naive"], 0) for n in range(120)])
    assert (leaderboard(store, "azul", OPTIONS), ratings_for(store, AZUL)) == before


# the shipped file


@pytest.mark.parametrize("name", [name for name in game_names() if game_class(name).__module__.startswith("ludens.")])
def test_the_shipped_file_covers_the_levels(name: str) -> None:
    game = make_game(name)
    file = read_ratings(ratings_file(game))
    assert file.game == name
    assert file.options == game.rules.option_values()
    assert file.command.startswith(f"ludens rate {name} ")
    assert {rating.spec for rating in file.ratings} == set(playable(game))
    assert [rating.elo for rating in file.ratings] == sorted(rating.elo for rating in file.ratings)
    for rating in file.ratings:
        assert rating.low is not None
        assert rating.high is not None
        assert rating.low < rating.elo < rating.high
        assert rating.games >= 200
        assert rating.ms_per_move is not None
        assert rating.crashes + rating.timeouts + rating.illegal == 0
    assert shipped(game)[0].rank == 1


def test_ratings_of_other_rules_or_dice_are_out_of_date(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = read_ratings(ratings_file(AZUL))
    now = replace(file, versions=present_versions(AZUL))
    old = replace(file, versions={"azul": 1})
    assert now.stale == ""
    assert old.stale == "rules 1, dice 1; now rules 1, dice 2"
    for shown, is_stale in ((now, False), (old, True)):
        monkeypatch.setattr("ludens.arena.rating.shipped_file", lambda game, shown=shown: shown)
        assert run_command(monkeypatch, "rate", "azul", "--show") == 0
        printed = capsys.readouterr().out
        assert file.command in printed
        assert "alphabeta:nodes=100000" in printed
        assert ("Out of date: measured with rules 1, dice 1" in printed) == is_stale


def test_azul_knows_its_best() -> None:
    ladder = levels(AZUL, by_spec(shipped(AZUL)))
    assert ladder[0].spec == "random"
    assert ladder[-1].spec == "alphabeta:nodes=100000"
    assert [level.number for level in ladder] == list(range(1, 8))
    assert ladder[-1].seconds_per_move is not None
    assert ladder[-1].seconds_per_move > 0.001


def test_other_options_have_no_shipped_ratings_and_only_agents_that_can_play() -> None:
    three = make_game("azul", players=3)
    assert shipped(three) == []
    ladder = levels(three, {})
    assert [level.spec for level in ladder] == ["random", "naive", "reward", "heuristic", "mcts:playout=suggest"]
    assert ladder[0].rating is None
    assert ladder[0].seconds_per_move is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"ratings": 3}', '{"game": "azul", "ratings": [{"spec": "x"}]}', "\0"]
)
def test_a_broken_file_is_told_and_does_not_stop_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    file = tmp_path / "ratings.json"
    monkeypatch.setattr("ludens.arena.rating.ratings_file", lambda game: file)
    assert shipped(AZUL) == []
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadRecord, match="is no ratings file"):
        read_ratings(file)
    assert shipped(AZUL) == []
    assert shipped_file(AZUL) is None


def test_the_store_knows_better_from_a_hundred_games_on(store: Store) -> None:
    assert ratings_for(store, AZUL) == by_spec(shipped(AZUL))
    add_run(store, "a", planted({"heuristic": 0.0, "naive": 400.0}, 60))
    found, before = ratings_for(store, AZUL), by_spec(shipped(AZUL))
    assert (found["naive"].source, found["heuristic"].source, found["random"].source) == ("store", "store", "shipped")
    assert found["naive"].elo > found["heuristic"].elo + 200
    middle = (before["naive"].elo + before["heuristic"].elo) / 2
    assert (found["naive"].elo + found["heuristic"].elo) / 2 == pytest.approx(middle)  # one scale
    assert levels(AZUL, found)[-1].spec == "alphabeta:nodes=100000"


# the command


def run_command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["ludens", *words])
    try:
        cli.main()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_rate_from_end_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LUDENS_STORE", str(tmp_path / "default.db"))
    out, kept = tmp_path / "ratings.json", tmp_path / "s.db"
    words = ("rate", "kuhn", "--games", "20", "--seed", "3", "--out", str(out))
    assert run_command(monkeypatch, *words, "--store", str(kept)) == 0
    file = read_ratings(out)
    assert (file.game, file.games, file.seed, file.options) == ("kuhn", 20, 3, {"players": 2})
    assert file.command == "ludens rate kuhn --games 20 --seed 3 --workers 1"
    assert {rating.spec for rating in file.ratings} == {"random", "mcts:sims=200", "mcts:sims=2000"}
    entry = json.loads(out.read_text(encoding="utf-8"))["ratings"][0]
    assert {"elo", "interval", "games", "win_rate", "ms_per_move", "crashes", "timeouts", "illegal"} <= set(entry)
    assert option_sets(Store(kept), "kuhn")[0].games == 60
    assert run_command(monkeypatch, *words) == 0
    assert not (tmp_path / "default.db").exists()
    assert [rating.elo for rating in read_ratings(out).ratings] == [rating.elo for rating in file.ratings]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    capsys.readouterr()
    assert run_command(monkeypatch, "rate", "kuhn", "-o", "players=3", "--games", "6") == 2
    assert "--out" in capsys.readouterr().err
    assert run_command(monkeypatch, "rate", "kuhn", "-o", "players=3", "--games", "6", "--out", str(out)) == 0
    assert read_ratings(out).options == {"players": 3}


# runs read back


def test_a_stored_run_gives_the_same_tables_again(tmp_path: Path) -> None:
    played = arena(AZUL, ["random", "naive", "random"], games=20, seed=4, store=tmp_path / "s.db")
    store = Store(tmp_path / "s.db")
    again = run_result(store, played.run)
    assert (again.agents, again.pairs, again.seats) == (played.agents, played.pairs, played.seats)
    assert (again.seed, again.versions, again.options) == (played.seed, played.versions, played.options)
    assert run_result(store, played.run) is again
    count, games = games_between(store, played.run, ["random#2", "naive"], first=15, most=50)
    assert (count, len(games)) == (20, 5)
    assert all(set(game.players) == {"random#2", "naive"} for game in games)
    assert games_between(store, played.run, [])[0] == 60
    with pytest.raises(UnknownName, match="nobody called 'x'"):
        games_between(store, played.run, ["x"])


def test_a_run_on_its_way_shows_those_who_have_played(store: Store) -> None:
    request = Request("azul", OPTIONS, ("random", "naive", "heuristic"), games=4, seed=1)
    store.add_run(new_run("a", request, {}))
    assert run_result(store, "a").agents == []
    store.add_games("a", [replace(game_row(4, 0, ["random", "heuristic"], 1), table_index=1, seating=[0, 2])])
    assert [agent.spec for agent in run_result(store, "a").agents] == ["random", "heuristic"]


def test_a_stored_test_gives_the_same_verdict(tmp_path: Path) -> None:
    played = arena("azul", ["heuristic", "random"], games=400, seed=1, sprt=(0, 50), store=tmp_path / "s.db")
    assert run_result(Store(tmp_path / "s.db"), played.run).sprt == played.sprt
