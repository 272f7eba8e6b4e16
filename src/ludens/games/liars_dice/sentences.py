"""Liar's Dice in words: events, requests, reasons for a refused move or the end of a match, and the text picture.

The sentences themselves are in ``text/``, one file for each language.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.games.liars_dice import odds, rules

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.liars_dice.face import LiarsDiceFace

# Names


def bid_text(face: LiarsDiceFace, bid: int) -> str:
    """A bid (its id) in short, '3×4', the same in every language."""
    quantity, pips = face.rules.bid_of(bid)
    return f"{quantity}×{pips}"


def bid_words(face: LiarsDiceFace, bid: int) -> str:
    """A bid (its id) in words: 'at least 3 dice showing 4'."""
    quantity, pips = face.rules.bid_of(bid)
    return face.say("count.bid", n=quantity, face=pips)


def percent(face: LiarsDiceFace, chance: float) -> str:
    """A probability in whole percent as text; 0 % and 100 % only if it is exactly 0 or 1."""
    rounded = round(100 * chance)
    return face.say("count.percent", n=rounded if chance in (0, 1) else min(max(rounded, 1), 99))


def faces_of(counts: Iterable[Any]) -> list[int]:
    """The face of each die (from 1), lowest first, given the number of dice that show each face."""
    return [face for face, count in enumerate(counts, 1) for _ in range(int(count))]


def _unpacked(word: int) -> list[int]:
    """The six counts that `rules.packed` has put into one number."""
    return [word >> 3 * i & 7 for i in range(rules.MAX_FACES)]


def _dice_text(counts: Iterable[Any]) -> str:
    """Dice as text, such as '1 3 3', given the number that show each face; '' for none."""
    return " ".join(map(str, faces_of(counts)))


def player(face: LiarsDiceFace, view: View, seat: int) -> str:
    """A player's name: 'Player 1', or 'Player 1 (you)' for the seat of the view."""
    return face.say("player.you" if seat == view.seat else "player.name", player=seat + 1)


def _listed(face: LiarsDiceFace, seats: list[int]) -> str:
    """The names of players in a row: 'player 1', 'player 1 and player 2'."""
    return face.listed([face.say("player.short", player=seat + 1) for seat in seats])


# What the position is


def last_bid(s: Any) -> int:
    """The id of the bid to raise or call; -1 before the first bid."""
    return int(s.bids[int(s.made) - 1]) if s.made else -1


def bidders(face: LiarsDiceFace, s: Any) -> list[int]:
    """The seat that made each bid of this round, in order."""
    seats = [seat for seat in range(face.rules.seats) if s.held[seat]]
    first = seats.index(int(s.opener)) if s.made else 0
    return [seats[(first + i) % len(seats)] for i in range(int(s.made))]


def winners(face: LiarsDiceFace, s: Any) -> list[int]:
    """The seats that have won the finished match."""
    return [seat for seat in range(face.rules.seats) if int(s.won) >> seat & 1]


def chances(face: LiarsDiceFace, view: View) -> np.ndarray:
    """The probability that each bid of the match holds, given only the dice of the viewing seat: [bids]."""
    out = np.zeros(face.rules.liar)
    odds.bid_chances(face.rules.constants, view.array, max(view.seat, 0), out)
    return out


def found(face: LiarsDiceFace, s: Any) -> int:
    """The number of dice in the last reveal that count for the bid that was called."""
    return sum(len(matches(face, s, seat)) for seat in range(face.rules.seats))


def matches(face: LiarsDiceFace, s: Any, seat: int) -> list[int]:
    """The faces of a seat's dice in the last reveal that count for the bid that was called, one for each die."""
    counting = {face.rules.bid_of(int(s.claim))[1]}
    if face.rules.wild_face not in counting and not s.was_wild_off:
        counting.add(face.rules.wild_face)
    return [face for face in faces_of(s.shown[seat]) if face in counting]


