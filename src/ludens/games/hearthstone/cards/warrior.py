"""Cards of the warrior class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Garrosh", "HERO_01", dbf=7),
    power("Armor Up!", "CS2_102", on(k.PLAY, k.ARMOR, 2)),
    minion("Armorsmith", "EX1_402", 2, 1, 4, on(k.FRIEND_HURT, k.ARMOR, 1), dbf=596),
    minion("Cruel Taskmaster", "EX1_603", 2, 2, 2, on(k.PLAY, k.DAMAGE, 1, to=k.TARGET), on(k.PLAY, k.BUFF, 2, 0, to=k.TARGET), target=k.ANY_MINION, dbf=285),
    minion("Sparring Partner", "AT_069", 2, 3, 2, on(k.PLAY, k.GIVE, k.TAUNT, to=k.TARGET), keywords=k.TAUNT, target=k.ANY_MINION, dbf=2733),
    minion("Alexstrasza's Champion", "AT_071", 2, 2, 3, on(k.PLAY, k.BUFF, 1, 0, to=k.SELF, condition=k.HOLDS_DRAGON), on(k.PLAY, k.GIVE, k.CHARGE, to=k.SELF, condition=k.HOLDS_DRAGON), dbf=2758),
]
