"""Liar's Dice of OpenSpiel and of ludens, one beside the other: the same round, and our strategies in its tables.

OpenSpiel's ``liars_dice`` is a single round whose highest face is wild, under ``reset_face`` or ``reset_quantity``.
The opener is its player 0, ``liar`` has the same id, and returns are +1 and -1. Under ``reset_quantity`` it numbers
bids face by face, we always quantity by quantity. Its dice are told one after another, ours as counts of each face.

Needs open_spiel: ``pip install 'ludens[interop]'``.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from ludens.core.error import BadOption, MissingExtra
from ludens.games.liars_dice.solution import Solution
from ludens.games.liars_dice.tree import Round

RULES = {"reset_face": "reset-face", "reset_quantity": "reset-quantity"}


def _pyspiel() -> Any:
    try:
        return importlib.import_module("pyspiel")  # by name: it brings no types
    except ImportError:
        raise MissingExtra("this needs OpenSpiel: pip install 'ludens[interop]'") from None


def openspiel_game(game: Round) -> Any:
    """The same round as a game of OpenSpiel."""
    if game.raise_rule not in RULES or game.wild != "high":
        raise BadOption(f"{game}: OpenSpiel plays only with the highest face wild, under {' or '.join(RULES)}")
    if game.dice[0] != game.dice[1]:
        raise BadOption(f"{game}: in OpenSpiel both players have equally many dice")
    told = {"numdice": game.dice[0], "dice_sides": game.faces, "bidding_rule": RULES[game.raise_rule]}
    return _pyspiel().load_game("liars_dice", told)


def information_sets(game: Round) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Every information set: OpenSpiel's text for it, the hand (counts of faces) and our ids of the bids.

    The other player's dice are no part of it, so one roll of theirs stands for all.
    """
    opening = game.opening
    for dealt in _deals(openspiel_game(game).new_initial_state(), game):
        stack: list[tuple[Any, tuple[int, ...]]] = [(dealt, ())]
        while stack:
            state, bids = stack.pop()
            player = len(bids) % 2
            yield state.information_state_string(player), _hand(state.history(), game, player), bids
            raises = [bid for bid in state.legal_actions() if bid < opening]
            stack += [(state.child(bid), (*bids, _our_bid(game, bid))) for bid in raises]


def _our_bid(game: Round, bid: int) -> int:
    """Our id of a bid with their id."""
    if game.raise_rule == "reset_face":
        return bid
    face, row = divmod(bid, game.total)
    return row * game.faces + face


def _their_bid(game: Round, bid: int) -> int:
    """Their id of a bid (or of ``liar``) with our id."""
    if game.raise_rule == "reset_face" or bid == game.opening:
        return bid
    row, face = divmod(bid, game.faces)
    return face * game.total + row


def _deals(start: Any, game: Round) -> Iterator[Any]:
    """Deals in which both hold the same dice: every hand of either player, each once."""
    half = game.dice[0]

    def roll(state: Any, dice: tuple[int, ...]) -> Iterator[Any]:
        if len(dice) == half:
            for die in dice:
                state.apply_action(die)
            yield state
            return
        for die in range(dice[-1] if dice else 0, game.faces):  # OpenSpiel sorts a hand before it tells it
            after = state.clone()
            after.apply_action(die)
            yield from roll(after, (*dice, die))

    yield from roll(start, ())


def _hand(history: list[int], game: Round, player: int) -> tuple[int, ...]:
    dice = history[player * game.dice[0] : (player + 1) * game.dice[0]]
    return tuple(dice.count(face) for face in range(game.faces))


def openspiel_policy(solved: Solution) -> Any:
    """A strategy as OpenSpiel's own table (``pyspiel.TabularPolicy``), for both players.

    Cost: one look-up for each information set, 24,576 with a die each; fit for one die a player.
    """
    game = solved.game
    table = {}
    for text, hand, bids in information_sets(game):
        last = bids[-1] if bids else game.opening
        starts = solved.tree.move_start
        raises = solved.tree.move_to[int(starts[last]) : int(starts[last + 1])].tolist()
        actions = [_their_bid(game, bid) for bid in [*raises, *([game.opening] if bids else [])]]
        table[text] = list(zip(actions, solved.odds(hand, bids).tolist(), strict=True))
    return _pyspiel().TabularPolicy(table)
