"""Operations that only searches call, besides those in ``core/ops.py``. A game implements the ones its searches need.

* *Alpha-beta* (`alphabeta.py`): `key`, `horizon`.
* *MCTS* (`mcts.py`): `label`, where an action number means different moves in different worlds; `piece` and `credit`,
  where one seat has several pieces; `observation_label`, for a tree over what the other seat observes (`observers.py`).
* *A tree of the agent's own* (`maxn.py`, `turnwise.py`): `candidates` and `outcomes`, implemented for the type of the
  agent's settings ``r`` instead of the game's constants.

``g`` is always the constants of the game and ``s`` a state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ludens.core.agent import RuleAgent
from ludens.core.error import BadOption
from ludens.core.ops import optional, required
from ludens.core.registry import agent_folder, make_agent

if TYPE_CHECKING:
    from ludens.core.game import Game


HAND = "hand"  # names the game's own judgement, so that a study can ask for it whatever a search uses by default


class GameEvaluator(NamedTuple):
    """The evaluator that uses the game's own `value` and `order`; searches take it unless an agent gives another."""

    none: int = 0


def evaluator_of(model: str, game: Game, *needs: str) -> Any:
    """The settings whose `value` and `order` a search uses: those of a trained agent, or the game's own, made by hand.

    ``model`` is the path or short name of an agent folder, HAND or '' for the game's own; ``needs`` names the
    operations that it must answer; what it need not and does not answer is the game's. BadOption if it is no such
    agent.
    """
    if model in ("", HAND):
        return GameEvaluator()
    if agent_folder(model, game) is None:
        raise BadOption(f"there is no trained agent '{model[:200]}': model takes a folder that `ludens train` wrote")
    agent = make_agent(model, game)
    if not isinstance(agent, RuleAgent):
        raise BadOption(f"{model} cannot be the judgement of a search: it searches itself")
    for operation in needs:
        if not agent.can(operation):
            raise BadOption(f"{model} cannot be the judgement of this search: it was trained without {operation}")
    settings = agent.rule_settings()
    return getattr(settings, "evaluator", settings)  # all that is needed of a player that looks a move ahead


@optional
def key(g: Any, s: Any) -> int:
    """A 64-bit hash of the position, by which alpha-beta looks it up in its transposition table.

    Positions with equal keys must have equal values; what makes no difference to play (the order of Azul's factories)
    should not change the key.
    """
    raise AssertionError


@optional
def horizon(g: Any, s: Any) -> int:
    """The largest number of decisions that can come before the next draw or the end of the game."""
    raise AssertionError


@optional
def label(g: Any, s: Any, action: int) -> int:
    """A number from 0 to ``Rules.labels - 1`` that names the same move in every world: a card, not its place in a hand.

    MCTS keeps its nodes by labels in games that have them.
    """
    raise AssertionError


@optional
def piece(g: Any, s: Any) -> int:
    """1 + the index of the piece that moves next, for `credit`; 0 if results are counted for the seat as a whole."""
    raise AssertionError


@optional
def credit(g: Any, s: Any, share: float, out: Any) -> None:
    """Replace the results of seats in ``out`` by those of pieces: ``out[i]`` becomes that of the piece of index i.

    Searches call it after `returns` (or `value`) has filled ``out``. A piece whose colleague achieved the result gets
    less, by ``share`` of the difference between a win and a loss.
    """


@optional
def observation_label(g: Any, s: Any, action: int) -> int:
    """A number for what the other seat observes of ``action``, which is about to be played in ``s``; two seats only.

    Actions that it cannot tell apart get the same number.
    """
    raise AssertionError


@required
def candidates(r: Any, g: Any, s: Any, seat: int, out: Any) -> int:
    """Write the moves of ``seat`` that a search should follow into ``out`` and return their number, 0 at a leaf.

    ``turnwise.py`` takes the moves for actions; for ``maxn.py`` they are any numbers that `outcomes` understands.
    """
    raise AssertionError


@required
def outcomes(r: Any, g: Any, s: Any, seat: int, move: int, outs: Any, odds: Any) -> int:
    """Write the positions ``move`` of ``seat`` may lead to into ``outs``, with their probabilities in ``odds``.

    Returns their number. The search follows them in this order.
    """
    raise AssertionError
