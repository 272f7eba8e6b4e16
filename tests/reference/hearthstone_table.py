"""What lies on the table in Hearthstone, and the effects that cards are made of: damage, buffs, draws, summons.

A part of the slow engine in `hearthstone_reference`. Numbers in brackets refer to sections of the specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from tests.reference.hearthstone_cards import CARDS, Card

BOARD, HAND, SECRETS, MANA, FULL = 7, 10, 5, 10, 30

T = TypeVar("T")


@dataclass(eq=False)
class Character:
    """A hero or a minion in play."""

    owner: int
    name: str = "hero"
    attack: int = 0
    health: int = FULL
    most: int = FULL  # its full health
    bonus: int = 0  # attack for this turn
    words: set[str] = field(default_factory=set)
    attacks: int = 0  # made this turn
    stamp: int = 0  # when it came into play (1.4)
    is_sick: bool = False  # came into play since its owner's turn began
    is_doomed: bool = False  # will be destroyed
    is_gone: bool = False  # has left play; it marks its place until its death is told
    number: int = -1  # by which the oracle knows it

    @property
    def is_hero(self) -> bool:
        return self.name == "hero"

    @property
    def card(self) -> Card:
        return CARDS[self.name]

    @property
    def text(self) -> str:
        """The name of the card whose text it has: none when it is silenced, or a hero."""
        return "" if self.is_hero or "silenced" in self.words else self.name

    @property
    def is_living(self) -> bool:
        return self.health > 0 and not self.is_doomed and not self.is_gone

    def copy(self) -> Character:
        return replace(self, words=set(self.words))


@dataclass(eq=False)
class Weapon:
    """A weapon in a hero's hand."""

    name: str
    attack: int
    durability: int
    stamp: int = 0


@dataclass(eq=False)
class Secret:
    """A secret in play."""

    name: str
    stamp: int = 0


@dataclass(eq=False)
class Held:
    """A card in a hand."""

    name: str
    cheaper: int = 0

    @property
    def card(self) -> Card:
        return CARDS[self.name]


@dataclass(eq=False)
class Player:
    """One side of the table."""

    seat: int
    class_: str
    hero: Character
    armor: int = 0
    crystals: int = 0
    mana: int = 0
    extra: int = 0  # the part of the mana that The Coin gave
    hand: list[Held] = field(default_factory=list)
    row: list[Character] = field(default_factory=list)  # minions left to right, with places of those just dead
    weapon: Weapon | None = None
    secrets: list[Secret] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)  # the next card first
    fatigue: int = 0
    has_used_power: bool = False
    tax: int = 0  # how much more spells cost this turn
    next_tax: int = 0

    @property
    def board(self) -> list[Character]:
        return [minion for minion in self.row if not minion.is_gone]

    @property
    def everybody(self) -> list[Character]:
        return [self.hero, *self.board]

    @property
    def has_room(self) -> bool:
        return len(self.board) < BOARD

    def has_secret(self, name: str) -> bool:
        return any(secret.name == name for secret in self.secrets)

    def copy(self) -> Player:
        """The same in other objects, as far as they change."""
        return replace(
            self,
            hero=self.hero.copy(),
            hand=[replace(held) for held in self.hand],
            row=[minion.copy() for minion in self.row],
            weapon=replace(self.weapon) if self.weapon else None,
            secrets=list(self.secrets),
            deck=list(self.deck),
        )

    def cost(self, held: Held) -> int:
        return max(0, held.card.cost - held.cheaper + (self.tax if held.card.is_spell else 0))

    def pay(self, cost: int) -> None:
        self.mana -= cost
        self.extra = max(0, self.extra - cost)

    def pay_from_crystals(self, cost: int) -> None:
        """As 2016's simulator pays for hero powers: as far as the crystals go."""
        self.mana = self.extra + max(0, self.mana - self.extra - cost)


class Oracle(Protocol):
    """Who decides what is random, and hears in which order things happen."""

    def choose(self, kind: str, candidates: Sequence[T]) -> T: ...

    def hear(self, kind: str, about: Character | str) -> None: ...


