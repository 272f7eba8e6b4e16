"""All positions of a match in one small file: the strategies that come with the agent ``equilibrium``.

A strategy is made smaller in three steps; the solver measures the exploitability after them exactly:

* *recall* of the last few bids: histories that differ only in earlier bids are averaged, weighted with their player's
  own reach,
* rows whose own reach is below a threshold are dropped (the opponent alone cannot lead the player there),
* probabilities become whole numbers of 255ths, so rare actions become exactly 0, and LZMA compresses the result.

The last two cost almost nothing; limiting recall to three to five bids costs a few thousandths (see `compact_all`).
"""

from __future__ import annotations

import dataclasses
import functools
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import tensor_file
from ludens.core.error import BadOption, BadRecord
from ludens.core.file import json_of
from ludens.games.liars_dice import solution
from ludens.games.liars_dice.solution import Solution, round_in
from ludens.games.liars_dice.tree import Round, build_tree
from ludens.solve import vector_cfr
from ludens.solve.contract import recall_of

FORMAT = "ludens liars-dice compact 1"
THRESHOLD = 1e-8
LADDER = (2, 3, 4, 5, None)  # remembered bids; None: all of them
MAX_BYTES, MAX_UNPACKED = 1 << 28, 1 << 30  # of a file, of one strategy in it
_MOST_MEMORY = 1 << 28  # for unpacking; what `compact` packs takes 65 MB


@dataclasses.dataclass(frozen=True)
class Compact:
    """The compressed strategy of one solved round, with its measured exploitability and its value for the opener."""

    dice: tuple[int, int]
    recall: int | None
    packed: bytes
    exploitability: float
    value: float


def compact(
    solved: Solution,
    *,
    recall: int | None = 3,
    threshold: float = THRESHOLD,
    bits: int = 8,
    threads: int = 2,
) -> Compact:
    """Compress a solved round that has full recall, and measure the exploitability of the result.

    ``recall``: number of last bids to remember, None for all; ``threshold``: entries whose player's own reach is at
    most this are dropped; ``bits``: of each probability, 2 to 8.
    """
    if solved.recall.last:
        raise BadOption(f"{solved.game}: only a solution with full recall can be packed")
    if not 2 <= bits <= 8:
        raise BadOption(f"bits {bits}: 2 to 8")
    small = vector_cfr.shrink(solved.tree, solved.weights(), recall, threshold, threads)
    weights = solution.quantise(small, (1 << bits) - 1)
    packed = lzma.compress(weights.tobytes(), preset=9)
    gap = vector_cfr.measure(solved.tree, weights.astype(np.float32), threads, recall)
    return Compact(solved.game.dice, recall, packed, float(gap.exploitability), float(gap.value))


def compact_all(
    folder: Path,
    out: Path,
    *,
    budget_bytes: int = 10_000_000,
    goal: float = 0.002,
    raise_rule: str = "monotone",
    most: int = 5,
    threads: int = 2,
    report: Callable[[str], None] = print,
) -> list[Compact]:
    """Compress every solved round of a folder into one file ``out`` of at most ``budget_bytes``.

    Each round takes the shortest recall whose exploitability is at most ``goal``. While the file is too large, the goal
    is multiplied by 1.5. ``most`` is the largest number of dice a player has; ``report`` receives lines of text about
    every step. Returns the rounds as written; `BadOption` if there are none, or they are too large even in their
    smallest form.
    """
    paths = [p for p in _positions(folder, raise_rule, most) if p.exists()]
    if not paths:
        raise BadOption(f"{folder} has no solved rounds: run `ludens solve liars-dice --all --out {folder}` first")
    candidates = [_candidates(solution.load(path), goal, threads, report) for path in paths]
    while True:
        chosen = [next((c for c in steps if c.exploitability <= goal), steps[-1]) for steps in candidates]
        size = _write(out, raise_rule, chosen)
        if size <= budget_bytes:
            break
        if all(pick is steps[0] for pick, steps in zip(chosen, candidates, strict=True)):
            raise BadOption(f"the positions take {size} bytes at their smallest, more than {budget_bytes}")
        goal *= 1.5
    report(table(chosen))
    return chosen


