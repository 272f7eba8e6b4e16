"""Dicewars as its specification tells it: a slow engine and slow bots, written only to check the fast ones.

Independent of `ludens`: not a line of code is shared. Areas are numbers, land is a dictionary of owners, a move is a
tuple of words. Chance is never drawn here: whoever plays says how a battle ended and where the new dice went, and the
engine says whether that was possible. Section numbers refer to the specification.

Where bots speak of eight dice, this means a full area, whatever the limit is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

Move = tuple[str, int, int]  # "attack" or "move", from, to
END: Move = ("end", 0, 0)


@dataclass(frozen=True)
class Rules:
    """Section 2, as far as play depends on it."""

    players: int
    max_dice: int
    production_cap: int
    reserve_cap: int
    complement: bool
    wear: int
    max_transfers: int
    max_pass_rounds: int
    max_battles: int
    max_turns: int


# Section 6


def ways(dice: int, total: int) -> int:
    """In how many ways so many dice show a sum, by inclusion and exclusion of dice above six."""
    left = [(k, total - 6 * k - 1) for k in range(dice + 1)]
    return sum((-1) ** k * math.comb(dice, k) * math.comb(rest, dice - 1) for k, rest in left if rest >= 0)


@cache
def exact_odds(attack: int, defence: int) -> Fraction:
    """P(a, d): that the sum of the attacker's dice is strictly above the defender's."""
    won = sum(
        ways(attack, mine) * ways(defence, theirs)
        for mine in range(attack, 6 * attack + 1)
        for theirs in range(defence, min(mine, 6 * defence + 1))
    )
    return Fraction(won, 6 ** (attack + defence))


@cache
def odds(attack: int, defence: int) -> float:
    return float(exact_odds(attack, defence))


# Section 4


@dataclass
class Reference:
    """A game: who owns what, and what has happened so far."""

    rules: Rules
    near: Mapping[int, list[int]]  # neighbours in ascending order
    owner: dict[int, int]
    dice: dict[int, int]
    turn: int = 0
    transfers: int = 0
    attacks: int = 0
    passes: int = 0
    battles: int = 0
    turns: int = 0
    ending: str = ""  # "won", or why nobody did
    winner: int = -1
    reserve: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reserve = dict.fromkeys(range(self.rules.players), 0)

    # questions

    def lands(self, player: int) -> list[int]:
        return [area for area in sorted(self.owner) if self.owner[area] == player]

    def living(self) -> set[int]:
        return set(self.owner.values())

    def enemies(self, area: int, player: int) -> list[int]:
        """Neighbours of an area that somebody else owns."""
        return [other for other in self.near[area] if self.owner[other] != player]

    def friends(self, area: int, player: int) -> list[int]:
        return [other for other in self.near[area] if self.owner[other] == player]

    def regions(self, player: int) -> list[set[int]]:
        """The connected parts of a player's land, in the order of their lowest areas."""
        found: list[set[int]] = []
        for area in self.lands(player):
            if not any(area in part for part in found):
                found.append(self._flood(area, player))
        return found

    def _flood(self, start: int, player: int) -> set[int]:
        part, waiting = {start}, [start]
        while waiting:
            for other in self.friends(waiting.pop(), player):
                if other not in part:
                    part.add(other)
                    waiting.append(other)
        return part

    def largest(self, player: int) -> set[int]:
        """The first found largest region."""
        return max(self.regions(player), key=len, default=set())

    def legal(self) -> set[Move]:
        if self.ending:
            return set()
        moves = {END, *possible_attacks(self)}
        if self.transfers < self.rules.max_transfers:
            for source in self.lands(self.turn):
                moves |= {("move", source, target) for target in self.friends(source, self.turn)}
        return moves

    # moves

    def attack(self, source: int, target: int, is_won: bool) -> None:
        """Section 4.2, with a given outcome."""
        strength, loser = self.dice[source], self.owner[target]
        self.dice[source] = 1
        if is_won:
            self.owner[target], self.dice[target] = self.turn, strength - 1
        else:
            wear = strength // self.rules.wear if self.rules.wear else 0
            self.dice[target] = max(1, self.dice[target] - wear)
        if loser not in self.living():
            self.reserve[loser] = 0
        self.attacks, self.battles, self.passes = self.attacks + 1, self.battles + 1, 0
        if self.living() == {self.turn}:
            self.ending, self.winner = "won", self.turn
        elif self.battles == self.rules.max_battles:
            self.ending = "battles"

    def transfer(self, source: int, target: int) -> None:
        """Section 4.3."""
        amount = min(self.rules.max_dice - self.dice[target], self.dice[source] - 1)
        self.dice[source] -= amount
        self.dice[target] += amount
        self.transfers, self.passes = self.transfers + 1, 0

    def end(self, added: Mapping[int, int]) -> None:
        """Sections 4.4 and 4.6, with given places of the new dice, which must be possible ones."""
        mine = self.lands(self.turn)
        free = min(self.rules.production_cap, self.reserve[self.turn] + len(self.largest(self.turn)))
        room = self.rules.max_dice * len(mine) - sum(self.dice[area] for area in mine)
        placed = min(free, room)
        assert sum(added.values()) == placed
        assert set(added) <= set(mine)
        for area, number in added.items():
            self.dice[area] += number
            assert self.dice[area] <= self.rules.max_dice
        cap = self.rules.reserve_cap - (len(mine) if self.rules.complement else 0)
        self.reserve[self.turn] = min(free - placed, max(0, cap))
        self._pass_on()

    def _pass_on(self) -> None:
        self.passes, self.turns = self.passes + 1, self.turns + 1
        self.transfers = self.attacks = 0
        if self.passes // len(self.living()) == self.rules.max_pass_rounds:
            self.ending = "passes"
        elif self.turns == self.rules.max_turns:
            self.ending = "turns"
        order = [(self.turn + step) % self.rules.players for step in range(1, self.rules.players + 1)]
        self.turn = next(player for player in order if player in self.living())


