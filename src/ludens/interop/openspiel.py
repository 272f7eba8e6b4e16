"""Liar's Dice for OpenSpiel: a round of ludens as a game of OpenSpiel, and its strategies as policies of OpenSpiel.

OpenSpiel's ``liars_dice`` is a single round whose highest face is wild, under ``reset_face`` or ``reset_quantity``.
The opener is its player 0, ``liar`` has the same id, and returns are +1 and -1. Under ``reset_quantity`` OpenSpiel
numbers the bids face by face, ludens always quantity by quantity. OpenSpiel lists the dice of a hand, ludens counts
the dice of each face.

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
    """The module ``pyspiel``; MissingExtra, with the command that installs it, if it is not there."""
    try:
        return importlib.import_module("pyspiel")  # by name, because it has no type annotations
    except ImportError:
        raise MissingExtra("this needs OpenSpiel: pip install 'ludens[interop]'") from None


def openspiel_game(game: Round) -> Any:
    """The game object of OpenSpiel for the same round; BadOption if OpenSpiel cannot play that round."""
    if game.raise_rule not in RULES or game.wild != "high":
        raise BadOption(f"{game}: OpenSpiel plays only with the highest face wild, under {' or '.join(RULES)}")
    if game.dice[0] != game.dice[1]:
        raise BadOption(f"{game}: in OpenSpiel both players have equally many dice")
    parameters = {"numdice": game.dice[0], "dice_sides": game.faces, "bidding_rule": RULES[game.raise_rule]}
    return _pyspiel().load_game("liars_dice", parameters)


def information_sets(game: Round) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Yield every information set: OpenSpiel's text for it, the hand (counts of each face), our ids of the bids so far.

    The other player's dice are not part of it, so only one deal is followed for each hand.
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
    """The ludens id of the bid that has this id in OpenSpiel."""
    if game.raise_rule == "reset_face":
        return bid
    face, row = divmod(bid, game.total)
    return row * game.faces + face


def _their_bid(game: Round, bid: int) -> int:
    """The OpenSpiel id of the bid (or of ``liar``) that has this id in ludens."""
    if game.raise_rule == "reset_face" or bid == game.opening:
        return bid
    row, face = divmod(bid, game.faces)
    return face * game.total + row


def _deals(start: Any, game: Round) -> Iterator[Any]:
    """Yield OpenSpiel's states after the deal, one for each hand of ``game``'s dice, which both players then hold.

    ``start`` is OpenSpiel's state before the deal.
    """
    half = game.dice[0]

    def roll(state: Any, dice: tuple[int, ...]) -> Iterator[Any]:
        """Complete the hand ``dice`` in every possible way, and roll each for both players from an OpenSpiel state.

        Yields the states after that.
        """
        if len(dice) == half:
            for die in dice:
                state.apply_action(die)
            yield state
            return
        for die in range(dice[-1] if dice else 0, game.faces):  # ascending: OpenSpiel sorts hands anyway
            after = state.clone()
            after.apply_action(die)
            yield from roll(after, (*dice, die))

    yield from roll(start, ())


def _hand(history: list[int], game: Round, player: int) -> tuple[int, ...]:
    """The dice of a player as counts of each face, read from the actions of an OpenSpiel state (``history``)."""
    dice = history[player * game.dice[0] : (player + 1) * game.dice[0]]
    return tuple(dice.count(face) for face in range(game.faces))


def openspiel_policy(solved: Solution) -> Any:
    """A solved strategy of both players as OpenSpiel's own table, a ``pyspiel.TabularPolicy``.

    Cost: one look-up for each information set, of which there are 24,576 with one die each; too slow for more dice.
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
