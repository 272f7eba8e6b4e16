"""The thinking processes: the same answers as anywhere else, and no agent that keeps others waiting."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

import ludens
from ludens.arena.pipe import start_module
from ludens.core.error import AgentFailure
from ludens.core.state import State
from ludens.web import agent_pool as think
from ludens.web.agent_pool import AgentPool, Turns
from ludens.web.agent_process import Memory, answer
from ludens.web.limit import Visitor
from ludens.web.question import Answer, Question

KUHN = ludens.game("kuhn")
SLOW_SECONDS = 60
SLOW = f"mcts:seconds={SLOW_SECONDS}"


def question(state: State, spec: str, kind: str = "move", table: str = "t", **more: Any) -> Question:
    """As a table asks."""
    options, actions = state.game.rules.option_values(), list(state.actions)
    asked = Question(kind, state.game.id, options, [spec], table, state.seed, state.fields, actions, state.to_move)
    return replace(asked, **more)


class Started:
    """The processes that were started, by number."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.processes: list[Any] = []

        def start(module: str, *, silent: bool) -> Any:
            self.processes.append(start_module(module, silent=silent))
            return self.processes[-1]

        monkeypatch.setattr(think, "start_module", start)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    return Started(monkeypatch)


@contextlib.asynccontextmanager
async def thinking(max_seconds: float = 10.0) -> AsyncIterator[AgentPool]:
    agent_pool = AgentPool(max_seconds)
    agent_pool.start()
    try:
        yield agent_pool
    finally:
        await agent_pool.close()


def run(work: Callable[[AgentPool], Awaitable[None]], max_seconds: float = 10.0) -> None:
    async def inside() -> None:
        async with thinking(max_seconds) as agent_pool:
            await work(agent_pool)

    asyncio.run(asyncio.wait_for(inside(), 300))


def positions() -> list[State]:
    """Some positions of two games, each its own table."""
    found = []
    for seed in range(6):
        state = KUHN.start(seed)
        for _ in range(seed % 3):
            state.play(0 if len(state.actions) != 1 else 1)
        found.append(state)
    return [state for state in found if not state.over]


def test_answers_are_those_of_the_agent_itself_and_all_processes_end(started: Started) -> None:
    async def work(agent_pool: AgentPool) -> None:
        for spec in ("random", "mcts:sims=60"):
            agent = ludens.agent(spec, KUHN)
            asked = [question(state, spec, table=str(n)) for n, state in enumerate(positions())]
            replies = await asyncio.gather(*(agent_pool.ask(one) for one in asked * 4))  # many at once
            expected = [agent.choose(state.view()) for state in positions()] * 4
            assert [reply.action for reply in replies] == expected
            assert all(reply.ms >= 0 for reply in replies)

    run(work)
    assert len(started.processes) <= 2
    assert all(process.poll() is not None for process in started.processes)


def test_a_slow_agent_does_not_delay_a_quick_one_nor_an_overrun_the_next(started: Started) -> None:
    async def work(agent_pool: AgentPool) -> None:
        state = KUHN.start(1)
        agent_pool.expect("kuhn", "random", 1.0)
        await agent_pool.prepare("kuhn", KUHN.rules.option_values(), ["random", "mcts"])
        assert len(started.processes) == 2
        begun = time.perf_counter()
        slow = asyncio.create_task(agent_pool.ask(question(state, SLOW, table="slow"), 3.0))
        await asyncio.sleep(0.1)
        for number in range(5):
            await agent_pool.ask(question(state, "random", table=str(number)))
        assert not slow.done()
        with pytest.raises(AgentFailure, match="longer than 3 s") as why:
            await slow
        assert why.value.kind == "timeout"
        assert time.perf_counter() - begun < SLOW_SECONDS
        reply = await agent_pool.ask(question(state, "mcts:sims=50", table="slow"))
        assert reply.action == ludens.agent("mcts:sims=50", KUHN).choose(state.view())
        assert len(started.processes) == 3  # a fresh one took the place
        assert len([process for process in started.processes if process.poll() is None]) == 2

    run(work)


def test_the_one_who_overruns_is_blamed_and_those_behind_him_are_answered(started: Started) -> None:
    async def work(agent_pool: AgentPool) -> None:
        state = KUHN.start(1)
        for spec in ("random", SLOW):
            agent_pool.expect("kuhn", spec, 1.0)  # wrongly: all three are sent together
        specs = ["random", SLOW, "random"]
        asked = [agent_pool.ask(question(state, spec, table=str(n)), 3.0) for n, spec in enumerate(specs)]
        replies = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(reply, AgentFailure) for reply in replies] == [False, True, False]

    run(work)


@pytest.mark.parametrize("when", ["idle", "thinking"])
def test_a_killed_process_is_replaced(started: Started, when: str) -> None:
    async def work(agent_pool: AgentPool) -> None:
        state = KUHN.start(1)
        await agent_pool.ask(question(state, "random"))
        if when == "thinking":
            slow = asyncio.create_task(agent_pool.ask(question(state, SLOW, table="slow")))
            await asyncio.sleep(0.5)
        for process in list(started.processes):
            process.kill()
            process.wait()
        if when == "thinking":
            with pytest.raises(AgentFailure) as why:
                await slow
            assert why.value.kind == "crash"
        reply = await agent_pool.ask(question(state, "random"))
        assert reply.action == ludens.agent("random", KUHN).choose(state.view())

    run(work)


