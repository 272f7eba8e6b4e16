"""How the thesis's Q agents play and learn: the rule of `QPlayer`.

After each own action, when it is asked again, the agent moves the value of that action towards the reward and the
discounted value of the best action now: ``Q(s, a) += alpha * (reward + gamma * max Q(s', a') - Q(s, a))``. In a network
this value is the target of one step of gradient descent. SARSA takes the value of the action that it chose instead;
double learning keeps two sets of values, lets one choose and the other judge, and changes either one at random.

Reference: Watkins, Dayan, *Q-learning*, Machine Learning 8, 1992. Van Hasselt, *Double Q-learning*, NIPS 2010.
"""

from __future__ import annotations

import math
from typing import Any

from ludens.core import ops
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.rng import below, uniform
from ludens.games.hearthstone import record as k
from ludens.games.hearthstone.body import attack_of
from ludens.games.hearthstone.rules import card_targets, defenders
from ludens.games.hearthstone.thesis import q_player as q
from ludens.games.hearthstone.thesis.planning import attackers, random_mulligan
from ludens.games.hearthstone.thesis.q_player import QPlayer
from ludens.games.hearthstone.thesis.q_view import list_moves, see_costs, see_everything, state_number

# Values


@kernel
def _sum_state(r: QPlayer, which: int, state: Any) -> None:
    """Write what the hidden units of network ``which`` get from a state and their bias into ``r.sums[0]``."""
    hidden, length = r.bias.shape[1], r.inner.shape[1] - r.values.shape[1]
    sums, weights = r.sums[0], r.inner[which]
    for j in range(hidden):
        sums[j] = r.bias[which, j]
    for i in range(length):
        x = state[i]
        if x != 0:
            row = weights[i]
            for j in range(hidden):
                sums[j] += x * row[j]


@kernel
def _output(r: QPlayer, which: int, action: int) -> float:
    """The output of network ``which`` for the state whose sums are in ``r.sums[0]`` and an action.

    The outputs of the hidden units are then in ``r.sums[1]``.
    """
    row = r.inner[which, r.inner.shape[1] - r.values.shape[1] + action]
    sums, outputs, outer = r.sums[0], r.sums[1], r.outer[which]
    total = r.offset[which]
    for j in range(len(outer)):
        outputs[j] = 1.0 / (1.0 + math.exp(-(sums[j] + row[j])))
    for j in range(len(outer)):
        total += outputs[j] * outer[j]
    return total


@kernel
def _place(r: QPlayer, state: Any) -> int:
    """The row of a state in the table; -1 if it was never seen."""
    return int64(r.places[state_number(r.options[0], state)])


@large_kernel
def _evaluate(r: QPlayer, which: int, n: int) -> None:
    """Write the values of set ``which`` for the actions of the first ``n`` moves into ``r.values[which]``."""
    if r.options[0].is_net:
        _sum_state(r, which, r.state)
        now = r.stamps[len(r.stamps) - 1] + 1
        r.stamps[len(r.stamps) - 1] = now
        for i in range(n):
            action = r.moves[i, 1]
            if r.stamps[action] != now:
                r.stamps[action] = now
                r.values[which, action] = _output(r, which, action)
        return
    place = _place(r, r.state)
    for i in range(n):
        action = r.moves[i, 1]
        r.values[which, action] = r.rows[which, place, action] if place >= 0 else 0.0


@kernel
def _best(r: QPlayer, which: int, n: int) -> int:
    """The index of the first of the best of ``n`` moves by the values of set ``which``; -1: by the sum of all sets."""
    best, most = 0, 0.0
    for i in range(n):
        action, value = r.moves[i, 1], 0.0
        for side in range(len(r.values)):
            if which < 0 or side == which:
                value += r.values[side, action]
        if i == 0 or value > most:
            best, most = i, value
    return int64(best)


# Learning


