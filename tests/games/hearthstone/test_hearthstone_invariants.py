"""What must hold in every position of every game: a compiled loop plays random games and looks after each move."""

from __future__ import annotations

import itertools
import random
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.hearthstone.hearthstone_duel import hearthstone
from tests.soak import Figures, amount, soak

from ludens.core import ops
from ludens.core.game import Game
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.lanes import Fields, placed
from ludens.core.rng import below
from ludens.core.state import State
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of, is_living, refresh_auras
from ludens.games.hearthstone.card import all_cards, is_fit
from ludens.games.hearthstone.deck import SHIPPED
from ludens.games.hearthstone.position import Minion, Secret, Side, Weapon, arrange, as_data, read_position
from ludens.games.hearthstone.rules import cost_of

GAMES = amount(1000, 100_000)
LAWS = ["fine", "no effect is lost", "nothing waits", "boards", "the living live", "mana", "health", "cards", "secrets"]
LAWS += ["hands", "weapons", "order", "auras", "legal moves", "returns", "the game ends"]


@large_kernel
def broken_law(g: Any, s: Any, copies: Any, spare: Any) -> int:
    """The number of the first law the position breaks, 0: none."""
    if s.stack_overflowed:
        return 1
    if s.frames or s.stage or (s.has_dead and s.phase != k.ENDED):
        return 2
    in_play, last_stamp = int64(0), int64(0)
    for e in range(k.BODIES):
        body = s.body[e]
        if body.zone == k.IN_PLAY:
            in_play += 1
            last_stamp = max(last_stamp, int64(body.play_order))
            if e >= 2 and not is_living(s, e):
                return 4
            if body.health > body.max_health or body.keywords & k.DOOMED or attack_of(s, e) < 0:
                return 6
        elif body.zone != k.FREE or body.card or body.play_order or body.health:
            return 3
    if in_play != 2 + int64(s.side[0].board_size) + int64(s.side[1].board_size) or last_stamp >= s.next_play_order:
        return 3
    for p in range(2):
        law = _of_side(g, s, p, copies)
        if law:
            return law
    return _of_auras(g, s, spare)


@large_kernel
def _of_side(g: Any, s: Any, p: int, copies: Any) -> int:
    q, hero = s.side[p], s.body[p]
    if q.board_size > k.BOARD or q.secret_count > k.SECRETS:
        return 3
    if q.mana > k.MANA or q.crystals > k.MANA:
        return 5
    if hero.health > k.HERO_HEALTH or q.armor < 0 or (hero.health <= 0) != (s.phase == k.ENDED and s.winner != p):
        return 6
    for i in range(int64(q.board_size)):
        body = s.body[q.board[i]]
        if body.owner != p or body.zone != k.IN_PLAY:
            return 3
    for i in range(int64(q.secret_count)):
        for j in range(i):
            if q.secrets[i] == q.secrets[j] or q.secret_play_order[j] >= q.secret_play_order[i]:
                return 8
    if q.hand_size > k.HAND or (q.weapon == 0) != (q.durability <= 0):
        return 9 if q.hand_size > k.HAND else 10
    return 0 if _are_conserved(g, s, p, copies) else 7


@kernel
def _are_conserved(g: Any, s: Any, p: int, copies: Any) -> bool:
    """Whether hand, deck and secrets are just the cards of the list that nobody has seen, and what is past is empty."""
    q = s.side[p]
    copies[:] = 0
    for i in range(k.DECK):
        if not int64(q.seen) >> i & 1:
            copies[s.lists[p, i]] += 1
        copies[q.deck[i]] -= 1
        if (q.deck[i] == 0) != (i >= int64(q.deck_size)):
            return False
    for i in range(k.HAND):
        if not g.c.cards[q.hand[i]].is_token:
            copies[q.hand[i]] -= 1
        if (q.hand[i] == 0) != (i >= int64(q.hand_size)):
            return False
    for i in range(k.SECRETS):
        copies[q.secrets[i]] -= 1
    copies[0] = 0
    return not copies.any()


@kernel
def _of_auras(g: Any, s: Any, spare: Any) -> int:
    """What presence changes must be worked out already: doing it again changes nothing."""
    twin = spare[0]
    for e in range(k.BODIES):
        twin.body[e] = s.body[e]
    twin.side[0] = s.side[0]
    twin.side[1] = s.side[1]
    twin.listened_triggers = s.listened_triggers
    refresh_auras(g, twin)
    for e in range(k.BODIES):
        if s.body[e].zone == k.IN_PLAY and twin.body[e].aura != s.body[e].aura:
            return 12
    return 0


