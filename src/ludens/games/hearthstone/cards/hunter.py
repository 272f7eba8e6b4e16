"""Hunter."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import OneOf, hero, minion, on, power, random, secret, spell, weapon

# fmt: off  (one card a line)
CARDS = [
    hero("Rexxar", "HERO_05"),
    power("Steady Shot", "DS1h_292", on(k.PLAY, k.DAMAGE, 2, to=k.FOE_HERO)),
    weapon("Glaivezooka", "GVG_043", 2, 2, 2, on(k.PLAY, k.BUFF, 1, 0, to=random(k.FRIENDS))),
    weapon("Eaglehorn Bow", "EX1_536", 3, 3, 2, on(k.REVEALED, k.MEND, 1)),
    secret("Bear Trap", "AT_060", 2, on(k.WAS_ATTACKED, k.SUMMON, "Ironfur Grizzly", 1, when=k.HAS_ROOM)),
    secret("Explosive Trap", "EX1_610", 2, on(k.ATTACKED, k.DAMAGE, 2, to=k.ENEMIES)),
    spell("Quick Shot", "BRM_013", 2, on(k.PLAY, k.DAMAGE, 3, to=k.TARGET), on(k.PLAY, k.DRAW, 1, when=k.HAND_EMPTY), target=k.ANY),
    spell("Animal Companion", "NEW1_031", 3, on(k.PLAY, k.SUMMON_ONE_OF, OneOf(("Misha", "Leokk", "Huffer"))), needs=k.HAS_ROOM),
    spell("Kill Command", "EX1_539", 3, on(k.PLAY, k.DAMAGE, 5, to=k.TARGET, when=k.WITH_BEAST), on(k.PLAY, k.DAMAGE, 3, to=k.TARGET, when=k.WITHOUT_BEAST), target=k.ANY),
    spell("Unleash the Hounds", "EX1_538", 3, on(k.PLAY, k.SUMMON_FOR_EACH_FOE, "Hound"), needs=k.ROOM_FOR_HOUNDS),
    minion("Scavenging Hyena", "EX1_531", 2, 2, 2, on(k.FRIEND_DIES, k.BUFF, 2, 1, to=k.SELF, when=k.BEAST_DIED), tribe=k.BEAST),
    minion("Steamwheedle Sniper", "GVG_087", 2, 2, 3, missing="its owner's hero power can target minions"),
    minion("King's Elekk", "AT_058", 2, 3, 2, tribe=k.BEAST, unplayable="its Battlecry is a joust"),
]
