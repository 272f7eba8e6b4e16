"""The fast rules against the slow ones, move by move, from random positions: legal moves and everything on the table.

What chance decides the slow engine takes from what the fast one tells, if it was possible; all else it works out
itself, in what order things happen too. ``LUDENS_REFERENCE_SCENES=20000 pytest ...`` compares more scenes.
"""

from __future__ import annotations

import copy
import os
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest
from tests.games.hearthstone.hearthstone_duel import attack_of, hearthstone, name_of
from tests.games.hearthstone.hearthstone_random_scene import Ingredients, as_reference
from tests.reference.hearthstone_reference import Reference
from tests.reference.hearthstone_table import Character, Player

from ludens.core.event import Event
from ludens.core.game import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.position import Side, arrange, words_of

SCENES = int(os.environ.get("LUDENS_REFERENCE_SCENES", "400"))
MOVES = 10
OPTIONS = [("none", "rightmost"), ("none", "free"), ("fireplace2016", "rightmost")]
DAMAGE = {k.HIT: "hit", k.SHIELDED: "shielded", k.PREVENTED: "prevented"}
BODIES = {**DAMAGE, k.APPEARED: "appeared"}

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
        wanted = {
            "struck": lambda: body_of(self.next("damage")),
            "amount": lambda: self.next("damage").b or 1,
            "summoned": lambda: name_of(self.next("appeared").a % 1024),
            "buffed": lambda: body_of(self.next("buffed")),
            "given": lambda: body_of(self.next("given")),
            "secret": lambda: secret_of(self.next("hidden")),
        }[kind]()
        found = [each for each in candidates if (each.number if isinstance(each, Character) else each) == wanted]
        if not found:
            raise Impossible(f"{kind}: {wanted} is none of {candidates}")
        return found[0]

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
        return found
    found |= {"turn": int(s.turn), "legal": set(state.moves()), "age": our_ages(s)}
    for seat in range(2):
        q, hero = s.side[seat], s.body[seat]
        found[f"side {seat}"] = {
            "hero": (int(hero.health), int(q.armor), int(hero.now), words_of(int(hero.words))),
            "mana": (int(q.crystals), int(q.mana) if s.turn == seat else 0),
            "hand": [(name_of(q.hand[at]), int(q.cheaper[at])) for at in range(q.hand_size)],
            "board": [our_minion(s.body[e]) for e in q.board[: q.board_size]],
            "weapon": (name_of(q.weapon), int(q.weapon_attack), int(q.durability)) if q.weapon else None,
            "secrets": [name_of(card) for card in q.secrets[: q.secret_count]],
            "deck": [name_of(card) for card in q.deck[: q.deck_size][::-1]],
            "other": (int(q.fatigue), int(q.tax), int(q.next_tax), s.turn == seat and bool(q.powers_used)),
        }
    return found


def our_minion(body: Any) -> tuple[Any, ...]:
    words = int(body.words)
    state = (int(body.health), int(body.most), int(body.now))
    return (name_of(body.card), attack_of(body), *state, sorted(words_of(words)), bool(words & k.SICK))


def our_ages(s: Any) -> list[str]:
    """What is in play, the oldest first."""
    ages: list[tuple[int, str]] = []
    for seat, q in enumerate(s.side):
        ages += [(int(s.body[e].stamp), f"minion {seat} {at}") for at, e in enumerate(q.board[: q.board_size])]
        ages += [(int(stamp), f"secret {seat} {at}") for at, stamp in enumerate(q.secret_stamps[: q.secret_count])]
        ages += [(int(q.weapon_stamp), f"weapon {seat}")] if q.weapon else []
    return [name for _, name in sorted(ages)]


def theirs(game: Reference) -> dict[str, Any]:
    found: dict[str, Any] = {"over": game.is_over, "winner": None}
    if game.is_over:
        return {**found, "winner": k.NOBODY if game.winner is None else game.winner}
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
        after = copy.deepcopy(game)
        after.oracle = witness
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


def set_up(seed: int) -> tuple[State, Reference, list[Side]]:
    scene, (compat, positions) = Ingredients(seed), OPTIONS[seed % len(OPTIONS)]
    sides = scene.sides()
    state = arrange(hearthstone(compat=compat, positions=positions), sides, turn=scene.turn, seed=seed)
    reference = as_reference(sides, scene.turn, Witness([], []), (compat, positions))
    for player in reference.players:
        for minion, body in zip(player.board, state.raw.side[player.seat].board, strict=False):
            minion.number = int(body)
    return state, reference, sides


def play_both(seed: int) -> Counter[str]:
    """A scene of some moves in both engines: what was played."""
    state, game, sides = set_up(seed)
    dice, seen, moves = random.Random(seed), Counter[str](), list[str]()
    try:
        check(game, Witness([], []), state)
        while not state.over and len(moves) < MOVES:
            moves.append(choose_move(dice, sorted(state.moves())))
            seen[what(game, moves[-1])] += 1
            state.play(moves[-1])
            game = follow(game, moves[-1], state)
    except AssertionError as why:
        raise AssertionError(f"scene {seed} after {moves}: {why}\n{sides[0]}\n{sides[1]}") from why
    return seen


def choose_move(dice: random.Random, moves: list[str]) -> str:
    """Any move, but ends of turns only now and then, or nothing else would happen."""
    return "end" if len(moves) == 1 or dice.random() < 0.15 else dice.choice([move for move in moves if move != "end"])


def what(game: Reference, move: str) -> str:
    verb, *rest = move.split()
    return (
        game.mover.hand[int(rest[0]) - 1].name if verb == "play" else f"{verb} {game.mover.class_ * (verb == 'power')}"
    )


@pytest.mark.parametrize("part", range(4))
def test_both_engines_play_the_same_game(part: int) -> None:
    seen = Counter[str]()
    for seed in range(part, SCENES, 4):
        seen += play_both(seed)
    assert seen.total() > SCENES / 4
