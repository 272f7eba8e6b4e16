"""What the cards of the Hearthstone specification do (sections 1.9 and 3), each in the words of `Table`."""

from __future__ import annotations

from collections.abc import Callable

from tests.reference.hearthstone_cards import CARDS, COMPANIONS, TOTEMS, Card
from tests.reference.hearthstone_table import MANA, SECRETS, Character, Player, Table

MISSILES = 3


def cast(game: Table, player: Player, card: Card) -> None:
    """Who waits for spells and secrets being played hears of it, before anything comes of it (1.5)."""
    for minion in game.with_text("Mana Wyrm", "Secretkeeper"):
        is_own = minion.owner == player.seat
        if minion.text == "Mana Wyrm" and is_own:
            game.buff(minion, 1, 0)
        elif minion.text == "Secretkeeper" and card.kind == "secret" and (is_own or not game.is_2016):
            game.buff(minion, 1, 1)


# Spells


def _bolt(game: Table, player: Player, target: Character | None, amount: int) -> None:
    assert target is not None
    game.damage([target], amount + game.spell_damage(player))


def _storm(game: Table, player: Player, amount: int) -> None:
    game.damage(game.rival(player).board, amount + game.spell_damage(player))


def _freeze(*targets: Character) -> None:
    for target in targets:
        target.words.add("frozen")


def _quick_shot(game: Table, player: Player, target: Character | None) -> None:
    _bolt(game, player, target, 3)
    if not player.hand:
        game.draw(player)


def _companion(game: Table, player: Player, target: Character | None) -> None:
    game.summon(player, game.oracle.choose("summoned", COMPANIONS))


def _kill_command(game: Table, player: Player, target: Character | None) -> None:
    has_beast = any(minion.card.tribe == "beast" for minion in player.board)
    _bolt(game, player, target, 5 if has_beast else 3)


def _hounds(game: Table, player: Player, target: Character | None) -> None:
    for _ in range(len(game.rival(player).board)):
        game.summon(player, "Hound")


def _muster(game: Table, player: Player, target: Character | None) -> None:
    for _ in range(3):
        game.summon(player, "Silver Hand Recruit")
    game.equip(player, "Light's Justice")


def _kings(game: Table, player: Player, target: Character | None) -> None:
    assert target is not None
    game.buff(target, 4, 4)


def _ice_lance(game: Table, player: Player, target: Character | None) -> None:
    assert target is not None
    if "frozen" in target.words:
        _bolt(game, player, target, 4)
    else:
        _freeze(target)


def _missiles(game: Table, player: Player, target: Character | None) -> None:
    for _ in range(MISSILES + game.spell_damage(player)):
        game.hit_somebody(game.rival(player), [1])


def _frostbolt(game: Table, player: Player, target: Character | None) -> None:
    assert target is not None
    _bolt(game, player, target, 3)
    _freeze(target)


def _intellect(game: Table, player: Player, target: Character | None) -> None:
    game.draw(player)
    game.draw(player)


def _blizzard(game: Table, player: Player, target: Character | None) -> None:
    _storm(game, player, 2)
    _freeze(*game.rival(player).board)


def _coin(game: Table, player: Player, target: Character | None) -> None:
    gained = min(1, MANA - player.mana)
    player.mana += gained
    player.extra += gained


SPELLS: dict[str, Callable[[Table, Player, Character | None], None]] = {
    "Quick Shot": _quick_shot,
    "Animal Companion": _companion,
    "Kill Command": _kill_command,
    "Unleash the Hounds": _hounds,
    "Muster for Battle": _muster,
    "Blessing of Kings": _kings,
    "Ice Lance": _ice_lance,
    "Arcane Missiles": _missiles,
    "Frostbolt": _frostbolt,
    "Arcane Explosion": lambda game, player, target: _storm(game, player, 1),
    "Arcane Intellect": _intellect,
    "Frost Nova": lambda game, player, target: _freeze(*game.rival(player).board),
    "Fireball": lambda game, player, target: _bolt(game, player, target, 6),
    "Blizzard": _blizzard,
    "Flamestrike": lambda game, player, target: _storm(game, player, 4),
    "Pyroblast": lambda game, player, target: _bolt(game, player, target, 10),
    "The Coin": _coin,
}

