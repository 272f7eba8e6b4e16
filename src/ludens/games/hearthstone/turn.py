"""The stages of an action and of a turn, and the deaths between them.

An action sets off its first effects and names its next stage in ``s.stage``. `resolve` then does the effects on the
stack, removes the dead, and goes on to the next stage until there is none. So nobody dies in the middle of an effect.
"""

from __future__ import annotations

from typing import Any

from ludens.core.event import EVERYONE, tell
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of, damage, name_of, refresh_auras, set_off, set_off_wounds
from ludens.games.hearthstone.effects import run
from ludens.games.hearthstone.holding import draw, wear_weapon
from ludens.games.hearthstone.record import HearthstoneConstants

RESTING, PLAYED_MINION, CAST_SPELL, USED_POWER, PROPOSED, STRUCK, ENDING, BEGINNING = range(8)


@large_kernel
def resolve(g: HearthstoneConstants, s: Any, log: Any) -> None:
    """Finish an action that has begun: all its effects, deaths and stages, up to the next decision, draw or the end."""
    while True:
        run(g, s, log)
        if s.has_dead and s.stage != STRUCK and _handle_deaths(g, s, log):  # not amid an attack
            if s.phase == k.ENDED:
                break
            continue
        if not _advance(g, s, log):
            break
    s.stage = RESTING
    s.attacker = s.defender = -1


@large_kernel
def _advance(g: HearthstoneConstants, s: Any, log: Any) -> bool:
    """Begin the next stage of the action, which ``s.stage`` names; return False if nothing is left to resolve."""
    stage, seat = int64(s.stage), int64(s.turn)
    s.stage = RESTING
    if stage == PLAYED_MINION:
        if _stands(s, int64(s.attacker)):
            set_off(g, s, seat, int64(s.attacker), 0, k.SUMMONED, 0, 0)
    elif stage == CAST_SPELL:
        set_off(g, s, seat, -1, 0, k.AFTER_CAST, 0, 0)
    elif stage == USED_POWER:
        set_off(g, s, seat, -1, 0, k.INSPIRE, 0, 0)
    elif stage == PROPOSED:
        if _stands(s, int64(s.attacker)) and _stands(s, int64(s.defender)):
            _strike(g, s, log)
            s.stage = STRUCK
    elif stage == STRUCK:
        if s.attacker < 2:
            wear_weapon(g, s, seat, log)
        if s.defender < 2:
            set_off(g, s, 1 - seat, -1, 0, k.WAS_ATTACKED, 0, 0)
    elif stage == ENDING:
        _end_turn(s, seat, log)
        s.phase = k.PASSING
        return False
    elif stage == BEGINNING:
        s.phase = k.ACTING
        draw(g, s, seat, log)
    else:
        return False
    return True


@kernel
def _stands(s: Any, e: int) -> bool:
    """Return whether body ``e``, attacker or defender of the action (-1: removed), is still in play."""
    return e >= 0 and s.body[e].zone == k.IN_PLAY


@kernel
def _strike(g: HearthstoneConstants, s: Any, log: Any) -> None:
    """Deal the damage of the attack of ``s.attacker`` on ``s.defender``, then set off what reacts to the wounds.

    Both deal the attack they had before it; a defending hero deals none.
    """
    attacker, defender = int64(s.attacker), int64(s.defender)
    blow = attack_of(s, attacker)
    answer = attack_of(s, defender) if defender >= 2 else 0
    is_hit = damage(g, s, defender, blow, attacker, log)
    is_hit_back = damage(g, s, attacker, answer, defender, log)
    refresh_auras(g, s)  # Enrage depends on wounds
    if (
        s.body[attacker].play_order < s.body[defender].play_order
    ):  # the older one's triggers go on the stack last, to act first
        _set_off_wound(g, s, defender, is_hit, blow)
        _set_off_wound(g, s, attacker, is_hit_back, answer)
    else:
        _set_off_wound(g, s, attacker, is_hit_back, answer)
        _set_off_wound(g, s, defender, is_hit, blow)


@kernel
def _set_off_wound(g: HearthstoneConstants, s: Any, e: int, is_hit: bool, amount: int) -> None:
    """Push the effects that react to ``amount`` damage to minion ``e``, if ``is_hit``; for each side of an attack."""
    if is_hit:
        set_off_wounds(g, s, int64(1) << e, amount)


