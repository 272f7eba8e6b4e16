"""Every paladin card, played."""

from __future__ import annotations

import pytest
from tests.games.hearthstone.hearthstone_scene import Body, Half, Scene, hearthstone, outcomes

from ludens.games.hearthstone import record as k

YETI = ("Chillwind Yeti", 4, 5)
YETIS = ["Chillwind Yeti"] * 7
GUARDED = k.SHIELD | k.TAUNT


def test_avenge_strengthens_a_random_survivor() -> None:
    def play(seed: int) -> tuple[tuple[int, int], ...]:
        board = ["Bluegill Warrior", "Chillwind Yeti", "Chillwind Yeti"]
        s = Scene(Half(secrets=["Avenge"], board=board), Half(board=YETIS[:1]), seed=seed).do("end", "attack 1 e1")
        assert s.secrets() == []
        return tuple((minion.attack, minion.health) for minion in s.board())

    assert outcomes(play) == {((7, 7), (4, 5)), ((4, 5), (7, 7))}


def test_avenge_stays_when_nobody_is_left() -> None:
    s = Scene(Half(secrets=["Avenge"], board=["Bluegill Warrior"]), Half(board=YETIS[:1])).do("end", "attack 1 e1")
    assert (s.board(), s.secrets()) == ([], ["Avenge"])


def test_avenge_stays_when_all_die_together() -> None:
    board = ["Bluegill Warrior", "Loot Hoarder"]
    s = Scene(Half(secrets=["Avenge"], board=board), Half(hand=["Flamestrike"])).do("end").play("Flamestrike")
    assert (s.board(), s.secrets()) == ([], ["Avenge"])


def test_avenge_sleeps_in_its_owners_turn() -> None:
    s = Scene(Half(secrets=["Avenge"], board=["Bluegill Warrior", "Chillwind Yeti"]), Half(board=YETIS[:1]))
    s.do("attack 1 e1")
    assert (s.board(), s.secrets()) == ([YETI], ["Avenge"])


def test_competitive_spirit_acts_at_the_start_of_its_owners_turn() -> None:
    s = Scene(Half(secrets=["Competitive Spirit"], board=YETIS[:2]), Half(board=YETIS[:1])).do("end")
    assert s.secrets() == ["Competitive Spirit"]
    s.do("end")
    assert (s.board(), s.board(1), s.secrets()) == ([("Chillwind Yeti", 5, 6)] * 2, [YETI], [])


def test_competitive_spirit_stays_without_minions() -> None:
    s = Scene(Half(secrets=["Competitive Spirit"]), Half()).do("end", "end")
    assert s.secrets() == ["Competitive Spirit"]


@pytest.mark.parametrize("target", ["attack 1 e0", "attack 1 e1"])
def test_noble_sacrifice_takes_the_blow_of_a_minion(target: str) -> None:
    s = Scene(Half(secrets=["Noble Sacrifice"], board=YETIS[:1]), Half(board=YETIS[:1])).do("end", target)
    assert (s.health(), s.board(), s.secrets()) == (30, [YETI], [])
    assert s.board(1) == [("Chillwind Yeti", 4, 3)], "the Defender hit back"


def test_noble_sacrifice_takes_the_blow_of_a_hero() -> None:
    s = Scene(Half(secrets=["Noble Sacrifice"]), Half(weapon="Ashbringer")).do("end", "attack 0 e0")
    assert (s.health(), s.health(1), s.secrets(), s.weapon(1)) == (30, 28, [], ("Ashbringer", 5, 2))


def test_noble_sacrifice_of_fireplace_ignores_heroes() -> None:
    game = hearthstone(compat="fireplace2016")
    s = Scene(Half(secrets=["Noble Sacrifice"]), Half(weapon="Ashbringer"), game=game).do("end", "attack 0 e0")
    assert (s.health(), s.secrets()) == (25, ["Noble Sacrifice"])


def test_noble_sacrifice_stays_without_a_slot() -> None:
    s = Scene(Half(secrets=["Noble Sacrifice"], board=YETIS), Half(board=YETIS[:1])).do("end", "attack 1 e0")
    assert (s.health(), s.secrets()) == (26, ["Noble Sacrifice"])


