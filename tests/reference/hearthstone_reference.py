"""Hearthstone as its specification tells it: a slow engine of plain objects, written only to check the fast one.

Independent of `ludens`: it shares the way moves are typed, not a line of code. Numbers in brackets refer to sections
of the specification. Here are the rules of deaths, attacks, playing cards and turns; the effects are in
`hearthstone_table`, what cards do with them in `hearthstone_effects`, what is printed on cards in `hearthstone_cards`.
What chance decides is asked of an `Oracle`. Piloted Shredder's Deathrattle is left out, and so is the mulligan.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from tests.reference.hearthstone_cards import POWER_COST, POWERS
from tests.reference.hearthstone_effects import (
    BATTLECRIES,
    DEATHRATTLES,
    POWER_EFFECTS,
    SPELLS,
    attack_secret,
    cast,
    death_secret,
    missing_totems,
)
from tests.reference.hearthstone_table import MANA, SECRETS, Character, Held, Oracle, Player, Table


class Reference(Table):
    """A game that goes on from a position; the mover is the player whose turn it is."""

    def copy(self, oracle: Oracle) -> Reference:
        """The same game between two moves, which goes on under another oracle."""
        players = [player.copy() for player in self.players]
        return Reference(players, self.turn, oracle, self.next_stamp, self.options)

    # Death (1.8)

    def bury(self) -> None:
        """Pass after pass, until nobody dies."""
        while not self.is_over:
            for player in self.players:
                if player.weapon and player.weapon.durability <= 0:
                    player.weapon = None
            dead = sorted((c for c in self.everybody() if not c.is_living), key=lambda character: character.stamp)
            if not dead:
                return
            self._bury_together(dead)

    def _bury_together(self, dead: list[Character]) -> None:
        for character in dead:
            character.is_gone = True
        if any(character.is_hero for character in dead):
            self._finish(dead)
            return
        for minion in dead:
            self._tell_death(minion)
        for player in self.players:
            player.row = [minion for minion in player.row if minion not in dead]

    def _finish(self, dead: list[Character]) -> None:
        """A hero is dead: nothing comes of the other deaths any more."""
        living = [player.seat for player in self.players if player.hero.is_living]
        self.is_over, self.winner = True, living[0] if living else None
        for minion in sorted(dead, key=lambda character: character.number):
            if not minion.is_hero:
                self.oracle.hear("died", minion)

    def _tell_death(self, minion: Character) -> None:
        """Its own Deathrattle and the secrets that wait for it, by age; last Redemption, or in 2016 the Deathrattle."""
        self.oracle.hear("died", minion)
        player = self.owner(minion)
        acts: list[tuple[bool, int, Callable[[], None]]] = []
        if minion.text in DEATHRATTLES:
            acts.append((self.is_2016, minion.stamp, lambda: DEATHRATTLES[minion.text](self, player, minion)))
        for secret in player.secrets:
            if secret.name in ("Avenge", "Redemption") and self.is_awake(player, secret.name):
                is_last = secret.name == "Redemption" and not self.is_2016
                acts.append((is_last, secret.stamp, functools.partial(death_secret, self, player, secret.name, minion)))
        for *_, act in sorted(acts, key=lambda each: each[:2]):
            act()

    # Attacks (1.6)

    def can_attack(self, character: Character) -> bool:
        attacks = 2 if "windfury" in character.words else 1
        is_rested = not character.is_sick or "charge" in character.words
        is_able = "frozen" not in character.words and character.attacks < attacks
        return is_rested and is_able and self.attack_of(character) > 0

    def defenders(self) -> list[Character]:
        foes = [c for c in self.rival(self.mover).everybody if not c.words & {"stealth", "immune"}]
        taunts = [foe for foe in foes if "taunt" in foe.words]
        return taunts or foes

    def attack(self, attacker: Character, defender: Character) -> None:
        attacker.attacks += 1
        attacker.words.discard("stealth")
        defender = self._propose(attacker, defender)
        self.bury()
        if self.is_over or not attacker.is_living or not defender.is_living:
            return
        self._fight(attacker, defender)
        player = self.owner(defender)
        if defender.is_hero and self.is_awake(player, "Bear Trap") and player.has_room:
            self.reveal(player, "Bear Trap")
            self.summon(player, "Ironfur Grizzly")
        self.bury()

    def _propose(self, attacker: Character, defender: Character) -> Character:
        """What waits for this attack acts, by age; who defends in the end."""
        mine, theirs = self.owner(attacker), self.owner(defender)
        waiting = [(secret.stamp, secret.name) for secret in theirs.secrets]
        if attacker.is_hero and mine.weapon and mine.weapon.name == "Truesilver Champion":
            waiting.append((mine.weapon.stamp, "Truesilver Champion"))
        attacked = defender
        for _, name in sorted(waiting):
            if name == "Truesilver Champion":
                self.heal(attacker, 2)
            else:
                defender = attack_secret(self, theirs, name, attacker, attacked) or defender
        return defender

    def _fight(self, attacker: Character, defender: Character) -> None:
        strength = self.attack_of(attacker)
        answer = 0 if defender.is_hero else self.attack_of(defender)
        blows = [(defender, strength, attacker), (attacker, answer, defender)]
        self.react([target for target, amount, source in blows if self._strike(target, amount, source)])
        weapon = self.owner(attacker).weapon
        if attacker.is_hero and weapon:
            weapon.durability -= 1

    # Playing cards (1.5)

    def targets(self, kind: str) -> list[Character]:
        """Whom the mover may choose."""
        own = self.mover.everybody
        foes = [c for c in self.rival(self.mover).everybody if not c.words & {"stealth", "immune"}]
        return {
            "": [],
            "any": own + foes,
            "minion": [c for c in own + foes if not c.is_hero],
            "friendly minion": own[1:],
            "hero": [c for c in own + foes if c.is_hero],
        }[kind]

    def can_play(self, held: Held) -> bool:
        player, card, name = self.mover, held.card, held.name
        if player.cost(held) > player.mana:
            return False
        if card.kind == "secret":
            return len(player.secrets) < SECRETS and not player.has_secret(name)
        if card.kind == "spell" and card.target and not self.targets(card.target):
            return False
        needs_room = card.kind == "minion" or name in ("Animal Companion", "Unleash the Hounds")
        needs_foe = name == "Unleash the Hounds"
        return (player.has_room or not needs_room) and (bool(self.rival(player).board) or not needs_foe)

    def play_card(self, held: Held, place: int | None, target: Character | None) -> None:
        player, card = self.mover, held.card
        player.pay(player.cost(held))
        player.hand.remove(held)
        if card.kind == "minion":
            self._play_minion(held.name, place, target)
            return
        if card.kind == "weapon":
            self.equip(player, held.name)
            if held.name in BATTLECRIES:
                BATTLECRIES[held.name](self, player, player.hero, None)
        elif card.kind == "secret":
            cast(self, player, card)
            self.hide(player, held.name)
        else:
            cast(self, player, card)
            SPELLS[held.name](self, player, target)
        self.bury()

    def _play_minion(self, name: str, place: int | None, target: Character | None) -> None:
        minion = self.enter(self.mover, name, len(self.mover.row) if place is None else place - 1)
        if name in BATTLECRIES:
            BATTLECRIES[name](self, self.mover, minion, target)
        self.bury()
        if not self.is_over:
            self.throw_knives(minion)
            self.bury()

    def can_use_power(self) -> bool:
        player = self.mover
        if player.has_used_power or player.mana < POWER_COST:
            return False
        if player.class_ == "shaman":
            return player.has_room and bool(missing_totems(player))
        return player.has_room or player.class_ != "paladin"

    def use_power(self, target: Character | None) -> None:
        pay = self.mover.pay_from_crystals if self.is_2016 else self.mover.pay
        pay(POWER_COST)
        self.mover.has_used_power = True
        POWER_EFFECTS[POWERS[self.mover.class_][0]](self, self.mover, target)
        self.bury()

    # Turns (1.2)

    def end_turn(self) -> None:
        for minion in self.with_text("Emperor Thaurissan", "Healing Totem"):
            if minion.owner == self.turn:
                self._end_of_turn(minion)
        self.bury()
        if self.is_over:
            return
        for character in self.mover.everybody:
            is_resting = character.is_sick and "charge" not in character.words
            if not character.attacks and not is_resting:
                character.words.discard("frozen")
        for character in self.everybody():
            character.bonus = 0
            character.words.discard("immune")
        self.mover.tax = 0
        self.mover.mana -= self.mover.extra
        self.mover.extra = 0
        self._start_turn(self.rival(self.mover))

    def _end_of_turn(self, minion: Character) -> None:
        if minion.text == "Emperor Thaurissan":
            for held in self.mover.hand:
                held.cheaper += 1
        else:
            for friend in self.mover.board:
                self.heal(friend, 1)

    def _start_turn(self, player: Player) -> None:
        self.turn = player.seat
        player.crystals = player.mana = min(MANA, player.crystals + 1)
        player.tax, player.next_tax, player.has_used_power = player.next_tax, 0, False
        for character in player.everybody:
            character.attacks, character.is_sick = 0, False
        self.is_starting = True
        self._start_triggers(player)
        self.bury()
        self.is_starting = False
        if not self.is_over:
            self.draw(player)
            self.bury()

    def _start_triggers(self, player: Player) -> None:
        waiting = [(minion.stamp, "Doomsayer") for minion in self.with_text("Doomsayer") if minion.owner == player.seat]
        waiting += [(secret.stamp, secret.name) for secret in player.secrets if secret.name == "Competitive Spirit"]
        for _, name in sorted(waiting):
            if name == "Doomsayer":
                for minion in self.minions():
                    minion.is_doomed = True
            elif player.board:  # the doomed are still there
                self.reveal(player, name)
                for minion in player.board:
                    self.buff(minion, 1, 1)

    # Moves as they are typed

    def legal(self) -> set[str]:
        """Every move of the seat to move."""
        if self.is_over:
            return set()
        moves = {"end"} | {move for at in range(len(self.mover.hand)) for move in self._plays(at)}
        for i, attacker in enumerate(self.mover.everybody):
            if self.can_attack(attacker):
                moves |= {f"attack {i} {self._name(defender)}" for defender in self.defenders()}
        if self.can_use_power():
            targets = self.targets(POWERS[self.mover.class_][1])
            moves |= {f"power {self._name(target)}" for target in targets} or {"power"}
        return moves

    def _plays(self, at: int) -> list[str]:
        held = self.mover.hand[at]
        if not self.can_play(held):
            return []
        places = len(self.mover.board) if held.card.kind == "minion" and self.has_free_places else 0
        where = ["", *(f" at {place + 1}" for place in range(places))]
        whom = [f" on {self._name(target)}" for target in self.targets(held.card.target)] or [""]
        return [f"play {at + 1}{place}{target}" for place in where for target in whom]

    def _name(self, character: Character) -> str:
        place = self.owner(character).everybody.index(character)
        return str(place) if character.owner == self.turn else f"e{place}"

    def _character(self, name: str) -> Character:
        player = self.rival(self.mover) if name.startswith("e") else self.mover
        return player.everybody[int(name.removeprefix("e"))]

    def play(self, move: str) -> None:
        """Play a move, which must be legal."""
        verb, *rest = move.split()
        if verb == "end":
            self.end_turn()
        elif verb == "attack":
            self.attack(self._character(rest[0]), self._character(rest[1]))
        elif verb == "power":
            self.use_power(self._character(rest[0]) if rest else None)
        else:
            given = dict(zip(rest[1::2], rest[2::2], strict=True))
            target = self._character(given["on"]) if "on" in given else None
            place = int(given["at"]) if "at" in given else None
            self.play_card(self.mover.hand[int(rest[0]) - 1], place, target)
