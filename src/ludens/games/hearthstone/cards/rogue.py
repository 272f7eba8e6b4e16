"""Rogue."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power

# fmt: off  (one card a line)
CARDS = [
    hero("Valeera", "HERO_03"),
    power("Dagger Mastery", "CS2_083b", on(k.PLAY, k.EQUIP, "Wicked Knife")),
    minion("Defias Ringleader", "EX1_131", 2, 2, 2, unplayable="it has a Combo"),
    minion("Patient Assassin", "EX1_522", 2, 1, 1, words=k.STEALTH | k.POISON),
    minion("Goblin Auto-Barber", "GVG_023", 2, 3, 2, on(k.PLAY, k.SHARPEN, 1), tribe=k.MECH),
    minion("One-eyed Cheat", "GVG_025", 2, 4, 1, on(k.ENTERS, k.GIVE, k.STEALTH, to=k.SELF, when=k.IS_PIRATE), tribe=k.PIRATE),
    minion("Undercity Valiant", "AT_030", 2, 3, 2, unplayable="it has a Combo"),
    minion("Cutpurse", "AT_031", 2, 2, 2, on(k.ATTACKS, k.ADD_CARD, "The Coin", when=k.TARGET_IS_HERO)),
]
