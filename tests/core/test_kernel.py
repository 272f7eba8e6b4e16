"""Where compiled code is kept, and that it is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludens.core import drive, ops
from ludens.core.fields import record_of
from ludens.core.kernel import kernel
from ludens.core.ops import implements

CODE = """
import ludens
from ludens.core import kernel, listen
compiled = []
listen.on_compile(lambda kernel, package: compiled.append(kernel))
game = ludens.game("azul")
ludens.agent("random", game).choose(game.start(seed=1).view())
print(len(compiled), kernel.cache_dir())
"""


def start(**env: str) -> tuple[int, Path]:
    kept = {name: value for name, value in os.environ.items() if name != "LUDENS_CACHE"}
    done = subprocess.run([sys.executable, "-c", CODE], env=kept | env, capture_output=True, text=True, check=True)
    count, folder = done.stdout.split(maxsplit=1)
    return int(count), Path(folder.strip())


def test_a_second_start_compiles_nothing(tmp_path: Path) -> None:
    first, folder = start(LUDENS_CACHE=str(tmp_path))
    assert first > 0
    assert folder == tmp_path
    assert start(LUDENS_CACHE=str(tmp_path))[0] == 0


def test_a_broken_cache_file_is_compiled_again(tmp_path: Path) -> None:
    start(LUDENS_CACHE=str(tmp_path))
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes()[:100])
    assert start(LUDENS_CACHE=str(tmp_path))[0] > 0


def test_a_home_that_cannot_be_written_gets_a_temporary_cache(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    _, folder = start(LUDENS_CACHE=str(tmp_path / "file" / "cache"), TMPDIR=str(tmp_path))
    assert folder.parent == tmp_path


def test_the_key_sees_data_files_and_whole_packages(tmp_path: Path) -> None:
    from ludens.core.kernel import _contents, _home

    digests = set()
    for number in range(2):
        folder = tmp_path / str(number)
        (folder / "data").mkdir(parents=True)
        (folder / "rules.py").write_text("x = 1")
        (folder / "data" / "cards.txt").write_text(str(number))
        digests.add(_contents(folder))
    assert len(digests) == 2
    assert _home("ludens.games.azul.rules").name == "azul"
    assert _home("ludens.search.mcts").name == "search"
    assert _home("pytest").name == "pytest"


def test_the_key_knows_which_rules_a_game_has() -> None:
    import ludens
    from ludens.core.kernel import _rules_of

    rules = _rules_of[type(ludens.game("azul").rules.constants)]
    assert rules["suggest"] == "ludens.games.azul.judgement"
    assert rules["see"] == "ludens.games.azul.view"


def test_types_of_one_name_keep_their_own_rules() -> None:
    """Two games may both call theirs `Constants`; a cell of a notebook that is run again makes the same name again."""

    def made(points: int) -> Any:
        class Constants(NamedTuple):
            c: np.ndarray

        @implements(ops.to_move, Constants)
        @kernel
        def to_move(g: Any, s: Any) -> int:
            return points

        return Constants(np.zeros(1, record_of(seats=np.int64)))

    state, out = np.zeros(1, record_of(rng=np.uint64)), np.zeros(1, np.int64)
    for points in (3, 4, 5):
        drive.seats_to_move(made(points), state, out)
        assert out[0] == points
