"""The fast rules against the slow ones, move by move, from random positions: legal moves and everything on the table.

What chance decides the slow engine takes from what the fast one tells, if it was possible; all else it works out
itself, in what order things happen too. ``make soak`` compares many more scenes.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest
from tests.games.hearthstone.hearthstone_duel import attack_of, hearthstone, name_of
from tests.games.hearthstone.hearthstone_random_scene import LEFT_OUT, PLAYABLE, Ingredients, as_reference, sides_of
from tests.reference.hearthstone_reference import Reference
from tests.reference.hearthstone_table import Character, Player
from tests.soak import Figures, amount, soak

import ludens
from ludens.core.event import Event
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.position import Side, arrange, keywords_of

SCENES = amount(450, 20_000)
MOVES = 12
DECKS = ["face", "secret", "malygos", "liege"]
OPTIONS = [("none", "rightmost"), ("none", "free"), ("fireplace2016", "rightmost")]
DAMAGE = {k.HIT: "hit", k.SHIELDED: "shielded", k.PREVENTED: "prevented"}
BODIES = {**DAMAGE, k.APPEARED: "appeared", k.DIED: "died"}

T = TypeVar("T")


class Impossible(AssertionError):
    """The engine decided by chance what chance could not decide."""


class Witness:
    """Tells the slow engine what chance decided in a move of the fast one, and keeps what the slow one tells."""

    def __init__(self, events: Sequence[Event], picks: Sequence[int]) -> None:
        self.damage = [event for event in events if event.kind in DAMAGE]
        self.appeared = [event for event in events if event.kind == k.APPEARED]
        self.buffed = [event for event in events if event.kind == k.BUFFED]
        self.given = [event for event in events if event.kind == k.GOT]
        self.hidden = [event for event in events if secret_of(event)]
        self.picks, self.choices = list(picks), list[int]()
        self.heard: list[tuple[str, int]] = []
        self.count = Counter[str]()

    def choose(self, kind: str, candidates: Sequence[T]) -> T:
        if kind == "copy":  # nobody is told which of two equal cards was taken: all are tried
            self.choices.append(len(candidates))
            return candidates[self.picks[len(self.choices) - 1] if len(self.choices) <= len(self.picks) else 0]
        wanted = self.decided(kind)
        found = [each for each in candidates if (each.number if isinstance(each, Character) else each) == wanted]
        if not found:
            raise Impossible(f"{kind}: {wanted} is none of {candidates}")
        return found[0]

    def decided(self, kind: str) -> int | str:
        """What came next in the fast engine: a body's number, an amount of damage or a card's name."""
        if kind == "amount":
            return self.next("damage").b or 1  # what a shield takes has no size
        if kind == "summoned":
            return name_of(self.next("appeared").a % 1024)
        if kind == "secret":
            return secret_of(self.next("hidden"))
        return body_of(self.next("damage" if kind == "struck" else kind))

    def next(self, kind: str) -> Event:
        """The first event of a kind that the slow engine has not come to yet."""
        events: list[Event] = getattr(self, kind)
        if self.count[kind] >= len(events):
            raise Impossible(f"no {kind} is told any more")
        return events[self.count[kind]]

    def hear(self, kind: str, about: Character | str) -> None:
        if kind == "appeared" and isinstance(about, Character):
            about.number = body_of(self.next("appeared"))
        self.count["damage" if kind in DAMAGE.values() else kind] += 1
        if kind in BODIES.values() and isinstance(about, Character):
            self.heard.append((kind, about.number))


def body_of(event: Event) -> int:
    return event.a // 2048 % 32


def secret_of(event: Event) -> str:
    """The secret that came into play, or nothing if a Mad Scientist found none; "" if that is not what happened."""
    if event.kind == k.HID and event.b:
        return name_of(event.b)
    return "nothing" if event.kind == k.FIZZLED and name_of(event.a % 1024) == "Mad Scientist" else ""


# The two positions, told alike


def ours(state: State) -> dict[str, Any]:
    s = state.raw
    found: dict[str, Any] = {"over": state.over, "winner": int(s.winner) if state.over else None}
    if state.over:
        return {**found, "health": [(int(s.body[seat].health), int(s.side[seat].armor)) for seat in range(2)]}
    found |= {"turn": int(s.turn), "legal": set(state.moves()), "age": our_ages(s)}
    for seat in range(2):
        q, hero = s.side[seat], s.body[seat]
        found[f"side {seat}"] = {
            "hero": (int(hero.health), int(q.armor), int(hero.attack_this_turn), keywords_of(int(hero.keywords))),
            "mana": (int(q.crystals), int(q.mana) if s.turn == seat else 0),
            "hand": [(name_of(q.hand[at]), int(q.discounts[at])) for at in range(q.hand_size)],
            "board": [our_minion(s.body[e]) for e in q.board[: q.board_size]],
            "weapon": (name_of(q.weapon), int(q.weapon_attack), int(q.durability)) if q.weapon else None,
            "secrets": [name_of(card) for card in q.secrets[: q.secret_count]],
            "deck": [name_of(card) for card in q.deck[: q.deck_size][::-1]],
            "other": (int(q.fatigue), int(q.tax), int(q.next_tax), s.turn == seat and bool(q.powers_used)),
        }
    return found


def our_minion(body: Any) -> tuple[Any, ...]:
    words = int(body.keywords)
    state = (int(body.health), int(body.max_health), int(body.attack_this_turn))
    return (name_of(body.card), attack_of(body), *state, sorted(keywords_of(words)), bool(words & k.SICK))


def our_ages(s: Any) -> list[str]:
    """What is in play, the oldest first."""
    ages: list[tuple[int, str]] = []
    for seat, q in enumerate(s.side):
        ages += [(int(s.body[e].play_order), f"minion {seat} {at}") for at, e in enumerate(q.board[: q.board_size])]
        ages += [(int(stamp), f"secret {seat} {at}") for at, stamp in enumerate(q.secret_play_order[: q.secret_count])]
        ages += [(int(q.weapon_play_order), f"weapon {seat}")] if q.weapon else []
    return [name for _, name in sorted(ages)]


def theirs(game: Reference) -> dict[str, Any]:
    found: dict[str, Any] = {"over": game.is_over, "winner": None}
    if game.is_over:
        found["winner"] = k.NOBODY if game.winner is None else game.winner
        return {**found, "health": [(player.hero.health, player.armor) for player in game.players]}
    found |= {"turn": game.turn, "legal": game.legal(), "age": their_ages(game)}
    for player in game.players:
        hero, weapon, is_mover = player.hero, player.weapon, player.seat == game.turn
        found[f"side {player.seat}"] = {
            "hero": (hero.health, player.armor, hero.bonus, sorted(hero.words)),
            "mana": (player.crystals, player.mana if is_mover else 0),
            "hand": [(held.name, held.cheaper) for held in player.hand],
            "board": [their_minion(game, minion) for minion in player.board],
            "weapon": (weapon.name, weapon.attack, weapon.durability) if weapon else None,
            "secrets": [secret.name for secret in player.secrets],
            "deck": player.deck,
            "other": (player.fatigue, player.tax, player.next_tax, is_mover and player.has_used_power),
        }
    return found


def their_minion(game: Reference, minion: Character) -> tuple[Any, ...]:
    state = (minion.health, minion.most, minion.bonus)
    return (minion.name, game.attack_of(minion), *state, sorted(minion.words), minion.is_sick)


def their_ages(game: Reference) -> list[str]:
    def ages_of(player: Player) -> list[tuple[int, str]]:
        ages = [(minion.stamp, f"minion {player.seat} {at}") for at, minion in enumerate(player.board)]
        ages += [(secret.stamp, f"secret {player.seat} {at}") for at, secret in enumerate(player.secrets)]
        return ages + ([(player.weapon.stamp, f"weapon {player.seat}")] if player.weapon else [])

    return [name for _, name in sorted(pair for player in game.players for pair in ages_of(player))]


# Playing the same game in both


def follow(game: Reference, move: str, state: State) -> Reference:
    """The slow engine after a move that the fast one has made."""
    picks: list[int] = []
    while True:
        witness = Witness(state.history[-1], picks)
        after = game.copy(witness)
        after.play(move)
        if agree(after, witness, state) or not (picks := more_picks(picks, witness.choices)):
            check(after, witness, state)
            return after


def agree(game: Reference, witness: Witness, state: State) -> bool:
    return not witness.choices or theirs(game) == ours(state)


def more_picks(picks: list[int], choices: list[int]) -> list[int]:
    """The next way to pick among equal cards; none when all were tried."""
    tried = picks + [0] * (len(choices) - len(picks))
    while tried and tried[-1] + 1 == choices[len(tried) - 1]:
        tried.pop()
    return [*tried[:-1], tried[-1] + 1] if tried else []


def check(game: Reference, witness: Witness, state: State) -> None:
    """Everything on the table and the order of what was told are the same, or the first difference is said."""
    difference("", ours(state), theirs(game))
    told = [(BODIES[event.kind], body_of(event)) for event in state.history[-1] if event.kind in BODIES]
    difference("told", told, witness.heard)


def difference(key: str, mine: Any, other: Any) -> None:
    if isinstance(mine, dict):
        for part in mine:
            difference(f"{key} {part}".strip(), mine[part], other[part])
    elif isinstance(mine, set):
        assert mine == other, f"{key}: only ours {sorted(mine - other)}, only theirs {sorted(other - mine)}"
    else:
        assert mine == other, f"{key}: ours {mine}, theirs {other}"


class Match:
    """A game that both engines play, and what was played in it."""

    def __init__(self, state: State, sides: list[Side], options: tuple[str, str], seed: int) -> None:
        self.state, self.sides, self.seed, self.dice = state, sides, seed, random.Random(seed)
        self.game = as_reference(sides, int(state.raw.turn), Witness([], []), options)
        self.moves, self.seen = list[str](), Counter[str]()
        for player in self.game.players:
            for minion, body in zip(player.board, state.raw.side[player.seat].board, strict=False):
                minion.number = int(body)

    def play(self, most: int) -> None:
        """At most so many random moves in both; differences are said with all that leads to them."""
        try:
            difference("", ours(self.state), theirs(self.game))
            while not self.state.over and len(self.moves) < most and not self.is_beyond():
                self.play_one(choose_move(self.dice, sorted(self.state.moves())))
        except AssertionError as why:
            told = "\n".join(str(side) for side in self.sides)
            raise AssertionError(f"scene {self.seed} after {self.moves}: {why}\n{told}") from why

    def play_one(self, move: str) -> None:
        self.moves.append(move)
        self.seen[self.what(move)] += 1
        self.state.play(move)
        if not self.is_beyond():
            self.game = follow(self.game, move, self.state)

    def what(self, move: str) -> str:
        verb, *rest = move.split()
        hand = self.game.mover.hand
        return hand[int(rest[0]) - 1].name if verb == "play" else f"{verb} {self.game.mover.class_}"

    def is_beyond(self) -> bool:
        """Whether a Piloted Shredder just died, of which the slow engine does not know whom it leaves behind."""
        deaths = [event.a % 1024 for event in self.state.history[-1] if event.kind == k.DIED]
        return any(name_of(card) in LEFT_OUT for card in deaths)


def choose_move(dice: random.Random, moves: list[str]) -> str:
    """Any move, but ends of turns only now and then, or nothing else would happen."""
    return "end" if len(moves) == 1 or dice.random() < 0.15 else dice.choice([move for move in moves if move != "end"])


def play_scene(seed: int) -> Counter[str]:
    """Some moves from a position of random ingredients."""
    scene, (compat, positions) = Ingredients(seed), OPTIONS[seed % len(OPTIONS)]
    sides = scene.sides()
    state = arrange(hearthstone(compat=compat, positions=positions), sides, turn=scene.turn, seed=seed)
    match = Match(state, sides, (compat, positions), seed)
    match.play(MOVES)
    return match.seen


def play_game(seed: int) -> Counter[str]:
    """A whole game with two of the decks, from its first turn on."""
    dice, (compat, positions) = random.Random(seed), OPTIONS[seed % len(OPTIONS)]
    decks = {"deck1": dice.choice(DECKS), "deck2": dice.choice(DECKS)}
    state = ludens.game("hearthstone", **decks, compat=compat, positions=positions).start(seed)
    while state.raw.phase != k.ACTING:
        state.play(dice.choice(state.legal))
    match = Match(state, sides_of(state), (compat, positions), seed)
    match.play(10_000)
    return match.seen


@soak
@pytest.mark.parametrize("options", range(len(OPTIONS)), ids=[" ".join(each) for each in OPTIONS])
def test_both_engines_play_scenes_alike(options: int, figures: Figures) -> None:
    seen = sum((play_scene(seed) for seed in range(options, SCENES, len(OPTIONS))), Counter[str]())
    missing = set(PLAYABLE) - set(seen)
    assert len(missing) < 5, missing
    figures(scenes=len(range(options, SCENES, len(OPTIONS))), differences=0)


@soak
def test_both_engines_play_whole_games_alike(figures: Figures) -> None:
    games = SCENES // 40
    for seed in range(games):
        play_game(seed)
    figures(games=games, differences=0)
