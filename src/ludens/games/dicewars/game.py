"""Dicewars assembled: its options, the ids and texts of its actions, and its rules, face and roster."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.core.error import BadOption, IllegalAction
from ludens.core.game import Game
from ludens.core.option import option
from ludens.core.rules import Rules
from ludens.core.state import View
from ludens.games.dicewars import features, record, rules
from ludens.games.dicewars import view as _view  # noqa: F401  (its rules register themselves)
from ludens.games.dicewars.face import DicewarsFace
from ludens.games.dicewars.odds import odds
from ludens.games.dicewars.roster import ROSTER

GENERATIONS: Mapping[str, Mapping[str, Any]] = {
    "sui2021": {
        "areas": 34,
        "density": 2,
        "ownership": "continuous",
        "strength": "random",
        "reserve_type": "complement",
        "reserve_cap": 24,
        "battle_wear": 4,
        "max_transfers": 6,
    },
    "sui2020": {
        "areas": 29,
        "density": 3,
        "ownership": "scattered",
        "strength": "flat",
        "reserve_type": "fixed",
        "reserve_cap": 64,
        "battle_wear": 0,
        "max_transfers": 0,
    },
    "classic": {
        "areas": 30,
        "density": 3,
        "ownership": "scattered",
        "strength": "random",
        "reserve_type": "fixed",
        "reserve_cap": 64,
        "battle_wear": 0,
        "max_transfers": 0,
    },
}
_AS_RULED = "rules"
_ONE_DEAL = {"board_seed": 5, "ownership_seed": 6, "strength_seed": 7}

MOST_AREAS = 40  # more do not fit on most maps


def _number(meaning: str, high: int) -> Any:
    """An option that is a number from 0 to ``high``; ``meaning`` is its help.

    -1, the default, takes the number of the chosen rules.
    """
    return option(-1, f"{meaning}; -1: as the rules say", low=-1, high=high)


def _seed(subject: str) -> Any:
    """An option that fixes the seed of ``subject``; 0, the default, takes it from the game's own seed."""
    return option(0, f"seed of {subject}; 0: from the game's own seed", low=0, high=(1 << 63) - 1)


@dataclasses.dataclass(frozen=True)
class DicewarsOptions:
    """Options of Dicewars; where they are -1 or 'rules', `GENERATIONS` has the value for the chosen ``rules``."""

    players: int = option(4, "number of players", low=2, high=record.SEATS)
    rules: str = option(
        "sui2021", "the rules that set the options below left at 'rules' or -1", choices=tuple(GENERATIONS)
    )
    fair: bool = option(False, "whether the areas are dealt evenly: numbers differ by at most one")
    reserves: str = option("hidden", "whether players see the reserves", choices=("hidden", "public"))
    areas: int = _number("number of areas on the map", MOST_AREAS)
    max_dice: int = option(8, "most dice on an area", low=2, high=record.DICE)
    density: int = _number("dice at the start for each area, on average", record.DICE)
    ownership: str = option(
        _AS_RULED, "where each player's areas are at the start", choices=(_AS_RULED, "continuous", "scattered")
    )
    strength: str = option(_AS_RULED, "how dice are dealt at the start", choices=(_AS_RULED, "random", "flat"))
    production_cap: int = option(64, "most dice a player gets at the end of a turn, reserve included", low=1, high=1000)
    reserve_type: str = option(
        _AS_RULED,
        "whether the reserve's cap is fixed, or one less for each area owned (complement)",
        choices=(_AS_RULED, "complement", "fixed"),
    )
    reserve_cap: int = _number("most dice in reserve; as a complement less one for each area owned", 1000)
    battle_wear: int = _number("attacking dice that cost the defender a die if the attack fails; 0: none lost", 8)
    max_transfers: int = _number("transfers in a turn", 100)
    max_pass_rounds: int = option(
        8, "rounds without attacks and transfers that end the game without a winner", low=1, high=1000
    )
    max_battles: int = option(10_000, "battles that end the game without a winner", low=1, high=60_000)
    max_turns: int = option(800, "turns of single players that end the game without a winner", low=1, high=60_000)
    board_seed: int = _seed("the map")
    ownership_seed: int = _seed("the deal of areas")
    strength_seed: int = _seed("the deal of dice")


