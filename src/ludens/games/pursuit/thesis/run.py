"""Sets of games as the thesis's program played them: reading its ``config.ini``, and playing what it asks for.

The keys are those of the thesis, and some of ours: ``seed``, ``prune``, ``final_phantom_move``, ``count`` in [GAME];
``variant``, ``ties``, ``paths``, ``iterations``, ``determinise`` for each side. Keys that are missing have the values
of the thesis. A game depends on the seed and its index in the set only, so the same file with a seed gives the same
logs.
"""

from __future__ import annotations

import configparser
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.agent import Agent, RuleAgent
from ludens.core.error import AgentFailure, BadOption
from ludens.core.file import file_of, shortened, text_of
from ludens.core.lanes import Lanes
from ludens.core.option import closest, option, parse_options
from ludens.core.registry import make_agent
from ludens.core.seat import SeatedAgent
from ludens.core.seed import derived_seed
from ludens.core.state import State
from ludens.games.pursuit.board_check import MAX_DETECTIVES
from ludens.games.pursuit.board_file import find_board
from ludens.games.pursuit.game import Pursuit
from ludens.games.pursuit.thesis.game_log import Head, Played, must_fit_log, played

PLAYERS = ("random", "heuristic", "mcts", "mctshe", "nn", "player")
SEARCHERS = ("mcts", "mctshe")  # the others ignore how long to think
HOW_MUCH = ("no", "set", "game")
MOST_GAMES = 1_000_000
BATCH = 512  # games of scripted players that are played side by side


@dataclass(frozen=True)
class GameSection:
    """The section [GAME] of a configuration: the board, how many games, what is shown and written, and some rules."""

    boardfile: str = option("", "the board file, seen from the folder of the configuration")
    gameset: str = option("1", "a number of games, or variants: every placement on the start stops")
    cmd: str = option("set", "what the terminal shows: nothing, the summary, or each game too", choices=HOW_MUCH)
    log: str = option("no", "what is written to files", choices=HOW_MUCH)
    seed: int | None = option(None, "repeats a set; drawn if not given", low=0, high=(1 << 64) - 1)
    count: int = option(0, "how many detectives, 0: as many as the board says", low=0, high=MAX_DETECTIVES)
    prune: str = option("round", "when stops the detectives move to are ruled out", choices=("round", "immediate"))
    final_phantom_move: bool = option(True, "whether the phantom moves once more after the last round")


@dataclass(frozen=True)
class SideSection:
    """What the sections [PHANTOM] and [DETECTIVES] of a configuration have in common."""

    thinktime: float = option(5.0, "seconds a decision of mcts and mctshe", low=0.001, high=3600)
    constant: float = option(1.4, "how much mcts and mctshe explore", low=0, high=100)
    iterations: int | None = option(None, "iterations a decision instead of time", low=1, high=10_000_000)
    determinise: str = option("once", "when mcts guesses the phantom's stop", choices=("once", "iteration"))
    ties: str = option("hash", "how the heuristic chooses among equally good moves", choices=("hash", "random"))
    paths: str = option("all", "the ways the heuristic knows: all, or one for each price", choices=("all", "single"))


@dataclass(frozen=True)
class PhantomSection(SideSection):
    """The section [PHANTOM] of a configuration: what plays the phantom."""

    phantom: str | None = option(None, "who plays the phantom", choices=PLAYERS)
    variant: str = option("nearest", "which heuristic", choices=("nearest", "sum", "weighted"))

    @property
    def player(self) -> str:
        """What plays the phantom, one of PLAYERS; '' if the configuration does not say it."""
        return self.phantom or ""


@dataclass(frozen=True)
class DetectivesSection(SideSection):
    """The section [DETECTIVES] of a configuration: what plays the detectives."""

    detectives: str | None = option(None, "who plays the detectives", choices=PLAYERS)
    variant: str = option("nearest", "which heuristic", choices=("nearest", "farthest", "conditional"))

    @property
    def player(self) -> str:
        """What plays the detectives, one of PLAYERS; '' if the configuration does not say it."""
        return self.detectives or ""


_MAX_BYTES = 8 * 1024  # the parser takes time quadratic in the length of a line
SECTIONS = ("GAME", "PHANTOM", "DETECTIVES")