def possible_attacks(b: Reference) -> list[Move]:
    """In board order, then in the order of the neighbours (section 6)."""
    sources = [area for area in b.lands(b.turn) if b.dice[area] >= 2]
    return [("attack", source, target) for source in sources for target in b.enemies(source, b.turn)]


# What bots reckon with (sections 6 and 7.2)


def success(b: Reference, attack: Move) -> float:
    return odds(b.dice[attack[1]], b.dice[attack[2]])


def hold(b: Reference, area: int, dice: int) -> float:
    """Hold(area, k, player) for the player whose turn it is."""
    product = 1.0
    for other in b.enemies(area, b.turn):
        if b.dice[other] >= 2:
            product *= 1 - odds(b.dice[other], dice)
    return product


def is_full(b: Reference, attack: Move) -> bool:
    return b.dice[attack[1]] == b.rules.max_dice


def difference(b: Reference, attack: Move) -> int:
    return b.dice[attack[1]] - b.dice[attack[2]]


def border(b: Reference) -> list[int]:
    return [area for area in b.lands(b.turn) if b.enemies(area, b.turn)]


def to_border(b: Reference) -> Move | None:
    edge = border(b)
    for source in b.lands(b.turn):
        if source in edge or b.dice[source] < 2:
            continue
        for target in b.near[source]:
            if target in edge and b.dice[target] < b.rules.max_dice:
                return ("move", source, target)
    return None


def from_endangered(b: Reference) -> Move | None:
    gains: dict[Move, float] = {}
    for source in border(b):
        for target in b.friends(source, b.turn):
            if b.dice[source] >= 2:
                gains["move", source, target] = _gain(b, source, target)
    best = max(gains, key=lambda move: gains[move], default=None)
    return best if best and gains[best] > 0 else None


def _gain(b: Reference, source: int, target: int) -> float:
    here, there = b.dice[source], b.dice[target]
    amount = min(b.rules.max_dice - there, here - 1)

    def loss(here: int, there: int) -> float:
        return (1 - hold(b, source, here)) * here + (1 - hold(b, target, there)) * there

    return loss(here, there) - loss(here - amount, there + amount)


# Section 7