@kernel
def _descend(r: QPlayer, which: int, state: Any, action: int, target: float, hold: bool) -> float:
    """One step of gradient descent of network ``which`` for an action in a state towards a target.

    ``hold``: nothing is changed. Returns the output before.
    """
    _sum_state(r, which, state)
    value = _output(r, which, action)
    if hold:
        return value
    step, length = r.options[0].rate * (target - value), r.inner.shape[1] - r.values.shape[1]
    outer, outputs, sums = r.outer[which], r.sums[1], r.sums[0]
    for j in range(len(outer)):
        sums[j] = step * outer[j] * outputs[j] * (1.0 - outputs[j])  # from here on, how far each unit's inputs move
        outer[j] += step * outputs[j]
        r.bias[which, j] += sums[j]
    r.offset[which] += step
    for i in range(length):
        x = state[i]
        if x != 0:
            row = r.inner[which, i]
            for j in range(len(outer)):
                row[j] += x * sums[j]
    row = r.inner[which, length + action]
    for j in range(len(outer)):
        row[j] += sums[j]
    return value


@large_kernel
def _teach_holding(r: QPlayer, which: int, v: Any, m: Any, target: float) -> None:
    """Teach network ``which`` the target of the last action as often as the present value of each other action.

    In random order, drawn from the dice of the view.
    """
    actions, action = r.values.shape[1], int64(m.action)
    for i in range(actions):
        r.values[which, i] = _descend(r, which, m.state, i, 0.0, True)
        r.order[i] = i
        r.order[actions + i] = action
    for i in range(2 * actions - 1, 0, -1):
        j = below(v, i + 1)
        r.order[i], r.order[j] = r.order[j], r.order[i]
    r.values[which, action] = target
    for i in range(2 * actions):
        _descend(r, which, m.state, r.order[i], r.values[which, r.order[i]], False)


@kernel
def _move_value(r: QPlayer, which: int, v: Any, m: Any, goal: float) -> None:
    """Move the value of the last action, noted in ``m``, towards ``goal`` in the set ``which``."""
    o, action = r.options[0], int64(m.action)
    if o.is_net:
        value = _descend(r, which, m.state, action, 0.0, True)
        target = value + o.alpha * (goal - value)
        if o.holds:
            _teach_holding(r, which, v, m, target)
        else:
            _descend(r, which, m.state, action, target, False)
        return
    number = state_number(o, m.state)
    place = int64(r.places[number])
    if place < 0:
        if r.used[0] == r.rows.shape[1]:
            return
        place = int64(r.used[0])
        r.places[number] = place
        r.used[0] += 1
    r.rows[which, place, action] += o.alpha * (goal - r.rows[which, place, action])


@kernel
def _learn(r: QPlayer, v: Any, m: Any, reward: float, n: int, chosen: int) -> None:
    """Learn from the reward of the last action; ``n`` moves are possible now, of which ``chosen`` is played.

    ``n`` is 0 if nothing comes after it.
    """
    o = r.options[0]
    which = below(v, 2) if o.method == q.DOUBLE else 0
    goal = reward
    if n > 0:
        best = chosen if o.method == q.SARSA else _best(r, which, n)
        other = 1 - which if o.method == q.DOUBLE else 0
        goal += o.gamma * r.values[other, r.moves[best, 1]]
    _move_value(r, which, v, m, goal)


# Rewards


@kernel
def _health(v: Any, p: int) -> int:
    """Health and armor of the hero of seat ``p``."""
    return int64(v.body[p].health) + int64(v.side[p].armor)


@kernel
def _could_go_on(g: Any, v: Any, seat: int) -> bool:
    """Whether a card could be played or the enemy hero attacked now."""
    if attackers(v, seat) and defenders(v, seat) & 1:
        return True
    found = False
    for at in range(int64(v.side[seat].hand_size)):
        found |= card_targets(g, v, seat, at) != 0
    return found


@kernel
def _end_reward(o: Any, g: Any, v: Any, seat: int) -> float:
    """The reward for having ended the turn, by the position ``v``."""
    if _could_go_on(g, v, seat):
        return o.early
    side = v.side[seat]
    return o.mana * max(0, int64(side.crystals) - int64(side.mana)) / max(1, int64(side.crystals))


