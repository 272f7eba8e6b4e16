"""Texts of Dicewars: events, prompts, why a move is illegal or a game is over, and facts about a position.

The sentences themselves are in ``text/``, one file for each language. People count seats and areas from 1; on the map a
seat is a letter, so that it is not taken for a number of dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ludens.games.dicewars import record

if TYPE_CHECKING:
    from ludens.core.event import Event
    from ludens.core.state import View
    from ludens.games.dicewars.face import DicewarsFace

# What the position is


def letter(seat: int) -> str:
    """The letter of a seat on the map, in every language: 'A' for seat 0."""
    return "ABCDEFGH"[seat]


def areas_of(mask: int) -> Iterator[int]:
    """Yield the areas of a bit mask in ascending order."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def largest_region(s: Any, seat: int) -> set[int]:
    """The areas of a seat's largest connected region; their number is its income."""
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
    """Three numbers of a seat: its areas, the dice on them, and its income."""
    owned = list(areas_of(int(s.lands[seat])))
    return len(owned), sum(int(s.dice[area]) for area in owned), len(largest_region(s, seat))


def moved_dice(face: DicewarsFace, s: Any, source: int, target: int) -> int:
    """The number of dice that a transfer between two areas (from 0) would move, perhaps 0."""
    return min(face.rules.options.max_dice - int(s.dice[target]), int(s.dice[source]) - 1)


def chance_of(face: DicewarsFace, s: Any, source: int, target: int) -> float:
    """The probability that an attack between two areas (from 0) succeeds."""
    return float(face.rules.constants.c["odds"][0, s.dice[source], s.dice[target]])


def per_cent(chance: float) -> str:
    """A probability as text: '74 %'; '<1 %' and '>99 %' where rounding would say impossible or sure."""
    if 0 < chance < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= chance < 1 else f"{100 * chance:.0f} %"


def new_dice(s: Any, area: int) -> int:
    """The number of dice an area got at the last end of a turn; 0 if the player to move has taken it since."""
    return 0 if s.owner[area] == s.turn else int(s.added[area])


def transfers_left(face: DicewarsFace, s: Any) -> int:
    """The number of transfers left in this turn."""
    return int(face.rules.option_or_rules("max_transfers")) - int(s.transfers)


def headline(face: DicewarsFace, s: Any) -> str:
    """Whose turn it is, or who won, as a short line."""
    if s.phase != record.ENDED:
        return face.say("headline.turn", turn=int(s.turns) + 1, player=int(s.turn) + 1, letter=letter(int(s.turn)))
    if s.winner == record.NOBODY:
        return face.say("headline.nobody")
    return face.say("headline.won", player=int(s.winner) + 1, letter=letter(int(s.winner)))


def status(face: DicewarsFace, s: Any) -> list[str]:
    """Short texts below the headline: attacks made and transfers left in this turn, or that the viewer is out.

    After the end: why the game is over.
    """
    if s.phase == record.ENDED:
        return [_why_over(face, s)]
    if s.seat >= 0 and not s.lands[s.seat]:
        return [face.say("status.out")]
    told = [face.say("status.attacks", n=int(s.attacks))]
    if face.rules.option_or_rules("max_transfers"):
        told.append(face.say("status.transfers", n=transfers_left(face, s)))
    return told


def asks(face: DicewarsFace, view: View) -> str:
    """A sentence that asks for a decision and names what is possible; '' when the game is over."""
    if view.raw.phase == record.ENDED:
        return ""
    kinds = {face.rules.pair_of(action)[0] for action in view.legal if action != record.END}
    if not kinds:
        return face.say("asks.end")
    return face.say("asks.attack" if True in kinds else "asks.move")


def why_over(face: DicewarsFace, view: View) -> str:
    """Why the game ended, in a sentence; '' while it goes on."""
    return _why_over(face, view.raw)


def _why_over(face: DicewarsFace, s: Any) -> str:
    """Why the game ended, from a raw record, in a sentence; '' while it goes on."""
    if s.phase != record.ENDED:
        return ""
    if s.winner != record.NOBODY:
        return face.say("over.won", player=int(s.winner) + 1)
    return _why_nobody(face, int(s.why))


def _why_nobody(face: DicewarsFace, why: int) -> str:
    """Why the game ended without a winner, in a sentence; ``why`` is PASSED, FOUGHT_ON or TIRED."""
    o = face.rules.options
    match why:
        case record.PASSED:
            return face.say("over.passed", n=o.max_pass_rounds)
        case record.FOUGHT_ON:
            return face.say("over.battles", n=o.max_battles)
    return face.say("over.turns", n=o.max_turns)


