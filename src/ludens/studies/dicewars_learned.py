"""The rows of the study of Dicewars about what was learned: the forest that evaluates, and rewards for moves.

The thesis gives no figures for these: it dropped the forest and only proposed the others. So the thesis's player as it
is stands beside them, in the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludens.studies.study import Row

FOREST, HARM = "An evaluation guessed by a forest", "An evaluation that counts harm to others"
REWARDS = "Attacks and transfers learned from rewards"
EVALUATION, HARDEST, STRANGERS = "evaluation mode", "hardest table", "v 3 x thesis"  # whom a player meets

MakeRow = Callable[[str, str, tuple[str, str]], Row]  # of section, spec, line and column
_THREE = {
    "prune=threshold": "prune=threshold",
    "with a pass move": "prune=threshold,pass_move=yes",
    "prune=none, depth=1": "prune=none,depth=1",
}
_FORESTS: Mapping[str, str] = {
    "the evaluation itself": "",
    "forest, all positions": "evaluate=thesis-forest",
    "forest, positions that improved": "evaluate=thesis-forest-risen",
    "forest, the others by what they led to": "evaluate=thesis-forest-led",
}
_HARMS = {"none": "", "0.25": "harm=0.25", "0.5": "harm=0.5", "1": "harm=1", "2": "harm=2"}
_REWARDED: Mapping[str, str] = {
    "thesis, prune=threshold": "thesis:prune=threshold",
    "thesis, prune=nn": "thesis:prune=nn",
    "policy alone, best move": "thesis-policy",
    "policy alone, moves drawn": "thesis-policy:play=sample",
    "thesis pruned by the policy": "thesis:prune=thesis-policy",
    "the same, no fallback": "thesis:prune=thesis-policy,fallback=no",
    "thesis with its transfers": "thesis:transfers=thesis-policy",
    "thesis with both": "thesis:prune=thesis-policy,transfers=thesis-policy",
    "both, no fallback": "thesis:prune=thesis-policy,transfers=thesis-policy,fallback=no",
}

_COLUMNS: Mapping[str, tuple[str, ...]] = {  # of lines that have more than the first
    "thesis, prune=threshold": (EVALUATION, HARDEST),
    "policy alone, best move": (EVALUATION, HARDEST, STRANGERS),
    "thesis with both": (EVALUATION, HARDEST, STRANGERS),
}


def learned_rows(make: MakeRow) -> list[Row]:
    """All rows of the three sections; ``make`` makes one, against the players that its column says."""
    rows = [
        make(section, f"thesis:{part}{change and ','}{change}", (line, column))
        for section, lines in ((FOREST, _FORESTS), (HARM, _HARMS))
        for line, change in lines.items()
        for column, part in _THREE.items()
    ]
    for line, spec in _REWARDED.items():
        rows += [make(REWARDS, spec, (line, column)) for column in _COLUMNS.get(line, (EVALUATION,))]
    return rows