def test_redemption_brings_back_a_fresh_copy_with_one_health() -> None:
    s = Scene(Half(hand=["Blessing of Kings"], secrets=["Redemption"], board=["Annoy-o-Tron"]), Half(board=YETIS[:1]))
    s.play("Blessing of Kings", "1")
    s.bodies()[0].keywords, s.bodies()[0].health = k.TAUNT, 4
    s.do("end", "attack 1 e1")
    assert (s.board(), s.secrets()) == ([("Annoy-o-Tron", 1, 1)], [])
    assert s.keywords(0, 1) & GUARDED == GUARDED
    assert s.bodies()[0].max_health == 2


def test_redemption_gives_a_silenced_minion_its_text_back() -> None:
    s = Scene(Half(secrets=["Redemption"], board=["Loot Hoarder"]), Half(hand=["Ironbeak Owl"], board=YETIS[:2]))
    s.do("end").play("Ironbeak Owl", "e1").do("attack 1 e1")
    assert (s.board(), len(s.hand())) == ([("Loot Hoarder", 2, 1)], 0)
    s.do("attack 2 e1")
    assert (s.board(), len(s.hand())) == ([], 1)


def test_redemption_stays_without_a_slot() -> None:
    s = Scene(Half(secrets=["Redemption"], board=["Haunted Creeper", *YETIS[:6]]), Half(board=YETIS[:1]))
    s.do("end", "attack 1 e1")
    assert (s.names(), s.secrets()) == (["Spectral Spider", *YETIS[:6]], ["Redemption"])


def test_muster_for_battle_summons_three_and_arms() -> None:
    s = Scene(Half(hand=["Muster for Battle"]), Half()).play("Muster for Battle")
    assert (s.board(), s.weapon()) == ([("Silver Hand Recruit", 1, 1)] * 3, ("Light's Justice", 1, 4))


@pytest.mark.parametrize(("own", "recruits"), [(5, 2), (7, 0)])
def test_muster_for_battle_fills_what_room_there_is(own: int, recruits: int) -> None:
    s = Scene(Half(hand=["Muster for Battle"], board=YETIS[:own], weapon="Ashbringer"), Half())
    s.play("Muster for Battle")
    assert s.names() == [*YETIS[:own], *["Silver Hand Recruit"] * recruits]
    assert s.weapon() == ("Light's Justice", 1, 4), "the old weapon is gone"


def test_blessing_of_kings_is_for_minions_of_either_side() -> None:
    s = Scene(Half(hand=["Blessing of Kings"], board=[Body("Chillwind Yeti", health=2)]), Half(board=YETIS[:1]))
    assert s.targets("Blessing of Kings") == ["1", "e1"]
    s.play("Blessing of Kings", "1")
    assert (s.board(), s.bodies()[0].max_health) == ([("Chillwind Yeti", 8, 6)], 9)


def test_blessing_of_kings_needs_a_minion() -> None:
    assert not Scene(Half(hand=["Blessing of Kings"]), Half()).can_play("Blessing of Kings")


def test_coghammer_guards_a_random_friendly_minion() -> None:
    def play(seed: int) -> tuple[int, ...]:
        s = Scene(Half(hand=["Coghammer"], board=YETIS[:2]), Half(board=YETIS[:1]), seed=seed).play("Coghammer")
        assert s.weapon() == ("Coghammer", 2, 3)
        return tuple(words & GUARDED for words in (s.keywords(0, 1), s.keywords(0, 2), s.keywords(1, 1)))

    assert outcomes(play) == {(GUARDED, 0, 0), (0, GUARDED, 0)}


def test_coghammer_without_minions_is_only_a_weapon() -> None:
    s = Scene(Half(hand=["Coghammer"]), Half(board=YETIS[:1])).play("Coghammer")
    assert (s.weapon(), s.has(1, 1, k.TAUNT), s.has(0, 0, k.SHIELD)) == (("Coghammer", 2, 3), False, False)


@pytest.mark.parametrize(("health", "left"), [(20, 18), (30, 26), (29, 26), (3, 1)])
def test_truesilver_champion_heals_before_the_blow(health: int, left: int) -> None:
    s = Scene(Half(weapon="Truesilver Champion", health=health), Half(board=YETIS[:1])).do("attack 0 e1")
    assert (s.health(), s.weapon(), s.board(1)) == (left, ("Truesilver Champion", 4, 1), [("Chillwind Yeti", 4, 1)])