@kernel
def _of_moves(g: Any, s: Any, legal: Any, n: int) -> int:
    """Moves ascend, and nobody plays what it cannot pay."""
    for i in range(1, n):
        if legal[i] <= legal[i - 1]:
            return 13
    for i in range(n):
        if k.FIRST_PLAY <= legal[i] < k.FIRST_ATTACK:
            at = (int64(legal[i]) - k.FIRST_PLAY) // (k.PLACES * k.TARGETS)
            if cost_of(g, s, int64(s.turn), at) > s.side[s.turn].mana:
                return 13
    return 0


@kernel
def watch(table: Any, states: Any, legal: Any, copies: Any, spare: Any, out: Any, is_played: bool) -> None:
    """Play every game at random; ``out[i]`` is the law it broke, or 0, and how many turns it took.

    Not ``is_played``: only the law that each position breaks as it stands.
    """
    g = ops.open_constants(table)
    returns = np.zeros(2)
    for i in range(len(states)):
        s = states[i]
        if not is_played:
            out[i, 0] = broken_law(g, s, copies, spare)
            continue
        ops.start(g, s, None)
        law = int64(0)
        while law == 0 and ops.to_move(g, s) != ops.OVER:
            n = ops.legal(g, s, legal)
            law = _of_moves(g, s, legal, n) if s.phase == k.ACTING else 0
            chosen = legal[below(s, n)]
            if chosen == k.END and n > 1:  # turns of more moves see more
                chosen = legal[below(s, n)]
            ops.apply(g, s, chosen, None)
            law = law if law else broken_law(g, s, copies, spare)
        ops.returns(g, s, returns)
        if law == 0 and returns[0] + returns[1] != 0.0:
            law = 14
        if law == 0 and s.turns >= k.TURNS:
            law = 15
        out[i, 0] = law
        out[i, 1] = s.turns


def look_at(game: Game, states: np.ndarray, *, is_played: bool) -> np.ndarray:
    """For each game the law it breaks and its turns."""
    out = np.zeros((len(states), 2), np.int64)
    watch(
        game.rules.constants,
        states,
        game.rules.buffer(),
        np.zeros(k.CARDS, np.int64),
        np.zeros(1, game.rules.State),
        out,
        is_played,
    )
    return out


def watched(game: Game, seeds: range, fields: Fields = MappingProxyType({})) -> list[str]:
    """The laws that games from these seeds break."""
    states = placed(game, np.array(seeds, np.uint64), fields)
    out = look_at(game, states, is_played=True)
    assert (out[:, 1] > 0).all()
    return [f"seed {seed}: {LAWS[law]}" for seed, law in zip(seeds, out[:, 0].tolist(), strict=True) if law]


PAIRS = list(itertools.combinations_with_replacement(SHIPPED, 2))
VARIANTS: list[dict[str, str]] = [{}, {"compat": "fireplace2016"}, {"positions": "free"}]
TABLES = [{"deck1": one, "deck2": two, **VARIANTS[i % 3]} for i, (one, two) in enumerate(PAIRS)]


@soak
@pytest.mark.parametrize("options", TABLES, ids=lambda options: "-".join(options.values()))
def test_random_games_of_the_four_decks(options: dict[str, str], figures: Figures) -> None:
    share = GAMES // (2 * len(TABLES))
    assert watched(hearthstone(**options), range(share)) == []
    figures(games=share, broken_laws=0)


