"""Cards of the rogue class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Valeera", "HERO_03", dbf=930),
    power("Dagger Mastery", "CS2_083b", on(k.PLAY, k.EQUIP, "Wicked Knife")),
    minion("Defias Ringleader", "EX1_131", 2, 2, 2, unplayable="it has a Combo", dbf=201),
    minion("Patient Assassin", "EX1_522", 2, 1, 1, keywords=k.STEALTH | k.POISON, dbf=1133),
    minion("Goblin Auto-Barber", "GVG_023", 2, 3, 2, on(k.PLAY, k.SHARPEN, 1), tribe=k.MECH, dbf=1988),
    minion("One-eyed Cheat", "GVG_025", 2, 4, 1, on(k.ENTERS, k.GIVE, k.STEALTH, to=k.SELF, condition=k.IS_PIRATE), tribe=k.PIRATE, dbf=1990),
    minion("Undercity Valiant", "AT_030", 2, 3, 2, unplayable="it has a Combo", dbf=2767),
    minion("Cutpurse", "AT_031", 2, 2, 2, on(k.ATTACKS, k.ADD_CARD, "The Coin", condition=k.TARGET_IS_HERO), dbf=2766),
]
