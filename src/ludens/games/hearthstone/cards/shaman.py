"""Cards of the shaman class, its hero and its hero power."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import hero, minion, on, power

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    hero("Thrall", "HERO_02", dbf=1066),
    power("Totemic Call", "CS2_049", on(k.PLAY, k.CALL_TOTEM), needs=k.ROOM_FOR_TOTEM),
    minion("Flametongue Totem", "EX1_565", 2, 0, 3, tribe=k.TOTEM, aura=(k.NEIGHBOURS_ATTACK, 2), dbf=1008),
    minion("Whirling Zap-o-matic", "GVG_037", 2, 3, 2, keywords=k.WINDFURY, tribe=k.MECH, dbf=2005),
    minion("Vitality Totem", "GVG_039", 2, 0, 3, on(k.TURN_END, k.HEAL, 4, to=k.OWN_HERO), tribe=k.TOTEM, dbf=2007),
    minion("Totem Golem", "AT_052", 2, 3, 4, tribe=k.TOTEM, unplayable="it overloads", dbf=2610),
]