class DicewarsRules(Rules):
    """Conquer a map of areas with dice, the last player standing wins; 2 to 8 players."""

    id = "dicewars"
    version = 1
    Options = DicewarsOptions
    State = record.State
    max_legal = rules.MAX_LEGAL
    max_events = rules.MAX_EVENTS
    max_branches = rules.MAX_BRANCHES
    incidental = ("rolled",)
    option_sets = (
        {"max_turns": 60},
        {"players": 2, "rules": "sui2020", "max_turns": 40},
        {"players": 8, "rules": "classic", "max_turns": 80, "max_dice": 5, "reserves": "public"},
        {"players": 3, "areas": 8, "fair": True, "density": 4, "battle_wear": 2, "max_transfers": 2, "max_battles": 90},
        {"players": 7, "areas": 40, "ownership": "scattered", "strength": "flat", "max_turns": 60, "production_cap": 5},
        {"players": 2, "areas": 2, "max_pass_rounds": 2, **_ONE_DEAL},
        # areas full of dice and few moves: most positions have reserves to guess and events about them
        {"players": 2, "areas": 6, "max_dice": 2, "density": 2, "max_transfers": 0, "max_turns": 60, **_ONE_DEAL},
    )
    options: DicewarsOptions

    def option_or_rules(self, name: str) -> Any:
        """The value of an option; where it is -1 or 'rules', the value that the chosen rules give it."""
        value = getattr(self.options, name)
        return GENERATIONS[self.options.rules][name] if value in (-1, _AS_RULED) else value

    def check_options(self) -> None:
        """Raise BadOption if options that are each valid do not go together."""
        areas, density = self.option_or_rules("areas"), self.option_or_rules("density")
        if areas < self.options.players:
            raise BadOption(
                f"{self.id}: areas={areas} is not possible: each of {self.options.players} players needs one"
            )
        if not 1 <= density <= self.options.max_dice:
            raise BadOption(
                f"{self.id}: density={density} is not possible: an area holds 1 to {self.options.max_dice} dice"
            )

    def make_constants(self) -> record.DicewarsConstants:
        """Write options and chosen rules into a record of constants, with the table of odds."""
        o, constants = self.options, np.zeros(1, record.Constants)
        for name in ("areas", "density", "reserve_cap", "max_transfers"):
            constants[name] = self.option_or_rules(name)
        for name in ("players", "max_dice", "fair", "production_cap", "max_pass_rounds", "max_battles", "max_turns"):
            constants[name] = getattr(o, name)
        constants["scattered"] = self.option_or_rules("ownership") == "scattered"
        constants["level"] = self.option_or_rules("strength") == "flat"
        constants["complement"] = self.option_or_rules("reserve_type") == "complement"
        constants["wear"] = self.option_or_rules("battle_wear")
        constants["public"] = o.reserves == "public"
        constants["seeds"] = o.board_seed, o.ownership_seed, o.strength_seed
        constants["odds"] = odds()
        return record.DicewarsConstants(constants)  # type: ignore[arg-type]

    @property
    def areas(self) -> int:
        """The number of areas on the map."""
        return int(self.constants.c["areas"][0])

    @property
    def actions(self) -> int:  # type: ignore[override]
        """The number of action ids: ``end`` (0), then all attacks, then all transfers."""
        return 1 + 2 * self.areas**2

    def pair_of(self, action: int) -> tuple[bool, int, int]:
        """Whether an action is an attack (else a transfer), its source and its target; areas count from 0.

        IllegalAction for ``end`` and for ids that do not exist.
        """
        if not 0 < action < self.actions:
            raise IllegalAction(f"{action} is no attack or transfer: those are 1 to {self.actions - 1} here, 0 is end")
        source, target = divmod((action - 1) % self.areas**2, self.areas)
        return action <= self.areas**2, source, target

    def attack(self, source: int, target: int) -> int:
        """The id of the action that attacks ``target`` from ``source``; areas count from 0."""
        return 1 + self._pair(source, target)

    def transfer(self, source: int, target: int) -> int:
        """The id of the action that moves dice from ``source`` to ``target``; areas count from 0."""
        return 1 + self.areas**2 + self._pair(source, target)

    def _pair(self, source: int, target: int) -> int:
        """The index of the pair (source, target) among all pairs of areas.

        IllegalAction if one of them does not exist.
        """
        for area in (source, target):
            if not 0 <= area < self.areas:
                raise IllegalAction(f"there is no area {area}: in Python areas count from 0, to {self.areas - 1} here")
        return source * self.areas + target

    def action_text(self, action: int) -> str:
        """The text of an action: 'attack 3 7', 'move 3 7' or 'end'. In texts areas count from 1."""
        if action == record.END:
            return "end"
        is_attack, source, target = self.pair_of(action)
        return f"{'attack' if is_attack else 'move'} {source + 1} {target + 1}"

    def timeout_action(self, view: View) -> int:
        """The action of a seat whose time is up: it ends its turn."""
        return record.END

    def laws(self, states: np.ndarray) -> dict[str, Any]:
        """What must stay the same during a game: the map, and that all numbers are in their ranges."""
        s, areas, players = states[0], self.areas, self.options.players
        owned = s.lands[:players, None] >> np.arange(areas) & 1
        return {
            "map": (s.cells.tobytes(), s.near.tobytes()),
            "every area has one owner": bool(
                (owned.argmax(axis=0) == s.owner[:areas]).all() and (owned.sum(axis=0) == 1).all()
            ),
            "dice are in range": bool(((s.dice[:areas] >= 1) & (s.dice[:areas] <= self.options.max_dice)).all()),
            "nothing beyond the map": not (s.dice[areas:].any() or s.owner[areas:].any() or s.lands[players:].any()),
            "reserves are within their cap": bool((s.reserve <= self.option_or_rules("reserve_cap")).all()),
            "transfers are within their limit": bool(s.transfers <= self.option_or_rules("max_transfers")),
        }

    def feature_pieces(self) -> list[tuple[str, int]]:
        """The names and lengths of the parts of the features, see `features.pieces`."""
        return features.pieces(self.areas, self.options.players)


class Dicewars(Game):
    """Conquer a map of areas with dice, the last player standing wins; 2 to 8 players."""

    Rules = DicewarsRules
    Face = DicewarsFace
    roster = ROSTER
    rules: DicewarsRules
    face: DicewarsFace