@dataclass
class Memory:
    """What a bot remembers from one question to the next."""

    last_turn: int = -1
    turns: int = 0
    is_evacuating: bool = False

    def note(self, turn: int) -> None:
        if turn != self.last_turn:
            self.last_turn, self.turns, self.is_evacuating = turn, self.turns + 1, False


RESERVED = {"stei-at": 0.0, "stei-adt": 1 / 3, "stei-dt": 1.0}  # share of the transfers kept for evacuation


def answers(bot: str, b: Reference, memory: Memory) -> set[Move]:
    """The moves a bot may make here: one, unless it throws dice."""
    memory.note(b.turns)
    if bot == "rand" or (bot == "xlogin42" and memory.turns <= 3):
        return set(possible_attacks(b)) or {END}
    if bot == "xlogin00":
        return set(possible_attacks(b) if b.attacks < 2 else []) or {END}
    if bot.startswith("wpm"):
        return wpm(bot, b)
    return {decision(bot, b, memory) or END}


def decision(bot: str, b: Reference, memory: Memory) -> Move | None:
    can_transfer = b.transfers < b.rules.max_transfers
    if bot == "xlogin42":
        return _xlogin42(b)
    if bot == "ste":
        return _ste(b)
    if bot == "stei":
        return _stei(b)
    if bot == "sdc-pre-at":
        return (to_border(b) if can_transfer else None) or _sdc(b)
    if bot == "sdc-post-dt":
        return _sdc(b) or (from_endangered(b) if can_transfer else None)
    if bot in ("sdc", "sdc-post-at"):
        return _sdc(b)
    return _stei_with_transfers(bot, b, memory)


def _xlogin42(b: Reference) -> Move | None:
    core = b.largest(b.turn)
    attacks = [attack for attack in possible_attacks(b) if attack[1] in core]
    best = max(attacks, key=lambda attack: difference(b, attack), default=None)
    return best if best and (difference(b, best) > 0 or is_full(b, best)) else None


def _sdc(b: Reference) -> Move | None:
    best = max(possible_attacks(b), key=lambda attack: difference(b, attack), default=None)
    return best if best and difference(b, best) >= 0 else None


def _held(b: Reference, attack: Move) -> float:
    """h: that an attack succeeds and its target is held for a round."""
    return success(b, attack) * hold(b, attack[2], b.dice[attack[1]] - 1)


def _ste(b: Reference) -> Move | None:
    worth = {attack: _held(b, attack) for attack in possible_attacks(b)}
    candidates = [attack for attack in worth if worth[attack] >= 0.2 or is_full(b, attack)]
    return max(candidates, key=lambda attack: worth[attack], default=None)


def _stei(b: Reference) -> Move | None:
    least, weight = (0.2, 3.0) if b.rules.players == 2 else (0.4, 2.0)
    core = b.largest(b.turn)
    worth = {attack: _held(b, attack) for attack in possible_attacks(b)}
    candidates = [attack for attack in worth if worth[attack] >= least or is_full(b, attack)]
    return max(candidates, key=lambda attack: worth[attack] * (weight if attack[1] in core else 1.0), default=None)


def _stei_with_transfers(bot: str, b: Reference, memory: Memory) -> Move | None:
    limit = b.rules.max_transfers
    kept = int(limit * RESERVED[bot] + 1e-9)
    move = to_border(b) if b.transfers + kept < limit else None
    if move is None and not memory.is_evacuating:
        move = _stei(b)
        memory.is_evacuating = move is None
    if move is None and b.transfers < limit:
        move = from_endangered(b)
    return move


# The players that maximise their chance to win (7.1)

Standing = dict[int, tuple[int, int]]  # of each player: its largest region, its dice
WEIGHTS: dict[str, dict[int, list[tuple[float, float]]]] = {  # of region and dice, self first
    "wpm-d": {2: [(0, 3.066), (0, -3.066)], 4: [(0, 0.913), (0, -0.559), (0, -0.518), (0, -0.572)]},
    "wpm-s": {2: [(0.519, 0), (-0.417, 0)], 4: [(0.265, 0), (-0.207, 0), (-0.193, 0), (-0.202, 0)]},
    "wpm-c": {
        2: [(1.302, 2.256), (-1.302, -2.256)],
        4: [(1.043, 0.254), (-0.648, -0.153), (-0.642, -0.114), (-0.591, -0.199)],
    },
}
CLOSE = 1e-9  # scores this near may be either way round


