"""Every file that may come from somebody else, damaged at random: it is read, or refused in one clear line.

For each kind there are whole files, ways to damage them, and a function that reads one and uses what it has read.
``make soak`` tries 10,000 of each kind.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import lzma
import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.games.pursuit.test_pursuit_board_file import ours, stations, thesis
from tests.mutation import VALUES, mutated, mutated_arrays, mutated_header, mutated_json
from tests.soak import Figures, amount, soak

import ludens
from ludens.core import tensor_file
from ludens.core.error import LudensError
from ludens.core.file import json_of
from ludens.core.lanes import Lanes
from ludens.core.language import Catalogue
from ludens.core.record import Record
from ludens.core.registry import load_file
from ludens.games.dicewars.thesis import pruner
from ludens.games.dicewars.value import load_value
from ludens.games.hearthstone import estimate, scenario_commands
from ludens.games.hearthstone.deck import find_deck
from ludens.games.hearthstone.deck_code import write_code
from ludens.games.hearthstone.deck_file import deck_text, read_deck
from ludens.games.liars_dice import compact, solution
from ludens.games.liars_dice.game import LiarsDice
from ludens.games.liars_dice.thesis.learners import SarsaProfile
from ludens.games.liars_dice.tree import Round, build_tree
from ludens.games.pursuit.thesis.game_log import GameLog, read_log, replay_log
from ludens.games.pursuit.thesis.run import read_config
from ludens.learn import model
from ludens.solve.contract import recall_of
from ludens.solve.vector_cfr import Solver
from ludens.terminal import show_replay

HERE, GAMES = Path(__file__).parent, Path(ludens.__file__).parent / "games"
PLAYED = ("azul", "liars-dice", "dicewars", "pursuit", "hearthstone")
LONGEST, SECONDS = 300, 1.0
Damage = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True)
class Kind:
    """A kind of file: whole ones, ways to damage them, and what reads a file at a path and uses it."""

    whole: Callable[[Path], Sequence[bytes]]  # the path is a folder to work in
    damages: Sequence[Damage]
    read: Callable[[Path], object]


TEXT, JSON, MODEL = [mutated], [mutated, mutated_json, mutated_json], [mutated, mutated_header, mutated_arrays]


def is_clear(message: str) -> bool:
    """Whether a message is one line that any terminal can show."""
    return 0 < len(message) <= LONGEST and message.isprintable()


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


# Records and start fields


def records(game: str, **options: Any) -> Callable[[Path], list[bytes]]:
    """The records of a few moves, and one that says who won, as games that were given up do."""

    def make(folder: Path) -> list[bytes]:
        state = ludens.game(game, **options).start(seed=3)
        agent = ludens.agent("random", state.game)
        for _ in range(8):
            state.play(agent.choose(state.view()))
        data = json.loads(state.record.to_json())
        seats = state.game.rules.seats
        ended = {"players": ["random"] * seats, "returns": [1.0, *[-1.0] * (seats - 1)], "note": "a note"}
        return [as_json(data), as_json(data | ended)]

    return make


def read_record(file: Path) -> None:
    """Read, replay and draw a record; one of Hearthstone that says who won is exported too."""
    from ludens.games.hearthstone.export import play_again, read_records
    from ludens.games.hearthstone.export_csv import decision_rows, summary_row
    from ludens.games.hearthstone.export_hdt import to_hdtreplay
    from ludens.games.hearthstone.export_hsreplay import to_hsreplay

    text = file.read_text(encoding="utf-8", errors="replace")
    record = Record.from_json(text)
    final = record.replay()
    final.game.face.svg(final.view())
    with contextlib.redirect_stdout(io.StringIO()):
        show_replay(record, None, None)
    if record.game == "hearthstone" and record.returns is not None:
        for again in read_records(text):
            played = play_again(again)
            for export in (summary_row, decision_rows, to_hdtreplay, to_hsreplay):
                export(played)


def brought_decks(folder: Path) -> list[bytes]:
    """Start fields of Hearthstone: decks of both seats, and of the first."""
    face, liege = find_deck("face"), find_deck("liege")
    cards, none = list(face.cards), [0] * len(face.cards)
    both = {"lists": [cards, list(liege.cards)], "classes": [face.class_number, liege.class_number]}
    return [as_json(both), as_json({"lists": [cards, none], "classes": [face.class_number, 0]})]


def with_start_fields(data: bytes, rng: random.Random) -> bytes:
    """Start fields for games that have none."""
    return json.dumps({rng.choice(["", "rng", "seat", "x\x1b" * 500]): rng.choice(VALUES) for _ in range(2)}).encode()


def read_start(game: str) -> Callable[[Path], None]:
    """A reader of start fields: deals a game with them, plays a move and draws it."""

    def read(file: Path) -> None:
        fields = json_of(file.read_text(encoding="utf-8", errors="replace"), "the start")
        if isinstance(fields, dict):
            state = ludens.game(game).start(1, fields)
            state.play(state.legal[0])
            state.game.face.svg(state.view())

    return read


# Boards, decks, positions, texts


def read_board(file: Path) -> None:
    state = ludens.game("pursuit", board=str(file)).start(1)
    state.play(state.legal[0])
    state.game.face.svg(state.view())


def decks(folder: Path) -> list[bytes]:
    return [deck_text(find_deck(name)).encode() for name in ("face", "liege")]


def codes(folder: Path) -> list[bytes]:
    return [write_code(deck.class_, deck.cards).encode() for deck in map(find_deck, ("face", "liege"))]


def read_deck_file(file: Path) -> None:
    deck_text(find_deck(str(file)))


def read_code(file: Path) -> None:
    """As a code is given: as the text of an option. One that is none in form is a name or path."""
    text = file.read_bytes().decode("latin-1")
    deck_text(read_deck(text, "code"))
    find_deck(text)


def scenarios(folder: Path) -> list[bytes]:
    creeper = {"name": "Haunted Creeper", "keywords": ["taunt"], "attacks": 1, "since": 3, "health": 1, "ready": False}
    first = {
        "hero": "hunter",
        "hand": ["Kill Command", {"name": "Animal Companion", "discount": 1}],
        "board": [creeper],
    }
    second = {"hero": "mage", "health": 5, "secrets": ["Ice Block"], "deck": ["Fireball"], "weapon": None}
    armed = first | {"weapon": {"name": "Eaglehorn Bow", "durability": 1}, "armor": 3, "tax": 1, "keywords": ["frozen"]}
    moves = ["play Kill Command on e0", "end"]
    return [
        as_json({"sides": [first, second], "moves": moves, "seed": 4}),
        as_json({"sides": [second, armed], "turn": 1, "options": {"positions": "free"}, "moves": ["end", "end"]}),
    ]


def read_scenario(file: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        scenario_commands.scenario(file, None, True)
        scenario_commands.scenario(file, None, False)


def catalogues(folder: Path) -> list[bytes]:
    return [(GAMES / game / "text" / "cs.toml").read_bytes() for game in ("azul", "liars_dice")]


def read_catalogue(file: Path) -> None:
    folder = file.parent / "text"
    folder.mkdir(exist_ok=True)
    (folder / "en.toml").write_bytes(file.read_bytes())
    texts = Catalogue(folder)
    for key in texts.keys("en"):
        with contextlib.suppress(LudensError):  # a text may ask for any value
            texts.say("en", key, n=2)


def logs(folder: Path) -> list[bytes]:
    return [(HERE / "games/pursuit/golden_thesis.txt").read_bytes()]


def read_thesis_log(file: Path) -> None:
    found = read_log(file.read_text(encoding="utf-8", errors="replace"))
    if isinstance(found, GameLog):
        replay_log(found, "plan1")


def configurations(folder: Path) -> list[bytes]:
    game = "[GAME]\nboardfile = plan1\ngameset = 2\ncmd = set\nlog = no\nseed = 4\n"
    return [f"{game}[PHANTOM]\nphantom = mcts\nthinktime = 10\n[DETECTIVES]\ndetectives = heuristic\n".encode()]


# Models


def pruners(folder: Path) -> list[bytes]:
    """The small shipped models, and a forest of two trees."""
    leaf = pruner.LEAF
    arrays: dict[str, np.ndarray] = {
        "asks": np.array([2, leaf, 7, leaf, leaf, leaf], np.uint8),
        "cut": np.array([3.5, 0, 0.5, 1, 0.2, 1], np.float32),
        "skip": np.array([2, 0, 2, 0, 0, 0], np.uint16),
        "roots": np.array([0, 5], np.uint32),
        "centre": np.zeros(11),
        "spread": np.ones(11),
    }
    tensor_file.write(folder / "forest", arrays, {"format": model.FORMAT})
    shipped = [GAMES / f"dicewars/models/thesis-{name}/model.safetensors" for name in ("nn", "svm-std")]
    return [file.read_bytes() for file in (folder / "forest", *shipped)]


def beside_card(file: Path, name: str, **changed: Any) -> str:
    """The folder in which the file stands as the arrays of an agent, with the card of a shipped one."""
    home = file.parent / f"{file.name}-agent"
    home.mkdir(exist_ok=True)
    card = json.loads((GAMES / name / "card.json").read_text("utf-8"))
    (home / "card.json").write_text(json.dumps(card | changed), "utf-8")
    (home / "model.safetensors").write_bytes(file.read_bytes())
    return str(home)


def read_pruner(file: Path) -> None:
    """As whichever classifier it is, if any."""
    faults = []
    for kind in pruner.KINDS:
        pruner._read.cache_clear()
        try:
            found = pruner.load_pruner(beside_card(file, "dicewars/models/thesis-rf", model=kind))
            break
        except LudensError as why:
            faults.append(why)
    else:
        raise faults[0]
    features = np.random.default_rng(1).normal(2, 3, (20, 11))
    pruner.classify(found, features, np.zeros(20, np.bool_))


def values(folder: Path) -> list[bytes]:
    return [(GAMES / "dicewars/models/conqueror-value/model.safetensors").read_bytes()]


def read_value(file: Path) -> None:
    load_value(beside_card(file, "dicewars/models/conqueror-value"))


def estimates(folder: Path) -> list[bytes]:
    return [(GAMES / "hearthstone/models/estimate/model.safetensors").read_bytes()]


def read_estimate(file: Path) -> None:
    estimate.load_evaluator(beside_card(file, "hearthstone/models/estimate"))


def rounds(folder: Path) -> list[bytes]:
    """Strategies of small rounds, with random weights."""
    files = []
    for number, (round_, recall) in enumerate([(Round((1, 1), 3), None), (Round((2, 1)), 2)]):
        total = recall_of(build_tree(round_), recall).total
        weights = np.random.default_rng(1).integers(0, 9, total).astype(np.uint16)
        notes = {"iterations": 9, "exploitability": 0.1, "value": 0.25, "bounds": [0.2, 0.3], "command": "ludens"}
        files.append(folder / str(number))
        solution.save(files[-1], round_, recall, weights, notes)
    return [file.read_bytes() for file in files]


def read_round(file: Path) -> None:
    solved = solution.load(file)
    use_round(solved)


def use_round(solved: solution.Solution) -> None:
    hands = [[dice, *[0] * (solved.game.faces - 1)] for dice in solved.game.dice]
    assert 0 <= solved.odds(hands[0], []).min() <= solved.odds(hands[1], [0]).max() <= 1 + 1e-9
    assert -1e300 < solved.value < 1e300


def packed(folder: Path) -> list[bytes]:
    """Two small rounds, packed."""
    chosen = []
    for dice, recall in [((1, 1), None), ((2, 1), 2)]:
        weights = np.full(recall_of(build_tree(Round(dice)), recall).total, 3, np.uint8)
        chosen.append(compact.Compact(dice, recall, lzma.compress(weights.tobytes()), 0.1, 0.2))
    compact._write(folder / "packed", "monotone", chosen)
    return [(folder / "packed").read_bytes()]


def read_packed(file: Path) -> None:
    for unpack in compact.load_compact(file).values():
        use_round(unpack())


@functools.cache
def solver() -> Solver:
    return Solver(build_tree(Round((1, 1), 2)), threads=1)


def checkpoints(folder: Path) -> list[bytes]:
    solver().save(folder / "checkpoint")
    return [(folder / "checkpoint").read_bytes()]


def read_checkpoint(file: Path) -> None:
    solver().load(file)


def lanes(folder: Path) -> list[bytes]:
    """Games of Liar's Dice, and of the pursuit game with start fields."""
    files = []
    starts: list[tuple[str, list[dict[str, Any]]]] = [("liars-dice", [{}] * 2), ("pursuit", [{"stop": [1, 19]}, {}])]
    for name, fields in starts:
        game = ludens.game(name)
        batch = Lanes(game, [4, 5], fields=fields)
        for _ in range(3):
            rows, _ = batch.waiting()
            batch.step(rows, batch.legal(rows)[0][:, 0].astype(np.int64))
        files.append(folder / name)
        batch.save(files[-1])
    return [file.read_bytes() for file in files]