class Table:
    """Two players; ``turn`` is whose turn it is."""

    def __init__(
        self, players: Sequence[Player], turn: int, oracle: Oracle, stamp: int, options: Iterable[str]
    ) -> None:
        self.players, self.turn, self.oracle, self.next_stamp = list(players), turn, oracle, stamp
        self.options = tuple(options)
        self.is_2016 = "fireplace2016" in options  # as that simulator played (7.5)
        self.has_free_places = "free" in options
        self.is_over = False
        self.is_starting = False  # the effects of the start of a turn are being done
        self.winner: int | None = None  # None: nobody

    # Who is who

    @property
    def mover(self) -> Player:
        return self.players[self.turn]

    def rival(self, player: Player) -> Player:
        return self.players[1 - player.seat]

    def owner(self, character: Character) -> Player:
        return self.players[character.owner]

    def minions(self) -> list[Character]:
        return [minion for player in self.players for minion in player.board]

    def everybody(self) -> list[Character]:
        return [character for player in self.players for character in player.everybody]

    def with_text(self, *names: str) -> list[Character]:
        """Minions in play that have the text of one of these cards, the oldest first."""
        return sorted((m for m in self.minions() if m.text in names), key=lambda minion: minion.stamp)

    def attack_of(self, character: Character) -> int:
        """Attack as it counts now: a hero's weapon on the own turn only, and Leokk's aura (1.6, 1.7)."""
        player = self.owner(character)
        if character.is_hero:
            weapon = player.weapon.attack if player.weapon and player.seat == self.turn else 0
            return character.bonus + weapon
        leokks = [minion for minion in player.board if minion.text == "Leokk" and minion is not character]
        return max(0, character.attack + character.bonus + len(leokks))

    def spell_damage(self, player: Player) -> int:
        return sum(minion.card.spell_damage for minion in player.board if minion.text)

    def stamp(self) -> int:
        self.next_stamp += 1
        return self.next_stamp

    # Damage and health (1.7, 1.8)

    def damage(self, targets: Iterable[Character], amount: int, source: Character | None = None) -> None:
        """Damage to all of them at once (told by number, no rule names an order); then those hurt react, by age."""
        together = sorted(targets, key=lambda target: target.number)
        hurt = [target for target in together if self._strike(target, amount, source)]
        self.react(hurt)

    def react(self, hurt: Iterable[Character]) -> None:
        for minion in sorted(hurt, key=lambda minion: minion.stamp):
            if minion.text == "Acolyte of Pain":
                self.draw(self.owner(minion))
            elif minion.text == "Gurubashi Berserker":
                self.buff(minion, 3, 0)

    def _strike(self, target: Character, amount: int, source: Character | None) -> bool:
        """Whether damage got through."""
        if amount <= 0:
            return False
        if "immune" in target.words or self._is_saved(target, amount):
            self.oracle.hear("prevented", target)
            return False
        if "divine shield" in target.words:
            target.words.remove("divine shield")
            self.oracle.hear("shielded", target)
            return False
        if source:
            source.words.discard("stealth")
        self._lose_health(target, amount)
        return True

    def _is_saved(self, target: Character, amount: int) -> bool:
        """Ice Block: it takes the damage that would be fatal, and the hero is immune for the rest of the turn."""
        player = self.owner(target)
        if not target.is_hero or amount < target.health + player.armor or not self.is_awake(player, "Ice Block"):
            return False
        self.reveal(player, "Ice Block")
        target.words.add("immune")
        return True

    def _lose_health(self, target: Character, amount: int) -> None:
        player = self.owner(target)
        absorbed = min(player.armor, amount) if target.is_hero else 0
        player.armor -= absorbed
        target.health -= amount - absorbed
        self.oracle.hear("hit", target)

    def heal(self, target: Character, amount: int) -> None:
        target.health = min(target.most, target.health + amount)

    def buff(self, minion: Character, attack: int, health: int) -> None:
        minion.attack += attack
        minion.health += health
        minion.most += health
        self.oracle.hear("buffed", minion)

    def silence(self, minion: Character) -> None:
        """Text, keywords and enchantments go; damage stays, but health that was only lent does not hurt by leaving."""
        most = minion.card.health
        minion.health = minion.health + most - minion.most if most > minion.most else min(minion.health, most)
        minion.attack, minion.bonus, minion.most = minion.card.attack, 0, most
        minion.words = {"silenced"}

    def draw(self, player: Player) -> None:
        """(1.3)"""
        if not player.deck:
            player.fatigue += 1
            self.damage([player.hero], player.fatigue)
            return
        name = player.deck.pop(0)
        if len(player.hand) < HAND:
            player.hand.append(Held(name))

    # Secrets

    def is_awake(self, player: Player, name: str) -> bool:
        """Whether a player has such a secret, and it does not sleep: in 2016's simulator turns begin a little late."""
        current = 1 - self.turn if self.is_2016 and self.is_starting else self.turn
        return player.has_secret(name) and player.seat != current

    def reveal(self, player: Player, name: str) -> None:
        player.secrets = [secret for secret in player.secrets if secret.name != name]
        if player.weapon and player.weapon.name == "Eaglehorn Bow":
            player.weapon.durability += 1

    def hide(self, player: Player, name: str) -> None:
        player.secrets.append(Secret(name, self.stamp()))
        self.oracle.hear("hidden", name)

    # Coming into play (1.4)

    def enter(self, player: Player, name: str, place: int) -> Character:
        """A minion comes into play; the place counts those who mark theirs."""
        card = CARDS[name]
        minion = Character(player.seat, name, card.attack, card.health, card.health, words=set(card.words))
        minion.stamp, minion.is_sick = self.stamp(), True
        player.row.insert(place, minion)
        self.oracle.hear("appeared", minion)
        return minion

    def summon(
        self, player: Player, name: str, beside: Character | None = None, *, health: int = 0, is_left: bool = False
    ) -> Character | None:
        """An effect brings a minion, beside somebody or to the right end; Knife Jugglers throw at once."""
        if not player.has_room:
            return None
        if beside and beside.is_gone and self.is_2016:
            beside = None
        minion = self.enter(player, name, player.row.index(beside) + (not is_left) if beside else len(player.row))
        minion.health = health or minion.health
        self.throw_knives(minion)
        return minion

    def throw_knives(self, newcomer: Character) -> None:
        for juggler in self.with_text("Knife Juggler"):
            if juggler.owner == newcomer.owner and juggler is not newcomer:
                self.hit_somebody(self.players[1 - juggler.owner], [1], juggler)

    def hit_somebody(self, player: Player, amounts: Sequence[int], source: Character | None = None) -> None:
        """Damage of one of these amounts to a random living character of a player."""
        living = [character for character in player.everybody if character.is_living]
        if living:
            amount = self.oracle.choose("amount", amounts) if len(amounts) > 1 else amounts[0]
            self.damage([self.oracle.choose("struck", living)], amount, source)

    def equip(self, player: Player, name: str) -> None:
        player.weapon = Weapon(name, CARDS[name].attack, CARDS[name].health, self.stamp())