def log_chance(bot: str, b: Reference, standing: Standing) -> float:
    """ln q: of the win of the player whose turn it is."""
    total = 0.0
    for place, weights in enumerate(WEIGHTS[bot][b.rules.players]):
        region, dice = map(float, standing[(b.turn + place) % b.rules.players])
        if bot == "wpm-d":
            region, dice = 0, (math.log(dice) if dice else 0)
        elif bot == "wpm-c":
            region, dice = math.log(region + 1), math.log(dice + 1)
        total += weights[0] * region + weights[1] * dice
    return -math.log1p(math.exp(-total))


def standing_of(b: Reference) -> Standing:
    """The peer quirk: whoever is asked for, the region is that of the player whose turn it is."""
    mine = len(b.largest(b.turn))
    return {player: (mine, sum(b.dice[area] for area in b.lands(player))) for player in range(b.rules.players)}


def _conquered(b: Reference, attack: Move) -> Reference:
    """The board with one area more for the mover, its dice left where they were."""
    return Reference(b.rules, b.near, {**b.owner, attack[2]: b.turn}, b.dice, turn=b.turn)


def wpm(bot: str, b: Reference) -> set[Move]:
    if bot == "wpm-s":
        return _wpm_s(b)
    now, income = standing_of(b), len(b.largest(b.turn))
    region, mine = now[b.turn]
    base = log_chance(bot, b, now)
    scores = {attack: _expected(bot, b, now, attack) - base for attack in possible_attacks(b)}
    at_end = log_chance(bot, b, {**now, b.turn: (region, mine + income)}) - base
    if max(scores.values(), default=-math.inf) > at_end:
        return _playable(b, scores, scores)
    return _best(scores, [attack for attack in scores if is_full(b, attack)]) or {END}


def _expected(bot: str, b: Reference, now: Standing, attack: Move) -> float:
    region, mine = now[b.turn]
    mine += region  # the income
    victim, strength, chance = b.owner[attack[2]], b.dice[attack[1]], success(b, attack)
    larger = len(_conquered(b, attack).largest(b.turn))
    won = {player: (larger, dice) for player, (_, dice) in now.items()}
    won[b.turn] = (larger, mine)
    won[victim] = (larger, now[victim][1] - b.dice[attack[2]])
    lost = {**now, b.turn: (region, mine - strength + 1)}
    q_won, q_lost = (math.exp(log_chance(bot, b, standing)) for standing in (won, lost))
    return math.log(chance * q_won + (1 - chance) * q_lost)


def _wpm_s(b: Reference) -> set[Move]:
    parts = b.regions(b.turn)
    most = max(map(len, parts))
    core = set().union(*(part for part in parts if len(part) == most))
    base = log_chance("wpm-s", b, standing_of(b))
    scores = {}
    for attack in possible_attacks(b):
        if attack[1] in core or core.intersection(b.near[attack[2]]) or is_full(b, attack):
            then = log_chance("wpm-s", b, standing_of(_conquered(b, attack)))
            scores[attack] = math.log(success(b, attack)) + then - base
    return _playable(b, scores, [attack for attack in scores if scores[attack] >= -1])


def _best(scores: Mapping[Move, float], among: Iterable[Move]) -> set[Move]:
    """The attacks with the best score, or as good as that."""
    among = list(among)
    most = max((scores[attack] for attack in among), default=0)
    return {attack for attack in among if scores[attack] >= most - CLOSE}


def _playable(b: Reference, scores: Mapping[Move, float], among: Iterable[Move]) -> set[Move]:
    """The best attacks if they are good enough or made from a full area, else the end of the turn."""
    return {attack if scores[attack] >= -0.05 or is_full(b, attack) else END for attack in _best(scores, among)} or {
        END
    }