@dataclass(frozen=True)
class Config:
    """A configuration file that was read and checked."""

    game: GameSection
    phantom: PhantomSection
    detectives: DetectivesSection
    folder: Path  # of the file

    @property
    def head(self) -> Head:
        """The first three lines of the logs of this set."""
        return Head(self.game.boardfile, self.phantom.player, self.detectives.player)

    @property
    def specs(self) -> list[str]:
        """The agent spec of each seat; '' for a person."""
        return [_spec(self.phantom), _spec(self.detectives)]

    def make_game(self) -> Pursuit:
        """The game to be played; BadOption if games on its board do not fit into the logs that are asked for."""
        file = file_of(self.folder / self.game.boardfile)
        game = Pursuit(
            board=str(file) if file else find_board(self.game.boardfile, self.folder).id,
            detectives=self.game.count,
            prune=self.game.prune,
            final_phantom_move=self.game.final_phantom_move,
        )
        if "game" in (self.game.cmd, self.game.log):
            must_fit_log(game)
        return game

    def placements(self, game: Pursuit) -> Sequence[Sequence[int]]:
        """The start stops of each game of the set, the phantom's first; empty where they are drawn."""
        if self.game.gameset != "variants":
            return [()] * int(self.game.gameset)
        games = math.perm(len(game.rules.board.starts), game.rules.detectives + 1)
        if games > MOST_GAMES:
            raise BadOption(
                f"gameset=variants means {games:,} games on {game.rules.board.name}: give a number of games"
            )
        return list(itertools.permutations(game.rules.board.starts, game.rules.detectives + 1))


def _spec(side: PhantomSection | DetectivesSection) -> str:
    """The agent spec of what plays a side by the configuration; '' for a person."""
    if side.player == "player":
        return ""
    if side.player == "heuristic":
        return f"{side.variant}:ties={side.ties},paths={side.paths}"
    if side.player in SEARCHERS:
        budget = f"sims={side.iterations}" if side.iterations else f"seconds={side.thinktime:g}"
        playout = "random" if side.player == "mcts" else "heuristic"
        return f"mcts-thesis:playout={playout},{budget},c={side.constant:g},determinise={side.determinise}"
    return side.player


def read_config(file: Path) -> Config:
    """Read and check a configuration file; BadOption says in a sentence what is wrong with it."""
    found = _read_sections(file)
    for side in ("PHANTOM", "DETECTIVES"):
        if found[side].get(side.lower()) not in SEARCHERS:
            found[side] = {key: value for key, value in found[side].items() if key not in ("thinktime", "constant")}
    config = Config(
        parse_options(GameSection, found["GAME"], f"{file.name} [GAME]"),
        parse_options(PhantomSection, found["PHANTOM"], f"{file.name} [PHANTOM]"),
        parse_options(DetectivesSection, found["DETECTIVES"], f"{file.name} [DETECTIVES]"),
        file.parent,
    )
    return _checked(config, file.name)


def _read_sections(file: Path) -> dict[str, dict[str, str]]:
    """The keys and values of each section as text; BadOption unless exactly the sections of SECTIONS are there."""
    parser = configparser.ConfigParser(interpolation=None, default_section="", inline_comment_prefixes=(";", "#"))
    try:
        parser.read_string(text_of(file, _MAX_BYTES, "configuration"))
    except configparser.Error as why:
        raise BadOption(f"{file.name} is no configuration: {_why_unread(why)}") from None
    found: dict[str, dict[str, str]] = {}
    for name in parser.sections():
        section = name.upper()
        if section not in SECTIONS:
            near = closest(section, SECTIONS)
            raise BadOption(f"{file.name} has a section [{shortened(name)}]{near}: {_named()} are known")
        if section in found:
            raise BadOption(f"{file.name} has the section [{section}] twice, in large and small letters: join them")
        found[section] = dict(parser[name])
    for name in SECTIONS:
        if name not in found:
            raise BadOption(f"{file.name} has no section [{name}]: {_named()} are needed")
    return found


def _why_unread(why: configparser.Error) -> str:
    """Why the file could not be parsed, in words for people: those of the parser are for programmers."""
    match why:
        case configparser.DuplicateSectionError():
            return f"the section [{shortened(why.section)}] begins again in line {why.lineno}"
        case configparser.DuplicateOptionError():
            return f"[{shortened(why.section)}] says {shortened(why.option)} again in line {why.lineno}"
        case configparser.MissingSectionHeaderError():
            return f"line {why.lineno} stands before the first section"
        case configparser.ParsingError() if why.errors:
            return f"line {why.errors[0][0]} is not of the form key = value"
    return "its lines cannot be read"


def _named() -> str:
    """The names of all sections, as text for messages."""
    return ", ".join(f"[{name}]" for name in SECTIONS)