def headline(face: LiarsDiceFace, s: Any) -> str:
    """A sentence about the position: the round and who is to bid or call, or how the match ended."""
    if s.phase == rules.ENDED:
        won = winners(face, s)
        if len(won) == 1:
            return face.say("headline.won", n=int(s.rounds), winner=_listed(face, won))
        return face.say("headline.drawn") if len(won) == face.rules.seats else _shared(face, "headline", won)
    values = {"round": int(s.rounds) + 1, "player": int(s.turn) + 1}
    if not s.made:
        return face.say("headline.open", **values)
    return face.say("headline.answer", **values, bid=bid_text(face, last_bid(s)))


def _shared(face: LiarsDiceFace, part: str, won: list[int]) -> str:
    """The sentence that several players (seats) share the victory; ``part`` is "headline" or "words"."""
    return face.say(f"{part}.shared", winners=_listed(face, won))


def asks(face: LiarsDiceFace, view: View) -> str:
    """What the seat to move is asked to do, in a sentence; '' if the match is over."""
    if view.raw.phase == rules.ENDED:
        return ""
    if not view.raw.made:
        return face.say("asks.open")
    what = "answer" if view.legal[0] < face.rules.liar else "call"
    key = f"asks.{what}-exact" if face.rules.options.exact else f"asks.{what}"
    return face.say(key, bid=bid_text(face, last_bid(view.raw)))


def why_over(face: LiarsDiceFace, view: View) -> str:
    """Why the match is over, in a sentence; '' if it is not."""
    s = view.raw
    if s.phase != rules.ENDED:
        return ""
    if face.rules.options.single_round:
        return face.say("over.single")
    return face.say("over.last", winner=_listed(face, winners(face, s)))


def why_illegal(face: LiarsDiceFace, position: Any, action: int) -> str:
    """The rule that forbids this action in the position, for people."""
    s = position.raw
    if action > face.rules.liar and not face.rules.options.exact:
        return face.say("illegal.exact")
    if action >= face.rules.liar:
        return face.say("illegal.opening")
    if face.rules.bid_of(action)[0] > s.total:
        return face.say("illegal.quantity", n=int(s.total))
    return face.say(f"illegal.{face.rules.options.raise_rule}", bid=bid_text(face, last_bid(s)))


# What happened


def event_text(face: LiarsDiceFace, event: Event) -> str:
    """An event as a plain sentence."""
    kind, a, b, c = event.kind, event.a, event.b, event.c
    match kind:
        case rules.ROUND:
            counts = ", ".join(map(str, _unpacked(c)[: face.rules.seats]))
            return face.say("words.round", round=a, player=b + 1, counts=counts)
        case rules.ROLL:
            return face.say("words.roll", player=a + 1, dice=_dice_text(_unpacked(b)))
        case rules.BID:
            return face.say("words.bid", player=a + 1, bid=f"{b}×{c}")
        case rules.LIAR | rules.EXACT:
            key = "words.liar" if kind == rules.LIAR else "words.exact"
            return face.say(key, player=a + 1, bidder=b + 1, bid=bid_text(face, c))
        case rules.SHOW:
            return face.say("words.show", player=a + 1, dice=_dice_text(_unpacked(b)), n=c)
        case rules.COUNT:
            return face.say("words.count", n=a, bid=f"{b}×{c}")
    return _outcome_text(face, event)


def _outcome_text(face: LiarsDiceFace, event: Event) -> str:
    """An event that follows a reveal (dice lost or gained, a player out, winners) as a sentence."""
    kind, a, b, c = event.kind, event.a, event.b, event.c
    match kind:
        case rules.LOSE:
            return face.say("words.lose", player=a + 1, n=b, left=c)
        case rules.GAIN:
            return face.say("words.gain" if b else "words.gain-none", player=a + 1, n=c)
        case rules.VOID:
            return face.say("words.void", player=a + 1)
        case rules.GONE:
            return face.say("words.gone", player=a + 1)
    won = [seat for seat in range(face.rules.seats) if a >> seat & 1]
    if len(won) == 1:
        return face.say("words.win", player=won[0] + 1)
    return face.say("words.drawn") if len(won) == face.rules.seats else _shared(face, "words", won)


