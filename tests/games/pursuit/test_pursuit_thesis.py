"""The thesis's golden game, its logs and its sets of games, written, read, and refused in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.command import Ran, caller
from tests.games.pursuit.pursuit_position import own_boards, possible, pursuit  # noqa: F401  (a fixture)

import ludens
from ludens.core import ops
from ludens.core.error import BadOption, BadRecord
from ludens.core.record import Record
from ludens.core.registry import make_agent
from ludens.core.state import State
from ludens.games.pursuit.board_check import counted
from ludens.games.pursuit.board_file import keep_board
from ludens.games.pursuit.distance import FAR, distance
from ludens.games.pursuit.game import Pursuit
from ludens.games.pursuit.thesis import heuristics
from ludens.games.pursuit.thesis import run as thesis_run
from ludens.games.pursuit.thesis.game_log import (
    GameLog,
    Head,
    Played,
    SetLog,
    matrix_of,
    matrix_text,
    played,
    read_log,
    replay_log,
)
from ludens.games.pursuit.thesis.run import GameSet, PersonLeft, read_config

GOLDEN = (Path(__file__).parent / "golden_thesis.txt").read_text(encoding="utf-8")
BOARDS = Path(ludens.__file__).parent / "games" / "pursuit" / "boards"
HEAD = Head("plan1", "heuristic", "heuristic")


def golden() -> GameLog:
    log = read_log(GOLDEN)
    assert isinstance(log, GameLog)
    return log


def positions() -> Iterator[tuple[State, int]]:
    """Every position of the golden game with the action that was played there."""
    final = replay_log(golden(), "plan1")
    state = final.game.start(final.seed, final.fields)
    for action in final.actions:
        yield state, action
        state.play(action)


# the golden game


def test_the_golden_game_replays() -> None:
    state = replay_log(golden(), "plan1")
    assert state.over
    assert state.returns == [1, -1]
    assert sum(1 for action in state.actions if action) == 45
    assert len(state.actions) == 13 + 3 * 12
    assert state.raw.tickets[:4, :2].ravel().tolist() == [17, 6, 0, 4, 0, 0, 0, 0]
    assert [int(stop) for stop in state.raw.shown[:13] if stop] == [22, 27, 14]
    assert str(GameLog(HEAD, matrix_of(state.game, played(state)), 0)) == GOLDEN  # type: ignore[arg-type]


def test_the_golden_record_replays() -> None:
    record = replay_log(golden(), "plan1").record
    assert Record.from_json(record.to_json()).replay().returns == [1, -1]
    assert record.players == ["heuristic", "heuristic"]


def test_every_belief_of_the_golden_game() -> None:
    """All paths the phantom may have taken, listed one by one."""
    links = {(kind, a, b) for kind, a, b in _both_ways(pursuit())}
    starts = set(pursuit().rules.board.starts)
    paths: list[tuple[int, ...]] = []
    for number, (state, action) in enumerate(positions()):
        held = set(state.raw.stop[1:4].tolist())
        if number == 0:
            paths = [(stop,) for stop in sorted(starts - held)]
        assert {path[-1] for path in paths} == possible(state)
        assert int(state.raw.stop[0]) in possible(state)
        kind, stop, _ = pursuit().rules.action_parts(action)
        if state.raw.piece == 0:
            paths = [(*path, to) for path in paths for way, at, to in links if way == kind and at == path[-1]]
            paths = [path for path in paths if path[-1] not in held]
            if int(state.raw.made) + 1 in (3, 6, 9):
                paths = sorted({path[-1:] for path in paths if path[-1] == stop})
        elif state.raw.piece == 3:
            moved = held - {int(state.raw.stop[3])} | {stop or int(state.raw.stop[3])}
            paths = [path for path in paths if path[-1] not in moved]


def _both_ways(game: Pursuit) -> Iterator[tuple[int, int, int]]:
    for kind, mode in enumerate(game.rules.board.modes, 1):
        for a, b in game.rules.board.links[mode]:
            yield kind, a, b
            yield kind, b, a


def test_the_golden_phantom_plays_nearest() -> None:
    among, only = 0, 0
    for state, action in positions():
        if state.raw.piece == 0:
            best = _flights(state)
            among += action in best
            only += best == [action]
    assert (among, only) == (13, 8)


def test_the_golden_detectives_play_nearest() -> None:
    """29 of 32 directly, two where no target can be reached, one only if a single way is stored for each price."""
    directly, regardless, single = 0, [], []
    for state, action in positions():
        piece, place = int(state.raw.piece), (int(state.raw.rounds) + 1, int(state.raw.piece))
        if piece == 0 or action == 0:
            continue
        if all(distance(_table(state), state.array[0], piece, stop) == FAR for stop in possible(state)):
            regardless.append(place)
            assert action in (_chases(state, "nearest") or state.legal)
        elif action in _chases(state, "nearest"):
            directly += 1
        else:
            single.append(place)
            assert _chases(state, "nearest:paths=single") == [action]
    assert (directly, regardless, single) == (29, [(8, 1), (12, 2)], [(6, 3)])


def _table(state: State) -> object:
    return ops.open_constants(state.game.rules.constants)


def _rule(state: State, spec: str) -> heuristics.ScriptedRule:
    agent = make_agent(spec, state.game)
    assert isinstance(agent, heuristics.Scripted)
    return agent.rule_settings()


def _flights(state: State) -> list[int]:
    r = _rule(state, "nearest")
    return r.room[: heuristics.flights(r, _table(state), state.array[0])].tolist()


def _chases(state: State, spec: str) -> list[int]:
    """First steps towards any of the best targets."""
    r, view = _rule(state, spec), state.view().array[0]
    aims = r.room[: heuristics.targets(r, _table(state), view)].tolist()
    steps = [r.room[: heuristics.steps_towards(r, _table(state), view, aim)].tolist() for aim in aims]
    return sorted({step for some in steps for step in some})


# logs


@given(st.sampled_from(["plan1", "square1"]), st.integers(1, 5), st.booleans(), st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_a_game_log_is_read_back(board: str, detectives: int, final: bool, seed: int) -> None:
    game = pursuit(board=board, detectives=detectives, final_phantom_move=final)
    phantom, dice = make_agent("nearest:ties=random", game), make_agent("random", game)
    state = game.start(seed)
    while not state.over:
        state.play((dice if state.to_move or seed % 2 else phantom).choose(state.view()))
    text = str(GameLog(HEAD._replace(board=board), matrix_of(game, played(state)), int(state.raw.winner)))
    log = read_log(text)
    assert isinstance(log, GameLog)
    again = replay_log(log, board)
    assert (again.actions, again.returns) == (state.actions, state.returns)
    assert str(GameLog(log.head, matrix_of(game, played(again)), log.winner)) == text


def test_a_matrix_is_printed_as_numpy_does() -> None:
    matrix = golden().matrix
    assert matrix_text(matrix) == str(matrix)
    long = np.arange(43 * 40).reshape(43, 40)  # str() would shorten and wrap it
    assert matrix_text(long).count("\n") == 42


def changed(row: int, column: int, value: int) -> str:
    log = golden()
    log.matrix[row, column] = value
    return str(log)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (changed(0, 0, 16), "row 0, the phantom: it has 17 and 6 tickets left, not 16 and 6"),
        (changed(3, 4, 25), "row 2, detective 2: .* is not a legal move"),
        (changed(4, 1, 2), "row 4, the phantom: .* is not a legal move"),
        (changed(4, 1, 3), "row 4, the phantom: there is no mode 3"),
        (changed(10, 2, 28), "row 9, detective 1: it passes on 27, but is on 28 then"),
        (changed(3, 2, 99), "row 3, detective 1: there is no stop 99"),
        (changed(1, 0, 2), "row 1, the phantom: 2 is no start stop of plan1"),
        (changed(1, 2, 15), "row 1, detective 2: it starts on 15, where detective 1 starts"),
        (changed(7, 6, 0), "row 7, detective 3: it is nowhere"),
        (changed(14, 1, 1), "row 14, the phantom: it leaves, but the next row does not say where to"),
        (changed(13, 4, 0), "row 12, detective 2: it leaves"),
        (GOLDEN.replace("Phantom wins", "Detectives win"), "says 'Detectives win', but by its moves: Phantom wins"),
        (GOLDEN.replace("Phantom wins", "Nobody wins"), "must end with"),
        (GOLDEN.replace(" [16  0  0  0  0  0  0  0]]", " [16  0  0  0  0  0  0]]"), "row 14 of the game log has 7"),
        (GOLDEN.replace("\n [16  0  0  0  0  0  0  0]]", "]"), "has 14 rows, but plan1 is played for 12 rounds"),
        (GOLDEN.replace("[28  1 22", "[2x  1 22"), "no whole matrix"),
        (GOLDEN.replace("[28  1 22", "[2800  1 22"), "row 6 of the game log has a number above 999"),
        (GOLDEN[: GOLDEN.index("]")], "no whole matrix"),
        (GOLDEN.replace("Board: plan1\n", ""), "no line 'Board: ...'"),
        ("Board: a\nPhantom: b\nDetectives: c\n", "neither a set log nor a game log"),
    ],
)
def test_a_wrong_game_log_is_refused_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(BadRecord, match=says):
        replay_log(read_log(text), "plan1")  # type: ignore[arg-type]


def test_moves_after_the_end_are_refused() -> None:
    state = pursuit(final_phantom_move=True).start(seed=0, fields={"stop": [15, 30, 1, 5]})
    for move in ("taxi 14", "tram 14"):
        state.play(move)
    matrix = matrix_of(state.game, played(state))  # type: ignore[arg-type]
    matrix[1:3, 4:6] = [[1, 1], [8, 0]]
    with pytest.raises(BadRecord, match="row 1, detective 2: it moves on, but the game was over"):
        replay_log(GameLog(HEAD, matrix, 1), "plan1")
    matrix[1:3, 4:6] = [[1, 0], [0, 0]]
    matrix[1:3, 6:8] = [[5, 1], [4, 0]]
    with pytest.raises(BadRecord, match="row 1, detective 2: it does not move on, though other pieces do"):
        replay_log(GameLog(HEAD, matrix, 1), "plan1")


@pytest.mark.parametrize("board", ["my [old] town.json", "[[1 2]]", "Total games: 7", "x]"])
def test_brackets_in_the_name_of_a_board(board: str) -> None:
    head = HEAD._replace(board=board)
    log = read_log(str(GameLog(head, golden().matrix, 0)))
    assert isinstance(log, GameLog)
    assert (log.head, log.matrix.tolist()) == (head, golden().matrix.tolist())
    assert read_log(str(SetLog(head, (5, 7)))) == SetLog(head, (5, 7))


def test_a_set_log_is_read_back() -> None:
    log = SetLog(HEAD, (5, 7))
    assert str(log) == (
        "Board: plan1\nPhantom: heuristic\nDetectives: heuristic\n\n"
        "Total games: 12\nPhantom wins: 5 (41.67%)\nDetectives win: 7 (58.33%)\n"
    )
    assert read_log(str(log)) == log
    for old, new, says in (("5 (41", "6 (41", "counts 12 games"), ("41.67", "41.66", "wrong shares")):
        with pytest.raises(BadRecord, match=says):
            read_log(str(log).replace(old, new))


# sets of games

CONFIG = """
[GAME]
boardfile = plan1
gameset = {games}
cmd = {cmd}
log = {log}
seed = {seed}
{game}
[PHANTOM]
phantom = {phantom}
{more}
[DETECTIVES]
detectives = {detectives}
"""


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Path]:
    def write(**values: str) -> Path:
        usual = {"games": "3", "cmd": "no", "log": "no", "game": "", "phantom": "heuristic", "detectives": "heuristic"}
        file = tmp_path / "config.ini"
        file.write_text(CONFIG.format(**usual | {"seed": "4", "more": ""} | values), encoding="utf-8")
        return file

    return write


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return caller(monkeypatch, capsys, "pursuit")


def nobody(state: State) -> int:
    raise PersonLeft(for_good=True)


def silent(state: State) -> None:
    """Nobody is told how a game ended."""


def test_all_placements_are_played_and_repeat(
    config: Callable[..., Path], run: Callable[..., Ran], tmp_path: Path
) -> None:
    file = config(games="variants", cmd="set", log="game")
    said = run("run", file, "--out", tmp_path / "logs").out
    assert said.startswith("Total games: 360\nPhantom wins: ")
    logs = sorted((tmp_path / "logs").iterdir())
    assert len(logs) == 361
    assert said in logs[0].read_text(encoding="utf-8")
    games = [read_log(log.read_text(encoding="utf-8")) for log in logs[1:]]
    starts = {tuple(log.matrix[1, ::2].tolist()) for log in games if isinstance(log, GameLog)}
    assert len(starts) == 360
    assert f"Phantom wins: {sum(isinstance(log, GameLog) and log.winner == 0 for log in games)} " in said
    again = run("run", file, "--out", tmp_path / "again").out
    assert again == said
    assert [log.read_text(encoding="utf-8") for log in sorted((tmp_path / "again").iterdir())] == [
        log.read_text(encoding="utf-8") for log in logs
    ]


def test_side_by_side_is_one_by_one(config: Callable[..., Path]) -> None:
    games = GameSet(read_config(config(games="20", more="ties = random", detectives="random")), 9, nobody, silent)
    together = [what for batch in games.play() for what in batch]
    for number, what in enumerate(together):
        alone = games.play_one(number)
        assert what is not None
        assert (what.starts, what.actions, what.winner) == (alone.starts, alone.actions, alone.winner)
        assert (what.tickets == alone.tickets).all()


def test_the_terminal_shows_games_without_a_head(config: Callable[..., Path], run: Callable[..., Ran]) -> None:
    said = run("run", config(games="2", cmd="game", phantom="random")).out
    assert said.count("[[") == 2
    assert "Board" not in said
    assert "Total games: 2" in said
    assert run("run", config(games="2")).out == ""


def test_a_board_file_is_found_beside_the_configuration(
    config: Callable[..., Path], run: Callable[..., Ran], tmp_path: Path
) -> None:
    (tmp_path / "mine.json").write_text(
        (Path(ludens.__file__).parent / "games/pursuit/boards/square1.json").read_text(encoding="utf-8"),
        encoding="utf-8",
    )
    file = config(log="game")
    file.write_text(
        file.read_text(encoding="utf-8").replace("boardfile = plan1", "boardfile = mine.json  ; ours"), encoding="utf-8"
    )
    assert run("run", file, "--out", tmp_path).code == 0
    log = next(tmp_path.glob("2*_1.txt"))
    assert log.read_text(encoding="utf-8").startswith("Board: mine.json\n")
    assert "tickets and result agree" in run("log", log).out
    log.write_text(log.read_text(encoding="utf-8").replace("mine.json", "other.json"), encoding="utf-8")
    assert "name it, or its file, with --board" in run("log", log).err
    assert "tickets and result agree" in run("log", log, "--board", "square1").out


def test_specs_of_the_thesis_players(config: Callable[..., Path]) -> None:
    def spec(**values: str) -> str:
        return read_config(config(**values)).specs[0]

    assert spec() == "nearest:ties=hash,paths=all"
    assert spec(more="variant = sum\npaths = single") == "sum:ties=hash,paths=single"
    assert spec(phantom="mcts") == "mcts-thesis:playout=random,seconds=5,c=1.4,determinise=once"
    assert (
        spec(phantom="mctshe", more="iterations = 50\nconstant = 0.7\ndeterminise = iteration")
        == "mcts-thesis:playout=heuristic,sims=50,c=0.7,determinise=iteration"
    )
    assert spec(phantom="player") == ""


def test_the_readings_of_the_thesis_are_the_default(config: Callable[..., Path]) -> None:
    game = read_config(config()).make_game()
    assert (game.rules.options.prune, game.rules.options.final_phantom_move) == ("round", True)
    game = read_config(config(game="prune = immediate\nfinal_phantom_move = no\ncount = 2")).make_game()
    assert (game.rules.options.prune, game.rules.options.final_phantom_move, game.rules.detectives) == (
        "immediate",
        False,
        2,
    )


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"games": "many"}, r"gameset=many is not possible"),
        ({"games": "0"}, r"gameset=0 is not possible; it takes variants, or a number from 1 to 1,000,000"),
        ({"games": "9" * 5000}, r"gameset=9{20} is not possible"),
        ({"cmd": "all"}, r"config.ini \[GAME\]: cmd=all is not possible; cmd takes one of no, set, game"),
        ({"game": "bord = x"}, r"\[GAME\] has no option 'bord'"),
        ({"game": "[PLAYERS]"}, r"has a section \[PLAYERS\]"),
        ({"phantom": "clever"}, r"\[PHANTOM\]: phantom=clever is not possible"),
        ({"phantom": ""}, r"phantom= is not possible"),
        ({"more": "variant = farthest"}, r"variant=farthest is not possible; .* nearest, sum, weighted"),
        ({"phantom": "mcts", "more": "thinktime = soon"}, r"thinktime=soon is not possible"),
        ({"phantom": "mcts", "more": "thinktime = 9999"}, r"thinktime=9999 is not possible"),
        ({"more": "ties = often"}, r"ties=often is not possible"),
        ({"detectives": "nn"}, r"\[DETECTIVES\]: nn cannot play yet"),
        ({"game": "nonsense"}, r"config.ini is no configuration: line 8 is not of the form key = value"),
        ({"game": "cmd = no"}, r"is no configuration: \[GAME\] says cmd again in line 8"),
        ({"game": "[GAME]"}, r"is no configuration: the section \[GAME\] begins again in line 8"),
        ({"game": "[game]"}, r"has the section \[GAME\] twice"),
        ({"cmd": "x" * 5000}, r"cmd=x{60} is not possible"),
    ],
)
def test_a_wrong_configuration_is_refused_in_a_sentence(
    config: Callable[..., Path], values: dict[str, str], says: str
) -> None:
    with pytest.raises(BadOption, match=says) as refused:
        read_config(config(**values))
    assert "\n" not in str(refused.value)
    assert "<string>" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_how_long_to_think_is_ignored_where_nobody_searches(config: Callable[..., Path]) -> None:
    assert read_config(config(more="thinktime = 99999\nconstant = -3")).specs[0] == "nearest:ties=hash,paths=all"
    assert read_config(config(phantom="random", more="thinktime = soon")).specs[0] == "random"


def test_a_configuration_may_begin_with_a_byte_order_mark(config: Callable[..., Path]) -> None:
    file = config()
    file.write_text("\ufeff" + file.read_text(encoding="utf-8").lstrip(), encoding="utf-8")
    assert read_config(file).game.boardfile == "plan1"
    file.write_text("boardfile = plan1\n" + file.read_text(encoding="utf-8-sig"), encoding="utf-8")
    with pytest.raises(BadOption, match="line 1 stands before the first section"):
        read_config(file)


def test_what_a_configuration_must_say(config: Callable[..., Path], run: Callable[..., Ran], tmp_path: Path) -> None:
    file = config()
    whole = file.read_text(encoding="utf-8")
    for cut, says in (
        ("boardfile = plan1\n", "does not say which board"),
        ("phantom = heuristic\n", "does not say who plays"),
        ("[DETECTIVES]\ndetectives = heuristic\n", "has no section [DETECTIVES]"),
    ):
        file.write_text(whole.replace(cut, ""), encoding="utf-8")
        said = run("run", file)
        assert (said.code, says in said.err) == (2, True)
    assert "cannot be read" in run("run", tmp_path / "none.ini").err
    for name in ("nowhere.json", "x" * 5000, "../" * 2000 + "x.json"):
        file.write_text(whole.replace("plan1", name), encoding="utf-8")
        said = run("run", file)
        assert (said.code, "there is no board" in said.err) == (2, True)
        assert f"in {tmp_path.resolve()}" in " ".join(said.err.split())
        assert len(said.err) < 600


def test_london_has_no_game_log_and_too_many_placements(config: Callable[..., Path], run: Callable[..., Ran]) -> None:
    file = config(cmd="game")
    file.write_text(file.read_text(encoding="utf-8").replace("plan1", "london"), encoding="utf-8")
    assert "has no place for what is played on" in run("run", file).err
    file = config(games="variants")
    file.write_text(file.read_text(encoding="utf-8").replace("plan1", "london"), encoding="utf-8")
    assert "13,366,080 games" in run("run", file).err
    file = config(games="3", cmd="set")
    file.write_text(file.read_text(encoding="utf-8").replace("plan1", "london"), encoding="utf-8")
    assert "Total games: 3" in run("run", file).out


def test_a_person_plays_leaves_and_closes(config: Callable[..., Path], run: Callable[..., Ran]) -> None:
    file = config(cmd="set", phantom="player", detectives="random")
    said = run("run", file, typed="moves\nboard\nflying 3\nquit\nquit\nquit\n")
    assert said.code == 0
    assert "Total games: 0" in said.out
    assert "3 of 3 games were not finished" in said.err
    assert "flying 3" in said.out
    said = run("run", file, typed="")
    assert said.code == 0
    assert "Total games: 0" in said.out


def test_a_person_finishes_a_game(config: Callable[..., Path], run: Callable[..., Ran]) -> None:
    """The person moves at random. The seed is the first with which this leads the phantom into a detective."""
    played_by = make_agent("random", read_config(config()).make_game())
    moves, ends = list[str](), list[State]()

    def typing(state: State) -> int:
        moves.append(state.game.rules.action_text(played_by.choose(state.view())))
        return state.parse(moves[-1])

    for seed in range(50):
        moves.clear()
        file = config(games="1", cmd="game", phantom="player", detectives="random", seed=str(seed))
        games = GameSet(read_config(file), seed, typing, ends.append)
        (what,) = next(games.play())
        if "walked into" in ends[-1].game.face.why_over(ends[-1].view(0)):
            break
    said = run("run", file, typed="\n".join(moves) + "\n").out
    assert isinstance(what, Played)
    assert matrix_text(matrix_of(games.game, what)) in said
    end = said[said.rindex("phantom> ") :]
    assert re.search(r"  Move \d+ of the phantom: ", end)  # the news since the last question
    assert re.search(r"^The detectives win\nThe phantom walked into detective \d at stop \d+\.$", end, re.MULTILINE)
    assert "catches the phantom" not in end  # once is enough


def test_what_was_played_is_kept_when_interrupted(
    config: Callable[..., Path], run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thesis_run, "BATCH", 2)
    monkeypatch.setattr(GameSet, "play", interrupted(GameSet.play))
    said = run("run", config(games="10", cmd="set", log="set"), "--out", tmp_path)
    assert said.code == 130
    assert "Total games: 2" in said.out
    assert "Total games: 2" in next(tmp_path.glob("2*.txt")).read_text(encoding="utf-8")
    assert "8 of 10 games were not finished" in said.err


def interrupted(play: Callable[[GameSet], Iterator[list[Played | None]]]) -> Callable[[GameSet], Iterator[object]]:
    def once(games: GameSet) -> Iterator[object]:
        yield next(play(games))
        raise KeyboardInterrupt

    return once


def test_mcts_of_the_thesis_plays(config: Callable[..., Path], run: Callable[..., Ran]) -> None:
    said = run("run", config(games="1", cmd="set", phantom="mcts", more="iterations = 20", detectives="random")).out
    assert "Total games: 1" in said


# other commands


def test_logs_and_records_on_the_command_line(run: Callable[..., Ran], tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GOLDEN, encoding="utf-8")
    said = run("log", file, "--record", tmp_path / "game.json").out
    assert "45 moves and 4 passes are legal; tickets and result agree." in said
    assert Record.from_json((tmp_path / "game.json").read_text(encoding="utf-8")).replay().over
    file.write_text(changed(4, 1, 2), encoding="utf-8")
    assert run("log", file).err.startswith("ludens: row 4, the phantom: ")
    file.write_text(str(SetLog(HEAD, (1, 1))), encoding="utf-8")
    assert "agree" in run("log", file).out
    assert "only a game log has moves" in run("log", file, "--record", tmp_path / "set.json").err
    assert "cannot be read" in run("log", tmp_path / "none.txt").err


def test_a_log_finds_a_kept_board_by_the_name_of_its_file(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDENS_BOARDS", str(tmp_path / "boards"))
    file, text = tmp_path / "game.txt", (BOARDS / "plan1.json").read_text(encoding="utf-8")
    first = keep_board(text, "My Town").id
    for name in ("my_town", "My Town", "there/My Town.json", "maps\\my town.json", first, f"other{first[-9:]}"):
        file.write_text(GOLDEN.replace("Board: plan1", f"Board: {name}"), encoding="utf-8")
        assert "45 moves and 4 passes are legal" in run("log", file).out
    keep_board(text + "\n", "my town")
    file.write_text(GOLDEN.replace("Board: plan1", "Board: my town.json"), encoding="utf-8")
    assert "several boards are stored as 'my town'" in " ".join(run("log", file).err.split())
    for name in ("nowhere", "x" * 5000):
        file.write_text(GOLDEN.replace("Board: plan1", f"Board: {name}"), encoding="utf-8")
        said = run("log", file)
        assert (said.code, f"nor in {tmp_path.resolve()}" in " ".join(said.err.split())) == (2, True)
        assert len(said.err) < 400


def test_one_pass_is_one_pass(run: Callable[..., Ran], tmp_path: Path) -> None:
    state = pursuit(detectives=2).start(seed=0, fields={"stop": [15, 30, 1]})
    for move in ("taxi 14", "tram 14"):
        state.play(move)
    log = GameLog(HEAD, matrix_of(state.game, played(state)), 1)  # type: ignore[arg-type]
    (tmp_path / "game.txt").write_text(str(log), encoding="utf-8")
    assert "2 moves and 0 passes are legal" in run("log", tmp_path / "game.txt").out
    assert [counted(n, "pass", "passes") for n in (0, 1, 2)] == ["0 passes", "1 pass", "2 passes"]


def test_boards_on_the_command_line(run: Callable[..., Ran], tmp_path: Path) -> None:
    listed = run("boards").out
    for name, stops, links in (("plan1", 33, 73), ("square1", 36, 79), ("london", 199, 468)):
        assert [name, str(stops), str(links)] in [row.split()[:3] for row in listed.splitlines()]
    assert "199" in run("board", "london").out
    text = (BOARDS / "plan1.json").read_text(encoding="utf-8")
    (tmp_path / "mine.json").write_text(text, encoding="utf-8")
    assert "73 (57 taxi, 16 tram)" in run("board", tmp_path / "mine.json").out
    (tmp_path / "mine.json").write_text("\ufeff" + text, encoding="utf-8")
    assert "73 (57 taxi, 16 tram)" in run("board", tmp_path / "mine.json").out
    assert "there is no board 'xxx" in run("board", "x" * 5000).err
    (tmp_path / "mine.json").write_text(text[: len(text) // 2], encoding="utf-8")
    assert "is not whole JSON" in run("board", tmp_path / "mine.json").err