def read_lanes(file: Path) -> None:
    data = file.read_bytes()
    Lanes.load(file, ludens.game("pursuit" if b'game": "pursuit' in data else "liars-dice"))


def learners(folder: Path) -> list[bytes]:
    SarsaProfile(LiarsDice(dice_1=1, dice_2=1)).save(folder / "learned")
    return [(folder / "learned" / "model.safetensors").read_bytes()]


def read_learner(file: Path) -> None:
    """Read a table with the profile of a thesis learner, beside its card."""
    game = LiarsDice(dice_1=1, dice_2=1)
    folder = file.parent / "agent"
    SarsaProfile(game).save(folder)
    shutil.copy(file, folder / "model.safetensors")
    ludens.agent(str(folder), game)


KINDS = {
    **{f"record of {game}": Kind(records(game), JSON, read_record) for game in PLAYED},
    "start of pursuit": Kind(lambda _: [as_json({"stop": [1, 19, 30]})], JSON, read_start("pursuit")),
    "start of hearthstone": Kind(brought_decks, JSON, read_start("hearthstone")),
    **{
        f"start of {game}": Kind(lambda _: [as_json({})], [with_start_fields], read_start(game))
        for game in ("azul", "liars-dice", "dicewars")
    },
    "board": Kind(lambda _: [as_json(ours()), as_json(thesis()), as_json(stations())], JSON, read_board),
    "deck": Kind(decks, TEXT, read_deck_file),
    "deck code": Kind(codes, TEXT, read_code),
    "scenario": Kind(scenarios, JSON, read_scenario),
    "catalogue": Kind(catalogues, TEXT, read_catalogue),
    "thesis log": Kind(logs, TEXT, read_thesis_log),
    "configuration": Kind(configurations, TEXT, read_config),
    "pruner": Kind(pruners, MODEL, read_pruner),
    "value": Kind(values, MODEL, read_value),
    "estimate": Kind(estimates, MODEL, read_estimate),
    "round": Kind(rounds, MODEL, read_round),
    "packed rounds": Kind(packed, MODEL, read_packed),
    "checkpoint": Kind(checkpoints, MODEL, read_checkpoint),
    "lanes": Kind(lanes, MODEL, read_lanes),
    "learner": Kind(learners, MODEL, read_learner),
}


