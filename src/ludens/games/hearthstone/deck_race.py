"""A better deck for a given player: swaps of cards that prove themselves in a race on common deals.

In a round some decks are drawn that differ from the best so far by one or two cards. They and the best play the same
deals against all opponents; again and again the worse half drops out and the others play twice as many games. The last
one replaces the best if it is also ahead on new deals, by more than chance would do (one-sided 95 %). Nothing is known
of cards but the results, so any agent can be improved for, and any agent met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludens.core.agent import Agent
from ludens.core.error import BadOption
from ludens.core.game import Game
from ludens.core.lanes import Lanes
from ludens.core.seed import derived_seed
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.card import all_cards, is_fit
from ludens.games.hearthstone.deck_file import Deck

_CANDIDATES, _LEFT = 16, 2  # decks in a race, the best so far among them; left over at its end
_PROOF = 8  # times the games of a race's first heat that the last one plays against the best
_PLAYABLE = (k.MINION, k.SPELL, k.SECRET, k.WEAPON)
_SURE = 1.645  # standard errors
_RACE, _PROVE, _EXAM = 1, 2, 3  # names of seeds

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Race:
    """Who the deck is for, whom it meets, and how many games the first heat of a race has against each of them."""

    game: Game
    agent: Agent
    rivals: Sequence[Agent]
    games: int
    seed: int


@dataclass(frozen=True)
class Found:
    """What a round found: the best deck now, the words for what was swapped ('' if nothing was), games played."""

    deck: Deck
    swap: str
    gain: float
    games: int


def wins(race: Race, deck: Deck, seeds: Sequence[int]) -> np.ndarray:
    """Whether the agent won with a deck, by opponent, deal and seat: [opponents, deals * 2]."""
    return np.stack([_met(race, deck, rival, seeds) for rival in race.rivals])


def _met(race: Race, deck: Deck, rival: Agent, seeds: Sequence[int]) -> np.ndarray:
    """Whether the agent won with a deck against an opponent, each deal in both seats: [deals * 2]."""
    mine = np.tile([0, 1], len(seeds))
    fields = [_start_fields(deck, rival, seat) for seat in range(2)]
    lanes = Lanes(race.game, np.repeat(np.array(seeds, np.uint64), 2), fields=[fields[seat] for seat in mine])
    players = [(race.agent, race.agent.new_memory(len(mine))), (rival, rival.new_memory(len(mine)))]
    while True:
        rows, seats = lanes.waiting()
        if not len(rows):
            return np.asarray(lanes.returns[np.arange(len(mine)), mine] > 0)
        for owner, (agent, memory) in enumerate(players):
            is_asked = (mine[rows] == seats) == (owner == 0)
            _decide(lanes, agent, memory, rows[is_asked], seats[is_asked])


def _decide(lanes: Lanes, agent: Agent, memory: np.ndarray, rows: np.ndarray, seats: np.ndarray) -> None:
    """Let an agent make a decision in some lanes; BadOption if it is illegal."""
    size = 1 if agent.one_by_one else agent.batch
    for first in range(0, len(rows), size):
        some = rows[first : first + size]
        own = memory[some].copy()
        chosen = agent.act(lanes.views(some, seats[first : first + size]), own)
        memory[some] = own
        if not lanes.step(some, chosen).all():
            raise BadOption(f"{agent.spec} answered an illegal action")


def _start_fields(deck: Deck, rival: Agent, seat: int) -> dict[str, Any]:
    """The decks of a game in which the agent has this seat; a rival without a deck of its own plays the game's."""
    lists, classes = np.zeros((2, k.DECK), np.int64), np.zeros(2, np.int64)
    lists[seat], classes[seat] = deck.cards, deck.class_number
    own = rival.start_fields()
    if own:
        lists[1 - seat], classes[1 - seat] = own["lists"], own["classes"]
    return {"lists": lists.tolist(), "classes": classes.tolist()}


def swapped(deck: Deck, generator: np.random.Generator) -> Deck:
    """A deck with one or two other cards, drawn at random among those that its class may hold."""
    cards, known = list(deck.cards), all_cards()
    pool = [card for card in known.values() if is_fit(card, deck.class_) and card.type in _PLAYABLE]
    for _ in range(1 + int(generator.integers(2))):
        out = cards.pop(int(generator.integers(len(cards))))
        free = [
            each.number
            for each in pool
            if each.number != out and cards.count(each.number) < (1 if each.is_legendary else 2)
        ]
        cards.append(int(generator.choice(free)))
    return replace(deck, cards=tuple(sorted(cards)))


def rounds(race: Race, deck: Deck, count: int, report: Progress) -> Iterator[Found]:
    """Improve a deck in so many rounds; yields what each found. ``report`` is called after every heat."""
    for number in range(count):
        found = _round(race, deck, number, lambda words, at=number: report(at, count, words))  # type: ignore[misc]
        deck = found.deck
        yield found


def _round(race: Race, best: Deck, number: int, tell: Callable[[str], None]) -> Found:
    """One round: a race of decks near the best one, then the last of them against it."""
    generator = np.random.default_rng([race.seed, number])
    drawn = [best, *(swapped(best, generator) for _ in range(_CANDIDATES - 1))]
    field = list({deck.cards: deck for deck in drawn}.values())
    scores, games, played = np.zeros(len(field)), race.games, 0
    while len(field) > _LEFT:
        seeds = [derived_seed(race.seed, _RACE, number, games, deal) for deal in range((games + 1) // 2)]
        heat = np.array([wins(race, deck, seeds).mean() for deck in field])
        played += len(field) * len(race.rivals) * 2 * len(seeds)
        scores = scores / 2 + heat  # later heats are longer
        order = np.argsort(-scores, kind="stable")[: (len(field) + 1) // 2]
        tell(f"{len(field)} decks, the best wins {100 * heat.max():.0f} %")
        field, scores, games = [field[place] for place in order], scores[order], 2 * games
    challenger = next((deck for deck in field if deck.cards != best.cards), best)
    seeds = [derived_seed(race.seed, _PROVE, number, deal) for deal in range(_PROOF * race.games // 2)]
    gains = wins(race, challenger, seeds).astype(float) - wins(race, best, seeds)
    deals = gains.reshape(len(race.rivals), -1, 2).mean(axis=(0, 2))
    gain, error = float(deals.mean()), float(deals.std(ddof=1) / np.sqrt(len(deals)))
    played += 2 * gains.size
    if gain <= _SURE * error:
        return Found(best, "", gain, played)
    return Found(challenger, told_swap(best, challenger), gain, played)


def exam(race: Race, deck: Deck, games: int) -> list[tuple[float, float]]:
    """The share of games won with a deck against each opponent, with its standard error over deals.

    On deals that no race used.
    """
    seeds = [derived_seed(race.seed, _EXAM, deal) for deal in range(max(games // 2, 2))]
    by_deal = wins(race, deck, seeds).reshape(len(race.rivals), -1, 2).mean(axis=2)
    return [(float(row.mean()), float(row.std(ddof=1) / np.sqrt(len(row)))) for row in by_deal]


def told_swap(old: Deck, new: Deck) -> str:
    """What changed between two decks, in words: 'Bear Trap -> Bluegill Warrior'."""
    known, gone, come = all_cards(), list(old.cards), list(new.cards)
    for card in old.cards:
        if card in come:
            come.remove(card)
            gone.remove(card)
    return f"{', '.join(known[card].name for card in gone)} -> {', '.join(known[card].name for card in come)}"