# The text picture


def text(face: LiarsDiceFace, view: View) -> str:
    """A text picture for the terminal: the players, the bids of this round, the last reveal."""
    s = view.raw
    parts = [headline(face, s), "\n".join(_text_player(face, view, seat) for seat in range(face.rules.seats))]
    if s.phase == rules.BIDDING:
        parts.append(_text_bids(face, view))
    if s.call:
        parts.append(_text_reveal(face, s))
    return "\n\n".join(parts)


def _text_player(face: LiarsDiceFace, view: View, seat: int) -> str:
    """One player's line of the text picture; '>' marks the player to move, '?' each hidden die."""
    s = view.raw
    is_next = s.phase == rules.BIDDING and s.turn == seat
    held = face.say("count.dice", n=int(s.held[seat])) if s.held[seat] else face.say("player.out")
    known = _dice_text(s.dice[seat])
    hidden = "" if known or s.phase == rules.ENDED else " ".join("?" * int(s.held[seat]))
    return f"{'> ' if is_next else '  '}{player(face, view, seat):<16}{held:<12}{known}{hidden}".rstrip()


def _text_bids(face: LiarsDiceFace, view: View) -> str:
    """The lines about this round: its bids, the probability of the last one (with aid), what is wild."""
    s = view.raw
    made = [
        f"{face.say('player.tag', player=seat + 1)} {bid_text(face, int(bid))}"
        for seat, bid in zip(bidders(face, s), s.bids, strict=False)
    ]
    lines = [", ".join(made) or face.say("label.none")]
    if s.made and face.rules.options.aid:
        told = percent(face, float(chances(face, view)[last_bid(s)]))
        lines.append(face.say("piece.chance", bid=bid_words(face, last_bid(s)), percent=told))
    return "\n".join([f"{face.say('label.bids')}: {lines[0]}", *lines[1:], table_line(face, s)])


def table_line(face: LiarsDiceFace, s: Any) -> str:
    """The number of dice on the table and, if the options have a wild face, what is wild in this round."""
    told = face.say("label.table", n=int(s.total))
    if not face.rules.wild_face:
        return told
    wild = face.say("label.tame") if s.wild_off else face.say("label.wild", face=face.rules.wild_face)
    return f"{told}, {wild}"


def reveal_line(face: LiarsDiceFace, s: Any) -> str:
    """The last reveal in a sentence: 'Player 1 doubted 3×4 of player 2. 2 dice match.'"""
    key = "reveal.liar" if s.call == rules.LIAR_CALL else "reveal.exact"
    bid = bid_text(face, int(s.claim))
    told = face.say(key, caller=int(s.caller) + 1, bidder=int(s.bidder) + 1, bid=bid)
    return f"{told} {face.say('reveal.found', n=found(face, s))}"


def change_text(s: Any, seat: int) -> str:
    """The dice that a seat lost or gained in the last reveal, as text: '−1' or '+1'; '' for none."""
    change = int(s.change[seat])
    return f"{'+' if change > 0 else '−'}{abs(change)}" if change else ""


def _text_reveal(face: LiarsDiceFace, s: Any) -> str:
    """The lines about the last reveal: what was called, and each player's dice and change."""
    lines = [f"{face.say('label.reveal')}: {reveal_line(face, s)}"]
    for seat in range(face.rules.seats):
        if s.shown[seat].any():
            name = face.say("player.name", player=seat + 1)
            lines.append(f"  {name:<16}{_text_shown(face, s, seat):<26}{change_text(s, seat)}".rstrip())
    return "\n".join(lines)


def _text_shown(face: LiarsDiceFace, s: Any, seat: int) -> str:
    """A seat's dice in the last reveal, those that count in brackets: '1 [3] [3]'."""
    counting = set(matches(face, s, seat))
    return " ".join(f"[{face}]" if face in counting else str(face) for face in faces_of(s.shown[seat]))
