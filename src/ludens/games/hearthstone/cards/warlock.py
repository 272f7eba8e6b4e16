"""Cards of the warlock class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Gul'dan", "HERO_07", dbf=893),
    power("Life Tap", "CS2_056", on(k.PLAY, k.DRAW, 1), on(k.PLAY, k.DAMAGE, 2, to=k.OWN_HERO)),
    minion("Succubus", "EX1_306", 2, 4, 3, tribe=k.DEMON, unplayable="its Battlecry discards a card", dbf=592),
    minion("Mistress of Pain", "GVG_018", 2, 1, 4, keywords=k.DRAIN, tribe=k.DEMON, dbf=2172),
    minion("Tiny Knight of Evil", "AT_021", 2, 3, 2, tribe=k.DEMON, unplayable="it waits for cards to be discarded", dbf=2777),
    minion("Wrathguard", "AT_026", 2, 4, 3, on(k.HURT, k.DAMAGE, k.AS_MUCH, to=k.OWN_HERO), tribe=k.DEMON, dbf=2623),
    minion("Dark Peddler", "LOE_023", 2, 2, 2, unplayable="its Battlecry discovers a card", dbf=2895),
]
