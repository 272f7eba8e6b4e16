"""The agent of the thesis (team xkuder04, course SUI 2021): support of the border, attacks by search, retreat.

In its search every ply is one attack by one player, then the next player is to move. New dice are not foreseen. A
player without land, or without an attack that the filter accepts, makes the position a leaf. Ending the turn is no move
in that tree: the filter (`pruner.py`) decides when the agent stops attacking.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludens.core import ops
from ludens.core.agent import RuleAgent
from ludens.core.bits import lowest_bit
from ludens.core.copy_fields import copy_field
from ludens.core.game import Game
from ludens.core.kernel import int64, kernel, large_kernel
from ludens.core.ops import implements
from ludens.core.option import option
from ludens.games.dicewars.judgement import attack_action, success
from ludens.games.dicewars.record import AREAS, END
from ludens.games.dicewars.rules import MAX_LEGAL
from ludens.games.dicewars.thesis import tactics
from ludens.games.dicewars.thesis.evaluation import evaluate
from ludens.games.dicewars.thesis.forest import Forest, guess_evaluation, load_forest, no_forest
from ludens.games.dicewars.thesis.policy import (
    ATTACKS,
    TRANSFERS,
    Policy,
    best_of,
    list_moves,
    load_policy,
    make_policy,
    no_weights,
)
from ludens.games.dicewars.thesis.pruner import MODELS, RULES, Pruner, accepts, load_pruner, pruner_in
from ludens.learn.agent import FolderAgent
from ludens.search import contract
from ludens.search.maxn import NO_MOVE, Limits, Workspace, make_workspace, maxn

_SEARCHES = 16  # most searches for an attack in a turn
STRATEGIES = ("retreat", "first", "split", "final")


class ThesisRule(NamedTuple):
    """Settings and buffers of the thesis's agent; ``style`` is an array of one `tactics.Style`."""

    style: np.ndarray
    pruner: Pruner
    workspace: Workspace
    routes: tactics.Routes
    layers: np.ndarray
    forest: Forest
    policy: Policy


@implements(ops.rule, ThesisRule)
@large_kernel
def _play(r: ThesisRule, g: Any, v: Any, m: Any) -> int:
    """The action that the thesis's agent chooses in view ``v``; ``m`` is its memory.

    Support of the border, else an attack, else a transfer after the attacks, else END.
    """
    style, limit, made = r.style[0], int64(g.c.max_transfers), int64(v.transfers)
    tactics.note_turn(v, m)
    if style.learned:
        return _play_learned(r, g, v, m)
    action = END
    if style.supports and made < limit and (m.left or made <= style.begin):
        action = tactics.support(style, r.routes, g, v, m, int64(style.early) - made)
    if action == END and m.searches < style.searches:
        m.searches += 1
        action = _attack(r, g, v)
    if action == END and made < limit and style.late == tactics.RETREAT:
        action = tactics.retreat(g, v)
    if action == END and made < limit and style.late == tactics.SUPPORT:
        action = tactics.support(style, r.routes, g, v, m, limit - made)
    return action


@large_kernel
def _play_learned(r: ThesisRule, g: Any, v: Any, m: Any) -> int:
    """The same with the transfers of a learned policy: the best transfer if it scores better than END and any attack.

    Else an attack by search; where that finds none, any transfer that scores better than END.
    """
    p, style = r.policy, r.style[0]
    n = list_moves(p, g, v)
    transfer, attack = best_of(p, n, TRANSFERS), best_of(p, n, ATTACKS)
    wanted = int64(p.moves[transfer]) if p.scores[transfer] > 0.0 else END
    if wanted != END and (attack == 0 or p.scores[transfer] > p.scores[attack]):
        return wanted
    action = END
    if m.searches < style.searches:
        m.searches += 1
        action = _attack(r, g, v)
    return action if action != END else wanted


@kernel
def _attack(r: ThesisRule, g: Any, v: Any) -> int:
    """The attack that the search finds from view ``v``, as an action; if it finds none, the fallback or END."""
    root = r.workspace.states[0, 0]
    copy_field(root.near, v.near)
    copy_field(root.lands, v.lands)
    copy_field(root.owner, v.owner)
    copy_field(root.dice, v.dice)
    move = maxn(r, g, r.workspace, int64(v.turn))
    if move != NO_MOVE:
        return move
    return tactics.gamble(r.style[0], g, v) if r.style[0].gambles else END


