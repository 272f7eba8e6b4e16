"""Cards of the hunter class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import OneOf, hero, minion, on, power, random, secret, spell, weapon

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Rexxar", "HERO_05", dbf=31),
    power("Steady Shot", "DS1h_292", on(k.PLAY, k.DAMAGE, 2, to=k.FOE_HERO)),
    weapon("Glaivezooka", "GVG_043", 2, 2, 2, on(k.PLAY, k.BUFF, 1, 0, to=random(k.FRIENDS)), dbf=2011),
    weapon("Eaglehorn Bow", "EX1_536", 3, 3, 2, on(k.REVEALED, k.MEND, 1), dbf=1662),
    secret("Bear Trap", "AT_060", 2, on(k.WAS_ATTACKED, k.SUMMON, "Ironfur Grizzly", 1, condition=k.HAS_ROOM), dbf=2641),
    secret("Explosive Trap", "EX1_610", 2, on(k.ATTACKED, k.DAMAGE, 2, to=k.ENEMIES), dbf=585),
    spell("Quick Shot", "BRM_013", 2, on(k.PLAY, k.DAMAGE, 3, to=k.TARGET), on(k.PLAY, k.DRAW, 1, condition=k.HAND_EMPTY), target=k.ANY, dbf=2260),
    spell("Animal Companion", "NEW1_031", 3, on(k.PLAY, k.SUMMON_ONE_OF, OneOf(("Misha", "Leokk", "Huffer"))), needs=k.HAS_ROOM, dbf=437),
    spell("Kill Command", "EX1_539", 3, on(k.PLAY, k.DAMAGE, 5, to=k.TARGET, condition=k.WITH_BEAST), on(k.PLAY, k.DAMAGE, 3, to=k.TARGET, condition=k.WITHOUT_BEAST), target=k.ANY, dbf=296),
    spell("Unleash the Hounds", "EX1_538", 3, on(k.PLAY, k.SUMMON_FOR_EACH_FOE, "Hound"), needs=k.ROOM_FOR_HOUNDS, dbf=1243),
    minion("Scavenging Hyena", "EX1_531", 2, 2, 2, on(k.FRIEND_DIES, k.BUFF, 2, 1, to=k.SELF, condition=k.BEAST_DIED), tribe=k.BEAST, dbf=1281),
    minion("Steamwheedle Sniper", "GVG_087", 2, 2, 3, missing="its owner's hero power can target minions", dbf=2055),
    minion("King's Elekk", "AT_058", 2, 3, 2, tribe=k.BEAST, unplayable="its Battlecry is a joust", dbf=2635),
]