@large_kernel
def _handle_deaths(g: HearthstoneConstants, s: Any, log: Any) -> bool:
    """Do one step of handling deaths; return False if there is none to do.

    If minions have been removed whose deaths are not yet told, tell the death of the oldest and set off what reacts to
    it. Else remove all who have died since from the boards together; if a hero is among the dead, the game is over.
    """
    oldest = int64(-1)
    for e in range(2, k.BODIES):
        if s.body[e].zone == k.DYING and (oldest < 0 or s.body[e].play_order < s.body[oldest].play_order):
            oldest = int64(e)
    if oldest >= 0:
        body = s.body[oldest]
        body.zone = k.DEAD
        tell(log, k.DIED, EVERYONE, name_of(s, oldest), 0, 0)
        set_off(g, s, int64(body.owner), oldest, k.DEATH, k.FRIEND_DIES, 0, 0)
        return True
    for e in range(2, k.BODIES):
        if s.body[e].zone == k.DEAD:
            _clear_body(s, e)
    s.has_dead = 0
    lost = (1 if s.body[0].health <= 0 else 0) + (2 if s.body[1].health <= 0 else 0)
    removed = _remove(s, 0) + _remove(s, 1)
    refresh_auras(g, s)
    if lost:
        for e in range(2, k.BODIES):
            if s.body[e].zone == k.DYING:
                tell(log, k.DIED, EVERYONE, name_of(s, e), 0, 0)
                _clear_body(s, e)
        finish(s, k.NOBODY if lost == 3 else lost % 2, log)  # lost is 1 or 2: seat 1 or 0 is left
        return True
    s.has_dead = 1 if removed else 0
    return removed > 0


@kernel
def _remove(s: Any, seat: int) -> int:
    """Take all dead minions of a seat off its board (zone DYING: deaths not yet told); return their number."""
    q, kept, n = s.side[seat], int64(0), int64(0)
    for i in range(int64(q.board_size)):
        e = int64(q.board[i])
        body = s.body[e]
        if body.health <= 0 or body.keywords & k.DOOMED:
            body.zone = k.DYING
            body.place = kept
            body.death_rank = n
            n += 1
        else:
            q.board[kept] = e
            kept += 1
    for i in range(kept, int64(q.board_size)):
        q.board[i] = 0
    q.board_size = kept
    return n


@kernel
def _clear_body(s: Any, e: int) -> None:
    """Blank the record of minion ``e``, which has left play, and drop it as attacker or defender."""
    if s.attacker == e:
        s.attacker = -1
    if s.defender == e:
        s.defender = -1
    body = s.body[e]
    body.card = 0
    body.owner = 0
    body.zone = k.FREE
    body.attack = 0
    body.attack_this_turn = 0
    body.aura = 0
    body.health = 0
    body.max_health = 0
    body.play_order = 0
    body.keywords = 0
    body.attacks = 0
    body.place = 0
    body.death_rank = 0
    body.triggers = 0


@kernel
def finish(s: Any, winner: int, log: Any) -> None:
    """End the game, with its event; ``winner`` is a seat or NOBODY."""
    s.phase = k.ENDED
    s.winner = winner
    tell(log, k.FINISHED, EVERYONE, winner, 0, 0)


@kernel
def _end_turn(s: Any, seat: int, log: Any) -> None:
    """End the turn of ``seat``: bonuses for the turn and excess mana are lost.

    Its frozen characters thaw, unless they attacked or came into play this turn.
    """
    for e in range(k.BODIES):
        body = s.body[e]
        if body.zone == k.IN_PLAY:
            has_none_to_miss = body.attacks > 0 or (body.keywords & k.SICK and not body.keywords & k.CHARGE)
            if body.owner == seat and body.keywords & k.FROZEN and not has_none_to_miss:
                body.keywords = int64(body.keywords) & ~k.FROZEN
                tell(log, k.THAWED, EVERYONE, name_of(s, e), 0, 0)
            body.attack_this_turn = 0
            body.keywords = int64(body.keywords) & ~(k.WOKEN | k.IMMUNE)
    q = s.side[seat]
    q.tax = 0
    q.mana -= q.extra_mana
    q.extra_mana = 0


@kernel
def begin_turn(g: HearthstoneConstants, s: Any, log: Any) -> None:
    """Begin the turn of the other seat: one more crystal, full mana, rested characters; set off effects of the start.

    After TURNS turns the game ends instead, without a winner.
    """
    if s.turns >= k.TURNS:
        finish(s, k.NOBODY, log)
        return
    seat = 1 - int64(s.turn)
    s.turn = seat
    s.turns += 1
    q = s.side[seat]
    q.crystals = min(k.MANA, int64(q.crystals) + 1)
    q.mana = q.crystals
    q.powers_used = 0
    q.minions_played = 0
    q.tax = q.next_tax
    q.next_tax = 0
    for e in range(k.BODIES):
        body = s.body[e]
        if body.zone == k.IN_PLAY and body.owner == seat:
            body.attacks = 0
            body.keywords = int64(body.keywords) & ~k.SICK
    tell(log, k.TURN, EVERYONE, seat, int64(s.turns), int64(q.crystals))
    s.phase = k.PASSING
    s.stage = BEGINNING
    set_off(g, s, seat, -1, 0, k.TURN_START | k.EACH_START, k.EACH_START, 0)