@kernel
def _reward_now(o: Any, g: Any, v: Any, seat: int, move: int) -> float:
    """The part of the reward of a move that is known when it is made."""
    if move == k.END:
        return 0.0 if o.judged_late else _end_reward(o, g, v, seat)
    if move < k.FIRST_ATTACK:
        return o.card
    if move < k.FIRST_POWER:
        defender = (move - k.FIRST_ATTACK) & 7
        if defender == 0 or v.body[v.side[1 - seat].board[defender - 1]].keywords & k.TAUNT:
            return o.strike
        return o.trade
    return 0.0


@kernel
def _reward_since(o: Any, g: Any, v: Any, seat: int, m: Any) -> float:
    """The whole reward of the last action, noted in ``m``, by the position at the next decision."""
    reward = m.earned
    dealt, lost = int64(m.foe) - _health(v, 1 - seat), int64(m.own) - _health(v, seat)
    if dealt > 0:
        reward += o.damage * dealt + o.any_damage
    if lost > 0:
        reward += o.hurt
    if m.ended and o.judged_late:
        reward += _end_reward(o, g, v, seat)
    if o.strength != 0:
        reward += o.strength * attack_of(v, seat)
        for i in range(int64(v.side[seat].board_size)):
            reward += o.strength * attack_of(v, int64(v.side[seat].board[i]))
    return reward


# Play


@kernel
def _look(r: QPlayer, g: Any, v: Any, seat: int) -> int:
    """Write the state and the possible moves with their values into the work space; returns the number of moves."""
    if r.options[0].sight == q.FULL:
        see_everything(r, g, v, seat)
    else:
        see_costs(r, g, v, seat)
    n = list_moves(r, g, v, seat)
    for which in range(len(r.values)):
        _evaluate(r, which, n)
    return n


@kernel
def _note(r: QPlayer, g: Any, v: Any, seat: int, m: Any, chosen: int) -> None:
    """Note the state, the chosen move and what was earned already in the memory ``m``."""
    move, action = r.moves[chosen, 0], r.moves[chosen, 1]
    m.has_last, m.ended, m.action = 1, move == k.END, action
    m.earned = _reward_now(r.options[0], g, v, seat, move)
    m.foe, m.own = _health(v, 1 - seat), _health(v, seat)
    for i in range(r.inner.shape[1] - r.values.shape[1]):
        m.state[i] = r.state[i]


@large_kernel
def _finish(r: QPlayer, g: Any, v: Any, seat: int, m: Any) -> None:
    """Learn from the end of a game."""
    o = r.options[0]
    if not m.has_last or o.at_end == q.NO_UPDATE:
        return
    if o.at_end == q.AS_USUAL:
        _learn(r, v, m, _reward_since(o, g, v, seat, m), 0, 0)
        return
    n = _look(r, g, v, seat)
    _learn(r, v, m, 0.0, n, _best(r, -1, n))


@implements(ops.rule, QPlayer)
@kernel
def _rule(r: QPlayer, g: Any, v: Any, m: Any) -> int:
    """The move of a Q agent in view ``v``; while it learns, it first learns from its last one, noted in ``m``."""
    seat, o = int64(v.seat), r.options[0]
    if v.phase == k.MULLIGANS:
        return random_mulligan(v, seat)
    if v.phase == k.ENDED:
        if o.is_learning:
            _finish(r, g, v, seat, m)
        return k.END
    n = _look(r, g, v, seat)
    chosen = _best(r, -1, n)
    if o.is_learning:
        if o.explore > 0 and uniform(v) < o.explore:
            chosen = below(v, n)
        if m.has_last:
            _learn(r, v, m, _reward_since(o, g, v, seat, m), n, chosen)
        _note(r, g, v, seat, m, chosen)
    return int64(r.moves[chosen, 0])
