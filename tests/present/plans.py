"""What the fixtures of this folder hold: which records, which meetings, and how a stored game is told in a line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import ludens
from ludens.core.registry import agent_names, make_agent

RECORDS = ("azul", "liars-dice", "dicewars", "pursuit", "hearthstone")
UNCHANGED = RECORDS[:4]  # the games whose rules are still those of the fixtures; hearthstone has a second version
DEALS = 10
LEARNERS = ("q", "sarsa", "sarsa-profile", "tabular", "exploiter")

LEVELS = {
    "azul": (
        *("random", "naive", "reward:r=3", "heuristic", "mcts:sims=1000,playout=suggest"),
        *("alphabeta:nodes=5000", "alphabeta:nodes=100000"),
    ),
    "liars-dice": ("random", "mcts:sims=200", "mcts:sims=2000", "odds", "honest", "equilibrium"),
    "dicewars": ("random", "stei", "sdc-pre-at", "thesis", "stei-adt", "conqueror:sims=0", "conqueror"),
    "pursuit": ("random", "nearest", "mcts-thesis:sims=2000", "mcts:sims=200", "mcts:sims=2000"),
    "hearthstone": (
        *("random", "random-action", "malygos-mage", "secret-paladin", "greedy", "face-hunter"),
        *("mcts:sims=200", "mcts:sims=2000"),
    ),
}
OTHERS = {  # players that are no level of the lobby
    "azul": (
        *("reward:r=1,mode=fixed", "reward:r=2", "mcts:sims=300"),
        "mcts:sims=300,playout=suggest,prior=suggest,cut=1",
    ),
    "dicewars": (
        *("rand", "xlogin00", "xlogin42", "sdc", "ste", "sdc-post-at", "sdc-post-dt", "stei-at", "stei-dt"),
        *("wpm-d", "wpm-s", "wpm-c"),
    ),
    "pursuit": ("sum", "weighted", "farthest", "conditional"),
    "hearthstone": ("average", "mcts:sims=100,deck=malygos", "mcts:sims=100,deck=liege,others=suggest"),
}
RIVALS = {"azul": "heuristic", "liars-dice": "honest", "pursuit": "nearest", "hearthstone": "secret-paladin"}
FIELD = ("stei-adt", "sdc-pre-at", "stei")  # the rest of a table of Dicewars


@dataclass(frozen=True)
class Meeting:
    """Games between some agents, as the arena plays them."""

    game: str
    specs: tuple[str, ...]
    games: int
    seed: int = 1
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        options = "".join(f"-o {name}={value} " for name, value in self.options.items())
        return f"{self.game} {' '.join(self.specs)} {options}--games {self.games} --seed {self.seed}"


def meetings() -> Iterator[Meeting]:
    """Every level of the lobby and every other player on ten deals, roles apart, and learners with ten seeds."""
    for game in RECORDS:
        for spec in (*LEVELS[game], *OTHERS.get(game, ())):
            yield from _meetings_of(game, spec)
    for learner in LEARNERS:
        for seed in range(1, 11):
            yield Meeting("liars-dice", (learner, "odds" if learner == "exploiter" else "honest"), 20, seed)
    full = ("heuristic", "naive", "mcts:sims=100", "random")
    yield Meeting("azul", full[:3], 12, 1, {"players": 3})
    yield Meeting("azul", full, 12, 1, {"players": 4, "wall": "grey"})

    yield Meeting("azul", ("alphabeta:nodes=5000", "heuristic"), 12, 1, {"wall": "grey"})
    yield Meeting("dicewars", ("conqueror", "thesis"), 8, 1, {"players": 2, "rules": "sui2020"})
    yield Meeting("hearthstone", ("mcts:sims=100", "greedy"), 8, 1, {"deck1": "liege", "deck2": "secret"})


def _meetings_of(game: str, spec: str) -> Iterator[Meeting]:
    if game == "dicewars":
        others = tuple(other for other in (*FIELD, "sdc-post-at") if other != spec)[:3]
        yield Meeting(game, (spec, *others), 4 * DEALS)
        return
    rival = RIVALS[game] if spec != RIVALS[game] else "random"
    if game != "pursuit":
        yield Meeting(game, (spec, rival), 2 * DEALS)
        return
    for options in ({}, {"board": "london", "detectives": 4}):
        deals = 2 if options and "2000" in spec else DEALS
        yield Meeting(game, (f"phantom={spec}", f"detectives={rival}"), deals, 1, options)
        yield Meeting(game, (f"phantom={rival}", f"detectives={spec}"), deals, 1, options)


def digest(row: Any) -> list[Any]:
    """A stored game in a line: where it stands in the run, how it ended, and its moves as a fingerprint."""
    moves = hashlib.sha256(np.array(row.actions, np.uint32).tobytes()).hexdigest()[:16]
    place = [row.number, row.deal, row.seat_order, row.repeat, str(row.seed)]
    return [*place, row.seating, row.returns, row.scores, row.failure[:2], len(row.actions), moves]


def play_record(name: str, options: dict[str, Any], seed: int) -> Any:
    """A game between scripted players and random ones, told as a record; every seventh is not played to its end."""
    game = ludens.game(name, **options)
    known = [spec for spec in LEVELS[name] if "mcts" not in spec and "alphabeta" not in spec and "conq" not in spec]
    able = [spec for spec in known if spec.partition(":")[0] in agent_names(game)]
    specs = [able[(seed + seat) % len(able)] for seat in range(game.rules.seats)]
    agents = [make_agent(spec, game) for spec in specs]
    fields = _brought(game, agents)
    state = game.start(seed=seed, fields=fields)
    memory = [agent.new_memory(1) for agent in agents]
    most = 10 + seed if seed % 7 == 3 else 1 << 30
    while not state.over and len(state.actions) < most:
        seat = state.to_move
        state.play(int(agents[seat].act(state.view().array, memory[seat])[0]))
    state.players = specs
    return state.record


def _brought(game: Any, agents: Any) -> dict[str, Any]:
    from ludens.arena.match import start_fields

    return start_fields(game, agents)
