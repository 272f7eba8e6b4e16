"""Liar's Dice as a game: its options, its action ids and their texts, and the classes that make up the game."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ludens.core.error import BadOption
from ludens.core.game import Game
from ludens.core.option import option
from ludens.core.rules import Rules
from ludens.games.liars_dice import features, odds, rules
from ludens.games.liars_dice import view as _view  # noqa: F401  (registers its operations)
from ludens.games.liars_dice.face import LiarsDiceFace
from ludens.games.liars_dice.roster import ROSTER

RAISE_RULES = ("reset_face", "reset_quantity", "monotone", "single_step_axis")  # in the order of RESET_FACE, ...
REWARDS = ("gain", "others", "void")
OPENERS = {"random": rules.RANDOM, "alternate": rules.ALTERNATE}


def _dice_of(seat: int) -> Any:
    """The option ``dice_1`` to ``dice_6``: the dice of one player at the start; 0 stands for the option ``dice``."""
    return option(0, f"dice of player {seat} at the start, if different; 0: as many as the option dice", low=0, high=6)


@dataclasses.dataclass(frozen=True)
class LiarsDiceOptions:
    """The options of a match of Liar's Dice."""

    players: int = option(2, "seats at the table", low=2, high=6)
    dice: int = option(5, "dice of each player at the start", low=1, high=6)
    faces: int = option(6, "faces of a die", low=2, high=6)
    raise_rule: str = option("monotone", "which bids are higher than the last", choices=RAISE_RULES)
    wild: str = option("none", "which face counts for every bid", choices=("none", "low", "high"))
    wild_off: bool = option(False, "whether nothing is wild any more once the wild face was bid in a round")
    exact: bool = option(False, "whether one may claim that a bid holds exactly")
    exact_reward: str = option("gain", "the reward for a correct exact call", choices=REWARDS)
    loss: str = option("one", "how many dice the loser of a round loses", choices=("one", "difference"))
    first: str = option(
        "random", "who opens the first round", choices=("random", "1", "2", "3", "4", "5", "6", "alternate")
    )
    single_round: bool = option(False, "whether one round decides")
    dice_1: int = _dice_of(1)
    dice_2: int = _dice_of(2)
    dice_3: int = _dice_of(3)
    dice_4: int = _dice_of(4)
    dice_5: int = _dice_of(5)
    dice_6: int = _dice_of(6)
    aid: bool = option(True, "whether the board shows how likely each bid is, given your own dice")