def why_illegal(face: DicewarsFace, position: Any, action: int) -> str:
    """The rule that an illegal attack or transfer breaks, in a sentence; '' for ``end`` and when the game is over."""
    s = position.raw
    if action == record.END or s.phase == record.ENDED:
        return ""
    is_attack, source, target = face.rules.pair_of(action)
    mine, named = int(s.lands[s.turn]), {"source": source + 1, "target": target + 1}
    if not mine >> source & 1:
        return face.say("illegal.source", **named)
    if not int(s.near[source]) >> target & 1:
        return face.say("illegal.apart", **named)
    is_own = bool(mine >> target & 1)
    if is_attack:
        return _why_no_attack(face, is_own, named)
    return _why_no_transfer(face, is_own, named)


def _why_no_attack(face: DicewarsFace, is_own: bool, named: dict[str, int]) -> str:
    """Why an attack on a neighbouring area is illegal, in a sentence.

    Either ``is_own``: it is the player's own area; or the source has too few dice. ``named`` are the areas, for the
    text.
    """
    return face.say("illegal.own" if is_own else "illegal.dice", **named)


def _why_no_transfer(face: DicewarsFace, is_own: bool, named: dict[str, int]) -> str:
    """Why a transfer to a neighbouring area is illegal, in a sentence.

    There are none in this game, none left in this turn, or the area is not the player's (``is_own``). ``named`` are the
    areas, for the text.
    """
    most = face.rules.option_or_rules("max_transfers")
    if not most:
        return face.say("illegal.no-transfers")
    return face.say("illegal.spent", n=most) if is_own else face.say("illegal.foreign", **named)


# The rules


def rules(face: DicewarsFace) -> list[str]:
    """The rules that the options of this game set, with their numbers, as paragraphs."""
    o, value = face.rules.options, face.rules.option_or_rules
    parts = [
        face.say("rules-with.start", areas=face.rules.areas, n=value("density")),
        face.say(f"rules-with.{value('ownership')}"),
        face.say(f"rules-with.{value('strength')}"),
    ]
    wear, transfers = value("battle_wear"), value("max_transfers")
    battle = face.say("rules-with.wear", n=wear) if wear else face.say("rules-with.no-wear")
    move = face.say("rules-with.transfers", n=transfers) if transfers else face.say("rules-with.no-transfers")
    saved = face.say(f"rules-with.{value('reserve_type')}", n=value("reserve_cap"))
    income = f"{saved} {face.say('rules-with.production', n=o.production_cap)}"
    end = face.say("rules-with.end", rounds=o.max_pass_rounds, battles=o.max_battles, turns=o.max_turns)
    return [" ".join(part.split()) for part in (" ".join(parts), battle, move, income, end)]


# What happened


def event_text(face: DicewarsFace, event: Event) -> str:
    """An event in a sentence; '' for events the map shows well enough, such as single new dice."""
    a, b, c = event.a, event.b, event.c
    match event.kind:
        case record.DEAL:
            return face.say("words.deal", player=a + 1, areas=b, dice=c)
        case record.FOUGHT:
            return face.say("words.fought", source=a % 64 + 1, target=a // 64 + 1, attack=_sum(b), defence=_sum(c))
        case record.TAKEN:
            return face.say("words.taken", area=a + 1, player=b % 8 + 1, loser=b // 8 + 1, n=c)
        case record.STOOD:
            return face.say("words.stood", area=a + 1, player=b + 1, n=c)
        case record.FELL:
            return face.say("words.fell", player=a + 1)
        case record.SHIFTED:
            return face.say("words.shifted", source=a % 64 + 1, target=a // 64 + 1, n=b, player=c + 1)
        case record.EARNED:
            return face.say("words.earned", player=a + 1, income=b, n=c)
        case record.SAVED if b:
            return face.say("words.saved", player=a + 1, n=b)
        case record.WON:
            return face.say("words.won", player=a + 1)
        case record.DRAWN:
            return _why_nobody(face, a)
    return ""


def _sum(packed: int) -> str:
    """Packed dice (three bits each) as text: '4 + 6 = 10', or '4' for a single die."""
    faces = []
    while packed:
        faces.append(packed & 7)
        packed >>= 3
    return str(faces[0]) if len(faces) == 1 else f"{' + '.join(map(str, faces))} = {sum(faces)}"
