"""Cards of the paladin class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power, random, secret, spell, weapon

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Uther", "HERO_04", dbf=671),
    power("Reinforce", "CS2_101", on(k.PLAY, k.SUMMON, "Silver Hand Recruit", 1), needs=k.HAS_ROOM),
    secret("Avenge", "FP1_020", 1, on(k.FRIEND_DIES, k.BUFF, 3, 2, to=random(k.FRIENDS), condition=k.HAS_LIVING), dbf=1804),
    secret("Competitive Spirit", "AT_073", 1, on(k.TURN_START, k.BUFF, 1, 1, to=k.FRIENDS, condition=k.HAS_MINION), dbf=2648),
    secret("Noble Sacrifice", "EX1_130", 1, on(k.FOE_ATTACKS, k.DEFEND, "Defender", condition=k.HAS_ROOM), dbf=584),
    secret("Redemption", "EX1_136", 1, on(k.FRIEND_DIES, k.SUMMON_AGAIN, condition=k.HAS_ROOM), dbf=140),
    spell("Muster for Battle", "GVG_061", 3, on(k.PLAY, k.SUMMON, "Silver Hand Recruit", 3), on(k.PLAY, k.EQUIP, "Light's Justice"), dbf=2029),
    spell("Blessing of Kings", "CS2_092", 4, on(k.PLAY, k.BUFF, 4, 4, to=k.TARGET), target=k.ANY_MINION, dbf=943),
    weapon("Coghammer", "GVG_059", 3, 2, 3, on(k.PLAY, k.GIVE, k.SHIELD | k.TAUNT, to=random(k.FRIENDS)), dbf=2027),
    weapon("Truesilver Champion", "CS2_097", 4, 4, 2, on(k.HERO_ATTACKS, k.HEAL, 2, to=k.OWN_HERO), dbf=847),
    minion("Shielded Minibot", "GVG_058", 2, 2, 2, keywords=k.SHIELD, tribe=k.MECH, dbf=2026),
    minion("Keeper of Uldaman", "LOE_017", 4, 3, 4, on(k.PLAY, k.SET_STATS, 3, 3, to=k.TARGET), target=k.ANY_MINION, dbf=2889),
    minion("Mysterious Challenger", "AT_079", 6, 6, 6, on(k.PLAY, k.EVERY_SECRET), dbf=2726),
    minion("Tirion Fordring", "EX1_383", 8, 6, 6, on(k.DEATH, k.EQUIP, "Ashbringer"), keywords=k.SHIELD | k.TAUNT, legendary=True, dbf=890),
    minion("Argent Protector", "EX1_362", 2, 2, 2, on(k.PLAY, k.GIVE, k.SHIELD, to=k.TARGET), target=k.FRIENDLY_MINION, dbf=1022),
    weapon("Light's Justice", "CS2_091", 1, 1, 4, dbf=383),
]