@pytest.fixture(autouse=True)
def stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_BOARDS", str(tmp_path / "boards"))
    monkeypatch.setenv("LUDENS_DECKS", str(tmp_path / "decks"))


def refusal(kind: Kind, file: Path) -> str:
    """Read a file: '' if that works, else the message; any other exception is one of the test."""
    try:
        kind.read(file)
    except LudensError as why:
        return str(why)
    return ""


def read_damaged(kind: Kind, file: Path, name: str, count: int) -> dict[str, int]:
    """Write ``count`` damaged files to ``file`` and read each: it is read, or refused in one line, and quickly.

    ``name`` seeds the damages. Returns figures for `make soak`.
    """
    whole = kind.whole(file.parent)
    for data in whole:  # also compiles
        file.write_bytes(data)
        assert refusal(kind, file) == ""
    refused, slowest = 0, 0.0
    for number in range(count):
        rng = random.Random(f"{name} {number}")
        file.write_bytes(rng.choice(kind.damages)(rng.choice(whole), rng))
        begin = time.process_time()
        message = refusal(kind, file)
        slowest = max(slowest, time.process_time() - begin)
        assert not message or is_clear(message), f"file {number}: {message}"
        assert slowest < SECONDS, f"file {number} took {slowest:.1f} s"
        refused += bool(message)
    return {"files": count, "refused": refused, "slowest_ms": round(1000 * slowest)}