def _checked(config: Config, name: str) -> Config:
    """Return the configuration if nothing is missing and all can be played; else BadOption. ``name``: of its file."""
    if not config.game.boardfile:
        raise BadOption(f"{name} [GAME] does not say which board: write boardfile = PATH")
    games = config.game.gameset
    if games != "variants" and not (games.isascii() and games.isdigit() and 1 <= int(games[:12]) <= MOST_GAMES):
        raise BadOption(
            f"{name} [GAME]: gameset={games[:20]} is not possible; it takes variants, or a number from 1 to"
            f" {MOST_GAMES:,}"
        )
    for section, side in (("PHANTOM", config.phantom), ("DETECTIVES", config.detectives)):
        if not side.player:
            raise BadOption(f"{name} [{section}] does not say who plays: write {section.lower()} = one of {_known()}")
        if side.player == "nn":
            raise BadOption(f"{name} [{section}]: nn cannot play yet, there is no trained network; take {_known()}")
    return config


def _known() -> str:
    """The names of the players that can be chosen, as text for messages."""
    return ", ".join(player for player in PLAYERS if player != "nn")


class PersonLeft(Exception):
    """A person left the game; ``for_good`` if the rest of the set should not be played either."""

    def __init__(self, for_good: bool) -> None:
        """Note whether the rest of the set should not be played either."""
        super().__init__()
        self.for_good = for_good


Person = Callable[[State], int]  # asks a person for the action of the seat to move; raises PersonLeft
OnLeave = Callable[[State], None]  # shows a person how the game ended


class GameSet:
    """The games of a configuration, played one after the other; games of scripted agents are played side by side.

    ``person`` is called for the moves of people, ``farewell`` with each finished game that a person took part in.
    """

    def __init__(self, config: Config, seed: int, person: Person, farewell: OnLeave) -> None:
        """Make the game and the agents; raises BadOption if the configuration cannot be played."""
        self.game = config.make_game()
        self.placements = config.placements(self.game)
        self.seed, self.person, self.farewell = seed, person, farewell
        self.agents = [make_agent(spec, self.game) if spec else None for spec in config.specs]

    def __len__(self) -> int:
        return len(self.placements)

    def play(self) -> Iterator[list[Played | None]]:
        """Play all games; yields lists of those just finished, with None for a game that a person left.

        Many at once if both sides are scripted, else one by one; it ends early if a person left for good.
        """
        scripted = [agent for agent in self.agents if isinstance(agent, RuleAgent) and not agent.wants_events]
        if len(scripted) == len(self.agents):
            for first in range(0, len(self), BATCH):
                yield list(self._play_side_by_side(scripted, range(first, min(first + BATCH, len(self)))))
            return
        for number in range(len(self)):
            try:
                yield [self.play_one(number)]
            except PersonLeft as left:
                yield [None]
                if left.for_good:
                    return

    def seed_of(self, number: int) -> int:
        """The seed of game ``number`` (from 0) of the set."""
        return derived_seed(self.seed, number)

    def _fields(self, number: int) -> dict[str, Any]:
        """The start fields of game ``number``: its start stops, or {} if they are drawn."""
        return {"stop": list(self.placements[number])} if self.placements[number] else {}

    def play_one(self, number: int) -> Played:
        """Play game ``number`` (from 0) of the set."""
        state = self.game.start(self.seed_of(number), self._fields(number))
        seated = [SeatedAgent(agent, seat) if agent else None for seat, agent in enumerate(self.agents)]
        while not state.over:
            agent = seated[state.to_move]
            state.play(agent.choose(state) if agent else self.person(state))
        if None in seated:
            self.farewell(state)
        return played(state)

    def _play_side_by_side(self, agents: Sequence[Agent], numbers: range) -> Iterator[Played]:
        """Play games of scripted agents as one batch, with the same results as one by one."""
        seeds, fields = [self.seed_of(number) for number in numbers], [self._fields(number) for number in numbers]
        lanes = Lanes(self.game, seeds, fields=fields)
        starts = lanes.states["stop"][:, : self.game.rules.detectives + 1].tolist()
        while (lanes.turns >= 0).any():
            for seat, agent in enumerate(agents):
                self._move(agent, lanes, np.flatnonzero(lanes.turns == seat), seat)
        for lane, state in enumerate(lanes.states):
            yield Played(starts[lane], lanes.played(lane), state["tickets"], int(state["winner"]))

    def _move(self, agent: Agent, lanes: Lanes, rows: np.ndarray, seat: int) -> None:
        """Play one decision of an agent for ``seat`` in each of these lanes; AgentFailure if one is not legal."""
        if not len(rows):
            return
        chosen = agent.act(lanes.views(rows, np.full(len(rows), seat)), agent.new_memory(len(rows)))
        if not lanes.step(rows, chosen).all():
            raise AgentFailure(f"{agent.spec} played a move that is not legal", "illegal")
