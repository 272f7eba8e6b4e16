"""Plants twenty bugs, one at a time, and says whether the tests find them: python -m tests.planted [--workers 2].

Each bug is planted in a copy of the project, in which only the tests named beside it are run (``make test`` runs them
all).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent.parent


class Bug(NamedTuple):
    """What is written in place of what, and the tests that should notice."""

    what: str
    file: str  # below src/ludens
    right: str
    wrong: str
    tests: tuple[str, ...]


AZUL, DICE, HEARTH = "games/azul/", "games/dicewars/", "games/hearthstone/"
CONTRACT = "testing/test_contract.py"
BUGS = (
    Bug(
        "a tile in two runs counts once",
        AZUL + "judgement.py",
        "return across if down == 1 else across + down",
        "return across if down == 1 else max(across, down)",
        ("games/azul/test_azul_judgement.py",),
    ),
    Bug(
        "Azul deals 19 tiles of a colour",
        AZUL + "rules.py",
        "s.bag[colour] = 20",
        "s.bag[colour] = 19 + (colour > 0)",
        ("games/azul/test_azul_rules.py",),
    ),
    Bug(
        "Azul's quick answer allows a closed line",
        AZUL + "rules.py",
        "return 1 if dest == FLOOR or open_rows",
        "return 1 if dest >= 4 or open_rows",
        (CONTRACT + " -k azul",),
    ),
    Bug(
        "Azul's view misses the floor",
        AZUL + "view.py",
        '    "floor",\n',
        "",
        ("games/azul/test_azul_properties.py", CONTRACT + " -k azul"),
    ),
    Bug(
        "a seat of Liar's Dice sees its neighbour's dice",
        "games/liars_dice/view.py",
        "copy_field(v.dice[seat], s.dice[seat])",
        "copy_field(v.dice, s.dice)",
        (CONTRACT + " -k liars",),
    ),
    Bug(
        "dice guessed in Liar's Dice are never the last face",
        "games/liars_dice/view.py",
        "below(dice, g.c.faces)] += 1",
        "below(dice, g.c.faces - 1)] += 1",
        (CONTRACT + " -k liars", "games/liars_dice/test_liars_dice_rules.py"),
    ),
    Bug(
        "an equal bid may follow where the face starts again",
        "games/liars_dice/rules.py",
        "for other in range(face + 1, faces):",
        "for other in range(face, faces):",
        ("games/liars_dice/test_liars_dice_rules.py",),
    ),
    Bug(
        "the attacker of Dicewars wins ties",
        DICE + "rules.py",
        "resolve(g, s, attack > defence, log)",
        "resolve(g, s, attack >= defence, log)",
        ("games/dicewars/test_dicewars_rules.py", "games/dicewars/test_dicewars_odds.py"),
    ),
    Bug(
        "reserves of Dicewars show",
        DICE + "view.py",
        "    if g.c.public:\n        copy_field(v.reserve, s.reserve)",
        "    copy_field(v.reserve, s.reserve)",
        ("games/dicewars/test_dicewars_view.py",),
    ),
    Bug(
        "the detectives see the phantom",
        "games/pursuit/view.py",
        "if seat == PHANTOM or s.phase == ENDED:",
        "if seat >= 0:",
        (CONTRACT + " -k pursuit",),
    ),
    Bug(
        "detectives hear where every phantom move leads",
        "games/pursuit/judgement.py",
        "return action if s.piece or is_seen else action - action % size",
        "return action",
        ("games/pursuit/test_pursuit_agents.py",),
    ),
    Bug(
        "the whole catch goes to every detective",
        "games/pursuit/judgement.py",
        "1.0 if caught_by in (0, piece) else 1.0 - 2.0 * share",
        "1.0",
        ("games/pursuit/test_pursuit_agents.py",),
    ),
    Bug(
        "a frozen minion attacks all the same",
        HEARTH + "estimate.py",
        "(k.FROZEN | k.CANNOT_ATTACK)",
        "k.CANNOT_ATTACK",
        ("games/hearthstone/test_hearthstone_estimate.py",),
    ),
    Bug(
        "moves of Hearthstone have one label wherever the card lies, also another card",
        HEARTH + "rules.py",
        "int64(s.side[s.turn].hand[at]) * k.PLACES",
        "at * k.PLACES",
        ("search/test_mcts_labels.py", "games/hearthstone/test_hearthstone_mcts.py"),
    ),
    Bug(
        "alpha-beta takes upper bounds for lower ones",
        "search/alphabeta.py",
        "_UPPER if level.best <= level.alpha0 else _LOWER if",
        "_LOWER if level.best <= level.alpha0 else _UPPER if",
        ("search/test_search.py", "present/test_meetings.py -k azul"),
    ),
    Bug(
        "intervals are a tenth too narrow",
        "arena/statistics.py",
        "[2.5, 97.5])\n        interval",
        "[5, 95])\n        interval",
        ("arena/test_statistics.py", "present/test_meetings.py -k azul"),
    ),
    Bug(
        "agents' dice do not change from decision to decision",
        "core/rng.py",
        "np.uint64(decision + 1)",
        "np.uint64(1)",
        ("core/test_game.py", "present/test_meetings.py -k azul"),
    ),
    Bug(
        "a checksum forgets the last value",
        "core/checksum.py",
        "places.ravel())",
        "places.ravel()[:-8])",
        ("core/test_checksum.py",),
    ),
    Bug(
        "a page of another site may change something",
        "web/guard.py",
        "if is_change and origin is not None and _netloc(origin) != host:",
        "if is_change and origin is not None and not _netloc(origin):",
        ("web/test_guard.py", "web/test_protocol.py"),
    ),
    Bug(
        "the seed of a table is its public fingerprint",
        "web/fair.py",
        'hashlib.sha256(b"seed" + secret)',
        "hashlib.sha256(secret)",
        ("web/test_fair.py",),
    ),
)


def found(bug: Bug) -> str:
    """The first test that fails, or what went wrong; '' if all tests passed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("src", "tests", "docs", "pyproject.toml", "README.md"):
            if (HERE / name).is_dir():
                shutil.copytree(HERE / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(HERE / name, copy / name)
        file = copy / "src" / "ludens" / bug.file
        text = file.read_text(encoding="utf-8")
        if bug.right not in text:
            sys.exit(f"{bug.what}: {bug.file} no longer reads {bug.right!r}; plant it elsewhere")
        file.write_text(text.replace(bug.right, bug.wrong, 1), encoding="utf-8")
        paths = [copy / "src", copy / "tests/plugins/kuhn/src", copy, os.environ.get("PYTHONPATH", "")]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "LUDENS_CACHE": str(copy / "cache")}
        for tests in bug.tests:
            name, *more = tests.split()
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"tests/{name}", *more]
            done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False)
            if done.returncode:
                lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                return lines[0][:160] if lines else (done.stdout + done.stderr)[-300:]
    return ""


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--workers", type=int, default=2)
    with ThreadPoolExecutor(words.parse_args().workers) as pool:
        results = list(pool.map(found, BUGS))
    for bug, told in zip(BUGS, results, strict=True):
        print(f"{'found' if told else 'MISSED'}: {bug.what}\n    {told}")
    print(f"{sum(map(bool, results))} of {len(BUGS)} planted bugs were found")
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
