"""Cards that no deck holds: minions, spells and weapons that effects bring into play, and The Coin."""

from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import minion, on, random, spell, weapon

# One card per line; a card's number follows from its place in the list.
# fmt: off
CARDS = [
    spell("The Coin", "GAME_005", 0, on(k.PLAY, k.GAIN_MANA, 1)),
    minion("Hound", "EX1_538t", 1, 1, 1, keywords=k.CHARGE, tribe=k.BEAST),
    minion("Misha", "NEW1_032", 3, 4, 4, keywords=k.TAUNT, tribe=k.BEAST),
    minion("Leokk", "NEW1_033", 3, 2, 4, tribe=k.BEAST, aura=(k.OTHERS_ATTACK, 1)),
    minion("Huffer", "NEW1_034", 3, 4, 2, keywords=k.CHARGE, tribe=k.BEAST),
    minion("Spectral Spider", "FP1_002t", 1, 1, 1),
    minion("Boom Bot", "GVG_110t", 1, 1, 1, on(k.DEATH, k.DAMAGE, 1, 4, to=random(k.ENEMIES)), tribe=k.MECH),
    minion("Slime", "FP1_012t", 1, 1, 2, keywords=k.TAUNT),
    minion("Defender", "EX1_130a", 1, 2, 1),
    minion("Silver Hand Recruit", "CS2_101t", 1, 1, 1),
    weapon("Ashbringer", "EX1_383t", 5, 5, 3),
    weapon("Wicked Knife", "CS2_082", 1, 1, 2),
    minion("Searing Totem", "CS2_050", 1, 1, 1, tribe=k.TOTEM),
    minion("Stoneclaw Totem", "CS2_051", 1, 0, 2, keywords=k.TAUNT, tribe=k.TOTEM),
    minion("Wrath of Air Totem", "CS2_052", 1, 0, 2, tribe=k.TOTEM, spell_damage=1),
    minion("Healing Totem", "NEW1_009", 1, 0, 2, on(k.TURN_END, k.HEAL, 1, to=k.FRIENDS), tribe=k.TOTEM),
    minion("Nerubian", "FP1_007t", 4, 4, 4),
    minion("Murloc Scout", "EX1_506a", 1, 1, 1, tribe=k.MURLOC),
]
