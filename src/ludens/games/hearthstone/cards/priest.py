"""Cards of the priest class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power, random

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Anduin", "HERO_09", dbf=813),
    power("Lesser Heal", "CS1h_001", on(k.PLAY, k.HEAL, 2, to=k.TARGET), target=k.ANY),
    minion("Lightwell", "EX1_341", 2, 0, 5, on(k.TURN_START, k.HEAL, 3, to=random(k.HURT_ALLIES)), dbf=797),
    minion("Shrinkmeister", "GVG_011", 2, 3, 2, on(k.PLAY, k.BUFF_NOW, -2, to=k.TARGET), target=k.ANY_MINION, dbf=1936),
    minion("Shadowboxer", "GVG_072", 2, 2, 3, on(k.HEALED, k.DAMAGE, 1, to=random(k.ENEMIES)), tribe=k.MECH, dbf=2040),
    minion("Wyrmrest Agent", "AT_116", 2, 1, 4, on(k.PLAY, k.BUFF, 1, 0, to=k.SELF, condition=k.HOLDS_DRAGON), on(k.PLAY, k.GIVE, k.TAUNT, to=k.SELF, condition=k.HOLDS_DRAGON), dbf=2596),
    minion("Museum Curator", "LOE_006", 2, 1, 2, unplayable="its Battlecry discovers a card", dbf=2878),
]
