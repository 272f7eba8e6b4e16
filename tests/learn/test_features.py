"""Features that learners see: by name, with a hash of what the numbers mean."""

from __future__ import annotations

import pytest
from tests.learn.small import LearnedKuhn
from tests.testing.toys.pig import Pig

import ludens
from ludens.core.error import BadOption
from ludens.core.registry import game_names, make_game
from ludens.learn.features import features_hash, features_of


def test_the_default_features_are_the_games_own() -> None:
    features = features_of(Pig())
    assert features.pieces == (("turn total", 1), ("banked", 1))
    assert features.length == 2


def test_a_roster_names_further_sets() -> None:
    features = features_of(LearnedKuhn(), "cards")
    assert features.length == 8
    assert features.name == "cards"


@pytest.mark.parametrize("name", game_names())
def test_every_set_of_every_game_can_be_made(name: str) -> None:
    game = make_game(name)
    for each in game.roster.features:
        features = features_of(game, each)
        assert features.name == each
        assert features.length > 0


def test_the_hash_tells_options_and_sets_apart() -> None:
    two, three = ludens.game("azul"), ludens.game("azul", players=3)
    assert features_hash(two, features_of(two)) == features_hash(ludens.game("azul"), features_of(two))
    assert features_hash(two, features_of(two)) != features_hash(three, features_of(three))
    assert features_hash(Pig(), features_of(Pig())) != features_hash(two, features_of(two))


def test_what_is_not_there_is_told_in_a_sentence() -> None:
    with pytest.raises(BadOption, match="kuhn has no features for learners: it needs the operation encode"):
        features_of(LearnedKuhn())
    with pytest.raises(BadOption, match=r"has no features 'card' \(did you mean 'cards'\?\); it knows: default, cards"):
        features_of(LearnedKuhn(), "card")
