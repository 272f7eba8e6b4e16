"""Dicewars in words: events, what is asked, why a move is refused or a game is over, and what a position is.

The sentences themselves stand in ``text/``, one file a language. People count seats and areas from 1; on the map a seat
is a letter, so that it is not taken for a number of dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ludens.games.dicewars import record

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.game import View
    from ludens.games.dicewars.game import Dicewars

# What the position is


def letter(seat: int) -> str:
    """How a seat is called on the map, the same in every language."""
    return "ABCDEFGH"[seat]


def areas_of(mask: int) -> Iterator[int]:
    """The areas of a mask."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def largest_region(s: Any, seat: int) -> set[int]:
    """The areas of a seat's largest region, which brings its income."""
    left, best = set(areas_of(int(s.lands[seat]))), set[int]()
    while left:
        part = waiting = {min(left)}
        while waiting:
            waiting = {near for area in waiting for near in areas_of(int(s.near[area]))} & left - part
            part = part | waiting
        left -= part
        best = part if len(part) > len(best) else best
    return best


def standing(s: Any, seat: int) -> tuple[int, int, int]:
    """How many areas a seat has, how many dice on them, and its income."""
    owned = list(areas_of(int(s.lands[seat])))
    return len(owned), sum(int(s.dice[area]) for area in owned), len(largest_region(s, seat))


def moved_dice(game: Dicewars, s: Any, source: int, target: int) -> int:
    """How many dice a transfer would move."""
    return min(game.options.max_dice - int(s.dice[target]), int(s.dice[source]) - 1)


def chance_of(game: Dicewars, s: Any, source: int, target: int) -> float:
    """How likely an attack succeeds."""
    return float(game.table.t["odds"][0, s.dice[source], s.dice[target]])


def per_cent(chance: float) -> str:
    """'74 %'; what is neither sure nor impossible is not called so."""
    if 0 < chance < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= chance < 1 else f"{100 * chance:.0f} %"


def new_dice(s: Any, area: int) -> int:
    """How many dice an area got at the last end of a turn; they are no news once the area is taken in the next one."""
    return 0 if s.owner[area] == s.turn else int(s.added[area])


def transfers_left(game: Dicewars, s: Any) -> int:
    return int(game.ruled("max_transfers")) - int(s.transfers)


def headline(game: Dicewars, s: Any) -> str:
    """Whose turn it is, or who won."""
    if s.phase != record.ENDED:
        return game.say("headline.turn", turn=int(s.turns) + 1, player=int(s.turn) + 1, letter=letter(int(s.turn)))
    if s.winner == record.NOBODY:
        return game.say("headline.nobody")
    return game.say("headline.won", player=int(s.winner) + 1, letter=letter(int(s.winner)))


def status(game: Dicewars, s: Any) -> list[str]:
    """What was and what can be done in this turn, or that the viewer is out; at the end why it is over."""
    if s.phase == record.ENDED:
        return [_why_over(game, s)]
    if s.seat >= 0 and not s.lands[s.seat]:
        return [game.say("status.out")]
    told = [game.say("status.attacks", n=int(s.attacks))]
    if game.ruled("max_transfers"):
        told.append(game.say("status.transfers", n=transfers_left(game, s)))
    return told


def asks(game: Dicewars, view: View) -> str:
    """What the seat to move is asked to do."""
    if view.raw.phase == record.ENDED:
        return ""
    kinds = {game.pair_of(action)[0] for action in view.legal if action != record.END}
    if not kinds:
        return game.say("asks.end")
    return game.say("asks.attack" if True in kinds else "asks.move")


def why_over(game: Dicewars, view: View) -> str:
    """How the game ended."""
    return _why_over(game, view.raw)


def _why_over(game: Dicewars, s: Any) -> str:
    if s.phase != record.ENDED:
        return ""
    if s.winner != record.NOBODY:
        return game.say("over.won", player=int(s.winner) + 1)
    return _why_nobody(game, int(s.why))


