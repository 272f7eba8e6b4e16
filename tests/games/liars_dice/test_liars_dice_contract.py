"""The sets of options in which Liar's Dice is held to the contract of all games."""

from __future__ import annotations

from tests.games.liars_dice.dice_position import liars

from ludens.games.liars_dice.game import RAISE_RULES, REWARDS, LiarsDice


def test_the_option_sets_cover_the_variants() -> None:
    games = [liars(**options).rules.options for options in LiarsDice.Rules.option_sets]
    assert {game.raise_rule for game in games} == set(RAISE_RULES)
    assert {game.wild for game in games} == {"none", "low", "high"}
    assert {game.exact_reward for game in games if game.exact} == set(REWARDS)
    assert {game.players for game in games} >= {2, 3, 6}
    assert {game.faces for game in games} >= {2, 3, 6}
    assert {game.loss for game in games} == {"one", "difference"}
    assert {game.single_round for game in games} == {game.wild_off for game in games} == {True, False}