class LiarsDiceRules(Rules):
    """The rules of Liar's Dice with options chosen: constants, action ids and texts, and checks of states."""

    id = "liars-dice"
    version = 1
    Options = LiarsDiceOptions
    State = rules.State
    renamed_fields: ClassVar[Mapping[str, str]] = {"wild_off": "tame", "was_wild_off": "was_tame"}  # since ludens 0.1
    max_legal = rules.MAX_LEGAL
    max_events = rules.MAX_EVENTS
    has_secrets = True
    option_sets = (
        {},
        {"raise_rule": "reset_face", "wild": "low", "exact": True},
        {"raise_rule": "reset_quantity", "wild": "high", "exact": True, "exact_reward": "others"},
        {"raise_rule": "single_step_axis", "exact": True, "exact_reward": "void", "dice": 2},
        {"players": 3, "loss": "difference", "wild": "low", "wild_off": True, "first": "alternate"},
        {"players": 6, "dice": 6, "raise_rule": "reset_face", "wild": "high", "wild_off": True, "exact": True},
        {"faces": 2, "dice": 3, "wild": "low", "first": "2", "aid": False},
        {"faces": 3, "dice_2": 4, "exact": True, "loss": "difference"},
        {"single_round": True, "dice": 1},
        {"single_round": True, "players": 3, "exact": True, "exact_reward": "void", "dice_3": 2},
    )
    options: LiarsDiceOptions

    def check_options(self) -> None:
        """Raise `BadOption` if ``first`` or one of ``dice_1`` to ``dice_6`` is about a player who does not exist."""
        o = self.options
        if o.first.isdigit() and int(o.first) > o.players:
            raise BadOption(f"{self.id}: first={o.first} is not possible with {o.players} players")
        for seat in range(o.players, rules.MAX_SEATS):
            if self._own_dice(seat):
                raise BadOption(f"{self.id}: dice_{seat + 1} is not possible with {o.players} players")

    def make_constants(self) -> rules.LiarsDiceConstants:
        """Encode the options as the constants that kernels read."""
        o, constants = self.options, np.zeros(1, rules.Constants)
        constants["players"] = o.players
        constants["faces"] = o.faces
        constants["start"][0, : o.players] = self.start_dice
        constants["liar"] = self.liar
        constants["raising"] = RAISE_RULES.index(o.raise_rule)
        constants["wild"] = self.wild_face - 1
        constants["wild_off"] = o.wild_off
        constants["exact"] = o.exact
        constants["reward"] = REWARDS.index(o.exact_reward)
        constants["difference"] = o.loss == "difference"
        constants["first"] = OPENERS[o.first] if o.first in OPENERS else int(o.first) - 1
        constants["single_round"] = o.single_round
        constants["tail"] = odds.tails(o.faces)
        return rules.LiarsDiceConstants(constants)  # type: ignore[arg-type]

    def _own_dice(self, seat: int) -> int:
        """The option ``dice_N`` of a seat (from 0): its dice at the start, or 0 if it has as many as ``dice`` says."""
        return int(getattr(self.options, f"dice_{seat + 1}"))

    @functools.cached_property
    def start_dice(self) -> list[int]:
        """The number of dice of each seat at the start, a list over the seats."""
        return [self._own_dice(seat) or self.options.dice for seat in range(self.options.players)]

    @property
    def wild_face(self) -> int:
        """The face (from 1) that counts for every bid; 0 if nothing is wild."""
        return {"none": 0, "low": 1, "high": self.options.faces}[self.options.wild]

    @functools.cached_property
    def liar(self) -> int:
        """The action id of ``liar``: all smaller ids are bids, the next one is ``exact``."""
        return sum(self.start_dice) * self.options.faces

    @property
    def actions(self) -> int:  # type: ignore[override]
        """The number of action ids: every bid of the match, ``liar``, and ``exact`` (even where it is not played)."""
        return self.liar + 2

    def bid_of(self, action: int) -> tuple[int, int]:
        """The quantity and the face (both from 1) of the bid with this action id."""
        return action // self.options.faces + 1, action % self.options.faces + 1

    def action_text(self, action: int) -> str:
        """The text of an action id: '3x4' for three fours, 'liar' or 'exact'."""
        if action >= self.liar:
            return ("liar", "exact")[action - self.liar]
        quantity, face = self.bid_of(action)
        return f"{quantity}x{face}"

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """Named checks of the state ``states[0]``; each is true in every state the rules can reach."""
        s = states[0]
        total, rolled = int(s.held.sum()), s.held if s.phase == rules.BIDDING else s.held * 0
        return {
            "total agrees": int(s.total) == total,
            "everybody in has rolled": bool((s.dice.sum(axis=1) == rolled).all()),
            "nobody has more than at the start": bool((s.held <= self.constants.c["start"][0]).all()),
            "no bid is left over": not s.bids[int(s.made) :].any(),
            "bids are possible": int(s.made) == len({int(bid) for bid in s.bids[: s.made]})
            and bool((s.bids[: s.made] < total * self.options.faces).all()),
        }

    def feature_pieces(self) -> list[tuple[str, int]]:
        """The names and lengths of the parts of the features, in order; see `features.pieces`."""
        return features.pieces(self.options.players, self.options.faces, self.liar)


class LiarsDice(Game):
    """Liar's Dice for 2 to 6 players: its rules, its face and its roster in one game object."""

    Rules = LiarsDiceRules
    Face = LiarsDiceFace
    roster = ROSTER
    rules: LiarsDiceRules
    face: LiarsDiceFace