def test_a_question_nobody_waits_for_is_not_asked(started: Started) -> None:
    async def work(agent_pool: AgentPool) -> None:
        state = KUHN.start(1)
        agent_pool.expect("kuhn", "random", 1.0)
        asked = [asyncio.create_task(agent_pool.ask(question(state, SLOW, table=str(n)))) for n in range(3)]
        await asyncio.sleep(0.05)
        for task in asked:
            task.cancel()
        assert (await agent_pool.ask(question(state, "random"))).action in (0, 1)
        assert not agent_pool._quick.visitors()

    run(work, max_seconds=3.0)


def test_nonsense_is_a_failure_of_the_agent_and_too_many_questions_are_refused(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(agent_pool: AgentPool) -> None:
        state = KUHN.start(1)
        with pytest.raises(AgentFailure, match="no agent"):
            await agent_pool.ask(question(state, "nobody"))
        with pytest.raises(AgentFailure):
            await agent_pool.ask(question(state, "random", actions=[77]))
        assert (await agent_pool.ask(question(state, "random"))).action in (0, 1)
        monkeypatch.setattr(think, "_MOST_WAITING", 0)
        with pytest.raises(AgentFailure) as why:
            await agent_pool.ask(question(state, "random"))
        assert why.value.kind == "busy"

    run(work)


ANNA, BEN, FAR = Visitor("10.0.0.1", "anna"), Visitor("10.0.0.1", "ben"), Visitor("10.0.0.2", "far")


def test_one_visitors_many_slow_tables_do_not_delay_everybody_else(started: Started) -> None:
    async def work(agent_pool: AgentPool) -> None:
        state, order = KUHN.start(1), []
        visitors = [ANNA] * 6 + [BEN] * 2 + [FAR]

        async def ask(number: int, visitor: Visitor) -> None:
            await agent_pool.ask(question(state, "mcts:sims=50", table=str(number), visitor=visitor))
            order.append(visitor)

        monkey = asyncio.create_task(agent_pool.ask(question(state, "mcts:seconds=2", table="first")))
        await asyncio.sleep(0)  # it is thinking; all others wait
        await asyncio.gather(*(ask(number, visitor) for number, visitor in enumerate(visitors)), monkey)
        assert order[:2] == [ANNA, FAR]
        assert order[2:6] == [BEN, ANNA, BEN, ANNA]

    run(work)


def test_questions_wait_in_turns() -> None:
    turns, state = Turns(), KUHN.start(1)
    for number, visitor in enumerate([ANNA, ANNA, ANNA, BEN, FAR, FAR]):
        asked = question(state, "random", table=str(number), visitor=visitor)
        turns.add(think._Job(asked, 1.0, asyncio.Future(loop=asyncio.new_event_loop())))
    taken = [(turns.first(), turns.take()) for _ in range(6)]
    assert all(first is job for first, job in taken)
    assert [int(job.question.table) for _, job in taken] == [0, 4, 3, 5, 1, 2]
    assert turns.first() is None
    assert turns.visitors() == []


def test_one_visitor_cannot_fill_the_queue(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(agent_pool: AgentPool) -> None:
        state = KUHN.start(1)
        monkeypatch.setattr(think, "_MOST_WAITING", 8)
        slow = asyncio.create_task(agent_pool.ask(question(state, SLOW, table="slow"), 3.0))
        await asyncio.sleep(0.1)
        asked = [
            asyncio.create_task(agent_pool.ask(question(state, "random", table=str(number), visitor=ANNA)))
            for number in range(3)
        ]
        done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        assert [task.exception().kind for task in done] == ["busy"]  # type: ignore[union-attr]
        far = asyncio.create_task(agent_pool.ask(question(state, "random", table="far", visitor=FAR)))
        with pytest.raises(AgentFailure, match="longer"):
            await slow
        assert (await far).action in (0, 1)

    run(work)


# what a process does, without one


def test_a_kept_game_is_played_on_and_goes_back_where_the_table_did() -> None:
    memory = Memory()
    state = ludens.game("azul").start(5)
    agent = ludens.agent("heuristic", state.game)
    for _ in range(6):
        assert answer(memory, question(state, "heuristic")).action == agent.choose(state.view())
        state.play(state.legal[0])
    kept = memory.states["t"]
    state.undo(3)
    assert answer(memory, question(state, "heuristic")).action == agent.choose(state.view())
    assert memory.states["t"] is not kept
    assert memory.states["t"].checksum == state.checksum


def test_hints_and_values_come_from_the_seats_view() -> None:
    memory = Memory()
    state = KUHN.start(2)
    hint = answer(memory, question(state, "random", "hint"))
    assert hint.moves == [[0, 0.5], [1, 0.5]]
    value = answer(memory, question(state, "mcts:sims=100", "value", seat=1))
    expected = ludens.agent("mcts:sims=100", KUHN).value(state.view(1).array)[0]
    assert value.values == [float(one) for one in expected]


def test_the_graph_of_a_game_ends_in_its_result() -> None:
    memory = Memory()
    state = KUHN.start(2)
    state.play("bet").play("bet")
    asked = question(state, "mcts:sims=50", "graph", seat=-1, steps=[0, 1, 2])
    values = answer(memory, asked).values
    assert len(values) == 3
    assert values[-1] == state.returns
    assert answer(memory, replace(asked, steps=[1])).values == values[1:2]


@pytest.mark.parametrize(
    "sent",
    [
        question(KUHN.start(1), "random", "graph", seat=-1, steps=[0, 1]),
        Question("prepare", "kuhn", {}, ["random", "mcts"]),
        Answer(1.5, 3),
        Answer(moves=[[0, 0.5]], values=[[1.0, -1.0]]),
        Answer(failed="timeout", message="took longer"),
    ],
)
def test_what_is_sent_comes_back_the_same(sent: Any) -> None:
    again = type(sent)(**json.loads(json.dumps(vars(sent))))
    assert json.dumps(vars(again)) == json.dumps(vars(sent))
