"""Cards of the mage class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power, random, secret, spell

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Jaina", "HERO_08", dbf=637),
    power("Fireblast", "CS2_034", on(k.PLAY, k.DAMAGE, 1, to=k.TARGET), target=k.ANY),
    spell("Ice Lance", "CS2_031", 1, on(k.PLAY, k.DAMAGE, 4, to=k.TARGET, condition=k.TARGET_FROZEN), on(k.PLAY, k.FREEZE, to=k.TARGET, condition=k.TARGET_NOT_FROZEN), target=k.ANY, dbf=172),
    spell("Arcane Missiles", "EX1_277", 1, on(k.PLAY, k.MISSILES, 3, to=random(k.ENEMIES)), dbf=564),
    minion("Mana Wyrm", "NEW1_012", 1, 1, 3, on(k.CAST, k.BUFF, 1, 0, to=k.SELF), dbf=405),
    spell("Frostbolt", "CS2_024", 2, on(k.PLAY, k.DAMAGE, 3, to=k.TARGET), on(k.PLAY, k.FREEZE, to=k.TARGET), target=k.ANY, dbf=662),
    spell("Arcane Explosion", "CS2_025", 2, on(k.PLAY, k.DAMAGE, 1, to=k.FOES), dbf=447),
    spell("Arcane Intellect", "CS2_023", 3, on(k.PLAY, k.DRAW, 2), dbf=555),
    spell("Frost Nova", "CS2_026", 3, on(k.PLAY, k.FREEZE, to=k.FOES), dbf=587),
    secret("Ice Barrier", "EX1_289", 3, on(k.ATTACKED, k.ARMOR, 8), dbf=621),
    secret("Ice Block", "EX1_295", 3, on(k.FATAL, k.SHIELD_HERO), dbf=192),
    spell("Fireball", "CS2_029", 4, on(k.PLAY, k.DAMAGE, 6, to=k.TARGET), target=k.ANY, dbf=315),
    spell("Blizzard", "CS2_028", 6, on(k.PLAY, k.DAMAGE, 2, to=k.FOES), on(k.PLAY, k.FREEZE, to=k.FOES), dbf=457),
    spell("Flamestrike", "CS2_032", 7, on(k.PLAY, k.DAMAGE, 4, to=k.FOES), dbf=1004),
    spell("Pyroblast", "EX1_279", 10, on(k.PLAY, k.DAMAGE, 10, to=k.TARGET), target=k.ANY, dbf=1087),
    minion("Sorcerer's Apprentice", "EX1_608", 2, 3, 2, aura=(k.OWN_SPELLS, -1), dbf=614),
    minion("Snowchugger", "GVG_002", 2, 2, 3, keywords=k.CHILL, tribe=k.MECH, dbf=1928),
    minion("Fallen Hero", "AT_003", 2, 3, 2, aura=(k.POWER_DAMAGE, 1), dbf=2545),
]
