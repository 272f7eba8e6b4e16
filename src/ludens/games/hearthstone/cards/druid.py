"""Cards of the druid class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Malfurion", "HERO_06", dbf=274),
    power("Shapeshift", "CS2_017", on(k.PLAY, k.BUFF_NOW, 1, to=k.OWN_HERO), on(k.PLAY, k.ARMOR, 1)),
    minion("Anodized Robo Cub", "GVG_030", 2, 2, 2, keywords=k.TAUNT, tribe=k.MECH, unplayable="it makes its player choose one of two effects", dbf=2096),
    minion("Darnassus Aspirant", "AT_038", 2, 2, 3, on(k.PLAY, k.GAIN_CRYSTAL, 1), on(k.DEATH, k.LOSE_CRYSTAL, 1), dbf=2782),
    minion("Druid of the Saber", "AT_042", 2, 2, 1, unplayable="it makes its player choose one of two effects", dbf=2783),
]