# Battlecries: of the minion, or of the hero whose weapon it is


def _keeper(game: Table, player: Player, source: Character, target: Character | None) -> None:
    if target:
        target.attack = target.health = target.most = 3
        target.bonus = 0


def _challenger(game: Table, player: Player, source: Character, target: Character | None) -> None:
    """One of each secret, in the order in which the deck first comes to them; any copy may be the one."""
    wanted = [name for name in dict.fromkeys(player.deck) if CARDS[name].kind == "secret"]
    wanted = [name for name in wanted if not player.has_secret(name)][: SECRETS - len(player.secrets)]
    for name in wanted:
        player.deck.pop(game.oracle.choose("copy", [at for at, card in enumerate(player.deck) if card == name]))
        game.hide(player, name)


def _sergeant(game: Table, player: Player, source: Character, target: Character | None) -> None:
    if target:
        target.bonus += 2
        game.oracle.hear("buffed", target)


def _owl(game: Table, player: Player, source: Character, target: Character | None) -> None:
    if target:
        game.silence(target)


def _golem(game: Table, player: Player, source: Character, target: Character | None) -> None:
    rival = game.rival(player)
    rival.crystals = min(MANA, rival.crystals + 1)


def _cleric(game: Table, player: Player, source: Character, target: Character | None) -> None:
    if target:
        game.buff(target, 1, 1)


def _loatheb(game: Table, player: Player, source: Character, target: Character | None) -> None:
    game.rival(player).next_tax += 5


def _boom(game: Table, player: Player, source: Character, target: Character | None) -> None:
    for is_left in (False, True):
        game.summon(player, "Boom Bot", source, is_left=is_left)


def _alexstrasza(game: Table, player: Player, source: Character, target: Character | None) -> None:
    assert target is not None
    target.health = 15


def _glaivezooka(game: Table, player: Player, source: Character, target: Character | None) -> None:
    if player.board:
        game.buff(game.oracle.choose("buffed", player.board), 1, 0)


def _coghammer(game: Table, player: Player, source: Character, target: Character | None) -> None:
    if player.board:
        game.oracle.choose("given", player.board).words |= {"divine shield", "taunt"}


BATTLECRIES: dict[str, Callable[[Table, Player, Character, Character | None], None]] = {
    "Keeper of Uldaman": _keeper,
    "Mysterious Challenger": _challenger,
    "Abusive Sergeant": _sergeant,
    "Ironbeak Owl": _owl,
    "Arcane Golem": _golem,
    "Shattered Sun Cleric": _cleric,
    "Loatheb": _loatheb,
    "Antique Healbot": lambda game, player, source, target: game.heal(player.hero, 8),
    "Dr. Boom": _boom,
    "Alexstrasza": _alexstrasza,
    "Glaivezooka": _glaivezooka,
    "Coghammer": _coghammer,
}

# Deathrattles


def _creeper(game: Table, player: Player, dead: Character) -> None:
    """The second spider stands right of the first."""
    first = game.summon(player, "Spectral Spider", dead)
    if first:
        game.summon(player, "Spectral Spider", first)


def _belcher(game: Table, player: Player, dead: Character) -> None:
    game.summon(player, "Slime", dead)


def _scientist(game: Table, player: Player, dead: Character) -> None:
    """A random secret of the deck that is not active; in 2016's simulator any, in vain if it is active."""
    secrets = sorted({name for name in player.deck if CARDS[name].kind == "secret"})
    fresh = [name for name in secrets if not player.has_secret(name)]
    candidates = fresh + ["nothing"] * (game.is_2016 and fresh != secrets)
    name = game.oracle.choose("secret", candidates) if candidates and len(player.secrets) < SECRETS else "nothing"
    if name == "nothing":
        game.oracle.hear("hidden", name)
        return
    player.deck.pop(game.oracle.choose("copy", [at for at, card in enumerate(player.deck) if card == name]))
    game.hide(player, name)