def _positions(folder: Path, raise_rule: str, most: int) -> list[Path]:
    """The usual paths of the solved rounds of a match in a folder, with up to ``most`` dice each.

    They are returned whether the files exist or not.
    """
    games = [Round((k, m), 6, raise_rule) for k in range(1, most + 1) for m in range(1, most + 1)]
    return [folder / solution.file_name(game) for game in games]


def _candidates(solved: Solution, goal: float, threads: int, report: Callable[[str], None]) -> list[Compact]:
    """A solved round compressed with longer and longer recall, up to the first that meets the ``goal``.

    Only those less exploitable than all before are returned, so the last one is the best. ``report`` receives a line of
    text about each.
    """
    steps: list[Compact] = []
    for recall in LADDER:
        step = compact(solved, recall=recall, threads=threads)
        report(table([step]))
        if not steps or step.exploitability < steps[-1].exploitability:
            steps.append(step)
        if step.exploitability <= goal:
            break
    return steps


def _write(out: Path, raise_rule: str, chosen: list[Compact]) -> int:
    """Write the compressed rounds ``chosen`` to the file ``out`` and return its size in bytes."""
    arrays = {f"{c.dice[0]}v{c.dice[1]}": np.frombuffer(c.packed, np.uint8) for c in chosen}
    about = [{**dataclasses.asdict(c), "packed": len(c.packed)} for c in chosen]
    header = {"format": FORMAT, "raise_rule": raise_rule, "faces": 6, "wild": "none", "positions": about}
    tensor_file.write(out, arrays, {"compact": json.dumps(header)})
    return out.stat().st_size


def table(chosen: list[Compact]) -> str:
    """Compressed rounds as lines of text: dice, remembered bids, bytes, exploitability; and totals if several."""
    rows = [
        f"{c.dice[0]}v{c.dice[1]}  last {c.recall or 'all'}  {len(c.packed):9,} bytes  {c.exploitability:.5f}"
        for c in chosen
    ]
    if len(chosen) > 1:
        gaps = [c.exploitability for c in chosen]
        rows.append(
            f"all {sum(len(c.packed) for c in chosen):,} bytes, worst {max(gaps):.5f}, mean {np.mean(gaps):.5f}"
        )
    return "\n".join(rows)


def load_compact(path: Path) -> dict[tuple[int, int], Callable[[], Solution]]:
    """Read a file of compressed rounds; returns functions that unpack them, by (opener's dice, other's dice)."""
    arrays, notes = tensor_file.read(path, MAX_BYTES)
    header = json_of(notes.get("compact", "{}"), f"what {path} notes", BadRecord)
    positions = header.get("positions") if isinstance(header, dict) and header.get("format") == FORMAT else None
    if not isinstance(positions, list) or not all(isinstance(about, dict) for about in positions):
        raise BadRecord(f"{path} is no packed file of Liar's Dice strategies")
    found: dict[tuple[int, int], Callable[[], Solution]] = {}
    for about in positions:
        game, recall = round_in(header | about, path)
        packed = arrays.get(f"{game.dice[0]}v{game.dice[1]}")
        if packed is None:
            raise BadRecord(f"{path} lacks the strategy of {game}")
        found[game.dice] = functools.partial(restore, game, recall, packed.tobytes(), about)
    return found


def restore(game: Round, recall: int | None, packed: bytes, notes: dict[str, Any]) -> Solution:
    """Unpack one compressed round into a solution; `BadRecord` if the bytes are damaged.

    ``recall`` is the number of last bids it remembers (None: all). No more is unpacked than a strategy of the round
    has: a small file may hold a very long one.
    """
    most = recall_of(build_tree(game), recall).total + 1
    try:
        raw = lzma.LZMADecompressor(memlimit=_MOST_MEMORY).decompress(packed, min(most, MAX_UNPACKED))
    except (lzma.LZMAError, EOFError):
        raise BadRecord(f"the packed strategy of {game} is damaged") from None
    return Solution.of(game, recall, np.frombuffer(raw, np.uint8), notes)