@soak
def test_random_games_of_random_decks(figures: Figures) -> None:
    """Every class, and every card that a deck may hold."""
    dice, batch = random.Random(7), 50
    for first in range(0, GAMES // 2, batch):
        classes = [[dice.randrange(1, len(k.CLASSES)) for _ in range(2)] for _ in range(batch)]
        fields = [{"classes": pair, "lists": [_random_deck(each, dice) for each in pair]} for pair in classes]
        assert watched(hearthstone(), range(first, first + batch), fields) == []
    figures(games=GAMES // 2, broken_laws=0)


def _random_deck(class_: int, dice: random.Random) -> list[int]:
    fit = [card for card in all_cards().values() if is_fit(card, k.CLASSES[class_])]
    cards = [card.number for card in fit for _ in range(1 if card.is_legendary else 2)]
    return sorted(dice.sample(cards, k.DECK))


def test_the_loop_finds_a_broken_law() -> None:
    game = hearthstone()
    state = game.start(seed=3)
    while state.raw.phase != k.ACTING:
        state.play(state.legal[0])
    assert look_at(game, state.array, is_played=False)[0, 0] == 0
    for law, spoil in ((5, {"mana": 11}), (7, {"deck_size": 3}), (10, {"durability": 1}), (3, {"board_size": 1})):
        spoilt = state.copy()
        for name, value in spoil.items():
            spoilt.raw.side[0][name] = value
        assert LAWS[look_at(game, spoilt.array, is_played=False)[0, 0]] == LAWS[law]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), moves=st.lists(st.integers(0, 2**16), min_size=5, max_size=80))
def test_positions_survive_as_data(seed: int, moves: list[int]) -> None:
    """Any position of a game, written down and read again, looks and offers the same."""
    state = hearthstone(deck1="secret", deck2="face").start(seed=seed)
    for move in moves:
        legal = state.legal
        state.play(legal[move % len(legal)])
        if state.over:
            return
    if state.raw.phase != k.ACTING:
        return
    data = as_data(state)
    again = read_position(state.game, data)
    assert again.legal == state.legal
    assert [len(side["board"]) for side in as_data(again)["sides"]] == [len(side["board"]) for side in data["sides"]]
    laws = state.game.rules.laws(again.array)
    assert all(value is True for name, value in laws.items() if not name.startswith("list"))


# From the other chair

FIT = {type_: [c.name for c in all_cards().values() if c.type == type_ and not c.unplayable] for type_ in range(1, 5)}
HELD = [card.name for card in all_cards().values() if not card.is_token and not card.unplayable and not card.missing]
GIVEN = ["taunt", "divine shield", "stealth", "frozen", "windfury", "charge", "silenced"]


def _any_minion(dice: random.Random, ages: list[int]) -> Minion:
    words = dice.sample(GIVEN, dice.choice([0, 0, 1, 2]))
    health = dice.choice([None, 1, 2, 3])
    return Minion(
        dice.choice(FIT[k.MINION]), health=health, keywords=words, ready=dice.random() < 0.8, since=ages.pop()
    )


def _any_side(dice: random.Random, ages: list[int]) -> Side:
    return Side(
        hero=dice.choice(k.CLASSES[1:]),
        health=dice.choice([3, 12, 30]),
        armor=dice.choice([0, 0, 2]),
        hand=[dice.choice(HELD) for _ in range(dice.randrange(6))],
        board=[_any_minion(dice, ages) for _ in range(dice.randrange(8))],
        weapon=dice.choice([None, Weapon(dice.choice(FIT[k.WEAPON]), since=ages.pop())]),
        secrets=[Secret(name, since=ages.pop()) for name in dice.sample(FIT[k.SECRET], dice.choice([0, 1, 2, 3]))],
        deck=[dice.choice(HELD) for _ in range(dice.randrange(6))],
    )


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_game_is_the_same_from_the_other_chair(seed: int) -> None:
    """Exchange the seats, and every move does the same, as long as nothing is drawn; no law is broken either way."""
    game, dice = hearthstone(), random.Random(seed)
    ages = dice.sample(range(100), 50)
    sides = [_any_side(dice, ages) for _ in range(2)]
    one, other = arrange(game, sides), arrange(game, sides[::-1], turn=1)
    room = np.zeros(k.CARDS, np.int64), np.zeros(1, game.rules.State)
    for _ in range(8):
        moves = list(one.moves())
        assert moves == list(other.moves())
        move = dice.choice(moves[1:] or moves) if dice.random() < 0.9 else "end"
        one.play(move)
        other.play(move)
        assert LAWS[broken_law(ops.open_constants(game.rules.constants), one.raw, *room)] == "fine"
        if one.over or one.array["rng"] != seed_of(one) or other.array["rng"] != seed_of(other):
            break
        mine, theirs = as_data(one), as_data(other)
        assert mine["turn"] == 1 - theirs["turn"]
        assert mine["sides"] == theirs["sides"][::-1]
    assert one.over == other.over or one.array["rng"] != seed_of(one)


def seed_of(state: State) -> np.uint64:
    return np.uint64(state.seed)