def test_truesilver_champion_heals_only_when_the_hero_attacks() -> None:
    s = Scene(Half(weapon="Truesilver Champion", health=20, board=YETIS[:1]), Half()).do("attack 1 e0")
    assert s.health() == 20


def test_shielded_minibot_survives_one_blow() -> None:
    s = Scene(Half(board=["Shielded Minibot"]), Half(board=YETIS[:2])).do("attack 1 e1")
    assert (s.board(), s.has(0, 1, k.SHIELD)) == ([("Shielded Minibot", 2, 2)], False)
    assert s.do("end", "attack 2 e1").board() == []


def test_keeper_of_uldaman_makes_a_hurt_giant_three_three() -> None:
    s = Scene(Half(hand=["Keeper of Uldaman"]), Half(board=[Body("Boulderfist Ogre", health=2)]))
    s.play("Keeper of Uldaman", "e1")
    assert (s.board(1), s.bodies(1)[0].max_health) == ([("Boulderfist Ogre", 3, 3)], 3)
    assert s.board() == [("Keeper of Uldaman", 3, 4)]


def test_keeper_of_uldaman_hides_buffs_before_and_lets_later_ones_count() -> None:
    s = Scene(Half(hand=["Blessing of Kings", "Keeper of Uldaman"], board=["Loot Hoarder"], mana=8), Half())
    s.play("Blessing of Kings", "1").play("Keeper of Uldaman", "1")
    assert s.board()[0] == ("Loot Hoarder", 3, 3)
    s = Scene(Half(hand=["Blessing of Kings", "Keeper of Uldaman"], board=["Loot Hoarder"], mana=8), Half())
    s.play("Keeper of Uldaman", "1").play("Blessing of Kings", "1")
    assert s.board()[0] == ("Loot Hoarder", 7, 7)


def test_keeper_of_uldaman_may_be_played_alone() -> None:
    s = Scene(Half(hand=["Keeper of Uldaman"]), Half()).play("Keeper of Uldaman")
    assert s.board() == [("Keeper of Uldaman", 3, 4)]


def test_mysterious_challenger_takes_one_of_each_secret() -> None:
    deck = ["Avenge", "Chillwind Yeti", "Noble Sacrifice", "Avenge", "Redemption"]
    board = ["Secretkeeper", "Mana Wyrm"]
    s = Scene(Half(hand=["Mysterious Challenger"], deck=deck, board=board, secrets=["Redemption"]), Half())
    s.play("Mysterious Challenger")
    assert s.secrets() == ["Redemption", "Avenge", "Noble Sacrifice"]
    assert sorted(s.deck()) == ["Avenge", "Chillwind Yeti", "Redemption"]
    assert s.board() == [("Secretkeeper", 1, 2), ("Mana Wyrm", 1, 3), ("Mysterious Challenger", 6, 6)], (
        "none was played"
    )


def test_mysterious_challenger_stops_at_five() -> None:
    deck = ["Avenge", "Noble Sacrifice", "Redemption", "Competitive Spirit"]
    s = Scene(Half(hand=["Mysterious Challenger"], deck=deck, secrets=["Ice Block", "Bear Trap"]), Half())
    s.play("Mysterious Challenger")
    assert s.secrets() == ["Ice Block", "Bear Trap", "Avenge", "Noble Sacrifice", "Redemption"]
    assert s.deck() == ["Competitive Spirit"]


def test_tirion_fordring_leaves_ashbringer() -> None:
    s = Scene(Half(hand=["Tirion Fordring"], weapon="Light's Justice"), Half(board=YETIS[:2])).play("Tirion Fordring")
    assert s.keywords(0, 1) & GUARDED == GUARDED
    s.bodies()[0].health = 4
    s.do("end", "attack 1 e1")
    assert (s.board(), s.weapon()) == ([("Tirion Fordring", 6, 4)], ("Light's Justice", 1, 4))
    s.do("attack 1 e1")  # the first Yeti died of its blow
    assert (s.board(), s.weapon()) == ([], ("Ashbringer", 5, 3))