def _boom_bot(game: Table, player: Player, dead: Character) -> None:
    game.hit_somebody(game.rival(player), [1, 2, 3, 4])


DEATHRATTLES: dict[str, Callable[[Table, Player, Character], None]] = {
    "Tirion Fordring": lambda game, player, dead: game.equip(player, "Ashbringer"),
    "Leper Gnome": lambda game, player, dead: game.damage([game.rival(player).hero], 2),
    "Haunted Creeper": _creeper,
    "Mad Scientist": _scientist,
    "Bloodmage Thalnos": lambda game, player, dead: game.draw(player),
    "Loot Hoarder": lambda game, player, dead: game.draw(player),
    "Sludge Belcher": _belcher,
    "Abomination": lambda game, player, dead: game.damage(game.everybody(), 2),
    "Boom Bot": _boom_bot,
}

# Secrets


def death_secret(game: Table, player: Player, name: str, dead: Character) -> None:
    """Avenge and Redemption; what can do nothing stays."""
    living = [minion for minion in player.board if minion.is_living]
    if name == "Avenge" and living:
        game.reveal(player, name)
        game.buff(game.oracle.choose("buffed", living), 3, 2)
    elif name == "Redemption" and player.has_room:
        game.reveal(player, name)
        game.summon(player, dead.name, health=1)


def attack_secret(game: Table, player: Player, name: str, attacker: Character, attacked: Character) -> Character | None:
    """Secrets that wait for an attack; the new defender if there is one."""
    is_on_hero = attacked is player.hero
    if name == "Explosive Trap" and is_on_hero:
        game.reveal(player, name)
        game.damage(game.rival(player).everybody, 2 + game.spell_damage(player))
    elif name == "Ice Barrier" and is_on_hero:
        game.reveal(player, name)
        player.armor += 8
    elif name == "Noble Sacrifice" and player.has_room and not (game.is_2016 and attacker.is_hero):
        game.reveal(player, name)
        return game.summon(player, "Defender")
    return None


# Hero powers (1.9)


def missing_totems(player: Player) -> list[str]:
    return [name for name in TOTEMS if all(minion.name != name for minion in player.board)]


def _totem(game: Table, player: Player, target: Character | None) -> None:
    game.summon(player, game.oracle.choose("summoned", missing_totems(player)))


def _reinforce(game: Table, player: Player, target: Character | None) -> None:
    game.summon(player, "Silver Hand Recruit")


def _shapeshift(game: Table, player: Player, target: Character | None) -> None:
    player.hero.bonus += 1
    player.armor += 1


def _life_tap(game: Table, player: Player, target: Character | None) -> None:
    game.draw(player)
    game.damage([player.hero], 2)


def _fireblast(game: Table, player: Player, target: Character | None) -> None:
    assert target is not None
    game.damage([target], 1)


def _lesser_heal(game: Table, player: Player, target: Character | None) -> None:
    assert target is not None
    game.heal(target, 2)


def _armor_up(game: Table, player: Player, target: Character | None) -> None:
    player.armor += 2


POWER_EFFECTS: dict[str, Callable[[Table, Player, Character | None], None]] = {
    "Armor Up!": _armor_up,
    "Totemic Call": _totem,
    "Dagger Mastery": lambda game, player, target: game.equip(player, "Wicked Knife"),
    "Reinforce": _reinforce,
    "Steady Shot": lambda game, player, target: game.damage([game.rival(player).hero], 2),
    "Shapeshift": _shapeshift,
    "Life Tap": _life_tap,
    "Fireblast": _fireblast,
    "Lesser Heal": _lesser_heal,
}
