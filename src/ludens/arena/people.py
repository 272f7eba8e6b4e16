"""How people did against agents in the web app: counted apart from the ratings of agents.

People choose whom they play and when they stop, so their games say nothing about the strength of agents relative to one
another. They count if they are over and no practice, at least one person and one agent played, and the options are
exactly the same. All people together are one player.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludens.arena.statistics import wilson
from ludens.arena.store import Store
from ludens.core.result import winners

PERSON = "person"
_COUNTING = "FROM tables WHERE game=? AND practice='[]' AND returns<>'[]'"


@dataclass(frozen=True)
class PeopleResult:
    """The games of people against certain agents, with the share they won and its 95 % interval (Wilson's)."""

    against: str  # the agents' specs, separated by commas
    games: int
    wins: int  # by people alone
    draws: int  # victories that people and agents share
    losses: int
    win_rate: float
    low: float
    high: float


def people_counts(store: Store, game: str) -> list[tuple[str, int]]:
    """The number of games of people by their options, as these are stored (JSON)."""
    found = store.select(f"SELECT options, seats {_COUNTING}", game)
    with store.errors_told():
        return list(Counter(options for options, seats in found if _is_mixed(_specs(seats))).items())


def people_results(
    store: Store, game: str, is_wanted: Callable[[Mapping[str, Any]], bool], spell: Callable[[str], str]
) -> list[PeopleResult]:
    """How people did in a game with the options for which ``is_wanted`` is true, the most frequent opponents first.

    ``spell`` turns every spec of the same agent into one text.
    """
    counts: dict[str, Counter[str]] = {}
    with store.errors_told():
        for options, seats, returns in store.select(f"SELECT options, seats, returns {_COUNTING}", game):
            specs = _specs(seats)
            if _is_mixed(specs) and is_wanted(json.loads(options)):
                against = ", ".join(sorted(spell(spec) for spec in specs if spec))
                counts.setdefault(against, Counter())[_outcome(specs, json.loads(returns))] += 1
    return sorted((_result(*item) for item in counts.items()), key=lambda row: (-row.games, row.against))


def _specs(seats: str) -> list[str]:
    """The agent specs by seat, '' for a person; ``seats`` is the stored JSON text of a table's seats."""
    return [seat["spec"] for seat in json.loads(seats)]


def _is_mixed(specs: Sequence[str]) -> bool:
    """Whether at least one person ('') and one agent are among the specs of a game."""
    return "" in specs and any(specs)


def _outcome(specs: Sequence[str], returns: Sequence[float]) -> str:
    """How a game ended for people: 'won' if only they won, 'drawn' if they share the victory with agents, else 'lost'.

    ``specs`` ('' for a person) and ``returns`` are by seat.
    """
    people = [not specs[seat] for seat in winners(returns)]
    return "won" if people and all(people) else "drawn" if any(people) else "lost"


def _result(against: str, outcomes: Counter[str]) -> PeopleResult:
    """The row for the agents ``against`` (specs), from the number of games by outcome ('won', 'drawn', 'lost')."""
    games, wins = outcomes.total(), outcomes["won"]
    low, high = wilson(wins / games, games)
    return PeopleResult(against, games, wins, outcomes["drawn"], outcomes["lost"], wins / games, low, high)