def _why_nobody(game: Dicewars, why: int) -> str:
    o = game.options
    match why:
        case record.PASSED:
            return game.say("over.passed", n=o.max_pass_rounds)
        case record.FOUGHT_ON:
            return game.say("over.battles", n=o.max_battles)
    return game.say("over.turns", n=o.max_turns)


def why_illegal(game: Dicewars, position: Any, action: int) -> str:
    """The rule of the game that forbids this action here."""
    s = position.raw
    if action == record.END or s.phase == record.ENDED:
        return ""
    is_attack, source, target = game.pair_of(action)
    mine, named = int(s.lands[s.turn]), {"source": source + 1, "target": target + 1}
    if not mine >> source & 1:
        return game.say("illegal.source", **named)
    if not int(s.near[source]) >> target & 1:
        return game.say("illegal.apart", **named)
    is_own = bool(mine >> target & 1)
    if is_attack:
        return _why_no_attack(game, is_own, named)
    return _why_no_transfer(game, is_own, named)


def _why_no_attack(game: Dicewars, is_own: bool, named: dict[str, int]) -> str:
    return game.say("illegal.own" if is_own else "illegal.dice", **named)


def _why_no_transfer(game: Dicewars, is_own: bool, named: dict[str, int]) -> str:
    most = game.ruled("max_transfers")
    if not most:
        return game.say("illegal.no-transfers")
    return game.say("illegal.spent", n=most) if is_own else game.say("illegal.foreign", **named)


# The rules


def rules(game: Dicewars) -> list[str]:
    """What this very game is played with, in paragraphs."""
    o, value = game.options, game.ruled
    parts = [
        game.say("rules-with.start", areas=game.areas, n=value("density")),
        game.say(f"rules-with.{value('ownership')}"),
        game.say(f"rules-with.{value('strength')}"),
    ]
    wear, transfers = value("battle_wear"), value("max_transfers")
    battle = game.say("rules-with.wear", n=wear) if wear else game.say("rules-with.no-wear")
    move = game.say("rules-with.transfers", n=transfers) if transfers else game.say("rules-with.no-transfers")
    saved = game.say(f"rules-with.{value('reserve_type')}", n=value("reserve_cap"))
    income = f"{saved} {game.say('rules-with.production', n=o.production_cap)}"
    end = game.say("rules-with.end", rounds=o.max_pass_rounds, battles=o.max_battles, turns=o.max_turns)
    return [" ".join(part.split()) for part in (" ".join(parts), battle, move, income, end)]


# What happened


def words(game: Dicewars, event: Event) -> str:
    """An event in a plain sentence; where single new dice went the map shows."""
    a, b, c = event.a, event.b, event.c
    match event.kind:
        case record.DEAL:
            return game.say("words.deal", player=a + 1, areas=b, dice=c)
        case record.FOUGHT:
            return game.say("words.fought", source=a % 64 + 1, target=a // 64 + 1, attack=_sum(b), defence=_sum(c))
        case record.TAKEN:
            return game.say("words.taken", area=a + 1, player=b % 8 + 1, loser=b // 8 + 1, n=c)
        case record.STOOD:
            return game.say("words.stood", area=a + 1, player=b + 1, n=c)
        case record.FELL:
            return game.say("words.fell", player=a + 1)
        case record.SHIFTED:
            return game.say("words.shifted", source=a % 64 + 1, target=a // 64 + 1, n=b, player=c + 1)
        case record.EARNED:
            return game.say("words.earned", player=a + 1, income=b, n=c)
        case record.SAVED if b:
            return game.say("words.saved", player=a + 1, n=b)
        case record.WON:
            return game.say("words.won", player=a + 1)
        case record.DRAWN:
            return _why_nobody(game, a)
    return ""


def _sum(packed: int) -> str:
    """Dice of three bits each: '4 + 6 = 10'; a single die stands alone."""
    faces = []
    while packed:
        faces.append(packed & 7)
        packed >>= 3
    return str(faces[0]) if len(faces) == 1 else f"{' + '.join(map(str, faces))} = {sum(faces)}"
