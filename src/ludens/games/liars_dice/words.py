"""Liar's Dice in words: events, what is asked, why a move is refused or a match is over, and the text picture.

The sentences themselves stand in ``text/``, one file a language.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.games.liars_dice import odds, rules

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.game import View
    from ludens.games.liars_dice.game import LiarsDice

# Names


def bid_text(game: LiarsDice, bid: int) -> str:
    """'3×4', the same in every language."""
    quantity, face = game.bid_of(bid)
    return f"{quantity}×{face}"


def bid_words(game: LiarsDice, bid: int) -> str:
    """'at least 3 dice showing 4'."""
    quantity, face = game.bid_of(bid)
    return game.say("count.bid", n=quantity, face=face)


def percent(game: LiarsDice, chance: float) -> str:
    """A chance in whole percent; only what is certain is 0 or 100."""
    rounded = round(100 * chance)
    return game.say("count.percent", n=rounded if chance in (0, 1) else min(max(rounded, 1), 99))


def faces_of(counts: Iterable[Any]) -> list[int]:
    """The faces dice show, from 1, lowest first, given how many show each."""
    return [face for face, count in enumerate(counts, 1) for _ in range(int(count))]


def _unpacked(word: int) -> list[int]:
    return [word >> 3 * i & 7 for i in range(rules.MAX_FACES)]


def _dice_text(counts: Iterable[Any]) -> str:
    return " ".join(map(str, faces_of(counts)))


def player(game: LiarsDice, view: View, seat: int) -> str:
    """'Player 1 (you)'."""
    return game.say("player.you" if seat == view.seat else "player.name", player=seat + 1)


def _listed(game: LiarsDice, seats: list[int]) -> str:
    """'player 1', 'player 1 and player 2'."""
    return game.listed([game.say("player.short", player=seat + 1) for seat in seats])


# What the position is


def last_bid(s: Any) -> int:
    """The bid to raise or call, -1 at the opening."""
    return int(s.bids[int(s.made) - 1]) if s.made else -1


def bidders(game: LiarsDice, s: Any) -> list[int]:
    """Who made each bid of this round."""
    seats = [seat for seat in range(game.seats) if s.held[seat]]
    first = seats.index(int(s.opener)) if s.made else 0
    return [seats[(first + i) % len(seats)] for i in range(int(s.made))]


def winners(game: LiarsDice, s: Any) -> list[int]:
    return [seat for seat in range(game.seats) if int(s.won) >> seat & 1]


def chances(game: LiarsDice, view: View) -> np.ndarray:
    """How likely each bid is to hold, given only the dice of the seat that looks: [bids]."""
    out = np.zeros(game.liar)
    odds.bid_chances(game.table, view.array, max(view.seat, 0), out)
    return out


def found(game: LiarsDice, s: Any) -> int:
    """How many dice of the last reveal count for the bid that was called."""
    return sum(len(matches(game, s, seat)) for seat in range(game.seats))


def matches(game: LiarsDice, s: Any, seat: int) -> list[int]:
    """The dice of a seat in the last reveal that count."""
    counting = {game.bid_of(int(s.claim))[1]}
    if game.wild_face not in counting and not s.was_tame:
        counting.add(game.wild_face)
    return [face for face in faces_of(s.shown[seat]) if face in counting]


def headline(game: LiarsDice, s: Any) -> str:
    """Round and what is to be done, in a sentence."""
    if s.phase == rules.ENDED:
        won = winners(game, s)
        if len(won) == 1:
            return game.say("headline.won", n=int(s.rounds), winner=_listed(game, won))
        return game.say("headline.drawn") if len(won) == game.seats else _shared(game, "headline", won)
    values = {"round": int(s.rounds) + 1, "player": int(s.turn) + 1}
    if not s.made:
        return game.say("headline.open", **values)
    return game.say("headline.answer", **values, bid=bid_text(game, last_bid(s)))


def _shared(game: LiarsDice, part: str, won: list[int]) -> str:
    return game.say(f"{part}.shared", winners=_listed(game, won))


def asks(game: LiarsDice, view: View) -> str:
    """What the seat to move is asked to do."""
    if view.raw.phase == rules.ENDED:
        return ""
    if not view.raw.made:
        return game.say("asks.open")
    what = "answer" if view.legal[0] < game.liar else "call"
    key = f"asks.{what}-exact" if game.options.exact else f"asks.{what}"
    return game.say(key, bid=bid_text(game, last_bid(view.raw)))


def why_over(game: LiarsDice, view: View) -> str:
    """Only one player has dice left, or one round was all."""
    s = view.raw
    if s.phase != rules.ENDED:
        return ""
    if game.options.single_round:
        return game.say("over.single")
    return game.say("over.last", winner=_listed(game, winners(game, s)))


def why_illegal(game: LiarsDice, position: Any, action: int) -> str:
    """The rule of the game that forbids this action here."""
    s = position.raw
    if action > game.liar and not game.options.exact:
        return game.say("illegal.exact")
    if action >= game.liar:
        return game.say("illegal.opening")
    if game.bid_of(action)[0] > s.total:
        return game.say("illegal.quantity", n=int(s.total))
    return game.say(f"illegal.{game.options.raise_rule}", bid=bid_text(game, last_bid(s)))


# What happened


def words(game: LiarsDice, event: Event) -> str:
    """An event in a plain sentence."""
    kind, a, b, c = event.kind, event.a, event.b, event.c
    match kind:
        case rules.ROUND:
            counts = ", ".join(map(str, _unpacked(c)[: game.seats]))
            return game.say("words.round", round=a, player=b + 1, counts=counts)
        case rules.ROLL:
            return game.say("words.roll", player=a + 1, dice=_dice_text(_unpacked(b)))
        case rules.BID:
            return game.say("words.bid", player=a + 1, bid=f"{b}×{c}")
        case rules.LIAR | rules.EXACT:
            key = "words.liar" if kind == rules.LIAR else "words.exact"
            return game.say(key, player=a + 1, bidder=b + 1, bid=bid_text(game, c))
        case rules.SHOW:
            return game.say("words.show", player=a + 1, dice=_dice_text(_unpacked(b)), n=c)
        case rules.COUNT:
            return game.say("words.count", n=a, bid=f"{b}×{c}")
    return _settled(game, event)


def _settled(game: LiarsDice, event: Event) -> str:
    """Events after a reveal."""
    kind, a, b, c = event.kind, event.a, event.b, event.c
    match kind:
        case rules.LOSE:
            return game.say("words.lose", player=a + 1, n=b, left=c)
        case rules.GAIN:
            return game.say("words.gain" if b else "words.gain-none", player=a + 1, n=c)
        case rules.VOID:
            return game.say("words.void", player=a + 1)
        case rules.GONE:
            return game.say("words.gone", player=a + 1)
    won = [seat for seat in range(game.seats) if a >> seat & 1]
    if len(won) == 1:
        return game.say("words.win", player=won[0] + 1)
    return game.say("words.drawn") if len(won) == game.seats else _shared(game, "words", won)


# The text picture


def text(game: LiarsDice, view: View) -> str:
    """A picture for the terminal: the players, the bids of this round, the last reveal."""
    s = view.raw
    parts = [headline(game, s), "\n".join(_text_player(game, view, seat) for seat in range(game.seats))]
    if s.phase == rules.BIDDING:
        parts.append(_text_bids(game, view))
    if s.call:
        parts.append(_text_reveal(game, s))
    return "\n\n".join(parts)


def _text_player(game: LiarsDice, view: View, seat: int) -> str:
    s = view.raw
    is_next = s.phase == rules.BIDDING and s.turn == seat
    held = game.say("count.dice", n=int(s.held[seat])) if s.held[seat] else game.say("player.out")
    known = _dice_text(s.dice[seat])
    hidden = "" if known or s.phase == rules.ENDED else " ".join("?" * int(s.held[seat]))
    return f"{'> ' if is_next else '  '}{player(game, view, seat):<16}{held:<12}{known}{hidden}".rstrip()


def _text_bids(game: LiarsDice, view: View) -> str:
    """Who bid what; how likely the last bid is; what is wild."""
    s = view.raw
    made = [
        f"{game.say('player.tag', player=seat + 1)} {bid_text(game, int(bid))}"
        for seat, bid in zip(bidders(game, s), s.bids, strict=False)
    ]
    lines = [", ".join(made) or game.say("label.none")]
    if s.made and game.options.aid:
        told = percent(game, float(chances(game, view)[last_bid(s)]))
        lines.append(game.say("piece.chance", bid=bid_words(game, last_bid(s)), percent=told))
    return "\n".join([f"{game.say('label.bids')}: {lines[0]}", *lines[1:], table_line(game, s)])


def table_line(game: LiarsDice, s: Any) -> str:
    """How many dice are on the table, and what is wild."""
    told = game.say("label.table", n=int(s.total))
    if not game.wild_face:
        return told
    wild = game.say("label.tame") if s.tame else game.say("label.wild", face=game.wild_face)
    return f"{told}, {wild}"


def reveal_line(game: LiarsDice, s: Any) -> str:
    """'Player 1 doubted 3×4 of player 2. 2 dice match.'"""
    key = "reveal.liar" if s.call == rules.LIAR_CALL else "reveal.exact"
    bid = bid_text(game, int(s.claim))
    told = game.say(key, caller=int(s.caller) + 1, bidder=int(s.bidder) + 1, bid=bid)
    return f"{told} {game.say('reveal.found', n=found(game, s))}"


def change_text(s: Any, seat: int) -> str:
    """'−1' or '+1' for the dice a seat lost or gained in the last reveal, '' if none."""
    change = int(s.change[seat])
    return f"{'+' if change > 0 else '−'}{abs(change)}" if change else ""


def _text_reveal(game: LiarsDice, s: Any) -> str:
    lines = [f"{game.say('label.reveal')}: {reveal_line(game, s)}"]
    for seat in range(game.seats):
        if s.shown[seat].any():
            name = game.say("player.name", player=seat + 1)
            lines.append(f"  {name:<16}{_text_shown(game, s, seat):<26}{change_text(s, seat)}".rstrip())
    return "\n".join(lines)


def _text_shown(game: LiarsDice, s: Any, seat: int) -> str:
    """The dice shown, those that count in brackets."""
    counting = set(matches(game, s, seat))
    return " ".join(f"[{face}]" if face in counting else str(face) for face in faces_of(s.shown[seat]))
