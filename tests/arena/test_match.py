"""The driver: many games at once, each exactly as if it were played alone."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from ludens.arena.match import Match, measure_batched, start_fields
from ludens.core import ops
from ludens.core.agent import Agent, RuleAgent
from ludens.core.checksum import checksum
from ludens.core.error import AgentFailure, BadOption
from ludens.core.event import EVERYONE, Event, tell
from ludens.core.game import Game
from ludens.core.kernel import kernel
from ludens.core.ops import OVER, implements
from ludens.core.record import Record
from ludens.core.registry import make_agent, make_game
from ludens.core.rng import below
from ludens.core.rules import Rules
from ludens.core.seed import dice_key
from ludens.core.state import View

AZUL = make_game("azul")
TURNS = 4


class BidConstants(NamedTuple):
    """Of the toy game below."""

    c: np.record


BidState = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64),
            ("seat", np.int8),
            ("turn", np.int64),
            ("gift", np.int64, (2,)),
            ("total", np.int64, (2,)),
        ],
    )
)


@implements(ops.setup, BidConstants)
@kernel
def _setup(g: Any, s: Any, log: Any) -> None:
    for seat in range(2):
        s.total[seat] = s.gift[seat]


@implements(ops.legal, BidConstants)
@kernel
def _legal(g: Any, s: Any, out: Any) -> int:
    for bid in range(3):
        out[bid] = bid
    return 3


@implements(ops.decide, BidConstants)
@kernel
def _decide(g: Any, s: Any, action: int, log: Any) -> None:
    seat = s.turn % 2
    tell(log, 7, EVERYONE, seat, action, 0)
    tell(log, 8, 1 << seat, s.turn, 0, 0)
    s.total[seat] += action
    s.turn += 1


@implements(ops.to_move, BidConstants)
@kernel
def _to_move(g: Any, s: Any) -> int:
    return s.turn % 2 if s.turn < TURNS else OVER


@implements(ops.chance, BidConstants)
@kernel
def _chance(g: Any, s: Any, log: Any) -> None:
    s.turn += 0


@implements(ops.returns, BidConstants)
@kernel
def _returns(g: Any, s: Any, out: Any) -> None:
    out[0] = np.sign(s.total[0] - s.total[1])
    out[1] = -out[0]


@implements(ops.scores, BidConstants)
@kernel
def _scores(g: Any, s: Any, out: Any) -> None:
    out[0] = s.total[0]
    out[1] = s.total[1]


@implements(ops.see, BidConstants)
@kernel
def _see(g: Any, s: Any, seat: int, v: Any) -> None:
    v.turn = s.turn
    v.gift[seat] = s.gift[seat]


class BidsRules(Rules):
    """Two seats bid in turn; the larger sum wins; a gift counts from the start."""

    id = "bids"
    State = BidState
    actions = 3
    max_legal = 3
    start_fields = ("gift",)

    def make_constants(self) -> BidConstants:
        return BidConstants(np.zeros(1, np.dtype((np.record, [("none", np.int64)]))))  # type: ignore[arg-type]


class Bids(Game):
    """Two seats bid in turn; the larger sum wins; a gift counts from the start."""

    Rules = BidsRules


class Counter(Agent):
    """Counts its moves and what it hears, and checks that its memory is its own."""

    name = "counter"
    memory = np.dtype([("moves", np.int64), ("heard", np.int64), ("secret", np.int64)])
    wants_events = True

    def __init__(self, game: Game, gift: int = 0) -> None:
        super().__init__(game)
        self.gift = gift
        self.final: list[Any] = []

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        assert (views["turn"] // 2 == memory["moves"]).all()
        assert (memory["heard"] == views["turn"]).all()
        assert (memory["secret"] == memory["moves"]).all()
        memory["moves"] += 1
        return np.zeros(len(views), np.int64)

    def observe(self, heard: list[list[Event]], memory: np.ndarray) -> None:
        for i, events in enumerate(heard):
            memory["heard"][i] += sum(event.kind == 7 for event in events)
            memory["secret"][i] += sum(event.kind == 8 for event in events)
        self.final = memory.tolist()

    def start_fields(self) -> dict[str, Any]:
        return {"gift": self.gift} if self.gift else {}


def _match(game: Game, agents: list[Agent], owners: list[list[int]]) -> Match:
    seeds = np.arange(len(owners), dtype=np.uint64) // np.uint64(2)
    keys = np.array([dice_key(int(seed), lane) for lane, seed in enumerate(seeds)], np.uint64)
    return Match(game, agents, seeds, keys, np.array(owners))


def test_each_game_is_what_its_record_replays_to() -> None:
    match = _match(AZUL, [make_agent("random", AZUL), make_agent("random", AZUL)], [[0, 1], [1, 0]] * 10).play()
    for lane in range(20):
        actions = match.actions[: match.decisions[lane], lane].tolist()
        fingerprint = checksum(match.states[lane : lane + 1])
        record = Record("azul", 1, AZUL.rules.option_values(), int(match.seeds[lane]), actions, fingerprint)
        state: Any = record.replay()
        assert state.over
        assert state.returns == match.returns[lane].tolist()
        assert state.scores == match.scores[lane].tolist()
        assert match.moves[lane].sum() == len(actions)


def test_a_batch_plays_as_games_alone_do() -> None:
    agents = [make_agent("random", AZUL), make_agent("random", AZUL)]
    together = _match(AZUL, agents, [[0, 1], [1, 0]] * 8).play()
    for lane in range(16):
        part = slice(lane, lane + 1)
        alone = Match(AZUL, agents, together.seeds[part], together.keys[part], together.owners[part]).play()
        assert checksum(alone.states) == checksum(together.states[part])


def test_memory_events_and_gifts() -> None:
    game = Bids()
    agents: list[Agent] = [Counter(game, gift=5), Counter(game)]
    match = _match(game, agents, [[0, 1], [1, 0], [0, 1], [0, 0]]).play()
    assert match.failures == {}
    assert match.scores.tolist() == [[5, 0], [0, 5], [5, 0], [5, 5]]
    assert match.returns.tolist() == [[1, -1], [-1, 1], [1, -1], [0, 0]]
    assert match.fields(1) == {"gift": [0, 5]}
    assert agents[1].final == [(2, 4, 2)] * 3  # type: ignore[attr-defined]  # the last events are heard too


def test_what_nobody_knows_cannot_be_brought() -> None:
    with pytest.raises(BadOption, match="sets the start field 'gift', but those of azul are: none"):
        start_fields(AZUL, [Counter(AZUL, gift=1)])


class Fragile(Agent):
    """Fails in some games: `how` it is asked to."""

    name = "fragile"

    def __init__(self, game: Game, how: str) -> None:
        super().__init__(game)
        self.how = how

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        bad = views["rng"] % 64 == 0
        chosen = np.array([View(self.game, views[i : i + 1]).legal[0] for i in range(len(views))])
        if self.how == "illegal":
            return np.where(bad, -1, chosen)
        if bad.any():
            raise AgentFailure("too slow", "timeout") if self.how == "timeout" else ValueError("boom")
        return np.zeros(3, float) if self.how == "nonsense" else chosen


@pytest.mark.parametrize("how", ["crash", "timeout", "illegal"])
def test_a_failing_agent_loses_those_games_only(how: str) -> None:
    match = _match(AZUL, [Fragile(AZUL, how), make_agent("random", AZUL)], [[0, 1], [1, 0]] * 20).play()
    assert 0 < len(match.failures) < 40
    for lane in range(40):
        failure = match.failures.get(lane)
        if failure is None:
            continue
        assert failure.kind == how
        assert failure.seat == match.owners[lane].tolist().index(0)
        assert match.returns[lane, failure.seat] == -1
        assert match.returns[lane, 1 - failure.seat] == 1
        actions = match.actions[: match.decisions[lane], lane].tolist()
        sums = checksum(match.states[lane : lane + 1])
        assert not Record("azul", 1, {}, int(match.seeds[lane]), actions, sums).replay().over


def test_nonsense_is_illegal_and_at_a_table_the_others_share() -> None:
    game = make_game("azul", players=3)
    agents = [Fragile(game, "nonsense"), make_agent("random", game), make_agent("random", game)]
    match = _match(game, agents, [[0, 1, 2], [1, 0, 2]]).play()
    assert match.returns.tolist() == [[-1, 0.5, 0.5], [0.5, -1, 0.5]]
    assert {failure.kind for failure in match.failures.values()} <= {"illegal", "crash"}


class SlipRule(NamedTuple):
    """Settings of the player below: what it answers instead of an action, one time in sixteen."""

    answer: int


@implements(ops.rule, SlipRule)
@kernel
def _slip(r: SlipRule, g: Any, v: Any, m: Any) -> int:
    return r.answer if below(v, 16) == 0 else 0


class Slip(RuleAgent):
    """A scripted player of the game of bids that sometimes answers what is not legal."""

    name = "slip"

    def __init__(self, game: Game, answer: int = -7) -> None:
        super().__init__(game)
        self.answer = answer

    def rule_settings(self) -> SlipRule:
        return SlipRule(self.answer)


class SlipAsked(Slip):
    """The same player, asked view by view as other agents are."""

    def act(self, views: np.ndarray, memory: np.ndarray) -> np.ndarray:
        return super().act(views, memory)


@pytest.mark.parametrize("answers", [(-7, -7), (-7, 1 << 40)])
def test_scripts_played_in_one_go_are_what_they_are_asked_singly(answers: tuple[int, int]) -> None:
    game, owners = Bids(), [[0, 1], [1, 0], [0, 0], [1, 1]] * 10
    played = _match(game, [Slip(game, answer) for answer in answers], owners).play()
    asked = _match(game, [SlipAsked(game, answer) for answer in answers], owners).play()
    mixed = _match(game, [Slip(game, answers[0]), SlipAsked(game, answers[1])], owners).play()
    assert 0 < len(played.failures) < 40
    assert {failure.kind for failure in played.failures.values()} == {"illegal"}
    for other in (asked, mixed):
        assert played.failures == other.failures
        assert played.returns.tolist() == other.returns.tolist()
        assert played.scores.tolist() == other.scores.tolist()
        assert played.states.tobytes() == other.states.tobytes()
        assert played.moves.tolist() == other.moves.tolist()
        assert played.decisions.tolist() == other.decisions.tolist()
        assert ((other.ms > 0) == (played.ms > 0)).all()
    for lane, failure in played.failures.items():
        answer = answers[played.owners[lane, failure.seat]]
        assert failure.message == f"answered {answer}, which is not legal here"


@pytest.mark.parametrize("most", [None, 2])
@pytest.mark.parametrize("absent", [0, 1, 2])
def test_an_agent_may_sit_nowhere(absent: int, most: int | None) -> None:
    """Each has a memory of its own kind, as `arena` needs where it lets the agents of a pool move once."""
    game = make_game("dicewars", players=2, areas=6, max_turns=6)
    agents = [make_agent(spec, game) for spec in ("thesis:depth=1", "stei-adt", "wpm-d")]
    assert len({agent.memory for agent in agents}) == 3
    match = _match(game, agents, [[seat for seat in range(3) if seat != absent]] * 2).play(most)
    assert (match.decisions > 0).all()
    assert not match.failures


@pytest.mark.parametrize("asked", [False, True])
def test_more_decisions_than_there_was_room_for(asked: bool) -> None:
    game = make_game("dicewars", players=2, areas=16)
    agents = [make_agent("random", game), make_agent("random", game)]
    agents[0].one_by_one = asked
    match = _match(game, agents, [[0, 1], [1, 0]] * 6).play()
    assert match.decisions.max() > 4 * 64  # it grew twice
    for lane in range(12):
        state = game.start(seed=int(match.seeds[lane]))
        for action in match.actions[: match.decisions[lane], lane].tolist():
            state.play(action)
        assert state.over
        assert state.array.tobytes() == match.states[lane : lane + 1].tobytes()


def test_measuring_speed_gives_a_rate() -> None:
    assert measure_batched(AZUL, seconds=0.05, lanes=64) > 100
