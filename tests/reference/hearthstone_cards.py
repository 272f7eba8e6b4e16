"""The cards of section 3 of the Hearthstone specification and the powers of section 1.9, copied out of its tables."""

from __future__ import annotations

from dataclasses import dataclass

_MINIONS = """
Shielded Minibot      | 2 | 2/2  | mech   | divine shield
Keeper of Uldaman     | 4 | 3/4  |        | | minion
Mysterious Challenger | 6 | 6/6  |        |
Tirion Fordring       | 8 | 6/6  |        | divine shield, taunt
Mana Wyrm             | 1 | 1/3  |        |
Abusive Sergeant      | 1 | 2/1  |        | | minion
Leper Gnome           | 1 | 2/1  |        |
Worgen Infiltrator    | 1 | 2/1  |        | stealth
Secretkeeper          | 1 | 1/2  |        |
Haunted Creeper       | 2 | 1/2  | beast  |
Ironbeak Owl          | 2 | 2/1  | beast  | | minion
Knife Juggler         | 2 | 3/2  |        |
Mad Scientist         | 2 | 2/2  |        |
Bloodmage Thalnos     | 2 | 1/1  |        | spell damage 1
Doomsayer             | 2 | 0/7  |        |
Loot Hoarder          | 2 | 2/1  |        |
Bloodfen Raptor       | 2 | 3/2  | beast  |
Bluegill Warrior      | 2 | 2/1  | murloc | charge
Arcane Golem          | 3 | 4/2  |        | charge
Argent Horserider     | 3 | 2/1  |        | charge, divine shield
Acolyte of Pain       | 3 | 1/3  |        |
Ironfur Grizzly       | 3 | 3/3  | beast  | taunt
Shattered Sun Cleric  | 3 | 3/2  |        | | friendly minion
Piloted Shredder      | 4 | 4/3  | mech   |
Chillwind Yeti        | 4 | 4/5  |        |
Sen'jin Shieldmasta   | 4 | 3/5  |        | taunt
Loatheb               | 5 | 5/5  |        |
Sludge Belcher        | 5 | 3/5  |        | taunt
Antique Healbot       | 5 | 3/3  | mech   |
Abomination           | 5 | 4/4  |        | taunt
Gurubashi Berserker   | 5 | 2/7  |        |
Boulderfist Ogre      | 6 | 6/7  |        |
Emperor Thaurissan    | 6 | 5/5  |        |
Dr. Boom              | 7 | 7/7  |        |
Alexstrasza           | 9 | 8/8  | dragon | | hero
Malygos               | 9 | 4/12 | dragon | spell damage 5
"""

_MINION_TOKENS = """
Hound               | 1 | 1/1 | beast | charge
Misha               | 3 | 4/4 | beast | taunt
Leokk               | 3 | 2/4 | beast |
Huffer              | 3 | 4/2 | beast | charge
Spectral Spider     | 1 | 1/1 |       |
Boom Bot            | 1 | 1/1 | mech  |
Slime               | 1 | 1/2 |       | taunt
Defender            | 1 | 2/1 |       |
Silver Hand Recruit | 1 | 1/1 |       |
Searing Totem       | 1 | 1/1 | totem |
Stoneclaw Totem     | 1 | 0/2 | totem | taunt
Wrath of Air Totem  | 1 | 0/2 | totem | spell damage 1
Healing Totem       | 1 | 0/2 | totem |
"""

_SPELLS = """
Quick Shot         | 2  | any
Animal Companion   | 3  |
Kill Command       | 3  | any
Unleash the Hounds | 3  |
Muster for Battle  | 3  |
Blessing of Kings  | 4  | minion
Ice Lance          | 1  | any
Arcane Missiles    | 1  |
Frostbolt          | 2  | any
Arcane Explosion   | 2  |
Arcane Intellect   | 3  |
Frost Nova         | 3  |
Fireball           | 4  | any
Blizzard           | 6  |
Flamestrike        | 7  |
Pyroblast          | 10 | any
The Coin           | 0  |
"""

_SECRETS = """
Bear Trap          | 2
Explosive Trap     | 2
Avenge             | 1
Competitive Spirit | 1
Noble Sacrifice    | 1
Redemption         | 1
Ice Barrier        | 3
Ice Block          | 3
"""

_WEAPONS = """
Glaivezooka         | 2 | 2/2
Eaglehorn Bow       | 3 | 3/2
Coghammer           | 3 | 2/3
Truesilver Champion | 4 | 4/2
Light's Justice     | 1 | 1/4
Ashbringer          | 5 | 5/3
Wicked Knife        | 1 | 1/2
"""

POWERS = {  # by class: the power, and whom its player chooses
    "warrior": ("Armor Up!", ""),
    "shaman": ("Totemic Call", ""),
    "rogue": ("Dagger Mastery", ""),
    "paladin": ("Reinforce", ""),
    "hunter": ("Steady Shot", ""),
    "druid": ("Shapeshift", ""),
    "warlock": ("Life Tap", ""),
    "mage": ("Fireblast", "any"),
    "priest": ("Lesser Heal", "any"),
}
POWER_COST = 2
COMPANIONS = ("Misha", "Leokk", "Huffer")
TOTEMS = ("Searing Totem", "Stoneclaw Totem", "Wrath of Air Totem", "Healing Totem")


@dataclass(frozen=True)
class Card:
    """What is printed on a card."""

    name: str
    kind: str  # minion, spell, secret or weapon
    cost: int
    attack: int = 0
    health: int = 0  # of a weapon: durability
    tribe: str = ""
    words: frozenset[str] = frozenset()
    spell_damage: int = 0
    target: str = ""  # whom its player chooses: any (character), minion, friendly minion, hero

    @property
    def is_spell(self) -> bool:
        return self.kind in ("spell", "secret")


def _lines(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def _minion(cells: list[str]) -> Card:
    name, cost, stats, tribe, text, *target = cells
    attack, health = map(int, stats.split("/"))
    words = [word for word in text.split(", ") if word and not word.startswith("spell damage")]
    power = int(text.removeprefix("spell damage ")) if text.startswith("spell damage") else 0
    return Card(name, "minion", int(cost), attack, health, tribe, frozenset(words), power, "".join(target))


def _weapon(cells: list[str]) -> Card:
    name, cost, stats = cells
    attack, durability = map(int, stats.split("/"))
    return Card(name, "weapon", int(cost), attack, durability)


def _all_cards() -> dict[str, Card]:
    cards = [_minion(cells) for cells in _lines(_MINIONS + _MINION_TOKENS.lstrip())]
    cards += [Card(name, "spell", int(cost), target=target) for name, cost, target in _lines(_SPELLS)]
    cards += [Card(name, "secret", int(cost)) for name, cost in _lines(_SECRETS)]
    cards += [_weapon(cells) for cells in _lines(_WEAPONS)]
    return {card.name: card for card in cards}


CARDS = _all_cards()
TOKENS = {cells[0] for cells in _lines(_MINION_TOKENS)} | {"The Coin", "Ashbringer", "Wicked Knife", "Light's Justice"}
