"""What the thesis published about Hearthstone, and runs of its programs, as data.

Rates are shares of games won by the player named first, in percent. The thesis played 1,000 games for each pair on the
Fireplace simulator of March 2016; the *reference run* is its author's programs on a present-day Fireplace with the
cards of 2016; the *try-out* is an earlier engine of ours, 100,000 games for each pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ludens.arena.statistics import wilson

DECKS: Mapping[str, str] = {"Face": "face", "Secret": "secret", "Malygos": "malygos", "Liège": "liege"}
SCRIPTS: Mapping[str, str] = {
    "Face hunter": "face-hunter",
    "Secret paladin": "secret-paladin",
    "Malygos mage": "malygos-mage",
}
PLAYERS: Mapping[str, str] = {
    **{f"R {title}": f"random:deck={deck}" for title, deck in DECKS.items()},
    **{f"A {title}": f"random-action:deck={deck}" for title, deck in DECKS.items()},
    **SCRIPTS,
}
THESIS_GAMES = 1000

_TABLE_61 = """
R Face         |   -  25  77  60  10   5  51  26   1   1   2
R Secret       |  75   -  95  80  30  12  85  50   1   1   3
R Malygos      |  23   5   -  25   3   1  39  10   0   0   1
R Liège        |  40  20  75   -   5   3  49  16   0   1   1
A Face         |  90  70  97  95   -  26  90  77   7   6  36
A Secret       |  95  88  99  97  74   -  99  89   6   6  39
A Malygos      |  49  15  61  51  10   1   -  29   1   1   3
A Liège        |  74  50  90  84  23  11  71   -   1   1   4
Face hunter    |  99  99 100 100  93  94  99  99   -  70  94
Secret paladin |  99  99 100  99  94  94  99  99  30   -  74
Malygos mage   |  98  97  99  99  64  61  97  96   6  26   -
"""

Q_GAMES = 500  # of each figure in its tables 9.1 and 9.2, after 5,000 games of training

_TABLE_91 = """
Net .8/.8    | 96 97  93  99 72 67 98 93 20 26 70
Net .1/.01   | 98 99 100 100 85 74 99 98 21 20 83
Table .8/.8  | 90 86  99  91 75 75 95 89 17 37 71
Table .1/.01 | 99 97  99  99 77 77 98 98 26 42 82
"""
_TABLE_92 = """
Net .8/.8    |  - 53 54 46
Net .1/.01   | 47  - 52 44
Table .8/.8  | 46 48  - 53
Table .1/.01 | 54 56 47  -
"""

TRY_OUT: Mapping[tuple[str, str], float] = {
    ("Face", "Face"): 49.8,
    ("Face", "Secret"): 26.3,
    ("Face", "Malygos"): 90.0,
    ("Face", "Liège"): 79.7,
    ("Secret", "Malygos"): 98.6,
    ("Secret", "Liège"): 90.2,
    ("Malygos", "Liège"): 28.6,
}

REFERENCE: Mapping[tuple[str, str], tuple[float, int]] = {  # percent, games
    ("Face hunter", "Secret paladin"): (69.7, 300),
    ("Face hunter", "Malygos mage"): (94.7, 300),
    ("Face hunter", "A Face"): (94.3, 300),
    ("Face hunter", "A Secret"): (94.0, 300),
    ("Secret paladin", "Malygos mage"): (80.7, 119),
    ("Secret paladin", "A Face"): (94.2, 120),
    ("Malygos mage", "A Face"): (67.5, 120),
    ("Malygos mage", "A Secret"): (59.7, 120),
}
_Z99 = 2.5758


def _read(text: str, columns: Iterable[str]) -> dict[tuple[str, str], int]:
    """Parse a table of the thesis: by (line, column), the percentage of games that the line's player won."""
    cells: dict[tuple[str, str], int] = {}
    for line in text.strip().splitlines():
        first, _, figures = line.partition("|")
        for second, figure in zip(columns, figures.split(), strict=True):
            if figure != "-":
                cells[first.strip(), second] = int(figure)
    return cells


_Q_AGENTS = [line.partition("|")[0].strip() for line in _TABLE_92.strip().splitlines()]
Q_TABLES = _read(_TABLE_91, PLAYERS) | _read(_TABLE_92, _Q_AGENTS)  # by (agent, opponent), in percent
_TARALLA = {("Average", "A Liège"): 99, ("A Liège", "Average"): 1}
_CELLS = _read(_TABLE_61, PLAYERS) | _TARALLA


def published(first: str, second: str) -> int | None:
    """The figure of table 6.1 of the thesis for two players, in percent of games won by the first; None if none."""
    return _CELLS.get((first, second))


def in_reference(first: str, second: str) -> tuple[float, float] | None:
    """Wilson's 99 % interval of how often the first won in the reference run, in percent.

    None if the pair was not played there.
    """
    if (first, second) not in REFERENCE:
        return None
    percent, games = REFERENCE[first, second]
    low, high = wilson(percent / 100, games, _Z99)
    return 100 * low, 100 * high