@soak
@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_file_is_read_or_refused_in_one_line(name: str, tmp_path: Path, figures: Figures) -> None:
    figures(**read_damaged(KINDS[name], tmp_path / "file.json", name, amount(100, 10_000)))


# The largest files that are worst for a reader


def long_board() -> bytes:
    """As many links as a board file may have, the last one twice."""
    links = [[number % 200 + 1, number // 200 + 1] for number in range(28_000)]
    return json.dumps(ours() | {"stops": 200, "links": {"taxi": [*links, links[-1]]}}, separators=(",", ":")).encode()


def many_modes() -> bytes:
    """A board with thousands of modes, and links by each."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    modes = [f"{a}{b}{c}" for a in letters for b in letters for c in letters][:15_000]
    board = ours() | {"black_only": modes, "links": {mode: [] for mode in modes}}
    return json.dumps(board, separators=(",", ":")).encode()


def of_size(size: int, pattern: bytes, end: bytes = b"") -> bytes:
    """A pattern again and again, up to a size."""
    return (pattern * (size // len(pattern) + 1))[: size - len(end)] + end


KB = 1024
WORST = {
    "deck": [
        of_size(16 * KB, part, end) for part in (b"\n", b" ", b"#", b"# class:", b"1 ", b"9x ") for end in (b"", b"x")
    ],
    "deck code": [of_size(16 * KB, b"AA"), b"AAEBAR8" + of_size(3000, b"//")],
    "board": [
        *(long_board(), many_modes(), b'{"plan":[' + of_size(255 * KB, b'{"stop":1},', b"") + b"]}"),
        *(of_size(256 * KB, part) for part in (b"[", b'{"a":', b"9", b'"\\u0041', b"[0,")),
    ],
    "record of azul": [
        *(of_size(KB * KB, part) for part in (b"[", b'{"a":', b"9", b"0,", b" ")),
        as_json({"ludens": 2, "actions": [0] * 340_000, "options": {}, "start": {}}),
        as_json(
            {
                "ludens": 2,
                "game": "a" * 1_000_000,
                "version": 1,
                "options": {},
                "seed": 1,
                "actions": [],
                "checksum": "",
            }
        ),
    ],
    "scenario": [
        as_json({"sides": [{"hero": "x" * 60_000}, {}]}),
        as_json({"sides": [{"deck": ["Fireball"] * 5000}] * 2}),
    ],
    "thesis log": [
        b"Board: a\nPhantom: b\nDetectives: c\n" + of_size(250 * KB, part, end)
        for part in (b"\n", b" ", b"[", b"[1 ", b"1 ", b"[[1]", b"Total games: ")
        for end in (b"", b"[x]")
    ],
    "configuration": [
        of_size(8 * KB, b" "),
        b"[GAME]\na" + of_size(8000, b" ", b"x"),
        b"[GAME]\n" + of_size(8000, b"a=;#"),
    ],
    "learner": [(1 << 20).to_bytes(8, "little") + of_size(1 << 20, part) for part in (b"[", b'{"a":', b"9")],
    "estimate": [(2000).to_bytes(8, "little") + of_size(2000, b"["), of_size(64 * KB, b"\xff")],
    "pruner": [(1 << 24).to_bytes(8, "little") + of_size(1 << 24, b'{"a":'), of_size(64 * KB, b"\xff")],
    "value": [(2000).to_bytes(8, "little") + of_size(2000, b"["), (1 << 62).to_bytes(8, "little")],
}


@pytest.mark.parametrize("name", WORST)
def test_the_worst_file_of_the_largest_size_is_refused_at_once(name: str, tmp_path: Path) -> None:
    kind, file = KINDS[name], tmp_path / "file.json"
    for data in kind.whole(tmp_path):
        file.write_bytes(data)
        refusal(kind, file)
    for number, data in enumerate(WORST[name]):
        file.write_bytes(data)
        begin = time.process_time()
        assert is_clear(refusal(kind, file)), f"file {number}"
        assert time.process_time() - begin < SECONDS, f"file {number}"


CRASHES = {
    "raise ValueError('\\x1b[31m' + 'x' * 10_000)": "ValueError: [31mxxx",
    "class Silent(Exception):\n  def __str__(self):\n    raise ValueError\nraise Silent": "an error without a message",
    "raise type('a\\nb' * 500, (Exception,), {})": "does not import: a b",
    "exit('\\n')": "SystemExit",
    "def act(view): return view.legal[0]\n\0": "does not import: ",
    "def act(view:": "SyntaxError",
    "def f(): f()\nf()": "RecursionError",
}


@pytest.mark.parametrize("code", CRASHES)
def test_an_agent_file_that_dies_is_told_in_one_line(code: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    with pytest.raises(LudensError) as caught:
        load_file(f"{tmp_path / 'mine.py'}:act")
    assert CRASHES[code] in str(caught.value)
    assert is_clear(str(caught.value))