# The tree


@implements(contract.candidates, ThesisRule)
@kernel
def _candidates(r: ThesisRule, g: Any, s: Any, seat: int, out: Any) -> int:
    """Write the attacks of ``seat`` that the pruner accepts into ``out`` and return their number."""
    mine, n = s.lands[seat], 0
    rest = mine
    while rest:
        source = int64(lowest_bit(rest))
        rest &= rest - 1
        targets = s.near[source] & ~mine if s.dice[source] > 1 else 0
        while targets:
            target = int64(lowest_bit(targets))
            targets &= targets - 1
            if accepts(r.pruner, g, s, seat, source, target):
                out[n] = attack_action(g, source, target)
                n += 1
    return n


@implements(contract.outcomes, ThesisRule)
@kernel
def _outcomes(r: ThesisRule, g: Any, s: Any, seat: int, move: int, outs: Any, odds: Any) -> int:
    """Write the position after the attack ``move`` succeeds, then after it fails, to ``outs``; returns 2.

    Their probabilities are written to ``odds``.
    """
    areas = int64(g.c.areas)
    source, target = (move - 1) // areas, (move - 1) % areas
    attack, defence = int64(s.dice[source]), int64(s.dice[target])
    odds[0] = success(g, s, source, target)
    odds[1] = 1.0 - odds[0]
    outs[0] = outs[1] = s
    outs[0].dice[source] = outs[1].dice[source] = 1
    outs[0].dice[target] = attack - 1
    outs[0].lands[s.owner[target]] &= ~(int64(1) << target)
    outs[0].lands[seat] |= int64(1) << target
    outs[0].owner[target] = seat
    outs[1].dice[target] = max(1, defence - (attack // int64(g.c.wear) if g.c.wear else 0))
    return 2


@implements(ops.value, ThesisRule)
@kernel
def _value(r: ThesisRule, g: Any, s: Any, out: Any) -> None:
    """Write the thesis's evaluation of the position for each seat, from 0 to about 1, into ``out`` [seats].

    With a weight of harm it is mixed with how little the others have on average.
    """
    style, total, others = r.style[0], 0.0, -1
    for seat in range(len(out)):
        if style.guesses:
            out[seat] = guess_evaluation(r.forest, g, s, seat, r.layers)
        else:
            out[seat] = evaluate(g, s, seat, style.text_layers == 1, r.layers)
        total += out[seat]
        others += s.lands[seat] != 0
    if style.harm > 0.0:
        for seat in range(len(out)):
            rivals = (total - out[seat]) / others if others > 0 else 0.0
            out[seat] = (out[seat] + style.harm * (1.0 - rivals)) / (1.0 + style.harm)


# The player


def _pruners() -> tuple[str, ...]:
    """The names that the parameter ``prune`` offers: exact rules, then models."""
    return (*RULES, *MODELS)


@dataclasses.dataclass(frozen=True)
class PlaySettings:
    """Parameters of the thesis's agent with a given pruner: its search, its transfers."""

    depth: int = option(6, "plies, each one attack by one player", low=1, high=16)
    nodes: int = option(
        2000, "most positions in a search; beyond that they are evaluated as leaves", low=1, high=1_000_000_000
    )
    sure: float = option(0.95, "of attacks more likely to succeed than this, failure is not searched", low=0, high=1)
    renormalise: bool = option(False, "whether such an attack counts as certain; else its failure is worth 0")
    pass_move: bool = option(False, "whether a player in the tree may leave the position as it stands")
    layers: str = option("code", "weights of layers as in the thesis's code or text", choices=("code", "text"))
    strategy: str = option(
        "retreat",
        "transfers: half (retreat, final), 2/3 (split) or all (first) before attacks; after them retreat or support",
        choices=STRATEGIES,
    )
    support: bool = option(True, "whether transfers support the border before attacks")
    retreat: bool = option(True, "whether transfers are made after attacks")
    fallback: bool = option(True, "whether the likeliest attack may be played where the search finds none")
    likely: float = option(0.6, "chance of success from which the fallback is always played", low=0, high=1)
    gamble: float = option(0.3, "probability of playing a less likely fallback", low=0, high=1)
    route: str = option("dfs", "depth-first or breadth-first search for a route of transfers", choices=("dfs", "bfs"))
    empty_route: bool = option(True, "whether that search may choose a route without transfers, as in the code")
    harm: float = option(0.0, "weight of how little the others have, beside the own evaluation", low=0, high=10)
    evaluate: str = option(
        "", "folder that `ludens train dicewars evaluation` wrote, to evaluate positions by; '': none"
    )
    transfers: str = option("", "folder that `ludens train dicewars policy` wrote, to choose transfers by; '': none")


@dataclasses.dataclass(frozen=True)
class ThesisSettings(PlaySettings):
    """Parameters of the thesis's agent."""

    prune: str = option(
        "threshold", "which attacks the search looks at: a rule, a model or its folder", offers=_pruners
    )
    limit: float = option(0.75, "for prune=threshold: least chance of taking and holding the area", low=0, high=1)


class Thesis(RuleAgent):
    """The thesis's agent: supports its border, attacks by a search over all players, then retreats."""

    name = "thesis"
    Settings: ClassVar[type] = ThesisSettings
    memory = tactics.ThesisMemory
    settings: Any

    def __init__(self, game: Game, settings: PlaySettings | None = None) -> None:
        """Load the pruner, and make the buffers of the search."""
        super().__init__(game, settings)
        s = self.settings
        limits = Limits(s.depth, s.nodes, s.sure, s.renormalise, s.pass_move)
        self._workspace = make_workspace(tactics.Position, limits, seats=game.rules.seats, moves=MAX_LEGAL)
        layers = np.zeros(AREAS + 1, np.int64)
        forest = load_forest(s.evaluate) if s.evaluate else no_forest()
        policy = load_policy(s.transfers) if s.transfers else make_policy(no_weights())
        self._rule = ThesisRule(
            self._style(), self.pruner(), self._workspace, tactics.new_routes(), layers, forest, policy
        )

    def pruner(self) -> Pruner:
        """Which attacks its search looks at, as its settings say."""
        return load_pruner(self.settings.prune, self.settings.limit)

    def _style(self) -> np.ndarray:
        """The parameters as kernels read them: an array of one `tactics.Style`."""
        s, limit, style = (
            self.settings,
            int(self.game.rules.constants.c["max_transfers"][0]),
            np.zeros(1, tactics.Style),
        )
        early = limit * 2 // 3 if s.strategy == "split" else limit
        late = {"retreat": tactics.RETREAT, "first": tactics.NOTHING}.get(s.strategy, tactics.SUPPORT)
        style["text_layers"], style["supports"], style["early"] = s.layers == "text", s.support, early
        style["begin"] = early - 1 if s.strategy in ("first", "split") else limit // 2
        style["late"] = late if s.retreat else tactics.NOTHING
        style["breadth"], style["empty"], style["searches"] = s.route == "bfs", s.empty_route, _SEARCHES
        style["guesses"], style["harm"], style["learned"] = s.evaluate != "", s.harm, s.transfers != ""
        style["gambles"], style["likely"], style["chance"] = s.fallback, s.likely, s.gamble
        return style

    def rule_settings(self) -> ThesisRule:
        """The settings that select its rule and by which it decides."""
        return self._rule

    @property
    def effort(self) -> tuple[int, int]:
        """The number of positions the last search looked at, and the deepest ply it reached."""
        return int(self._workspace.control["nodes"][0]), int(self._workspace.control["deepest"][0])


class EvaluationAgent(FolderAgent, Thesis):
    """The thesis's agent with a forest that guesses its evaluation."""

    def __init__(self, game: Game, settings: PlaySettings | None = None) -> None:
        """Load the forest of the folder, and whatever the settings name."""
        super().__init__(game, settings)
        self._rule = self._rule._replace(forest=load_forest(str(self.folder)))
        self._rule.style["guesses"] = 1


class PrunerAgent(FolderAgent, Thesis):
    """The thesis's agent with a trained classifier of attacks."""

    Settings = PlaySettings

    def pruner(self) -> Pruner:
        """The classifier of the folder."""
        return pruner_in(self.folder)
